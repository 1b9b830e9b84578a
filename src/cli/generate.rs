//! `generate`: from a Configuration to `CustomData` and the CSE command.

use std::collections::BTreeMap;
use std::io::{self, IsTerminal, Read};
use std::path::PathBuf;

use super::convert::KarpenterFiles;
use super::input::{self, Demands, Document, ImageArguments, InputFormat, Which};
use super::output::{self, Layout};
use super::{Failure, Outcome};
use crate::catalogue::operating_systems::{FirstBoot, OPERATING_SYSTEMS, operating_system};
use crate::delivery::{Compression, Delivery, Form, Layer, Refusal, Request, Route};
use crate::document::Report;
use crate::inputs::karpenter;

mod batch;

/// Render CustomData and the CSE command.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  aks-node-controller generate --example list
  aks-node-controller generate --config node.yaml
  aks-node-controller generate --config node.yaml --route scriptless --format arm
  aks-node-controller generate --config node.yaml --format custom-data > custom-data.b64
  aks-node-controller generate --example flatcar --route scriptless --os flatcar --format files --out ./layers
  aks-node-controller generate --karpenter inputs.yaml --format custom-data | base64 -d > bootstrap.sh
  aks-node-controller generate --nbc request.json --route scripted --format arm
  aks-node-controller generate --batch --config nodes.jsonl > results.jsonl

CustomData comes out in base64, as the Azure API takes it. Findings and notes go to stderr.
Exit code: 0 done, 1 the input is wrong, 2 the command line is wrong.")]
pub(super) struct Generate {
    #[command(flatten)]
    which: Which,
    /// In place of --config: the inputs of Karpenter's bootstrapper, JSON or YAML; renders Karpenter's own script
    #[arg(long, value_name = "FILE", conflicts_with_all = ["config", "example", "batch", "custom_data_form",
        "containerd_version", "components"])]
    karpenter: Option<PathBuf>,
    /// In place of --config, with `--route scripted`: AgentBaker's NodeBootstrappingConfiguration; the image follows from it
    #[arg(long, value_name = "FILE", conflicts_with_all = ["config", "example", "karpenter", "node_claim", "batch",
        "custom_data_form", "containerd_version", "os"])]
    nbc: Option<PathBuf>,
    #[command(flatten)]
    objects: KarpenterFiles,
    /// The way to the node
    #[arg(long, value_parser = route_names(), default_value = "node-bootstrap-variables")]
    route: String,
    /// The family of the image: picks the CustomData form and the containerd that is counted on [default: ubuntu]
    #[arg(long, value_parser = os_names())]
    os: Option<String>,
    /// How the Configuration travels on the scriptless route [default: as the family reads it]
    #[arg(long, value_enum)]
    custom_data_form: Option<FormName>,
    /// gzip the whole CustomData, which cloud-init unpacks; `auto`: only when it would not fit otherwise
    #[arg(long, value_enum, default_value_t = CompressionName::Auto)]
    compress: CompressionName,
    /// Shape of the result
    #[arg(long, value_enum, default_value_t = Shape::Json)]
    format: Shape,
    /// The folder that takes the layers of `--format files`
    #[arg(long, value_name = "DIR", required_if_eq("format", "files"))]
    out: Option<PathBuf>,
    #[command(flatten)]
    facts: ImageArguments,
    /// Render although the checks of the meaning find errors
    #[arg(long)]
    no_validate: bool,
    /// Unknown fields and unknown names of values are errors
    #[arg(long)]
    strict: bool,
    /// One Configuration on each line, one result on each line
    #[arg(long, conflicts_with_all = ["example", "out"])]
    batch: bool,
    /// How the bytes are to be read
    #[arg(long, value_enum, default_value_t = InputFormat::Auto)]
    input_format: InputFormat,
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
    /// The part of a scale set's model that carries both
    Arm,
    /// A flat map of texts; the query of Terraform's external data source is read from stdin
    Terraform,
    /// Every decoded layer, each as a file under --out
    Files,
}

