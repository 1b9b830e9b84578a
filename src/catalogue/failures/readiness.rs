//! The node is registered, but not Ready, or its pods cannot start.

use super::Publisher::{
    AgentBaker, Autoscaler, AzureNetworking, CloudProviderAzure, Containerd, GitHub, Karpenter, Kubernetes, Learn,
    Linux, NodeProblemDetector, Systemd, Web,
};
use super::{Failure, Layer, check};

const fn row(reason: &'static str) -> Failure {
    super::failure(Layer::Readiness, reason)
}

const SANDBOX: &[&str] = &[
    "failed to create pod sandbox",
    "failed create pod sandbox",
    "failedcreatepodsandbox",
    "createpodsandbox",
    "runpodsandbox",
    "failed to setup network for sandbox",
    "sandbox",
];

/// What builders of images write, which pull them too.
const BUILDS: &[&str] = &["failed to solve", "buildx", "buildkit", "with policy \""];

/// How containerd and the kubelet report a pull that failed.
const PULL: &[&str] = &[
    "failed to pull image",
    "failed to pull and unpack image",
    "failed to resolve reference",
    "failed to do request: head",
    "pullimage from image service failed",
];

/// Names that the machines and pods of a cluster have: the kernel and daemons write the same messages on any machine.
const HOSTS: &[&str] = &["aks", "azure", "vmss", "k8s", "kube"];

/// How the kubelet, `kubectl` and people say that a container ends again and again, or cannot be started.
const CRASHES: &[&str] = &[
    "crashloopbackoff",
    "crash loop",
    "crashlooping",
    "is crashing",
    "are crashing",
    "keeps crashing",
    "keep crashing",
    "crashing continuously",
    "createcontainerconfigerror",
    "createcontainererror",
    "runcontainererror",
    "back-off restarting failed container",
    "restarting failed container",
    "is waiting to start",
];

