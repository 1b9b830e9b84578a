#!/bin/bash
# Lets the node answer IPv6 probes of the load balancer. They come from a link-local address, for which the node has no route, so
# the rules translate it to one that is routed.
set -uo pipefail

addresses=$(curl --silent --fail --noproxy '*' --retry 10 --retry-delay 2 --max-time 10 --header 'Metadata: true' \
	'http://169.254.169.254/metadata/instance/network?api-version=2021-02-01' | jq '[.interface[].ipv6.ipAddress[]?] | length')
if [ "${addresses:-0}" = 0 ]; then
	printf 'this machine has no IPv6 address\n'
	exit 0
fi
exec nft --file /etc/systemd/system/ipv6_nftables
