//! Finds the failure that a person describes: titles and questions, which quote no program.

use super::codes;
use super::plain::{Plain, is_of_log, message_of_entry, plain};
use super::recognition::{Findings, LONGEST_LINE, Recognized, Span, about, is_start_of_word, together};
use super::subjects::Subject;
use crate::catalogue::failures::{
    ABOUT_NODES, APPLICATIONS, AZURE, DOCUMENTATION, Failure, Layer, MACHINES, NAMES_OF_CLOUDS, NODE_OF_CLUSTER,
    OTHER_CLUSTERS, QUESTIONS, TOLD, Texts, WISHES, WORDS, Weight, Words, failures,
};

/// The most bytes between two words of a person.
const NEAR_WORDS: usize = 80;

/// Returns the failure that a person describes in a text without a known message of a program.
pub(super) fn described(text: &str) -> Findings {
    let plain = plain(text);
    // The host of a log says nothing about what a person wrote.
    let message = message_of_entry(&plain.text);
    let (about, is_ready) = about(&plain.text[message..]);
    let has = |subject| about.contains(subject);
    // The last word has an end too.
    let lower = plain.text[message..].trim_end().to_ascii_lowercase() + " ";
    let names = |name: &&str| lower.match_indices(*name).any(|(at, _)| is_start_of_word(&lower, at));
    let is_about_others = !has(Subject::Azure) && OTHER_CLUSTERS.iter().any(names);
    let is_about_nodes = has(Subject::Azure)
        || has(Subject::Node)
        || ABOUT_NODES.iter().any(names)
        || NODE_OF_CLUSTER.iter().all(|words| words.iter().any(names));
    let is_about_another_service = has(Subject::OtherService) && !has(Subject::Node);
    // An object of Kubernetes, which has the words of its fields.
    let is_object = ["apiversion:", "\"apiversion\":", "api version:"].iter().any(|name| lower.contains(name));
    let told = if is_object {
        only_messages(&lower)
    } else if message > 0 {
        " ".repeat(message) + &lower
    } else {
        without_log(&without_files(&plain))
    };
    if has(Subject::Foreign)
        || has(Subject::OtherCloud)
        || is_about_others
        || is_about_another_service
        || !is_about_nodes
    {
        return Findings::default();
    }
    let by_words = |text: &str| {
        let (words, span) = WORDS.iter().find_map(|words| Some((words, described_by(words, text)?)))?;
        let failure = failures().find(|failure| failure.reason == words.reason).expect("a test finds each");
        Some((failure, span)).filter(|_| !is_ready || failure.layer != Layer::Readiness)
    };
    // Circumstances decide only where the rest says no more than that an operation failed.
    let is_told =
        |(failure, _): &(&Failure, Span)| failure.weight != Weight::Wrapper || failure.layer != Layer::Request;
    let found = codes::told(&plain.text, failures())
        .filter(|_| !is_object)
        .or_else(|| by_words(&without_circumstances(&told)).filter(is_told))
        .or_else(|| by_words(&told));
    let is_contradicted = |(failure, _): &(&Failure, Span)| failure.unless.iter().any(|text| lower.contains(text));
    let Some((failure, (start, end))) = found.filter(|found| !is_contradicted(found)) else {
        return Findings::default();
    };
    let end = end.min(plain.text.len());
    let evidence = plain.line(start, end, LONGEST_LINE).to_owned();
    Findings {
        found: vec![Recognized { failure, evidence, place: plain.original(start, end) }],
        is_azure: has(Subject::Azure),
    }
}

/// Reports whether a person wishes, announces or asks something in one sentence, or tells what happened to what runs on a cluster: that is
/// no failure of a node, but has the words of one.
pub(super) fn tells_no_failure(text: &str) -> bool {
    /// Bytes of the longest such sentence.
    const LONGEST: usize = 240;
    /// What is in messages of programs.
    const OF_PROGRAMS: [&str; 5] = ["{", "code=", "code:", "err=", "error:"];
    let sentence = text.trim().trim_start_matches(['#', '*', '>', '-', '`', ' ']);
    if sentence.len() > LONGEST || sentence.contains('\n') {
        return false;
    }
    let whole = plain(sentence).text;
    let lower = whole[message_of_entry(&whole)..].to_ascii_lowercase() + " ";
    if OF_PROGRAMS.iter().any(|text| lower.contains(text)) {
        return false;
    }
    // Behind tags: `[Question]`, `Question:`.
    let untagged =
        lower.strip_prefix('[').and_then(|rest| rest.split_once(']')).map_or(&*lower, |(_, rest)| rest.trim_start());
    let untagged = untagged.strip_prefix("question:").unwrap_or(untagged).trim_start_matches([' ', ':']);
    let begins = |texts: Texts| texts.iter().any(|start| untagged.starts_with(start) || lower.starts_with(start));
    let tells = |word: &&str| lower.match_indices(*word).any(|(at, _)| is_start_of_word(&lower, at));
    let names = |texts: Texts| texts.iter().any(tells);
    let is_about_an_application = || is_prose(&lower) && names(APPLICATIONS) && !names(MACHINES);
    let is_about_another_cloud = || is_prose(&lower) && names(NAMES_OF_CLOUDS) && !names(AZURE);
    begins(WISHES)
        || names(DOCUMENTATION)
        || begins(QUESTIONS) && !names(TOLD)
        || is_about_an_application()
        || is_about_another_cloud()
}

