//! The evidence about a node: texts, each with its path on the node.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::check::Check;
use crate::explain::{self, NoFailure};
use crate::moment::Moment;

/// The kind of a text. Recognized from its path, or from its beginning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Source {
    /// The result document.
    Result,
    /// The result document of an earlier attempt.
    EarlierResult,
    /// The marker of an attempt that has ended.
    Marker,
    /// The marker of a prepared image.
    ImageMarker,
    /// The record of a provisioner about itself.
    Started,
    /// An event for the guest agent.
    Event,
    /// The log of the provisioning scripts.
    ProvisionLog,
    /// Output of the start script itself.
    ScriptOutput,
    /// The log of the controller.
    ControllerLog,
    /// A log of cloud-init.
    CloudInitLog,
    /// cloud-init's report about its run.
    CloudInitResult,
    /// The log of the guest agent.
    AgentLog,
    /// The log of the extension that runs the CSE command.
    HandlerLog,
    /// Lines of the journal, or of syslog.
    Journal,
    /// The serial console.
    Console,
    /// An error, a status or an object about the machine, as Azure or Kubernetes show it.
    Message,
    /// States of units, as `systemctl show` or `systemctl status` prints them.
    Units,
    /// `/proc/stat`, which contains the time of the boot.
    Kernel,
    /// The name of the kubelet's current certificate, which contains the time of its issue.
    Certificate,
    /// The features of the bootstrap, as variables.
    Features,
    /// A hotfix for the reference's controller. Only its presence is evidence, because this one ignores it.
    Hotfix,
    /// An input of the controller. Only its presence is evidence, because it contains secrets.
    Input,
}

/// A text of a node.
#[derive(Clone, PartialEq, Eq)]
pub struct Item {
    /// The path on the node, or in the directory or archive.
    pub path: String,
    /// Its kind.
    pub source: Source,
    /// The text, or the beginning and the end of a long text.
    pub text: String,
    /// How many bytes between the beginning and the end are omitted.
    pub left_out: u64,
    /// When it was last written.
    pub modified: Option<Moment>,
}

/// Omits the text, which contains secrets until it is redacted.
impl fmt::Debug for Item {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Item({:?}, {:?}, {} bytes)", self.path, self.source, self.text.len())
    }
}

/// A file that could not be read.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
pub struct Unread {
    /// Its path.
    pub path: String,
    /// The reason, as the continuation of a sentence that begins with the path.
    pub problem: String,
}

/// Everything that is known about a node.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Evidence {
    /// The texts, by path.
    pub items: Vec<Item>,
    /// The files that could not be read, by path.
    pub unread: Vec<Unread>,
    /// The checks on the running machine.
    pub checks: Vec<Check>,
    /// Whether a provisioner is running. `None` if this is not the node.
    pub is_running: Option<bool>,
}

impl Evidence {
    /// Returns the items of a kind, in the order of their paths.
    pub fn of(&self, source: Source) -> impl Iterator<Item = &Item> {
        self.items.iter().filter(move |item| item.source == source)
    }

    /// Reports whether there is an item of a kind.
    #[must_use]
    pub fn has(&self, source: Source) -> bool {
        self.of(source).next().is_some()
    }
}

impl Source {
    /// Returns the kind of a file by its path, in any directory. `None` if it is not about provisioning.
    #[must_use]
    pub fn of_path(path: &str) -> Option<Self> {
        let path = path.to_ascii_lowercase();
        let (directory, name) = path.rsplit_once('/').unwrap_or(("", &path));
        let begins = |prefix: &str| name.starts_with(prefix);
        let ends = |suffix: &str| name.ends_with(suffix);
        let is_json = ends(".json");
        Some(match name {
            "provision.complete" => Self::Marker,
            "base_prep.complete" => Self::ImageMarker,
            "aks-node-controller-config.json" | "aks-node-controller-nbc-cmd.sh" => Self::Input,
            "enabled_features.sh" => Self::Features,
            "aks-node-controller-hotfix.json" => Self::Hotfix,
            "kubelet-client-current.pem" => Self::Certificate,
            "started.json" => Self::Started,
            "cluster-provision-cse-output.log" => Self::ScriptOutput,
            "waagent.log" => Self::AgentLog,
            "stdout" | "stderr" if directory.contains("download") => Self::ScriptOutput,
            "handler.log" if directory.is_empty() || directory.contains("custom") => Self::HandlerLog,
            "stat" if directory.ends_with("proc") => Self::Kernel,
            "result.json" | "status.json" if directory.contains("cloud") => Self::CloudInitResult,
            _ if directory.ends_with("/events") && is_json => Self::Event,
            _ if begins("provision.json.") => Self::EarlierResult,
            _ if begins("provision") && is_json => Self::Result,
            _ if begins("cluster-provision") && !name.contains("cse-output") => Self::ProvisionLog,
            _ if begins("aks-node-controller") && (ends(".log") || ends(".output")) => Self::ControllerLog,
            _ if begins("cloud-init") && (ends(".log") || ends(".txt")) => Self::CloudInitLog,
            _ if begins("systemctl_s") || begins("systemctl-s") || ends("-status.log") => Self::Units,
            _ if begins("systemctl") => return None,
            "syslog" | "messages" | "kubelet.log" | "kubelet.txt" | "containerd.log" | "containerd.txt" => {
                Self::Journal
            }
            _ if (name.contains("console") || name.contains("serial") || name.contains("boot-log")) && !is_json => {
                Self::Console
            }
            _ if name.contains("journal") && !ends(".journal") && !is_json => Self::Journal,
            _ => return None,
        })
    }

