//! Files for the node's controller, each compressed, which a boothook or Ignition writes. Either `CustomData` has all of
//! them, or the ones with secrets are in a script that the CSE command carries in the protected settings of the extension.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::Serialize;

use super::features;
use crate::Secret;
use crate::catalogue::operating_systems::FirstBoot;
use crate::catalogue::paths;
use crate::delivery::size::{self, Artefact, Contributor};
use crate::delivery::{CustomData, Layer, RenderError, Request, SecretLocation, SecretPlacement, scripted};
use crate::gzip;
use crate::inputs::{CommandRequest, NodeInput};
use crate::rendering::render;

/// A file on the node, with mode 0600.
struct File {
    path: &'static str,
    content: String,
}

/// A file as the templates embed it.
#[derive(Serialize)]
struct Entry<'a> {
    path: &'static str,
    payload: &'a str,
}

#[derive(Serialize)]
struct Boothook<'a> {
    files: Vec<Entry<'a>>,
    /// What the boothook does at the end; empty if it fetches the script.
    script: &'a str,
}

#[derive(Serialize)]
struct Ignition<'a> {
    files: Vec<Entry<'a>>,
    starts: bool,
}

#[derive(Serialize)]
struct Script<'a> {
    files: Vec<Entry<'a>>,
}

#[derive(Serialize)]
struct Command {
    payload: String,
}

/// What a node gets.
pub(in crate::delivery) struct ControllerFiles {
    first_boot: FirstBoot,
    location: SecretLocation,
    document: String,
    /// The script in the command, if secrets are in protected settings.
    script: Option<String>,
    /// Files without secrets, then those with secrets.
    files: [Vec<File>; 2],
    /// Files that complete the scripts of the image.
    extra: Vec<Layer>,
    /// The shares of the fields in these files, for errors.
    contributors: [Vec<Contributor>; 2],
}

impl ControllerFiles {
    /// Returns the files for an input. `None` if its Configuration is delivered on its own, with secrets in `CustomData`.
    pub fn new(request: &Request, input: &dyn NodeInput) -> Result<Option<Self>, RenderError> {
        let command = input.command_request().filter(|_| !request.as_configuration);
        let asked = request.secrets == SecretPlacement::ProtectedSettings;
        if command.is_none() && !asked {
            return Ok(None);
        }
        let configuration = request.configuration(input)?;
        let mut open = Vec::new();
        let mut secret = Vec::new();
        let (mut of_open, mut of_secret) = (Vec::new(), Vec::new());
        let mut extra = Vec::new();
        if command.is_some() {
            let (cloud_config, files) = scripted::extra_files(request, input);
            open.push(File { path: paths::EXTRA_FILES, content: cloud_config });
            extra = files;
        }
        let features = features(configuration);
        if !features.is_empty() {
            of_open.extend(features.lines().map(|line| {
                contributor(&format!("feature {}", line.split('=').next().unwrap_or_default()), line.len())
            }));
            open.push(File { path: paths::FEATURES, content: features });
        }
        if let Some(CommandRequest { configuration, .. }) = &command {
            let (line, variables) = scripted::command_file(request, input)?;
            of_secret.extend(variables);
            secret.push(File { path: paths::COMMAND, content: line });
            let text = configuration.expose();
            if !text.is_empty() {
                of_secret.push(contributor("AKSNodeConfigJSON", text.len()));
                secret.push(File { path: paths::CONFIGURATION, content: text.to_owned() });
            }
        } else {
            of_secret.extend(size::fields(configuration));
            secret.push(File { path: paths::CONFIGURATION, content: configuration.to_json() });
        }
        let first_boot = command.as_ref().map_or_else(|| request.os_of(input).first_boot, |command| command.first_boot);
        let packed = [packed(&open), packed(&secret)];
        let files = [open, secret];
        let protects = asked || command.is_some_and(|command| command.protects_secrets);
        let whole = (!protects).then(|| whole(&files, &packed, first_boot));
        let whole = whole.filter(|document| size::encoded(document.len()) < Artefact::CustomData.limit());
        let (location, document, script) = match whole {
            Some(document) => (SecretLocation::CustomData, document, None),
            None => (
                SecretLocation::ProtectedSettings,
                without_secrets(&files[0], &packed[0], first_boot),
                Some(script(entries(&files[1], &packed[1]))),
            ),
        };
        let contributors = [of_open, of_secret];
        Ok(Some(Self { first_boot, location, document, script, files, extra, contributors }))
    }