/// Returns a text with blanks in place of the lines of configuration files.
fn without_files(plain: &Plain) -> String {
    let mut told = String::with_capacity(plain.text.len());
    for file in plain.files() {
        // A block can be in another file.
        told.push_str(plain.text.get(told.len()..file.start).unwrap_or_default());
        told.extend(std::iter::repeat_n(' ', file.end.saturating_sub(told.len())));
    }
    told.push_str(&plain.text[told.len()..]);
    told
}

/// Returns a text in lower case with blanks in place of the entries of a log, which no person wrote.
fn without_log(text: &str) -> String {
    let mut told = String::with_capacity(text.len() + 1);
    for line in text.split_inclusive('\n') {
        if is_of_log(line) {
            told.extend(std::iter::repeat_n(' ', line.len()));
        } else {
            told.push_str(&line.to_ascii_lowercase());
        }
    }
    // The last word has an end too.
    told.truncate(told.trim_end().len());
    told + " "
}

/// Returns an object of Kubernetes with blanks in place of all but its messages.
fn only_messages(text: &str) -> String {
    const NAMES: [&str; 3] = ["message\":\"", "message\": \"", "message: "];
    const ENDS: [&str; 3] = ["\"}", "\",", "\n"];
    let mut messages = String::with_capacity(text.len());
    let first = |rest: &str, texts: [&str; 3]| {
        texts.iter().filter_map(|text| rest.find(text).map(|at| (at, at + text.len()))).min()
    };
    let mut rest = text;
    while let Some((_, start)) = first(rest, NAMES) {
        let end = start + first(&rest[start..], ENDS).map_or(rest.len() - start, |(at, _)| at);
        messages.extend(std::iter::repeat_n('\n', start));
        messages.push_str(&rest[start..end]);
        rest = &rest[end..];
    }
    messages.extend(std::iter::repeat_n('\n', rest.len()));
    messages
}

/// Returns a text with blanks in place of what only says when it happened: `stuck after the upgrade`.
fn without_circumstances(text: &str) -> String {
    const CIRCUMSTANCES: [&str; 4] = ["after ", "during ", "following ", "upon "];
    const ENDS: [char; 4] = [',', '.', ';', '\n'];
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    let next = |rest: &str| {
        let places = CIRCUMSTANCES
            .iter()
            .filter_map(|word| rest.match_indices(word).map(|(at, _)| at).find(|at| is_start_of_word(rest, *at)));
        places.min()
    };
    while let Some(at) = next(rest) {
        let end = at + rest[at..].find(ENDS).unwrap_or(rest.len() - at);
        plain.push_str(&rest[..at]);
        // What is also the cause stays.
        if rest[at..end].contains("maintenance") {
            plain.push_str(&rest[at..end]);
        } else {
            plain.extend(std::iter::repeat_n(' ', end - at));
        }
        rest = &rest[end..];
    }
    plain + rest
}

/// Words that say the opposite behind `no` and `without`.
const DENIED: [&str; 4] = ["error", "fail", "issue", "problem"];

/// Words that tell what people advise behind `should`.
const ADVICE: [&str; 2] = ["never", "not "];

