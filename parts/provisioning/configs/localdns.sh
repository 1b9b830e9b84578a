# shellcheck shell=bash
# Local DNS.

has_localdns() {
	unit_exists localdns.service && [ -x "$CONTAINERS/localdns/localdns.sh" ]
}

localdns_environment() {
	local name
	for name in LOCALDNS_COREFILE_BASE LOCALDNS_COREFILE_WITH_HOSTS SHOULD_ENABLE_HOSTS_PLUGIN LOCALDNS_CRITICAL_FQDNS; do
		environment_line "$name" "${!name:-}" || return
	done
	# The name that older images read.
	environment_line LOCALDNS_BASE64_ENCODED_COREFILE "${LOCALDNS_COREFILE_BASE:-${LOCALDNS_GENERATED_COREFILE:-}}"
}

enableAKSLocalDNSHostsSetup() {
	local seconds=${LOCALDNS_HOSTS_PLUGIN_REFRESH_INTERVAL_IN_SECONDS:-}
	if ! unit_exists aks-localdns-hosts-setup.timer; then
		warn 'this image has no aks-localdns-hosts-setup.timer; local DNS works without its hosts'
		return 0
	fi
	is_number "$seconds" || seconds=900
	[ "$seconds" -ge 5 ] || seconds=5
	[ -e /etc/localdns/hosts ] || put /etc/localdns/hosts 0644 true || return
	put /etc/localdns/environment 0644 environment_line LOCALDNS_CRITICAL_FQDNS "${LOCALDNS_CRITICAL_FQDNS:-}" &&
		put_text "$UNITS/aks-localdns-hosts-setup.timer.d/10-refresh-interval.conf" 0644 "[Timer]
OnUnitActiveSec=
OnUnitActiveSec=${seconds}s
AccuracySec=1s" &&
		enable_and_start aks-localdns-hosts-setup.timer 30 --no-block
}

enableLocalDNS() {
	if ! has_localdns; then
		warn 'this image has no local DNS; names are looked up without it'
		return 0
	fi
	local content=LOCALDNS_COREFILE_BASE
	given "$content" || content=LOCALDNS_GENERATED_COREFILE
	given "$content" || fail "$ERR_LOCALDNS_FAIL" 'LOCALDNS_COREFILE_BASE is empty'
	[[ ${LOCALDNS_MEMORY_LIMIT:-128M} =~ ^[0-9]+[KMGT]?$ && ${LOCALDNS_CPU_LIMIT:-200.0%} =~ ^[0-9]+(\.[0-9]+)?%?$ ]] ||
		fail "$ERR_LOCALDNS_FAIL" 'LOCALDNS_MEMORY_LIMIT or LOCALDNS_CPU_LIMIT is no limit'
	local cpu=${LOCALDNS_CPU_LIMIT:-200.0%}
	put "$CONTAINERS/localdns/localdns.corefile" 0644 decoded "$content" ||
		fail "$ERR_LOCALDNS_FAIL" "$content is not base64, or the corefile cannot be written"
	put /etc/localdns/environment 0644 localdns_environment ||
		fail "$ERR_LOCALDNS_FAIL" 'a variable of local DNS has a line break, or its environment cannot be written'
	put_text "$UNITS/localdns.slice" 0644 "[Unit]
Description=Local DNS

[Slice]
MemoryMax=${LOCALDNS_MEMORY_LIMIT:-128M}
CPUQuota=${cpu%\%}%" || fail "$ERR_LOCALDNS_FAIL" 'localdns.slice cannot be written'
	if ! on SHOULD_ENABLE_HOSTS_PLUGIN; then
		disable_and_stop aks-localdns-hosts-setup.timer
		rm -f "$UNITS/aks-localdns-hosts-setup.timer.d/10-refresh-interval.conf" /etc/localdns/hosts
	fi
	enable_and_start localdns.service 30 || fail "$ERR_LOCALDNS_FAIL" 'localdns.service does not start; see journalctl -u localdns'
}

labelLocalDNSExporter() {
	KUBELET_NODE_LABELS=$(list_with , "${KUBELET_NODE_LABELS:-}" kubernetes.azure.com/localdns-exporter=enabled)
}

configureLocalDNSExporterSocket() {
	local address
	address=$(primary_address) && is_ipv4 "$address" || return 1
	put_text "$UNITS/localdns-exporter.socket.d/10-listen-address.conf" 0644 "[Socket]
ListenStream=
ListenStream=$address:9353
FreeBind=yes" && enable_and_start localdns-exporter.socket 30 --no-block
}
