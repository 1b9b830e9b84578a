//! The document that a command reads: from a file, standard input, or a built-in example.

use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::Failure;
use super::examples::Example;
use super::file::{Document, read};
use super::karpenter_files::KarpenterFiles;
use super::layers::LayerArguments;
use super::output::{self, InClear};
use super::style::{self, paint};
use super::table::Table;
use crate::catalogue::operating_systems::{OPERATING_SYSTEMS, OperatingSystem};
use crate::configuration::{Today, Version};
use crate::document::{Finding, Report};
use crate::environment::{Components, ImageContents};
use crate::inputs::karpenter::{Converted, Objects};
use crate::inputs::{Checks, DocumentKind, Input, InputKind, NodeInput, Reading, recognize};

/// The document that a command reads. All but FILE name its kind.
#[derive(clap::Args, Debug, Default)]
pub(super) struct InputArguments {
    /// The document, JSON or YAML; `-` is standard input. Its kind is recognized from its content
    #[arg(value_name = "FILE", conflicts_with_all = ["config", "example", "nbc", "karpenter"])]
    file: Option<PathBuf>,
    /// Kind of FILE, instead of recognizing it
    #[arg(long, value_name = "KIND", requires = "file", value_enum)]
    input: Option<InputKind>,
    /// A Configuration
    #[arg(long, value_name = "FILE", group = "named")]
    config: Option<PathBuf>,
    /// A built-in Configuration; `list` prints their names
    #[arg(long, value_name = "NAME", group = "named")]
    example: Option<String>,
    /// AgentBaker's NodeBootstrappingConfiguration, which names its image
    #[arg(long, value_name = "FILE", group = "named")]
    nbc: Option<PathBuf>,
    /// The inputs of Karpenter's bootstrapper
    #[arg(long, value_name = "FILE", group = "named")]
    karpenter: Option<PathBuf>,
    #[command(flatten)]
    objects: KarpenterFiles,
    #[command(flatten)]
    layers: LayerArguments,
    /// Encoding of a Configuration
    #[arg(long, value_enum, default_value_t = InputFormat::Auto)]
    pub input_format: InputFormat,
}

/// The encoding of a document.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum InputFormat {
    /// JSON or YAML, told apart by the first character
    #[default]
    Auto,
    /// The binary form of protobuf
    Protobuf,
}

/// What the image contains. A node finds this out by itself.
#[derive(clap::Args, Debug)]
pub(super) struct ImageArguments {
    /// Version of the image's containerd; empty: not installed [default: depends on --os]
    #[arg(long, value_name = "VERSION")]
    pub containerd_version: Option<String>,
    /// The image's component list (/opt/azure/components.json), for GPU driver versions [default: built in]
    #[arg(long, value_name = "FILE")]
    pub components: Option<PathBuf>,
}

/// A file that a command was given, with its kind where an option names it.
pub(super) struct NamedFile<'a> {
    pub path: &'a Path,
    pub kind: Option<InputKind>,
}

/// What the arguments name.
pub(super) enum Source {
    /// A document, with its kind where an option names it.
    Document(Document, Option<InputKind>),
    /// Karpenter's objects, which have been read.
    Objects(Box<(Objects, Converted)>),
    /// The list of examples, which has been printed.
    Listed,
}

/// An input and its name in messages.
pub(super) struct NamedInput {
    pub name: String,
    pub input: Input,
    /// Everything that the equivalent Configuration cannot represent.
    pub losses: Vec<Finding>,
}

