//! The document that a command reads: from a file, standard input, or a built-in example.

use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::Failure;
use super::examples::Example;
use super::file::{Document, read, read_large};
use super::karpenter_files::{KarpenterFiles, Node};
use super::layers::{LayerArguments, Layered};
use super::output::{self, InClear};
use super::style::{self, paint};
use super::table::Table;
use crate::catalogue::operating_systems::{OPERATING_SYSTEMS, OperatingSystem};
use crate::configuration::Today;
use crate::document::{Finding, Report, Step, decoded};
use crate::draft::{Draft, Options};
use crate::inputs::karpenter::based::{layer as karpenter_layer, without_other_downloads};
use crate::inputs::karpenter::bundle::{Bundle, Origins};
use crate::inputs::karpenter::{Converted, Provenance};
use crate::inputs::{
    Checks, DocumentKind, Input, InputKind, NodeInput, OtherKind, Reading, documents_of_cluster, recognize,
};

/// The document that a command reads. All but FILE name its kind.
#[derive(clap::Args, Debug, Default)]
pub(super) struct InputArguments {
    /// The document, JSON or YAML; `-` is standard input. Its kind is recognized from its content. Karpenter's objects and
    /// settings can be in several files, in any order
    #[arg(value_name = "FILE", conflicts_with_all = ["config", "example", "nbc", "karpenter"])]
    files: Vec<PathBuf>,
    /// Kind of FILE, instead of recognizing it
    #[arg(long, value_name = "KIND", requires = "files", value_enum)]
    input: Option<InputKind>,
    /// A Configuration
    #[arg(long, value_name = "FILE", group = "named")]
    config: Option<PathBuf>,
    /// A built-in Configuration; `list` prints their names
    #[arg(long, value_name = "NAME", group = "named")]
    pub example: Option<String>,
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
    /// JSON or YAML, depending on the first character
    #[default]
    Auto,
    /// The binary form of protobuf
    Protobuf,
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
    Objects(Box<Node>),
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
            (self.files.first(), self.input),
            (self.config.as_ref(), Some(InputKind::Configuration)),
            (self.nbc.as_ref(), Some(InputKind::Nbc)),
            (self.karpenter.as_ref(), Some(InputKind::Karpenter)),
        ];
        let found = options.into_iter().find_map(|(path, kind)| Some((path?.as_path(), kind)));
        found.map(|(path, kind)| NamedFile { path, kind })
    }

    /// Whether a file or any of Karpenter's objects is named.
    pub fn has_objects(&self) -> bool {
        self.objects.is_named() || !self.files.is_empty()
    }

    /// Whether several files are given.
    pub fn has_several_files(&self) -> bool {
        self.files.len() > 1
    }

    /// Whether standard input is among the documents.
    pub fn is_stdin(&self) -> bool {
        let options = [&self.config, &self.nbc, &self.karpenter].into_iter().flatten();
        self.files.iter().chain(options).any(|file| file == Path::new("-"))
    }

    /// Prints the named example unchanged.
    pub fn print_example(&self) -> Result<(), Failure> {
        let example = Example::named(self.example.as_deref().unwrap_or_default()).map_err(Failure::Usage)?;
        output::plain(example.text)
    }

    /// Reads what the arguments name. Prints the list of examples if it was requested.
    pub fn source(self, checks: &Checks) -> Result<Source, Failure> {
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
                return Ok(Source::Objects(Box::new(self.objects.finish(Bundle::default(), checks)?)));
            }
            let message = "no document: pass FILE, `--config FILE`, `--example NAME`, `--nbc FILE`, `--karpenter FILE` \
                           or Karpenter's objects";
            return Err(Failure::Usage(message.to_owned()));
        };
        let kind = file.kind;
        if self.has_several_files() {
            if let Some(kind) = kind {
                return Err(Failure::Usage(format!("{} must be in one FILE", kind.title())));
            }
            let documents: Result<Vec<_>, _> = self.files.iter().map(|file| read_large(file)).collect();
            return self.bundled(&documents?, checks);
        }
        let document = if kind.is_none() { read_large(file.path)? } else { read(file.path)? };
        if kind.is_none() && self.input_format == InputFormat::Auto {
            let found = recognize(&document.bytes);
            if self.is_bundle(found, &document) || is_stream_of_cluster(found, &document) {
                return self.bundled(&[document], checks);
            }
        }
        self.alone()?;
        Ok(Source::Document(document, kind))
    }

    /// Reports whether a file of a kind has objects or settings of Karpenter.
    fn is_bundle(&self, found: Option<DocumentKind>, document: &Document) -> bool {
        match found {
            Some(DocumentKind::Object(_)) => true,
            Some(DocumentKind::Input(_)) => self.objects.is_named() && Bundle::recognizes(&document.bytes),
            Some(DocumentKind::Other(
                OtherKind::KubernetesList | OtherKind::Cluster(_) | OtherKind::Output(_) | OtherKind::AzureMessages,
            ))
            | None => self.objects.is_named() || Bundle::recognizes(&document.bytes),
            Some(DocumentKind::Other(_)) => false,
        }
    }

    /// Reads the objects in files, beside those that options name.
    fn bundled(self, documents: &[Document], checks: &Checks) -> Result<Source, Failure> {
        let mut bundle = Bundle::default();
        for document in documents {
            bundle.add(document.name.clone(), document.bytes.clone(), None);
        }
        let has_cluster = || documents.iter().any(|document| documents_of_cluster(&document.bytes) > 0);
        if !bundle.is_karpenter() && !self.objects.is_named() && has_cluster() {
            return drafted(documents).map(|document| Source::Document(document, Some(InputKind::Configuration)));
        }
        if !bundle.is_karpenter() && !self.objects.is_named() {
            // None of them is recognized, because they are no text.
            let broken: Vec<_> =
                documents.iter().filter_map(|document| Some((document, decoded(&document.bytes).err()?))).collect();
            for (document, finding) in &broken {
                output::findings(&document.name, Some(&document.bytes), &Report::from(vec![finding.clone()]));
            }
            if !broken.is_empty() {
                return Err(Failure::Reported);
            }
            let message = "several files must be Karpenter's objects and settings, or the output of az and kubectl for a \
                cluster, but none of these is; `validate` checks documents of any kind";
            return Err(Failure::Usage(message.to_owned()));
        }
        Ok(Source::Objects(Box::new(self.objects.finish(bundle, checks)?)))
    }

    /// Fails if Karpenter's objects are combined with another document.
    fn alone(&self) -> Result<(), Failure> {
        if self.objects.is_named() {
            let message = "Karpenter's objects cannot be combined with another document";
            return Err(Failure::Usage(message.to_owned()));
        }
        if self.objects.base.is_some() {
            return Err(Failure::Usage("--base needs Karpenter's objects; --layer changes a Configuration".to_owned()));
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
    ) -> Result<(Document, Reading, Origin), Failure> {
        if layers.is_empty() {
            let reading = judged(kind, format, &document.bytes, checks);
            return Ok((document, reading, Origin::Document));
        }
        if format == InputFormat::Protobuf {
            return Err(Failure::Usage("--layer, --set and --set-file need JSON or YAML".to_owned()));
        }
        let (document, reading, layered) = layers.read(document, kind, None, checks)?;
        Ok((document, reading, Origin::Layers(layered)))
    }

    /// Takes the layers that are merged over the document.
    pub fn take_layers(&mut self) -> LayerArguments {
        std::mem::take(&mut self.layers)
    }

    /// Reads the input. Objects have no bytes of one document. `None` if nothing is left to do.
    pub fn reading(mut self, checks: &Checks) -> Result<Option<(Document, Reading, Origin)>, Failure> {
        let format = self.input_format;
        let layers = self.take_layers();
        Ok(match self.source(checks)? {
            Source::Listed => None,
            Source::Objects(node) if node.base.is_some() => {
                let (document, reading, layered) = based(*node, &layers, checks)?;
                Some((document, reading, Origin::Layers(layered)))
            }
            Source::Objects(_) if !layers.is_empty() => return Err(layers_need_configuration()),
            Source::Objects(objects) => {
                let Converted { inputs, provenance, .. } = objects.converted;
                let mut reading = Reading::of_bootstrap_inputs(inputs, Report::default(), None, checks);
                name_sources(&mut reading.report, &provenance);
                let document = Document { name: "the inputs".to_owned(), bytes: Vec::new() };
                Some((document, reading, Origin::Objects(Box::new(objects.origins))))
            }
            Source::Document(document, kind) => Some(Self::judged(&layers, kind, format, document, checks)?),
        })
    }

    /// Reads the input and prints its findings. `None` if nothing is left to do.
    pub fn read(self, checks: &Checks) -> Result<Option<NamedInput>, Failure> {
        let Some((Document { name, bytes }, reading, _)) = self.reading(checks)? else { return Ok(None) };
        output::findings(&name, Some(&bytes), &reading.report);
        let input = reading.input.ok_or(Failure::Reported)?;
        Ok(Some(NamedInput { name, input, losses: reading.losses }))
    }
}

