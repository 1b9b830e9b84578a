//! `explain`: why a node failed.

use std::fmt::Write;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

use super::output::{self, Format, Layout};
use super::style::{self, paint};
use super::{Failure, Outcome, file};
use crate::explain::{self, Explanation, NoFailure};

/// How much of a longer text is read, from its end: that is where a log has its failure.
const LONGEST: usize = 16 * 1024 * 1024;

/// Explain why a node failed
#[derive(clap::Args)]
#[command(after_help = "Examples:
  aks-node-controller explain 52
  aks-node-controller explain ERR_OUTBOUND_CONN_FAIL
  aks-node-controller explain provision.json --format json
  az vmss get-instance-view -g GROUP -n SCALE_SET --instance-id 0 |
    aks-node-controller explain -

A text may be a result document, a log of the scripts, events of the guest agent, or an error message of Azure, az, Terraform \
or Karpenter, with escaped JSON in it or cut off.")]
pub(super) struct Explain {
    /// An exit code, an ERR_ name, a file with the text of a failure (`-` for standard input), or the text itself
    #[arg(value_name = "CODE|NAME|FILE")]
    what: String,
    /// Shape of the result
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

impl Explain {
    pub fn run(self) -> Outcome {
        let explanation = self.explanation()?;
        match self.format {
            Format::Json => output::json(&explanation.to_json(), Layout::Pretty),
            Format::Text => {
                let width = output::width(&io::stdout());
                output::text(&described(&explanation, width))
            }
        }
    }

    fn explanation(&self) -> Result<Explanation, Failure> {
        let unknown = |code: i64| Failure::Input(NoFailure::Unknown(code).to_string());
        let what = self.what.trim();
        if let Ok(code) = what.parse::<i64>() {
            return match u8::try_from(code) {
                Ok(0) => Err(Failure::Input("exit code 0 is a success".to_owned())),
                Ok(code) => explain::of_code(code).ok_or_else(|| unknown(i64::from(code))),
                Err(_) => Err(unknown(code)),
            };
        }
        if let Some(explanation) = explain::of_name(what) {
            return Ok(explanation);
        }
        let file = Path::new(&self.what);
        if what != "-" && !file.exists() {
            // Nobody has a file with such a name; a message was pasted.
            if what.contains(' ') {
                return explain::of_text(what).map_err(|error| Failure::Input(format!("the text {error}")));
            }
            let hint = explain::nearest_name(what).map(|name| format!("\n  hint: did you mean `{name}`?"));
            let hint = hint.unwrap_or_default();
            return Err(Failure::Input(format!("`{what}` is no exit code, no known ERR_ name and no file{hint}")));
        }
        let name = file::name_of(file);
        let End { bytes, skipped } =
            read_end(file).map_err(|error| Failure::Input(format!("cannot read {name}: {error}")))?;
        if skipped > 0 {
            output::note(&format!("note: {name}: only the last {} bytes are read", bytes.len()));
        }
        let text = decoded(&bytes).map_err(|problem| Failure::Input(format!("{name} {problem}")))?;
        explain::of_text(&text).map_err(|error| Failure::Input(format!("{name} {error}")))
    }
}

/// The end of a file.
struct End {
    bytes: Vec<u8>,
    /// How many bytes come before.
    skipped: u64,
}

/// Reads the end of a file, or of standard input: at most [`LONGEST`].
fn read_end(file: &Path) -> io::Result<End> {
    if file == Path::new("-") {
        return end_of(io::stdin().lock());
    }
    let mut file = File::open(file)?;
    let longest = LONGEST as u64;
    let before = file.metadata()?.len().saturating_sub(longest);
    if before > 0 {
        file.seek(SeekFrom::Start(before))?;
    }
    let end = end_of(file)?;
    Ok(End { skipped: before + end.skipped, ..end })
}

fn end_of(mut stream: impl Read) -> io::Result<End> {
    let (mut bytes, mut skipped) = (Vec::new(), 0);
    loop {
        let read = stream.by_ref().take(LONGEST as u64).read_to_end(&mut bytes)?;
        let over = bytes.len().saturating_sub(LONGEST);
        bytes.drain(..over);
        skipped += over as u64;
        if read < LONGEST {
            return Ok(End { bytes, skipped });
        }
    }
}

/// Returns the text in bytes: UTF-8, or UTF-16 as PowerShell writes it. What is neither is read as far as it is text.
fn decoded(bytes: &[u8]) -> Result<String, &'static str> {
    if let Some(text) = crate::document::utf_16(bytes) {
        return Ok(text);
    }
    match bytes {
        [] => Err("is empty"),
        [0x1f, 0x8b, ..] => {
            Err("is compressed with gzip\n  hint: unpack it: gzip -dc FILE | aks-node-controller explain -")
        }
        [b'P', b'K', 3, 4, ..] => {
            Err("is an archive\n  hint: unpack it, and pass cluster-provision.log or provision.json")
        }
        _ => Ok(String::from_utf8_lossy(bytes).into_owned()),
    }
}

/// Columns before the value of a field.
const LABEL: usize = 11;

fn described(explanation: &Explanation, width: Option<usize>) -> String {
    let code = paint(style::ERROR, format_args!("{} {}", explanation.code, explanation.name));
    let mut text = output::wrapped(&format!("{code}\n{}\n\n", explanation.meaning), width, 0);
    let mut field = |name: &str, value: Option<&str>| {
        if let Some(value) = value {
            let label = paint(style::TITLE, format_args!("{name:<LABEL$}"));
            let line = format!("{label}{}", style::printable_lines(value));
            let _ = writeln!(text, "{}", output::wrapped(&line, width, LABEL));
        }
    };
    field("stage", Some(explanation.stage));
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
