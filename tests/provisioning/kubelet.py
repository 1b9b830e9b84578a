#!/usr/bin/python3
"""Stands in for kubelet as the real one behaves: it ends with an unknown flag, asks for a client certificate with the
bootstrap token, ends if it protects kernel settings that differ from its own, and reports ready.

Flags are those of the real kubelets: /opt/test/kubelet_flags is the table of `make kubelet-facts`. For the messages and their
order see https://github.com/kubernetes/kubernetes: cmd/kubelet/app/server.go, pkg/kubelet/certificate/bootstrap/bootstrap.go,
pkg/kubelet/cm/container_manager_linux.go, pkg/util/sysctl/sysctl.go. Those of a kubelet without a certificate are lines of a
kubelet 1.36.4 whose token an API server rejected, and of one whose request nobody approved (tests/cluster).
"""

import base64
import json
import os
import re
import socket
import ssl
import stat
import subprocess
import sys
import time
import urllib.error
import urllib.request

import yaml

VERSION = "@VERSION@"
MINOR = int(VERSION.split(".")[1])
NAME = re.compile(r"^[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?$")

CERTIFICATES = "/apis/certificates.k8s.io/v1/certificatesigningrequests"

# What kubelet demands with --protect-kernel-defaults.
KERNEL = {"vm/overcommit_memory": 1, "vm/panic_on_oom": 0, "kernel/panic": 10, "kernel/panic_on_oops": 1,
          "kernel/keys/root_maxkeys": 1000000, "kernel/keys/root_maxbytes": 25000000}


def known_flags():
    """Flags of this minor version with their types. The table begins with 1.28; earlier flags are from the change logs."""
    known = {"container-runtime": "Text"} if MINOR < 27 else {}
    with open("/opt/test/kubelet_flags", encoding="utf-8") as table:
        for line in table:
            name, kind, since, until = line.rstrip("\n").split("|")
            if int(since or 0) <= MINOR < int(until or 99):
                known[name] = kind
    return known


def refuse(why):
    print(f'E1121 12:00:00.000000    {os.getpid()} run.go:72] "command failed" err="{why}"', flush=True)
    sys.exit(1)


def secret(path):
    """A file that only root may read."""
    found = os.stat(path)
    if stat.S_IMODE(found.st_mode) != 0o600 or found.st_uid != 0:
        refuse(f"{path} has mode {stat.S_IMODE(found.st_mode):o}")
    with open(path, encoding="utf-8") as file:
        return file.read()


def flags_of(arguments):
    known, flags, words = known_flags(), {}, iter(arguments)
    for word in words:
        if not word.startswith("--"):
            refuse(f"unknown command {word}")
        name, equals, value = word[2:].partition("=")
        if name not in known:
            refuse(f"failed to parse kubelet flag: unknown flag: --{name}")
        if known[name] == "Bool":
            value = value if equals else "true"
            if value not in ("1", "t", "T", "TRUE", "true", "True", "0", "f", "F", "FALSE", "false", "False"):
                refuse(f'failed to parse kubelet flag: invalid argument "{value}" for "--{name}" flag: strconv.ParseBool: parsing "{value}": invalid syntax')
        elif not equals:
            value = next(words)
        flags[name] = value
    return flags


def check_labels(labels):
    for label in filter(None, labels.split(",")):
        key, _, value = label.partition("=")
        if not NAME.match(key.rpartition("/")[2]) or (value and not NAME.match(value)):
            refuse(f"invalid label {label}")


class Cluster:
    """The API server that a kubeconfig names."""

    def __init__(self, path):
        config = yaml.safe_load(secret(path))
        context = {entry["name"]: entry["context"] for entry in config["contexts"]}[config["current-context"]]
        cluster = {entry["name"]: entry["cluster"] for entry in config["clusters"]}[context["cluster"]]
        self.user = {entry["name"]: entry["user"] for entry in config["users"]}[context["user"]]
        self.server, self.authority = cluster["server"], cluster["certificate-authority"]
        self.tls = ssl.create_default_context(cafile=self.authority)
        if "client-key" in self.user:
            secret(self.user["client-key"])
            self.tls.load_cert_chain(self.user["client-certificate"], self.user["client-key"])

    def ask(self, path, document=None):
        request = urllib.request.Request(self.server + path, document and json.dumps(document).encode())
        request.add_header("Content-Type", "application/json")
        if "token" in self.user:
            request.add_header("Authorization", "Bearer " + self.user["token"])
        with urllib.request.urlopen(request, context=self.tls, timeout=60) as answer:
            return json.load(answer)


def private_file(path, text):
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
        file.write(text)


def say(level, place, text):
    print(f"{level}1121 12:00:00.000000    {os.getpid()} {place}] {text}", flush=True)


def complain(seconds, node):
    """What a kubelet without a certificate says ten times a second."""
    subprocess.run(["systemd-notify", "WATCHDOG=1"], check=False)
    for _ in range(10 * seconds):
        say("E", "kubelet.go:3516", f'"Unable to register mirror pod because node is not registered yet" err="node \\"{node}\\" not found" node="{node}"')
        time.sleep(0.1)
    say("E", "controller.go:201", f'"Failed to ensure lease exists, will retry" err="leases.coordination.k8s.io \\"{node}\\" is forbidden: User '
        '\\"system:anonymous\\" cannot get resource \\"leases\\" in API group \\"coordination.k8s.io\\" in the namespace \\"kube-node-lease\\"" interval="7s"')


