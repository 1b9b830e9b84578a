//! Tokens, secrets and hashes of passwords that are marked with a prefix or an infix.

use std::ops::Range;
use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, AhoCorasickKind};

/// Prefixes of tokens, and the least number of characters after them: GitHub, GitLab, Docker Hub, npm, Slack, Vault, Grafana, the Python
/// index, age, Stripe, Google, Atlassian, Hugging Face, `DigitalOcean`, New Relic, Shopify, Pulumi, `RubyGems`, Anthropic,
/// `OpenAI`, Tailscale, Square, Facebook, Postman, NVIDIA, Sentry, `PlanetScale`, Linear, Sonar.
const PREFIXES: [(&str, usize); 77] = [
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
    ("AGE-SECRET-KEY-1", 50),
    ("sk_live_", 16),
    ("rk_live_", 16),
    ("AIza", 35),
    ("ATATT3", 40),
    ("GOCSPX-", 24),
    ("sk_test_", 16),
    ("whsec_", 24),
    ("hf_", 30),
    ("dop_v1_", 40),
    ("NRAK-", 20),
    ("shpat_", 30),
    ("pul-", 40),
    ("glptt-", 30),
    ("rubygems_", 40),
    ("glcbt-", 20),
    ("glsoat-", 20),
    ("glimt-", 20),
    ("glagent-", 20),
    ("glft-", 20),
    ("gloas-", 20),
    ("xoxa-", 16),
    ("xoxr-", 16),
    ("xoxs-", 16),
    ("xoxe-", 16),
    ("xoxe.xox", 20),
    ("hvb.", 20),
    ("sk-ant-", 40),
    ("sk-proj-", 40),
    ("sk-svcacct-", 40),
    ("tskey-", 30),
    ("sq0csp-", 40),
    ("sq0atp-", 20),
    ("EAACEdEose0cBA", 20),
    ("PMAK-", 50),
    ("nvapi-", 50),
    ("sntrys_", 40),
    ("shpss_", 30),
    ("pscale_pw_", 30),
    ("lin_api_", 30),
    ("sqp_", 40),
    ("squ_", 40),
    ("sqa_", 40),
    ("SWMTKN-1-", 40),
    ("figd_", 30),
    ("xkeysib-", 60),
    ("ntn_", 40),
    ("ATBB", 28),
    ("ATCTT3", 40),
    ("xoxc-", 16),
    ("xoxd-", 16),
    ("pnu_", 36),
    ("doo_v1_", 40),
    ("dor_v1_", 40),
    ("CLOJARS_", 50),
    ("AKCp", 60),
    ("r8_", 37),
    ("lin_oauth_", 40),
    ("ya29.", 30),
];

/// Prefixes of tokens of exactly so many small letters and digits, which are parts of words as well: Mailgun, Databricks, hashes of
/// `PostgreSQL`, and `NuGet`.
const EXACT: [(&str, usize); 4] = [("key-", 32), ("dapi", 32), ("md5", 32), ("oy2", 43)];

/// What is inside a token of HCP Terraform, and the least number of characters after it.
const INFIX: (&str, usize) = (".atlasv1.", 40);

/// Text before the secret part of a webhook URL: Slack, Teams, Discord, Telegram; and of a token of Dynatrace.
const WEBHOOKS: [&str; 5] = [
    "hooks.slack.com/services/",
    ".webhook.office.com/webhookb2/",
    "discord.com/api/webhooks/",
    "api.telegram.org/bot",
    "dt0c01.",
];

/// Text in every client secret of Microsoft Entra ID, after three characters and a digit.
const ENTRA: &str = "Q~";

/// Prefixes of password hashes, and the least number of characters after them: SHA-256, SHA-512, yescrypt and bcrypt as in `crypt(5)`, MD5
/// of it and of Apache, LDAP, GRUB. `$5$6` of a shell is shorter than salt and hash.
const HASHES: [(&str, usize); 12] = [
    ("$5$", 40),
    ("$6$", 40),
    ("$y$", 40),
    ("$2a$", 40),
    ("$2b$", 40),
    ("$2y$", 40),
    ("$1$", 24),
    ("$apr1$", 24),
    ("{SSHA}", 28),
    ("{SHA}", 27),
    ("grub.pbkdf2.", 40),
    // Not a hash, but a key of Docker with the same characters.
    ("SWMKEY-1-", 40),
];

/// The same with colons inside: SCRAM of `PostgreSQL`, `Werkzeug`, `Django`, Argon2.
const HASHES_WITH_COLONS: [(&str, usize); 5] =
    [("SCRAM-SHA-", 60), ("pbkdf2:sha", 60), ("pbkdf2_sha", 50), ("scrypt:", 60), ("$argon2", 40)];

/// The beginnings of the names of keys of AWS, which the keys may follow.
const KEYS: [&str; 2] = ["AKIA", "ASIA"];

/// Letters and digits of such a name after its beginning, and of a key.
const NAME_OF_KEY: usize = 16;
const KEY: usize = 40;

