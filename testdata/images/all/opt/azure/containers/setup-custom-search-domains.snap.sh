#!/bin/bash
set -uo pipefail
umask 022
export LC_ALL=C DEBIAN_FRONTEND=noninteractive

readonly ERR_CUSTOM_SEARCH_DOMAINS_FAIL=80
readonly interfaces=/etc/network/interfaces.d/50-cloud-init.cfg
domain=${CUSTOM_SEARCH_DOMAIN_NAME:-}

fail() {
	printf 'error: %s\n' "$*"
	exit "$ERR_CUSTOM_SEARCH_DOMAINS_FAIL"
}

retry() {
	local tries=$1 pause=$2 limit=$3 try
	shift 3
	for ((try = 1; try <= tries; try++)); do
		! timeout "$limit" "$@" || return 0
		sleep "$pause"
	done
	return 1
}

[[ $domain =~ ^[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?$ ]] || fail "CUSTOM_SEARCH_DOMAIN_NAME must be a DNS name, found \"$domain\""
[ -n "${CUSTOM_SEARCH_REALM_USER:-}" ] || fail 'CUSTOM_SEARCH_REALM_USER is empty'
[ -f "$interfaces" ] || fail "$interfaces is missing; this system does not configure its network with ifupdown"
grep -qxF "    dns-search $domain" "$interfaces" || printf '    dns-search %s\n' "$domain" >>"$interfaces"
retry 20 5 10 systemctl restart networking.service || fail 'networking.service cannot be restarted'
retry 10 5 120 apt-get install --yes --no-install-recommends realmd sssd sssd-tools samba-common samba-common-bin samba-libs packagekit adcli ||
	fail 'the packages for joining a realm cannot be installed'
printf '%s\n' "${CUSTOM_SEARCH_REALM_PASSWORD:-}" | timeout 120 realm join --user="$CUSTOM_SEARCH_REALM_USER@${domain^^}" "${domain^^}" ||
	fail "this machine cannot join the realm ${domain^^}"
printf 'joined %s\n' "${domain^^}"
