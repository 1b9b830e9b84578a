//! The documents that a Karpenter node is made from: the NodeClaim, the AKSNodeClass, the settings of the controller, what
//! it reads from the running cluster, and the VM size.

mod cluster;
mod instance_type;
mod node_claim;
mod node_class;
mod settings;

pub use cluster::Cluster;
pub use instance_type::InstanceType;
pub use node_claim::{NodeClaim, Requirement};
pub use node_class::{NodeClass, ResolvedImage, TrustedLaunch};
pub use settings::{SETTINGS, Setting, Settings};

use crate::catalogue::rules;
use crate::document::{Finding, Object, Tree};

/// Reports a member that violates a rule.
fn violation(object: &Object<'_>, name: &'static str, expected: &'static str, found: &str) {
    object.report(Finding::unexpected(&rules::KARPENTER_VALUE, object.at(name), expected, format!("{found:?}")));
}

/// Returns a member that must be an integer within bounds.
fn within(object: &Object<'_>, name: &'static str, (least, most): (i64, i64)) -> Option<i64> {
    let number = object.integer(name)?;
    if !(least..=most).contains(&number) {
        let rule = format!("must be {least} to {most}, found {number}");
        object.report(Finding::violation(&rules::KARPENTER_VALUE, object.at(name), rule));
    }
    Some(number)
}

/// Returns a member that must be one of some words.
fn one_of(object: &Object<'_>, name: &'static str, words: &'static [&'static str]) -> Option<String> {
    let text = object.text(name)?;
    if !words.contains(&text) {
        let rule = format!("must be one of {}, found {text:?}", words.join(", "));
        object.report(Finding::violation(&rules::KARPENTER_VALUE, object.at(name), rule));
    }
    Some(text.to_owned())
}

/// Returns whether a boolean member is `true`.
fn is_set(object: &Object<'_>, name: &'static str) -> bool {
    object.switch(name).unwrap_or_default()
}

/// Checks the kind of a Kubernetes object. Reports it and returns `false` if it is another one.
fn is_kind(object: &Object<'_>, kinds: &'static [&'static str]) -> bool {
    object.member("apiVersion");
    let kind = object.text("kind").unwrap_or_default();
    let fits = kinds.contains(&kind);
    if !fits {
        let rule = format!("must be {}, found {kind:?}", kinds.join(" or "));
        object.report(Finding::violation(&rules::WRONG_KIND, object.at("kind"), rule));
    }
    fits
}

/// Returns a scalar as a string: YAML reads a string without quotes as a boolean or a number if it looks like one.
fn scalar(tree: &Tree) -> Option<String> {
    match tree {
        Tree::Text(text) => Some(text.clone()),
        Tree::Bool(value) => Some(value.to_string()),
        Tree::Integer(number) => Some(number.to_string()),
        Tree::Number(number) => Some(number.to_string()),
        Tree::Null | Tree::Bytes(_) | Tree::List(_) | Tree::Map(_) => None,
    }
}
