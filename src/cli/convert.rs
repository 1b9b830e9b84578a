//! `convert`: from other programs' documents to ours.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::output::{self, Layout};
use super::{Failure, Outcome, input};
use crate::delivery::Request;
use crate::document::{Finding, Problem, Report, Source};
use crate::inputs::karpenter::launch_template::{UNKNOWN_VERSION, Versions};
use crate::inputs::karpenter::objects::{Cluster, InstanceType, NodeClaim, NodeClass, Settings};
use crate::inputs::karpenter::{Converted, Objects, convert};

/// Turn other programs' documents into ours.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  kubectl get nodeclaim general-x7k2p -o yaml > claim.yaml
  kubectl get aksnodeclass default -o yaml > class.yaml
  aks-node-controller convert --from karpenter --node-claim claim.yaml --node-class class.yaml \\
    --settings settings.yaml --cluster cluster.yaml --instance-type size.json > inputs.json
  aks-node-controller generate --karpenter inputs.json
  aks-node-controller convert --from nbc request.json > node.json

The result holds the bootstrap token in clear: it is what the script is made of.")]
pub(super) struct Convert {
    /// Whose documents they are
    #[arg(long, value_enum)]
    from: From,
    /// With `--from nbc`: the NodeBootstrappingConfiguration, JSON or YAML; `-` is standard input
    #[arg(value_name = "FILE", conflicts_with_all = ["node_claim", "explain", "launch_template"])]
    file: Option<PathBuf>,
    #[command(flatten)]
    objects: KarpenterFiles,
    /// Say where every field came from, in place of the result
    #[arg(long)]
    explain: bool,
    /// The whole launch template: CustomData, image, tags, disk
    #[arg(long, conflicts_with = "explain")]
    launch_template: bool,
    /// Version of the image for the launch template [default: a placeholder that says so]
    #[arg(long, value_name = "VERSION", requires = "launch_template")]
    image_version: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum From {
    /// NodeClaim or NodePool, AKSNodeClass and the controller's settings
    Karpenter,
    /// AgentBaker's NodeBootstrappingConfiguration, to a Configuration
    Nbc,
}

/// The objects that a node of Karpenter follows from.
#[derive(clap::Args, Debug)]
pub(super) struct KarpenterFiles {
    /// NodeClaim, or a NodePool whose template stands for it, as `kubectl get -o yaml` prints it
    #[arg(long, value_name = "FILE", requires = "node_class")]
    node_claim: Option<PathBuf>,
    /// AKSNodeClass
    #[arg(long, value_name = "FILE", requires = "settings")]
    node_class: Option<PathBuf>,
    /// The controller's settings: a map of the names of its environment
    #[arg(long, value_name = "FILE", requires = "node_claim")]
    settings: Option<PathBuf>,
    /// What the controller reads from the running cluster: a map, or a kubeconfig
    #[arg(long, value_name = "FILE", requires = "settings")]
    cluster: Option<PathBuf>,
    /// Facts about the VM size: name, capabilities as Azure names them, zones
    #[arg(long, value_name = "FILE", requires = "settings")]
    instance_type: Option<PathBuf>,
}

impl KarpenterFiles {
    /// The objects and what follows from them; `None` if none is named.
    pub fn read(&self) -> Result<Option<(Objects, Converted)>, Failure> {
        let (Some(claim), Some(class), Some(settings)) = (&self.node_claim, &self.node_class, &self.settings) else {
            return Ok(None);
        };
        // Every document is read before the first refusal, so that all findings are told at once.
        let claim = object(claim, NodeClaim::from_document);
        let class = object(class, NodeClass::from_document);
        let settings = object(settings, Settings::from_document);
        let cluster =
            self.cluster.as_deref().map_or(Ok(Cluster::default()), |file| object(file, Cluster::from_document));
        let instance_type = self
            .instance_type
            .as_deref()
            .map_or(Ok(InstanceType::default()), |file| object(file, InstanceType::from_document));
        let objects = Objects {
            claim: claim?,
            class: class?,
            settings: settings?,
            cluster: cluster?,
            instance_type: instance_type?,
        };
        let converted = convert(&objects);
        let mut report = Report::default();
        for (object, finding) in &converted.findings {
            output::note(&output::described(object, finding));
            report.findings.push(finding.clone());
        }
        if report.is_valid() { Ok(Some((objects, converted))) } else { Err(Failure::Reported) }
    }
}

/// Reads one document and prints its findings.
fn object<T>(file: &Path, read: impl FnOnce(&[u8]) -> Result<(T, Report), Report>) -> Result<T, Failure> {
    let document = input::read(file)?;
    match read(&document.bytes) {
        Ok((object, report)) => {
            output::findings(&document.name, &report);
            Ok(object)
        }
        Err(report) => {
            output::findings(&document.name, &report);
            Err(Failure::Reported)
        }
    }
}

impl Convert {
    pub fn run(self) -> Outcome {
        if self.from == From::Nbc {
            return self.nbc();
        }
        if self.file.is_some() {
            return Err(Failure::Usage("--from karpenter takes no FILE: name the objects by their options".to_owned()));
        }
        let Some((objects, converted)) = self.objects.read()? else {
            let message = "--from karpenter needs --node-claim, --node-class and --settings";
            return Err(Failure::Usage(message.to_owned()));
        };
        if self.explain {
            let document = converted.inputs.to_json();
            let fields = converted.provenance.iter().map(|provenance| {
                let secret = provenance.field == "kubelet_client_tls_bootstrap_token";
                let value = if secret { json!(crate::catalogue::REDACTED) } else { document[provenance.field].clone() };
                json!({"field": provenance.field, "value": value, "source": provenance.source})
            });
            return output::json(&fields.collect(), Layout::Pretty);
        }
        if self.launch_template {
            return output::json(&self.launch_template(&objects, &converted)?, Layout::Pretty);
        }
        output::json(&converted.inputs.to_json(), Layout::Pretty)
    }

