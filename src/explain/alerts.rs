//! Alerts that show no failure: one that is over, and the rule that defines one.

use super::plain::plain;

/// Bytes of the longest message with alerts.
const LONGEST: usize = 64 << 10;

/// What shows that a text is one of Alertmanager or Azure Monitor.
const OF_ALERTS: [&str; 5] = ["alertname", "alertmanager", "monitoringservice", "kubenode", "kubelet"];

/// How they show that an alert is over: the title of a message, and the members of a webhook.
const OVER: [&str; 5] = [
    "[resolved]",
    "\"status\":\"resolved\"",
    "\"status\": \"resolved\"",
    "\"monitorcondition\":\"resolved\"",
    "\"monitorcondition\": \"resolved\"",
];

/// How they show one that is not over.
const FIRING: [&str; 5] = [
    "[firing",
    "\"status\":\"firing\"",
    "\"status\": \"firing\"",
    "\"monitorcondition\":\"fired\"",
    "\"monitorcondition\": \"fired\"",
];

/// Placeholders of a rule, which an alert has values for.
const PLACEHOLDERS: [&str; 2] = ["{{ $labels", "{{$labels"];

/// The member of a rule with its query.
const QUERIES: [&str; 2] = ["expr:", "\"expr\""];

/// The failures that alerts show, which name no cause: what a log beside them shows counts.
const SHOWN: [&str; 11] = [
    "CertificateExpiresSoon",
    "CertificateNotSigned",
    "DiskPressure",
    "HostMaintenance",
    "InstanceDeallocated",
    "KubeletStoppedPosting",
    "MemoryPressure",
    "NodeNotReady",
    "NodeRebooted",
    "NodeUnreachable",
    "PlegUnhealthy",
];

/// Reports whether a text has only alerts that are over, or rules of alerts, and the failure with this reason is of one of them.
pub(super) fn shows_no_failure(text: &str, reason: &str) -> bool {
    if text.len() > LONGEST || !SHOWN.contains(&reason) {
        return false;
    }
    let lower = plain(text).text.to_ascii_lowercase();
    let has = |texts: &[&str]| texts.iter().any(|text| lower.contains(text));
    has(&OF_ALERTS) && has(&OVER) && !has(&FIRING) || has(&PLACEHOLDERS) && has(&QUERIES)
}
