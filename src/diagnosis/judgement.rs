//! Diagnoses a node from its evidence.

use serde::Serialize;
use serde_json::{Value, json};

use super::causes::{log_of_success, of_code, of_kubelet, of_result, of_unit, put_first};
use super::check::{Check, Verdict};
use super::errors::{cloud_init_errors, kubelet_lines};
use super::evidence::{Evidence, Item, Source, Unread};
use super::timeline::{self, KERNEL_STARTS, NODE_IS_NOT_READY, NODE_IS_READY, Phase, Row};
use super::timings::{Timings, timings};
use super::units::{self, Unit};
use crate::explain::{self, Explanation};
use crate::moment::{Moment, duration};
use crate::redaction::presentable;

/// How far a machine has become a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum State {
    /// Provisioning succeeded, and nothing shows that the kubelet does not work.
    Succeeded,
    /// Provisioning succeeded, but the kubelet does not work.
    NotWorking,
    /// Provisioning failed.
    Failed,
    /// Provisioning runs.
    Running,
    /// Provisioning started and left no result.
    Unfinished,
    /// Logs show how far the machine got at least; nothing shows how provisioning ended.
    Partial,
    /// No trace of provisioning was found.
    NotStarted,
}

/// The diagnosis of a node.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Diagnosis {
    /// The state of provisioning.
    pub state: State,
    /// The state as a sentence, with the code, the stage and the time since boot.
    pub summary: String,
    /// `ExitCode` of the result.
    pub code: Option<i64>,
    /// The explanation of the failure, if it is known.
    pub explanation: Option<Explanation>,
    /// The last completed step.
    pub last_step: Option<String>,
    /// When the kernel started.
    pub boot: Option<Moment>,
    /// The checks on the running machine, if any.
    pub checks: Vec<Check>,
    /// Events, by time.
    pub timeline: Vec<Row>,
    /// How long phases and steps took.
    pub timings: Timings,
    /// How many rows are omitted because they belong to an earlier boot.
    pub earlier_rows: usize,
    /// The states of the units that a node depends on.
    pub units: Vec<Unit>,
    /// Notes on missing or contradictory evidence and on what to check, as sentences.
    pub notes: Vec<String>,
    /// The last lines of the kubelet about failures.
    pub kubelet: Vec<String>,
    /// Paths of the texts that were read, and how many bytes of each were omitted.
    pub read: Vec<(String, u64)>,
    /// What could not be read.
    pub unread: Vec<Unread>,
}

const NOTHING: &str = "No trace of provisioning was found: no result, no marker and no log";

/// The result document that counts.
struct Recorded<'e> {
    item: &'e Item,
    value: Value,
    code: i64,
}

/// Says how far a machine got and why it is not a node, from everything that is known. The texts must not contain secrets: see
/// [`Redactor`](crate::redaction::Redactor).
#[must_use]
pub fn diagnose(evidence: &Evidence) -> Diagnosis {
    let mut rows = timeline::rows(evidence);
    let mut notes = Vec::new();
    let result = recorded(evidence, &mut notes);
    let boot = boot(&rows, result.as_ref());
    // One row for the start of the kernel is enough; the others differ by fractions of a second.
    rows.retain(|row| row.what != KERNEL_STARTS || boot.as_ref().is_some_and(|boot| boot == row));
    let boot = boot.map(|row| row.at);
    let all = rows.len();
    // The log can have whole seconds only.
    rows.retain(|row| boot.is_none_or(|boot| row.at.0 >= boot.0.saturating_sub(1000)));
    let units = units::units(evidence);
    let last_step = rows.iter().filter(|row| row.phase == Phase::Step && !row.failed).max_by_key(|row| row.end());
    let mut found = Diagnosis {
        state: State::NotStarted,
        summary: String::new(),
        code: result.as_ref().map(|result| result.code),
        explanation: None,
        last_step: last_step.map(|row| row.what.clone()),
        boot,
        checks: evidence.checks.clone(),
        timings: timings(&rows, boot, evidence),
        earlier_rows: all - rows.len(),
        units,
        notes,
        kubelet: Vec::new(),
        read: evidence.items.iter().map(|item| (item.path.clone(), item.left_out)).collect(),
        unread: evidence.unread.clone(),
        timeline: rows,
    };
    for item in evidence.of(Source::EarlierResult) {
        let value = serde_json::from_str(&item.text).unwrap_or_default();
        let code = timeline::exit_code(&value)
            .map_or_else(|| "without a valid code".to_owned(), |code| format!("with {code}"));
        found.notes.push(format!("an earlier attempt ended {code}: {}", item.path));
    }
    found.notes.extend(hotfixes(evidence));
    match result {
        Some(Recorded { code: 0, .. }) => found.succeeded(evidence),
        Some(result) => found.failed(evidence, &result),
        None => found.without_result(evidence),
    }
    let failed = found.checks.iter().filter(|check| check.verdict == Verdict::Failed).map(|check| check.name.as_str());
    let failed: Vec<_> = failed.collect();
    if !failed.is_empty() {
        found.summary = format!("{}; failed checks: {}", found.summary, failed.join(", "));
    }
    if found.state != State::NotStarted {
        found.kubelet = kubelet_lines(evidence);
    }
    found
}

