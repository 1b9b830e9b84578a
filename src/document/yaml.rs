//! YAML 1.2, core schema: one document, keys that are strings, no anchors. This subset has the data model of JSON.

use std::borrow::Cow;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use saphyr_parser::{Event, Marker, Parser, ScalarStyle, Span, Tag};

use super::locate::FindingsByMember;
use super::{DEEPEST_NESTING, DocPath, Finding, ParsedTree, Position, Problem, Tree, rules};

/// The position of a value, and the positions of the members or elements in it.
pub(super) struct Place {
    mark: Mark,
    /// In the order of the tree: the position of a member's name, or of an element.
    members: Vec<(Mark, Place)>,
}

/// A [`Position`] in half of its memory: a document may have a million elements, and is at most some MiB long.
#[derive(Clone, Copy)]
struct Mark {
    line: u32,
    column: u32,
}

impl From<Marker> for Mark {
    fn from(marker: Marker) -> Self {
        let Position { line, column } = position(marker);
        let short = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        Self { line: short(line), column: short(column) }
    }
}

impl Mark {
    fn position(self) -> Position {
        Position { line: self.line as usize, column: self.column as usize }
    }
}

/// Parses one document.
pub(super) fn parse(text: &str) -> Result<(ParsedTree<'_>, Place), Finding> {
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

/// Returns a finding for YAML that is valid but unsupported.
fn unsupported(span: Span, rule: &'static str, hint: &'static str) -> Finding {
    Finding::violation(&rules::UNSUPPORTED_YAML, DocPath::root(), rule).at(position(span.start)).hint(hint)
}

fn node<'t>(
    events: &mut Events<'t>,
    event: Event<'t>,
    span: Span,
    depth: usize,
) -> Result<(ParsedTree<'t>, Place), Finding> {
    if depth > DEEPEST_NESTING {
        return Err(unsupported(span, "is nested too deeply", "a document has at most 120 levels"));
    }
    let anchored = matches!(
        event,
        Event::Alias(_) | Event::Scalar(_, _, 1.., _) | Event::SequenceStart(1.., _) | Event::MappingStart(1.., _)
    );
    if anchored {
        return Err(unsupported(span, "contains an anchor or an alias", "write the value in full where it is used"));
    }
    let mut members = Vec::new();
    let tree = match event {
        Event::Scalar(text, style, _, tag) => scalar(text, style, tag.as_deref(), span)?,
        Event::SequenceStart(_, tag) => {
            known_tag(tag.as_deref(), &["seq"], span)?;
            let mut list = Vec::new();
            loop {
                let Some((event, span)) = next(events)? else { return Err(unfinished(span)) };
                if event == Event::SequenceEnd {
                    break Tree::List(list);
                }
                let (tree, place) = node(events, event, span, depth + 1)?;
                list.push(tree);
                members.push((place.mark, place));
            }
        }
        Event::MappingStart(_, tag) => {
            known_tag(tag.as_deref(), &["map"], span)?;
            let mut map = Vec::new();
            loop {
                let Some((event, span)) = next(events)? else { return Err(unfinished(span)) };
                let name = match event {
                    Event::MappingEnd => break Tree::Map(map),
                    Event::Scalar(text, _, 0, _) if text == "<<" => {
                        return Err(unsupported(span, "contains a merge key", "write the members in full"));
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
                let start = span.start.into();
                let Some((event, span)) = next(events)? else { return Err(unfinished(span)) };
                let (tree, place) = node(events, event, span, depth + 1)?;
                map.push((name, tree));
                members.push((start, place));
            }
        }
        _ => return Err(unfinished(span)),
    };
    Ok((tree, Place { mark: span.start.into(), members }))
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

fn scalar<'t>(
    text: Cow<'t, str>,
    style: ScalarStyle,
    tag: Option<&Tag>,
    span: Span,
) -> Result<ParsedTree<'t>, Finding> {
    known_tag(tag, &["str", "int", "float", "bool", "null", "binary"], span)?;
    if tag.is_some_and(|tag| tag.suffix == "binary") {
        let encoded: String = text.split_ascii_whitespace().collect();
        let bytes = STANDARD.decode(encoded);
        return bytes
            .map(Tree::Bytes)
            .map_err(|_| unsupported(span, "contains a value tagged `!!binary` that is not base64", "remove the tag"));
    }
    let is_text = tag.map_or(style != ScalarStyle::Plain, |tag| tag.suffix == "str");
    Ok(if is_text { Tree::Text(text) } else { plain(text) })
}

/// Resolves a plain (unquoted) scalar by the core schema.
fn plain(text: Cow<'_, str>) -> ParsedTree<'_> {
    match &*text {
        "" | "~" | "null" | "Null" | "NULL" => return Tree::Null,
        "true" | "True" | "TRUE" => return Tree::Bool(true),
        "false" | "False" | "FALSE" => return Tree::Bool(false),
        ".nan" | ".NaN" | ".NAN" => return Tree::Number(f64::NAN),
        ".inf" | ".Inf" | ".INF" | "+.inf" | "+.Inf" | "+.INF" => return Tree::Number(f64::INFINITY),
        "-.inf" | "-.Inf" | "-.INF" => return Tree::Number(f64::NEG_INFINITY),
        _ => {}
    }
    if let Some(digits) = text.strip_prefix("0x") {
        if let Ok(number) = u64::from_str_radix(digits, 16) {
            return Tree::unsigned(number);
        }
    } else if let Some(digits) = text.strip_prefix("0o") {
        if let Ok(number) = u64::from_str_radix(digits, 8) {
            return Tree::unsigned(number);
        }
    } else if text.bytes().all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(&byte))
        && text.bytes().any(|byte| byte.is_ascii_digit())
    {
        if let Ok(number) = text.parse() {
            return Tree::unsigned(number);
        }
        match text.parse() {
            // As in JSON: only a float has a negative zero.
            Ok(0) => return Tree::Number(-0.0),
            Ok(number) => return Tree::Integer(number),
            Err(_) => {}
        }
        if let Ok(number) = text.parse::<f64>()
            && number.is_finite()
        {
            return Tree::Number(number);
        }
    }
    Tree::Text(text)
}

/// Returns the number and the position of every wanted finding.
pub(super) fn locate(
    tree: &ParsedTree<'_>,
    place: &Place,
    findings: &[Finding],
    wanted: &[usize],
) -> Vec<(usize, Position)> {
    let mut found = Vec::with_capacity(wanted.len());
    walk((tree, place), place.mark, findings, wanted, 0, &mut found);
    found
}

/// Adds the number and the position of every wanted finding inside a value. `name` is the position of its name.
fn walk(
    (tree, place): (&ParsedTree<'_>, &Place),
    name: Mark,
    findings: &[Finding],
    wanted: &[usize],
    depth: usize,
    found: &mut Vec<(usize, Position)>,
) {
    let mut by_member = FindingsByMember::new(findings, wanted, depth);
    let members: Vec<(Option<&str>, &ParsedTree<'_>)> = match tree {
        _ if by_member.is_empty() => Vec::new(),
        Tree::Map(members) => members.iter().map(|(name, value)| (Some(&**name), value)).collect(),
        Tree::List(list) => list.iter().map(|value| (None, value)).collect(),
        _ => Vec::new(),
    };
    for (ordinal, ((member, value), (start, inner))) in members.into_iter().zip(&place.members).enumerate() {
        let wanted = by_member.take(ordinal, || member.map(Cow::Borrowed));
        if !wanted.is_empty() {
            walk((value, inner), *start, findings, &wanted, depth + 1, found);
        }
    }
    found.extend(by_member.remaining().map(|number| {
        let about_the_name = findings[number].is_about_the_name();
        (number, if about_the_name { name } else { place.mark }.position())
    }));
}
