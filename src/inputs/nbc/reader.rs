//! Reads members of an object by a table of its fields.
//!
//! A [`Field`] carries the type of its value, and the tables of [`super::fields`] are the only place that makes one: no
//! member is read that has no row. Names are matched exactly first, then ignoring case, as Go's JSON decoder does;
//! `null` counts as absent.
//!
//! To add a type of value: an empty enum that implements [`Shape`].

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::marker::PhantomData;

use crate::catalogue::rules;
use crate::document::{DocPath, Finding, STRING, Step};

/// A value of the document, whose texts it borrows.
pub(super) type Tree<'d> = crate::document::Tree<Cow<'d, str>>;

/// The type of a field's value.
pub(super) trait Shape {
    /// The type in words, for messages.
    const EXPECTED: &'static str;
    /// Whether messages must not show the value.
    const IS_SECRET: bool = false;
    /// A value that is read.
    type Value<'t>;

    /// Returns the value, or `None` if the tree is something else.
    fn read<'t>(tree: &'t Tree<'_>) -> Option<Self::Value<'t>>;

    /// Reports whether a tree is such a value.
    fn fits(tree: &Tree<'_>) -> bool {
        Self::read(tree).is_some()
    }
}

/// Text.
pub(super) enum Text {}
/// Text that must not be shown.
pub(super) enum SecretText {}
/// `true` or `false`.
pub(super) enum Switch {}
/// A whole number of 32 bits.
pub(super) enum Integer {}
/// Any number.
pub(super) enum Decimal {}
/// A list of texts.
pub(super) enum Texts {}
/// An object whose values are texts. Its names are data and are taken over as they are.
pub(super) enum TextMap {}
/// An object.
pub(super) enum Object {}
/// A list of objects.
pub(super) enum ObjectList {}
/// An object whose values are objects. Its names are data.
pub(super) enum ObjectMap {}

impl Shape for Text {
    const EXPECTED: &'static str = STRING;
    type Value<'t> = &'t str;

    fn read<'t>(tree: &'t Tree<'_>) -> Option<&'t str> {
        if let Tree::Text(text) = tree { Some(text) } else { None }
    }
}

impl Shape for SecretText {
    const EXPECTED: &'static str = Text::EXPECTED;
    const IS_SECRET: bool = true;
    type Value<'t> = &'t str;

    fn read<'t>(tree: &'t Tree<'_>) -> Option<&'t str> {
        Text::read(tree)
    }
}

impl Shape for Switch {
    const EXPECTED: &'static str = "`true` or `false`";
    type Value<'t> = bool;

    fn read(tree: &Tree<'_>) -> Option<bool> {
        if let Tree::Bool(value) = tree { Some(*value) } else { None }
    }
}

impl Shape for Integer {
    const EXPECTED: &'static str = "a 32-bit integer";
    type Value<'t> = i32;

    fn read(tree: &Tree<'_>) -> Option<i32> {
        if let Tree::Integer(number) = tree { i32::try_from(*number).ok() } else { None }
    }
}

impl Shape for Decimal {
    const EXPECTED: &'static str = "a number";
    type Value<'t> = f64;

    fn read(tree: &Tree<'_>) -> Option<f64> {
        match tree {
            #[expect(clippy::cast_precision_loss, reason = "Go reads the number as a double, too")]
            Tree::Integer(number) => Some(*number as f64),
            Tree::Number(number) => Some(*number),
            _ => None,
        }
    }
}

impl Shape for Texts {
    const EXPECTED: &'static str = "a list of strings";
    type Value<'t> = Vec<&'t str>;

    fn read<'t>(tree: &'t Tree<'_>) -> Option<Vec<&'t str>> {
        if let Tree::List(list) = tree { list.iter().map(Text::read).collect() } else { None }
    }

    fn fits(tree: &Tree<'_>) -> bool {
        matches!(tree, Tree::List(list) if list.iter().all(Text::fits))
    }
}

impl Shape for TextMap {
    const EXPECTED: &'static str = "a map of strings";
    type Value<'t> = Vec<(&'t str, &'t str)>;

    fn read<'t>(tree: &'t Tree<'_>) -> Option<Self::Value<'t>> {
        let Tree::Map(members) = tree else { return None };
        members.iter().map(|(name, value)| Some((&**name, Text::read(value)?))).collect()
    }

    fn fits(tree: &Tree<'_>) -> bool {
        matches!(tree, Tree::Map(members) if members.iter().all(|(_, value)| Text::fits(value)))
    }
}

impl Shape for Object {
    const EXPECTED: &'static str = "an object";
    type Value<'t> = &'t Tree<'t>;

