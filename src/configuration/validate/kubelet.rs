//! The kubelet: configuration file and node labels.

use super::fields::{Context, MessageAt, Text, TextRule, at, field, quoted};
use super::flag_choices::{ENFORCEMENTS, TLS_CIPHER_SUITES};
use super::flag_forms::{RESOURCES, SIGNALS, unknown_name};
use super::syntax::{is_host_name, is_ip, is_label_key, is_label_value, is_threshold, is_whole_quantity, quantity};
use crate::catalogue;
use crate::catalogue::kubelet_flags::{CPU_MANAGER_POLICIES, TOPOLOGY_MANAGER_POLICIES};
use crate::catalogue::rules;
use crate::configuration::FieldPath;
use crate::document::duration::{is_go_duration, parse};
use crate::document::{Finding, Severity};

pub(super) fn labels(context: &Context<'_>, findings: &mut Vec<Finding>) {
    for text in context.texts(field!("kubelet_config.kubelet_node_labels")) {
        label(&text, text.key().unwrap_or_default(), text.value, findings);
    }
}

/// Checks the label at `place`.
pub(super) fn label(place: &Text<'_>, key: &str, value: &str, findings: &mut Vec<Finding>) {
    if !is_label_key(key) {
        let expected = "a label key: up to 63 letters, digits, `-`, `_` and `.`, after an optional `domain/`";
        findings.push(Finding::unexpected(&rules::LABEL, place.path(), expected, quoted(key)));
    } else if !catalogue::labels::is_allowed(key) {
        let problem = format!("sets the label `{key}`, which the API server does not let a kubelet set");
        findings.push(Finding::violation(&rules::RESERVED_LABEL, place.path(), problem));
    }
    if !is_label_value(value) {
        let expected =
            "a label value: up to 63 letters, digits, `-`, `_` and `.`, starting and ending with a letter or digit";
        findings.push(Finding::unexpected(&rules::LABEL, place.path(), expected, quoted(value)));
    }
}

/// A path below `kubelet_config_file_config`.
macro_rules! in_file {
    ($path:literal) => {
        field!(KubeletConfigFileConfig, $path)
    };
}

/// Paths below `kubelet_config_file_config`.
const FILE_TEXTS: &[TextRule] = &[
    (in_file!("kind"), |text| text == "KubeletConfiguration", "`KubeletConfiguration`"),
    (in_file!("api_version"), |text| text == "kubelet.config.k8s.io/v1beta1", "`kubelet.config.k8s.io/v1beta1`"),
    (in_file!("address"), is_ip, "an IP address"),
    (in_file!("cluster_dns"), is_ip, "an IP address"),
    (in_file!("cluster_domain"), is_host_name, "a domain such as `cluster.local`"),
    (in_file!("node_status_update_frequency"), is_go_duration, DURATION),
    (in_file!("node_status_report_frequency"), is_go_duration, DURATION),
    (in_file!("cpu_cfs_quota_period"), is_go_duration, DURATION),
    (
        in_file!("eviction_soft_grace_period"),
        |text| parse(text).is_some_and(|time| time >= 0),
        "a duration of 0 or more",
    ),
    (in_file!("authorization.mode"), |text| ["Webhook", "AlwaysAllow"].contains(&text), "`Webhook` or `AlwaysAllow`"),
    (in_file!("cpu_manager_policy"), |text| CPU_MANAGER_POLICIES.contains(&text), "`none` or `static`"),
    (
        in_file!("topology_manager_policy"),
        |text| TOPOLOGY_MANAGER_POLICIES.contains(&text),
        "`none`, `best-effort`, `restricted` or `single-numa-node`",
    ),
    (in_file!("container_log_max_size"), is_whole_quantity, "a quantity such as `50Mi`, without a fraction"),
    (in_file!("kube_reserved"), is_amount, "a quantity such as `100m` or `1Gi`"),
    (in_file!("system_reserved"), is_amount, "a quantity such as `100m` or `1Gi`"),
    (in_file!("eviction_hard"), is_threshold, "a quantity such as `750Mi` or a percentage such as `10%`"),
    (in_file!("eviction_soft"), is_threshold, "a quantity such as `750Mi` or a percentage such as `10%`"),
];

/// A quantity that is not negative.
fn is_amount(text: &str) -> bool {
    quantity(text).is_some_and(|amount| amount >= 0.0)
}
const DURATION: &str = "a duration such as `10s`";

/// Paths below `kubelet_config_file_config` whose values the kubelet only compares when it reads the file.
const FILE_WORDS: &[TextRule] = &[
    (in_file!("tls_cipher_suites"), |text| TLS_CIPHER_SUITES.contains(&text), "the name of a TLS cipher suite of Go"),
    (
        in_file!("enforce_node_allocatable"),
        |text| ENFORCEMENTS.contains(&text),
        "`none`, `pods`, `system-reserved` or `kube-reserved`",
    ),
];

/// Maps below `kubelet_config_file_config`, with the names that the kubelet knows.
const FILE_NAMES: &[(&FieldPath, &[&str])] = &[
    (in_file!("eviction_hard"), SIGNALS),
    (in_file!("eviction_soft"), SIGNALS),
    (in_file!("eviction_soft_grace_period"), SIGNALS),
    (in_file!("kube_reserved"), RESOURCES),
    (in_file!("system_reserved"), RESOURCES),
];

