#!/bin/bash
# Keeps kubelet's folder on the temporary disk, which is empty after each move of the machine.
set -uo pipefail

readonly disk=/mnt/aks/kubelet folder=/var/lib/kubelet sentinel=/opt/azure/containers/bind-sentinel

if [ ! -e "$sentinel" ]; then
	rm -rf "$disk"
	mkdir -p "$disk" "$folder" && cp -a "$folder/." "$disk/" && rm -rf "${folder:?}"/* && : >"$sentinel" || exit 1
fi
mkdir -p "$disk" "$folder" || exit 1
mountpoint --quiet "$folder" || mount --bind "$disk" "$folder" || exit 1
chmod a+w "$folder"
