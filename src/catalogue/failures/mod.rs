//! Known failures of nodes: messages of the failing program, the layer that they prove, the cause, and checks.
//!
//! Patterns are texts that the source code of the program guarantees, not the wording of one log. Messages can be wrapped by other programs
//! in any way: see `explain`. To add a failure: a row in the table of its layer, the more specific before the more general, and an example
//! text in `testdata/explain/`.

pub(super) mod check;
mod extension;
mod failure;
mod kubelet;
mod layer;
mod lifecycle;
mod machine;
mod provisioning;
mod readiness;
mod registration;
mod request;
mod source;
mod subjects;
mod user_data;
mod weight;
mod words;

pub use failure::Failure;
pub use layer::Layer;
pub use source::{Publisher, Source};
pub use subjects::{AZURE, FOREIGN, LIKE_AZURE, NAMES_OF_CLOUDS, NODES, OTHER_CLOUDS, OTHER_PROVIDERS, OTHER_SERVICES};
pub use weight::Weight;
pub use words::{
    ABOUT_NODES, APPLICATIONS, DOCUMENTATION, MACHINES, NODE_OF_CLUSTER, OTHER_CLUSTERS, QUESTIONS, TOLD, WISHES,
    WORDS, Words,
};

use failure::failure;

/// Texts in a table.
pub type Texts = &'static [&'static str];

/// Texts that show that a layer works from this point on, so earlier failures in it are resolved; of the layers of the kubelet, those before it
/// work too.
pub static OVER: &[(&str, Layer)] = &[
    // Ignition, which tries the user data of the metadata service before CustomData.
    ("fetch: fetch passed", Layer::UserData),
    // Ignition's HTTP client tries again until the network is up.
    ("get result: ok", Layer::UserData),
    ("certificate signing request is issued", Layer::Registration),
    ("successfully registered node", Layer::Registration),
    // The kubelet itself: an earlier shutdown of the machine is over too.
    ("fast updating node status as it just became ready", Layer::Lifecycle),
    ("event=\"nodeready\"", Layer::Readiness),
    ("status is now: nodeready", Layer::Readiness),
];

/// What shows that something is wrong with what is named near it.
pub static TROUBLE: &[&str] = &[
    "failed",
    "failing",
    "failure",
    "fails ",
    "fail ",
    "error",
    "unable",
    "cannot",
    "can't",
    "could not",
    "couldn't",
    "not found",
    "no such",
    "invalid",
    "not valid",
    "denied",
    "missing",
    "crash",
    "panic",
    "timed out",
    "refused",
    "reject",
    "corrupt",
    "mismatch",
    "differ",
    "conflict",
    "unhealthy",
    "unsupported",
    "not supported",
    "not allowed",
    "not installed",
    "not ready",
    "not running",
    "not start",
    "n't start",
    "not work",
    "n't work",
    "not exist",
    "n't exist",
    "not match",
    "n't match",
    "not initialized",
    "not registered",
    "not configured",
    "not available",
    "not complete",
    "non-zero exit",
    "exit status",
    "exit code",
    "stuck",
    "[warning]",
    "exceeded",
    "elapsed",
    "expired",
    "remove",
];

/// How systemd and `systemctl` say that a service does not start or ended with an error: `src/core` of systemd.
pub static UNIT_TROUBLE: &[&str] = &[
    "failed with result",
    "main process exited",
    "control process exited",
    "operation timed out",
    "timed out. killing",
    "start request repeated too quickly",
    "scheduled restart job",
    "holdoff time over",
    "watchdog timeout",
    "killed by the oom killer",
    "entered failed state",
    "'failed' state",
    "has failed",
    "failed because",
    "failed to start",
    "failed to restart",
    "failed to execute",
    "failed to load environment files",
    "failed to run 'start",
    "failed to spawn 'start",
    "failed at step",
    "locate executable",
    "result 'dependency'",
    "bad unit file setting",
    "bad-setting",
    "active: failed",
    "loaded failed failed",
    "service could not be found",
    "service not found",
];

