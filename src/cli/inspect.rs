//! `inspect`: what is in CustomData, a CSE command or a model of a machine.

use std::fmt::Write;
use std::fs;
use std::path::{Component, Path, PathBuf};

use serde_json::{Map, Value, json};

use super::file;
use super::generate::os_names;
use super::input::ImageArguments;
use super::output::{self, Format, Layout, printable};
use super::style::{self, paint};
use super::{Failure, Outcome, table};
use crate::catalogue::operating_systems::{OPERATING_SYSTEMS, operating_system};
use crate::catalogue::variables;
use crate::environment::ImageContents;
use crate::inspection::{Inspection, Run, inspect};

/// The largest file that is read, in bytes: much more than CustomData, a plan of Terraform included.
const LARGEST: u64 = 128 << 20;

/// Show what is in CustomData, a CSE command or a model of a VM
#[derive(clap::Args)]
#[command(after_help = "Examples:
  aks-node-controller inspect custom-data.b64
  az vmss show -g GROUP -n SCALE_SET | aks-node-controller inspect -
  aks-node-controller generate node.yaml --route scripted |
    aks-node-controller inspect - --out ./layers

The file may be CustomData in base64 or decoded, with gzip at any layer: a MIME document, a boothook, a cloud-config, an Ignition \
document, a script; a CSE command; a VM or scale set in ARM JSON; a Terraform plan in JSON; a Configuration; or the directory of a \
cloud-init instance. Secrets are printed as `[redacted]` unless --show-secrets is given; --out writes them in clear.")]
pub(super) struct Inspect {
    /// What is inspected (`-` for standard input)
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Shape of the result
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Write every layer and file to this directory
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    arguments: InspectionArguments,
}

/// How anything is inspected, and shown.
#[derive(clap::Args)]
pub(super) struct InspectionArguments {
    /// Print secrets in clear
    #[arg(long)]
    pub show_secrets: bool,
    #[command(flatten)]
    image: ImageArguments,
    /// Operating system of the image: decides the default of --containerd-version
    #[arg(long, value_parser = os_names(), default_value = "ubuntu")]
    os: String,
}

impl InspectionArguments {
    /// Returns what the image contains.
    pub fn image(&self) -> Result<ImageContents, Failure> {
        self.image.contents(operating_system(&self.os).unwrap_or(&OPERATING_SYSTEMS[0]))
    }
}

impl Inspect {
    pub fn run(self) -> Outcome {
        let image = self.arguments.image()?;
        let (name, bytes) = read(&self.file)?;
        let inspection = inspect(&bytes, &image);
        if let Some(directory) = &self.out {
            extract(&inspection, directory)?;
        }
        match self.format {
            Format::Json => output::json(&self.to_json(&inspection), Layout::Pretty)?,
            Format::Text => {
                let width = output::width(&std::io::stdout());
                output::text(&output::wrapped(&self.described(&inspection, width), width, 4))?;
            }
        }
        if inspection.is_empty() {
            return Err(Failure::Input(format!("{name}: nothing for a node is found in it")));
        }
        Ok(())
    }

    fn value<'v>(&self, inspection: &Inspection, name: &str, value: &'v crate::Secret<'static>) -> &'v str {
        if self.arguments.show_secrets { value.expose() } else { inspection.shown(name, value) }
    }

    fn to_json(&self, inspection: &Inspection) -> Value {
        let layers = inspection.layers.iter().map(|layer| {
            let mut object = json!({"kind": layer.kind.name(), "depth": layer.depth, "size": layer.size});
            if let Some(name) = &layer.name {
                object["name"] = name.as_str().into();
            }
            object
        });
        let files = inspection.files.iter().map(|file| {
            json!({
                "path": file.path,
                "mode": file.mode.map(|mode| format!("{mode:04o}")),
                "owner": file.owner,
                "size": file.content.len(),
                "sha256": crate::inspection::sha256(&file.content),
            })
        });
        let mut variables = Map::new();
        let pairs = inspection.variables.iter();
        variables.extend(pairs.map(|(name, value)| (name.clone(), Value::from(self.value(inspection, name, value)))));
        let configuration = inspection.configuration.as_ref().map(|configuration| {
            if self.arguments.show_secrets {
                serde_json::from_str(&configuration.to_json()).unwrap_or_default()
            } else {
                configuration.to_redacted_json()
            }
        });
        json!({
            "kind": inspection.kind.name(),
            "layers": layers.collect::<Vec<_>>(),
            "files": files.collect::<Vec<_>>(),
            "configuration": configuration,
            "variables": variables,
            "command": self.command(inspection),
            "runs": inspection.runs.iter().map(|run| json!({"stage": run.stage.name(), "text": self.run_text(inspection, run)})).collect::<Vec<_>>(),
            "warnings": inspection.warnings.iter().map(|warning| json!({"problem": warning.problem, "hint": warning.hint})).collect::<Vec<_>>(),
        })
    }

