#!/bin/bash
set -uo pipefail
export LC_ALL=C


readonly CONTAINERS=/opt/azure/containers
readonly LOGS=/var/log/azure
readonly EVENTS=$LOGS/Microsoft.Azure.Extensions.CustomScript/events
readonly UNITS=/etc/systemd/system

json_text() {
	local backslash=$'\\' code LC_ALL=C
	json=$1
	if [[ $json == *[$'\x80'-$'\xff']* ]]; then
		json=$(printf '%s' "$json" | iconv -c -f UTF-8 -t UTF-8 2>/dev/null)
	fi
	json=${json//"$backslash"/"$backslash$backslash"}
	json=${json//\"/"$backslash\""}
	json=${json//$'\n'/"${backslash}n"}
	json=${json//$'\t'/"${backslash}t"}
	while [[ $json =~ [[:cntrl:]] ]]; do
		printf -v code '\\u%04x' "'${BASH_REMATCH[0]}"
		json=${json//"${BASH_REMATCH[0]}"/"$code"}
	done
}

now() {
	printf '%s' "${EPOCHREALTIME/[.,]/}"
}

stamp() {
	printf -v "$1" '%(%F %T)T.%s' "${2:0:-6}" "${2: -6:3}"
}

note() {
	local moment=${EPOCHREALTIME/[.,]/}
	event "AKS.CSE.$1" "${3:-Informational}" "$moment" "$moment" "$2"
}

event() {
	local ended=$4 from to json name line
	stamp from "$3"
	stamp to "$4"
	json_text "${5:0:2900}"
	printf -v line '{"Timestamp":"%s","OperationId":"%s","Version":"1.23","TaskName":"%s","EventLevel":"%s","Message":"%s","EventPid":"0","EventTid":"0"}' \
		"$from" "$to" "$1" "$2" "$json"
	[ -d "$EVENTS" ] || mkdir -p "$EVENTS"
	for ((name = ended * 1000; name < ended * 1000 + 20; name++)); do
		if [ ! -e "$EVENTS/$name.json" ] && leave_event "$name" "$line"; then
			return 0
		fi
	done
	return 0
}

leave_event() {
	(umask 077 && set -o noclobber && printf '%s\n' "$2" >"$EVENTS/$1") 2>/dev/null && mv -n "$EVENTS/$1" "$EVENTS/$1.json"
}

count_seconds() {
	left=86400
	[ -z "${CSE_STARTTIME_SECONDS:-}" ] || left=$((CSE_STARTTIME_SECONDS + ${CSE_MAX_DURATION_SECONDS:-780} - EPOCHSECONDS))
}

has_time() {
	local left
	count_seconds
	[ "$left" -gt 0 ]
}

before_pause() { :; }

bounded() {
	local limit=$1 left
	shift
	count_seconds
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
		if ! has_time; then
			warn "no time is left for: $1"
			return 2
		fi
		[ "$try" -lt "$tries" ] || return 1
		before_pause
		sleep "$pause"
	done
}

retrycmd_if_failure() { retry "$@"; }

wait_until() {
	local limit=$1 until
	shift
	until=$((EPOCHSECONDS + limit))
	while ! "$@"; do
		[ "$EPOCHSECONDS" -lt "$until" ] && has_time || return 1
		before_pause
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
