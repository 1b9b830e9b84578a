//! `inspect`: the contents of CustomData, a CSE command or a VM model.

use std::fmt::Write;
use std::fs;
use std::path::{Component, Path, PathBuf};

mod secret_places;

use super::file;
use super::generate::os_names;
use super::image::ImageArguments;
use super::output::{self, Format, printable};
use super::style::{self, paint};
use super::{Failure, Outcome, table};
use crate::catalogue::operating_systems::OperatingSystem;
use crate::catalogue::variables;
use crate::environment::ImageContents;
use crate::inspection::{self, Inspection, inspect};
use crate::redaction::{REDACTED, Redactor};

/// The largest file that is read, in bytes. Even a Terraform plan is much smaller.
const LARGEST: u64 = inspection::LARGEST as u64;

/// Columns of a value that is shown as it is where the width is not known.
const LONGEST_VALUE: usize = 100;

/// Show the contents of CustomData, a CSE command or a VM model
#[derive(clap::Args)]
#[command(after_help = "Examples:
  aks-node-controller inspect custom-data.b64
  az vmss show -g GROUP -n SCALE_SET | aks-node-controller inspect -
  aks-node-controller generate node.yaml --route scripted |
    aks-node-controller inspect - --out ./layers
  aks-node-controller generate node.yaml |
    aks-node-controller inspect - --secrets

The file may be CustomData in base64 or decoded, with gzip at any layer: a MIME document, a boothook, a cloud-config, an Ignition \
document, a script; a CSE command; a VM or scale set in ARM JSON; a Terraform plan in JSON; a Configuration; the directory of a \
cloud-init instance; or another text with CustomData in base64, such as /var/lib/waagent/ovf-env.xml or a Bicep \
file. Secrets are printed as `[redacted]` unless --show-secrets is given; --out writes them in clear.")]
pub(super) struct Inspect {
    /// File or directory to inspect (`-` for standard input)
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Format of the result
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Write every layer and file to this directory
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// List the location and the possible readers of each secret of a delivery, never its value
    #[arg(long, conflicts_with = "show_secrets")]
    secrets: bool,
    #[command(flatten)]
    arguments: InspectionArguments,
}

/// How an artifact is inspected and shown.
#[derive(clap::Args)]
pub(super) struct InspectionArguments {
    /// Print secrets in clear text
    #[arg(long)]
    pub show_secrets: bool,
    #[command(flatten)]
    image: ImageArguments,
    /// Operating system of the image: decides the default of --containerd-version
    #[arg(long, value_parser = os_names(), default_value = "ubuntu")]
    os: &'static OperatingSystem,
}

impl InspectionArguments {
    /// Returns what the image contains.
    pub fn image(&self) -> Result<ImageContents, Failure> {
        self.image.contents(self.os)
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
        let redactor = (!self.arguments.show_secrets).then(|| inspection.redactor());
        if self.secrets {
            return secret_places::show(&name, &inspection, redactor.as_ref(), self.format);
        }
        let shown = Shown { inspection: &inspection, redactor: redactor.as_ref() };
        match self.format {
            Format::Json => output::insight_json(&inspection.to_json(redactor.is_none()), redactor.as_ref())?,
            Format::Text => {
                let width = output::width(&std::io::stdout());
                output::insight(&output::wrapped(&shown.described(width), width, 4), redactor.as_ref())?;
            }
        }
        if inspection.is_empty() {
            return Err(Failure::Input(format!("{name}: contains no data of a node")));
        }
        Ok(())
    }
}

/// What was found, as it is shown: in clear if there is no redactor.
struct Shown<'i> {
    inspection: &'i Inspection,
    redactor: Option<&'i Redactor>,
}

