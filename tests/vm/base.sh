#!/usr/bin/env bash
# Makes what all images of an ARCHITECTURE have in common, once, and prints the directory it is in: `root` with the distribution of this
# system, its kernel, and an initrd. The directory is named after everything that this is made from.
set -euo pipefail
cd "$(dirname "$0")"
# shellcheck source=architecture.sh
. ./architecture.sh

# What an image has and the provisioning scripts call, what makes a VM of it, and what its initrd, its pods and their network consist of.
packages=(systemd systemd-sysv e2fsprogs systemd-resolved udev dbus kmod "linux-image-cloud-$ARCHITECTURE" tiny-initramfs cloud-init
	containerd runc iproute2 iptables ebtables ethtool conntrack nftables dnsutils netcat-openbsd inotify-tools openssh-server jq curl
	openssl procps util-linux python3-yaml ca-certificates chrony logrotate gzip xz-utils
	busybox-static containernetworking-plugins)
# shellcheck source=/dev/null
codename=$(. /etc/os-release && printf '%s' "$VERSION_CODENAME")
made_from=$({ cat base.sh init && printf '%s\n' "$codename" "$ARCHITECTURE"; } | sha256sum | cut -c 1-16)
directory=${XDG_CACHE_HOME:-$HOME/.cache}/aks-node-controller/vm/$made_from
mkdir -p "$directory"
exec 9>"$directory/lock"
flock 9
if [ -e "$directory/complete" ]; then
	printf '%s\n' "$directory"
	exit
fi
printf 'building a root of %s for %s\n' "$codename" "$ARCHITECTURE" >&2
rm -rf "$directory/root" "$directory/initrd.tree"

# Packages come from where this system has them from.
sources=()
for file in /etc/apt/sources.list /etc/apt/sources.list.d/debian.sources; do
	[ ! -s "$file" ] || sources+=("$file")
done
apt-config dump Acquire | grep -E '^Acquire::(https?|Retries|Check-)' >"$directory/apt.conf" || true

# The kernel of a system without systemd does not know what runs programs of another architecture. It does while this works.
if [ -n "$user_emulator" ]; then
	formats=$directory/formats format=${user_emulator%-static}
	mkdir -p "$formats"
	mount -t binfmt_misc binfmt_misc "$formats"
	trap 'umount "$formats"' EXIT
	if [ ! -e "$formats/$format" ]; then
		cat "/usr/lib/binfmt.d/$format.conf" >"$formats/register"
		trap 'echo -1 >"$formats/$format"; umount "$formats"' EXIT
	fi
fi
mmdebstrap --quiet --variant=apt --architectures="$ARCHITECTURE" --skip=check/qemu --include="${packages[*]}" --aptopt="$directory/apt.conf" \
	--dpkgopt='path-exclude=/usr/share/man/*' --dpkgopt='path-exclude=/usr/share/locale/*' --dpkgopt='path-exclude=/usr/share/doc/*' \
	"$codename" "$directory/root" "${sources[@]}" >"$directory/log" 2>&1 || {
	tail -n 20 "$directory/log" >&2
	exit 1
}

# An initrd of the drivers of the disk alone: the one of a distribution looks for disks of all kinds.
root=$directory/root tree=$directory/initrd.tree
kernel=$(basename "$root"/lib/modules/*)
cp "$root/boot/vmlinuz-$kernel" "$directory/kernel"
mkdir -p "$tree"/{bin,dev,drivers,root}
cp "$root/bin/busybox" "$tree/bin/"
cp init "$tree/init"
number=100
/sbin/modprobe --dirname "$root" --set-version "$kernel" --show-depends --all virtio_pci virtio_blk ext4 |
	sed -n 's/^insmod //p' | awk '!seen[$1]++ { print $1 }' | while read -r driver; do
	cp "$driver" "$tree/drivers/$number-$(basename "$driver")"
	number=$((number + 1))
done
(cd "$tree" && find . | busybox cpio -o -H newc 2>/dev/null) >"$directory/initrd"
rm -rf "$tree" "${root:?}"/{boot,var/lib/apt/lists}
: >"$directory/complete"
printf '%s\n' "$directory"
