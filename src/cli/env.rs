//! `env`: the environment of the node's scripts.

use std::borrow::Cow;
use std::io::{self, IsTerminal};

use serde_json::{Map, Value, json};

use super::file::Document;
use super::generate::os_names;
use super::image::ImageArguments;
use super::input::{self, InputArguments, InputFormat, Origin};
use super::layers::Layered;
use super::output::{self, Format, InClear, Layout};
use super::style::{self, paint};
use super::table::Table;
use super::{Failure, Outcome};
use crate::catalogue::demands::Demand;
use crate::catalogue::operating_systems::OperatingSystem;
use crate::catalogue::variables;
use crate::configuration::missing;
use crate::document::{Source, nearest};
use crate::environment::{Assignment, DERIVATIONS, Environment};
use crate::inputs::karpenter::bundle::{Origins, members_of};
use crate::inputs::{Checks, Input, NodeInput};
use crate::redaction::Redactor;
use crate::rendering::{Quoting, ShellWord};

/// Show the environment.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  aks-node-controller env node.yaml
  aks-node-controller env --example a100-mig --format json
  aks-node-controller env node.yaml --explain KUBELET_FLAGS

Secrets are printed as `[redacted]` unless --show-secrets is given. As on the node, any document that can be decoded and has a \
supported version is rendered; missing required fields are warnings.")]
pub(super) struct Env {
    #[command(flatten)]
    input: InputArguments,
    #[command(flatten)]
    image: ImageArguments,
    /// Operating system of the image: decides the default of --containerd-version [default: from the input or the os-sku label of the node,
    /// else ubuntu]
    #[arg(long, value_parser = os_names())]
    os: Option<&'static OperatingSystem>,
    /// Format of the result
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Print secrets in clear
    #[arg(long)]
    show_secrets: bool,
    /// Print the meaning of one variable, the source of its value and its readers
    #[arg(long, value_name = "NAME")]
    explain: Option<String>,
}

/// Where the value of a variable comes from.
struct Sources {
    fields: Vec<String>,
    /// For each field, file, line and column where it was read; empty for an example.
    places: Vec<Option<String>>,
    rule: String,
}

impl Sources {
    /// Returns the sources of a variable of Karpenter's script: of the objects, or members of the inputs.
    fn of_karpenter(variable: &str, origins: Option<&Origins>) -> Self {
        let members = members_of(variable);
        let rule = match members {
            [] => "constant of Karpenter's script".to_owned(),
            members => {
                let names: Vec<_> = members.iter().map(|member| format!("`{member}`")).collect();
                format!("from {} of the inputs of Karpenter's bootstrapper", names.join(", "))
            }
        };
        let (fields, places) = match origins {
            None => (members.iter().map(|member| (*member).to_owned()).collect(), Vec::new()),
            Some(origins) => {
                origins.of_variable(variable).into_iter().map(|origin| (origin.source, origin.place)).unzip()
            }
        };
        Self { fields, places, rule }
    }

    /// Returns the sources of a variable with the files that its fields are from. `None` if no field has its value.
    fn of_layers(variable: &str, layered: &Layered) -> Option<Self> {
        let row =
            DERIVATIONS.iter().find(|row| row.name == variables::variable(variable).map_or("", |row| row.name))?;
        let fields = row.fields();
        let places = fields.iter().map(|field| layered.place(field)).collect();
        let fields = fields.into_iter().map(str::to_owned).collect();
        Some(Self { fields, places, rule: row.rule().into_owned() })
    }
}

impl Env {
    pub fn run(mut self) -> Outcome {
        let format = self.input.input_format;
        let is_file = self.input.example.is_none() && format == InputFormat::Auto;
        let Some((Document { name, bytes }, mut reading, origin)) =
            std::mem::take(&mut self.input).reading(&Checks::default())?
        else {
            return Ok(());
        };
        if let Some(Input::Configuration(configuration)) = &reading.input {
            let mut missing = missing(configuration);
            // Most documents have everything, and are not parsed again.
            if !missing.is_empty() {
                if let (InputFormat::Auto, Ok(source)) = (format, Source::new(&bytes)) {
                    source.locate(&mut missing);
                }
                reading.report.findings.extend(missing);
                reading.report.sort();
            }
        }
        output::findings(&name, Some(&bytes), &reading.report);
        let input = reading.input.ok_or(Failure::Reported)?;
        // As on the node, values are not validated.
        let os = input::operating_system_of(self.os, &input, &Checks::default())
            .map_err(|error| error.with_document(&name))?;
        let contents = self.image.contents(os)?;
        if matches!(input, Input::Configuration(_)) {
            self.image.print_default(os);
        }
        let image = input.image(&contents);
        let environment = input.assignments(&image).map_err(|refused| Failure::Input(format!("{name}: {refused}")))?;
        for (assignment, refused) in environment.iter().filter_map(|one| Some((one, one.refused()?))) {
            let name = &assignment.name;
            output::note(&format!("warning: {name} cannot carry {refused}; `generate` and the node reject it"));
        }
        match &self.explain {
            Some(variable) => {
                let sources = match (&input, &origin) {
                    (Input::Karpenter(_), Origin::Objects(origins)) => {
                        Some(Sources::of_karpenter(variable, Some(origins)))
                    }
                    (Input::Karpenter(_), _) => Some(Sources::of_karpenter(variable, None)),
                    (_, Origin::Layers(layered)) => Sources::of_layers(variable, layered),
                    (Input::Configuration(_), Origin::Document) if is_file => {
                        Layered::of_document(&name, &bytes).and_then(|layered| Sources::of_layers(variable, &layered))
                    }
                    _ => None,
                };
                self.explain(variable, &environment, sources)
            }
            None => self.print(&environment),
        }
    }

