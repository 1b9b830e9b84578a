#!/bin/bash
set -uo pipefail

readonly dir=/opt/azure/containers/localdns

trap 'exit 0' PIPE

metrics() {
	cat "$dir/resources.prom" 2>/dev/null || printf '%s\n' 'localdns_service_status{status="unknown"} 0' 'localdns_memory_usage_bytes 0' \
		'localdns_cpu_usage_seconds_total 0' 'localdns_metrics_last_update_timestamp_seconds 0'
	cat "$dir/forward_ips.prom" 2>/dev/null || printf '%s\n' 'localdns_vnetdns_forward_info{ip="unknown",block="none",status="file_missing"} 0' \
		'localdns_kubedns_forward_info{ip="unknown",block="none",status="file_missing"} 0'
}

answer() {
	printf 'HTTP/1.1 %s\r\nContent-Type: text/plain; version=0.0.4\r\nContent-Length: %s\r\nConnection: close\r\n\r\n%s' "$1" "${#2}" "$2"
}

IFS=$' \r' read -r -t 5 method path _ || exit 0
while IFS= read -r -t 5 line && [ -n "${line%$'\r'}" ]; do :; done
if [ "$method" = GET ] && [ "$path" = /metrics ]; then
	answer '200 OK' "$(metrics)
"
else
	answer '404 Not Found' $'only /metrics exists\n'
fi
