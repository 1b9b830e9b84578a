//! Tables with a header as text, such as exports of the activity log and of log queries: their messages, and values in which each quote is
//! doubled.

use std::borrow::Cow;
use std::mem::take;

use memchr::memmem::Finder;

const QUOTES: &str = "\"\"";

/// How columns are named that have messages of programs, in lower case: of the tables of Log Analytics, and of logs.
const MESSAGES: [&str; 9] =
    ["message", "logmessage", "logentry", "syslogmessage", "renderedmessage", "rawdata", "log_s", "msg", "log"];

/// The longest table whose messages are read.
const LONGEST_TABLE: usize = 256 << 10;

/// Quotes next to each other.
struct Run<'t> {
    /// The text before them.
    before: &'t str,
    count: usize,
    /// The text behind them.
    after: &'t str,
}

/// Returns a text in which quotes are not doubled, if a doubled one begins a word. An empty value stays.
pub(super) fn without_doubled_quotes(text: &str) -> Cow<'_, str> {
    if !runs(text).any(|run| run.begins_word()) {
        return Cow::Borrowed(text);
    }
    let mut single = String::with_capacity(text.len());
    let mut rest = text;
    for run in runs(text) {
        single.push_str(run.before);
        single.extend(std::iter::repeat_n('"', if run.is_empty_value() { run.count } else { run.count / 2 }));
        rest = run.after;
    }
    single.push_str(rest);
    Cow::Owned(single)
}

/// Returns the messages in a table with a header, one in each line, without what its other columns say.
pub(super) fn messages(text: &str) -> Option<String> {
    /// The most lines of the text that are looked at for the header.
    const BEGINNING: usize = 20;
    let mut rows = (text.len() <= LONGEST_TABLE).then_some(text)?;
    let (separator, column) = (0..BEGINNING).find_map(|_| {
        let (line, after) = rows.split_once('\n')?;
        rows = after;
        column_of_messages(line)
    })?;
    let mut messages = String::with_capacity(rows.len());
    // Where the current value is, and whether it is in quotes.
    let (mut at, mut value, mut is_quoted) = (0, String::new(), false);
    let mut characters = rows.chars().chain(['\n']).peekable();
    while let Some(character) = characters.next() {
        match character {
            '"' if is_quoted && characters.next_if_eq(&'"').is_some() => value.push('"'),
            '"' if is_quoted || value.is_empty() => is_quoted = !is_quoted,
            '\n' | '\t' | ',' if !is_quoted && (character == separator || character == '\n') => {
                let value = take(&mut value);
                if at == column {
                    messages.push_str(value.trim_end());
                    messages.push('\n');
                }
                at = if character == '\n' { 0 } else { at + 1 };
            }
            _ => value.push(character),
        }
    }
    Some(messages)
}

/// Returns what separates the values in a table with this header, and the number of the column of messages.
fn column_of_messages(header: &str) -> Option<(char, usize)> {
    let separator = ['\t', ','].into_iter().find(|separator| header.contains(*separator))?;
    let is_of_messages = |name: &str| {
        let name = name.trim_matches(['"', ' ', '\r', '\u{feff}']);
        MESSAGES.iter().any(|message| name.eq_ignore_ascii_case(message))
    };
    Some((separator, header.split(separator).position(is_of_messages)?))
}

/// Returns all runs of two quotes or more, each with the text since the one before it.
fn runs(text: &str) -> impl Iterator<Item = Run<'_>> {
    let finder = Finder::new(QUOTES);
    let mut rest = text;
    std::iter::from_fn(move || {
        let (before, quotes) = rest.split_at(finder.find(rest.as_bytes())?);
        rest = quotes.trim_start_matches('"');
        Some(Run { before, count: quotes.len() - rest.len(), after: rest })
    })
}

impl Run<'_> {
    /// Reports whether this is a doubled quote before a word: behind another word, two values meet.
    fn begins_word(&self) -> bool {
        let follows = self.before.ends_with(['{', '[', '(', ',', ':', '=', ' ', '\\']);
        self.count == QUOTES.len() && follows && self.after.starts_with(|next: char| next.is_ascii_alphabetic())
    }

    /// Reports whether nothing is between two quotes that are not doubled: `Code=""`.
    fn is_empty_value(&self) -> bool {
        let begins = self.before.is_empty() || self.before.ends_with(['=', ':', ',', '(', '[', '{', ' ', '\n']);
        let ends = self.after.is_empty() || self.after.starts_with(['}', ']', ')', ',', ';', ' ', '\n', '\r']);
        self.count == QUOTES.len() && begins && ends
    }
}

#[cfg(test)]
mod tests {
    use super::{messages, without_doubled_quotes};

    #[test]
    fn messages_are_in_the_column_of_this_name() {
        for (table, expected) in [
            (
                "TimeGenerated,Computer,Message\n2026,a,\"one, \"\"two\"\"\nthree\"\r\n2027,b,four",
                "one, \"two\"\nthree\nfour\n",
            ),
            ("$ query\nTIME\tLEVEL\tMSG\n2026\tERROR\tone, two\n", "one, two\n"),
            ("\"LogMessage\",\"PodName\"\n\"{\"\"a\"\":1}\",\"p\"\n", "{\"a\":1}\n\n"),
        ] {
            assert_eq!(messages(table).as_deref(), Some(expected), "{table:?}");
        }
        for text in ["message", "{\"time\":1,\"message\":\"a\"}\n{}", "Node, message: a\nb", "a\nb"] {
            assert_eq!(messages(text), None, "{text:?}");
        }
    }

    #[test]
    fn quotes_of_a_value_of_csv_are_doubled() {
        for (text, single) in [
            (r#""x","{""code"":""Conflict"",""target"":""""}",""#, r#""x","{"code":"Conflict","target":""}",""#),
            (r#""a","""Unable to register"" err=""Unauthorized"""#, r#""a","Unable to register" err="Unauthorized""#),
            (r#""a","{\""code\"":\""Conflict\""}","",1"#, r#""a","{\"code\":\"Conflict\"}","",1"#),
        ] {
            assert_eq!(without_doubled_quotes(text), single);
        }
    }

    #[test]
    fn other_quotes_stay() {
        for text in [
            r#"Code="" Message="""#,
            r#"{"message":"node \"aks-1\"","target":"","details":[]}"#,
            r#"printf "%s""$name" """#,
            "\"\"\"Reads a file.\"\"\"",
        ] {
            assert_eq!(without_doubled_quotes(text), text);
        }
    }
}
