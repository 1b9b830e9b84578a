//! The kubelet: flags, configuration file, and node labels.

use super::fields::{Context, Text, TextRule, at, quoted, rule, unexpected};
use super::syntax::{
    is_go_bool, is_integer, is_ip, is_label_key, is_label_value, is_quantity, is_taint, is_threshold, is_word,
};
use crate::catalogue;
use crate::catalogue::kubelet_flags::{FlagType, STREAMING_TIMEOUT, flag_type, removed_by};
use crate::document::duration::is_go_duration;
use crate::document::{DocPath, Finding, Severity};

/// Flags are written into one line, separated by spaces, so a value with a space becomes two arguments.
pub(super) fn flags(context: &Context<'_>, findings: &mut Vec<Finding>) {
    for flag in context.texts("kubelet_config.kubelet_flags") {
        let name = flag.key().unwrap_or_default();
        if !is_flag_name(name) {
            let problem = "`--` followed by lower-case letters, digits and `-`";
            let finding = unexpected(Severity::Error, flag.path.clone(), problem, quoted(name));
            let dashed = format!("--{}", name.trim_start_matches('-'));
            findings.push(if is_flag_name(&dashed) { finding.hint(format!("write `{dashed}`")) } else { finding });
            continue;
        }
        if is_word(flag.value) {
            read(flag_type(name), &flag, findings);
        } else {
            let problem = "free of whitespace, which separates flags";
            findings.push(flag.must_be(Severity::Error, problem));
        }
        let Some(version) = &context.kubernetes else { continue };
        if version.major() == 1
            && let Some(removed) = removed_by(name, version.minor())
        {
            let problem = format!("was removed in Kubernetes 1.{}: the kubelet does not start with it", removed.since);
            findings.push(rule(Severity::Error, flag.path.clone(), problem).hint(removed.instead));
        }
        if name == STREAMING_TIMEOUT && version.lacks_streaming_timeout() {
            findings.push(streaming_timeout(flag.path));
        }
    }
}

fn is_flag_name(name: &str) -> bool {
    name.strip_prefix("--").is_some_and(|rest| {
        rest.starts_with(|first: char| first.is_ascii_lowercase())
            && rest.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
    })
}

fn streaming_timeout(path: DocPath) -> Finding {
    rule(Severity::Warning, path, "has no effect from Kubernetes 1.34 on").hint("remove it")
}

fn read(flag_type: FlagType, flag: &Text<'_>, findings: &mut Vec<Finding>) {
    let elements = || flag.value.split(',').filter(|element| !element.is_empty());
    let (fits, expected) = match flag_type {
        FlagType::Text => return,
        FlagType::Integer => (is_integer(flag.value), "an integer"),
        FlagType::Bool => (is_go_bool(flag.value), "`true` or `false`"),
        FlagType::Duration => (is_go_duration(flag.value), "a duration such as `10s`"),
        FlagType::Addresses => (flag.value.is_empty() || flag.value.split(',').all(is_ip), "IP addresses"),
        FlagType::Switches => (
            elements().all(|pair| pair.split_once('=').is_some_and(|(_, switch)| is_go_bool(switch))),
            "`name=true` or `name=false`, separated by commas",
        ),
        FlagType::Labels => {
            for (key, value) in elements().filter_map(|pair| pair.split_once('=')) {
                label(&flag.path, key, value, findings);
            }
            return;
        }
        FlagType::Taints => {
            for taint in elements().filter(|taint| !is_taint(taint)) {
                let expected = "`key=value:effect` with effect `NoSchedule`, `PreferNoSchedule` or `NoExecute`";
                findings.push(unexpected(Severity::Error, flag.path.clone(), expected, quoted(taint)));
            }
            return;
        }
    };
    if !fits {
        findings.push(flag.must_be(Severity::Error, expected));
    }
}

pub(super) fn labels(context: &Context<'_>, findings: &mut Vec<Finding>) {
    for text in context.texts("kubelet_config.kubelet_node_labels") {
        label(&text.path, text.key().unwrap_or_default(), text.value, findings);
    }
}

fn label(path: &DocPath, key: &str, value: &str, findings: &mut Vec<Finding>) {
    if !is_label_key(key) {
        let expected = "a label key: up to 63 letters, digits, `-`, `_` and `.`, after an optional `domain/`";
        findings.push(unexpected(Severity::Error, path.clone(), expected, quoted(key)));
    } else if !catalogue::labels::is_allowed(key) {
        findings.push(rule(
            Severity::Error,
            path.clone(),
            format!("sets the label `{key}`, which the API server does not let a kubelet set"),
        ));
    }
    if !is_label_value(value) {
        let expected =
            "a label value: up to 63 letters, digits, `-`, `_` and `.`, starting and ending with a letter or digit";
        findings.push(unexpected(Severity::Error, path.clone(), expected, quoted(value)));
    }
}

