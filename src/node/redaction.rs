//! Replaces secrets in the output of a child process while it streams.

use std::collections::BTreeSet;
use std::fmt;

use memchr::memmem::Finder;

use crate::Secret;
use crate::catalogue::{REDACTED, variables};
use crate::secret::long_lines;

/// The secrets of one environment: each value, its content if it is base64, and the long lines of both.
#[derive(Clone, Default)]
pub(super) struct KnownSecrets {
    /// Longest first: where two secrets begin at the same place, the longer one is found.
    finders: Vec<Finder<'static>>,
}

/// A finder shows what it looks for, so only their number is shown.
impl fmt::Debug for KnownSecrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "KnownSecrets({})", self.finders.len())
    }
}

impl KnownSecrets {
    /// Selects the values of the variables that the catalogue marks as secret.
    pub fn of<'v>(variables: impl IntoIterator<Item = (&'v str, &'v Secret<'static>)>) -> Self {
        let mut found = BTreeSet::new();
        for (name, value) in variables {
            if !variables::variable(name).is_some_and(|variable| variable.secret) {
                continue;
            }
            for whole in value.wholes() {
                found.extend(long_lines(&whole).map(<[u8]>::to_vec));
                found.insert(whole);
            }
        }
        let mut found: Vec<Vec<u8>> = found.into_iter().collect();
        found.sort_by_key(|secret| std::cmp::Reverse(secret.len()));
        Self { finders: found.iter().map(|secret| Finder::new(secret).into_owned()).collect() }
    }
}

/// A stream without secrets. Bytes that may be the beginning of a secret are held back until the next ones arrive.
pub(super) struct RedactedStream<'s> {
    secrets: &'s KnownSecrets,
    held: Vec<u8>,
}

impl<'s> RedactedStream<'s> {
    /// Begins a stream.
    pub const fn new(secrets: &'s KnownSecrets) -> Self {
        Self { secrets, held: Vec::new() }
    }

    /// Accepts the next bytes and returns those that are known to be no part of a secret.
    pub fn push(&mut self, piece: &[u8]) -> Vec<u8> {
        let finders = &self.secrets.finders;
        if finders.is_empty() {
            return piece.to_vec();
        }
        self.held.extend_from_slice(piece);
        let mut out = Vec::with_capacity(self.held.len());
        let mut from = 0;
        // Where each secret occurs next. One that occurs further on is not searched again until then.
        let find = |finder: &Finder<'_>, from: usize| finder.find(&self.held[from..]).map(|at| from + at);
        let mut next: Vec<_> = finders.iter().map(|finder| find(finder, 0)).collect();
        while let Some((at, which)) = next.iter().enumerate().filter_map(|(which, at)| Some(((*at)?, which))).min() {
            out.extend_from_slice(&self.held[from..at]);
            out.extend_from_slice(REDACTED.as_bytes());
            from = at + finders[which].needle().len();
            for (finder, next) in finders.iter().zip(&mut next) {
                if next.is_some_and(|at| at < from) {
                    *next = find(finder, from);
                }
            }
        }
        let keep = self.held.len() - self.possible_beginning(from);
        out.extend_from_slice(&self.held[from..keep]);
        self.held.drain(..keep);
        out
    }

    /// Ends the stream and returns what was held back.
    pub fn finish(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.held)
    }

    /// Returns how many bytes at the end may be the beginning of a secret.
    fn possible_beginning(&self, from: usize) -> usize {
        let rest = &self.held[from..];
        let longest = self.secrets.finders.iter().map(|finder| {
            let secret = finder.needle();
            let most = rest.len().min(secret.len() - 1);
            (1..=most).rev().find(|length| rest.ends_with(&secret[..*length])).unwrap_or(0)
        });
        longest.max().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use base64::Engine;
    use base64::engine::general_purpose::STANDARD;

    use super::*;

    fn secrets(values: &[&str]) -> KnownSecrets {
        let values: Vec<Secret<'static>> = values.iter().map(|value| (*value).to_owned().into()).collect();
        KnownSecrets::of(values.iter().map(|value| ("TLS_BOOTSTRAP_TOKEN", value)))
    }

    fn redacted(secrets: &KnownSecrets, text: &str) -> String {
        let mut stream = RedactedStream::new(secrets);
        let mut out = stream.push(text.as_bytes());
        out.extend(stream.finish());
        String::from_utf8(out).expect("text")
    }

    #[test]
    fn secret_values_their_decoded_form_and_their_lines_are_redacted() {
        let key = "-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA12345678\nshort\n-----END RSA PRIVATE KEY-----\n";
        let encoded = STANDARD.encode(key);
        let (secret, public) = (Secret::from(encoded.clone()), Secret::from("westeurope"));
        let secrets = KnownSecrets::of([("KUBELET_CLIENT_CONTENT", &secret), ("LOCATION", &public)]);
        let text = format!("a {encoded} b MIIEpAIBAAKCAQEA12345678 c westeurope {}", key.trim());
        assert_eq!(redacted(&secrets, &text), "a [redacted] b [redacted] c westeurope [redacted]");
    }

    #[test]
    fn only_the_possible_beginning_of_a_secret_is_held_back() {
        let secrets = secrets(&["abcdef.0123456789abcdef"]);
        let mut stream = RedactedStream::new(&secrets);
        assert_eq!(stream.push(b"plain text"), b"plain text");
        assert_eq!(stream.push(b" abcdef.01"), b" ");
        assert_eq!(stream.push(b"x"), b"abcdef.01x");
        assert!(stream.finish().is_empty());
    }

    proptest! {
        #[test]
        fn a_secret_is_redacted_however_the_stream_is_split(
            secret in "[ab]{6,9}", other in "[abc]{6,20}", text in "[abc ]{0,80}", cuts in prop::collection::vec(0..120_usize, 0..6),
        ) {
            let secrets = secrets(&[&secret, &other]);
            let text = format!("{text}{secret}{text}{other}{text}");
            let mut cuts: Vec<_> = cuts.into_iter().map(|cut| cut.min(text.len())).collect();
            cuts.sort_unstable();
            let mut stream = RedactedStream::new(&secrets);
            let (mut out, mut from) = (Vec::new(), 0);
            for cut in cuts.into_iter().chain([text.len()]) {
                out.extend(stream.push(&text.as_bytes()[from..cut]));
                from = cut;
            }
            out.extend(stream.finish());
            let out = String::from_utf8(out).expect("letters");
            for piece in out.split(REDACTED) {
                prop_assert!(!piece.contains(&secret) && !piece.contains(&other), "{out}");
            }
        }
    }
}
