#!/bin/bash
set -uo pipefail

readonly disk=/mnt/aks/kubelet dir=/var/lib/kubelet sentinel=/opt/azure/containers/bind-sentinel

if [ ! -e "$sentinel" ]; then
	rm -rf "$disk"
	mkdir -p "$disk" "$dir" && cp -a "$dir/." "$disk/" && rm -rf "${dir:?}"/* && : >"$sentinel" || exit 1
fi
mkdir -p "$disk" "$dir" || exit 1
mountpoint --quiet "$dir" || mount --bind "$disk" "$dir" || exit 1
chmod go-w "$dir"