impl InputArguments {
    /// Returns the file that was given; `None` if there is none.
    pub fn named_file(&self) -> Option<NamedFile<'_>> {
        let options = [
            (&self.file, self.input),
            (&self.config, Some(InputKind::Configuration)),
            (&self.nbc, Some(InputKind::Nbc)),
            (&self.karpenter, Some(InputKind::Karpenter)),
        ];
        let found = options.into_iter().find_map(|(path, kind)| Some((path.as_deref()?, kind)));
        found.map(|(path, kind)| NamedFile { path, kind })
    }

    /// Whether any of Karpenter's objects is named.
    pub fn has_objects(&self) -> bool {
        self.objects.is_named()
    }

    /// Whether the document is standard input.
    pub fn is_stdin(&self) -> bool {
        self.named_file().is_some_and(|file| file.path == Path::new("-"))
    }

    /// Prints the example that is named, as it stands.
    pub fn print_example(&self) -> Result<(), Failure> {
        let example = Example::named(self.example.as_deref().unwrap_or_default()).map_err(Failure::Usage)?;
        output::plain(example.text)
    }

    /// Reads what the arguments name. Prints the list of examples if it was requested.
    pub fn source(mut self, checks: &Checks) -> Result<Source, Failure> {
        match self.example.as_deref() {
            Some("list") => {
                let mut list = Table::default();
                for example in Example::ALL {
                    list.row([paint(style::NAME, example.name), example.title.to_owned()]);
                }
                output::text(&InClear(&list.text(output::width(&io::stdout()))))?;
                return Ok(Source::Listed);
            }
            Some(name) => {
                let example = Example::named(name).map_err(Failure::Usage)?;
                let document = Document { name: example.file.to_owned(), bytes: example.text.into() };
                self.alone()?;
                return Ok(Source::Document(document, Some(InputKind::Configuration)));
            }
            None => {}
        }
        let Some(file) = self.named_file() else {
            if self.objects.is_named() {
                return Ok(Source::Objects(Box::new(self.objects.read(checks)?)));
            }
            let message = "no document: give FILE, `--config FILE`, `--example NAME`, `--nbc FILE`, `--karpenter FILE` \
                           or Karpenter's objects";
            return Err(Failure::Usage(message.to_owned()));
        };
        let (path, kind) = (file.path.to_owned(), file.kind);
        let document = read(&path)?;
        if kind.is_none()
            && let Some(DocumentKind::Object(object)) = recognize(&document.bytes)
        {
            if path == Path::new("-") {
                let message = format!("<stdin> is {}: pass it with `{} -`", object.title(), object.option());
                return Err(Failure::Usage(message));
            }
            self.objects.name(object, path)?;
            return Ok(Source::Objects(Box::new(self.objects.read(checks)?)));
        }
        self.alone()?;
        Ok(Source::Document(document, kind))
    }

    /// Fails if Karpenter's objects are given beside a document.
    fn alone(&self) -> Result<(), Failure> {
        if self.objects.is_named() {
            let message = "Karpenter's objects are given instead of another document, not beside it";
            return Err(Failure::Usage(message.to_owned()));
        }
        Ok(())
    }

    /// Whether layers or single values are merged over the document.
    pub fn has_layers(&self) -> bool {
        !self.layers.is_empty()
    }

    /// Reads a document with its layers. With layers, their findings have been printed, and the report is empty.
    pub fn judged(
        layers: &LayerArguments,
        kind: Option<InputKind>,
        format: InputFormat,
        document: Document,
        checks: &Checks,
    ) -> Result<(Document, Reading), Failure> {
        if layers.is_empty() {
            let reading = judged(kind, format, &document.bytes, checks);
            return Ok((document, reading));
        }
        if format == InputFormat::Protobuf {
            return Err(Failure::Usage("--layer, --set and --set-file need JSON or YAML".to_owned()));
        }
        layers.read(document, kind, checks)
    }

    /// Takes what is merged over the document.
    pub fn take_layers(&mut self) -> LayerArguments {
        std::mem::take(&mut self.layers)
    }

    /// Reads the input. Objects have no bytes of one document. `None` if nothing is left to do.
    pub fn reading(mut self, checks: &Checks) -> Result<Option<(Document, Reading)>, Failure> {
        let format = self.input_format;
        let layers = self.take_layers();
        Ok(match self.source(checks)? {
            Source::Listed => None,
            Source::Objects(_) if !layers.is_empty() => return Err(layers_need_configuration()),
            Source::Objects(objects) => {
                let (_, converted) = *objects;
                let reading = Reading::of_bootstrap_inputs(converted.inputs, Report::default(), None, checks);
                Some((Document { name: "the inputs".to_owned(), bytes: Vec::new() }, reading))
            }
            Source::Document(document, kind) => Some(Self::judged(&layers, kind, format, document, checks)?),
        })
    }

    /// Reads the input and prints its findings. `None` if nothing is left to do.
    pub fn read(self, checks: &Checks) -> Result<Option<NamedInput>, Failure> {
        let Some((Document { name, bytes }, reading)) = self.reading(checks)? else { return Ok(None) };
        output::findings(&name, Some(&bytes), &reading.report);
        let input = reading.input.ok_or(Failure::Reported)?;
        Ok(Some(NamedInput { name, input, losses: reading.losses }))
    }
}