pub(super) static FAILURES: &[Failure] = &[
    row("ArtifactStreamingFails")
        .source(GitHub, "Azure/karpenter-provider-azure/issues/1160")
        .cause("Artifact streaming fails on the node: its mirror on localhost:8578 or its snapshotter (overlaybd) does not run, or cannot read the image")
        // acr-mirror is the first host of each registry of Azure; the paths are those of the snapshotter.
        .any(&["localhost:8578/", "127.0.0.1:8578", "failed to attach and mount for snapshot ", "/sys/kernel/config/target/core/user_", "overlaybd backing"])
        .units(&["acr-mirror", "overlaybd-tcmu", "overlaybd-snapshotter"])
        .checks(&["See its services: `systemctl status acr-mirror overlaybd-tcmu overlaybd-snapshotter`", check::CONTAINERD_LOG, check::PULL]),
    row("SecurityModuleDenies")
        .source(GitHub, "torvalds/linux/blob/HEAD/security/ipe/audit.c")
        .symptom("A security module of the kernel (SELinux, AppArmor or IPE) denies the runtime, the kubelet or a plugin what it needs: the labels of files or the policy of the machine are wrong")
        .near(&["avc: denied"], &["comm=\"containerd", "comm=\"kubelet", "comm=\"runc", "comm=\"azure-vnet", "comm=\"cilium", "container_runtime_t", "kubelet_t", "kubelet_exec_t"])
        .near(&["apparmor=\"denied\""], &["comm=\"kubelet\"", "comm=\"containerd\"", "comm=\"runc\"", "profile=\"runc\""])
        .near(&["ipe_op="], &["action=deny"])
        .needs(HOSTS)
        .unless(&["permissive=1", "enforcing=0"])
        .leaves_open(&[Layer::Provisioning, Layer::Kubelet, Layer::Registration])
        .checks(&["See the denials: `journalctl --boot --no-pager --grep 'denied|ipe_op'`", "See the mode: `getenforce; aa-status`"]),
    row("SandboxImagePull")
        .source(Containerd, "internal/cri/server/podsandbox/sandbox_run.go")
        .cause("The sandbox (pause) image cannot be pulled: the registry is blocked or wrong, or the image is no longer on the disk")
        .any(&["failed to get sandbox image", "failed to pull sandbox image", "unable to pull sandbox image"])
        .near(
            SANDBOX,
            &["failed pulling image", "failed to pull image", "failed to pull and unpack image"],
        )
        .near(&["failed to create pod sandbox", "failed create pod sandbox", "failedcreatepodsandbox", "createpodsandbox", "runpodsandbox from runtime"], &["pause:", "pause-amd64"])
        // What a registry answers.
        .near(&["kubernetes/pause:", "/pause-amd64:"], &[" not found", "manifest unknown"])
        .checks(&["See which image: `grep sandbox /etc/containerd/config.toml; crictl images | grep pause`", check::PULL]),
    row("PodAddressesExhausted")
        .source(GitHub, "containernetworking/plugins/blob/HEAD/plugins/ipam/host-local/backend/allocator/allocator.go")
        .cause("The CNI plugin has no IP address for the pod: the node's pool or the pod subnet is used up")
        .any(&[
            "no available ips",
            "no available addresses",
            "no available address pools",
            "failed to allocate address",
            "no ip addresses available in range set",
            "failed to request ip address",
            "failed to allocate ip",
            "no more addresses available",
            "insufficient ips",
            "ip address pool exhausted",
            "assignprimaryipconfig",
            "failed to allocate pod ip",
            "no free ips",
            "number of ips exceeds",
            "subnet is full, no ip", "no more ips available", "unable to allocate ip via local cilium agent", "not enough ips available", "not enough ips", "range is full", "no ips available in", "failed to allocate for range 0", "no ip addresses available",
        ])
        // Of the subnet of the nodes, as people say it.
        .unless(&["ips in subnet", "ips in the subnet", "ips in our subnet"])
        .checks(&[check::CNI_PODS, check::SUBNET]),
    row("CniServerUnreachable")
        .source(AzureNetworking, "cns/service/main.go")
        .cause("The CNI plugin cannot reach its daemon on the node (azure-cns on port 10090, cilium, calico): that pod does not run")
        .any(&["stat /var/lib/calico/nodename", "failed to invoke cns", "failed to start crd controller", "nnc reconciler has not started", "failed to start cns, err", "failed to create cns object", "failed to get ip address from cns", "failed to initialize cns client", "failed to request ip address from cns", "failed to create cns ip config", "http request failed: post \"http://localhost:10090", "unable to connect to cilium daemon", "unable to connect to cilium agent", "failed to create cilium agent client"])
        .near(
            &["localhost:10090", "127.0.0.1:10090", "cilium.sock", "/var/run/calico", "[azure cns]", "[cns-rc]", "cns-container", "azure cns", "cns client", "unable to connect to cilium"],
            &["connection refused", "no such file", "failed", "error", "timeout", "eof", "unable"],
        )
        .near(&[":10092/readyz", ":10090/healthz"], &["probe failed"])
        // Its log says why.
        .includes(&[Layer::Machine, Layer::Request, Layer::Registration])
        .named(&["nodenetworkconfigs.acn.azure.com"])
        .checks(&[check::CNI_PODS, check::CNI]),
    row("NodeNetworkConfigFailed")
        .source(AzureNetworking, "crd/nodenetworkconfig/api/v1alpha/nodenetworkconfig.go")
        .symptom("Azure could not give the node the configuration of its network (NodeNetworkConfig): the pod subnet is full, cannot be used, or is not delegated")
        .includes(&[Layer::Request])
        // Events of the controller that writes it.
        .any(&["errorcreatingnnc", "errorupdatingnnc", "ncupdatesubnetfullerror", "ncupdateinternalservererror", "ncupdateunauthorizederror"])
        .near(&["nnc-reconciler", "dnc-rc"], &["warning ", "failed", "unexpected status code"])
        .checks(&["See it: `kubectl -n kube-system get nodenetworkconfig NODE -o yaml`", check::SUBNET, check::CNI_PODS]),
    row("AzureCnsReportsError")
        .source(AzureNetworking, "cns/restserver/ipam.go")
        .symptom("The daemon that gives the node's pods their IP addresses (azure-cns) reports an error")
        // The functions that its messages name, and the network agent of the host that it asks.
        .near(
            &["[azure-cns]", "[azure cns", "[cns-rc]", "[ipam-pool-monitor]", "[homeazmonitor]", "[endpointhandlerapi]", "[deleteendpointstate", "[getendpointstate]", "[updateendpointstate", "[updateendpoint]", "[removeendpointstate]", "[updateipconfigstate]", "[releaseipconfigs]", "[assigndesiredipconfigs]", "[assignavailableipconfigs]", "[markipaspendingrelease]"],
            &["failed", "error", "err:", "unable", "not found"],
        )
        .near(&["from nmagent", "nmagent client", "comp=nmagent", "nmagent."], &["failed", "error", "connection refused", "i/o timeout"])
        .near(&["\"component\":\"ipam-pool-monitor", "\"component\":\"deviceplugin", "\"component\":\"swiftv2", "\"component\":\"pod-watcher"], &["\"level\":\"error\""])
        // What it writes to standard output, since its log has fields.
        .near(&["component=ipam-pool-monitor", "component=deviceplugin", "component=swiftv2", "component=pod-watcher"], &["level=error", "level=fatal"])
        .near(&["exiting due to error"], &["caller=service/main.go", "\"caller\":\"service/main.go"])
        .any(&["cns internal state", "failed to reconcile initial cns state", "executing updatespec with nnc client", "failed to updatespec with nnc client", "failed to patch nnc spec", "no network containers found in nnc status", "failed to get nodenetworkconfig ", "failed to create cns endpoint", "failed to create cns podinfoprovider", "nmagent homeaz not available", "cns returned invalid pod cidr"])
        .includes(&[Layer::Machine, Layer::Request, Layer::Registration])
        .reported_by(&["PodNetworkFailed"])
        .checks(&["Read its log: `kubectl -n kube-system logs -l k8s-app=azure-cns --all-containers --tail=50`", check::CNI_PODS]),
    row("CniPluginMissing")
        .source(GitHub, "containernetworking/cni/blob/HEAD/pkg/invoke/find.go")
        .cause("A CNI plugin's program is missing on the node")
        .any(&["failed to find plugin \"", "error loading cni config", "missing network name", "failed to load cni", "error validating cni config"])
        .near(&["/opt/cni/bin"], &["no such file", "not found", "failed to find plugin"])
        .checks(&["List the programs: `ls -l /opt/cni/bin`", check::CNI]),
    row("CalicoNotReady")
        .source(GitHub, "projectcalico/calico/blob/HEAD/node/pkg/health/health.go")
        .symptom("The pod of calico on the node is not ready: its agent (felix) or its routing daemon (BIRD) does not answer, so pods have no network or no rules")
        .any(&["calico/node is not ready:", "calico/node is not live:"])
        .checks(&["Read its log: `kubectl -n calico-system logs -l k8s-app=calico-node --tail=50`", check::CNI_PODS]),
    row("PodNetworkFailed")
        .source(GitHub, "Azure/azure-container-networking/issues/774")
        .cause("The CNI plugin fails to set up the network of a pod")
        .any(&[
            // The library of CNI, if the configuration has a network without a type.
            "no plugin name provided",
            // The plugin cannot open the file in which it keeps its networks.
            "failed to initialize key-value store of network plugin",
            "failed to initialize key-value store of ipam plugin",
            // Calico's plugin, before each pod.
            "error getting clusterinformation",
            "error adding pod to network",
            "got error while adding to cni network",
            "error while adding to cni network",
            "failed to set up sandbox container",
            "networkplugin cni failed to set up pod",
            "failed to set up pod network",
            "plugin type=\"azure-vnet\" failed",
            "vnet\" failed (add)",
            "vnet' failed (add)",
            "plugin failed to create network",
            // The network service of Windows.
            "hnscall failed",
            "hns failed with error",
            "hcnopennamespace",
            "failed to remove hcn endpoint",
            "failed to create hcn endpoint",
            "failed to create hns endpoint",
        ])
        // The log of azure-vnet, old and new.
        .near(&["\"component\":\"cni", "\"component\":\"net-", "\"component\":\"net\"", "\"component\":\"ipam\""], &["\"level\":\"error\"", "failed to "])
        .near(&["[cni-net] ", "[cni-ipam] ", "[net] "], &["failed to ", "failed, err", "err:"])
        .near(
            SANDBOX,
            &["plugin type=", "networkplugin cni failed", "failed (add)", "failed to set up pod", "failed to setup network", "setup network for sandbox", "cni failed", "iptables", "cni plugin"],
        )
        // The kubelet with its own CNI client.
        .near(&["error adding ", "error deleting "], &[" to network ", " from network "])
        .near(&["plugin type=\"", "plugin type='"], &["failed (add)", "failed (delete)", "failed (check)"])
        // How azure-vnet names the interfaces of pods.
        .near(&["interface azv", "veth azv", "endpoint azv"], &["failed", "error", "unable"])
        .checks(&[check::CNI_PODS, "Read the plugin's log: `tail -n 50 /var/log/azure-vnet.log`"]),
    row("NodeDiskFull")
        .source(Containerd, "internal/cri/server/images/image_pull.go")
        .cause("The disk of the node is full or read-only: containers, images and logs cannot be written")
        .near(
            &["sandbox", "containerd", "kubelet", "unpack image", "vmss0"],
            &["no space left on device", "read-only file system", "disk quota exceeded"],
        )
        // A line of a container, which has volumes and limits of its own.
        .unless(&["inotify_init", "inotify_add_watch", "inotify watch", "logmessage: ", "\"logmessage\"", "containername: ", "\"containername\"", "\"container_name\"", "container_name=", "(container "])
        .checks(&[check::DISK, check::DESCRIBE_NODE]),
    // The table of df, which can be printed before the node has registered.
    row("DiskOfMachineFull")
        .source(Learn, "troubleshoot/azure/virtual-machines/linux")
        .cause("A disk of the machine has no free space or inodes left: find out what fills it, images, containers or logs")
        // Its other rows: `explain::tables`.
        .near(&["use% mounted on"], &[" 100% / ", " 100% /var ", " 100% /mnt "])
        .leaves_open(&[Layer::UserData, Layer::Extension, Layer::Provisioning, Layer::Kubelet, Layer::Registration])
        .checks(&["See what fills it: `du -xh --max-depth=2 /var | sort -h | tail -n 20`", "See the images: `crictl images`", check::DESCRIBE_NODE]),
    row("RuntimeHandlerMissing")
        .source(Containerd, "cmd/containerd-shim-runc-v2/manager/manager_linux.go")
        .symptom("containerd has no runtime with the name that the pod requests (RuntimeClass), or runc or its shim is missing")
        .any(&["no runtime for \"", "is configured\" runtimehandler", "failed to get sandbox runtime", "runtime handler \"", "runc\": executable file not found", "failed to start shim"])
        .near(&["oci runtime create failed", "unable to retrieve oci runtime error", "failed to create shim"], &["fork/exec /"])
        .unless(&["docker: error response from daemon"])
        .named(&["containerd-shim"])
        .checks(&["See the runtimes: `crictl info | grep -A 20 runtimes`", check::CONTAINERD_LOG]),
    row("GpuUnhealthy")
        .source(Learn, "azure/aks/gpu-health-monitoring")
        .symptom("A GPU of the node, its links or its services are faulty, as the kernel or node-problem-detector reports: the driver, the device or its host fails")
        // The kernel and `nvidia-smi`: only the GPUs that Hyper-V passes on are the first device of a bus of their own.
        .near(&["nvrm: xid (pci:", "nvrm: gpu at pci:", "device handle for gpu"], &[":00:00"])
        .within(10)
        .unless(&["pci:0000:00:00", "gpu 0000:00:00"])
        .conditions(&["GPUMissing", "XIDErrors", "NVLinkStatusInactive", "IBLinkFlapping", "GPUClockThrottling", "UnhealthyNvidiaDevicePlugin", "UnhealthyNvidiaDCGMServices"])
        .checks(&["See the GPUs: `nvidia-smi -q; dmesg | grep -i nvrm`", check::DESCRIBE_NODE, check::REDEPLOY]),
    row("GpuNotUsable")
        .source(AgentBaker, "parts/linux/cloud-init/artifacts/cse_config.sh")
        .symptom("The GPU cannot be used: its driver is not installed or does not fit the kernel, or the device plugin does not run")
        .any(&["failed to initialize nvml", "nvrm: api mismatch", "rminitadapter failed", "unresolvable cdi devices", "could not load nvml library", "nvidia-smi has failed because it couldn't communicate", "nvml error", "nvidia-container-cli: initialization error", "gpu has fallen off the bus", "nvrm: xid", "error calling nvml", "nvidia-container-cli: ", "incompatible platform detected", "incompatible strategy detected", "no devices found. waiting indefinitely", "failed to initialise nvml", "unable to determine the device handle for gpu", "nvidia probe routine failed", "failed to start plugin: error getting plugins", "error starting plugins: ", "invalid mig configuration"])
        // Of any cluster: only Kubernetes writes it.
        .azure(&["insufficient nvidia.com/gpu", "insufficient amd.com/gpu", "detected non-nvml platform: ", "is only supported with nvml", "error creating nvml labeler: ", "error enumerating gpus and mig devices: ", "failed to start nvml with error: ", "error starting plugins: error", "xidcriticalerror: xid", "could not register device plugin: ", "not a valid gpu instance profile", "error applying mig configuration"])
        .near(&["nvidia-dcgm.service", "nvidia-dcgm-exporter.service", "nvidia-device-plugin.service", "nvidia-fabricmanager.service", "nvidia-persistenced.service", "mig-partition.service"], &["failed with result", "main process exited", "failed to start"])
        .or(&["All GPUs are taken by other pods"])
        .on_azure()
        .named(&["nvidia-ctk", "nvidia-container-runtime", "nvidia-device-plugin", "nvidia-fabricmanager"])
        .units(&["mig-partition", "nvidia-modprobe", "nvidia-dcgm", "nvidia-dcgm-exporter", "nvidia-device-plugin", "nvidia-fabricmanager", "nvidia-persistenced", "nvidia-imex", "nvidia-mig-manager"])
        .checks(&[
            "See the driver on the node: `nvidia-smi; dmesg | grep -i nvrm`",
            "See the device plugin: `kubectl -n kube-system get pods -o wide | grep -i -E \"nvidia|gpu\"`",
            check::DESCRIBE_NODE,
        ]),
    row("FabricManagerFails")
        .source(Web, "docs.nvidia.com/datacenter/tesla/fabric-manager-user-guide/index.html")
        .symptom("The fabric manager of the GPUs fails, so GPUs with NVSwitch cannot be used: its version differs from the driver's, or a switch does not appear")
        .near(&["nv-fabricmanager[", "nvidia-fabricmanager"], &["nvswitch driver failed", "failed with error", "failed to initialize", "fatal error", "does not match with this version"])
        .needs(HOSTS)
        .checks(&["See its log: `systemctl status nvidia-fabricmanager; tail -n 50 /var/log/fabricmanager.log`", "Compare the versions: `nvidia-smi; dpkg -l | grep -i fabric`"]),
    row("AmdGpuFails")
        .source(Linux, "drivers/gpu/drm/amd/amdgpu/amdgpu_device.c")
        .cause("The driver of the AMD GPU cannot use the device")
        .near(&["amdgpu "], &["fatal error during gpu init", "gpu reset end with ret = -", "hw_init of ip block", "failed with error -"])
        .within(160)
        .needs(HOSTS)
        .checks(&["Read the kernel's log: `dmesg | grep -i amdgpu`", check::DESCRIBE_NODE, check::REDEPLOY]),
    row("GpuNotInContainer")
        .source(GitHub, "NVIDIA/libnvidia-container/blob/HEAD/src/nvc.c")
        .cause("The GPU cannot be given to the container: the driver is not installed or does not fit, or the runtime of the GPU is not set up on the node")
        .near(
            &["failed to create containerd task", "failed to create shim task", "oci runtime create failed", "failed to generate spec", "failed to create containerd container"],
            &["nvidia-container-cli", "nvidia-container-runtime", "nvidia-ctk", "libnvidia-", "/dev/nvidia", "unresolvable cdi devices"],
        )
        .unless(&["docker: error response from daemon"])
        .checks(&["See the driver on the node: `nvidia-smi; dmesg | grep -i nvrm`", check::CONTAINERD_LOG]),
    row("SnapshotsMissing")
        .source(Containerd, "plugins/snapshots/overlay/overlay.go")
        .cause("The disk of containerd lacks the files of images: they were deleted or moved, or another disk was mounted over them")
        .any(&["failed to create prepare snapshot dir"])
        .near(&["failed to stat parent", "failed to create temp dir"], &["/snapshots: no such file", "/fs: no such file"])
        // The kernel.
        .near(&["overlayfs: failed to resolve '"], &["/var/lib/containerd/", "io.containerd.snapshotter"])
        .unless(&["no space left on device", "read-only file system", "disk quota exceeded"])
        .reported_by(&["ContainerNotStarted", "ImagePullFailed"])
        .checks(&[check::DISK, "See what is there: `findmnt -T /var/lib/containerd; ls /var/lib/containerd/io.containerd.snapshotter.v1.overlayfs/snapshots | head`", check::CONTAINERD_LOG]),
    row("SecurityProfileMissing")
        .source(Containerd, "contrib/seccomp/seccomp.go")
        .cause("The container asks for a seccomp or AppArmor profile that the node does not have, or that cannot be read or applied")
        .near(&["cannot load seccomp profile ", "decoding seccomp profile failed ", "failed to generate seccomp spec opts", "failed to generate apparmor spec opts", "apparmor failed to apply profile", "unable to apply apparmor profile", "cannot enforce apparmor", "apparmor profile not found"], &["kubelet", "containerd", "failed to create", "failed to generate container", "pod"])
        .unless(&["docker: error response from daemon"])
        .checks(&["See the profiles: `ls -l /var/lib/kubelet/seccomp; aa-status`", check::DESCRIBE_POD]),
    row("KataFails")
        .source(GitHub, "kata-containers/kata-containers/blob/HEAD/src/runtime/pkg/containerd-shim-v2/create.go")
        .cause("The virtual machine of a pod (Kata) does not start: the size of the node has no nested virtualization, its hypervisor fails, or memory is short")
        .near(&["failed to create containerd task", "failed to create shim task", "failed to start sandbox", "createpodsandbox", "runpodsandbox"], &["check if grpc server is working", "connecting to vsock", "cloud-hypervisor", "/dev/mshv", "/dev/kvm", "kata-runtime", "containerd-shim-kata", "io.containerd.kata"])
        .checks(&["See the hypervisor: `ls -l /dev/kvm /dev/mshv; lscpu | grep -i virtual`", check::CONTAINERD_LOG, check::DESCRIBE_POD]),
    row("OpenFilesExhausted")
        .source(Linux, "fs/notify/inotify/inotify_user.c")
        .symptom("The node, or a program on it, reached its limit of open files or of inotify instances: a program leaks them, or the limit is too low")
        .near(&["containerd", "kubelet", "failed to create fsnotify watcher", "failed to create inotify watcher", "inotify_init1"], &["too many open files"])
        .needs(&["aks", "azure", "vmss", "k8s", "kube", "pod", "containerd"])
        .unless(&["docker: error response from daemon"])
        .checks(&["See the limits: `sysctl fs.inotify.max_user_instances fs.file-nr`", "See who holds them: `find /proc/*/fd -lname anon_inode:inotify 2>/dev/null | cut -d/ -f3 | sort | uniq -c | sort -n | tail`"]),
    row("ContainerNotStarted")
        .source(Containerd, "internal/cri/server/container_create.go")
        .symptom("The runtime cannot create or start a container: its command, mounts, user or control group cannot be set up on the node")
        .any(&["failed to create containerd container", "failed to get container spec opts", "cannot enforce apparmor", "error starting setns process", "hcsemptylayerchain", "mount callback failed on", "failed to start containerd task", "hcsshim::", "hcs::", "failure in a windows system call", "hcscreatecomputesystem", "hcsopencomputesystem", "failed to create containerd task", "failed to create shim task", "oci runtime create failed", "oci runtime start failed", "unable to start container process"])
        .near(&["failed to generate container \""], &["spec: "])
        .near(&["apparmor profile not found", "failed to generate apparmor spec opts", "failed to generate seccomp spec opts"], &["kubelet", "containerd", "container"])
        .near(&["error: failed to start container \"", "error: failed to create container"], &["oci runtime", "error response from daemon", "containerd"])
        .unless(&["docker: error response from daemon"])
        .checks(&[check::DESCRIBE_POD, check::CONTAINERD_LOG]),
    row("SandboxNameReserved")
        .source(Containerd, "internal/cri/server/podsandbox/sandbox_run.go")
        .cause("A sandbox of the pod is stuck in containerd: its name is still reserved")
        .near(
            &["failed to reserve sandbox name", "failed to reserve container name", "failed to create pod sandbox", "createpodsandbox"],
            &["is reserved for", "context deadline exceeded", "deadlineexceeded"],
        )
        .or(&["The disk of the node is too slow or overloaded"])
        .checks(&[check::CONTAINERD_LOG, "See the disk's load: `iostat -x 1 5`"]),
    row("CniConfigMissing")
        .source(Kubernetes, "pkg/kubelet/kubelet_node_status.go")
        .symptom("The network plugin is not initialized: no CNI configuration was written, because its pod does not run on the node")
        .any(&[
            "cni plugin not initialized",
            "cni config uninitialized",
            "no networks found in /etc/cni/net.d",
            "no network config found in /etc/cni/net.d",
            "networkpluginnotready",
            "network plugin is not ready",
            "container runtime network not ready",
            "cni config load failed",
            "no valid networks found",
            "network plugin returns error",
            "unable to update cni config",
            "cilium/agent-not-ready",
            "networkready=false",
            "networknotready",
        ])
        .near(&["node.cilium.io/agent-not-ready"], &["had taint", "had untolerated taint", "didn't tolerate"])
        .or(&["A taint, an image pull or a crash keeps the pod of the network plugin from running on the node"])
        .checks(&[check::CNI_PODS, check::CNI, check::DESCRIBE_NODE]),
    row("PlegUnhealthy")
        .source(Kubernetes, "pkg/kubelet/pleg/generic.go")
        .cause("The container runtime answers too slowly (PLEG): the node is overloaded, out of memory, or its disk is too slow")
        .any(&["pleg is not healthy", "pleg was last seen active", "generic (pleg)", "kubeletplegdurationhigh", "event generator is taking too long to relist", "pod lifecycle event generator has a 99th percentile"])
        .near(
            &["failed to get image stats", "failed to get imagefs", "image garbage collection failed", "listpodsandbox", "listcontainers with filter"],
            &["deadlineexceeded", "context deadline exceeded"],
        )
        .checks(&[check::CONTAINERD, "See the load: `uptime; iostat -x 1 5; free -m`"]),
    row("RuntimeDown")
        .source(Kubernetes, "pkg/kubelet/runtime.go")
        .symptom("The container runtime on the node does not answer")
        .any(&[
            "container runtime is down",
            "containergcfailed",
            "failed to get status of container runtime",
            "runtime is not ready",
            "container runtime not ready",
            "runtimeready=false",
            "containerruntimeunhealthy",
            "containerruntimeisdown",
            "failedpodsandboxstatus",
            "containerd is unhealthy",
            "containerdisdown",
            "containerd is down",
            "desc = cannot connect to the docker daemon at",
            "container runtime is not running", "container runtime sanity check failed", "container garbage collection failed",
        ])
        .near(&["failed to get image stats", "failed to get imagefs", "imagegcfailed"], &["code = unavailable", "connection is unavailable", "unknown service runtime"])
        .near(&["cannot connect to the docker daemon"], &["kubelet", "aks", "notready", "k8s"])
        .conditions(&["FrequentContainerdRestart", "FrequentDockerRestart", "ContainerRuntimeProblem", "ContainerRuntimeUnhealthy", "ContainerdUnhealthy", "DockerUnhealthy", "DockerHung"])
        .near(&["from runtime service failed", "from image service failed"], &["code = unavailable", "error while dialing"])
        .checks(&[check::CONTAINERD, check::CONTAINERD_LOG]),
    row("DiskPressure")
        .source(Kubernetes, "pkg/kubelet/eviction/eviction_manager.go")
        .cause("The disk of the node is almost full: the kubelet evicts pods and deletes images")
        .any(&[
            "kubelethasdiskpressure",
            "node.kubernetes.io/disk-pressure",
            "kubelet has disk pressure",
            "the node had condition: [diskpressure]",
            "low on resource: ephemeral-storage",
            "low on resource: inodes",
            "low on resource: nodefs",
            "low on resource: imagefs",
            "low on resource: containerfs",
            "low on resource: [diskpressure]",
            "freediskspacefailed",
            "attempting to reclaim ephemeral-storage",
            "evictionthresholdmet",
            "must evict pod(s) to reclaim",
            "nodehasdiskpressure",
            "imagegcfailed",
            "failed to garbage collect required amount of images",
        ])
        .near(&["eviction manager: attempting to reclaim"], &["ephemeral-storage", "inodes", "nodefs", "imagefs"])
        // The runtime does not tell how full the disk is, and other resources have thresholds too.
        .unless(&["failed to get image stats", "failed to get imagefs", "attempting to reclaim memory", "attempting to reclaim pids"])
        .conditions(&["DiskPressure"])
        .checks(&[check::DISK, check::DESCRIBE_NODE]),
    row("ProcessKilledForMemory")
        .source(Linux, "mm/oom_kill.c")
        .symptom("The kernel killed a process: a container exceeded its limit of memory, or the node ran out of it")
        .any(&["memory cgroup out of memory: kill", "podoomkilling", "invoked oom-killer", "warning oomkilling "])
        .near(&["out of memory: kill", "oom-kill:constraint="], &["aks-", "vmss", "k8s-", "kube", "oom_score_adj:9", "oom_score_adj:1000"])
        .checks(&[check::MEMORY, check::DESCRIBE_NODE]),
    row("ContainerdKilled")
        .source(Systemd, "src/core/service.c")
        .symptom("containerd was killed while it ran: the memory of the node ran out, or a person or a program did it")
        .near(&["containerd.service"], &["code=killed, status=9/kill", "failed with result 'signal'", "failed with result 'oom-kill'", "killed by the oom killer"])
        .within(40)
        .checks(&[check::MEMORY, check::CONTAINERD_LOG, check::DESCRIBE_NODE]),
    row("MemoryPressure")
        .source(Kubernetes, "pkg/kubelet/eviction/eviction_manager.go")
        .cause("The memory of the node is almost used up: the kubelet evicts pods")
        .any(&["kubelethasinsufficientmemory", "node.kubernetes.io/memory-pressure", "low on resource: memory", "low on resource: [memorypressure]", "the node had condition: [memorypressure]", "nodehasinsufficientmemory", "attempting to reclaim memory", "systemoom", "system oom encountered"])
        .near(&["eviction manager: attempting to reclaim"], &["resourcename=\"memory\""])
        .conditions(&["MemoryPressure"])
        .checks(&[check::MEMORY, check::DESCRIBE_NODE]),
    row("PidPressure")
        .source(Kubernetes, "pkg/kubelet/nodestatus/setters.go")
        .cause("The node has almost no process IDs left: the kubelet evicts pods")
        .any(&["kubelethasinsufficientpid", "node.kubernetes.io/pid-pressure", "the node had condition: [pidpressure]", "attempting to reclaim pids"])
        // The kernel does not create another process or thread.
        .near(
            &["rootdiskerr", "failed to exec du", "kubelet", "containerd", "runc", "sandbox"],
            &["resource temporarily unavailable", "failed to create new os thread", "pthread_create failed"],
        )
        .unless(&["file lock"])
        .conditions(&["PIDPressure"])
        .checks(&["Count the processes: `ps -eLf | wc -l`", check::DESCRIBE_NODE]),
    row("KernelProblemReported")
        .source(NodeProblemDetector, "README.md")
        .symptom("The node-problem-detector reports an error that the kernel of the node logged")
        .near(&["kernel-monitor"], &["kernel: ", "kerneloops", "taskhung", "blocked for more than"])
        .within(120)
        .includes(&[Layer::Machine])
        .checks(&["Read the kernel's log: `journalctl -k --boot --no-pager --lines=50`", check::DESCRIBE_NODE]),
    row("FileSystemBecameReadOnly")
        .source(Linux, "fs/ext4/super.c")
        .cause("The kernel of the node reports a file system that became read-only after an error of its disk: nothing can be written until it is checked and mounted again")
        .any(&["remounting filesystem", "filesystemisreadonly"])
        .conditions(&["ReadonlyFilesystem"])
        // What is written to it fails then.
        .reported_by(&["NodeDiskFull", "KernelProblem"])
        .checks(&["Read the kernel's log: `journalctl -k --boot --no-pager --lines=50`", check::DISK, check::REDEPLOY]),
    row("KernelProblem")
        .source(NodeProblemDetector, "config/kernel-monitor.json")
        .symptom("The kernel of the node reports a problem: a deadlock, a file system that became read-only, or a broken disk")
        .any(&["unregister_netdevice: waiting for", "filesystemiscorrupted", "unmount and run xfs_repair", "ext4-fs error (device", "xfs_do_force_shutdown", "buffer i/o error on dev", "[hardware error]: event severity: fatal", "filesystem has been shut down", "shutting down filesystem", "warning unregisternetdevice ", "warning ext4warning ", "xfshasshutdown", "warning corruptcontainerimagelayer ", "warning corruptdockerimage ", "warning cperhardwareerrorrecoverable "])
        .near(&["task "], &[" blocked for more than"])
        .near(&["bug: soft lockup"], &["[kubelet:", "[containerd", "[runc", "[dockerd", "aks-", "k8s", "vmss"])
        // Events of node-problem-detector, not its configuration.
        // Its name is one of Python's exceptions.
        .near(&["ioerror"], &["kernel-monitor", "buffer i/o error"])
        .near(&["cperhardwareerrorfatal", "conntrackfull", "ext4error", "memoryreaderror", "kerneloops", "taskhung"], &["node/", "kernel-monitor", "warning", "node-problem"])
        // Cards, which only small machines have.
        .unless(&["\"pattern\":", "\"rules\":", "mmcblk"])
        .conditions(&["KernelDeadlock", "FilesystemCorruptionProblem", "XfsShutdown", "DiskBadBlock", "CperHardwareErrorFatal", "FrequentUnregisterNetDevice", "CorruptDockerOverlay2"])
        .checks(&["Read the kernel's log: `journalctl -k --boot --no-pager --lines=50`", check::DESCRIBE_NODE, check::DISK]),
    row("NodeDiskErrors")
        .source(Linux, "drivers/nvme/host/pci.c")
        .cause("A disk or network share of the node does not answer: the kernel reports errors of its reads and writes")
        .any(&["i/o error, dev ", "detected io errors while flushing", "aborting journal on device", "potential data loss!", "metadata i/o error", "log i/o error", "corruption of in-memory data", "failed result: hostbyte=", "unmount and run xfs_repair", "metadata crc error detected at", "log mount/recovery failed: error", "lost sync page write", "lost async page write", "rejecting i/o to offline device", "critical medium error", "critical target error"])
        .near(&["cifs vfs", "cifs: vfs", "nfs: server "], &["bad_network_name", "not responding", "not responded", "send error in", "cifs_mount failed"])
        .near(&["nvme nvme"], &["timeout, ", "controller is down", "device not ready", "removing after probe failure", "i/o error"])
        .near(&["squashfs error: "], &["data probably corrupt", "failed to read ", "unable to read "])
        .needs(&["aks", "azure", "vmss", "k8s", "kube", "hv_storvsc", "hyper-v"])
        .checks(&["Read the kernel's log: `journalctl -k --boot --no-pager --lines=50`", check::DISK, check::REDEPLOY]),
    row("NetworkDeviceFails")
        .source(Linux, "net/sched/sch_generic.c")
        .cause("The network device of the node fails: the kernel reports that its driver hangs or lost the device of the host")
        .any(&["netdev watchdog: ", "device's health compromised", "unable to open channel: "])
        .near(&["mlx5_core ", "mlx5_core:"], &["failed, status bad", "mlx5_cmd_out_err", "wait_func", "fatal error", "pre-initializing state, aborting", "failed with error "])
        .needs(HOSTS)
        .checks(&["Read the kernel's log: `journalctl -k --boot --no-pager --lines=50`", "See the devices: `ip -s link; lspci`", check::REDEPLOY]),
    row("KernelLimitReached")
        .source(Linux, "net/netfilter/nf_conntrack_core.c")
        .cause("The node reached a limit of its kernel: connections (conntrack), neighbours (ARP), processes or open files")
        .any(&["table full, dropping packet", "neighbor table overflow", "neighbour table overflow", "fork rejected by pids controller", "file-max limit", "tcp: out of memory -- consider tuning"])
        .needs(HOSTS)
        .checks(&["See the limits: `sysctl net.netfilter.nf_conntrack_max net.netfilter.nf_conntrack_count net.ipv4.neigh.default.gc_thresh3 fs.file-nr kernel.pid_max`", check::DESCRIBE_NODE]),
    row("MetadataServiceSilent")
        .source(CloudProviderAzure, "pkg/nodemanager/nodemanager.go")
        .cause("The metadata service 169.254.169.254 does not answer on the node: a route, a rule or a pod diverts or blocks it")
        .any(&["imds query failed", "failure of getting instance metadata", "failure of getting compute information from instance metadata", "get empty ip addresses from instance metadata service"])
        .checks(&[check::IMDS, "See the routes: `ip route; ip route get 169.254.169.254`"]),
    row("NodeAddressesMissing")
        .source(CloudProviderAzure, "pkg/provider/azure_instance_metadata.go")
        .includes(&[Layer::Request, Layer::Registration])
        .symptom("The kubelet cannot read the addresses or the size of its VM from the metadata service 169.254.169.254 or from Azure")
        .any(&["node addresses from cloud provider for node", "failed to get instance type from azure cloud provider", "failed to get node address from cloud provider", "failed to get node name from cloud provider", "get empty ip addresses from instance metadata service", "error getting node addresses for node", "failure of getting instance metadata", "failure of getting compute information from instance metadata", "failed to find kubelet node ip from cloud provider", "host ip unknown; known addresses"])
        .checks(&[check::IMDS, check::KUBELET_LOG]),
    row("RoutesMissing")
        .source(CloudProviderAzure, "pkg/nodeipam/ipam/range_allocator.go")
        .cause("The node has no route for its pods: the route table cannot be changed, or is full")
        .includes(&[Layer::Request])
        .klog(&["route_controller.go", "azure_routes.go", "range_allocator.go", "cloud_cidr_allocator.go", "node_ipam_controller.go"])
        .any(&["cidrnotavailable", "cidrassignmentfailed", "noroutecreated", "routecontroller failed to create a route", "failedtocreateroute", "could not create route", "node created without a route", "node.kubernetes.io/network-unavailable", "networkunavailable true", "cidr allocation failed", "no remaining cidrs left to allocate"])
        .checks(&["See the routes: `az network route-table route list -g NODE_GROUP --route-table-name TABLE -o table`", check::ROLES]),
    row("PodRangeMissing")
        .source(GitHub, "kubernetes/kubernetes/blob/release-1.23/pkg/kubelet/dockershim/network/kubenet/kubenet_linux.go")
        .cause("The node has no range of addresses for its pods (PodCIDR): the controller that assigns them has none left, does not run, or the node was not given one")
        .any(&["kubenet does not have netconfig", "lack of podcidr"])
        .reported_by(&["CniConfigMissing"])
        .checks(&["See the ranges: `kubectl get nodes -o custom-columns=NODE:.metadata.name,RANGE:.spec.podCIDR`", "See the cluster's range: `az aks show -g GROUP -n CLUSTER --query networkProfile.podCidr`"]),
    row("CloudNodeManagerMissing")
        .source(GitHub, "kubernetes/cloud-provider/blob/HEAD/controllers/node/node_controller.go")
        .klog(&["nodemanager.go", "node_controller.go", "controllermanager.go"])
        .includes(&[Layer::UserData, Layer::Registration])
        .symptom("The node waits for the cloud node manager, which sets its addresses and provider ID and removes a taint")
        .any(&[
            "node.cloudprovider.kubernetes.io/uninitialized",
            "failed to initialize node",
            "failed to get instance id from cloud provider",
            "failed to get provider id",
            "error syncing '",
            "failed to get node modifiers from cloud provider", "cloud provider azure could not be initialized"])
        .near(
            &["cloud-node-manager", "cloud node manager"],
            &["error", "failed", "crashloopbackoff", "waits", "waiting", "unable", "panic"],
        )
        .checks(&["See the pods: `kubectl -n kube-system get pods -o wide -l k8s-app=cloud-node-manager`", check::DESCRIBE_NODE]),
    row("NodeSmallerThanExpected")
        .source(Karpenter, "pkg/controllers/nodeclaim/consistency/nodeshape.go")
        .symptom("The node has fewer resources than Karpenter expects of its VM size: the overhead that it computes with is wrong, or memory or a device is missing")
        .any(&["failedconsistencycheck", "consistencycheckfailed"])
        .near(&["of resource "], &["% of expected)"])
        .checks(&[check::NODE_CLAIM, check::DESCRIBE_NODE]),
    row("NodesUnready")
        .source(Autoscaler, "cluster-autoscaler/core/static_autoscaler.go")
        .symptom("The cluster autoscaler does nothing, because too many nodes are not ready: find out why they are not")
        .any(&["clusterunhealthy", "cluster has no ready nodes", "cluster is not ready for autoscaling"])
        .checks(&[check::DESCRIBE_NODE, check::AUTOSCALER]),
    row("NodeNotInitialized")
        .source(Karpenter, "pkg/controllers/nodeclaim/lifecycle/initialization.go")
        .symptom("The node is registered, but Karpenter still waits: a startup taint is left, or a resource such as a GPU does not appear")
        .any(&["startuptaint \"", "startup taint", "resourcenotregistered", "knownephemeraltaintsexist", "requested resources not registered", "resource \"nvidia.com/gpu\" was requested but not registered", "was requested but not registered", "startuptaintsexist", "knownephemeraltaint", "node not initialized", "nodenotready: node status is notready", "node status is notready", "dradriverpoolsnotpublished", "has not published a complete resource pool"])
        .near(&["expected "], &["% of expected)"])
        .checks(&[check::NODE_CLAIM, check::DESCRIBE_NODE]),
    row("DynamicResourcesFail")
        .source(Kubernetes, "pkg/kubelet/cm/dra/manager.go")
        .symptom("A driver of dynamic resources (DRA) gives the pod no device: it is not registered with the kubelet, its pod does not run on the node, or it reports an error")
        .any(&[
            "failedpreparedynamicresources",
            "failed to prepare dynamic resources",
            "prepare dynamic resources: ",
            "nodeprepareresources failed",
            "nodeprepareresources skipped",
            "nodeunprepareresources failed",
            "not found in the list of registered dra plugins",
            "failed to get dra plugin client for plugin",
            "unable to get information for resourceclaim",
            "no handler registered for plugin type: draplugin",
        ])
        .near(&["dra driver "], &[" is not registered"])
        // The driver of NVIDIA.
        .near(&[" feature requires gpu driver version"], &["but found"])
        .or(&["The feature gate DynamicResourceAllocation is off in the kubelet", "The driver of the GPU is older than the one that the driver of dynamic resources needs"])
        .checks(&["See the drivers of the node: `kubectl get resourceslices --field-selector spec.nodeName=NODE`", check::DESCRIBE_POD, check::KUBELET_LOG]),
    row("SysctlForbidden")
        .source(Kubernetes, "pkg/kubelet/sysctl/allowlist.go")
        .cause("The kubelet rejects the pod because of a sysctl that the node does not allow: the kubelet's setting allowedUnsafeSysctls lacks it")
        .any(&["sysctlforbidden", "forbidden sysctl: "])
        .checks(&["See the setting: `grep -i -A 3 sysctls /etc/default/kubeletconfig.json`", check::DESCRIBE_POD]),
    row("DevicePluginNotRegistered")
        .source(Kubernetes, "pkg/kubelet/cm/devicemanager/plugin/v1beta1/server.go")
        .symptom("A device plugin (GPU, RDMA) and the kubelet do not reach each other over the sockets in /var/lib/kubelet/device-plugins, so the node does not offer its devices")
        .any(&["failed to listen to socket while starting device plugin registry", "device plugin registration grpc server failed", "failed to create the device plugin socket directory", "failed to cleanup the device plugin directory", "error connecting to device plugin client", "bad registration request from device plugin", "invalid name of device plugin socket: "])
        .checks(&["See the sockets: `ls -l /var/lib/kubelet/device-plugins`", check::KUBELET_LOG, check::DESCRIBE_NODE]),
    row("PodRejected")
        .source(Kubernetes, "pkg/kubelet/sysctl/allowlist.go")
        .symptom("The kubelet rejects the pod: the node has less of a resource than the scheduler knew, a device plugin does not answer, or the node's labels changed")
        .any(&["unexpectedadmissionerror", "cannot be allocated with topology locality", "node didn't have enough resource:", "outofcpu", "outofmemory node", "outofpods", "outofephemeral-storage", "outofnvidia.com/gpu", "allocate failed due to", "cannot allocate unregistered device", "cannot allocate unhealthy devices", "requested number of devices unavailable for", "unexpectedly allocated less resources than required", "device plugin prestartcontainer rpc failed", "device plugin getpreferredallocation rpc failed", "update plugin resources failed due to", "podosselectornodelabeldoesnotmatch", "predicate nodeaffinity failed", "predicate podtoleratesnodetaints failed", "pod was rejected: ", "sysctlforbidden", "forbidden sysctl: ", "podosnotsupported", "cannot enforce apparmor", "preempted in order to admit critical pod", "podfeatureunsupported", "supplementalgroupspolicynotsupported", "initcontainersrestartpolicyforbidden", "topologyaffinityerror", "podlevelresourcesnotsupported", "predicate nodeports failed", "predicate noderesourcesfit failed", "predicate nodename failed", "predicate nodeunschedulable failed"])
        .near(&["failed to admit pod"], &["node has conditions", "nodecondition"])
        .unless(&["was rejected as the node is shutting down"])
        .checks(&["Compare: `kubectl describe node NODE | grep -A 12 -E \"Capacity|Allocatable|Allocated\"`", check::DESCRIBE_POD, check::KUBELET_LOG]),
    row("PodNotStopped")
        .source(Kubernetes, "pkg/kubelet/kuberuntime/kuberuntime_manager.go")
        .symptom("A pod cannot be stopped: the CNI plugin does not remove its network, or the runtime does not stop its container")
        .any(&["failedkillpod", "error killing pod", "killpodsandboxerror", "failed to \"killpodsandbox\"", "killcontainererror", "failed to \"killcontainer\"", "stoppodsandbox from runtime service failed", "stopcontainer from runtime service failed", "failed to destroy network for sandbox", "failed to stop sandbox", "failed to kill container \"", "failed to remove cgroup", "failed to delete cgroup paths", "unable to destroy cgroup paths"])
        .checks(&[check::DESCRIBE_POD, check::CNI_PODS, check::CONTAINERD_LOG]),
    row("PodOverItsLimit")
        .source(Kubernetes, "pkg/kubelet/eviction/helpers.go")
        .symptom("The kubelet evicted the pod because it used more storage than its own limit allows")
        .any(&["exceeds the total limit of containers", "usage exceeds its limit of", "container exceeded its local ephemeral storage limit", "pod ephemeral local storage usage exceeds"])
        .near(&["usage of emptydir volume"], &["exceeds the limit"])
        .checks(&[check::DESCRIBE_POD]),
    row("EgressBlocked")
        .source(Learn, "azure/aks/node-problem-detector")
        .cause("The node does not reach hosts outside of its network: a firewall, route or network security group blocks them")
        .any(&["egressblocked"])
        .checks(&["Reach one: `curl -sS -m 5 -o /dev/null -w \"%{http_code}\" https://mcr.microsoft.com/v2/`", "See routes and rules: `ip route; az network nsg list -g NODE_GROUP -o table`"]),
    row("RegistryRefusesAddress")
        .source(Learn, "azure/container-registry/container-registry-access-selected-networks")
        .cause("The registry allows only selected networks, and the address of the node is none of them: add it, or a private endpoint for the node's network")
        .includes(&[Layer::Request])
        .near(PULL, &["aka.ms/acr/firewall", "is not allowed access. refer"])
        .unless(BUILDS)
        .reported_by(&["ImagePullFailed"])
        .checks(&["See the rules: `az acr show -n REGISTRY --query \"{public:publicNetworkAccess,rules:networkRuleSet}\"`", check::PULL]),
    row("CredentialProviderFails")
        .source(Kubernetes, "pkg/credentialprovider/plugin/plugin.go")
        .symptom("The program that gives the kubelet credentials for a registry fails: it is missing or not executable, its configuration is wrong, or the identity of the node gets no token")
        .includes(&[Layer::Request, Layer::UserData])
        .any(&["error execing credential provider plugin"])
        .checks(&["See it: `ls -l /var/lib/kubelet/credential-provider; cat /var/lib/kubelet/credential-provider-config.yaml`", check::IMDS, check::KUBELET_LOG]),
    row("ImageNameInvalid")
        .source(Kubernetes, "pkg/kubelet/images/image_manager.go")
        .cause("The name of the image is not valid, so the kubelet does not pull it")
        .any(&["failed to apply default image tag", "invalidimagename"])
        .checks(&[check::DESCRIBE_POD]),
    row("ImageNotOnNode")
        .source(Kubernetes, "pkg/kubelet/images/image_manager.go")
        .cause("The pod may not pull its image (imagePullPolicy: Never), and the node does not have it")
        .any(&["errimageneverpull", "is not present with pull policy of never"])
        .checks(&["List the images: `crictl images`", check::DESCRIBE_POD]),
    row("ImageSignatureRefused")
        .source(Kubernetes, "pkg/kubelet/images/types.go")
        .cause("The runtime refuses the image because its signature is missing or not accepted by the policy of the node")
        .any(&["signaturevalidationfailed"])
        .checks(&[check::CONTAINERD_LOG, check::DESCRIBE_POD]),
    row("ImageOfOtherArchitecture")
        .source(Containerd, "core/images/image.go")
        .cause("The image has no variant for the processor architecture of the node (amd64 or arm64)")
        .near(PULL, &["no match for platform in manifest"])
        .near(&["exec format error"], &["warning failed ", "warning backoff", "crashloopbackoff", "oci runtime create failed", "/usr/local/bin/cloud-node-manager", "/usr/local/bin/azure-cns", "/azurediskplugin", "/azurefileplugin"])
        .unless(&["failed to solve", "buildx", "buildkit", "with policy \"", "docker: error response from daemon"])
        .checks(&["Compare: `kubectl get node NODE -o jsonpath='{.status.nodeInfo.architecture}'; crictl inspecti IMAGE`", check::DESCRIBE_POD]),
    row("RegistryNameUnresolved")
        .source(Containerd, "core/remotes/docker/resolver.go")
        .symptom("DNS on the node does not resolve the name of the registry, so an image cannot be pulled")
        .includes(&[Layer::Request])
        .near(PULL, &["no such host", "server misbehaving", "temporary failure in name resolution", ":53: i/o timeout", ":53: read: connection refused"])
        .unless(BUILDS)
        .reported_by(&["CniConfigMissing"])
        .checks(&["Resolve it on the node: `resolvectl query REGISTRY; resolvectl status`", check::PULL]),
    row("RegistryUnreachable")
        .source(Containerd, "core/remotes/docker/resolver.go")
        .symptom("The node does not reach the registry: a firewall, route or network security group blocks it, so an image cannot be pulled")
        .includes(&[Layer::Request])
        .near(PULL, &["i/o timeout", "connection refused", "connection reset by peer", "no route to host", "network is unreachable", "tls handshake timeout", "client.timeout exceeded"])
        .unless(BUILDS)
        .reported_by(&["CniConfigMissing"])
        .checks(&[check::PULL, "See routes and rules: `ip route; az network nsg list -g NODE_GROUP -o table`"]),
    row("ImagePullFailed")
        .source(Kubernetes, "pkg/kubelet/images/types.go")
        .includes(&[Layer::Request])
        .klog(&["azure_credentials.go"])
        .symptom("An image cannot be pulled on the node: it does not exist, the registry is blocked, or the kubelet's identity may not pull")
        .any(&[
            // How containerd wraps the errors of a pull.
            "httpreadseeker: failed open", "failed commit on ref \"", "failed size validation: ", "failed to extract layer ", "failed to prepare extraction snapshot", "failed to get reader from content store", "failed to do request: head", "unexpected status from head request", "no match for platform in manifest", "failed to unpack image on snapshotter", "pullimage from image service failed",
            "invalidimagename", "external registry credential provider", "execing credential provider plugin", "failed to provide credentials for image", "errimageneverpull", "inspectfailed", "registryunavailable", "signaturevalidationfailed", "errimagepull", "imagepullbackoff", "back-off pulling image", "failed to pull and unpack image", "failed to resolve reference", "failed to pull image", "you have reached your pull rate limit", "you have reached your unauthenticated pull rate limit", "rejected token exchange", "validating image pull permission: failed", "failed to send token exchange request", "failed to fetch anonymous token", "failed to fetch oauth token"])
        .unless(BUILDS)
        // Without a network, only the pods that bring it are started.
        .reported_by(&["CniConfigMissing"])
        .checks(&[check::DESCRIBE_POD, check::PULL, "Check the registry: `az aks check-acr -g GROUP -n CLUSTER --acr REGISTRY`"]),
    row("ClusterDnsCrashes")
        .source(Kubernetes, "pkg/kubelet/kuberuntime/kuberuntime_manager.go")
        .symptom("CoreDNS starts and exits repeatedly, so pods resolve no names: its configuration is invalid, or it is its own name server")
        .near(CRASHES, &["coredns-", "container coredns ", "container=coredns "])
        .within(80)
        .checks(&["Read why it exited: `kubectl -n kube-system logs --selector k8s-app=kube-dns --previous --prefix`", "See its configuration: `kubectl -n kube-system get configmap coredns-custom -o yaml`", check::DESCRIBE_POD]),
    row("SystemPodCrashes")
        .source(Kubernetes, "pkg/kubelet/kuberuntime/kuberuntime_manager.go")
        .symptom("A pod that the node needs (network, proxy, storage, identity) is not ready, or starts and exits repeatedly: its own log has the reason")
        .any(&["calico/node is not ready", "felix is not ready"])
        .near(CRASHES, super::NEEDED_PODS)
        // A line of a table, which is not about the pods in the other lines.
        .within(80)
        .checks(&["Read the log of its last run: `kubectl -n kube-system logs POD --all-containers --previous`", check::DESCRIBE_POD, check::CNI_PODS]),
    row("AgentForbidden")
        .source(GitHub, "Azure/azure-container-networking/issues/3063")
        .cause("The cluster does not allow an agent of the node's network or cloud to read or change its objects: the ClusterRole of its service account is missing or older than it")
        .near(
            &["user \"system:serviceaccount:"],
            &["azure-cns\"", "cilium\"", "cilium-operator\"", "calico-node\"", "calico-cni-plugin\"", "azure-npm\"", "cloud-node-manager\"", "kube-proxy\"", "csi-azuredisk-node-sa\"", "csi-azurefile-node-sa\""],
        )
        .within(60)
        .checks(&["See its rights: `kubectl auth can-i --list --as=system:serviceaccount:kube-system:NAME`", check::CNI_PODS]),
    row("DevicePluginFails")
        .source(GitHub, "NVIDIA/k8s-device-plugin/blob/HEAD/internal/plugin/server.go")
        .symptom("A device plugin, such as that of the GPUs, cannot start, register with the kubelet or be reached by it")
        .any(&["could not register device plugin", "could not start device plugin", "could not contact kubelet, retrying", "failed to dial device plugin", "device plugin client with socket path", "ended unexpectedly for device plugin", "device plugin registration grpc server", "if this is a gpu node, did you", "no devices found. waiting indefinitely", "incompatible platform detected", "incompatible strategy detected", "failed to construct resource managers", "error waiting for mps daemon", "nvml init failed", "failed to get cdi spec", "error getting map of devices", "continuing with health checks disabled"])
        .near(&["grpc server for '"], &["has repeatedly crashed"])
        .checks(&["See the device plugin: `kubectl -n kube-system get pods -o wide | grep -i -E \"nvidia|gpu|plugin\"`", "See its sockets: `ls -l /var/lib/kubelet/device-plugins`", check::KUBELET_LOG]),
    row("NodeServiceFails")
        .source(NodeProblemDetector, "deployment/node-problem-detector.yaml")
        .symptom("A service that watches the node (node-problem-detector, monitors of the kubelet and containerd) does not run: the node works, but reports no problems of itself")
        .near(&["node-problem-detector"], &["failed to setup", "failed to start", "failed to initialize", "unable to", "panic: ", "binary not found"])
        .within(120)
        .units(&["node-problem-detector", "kubelet-monitor", "containerd-monitor", "docker-monitor", "health-monitor"])
        .checks(&["Read its log: `journalctl --unit=node-problem-detector --boot --no-pager --lines=50`", check::DESCRIBE_NODE]),
    row("ResolverFails")
        .source(Kubernetes, "pkg/kubelet/network/dns/dns.go")
        .symptom("The resolver of the node, systemd-resolved, does not run, so the node resolves no names")
        .near(&["systemd-resolved["], &["failed to", "could not", "assertion"])
        // Its file, which the kubelet gives to pods.
        .any(&["open /run/systemd/resolve/resolv.conf: no such file"])
        .units(&["systemd-resolved"])
        .needs(HOSTS)
        .checks(&["See its state: `systemctl status systemd-resolved; resolvectl status`", "See the servers: `cat /etc/resolv.conf`"]),
    row("AddOnsNotRunning")
        .source(GitHub, "MicrosoftDocs/SupportArticles-docs/blob/HEAD/support/azure/azure-kubernetes/create-upgrade-delete/troubleshoot-aks-cluster-start-issues.md")
        .symptom("The pods of AKS's own add-ons run on no node: the nodes of the system pool are not Ready, or cannot pull or reach the API server")
        .azure(&["controlplaneaddonsnotready", "pods not in running status", "in running status: coredns"])
        .checks(&["See the pods: `kubectl -n kube-system get pods -o wide`", check::DESCRIBE_NODE]),
    row("CsiDriverMissing")
        .source(Kubernetes, "pkg/volume/csi/csi_client.go")
        .symptom("The CSI driver of the volume does not run on the node: its pod is missing, starts or crashes")
        // The proxy of a Windows node.
        .near(&["csi-proxy"], &["failed to connect", "cannot find the file", "no such file", "connection refused"])
        .any(&["not found in the list of registered csi drivers", "does not contain driver disk.csi.azure.com", "does not contain driver file.csi.azure.com", "csinode does not contain driver", "restarting registration container", "error connecting to csi driver", "node-registrar socket", "failed to establish connection to csi driver"])
        .near(&["/csi.sock"], &["connection refused", "no such file or directory"])
        .near(&["csi-node-driver-registrar"], &["flag provided but not defined", "probe failed", "crashloopbackoff"])
        .checks(&["See its pods: `kubectl -n kube-system get pods -o wide | grep csi-azure`", check::DESCRIBE_POD]),
    row("KubeProxyConfigInvalid")
        .source(Kubernetes, "cmd/kube-proxy/app/server.go")
        .cause("The configuration of kube-proxy is not valid: it has a feature gate or field that was removed before this version")
        .any(&["failed complete: unrecognized feature gate", "failed complete: strict decoding error", "failed complete: cannot set feature gate"])
        .checks(&["See it: `kubectl -n kube-system get configmap kube-proxy -o yaml; kubectl -n kube-system get daemonset kube-proxy -o yaml`", "Read its log: `kubectl -n kube-system logs -l component=kube-proxy --tail=50`"]),
    row("KubeProxyFails")
        .source(Kubernetes, "pkg/util/iptables/iptables.go")
        .cause("The program kube-proxy cannot write its rules on the node: iptables, nftables or a kernel module fails")
        .any(&["failed to execute iptables-restore", "can't use the ipvs proxier", "error running proxyserver", "unable to create proxier", "iptables is not available on this host", "failed to ensure chain exists", "error creating chain \"kube-", "failed to ensure chain jumps"])
        .near(&["nf_conntrack_max", "/conf/all/route_localnet", "/proc/sys/net/netfilter/"], &["permission denied", "read-only file system", "no such file or directory"])
        .near(&["kube-proxy"], &["failed to execute nft", "iptables-restore failed", "can't initialize iptables table", "can't initialize ip6tables table", "iptables-restore: line ", "failed to retrieve node info", "failed to list *v1.service", "kube-proxy configuration is incorrect"])
        .klog(&["proxier.go"])
        .conditions(&["KubeProxyUnhealthy"])
        // The scripts of a node.
        .unless(&["provision.sh[", "sysctl: cannot stat"])
        .checks(&["Read its log: `kubectl -n kube-system logs -l component=kube-proxy --tail=50`", check::CNI_PODS]),
    row("CiliumWaitsForAddresses")
        .source(GitHub, "cilium/cilium/issues/28242")
        .symptom("The agent of cilium waits for IP addresses for the node's pods: cilium-operator does not run, may not read or change Azure's networks, or its subnet is full")
        .any(&["in crd-backed allocation pool"])
        .checks(&["Read its log: `kubectl -n kube-system logs -l name=cilium-operator --tail=50`", "See what the node has: `kubectl get ciliumnode NODE -o yaml`", check::SUBNET]),
    row("CiliumFails")
        .source(GitHub, "flannel-io/flannel/blob/HEAD/main.go")
        .symptom("The agent of cilium or calico, or that of flannel, on the node reports an error: pods of the node have no network until it runs")
        // flannel, when it starts.
        .near(&["error registering network: ", "failed to create subnetmanager: ", "failed to find any valid interface to use", "failed to acquire lease: "], &["node \"", "pod cidr", "kube", "interface", "flannel", "net conf"])
        // cilium, since its log names files.
        .near(&["level=fatal", "level=error"], &["github.com/cilium/cilium/"])
        .near(
            &["level=fatal", "level=error"],
            // Since 1.18, its modules.
            &["subsys=", "module=agent.controlplane", "module=agent.datapath", "module=agent.infra", "module=operator.operator-"],
        )
        .includes(&[Layer::Registration])
        // calico, whose log names its files.
        .near(&["felix/", "confd/", "calico/node", "startup/startup.go", "startup/autodetection/", "monitor-addresses/", "tunnel-ip-allocator/", "cni-config-monitor/"], &["[fatal]", "[panic]", "[error]"])
        .any(&["crd-backed allocation pool", "unable to allocate ips, see https", "calico node failed to start", "failed to check br_netfilter"])
        .checks(&["Read its log: `kubectl -n kube-system logs POD --all-containers --tail=50`", check::CNI_PODS]),
    row("NetworkAgentFails")
        .source(AzureNetworking, "npm/cmd/start.go")
        .symptom("An agent of the node's network (azure-npm, ip-masq-agent) cannot write its rules: iptables or ipset fails")
        .any(&["error syncing masquerade rules", "iptablesversionsmismatch", "another app is currently holding the xtables lock"])
        .near(&["azure-npm", "azure_npm"], &["error: ", "stderr: ", "failed to", "panic: "])
        .klog(&["ip-masq-agent.go", "networkPolicyController.go", "nameSpaceController.go", "namespaceController.go", "podController.go", "translatePolicy.go", "policymanager_linux.go", "ipsetmanager_linux.go", "goalstateprocessor.go"])
        // Its controllers.
        .near(&["[syncnetpol]", "[syncaddandupdate", "[syncpod", "[syncnamespace", "[dataplane] ", "failed to create dataplane", "npm controlplane manager"], &["error", "failed", "panic: "])
        .checks(&[check::CNI_PODS, "See the rules: `iptables -w -S | head -n 50; ipset list -n | head`"]),
    row("NodeDnsFails")
        .source(NodeProblemDetector, "config/network-problem-monitor.json")
        .since("1.35.0")
        .cause("DNS does not answer on the node: its DNS server, localdns or CoreDNS cannot be reached")
        .any(&["->168.63.129.16:53: i/o timeout", "dns is unreachable from the node", "coredns.io/plugins/loop#troubleshooting", "more than twice, loop detected", "dnsunreachable", "corednsunreachable", "vnetdnsunreachable", "plugin/loop: loop ("])
        .near(&["plugin/errors: ", "unreachable backend: "], &["i/o timeout", "connection refused", "no route to host", "network is unreachable"])
        .checks(&["See the servers: `resolvectl status`", "See CoreDNS: `kubectl -n kube-system get pods -o wide -l k8s-app=kube-dns`"]),
    row("NameServersSilent")
        .source(Web, "gitlab.isc.org/isc-projects/bind9/-/blob/main/bin/dig/dighost.c")
        .cause("No DNS server answers: that of the virtual network, localdns or CoreDNS cannot be reached")
        // Of dig, nslookup and host.
        .any(&["no servers could be reached"])
        .near(&[";; communications error to "], &[": timed out", ": connection refused", ": host unreachable", ": network unreachable"])
        // They are run wherever a name is not resolved.
        .leaves_open(&[Layer::UserData, Layer::Extension, Layer::Provisioning, Layer::Kubelet, Layer::Registration])
        .checks(&["See the servers: `resolvectl status`", "Ask the server of Azure: `dig @168.63.129.16 mcr.microsoft.com`", "See CoreDNS: `kubectl -n kube-system get pods -o wide -l k8s-app=kube-dns`"]),
    row("NodeClockWrong")
        .source(NodeProblemDetector, "config/custom-plugin-monitor.json")
        .since("0.5.0")
        .symptom("The clock of the node is not synchronized: its time service does not run")
        .conditions(&["NTPProblem"])
        .any(&["ntpisdown"])
        .near(&["chronyd", "chrony.service", "systemd-timesyncd"], &["failed with result", "main process exited", "clock wrong by", "synchronise: no", "could not synchronize", "timed out waiting for reply"])
        .needs(&["ntpproblem", "ntpisdown", "aks", "azure", "vmss", "k8s", "kube"])
        .units(&["chrony", "chronyd", "systemd-timesyncd"])
        .checks(&[check::CLOCK, "See the service: `chronyc tracking`"]),
    row("LocalDnsUnhealthy")
        .source(AgentBaker, "parts/linux/cloud-init/artifacts/localdns.sh")
        .symptom("The DNS server of the node, localdns, fails its own health checks, so systemd restarts it: its address 169.254.10.10 does not answer, or the DNS servers behind it do not")
        // Its watchdog, which runs once it has started.
        .any(&["max sliding window failures (", "localdns health check failed", "health check failed: dns query to", "health check failed: http ready endpoint"])
        .near(&["localdns.service"], &["scheduled restart job", "watchdog timeout", "failed with result 'watchdog'"])
        .reported_by(&["LocalDnsFailed"])
        // It starts before the kubelet.
        .leaves_open(&[Layer::Provisioning, Layer::Kubelet, Layer::Registration])
        .checks(&["Read its log: `journalctl --unit=localdns --boot --no-pager --lines=50`", "Ask it: `dig @169.254.10.10 mcr.microsoft.com`"]),
    row("ClusterDnsMissing")
        .source(Kubernetes, "pkg/kubelet/network/dns/dns.go")
        .symptom("The kubelet does not know the address of the cluster's DNS server (clusterDNS of its configuration), so pods cannot resolve names of the cluster")
        .any(&["missingclusterdns", "does not have clusterdns ip configured"])
        .checks(&["See it: `grep -i clusterdns /etc/default/kubeletconfig.json; tr ' ' '\\n' </etc/default/kubelet | grep dns`", check::KUBELET_FLAGS]),
    row("VolumeDamaged")
        .source(GitHub, "kubernetes/mount-utils/blob/HEAD/mount_linux.go")
        .includes(&[Layer::Machine])
        .cause("The file system on the disk of the pod's volume is damaged, and its check could not repair it")
        .any(&["'fsck' found errors on device"])
        .reported_by(&["VolumeNotMounted"])
        .checks(&["Repair it while no pod uses it: attach the disk to a VM, then `fsck -y DEVICE`", check::DESCRIBE_POD]),
    row("BlobfuseFails")
        .source(GitHub, "Azure/azure-storage-fuse/issues/1079")
        .symptom("A container of Azure Storage cannot be mounted on the node: blobfuse lacks access to it, or FUSE fails, so pods with this volume do not start")
        .includes(&[Layer::Request])
        .near(&["blobfuse2[", "blobfuse["], &["log_err [", "log_crit [", "unable to start pipeline", "failed to mount fuse"])
        .any(&["aka.ms/blobmounterror", "unable to start pipeline [", "failed to initialize new pipeline [", "grpc call returned with an error", "blobfuse-proxy.sock"])
        .unless(&["starting blobfuse2 mount"])
        .needs(HOSTS)
        .checks(&["Read its log: `journalctl -t blobfuse2 --no-pager --lines=50`", check::DESCRIBE_POD]),
    row("CsiNodeNotCreated")
        .source(Kubernetes, "pkg/volume/csi/nodeinfomanager/nodeinfomanager.go")
        .symptom("The kubelet cannot write its CSINode object: the API server is older than the kubelet, refuses it, or cannot be reached")
        .any(&["error updating csinode annotation", "failed to initialize csinode", "error updating csinode object", "error creating csinode", "error getting csinode"])
        .at_start()
        .checks(&[check::KUBELET_LOG, "Compare the versions: `kubectl version; kubectl get nodes -o wide`"]),
    row("NodeStarting")
        .source(Kubernetes, "pkg/volume/csi/csi_plugin.go")
        .symptom("The kubelet reports no capacity yet, or cannot create its CSINode: it has just started, or the API server does not answer")
        .any(&["csinode is not yet initialized", "missing node capacity for resources"])
        .checks(&[check::KUBELET_LOG, check::DESCRIBE_NODE]),
    row("VolumeNotMounted")
        .source(Kubernetes, "pkg/volume/util/operationexecutor/operation_generator.go")
        .symptom("A volume of the pod cannot be attached or mounted on the node")
        .includes(&[Layer::Request, Layer::Registration])
        .klog(&["nodeserver.go", "azure_controller_common.go", "azure_controller_standard.go", "azure_controller_vmss.go", "azure_controller_vmssflex.go", "attach_detach_controller.go", "reconciler_common.go", "operation_generator.go", "csi_mounter.go", "desired_state_of_world_populator.go", "azure_common_linux.go", "azure_storage.go", "azure_managedDiskController.go", "azure_disk_utils.go", "azure_dd.go", "azurefile.go", "azuredisk.go", "azurefile_dataplane_client.go", "azurefile_mgmt_client.go", "mount_linux.go", "mount_helper_common.go"])
        .any(&["failed to find disk on lun", "could not format /dev/", "mounting command: ", "mounting arguments: ", "mount failed: exit status", "failedmapvolume", "volumeresizefailed", "filesystemresizefailed", "unable to mount volumes for pod", "mountvolume.mountdevice failed", "mountvolume.waitforattach failed", "waitforattach failed", "multi-attach error", "attachdiskwhilebeingdetached", "failedattachvolume", "failedmount", "unable to attach or mount volumes", "mountvolume.setup failed", "attachvolume.attach failed", "timed out waiting for the condition, volume", "unmountvolume.teardown failed", "unmountdevice failed", "unmounting arguments: ", "grpc error: rpc error: code =", "exceed max volume count", "had volume node affinity conflict", "could not get account key from secret", "getstorageaccountfromsecret(", "failed to get account name from", "could not get disk lun for volume", "cannot find lun for disk", "failed to unmount staging target", "could not find lun of diskuri", "has not been added to the list of volumesinuse", "volume is not attached according to node status for volume", "volume not attached according to node status for volume"])
        .near(&["transport endpoint is not connected"], &["/var/lib/kubelet/", "kubernetes.io~csi", "grpc error", "globalmount", "csi-blob", "blobfuse"])
        // The other volumes of a pod come from objects of its application, which do not exist.
        .unless(&["aws-ebs", "ebs.csi.aws.com", "gce-pd", "pd.csi.storage.gke.io", ": configmap \"", ": secret \"", "references non-existent config key", "references non-existent secret key"])
        .named(&["finddiskbylun", "attachdisk", "attach disk", "attach volume \""])
        .checks(&[check::DESCRIBE_POD, "See the attachments: `kubectl get volumeattachments`"]),
    row("KubeletStoppedPosting")
        .source(Kubernetes, "pkg/controller/nodelifecycle/node_lifecycle_controller.go")
        .symptom("The kubelet stopped reporting: the VM is down or overloaded, the kubelet does not run, or the API server cannot be reached")
        .any(&["failed to get lease: leases.coordination.k8s.io", "kubelet stopped posting node status", "nodestatusunknown", "kubelet never posted node status", "nodestatusneverupdated", "stopped posting node status", "nodelost", "marking node as unreachable", "is unresponsive. adding it to the taint queue", "newstate=\"fulldisruption\""])
        .or(&["The VM was evicted, deallocated or restarted"])
        .reported_by(&["NodeUnreachable"])
        .checks(&[check::INSTANCE, check::KUBELET_LOG, check::CONSOLE]),
    row("NodeUnreachable")
        .source(Kubernetes, "staging/src/k8s.io/api/core/v1/well_known_taints.go")
        .symptom("The node has the taint of a node whose kubelet does not report: the VM is down or overloaded, the kubelet does not run, or the API server cannot be reached")
        .any(&["node.kubernetes.io/unreachable", "kubenodeunreachable", "is unreachable and some workloads may be rescheduled"])
        .or(&["The VM was evicted, deallocated or restarted"])
        .checks(&[check::INSTANCE, check::KUBELET_LOG, check::CONSOLE]),
    row("ReservationNotEnforced")
        .source(Kubernetes, "pkg/kubelet/cm/node_container_manager_linux.go")
        .cause("The kubelet cannot write the limits of the node's reservations to the control groups: the version of the control groups or their driver does not fit")
        .any(&["failednodeallocatableenforcement", "failed to update node allocatable limits", "failed to enforce kube reserved cgroup limits", "failed to enforce system reserved cgroup limits"])
        .checks(&["See version and driver: `stat -fc %T /sys/fs/cgroup; grep -i cgroup /var/lib/kubelet/config.yaml /etc/default/kubelet`", check::KUBELET_LOG]),
    row("PodGroupFails")
        .source(Kubernetes, "pkg/kubelet/kubelet.go")
        .symptom("The kubelet cannot create or change the control group of a pod: systemd still has its slice, the kernel has no memory or numbers for groups left, or versions and drivers of the control groups do not fit")
        .any(&["unable to ensure pod container exists: ", "cgroups exist and are correctly applied: ", "failed to update qos cgroup configuration"])
        .reported_by(&["KubeletManagerError"])
        .checks(&["Count the groups: `cat /proc/cgroups; systemctl list-units 'kubepods*' | tail`", check::KUBELET_LOG]),
    row("SandboxFailed")
        .source(Kubernetes, "pkg/kubelet/kuberuntime/kuberuntime_manager.go")
        .symptom("The runtime cannot create the sandbox of a pod")
        .any(&["failed to create pod sandbox", "failed create pod sandbox", "failedcreatepodsandbox", "failed to \"createpodsandbox\"", "createpodsandboxerror", "runpodsandbox from runtime service failed", "failedcreatepodcontainer"])
        .near(&["runpodsandbox for"], &["failed, error", "failed: "])
        .checks(&[check::DESCRIBE_POD, check::CONTAINERD_LOG, check::CNI]),
    row("SandboxReportsError")
        .source(Containerd, "internal/cri/server/podsandbox/sandbox_run.go")
        .symptom("containerd reports an error of the sandbox of a pod: its network, its files or its process")
        // The messages of its CRI service.
        .near(
            &["failed to ", "unable", "cannot"],
            &["for sandbox \"", "start sandbox \"", "stop sandbox \"", "get sandbox \"", "find sandbox \"", "remove sandbox \"", "sandbox container spec", "sandbox container task", "sandbox root directory", "sandbox network namespace", "sandbox runtime info"],
        )
        .within(60)
        .checks(&[check::DESCRIBE_POD, check::CONTAINERD_LOG, check::CNI]),
    row("ContainerReportsError")
        .source(Kubernetes, "pkg/kubelet/kuberuntime/kuberuntime_container.go")
        .wrapper("The kubelet could not create or start a container: the end of its message has the reason")
        // Its event, in `kubectl describe`, whose message begins in this way.
        .near(&["warning failed "], &["kubelet error: "])
        .within(120)
        // What the application lacks, or its own command.
        .unless(&["error: secret \"", "error: configmap \"", "error: couldn't find key", "runasnonroot", "error: failed to prepare subpath", "executable file not found in $path", "error: imagepullbackoff", "error: errimagepull", "error: services have not yet been read", "error: environment variable"])
        .checks(&[check::DESCRIBE_POD, check::CONTAINERD_LOG]),
    row("SandboxChanged")
        .source(Kubernetes, "pkg/kubelet/kuberuntime/kuberuntime_manager.go")
        .wrapper("The sandbox of a pod ended, and the kubelet creates another one: if it happens again and again, the runtime or the CNI plugin on the node fails")
        .any(&["pod sandbox changed, it will be killed and re-created", "pod sandbox changed it will be killed and re-created"])
        .checks(&[check::DESCRIBE_POD, check::CONTAINERD_LOG, check::CNI_PODS]),
    row("NodeNotReady")
        .source(Kubernetes, "pkg/kubelet/nodestatus/setters.go")
        .wrapper("The node is registered, but not Ready: its conditions have the reason")
        .any(&["nodesnotready", "node(s) are not ready", "condition ready on node is reporting status", "kubeletnotready", "nodenotready", "node is not ready", "nodehasnotready", "status is now: nodenotready", "node.kubernetes.io/not-ready", "[nodenotready]", " notready <none> ", " notready agent ", " notready control-plane ", " notready worker ", "notready,schedulingdisabled", "recording status change nodenotready", "taintmanagereviction", "nodecontrollereviction", "nodes did not reach ready state", "not all nodes reached ready state", "nodes are not ready", "skipping pod synchronization", "node became not ready", "node did not become ready", "nodes did not become ready", "kubenodenotready", "kubenodereadinessflapping", "node readiness status is flapping"])
        // Alerts of kubernetes-mixin.
        .near(&["has been unready for more than"], &["minutes"])
        .near(&["the readiness status of node"], &["has changed"])
        // The table of `kubectl get nodes`, and rows of Container Insights.
        .near(
            &["aks-", "-vmss0", "name status age version", "name status roles age version"],
            &[" notready ", " notready,", "\"notready\"", ",notready,"],
        )
        .checks(&[check::DESCRIBE_NODE, check::KUBELET_LOG]),
    row("TunnelDown")
        .source(GitHub, "kubernetes-sigs/apiserver-network-proxy/blob/HEAD/pkg/agent/client.go")
        .symptom("The API server does not reach the kubelet on port 10250: the tunnel's pods (konnectivity-agent) do not run, a rule blocks the port, or the node is down")
        .any(&["error dialing backend", "\"cannot connect once\"", "failed to run proxy connection with"])
        .near(&[":10250/", ":10250: "], &["i/o timeout", "context deadline exceeded", "connection refused", "no route to host", "connection timed out", "connection reset", ": eof", "tls handshake timeout", "no agent available"])
        // How the agent of konnectivity names both ends.
        .near(&["agentid=\"", "serverid=\""], &["err=\""])
        .near(&["konnectivity-agent", "agent-token"], &["failed to read token", "no servers connected", "error checking service account token", "failed to run proxy connection"])
        .checks(&["See the tunnel: `kubectl -n kube-system get pods -o wide | grep -E \"konnectivity|tunnelfront|aks-link\"`", check::DESCRIBE_NODE]),
    row("ContainerdReportsError")
        .source(GitHub, "containerd/containerd/issues/3440")
        .wrapper("The container runtime reports an error of a container, an image or its own work: the end of the line has the reason")
        .journal(&["containerd"])
        .needs(&["aks", "azure", "vmss", "k8s", "kube", "sandbox", "pod", "cri", "shim", "task", "snapshot", "cni"])
        // Docker's.
        .unless(&["namespace=moby", "moby/"])
        .checks(&[check::CONTAINERD_LOG, check::CONTAINERD]),
    row("KubeletReportsError")
        .source(Kubernetes, "pkg/kubelet/kubelet_volumes.go")
        .wrapper("The kubelet runs, and reports an error of a pod, a volume, an image or the runtime: the end of the line has the reason")
        .klog(&[
            "kubelet.go",
            "pod_workers.go",
            "kuberuntime_manager.go",
            "kuberuntime_sandbox.go",
            "kuberuntime_container.go",
            "kuberuntime_image.go",
            "kuberuntime_gc.go",
            "remote_runtime.go",
            "remote_image.go",
            "eviction_manager.go",
            "image_gc_manager.go",
            "nestedpendingoperations.go",
            "goroutinemap.go",
            "reconstruct.go",
            "csi_attacher.go",
            "cri_stats_provider.go",
            "kubelet_pods.go",
            "kubelet_volumes.go",
            "kubelet_network_linux.go",
            "docker_sandbox.go",
            "cni.go",
            "kubelet_getters.go",
            "kubelet_nodecache.go",
            "status_manager.go",
            "container_log_manager.go",
            "image_pull_manager.go",
            "pod_devices.go",
            "plugin_watcher.go",
            "summary_sys_containers.go",
            "cadvisor_stats_provider.go",
            "reconstruct_common.go",
            "nodeshutdown_manager_linux.go",
            "allocation_manager.go",
            "csi_node_updater.go",
            "dra_plugin_manager.go",
            "mirror_client.go",
            "plugin_manager.go",
            "watchdog_linux.go",
            "pod_container_deletor.go", "kubelet_resources.go", "reason_cache.go", "kuberuntime_logs.go", "instrumented_services.go", "fs_resource_analyzer.go", "podcertificatemanager.go", "clustertrustbundle_manager.go", "fs_pullrecords.go", "image_pull_policies.go", "inhibit_linux.go", "nodeshutdown_manager.go", "healthinfo.go", "kuberuntime_container_linux.go", "volume_host.go", "threshold_notifier_linux.go", "env_util.go", "allowlist.go", "cri_metrics.go", "boottime_util_linux.go", "actual_state_of_world.go", "volume_stat_calculator.go", "evented.go", "watch_based_manager.go", "file_linux.go", "userns_manager.go", "csi_client.go", "csi_block.go", "csi_util.go"])
        .any(&["could not parse resolv conf file", "could not open resolverconf file", "could not process manifest file", "\"failed to write checkpoint file\"", "\"error getting machine info\"", "from runtime service failed\" err=", "from image service failed\" err=", "failed to construct signal: ", "failed to sync secret cache", "failed to sync configmap cache", "could not construct volume information", "failed to remove orphaned pod", "unable to evict any pods from the node", "genericpleg: ", "could not open resolv conf file", "failed to watch source", "operationexecutor.registerplugin failed", "eviction manager: failed to get"])
        // The runtime's answers, and how it logs them itself.
        .near(&["error: rpc error: code ="], &["kubelet", "warning failed ", "containerd", "sandbox"])
        .near(
            &["level=error", "level=fatal"],
            &["createcontainer within sandbox", "startcontainer for \"", "runpodsandbox for", "pullimage \"", "stoppodsandbox for", "stopcontainer for", "execsync for", "removecontainer for", "removepodsandbox for", "containerstatus for", "podsandboxstatus for"],
        )
        .journal(&["kubelet", "hyperkube", "kubelet-wrapper", "kubelet.sh"])
        // Of a node that does not register.
        .unless(&["\"execsync cmd from", "because node is not registered yet", "failed to get node info: node \""])
        .at_start()
        .checks(&[check::DESCRIBE_NODE, check::KUBELET_LOG, check::CONTAINERD_LOG]),
];
