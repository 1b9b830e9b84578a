//! Changes of a document before it is decoded: partial documents merged over it, and single values set by their paths.

use serde_json::{Map, Value};

use super::{Configuration, Descriptor, Field, Kind, Label};
use crate::document::{Source, nearest};

/// Merges a partial Configuration over another: messages and maps by name, everything else is replaced. `null` removes.
pub(crate) fn merge(base: &mut Value, layer: Value) {
    merge_message(Configuration::descriptor(), base, layer);
}

fn merge_message(descriptor: &'static Descriptor, base: &mut Value, layer: Value) {
    let Value::Object(layer) = layer else {
        *base = layer;
        return;
    };
    let base = object(base);
    for (name, value) in layer {
        let field = descriptor.index_of(&name).map(|index| &descriptor.fields[index]);
        let name = field.map_or(name, |field| own_spelling(base, field));
        if value.is_null() {
            base.remove(&name);
            continue;
        }
        match field.map(|field| (field.kind, field.label)) {
            Some((Kind::Message(inner), Label::Optional)) => {
                merge_message(inner, base.entry(name).or_insert(Value::Null), value);
            }
            Some((kind, Label::Map)) => merge_map(kind, base.entry(name).or_insert(Value::Null), value),
            _ => {
                base.insert(name, value);
            }
        }
    }
}

fn merge_map(kind: Kind, base: &mut Value, layer: Value) {
    let Value::Object(layer) = layer else {
        *base = layer;
        return;
    };
    let base = object(base);
    for (key, value) in layer {
        match kind {
            _ if value.is_null() => drop(base.remove(&key)),
            Kind::Message(inner) => merge_message(inner, base.entry(key).or_insert(Value::Null), value),
            _ => drop(base.insert(key, value)),
        }
    }
}

fn object(value: &mut Value) -> &mut Map<String, Value> {
    if !value.is_object() {
        *value = Value::Object(Map::new());
    }
    value.as_object_mut().expect("it is an object")
}

/// Returns the spelling of a field in an object, or the one of the contract if the object does not have the field.
fn own_spelling(object: &Map<String, Value>, field: &Field) -> String {
    let spelling = if object.contains_key(field.json_name) { field.json_name } else { field.name };
    spelling.to_owned()
}

/// The place of a value: a path in the Configuration.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    names: Vec<Name>,
    /// The last field.
    field: &'static Field,
}

/// A part of a path.
#[derive(Clone, Debug)]
enum Name {
    Field(&'static str),
    /// The key of an entry of a map.
    Key(String),
}

impl Place {
    /// Reads a path such as `cluster_config.location` or `kubelet_config.kubelet_flags["--max-pods"]`. The brackets can be left
    /// out: what follows the name of a map is a key, up to the fields of its message.
    ///
    /// # Errors
    /// Fails if the path names no field.
    pub fn parse(path: &str) -> Result<Self, String> {
        let mut names = Vec::new();
        let field =
            parse(Configuration::descriptor(), path, &mut names).map_err(|problem| format!("`{path}`: {problem}"))?;
        Ok(Self { names, field })
    }

    /// Reports whether the value is an entry of a map.
    pub fn is_entry(&self) -> bool {
        matches!(self.names.last(), Some(Name::Key(_)))
    }

    /// Reads the text of a value as the type of the field: a text with or without quotes, everything else as YAML.
    ///
    /// # Errors
    /// Fails if a value that is not a text is no YAML.
    pub fn value(&self, text: &str) -> Result<Value, String> {
        let is_text = matches!(self.field.kind, Kind::Text | Kind::Enum(_))
            && (self.is_entry() || matches!(self.field.label, Label::Singular | Label::Optional));
        if text == "null" {
            return Ok(Value::Null);
        }
        if is_text && !text.starts_with(['"', '\'']) {
            return Ok(text.into());
        }
        // With a comment before it, a list in brackets is YAML, where texts need no quotation marks.
        let document = format!("# {}\n{text}", self.field.name);
        let tree = Source::new(document.as_bytes()).and_then(|source| Ok(source.tree()?.json()));
        tree.map_err(|finding| format!("`{}`: {finding}", self.field.name))
    }

