//! Fields by their paths, looked up when the program is compiled.

use super::{Configuration, Descriptor, Field, Kind, Label, Message, Slot};
use crate::document::{DocPath, Step};

/// The greatest number of names in a path.
const DEPTH: usize = 5;

/// A field of the Configuration or of a message in it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FieldPath {
    /// The names in the contract, `snake_case` with dots between.
    pub name: &'static str,
    /// What the contract says about the field.
    pub field: &'static Field,
    /// The index of each name in its message.
    steps: [usize; DEPTH],
    depth: usize,
}

impl FieldPath {
    /// Looks up a path in the Configuration. In a constant, a path that names no field is a compile error.
    ///
    /// # Panics
    /// Panics if the path names no field, or reaches into one that is not a single message.
    pub const fn of(name: &'static str) -> Self {
        Self::below(Configuration::descriptor(), name)
    }

    /// Looks up a path in another message.
    ///
    /// # Panics
    /// As [`FieldPath::of`].
    pub const fn below(root: &'static Descriptor, name: &'static str) -> Self {
        let path = name.as_bytes();
        let mut descriptor = root;
        let (mut steps, mut depth, mut start) = ([0; DEPTH], 0, 0);
        loop {
            let mut end = start;
            while end < path.len() && path[end] != b'.' {
                end += 1;
            }
            let (_, rest) = path.split_at(start);
            let (step, _) = rest.split_at(end - start);
            let index = index_of(descriptor, step);
            let field = &descriptor.fields[index];
            steps[depth] = index;
            depth += 1;
            if end == path.len() {
                return Self { name, field, steps, depth };
            }
            descriptor = match (field.kind, field.label) {
                (Kind::Message(inner), Label::Optional) => inner,
                _ => panic!("the path reaches into a field that is not a single message"),
            };
            start = end + 1;
        }
    }

    /// Returns the value in a message of the type in which the path was looked up. `None` if a message on the path is
    /// absent.
    pub fn slot<'a>(&self, root: &'a dyn Message) -> Option<Slot<'a>> {
        let mut slot = root.slot(self.steps[0]);
        for step in &self.steps[1..self.depth] {
            let Slot::Message(Some(message)) = slot else { return None };
            slot = message.slot(*step);
        }
        Some(slot)
    }

    /// Returns the location in a document. `base` is the location of the message in which the path was looked up.
    pub fn location(&self, base: &DocPath, root: &'static Descriptor) -> DocPath {
        let (mut path, mut descriptor) = (base.clone(), root);
        for step in &self.steps[..self.depth] {
            let field = &descriptor.fields[*step];
            path.0.push(Step::Field { name: field.name, json_name: field.json_name });
            if let Kind::Message(inner) = field.kind {
                descriptor = inner;
            }
        }
        path
    }

    /// Returns the value of a text field. Empty if it is unset.
    pub fn text<'a>(&self, configuration: &'a Configuration) -> &'a str {
        match self.slot(configuration) {
            Some(Slot::Text(text) | Slot::OptionalText(Some(text))) => text,
            _ => "",
        }
    }

    /// Returns the value of a boolean field. `None` if it is unset.
    pub fn switch(&self, configuration: &Configuration) -> Option<bool> {
        match self.slot(configuration)? {
            Slot::Bool(value) => Some(value),
            Slot::OptionalBool(value) => value,
            _ => None,
        }
    }

    /// Returns the value of an integer field. `None` if it is unset.
    pub fn integer(&self, configuration: &Configuration) -> Option<i32> {
        match self.slot(configuration)? {
            Slot::Integer(value) => Some(value),
            Slot::OptionalInteger(value) => value,
            _ => None,
        }
    }

    /// Returns the number of an enum field. Zero if it is unset.
    pub fn enum_number(&self, configuration: &Configuration) -> i32 {
        match self.slot(configuration) {
            Some(Slot::Enum(number)) => number,
            _ => 0,
        }
    }

    /// Returns the name of a number of an enum field. Empty if the contract has none.
    pub fn enum_name(&self, number: i32) -> &'static str {
        match self.field.kind {
            Kind::Enum(named) => named.name(number).unwrap_or_default(),
            _ => "",
        }
    }
}

const fn index_of(descriptor: &'static Descriptor, name: &[u8]) -> usize {
    let mut at = 0;
    while at < descriptor.fields.len() {
        if equal(descriptor.fields[at].name.as_bytes(), name) {
            return at;
        }
        at += 1;
    }
    panic!("the path names no field of the contract")
}

/// `==`, which constants cannot use.
const fn equal(one: &[u8], other: &[u8]) -> bool {
    match (one, other) {
        ([], []) => true,
        ([first, one @ ..], [second, other @ ..]) => *first == *second && equal(one, other),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::configuration::{KubeletConfig, KubeletConfigFileConfig, LocalDnsOverrides};

    #[test]
    fn finds_a_field_of_each_depth() {
        let file = KubeletConfigFileConfig { server_tls_bootstrap: true, ..KubeletConfigFileConfig::default() };
        let kubelet = KubeletConfig { kubelet_config_file_config: Some(file), ..KubeletConfig::default() };
        let configuration = Configuration { kubelet_config: Some(kubelet), is_kata: true, ..Configuration::default() };
        for name in ["is_kata", "kubelet_config.kubelet_config_file_config.server_tls_bootstrap"] {
            let path = FieldPath::of(name);
            assert!(name.ends_with(path.field.name));
            assert!(matches!(path.slot(&configuration), Some(Slot::Bool(true))), "{name}");
        }
    }

    #[test]
    fn the_location_follows_the_one_of_the_message() {
        let path = FieldPath::below(LocalDnsOverrides::descriptor(), "health_check.duration");
        let base = DocPath::fields("a").join(Step::Key("b".to_owned()));
        let location = path.location(&base, LocalDnsOverrides::descriptor());
        assert_eq!(location.to_string(), "a[\"b\"].health_check.duration");
    }

    #[test]
    fn a_field_of_an_absent_message_has_no_value() {
        let path = FieldPath::of("kubelet_config.kubelet_config_file_config.server_tls_bootstrap");
        assert!(path.slot(&Configuration::default()).is_none());
    }

    #[test]
    #[should_panic(expected = "names no field")]
    fn rejects_an_unknown_name() {
        FieldPath::of("kubelet_config.kubelet_flag");
    }

    #[test]
    #[should_panic(expected = "not a single message")]
    fn rejects_a_path_into_text() {
        FieldPath::of("vm_size.name");
    }
}
