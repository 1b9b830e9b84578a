//! The extension's configuration or handler, its timeout, or an extension other than the node's.

use super::Publisher::{CustomScript, GitHub, GuestAgent, Learn};
use super::{Failure, Layer, check};

const fn row(reason: &'static str) -> Failure {
    super::failure(Layer::Extension, reason)
}

pub(super) static FAILURES: &[Failure] = &[
    row("ExtensionCommandTwice")
        .source(CustomScript, "main/handlersettings.go")
        .cause("The command of the extension is in its public and in its protected settings: it must be in one of them only")
        .any(&[
            "was specified both in public and protected settings",
            "were specified both in public and protected settings",
            "specified both in public and protected",
            "'commandtoexecute' and 'script' were both specified",
            "commandtoexecute and script are both specified",
            "both commandtoexecute and script",
        ])
        .checks(&[check::HANDLER, check::EXTENSIONS]),
    row("ExtensionCommandMissing")
        .source(CustomScript, "main/handlersettings.go")
        .cause("The settings of the extension have no command: commandToExecute is missing or empty")
        .any(&[
            "'commandtoexecute' is not specified",
            "commandtoexecute is empty or invalid",
            "'commandtoexecute' and 'script' were not specified",
            "either commandtoexecute or script must be specified",
            "neither commandtoexecute nor script",
            "commandtoexecute is not specified",
            "'commandtoexecute' or 'script' is not specified",
            "'commandtoexecute' was not specified",
            "missing commandtoexecute",
        ])
        .checks(&[check::EXTENSIONS]),
    row("ExtensionBlocksOperations")
        .source(Learn, "troubleshoot/azure/virtual-machines/windows/error-messages")
        .cause("An extension of the VM is in a failed state, and Azure holds other operations on the VM back: remove the extension, or set it again")
        .near(&["since vm has extension", "since the vm has extension", "has extensions in failed state"], &["in failed state"])
        .checks(&[check::EXTENSIONS, check::HANDLER]),
    row("ExtensionsDisallowed")
        .source(GuestAgent, "azurelinuxagent/ga/exthandlers.py")
        .since("2.10.0.8")
        .cause("Extensions are not allowed on this VM: allowExtensionOperations is false, or a policy file of the agent lacks the extension")
        .azure(&["allowextensionoperations\": false", "allowextensionoperations\":false", "allowextensionoperations: false", "allowextensionoperations=false", "allowextensionoperations is false", "allowextensionoperations property", "allowextensionoperations is set to false", "allow_extension_operations = false", "allow_extension_operations is", "allow_extension_operations` cannot", "extension operations are disallowed", "is not specified as an allowed extension", "extension will not be processed", "waagent_policy.json", "will not be processed since extension processing is disabled"])
        .checks(&["See the setting: `az vmss show -g NODE_GROUP -n SCALE_SET --query virtualMachineProfile.osProfile.allowExtensionOperations`", "See the policy: `cat /etc/waagent_policy.json`"]),
    row("AgentPolicyInvalid")
        .source(GuestAgent, "azurelinuxagent/ga/policy/policy_engine.py")
        .cause("The policy file of the guest agent is not valid, so it processes no extension")
        .any(&["[invalidpolicyerror]", "policy file does not conform to valid json syntax", "unable to read or load policy file"])
        .near(&["customer-provided policy file ("], &["is invalid"])
        .reported_by(&["ExtensionsDisallowed"])
        .checks(&["See it: `sudo cat /etc/waagent_policy.json`", check::WAAGENT]),
    row("ExtensionVersionNotFound")
        .source(Learn, "troubleshoot/azure/virtual-machines/windows/error-messages")
        .cause("The extension, or the requested version of it, does not exist in this region or from this publisher")
        .azure(&["artifactnotfound", "artifactversionnotfound", "could not be found in the extension repository", "no version found in the artifact repository", "vmartifactrepositoryinternalerror", "vm extension handlers failed to resolve", "failed to find the latest version for the extension"])
        .checks(&["List the versions: `az vm extension image list -l LOCATION --publisher PUBLISHER -o table`", check::EXTENSIONS]),
    row("ExtensionHandlerTwice")
        .source(GitHub, "Azure/azure-cli/issues/33751")
        .cause("The VM or scale set already has an extension of this handler: Linux accepts one for each handler, so change that one")
        .azure(&["vmextensions per handler not supported", "does not support multiconfig but crp expects it"])
        .checks(&[check::EXTENSIONS]),
    row("ExtensionSettingsRefused")
        .source(CustomScript, "main/handlersettingscommon.go")
        .since("2.0.8")
        .cause("The handler of the extension rejects its settings: a property is unknown, has the wrong type, is duplicate or not JSON")
        .azure(&["enable failed: failed to get configuration", "failed to get configuration: error reading", "failed to get configuration: invalid", "failed to parse protected settings", "failed to decode script: "])
        // What the extensions in Go share.
        .any(&["error parsing handler settings", "error reading handler settings"])
        .checks(&[check::HANDLER, check::EXTENSIONS]),
    row("ExtensionSettingsNotDecrypted")
        .source(CustomScript, "main/handlersettingscommon.go")
        .since("2.1.0")
        .cause("The handler of the extension cannot decrypt its protected settings: their certificate is not in `/var/lib/waagent`, or `openssl` fails")
        .any(&["decrypting protected settings with", "failed to decrypt protected settings", "settings with smime command failed"])
        .checks(&["See the certificates: `sudo ls -l /var/lib/waagent/*.crt /var/lib/waagent/*.prv`", check::WAAGENT, check::HANDLER]),
    row("ExtensionSettingsInvalid")
        .source(CustomScript, "main/handlersettings.go")
        .symptom("The settings of the extension are not valid: a property is unknown, has the wrong type, or is not JSON")
        .any(&[
            "invalid public settings json",
            "invalid protected settings json",
            "json validation error",
            "failed to get configuration",
            "invalid handler configuration",
            "invalid configuration: '",
            "error reading extension configuration",
            "failed to parse settings",
            "unmarshal json for handler settings",
            "error unmarshalling",
            "unable to parse settings",
            "failed to decrypt",
            "decrypting protected settings",
            "'script' field could not be decoded",
            "failed to decode script",
        ])
        .azure(&["decrypt protected settings", "handlersettings has protected settings but no cert thumbprint", "wrong runtimesettings count", "failed to decompress script", "only one of 'clientid' or 'objectid'", "must not be specified with 'managedserviceidentity'", "both 'storageaccountname' and 'storageaccountkey'", "the script's length ("])
        .on_azure()
        .named(&["fileuris", "additional property"])
        .checks(&[check::HANDLER, check::EXTENSIONS]),
    row("ExtensionPolicyForbids")
        .source(CustomScript, "main/cmds.go")
        .since("2.1.19")
        .cause("The policy file of the extension does not allow the script, or is not valid")
        .any(&["extension policy settings", "invalid policy settings: ", "against policy-allowlist"])
        .unless(&["loaded extension policy settings", "extension policy settings file does not exist, proceeding"])
        .checks(&["See the policy: `sudo ls /var/lib/waagent/Microsoft.Azure.Extensions.CustomScript-*/config`", check::HANDLER]),
    row("ExtensionDownloadFailed")
        .source(CustomScript, "main/files.go")
        .cause("The extension could not download a file of its settings: the URL, its access or the network is wrong")
        .any(&[
            "failed to download file",
            "failed to download all specified files",
            "failed to download response and write to file",
            "downloading file failed",
        ])
        .azure(&["processing file downloads failed", "unexpected status code: actual=", "unable to get managed identity", "failed to generate sas key for blob", "failed to initialize azure storage client", "customscript failed to download", "failed to download file: http request", "please ensure that the specified managed identity has read permissions", "unable to download the msi"])
        .on_azure()
        .checks(&[check::HANDLER]),
    row("ExtensionHandlerCannotRun")
        .source(GitHub, "Azure/custom-script-extension-linux/issues/202")
        .cause("The program of the extension cannot be executed on the VM: /var/lib/waagent is mounted with noexec, a security policy forbids it, or it is damaged")
        .near(
            &["bin/custom-script-shim", "bin/custom-script-extension"],
            &[": permission denied", "exec format error", ": no such file or directory", ": not found", "cannot execute"],
        )
        .checks(&["See how it is mounted: `findmnt -T /var/lib/waagent -o TARGET,OPTIONS`", check::WAAGENT]),
    row("AgentEndedByItsExtension")
        .source(GitHub, "Azure/custom-script-extension-linux/issues/95")
        .cause("The command of an extension updates, removes or restarts the guest agent, which also ends the command")
        .near(&["walinuxagent"], &["scriptlet failed, signal"])
        .checks(&[check::WAAGENT, check::HANDLER]),
    row("ExtensionNotSupported")
        .source(GitHub, "hashicorp/terraform-provider-azurerm/issues/2303")
        .cause("The extension does not support the operating system of the VM")
        .any(&["extension is not supported on this os", "unsupported operating system", "not a valid application for this os platform"])
        .near(
            &["extension", "handler", "formattedmessage", "enable failed", "install failed"],
            &["os is not supported", "unsupported os", "unsupported distro", "unsupported linux distro", "distribution is not supported"],
        )
        .on_azure()
        .checks(&["See the operating system: `cat /etc/os-release`", check::EXTENSIONS]),
    row("ExtensionFilesNotWritten")
        .source(CustomScript, "main/cmds.go")
        .cause("The handler of the extension could not read or write its files on the VM: the disk is full or read-only, or files were deleted")
        .near(
            &["operation=enable seq=", "enable failed:", "event=\"failed", "vmextension: "],
            &["failed to create data dir", "failed to prepare output directory", "failed to post-process", "failed to write script.sh", "failed to open stdout file", "failed to open stderr file", "cannot find handlerenvironment", "failed to parse handler env", "error examining handlerenvironment", "sequence number", "seqnum: ", "vmextension: "],
        )
        .near(&["[microsoft.", "name=microsoft."], &["no space left on device", "read-only file system"])
        .checks(&[check::DISK, check::HANDLER]),
    row("ExtensionGoalStateInvalid")
        .source(GuestAgent, "azurelinuxagent/common/protocol/extensions_goal_state_from_extensions_config.py")
        .cause("What Azure tells the guest agent about the extensions of the VM contradicts itself, so it processes none: set or remove the extension again")
        .any(&[
            "[extensionsconfigerror]",
            "error parsing extensionsconfig (incarnation",
            "multiple runtimesettings found for the same extension",
            "multiple plugin settings found for the same extension",
            "both runtimesettings and extensionruntimesettings found",
            "extension pluginsettings version mismatch",
            "unknown requested state for extension",
            "please retry again as another operation with updated settings",
        ])
        .near(&["failing gs "], &["as unsupported features found"])
        .reported_by(&["ExtensionHandlerFailed"])
        .checks(&[check::EXTENSIONS, check::WAAGENT]),
    row("ExtensionHandlerNotInstalled")
        .source(GuestAgent, "azurelinuxagent/ga/exthandlers.py")
        .cause("The guest agent could not download or start the handler of the extension")
        .any(&[
            "failed to fetch manifest from all sources",
            "failed fetch manifest",
            "failed to download artifacts",
            "failed to download extension",
            "unable to download handler package",
            "extensiondownloaderror",
            "handler manifest",
            "failed to fetch manifest from all sources",
            "vmextensionhandlerfailed",
            "extension handler failed to start",
            "could not download the plugin",
            "failed to install extension",
            "plugin installation failed",
            "vmextensionnotfound",
            "vm extension image not found",
        ])
        .on_azure()
        .or(&["The agent cannot reach the storage account of the extension, or 168.63.129.16 on port 32526"])
        .azure(&["[extensiondownloaderror]", "failed to retrieve extension manifest", "failed to fetch extensionmanifest", "failed to get ext handler pkgs", "signature validation failed for package '", "[manifestvalidationerror]"])
        .near(&["unable to find version "], &[" in manifest for extension"])
        .checks(&[check::WAAGENT, check::WIRE_SERVER, check::HANDLER]),
    row("ExtensionInternalError")
        .source(Learn, "troubleshoot/azure/virtual-machines/windows/error-messages")
        .symptom("Azure failed with an internal error while it prepared the extensions of the VM: try again, then see which extension has not succeeded")
        .azure(&["vmextensionmanagementinternalerror", "error occurred while processing vm extension '", "errors occurred while preparing the vm extensions"])
        .checks(&[check::EXTENSIONS, check::ACTIVITY]),
    row("ExtensionTimedOut")
        .source(GuestAgent, "azurelinuxagent/ga/extensionprocessutil.py")
        .symptom("The extension did not report a result in time: its command hangs, or the guest agent does not run")
        .any(&[
            "vmextensionprovisioningtimeout",
            "extension provisioning has taken too long to complete",
            "provisioning of vm extension",
            "has timed out. extension",
            "the extension last reported",
            "vmextensionprovisioningtimedout",
            "timeout expired waiting for extension",
            "[extensionerror] timeout",
            "[extensionoperationerror] timeout",
        ])
        .reported_by(&["ExtensionHandlerFailed"])
        .or(&["The guest agent does not run, or cannot reach 168.63.129.16"])
        .leaves_open(&[Layer::Machine, Layer::UserData])
        .checks(&[check::WAAGENT, check::HANDLER, check::CONSOLE]),
    row("ExtensionWaitsForAnother")
        .source(GuestAgent, "azurelinuxagent/ga/exthandlers.py")
        .cause("The extension waits for another one, which failed")
        .any(&[
            "skipping processing of extensions since execution of dependent extension",
            "vmextensiondependencyfailed",
        ])
        .on_azure()
        .named(&["provisionafterextensions", "dependent extension", "depends on extension", "dependency extension"])
        .checks(&[check::EXTENSIONS, check::WAAGENT]),
    row("OtherExtensionFailed")
        .source(Learn, "azure/azure-monitor/agents/azure-monitor-agent-troubleshoot-linux-vm")
        .symptom("Another extension of the VM failed, not the one that provisions the node: its log has the error")
        .any(&[
        ])
        .near(
            &[
                "when processing extension",
                "provisioning of vm extension",
                "extension operation",
                "vm extension '",
                "extension type '",
                "extension:",
                "handler '",
                "extension name",
            ],
            &[
                "omsagent",
                "azuremonitorlinuxagent",
                "azuremonitor",
                "dependencyagent",
                "microsoftmonitoringagent",
                "aksnode'",
                "mde.linux",
                "mdatp",
                "azurepolicy",
                "configurationforlinux",
                "azuresecurity",
                "keyvaultforlinux",
                "networkwatcher",
                "aadsshlogin",
                "aadlogin",
                "linuxdiagnostic",
                "nvidiagpudriver",
                "applicationhealth",
                "diskencryption",
                "guestconfiguration",
                "azurebackup",
                "vmsnapshot",
                "qualys",
                "trendmicro",
                "crowdstrike",
                "capz.",
                "serviceconnector",
                "vmaccess",
                "guestattestation",
                "linuxpatch",
                "azurediskencryption",
                "chefclient",
                "datadog",
                "dynatrace",
                "computeaksl",
            ],
        )
        .named(&["microsoft.enterprisecloud.monitoring", "microsoft.azure.monitor", "microsoft.azure.azuredefenderforservers", "microsoft.guestconfiguration", "microsoft.ostcextensions", "microsoft.azure.security", "microsoft.hpccompute", "microsoft.managedservices", "microsoft.aks.compute"])
        .checks(&[check::EXTENSIONS, "Read its log: `ls /var/log/azure/`"]),
    row("ExtensionStatusNotReadable")
        .source(GitHub, "Azure/WALinuxAgent/issues/898")
        .symptom("The extension wrote no status that the guest agent can read: it ended too early, its disk is full, or its status is not valid")
        .any(&["we couldn't read any status for ", "could not get a valid status from the extension", "was in an incorrect format and the agent could not parse it correctly"])
        .near(&["no such file or directory: '/var/lib/waagent/"], &[".status'"])
        .within(160)
        .checks(&["See it: `sudo ls -l /var/lib/waagent/*/status`", check::DISK, check::WAAGENT])
        .reported_by(&["ExtensionHandlerFailed", "ExtensionFailed", "AgentReportedExtensionError"]),
    row("ExtensionHandlerFailed")
        .source(GuestAgent, "azurelinuxagent/ga/extensionprocessutil.py")
        .symptom("The handler of the extension failed: its command to install, update or enable it ended with an error, or it reported none of the expected states")
        .any(&[
            "vmextensionhandlernotransienterror",
            "the handler for vm extension type",
            "has reported terminal failure for vm extension",
            "with terminal error code '",
            "[extensionerror]",
            "[extension error]",
            "[extensionoperationerror]",
            "failed to get status file",
            "malformed status file",
        ])
        .on_azure()
        // The state of a handler, as the agent writes it.
        .near(&["\"status\": \"notready\"", "\"status\":\"notready\""], &["non-zero exit code: "])
        .unless(&["[extensionerror] timeout", "[extensionoperationerror] timeout"])
        .azure(&["vmextensionhandlernontransienterror", "[extensionoperationerror] non-zero exit code"])
        // The commands of the handlers, behind the code.
        .near(&["non-zero exit code: "], &["bin/custom-script-shim", "-shim enable", "-shim install", "-extension enable", "-extension install"])
        .or(&["The program of the extension is damaged or does not support this operating system", "The agent cannot reach the storage account of the extension, or 168.63.129.16 on port 32526"])
        .checks(&[check::WAAGENT, check::HANDLER, check::EXTENSIONS]),
    row("ExtensionFailed")
        .source(GuestAgent, "azurelinuxagent/ga/exthandlers.py")
        .wrapper("The extension failed, and the message has no exit code of the scripts")
        .any(&[
            "vmssextension",
            "enable failed:",
            "event=\"failed to handle\"",
            "event=\"failed to enable\"",
            "provisioningstate/failed",
            "vmextensionerror",
            "vmextensionenablefailed",
            // A table of `az`: the state, then the publisher.
            "failed microsoft.azure.extensions",
            "error: failed to execute command", "polling vm extension \"", "creating vm aks identifying extension", "updating vm extension \"", "handler status not ready", "extension state failed. this likely means", "extension is still in provisioning state",
        ])
        .azure(&["multiple vm extensions failed to be provisioned", "vmextensionmanagementinternalerror"])
        .near(&["microsoft.compute/virtualmachines/extensions", "/extensions/"], &["failed", "conflict"])
        // The file with the state of an extension.
        .near(&["\"formattedmessage\""], &["\"status\":\"error\"", "\"status\": \"error\""])
        .on_azure()
        .unless(&[
            "provisioningstate/failed/osprovisioning",
            "error code: osprovisioning",
            // The state of a VM has the code of what failed.
            "provisioningstate/failed/vmstarttimedout",
            "provisioningstate/failed/internal",
            "provisioningstate/failed/networking",
            "provisioningstate/failed/allocation",
            "provisioningstate/failed/zonalallocation",
            "provisioningstate/failed/overconstrained",
            "provisioningstate/failed/skunotavailable",
        ])
        .azure(&["failure when processing extension '", "vm has reported a failure when processing extension", "vmextensionprovisioningerror", "reason: bootstrapfailed", "\"reason\":\"bootstrapfailed\"", "\"reason\": \"bootstrapfailed\""])
        .checks(&[check::HANDLER, check::EXTENSIONS, check::DIAGNOSE]),
    row("AgentReportedExtensionError")
        .source(GuestAgent, "azurelinuxagent/ga/exthandlers.py")
        .wrapper("The guest agent reports an error of an extension: its log, and that of the extension, have the reason")
        .any(&["error [microsoft.", "warning [microsoft.", "error event: name=microsoft.", "warning event: name=microsoft."])
        .near(
            &["operation=enable seq=", "operation=install seq=", "operation=update seq=", "operation=disable seq=", "operation=uninstall seq="],
            &["error="],
        )
        .near(
            &["error exthandler", "warning exthandler"],
            &["extensionerror", "extensionoperationerror", "handler status", "op=enable", "op=install", "op=download", "op=update", "op=uninstall", "op=reportstatus", "op=extensionprocessing", "processing extension handlers", "[microsoft.azure.extensions.", ":32526/extensionartifact", "creating extension", "extension package", "extension settings", "extension state", "state for extension", "requested state", "multiconfig", "handlermanifest.json", "manifest file", "package uri", "heartbeat file", "heart beat file", "includes multiple settings", "protected settings is missing", "dependson", "dependencylevel", "extensionmanifest", "extensionsconfig", "extensions.plugins", "failing handler"],
        )
        .checks(&[check::WAAGENT, check::EXTENSIONS]),
];
