# shellcheck shell=bash
# The slice of reserved memory.

# A cgroup that kubelet is told to reserve, from its configuration file or its flags.
reserved_cgroup() {
	if on KUBELET_CONFIG_FILE_ENABLED && given KUBELET_CONFIG_FILE_CONTENT; then
		decoded KUBELET_CONFIG_FILE_CONTENT | jq -r --arg key "$1" '.[$key] // empty' 2>/dev/null
	else
		kubelet_flag "$2"
	fi
}

ensure_reserved_cgroups() {
	local kube system
	kube=$(reserved_cgroup kubeReservedCgroup --kube-reserved-cgroup)
	system=$(reserved_cgroup systemReservedCgroup --system-reserved-cgroup)
	[ -n "$kube$system" ] || return 0
	[ "${kube#/}" = kubereserved.slice ] || [ -z "$kube" ] || fail "$ERR_KUBELET_START_FAIL" "the cgroup $kube cannot be reserved: only kubereserved.slice"
	[ "${system#/}" = system.slice ] || [ -z "$system" ] || fail "$ERR_KUBELET_START_FAIL" "the cgroup $system cannot be reserved: only system.slice"
	[ -e /sys/fs/cgroup/cgroup.controllers ] || fail "$ERR_KUBELET_START_FAIL" 'reserved cgroups need cgroups of version 2'
	[ -n "$kube" ] || return 0
	local folder
	must_put_text "$UNITS/kubereserved.slice" 0644 '[Unit]
Description=What Kubernetes needs for itself
Before=slices.target

[Install]
WantedBy=slices.target'
	for folder in "$KUBELET_DROPINS" "$CONTAINERD_DROPINS"; do
		must_put_text "$folder/10-kubereserved-slice.conf" 0644 '[Unit]
Wants=kubereserved.slice
After=kubereserved.slice

[Service]
Slice=kubereserved.slice'
	done
	enable_and_start kubereserved.slice 30 || fail "$ERR_KUBELET_START_FAIL" 'kubereserved.slice does not start'
}

has_reserved_slice() {
	[ -e "$KUBELET_DROPINS/10-kubereserved-slice.conf" ]
}