/// Where the values of an input were read.
pub(super) enum Origin {
    /// In one document.
    Document,
    /// In Karpenter's objects.
    Objects(Box<Origins>),
    /// In a document and what is merged over it.
    Layers(Layered),
}

/// Adds the source in the objects to findings about what was made of them, which have no line.
fn name_sources(report: &mut Report, provenance: &[Provenance]) {
    for finding in report.findings.iter_mut().filter(|finding| finding.hint.is_none()) {
        let Some(Step::Field { name, .. }) = finding.path.0.first() else { continue };
        let source = provenance.iter().find(|one| one.field == *name);
        finding.hint = source.map(|one| format!("`{name}` is made of: {}", one.source).into());
    }
}

/// Reports whether a file of a kind has several documents about a cluster, or one among messages.
fn is_stream_of_cluster(found: Option<DocumentKind>, document: &Document) -> bool {
    let least = match found {
        None | Some(DocumentKind::Other(OtherKind::AzureMessages)) => 1,
        Some(DocumentKind::Other(OtherKind::Cluster(_))) => 2,
        Some(_) => return false,
    };
    documents_of_cluster(&document.bytes) >= least
}

/// Returns the Configuration that `new` prints for files about a cluster.
fn drafted(documents: &[Document]) -> Result<Document, Failure> {
    let mut draft = Draft::default();
    for document in documents {
        draft.add_file(&document.name, &document.bytes);
    }
    let drafted = draft.finish(Options::default()).map_err(|problems| {
        for problem in problems {
            output::note(&format!("error: {problem}"));
        }
        Failure::Reported
    })?;
    for dropped in &drafted.dropped {
        output::note(&format!("note: {dropped}"));
    }
    Ok(Document { name: "the Configuration of the files".to_owned(), bytes: drafted.yaml.into_bytes() })
}

/// Reads the Configuration of Karpenter's objects and the base that they are merged over.
pub(super) fn based(
    node: Node,
    layers: &LayerArguments,
    checks: &Checks,
) -> Result<(Document, Reading, Layered), Failure> {
    let Node { objects, converted, base, has_settings, .. } = node;
    let base = base.ok_or_else(|| Failure::Usage("there is no --base".to_owned()))?;
    let layer = |base: &serde_json::Value| {
        let mut layer = karpenter_layer(&objects, &converted.inputs, has_settings);
        without_other_downloads(base, &mut layer, &converted.inputs);
        layer
    };
    layers.read_objects(base, layer, checks)
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

/// Why `--os` cannot be used with an input.
#[derive(Debug, thiserror::Error)]
pub(super) enum OsError {
    #[error("--os has no effect with {0}, which names its image")]
    HasNoEffect(&'static str),
    #[error(
        "`--os {chosen}` contradicts the os-sku labels of the node, which select `{labelled}`; change one of them, or \
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
