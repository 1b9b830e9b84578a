//! Rules by which the values of variables follow from the Configuration.
//!
//! A rule is data: the value of a variable, the fields that it depends on and its sentence in the documentation all
//! come from it. To add a kind of rule: a variant of [`Read`] and an arm in each of its functions.

use std::borrow::Cow;
use std::fmt;
use std::ops::RangeInclusive;

use super::context::Context;
use super::{Assignment, Value};
use crate::configuration::{Configuration, Field, FieldPath, Kind, Label, Slot};
use crate::rendering::{Quoting, Rendered};

/// The derivation of one variable.
#[derive(Debug)]
pub struct Derivation {
    /// The variable, which `catalogue::variables` describes.
    pub name: &'static str,
    rule: Rule,
}

/// A rule by which a value follows from the Configuration.
#[derive(Debug)]
pub(super) enum Rule {
    /// The same text on every node.
    Constant(&'static str),
    /// What is read of one field.
    Field(FieldPath, Read),
    /// Any other function of the Configuration and the image.
    Computed(Computed),
}

/// What is read of a field.
#[derive(Debug)]
pub(super) enum Read {
    /// A text.
    Text,
    /// A text, and its default if it is empty.
    TextOr(&'static str),
    /// A text without its line breaks.
    OneLine,
    /// The elements of a list, and their separator.
    Joined(&'static str),
    /// One variable for each element of a list: its text without line breaks.
    Each,
    /// A boolean; `false` if it is unset.
    Switch,
    /// A boolean, and its default if it is unset.
    SwitchOr(bool),
    /// An integer; `0` if it is unset.
    Integer,
    /// An integer, and its default if it is unset.
    IntegerOr(i32),
    /// An integer within bounds, and its default if it is unset or outside them.
    IntegerWithin(RangeInclusive<i32>, i32),
    /// A floating-point number, and its default if it is unset.
    NumberOr(f64),
    /// The words for values of an enum, by their numbers; empty for every other value.
    Word(&'static [(i32, &'static str)]),
    /// Whether an enum has one value.
    Is(i32),
    /// Whether a text or list is not empty, or a message is present.
    IsSet,
}

/// A function with its documentation.
pub(super) struct Computed {
    /// The paths of the fields that the function reads.
    pub fields: &'static [&'static str],
    /// A description of the result, in sentences.
    pub words: &'static str,
    pub compute: Compute,
}

pub(super) enum Compute {
    Value(for<'a> fn(&Context<'a>) -> Value<'a>),
    /// A text in a syntax that cannot carry every value.
    Payload(fn(&Context<'_>) -> Rendered),
}

impl fmt::Debug for Computed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Computed").field("fields", &self.fields).field("words", &self.words).finish_non_exhaustive()
    }
}

impl Derivation {
    /// Returns a row of the table. In a constant, a rule that cannot read its field is a compile error.
    ///
    /// # Panics
    /// Panics if the rule cannot read a field of this type, or a path names no field.
    pub(super) const fn new(name: &'static str, rule: Rule) -> Self {
        assert!(rule.fits(), "the rule cannot read a field of this type");
        Self { name, rule }
    }

    /// Returns the row with the description of its function.
    pub(super) const fn words(mut self, words: &'static str) -> Self {
        if let Rule::Computed(computed) = &mut self.rule {
            computed.words = words;
        }
        self
    }

    /// Returns the paths of the fields that the value depends on. Empty if the value is the same on every node.
    #[must_use]
    pub fn fields(&self) -> Vec<&'static str> {
        match &self.rule {
            Rule::Constant(_) => Vec::new(),
            Rule::Field(path, _) => vec![path.name],
            Rule::Computed(computed) => computed.fields.to_vec(),
        }
    }

    /// Returns the path of the field whose text is the value, if there is one.
    #[must_use]
    pub fn text_field(&self) -> Option<&'static str> {
        match &self.rule {
            Rule::Field(path, Read::Text) => Some(path.name),
            _ => None,
        }
    }

    /// Returns a description of how the value follows from these fields, in sentences.
    #[must_use]
    pub fn rule(&self) -> Cow<'static, str> {
        match &self.rule {
            Rule::Constant("") => "Always empty.".into(),
            Rule::Constant(value) => format!("Always `{value}`.").into(),
            Rule::Field(path, read) => read.words(path),
            Rule::Computed(computed) => computed.words.into(),
        }
    }

    /// Returns the assignment of the variable. Its value is empty for [`Read::Each`], which has several values.
    pub(super) fn assignment<'a>(&self, context: &Context<'a>) -> Assignment<'a> {
        let mut refused = None;
        let value: Value<'a> = match &self.rule {
            Rule::Constant(value) => (*value).into(),
            Rule::Field(path, read) => read.value(path, context.configuration),
            Rule::Computed(computed) => match computed.compute {
                Compute::Value(compute) => compute(context),
                Compute::Payload(render) => {
                    let rendered = render(context);
                    refused = rendered.refused;
                    rendered.text.into()
                }
            },
        };
        Assignment { refused, ..Assignment::new(self.name, value, Quoting::Word) }
    }
}

