//! Classifies Azure's error codes that no failure lists, by their parts: `CODES` of `catalogue::failures`.

use crate::catalogue::failures::{CODES, Failure};

/// The most bytes at the end of a text that are searched.
const TAIL: usize = 64 * 1024;

/// Names before a code, in the forms of JSON, `az`, PowerShell and the SDKs, and that of Terraform.
const NAMES: [&str; 5] = ["Code", "code", "CODE", "Status: \"", "with error"];

/// The most codes that are compared with those in parentheses.
const MOST_CODES: usize = 50;

/// The least bytes of a code in a sentence.
const LEAST_TOLD: usize = 10;

/// Reasons of Kubernetes and errors of Go that look like codes of Azure.
const OF_KUBERNETES: [&str; 5] =
    ["NodeNotFound", "NetworkUnavailable", "DeadlineExceeded", "NodePolicy", "DisruptionBlocked"];

/// The most bytes between a name and its code.
const LONGEST_GAP: usize = 8;

/// Returns the failure that the last code of a text shows, which is the innermost one, and where the code is. Codes that
/// only wrap another one are skipped, and a failure that says less than others counts if there is no other.
pub(super) fn classified(
    text: &str,
    least: &str,
    mut failures: impl Iterator<Item = &'static Failure>,
) -> Option<(&'static Failure, (usize, usize))> {
    let start = text.ceil_char_boundary(text.len().saturating_sub(TAIL));
    let tail = &text[start..];
    let known = codes(tail).filter_map(|(at, code)| Some((reason_of(code)?, at, code.len())));
    let (reason, at, length) = known.max_by_key(|(reason, at, _)| (*reason != least, *at))?;
    let failure = failures.find(|failure| failure.reason == reason)?;
    Some((failure, (start + at, start + at + length)))
}

/// Returns where the code is of an error in the form of Azure's SDK for Python, which `az` prints: `(Code) message`, then `Code: Code`
/// and `Message: message`, of which the beginning or the end can be cut off.
pub(super) fn of_sdk(text: &str) -> Option<(usize, usize)> {
    /// The most bytes of a line with a code.
    const LINE: usize = 120;
    let start = text.ceil_char_boundary(text.len().saturating_sub(TAIL));
    let tail = &text[start..];
    let places = tail.match_indices("Code: ").map(|(at, name)| at + name.len());
    let codes = places.filter_map(|at| Some((at, code_at(&tail[at..])?)));
    let is_shown = |(at, code): &(usize, &str)| {
        let (before, end) = (tail[..*at].strip_suffix("Code: ").unwrap_or_default(), at + code.len());
        let begins_a_line = before.is_empty() || before.trim_end().ends_with('.') || before.ends_with('\n');
        let after = tail[end..tail.floor_char_boundary(end + LINE)].trim_start();
        begins_a_line && after.starts_with("Message: ") || tail.contains(&format!("({code})"))
    };
    let (at, code) = codes.take(MOST_CODES).find(is_shown).or_else(|| first_line(tail))?;
    Some((start + at, start + at + code.len()))
}

/// Returns the code in the first line of an error of `az`, and where it is.
fn first_line(text: &str) -> Option<(usize, &str)> {
    const START: &str = "ERROR: (";
    let begins = |before: &str| before.is_empty() || before.ends_with(['\n', ':']);
    let starts = text.match_indices(START).filter(|(at, _)| begins(text[..*at].trim_end_matches([' ', '"', '`', '>'])));
    let mut places = starts.map(|(at, _)| at + START.len());
    places.find_map(|at| Some((at, code_at(&text[at..]).filter(|code| text[at + code.len()..].starts_with(") "))?)))
}

/// Returns where the code of an error in the form of Azure's APIs is: `"error": {"code": "…"`.
pub(super) fn of_body(text: &str) -> Option<(usize, usize)> {
    const START: &str = "\"error\"";
    let tail = text.ceil_char_boundary(text.len().saturating_sub(TAIL));
    text[tail..].match_indices(START).find_map(|(at, _)| {
        let after = tail + at + START.len();
        let at = after + text[after..].find(|next: char| !matches!(next, ':' | ' ' | '\n' | '{'))?;
        let rest = text[at..].strip_prefix("\"code\"")?;
        let start = text.len() - rest.len() + gap(rest);
        code_at(&text[start..]).map(|code| (start, start + code.len()))
    })
}

