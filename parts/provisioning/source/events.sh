# shellcheck shell=bash
# Events for the guest agent, which sends them to the telemetry of the platform.
# https://learn.microsoft.com/azure/virtual-machines/extensions/agent-linux

# When events were last handed over to the agent, in seconds since 1970. Empty if each event is handed over at once; see `hold_events`.
HANDED_OVER=
readonly HELD_EVENTS=${EVENTS%/*}/held

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
		# The agent reads any file that ends in .json, so the file gets that name when it is complete.
		if [ -e "$EVENTS/$name.json" ]; then
			continue
		elif [ -z "$HANDED_OVER" ] && (umask 077 && write_new "$EVENTS/$name" "$line"); then
			mv -n "$EVENTS/$name" "$EVENTS/$name.json"
			return 0
		elif [ -n "$HANDED_OVER" ] && write_new "$HELD_EVENTS/$name.json" "$line"; then
			[ "$((EPOCHSECONDS - HANDED_OVER))" -lt 10 ] || hand_over_events
			return 0
		fi
	done
	return 0
}

# Writes a line to a file that does not exist yet: PATH LINE.
write_new() {
	local code=0
	set -o noclobber
	{ printf '%s\n' "$2" >"$1"; } 2>/dev/null || code=1
	set +o noclobber
	return "$code"
}

# Keeps the events of a run in a directory that nobody else can read, and hands them over every ten seconds and at the end: two
# processes for dozens of events. What a run that was killed has left is handed over by provision_start.sh.
hold_events() {
	[ -d "$HELD_EVENTS" ] || { mkdir -p "${HELD_EVENTS%/*}" && mkdir -m 0700 "$HELD_EVENTS"; } || return
	HANDED_OVER=$EPOCHSECONDS
}

hand_over_events() {
	local held=("$HELD_EVENTS"/*.json)
	[ ! -e "${held[0]}" ] || { chmod 0600 "${held[@]}" && mv -n -t "$EVENTS" "${held[@]}"; }
	HANDED_OVER=${HANDED_OVER:+$EPOCHSECONDS}
}
