//! Requirements of a `NodeClaim` or `NodePool` on the labels of a node, and what the API server and Karpenter reject in them.

use serde::Deserialize;

use crate::catalogue::rules;
use crate::configuration::syntax::{is_label_key, is_label_value};
use crate::document::{DocPath, Finding, Severity, Step, nearest};

/// The operators of requirements.
const OPERATORS: [&str; 8] = ["In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt", "Gte", "Lte"];
const OPERATOR: &str = "`In`, `NotIn`, `Exists`, `DoesNotExist`, `Gt`, `Lt`, `Gte` or `Lte`";

/// The keys of restricted domains that requirements can have.
/// <https://github.com/kubernetes-sigs/karpenter/blob/main/hack/validation/requirements.sh>
/// <https://github.com/Azure/karpenter-provider-azure/blob/main/hack/validation/aks_requirements.sh>
const KEYS: [&str; 27] = [
    "beta.kubernetes.io/arch",
    "beta.kubernetes.io/instance-type",
    "beta.kubernetes.io/os",
    "failure-domain.beta.kubernetes.io/region",
    "failure-domain.beta.kubernetes.io/zone",
    "karpenter.azure.com/aksnodeclass",
    "karpenter.azure.com/placement-scope",
    "karpenter.azure.com/sku-cpu",
    "karpenter.azure.com/sku-family",
    "karpenter.azure.com/sku-gpu-count",
    "karpenter.azure.com/sku-gpu-manufacturer",
    "karpenter.azure.com/sku-gpu-name",
    "karpenter.azure.com/sku-memory",
    "karpenter.azure.com/sku-name",
    "karpenter.azure.com/sku-networking-accelerated",
    "karpenter.azure.com/sku-series",
    "karpenter.azure.com/sku-storage-ephemeralos-maxsize",
    "karpenter.azure.com/sku-storage-premium-capable",
    "karpenter.azure.com/sku-storage-ultra-ssd",
    "karpenter.azure.com/sku-version",
    "karpenter.sh/capacity-type",
    POOL,
    "kubernetes.io/arch",
    "kubernetes.io/os",
    "node.kubernetes.io/instance-type",
    "topology.kubernetes.io/region",
    "topology.kubernetes.io/zone",
];

/// The label that Karpenter sets on the nodes of a pool.
pub(super) const POOL: &str = "karpenter.sh/nodepool";
/// The label that the kubelet sets.
const HOST_NAME: &str = "kubernetes.io/hostname";

/// Domains of Karpenter, of which labels and requirements can have only known keys.
const OWN_DOMAINS: [&str; 2] = ["karpenter.sh", "karpenter.azure.com"];
/// Domains of Kubernetes, of which requirements can have only known keys, and the domains below them that are free.
const KUBERNETES_DOMAINS: [(&str, &[&str]); 2] =
    [("kubernetes.io", &["node.kubernetes.io", "node-restriction.kubernetes.io"]), ("k8s.io", &["kops.k8s.io"])];

/// The domain of AKS, of which Karpenter has only these keys since version 1.13.
const AKS_DOMAIN: &str = "kubernetes.azure.com";
const AKS_KEYS: [&str; 12] = [
    "cluster",
    "ebpf-dataplane",
    "ebpf-host-routing",
    "fips_enabled",
    "hostedvm",
    "mode",
    "network-policy",
    "os-sku",
    "priority",
    "scalesetpriority",
    "sku-cpu",
    "sku-memory",
];
/// Labels of AKS without a domain, which Karpenter has not had since version 1.13.
const AKS_LABELS: [&str; 4] = ["accelerator", "agentpool", "storageprofile", "storagetier"];

const SWITCH: &[&str] = &["false", "true"];
/// The values of labels that have no others: the nodes of a pool that requires another value are never created.
/// <https://github.com/Azure/karpenter-provider-azure/blob/main/pkg/apis/v1beta1/labels.go>
const VALUES: [(&str, &[&str]); 9] = [
    ("karpenter.azure.com/placement-scope", &["regional", "zonal"]),
    ("karpenter.azure.com/sku-gpu-manufacturer", &["amd", "nvidia"]),
    ("karpenter.azure.com/sku-networking-accelerated", SWITCH),
    ("karpenter.azure.com/sku-storage-premium-capable", SWITCH),
    ("karpenter.azure.com/sku-storage-ultra-ssd", SWITCH),
    ("karpenter.sh/capacity-type", &["on-demand", "reserved", "spot"]),
    ("kubernetes.azure.com/mode", &["system", "user"]),
    ("kubernetes.azure.com/priority", &["regular", "spot"]),
    ("kubernetes.azure.com/scalesetpriority", &["regular", "spot"]),
];