/// Returns the failure of layers over Karpenter's objects.
pub(super) fn layers_need_configuration() -> Failure {
    Failure::Usage("--layer, --set and --set-file change a Configuration, not Karpenter's objects".to_owned())
}

/// Reads a document of a kind, in a format.
pub(super) fn judged(kind: Option<InputKind>, format: InputFormat, bytes: &[u8], checks: &Checks) -> Reading {
    match format {
        InputFormat::Auto => Reading::new(kind, bytes, checks),
        InputFormat::Protobuf => Reading::of_protobuf(bytes, checks),
    }
}

/// Returns the current date, which decides on the validity of certificates. Nothing that is rendered depends on it.
pub(super) fn today() -> Today {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    Today(i64::try_from(since.as_secs()).unwrap_or(i64::MAX))
}

impl ImageArguments {
    /// Prints which version of containerd was assumed because none was given.
    pub fn print_default(&self, distro: &OperatingSystem) {
        if self.containerd_version.is_none() {
            output::note(&format!(
                "note: rendered for containerd {}, the default of `{}`; use --containerd-version for another",
                distro.containerd_version, distro.name
            ));
        }
    }

    /// Returns the contents of the image: from the arguments, else the built-in ones.
    pub fn contents(&self, distro: &OperatingSystem) -> Result<ImageContents, Failure> {
        let components = match &self.components {
            None => Components::default(),
            Some(file) => {
                let document = read(file)?;
                let text = String::from_utf8_lossy(&document.bytes);
                Components::parse(&text)
                    .map_err(|error| Failure::Input(format!("{}: is not a component list: {error}", document.name)))?
            }
        };
        let given = self.containerd_version.as_deref().unwrap_or(distro.containerd_version);
        // Without the suffix that a package adds to the version, as a node reads it.
        let release = given.split(['-', '+', '~']).next().unwrap_or_default();
        if !given.is_empty() && Version::parse(release).is_none() {
            let message = format!(
                "--containerd-version must be a version such as `1.7.28`, or empty if containerd is not installed, \
                 found `{given}`"
            );
            return Err(Failure::Usage(message));
        }
        Ok(ImageContents { containerd_version: release.to_owned(), components, ..ImageContents::default() })
    }
}

/// Why `--os` cannot be used with an input.
#[derive(Debug, thiserror::Error)]
pub(super) enum OsError {
    #[error("--os has no effect with {0}, which names its image")]
    HasNoEffect(&'static str),
    #[error(
        "`--os {chosen}` contradicts the os-sku labels of the node, which mean `{labelled}`; change one of them, or \
         use --no-validate"
    )]
    Contradicts { chosen: &'static str, labelled: &'static str },
}

impl OsError {
    /// Returns the failure of a command that read one document.
    pub fn with_document(self, name: &str) -> Failure {
        match self {
            Self::HasNoEffect(_) => Failure::Usage(self.to_string()),
            Self::Contradicts { .. } => Failure::Input(format!("{name}: {self}")),
        }
    }
}

/// Returns the operating system of the image: from `--os`, else from the input, else Ubuntu.
///
/// # Errors
/// Fails if `--os` has no effect or, unless validation is off, if it contradicts the labels of the node.
pub(super) fn operating_system_of(
    option: Option<&'static OperatingSystem>,
    input: &dyn NodeInput,
    checks: &Checks,
) -> Result<&'static OperatingSystem, OsError> {
    let labelled = input.labelled_os();
    let Some(chosen) = option else {
        return Ok(input.os().or(labelled).unwrap_or(&OPERATING_SYSTEMS[0]));
    };
    if input.os().is_some() {
        return Err(OsError::HasNoEffect(input.kind().title()));
    }
    match labelled {
        Some(labelled) if labelled != chosen && checks.values => {
            Err(OsError::Contradicts { chosen: chosen.name, labelled: labelled.name })
        }
        _ => Ok(chosen),
    }
}
