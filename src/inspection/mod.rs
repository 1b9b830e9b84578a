//! Takes apart what ends up on a virtual machine: `CustomData` of every route and form, CSE commands, models of VMs and scale sets.
//!
//! [`inspect`] recognizes what it is given, removes base64, gzip, MIME, YAML, JSON and archives layer by layer, and says which
//! files, variables and Configuration a node gets, and what is worth a warning. What it cannot read it names; what it could
//! read until then is returned.
//!
//! ```
//! use aks_node_controller::environment::ImageContents;
//! use aks_node_controller::inspection::{Kind, inspect};
//!
//! let inspection = inspect(b"I2Nsb3VkLWNvbmZpZwp3cml0ZV9maWxlczoKLSBwYXRoOiAvZXRjL21vdGQKICBjb250ZW50OiBoZWxsbwo=", &ImageContents::default());
//! assert_eq!(inspection.kind, Kind::Base64);
//! assert_eq!(inspection.files[0].path, "/etc/motd");
//! ```

pub(crate) mod archive;
mod assignments;
mod cloud_config;
mod documents;
mod mime;
mod shell;
mod warnings;

use std::collections::BTreeMap;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

pub use assignments::CommandAssignments;
pub(crate) use warnings::SECRET_FILES;
pub use warnings::Warning;

use sha2::{Digest, Sha256};

use crate::Secret;
use crate::catalogue::{REDACTED, paths, variables};
use crate::configuration::Configuration;
use crate::environment::ImageContents;
use crate::inputs::{Input, is_secret_name};
use crate::rendering::ShellWord;

/// What something is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
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
    Bytes,
}

impl Kind {
    /// Returns the name in JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Base64 => "base64",
            Self::Gzip => "gzip",
            Self::Mime => "mime",
            Self::Boothook => "boothook",
            Self::CloudConfig => "cloud-config",
            Self::Ignition => "ignition",
            Self::Utf16 => "utf-16",
            Self::Tar => "tar",
            Self::Script => "script",
            Self::Command => "command",
            Self::Configuration => "configuration",
            Self::Nbc => "nbc",
            Self::Karpenter => "karpenter",
            Self::AzureModel => "azure-model",
            Self::Terraform => "terraform",
            Self::Delivery => "delivery",
            Self::Text => "text",
            Self::Bytes => "bytes",
        }
    }

    /// Returns the name for people.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Base64 => "base64",
            Self::Gzip => "gzip",
            Self::Mime => "MIME document",
            Self::Boothook => "boothook",
            Self::CloudConfig => "cloud-config",
            Self::Ignition => "Ignition document",
            Self::Utf16 => "UTF-16",
            Self::Tar => "tar archive",
            Self::Script => "shell script",
            Self::Command => "CSE command",
            Self::Configuration => "Configuration",
            Self::Nbc => "NodeBootstrappingConfiguration",
            Self::Karpenter => "inputs of Karpenter's bootstrapper",
            Self::AzureModel => "VM or scale set in ARM JSON",
            Self::Terraform => "Terraform plan or state",
            Self::Delivery => "result of generate",
            Self::Text => "text",
            Self::Bytes => "bytes",
        }
    }
}

/// One layer of the tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layer {
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
impl std::fmt::Debug for FoundFile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
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
    /// Returns the name in JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ignition => "ignition",
            Self::Unit => "unit",
            Self::Boothook => "boothook",
            Self::BootCommand => "bootcmd",
            Self::WriteFiles => "write_files",
            Self::RunCommand => "runcmd",
            Self::Extension => "extension",
        }
    }

    /// Returns who runs it, and when.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Ignition => "Ignition, before the system starts, once",
            Self::Unit => "systemd, a unit that Ignition enables",
            Self::Boothook => "cloud-init, boothook, early at each boot",
            Self::BootCommand => "cloud-init, bootcmd, early at each boot",
            Self::WriteFiles => "cloud-init, write_files, at first boot",
            Self::RunCommand => "cloud-init, at the end of the first boot",
            Self::Extension => "guest agent, CSE command, when it is up",
        }
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

/// What was found.
#[derive(Clone)]
pub struct Inspection {
    /// What was given.
    pub kind: Kind,
    /// The layers, each before those inside it.
    pub layers: Vec<Layer>,
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
    texts: Vec<(String, Vec<u8>)>,
    /// The document that the variables follow from, if it is not a Configuration.
    pub(crate) input: Option<Input>,
}

