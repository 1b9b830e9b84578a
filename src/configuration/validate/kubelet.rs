//! The kubelet: configuration file and node labels.

use super::fields::{Context, TextRule, at, quoted};
use super::syntax::{is_ip, is_label_key, is_label_value, is_quantity, is_threshold};
use crate::catalogue;
use crate::catalogue::kubelet_flags::{CPU_MANAGER_POLICIES, TOPOLOGY_MANAGER_POLICIES};
use crate::catalogue::rules;
use crate::document::duration::is_go_duration;
use crate::document::{DocPath, Finding, Severity};

pub(super) fn labels(context: &Context<'_>, findings: &mut Vec<Finding>) {
    for text in context.texts("kubelet_config.kubelet_node_labels") {
        label(&text.path, text.key().unwrap_or_default(), text.value, findings);
    }
}

pub(super) fn label(path: &DocPath, key: &str, value: &str, findings: &mut Vec<Finding>) {
    if !is_label_key(key) {
        let expected = "a label key: up to 63 letters, digits, `-`, `_` and `.`, after an optional `domain/`";
        findings.push(Finding::unexpected(&rules::LABEL, path.clone(), expected, quoted(key)));
    } else if !catalogue::labels::is_allowed(key) {
        findings.push(Finding::violation(
            &rules::RESERVED_LABEL,
            path.clone(),
            format!("sets the label `{key}`, which the API server does not let a kubelet set"),
        ));
    }
    if !is_label_value(value) {
        let expected =
            "a label value: up to 63 letters, digits, `-`, `_` and `.`, starting and ending with a letter or digit";
        findings.push(Finding::unexpected(&rules::LABEL, path.clone(), expected, quoted(value)));
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
    ("cpu_manager_policy", |text| CPU_MANAGER_POLICIES.contains(&text), "`none` or `static`"),
    (
        "topology_manager_policy",
        |text| TOPOLOGY_MANAGER_POLICIES.contains(&text),
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

/// Paths below `kubelet_config_file_config` of fields that the reference, too, writes with `Ttl` where the kubelet has `TTL`.
const UNREAD: [&str; 3] = [
    "authentication.webhook.cache_ttl",
    "authorization.webhook.cache_authorized_ttl",
    "authorization.webhook.cache_unauthorized_ttl",
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
        findings.extend(texts.map(|text| text.must_be(&rules::KUBELET_FILE_VALUE, expected).severity(severity)));
    }
    for (name, smallest, largest) in FILE_NUMBERS {
        let number = context.number(&below(name)).filter(|number| !(*smallest..=*largest).contains(&number.value));
        findings.extend(number.map(|number| {
            let range =
                if *largest == i32::MAX { format!("at least {smallest}") } else { format!("{smallest} to {largest}") };
            number.must_be(&rules::KUBELET_FILE_VALUE, range).severity(severity)
        }));
    }
    for name in UNREAD {
        findings.extend(context.texts(&below(name)).into_iter().map(|text| {
            let problem = "has no effect: the contract writes it under a name that the kubelet does not read";
            Finding::violation(&rules::UNREAD_KUBELET_FIELD, text.path, problem).hint("remove it")
        }));
    }
    let Some(file) = kubelet.and_then(|kubelet| kubelet.kubelet_config_file_config.as_ref()) else { return };
    if let (Some(high), Some(low)) = (file.image_gc_high_threshold_percent, file.image_gc_low_threshold_percent)
        && low >= high
    {
        findings.push(
            Finding::violation(
                &rules::IMAGE_GC,
                at("kubelet_config.kubelet_config_file_config.image_gc_low_threshold_percent"),
                format!("must be below `image_gc_high_threshold_percent`, found {low} and {high}"),
            )
            .severity(severity),
        );
    }
    #[expect(deprecated, reason = "documents may still set it, which is a warning")]
    let has_timeout = !file.streaming_connection_idle_timeout.is_empty();
    if has_timeout && context.kubernetes.as_ref().is_some_and(crate::configuration::Version::lacks_streaming_timeout) {
        let path = at("kubelet_config.kubelet_config_file_config.streaming_connection_idle_timeout");
        let problem = "has no effect from Kubernetes 1.34 on";
        findings.push(Finding::violation(&rules::STREAMING_TIMEOUT, path, problem).hint("remove it"));
    }
}

#[cfg(test)]
mod tests {
    use super::UNREAD;
    use crate::catalogue::kubelet_fields::FIELDS;
    use crate::catalogue::minors::Lifetime;
    use crate::configuration::{Descriptor, Kind, KubeletConfigFileConfig, Label};

    #[test]
    fn the_fields_of_the_kubelet_are_in_order_and_fit_the_known_versions() {
        assert!(FIELDS.is_sorted_by(|a, b| a.0 < b.0));
        assert!(FIELDS.len() > 140);
        for (path, kind, lifetime) in FIELDS {
            assert!(lifetime.is_plausible(), "{path}");
            let parent = path.rsplit_once('.').map(|(parent, _)| parent.trim_end_matches("[]").trim_end_matches("{}"));
            assert!(parent.is_none_or(|parent| FIELDS.iter().any(|row| row.0 == parent)), "{path}: {kind}");
        }
    }

    /// A kubelet ignores a field that it does not know, except for a line in its log.
    #[test]
    fn every_known_kubelet_reads_every_field_of_the_contract() {
        let count = compare(KubeletConfigFileConfig::descriptor(), "", "");
        assert!(count > 50, "the contract has only {count} fields");
    }

    fn compare(descriptor: &'static Descriptor, prefix: &str, names: &str) -> usize {
        let mut count = 0;
        for field in descriptor.fields {
            let path = format!("{prefix}{}", field.json_name);
            count += 1;
            let name = format!("{names}{}", field.name);
            if UNREAD.contains(&name.as_str()) {
                assert!(
                    FIELDS.iter().all(|row| row.0 != path)
                        && FIELDS.iter().any(|row| row.0.eq_ignore_ascii_case(&path))
                );
                continue;
            }
            let (_, kind, lifetime) =
                FIELDS.iter().find(|row| row.0 == path).unwrap_or_else(|| panic!("no kubelet has {path}"));
            assert_eq!(*lifetime, Lifetime::ALWAYS, "{path}");
            let element = match field.label {
                Label::Repeated => kind.strip_prefix("list of "),
                Label::Map => kind.strip_prefix("map of "),
                _ => Some(*kind),
            };
            let element = element.unwrap_or_else(|| panic!("{path} is of type {kind}"));
            let fits = match field.kind {
                Kind::Text => ["string", "Duration", "Quantity"].contains(&element),
                Kind::Bool => element == "bool",
                Kind::Integer => ["int32", "int64"].contains(&element),
                Kind::Message(_) => element == "message",
                _ => false,
            };
            assert!(fits, "{path} is of type {kind}");
            if let Kind::Message(inner) = field.kind {
                count += compare(inner, &format!("{path}."), &format!("{name}."));
            }
        }
        count
    }
}
