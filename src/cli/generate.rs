//! `generate`: from any input to `CustomData` and the CSE command.

use std::collections::BTreeMap;
use std::io::{self, IsTerminal, Read};
use std::path::PathBuf;

use super::file::Document;
use super::input::{self, ImageArguments, InputArguments, InputFormat, NamedInput};
use super::output::{self, Layout};
use super::{Failure, Outcome};
use crate::catalogue::operating_systems::{OPERATING_SYSTEMS, OperatingSystem, operating_system};
use crate::delivery::{Compression, Delivery, Form, Layer, RenderError, Request, Route};
use crate::inputs::{Checks, InputKind, NodeInput};

mod batch;
mod summary;

/// Render CustomData and the CSE command.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  aks-node-controller generate --example list
  aks-node-controller generate node.yaml
  aks-node-controller generate node.yaml --route scriptless --format arm
  aks-node-controller generate node.yaml --format custom-data > node.b64
  aks-node-controller generate node.yaml --format az > custom-data
  aks-node-controller generate --example flatcar --os flatcar \\
    --route scriptless --format files --out ./layers
  aks-node-controller generate --karpenter inputs.yaml --format custom-data |
    base64 -d > bootstrap.sh
  aks-node-controller generate --nbc request.json --route scripted
  aks-node-controller generate --batch nodes.jsonl > results.jsonl

CustomData is printed in base64, as the Azure API expects it, except with `--format az`. Findings and notes are printed on \
stderr.

