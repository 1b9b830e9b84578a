# shellcheck shell=bash
# Running steps, and the conditions under which they run.

# What is running, as "NAME BEGUN", the innermost last: for the events of what ends the run.
RUNNING=()

# Leaves the event of what was begun last: LEVEL MESSAGE.
report() {
	local last=${RUNNING[-1]}
	unset 'RUNNING[-1]'
	event "${last% *}" "$1" "${last#* }" "${EPOCHREALTIME/[.,]/}" "$2"
}

# Runs a step if a condition holds, logs its duration and leaves an event: STEP CONDITION... A step that fails ends the run.
step() {
	local name=$1 begun code=0
	shift
	"$@" || return 0
	begun=${EPOCHREALTIME/[.,]/}
	RUNNING=("AKS.CSE.$name $begun")
	"$name" || code=$?
	[ "$code" = 0 ] || fail "$(code_of_step "$code")" "$name failed with code $code"
	report Informational "Completed: $name"
	log "$name: $(((${EPOCHREALTIME/[.,]/} - begun) / 1000)) ms"
}

# Steps that run beside others, as "NAME PROCESS".
BESIDE=()

# Begins a step that runs beside the next ones, if a condition holds: STEP CONDITION... It cannot change variables. `joined` has to come
# before what must not happen if the step fails.
beside() {
	local name=$1 reason
	shift
	"$@" || return 0
	reason_of "$name"
	run_beside "$name" "$reason" &
	BESIDE+=("$name $!")
}

# Runs a step in a process of its own: NAME REASON_FILE. One process alone hands over the events.
run_beside() {
	local reason=$2 code
	# 143: the run has ended for another reason, and `stop_beside` was called.
	trap 'code=$?; [ "$code" = 143 ] || PROVISION_REASON_FILE=$reason report_open_steps "$code"' EXIT
	leave_events_to_others
	[ -z "$reason" ] || : >"$reason"
	PROVISION_REASON_FILE=$reason step "$1" always
	# A step that fails has ended the process. A log that cannot be written is not a failure.
	return 0
}

# Sets `reason` to the file for the reason of a step that runs beside others, if there is one for the run: NAME.
reason_of() {
	reason=
	[ ! -f "${PROVISION_REASON_FILE:-}" ] || reason=$PROVISION_REASON_FILE.$1
}

# Waits for the steps that run beside others. The first in their order that has failed ends the run, with its code and reason.
joined() {
	local entry code reason
	for entry in "${BESIDE[@]}"; do
		code=0
		wait "${entry#* }" || code=$?
		if [ "$code" != 0 ]; then
			reason_of "${entry% *}"
			[ ! -s "$reason" ] || cat "$reason" >"$PROVISION_REASON_FILE"
			exit "$code"
		fi
	done
	BESIDE=()
}

# Ends the steps that run beside others, and waits until they have ended.
stop_beside() {
	local entry
	for entry in "${BESIDE[@]}"; do
		kill "${entry#* }" 2>/dev/null
		wait "${entry#* }"
	done
}

# Prints the code of a step that has returned one: CODE. The code of a program, or of a time limit, is not in the table; a step
# without a code of its own writes a file.
code_of_step() {
	case $1 in
	[1-3] | 12[4-7]) printf '%s' "$ERR_NODE_FILE_WRITE_FAIL" ;;
	*) printf '%s' "$1" ;;
	esac
}

# Runs a part of a step and writes an event, as the reference does for this part: NAME COMMAND... Returns the status of the command.
# The names of these events cannot be changed: alerts and dashboards of AKS read them.
part() {
	logs_to_events "AKS.CSE.$1" "${@:2}"
}

# The same with the whole name of the event. Scripts of images call this function.
logs_to_events() {
	local name=$1 code=0
	shift
	RUNNING+=("$name ${EPOCHREALTIME/[.,]/}")
	"$@" || code=$?
	if [ "$code" = 0 ]; then
		report Informational "Completed: ${name#AKS.CSE.}"
	else
		report Warning "Failed with code $code: ${name#AKS.CSE.}"
	fi
	return "$code"
}

# Runs a step that the node can work without, if a condition holds: STEP CONDITION... A failure is only an event.
attempt() {
	local name=$1
	shift
	"$@" || return 0
	part "$name" apart "$name" || warn "$name failed with code $?; provisioning continues without it"
}

# Runs a command in a subshell, so that it cannot end the run, and cannot change variables.
apart() {
	(PROVISION_REASON_FILE='' "$@")
}

# Leaves the events of the step that ended the run and of its part: CODE. Called when the script exits.
report_open_steps() {
	local code=$1 name reason
	[ "$code" != 0 ] || return 0
	reason=$(cat "${PROVISION_REASON_FILE:-/dev/null}" 2>/dev/null)
	while [ "${#RUNNING[@]}" -gt 0 ]; do
		name=${RUNNING[-1]#AKS.CSE.}
		report Error "Failed with code $code: ${name% *}: $reason"
	done
}

always() { true; }

# Whether a variable is the word `true`: VARIABLE.
on() { [ "${!1:-}" = true ]; }

# Whether a variable is not empty: VARIABLE.
given() { [ -n "${!1:-}" ]; }

not() { ! "$@"; }
