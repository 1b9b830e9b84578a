//! `explain`: why a node failed.

use std::fmt::Write;
use std::path::Path;

use super::output::{self, Format, Layout};
use super::{Failure, Outcome, input};
use crate::explain::{self, Explanation, NoFailure};

/// The longest text that is read; a log beyond it is cut off by whoever keeps it.
const LONGEST: usize = 256 * 1024 * 1024;

/// Explain why a node failed
#[derive(clap::Args)]
#[command(after_help = "Examples:
  aks-node-controller explain 52
  aks-node-controller explain ERR_OUTBOUND_CONN_FAIL
  az vmss get-instance-view -g GROUP -n SCALE_SET --instance-id 0 | aks-node-controller explain -
  aks-node-controller explain /var/log/azure/aks/provision.json --format json

A text may be a result document, a log of the scripts, events of the guest agent, or an error message of Azure, az, Terraform
or Karpenter, with escaped JSON in it or cut off.")]
pub(super) struct Explain {
    /// An exit code, an ERR_ name, or a file with the text of a failure (`-` for standard input)
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
                let width = output::width(&std::io::stdout());
                output::bytes(output::wrapped(&described(&explanation), width, 3).as_bytes())
            }
        }
    }

    fn explanation(&self) -> Result<Explanation, Failure> {
        let unknown = |code: i64| Failure::Input(NoFailure::Unknown(code).to_string());
        let what = self.what.trim();
        if let Ok(code) = what.parse::<i64>() {
            return match u8::try_from(code) {
                Ok(0) => Err(Failure::Input("0 is no failure".to_owned())),
                Ok(code) => explain::of_code(code).ok_or_else(|| unknown(i64::from(code))),
                Err(_) => Err(unknown(code)),
            };
        }
        if let Some(explanation) = explain::of_name(what) {
            return Ok(explanation);
        }
        let file = Path::new(&self.what);
        if what != "-" && !file.exists() {
            let hint = explain::nearest_name(what).map(|name| format!("; did you mean {name}?")).unwrap_or_default();
            return Err(Failure::Input(format!("{what} is no exit code, no known ERR_ name and no file{hint}")));
        }
        let name = input::name_of(file);
        let bytes = input::read_bytes(file).map_err(|error| Failure::Input(format!("cannot read {name}: {error}")))?;
        if bytes.len() > LONGEST {
            return Err(Failure::Input(format!("{name} has {} bytes; at most {LONGEST} are read", bytes.len())));
        }
        let text = String::from_utf8_lossy(&bytes);
        explain::of_text(&text).map_err(|error| Failure::Input(format!("{name}: {error}")))
    }
}

fn described(explanation: &Explanation) -> String {
    let mut text = format!("{} {}\n{}\n\n", explanation.code, explanation.name, explanation.meaning);
    let mut field = |name: &str, value: Option<&str>| {
        if let Some(value) = value {
            let _ = writeln!(text, "{name:<11}{value}");
        }
    };
    field("stage", Some(explanation.stage));
    field("last step", explanation.step.as_deref());
    field("evidence", explanation.evidence.as_deref());
    let mut list = |title: &str, items: &[&str], numbered: bool| {
        if !items.is_empty() {
            let _ = writeln!(text, "\n{title}");
        }
        for (number, item) in items.iter().enumerate() {
            let _ = if numbered { writeln!(text, "{}. {item}", number + 1) } else { writeln!(text, "-  {item}") };
        }
    };
    list("Likely causes", &explanation.causes, true);
    list("What to check", &explanation.checks, false);
    list("Easily mistaken", explanation.misleading, false);
    text
}
