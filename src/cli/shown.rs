//! The text of a finding that may be shown: a value, a key of a map or a hint may contain a secret of the document.

use crate::document::{Finding, Problem};
use crate::redaction::{Redacted, Redactor};

/// Returns the path and the problem.
pub(super) fn message(finding: &Finding) -> Redacted {
    let mut clear = finding.clone();
    clear.problem = whole(finding);
    Redactor::default().redact(&clear.to_string())
}

/// Returns the problem.
pub(super) fn problem(finding: &Finding) -> Redacted {
    Redactor::default().redact(&whole(finding).to_string())
}

/// Returns the problem without secrets in a value that is longer than its message shows.
fn whole(finding: &Finding) -> Problem {
    finding.problem.with_found(|found| Redactor::default().redact(found).into_string())
}

/// Returns the path.
pub(super) fn path(finding: &Finding) -> Redacted {
    Redactor::default().redact(&finding.path.to_string())
}

/// Returns the hint.
pub(super) fn hint(finding: &Finding) -> Option<Redacted> {
    finding.hint.as_ref().map(|hint| Redactor::default().redact(hint))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::{DocPath, rules};

    #[test]
    fn what_tells_that_a_value_is_secret_may_be_behind_the_part_that_is_shown() {
        for (secret, rest) in [
            ("https://user:correct-horse-battery", "@proxy.contoso.com:3128/"),
            ("echo correct-horse-battery", " | sudo -S apt-get update"),
            ("[{\"value\": \"correct-horse-battery\"", ", \"name\": \"DB_PASSWORD\"}]"),
        ] {
            for blanks in 0..60 {
                let value = format!("{}{secret}{rest}{}", "x ".repeat(blanks), " y".repeat(40));
                let found = serde_json::json!(value).to_string();
                let finding = Finding::unexpected(&rules::REQUIRED, DocPath::root(), "a name", found);
                for shown in [message(&finding), problem(&finding)] {
                    assert!(!shown.contains("corr"), "{value}: {shown}");
                    assert!(shown.ends_with('\u{2026}'), "{shown}");
                }
            }
        }
    }
}
