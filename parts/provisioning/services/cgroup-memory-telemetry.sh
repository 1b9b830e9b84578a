#!/bin/bash
# Leaves an event with the memory of the system's control groups. Its message is JSON with numbers as text, and names only groups
# that are there.
set -uo pipefail
export LC_ALL=C

#include provisioning/source/paths.sh
#include provisioning/source/events.sh
#include provisioning/source/time.sh
#include provisioning/shared/control_groups.sh

# With version 1 the controllers are directories of a tmpfs.
if [ "$(stat --file-system --format %T /sys/fs/cgroup)" = cgroup2fs ]; then
	version=cgroupv2 root=/sys/fs/cgroup parts='file|anon' limit=memory.max
else
	version=cgroupv1 root=/sys/fs/cgroup/memory parts='cache|rss' limit=memory.limit_in_bytes
fi

# Prints the bytes that a group uses for files and for processes: PATH.
used() {
	awk -v parts="^($parts)\$" '$1 ~ parts { sum += $2 } END { printf "%d", sum }' "$root$1/memory.stat" 2>/dev/null
}

begun=$(now)
containerd=$(group_of containerd.service)
kubelet=$(group_of kubelet.service)
message=$(jq -cn --arg version "$version" \
	--arg system_slice_memory "$(used /system.slice)" \
	--arg azure_slice_memory "$(used /azure.slice)" \
	--arg kubepods_slice_memory "$(used /kubepods.slice)" \
	--arg user_slice_memory "$(used /user.slice)" \
	--arg containerd_service_memory "${containerd:+$(used "$containerd")}" \
	--arg kubelet_service_memory "${kubelet:+$(used "$kubelet")}" \
	--arg cgroup_memory "$(used '')" \
	--arg cgroup_capacity_memory "$(awk '$1 == "MemTotal:" { print $2 }' /proc/meminfo)" \
	--arg kubepods_max_memory "$(cat "$root/kubepods.slice/$limit" 2>/dev/null)" '
	{CgroupVersion: $version, Memory: ($ARGS.named | del(.version) | with_entries(select(.value != "")))}') || exit 1
event "AKS.Runtime.memory_telemetry_$version" Informational "$begun" "$(now)" "$message"