/// Returns the failure that a person names by Azure's code, and where the code is: `fails with SubnetIsFull`.
pub(super) fn told(
    text: &str,
    mut failures: impl Iterator<Item = &'static Failure>,
) -> Option<(&'static Failure, (usize, usize))> {
    const BEFORE: [&str; 7] = ["fail", "error", "code", "reject", "block", "den", "throttl"];
    const AFTER: [&str; 6] = ["when", "error", "during", "while", "creating", "scaling"];
    let is_of = |words: &[&str], word: &str| words.iter().any(|start| word.starts_with(start));
    let mut last = [""; 3];
    let mut at = 0;
    let mut words = text.split_inclusive([' ', '\n']).peekable();
    let (reason, start, length) = std::iter::from_fn(|| {
        let word = words.next()?;
        let start = at;
        at += word.len();
        let after = words.peek().map_or("", |word| word.trim());
        let quote = word.len() - word.trim_start_matches(['`', '\'', '"', '(']).len();
        let code = code_at(&word[quote..]).filter(|code| code.len() >= LEAST_TOLD && !OF_KUBERNETES.contains(code));
        let is_told = last.iter().any(|word| is_of(&BEFORE, &word.to_ascii_lowercase())) || is_of(&AFTER, after);
        last = [last[1], last[2], word.trim()];
        Some(code.filter(|_| is_told).and_then(|code| Some((reason_of(code)?, start + quote, code.len()))))
    })
    .flatten()
    .next()?;
    let failure = failures.find(|failure| failure.reason == reason)?;
    Some((failure, (start, start + length)))
}

/// Returns the codes in a text, each with its position.
fn codes(text: &str) -> impl Iterator<Item = (usize, &str)> {
    // gRPC has codes of its own.
    let is_azure = move |at: &usize| !text[..*at].ends_with("rpc error: ");
    let named = NAMES.into_iter().flat_map(move |name| {
        text.match_indices(name).filter(move |(at, _)| is_azure(at)).map(|(at, name)| at + name.len())
    });
    let named =
        named.map(move |end| end + gap(&text[end..])).filter(move |at| text[..*at].ends_with(['"', '\'', ' ', '=']));
    named.chain(printed(text)).filter_map(move |at| Some((at, code_at(&text[at..])?)))
}

/// Returns where codes can be that `az` prints, in parentheses before its message.
fn printed(text: &str) -> impl Iterator<Item = usize> {
    let printed = text.match_indices('(').filter(move |(at, _)| {
        let before = text[..*at].trim_end_matches([' ', '`', '"']);
        before.is_empty() || before.ends_with(['\n', ':'])
    });
    printed.map(|(at, _)| at + 1)
}

/// Reports whether a line is the first one of an error of `az` about a pool or cluster: `(Code) message`.
pub(super) fn is_first_line(text: &str) -> bool {
    /// The most bytes of the line.
    const LINE: usize = 300;
    const ABOUT: [&str; 5] = ["agent pool", "agentpool", "node pool", "nodepool", "managed cluster"];
    printed(text).take(MOST_CODES).any(|at| {
        let Some(code) = code_at(&text[at..]) else { return false };
        let after = &text[at + code.len()..text.floor_char_boundary(at + code.len() + LINE)];
        let line = after.lines().next().unwrap_or_default().to_ascii_lowercase();
        line.starts_with(") ") && ABOUT.iter().any(|word| line.contains(word))
    })
}

/// Returns the number of bytes between a name and its code.
fn gap(text: &str) -> usize {
    let gap = text.len() - text.trim_start_matches(['"', '\'', ':', '=', ' ', '\\']).len();
    gap.min(LONGEST_GAP)
}

