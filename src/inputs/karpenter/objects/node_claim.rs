//! `NodeClaim`, and `NodePool`, whose template can replace it.

#![expect(non_snake_case, reason = "the fields have the names of the document, which findings show")]

use std::collections::BTreeMap;

use serde::Deserialize;
use serde::de::IgnoredAny;

use super::{Metadata, check_kind, must_be};
use crate::catalogue::rules;
use crate::document::{DocPath, Document, Finding, Names, Report, Source, Step, nearest, read_document};
use crate::inputs::karpenter::Taint;
use crate::inputs::karpenter::validate::{label, taint};
use crate::inputs::member::{Member, member};

/// The operators of requirements.
const OPERATORS: [&str; 8] = ["In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt", "Gte", "Lte"];
const OPERATOR: &str = "`In`, `NotIn`, `Exists`, `DoesNotExist`, `Gt`, `Lt`, `Gte` or `Lte`";

/// The node classes of Azure, to which a NodeClaim refers.
const GROUP: &str = "karpenter.azure.com";
const GROUP_OF_CLASS: &str = "`karpenter.azure.com`";
const KIND: &str = "AKSNodeClass";
const KIND_OF_CLASS: &str = "`AKSNodeClass`";

/// The keys of restricted domains that requirements can have.
/// <https://github.com/kubernetes-sigs/karpenter/blob/main/hack/validation/requirements.sh>
const KEYS: [&str; 12] = [
    "beta.kubernetes.io/arch",
    "beta.kubernetes.io/instance-type",
    "beta.kubernetes.io/os",
    "failure-domain.beta.kubernetes.io/region",
    "failure-domain.beta.kubernetes.io/zone",
    "karpenter.sh/capacity-type",
    "karpenter.sh/nodepool",
    "kubernetes.io/arch",
    "kubernetes.io/os",
    "node.kubernetes.io/instance-type",
    "topology.kubernetes.io/region",
    "topology.kubernetes.io/zone",
];

/// Domains of which Kubernetes and Karpenter keep the keys for themselves, and the domains below them that are free.
const RESTRICTED_DOMAINS: [(&str, &[&str]); 3] = [
    ("kubernetes.io", &["node.kubernetes.io", "node-restriction.kubernetes.io"]),
    ("k8s.io", &["kops.k8s.io"]),
    ("karpenter.sh", &[]),
];

/// A request for a node.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NodeClaim {
    /// The name. Empty for a template.
    pub name: String,
    /// The labels of the claim.
    pub labels: BTreeMap<String, String>,
    /// Taints that stay on the node.
    pub taints: Vec<Taint>,
    /// Taints that are removed when the node is ready.
    pub startup_taints: Vec<Taint>,
    /// Requirements on the labels of the node.
    pub requirements: Vec<Requirement>,
    /// The name of the node class.
    pub node_class: String,
}

/// A requirement on one label.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(rename = "a requirement", default)]
#[expect(missing_docs, reason = "the three parts of a requirement")]
pub struct Requirement {
    pub key: String,
    pub operator: String,
    pub values: Vec<String>,
    #[serde(rename = "minValues")]
    _min_values: IgnoredAny,
}

#[derive(Deserialize)]
#[serde(rename = "NodeClaim")]
#[expect(dead_code, reason = "the other members are known")]
struct Object<S> {
    apiVersion: Option<IgnoredAny>,
    kind: Option<IgnoredAny>,
    metadata: Option<Metadata>,
    spec: Option<S>,
    status: Option<IgnoredAny>,
}

#[derive(Deserialize)]
#[serde(rename = "the spec of a NodePool")]
#[expect(dead_code, reason = "the other members are known")]
struct PoolSpec {
    template: Option<Template>,
    disruption: Option<IgnoredAny>,
    limits: Option<IgnoredAny>,
    replicas: Option<IgnoredAny>,
    weight: Option<IgnoredAny>,
}

#[derive(Deserialize)]
#[serde(rename = "the template of a NodePool")]
struct Template {
    metadata: Option<Metadata>,
    spec: Option<Spec>,
}

