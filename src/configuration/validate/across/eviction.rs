//! Checks of thresholds for eviction, which are in flags and in the configuration file of the kubelet.

use std::collections::HashSet;

use super::super::fields::{Context, Text, field};
use super::super::syntax::quantity;
use crate::catalogue::rules;
use crate::document::{DocPath, Finding, Rule, Severity};

/// A share of a resource that no node has free: the system and Kubernetes need a part.
const NEVER_FREE: f64 = 90.0;

/// A threshold: the signal, its value, and where it is.
type Threshold<'c> = (&'c str, &'c str, DocPath);

/// Returns the thresholds of a flag. The kubelet reads those of the file only without the flag.
pub(super) fn of_flag<'c>(flag: &Text<'c>) -> Vec<Threshold<'c>> {
    let pairs = flag.value.trim_matches(['"', '\'']).split(',').filter_map(|pair| pair.split_once('<'));
    pairs.map(|(signal, value)| (signal.trim(), value.trim(), flag.path())).collect()
}

pub(super) fn thresholds(context: &Context<'_>, findings: &mut Vec<Finding>) {
    for name in ["--eviction-hard", "--eviction-soft"] {
        if let Some(flag) = context.flag(name) {
            for (signal, value, path) in of_flag(&flag) {
                findings.extend(useless_threshold(signal, value, path));
            }
        }
    }
    if !super::reads_file(context) {
        return;
    }
    for field in [
        field!("kubelet_config.kubelet_config_file_config.eviction_hard"),
        field!("kubelet_config.kubelet_config_file_config.eviction_soft"),
    ] {
        for text in context.texts(field) {
            findings.extend(useless_threshold(text.key().unwrap_or_default(), text.value, text.path()));
        }
    }
}

/// Returns a finding for a threshold that every node exceeds, or that the kubelet ignores or rejects: `parseThresholdStatement` in
/// `pkg/kubelet/eviction/helpers.go`.
pub(crate) fn useless_threshold(signal: &str, value: &str, path: DocPath) -> Option<Finding> {
    let Some(share) = value.strip_suffix('%') else {
        let problem =
            format!("has the threshold {value} for `{signal}`, which must be more than 0: the kubelet does not start");
        let is_zero = quantity(value).is_some_and(|amount| amount == 0.0);
        return is_zero.then(|| Finding::violation(&rules::KUBELET_FLAG_VALUE, path, problem));
    };
    let share: f64 = share.parse().ok()?;
    let (problem, hint) = if value == "100%" {
        (
            format!("has the threshold 100% for `{signal}`, which the kubelet ignores"),
            "remove it, or write a smaller part",
        )
    } else if (NEVER_FREE..=100.0).contains(&share) {
        let problem = format!(
            "keeps {value} free for `{signal}`, which no node has: it is under pressure at once, and no pod starts"
        );
        (problem, "AKS keeps 100Mi of memory, and 10% of the disk")
    } else {
        return None;
    };
    Some(Finding::violation(&rules::RESERVED_RESOURCES, path, problem).severity(Severity::Warning).hint(hint))
}

/// Returns the finding for a soft threshold without a grace period.
pub(crate) fn without_grace_period(signal: &str, rule: &'static Rule, path: DocPath) -> Finding {
    let problem = format!("needs a grace period for `{signal}`, without which the kubelet does not start");
    Finding::violation(rule, path, problem)
}

/// A soft threshold of the configuration file needs its grace period there, unless flags replace both.
pub(super) fn grace_periods(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let flags = ["--eviction-soft", "--eviction-soft-grace-period"];
    if !super::reads_file(context) || flags.iter().any(|flag| context.flag(flag).is_some()) {
        return;
    }
    let periods = field!("kubelet_config.kubelet_config_file_config.eviction_soft_grace_period");
    let periods: Vec<_> = context.texts(periods).collect();
    let signals: HashSet<_> = periods.iter().map(Text::key).collect();
    for text in context.texts(field!("kubelet_config.kubelet_config_file_config.eviction_soft")) {
        if !signals.contains(&text.key()) {
            let signal = text.key().unwrap_or_default();
            let finding = without_grace_period(signal, &rules::KUBELET_FILE_VALUE, text.path());
            let hint = format!("set `eviction_soft_grace_period` of `{signal}` to `30s`");
            findings.push(finding.hint(hint));
        }
    }
}
