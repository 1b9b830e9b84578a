"""Changes of a document: each sets one flag, one field of the kubelet's file or one feature gate to another value."""

import re
import subprocess
from pathlib import Path

HERE = Path(__file__).parent
LONG = "x" * 64

# Values of flags by the type that the table of flags has.
OF_TYPE = {
    "Bool": "true|false|T|0|yes||tRue|2",
    "Integer": "0|-1|-2|1||abc|1.5|0x10|1_000|2147483647|2147483648|1e3|100|101|5%|+5|010|31|32|1000|1001|-1001|3000|65536",
    "Long": "0|-1|1||abc|1.5|1000000|9223372036854775808|4k",
    "Duration": "0|10|10s|-1s||1h30m|10S|1d|.5s|10000000h|1ns|999ms|1s|10sec|5m",
    "Quantity": "0|1Mi|-1||1MB|1.5Gi|100m",
    "Address": "|10.0.0.256|0.0.0.0|::|10.0.0.1/24|localhost|127.0.0.1",
    "Addresses": "|10.0.0.10|10.0.0.10,fd00::1|10.0.0.10,10.0.0.11|::,0.0.0.0",
    "Pairs": "|a=b|a|a=|a=b,c|memory.available=1Gi|memory.available=10%|memory.available=-1Gi|memory=50%|memory=50|full-pcpus-only=true",
    "Amounts": "|cpu=100m|cpu=-100m|cpu=|cpu|memory=1GiB|memory=1e3Mi|memory=100Ti|pid=1.5|pid=-1|gpu=1|cpu:100m|cpu=100m,|CPU=100m|"
    "ephemeral-storage=100Ti|memory=12E|memory=10%",
    "Thresholds": "|memory.available<100Mi|memory.available<0|memory.available<101%|memory.available<-100Mi|memory.available=100Mi|"
    "memory.available|memory.availible<1Gi|memory.available<1GB|memory.available<100Mi,memory.available<200Mi|nodefs.inodesfree<5%|"
    "memory.available<100Ti|memory.available<99%",
    "Durations": "|memory.available=30s|memory.available=30|foo=1s|memory.available",
    "Switches": "|NoSuchGate=true|GracefulNodeShutdown=yes|GracefulNodeShutdown|AllAlpha=true|AllAlpha=false|AllBeta=true|AllBeta=false",
    "Labels": "|a=b|a|=b|a=b,,c=d|a/b/c=d|kubernetes.io/a=b|node-role.kubernetes.io/a=|x.k8s.io/a=b|node.kubernetes.io/a=b|a=" + LONG,
    "Taints": "|a=b:NoSchedule|a=b:noschedule|a=b:NoSchedule,|a=b|:NoSchedule|a=b:NoSchedule,a=c:NoSchedule|a=b:",
    "Text": "",
}
# Values of single flags, also of those that are any text.
OF_FLAG = {
    "allowed-unsafe-sysctls": "net.core.somaxconn|kernel.msg*|*|vm.swappiness|NET.core.x|net.ipv4.*.x|net.core.somaxconn=1|net.|net..core",
    "authorization-mode": "Webhook|AlwaysAllow|webhook|RBAC|Webhook,AlwaysAllow",
    "cloud-provider": "|external|azure|External",
    "container-log-max-size": "|10Mi|50M|50MB|1.5Mi|1.5M|100m|1e6",
    "container-runtime-endpoint": "|unix:///run/containerd/containerd.sock|/run/containerd/containerd.sock|tcp://127.0.0.1:1|http://x",
    "cpu-manager-policy": "none|static|Static|",
    "cpu-manager-policy-options": "|a|full-pcpus-only=true",
    "enforce-node-allocatable": "|pods|none|pods,none|pods,pods|Pods|system-reserved|pods,",
    "hairpin-mode": "|hairpin-veth|none|x",
    "logging-format": "text|json|JSON|x",
    "memory-manager-policy": "None|Static|none",
    "qos-reserved": "|memory=50%|memory=101%|memory=50|cpu=50%",
    "reserved-cpus": "|0|0-1|1-0|a|0-|0,",
    "reserved-memory": "|0:memory=1Gi|memory=1Gi|0:cpu=1|0:memory=0",
    "root-dir": "|/var/lib/kubelet|var/lib/kubelet",
    "tls-cipher-suites": "|TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256|TLS_AES_128_GCM_SHA256|tls_ecdhe_rsa_with_aes_128_gcm_sha256|TLS_X|"
    "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
    "tls-min-version": "|VersionTLS12|VersionTLS13|TLS12|VersionTLS14",
    "topology-manager-policy": "none|restricted|Restricted|",
    "topology-manager-scope": "container|pod|Pod|",
    "version": "false|true||x",
    "vmodule": "|a=1|a|a=x",
}
# Values that depend on the world, or with which a kubelet starts and does not become a node of a cluster.
NOT_JUDGED = {
    "address", "bootstrap-kubeconfig", "cert-dir", "cgroup-driver", "cgroup-root", "cluster-dns", "cluster-domain", "config", "config-dir",
    "experimental-mounter-path", "fail-cgroupv1", "healthz-bind-address", "help", "hostname-override", "image-service-endpoint",
    "kube-api-content-type", "kubeconfig", "lock-file", "node-ip", "pod-max-pids", "register-node", "streaming-connection-idle-timeout",
    "volume-plugin-dir",
}  # fmt: skip
OF_FIELD = {
    "kind": "KubeletConfiguration|kubeletconfiguration|",
    "api_version": "kubelet.config.k8s.io/v1beta1|kubelet.config.k8s.io/v1|",
    "node_status_update_frequency": OF_TYPE["Duration"],
    "cpu_cfs_quota_period": OF_TYPE["Duration"],
    "container_log_max_size": OF_FLAG["container-log-max-size"],
    "cpu_manager_policy": OF_FLAG["cpu-manager-policy"],
    "topology_manager_policy": OF_FLAG["topology-manager-policy"],
    "authorization.mode": OF_FLAG["authorization-mode"],
}
NUMBERS = [0, 1, -1, 2, 5, 100, 101, 65535, 65536, 2147483647]
NUMBER_FIELDS = [
    "read_only_port", "event_record_qps", "image_gc_high_threshold_percent", "image_gc_low_threshold_percent", "max_pods",
    "container_log_max_files",
]  # fmt: skip
LIST_FIELDS = {
    "tls_cipher_suites": "tls-cipher-suites",
    "enforce_node_allocatable": "enforce-node-allocatable",
    "allowed_unsafe_sysctls": "allowed-unsafe-sysctls",
}


