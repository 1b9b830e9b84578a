//! Reading documents: from files, standard input and the examples, and judging them.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::examples::Example;
use super::{Failure, output};
use crate::catalogue::operating_systems::OperatingSystem;
use crate::configuration::{Configuration, Today, validate};
use crate::document::{DocPath, Finding, LARGEST_DOCUMENT, Problem, Report, Source};
use crate::environment::{Components, ImageContents};
use crate::inputs::karpenter::{self, BootstrapInputs};
use crate::inputs::nbc::Nbc;

/// Which document.
#[derive(clap::Args, Debug)]
#[group(multiple = false)]
pub(super) struct Which {
    /// The Configuration, JSON or YAML; `-` is standard input
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// A built-in Configuration; `list` names them
    #[arg(long, value_name = "NAME")]
    pub example: Option<String>,
}

/// How the bytes of a document are to be read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum InputFormat {
    /// JSON when it begins with `{`, `[` or `"`, else YAML
    #[default]
    Auto,
    /// The binary form of the contract
    Protobuf,
}

/// What the image contains that the node would find out by itself.
#[derive(clap::Args, Debug)]
pub(super) struct ImageArguments {
    /// Version of the image's containerd; empty: not installed [default: by --os]
    #[arg(long, value_name = "VERSION")]
    pub containerd_version: Option<String>,
    /// The image's component list (/opt/azure/components.json), for GPU driver versions [default: built in]
    #[arg(long, value_name = "FILE")]
    pub components: Option<PathBuf>,
}

/// A document's bytes and the name that messages give it.
pub(super) struct Document {
    pub name: String,
    pub bytes: Vec<u8>,
}

impl Which {
    /// The document, or `None` when its names were asked for and have been printed.
    pub fn read(&self) -> Result<Option<Document>, Failure> {
        match (&self.config, self.example.as_deref()) {
            (Some(file), _) => read(file).map(Some),
            (None, Some("list")) => {
                let width = Example::ALL.iter().map(|example| example.name.len()).max().unwrap_or_default();
                let lines = Example::ALL.iter().map(|example| format!("{:width$}  {}\n", example.name, example.title));
                output::bytes(lines.collect::<String>().as_bytes())?;
                Ok(None)
            }
            (None, Some(name)) => {
                let example = Example::named(name).map_err(Failure::Usage)?;
                Ok(Some(Document { name: example.file.to_owned(), bytes: example.text().into_bytes() }))
            }
            (None, None) => Err(Failure::Usage("give `--config FILE` or `--example NAME`".to_owned())),
        }
    }
}

/// Reads a file or standard input, but no more than a document may be.
pub(super) fn read(file: &Path) -> Result<Document, Failure> {
    let is_stdin = file == Path::new("-");
    let name = if is_stdin { "<stdin>".to_owned() } else { file.display().to_string() };
    let mut bytes = Vec::new();
    let limit = LARGEST_DOCUMENT as u64 + 1;
    let read = if is_stdin {
        io::stdin().lock().take(limit).read_to_end(&mut bytes)
    } else {
        File::open(file).and_then(|file| file.take(limit).read_to_end(&mut bytes))
    };
    read.map_err(|error| Failure::Input(format!("cannot read {name}: {error}")))?;
    Ok(Document { name, bytes })
}

/// What is asked of a document before it is used.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Demands {
    pub format: InputFormat,
    /// Unknown names are errors.
    pub strict: bool,
    /// The checks of the meaning are made too.
    pub validate: bool,
}

/// Reads a Configuration out of a document. `None` when the report holds an error.
pub(super) fn configuration(bytes: &[u8], demands: Demands) -> (Option<Configuration>, Report) {
    if demands.format == InputFormat::Protobuf {
        if bytes.len() > LARGEST_DOCUMENT {
            let problem = Problem::TooLarge { limit: LARGEST_DOCUMENT };
            return (None, Finding::error(DocPath::root(), problem).into());
        }
        return match Configuration::from_protobuf(bytes) {
            Ok(configuration) => judged(configuration, Report::default(), None, demands),
            Err(report) => (None, report),
        };
    }
    let source = match Source::new(bytes) {
        Ok(source) => source,
        Err(finding) => return (None, finding.into()),
    };
    match Configuration::from_source(&source) {
        Ok(decoded) => judged(decoded.configuration, decoded.report, Some(&source), demands),
        Err(mut report) => {
            if demands.strict {
                report.be_strict();
            }
            (None, report)
        }
    }
}

fn judged(
    configuration: Configuration,
    mut report: Report,
    source: Option<&Source<'_>>,
    demands: Demands,
) -> (Option<Configuration>, Report) {
    if demands.validate {
        report.findings.extend(validate(&configuration, Some(today())));
    } else if let Err(finding) = configuration.check_version() {
        report.findings.push(finding);
    }
    if let Some(source) = source {
        source.locate(&mut report.findings);
    }
    report.sort();
    if demands.strict {
        report.be_strict();
    }
    (report.is_valid().then_some(configuration), report)
}

/// Reads the inputs of Karpenter's bootstrapper. `None` when the report holds an error.
pub(super) fn karpenter(bytes: &[u8], demands: Demands) -> (Option<BootstrapInputs>, Report) {
    let (inputs, mut report) = match BootstrapInputs::from_document(bytes) {
        Ok(read) => read,
        Err(report) => return (None, report),
    };
    if demands.validate {
        report.findings.extend(karpenter::validate(&inputs));
    } else if let Err(refused) = karpenter::script(&inputs) {
        report.findings.push(refused.finding());
    }
    if let Ok(source) = Source::new(bytes) {
        source.locate(&mut report.findings);
    }
    report.sort();
    if demands.strict {
        report.be_strict();
    }
    (report.is_valid().then_some(inputs), report)
}

/// Reads a NodeBootstrappingConfiguration. `None` when the report holds an error.
pub(super) fn nbc(bytes: &[u8], demands: Demands) -> (Option<Nbc>, Report) {
    let (nbc, mut report) = match Nbc::from_document(bytes) {
        Ok(read) => read,
        Err(report) => return (None, report),
    };
    if demands.validate {
        report.findings.extend(validate(&nbc.configuration, Some(today())));
    }
    if demands.strict {
        report.be_strict();
    }
    (report.is_valid().then_some(nbc), report)
}

/// Certificates are judged by today; nothing that is rendered depends on it.
fn today() -> Today {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    Today(i64::try_from(since.as_secs()).unwrap_or(i64::MAX))
}

impl ImageArguments {
    /// Says which containerd was counted on when nobody said which.
    pub fn tell_default(&self, distro: &OperatingSystem) {
        if self.containerd_version.is_none() {
            output::note(&format!(
                "note: for an image with containerd {}, the default of `{}`; say otherwise with --containerd-version",
                distro.containerd_version, distro.name
            ));
        }
    }

    /// What the command line says, else what is built in.
    pub fn gather(&self, distro: &OperatingSystem) -> Result<ImageContents, Failure> {
        let components = match &self.components {
            None => Components::default(),
            Some(file) => {
                let document = read(file)?;
                let text = String::from_utf8_lossy(&document.bytes);
                Components::parse(&text)
                    .map_err(|error| Failure::Input(format!("{}: is not a component list: {error}", document.name)))?
            }
        };
        let containerd_version =
            self.containerd_version.clone().unwrap_or_else(|| distro.containerd_version.to_owned());
        Ok(ImageContents { containerd_version, components })
    }
}
