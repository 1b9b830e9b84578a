//! Generates Rust from the proto files: the structs of prost, and the tables behind `Message`.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::LazyLock;

use prost_types::field_descriptor_proto::{Label, Type};
use prost_types::{DescriptorProto, EnumDescriptorProto, FieldDescriptorProto, FileDescriptorProto, FileDescriptorSet};

const PACKAGE: &str = ".aksnodeconfig.v1.";
const PROTO: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/proto");

/// The path of the generated Rust.
pub const FILE: &str = "src/configuration/contract.rs";

/// Messages that a NodeBootstrappingConfiguration has, too, with the JSON names of the contract.
const SAME_IN_AGENTBAKER: [&str; 3] = ["LocalDnsHealthCheck", "LocalDnsOverrides", "SysctlConfig"];

fn compiler() -> protox::Compiler {
    let mut compiler = protox::Compiler::new([PROTO]).expect("the directory is there");
    compiler.include_imports(true).include_source_info(true);
    compiler.open_file("aksnodeconfig/v1/configuration.proto").expect("the contract compiles");
    compiler
}

/// Returns the descriptors of all proto files, sorted by name.
pub fn descriptors() -> FileDescriptorSet {
    let mut files = compiler().file_descriptor_set();
    files.file.sort_by(|a, b| a.name().cmp(b.name()));
    files
}

/// Reports whether the contract marks a field `debug_redact`, an option newer than prost's own descriptors.
fn is_secret(message: &str, field: &str) -> bool {
    static POOL: LazyLock<prost_reflect::DescriptorPool> = LazyLock::new(|| compiler().descriptor_pool());
    let message = POOL.get_message_by_name(&format!("aksnodeconfig.v1.{message}")).expect("the message is there");
    let options = message.get_field_by_name(field).expect("the field is there").options();
    options.get_field_by_name("debug_redact").and_then(|value| value.as_bool()).unwrap_or(false)
}

/// Returns the text of [`FILE`].
pub fn contract() -> String {
    let files = descriptors();
    let mut tables = String::new();
    for file in &files.file {
        let docs = Docs::of(file);
        for (at, message) in file.message_type.iter().enumerate() {
            message_tables(&mut tables, message, &docs, i32::try_from(at).expect("few messages"));
        }
        for (at, named) in file.enum_type.iter().enumerate() {
            enum_table(&mut tables, named, &docs, i32::try_from(at).expect("few enums"));
        }
    }

    let mut prost = prost_build::Config::new();
    prost.btree_map(["."]).skip_debug(["."]);
    for message in SAME_IN_AGENTBAKER {
        let attributes = "#[derive(serde::Deserialize)] #[serde(rename_all = \"camelCase\", default)]";
        prost.type_attribute(format!("{PACKAGE}{message}"), attributes);
    }
    let requests = files
        .file
        .into_iter()
        .map(|file| (prost_build::Module::from_protobuf_package_name("aksnodeconfig.v1"), file))
        .collect();
    let structs = prost.generate(requests).expect("prost accepts the contract");
    let structs = structs.into_values().next().expect("one package, one module");

    let text = format!(
        "#![allow(deprecated, reason = \"the tables name every field, those that left Kubernetes too\")]
         use super::message::*;\n{structs}\n{tables}"
    );
    let tree = syn::parse_file(&text).expect("the generated text is Rust");
    format!("// @generated from proto/ by `make generate`. Do not edit.\n\n{}", prettyplease::unparse(&tree))
}