    fn read<'t>(tree: &'t Tree<'_>) -> Option<&'t Tree<'t>> {
        matches!(tree, Tree::Map(_)).then_some(tree)
    }
}

impl Shape for ObjectList {
    const EXPECTED: &'static str = "a list of objects";
    type Value<'t> = &'t [Tree<'t>];

    fn read<'t>(tree: &'t Tree<'_>) -> Option<&'t [Tree<'t>]> {
        let Tree::List(list) = tree else { return None };
        list.iter().all(|element| Object::read(element).is_some()).then_some(list)
    }
}

impl Shape for ObjectMap {
    const EXPECTED: &'static str = "a map of objects";
    type Value<'t> = &'t [(Cow<'t, str>, Tree<'t>)];

    fn read<'t>(tree: &'t Tree<'_>) -> Option<Self::Value<'t>> {
        let Tree::Map(members) = tree else { return None };
        members.iter().all(|(_, value)| Object::read(value).is_some()).then_some(members)
    }
}

/// A type whose values can be taken over into a Configuration.
pub(super) trait Copied: Shape {
    /// The value in a Configuration.
    type Owned;

    /// Returns the value for a Configuration, or `None` for an empty text, which leaves a field unset.
    fn owned(value: Self::Value<'_>) -> Option<Self::Owned>;
}

impl Copied for Text {
    type Owned = String;

    fn owned(text: &str) -> Option<String> {
        (!text.is_empty()).then(|| text.to_owned())
    }
}

impl Copied for SecretText {
    type Owned = String;

    fn owned(text: &str) -> Option<String> {
        Text::owned(text)
    }
}

impl Copied for Switch {
    type Owned = bool;

    fn owned(value: bool) -> Option<bool> {
        Some(value)
    }
}

impl Copied for Integer {
    type Owned = i32;

    fn owned(value: i32) -> Option<i32> {
        Some(value)
    }
}

impl Copied for Decimal {
    type Owned = f64;

    fn owned(value: f64) -> Option<f64> {
        Some(value)
    }
}

impl Copied for Texts {
    type Owned = Vec<String>;

    fn owned(texts: Vec<&str>) -> Option<Vec<String>> {
        Some(texts.into_iter().map(str::to_owned).collect())
    }
}

impl Copied for TextMap {
    type Owned = BTreeMap<String, String>;

    fn owned(pairs: Vec<(&str, &str)>) -> Option<BTreeMap<String, String>> {
        Some(pairs.into_iter().map(|(name, text)| (name.to_owned(), text.to_owned())).collect())
    }
}

/// A kind of object, by the table of its fields.
pub(super) trait Fields {
    /// Returns the rows; the row of an object comes before those of its members.
    fn rows() -> &'static [Row];

