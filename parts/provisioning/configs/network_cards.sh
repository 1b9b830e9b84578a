# shellcheck shell=bash
# Further network cards.

# Prints the interface with a hardware address: MAC. A virtual function of accelerated networking has the address of its
# synthetic interface, which is its master and the one to configure.
# https://learn.microsoft.com/azure/virtual-network/accelerated-networking-how-it-works
interface_with() {
	local dir
	for dir in /sys/class/net/*; do
		if [ "$(cat "$dir/address" 2>/dev/null)" = "$1" ] && [ ! -e "$dir/master" ]; then
			printf '%s' "${dir##*/}"
			return
		fi
	done
	return 1
}

network_card_exists() {
	interface_with "$1" >/dev/null
}

# Cards are numbered as in the metadata, where the primary one is 0. The udev events of a card may still be running.
configureSecondaryNICs() {
	local number mac interface has_ipv6
	for ((number = 1; number <= STANDARD_SECONDARY_NIC_COUNT; number++)); do
		mac=$(metadata ".network.interface[$number].macAddress | ascii_downcase | [scan(\"..\")] | join(\":\")")
		[[ $mac =~ ^([0-9a-f]{2}:){5}[0-9a-f]{2}$ ]] || fail "$ERR_SECONDARY_NIC_CONFIG_FAIL" "the metadata has no network card $number"
		# The configuration matches by address, so a card that comes later is configured too.
		wait_until 15 network_card_exists "$mac" || warn "there is no network card with the address $mac yet"
		interface=$(interface_with "$mac") || interface=$mac
		has_ipv6=$(metadata ".network.interface[$number].ipv6.ipAddress | length > 0") || has_ipv6=false
		configure_network_card "$number" "$interface" "$mac" "$has_ipv6" ||
			fail "$ERR_SECONDARY_NIC_CONFIG_FAIL" "the network card $interface cannot be configured"
	done
	apply_network_cards || fail "$ERR_SECONDARY_NIC_CONFIG_FAIL" 'the configuration of network cards cannot be applied'
}

# Configures a card for systemd-networkd: NUMBER INTERFACE MAC HAS_IPV6. Routes and DNS servers of the primary card win.
networkd_network_card() {
	local number=$1 mac=$3 has_ipv6=$4 dhcp=ipv4
	[ "$has_ipv6" != true ] || dhcp=yes
	must_put_text "/etc/systemd/network/10-secondary-nic-$number.network" 0644 "[Match]
MACAddress=$mac

[Network]
DHCP=$dhcp
LinkLocalAddressing=ipv6

[DHCPv4]
RouteMetric=$((2000 + 100 * number))
UseDNS=no
UseDomains=no
SendRelease=no

[DHCPv6]
UseDNS=no
UseDomains=no"
}