    fn print(&self, environment: &Environment<'_>) -> Outcome {
        match self.format {
            Format::Json => {
                let value = |assignment| Value::from(self.value(assignment));
                let mut pairs = Map::new();
                pairs.extend(environment.iter().map(|assignment| (assignment.name.to_string(), value(assignment))));
                output::json(&InClear(&pairs.into()), Layout::Pretty)
            }
            Format::Text => {
                if io::stdout().is_terminal() {
                    // A shell reads piped output; a terminal must not interpret a value.
                    let lines = environment.iter().map(|assignment| {
                        let word = ShellWord::bare(&self.value(assignment)).to_string();
                        format!("{}={}\n", paint(style::NAME, &assignment.name), style::printable_lines(&word))
                    });
                    return output::text(&InClear(&lines.collect::<String>()));
                }
                let mut lines = String::with_capacity(32 << 10);
                for assignment in environment.iter() {
                    lines.push_str(&assignment.name);
                    lines.push('=');
                    Quoting::Bare.write(&self.value(assignment), &mut lines);
                    lines.push('\n');
                }
                output::bytes(lines.as_bytes())
            }
        }
    }

    fn value<'e>(&self, assignment: &'e Assignment<'_>) -> Cow<'e, str> {
        if self.show_secrets {
            return assignment.value.expose().into();
        }
        let shown = assignment.shown();
        // A value that is no secret may have one: an account in a URL, a token in a command.
        Redactor::default().redact(shown).into_string().into()
    }

    fn explain(&self, name: &str, environment: &Environment<'_>, sources: Option<Sources>) -> Outcome {
        let assignment = environment.iter().find(|assignment| assignment.name == name);
        let variable = variables::variable(name);
        // All certificates share a row.
        let derivation = variable.and_then(|variable| DERIVATIONS.iter().find(|row| row.name == variable.name));
        let (Some(variable), true) = (variable, assignment.is_some() || derivation.is_some()) else {
            let names = environment.iter().map(|assignment| &*assignment.name);
            let hint = nearest(name, names).map(|meant| format!(": did you mean `{meant}`?")).unwrap_or_default();
            return Err(Failure::Input(format!("the environment has no variable `{name}`{hint}")));
        };
        let value = assignment.map(|assignment| self.value(assignment));
        let demands: Vec<_> = Demand::on(variable.name).map(Demand::sentence).collect();
        let Sources { fields, places, rule } = sources.unwrap_or_else(|| {
            let (fields, rule) = derivation.map(|row| (row.fields(), row.rule())).unwrap_or_default();
            let fields = fields.into_iter().map(str::to_owned).collect();
            Sources { fields, places: Vec::new(), rule: rule.into_owned() }
        });
        match self.format {
            Format::Json => {
                let mut explained = json!({
                    "name": name,
                    "value": value,
                    "meaning": variable.meaning,
                    "fields": fields,
                    "rule": rule,
                    "demands": demands,
                    "readBy": variable.read_by(),
                    "secret": variable.secret,
                });
                if !places.is_empty() {
                    explained["places"] = places.into();
                }
                output::json(&InClear(&explained), Layout::Pretty)
            }
            Format::Text => {
                let value = value
                    .map_or_else(|| "(not set)".to_owned(), |value: Cow<str>| ShellWord::quote(&value).to_string());
                let fields = if fields.is_empty() {
                    "no field; the value is the same on every node".to_owned()
                } else if places.is_empty() {
                    fields.join(", ")
                } else {
                    let with_place = |(field, place): (&String, &Option<String>)| match place {
                        Some(place) => format!("{field} ({place})"),
                        None => field.clone(),
                    };
                    fields.iter().zip(&places).map(with_place).collect::<Vec<_>>().join("; ")
                };
                let title = paint(style::NAME, style::printable(name));
                let title = format!("{title}={}\n\n", style::printable_lines(&value));
                let secret = variable.secret.then(|| "shown only with --show-secrets".to_owned());
                let rows = [("meaning", variable.meaning.to_owned()), ("from", fields), ("rule", rule)];
                let demands = demands.into_iter().map(|demand| ("demand", demand));
                let last = [("read by", variable.read_by())].into_iter().chain(secret.map(|secret| ("secret", secret)));
                let mut table = Table::default();
                for (label, value) in rows.into_iter().chain(demands).chain(last) {
                    table.row([paint(style::DETAIL, format_args!("{label}:")), value]);
                }
                let width = output::width(&io::stdout());
                output::text(&InClear(&(output::wrapped(&title, width, 10) + &table.text(width))))
            }
        }
    }
}
