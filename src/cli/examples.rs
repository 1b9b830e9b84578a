//! Configurations that are built into the program, for first steps, the documentation and tests.

use crate::document::nearest;

/// A built-in Configuration.
#[derive(Debug)]
pub(crate) struct Example {
    pub name: &'static str,
    /// Its line in the list.
    pub title: &'static str,
    /// The name of its file, for messages.
    pub file: &'static str,
    /// The document.
    pub text: &'static str,
}

macro_rules! examples {
    ($($name:literal: $extension:literal = $title:literal,)*) => {
        impl Example {
            /// Every example, in the order of the list.
            pub const ALL: &[Self] = &[$(Self {
                name: $name,
                title: $title,
                file: concat!($name, ".", $extension),
                text: include_str!(concat!("../../testdata/examples/", $name, ".", $extension)),
            }),*];
        }
    };
}

examples! {
    "ubuntu-azure-cni": "yaml" = "Ubuntu, Azure CNI, a plain node pool",
    "kubenet-calico": "yaml" = "Ubuntu, kubenet with calico",
    "azure-linux-kata": "yaml" = "Azure Linux with Kata containers, which run pods in VMs",
    "a100-mig": "yaml" = "A100, each GPU partitioned into seven by MIG",
    "h100-fabric-manager": "yaml" = "H100 with NVSwitch, which needs the fabric manager",
    "localdns": "yaml" = "Node-local DNS with every option used",
    "http-proxy-own-ca": "yaml" = "Behind an HTTP proxy with its own CA, and two more trusted CAs",
    "sovereign-cloud": "yaml" = "US Government cloud, with a message of the day",
    "flatcar": "yaml" = "Flatcar Container Linux, which reads Ignition",
    "secure-tls-bootstrapping": "yaml" = "Secure TLS bootstrapping: an attested identity instead of a bootstrap token",
    "arm64-minimal": "json" = "The smallest useful Configuration, on arm64",
    "custom-os-tuning": "yaml" = "Custom kernel settings, ulimits, swap file and huge pages",
    "kubelet-config-file": "yaml" = "The kubelet reads a configuration file instead of flags",
    "network-isolated": "json" = "Network-isolated cluster: everything comes from a private registry",
}

impl Example {
    /// Returns the example of this name.
    pub fn named(name: &str) -> Result<&'static Self, String> {
        Self::ALL.iter().find(|example| example.name == name).ok_or_else(|| {
            let hint = match nearest(name, Self::ALL.iter().map(|example| example.name)) {
                Some(meant) => format!("did you mean `{meant}`?"),
                None => "`--example list` names them".to_owned(),
            };
            format!("there is no example `{name}`: {hint}")
        })
    }
}