fn message_tables(out: &mut String, message: &DescriptorProto, docs: &Docs, at: i32) {
    let name = message.name();
    let table = shouting(name);
    let (mut fields, mut get, mut get_mut) = (String::new(), String::new(), String::new());
    for (index, field) in message.field.iter().enumerate() {
        let doc = docs.at(&[4, at, 2, i32::try_from(index).expect("few fields")]);
        let shape = Shape::of(message, field);
        let secret = is_secret(name, field.name());
        writeln!(
            fields,
            "Field {{ name: {:?}, json_name: {:?}, doc: {doc:?}, kind: {}, label: Label::{}, secret: {secret} }},",
            field.name(),
            field.json_name(),
            shape.kind,
            shape.label,
        )
        .expect("a string can be written to");
        writeln!(get, "{index} => Slot::{}({}),", shape.slot, shape.get).expect("a string can be written to");
        writeln!(get_mut, "{index} => SlotMut::{}({}),", shape.slot, shape.get_mut)
            .expect("a string can be written to");
    }
    let doc = docs.at(&[4, at]);
    writeln!(
        out,
        "static {table}: Descriptor = Descriptor {{ name: {name:?}, doc: {doc:?}, fields: &[{fields}], removed: &{removed:?} }};
         impl {name} {{
             /// Returns the description of the message.
             #[must_use]
             pub const fn descriptor() -> &'static Descriptor {{ &{table} }}
         }}
         impl Message for {name} {{
             fn descriptor(&self) -> &'static Descriptor {{ &{table} }}
             fn slot(&self, index: usize) -> Slot<'_> {{
                 match index {{ {get} _ => unreachable!(\"{name} has no such field\") }}
             }}
             fn slot_mut(&mut self, index: usize) -> SlotMut<'_> {{
                 match index {{ {get_mut} _ => unreachable!(\"{name} has no such field\") }}
             }}
         }}
         impl ::core::fmt::Debug for {name} {{
             fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {{
                 super::redacted(self, f)
             }}
         }}",
        removed = message.reserved_name,
    )
    .expect("a string can be written to");
}

fn enum_table(out: &mut String, named: &EnumDescriptorProto, docs: &Docs, at: i32) {
    let mut values = String::new();
    for (index, value) in named.value.iter().enumerate() {
        let doc = docs.at(&[5, at, 2, i32::try_from(index).expect("few values")]);
        writeln!(values, "EnumValue {{ name: {:?}, number: {}, doc: {doc:?} }},", value.name(), value.number())
            .expect("a string can be written to");
    }
    writeln!(
        out,
        "static {}: EnumDescriptor = EnumDescriptor {{ name: {:?}, values: &[{values}] }};",
        shouting(named.name()),
        named.name(),
    )
    .expect("a string can be written to");
}

/// How a field is described in the tables, and how the struct is accessed.
struct Shape {
    kind: String,
    label: &'static str,
    slot: &'static str,
    get: String,
    get_mut: String,
}

impl Shape {
    fn of(message: &DescriptorProto, field: &FieldDescriptorProto) -> Self {
        let place = format!("self.{}", field.name());
        let borrowed = || (format!("&{place}"), format!("&mut {place}"));
        let copied = || (place.clone(), format!("&mut {place}"));
        let nested = || {
            let name = field.type_name().rsplit('.').next().expect("a type has a name");
            message.nested_type.iter().find(|nested| nested.name() == name)
        };
        if let Some(entry) = nested() {
            let value = &entry.field[1];
            let (slot, kind) = match value.r#type() {
                Type::String => ("TextMap", "Kind::Text".to_owned()),
                Type::Bool => ("BoolMap", "Kind::Bool".to_owned()),
                Type::Message => ("MessageMap", format!("Kind::Message(&{})", table_of(value))),
                other => unimplemented!("a map of {other:?} has no slot yet"),
            };
            let (get, get_mut) = borrowed();
            return Self { kind, label: "Map", slot, get, get_mut };
        }
        let optional = field.proto3_optional();
        let repeated = field.label() == Label::Repeated;
        let (kind, slot, (get, get_mut)) = match (field.r#type(), optional, repeated) {
            (Type::String, false, false) => ("Kind::Text".to_owned(), "Text", borrowed()),
            (Type::String, true, _) => {
                ("Kind::Text".to_owned(), "OptionalText", (format!("{place}.as_deref()"), format!("&mut {place}")))
            }
            (Type::String, _, true) => ("Kind::Text".to_owned(), "Texts", borrowed()),
            (Type::Bool, false, false) => ("Kind::Bool".to_owned(), "Bool", copied()),
            (Type::Bool, true, _) => ("Kind::Bool".to_owned(), "OptionalBool", copied()),
            (Type::Int32, false, false) => ("Kind::Integer".to_owned(), "Integer", copied()),
            (Type::Int32, true, _) => ("Kind::Integer".to_owned(), "OptionalInteger", copied()),
            (Type::Double, true, _) => ("Kind::Double".to_owned(), "OptionalDouble", copied()),
            (Type::Enum, false, false) => (format!("Kind::Enum(&{})", table_of(field)), "Enum", copied()),
            (Type::Message, _, false) => (
                format!("Kind::Message(&{})", table_of(field)),
                "Message",
                (
                    format!("{place}.as_ref().map(|message| message as &dyn Message)"),
                    format!("{place}.get_or_insert_default()"),
                ),
            ),
            other => unimplemented!("{}: {other:?} has no slot yet", field.name()),
        };
        let label = match (optional || field.r#type() == Type::Message, repeated) {
            (_, true) => "Repeated",
            (true, _) => "Optional",
            _ => "Singular",
        };
        Self { kind, label, slot, get, get_mut }
    }
}

fn table_of(field: &FieldDescriptorProto) -> String {
    shouting(field.type_name().strip_prefix(PACKAGE).expect("all types are ours"))
}

/// `KubeletConfig` → `KUBELET_CONFIG`.
fn shouting(name: &str) -> String {
    let mut text = String::new();
    for character in name.chars() {
        if character.is_ascii_uppercase() && !text.is_empty() {
            text.push('_');
        }
        text.push(character.to_ascii_uppercase());
    }
    text
}

/// The comments of a file, by the path of the element below each.
struct Docs(BTreeMap<Vec<i32>, String>);

impl Docs {
    fn of(file: &FileDescriptorProto) -> Self {
        let places = file.source_code_info.iter().flat_map(|info| &info.location);
        Self(places.map(|place| (place.path.clone(), one_line(place.leading_comments()))).collect())
    }

    /// Returns the comment of an element; empty if there is none.
    fn at(&self, path: &[i32]) -> &str {
        self.0.get(path).map_or("", String::as_str)
    }
}

fn one_line(comment: &str) -> String {
    comment.split_whitespace().collect::<Vec<_>>().join(" ")
}
