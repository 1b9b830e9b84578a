#!/usr/bin/env bash
# A world in which a kubelet starts as on a node, with a containerd of its own: world.sh NAME COMMAND... Neither the control groups nor
# the settings of the kernel nor the directories of this system are changed.
set -euo pipefail

name=$1
shift

# Names of the hierarchies of control groups of version 1, as `mount -o` takes them.
hierarchies() {
	sed -nE 's/^[0-9]+:(name=systemd|[a-z_,]+):.*/\1/p' /proc/self/cgroup
}

has_version_2() {
	grep -qw memory /sys/fs/cgroup/cgroup.controllers 2>/dev/null
}

if [ -z "${INSIDE_WORLD:-}" ]; then
	groups=()
	if has_version_2; then
		groups=(/sys/fs/cgroup)
	else
		for hierarchy in $(hierarchies); do
			groups+=("/sys/fs/cgroup/${hierarchy#name=}")
		done
	fi
	for group in "${groups[@]}"; do
		mkdir -p "$group/$name"
		if [ -e "$group/cpuset.mems" ] && ! has_version_2; then
			cat "$group/cpuset.cpus" >"$group/$name/cpuset.cpus"
			cat "$group/cpuset.mems" >"$group/$name/cpuset.mems"
		fi
	done
	status=0
	(
		for group in "${groups[@]}"; do
			echo "$BASHPID" >"$group/$name/cgroup.procs"
		done
		INSIDE_WORLD=1 exec unshare --mount --net --ipc --uts --pid --fork --cgroup --kill-child --mount-proc --propagation private \
			"$0" "$name" "$@"
	) || status=$?
	for group in "${groups[@]}"; do
		find "$group/$name" -depth -type d -exec rmdir {} + 2>/dev/null || true
	done
	exit "$status"
fi

hostname machine-test
ip link set lo up
ip address add 10.9.0.4/24 dev lo
ip route add default dev lo src 10.9.0.4
if has_version_2; then
	mount -t cgroup2 cgroup2 /sys/fs/cgroup
	# Only a group without processes can give controllers to those below it.
	mkdir /sys/fs/cgroup/world
	echo "$BASHPID" >/sys/fs/cgroup/world/cgroup.procs
	sed 's/[^ ]*/+&/g' /sys/fs/cgroup/cgroup.controllers >/sys/fs/cgroup/cgroup.subtree_control
else
	mount -t tmpfs -o mode=755 tmpfs /sys/fs/cgroup
	for hierarchy in $(hierarchies); do
		mkdir "/sys/fs/cgroup/${hierarchy#name=}"
		mount -t cgroup -o "${hierarchy/#name=/none,name=}" cgroup "/sys/fs/cgroup/${hierarchy#name=}"
	done
fi
mount -t tmpfs tmpfs /mnt
# What a node's sysctl has set, in files that are no settings.
mkdir /mnt/settings
for part in fs kernel vm; do
	cp -r --no-preserve=all "/proc/sys/$part" "/mnt/settings/$part" 2>/dev/null || true
done
mkdir -p /mnt/settings/kernel/keys
for setting in kernel/panic=10 kernel/panic_on_oops=1 vm/overcommit_memory=1 vm/panic_on_oom=0 kernel/keys/root_maxkeys=1000000 \
	kernel/keys/root_maxbytes=25000000; do
	printf '%s\n' "${setting#*=}" >"/mnt/settings/${setting%=*}"
done
for part in fs kernel vm; do
	mount --bind "/mnt/settings/$part" "/proc/sys/$part"
done
for directory in /etc/kubernetes /opt /run /var/lib/containerd /var/lib/kubelet /var/log; do
	mkdir -p "$directory"
	mount -t tmpfs tmpfs "$directory"
done
mkdir -p /etc/kubernetes/{certs,manifests,volumeplugins} /opt/cni /run/containerd /run/lock /run/systemd/resolve /var/log/pods
cp /etc/resolv.conf /run/systemd/resolve/resolv.conf

cd /etc/kubernetes/certs
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=ca -days 2 -keyout ca.key -out ca.crt 2>/dev/null
for certificate in client kubeletserver; do
	openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /O=system:nodes/CN=system:node:machine-test \
		-keyout "$certificate.key" 2>/dev/null |
		openssl x509 -req -days 2 -CA ca.crt -CAkey ca.key -CAcreateserial -out "$certificate.crt" 2>/dev/null
done
# No server is there: a kubelet that has a certificate only waits for it once it has started.
cat >/mnt/kubeconfig <<-'YAML'
	apiVersion: v1
	kind: Config
	clusters: [{name: c, cluster: {server: "https://127.0.0.1:6443", certificate-authority: /etc/kubernetes/certs/ca.crt}}]
	users: [{name: u, user: {client-certificate: /etc/kubernetes/certs/client.crt, client-key: /etc/kubernetes/certs/client.key}}]
	contexts: [{name: x, context: {cluster: c, user: u}}]
	current-context: x
YAML
mkdir /mnt/credential-provider
printf '#!/bin/sh\n' >/mnt/credential-provider/acr-credential-provider
chmod 0755 /mnt/credential-provider/acr-credential-provider
cat >/mnt/credential-provider-config.yaml <<-'YAML'
	apiVersion: kubelet.config.k8s.io/v1
	kind: CredentialProviderConfig
	providers:
	- name: acr-credential-provider
	  matchImages: ["*.azurecr.io"]
	  defaultCacheDuration: 10m
	  apiVersion: credentialprovider.kubelet.k8s.io/v1
YAML
cd /mnt
containerd --config /dev/null >/mnt/containerd.log 2>&1 &
for _ in $(seq 100); do
	[ ! -S /run/containerd/containerd.sock ] || break
	sleep 0.2
done
"$@"
