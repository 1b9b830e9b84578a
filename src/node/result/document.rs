//! `provision.json`: the result, which Azure's control plane reads.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde::Serialize;
use serde::ser::SerializeMap;
use serde_json::Value;
use serde_json::value::{RawValue, to_raw_value};

use crate::redaction::{Redactor, is_obeyed, printable_json};

/// The fields, with the names that consumers expect. They are read in any letter case.
mod field {
    pub const EXIT_CODE: &str = "ExitCode";
    pub const OUTPUT: &str = "Output";
    pub const ERROR: &str = "Error";
    pub const EXEC_DURATION: &str = "ExecDuration";
    pub const KERNEL_START: &str = "KernelStartTime";
    pub const CSE_START: &str = "CSEStartTime";
    pub const BOOT_DATAPOINTS: &str = "BootDatapoints";
    pub const INSTANCE_ID: &str = "InstanceId";
    pub const BOOT_ID: &str = "BootId";
    pub const READY: &str = "Ready";
    pub const DELIVERY: &str = "Delivery";
}

/// Bytes of the document without its braces and the name of `Output`. The extension's handler keeps about 4 KiB of
/// stdout, and the whole line must fit.
const LINE_LIMIT: usize = 3900;

/// The most bytes of `Output` in the document, if the rest leaves enough space.
const OUTPUT_LIMIT: usize = 3000;

/// The most bytes of `Error` in the document.
const ERROR_LIMIT: usize = 640;

/// Characters of an invalid `ExitCode` that an error shows.
const SHOWN_LIMIT: usize = 80;

/// A result document of this program. All values are strings, as consumers expect.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::node) struct ResultDocument {
    /// Decimal. 0 is success.
    pub exit_code: String,
    /// The end of the output of the child process: stdout, a line feed, stderr.
    pub output: String,
    /// What went wrong. Empty after a success.
    pub error: String,
    /// The times of the attempt. Omitted if unknown.
    pub timings: Timings,
    /// The firmware's id of the machine, which distinguishes its result from a result on a copied disk. Omitted if
    /// unknown.
    pub instance_id: Option<String>,
    /// The boot in which the attempt ended. Omitted if empty.
    pub boot_id: String,
    /// How the input came. Omitted if empty.
    pub delivery: Vec<(&'static str, String)>,
}

/// The times of an attempt, in the formats of the start script.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::node) struct Timings {
    /// Whole seconds from the start of the attempt to its end.
    pub duration: Option<u64>,
    /// When the kernel started, in systemd's format.
    pub kernel_start: Option<String>,
    /// When the attempt started, in the format of `date`.
    pub start: Option<String>,
}

impl Timings {
    /// Returns the names and values of the points in time that are known.
    fn points(&self) -> impl Iterator<Item = (&'static str, &String)> {
        let points = [(field::KERNEL_START, &self.kernel_start), (field::CSE_START, &self.start)];
        points.into_iter().filter_map(|(name, time)| Some((name, time.as_ref()?)))
    }
}

impl Serialize for ResultDocument {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry(field::EXIT_CODE, &self.exit_code)?;
        map.serialize_entry(field::OUTPUT, &self.output)?;
        map.serialize_entry(field::ERROR, &self.error)?;
        if let Some(duration) = self.timings.duration {
            map.serialize_entry(field::EXEC_DURATION, &duration.to_string())?;
        }
        for (name, time) in self.timings.points() {
            map.serialize_entry(name, time)?;
        }
        if self.timings.points().next().is_some() {
            map.serialize_entry(field::BOOT_DATAPOINTS, &self.timings.points().collect::<BTreeMap<_, _>>())?;
        }
        if let Some(instance_id) = &self.instance_id {
            map.serialize_entry(field::INSTANCE_ID, instance_id)?;
        }
        if !self.boot_id.is_empty() {
            map.serialize_entry(field::BOOT_ID, &self.boot_id)?;
        }
        if !self.delivery.is_empty() {
            map.serialize_entry(field::DELIVERY, &Object(&self.delivery))?;
        }
        map.end()
    }
}

