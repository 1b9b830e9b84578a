#!/bin/bash


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

readonly ERR_CLOUD_INIT_FAILED=223

handleCloudInitStatus() {
	local output=$1 code=0 level=Informational begun message
	begun=$(now)
	(umask 077 && : >>"$output")
	timeout 600 cloud-init status --wait >>"$output" 2>&1 || code=$?
	message="cloud-init status ended with $code"
	case $code in
	0) ;;
	1)
		level=Error
		cloud-init status --long >>"$output" 2>&1
		;;
	2) message+=': recoverable errors, provisioning continues' ;;
	124) message+=': cloud-init is still running after ten minutes, provisioning continues' ;;
	*) message+=', provisioning continues' ;;
	esac
	printf '%s\n' "$message" >>"$output"
	event AKS.CSE.CloudInitStatusCheck "$level" "$begun" "$(now)" "$message"
	[ "$level" = Informational ] || return "$ERR_CLOUD_INIT_FAILED"
}