    /// Returns a document that contains only this value.
    pub fn layer(&self, value: Value) -> Value {
        self.names.iter().rev().fold(value, |value, name| {
            let name = match name {
                Name::Field(name) => *name,
                Name::Key(key) => key,
            };
            Value::Object(Map::from_iter([(name.to_owned(), value)]))
        })
    }

    /// Returns the value at this place of a document with the names of the contract.
    #[cfg(feature = "cli")]
    pub fn member<'v>(&self, document: &'v Value) -> Option<&'v Value> {
        self.names.iter().try_fold(document, |value, name| match name {
            Name::Field(name) => value.get(name),
            Name::Key(key) => value.get(key),
        })
    }

    /// Returns the path as messages show it.
    pub fn path(&self) -> String {
        let mut path = String::new();
        for name in &self.names {
            match name {
                Name::Field(name) if path.is_empty() => path.push_str(name),
                Name::Field(name) => path.extend([".", name]),
                Name::Key(key) => path.extend(["[", &Value::from(key.as_str()).to_string(), "]"]),
            }
        }
        path
    }
}

/// Reads a path in a message, adds its parts, and returns the last field.
fn parse(descriptor: &'static Descriptor, path: &str, names: &mut Vec<Name>) -> Result<&'static Field, String> {
    let end = path.find(['.', '[']).unwrap_or(path.len());
    let (name, rest) = path.split_at(end);
    let Some(index) = descriptor.index_of(name) else {
        let spellings = descriptor.fields.iter().map(|field| field.name);
        let hint = nearest(name, spellings).map(|meant| format!(": did you mean `{meant}`?"));
        return Err(format!("`{name}` is not a field of {}{}", descriptor.name, hint.unwrap_or_default()));
    };
    let field = &descriptor.fields[index];
    names.push(Name::Field(field.name));
    if rest.is_empty() {
        return Ok(field);
    }
    match (field.kind, field.label) {
        (Kind::Message(inner), Label::Optional) if rest.starts_with('.') => parse(inner, &rest[1..], names),
        (kind, Label::Map) => {
            let inner = if let Kind::Message(inner) = kind { Some(inner) } else { None };
            let (key, rest) = key(rest, inner).ok_or_else(|| format!("expected a key after `{name}`"))?;
            names.push(Name::Key(key));
            match (inner, rest.strip_prefix('.')) {
                _ if rest.is_empty() => Ok(field),
                (Some(inner), Some(rest)) => parse(inner, rest, names),
                _ => Err(format!("`{rest}` after a key is no field")),
            }
        }
        (_, Label::Repeated) => Err(format!("`{name}` is a list, which can only be set as a whole")),
        _ => Err(format!("`{name}` has no members that can be set")),
    }
}

/// Returns the key in the text after the name of a map, `.key`, `[key]` or `["key"]`, and what follows. A key without brackets is as
/// long as what follows is a path in the message of the entry.
fn key<'p>(rest: &'p str, message: Option<&'static Descriptor>) -> Option<(String, &'p str)> {
    let (key, rest) = if let Some(text) = rest.strip_prefix('.') {
        let is_path = |rest: &str| message.is_some_and(|inner| parse(inner, rest, &mut Vec::new()).is_ok());
        let dots = text.match_indices('.').map(|(at, _)| at).filter(|at| *at > 0);
        let end = dots.into_iter().find(|at| is_path(&text[at + 1..])).unwrap_or(text.len());
        (text[..end].to_owned(), &text[end..])
    } else {
        let inner = rest.strip_prefix('[')?;
        let quote = inner.get(..1).filter(|first| ["\"", "'"].contains(first)).unwrap_or_default();
        let end = inner.find(&format!("{quote}]"))? + quote.len();
        let (key, rest) = (&inner[..end], &inner[end + 1..]);
        let key = if quote == "\"" { serde_json::from_str(key).ok()? } else { key.trim_matches('\'').to_owned() };
        (key, rest)
    };
    (!key.is_empty()).then_some((key, rest))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn maps_are_merged_by_key_and_lists_are_replaced() {
        let mut base = json!({"vmSize": "a", "custom_ca_certs": ["a", "b"], "x": 1,
            "kubelet_config": {"kubelet_flags": {"--a": "1", "--b": "2"}, "enable_kubelet_config_file": true}});
        merge(
            &mut base,
            json!({"vm_size": "b", "custom_ca_certs": ["c"], "x": null,
            "kubeletConfig": {"kubeletFlags": {"--b": null, "--c": "3"}, "enable_kubelet_config_file": null}}),
        );
        let expected = json!({"vmSize": "b", "custom_ca_certs": ["c"],
            "kubelet_config": {"kubelet_flags": {"--a": "1", "--c": "3"}}});
        assert_eq!(base, expected);
    }

    #[test]
    fn a_path_names_a_field_or_the_entry_of_a_map() {
        for (path, expected) in [
            ("vm_size", "vm_size"),
            ("clusterConfig.location", "cluster_config.location"),
            ("kubelet_config.kubelet_flags.--max-pods", r#"kubelet_config.kubelet_flags["--max-pods"]"#),
            (r#"kubelet_config.kubelet_flags["--max-pods"]"#, r#"kubelet_config.kubelet_flags["--max-pods"]"#),
            ("kubelet_config.kubelet_node_labels[a.b/c]", r#"kubelet_config.kubelet_node_labels["a.b/c"]"#),
            ("kubelet_config.kubelet_node_labels['a.b/c']", r#"kubelet_config.kubelet_node_labels["a.b/c"]"#),
            ("kubelet_config.kubelet_node_labels.a.b/c", r#"kubelet_config.kubelet_node_labels["a.b/c"]"#),
            (
                r#"localDnsProfile.vnetDnsOverrides["cluster.local"].forwardPolicy"#,
                r#"local_dns_profile.vnet_dns_overrides["cluster.local"].forward_policy"#,
            ),
            (
                "local_dns_profile.vnet_dns_overrides.cluster.local.health_check.domain",
                r#"local_dns_profile.vnet_dns_overrides["cluster.local"].health_check.domain"#,
            ),
            (
                "local_dns_profile.vnet_dns_overrides...protocol",
                r#"local_dns_profile.vnet_dns_overrides["."].protocol"#,
            ),
            ("local_dns_profile.vnet_dns_overrides[.]", r#"local_dns_profile.vnet_dns_overrides["."]"#),
        ] {
            assert_eq!(Place::parse(path).map(|place| place.path()), Ok(expected.to_owned()));
        }
        for path in [
            "",
            "vmsize",
            "vm_size.x",
            "cluster_config[x]",
            "kubelet_config.kubelet_flags[]",
            "is_kata.",
            "custom_ca_certs[0]",
            "kubelet_config.kubelet_flags[a].b",
            r#"local_dns_profile.vnet_dns_overrides["a"].x"#,
        ] {
            assert!(Place::parse(path).is_err(), "{path}");
        }
    }

    #[test]
    fn a_value_has_the_type_of_its_field() {
        for (path, text, expected) in [
            ("kubernetes_version", "1.34", json!("1.34")),
            ("kubernetes_version", "'1.34'", json!("1.34")),
            ("kubernetes_version", "\"null\"", json!("null")),
            ("kubernetes_version", "null", Value::Null),
            ("is_kata", "true", json!(true)),
            ("cse_timeout", "900", json!(900)),
            ("custom_ca_certs", "[a, b]", json!(["a", "b"])),
            ("local_dns_profile.kube_dns_overrides[.]", "{protocol: ForceTCP}", json!({"protocol": "ForceTCP"})),
            ("local_dns_profile.kube_dns_overrides[.].protocol", "ForceTCP", json!("ForceTCP")),
            ("local_dns_profile.kube_dns_overrides[.].max_concurrent", "9", json!(9)),
            ("kubelet_config.kubelet_flags.--max-pods", "30", json!("30")),
            ("network_config.network_plugin", "NETWORK_PLUGIN_NONE", json!("NETWORK_PLUGIN_NONE")),
        ] {
            assert_eq!(Place::parse(path).and_then(|place| place.value(text)), Ok(expected), "{path}={text}");
        }
        assert!(Place::parse("is_kata").and_then(|place| place.value("[")).is_err());
    }
}
