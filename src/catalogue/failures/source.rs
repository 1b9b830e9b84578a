//! The public sources of failures: the file that writes the text, or the page or thread that shows it.
//!
//! To add a publisher: a variant of [`Publisher`] and its row in `publishers`.

/// Where sources are published.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Publisher {
    /// The kubelet, `kube-proxy`, `kubectl` and `kubeadm`.
    Kubernetes,
    /// The container runtime.
    Containerd,
    /// The reader of user data on Flatcar and ACL.
    Ignition,
    /// The reader of user data everywhere else.
    CloudInit,
    /// Azure's agent in the VM.
    GuestAgent,
    /// The handler that runs the CSE command.
    CustomScript,
    /// AKS's scripts and services of a node.
    AgentBaker,
    /// Karpenter, for every cloud.
    Karpenter,
    /// Karpenter's provider for Azure.
    KarpenterAzure,
    /// The cluster autoscaler.
    Autoscaler,
    /// Azure's network plugin and its services.
    AzureNetworking,
    /// The controllers of nodes, routes and load balancers.
    CloudProviderAzure,
    /// What sets AKS's conditions of nodes.
    NodeProblemDetector,
    /// The first process of a node.
    Systemd,
    /// The kernel.
    Linux,
    /// Other repositories and threads.
    GitHub,
    /// Microsoft's documentation.
    Learn,
    /// Other pages.
    Web,
}

impl Publisher {
    /// Returns its name for people.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.about().0
    }

    /// Returns what precedes the place of each of its sources in the address.
    const fn base(self) -> &'static str {
        self.about().1
    }

    /// Returns whether its sources belong to one program, which has versions.
    #[must_use]
    pub const fn has_versions(self) -> bool {
        !matches!(self, Self::GitHub | Self::Learn | Self::Web)
    }

    const fn about(self) -> (&'static str, &'static str) {
        match self {
            Self::Kubernetes => ("Kubernetes", "https://github.com/kubernetes/kubernetes/blob/HEAD/"),
            Self::Containerd => ("containerd", "https://github.com/containerd/containerd/blob/HEAD/"),
            Self::Ignition => ("Ignition", "https://github.com/coreos/ignition/blob/HEAD/"),
            Self::CloudInit => ("cloud-init", "https://github.com/canonical/cloud-init/blob/HEAD/"),
            Self::GuestAgent => ("WALinuxAgent", "https://github.com/Azure/WALinuxAgent/blob/HEAD/"),
            Self::CustomScript => {
                ("custom-script-extension-linux", "https://github.com/Azure/custom-script-extension-linux/blob/HEAD/")
            }
            Self::AgentBaker => ("AgentBaker", "https://github.com/Azure/AgentBaker/blob/HEAD/"),
            Self::Karpenter => ("Karpenter", "https://github.com/kubernetes-sigs/karpenter/blob/HEAD/"),
            Self::KarpenterAzure => {
                ("karpenter-provider-azure", "https://github.com/Azure/karpenter-provider-azure/blob/HEAD/")
            }
            Self::Autoscaler => ("cluster-autoscaler", "https://github.com/kubernetes/autoscaler/blob/HEAD/"),
            Self::AzureNetworking => {
                ("azure-container-networking", "https://github.com/Azure/azure-container-networking/blob/HEAD/")
            }
            Self::CloudProviderAzure => {
                ("cloud-provider-azure", "https://github.com/kubernetes-sigs/cloud-provider-azure/blob/HEAD/")
            }
            Self::NodeProblemDetector => {
                ("node-problem-detector", "https://github.com/kubernetes/node-problem-detector/blob/HEAD/")
            }
            Self::Systemd => ("systemd", "https://github.com/systemd/systemd/blob/HEAD/"),
            Self::Linux => ("Linux", "https://github.com/torvalds/linux/blob/HEAD/"),
            Self::GitHub => ("GitHub", "https://github.com/"),
            Self::Learn => ("Microsoft Learn", "https://learn.microsoft.com/"),
            Self::Web => ("documentation", "https://"),
        }
    }
}

/// A public source of a failure.
#[derive(Clone, Copy, Debug)]
pub struct Source {
    /// Where it is published.
    pub publisher: Publisher,
    /// The path in the repository, or of the page.
    pub place: &'static str,
    /// The version of the program that is the first with one of the texts. Unset if the oldest one that was looked at has them, or if it
    /// is unknown.
    pub since: Option<&'static str>,
}

impl Source {
    /// Returns its address.
    #[must_use]
    pub fn url(&self) -> String {
        [self.publisher.base(), self.place].concat()
    }
}
