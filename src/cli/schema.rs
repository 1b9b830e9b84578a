//! `schema`: JSON Schema (2020-12) of the Configuration, from the descriptors of the contract.
//!
//! An editor offers `properties`. So these have each field once, as the contract spells it, and the other spelling is a pattern.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use crate::catalogue::demands::{Checker, DEMANDS, Demand, Form};
use crate::configuration::{Configuration, Descriptor, EnumDescriptor, Field, Kind, LIMIT, Label};
use crate::environment::{DERIVATIONS, Derivation};

/// Returns the schema: every field in both spellings. Unknown members are allowed, as in decoding.
pub(super) fn schema() -> Value {
    let mut definitions = BTreeMap::new();
    define(Configuration::descriptor(), &mut definitions);
    let root = Configuration::descriptor();
    let version = json!({"enum": crate::configuration::VERSIONS});
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "AKS node Configuration",
        "description": format!("{} CustomData made of it may have {LIMIT} characters.", root.doc),
        "$ref": format!("#/$defs/{}", root.name),
        "properties": {"version": version},
        "required": ["version"],
        "allOf": demanded(),
        "$defs": definitions,
    })
}

/// Returns the demands of the node's scripts on a document: the required fields, by stage.
fn demanded() -> [Value; 2] {
    let [base, node] = [Checker::BaseInputs, Checker::NodeInputs].map(|checker| {
        let demands = DEMANDS
            .iter()
            .filter(|demand| demand.form == Form::Given && demand.when.is_none() && demand.checked_by == checker);
        let rows = demands.filter_map(|demand| DERIVATIONS.iter().find(|row| row.name == demand.variable));
        let fields = rows.filter_map(|row| row.fields().first().copied());
        json!({"allOf": fields.map(|field| present(Configuration::descriptor(), field)).collect::<Vec<_>>()})
    });
    let image_only = ["pre_provision_only", "preProvisionOnly"]
        .map(|name| json!({"required": [name], "properties": {name: {"const": true}}}));
    let image_only = json!({"anyOf": image_only});
    [base, json!({"if": image_only, "else": node})]
}

/// Returns the constraint that a field is present, in either spelling.
fn present(message: &'static Descriptor, path: &str) -> Value {
    let (name, rest) = path.split_once('.').map_or((path, None), |(name, rest)| (name, Some(rest)));
    let field = message.index_of(name).map(|index| &message.fields[index]).expect("derivations name fields");
    let alternatives = [field.name, field.json_name].map(|name| match (rest, field.kind) {
        (Some(rest), Kind::Message(inner)) => json!({"required": [name], "properties": {name: present(inner, rest)}}),
        _ => json!({"required": [name]}),
    });
    if field.name == field.json_name { alternatives[0].clone() } else { json!({"anyOf": alternatives}) }
}

/// Returns the patterns that the texts of a field must match, whatever other fields contain.
fn patterns(message: &'static Descriptor, field: &'static Field) -> Vec<Value> {
    let is_field = |row: &&Derivation| row.text_field().is_some_and(|path| is_at(path, message, field));
    let variables = DERIVATIONS.iter().filter(is_field).map(|row| row.name);
    let demands = variables.flat_map(Demand::on).filter(|demand| demand.when.is_none());
    let mut patterns: Vec<_> = demands.filter_map(|demand| pattern(demand.form)).collect();
    patterns.dedup();
    patterns.into_iter().map(|pattern| json!({"pattern": pattern})).collect()
}

/// Reports whether a path of the Configuration leads to a field of a message.
fn is_at(path: &str, message: &'static Descriptor, field: &'static Field) -> bool {
    let mut descriptor = Configuration::descriptor();
    let mut names = path.split('.').peekable();
    while let Some(name) = names.next() {
        let Some(index) = descriptor.index_of(name) else { return false };
        match descriptor.fields[index].kind {
            Kind::Message(inner) if names.peek().is_some() => descriptor = inner,
            _ => return descriptor.name == message.name && name == field.name,
        }
    }
    false
}

/// Returns a pattern for the texts of a form, as strict as a pattern can be.
const fn pattern(form: Form) -> Option<&'static str> {
    match form {
        Form::Version => Some("^(v?[0-9]+(\\.[0-9A-Za-z+~-]+)*)?$"),
        Form::OneLine => Some("^[^\\n\\r]*$"),
        Form::Base64 => Some("^[A-Za-z0-9+/\\n]*(=\\n*){0,2}$"),
        Form::Certificate => Some("^[A-Za-z0-9+/\\s]*(=\\s*){0,2}$"),
        Form::Host => Some("^([A-Za-z0-9]([A-Za-z0-9._:-]*[A-Za-z0-9])?)?$"),
        Form::CurlCall => Some("^([ \\t]*curl([ \\t\\n](.|\\n)*)?)?$"),
        _ => None,
    }
}

fn define(message: &'static Descriptor, definitions: &mut BTreeMap<&'static str, Value>) {
    if definitions.contains_key(message.name) {
        return;
    }
    definitions.insert(message.name, Value::Null);
    let (mut properties, mut aliases) = (Map::new(), Map::new());
    let mut exclusive = Vec::new();
    for field in message.fields {
        if let Kind::Message(inner) = field.kind {
            define(inner, definitions);
        }
        let mut property = property(field);
        let patterns = patterns(message, field);
        if !patterns.is_empty() {
            property["allOf"] = patterns.into();
        }
        if field.name != field.json_name {
            aliases.insert(format!("^{}$", field.json_name), property.clone());
            exclusive.push(json!({"not": {"required": [field.name, field.json_name]}}));
        }
        properties.insert(field.name.to_owned(), property);
    }
    let mut object = json!({"type": "object", "description": message.doc, "properties": properties});
    if !exclusive.is_empty() {
        object["patternProperties"] = aliases.into();
        object["allOf"] = exclusive.into();
    }
    definitions.insert(message.name, object);
}

fn property(field: &'static Field) -> Value {
    let one = match field.kind {
        Kind::Text => json!({"type": "string"}),
        Kind::Bool => json!({"type": "boolean"}),
        Kind::Integer => json!({"anyOf": [
            {"type": "integer", "minimum": i32::MIN, "maximum": i32::MAX},
            {"type": "string", "pattern": "^-?(0|[1-9][0-9]*)(\\.0+)?([eE][+-]?[0-9]+)?$"},
        ]}),
        Kind::Double => json!({"anyOf": [
            {"type": "number"},
            {"type": "string", "pattern": "^(NaN|-?Infinity|-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?)$"},
        ]}),
        Kind::Enum(names) => named_values(names),
        Kind::Message(message) => json!({"$ref": format!("#/$defs/{}", message.name)}),
    };
    let value = match field.label {
        Label::Singular | Label::Optional => one,
        Label::Repeated => json!({"type": "array", "items": one}),
        Label::Map => json!({"type": "object", "additionalProperties": one}),
    };
    let mut property = json!({"description": field.doc, "anyOf": [value, {"type": "null"}]});
    if field.secret {
        property["writeOnly"] = true.into();
    }
    property
}

/// Returns the known names of an enum. Any number is allowed, as in decoding.
fn named_values(names: &EnumDescriptor) -> Value {
    let values = names.values.iter().map(|value| json!({"const": value.name, "description": value.doc}));
    json!({"anyOf": [
        {"oneOf": values.collect::<Vec<_>>()},
        {"type": "integer", "minimum": i32::MIN, "maximum": i32::MAX},
    ]})
}
