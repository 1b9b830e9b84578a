//! Recognizes known failures in a text: all patterns in one pass.

use std::cmp::Reverse;
use std::ops::Range;

use super::codes;
use super::entries::{is_journal_error, is_klog_error, is_young_kubelet, second_of_klog};
use super::patterns::{PATTERNS, Use, cut_unit};
use super::plain::{Plain, plain};
use super::subjects::{Subject, Subjects};
use super::tables::Table;
use crate::catalogue::failures::{Failure, HARMLESS, Layer, OVER, Weight};
use crate::redaction::Redactor;

/// The most bytes between a failure and what contradicts or explains it.
const NEAR: usize = 600;

/// The most bytes between a taint and the operator of a toleration.
const NEAR_TAINT: usize = 20;

/// The failure that says least about what is wrong with a request: a code inside it says more.
const ANY_VALUE: &str = "InvalidParameter";

/// The failure that any code of Azure shows.
const ANY_ERROR: &str = "AzureErrorOfOperation";

/// The most tables of one text that are read.
const MOST_TABLES: usize = 16;

/// The most bytes of a line that are shown.
pub(super) const LONGEST_LINE: usize = 290;

/// A known failure in a text.
#[derive(Clone, Debug)]
pub(super) struct Recognized {
    pub(super) failure: &'static Failure,
    /// The line that shows it.
    pub(super) evidence: String,
    /// Where that line is in the text.
    pub(super) place: Range<usize>,
}

impl Recognized {
    /// Reports whether the evidence is the same after what is around it was redacted, where a line before it can say that it has a secret.
    /// Of a long line, that is not known.
    pub(super) fn is_clear(&self, text: &str, redactor: &Redactor) -> bool {
        /// Bytes before and after the evidence.
        const AROUND: usize = 4 << 10;
        let start = text.floor_char_boundary(self.place.start.saturating_sub(AROUND));
        let end = text.ceil_char_boundary(self.place.end.saturating_add(AROUND).min(text.len()));
        // Many failures can be in one long line, which would be redacted for each of them.
        end - start <= 4 * AROUND && plain(&redactor.redact(&text[start..end])).text.contains(&self.evidence)
    }
}

/// The known failures in a text.
#[derive(Debug, Default)]
pub(super) struct Findings {
    /// The one that decides first.
    pub(super) found: Vec<Recognized>,
    /// Whether the text is about Azure.
    pub(super) is_azure: bool,
}

pub(super) type Span = (usize, usize);

/// What the patterns have found in a text.
struct Hits {
    about: Subjects,
    /// Where each failure is.
    failures: Vec<Option<Span>>,
    /// The last occurrence of each part of a pair.
    parts: Vec<[Option<Span>; 2]>,
    /// The failures that have what they need.
    has_needs: Vec<bool>,
    /// The first program whose error says at least where it comes from.
    origin: Option<(usize, Span)>,
    /// When the kubelet had registered its node, as a second of the day.
    registered: Option<u32>,
    /// Whether the kubelet has just started.
    is_young: bool,
    /// Of a node that is Ready, the origin says nothing: every program logs errors while it starts.
    is_ready: bool,
    /// The first tables, and where their headers are.
    tables: Vec<(Table, Span)>,
}

/// Returns what a text without wrappings is about, and whether it shows that the node became Ready.
pub(super) fn about(text: &str) -> (Subjects, bool) {
    let hits = Hits::of(text);
    (hits.about, hits.is_ready)
}

/// Reports whether a text is about another kind of cluster.
pub(super) fn is_foreign(text: &str) -> bool {
    let (about, _) = about(&plain(text).text);
    let has = |subject| about.contains(subject);
    (has(Subject::Foreign) || has(Subject::OtherCloud)) && !has(Subject::Azure)
}

/// Returns the lines of a text without those that programs also write on a node that works.
pub(super) fn without_harmless(text: &str) -> String {
    let is_harmless = |line: &str| {
        let line = line.to_ascii_lowercase();
        HARMLESS.iter().any(|harmless| line.contains(harmless))
    };
    text.lines().filter(|line| !is_harmless(line)).flat_map(|line| [line, "\n"]).collect()
}

