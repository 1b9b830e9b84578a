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
import subprocess
import sys
import time
import zipfile

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

# Never part of a bundle, whatever the tag asks for. ovf-env.xml has the CustomData; network plugins keep a kubeconfig with a
# token beside their configuration.
SECRET = """
/etc/kubernetes/azure.json /etc/kubernetes/sp.txt /etc/kubernetes/certs/* /var/lib/kubelet/bootstrap-kubeconfig
/var/lib/kubelet/kubeconfig /var/lib/kubelet/pki/* /opt/azure/containers/aks-node-controller-* /opt/azure/containers/boothook.sh
/var/lib/cloud/* /var/lib/waagent/ovf-env.xml /var/lib/waagent/*.prv /etc/shadow* /etc/gshadow* /etc/ssh/*_key /root/*
/etc/systemd/system.conf.d/proxy.conf /etc/environment /etc/apt/auth.conf* /etc/apt/apt.conf.d/95proxy /proc/*/environ
*kubeconfig*
""".split()

COMMANDS = """
systemctl status --all --full --no-pager|systemctl list-jobs|journalctl --unit=kubelet --lines=5000 --no-pager
journalctl --unit=containerd --lines=5000 --no-pager|journalctl --unit=localdns --lines=1000 --no-pager
journalctl --unit=nvidia-dcgm --unit=nvidia-dcgm-exporter --unit=nvidia-device-plugin --lines=2000 --no-pager
df -al|df -ail|lsblk --all|blkid|lscpu|lspci -vk|lsns|sysctl -a|ps auxww
crictl version|crictl info|crictl images -o json|crictl pods -o json|crictl ps --all -o json|crictl stats -o json
ip -d -j address show|ip -d -j route show table all|ip -6 -d -j route show table all|ip -d -j link show
ip -d -j neighbor show|ip -d -j rule show|ss -anoempi|ss -s|conntrack -S|dpkg -l|rpm -qa
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
            if any(fnmatch.fnmatch(one, secret) for one in (path, real) for secret in SECRET) or not os.path.isfile(real):
                continue
            try:
                with open(real, "rb") as file:
                    # The end of a log is worth more. Files of /proc have no size.
                    size = os.fstat(file.fileno()).st_size
                    file.seek(max(0, size - ITEM))
                    self.add(path.lstrip("/"), file.read(ITEM))
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
            self.add(f"collect/{prefix}{command.replace('/', '_').replace(' ', '_')}.txt", ended.stdout)
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
    commands = split(COMMANDS) + (split(SYSTEM) if wanted.get("sysinfo") is True else [])
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
