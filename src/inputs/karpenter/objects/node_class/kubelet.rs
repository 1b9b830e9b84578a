//! `spec.kubelet`.

use serde::Deserialize;

use super::super::{must_be, one_of, within};
use super::{Object, QUANTITY, is_quantity};
use crate::catalogue::rules;
use crate::document::{Finding, duration};
use crate::inputs::karpenter::KubeletConfig;
use crate::inputs::member::member;

#[derive(Deserialize)]
#[serde(rename = "kubelet")]
pub(super) struct Kubelet {
    cpuManagerPolicy: Option<String>,
    cpuCFSQuota: Option<bool>,
    cpuCFSQuotaPeriod: Option<String>,
    imageGCHighThresholdPercent: Option<i64>,
    imageGCLowThresholdPercent: Option<i64>,
    topologyManagerPolicy: Option<String>,
    #[serde(default)]
    allowedUnsafeSysctls: Vec<String>,
    containerLogMaxSize: Option<String>,
    containerLogMaxFiles: Option<i64>,
    podPidsLimit: Option<i64>,
    pub failSwapOn: Option<bool>,
}

/// Fills in the defaults of the API, which apply only if the section is present.
impl From<Kubelet> for KubeletConfig {
    fn from(kubelet: Kubelet) -> Self {
        Self {
            cpu_manager_policy: kubelet.cpuManagerPolicy.or(Some("none".to_owned())),
            cpu_cfs_quota: kubelet.cpuCFSQuota.or(Some(true)),
            cpu_cfs_quota_period: kubelet.cpuCFSQuotaPeriod,
            image_gc_high_threshold_percent: kubelet.imageGCHighThresholdPercent,
            image_gc_low_threshold_percent: kubelet.imageGCLowThresholdPercent,
            topology_manager_policy: kubelet.topologyManagerPolicy.or(Some("none".to_owned())),
            allowed_unsafe_sysctls: kubelet.allowedUnsafeSysctls,
            container_log_max_size: kubelet.containerLogMaxSize.or(Some("50Mi".to_owned())),
            container_log_max_files: kubelet.containerLogMaxFiles.or(Some(5)),
            pod_pids_limit: kubelet.podPidsLimit,
            fail_swap_on: kubelet.failSwapOn,
            ..Self::default()
        }
    }
}

/// Returns the paths of fields that have no effect on the script.
pub(super) fn ignored(object: &Object) -> impl Iterator<Item = &'static str> {
    let period = member!(object.spec.kubelet.cpuCFSQuotaPeriod);
    let swap = member!(object.spec.kubelet.failSwapOn);
    let paths = [(period.path, period.value.is_some()), (swap.path, swap.value.is_some())];
    paths.into_iter().filter(|(_, is_given)| *is_given).map(|(path, _)| path)
}

pub(super) fn check(object: &Object, findings: &mut Vec<Finding>) {
    let topologies = ["restricted", "best-effort", "none", "single-numa-node"];
    let (high, low) = (
        member!(object.spec.kubelet.imageGCHighThresholdPercent),
        member!(object.spec.kubelet.imageGCLowThresholdPercent),
    );
    findings.extend(one_of(member!(object.spec.kubelet.cpuManagerPolicy), &["none", "static"]));
    findings.extend(within(high, (0, 100)));
    findings.extend(within(low, (0, 100)));
    if let (Some(highest), Some(lowest)) = (high.value, low.value)
        && highest <= lowest
    {
        let problem = "must be greater than `imageGCLowThresholdPercent`";
        findings.push(high.violation(&rules::KARPENTER_COMBINATION, problem));
    }
    findings.extend(one_of(member!(object.spec.kubelet.topologyManagerPolicy), &topologies));
    findings.extend(must_be(member!(object.spec.kubelet.containerLogMaxSize), is_quantity, QUANTITY));
    findings.extend(within(member!(object.spec.kubelet.containerLogMaxFiles), (2, i32::MAX.into())));
    let period = member!(object.spec.kubelet.cpuCFSQuotaPeriod);
    findings.extend(must_be(period, duration::is_go_duration, "a duration such as `100ms`"));
}
