# shellcheck shell=bash
# Writes files atomically.

# Writes the output of a command to a file: PATH MODE COMMAND... The file is either complete or unchanged, and no other user can
# read it before it has its mode.
put() {
	local path=$1 mode=$2 temporary
	shift 2
	mkdir -p "${path%/*}" || return
	temporary=$(umask 077 && mktemp "${path%/*}/.${path##*/}.XXXXXX") || return
	if "$@" >"$temporary" && chmod "$mode" "$temporary" && sync "$temporary" && mv -fT "$temporary" "$path"; then
		return 0
	fi
	rm -f "$temporary"
	return 1
}
