//! Fixed places on the node.

/// What cloud-init or Ignition writes and the controller reads.
pub const CONFIGURATION: &str = "/opt/azure/containers/aks-node-controller-config.json";
/// The program that reads it.
pub const CONTROLLER: &str = "/opt/azure/containers/aks-node-controller";
/// The file of the environment of a custom cloud.
pub const CUSTOM_CLOUD_ENVIRONMENT: &str = "/etc/kubernetes/akscustom.json";
/// Where the start script's own output goes.
pub const PROVISION_OUTPUT: &str = "/var/log/azure/cluster-provision-cse-output.log";
/// Readies the node for a cloud of its own; most nodes have none.
pub const INIT_AKS_CLOUD: &str = "/opt/azure/containers/init-aks-cloud.sh";
/// Scripts that the start script sources.
pub const SOURCE: &str = "/opt/azure/containers/provision_source.sh";
/// The same for one distribution.
pub const SOURCE_DISTRO: &str = "/opt/azure/containers/provision_source_distro.sh";
/// Scripts that install packages.
pub const INSTALLS: &str = "/opt/azure/containers/provision_installs.sh";
/// The same for one distribution.
pub const INSTALLS_DISTRO: &str = "/opt/azure/containers/provision_installs_distro.sh";
/// Scripts that write configuration.
pub const CONFIGS: &str = "/opt/azure/containers/provision_configs.sh";
/// Joins the realm of a custom search domain.
pub const CUSTOM_SEARCH_DOMAINS: &str = "/opt/azure/containers/setup-custom-search-domains.sh";
/// Asks for IPv6 addresses on a dual-stack node.
pub const ENABLE_DHCPV6: &str = "/opt/azure/containers/enable-dhcpv6.sh";
/// The unit that runs it.
pub const DHCPV6_SERVICE: &str = "/etc/systemd/system/dhcpv6.service";
/// A classic CSE command, for nodes that are made from one.
pub const NBC_COMMAND: &str = "/opt/azure/containers/aks-node-controller-nbc-cmd.sh";
/// The image's component list.
pub const COMPONENTS: &str = "/opt/azure/components.json";
/// What makes the node; the controller starts it.
pub const START_SCRIPT: &str = "/opt/azure/containers/provision_start.sh";
/// Where the scripts' output goes.
pub const PROVISION_LOG: &str = "/var/log/azure/cluster-provision.log";
/// The result document.
pub const RESULT: &str = "/var/log/azure/aks/provision.json";
/// Says that an attempt ended, well or not, and that [`RESULT`] is complete.
pub const PROVISION_COMPLETE: &str = "/opt/azure/containers/provision.complete";
/// Says that the stage of an image bake ended.
pub const BASE_PREP_COMPLETE: &str = "/opt/azure/containers/base_prep.complete";
/// The result document where the disk does not take it.
pub const VOLATILE_RESULT: &str = "/run/aks-node-controller/provision.json";
/// The marker where the disk does not take it.
pub const VOLATILE_COMPLETE: &str = "/run/aks-node-controller/provision.complete";
/// Locked while a provisioner runs.
pub const LOCK: &str = "/run/aks-node-controller/lock";
/// What the provisioner that holds [`LOCK`], or held it last, says about itself.
pub const STARTED: &str = "/run/aks-node-controller/started.json";
/// The controller's own log.
pub const CONTROLLER_LOG: &str = "/var/log/azure/aks-node-controller.log";
/// Where the guest agent collects events.
pub const EVENTS: &str = "/var/log/azure/Microsoft.Azure.Extensions.CustomScript/events";
/// Starts the controller; the boothook and the unit call it.
pub const LAUNCHER: &str = "/opt/azure/containers/aks-node-controller-launcher.sh";
/// Warms the page cache; the boothook calls it.
pub const PRELOAD: &str = "/opt/azure/containers/provision_preload.sh";
