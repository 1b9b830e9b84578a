//! Configurations built into the program: for trying it out, for the docs, and for its own tests.

use crate::document::nearest;
use crate::parts;

/// One of them.
#[derive(Debug)]
pub(crate) struct Example {
    pub name: &'static str,
    /// What it is for, in a line.
    pub title: &'static str,
    pub file: &'static str,
    /// Its text, gzip'd.
    compressed: &'static [u8],
}

macro_rules! examples {
    ($($name:literal: $extension:literal = $title:literal,)*) => {
        impl Example {
            /// In the order in which they are listed.
            pub const ALL: &[Self] = &[$(Self {
                name: $name,
                title: $title,
                file: concat!($name, ".", $extension),
                compressed: include_bytes!(concat!(env!("OUT_DIR"), "/examples/", $name, ".", $extension, ".gz")),
            }),*];
        }
    };
}

examples! {
    "ubuntu-azure-cni": "yaml" = "Ubuntu, Azure CNI, a plain node pool",
    "kubenet-calico": "yaml" = "Ubuntu, kubenet with calico",
    "azure-linux-kata": "yaml" = "Azure Linux with Kata containers, for pods in VMs of their own",
    "a100-mig": "yaml" = "A100, each GPU cut into seven by MIG",
    "h100-fabric-manager": "yaml" = "H100 with NVSwitch, which needs the fabric manager",
    "localdns": "yaml" = "Node-local DNS with every option used",
    "http-proxy-own-ca": "yaml" = "Behind an HTTP proxy with a CA of its own, and two more CAs to trust",
    "sovereign-cloud": "yaml" = "US Government cloud, with a message of the day",
    "flatcar": "yaml" = "Flatcar Container Linux; scriptless only, Ignition carries it",
    "secure-tls-bootstrapping": "yaml" = "No bootstrap token: the node proves itself with an attested identity",
    "arm64-minimal": "json" = "The least that makes a useful node, on arm64",
    "custom-os-tuning": "yaml" = "Kernel settings, ulimits, swap file and huge pages of one's own",
    "kubelet-config-file": "yaml" = "The kubelet reads a configuration file instead of flags",
    "network-isolated": "json" = "No way out: everything comes from a registry of one's own",
}

impl Example {
    /// The document.
    pub fn text(&self) -> String {
        parts::text_of(self.compressed)
    }

    /// The example of a name.
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
