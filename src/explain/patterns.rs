//! The patterns of all known failures, and what each is part of.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};

use super::entries::{BEFORE_UNIT, begins_unit, cut_name, true_condition};
use super::subjects::Subject;
use super::tables::Table;
use crate::catalogue::failures::{
    AZURE, FOREIGN, Failure, HARMLESS, LIKE_AZURE, NODES, OTHER_CLOUDS, OTHER_PROVIDERS, OTHER_SERVICES, OVER,
    TOLERATED, TROUBLE, UNIT_TROUBLE, failures,
};

/// The most bytes between a name and what shows that something is wrong with it.
const NEAR_NAME: usize = 160;

/// The most bytes between a service and what shows that it failed.
const NEAR_UNIT: usize = 120;

/// What a pattern is part of.
#[derive(Clone, Copy)]
pub(super) enum Use {
    /// A text of a mark, by its number, or the text near it.
    Mark { number: usize, is_second: bool },
    /// A source file that logs, by the failure that its errors show.
    Klog(usize),
    /// A program that writes to the journal, by the failure that its errors show.
    Journal(usize),
    /// What the text is about.
    About(Subject),
    /// A text that contradicts a failure.
    Unless(usize),
    /// A text that a failure needs.
    Needs(usize),
    /// The row of [`OVER`].
    Over(usize),
    /// A text of [`HARMLESS`].
    Harmless,
    /// A text of [`TOLERATED`].
    Tolerated,
    /// What systemd writes before the name of a unit that does not start.
    BeforeUnit,
    /// The header of a table.
    Header(Table),
}

/// A mark of a failure.
pub(super) struct Marked {
    pub(super) failure: usize,
    /// The most bytes between the texts of a pair.
    pub(super) within: usize,
    pub(super) is_pair: bool,
    pub(super) is_azure: bool,
}

/// All patterns.
pub(super) struct Patterns {
    /// In lower case: an automaton for both cases takes twice as long to make.
    pub(super) searcher: AhoCorasick,
    pub(super) texts: Vec<Cow<'static, str>>,
    /// By pattern.
    pub(super) uses: Vec<Vec<Use>>,
    pub(super) marks: Vec<Marked>,
    pub(super) failures: Vec<&'static Failure>,
}

pub(super) static PATTERNS: LazyLock<Patterns> = LazyLock::new(Patterns::new);

impl Patterns {
    fn new() -> Self {
        let subjects = [
            (AZURE, Subject::Azure),
            (LIKE_AZURE, Subject::LikeAzure),
            (FOREIGN, Subject::Foreign),
            (OTHER_CLOUDS, Subject::OtherCloud),
            (OTHER_SERVICES, Subject::OtherService),
            (OTHER_PROVIDERS, Subject::OtherService),
            (NODES, Subject::Node),
        ];
        let mut all: Vec<(Cow<'static, str>, Use)> = Vec::new();
        for (texts, subject) in subjects {
            all.extend(texts.iter().map(|text| (Cow::Borrowed(*text), Use::About(subject))));
        }
        all.extend(OVER.iter().enumerate().map(|(at, (text, _))| (Cow::Borrowed(*text), Use::Over(at))));
        all.extend(TOLERATED.iter().map(|text| (Cow::Borrowed(*text), Use::Tolerated)));
        all.extend(HARMLESS.iter().map(|text| (Cow::Borrowed(*text), Use::Harmless)));
        all.extend(BEFORE_UNIT.iter().map(|text| (Cow::Borrowed(*text), Use::BeforeUnit)));
        all.extend(Table::HEADERS.iter().map(|(text, table)| (Cow::Borrowed(*text), Use::Header(*table))));
        let failures: Vec<_> = failures().collect();
        let mut marks = Vec::new();
        for (failure, row) in failures.iter().enumerate() {
            let alone = [(row.any, false), (row.azure, true)].map(|(texts, is_azure)| (texts, &[][..], is_azure, 0));
            let pairs = row.near.map(|(one, other)| (one, other, false, row.within));
            let named = [(row.named, TROUBLE, false, NEAR_NAME)];
            let rows = alone.into_iter().chain(pairs).chain(named);
            for (any, near, is_azure, within) in rows.filter(|(any, ..)| !any.is_empty()) {
                let number = marks.len();
                marks.push(Marked { failure, within, is_pair: !near.is_empty(), is_azure });
                let used =
                    |is_second| move |text: &&'static str| (Cow::Borrowed(*text), Use::Mark { number, is_second });
                all.extend(any.iter().map(used(false)));
                all.extend(near.iter().map(used(true)));
            }
            all.extend(row.unless.iter().map(|text| (Cow::Borrowed(*text), Use::Unless(failure))));
            all.extend(row.needs.iter().map(|text| (Cow::Borrowed(*text), Use::Needs(failure))));
            all.extend(row.klog.iter().map(|file| (Cow::Owned(format!("{file}:")), Use::Klog(failure))));
            all.extend(row.journal.iter().map(|program| (Cow::Owned(format!("{program}[")), Use::Journal(failure))));
            if !row.units.is_empty() {
                let number = marks.len();
                marks.push(Marked { failure, within: NEAR_UNIT, is_pair: true, is_azure: false });
                let service = |unit: &&'static str| -> (Cow<'static, str>, Use) {
                    (Cow::Owned(format!("{unit}.service")), Use::Mark { number, is_second: false })
                };
                let trouble = |text: &&'static str| (Cow::Borrowed(*text), Use::Mark { number, is_second: true });
                all.extend(row.units.iter().map(service));
                all.extend(UNIT_TROUBLE.iter().map(trouble));
            }
            if !row.conditions.is_empty() {
                let number = marks.len();
                marks.push(Marked { failure, within: 0, is_pair: false, is_azure: false });
                let forms = row.conditions.iter().flat_map(|kind| true_condition(kind));
                all.extend(forms.map(|form| (Cow::Owned(form), Use::Mark { number, is_second: false })));
            }
        }
        let mut numbers = HashMap::new();
        let mut uses: Vec<Vec<Use>> = Vec::new();
        let mut texts = Vec::new();
        for (mut text, used) in all {
            if text.bytes().any(|byte| byte.is_ascii_uppercase()) {
                text.to_mut().make_ascii_lowercase();
            }
            let number = *numbers.entry(text).or_insert_with_key(|text| {
                texts.push(text.clone());
                uses.push(Vec::new());
                uses.len() - 1
            });
            uses[number].push(used);
        }
        let searcher = AhoCorasick::builder()
            .match_kind(MatchKind::Standard)
            .kind(Some(AhoCorasickKind::ContiguousNFA))
            .build(texts.iter().map(|text| text.as_bytes()))
            .expect("the patterns are short");
        Self { searcher, texts, uses, marks, failures }
    }
}

/// Returns the failure of the unit whose name begins a text in lower case, if systemd cut it.
pub(super) fn cut_unit(text: &str) -> Option<usize> {
    let start = cut_name(text)?;
    PATTERNS.failures.iter().position(|failure| failure.units.iter().any(|unit| begins_unit(start, unit)))
}

/// Returns the texts of all patterns, in lower case.
pub(super) fn patterns() -> impl Iterator<Item = &'static str> {
    PATTERNS.texts.iter().map(Cow::as_ref)
}