/// Paths below `kubelet_config_file_config`.
const FILE_TEXTS: &[TextRule] = &[
    ("kind", |text| text == "KubeletConfiguration", "`KubeletConfiguration`"),
    ("api_version", |text| text == "kubelet.config.k8s.io/v1beta1", "`kubelet.config.k8s.io/v1beta1`"),
    ("address", is_ip, "an IP address"),
    ("cluster_dns", is_ip, "an IP address"),
    ("streaming_connection_idle_timeout", is_go_duration, DURATION),
    ("node_status_update_frequency", is_go_duration, DURATION),
    ("node_status_report_frequency", is_go_duration, DURATION),
    ("cpu_cfs_quota_period", is_go_duration, DURATION),
    ("authentication.webhook.cache_ttl", is_go_duration, DURATION),
    ("authorization.webhook.cache_authorized_ttl", is_go_duration, DURATION),
    ("authorization.webhook.cache_unauthorized_ttl", is_go_duration, DURATION),
    ("eviction_soft_grace_period", is_go_duration, DURATION),
    ("authorization.mode", |text| ["Webhook", "AlwaysAllow"].contains(&text), "`Webhook` or `AlwaysAllow`"),
    ("cpu_manager_policy", |text| ["none", "static"].contains(&text), "`none` or `static`"),
    (
        "topology_manager_policy",
        |text| ["none", "best-effort", "restricted", "single-numa-node"].contains(&text),
        "`none`, `best-effort`, `restricted` or `single-numa-node`",
    ),
    ("container_log_max_size", is_quantity, "a quantity such as `50Mi`"),
    ("kube_reserved", is_quantity, "a quantity such as `100m` or `1Gi`"),
    ("system_reserved", is_quantity, "a quantity such as `100m` or `1Gi`"),
    ("eviction_hard", is_threshold, "a quantity such as `750Mi` or a percentage such as `10%`"),
    ("eviction_soft", is_threshold, "a quantity such as `750Mi` or a percentage such as `10%`"),
];
const DURATION: &str = "a duration such as `10s`";

/// Paths below `kubelet_config_file_config`, with the smallest and the largest value.
const FILE_NUMBERS: &[(&str, i32, i32)] = &[
    ("container_log_max_files", 2, i32::MAX),
    ("event_record_qps", 0, i32::MAX),
    ("eviction_max_pod_grace_period", 0, i32::MAX),
    ("image_gc_high_threshold_percent", 0, 100),
    ("image_gc_low_threshold_percent", 0, 100),
    ("max_pods", 0, i32::MAX),
    ("pod_pids_limit", -1, i32::MAX),
    ("read_only_port", 0, 65_535),
];

/// The file is written in any case, but the kubelet reads it only if `enable_kubelet_config_file` is `true`. Otherwise
/// its errors are warnings.
pub(super) fn file(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let kubelet = context.configuration.kubelet_config.as_ref();
    let severity = if kubelet.is_some_and(|kubelet| kubelet.enable_kubelet_config_file) {
        Severity::Error
    } else {
        Severity::Warning
    };
    let below = |name: &str| format!("kubelet_config.kubelet_config_file_config.{name}");
    for (name, fits, expected) in FILE_TEXTS {
        let texts = context.texts(&below(name)).into_iter().filter(|text| !fits(text.value));
        findings.extend(texts.map(|text| text.must_be(severity, expected)));
    }
    for (name, smallest, largest) in FILE_NUMBERS {
        let number = context.number(&below(name)).filter(|number| !(*smallest..=*largest).contains(&number.value));
        findings.extend(number.map(|number| {
            let range =
                if *largest == i32::MAX { format!("at least {smallest}") } else { format!("{smallest} to {largest}") };
            number.must_be(severity, range)
        }));
    }
    let Some(file) = kubelet.and_then(|kubelet| kubelet.kubelet_config_file_config.as_ref()) else { return };
    if let (Some(high), Some(low)) = (file.image_gc_high_threshold_percent, file.image_gc_low_threshold_percent)
        && low >= high
    {
        findings.push(rule(
            severity,
            at("kubelet_config.kubelet_config_file_config.image_gc_low_threshold_percent"),
            format!("must be below `image_gc_high_threshold_percent`, found {low} and {high}"),
        ));
    }
    #[expect(deprecated, reason = "documents may still set it, which is a warning")]
    let has_timeout = !file.streaming_connection_idle_timeout.is_empty();
    if has_timeout && context.kubernetes.as_ref().is_some_and(crate::configuration::Version::lacks_streaming_timeout) {
        findings
            .push(streaming_timeout(at("kubelet_config.kubelet_config_file_config.streaming_connection_idle_timeout")));
    }
}
