#!/bin/bash
# Refreshes /etc/localdns/hosts, the addresses of names that the node needs even if DNS fails. Names that cannot be resolved keep
# their previous addresses. Always succeeds.
set -uo pipefail
umask 022

readonly environment=/etc/localdns/environment hosts=/etc/localdns/hosts

names=$(sed -n 's/^LOCALDNS_CRITICAL_FQDNS=//p' "$environment" 2>/dev/null | tail -n 1)
if [ -z "$names" ]; then
	printf 'LOCALDNS_CRITICAL_FQDNS is empty; nothing to do\n'
	exit 0
fi
server=$(head -n 1 /etc/localdns/upstream-dns 2>/dev/null)
[ -n "$server" ] || server=$(awk '$1 == "nameserver" && $2 != "169.254.10.10" { print $2; exit }' /run/systemd/resolve/resolv.conf 2>/dev/null)

work=$(mktemp -d) || exit 0
trap 'rm -rf "$work"' EXIT

# Prints a line "ADDRESS NAME" for each address: NAME TYPE.
resolve() {
	dig +short +time=3 +tries=1 ${server:+"@$server"} "$1" "$2" 2>/dev/null | grep -E '^[0-9a-fA-F.:]+$' | grep -E '[.:]' | grep -vE '\.$' | sed "s/\$/ $1/"
}

for round in 1 2 3; do
	missing=0
	while IFS= read -r name; do
		[[ $name =~ ^[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?$ ]] || continue
		for type in A AAAA; do
			[ -s "$work/$name.$type" ] || resolve "$name" "$type" >"$work/$name.$type" &
		done
	done <<<"${names//,/$'\n'}"
	wait
	while IFS= read -r name; do
		[ -s "$work/$name.A" ] || [ -s "$work/$name.AAAA" ] || missing=1
	done <<<"${names//,/$'\n'}"
	if [ "$missing" = 0 ] || [ "$round" = 3 ]; then
		break
	fi
	sleep 2
done

new=$(mktemp /etc/localdns/.hosts.XXXXXX) || exit 0
while IFS= read -r name; do
	[ -n "$name" ] || continue
	if [ -s "$work/$name.A" ] || [ -s "$work/$name.AAAA" ]; then
		cat "$work/$name.A" "$work/$name.AAAA" 2>/dev/null
	else
		# The last addresses.
		awk -v name="$name" '$2 == name' "$hosts" 2>/dev/null
	fi
done <<<"${names//,/$'\n'}" | sort -u >"$new"
if [ -s "$new" ] && chmod 0644 "$new"; then
	mv -fT "$new" "$hosts"
else
	rm -f "$new"
	printf 'no name could be resolved; the last addresses stay\n'
fi
exit 0