fn route_names() -> clap::builder::PossibleValuesParser {
    Route::ALL
        .map(|route| clap::builder::PossibleValue::new(route.row().name).help(route.row().meaning))
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
        let query = if self.format == Shape::Terraform { self.take_query()? } else { None };
        let request = self.request()?;
        if request.form.is_some() && request.route != Route::Scriptless {
            let message = "--custom-data-form goes with `--route scriptless`: other routes carry no Configuration";
            return Err(Failure::Usage(message.to_owned()));
        }
        if self.batch {
            if self.format != Shape::Json {
                return Err(Failure::Usage("--batch gives JSON Lines, so it takes only `--format json`".to_owned()));
            }
            let Some(file) = self.which.config.as_deref() else {
                return Err(Failure::Usage("--batch reads `--config FILE`; `-` is standard input".to_owned()));
            };
            return batch::run(file, &request, self.demands());
        }
        if let Some(file) = &self.karpenter {
            let document = input::read(file)?;
            let (inputs, report) = input::karpenter(&document.bytes, self.demands());
            output::findings(&document.name, &report);
            let Some(inputs) = inputs else { return Err(Failure::Reported) };
            return self.run_karpenter(&document.name, &inputs, &request);
        }
        if let Some((_, converted)) = self.objects.read()? {
            if self.which.config.is_some() || self.which.example.is_some() {
                let message = "Karpenter's objects stand in place of `--config` and `--example`";
                return Err(Failure::Usage(message.to_owned()));
            }
            if !self.no_validate {
                let report = Report { findings: karpenter::validate(&converted.inputs) };
                output::findings("inputs", &report);
                if !report.is_valid() {
                    return Err(Failure::Reported);
                }
            }
            return self.run_karpenter("the objects", &converted.inputs, &request);
        }
        if let Some(file) = &self.nbc {
            if request.route != Route::Scripted {
                return Err(Failure::Usage("--nbc goes with `--route scripted`".to_owned()));
            }
            let document = input::read(file)?;
            let (nbc, report) = input::nbc(&document.bytes, self.demands());
            output::findings(&document.name, &report);
            let Some(nbc) = nbc else { return Err(Failure::Reported) };
            let refused = |refusal: Refusal| Failure::Input(format!("{}: {refusal}", document.name));
            if self.format == Shape::Files {
                return self.write_layers(&request.layers_of_nbc(&nbc).map_err(refused)?);
            }
            return self.write(&request.render_nbc(&nbc).map_err(refused)?);
        }
        let document = match query {
            Some(document) => document,
            None => match self.which.read()? {
                Some(document) => document,
                None => return Ok(()),
            },
        };
        let (configuration, report) = input::configuration(&document.bytes, self.demands());
        output::findings(&document.name, &report);
        let Some(configuration) = configuration else { return Err(Failure::Reported) };
        let refused = |refusal: Refusal| Failure::Input(format!("{}: {refusal}", document.name));

        if self.format == Shape::Files {
            return self.write_layers(&request.layers(&configuration).map_err(refused)?);
        }
        let delivery = request.render(&configuration).map_err(refused)?;
        if request.route != Route::Scriptless {
            self.facts.tell_default(request.distro);
        }
        self.write(&delivery)
    }

    fn write_layers(&self, layers: &[Layer]) -> Outcome {
        let folder = self.out.as_deref().expect("the command line demands it beside this format");
        for layer in layers {
            output::file(&folder.join(layer.name), &layer.text)?;
        }
        let names = layers.iter().map(|layer| format!("{}\n", folder.join(layer.name).display()));
        output::bytes(names.collect::<String>().as_bytes())
    }

    fn run_karpenter(&self, name: &str, inputs: &karpenter::BootstrapInputs, request: &Request) -> Outcome {
        if request.route != Route::NodeBootstrapVariables || request.distro.first_boot != FirstBoot::CloudInit {
            let message = "--karpenter goes with route `node-bootstrap-variables` and an image with cloud-init";
            return Err(Failure::Usage(message.to_owned()));
        }
        let refused = |refusal: Refusal| Failure::Input(format!("{name}: {refusal}"));
        let delivery = request.render_karpenter(inputs).map_err(refused)?;
        if self.format == Shape::Files {
            let folder = self.out.as_deref().expect("the command line demands it beside this format");
            let script = karpenter::script(inputs).map_err(|error| refused(error.into()))?;
            output::file(&folder.join("bootstrap.sh"), &script)?;
            return output::file(&folder.join("custom_data.b64"), &(delivery.custom_data.encoded + "\n"));
        }
        self.write(&delivery)
    }

    /// Writes the result in the shape that was asked for.
    fn write(&self, delivery: &Delivery) -> Outcome {
        let always = delivery.route == Route::Scripted;
        if delivery.custom_data.compressed && !always && matches!(self.compress, CompressionName::Auto) {
            output::note("note: CustomData is gzip'd, it would not fit otherwise; cloud-init unpacks it");
        }
        match self.format {
            Shape::Json => output::json(&delivery.to_json(), Layout::Pretty),
            Shape::CustomData => output::line(&delivery.custom_data.encoded),
            Shape::Cse => match &delivery.cse {
                Some(cse) => output::line(cse),
                None => Err(Failure::Usage(format!("route `{}` has no CSE command", self.route))),
            },
            Shape::Arm => output::json(&delivery.to_arm(), Layout::Pretty),
            Shape::Terraform => output::json(&delivery.to_terraform(), Layout::Line),
            Shape::Files => unreachable!("handled above"),
        }
    }

    fn demands(&self) -> Demands {
        Demands { format: self.input_format, strict: self.strict, validate: !self.no_validate }
    }

    fn request(&self) -> Result<Request, Failure> {
        let route = Route::ALL.into_iter().find(|route| route.row().name == self.route);
        let distro = self
            .os
            .as_deref()
            .map_or(Some(&OPERATING_SYSTEMS[0]), operating_system)
            .expect("the command line knows the names");
        Ok(Request {
            route: route.expect("the command line knows the names"),
            distro,
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
            facts: self.facts.gather(distro)?,
        })
    }

    /// Terraform sends its query as an object of texts. Members that are there win over the command line.
    fn take_query(&mut self) -> Result<Option<Document>, Failure> {
        if io::stdin().is_terminal() || self.which.config.as_deref().is_some_and(|file| file.as_os_str() == "-") {
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
            Failure::Input(format!("the query on standard input is not an object of texts: {error}"))
        })?;
        let mut document = None;
        for (name, value) in query {
            match name.as_str() {
                "config" => document = Some(Document { name: "<query>".to_owned(), bytes: value.into_bytes() }),
                "route" if Route::ALL.iter().any(|route| route.row().name == value) => self.route = value,
                "os" if operating_system(&value).is_some() => self.os = Some(value),
                "containerd_version" => self.facts.containerd_version = Some(value),
                "route" | "os" => {
                    return Err(Failure::Input(format!("the query's `{name}` is not known: `{value}`")));
                }
                _ => {
                    return Err(Failure::Input(format!(
                        "the query has a member `{name}`; known are `config`, `route`, `os`, `containerd_version`"
                    )));
                }
            }
        }
        Ok(document)
    }
}