#[derive(Deserialize)]
#[serde(rename = "the spec of a NodeClaim")]
#[expect(dead_code, reason = "the other members are known")]
struct Spec {
    nodeClassRef: Option<Reference>,
    #[serde(default)]
    requirements: Vec<Requirement>,
    #[serde(default)]
    taints: Vec<ObjectTaint>,
    #[serde(default)]
    startupTaints: Vec<ObjectTaint>,
    expireAfter: Option<IgnoredAny>,
    terminationGracePeriod: Option<IgnoredAny>,
    resources: Option<IgnoredAny>,
}

#[derive(Deserialize)]
#[serde(rename = "the reference to a node class")]
#[expect(dead_code, reason = "the other members are known")]
struct Reference {
    /// Of version v1beta1, which had no `group`.
    apiVersion: Option<String>,
    group: Option<String>,
    kind: Option<String>,
    name: Option<String>,
}

/// A taint with the time at which it was added.
#[derive(Deserialize)]
#[serde(rename = "a taint", default)]
#[derive(Default)]
struct ObjectTaint {
    key: String,
    value: String,
    effect: String,
    #[serde(rename = "timeAdded")]
    _time_added: IgnoredAny,
}

impl Requirement {
    /// Describes the values of `In` and `NotIn` for messages.
    pub(in crate::inputs::karpenter) fn described(&self) -> String {
        let values: Vec<_> = self.values.iter().map(|value| format!("`{value}`")).collect();
        format!("{}{}", if self.operator == "NotIn" { "all but " } else { "" }, values.join(", "))
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
            _ => false,
        }
    }
}

impl NodeClaim {
    /// Reads the object as `kubectl get -o yaml` prints it.
    ///
    /// # Errors
    /// Fails if the syntax is broken, the object is of another kind or names no node class, or a member has the wrong type.
    pub fn from_document(bytes: &[u8]) -> Result<(Self, Report), Report> {
        read_document(&Source::new(bytes)?, Self::read)
    }

    /// Reads either object.
    pub(in crate::inputs::karpenter) fn read(document: &mut Document<'_>) -> Option<Self> {
        check_kind(document, "karpenter.sh", &["NodeClaim", "NodePool"]);
        if document.text("kind") == "NodeClaim" { Self::of_claim(document) } else { Self::of_pool(document) }
    }

    fn of_claim(document: &mut Document<'_>) -> Option<Self> {
        let claim: Object<Spec> = document.read(Names::Exact)?;
        document.report(member!(claim.spec).missing());
        document.report(claim.spec.as_ref().and_then(|_| no_node_class(member!(claim.spec.nodeClassRef))));
        document.report(must_be(member!(claim.spec.nodeClassRef.group), |group| group == GROUP, GROUP_OF_CLASS));
        document.report(must_be(member!(claim.spec.nodeClassRef.kind), |kind| kind == KIND, KIND_OF_CLASS));
        let Metadata { name, labels, .. } = claim.metadata.unwrap_or_default();
        let claim = Self { name, labels, ..claim.spec.map(Self::of_spec).unwrap_or_default() };
        claim.rejected("metadata.labels", ["spec.taints", "spec.startupTaints", "spec.requirements"], document);
        Some(claim)
    }

    fn of_pool(document: &mut Document<'_>) -> Option<Self> {
        let pool: Object<PoolSpec> = document.read(Names::Exact)?;
        document.report(member!(pool.spec).missing());
        if member!(pool.spec.template.spec).value.is_some() {
            document.report(no_node_class(member!(pool.spec.template.spec.nodeClassRef)));
        }
        let reference = [
            must_be(member!(pool.spec.template.spec.nodeClassRef.group), |group| group == GROUP, GROUP_OF_CLASS),
            must_be(member!(pool.spec.template.spec.nodeClassRef.kind), |kind| kind == KIND, KIND_OF_CLASS),
        ];
        document.report(reference.into_iter().flatten());
        let template = pool.spec.and_then(|spec| spec.template);
        let (metadata, spec) = template.map(|template| (template.metadata, template.spec)).unwrap_or_default();
        let labels = metadata.unwrap_or_default().labels;
        let mut claim = Self { labels, ..spec.map(Self::of_spec).unwrap_or_default() };
        let lists =
            ["spec.template.spec.taints", "spec.template.spec.startupTaints", "spec.template.spec.requirements"];
        claim.rejected("spec.template.metadata.labels", lists, document);
        // Karpenter's core sets these on every claim of a pool.
        let name = pool.metadata.unwrap_or_default().name;
        claim.labels.insert("karpenter.sh/nodepool".to_owned(), name);
        claim.labels.insert("karpenter.azure.com/aksnodeclass".to_owned(), claim.node_class.clone());
        Some(claim)
    }

