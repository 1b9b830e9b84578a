#!/usr/bin/python3
"""Packs logs and the state of the machine into a bundle for support: aks-log-collector.py [BUNDLE].

The tag `aks-log-collector` of the machine may have a JSON object: disable, waagent_full, iptables, nftables, netns, sysinfo (true or
false), files (paths, with wildcards), pod_log_namespaces. Ends with 3 if the tag disables it.
"""

import fnmatch
import glob
import http.client
import json
import os
import re
import stat
import subprocess
import sys
import time
import zipfile
import zlib

#include provisioning/source/secrets.py

BUNDLE = sys.argv[1] if len(sys.argv) > 1 else "/var/lib/waagent/logcollector/logs.zip"
MIB = 1024 * 1024
# The host accepts no larger bundle.
WHOLE, ITEM = 100 * MIB, 10 * MIB
# For all commands together, so that a broken machine is reported too.
DEADLINE = time.monotonic() + 90

# Small and informative files come first, because the bundle may become full.
FILES = """
/var/log/azure/*.log /var/log/azure/aks/* /var/log/azure/*/* /var/log/azure/*/events/*
/etc/default/kubelet /etc/default/kubeletconfig.json /etc/containerd/* /etc/cni/net.d/* /etc/kubernetes/manifests/*
/var/log/azure-cni* /var/log/azure-cns* /var/log/azure-ipam* /var/log/azure-vnet* /var/log/cilium-cni*
/var/run/azure-vnet* /var/run/azure-cns* /var/log/nvidia*.log /var/log/azure/nvidia*.log /var/log/fabricmanager*.log
/var/log/cloud-init* /etc/fstab /etc/hostname /etc/*-release /etc/resolv.conf /run/systemd/resolve/*.conf /etc/nsswitch.conf
/etc/ssh/sshd_config /etc/waagent.conf /etc/netplan/*.yaml /etc/network/interfaces /etc/network/interfaces.d/*
/etc/apt/sources.list /etc/apt/sources.list.d/* /var/lib/waagent/waagent_status.json /var/lib/waagent/*/status/*.status
/var/lib/waagent/*/config/HandlerState /var/lib/waagent/*/config/HandlerStatus /var/lib/waagent/*/error.json
/var/log/waagent.log /var/log/syslog* /var/log/messages* /var/log/kern* /var/log/dmesg* /var/log/dpkg* /var/log/dnf*
/var/log/boot* /var/log/auth* /var/log/secure*
/proc/cmdline /proc/cpuinfo /proc/interrupts /proc/loadavg /proc/meminfo /proc/modules /proc/mounts /proc/stat /proc/uptime
/proc/version /proc/vmstat /proc/net/dev /proc/net/snmp /proc/net/sockstat /proc/net/softnet_stat
"""
AGENT_FILES = "/var/lib/waagent/SharedConfig.xml /var/lib/waagent/*/config/*.settings /var/log/waagent*.gz"