impl Rule {
    /// Reports whether the rule can read the types of its fields.
    const fn fits(&self) -> bool {
        match self {
            Self::Constant(_) => true,
            Self::Field(path, read) => read.fits(path.field),
            Self::Computed(computed) => {
                let mut at = 0;
                while at < computed.fields.len() {
                    FieldPath::of(computed.fields[at]);
                    at += 1;
                }
                true
            }
        }
    }
}

impl Read {
    /// Reports whether a field has the type that is read. A default for unset values needs a field that can be unset.
    const fn fits(&self, field: &Field) -> bool {
        use Label::{Optional, Repeated, Singular};
        matches!(
            (self, field.kind, field.label),
            (Self::Text | Self::TextOr(_) | Self::OneLine, Kind::Text, Singular | Optional)
                | (Self::Joined(_) | Self::Each, Kind::Text, Repeated)
                | (Self::Switch, Kind::Bool, Singular | Optional)
                | (Self::SwitchOr(_), Kind::Bool, Optional)
                | (Self::Integer, Kind::Integer, Singular | Optional)
                | (Self::IntegerOr(_) | Self::IntegerWithin(..), Kind::Integer, Optional)
                | (Self::NumberOr(_), Kind::Double, Optional)
                | (Self::Word(_) | Self::Is(_), Kind::Enum(_), Singular)
                | (Self::IsSet, Kind::Text, Singular | Repeated)
                | (Self::IsSet, Kind::Message(_), Optional)
        )
    }

    /// Describes the value, in sentences.
    fn words(&self, path: &FieldPath) -> Cow<'static, str> {
        match self {
            Self::Text => "The text of the field.".into(),
            Self::TextOr(default) => format!("The text of the field, or `{default}` if it is empty.").into(),
            Self::OneLine => "The text of the field without line breaks.".into(),
            Self::Joined(separator) => format!("The elements of the list, separated by `{separator}`.").into(),
            Self::Each => {
                "One variable for each element of the list, numbered from 0: its text without line breaks.".into()
            }
            Self::Switch => "The value of the field, or `false` if it is unset.".into(),
            Self::SwitchOr(default) => format!("The value of the field, or `{default}` if it is unset.").into(),
            Self::Integer => "The value of the field, or `0` if it is unset.".into(),
            Self::IntegerOr(default) => format!("The value of the field, or `{default}` if it is unset.").into(),
            Self::IntegerWithin(bounds, default) => {
                let (least, most) = (bounds.start(), bounds.end());
                format!("The value of the field if it is {least} to {most}, otherwise `{default}`.").into()
            }
            Self::NumberOr(default) => {
                format!("The value of the field, or `{}` if it is unset.", decimal(*default)).into()
            }
            Self::Word(words) => {
                let words: Vec<_> =
                    words.iter().map(|(number, word)| format!("`{word}` for `{}`", path.enum_name(*number))).collect();
                format!("{}. Empty for every other value.", words.join(", ")).into()
            }
            Self::Is(number) => {
                format!("`true` if the field is `{}`, otherwise `false`.", path.enum_name(*number)).into()
            }
            Self::IsSet => match (path.field.kind, path.field.label) {
                (Kind::Message(_), _) => "`true` if the message is present, even if it is empty, otherwise `false`.",
                (_, Label::Repeated) => "`true` if the list has an element, otherwise `false`.",
                _ => "`true` if the text is not empty, otherwise `false`.",
            }
            .into(),
        }
    }

    /// Returns the value. Empty for [`Read::Each`], which has several values.
    fn value<'a>(&self, path: &FieldPath, configuration: &'a Configuration) -> Value<'a> {
        match self {
            Self::Text => path.text(configuration).into(),
            Self::TextOr(default) => match path.text(configuration) {
                "" => (*default).into(),
                text => text.into(),
            },
            Self::OneLine => one_line(path.text(configuration)),
            Self::Joined(separator) => match path.slot(configuration) {
                Some(Slot::Texts(texts)) => texts.join(separator).into(),
                _ => "".into(),
            },
            Self::Each => "".into(),
            Self::Switch => truth(path.switch(configuration).unwrap_or(false)),
            Self::SwitchOr(default) => truth(path.switch(configuration).unwrap_or(*default)),
            Self::Integer => integer(path.integer(configuration).unwrap_or(0)),
            Self::IntegerOr(default) => integer(path.integer(configuration).unwrap_or(*default)),
            Self::IntegerWithin(bounds, default) => {
                integer(path.integer(configuration).filter(|value| bounds.contains(value)).unwrap_or(*default))
            }
            Self::NumberOr(default) => match path.slot(configuration) {
                Some(Slot::OptionalDouble(Some(value))) => decimal(value),
                _ => decimal(*default),
            },
            Self::Word(words) => {
                let number = path.enum_number(configuration);
                words.iter().find(|(known, _)| *known == number).map_or("", |(_, word)| word).into()
            }
            Self::Is(number) => truth(path.enum_number(configuration) == *number),
            Self::IsSet => truth(path.slot(configuration).is_some_and(|slot| !slot.is_unset())),
        }
    }
}

