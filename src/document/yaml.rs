//! YAML 1.2, core schema: one document, keys that are strings, no anchors. This subset has the data model of JSON, and
//! is read with the same serde seeds.

use std::borrow::Cow;
use std::fmt;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use saphyr_parser::{Event, Marker, Parser, ScalarStyle, Span, Tag};
use serde::de::value::{MapDeserializer, SeqDeserializer};
use serde::de::{self, Deserializer, IntoDeserializer, Visitor};

use super::locate::FindingsByMember;
use super::rules;
use super::{DEEPEST_NESTING, DocPath, Finding, Position, Problem};

/// A value and the position of its first character.
pub(super) struct Node<'t> {
    position: Position,
    value: Value<'t>,
}

enum Value<'t> {
    Null,
    Bool(bool),
    Unsigned(u64),
    Signed(i64),
    Float(f64),
    Text(Cow<'t, str>),
    Bytes(Vec<u8>),
    List(Vec<Node<'t>>),
    Map(Vec<(Key<'t>, Node<'t>)>),
}

struct Key<'t> {
    position: Position,
    text: Cow<'t, str>,
}

/// Parses one document.
pub(super) fn parse(text: &str) -> Result<Node<'_>, Finding> {
    let mut events = Parser::new_from_str(text);
    let mut documents = 0;
    let mut root = None;
    while let Some((event, span)) = next(&mut events)? {
        match event {
            Event::DocumentStart(_) => {
                documents += 1;
                if documents > 1 {
                    return Err(unsupported(span, "contains a second document", "write one document per file"));
                }
            }
            Event::Nothing | Event::StreamStart | Event::StreamEnd | Event::DocumentEnd => {}
            event => root = Some(node(&mut events, event, span, 0)?),
        }
    }
    root.ok_or_else(|| Finding::new(&rules::EMPTY_DOCUMENT, DocPath::root(), Problem::Empty).at(Position::START))
}

type Events<'t> = Parser<'t, saphyr_parser::StrInput<'t>>;

fn next<'t>(events: &mut Events<'t>) -> Result<Option<(Event<'t>, Span)>, Finding> {
    events.next().transpose().map_err(|error| {
        Finding::new(&rules::SYNTAX, DocPath::root(), Problem::Syntax(error.info().to_owned()))
            .at(position(*error.marker()))
    })
}

fn position(marker: Marker) -> Position {
    Position { line: marker.line(), column: marker.col() + 1 }
}

/// Returns a finding for YAML that is valid but not accepted.
fn unsupported(span: Span, rule: &'static str, hint: &'static str) -> Finding {
    Finding::violation(&rules::UNSUPPORTED_YAML, DocPath::root(), rule).at(position(span.start)).hint(hint)
}

fn node<'t>(events: &mut Events<'t>, event: Event<'t>, span: Span, depth: usize) -> Result<Node<'t>, Finding> {
    if depth > DEEPEST_NESTING {
        return Err(unsupported(span, "is nested too deeply", "a document has at most 120 levels"));
    }
    let anchored = matches!(
        event,
        Event::Alias(_) | Event::Scalar(_, _, 1.., _) | Event::SequenceStart(1.., _) | Event::MappingStart(1.., _)
    );
    if anchored {
        return Err(unsupported(span, "contains an anchor or an alias", "write the value out where it is used"));
    }
    let value = match event {
        Event::Scalar(text, style, _, tag) => scalar(text, style, tag.as_deref(), span)?,
        Event::SequenceStart(_, tag) => {
            known_tag(tag.as_deref(), &["seq"], span)?;
            let mut list = Vec::new();
            loop {
                let Some((event, span)) = next(events)? else { return Err(unfinished(span)) };
                if event == Event::SequenceEnd {
                    break Value::List(list);
                }
                list.push(node(events, event, span, depth + 1)?);
            }
        }
        Event::MappingStart(_, tag) => {
            known_tag(tag.as_deref(), &["map"], span)?;
            let mut map = Vec::new();
            loop {
                let Some((event, span)) = next(events)? else { return Err(unfinished(span)) };
                let text = match event {
                    Event::MappingEnd => break Value::Map(map),
                    Event::Scalar(text, _, 0, _) if text == "<<" => {
                        return Err(unsupported(span, "contains a merge key", "write the members out"));
                    }
                    Event::Scalar(text, _, 0, _) => text,
                    _ => {
                        return Err(unsupported(
                            span,
                            "contains a key that is not a scalar",
                            "a key must be the name of a field or of a map entry",
                        ));
                    }
                };
                let key = Key { position: position(span.start), text };
                let Some((event, span)) = next(events)? else { return Err(unfinished(span)) };
                map.push((key, node(events, event, span, depth + 1)?));
            }
        }
        _ => return Err(unfinished(span)),
    };
    Ok(Node { position: position(span.start), value })
}

fn unfinished(span: Span) -> Finding {
    Finding::new(&rules::SYNTAX, DocPath::root(), Problem::Syntax("the document is truncated".to_owned()))
        .at(position(span.start))
}

fn known_tag(tag: Option<&Tag>, known: &[&str], span: Span) -> Result<(), Finding> {
    match tag {
        Some(tag) if !(tag.is_yaml_core_schema() && known.contains(&tag.suffix.as_str())) => {
            Err(unsupported(span, "contains an unknown tag", "remove the tag"))
        }
        _ => Ok(()),
    }
}

