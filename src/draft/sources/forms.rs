//! Members of the outputs of `az` and `kubectl`, and the forms of their values. A value of another form, such as a number in quotes, or the
//! name of a type where PowerShell has shortened an object, is not read.

use std::collections::BTreeSet;

use serde_json::Value;

/// Returns a member by the path of its names, in any letter case.
pub(super) fn at<'v>(value: &'v Value, path: &str) -> Option<&'v Value> {
    let mut value = value;
    for name in path.split('.') {
        let members = value.as_object()?;
        value = members
            .get(name)
            .or_else(|| members.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value))?;
    }
    (!value.is_null()).then_some(value)
}

/// The form of a member's value.
#[derive(Clone, Copy)]
pub(super) enum Form {
    Text,
    Number,
    Flag,
    List,
    /// A list of texts.
    Taints,
    /// An object with a text for each name.
    Labels,
    Object,
    /// A list, or an object instead of a list with one element.
    Any,
}

impl Form {
    fn fits(self, value: &Value) -> bool {
        match self {
            Self::Text => value.is_string(),
            Self::Number => value.is_i64(),
            Self::Flag => value.is_boolean(),
            Self::List => value.is_array(),
            Self::Taints => value.as_array().is_some_and(|list| list.iter().all(Value::is_string)),
            Self::Labels | Self::Object => value.is_object(),
            Self::Any => true,
        }
    }

    const fn title(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Number => "a whole number",
            Self::Flag => "`true` or `false`",
            Self::List => "a list",
            Self::Taints => "a list of texts such as `key=value:NoSchedule`",
            Self::Labels => "an object with a text for each name",
            Self::Object | Self::Any => "an object",
        }
    }

    /// Returns a message if a member is there with a value of another form.
    pub fn problem(self, value: &Value, path: &str) -> Option<String> {
        let member = at(value, path)?;
        (!self.fits(member)).then(|| format!("{path}: ignored, because it is not {}", self.title()))
    }
}

/// Returns a message for each value that is no object, but has members that are read.
pub(super) fn shortened(value: &Value, read: &[&str]) -> Vec<String> {
    let outer = read.iter().flat_map(|path| path.match_indices('.').map(|(end, _)| &path[..end]));
    let outer: BTreeSet<&str> = outer.collect();
    outer.into_iter().filter_map(|path| Form::Object.problem(value, path)).collect()
}