impl Hits {
    /// Searches a text without wrappings.
    fn of(text: &str) -> Self {
        let patterns = &*PATTERNS;
        let none = vec![None; patterns.failures.len()];
        let has_needs = patterns.failures.iter().map(|failure| failure.needs.is_empty()).collect();
        let mut hits = Self {
            about: Subjects::default(),
            failures: none.clone(),
            parts: vec![[None; 2]; patterns.marks.len()],
            has_needs,
            origin: None,
            registered: None,
            is_young: is_young_kubelet(text),
            is_ready: false,
            tables: Vec::new(),
        };
        // The last text that contradicts each failure.
        let mut contradictions: Vec<Option<Span>> = none;
        // The last text that shows no failure.
        let mut harmless: Option<Span> = None;
        let lower = text.to_ascii_lowercase();
        for found in patterns.searcher.find_overlapping_iter(&lower) {
            if !is_start_of_word(text, found.start()) {
                continue;
            }
            let span = (found.start(), found.end());
            let before = harmless;
            let is_harmless = move |hit: &Span| before.is_some_and(|other| together(text, *hit, other, NEAR).is_some());
            for used in &patterns.uses[found.pattern()] {
                match *used {
                    Use::About(subject) => {
                        hits.about.insert(subject);
                    }
                    Use::Klog(failure) => {
                        if hits.failures[failure].is_none()
                            && is_klog_error(text, found.start())
                            && !is_harmless(&span)
                            && !hits.is_of_start(failure, text, found.end())
                        {
                            hits.failures[failure] = Some(span);
                        }
                    }
                    Use::Journal(failure) => {
                        if hits.origin.is_none()
                            && is_journal_error(text, found.end())
                            && !hits.is_of_start(failure, text, found.end())
                        {
                            hits.origin = Some((failure, span));
                        }
                    }
                    Use::Unless(failure) => {
                        contradictions[failure] = Some(span);
                        let hit = &mut hits.failures[failure];
                        *hit = hit.filter(|hit| together(text, span, *hit, NEAR).is_none());
                    }
                    Use::Needs(failure) => hits.has_needs[failure] = true,
                    Use::Over(row) => {
                        let working = OVER[row].1;
                        hits.forget(working);
                        if working == Layer::Registration {
                            hits.registered = second_of_klog(text, span.0);
                        }
                    }
                    Use::Tolerated => hits.forget_before(span.0),
                    Use::BeforeUnit => {
                        if let Some(failure) = cut_unit(&lower[span.1..]) {
                            hits.failures[failure].get_or_insert(span);
                        }
                    }
                    Use::Header(table) => hits.add_header(table, text, span),
                    Use::Harmless => {
                        harmless = Some(span);
                        hits.forget_entry(text, span);
                    }
                    Use::Mark { number, is_second } => {
                        let mark = &patterns.marks[number];
                        hits.parts[number][usize::from(is_second)] = Some(span);
                        // The first one counts.
                        let tells_azure = mark.is_azure && !hits.about.contains(Subject::Azure);
                        if hits.failures[mark.failure].is_some() && !tells_azure {
                            continue;
                        }
                        let whole = if mark.is_pair {
                            let other = hits.parts[number][usize::from(!is_second)];
                            other.and_then(|other| together(text, span, other, mark.within))
                        } else {
                            Some(span)
                        };
                        if mark.is_azure && whole.is_some() {
                            hits.about.insert(Subject::Azure);
                        }
                        let contradiction = contradictions[mark.failure];
                        let is_contradicted =
                            |hit: &Span| contradiction.is_some_and(|other| together(text, *hit, other, NEAR).is_some());
                        let whole = whole.filter(|hit| !is_contradicted(hit) && !is_harmless(hit));
                        if whole.is_some() && !hits.is_of_start(mark.failure, text, span.0) {
                            hits.failures[mark.failure] = hits.failures[mark.failure].or(whole);
                        }
                    }
                }
            }
        }
        hits
    }