# Never part of a bundle, whatever the tag asks for, in lower case; * matches slashes too. A file counts by its own path and by where it really is,
# which may be another mount of kubelet's directory. ovf-env.xml has the CustomData; network plugins keep a kubeconfig with a
# token beside their configuration; bundles of containers have their environment.
SECRET = """
*/azure.json /etc/kubernetes/sp.txt /etc/kubernetes/certs/* */kubelet/pki/* */kubelet/pods/* */kubelet/config.json *kubeconfig*
*/containers/aks-node-controller-* /opt/azure/containers/boothook.sh /opt/bin/boothook.sh */nodecustomdata.yml */setup-custom-search-domains.log /run/aks-cse-early/*
/var/lib/cloud/* /run/cloud-init/* /var/lib/waagent/ovf-env.xml /var/lib/waagent/certificates.* /var/lib/waagent/custom-script/*
/var/lib/waagent/run-command/* */transportprivate.pem *.prv *.p12 *.pfx *.p8 *.key *.jks *.keystore *.keytab *.kdbx *.gpg
/etc/shadow* /etc/gshadow* /etc/security/opasswd /etc/ssh/*_key* */.ssh/* */id_rsa* */id_dsa* */id_ecdsa* */id_ed25519* /root/*
/etc/systemd/system.conf.d/proxy.conf /etc/environment /etc/apt/auth.conf* /etc/apt/apt.conf.d/95proxy
/etc/oras/* */.docker/* */.dockercfg */.netrc */.azure/* */.aws/* */.kube/* */.git-credentials */.pgpass */.gnupg/* *_history
/run/secrets/* /run/credentials/* /etc/credstore* /var/lib/systemd/credential.secret /var/lib/systemd/random-seed
/var/lib/systemd/coredump/* /var/crash/* */swapfile* /run/containerd/* /var/lib/containerd/* /var/lib/etcd/* /etc/sssd/* /var/lib/sss/*
/etc/networkmanager/system-connections/* /proc/kcore /proc/kmsg /proc/*/environ /proc/*/cmdline /proc/*/mem /proc/*/auxv /proc/keys /proc/key-users
/dev/* /sys/kernel/debug/* /sys/kernel/tracing/* /sys/kernel/security/* /sys/firmware/*
""".lower().split()

COMMANDS = """
systemctl status --all --full --no-pager|systemctl list-jobs|journalctl --unit=kubelet --lines=5000 --no-pager
journalctl --unit=containerd --lines=5000 --no-pager|journalctl --unit=localdns --lines=1000 --no-pager
journalctl --unit=nvidia-dcgm --unit=nvidia-dcgm-exporter --unit=nvidia-device-plugin --lines=2000 --no-pager
df -al|df -ail|lsblk --all|blkid|lscpu|lspci -vk|lsns|sysctl -a|ps auxww
crictl version|crictl info|crictl images -o json|crictl pods -o json|crictl ps --all -o json|crictl stats -o json
ip -d -j address show|ip -d -j route show table all|ip -6 -d -j route show table all|ip -d -j link show
ip -d -j neighbor show|ip -d -j rule show|ss -anoempi|ss -s|conntrack -S
"""
SYSTEM = "lshw -json|lsscsi -vv|lsvmbus -vv"
TABLES = {"iptables": "iptables -L -vn --line-numbers|ip6tables -L -vn --line-numbers", "nftables": "nft -n list ruleset"}


def split(text):
    return [one.strip() for one in text.replace("\n", "|").split("|") if one.strip()]


def options():
    """Returns the object of the tag; an empty one without metadata or without a valid tag."""
    try:
        connection = http.client.HTTPConnection("169.254.169.254", timeout=5)
        connection.request("GET", "/metadata/instance/compute/tagsList?api-version=2021-02-01", headers={"Metadata": "true"})
        tags = json.loads(connection.getresponse().read())
        text = next(tag["value"] for tag in tags if tag["name"] == "aks-log-collector")
        found = json.loads(text)
        return found if isinstance(found, dict) else {}
    except (OSError, ValueError, KeyError, TypeError, StopIteration, http.client.HTTPException):
        return {}


def texts(value):
    return [one for one in value if isinstance(one, str)] if isinstance(value, list) else []


def is_excluded(path):
    return any(fnmatch.fnmatchcase(path.lower(), pattern) for pattern in SECRET)