    /// Prints the Configuration, and on stderr what it cannot carry.
    fn nbc(&self) -> Outcome {
        let Some(file) = &self.file else {
            return Err(Failure::Usage("--from nbc needs a FILE; `-` is standard input".to_owned()));
        };
        let document = input::read(file)?;
        let (nbc, mut report) = input::nbc(&document.bytes, input::Demands::default());
        if let (Some(nbc), Ok(source)) = (&nbc, Source::new(&document.bytes)) {
            let losses = nbc.losses.iter().map(|loss| {
                let rule = format!("cannot be carried over: {}", loss.what);
                Finding::warning(loss.path.clone(), Problem::Rule(rule.into()))
            });
            report.findings.extend(losses);
            source.locate(&mut report.findings);
            report.sort();
        }
        output::findings(&document.name, &report);
        let Some(nbc) = nbc else { return Err(Failure::Reported) };
        let text = nbc.configuration.to_json();
        let value: Value = serde_json::from_str(&text).expect("a Configuration is written as JSON");
        output::json(&value, Layout::Pretty)
    }

    fn launch_template(&self, objects: &Objects, converted: &Converted) -> Result<Value, Failure> {
        let settings = &objects.settings;
        let subscription = settings.is("USE_SIG").then(|| settings.get("SIG_SUBSCRIPTION_ID"));
        let version = self.image_version.as_deref().unwrap_or(UNKNOWN_VERSION);
        let template = objects
            .launch_template(&converted.inputs.kubernetes_version, Versions::Given { subscription, version })
            .map_err(|error| Failure::Input(error.to_string()))?;
        let delivery = Request::default()
            .render_karpenter(&converted.inputs)
            .map_err(|refusal| Failure::Input(refusal.to_string()))?;
        let storage = template.storage;
        Ok(json!({
            "customData": delivery.custom_data.encoded,
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
