//! Finds known secrets, whole or truncated by a log.

use std::collections::BTreeMap;
use std::ops::Range;

use aho_corasick::{AhoCorasick, MatchKind};

/// Bytes of the shortest secret of which a part is recognized, and of the shortest part.
const SHORTEST_CUT: usize = 16;

/// Bytes of the beginning or the end by which a token is found. The rest is compared.
const SEED: usize = 24;

/// Bytes of the beginning by which other secrets are found.
const LONGEST_SEED: usize = 4096;

/// Finds secrets in one pass.
#[derive(Clone, Default)]
pub(super) struct Known {
    /// `None` if there are no secrets.
    automaton: Option<AhoCorasick>,
    /// By the number of the pattern.
    seeds: Vec<Seed>,
}

/// Secrets with the same beginning or end.
#[derive(Clone, Default)]
struct Seed {
    /// Those that begin with the seed.
    beginning: Vec<Vec<u8>>,
    /// Those that end with it.
    ended: Vec<Vec<u8>>,
}

impl Known {
    pub fn new(secrets: impl IntoIterator<Item = Vec<u8>>) -> Self {
        let mut seeds: BTreeMap<Vec<u8>, Seed> = BTreeMap::new();
        for secret in secrets {
            if secret.is_empty() {
                continue;
            }
            if can_be_cut(&secret) {
                let part = (secret.len() / 2).clamp(10, SEED);
                seeds.entry(secret[secret.len() - part..].to_vec()).or_default().ended.push(secret.clone());
                seeds.entry(secret[..part].to_vec()).or_default().beginning.push(secret);
            } else {
                let length = secret.len().min(LONGEST_SEED);
                seeds.entry(secret[..length].to_vec()).or_default().beginning.push(secret);
            }
        }
        if seeds.is_empty() {
            return Self::default();
        }
        let automaton = AhoCorasick::builder().match_kind(MatchKind::Standard).build(seeds.keys());
        Self { automaton: automaton.ok(), seeds: seeds.into_values().collect() }
    }

    pub fn is_empty(&self) -> bool {
        self.automaton.is_none()
    }

    pub fn len(&self) -> usize {
        self.seeds.len()
    }

    /// Calls a function with the range of each secret, or of what is left of one, until it returns `false`.
    pub fn find(&self, text: &[u8], mut found: impl FnMut(Range<usize>) -> bool) {
        let Some(automaton) = &self.automaton else { return };
        // Up to here everything is covered. Nothing before is compared again, so that the time is that of one pass.
        let mut covered: usize = 0;
        for hit in automaton.find_overlapping_iter(text) {
            let seed = &self.seeds[hit.pattern().as_usize()];
            let mut range = hit.end()..hit.end();
            for secret in &seed.beginning {
                let known = covered.saturating_sub(hit.start()).max(hit.end() - hit.start()).min(secret.len());
                let same = known + same(text[hit.start() + known..].iter(), secret[known..].iter());
                if same == secret.len() || same >= least(secret) {
                    range = hit.start()..range.end.max(hit.start() + same);
                }
            }
            for secret in &seed.ended {
                let same = same(text[covered.min(hit.start())..hit.end()].iter().rev(), secret.iter().rev());
                range.start = range.start.min(hit.end() - same);
            }
            if range.start < range.end && range.end > covered {
                covered = range.end;
                if !found(range) {
                    return;
                }
            }
        }
    }
}

/// Returns how many bytes of the beginning of a secret are covered although the rest is missing: any part of a token tells much
/// of it, but a document begins as any other does.
fn least(secret: &[u8]) -> usize {
    if can_be_cut(secret) { SHORTEST_CUT } else { LONGEST_SEED }
}

/// Returns how many bytes are the same from the beginning.
fn same<'b>(one: impl Iterator<Item = &'b u8>, other: impl Iterator<Item = &'b u8>) -> usize {
    one.zip(other).take_while(|(one, other)| one == other).count()
}

/// Reports whether a secret is a token, a password or a key.
fn can_be_cut(secret: &[u8]) -> bool {
    secret.len() >= SHORTEST_CUT
        && !secret.iter().any(u8::is_ascii_whitespace)
        && !secret.starts_with(b"{")
        && memchr::memmem::find(secret, b"://").is_none()
}
