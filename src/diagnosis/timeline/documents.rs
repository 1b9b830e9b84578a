//! Rows from results, events, and other structured texts.

use serde_json::Value;

use super::reader::{MOST_ROWS, Rows};
use super::row::{KERNEL_STARTS, NODE_IS_NOT_READY, NODE_IS_READY, Phase};
use crate::explain::ended_step;
use crate::moment::Moment;

/// Returns the time in a member of an object.
pub(in crate::diagnosis) fn time_of(object: &Value, name: &str) -> Option<Moment> {
    Moment::parse(object.get(name)?.as_str()?)
}

/// Returns the `ExitCode` of a result, which is a string or a number.
pub(in crate::diagnosis) fn exit_code(result: &Value) -> Option<i64> {
    match result.get("ExitCode")? {
        Value::String(text) => text.trim().parse().ok(),
        number => number.as_i64(),
    }
}

fn text<'o>(object: &'o Value, name: &str) -> &'o str {
    object.get(name).and_then(Value::as_str).unwrap_or_default()
}

impl Rows<'_> {
    pub(super) fn result(&mut self) {
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
            ("CSEStartTime", Phase::Run, "provisioning scripts start"),
        ] {
            if let Some(at) = time(name) {
                self.add(at, phase, what);
            }
        }
        let seconds = text(&result, "ExecDuration").parse::<i64>().ok();
        if let (Some(at), Some(seconds), Some(code)) = (time("CSEStartTime"), seconds, exit_code(&result)) {
            let end = Moment(at.0.saturating_add(seconds.saturating_mul(1000)));
            self.add_end(end, Phase::Run, &format!("provisioning scripts end with {code}"), code != 0);
        }
        // The end of the scripts' log.
        for line in text(&result, "Output").lines().take(MOST_ROWS) {
            if let Some((at, rest)) = Moment::leading(line, None)
                && let Some((step, duration)) = ended_step(rest)
            {
                self.add_span(Moment(at.0.saturating_sub(duration)), at, Phase::Step, step, false);
            }
        }
    }

    pub(super) fn event(&mut self) {
        // The agent reads one object per file; people also concatenate several, one per line.
        let events: Vec<Value> = match self.object() {
            Some(event) => vec![event],
            None => self.item.text.lines().take(MOST_ROWS).filter_map(|line| serde_json::from_str(line).ok()).collect(),
        };
        for event in events {
            let Some(at) = time_of(&event, "Timestamp") else { continue };
            let end = time_of(&event, "OperationId").unwrap_or(at);
            let (task, message) = (text(&event, "TaskName"), text(&event, "Message"));
            let failed = text(&event, "EventLevel") == "Error";
            match task {
                "AKS.CSE.cse_start" => self.run_event(at, end, message, failed),
                "AKS.Runtime.waitForTLSBootstrapping" => {
                    self.add(end, Phase::Kubelet, "kubelet has its first certificate");
                }
                "AKS.AKSNodeController.Provision" if message.starts_with("Starting") => {
                    self.add_end(at, Phase::Controller, "controller starts", failed);
                }
                "AKS.AKSNodeController.Provision" => {
                    self.add_end(end, Phase::Controller, "controller ends", failed);
                }
                _ => {
                    // Services of the image report whether or not the machine is provisioned.
                    let step = task.strip_prefix("AKS.CSE.").map(|step| (Phase::Step, step));
                    let service = || task.strip_prefix("AKS.Runtime.").map(|service| (Phase::Boot, service));
                    if let Some((phase, what)) = step.or_else(service).filter(|(_, what)| !what.is_empty()) {
                        // An event that is only a note has neither a meaningful time nor a duration.
                        self.add_span(at, end, phase, what, failed);
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
        self.add_end(end, Phase::Run, &format!("provisioning scripts end{code}"), failed);
        for (name, phase, what) in [
            ("KernelStartTime", Phase::Boot, KERNEL_STARTS),
            ("KubeletStartTime", Phase::Kubelet, "kubelet starts"),
            ("KubeletReadyTime", Phase::Kubelet, NODE_IS_READY),
        ] {
            if let Some(at) = time_of(&message, name) {
                self.add(at, phase, what);
            }
        }
    }

    pub(super) fn controller_log(&mut self) {
        for line in self.item.text.lines().take(100_000) {
            let Ok(line) = serde_json::from_str::<Value>(line) else { continue };
            let Some(at) = time_of(&line, "time") else { continue };
            let code = line.get("exitCode").and_then(Value::as_i64);
            let is_provision = text(&line, "task") == "Provision" || line.get("task").is_none();
            match text(&line, "msg") {
                "started" if is_provision => self.add(at, Phase::Controller, "controller starts"),
                "starting the child" => self.add(at, Phase::Controller, "controller starts the scripts"),
                "ended" if is_provision => {
                    self.add_end(at, Phase::Controller, "controller ends", code.is_some_and(|code| code != 0));
                }
                // The findings of `provision-wait --ready`.
                "kubelet has its certificate" => self.add(at, Phase::Kubelet, "kubelet has its first certificate"),
                "the node is Ready" => self.add(at, Phase::Kubelet, NODE_IS_READY),
                "the node is not Ready" => {
                    let what = format!("{NODE_IS_NOT_READY}: {}", text(&line, "reason"));
                    self.add_end(at, Phase::Kubelet, &what, true);
                }
                message if text(&line, "level") == "ERROR" => {
                    let error = text(&line, "error");
                    let what = if error.is_empty() { message.to_owned() } else { format!("{message}: {error}") };
                    self.add_end(at, Phase::Controller, &what, true);
                }
                _ => {}
            }
        }
    }

    /// Reads the time of the boot in `/proc/stat`.
    pub(super) fn kernel(&mut self) {
        let seconds = self.item.text.lines().find_map(|line| line.strip_prefix("btime ")?.trim().parse::<i64>().ok());
        if let Some(seconds) = seconds.filter(|seconds| (0..1 << 40).contains(seconds)) {
            self.add(Moment(seconds * 1000), Phase::Boot, KERNEL_STARTS);
        }
    }

    /// Reads `kubelet-client-2026-11-22-05-55-30.pem`, the target of the link to the current certificate.
    pub(super) fn certificate(&mut self) {
        let name = self.item.text.trim().rsplit('/').next().unwrap_or_default();
        let time = name.strip_prefix("kubelet-client-").and_then(|rest| rest.strip_suffix(".pem")).unwrap_or_default();
        if let [year, month, day, hour, minute, second] = time.split('-').collect::<Vec<_>>()[..]
            && let Some(at) = Moment::parse(&format!("{year}-{month}-{day} {hour}:{minute}:{second}"))
        {
            self.add(at, Phase::Kubelet, "kubelet has its first certificate");
        }
    }
}