Exit code: 0 if done, 1 if the input is wrong, 2 if the command line is wrong.")]
pub(super) struct Generate {
    #[command(flatten)]
    input: InputArguments,
    /// How the node receives what it needs
    #[arg(long, value_parser = route_names(), default_value = "node-bootstrap-variables")]
    route: String,
    /// Operating system of the image: decides the form of CustomData and the default of --containerd-version
    /// [default: what the input or the os-sku label of the node names, else ubuntu]
    #[arg(long, value_parser = os_names())]
    os: Option<String>,
    /// How the scriptless route carries the Configuration [default: as the operating system reads it]
    #[arg(long, value_enum)]
    custom_data_form: Option<FormName>,
    /// Compress CustomData with gzip, which cloud-init decompresses; `auto`: only if it would be too large otherwise
    #[arg(long, value_enum, default_value_t = CompressionName::Auto)]
    compress: CompressionName,
    /// Shape of the result [default: a summary on a terminal, else `json`]
    #[arg(long, value_enum)]
    format: Option<Shape>,
    /// The directory to which `--format files` writes
    #[arg(long, value_name = "DIR", required_if_eq("format", "files"))]
    out: Option<PathBuf>,
    #[command(flatten)]
    image: ImageArguments,
    /// Render although the checks of the values find errors or a field seems to be misspelled
    #[arg(long)]
    no_validate: bool,
    /// Treat unknown fields and unknown names of values as errors
    #[arg(long)]
    strict: bool,
    /// Read one document per line, of any kind, and print one result per line
    #[arg(long, conflicts_with_all = ["example", "out", "node_claim", "node_class", "settings"])]
    batch: bool,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum FormName {
    /// A MIME document with a boothook
    Boothook,
    /// The older cloud-config
    WriteFiles,
    /// An Ignition document
    Ignition,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum CompressionName {
    Auto,
    Never,
    Always,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Shape {
    /// One object with everything
    Json,
    /// Only the base64 of CustomData
    CustomData,
    /// Only the command
    Cse,
    /// The text of CustomData, for `az vm create --custom-data FILE`, which encodes it itself
    Az,
    /// The fragment of a scale set's ARM model that carries both
    Arm,
    /// A flat map of strings; the query of Terraform's external data source is read from stdin
    Terraform,
    /// Every layer decoded, each as a file in --out
    Files,
}

fn route_names() -> clap::builder::PossibleValuesParser {
    Route::ALL
        .map(|route| clap::builder::PossibleValue::new(route.name()).help(route.meaning()))
        .into_iter()
        .collect::<Vec<_>>()
        .into()
}

pub(super) fn os_names() -> clap::builder::PossibleValuesParser {
    OPERATING_SYSTEMS
        .iter()
        .map(|distro| clap::builder::PossibleValue::new(distro.name).help(distro.title))
        .collect::<Vec<_>>()
        .into()
}

impl Generate {
    pub fn run(mut self) -> Outcome {
        let query = if self.format == Some(Shape::Terraform) { self.take_query()? } else { None };
        let route = self.check_route()?;
        if self.batch {
            return self.run_batch(route);
        }
        let checks = self.checks();
        let Some(NamedInput { name, input, losses }) = self.read(query, &checks)? else { return Ok(()) };
        self.check_options(&input)?;
        let os = input::operating_system_of(self.os.as_deref(), &input, &checks)
            .map_err(|error| error.with_document(&name))?;
        let request = self.request(route, os)?;
        if request.route != Route::Scripted {
            output::findings(&name, None, &losses.into());
        }
        let failed = |error: RenderError| Failure::Input(format!("{name}: {error}"));
        if self.format == Some(Shape::Files) {
            return self.write_layers(&request.layers(&input).map_err(failed)?);
        }
        let delivery = request.render(&input).map_err(failed)?;
        if request.route != Route::Scriptless && input.kind() == InputKind::Configuration {
            self.image.print_default(request.os);
        }
        if self.format.is_none() && io::stdout().is_terminal() {
            let width = output::width(&io::stdout());
            return output::text(&summary::text(&request, &input, &delivery, width)?);
        }
        self.write(&delivery)
    }

    /// Reads the input: from Terraform's query if that has one, else what the arguments name.
    fn read(
        &mut self,
        query: Option<(Document, Option<InputKind>)>,
        checks: &Checks,
    ) -> Result<Option<NamedInput>, Failure> {
        let Some((Document { name, bytes }, kind)) = query else {
            return std::mem::take(&mut self.input).read(checks);
        };
        let reading = input::judged(kind, self.input.input_format, &bytes, checks);
        output::findings(&name, Some(&bytes), &reading.report);
        let input = reading.input.ok_or(Failure::Reported)?;
        Ok(Some(NamedInput { name, input, losses: reading.losses }))
    }

    /// Fails if options are given that an input or a route has no use for.
    fn check_options(&self, input: &dyn NodeInput) -> Outcome {
        let usage = |message: String| Err(Failure::Usage(message));
        if self.out.is_some() && self.format != Some(Shape::Files) {
            return usage("--out needs `--format files`; other formats are printed on standard output".to_owned());
        }
        let title = input.kind().title();
        let computes_image = input.kind() == InputKind::Configuration;
        if self.image.containerd_version.is_some() && !computes_image {
            return usage(format!("--containerd-version has no effect with {title}"));
        }
        Ok(())
    }

    fn run_batch(&self, route: Route) -> Outcome {
        if self.format.is_some_and(|shape| shape != Shape::Json) {
            return Err(Failure::Usage("--batch prints JSON Lines, so it accepts only `--format json`".to_owned()));
        }
        let Some(file) = self.input.named_file() else {
            let message =
                "--batch reads FILE, `--config FILE`, `--nbc FILE` or `--karpenter FILE`; `-` is standard input";
            return Err(Failure::Usage(message.to_owned()));
        };
        if self.input.input_format != InputFormat::Auto {
            return Err(Failure::Usage("--batch reads JSON Lines, not protobuf".to_owned()));
        }
        let request = self.request(route, &OPERATING_SYSTEMS[0])?;
        let for_os = |os: &'static OperatingSystem| {
            let mut request = Request { os, ..request.clone() };
            if self.image.containerd_version.is_none() {
                os.containerd_version.clone_into(&mut request.image.containerd_version);
            }
            request
        };
        let by_os = OPERATING_SYSTEMS.iter().map(for_os).collect();
        batch::run(&file, batch::Requests { os: self.os.clone(), by_os, checks: self.checks() })
    }

    fn write_layers(&self, layers: &[Layer]) -> Outcome {
        let directory = self.out.as_deref().expect("the command line requires it with this format");
        for layer in layers {
            output::file(&directory.join(layer.name), layer.text.expose())?;
        }
        let names = layers.iter().map(|layer| format!("{}\n", directory.join(layer.name).display()));
        output::bytes(names.collect::<String>().as_bytes())
    }

    /// Writes the result in the shape that was asked for.
    fn write(&self, delivery: &Delivery) -> Outcome {
        let always = delivery.route == Route::Scripted;
        if delivery.custom_data.compressed && !always && matches!(self.compress, CompressionName::Auto) {
            output::note(
                "note: CustomData is compressed with gzip, as it would be too large otherwise; cloud-init decompresses it",
            );
        }
        match self.format.unwrap_or(Shape::Json) {
            Shape::Json => output::json(&delivery.to_json(), Layout::Pretty),
            Shape::CustomData => output::line(delivery.custom_data.encoded.expose()),
            Shape::Cse => match &delivery.cse {
                Some(cse) => output::line(cse.expose()),
                None => Err(Failure::Usage(format!("route `{}` has no CSE command", self.route))),
            },
            Shape::Az => match delivery.custom_data.to_ascii() {
                Some(text) => output::bytes(text.expose().as_bytes()),
                None => Err(Failure::Input(
                    "az accepts CustomData only as ASCII text, and this one contains other characters; use `--compress auto`"
                        .to_owned(),
                )),
            },
            Shape::Arm => output::json(&delivery.to_arm(), Layout::Pretty),
            Shape::Terraform => output::json(&delivery.to_terraform(), Layout::Line),
            Shape::Files => unreachable!("handled by the caller"),
        }
    }

    fn checks(&self) -> Checks {
        Checks {
            strict: self.strict,
            misspelled_fields: !self.no_validate,
            values: !self.no_validate,
            today: Some(input::today()),
        }
    }

    /// Returns the route, if the other options fit it.
    fn check_route(&self) -> Result<Route, Failure> {
        let route = Route::named(&self.route).expect("the command line accepts only these names");
        if self.custom_data_form.is_some() && route != Route::Scriptless {
            let message = "--custom-data-form needs `--route scriptless`: other routes do not carry the Configuration";
            return Err(Failure::Usage(message.to_owned()));
        }
        Ok(route)
    }

    fn request(&self, route: Route, os: &'static OperatingSystem) -> Result<Request, Failure> {
        Ok(Request {
            route,
            os,
            form: self.custom_data_form.map(|form| match form {
                FormName::Boothook => Form::Boothook,
                FormName::WriteFiles => Form::WriteFiles,
                FormName::Ignition => Form::Ignition,
            }),
            compression: match self.compress {
                CompressionName::Auto => Compression::Auto,
                CompressionName::Never => Compression::Never,
                CompressionName::Always => Compression::Always,
            },
            text_only: self.format == Some(Shape::Az),
            image: self.image.contents(os)?,
        })
    }

    /// Reads the query that Terraform sends: an object of strings. Its members take precedence over the arguments.
    fn take_query(&mut self) -> Result<Option<(Document, Option<InputKind>)>, Failure> {
        if io::stdin().is_terminal() || self.input.is_stdin() {
            return Ok(None);
        }
        let mut text = String::new();
        io::stdin()
            .lock()
            .take(crate::document::LARGEST_DOCUMENT as u64)
            .read_to_string(&mut text)
            .map_err(|error| Failure::Input(format!("cannot read the query on standard input: {error}")))?;
        if text.trim().is_empty() {
            return Ok(None);
        }
        let query: BTreeMap<String, String> = serde_json::from_str(&text).map_err(|error| {
            // The message of the reader may quote a value.
            let place = format!("line {} column {}", error.line(), error.column());
            Failure::Input(format!("the query on standard input is not an object of strings: {place}"))
        })?;
        let mut document = None;
        for (name, value) in query {
            let inline = |value: String| Document { name: "<query>".to_owned(), bytes: value.into_bytes() };
            match name.as_str() {
                "config" => document = Some((inline(value), Some(InputKind::Configuration))),
                "input" => document = Some((inline(value), None)),
                "route" if Route::named(&value).is_some() => self.route = value,
                "os" if operating_system(&value).is_some() => self.os = Some(value),
                "containerd_version" => self.image.containerd_version = Some(value),
                "route" | "os" => {
                    return Err(Failure::Input(format!("the query's `{name}` is not known: `{value}`")));
                }
                _ => {
                    return Err(Failure::Input(format!(
                        "the query has an unknown member `{name}`; known members are `config`, `input`, `route`, `os` \
                         and `containerd_version`"
                    )));
                }
            }
        }
        Ok(document)
    }
}
