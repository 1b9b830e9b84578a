#!/bin/bash
set -uo pipefail
umask 022
export LC_ALL=C


put() {
	local path=$1 mode=$2 temporary mask
	shift 2
	[ -d "${path%/*}" ] || mkdir -p "${path%/*}" || return
	temporary=${path%/*}/.${path##*/}.new
	{ [ ! -e "$temporary" ] && [ ! -L "$temporary" ]; } || rm -f "$temporary" || return
	printf -v mask %o "$((0777 & ~mode))"
	if (
		umask "$mask"
		set -o noclobber
		: >"$temporary" || exit
		set +o noclobber
		"$@" >"$temporary" || exit
		[ "$((mode & 0111))" = 0 ] || chmod "$mode" "$temporary" || exit
		exec mv -fT "$temporary" "$path"
	); then
		return 0
	fi
	rm -f "$temporary"
	return 1
}

readonly ERR_LOCALDNS_FAIL=216 ERR_LOCALDNS_COREFILE_NOTFOUND=217 ERR_LOCALDNS_SLICEFILE_NOTFOUND=218 ERR_LOCALDNS_BINARY_ERR=219

readonly dir=/opt/azure/containers/localdns
readonly corefile=$dir/localdns.corefile effective=$dir/updated.localdns.corefile
readonly coredns=$dir/binary/coredns slice=/etc/systemd/system/localdns.slice
readonly environment=/etc/localdns/environment hosts=/etc/localdns/hosts upstream=/etc/localdns/upstream-dns
readonly pid_file=/run/localdns.pid
readonly node_listener=169.254.10.10 pod_listener=169.254.10.11 azure_dns=168.63.129.16
readonly comment='localdns: skip conntrack'
readonly marker=/opt/azure/containers/localdns-hosts-plugin-annotation.present
readonly kubeconfig=/var/lib/kubelet/kubeconfig annotation=kubernetes.azure.com/localdns-hosts-plugin

log() {
	printf '%s\n' "$*"
}

fail() {
	local code=$1
	shift
	log "error: $*"
	exit "$code"
}

setting() {
	sed -n "s/^$1=//p" "$environment" 2>/dev/null | tail -n 1
}


uses_hosts=false

put_decoded() {
	local text
	text=$(base64 -d <<<"$1" 2>/dev/null) && [ -n "$text" ] && put "$corefile" 0644 printf '%s\n' "$text"
}

select_corefile() {
	local content
	uses_hosts=false
	content=$(setting LOCALDNS_COREFILE_WITH_HOSTS)
	if [ "$(setting SHOULD_ENABLE_HOSTS_PLUGIN)" = true ] && [ -n "$content" ] && [ -e "$hosts" ]; then
		uses_hosts=true
	else
		content=$(setting LOCALDNS_COREFILE_BASE)
		[ -n "$content" ] || content=$(setting LOCALDNS_BASE64_ENCODED_COREFILE)
	fi
	if [ -n "$content" ] && ! put_decoded "$content"; then
		log "the corefile in $environment is not base64 or cannot be written; using $corefile as it is"
	fi
}

check_files() {
	select_corefile
	[ -s "$corefile" ] || fail "$ERR_LOCALDNS_COREFILE_NOTFOUND" "$corefile is missing or empty, and $environment has no corefile"
	[ -s "$slice" ] || fail "$ERR_LOCALDNS_SLICEFILE_NOTFOUND" "$slice is missing or empty"
	[ -x "$coredns" ] || fail "$ERR_LOCALDNS_BINARY_ERR" "$coredns is missing or not executable"
	timeout 10 "$coredns" --version >/dev/null 2>&1 || fail "$ERR_LOCALDNS_BINARY_ERR" "$coredns cannot be run"
}

upstream_servers() {
	awk -v ours="$node_listener" '$1 == "nameserver" && $2 != ours && !seen[$2]++ { print $2 }' /run/systemd/resolve/resolv.conf 2>/dev/null
}

write_effective_corefile() {
	local servers
	servers=$(upstream_servers | tr '\n' ' ')
	servers=${servers% }
	if [ -z "$servers" ]; then
		fail "$ERR_LOCALDNS_FAIL" '/run/systemd/resolve/resolv.conf names no DNS server of the network'
	fi
	put "$upstream" 0644 upstream_servers
	if [ "$servers" = "$azure_dns" ]; then
		put "$effective" 0644 cat "$corefile"
	else
		put "$effective" 0644 sed "s/\\b${azure_dns//./\\.}\\b/$servers/g" "$corefile"
	fi || fail "$ERR_LOCALDNS_FAIL" "$effective cannot be written"
	put "$dir/forward_ips.prom" 0644 forward_metrics
}


