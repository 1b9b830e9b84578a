#!/bin/bash


holdWALinuxAgent() { :; }
releaseWALinuxAgent() { :; }
configureUnattendedUpgrades() { :; }
prepare_message_of_the_day() { :; }

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

apply_network_cards() {
	retry 5 3 10 networkctl reload
}
#EOF
