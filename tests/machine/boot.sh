#!/usr/bin/env bash
# A machine with real systemd as its first process: an overlay over this system's own root, in namespaces of its own.
# Sourced, below `unshare --mount`. Who sources it may have a function `more_of_the_failure`.

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
	! declare -F more_of_the_failure >/dev/null || more_of_the_failure || true
	exit 1
}

expect() {
	local what=$1
	shift
	"$@" || fail "$what"
}

# Waits for an event. The limit only keeps a scenario that fails from hanging.
eventually() {
	local what=$1 end=$((SECONDS + 120))
	shift
	until "$@"; do
		[ "$SECONDS" -lt "$end" ] || fail "$what"
		sleep 0.05
	done
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
	cd "$1" || exit
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
	eventually 'the machine is off' not kill -0 "$machine" 2>/dev/null
	wait "$machine" 2>/dev/null || true
	machine=
}

not() {
	! "$@"
}
