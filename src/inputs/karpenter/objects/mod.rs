//! The documents from which Karpenter makes a node: NodeClaim, AKSNodeClass, settings of the controller, facts of the
//! running cluster, and VM size.
//!
//! Each document has a type whose fields have the names of the document. To add a field: a field of that type.

mod cluster;
mod doubts;
mod instance_type;
mod node_claim;
mod node_class;
mod node_pool;
mod requirement;
mod settings;

pub use cluster::Cluster;
#[cfg(feature = "cli")]
pub(in crate::inputs::karpenter) use cluster::FACTS as CLUSTER_FACTS;
pub use instance_type::InstanceType;
pub use node_claim::NodeClaim;
pub use node_class::{NodeClass, ResolvedImage, TrustedLaunch};
pub use requirement::Requirement;
#[cfg(feature = "cli")]
pub(in crate::inputs::karpenter) use settings::Given;
pub use settings::{SETTINGS, Setting, Settings};

use std::collections::BTreeMap;

use serde::Deserialize;
use serde::de::IgnoredAny;

use crate::catalogue::labels::is_dns1123_subdomain;
use crate::catalogue::rules;
use crate::document::{DocPath, Document, Finding, Step};
use crate::inputs::member::Member;

/// The metadata of a Kubernetes object.
/// <https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/object-meta/>
#[derive(Default, Deserialize)]
#[serde(rename = "the metadata of an object", rename_all = "camelCase", default)]
struct Metadata {
    name: String,
    labels: BTreeMap<String, String>,
    #[serde(rename = "annotations")]
    _annotations: BTreeMap<String, String>,
    creation_timestamp: IgnoredAny,
    deletion_grace_period_seconds: IgnoredAny,
    deletion_timestamp: IgnoredAny,
    finalizers: IgnoredAny,
    generate_name: IgnoredAny,
    generation: IgnoredAny,
    managed_fields: IgnoredAny,
    namespace: IgnoredAny,
    owner_references: IgnoredAny,
    resource_version: IgnoredAny,
    self_link: IgnoredAny,
    uid: IgnoredAny,
}

/// A NodeClaim or a NodePool, with its spec.
#[derive(Deserialize)]
#[serde(rename = "NodeClaim", rename_all = "camelCase")]
#[expect(dead_code, reason = "the other members are known")]
struct Object<S> {
    api_version: Option<IgnoredAny>,
    kind: Option<IgnoredAny>,
    metadata: Option<Metadata>,
    spec: Option<S>,
    status: Option<IgnoredAny>,
}

/// Text that YAML reads as a boolean or a number if it looks like one and has no quotes.
#[derive(Deserialize)]
pub(in crate::inputs::karpenter) struct Scalar(pub String);

/// Returns the finding for a text that differs from the expected one.
fn unexpected(member: Member<'_, String>, expected: &'static str) -> Finding {
    Finding::unexpected(&rules::KARPENTER_VALUE, member.location(), expected, format!("{:?}", member.text()))
}

/// Returns a finding for a text that violates a predicate.
fn must_be(member: Member<'_, String>, fits: impl Fn(&str) -> bool, expected: &'static str) -> Option<Finding> {
    member.value.is_some_and(|text| !fits(text)).then(|| unexpected(member, expected))
}

/// Returns a finding for a name that no object of Kubernetes can have.
fn of_name(metadata: Member<'_, Metadata>) -> Option<Finding> {
    let name = metadata.value.map(|metadata| metadata.name.as_str()).filter(|name| !name.is_empty())?;
    let path = metadata.location().join(Step::Field { name: "name", json_name: "name" });
    let expected = "lower-case letters, digits, `-` and `.`, as names of objects are";
    let found = || Finding::unexpected(&rules::KARPENTER_VALUE, path, expected, format!("{name:?}"));
    (!is_dns1123_subdomain(name)).then(found)
}

/// Returns a finding for a text that is not one of the accepted words.
fn one_of(member: Member<'_, String>, words: &[&str]) -> Option<Finding> {
    let text = member.value.filter(|text| !words.contains(&text.as_str()))?;
    let rule = format!("must be one of {}, found {text:?}", words.join(", "));
    Some(member.violation(&rules::KARPENTER_VALUE, rule))
}

/// Returns a finding for a number outside its bounds.
fn within(member: Member<'_, i64>, (least, most): (i64, i64)) -> Option<Finding> {
    let number = member.value.filter(|number| !(least..=most).contains(*number))?;
    Some(member.violation(&rules::KARPENTER_VALUE, format!("must be {least} to {most}, found {number}")))
}

/// Returns a finding for a list or a map with more elements than the API server accepts.
fn too_many(count: usize, most: usize, path: impl FnOnce() -> DocPath) -> Option<Finding> {
    let problem = || format!("must have at most {most} elements, found {count}");
    (count > most).then(|| Finding::violation(&rules::KARPENTER_VALUE, path(), problem()))
}

/// Reports a Kubernetes object of another kind, or of another API than the one with this group.
fn check_kind(document: &mut Document<'_>, group: &'static str, kinds: &[&str]) {
    let kind = document.text("kind");
    if !kinds.contains(&kind) {
        let rule = format!("must be {}, found {kind:?}", kinds.join(" or "));
        document.report([Finding::violation(&rules::WRONG_KIND, DocPath::fields("kind"), rule)]);
    }
    let version = document.text("apiVersion");
    // `v1`, `v1beta1`, `v1alpha2`.
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let is_version = |version: &str| {
        let numbers = version.strip_prefix('v').unwrap_or_default();
        match ["alpha", "beta"].iter().find_map(|stage| numbers.split_once(stage)) {
            Some((number, of_stage)) => is_number(number) && is_number(of_stage),
            None => is_number(numbers),
        }
    };
    let fits = version.strip_prefix(group).and_then(|rest| rest.strip_prefix('/')).is_some_and(is_version);
    if !version.is_empty() && !fits {
        let rule = format!("must be a version of `{group}`, such as `{group}/v1`, found {version:?}");
        document.report([Finding::violation(&rules::WRONG_KIND, DocPath::fields("apiVersion"), rule)]);
    }
}
