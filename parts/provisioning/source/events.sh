# shellcheck shell=bash
# Events for the guest agent, which sends them to the telemetry of the platform.
# https://learn.microsoft.com/azure/virtual-machines/extensions/agent-linux

# Prints a text as the inside of a JSON string. Bytes that are not UTF-8 are dropped.
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

# Prints the time in microseconds since 1970.
now() {
	printf '%s' "${EPOCHREALTIME/[.,]/}"
}

# Prints a time of `now` in the format of the guest agent.
stamp() {
	printf '%(%F %T)T.%s' "${1:0:-6}" "${1: -6:3}"
}

# Leaves an event for a moment: NAME MESSAGE [LEVEL].
note() {
	local moment
	moment=$(now)
	event "AKS.CSE.$1" "${3:-Informational}" "$moment" "$moment" "$2"
}

# Leaves an event for the guest agent: TASK LEVEL BEGUN ENDED MESSAGE. Always succeeds, because a node does not depend on it.
event() {
	local task=$1 level=$2 begun=$3 ended=$4 message=$5 name line
	printf -v line '{"Timestamp":"%s","OperationId":"%s","Version":"1.23","TaskName":"%s","EventLevel":"%s","Message":"%s","EventPid":"0","EventTid":"0"}' \
		"$(stamp "$begun")" "$(stamp "$ended")" "$task" "$level" "$(json_text "${message:0:2900}")"
	[ -d "$EVENTS" ] || mkdir -p "$EVENTS"
	for ((name = ended * 1000; name < ended * 1000 + 20; name++)); do
		# The agent reads any file that ends in .json, so the file gets that name when it is complete.
		if [ ! -e "$EVENTS/$name.json" ] && (umask 077 && set -o noclobber && printf '%s\n' "$line" >"$EVENTS/$name") 2>/dev/null; then
			mv -n "$EVENTS/$name" "$EVENTS/$name.json"
			return 0
		fi
	done
	return 0
}
