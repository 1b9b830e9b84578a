//! `convert`: from a document of one kind to the equivalent document of another.

use serde_json::{Value, json};

use super::input::{self, InputArguments, Source};
use super::output::{self, InClear, Layout};
use super::{Failure, Outcome};
use crate::delivery::Request;
use crate::inputs::karpenter::launch_template::{ImageSource, ImageVersions, UNKNOWN_VERSION};
use crate::inputs::karpenter::{Converted, Objects};
use crate::inputs::{Checks, Input, InputKind, NodeInput};

/// Convert documents.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  kubectl get nodeclaim general-x7k2p -o yaml > claim.yaml
  kubectl get aksnodeclass default -o yaml > class.yaml
  aks-node-controller convert --from karpenter --settings settings.yaml \\
    --node-claim claim.yaml --node-class class.yaml \\
    --cluster cluster.yaml --instance-type size.json > inputs.json
  aks-node-controller generate --karpenter inputs.json
  aks-node-controller convert --from nbc request.json > node.json
  aks-node-controller convert node.yaml > node.json
  aks-node-controller convert node.yaml --set cse_timeout=1200 > slow.json

Karpenter's objects become the inputs of its bootstrapper; a NodeBootstrappingConfiguration becomes a Configuration; a \
Configuration becomes the JSON text that CustomData carries. The result contains the bootstrap token in clear text.")]
pub(super) struct Convert {
    /// Kind of the document, instead of recognizing it
    #[arg(long, value_enum)]
    from: Option<From>,
    #[command(flatten)]
    input: InputArguments,
    /// Convert even if a field seems to be misspelled
    #[arg(long)]
    no_validate: bool,
    /// Print the source of every field instead of the result
    #[arg(long)]
    explain: bool,
    /// Print the whole launch template: CustomData, image, tags, disk
    #[arg(long, conflicts_with = "explain")]
    launch_template: bool,
    /// Version of the image for the launch template [default: the image in the status of the node class, else a
    /// placeholder]
    #[arg(long, value_name = "VERSION", requires = "launch_template")]
    image_version: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum From {
    /// NodeClaim or NodePool, AKSNodeClass and the controller's settings
    Karpenter,
    /// AgentBaker's NodeBootstrappingConfiguration
    Nbc,
}

impl Convert {
    pub fn run(mut self) -> Outcome {
        let usage = |message: &str| Err(Failure::Usage(message.to_owned()));
        match self.from {
            Some(From::Nbc) if self.input.named_file().is_none() => {
                return usage("--from nbc needs a FILE; `-` is standard input");
            }
            Some(From::Karpenter) if !self.input.has_objects() => {
                return usage("--from karpenter needs --node-claim, --node-class and --settings, or files with them");
            }
            _ => {}
        }
        let checks = Checks { misspelled_fields: !self.no_validate, ..Checks::default() };
        let format = self.input.input_format;
        let layers = self.input.take_layers();
        let (document, kind) = match std::mem::take(&mut self.input).source(&checks)? {
            Source::Listed => return Ok(()),
            Source::Objects(node) if node.base.is_some() => {
                let (document, reading, _) = input::based(*node, &layers, &checks)?;
                return Self::configuration(&document.name, &reading.input.ok_or(Failure::Reported)?);
            }
            Source::Objects(_) if !layers.is_empty() => return Err(input::layers_need_configuration()),
            Source::Objects(node) => return self.objects(&node.objects, &node.converted),
            Source::Document(document, kind) => (document, kind),
        };
        if self.from == Some(From::Karpenter) {
            let message = format!("{} has none of Karpenter's objects", document.name);
            return Err(Failure::Input(message));
        }
        if self.explain || self.launch_template {
            return usage("--explain and --launch-template need Karpenter's objects");
        }
        let kind = if self.from == Some(From::Nbc) { Some(InputKind::Nbc) } else { kind };
        let (document, reading, _) = InputArguments::judged(&layers, kind, format, document, &checks)?;
        let mut report = reading.report;
        report.findings.extend(reading.losses);
        report.sort();
        output::findings(&document.name, Some(&document.bytes), &report);
        Self::configuration(&document.name, &reading.input.ok_or(Failure::Reported)?)
    }

    /// Prints the equivalent Configuration of an input.
    fn configuration(name: &str, input: &Input) -> Outcome {
        let Some(configuration) = input.configuration() else {
            let title = input.kind().title();
            return Err(Failure::Input(format!("{name}: {title} have no equivalent Configuration")));
        };
        let value: Value = serde_json::from_str(&configuration.to_json()).expect("a Configuration is written as JSON");
        output::json(&InClear(&value), Layout::Pretty)
    }

    /// Prints the inputs of the bootstrapper, or the launch template, of Karpenter's objects.
    fn objects(&self, objects: &Objects, converted: &Converted) -> Outcome {
        if self.explain {
            let document = converted.inputs.to_json();
            let fields = converted.provenance.iter().map(|provenance| {
                let secret = provenance.field == "kubelet_client_tls_bootstrap_token";
                let value = if secret { json!(crate::catalogue::REDACTED) } else { document[provenance.field].clone() };
                json!({"field": provenance.field, "value": value, "source": provenance.source})
            });
            return output::json(&InClear(&fields.collect()), Layout::Pretty);
        }
        if self.launch_template {
            return output::json(&InClear(&self.launch_template(objects, converted)?), Layout::Pretty);
        }
        output::json(&InClear(&converted.inputs.to_json()), Layout::Pretty)
    }

    fn launch_template(&self, objects: &Objects, converted: &Converted) -> Result<Value, Failure> {
        let settings = &objects.settings;
        let subscription = settings.is("USE_SIG").then(|| settings.get("SIG_SUBSCRIPTION_ID"));
        let source = match &self.image_version {
            None if !objects.class.images.is_empty() => ImageSource::Status(&objects.class.images),
            version => {
                let version = version.as_deref().unwrap_or(UNKNOWN_VERSION);
                ImageSource::Galleries(ImageVersions::Given { subscription, version })
            }
        };
        let template = objects
            .launch_template(&converted.inputs.kubernetes_version, source)
            .map_err(|error| Failure::Input(error.to_string()))?;
        let delivery =
            Request::default().render(&converted.inputs).map_err(|error| Failure::Input(error.to_string()))?;
        let storage = template.storage;
        Ok(json!({
            "customData": delivery.custom_data.encoded.expose(),
            "imageFamily": template.family,
            "imageId": template.image.id,
            "imageReference": if template.shared_gallery { "id" } else { "communityGalleryImageId" },
            "distro": template.image.definition.distro,
            "images": template.images.iter().map(|image| image.id.as_str()).collect::<Vec<_>>(),
            "subnetId": converted.inputs.subnet_id,
            "tags": template.tags,
            "isWindows": false,
            "storage": {
                "diskType": storage.disk_type(),
                "ephemeral": storage.is_ephemeral(),
                "placement": storage.placement,
                "sizeGB": storage.size,
            },
        }))
    }
}
