//! Removes one layer after the other, and collects the contents of each for the node.

use super::assignments::CommandAssignments;
use super::encoded::decoded;
use super::found::{Carrier, FoundFile, FoundLayer, Inspection, Kind, Run, Source, Stage, Warning, is_input_path};
use super::{archive, literals, shell};
use crate::Secret;
use crate::catalogue::{paths, variables};
use crate::delivery::is_real_secret;
use crate::environment::ImageContents;
use crate::recognition::{Binary, Text, is_script, latin_1, utf_16, without_mark};
use crate::redaction::{is_secret_variable, secret_assignments};

/// The most bytes that are decompressed in total, so that a small file cannot fill the memory.
pub const LARGEST: usize = 6 << 20;

/// The most layers, files and runs that are listed.
const MOST_ENTRIES: usize = 10_000;

/// The copies of CustomData that cloud-init and the guest agent keep, in an archive of their logs.
const COPIES: [&str; 2] = ["user-data.txt", "ovf-env.xml"];

/// The most variables that are listed.
const MOST_VARIABLES: usize = 50_000;

/// The hint for an unknown artifact.
pub(super) const KINDS: &str = "inspect reads CustomData, CSE commands, models of machines and Configurations; `diagnose --bundle` reads archives of logs";

/// The most warnings that are listed.
const MOST_WARNINGS: usize = 100;

/// The deepest nesting of layers. Known artifacts have at most nine: a plan, an attribute, base64, gzip, MIME, a part,
/// base64, gzip, a script.
const DEEPEST: usize = 16;

/// The origin of a layer, which decides on its meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// The artifact itself, or the whole content of an encoding.
    Alone,
    /// A part of a MIME document.
    Part,
    /// A file on the node.
    File,
}

/// A layer that is being inspected.
#[derive(Clone, Copy)]
pub(super) struct At<'n> {
    pub(super) depth: usize,
    /// The path, part or member that contains it.
    pub(super) name: Option<&'n str>,
    pub(super) place: Place,
    pub(super) size: usize,
    /// What cloud-init takes a text for, whatever its beginning says.
    pub(super) declared: Option<Text>,
}

impl At<'_> {
    /// Returns the place of the content, without a name.
    pub(super) fn inside(self) -> At<'static> {
        At { depth: self.depth + 1, name: None, place: self.place, size: 0, declared: None }
    }

    /// Returns the place of a member or a part.
    pub(super) fn member(self, name: &str, place: Place) -> At<'_> {
        At { name: Some(name), place, ..self.inside() }
    }

    /// Reports whether it is a file on the node.
    pub(super) fn is_path(self) -> bool {
        self.name.is_some_and(|name| name.starts_with('/'))
    }
}

/// Inspects an artifact. The result lacks the warnings that need all of it.
pub(super) fn walk(bytes: &[u8], image: &ImageContents) -> Inspection {
    let mut walk = Walk {
        found: Inspection::default(),
        image,
        room: LARGEST,
        encodings: 0,
        carrier: Carrier::CustomData,
        is_public: false,
        around: Vec::new(),
    };
    walk.visit(bytes, At { depth: 0, name: None, place: Place::Alone, size: 0, declared: None });
    let mut found = walk.found;
    found.kind = found.layers.first().map_or(Kind::Bytes, |layer| layer.kind);
    // The sort is stable, so each stage keeps the order of the text.
    found.runs.sort_by_key(|run| run.stage);
    found
}

pub(super) struct Walk<'i> {
    pub(super) found: Inspection,
    pub(super) image: &'i ImageContents,
    /// How many bytes may still be decompressed.
    room: usize,
    /// The number of layers of base64 directly around the current one.
    encodings: usize,
    /// What the current layer is in.
    pub(super) carrier: Carrier,
    /// Whether the current member of a model is in public settings.
    pub(super) is_public: bool,
    /// The paths of the files around the current layer.
    around: Vec<String>,
}

