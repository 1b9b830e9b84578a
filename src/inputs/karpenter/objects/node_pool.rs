//! The members of a `NodePool` that make no difference for its nodes, but with which the API server rejects it.
//! <https://github.com/kubernetes-sigs/karpenter/blob/main/pkg/apis/crds/karpenter.sh_nodepools.yaml>

#![expect(non_snake_case, reason = "the fields have the names of the document, which findings show")]

use std::collections::BTreeMap;

use serde::Deserialize;

use super::{Object, Scalar, must_be, one_of, too_many, within};
use crate::catalogue::rules;
use crate::configuration::syntax::is_quantity;
use crate::document::{DocPath, Finding, Step};
use crate::inputs::member::{Member, member};

/// `WhenUnderutilized` is the default of version v1beta1.
const POLICIES: &[&str] = &["WhenEmpty", "WhenEmptyOrUnderutilized", "Balanced", "WhenUnderutilized"];
/// The most budgets of a pool.
const MOST_BUDGETS: usize = 50;
const REASONS: &[&str] = &["Underutilized", "Empty", "Drifted"];
/// The schedules, after `@`, of cron that are not five fields.
const SCHEDULES: [&str; 7] = ["annually", "yearly", "monthly", "weekly", "daily", "midnight", "hourly"];

pub(super) const DURATION: &str = "hours, minutes and seconds such as `720h` or `1h30m`";
pub(super) const DURATION_OR_NEVER: &str = "hours, minutes and seconds such as `720h` or `1h30m`, or `Never`";

/// The members of the spec beside the template.
#[derive(Deserialize)]
#[serde(rename = "the spec of a NodePool")]
pub(super) struct PoolSpec<T> {
    pub(super) template: Option<T>,
    disruption: Option<Disruption>,
    limits: Option<BTreeMap<String, Scalar>>,
    replicas: Option<i64>,
    weight: Option<i64>,
}

#[derive(Deserialize)]
#[serde(rename = "disruption")]
struct Disruption {
    budgets: Option<Vec<Budget>>,
    consolidateAfter: Option<String>,
    consolidationPolicy: Option<String>,
    /// Of version v1beta1.
    expireAfter: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename = "a budget")]
struct Budget {
    nodes: Option<String>,
    #[serde(default)]
    reasons: Vec<String>,
    schedule: Option<String>,
    duration: Option<String>,
}

/// Returns the findings about the members of a pool beside its template. Only version v1 requires the time before a consolidation.
pub(super) fn findings<T>(pool: &Object<PoolSpec<T>>, is_v1: bool) -> Vec<Finding> {
    let mut findings = Vec::new();
    if is_v1 && member!(pool.spec.disruption).value.is_some() {
        findings.extend(member!(pool.spec.disruption.consolidateAfter).missing());
    }
    findings.extend(must_be(member!(pool.spec.disruption.consolidateAfter), is_duration_or_never, DURATION_OR_NEVER));
    findings.extend(one_of(member!(pool.spec.disruption.consolidationPolicy), POLICIES));
    findings.extend(must_be(member!(pool.spec.disruption.expireAfter), is_duration_or_never, DURATION_OR_NEVER));
    let budgets = member!(pool.spec.disruption.budgets);
    let count = budgets.value.map(Vec::len).unwrap_or_default();
    findings.extend(too_many(count, MOST_BUDGETS, || budgets.location()));
    for (at, budget) in budgets.value.into_iter().flatten().enumerate() {
        findings.extend(of_budget(budget, &budgets.location().join(Step::Index(at))));
    }
    findings.extend(within(member!(pool.spec.weight), (1, 100)));
    findings.extend(within(member!(pool.spec.replicas), (0, i64::MAX)));
    findings.extend(of_limits(member!(pool.spec.limits)));
    findings.extend(of_replicas(pool));
    findings
}

/// A pool with a fixed number of nodes has neither a weight nor limits of other resources.
fn of_replicas<T>(pool: &Object<PoolSpec<T>>) -> Vec<Finding> {
    if member!(pool.spec.replicas).value.is_none() {
        return Vec::new();
    }
    let limits = member!(pool.spec.limits);
    let others = limits.value.into_iter().flat_map(BTreeMap::keys).filter(|name| *name != "nodes");
    let paths = others.map(|name| limits.location().join(Step::Key(name.clone())));
    let weight = member!(pool.spec.weight);
    let problem = "cannot be set beside `replicas`".to_owned();
    paths
        .chain(weight.value.map(|_| weight.location()))
        .map(|path| Finding::violation(&rules::KARPENTER_COMBINATION, path, problem.clone()))
        .collect()
}