/// The labels of zones, now and formerly.
const ZONES: [&str; 2] = ["topology.kubernetes.io/zone", "failure-domain.beta.kubernetes.io/zone"];

/// A requirement on one label.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(rename = "a requirement", default)]
#[expect(missing_docs, reason = "the three parts of a requirement")]
pub struct Requirement {
    pub key: String,
    pub operator: String,
    pub values: Vec<String>,
    #[serde(rename = "minValues")]
    min_values: Option<usize>,
}

impl Requirement {
    /// Describes the accepted values for messages.
    pub(in crate::inputs::karpenter) fn described(&self) -> String {
        let values: Vec<_> = self.values.iter().map(|value| format!("`{value}`")).collect();
        let operator = match self.operator.as_str() {
            "NotIn" => "all but ",
            "Gt" => "more than ",
            "Gte" => "at least ",
            "Lt" => "less than ",
            "Lte" => "at most ",
            "Exists" => "any value",
            "DoesNotExist" => "no value",
            _ => "",
        };
        format!("{operator}{}", values.join(", "))
    }

    /// Reports whether one of these values of the key satisfies the requirement.
    #[must_use]
    pub fn allows(&self, values: &[&str]) -> bool {
        let is_listed = |value: &&str| self.values.iter().any(|listed| listed == value);
        match self.operator.as_str() {
            "In" => values.iter().any(is_listed),
            "NotIn" => values.is_empty() || !values.iter().all(is_listed),
            "Exists" => !values.is_empty(),
            "DoesNotExist" => values.is_empty(),
            _ => values.iter().any(|value| self.bounds(value)),
        }
    }

    /// Reports whether a number is on the side of the bound that the operator names.
    fn bounds(&self, value: &str) -> bool {
        let number = |text: &str| text.parse::<i64>().ok();
        let (Some(value), Some(bound)) = (number(value), self.values.first().and_then(|bound| number(bound))) else {
            return false;
        };
        match self.operator.as_str() {
            "Gt" => value > bound,
            "Gte" => value >= bound,
            "Lt" => value < bound,
            "Lte" => value <= bound,
            _ => false,
        }
    }

    /// Returns what the API server or the controller rejects in the requirement at a path.
    pub(super) fn rejected(&self, path: &DocPath) -> Vec<Finding> {
        let Self { key, operator, values, .. } = self;
        let member = |name| path.join(Step::Field { name, json_name: name });
        let unexpected = |rule, name, expected: &'static str, found: &String| {
            Finding::unexpected(rule, member(name), expected, format!("{found:?}"))
        };
        let violation = |name, problem: String| Finding::violation(&rules::KARPENTER_VALUE, member(name), problem);
        let is_known = OPERATORS.contains(&operator.as_str());
        let is_wrong = |value: &&String| !is_label_value(value);
        let findings = [
            restricted_key(key, &member("key")),
            (!is_label_key(key)).then(|| unexpected(&rules::LABEL, "key", "a label key", key)),
            (!is_known).then(|| unexpected(&rules::KARPENTER_VALUE, "operator", OPERATOR, operator)),
            values.iter().find(is_wrong).map(|value| unexpected(&rules::LABEL, "values", "label values", value)),
            self.wrong_values().map(|problem| violation("values", problem)),
            self.wrong_least().map(|problem| violation("minValues", problem)),
        ];
        findings.into_iter().flatten().collect()
    }

    /// Returns the problem of values that do not fit the operator.
    fn wrong_values(&self) -> Option<String> {
        let Self { operator, values, .. } = self;
        // Go reads the number as an `int`.
        let is_number = |value: &String| value.parse::<i64>().is_ok_and(|number| number >= 0);
        match operator.as_str() {
            "In" | "NotIn" if values.is_empty() => {
                Some(format!("must have a value, because the operator is `{operator}`"))
            }
            "In" => self.unknown_values(),
            "Gt" | "Gte" | "Lt" | "Lte" if values.len() != 1 || !values.iter().all(is_number) => Some(format!(
                "must be one whole number in quotes, because the operator is `{operator}`, found {values:?}"
            )),
            _ => None,
        }
    }

    fn wrong_least(&self) -> Option<String> {
        let (least, count) = (self.min_values?, self.values.len());
        if !(1..=50).contains(&least) {
            return Some(format!("must be 1 to 50, found {least}"));
        }
        (self.operator == "In" && count < least).then(|| format!("is {least}, but `values` has only {count}"))
    }

    /// Returns the problem of a requirement whose values are all unknown for a label that has no others.
    fn unknown_values(&self) -> Option<String> {
        if ZONES.contains(&self.key.as_str()) && !self.values.iter().any(|value| is_zone(value)) {
            let expected = "must have zones with their location, such as `westeurope-1`";
            return Some(format!("{expected}, or `0` for nodes without a zone, found {}", self.described()));
        }
        let (_, known) = VALUES.into_iter().find(|(key, _)| *key == self.key)?;
        let is_known = self.values.iter().any(|value| known.contains(&value.as_str()));
        (!is_known).then(|| format!("must have `{}`, found {}", known.join("` or `"), self.described()))
    }
}

