//! `new`: a first Configuration, from options and from the output of `az` and `kubectl` for a cluster.

mod questions;

use std::path::PathBuf;

use super::generate::os_names;
use super::output::{self, InClear, Layout};
use super::{Failure, Outcome, changes, file, input};
use crate::catalogue::operating_systems::OperatingSystem;
use crate::catalogue::rules;
use crate::document::Report;
use crate::draft::{Draft, Drafted, Options};
use crate::inputs::{Checks, InputKind, Reading};

/// The format of the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum DocumentFormat {
    /// With a comment for each value.
    Yaml,
    /// Without comments.
    Json,
}

/// Make a Configuration.
#[derive(Clone, clap::Args)]
#[command(after_help = "Examples:
  aks-node-controller new > node.yaml
  aks-node-controller new --kubernetes-version 1.33.5 \\
    --vm-size Standard_D4s_v5 --api-server demo.example > node.yaml
  az aks show -g demo-rg -n demo |
    aks-node-controller new - --node-pool nodepool1 > node.yaml
  (az aks show -g demo-rg -n demo; kubectl config view --raw) |
    aks-node-controller new - --node-pool nodepool1 --secure-tls > node.yaml

FILE can have the output of these commands, of several in one file and in any order: `az aks show`, `az aks nodepool show` and \
`list`, `az vmss show`, `az network vnet subnet show`, `az vm list-skus`, `az account show`, `kubectl config view --raw`, \
and `kubectl get -o yaml` of the ConfigMaps cluster-info, kubeadm-config and kube-root-ca.crt and of the Secret of a \
bootstrap token; also a Configuration to start from. Options override files, and files override computed values.

For a required value that is unknown, the document has a placeholder such as `<TENANT_ID>`; a line on stderr has the command \
that prints the value, and `validate` rejects the placeholder.

Exit code: 0 if a document is printed, 1 if the files are wrong, or with --strict if a value is missing.")]
pub(super) struct New {
    /// Output of `az` and `kubectl` for the cluster, or a Configuration to start from; `-` is standard input
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Host name or IP address of the API server
    #[arg(long, value_name = "HOST")]
    api_server: Option<String>,
    /// The cluster CA, PEM or base64 of it
    #[arg(long, value_name = "FILE")]
    ca: Option<PathBuf>,
    /// A bootstrap token
    #[arg(long, value_name = "FILE", conflicts_with = "secure_tls")]
    token_file: Option<PathBuf>,
    /// Join with the node's managed identity instead of a bootstrap token
    #[arg(long)]
    secure_tls: bool,
    /// Version of Kubernetes
    #[arg(long, value_name = "VERSION")]
    kubernetes_version: Option<String>,
    /// VM size, such as `Standard_D4s_v5`
    #[arg(long, value_name = "SIZE")]
    vm_size: Option<String>,
    /// Operating system of the image [default: the one of the node pool, else ubuntu]
    #[arg(long, value_parser = os_names())]
    os: Option<&'static OperatingSystem>,
    /// The node pool, if the files have several
    #[arg(long, value_name = "NAME")]
    node_pool: Option<String>,
    /// Set a field or an entry of a map, such as `cluster_config.location=westeurope`; can be repeated
    #[arg(long, value_name = "PATH=VALUE")]
    set: Vec<String>,
    /// Set a field to the text of a file; can be repeated
    #[arg(long, value_name = "PATH=FILE")]
    set_file: Vec<String>,
    /// Format of the result
    #[arg(long, value_enum, default_value_t = DocumentFormat::Yaml)]
    format: DocumentFormat,
    /// Ask on the terminal for each value that is missing
    #[arg(long)]
    interactive: bool,
    /// Fail if a value is missing
    #[arg(long)]
    strict: bool,
}

impl New {
    pub fn run(mut self) -> Outcome {
        let documents = self.files.iter().map(|path| file::read_large(path)).collect::<Result<Vec<_>, _>>()?;
        if self.interactive {
            questions::ask(&mut self, &documents)?;
        }
        let options = self.options()?;
        let drafted = Self::draft_of(&documents).finish(options).map_err(|problems| {
            for problem in problems {
                output::note(&format!("error: {problem}"));
            }
            Failure::Reported
        })?;
        self.print(&drafted)
    }

    fn draft_of(documents: &[file::Document]) -> Draft {
        let mut draft = Draft::default();
        for document in documents {
            draft.add_file(&document.name, &document.bytes);
        }
        draft
    }

    fn options(&self) -> Result<Options, Failure> {
        let bytes = |path: &PathBuf| {
            let document = file::read(path)?;
            Ok::<_, Failure>((document.name, document.bytes))
        };
        Ok(Options {
            api_server: self.api_server.clone(),
            ca: self.ca.as_ref().map(bytes).transpose()?,
            token: self.token_file.as_ref().map(bytes).transpose()?,
            secure_tls: self.secure_tls,
            kubernetes_version: self.kubernetes_version.clone(),
            vm_size: self.vm_size.clone(),
            os: self.os.map(|os| os.name),
            node_pool: self.node_pool.clone(),
            set: changes::changes(&self.set, &self.set_file)?,
        })
    }

    /// Returns the findings about the document, without those about placeholders, which are reported as missing.
    fn report(drafted: &Drafted) -> Report {
        let checks = Checks { values: true, misspelled_fields: true, today: Some(input::today()), ..Checks::default() };
        let mut report = Reading::new(Some(InputKind::Configuration), drafted.yaml.as_bytes(), &checks).report;
        report.findings.retain(|finding| *finding.rule != rules::PLACEHOLDER);
        report
    }

    /// Prints the document unless it is wrong.
    fn print(&self, drafted: &Drafted) -> Outcome {
        let report = Self::report(drafted);
        output::findings("the Configuration", Some(drafted.yaml.as_bytes()), &report);
        for dropped in &drafted.dropped {
            output::note(&format!("note: {dropped}"));
        }
        if !report.is_valid() {
            return Err(Failure::Reported);
        }
        for missing in &drafted.missing {
            output::note(&format!("missing: {} is {}; this prints it:", missing.field, missing.placeholder));
            output::note(&format!("  {}", missing.command));
        }
        let has_gap = |field: &str| drafted.missing.iter().any(|missing| missing.field == field);
        if has_gap("kubernetes_version") || has_gap("vm_size") {
            output::note(
                "note: the flags of the kubelet and the downloads depend on version and VM size: pass them with \
                 --kubernetes-version and --vm-size",
            );
        }
        match self.format {
            DocumentFormat::Yaml => output::plain(&drafted.yaml)?,
            DocumentFormat::Json => output::json(&InClear(&drafted.json), Layout::Pretty)?,
        }
        if self.strict && !drafted.missing.is_empty() { Err(Failure::Reported) } else { Ok(()) }
    }
}
