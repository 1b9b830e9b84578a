//! Values of CSV, in which each quote is doubled: exports of the activity log and of log queries.

use std::borrow::Cow;

use memchr::memmem::Finder;

const QUOTES: &str = "\"\"";

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
    use super::without_doubled_quotes;

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