/// Paths below `kubelet_config_file_config`, with the smallest and the largest value.
const FILE_NUMBERS: &[(&FieldPath, i32, i32)] = &[
    (in_file!("container_log_max_files"), 2, i32::MAX),
    (in_file!("event_record_qps"), 0, i32::MAX),
    (in_file!("eviction_max_pod_grace_period"), 0, i32::MAX),
    (in_file!("image_gc_high_threshold_percent"), 0, 100),
    (in_file!("image_gc_low_threshold_percent"), 0, 100),
    (in_file!("max_pods"), 0, i32::MAX),
    (in_file!("pod_pids_limit"), -1, i32::MAX),
    (in_file!("read_only_port"), 0, 65_535),
];

/// Fields in which every negative number has the same meaning for the kubelet.
const ANY_NEGATIVE: [&str; 2] = ["eviction_max_pod_grace_period", "pod_pids_limit"];

/// Paths below `kubelet_config_file_config` of fields that the reference also writes with `Ttl` where the kubelet
/// expects `TTL`.
const UNREAD: [&FieldPath; 3] = [
    in_file!("authentication.webhook.cache_ttl"),
    in_file!("authorization.webhook.cache_authorized_ttl"),
    in_file!("authorization.webhook.cache_unauthorized_ttl"),
];

/// The file is written in any case, but the kubelet reads it only if `enable_kubelet_config_file` is `true`. Otherwise
/// its errors are warnings.
pub(super) fn file(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let Some(kubelet) = &context.configuration.kubelet_config else { return };
    let Some(file) = &kubelet.kubelet_config_file_config else {
        if kubelet.enable_kubelet_config_file {
            let path = at(field!("kubelet_config.kubelet_config_file_config"));
            let problem = "is not set, but `enable_kubelet_config_file` is `true`: the kubelet reads an empty file and does not start";
            findings.push(Finding::violation(&rules::KUBELET_FILE_VALUE, path, problem));
        }
        return;
    };
    let severity = if kubelet.enable_kubelet_config_file { Severity::Error } else { Severity::Warning };
    let members = MessageAt { message: file, path: at(field!("kubelet_config.kubelet_config_file_config")) };
    for (field, expected) in
        [(in_file!("kind"), "`KubeletConfiguration`"), (in_file!("api_version"), "`kubelet.config.k8s.io/v1beta1`")]
    {
        if kubelet.enable_kubelet_config_file && members.texts(field).next().is_none() {
            let problem =
                format!("must be {expected}, without which the kubelet does not read the file and does not start");
            let finding = Finding::violation(&rules::KUBELET_FILE_VALUE, members.at(field), problem);
            // One of the reference's own documents lacks them.
            findings.push(finding.severity(Severity::Warning));
        }
    }
    for (field, fits, expected) in FILE_TEXTS {
        let texts = members.texts(field).filter(|text| !fits(text.value));
        findings.extend(texts.map(|text| text.must_be(&rules::KUBELET_FILE_VALUE, expected).severity(severity)));
    }
    for (field, fits, expected) in FILE_WORDS {
        let texts = members.texts(field).filter(|text| kubelet.enable_kubelet_config_file && !fits(text.value));
        findings.extend(texts.map(|text| {
            let finding = text.must_be(&rules::KUBELET_FILE_VALUE, expected);
            // The reference makes one word of an empty flag.
            if text.value.is_empty() { finding.severity(Severity::Warning) } else { finding }
        }));
    }
    for (field, known) in FILE_NAMES {
        let unknown = members
            .texts(field)
            .filter_map(|text| unknown_name(&rules::KUBELET_FILE_VALUE, text.key()?, known, text.path()));
        findings.extend(unknown.map(|finding| finding.severity(severity)));
    }
    for (field, smallest, largest) in FILE_NUMBERS {
        let number = members.number(field).filter(|number| !(*smallest..=*largest).contains(&number.value));
        findings.extend(number.map(|number| {
            let range =
                if *largest == i32::MAX { format!("at least {smallest}") } else { format!("{smallest} to {largest}") };
            let severity = if ANY_NEGATIVE.contains(&field.name) { Severity::Warning } else { severity };
            number.must_be(&rules::KUBELET_FILE_VALUE, range).severity(severity)
        }));
    }
    for field in UNREAD {
        findings.extend(members.texts(field).map(|text| {
            let problem = "has no effect: the contract writes it under a name that the kubelet does not read";
            Finding::violation(&rules::UNREAD_KUBELET_FIELD, text.path(), problem).hint("remove it")
        }));
    }
    if let (Some(high), Some(low)) = (file.image_gc_high_threshold_percent, file.image_gc_low_threshold_percent)
        && low >= high
    {
        let path = members.at(in_file!("image_gc_low_threshold_percent"));
        let problem = format!("must be below `image_gc_high_threshold_percent`, found {low} and {high}");
        findings.push(Finding::violation(&rules::IMAGE_GC, path, problem).severity(severity));
    }
    #[expect(deprecated, reason = "documents may still set the field, which is a warning")]
    let timeout = &file.streaming_connection_idle_timeout;
    let is_omitted = context.kubernetes.as_ref().is_some_and(crate::configuration::Version::lacks_streaming_timeout);
    if !timeout.is_empty() && !is_omitted && !is_go_duration(timeout) {
        let texts = members.texts(in_file!("streaming_connection_idle_timeout"));
        findings.extend(texts.map(|text| text.must_be(&rules::KUBELET_FILE_VALUE, DURATION).severity(severity)));
    }
    if !timeout.is_empty()
        && context.kubernetes.as_ref().is_some_and(crate::configuration::Version::lacks_streaming_timeout)
    {
        let path = at(field!("kubelet_config.kubelet_config_file_config.streaming_connection_idle_timeout"));
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
            if UNREAD.iter().any(|field| field.name == name) {
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
