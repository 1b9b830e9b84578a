#!/bin/bash
# Joins the realm of a custom search domain. Works on systems with ifupdown and apt.
# Reads CUSTOM_SEARCH_DOMAIN_NAME, CUSTOM_SEARCH_REALM_USER and CUSTOM_SEARCH_REALM_PASSWORD.
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

# Tries, pause, limit of a try, command.
retry() {
	local tries=$1 pause=$2 limit=$3 try
	shift 3
	for ((try = 1; try <= tries; try++)); do
		! timeout "$limit" "$@" || return 0
		sleep "$pause"
	done
	return 1
}

[[ $domain =~ ^[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?$ ]] || fail "CUSTOM_SEARCH_DOMAIN_NAME is no domain: \"$domain\""
[ -n "${CUSTOM_SEARCH_REALM_USER:-}" ] || fail 'CUSTOM_SEARCH_REALM_USER is empty'
[ -f "$interfaces" ] || fail "$interfaces is not there: this system does not configure its network with ifupdown"
grep -qxF "    dns-search $domain" "$interfaces" || printf '    dns-search %s\n' "$domain" >>"$interfaces"
retry 20 5 10 systemctl restart networking.service || fail 'networking.service does not restart'
retry 10 5 120 apt-get install --yes --no-install-recommends realmd sssd sssd-tools samba-common samba-common-bin samba-libs packagekit adcli ||
	fail 'what the join needs cannot be installed'
# The password goes by standard input: arguments can be seen.
printf '%s\n' "${CUSTOM_SEARCH_REALM_PASSWORD:-}" | timeout 120 realm join --user="$CUSTOM_SEARCH_REALM_USER@${domain^^}" "${domain^^}" ||
	fail "the realm ${domain^^} does not take this machine"
printf 'joined %s\n' "${domain^^}"
