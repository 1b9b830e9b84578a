//! Our descriptors, field by field, against conformance/contract.json.

use std::collections::BTreeMap;

use prost_types::field_descriptor_proto::{Label, Type};
use prost_types::{DescriptorProto, FieldDescriptorProto, FileDescriptorSet};
use serde_json::{Map, Value, json};

const PREFIX: &str = ".aksnodeconfig.v1.";

#[test]
fn the_contract_is_the_one_on_the_wire() {
    let Some(file) = crate::support::needs::vectors("contract.json") else { return };
    let text = std::fs::read_to_string(file).expect("the contract is readable");
    let wanted: Value = serde_json::from_str(&text).expect("the contract is JSON");
    let ours = description(&super::generate::descriptors());
    for kind in ["messages", "enums"] {
        let (ours, wanted) = (named(&ours[kind]), named(&wanted[kind]));
        assert_eq!(ours.keys().collect::<Vec<_>>(), wanted.keys().collect::<Vec<_>>());
        for (name, wanted) in wanted {
            for (member, wanted) in wanted.as_object().expect("a description is an object") {
                let found = &ours[&name][member];
                let (found, wanted) = (elements(found), elements(wanted));
                for (found, wanted) in found.iter().zip(&wanted) {
                    assert_eq!(found, wanted, "{name}, {member}");
                }
                assert_eq!(found.len(), wanted.len(), "{name}, {member}");
            }
        }
    }
}

/// A list of named things as a map.
fn named(list: &Value) -> BTreeMap<String, Value> {
    let list = list.as_array().expect("a list");
    list.iter().map(|one| (one["name"].as_str().expect("a name").to_owned(), one.clone())).collect()
}

/// One by one, so that a difference is short to read.
fn elements(value: &Value) -> Vec<String> {
    value.as_array().map_or(vec![value.to_string()], |list| list.iter().map(Value::to_string).collect())
}

/// The same shape as contract.json.
pub(super) fn description(files: &FileDescriptorSet) -> Value {
    let messages = files.file.iter().flat_map(|file| &file.message_type).map(message).collect::<Vec<_>>();
    let enums = files.file.iter().flat_map(|file| &file.enum_type).map(|named| {
        let values = named.value.iter().map(|v| json!({"name": v.name(), "number": v.number()})).collect::<Vec<_>>();
        json!({"name": full(named.name()), "values": values})
    });
    json!({"messages": messages, "enums": enums.collect::<Vec<_>>()})
}

fn full(name: &str) -> String {
    format!("{}{name}", &PREFIX[1..])
}

fn message(message: &DescriptorProto) -> Value {
    let fields = message.field.iter().map(|field| describe(message, field)).collect::<Vec<_>>();
    let mut text = json!({"name": full(message.name()), "fields": fields});
    if !message.reserved_range.is_empty() {
        let numbers = message.reserved_range.iter().flat_map(|range| range.start()..range.end());
        text["reserved_numbers"] = numbers.collect::<Vec<_>>().into();
    }
    if !message.reserved_name.is_empty() {
        text["reserved_names"] = message.reserved_name.clone().into();
    }
    text
}

fn describe(message: &DescriptorProto, field: &FieldDescriptorProto) -> Value {
    let mut text = Map::new();
    text.insert("name".into(), field.name().into());
    text.insert("json_name".into(), field.json_name().into());
    text.insert("number".into(), field.number().into());
    if field.options.as_ref().is_some_and(prost_types::FieldOptions::deprecated) {
        text.insert("deprecated".into(), true.into());
    }
    let entry = message.nested_type.iter().find(|nested| field.type_name().ends_with(&format!(".{}", nested.name())));
    let explicit = field.proto3_optional() || (field.r#type() == Type::Message && field.label() != Label::Repeated);
    text.insert("presence".into(), if explicit { "explicit" } else { "implicit" }.into());
    if let Some(entry) = entry {
        let (key, value) = (&entry.field[0], &entry.field[1]);
        text.insert("kind".into(), "map".into());
        text.insert("label".into(), "map".into());
        text.insert("key_type".into(), type_name(key).into());
        text.insert("value_type".into(), type_name(value).into());
        text.insert("value_kind".into(), kind(value).into());
        return text.into();
    }
    text.insert("kind".into(), kind(field).into());
    text.insert("type".into(), type_name(field).into());
    let label = if field.proto3_optional() {
        "optional"
    } else if field.label() == Label::Repeated {
        "repeated"
    } else {
        "singular"
    };
    text.insert("label".into(), label.into());
    text.into()
}

fn kind(field: &FieldDescriptorProto) -> &'static str {
    match field.r#type() {
        Type::Message => "message",
        Type::Enum => "enum",
        _ => "scalar",
    }
}

fn type_name(field: &FieldDescriptorProto) -> String {
    match field.r#type() {
        Type::Message | Type::Enum => field.type_name()[1..].to_owned(),
        Type::String => "string".to_owned(),
        Type::Bool => "bool".to_owned(),
        Type::Int32 => "int32".to_owned(),
        Type::Double => "double".to_owned(),
        other => format!("{other:?}"),
    }
}
