//! Checks that several codes share, with commands in backticks.

pub(super) const REASON: &str = "Read the reason: `jq -r .Error /var/log/azure/aks/provision.json`";
pub(super) const LOG: &str = "Read the last steps: `tail -n 50 /var/log/azure/cluster-provision.log`";
pub(super) const FETCH: &str = "Download it by hand: `curl -fsSLv -o /dev/null URL`";
pub(super) const RESOLVE: &str = "Resolve the host: `nslookup HOST`";
pub(super) const DISK: &str = "Check the disk: `df -h / /var/lib/containerd; df -i /`";
pub(super) const CONTAINERD_LOG: &str = "Read why: `journalctl --unit=containerd --boot --no-pager --lines=50`";
pub(super) const CONTAINERD_CHECK: &str = "Check the configuration: `containerd config dump >/dev/null`";
pub(super) const KUBELET_LOG: &str = "Read why the kubelet exits: `journalctl --unit=kubelet --boot --no-pager \
    --lines=50`";
pub(super) const LOCK_HOLDER: &str = "Find the process that holds the lock: `fuser -v /var/lib/dpkg/lock-frontend`";
pub(super) const PACKAGE_LOG: &str = "Read the errors of the package manager: `grep -E \"^(E|W|Err|Error):\" /var/log/azure/cluster-provision.log | \
     tail`";
pub(super) const RULES: &str = "List the cache rules: `az acr cache list -r REGISTRY -o table`";
pub(super) const ROLES: &str =
    "List the roles: `az role assignment list --assignee CLIENT_ID --scope REGISTRY_ID -o table`";
pub(super) const ORAS_LOG: &str = "Read the messages of oras: `grep -i oras /var/log/azure/cluster-provision.log | \
    tail`";
pub(super) const METADATA: &str = "Query the metadata service: `curl -s -H Metadata:true --noproxy \"*\" \
    \"http://169.254.169.254/metadata/instance?api-version=2021-02-01\"`";
pub(super) const METADATA_ROUTE: &str =
    "See routes and rules: `ip route get 169.254.169.254; iptables -S | grep 169.254.169.254`";
pub(super) const GPU_LOG: &str = "Read the messages of the kernel: `dmesg | grep -iE \"nvrm|xid|nvidia|module \
    verification\"`";
pub(super) const KILLER: &str = "Look for killed processes: `dmesg | grep -i \"killed process\"`";
pub(super) const MOUNT: &str = "See how it is mounted: `findmnt /; dmesg | tail -n 50`";
pub(super) const MOK_STATE: &str = "See the state of secure boot: `mokutil --sb-state`";
pub(super) const IDENTITIES: &str = "List the identities: `az vmss identity show -g NODE_GROUP -n SCALE_SET`";
pub(super) const CONTROLLER_LOG: &str =
    "Read the log of the controller: `tail -n 50 /var/log/azure/aks-node-controller.log`";

pub(super) const DOWNLOAD: &[&str] = &[REASON, FETCH, RESOLVE];
pub(super) const PULL: &[&str] = &[RULES, ROLES, ORAS_LOG];
