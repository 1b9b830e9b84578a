//! Feature gates of the kubelet, in its flag and in its configuration file.

use super::fields::{Context, Text, at, field};
use super::kubelet_version::{absence, minor_of, severity_of_unknown};
use super::syntax::go_bool;
use crate::catalogue::feature_gates::{Stage, WITH_SETTING, dependencies, gate_named, names};
use crate::catalogue::minors::{KNOWN, Presence};
use crate::catalogue::rules;
use crate::document::{DocPath, Finding, MOST_FINDINGS, Rule, Severity, Step, nearest};

/// Returns the gates in a value of `--feature-gates`. Leaves out entries that are not a name with a boolean.
fn pairs(value: &str) -> impl Iterator<Item = (&str, bool)> {
    let pairs = value.split(',').filter_map(|pair| pair.split_once('='));
    pairs.filter_map(|(name, switch)| Some((name.trim(), go_bool(switch.trim())?)))
}

/// Checks the value of `--feature-gates`.
pub(super) fn in_flag(flag: &Text<'_>, minor: Option<u64>, findings: &mut Vec<Finding>) {
    for (count, (name, on)) in pairs(flag.value).enumerate() {
        findings.extend(gate(name, on, minor, &|| flag.path(), count < MOST_FINDINGS));
    }
}

/// Returns the value that a document gives a gate. The flag overrides the kubelet's configuration file.
pub(super) fn value(context: &Context<'_>, name: &str) -> Option<bool> {
    let kubelet = context.configuration.kubelet_config.as_ref()?;
    let of_flag = context
        .flag("--feature-gates")
        .and_then(|flag| pairs(flag.value).filter(|(gate, _)| *gate == name).map(|(_, on)| on).last());
    let file = kubelet.kubelet_config_file_config.as_ref().filter(|_| kubelet.enable_kubelet_config_file);
    of_flag.or_else(|| file?.feature_gates.get(name).copied())
}

/// Checks the gates in the kubelet's configuration file. The kubelet reads it only if `enable_kubelet_config_file` is
/// `true`; otherwise errors are warnings.
pub(super) fn in_file(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let Some(kubelet) = &context.configuration.kubelet_config else { return };
    let Some(file) = &kubelet.kubelet_config_file_config else { return };
    let path = at(field!("kubelet_config.kubelet_config_file_config.feature_gates"));
    let minor = minor_of(context);
    for (count, (name, on)) in file.feature_gates.iter().enumerate() {
        let finding = gate(name, *on, minor, &|| path.join(Step::Key(name.clone())), count < MOST_FINDINGS);
        findings.extend(finding.map(|finding| {
            if kubelet.enable_kubelet_config_file { finding } else { finding.severity(Severity::Warning) }
        }));
    }
}

/// Gates that set the defaults of many others.
const ALL_ALPHA: &str = "AllAlpha";
const ALL_BETA: &str = "AllBeta";

/// Reports whether a gate is on, given the values of `AllAlpha` and `AllBeta`.
fn state(context: &Context<'_>, name: &str, stage: Stage, [alpha, beta]: [Option<bool>; 2]) -> bool {
    value(context, name).unwrap_or(match stage {
        Stage::Alpha => alpha.unwrap_or(false),
        Stage::Beta(default) => beta.unwrap_or(default),
        Stage::Other(default) => default,
    })
}

/// Returns where a document sets a gate.
fn place(context: &Context<'_>, name: &str) -> Option<(DocPath, &'static Rule)> {
    let flag = context.flag("--feature-gates").filter(|flag| pairs(flag.value).any(|(gate, _)| gate == name));
    if let Some(flag) = flag {
        return Some((flag.path(), &rules::KUBELET_FLAG_VALUE));
    }
    value(context, name)?;
    let path = at(field!("kubelet_config.kubelet_config_file_config.feature_gates"));
    Some((path.join(Step::Key(name.to_owned())), &rules::KUBELET_FILE_VALUE))
}

