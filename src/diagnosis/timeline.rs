//! What happened on a node and when, from everything that has a time.
//!
//! To read another text: a function that adds rows, and its [`Source`] in [`rows`].

use std::collections::BTreeSet;

use serde_json::Value;

use super::evidence::{Evidence, Item, Source};
use super::moment::Moment;
use crate::explain::presentable;

/// The most rows that one text adds, so that a log of a year does not become a timeline of a year.
const MOST_ROWS: usize = 2000;

/// Bytes of a line that are looked at.
const LONGEST_LINE: usize = 8192;

/// Two accounts of one step end within this time of each other, in milliseconds: logs have whole seconds.
const SAME: u64 = 1500;

/// The row for the moment when the node became Ready.
pub(super) const NODE_IS_READY: &str = "node is Ready";

/// What the row begins with for the moment when a waiter gave up.
pub(super) const NODE_IS_NOT_READY: &str = "node is not Ready";

/// What a row about the start of the kernel says. Each account stays: whoever looks at them knows which to trust.
pub(super) const KERNEL_STARTS: &str = "kernel starts";

/// What a row of the timeline is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Phase {
    /// The kernel, and what systemd starts before cloud-init.
    Boot,
    /// cloud-init.
    CloudInit,
    /// The guest agent and the extension that runs the CSE command.
    Agent,
    /// The controller and its launcher.
    Controller,
    /// A run of the provisioning scripts as a whole.
    Run,
    /// A step of the provisioning scripts.
    Step,
    /// kubelet.
    Kubelet,
}

impl Phase {
    /// Returns the name in JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Boot => "boot",
            Self::CloudInit => "cloud-init",
            Self::Agent => "agent",
            Self::Controller => "controller",
            Self::Run => "run",
            Self::Step => "step",
            Self::Kubelet => "kubelet",
        }
    }
}

/// A row of the timeline.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Row {
    /// When it happened, or began if it took time.
    pub at: Moment,
    /// How long it took, in milliseconds. `None` for what takes no time, or whose end is not known.
    pub duration: Option<i64>,
    /// What it is about.
    pub phase: Phase,
    /// What happened.
    pub what: String,
    /// Whether it is a failure.
    pub failed: bool,
    /// The path of the text that says so.
    pub source: String,
}

impl Row {
    fn end(&self) -> Moment {
        Moment(self.at.0.saturating_add(self.duration.unwrap_or(0)))
    }
}

/// Returns all rows, by time.
pub(super) fn rows(evidence: &Evidence) -> Vec<Row> {
    let mut found = Vec::new();
    let near = reference(evidence);
    for item in &evidence.items {
        let mut rows = Rows { item, near, found: Vec::new() };
        match item.source {
            Source::Result => rows.result(),
            Source::Event => rows.event(),
            Source::ProvisionLog => rows.provision_log(),
            Source::ControllerLog => rows.controller_log(),
            Source::CloudInitLog => rows.cloud_init_log(),
            Source::AgentLog | Source::HandlerLog => rows.agent_log(),
            Source::Journal | Source::Units => rows.journal(),
            Source::Kernel => rows.kernel(),
            Source::Certificate => rows.certificate(),
            Source::EarlierResult
            | Source::Marker
            | Source::ImageMarker
            | Source::Started
            | Source::ScriptOutput
            | Source::CloudInitResult
            | Source::Input => {}
        }
        found.append(&mut rows.found);
    }
    merged(found)
}

/// Returns a point in time of about the boot that is looked at, for logs without a year.
fn reference(evidence: &Evidence) -> Option<Moment> {
    let of_result = |item: &Item| {
        let result: Value = serde_json::from_str(&item.text).ok()?;
        time_of(&result, "CSEStartTime").or_else(|| time_of(&result, "KernelStartTime"))
    };
    let of_lines = |item: &Item| item.text.lines().take(50).find_map(Moment::parse);
    let result = evidence.of(Source::Result).find_map(of_result);
    result
        .or_else(|| {
            evidence.of(Source::Event).find_map(|item| time_of(&serde_json::from_str(&item.text).ok()?, "Timestamp"))
        })
        .or_else(|| evidence.items.iter().filter(|item| item.source != Source::Event).find_map(of_lines))
        .or_else(|| evidence.items.iter().filter_map(|item| item.modified).max())
}

