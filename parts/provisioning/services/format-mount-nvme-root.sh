#!/bin/bash
# Puts kubelet's directory on the local NVMe disks of machines with NVIDIA Grace Blackwell, joined into one without redundancy. The
# sentinel is on the OS disk, so the disks are formatted at the first boot only.
set -uo pipefail

readonly device=/dev/md0 disk=/mnt/aks dir=/var/lib/kubelet sentinel=/opt/azure/containers/bind-sentinel

# At later boots the links to the disks may not exist yet, but the disks record the array that they belong to.
assemble() {
	[ -e "$device" ] || mdadm --assemble --scan
}

create() {
	local disks
	mapfile -t disks < <(find /dev/disk/azure/local/by-index -name '[0-9]*' ! -name '*-part*' 2>/dev/null | sort)
	[ "${#disks[@]}" -gt 0 ] || return
	mdadm --create --run --level=0 --force --raid-devices="${#disks[@]}" "$device" "${disks[@]}" && mkfs.ext4 -q -F "$device" &&
		mdadm --detail --scan >>/etc/mdadm/mdadm.conf
}

mkdir -p "$disk" "$dir" || exit 1
if [ -e "$sentinel" ]; then
	assemble || exit 1
else
	[ -e "$device" ] || create || exit 1
fi
mountpoint --quiet "$disk" || mount "$device" "$disk" || exit 1
if [ ! -e "$sentinel" ]; then
	mkdir -p "$disk/kubelet" && cp -a "$dir/." "$disk/kubelet/" && rm -rf "${dir:?}"/* && : >"$sentinel" || exit 1
fi
mountpoint --quiet "$dir" || mount --bind "$disk/kubelet" "$dir" || exit 1
# Earlier versions let every user write there.
chmod go-w "$dir"
