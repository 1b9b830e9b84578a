#!/bin/bash
set -uo pipefail

readonly requests=128 depth=64

system_disks() {
	local source
	source=$(findmnt --noheadings --nofsroot --output SOURCE /) || return
	lsblk --noheadings --raw --inverse --output NAME,TYPE "$source" 2>/dev/null | awk '$2 == "disk" { print $1 }' | sort -u
}

set_to() {
	[ -w "$1" ] || return 0
	printf '%s\n' "$2" >"$1" || printf '%s rejects %s\n' "$1" "$2" >&2
}

for disk in $(system_disks); do
	set_to "/sys/block/$disk/queue/nr_requests" "$requests"
	set_to "/sys/block/$disk/device/queue_depth" "$depth"
done
exit 0
