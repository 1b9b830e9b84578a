#!/bin/bash
# Lets the system disk sort more requests, and pass fewer at once to the host, so that reads are not stuck behind writes
# when many images are unpacked.
set -uo pipefail

readonly requests=128 depth=64

# Prints the disks below the root file system. There are several with RAID, and none that counts with an overlay.
system_disks() {
	local source
	source=$(findmnt --noheadings --nofsroot --output SOURCE /) || return
	lsblk --noheadings --raw --inverse --output NAME,TYPE "$source" 2>/dev/null | awk '$2 == "disk" { print $1 }' | sort -u
}

# Writes a setting if the disk has it: FILE VALUE.
set_to() {
	[ -w "$1" ] || return 0
	printf '%s\n' "$2" >"$1" || printf '%s rejects %s\n' "$1" "$2" >&2
}

for disk in $(system_disks); do
	set_to "/sys/block/$disk/queue/nr_requests" "$requests"
	# SCSI has it; the depth of NVMe is fixed when its queues are made.
	set_to "/sys/block/$disk/device/queue_depth" "$depth"
done
exit 0
