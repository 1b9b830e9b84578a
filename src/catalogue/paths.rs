//! Paths on the node.

/// The Configuration, which cloud-init or Ignition writes and the controller reads.
pub const CONFIGURATION: &str = "/opt/azure/containers/aks-node-controller-config.json";
/// The classic command with all variables, which a boothook of the reference writes and the controller runs.
pub const COMMAND: &str = "/opt/azure/containers/aks-node-controller-nbc-cmd.sh";
/// Which release of the controller replaces the one on the image.
pub const HOTFIX: &str = "/opt/azure/containers/aks-node-controller-hotfix.json";
/// The features of the controller, `NAME=VALUE` lines that the launcher reads.
pub const FEATURES: &str = "/opt/azure/containers/enabled_features.sh";
/// A script with the files that have secrets, which the CSE command of the `scriptless` route can write and run.
pub const SECOND_BOOTHOOK: &str = "/opt/azure/containers/boothook.sh";
/// Files that a boothook of the reference delivers in addition to [`COMMAND`], as `write_files` of a cloud-config.
pub const EXTRA_FILES: &str = "/opt/azure/containers/nodecustomdata.yml";
/// The controller on the image.
pub const CONTROLLER: &str = "/opt/azure/containers/aks-node-controller";
/// Credentials of the cloud provider.
pub const AZURE_JSON: &str = "/etc/kubernetes/azure.json";
/// The secret of the service principal.
pub const SERVICE_PRINCIPAL: &str = "/etc/kubernetes/sp.txt";
/// The kubeconfig with which the kubelet starts; contains the bootstrap token.
pub const BOOTSTRAP_KUBECONFIG: &str = "/var/lib/kubelet/bootstrap-kubeconfig";
/// The kubelet's flags.
pub const KUBELET_DEFAULTS: &str = "/etc/default/kubelet";
/// The kubeconfig that the kubelet writes when it has a certificate.
pub const KUBECONFIG: &str = "/var/lib/kubelet/kubeconfig";
/// The endpoints of a custom cloud.
pub const CUSTOM_CLOUD_ENVIRONMENT: &str = "/etc/kubernetes/akscustom.json";
/// The output of the start script itself.
pub const PROVISION_OUTPUT: &str = "/var/log/azure/cluster-provision-cse-output.log";
/// The script that prepares the node for its cloud, on images that have it.
pub const INIT_AKS_CLOUD: &str = "/opt/azure/containers/init-aks-cloud.sh";
/// Functions that all provisioning scripts use.
pub const SOURCE: &str = "/opt/azure/containers/provision_source.sh";
/// The same for the family of the operating system.
pub const SOURCE_DISTRO: &str = "/opt/azure/containers/provision_source_distro.sh";
/// The lists of steps.
pub const STEPS: &str = "/opt/azure/containers/provision.sh";
/// Steps that install programs.
pub const INSTALLS: &str = "/opt/azure/containers/provision_installs.sh";
/// The same for the family of the operating system.
pub const INSTALLS_DISTRO: &str = "/opt/azure/containers/provision_installs_distro.sh";
/// Steps that write configuration.
pub const CONFIGS: &str = "/opt/azure/containers/provision_configs.sh";
/// The script that joins the realm of a custom search domain.
pub const CUSTOM_SEARCH_DOMAINS: &str = "/opt/azure/containers/setup-custom-search-domains.sh";
/// The script that requests an IPv6 address on a dual-stack node.
pub const ENABLE_DHCPV6: &str = "/opt/azure/containers/enable-dhcpv6.sh";
/// The unit that runs [`ENABLE_DHCPV6`].
pub const DHCPV6_SERVICE: &str = "/etc/systemd/system/dhcpv6.service";
/// The component list of the image.
pub const COMPONENTS: &str = "/opt/azure/components.json";
/// The entry point of provisioning, which the controller or the CSE starts.
pub const START_SCRIPT: &str = "/opt/azure/containers/provision_start.sh";
/// The output of the provisioning scripts.
pub const PROVISION_LOG: &str = "/var/log/azure/cluster-provision.log";
/// The result document of provisioning.
pub const RESULT: &str = "/var/log/azure/aks/provision.json";
/// The marker of an attempt that has ended, successfully or not. [`RESULT`] is complete when it exists.
pub const PROVISION_COMPLETE: &str = "/opt/azure/containers/provision.complete";
/// The marker of an image on which the first list of steps has completed.
pub const BASE_PREP_COMPLETE: &str = "/opt/azure/containers/base_prep.complete";
/// The result document if the disk is not writable.
pub const VOLATILE_RESULT: &str = "/run/aks-node-controller/provision.json";
/// The marker if the disk is not writable.
pub const VOLATILE_COMPLETE: &str = "/run/aks-node-controller/provision.complete";
/// The lock that a provisioner holds while it runs.
pub const LOCK: &str = "/run/aks-node-controller/lock";
/// The process and the start time of the provisioner that holds [`LOCK`] or held it last.
pub const STARTED: &str = "/run/aks-node-controller/started.json";
/// The program that a boothook runs to fetch [`FETCHED_BOOTHOOK`].
pub const FETCH: &str = "/opt/azure/containers/fetch_provision_config.py";
/// The boothook with all input, which `fetch` writes before the extension would.
pub const FETCHED_BOOTHOOK: &str = "/opt/bin/boothook.sh";
/// The record of a successful `fetch`: channel and seconds.
pub const EARLY_FETCH: &str = "/run/aks-node-controller/early-fetch.json";
/// The directory of the VM's agent, which leaves the keys of protected settings there.
pub const AGENT_DIRECTORY: &str = "/var/lib/waagent";
/// The classic command that a provisioner has read and runs.
pub const RUNNING_COMMAND: &str = "/run/aks-node-controller/command.sh";
/// The log of the controller.
pub const CONTROLLER_LOG: &str = "/var/log/azure/aks-node-controller.log";
/// The directory from which the guest agent collects events.
pub const EVENTS: &str = "/var/log/azure/Microsoft.Azure.Extensions.CustomScript/events";
/// The script with which the boothook and the unit start the controller.
pub const LAUNCHER: &str = "/opt/azure/containers/aks-node-controller-launcher.sh";
/// The script with which the boothook loads the programs into the page cache.
pub const PRELOAD: &str = "/opt/azure/containers/provision_preload.sh";

/// Files and directories with values that can be secret: shared secrets, keys, kubeconfigs, registries and proxies.
pub const WITH_SECRETS: [&str; 19] = [
    CONFIGURATION,
    COMMAND,
    SECOND_BOOTHOOK,
    AZURE_JSON,
    SERVICE_PRINCIPAL,
    "/etc/kubernetes/certs",
    BOOTSTRAP_KUBECONFIG,
    KUBECONFIG,
    "/var/lib/kubelet/pki",
    "/var/lib/kubelet/config.json",
    "/etc/oras/config.yaml",
    "/root/.docker/config.json",
    "/etc/environment",
    "/etc/systemd/system.conf.d/proxy.conf",
    "/etc/apt/apt.conf.d/95proxy",
    "/etc/apt/auth.conf",
    "/etc/apt/auth.conf.d",
    "/etc/cni/net.d",
    "/etc/default/secure-tls-bootstrap",
];
