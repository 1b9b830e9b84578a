# shellcheck shell=bash
# Local DNS: the node's own DNS server, which caches for the node and its pods. See parts/localdns.

has_localdns() {
	unit_exists localdns.service && [ -x "$CONTAINERS/localdns/localdns.sh" ]
}

localdns_environment() {
	# A variable of older renderers.
	local name LOCALDNS_COREFILE_BASE=${LOCALDNS_COREFILE_BASE:-${LOCALDNS_GENERATED_COREFILE:-}}
	for name in LOCALDNS_COREFILE_BASE LOCALDNS_COREFILE_WITH_HOSTS SHOULD_ENABLE_HOSTS_PLUGIN LOCALDNS_CRITICAL_FQDNS; do
		environment_line "$name" "${!name:-}" || return
	done
	# The name that older images read.
	environment_line LOCALDNS_BASE64_ENCODED_COREFILE "$LOCALDNS_COREFILE_BASE"
}

# Starts the timer that keeps addresses of important names in a hosts file. It comes first in the list of steps, because local
# DNS uses the file only if it has entries by then.
enableAKSLocalDNSHostsSetup() {
	local seconds=${LOCALDNS_HOSTS_PLUGIN_REFRESH_INTERVAL_IN_SECONDS:-}
	if ! unit_exists aks-localdns-hosts-setup.timer; then
		warn 'this image has no aks-localdns-hosts-setup.timer; local DNS is used without its hosts file'
		return 0
	fi
	is_number "$seconds" || seconds=900
	[ "$seconds" -ge 5 ] || seconds=5
	[ -e /etc/localdns/hosts ] || put /etc/localdns/hosts 0644 true || return
	put /etc/localdns/environment 0644 environment_line LOCALDNS_CRITICAL_FQDNS "${LOCALDNS_CRITICAL_FQDNS:-}" || return
	put "$UNITS/aks-localdns-hosts-setup.timer.d/10-refresh-interval.conf" 0644 cat <<UNIT || return
#include localdns/aks-localdns-hosts-setup.timer.d/10-refresh-interval.conf.in
UNIT
	enable_and_start aks-localdns-hosts-setup.timer 30 --no-block
}

disable_hosts_setup() {
	disable_and_stop aks-localdns-hosts-setup.timer
	rm -f "$UNITS/aks-localdns-hosts-setup.timer.d/10-refresh-interval.conf" /etc/localdns/hosts
}

enableLocalDNS() {
	local content=LOCALDNS_COREFILE_BASE memory=${LOCALDNS_MEMORY_LIMIT:-128M} cpu=${LOCALDNS_CPU_LIMIT:-200.0%}
	if ! has_localdns; then
		warn 'this image has no local DNS; the DNS servers of the network are used'
		return 0
	fi
	given "$content" || content=LOCALDNS_GENERATED_COREFILE
	given "$content" || fail "$ERR_LOCALDNS_FAIL" 'LOCALDNS_COREFILE_BASE is empty'
	[[ $memory =~ ^[0-9]+[KMGT]?$ ]] || fail "$ERR_LOCALDNS_FAIL" "LOCALDNS_MEMORY_LIMIT must be a size such as 128M, found \"$memory\""
	[[ $cpu =~ ^[0-9]+(\.[0-9]+)?%?$ ]] || fail "$ERR_LOCALDNS_FAIL" "LOCALDNS_CPU_LIMIT must be a percentage such as 200.0%, found \"$cpu\""
	cpu=${cpu%\%}
	put "$CONTAINERS/localdns/localdns.corefile" 0644 decoded "$content" ||
		fail "$ERR_LOCALDNS_FAIL" "$content must be base64, or the corefile cannot be written"
	put /etc/localdns/environment 0644 localdns_environment ||
		fail "$ERR_LOCALDNS_FAIL" 'a variable of local DNS has a line break, or /etc/localdns/environment cannot be written'
	put "$UNITS/localdns.slice" 0644 cat <<UNIT || fail "$ERR_LOCALDNS_FAIL" 'localdns.slice cannot be written'
#include localdns/localdns.slice.in
UNIT
	if ! on SHOULD_ENABLE_HOSTS_PLUGIN; then
		part enableLocalDNS.disableAKSLocalDNSHostsSetup disable_hosts_setup
	fi
	enable_and_start localdns.service 30 || fail "$ERR_LOCALDNS_FAIL" 'localdns.service does not start; see journalctl -u localdns'
}

# The daemon set that collects metrics of local DNS selects nodes by this label.
labelLocalDNSExporter() {
	KUBELET_NODE_LABELS=$(list_with , "${KUBELET_NODE_LABELS:-}" kubernetes.azure.com/localdns-exporter=enabled)
}

# Serves the metrics of local DNS at the address of the node. The unit of the image listens on the loopback interface only.
# shellcheck disable=SC2034 # the included unit reads the variable
configureLocalDNSExporterSocket() {
	local address
	has_address && is_ipv4 "${METADATA[1]}" || return 1
	address=${METADATA[1]}
	put "$UNITS/localdns-exporter.socket.d/10-listen-address.conf" 0644 cat <<UNIT || return
#include localdns/localdns-exporter.socket.d/10-listen-address.conf.in
UNIT
	enable_and_start localdns-exporter.socket 30 --no-block
}
