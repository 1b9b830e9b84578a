# shellcheck shell=bash
# Events for the guest agent.

# A text as the inside of a JSON string.
json_text() {
	local text=$1 backslash=$'\\' code LC_ALL=C
	if [[ $text == *[$'\x80'-$'\xff']* ]]; then
		text=$(printf '%s' "$text" | iconv -c -f UTF-8 -t UTF-8 2>/dev/null)
	fi
	text=${text//"$backslash"/"$backslash$backslash"}
	text=${text//\"/"$backslash\""}
	text=${text//$'\n'/"${backslash}n"}
	while [[ $text =~ [[:cntrl:]] ]]; do
		printf -v code '\\u%04x' "'${BASH_REMATCH[0]}"
		text=${text//"${BASH_REMATCH[0]}"/"$code"}
	done
	printf '%s' "$text"
}

# Microseconds since 1970 as the guest agent wants a time.
stamp() {
	printf '%(%F %T)T.%s' "${1:0:-6}" "${1: -6:3}"
}

# Leaves an event for the guest agent. Never fails: a node does not depend on it.
event() {
	local task=$1 level=$2 begun=$3 ended=$4 message=$5 name line
	printf -v line '{"Timestamp":"%s","OperationId":"%s","Version":"1.23","TaskName":"%s","EventLevel":"%s","Message":"%s","EventPid":"0","EventTid":"0"}' \
		"$(stamp "$begun")" "$(stamp "$ended")" "$task" "$level" "$(json_text "${message:0:2900}")"
	[ -d "$EVENTS" ] || mkdir -p "$EVENTS"
	for ((name = ended * 1000; name < ended * 1000 + 20; name++)); do
		# The agent looks for .json; what it finds has to be whole.
		if [ ! -e "$EVENTS/$name.json" ] && (set -o noclobber && printf '%s\n' "$line" >"$EVENTS/$name") 2>/dev/null; then
			mv -n "$EVENTS/$name" "$EVENTS/$name.json"
			return 0
		fi
	done
	return 0
}

now() {
	printf '%s' "${EPOCHREALTIME/[.,]/}"
}