forward_metrics() {
	awk -v node="$node_listener" -v pod="$pod_listener" '
		function entry(kind, ip, block, status, value) {
			list[kind] = list[kind] sprintf("localdns_%s_forward_info{ip=\"%s\",block=\"%s\",status=\"%s\"} %d\n", kind, ip, block, status, value)
		}
		/^[^ \t#}].*[{]/ { block = $1; bind = ""; split("", servers); number = 0 }
		$1 == "bind" { bind = bind " " $0 " " }
		$1 == "forward" { for (i = 3; i <= NF && $i != "{"; i++) servers[++number] = $i }
		/^}/ {
			for (i = 1; i <= number; i++) {
				if (index(bind " ", " " node " ")) entry("vnetdns", servers[i], block, "ok", 1)
				if (index(bind " ", " " pod " ")) entry("kubedns", servers[i], block, "ok", 1)
			}
		}
		END {
			split("vnetdns kubedns", kinds, " ")
			for (i = 1; i <= 2; i++) {
				if (list[kinds[i]] == "") entry(kinds[i], "unknown", "none", "missing", 0)
				printf "# TYPE localdns_%s_forward_info gauge\n%s", kinds[i], list[kinds[i]]
			}
		}' "$effective"
}

resource_metrics() {
	local memory cpu usage
	usage=$(timeout 3 systemctl show --property=MemoryCurrent,CPUUsageNSec localdns.service 2>/dev/null)
	memory=$(sed -n 's/^MemoryCurrent=\([0-9]*\)$/\1/p' <<<"$usage")
	cpu=$(sed -n 's/^CPUUsageNSec=\([0-9]*\)$/\1/p' <<<"$usage")
	printf '# TYPE localdns_service_status gauge\nlocaldns_service_status{status="%s"} %s\n' "$1" "$2"
	printf '# TYPE localdns_memory_usage_bytes gauge\nlocaldns_memory_usage_bytes %s\n' "${memory:-0}"
	printf '# TYPE localdns_cpu_usage_seconds_total counter\nlocaldns_cpu_usage_seconds_total %d.%09d\n' \
		"$((${cpu:-0} / 1000000000))" "$((${cpu:-0} % 1000000000))"
	printf '# TYPE localdns_metrics_last_update_timestamp_seconds gauge\nlocaldns_metrics_last_update_timestamp_seconds %s\n' "$EPOCHSECONDS"
}


rules() {
	local action=$1 chain protocol address
	for chain in OUTPUT PREROUTING; do
		for protocol in tcp udp; do
			for address in "$node_listener" "$pod_listener"; do
				iptables -w 30 -t raw "$action" "$chain" -p "$protocol" -d "$address" --dport 53 -m comment --comment "$comment" -j NOTRACK || return
			done
		done
	done
}

remove_rules() {
	local chain number
	for chain in OUTPUT PREROUTING; do
		while number=$(iptables -w 30 -t raw -L "$chain" -n --line-numbers | grep -F "$comment" | head -n 1 | cut -d ' ' -f 1) && [ -n "$number" ]; do
			iptables -w 30 -t raw -D "$chain" "$number" || return
		done
	done
}

network_dropin() {
	local interface file
	interface=$(ip -json route get "$azure_dns" 2>/dev/null | jq -r '.[0].dev // empty')
	[ -n "$interface" ] || interface=$(ip -json route show default | jq -r '.[0].dev // empty')
	file=$(networkctl --json=short status "$interface" 2>/dev/null | jq -r '.NetworkFile // empty')
	[ -n "$file" ] || return 1
	printf '/run/systemd/network/%s.d/70-localdns.conf' "${file##*/}"
}

uses_us() {
	grep -qE "^nameserver $node_listener\$" /run/systemd/resolve/resolv.conf 2>/dev/null
}

wait_for() {
	local limit=$1 until
	shift
	until=$((SECONDS + limit))
	until "$@"; do
		[ "$SECONDS" -lt "$until" ] || return 1
		sleep 0.2
	done
}

not() { ! "$@"; }

make_interface() {
	ip link show localdns >/dev/null 2>&1 || ip link add name localdns type dummy || return
	ip link set localdns up && ip address replace "$node_listener/32" dev localdns && ip address replace "$pod_listener/32" dev localdns
}

