# shellcheck shell=bash
# Files from texts and from variables, and files that others write too.

# Writes a text and a line break to a file: PATH MODE TEXT.
put_text() {
	put "$1" "$2" printf '%s\n' "$3"
}

# Removes files and directories: PATH... It costs no process if none of them exists.
rm_existing() {
	local path existing=()
	for path in "$@"; do
		{ [ ! -e "$path" ] && [ ! -L "$path" ]; } || existing+=("$path")
	done
	[ "${#existing[@]}" = 0 ] || rm -rf "${existing[@]}"
}

# Prints the bytes of a variable that carries base64: VARIABLE.
decoded() {
	base64 -d <<<"${!1:-}" 2>/dev/null
}

# Replaces the section between two marks in a file that others write too: PATH MODE NAME TEXT. Without a text, the section is
# removed.
put_section() {
	local path=$1 mode=$2 name=$3 text=$4
	put "$path" "$mode" with_section "$path" "$name" "$text"
}

# Prints a file with its section replaced: PATH NAME TEXT.
with_section() {
	if [ -e "$1" ]; then
		awk -v from="# $2: begin" -v to="# $2: end" '$0 == from { ours = 1 } !ours { print } $0 == to { ours = 0 }' "$1" || return
	fi
	[ -z "$3" ] || printf '# %s: begin\n%s\n# %s: end\n' "$2" "$3" "$2"
}
