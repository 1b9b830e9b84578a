# shellcheck shell=bash
# Values of variables: their forms, how they are written into files, and lists in them.

# Prints a value for use inside the quotes of a setting of a unit: VALUE. Fails if it has a line break, which would begin
# another setting. https://www.freedesktop.org/software/systemd/man/latest/systemd.syntax.html#Quoting
unit_value() {
	local text=$1 backslash=$'\\'
	[[ $text != *[$'\n\r']* ]] || return 1
	text=${text//"$backslash"/"$backslash$backslash"}
	text=${text//\"/"$backslash\""}
	printf '%s' "${text//%/%%}"
}

# Prints a line for a file that EnvironmentFile= reads: NAME VALUE. Fails if the value has a line break.
# https://www.freedesktop.org/software/systemd/man/latest/systemd.exec.html#EnvironmentFile=
environment_line() {
	local text=$2 backslash=$'\\'
	[[ $text != *[$'\n\r']* ]] || return 1
	text=${text//"$backslash"/"$backslash$backslash"}
	case $text in
	[\"\'\ \#\;]*) text=$backslash$text ;;
	esac
	printf '%s=%s\n' "$1" "$text"
}

is_ipv4() {
	[[ $1 =~ ^[0-9]{1,3}(\.[0-9]{1,3}){3}$ ]]
}

# Prints a list without the elements of some names: SEPARATOR LIST NAME... An element is NAME or NAME=VALUE.
list_without() {
	local kept=
	keep_others "$@"
	printf '%s' "$kept"
}

# Adds the elements of other names to `kept`.
keep_others() {
	local separator=$1 list=$2 element name
	shift 2
	local IFS=$separator
	set -f
	for element in $list; do
		for name in "$@"; do
			if [ "${element%%=*}" = "$name" ]; then
				continue 2
			fi
		done
		[ -z "$element" ] || kept+=${kept:+$separator}$element
	done
	set +f
}

# Prints a list with an element, which replaces one of the same name: SEPARATOR LIST ELEMENT.
list_with() {
	local kept=
	keep_others "$1" "$2" "${3%%=*}"
	printf '%s' "${kept:+$kept$1}$3"
}

# Prints the value of a flag in KUBELET_FLAGS: NAME. Fails if there is no such flag.
kubelet_flag() {
	local flag found=1
	set -f
	for flag in ${KUBELET_FLAGS:-}; do
		if [ "${flag%%=*}" = "$1" ]; then
			printf '%s' "${flag#*=}"
			found=0
			break
		fi
	done
	set +f
	return "$found"
}