impl ResultDocument {
    /// Returns a document of limited length, with the end of the output and the beginning of the error.
    pub fn new(exit_code: i64, error: &str, output: &str) -> Self {
        Self {
            exit_code: exit_code.to_string(),
            output: tail(output, OUTPUT_LIMIT).to_owned(),
            error: head(error, ERROR_LIMIT).to_owned(),
            ..Self::default()
        }
    }

    /// Prepends an error to the one in the document.
    pub fn with_error(mut self, error: &str) -> Self {
        let both = if self.error.is_empty() { error.to_owned() } else { format!("{error}; {}", self.error) };
        head(&both, ERROR_LIMIT).clone_into(&mut self.error);
        self
    }

    /// Returns the document on one line, with the longest end of the output that fits.
    pub fn to_line(&self) -> String {
        let line = |output: &str| {
            let document = Self { output: output.to_owned(), ..self.clone() };
            printable_json(serde_json::to_string(&document).unwrap_or_default())
        };
        line(tail(&self.output, LINE_LIMIT.saturating_sub(line("").len()).min(OUTPUT_LIMIT)))
    }
}

/// A result document that was written by any program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::node) struct Recorded {
    /// The document, byte for byte.
    pub text: String,
    /// Its `ExitCode`.
    pub exit_code: i64,
    /// Its `Error`, empty if it has none.
    pub error: String,
    /// The id of its machine, if it has one.
    pub instance_id: Option<String>,
}

/// Why a result document is not valid. The message continues a sentence: `the result document …`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub(in crate::node) enum DocumentError {
    #[error("cannot be read: {0}")]
    Unreadable(String),
    #[error("is empty")]
    Empty,
    #[error("is not a JSON object: {0}")]
    NotJson(String),
    #[error("has no {}", field::EXIT_CODE)]
    NoExitCode,
    #[error("has an {} that is not a decimal string: {}", field::EXIT_CODE, .0)]
    InvalidExitCode(String),
}

impl Recorded {
    /// Reads a document.
    ///
    /// # Errors
    /// Fails if it is not a JSON object with a decimal string as `ExitCode`.
    pub fn parse(bytes: &[u8]) -> Result<Self, DocumentError> {
        if bytes.trim_ascii().is_empty() {
            return Err(DocumentError::Empty);
        }
        let text = std::str::from_utf8(bytes).map_err(|error| DocumentError::NotJson(error.to_string()))?;
        let value: Value = serde_json::from_str(text).map_err(|error| DocumentError::NotJson(error.to_string()))?;
        let Value::Object(members) = &value else {
            return Err(DocumentError::NotJson("it is another kind of value".to_owned()));
        };
        let member = |name: &str| {
            let found = members.iter().find(|(member, _)| member.eq_ignore_ascii_case(name));
            found.map(|(_, value)| value).filter(|value| !value.is_null())
        };
        let invalid = |value: &Value| DocumentError::InvalidExitCode(head(&value.to_string(), SHOWN_LIMIT).to_owned());
        let exit_code = match member(field::EXIT_CODE) {
            None => return Err(DocumentError::NoExitCode),
            Some(Value::String(text)) if text.is_empty() => return Err(DocumentError::NoExitCode),
            Some(value @ Value::String(text)) => text.parse().map_err(|_| invalid(value))?,
            Some(value) => return Err(invalid(value)),
        };
        let text_of = |name: &str| member(name).and_then(Value::as_str).map(str::to_owned);
        Ok(Self {
            text: text.to_owned(),
            exit_code,
            error: text_of(field::ERROR).unwrap_or_default(),
            instance_id: text_of(field::INSTANCE_ID),
        })
    }
}

/// The members of a document in their order, each value byte for byte.
struct Members(Vec<(String, Box<RawValue>)>);

impl<'de> serde::Deserialize<'de> for Members {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl<'de> serde::de::Visitor<'de> for Visitor {
            type Value = Members;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("an object")
            }