    /// Reports whether what shows a failure comes from the first seconds of a kubelet, which show it also if it works.
    fn is_of_start(&self, failure: usize, text: &str, at: usize) -> bool {
        /// Seconds from its registration until a kubelet has its node from the API server.
        const SETTLING: u32 = 5;
        let follows = |registered: u32| {
            second_of_klog(text, at).is_some_and(|at| (0..SETTLING).contains(&at.wrapping_sub(registered)))
        };
        PATTERNS.failures[failure].at_start && (self.is_young || self.registered.is_some_and(follows))
    }

    /// Forgets the failures that a layer that works resolves.
    fn forget(&mut self, working: Layer) {
        self.is_ready |= working >= Layer::Readiness;
        for (hit, failure) in self.failures.iter_mut().zip(&PATTERNS.failures) {
            if failure.layer.is_resolved_by(working) {
                *hit = None;
            }
        }
        for (part, mark) in self.parts.iter_mut().zip(&PATTERNS.marks) {
            if PATTERNS.failures[mark.failure].layer.is_resolved_by(working) {
                *part = [None; 2];
            }
        }
    }

    /// Forgets what an entry of the log shows that has this text.
    fn forget_entry(&mut self, text: &str, harmless: Span) {
        let is_other = |hit: &Span| together(text, *hit, harmless, NEAR).is_none();
        self.origin = self.origin.filter(|(_, hit)| is_other(hit));
        for hit in &mut self.failures {
            *hit = hit.filter(is_other);
        }
    }

    /// Forgets what the name of a taint shows that ends right before a position.
    fn forget_before(&mut self, position: usize) {
        for hit in &mut self.failures {
            *hit = hit.filter(|(_, end)| !(position.saturating_sub(NEAR_TAINT)..=position).contains(end));
        }
    }

    /// Notes where a table begins.
    fn add_header(&mut self, table: Table, text: &str, header: Span) {
        if self.tables.len() < MOST_TABLES && table.is_at(text, header.1) {
            self.tables.push((table, header));
        }
    }

    /// Adds the failures that the rows of tables show.
    fn add_tables(&mut self, plain: &Plain) {
        for (table, header) in &self.tables {
            let Some((reason, row)) = table.failure(plain, *header) else { continue };
            let failure = PATTERNS.failures.iter().position(|failure| failure.reason == reason);
            self.failures[failure.expect("a test finds each")].get_or_insert(row);
        }
    }

    /// Returns the failures that a text about this can show, and where they are.
    fn possible(&self, is_azure: bool, is_foreign: bool) -> Vec<(&'static Failure, Span)> {
        // Which cloud it is makes a difference to these: kubelets and runtimes are the same everywhere.
        let is_of_a_cloud = |failure: &Failure| {
            failure.weight == Weight::Wrapper
                || !matches!(failure.layer, Layer::Provisioning | Layer::Kubelet | Layer::Readiness)
        };
        let is_possible =
            |failure: &Failure| is_azure || !(failure.needs_azure || (is_foreign && is_of_a_cloud(failure)));
        let failures = &PATTERNS.failures;
        let hits = failures.iter().zip(&self.failures).zip(&self.has_needs).filter(|(_, has_needs)| **has_needs);
        let hits = hits.filter_map(|((failure, hit), _)| Some((*failure, (*hit)?)));
        let mut found: Vec<_> = hits.filter(|(failure, _)| is_possible(failure)).collect();
        if found.is_empty() && !self.is_ready {
            let origin = self.origin.map(|(failure, span)| (failures[failure], span));
            found.extend(origin.filter(|(failure, _)| is_possible(failure)));
        }
        found
    }
}

