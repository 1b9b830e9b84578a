# shellcheck shell=bash
# Checks the variables before anything is changed. The result names every problem, not only the first one. The checks
# themselves, in demands.sh, are generated from a table.

PROBLEMS=

add_problem() {
	PROBLEMS+=${PROBLEMS:+; }$1
}

fail_on_problems() {
	[ -z "$PROBLEMS" ] || fail "$ERR_NODE_INPUT_INVALID" "$PROBLEMS"
}

# Adds a problem for each variable that is empty: VARIABLE...
require() {
	local name
	for name in "$@"; do
		given "$name" || add_problem "$name is empty"
	done
}

# Adds a problem for each variable whose value does not have a form: FORM WORDS VARIABLE... The problem shows the value only if
# `demand_shown` is called instead: it may be a secret.
demand() {
	local form=$1 words=$2 name
	shift 2
	for name in "$@"; do
		! given "$name" || "$form" "${!name}" || add_problem "$name must be $words"
	done
}

demand_shown() {
	local form=$1 words=$2 name found
	shift 2
	for name in "$@"; do
		found=${!name:-}
		# What should have been a host may be a URL with an account.
		[[ $found != *@* ]] || found=$(redacted_url "$found")
		! given "$name" || "$form" "${!name}" || add_problem "$name must be $words, found \"$found\""
	done
}