/// What follows the name of a taint in the tolerations of a pod, in the forms of `kubectl describe`, YAML and JSON: almost every pod
/// tolerates them, so they say nothing about its node.
pub static TOLERATED: &[&str] = &[
    "op=exists",
    "operator: exists",
    "\"operator\": \"exists\"",
    "\"operator\":\"exists\"",
    "noexecute for ",
    "noschedule for ",
];

/// What programs also write as an error or a warning on a node that works: an entry with one of these shows no failure.
pub static HARMLESS: &[&str] = &[
    // containerd, at each start: the network plugin writes its configuration later.
    "failed to load cni during init, please check cri plugin status",
    // The guest agent, of the package of an extension that it uses nevertheless.
    "warning exthandler exthandler signature validation failed for package",
    // The custom script extension, when it is installed: there is no earlier sequence number.
    "event=\"migrate to mrseq\"",
    // Secure TLS bootstrapping, at each start of a new node.
    "will bootstrap a new kubelet client credential",
    // The kubelet.
    "nameserver limits",
    "search line limits",
    "unable to read config path",
    "failed to get system container stats",
    // Its collector of figures, which looks for other runtimes.
    "registration of the crio container factory failed",
    "registration of the podman container factory failed",
    "registration of the mesos container factory failed",
    // Its first second.
    "unknown method runtimeconfig for service",
    "failed to read data from checkpoint\" err=\"checkpoint is not found",
    "no imagefs label for configured runtime",
    "partial failure issuing cadvisor.containerinfov2",
    // Its main loop, before it has listed its containers for the first time, and each container that ends.
    "pleg has yet to be successful",
    "container runtime status check may not have completed yet",
    "generic (pleg): container finished",
    // Its flags, at each start.
    "cgroups-per-qos enabled, but --cgroup-root was not specified",
    // A kubelet that refuses such a machine says the same of the support.
    "cgroup v1 detected. cgroup v1 support is deprecated and will be removed",
    // A machine that is slow at that moment.
    "housekeeping took longer than expected",
    // Its figures, of a pod that has just ended.
    "failed to read memory cgroup ",
    // What it watches for a pod, right after the pod came.
    "no relationship found between node",
    // containerd: a file that is still being written; a unit that may not change its place in the order of the kernel's killer.
    "after receiving fs change event(write",
    "failed to change oom score to",
    // curl, where it was told so.
    "continuing anyway",
    "failed to create existing container",
    "image garbage collection failed once. stats initialization may not have completed yet",
    // It asks for a container that it removed before.
    "an error occurred when try to find container",
    "an error occurred when try to find sandbox",
    // The guest agent, before each command of an extension.
    "target handler state: ",
    "current handler state is: ",
    "enable extension: [",
    // The API server, if an object was changed in between: the program tries again.
    "the object has been modified",
    // azure-vnet, behind each command.
    "err:<nil>",
    // containerd, which asks runc to remove what has ended.
    "msg=\"cleanup warnings time=",
    // kube-proxy.
    "kube-proxy configuration may be incomplete or incorrect",
    // containerd, of each mount.
    "msg=\"activating mount",
    // azure-cns, at each start.
    "subnet exhausted status = false",
    // Cilium and its operator, once a node has what it waited for.
    "all required ips are available in crd-backed allocation pool",
    "removing node taint",
    // A service of AKS, on each node of a cluster that is not private, and localdns.
    "skip reconcile hosts for ",
    "all entries in temporary hosts file are valid",
    // The guest agent, of its own swap file.
    "swap already enabled",
    "kb of swap at ",
    // The kubelet that logs everything, each second.
    "genericpleg: relisting",
];

/// How the names of pods begin that a node needs: network, proxy, storage, identity, DNS.
pub static NEEDED_PODS: Texts = &[
    "azure-cns",
    "azure-cni-",
    "azure-ip-masq-agent",
    "cilium-",
    "calico-node",
    "kube-proxy",
    "cloud-node-manager",
    "csi-azuredisk-node",
    "csi-azurefile-node",
    "azure-npm",
    "kube-svc-redirect",
    "tunnelfront",
    "konnectivity-agent",
    "node-local-dns",
    "nvidia-device-plugin",
    "coredns-",
    "retina-agent",
    "omsagent-",
    "ama-logs-",
];

