//! Calls of `kubectl` that fail: they say nothing about a node, because it runs on any machine.

/// What only `kubectl` writes about such calls, in lower case.
const TEXTS: [&str; 5] = [
    "unable to connect to the server: ",
    "did you specify the right host or port?",
    "you must be logged in to the server (",
    "couldn't get current server api group list",
    "couldn't get resource list for",
];

/// What happened if a call of `kubectl` failed.
pub(super) const OF_KUBECTL: &str = "kubectl cannot authenticate to the API server or reach it: nodes may have the same problem, but this does not show it.";

/// Reports whether `kubectl` writes a line, which says nothing about a node.
pub(super) fn is_of_kubectl(line: &str) -> bool {
    let lower = line.to_ascii_lowercase();
    TEXTS.iter().any(|text| lower.contains(text)) && !lower.contains("kubelet")
}
