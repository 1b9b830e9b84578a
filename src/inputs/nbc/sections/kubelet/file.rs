//! The kubelet's configuration file, from its flags and from the pool's own settings, which take precedence.

use std::collections::BTreeMap;

use super::Flags;
use super::flags::{self, boolean, feature_gates, integer, pairs};
use crate::catalogue::kubelet_flags::STREAMING_TIMEOUT;
use crate::configuration::KubeletWebhookAuthorization;
use crate::inputs::member::member;
use crate::inputs::nbc::conversion::{Conversion, Target, target};
use crate::inputs::nbc::origins::Origin;
use crate::inputs::nbc::request::pool;

/// A member of the file in the Configuration.
macro_rules! in_file {
    ($($step:ident).+) => { target!(kubelet_config.kubelet_config_file_config $(.$step)+) };
}

/// How the text of a flag becomes a member of the file. Except with `Optional`, an absent flag is read as an empty
/// text.
enum Member {
    Text(Target<String>),
    Switch(Target<bool>),
    OptionalSwitch(Target<Option<bool>>),
    Number(Target<i32>),
    OptionalNumber(Target<Option<i32>>),
    /// A number. The member is not written if it is 0.
    Count(Target<Option<i32>>),
    List(Target<Vec<String>>),
    Gates(Target<BTreeMap<String, bool>>),
    Amounts(Target<BTreeMap<String, String>>),
    /// Eviction signals, with the sign between a signal and its threshold.
    Signals(Target<BTreeMap<String, String>>, char),
}

use Member::{Amounts, Count, Gates, List, Number, OptionalNumber, OptionalSwitch, Signals, Switch, Text};

/// The flags that become members of the file, by name.
#[expect(deprecated, reason = "kubelets before 1.34 read the streaming timeout")]
static FROM_FLAGS: [(&str, Member); 37] = [
    ("--address", Text(in_file!(address))),
    ("--anonymous-auth", Switch(in_file!(authentication.anonymous.enabled))),
    ("--authentication-token-webhook", Switch(in_file!(authentication.webhook.enabled))),
    ("--authorization-mode", Text(in_file!(authorization.mode))),
    ("--cgroups-per-qos", OptionalSwitch(in_file!(cgroups_per_qos))),
    ("--client-ca-file", Text(in_file!(authentication.x509.client_ca_file))),
    ("--cluster-dns", List(in_file!(cluster_dns))),
    ("--cluster-domain", Text(in_file!(cluster_domain))),
    ("--container-log-max-size", Text(in_file!(container_log_max_size))),
    ("--enforce-node-allocatable", List(in_file!(enforce_node_allocatable))),
    ("--event-qps", OptionalNumber(in_file!(event_record_qps))),
    ("--eviction-hard", Signals(in_file!(eviction_hard), '<')),
    ("--eviction-max-pod-grace-period", Number(in_file!(eviction_max_pod_grace_period))),
    ("--eviction-soft", Signals(in_file!(eviction_soft), '<')),
    ("--eviction-soft-grace-period", Signals(in_file!(eviction_soft_grace_period), '=')),
    ("--feature-gates", Gates(in_file!(feature_gates))),
    ("--image-gc-high-threshold", OptionalNumber(in_file!(image_gc_high_threshold_percent))),
    ("--image-gc-low-threshold", OptionalNumber(in_file!(image_gc_low_threshold_percent))),
    ("--kube-reserved", Amounts(in_file!(kube_reserved))),
    ("--kube-reserved-cgroup", Text(in_file!(kube_reserved_cgroup))),
    ("--max-pods", Count(in_file!(max_pods))),
    (flags::NODE_STATUS_REPORT_FREQUENCY, Text(in_file!(node_status_report_frequency))),
    ("--node-status-update-frequency", Text(in_file!(node_status_update_frequency))),
    ("--pod-manifest-path", Text(in_file!(static_pod_path))),
    ("--pod-max-pids", OptionalNumber(in_file!(pod_pids_limit))),
    ("--protect-kernel-defaults", Switch(in_file!(protect_kernel_defaults))),
    ("--read-only-port", Number(in_file!(read_only_port))),
    ("--resolv-conf", Text(in_file!(resolv_conf))),
    ("--rotate-certificates", Switch(in_file!(rotate_certificates))),
    (flags::ROTATE_SERVER_CERTIFICATES, Switch(in_file!(server_tls_bootstrap))),
    ("--serialize-image-pulls", OptionalSwitch(in_file!(serialize_image_pulls))),
    (STREAMING_TIMEOUT, Text(in_file!(streaming_connection_idle_timeout))),
    ("--system-reserved", Amounts(in_file!(system_reserved))),
    ("--system-reserved-cgroup", Text(in_file!(system_reserved_cgroup))),
    ("--tls-cert-file", Text(in_file!(tls_cert_file))),
    ("--tls-cipher-suites", List(in_file!(tls_cipher_suites))),
    ("--tls-private-key-file", Text(in_file!(tls_private_key_file))),
];