/// The kubelet does not start with gates that do not fit each other, or with one that does not fit its setting.
pub(super) fn combinations(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let Some(kubelet) = &context.configuration.kubelet_config else { return };
    let is_set = |name| context.flag(name).is_some();
    let in_file = kubelet.kubelet_config_file_config.as_ref().is_some_and(|file| !file.feature_gates.is_empty());
    let Some(minor) = minor_of(context).filter(|_| is_set("--feature-gates") || in_file) else { return };
    let all = [value(context, ALL_ALPHA), value(context, ALL_BETA)];
    for dependency in dependencies(minor) {
        let ((gate, stage), (needed, its_stage)) = (dependency.gate, dependency.needs);
        let place = || [needed, gate, ALL_ALPHA, ALL_BETA].into_iter().find_map(|name| place(context, name));
        let is_violated = state(context, gate, stage, all) && !state(context, needed, its_stage, all);
        if let Some((path, rule)) = is_violated.then(place).flatten() {
            let problem = format!(
                "has the feature gate `{gate}` on, which needs `{needed}`, which is off: the kubelet does not start"
            );
            let hint = format!("add `{needed}=true`, or `{gate}=false`");
            findings.push(Finding::violation(rule, path, problem).hint(hint));
        }
    }
    if kubelet.enable_kubelet_config_file || is_set("--config") || is_set("--config-dir") {
        return;
    }
    for (name, since, on_since) in WITH_SETTING {
        let default = minor >= on_since;
        let Some(flag) = context.flag("--feature-gates").filter(|_| (since..=*KNOWN.end()).contains(&minor)) else {
            continue;
        };
        let stage = if default { Stage::Beta(true) } else { Stage::Alpha };
        if state(context, name, stage, all) != default {
            let problem = format!(
                "sets the feature gate `{name}` to `{}`, for which the kubelet needs a configuration file: it does not start",
                !default
            );
            findings.push(Finding::violation(&rules::KUBELET_FLAG_VALUE, flag.path(), problem).hint("remove it"));
        }
    }
}

/// Returns the finding for setting a gate, with a suggestion if requested. The path does not always name the gate.
fn gate(name: &str, on: bool, minor: Option<u64>, path: &dyn Fn() -> DocPath, suggests: bool) -> Option<Finding> {
    let subject = format!("sets the feature gate `{name}`, which");
    let Some(known) = gate_named(name) else {
        let severity = severity_of_unknown(minor);
        let problem = match severity {
            Severity::Error => format!("{subject} does not exist: the kubelet does not start with it"),
            Severity::Warning | Severity::Note => {
                format!("{subject} does not exist in Kubernetes 1.{} to 1.{}", KNOWN.start(), KNOWN.end())
            }
        };
        let finding = Finding::violation(&rules::UNKNOWN_FEATURE_GATE, path(), problem).severity(severity);
        let present = names().filter(|name| {
            let gate = gate_named(name).expect("the name is from the table");
            minor.is_none_or(|minor| gate.lifetime.at(minor) == Presence::Present)
        });
        return Some(match suggests.then(|| nearest(name, present)).flatten() {
            Some(meant) => finding.hint(format!("did you mean `{meant}`?")),
            None => finding,
        });
    };
    let minor = minor?;
    let presence = known.lifetime.at(minor);
    if presence != Presence::Present {
        let problem = format!("{subject} {}", absence(presence, minor));
        let hint = match (presence, known.lock()) {
            (Presence::RemovedIn(_), Some((_, true))) => "remove it: the feature is always on",
            (Presence::RemovedIn(_), Some((_, false))) => "remove it: the feature is always off",
            _ => "remove it",
        };
        return Some(Finding::violation(&rules::FEATURE_GATE_VERSION, path(), problem).hint(hint));
    }
    let (_, fixed) = known.lock().filter(|(since, fixed)| *since <= minor && *fixed != on)?;
    let state = if fixed { "on" } else { "off" };
    let problem =
        format!("{subject} is always {state} in Kubernetes 1.{minor}, to `{on}`: the kubelet does not start with it");
    Some(Finding::violation(&rules::LOCKED_FEATURE_GATE, path(), problem).hint("remove it"))
}