/// Parts of Azure's error codes in lower case, the more telling before the more general, with the failure that a code with this part
/// shows. They decide about codes that no failure lists: Azure has thousands.
pub static CODES: &[(&str, &str)] = &[
    ("virtualnetworklink", "PrivateDnsZoneNotLinked"),
    ("notenoughip", "SubnetIsFull"),
    ("whilebeing", "ResourceBeingChanged"),
    ("beingmoved", "ResourceBeingChanged"),
    ("maxnumber", "ResourceQuotaExceeded"),
    ("maxstorageaccounts", "ResourceQuotaExceeded"),
    ("markedfordeletion", "InstanceBeingDeleted"),
    ("ephemeralosdisk", "EphemeralDiskDoesNotFit"),
    ("spotprice", "SpotCapacityUnavailable"),
    ("customdatatoolong", "CustomDataTooLong"),
    ("marketplace", "MarketplaceTermsNotAccepted"),
    ("snat", "OutboundPortsExhausted"),
    ("datadisklimit", "TooManyDataDisks"),
    ("generationmismatch", "GenerationMismatch"),
    ("constraintsnot", "OverconstrainedAllocation"),
    ("changingproperty", "PropertyChangeNotAllowed"),
    ("propertychange", "PropertyChangeNotAllowed"),
    ("diskblob", "DiskSourceNotUsable"),
    ("storageaccount", "StorageAccountNotUsable"),
    ("nicreserved", "ResourceInUse"),
    ("vmextension", "ExtensionFailed"),
    ("osprovisioning", "OSProvisioningClientError"),
    ("vmagent", "VMAgentNotReporting"),
    ("vmstart", "VMStartTimedOut"),
    ("vmboot", "VMStartTimedOut"),
    ("windowscse", "WindowsScriptsFailed"),
    ("evictionpolicy", "InvalidParameter"),
    ("networkpolicy", "InvalidParameter"),
    ("upgradepolicy", "InvalidParameter"),
    ("drain", "TerminationBlocked"),
    ("pdb", "DisruptionBudgetBlocks"),
    ("bypolicy", "RequestDisallowedByPolicy"),
    ("blocked", "OperationNotAllowed"),
    ("locked", "ScopeLocked"),
    ("throttl", "TooManyRequests"),
    ("toomanyrequest", "TooManyRequests"),
    ("toomany", "ResourceQuotaExceeded"),
    ("publicipprefix", "PublicIpQuotaExceeded"),
    ("quota", "ResourceQuotaExceeded"),
    ("countexceed", "ResourceQuotaExceeded"),
    ("limitreached", "ResourceQuotaExceeded"),
    ("limitexceeded", "ResourceQuotaExceeded"),
    ("capacityreservation", "CapacityReservationNotUsable"),
    ("allocation", "AllocationFailed"),
    ("capacity", "AllocationFailed"),
    ("k8sversion", "KubernetesVersionNotAllowed"),
    ("kubernetesversion", "KubernetesVersionNotAllowed"),
    ("orchestratorversion", "KubernetesVersionNotAllowed"),
    ("upgradeversion", "KubernetesVersionNotAllowed"),
    ("serviceprincipal", "CredentialsRejected"),
    ("authentication", "CredentialsRejected"),
    ("credential", "CredentialsRejected"),
    ("clientsecret", "CredentialsRejected"),
    ("authorization", "AuthorizationFailed"),
    ("permission", "AuthorizationFailed"),
    ("forbidden", "AuthorizationFailed"),
    ("unauthorized", "AuthorizationFailed"),
    ("accessdenied", "AuthorizationFailed"),
    ("notregistered", "ProviderNotRegistered"),
    ("registration", "ProviderNotRegistered"),
    ("inprogress", "ResourceBeingChanged"),
    ("concurren", "ResourceBeingChanged"),
    ("preempted", "ResourceBeingChanged"),
    ("superseded", "ResourceBeingChanged"),
    ("canceled", "ResourceBeingChanged"),
    ("notlatest", "ResourceBeingChanged"),
    ("beingdeleted", "ResourceBeingChanged"),
    ("beingupdated", "ResourceBeingChanged"),
    ("exists", "ResourceAlreadyExists"),
    ("alreadyinuse", "ResourceInUse"),
    ("inuse", "ResourceInUse"),
    ("cannotbedeleted", "ResourceInUse"),
    ("overlap", "AddressConflict"),
    ("cidr", "AddressConflict"),
    ("ipaddress", "AddressConflict"),
    ("imagenot", "ImageNotFound"),
    ("imageversion", "ImageNotFound"),
    ("imageref", "ImageNotFound"),
    ("galleryimage", "ImageNotFound"),
    ("inaccessibleimage", "ImageNotFound"),
    ("vmsize", "SkuNotAvailable"),
    ("skunot", "SkuNotAvailable"),
    ("vmsku", "SkuNotAvailable"),
    ("zonenot", "SkuNotAvailable"),
    ("subnet", "SubnetNotUsable"),
    ("vnet", "SubnetNotUsable"),
    ("virtualnetwork", "SubnetNotUsable"),
    ("locationnot", "RegionRestricted"),
    ("regionnot", "RegionRestricted"),
    ("notfound", "ResourceNotFound"),
    ("doesnotexist", "ResourceNotFound"),
    ("privatedns", "PrivateDnsZoneNotLinked"),
    ("notenabled", "ProviderNotRegistered"),
    ("notrunning", "ClusterNotRunning"),
    ("stopped", "ClusterNotRunning"),
    ("failedstate", "ClusterNotRunning"),
    ("missing", "InvalidParameter"),
    ("duplicate", "InvalidParameter"),
    ("toosmall", "InvalidParameter"),
    ("notinrange", "InvalidParameter"),
    ("onlysupported", "InvalidParameter"),
    ("invalid", "InvalidParameter"),
    ("policy", "RequestDisallowedByPolicy"),
    ("mismatch", "InvalidParameter"),
    ("systempool", "InvalidParameter"),
    ("faultdomain", "InvalidParameter"),
    ("toolow", "InvalidParameter"),
    ("toohigh", "InvalidParameter"),
    ("toolong", "InvalidParameter"),
    ("required", "InvalidParameter"),
    ("insufficient", "InvalidParameter"),
    ("notallowed", "OperationNotAllowed"),
    ("notpermitted", "OperationNotAllowed"),
    ("notsupported", "OperationNotAllowed"),
    ("unsupported", "OperationNotAllowed"),
    ("disabled", "OperationNotAllowed"),
    ("disallowed", "OperationNotAllowed"),
    ("cannotbe", "OperationNotAllowed"),
    ("cannotdelete", "OperationNotAllowed"),
    ("cannotremove", "OperationNotAllowed"),
    ("listempty", "InvalidParameter"),
    ("usesame", "InvalidParameter"),
    ("donotmatch", "InvalidParameter"),
    ("doesnotmatch", "InvalidParameter"),
    ("circular", "InvalidParameter"),
    ("mustexist", "InvalidParameter"),
    ("onlyone", "InvalidParameter"),
    ("outofrange", "InvalidParameter"),
    ("reserved", "InvalidParameter"),
    ("exceed", "InvalidParameter"),
    ("insucceeded", "ResourceBeingChanged"),
    ("conflict", "ResourceBeingChanged"),
    ("busy", "AzureInternalError"),
    ("timeout", "AzureInternalError"),
    ("timedout", "AzureInternalError"),
    ("internal", "AzureInternalError"),
    ("unavailable", "AzureInternalError"),
    ("retryable", "AzureInternalError"),
];

/// Returns all known failures: those of a layer together, the more specific before the more general.
pub fn failures() -> impl Iterator<Item = &'static Failure> {
    [
        request::FAILURES,
        machine::FAILURES,
        user_data::FAILURES,
        extension::FAILURES,
        provisioning::FAILURES,
        kubelet::FAILURES,
        registration::FAILURES,
        readiness::FAILURES,
        lifecycle::FAILURES,
    ]
    .into_iter()
    .flatten()
}
