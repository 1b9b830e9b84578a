# shellcheck shell=bash
# Events for the guest agent, which sends them to the telemetry of the platform.
# https://learn.microsoft.com/azure/virtual-machines/extensions/agent-linux

# Sets `json` to a text as the inside of a JSON string. Bytes that are not UTF-8 are dropped.
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

# Prints the time in microseconds since 1970.
now() {
	printf '%s' "${EPOCHREALTIME/[.,]/}"
}

# Sets a variable to a time of `now` in the format of the guest agent: VARIABLE TIME.
stamp() {
	printf -v "$1" '%(%F %T)T.%s' "${2:0:-6}" "${2: -6:3}"
}

# Leaves an event for a moment: NAME MESSAGE [LEVEL].
note() {
	local moment=${EPOCHREALTIME/[.,]/}
	event "AKS.CSE.$1" "${3:-Informational}" "$moment" "$moment" "$2"
}

# Leaves an event for the guest agent: TASK LEVEL BEGUN ENDED MESSAGE. Always succeeds, because a node does not depend on it.
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

# Leaves the line of an event: NAME LINE. Fails if there is an event of this name. The agent reads any file that ends in .json, so the file
# gets that name when it is complete.
leave_event() {
	(umask 077 && set -o noclobber && printf '%s\n' "$2" >"$EVENTS/$1") 2>/dev/null && mv -n "$EVENTS/$1" "$EVENTS/$1.json"
}