    fn run_text(&self, inspection: &Inspection, run: &Run) -> String {
        if self.arguments.show_secrets { run.text.expose().to_owned() } else { inspection.redacted(run.text.expose()) }
    }

    /// Returns the command, in which the values of secret variables are replaced.
    fn command(&self, inspection: &Inspection) -> Option<String> {
        let command = inspection.command.as_ref()?.expose();
        if self.arguments.show_secrets {
            return Some(command.to_owned());
        }
        Some(inspection.redacted(command))
    }

    /// Returns the result for people. On a terminal, long values are cut off, and variables without a value are only named.
    fn described(&self, inspection: &Inspection, width: Option<usize>) -> String {
        // The columns that a value may take on the line of its name.
        let beside = |name: &str| width.map(|width| width.saturating_sub(4 + name.len()).max(width / 3));
        let mut text = paint(style::TITLE, summary(inspection)) + "\n";
        tree(&mut text, inspection, width);
        let warnings = inspection.warnings.iter().map(|warning| {
            style::labelled(&format!("{}\n    hint: {}", printable(&warning.problem), printable(warning.hint)))
        });
        section(&mut text, &paint(style::WARNING, "Warnings"), warnings);
        let files = inspection.files.iter().map(|file| {
            let mode = file.mode.map_or_else(|| "   -".to_owned(), |mode| format!("{mode:04o}"));
            let details = paint(style::DETAIL, format_args!("{mode} {:>8}", file.content.len()));
            format!("{details} {}", printable(&file.path))
        });
        section(&mut text, &paint(style::TITLE, "Files"), files);
        let runs = inspection.runs.iter().map(|run| {
            let what = self.run_text(inspection, run);
            let lines = what.lines().count();
            // Scripts are for --out.
            let shown = if lines > 1 { format!("{lines} lines of shell") } else { short(&what, beside("")) };
            let between = if width.is_some() { "\n    " } else { ": " };
            format!("{}{between}{}", paint(style::NAME, run.stage.title()), printable(&shown))
        });
        section(&mut text, &paint(style::TITLE, "Runs"), runs);
        let command = self.command(inspection).map(|command| printable(&short(&command, beside(""))));
        section(&mut text, &paint(style::TITLE, "Command"), command.into_iter());
        let is_named = |value: &crate::Secret<'_>| width.is_some() && value.expose().is_empty();
        let (empty, rest): (Vec<_>, Vec<_>) = inspection.variables.iter().partition(|(_, value)| is_named(value));
        let rows = rest.into_iter().map(|(name, value)| {
            let meaning =
                variables::variable(name).map(|variable| variable.meaning.split(". ").next().unwrap_or_default());
            let value = short(self.value(inspection, name, value), beside(name));
            let row = format!("{}={}", paint(style::NAME, printable(name)), printable(&value));
            match meaning {
                Some(meaning) => format!("{row}\n    {}", paint(style::DETAIL, meaning)),
                None => row,
            }
        });
        section(&mut text, &paint(style::TITLE, "Variables"), rows);
        let names: Vec<_> = empty.into_iter().map(|(name, _)| printable(name)).collect();
        let names = (!names.is_empty()).then(|| names.join(" "));
        section(&mut text, &paint(style::TITLE, "Variables without a value"), names.into_iter());
        text
    }
}

