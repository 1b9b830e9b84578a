#!/bin/bash
# Lets the node answer IPv6 probes of the load balancer. They come from a link-local address, for which the node has no route, so
# the rules translate it to one that is routed.
set -uo pipefail

# Without an answer, it is unknown whether the machine needs the rules.
addresses=$(curl --silent --show-error --fail --noproxy '*' --retry 10 --retry-connrefused --retry-delay 2 --max-time 10 --header 'Metadata: true' \
	'http://169.254.169.254/metadata/instance/network?api-version=2021-02-01' |
	jq -e '[.interface[].ipv6.ipAddress[]?.privateIpAddress | strings | select(. != "")] | length') || exit
if [ "$addresses" = 0 ]; then
	printf 'this machine has no IPv6 address\n'
	exit 0
fi
exec nft --file /etc/systemd/system/ipv6_nftables
