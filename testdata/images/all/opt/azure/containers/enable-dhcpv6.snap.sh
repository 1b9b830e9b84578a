#!/bin/bash
set -uo pipefail

readonly client=/etc/dhcp/dhclient6.conf
readonly interfaces=/etc/network/interfaces.d/50-cloud-init.cfg

[ -f "$interfaces" ] || exit 0
[ -d /etc/dhcp ] || exit 0
grep -qxF 'timeout 10;' "$client" 2>/dev/null || printf 'timeout 10;\n' >>"$client"
if ! grep -qxF 'iface eth0 inet6 auto' "$interfaces"; then
	printf 'iface eth0 inet6 auto\n    up sleep 5\n    up dhclient -1 -6 -cf %s -lf /var/lib/dhcp/dhclient6.eth0.leases -v eth0 || true\n' "$client" >>"$interfaces"
	ifdown eth0
	ifup eth0
fi
