#!/usr/bin/env bash
# Makes an image of nodes and the Azure that goes with it: unshare --mount image.sh DIRECTORY PROGRAM, with the versions of
# Kubernetes as for tests/cluster/machine.sh. In the directory afterwards: `disk`, which every VM starts from; `kernel` and
# `initrd`; `opt`, what the cluster and the servers of Azure need, with the CA that the image trusts.
set -euo pipefail
directory=$1 program=$2
vm_tests=$(cd "$(dirname "$0")" && pwd)
export MACHINE_DISK=$directory/made
set -- "$program" prepare
# shellcheck source=../cluster/machine.sh
. "$vm_tests/../cluster/machine.sh"
# shellcheck source=architecture.sh
. "$vm_tests/architecture.sh"

base=$("$vm_tests/base.sh")
cp "$base/kernel" "$base/initrd" "$directory/"
mkdir -p "$disk"
# An overlay cannot be written to another one.
mount -t tmpfs tmpfs "$disk"
mkdir -p "$disk"/{changes,work,prepared,settings/vm,settings/kernel}
mount -t overlay overlay -o "lowerdir=$base/root,upperdir=$disk/changes,workdir=$disk/work" "$root"

## What the image of a cloud has

etc=$root/etc
printf 'machine\n' >"$etc/hostname"
printf '127.0.0.1 localhost\n' >"$etc/hosts"
: >"$etc/fstab"
: >"$etc/machine-id"
mkdir -p "$root/var/log/journal" "$root/opt/bin" "$etc/cloud/cloud.cfg.d" "$etc/sysctl.d" "$root/usr/local/share/ca-certificates"
rm -f "$etc/resolv.conf" "$etc/ssh/ssh_host_"*
# The user data is found on a second disk. Keys of one kind are enough for a test.
cat >"$etc/cloud/cloud.cfg.d/90-test.cfg" <<'YAML'
datasource_list: [NoCloud]
ssh_genkeytypes: [ed25519]
locale: C.UTF-8
YAML
# An emulated processor takes minutes to link the CAs of the distribution, which no server here uses.
sed -i '16,$ { /^mozilla/ d }' "$etc/ca-certificates.conf"
# The settings of an image: vhdbuilder/scripts/linux/sysctl-d-60-CIS.conf of AgentBaker.
printf 'vm.overcommit_memory = 1\nkernel.panic = 10\nkernel.panic_on_oops = 1\n' >"$etc/sysctl.d/60-CIS.conf"
# The harness runs commands by it.
install -D -t "$root/usr/local/lib/harness" "$vm_tests"/guest/{serve,memory,stalls,prefetch,files-read}
cp "$vm_tests"/guest/harness* "$etc/systemd/system/"
systemctl --quiet --root "$root" enable systemd-networkd.service systemd-resolved.service harness.socket harness-{memory,stalls,prefetch}.service
for name in apt-daily.timer apt-daily-upgrade.timer dpkg-db-backup.timer e2scrub_all.timer e2scrub_reap.service fstrim.timer man-db.timer \
	getty@tty1.service serial-getty@$console.service systemd-pstore.service; do
	ln -sf /dev/null "$etc/systemd/system/$name"
done

# All tools come from the image.
put_kubelet() {
	cp "$KUBELET" "$1"
}
short_pauses() { :; }
stand_in() { :; }
export GUEST=$root
cp "$etc/cloud/cloud.cfg" "$disk/cloud.cfg"
rm "$root/usr/bin/runc"
prepare
rm -r "$root/usr/lib/cni"
cp "$disk/cloud.cfg" "$etc/cloud/cloud.cfg"
ln -sf ../sbin/runc "$root/usr/bin/runc"
rm -rf "$etc/ssh/ssh_host_"* "$root/var/lib/cloud"
ln -sf ../run/systemd/resolve/stub-resolv.conf "$etc/resolv.conf"
# An image has the programs of some versions already.
mv "$test/tree/kubernetes/node/bin/kubelet" "$root/opt/bin/kubelet-$version"
mv "$test/tree/kubernetes/node/bin/kubectl" "$root/opt/bin/kubectl-$version"
rm -r "$test/tree"

# The servers are not on the VM, but images for containers are.
mkdir -p "$directory/opt"
rm "$cluster/kubelet"
mkdir "$disk/images"
mv "$cluster"/*.tar "$disk/images/"
mv "$test" "$cluster" "$directory/opt/"
mkdir "$cluster" "$test"
mv "$disk/images/"* "$cluster/"
# What reads the files that were written, and the time before which they were there.
cp -r "$directory/opt/test/readers.py" "$directory/opt/test/tables" "$test/"
touch "$test/started"

mke2fs -q -t ext4 -m 0 -E lazy_itable_init=1,lazy_journal_init=1,root_owner=0:0 -d "$root" "$directory/disk" 4G
umount "$root"
umount "$disk"
rmdir "$disk"