def request_certificate(bootstrap, own):
    """Asks the cluster for a client certificate, waits until it is signed, and writes the kubeconfig that names it."""
    cluster, node = Cluster(bootstrap), socket.gethostname().lower()
    made = subprocess.run(["openssl", "req", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", "/dev/stdout",
                           "-subj", f"/O=system:nodes/CN=system:node:{node}"], check=True, capture_output=True, text=True).stdout
    begin = made.index("-----BEGIN CERTIFICATE REQUEST")
    # It asks again after two seconds, then after twice as long each time, up to half a minute.
    pause, name = 2, None
    while not name:
        try:
            name = cluster.ask(CERTIFICATES, {
                "apiVersion": "certificates.k8s.io/v1", "kind": "CertificateSigningRequest", "metadata": {"generateName": "csr-"},
                "spec": {"request": base64.b64encode(made[begin:].encode()).decode(), "signerName": "kubernetes.io/kube-apiserver-client-kubelet",
                         "usages": ["digital signature", "client auth"]}})["metadata"]["name"]
        except urllib.error.HTTPError as error:
            say("E", "certificate_manager.go:596", '"Failed while requesting a signed certificate from the control plane" err="cannot create certificate '
                f'signing request: {error.reason}" logger="kubernetes.io/kube-apiserver-client-kubelet.UnhandledError"')
            complain(pause, node)
            pause = min(2 * pause, 32)
    say("I", "csr.go:86", f'"Certificate signing request created" logger="kubernetes.io/kube-apiserver-client-kubelet" csr="{name}"')
    while not (certificate := cluster.ask(f"{CERTIFICATES}/{name}").get("status", {}).get("certificate")):
        complain(1, node)
    directory = "/var/lib/kubelet/pki"
    os.makedirs(directory, exist_ok=True)
    private_file(f"{directory}/kubelet-client-1.pem", base64.b64decode(certificate).decode() + made[:begin])
    current = f"{directory}/kubelet-client-current.pem"
    if not os.path.lexists(current):
        os.symlink(f"{directory}/kubelet-client-1.pem", current)
    private_file(own, yaml.safe_dump({
        "apiVersion": "v1", "kind": "Config", "current-context": "default-context",
        "clusters": [{"name": "default-cluster", "cluster": {"certificate-authority": cluster.authority, "server": cluster.server}}],
        "contexts": [{"name": "default-context", "context": {"cluster": "default-cluster", "namespace": "default", "user": "default-auth"}}],
        "users": [{"name": "default-auth", "user": {"client-certificate": current, "client-key": current}}]}))


def check_kernel():
    wrong = []
    for name, wanted in KERNEL.items():
        with open(f"/proc/sys/{name}", encoding="utf-8") as file:
            found = int(file.read())
        if found != wanted:
            wrong.append(f"invalid kernel flag: {name}, expected value: {wanted}, actual value: {found}")
    if wrong:
        print(f'E1121 12:00:00.000000    {os.getpid()} kubelet.go:1649] "Failed to start ContainerManager" err="[{", ".join(wrong)}]"', flush=True)
        sys.exit(1)


def main():
    if sys.argv[1:] == ["--version"]:
        print("Kubernetes v" + VERSION)
        return
    flags = flags_of(sys.argv[1:])
    protected = flags.get("protect-kernel-defaults", "").lower() in ("1", "t", "true")
    if "config" in flags:
        config = json.loads(secret(flags["config"]))
        if config.get("kind") != "KubeletConfiguration":
            refuse("the configuration file is of another kind")
        protected = flags.get("protect-kernel-defaults", config.get("protectKernelDefaults")) in (True, "true")
        for flag, member in (("client-ca-file", ("authentication", "x509", "clientCAFile")), ("tls-cert-file", ("tlsCertFile",)), ("tls-private-key-file", ("tlsPrivateKeyFile",))):
            value = config
            for name in member:
                value = value.get(name, {}) if isinstance(value, dict) else {}
            if value:
                flags.setdefault(flag, value)
    check_labels(flags.get("node-labels", ""))
    secret("/etc/default/kubelet")
    secret("/etc/kubernetes/azure.json")
    json.loads(secret("/etc/kubernetes/azure.json"))
    if "client-ca-file" not in flags:
        refuse("no --client-ca-file")
    ssl.create_default_context(cafile=flags["client-ca-file"])
    if "tls-private-key-file" in flags:
        secret(flags["tls-private-key-file"])
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(flags["tls-cert-file"], flags["tls-private-key-file"])
    if "image-credential-provider-config" in flags:
        with open(flags["image-credential-provider-config"], encoding="utf-8") as file:
            provider = json.load(file)
        directory = flags["image-credential-provider-bin-dir"]
        for entry in provider["providers"]:
            if not os.access(os.path.join(directory, entry["name"]), os.X_OK):
                refuse(f"no credential provider {entry['name']} in {directory}")
    runtime = flags.get("container-runtime-endpoint", "").removeprefix("unix://")
    with socket.socket(socket.AF_UNIX) as endpoint:
        endpoint.connect(runtime)
    with open("/proc/self/mountinfo", encoding="utf-8") as mounts:
        points = [line.split()[4] for line in mounts]
    if points.count("/var/lib/kubelet") != 1:
        refuse(f"/var/lib/kubelet is mounted {points.count('/var/lib/kubelet')} times")
    own = flags.get("kubeconfig", "/var/lib/kubelet/kubeconfig")
    if not os.path.exists(own):
        if "bootstrap-kubeconfig" not in flags:
            refuse(f"failed to run Kubelet: stat {own}: no such file or directory")
        request_certificate(flags["bootstrap-kubeconfig"], own)
    Cluster(own).ask("/version")
    if protected:
        check_kernel()
    with open("/var/lib/kubelet/accepted.json", "w", encoding="utf-8") as report:
        json.dump(flags, report, indent=1, sort_keys=True)
    print('I1121 "Fast updating node status as it just became ready"', flush=True)
    while True:
        subprocess.run(["systemd-notify", "WATCHDOG=1"], check=False)
        time.sleep(10)


main()
