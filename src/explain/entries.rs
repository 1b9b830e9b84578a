//! Entries of logs: which are errors and of when, by the forms of klog and of the journal; names that systemd cut; states of units and
//! conditions.

/// What systemd writes before the name of a unit that does not start, in lower case.
pub(super) const BEFORE_UNIT: [&str; 2] = ["failed to start ", "dependency failed for "];

/// The most bytes between the name of a unit and its state.
const NEAR_STATE: usize = 600;

/// Reports whether a source file at a position logs an error: `E1120 10:00:00.000000 123 kubelet.go:72]`. At the start of a text the level
/// can be cut off: then an entry with an error is one.
pub(super) fn is_klog_error(text: &str, at: usize) -> bool {
    /// The most bytes of level, time and process.
    const LONGEST: usize = 64;
    /// The most bytes of the message of an entry.
    const MESSAGE: usize = 300;
    if at < LONGEST && text[..at].bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b' ' | b':' | b'.')) {
        let rest = &text[at..text.floor_char_boundary(at + MESSAGE)];
        let entry = rest.split('\n').next().unwrap_or_default();
        return ["err=\"", "Failed", "failed", "Error", "error"].iter().any(|word| entry.contains(word));
    }
    let from = text.floor_char_boundary(at.saturating_sub(LONGEST));
    let mut words = text[from..at].trim_end_matches(' ').rsplit([' ', '\n']);
    let is_number = |word: &str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
    let (Some(process), Some(time), Some(level)) = (words.next(), words.next(), words.next()) else { return false };
    // A quote of another program can precede it.
    let date = level.get(level.len().saturating_sub(4)..).unwrap_or_default();
    let before = level.strip_suffix(date).unwrap_or_default();
    is_number(process)
        && time.contains(':')
        && date.len() == 4
        && is_number(date)
        && before.ends_with(['E', 'F'])
        && !before[..before.len() - 1].ends_with(|last: char| last.is_ascii_alphanumeric())
}

/// Returns the second of the day of the entry of klog that a position is in: `E1120 10:00:00.000000 123 kubelet.go:72] …`.
pub(super) fn second_of_klog(text: &str, at: usize) -> Option<u32> {
    /// The most bytes of an entry before a position in it.
    const LONGEST: usize = 300;
    let from = text.floor_char_boundary(at.saturating_sub(LONGEST));
    let line = text[from..at].rsplit('\n').next()?;
    let (head, _) = line.rsplit_once(".go:")?;
    let mut parts = head.rsplit(' ').find(|word| word.len() == "10:00:00.000000".len())?.splitn(3, ':');
    let mut number = || parts.next()?.get(..2)?.parse::<u32>().ok();
    Some(number()? * 3600 + number()? * 60 + number()?)
}

/// Reports whether the status of a kubelet says that systemd started it less than a minute ago: `Active: active (running) since …; 3s ago`, or `958ms ago`.
pub(super) fn is_young_kubelet(text: &str) -> bool {
    const STATE: &str = "Active: active (running) since ";
    /// The most bytes of the state with its time.
    const LONGEST: usize = 120;
    let Some((before, after)) = text.split_once(STATE) else { return false };
    let age =
        after[..after.floor_char_boundary(LONGEST)].split_once("; ").and_then(|(_, rest)| rest.split_once(" ago"));
    let is_in_seconds = |age: &str| {
        let number = age.strip_suffix("ms").or_else(|| age.strip_suffix('s'));
        number.is_some_and(|number| number.bytes().all(|byte| byte.is_ascii_digit()))
    };
    let status = before.floor_char_boundary(before.len().saturating_sub(NEAR_STATE));
    before[status..].contains("kubelet.service") && age.is_some_and(|(age, _)| is_in_seconds(age))
}

/// Reports whether a program in the journal logs an error, behind its name and `[`: `123]: E1120 10:00:00.000000`,
/// `123]: time="…" level=error`.
pub(super) fn is_journal_error(text: &str, at: usize) -> bool {
    /// The most bytes of the time of an entry.
    const LONGEST: usize = 64;
    let rest = text[at..].trim_start_matches(|character: char| character.is_ascii_digit());
    let Some(entry) = rest.strip_prefix("]: ") else { return false };
    let bytes = entry.as_bytes();
    let is_klog = bytes.len() > 5 && matches!(bytes[0], b'E' | b'F') && bytes[1..5].iter().all(u8::is_ascii_digit);
    let head = &entry[..entry.floor_char_boundary(LONGEST)];
    is_klog || ["level=error", "level=fatal", "level=panic"].iter().any(|level| head.contains(level))
}

/// Returns the beginning of the name at the start of a text, if systemd cut the name in the middle to fit its line:
/// `ignition-f…nition (fetch)`.
pub(super) fn cut_name(text: &str) -> Option<&str> {
    /// The fewest bytes that tell units apart.
    const SHORTEST: usize = 8;
    /// The most bytes before the ellipsis.
    const LONGEST: usize = 40;
    let (start, _) = text[..text.floor_char_boundary(LONGEST)].split_once('\u{2026}')?;
    (start.len() >= SHORTEST && !start.contains([' ', '\n'])).then_some(start)
}

/// Reports whether the name of a service of systemd begins with a text.
pub(super) fn begins_unit(start: &str, unit: &str) -> bool {
    start.strip_prefix(unit).map_or_else(|| unit.starts_with(start), |rest| ".service".starts_with(rest))
}

/// Returns how `kubectl` and the API server show that a condition is true: in a table, described, in YAML and in JSON.
pub(super) fn true_condition(kind: &str) -> [String; 10] {
    [
        format!("{kind} True "),
        format!("status: \"True\" type: {kind}"),
        format!("status: True type: {kind}"),
        format!("\"status\": \"True\", \"type\": \"{kind}\""),
        format!("\"status\":\"True\",\"type\":\"{kind}\""),
        format!("\"type\": \"{kind}\", \"status\": \"True\""),
        format!("\"type\":\"{kind}\",\"status\":\"True\""),
        format!("{kind}=True"),
        format!("{kind} is now: True"),
        // An event of node-problem-detector has the same name.
        format!("Warning {kind} "),
    ]
}
