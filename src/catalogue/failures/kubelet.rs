//! The kubelet does not start, or exits repeatedly: messages of `cmd/kubelet` and `pkg/kubelet` of Kubernetes.

use super::Publisher::{AgentBaker, Containerd, GitHub, Kubernetes, NodeProblemDetector, Systemd};
use super::{Failure, Layer, check};

const fn row(reason: &'static str) -> Failure {
    super::failure(Layer::Kubelet, reason)
}

const KUBELET: &[&str] = &[
    "kubelet[",
    "kubelet-wrapper[",
    "kubelet.service",
    "failed to run kubelet",
    "kubelet: ",
    "hyperkube",
    "bin/kubelet",
    "kubelet [flags]",
    "\"command failed\"",
];

/// How an error that ends the kubelet begins.
const FATAL: &[&str] = &["failed to run kubelet", "\"command failed\"", "failed to start containermanager"];

/// Fields of its configuration, as `pkg/kubelet/apis/config/validation` names them.
const FIELDS: &[&str] = &[
    " (--",
    "shutdowngraceperiod",
    "crashloopbackoff.",
    "imagemaximumgcage",
    "imageminimumgcage",
    "containerlogmax",
    "containerlogmonitorinterval",
    "nodelogquery",
    "enablesystemlog",
    "imagepullcredentialsver",
    "preloadedimagesverificationallowlist",
    "maxparallelimagepulls",
    "memoryreservationpolicy",
    "memoryswap.",
    "memorythrottlingfactor",
    "nodeleasedurationseconds",
    "pod logs path",
    "podlogsdir",
    "reserved memory ",
    "for numa node ",
    "servertlsbootstrap",
    "singleprocessoomkill",
    "taint.timeadded",
    "containerruntimeendpoint",
    "usernamespaces",
    "feature gate",
];

/// Names of the kubelet and of its units: texts with one of them are about a kubelet's unit.
const UNITS: &[&str] = &["kubelet"];

/// How systemd shows that a process of a unit failed.
const EXITS: &[&str] = &[
    "code=exited, status=1",
    "code=exited, status=2",
    "code=exited, status=3",
    "code=exited, status=4",
    "code=exited, status=5",
    "code=exited, status=6",
    "code=exited, status=7",
    "code=exited, status=8",
    "code=exited, status=9",
    "code=killed, ",
    "code=dumped, ",
];

/// Names of systemd for steps before the program runs, with its exit status for each: `src/shared/exit-status.c` of systemd.
const STEPS: &[&str] = &[
    "status=200/",
    "status=201/",
    "status=202/",
    "status=204/",
    "status=205/",
    "status=206/",
    "status=207/",
    "status=208/",
    "status=209/",
    "status=210/",
    "status=211/",
    "status=212/",
    "status=213/",
    "status=214/",
    "status=215/",
    "status=216/",
    "status=217/",
    "status=218/",
    "status=219/",
    "status=220/",
    "status=222/",
    "status=224/",
    "status=225/",
    "status=226/",
    "status=227/",
    "status=228/",
    "status=229/",
    "status=230/",
    "status=231/",
    "status=232/",
    "status=233/",
    "status=235/",
    "status=236/",
    "status=237/",
    "status=238/",
    "status=239/",
    "status=240/",
    "status=241/",
    "status=242/",
    "status=243/",
    "status=245/",
    "failed at step chdir",
    "failed at step user",
    "failed at step group",
    "failed at step cgroup",
    "failed at step limits",
    "failed at step namespace",
    "failed at step stdout",
    "failed at step stderr",
    "failed at step stdin",
    "failed at step oom_adjust",
    "failed at step capabilities",
    "failed at step state_directory",
    "failed at step logs_directory",
    "failed at step runtime_directory",
    "failed at step configuration_directory",
    "failed at step cpuaffinity",
    "failed at step setscheduler",
    "failed at step seccomp",
    "failed at step selinux_context",
    "failed at step apparmor",
    "failed at step nice",
    "failed at step ioprio",
    "failed at step pam",
    "failed at step chroot",
    "failed at step credentials",
    "failed at step keyring",
    "failed at step numa_policy",
    "failed at step bpf",
    "failed to set up mount namespacing",
    "changing to the requested working directory failed",
    "failed to load environment files",
    "failed to run 'start-pre' task",
    "failed to run 'start' task",
    "failed to spawn 'start-pre' task",
    "failed to spawn 'start' task",
];

