//! `provision.json`: the result as Azure's control plane reads it.

use std::fmt::Write;

use serde::Serialize;
use serde_json::Value;

/// The code in the document when the controller itself failed.
pub const CONTROLLER_FAILED: i64 = 240;

/// Room for `Output`, in bytes as they stand in the document. The extension's handler keeps about 4 KiB of stdout, and
/// the whole line has to fit.
const OUTPUT_ROOM: usize = 3000;

/// Room for `Error`, in the same way.
const ERROR_ROOM: usize = 640;

/// A result as this program writes it. All values are text, as consumers expect them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "PascalCase")]
pub struct ResultDocument {
    /// Decimal. 0 is success.
    pub exit_code: String,
    /// The end of what the child printed: stdout, a line feed, stderr.
    pub output: String,
    /// What went wrong, for people. Empty on success.
    pub error: String,
    /// The machine that ended so, to tell a captured disk from its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instance_id: Option<String>,
    /// The boot in which it ended.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub boot_id: String,
}

impl ResultDocument {
    /// A result that fits: of the output the end stays, of the error the beginning.
    #[must_use]
    pub fn new(exit_code: i64, error: &str, output: &str) -> Self {
        Self {
            exit_code: exit_code.to_string(),
            output: tail(output, OUTPUT_ROOM).to_owned(),
            error: head(error, ERROR_ROOM).to_owned(),
            ..Self::default()
        }
    }

    /// The same with one more thing that went wrong.
    #[must_use]
    pub fn adding(mut self, error: &str) -> Self {
        let both = if self.error.is_empty() { error.to_owned() } else { format!("{error}; {}", self.error) };
        head(&both, ERROR_ROOM).clone_into(&mut self.error);
        self
    }

    /// One line of JSON.
    #[must_use]
    pub fn to_line(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }
}

/// A result as it was found, whoever wrote it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recorded {
    /// The document as it stands.
    pub text: String,
    /// What it says.
    pub exit_code: i64,
    /// Its `Error`.
    pub error: String,
    /// The machine that it belongs to, where it says so.
    pub instance_id: Option<String>,
}

/// Why a document says nothing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unreadable {
    /// Nothing in it.
    #[error("is empty")]
    Empty,
    /// No JSON object.
    #[error("is not a JSON object: {0}")]
    NotJson(String),
    /// No exit code.
    #[error("has no ExitCode")]
    NoExitCode,
    /// An exit code that is no decimal text.
    #[error("has an ExitCode that is not a number in text: {0}")]
    NotANumber(String),
}

impl Recorded {
    /// Reads a document.
    ///
    /// # Errors
    /// It is not a JSON object with a decimal text as `ExitCode`.
    pub fn parse(bytes: &[u8]) -> Result<Self, Unreadable> {
        if bytes.trim_ascii().is_empty() {
            return Err(Unreadable::Empty);
        }
        let text = std::str::from_utf8(bytes).map_err(|error| Unreadable::NotJson(error.to_string()))?;
        let value: Value = serde_json::from_str(text).map_err(|error| Unreadable::NotJson(error.to_string()))?;
        let Value::Object(members) = &value else {
            return Err(Unreadable::NotJson("another kind of value".to_owned()));
        };
        let member = |name: &str| {
            let found = members.iter().find(|(member, _)| member.eq_ignore_ascii_case(name));
            found.map(|(_, value)| value).filter(|value| !value.is_null())
        };
        let exit_code = match member("ExitCode") {
            None => return Err(Unreadable::NoExitCode),
            Some(Value::String(text)) if text.is_empty() => return Err(Unreadable::NoExitCode),
            Some(Value::String(text)) => {
                text.parse().map_err(|_| Unreadable::NotANumber(head(&format!("{text:?}"), 80).to_owned()))?
            }
            Some(other) => return Err(Unreadable::NotANumber(head(&other.to_string(), 80).to_owned())),
        };
        let text_of = |name: &str| member(name).and_then(Value::as_str).map(str::to_owned);
        Ok(Self {
            text: text.to_owned(),
            exit_code,
            error: text_of("Error").unwrap_or_default(),
            instance_id: text_of("InstanceId"),
        })
    }
}

/// The room that a character takes inside a JSON text.
fn room(character: char) -> usize {
    match character {
        '"' | '\\' | '\n' | '\r' | '\t' | '\u{8}' | '\u{c}' => 2,
        '\0'..='\u{1f}' => 6,
        other => other.len_utf8(),
    }
}

fn tail(text: &str, limit: usize) -> &str {
    let mut left = limit;
    let start = text.char_indices().rev().take_while(|(_, character)| {
        let fits = left.checked_sub(room(*character));
        left = fits.unwrap_or(left);
        fits.is_some()
    });
    &text[start.last().map_or(text.len(), |(at, _)| at)..]
}

fn head(text: &str, limit: usize) -> &str {
    let mut left = limit;
    let end = text.char_indices().find(|(_, character)| {
        let fits = left.checked_sub(room(*character));
        left = fits.unwrap_or(left);
        fits.is_none()
    });
    &text[..end.map_or(text.len(), |(at, _)| at)]
}

/// What ended a process, in words: `exit code 5`, `signal 9 (SIGKILL)`.
#[must_use]
pub fn signal_name(signal: i32) -> String {
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

    #[test]
    fn a_line_is_shorter_than_4096_bytes_for_any_text() {
        for filler in ["x", "\u{1}", "\"", "ü", "\u{1f600}", "\n"] {
            let long = filler.repeat(100_000);
            let document = ResultDocument {
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
        let line = ResultDocument { boot_id: "b".to_owned(), ..ResultDocument::new(50, "why", "what") }.to_line();
        assert_eq!(line, r#"{"ExitCode":"50","Output":"what","Error":"why","BootId":"b"}"#);
    }

    #[test]
    fn each_unreadable_document_says_why() {
        for (text, why) in [
            ("", "is empty"),
            (" \n", "is empty"),
            ("{\"ExitCode\":\"0\"", "is not a JSON object: EOF"),
            ("[]", "is not a JSON object: another"),
            ("{}", "has no ExitCode"),
            ("{\"ExitCode\":\"\"}", "has no ExitCode"),
            ("{\"ExitCode\":null}", "has no ExitCode"),
            ("{\"ExitCode\":\"five\"}", "has an ExitCode that is not a number in text: \"five\""),
            ("{\"ExitCode\":5}", "has an ExitCode that is not a number in text: 5"),
            ("{\"ExitCode\":[\"0\"]}", "has an ExitCode that is not a number in text: [\"0\"]"),
        ] {
            let said = Recorded::parse(text.as_bytes()).expect_err(text).to_string();
            assert!(said.starts_with(why), "{text}: {said}");
        }
        assert_eq!(Recorded::parse(b"{\"exitcode\":\"7\",\"More\":1}").expect("a result").exit_code, 7);
    }
}