# Returns the last bytes of a regular file. Waits for nothing, and follows no link that has come meanwhile.
def content_of(path):
    with open(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:
        state = os.fstat(file.fileno())
        if not stat.S_ISREG(state.st_mode):
            return None
        # The end of a log is worth more. Files of /proc have no size.
        file.seek(max(0, state.st_size - ITEM))
        return file.read(ITEM)


# xz, zstd, bzip2, zip, lz4 and 7z.
UNREADABLE = (b"\xfd7zXZ", b"\x28\xb5\x2f\xfd", b"BZh", b"PK\x03\x04", b"\x04\x22\x4d\x18", b"7z\xbc\xaf")


# Returns bytes of a file without secrets; None if the whole file is a secret, or if that is unknown.
def presentable(path, content):
    if not path.endswith(".gz") and content[:2] != b"\x1f\x8b":
        return None if content.startswith(UNREADABLE) or is_secret(content) else without_secrets(content)
    # Logs that are rotated.
    unpacker = zlib.decompressobj(31)
    try:
        text = unpacker.decompress(content, 4 * ITEM)
    except zlib.error:
        return None
    whole = unpacker.eof and not unpacker.unused_data
    return content if whole and not is_secret(text) and without_secrets(text) == text else None


class Bundle:
    def __init__(self, file):
        self.file = file
        self.zip = zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED)
        self.names = set()

    def add(self, name, content):
        """Adds an item if there is room for one of any kind."""
        if name not in self.names and self.file.tell() + ITEM + MIB < WHOLE:
            self.names.add(name)
            self.zip.writestr(name, content)

    def add_files(self, pattern):
        for path in sorted(glob.glob(pattern, recursive=True)):
            real = os.path.realpath(path)
            if is_excluded(path) or is_excluded(real):
                continue
            try:
                content = content_of(real) if os.path.isfile(real) else None
                content = presentable(real, content) if content else None
                if content is not None:
                    self.add(path.lstrip("/"), content)
            except OSError as error:
                print(f"{path}: {error.strerror}", file=sys.stderr)

    def add_output(self, command, prefix=""):
        left = DEADLINE - time.monotonic()
        if left <= 0:
            return
        try:
            ended = subprocess.run(
                ["timeout", str(int(min(left, 15)) + 1), "sh", "-c", f'"$@" 2>&1 | head -c {ITEM}', "sh", *command.split()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                check=False,
            )
            self.add(f"collect/{prefix}{command.replace('/', '_').replace(' ', '_')}.txt", without_secrets(ended.stdout))
        except OSError as error:
            print(f"{command}: {error.strerror}", file=sys.stderr)


def namespaces():
    try:
        return sorted(os.listdir("/run/netns"))
    except OSError:
        return []


def collect(bundle, wanted):
    for pattern in texts(wanted.get("files")):
        bundle.add_files(pattern)
    for namespace in texts(wanted.get("pod_log_namespaces")):
        bundle.add_files(f"/var/log/pods/{glob.escape(namespace)}_*/**")
    for pattern in FILES.split() + (AGENT_FILES.split() if wanted.get("waagent_full") is True else []):
        bundle.add_files(pattern)
    # rpm that finds no database makes one, so it is asked only where packages are its own.
    packages = ["dpkg -l"] if os.path.isdir("/var/lib/dpkg") else ["rpm -qa"]
    commands = split(COMMANDS) + packages + (split(SYSTEM) if wanted.get("sysinfo") is True else [])
    for name, table in TABLES.items():
        commands += split(table) if wanted.get(name) is True else []
    for command in commands:
        bundle.add_output(command)
    if wanted.get("netns") is True:
        for namespace in namespaces():
            for command in ["ip -d -j address show", "ip -d -j route show table all", "ss -anoempi", "conntrack -S"]:
                bundle.add_output(f"ip netns exec {namespace} {command}")


def main():
    wanted = options()
    if wanted.get("disable") is True:
        print("the tag aks-log-collector disables the collection of logs")
        return 3
    os.umask(0o077)
    os.makedirs(os.path.dirname(BUNDLE) or ".", exist_ok=True)
    temporary = BUNDLE + ".new"
    try:
        with open(temporary, "wb") as file:
            bundle = Bundle(file)
            collect(bundle, wanted)
            bundle.zip.close()
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, BUNDLE)
    except OSError as error:
        print(f"{BUNDLE}: {error.strerror}", file=sys.stderr)
        return 1
    print(f"{BUNDLE}: {len(bundle.names)} items, {os.path.getsize(BUNDLE)} bytes")
    return 0


sys.exit(main())
