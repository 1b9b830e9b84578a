//! The files with the Kubernetes objects and settings from which Karpenter creates a node.

use std::path::{Path, PathBuf};

use super::file::Document;
use super::{Failure, file, output};
use crate::configuration::Configuration;
use crate::inputs::Checks;
use crate::inputs::karpenter::bundle::{Bundle, Gathered, Origins, Role};
use crate::inputs::karpenter::{Converted, Objects};

/// One option for each document.
#[derive(clap::Args, Debug, Default)]
pub(super) struct KarpenterFiles {
    /// NodeClaim, or a NodePool whose template is used, as `kubectl get -o yaml` prints it
    #[arg(long, value_name = "FILE")]
    pub node_claim: Option<PathBuf>,
    /// AKSNodeClass
    #[arg(long, value_name = "FILE")]
    pub node_class: Option<PathBuf>,
    /// The controller's settings: a map of the names of its environment, lines of `NAME=value`, a `ConfigMap` or the controller's
    /// Deployment; `env` is the environment of this program
    #[arg(long, value_name = "FILE")]
    pub settings: Option<PathBuf>,
    /// Facts that the controller reads from the running cluster: a map, a kubeconfig, or the output of `kubectl version`
    #[arg(long, value_name = "FILE")]
    pub cluster: Option<PathBuf>,
    /// Facts about the VM size: name, capabilities as Azure names them, zones, or what `az vm list-skus` prints
    #[arg(long, value_name = "FILE")]
    pub instance_type: Option<PathBuf>,
    /// A Configuration over which Karpenter's objects are merged. The result is a Configuration, for every route
    #[arg(long, value_name = "FILE")]
    pub base: Option<PathBuf>,
}

impl KarpenterFiles {
    /// Whether any document is named.
    pub fn is_named(&self) -> bool {
        [&self.node_claim, &self.node_class, &self.settings, &self.cluster, &self.instance_type]
            .iter()
            .any(|file| file.is_some())
    }

    /// Reads the files of the options.
    fn add_to(&self, bundle: &mut Bundle) -> Result<(), Failure> {
        for (file, role) in [
            (&self.node_claim, Role::NodeClaim),
            (&self.node_class, Role::NodeClass),
            (&self.settings, Role::Settings),
            (&self.cluster, Role::Cluster),
            (&self.instance_type, Role::InstanceType),
        ] {
            let Some(file) = file else { continue };
            if role == Role::Settings && file == Path::new("env") && !file.exists() {
                let text = |text: std::ffi::OsString| text.into_string().ok();
                bundle
                    .add_environment(std::env::vars_os().filter_map(|(name, value)| Some((text(name)?, text(value)?))));
                continue;
            }
            let document = file::read_large(file)?;
            bundle.add(document.name, document.bytes, Some(role));
        }
        Ok(())
    }

    /// Adds the files of the options to what was read, prints all findings, and returns the objects of the node.
    pub fn finish(&self, mut bundle: Bundle, checks: &Checks) -> Result<Node, Failure> {
        // Every document is read before the first failure is returned, so that all findings are printed at once.
        self.add_to(&mut bundle)?;
        let base = match &self.base {
            Some(file) => {
                let document = file::read(file)?;
                // Its findings are printed when the objects have been merged over it.
                if let Ok(decoded) = Configuration::from_document(&document.bytes) {
                    bundle.set_base(decoded.configuration);
                }
                Some(document)
            }
            None => None,
        };
        let Gathered { files, others, missing, skipped, converted, origins, has_settings } = bundle.finish(checks);
        for file in &files {
            output::findings(&file.name, Some(&file.bytes), &file.report);
        }
        for (object, report) in &others {
            output::findings(object, None, report);
        }
        // The node class of another cloud is not just irrelevant if it is there instead of the one that is missing.
        let lacks_class = missing.iter().any(|(option, _)| *option == "--node-class");
        let is_foreign = |kind: &String| lacks_class && kind.split(' ').next().is_some_and(is_node_class);
        let (foreign, skipped): (Vec<_>, Vec<_>) = skipped.into_iter().partition(is_foreign);
        if !skipped.is_empty() {
            output::note(&format!("note: ignored, because a node does not need them: {}", skipped.join(", ")));
        }
        // What seems to be missing can be in a file that cannot be read.
        if !files.iter().all(|file| file.report.is_valid()) {
            return Err(Failure::Reported);
        }
        if !missing.is_empty() {
            let mut message =
                "Karpenter's objects need --node-claim, --node-class and --settings, or files with them".to_owned();
            for (option, command) in missing {
                message = format!("{message}\n  {option} is missing: `{command}` prints it");
            }
            for kind in foreign {
                message = format!("{message}\n  {kind} is the node class of another cloud, and not an AKSNodeClass");
            }
            return Err(Failure::Usage(message));
        }
        let (objects, converted) = converted.ok_or(Failure::Reported)?;
        Ok(Node { objects, converted, origins: origins.with_files(files), base, has_settings })
    }
}

/// Reports whether a kind is that of a node class, which each provider of Karpenter has.
fn is_node_class(kind: &str) -> bool {
    kind.ends_with("NodeClass")
}

/// The objects of a node, the bootstrapper's inputs, and where they were read.
pub(super) struct Node {
    pub objects: Objects,
    pub converted: Converted,
    pub origins: Origins,
    /// The Configuration that has what the objects do not say.
    pub base: Option<Document>,
    /// Whether the controller's settings are among the files.
    pub has_settings: bool,
}
