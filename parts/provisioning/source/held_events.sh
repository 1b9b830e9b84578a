# shellcheck shell=bash
# Events of a run are handed over to the guest agent together: a node leaves dozens of them, and each would take two processes.

readonly HELD_EVENTS=${EVENTS%/*}/held
# When they were last handed over, in seconds since 1970.
HANDED_OVER=0

# Keeps the events of a run in a directory that nobody else can read, and hands them over every ten seconds, also while a step waits.
# `hand_over_events` has to be called at the end; what a run that was killed has left is handed over by provision_start.sh.
# shellcheck disable=SC2317 # `event` and what waits call the functions
hold_events() {
	[ -d "$HELD_EVENTS" ] || { { [ -d "$EVENTS" ] || mkdir -p "$EVENTS"; } && mkdir -m 0700 "$HELD_EVENTS"; } || return
	HANDED_OVER=$EPOCHSECONDS
	leave_event() { write_new "$HELD_EVENTS/$1.json" "$2" && { before_pause || true; }; }
	before_pause() { [ "$((EPOCHSECONDS - HANDED_OVER))" -lt 10 ] || hand_over_events; }
}

# Writes a line to a file that does not exist yet: PATH LINE.
write_new() {
	local code=0
	set -o noclobber
	{ printf '%s\n' "$2" >"$1"; } 2>/dev/null || code=1
	set +o noclobber
	return "$code"
}

hand_over_events() {
	local held=("$HELD_EVENTS"/*.json)
	[ ! -e "${held[0]}" ] || { chmod 0600 "${held[@]}" && mv -n -t "$EVENTS" "${held[@]}"; }
	HANDED_OVER=$EPOCHSECONDS
}

# Lets another process hand over the events that this one holds.
leave_events_to_others() { HANDED_OVER=$((EPOCHSECONDS + 86400)); }
