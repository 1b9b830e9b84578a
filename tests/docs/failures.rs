//! Known failures without an exit code: the page for people, and that the rows are written alike.

use std::collections::BTreeSet;
use std::fmt::Write;

use aks_node_controller::catalogue::failures::{Layer, Source, failures};

pub fn page() -> String {
    let mut page = String::from(
        "# Failures by layer\n\n\
         Failures that `aks-node-controller explain` recognizes in texts without an exit code. Generated from \
         `src/catalogue/failures` by `make generate`. A failure rules out the layers before its own, in this order. \
         The layer `provisioning` also has the [exit codes](exit-codes.md) of the scripts. Replace the words in capitals in a \
         command. A source is the file that writes the text, or a page or thread that shows it; the version is the first one with it, \
         where it is known.\n",
    );
    for layer in Layer::all() {
        write!(
            page,
            "\n## {}\n\n{}\n\n| reason | cause | check | source |\n|---|---|---|---|\n",
            layer.name(),
            layer.meaning()
        )
        .expect("text takes text");
        for failure in failures().filter(|failure| failure.layer == layer) {
            let check = failure.checks.first().copied().unwrap_or_default().replace('|', "\\|");
            let source = cited(&failure.source);
            writeln!(page, "| {} | {} | {check} | {source} |", failure.reason, failure.cause).expect("text takes text");
        }
    }
    page
}

fn cited(source: &Source) -> String {
    let link = format!("[{}]({})", source.publisher.name(), source.url());
    source.since.map_or(link.clone(), |version| format!("{link}, since {version}"))
}

/// What a text means is known from the program that writes it, or from who saw it.
#[test]
fn every_failure_has_a_public_source() {
    for failure in failures() {
        let (reason, source) = (failure.reason, &failure.source);
        assert!(!source.place.is_empty(), "{reason} has no source");
        let is_address = |character: char| character.is_ascii_graphic() && !"()<>|\"".contains(character);
        assert!(
            source.url().chars().all(is_address) && !source.place.starts_with("http"),
            "{reason}: {}",
            source.url()
        );
        let Some(version) = source.since else { continue };
        assert!(source.publisher.has_versions(), "{reason}: a version of no program");
        assert!(version.split('.').all(|part| part.parse::<u16>().is_ok()), "{reason}: {version}");
    }
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
