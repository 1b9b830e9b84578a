//! The journal in the formats for programs, `journalctl --output export` and `json`, as the lines that people read.

use std::fmt::Write;

use serde_json::Value;

use crate::diagnosis::moment::Moment;

/// The field that each entry has, in both formats: microseconds since 1970.
const TIME: &str = "__REALTIME_TIMESTAMP";

/// Returns the lines of a journal: `2026-11-22T05:54:11.512Z HOST kubelet[1234]: MESSAGE`. Texts in other formats are unchanged.
pub(super) fn as_lines(text: String) -> String {
    /// The most lines before the time of the first entry.
    const FIRST: usize = 8;
    if !text.lines().take(FIRST).any(|line| line.contains(TIME)) {
        return text;
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
    if lines.is_empty() { text } else { lines }
}

/// Adds the line of an entry.
fn add<'e>(lines: &mut String, field: impl Fn(&str) -> Option<&'e str>) {
    let microseconds = field(TIME).and_then(|time| time.parse::<i64>().ok());
    let (Some(microseconds), Some(message)) = (microseconds, field("MESSAGE")) else { return };
    let host = field("_HOSTNAME").unwrap_or("localhost");
    let program = field("SYSLOG_IDENTIFIER").or_else(|| field("_COMM")).unwrap_or("unknown");
    let id = field("_PID").map(|id| format!("[{id}]")).unwrap_or_default();
    writeln!(lines, "{} {host} {program}{id}: {message}", Moment(microseconds / 1000)).expect("text takes text");
}

#[cfg(test)]
mod tests {
    use super::as_lines;

    /// The form of `journal-export-formats.md` of <https://github.com/systemd/systemd>.
    #[test]
    fn entries_for_programs_become_lines() {
        let expected = "2026-11-22T05:54:11.512Z aks-1 kubelet[1234]: E1122 failed=\"x\"\n";
        let export = "__CURSOR=s=1\n__REALTIME_TIMESTAMP=1795326851512877\n_HOSTNAME=aks-1\nSYSLOG_IDENTIFIER=kubelet\n_PID=1234\n\
            MESSAGE=E1122 failed=\"x\"\n\n__CURSOR=s=2\n__REALTIME_TIMESTAMP=1795326851600000\n_HOSTNAME=aks-1\n\n";
        assert_eq!(as_lines(export.to_owned()), expected);
        assert_eq!(as_lines(export.replace('\n', "\r\n")), expected);
        let json = "{\"__REALTIME_TIMESTAMP\":\"1795326851512877\",\"_HOSTNAME\":\"aks-1\",\"SYSLOG_IDENTIFIER\":\"kubelet\",\"_PID\":\"1234\",\
            \"MESSAGE\":\"E1122 failed=\\\"x\\\"\"}\n{\"cut";
        assert_eq!(as_lines(json.to_owned()), expected);
        assert_eq!(as_lines(expected.to_owned()), expected);
        let pretty = "{\n\t\"__REALTIME_TIMESTAMP\" : \"1795326851512877\",\n\t\"MESSAGE\" : \"x\"\n}\n";
        assert_eq!(as_lines(pretty.to_owned()), pretty);
    }
}
