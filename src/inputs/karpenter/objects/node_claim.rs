//! `NodeClaim`, and `NodePool`, whose template replaces it.

use std::collections::BTreeMap;

use super::is_kind;
use crate::document::{Finding, Object, Report, read_document};
use crate::inputs::karpenter::Taint;

/// A request for a node.
#[derive(Clone, Debug, Default)]
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
#[derive(Clone, Debug, Default)]
#[expect(missing_docs, reason = "the three parts of a requirement")]
pub struct Requirement {
    pub key: String,
    pub operator: String,
    pub values: Vec<String>,
}

impl Requirement {
    /// Reads the entries of a list of requirements.
    pub(super) fn list(object: &Object<'_>, name: &'static str) -> Vec<Self> {
        let read = |requirement: Object<'_>| {
            requirement.member("minValues");
            Self {
                key: requirement.text("key").unwrap_or_default().to_owned(),
                operator: requirement.text("operator").unwrap_or_default().to_owned(),
                values: requirement.texts("values"),
            }
        };
        object.objects(name, "a requirement").into_iter().map(read).collect()
    }

    /// Reports whether something that has one of these values for the key can satisfy the requirement.
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
        read_document(bytes, "NodeClaim", Self::read)
    }

    fn read(object: &Object<'_>) -> Self {
        let is_claim = is_kind(object, &["NodeClaim", "NodePool"]) && object.text("kind") == Some("NodeClaim");
        object.member("status");
        let metadata = object.object("metadata", "metadata");
        let name = metadata.as_ref().and_then(|metadata| metadata.text("name")).unwrap_or_default().to_owned();
        let labels = metadata.as_ref().map(|metadata| metadata.text_map("labels")).unwrap_or_default();
        if let Some(metadata) = metadata {
            metadata.ignore_the_rest();
        }
        let Some(spec) = object.object("spec", "the spec of a NodeClaim") else {
            object.report(Finding::missing(object.at("spec")));
            return Self::default();
        };
        if is_claim {
            return Self { name, labels, ..Self::spec(&spec) };
        }
        let template = spec.object("template", "the template of a NodePool");
        let mut claim = Self::default();
        if let Some(template) = &template {
            let labels = template.object("metadata", "metadata").map(|metadata| {
                let labels = metadata.text_map("labels");
                metadata.ignore_the_rest();
                labels
            });
            claim = template.object("spec", "the spec of a template").map(|spec| Self::spec(&spec)).unwrap_or_default();
            claim.labels = labels.unwrap_or_default();
        }
        // Karpenter's core sets these on every claim of a pool.
        claim.labels.insert("karpenter.sh/nodepool".to_owned(), name);
        claim.labels.insert("karpenter.azure.com/aksnodeclass".to_owned(), claim.node_class.clone());
        spec.ignore_the_rest();
        claim
    }

    fn spec(spec: &Object<'_>) -> Self {
        for name in ["expireAfter", "terminationGracePeriod", "resources"] {
            spec.member(name);
        }
        let reference = spec.object("nodeClassRef", "the reference to a node class");
        let node_class = reference.as_ref().and_then(|reference| {
            reference.text("group");
            reference.text("kind");
            reference.text("name")
        });
        if node_class.is_none() {
            let hint = "set `spec.nodeClassRef.name` to the name of an AKSNodeClass";
            spec.report(Finding::missing(spec.at("nodeClassRef")).hint(hint));
        }
        Self {
            node_class: node_class.unwrap_or_default().to_owned(),
            requirements: Requirement::list(spec, "requirements"),
            taints: taints(spec, "taints"),
            startup_taints: taints(spec, "startupTaints"),
            ..Self::default()
        }
    }
}

fn taints(spec: &Object<'_>, name: &'static str) -> Vec<Taint> {
    let read = |taint: Object<'_>| {
        taint.member("timeAdded");
        let text = |name| taint.text(name).unwrap_or_default().to_owned();
        Taint { key: text("key"), value: text("value"), effect: text("effect") }
    };
    spec.objects(name, "a taint").into_iter().map(read).collect()
}

impl NodeClaim {
    /// Returns the keys for which the requirements together allow exactly one value, and that value.
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
