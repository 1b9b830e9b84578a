#!/bin/bash
# What is different on CBL-Mariner and Azure Linux. Sourced by provision.sh.

#include provisioning/shared/helpers.sh
#include provisioning/shared/networkd.sh
#include provisioning/shared/search_domains.sh

update_packages() {
	retry 10 5 180 dnf makecache --assumeyes
}

# Upgrades the packages of a running node. The script of an older image that patches it calls this function. The kernel of
# nested virtualization changes with the image only.
dnf_update() {
	retry 10 5 1800 dnf update --assumeyes --refresh --exclude mshv-linuxloader --exclude kernel-mshv
}

# Installs packages: TRIES PAUSE BUDGET NAME..., with the pause and the budget of all tries in seconds.
install_packages() {
	local tries=$1 pause=$2 until=$((EPOCHSECONDS + $3)) try left
	shift 3
	for ((try = 1; ; try++)); do
		left=$((until - EPOCHSECONDS))
		[ "$left" -gt 0 ] || return 2
		! bounded "$left" dnf install --assumeyes "$@" </dev/null || return 0
		[ "$try" -lt "$tries" ] && has_time || return 1
		sleep "$pause"
		update_packages
	done
}

# The package of the agent is not upgraded during a run here.
holdWALinuxAgent() { :; }
releaseWALinuxAgent() { :; }

configureUnattendedUpgrades() {
	! on IS_KATA || return 0
	disable_and_stop dnf-automatic-notifyonly.timer
	bounded 25 systemctl unmask --quiet dnf-automatic-install.service dnf-automatic-install.timer
	enable_and_start dnf-automatic-install.timer 30 || fail "$ERR_SYSTEMCTL_START_FAIL" 'dnf-automatic-install.timer does not start'
}

# A card that was not configured before has to be set up once.
apply_network_cards() {
	local number mac
	retry 5 3 10 networkctl reload || return
	for ((number = 1; number <= STANDARD_SECONDARY_NIC_COUNT; number++)); do
		mac=$(sed -n 's/^MACAddress=//p' "/etc/systemd/network/10-secondary-nic-$number.network")
		retry 5 3 10 networkctl up "$(interface_with "$mac")" || return
	done
}

# Keeps dnf-automatic from replacing the message.
prepare_message_of_the_day() {
	[ ! -e /etc/dnf/automatic.conf ] || put /etc/dnf/automatic.conf 0644 sed 's/^emit_via *=.*/emit_via = stdio/' /etc/dnf/automatic.conf
}
#EOF