fn scalar<'t>(text: Cow<'t, str>, style: ScalarStyle, tag: Option<&Tag>, span: Span) -> Result<Value<'t>, Finding> {
    known_tag(tag, &["str", "int", "float", "bool", "null", "binary"], span)?;
    if tag.is_some_and(|tag| tag.suffix == "binary") {
        let encoded: String = text.split_ascii_whitespace().collect();
        let bytes = STANDARD.decode(encoded);
        return bytes
            .map(Value::Bytes)
            .map_err(|_| unsupported(span, "contains a value tagged `!!binary` that is not base64", "remove the tag"));
    }
    let is_text = tag.map_or(style != ScalarStyle::Plain, |tag| tag.suffix == "str");
    Ok(if is_text { Value::Text(text) } else { plain(text) })
}

/// Resolves a plain (unquoted) scalar by the core schema.
fn plain(text: Cow<'_, str>) -> Value<'_> {
    match &*text {
        "" | "~" | "null" | "Null" | "NULL" => return Value::Null,
        "true" | "True" | "TRUE" => return Value::Bool(true),
        "false" | "False" | "FALSE" => return Value::Bool(false),
        ".nan" | ".NaN" | ".NAN" => return Value::Float(f64::NAN),
        ".inf" | ".Inf" | ".INF" | "+.inf" | "+.Inf" | "+.INF" => return Value::Float(f64::INFINITY),
        "-.inf" | "-.Inf" | "-.INF" => return Value::Float(f64::NEG_INFINITY),
        _ => {}
    }
    if let Some(digits) = text.strip_prefix("0x") {
        if let Ok(number) = u64::from_str_radix(digits, 16) {
            return Value::Unsigned(number);
        }
    } else if let Some(digits) = text.strip_prefix("0o") {
        if let Ok(number) = u64::from_str_radix(digits, 8) {
            return Value::Unsigned(number);
        }
    } else if text.bytes().all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(&byte))
        && text.bytes().any(|byte| byte.is_ascii_digit())
    {
        if let Ok(number) = text.parse() {
            return Value::Unsigned(number);
        }
        match text.parse() {
            // As in JSON: only a float has a negative zero.
            Ok(0) => return Value::Float(-0.0),
            Ok(number) => return Value::Signed(number),
            Err(_) => {}
        }
        if let Ok(number) = text.parse::<f64>()
            && number.is_finite()
        {
            return Value::Float(number);
        }
    }
    Value::Text(text)
}

/// Returns the number and the position of every wanted finding.
pub(super) fn locate(root: &Node<'_>, findings: &[Finding], wanted: &[usize]) -> Vec<(usize, Position)> {
    let mut found = Vec::with_capacity(wanted.len());
    walk(root, root.position, findings, wanted, 0, &mut found);
    found
}

/// Adds the number and the position of every wanted finding inside a value. `name` is the position of its name.
fn walk(
    here: &Node<'_>,
    name: Position,
    findings: &[Finding],
    wanted: &[usize],
    depth: usize,
    found: &mut Vec<(usize, Position)>,
) {
    let mut by_member = FindingsByMember::new(findings, wanted, depth);
    match &here.value {
        Value::Map(members) if !by_member.is_empty() => {
            for (ordinal, (key, value)) in members.iter().enumerate() {
                let wanted = by_member.take(ordinal, || Some(Cow::Borrowed(&*key.text)));
                if !wanted.is_empty() {
                    walk(value, key.position, findings, &wanted, depth + 1, found);
                }
            }
        }
        Value::List(elements) if !by_member.is_empty() => {
            for (ordinal, value) in elements.iter().enumerate() {
                let wanted = by_member.take(ordinal, || None);
                if !wanted.is_empty() {
                    walk(value, value.position, findings, &wanted, depth + 1, found);
                }
            }
        }
        _ => {}
    }
    found.extend(by_member.remaining().map(|number| {
        let about_the_name = findings[number].is_about_the_name();
        (number, if about_the_name { name } else { here.position })
    }));
}

/// The error of the deserializer. Readers that collect findings return none.
#[derive(Debug)]
pub(super) struct Error(pub Finding);

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl std::error::Error for Error {}

impl de::Error for Error {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self(Finding::new(&rules::SYNTAX, DocPath::root(), Problem::Syntax(message.to_string())))
    }
}

impl<'de> Deserializer<'de> for &'de Node<'_> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match &self.value {
            Value::Null => visitor.visit_unit(),
            Value::Bool(value) => visitor.visit_bool(*value),
            Value::Unsigned(number) => visitor.visit_u64(*number),
            Value::Signed(number) => visitor.visit_i64(*number),
            Value::Float(number) => visitor.visit_f64(*number),
            Value::Text(text) => visitor.visit_borrowed_str(text),
            Value::Bytes(bytes) => visitor.visit_bytes(bytes),
            Value::List(list) => visitor.visit_seq(SeqDeserializer::new(list.iter())),
            Value::Map(map) => {
                visitor.visit_map(MapDeserializer::new(map.iter().map(|(key, value)| (&*key.text, value))))
            }
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match &self.value {
            Value::Null => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct
        newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

impl<'de> IntoDeserializer<'de, Error> for &'de Node<'_> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}