fn of_limits(limits: Member<'_, BTreeMap<String, Scalar>>) -> Vec<Finding> {
    let amounts = limits.value.into_iter().flatten().filter(|(_, Scalar(amount))| !is_quantity(amount));
    let wrong = amounts.map(|(name, Scalar(amount))| {
        let path = limits.location().join(Step::Key(name.clone()));
        let expected = "an amount such as `1000` or `512Gi`";
        Finding::unexpected(&rules::KARPENTER_VALUE, path, expected, format!("{amount:?}"))
    });
    wrong.collect()
}

fn of_budget(budget: &Budget, path: &DocPath) -> Vec<Finding> {
    let Budget { nodes, reasons, schedule, duration } = budget;
    let member = |name| path.join(Step::Field { name, json_name: name });
    let wrong = |name, text: &Option<String>, fits: fn(&str) -> bool, expected| {
        let text = text.as_deref().filter(|text| !fits(text))?;
        Some(Finding::unexpected(&rules::KARPENTER_VALUE, member(name), expected, format!("{text:?}")))
    };
    let unknown = reasons.iter().find(|reason| !REASONS.contains(&reason.as_str()));
    let repeated = REASONS.iter().find(|known| reasons.iter().filter(|reason| reason == known).count() > 1);
    let alone = match (schedule, duration) {
        (Some(_), None) => Some(("duration", "is required beside `schedule`")),
        (None, Some(_)) => Some(("schedule", "is required beside `duration`")),
        _ => None,
    };
    let findings = [
        wrong("nodes", nodes, is_count_or_share, "a number of nodes such as `3`, or `0%` to `100%`"),
        wrong("schedule", schedule, is_schedule, "five fields of cron, or a name such as `@daily`"),
        wrong("duration", duration, is_length, "hours and minutes such as `8h` or `1h30m`"),
        unknown.map(|reason| {
            let expected = "`Underutilized`, `Empty` or `Drifted`";
            Finding::unexpected(&rules::KARPENTER_VALUE, member("reasons"), expected, format!("{reason:?}"))
        }),
        repeated.map(|reason| {
            let problem = format!("must not have `{reason}` twice");
            Finding::violation(&rules::KARPENTER_VALUE, member("reasons"), problem)
        }),
        alone.map(|(name, problem)| Finding::violation(&rules::REQUIRED, member(name), problem)),
    ];
    findings.into_iter().flatten().collect()
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Reports whether a text is a row of numbers, each with one of these units.
fn has_units(text: &str, units: &[char]) -> bool {
    let parts: Vec<&str> = text.split_inclusive(units).collect();
    !parts.is_empty() && parts.iter().all(|part| part.strip_suffix(units).is_some_and(is_number))
}

pub(super) fn is_duration(text: &str) -> bool {
    has_units(text, &['s', 'm', 'h'])
}

pub(super) fn is_duration_or_never(text: &str) -> bool {
    text == "Never" || is_duration(text)
}

/// How long a budget lasts: hours, minutes, or both in this order. Go writes `0s` after them.
fn is_length(text: &str) -> bool {
    let text = text.strip_suffix("0s").filter(|rest| !rest.is_empty()).unwrap_or(text);
    let (hours, minutes) = text.split_once('h').unwrap_or(("", text));
    let is_hours = hours.is_empty() && !text.contains('h') || is_number(hours);
    is_hours && (minutes.strip_suffix('m').is_some_and(is_number) || minutes.is_empty() && !hours.is_empty())
}

fn is_count_or_share(text: &str) -> bool {
    match text.strip_suffix('%') {
        Some(share) => share == "100" || (share.len() <= 2 && is_number(share)),
        None => is_number(text),
    }
}

fn is_schedule(text: &str) -> bool {
    match text.strip_prefix('@') {
        Some(name) => SCHEDULES.iter().any(|known| name.starts_with(known)),
        None => text.split_whitespace().count() >= 5,
    }
}