undo() {
	local code=$? pid
	trap - EXIT TERM INT
	remove_rules
	if [ -n "${dropin:-}" ] && [ -e "$dropin" ]; then
		rm -f "$dropin"
		networkctl reload
	fi
	pid=$(cat "$pid_file" 2>/dev/null)
	if [ -n "$pid" ] && kill -0 "$pid" 2>/dev/null; then
		sleep 5
		kill -INT "$pid"
		wait_for 10 not kill -0 "$pid" 2>/dev/null || kill -KILL "$pid"
	fi
	ip link delete localdns 2>/dev/null
	rm -f "$pid_file"
	put "$dir/resources.prom" 0644 resource_metrics stopped 0
	exit "$code"
}


annotate() {
	local try node=${HOSTNAME,,} value=enabled
	"$uses_hosts" || value=
	for ((try = 0; try < 60; try++)); do
		[ ! -s "$kubeconfig" ] || break
		sleep 3
	done
	[ -s "$kubeconfig" ] || return 0
	for ((try = 0; try < 30; try++)); do
		if [ -n "$value" ]; then
			! /opt/bin/kubectl --kubeconfig "$kubeconfig" annotate --overwrite node "$node" "$annotation=$value" >/dev/null 2>&1 || {
				: >"$marker"
				return
			}
		elif [ ! -e "$marker" ]; then
			return
		else
			! /opt/bin/kubectl --kubeconfig "$kubeconfig" annotate node "$node" "$annotation-" >/dev/null 2>&1 || {
				rm -f "$marker"
				return
			}
		fi
		sleep 3
	done
}


is_ready() {
	curl --silent --fail --noproxy '*' --max-time 2 --output /dev/null "http://$node_listener:8181/ready"
}

answers() {
	dig +short +time=2 +tries=1 "@$1" health-check.localdns.local >/dev/null
}

watch() {
	local pause failures=() now
	pause=$((${WATCHDOG_USEC:-60000000} / 5000000))
	while kill -0 "$server" 2>/dev/null; do
		if is_ready && answers "$node_listener" && answers "$pod_listener"; then
			systemd-notify WATCHDOG=1
		else
			now=$SECONDS
			failures+=("$now")
			while [ "${#failures[@]}" -gt 0 ] && [ "${failures[0]}" -lt $((now - 600)) ]; do
				failures=("${failures[@]:1}")
			done
			[ "${#failures[@]}" -lt 10 ] || fail "$ERR_LOCALDNS_FAIL" 'CoreDNS failed ten health checks in ten minutes'
		fi
		put "$dir/resources.prom" 0644 resource_metrics running 1
		sleep "$pause" &
		wait $!
	done
	fail "$ERR_LOCALDNS_FAIL" 'CoreDNS has ended'
}

check_files
dropin=$(network_dropin) || dropin=
trap undo EXIT
trap 'exit 0' TERM INT
remove_rules || fail "$ERR_LOCALDNS_FAIL" 'the iptables rules of an earlier start cannot be removed'
if [ -n "$dropin" ] && [ -e "$dropin" ]; then
	rm -f "$dropin"
	networkctl reload
fi
wait_for 5 not uses_us || fail "$ERR_LOCALDNS_FAIL" "/run/systemd/resolve/resolv.conf still names $node_listener"
write_effective_corefile
make_interface || fail "$ERR_LOCALDNS_FAIL" 'the network interface localdns cannot be created'
rules -A || fail "$ERR_LOCALDNS_FAIL" 'the iptables rules cannot be added'
"$coredns" -conf "$effective" -pidfile "$pid_file" &
server=$!
wait_for 10 test -s "$pid_file" || fail "$ERR_LOCALDNS_FAIL" 'CoreDNS does not start'
wait_for 60 is_ready || fail "$ERR_LOCALDNS_FAIL" 'CoreDNS is not ready after a minute'
if [ -n "$dropin" ]; then
	put "$dropin" 0644 printf '[Network]\nDNS=%s\n\n[DHCP]\nUseDNS=false\n' "$node_listener" || fail "$ERR_LOCALDNS_FAIL" "$dropin cannot be written"
	chmod -R a+rX /run/systemd/network
	networkctl reload || fail "$ERR_LOCALDNS_FAIL" 'systemd-networkd cannot be reloaded'
fi
systemd-notify --ready
annotate &
watch