/// Without contents, which may be secrets.
impl std::fmt::Debug for Inspection {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Inspection")
            .field("kind", &self.kind)
            .field("layers", &self.layers)
            .field("files", &self.files)
            .field("variables", &self.variables.keys())
            .field("warnings", &self.warnings)
            .finish_non_exhaustive()
    }
}

/// The most bytes that are decompressed in all, so that a small file cannot fill the memory.
pub const LARGEST: usize = 64 << 20;

/// What can be inspected.
const KINDS: &str = "inspect reads CustomData, CSE commands, models of machines and Configurations";

/// The deepest nesting of layers. The deepest known is nine: a plan, an attribute, base64, gzip, MIME, a part, base64, gzip, a script.
const DEEPEST: usize = 16;

/// Inspects what a person has in hand. `image` is what is known of the image, for the variables that a Configuration leads to.
#[must_use]
pub fn inspect(bytes: &[u8], image: &ImageContents) -> Inspection {
    let inspection = Inspection {
        kind: Kind::Bytes,
        layers: Vec::new(),
        files: Vec::new(),
        configuration: None,
        variables: BTreeMap::new(),
        command: None,
        runs: Vec::new(),
        warnings: Vec::new(),
        texts: Vec::new(),
        input: None,
    };
    let mut walk = Walk { found: inspection, image, room: LARGEST, encodings: 0 };
    walk.visit(bytes, 0, None, Place::Alone);
    let mut found = walk.found;
    found.kind = found.layers.first().map_or(Kind::Bytes, |layer| layer.kind);
    // Stable: within a stage, the order of the text.
    found.runs.sort_by_key(|run| run.stage);
    warnings::complete(&mut found);
    found
}

/// Where something was found, which decides its meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// It is what was given, or all of what an encoding has.
    Alone,
    /// A part of a MIME document.
    Part,
    /// A file on the node.
    File,
}

struct Walk<'i> {
    found: Inspection,
    image: &'i ImageContents,
    /// How much may still be decompressed.
    room: usize,
    /// How many layers of base64 are around what is visited, without anything between.
    encodings: usize,
}

