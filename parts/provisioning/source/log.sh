# shellcheck shell=bash
# Lines of the log, and the end of a run.

say() {
	printf '%(%F %T)T %s\n' -1 "$*"
}

warn() {
	say "warning: $*"
}

# Ends the run, or the subshell, with a code. The reason goes to the log and into the result.
fail() {
	local code=$1
	shift
	say "error $code: $*"
	printf '%s' "$*" >"${PROVISION_REASON_FILE:-/dev/null}"
	exit "$code"
}