/// Returns the known failures in a text, the one that decides first: causes before symptoms before what only reports them, in
/// the order in which a node starts.
pub(super) fn recognize(text: &str) -> Findings {
    let plain = plain(text);
    let text = plain.text.as_str();
    let mut hits = Hits::of(text);
    hits.add_tables(&plain);
    let has = |subject| hits.about.contains(subject);
    let is_other_service = has(Subject::OtherService) && !has(Subject::Node);
    let is_foreign = has(Subject::Foreign) || has(Subject::OtherCloud) || is_other_service;
    let sdk = codes::of_sdk(text).filter(|_| !has(Subject::Foreign) && !has(Subject::OtherCloud));
    let is_sure = !is_other_service && (has(Subject::Azure) || sdk.is_some());
    let is_azure = is_sure || has(Subject::LikeAzure) && !is_foreign;
    if has(Subject::OtherCloud) && !is_azure {
        return Findings::default();
    }
    let possible = hits.possible(is_azure, is_foreign);
    // A reason comes after what it is the reason of.
    let is_reason = |(failure, hit): (&Failure, Span)| {
        let includes = |(other, span): &(&Failure, Span)| {
            other.reported_by.contains(&failure.reason)
                || other.includes.contains(&failure.layer) && together(text, hit, *span, NEAR).is_some()
        };
        possible.iter().any(includes)
    };
    let mut found: Vec<_> = possible.iter().map(|one| (is_reason(*one), *one)).collect();
    found.sort_by_key(|(is_reason, (failure, _))| {
        // What reports a failure says the more, the later the layer is that it reports.
        let layer = failure.layer as u8;
        let layer = if failure.weight == Weight::Wrapper { u8::MAX - layer } else { layer };
        (*is_reason, Reverse(failure.weight), layer)
    });
    let mut found: Vec<_> = found.into_iter().map(|(_, one)| one).collect();
    let is_only_reported =
        |(failure, _): &(&Failure, Span)| failure.weight == Weight::Wrapper && failure.layer == Layer::Request;
    let is_value = |(failure, _): &(&Failure, Span)| failure.reason == ANY_VALUE;
    let body = codes::of_body(text).or(sdk).filter(|_| is_azure && has(Subject::Node));
    let is_of_a_node = has(Subject::Node) && (is_sure || is_azure && codes::is_first_line(text));
    let may_be_classified = is_of_a_node || body.is_some() || is_azure && !found.is_empty();
    if may_be_classified && found.iter().all(|one| is_only_reported(one) || is_value(one)) {
        let says_more = |(failure, _): &(&Failure, Span)| {
            !found.iter().any(is_value) || failure.weight == Weight::Cause && failure.reason != ANY_VALUE
        };
        let classified = codes::classified(text, ANY_VALUE, PATTERNS.failures.iter().copied()).filter(says_more);
        found.splice(0..0, classified);
    }
    if let Some(code) = body.filter(|_| found.is_empty()) {
        let failure = PATTERNS.failures.iter().find(|failure| failure.reason == ANY_ERROR);
        found.extend(failure.map(|failure| (*failure, code)));
    }
    let recognized = |(failure, (start, end))| {
        let evidence = plain.telling_line(start, end, LONGEST_LINE).to_owned();
        Recognized { failure, evidence, place: plain.original(start, end) }
    };
    Findings { found: found.into_iter().map(recognized).collect(), is_azure }
}

impl Findings {
    /// Reports whether the text is about a Windows node, whose codes have other meanings.
    pub(super) fn is_windows(&self) -> bool {
        self.cause().is_some_and(|cause| cause.failure.reason == "WindowsScriptsFailed")
    }

    /// Reports whether the text is about an extension, and does not say more than that it failed.
    pub(super) fn are_about_an_extension(&self) -> bool {
        self.found
            .first()
            .is_some_and(|first| first.failure.layer == Layer::Extension && first.failure.weight != Weight::Cause)
    }

    /// Returns the failure that decides, if the text names its cause.
    pub(super) fn cause(&self) -> Option<&Recognized> {
        self.found.first().filter(|recognized| recognized.failure.weight == Weight::Cause)
    }
}

/// Returns the range of two texts if they are near each other, in one entry.
pub(super) fn together(text: &str, one: Span, other: Span, within: usize) -> Option<Span> {
    let (start, end) = (one.0.min(other.0), one.1.max(other.1));
    let between = one.1.min(other.1)..one.0.max(other.0);
    let is_near = between.is_empty() || (between.len() <= within && !text[between].contains('\n'));
    is_near.then_some((start, end))
}

/// Reports whether no word goes on at a position: `ZonalAllocationFailed` is not `AllocationFailed`.
pub(super) fn is_start_of_word(text: &str, at: usize) -> bool {
    let bytes = text.as_bytes();
    at == 0 || !bytes[at].is_ascii_alphanumeric() || !bytes[at - 1].is_ascii_alphanumeric()
}