pub(super) static FAILURES: &[Failure] = &[
    row("KubeletUnknownFlag")
        .source(Kubernetes, "cmd/kubelet/app/server.go")
        .cause("The kubelet does not know a flag: it was removed before this version, or is misspelled")
        .near(&["failed to parse kubelet flag"], &["unknown ", "no such flag"])
        .near(&["unknown shorthand flag", "non-flag argument", "unknown command"], KUBELET)
        .near(&["unknown flag: --"], KUBELET)
        // Flags that only a kubelet had, by the version that removed them: 1.23, 1.24, 1.27, 1.30 and later.
        .any(&["kubelet flag: unknown flag: --", "unknown flag: --dynamic-config-dir", "unknown flag: --network-plugin", "unknown flag: --cni-bin-dir", "unknown flag: --cni-conf-dir", "unknown flag: --image-pull-progress-deadline", "unknown flag: --container-runtime", "unknown flag: --master-service-namespace", "unknown flag: --azure-container-registry-config", "unknown flag: --keep-terminated-pod-volumes", "unknown flag: --pod-infra-container-image"])
        .checks(&[check::KUBELET_FLAGS, check::VALIDATE]),
    row("KubeletFlagsInvalid")
        .source(Kubernetes, "cmd/kubelet/app/options/options.go")
        .cause("The combination of kubelet flags is not valid: a required flag is missing, or a value is wrong")
        .any(&["failed to parse kubelet flag: invalid argument", "failed to validate kubelet flags", "failed to initialize kubelet flags", "container runtime endpoint address was not specified", "unknown 'kubernetes.io' or 'k8s.io' labels specified with --node-labels", "invalid node labels", "invalid taint", "failed to parse kubelet config drop-in", "must begin with an allowed prefix", "labels specified with --node-labels", "bad --node-ip", "quantities must match the regular expression", "unknown configmap and secret manager mode"])
        .near(FATAL, &["authorization mode", "cannot use webhook auth", "invalid root directory", "not in canonical form", "no lock file specified", "invalid sync frequency"])
        .near(&["--node-label"], &["unsupported", "not supported", "allowed set", "not allowed", "must begin with", "restricted"])
        .checks(&[check::KUBELET_FLAGS, check::VALIDATE]),
    row("KubeletUnknownFeatureGate")
        .source(Kubernetes, "staging/src/k8s.io/component-base/featuregate/feature_gate.go")
        .cause("The kubelet does not know a feature gate of this name, or it is locked: it was removed or fixed before this version")
        .any(&[
            "unrecognized feature gate",
            "cannot set feature gate",
            "feature is locked to",
            "failed to set feature gates from initial flags-based config",
            "invalid value of feature-gates",
        ])
        // What kube-proxy writes before it.
        .unless(&["failed complete: "])
        .checks(&[check::KUBELET_FLAGS, check::VALIDATE]),
    row("KubeletRestrictionFailed")
        .source(AgentBaker, "parts/linux/cloud-init/artifacts/ensure_imds_restriction.sh")
        .cause("A pre-start script of the kubelet's unit failed: a required variable is not set (rule for the metadata service)")
        .near(&["ensure_imds_restriction"], &["missing variables", "not set", "failed", "exit", "error"])
        // The state of a unit has the commands of all its programs.
        .unless(&["execstartpre=", "status=0/success", "ensure_imds_restriction.sh ]"])
        .any(&["one or more required variables are not set", "primarynicip is unset"])
        .checks(&["Run it: `systemctl cat kubelet | grep ExecStartPre`", check::KUBELET_LOG]),
    row("KubeletPreStartFailed")
        .source(GitHub, "Azure/aks-engine/issues/1092")
        .cause("A command before the kubelet's start failed (ExecStartPre of its unit), so the kubelet was not started")
        .any(&["kubelet.service: control process exited"])
        .near(
            &["execstartpre="],
            EXITS,
        )
        .within(260)
        // The program itself ended.
        .unless(&["execstart=", "main pid: "])
        .needs(UNITS)
        .or(&["The file or directory that the command needs is missing, or a kernel module is not loaded"])
        .checks(&["Run it: `systemctl cat kubelet | grep ExecStartPre`", check::KUBELET_LOG]),
    row("KubeletSwapOn")
        .source(Kubernetes, "pkg/kubelet/cm/container_manager_linux.go")
        .cause("Swap is on, and the kubelet does not start with it (failSwapOn)")
        .any(&[
            "running with swap on is not supported",
            "running with swap on with",
            "running swap with cgroups v1",
            "[error swap]",
            "swap feature is enabled and limitedswap",
            "failed to determine if swap is on",
            "please disable swap",
            "fail-swap-on flag to false",
            "swap is enabled; production deployments should disable swap",
        ])
        .checks(&["See the swap: `swapon --show; cat /proc/swaps`", "Turn it off: `swapoff -a`"]),
    row("KubeletFieldInvalid")
        .source(Kubernetes, "pkg/kubelet/apis/config/validation/validation.go")
        .cause("The kubelet rejects a value of its configuration or flags: it is out of range, contradicts another one, or needs a feature gate, and the message names the field")
        // What its validation says of a field: many have a flag of the same meaning behind their name.
        .near(&["invalid configuration: "], FIELDS)
        .near(FATAL, &["pod logs root directory is empty", "failed to initialize container log manager: "])
        .unless(&["has some missing controllers", "existing bootstrap client config", "no configuration has been provided"])
        .checks(&["Read the field: `cat /etc/default/kubeletconfig.json /etc/default/kubelet`", check::VALIDATE, check::KUBELET_LOG]),
    row("KubeletConfigInvalid")
        .source(Kubernetes, "cmd/kubelet/app/server.go")
        .cause("The configuration file of the kubelet cannot be decoded: it has an unknown field, a value of the wrong type, or an unknown version")
        .any(&[
            "failed to decode kubelet config",
            "kubelet config file could not be",
            "strict decoding error",
            "no kind \"kubeletconfiguration\" is registered",
            "couldn't get version/kind",
            "failed to decode, error",
            "failed to validate kubelet configuration",
            "kubelet configuration is invalid",
            "\"failed to set kubelet flags\"",
            "failed to load kubelet configs",
            "failed to walk through kubelet dropin directory",
            "failed to merge drop-in and current config",
            "failed to load drop-in kubelet config file",
            "failed to load kubelet dropin file",
            "failed to unmarshal merged json into kubelet configuration",
            "failed to merge kubelet configs", "failed lenient decoding", "to internal kubelet configuration", "invalid highthresholdpercent", "invalid lowthresholdpercent", "failed to initialize image manager",
        ])
        .near(
            &["failed to load kubelet config file", "failed to load kubelet config"],
            &["decode", "unmarshal", "unknown field", "converting yaml", "did not find expected", "cannot parse"],
        )
        .near(&["failed to validate"], &["kubelet config"])
        .near(FATAL, &["initialize logging: ", "failed to decode: ", "kubelet config file \""])
        .near(&["kubeletconfiguration", "kubelet.config.k8s.io"], &["error unmarshaling", "cannot unmarshal", "unknown field", "error converting yaml"])
        .near(&["invalid configuration: "], &["kubelet", "\"command failed\""])
        // Of an object, of a kubeconfig, or of the control groups.
        .unless(&["cannot be handled as a ", "invalid configuration: cgroup", "on a host using cgroup v1", "has some missing controllers", "existing bootstrap client config", "unable to read client-cert", "unable to read client-key", "unable to read certificate-authority", "no configuration has been provided"])
        .checks(&["Read it: `cat /etc/default/kubeletconfig.json`", check::VALIDATE, check::KUBELET_LOG]),
    row("EvictionThresholdInvalid")
        .source(Kubernetes, "pkg/kubelet/eviction/helpers.go")
        .cause("The kubelet does not understand an eviction threshold of its flags or configuration")
        .any(&["invalid eviction threshold syntax", "unsupported eviction signal", "eviction percentage threshold", "failed to parse eviction thresholds", "invalid eviction minimum reclaim", "eviction percentage minimum reclaim", "negative eviction minimum reclaim", "invalid eviction grace period", "must be specified for the soft eviction threshold", "grace period specified for unknown eviction signal"])
        .near(&["eviction threshold"], &["unsupported", "must be positive"])
        .checks(&[check::KUBELET_FLAGS, check::VALIDATE]),
    row("KernelLogNotReadable")
        .source(Kubernetes, "pkg/kubelet/kubelet.go")
        .cause("The kubelet cannot read the kernel's log /dev/kmsg: it runs in a container, or lacks rights")
        .any(&["open /dev/kmsg: "])
        .checks(&["Look for it: `ls -l /dev/kmsg`", "See who starts it: `systemctl cat kubelet`"]),
    row("KubeletCheckpoint")
        .source(Kubernetes, "pkg/kubelet/cm/cpumanager/state/state_checkpoint.go")
        .cause("The kubelet's state file of CPU or memory manager belongs to another configuration")
        .any(&[
            "could not restore state from checkpoint",
            "please drain this node and delete the cpu manager checkpoint file",
            "could not initialize checkpoint manager",
            "checkpoint is corrupted",
            "configured policy \"static\" differs from state checkpoint policy",
            "differs from state checkpoint policy",
            "failed to initialize checkpoint manager",
            "manager checkpoint data",
            "default cpuset cannot be empty",
            "could not parse default cpu set",
            "present in defaultcpuset",
            "match with cpus in state",
            "overlaps with default cpuset",
            "the expected machine state is different from the real one",
            "machine state can not be empty when it has memory",
        ])
        .near(FATAL, &["checkpoint", "dra manager error", "create resourceclaim cache: ", "failed to create healthinfo cache: "])
        .named(&["cpu_manager_state", "memory_manager_state"])
        .checks(&["Remove the state and restart: `rm /var/lib/kubelet/cpu_manager_state /var/lib/kubelet/memory_manager_state; systemctl restart kubelet`"]),
    row("KubeletManagerPolicy")
        .source(Kubernetes, "pkg/kubelet/cm/topologymanager/topology_manager.go")
        .cause("The policy of the CPU, memory or topology manager is unknown, or does not suit this machine (NUMA nodes)")
        .any(&["unsupported on machines with more than", "failed to initialize topology manager", "topology manager policy options [", "topology manager policy option", "cpu manager policy option", "static policy error: ", "none policy error: ", "policy alpha-level options", "policy beta-level options", "unsupported cpumanager option", "unsupported topologymanager option", "numa topology: ", "numa distances from cadvisor", "align by socket is not compatible", "unknown topology manager policy", "unknown topology manager scope", "failed to initialize cpu manager", "failed to initialize memory manager"])
        .near(FATAL, &["[cpumanager]", "[memorymanager]", "cpu manager error: ", "memory manager error: ", "static policy options", "received unsupported options", "topolgy manager", "number of cpus", "policy option", "bad value for option ", "the minimum value of "])
        .near(&["failed to run kubelet", "topologymanager", "topology manager", "cpumanager", "memorymanager"], &["unknown policy", "unsupported policy", "invalid policy", "unknown scope"])
        .checks(&["See the policies: `grep -iE \"policy|scope\" /etc/default/kubeletconfig.json /etc/default/kubelet`", "See the NUMA nodes: `lscpu | grep -i numa`"]),
    row("KubeletReservedGroup")
        .source(Kubernetes, "pkg/kubelet/cm/node_container_manager_linux.go")
        .cause("The kubelet cannot enforce its reservation: the control group of kube-reserved or system-reserved does not exist, or cannot be written")
        .near(
            &["failed to start containermanager", "failed to run kubelet"],
            &["failed to enforce kube reserved", "failed to enforce system reserved", "failed to update node allocatable"],
        )
        // It does not go on without a group that is configured.
        .near(&["reserved cgroup limits on"], &["cgroup does not exist"])
        .checks(&["See version and driver: `stat -fc %T /sys/fs/cgroup; grep -i cgroup /var/lib/kubelet/config.yaml /etc/default/kubelet`", check::KUBELET_FLAGS]),
    row("KubeletUnitStep")
        .source(Systemd, "src/core/service.c")
        .cause("A step of systemd before the kubelet's start failed: its directory, user, control group, limits, mounts or environment file")
        .near(&["kubelet"], STEPS)
        .within(300)
        .checks(&["See the unit: `systemctl cat kubelet; systemctl show kubelet -p WorkingDirectory,User,Slice,EnvironmentFiles`", check::KUBELET_LOG]),
    row("KubeletWatches")
        .source(GitHub, "kubernetes/kubernetes/issues/28997")
        .cause("The machine has no inotify instances or watches left, so the kubelet cannot watch control groups and files")
        .near(
            &["inotify_init", "inotify_add_watch", "fsnotify", "inotify watch", "inotify instance"],
            &["failed to start cadvisor", "failed to run kubelet", "failed to start containermanager", "kubelet.go", "\"command failed\"", "cadvisor", "/kubepods"],
        )
        // cAdvisor, and the kubelet's watcher of plugins, in whose errors Go has put the reason.
        .near(&["failed to watch directory \"/sys/fs/cgroup"], &["inotify_add_watch"])
        .near(&["plugin watcher"], &["too many open files"])
        .checks(&["See the limits: `sysctl fs.inotify.max_user_instances fs.inotify.max_user_watches`", check::KUBELET_LOG]),
    row("KubeletFileMissing")
        .source(Kubernetes, "pkg/kubelet/certificate/bootstrap/bootstrap.go")
        .cause("A file that the kubelet needs is missing: its configuration, kubeconfig, CA or program was not written")
        // Units of AKS are skipped without the program.
        .near(&["conditionpathexists=/opt/bin/kubelet", "kubelet was skipped"], &["was not met", "unmet condition", "condition failed"])
        .any(&["lib/kubelet/config.yaml: no such file", "unable to load bootstrap kubeconfig", "failed to locate executable /usr/local/bin/kubelet", "failed to locate executable /opt/bin/kubelet"])
        .near(
            &[
                "failed to load kubelet config",
                "unable to load bootstrap kubeconfig",
                "unable to load client ca file",
                "failed to run kubelet",
                "failed to construct kubelet",
                "invalid kubeconfig",
                "unable to read client-cert",
                "unable to read client-key",
                "error loading config file",
                "failed to initialize client ca",
                "unable to read client-ca",
                "failed to load kubelet",
                "kubelet.service:",
                "\"command failed\"",
                "kubeletconfig",
                "/var/lib/kubelet/config",
                "bin/kubelet",
                "bootstrap-kubeconfig",
            ],
            &["no such file or directory", "failed at step exec", "failed to locate executable", "unable to locate executable"],
        )
        // What kube-proxy reads, whose errors look the same.
        .unless(&["existing bootstrap client config", "connect: no such file or directory", "failed at step chdir", "failed at step namespace", "/proc/sys/net/netfilter/"])
        .checks(&["Look for its files: `ls -l /etc/default/kubelet* /var/lib/kubelet /etc/kubernetes/certs /opt/bin/kubelet`", check::KUBELET_LOG]),
    row("ContainerRuntimeNotReachable")
        .source(Kubernetes, "pkg/kubelet/kubelet.go")
        .cause("The kubelet cannot use the container runtime: containerd does not run, its socket has another path, or its CRI plugin is off")
        .any(&[
            "validate service connection",
            "unknown service runtime.v1",
            "failed to get runtime version",
            "get remote runtime typed version failed",
            "getruntimestatus failed",
            "remote runtime service: ",
            "could not connect to cri",
            "[error cri]",
            "cri v1 runtime api is not implemented",
            "cri v1 image api is not implemented",
            "runtimeservice connection",
            "failed to initialize cri",
            "version from runtime service failed",
            "failed to create kubelet: get remote runtime",
            "failed to dial \"/run/containerd",
            "validate cri v1 runtime api",
            "status from runtime service failed",
        ])
        // Kubelets before 1.24, with Docker.
        .near(FATAL, &["failed to get docker version", "cannot connect to the docker daemon"])
        .near(
            &["containerd.sock", "containerd/containerd.sock", "dockershim.sock", "crio.sock"],
            &["connection refused", "no such file or directory", "error while dialing", "connect:", "permission denied", "deadlineexceeded", "deadline exceeded"],
        )
        .unless(&["container runtime is down", "containergcfailed", "imagegcfailed", "container runtime sanity check failed", "skipping pod synchronization", "listpodsandbox with filter", "listcontainers with filter", "listimages with filter", "imagefsinfo from image service", "podsandboxstatus from runtime", "containerstatus from runtime", "stoppodsandbox from runtime", "removecontainer from runtime"])
        .or(&["The configuration of containerd is not valid, or of a version that this containerd does not read"])
        .checks(&[check::CONTAINERD, check::CONTAINERD_LOG]),
    row("CriPluginNotLoaded")
        .source(Containerd, "cmd/containerd/server/server.go")
        .cause("containerd runs without its plugin for Kubernetes (CRI) or without the snapshotter that it needs: the configuration of the plugin is not valid, or what it needs is missing")
        .near(&["failed to load plugin"], &["id=io.containerd.grpc.v1.cri", "id=io.containerd.cri.v1.", "plugin io.containerd.grpc.v1.cri", "plugin io.containerd.cri.v1.", "id=io.containerd.snapshotter.v1.overlayfs", "plugin io.containerd.snapshotter.v1.overlayfs"])
        .checks(&["See the plugins: `ctr plugins ls | grep -v ok`", check::CONTAINERD_LOG, "Check the configuration: `containerd config dump >/dev/null`"]),
    row("ContainerdFailed")
        .source(Containerd, "cmd/containerd/server/config/config.go")
        .cause("containerd does not start: its configuration, a plugin or its disk is broken")
        .any(&[
            "containerd.service: failed with result",
            "containerd.service: main process exited",
            "failed to start containerd.service",
            "failed to start containerd container",
            "containerd: failed to load toml",
            "containerd: invalid plugin config",
            "containerd: failed to",
            "containerd: toml",
            "unit containerd.service entered failed state",
            "containerd.service: start request repeated too quickly",
            // Of Flatcar, which unpacks it at boot.
            "torcx.target: starting requested but asserts failed",
            "managed by torcx, which did not run", "]: containerd: ", "required plugin io.containerd.", "invalid plugin key uri", "containerd: required plugin", "containerd: load required plugin", "containerd: drop-in", "failed to start containerd: timeout waiting", "failed to run cri service"])
        .near(&["containerd.service"], &["(result: ", "code=exited, status=1", "status=203/exec"])
        .near(
            &["containerd"],
            &["failed to load toml", "invalid plugin config", "expected `config_path` and", "unsupported config version", "failed to load plugin io.containerd.grpc.v1.cri", "failed to load plugin io.containerd.cri", "invalid cri image config", "invalid cri runtime config", "unable to load cri image service plugin", "unable to load cri runtime service plugin", "cannot be set when `config_path` is provided", "snapshotter not loaded", "does not support d_type", "failed to find snapshotter", "freepages: failed to get all reachable pages", "invalid freelist page", "failed to get listen for main", "failed to recover state", "could not use snapshotter overlayfs"],
        )
        .units(&["containerd"])
        // It ran, and something ended it.
        .unless(&["code=killed, status=9/kill", "failed with result 'signal'", "failed with result 'oom-kill'", "killed by the oom killer"])
        .checks(&[check::CONTAINERD_LOG, "Check the configuration: `containerd config dump >/dev/null`"]),
    row("KubeletDependencyFailed")
        .source(Systemd, "src/core/job.c")
        .cause("A unit that the kubelet's unit requires failed, so systemd did not start the kubelet: containerd, a mount or a disk")
        .any(&["dependency failed for kubelet", "job kubelet.service/start failed with result 'dependency'", "failed to mount /var/lib/kubelet", "failed to mount /var/lib/containerd", "failed to mount var-lib-kubelet"])
        // Units that wait for each other.
        .near(&["ordering cycle"], &["kubelet.service", "containerd.service"])
        // The unit of AKS that mounts the kubelet's directory.
        .near(&["bind-mount.service"], &["failed with result", "main process exited", "failed to start"])
        .units(&["bind-mount"])
        // What the runtime mounts itself.
        .unless(&["failed to mount /var/lib/containerd/", "failed to mount /var/lib/kubelet/"])
        .checks(&["See what failed: `systemctl --failed; systemctl list-dependencies kubelet`", check::CONTAINERD_LOG]),
    row("KubeletCgroupDriver")
        .source(GitHub, "kubernetes/kubernetes/issues/43805")
        .cause("The cgroup driver of the kubelet differs from the container runtime's")
        .any(&["kubelet cgroup driver:", "misconfiguration: kubelet cgroup driver", "is different from docker cgroup driver", "cgroup driver: \"systemd\" is different", "expected cgroupspath to be of format \"slice:prefix:name\"", "cannot use systemd cgroup driver"])
        .near(FATAL, &["systemd not running on this host"])
        .checks(&["Compare: `grep -i cgroupDriver /etc/default/kubeletconfig.json; grep SystemdCgroup /etc/containerd/config.toml`"]),
    row("KubeletFileSystem")
        .source(GitHub, "google/cadvisor/blob/HEAD/manager/manager.go")
        .cause("The kubelet cannot find out the file system of its directory or of the images: the disk is not mounted, or it is one whose size it cannot read (ramfs, overlay, ZFS)")
        .near(&["cannot find filesystem info", "no partition info for device", "failed to get mount point for device"], &["failed to get rootfs info", "failed to start containermanager", "failed to start cadvisor", "kubelet["])
        .reported_by(&["KubeletCgroups", "KubeletExits"])
        .checks(&["See the file systems: `findmnt -T /var/lib/kubelet; findmnt -T /var/lib/containerd; df -T`", check::KUBELET_LOG]),
    row("KubeletCgroups")
        .source(Kubernetes, "pkg/kubelet/cm/container_manager_linux.go")
        .symptom("The control groups of the machine do not meet the kubelet's requirements: cgroup v1, a missing controller, or a reserved group that does not exist")
        .any(&[
            "kubelet is configured to not run on a host using cgroup v1",
            "cgroup v1 support",
            "failed to create cgroup",
            "failed to enforce node allocatable limits",
            "failed to initialize top level qos containers",
            "failed to get cgroup stats for",
            "failed to get kubelet's cgroup",
            "cgroup [\"kubepods\"] has some missing",
            "root container [kubepods] doesn't exist",
            "specified kube reserved cgroup",
            "specified system reserved cgroup",
            "failed to get mounted cgroup subsystems",
            "cgroup-root was not specified",
            "has some missing controllers",
            "following cgroup subsystem not mounted",
            "failed to create top level",
            "cgroup manager.set failed",
            "could not read controllers for cgroup", "\"failed to ensure state\" containername="])
        .near(&["cgroups-per-qos", "cgroupsperqos"], &["invalid", "not supported unless", "requires", "not start", "n't start", "unable"])
        // A kubelet since 1.15 goes on without it.
        .near(
            &["failed to run kubelet", "failed to start containermanager", "\"command failed\""],
            &["hierarchy not unified", "mountpoint for ", "required subsystem", "cgroup", "get rootfs info", "delegation not available", "cannot set property", "unit kubepods", "pid namespace of", "system container", "root container", "apply oom score", "failed to move pid"],
        )
        // A kubelet that runs tries again.
        .unless(&["failed to update qos cgroup configuration"])
        // The group of all pods.
        .near(
            &["kubepods.slice/memory.", "kubepods.slice/cpu.", "kubepods.slice/cpuset.", "kubepods/memory.", "kubepods/cpu."],
            &["no such file or directory", "invalid argument", "device or resource busy"],
        )
        .checks(&["See the version of the control groups: `stat -fc %T /sys/fs/cgroup`", check::KUBELET_FLAGS]),
    row("KubeletReservesTooMuch")
        .source(Kubernetes, "pkg/kubelet/cm/node_container_manager_linux.go")
        .cause("More is reserved for the system and the kubelet than the machine has")
        .any(&["invalid node allocatable configuration", "expected capacity >= reservation"])
        .checks(&[check::KUBELET_FLAGS, check::VALIDATE]),
    row("KubeletReservation")
        .source(Kubernetes, "cmd/kubelet/app/server.go")
        .symptom("The resources that are reserved for the system are not valid, or more than the machine has")
        .any(&[
            "node allocatable enforcement",
            "invalid resource reservation",
            "resource \"cpu\" has an allocatable of",
            "total amount of reserved",
            "reserved memory of type",
            "the static policy requires systemreserved",
            "static policy invalid",
            "not a subset of online-cpus", "unable to parse reserved-cpus list", "unable to discover cpu topology", "-reserved value failed to parse", "reserve the required amount of cpus", "specify the system reserved memory", "references a numa node",
            "not enough cpus", "determined by node allocatable feature", "reserved cpu resources for static policy", "requires systemreserved.cpu",
        ])
        // A flag and a field, which every node has.
        .near(&["kube-reserved", "kubereserved", "resource reservation"], &["invalid", "failed to", "not valid", "exceed", "unable", "cannot", "too much", "too large", "not start", "n't start"])
        .within(300)
        .near(FATAL, &["cannot reserve \"", "resource quantity for \"", "failed to parse quantity", "failed to parse percentage", "percentage must be between"])
        .checks(&[check::KUBELET_FLAGS, check::VALIDATE]),
    row("KubeletKernelSettings")
        .source(Kubernetes, "pkg/kubelet/cm/container_manager_linux.go")
        .cause("The kubelet finds kernel settings that it must not change (protectKernelDefaults)")
        .any(&["invalid kernel flag"])
        .near(&["protectkerneldefaults", "protect-kernel-defaults"], &["invalid", "fails ", "failed", "not start", "n't start", "error", "unable", "differ"])
        .within(300)
        .checks(&["List the settings: `sysctl vm.overcommit_memory kernel.panic kernel.panic_on_oops`"]),
    row("KubeletAddressMissing")
        .source(Kubernetes, "pkg/kubelet/server/server.go")
        .cause("The address on which the kubelet shall listen is not one of the machine")
        .near(&["10250", "10248", "10255", "failed to listen and serve", "failed to start healthz server"], &["bind: cannot assign requested address"])
        .within(200)
        .checks(&["Compare: `ip -br address; grep -iE \"address|node-ip\" /etc/default/kubelet /etc/default/kubeletconfig.json`"]),
    row("KubeletSocketFails")
        .source(Kubernetes, "pkg/kubelet/server/server.go")
        .cause("The kubelet ends because it cannot create a socket of its own below /var/lib/kubelet: another process holds it, or the directory cannot be written")
        .any(&["failed to create listener for podresources endpoint"])
        .checks(&["See who runs: `pgrep -a kubelet; ls -l /var/lib/kubelet/pod-resources`", check::KUBELET_LOG]),
    row("KubeletTlsSettings")
        .source(GitHub, "kubernetes/component-base/blob/HEAD/cli/flag/ciphersuites_flag.go")
        .cause("The kubelet does not know a cipher suite or a version of TLS of its configuration (tlsCipherSuites, tlsMinVersion)")
        .near(FATAL, &["cipher suite ", "unknown tls version "])
        .within(120)
        .checks(&["See them: `grep -iE \"tls\" /etc/default/kubeletconfig.json /etc/default/kubelet`", check::VALIDATE]),
    row("KubeletTracing")
        .source(Kubernetes, "cmd/kubelet/app/server.go")
        .cause("The kubelet cannot set up tracing: the settings are not valid, or its collector cannot be used")
        .near(FATAL, &["could not configure tracer provider", "could not determine hostname for tracer provider"])
        .within(120)
        .checks(&["See the setting: `grep -i -A 5 tracing /etc/default/kubeletconfig.json`", check::KUBELET_LOG]),
    row("KubeletDirectories")
        .source(Kubernetes, "pkg/kubelet/kubelet.go")
        .symptom("The kubelet cannot create or change its directories below /var/lib/kubelet and /var/log/pods: the disk, its mount or the rights are wrong")
        .near(&["failed to run kubelet", "\"command failed\"", "failed to initialize internal modules"], &["error creating root directory: ", "error creating pod logs root directory ", "error configuring root directory: ", "error creating pods directory: ", "error creating plugins directory: ", "error creating plugins registry directory: ", "error creating podresources directory: "])
        .within(200)
        .checks(&["See them: `ls -ld /var/lib/kubelet /var/log/pods; findmnt -T /var/lib/kubelet`", check::DISK]),
    row("KubeletPortInUse")
        .source(Kubernetes, "pkg/kubelet/server/server.go")
        .cause("Another process, often an older kubelet, listens on the kubelet's port")
        .any(&["failed to start healthz server", "[error port-10250]"])
        .near(
            &["address already in use"],
            &["10250", "10248", "10255", "failed to run kubelet", "healthz", "listen and serve", "listenandserve"],
        )
        .near(&["failed to listen and serve"], &["kubelet", "server.go", "address already in use"])
        .checks(&["Find the process: `ss -ltnp | grep -E \":(10250|10248|10255)\"`"]),
    row("KubeletCertificateFiles")
        .source(Kubernetes, "pkg/kubelet/certificate/kubelet.go")
        .cause("The certificate and key of the kubelet cannot be used: they do not belong together, or the file is damaged")
        .any(&[
            "unable to configure tls for the rest client",
            "unable to load client certificate",
            "could not convert data from",
            "unable to load tls configuration",
            "failed to initialize certificate manager",
            "failed to initialize server certificate manager",
            "failed to load client ca",
            "unable to use bootstrap client",
            "failed to parse bootstrap kubeconfig",
            "file based certificate manager",
            "server certificate store: ",
            "client certificate store: ",
            "client certificate manager: ",
            "unable to build bootstrap cert store",
            "certificates from existing bootstrap client config",
            "configuration from existing bootstrap client config",
            "invalid private key for certificate request",
            "unable to generate certificate request",
            "dynamic certificate manager for kubelet",
        ])
        .near(FATAL, &["unable to create certificates signing request client", "private key does not implement crypto.signer", "unable to read existing bootstrap client config", "unable to load client ca file", "unable to load kubeconfig", "existing bootstrap kubeconfig", "self signed cert", "failed to load certificate: ", "invalid kubeconfig: "])
        .near(
            &[
                "illegal base64 data at input byte",
                "failed to find any pem data",
                "tls: private key does not match public key",
                "failed to load certificate and key",
                "data does not contain any valid rsa or ecdsa certificates",
            ],
            &["kubelet", "kubeconfig", "client-certificate", "client-key", "ca.crt", "/etc/kubernetes"],
        )
        .checks(&["See the files: `ls -l /var/lib/kubelet/pki /etc/kubernetes/certs`", check::CERTIFICATE]),
    row("KubeletCredentialProvider")
        .source(Kubernetes, "pkg/credentialprovider/plugin/plugin.go")
        .symptom("The credential provider of the kubelet is missing or its configuration is not valid")
        .any(&[
            "failed to register credential provider plugin",
            "failed to initialize credential provider",
            "plugin binary executable",
            "registercredentialproviderplugins",
            "failed to register crc",
            "error inspecting binary executable",
            "failed to register cri auth plugins", "plugin binary directory",
        ])
        .near(&["image-credential-provider", "credential provider config"], &["failed", "fails", "invalid", "error", "no such file", "not found", "does not exist", "unable", "cannot", "denied", "not set"])
        .near(&["acr-credential-provider", "credential provider"], &["no such file or directory", "permission denied", "exec format error", "error decoding config", "wrong kind", "duplicate provider name"])
        // The kubelet runs, and starts it for an image.
        .unless(&["error execing credential provider plugin"])
        .checks(&["Look for it: `ls -l /var/lib/kubelet/credential-provider; cat /var/lib/kubelet/credential-provider-config.yaml`"]),
    row("KubeletCloudProvider")
        .source(Kubernetes, "cmd/kubelet/app/server.go")
        .includes(&[Layer::Request, Layer::Lifecycle])
        .cause("The kubelet cannot use its cloud provider: this version has no in-tree provider, or its configuration cannot be read")
        .any(&[
            "could not init cloud provider",
            "unable to construct v1.node object",
            "unable to construct api.node object",
            "failed to get zone from cloud provider",
            "unknown cloud provider",
            "cloud provider \"azure\" was specified, but built-in",
            "cloud provider not initialized",
            "built-in cloud providers are disabled",
            "could not init cloud provider \"azure\"",
            "unable to read cloud provider configuration",
            "failed to get instance metadata",
            "failed to get external id from cloud provider",
            "kubelet failed to get node info",
            "failed to get node info: failed to get instance id",
        ])
        // The cloud node manager and the cloud controller manager read it too.
        .unless(&["error syncing '", "cloud provider azure could not be initialized", "controllermanager.go", "nodemanager.go", "node_controller.go", "metadata for node addresses"])
        .checks(&[check::KUBELET_FLAGS, "See its configuration: `ls -l /etc/kubernetes/azure.json`"]),
    row("JoinFailed")
        .source(Kubernetes, "cmd/kubeadm/app/preflight/checks.go")
        .symptom("The node did not join: a check or a step of kubeadm failed, which the end of the message names")
        // A script of CustomData runs it.
        .reported_by(&["UserScriptFailed", "CloudInitFailed", "CloudInitStatusError", "CloudInitWarned"])
        // `kubeadm init` creates a cluster, no node of one.
        .unless(&["couldn't initialize a kubernetes cluster"])
        .any(&["error execution phase ", "[preflight] some fatal errors occurred", "[error fileavailable-", "[error diravailable-", "[error filecontent-", "[error fileexisting-", "[error numcpu]", "[error mem]", "[error kubeletversion]", "[error isprivilegeduser]", "[error systemverification]", "[error service-", "[error port-"])
        .checks(&["Read the rest: `tail -n 50 /var/log/cloud-init-output.log`", check::KUBELET_LOG]),
    row("KubeletUserNamespaces")
        .source(Kubernetes, "pkg/kubelet/userns/userns_manager.go")
        .since("1.30")
        .cause("The kubelet cannot use the user namespaces that are set up for it: the ranges of the user kubelet in /etc/subuid and /etc/subgid")
        .any(&["create user namespace manager", "create user namespace store", "kubelet user assigned id", "kubelet user namespace length"])
        .near(FATAL, &["kubelet mappings: ", "user namespace: "])
        .checks(&["See the ranges: `grep kubelet /etc/subuid /etc/subgid; getsubids kubelet`", check::KUBELET_LOG]),
    row("KubeletHostname")
        .source(Kubernetes, "pkg/kubelet/nodestatus/setters.go")
        .cause("The kubelet cannot determine the name or address of its node")
        .any(&[
            "couldn't determine hostname",
            "empty hostname is invalid",
            "unable to get a valid node ip",
            "failed to get node ip",
            "failed to validate nodeip",
            "could not determine node ip",
            "no default routes found in",
            "can't get ip address of node",
            "failed to set some node status fields\" err=\"failed to validate nodeip",
        ])
        .near(&["node ip: \""], &["not found in the host's network interfaces"])
        .checks(&["See name and addresses: `hostname; ip -br address`", check::KUBELET_FLAGS]),
    row("KubeletNotRoot")
        .source(Kubernetes, "cmd/kubelet/app/server.go")
        .symptom("The kubelet lacks rights on the machine: it is not started as root, or a security module denies it")
        .near(KUBELET, &["must be run as root", "must run as root"])
        .any(&["kubelet needs to run as uid", "kubelet running with insufficient permissions"])
        .near(
            &["failed to run kubelet", "\"command failed\"", "failed to start containermanager", "kubelet.service", "bin/kubelet:", "kubelet: permission denied"],
            &["operation not permitted", "permission denied"],
        )
        .checks(&["See who starts it: `systemctl cat kubelet`", "See denials: `journalctl -k --boot | grep -iE \"denied|apparmor|avc\"`"]),
    row("KubeletDisk")
        .source(Kubernetes, "pkg/kubelet/kubelet.go")
        .cause("The disk of the kubelet is full or read-only")
        .near(
            &["failed to run kubelet", "kubelet.service", "\"command failed\"", "failed to start containermanager", "failed to create directories", "failed to initialize internal modules", "mkdir /var/lib/kubelet:", "mkdir /var/lib/kubelet/pods:", "mkdir /var/lib/kubelet/plugins:", "mkdir /var/lib/kubelet/plugins_registry:", "mkdir /var/lib/kubelet/pod-resources:", "mkdir /var/lib/kubelet/checkpoints:", "mkdir /var/lib/kubelet/pki:", "error creating root directory: ", "error configuring root directory: ", "error creating pods directory: ", "error creating plugins directory: ", "error creating plugins registry directory: ", "error creating podresources directory: "],
            &["no space left on device", "read-only file system", "disk quota exceeded", "too many open files", "inotify_init: too many"],
        )
        .unless(&["inotify_init", "inotify_add_watch", "fsnotify"])
        .checks(&[check::DISK]),
    row("KubeletLockHeld")
        .source(Kubernetes, "cmd/kubelet/app/server.go")
        .cause("Another kubelet holds the lock file of the kubelet (`--lock-file`): it still runs, or was started twice")
        .any(&["unable to acquire file lock on"])
        .checks(&["See who runs: `pgrep -a kubelet; systemctl status kubelet`", check::KUBELET_FLAGS]),
    row("KubeletKilled")
        .source(Systemd, "src/core/service.c")
        .cause("The kernel ran out of memory and killed the kubelet")
        .any(&["kubelet.service: failed with result 'oom-kill'", "kubelet.service: a process of this unit has been killed by the oom killer"])
        .near(
            &["killed process", "out of memory", "oom-kill", "oom_reaper"],
            &["(kubelet)", "task=kubelet", "victim process: kubelet", "kubelet.service"],
        )
        .checks(&[check::MEMORY]),
    row("KubeletPanicked")
        .source(GitHub, "kubernetes/kubernetes/issues/88779")
        .cause("The kubelet ended with a panic: an error in the program or a plugin")
        // Frames of its stack.
        .any(&["k8s.io/kubernetes/cmd/kubelet/app.run(", "k8s.io/kubernetes/cmd/kubelet/app.newkubeletcommand.func", "k8s.io/kubernetes/pkg/kubelet.newmainkubelet", "k8s.io/kubernetes/pkg/kubelet.(*", "k8s.io/kubernetes/pkg/kubelet/kuberuntime.(*", "k8s.io/kubernetes/pkg/kubelet/volumemanager/", "k8s.io/kubernetes/pkg/volume/azure_dd.(*", "k8s.io/kubernetes/pkg/volume/util/operationexecutor.(*", "k8s.io/kubernetes/pkg/kubelet/cm.(*"])
        .near(
            &["panic: runtime error", "fatal error: ", "sigsegv: segmentation violation", "observed a panic"],
            KUBELET,
        )
        .near(&["panic: ", "fatal error: ", "observed a panic"], &["/pkg/kubelet/", "/cmd/kubelet/"])
        .checks(&[check::KUBELET_LOG]),
    row("KubeletProgramBroken")
        .source(Systemd, "src/core/exec-invoke.c")
        .cause("The kubelet's program cannot be executed: it is missing, not executable, of another architecture, damaged, or a library is missing")
        .near(
            &["bin/kubelet", "kubelet.service"],
            &["status=203/exec", "kubelet: exec format error", "kubelet: cannot execute binary file", "kubelet: text file busy", "kubelet: error while loading shared libraries", "exec format error", "cannot execute binary file", "error while loading shared libraries", "text file busy"],
        )
        // The dynamic loader.
        .near(&["bin/kubelet"], &["not found (required by", "wrong elf class", "undefined symbol: ", "symbol lookup error"])
        .checks(&["See what it is: `file /opt/bin/kubelet; uname -m`", check::KUBELET_LOG]),
    row("KubeletUnitInvalid")
        .source(Systemd, "src/core/service.c")
        .cause("The kubelet's unit is not valid, so systemd does not start it: a drop-in or the unit has an error, or no command is left")
        .near(&["kubelet.service: ", "unit kubelet.service "], &["unit configuration has fatal error", "service has no execstart=", "service lacks both execstart=", "service has more than one execstart= setting", "has a bad unit file setting"])
        .within(60)
        .checks(&["Check it: `systemd-analyze verify kubelet.service; systemctl cat kubelet`", check::KUBELET_LOG]),
    row("ContainerdNotInstalled")
        .source(Systemd, "src/core/dbus-manager.c")
        .cause("The machine has no unit of containerd, or it is masked, so neither containerd nor the kubelet is started: the package is not installed, or was removed")
        .any(&["unit containerd.service not found", "unit containerd.service is masked", "unit containerd.service could not be found", "unit file containerd.service does not exist", "unit containerd.service does not exist"])
        .needs(&["kubelet", "aks", "azure", "k8s", "kube", "vmss"])
        .checks(&["See the unit: `systemctl list-unit-files containerd.service; command -v containerd`", check::DIAGNOSE]),
    row("KubeletUnitMissing")
        .source(Systemd, "src/systemctl/systemctl-start-unit.c")
        .cause("The kubelet has no unit, or systemd has masked it: the kubelet is not installed, or its unit was not written or was disabled")
        // Of any command of systemctl.
        .any(&["unit kubelet.service not found", "unit kubelet.service is masked", "unit kubelet.service could not be found", "unit file kubelet.service does not exist", "unit kubelet.service does not exist", "unit kubelet.service not loaded"])
        .checks(&["See the unit: `systemctl list-unit-files kubelet.service; systemctl cat kubelet`", check::DIAGNOSE]),
    row("KubeletDown")
        .source(NodeProblemDetector, "config/health-checker-kubelet.json")
        .since("0.8.2")
        .symptom("The kubelet does not run or fails its health check, as node-problem-detector reports: it exits repeatedly, hangs or was stopped, and its log has the reason")
        .any(&["kubeletisdown"])
        .conditions(&["KubeletProblem", "KubeletUnhealthy"])
        .checks(&["See its state: `systemctl status kubelet; curl -sS -m 5 http://127.0.0.1:10248/healthz`", check::KUBELET_LOG]),
    row("KubeletExits")
        .source(Systemd, "src/core/service.c")
        .symptom("The kubelet exits repeatedly: earlier lines of its log have the reason")
        .any(&[
            "kubelet.service: failed with result",
            "kubelet.service: main process exited",
            "kubelet.service: start request repeated too quickly",
            "kubelet.service: scheduled restart job",
            "unit kubelet.service entered failed state",
            "kubelet.service failed",
            "kubelet.service holdoff time over",
            "failed to run kubelet",
            "failed to start kubelet",
            // It ends then.
            "failed to initialize internal modules",
            "the kubelet is not running",
            "it seems like the kubelet isn't running or healthy",
            "localhost:10248/healthz",
            "127.0.0.1:10248/healthz",
            "error: failed to run kubelet",
            "job for kubelet.service failed",
            "\"command failed\" err=",
            "failed to start containermanager",
            "failed to start cadvisor",
            "failed to start oom watcher",
            "failed to start oomwatcher",
            "failed to load kubelet config file",
            "failed to start kubelet",
            "kubeletsetupfailed",
            "kubelet is unhealthy",
            "kubelet is down", "failed to start kubelet.service",
            // The message of node-problem-detector, behind the reason.
            "frequentkubeletrestart found ",
        ])
        .near(&["bin/kubelet"], &["code=exited, status=1", "code=exited, status=2", "code=exited, status=203"])
        .near(&["kubelet.service"], EXITS)
        .near(&["kubelet.service"], &["watchdog timeout", "operation timed out", "bad unit file setting", "bad-setting"])
        // `systemctl status`, also without its first line, and `systemctl show`.
        .near(
            &["kubelet.service - ", "/kubelet.service; ", "id=kubelet.service", "names=kubelet.service", "show kubelet"],
            &["active: failed", "active: activating (auto-restart)", "active: inactive (dead) (result: ", "activestate=failed", "substate=auto-restart", "substate=failed", "result=exit-code", "result=signal", "result=core-dump", "result=timeout", "result=oom-kill", "result=start-limit-hit", "result=watchdog"],
        )
        // A kubelet that runs, with the commands that ran before it.
        .unless(&["active: active (running)", "substate=running"])
        .conditions(&["FrequentKubeletRestart"])
        .or(&["The kubelet does not know a flag or a field, which was removed before this version", "The container runtime does not run"])
        .near(&["kubelet["], &["]: f0", "]: f1"])
        .units(&["kubelet"])
        .checks(&[check::KUBELET_LOG, check::KUBELET_FLAGS, check::CONTAINERD]),
    row("KubeletNotStarted")
        .source(Systemd, "src/systemctl/systemctl-show.c")
        .wrapper("The kubelet was not started: the node's scripts ended before that, or somebody stopped it")
        .near(&["kubelet.service - ", "/kubelet.service; ", "id=kubelet.service", "names=kubelet.service", "show kubelet"], &["active: inactive (dead)", "activestate=inactive", "substate=dead"])
        // Its log is empty.
        .near(&["-u kubelet", "-xu kubelet", "-eu kubelet", "-xeu kubelet", "-fu kubelet", "--unit kubelet", "--unit=kubelet"], &["-- no entries --"])
        .unless(&["active: inactive (dead) (result: "])
        .leaves_open(&[Layer::UserData, Layer::Extension, Layer::Provisioning])
        .checks(&[check::DIAGNOSE, check::KUBELET_LOG]),
    row("KubeletManagerError")
        .source(Kubernetes, "pkg/kubelet/cm/container_manager_linux.go")
        .wrapper("The kubelet reports an error of its managers of containers, processors, memory or devices")
        .any(&["failed to build map of initial containers from runtime"])
        .klog(&["container_manager_linux.go", "node_container_manager_linux.go", "qos_container_manager_linux.go", "cgroup_manager_linux.go", "cpu_manager.go", "memory_manager.go", "topology_manager.go", "cpu_assignment.go", "policy_static.go", "state_checkpoint.go", "state_mem.go", "pod_container_manager_linux.go", "swap_util.go", "oom_watcher_linux.go", "cadvisor_linux.go", "cgroup_v1_manager_linux.go", "cgroup_v2_manager_linux.go", "internal_container_lifecycle_linux.go"])
        .checks(&[check::KUBELET_LOG, check::KUBELET_FLAGS]),
];