    /// Reports what the API server rejects in labels, taints, startup taints and requirements.
    fn rejected(&self, labels: &'static str, lists: [&'static str; 3], document: &mut Document<'_>) {
        let mut findings = Vec::new();
        for (key, value) in &self.labels {
            label(key, value, &DocPath::fields(labels).join(Step::Key(key.clone())), &mut findings);
        }
        let [taints, startup_taints, requirements] = lists;
        for (list, path) in [(&self.taints, taints), (&self.startup_taints, startup_taints)] {
            for (index, one) in list.iter().enumerate() {
                taint(one, &DocPath::fields(path).join(Step::Index(index)), &mut findings);
            }
        }
        for (index, Requirement { key, operator, values, .. }) in self.requirements.iter().enumerate() {
            let path = DocPath::fields(requirements).join(Step::Index(index));
            let member = |name| path.join(Step::Field { name, json_name: name });
            findings.extend(restricted(key, member("key")));
            if !OPERATORS.contains(&operator.as_str()) {
                let (path, found) = (member("operator"), format!("{operator:?}"));
                findings.push(Finding::unexpected(&rules::KARPENTER_VALUE, path, OPERATOR, found));
            } else if ["In", "NotIn"].contains(&operator.as_str()) && values.is_empty() {
                let problem = format!("must have a value, because the operator is `{operator}`");
                findings.push(Finding::violation(&rules::KARPENTER_VALUE, member("values"), problem));
            }
        }
        document.report(findings);
    }

    fn of_spec(spec: Spec) -> Self {
        Self {
            node_class: spec.nodeClassRef.and_then(|reference| reference.name).unwrap_or_default(),
            requirements: spec.requirements,
            taints: spec.taints.into_iter().map(Taint::from).collect(),
            startup_taints: spec.startupTaints.into_iter().map(Taint::from).collect(),
            ..Self::default()
        }
    }
}

impl From<ObjectTaint> for Taint {
    fn from(ObjectTaint { key, value, effect, .. }: ObjectTaint) -> Self {
        Self { key, value, effect }
    }
}

/// Returns a finding for the key of a requirement that the API server rejects.
fn restricted(key: &str, path: DocPath) -> Option<Finding> {
    let domain = key.split('/').next().unwrap_or_default();
    let (restricted, _) = RESTRICTED_DOMAINS
        .iter()
        .filter(|(restricted, _)| domain.ends_with(restricted))
        .find(|(_, free)| !free.iter().any(|free| domain.ends_with(free)))?;
    if KEYS.contains(&key) {
        return None;
    }
    let problem = format!("is `{key}`, but the domain `{restricted}` is restricted to keys that Karpenter knows");
    let finding = Finding::violation(&rules::KARPENTER_VALUE, path, problem);
    Some(match nearest(key, KEYS) {
        Some(meant) => finding.hint(format!("did you mean `{meant}`?")),
        None => finding,
    })
}

/// Returns a finding if a reference names no node class.
fn no_node_class(reference: Member<'_, Reference>) -> Option<Finding> {
    let hint = "set `spec.nodeClassRef.name` to the name of an AKSNodeClass";
    let has_name = reference.value.is_some_and(|reference| reference.name.is_some());
    (!has_name).then(|| Finding::missing(reference.location()).hint(hint))
}

impl NodeClaim {
    /// Returns each key for which all requirements together allow exactly one value, with that value.
    #[must_use]
    pub fn pinned(&self) -> BTreeMap<String, String> {
        let mut left: BTreeMap<&str, Vec<&String>> = BTreeMap::new();
        for Requirement { key, values, .. } in self.requirements.iter().filter(|one| one.operator == "In") {
            let left = left.entry(key).or_insert_with(|| values.iter().collect());
            left.retain(|value| values.contains(value));
        }
        for Requirement { key, values, .. } in self.requirements.iter().filter(|one| one.operator == "NotIn") {
            if let Some(left) = left.get_mut(key.as_str()) {
                left.retain(|value| !values.contains(value));
            }
        }
        let single = left.into_iter().filter(|(_, values)| values.len() == 1);
        single.map(|(key, values)| (key.to_owned(), values[0].clone())).collect()
    }
}
