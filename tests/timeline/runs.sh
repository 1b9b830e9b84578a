#!/usr/bin/env bash
# What the commands share that run scenarios side by side and report them. Sourced by tests/cluster/run.sh and tests/vm/run.sh,
# which set `reports`, the directory that gets what is reported.
# shellcheck disable=SC2154 # they have the names

results=$(mktemp)
trap 'rm -f "$results"' EXIT

# PROGRAM:PACKAGE...: ends with one line if this is not root or a program is missing. That is an error if REQUIRE_NODES is 1.
needs() {
	local needed why=
	[ "$(id -u)" = 0 ] || why='this is not root'
	for needed in "$@"; do
		[ -n "$why" ] || command -v "${needed%%:*}" >/dev/null || [ -c "${needed%%:*}" ] || why="${needed%%:*} is missing (Debian: ${needed##*:})"
	done
	[ -n "$why" ] || return 0
	printf 'skipped: no node is made: %s\n' "$why"
	[ "${REQUIRE_NODES:-0}" = 0 ] || exit 1
	exit 0
}

# NUMBER: waits until at most so many jobs run.
at_most() {
	while [ "$(jobs -rp | wc -l)" -gt "$1" ]; do
		wait -n || true
	done
}

# HOW WHAT SECONDS: says how a scenario ended.
report() {
	printf '%-7s %-44s %4s s\n' "$1" "$2" "$3"
	printf '%s\n' "$1" >>"$results"
}

# Writes the timeline and the counts. Fails if a scenario has.
conclude() {
	local form failed
	for form in text svg; do
		"$(dirname "${BASH_SOURCE[0]}")/timeline.py" "$form" "$reports" >"$reports/timeline.${form/text/txt}"
	done
	failed=$(grep -cx failed "$results" || true)
	printf '%s scenarios passed, %s failed, in %s s\n' "$(grep -cx ok "$results" || true)" "$failed" "$SECONDS"
	[ "$failed" = 0 ]
}
