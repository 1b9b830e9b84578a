//! Members of documents, each with its value and the path for findings.

use crate::document::{DocPath, Finding, Rule};

/// A member of a document.
#[derive(Debug)]
pub(super) struct Member<'d, T> {
    /// The names on the path to it, separated by dots.
    pub path: &'static str,
    /// The value; `None` if the document does not have the member.
    pub value: Option<&'d T>,
}

/// Returns the [`Member`] that an expression such as `document.spec.kubelet` names. The fields of the types have the
/// names of the document, and each one on the path can be absent.
macro_rules! member {
    ($document:ident . $first:ident $(. $rest:ident)*) => {
        $crate::inputs::member::Member {
            path: concat!(stringify!($first) $(, ".", stringify!($rest))*),
            value: $document.$first.as_ref() $(.and_then(|inner| inner.$rest.as_ref()))*,
        }
    };
}
pub(super) use member;

impl<T> Clone for Member<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Member<'_, T> {}

impl<T> Member<'_, T> {
    /// Returns the path of the member.
    pub fn location(self) -> DocPath {
        DocPath::fields(self.path)
    }

    /// Returns the names on the path to the member, and whether the document has it.
    pub fn presence(self) -> (&'static str, bool) {
        (self.path, self.value.is_some())
    }

    /// Returns a finding if the document does not have the member.
    pub fn missing(self) -> Option<Finding> {
        self.value.is_none().then(|| Finding::missing(self.location()))
    }

    /// Returns a finding about the member.
    pub fn violation(self, rule: &'static Rule, text: impl Into<String>) -> Finding {
        Finding::violation(rule, self.location(), text.into())
    }
}

impl<'d> Member<'d, String> {
    /// Returns the text; empty if the document does not have it.
    pub fn text(self) -> &'d str {
        self.value.map_or("", String::as_str)
    }
}

impl Member<'_, bool> {
    /// Reports whether the document has the value `true`.
    pub fn is_on(self) -> bool {
        self.value == Some(&true)
    }
}
