//! `NodeClaim`, and `NodePool`, whose template can replace it.

#![expect(non_snake_case, reason = "the fields have the names of the document, which findings show")]

use std::collections::BTreeMap;

use serde::Deserialize;
use serde::de::IgnoredAny;

use super::requirement::{POOL, Requirement, reserved, restricted_label};
use super::{Metadata, check_kind, must_be};
use crate::document::{DocPath, Document, Finding, Names, Report, Source, Step, read_document};
use crate::inputs::karpenter::Taint;
use crate::inputs::karpenter::validate::{label, taint};
use crate::inputs::member::{Member, member};

/// The node classes of Azure, to which a NodeClaim refers.
const GROUP: &str = "karpenter.azure.com";
const GROUP_OF_CLASS: &str = "`karpenter.azure.com`";
const KIND: &str = "AKSNodeClass";
const KIND_OF_CLASS: &str = "`AKSNodeClass`";

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
        const LABELS: &str = "spec.template.metadata.labels";
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
        claim.rejected(LABELS, lists, document);
        let of_pool = claim.requirements.iter().position(|one| one.key == POOL);
        document.report(of_pool.map(|at| {
            let path = DocPath::fields("spec.template.spec.requirements").join(Step::Index(at));
            reserved(&path.join(Step::Field { name: "key", json_name: "key" }))
        }));
        let labels = claim.labels.keys();
        document.report(
            labels.filter_map(|key| restricted_label(key, &DocPath::fields(LABELS).join(Step::Key(key.clone())))),
        );
        // Karpenter's core sets these on every claim of a pool.
        let name = pool.metadata.unwrap_or_default().name;
        claim.labels.insert(POOL.to_owned(), name);
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
        for (index, requirement) in self.requirements.iter().enumerate() {
            findings.extend(requirement.rejected(&DocPath::fields(requirements).join(Step::Index(index))));
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
