//! A result taken apart, for people and for reviews: every layer decoded, each as a file.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::{Delivery, Form, Request, Route, scriptless};
use crate::catalogue::node_distros::Family;
use crate::configuration::Configuration;
use crate::environment::Environment;
use crate::inputs::nbc::{self, Classic};

/// One layer. Any of them may hold the bootstrap token, so all are for their owner alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layer {
    /// A file name, or a path below the folder of all layers.
    pub name: &'static str,
    /// What the file holds.
    pub text: String,
}

/// Payloads that travel in base64 inside a variable, and the files that they are in truth.
const PAYLOADS: &[(&str, &str)] = &[
    ("CONTAINERD_CONFIG_CONTENT", "payloads/containerd.toml"),
    ("CONTAINERD_CONFIG_NO_GPU_CONTENT", "payloads/containerd_no_gpu.toml"),
    ("KUBELET_CONFIG_FILE_CONTENT", "payloads/kubelet_config.json"),
    ("LOCALDNS_COREFILE_BASE", "payloads/corefile"),
    ("LOCALDNS_COREFILE_WITH_HOSTS", "payloads/corefile_with_hosts"),
    ("SYSCTL_CONTENT", "payloads/sysctl.conf"),
];

pub(super) fn layers(
    request: &Request,
    configuration: &Configuration,
    delivery: &Delivery,
    document: String,
) -> Vec<Layer> {
    let mut layers = vec![layer("custom_data.b64", delivery.custom_data.encoded.clone() + "\n")];
    if let Some(cse) = &delivery.cse {
        layers.push(layer("cse.sh", cse.clone() + "\n"));
    }
    match request.route {
        Route::NodeBootstrapVariables => {
            layers.push(layer("bootstrap.sh", document));
            let environment = Environment::new(configuration, &request.facts);
            for (variable, name) in PAYLOADS {
                let payload = environment.get(variable).filter(|value| !value.is_empty());
                let text = payload.and_then(|value| STANDARD.decode(value).ok()).map(String::from_utf8);
                if let Some(Ok(text)) = text {
                    layers.push(layer(name, text));
                }
            }
        }
        Route::Scripted => {
            layers.extend(classic(&Classic::Configuration(configuration, Family::of_os(request.distro.name))));
        }
        Route::Scriptless => {
            layers.push(layer("configuration.json", configuration.to_json() + "\n"));
            match request.form() {
                Form::Boothook => {
                    layers.push(layer("boothook.sh", scriptless::boothook(configuration)));
                    layers.push(layer("cloud_config.yaml", scriptless::cloud_config()));
                    layers.push(layer("custom_data.mime", document));
                }
                Form::WriteFiles => layers.push(layer("custom_data.yaml", document)),
                Form::Ignition => layers.push(layer("ignition.json", document)),
            }
        }
    }
    layers
}

/// The document and the files of the scripted route.
pub(super) fn classic(classic: &Classic<'_>) -> Vec<Layer> {
    let (document, _) = nbc::custom_data(classic);
    let name = if document.starts_with('{') { "ignition.json" } else { "cloud_config.yaml" };
    let files = nbc::node_files(classic).map(|file| layer(file.path.trim_start_matches('/'), file.text()));
    [layer(name, document.to_owned())].into_iter().chain(files).collect()
}

fn layer(name: &'static str, text: String) -> Layer {
    Layer { name, text }
}