def flags():
    """Rows of the table of flags: name, type, and the minor versions that have it."""
    for line in subprocess.check_output(["sh", HERE / "../kubelet-facts/flags.sh"], text=True).splitlines():
        name, kind, since, until = line.split("|")
        yield name, kind, range(int(since or 0), int(until or 1000))


def gates():
    table = (HERE / "../../src/catalogue/feature_gates/table.rs").read_text()
    return re.findall(r'^    gate\("(\w+)"\)', table, re.MULTILINE)


def nested(path, value):
    for key in reversed(path.split(".")):
        value = {key: value}
    return value


def changes(minor):
    """Yields the name of the document that is changed, a description, and a merge patch for `kubelet_config`."""
    yield "flags", "nothing", {}
    yield "file", "nothing", {}
    for name, kind, minors in flags():
        values = OF_FLAG.get(name, OF_TYPE[kind])
        if name in NOT_JUDGED or minor not in minors or not values:
            continue
        for value in values.split("|"):
            yield "flags", f"--{name}={value}", {"kubelet_flags": {f"--{name}": value}}
    for gate in gates():
        for on in ("true", "false"):
            yield "flags", f"{gate}={on}", {"kubelet_flags": {"--feature-gates": f"{gate}={on}"}}
            yield "file", f"{gate}={on}", {"kubelet_config_file_config": {"feature_gates": {gate: on == "true"}}}
    for path, values in OF_FIELD.items():
        for value in values.split("|"):
            yield "file", f"{path}={value}", {"kubelet_config_file_config": nested(path, value)}
    for path in NUMBER_FIELDS:
        for value in NUMBERS:
            yield "file", f"{path}={value}", {"kubelet_config_file_config": {path: value}}
    for path, flag in LIST_FIELDS.items():
        for value in OF_FLAG[flag].split("|"):
            value = value.split(",") if value else []
            yield "file", f"{path}={value}", {"kubelet_config_file_config": {path: value}}
    for path, sign, kind in (
        ("kube_reserved", "=", "Amounts"),
        ("system_reserved", "=", "Amounts"),
        ("eviction_hard", "<", "Thresholds"),
    ):
        for value in OF_TYPE[kind].split("|"):
            if sign in value and "," not in value:
                yield "file", f"{path}: {value}", {"kubelet_config_file_config": {path: dict([value.split(sign)])}}