/// Returns the time in a member of an object.
pub(super) fn time_of(object: &Value, name: &str) -> Option<Moment> {
    Moment::parse(object.get(name)?.as_str()?)
}

/// Sorts rows, and joins two accounts of one thing: an event, which knows when a step began, and the log's line about it.
fn merged(mut rows: Vec<Row>) -> Vec<Row> {
    rows.sort();
    let mut kept: Vec<Row> = Vec::with_capacity(rows.len());
    for row in rows {
        let is_same = |other: &&mut Row| {
            other.phase == row.phase
                && row.what != KERNEL_STARTS
                && other.what == row.what
                && other.source != row.source
                && (other.end().0.abs_diff(row.end().0) <= SAME || other.at.0.abs_diff(row.at.0) <= SAME)
        };
        match kept.iter_mut().rev().take(200).find(is_same) {
            Some(other) => {
                let failed = other.failed || row.failed;
                if exactness(&row) > exactness(other) {
                    *other = row;
                }
                other.failed = failed;
            }
            None => kept.push(row),
        }
    }
    kept.sort();
    kept
}

/// Returns how much a row knows about time: a duration, and more than whole seconds.
fn exactness(row: &Row) -> (bool, bool) {
    (row.duration.is_some(), row.end().0 % 1000 != 0)
}

/// The rows of one text.
struct Rows<'e> {
    item: &'e Item,
    near: Option<Moment>,
    found: Vec<Row>,
}

impl<'e> Rows<'e> {
    fn add(&mut self, at: Moment, phase: Phase, what: &str) -> Option<&mut Row> {
        if self.found.len() >= MOST_ROWS {
            return None;
        }
        let row = Row {
            at,
            duration: None,
            phase,
            what: presentable(what.trim()),
            failed: false,
            source: self.item.path.clone(),
        };
        self.found.push(row);
        self.found.last_mut()
    }

    fn add_span(&mut self, at: Moment, end: Moment, phase: Phase, what: &str, failed: bool) {
        if let Some(row) = self.add(at, phase, what) {
            row.duration = Some((end.0.saturating_sub(at.0)).max(0));
            row.failed = failed;
        }
    }