impl Walk<'_> {
    fn layer(&mut self, depth: usize, kind: Kind, size: usize, name: Option<&str>) {
        self.found.layers.push(Layer { depth, kind, size, name: name.map(str::to_owned) });
    }

    fn warn(&mut self, problem: impl Into<String>, hint: &'static str) {
        let warning = Warning { problem: problem.into(), hint };
        if !self.found.warnings.contains(&warning) {
            self.found.warnings.push(warning);
        }
    }

    fn runs(&mut self, stage: Stage, text: impl Into<String>) {
        self.found.runs.push(Run { stage, text: Secret::from(text.into()) });
    }

    /// Keeps a text for [`Inspection::extract`].
    fn keep(&mut self, name: &str, content: impl Into<Vec<u8>>) {
        self.found.texts.push((name.to_owned(), content.into()));
    }

    /// Visits one thing and everything inside it.
    fn visit(&mut self, bytes: &[u8], depth: usize, name: Option<&str>, place: Place) {
        if depth > DEEPEST {
            self.warn(format!("layers deeper than {DEEPEST} are not read"), "take the inner layers apart by hand");
            return;
        }
        if archive::is_gzip(bytes) {
            return self.gzip(bytes, depth, name, place);
        }
        if archive::is_tar(bytes) {
            return self.tar(bytes, depth, name);
        }
        if let Some(text) = crate::document::utf_16(bytes).filter(|_| place != Place::File) {
            self.layer(depth, Kind::Utf16, bytes.len(), name);
            return self.visit(text.as_bytes(), depth + 1, None, place);
        }
        let Ok(text) = std::str::from_utf8(bytes) else {
            self.layer(depth, Kind::Bytes, bytes.len(), name);
            if place != Place::File {
                let (what, hint) = match bytes {
                    [b'P', b'K', 3, 4, ..] => {
                        ("a ZIP archive", "unpack it; `diagnose --bundle` reads archives of logs")
                    }
                    _ if bytes.contains(&0) => ("binary data of no known kind", KINDS),
                    _ => ("text that is not UTF-8, of no known kind", KINDS),
                };
                self.warn(format!("this is {what}"), hint);
            }
            return;
        };
        let encodings = std::mem::take(&mut self.encodings);
        self.text(text.strip_prefix('\u{feff}').unwrap_or(text), bytes.len(), depth, name, place, encodings);
    }

    fn text(&mut self, text: &str, size: usize, depth: usize, name: Option<&str>, place: Place, encodings: usize) {
        let trimmed = text.trim_start();
        let first = trimmed.lines().next().unwrap_or_default();
        if place == Place::File && !is_input_path(name) {
            let kind = if first.starts_with("#!") { Kind::Script } else { Kind::Text };
            return self.layer(depth, kind, size, name);
        }
        if mime::is_document(trimmed) {
            if trimmed.len() != text.len() {
                self.warn(
                    "there is a blank line before the MIME headers",
                    "remove it: cloud-init ignores a document that does not begin with its headers",
                );
            }
            return self.mime(trimmed, size, depth, name);
        }
        if first.starts_with("#cloud-boothook") {
            return self.boothook(trimmed, size, depth, name);
        }
        if first.starts_with("#cloud-config") {
            return self.cloud_config(trimmed, size, depth, name, place);
        }
        if first.starts_with("#!") {
            return self.script(trimmed, size, depth, name, place);
        }
        if trimmed.starts_with(['{', '[', '"']) {
            return self.json(trimmed, size, depth, name);
        }
        if let Some((decoded, cut)) = decoded(trimmed) {
            self.layer(depth, Kind::Base64, size, name);
            if encodings == 0 && place == Place::Alone {
                self.keep("custom_data.b64", trimmed.trim_end().to_owned() + "\n");
            }
            if encodings > 0 {
                self.warn(
                    "CustomData is base64 of base64",
                    "pass the text before base64 to `az`, which encodes by itself (`generate --format az`), and base64 to the API",
                );
            }
            if cut {
                self.warn(format!("the base64 is cut off after {} bytes", decoded.len()), "the rest could not be read");
            }
            self.encodings = encodings + 1;
            self.visit(&decoded, depth + 1, None, place);
            self.encodings = 0;
            return;
        }
        if shell::is_command(trimmed) {
            return self.command(trimmed, size, depth, name);
        }
        self.document(trimmed, size, depth, name);
    }

    fn gzip(&mut self, bytes: &[u8], depth: usize, name: Option<&str>, place: Place) {
        self.layer(depth, Kind::Gzip, bytes.len(), name);
        let (plain, cut) = archive::gunzip(bytes, self.room);
        self.room -= plain.len();
        match cut {
            Some(archive::Cut::Limit) => self.warn(
                format!("more than {} MiB were decompressed; the rest is not read", LARGEST >> 20),
                "the file may be a decompression bomb",
            ),
            Some(archive::Cut::Damaged) => self.warn(
                format!("the gzip data is cut off or damaged after {} bytes of content", plain.len()),
                "the rest could not be read",
            ),
            None => {}
        }
        if !plain.is_empty() {
            self.visit(&plain, depth + 1, name, place);
        }
    }

    fn tar(&mut self, bytes: &[u8], depth: usize, name: Option<&str>) {
        self.layer(depth, Kind::Tar, bytes.len(), name);
        let (entries, cut) = archive::tar(bytes);
        if cut {
            self.warn("the tar archive is cut off", "the rest could not be read");
        }
        for entry in entries {
            let path = format!("/{}", entry.path.trim_start_matches(['.', '/']));
            self.file(&path, Some(entry.mode), "", entry.content.to_vec(), depth + 1);
        }
    }

    fn mime(&mut self, text: &str, size: usize, depth: usize, name: Option<&str>) {
        self.layer(depth, Kind::Mime, size, name);
        self.keep("custom_data.mime", text);
        let (parts, cut) = mime::parts(text);
        if let Some(problem) = cut {
            self.warn(problem, "it is cut off, or was changed after it was made");
        }
        for part in parts {
            let label = part.name.unwrap_or(part.content_type);
            match part.transfer_encoding.as_str() {
                "base64" => match decoded(&part.body) {
                    Some((bytes, _)) => self.visit(&bytes, depth + 1, Some(&label), Place::Part),
                    None => self.warn(format!("the part {label} is not base64"), "the part could not be read"),
                },
                _ => self.visit(part.body.as_bytes(), depth + 1, Some(&label), Place::Part),
            }
        }
    }

    fn boothook(&mut self, text: &str, size: usize, depth: usize, name: Option<&str>) {
        self.layer(depth, Kind::Boothook, size, name);
        self.keep("boothook.sh", text);
        self.runs(Stage::Boothook, text);
        self.shell(text);
        self.script_files(text, depth);
    }

    /// Warns of what stops a shell from running a text.
    fn shell(&mut self, text: &str) {
        if text.contains("\r\n") {
            self.warn(
                "a script has lines that end in a carriage return",
                "remove them (`tr -d '\\r'`): a shell takes them for a part of the last word",
            );
        }
    }

    /// Takes over the files that shell text writes.
    fn script_files(&mut self, text: &str, depth: usize) {
        let first = self.found.files.len();
        for file in shell::files(text) {
            self.file(&file.path, file.mode, "root", file.content, depth + 1);
        }
        self.found.files[first..].iter_mut().for_each(|file| file.by_script = true);
    }

    fn cloud_config(&mut self, text: &str, size: usize, depth: usize, name: Option<&str>, place: Place) {
        self.layer(depth, Kind::CloudConfig, size, name);
        let config = cloud_config::read(text);
        if let Some(problem) = config.problem {
            self.warn(format!("the cloud-config: {problem}"), "cloud-init ignores the whole of it");
        }
        let carries = config.files.iter().any(|file| file.path == paths::CONFIGURATION);
        let file_name = if place == Place::Alone && carries { "custom_data.yaml" } else { "cloud_config.yaml" };
        self.keep(file_name, text);
        for (stage, commands) in [(Stage::BootCommand, config.boot_commands), (Stage::RunCommand, config.run_commands)]
        {
            for command in commands {
                self.runs(stage, command);
            }
        }
        if !config.files.is_empty() {
            self.runs(Stage::WriteFiles, written(config.files.len()));
        }
        for file in config.files {
            let mode = u32::from_str_radix(file.permissions.trim_start_matches("0o"), 8).ok();
            let content = self.unpacked(&file.encoding, file.content);
            if file.append {
                self.warn(
                    format!("{} is appended to, so that a second run repeats it", file.path),
                    "write a file of its own",
                );
            }
            self.file(&file.path, mode, &file.owner, content, depth + 1);
        }
    }

    /// Undoes an encoding of cloud-init: `gz`, `gzip`, `b64`, `base64`, `gz+b64` and so on.
    fn unpacked(&mut self, encoding: &str, content: Vec<u8>) -> Vec<u8> {
        let encoding = encoding.to_ascii_lowercase();
        let mut content = content;
        if encoding.contains("b64") || encoding.contains("base64") {
            content = decoded_any(&String::from_utf8_lossy(&content)).map_or(content, |(bytes, _)| bytes);
        }
        if encoding.contains("gz") && archive::is_gzip(&content) {
            let (plain, cut) = archive::gunzip(&content, self.room);
            self.room -= plain.len();
            if cut.is_some() {
                self.warn("a compressed file is cut off or too large", "the rest could not be read");
            }
            content = plain;
        }
        content
    }

    fn script(&mut self, text: &str, size: usize, depth: usize, name: Option<&str>, place: Place) {
        self.layer(depth, Kind::Script, size, name);
        if place == Place::File {
            return self.script_files(text, depth);
        }
        self.keep("bootstrap.sh", text);
        self.runs(Stage::RunCommand, text);
        self.shell(text);
        self.assign(text);
        for (variable, file) in crate::delivery::PAYLOADS {
            let value = self.found.variables.get(*variable).map(Secret::expose).filter(|value| !value.is_empty());
            if let Some(payload) = value.and_then(crate::delivery::decoded_text) {
                self.keep(file, payload);
            }
        }
    }

    fn command(&mut self, text: &str, size: usize, depth: usize, name: Option<&str>) {
        self.layer(depth, Kind::Command, size, name);
        let text = text.trim_end_matches(['\r', '\n']);
        // A file of the node may have a command as well, which the controller runs.
        if !name.is_some_and(|name| name.starts_with('/')) {
            self.found.command = Some(text.to_owned().into());
            self.keep("cse.sh", text.to_owned() + "\n");
            self.runs(Stage::Extension, text);
        }
        self.assign(text);
        self.script_files(text, depth);
    }

    /// Takes over the assignments of a script or a command.
    fn assign(&mut self, text: &str) {
        let assignments = CommandAssignments::scan(text);
        let assigned = assignments.executed().map(|(name, value)| (name.to_owned(), value.clone()));
        self.found.variables.extend(assigned);
        for name in assignments.expanding().filter(|name| variables::variable(name).is_some()) {
            self.warn(
                format!("the shell expands something in the value of {name}"),
                "write the value between single quotes, or escape `$` and backquotes",
            );
        }
    }

    /// Takes over a file of the node, and looks into it if it is an input of the controller.
    fn file(&mut self, path: &str, mode: Option<u32>, owner: &str, content: Vec<u8>, depth: usize) {
        self.visit(&content, depth, Some(path), Place::File);
        self.found.files.push(FoundFile {
            path: path.to_owned(),
            mode,
            owner: owner.to_owned(),
            content,
            by_script: false,
        });
    }
}

