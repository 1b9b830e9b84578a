//! The node's scripts failed, but the text has none of their exit codes. Codes: `catalogue::exit_codes`.

use super::Publisher::{AgentBaker, GitHub, Systemd};
use super::{Failure, Layer, check};

const fn row(reason: &'static str) -> Failure {
    super::failure(Layer::Provisioning, reason)
}

/// Texts of a node and its scripts: package managers, curl and installers of drivers write the same messages on any machine.
const NODE: &[&str] = &[
    "/opt/azure/",
    "aks",
    "acs-engine",
    "vmss",
    "cluster-provision",
    "provision_",
    "cloud-init",
    "cse_",
    "k8s-",
    "kubelet",
    "kubectl",
    "kubernetes",
    // Packages of the kernel of Ubuntu's images for Azure.
    "linux-azure",
    "docker-engine",
    "moby-",
    "walinuxagent",
    // Names of the scripts.
    "apt-get-update.out",
    "apt_get_update",
    "apt_get_install",
    "apt_get_dist_upgrade",
    "retrycmd_",
    "dnf_install",
    "dnf_update",
    "dnf_makecache",
    "acs-mirror.azureedge.net",
    "packages.aks.azure.com",
    "aptdocker.azureedge.net",
];

/// Archives of other clouds.
const OTHER_ARCHIVES: &[&str] =
    &[".ec2.archive.ubuntu.com", ".gce.archive.ubuntu.com", "docker build", "dockerfile", "github actions", "runner"];

/// How the node's scripts are named in the journal and in their log.
const SCRIPTS: &[&str] = &[
    "provision.sh[",
    "provision_start.sh",
    "cse_main.sh",
    "cse_start.sh",
    "cse_install",
    "cluster-provision",
    "/opt/azure/containers/",
];

