# shellcheck shell=bash
# What values may be, and how they are written into files.

# A value inside the quotes of a unit's setting. A line break would begin another setting.
unit_value() {
	local text=$1 backslash=$'\\'
	[[ $text != *[$'\n\r']* ]] || return 1
	text=${text//"$backslash"/"$backslash$backslash"}
	text=${text//\"/"$backslash\""}
	printf '%s' "${text//%/%%}"
}

# NAME=VALUE for a file that EnvironmentFile= reads.
environment_line() {
	local text=$2 backslash=$'\\'
	[[ $text != *[$'\n\r']* ]] || return 1
	text=${text//"$backslash"/"$backslash$backslash"}
	case $text in
	[\"\'\ \#\;]*) text=$backslash$text ;;
	esac
	printf '%s=%s\n' "$1" "$text"
}

is_host() {
	[[ $1 =~ ^[A-Za-z0-9]([A-Za-z0-9._:-]*[A-Za-z0-9])?$ ]]
}

is_number() {
	[[ $1 =~ ^[0-9]{1,9}$ ]]
}

is_ipv4() {
	[[ $1 =~ ^[0-9]{1,3}(\.[0-9]{1,3}){3}$ ]]
}

# Elements of a list but those of the same name: SEPARATOR LIST NAME...; an element's name ends before its `=`.
list_without() {
	local separator=$1 list=$2 element name kept=
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
	printf '%s' "$kept"
}

# A list with an element, which takes the place of one with the same name: SEPARATOR LIST ELEMENT.
list_with() {
	local kept
	kept=$(list_without "$1" "$2" "${3%%=*}")
	printf '%s' "${kept:+$kept$1}$3"
}

# The value of a flag: NAME, of KUBELET_FLAGS.
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
