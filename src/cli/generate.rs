//! `generate`: from any input to `CustomData` and the CSE command.

use std::collections::BTreeMap;
use std::io::{self, IsTerminal, Read};
use std::path::{Path, PathBuf};

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use super::file::Document;
use super::image::ImageArguments;
use super::input::{self, InputArguments, InputFormat, NamedInput};
use super::output::{self, InClear, Layout};
use super::{Failure, Outcome};
use crate::catalogue::operating_systems::{OPERATING_SYSTEMS, OperatingSystem, operating_system};
use crate::delivery::{Compression, Delivery, Form, Layer, RenderError, Request, Route, SecretPlacement};
use crate::document::LARGEST_DOCUMENT;
use crate::inputs::{Checks, CommandRequest, InputKind, NodeInput};

use user_data::UserData;

mod batch;
mod line;
mod summary;
mod user_data;

/// Render CustomData and the CSE command.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  aks-node-controller generate --example list
  aks-node-controller generate --example localdns --print > node.yaml
  aks-node-controller generate node.yaml
  aks-node-controller generate node.yaml --route scriptless --format arm
  aks-node-controller generate node.yaml --format custom-data > node.b64
  aks-node-controller generate node.yaml --set vm_size=Standard_D8s_v5
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
#[expect(clippy::struct_excessive_bools, reason = "switches of a command line")]
pub(super) struct Generate {
    #[command(flatten)]
    input: InputArguments,
    /// Print the example itself, with its comments
    #[arg(long, requires = "example")]
    print: bool,
    /// Delivery of the configuration to the node
    #[arg(long, value_parser = route_names(), default_value = "node-bootstrap-variables")]
    route: Route,
    /// Operating system of the image: decides the form of CustomData and the default of --containerd-version
    /// [default: from the input or the os-sku label of the node, else ubuntu]
    #[arg(long, value_parser = os_names())]
    os: Option<&'static OperatingSystem>,
    /// Form of CustomData on the scriptless route [default: the form that the operating system reads]
    #[arg(long, value_enum)]
    custom_data_form: Option<Form>,
    /// Where the scriptless route puts the secrets of the node
    #[arg(long, value_enum, default_value_t = SecretPlacement::Auto)]
    secrets: SecretPlacement,
    /// Deliver the equivalent Configuration of a NodeBootstrappingConfiguration on the scriptless route, instead of its
    /// command line
    #[arg(long = "as", value_enum, value_name = "KIND")]
    equivalent: Option<Equivalent>,
    /// When to compress CustomData with gzip, which cloud-init decompresses
    #[arg(long, value_enum, default_value_t = Compression::Auto)]
    compress: Compression,
    /// Format of the result [default: a summary on a terminal, else `json`]
    #[arg(long, value_enum)]
    format: Option<Shape>,
    /// Your own cloud-config, script, MIME or Ignition document, which is added to CustomData
    #[arg(long, value_name = "FILE", conflicts_with = "batch")]
    user_data: Option<PathBuf>,
    /// The directory to which `--format files` writes
    #[arg(long, value_name = "DIR", required_if_eq("format", "files"))]
    out: Option<PathBuf>,
    #[command(flatten)]
    image: ImageArguments,
    /// Render even if validation finds errors in values, or a field seems to be misspelled
    #[arg(long)]
    no_validate: bool,
    /// Treat unknown fields and unknown names of values as errors
    #[arg(long)]
    strict: bool,
    /// Read one document or request per line, of any kind, and print one result per line: docs/batch.md
    #[arg(long, conflicts_with_all = ["example", "out", "node_claim", "node_class", "settings", "base"])]
    batch: bool,
}

/// What is delivered instead of the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Equivalent {
    /// Its Configuration
    Configuration,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Shape {
    /// One object with everything
    Json,
    /// Only the base64 of CustomData
    CustomData,
    /// Only the command
    Cse,
    /// A text file for `az vmss create --custom-data @FILE`, which encodes each character as one byte
    Az,
    /// The ARM template of a complete scale set, with `osProfile` and `extensionProfile` of its model
    Arm,
    /// The ARM template of a complete VM
    ArmVm,
    /// The Bicep file of a complete scale set, with secure parameters for CustomData and the command
    Bicep,
    /// A flat map of strings; the query of Terraform's external data source is read from stdin
    Terraform,
    /// Terraform's blocks of a complete scale set, with CustomData and the command marked as sensitive
    TerraformHcl,
    /// Every layer, decoded, as a file in --out
    Files,
}

