#!/bin/bash


declare -F bounded >/dev/null || . "${BASH_SOURCE[0]%/*}/provision_source.sh"

configure_network_card() {
	networkd_network_card "$@"
}

networkd_setting() {
	awk -v section="[$1]" '
		$0 == section { print; print "UseDomains=yes"; inside = 1; done = 1; next }
		/^\[/ { inside = 0 }
		inside && /^#?UseDomains=/ { next }
		{ print }
		END { if (!done) { print ""; print section; print "UseDomains=yes" } }' "$2"
}

configureSystemdUseDomains() {
	local config=/etc/systemd/networkd.conf
	[ -e "$config" ] || put "$config" 0644 true || return
	put "$config" 0644 networkd_setting DHCPv4 "$config" || return
	if on IPV6_DUAL_STACK_ENABLED; then
		put "$config" 0644 networkd_setting DHCPv6 "$config" || return
	fi
	bounded 30 systemctl restart systemd-networkd.service && { ! unit_exists rsyslog.service || bounded 30 systemctl restart rsyslog.service; }
}

update_packages() {
	retry 10 5 180 dnf makecache --assumeyes
}

dnf_update() {
	retry 10 5 1800 dnf update --assumeyes --refresh --exclude mshv-linuxloader --exclude kernel-mshv
}

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

holdWALinuxAgent() { :; }
releaseWALinuxAgent() { :; }

configureUnattendedUpgrades() {
	! on IS_KATA || return 0
	disable_and_stop dnf-automatic-notifyonly.timer
	bounded 25 systemctl unmask --quiet dnf-automatic-install.service dnf-automatic-install.timer
	enable_and_start dnf-automatic-install.timer 30 || fail "$ERR_SYSTEMCTL_START_FAIL" 'dnf-automatic-install.timer does not start'
}

apply_network_cards() {
	local number mac
	retry 5 3 10 networkctl reload || return
	for ((number = 1; number <= STANDARD_SECONDARY_NIC_COUNT; number++)); do
		mac=$(sed -n 's/^MACAddress=//p' "/etc/systemd/network/10-secondary-nic-$number.network")
		retry 5 3 10 networkctl up "$(interface_with "$mac")" || return
	done
}

prepare_message_of_the_day() {
	[ ! -e /etc/dnf/automatic.conf ] || put /etc/dnf/automatic.conf 0644 sed 's/^emit_via *=.*/emit_via = stdio/' /etc/dnf/automatic.conf
}
#EOF
