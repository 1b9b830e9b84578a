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

readonly defaults=/etc/default/kubelet configuration=/etc/default/kubeletconfig.json
readonly sent=/run/emit-kubelet-active-flags.fingerprint
readonly limit=2900

message_of() {
	jq -cn --arg flags "$1" --arg path "$configuration" --argjson uses "$([ -e "$configuration" ] && echo true || echo false)" '
		[$flags | scan("(?:^|\\s)--([^=\\s]+)=(\\S*)") | {key: .[0], value: .[1]}] | from_entries
		| {uses_config_file: $uses, config_path: (if $uses then $path else "" end), flag_count: length, flags: ., config_file: {}}'
}

fingerprint=$(cat "$defaults" "$configuration" 2>/dev/null | sha256sum)
[ "$fingerprint" != "$(cat "$sent" 2>/dev/null)" ] || exit 0

flags=$(sed -n 's/^KUBELET_FLAGS=//p' "$defaults" 2>/dev/null | sed 's/\\\(.\)/\1/g')
message=$(message_of "$flags") || exit 1
if [ -e "$configuration" ]; then
	whole=$(jq -c --slurpfile file "$configuration" '.config_file = ($file[0] // {})' <<<"$message") || whole=$message
	if [ "${#whole}" -gt "$limit" ]; then
		whole=$(jq -c '.config_file = "truncated:exceeded_size_cap"' <<<"$message")
	fi
	message=$whole
fi
if [ "${#message}" -gt "$limit" ]; then
	message=$(jq -c '.flags = "truncated:exceeded_size_cap"' <<<"$message")
fi
begun=$(now)
event AKS.CSE.ensureKubelet.kubeletActiveFlags Informational "$begun" "$(now)" "$message"
put "$sent" 0644 printf '%s' "$fingerprint"