/// Says which hotfixes were asked for, because this controller applies none.
fn hotfixes(evidence: &Evidence) -> Vec<String> {
    let is_on = |line: &str| {
        let (name, value) = line.trim().trim_start_matches("export ").split_once('=').unwrap_or_default();
        name == "ENABLE_PROVISIONING_HOTFIX" && value.trim_matches(['"', '\'']).eq_ignore_ascii_case("true")
    };
    let asks = evidence.of(Source::Features).filter(|item| item.text.lines().any(is_on));
    let asks =
        asks.map(|item| format!("{} has ENABLE_PROVISIONING_HOTFIX; this controller has no hotfixes", item.path));
    let files = evidence.of(Source::Hotfix);
    asks.chain(files.map(|item| format!("{} is ignored; this controller has no hotfixes", item.path))).collect()
}

impl Diagnosis {
    /// Reports whether nothing shows that the machine is not a node, and no check failed.
    #[must_use]
    pub fn is_fine(&self) -> bool {
        self.state == State::Succeeded && self.checks.iter().all(|check| check.verdict != Verdict::Failed)
    }

    pub(super) fn note(&mut self, note: impl Into<String>) {
        self.notes.push(note.into());
    }

    fn succeeded(&mut self, evidence: &Evidence) {
        let last = self.timeline.iter().rfind(|row| row.phase == Phase::Kubelet && !row.failed).map(|row| row.at);
        let ready = self.timeline.iter().rfind(|row| row.what == NODE_IS_READY).map(|row| row.at);
        // A kubelet that started again is not Ready. Times of a journal are whole seconds, so what happened in the same one may have
        // come before.
        let ready = ready.filter(|ready| last.is_none_or(|last| last.0 < ready.0.saturating_add(1000)));
        let ended = self.end_of_run();
        let kubelet = self.units.iter().find(|unit| unit.name == "kubelet.service");
        let broken = kubelet.filter(|unit| unit.active != "active").map(|unit| match unit.result.as_str() {
            "" | "success" => format!("{} ({})", unit.active, unit.sub),
            result => format!("{} ({result})", unit.active),
        });
        if let Some(state) = broken {
            self.state = State::NotWorking;
            self.summary = format!("Provisioned{}, but the kubelet is {state}", self.after_boot(ended));
            self.note("read why the kubelet exits: journalctl --unit=kubelet --boot --no-pager --lines=50");
            self.explanation = of_kubelet(evidence);
            return;
        }
        let is_about_ready = |row: &&Row| row.what == NODE_IS_READY || row.what.starts_with(NODE_IS_NOT_READY);
        if let Some(row) = self.timeline.iter().rfind(is_about_ready).filter(|row| row.failed) {
            self.state = State::NotWorking;
            self.summary = format!("Provisioned{}, but the {} ({})", self.after_boot(ended), row.what, row.at);
            let reason = row.what.clone();
            self.note("check whether it is Ready now: aks-node-controller provision-wait --ready --timeout 1");
            // The kubelet's log says more than that.
            let named = explain::explain(&reason).ok();
            let is_enough = named.as_ref().is_some_and(Explanation::names_cause);
            self.explanation = if is_enough { named } else { of_kubelet(evidence).or(named) };
            return;
        }
        self.state = State::Succeeded;
        let ready_text =
            ready.map(|at| format!("; the node is Ready{}", self.after_boot(Some(at)))).unwrap_or_default();
        self.summary = format!("Provisioned{}{ready_text}", self.after_boot(ended));
        if ready.is_none() && evidence.has(Source::Journal) {
            self.notes.push(
                "the kubelet's log does not show that the node is Ready; if the cluster does not show the node, read \
                 this log"
                    .to_owned(),
            );
        }
        if !evidence.has(Source::Marker) && evidence.has(Source::Result) {
            self.note("a result exists, but no marker: provisioning may have been interrupted at its end");
        }
        self.explanation = of_kubelet(evidence);
        if self.explanation.is_some() {
            self.note("the kubelet's log shows a failure after the node was Ready: its pods may not start, or it may not stay Ready");
        }
    }

