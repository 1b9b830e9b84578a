//! The text of a finding that may be shown: a value, a key of a map or a hint may contain a secret of the document.

use crate::document::Finding;
use crate::redaction::{Redacted, Redactor};

/// Returns the path and the problem.
pub(super) fn message(finding: &Finding) -> Redacted {
    Redactor::default().redact(&finding.to_string())
}

/// Returns the path.
pub(super) fn path(finding: &Finding) -> Redacted {
    Redactor::default().redact(&finding.path.to_string())
}

/// Returns the hint.
pub(super) fn hint(finding: &Finding) -> Option<Redacted> {
    finding.hint.as_ref().map(|hint| Redactor::default().redact(hint))
}
