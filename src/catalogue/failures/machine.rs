//! The VM exists, but never reported: Azure's codes for a VM that does not start, kernels, and the guest agent.

use super::Publisher::{CloudInit, GitHub, GuestAgent, Learn, Linux, NodeProblemDetector, Systemd};
use super::{Failure, Layer, check};

const fn row(reason: &'static str) -> Failure {
    super::failure(Layer::Machine, reason)
}

const NO_WIRE_SERVER: &str = "The guest agent cannot reach Azure's wire server 168.63.129.16 (ports 80 and 32526): a rule, route or proxy blocks it";

pub(super) static FAILURES: &[Failure] = &[
    row("SystemPartitionDamaged")
        .source(Linux, "drivers/md/dm-verity-target.c")
        .cause("The read-only partition of the operating system does not match its hashes (dm-verity): its disk or image is damaged, or was changed")
        .any(&["dm-verity device corrupted"])
        .near(&["device-mapper: verity: "], &[" is corrupted"])
        // Telephones have the same.
        .needs(&["hyper-v", "virtual machine", "azure", "azl3", "aks", "flatcar"])
        .checks(&[check::CONSOLE, "Replace it: `az vmss reimage -g NODE_GROUP -n SCALE_SET --instance-ids 0`"]),
    row("MachineOutOfMemory")
        .source(Linux, "mm/oom_kill.c")
        .cause("The kernel panicked because the memory of the VM ran out, and it found no process that it may end")
        .any(&["system is deadlocked on memory", "out of memory and no killable processes", "panic_on_oom is enabled"])
        .checks(&[check::CONSOLE, "Take a larger VM size: `az vmss show -g NODE_GROUP -n SCALE_SET --query sku.name`"]),
    row("RootDiskMissing")
        .source(Linux, "init/do_mounts.c")
        .cause("The kernel or its initramfs does not find the disk or partition of the root file system: the disk does not appear, its driver is missing from the initramfs, or the boot options name another one")
        .any(&["vfs: cannot open root device", "gave up waiting for root", "can't find root device", "no root device specified"])
        .near(&["alert! uuid=", "alert! partuuid=", "alert! label=", "alert! /dev/"], &["does not exist"])
        .checks(&[check::CONSOLE, "Compare in a rescue VM: `grep -h root= /boot/grub*/grub.cfg; lsblk -f`"]),
    row("KernelPanic")
        .source(GitHub, "MicrosoftDocs/SupportArticles-docs/blob/HEAD/support/azure/virtual-machines/linux/linux-kernel-panic-troubleshooting.md")
        .cause("The kernel panicked at boot: the image, its initramfs or a kernel option is broken")
        .any(&["kernel panic - not syncing", "end kernel panic", "unable to mount root fs", "not syncing: attempted to kill init", "attempted to kill init! exitcode", "kernel panic - ", "sysrq: trigger a crash", "sysrq : trigger a crash", " not syncing: "])
        .checks(&[check::CONSOLE]),
    row("FileSystemDamaged")
        .source(Systemd, "src/fsck/fsck.c")
        .cause("A file system of the VM is damaged: an earlier write to its disk failed, and it has to be checked and repaired")
        // ext4, when it is mounted, of the journal of an earlier mount.
        .any(&["filesystem error recorded from previous mount", "marking fs in need of filesystem check", "unexpected inconsistency; run fsck", "run fsck manually"])
        // The disk of a pod's volume, which the driver of the volume checks.
        .unless(&["mountvolume.mountdevice", "could not format /dev/", "'fsck' found errors on device"])
        .checks(&[check::CONSOLE, "Repair it in a rescue VM: `fsck -y DEVICE`", check::REDEPLOY]),
    row("BootMountFailed")
        .source(Systemd, "units/emergency.service.in")
        .cause("A file system of `/etc/fstab` cannot be mounted at boot, so the system stops in emergency mode: its disk is not there, or its type is not supported")
        .any(&["dependency failed for local file systems", "failed to mount /boot"])
        .checks(&[check::CONSOLE, "Compare them in a rescue VM: `cat /etc/fstab; lsblk -f`"]),
    row("BootStopped")
        .source(GitHub, "tianocore/edk2/blob/HEAD/MdeModulePkg/Universal/BdsDxe/BdsEntry.c")
        .cause("The operating system does not boot: it stops in the boot loader, the initramfs or emergency mode")
        .any(&[
            "grub rescue>",
            "entering rescue mode...",
            "dracut-initqueue timeout",
            "warning: dracut-initqueue",
            "alert! uuid=",
            "gave up waiting for root",
            "dracut:/#",
            "(initramfs)",
            "no bootable device",
            "boot failed: pxe",
            "dependency failed for local file systems",
            "an error occurred during the file system check",
            "unexpected inconsistency; run fsck",
            "no boot device",
            "no bootable option or device was found",
            "minimal bash-like line editing is supported",
            "superblock checksum does not match",
            "bad shim signature",
            "secure boot violation",
            "virtualmachinefailedtosecureboot",
            "preventing the virtual machine from booting securely",
            "you need to load the kernel first",
            "verification failed: (0x1a) security violation",
            // shim, whose version the firmware revoked.
            "verifying shim sbat data failed",
            "sbat self-check failed",
            "the signed image's hash is not allowed",
            "image hash and certificate are not allowed", "the boot loader did not load an operating system", "no operating system was loaded", "a boot image was not found", "start pxe over ipv", "error: no such partition", "error: unknown filesystem", "failed to start switch root", "failed to mount /sysroot", "failed to mount /boot", "failed to mount sysroot", "switch_root: failed", "can't find root device", "no root device specified", "failed to start file system check on", "you might want to save \"/run/initramfs/rdsosreport.txt\"", "generating \"/run/initramfs/rdsosreport.txt\"", "mount: can't find uuid", "run fsck manually", "not a correct xfs inode", "failed to load selinux policy", "dracut emergency shell", "failed to start udev kernel device manager", "vfs: cannot open root device", "bdsdxe: no bootable option", "dracut warning: ", "dracut: fatal", "dracut: refusing to continue", "giving up: no such file or directory", "[!!!!!!] ", "systemd[1]: freezing execution", "grub-core/", "mount: /sysroot: "])
        .near(&["dracut-initqueue["], &["does not exist", "could not boot"])
        .near(&["error: file `/", "error: symbol `grub", "error: disk `", "error: file '/"], &["not found"])
        .near(&["/grub/grub.cfg", "/grub2/grub.cfg"], &["corrupt", "no such file", "syntax error"])
        .unless(&["mountvolume.mountdevice", "could not format /dev/", "'fsck' found errors on device"])
        .checks(&[check::CONSOLE]),
    row("EmergencyMode")
        .source(GitHub, "kernelci/kernelci-project/issues/267")
        .symptom("The operating system does not boot: it stops in emergency mode, and earlier lines of the console name the failed unit")
        .any(&[
            "you are in emergency mode",
            "entering emergency mode",
            "give root password for maintenance",
            "reached target emergency mode",
            "started emergency shell",
            "cannot open access to console, the root account is locked", "welcome to emergency mode", "dependency failed for initrd", "failed to start initrd"])
        .or(&["A disk of the VM does not appear, or its file system is damaged", "Ignition failed"])
        .units(&["initrd-switch-root", "initrd-parse-etc", "initrd-cleanup", "systemd-fsck-root", "dracut-cmdline", "dracut-initqueue", "dracut-pre-mount", "dracut-mount", "dracut-pre-pivot"])
        .checks(&[check::CONSOLE]),
    row("SystemExtensionRefused")
        .source(Systemd, "src/sysext/sysext.c")
        .symptom("No system extension is merged, such as the programs of Kubernetes on Flatcar: their images are for another version or architecture of the system")
        .any(&["no suitable extensions found ("])
        .checks(&["See them: `systemd-sysext status; ls -l /etc/extensions /var/lib/extensions`", "Compare: `cat /usr/lib/extension-release.d/extension-release.* /etc/os-release`"]),
    row("BootUnitFailed")
        .source(Systemd, "units/systemd-sysext.service")
        .wrapper("A unit that the operating system starts at boot failed: earlier lines of the console, or its own log, have the reason")
        // Its description: names of units are cut in the middle.
        .any(&["failed to merge system extension images", "failed to start merge system extension images"])
        // The node may not need this file system.
        .near(&["failed to mount "], &[".mount' for details", ".mount\" for details"])
        .units(&["systemd-sysext", "systemd-confext", "systemd-sysusers", "systemd-repart", "systemd-modules-load", "systemd-remount-fs", "systemd-udevd", "systemd-udev-settle", "systemd-udev-trigger", "systemd-tmpfiles-setup", "systemd-tmpfiles-setup-dev", "systemd-growfs-root", "systemd-machine-id-commit", "ensure-sysext"])
        .checks(&[check::CONSOLE, "See what failed: `systemctl --failed`"]),
    row("BootWaitsForPassphrase")
        .source(GitHub, "Azure/azure-linux-extensions/issues/564")
        .cause("The VM waits at its console for the passphrase of an encrypted disk: Azure Disk Encryption did not provide its key")
        .any(&["please enter passphrase for disk"])
        // Laptops ask the same, but not for these.
        .needs(&["virtual_disk", "osencrypt", "azure", "aks", "vmss", "hyper-v"])
        .checks(&[check::CONSOLE, "See the encryption: `az vm encryption show -g NODE_GROUP -n VM`"]),
    row("EncryptedDiskLocked")
        .source(Systemd, "src/shared/tpm2-util.c")
        .cause("The encrypted disk cannot be unlocked at boot: the virtual TPM does not release its key, because the firmware, the boot loader or Secure Boot changed, or the disk belongs to another VM")
        .any(&["failed to unseal secret using tpm2", "tpm policy does not match current system state", "failed to start cryptography setup for"])
        .near(&["failed to start systemd-cryptsetup@"], &["cryptography setup for"])
        // Laptops have the same.
        .needs(&["aks-", "azure", "vmss", "hyper-v", "microsoft corporation"])
        .checks(&[check::CONSOLE, check::REDEPLOY]),
    row("BootWaitsForDevice")
        .source(GitHub, "gardenlinux/gardenlinux/issues/4173")
        .symptom("The operating system does not boot: it waits for a disk that does not appear")
        .any(&["timed out waiting for device"])
        .near(&["job dev-"], &[".device/start", "start running (", "start timed out", "tart running ("])
        .checks(&[check::CONSOLE]),
    row("KernelCrashed")
        .source(NodeProblemDetector, "config/kernel-monitor.json")
        .since("0.3.0")
        .cause("The kernel of the VM crashed: an error in the kernel or a driver")
        .any(&[
            "bug: kernel null pointer dereference",
            "unable to handle kernel",
            "bug: unable to handle page fault",
            "kernel bug at ",
            "oops: 0000 [#",
            "oops: general protection",
            "general protection fault: 0000 [#",
            // Since 5.6, with the address.
            "general protection fault, probably for ",
            "general protection fault, maybe for address ",
            "double fault: 0000 [#",
            "internal error: synchronous external abort",
            "oops: 0002 [#", "oops: 0010 [#", "divide error: 0000 [#", "internal error: oops",
        ])
        // Of any server: only one of Azure, or one that runs pods, is meant.
        .near(&["bug: soft lockup", "watchdog detected hard lockup"], &["azure", "hyperv", "hyper-v", "hv_", "waagent", "serial console"])
        .near(&["rcu_sched", "rcu_preempt", "rcu: info: rcu"], &["detected stall", "self-detected stall", "detected expedited stalls"])
        .checks(&[check::CONSOLE, "See its version, and take another image: `uname -r`"]),
    row("ImageNotGeneralized")
        .source(GitHub, "microsoft/azure-pipelines-tasks/issues/9549")
        .wrapper("The image is not prepared for new VMs (not generalized): the agent runs, but provisioning does not finish")
        .any(&[
            "has not been properly prepared to be used as a vm image",
            "guest agent was detected running. this suggests",
            "osprovisioninginternalerror",
        ])
        .or(&["The VM boots slowly, or its agent cannot report to 168.63.129.16"])
        .checks(&[check::CONSOLE, check::INSTANCE]),
    row("OSProvisioningTimedOut")
        .source(Learn, "troubleshoot/azure/virtual-machines/windows/error-messages")
        .wrapper("The VM started, but its provisioning agent did not report in time: it does not boot, has no network, or cannot reach 168.63.129.16")
        .any(&[
            "osprovisioningtimedout",
            "did not finish in the allotted time",
            "os provisioning for vm",
            "os provisioning has not completed",
            "osprovisioningtimeout",
            "virtualmachineprovisioningtimedout",
            "virtual machine provisioning failed due to problems with the guest os",
            "make sure the image has been properly prepared (generalized)",
        ])
        .or(&["The image is not prepared for new VMs (not generalized)", "cloud-init or Ignition failed before it could report that the VM is ready"])
        .checks(&[check::CONSOLE, check::WIRE_SERVER, check::CLOUD_INIT]),
    row("OSProvisioningClientError")
        .source(Learn, "azure/virtual-machines/states-billing")
        .wrapper("The provisioning agent of the VM reported a failure: cloud-init, the agent or the image could not be set up")
        .any(&["osprovisioningclienterror", "osprovisioningerror", "os provisioning failed for vm", "os provisioning failed", "provisioning failed. os provisioning", "ssh host key generation failed. error details", "username specified for the vm is invalid for this linux distribution"])
        .checks(&[check::CONSOLE, check::CLOUD_INIT]),
    row("VMStartTimedOut")
        .source(Learn, "troubleshoot/azure/virtual-machines/windows/error-messages")
        .wrapper("Azure could not start the VM in time: its host or its disk does not respond, or it does not boot")
        .any(&["vmstarttimedout", "vm start timed out", "did not start in the allotted time", "vmstartfailed", "vmoperationtimedout", "vmredeploymenttimedout", "failed to start vm", "vmstarterror"])
        .checks(&[check::CONSOLE, check::INSTANCE]),
    row("GuestAgentDisabled")
        .source(GuestAgent, "azurelinuxagent/pa/provision/default.py")
        .since("2.2.32")
        .cause("The guest agent is switched off on the VM: it was created without the agent, or a file disables it")
        .any(&["disabling guest agent in accordance with ovf-env.xml", "disabling the guest agent by sleeping forever"])
        .checks(&["See its settings: `az vmss show -g NODE_GROUP -n SCALE_SET --query virtualMachineProfile.osProfile.linuxConfiguration.provisionVMAgent`", check::WAAGENT]),
    row("GuestAgentDiskFull")
        .source(GuestAgent, "azurelinuxagent/daemon/main.py")
        .cause("The disk of the VM is full or read-only, so the guest agent cannot work")
        .near(&["error daemon", "warning daemon", "error exthandler", "warning exthandler", "waagent["], &["no space left on device", "read-only file system"])
        // The programs of extensions are below it.
        .unless(&["/var/lib/waagent/microsoft.", "error exthandler exthandler event: name=", "operation=enable", "operation=install"])
        .checks(&[check::DISK, check::WAAGENT]),
    row("GuestAgentFails")
        .source(GuestAgent, "azurelinuxagent/daemon/main.py")
        .symptom("The guest agent itself fails: its program, Python, OpenSSL or update is broken")
        .any(&[
            "daemon ended with exception -- sleep",
            "failed to get openssl version",
            "walinuxagent.service: failed with result",
            "walinuxagent.service: main process exited",
            "waagent.service: failed with result",
            "waagent.service: main process exited",
            "failed to start azure linux agent",
            "did not terminate cleanly",
            "no matching package found in the agent manifest",
        ])
        .near(&["walinuxagent-"], &["failed with exception"])
        .near(&["azurelinuxagent", "waagent"], &["traceback (most recent", "modulenotfounderror", "importerror"])
        .near(
            &["walinuxagent.service", "waagent.service", "waagent -daemon"],
            &["code=exited, status=1", "(result: exit-code)", "failed (result", "inactive (dead)"],
        )
        .near(
            &["/var/lib/waagent/certificates", "/var/lib/waagent/transport"],
            &["error command", "return code", "error exthandler", "is missing", "failed to create"],
        )
        // The programs of extensions are below it.
        .unless(&["/var/lib/waagent/microsoft.", "dodhcpwork"])
        .units(&["walinuxagent", "waagent"])
        .checks(&[check::WAAGENT, "See its state: `systemctl status walinuxagent waagent`"]),
    row("VMAgentNotReporting")
        .source(GuestAgent, "azurelinuxagent/common/protocol/wire.py")
        .symptom("The guest agent does not run or does not report: it is missing, stopped, or cannot reach 168.63.129.16")
        .any(&[
            "vmagentstatuscommunicationerror",
            "vm agent is unable to communicate with the azure agent service",
            "has not reported status for vm agent or extensions",
            "vm agent is not ready",
            "vm status blob is found but not yet populated",
            "vm status blob not found",
            "failed to report vm agent status",
            "failed to upload status blob",
            "failed to get status blob type",
            "provisioningstate/unavailable",
            "vmstatus blob",
            "vmagentnotready",
            "guestagentstatus/unresponsive",
            "vm guest agent is not responding",
            "vmagentunavailable",
            "vmagentisnotready",
            "guestagentnotinstalled",
            "vmextensionmanagementagent",
            "the vm agent may not be installed", "hostgapluginserviceclient is not initialized", "error state triggered for caller:gapluginpinger", "reporting ready failed", "reporting notready failed", "unable to send status reports", "the vm agent is not running", "vm agent is not installed",
        ])
        .unless(&["osprovisioningtimedout"])
        .or(&[NO_WIRE_SERVER])
        .near(&["vm agent"], &["not reporting", "unavailable", "not responding"])
        .checks(&[check::WAAGENT, check::WIRE_SERVER, check::CONSOLE]),
    row("WireServerUnreachable")
        .source(CloudInit, "cloudinit/sources/helpers/azure.py")
        .since("0.7.7")
        .cause(NO_WIRE_SERVER)
        .any(&[
            "wireserver is not responding",
            "wireserver endpoint is not found",
            "protocol endpoint not found",
            "exceeded max retry updating goal state",
            "calling wire server failed",
            "failed to detect protocol endpoint",
            "error fetching the goal state",
            "exception processing goal state",
            "failed to fetch goal state",
            "failed to report ready",
            "failed to get ovf-env.xml",
            "exception retrieving extension handlers",
            "failed to send http request to wireserver", "no route exists to 168.63.129.16", "failed to retrieve gafamily manifest", "exception retrieving agent manifests", "hostgaplugin: exception get api versions", "hostgaplugin: failed get api versions", "could not report observations", "error communicating with azure fabric", "failed to register with azure and fetch goalstate", "failed http request with azure endpoint", "failed to parse goalstate xml", "error processing goalstate xml", "azure endpoint returned empty certificates", "exception while reporting ready",
        ])
        .near(
            // It is a DNS server too, on port 53.
            &[
                "168.63.129.16/",
                "168.63.129.16:80",
                "168.63.129.16:32526",
                "168.63.129.16 ",
                "168.63.129.16'",
                "168.63.129.16\"",
                "168.63.129.16)",
                "168.63.129.16,",
                "168.63.129.16.",
            ],
            &[
                "connection refused",
                "timed out",
                "i/o timeout",
                "read timeout",
                "connect timeout",
                "connection timeout",
                "client.timeout",
                "timeout was reached",
                "timeouterror",
                "timeout waiting",
                "no route to host",
                "network is unreachable",
                "unreachable",
                "calling wire server failed",
                "io error",
                "httperror",
                "failed to",
                "503",
            ],
        )
        .near(&["waagent", "goalstate", "goal state"], &["[protocolerror]", "[httperror]", "[resourcegoneerror]"])
        .checks(&[check::WIRE_SERVER, check::WAAGENT]),
    row("HostDeviceFailed")
        .source(Linux, "drivers/hv/vmbus_drv.c")
        .cause("The kernel cannot use a device that the host (Hyper-V) provides to the VM")
        .any(&["hv_vmbus: probe failed for device", "failed to establish hwc", "failed to initialize hwc", "failed to test hwc", "hwc: request timed out", "unable to add netvsc device (ret ", "unable to connect to netvsp - ", "failed hw_channel req: ", "unable to establish receive buffer's gpadl", "unable to establish send buffer's gpadl"])
        .near(&["hv_netvsc", "hv_storvsc", "hv_pci", "driver mana "], &["failed with error -"])
        .checks(&[check::CONSOLE, check::REDEPLOY]),
    row("BootWaitsForUnit")
        .source(Systemd, "src/core/manager.c")
        .symptom("The boot waits for a unit: a driver, a file system or the network")
        .near(&["a start job is running for"], &["/ 1min", "s / ", "/ no limit"])
        .checks(&[check::CONSOLE]),
    row("NoNetworkAtBoot")
        .source(GuestAgent, "azurelinuxagent/common/dhcp.py")
        .symptom("The VM boots, but its network does not come up: the network interface, its driver or DHCP fails")
        .near(&["the primary network interface"], &["state is '"])
        .near(&["dodhcpwork"], &["timed out", "error:"])
        .any(&["timeout occurred while waiting for network connectivity", "failed to send dhcp request", "no dhcpoffers received", "no working leases in persistent database", "failed to receive dhcp response", "failed to start wait for network to be configured", "failed to start network manager wait online", "failed to start systemd-networkd-wait-online", "failed to start raise network interfaces", "failed to start lsb: bring up/down networking", "failed to start network manager.", "failed to start network configuration", "failed to start network service.", "networking.service: failed with result", "systemd-networkd.service: failed with result"])
        .near(&["systemd-networkd["], &["eth0: failed", "eth0: could not ", "dhcp lease lost", "dhcp4 client: failed"])
        .checks(&[check::CONSOLE, "See the addresses: `networkctl; ip -br address`"]),
    row("NetworkServiceFails")
        .source(Systemd, "src/core/service.c")
        .symptom("The VM boots, but the service that sets up its network does not run or waits in vain")
        .near(&["systemd-networkd-wait-online["], &["timeout occurred", "timed out"])
        .units(&["systemd-networkd", "systemd-networkd-wait-online", "networkmanager", "networkmanager-wait-online", "networking", "wicked"])
        .needs(&["azure", "aks", "vmss", "waagent", "walinuxagent", "cloud-init", "kube", "k8s", "168.63.129.16", "169.254.169.254"])
        .checks(&[check::CONSOLE, "See the addresses: `networkctl; ip -br address`"]),
    row("AgentProtocolError")
        .source(GuestAgent, "azurelinuxagent/common/utils/restutil.py")
        .symptom("The guest agent could not read its goal state from Azure")
        .near(
            &["waagent", "walinuxagent", "exthandler"],
            &["[protocolerror]", "[httperror]", "[resourcegoneerror]", "goalstate."],
        )
        // Its versions before 2.1, of each call that failed.
        .any(&["error:http req: get /machine", "error:http req: post /machine"])
        .or(&[NO_WIRE_SERVER])
        .near(&["[http failed]", "[http retry]"], &["ioerror", "timed out", "status code", "503", "attempts made"])
        .near(&["httppost(/", "httpget(", "httpputblockblob(", "httppost("], &["retry=", "sleep 10 seconds", "status=none"])
        .checks(&[check::WAAGENT, check::WIRE_SERVER]),
    row("AgentProvisioningFailed")
        .source(GitHub, "Azure/WALinuxAgent/issues/2864")
        .cause("The guest agent could not provision the VM: it found no provisioning DVD, or could not use its configuration")
        .any(&["[copyovfenv]", "provisioning failed: [protocolerror]", "provision failed: (", "failed to get dvd device", "failed to mount dvd device", "failed to validate ovf", "failed to generate ssh host key", "provisioning failed: [provisionerror]", "[provisionerror]", "daemon provisioning failed", "agent daemon provision", "failed to copy ovf-env file", "failed to mount dvd"])
        // cloud-init provisions the VM, not the agent.
        .unless(&["was not copied to"])
        .checks(&[check::WAAGENT, check::CONSOLE]),
    row("AgentMountsInVain")
        .source(GitHub, "Azure/WALinuxAgent/issues/1032")
        .symptom("The guest agent could not mount the provisioning DVD: its device or the module for its file system (udf) is missing")
        // Agents before 2.1.
        .any(&["mount failed on attempt #"])
        .near(&["/mnt/cdrom/secure"], &["calledprocesserror", "command string was mount"])
        .checks(&["See the device: `lsblk -f; modprobe udf`", check::WAAGENT, check::CONSOLE]),
    row("MachineProvisioningFailed")
        .source(GitHub, "kubernetes-sigs/cluster-api-provider-azure/blob/HEAD/api/v1beta1/conditions_consts.go")
        .wrapper("Azure reports that the VM failed: its operating system, an extension or its host")
        .any(&["vmprovisionfailed", "scalesetprovisionfailed", "failedvmstate", "unexpectedvmfailure", "azure scale set vm is in failed state"])
        .or(&["The image does not boot, or does not report that it is running", "Azure rejected the VM: the activity log has the error"])
        .checks(&[check::INSTANCE, check::ACTIVITY, check::CONSOLE]),
    row("RollingUpgradeStopped")
        .source(Learn, "azure/virtual-machines/troubleshooting/error-messages")
        .wrapper("Azure stopped the upgrade of the scale set: too many of its VMs are unhealthy, before it or after it")
        .any(&["maxunhealthyinstancepercent", "maxunhealthyupgradedinstancepercent"])
        .or(&["The health probe or health extension of the scale set does not reach the VMs", "The new model is wrong: its image, its extension or its user data"])
        .checks(&["See the state of the instances: `az vmss get-instance-view -g NODE_GROUP -n SCALE_SET --instance-id '*' --query \"[].{health:vmHealth.status.displayStatus,states:statuses[].displayStatus}\"`", check::ACTIVITY]),
    row("DiskOperationFailed")
        .source(GitHub, "Azure/aks-engine/issues/1860")
        .cause("Azure cannot attach or detach a disk of the VM, and holds every other operation on it back: detach the disk, or delete the instance")
        .azure(&["disk processing errors encountered by vm", "halted because of one or more disk processing errors"])
        .checks(&["See the disks of the instance: `az vmss show -g NODE_GROUP -n SCALE_SET --instance-id ID --query storageProfile.dataDisks`", check::ACTIVITY]),
    row("HostFailed")
        .source(GitHub, "schnerring/infrastructure-core/issues/18")
        .symptom("Azure could not run the VM on its host: an internal error of the platform")
        .any(&[
            "internalexecutionerror",
            "an internal execution error occurred",
            "internaloperationerror",
            "vmdiskattacherror",
            "internaldeploymenterror",
            "vmunhealthyforrepair",
        ])
        .azure(&["provisioningstate/failed/internal", "provisioningstate/failed/networkinginternal", "vmredeploymentfailed", "unknown network allocation error", "goal seeking tasks failed", "vmrestarterror", "vmrestartfailed", "networkinginternaloperationerror", "internaldiskmanagementerror"])
        .unless(&["we are unable to serve this request due to an internal error", "internal server error", "while processing vm extension"])
        .on_azure()
        .checks(&[check::ACTIVITY, check::REDEPLOY]),
    row("GuestAgentReportedError")
        .source(GuestAgent, "azurelinuxagent/common/logger.py")
        .wrapper("The guest agent reports an error: its log has what precedes it")
        .any(&["error exthandler", "warning exthandler", "error daemon", "warning daemon", "error envhandler", "error monitorhandler", "error sendtelemetryhandler", "error collectlogshandler"])
        .checks(&[check::WAAGENT, check::WIRE_SERVER]),
];