/// The eviction signals that are written to the file.
const SIGNALS: [&str; 7] = [
    "memory.available",
    "nodefs.available",
    "nodefs.inodesFree",
    "imagefs.available",
    "imagefs.inodesFree",
    "pid.available",
    "allocatableMemory.available",
];

/// The order of the file's members on the scripted route, which differs from the contract.
const ORDER: [&str; 45] = [
    "kind",
    "apiVersion",
    "staticPodPath",
    "address",
    "readOnlyPort",
    "tlsCertFile",
    "tlsPrivateKeyFile",
    "tlsCipherSuites",
    "rotateCertificates",
    "serverTLSBootstrap",
    "authentication",
    "authorization",
    "eventRecordQPS",
    "clusterDomain",
    "clusterDNS",
    "streamingConnectionIdleTimeout",
    "nodeStatusUpdateFrequency",
    "nodeStatusReportFrequency",
    "imageGCHighThresholdPercent",
    "imageGCLowThresholdPercent",
    "cgroupsPerQOS",
    "cpuManagerPolicy",
    "topologyManagerPolicy",
    "maxPods",
    "podPidsLimit",
    "resolvConf",
    "cpuCFSQuota",
    "cpuCFSQuotaPeriod",
    "evictionHard",
    "evictionSoft",
    "evictionSoftGracePeriod",
    "evictionMaxPodGracePeriod",
    "protectKernelDefaults",
    "featureGates",
    "failSwapOn",
    "containerLogMaxSize",
    "containerLogMaxFiles",
    "systemReserved",
    "kubeReserved",
    "enforceNodeAllocatable",
    "kubeReservedCgroup",
    "systemReservedCgroup",
    "allowedUnsafeSysctls",
    "serializeImagePulls",
    "seccompDefault",
];

/// Fills the file in the Configuration and returns its text for the scripted route.
pub(super) fn convert(flags: &Flags, conversion: &mut Conversion<'_>) -> String {
    let request = conversion.request;
    let constant = Origin::computed([member!(request.KubeletConfig).presence()]);
    conversion.set(in_file!(kind), "KubeletConfiguration", constant.clone());
    conversion.set(in_file!(api_version), "kubelet.config.k8s.io/v1beta1", constant);
    for (flag, member) in &FROM_FLAGS {
        member.set(flag, flags.get(*flag), conversion);
    }
    pool_settings(conversion);
    let kubelet = conversion.configuration.kubelet_config.get_or_insert_default();
    let file = kubelet.kubelet_config_file_config.get_or_insert_default();
    file.authorization.get_or_insert_default().webhook.get_or_insert_with(KubeletWebhookAuthorization::default);
    // The Configuration cannot distinguish an explicit default from an unset field.
    let seccomp = pool!(request.customKubeletConfig.seccompDefault);
    let turned_off = seccomp.value == Some(&false);
    let text = file.to_ordered_kubelet_json(&ORDER, if turned_off { &["seccompDefault"] } else { &[] });
    if turned_off {
        let consequence = "the contract cannot represent `false`, which is also the kubelet's default";
        conversion.report_loss(seccomp, consequence);
    }
    text
}

