//! What an inspection finds.

use std::collections::BTreeMap;
use std::fmt;

use crate::Secret;
use crate::catalogue::paths;
use crate::configuration::Configuration;
use crate::inputs::Input;

/// What something is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Kind {
    /// Base64, as the Azure API expects `CustomData`.
    Base64,
    /// Compressed with gzip.
    Gzip,
    /// A MIME document for cloud-init.
    Mime,
    /// A script that cloud-init runs early at each boot.
    Boothook,
    /// A cloud-config.
    CloudConfig,
    /// An Ignition document.
    Ignition,
    /// Text in UTF-16, as PowerShell writes it to files.
    Utf16,
    /// A tar archive.
    Tar,
    /// A shell script.
    Script,
    /// A CSE command.
    Command,
    /// A Configuration.
    Configuration,
    /// AgentBaker's NodeBootstrappingConfiguration.
    Nbc,
    /// The inputs of Karpenter's bootstrapper.
    Karpenter,
    /// A VM, a scale set or a template in ARM JSON.
    AzureModel,
    /// A Terraform plan or state in JSON.
    Terraform,
    /// What `generate` prints.
    Delivery,
    /// Text of no known kind.
    Text,
    /// Bytes of no known kind.
    #[default]
    Bytes,
}

impl Kind {
    /// Returns the name in JSON, and the name for people.
    const fn names(self) -> (&'static str, &'static str) {
        match self {
            Self::Base64 => ("base64", "base64"),
            Self::Gzip => ("gzip", "gzip"),
            Self::Mime => ("mime", "MIME document"),
            Self::Boothook => ("boothook", "boothook"),
            Self::CloudConfig => ("cloud-config", "cloud-config"),
            Self::Ignition => ("ignition", "Ignition document"),
            Self::Utf16 => ("utf-16", "UTF-16"),
            Self::Tar => ("tar", "tar archive"),
            Self::Script => ("script", "shell script"),
            Self::Command => ("command", "CSE command"),
            Self::Configuration => ("configuration", "Configuration"),
            Self::Nbc => ("nbc", "NodeBootstrappingConfiguration"),
            Self::Karpenter => ("karpenter", "inputs of Karpenter's bootstrapper"),
            Self::AzureModel => ("azure-model", "VM or scale set in ARM JSON"),
            Self::Terraform => ("terraform", "Terraform plan or state"),
            Self::Delivery => ("delivery", "result of generate"),
            Self::Text => ("text", "text"),
            Self::Bytes => ("bytes", "bytes"),
        }
    }

    /// Returns the name in JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.names().0
    }

    /// Returns the name for people.
    #[must_use]
    pub const fn title(self) -> &'static str {
        self.names().1
    }
}

/// One layer of the tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundLayer {
    /// 0 for what was given.
    pub depth: usize,
    /// What it is.
    pub kind: Kind,
    /// Bytes of its content.
    pub size: usize,
    /// The path, part or member that it was found in, if it has one.
    pub name: Option<String>,
}

/// A file that the node gets.
#[derive(Clone, PartialEq, Eq)]
pub struct FoundFile {
    /// The absolute path on the node.
    pub path: String,
    /// Permission bits; `None` if whatever writes the file decides.
    pub mode: Option<u32>,
    /// The owner as written, such as `root`; empty if not given.
    pub owner: String,
    /// The content, which may be a secret or contain some.
    pub content: Vec<u8>,
    /// Whether a script or a command writes the file, and not cloud-init or Ignition.
    pub by_script: bool,
}

/// Without the content, which may be a secret.
impl fmt::Debug for FoundFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "FoundFile({}, {:?}, {} bytes)", self.path, self.mode, self.content.len())
    }
}

/// When something runs on a machine, in the order of its first boot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Stage {
    /// Ignition writes files and enables units before the system is up.
    Ignition,
    /// A unit of systemd that Ignition enables.
    Unit,
    /// cloud-init runs a boothook, at each boot.
    Boothook,
    /// cloud-init runs `bootcmd`, at each boot.
    BootCommand,
    /// cloud-init writes files.
    WriteFiles,
    /// cloud-init runs `runcmd` or a script, once, at the end of the boot.
    RunCommand,
    /// The guest agent runs the CSE command.
    Extension,
}