/// Returns where words are in a text in lower case, in one line.
fn described_by(words: &Words, text: &str) -> Option<Span> {
    let places =
        |word: &&'static str| text.match_indices(*word).map(|(at, word)| (at, at + word.len())).collect::<Vec<_>>();
    // A pool or scale set of this name, an annotation or a setting, not what a person calls one.
    let is_name = |(_, end): &Span| {
        let rest = text[*end..].trim_start_matches('-');
        !text[..*end].ends_with(' ')
            && (rest.starts_with(|next: char| next.is_ascii_digit()) || rest.starts_with(".kubernetes"))
    };
    let is_in_name = |at: usize| text[..at].ends_with(['_', '.']);
    // What a node has, or what has nodes.
    let is_other = |(start, end): &Span| {
        &text[*start..*end] == "node "
            && ["pool", "image", "group", "resource"].iter().any(|next| text[*end..].starts_with(next))
    };
    let subjects = words.subjects.iter().flat_map(places);
    let mut subjects = subjects.filter(|subject| {
        is_start_of_word(text, subject.0) && !is_in_name(subject.0) && !is_name(subject) && !is_other(subject)
    });
    // With the subject, or only the subject if there are none.
    let near = |others: Texts, subject: Span| {
        let from = text.floor_char_boundary(subject.0.saturating_sub(NEAR_WORDS));
        let to = text.ceil_char_boundary((subject.1 + NEAR_WORDS).min(text.len()));
        let is_there_as = |form: &str, is_bare: bool| {
            text[from..to].match_indices(form).find_map(|(at, _)| {
                let at = from + at;
                let before = &text[..at];
                let is_denied = DENIED.contains(&form) && (before.ends_with("without ") || before.ends_with(" no "))
                    || ADVICE.contains(&form) && before.ends_with("should ");
                let is_contraction = if is_bare { is_contracted(before) } else { form.starts_with("n't") };
                let is_word = is_contraction || !is_bare && is_start_of_word(text, at) && !is_in_name(at) && !is_denied;
                together(text, subject, (at, at + form.len()), NEAR_WORDS)
                    .filter(|span| is_word && is_prose(&text[span.0..span.1]))
            })
        };
        let is_there = |other: &&'static str| {
            let bare = || is_there_as(&format!("nt{}", other.strip_prefix("n't")?), true);
            is_there_as(other, false).or_else(bare)
        };
        if others.is_empty() { Some(subject) } else { others.iter().find_map(is_there) }
    };
    subjects.find_map(|subject| {
        let (one, other) = (near(words.symptoms, subject)?, near(words.troubles, subject)?);
        Some((one.0.min(other.0), one.1.max(other.1)))
    })
}

/// Reports whether a text ends before the `nt` of a contraction without its apostrophe: `doesnt`, `cant`.
fn is_contracted(before: &str) -> bool {
    const VERBS: [&str; 15] =
        ["does", "do", "did", "is", "are", "was", "were", "wo", "ca", "could", "would", "should", "has", "have", "had"];
    VERBS.iter().any(|verb| before.ends_with(verb) && is_start_of_word(before, before.len() - verb.len()))
}

/// Reports whether a text is mostly words, as opposed to a line of a table or a log. What joins the parts of a word belongs to it:
/// `doesn't`, `aks-pool-1`.
fn is_prose(text: &str) -> bool {
    let bytes = text.as_bytes();
    let is_of_word = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_alphanumeric);
    let joins = |at: usize| matches!(bytes[at], b'-' | b'\'') && at > 0 && is_of_word(at - 1) && is_of_word(at + 1);
    let is_other = |(at, character): &(usize, char)| !character.is_alphabetic() && *character != ' ' && !joins(*at);
    text.char_indices().filter(is_other).count() * 8 <= text.chars().count()
}

#[cfg(test)]
mod tests {
    use super::{described, tells_no_failure};
    use crate::catalogue::failures::{WORDS, failures};

    #[test]
    fn words_of_people_name_failures_and_are_in_lower_case() {
        for words in WORDS {
            assert!(failures().any(|failure| failure.reason == words.reason), "{}", words.reason);
            for word in words.subjects.iter().chain(words.symptoms).chain(words.troubles) {
                assert_eq!(*word, word.to_ascii_lowercase());
            }
        }
    }

    #[test]
    fn a_wish_or_a_question_about_the_use_tells_no_failure() {
        for text in [
            "Document how CoreDNS timeouts can be configured in AKS",
            "[Feature] Support for pausing node auto-repair",
            "[Question] What is the eviction policy of AKS spot nodes?",
            "How do I configure the drain timeout of an AKS node pool?",
            "feat: retry when a node fails to join",
            "AWS spot interruption handling with Karpenter",
            "cert-manager on AKS says that the certificate has expired",
            "AKS restarts nodes when their certificates expire soon. This page explains when.",
            "2026-11-22T05:54:15Z host app[812]: [Feature] Support for pausing node auto-repair",
        ] {
            assert!(tells_no_failure(text), "{text}");
        }
        for text in [
            "How to fix AKS nodes that are NotReady?",
            "What does SubnetIsFull mean?",
            "Add node pool fails with SubnetIsFull",
            "Why are AKS nodes NotReady?",
            "The ingress is down because AKS nodes are NotReady",
            "Document how it works\nThe node is NotReady",
            "Add pool: {\"code\":\"SubnetIsFull\"}",
        ] {
            assert!(!tells_no_failure(text), "{text}");
        }
    }

