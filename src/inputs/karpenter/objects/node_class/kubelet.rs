//! `spec.kubelet`.

use super::super::{one_of, violation, within};
use super::{QUANTITY, is_quantity};
use crate::catalogue::rules;
use crate::document::{Finding, Object, duration};
use crate::inputs::karpenter::KubeletConfig;

/// Reads and checks the section. The defaults of the API apply only if the section is present.
pub(super) fn read(spec: &Object<'_>, ignored: &mut Vec<&'static str>) -> Option<KubeletConfig> {
    let kubelet = spec.object("kubelet", "kubelet")?;
    let text = |name| kubelet.text(name).map(str::to_owned);
    let topology = &["restricted", "best-effort", "none", "single-numa-node"];
    let config = KubeletConfig {
        cpu_manager_policy: one_of(&kubelet, "cpuManagerPolicy", &["none", "static"]).or(Some("none".to_owned())),
        cpu_cfs_quota: kubelet.switch("cpuCFSQuota").or(Some(true)),
        cpu_cfs_quota_period: text("cpuCFSQuotaPeriod"),
        image_gc_high_threshold_percent: within(&kubelet, "imageGCHighThresholdPercent", (0, 100)),
        image_gc_low_threshold_percent: within(&kubelet, "imageGCLowThresholdPercent", (0, 100)),
        topology_manager_policy: one_of(&kubelet, "topologyManagerPolicy", topology).or(Some("none".to_owned())),
        allowed_unsafe_sysctls: kubelet.texts("allowedUnsafeSysctls"),
        container_log_max_size: text("containerLogMaxSize").or(Some("50Mi".to_owned())),
        container_log_max_files: within(&kubelet, "containerLogMaxFiles", (2, i64::from(i32::MAX))).or(Some(5)),
        pod_pids_limit: kubelet.integer("podPidsLimit"),
        fail_swap_on: kubelet.switch("failSwapOn"),
        ..KubeletConfig::default()
    };
    check(&kubelet, &config);
    if config.cpu_cfs_quota_period.is_some() {
        ignored.push("spec.kubelet.cpuCFSQuotaPeriod");
    }
    if config.fail_swap_on.is_some() {
        ignored.push("spec.kubelet.failSwapOn");
    }
    Some(config)
}

fn check(kubelet: &Object<'_>, config: &KubeletConfig) {
    if let (Some(high), Some(low)) = (config.image_gc_high_threshold_percent, config.image_gc_low_threshold_percent)
        && high <= low
    {
        let rule = "must be above `imageGCLowThresholdPercent`";
        kubelet.report(Finding::violation(
            &rules::KARPENTER_COMBINATION,
            kubelet.at("imageGCHighThresholdPercent"),
            rule,
        ));
    }
    if let Some(size) = config.container_log_max_size.as_deref().filter(|size| !is_quantity(size)) {
        violation(kubelet, "containerLogMaxSize", QUANTITY, size);
    }
    if let Some(period) = config.cpu_cfs_quota_period.as_deref().filter(|period| !duration::is_go_duration(period)) {
        violation(kubelet, "cpuCFSQuotaPeriod", "a duration such as `100ms`", period);
    }
}