    /// Calls a function with each line that begins with a time, and the rest of that line.
    fn each_line(&mut self, mut read: impl FnMut(&mut Self, Moment, &'e str)) {
        for line in self.item.text.lines() {
            let mut end = line.len().min(LONGEST_LINE);
            while !line.is_char_boundary(end) {
                end -= 1;
            }
            if let Some((at, rest)) = Moment::leading(&line[..end], self.near) {
                read(self, at, rest);
            }
        }
    }

    fn object(&self) -> Option<Value> {
        serde_json::from_str(&self.item.text).ok().filter(Value::is_object)
    }

    fn result(&mut self) {
        let Some(result) = self.object() else { return };
        let points = result.get("BootDatapoints").cloned().unwrap_or_default();
        let time = |name: &str| time_of(&result, name).or_else(|| time_of(&points, name));
        for (name, phase, what) in [
            ("KernelStartTime", Phase::Boot, KERNEL_STARTS),
            ("NetworkdStartTime", Phase::Boot, "systemd-networkd starts"),
            ("CloudInitLocalStartTime", Phase::CloudInit, "cloud-init-local starts"),
            ("CloudInitStartTime", Phase::CloudInit, "cloud-init starts"),
            ("CloudFinalStartTime", Phase::CloudInit, "cloud-final starts"),
            ("GuestAgentStartTime", Phase::Agent, "guest agent starts"),
            ("KubeletStartTime", Phase::Kubelet, "kubelet starts"),
        ] {
            if let Some(at) = time(name) {
                self.add(at, phase, what);
            }
        }
        let code = exit_code(&result);
        if let Some(at) = time("CSEStartTime") {
            self.add(at, Phase::Run, "provisioning scripts start");
            let seconds = result.get("ExecDuration").and_then(Value::as_str).and_then(|text| text.parse::<i64>().ok());
            if let (Some(seconds), Some(code)) = (seconds, code) {
                let end = Moment(at.0.saturating_add(seconds.saturating_mul(1000)));
                if let Some(row) = self.add(end, Phase::Run, &format!("provisioning scripts end with {code}")) {
                    row.failed = code != 0;
                }
            }
        }
    }

    fn event(&mut self) {
        // The agent reads one object per file; people also join several, one per line.
        let events: Vec<Value> = match self.object() {
            Some(event) => vec![event],
            None => self.item.text.lines().take(MOST_ROWS).filter_map(|line| serde_json::from_str(line).ok()).collect(),
        };
        for event in events {
            let text = |name: &str| event.get(name).and_then(Value::as_str).unwrap_or_default();
            let Some(at) = time_of(&event, "Timestamp") else { continue };
            let end = time_of(&event, "OperationId").unwrap_or(at);
            let (task, failed) = (text("TaskName"), text("EventLevel") == "Error");
            let message = text("Message");
            match task {
                "AKS.CSE.cse_start" => self.run_event(at, end, message, failed),
                "AKS.Runtime.waitForTLSBootstrapping" => {
                    self.add(end, Phase::Kubelet, "kubelet has its first certificate");
                }
                "AKS.AKSNodeController.Provision" => {
                    let what = if message.starts_with("Starting") { "controller starts" } else { "controller ends" };
                    let at = if message.starts_with("Starting") { at } else { end };
                    if let Some(row) = self.add(at, Phase::Controller, what) {
                        row.failed = failed;
                    }
                }
                _ => {
                    let step = task.strip_prefix("AKS.CSE.").or_else(|| task.strip_prefix("AKS.Runtime."));
                    if let Some(step) = step.filter(|step| !step.is_empty()) {
                        // Both the moment and the duration of what is only noted say nothing.
                        self.add_span(at, end, Phase::Step, step, failed);
                    }
                }
            }
        }
    }

    /// Adds the rows of the event about a whole run, whose message is an object.
    fn run_event(&mut self, at: Moment, end: Moment, message: &str, failed: bool) {
        let message: Value = serde_json::from_str(message).unwrap_or_default();
        self.add(at, Phase::Run, "provisioning scripts start");
        let code = exit_code(&message).map(|code| format!(" with {code}")).unwrap_or_default();
        if let Some(row) = self.add(end, Phase::Run, &format!("provisioning scripts end{code}")) {
            row.failed = failed;
        }
        if let Some(at) = time_of(&message, "KernelStartTime") {
            self.add(at, Phase::Boot, KERNEL_STARTS);
        }
        if let Some(at) = time_of(&message, "KubeletStartTime") {
            self.add(at, Phase::Kubelet, "kubelet starts");
        }
        if let Some(at) = time_of(&message, "KubeletReadyTime") {
            self.add(at, Phase::Kubelet, NODE_IS_READY);
        }
    }

    fn provision_log(&mut self) {
        self.each_line(|rows, at, rest| {
            let rest = rest.trim();
            if let Some((step, duration)) = ended_step(rest) {
                let begun = Moment(at.0.saturating_sub(duration));
                rows.add_span(begun, at, Phase::Step, step, false);
            } else if let Some(error) = rest.strip_prefix("error ")
                && error.starts_with(|first: char| first.is_ascii_digit())
                && let Some(row) = rows.add(at, Phase::Run, rest)
            {
                row.failed = true;
            }
        });
    }

    fn controller_log(&mut self) {
        for line in self.item.text.lines().take(100_000) {
            let Ok(line) = serde_json::from_str::<Value>(line) else { continue };
            let Some(at) = time_of(&line, "time") else { continue };
            let text = |name: &str| line.get(name).and_then(Value::as_str).unwrap_or_default();
            let code = line.get("exitCode").and_then(Value::as_i64);
            let is_provision = text("task") == "Provision" || line.get("task").is_none();
            match text("msg") {
                "started" if is_provision => drop(self.add(at, Phase::Controller, "controller starts")),
                "starting the child" => drop(self.add(at, Phase::Controller, "controller starts the scripts")),
                "ended" if is_provision => {
                    if let Some(row) = self.add(at, Phase::Controller, "controller ends") {
                        row.failed = code.is_some_and(|code| code != 0);
                    }
                }
                // What `provision-wait --ready` has seen.
                "kubelet has its certificate" => {
                    self.add(at, Phase::Kubelet, "kubelet has its first certificate");
                }
                "the node is Ready" => drop(self.add(at, Phase::Kubelet, NODE_IS_READY)),
                "the node is not Ready" => {
                    if let Some(row) = self.add(at, Phase::Kubelet, &format!("{NODE_IS_NOT_READY}: {}", text("reason")))
                    {
                        row.failed = true;
                    }
                }
                message if text("level") == "ERROR" => {
                    let error = text("error");
                    let what = if error.is_empty() { message.to_owned() } else { format!("{message}: {error}") };
                    if let Some(row) = self.add(at, Phase::Controller, &what) {
                        row.failed = true;
                    }
                }
                _ => {}
            }
        }
    }

    fn cloud_init_log(&mut self) {
        let mut seen = BTreeSet::new();
        for line in self.item.text.lines() {
            // `Cloud-init v. 24.4 running 'init-local' at Sun, 22 Nov 2026 05:52:36 +0000. Up 5.23 seconds.`
            let Some(at) = line.find("Cloud-init v. ") else { continue };
            let line = &line[at..];
            let Some(moment) = cloud_init_time(line) else { continue };
            let what = match (line.split_once("running '"), line.contains(" finished at ")) {
                (Some((_, rest)), _) => {
                    let stage = rest.split('\'').next().unwrap_or_default();
                    format!("cloud-init runs {stage}")
                }
                (None, true) => "cloud-init has finished".to_owned(),
                (None, false) => continue,
            };
            if seen.insert((moment, what.clone())) {
                self.add(moment, Phase::CloudInit, &what);
            }
            if let Some(up) = line.split_once("Up ").and_then(|(_, rest)| rest.split(' ').next()?.parse::<f64>().ok())
                && (0.0..1e7).contains(&up)
                && seen.insert((Moment(0), String::new()))
            {
                // The clock may have been set since; what the result or the kernel says is preferred.
                #[expect(clippy::cast_possible_truncation, reason = "between 0 and 1e10")]
                let boot = Moment(moment.0.saturating_sub((up * 1000.0) as i64));
                self.add(boot, Phase::Boot, KERNEL_STARTS);
            }
        }
        self.each_line(|rows, at, rest| {
            let is_error = ["[ERROR]", "[CRITICAL]", "Traceback"].iter().any(|mark| rest.contains(mark));
            if is_error && let Some(row) = rows.add(at, Phase::CloudInit, rest.trim_start_matches([' ', '-'])) {
                row.failed = true;
            }
        });
    }

    fn agent_log(&mut self) {
        self.each_line(|rows, at, rest| {
            if !rest.contains("CustomScript") && rows.item.source == Source::AgentLog {
                return;
            }
            if rest.contains("Enable extension:") || rest.contains("event=enable") && rest.contains("start") {
                rows.add(at, Phase::Agent, "extension runs the CSE command");
            } else if rest.contains("Enable succeeded") || rest.contains("event=enabled") {
                rows.add(at, Phase::Agent, "extension has succeeded");
            } else if ["terminated with exit status", "event=\"failed to handle\"", "Non-zero exit code"]
                .iter()
                .any(|mark| rest.contains(mark))
                && let Some(row) = rows.add(at, Phase::Agent, "extension has failed")
            {
                row.failed = true;
            }
        });
        let mut seen = BTreeSet::new();
        self.found.retain(|row| seen.insert((row.at.0 / 1000, row.what.clone())));
    }

    fn journal(&mut self) {
        const LINES: [(&str, Phase, &str, bool); 12] = [
            ("Started kubelet", Phase::Kubelet, "kubelet starts", false),
            ("Started Kubelet", Phase::Kubelet, "kubelet starts", false),
            ("Started containerd", Phase::Boot, "containerd starts", false),
            ("kubelet.service: Failed with result", Phase::Kubelet, "kubelet fails", true),
            ("containerd.service: Failed with result", Phase::Boot, "containerd fails", true),
            (
                "kubelet.service: Start request repeated too quickly",
                Phase::Kubelet,
                "kubelet is not started again",
                true,
            ),
            ("is issued", Phase::Kubelet, "kubelet has its first certificate", false),
            ("Successfully registered node", Phase::Kubelet, "node is registered", false),
            ("event=\"NodeReady\"", Phase::Kubelet, NODE_IS_READY, false),
            ("just became ready", Phase::Kubelet, NODE_IS_READY, false),
            ("Reached target Cloud-init target", Phase::CloudInit, "cloud-init has finished", false),
            ("Reached target cloud-init.target", Phase::CloudInit, "cloud-init has finished", false),
        ];
        let mut seen: BTreeSet<&str> = BTreeSet::new();
        self.each_line(|rows, at, rest| {
            if let Some((_, message)) = rest.split_once("aks-node-controller-launcher") {
                let message = message.split_once(": ").map_or(message, |(_, message)| message);
                rows.add(at, Phase::Controller, &format!("launcher: {message}"));
                return;
            }
            let Some((mark, phase, what, failed)) = LINES.iter().find(|(mark, ..)| rest.contains(mark)) else { return };
            if *mark == "is issued" && !rest.contains("csr.go") && !rest.contains("certificate signing request") {
                return;
            }
            // kubelet may start again and again: the first time of what goes well, and each failure up to a limit.
            if (*failed || seen.insert(what))
                && let Some(row) = rows.add(at, *phase, what)
            {
                row.failed = *failed;
            }
        });
        let failures = self.found.iter().filter(|row| row.failed).count();
        if failures > 10 {
            let mut number = 0;
            self.found.retain(|row| {
                number += usize::from(row.failed);
                !row.failed || number <= 5 || number + 5 > failures
            });
        }
    }

    fn kernel(&mut self) {
        let seconds = self.item.text.lines().find_map(|line| line.strip_prefix("btime ")?.trim().parse::<i64>().ok());
        if let Some(seconds) = seconds.filter(|seconds| (0..1 << 40).contains(seconds)) {
            self.add(Moment(seconds * 1000), Phase::Boot, KERNEL_STARTS);
        }
    }

    /// `kubelet-client-2026-11-22-05-55-30.pem`: where the link to the current certificate leads.
    fn certificate(&mut self) {
        let Some(name) = self.item.text.trim().rsplit('/').next() else { return };
        let Some(time) = name.strip_prefix("kubelet-client-").and_then(|rest| rest.strip_suffix(".pem")) else {
            return;
        };
        let parts: Vec<&str> = time.split('-').collect();
        if let [year, month, day, hour, minute, second] = parts[..]
            && let Some(at) = Moment::parse(&format!("{year}-{month}-{day} {hour}:{minute}:{second}"))
        {
            self.add(at, Phase::Kubelet, "kubelet has its first certificate");
        }
    }
}

/// Returns the step in a line of the scripts' log, `installTools: 1234 ms`, and its duration in milliseconds.
pub(super) fn ended_step(rest: &str) -> Option<(&str, i64)> {
    let (name, duration) = rest.strip_suffix(" ms")?.split_once(": ")?;
    let is_name = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    is_name.then(|| Some((name, duration.parse().ok().filter(|duration| *duration >= 0)?)))?
}

/// Returns the `ExitCode` of a result, which is a text or a number.
pub(super) fn exit_code(result: &Value) -> Option<i64> {
    match result.get("ExitCode")? {
        Value::String(text) => text.trim().parse().ok(),
        number => number.as_i64(),
    }
}

/// Returns the time in a line of cloud-init about itself: `… at Sun, 22 Nov 2026 05:52:36 +0000. Up …`.
fn cloud_init_time(line: &str) -> Option<Moment> {
    let (_, date) = line.split_once(" at ")?;
    let mut words = date.split_once(", ").map_or(date, |(_, date)| date).split(' ');
    let (day, month, year, time) = (words.next()?, words.next()?, words.next()?, words.next()?);
    Moment::parse(&format!("Sun {month} {day} {time} UTC {year}"))
}
