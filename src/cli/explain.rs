//! `explain`: why a node failed.

use std::borrow::Cow;
use std::fmt::Write;
use std::fs::File;
use std::io::{self, BufRead, BufReader, IsTerminal, Read, Seek, SeekFrom};
use std::path::Path;

use flate2::read::MultiGzDecoder;

use super::output::{self, Layout};
use super::style::{self, paint};
use super::{Failure, Outcome, file};
use crate::environment::ImageContents;
use crate::explain::{self, Explanation, NoFailure};
use crate::inspection::{self, Kind, inspect};
use crate::recognition::{Binary, lossy_text};
use crate::redaction::Redactor;
use crate::rendering::ShellWord;

/// The most bytes of a text that are read, from its end, where a log shows the failure.
const LONGEST: usize = 16 * 1024 * 1024;

/// The bytes at the beginning of a file that show whether it is compressed.
const SIGNATURE: u64 = 512;

/// The most bytes of a FIFO, a device or a compressed file that are read to find its end: an endless one has none.
const MOST_READ: u64 = 1 << 30;

/// Explain why a node failed
#[derive(clap::Args)]
#[command(after_help = "Examples:
  aks-node-controller explain 52
  aks-node-controller explain ERR_OUTBOUND_CONN_FAIL
  aks-node-controller explain provision.json --format json
  az vmss get-instance-view -g GROUP -n SCALE_SET --instance-id 0 |
    aks-node-controller explain -
  journalctl --unit=kubelet --boot | aks-node-controller explain -
  kubectl get nodeclaims NAME -o yaml |
    aks-node-controller explain - --format condition

A text can be a result document, a log of the scripts, the kubelet, cloud-init, Ignition or the guest agent, events of a node or \
NodeClaim, or an error message of Azure, az, Terraform, the autoscaler or Karpenter, with escaped JSON in it, or truncated. What is \
compressed with gzip is unpacked.

`--format json` always prints one object. If nothing is recognized, its layer is null, and the exit code is 1.
`--format jsonl` reads texts, one per line (a line that is a JSON string is decoded), and prints one object for each, flushed.")]
pub(super) struct Explain {
    /// Exit code, ERR_ name, file with the text of a failure (`-` for standard input), or the text itself
    #[arg(value_name = "CODE|NAME|TEXT|FILE")]
    what: Option<String>,
    /// Format of the result
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

/// The format of the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// For people.
    Text,
    /// One object.
    Json,
    /// One object for each line of the input.
    Jsonl,
    /// A condition of a Kubernetes object.
    Condition,
}

/// Why nothing is explained.
enum Unexplained {
    /// The input was read, and shows no known failure; with the words before the reason.
    NoFailure(String, NoFailure),
    /// As before, with a whole sentence that says it better.
    Other(String, NoFailure),
    /// The input cannot be read.
    Failure(Failure),
}

impl Unexplained {
    /// Returns why there is nothing to explain; `None` if the input cannot be read.
    fn reason(&self) -> Option<NoFailure> {
        match self {
            Self::NoFailure(_, reason) | Self::Other(_, reason) => Some(reason.clone()),
            Self::Failure(_) => None,
        }
    }
}

impl From<Failure> for Unexplained {
    fn from(failure: Failure) -> Self {
        Self::Failure(failure)
    }
}

impl From<Unexplained> for Failure {
    fn from(unexplained: Unexplained) -> Self {
        match unexplained {
            Unexplained::NoFailure(subject, reason) => Self::Input(format!("{subject}{reason}")),
            Unexplained::Other(message, _) => Self::Input(message),
            Unexplained::Failure(failure) => failure,
        }
    }
}

impl Explain {
    pub fn run(self) -> Outcome {
        if self.format == Format::Jsonl {
            return self.each_line();
        }
        let Some(what) = &self.what else {
            return Err(Failure::Usage("CODE, NAME, TEXT or FILE is missing; `-` reads standard input".to_owned()));
        };
        let redactor = Redactor::default();
        let explained = explanation(what);
        if self.format == Format::Text {
            let width = output::width(&io::stdout());
            return output::text(&redactor.redact(&described(&explained?, width)));
        }
        let is_condition = self.format == Format::Condition;
        let value = match (&explained, explained.as_ref().err().and_then(Unexplained::reason)) {
            (Ok(explanation), _) if is_condition => Some(explanation.condition().to_json()),
            (Ok(explanation), _) => Some(explanation.to_json()),
            (Err(_), Some(reason)) if is_condition => Some(reason.condition().to_json()),
            (Err(_), reason) => reason.map(|reason| reason.to_json()),
        };
        if let Some(value) = value {
            output::json(&redactor.redact_json(&value), Layout::Pretty)?;
        }
        explained.map(|_| ()).map_err(Failure::from)
    }

