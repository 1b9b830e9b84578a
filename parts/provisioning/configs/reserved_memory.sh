# shellcheck shell=bash
# The slice in which containerd and kubelet run if kubelet enforces reserved resources.
# https://kubernetes.io/docs/tasks/administer-cluster/reserve-compute-resources/

# Prints a reserved cgroup: KEY of kubelet's configuration file, or FLAG if there is no file.
reserved_cgroup() {
	if on KUBELET_CONFIG_FILE_ENABLED && given KUBELET_CONFIG_FILE_CONTENT; then
		decoded KUBELET_CONFIG_FILE_CONTENT | jq -r --arg key "$1" '.[$key] // empty' 2>/dev/null
	else
		kubelet_flag "$2"
	fi
}

# Creates the slice that kubelet expects: a kubelet whose reserved cgroup does not exist does not start.
ensure_reserved_cgroups() {
	local kube system
	kube=$(reserved_cgroup kubeReservedCgroup --kube-reserved-cgroup)
	system=$(reserved_cgroup systemReservedCgroup --system-reserved-cgroup)
	[ -z "$kube$system" ] || part ensureKubelet.ensureKubeletCgroupHierarchy make_reserved_cgroups "$kube" "$system"
}

# Checks the reserved cgroups and creates the slice: KUBE SYSTEM.
make_reserved_cgroups() {
	local kube=$1 system=$2 dir
	[ "${kube#/}" = kubereserved.slice ] || [ -z "$kube" ] ||
		fail "$ERR_KUBELET_START_FAIL" "the cgroup \"$kube\" cannot be reserved for Kubernetes; it must be kubereserved.slice"
	[ "${system#/}" = system.slice ] || [ -z "$system" ] ||
		fail "$ERR_KUBELET_START_FAIL" "the cgroup \"$system\" cannot be reserved for the system; it must be system.slice"
	[ -e /sys/fs/cgroup/cgroup.controllers ] || fail "$ERR_KUBELET_START_FAIL" 'reserved cgroups need cgroups of version 2'
	[ -n "$kube" ] || return 0
	must_put_unit kubereserved.slice 0644 <<'UNIT'
#include provisioning/units/kubereserved.slice
UNIT
	for dir in kubelet.service.d containerd.service.d; do
		must_put_unit "$dir/10-kubereserved-slice.conf" 0644 <<'UNIT'
#include provisioning/units/10-kubereserved-slice.conf
UNIT
	done
	enable_and_start kubereserved.slice 30 || fail "$ERR_KUBELET_START_FAIL" 'kubereserved.slice does not start'
}

has_reserved_slice() {
	[ -e "$KUBELET_DROPINS/10-kubereserved-slice.conf" ]
}
