#!/bin/bash
# Leaves events with the pressure on the system's control groups (https://docs.kernel.org/accounting/psi.html). Their messages are
# JSON with numbers as text. There are two, because the pipeline cuts messages at 3 KiB.
set -uo pipefail
export LC_ALL=C

#include provisioning/source/paths.sh
#include provisioning/source/events.sh
#include provisioning/source/time.sh
#include provisioning/shared/control_groups.sh

readonly root=/sys/fs/cgroup

# Only version 2 knows the pressure on a group.
[ "$(stat --file-system --format %T "$root")" = cgroup2fs ] || exit 0

# Prints the pressure on a group as an object with a name: NAME PATH. Prints nothing if the group is not there.
pressure_on() {
	local resource
	for resource in cpu memory io; do
		sed "s/^/$resource /" "$root$2/$resource.pressure" 2>/dev/null
	done | jq -cnR --arg name "$1" '
		[inputs | split(" ") | .[0] as $resource | .[1] as $kind | .[2:][] | split("=")
			| [({cpu: "CPUPressure", memory: "MemoryPressure", io: "IOPressure"}[$resource]), "\($kind)_\(.[0])", .[1]]]
		| reduce .[] as [$resource, $name, $value] ({}; .[$resource][$name] = $value)
		| select(. != {}) | {($name): .}'
}

# Leaves an event about groups: NAME PATH...
report() {
	local begun objects=
	begun=$(now)
	while [ "$#" -gt 0 ]; do
		objects+=$(pressure_on "$1" "$2")
		shift 2
	done
	event AKS.Runtime.pressure_telemetry_cgroupv2 Informational "$begun" "$(now)" \
		"$(jq -cn '{CgroupVersion: "cgroupv2", Pressure: ([inputs] | add)}' <<<"$objects")"
}

containerd=$(group_of containerd.service)
kubelet=$(group_of kubelet.service)
report cgroup_pressure '' system_slice_pressure /system.slice azure_slice_pressure /azure.slice
report kubepods_slice_pressure /kubepods.slice kubelet_service_pressure "${kubelet:-/none}" \
	containerd_service_pressure "${containerd:-/none}"