fn route_names() -> impl TypedValueParser<Value = Route> {
    let names = Route::ALL.map(|route| PossibleValue::new(route.name()).help(route.meaning()));
    PossibleValuesParser::new(names).map(|name| Route::named(&name).expect("the parser accepts only these names"))
}

pub(super) fn os_names() -> impl TypedValueParser<Value = &'static OperatingSystem> {
    let names = OPERATING_SYSTEMS.iter().map(|os| PossibleValue::new(os.name).help(os.title));
    PossibleValuesParser::new(names).map(|name| operating_system(&name).expect("the parser accepts only these names"))
}

/// Returns a note if the result is that of a route other than the requested one.
fn note_of_route(request: &Request, delivery: &Delivery) -> Option<String> {
    (delivery.route != request.route).then(|| {
        format!("note: the document prepares an image, so the result is that of route `{}`", delivery.route.name())
    })
}

/// Reads a document of the user, with its name.
fn read_user_data(file: &Path) -> Result<(String, UserData), Failure> {
    if file == Path::new("-") {
        return Err(Failure::Usage(
            "--user-data needs a file; standard input is for the document of the node".to_owned(),
        ));
    }
    let Document { name, bytes } = super::file::read(file)?;
    if bytes.len() > LARGEST_DOCUMENT {
        return Err(Failure::Input(format!("{name}: is larger than {LARGEST_DOCUMENT} bytes")));
    }
    let problem = |error| Failure::Input(format!("{name}: {}", output::printable(&format!("{error}"))));
    let user_data = UserData::read(&bytes).map_err(problem)?;
    Ok((name, user_data))
}

impl Generate {
    pub fn run(mut self) -> Outcome {
        if self.print {
            return self.input.print_example();
        }
        let query = if self.format == Some(Shape::Terraform) { self.take_query()? } else { None };
        if let Some(problem) = self.problem_of_route(self.route) {
            return Err(Failure::Usage(problem));
        }
        if self.batch && self.input.has_layers() {
            return Err(Failure::Usage("--layer, --set and --set-file have no effect with --batch".to_owned()));
        }
        if self.batch {
            return self.run_batch();
        }
        let user_data = self.user_data.as_deref().map(read_user_data).transpose()?;
        let checks = self.checks(self.route);
        let Some(NamedInput { name, input, losses }) = self.read(query, &checks)? else { return Ok(()) };
        self.check_options(&input)?;
        let os = input::operating_system_of(self.os, &input, &checks).map_err(|error| error.with_document(&name))?;
        let request = self.request(os)?;
        // Other results have all variables of the input.
        if request.route == Route::NodeBootstrapVariables || request.as_configuration {
            output::findings(&name, None, &losses.into());
        }
        let failed = |error: RenderError| Failure::Input(format!("{name}: {error}"));
        if self.format == Some(Shape::Files) && user_data.is_none() {
            return self.write_layers(&request.layers(&input).map_err(failed)?);
        }
        let mut delivery = request.render(&input).map_err(failed)?;
        if let Some((file, user_data)) = &user_data {
            let (merged, warnings) =
                user_data.merged(delivery, &request).map_err(|error| Failure::Input(format!("{file}: {error}")))?;
            delivery = merged;
            for warning in warnings {
                output::note(&format!("warning: {file}: {}", output::printable(&warning)));
            }
            if self.format == Some(Shape::Files) {
                let mut layers = request.layers(&input).map_err(failed)?;
                user_data.add_to(&mut layers, &delivery);
                return self.write_layers(&layers);
            }
        }
        if let Some(note) = note_of_route(&request, &delivery) {
            output::note(&note);
        }
        if request.route != Route::Scriptless && input.kind() == InputKind::Configuration {
            self.image.print_default(request.os);
        }
        if self.format.is_none() && io::stdout().is_terminal() {
            let width = output::width(&io::stdout());
            return output::text(&InClear(&summary::text(&request, &input, &delivery, width)?));
        }
        self.write(&delivery)
    }

