//! The journal in the formats for programs, `journalctl --output export` and `json`, as the lines that people read.

use std::fmt::Write;

use serde_json::Value;

use crate::moment::Moment;

/// The field that each entry has, in both formats: microseconds since 1970.
const TIME: &str = "__REALTIME_TIMESTAMP";

/// Returns the lines of a journal: `2026-11-22T05:54:11.512Z HOST kubelet[1234]: MESSAGE`. `None` for texts in other formats.
pub(crate) fn lines(text: &str) -> Option<String> {
    /// The most lines before the time of the first entry.
    const FIRST: usize = 8;
    if !text.lines().take(FIRST).any(|line| line.contains(TIME)) {
        return None;
    }
    let mut lines = String::new();
    if text.trim_start().starts_with('{') {
        for entry in text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok()) {
            add(&mut lines, |name| entry[name].as_str());
        }
    } else {
        for entry in text.replace("\r\n", "\n").split("\n\n") {
            let fields: Vec<_> = entry.lines().filter_map(|line| line.split_once('=')).collect();
            add(&mut lines, |name| fields.iter().find(|(field, _)| *field == name).map(|(_, value)| *value));
        }
    }
    // In another form, such as that of `json-pretty`, what it says is still evidence.
    (!lines.is_empty()).then_some(lines)
}

/// Adds the line of an entry.
fn add<'e>(lines: &mut String, field: impl Fn(&str) -> Option<&'e str>) {
    let (Some(time), Some(message)) = (field(TIME).and_then(time), field("MESSAGE")) else { return };
    let host = field("_HOSTNAME").unwrap_or("localhost");
    let program = field("SYSLOG_IDENTIFIER").or_else(|| field("_COMM")).unwrap_or("unknown");
    let id = field("_PID").map(|id| format!("[{id}]")).unwrap_or_default();
    writeln!(lines, "{time} {host} {program}{id}: {message}").expect("text takes text");
}

/// Returns the time of an entry, which is in microseconds.
fn time(microseconds: &str) -> Option<Moment> {
    Some(Moment(microseconds.parse::<i64>().ok()? / 1000))
}

#[cfg(test)]
mod tests {
    use super::lines;

    /// The form of `journal-export-formats.md` of <https://github.com/systemd/systemd>.
    #[test]
    fn entries_for_programs_become_lines() {
        let expected = "2026-11-22T05:54:11.512Z aks-1 kubelet[1234]: E1122 failed=\"x\"\n";
        let export = "__CURSOR=s=1\n__REALTIME_TIMESTAMP=1795326851512877\n_HOSTNAME=aks-1\nSYSLOG_IDENTIFIER=kubelet\n_PID=1234\n\
            MESSAGE=E1122 failed=\"x\"\n\n__CURSOR=s=2\n__REALTIME_TIMESTAMP=1795326851600000\n_HOSTNAME=aks-1\n\n";
        assert_eq!(lines(export).as_deref(), Some(expected));
        assert_eq!(lines(&export.replace('\n', "\r\n")).as_deref(), Some(expected));
        let json = "{\"__REALTIME_TIMESTAMP\":\"1795326851512877\",\"_HOSTNAME\":\"aks-1\",\"SYSLOG_IDENTIFIER\":\"kubelet\",\"_PID\":\"1234\",\
            \"MESSAGE\":\"E1122 failed=\\\"x\\\"\"}\n{\"cut";
        assert_eq!(lines(json).as_deref(), Some(expected));
        assert_eq!(lines(expected), None);
        let pretty = "{\n\t\"__REALTIME_TIMESTAMP\" : \"1795326851512877\",\n\t\"MESSAGE\" : \"x\"\n}\n";
        assert_eq!(lines(pretty), None);
    }
}