    /// Returns the links between the rows.
    fn links() -> &'static [Links];
}

/// Finds the members of an object in the rows below the row `parent`. An exact name goes before one in another letter case,
/// and of equal names the first counts.
fn find_members<'t>(
    rows: &[Row],
    links: &[Links],
    parent: Option<usize>,
    object: &'t Tree<'_>,
    found: &mut [Option<(&'t str, &'t Tree<'t>)>],
) {
    let Tree::Map(members) = object else { return };
    for (name, value) in members {
        let Some(number) = row_named(rows, links, parent, name) else { continue };
        let is_better = |known: &str| known != rows[number].name && name == rows[number].name;
        if found[number].is_none_or(|(known, _)| is_better(known)) {
            found[number] = Some((name, value));
        }
    }
    let mut next = first_row(links, parent);
    while let Some(number) = next {
        match found[number] {
            Some((_, Tree::Null)) => found[number] = None,
            Some((_, inner)) => find_members(rows, links, Some(number), inner, found),
            None => {}
        }
        next = links[number].next();
    }
}

/// Returns the row of a name, in any letter case, below the row `parent`.
pub(super) fn row_named(rows: &[Row], links: &[Links], parent: Option<usize>, name: &str) -> Option<usize> {
    let mut next = first_row(links, parent);
    while let Some(number) = next {
        let known = rows[number].name;
        if known.len() == name.len() && known.eq_ignore_ascii_case(name) {
            return Some(number);
        }
        next = links[number].next();
    }
    None
}

fn first_row(links: &[Links], parent: Option<usize>) -> Option<usize> {
    parent.map_or((!links.is_empty()).then_some(0), |parent| links[parent].first_below())
}

/// Where the rows that are in one object continue: numbers of rows, 0 for none.
#[derive(Clone, Copy)]
pub(super) struct Links {
    next: u16,
    first_below: u16,
}

impl Links {
    fn next(self) -> Option<usize> {
        (self.next != 0).then_some(self.next.into())
    }

    fn first_below(self) -> Option<usize> {
        (self.first_below != 0).then_some(self.first_below.into())
    }

    /// Links the rows of a table, whose first row is in the table's own object.
    pub const fn of<const COUNT: usize>(rows: &[Row; COUNT]) -> [Self; COUNT] {
        let mut links = [Self { next: 0, first_below: 0 }; COUNT];
        // For each object its last row so far: for the row with a number the element after it.
        let mut last = [None; COUNT];
        let (mut last_of_table, mut row) = (0, 1);
        while row < COUNT {
            #[expect(clippy::cast_possible_truncation, reason = "a table has fewer rows")]
            let number = row as u16;
            match rows[row].parent {
                None => {
                    links[last_of_table].next = number;
                    last_of_table = row;
                }
                Some(parent) => {
                    match last[parent] {
                        None => links[parent].first_below = number,
                        Some(before) => {
                            let before: usize = before;
                            links[before].next = number;
                        }
                    }
                    last[parent] = Some(row);
                }
            }
            row += 1;
        }
        links
    }
}

/// One row: the field's name, where it is, and its type.
pub(super) struct Row {
    pub name: &'static str,
    /// Number of the row of the object that the field is in. `None`: the table's own object.
    pub parent: Option<usize>,
    fits: fn(&Tree<'_>) -> bool,
    expected: &'static str,
    pub is_secret: bool,
}

impl Row {
    pub const fn new<S: Shape>(name: &'static str, parent: Option<usize>) -> Self {
        Self { name, parent, fits: S::fits, expected: S::EXPECTED, is_secret: S::IS_SECRET }
    }
}

/// A field of the objects that table `F` describes, with a value of shape `S`.
pub(super) struct Field<F, S> {
    number: usize,
    types: PhantomData<fn() -> (F, S)>,
}

impl<F, S> Field<F, S> {
    pub const fn new(number: usize) -> Self {
        Self { number, types: PhantomData }
    }

    /// Returns the number of the field's row.
    pub const fn number(self) -> usize {
        self.number
    }
}

impl<F: Fields, S> Field<F, S> {
    /// Returns the field's own name, as the table spells it.
    pub fn name(self) -> &'static str {
        F::rows()[self.number].name
    }
}

impl<F, S> Clone for Field<F, S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<F, S> Copy for Field<F, S> {}

/// The members of one object that table `F` knows.
pub(super) struct Members<'t, F> {
    /// Name, as the document spells it, and value of each row's field.
    found: Vec<Option<(&'t str, &'t Tree<'t>)>>,
    table: PhantomData<fn() -> F>,
}

impl<'t, F: Fields> Members<'t, F> {
    /// Looks up every field of the table in an object.
    pub fn read(tree: &'t Tree<'_>) -> Self {
        let mut found = vec![None; F::rows().len()];
        find_members(F::rows(), F::links(), None, tree, &mut found);
        Self { found, table: PhantomData }
    }

    /// Reports every field whose value has another type than the table's. `path` is that of the object.
    pub fn check(&self, path: &DocPath, findings: &mut Vec<Finding>) {
        for (number, (row, found)) in F::rows().iter().zip(&self.found).enumerate() {
            let Some((_, value)) = found.filter(|(_, value)| !(row.fits)(value)) else { continue };
            let found = if row.is_secret { value.found().secret() } else { value.found().to_string() };
            let steps = path.0.iter().cloned().chain(self.spellings().path(number).0);
            findings.push(Finding::unexpected(&rules::WRONG_TYPE, DocPath(steps.collect()), row.expected, found));
        }
    }

    /// Returns the value of a field; `None` if it is absent.
    pub fn get<S: Shape>(&self, field: Field<F, S>) -> Option<S::Value<'t>> {
        S::read(self.found[field.number]?.1)
    }

    /// Reports whether the document has a field.
    pub fn has<S>(&self, field: Field<F, S>) -> bool {
        self.has_number(field.number)
    }

    /// Reports whether the document has the field of a row.
    pub fn has_number(&self, number: usize) -> bool {
        self.found[number].is_some()
    }

    /// Returns a text; empty if it is absent.
    pub fn text<S: Shape<Value<'t> = &'t str>>(&self, field: Field<F, S>) -> &'t str {
        self.get(field).unwrap_or_default()
    }

    /// Returns a switch; off if it is absent.
    pub fn switch(&self, field: Field<F, Switch>) -> bool {
        self.get(field).unwrap_or_default()
    }

    /// Returns the path of a field, as the document spells it as far as it goes.
    pub fn path<S>(&self, field: Field<F, S>) -> DocPath {
        path::<F>(field.number, |number| self.found[number].map_or(F::rows()[number].name, |(name, _)| name))
    }