/// Adds the layers: as a tree on a terminal, where the beginning of a long path is cut off.
fn tree(text: &mut String, inspection: &Inspection, width: Option<usize>) {
    let depths: Vec<_> = inspection.layers.iter().map(|layer| layer.depth).collect();
    for (layer, branch) in inspection.layers.iter().zip(table::branches(&depths)) {
        let branch = if width.is_some() { branch } else { "  ".repeat(layer.depth) };
        let title = layer.kind.title();
        let size = format!("({} bytes)", layer.size);
        let mut name = layer.name.as_deref().map(printable).unwrap_or_default();
        let before = [&branch, title, &size].map(style::columns).iter().sum::<usize>() + 5;
        if let Some(width) = width
            && before + style::columns(&name) > width
        {
            name = format!("…{}", style::fitting_end(&name, width.saturating_sub(before + 1)));
        }
        let (branch, size) = (paint(style::DETAIL, branch), paint(style::DETAIL, size));
        let line = format!("  {branch}{title} {size}  {name}");
        let _ = writeln!(text, "{}", line.trim_end());
    }
}

/// Returns what was found, in a line.
fn summary(inspection: &Inspection) -> String {
    let mut parts = vec![inspection.kind.title().to_owned()];
    let mut count = |number: usize, one: &str, many: &str| {
        if number > 0 {
            parts.push(format!("{number} {}", if number == 1 { one } else { many }));
        }
    };
    count(inspection.files.len(), "file", "files");
    count(inspection.variables.len(), "variable", "variables");
    count(usize::from(inspection.configuration.is_some()), "Configuration", "Configurations");
    count(usize::from(inspection.command.is_some()), "CSE command", "CSE commands");
    count(inspection.warnings.len(), "warning", "warnings");
    parts.join(", ")
}

/// Adds a title and rows, which are printable and may have styles.
fn section(text: &mut String, title: &str, rows: impl Iterator<Item = String>) {
    let mut rows = rows.peekable();
    if rows.peek().is_none() {
        return;
    }
    let _ = writeln!(text, "\n{title}");
    for row in rows {
        let _ = writeln!(text, "  {row}");
    }
}

/// Returns a value on one line: long ones are for `--format json`. With a `room` in columns, one that does not fit is cut off so
/// that it does with its length; else one of more than 100 columns is cut off there.
pub(super) fn short(value: &str, room: Option<usize>) -> String {
    const LONGEST: usize = 100;
    let line = value.replace('\n', "⏎");
    if style::columns(&line) <= room.unwrap_or(LONGEST) {
        return line;
    }
    let end = format!("… ({} characters)", line.chars().count());
    let most = room.map_or(LONGEST, |room| room.saturating_sub(style::columns(&end)));
    format!("{}{end}", style::fitting(&line, most))
}

/// Reads a file, standard input, or what a cloud-init instance was given, from its directory.
pub(super) fn read(file: &Path) -> Result<(String, Vec<u8>), Failure> {
    let name = file::name_of(file);
    let failed = |error: std::io::Error| Failure::Input(format!("cannot read {name}: {error}"));
    if file.is_dir() {
        // cloud-init keeps what it was given beside what it made of it.
        for inner in ["user-data.txt", "vendor-data.txt", "user-data", "cloud-config.txt"] {
            let path = file.join(inner);
            if fs::metadata(&path).is_ok_and(|found| found.len() > 0) {
                let bytes = fs::read(&path)
                    .map_err(|error| Failure::Input(format!("cannot read {}: {error}", path.display())))?;
                return Ok((path.display().to_string(), bytes));
            }
        }
        let problem =
            "is a directory without user-data.txt; the directory of a cloud-init instance is /var/lib/cloud/instance";
        return Err(Failure::Input(format!("{name} {problem}")));
    }
    let mut bytes = file::read_at_most(file, LARGEST + 1).map_err(failed)?;
    if bytes.len() as u64 > LARGEST {
        bytes.pop();
        output::note(&format!("note: {name}: only the first {LARGEST} bytes are read"));
    }
    Ok((name, bytes))
}

/// Writes every layer and file below a directory, readable by their owner only. No path leaves the directory.
fn extract(inspection: &Inspection, directory: &Path) -> Outcome {
    for (name, content) in inspection.extract() {
        let name = Path::new(name);
        let stays = name.components().all(|part| matches!(part, Component::Normal(_)));
        if !stays {
            output::note(&format!("warning: {} is not written, because the path leaves the directory", name.display()));
            continue;
        }
        output::raw_file(&directory.join(name), content)?;
    }
    Ok(())
}
