#!/usr/bin/env bash
# A machine with systemd as its first process, in namespaces of its own. It has the programs of this system, below /usr;
# all other directories are new, so that nothing of this system's configuration or state is read or changed.
#
# Sourced by a script that is called as SCRIPT PROGRAM SCENARIO [ARGUMENT...] below `unshare --mount`. The script calls
# `run_scenario` at its end and may define
#   prepare             puts on the machine what every scenario needs
#   more_of_the_failure prints what helps to understand a failure
#   afterwards          looks at the machine when a scenario has ended well
#
# The scenario `prepare` creates the machine and keeps it until the end of standard input. In its mount namespace every
# scenario gets a copy-on-write root over the machine; without it a scenario creates a machine for itself.
# shellcheck disable=SC2154 # the script has `program` and `scenario`

# A tmpfs that no other process sees. The directory itself only has to exist.
disk=${MACHINE_DISK:-/mnt}
# What a scenario changes, apart from the machine as it was prepared.
changes=$disk/own/changes
if [ "$scenario" = prepare ]; then
	root=$disk/prepared
else
	root=$disk/own/root
fi
# The process `unshare` that has started the machine, and the first process of the machine.
machine=
init=

## The prepared machine

# Directories of the root file system that hold programs. Everything else is hidden.
is_of_programs() {
	case $1 in
	usr | bin | sbin | lib | lib[0-9]* | libx*) ;;
	*) return 1 ;;
	esac
}

# Hides a file or directory of a lower file system, as an overlay does it for what was removed.
hide() {
	mkdir -p "$disk/hidden/${1%/*}"
	mknod "$disk/hidden/$1" c 0 0
}

# Units that come with systemd and work on devices and settings of the kernel, which belong to this system, or that take time
# and change nothing for a test.
readonly masked_units=(dev-hugepages.mount dev-mqueue.mount modprobe@.service proc-sys-fs-binfmt_misc.automount
	sys-fs-fuse-connections.mount sys-kernel-config.mount sys-kernel-debug.mount sys-kernel-tracing.mount systemd-binfmt.service
	systemd-hwdb-update.service systemd-modules-load.service systemd-random-seed.service systemd-remount-fs.service
	systemd-sysctl.service systemd-sysusers.service systemd-tmpfiles-setup-dev.service systemd-udev-settle.service
	systemd-udev-trigger.service systemd-udevd.service systemd-udevd-control.socket systemd-udevd-kernel.socket
	systemd-update-utmp.service)

# Configuration that comes with the programs and depends on what is installed.
readonly of_packages=(alternatives dbus-1 debconf.conf debian_version dpkg ethertypes iproute2 ld.so.cache ld.so.conf
	ld.so.conf.d libaudit.conf login.defs mke2fs.conf pam.conf pam.d protocols rpc security services ssl/openssl.cnf xattr.conf)