    /// Returns the kind of a file by its beginning, because people rename collected files.
    #[must_use]
    pub fn of_text(beginning: &str) -> Option<Self> {
        let text = beginning.trim_start();
        let is_object = text.starts_with('{');
        if is_object && text.contains("\"ExitCode\"") {
            Some(Self::Result)
        } else if is_object && text.contains("\"TaskName\"") && text.contains("\"OperationId\"") {
            Some(Self::Event)
        } else if is_object && text.contains("\"level\":\"") && text.contains("\"task\":\"Provision") {
            Some(Self::ControllerLog)
        } else if text.contains("\nId=") && text.contains("\nActiveState=")
            || text.contains(".service - ") && text.contains(" Loaded: ") && text.contains(" Active: ")
        {
            Some(Self::Units)
        } else if begins_script_output(text) {
            Some(Self::ScriptOutput)
        } else if text.contains(" INFO ExtHandler ") || text.contains(" INFO Daemon ") {
            Some(Self::AgentLog)
        } else if text.starts_with("time=") && text.contains(" event=") {
            Some(Self::HandlerLog)
        } else if text.contains("] Linux version ") || text.contains("] systemd[1]: ") && text.starts_with('[') {
            Some(Self::Console)
        } else if text.contains("cloud-init[") || text.contains("Cloud-init v. ") {
            Some(Self::CloudInitLog)
        } else if ["] \"Kubelet version\"", " kubelet[", "__REALTIME_TIMESTAMP"].iter().any(|mark| text.contains(mark))
        {
            Some(Self::Journal)
        } else if matches!(explain::explain(beginning), Ok(_) | Err(NoFailure::Success)) {
            Some(Self::Message)
        } else {
            None
        }
    }

    /// Reports whether the text is one JSON document.
    #[cfg(feature = "cli")]
    pub(super) const fn is_document(self) -> bool {
        matches!(self, Self::Result | Self::EarlierResult | Self::Started | Self::Event | Self::CloudInitResult)
    }

    /// Reports whether only the name of a file is evidence, because its content is secret or irrelevant.
    #[must_use]
    pub const fn is_name_only(self) -> bool {
        matches!(self, Self::Input | Self::Hotfix | Self::Certificate | Self::Marker | Self::ImageMarker)
    }
}

/// Reports whether a text begins as the output of the node's scripts: `date`, a comma, and the name of the machine.
fn begins_script_output(text: &str) -> bool {
    let Some((date, _)) = text.lines().next().and_then(|line| line.split_once(',')) else { return false };
    let words: Vec<&str> = date.split_whitespace().collect();
    let [day, _, _, time, .., year] = words[..] else { return false };
    ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"].contains(&day)
        && time.matches(':').count() == 2
        && year.len() == 4
        && year.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_file_is_follows_from_its_path_wherever_it_is() {
        for (path, expected) in [
            ("/var/log/azure/aks/provision.json", Some(Source::Result)),
            ("provision.json", Some(Source::Result)),
            ("Downloads/provision (1).json", Some(Source::Result)),
            ("/var/log/azure/aks/provision.json.20261122T055530Z", Some(Source::EarlierResult)),
            ("/var/log/azure/aks/provision.json.previous", Some(Source::EarlierResult)),
            ("device_0/var/log/azure/cluster-provision.log", Some(Source::ProvisionLog)),
            ("/var/log/azure/cluster-provision-cse-output.log", Some(Source::ScriptOutput)),
            ("var/log/azure/Microsoft.Azure.Extensions.CustomScript/events/1.json", Some(Source::Event)),
            ("run/cloud-init/result.json", Some(Source::CloudInitResult)),
            ("cloud-init-logs-2026-11-22/var/log/cloud-init.log", Some(Source::CloudInitLog)),
            ("cloud-init-logs-2026-11-22/journal.txt", Some(Source::Journal)),
            ("collect/journalctl_--unit=kubelet_--lines=5000_--no-pager.txt", Some(Source::Journal)),
            ("collect/systemctl_status_--all_--full_--no-pager.txt", Some(Source::Units)),
            ("collect/systemctl_list-jobs.txt", None),
            ("var/log/azure/kubelet-status.log", Some(Source::Units)),
            ("/opt/azure/containers/aks-node-controller-config.json", Some(Source::Input)),
            ("/opt/azure/containers/enabled_features.sh", Some(Source::Features)),
            ("/opt/azure/containers/aks-node-controller-hotfix.json", Some(Source::Hotfix)),
            ("/var/log/azure/aks-node-controller.log", Some(Source::ControllerLog)),
            ("/var/log/journal/1/system.journal", None),
            ("/etc/kubernetes/azure.json", None),
            ("", None),
        ] {
            assert_eq!(Source::of_path(path), expected, "{path}");
        }
    }
}
