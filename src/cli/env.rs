//! `env`: the environment that the node's scripts get.

use serde_json::{Map, json};

use super::input::{self, Demands, ImageArguments, InputFormat, Which};
use super::output::{self, Format, Layout};
use super::{Failure, Outcome};
use crate::catalogue::operating_systems::OPERATING_SYSTEMS;
use crate::catalogue::variables;
use crate::configuration::missing;
use crate::document::{Source, nearest};
use crate::environment::{DERIVATIONS, Environment};
use crate::rendering::ShellWord;

/// Show the environment.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  aks-node-controller env --config node.yaml
  aks-node-controller env --example a100-mig --format json
  aks-node-controller env --config node.yaml --explain KUBELET_FLAGS

Secrets read `[redacted]` unless --show-secrets is given. As on the node, anything that decodes and has a
supported version is rendered; missing required fields are warnings.")]
pub(super) struct Env {
    #[command(flatten)]
    which: Which,
    #[command(flatten)]
    facts: ImageArguments,
    /// Shape of the result
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Print secrets in clear
    #[arg(long)]
    show_secrets: bool,
    /// Say what one variable means, where its value came from and what reads it
    #[arg(long, value_name = "NAME")]
    explain: Option<String>,
    /// How the bytes are to be read
    #[arg(long, value_enum, default_value_t = InputFormat::Auto)]
    input_format: InputFormat,
}

impl Env {
    pub fn run(self) -> Outcome {
        let Some(document) = self.which.read()? else { return Ok(()) };
        let demands = Demands { format: self.input_format, ..Demands::default() };
        let (configuration, mut report) = input::configuration(&document.bytes, demands);
        if let Some(configuration) = &configuration {
            report.findings.extend(missing(configuration));
            if let (InputFormat::Auto, Ok(source)) = (self.input_format, Source::new(&document.bytes)) {
                source.locate(&mut report.findings);
            }
            report.sort();
        }
        output::findings(&document.name, &report);
        let Some(configuration) = configuration else { return Err(Failure::Reported) };
        let facts = self.facts.gather(&OPERATING_SYSTEMS[0])?;
        self.facts.tell_default(&OPERATING_SYSTEMS[0]);
        let environment = Environment::new(&configuration, &facts);
        match (&self.explain, self.format) {
            (Some(name), format) => self.explain(name, &environment, format),
            (None, Format::Json) => {
                let pairs = environment.iter().map(|entry| (entry.name.to_string(), self.value(entry).into()));
                output::json(&pairs.collect::<Map<_, _>>().into(), Layout::Pretty)
            }
            (None, Format::Text) => {
                let lines = environment.iter().map(|entry| {
                    let value = self.value(entry);
                    let word = ShellWord::quote(value);
                    format!("{}={}\n", entry.name, if value.is_empty() { "" } else { word.as_str() })
                });
                output::bytes(lines.collect::<String>().as_bytes())
            }
        }
    }

    fn value<'e>(&self, entry: &'e crate::environment::Entry<'_>) -> &'e str {
        if self.show_secrets { &entry.value } else { entry.shown() }
    }

    fn explain(&self, name: &str, environment: &Environment<'_>, format: Format) -> Outcome {
        let variable = variables::variable(name);
        let derivation = variable.and_then(|variable| DERIVATIONS.iter().find(|row| row.name == variable.name));
        let (Some(variable), Some(derivation)) = (variable, derivation) else {
            let hint = nearest(name, DERIVATIONS.iter().map(|row| row.name))
                .map(|meant| format!(": did you mean `{meant}`?"))
                .unwrap_or_default();
            return Err(Failure::Input(format!("no variable of the environment is called `{name}`{hint}")));
        };
        let entry = environment.iter().find(|entry| entry.name == name);
        let value = entry.map(|entry| self.value(entry));
        match format {
            Format::Json => output::json(
                &json!({
                    "name": name,
                    "value": value,
                    "meaning": variable.meaning,
                    "fields": derivation.fields,
                    "rule": derivation.rule,
                    "readBy": variable.read_by,
                    "secret": variable.secret,
                }),
                Layout::Pretty,
            ),
            Format::Text => {
                let value = value.map_or_else(|| "(not set)".to_owned(), |value| ShellWord::quote(value).to_string());
                let fields = match derivation.fields {
                    [] => "no field; the same on every node".to_owned(),
                    fields => fields.join(", "),
                };
                output::line(&format!(
                    "{name}={value}\n\nmeaning:  {}\nfrom:     {fields}\nrule:     {}\nread by:  {}{}",
                    variable.meaning,
                    derivation.rule,
                    variable.read_by,
                    if variable.secret { "\nsecret:   shown only with --show-secrets" } else { "" },
                ))
            }
        }
    }
}