    /// Explains the texts on standard input or in a file, one per line.
    fn each_line(&self) -> Outcome {
        let name = self.what.as_deref().unwrap_or("-");
        let cannot_read = |error: &io::Error| Failure::Input(format!("cannot read {name}: {error}"));
        let mut lines: Box<dyn BufRead> = if name == "-" {
            if io::stdin().is_terminal() && self.what.is_none() {
                return Err(Failure::Usage("`--format jsonl` reads texts from standard input or FILE".to_owned()));
            }
            Box::new(io::stdin().lock())
        } else {
            Box::new(BufReader::new(File::open(name).map_err(|error| cannot_read(&error))?))
        };
        loop {
            let mut line = Vec::new();
            let read = lines.by_ref().take(LONGEST as u64).read_until(b'\n', &mut line);
            if read.map_err(|error| cannot_read(&error))? == 0 {
                return Ok(());
            }
            let line = lossy_text(&line);
            let line = line.trim_end_matches(['\n', '\r']);
            let decoded = serde_json::from_str::<String>(line).ok();
            let explained = explain::explain_shown(decoded.as_deref().unwrap_or(line));
            let value = explained.map_or_else(|reason| reason.to_json(), |explanation| explanation.to_json());
            output::json(&Redactor::default().redact_json(&value), Layout::Line)?;
        }
    }
}

/// Explains what the command line names.
fn explanation(given: &str) -> Result<Explanation, Unexplained> {
    let none = |subject: &str, reason: NoFailure| Unexplained::NoFailure(subject.to_owned(), reason);
    let not_found = |message: String| Unexplained::Other(message, NoFailure::NotFound);
    let what = given.trim();
    if let Ok(code) = what.parse::<i64>() {
        return match u8::try_from(code) {
            Ok(0) => Err(Unexplained::Other("exit code 0 is a success".to_owned(), NoFailure::Success)),
            Ok(code) => explain::of_code(code).ok_or_else(|| none("", NoFailure::Unknown(code.into()))),
            Err(_) => Err(none("", NoFailure::Unknown(code))),
        };
    }
    if let Some(explanation) = explain::of_name(what) {
        return Ok(explanation);
    }
    let file = Path::new(given);
    if what != "-" && !file.exists() {
        // No file has such a name: this is a message that was pasted.
        if what.contains(' ') {
            return explain::explain_shown(what).map_err(|reason| none(&subject("the text", &reason), reason));
        }
        // A word of Azure or Kubernetes, such as `SkuNotAvailable`.
        if let Ok(explanation) = explain::explain(&format!("Error Code: {what}")) {
            return Ok(explanation);
        }
        let hint = explain::nearest_name(what).map(|name| format!("\n  hint: did you mean `{name}`?"));
        let hint = hint.unwrap_or_default();
        return Err(not_found(format!("`{what}` is neither an exit code, a known ERR_ name nor a file{hint}")));
    }
    let name = file::name_of(file);
    let End { bytes, skipped, .. } =
        read_end(file).map_err(|error| Failure::Input(cannot_read(&name, given, &error)))?;
    if skipped > 0 {
        output::note(&format!("note: {name}: only the last {} bytes are read", bytes.len()));
    }
    let text = decoded(&bytes).map_err(|problem| not_found(format!("{name} {problem}")))?;
    explain::explain_shown(&text).map_err(|reason| {
        let artifact = (reason == NoFailure::NotFound).then(|| artifact(&name, what, &text)).flatten();
        artifact.map_or_else(|| none(&subject(&name, &reason), reason), not_found)
    })
}

fn cannot_read(name: &str, file: &str, error: &io::Error) -> String {
    let hint = match error.kind() {
        io::ErrorKind::IsADirectory => {
            let directory = ShellWord::quote(file);
            format!("\n  hint: diagnose its logs: aks-node-controller diagnose --root {directory}")
        }
        _ => String::new(),
    };
    format!("cannot read {name}: {error}{hint}")
}

/// Returns the words before the reason why a text is not explained.
fn subject(name: &str, reason: &NoFailure) -> String {
    // The code is the subject of its own sentence.
    format!("{name}{}", if matches!(reason, NoFailure::Unknown(_)) { ": " } else { " " })
}

/// Returns the hint for a text that a machine is created with, from before any failure.
fn artifact(name: &str, file: &str, text: &str) -> Option<String> {
    if text.len() > inspection::LARGEST {
        return None;
    }
    let found = inspect(text.as_bytes(), &ImageContents::default());
    (!found.is_empty()).then(|| {
        let kind = found.layers.iter().map(|layer| layer.kind).find(|kind| !matches!(kind, Kind::Base64 | Kind::Gzip));
        let kind = kind.unwrap_or(found.kind).title();
        format!(
            "{name} ({kind}) is the input of a node, not the text of a \
            failure\n  hint: inspect it: aks-node-controller inspect {}",
            ShellWord::quote(file)
        )
    })
}

/// The end of a file.
struct End {
    bytes: Vec<u8>,
    /// The number of bytes before it.
    skipped: u64,
    /// Why what follows cannot be read.
    problem: Option<io::Error>,
}

impl End {
    /// Returns the end of a file of which everything could be read.
    fn whole(mut self) -> io::Result<Self> {
        self.problem.take().map_or(Ok(self), Err)
    }
}

