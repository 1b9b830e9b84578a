//! Says what a part of the logs of a machine shows, where nothing of the provisioner is among them.

use std::collections::BTreeSet;

use super::errors::cloud_init_errors;
use super::evidence::{Evidence, Source};
use super::judgement::{Diagnosis, State};
use super::timeline::{NODE_IS_READY, Phase};
use crate::catalogue::failures::Layer;
use crate::explain::{self, Explanation, NoFailure};

/// What logs prove that end before CustomData has an effect.
const MACHINE_BOOTS: &str = "the machine boots";
const CLOUD_INIT_RUNS: &str = "cloud-init runs";

const EXTENSION_SUCCEEDED: &str = "the extension succeeded";

impl Diagnosis {
    /// Says what logs of other programs than the provisioner show, if there are any.
    pub(super) fn partial(&mut self, evidence: &Evidence) -> bool {
        const BEFORE_USER_DATA: [&str; 2] = [MACHINE_BOOTS, CLOUD_INIT_RUNS];
        const LOGS: [Source; 7] = [
            Source::Message,
            Source::Console,
            Source::CloudInitLog,
            Source::AgentLog,
            Source::HandlerLog,
            Source::ScriptOutput,
            Source::Journal,
        ];
        // An empty log proves nothing.
        let has_text = |source: Source| evidence.of(source).any(|item| !item.text.trim().is_empty());
        let is_about_more = |source: &Source| *source != Source::CloudInitLog && has_text(*source);
        let texts: Vec<&str> =
            LOGS.iter().flat_map(|source| evidence.of(*source)).map(|item| item.text.as_str()).collect();
        let explained = explain::explain(&texts.join("\n"));
        let has_succeeded = explained == Err(NoFailure::Success);
        let explained = explained.ok();
        // cloud-init also warns on a node that works.
        let is_of_cloud_init = evidence.has(Source::CloudInitLog)
            && !evidence.has(Source::Input)
            && cloud_init_errors(evidence).is_empty()
            && explained.as_ref().is_some_and(Explanation::names_cause);
        if !is_of_cloud_init && !LOGS.iter().any(is_about_more) {
            return false;
        }
        let mut shown = self.shown(evidence);
        // A console also has the beginning of a boot that fails.
        let is_up = has_text(Source::AgentLog) || has_text(Source::Journal);
        if !is_up && explained.as_ref().is_some_and(|explained| explained.layer == Layer::Machine) {
            shown.retain(|fact| *fact != MACHINE_BOOTS);
        }
        if has_succeeded && !shown.contains(&EXTENSION_SUCCEEDED) {
            shown.push(EXTENSION_SUCCEEDED);
        }
        // They end where CustomData would have its effect.
        if explained.is_none()
            && evidence.has(Source::CloudInitLog)
            && shown.iter().all(|fact| BEFORE_USER_DATA.contains(fact))
        {
            return false;
        }
        self.state = State::Partial;
        let ready = self.timeline.iter().rfind(|row| row.what == NODE_IS_READY).map(|row| row.at);
        match (explained, ready) {
            (Some(explanation), _) => {
                self.state = if explanation.layer < Layer::Kubelet { State::Failed } else { State::NotWorking };
                self.summary = format!("Failed in the layer {}: {}", explanation.layer.name(), explanation.meaning);
                if explanation.code.is_some() {
                    self.explain(explanation, "");
                } else {
                    self.explanation = Some(explanation);
                }
            }
            (None, Some(at)) => self.summary = format!("The node is Ready ({at})"),
            (None, None) if has_succeeded => {
                "The provisioning succeeded, as Azure shows it".clone_into(&mut self.summary);
            }
            (None, None) => "The logs show no known failure".clone_into(&mut self.summary),
        }
        let nodes = nodes(evidence);
        if nodes.len() > 1 {
            let names: Vec<_> = nodes.into_iter().take(MOST_NODES).collect();
            self.note(format!("the logs are of several nodes ({}): pass the logs of one", names.join(", ")));
        }
        if !shown.is_empty() {
            self.note(format!("proven: {}", shown.join("; ")));
        }
        let missing = [
            ("the result (provision.json)", Source::Result),
            ("the log of the scripts (cluster-provision.log)", Source::ProvisionLog),
            ("cloud-init's log", Source::CloudInitLog),
            ("the log of the extension (handler.log)", Source::HandlerLog),
            ("the kubelet's log", Source::Journal),
        ];
        let missing: Vec<_> = missing.iter().filter(|(_, source)| !has_text(*source)).map(|(name, _)| *name).collect();
        self.note(format!(
            "missing: {}; collect everything on the machine: sudo aks-node-controller diagnose --bundle-out FILE",
            missing.join(", ")
        ));
        true
    }

    /// Returns what the logs prove about the machine.
    fn shown(&self, evidence: &Evidence) -> Vec<&'static str> {
        let has_row = |what: &str| self.timeline.iter().any(|row| row.what == what);
        let has_phase = |phase: Phase| self.timeline.iter().any(|row| row.phase == phase);
        let journal = |mark: &str| evidence.of(Source::Journal).any(|item| item.text.contains(mark));
        let is_up = evidence.has(Source::Console) || evidence.has(Source::AgentLog) || evidence.has(Source::Journal);
        let facts = [
            (is_up, MACHINE_BOOTS),
            (evidence.has(Source::CloudInitLog), CLOUD_INIT_RUNS),
            (has_phase(Phase::Agent), "the guest agent runs the extension"),
            (has_row("CSE command has ended"), "the CSE command ended"),
            (has_row("extension has succeeded"), EXTENSION_SUCCEEDED),
            (journal("kubelet[") || journal("Kubelet version"), "the kubelet starts, so CustomData was delivered"),
            (has_row("container runtime is ready"), "the container runtime answers"),
            (has_row("kubelet has its first certificate"), "the API server answers and accepts the bootstrap token"),
            (has_row("node is registered"), "the node is registered"),
            (has_row(NODE_IS_READY), "the node was Ready"),
        ];
        facts.into_iter().filter(|(is_so, _)| *is_so).map(|(_, fact)| fact).collect()
    }
}

/// The longest name of a host on Linux, in bytes.
const LONGEST_NAME: usize = 64;

/// The most names of nodes in a note.
const MOST_NODES: usize = 5;

/// Returns the names of the machines whose kubelets wrote lines of the journal: `HOST kubelet[1234]:`. Before the kubelet starts, a
/// machine can have another name.
fn nodes(evidence: &Evidence) -> BTreeSet<&str> {
    let lines = evidence.of(Source::Journal).flat_map(|item| item.text.lines());
    let hosts = lines.filter_map(|line| line.split_once(" kubelet[")?.0.rsplit(' ').next());
    let is_name = |host: &&str| {
        let mut bytes = host.bytes();
        (1..=LONGEST_NAME).contains(&host.len())
            && bytes.all(|byte| byte.is_ascii_alphanumeric() || b"-.".contains(&byte))
    };
    hosts.filter(is_name).collect()
}
