//! Tokens, secrets and hashes of passwords that are marked with a prefix or an infix.

use std::ops::{Range, RangeInclusive};
use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, AhoCorasickKind};

/// Prefixes of tokens, and the least number of characters after them: GitHub, GitLab, Docker Hub, npm, Slack, Vault, Grafana, the Python
/// index, age, Stripe, Google, Atlassian, Hugging Face, `DigitalOcean`, New Relic, Shopify, Pulumi, `RubyGems`, Anthropic,
/// `OpenAI`, Tailscale, Square, Facebook, Postman, NVIDIA, Sentry, `PlanetScale`, Linear, Sonar, Flutterwave, Defined Networking,
/// Cloudflare, `ReadMe`, `SettleMint`, Shippo, Sourcegraph, Buildkite, Supabase, `1Password`, `LangSmith`, Contentful, `OpenRouter`.
const PREFIXES: [(&str, usize); 104] = [
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
    ("glffct-", 20),
    ("GR1348941", 20),
    ("FLWSECK-", 32),
    ("FLWSECK_TEST-", 32),
    ("dnkey-", 60),
    ("v1.0-", 140),
    ("api_org_", 30),
    ("rdme_", 60),
    ("sntryu_", 40),
    ("sm_aat_", 16),
    ("sm_pat_", 16),
    ("sm_sat_", 16),
    ("shippo_live_", 40),
    ("shippo_test_", 40),
    ("shpca_", 30),
    ("shppa_", 30),
    ("sgp_", 40),
    ("sk_prod_", 16),
    ("rk_prod_", 16),
    ("bkua_", 40),
    ("sbp_", 40),
    ("pscale_tkn_", 30),
    ("ops_eyJ", 100),
    ("lsv2_", 40),
    ("CFPAT-", 40),
    ("sk-or-v1-", 40),
    ("glwt-", 20),
];

/// Prefixes of tokens of exactly so many small letters and digits, which are parts of words as well: Mailgun, Databricks, hashes of
/// `PostgreSQL`, `NuGet`, and Adobe. And that of Octopus Deploy, with capitals.
const EXACT: [(&str, usize); 6] = [("key-", 32), ("dapi", 32), ("md5", 32), ("oy2", 43), ("p8e-", 32), ("API-", 26)];

/// Prefixes of tokens with points inside, which are parts of words as well: `SendGrid`, Harness. And how many characters they have.
const DOTTED: [(&str, usize); 3] = [("SG.", 66), ("pat.", 68), ("sat.", 68)];

/// What is inside a key of Azure, and how many characters of base64 are before and after it, without the signs at its end: of Relay,
/// Event Hubs, Service Bus, `IoT` Hub, Redis, Event Grid, registries, storage accounts, Cosmos DB, Batch, API Management.
const OF_AZURE: [(&str, usize, usize); 11] = [
    ("+ARm", 33, 6),
    ("+AEh", 33, 6),
    ("+ASb", 33, 6),
    ("AIoT", 33, 6),
    ("AzCa", 33, 6),
    ("AZEG", 33, 6),
    ("+ACR", 42, 6),
    ("+ASt", 76, 6),
    ("ACDb", 76, 6),
    ("+ABa", 76, 6),
    ("APIM", 76, 6),
];

/// What is inside a token of a bot of Telegram, after its number, and how many characters follow.
const TELEGRAM: (&str, usize) = (":AA", 33);

/// Digits of the number of a bot.
const BOT: RangeInclusive<usize> = 8..=10;

/// What is inside a token of HCP Terraform and of K3s, and the least number of characters after it.
const INFIXES: [(&str, usize); 3] = [(".atlasv1.", 40), ("::server:", 16), ("::node:", 16)];

/// Text before the secret part of a webhook URL: Slack, Teams, Discord, Telegram; and of a token of Dynatrace.
const WEBHOOKS: [&str; 7] = [
    "hooks.slack.com/services/",
    "hooks.slack.com/workflows/",
    "hooks.slack.com/triggers/",
    ".webhook.office.com/webhookb2/",
    "discord.com/api/webhooks/",
    "api.telegram.org/bot",
    "dt0c01.",
];

/// Text in every client secret of Microsoft Entra ID, after three characters and a digit.
const ENTRA: &str = "Q~";