pub(super) static FAILURES: &[Failure] = &[
    row("PackageLockHeld")
        .source(GitHub, "Azure/aks-engine/issues/1612")
        .cause("Another process holds the lock of the package manager: unattended-upgrades, cloud-init or another extension, or dpkg was interrupted")
        .any(&[
            "could not get lock /var/lib/dpkg/",
            "could not get lock /var/lib/apt/",
            "could not get lock /var/cache/apt/",
            "unable to acquire the dpkg frontend lock",
            "dpkg frontend lock",
            "dpkg frontend is locked",
            "dpkg status database is locked",
            "unable to lock directory /var/lib/apt/",
            "unable to lock the administration directory",
            "dpkg was interrupted, you must manually run",
            "rpm database is locked",
            "waiting for release of apt locks",
            "is another process using it?",
        ])
        .needs(NODE)
        .unless(OTHER_ARCHIVES)
        .checks(&["See who holds it: `fuser -v /var/lib/dpkg/lock-frontend /var/lib/apt/lists/lock; systemctl list-timers apt-daily*`", check::DIAGNOSE]),
    row("PackageRepositoryInconsistent")
        .source(AgentBaker, "parts/linux/cloud-init/artifacts/ubuntu/cse_helpers_ubuntu.sh")
        .cause("A package repository is not consistent or not trusted: its index is being changed, its signing key was replaced or is missing, or a proxy changes what it returns")
        .any(&[
            "hash sum mismatch",
            "no_pubkey",
            "the following signatures were invalid",
            "the following signatures couldn't be verified",
            "file has unexpected size",
            "clearsigned file isn't valid",
            "is no longer signed",
            "does not have a release file",
            "no longer has a release file",
            "release file for",
            "repomd.xml gpg signature verification error",
            "bad gpg signature",
            "gpg signature verification error",
            "gpg check failed",
            "error(1515)",
            "error(1606)",
            "error: gpg",
            "gpg error: http",
        ])
        .near(&["the repository '"], &["is not signed"])
        .needs(NODE)
        .unless(OTHER_ARCHIVES)
        .checks(&["Update by hand: `apt-get update || dnf makecache`", check::DIAGNOSE]),
    row("PackageRepositoryUnreachable")
        .source(AgentBaker, "parts/linux/cloud-init/artifacts/ubuntu/cse_helpers_ubuntu.sh")
        .cause("A package repository cannot be reached: a firewall, proxy, route or DNS server blocks it")
        .any(&[
            "e: failed to fetch",
            "w: failed to fetch",
            "failed to fetch http",
            "unable to fetch some archives",
            "some index files failed to download",
            "temporary failure resolving '",
            "could not connect to azure.archive.ubuntu.com",
            "cannot initiate the connection to",
            "gnutls recv error",
            "failed to download metadata for repo",
            "cannot download repomd.xml",
            "failed to synchronize cache for repo",
            "curl error (",
            "error: failed to download",
        ])
        .near(&["apt.dockerproject.org", "packages.microsoft.com", "archive.ubuntu.com", "security.ubuntu.com", "download.docker.com"], &["timeout", "timed out", "could not resolve", "could not connect", "unable to connect", "connection refused"])
        .needs(NODE)
        .unless(OTHER_ARCHIVES)
        .checks(&["Reach it: `curl -sS -m 5 -o /dev/null https://packages.microsoft.com; apt-get update`", check::RESOLVE, check::DIAGNOSE]),
    row("PackageNotInstalled")
        .source(AgentBaker, "parts/linux/cloud-init/artifacts/ubuntu/cse_helpers_ubuntu.sh")
        .cause("A package cannot be installed: its repository lacks it or its version, or its own scripts or dependencies fail")
        .any(&[
            "e: unable to locate package",
            "e: package '",
            "has no installation candidate",
            "e: sub-process /usr/bin/dpkg returned an error code",
            "dpkg: error processing",
            "errors were encountered while processing:",
            "the following packages have unmet dependencies",
            "unmet dependencies. try",
            "e: held packages were changed",
            "no match for argument:",
            "unable to find a match:",
            "error(1011) :",
            "error(1525) :",
            "error(1032) :",
            "error(1301) :",
            "error(1304) :",
            "rpm transaction failed",
            "more space needed on the / filesystem",
            "more space on the / filesystem",
        ])
        .near(&["e: version '"], &["was not found"])
        .needs(NODE)
        .unless(OTHER_ARCHIVES)
        .checks(&["Try it: `apt-get install --simulate PACKAGE || dnf install --assumeno PACKAGE`", check::DIAGNOSE]),
    row("WindowsScriptsFailed")
        .source(GitHub, "MicrosoftDocs/SupportArticles-docs/blob/HEAD/support/azure/azure-kubernetes/create-upgrade-delete/windows-cse-error-check-api-server-connectivity.md")
        .cause("The scripts of a Windows node failed: their codes have other meanings than those of Linux nodes")
        .any(&["windows_cse_error", "type 'customscriptextension'", "c:\\azuredata\\cse", "c:\\azuredata\\windows", "aka.ms/vmextensioncsewindowstroubleshoot", "command execution finished, but failed because it returned a non-zero exit code of"])
        .checks(&["Read their log on the node: `Get-Content C:\\AzureData\\CustomDataSetupScript.log -Tail 50`"]),
    row("ProgramNotOnImage")
        .source(GitHub, "Azure/karpenter-provider-azure/issues/1441")
        .cause("A program that the scripts of the node call is not on the image")
        .near(
            &[
                "/opt/azure/containers/",
                "provision.sh",
                "provision_source",
                "cse_main.sh",
                "cse_helpers.sh",
                "cse_install.sh",
                "cse_config.sh",
            ],
            &[": command not found"],
        )
        .checks(&["See what the image has: `sudo aks-node-controller diagnose --facts FACTS.json`", check::DIAGNOSE]),
    row("LocalDnsFailed")
        .source(AgentBaker, "parts/linux/cloud-init/artifacts/localdns.sh")
        .cause("The DNS server of the node, localdns, does not start or does not resolve names: its Corefile, its address 169.254.10.10 or the DNS server behind it")
        .any(&[
            "localdns failed to",
            "failed to restart localdns",
            "failed to start localdns",
            "enable localdns failed",
            "localdns.service: failed with result",
            "localdns.service: main process exited",
            "localdns.service: start request repeated too quickly",
            "failed to regenerate localdns corefile",
            "replacing azurednsip in corefile failed",
            "failed to decode and write corefile",
            "no corefile selected",
            "failed to determine default route interface during variable",
            "unable to determine the default route interface",
            "failed to determine network file during variable", "mappings found in temporary hosts file", "entries in temporary hosts file", "temporary hosts file /etc/localdns", "neither localdns_corefile", "coredns_binary_path is not set", "localdns_core_file is not set", "localdns_slice_file is not set", "network_dropin_dir is not set", "azure_dns_ip is not set", "waiting for coredns to create pid file", "localdns_critical_fqdns is not set"])
        .near(&["localdns.corefile:", "updated.localdns.corefile:"], &["error during parsing: "])
        .near(&["localdns"], &["timed out waiting for", "is empty or not", "failed with result", "does not exist", "failed to create"])
        .units(&["localdns", "aks-localdns-hosts-setup"])
        .checks(&["Read its log: `journalctl --unit=localdns --boot --no-pager --lines=50`", "Ask it: `dig @169.254.10.10 mcr.microsoft.com`"]),
    row("ScriptsOutOfTime")
        .source(AgentBaker, "parts/linux/cloud-init/artifacts/cse_helpers.sh")
        .cause("The node's scripts ran longer than their limit: a download or a wait for the network took too long")
        .any(&["cse has been running for", "cse timeout approaching", "no cse time remaining"])
        .near(&["operation budget of", "apt_get_install budget of"], &["exceeded"])
        .checks(&["Read the last steps: `tail -n 50 /var/log/azure/cluster-provision.log`", check::DIAGNOSE]),
    row("CertificatesNotFetched")
        .source(AgentBaker, "parts/linux/cloud-init/artifacts/init-aks-cloud.sh")
        .cause("The node's scripts could not read certificates from the wire server 168.63.129.16")
        .any(&["wireserver unreachable for cert opt-in check", "certificates from wireserver after retries", "wireserver unreachable after retries for", "wireserver request failed (http", "wireserver error response:", "failed to install rcv1p ca certificates", "*.crt files in /root/azurecacertificates"])
        .near(&["no response received or request failed for", "exhausted all retries for"], &["comp=acmspackage", "machine?comp="])
        .reported_by(&["WireServerUnreachable"])
        .checks(&[check::WIRE_SERVER, check::DIAGNOSE]),
    row("GpuDriverNotInstalled")
        .source(AgentBaker, "parts/linux/cloud-init/artifacts/cse_config.sh")
        .cause("The node's scripts could not install the GPU driver")
        .any(&["failed to install gpu driver, exiting", "cannot select gpu driver", "failed to determine gpu driver type", "unable to install amd ama", "unable to find amd ama", "unable to install azure linux amd package repo", "unable to install azure linux packages required for amd ama", "is only supported on ubuntu, not "])
        .checks(&["See the driver: `nvidia-smi; tail -n 50 /var/log/azure/nvidia-installer.log`", check::DIAGNOSE]),
    row("GpuDriverNotBuilt")
        .source(GitHub, "Azure/acs-engine/issues/3839")
        .cause("The GPU driver could not be built or loaded for the kernel of the node: kernel headers, compiler and version of the driver do not fit")
        .any(&[
            "error: failed to run `/usr/sbin/dkms",
            "error: failed to install the kernel module through dkms",
            "error: unable to load the kernel module 'nvidia",
            "error: unable to find the kernel source tree",
            "error: unable to open 'kernel/dkms.conf'",
            "error: the kernel module failed to load",
            "error: an error occurred while performing the step: \"building kernel modules\"",
            "error: an error occurred while performing the step: \"checking to see whether the nvidia kernel module",
            "modprobe: fatal: module nvidia",
            "error: installation has failed. please see the file '/var/log/nvidia-installer.log'", "could not insert 'nvidia"])
        .near(&["dkms"], &["(bad exit status:", "bad return status for module build"])
        .needs(&["azure", "/opt/azure/", "aks", "vmss", "cluster-provision", "/usr/local/nvidia/nvidia-drivers-", "k8s-"])
        .unless(&["nvidia-driver-daemonset", "gpu-operator"])
        .checks(&["Read its log: `tail -n 50 /var/log/nvidia-installer.log; dkms status; uname -r`", check::DIAGNOSE]),
    row("RegistryLoginFailed")
        .source(AgentBaker, "parts/linux/cloud-init/artifacts/cse_helpers.sh")
        .cause("The node's scripts could not log in to the container registry from which they install: its token, the kubelet's identity or its role is wrong, or the registry cannot be reached")
        .any(&["failed to login to acr '", "failed to obtain tokens with all endpoints", "failed to retrieve kubelet identity token from imds", "failed to get access token with endpoint", "failed to retrieve refresh token with endpoint", "failed to parse refresh token with endpoint", "not found in token permissions"])
        .checks(&["Check the registry: `az aks check-acr -g GROUP -n CLUSTER --acr REGISTRY`", check::IMDS, check::DIAGNOSE]),
    row("NodePackagesFailed")
        .source(AgentBaker, "parts/linux/cloud-init/artifacts/ubuntu/cse_install_ubuntu.sh")
        .cause("The node's scripts could not download or install packages: a repository or registry cannot be reached, or lacks the version")
        .any(&["apt-get update failed to find all sources", "failed to oras cp", "failed to oras pull", "failed to pull sysext image", "dnf_makecache failed after retries", "versions (non-retryable error)", "versions due to repo metadata error", "failed to find cached deb file for", "failed to find cached rpm file for", "failed to locate cached containerd deb", "repo metadata error", "apt-get update timed out after", "batch install failed, falling back", "not a valid local repository", "kubelet_update failed", "apt_get_update_with_opts failed", "dnf_update failed", "failed to update apt cache from local repo", "failed to update dnf cache for local repository", "kubelet binary not found in the downloaded package", "kubelet executable not found at", "failed to install aks-secure-tls-bootstrap-client", "failed to download kubelet package", "neither microsoft-prod.list nor", "package but it is required. exiting", "is not available. please manually check if the url", "it should have been pre-downloaded during vhd build"])
        .near(
            &["failed to find valid ", "install from cache failed for "],
            &["kubelet", "kubectl", "containerd", "azure-acr-credential-provider", "aks-secure-tls-bootstrap-client", "cri-tools"],
        )
        .near(&["failed to locate ", "failed to find downloaded "], &[" binary in ", " deb", " rpm", " sysext at ", "usr/bin/kube"])
        .near(&["package from registry"], &["oras", "kubelet", "kubectl", "containerd", "azure", "microsoft"])
        .near(&["oras"], &["failed to fetch", "401 unauthorized", "i/o timeout", "connection refused", "no such host"])
        .near(&["error response from registry"], &["/oss/binaries/", "/aks/packages/", "/acl/gpu/"])
        .near(&["system extension"], &["failed to download", "failed to find valid"])
        .near(&["failed to install"], &["from local repo", "from bootstrap profile registry"])
        .checks(&["Reach the registry: `curl -sS -m 5 https://mcr.microsoft.com/v2/`", check::DIAGNOSE]),
    row("NodeDownloadFailed")
        .source(AgentBaker, "parts/linux/cloud-init/artifacts/cse_helpers.sh")
        .symptom("A host that the node's scripts download from cannot be reached, or refuses: a firewall, route, proxy or DNS server blocks it")
        // The scripts show what curl and oras wrote only after a failure.
        .any(&["cat /tmp/curl_verbose.out", "cat /tmp/oras_verbose.out", "this endpoint is required for kubernetes operations against"])
        .near(&["error: failed to curl "], &["attempts with returned status code"])
        .near(
            &["curl: (", "nc: connect to "],
            &[
                "packages.aks.azure.com",
                "acs-mirror.azureedge.net",
                "mcr.microsoft.com",
                "packages.microsoft.com",
                "kubernetesartifacts.azureedge.net",
                "aptdocker.azureedge.net",
                "mobyartifacts.azureedge.net",
                "/opt/azure/containers/",
                "provision_source",
                "cluster-provision",
            ],
        )
        // oras, for the programs of a node.
        .near(&["response status code 4", "response status code 5"], &["/oss/binaries/", "/aks/packages/"])
        .or(&["A proxy or firewall replaces the certificate of the host, and its CA is not in `custom_ca_certs`"])
        .checks(&["Reach the host: `curl -sSv -m 10 -o /dev/null https://packages.aks.azure.com`", check::RESOLVE, check::DIAGNOSE]),
    row("NodeDnsFailed")
        .source(AgentBaker, "parts/linux/cloud-init/artifacts/cse_helpers.sh")
        .cause("The node's scripts cannot resolve names: the DNS servers of the virtual network do not answer")
        .any(&["error: failed to test dns resolution to ", "failed to resolve root domain", "dns configuration was not refreshed within timeout", " reached, nslookup -timeout="])
        .near(&["failed to resolve domain"], &["microsoft", "azure", "azmk8s"])
        .near(&["nslookup -timeout="], &["failed"])
        .checks(&["See the servers: `resolvectl status`", check::RESOLVE]),
    row("NodeImagesNotPulled")
        .source(AgentBaker, "parts/linux/cloud-init/artifacts/cse_config.sh")
        .cause("The node's scripts could not pull or import a container image: the registry cannot be reached, or the image is not there")
        .any(&["failed to recognize pod infra container image", "timed out pulling image ", "failed to find mcr images for retag", "failed to import mcr.microsoft.com"])
        .near(&["failed to pull image"], &["using crictl, exit code", "using ctr, exit code", "using docker, exit code"])
        .checks(&["Reach the registry: `curl -sS -m 5 https://mcr.microsoft.com/v2/`", check::PULL]),
    row("NodeMetadataNotRead")
        .source(AgentBaker, "parts/linux/cloud-init/artifacts/cse_helpers.sh")
        .cause("The node's scripts could not read the metadata service 169.254.169.254")
        .any(&["failed to fetch imds instance metadata", "imds cache file not found", "cannot get imds token", "from imds cache", "imds instance metadata cache exists but is invalid"])
        .checks(&[check::IMDS, "See the routes: `ip route get 169.254.169.254`"]),
    row("SecondaryNetworkFailed")
        .source(AgentBaker, "parts/linux/cloud-init/artifacts/cse_config.sh")
        .cause("The node's scripts could not set up a network interface of the node")
        .any(&["failed to apply netplan config for secondary nics", "failed to reload networkd for secondary nics", "failed to restart systemd-networkd for secondary nics", "failed to set ring parameters for", "unable to apply desired settings"])
        .checks(&["See the addresses: `networkctl; ip -br address`", check::DIAGNOSE]),
    row("ServiceNotStarted")
        .source(AgentBaker, "parts/linux/cloud-init/artifacts/cse_helpers.sh")
        .symptom("A service that the node's scripts start does not start (containerd, the kubelet, or another one): its own log has the reason")
        // What the scripts write.
        .any(&["containerd did not become ready", "could not be enabled by systemctl", "could not be enqueued for startup"])
        .near(&["containerd", "kubelet", "docker", "localdns", "nvidia-", "provision.sh["], &["could not be started"])
        .within(40)
        .checks(&["See what failed: `systemctl --failed`", "Read its log: `journalctl --unit=SERVICE --boot --no-pager --lines=50`", check::DIAGNOSE]),
    row("TdnfFails")
        .source(GitHub, "vmware/tdnf/blob/HEAD/include/tdnferror.h")
        .cause("The package manager of Azure Linux (tdnf) fails in the node's scripts: a repository cannot be reached, its data or a signature is not accepted, or the database of packages is damaged")
        // The format of its errors, whose numbers have four digits.
        .near(SCRIPTS, &["error(10", "error(11", "error(12", "error(13", "error(14", "error(15", "error(16", "error(20"])
        .checks(&["See the repositories: `tdnf repolist; cat /etc/yum.repos.d/*.repo`", "Reach one: `curl -sSI -m 10 https://packages.microsoft.com/azurelinux/3.0/prod/base/x86_64/repodata/repomd.xml`", check::DIAGNOSE]),
    row("NodeArchiveDamaged")
        .source(AgentBaker, "parts/linux/cloud-init/artifacts/cse_install.sh")
        .cause("An archive that the node's scripts unpack is missing, cut off or damaged: its download failed, or a proxy answered with a page of its own")
        .near(SCRIPTS, &["tar: error is not recoverable: exiting now", "tar: unexpected eof in archive", "tar: this does not look like a tar archive", "gzip: stdin: unexpected end of file", "gzip: stdin: not in gzip format", "gzip: stdin: invalid compressed data", "tar: child returned status "])
        .unless(&["no space left on device"])
        .checks(&["See the downloads: `ls -l /opt/*/downloads; file /opt/*/downloads/*`", check::DIAGNOSE]),
    row("ScriptsDiskFull")
        .source(AgentBaker, "parts/linux/cloud-init/artifacts/cse_install.sh")
        .cause("The disk of the node is full or read-only, so its scripts cannot install programs or write files")
        .near(SCRIPTS, &["no space left on device", "read-only file system"])
        .reported_by(&["NodeScriptsFailed", "NodeDiskFull"])
        .checks(&[check::DISK, check::DIAGNOSE]),
    row("ServiceNotInstalled")
        .source(Systemd, "src/systemctl/systemctl-enable.c")
        .cause("A service that the node's scripts start is not installed: the image lacks it, or an earlier step failed")
        .near(SCRIPTS, &["failed to enable unit: unit file ", "unit file containerd.service does not exist", "unit file kubelet.service does not exist", "unit containerd.service not found", "unit containerd.service could not be found"])
        .checks(&["See the units: `systemctl list-unit-files containerd.service kubelet.service`", check::DIAGNOSE]),
    row("NodeDocumentRefused")
        .source(AgentBaker, "aks-node-controller/app.go")
        .cause("The program aks-node-controller could not read its document or command: CustomData did not write the file, or its version is one that the program of this image does not know")
        .near(
            &["aks-node-controller failed", "aks-node-controller exited with error"],
            &["open provision file ", "unsupported version: ", "nbc command file "],
        )
        .checks(&["See the files: `ls -l /opt/azure/containers/`", check::CLOUD_INIT, check::VALIDATE]),
    row("ScriptsNotStarted")
        .source(AgentBaker, "aks-node-controller/app.go")
        .cause("The scripts could not be started: the program that the error names is missing, not executable, or of another architecture")
        // The result and the log of the controller. No script ends with this code.
        .any(&["\"exitcode\": \"-1\"", "\"exitcode\":\"-1\"", "\"exitcode\": -1", "\"exitcode\":-1"])
        .needs(&["\"execduration\"", "\"task\":\"provision\""])
        .or(&["A signal ended the scripts, which AKS's own controller records in the same way: the machine was shut down, or memory ran out"])
        .checks(&["See the programs: `ls -l /bin/bash /opt/azure/containers`", "See what ended them: `journalctl --boot --no-pager --grep 'Killed process|oom'`", check::DIAGNOSE]),
    row("NodeScriptsFailed")
        .source(AgentBaker, "aks-node-controller/app.go")
        .symptom("A script of the node failed: its log has the step")
        .any(&["times; giving up (last exit status", "ensurekubeletcgrouphierarchy: failed", "provision.json does not exist", "err_cse", "cse failed with", "provision failed: exitcode=", "failed to read provision.json", "failed to write provision.json", "failed to stat provision.complete", "missing exitcode in provision.json", "failed to start ssh service after configuration changes", "cannot both be true", "vnet_cni_plugins_url is not set"])
        .near(
            &[
                "/opt/azure/containers/",
                "provision.sh",
                "provision_start.sh",
                "cse_main.sh",
                "cse_start.sh",
                "aks-node-controller",
                "cluster-provision.log",
            ],
            &[
                "failed",
                "no such file",
                "permission denied",
                "command not found",
                "syntax error",
                "unbound variable",
                "error:",
                "exited with",
            ],
        )
        .near(&["node config "], &["could not be parsed", "has no api_server_config"])
        .units(&["aks-node-controller", "aks-check-network", "update_certs", "update_certs_mariner", "disk_queue", "ensure-no-dup", "ipv6_nftables", "ci-syslog-watcher", "reconcile-private-hosts", "resolv-uplink-override", "measure-tls-bootstrapping-latency", "dhcpv6", "block-wireserver"])
        .checks(&["Read the last steps: `tail -n 50 /var/log/azure/cluster-provision.log`", check::DIAGNOSE]),
];
