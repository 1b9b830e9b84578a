//! Errors that programs of a node report about themselves.

use serde_json::Value;

use super::evidence::{Evidence, Source};
use crate::redaction::presentable;

/// Returns the errors that cloud-init reports about its run, at most five.
pub(super) fn cloud_init_errors(evidence: &Evidence) -> Vec<String> {
    let mut errors = Vec::new();
    for item in evidence.of(Source::CloudInitResult) {
        let value: Value = serde_json::from_str(&item.text).unwrap_or_default();
        let stages = value.get("v1").and_then(Value::as_object).into_iter().flatten();
        let of_stages = stages.clone().filter_map(|(_, stage)| stage.get("errors"));
        let lists = stages.filter(|(name, _)| *name == "errors").map(|(_, list)| list).chain(of_stages);
        errors.extend(
            lists
                .filter_map(Value::as_array)
                .flatten()
                .filter_map(Value::as_str)
                .map(|text| presentable(text).into_string()),
        );
    }
    errors.sort();
    errors.dedup();
    errors.truncate(5);
    errors
}

/// Returns the last lines of the kubelet about failures: errors in its log, and its last lines before it exited. At
/// most eight, each once.
pub(super) fn kubelet_lines(evidence: &Evidence) -> Vec<String> {
    let is_error = |line: &str| {
        let of_journal = line.split_once("kubelet[").and_then(|(_, message)| message.split_once("]: "));
        // A log of its own has no prefix.
        let message = of_journal.map_or(line, |(_, message)| message);
        // `E1122 05:54:15.123456    1234 server.go:205] …`, or the last line of a kubelet that does not start
        let klog = message.as_bytes().first().zip(message.as_bytes().get(1));
        klog.is_some_and(|(level, digit)| (*level == b'E' || *level == b'F') && digit.is_ascii_digit())
            || message.starts_with("Error: ")
            || message.starts_with("panic: ")
    };
    let mut found: Vec<String> = Vec::new();
    for item in evidence.of(Source::Journal) {
        for line in item.text.lines().rev().take(20_000).filter(|line| is_error(line)) {
            let message = line.split_once("]: ").map_or(line, |(_, message)| message);
            // A repeated message only differs in its time.
            let message = message.split_once("] ").map_or(message, |(_, message)| message);
            let message = presentable(message).into_string();
            if !found.contains(&message) {
                found.push(message);
            }
            if found.len() == 8 {
                break;
            }
        }
    }
    found.truncate(8);
    found.reverse();
    found
}
