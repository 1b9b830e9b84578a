//! `NodeClaim`, and `NodePool`, whose template can replace it.

#![expect(non_snake_case, reason = "the fields have the names of the document, which findings show")]

use std::collections::BTreeMap;

use serde::Deserialize;
use serde::de::IgnoredAny;

use super::node_pool::{self, DURATION, DURATION_OR_NEVER, PoolSpec, is_duration, is_duration_or_never};
use super::requirement::{POOL, Requirement, reserved, restricted_label};
use super::{Metadata, Object, Scalar, check_kind, must_be, of_name, too_many};
use crate::catalogue::rules;
use crate::configuration::syntax::is_quantity;
use crate::document::{DocPath, Document, Finding, Names, Report, Severity, Source, Step, read_document};
use crate::inputs::karpenter::Taint;
use crate::inputs::karpenter::validate::{label, taint};
use crate::inputs::member::{Member, member};

/// The node classes of Azure, to which a NodeClaim refers.
const GROUP: &str = "karpenter.azure.com";
const KIND: &str = "AKSNodeClass";

/// The version that requires more members than those before it.
const V1: &str = "karpenter.sh/v1";

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
#[serde(rename = "the template of a NodePool")]
struct Template {
    metadata: Option<Metadata>,
    spec: Option<Spec>,
}

#[derive(Deserialize)]
#[serde(rename = "the spec of a NodeClaim")]
struct Spec {
    nodeClassRef: Option<Reference>,
    requirements: Option<Vec<Requirement>>,
    taints: Option<Vec<ObjectTaint>>,
    startupTaints: Option<Vec<ObjectTaint>>,
    expireAfter: Option<String>,
    terminationGracePeriod: Option<String>,
    resources: Option<Resources>,
}

/// The sum of what the pods of the node request.
#[derive(Deserialize)]
#[serde(rename = "resources")]
struct Resources {
    requests: Option<BTreeMap<String, Scalar>>,
}

#[derive(Deserialize)]
#[serde(rename = "the reference to a node class")]
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
    value: Option<String>,
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
        let is_v1 = document.text("apiVersion") == V1;
        let claim: Object<Spec> = document.read(Names::Exact)?;
        document.report(member!(claim.spec).missing());
        document.report(of_name(member!(claim.metadata)));
        if claim.spec.is_some() {
            document.report(of_reference(member!(claim.spec.nodeClassRef), is_v1));
            document.report(unrequired(member!(claim.spec.requirements)));
            document.report(empty_values(member!(claim.spec.taints)));
            document.report(empty_values(member!(claim.spec.startupTaints)));
        }
        let requests = member!(claim.spec.resources.requests);
        let amounts = requests.value.into_iter().flatten().filter(|(_, Scalar(amount))| !is_quantity(amount));
        document.report(amounts.map(|(name, Scalar(amount))| {
            let path = requests.location().join(Step::Key(name.clone()));
            Finding::unexpected(&rules::KARPENTER_VALUE, path, "an amount such as `2` or `4Gi`", format!("{amount:?}"))
        }));
        document.report(of_times([member!(claim.spec.expireAfter), member!(claim.spec.terminationGracePeriod)]));
        let Metadata { name, labels, .. } = claim.metadata.unwrap_or_default();
        let claim = Self { name, labels, ..claim.spec.map(Self::of_spec).unwrap_or_default() };
        claim.rejected("metadata.labels", ["spec.taints", "spec.startupTaints", "spec.requirements"], document);
        Some(claim)
    }

    fn of_pool(document: &mut Document<'_>) -> Option<Self> {
        const LABELS: &str = "spec.template.metadata.labels";
        let is_v1 = document.text("apiVersion") == V1;
        let pool: Object<PoolSpec<Template>> = document.read(Names::Exact)?;
        document.report(member!(pool.spec).missing());
        document.report(of_name(member!(pool.metadata)));
        if member!(pool.spec.template.spec).value.is_some() {
            document.report(of_reference(member!(pool.spec.template.spec.nodeClassRef), is_v1));
            document.report(unrequired(member!(pool.spec.template.spec.requirements)));
            document.report(empty_values(member!(pool.spec.template.spec.taints)));
            document.report(empty_values(member!(pool.spec.template.spec.startupTaints)));
        } else if pool.spec.is_some() {
            let without = member!(pool.spec.template).missing();
            document.report(without.or_else(|| member!(pool.spec.template.spec).missing()));
        }
        let times =
            [member!(pool.spec.template.spec.expireAfter), member!(pool.spec.template.spec.terminationGracePeriod)];
        document.report(of_times(times));
        document.report(node_pool::findings(&pool, is_v1));
        let template = pool.spec.and_then(|spec| spec.template);
        let (metadata, spec) = template.map(|template| (template.metadata, template.spec)).unwrap_or_default();
        let labels = metadata.unwrap_or_default().labels;
        let mut claim = Self { labels, ..spec.map(Self::of_spec).unwrap_or_default() };
        let lists =
            ["spec.template.spec.taints", "spec.template.spec.startupTaints", "spec.template.spec.requirements"];
        claim.rejected(LABELS, lists, document);
        document.report(too_many(claim.labels.len(), MOST, || DocPath::fields(LABELS)));
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
        findings.extend(too_many(self.requirements.len(), MOST, || DocPath::fields(requirements)));
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
            requirements: spec.requirements.unwrap_or_default(),
            taints: spec.taints.into_iter().flatten().map(Taint::from).collect(),
            startup_taints: spec.startupTaints.into_iter().flatten().map(Taint::from).collect(),
            ..Self::default()
        }
    }
}

