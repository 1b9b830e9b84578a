# shellcheck shell=bash
# Search domains on Azure Linux, with OS Guard too.

# Prints a configuration of systemd-networkd with UseDomains=yes in a section: SECTION FILE.
networkd_setting() {
	awk -v section="[$1]" '
		$0 == section { print; print "UseDomains=yes"; inside = 1; done = 1; next }
		/^\[/ { inside = 0 }
		inside && /^#?UseDomains=/ { next }
		{ print }
		END { if (!done) { print ""; print section; print "UseDomains=yes" } }' "$2"
}

# Makes systemd-networkd use the search domains of DHCP, as it does by default on Ubuntu. rsyslog reads the host name again.
configureSystemdUseDomains() {
	local config=/etc/systemd/networkd.conf
	[ -e "$config" ] || put "$config" 0644 true || return
	put "$config" 0644 networkd_setting DHCPv4 "$config" || return
	if on IPV6_DUAL_STACK_ENABLED; then
		put "$config" 0644 networkd_setting DHCPv6 "$config" || return
	fi
	bounded 30 systemctl restart systemd-networkd.service && { ! unit_exists rsyslog.service || bounded 30 systemctl restart rsyslog.service; }
}
