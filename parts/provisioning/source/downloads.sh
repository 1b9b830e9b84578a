# shellcheck shell=bash
# Downloads from addresses and registries.

# A login at the registry of an isolated cluster, kept where oras looks for it.
readonly REGISTRY_LOGIN=/etc/oras/config.yaml

# Whether a downloaded file is all there.
is_complete_file() {
	[ -s "$1" ] || return
	case $1 in
	*.tar.gz | *.tgz | *.tar.gz.part | *.tgz.part) tar -tzf "$1" >/dev/null 2>&1 ;;
	esac
}

# An address without what may be a secret in it.
redacted_url() {
	local url=${1%%\?*}
	if [[ $url =~ ^([a-z]+://)[^/@]*@(.*)$ ]]; then
		url=${BASH_REMATCH[1]}${BASH_REMATCH[2]}
	fi
	printf '%s' "$url"
}

# Fetches an address to a file within LIMIT seconds. The address goes in by standard input, for it may carry a token.
fetch() {
	local limit=$1 url=$2 path=$3
	[[ $url =~ ^https?://[^[:space:]\"\\]+$ ]] || return 3
	bounded "$limit" curl --fail --silent --show-error --location --connect-timeout 10 --output "$path" --config - \
		<<<"url = \"$url\""
}

# Compares a file with the sum that is published beside it, if one is.
matches_published_checksum() {
	local url=$1 path=$2 sum
	sum=$(fetch 10 "${url%%\?*}.sha256" - 2>/dev/null | awk 'NR == 1 { print $1 }')
	[[ $sum =~ ^[0-9a-fA-F]{64}$ ]] || return 0
	[ "$(sha256sum <"$path" | cut -d ' ' -f 1)" = "${sum,,}" ]
}

# Downloads to a file that is whole or not there: TRIES, PAUSE, LIMIT of one try, BUDGET of all together, in seconds.
# 0: it is there; 1: it never came; 2: there is no time left.
download() {
	local tries=$1 pause=$2 limit=$3 budget=$4 url=$5 path=$6 part=$6.part until try left
	until=$((EPOCHSECONDS + budget))
	mkdir -p "${path%/*}" || return 1
	for ((try = 1; ; try++)); do
		! is_complete_file "$path" || return 0
		rm -f "$path"
		left=$((until - EPOCHSECONDS))
		if [ "$left" -le 0 ] || [ "$(seconds_left)" -le 0 ]; then
			warn "no time is left to download $(redacted_url "$url")"
			rm -f "$part"
			return 2
		fi
		if fetch "$((limit < left ? limit : left))" "$url" "$part"; then
			if ! is_complete_file "$part"; then
				warn "what $(redacted_url "$url") sends is not whole"
			elif ! matches_published_checksum "$url" "$part"; then
				warn "what $(redacted_url "$url") sends has not the sum that is published beside it"
			elif mv -f "$part" "$path"; then
				return 0
			fi
		fi
		rm -f "$part"
		[ "$try" -lt "$tries" ] || return 1
		sleep "$pause"
	done
}

# The file of an address, under a folder.
download_path() {
	local name=${1%%\?*}
	printf '%s/%s' "$2" "${name##*/}"
}

pull_artifact() {
	local reference=$1 folder=$2
	mkdir -p "$folder" || return 1
	retry 10 5 60 oras pull --registry-config "$REGISTRY_LOGIN" --output "$folder" "$reference"
}
