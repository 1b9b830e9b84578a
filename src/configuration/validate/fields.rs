//! What the checks look at: the Configuration, read by path, so that a check is a table of paths and rules.

use super::Today;
use crate::catalogue::REDACTED;
use crate::configuration::{Configuration, Descriptor, Field, Kind, Message, Slot, Version};
use crate::document::{DocPath, Finding, Problem, Severity, Step};

/// The document under check.
pub(super) struct Checked<'c> {
    pub(super) configuration: &'c Configuration,
    /// The version of Kubernetes, if it can be read.
    pub(super) kubernetes: Option<Version<'c>>,
    pub(super) today: Option<Today>,
    pub(super) root: Part<'c>,
}

impl<'c> Checked<'c> {
    pub(super) fn new(configuration: &'c Configuration, today: Option<Today>) -> Self {
        let root =
            Part { message: Some(configuration), descriptor: Configuration::descriptor(), path: DocPath::root() };
        Self { configuration, kubernetes: configuration.kubernetes(), today, root }
    }

    pub(super) fn texts(&self, path: &str) -> Vec<Text<'c>> {
        self.root.texts(path)
    }

    pub(super) fn number(&self, path: &str) -> Option<Number> {
        self.root.number(path)
    }
}

/// The path of a field, given as `snake_case` names with points between.
pub(super) fn at(path: &str) -> DocPath {
    let checked = Part { message: None, descriptor: Configuration::descriptor(), path: DocPath::root() };
    checked.at(path)
}

/// A message in the document, or the place where one could be.
pub(super) struct Part<'c> {
    pub(super) message: Option<&'c dyn Message>,
    pub(super) descriptor: &'static Descriptor,
    pub(super) path: DocPath,
}

impl<'c> Part<'c> {
    /// The path of a field below this message.
    pub(super) fn at(&self, path: &str) -> DocPath {
        self.resolve(path).0
    }

    /// The texts of a field below this message: its value unless that is empty, or all its elements or entries.
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

    /// The number of a field below this message, unless it is unset.
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
            let index = descriptor.index_of(name).expect("tests read every path of this room");
            let field = &descriptor.fields[index];
            steps = steps.join(Step::Field { name: field.name, json_name: field.json_name });
            let slot = message.map(|message| message.slot(index));
            if names.peek().is_none() {
                return (steps, field, slot);
            }
            let Kind::Message(inner) = field.kind else { unreachable!("tests read every path of this room") };
            descriptor = inner;
            message = match slot {
                Some(Slot::Message(message)) => message,
                _ => None,
            };
        }
    }
}

/// The path of a text, what it may be, and that in words.
pub(super) type TextRule = (&'static str, fn(&str) -> bool, &'static str);

/// A text and where it stands.
pub(super) struct Text<'c> {
    pub(super) path: DocPath,
    pub(super) value: &'c str,
    secret: bool,
}

impl Text<'_> {
    /// Not what it must be. Shows the text unless that is a secret.
    pub(super) fn must_be(&self, severity: Severity, expected: &'static str) -> Finding {
        let found = if self.secret { REDACTED.to_owned() } else { quoted(self.value) };
        unexpected(severity, self.path.clone(), expected, found)
    }

    /// Not what it must be. Does not show the text, for that would help nobody.
    pub(super) fn must_hold(&self, severity: Severity, expected: &'static str, found: &str) -> Finding {
        unexpected(severity, self.path.clone(), expected, found.to_owned())
    }

    /// The key of the entry that this is.
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

/// A number and where it stands.
pub(super) struct Number {
    pub(super) path: DocPath,
    pub(super) value: i32,
}

impl Number {
    /// Outside of its range.
    pub(super) fn must_be(&self, severity: Severity, expected: impl Into<String>) -> Finding {
        let expected = expected.into().into();
        let problem = Problem::Unexpected { expected, found: self.value.to_string() };
        of(severity, self.path.clone(), problem)
    }
}

pub(super) fn unexpected(severity: Severity, path: DocPath, expected: &'static str, found: String) -> Finding {
    of(severity, path, Problem::Unexpected { expected: expected.into(), found })
}

/// A rule that is broken by more than one value, or by one that is better not shown.
pub(super) fn rule(severity: Severity, path: DocPath, rule: impl Into<std::borrow::Cow<'static, str>>) -> Finding {
    of(severity, path, Problem::Rule(rule.into()))
}

fn of(severity: Severity, path: DocPath, problem: Problem) -> Finding {
    match severity {
        Severity::Error => Finding::error(path, problem),
        Severity::Warning => Finding::warning(path, problem),
    }
}

/// As findings show texts: in quotes, with line feeds and control characters made visible.
pub(super) fn quoted(text: &str) -> String {
    format!("{text:?}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::configuration::LocalDnsOverrides;

    /// Paths in tables are resolved whenever a document is validated. The others stand in calls of `at`, which run
    /// only when something is wrong.
    #[test]
    fn every_path_names_a_field() {
        let sources = [
            include_str!("certificates.rs"),
            include_str!("every_field.rs"),
            include_str!("kubelet.rs"),
            include_str!("local_dns.rs"),
            include_str!("machine.rs"),
            include_str!("network.rs"),
            include_str!("required.rs"),
            include_str!("system.rs"),
        ];
        let roots = [Configuration::descriptor(), LocalDnsOverrides::descriptor()];
        let mut seen = 0;
        for path in sources.iter().flat_map(|source| source.split("at(\"").skip(1)) {
            let path = path.split('"').next().expect("a text has an end");
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