impl Stage {
    /// Returns the name in JSON, and who runs it, and when.
    const fn names(self) -> (&'static str, &'static str) {
        match self {
            Self::Ignition => ("ignition", "Ignition, before the system starts, once"),
            Self::Unit => ("unit", "systemd, a unit that Ignition enables"),
            Self::Boothook => ("boothook", "cloud-init, boothook, early at each boot"),
            Self::BootCommand => ("bootcmd", "cloud-init, bootcmd, early at each boot"),
            Self::WriteFiles => ("write_files", "cloud-init, write_files, at first boot"),
            Self::RunCommand => ("runcmd", "cloud-init, at the end of the first boot"),
            Self::Extension => ("extension", "guest agent, CSE command, when it is up"),
        }
    }

    /// Returns the name in JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.names().0
    }

    /// Returns who runs it, and when.
    #[must_use]
    pub const fn title(self) -> &'static str {
        self.names().1
    }
}

/// Something that runs on the machine.
#[derive(Clone, Debug)]
pub struct Run {
    /// When it runs.
    pub stage: Stage,
    /// A command, a script, or what is written. May have secrets.
    pub text: Secret<'static>,
}

/// Something that may go wrong, and what to do about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// What was found, in a sentence without its full stop.
    pub problem: String,
    /// What to do.
    pub hint: &'static str,
}

/// What was found.
#[derive(Clone, Default)]
pub struct Inspection {
    /// What was given.
    pub kind: Kind,
    /// The layers, each before those inside it.
    pub layers: Vec<FoundLayer>,
    /// The files that the node gets, in the order in which they are written.
    pub files: Vec<FoundFile>,
    /// The Configuration that the node gets.
    pub configuration: Option<Box<Configuration>>,
    /// The variables that the payload sets, or that the Configuration inside leads to. All are carried as secrets.
    pub variables: BTreeMap<String, Secret<'static>>,
    /// The CSE command.
    pub command: Option<Secret<'static>>,
    /// What runs on the machine, in the order of the first boot.
    pub runs: Vec<Run>,
    /// What is worth a warning.
    pub warnings: Vec<Warning>,
    /// Every text layer, by the file name that `generate --format files` has for it.
    pub(super) texts: Vec<(String, Vec<u8>)>,
    /// The document that the variables follow from, if it is not a Configuration.
    pub(crate) input: Option<Input>,
}

/// Without contents, which may be secrets.
impl fmt::Debug for Inspection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Inspection")
            .field("kind", &self.kind)
            .field("layers", &self.layers)
            .field("files", &self.files)
            .field("variables", &self.variables.keys())
            .field("warnings", &self.warnings)
            .finish_non_exhaustive()
    }
}

impl Inspection {
    /// Reports whether nothing for a node was found.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
            && self.variables.is_empty()
            && self.command.is_none()
            && self.configuration.is_none()
            && self.runs.is_empty()
    }

    /// Returns every layer and file as `generate --format files` writes them: a path relative to a directory, and the content.
    pub fn extract(&self) -> impl Iterator<Item = (&str, &[u8])> {
        let texts = self.texts.iter().map(|(name, content)| (name.as_str(), content.as_slice()));
        let own = |file: &&FoundFile| !file.by_script && !is_input_path(&file.path);
        let files = self.files.iter().filter(own);
        texts.chain(files.map(|file| (file.path.trim_start_matches('/'), file.content.as_slice())))
    }
}

/// Reports whether a file of the node is an input of the controller, so that it is looked into.
pub(super) fn is_input_path(path: &str) -> bool {
    [paths::CONFIGURATION, paths::COMMAND, paths::SECOND_BOOTHOOK, paths::EXTRA_FILES].contains(&path)
}
