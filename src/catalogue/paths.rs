//! Paths on the node.

/// The Configuration, which cloud-init or Ignition writes and the controller reads.
pub const CONFIGURATION: &str = "/opt/azure/containers/aks-node-controller-config.json";
/// The classic command with all variables, which a boothook of the reference writes and the controller runs.
pub const COMMAND: &str = "/opt/azure/containers/aks-node-controller-nbc-cmd.sh";
/// A second boothook of the reference, which its CSE command writes and runs.
pub const SECOND_BOOTHOOK: &str = "/opt/azure/containers/boothook.sh";
/// Files that a boothook of the reference brings beside [`COMMAND`], as the `write_files` of a cloud-config.
pub const EXTRA_FILES: &str = "/opt/azure/containers/nodecustomdata.yml";
/// The controller on the image.
pub const CONTROLLER: &str = "/opt/azure/containers/aks-node-controller";
/// Credentials of the cloud provider.
pub const AZURE_JSON: &str = "/etc/kubernetes/azure.json";
/// The secret of the service principal.
pub const SERVICE_PRINCIPAL: &str = "/etc/kubernetes/sp.txt";
/// The kubeconfig that kubelet starts with; has the bootstrap token.
pub const BOOTSTRAP_KUBECONFIG: &str = "/var/lib/kubelet/bootstrap-kubeconfig";
/// The flags of kubelet.
pub const KUBELET_DEFAULTS: &str = "/etc/default/kubelet";
/// The kubeconfig that kubelet writes once it has a certificate.
pub const KUBECONFIG: &str = "/var/lib/kubelet/kubeconfig";
/// The endpoints of a custom cloud.
pub const CUSTOM_CLOUD_ENVIRONMENT: &str = "/etc/kubernetes/akscustom.json";
/// The output of the start script itself.
pub const PROVISION_OUTPUT: &str = "/var/log/azure/cluster-provision-cse-output.log";
/// The script that prepares the node for its cloud, on images that have it.
pub const INIT_AKS_CLOUD: &str = "/opt/azure/containers/init-aks-cloud.sh";
/// Functions that all provisioning scripts use.
pub const SOURCE: &str = "/opt/azure/containers/provision_source.sh";
/// Such functions of the family of the operating system.
pub const SOURCE_DISTRO: &str = "/opt/azure/containers/provision_source_distro.sh";
/// Steps that install programs.
pub const INSTALLS: &str = "/opt/azure/containers/provision_installs.sh";
/// Such functions of the family of the operating system.
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
/// The marker of an image on which the first list of steps has run.
pub const BASE_PREP_COMPLETE: &str = "/opt/azure/containers/base_prep.complete";
/// The result document if the disk is not writable.
pub const VOLATILE_RESULT: &str = "/run/aks-node-controller/provision.json";
/// The marker if the disk is not writable.
pub const VOLATILE_COMPLETE: &str = "/run/aks-node-controller/provision.complete";
/// The lock that a provisioner holds while it runs.
pub const LOCK: &str = "/run/aks-node-controller/lock";
/// The process and the start time of the provisioner that holds [`LOCK`] or held it last.
pub const STARTED: &str = "/run/aks-node-controller/started.json";
/// The log of the controller.
pub const CONTROLLER_LOG: &str = "/var/log/azure/aks-node-controller.log";
/// The directory from which the guest agent collects events.
pub const EVENTS: &str = "/var/log/azure/Microsoft.Azure.Extensions.CustomScript/events";
/// The script with which the boothook and the unit start the controller.
pub const LAUNCHER: &str = "/opt/azure/containers/aks-node-controller-launcher.sh";
/// The script with which the boothook loads the programs into the page cache.
pub const PRELOAD: &str = "/opt/azure/containers/provision_preload.sh";
