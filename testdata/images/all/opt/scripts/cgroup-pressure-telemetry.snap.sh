#!/bin/bash
set -uo pipefail
export LC_ALL=C


readonly CONTAINERS=/opt/azure/containers
readonly LOGS=/var/log/azure
readonly EVENTS=$LOGS/Microsoft.Azure.Extensions.CustomScript/events
readonly UNITS=/etc/systemd/system

json_text() {
	local text=$1 backslash=$'\\' code LC_ALL=C
	if [[ $text == *[$'\x80'-$'\xff']* ]]; then
		text=$(printf '%s' "$text" | iconv -c -f UTF-8 -t UTF-8 2>/dev/null)
	fi
	text=${text//"$backslash"/"$backslash$backslash"}
	text=${text//\"/"$backslash\""}
	text=${text//$'\n'/"${backslash}n"}
	text=${text//$'\t'/"${backslash}t"}
	while [[ $text =~ [[:cntrl:]] ]]; do
		printf -v code '\\u%04x' "'${BASH_REMATCH[0]}"
		text=${text//"${BASH_REMATCH[0]}"/"$code"}
	done
	printf '%s' "$text"
}

now() {
	printf '%s' "${EPOCHREALTIME/[.,]/}"
}

stamp() {
	printf '%(%F %T)T.%s' "${1:0:-6}" "${1: -6:3}"
}

note() {
	local moment
	moment=$(now)
	event "AKS.CSE.$1" "${3:-Informational}" "$moment" "$moment" "$2"
}

event() {
	local task=$1 level=$2 begun=$3 ended=$4 message=$5 name line
	printf -v line '{"Timestamp":"%s","OperationId":"%s","Version":"1.23","TaskName":"%s","EventLevel":"%s","Message":"%s","EventPid":"0","EventTid":"0"}' \
		"$(stamp "$begun")" "$(stamp "$ended")" "$task" "$level" "$(json_text "${message:0:2900}")"
	[ -d "$EVENTS" ] || mkdir -p "$EVENTS"
	for ((name = ended * 1000; name < ended * 1000 + 20; name++)); do
		if [ ! -e "$EVENTS/$name.json" ] && (umask 077 && set -o noclobber && printf '%s\n' "$line" >"$EVENTS/$name") 2>/dev/null; then
			mv -n "$EVENTS/$name" "$EVENTS/$name.json"
			return 0
		fi
	done
	return 0
}

seconds_left() {
	if [ -n "${CSE_STARTTIME_SECONDS:-}" ]; then
		printf '%s' "$((CSE_STARTTIME_SECONDS + ${CSE_MAX_DURATION_SECONDS:-780} - EPOCHSECONDS))"
	else
		printf 86400
	fi
}

bounded() {
	local limit=$1 left
	shift
	left=$(seconds_left)
	[ "$left" -gt 0 ] || return 124
	timeout --kill-after=5 "$((limit < left ? limit : left))" "$@"
}

retry() {
	local tries=$1 pause=$2 limit=$3 try code
	shift 3
	for ((try = 1; ; try++)); do
		code=0
		bounded "$limit" "$@" || code=$?
		case $code in
		0) return 0 ;;
		126 | 127) return 1 ;;
		esac
		if [ "$(seconds_left)" -le 0 ]; then
			warn "no time is left for: $1"
			return 2
		fi
		[ "$try" -lt "$tries" ] || return 1
		sleep "$pause"
	done
}

retrycmd_if_failure() { retry "$@"; }

wait_until() {
	local limit=$1 until
	shift
	until=$((EPOCHSECONDS + limit))
	while ! "$@"; do
		[ "$EPOCHSECONDS" -lt "$until" ] && [ "$(seconds_left)" -gt 0 ] || return 1
		sleep 1
	done
}

group_of() {
	bounded 30 systemctl show --property=ControlGroup --value "$1" 2>/dev/null
}

readonly root=/sys/fs/cgroup

[ "$(stat --file-system --format %T "$root")" = cgroup2fs ] || exit 0

pressure_on() {
	local resource
	for resource in cpu memory io; do
		sed "s/^/$resource /" "$root$2/$resource.pressure" 2>/dev/null
	done | jq -cnR --arg name "$1" '
		[inputs | split(" ") | .[0] as $resource | .[1] as $kind | .[2:][] | split("=")
			| [({cpu: "CPUPressure", memory: "MemoryPressure", io: "IOPressure"}[$resource]), "\($kind)_\(.[0])", .[1]]]
		| reduce .[] as [$resource, $name, $value] ({}; .[$resource][$name] = $value)
		| select(. != {}) | {($name): .}'
}

report() {
	local begun objects=
	begun=$(now)
	while [ "$#" -gt 0 ]; do
		objects+=$(pressure_on "$1" "$2")
		shift 2
	done
	event AKS.Runtime.pressure_telemetry_cgroupv2 Informational "$begun" "$(now)" \
		"$(jq -cn '{CgroupVersion: "cgroupv2", Pressure: ([inputs] | add)}' <<<"$objects")"
}

containerd=$(group_of containerd.service)
kubelet=$(group_of kubelet.service)
report cgroup_pressure '' system_slice_pressure /system.slice azure_slice_pressure /azure.slice
report kubepods_slice_pressure /kubepods.slice kubelet_service_pressure "${kubelet:-/none}" \
	containerd_service_pressure "${containerd:-/none}"
