//! Tokens, secrets and hashes of passwords that are marked with a prefix or an infix.

use std::ops::Range;
use std::sync::LazyLock;

use aho_corasick::AhoCorasick;

/// What a token begins with, and how many characters follow at least: GitHub, GitLab, Docker Hub, npm, Slack, Vault, Grafana, the Python index.
const PREFIXES: [(&str, usize); 18] = [
    ("ghp_", 20),
    ("gho_", 20),
    ("ghu_", 20),
    ("ghs_", 20),
    ("ghr_", 20),
    ("github_pat_", 20),
    ("glpat-", 16),
    ("dckr_pat_", 16),
    ("dckr_oat_", 16),
    ("npm_", 30),
    ("xoxb-", 16),
    ("xoxp-", 16),
    ("hvs.", 20),
    ("xapp-", 16),
    ("glrt-", 16),
    ("gldt-", 16),
    ("glsa_", 20),
    ("pypi-AgEI", 20),
];

/// What stands before the secret part of the address of a webhook: Slack, Teams, Discord.
const WEBHOOKS: [&str; 3] =
    ["hooks.slack.com/services/", ".webhook.office.com/webhookb2/", "discord.com/api/webhooks/"];

/// What stands in every client secret of Microsoft Entra ID, after three characters and a digit.
const ENTRA: &str = "Q~";

/// What a hash of a password begins with, as `crypt(5)` writes them: SHA-256, SHA-512, yescrypt, bcrypt.
const HASHES: [&str; 6] = ["$5$", "$6$", "$y$", "$2a$", "$2b$", "$2y$"];

static FINDER: LazyLock<AhoCorasick> = LazyLock::new(|| {
    let prefixes = PREFIXES.iter().map(|(prefix, _)| *prefix);
    AhoCorasick::new(prefixes.chain([ENTRA]).chain(HASHES).chain(WEBHOOKS)).expect("a few short words")
});

/// Adds such tokens.
pub(super) fn find(text: &[u8], ranges: &mut Vec<Range<usize>>) {
    let mut covered = 0;
    for hit in FINDER.find_iter(text) {
        if hit.start() < covered {
            continue;
        }
        let found = if let Some((_, least)) = PREFIXES.get(hit.pattern().as_usize()) {
            let rest = text[hit.end()..].iter();
            let length = rest.take_while(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(byte)).count();
            (length >= *least).then_some(hit.start()..hit.end() + length)
        } else if hit.pattern().as_usize() > PREFIXES.len() + HASHES.len() {
            let rest = text[hit.end()..].iter();
            let length = rest.take_while(|byte| byte.is_ascii_alphanumeric() || b"/_-@".contains(byte)).count();
            (length >= 16).then_some(hit.end()..hit.end() + length)
        } else if hit.pattern().as_usize() > PREFIXES.len() {
            let rest = text[hit.end()..].iter();
            let length = rest.take_while(|byte| byte.is_ascii_alphanumeric() || b"./$=,".contains(byte)).count();
            // Salt and hash; `$5$6` of a shell is shorter.
            (length >= 40).then_some(hit.start()..hit.end() + length)
        } else {
            let is_in = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-.~".contains(byte);
            let before = text[covered..hit.start()].iter().rev().take(8).take_while(|byte| is_in(byte)).count();
            let is_digit = text[..hit.start()].last().is_some_and(u8::is_ascii_digit);
            if before < 4 || !is_digit {
                continue;
            }
            let length = text[hit.end()..].iter().take_while(|byte| is_in(byte)).count();
            (length >= 24).then_some(hit.start() - before..hit.end() + length)
        };
        if let Some(found) = found {
            covered = found.end;
            ranges.push(found);
        }
    }
}
