//! States of units, as `systemctl show` and `systemctl status` print them.

use serde::Serialize;

use super::evidence::{Evidence, Source};
use crate::redaction::presentable;

/// The units that a node depends on, in the order in which they start.
pub const UNITS: [&str; 10] = [
    "cloud-init-local.service",
    "cloud-init.service",
    "cloud-final.service",
    "walinuxagent.service",
    "waagent.service",
    "aks-node-controller.service",
    "containerd.service",
    "secure-tls-bootstrap.service",
    "localdns.service",
    "kubelet.service",
];

/// The properties that `systemctl show` must print.
#[cfg(node)]
pub const PROPERTIES: &str = "Id,LoadState,ActiveState,SubState,Result,NRestarts,ExecMainStatus,ExecMainStartTimestamp";

/// The state of a unit.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[non_exhaustive]
pub struct Unit {
    /// Its name, `kubelet.service`.
    pub name: String,
    /// `active`, `inactive`, `failed`, `activating`, …
    pub active: String,
    /// `running`, `dead`, `auto-restart`, …; empty if unknown.
    pub sub: String,
    /// Why it ended, such as `exit-code`; empty if unknown.
    pub result: String,
    /// How often systemd has restarted it; `None` if unknown.
    pub restarts: Option<u64>,
    /// The path of the text with this state.
    pub source: String,
}

impl Unit {
    /// Reports whether the unit has failed, or fails repeatedly.
    #[must_use]
    pub fn has_failed(&self) -> bool {
        self.active == "failed" || self.sub == "auto-restart"
    }
}

/// Returns the states of the units that a node depends on. Of several texts about a unit, the last one by path counts.
pub(crate) fn units(evidence: &Evidence) -> Vec<Unit> {
    let mut found: Vec<Unit> = Vec::new();
    for item in evidence.of(Source::Units) {
        for unit in shown(&item.text).into_iter().chain(statuses(&item.text)) {
            if !UNITS.contains(&unit.name.as_str()) {
                continue;
            }
            let unit = Unit {
                active: presentable(&unit.active).into_string(),
                sub: presentable(&unit.sub).into_string(),
                result: presentable(&unit.result).into_string(),
                source: item.path.clone(),
                ..unit
            };
            match found.iter_mut().find(|other| other.name == unit.name) {
                // `systemctl show` has more details.
                Some(other) if other.restarts.is_none() => *other = unit,
                Some(_) => {}
                None => found.push(unit),
            }
        }
    }
    found.sort_by_key(|unit| UNITS.iter().position(|name| *name == unit.name));
    found
}

/// Reads the output of `systemctl show`: a block of `NAME=value` for each unit. Units that do not exist are omitted.
fn shown(text: &str) -> Vec<Unit> {
    let mut units = Vec::new();
    for block in text.split("\n\n") {
        let value = |name: &str| {
            block.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix('=')).unwrap_or_default().to_owned()
        };
        let (name, load, active) = (value("Id"), value("LoadState"), value("ActiveState"));
        if name.is_empty() || active.is_empty() || load == "not-found" {
            continue;
        }
        let restarts = value("NRestarts").parse().ok();
        units.push(Unit { name, active, sub: value("SubState"), result: value("Result"), restarts, ..Unit::default() });
    }
    units
}

/// Reads the output of `systemctl status`: `● kubelet.service - …`, then `Active: failed (Result: exit-code) since …`.
fn statuses(text: &str) -> Vec<Unit> {
    let mut units = Vec::new();
    let mut name = None;
    for line in text.lines() {
        if !line.starts_with(' ') {
            let title = line.trim_start_matches(|character: char| !character.is_ascii_alphanumeric());
            name = title.split(' ').next().filter(|word| word.ends_with(".service")).map(str::to_owned);
        } else if let Some(state) = line.trim_start().strip_prefix("Active: ")
            && let Some(name) = name.take()
        {
            let active = state.split(' ').next().unwrap_or_default().to_owned();
            let inside = state.split_once('(').and_then(|(_, rest)| rest.split(')').next()).unwrap_or_default();
            let (sub, result) = match inside.split_once("Result: ") {
                Some((sub, result)) => (sub.trim_end_matches([' ', ',']).trim_end(), result),
                None => (inside, ""),
            };
            units.push(Unit { name, active, sub: sub.to_owned(), result: result.to_owned(), ..Unit::default() });
        }
    }
    units
}
