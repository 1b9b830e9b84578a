# shellcheck shell=bash
# URLs as they may be shown.

# Prints a URL without account, query and fragment, which may be secrets. A password that is not percent-encoded may have any of
# `/ @ ? #`, so the account ends with the last @. Where this may be the @ of a query, as in `h/p?sig=a@b`, only the scheme is printed.
# Runs in every POSIX shell.
redacted_url() {
	local scheme='' rest=$1 account=''
	case ${1%%://*} in
	'' | "$1" | *[!A-Za-z0-9+.-]*) ;;
	*) scheme=${1%%://*}:// rest=${1#*://} ;;
	esac
	case $rest in
	*[[:cntrl:]]*) rest='[redacted]' ;;
	*@*) account=${rest%@*} rest=${rest##*@} ;;
	esac
	case $account in
	*@*[?#]* | *[?#]*@* | \[*[?#]*) rest= ;;
	*[?#]*)
		# What is behind the colon of a host is a number, or else the password of an account.
		case ${account%%[/?#]*} in
		*:*[!0-9]*) ;;
		*) rest= ;;
		esac
		;;
	esac
	rest=${rest%%[?#]*}
	case ${rest%%/*} in
	'') [ -z "$account" ] || rest='[redacted]' ;;
	\[*) ;;
	*:*[!0-9]*) rest=${rest%%:*} ;;
	esac
	printf '%s' "$scheme$rest"
}

# Prints the output of a program, standard input, without the accounts and queries of the proxies and of other URLs: [URL...]. curl
# shows the whole URL of a proxy that it cannot use.
redacted_output() {
	local line url
	while IFS= read -r line || [ -n "$line" ]; do
		for url in "$@" "${HTTPS_PROXY:-}" "${HTTP_PROXY:-}"; do
			[[ -z $url || $line != *"$url"* ]] || line=${line//"$url"/"$(redacted_url "$url")"}
		done
		printf '%s\n' "$line"
	done
}