/// Returns that files are written, with their number.
fn written(files: usize) -> String {
    if files == 1 { "writes 1 file".to_owned() } else { format!("writes {files} files") }
}

/// Reports whether a file of the node is something that [`Walk::visit`] looks into.
fn is_input_path(path: Option<&str>) -> bool {
    path.is_some_and(|path| {
        [paths::CONFIGURATION, paths::COMMAND, paths::SECOND_BOOTHOOK, paths::EXTRA_FILES].contains(&path)
    })
}

/// Decodes base64 with or without line breaks, if a text looks like it: long enough, and of its letters only. The second value
/// says whether it is cut off.
fn decoded(text: &str) -> Option<(Vec<u8>, bool)> {
    const SHORTEST: usize = 16;
    let is_base64 =
        |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=' | b'\r' | b'\n' | b' ');
    let trimmed = text.trim();
    let plain = trimmed.len() >= SHORTEST && trimmed.bytes().all(is_base64);
    (plain && !trimmed.lines().any(|line| line.trim().contains(' '))).then(|| decoded_any(trimmed)).flatten()
}

pub(crate) fn decoded_any(text: &str) -> Option<(Vec<u8>, bool)> {
    let packed: String = text.split_ascii_whitespace().collect();
    if let Ok(bytes) = STANDARD.decode(&packed) {
        return Some((bytes, false));
    }
    let whole = &packed.as_bytes()[..packed.len() / 4 * 4];
    STANDARD.decode(whole).ok().filter(|bytes| !bytes.is_empty()).map(|bytes| (bytes, true))
}

