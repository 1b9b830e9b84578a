#!/bin/bash
# Mounts kubelet's directory from the temporary disk. The disk is empty after the machine has moved to another host; the sentinel
# is on the OS disk, so the directory is copied at the first boot only.
set -uo pipefail

readonly disk=/mnt/aks/kubelet folder=/var/lib/kubelet sentinel=/opt/azure/containers/bind-sentinel

if [ ! -e "$sentinel" ]; then
	rm -rf "$disk"
	mkdir -p "$disk" "$folder" && cp -a "$folder/." "$disk/" && rm -rf "${folder:?}"/* && : >"$sentinel" || exit 1
fi
mkdir -p "$disk" "$folder" || exit 1
mountpoint --quiet "$folder" || mount --bind "$disk" "$folder" || exit 1
chmod a+w "$folder"