/// Reports whether a text is a zone as nodes of AKS have it: the location, `-` and the number of the zone. A node without a zone has `0`.
/// <https://github.com/Azure/karpenter-provider-azure/blob/main/pkg/utils/zones/zones.go>
fn is_zone(text: &str) -> bool {
    let is_location = |text: &str| {
        text.starts_with(|first: char| first.is_ascii_lowercase())
            && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
    };
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    text == "0" || text.rsplit_once('-').is_some_and(|(location, zone)| is_location(location) && is_number(zone))
}

/// Returns a finding for a label in the template of a pool that the API server rejects.
pub(super) fn restricted_label(key: &str, path: &DocPath) -> Option<Finding> {
    if [POOL, HOST_NAME].contains(&key) {
        return Some(reserved(path));
    }
    own(key, path).or_else(|| of_aks(key, path))
}

/// Returns the finding for a key of a pool that names a label with only one possible value.
pub(super) fn reserved(path: &DocPath) -> Finding {
    let problem = "is restricted: Karpenter and the kubelet set this label themselves";
    Finding::violation(&rules::KARPENTER_VALUE, path.clone(), problem)
}

/// Returns a finding for the key of a requirement that the API server rejects.
fn restricted_key(key: &str, path: &DocPath) -> Option<Finding> {
    let domain = domain(key);
    let of_kubernetes = KUBERNETES_DOMAINS
        .iter()
        .filter(|(restricted, _)| domain.ends_with(restricted))
        .find(|(_, free)| !free.iter().any(|free| domain.ends_with(free)));
    match of_kubernetes {
        Some((restricted, _)) => unknown_key(key, restricted, path),
        None => own(key, path).or_else(|| of_aks(key, path)),
    }
}

fn domain(key: &str) -> &str {
    key.split('/').next().unwrap_or_default()
}

fn own(key: &str, path: &DocPath) -> Option<Finding> {
    let restricted = OWN_DOMAINS.into_iter().find(|restricted| domain(key).ends_with(restricted))?;
    unknown_key(key, restricted, path)
}

fn unknown_key(key: &str, restricted: &str, path: &DocPath) -> Option<Finding> {
    if KEYS.contains(&key) {
        return None;
    }
    let problem = format!("is `{key}`, but the domain `{restricted}` is restricted to keys that Karpenter knows");
    let finding = Finding::violation(&rules::KARPENTER_VALUE, path.clone(), problem);
    Some(match nearest(key, KEYS) {
        Some(meant) => finding.hint(format!("did you mean `{meant}`?")),
        None => finding,
    })
}

