# shellcheck shell=bash
# Time limits and retries.

# Sets `left` to the seconds that are left for the steps. Without a start time, as in the services, there is no limit.
count_seconds() {
	left=86400
	[ -z "${CSE_STARTTIME_SECONDS:-}" ] || left=$((CSE_STARTTIME_SECONDS + ${CSE_MAX_DURATION_SECONDS:-780} - EPOCHSECONDS))
}

has_time() {
	local left
	count_seconds
	[ "$left" -gt 0 ]
}

# Called before each pause. `hold_events` changes it.
before_pause() { :; }

# Runs a command within a time limit, and within the time that is left for the steps: SECONDS COMMAND...
bounded() {
	local limit=$1 left
	shift
	count_seconds
	[ "$left" -gt 0 ] || return 124
	timeout --kill-after=5 "$((limit < left ? limit : left))" "$@"
}

# Tries a command several times: TRIES PAUSE LIMIT COMMAND..., with the pause and the limit of each try in seconds.
# 0: it succeeded; 1: each try failed, or there is no such command; 2: no time is left.
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

# Scripts of images call `retry` by this name.
retrycmd_if_failure() { retry "$@"; }

# Waits until a command succeeds, trying it every second: SECONDS COMMAND...
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