    /// Returns where the secrets are.
    pub fn location(&self) -> SecretLocation {
        self.location
    }

    /// Returns `CustomData`.
    pub fn custom_data(&self) -> Result<CustomData, RenderError> {
        // With everything in it, it was chosen because it is short enough.
        let contributors = || self.contributors[0].clone();
        Ok(size::within_limit(STANDARD.encode(&self.document), false, contributors)?)
    }

    /// Returns the CSE command.
    pub fn command(&self) -> Result<Secret<'static>, RenderError> {
        let Some(script) = &self.script else { return Ok(super::command()) };
        let mut line = render("controller_command.sh.tera", &Command { payload: payload(script) });
        line.truncate(line.trim_end().len());
        size::check(Artefact::Command, line.len(), true, || self.contributors[1].clone())?;
        Ok(line.into())
    }

    /// Returns the document, the script in the command, and each file under its name.
    pub fn layers(self) -> Vec<Layer> {
        let document = match self.first_boot {
            FirstBoot::CloudInit => "custom_data.sh",
            FirstBoot::Ignition => "ignition.json",
        };
        let mut layers = vec![Layer::new(document, self.document)];
        layers.extend(self.script.map(|script| Layer::new(name(paths::SECOND_BOOTHOOK), script)));
        layers.extend(self.files.into_iter().flatten().map(|file| Layer::new(name(file.path), file.content)));
        layers.extend(self.extra);
        layers
    }
}

fn name(path: &'static str) -> &'static str {
    path.rsplit('/').next().expect("a path has a name")
}

fn contributor(name: &str, bytes: usize) -> Contributor {
    Contributor { name: name.to_owned(), size: size::encoded(bytes) }
}

fn payload(text: &str) -> String {
    STANDARD.encode(gzip::compress(text.as_bytes()))
}

fn packed(files: &[File]) -> Vec<String> {
    files.iter().map(|file| payload(&file.content)).collect()
}

fn entries<'a>(files: &[File], packed: &'a [String]) -> Vec<Entry<'a>> {
    files.iter().zip(packed).map(|(file, payload)| Entry { path: file.path, payload }).collect()
}

/// Returns the script that writes files and starts the controller.
fn script(files: Vec<Entry<'_>>) -> String {
    render("controller_script.sh.tera", &Script { files })
}

/// Returns the document with all files.
fn whole([open, secret]: &[Vec<File>; 2], packed: &[Vec<String>; 2], first_boot: FirstBoot) -> String {
    let mut files = entries(open, &packed[0]);
    let with_secrets = entries(secret, &packed[1]);
    match first_boot {
        FirstBoot::CloudInit => {
            let script = script(with_secrets);
            render("controller_boothook.sh.tera", &Boothook { files, script: &script })
        }
        FirstBoot::Ignition => {
            files.extend(with_secrets);
            render("controller_ignition.json.tera", &Ignition { files, starts: true })
        }
    }
}

/// Returns the document with the files that have no secret.
fn without_secrets(open: &[File], packed: &[String], first_boot: FirstBoot) -> String {
    let files = entries(open, packed);
    match first_boot {
        FirstBoot::CloudInit => render("controller_boothook.sh.tera", &Boothook { files, script: "" }),
        FirstBoot::Ignition => render("controller_ignition.json.tera", &Ignition { files, starts: false }),
    }
}