create_machine() {
	local entry name etc=$root/etc
	mkdir "$disk/hidden" "$disk/own" "$root"
	mkdir -p "$disk/hidden/usr"
	for entry in /* /.[!.]*; do
		[ ! -e "$entry" ] || is_of_programs "${entry#/}" || hide ".$entry"
	done
	hide ./usr/local
	mkdir -p "$root"/{boot,dev,home,media,mnt,opt,proc,root,run,srv,sys,tmp} "$root"/usr/local/{bin,lib,sbin,share/ca-certificates} \
		"$root"/var/{cache/apt/archives/partial,lib/{apt/lists/partial,dpkg/{info,updates},man-db,misc,pam,systemd},log,mail,spool,tmp} \
		"$etc"/{apt/{apt.conf.d,preferences.d,sources.list.d,trusted.gpg.d},ca-certificates/update.d,default,init.d,modprobe.d} \
		"$etc"/{modules-load.d,network/interfaces.d,profile.d,skel,ssh,ssl/certs,ssl/private,sysctl.d,systemd/system,tmpfiles.d,udev/rules.d}
	chmod 1777 "$root/tmp" "$root/var/tmp"
	chmod 0700 "$root/root"
	ln -s /run "$root/var/run"
	ln -s /run/lock "$root/var/lock"
	: >"$root/var/lib/dpkg/status"
	: >"$root/var/lib/man-db/auto-update"
	for name in "${of_packages[@]}"; do
		[ ! -e "/etc/$name" ] || cp -a "/etc/$name" "$etc/$name"
	done
	for name in environment fstab motd subgid subuid sysctl.conf ca-certificates.conf; do
		: >"$etc/$name"
	done
	cp /usr/share/base-passwd/passwd.master "$etc/passwd"
	cp /usr/share/base-passwd/group.master "$etc/group"
	printf '%s:x:%s:\n' systemd-journal 990 systemd-network 991 systemd-resolve 992 messagebus 993 netdev 994 _ssh 995 kvm 996 \
		render 997 sgx 998 input 999 crontab 989 >>"$etc/group"
	printf '%s:x:%s::/nonexistent:/usr/sbin/nologin\n' systemd-network 991:991 systemd-resolve 992:992 messagebus 993:993 \
		sshd 994:65534 >>"$etc/passwd"
	sed -E 's/^([^:]*):.*/\1:*:20000:0:99999:7:::/' "$etc/passwd" >"$etc/shadow"
	sed -E 's/^([^:]*):.*/\1:*::/' "$etc/group" >"$etc/gshadow"
	chmod 0640 "$etc/shadow" "$etc/gshadow"
	# The first program that changes an account would create it.
	(umask 077 && : >"$etc/.pwd.lock")
	printf '/bin/sh\n/bin/bash\n/usr/bin/bash\n' >"$etc/shells"
	printf 'deb http://deb.debian.org/debian stable main\n' >"$etc/apt/sources.list"
	printf 'passwd: files\ngroup: files\nshadow: files\nhosts: files dns\nnetworks: files\nservices: files\nprotocols: files\n' >"$etc/nsswitch.conf"
	printf '127.0.0.1 localhost\n127.0.1.1 machine-test\n' >"$etc/hosts"
	printf 'machine-test\n' >"$etc/hostname"
	# A machine without one would count every boot as its first.
	printf '0123456789abcdef0123456789abcdef\n' >"$etc/machine-id"
	ln -s /usr/share/zoneinfo/Etc/UTC "$etc/localtime"
	ln -s ../proc/self/mounts "$etc/mtab"
	ln -s ../usr/lib/os-release "$etc/os-release"
	if [ -e /usr/share/openssh/sshd_config ]; then
		cp /usr/share/openssh/sshd_config "$etc/ssh/sshd_config"
	fi
	for name in "${masked_units[@]}"; do
		ln -s /dev/null "$etc/systemd/system/$name"
	done
	# Each boot and each `daemon-reload` would run them. They generate units from devices, fstab and scripts of System V.
	mkdir "$etc/systemd/system-generators"
	for name in /usr/lib/systemd/system-generators/*; do
		ln -s /dev/null "$etc/systemd/system-generators/${name##*/}"
	done
	# Kernel settings outside of namespaces would be those of this system.
	for name in fs kernel vm; do
		mkdir -p "$disk/settings"
		cp -r --no-preserve=all "/proc/sys/$name" "$disk/settings/$name" 2>/dev/null || true
	done
}

# Settings of the kernel that are files of sysfs, which has no namespace: what they were before, and put back.
readonly huge_pages=/sys/kernel/mm/transparent_hugepage
save_huge_pages() {
	local name
	for name in enabled defrag; do
		[ ! -e "$huge_pages/$name" ] || sed 's/.*\[\(.*\)\].*/\1/' "$huge_pages/$name" >"$disk/huge_pages_$name"
	done
}

put_back_huge_pages() {
	local name
	for name in enabled defrag; do
		[ ! -e "$disk/huge_pages_$name" ] || cat "$disk/huge_pages_$name" >"$huge_pages/$name"
	done
}

use_machine() {
	mount -t tmpfs tmpfs "$disk/own"
	mkdir "$disk"/own/{cgroups,changes,work,root,settings}
	mount -t overlay overlay -o "lowerdir=$disk/prepared:$disk/hidden:/,upperdir=$changes,workdir=$disk/own/work" "$root"
	cp -r "$disk/settings/." "$disk/own/settings"
	mount -t cgroup2 cgroup2 "$disk/own/cgroups"
}