/// Returns the code at the start of a text: at least two words in CamelCase.
fn code_at(text: &str) -> Option<&str> {
    let end = text.find(|character: char| !character.is_ascii_alphanumeric() && character != '_');
    let code = &text[..end.unwrap_or(text.len())];
    let capitals = code.bytes().filter(u8::is_ascii_uppercase).count();
    let is_camel_case = capitals >= 2 && code.bytes().any(|byte| byte.is_ascii_lowercase());
    (is_camel_case && code.starts_with(|first: char| first.is_ascii_uppercase())).then_some(code)
}

/// Returns the reason of the failure that a code shows by its parts.
fn reason_of(code: &str) -> Option<&'static str> {
    let lower = code.to_ascii_lowercase();
    CODES.iter().find(|(part, _)| lower.contains(part)).map(|(_, reason)| *reason)
}

#[cfg(test)]
mod tests {
    use super::{CODES, classified, reason_of};
    use crate::catalogue::failures::failures;

    #[test]
    fn every_part_names_a_failure_and_is_not_hidden_by_another() {
        for (part, reason) in CODES {
            assert!(failures().any(|failure| failure.reason == *reason), "{reason}");
            assert_eq!(reason_of(part), Some(*reason), "{part}");
        }
    }

    #[test]
    fn the_innermost_code_in_any_form_is_classified() {
        for text in [
            r#"aks: {"code":"DeploymentFailed","details":[{"code": "PodCIDRInvalidRange","message":""}]}"#,
            "aks Code=\"PodCIDRInvalidRange\" Message=\"\"",
            "(PodCIDRInvalidRange) The agent pool",
            "ERROR CODE: PodCIDRInvalidRange for the VMSS",
            "aks: unexpected status 400 (400 Bad Request) with error: PodCIDRInvalidRange: The range",
        ] {
            let found = classified(text, "InvalidParameter", failures())
                .map(|(failure, (start, end))| (failure.reason, &text[start..end]));
            assert_eq!(found, Some(("AddressConflict", "PodCIDRInvalidRange")), "{text}");
        }
        let nested =
            "aks: (InvalidParameter) {\"code\":\"PodCIDRInvalidRange\",\"message\":\"\"}\nCode: InvalidParameter";
        let found = classified(nested, "InvalidParameter", failures()).map(|(failure, _)| failure.reason);
        assert_eq!(found, Some("AddressConflict"));
        let sdk = |text: &'static str| super::of_sdk(text).map(|(start, end)| &text[start..end]);
        assert_eq!(sdk("(NotFound) It is not.\nCode: NotFound\nMessage: It is not."), Some("NotFound"));
        assert_eq!(sdk("Code: NotFound\nMessage: It is not."), Some("NotFound"), "its beginning is cut off");
        assert_eq!(sdk("(NotFound) It is not.\nCode: Other"), None);
        assert_eq!(sdk("Deploying\nERROR: (SomethingNew) It is not."), Some("SomethingNew"), "its end is cut off");
        assert_eq!(sdk("{\"message\": \"ERROR: (SomethingNew) It is not.\"}"), Some("SomethingNew"));
        assert_eq!(sdk("An ERROR: (SomethingNew) It is not."), None);
        let body = "{\"error\": {\n \"code\": \"SomethingNew\", \"message\": \"\"}}";
        assert_eq!(super::of_body(body).map(|(start, end)| &body[start..end]), Some("SomethingNew"));
        assert_eq!(super::of_body("{\"error\":{\"code\":404}}"), None);
        let told = |text| super::told(text, failures()).map(|(failure, _)| failure.reason);
        assert_eq!(told("Scaling fails with `PodCIDRInvalidRange`"), Some("AddressConflict"));
        assert_eq!(told("What is the PodCIDRInvalidRange of a pool?"), None);
        for text in [
            "aks (note) Code: Bad",
            "aks-1 Addresses (InternalIP)",
            "Node: AksInvalid reason: InvalidDiskCapacity Status: NetworkUnavailable",
        ] {
            assert!(classified(text, "InvalidParameter", failures()).is_none(), "{text}");
        }
    }
}
