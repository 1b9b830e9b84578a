//! Brings the shapes in which tools print one object into the one of `az`.

use serde_json::{Map, Value};

use crate::inputs::InputKind;

/// Returns an element of a list. The API server leaves out the kind of each if the list has it, as in `SecretList`.
pub(super) fn element_of(list: &Value, element: &Value) -> Value {
    let mut element = element.clone();
    let kind = list.get("kind").and_then(Value::as_str).and_then(|kind| kind.strip_suffix("List"));
    if let (Some(kind), Some(members)) = (kind.filter(|kind| !kind.is_empty()), element.as_object_mut()) {
        for (name, value) in [("kind", Some(&Value::from(kind))), ("apiVersion", list.get("apiVersion"))] {
            if let (Some(value), false) = (value, members.contains_key(name)) {
                members.insert(name.to_owned(), value.clone());
            }
        }
    }
    element
}

/// Reports whether at most half of the members of an object are those of an input that was recognized: it is a selection of a larger document.
pub(super) fn is_part_of(value: &Value, kind: InputKind) -> bool {
    let Value::Object(members) = value else { return false };
    2 * members.keys().filter(|name| kind.has_member(name)).count() <= members.len()
}

/// Returns a resource of Azure's REST API as `az` prints it: without the level of `properties`.
pub(super) fn flattened(value: Value) -> Value {
    let mut value = if is_snake_case(&value) { camel_case(value) } else { value };
    let starts = |name: &str, start: &str| {
        let text = value.get(name).and_then(Value::as_str).unwrap_or_default();
        text.get(..start.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(start))
    };
    // A query can leave out the type.
    let is_resource = starts("type", "Microsoft.") || starts("id", "/subscriptions/");
    if is_resource && let Some(Value::Object(properties)) = value.get_mut("properties").map(Value::take) {
        // The type of a node pool, beside that of the resource. `az` has this name for it.
        if let Some(kind) = properties.get("type") {
            value["typePropertiesType"] = kind.clone();
        }
        for (name, inner) in properties {
            if value.get(&name).is_none_or(Value::is_null) {
                value[name] = inner;
            }
        }
    }
    value
}

/// Reports whether an object of Azure has the names of Azure's SDK for Python.
fn is_snake_case(value: &Value) -> bool {
    let value = value.get("properties").filter(|properties| properties.is_object()).unwrap_or(value);
    let has = |name: &str| value.get(name).is_some();
    ["agent_pool_profiles", "virtual_machine_profile", "private_endpoint_network_policies"].into_iter().any(has)
        || (has("node_image_version") && has("vm_size"))
}

/// Members whose own members have names that users choose.
const MAPS: [&str; 4] = ["addon_profiles", "node_labels", "tags", "user_assigned_identities"];

/// Renames every member as the API has it: `vnet_subnet_id` is `vnetSubnetId`.
fn camel_case(value: Value) -> Value {
    match value {
        Value::Object(members) => {
            let renamed = members.into_iter().map(|(name, value)| {
                let value = if MAPS.contains(&name.as_str()) { value } else { camel_case(value) };
                (camel_name(&name), value)
            });
            Value::Object(renamed.collect::<Map<_, _>>())
        }
        Value::Array(list) => Value::Array(list.into_iter().map(camel_case).collect()),
        other => other,
    }
}

fn camel_name(name: &str) -> String {
    let mut words = name.split('_');
    let mut camel = words.next().unwrap_or_default().to_owned();
    for word in words {
        let mut characters = word.chars();
        camel.extend(characters.next().map(|first| first.to_ascii_uppercase()));
        camel.push_str(characters.as_str());
    }
    camel
}