    fn failed(&mut self, evidence: &Evidence, result: &Recorded<'_>) {
        self.state = State::Failed;
        let ended = self.end_of_run();
        let after = self.after_boot(ended);
        let explained = of_code(&result.item.text);
        let of_log = evidence.of(Source::ProvisionLog).find_map(|item| of_code(&item.text));
        if let Some(mut explanation) = explained {
            if let Some(of_log) = of_log.filter(|of_log| of_log.code == explanation.code) {
                explanation.evidence = explanation.evidence.or(of_log.evidence);
                explanation.step = explanation.step.or(of_log.step);
            }
            // The result has one line of the kubelet's log.
            if explanation.causes.first().is_none_or(|cause| cause.evidence.is_none())
                && let Some(found) = of_kubelet(evidence).or_else(|| of_unit(evidence))
            {
                put_first(&mut explanation, found);
            }
            self.explain(explanation, &after);
        } else {
            self.explanation = of_result(&result.item.text);
            let unknown = if self.explanation.is_some() { "" } else { ", an unknown code" };
            self.summary = format!("Failed with {}{unknown}{after}", result.code);
            let error = result.value.get("Error").and_then(Value::as_str).unwrap_or_default();
            if !error.is_empty() {
                self.note(format!("the result has the error: {}", presentable(error)));
            }
        }
        if !evidence.has(Source::Marker) && evidence.is_running == Some(false) {
            self.note("the marker is missing: the next boot provisions again");
        }
    }

    pub(super) fn explain(&mut self, explanation: Explanation, after: &str) {
        if let (Some(code), Some(name)) = (explanation.code, explanation.name) {
            self.summary = format!("Failed with {code} {name}{after}");
        }
        self.last_step = self.last_step.take().or_else(|| explanation.step.clone());
        self.code = self.code.or(explanation.code.map(i64::from));
        self.explanation = Some(explanation);
    }

    fn without_result(&mut self, evidence: &Evidence) {
        let last =
            self.last_step.as_ref().map_or_else(String::new, |step| format!("; the last completed step is {step}"));
        if evidence.is_running == Some(true) {
            self.state = State::Running;
            let since =
                self.timeline.iter().rfind(|row| row.phase == Phase::Controller && row.what == "controller starts");
            let since = since.map(|row| format!(" since {}", row.at)).unwrap_or_default();
            self.summary = format!("Provisioning is running{since}{last}");
            self.note("wait for its result: aks-node-controller provision-wait");
            return;
        }
        if log_of_success(evidence) {
            self.code = Some(0);
            self.succeeded(evidence);
            self.note("the result document is missing; a log says that provisioning has succeeded");
            return;
        }
        let events = evidence.of(Source::Event).filter(|item| item.text.contains("cse_start"));
        let logs =
            [Source::ProvisionLog, Source::ControllerLog, Source::ScriptOutput, Source::HandlerLog, Source::AgentLog];
        let texts = events.chain(logs.iter().flat_map(|source| evidence.of(*source)));
        let failed = texts.filter_map(|item| {
            let explanation = of_code(&item.text)?;
            // The extension ends with 1, regardless of the code of its command.
            let is_of_agent = matches!(item.source, Source::HandlerLog | Source::AgentLog);
            (explanation.code != Some(1) || !is_of_agent).then_some(explanation)
        });
        let failed = failed.fold(None, |found: Option<Explanation>, other| {
            let mut found = found.unwrap_or_else(|| other.clone());
            if found.code == other.code {
                found.evidence = found.evidence.or(other.evidence);
                found.step = found.step.or(other.step);
            }
            Some(found)
        });
        if let Some(explanation) = failed {
            self.state = State::Failed;
            let after = self.after_boot(self.end_of_run());
            self.explain(explanation, &after);
            self.note("the result document is missing; the failure was found in events and logs");
            return;
        }
        let began = self.timeline.iter().find(|row| matches!(row.phase, Phase::Controller | Phase::Run | Phase::Step));
        if began.is_some() || evidence.has(Source::Started) || evidence.has(Source::ProvisionLog) {
            self.state = State::Unfinished;
            self.summary = format!("Provisioning started and left no result{last}");
            self.note(match evidence.is_running {
                Some(false) => "no provisioner is running: it was killed, or the machine lost power",
                _ => "it was still running when the logs were collected, or it was killed",
            });
            return;
        }
        if !self.partial(evidence) {
            self.not_started(evidence);
        }
    }