/// Returns what shell text does besides assigning variables and writing files, for [`Inspection::variables`] and
/// [`Inspection::files`] have those.
pub(crate) fn besides_variables_and_files(text: &str) -> String {
    assignments::besides(&shell::besides_files(text))
}

/// Reports whether the value of a variable is secret: the table says so, or the table does not know it and the name sounds so.
pub(crate) fn is_secret(name: &str) -> bool {
    variables::variable(name).map_or_else(|| is_secret_name(name), |variable| variable.secret)
}

/// Returns the SHA-256 of some bytes in hexadecimal digits.
#[must_use]
pub fn sha256(bytes: &[u8]) -> String {
    use std::fmt::Write;
    let mut digits = String::with_capacity(64);
    for byte in Sha256::digest(bytes) {
        let _ = write!(digits, "{byte:02x}");
    }
    digits
}

/// Returns a text in which long runs of base64 are replaced.
pub(crate) fn without_long_base64(text: &str) -> String {
    const LONG: usize = 200;
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '+' | '/' | '=');
    let mut shown = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find(is_part) {
        shown.push_str(&rest[..start]);
        let run = &rest[start..];
        let end = run.find(|letter| !is_part(letter)).unwrap_or(run.len());
        shown.push_str(if end >= LONG { REDACTED } else { &run[..end] });
        rest = &run[end..];
    }
    shown.push_str(rest);
    shown
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

    /// Returns a text in which the values of secret variables are replaced, and what carries them in base64.
    #[must_use]
    pub fn redacted(&self, text: &str) -> String {
        /// Replacing shorter values would make any text unreadable.
        const SHORTEST: usize = 6;
        let mut text = text.to_owned();
        let secrets = self.variables.iter().filter(|(name, value)| is_secret(name) && value.expose().len() >= SHORTEST);
        for (_, value) in secrets {
            for form in [value.expose().to_owned(), ShellWord::quote(value.expose()).to_string()] {
                text = text.replace(&form, REDACTED);
            }
        }
        // A script that the command carries in base64 has all of them.
        for file in &self.files {
            if is_input_path(Some(&file.path)) {
                text = without_long_base64(&text);
            }
        }
        text
    }

    /// Returns every layer and file as `generate --format files` writes them: a path relative to a folder, and the content.
    pub fn extract(&self) -> impl Iterator<Item = (&str, &[u8])> {
        let texts = self.texts.iter().map(|(name, content)| (name.as_str(), content.as_slice()));
        let own = |file: &&FoundFile| !file.by_script && !is_input_path(Some(&file.path));
        let files = self.files.iter().filter(own);
        texts.chain(files.map(|file| (file.path.trim_start_matches('/'), file.content.as_slice())))
    }

    /// Returns a variable as it may be shown: `[redacted]` for a secret.
    #[must_use]
    pub fn shown<'v>(&self, name: &str, value: &'v Secret<'static>) -> &'v str {
        let secret = is_secret(name) && !value.is_empty();
        if secret { REDACTED } else { value.expose() }
    }
}