/// Prefixes of password hashes, and the least number of characters after them: SHA-256, SHA-512, yescrypt and bcrypt as in `crypt(5)`, MD5
/// of it and of Apache, LDAP, GRUB. `$5$6` of a shell is shorter than salt and hash.
const HASHES: [(&str, usize); 15] = [
    ("$5$", 40),
    ("$gy$", 40),
    ("$sm3$", 40),
    ("$2x$", 40),
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
    /// A token of at least so many characters behind it, with points.
    Dotted(usize),
    /// A key with so many characters before and behind it.
    OfAzure(usize, usize),
    Telegram,
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
        .chain(INFIXES.map(|(infix, least)| (infix, Kind::Infix(least))))
        .chain(DOTTED.map(|(prefix, length)| (prefix, Kind::Dotted(length))))
        .chain(OF_AZURE.map(|(infix, before, behind)| (infix, Kind::OfAzure(before, behind))))
        .chain([(TELEGRAM.0, Kind::Telegram)])
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
    of_services(text, ranges);
    let mut covered = 0;
    for hit in FINDER.automaton.find_iter(text) {
        if hit.start() < covered {
            continue;
        }
        let behind = |signs: &[u8]| {
            let is_in = |byte: &&u8| byte.is_ascii_alphanumeric() || signs.contains(byte);
            text[hit.end()..].iter().take_while(is_in).count()
        };
        let is_in_word = |byte: &&u8| byte.is_ascii_alphanumeric() || b"_-".contains(byte);
        let found = match FINDER.kinds[hit.pattern().as_usize()] {
            Kind::Prefix(least) => {
                let length = behind(b"_-");
                (length >= least).then_some(hit.start()..hit.end() + length)
            }
            Kind::Exact(exact) => {
                let begins = hit.start() == 0 || !text[hit.start() - 1].is_ascii_alphanumeric();
                let length = text[hit.end()..].iter().take(exact + 1).take_while(is_in_word).count();
                let token = &text[hit.end()..hit.end() + length.min(exact)];
                // A number may follow: `dapi…-2`.
                let is_whole = length == exact
                    || text[hit.end() + exact.min(length)..].strip_prefix(b"-").is_some_and(begins_with_one_digit);
                let is_capital = text[hit.start()].is_ascii_uppercase();
                let is_of_case =
                    |byte: &u8| if is_capital { byte.is_ascii_uppercase() } else { byte.is_ascii_lowercase() };
                let is_token = token.iter().all(|byte| is_of_case(byte) || byte.is_ascii_digit())
                    && token.iter().any(u8::is_ascii_digit);
                let end = hit.end() + if length == exact { exact } else { exact + 2 };
                (begins && is_whole && is_token).then_some(hit.start()..end)
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
                let before = text[covered..hit.start()].iter().rev().take(32);
                let before = before.take_while(|byte| byte.is_ascii_alphanumeric()).count();
                let length = behind(b"_-");
                (before > 0 && length >= least).then_some(hit.start() - before..hit.end() + length)
            }
            Kind::NameOfKey => key_behind(text, hit.end()),
            Kind::Dotted(exact) => {
                let begins = hit.start() == 0 || !text[hit.start() - 1].is_ascii_alphanumeric();
                let is_in = |byte: &&u8| byte.is_ascii_alphanumeric() || b"_-.".contains(byte);
                let length = text[hit.end()..].iter().take(exact + 2).take_while(is_in).count();
                let token = &text[hit.end()..hit.end() + length];
                let has = |class: fn(&u8) -> bool| token.iter().any(class);
                let is_token = has(u8::is_ascii_digit) && has(u8::is_ascii_uppercase) && has(u8::is_ascii_lowercase);
                // A point may end the sentence.
                let is_whole = (exact..=exact + 1).contains(&length);
                (begins && is_whole && is_token).then_some(hit.start()..hit.end() + exact)
            }
            Kind::OfAzure(before, after) => {
                let is_in = |byte: &&u8| byte.is_ascii_alphanumeric() || b"+/".contains(byte);
                let begin = text[covered..hit.start()].iter().rev().take(before + 1).take_while(is_in).count();
                let length = text[hit.end()..].iter().take(after + 1).take_while(is_in).count();
                let signs = text[hit.end() + length..].iter().take(2).take_while(|byte| **byte == b'=').count();
                (begin == before && length == after).then(|| hit.start() - before..hit.end() + length + signs)
            }
            Kind::Telegram => {
                let number = text[covered..hit.start()].iter().rev().take(BOT.end() + 1);
                let number = number.take_while(|byte| byte.is_ascii_digit()).count();
                let length = text[hit.end()..].iter().take(TELEGRAM.1 + 1).take_while(is_in_word).count();
                (BOT.contains(&number) && length == TELEGRAM.1).then_some(hit.start()..hit.end() + length)
            }
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

/// Reports whether a text begins with one digit, and no word goes on behind it.
fn begins_with_one_digit(text: &[u8]) -> bool {
    let is_in = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-".contains(byte);
    text.first().is_some_and(u8::is_ascii_digit) && !text.get(1).is_some_and(is_in)
}

/// Adds tokens of Azure DevOps, which are 52 characters of base32 in small letters with nothing beside them, and those of Rancher behind
/// their names, `token-abcde:…`; and those of [`of_lengths`].
fn of_services(text: &[u8], ranges: &mut Vec<Range<usize>>) {
    const LENGTH: usize = 52;
    const OF_RANCHER: usize = 54;
    const FEWEST_DIGITS: usize = 4;
    const OF_NATS: usize = 58;
    /// Those of `k8s.io/apimachinery/pkg/util/rand`.
    const LETTERS: &[u8] = b"bcdfghjklmnpqrstvwxz2456789";
    let is_in = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-".contains(byte);
    let mut at = 0;
    for word in text.split(|byte| !is_in(byte)) {
        let is_of = match word.len() {
            LENGTH => word.iter().all(|byte| byte.is_ascii_lowercase() || matches!(byte, b'2'..=b'7')),
            OF_RANCHER => text[..at].ends_with(b":") && word.iter().all(|byte| LETTERS.contains(byte)),
            _ => false,
        };
        // The seed of a key of NATS.
        if word.len() == OF_NATS && is_seed(word) {
            ranges.push(at..at + word.len());
        }
        let digits = || word.iter().filter(|byte| byte.is_ascii_digit()).count();
        if is_of && (FEWEST_DIGITS..LENGTH / 2).contains(&digits()) {
            ranges.push(at..at + word.len());
        } else if let Some(before) = of_lengths(text, at, word) {
            ranges.push(at - before..at + word.len());
        }
        at += word.len() + 1;
    }
}

/// Reports whether a word of base32 begins as the seed of an operator, an account, a user or another party of NATS.
fn is_seed(word: &[u8]) -> bool {
    let is_digit = |byte: &u8| byte.is_ascii_uppercase() || matches!(byte, b'2'..=b'7');
    matches!(word, [b'S', b'O' | b'A' | b'U' | b'N' | b'C' | b'X', ..])
        && word.iter().all(is_digit)
        && word.iter().any(u8::is_ascii_digit)
}

/// Returns how many bytes before a word belong to it if it is a token whose parts have certain lengths: of Mailchimp, `1Password`,
/// Airtable, Discord.
fn of_lengths(text: &[u8], at: usize, word: &[u8]) -> Option<usize> {
    let is_hex = |text: &[u8]| text.iter().all(|byte| byte.is_ascii_digit() || matches!(byte, b'a'..=b'f'));
    let is_in = |byte: &&u8| byte.is_ascii_alphanumeric() || b"_-".contains(byte);
    let before = |end: usize, most: usize| text[..end].iter().rev().take(most + 1).take_while(is_in).count();
    match word.len() {
        // A key and the data center behind it.
        36 | 37 => {
            let center = word[32..].strip_prefix(b"-us")?;
            (is_hex(&word[..32]) && center.iter().all(u8::is_ascii_digit)).then_some(0)
        }
        // The secret key of an account, in groups.
        39 | 40 => {
            let is_key = |group: &[u8]| {
                (5..=11).contains(&group.len())
                    && group.iter().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit())
            };
            word.strip_prefix(b"A3-")?.split(|byte| *byte == b'-').all(is_key).then_some(0)
        }
        // The name of a token and its secret: `patNAME.SECRET`.
        64 if text[..at].ends_with(b".") && is_hex(word) => {
            let name = &text[at - 1 - before(at - 1, 17)..at - 1];
            (name.len() == 17 && name.starts_with(b"pat")).then_some(name.len() + 1)
        }
        // The number of an account in base64, a time and a signature.
        27 | 38 if text[..at].ends_with(b".") => {
            let time = before(at - 1, 6);
            let end = (at - 1).checked_sub(time + 1).filter(|end| time == 6 && text[*end] == b'.')?;
            let number = &text[end - before(end, 28)..end];
            let is_number = (23..=28).contains(&number.len())
                && number.chunks(4).all(|group| super::packed::of_base64(group).iter().all(u8::is_ascii_digit));
            is_number.then_some(at - end + number.len())
        }
        _ => None,
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

#[cfg(test)]
mod tests {
    use super::*;

    const MIXED: &str = "Ab3dEf6hIj9kLmN0pQ5rSt8vWx2zYc4g";
    const SMALL: &str = "ab3de6hi7kl2mn4pq5rs";
    const CAPITAL: &str = "AB3DE6HI7KL2MN4PQ5RS";

    fn characters(of: &str, count: usize) -> String {
        of.chars().cycle().take(count).collect()
    }

    #[test]
    fn tokens_are_covered_without_a_name() {
        let mut tokens = vec![
            characters(SMALL, 52),
            format!("token-b2c4d:{}", characters("bcd4fgh5jkl2mnp", 54)),
            format!("API-{}", characters(CAPITAL, 26)),
            format!("p8e-{}", characters(SMALL, 32)),
            format!("dapi{}", characters(SMALL, 32)),
            format!("dapi{}-2", characters(SMALL, 32)),
            format!("SG.{}.{}", characters(MIXED, 22), characters(MIXED, 43)),
            format!("pat.{}.{}.{}", characters(MIXED, 22), characters(MIXED, 24), characters(MIXED, 20)),
            format!("1234567890:AA{}", characters(MIXED, 33)),
            format!("K10{}::server:{}", characters(SMALL, 64), characters(SMALL, 32)),
        ];
        tokens.extend(PREFIXES.map(|(prefix, least)| format!("{prefix}{}", characters(SMALL, least))));
        tokens.extend(OF_AZURE.map(|(infix, before, behind)| {
            format!("{}{infix}{}=", characters("AbcdEfgh", before), characters("ijklMnop", behind))
        }));
        for token in tokens {
            let text = format!("fetched with {token} from \"{token}\", {token}.");
            let mut ranges = Vec::new();
            find(text.as_bytes(), &mut ranges);
            let covered: Vec<_> = ranges.iter().map(|range| &text[range.clone()]).collect();
            let end = &token[token.len() - 12..];
            assert_eq!(covered.len(), 3, "{token}: {covered:?}");
            assert!(covered.iter().all(|covered| covered.ends_with(end)), "{token}: {covered:?}");
        }
    }

    #[test]
    fn other_words_are_none() {
        let harmless = [
            characters(SMALL, 51),
            characters(SMALL, 53),
            characters("abcdefgh", 52),
            characters("0ab1cd89", 52),
            format!("API-{}", characters(CAPITAL, 25)),
            format!("API-{}", characters(MIXED, 26)),
            format!("MSG.{}", characters(MIXED, 66)),
            format!("SG.{}", characters(MIXED, 80)),
            format!("12345:AA{}", characters(MIXED, 33)),
            format!("{}+ASb{}", characters("AbcdEfgh", 32), characters("ijklMnop", 6)),
            format!("{}+ASb{}", characters("AbcdEfgh", 33), characters("ijklMnop", 9)),
            "api::server::Handler".to_owned(),
            "hooks.slack.com/triggers/".to_owned(),
        ];
        for word in harmless.into_iter().chain(OF_AZURE.map(|(infix, ..)| infix.to_owned())) {
            let mut ranges = Vec::new();
            find(format!("a {word} b").as_bytes(), &mut ranges);
            find(word.as_bytes(), &mut ranges);
            assert!(ranges.is_empty(), "{word}");
        }
    }
}
