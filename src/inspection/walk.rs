//! Takes layers off one after the other, and collects what each has for the node.

use super::assignments::CommandAssignments;
use super::encoded::{decoded, decoded_any};
use super::found::{FoundFile, FoundLayer, Inspection, Kind, Run, Stage, Warning, is_input_path};
use super::{archive, cloud_config, mime, shell};
use crate::Secret;
use crate::catalogue::{paths, variables};
use crate::document::utf_16;
use crate::environment::ImageContents;

/// The most bytes that are decompressed in all, so that a small file cannot fill the memory.
pub const LARGEST: usize = 64 << 20;

/// What can be inspected.
pub(super) const KINDS: &str = "inspect reads CustomData, CSE commands, models of machines and Configurations";

/// The deepest nesting of layers. The deepest known is nine: a plan, an attribute, base64, gzip, MIME, a part, base64, gzip, a script.
const DEEPEST: usize = 16;

/// Where something was found, which decides its meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// It is what was given, or all of what an encoding has.
    Alone,
    /// A part of a MIME document.
    Part,
    /// A file on the node.
    File,
}

/// A layer that is being read.
#[derive(Clone, Copy)]
pub(super) struct At<'n> {
    pub(super) depth: usize,
    /// The path, part or member that it was found in.
    pub(super) name: Option<&'n str>,
    pub(super) place: Place,
    pub(super) size: usize,
}

impl At<'_> {
    /// Returns the place of what is inside, without a name.
    pub(super) fn inside(self) -> At<'static> {
        At { depth: self.depth + 1, name: None, place: self.place, size: 0 }
    }

    /// Returns the place of a member or a part that is inside.
    pub(super) fn member(self, name: &str, place: Place) -> At<'_> {
        At { name: Some(name), place, ..self.inside() }
    }

    /// Reports whether it is a file of the node.
    pub(super) fn is_path(self) -> bool {
        self.name.is_some_and(|name| name.starts_with('/'))
    }
}

/// Inspects what was given, and returns what was found, without the warnings that need all of it.
pub(super) fn walk(bytes: &[u8], image: &ImageContents) -> Inspection {
    let mut walk = Walk { found: Inspection::default(), image, room: LARGEST, encodings: 0 };
    walk.visit(bytes, At { depth: 0, name: None, place: Place::Alone, size: 0 });
    let mut found = walk.found;
    found.kind = found.layers.first().map_or(Kind::Bytes, |layer| layer.kind);
    // Stable: within a stage, the order of the text.
    found.runs.sort_by_key(|run| run.stage);
    found
}

pub(super) struct Walk<'i> {
    pub(super) found: Inspection,
    pub(super) image: &'i ImageContents,
    /// How much may still be decompressed.
    room: usize,
    /// How many layers of base64 are around what is visited, without anything between.
    encodings: usize,
}