impl Shown<'_> {
    /// Returns a value, or `[redacted]` if its name announces a secret.
    fn named<'v>(&self, name: &str, value: &'v crate::Secret<'static>) -> &'v str {
        let is_covered = self.redactor.is_some() && !value.is_empty() && self.inspection.is_secret(name);
        if is_covered { REDACTED } else { value.expose() }
    }

    /// Returns a text of which only a part is shown, if it has several lines or is longer than that; the output takes secrets out of
    /// whole ones.
    fn short(&self, clear: &str, room: Option<usize>) -> String {
        match self.redactor {
            Some(redactor) if clear.contains('\n') || !fits(clear, room) => short(&redactor.redact(clear), room),
            _ => short(clear, room),
        }
    }

    /// Returns the result for people. On a terminal, long values are truncated, and variables without a value are only
    /// listed.
    fn described(&self, width: Option<usize>) -> String {
        let inspection = self.inspection;
        // The columns left for a value on the line of its name.
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
        // Secrets are looked for once in the command, which is also a run and the longest text.
        let clear = inspection.command.as_ref().map(crate::Secret::expose);
        let command = clear.map(|clear| self.short(clear, beside("")));
        let runs = inspection.runs.iter().map(|run| {
            let what = run.text.expose();
            let lines = what.lines().count();
            // Scripts are written by --out.
            let shown = match (lines, &command) {
                (0 | 1, Some(command)) if clear == Some(what) => command.clone(),
                (0 | 1, _) => self.short(what, beside("")),
                _ => format!("{lines} lines of shell"),
            };
            let between = if width.is_some() { "\n    " } else { ": " };
            format!("{}{between}{}", paint(style::NAME, run.stage.title()), printable(&shown))
        });
        section(&mut text, &paint(style::TITLE, "Runs"), runs);
        section(&mut text, &paint(style::TITLE, "Command"), command.as_deref().map(printable).into_iter());
        let is_named = |value: &crate::Secret<'_>| width.is_some() && value.expose().is_empty();
        let (empty, rest): (Vec<_>, Vec<_>) = inspection.variables.iter().partition(|(_, value)| is_named(value));
        let rows = rest.into_iter().map(|(name, value)| {
            let meaning =
                variables::variable(name).map(|variable| variable.meaning.split(". ").next().unwrap_or_default());
            let value = self.short(self.named(name, value), beside(name));
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

/// Adds the layers: as a tree on a terminal, where a long path loses its beginning.
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

/// Returns the number of findings of each sort, on one line.
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

/// Reports whether all of a value is shown.
fn fits(value: &str, room: Option<usize>) -> bool {
    style::columns(value) <= room.unwrap_or(LONGEST_VALUE)
}

/// Returns a value on one line; `--format json` has all of it. A value wider than `room`, or than 100 columns without
/// it, is truncated and followed by its length.
pub(super) fn short(value: &str, room: Option<usize>) -> String {
    let line = value.replace('\n', "⏎");
    if fits(&line, room) {
        return line;
    }
    let end = format!("… ({} characters)", line.chars().count());
    let most = room.map_or(LONGEST_VALUE, |room| room.saturating_sub(style::columns(&end)));
    format!("{}{end}", style::fitting(&line, most))
}

/// Reads a file, standard input, or the user data in the directory of a cloud-init instance.
pub(super) fn read(file: &Path) -> Result<(String, Vec<u8>), Failure> {
    let inner = if file.is_dir() { Some(user_data(file)?) } else { None };
    let file = inner.as_deref().unwrap_or(file);
    let name = file::name_of(file);
    let mut bytes = file::read_at_most(file, LARGEST + 1)
        .map_err(|error| Failure::Input(format!("cannot read {name}: {error}")))?;
    if bytes.len() as u64 > LARGEST {
        bytes.pop();
        output::note(&format!("note: {name}: only the first {LARGEST} bytes are read"));
    }
    Ok((name, bytes))
}

/// Returns the file in the directory of a cloud-init instance that has the original user data, beside cloud-init's own files.
fn user_data(directory: &Path) -> Result<PathBuf, Failure> {
    let names = ["user-data.txt", "vendor-data.txt", "user-data", "cloud-config.txt"];
    let has_content = |path: &PathBuf| fs::metadata(path).is_ok_and(|found| found.is_file() && found.len() > 0);
    names.map(|name| directory.join(name)).into_iter().find(has_content).ok_or_else(|| {
        let problem =
            "is a directory without user-data.txt; the directory of a cloud-init instance is /var/lib/cloud/instance";
        Failure::Input(format!("{} {problem}", directory.display()))
    })
}

/// Writes every layer and file below a directory, readable only by their owner, or nothing if one cannot be written. No path leaves the
/// directory.
fn extract(inspection: &Inspection, directory: &Path) -> Outcome {
    let mut files = Vec::new();
    for (name, content) in inspection.extract() {
        let name = Path::new(name);
        let stays = name.components().all(|part| matches!(part, Component::Normal(_)));
        if stays {
            files.push((name, content));
        } else {
            output::note(&format!("warning: {} is not written, because the path leaves the directory", name.display()));
        }
    }
    output::files_below(directory, &files)
}
