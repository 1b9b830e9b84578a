//! Takes secrets out of a child's output while it streams.

use std::collections::BTreeSet;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use memchr::memmem::Finder;

use crate::catalogue::{REDACTED, variables};

/// Shorter values are no secrets, and taking them out would make any text unreadable.
const SHORTEST: usize = 6;

/// Shorter lines of a longer secret say nothing by themselves.
const SHORTEST_LINE: usize = 20;

/// The secrets of one environment: each value, what it is when decoded from base64, and the long lines of both.
#[derive(Clone, Debug, Default)]
pub struct Secrets {
    /// The longest first: of two at one place the longer is found, so that none shows behind a piece of it.
    finders: Vec<Finder<'static>>,
}

impl Secrets {
    /// Picks the secrets out of variables, by the catalogue.
    pub fn of<'v>(variables: impl IntoIterator<Item = (&'v str, &'v str)>) -> Self {
        let mut found = BTreeSet::new();
        for (name, value) in variables {
            if !variables::variable(name).is_some_and(|variable| variable.secret) {
                continue;
            }
            let decoded = STANDARD.decode(value.trim()).unwrap_or_default();
            for form in [value.as_bytes().to_vec(), decoded] {
                let lines = form.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
                let lines = lines.filter(|line| line.len() >= SHORTEST_LINE && !line.starts_with(b"-----"));
                found.extend(lines.map(<[u8]>::to_vec));
                let whole = form.trim_ascii();
                if whole.len() >= SHORTEST {
                    found.insert(whole.to_vec());
                }
            }
        }
        let mut found: Vec<Vec<u8>> = found.into_iter().collect();
        found.sort_by_key(|secret| std::cmp::Reverse(secret.len()));
        Self { finders: found.iter().map(|secret| Finder::new(secret).into_owned()).collect() }
    }

    /// A text without them.
    #[must_use]
    pub fn redacted(&self, text: &str) -> String {
        let mut stream = Redaction::new(self);
        let mut out = stream.push(text.as_bytes());
        out.extend(stream.finish());
        String::from_utf8_lossy(&out).into_owned()
    }
}

/// A stream from which secrets are taken out. What may be the beginning of one is held back until that is known.
#[derive(Debug)]
pub struct Redaction<'s> {
    secrets: &'s Secrets,
    held: Vec<u8>,
}

impl<'s> Redaction<'s> {
    /// A new stream.
    #[must_use]
    pub const fn new(secrets: &'s Secrets) -> Self {
        Self { secrets, held: Vec::new() }
    }

    /// Takes a piece in and gives what can go on.
    pub fn push(&mut self, piece: &[u8]) -> Vec<u8> {
        let finders = &self.secrets.finders;
        if finders.is_empty() {
            return piece.to_vec();
        }
        self.held.extend_from_slice(piece);
        let mut out = Vec::with_capacity(self.held.len());
        let mut from = 0;
        // Where each secret comes next. One that was found further on is not looked for again until then.
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
        let keep = self.held.len() - self.beginning_of_one(from);
        out.extend_from_slice(&self.held[from..keep]);
        self.held.drain(..keep);
        out
    }

    /// What was held back. The stream has ended.
    pub fn finish(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.held)
    }

    /// How many bytes at the end may be the beginning of a secret.
    fn beginning_of_one(&self, from: usize) -> usize {
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

    use super::*;

    fn secrets(values: &[&str]) -> Secrets {
        Secrets::of(values.iter().map(|value| ("TLS_BOOTSTRAP_TOKEN", *value)))
    }

    #[test]
    fn secret_values_their_decoded_form_and_their_lines_are_redacted() {
        let key = "-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA12345678\nshort\n-----END RSA PRIVATE KEY-----\n";
        let encoded = STANDARD.encode(key);
        let secrets = Secrets::of([("KUBELET_CLIENT_CONTENT", &*encoded), ("LOCATION", "westeurope")]);
        let text = format!("a {encoded} b MIIEpAIBAAKCAQEA12345678 c westeurope {}", key.trim());
        assert_eq!(secrets.redacted(&text), "a [redacted] b [redacted] c westeurope [redacted]");
    }

    #[test]
    fn nothing_is_held_back_that_cannot_begin_a_secret() {
        let secrets = secrets(&["abcdef.0123456789abcdef"]);
        let mut stream = Redaction::new(&secrets);
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
            let mut stream = Redaction::new(&secrets);
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