impl From<ObjectTaint> for Taint {
    fn from(ObjectTaint { key, value, effect, .. }: ObjectTaint) -> Self {
        Self { key, value: value.unwrap_or_default(), effect }
    }
}

/// The most requirements of a NodeClaim, and labels of a NodePool, that the API server accepts.
const MOST: usize = 100;

/// Returns a finding for a spec without requirements: the API server does not accept the object, although they can be empty.
fn unrequired(requirements: Member<'_, Vec<Requirement>>) -> Option<Finding> {
    let finding = requirements.missing()?.severity(Severity::Warning);
    Some(finding.hint("write `requirements: []` if nodes of every size are meant"))
}

/// Returns the findings about taints with an empty value: unlike a node, the API server does not accept it.
fn empty_values(taints: Member<'_, Vec<ObjectTaint>>) -> Vec<Finding> {
    let empty = taints.value.into_iter().flatten().enumerate();
    let empty = empty.filter(|(_, taint)| taint.value.as_ref().is_some_and(String::is_empty));
    let findings = empty.map(|(at, _)| {
        let path = taints.location().join(Step::Index(at)).join(Step::Field { name: "value", json_name: "value" });
        Finding::violation(&rules::TAINT, path, "must not be empty").hint("remove it: a taint needs no value")
    });
    findings.collect()
}

/// Returns the findings about a reference, which must name a node class.
fn of_reference(reference: Member<'_, Reference>, is_v1: bool) -> Vec<Finding> {
    let is_named = |reference: &&Reference| reference.name.as_ref().is_some_and(|name| !name.is_empty());
    let Some(Reference { apiVersion, group, kind, .. }) = reference.value.filter(is_named) else {
        let hint = "set `spec.nodeClassRef.name` to the name of an AKSNodeClass";
        return vec![Finding::missing(reference.location()).hint(hint)];
    };
    let member = |name| reference.location().join(Step::Field { name, json_name: name });
    let mut findings = Vec::new();
    for (name, text, expected) in [("group", group, GROUP), ("kind", kind, KIND)] {
        match text {
            Some(text) if text != expected => {
                let problem = format!("must be `{expected}`, found {text:?}");
                findings.push(Finding::violation(&rules::KARPENTER_VALUE, member(name), problem));
            }
            // The name is sufficient to find the node class, but the API server does not accept the object.
            None if is_v1 && apiVersion.is_none() => {
                let finding = Finding::missing(member(name)).severity(Severity::Warning);
                findings.push(finding.hint(format!("set it to `{expected}`")));
            }
            _ => {}
        }
    }
    findings
}

/// Returns the findings about `expireAfter` and `terminationGracePeriod`.
fn of_times([expiration, grace_period]: [Member<'_, String>; 2]) -> Vec<Finding> {
    let findings =
        [must_be(expiration, is_duration_or_never, DURATION_OR_NEVER), must_be(grace_period, is_duration, DURATION)];
    findings.into_iter().flatten().collect()
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