/// Reads the end of a file, or of standard input: at most [`LONGEST`]. What was compressed with gzip, as logs are when they are rotated, is
/// unpacked.
fn read_end(file: &Path) -> io::Result<End> {
    if file == Path::new("-") {
        let (beginning, rest) = opened(io::stdin().lock())?;
        return if is_gzip(&beginning) { end_of_gzip(rest) } else { end_of(rest, 0)?.whole() };
    }
    let file = File::open(file)?;
    let length = file.metadata()?.len();
    let before = length.saturating_sub(LONGEST as u64);
    let (beginning, rest) = opened(&file)?;
    if is_gzip(&beginning) {
        return end_of_gzip(rest);
    }
    if before == 0 {
        return end_of(rest, usize::try_from(length).unwrap_or_default())?.whole();
    }
    (&file).seek(SeekFrom::Start(before))?;
    let end = end_of(&file, LONGEST)?.whole()?;
    Ok(End { skipped: before + end.skipped, ..end })
}

/// Returns the first bytes of a stream, and all of it.
fn opened(mut stream: impl Read) -> io::Result<(Vec<u8>, impl Read)> {
    let mut beginning = Vec::new();
    stream.by_ref().take(SIGNATURE).read_to_end(&mut beginning)?;
    Ok((beginning.clone(), io::Cursor::new(beginning).chain(stream)))
}

fn is_gzip(beginning: &[u8]) -> bool {
    Binary::of(beginning) == Some(Binary::Gzip)
}

/// Reads the end of what was compressed. What cannot be unpacked, such as the rest of a truncated file, is left out.
fn end_of_gzip(stream: impl Read) -> io::Result<End> {
    let end = end_of(MultiGzDecoder::new(stream), 0)?;
    match &end.problem {
        Some(problem) if end.bytes.is_empty() => Err(io::Error::new(problem.kind(), format!("gzip: {problem}"))),
        Some(problem) => {
            let read = end.skipped + end.bytes.len() as u64;
            output::note(&format!("note: what follows byte {read} is not read: gzip: {problem}"));
            Ok(end)
        }
        None => Ok(end),
    }
}

/// Reads the end of a stream of this length, if it is known. What is behind an error is left out.
fn end_of(mut stream: impl Read, length: usize) -> io::Result<End> {
    let (mut bytes, mut skipped) = (Vec::with_capacity(length), 0);
    loop {
        let read = stream.by_ref().take(LONGEST as u64).read_to_end(&mut bytes);
        let over = bytes.len().saturating_sub(LONGEST);
        bytes.drain(..over);
        skipped += over as u64;
        if !read.as_ref().is_ok_and(|read| *read == LONGEST) {
            return Ok(End { bytes, skipped, problem: read.err() });
        }
        if skipped >= MOST_READ {
            let gib = MOST_READ >> 30;
            return Err(io::Error::other(format!("is larger than {gib} GiB; pass only its last lines")));
        }
    }
}

/// Returns the text in bytes. Bytes that are no text are replaced.
fn decoded(bytes: &[u8]) -> Result<Cow<'_, str>, String> {
    if bytes.is_empty() {
        return Err("is empty".to_owned());
    }
    let Some(binary) = Binary::of(bytes) else { return Ok(lossy_text(bytes)) };
    let what = binary.title();
    Err(match (binary, binary.unpacker()) {
        (_, None) => format!("is {what}"),
        (Binary::Zip | Binary::Tar, _) => {
            format!("is {what}\n  hint: diagnose it: aks-node-controller diagnose --bundle FILE")
        }
        (Binary::SevenZip, _) => {
            format!("is {what}\n  hint: unpack it, and diagnose it: aks-node-controller diagnose --root DIR")
        }
        (_, Some(command)) => format!("is {what}\n  hint: unpack it: {command} | aks-node-controller explain -"),
    })
}

/// Columns before the value of a field.
const LABEL: usize = 11;

fn described(explanation: &Explanation, width: Option<usize>) -> String {
    let title = match (explanation.code, explanation.name) {
        (Some(code), Some(name)) => format!("{code} {name}"),
        _ => explanation.layer.name().to_owned(),
    };
    let title = paint(style::ERROR, format_args!("{title}"));
    let mut text = output::wrapped(&format!("{title}\n{}\n\n", explanation.meaning), width, 0);
    let mut field = |name: &str, value: Option<&str>| {
        if let Some(value) = value {
            let label = paint(style::TITLE, format_args!("{name:<LABEL$}"));
            let line = format!("{label}{}", style::printable_lines(value));
            let _ = writeln!(text, "{}", output::wrapped(&line, width, LABEL));
        }
    };
    if explanation.code.is_some() {
        field("layer", Some(explanation.layer.name()));
    }
    field("stage", explanation.stage);
    field("last step", explanation.step.as_deref());
    field("evidence", explanation.evidence.as_deref());
    for (title, items) in explanation.lists() {
        if !items.is_empty() {
            let _ = writeln!(text, "\n{}", paint(style::TITLE, title));
        }
        for item in items {
            let _ = writeln!(text, "{}", output::wrapped(&style::commands(&item), width, 3));
        }
    }
    text
}
