#!/bin/bash
# Upgrades packages on Ubuntu to the state of the repositories that the cluster requests. The system's repositories stay
# unchanged.
set -uo pipefail
umask 022
export LC_ALL=C

#include provisioning/source/log.sh
#include provisioning/source/time.sh
#include provisioning/source/put.sh
#include provisioning/source/values.sh
#include provisioning/shared/live_patching.sh

# The results of find_out_what_is_wanted.
wanted='' server=''

readonly dir=/var/lib/security-patch

sources() {
	local address=https://snapshot.ubuntu.com/ubuntu/$wanted pocket name
	name=$(. /etc/os-release && printf '%s' "$VERSION_CODENAME") || return
	[ -z "$server" ] || address=http://$server/ubuntu
	for pocket in '' -updates -backports -security; do
		printf 'deb %s %s%s main restricted universe multiverse\n' "$address" "$name" "$pocket"
	done
}

find_out_what_is_wanted
put "$dir/sources.list" 0644 sources || fail 1 "$dir/sources.list cannot be written"
put "$dir/apt.conf" 0644 printf 'Dir::Etc::sourcelist "%s";\nDir::Etc::sourceparts "-";\n' "$dir/sources.list" ||
	fail 1 "$dir/apt.conf cannot be written"
export APT_CONFIG=$dir/apt.conf
# The mode makes a warning about a source a failure, as far as apt knows it.
retry 10 5 300 apt-get -o DPkg::Lock::Timeout=300 -o APT::Update::Error-Mode=any update || fail 1 'the package index cannot be refreshed'
retry 10 5 3600 unattended-upgrade --verbose || fail 1 'unattended-upgrade fails'
record_what_was_done
