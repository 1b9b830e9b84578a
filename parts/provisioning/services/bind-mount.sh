#!/bin/bash
# Mounts kubelet's directory from the temporary disk. The disk is empty after the machine has moved to another host; the sentinel
# is on the OS disk, so the directory is copied at the first boot only.
set -uo pipefail

readonly disk=/mnt/aks/kubelet dir=/var/lib/kubelet sentinel=/opt/azure/containers/bind-sentinel

if [ ! -e "$sentinel" ]; then
	rm -rf "$disk"
	mkdir -p "$disk" "$dir" && cp -a "$dir/." "$disk/" && rm -rf "${dir:?}"/* && : >"$sentinel" || exit 1
fi
mkdir -p "$disk" "$dir" || exit 1
mountpoint --quiet "$dir" || mount --bind "$disk" "$dir" || exit 1
# Earlier versions let every user write there.
chmod go-w "$dir"