            fn visit_map<A: serde::de::MapAccess<'de>>(self, mut map: A) -> Result<Members, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(Visitor)
    }
}

impl Members {
    fn set(&mut self, name: &str, value: &impl Serialize) {
        let Ok(value) = to_raw_value(value) else { return };
        match self.0.iter_mut().find(|(member, _)| member.eq_ignore_ascii_case(name)) {
            Some(member) => member.1 = value,
            None => self.0.push((name.to_owned(), value)),
        }
    }

    fn has(&self, name: &str) -> bool {
        self.0.iter().any(|(member, _)| member.eq_ignore_ascii_case(name))
    }

    /// Returns the document on one line, with the longest end of `Output` that fits.
    fn into_line(mut self) -> Option<String> {
        let line = |members: &Self| serde_json::to_string(&Object(&members.0)).ok().map(printable_json);
        let whole = line(&self)?;
        let output = self.0.iter().find(|(name, _)| name.eq_ignore_ascii_case(field::OUTPUT));
        let output: Option<String> = output.and_then(|(_, value)| serde_json::from_str(value.get()).ok());
        let Some(output) = output.filter(|_| whole.len() > LINE_LIMIT) else { return Some(whole) };
        self.set(field::OUTPUT, &"");
        let left = LINE_LIMIT.saturating_sub(line(&self)?.len());
        self.set(field::OUTPUT, &tail(&output, left));
        line(&self)
    }
}

/// Members of an object, in their order.
struct Object<'a, N, V>(&'a [(N, V)]);

impl<N: Serialize, V: Serialize> Serialize for Object<'_, N, V> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

/// Returns a document on one line with `Ready` as its last member and, after a failure, with another code and error.
/// The other members keep their order, but `Output` is truncated to the longest end that fits.
pub(in crate::node) fn with_ready(document: &str, ready: &[(&str, String)], failure: Option<(u8, &str)>) -> String {
    let Ok(mut members) = serde_json::from_str::<Members>(document) else { return document.to_owned() };
    if let Some((code, error)) = failure {
        members.set(field::EXIT_CODE, &code.to_string());
        members.set(field::ERROR, &head(error, ERROR_LIMIT));
    }
    members.set(field::READY, &Object(ready));
    members.into_line().unwrap_or_else(|| document.to_owned())
}

/// Returns a document on one line with `Delivery` as its last member, unless it has one. The rest is as in [`with_ready`].
pub(in crate::node) fn with_delivery(document: &str, delivery: &[(&str, String)]) -> String {
    let Ok(mut members) = serde_json::from_str::<Members>(document) else { return document.to_owned() };
    if delivery.is_empty() || members.has(field::DELIVERY) {
        return document.to_owned();
    }
    members.set(field::DELIVERY, &Object(delivery));
    members.into_line().unwrap_or_else(|| document.to_owned())
}

/// Returns a document without secrets in its values. One that has none stays byte for byte; the rest is as in [`with_ready`].
pub(in crate::node) fn without_secrets(document: &str, secrets: &Redactor) -> String {
    let Ok(mut members) = serde_json::from_str::<Members>(document) else { return document.to_owned() };
    let mut has_changed = false;
    for (_, text) in &mut members.0 {
        let Ok(value) = serde_json::from_str(text.get()) else { continue };
        let redacted = secrets.redact_json(&value);
        if *redacted.as_value() != value
            && let Ok(redacted) = to_raw_value(redacted.as_value())
        {
            *text = redacted;
            has_changed = true;
        }
    }
    let line = has_changed.then(|| members.into_line()).flatten();
    line.unwrap_or_else(|| document.to_owned())
}

/// Returns the bytes of a character inside a JSON string.
fn encoded_length(character: char) -> usize {
    match character {
        '"' | '\\' | '\n' | '\r' | '\t' | '\u{8}' | '\u{c}' => 2,
        '\0'..='\u{1f}' => 6,
        // As `printable_json` writes it.
        other if is_obeyed(other) => 6,
        other => other.len_utf8(),
    }
}