impl Walk<'_> {
    pub(super) fn layer(&mut self, kind: Kind, at: At) {
        let At { depth, name, size, .. } = at;
        self.found.layers.push(FoundLayer { depth, kind, size, name: name.map(str::to_owned) });
    }

    pub(super) fn warn(&mut self, problem: impl Into<String>, hint: &'static str) {
        let warning = Warning { problem: problem.into(), hint };
        if !self.found.warnings.contains(&warning) {
            self.found.warnings.push(warning);
        }
    }

    pub(super) fn runs(&mut self, stage: Stage, text: impl Into<String>) {
        self.found.runs.push(Run { stage, text: Secret::from(text.into()) });
    }

    /// Adds that files are written, with their number.
    pub(super) fn writes(&mut self, stage: Stage, files: usize) {
        self.runs(stage, if files == 1 { "writes 1 file".to_owned() } else { format!("writes {files} files") });
    }

    /// Keeps a text for [`Inspection::extract`].
    pub(super) fn keep(&mut self, name: &str, content: impl Into<Vec<u8>>) {
        self.found.texts.push((name.to_owned(), content.into()));
    }

    /// Decompresses gzip, as far as there is room.
    pub(super) fn gunzip(&mut self, bytes: &[u8]) -> (Vec<u8>, Option<archive::Cut>) {
        let (plain, cut) = archive::gunzip(bytes, self.room);
        self.room -= plain.len();
        (plain, cut)
    }

    /// Visits one thing and everything inside it.
    pub(super) fn visit(&mut self, bytes: &[u8], at: At) {
        let at = At { size: bytes.len(), ..at };
        if at.depth > DEEPEST {
            self.warn(format!("layers deeper than {DEEPEST} are not read"), "take the inner layers apart by hand");
            return;
        }
        if archive::is_gzip(bytes) {
            return self.gzip(bytes, at);
        }
        if archive::is_tar(bytes) {
            return self.tar(bytes, at);
        }
        if let Some(text) = utf_16(bytes).filter(|_| at.place != Place::File) {
            self.layer(Kind::Utf16, at);
            return self.visit(text.as_bytes(), at.inside());
        }
        let Ok(text) = std::str::from_utf8(bytes) else {
            self.layer(Kind::Bytes, at);
            if at.place != Place::File {
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
        self.text(text.strip_prefix('\u{feff}').unwrap_or(text), at, encodings);
    }

    fn text(&mut self, text: &str, at: At, encodings: usize) {
        let trimmed = text.trim_start();
        let first = trimmed.lines().next().unwrap_or_default();
        if at.place == Place::File && !at.name.is_some_and(is_input_path) {
            return self.layer(if first.starts_with("#!") { Kind::Script } else { Kind::Text }, at);
        }
        if mime::is_document(trimmed) {
            if trimmed.len() != text.len() {
                self.warn(
                    "there is a blank line before the MIME headers",
                    "remove it: cloud-init ignores a document that does not begin with its headers",
                );
            }
            self.mime(trimmed, at);
        } else if first.starts_with("#cloud-boothook") {
            self.boothook(trimmed, at);
        } else if first.starts_with("#cloud-config") {
            self.cloud_config(trimmed, at);
        } else if first.starts_with("#!") {
            self.script(trimmed, at);
        } else if trimmed.starts_with(['{', '[', '"']) {
            self.json(trimmed, at);
        } else if let Some((content, is_cut)) = decoded(trimmed) {
            self.base64(trimmed, &content, is_cut, at, encodings);
        } else if shell::is_command(trimmed) {
            self.command(trimmed, at);
        } else {
            self.document(trimmed, at);
        }
    }

    fn base64(&mut self, text: &str, content: &[u8], is_cut: bool, at: At, encodings: usize) {
        self.layer(Kind::Base64, at);
        if encodings == 0 && at.place == Place::Alone {
            self.keep("custom_data.b64", text.trim_end().to_owned() + "\n");
        }
        if encodings > 0 {
            self.warn(
                "CustomData is base64 of base64",
                "pass the text before base64 to `az`, which encodes by itself (`generate --format az`), and base64 to the API",
            );
        }
        if is_cut {
            self.warn(format!("the base64 is cut off after {} bytes", content.len()), "the rest could not be read");
        }
        self.encodings = encodings + 1;
        self.visit(content, at.inside());
        self.encodings = 0;
    }

    fn gzip(&mut self, bytes: &[u8], at: At) {
        self.layer(Kind::Gzip, at);
        let (plain, cut) = self.gunzip(bytes);
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
            self.visit(&plain, At { depth: at.depth + 1, ..at });
        }
    }

    pub(super) fn tar(&mut self, bytes: &[u8], at: At) {
        self.layer(Kind::Tar, At { size: bytes.len(), ..at });
        let (entries, is_cut) = archive::tar(bytes);
        if is_cut {
            self.warn("the tar archive is cut off", "the rest could not be read");
        }
        for entry in entries {
            let path = format!("/{}", entry.path.trim_start_matches(['.', '/']));
            self.file(&path, Some(entry.mode), "", entry.content.to_vec(), at);
        }
    }

    fn mime(&mut self, text: &str, at: At) {
        self.layer(Kind::Mime, at);
        self.keep("custom_data.mime", text);
        let (parts, cut) = mime::parts(text);
        if let Some(problem) = cut {
            self.warn(problem, "it is cut off, or was changed after it was made");
        }
        for part in parts {
            let label = part.name.unwrap_or(part.content_type);
            let inside = at.member(&label, Place::Part);
            match part.transfer_encoding.as_str() {
                "base64" => match decoded(&part.body) {
                    Some((bytes, _)) => self.visit(&bytes, inside),
                    None => self.warn(format!("the part {label} is not base64"), "the part could not be read"),
                },
                _ => self.visit(part.body.as_bytes(), inside),
            }
        }
    }

    fn boothook(&mut self, text: &str, at: At) {
        self.layer(Kind::Boothook, at);
        self.keep("boothook.sh", text);
        self.runs(Stage::Boothook, text);
        self.shell(text);
        self.script_files(text, at);
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
    fn script_files(&mut self, text: &str, at: At) {
        let first = self.found.files.len();
        for file in shell::files(text) {
            self.file(&file.path, file.mode, "root", file.content, at);
        }
        self.found.files[first..].iter_mut().for_each(|file| file.by_script = true);
    }

    fn cloud_config(&mut self, text: &str, at: At) {
        self.layer(Kind::CloudConfig, at);
        let config = cloud_config::read(text);
        if let Some(problem) = config.problem {
            self.warn(format!("the cloud-config: {problem}"), "cloud-init ignores the whole of it");
        }
        let carries = config.files.iter().any(|file| file.path == paths::CONFIGURATION);
        let is_custom_data = at.place == Place::Alone && carries;
        self.keep(if is_custom_data { "custom_data.yaml" } else { "cloud_config.yaml" }, text);
        config.boot_commands.into_iter().for_each(|command| self.runs(Stage::BootCommand, command));
        config.run_commands.into_iter().for_each(|command| self.runs(Stage::RunCommand, command));
        if !config.files.is_empty() {
            self.writes(Stage::WriteFiles, config.files.len());
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
            self.file(&file.path, mode, &file.owner, content, at);
        }
    }

    /// Undoes an encoding of cloud-init: `gz`, `gzip`, `b64`, `base64`, `gz+b64` and so on.
    fn unpacked(&mut self, encoding: &str, mut content: Vec<u8>) -> Vec<u8> {
        let encoding = encoding.to_ascii_lowercase();
        if encoding.contains("b64") || encoding.contains("base64") {
            content = decoded_any(&String::from_utf8_lossy(&content)).map_or(content, |(bytes, _)| bytes);
        }
        if encoding.contains("gz") && archive::is_gzip(&content) {
            let (plain, cut) = self.gunzip(&content);
            if cut.is_some() {
                self.warn("a compressed file is cut off or too large", "the rest could not be read");
            }
            content = plain;
        }
        content
    }

    fn script(&mut self, text: &str, at: At) {
        self.layer(Kind::Script, at);
        if at.place == Place::File {
            return self.script_files(text, at);
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

    pub(super) fn command(&mut self, text: &str, at: At) {
        self.layer(Kind::Command, at);
        let text = text.trim_end_matches(['\r', '\n']);
        // A file of the node may have a command as well, which the controller runs.
        if !at.is_path() {
            self.found.command = Some(text.to_owned().into());
            self.keep("cse.sh", text.to_owned() + "\n");
            self.runs(Stage::Extension, text);
        }
        self.assign(text);
        self.script_files(text, at);
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
    pub(super) fn file(&mut self, path: &str, mode: Option<u32>, owner: &str, content: Vec<u8>, around: At) {
        self.visit(&content, around.member(path, Place::File));
        let (path, owner) = (path.to_owned(), owner.to_owned());
        self.found.files.push(FoundFile { path, mode, owner, content, by_script: false });
    }
}
