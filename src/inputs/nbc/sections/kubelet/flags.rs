//! The kubelet's flags: removes and changes some, and selects those of its command line.

use std::collections::BTreeMap;

use super::Flags;
use crate::catalogue::kubelet_flags::{STREAMING_TIMEOUT, flag_named};
use crate::configuration::syntax::go_bool;
use crate::inputs::member::member;
use crate::inputs::nbc::conversion::Conversion;
use crate::inputs::nbc::origins::Origin;
use crate::inputs::nbc::request::{pool, properties};

pub(super) const ROTATE_SERVER_CERTIFICATES: &str = "--rotate-server-certificates";
pub(super) const NODE_STATUS_REPORT_FREQUENCY: &str = "--node-status-report-frequency";
const ENFORCE_NODE_ALLOCATABLE: &str = "--enforce-node-allocatable";
const FEATURE_GATES: &str = "--feature-gates";

/// The control groups of reserved resources, and the flags that name them.
const RESERVED_CGROUPS: [(&str, &str); 2] =
    [("--kube-reserved-cgroup", "/kubereserved.slice"), ("--system-reserved-cgroup", "/system.slice")];

/// Removes and adds flags for the version of Kubernetes, before anything is written.
pub(super) fn clean(flags: &mut Flags, conversion: &Conversion<'_>) {
    flags.retain(|name, _| !flag_named(name).is_some_and(|flag| flag.dropped));
    if flags.get(ROTATE_SERVER_CERTIFICATES).is_some_and(|value| value == "true") {
        set_gate(flags, "RotateKubeletServerCertificate", Some(true));
    }
    if conversion.is_at_least(24) {
        set_gate(flags, "DynamicKubeletConfig", None);
    } else if conversion.is_at_least(11) {
        set_gate(flags, "DynamicKubeletConfig", Some(false));
    }
    let enforced = flags.get(ENFORCE_NODE_ALLOCATABLE).map(String::as_str).unwrap_or_default();
    let enforced: Vec<_> = enforced.trim_start_matches('[').trim_end_matches(']').split(',').map(str::trim).collect();
    let reserves = enforced.contains(&"kube-reserved") && enforced.contains(&"system-reserved");
    for (flag, cgroup) in RESERVED_CGROUPS {
        if reserves {
            flags.insert(flag.to_owned(), cgroup.to_owned());
        } else {
            flags.remove(flag);
        }
    }
    if conversion.is_at_least(20) && !conversion.is_at_least(25) {
        set_gate(flags, "DisableAcceleratorUsageMetrics", Some(false));
    }
    if conversion.is_at_least(34) {
        flags.remove(STREAMING_TIMEOUT);
    }
}

/// Sets or removes a feature gate, and rewrites all of them, sorted by name.
fn set_gate(flags: &mut Flags, name: &str, on: Option<bool>) {
    let mut gates = feature_gates(flags.get(FEATURE_GATES).map_or("", String::as_str));
    match on {
        Some(on) => gates.insert(name.to_owned(), on),
        None => gates.remove(name),
    };
    let pairs: Vec<_> = gates.iter().map(|(name, on)| format!("{name}={on}")).collect();
    flags.insert(FEATURE_GATES.to_owned(), pairs.join(","));
}

/// Reads feature gates. Entries that are not pairs are dropped, and values that Go does not read as a boolean are
/// `false`.
pub(super) fn feature_gates(text: &str) -> BTreeMap<String, bool> {
    pairs(text, '=').into_iter().map(|(name, value)| (name, boolean(&value))).collect()
}

/// Reads pairs with a sign between name and value and commas between pairs. Entries that are not pairs are dropped.
pub(super) fn pairs(text: &str, sign: char) -> BTreeMap<String, String> {
    let pairs = text.split(',').filter_map(|pair| {
        let (name, value) = pair.split_once(sign)?;
        (!value.contains(sign)).then(|| (name.trim().to_owned(), value.trim().to_owned()))
    });
    pairs.collect()
}

/// Reads a boolean as Go does. Anything else is `false`.
pub(super) fn boolean(text: &str) -> bool {
    go_bool(text).unwrap_or_default()
}

/// Reads a number. Other texts are 0, and a number out of range becomes the nearest one in range.
pub(super) fn integer(text: &str) -> i32 {
    match text.parse::<i128>() {
        Ok(number) => i32::try_from(number).unwrap_or(if number < 0 { i32::MIN } else { i32::MAX }),
        Err(_) => 0,
    }
}

/// Reports whether the node gets a configuration file.
pub(super) fn has_file(conversion: &Conversion<'_>) -> bool {
    let request = conversion.request;
    let is_customized =
        pool!(request.customKubeletConfig).value.is_some() || pool!(request.customLinuxOSConfig).value.is_some();
    is_customized || member!(request.EnableKubeletConfigFile).is_on() && conversion.is_at_least(14)
}

/// Returns the flags on the command line. If the cluster's kubelet component has flags, which take precedence, all
/// flags are written, even those that are also in the configuration file.
pub(super) fn command_line(flags: &Flags, of_component: &Flags, has_file: bool, conversion: &Conversion<'_>) -> Flags {
    let is_in_file =
        |name: &str| of_component.is_empty() && has_file && flag_named(name).is_some_and(|flag| flag.in_file);
    let kept = flags.iter().filter(|(name, _)| !is_in_file(name));
    let mut written: Flags = kept.map(|(name, value)| (name.clone(), value.clone())).collect();
    if !of_component.is_empty() {
        written.extend(of_component.iter().map(|(name, value)| (name.clone(), value.clone())));
        if conversion.is_at_least(34) {
            written.remove(STREAMING_TIMEOUT);
        }
    }
    written.remove(NODE_STATUS_REPORT_FREQUENCY);
    written
}

/// Returns the origin of a flag of `KubeletConfig` after [`clean`].
pub(super) fn origin(flag: &str) -> Origin {
    let entry = |flag: &str| Origin::Entry("KubeletConfig", flag.to_owned().into());
    if RESERVED_CGROUPS.iter().any(|(known, _)| *known == flag) {
        return Origin::Computed(vec![entry(ENFORCE_NODE_ALLOCATABLE)]);
    }
    entry(flag)
}

/// Records the origin of each flag on the command line that is not an unchanged member of `KubeletConfig`.
pub(super) fn record_origins(written: &Flags, of_component: &Flags, conversion: &mut Conversion<'_>) {
    let request = conversion.request;
    let given = member!(request.KubeletConfig);
    let component = properties!(request.customConfiguration.KubernetesConfigurations.kubelet.Config);
    for name in written.keys() {
        let origin = if of_component.contains_key(name) {
            Origin::Entry(component.path, name.clone().into())
        } else if RESERVED_CGROUPS.iter().any(|(known, _)| known == name) {
            origin(name)
        } else if given.value.is_some_and(|flags| flags.contains_key(name)) {
            continue;
        } else {
            Origin::computed([given.presence()])
        };
        let quoted = serde_json::Value::from(name.as_str());
        conversion.origins.add(format!("kubelet_config.kubelet_flags[{quoted}]"), origin);
    }
}