/// Returns the longest end of a text that has at most `limit` bytes inside a JSON string.
fn tail(text: &str, limit: usize) -> &str {
    let mut left = limit;
    let start = text.char_indices().rev().take_while(|(_, character)| {
        let rest = left.checked_sub(encoded_length(*character));
        left = rest.unwrap_or(left);
        rest.is_some()
    });
    &text[start.last().map_or(text.len(), |(at, _)| at)..]
}

/// Returns the longest beginning of a text that has at most `limit` bytes inside a JSON string.
fn head(text: &str, limit: usize) -> &str {
    let mut left = limit;
    let end = text.char_indices().find(|(_, character)| {
        let rest = left.checked_sub(encoded_length(*character));
        left = rest.unwrap_or(left);
        rest.is_none()
    });
    &text[..end.map_or(text.len(), |(at, _)| at)]
}

/// Returns the number of a signal and, if it is a common one, its name: `signal 9 (SIGKILL)`.
pub(in crate::node) fn signal_name(signal: i32) -> String {
    const NAMES: [(i32, &str); 12] = [
        (1, "SIGHUP"),
        (2, "SIGINT"),
        (3, "SIGQUIT"),
        (4, "SIGILL"),
        (6, "SIGABRT"),
        (7, "SIGBUS"),
        (8, "SIGFPE"),
        (9, "SIGKILL"),
        (11, "SIGSEGV"),
        (13, "SIGPIPE"),
        (15, "SIGTERM"),
        (24, "SIGXCPU"),
    ];
    let mut name = format!("signal {signal}");
    if let Some((_, known)) = NAMES.iter().find(|(number, _)| *number == signal) {
        let _ = write!(name, " ({known})");
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Secret;

    #[test]
    fn a_document_without_a_secret_stays_byte_for_byte_and_one_with_a_secret_keeps_its_members() {
        let secrets = Redactor::new(&[Secret::from("correct-horse-battery")]);
        for text in [" {\n\"ExitCode\" : \"7\", \"Other\": 1.50}\n", "no JSON: correct-horse-battery", "[]", ""] {
            assert_eq!(without_secrets(text, &secrets), text);
        }
        let text =
            r#"{"Z": 1.50, "ExitCode":"7","Output":"a correct-horse-battery b","A":{"b":["correct-horse-battery"]}}"#;
        let expected = r#"{"Z":1.50,"ExitCode":"7","Output":"a [redacted] b","A":{"b":["[redacted]"]}}"#;
        assert_eq!(without_secrets(text, &secrets), expected);
    }

    #[test]
    fn a_line_is_shorter_than_4096_bytes_for_any_text() {
        for filler in ["x", "\u{1}", "\"", "ü", "\u{1f600}", "\n"] {
            let long = filler.repeat(100_000);
            let document = ResultDocument {
                timings: Timings {
                    duration: Some(u64::MAX),
                    kernel_start: Some("k".repeat(40)),
                    start: Some("s".repeat(40)),
                },
                instance_id: Some("i".repeat(40)),
                boot_id: "b".repeat(40),
                ..ResultDocument::new(-1, &long, &long)
            };
            let line = document.to_line();
            assert!(line.len() < 4096, "{filler:?}: {}", line.len());
            assert!(long.ends_with(&document.output) && document.output.len() > 400, "{filler:?}");
            assert!(!line.contains('\n'));
            let read = Recorded::parse(line.as_bytes()).expect("a result");
            assert_eq!((read.exit_code, read.error), (-1, document.error));
        }
    }

    #[test]
    fn a_document_has_the_names_and_types_that_consumers_read() {
        let document = ResultDocument { boot_id: "b".to_owned(), ..ResultDocument::new(50, "why", "what") };
        assert_eq!(document.to_line(), r#"{"ExitCode":"50","Output":"what","Error":"why","BootId":"b"}"#);
        let document = ResultDocument { instance_id: Some("i".to_owned()), ..ResultDocument::new(0, "", "") };
        assert_eq!(document.to_line(), r#"{"ExitCode":"0","Output":"","Error":"","InstanceId":"i"}"#);
        let time = |text: &str| Some(text.to_owned());
        let timings = Timings { duration: Some(7), kernel_start: time("k"), start: time("s") };
        let document = ResultDocument { timings, ..ResultDocument::new(124, "why", "") };
        let expected = concat!(
            r#"{"ExitCode":"124","Output":"","Error":"why","ExecDuration":"7","KernelStartTime":"k","CSEStartTime":"s","#,
            r#""BootDatapoints":{"CSEStartTime":"s","KernelStartTime":"k"}}"#
        );
        assert_eq!(document.to_line(), expected);
    }

    #[test]
    fn ready_is_the_last_member_and_everything_else_stays() {
        let ready = [("Node", "True".to_owned())];
        let recorded =
            "{ \"exitCode\": \"0\", \"Output\" : \"a\\u0041\", \"Later\":{\"b\": 1.50, \"a\":2},\n\"BootId\":\"b\"}";
        let expected =
            r#"{"exitCode":"0","Output":"a\u0041","Later":{"b": 1.50, "a":2},"BootId":"b","Ready":{"Node":"True"}}"#;
        assert_eq!(with_ready(recorded, &ready, None), expected);
        let expected = concat!(
            r#"{"exitCode":"246","Output":"a\u0041","Later":{"b": 1.50, "a":2},"BootId":"b","Error":"why","#,
            r#""Ready":{"Node":"True"}}"#
        );
        assert_eq!(with_ready(recorded, &ready, Some((246, "why"))), expected);
        let long = ResultDocument::new(0, "", &"x".repeat(5000));
        let line = with_ready(&long.to_line().replace("xxx", "xxxxy"), &ready, None);
        assert!(
            (LINE_LIMIT - 6..=LINE_LIMIT).contains(&line.len()) && line.ends_with(r#""Ready":{"Node":"True"}}"#),
            "{line}"
        );
    }

    #[test]
    fn the_delivery_is_added_to_a_document_that_has_none() {
        let delivery = [("way", "extension".to_owned()), ("seconds", "7".to_owned())];
        let recorded = "{\"ExitCode\": \"0\", \"Later\": {\"b\": 1.50} }";
        let with = r#"{"ExitCode":"0","Later":{"b": 1.50},"Delivery":{"way":"extension","seconds":"7"}}"#;
        assert_eq!(with_delivery(recorded, &delivery), with);
        for unchanged in [with, "{\"delivery\": 1}", "no document"] {
            assert_eq!(with_delivery(unchanged, &delivery), unchanged);
        }
        assert_eq!(with_delivery(recorded, &[]), recorded, "nothing is known");
    }

    #[test]
    fn each_kind_of_invalid_document_has_its_own_error() {
        for (text, expected) in [
            ("", "is empty"),
            (" \n", "is empty"),
            ("{\"ExitCode\":\"0\"", "is not a JSON object: EOF"),
            ("[]", "is not a JSON object: it is another"),
            ("{}", "has no ExitCode"),
            ("{\"ExitCode\":\"\"}", "has no ExitCode"),
            ("{\"ExitCode\":null}", "has no ExitCode"),
            ("{\"ExitCode\":\"five\"}", "has an ExitCode that is not a decimal string: \"five\""),
            ("{\"ExitCode\":5}", "has an ExitCode that is not a decimal string: 5"),
            ("{\"ExitCode\":[\"0\"]}", "has an ExitCode that is not a decimal string: [\"0\"]"),
        ] {
            let error = Recorded::parse(text.as_bytes()).expect_err(text).to_string();
            assert!(error.starts_with(expected), "{text}: {error}");
        }
        assert_eq!(Recorded::parse(b"{\"exitcode\":\"7\",\"More\":1}").expect("a result").exit_code, 7);
    }
}
