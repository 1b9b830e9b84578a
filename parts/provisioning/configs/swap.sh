# shellcheck shell=bash
# The swap file.

kilobytes_free() {
	df --output=avail --block-size=1024 "$1" 2>/dev/null | tail -n 1 | tr -d ' '
}

# Prints where a swap file of so many kilobytes goes: to the resource disk if it is large enough, else to the OS disk. There is
# none in use. An unfinished file of an earlier run would use the space, so it is removed.
# https://learn.microsoft.com/troubleshoot/azure/virtual-machines/linux/troubleshoot-device-names-problems
swap_file_path() {
	local wanted=$1 disk place
	disk=$(readlink -f /dev/disk/azure/resource-part1 2>/dev/null)
	if [ -b "$disk" ]; then
		place=$(bounded 10 findmnt --noheadings --first-only --output TARGET --source "$disk")
		[ -z "$place" ] || rm -f "${place%/}/swapfile"
		if [ -n "$place" ] && [ "$(kilobytes_free "$place")" -gt "$wanted" ]; then
			printf '%s/swapfile' "${place%/}"
			return
		fi
	fi
	rm -f /swapfile
	[ "$(kilobytes_free /)" -gt "$wanted" ] && printf /swapfile
}

has_active_swap() {
	bounded 10 swapon --show=NAME --noheadings | grep -qxF "$1"
}

# Creates and activates a swap file: PATH KILOBYTES.
make_swap() {
	(umask 077 && retry 24 5 25 fallocate --length "$2K" "$1") && chmod 0600 "$1" &&
		retry 24 5 25 mkswap "$1" && retry 24 5 25 swapon "$1" && has_active_swap "$1"
}

# Prints the swap file that is in use. It occupies its space, so another run may not find enough for a new one.
active_swap_file() {
	bounded 10 swapon --show=NAME --noheadings | grep -m 1 '/swapfile$'
}

configureSwapFile() {
	local wanted=$((SWAP_FILE_SIZE_MB * 1000)) file
	if ! file=$(active_swap_file); then
		file=$(swap_file_path "$wanted") ||
			fail "$ERR_SWAP_CREATE_INSUFFICIENT_DISK_SPACE" "no disk has ${SWAP_FILE_SIZE_MB} MB for the swap file"
		if ! make_swap "$file" "$wanted"; then
			timeout 60 swapoff "$file" 2>/dev/null
			rm -f "$file"
			fail "$ERR_SWAP_CREATE_FAIL" "the swap file $file cannot be created or activated"
		fi
	fi
	part reconcileSwapFilePersistence make_swap_persistent "$file"
}

# Prints /etc/fstab with this swap file instead of any earlier one: PATH.
fstab_with() {
	awk '!($3 == "swap" && $1 ~ /\/swapfile$/)' /etc/fstab 2>/dev/null
	printf '%s none swap sw,noauto,nofail 0 0\n' "$1"
}

# Makes the swap file come back at the next boot: PATH. A unit activates it, because the resource disk may be empty and mounted
# late then, and an entry of fstab that fails would keep the boot from completing.
make_swap_persistent() {
	local file=$1 mode=0644
	[ ! -e /etc/fstab ] || mode=$(stat --format=%a /etc/fstab)
	put /etc/fstab "$mode" fstab_with "$file" || fail "$ERR_SWAP_CREATE_FAIL" '/etc/fstab cannot be written'
	must_put_text "$CONTAINERS/aks-swapfile.sh" 0755 "#!/bin/bash
swapon --show=NAME --noheadings | grep -qxF '$file' || swapon '$file'"
	must_put_unit aks-swapfile.service 0644 <<UNIT
#include provisioning/units/aks-swapfile.service.in
UNIT
	enable_and_start aks-swapfile.service 30 || fail "$ERR_SWAP_CREATE_FAIL" 'aks-swapfile.service does not start'
}
