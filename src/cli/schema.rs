//! `schema`: JSON Schema (2020-12) of the Configuration, from the descriptors of the contract.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use crate::configuration::{Configuration, Descriptor, EnumDescriptor, Field, Kind, LIMIT, Label};

/// Returns the schema: every field in both spellings. Unknown members are allowed, as when reading.
pub(super) fn schema() -> Value {
    let mut definitions = BTreeMap::new();
    define(Configuration::descriptor(), &mut definitions);
    let root = Configuration::descriptor();
    let version = json!({"enum": crate::configuration::VERSIONS});
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "https://github.com/Azure/aks-node-controller/configuration.schema.json",
        "title": "AKS node Configuration",
        "description": format!("{} CustomData made of it may have {LIMIT} characters.", root.doc),
        "$ref": format!("#/$defs/{}", root.name),
        "properties": {"version": version},
        "required": ["version"],
        "$defs": definitions,
    })
}

fn define(message: &'static Descriptor, definitions: &mut BTreeMap<&'static str, Value>) {
    if definitions.contains_key(message.name) {
        return;
    }
    definitions.insert(message.name, Value::Null);
    let mut properties = Map::new();
    let mut exclusive = Vec::new();
    for field in message.fields {
        if let Kind::Message(inner) = field.kind {
            define(inner, definitions);
        }
        let property = property(field);
        if field.name != field.json_name {
            properties.insert(field.json_name.to_owned(), property.clone());
            exclusive.push(json!({"not": {"required": [field.name, field.json_name]}}));
        }
        properties.insert(field.name.to_owned(), property);
    }
    let mut object = json!({"type": "object", "description": message.doc, "properties": properties});
    if !exclusive.is_empty() {
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

/// Returns the names that this version knows. Any number is allowed, as when reading.
fn named_values(names: &EnumDescriptor) -> Value {
    let values = names.values.iter().map(|value| json!({"const": value.name, "description": value.doc}));
    json!({"anyOf": [
        {"oneOf": values.collect::<Vec<_>>()},
        {"type": "integer", "minimum": i32::MIN, "maximum": i32::MAX},
    ]})
}
