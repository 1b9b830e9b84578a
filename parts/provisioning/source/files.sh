# shellcheck shell=bash
# Variables that carry files, and sections of files that others write too.

# The bytes of a variable that carries base64.
decoded() {
	printf '%s' "${!1:-}" | base64 -d 2>/dev/null
}

# Replaces our own lines of a file that others write too: those between two marks. Without text they go.
put_section() {
	local path=$1 mode=$2 name=$3 text=$4
	put "$path" "$mode" section_of "$path" "$name" "$text"
}

section_of() {
	if [ -e "$1" ]; then
		awk -v from="# $2: begin" -v to="# $2: end" '$0 == from { ours = 1 } !ours { print } $0 == to { ours = 0 }' "$1" || return
	fi
	[ -z "$3" ] || printf '# %s: begin\n%s\n# %s: end\n' "$2" "$3" "$2"
}