/// `true` or `false`.
pub(crate) fn truth<'a>(value: bool) -> Value<'a> {
    if value { "true" } else { "false" }.into()
}

/// A decimal integer.
pub(super) fn integer<'a>(value: i32) -> Value<'a> {
    value.to_string().into()
}

/// The text without line feeds and carriage returns.
pub(super) fn one_line(text: &str) -> Value<'_> {
    if text.contains(['\n', '\r']) { text.replace(['\n', '\r'], "").into() } else { text.into() }
}

/// A number as Go's `%v` writes it, but with an exponent from one million up, where Go begins at 1e21.
fn decimal<'a>(value: f64) -> Value<'a> {
    if value.is_nan() {
        return "NaN".into();
    }
    if value.is_infinite() {
        return if value > 0.0 { "+Inf" } else { "-Inf" }.into();
    }
    let scientific = format!("{value:e}");
    let (digits, exponent) = scientific.split_once('e').expect("this notation has an exponent");
    let exponent: i32 = exponent.parse().expect("an exponent is a number");
    if value == 0.0 || (-4..6).contains(&exponent) {
        return value.to_string().into();
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{digits}e{sign}{:02}", exponent.abs()).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_switch_to_exponents_from_a_million_up() {
        for (value, expected) in [
            (f64::NAN, "NaN"),
            (f64::INFINITY, "+Inf"),
            (f64::NEG_INFINITY, "-Inf"),
            (0.0, "0"),
            (-0.0, "-0"),
            (10.0, "10"),
            (100_000.0, "100000"),
            (100_000.5, "100000.5"),
            (999_999.999_999_999_9, "999999.9999999999"),
            (0.0001, "0.0001"),
            (0.000_01, "1e-05"),
            (1_000_000.0, "1e+06"),
            (123_456_789.0, "1.23456789e+08"),
            (-1e100, "-1e+100"),
        ] {
            assert_eq!(decimal(value), expected);
        }
    }

    #[test]
    fn accepts_a_rule_only_for_fields_of_its_type() {
        for (path, text, switch, switch_or, joined) in [
            ("vm_size", true, false, false, false),
            ("bootstrapping_config.tls_bootstrapping_token", true, false, false, false),
            ("is_kata", false, true, false, false),
            ("is_vhd", false, true, true, false),
            ("custom_ca_certs", false, false, false, true),
            ("cse_timeout", false, false, false, false),
            ("kubelet_config", false, false, false, false),
            ("kubelet_config.kubelet_flags", false, false, false, false),
        ] {
            let field = FieldPath::of(path).field;
            let fits = [Read::Text, Read::Switch, Read::SwitchOr(true), Read::Joined(",")].map(|read| read.fits(field));
            assert_eq!(fits, [text, switch, switch_or, joined], "{path}");
        }
    }

    #[test]
    #[should_panic(expected = "cannot read a field")]
    fn rejects_a_row_whose_rule_does_not_fit_the_field() {
        let _ = Derivation::new("IS_KATA", Rule::Field(FieldPath::of("is_kata"), Read::Text));
    }
}