impl Member {
    fn set(&self, flag: &str, text: Option<&String>, conversion: &mut Conversion<'_>) {
        let origin = flags::origin(flag);
        let or_empty = text.map_or("", String::as_str);
        match self {
            Text(target) => conversion.set(*target, or_empty, origin),
            Switch(target) => conversion.set(*target, boolean(or_empty), origin),
            OptionalSwitch(target) => conversion.set(*target, text.map(|text| boolean(text)), origin),
            Number(target) => conversion.set(*target, integer(or_empty), origin),
            OptionalNumber(target) => conversion.set(*target, text.map(|text| integer(text)), origin),
            Count(target) => conversion.set(*target, Some(integer(or_empty)).filter(|count| *count != 0), origin),
            List(target) => {
                conversion.set(*target, or_empty.split(',').map(str::to_owned).collect::<Vec<_>>(), origin);
            }
            Gates(target) => conversion.set(*target, feature_gates(or_empty), origin),
            Amounts(target) => conversion.set(*target, pairs(or_empty, '='), origin),
            Signals(target, sign) => {
                let mut signals = pairs(or_empty, *sign);
                signals.retain(|signal, _| SIGNALS.contains(&signal.as_str()));
                conversion.set(*target, signals, origin);
            }
        }
    }
}

/// The settings of the pool.
fn pool_settings(conversion: &mut Conversion<'_>) {
    let request = conversion.request;
    conversion.copy_text(pool!(request.customKubeletConfig.cpuManagerPolicy), in_file!(cpu_manager_policy));
    conversion.copy_text(pool!(request.customKubeletConfig.topologyManagerPolicy), in_file!(topology_manager_policy));
    conversion.copy(pool!(request.customKubeletConfig.cpuCfsQuota), in_file!(cpu_cfs_quota));
    conversion.copy(pool!(request.customKubeletConfig.failSwapOn), in_file!(fail_swap_on));
    conversion.copy(pool!(request.customKubeletConfig.seccompDefault), in_file!(seccomp_default));
    conversion.copy(pool!(request.customKubeletConfig.containerLogMaxFiles), in_file!(container_log_max_files));
    conversion.copy(pool!(request.customKubeletConfig.allowedUnsafeSysctls), in_file!(allowed_unsafe_sysctls));
    for (setting, target) in [
        (pool!(request.customKubeletConfig.imageGcHighThreshold), in_file!(image_gc_high_threshold_percent)),
        (pool!(request.customKubeletConfig.imageGcLowThreshold), in_file!(image_gc_low_threshold_percent)),
        (pool!(request.customKubeletConfig.podMaxPids), in_file!(pod_pids_limit)),
    ] {
        // Without the setting, the flag's value stays.
        if setting.value.is_some() {
            conversion.copy(setting, target);
        }
    }
    let log_size = pool!(request.customKubeletConfig.containerLogMaxSizeMB);
    if let Some(size) = log_size.value {
        conversion.set(in_file!(container_log_max_size), format!("{size}M"), Origin::Field(log_size.path));
    }
    let period = pool!(request.customKubeletConfig.cpuCfsQuotaPeriod);
    conversion.copy_text(period, in_file!(cpu_cfs_quota_period));
    if !period.text().is_empty() {
        let gates = in_file!(feature_gates);
        (gates.place)(&mut conversion.configuration).insert("CustomCPUCFSQuotaPeriod".to_owned(), true);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::kubelet_flags::flag_named;
    use crate::configuration::KubeletConfigFileConfig;

    #[test]
    fn the_order_of_the_file_names_every_member_of_the_contract_once() {
        let mut ordered = ORDER.to_vec();
        ordered.sort_unstable();
        let mut declared: Vec<_> =
            KubeletConfigFileConfig::descriptor().fields.iter().map(|field| field.json_name).collect();
        declared.sort_unstable();
        assert_eq!(ordered, declared);
    }

    #[test]
    fn the_flags_that_the_file_is_made_from_are_left_out_of_the_command_line() {
        assert!(FROM_FLAGS.is_sorted_by(|a, b| a.0 < b.0));
        for (flag, _) in &FROM_FLAGS {
            // This one is no flag of the kubelet: `command_line` always leaves it out.
            let is_no_flag = *flag == flags::NODE_STATUS_REPORT_FREQUENCY && flag_named(flag).is_none();
            assert!(is_no_flag || flag_named(flag).is_some_and(|row| row.in_file), "{flag}");
        }
    }
}
