# shellcheck shell=bash
# Running steps, and the conditions under which they run.

# The step that is running and when it began, for the event of a step that ends the run.
STEP=
STEP_BEGUN=

# Runs a step if a condition holds, logs its duration and leaves an event: STEP CONDITION... A step that fails ends the run.
step() {
	local name=$1 ended
	shift
	"$@" || return 0
	STEP=$name STEP_BEGUN=$(now)
	"$name" || fail "$?" "$name failed"
	ended=$(now)
	log "$name: $(((ended - STEP_BEGUN) / 1000)) ms"
	event "AKS.CSE.$name" Informational "$STEP_BEGUN" "$ended" "Completed: $name"
	STEP=
}

# The same for a step without which the node works: a failure is only an event. It runs in a subshell, so that it cannot end the
# run, and cannot change variables.
attempt() {
	local name=$1 begun code=0
	shift
	"$@" || return 0
	begun=$(now)
	(PROVISION_REASON_FILE='' "$name") || code=$?
	if [ "$code" = 0 ]; then
		event "AKS.CSE.$name" Informational "$begun" "$(now)" "Completed: $name"
	else
		warn "$name failed with code $code; provisioning continues without it"
		event "AKS.CSE.$name" Warning "$begun" "$(now)" "Failed with code $code: $name"
	fi
}

# Leaves the event of the step that ended the run: CODE. Called when the script exits.
report_open_step() {
	local code=$1
	[ -n "$STEP" ] && [ "$code" != 0 ] || return 0
	event "AKS.CSE.$STEP" Error "$STEP_BEGUN" "$(now)" \
		"Failed with code $code: $STEP: $(cat "${PROVISION_REASON_FILE:-/dev/null}" 2>/dev/null)"
}

always() { true; }

# Whether a variable is the word `true`: VARIABLE.
on() { [ "${!1:-}" = true ]; }

# Whether a variable is not empty: VARIABLE.
given() { [ -n "${!1:-}" ]; }

not() { ! "$@"; }
