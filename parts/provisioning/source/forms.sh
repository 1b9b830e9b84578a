# shellcheck shell=bash
# The forms of values. Each function has an equivalent in src/catalogue/demands.rs, and a test compares the two.

is_version() {
	[[ $1 =~ ^v?[0-9]+(\.[0-9A-Za-z+~-]+)*$ ]]
}

is_number() {
	[[ $1 =~ ^[0-9]{1,9}$ ]]
}

# A line break in a value would begin another line of the file that the value goes into.
is_one_line() {
	[[ $1 != *[$'\n\r']* ]]
}

is_unquoted() {
	[[ $1 != *[\"\\]* ]]
}

# Newer versions of `base64 -d` accept text without padding, older ones reject it.
is_base64() {
	local text=${1//$'\n'/} digits
	digits=${text%%=*}
	case ${text:${#digits}} in
	'' | = | ==) ;;
	*) return 1 ;;
	esac
	((${#text} % 4 == 0)) && [[ $digits != *[!A-Za-z0-9+/]* ]]
}

is_certificate() {
	local text=${1//[[:space:]]/}
	is_base64 "$text" && { text=$(base64 -d <<<"$text"); } 2>/dev/null && [[ $text == *-----BEGIN* ]]
}

is_object() {
	[[ $1 =~ ^[[:space:]]*\{ ]] || is_base64 "$1"
}

is_host() {
	[[ $1 == [A-Za-z0-9]* && $1 == *[A-Za-z0-9] && $1 != *[!A-Za-z0-9._:-]* ]]
}

is_registry() {
	local host=${1%%/*}
	is_host "${host%:*}" && [[ $1 != *[!A-Za-z0-9._:/-]* ]]
}

is_file_name() {
	[[ $1 =~ ^[A-Za-z0-9._-]+$ ]]
}

are_unit_settings() {
	local form='^( +(\[Service\]|Limit[A-Z]+=[0-9A-Za-z:]*))* *$'
	[[ " $1" =~ $form ]]
}

is_curl_call() {
	local words
	read -r -a words <<<"$1"
	[ "${words[0]:-}" = curl ]
}

# Patterns, not regular expressions, which bash compiles at each call: a node has dozens of labels.
# https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/#syntax-and-character-set
is_label_name() {
	((${#1} <= 63)) && [[ $1 == [A-Za-z0-9]* && $1 == *[A-Za-z0-9] && $1 != *[!A-Za-z0-9._-]* ]]
}

is_dns_name() {
	((${#1} <= 253)) && [[ $1 != *[!a-z0-9.-]* && .$1. != *.[.-]* && .$1. != *-.* ]]
}

is_label() {
	local key=${1%%=*} value=${1#*=}
	is_label_name "${key##*/}" && { [[ $key != */* ]] || is_dns_name "${key%/*}"; } &&
		{ [[ $1 != *=* || -z $value ]] || is_label_name "$value"; }
}

# A kubelet with a label that the API server rejects does not register. Empty elements are skipped, as by the kubelet.
are_labels() {
	local rest=$1,
	while [ -n "$rest" ]; do
		[ -z "${rest%%,*}" ] || is_label "${rest%%,*}" || return
		rest=${rest#*,}
	done
}
