# shellcheck shell=bash
# Steps: what runs them, and the conditions under which they run.

# The step that runs, and since when: the end of the script reports it when it does not end by itself.
STEP=
STEP_BEGUN=

# Runs a step when its condition holds. A step that fails ends the run.
step() {
	local name=$1 ended
	shift
	"$@" || return 0
	STEP=$name STEP_BEGUN=$(now)
	"$name" || fail "$?" "$name failed"
	ended=$(now)
	say "$name: $(((ended - STEP_BEGUN) / 1000)) ms"
	event "AKS.CSE.$name" Informational "$STEP_BEGUN" "$ended" "Completed: $name"
	STEP=
}

# The same for a step that the node can do without: its failure is an event.
attempt() {
	local name=$1 begun code=0
	shift
	"$@" || return 0
	begun=$(now)
	(PROVISION_REASON_FILE='' "$name") || code=$?
	if [ "$code" = 0 ]; then
		event "AKS.CSE.$name" Informational "$begun" "$(now)" "Completed: $name"
	else
		warn "$name failed with code $code; the node does without"
		event "AKS.CSE.$name" Warning "$begun" "$(now)" "Failed with code $code: $name"
	fi
}

# Called at the very end: the step that ended the run gets its event too.
report_open_step() {
	local code=$1
	[ -n "$STEP" ] && [ "$code" != 0 ] || return 0
	event "AKS.CSE.$STEP" Error "$STEP_BEGUN" "$(now)" \
		"Failed with code $code: $STEP: $(cat "${PROVISION_REASON_FILE:-/dev/null}" 2>/dev/null)"
}

always() { true; }

# A switch that is the word `true`.
on() { [ "${!1:-}" = true ]; }

# A variable that says something.
given() { [ -n "${!1:-}" ]; }

not() { ! "$@"; }
