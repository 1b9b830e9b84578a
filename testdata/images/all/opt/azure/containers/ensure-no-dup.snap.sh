#!/bin/bash
set -uo pipefail

readonly config=/etc/cni/net.d/10-containerd-net.conflist
readonly chain=AKS-DEDUP-PROMISC

[ -e "$config" ] || { printf '%s does not exist yet\n' "$config" && exit 1; }
bridge=$(jq -er '.plugins[] | select(.type == "bridge") | .bridge' "$config") || { printf '%s configures no bridge\n' "$config" && exit 0; }
subnet=$(jq -er '[.. | .subnet? // empty][0]' "$config") || { printf '%s names no subnet\n' "$config" && exit 1; }
[ -e "/sys/class/net/$bridge" ] || { printf '%s does not exist yet\n' "$bridge" && exit 1; }
(($(cat "/sys/class/net/$bridge/flags") & 0x100)) || { printf '%s is not promiscuous\n' "$bridge" && exit 0; }
mac=$(cat "/sys/class/net/$bridge/address")
address=$(ip -4 -json address show dev "$bridge" | jq -er '.[0].addr_info[0].local') || { printf '%s has no address yet\n' "$bridge" && exit 1; }

ebtables -t filter -N "$chain" -P RETURN 2>/dev/null || ebtables -t filter -F "$chain" || exit 1
ebtables -t filter -A "$chain" -p IPv4 -s "$mac" -o veth+ --ip-src "$address" -j ACCEPT &&
	ebtables -t filter -A "$chain" -p IPv4 -s "$mac" -o veth+ --ip-src "$subnet" -j DROP || exit 1
ebtables -t filter -L OUTPUT | grep -q -- "-j $chain" || ebtables -t filter -A OUTPUT -j "$chain"
