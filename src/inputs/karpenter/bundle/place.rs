//! Files of a bundle, places in them, and the findings about each file.

use std::ops::Range;

use crate::document::{Finding, ParsedTree, Position, Report, Source, Step, Tree};

/// A file and the findings about it.
pub(crate) struct FileReport {
    /// The name in messages.
    pub name: String,
    pub bytes: Vec<u8>,
    pub report: Report,
}

/// A value in a document of a file.
#[derive(Clone)]
pub(crate) struct Place {
    /// The number of the file.
    pub(super) file: usize,
    /// The bytes of the document, and where it starts.
    range: Range<usize>,
    start: Position,
    /// The steps to the value, each with the number of the member or element in its container.
    steps: Vec<(Step, usize)>,
}

/// A value that was read, and where.
#[derive(Clone)]
pub(super) struct Found<T> {
    pub value: T,
    pub place: Place,
    /// The option that named the file.
    pub option: Option<&'static str>,
}

impl Place {
    pub fn new(file: usize, range: Range<usize>, start: Position) -> Self {
        Self { file, range, start, steps: Vec::new() }
    }

    /// Returns the place of a member or an element.
    pub fn child(&self, step: Step, ordinal: usize) -> Self {
        let mut child = self.clone();
        child.steps.push((step, ordinal));
        child
    }

    /// Returns the place of a member by its name.
    pub fn member(&self, name: &str, ordinal: usize) -> Self {
        self.child(Step::Unknown(name.to_owned()), ordinal)
    }

    /// Returns a finding whose path begins at this value with a path from the root.
    pub fn inside(&self, finding: Finding) -> Finding {
        finding.inside(&self.steps)
    }

    /// Returns findings whose paths begin at this value with paths from the root, and with positions in the file.
    pub fn located(&self, files: &[FileReport], findings: Vec<Finding>) -> Vec<Finding> {
        let mut findings: Vec<_> = findings.into_iter().map(|finding| self.inside(finding)).collect();
        if let Ok(source) = Source::of_any_size(self.text(files)) {
            source.locate(&mut findings);
        }
        for finding in &mut findings {
            finding.position = finding.position.map(|position| position.shifted(self.start));
        }
        findings
    }

    /// Returns the text of the document.
    pub fn text<'f>(&self, files: &'f [FileReport]) -> &'f [u8] {
        files.get(self.file).and_then(|file| file.bytes.get(self.range.clone())).unwrap_or_default()
    }

    /// Reports whether the value is the whole document.
    pub fn is_whole(&self) -> bool {
        self.steps.is_empty()
    }

    /// Returns the number of each member or element on the path to the value.
    pub fn ordinals(&self) -> impl Iterator<Item = usize> {
        self.steps.iter().map(|(_, ordinal)| *ordinal)
    }

    /// Returns the position of the value.
    pub fn position(&self, files: &[FileReport]) -> Option<Position> {
        let probe = Finding::missing(crate::document::DocPath::root());
        self.located(files, vec![probe]).pop()?.position
    }

    /// Returns the place for messages: file, line and column.
    pub fn shown(&self, files: &[FileReport]) -> String {
        let name = &files[self.file].name;
        self.position(files).map_or_else(|| name.clone(), |position| format!("{name}:{position}"))
    }
}

/// Returns a member of an object and its number.
pub(super) fn member<'t>(tree: &'t ParsedTree<'t>, name: &str) -> Option<(usize, &'t ParsedTree<'t>)> {
    let Tree::Map(members) = tree else { return None };
    let found = members.iter().enumerate().find(|(_, (known, _))| known == name);
    found.map(|(ordinal, (_, value))| (ordinal, value)).filter(|(_, value)| **value != Tree::Null)
}

/// Returns a value inside an object by the names on the path to it, and its place.
pub(super) fn at<'t>(tree: &'t ParsedTree<'t>, place: &Place, names: &[&str]) -> Option<(&'t ParsedTree<'t>, Place)> {
    let start = (tree, place.clone());
    names.iter().try_fold(start, |(tree, place), name| {
        let (ordinal, value) = member(tree, name)?;
        Some((value, place.member(name, ordinal)))
    })
}

/// Returns a text inside an object.
pub(super) fn text<'t>(tree: &'t ParsedTree<'t>, names: &[&str]) -> Option<&'t str> {
    let found = names.iter().try_fold(tree, |tree, name| member(tree, name).map(|(_, value)| value))?;
    if let Tree::Text(text) = found { Some(text) } else { None }
}

/// Returns the text of a scalar; YAML reads some texts without quotes as booleans and numbers.
pub(super) fn scalar(tree: &ParsedTree<'_>) -> Option<String> {
    match tree {
        Tree::Null => Some(String::new()),
        Tree::Bool(value) => Some(value.to_string()),
        Tree::Integer(number) => Some(number.to_string()),
        Tree::Number(number) => Some(number.to_string()),
        Tree::Text(text) => Some(text.to_string()),
        Tree::Bytes(_) | Tree::List(_) | Tree::Map(_) => None,
    }
}

/// Returns the elements of a list inside an object, each with its place.
pub(super) fn elements<'t>(
    tree: &'t ParsedTree<'t>,
    place: &Place,
    names: &[&str],
) -> Vec<(&'t ParsedTree<'t>, Place)> {
    let Some((Tree::List(list), place)) = at(tree, place, names) else { return Vec::new() };
    list.iter().enumerate().map(|(index, element)| (element, place.child(Step::Index(index), index))).collect()
}

/// Returns the members of an object inside an object, each with its name and place.
pub(super) fn entries<'t>(
    tree: &'t ParsedTree<'t>,
    place: &Place,
    names: &[&str],
) -> Vec<(&'t str, &'t ParsedTree<'t>, Place)> {
    let Some((Tree::Map(members), place)) = at(tree, place, names) else { return Vec::new() };
    let members = members.iter().enumerate();
    members.map(|(ordinal, (name, value))| (&**name, value, place.member(name, ordinal))).collect()
}
