//! Rows from logs: lines that begin with a time.

use std::collections::BTreeSet;

use super::reader::Rows;
use super::row::{KERNEL_STARTS, NODE_IS_NOT_READY, NODE_IS_READY, Phase};
use crate::diagnosis::evidence::Source;
use crate::explain::ended_step;
use crate::moment::Moment;

/// Marks in lines of the journal, each with its event and whether it is a failure.
const JOURNAL: [(&str, Phase, &str, bool); 17] = [
    ("Started kubelet", Phase::Kubelet, "kubelet starts", false),
    ("Started Kubelet", Phase::Kubelet, "kubelet starts", false),
    ("Started containerd", Phase::Boot, "containerd starts", false),
    ("\"Kubelet version\"", Phase::Kubelet, "kubelet writes its first line", false),
    ("Container runtime initialized", Phase::Kubelet, "container runtime is ready", false),
    ("Starting kubelet main sync loop", Phase::Kubelet, "kubelet's main loop starts", false),
    ("Attempting to register node", Phase::Kubelet, "kubelet registers its node", false),
    ("kubelet.service: Failed with result", Phase::Kubelet, "kubelet fails", true),
    ("containerd.service: Failed with result", Phase::Boot, "containerd fails", true),
    ("kubelet.service: Start request repeated too quickly", Phase::Kubelet, "kubelet is not started again", true),
    ("is issued", Phase::Kubelet, "kubelet has its first certificate", false),
    ("Successfully registered node", Phase::Kubelet, "node is registered", false),
    ("event=\"NodeReady\"", Phase::Kubelet, NODE_IS_READY, false),
    ("event=\"NodeNotReady\"", Phase::Kubelet, NODE_IS_NOT_READY, true),
    ("just became ready", Phase::Kubelet, NODE_IS_READY, false),
    ("Reached target Cloud-init target", Phase::CloudInit, "cloud-init has finished", false),
    ("Reached target cloud-init.target", Phase::CloudInit, "cloud-init has finished", false),
];

fn has_any(text: &str, marks: &[&str]) -> bool {
    marks.iter().any(|mark| text.contains(mark))
}

impl Rows<'_> {
    pub(super) fn provision_log(&mut self) {
        self.each_line(|rows, at, rest| {
            let rest = rest.trim();
            if let Some((step, duration)) = ended_step(rest) {
                rows.add_span(Moment(at.0.saturating_sub(duration)), at, Phase::Step, step, false);
            } else if rest
                .strip_prefix("error ")
                .is_some_and(|error| error.starts_with(|first: char| first.is_ascii_digit()))
            {
                rows.add_end(at, Phase::Run, rest, true);
            }
        });
    }

    pub(super) fn cloud_init_log(&mut self) {
        let mut seen = BTreeSet::new();
        for line in self.item.text.lines() {
            // `Cloud-init v. 24.4 running 'init-local' at Sun, 22 Nov 2026 05:52:36 +0000. Up 5.23 seconds.`
            let Some(line) = line.find("Cloud-init v. ").map(|at| &line[at..]) else { continue };
            let Some(moment) = line.split_once(" at ").and_then(|(_, date)| Moment::of_header(date)) else { continue };
            let what = match line.split_once("running '") {
                Some((_, rest)) => format!("cloud-init runs {}", rest.split('\'').next().unwrap_or_default()),
                None if line.contains(" finished at ") => "cloud-init has finished".to_owned(),
                None => continue,
            };
            if seen.insert((moment, what.clone())) {
                self.add(moment, Phase::CloudInit, &what);
            }
            if let Some(up) = line.split_once("Up ").and_then(|(_, rest)| rest.split(' ').next()?.parse::<f64>().ok())
                && (0.0..1e7).contains(&up)
                && seen.insert((Moment(0), String::new()))
            {
                // The clock can have been set since, so the time in the result or from the kernel is preferred.
                #[expect(clippy::cast_possible_truncation, reason = "between 0 and 1e10")]
                let boot = Moment(moment.0.saturating_sub((up * 1000.0) as i64));
                self.add(boot, Phase::Boot, KERNEL_STARTS);
            }
        }
        self.each_line(|rows, at, rest| {
            if has_any(rest, &["[ERROR]", "[CRITICAL]", "Traceback"]) {
                rows.add_end(at, Phase::CloudInit, rest.trim_start_matches([' ', '-']), true);
            }
        });
    }

    pub(super) fn agent_log(&mut self) {
        self.each_line(|rows, at, rest| {
            if !rest.contains("CustomScript") && rows.item.source == Source::AgentLog {
                return;
            }
            if rest.contains("Enable extension:") || rest.contains("event=\"executing command\"") {
                rows.add(at, Phase::Agent, "extension runs the CSE command");
            } else if rest.contains("operation=enable") && rest.ends_with("event=start") {
                rows.add(at, Phase::Agent, "extension starts");
            } else if rest.contains("event=\"executed command\"") {
                rows.add(at, Phase::Agent, "CSE command has ended");
            } else if has_any(rest, &["Enable succeeded", "event=enabled"]) {
                rows.add(at, Phase::Agent, "extension has succeeded");
            } else if has_any(
                rest,
                &[
                    "terminated with exit status",
                    "event=\"failed to ",
                    "event=\"enable failed\"",
                    "event=\"download failed\"",
                    "event=\"pre-check failed\"",
                    "Non-zero exit code",
                ],
            ) {
                rows.add_end(at, Phase::Agent, "extension has failed", true);
            }
        });
        let mut seen = BTreeSet::new();
        self.found.retain(|row| seen.insert((row.at.0 / 1000, row.what.clone())));
    }

    pub(super) fn journal(&mut self) {
        let mut seen: BTreeSet<&str> = BTreeSet::new();
        self.each_line(|rows, at, rest| {
            if let Some((_, message)) = rest.split_once("aks-node-controller-launcher") {
                let message = message.split_once(": ").map_or(message, |(_, message)| message);
                return rows.add(at, Phase::Controller, &format!("launcher: {message}"));
            }
            let row = JOURNAL.iter().find(|(mark, ..)| rest.contains(mark));
            let Some((mark, phase, what, failed)) = row else { return };
            if *mark == "is issued" && !has_any(rest, &["csr.go", "certificate signing request"]) {
                return;
            }
            // The kubelet can restart repeatedly: the first of each success, and each failure up to a limit.
            if *failed || seen.insert(what) {
                rows.add_end(at, *phase, what, *failed);
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
}

#[cfg(test)]
mod tests {
    use super::super::row::OF_KUBELET;
    use super::*;

    #[test]
    fn what_has_an_order_is_what_the_journal_shows() {
        for what in OF_KUBELET {
            assert!(JOURNAL.iter().any(|(_, phase, shown, _)| *phase == Phase::Kubelet && *shown == what), "{what}");
        }
    }
}