    fn not_started(&mut self, evidence: &Evidence) {
        self.state = State::NotStarted;
        NOTHING.clone_into(&mut self.summary);
        let is_denied = |path: &str| {
            evidence.unread.iter().any(|unread| unread.path.contains(path) && unread.problem.contains("ermission"))
        };
        if is_denied("/var/log/azure") || is_denied("/opt/azure") {
            self.note("some files cannot be read; run it as root: sudo aks-node-controller diagnose");
        }
        let errors = cloud_init_errors(evidence);
        for error in &errors {
            self.note(format!("cloud-init reports: {error}"));
        }
        if evidence.has(Source::Input) {
            self.notes.push(
                "the Configuration exists, but the controller was not started: read `systemctl status \
                 aks-node-controller` and `journalctl -t aks-node-controller-launcher`; the image may lack the \
                 launcher, or the boothook failed"
                    .to_owned(),
            );
        } else if !errors.is_empty() {
            self.note("cloud-init failed, so CustomData was not applied: read /var/log/cloud-init.log and /run/cloud-init/result.json");
        } else if evidence.has(Source::CloudInitLog) || evidence.has(Source::CloudInitResult) {
            self.notes.push(
                "cloud-init ran, but there is no Configuration: the CustomData of the machine is empty, or not for a \
                 node; inspect the delivered user data: sudo cloud-init query userdata | aks-node-controller inspect \
                 -"
                .to_owned(),
            );
        } else {
            self.notes.push(
                "cloud-init's log is missing too: CustomData was not delivered, or this is not the machine or not the \
                 directory of its logs"
                    .to_owned(),
            );
        }
    }

    /// Returns when provisioning ended: from the result, else from the last row of provisioning or of a step.
    fn end_of_run(&self) -> Option<Moment> {
        let ends = |row: &&Row| row.what.starts_with("provisioning scripts end") || row.what == "controller ends";
        let of_run = self.timeline.iter().rfind(|row| row.phase == Phase::Run && ends(row));
        let of_controller = || self.timeline.iter().rfind(ends);
        let of_step = || {
            self.timeline.iter().filter(|row| matches!(row.phase, Phase::Run | Phase::Step)).max_by_key(|row| row.end())
        };
        of_run.or_else(of_controller).or_else(of_step).map(Row::end)
    }

    /// Returns `, 2 min 13 s after boot` for a point in time, empty if it or the boot is unknown.
    fn after_boot(&self, at: Option<Moment>) -> String {
        match (at, self.boot) {
            (Some(at), Some(boot)) => format!(", {} after boot", duration(at.0.saturating_sub(boot.0))),
            _ => String::new(),
        }
    }

    /// Returns the stable JSON form.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let since_boot = |at: Moment| self.boot.map(|boot| at.0.saturating_sub(boot.0));
        let timeline = self.timeline.iter().map(|row| {
            json!({
                "time": row.at.to_string(),
                "sinceBootMs": since_boot(row.at),
                "durationMs": row.duration,
                "phase": row.phase,
                "what": row.what,
                "failed": row.failed,
                "source": row.source,
            })
        });
        json!({
            "state": self.state,
            "summary": self.summary,
            "code": self.code,
            "explanation": self.explanation,
            "lastStep": self.last_step,
            "boot": self.boot.map(|boot| boot.to_string()),
            "checks": self.checks,
            "timeline": timeline.collect::<Value>(),
            "timings": self.timings.to_json(),
            "earlierRows": self.earlier_rows,
            "units": self.units,
            "kubelet": self.kubelet,
            "notes": self.notes,
            "read": self.read.iter().map(|(path, left_out)| json!({"path": path, "leftOut": left_out})).collect::<Value>(),
            "unread": self.unread,
        })
    }
}

/// Returns the result document that counts: the newest one, because a disk that cannot be written keeps an older one.
fn recorded<'e>(evidence: &'e Evidence, notes: &mut Vec<String>) -> Option<Recorded<'e>> {
    let mut found: Option<Recorded<'e>> = None;
    let time = |value: &Value| timeline::time_of(value, "CSEStartTime");
    for item in evidence.of(Source::Result) {
        let value = serde_json::from_str::<Value>(&item.text).unwrap_or_default();
        let Some(code) = timeline::exit_code(&value) else {
            let problem =
                if item.text.trim().is_empty() { "is empty" } else { "is not a valid result, or is truncated" };
            notes.push(format!("{} {problem}", item.path));
            continue;
        };
        if let Some(other) = &found {
            let (newer, older) =
                if time(&value) > time(&other.value) { (item, other.item) } else { (other.item, item) };
            notes.push(format!("more than one result exists: {} is newer than {}", newer.path, older.path));
        }
        if found.as_ref().is_none_or(|other| time(&value) > time(&other.value)) {
            found = Some(Recorded { item, value, code });
        }
    }
    found
}

/// Returns the row with the start of the kernel of the diagnosed boot: the boot of the result, else the latest.
fn boot(rows: &[Row], result: Option<&Recorded<'_>>) -> Option<Row> {
    let starts = || rows.iter().filter(|row| row.what == KERNEL_STARTS);
    let of_result = result.and_then(|result| starts().find(|row| row.source == result.item.path));
    of_result.or_else(|| starts().max_by_key(|row| row.at)).cloned()
}
