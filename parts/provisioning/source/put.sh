# shellcheck shell=bash
# Writes files atomically.

# Writes the output of a command to a file: PATH MODE COMMAND... The file is either complete or unchanged, and no other user can
# read it before it has its mode. It is on the disk when the run has recorded its result: one sync of the file system for all
# files, because one for each takes longer than writing them.
#
# A node has dozens of files, so each costs one process: it creates the file with its mode, runs the command, and becomes `mv`.
put() {
	local path=$1 mode=$2 temporary mask
	shift 2
	[ -d "${path%/*}" ] || mkdir -p "${path%/*}" || return
	# Always the same name, so that the next run replaces what a run that was killed has left.
	temporary=${path%/*}/.${path##*/}.new
	{ [ ! -e "$temporary" ] && [ ! -L "$temporary" ]; } || rm -f "$temporary" || return
	printf -v mask %o "$((0777 & ~mode))"
	if (
		umask "$mask"
		set -o noclobber
		: >"$temporary" || exit
		set +o noclobber
		"$@" >"$temporary" || exit
		# A redirection creates no program.
		[ "$((mode & 0111))" = 0 ] || chmod "$mode" "$temporary" || exit
		exec mv -fT "$temporary" "$path"
	); then
		return 0
	fi
	rm -f "$temporary"
	return 1
}
