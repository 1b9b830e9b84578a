//! Access to the fields of a Configuration by path, so that a check is a table of paths and rules.

use super::Today;
use crate::catalogue::REDACTED;
use crate::configuration::{Configuration, Descriptor, Field, Kind, Message, Slot, Version};
use crate::document::{DocPath, Finding, Rule, Step};

/// What the checks read.
pub(super) struct Context<'c> {
    pub(super) configuration: &'c Configuration,
    /// The version of Kubernetes, if it is valid.
    pub(super) kubernetes: Option<Version<'c>>,
    pub(super) today: Option<Today>,
    pub(super) root: MessageAt<'c>,
}

impl<'c> Context<'c> {
    pub(super) fn new(configuration: &'c Configuration, today: Option<Today>) -> Self {
        let root =
            MessageAt { message: Some(configuration), descriptor: Configuration::descriptor(), path: DocPath::root() };
        Self { configuration, kubernetes: configuration.kubernetes(), today, root }
    }

    pub(super) fn texts(&self, path: &str) -> Vec<Text<'c>> {
        self.root.texts(path)
    }

    pub(super) fn number(&self, path: &str) -> Option<Number> {
        self.root.number(path)
    }
}

/// Returns the path of a field, given as `snake_case` names with dots between.
pub(crate) fn at(path: &str) -> DocPath {
    let context = MessageAt { message: None, descriptor: Configuration::descriptor(), path: DocPath::root() };
    context.at(path)
}

/// A message of the document, or the location of one that is absent.
pub(super) struct MessageAt<'c> {
    pub(super) message: Option<&'c dyn Message>,
    pub(super) descriptor: &'static Descriptor,
    pub(super) path: DocPath,
}

impl<'c> MessageAt<'c> {
    /// Returns the path of a field of this message.
    pub(super) fn at(&self, path: &str) -> DocPath {
        self.resolve(path).0
    }

    /// Returns the strings of a field of this message: the value unless it is empty, or all elements or entries.
    pub(super) fn texts(&self, path: &str) -> Vec<Text<'c>> {
        let (path, field, slot) = self.resolve(path);
        let one = |text: &'c str, path: DocPath| Text { path, value: text, secret: field.secret };
        match slot {
            Some(Slot::Text(text) | Slot::OptionalText(Some(text))) if !text.is_empty() => vec![one(text, path)],
            Some(Slot::Texts(texts)) => {
                texts.iter().enumerate().map(|(at, text)| one(text, path.join(Step::Index(at)))).collect()
            }
            Some(Slot::TextMap(map)) => {
                map.iter().map(|(key, text)| one(text, path.join(Step::Key(key.clone())))).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Returns the number in a field of this message; `None` if it is unset.
    pub(super) fn number(&self, path: &str) -> Option<Number> {
        let (path, _, slot) = self.resolve(path);
        match slot {
            Some(Slot::Integer(value)) if value != 0 => Some(Number { path, value }),
            Some(Slot::OptionalInteger(value)) => value.map(|value| Number { path, value }),
            _ => None,
        }
    }

    fn resolve(&self, path: &str) -> (DocPath, &'static Field, Option<Slot<'c>>) {
        let (mut descriptor, mut message, mut steps) = (self.descriptor, self.message, self.path.clone());
        let mut names = path.split('.').peekable();
        loop {
            let name = names.next().expect("the loop ends with the last name");
            let index = descriptor.index_of(name).expect("a test resolves every path of the checks");
            let field = &descriptor.fields[index];
            steps = steps.join(Step::Field { name: field.name, json_name: field.json_name });
            let slot = message.map(|message| message.slot(index));
            if names.peek().is_none() {
                return (steps, field, slot);
            }
            let Kind::Message(inner) = field.kind else { unreachable!("a test resolves every path of the checks") };
            descriptor = inner;
            message = match slot {
                Some(Slot::Message(message)) => message,
                _ => None,
            };
        }
    }
}

/// A path, a predicate that its strings must fulfil, and the predicate for messages.
pub(super) type TextRule = (&'static str, fn(&str) -> bool, &'static str);

/// A string and its location.
pub(super) struct Text<'c> {
    pub(super) path: DocPath,
    pub(super) value: &'c str,
    secret: bool,
}

impl Text<'_> {
    /// Returns a finding that shows the string, unless the field is secret.
    pub(super) fn must_be(&self, rule: &'static Rule, expected: &'static str) -> Finding {
        let found = if self.secret { REDACTED.to_owned() } else { quoted(self.value) };
        Finding::unexpected(rule, self.path.clone(), expected, found)
    }

    /// Returns a finding that describes the string instead of showing it.
    pub(super) fn must_contain(&self, rule: &'static Rule, expected: &'static str, found: &str) -> Finding {
        Finding::unexpected(rule, self.path.clone(), expected, found)
    }

    /// Returns the key if the string is the value of a map entry.
    pub(super) fn key(&self) -> Option<&str> {
        match self.path.0.last() {
            Some(Step::Key(key)) => Some(key),
            _ => None,
        }
    }

    pub(super) fn is_in(&self, words: &[&str]) -> bool {
        words.contains(&self.value)
    }
}

/// A number and its location.
pub(super) struct Number {
    pub(super) path: DocPath,
    pub(super) value: i32,
}

impl Number {
    /// Returns a finding that shows the number.
    pub(super) fn must_be(&self, rule: &'static Rule, expected: impl Into<String>) -> Finding {
        Finding::unexpected(rule, self.path.clone(), expected.into(), self.value.to_string())
    }
}

/// Returns a string as findings show it: in quotes, with control characters escaped.
pub(super) fn quoted(text: &str) -> String {
    format!("{text:?}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::configuration::LocalDnsOverrides;

    /// Paths in tables are resolved whenever a document is validated. The others are in calls of `at`, which run only
    /// if there is a finding.
    #[test]
    fn every_path_names_a_field() {
        let sources = [
            include_str!("across/certificates.rs"),
            include_str!("across/machine.rs"),
            include_str!("across/proxy.rs"),
            include_str!("across/versions.rs"),
            include_str!("certificates.rs"),
            include_str!("every_field.rs"),
            include_str!("feature_gates.rs"),
            include_str!("kubelet.rs"),
            include_str!("kubelet_flags.rs"),
            include_str!("local_dns.rs"),
            include_str!("machine.rs"),
            include_str!("network.rs"),
            include_str!("required.rs"),
            include_str!("system.rs"),
        ];
        let roots = [Configuration::descriptor(), LocalDnsOverrides::descriptor()];
        let mut seen = 0;
        for path in sources.iter().flat_map(|source| source.split("at(\"").skip(1)) {
            let path = path.split('"').next().expect("a string literal has an end");
            seen += 1;
            assert!(roots.into_iter().any(|root| leads(root, path)), "{path}");
        }
        assert!(seen > 10, "found only {seen} paths");
    }

    fn leads(root: &'static Descriptor, path: &str) -> bool {
        let mut descriptor = Some(root);
        path.split('.').all(|name| {
            let Some(here) = descriptor else { return false };
            let Some(field) = here.fields.iter().find(|field| field.name == name) else { return false };
            descriptor = match field.kind {
                Kind::Message(inner) => Some(inner),
                _ => None,
            };
            true
        })
    }
}
