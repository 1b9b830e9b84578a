#!/usr/bin/python3
"""Stands in for kubelet: refuses what kubelet of its minor version would refuse, registers with the bootstrap token, and
reports ready. Its version stands beside it, in kubelet.version."""

import json
import os
import re
import socket
import ssl
import stat
import subprocess
import sys
import time
import urllib.request

import yaml

VERSION = "@VERSION@"
MINOR = int(VERSION.split(".")[1])
NAME = re.compile(r"^[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?$")

# Flags with the first and the last minor that knows them; from kubelet's own change logs.
FLAGS = {
    "address": (0, 99), "anonymous-auth": (0, 99), "authentication-token-webhook": (0, 99), "authorization-mode": (0, 99),
    "azure-container-registry-config": (0, 29), "bootstrap-kubeconfig": (0, 99), "cgroup-driver": (0, 99),
    "cgroups-per-qos": (0, 99), "client-ca-file": (0, 99), "cloud-config": (0, 99), "cloud-provider": (0, 99),
    "cluster-dns": (0, 99), "cluster-domain": (0, 99), "config": (0, 99), "container-log-max-size": (0, 99),
    "container-runtime": (0, 26), "container-runtime-endpoint": (0, 99), "cpu-manager-policy": (0, 99),
    "enable-server": (0, 99), "enforce-node-allocatable": (0, 99), "event-qps": (0, 99), "eviction-hard": (0, 99),
    "feature-gates": (0, 99), "image-credential-provider-bin-dir": (0, 99), "image-credential-provider-config": (0, 99),
    "image-gc-high-threshold": (0, 99), "image-gc-low-threshold": (0, 99), "kube-reserved": (0, 99),
    "kube-reserved-cgroup": (0, 99), "kubeconfig": (0, 99), "max-pods": (0, 99), "node-ip": (0, 99),
    "node-labels": (0, 99), "node-status-update-frequency": (0, 99), "pod-infra-container-image": (0, 34),
    "pod-manifest-path": (0, 99), "pod-max-pids": (0, 99), "protect-kernel-defaults": (0, 99), "read-only-port": (0, 99),
    "register-with-taints": (0, 99), "resolv-conf": (0, 99), "rotate-certificates": (0, 99),
    "rotate-server-certificates": (0, 99), "runtime-cgroups": (0, 99), "runtime-request-timeout": (0, 99),
    "serialize-image-pulls": (0, 99), "streaming-connection-idle-timeout": (0, 99), "system-reserved": (0, 99),
    "system-reserved-cgroup": (0, 99), "tls-cert-file": (0, 99), "tls-cipher-suites": (0, 99),
    "tls-private-key-file": (0, 99), "topology-manager-policy": (0, 99), "v": (0, 99), "volume-plugin-dir": (0, 99),
}


def refuse(why):
    print(f"E1121 kubelet: {why}", flush=True)
    sys.exit(1)


def secret(path):
    """A file that only root may read."""
    found = os.stat(path)
    if stat.S_IMODE(found.st_mode) != 0o600 or found.st_uid != 0:
        refuse(f"{path} has mode {stat.S_IMODE(found.st_mode):o}")
    with open(path, encoding="utf-8") as file:
        return file.read()


def flags_of(arguments):
    flags, words = {}, iter(arguments)
    for word in words:
        if not word.startswith("--"):
            refuse(f"unknown command {word}")
        name, equals, value = word[2:].partition("=")
        since, until = FLAGS.get(name, (1, 0))
        if not since <= MINOR <= until:
            refuse(f"unknown flag: --{name}")
        if not equals and name in ("kubeconfig", "bootstrap-kubeconfig", "config"):
            value = next(words)
        flags[name] = value
    return flags


def check_labels(labels):
    for label in filter(None, labels.split(",")):
        key, _, value = label.partition("=")
        if not NAME.match(key.rpartition("/")[2]) or (value and not NAME.match(value)):
            refuse(f"invalid label {label}")


def register(flags):
    """Asks the API server as the kubeconfig says, and becomes the owner of a kubeconfig."""
    own, bootstrap = flags.get("kubeconfig", "/var/lib/kubelet/kubeconfig"), flags.get("bootstrap-kubeconfig")
    config = yaml.safe_load(secret(own if os.path.exists(own) else bootstrap or refuse(f"{own} is not there")))
    context = {entry["name"]: entry["context"] for entry in config["contexts"]}[config["current-context"]]
    cluster = {entry["name"]: entry["cluster"] for entry in config["clusters"]}[context["cluster"]]
    user = {entry["name"]: entry["user"] for entry in config["users"]}[context["user"]]
    tls = ssl.create_default_context(cafile=cluster["certificate-authority"])
    if "client-key" in user:
        secret(user["client-key"])
        tls.load_cert_chain(user["client-certificate"], user["client-key"])
    request = urllib.request.Request(cluster["server"] + "/version")
    if "token" in user:
        request.add_header("Authorization", "Bearer " + user["token"])
    with urllib.request.urlopen(request, context=tls, timeout=60) as answer:
        answer.read()
    if not os.path.exists(own):
        with open(os.open(own, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
            json.dump(config, file)


def main():
    if sys.argv[1:] == ["--version"]:
        print("Kubernetes v" + VERSION)
        return
    flags = flags_of(sys.argv[1:])
    if "config" in flags:
        config = json.loads(secret(flags["config"]))
        if config.get("kind") != "KubeletConfiguration":
            refuse("the configuration file is of another kind")
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
        folder = flags["image-credential-provider-bin-dir"]
        for entry in provider["providers"]:
            if not os.access(os.path.join(folder, entry["name"]), os.X_OK):
                refuse(f"no credential provider {entry['name']} in {folder}")
    runtime = flags.get("container-runtime-endpoint", "").removeprefix("unix://")
    with socket.socket(socket.AF_UNIX) as endpoint:
        endpoint.connect(runtime)
    with open("/proc/self/mountinfo", encoding="utf-8") as mounts:
        points = [line.split()[4] for line in mounts]
    if points.count("/var/lib/kubelet") != 1:
        refuse(f"/var/lib/kubelet is mounted {points.count('/var/lib/kubelet')} times")
    register(flags)
    with open("/var/lib/kubelet/accepted.json", "w", encoding="utf-8") as report:
        json.dump(flags, report, indent=1, sort_keys=True)
    print('I1121 "Fast updating node status as it just became ready"', flush=True)
    while True:
        subprocess.run(["systemd-notify", "WATCHDOG=1"], check=False)
        time.sleep(10)


main()