impl Walk<'_> {
    pub(super) fn layer(&mut self, kind: Kind, at: At) {
        if self.found.layers.len() >= MOST_ENTRIES {
            return self.warn_of_entries();
        }
        let At { depth, name, size, .. } = at;
        self.found.layers.push(FoundLayer { depth, kind, size, name: name.map(str::to_owned) });
    }

    pub(super) fn warn(&mut self, problem: impl Into<String>, hint: &'static str) {
        let warning = Warning { problem: problem.into(), hint };
        // A hundred tell enough.
        if self.found.warnings.len() < MOST_WARNINGS && !self.found.warnings.contains(&warning) {
            self.found.warnings.push(warning);
        }
    }

    fn warn_of_entries(&mut self) {
        self.warn(
            format!("more than {MOST_ENTRIES} layers, files or commands; the rest is not listed"),
            "pass a part of it",
        );
    }

    pub(super) fn runs(&mut self, stage: Stage, text: impl Into<String>) {
        if self.found.runs.len() >= MOST_ENTRIES {
            return self.warn_of_entries();
        }
        self.found.runs.push(Run { stage, text: Secret::from(text.into()) });
    }

    /// Adds the step that writes files, with their number.
    pub(super) fn writes(&mut self, stage: Stage, files: usize) {
        self.runs(stage, if files == 1 { "writes 1 file".to_owned() } else { format!("writes {files} files") });
    }

    /// Stores a text for [`Inspection::extract`].
    pub(super) fn keep(&mut self, name: &str, content: impl Into<Vec<u8>>) {
        self.found.texts.push((name.to_owned(), content.into()));
    }

    /// Decompresses gzip, up to the limit.
    pub(super) fn gunzip(&mut self, bytes: &[u8]) -> (Vec<u8>, Option<archive::Cut>) {
        let (plain, cut) = archive::gunzip(bytes, self.room);
        self.room -= plain.len();
        (plain, cut)
    }

    /// Visits a layer and everything inside it.
    pub(super) fn visit(&mut self, bytes: &[u8], at: At) {
        let at = At { size: bytes.len(), ..at };
        if at.depth > DEEPEST {
            self.warn(format!("more than {DEEPEST} nested layers are not read"), "decode the inner layers by hand");
            return;
        }
        match Binary::of(bytes) {
            Some(Binary::Gzip) => return self.gzip(bytes, at),
            Some(Binary::Tar) => return self.tar(bytes, at),
            Some(other) => return self.unread(other.title(), at),
            None => {}
        }
        if let Some(text) = utf_16(bytes).filter(|_| at.place != Place::File) {
            self.layer(Kind::Utf16, at);
            return self.visit(text.as_bytes(), at.inside());
        }
        let Ok(text) = std::str::from_utf8(bytes) else {
            let is_binary = bytes.contains(&0);
            let what = if is_binary { "binary data" } else { "text" };
            let encoding = if is_binary { "" } else { " that is not UTF-8" };
            return self.unread(&format!("{what} of an unknown kind{encoding}"), at);
        };
        if let Some(packed) = latin_1(text).filter(|_| at.place != Place::File) {
            self.layer(Kind::Latin1, at);
            return self.visit(&packed, at.inside());
        }
        let encodings = std::mem::take(&mut self.encodings);
        self.text(without_mark(text), at, encodings);
    }

    /// Adds a layer that cannot be read.
    fn unread(&mut self, what: &str, at: At) {
        self.layer(Kind::Bytes, at);
        if at.place != Place::File {
            self.warn(format!("this is {what}"), KINDS);
        }
    }

    fn text(&mut self, text: &str, at: At, encodings: usize) {
        let trimmed = text.trim_start();
        if at.place == Place::File && !at.name.is_some_and(is_input_path) {
            return self.layer(if is_script(trimmed) { Kind::Script } else { Kind::Text }, at);
        }
        match at.declared.unwrap_or_else(|| Text::of(trimmed)) {
            Text::Mime => {
                if trimmed.len() != text.len() {
                    self.warn(
                        "there is a blank line before the MIME headers",
                        "remove it: cloud-init ignores a document that does not begin with its headers",
                    );
                }
                self.mime(trimmed, at);
            }
            Text::Boothook => self.boothook(trimmed, at),
            Text::CloudConfig => self.cloud_config(trimmed, at),
            Text::CloudConfigArchive => self.archive(trimmed, at),
            Text::Include => self.include(trimmed, at),
            Text::PartHandler => self.part_handler(trimmed, at),
            Text::Template => self.template(trimmed, at),
            Text::Script
                if at.place == Place::Alone
                    && (!literals::commands(trimmed).is_empty() || Self::creates_machine(trimmed))
                    && self.carried(trimmed, at) => {}
            Text::Script => self.script(trimmed, at),
            Text::Json => self.json(trimmed, at),
            Text::Base64 => match decoded(trimmed) {
                Some((content, is_cut)) => self.base64(trimmed, &content, is_cut, at, encodings),
                None => self.document(trimmed, at),
            },
            Text::Command if literals::is_document(trimmed) && self.carried(trimmed, at) => {}
            Text::Command => self.command(trimmed, at),
            Text::Other => self.document(trimmed, at),
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
                "pass text to `az`, which encodes it itself (`generate --format az`), and base64 to the API",
            );
        }
        if is_cut {
            self.warn(format!("the base64 is truncated after {} bytes", content.len()), "the rest could not be read");
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
                format!("only {} MiB were decompressed; the rest is not read", LARGEST >> 20),
                "the file can be a decompression bomb",
            ),
            Some(archive::Cut::Damaged) => self.warn(
                format!("the gzip data is truncated or damaged after {} bytes of content", plain.len()),
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
            self.warn("the tar archive is truncated", "the rest could not be read");
        }
        for entry in entries {
            let path = format!("/{}", entry.path.trim_start_matches(['.', '/']));
            let name = path.rsplit('/').next().unwrap_or_default();
            if at.place == Place::Alone && COPIES.contains(&name) {
                // It is no file of the node.
                self.visit(entry.content, At { name: Some(&path[1..]), ..at.inside() });
                continue;
            }
            self.file(&path, Some(entry.mode), "", entry.content.to_vec(), at);
        }
    }

    /// Warns of anything that keeps a shell from running a text.
    pub(super) fn shell(&mut self, text: &str) {
        if text.contains("\r\n") {
            self.warn(
                "a script has lines that end in a carriage return",
                "remove them (`tr -d '\\r'`): a shell reads them as part of the last word",
            );
        }
    }

    /// Adds the files that shell text writes.
    pub(super) fn script_files(&mut self, text: &str, at: At) {
        let files = shell::files(text, &mut self.room);
        self.written(files, at);
    }

    fn written(&mut self, files: Vec<shell::ScriptFile>, at: At) {
        for file in files {
            if file.is_cut {
                self.warn(
                    format!("the content of {} is truncated, damaged or too large", file.path),
                    "the rest could not be read",
                );
            }
            // The rest may be in a document without files.
            self.found.has_controller_files |= file.path == paths::SECOND_BOOTHOOK;
            let before = self.found.files.len();
            self.file(&file.path, file.mode, "root", file.content, at);
            // Those inside it come first.
            if let Some(last) = self.found.files[before..].last_mut() {
                last.by_script = true;
            }
        }
    }

    fn script(&mut self, text: &str, at: At) {
        self.layer(Kind::Script, at);
        if at.place == Place::File {
            return self.script_files(text, at);
        }
        if text.contains(paths::COMMAND) || text.contains(paths::CONFIGURATION) {
            let files = shell::files(text, &mut self.room);
            if files.iter().any(|file| is_input_path(&file.path)) {
                // The script of the CSE command alone, as the early fetch stores it.
                self.keep("boothook.sh", text);
                self.runs(Stage::Boothook, text);
                self.shell(text);
                self.found.has_controller_files = true;
                self.carrier = Carrier::ProtectedSettings;
                return self.written(files, at);
            }
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
        // A file on the node can also be a command, which the controller runs.
        let outer = self.carrier;
        if at.is_path() {
            // It runs this one rather than what follows from a Configuration beside it.
            if self.found.files.iter().any(|file| file.path == paths::CONFIGURATION) {
                self.found.variables.clear();
            }
        } else {
            self.carrier = if self.is_public { Carrier::PublicSettings } else { Carrier::ProtectedSettings };
            self.found.command = Some(text.to_owned().into());
            self.keep("cse.sh", text.to_owned() + "\n");
            self.runs(Stage::Extension, text);
        }
        self.assign(text);
        self.script_files(text, at);
        self.carrier = outer;
    }

    /// Notes that a secret lies at the current place.
    pub(super) fn lies_here(&mut self, name: String) {
        let source = Source { name, carrier: self.carrier, files: self.around.clone() };
        if self.found.sources.len() < MOST_ENTRIES && !self.found.sources.contains(&source) {
            self.found.sources.push(source);
        }
    }

    /// Adds the assignments of a script or a command.
    fn assign(&mut self, text: &str) {
        let assignments = CommandAssignments::scan(text);
        // A variable of no table may be an argument of a program whose option says what it is.
        if assignments.executed().any(|(name, _)| variables::variable(name).is_none() && !is_secret_variable(name)) {
            let names = secret_assignments(text).into_iter();
            self.found.announced.extend(names.filter(|name| variables::variable(name).is_none()));
        }
        for (name, value) in assignments.executed() {
            if self.found.is_secret(name) && is_real_secret(value.expose()) {
                self.lies_here(name.to_owned());
            }
            if self.found.variables.len() >= MOST_VARIABLES && !self.found.variables.contains_key(name) {
                let problem = format!("more than {MOST_VARIABLES} variables; the rest is not listed");
                self.warn(problem, "pass a part of it");
                continue;
            }
            self.found.variables.insert(name.to_owned(), value.clone());
        }
        for name in assignments.expanding().filter(|name| variables::variable(name).is_some()) {
            self.warn(
                format!("the shell expands something in the value of {name}"),
                "write the value between single quotes, or escape `$` and backticks",
            );
        }
    }

    /// Adds a file of the node, and inspects it if it is an input of the controller.
    pub(super) fn file(&mut self, path: &str, mode: Option<u32>, owner: &str, content: Vec<u8>, around: At) {
        if self.found.files.len() >= MOST_ENTRIES {
            return self.warn_of_entries();
        }
        self.around.push(path.to_owned());
        self.visit(&content, around.member(path, Place::File));
        self.around.pop();
        let (path, owner) = (path.to_owned(), owner.to_owned());
        let file = FoundFile { path, mode, owner, content, by_script: false, carrier: self.carrier };
        self.found.files.push(file);
    }
}
