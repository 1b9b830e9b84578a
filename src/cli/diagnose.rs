//! `diagnose`: finds out why a machine did not become a node.

use std::io;
use std::path::{Path, PathBuf};

#[cfg(node)]
use super::image::{facts_below, write_facts};
#[cfg(node)]
use super::node::machine;
use super::output::{self, Format, Layout};
#[cfg(node)]
use super::progress::Progress;
use super::style::{self, paint};
use super::{Failure, Outcome};
use crate::Secret;
use crate::diagnosis::reading;
use crate::diagnosis::{Diagnosis, Evidence, Meaning, bundle, diagnose};
#[cfg(node)]
use crate::node::{self, Machine};
use crate::redaction::Redactor;

/// Find out why a machine did not become a node
#[derive(clap::Args)]
#[command(after_help = "Examples:
  sudo aks-node-controller diagnose
  sudo aks-node-controller diagnose --live
  aks-node-controller diagnose ./logs-of-the-node
  aks-node-controller diagnose logs.zip --format json
  sudo aks-node-controller diagnose --bundle-out node.tar.gz
  sudo aks-node-controller diagnose --facts facts.json

Reads the result, the marker, events, states of units and the ends of logs, and prints how far the node got, the failure, \
likely causes, a timeline that begins with the start of the kernel, and the durations of phases and steps. Without LOGS, --root and --bundle it reads this machine; root \
can read more files than other users. Secrets are redacted. Times without an offset are read as UTC.

--live queries the API server (with the bootstrap token, over TLS with the cluster CA), the registry and the services of Azure. \
All checks run at the same time, each with a time limit of a few seconds, and change nothing. With --root, no credentials are \
sent, and the checks that need them are omitted.

Exit code: 0 if provisioning succeeded, there is no sign of a kubelet failure, and no check failed; otherwise, \
or if the logs cannot be read, 1.")]
pub(super) struct Diagnose {
    /// Logs to read instead of this machine: a directory, as --root does, or an archive, as --bundle does
    #[arg(conflicts_with_all = ["root", "bundle"])]
    logs: Option<PathBuf>,
    /// Read a directory instead of this machine: the root of a disk, or logs of a node in any arrangement
    #[arg(long, value_name = "DIR", conflicts_with = "bundle")]
    root: Option<PathBuf>,
    /// Read an archive of the logs of a node: tar, tar.gz or zip
    #[arg(long, value_name = "FILE")]
    bundle: Option<PathBuf>,
    /// Also check the API server, the clock, the proxy, the registry, Azure services, disks and units
    #[cfg(node)]
    #[arg(long, conflicts_with = "bundle")]
    live: bool,
    /// Also write an archive of all evidence, without secrets, to attach to a ticket
    #[arg(long, value_name = "FILE")]
    bundle_out: Option<PathBuf>,
    /// Also write the facts of the image to this file, for `--image` of other commands
    #[cfg(node)]
    #[arg(long, value_name = "FILE", conflicts_with = "bundle")]
    facts: Option<PathBuf>,
    /// Format of the result
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

impl Diagnose {
    pub fn run(mut self) -> Outcome {
        self.place_logs();
        #[cfg(node)]
        if self.bundle.is_some() && (self.live || self.facts.is_some()) {
            return Err(Failure::Usage("--live and --facts need a machine or a directory, not an archive".to_owned()));
        }
        let (mut evidence, secrets) = self.evidence()?;
        let redactor = Redactor::new(&secrets);
        evidence.redact(&redactor);
        let diagnosis = diagnose(&evidence);
        #[cfg(node)]
        if let Some(file) = &self.facts {
            write_facts(file, &facts_below(self.root.as_deref().unwrap_or(Path::new("/")))?)?;
        }
        if let Some(file) = &self.bundle_out {
            write_bundle(file, &evidence, &diagnosis)?;
        }
        match self.format {
            Format::Json => output::json(&redactor.redact_json(&diagnosis.to_json()), Layout::Pretty)?,
            Format::Text => {
                let width = output::width(&io::stdout());
                let text = diagnosis.to_text_within(width, &|meaning, text| painted(meaning, text));
                output::text(&redactor.redact(&text.lines().map(|line| laid_out(line, width)).collect::<String>()))?;
            }
        }
        if diagnosis.is_fine() { Ok(()) } else { Err(Failure::Reported) }
    }

