//! The files with the Kubernetes objects and settings from which Karpenter makes a node.

use std::path::{Path, PathBuf};

use super::{Failure, file, output};
use crate::document::Report;
use crate::inputs::karpenter::objects::{Cluster, InstanceType, NodeClaim, NodeClass, Settings};
use crate::inputs::karpenter::{Converted, Objects, convert};
use crate::inputs::{Checks, KarpenterObject};

/// One option for each document.
#[derive(clap::Args, Debug, Default)]
pub(super) struct KarpenterFiles {
    /// NodeClaim, or a NodePool whose template is used, as `kubectl get -o yaml` prints it
    #[arg(long, value_name = "FILE")]
    pub node_claim: Option<PathBuf>,
    /// AKSNodeClass
    #[arg(long, value_name = "FILE")]
    pub node_class: Option<PathBuf>,
    /// The controller's settings: a map of the names of its environment
    #[arg(long, value_name = "FILE")]
    pub settings: Option<PathBuf>,
    /// Facts that the controller reads from the running cluster: a map, or a kubeconfig
    #[arg(long, value_name = "FILE")]
    pub cluster: Option<PathBuf>,
    /// Facts about the VM size: name, capabilities as Azure names them, zones
    #[arg(long, value_name = "FILE")]
    pub instance_type: Option<PathBuf>,
}

impl KarpenterFiles {
    /// Whether any document is named.
    pub fn is_named(&self) -> bool {
        [&self.node_claim, &self.node_class, &self.settings, &self.cluster, &self.instance_type]
            .iter()
            .any(|file| file.is_some())
    }

    /// Adds the file of an object that was recognized from its content.
    pub fn name(&mut self, object: KarpenterObject, file: PathBuf) -> Result<(), Failure> {
        let slot = match object {
            KarpenterObject::NodeClaim => &mut self.node_claim,
            KarpenterObject::NodeClass => &mut self.node_class,
        };
        if slot.is_some() {
            let message = format!("{} is {}, which {} names too", file.display(), object.title(), object.option());
            return Err(Failure::Usage(message));
        }
        *slot = Some(file);
        Ok(())
    }

    /// Reads all documents and prints their findings. Returns the objects and the bootstrapper's inputs.
    pub fn read(&self, checks: &Checks) -> Result<(Objects, Converted), Failure> {
        let (Some(claim), Some(class), Some(settings)) = (&self.node_claim, &self.node_class, &self.settings) else {
            let message = "Karpenter's objects need --node-claim, --node-class and --settings";
            return Err(Failure::Usage(message.to_owned()));
        };
        // Every document is read before the first failure is returned, so that all findings are printed at once.
        let claim = object(claim, NodeClaim::from_document, checks);
        let class = object(class, NodeClass::from_document, checks);
        let settings = object(settings, Settings::from_document, checks);
        let cluster =
            self.cluster.as_deref().map_or(Ok(Cluster::default()), |file| object(file, Cluster::from_document, checks));
        let instance_type = self
            .instance_type
            .as_deref()
            .map_or(Ok(InstanceType::default()), |file| object(file, InstanceType::from_document, checks));
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
            output::findings(object, None, &finding.clone().into());
            report.findings.push(finding.clone());
        }
        if report.is_valid() { Ok((objects, converted)) } else { Err(Failure::Reported) }
    }
}

/// Reads one document and prints its findings.
fn object<T>(
    file: &Path,
    read: impl FnOnce(&[u8]) -> Result<(T, Report), Report>,
    checks: &Checks,
) -> Result<T, Failure> {
    let document = file::read(file)?;
    let (object, mut report) = match read(&document.bytes) {
        Ok((object, report)) => (Some(object), report),
        Err(report) => (None, report),
    };
    checks.judge(&mut report);
    output::findings(&document.name, Some(&document.bytes), &report);
    object.filter(|_| report.is_valid()).ok_or(Failure::Reported)
}
