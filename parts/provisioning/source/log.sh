# shellcheck shell=bash
# Log lines, and the end of a run.

log() {
	printf '%(%F %T)T %s\n' -1 "$*"
}

warn() {
	log "warning: $*"
}

# Ends the run, or the subshell: CODE REASON. The log and the result show the reason.
fail() {
	local code=$1
	shift
	log "error $code: $*"
	printf '%s' "$*" >"${PROVISION_REASON_FILE:-/dev/null}"
	exit "$code"
}