/// A warning: Karpenter accepted every label of AKS before version 1.13.
fn of_aks(key: &str, path: &DocPath) -> Option<Finding> {
    let is_reserved = match key.split_once('/') {
        Some((domain, name)) => domain.ends_with(AKS_DOMAIN) && !AKS_KEYS.contains(&name),
        None => AKS_LABELS.contains(&key),
    };
    let problem = format!("is `{key}`, a label of AKS that Karpenter does not accept from version 1.13 on");
    is_reserved.then(|| Finding::violation(&rules::KARPENTER_VALUE, path.clone(), problem).severity(Severity::Warning))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn requirement(key: &str, operator: &str, values: &[&str]) -> Requirement {
        Requirement {
            key: key.to_owned(),
            operator: operator.to_owned(),
            values: values.iter().map(|value| (*value).to_owned()).collect(),
            min_values: None,
        }
    }

    #[test]
    fn numbers_are_compared_with_the_bound() {
        for (operator, below, equal, above) in [
            ("Gt", false, false, true),
            ("Gte", false, true, true),
            ("Lt", true, false, false),
            ("Lte", true, true, false),
        ] {
            let one = requirement("karpenter.azure.com/sku-cpu", operator, &["8"]);
            let found = ["4", "8", "16"].map(|value| one.allows(&[value]));
            assert_eq!(found, [below, equal, above], "{operator}");
            assert!(!one.allows(&[]) && !one.allows(&["eight"]), "{operator}");
        }
    }

    /// The keys and values of the CRDs of Karpenter on Azure.
    #[test]
    fn keys_and_values_that_karpenter_rejects_are_found() {
        let path = DocPath::fields("spec.requirements");
        let found = |key: &str, operator: &str, values: &[&str]| {
            let findings = requirement(key, operator, values).rejected(&path);
            let described = |finding: &Finding| {
                format!("{:?} {finding} {}", finding.severity, finding.hint.as_deref().unwrap_or_default())
            };
            findings.iter().map(described).collect::<Vec<_>>().join("; ")
        };
        for (key, operator, values, expected) in [
            ("karpenter.azure.com/sku-cpus", "In", &["4"][..], "did you mean `karpenter.azure.com/sku-cpu`?"),
            ("karpenter.azure.com/sku-hyperv-generation", "In", &["2"], "is restricted"),
            ("karpenter.azure.com/sku-accelerator", "Exists", &[], "is restricted"),
            ("karpenter.sh/capacity-type", "In", &["Spot"], "must have `on-demand` or `reserved` or `spot`"),
            ("karpenter.azure.com/sku-gpu-manufacturer", "In", &["NVIDIA"], "must have `amd` or `nvidia`"),
            ("karpenter.azure.com/sku-storage-premium-capable", "In", &["True"], "must have `false` or `true`"),
            ("karpenter.azure.com/sku-cpu", "Gt", &["four"], "must be one whole number in quotes"),
            ("karpenter.azure.com/sku-cpu", "Lt", &["4", "8"], "must be one whole number in quotes"),
            ("karpenter.azure.com/sku-cpu", "Gte", &["-1"], "must be one whole number in quotes"),
            ("a b", "Exists", &[], "must be a label key"),
            ("", "Exists", &[], "must be a label key"),
            ("a", "NotIn", &["b", "c d"], "must be label values"),
            ("kubernetes.azure.com/agentpool", "In", &["a"], "Warning"),
            ("agentpool", "Exists", &[], "Warning"),
        ] {
            let found = found(key, operator, values);
            assert!(found.contains(expected), "{key} {operator} {values:?}: {found}");
        }
        for (key, operator, values) in [
            ("karpenter.azure.com/sku-cpu", "Gt", &["0"][..]),
            ("karpenter.azure.com/sku-gpu-name", "DoesNotExist", &[]),
            ("karpenter.azure.com/sku-storage-ultra-ssd", "In", &["true"]),
            ("karpenter.sh/capacity-type", "In", &["spot", "Spot"]),
            ("karpenter.sh/capacity-type", "NotIn", &["Spot"]),
            ("karpenter.sh/nodepool", "In", &["general"]),
            ("kubernetes.azure.com/ebpf-dataplane", "NotIn", &["cilium"]),
            ("kubernetes.azure.com/mode", "In", &["system"]),
            ("team.example/accelerator", "Exists", &[]),
        ] {
            assert_eq!(found(key, operator, values), "", "{key} {operator} {values:?}");
        }
        for (least, operator, count) in [(0, "In", 1), (1, "In", 0), (2, "In", 1), (2, "NotIn", 0), (51, "NotIn", 1)] {
            let least = Requirement { min_values: Some(least), ..requirement("a.example/b", operator, &["c"]) };
            assert_eq!(least.rejected(&path).len(), count, "{least:?}");
        }
    }
}