    /// Reads the input from Terraform's query if it has one, otherwise from the arguments.
    fn read(
        &mut self,
        query: Option<(Document, Option<InputKind>)>,
        checks: &Checks,
    ) -> Result<Option<NamedInput>, Failure> {
        let Some((Document { name, bytes }, kind)) = query else {
            return std::mem::take(&mut self.input).read(checks);
        };
        let (format, layers) = (self.input.input_format, self.input.take_layers());
        let document = Document { name, bytes };
        let (Document { name, bytes }, reading, _) = InputArguments::judged(&layers, kind, format, document, checks)?;
        output::findings(&name, Some(&bytes), &reading.report);
        let input = reading.input.ok_or(Failure::Reported)?;
        Ok(Some(NamedInput { name, input, losses: reading.losses }))
    }

    /// Fails for options that have no effect with the input or the route.
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
        let command = input.command_request();
        if self.equivalent.is_some() && command.is_none() {
            return usage(format!("--as has no effect with {title}"));
        }
        let command = command.filter(|command| self.equivalent.is_none() && !command.only_prepares_image);
        if self.route == Route::Scriptless && (command.is_some() || self.secrets != SecretPlacement::Auto) {
            self.check_files_options(command)?;
        }
        Ok(())
    }

    /// Fails for options that files for the node's controller do not have.
    fn check_files_options(&self, command: Option<CommandRequest<'_>>) -> Outcome {
        let usage = |message: String| Err(Failure::Usage(message));
        if self.compress == Compression::Always {
            return usage("--compress always has no effect here: each file in CustomData is compressed".to_owned());
        }
        if self.custom_data_form == Some(Form::WriteFiles) {
            return usage(
                "`--custom-data-form write-files` contains only the Configuration, with its secrets".to_owned(),
            );
        }
        let Some(command) = command else { return Ok(()) };
        if self.custom_data_form.is_some_and(|form| form.first_boot() != command.first_boot) {
            let reader = command.first_boot.reader();
            return usage(format!("--custom-data-form does not fit the input: {reader} reads CustomData there"));
        }
        Ok(())
    }

    fn run_batch(&self) -> Outcome {
        if self.format.is_some_and(|shape| shape != Shape::Json) {
            return Err(Failure::Usage("--batch prints JSON Lines, so it accepts only `--format json`".to_owned()));
        }
        if self.input.has_several_files() {
            return Err(Failure::Usage("--batch reads one FILE".to_owned()));
        }
        let Some(file) = self.input.named_file() else {
            let message =
                "--batch reads FILE, `--config FILE`, `--nbc FILE` or `--karpenter FILE`; `-` is standard input";
            return Err(Failure::Usage(message.to_owned()));
        };
        if self.input.input_format != InputFormat::Auto {
            return Err(Failure::Usage("--batch reads JSON Lines, not protobuf".to_owned()));
        }
        let request = self.request(&OPERATING_SYSTEMS[0])?;
        let for_os = |route: Route, os: &'static OperatingSystem| {
            let mut request = Request { route, os, ..request.clone() };
            if self.image.containerd_version.is_none() {
                os.containerd_version.clone_into(&mut request.image.containerd_version);
            }
            request
        };
        let by_route = Route::ALL.map(|route| batch::OfRoute {
            checks: self.checks(route),
            by_os: self
                .problem_of_route(route)
                .map_or_else(|| Ok(OPERATING_SYSTEMS.iter().map(|os| for_os(route, os)).collect()), Err),
        });
        batch::run(&file, batch::Requests { os: self.os, route: self.route, by_route: by_route.into() })
    }

    fn write_layers(&self, layers: &[Layer]) -> Outcome {
        let directory = self.out.as_deref().expect("the command line requires it with this format");
        let files: Vec<_> =
            layers.iter().map(|layer| (Path::new(layer.name), layer.text.expose().as_bytes())).collect();
        output::files_below(directory, &files)?;
        let names = layers.iter().map(|layer| format!("{}\n", directory.join(layer.name).display()));
        output::plain(&names.collect::<String>())
    }

    /// Writes the result in the requested format.
    fn write(&self, delivery: &Delivery) -> Outcome {
        let always = delivery.route == Route::Scripted;
        if delivery.custom_data.compressed && !always && self.compress == Compression::Auto {
            output::note(
                "note: CustomData is compressed with gzip, as it would be too large otherwise; cloud-init decompresses it",
            );
        }
        match self.format.unwrap_or(Shape::Json) {
            Shape::Json => output::json(&InClear(&delivery.to_json()), Layout::Pretty),
            Shape::CustomData => output::line(delivery.custom_data.encoded.expose()),
            Shape::Cse => match &delivery.cse {
                Some(cse) => output::line(cse.expose()),
                None => Err(Failure::Usage(format!("route `{}` has no CSE command", self.route.name()))),
            },
            Shape::Az => match delivery.custom_data.to_latin_1() {
                Some(text) => output::bytes(text.expose().as_bytes()),
                None => Err(Failure::Input(
                    "az would replace the carriage returns in this CustomData, because it reads CustomData as text; use \
                     `--compress auto`"
                        .to_owned(),
                )),
            },
            Shape::Arm => output::json(&InClear(&delivery.to_arm()), Layout::Pretty),
            Shape::ArmVm => output::json(&InClear(&delivery.to_arm_vm()), Layout::Pretty),
            Shape::Bicep => output::bytes(delivery.to_bicep().as_bytes()),
            Shape::Terraform => output::json(&InClear(&delivery.to_terraform()), Layout::Line),
            Shape::TerraformHcl => output::bytes(delivery.to_terraform_hcl().expose().as_bytes()),
            Shape::Files => unreachable!("handled by the caller"),
        }
    }

    fn checks(&self, route: Route) -> Checks {
        Checks {
            strict: self.strict,
            misspelled_fields: !self.no_validate,
            values: !self.no_validate,
            without_controller: route != Route::Scriptless,
            today: Some(input::today()),
            kubernetes: None,
        }
    }

    /// Returns which of the other options is not compatible with a route.
    fn problem_of_route(&self, route: Route) -> Option<String> {
        let problem = if route == Route::Scriptless {
            return None;
        } else if self.custom_data_form.is_some() {
            "--custom-data-form needs `--route scriptless`: other routes do not contain the Configuration"
        } else if self.secrets != SecretPlacement::Auto {
            "--secrets needs `--route scriptless`: other routes have one place for secrets"
        } else if self.equivalent.is_some() {
            "--as needs `--route scriptless`: other routes always deliver the variables"
        } else {
            return None;
        };
        Some(problem.to_owned())
    }

    fn request(&self, os: &'static OperatingSystem) -> Result<Request, Failure> {
        Ok(Request {
            route: self.route,
            os,
            form: self.custom_data_form,
            secrets: self.secrets,
            as_configuration: self.equivalent.is_some(),
            compression: self.compress,
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
            // The reader's message could quote a value.
            let place = format!("line {} column {}", error.line(), error.column());
            Failure::Input(format!("the query on standard input is not an object of strings: {place}"))
        })?;
        let mut document = None;
        for (name, value) in query {
            let unknown =
                |value: &str| Failure::Input(format!("the query has an unknown value of `{name}`: `{value}`"));
            let inline = |value: String| Document { name: "<query>".to_owned(), bytes: value.into_bytes() };
            match name.as_str() {
                "config" => document = Some((inline(value), Some(InputKind::Configuration))),
                "input" => document = Some((inline(value), None)),
                "route" => self.route = Route::named(&value).ok_or_else(|| unknown(&value))?,
                "os" => self.os = Some(operating_system(&value).ok_or_else(|| unknown(&value))?),
                "containerd_version" => self.image.containerd_version = Some(value),
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
