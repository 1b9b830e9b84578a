#!/usr/bin/env bash
# A machine with real systemd as its first process: an overlay over this system's own root, in namespaces of its own.
# Call: unshare --mount machine.sh PROGRAM SCENARIO CONFIGURATION
set -euo pipefail

program=$1
scenario=$2
configuration=$3

disk=$(mktemp -d)
mount -t tmpfs tmpfs "$disk"
mkdir "$disk"/{changes,work,root}
root=$disk/root
mount -t overlay overlay -o "lowerdir=/,upperdir=$disk/changes,workdir=$disk/work" "$root"
machine=

# What is left of the machine goes with this process.
finish() {
	if [ -n "$machine" ]; then
		kill -KILL "$machine" 2>/dev/null || true
		wait "$machine" 2>/dev/null || true
	fi
	umount -l "$root" "$disk"
	rmdir "$disk"
}
trap finish EXIT

fail() {
	printf 'failed: %s\n' "$1"
	inside journalctl --no-pager -b -u 'aks-node-controller*' 2>/dev/null | tail -n 40 || true
	cat "$root/var/log/azure/aks-node-controller.log" 2>/dev/null || true
	exit 1
}

expect() {
	local what=$1
	shift
	"$@" || fail "$what"
}

# Waits until something is so.
eventually() {
	local what=$1
	shift
	for _ in $(seq 200); do
		if "$@"; then
			return
		fi
		sleep 0.1
	done
	fail "$what"
}

inside() {
	nsenter -t "$(pgrep -P "$machine")" --mount --pid --net --uts --root --wd "$@"
}

# While the unit is at work the system counts as starting; its target is reached all the same.
is_up() {
	[ "$(inside systemctl is-active basic.target 2>/dev/null)" = active ]
}

# Becomes the first process of the machine whose root is $1.
first_process() {
	cd "$1"
	mount -t proc proc proc
	mount -t sysfs sysfs sys
	mount -t cgroup2 cgroup2 sys/fs/cgroup
	mount -t tmpfs tmpfs run
	mount -t tmpfs tmpfs tmp
	mount --rbind /dev dev
	exec env -i container=test PATH=/usr/sbin:/usr/bin:/sbin:/bin chroot . /lib/systemd/systemd \
		--system --log-target=journal --show-status=0 systemd.unit=basic.target
}
export -f first_process

boot() {
	unshare --fork --kill-child --pid --mount --uts --ipc --cgroup --net \
		bash -e -c "first_process $root" </dev/null >/dev/null 2>&1 &
	machine=$!
	eventually 'systemd comes up' is_up
}

power_off() {
	inside systemctl poweroff >/dev/null 2>&1 || true
	for _ in $(seq 600); do
		kill -0 "$machine" 2>/dev/null || break
		sleep 0.1
	done
	wait "$machine" 2>/dev/null || true
	machine=
}

# In one piece, as a careful writer does it.
deliver() {
	cp "$configuration" "$root/opt/azure/containers/.incoming"
	mv "$root/opt/azure/containers/.incoming" "$root/opt/azure/containers/aks-node-controller-config.json"
}

start_script() {
	printf 'echo run >>/opt/runs\n%s\n' "$1" >"$root/opt/azure/containers/provision_start.sh"
}

runs() {
	[ "$(grep -c run "$root/opt/runs" 2>/dev/null)" = "$1" ]
}

unit_is() {
	[ "$(inside systemctl is-active aks-node-controller.service)" = "$1" ]
}

has_marker() {
	[ -e "$root/opt/azure/containers/provision.complete" ]
}

said() {
	grep -q "\"ExitCode\":\"$1\"" "$root/var/log/azure/aks/provision.json"
}

not() {
	! "$@"
}

a_document_that_comes_late() {
	boot
	expect 'the unit is skipped, not active' unit_is inactive
	expect 'the path unit watches' inside systemctl is-active --quiet aks-node-controller.path
	deliver
	eventually 'the document starts the unit' runs 1
	eventually 'it ends' unit_is active
	expect 'the result is there' said 0
	inside systemctl start aks-node-controller.service
	expect 'a second start runs nothing' runs 1
}

# A boothook that breaks off, on a full disk say, leaves half a document and starts nothing.
half_a_document() {
	boot
	head -c 900 "$configuration" >"$root/opt/azure/containers/aks-node-controller-config.json"
	eventually 'what is there starts the unit' has_marker
	expect 'the result tells of it' said 240
	expect 'nothing was run' not test -e "$root/opt/runs"
}

a_document_from_the_beginning() {
	deliver
	boot
	eventually 'the boot starts the unit' has_marker
	eventually 'it ends' unit_is active
	inside systemctl restart aks-node-controller.service || true
	expect 'a restart runs nothing' runs 1
	power_off
	boot
	expect 'the next boot runs nothing' runs 1
	expect 'the unit is skipped' unit_is inactive
}

a_start_before_the_document() {
	boot
	inside systemctl stop aks-node-controller.path
	inside systemctl start aks-node-controller.service
	expect 'a premature start is no start' unit_is inactive
	deliver
	inside systemctl start aks-node-controller.service
	expect 'the real start is one' runs 1
	expect 'it has ended' unit_is active
}

a_stop_on_the_way() {
	start_script 'sleep 300'
	deliver
	boot
	eventually 'the script runs' runs 1
	inside systemctl stop aks-node-controller.service
	expect 'a result tells of it' said 143
	expect 'a marker says that it is all' has_marker
	expect 'nothing of it runs any more' not inside pgrep -f provision_start.sh
}

a_shutdown_on_the_way() {
	start_script 'sleep 300'
	deliver
	boot
	eventually 'the script runs' runs 1
	power_off
	expect 'a result tells of it' said 143
	expect 'no marker says that it is all' not has_marker
	start_script ''
	boot
	eventually 'the next boot tries again' has_marker
	expect 'it ran' runs 2
	expect 'and went well' said 0
}

# The boothook starts the launcher itself, as soon as there is one.
a_boothook_beside_the_unit() {
	start_script 'sleep 1'
	boot
	deliver
	inside setsid nohup /bin/bash /opt/azure/containers/aks-node-controller-launcher.sh </dev/null >/dev/null 2>&1 &
	inside systemctl start aks-node-controller.service
	expect 'the unit ends well' unit_is active
	expect 'one of them ran the script' runs 1
}

mkdir -p "$root/opt/azure/containers"
rm -rf "$root/var/log/azure" "$root/opt/runs"
"$program" bake --root "$root" --os ubuntu >/dev/null 2>&1
start_script ''
"$scenario"
