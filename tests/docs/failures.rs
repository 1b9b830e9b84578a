//! Known failures without an exit code: the page for people, and that the rows are written alike.

use std::collections::BTreeSet;
use std::fmt::Write;

use aks_node_controller::catalogue::failures::{Layer, failures};

pub fn page() -> String {
    let mut page = String::from(
        "# Failures by layer\n\n\
         Failures that `aks-node-controller explain` recognizes in texts without an exit code. Generated from \
         `src/catalogue/failures` by `make generate`. A failure rules out the layers before its own, in this order. \
         The layer `provisioning` also has the [exit codes](exit-codes.md) of the scripts. Replace the words in capitals in a \
         command.\n",
    );
    for layer in Layer::all() {
        write!(page, "\n## {}\n\n{}\n\n| reason | cause | check |\n|---|---|---|\n", layer.name(), layer.meaning())
            .expect("text takes text");
        for failure in failures().filter(|failure| failure.layer == layer) {
            let check = failure.checks.first().copied().unwrap_or_default().replace('|', "\\|");
            writeln!(page, "| {} | {} | {check} |", failure.reason, failure.cause).expect("text takes text");
        }
    }
    page
}

#[test]
fn failures_are_written_alike() {
    let mut reasons = BTreeSet::new();
    for failure in failures() {
        let reason = failure.reason;
        assert!(reasons.insert(reason), "{reason} is there twice");
        assert!(!failure.checks.is_empty(), "{reason} has no check");
        for text in [failure.cause].iter().chain(failure.other_causes).chain(failure.checks) {
            assert!(
                text.starts_with(|first: char| first.is_uppercase())
                    || text.starts_with("cloud-init")
                    || text.starts_with("containerd"),
                "{reason}: {text}"
            );
            assert!(!text.ends_with('.') && !text.contains("  "), "{reason}: {text}");
        }
        for check in failure.checks {
            assert_eq!(check.matches('`').count(), 2, "{reason}: {check}");
        }
        let alone = [failure.any, failure.azure];
        let patterns: Vec<_> =
            alone.into_iter().chain(failure.near.into_iter().flat_map(|(one, other)| [one, other])).flatten().collect();
        assert!(
            !(patterns.is_empty()
                && failure.conditions.is_empty()
                && failure.klog.is_empty()
                && failure.journal.is_empty()),
            "{reason}"
        );
        for pattern in patterns {
            assert_eq!(*pattern, pattern.to_ascii_lowercase(), "{reason}");
            assert!(pattern.len() > 2 && !pattern.contains('\n'), "{reason}: {pattern}");
        }
    }
    assert!(reasons.len() >= 120, "{}", reasons.len());
}