    /// Returns the names that the document does not spell as the table does.
    pub fn spellings(&self) -> Spellings<F> {
        let rows = F::rows().iter().zip(&self.found).enumerate();
        let different = rows.filter_map(|(number, (row, found))| {
            let (name, _) = found.filter(|(name, _)| *name != row.name)?;
            Some((number, name.to_owned()))
        });
        Spellings { different: different.collect(), table: PhantomData }
    }
}

/// How a document spells the names of a table's fields.
#[derive(Clone, Debug)]
pub(super) struct Spellings<F> {
    /// By number of the row: names that differ from the table's.
    different: BTreeMap<usize, String>,
    table: PhantomData<fn() -> F>,
}

impl<F: Fields> Spellings<F> {
    /// Reports whether the document spells every name as the table does.
    pub fn are_those_of_the_table(&self) -> bool {
        self.different.is_empty()
    }

    /// Returns the path of the field in a row.
    pub fn path(&self, number: usize) -> DocPath {
        path::<F>(number, |number| self.different.get(&number).map_or(F::rows()[number].name, String::as_str))
    }
}

/// Returns the path of the field in a row. `spelled` returns the name of a row as the document has it.
fn path<'s, F: Fields>(number: usize, spelled: impl Fn(usize) -> &'s str) -> DocPath {
    let mut steps = Vec::new();
    let mut row = Some(number);
    while let Some(number) = row {
        steps.push(Step::Unknown(spelled(number).to_owned()));
        row = F::rows()[number].parent;
    }
    steps.reverse();
    DocPath(steps)
}

/// Declares the table of an object's fields: for each row the constant that reads the field, the shape of its value, and
/// its name, after the constant of the object that it is in unless that is the table's own.
macro_rules! fields {
    (
        $(#[$documentation:meta])* $table:ident
        $($name:ident: $shape:ident = $($parent:ident .)? $member:literal;)*
    ) => {
        $(#[$documentation])*
        #[derive(Clone, Debug)]
        pub(in crate::inputs::nbc) enum $table {}

        /// The numbers of the rows.
        #[expect(non_camel_case_types, clippy::upper_case_acronyms, reason = "named like the constants")]
        enum Number {
            $($name,)*
        }

        $(pub(in crate::inputs::nbc) const $name: Field<$table, $shape> = Field::new(Number::$name as usize);)*

        impl Fields for $table {
            fn rows() -> &'static [Row] {
                Self::ROWS
            }

            fn links() -> &'static [Links] {
                static LINKS: [Links; $table::COUNT] = Links::of($table::ROWS);
                &LINKS
            }
        }

        impl $table {
            const COUNT: usize = [$(Number::$name as usize),*].len();
            const ROWS: &[Row; Self::COUNT] = &[$(Row::new::<$shape>(
                $member,
                [$(Some($parent.number()),)? None][0],
            ),)*];
        }
    };
}
pub(super) use fields;

#[cfg(test)]
mod tests {
    use super::*;

    fields! {
        /// A table with all shapes.
        Sample
        TEXT: Text = "text";
        SECRET: SecretText = "secret";
        OUTER: Object = "outer";
        OUTER_INNER: Integer = OUTER."inner";
    }

    fn source(text: &str) -> crate::document::Source<'_> {
        crate::document::Source::new(text.as_bytes()).expect("a text")
    }

    #[test]
    fn an_exact_name_goes_before_one_in_another_case_and_null_is_absent() {
        let both =
            source(r#"{"Text": "other case", "text": "exact", "OUTER": {"Inner": 5}, "secret": null, "TEXT": ""}"#);
        let both = Tree::read(&both).expect("a document");
        let members = Members::<Sample>::read(&both);
        assert_eq!(members.get(TEXT), Some("exact"));
        assert_eq!(members.get(OUTER_INNER), Some(5));
        assert_eq!(members.path(OUTER_INNER).to_string(), "OUTER.Inner");
        assert!(!members.has(SECRET));
        assert_eq!(members.path(SECRET).to_string(), "secret");
    }

    #[test]
    fn a_wrong_type_is_found_with_the_path_in_the_document_and_no_secret_is_shown() {
        let wrong = source(r#"{"text": 5, "secret": ["s3cret"], "outer": {"inner": 2147483648}}"#);
        let wrong = Tree::read(&wrong).expect("a document");
        let mut findings = Vec::new();
        Members::<Sample>::read(&wrong).check(&DocPath::root(), &mut findings);
        let findings: Vec<_> = findings.iter().map(ToString::to_string).collect();
        assert_eq!(
            findings,
            [
                "text: must be a string, found 5",
                "secret: must be a string, found a list (not shown: the field is secret)",
                "outer.inner: must be a 32-bit integer, found 2147483648",
            ]
        );
    }
}
