//! The result of an inspection.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde::Serialize;

use crate::Secret;
use crate::catalogue::paths;
use crate::configuration::Configuration;
use crate::inputs::Input;

/// The kind of an artifact or a layer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
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
    /// A list of other user data of cloud-init.
    CloudConfigArchive,
    /// The addresses of other user data of cloud-init.
    Include,
    /// Code with which cloud-init handles other parts.
    PartHandler,
    /// User data of cloud-init with placeholders.
    Template,
    /// An Ignition document.
    Ignition,
    /// Text in UTF-16, as PowerShell writes it to files.
    #[serde(rename = "utf-16")]
    Utf16,
    /// Gzip data as a text with one character of Latin-1 for each byte, as `az` takes it.
    #[serde(rename = "latin-1")]
    Latin1,
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
    /// A VM or a scale set in ARM JSON.
    AzureModel,
    /// An ARM template.
    ArmTemplate,
    /// A Terraform plan or state in JSON.
    Terraform,
    /// The output of `generate`.
    Delivery,
    /// Text of an unknown kind.
    Text,
    /// Bytes of an unknown kind.
    #[default]
    Bytes,
}

impl Kind {
    /// Returns the name for people.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Base64 => "base64",
            Self::Gzip => "gzip",
            Self::Mime => "MIME document",
            Self::Boothook => "boothook",
            Self::CloudConfig => "cloud-config",
            Self::CloudConfigArchive => "cloud-config archive",
            Self::Include => "addresses of user data",
            Self::PartHandler => "part handler",
            Self::Template => "template",
            Self::Ignition => "Ignition document",
            Self::Utf16 => "UTF-16",
            Self::Latin1 => "Latin-1",
            Self::Tar => "tar archive",
            Self::Script => "shell script",
            Self::Command => "CSE command",
            Self::Configuration => "Configuration",
            Self::Nbc => "NodeBootstrappingConfiguration",
            Self::Karpenter => "inputs of Karpenter's bootstrapper",
            Self::AzureModel => "VM or scale set in ARM JSON",
            Self::ArmTemplate => "ARM template",
            Self::Terraform => "Terraform plan or state",
            Self::Delivery => "result of generate",
            Self::Text => "text",
            Self::Bytes => "bytes",
        }
    }
}

/// A layer of the tree.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct FoundLayer {
    /// 0 for the artifact itself.
    pub depth: usize,
    /// The kind.
    pub kind: Kind,
    /// Bytes of its content.
    pub size: usize,
    /// The path, part or member that contains it, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

/// A file that the node gets.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct FoundFile {
    /// The absolute path on the node.
    pub path: String,
    /// Permission bits; `None` if the program that writes the file decides.
    pub mode: Option<u32>,
    /// The owner as written, such as `root`; empty if not given.
    pub owner: String,
    /// The content, which can be or contain a secret.
    pub content: Vec<u8>,
    /// Whether a script or a command writes the file, instead of cloud-init or Ignition.
    pub by_script: bool,
    /// What carries it to the node.
    pub carrier: Carrier,
}

/// What carries a file or a secret to the node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Carrier {
    /// `CustomData`.
    CustomData,
    /// User data, which the metadata service shows.
    UserData,
    /// The command in the protected settings of the extension.
    ProtectedSettings,
    /// The command in the public settings of the extension.
    PublicSettings,
}

/// Omits the content, which can be a secret.
impl fmt::Debug for FoundFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "FoundFile({}, {:?}, {} bytes)", self.path, self.mode, self.content.len())
    }
}

/// A text that sets a secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Source {
    pub(super) name: String,
    pub(super) carrier: Carrier,
    /// The files around it, outermost first.
    pub(super) files: Vec<String>,
}

/// A stage of the boot at which something runs, in the order of the first boot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Stage {
    /// Ignition writes files and enables units before the system starts.
    Ignition,
    /// A systemd unit that Ignition enables.
    Unit,
    /// cloud-init reads user data that is elsewhere, and loads code that handles it, at each boot.
    UserData,
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
    /// Returns the name in JSON, and the program that runs it with its time.
    const fn names(self) -> (&'static str, &'static str) {
        match self {
            Self::Ignition => ("ignition", "Ignition, before the system starts, once"),
            Self::Unit => ("unit", "systemd, a unit that Ignition enables"),
            Self::UserData => ("user_data", "cloud-init, when it reads user data, early at each boot"),
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

    /// Returns the program that runs it, and when.
    #[must_use]
    pub const fn title(self) -> &'static str {
        self.names().1
    }
}

/// Something that runs on the machine.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Run {
    /// When it runs.
    pub stage: Stage,
    /// A command, a script, or a description of written files. Can contain secrets.
    pub text: Secret<'static>,
}

/// A possible problem, and a suggested fix.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Warning {
    /// The problem, as a sentence without its full stop.
    pub problem: String,
    /// The suggested fix.
    pub hint: &'static str,
}

/// The contents of an artifact.
#[derive(Clone, Default)]
pub struct Inspection {
    /// The kind of the artifact.
    pub kind: Kind,
    /// The layers, each before those inside it.
    pub layers: Vec<FoundLayer>,
    /// The files that the node gets, in the order in which they are written.
    pub files: Vec<FoundFile>,
    /// The Configuration that the node gets.
    pub configuration: Option<Box<Configuration>>,
    /// The variables that the payload sets, or that follow from the Configuration in it. All are treated as secrets.
    pub variables: BTreeMap<String, Secret<'static>>,
    /// The CSE command.
    pub command: Option<Secret<'static>>,
    /// Everything that runs on the machine, in the order of the first boot.
    pub runs: Vec<Run>,
    /// The warnings.
    pub warnings: Vec<Warning>,
    /// Every text layer, with its file name in `generate --format files`.
    pub(super) texts: Vec<(String, Vec<u8>)>,
    /// Whether the node's controller gets its files on their own, not within a form of the Configuration.
    pub(super) has_controller_files: bool,
    /// Variables of which the texts that set them say that they are secret.
    pub(super) announced: BTreeSet<String>,
    /// Where secrets lie, in the order in which they were found.
    pub(super) sources: Vec<Source>,
    /// The document from which the variables follow, if it is not a Configuration.
    pub(crate) input: Option<Input>,
}

/// Omits the contents, which can be secrets.
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
    /// Reports whether the artifact contains no data of a node.
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
        let is_own = |name: &str| !(self.has_controller_files && name == "configuration.json");
        let texts = self.texts.iter().map(|(name, content)| (name.as_str(), content.as_slice()));
        let files = self.files.iter().filter_map(|file| {
            let name = match controller_file(&file.path) {
                Some(name) if self.has_controller_files => name,
                _ if file.by_script || is_input_path(&file.path) => return None,
                _ => file.path.trim_start_matches('/'),
            };
            Some((name, file.content.as_slice()))
        });
        texts.filter(move |(name, _)| is_own(name)).chain(files)
    }
}

/// Returns the name of a file for the node's controller.
fn controller_file(path: &str) -> Option<&str> {
    let is_one = is_input_path(path) || [paths::FEATURES, paths::HOTFIX].contains(&path);
    path.rsplit('/').next().filter(|_| is_one)
}

/// Reports whether a file of the node is an input of the controller, which is inspected too.
pub(super) fn is_input_path(path: &str) -> bool {
    [paths::CONFIGURATION, paths::COMMAND, paths::SECOND_BOOTHOOK, paths::EXTRA_FILES].contains(&path)
}