run_scenario() {
	if [ "$scenario" = prepare ]; then
		mount -t tmpfs tmpfs "$disk"
		create_machine
		prepare
		save_huge_pages
		echo prepared
		read -r _ || true
		put_back_huge_pages
	elif [ -e "$disk/prepared" ]; then
		use_machine
		trap finish EXIT
		"$scenario" "$@"
		afterwards
	else
		bash "$0" "$program" prepare </dev/null >/dev/null
		use_machine
		trap 'finish; put_back_huge_pages' EXIT
		"$scenario" "$@"
		afterwards
	fi
}

prepare() { :; }
afterwards() { :; }

# What is left of the machine goes with this process and its mount namespace.
finish() {
	if [ -n "$machine" ]; then
		crash
	fi
}

# The machine loses its power.
crash() {
	kill -KILL "$machine" 2>/dev/null || true
	is_off
}

is_off() {
	wait "$machine" 2>/dev/null || true
	machine=
	init=
	# The last of its processes may still be ending.
	eventually 'the control groups of the machine are gone' remove_control_groups
}

remove_control_groups() {
	find "$control_group" -depth -type d -exec rmdir {} + 2>/dev/null
}

## What scenarios are made of

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

# Waits for an event. The limit, in seconds, only keeps a scenario that fails from hanging.
patience=120
eventually() {
	local what=$1 end=$((SECONDS + patience))
	shift
	until "$@"; do
		[ "$SECONDS" -lt "$end" ] || fail "$what"
		sleep 0.05
	done
}

not() {
	! "$@"
}

# Runs a command on the machine. Variables such as TMPDIR name directories that the machine does not have, so none are passed on.
inside() {
	nsenter -t "${init:-$(pgrep -P "$machine")}" --mount --pid --net --uts --root --wd \
		env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$@"
}

# While the unit is at work the system counts as starting; its target is reached all the same.
is_up() {
	[ "$(inside systemctl is-active basic.target 2>/dev/null)" = active ]
}

# Becomes the first process of the machine whose root is $1 and whose kernel settings are in $2.
first_process() {
	local name
	cd "$1" || exit
	mount -t proc proc proc
	for name in fs kernel vm; do
		mount --bind "$2/$name" "proc/sys/$name"
	done
	mount -t sysfs sysfs sys
	mount_control_groups
	mount -t tmpfs tmpfs run
	mount -t tmpfs tmpfs tmp
	mount -t tmpfs -o mode=755 tmpfs dev
	for name in full null random tty urandom zero; do
		: >"dev/$name"
		mount --bind "/dev/$name" "dev/$name"
	done
	mkdir dev/pts dev/shm
	mount -t devpts -o newinstance,mode=620,ptmxmode=666 devpts dev/pts
	mount -t tmpfs tmpfs dev/shm
	ln -s pts/ptmx dev/ptmx
	ln -s /proc/self/fd dev/fd
	exec env -i container=test PATH=/usr/sbin:/usr/bin:/sbin:/bin chroot . /lib/systemd/systemd \
		--system --log-target=journal --show-status=0 systemd.unit=basic.target
}
# A test that needs controllers, which are all of version 1 on some systems, defines its own.
mount_control_groups() {
	mount -t cgroup2 cgroup2 sys/fs/cgroup
}
enter_control_groups() { :; }
export -f first_process mount_control_groups

boot() {
	local own
	own=$(sed -n 's/^0:://p' /proc/self/cgroup)
	# Units of machines that run at the same time have the same names. The kernel keeps the group of a run that was killed, and a
	# later process may have the number of that one.
	control_group=$(mktemp --directory "$disk/own/cgroups$own/machine-XXXXXXXXXX")
	chmod 755 "$control_group"
	{
		echo "$BASHPID" >"$control_group/cgroup.procs"
		enter_control_groups
		exec unshare --fork --kill-child --pid --mount --uts --ipc --cgroup --net \
			bash -e -c "first_process $root $disk/own/settings" </dev/null >/dev/null 2>&1
	} &
	machine=$!
	eventually 'systemd comes up' is_up
	init=$(pgrep -P "$machine")
}

power_off() {
	inside systemctl poweroff >/dev/null 2>&1 || true
	eventually 'the machine is off' has_no_power
	is_off
}

# systemd stops all processes for a moment before it ends them. Each nsenter stops with the program that it has started, nobody
# continues it, and the machine cannot end before it.
has_no_power() {
	kill -CONT 0
	! kill -0 "$machine" 2>/dev/null
}