/// What a pattern is a part of.
#[derive(Clone, Copy)]
enum Kind {
    /// A token of at least so many characters behind it.
    Prefix(usize),
    /// A token of exactly so many.
    Exact(usize),
    Entra,
    /// A hash of at least so many characters behind it.
    Hash(usize),
    HashWithColons(usize),
    NameOfKey,
    Infix(usize),
    Webhook,
}

struct Finder {
    automaton: AhoCorasick,
    /// By the number of the pattern.
    kinds: Vec<Kind>,
}

static FINDER: LazyLock<Finder> = LazyLock::new(|| {
    let (patterns, kinds): (Vec<_>, _) = PREFIXES
        .map(|(prefix, least)| (prefix, Kind::Prefix(least)))
        .into_iter()
        .chain(EXACT.map(|(prefix, length)| (prefix, Kind::Exact(length))))
        .chain([(ENTRA, Kind::Entra)])
        .chain(HASHES.map(|(hash, least)| (hash, Kind::Hash(least))))
        .chain(HASHES_WITH_COLONS.map(|(hash, least)| (hash, Kind::HashWithColons(least))))
        .chain([(INFIX.0, Kind::Infix(INFIX.1))])
        .chain(KEYS.map(|name| (name, Kind::NameOfKey)))
        .chain(WEBHOOKS.map(|address| (address, Kind::Webhook)))
        .unzip();
    let automaton = AhoCorasick::builder()
        // Another automaton would take longer to build than most texts take to search.
        .kind(Some(AhoCorasickKind::ContiguousNFA))
        .build(patterns)
        .expect("a few short words");
    Finder { automaton, kinds }
});

/// Adds such tokens.
pub(super) fn find(text: &[u8], ranges: &mut Vec<Range<usize>>) {
    let mut covered = 0;
    for hit in FINDER.automaton.find_iter(text) {
        if hit.start() < covered {
            continue;
        }
        let behind = |signs: &[u8]| {
            let is_in = |byte: &&u8| byte.is_ascii_alphanumeric() || signs.contains(byte);
            text[hit.end()..].iter().take_while(is_in).count()
        };
        let found = match FINDER.kinds[hit.pattern().as_usize()] {
            Kind::Prefix(least) => {
                let length = behind(b"_-");
                (length >= least).then_some(hit.start()..hit.end() + length)
            }
            Kind::Exact(exact) => {
                let begins = hit.start() == 0 || !text[hit.start() - 1].is_ascii_alphanumeric();
                let is_in = |byte: &&u8| byte.is_ascii_alphanumeric() || b"_-".contains(byte);
                let length = text[hit.end()..].iter().take(exact + 1).take_while(is_in).count();
                let token = &text[hit.end()..hit.end() + length];
                let is_token = token.iter().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
                    && token.iter().any(u8::is_ascii_digit);
                (begins && length == exact && is_token).then_some(hit.start()..hit.end() + length)
            }
            Kind::Webhook => {
                let length = behind(b"/_-@.:");
                (length >= 16).then_some(hit.end()..hit.end() + length)
            }
            Kind::Hash(least) => {
                let length = behind(b"./$=,+");
                (length >= least).then_some(hit.start()..hit.end() + length)
            }
            Kind::HashWithColons(least) => {
                let length = behind(b"./$=,+:-_");
                (length >= least).then_some(hit.start()..hit.end() + length)
            }
            Kind::Infix(least) => {
                let is_in = |byte: &&u8| byte.is_ascii_alphanumeric();
                let before = text[covered..hit.start()].iter().rev().take(32).take_while(is_in).count();
                let length = behind(b"_-");
                (before > 0 && length >= least).then_some(hit.start() - before..hit.end() + length)
            }
            Kind::NameOfKey => key_behind(text, hit.end()),
            Kind::Entra => {
                let is_in = |byte: &&u8| byte.is_ascii_alphanumeric() || b"_-.~".contains(byte);
                let before = text[covered..hit.start()].iter().rev().take(8).take_while(is_in).count();
                let is_digit = text[..hit.start()].last().is_some_and(u8::is_ascii_digit);
                let length = behind(b"_-.~");
                (before >= 4 && is_digit && length >= 24).then_some(hit.start() - before..hit.end() + length)
            }
        };
        if let Some(found) = found {
            covered = found.end;
            ranges.push(found);
        }
    }
}

/// Returns the key behind the name of one, and the signs between them: `AKIA…:key`.
fn key_behind(text: &[u8], from: usize) -> Option<Range<usize>> {
    let is_name = |byte: &&u8| byte.is_ascii_uppercase() || byte.is_ascii_digit();
    let name = text[from..].iter().take(NAME_OF_KEY + 1).take_while(is_name).count();
    let signs = text[from + name..].iter().take(8).take_while(|byte| b" \t\r\n:,;|\"'".contains(byte)).count();
    let begin = from + name + signs;
    let is_in = |byte: &&u8| byte.is_ascii_alphanumeric() || b"/+".contains(byte);
    let length = text[begin..].iter().take(KEY + 1).take_while(is_in).count();
    (name == NAME_OF_KEY && signs > 0 && length == KEY).then_some(begin..begin + length)
}
