//! Finds the failure that a person describes: titles and questions, which quote no program.

use super::codes;
use super::plain::plain;
use super::recognition::{Findings, LONGEST_LINE, Recognized, Span, Subject, about, is_start_of_word, together};
use crate::catalogue::failures::{
    ABOUT_NODES, Failure, Layer, NODE_OF_CLUSTER, OTHER_CLUSTERS, Texts, WORDS, Weight, Words, failures,
};

/// The most bytes between two words of a person.
const NEAR_WORDS: usize = 80;

/// Returns the failure that a person describes in a text without a known message of a program.
pub(super) fn described(text: &str) -> Findings {
    let plain = plain(text);
    let about = about(&plain.text);
    let has = |subject| about.contains(&subject);
    // The last word has an end too.
    let lower = plain.text.to_ascii_lowercase() + " ";
    let names = |name: &&str| lower.match_indices(*name).any(|(at, _)| is_start_of_word(&lower, at));
    let is_about_others = !has(Subject::Azure) && OTHER_CLUSTERS.iter().any(names);
    let is_about_nodes = has(Subject::Azure)
        || has(Subject::Node)
        || ABOUT_NODES.iter().any(names)
        || NODE_OF_CLUSTER.iter().all(|words| words.iter().any(names));
    let is_about_another_service = has(Subject::OtherService) && !has(Subject::Node);
    // An object of Kubernetes, which has the words of its fields.
    let is_object = ["apiversion:", "\"apiversion\":", "api version:"].iter().any(|name| lower.contains(name));
    let told = if is_object { only_messages(&lower) } else { lower.clone() };
    if has(Subject::Foreign) || is_about_others || is_about_another_service || !is_about_nodes {
        return Findings::default();
    }
    let by_words = |text: &str| {
        let (words, span) = WORDS.iter().find_map(|words| Some((words, described_by(words, text)?)))?;
        let failure = failures().find(|failure| failure.reason == words.reason).expect("a test finds each");
        Some((failure, span))
    };
    // Circumstances decide only where the rest says no more than that an operation failed.
    let is_told =
        |(failure, _): &(&Failure, Span)| failure.weight != Weight::Wrapper || failure.layer != Layer::Request;
    let found = codes::told(&plain.text, failures())
        .filter(|_| !is_object)
        .or_else(|| by_words(&without_circumstances(&told)).filter(is_told))
        .or_else(|| by_words(&told));
    let Some((failure, (start, end))) = found else {
        return Findings::default();
    };
    let end = end.min(plain.text.len());
    let evidence = plain.line(start, end, LONGEST_LINE).to_owned();
    Findings {
        found: vec![Recognized { failure, evidence, place: plain.original(start, end) }],
        is_azure: has(Subject::Azure),
    }
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
        plain.extend(std::iter::repeat_n(' ', end - at));
        rest = &rest[end..];
    }
    plain + rest
}

/// Words that say the opposite behind `no` and `without`.
const DENIED: [&str; 4] = ["error", "fail", "issue", "problem"];

/// Returns where words are in a text in lower case, in one line.
fn described_by(words: &Words, text: &str) -> Option<Span> {
    let places =
        |word: &&'static str| text.match_indices(*word).map(|(at, word)| (at, at + word.len())).collect::<Vec<_>>();
    // A pool or scale set of this name, not what a person calls one.
    let is_name = |(_, end): &Span| {
        let rest = text[*end..].trim_start_matches('-');
        !text[..*end].ends_with(' ') && rest.starts_with(|next: char| next.is_ascii_digit())
    };
    // What a node has, or what has nodes.
    let is_other = |(start, end): &Span| {
        &text[*start..*end] == "node "
            && ["pool", "image", "group", "resource"].iter().any(|next| text[*end..].starts_with(next))
    };
    let subjects = words.subjects.iter().flat_map(places);
    let mut subjects =
        subjects.filter(|subject| is_start_of_word(text, subject.0) && !is_name(subject) && !is_other(subject));
    // With the subject, or only the subject if there are none.
    let near = |others: Texts, subject: Span| {
        let from = text.floor_char_boundary(subject.0.saturating_sub(NEAR_WORDS));
        let to = text.ceil_char_boundary((subject.1 + NEAR_WORDS).min(text.len()));
        let is_there = |other: &&'static str| {
            text[from..to].match_indices(*other).find_map(|(at, _)| {
                let at = from + at;
                let before = &text[..at];
                let is_denied = DENIED.contains(other) && (before.ends_with("without ") || before.ends_with(" no "));
                let is_word = other.starts_with("n't") || is_start_of_word(text, at) && !is_denied;
                together(text, subject, (at, at + other.len()), NEAR_WORDS)
                    .filter(|span| is_word && is_prose(&text[span.0..span.1]))
            })
        };
        if others.is_empty() { Some(subject) } else { others.iter().find_map(is_there) }
    };
    subjects.find_map(|subject| {
        let (one, other) = (near(words.symptoms, subject)?, near(words.troubles, subject)?);
        Some((one.0.min(other.0), one.1.max(other.1)))
    })
}

/// Reports whether a text is mostly words, as opposed to a line of a table or a log.
fn is_prose(text: &str) -> bool {
    let others = text.chars().filter(|character| !character.is_alphabetic() && *character != ' ').count();
    others * 8 <= text.chars().count()
}

#[cfg(test)]
mod tests {
    use super::described;
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
    fn a_person_describes_a_failure_in_one_sentence_about_a_node() {
        let reason = |text| described(text).found.first().map(|found| found.failure.reason);
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
        assert_eq!(reason("The disk is full"), None, "of any machine");
        assert_eq!(reason("The kubelet of my EKS cluster keeps restarting"), None);
    }
}