    /// Makes LOGS one of the options --root and --bundle.
    fn place_logs(&mut self) {
        let Some(logs) = self.logs.take() else { return };
        let place = if logs.is_dir() { &mut self.root } else { &mut self.bundle };
        *place = Some(logs);
    }

    /// Returns the evidence about the node, which still contains its secrets, and the secrets that are known.
    fn evidence(&self) -> Result<(Evidence, Vec<Secret<'static>>), Failure> {
        let cannot_read = |path: &Path| {
            let name = output::printable(&path.display().to_string());
            move |error: io::Error| Failure::Input(format!("cannot read {name}: {error}"))
        };
        if let Some(file) = &self.bundle {
            let problem = |error: io::Error| match error.kind() {
                io::ErrorKind::Other => {
                    Failure::Input(format!("{} {error}", output::printable(&file.display().to_string())))
                }
                _ => cannot_read(file)(error),
            };
            return Ok((reading::archive(file).map_err(problem)?, Vec::new()));
        }
        let root = self.root.as_deref().unwrap_or(Path::new("/"));
        #[cfg_attr(not(node), expect(unused_mut, reason = "only the module `node` asks the running machine"))]
        let mut evidence = reading::directory(root).map_err(cannot_read(root))?;
        #[cfg(node)]
        if self.root.is_none() {
            node::observe(&Machine::this(), &mut evidence);
        }
        #[cfg(node)]
        if self.live {
            let mut progress = Progress::start();
            let show = |done, count| progress.show(|_| format!("{done} of {count} checks"));
            evidence.checks = node::check(&machine(self.root.as_deref())?, show);
        }
        let secrets = reading::secrets(root).map_err(cannot_read(root))?;
        Ok((evidence, secrets))
    }
}

/// Writes the archive, and says what to do with it.
fn write_bundle(file: &Path, evidence: &Evidence, diagnosis: &Diagnosis) -> Outcome {
    let name = output::printable(&file.display().to_string());
    let archive = bundle(evidence, diagnosis)
        .map_err(|error| Failure::Input(format!("cannot write the archive {name}: {error}")))?;
    output::raw_file(file, &archive)?;
    let (items, size) = (evidence.items.len(), archive.len());
    let texts = if items == 1 { "text" } else { "texts" };
    output::note(&format!(
        "note: {name} has {items} {texts} without secrets, {size} bytes; left-out.txt in it lists what was left out\n  \
         hint: read it before you pass it on: aks-node-controller diagnose --bundle {name}"
    ));
    Ok(())
}

/// Returns a line for a terminal of this width: values are aligned, and commands are highlighted.
fn laid_out(line: &str, width: Option<usize>) -> String {
    const LABEL: usize = 11;
    let field = ["stage", "last step", "evidence"].iter().find(|label| line.starts_with(&format!("{label:<LABEL$}")));
    let (label, rest) = line.split_at(field.map_or(0, |_| LABEL));
    let label = field.map(|_| paint(style::TITLE, label)).unwrap_or_default();
    let indent = if field.is_some() { LABEL } else { 3 };
    output::wrapped(&format!("{label}{}\n", style::commands(rest)), width, indent)
}

/// Returns a piece of a diagnosis in the style of its meaning.
fn painted(meaning: Meaning, text: &str) -> String {
    let style = match meaning {
        Meaning::Good => style::GOOD,
        Meaning::Bad => style::ERROR,
        Meaning::Title => style::TITLE,
        Meaning::Minor => style::DETAIL,
    };
    paint(style, style::printable(text))
}
