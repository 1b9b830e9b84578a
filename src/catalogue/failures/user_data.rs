//! cloud-init or Ignition could not read or use `CustomData`.

use super::Publisher::{CloudInit, GitHub, GuestAgent, Ignition, Systemd};
use super::{Failure, Layer, check};

const fn row(reason: &'static str) -> Failure {
    super::failure(Layer::UserData, reason)
}

/// How the journal and the console name cloud-init.
const CLOUD_INIT: &[&str] = &["cloud-init[", "cloud-init: ", "cloudinit["];

/// How Python shows an exception: with the names of the usual ones, because a word begins where a pattern does.
const EXCEPTIONS: &[&str] = &[
    "error:",
    "exception",
    "attributeerror:",
    "typeerror:",
    "valueerror:",
    "keyerror:",
    "indexerror:",
    "runtimeerror:",
    "oserror:",
    "permissionerror:",
    "filenotfounderror:",
    "importerror:",
    "modulenotfounderror:",
    "unicodedecodeerror:",
    "processexecutionerror",
];

pub(super) static FAILURES: &[Failure] = &[
    row("UserDataCompressedAndDamaged")
        .source(CloudInit, "cloudinit/handlers/__init__.py")
        .cause("CustomData is compressed, and cannot be decompressed: it was cut off, or changed on its way")
        // cloud-init shows the first bytes of what it does not recognize: here the mark of gzip.
        .near(&["unhandled non-multipart"], &["userdata: 'b'\\x1f"])
        .checks(&[check::USER_DATA, check::CLOUD_INIT]),
    row("UserDataEncodedTwice")
        .source(CloudInit, "cloudinit/handlers/__init__.py")
        .cause("CustomData is encoded in base64 twice: what Azure has decoded is base64 again")
        // `#!/`, `#cl`, `Content-`, `MIME-` and the mark of gzip in base64.
        .near(&["unhandled non-multipart"], &["userdata: 'b'iyev", "userdata: 'b'i2ns", "userdata: 'b'q29udgvud", "userdata: 'b'tulnrs", "userdata: 'b'h4si"])
        .checks(&[check::USER_DATA, check::CLOUD_INIT]),
    row("UserDataEmpty")
        .source(CloudInit, "cloudinit/handlers/__init__.py")
        .since("0.7.0")
        .cause("CustomData is empty, or a part of it is: a variable of a template has no value, or the option for it is missing")
        .any(&["empty payload of type"])
        .or(&["cloud-init does not recognize CustomData: its first line is not a known header (#cloud-config, #!, MIME), or it is encoded twice"])
        .checks(&[check::USER_DATA, check::CLOUD_INIT]),
    row("UserDataIncludeFailed")
        .source(CloudInit, "cloudinit/user_data.py")
        .cause("CustomData includes a URL (#include) that cloud-init cannot read: its host is not reachable or known at boot, or answers with an error")
        .near(&["fetching from "], &["resulted in a invalid http code of", "resulted in an invalid http code of"])
        .near(&["user_data.py[warning]", "user_data.py[error]"], &["for url: ", "fetching from ", "max retries exceeded"])
        .checks(&["Ask for it on the node: `curl --verbose --output /dev/null URL`", check::CLOUD_INIT_LOG]),
    row("UserDataPartFailed")
        .source(CloudInit, "cloudinit/handlers/__init__.py")
        .cause("cloud-init could not handle a part of CustomData: its content is not what its type says, or it cannot be written to the disk")
        .any(&["failed calling handler "])
        .checks(&[check::CLOUD_INIT_LOG, check::USER_DATA]),
    row("UserDataNotRecognized")
        .source(CloudInit, "cloudinit/handlers/__init__.py")
        .since("0.6.3")
        .cause("cloud-init does not recognize CustomData: its first line is not a known header (#cloud-config, #!, MIME), or it is encoded twice")
        .any(&[
            "unhandled non-multipart",
            "(text/x-not-multipart) userdata",
            ") userdata: 'b'",
            "unhandled unknown content-type",
            "unhandled content-type",
            "unrecognized user-data header",
            "could not find a valid user-data handler",
        ])
        .or(&["CustomData was not encoded in base64, encoded twice, or a blank or a byte order mark precedes its header"])
        .checks(&[check::USER_DATA, check::CLOUD_INIT]),
    row("BootstrapDataMissing")
        .source(GitHub, "kubernetes-sigs/cluster-api-provider-azure/issues/656")
        .wrapper("Cluster API has no bootstrap data for the machine yet, so it creates no VM: its bootstrap provider is not ready")
        .any(&["bootstrap data secret reference is not yet available", "bootstrap.datasecretname is nil"])
        .near(&["bootstrap provider for machine"], &["is not ready"])
        .or(&["The control plane is not initialized: machines that join wait for it", "The bootstrap provider fails: its log and the conditions of its resource have the reason"])
        .checks(&["See the conditions: `clusterctl describe cluster CLUSTER --show-conditions all`"]),
    row("CloudConfigNotYaml")
        .source(CloudInit, "cloudinit/util.py")
        .since("0.7.0")
        .cause("The cloud-config in CustomData is not valid YAML")
        .any(&[
            "failed at merging in cloud config part",
            "failed loading yaml blob",
            "invalid format at line",
            "failed to load yaml",
            "yaml.scanner.scannererror",
            "yaml.parser.parsererror",
            "unable to merge cloud-config",
            "is not valid cloud-config",
            "loaded yaml blob is not",
            "yaml load allows",
            "cloud-config failed to parse",
        ])
        .near(
            &["yaml blob", "cloud config", "cloud-config"],
            &["scannererror", "parsererror", "could not find expected", "mapping values are not allowed", "found character '\\t'"],
        )
        .checks(&["Check the schema: `sudo cloud-init schema --system`", check::USER_DATA]),
    row("CloudConfigInvalid")
        .source(CloudInit, "cloudinit/config/schema.py")
        .since("17.1")
        .cause("cloud-init does not know a key or value of the cloud-config")
        .any(&[
            "invalid cloud-config provided",
            "cloud config schema errors",
            "invalid user-data",
            "error: cloud config schema",
            "schemavalidationerror",
            "cloud-config failed schema validation",
            "invalid schema: user-data",
            "needs to begin with \"#cloud-config\"",
        ])
        .checks(&["Check the schema: `sudo cloud-init schema --system`"]),
    row("WriteFilesFailed")
        .source(CloudInit, "cloudinit/config/cc_write_files.py")
        .cause("cloud-init could not write a file of CustomData: its content cannot be decoded, its owner does not exist, or the disk is full or read-only")
        .any(&["failed decompressing", "undecodable", "failed to decode base64 content", "unknown encoding type"])
        .near(
            &["write-files", "write_files"],
            &["failed", "error", "traceback", "unable to", "keyerror", "exception", "undecodable", "could not"],
        )
        .near(&["could not decode"], &["write_files", "write-files", "cloud-init", "userdata", "user-data", ".py["])
        .checks(&[check::CLOUD_INIT_LOG, check::DISK]),
    row("BoothookFailed")
        .source(CloudInit, "cloudinit/handlers/boot_hook.py")
        .symptom("The boothook in CustomData failed")
        .any(&["failed to run boothook", "boothook failed"])
        .named(&["boothooks script", "running boothook", "boothooks/part-"])
        .checks(&[check::CLOUD_INIT_LOG, check::USER_DATA]),
    row("UserScriptFailed")
        .source(CloudInit, "cloudinit/config/cc_bootcmd.py")
        .cause("A script or a run command in CustomData failed")
        .any(&[
            "failed to run module scripts-user",
            "failed to run module scripts_user",
            "failed running /var/lib/cloud/instance/scripts",
            "('scripts-user', runtimeerror",
            "('scripts_user', runtimeerror",
            "scripts-user failed",
            "failed to shellify",
            "runparts:",
            "exec format error. missing #! in script",
            "failed to run bootcmd",
            "cc_scripts_user.py[warning]",
        ])
        .near(&["exec format error"], &["/var/lib/cloud/instance"])
        // What a shell writes about a script, with its name.
        .near(
            &["/var/lib/cloud/instance/scripts/", "/var/lib/cloud/instance/boothooks/"],
            &[": command not found", ": not found", ": permission denied", ": syntax error", ": no such file or directory", "bad interpreter", "unbound variable"],
        )
        .named(&["module runcmd", "module bootcmd", "cc_bootcmd", "cc_runcmd", "running scripts-user", "scripts_user.py"])
        // How cloud-init announces a module.
        .unless(&["with frequency "])
        .checks(&["Read its output: `tail -n 50 /var/log/cloud-init-output.log`", check::CLOUD_INIT]),
    row("UserDataTemplateFailed")
        .source(CloudInit, "cloudinit/handlers/jinja_template.py")
        .since("18.4")
        .cause("A Jinja template in CustomData cannot be rendered: a variable is missing, or Jinja is not installed")
        .any(&["ignoring jinja template for", "could not apply jinja template", "unable to render jinja template", "could not render jinja template", "missing required jinja", "failed to render templated user-data"])
        .checks(&["Render it: `sudo cloud-init devel render /var/lib/cloud/instance/user-data.txt`", check::CLOUD_INIT_LOG]),
    row("UserPackagesFailed")
        .source(CloudInit, "cloudinit/config/cc_package_update_upgrade_install.py")
        .cause("cloud-init could not update or install packages: a repository cannot be reached or has no such package")
        .any(&["failure when attempting to install packages", "cc_package_update_upgrade_install.py[warning]", "failed to run module package-update-upgrade-install", "('package-update-upgrade-install',", "('package_update_upgrade_install',", "running module package-update-upgrade-install (", "running module package_update_upgrade_install (", "cc_apt_configure.py[error]"])
        .near(&["[warning]", "cloud-init"], &["package update failed", "package upgrade failed"])
        .checks(&["Read its output: `tail -n 50 /var/log/cloud-init-output.log`", check::CLOUD_INIT]),
    row("UserDisksFailed")
        .source(CloudInit, "cloudinit/config/cc_disk_setup.py")
        .cause("cloud-init could not set up a disk, partition, file system or mount of CustomData")
        .any(&["failed partitioning operation", "activating mounts via 'mount -a' failed", "cc_disk_setup.py[warning]", "cc_mounts.py[warning]", "cc_growpart.py[warning]", "('disk_setup',", "('growpart',", "('mounts',"])
        .near(
            &["failed during filesystem operation", "failed to partition device", "failed to resize filesystem", "failed to set up swap", "failed to setup swap"],
            &["cloud-init", "cloudinit", "cc_", "[warning]", "util.py"],
        )
        .checks(&[check::CLOUD_INIT_LOG, "See the disks: `lsblk -f`"]),
    row("CloudInitDiskFull")
        .source(GitHub, "MicrosoftDocs/SupportArticles-docs/blob/HEAD/support/azure/virtual-machines/linux/linux-fulldisk-boot-error.md")
        .cause("The disk of the operating system is full or read-only, so cloud-init could not write to it")
        .near(&["cloud-init", "cloudinit", "util.py[", "stages.py[", "handlers.py["], &["no space left on device", "read-only file system"])
        .checks(&[check::DISK, check::CLOUD_INIT_LOG]),
    row("NetworkConfigFailed")
        .source(CloudInit, "cloudinit/stages.py")
        .since("17.1")
        .cause("cloud-init could not write or apply the network configuration of the VM")
        .any(&["failed generating fallback network config", "failed generating network config", "failed to bring up network using", "unable to render networking", "available network renderers found", "not all expected physical devices present"])
        .near(&["50-cloud-init.yaml", "['netplan', 'generate']"], &["error in network definition", "invalid yaml", "processexecutionerror"])
        .checks(&["See the addresses: `networkctl; ip -br address`", check::CLOUD_INIT_LOG]),
    row("AccountsFailed")
        .source(CloudInit, "cloudinit/distros/__init__.py")
        .cause("cloud-init could not set the host name, or create or change a user, a group or a password")
        .near(
            &["failed to create user ", "failed to create group ", "failed to set password", "failed to set the hostname to "],
            &[".py[", "cloud-init["],
        )
        .within(200)
        .checks(&[check::CLOUD_INIT_LOG, "See them: `getent passwd; getent group; hostnamectl`"]),
    row("DataSourceNotFound")
        .source(CloudInit, "cloudinit/sources/__init__.py")
        .since("0.5.3")
        .cause("cloud-init found no data source, so it did not read CustomData: the image is not set up for Azure, or the provisioning DVD and the metadata service cannot be read")
        .any(&[
            "datasourcenotfoundexception",
            "could not find data source",
            "no instance datasource found",
            "did not find any data source",
            "datasource datasourcenone",
            "datasourcenone",
            "used fallback datasource",
            "no datasource found",
            "no azure metadata found",
            "could not crawl azure metadata",
            "non-azure dmi",
            "however, the datasource used was",
            "no local datasource",
            "detail: datasourcenone",
            "cloud-init disabled by", "failed to fetch your datasource", "no ds found [mode=",
        ])
        .checks(&[check::CLOUD_INIT, check::IMDS, "See what was detected: `cat /run/cloud-init/ds-identify.log`"]),
    row("CloudInitNotRunning")
        .source(GuestAgent, "azurelinuxagent/pa/provision/cloudinit.py")
        .since("2.2.10")
        .symptom("cloud-init does not run or does not finish on the VM, so the guest agent waits for it: it is disabled, systemd dropped it (ordering cycle), or it cannot read its data source (no udf module)")
        .any(&["cloud-init does not appear to be running", "waiting for cloud-init to copy ovf-env.xml", "error waiting for cloud-init", "cloud-init not running", "ovf-env.xml was not copied to", "cloud-init does not appear to be enabled"])
        .near(&["ordering cycle"], &["cloud-init", "cloud-config", "cloud-final"])
        .checks(&[check::CLOUD_INIT, "See the device: `lsblk -f; modprobe udf`", check::CLOUD_INIT_LOG]),
    row("CustomDataMissing")
        .source(CloudInit, "cloudinit/sources/azure/errors.py")
        .since("26.2")
        .cause("Azure announced CustomData, but cloud-init did not find it on the provisioning media")
        .any(&["failure to read customdata while hascustomdata=true", "did not find custom data in", "imds reports custom data should be present"])
        .checks(&[check::CLOUD_INIT_LOG, check::CLOUD_INIT]),
    row("ProvisioningMediaMissing")
        .source(CloudInit, "cloudinit/sources/DataSourceAzure.py")
        .since("0.7.3")
        .cause("The provisioning DVD cannot be mounted (no udf module, or no device), so CustomData was not read")
        .any(&[
            "unable to find provisioning media",
            "failure: provisioning media",
            "provisioning media is not found",
            "provisioning media not found",
            "failed to mount provisioning",
            "no ovf-env.xml",
            "ovf-env.xml not found",
            "error mounting ovf",
            " was not mountable",
            "unknown filesystem type 'udf'",
            "fatal: module udf not found",
        ])
        .checks(&["See the device: `lsblk -f; modprobe udf`", check::CLOUD_INIT_LOG]),
    row("ProvisioningMediaInvalid")
        .source(CloudInit, "cloudinit/sources/azure/errors.py")
        .since("24.1")
        .cause("The file ovf-env.xml of the provisioning DVD, which has CustomData, is not valid XML or lacks what cloud-init expects, so CustomData was not read")
        .any(&["error parsing ovf-env.xml", "unexpected metadata parsing ovf-env.xml", "unexpected error parsing ovf-env.xml"])
        .near(&["invalid xml: "], &["ovf", "azure", "provisioning"])
        .checks(&["See the file, without showing its values: `sudo xmllint --noout /var/lib/waagent/ovf-env.xml`", check::CLOUD_INIT_LOG]),
    row("ProxyAgentFails")
        .source(CloudInit, "cloudinit/sources/azure/errors.py")
        .since("24.3")
        .cause("The VM may read its metadata only through the guest proxy agent, as its security profile says, and the image lacks this agent or it does not start")
        .any(&["azure-proxy-agent not found", "azure-proxy-agent status failure", "failed to activate azure guest proxy agent"])
        .checks(&["See whether the VM asks for it: `az vm show --ids VM_ID --query securityProfile.proxyAgentSettings`", "See the agent on the VM: `systemctl status azure-proxy-agent`", check::CLOUD_INIT]),
    row("MetadataUnavailable")
        .source(CloudInit, "cloudinit/sources/azure/errors.py")
        .cause("cloud-init or Ignition cannot read the metadata service 169.254.169.254: the network is not up, or a route or rule diverts the traffic")
        .any(&[
            "failure to find primary dhcp interface",
            "connection timeout querying imds",
            "read timeout querying imds",
            "timeout querying imds",
            "unexpected error querying imds",
            "unexpected metadata parsing imds",
            "error parsing imds",
            "http error querying imds",
            "connection error querying imds",
            "imds connection errors",
            "failed to fetch metadata from imds",
            "failure: failed to obtain dhcp",
            "did not find a fallback interface",
            "failure to identify azure vm id",
            "failed to obtain dhcp lease",
            "failure to find dhcp interface",
            "failure: host shutting down",
            "nodhcplease",
            "dhcp client not found",
            "no dhcp lease",
            "no such file or directory: 'dhclient'",
            "failed to crawl azure metadata", "invalid imds metadata for key=", "reason=failure to obtain dhcp lease", "imds network metadata is missing", "imds network metadata has incomplete", "interface not found for dhcp", "failed to bring up ephemeralipnetwork", "dhclient did not produce expected files", "failed to construct ovf from imds", "bad userdata in imds", "could not retrieve pps configuration from imds", "unable to obtain a dhcp lease", "no lease found; using default endpoint", "libazureinit::imds: retrying",
        ])
        .near(
            &["169.254.169.254", "imds"],
            &[
                "connection timed out",
                "timed out",
                "i/o timeout",
                "read timeout",
                "connect timeout",
                "connection timeout",
                "client.timeout",
                "timeout was reached",
                "timeout of ",
                "timeouterror",
                "timeout waiting",
                "connection refused",
                "no route to host",
                "network is unreachable",
                "failed to fetch metadata",
                "ignoring imds",
                "unable to reach",
                "http error querying",
                "connection error",
                "failed to crawl",
                "connecttimeout",
                "max retries exceeded",
            ],
        )
        .near(&["http error 4", "http error 5"], &["querying imds"])
        // A drop-in of the kubelet, in the state of its unit.
        .unless(&["imds query failed", "ensure-imds-restriction"])
        .named(&["libazureinit::imds"])
        .units(&["azure-proxy-agent"])
        .checks(&[check::IMDS, "See the routes: `ip route; ip route get 169.254.169.254`"]),
    row("MetadataAgentFails")
        .source(GitHub, "coreos/afterburn/blob/HEAD/src/providers/microsoft/azure/mod.rs")
        .symptom("The program that reads the VM's metadata and reports that it is ready (afterburn, azure-init) fails")
        .near(
            &["afterburn[", "coreos-metadata[", "azure-init["],
            &["error: ", "failed", "caused by:", "timed out", "unable to"],
        )
        .near(&["azure_init", "libazureinit"], &["provisioning failed", "error ", "failed"])
        .units(&["afterburn", "afterburn-checkin", "afterburn-firstboot-checkin", "coreos-metadata", "azure-init"])
        .checks(&["Read its log: `journalctl -t afterburn -t azure-init --boot --no-pager`", check::IMDS]),
    row("IgnitionConfigInvalid")
        .source(Ignition, "internal/exec/engine.go")
        .cause("The Ignition configuration in CustomData is not valid, or of a version that this Ignition does not support")
        .any(&[
            "not a config (no version found)",
            "not a config (found coreos cloudconfig)",
            "not a config (found coreos cloud-config)",
            "not a config (found script)",
            "not a config (found",
            "incorrect config version",
            "unknown config version",
            "user data is not an ignition config",
            "ignition failed: config is not valid",
            "failed to fetch config: config is not valid",
            "error at line 1, column", "merging configs resulted in an invalid config", "failed to parse cached config",
        ])
        .near(&["ignition["], &["error at line "])
        .or(&["The scripts' form of CustomData (cloud-config) was given to an operating system that runs Ignition"])
        .near(&["failed to parse config", "error parsing config", "config is not valid", "invalid config version", "unsupported config version", "couldn't parse config", "could not parse config", "config is too old", "unable to translate the config", "error at $."], &["ignition", "customdata", "custom data", "user.ign", "config.ign", "coreos", "flatcar", "butane"])
        .checks(&[check::IGNITION_CHECK, check::IGNITION]),
    row("IgnitionFetchFailed")
        .source(Ignition, "internal/providers/azure/azure.go")
        .cause("Ignition could not fetch its configuration or a file that it refers to")
        .any(&[
            "failed to fetch config",
            "failed to acquire config",
            "ignition failed to",
            "fetch: failed",
            "ignition-fetch.service: failed",
            "failed to start ignition-fetch",
            "failed to start ignition (fetch)",
            "failed to retrieve userdata from imds",
            "failed to fetch user config",
            "failed to get user data",
            "unable to fetch config",
            "no config found in the provider",
            "not a config (empty)",
            "error fetching file",
            "failed to fetch resource",
            "failed to open config device",
            "timed out while fetching config", "does not appear to be a config drive"])
        .near(
            &["ignition["],
            &["get error:", "get result: not found", "get result: forbidden", "get result: unauthorized", "get result: bad request", "get result: gone", "get result: conflict", "get result: internal server error", "get result: bad gateway", "get result: service unavailable", "get result: gateway timeout", "get result: proxy authentication required", "failed to resolve", "i/o timeout", "no such host"],
        )
        .named(&["config device"])
        .checks(&[check::IGNITION, check::IMDS]),
    row("IgnitionHashMismatch")
        .source(Ignition, "internal/util/verification.go")
        .since("0.4.0")
        .cause("A file that Ignition fetched is not the expected one: its hash differs")
        .any(&["hash verification failed (got", "hash verification failed (calculated", "error verifying file \""])
        .checks(&[check::IGNITION, check::IGNITION_CHECK]),
    row("IgnitionFailed")
        .source(Ignition, "internal/exec/stages/files/filesystemEntries.go")
        .cause("Ignition could not apply its configuration: disks, files, users or units")
        .any(&[
            "ignition-files.service: failed",
            "ignition-disks.service: failed",
            "ignition-mount.service: failed",
            "failed to start ignition (",
            "failed to start ignition-",
            "dependency failed for ignition",
            "ignition failed",
            "ignition has failed. please ensure your config is valid",
            "failed to create files",
            "create partitions failed",
            "partitioning failed",
            "failed to create users/groups",
            "ignition encountered an error",
            "displaying logs from failed units: ignition",
            "ignition finished with errors",
            "failed to create units", "a file exists there already and overwrite is false", "a non-directory already exists there and overwrite is false", "is not of the correct type, label, or uuid (found", "specified as nonexistant and wipepartitionentry is false"])
        .near(&["ignition-"], &["main process exited", "failed with result"])
        .near(&["ignition"], &["files: failed", "disks: failed"])
        .named(&["ignition: stage", "ignition_config"])
        .units(&["ignition-setup", "ignition-fetch", "ignition-fetch-offline", "ignition-kargs", "ignition-disks", "ignition-mount", "ignition-files"])
        .checks(&[check::IGNITION, check::CONSOLE]),
    row("IgnitionOperationFailed")
        .source(Ignition, "internal/exec/stages/disks/partitions.go")
        .symptom("An operation of Ignition failed: a disk, file system, file or unit of its configuration")
        .near(&["ignition["], &["critical : ", "[failed] ", "error : ", "emergency: ", "unable to "])
        // How it ends an operation, in a log that is cut off.
        .any(&["): [failed] "])
        .checks(&[check::IGNITION, check::IGNITION_CHECK]),
    row("IgnitionWaits")
        .source(GitHub, "flatcar/Flatcar/issues/1297")
        .symptom("Ignition waits for its configuration, a file or a device that it cannot get")
        .near(&["job ignition-"], &[".service/start running"])
        .or(&["The metadata service or the provisioning DVD cannot be read"])
        .checks(&[check::CONSOLE, check::IGNITION]),
    row("CloudInitFailed")
        .source(Systemd, "src/core/unit.c")
        .symptom("cloud-init failed: a module or its data source failed with an error")
        .any(&[
            "failed to start initial cloud-init job",
            "failed to start cloud-init",
            "failed to start execute cloud user/final scripts",
            "failed to start apply the settings specified in cloud-config",
            "dependency failed for cloud-config availability",
            "cloud-init status: error",
            "extended_status: error",
            "extended_status: degraded",
            "unable to consume user-data",
            "cloud-init failed with exit code",
            "failed to run module",
            "stages.py[error]",
            "result=error|reason=",
            "reported failure to azure fabric",
            "can not apply stage",
            "cannot apply stage",
            "boot_status_code: disabled",
            "cloud-init is disabled",
            "likely bad things to come", "consuming user data failed", "failed to finalize handler", "failed to register handler from", "could not find module named cc_", "reason=unhandled exception", "failed to initialize, likely", "failed to create netlink socket", "error while waiting for vnet switch", "no instance directory is available",
        ])
        .near(
            &["cloud-init.service", "cloud-init-local.service", "cloud-init-main.service", "cloud-init-network.service", "cloud-config.service", "cloud-final.service"],
            &["failed with result", "main process exited", "entered failed state", "start operation timed out", ": failed"],
        )
        .near(&["running module "], &[") failed"])
        // The events of its stages.
        .near(&["finish: modules-", "finish: init-", "finish: azure-ds"], &[": fail: "])
        .near(&["main.py[debug]: ran "], &["modules with 1 failures", "modules with 2 failures", "modules with 3 failures"])
        .near(
            &["cloud-init", "cloudinit"],
            &["traceback (most recent call last)", "[warning]", "[error]", "[critical]", "status: error"],
        )
        .named(&["agent=cloud-init/", "cloudinit/stages.py"])
        .units(&["cloud-init", "cloud-init-local", "cloud-init-main", "cloud-init-network", "cloud-config", "cloud-final"])
        .checks(&[check::CLOUD_INIT, check::CLOUD_INIT_LOG]),
    row("CloudInitStatusError")
        .source(CloudInit, "cloudinit/cmd/status.py")
        .symptom("cloud-init ended with an error")
        .near(
            &["status: error", "\"status\": \"error\"", "'status': 'error'", "status: degraded"],
            &["boot_status_code", "last_update", "recoverable_errors", "datasource", "errors:", "detail:"],
        )
        .near(&["cloud-init status --wait"], &["non-zero exit status", "exit status", "exit code", "failed"])
        .checks(&[check::CLOUD_INIT, check::CLOUD_INIT_LOG]),
    row("InterfacesNotRenamed")
        .source(CloudInit, "cloudinit/stages.py")
        .since("0.7.7")
        .symptom("cloud-init could not give the network interfaces of the VM the names that their configuration asks for")
        .any(&["failed to rename devices: "])
        .checks(&["See the interfaces: `ip -br link; networkctl`", check::CLOUD_INIT_LOG]),
    row("CloudInitWarned")
        .source(CloudInit, "cloudinit/config/cc_bootcmd.py")
        .wrapper("cloud-init reports a warning or an error: its log has what precedes it")
        // The format of its log: the file of the program, and the level.
        .near(CLOUD_INIT, EXCEPTIONS)
        .near(CLOUD_INIT, &["[errno", "failed", "traceback"])
        // Its status, without its first line.
        .any(&[".py[warning]: ", ".py[error]: ", ".py[critical]: ", "warning cloudbaseinit", "error cloudbaseinit", "critical cloudbaseinit", "recoverable_errors: warning: - ", "recoverable_errors: error: - "])
        // A traceback of it.
        .near(&["/cloudinit/"], EXCEPTIONS)
        .checks(&[check::CLOUD_INIT_LOG, check::CLOUD_INIT]),
];