    #[test]
    fn a_person_describes_a_failure_in_one_sentence_about_a_node() {
        let reason = |text: &str| described(text).found.first().map(|found| found.failure.reason);
        assert_eq!(reason("The kubelet on my AKS nodes keeps restarting"), Some("KubeletExits"));
        assert_eq!(reason("New AKS nodes never join"), Some("NodeNeverRegistered"));
        assert_eq!(reason("spot nodes are evicted"), Some("SpotEvicted"));
        assert_eq!(reason("The kubelet\n- of AKS\n- keeps restarting"), None);
        assert_eq!(reason("GPU nodes are unable to join the cluster"), Some("NodeNeverRegistered"));
        assert_eq!(reason("Nodes stay NotReady after AKS evicted spot nodes"), Some("KubeletStoppedPosting"));
        assert_eq!(reason("az aks upgrade fails with SomePolicyDisallowed"), Some("RequestDisallowedByPolicy"));
        assert_eq!(reason("The upgrade of the AKS cluster finished without errors"), None);
        assert_eq!(reason("Elasticsearch nodes are unable to join the cluster"), None, "of another cluster");
        let event = "apiVersion: v1\nkind: Event\nreason: AKS node pool fails\nmessage: AKS nodes are not scaling up\n";
        assert_eq!(reason(event), Some("ScaleUpFailed"));
        let event = "apiVersion: v1\nkind: Event\nreason: AKS node pool fails\nmessage: The nodes are up\n";
        assert_eq!(reason(event), None, "only its message");
        assert_eq!(reason("azure-arm: Failed DeleteInstance AntiVirusProduct.instanceGuid="), None, "a member");
        assert_eq!(reason("The disk is full"), None, "of any machine");
        assert_eq!(reason("new AKS nodes dont join the cluster"), Some("NodeNeverRegistered"), "without apostrophes");
        assert_eq!(reason("The AKS autoscaler is hit by ARM 429 throttling"), Some("TooManyRequests"));
        assert_eq!(reason("AKS nodes were frozen during host maintenance"), Some("HostMaintenance"), "also the cause");
        assert_eq!(reason("AKS spot nodepools should never be used in production"), None, "an advice");
        assert_eq!(reason("AKS: upgrade_settings has node_drain_timeout"), None, "names of settings");
        assert_eq!(reason("node aks-default-nwd7x doesn't join the AKS cluster"), Some("NodeNeverRegistered"));
        for entry in [
            "2026-11-22T05:54:15.123Z aks-1 app[812]: New nodes never join the cluster",
            "Nov  2 05:54:15 aks-1 app[812]: \u{1b}[31mNew nodes never join the cluster\u{1b}[0m\r\n",
            "[2026-11-22 05:54:15] ERROR New nodes never join the cluster",
            "2026-11-22T05:54:15.123456789Z stderr F New nodes never join the cluster",
        ] {
            assert_eq!(reason(entry), Some("NodeNeverRegistered"), "{entry}");
        }
        assert_eq!(
            reason("2026-11-22T05:54:15Z aks-1 app[812]: The node of my tree is missing"),
            None,
            "of another world"
        );
        assert_eq!(
            reason("2026-11-22T05:54:15Z New nodes\n2026-11-22T05:54:16Z never join the cluster"),
            None,
            "entries"
        );
        let unit = "[Unit]\nDescription=containerd on AKS\n[Service]\nExecStart=/usr/bin/containerd\nRestart=always\n";
        let mixed = format!("New AKS nodes never join\n{unit}");
        assert_eq!(reason(unit), None, "a file");
        assert_eq!(reason("AKS\n.:53 {\n errors\n kubernetes cluster.local\n cache 30\n}\n"), None, "a file");
        assert_eq!(reason(&mixed), Some("NodeNeverRegistered"));
        assert_eq!(reason("The kubelet of my EKS cluster keeps restarting"), None);
    }
}
