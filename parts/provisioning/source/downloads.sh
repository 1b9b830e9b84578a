# shellcheck shell=bash
# Downloads from URLs and registries.

# The login at the registry of an isolated cluster. HOME is not set, so oras needs the path.
readonly REGISTRY_LOGIN=/etc/oras/config.yaml

# Whether a downloaded file is complete. An archive that was cut off fails to be listed.
is_complete_file() {
	[ -s "$1" ] || return
	case $1 in
	*.tar.gz | *.tgz | *.tar.gz.part | *.tgz.part) tar -tzf "$1" >/dev/null 2>&1 ;;
	esac
}

# Prints a URL without account and query, which may be secrets.
redacted_url() {
	local url=${1%%\?*}
	if [[ $url =~ ^([a-z]+://)[^/@]*@(.*)$ ]]; then
		url=${BASH_REMATCH[1]}${BASH_REMATCH[2]}
	fi
	printf '%s' "$url"
}

# Fetches a URL to a file: SECONDS URL PATH. curl reads the URL from standard input, because arguments can be seen by every user.
fetch() {
	local limit=$1 url=$2 path=$3
	[[ $url =~ ^https?://[^[:space:]\"\\]+$ ]] || return 3
	bounded "$limit" curl --fail --silent --show-error --location --connect-timeout 10 --output "$path" --config - \
		<<<"url = \"$url\""
}

# Whether a file has the checksum that is published at URL.sha256: URL PATH. True if there is none.
matches_published_checksum() {
	local url=$1 path=$2 sum
	sum=$(fetch 10 "${url%%\?*}.sha256" - 2>/dev/null | awk 'NR == 1 { print $1 }')
	[[ $sum =~ ^[0-9a-fA-F]{64}$ ]] || return 0
	[ "$(sha256sum <"$path" | cut -d ' ' -f 1)" = "${sum,,}" ]
}

# Whether every other try would fail in the same way: CODE ERROR, of curl. Its codes are 1 and 3 for the URL and 23 for the disk.
is_permanent() {
	[[ $1 =~ ^(1|3|23)$ || $1/$2 =~ ^22/.*error:\ (400|401|404|405|406|410|414|451) ]]
}

# Keeps the error of a download for the reason of a run that ends with it: ERROR. In a file, because archives are fetched in subshells.
keep_download_error() {
	[ ! -f "${PROVISION_REASON_FILE:-}" ] || [ -z "$1" ] || printf '%s' "$1" >"$PROVISION_REASON_FILE.download"
}

# Prints why the last download failed, after a colon, or nothing if there was none.
download_error() {
	local error=''
	[ ! -s "${PROVISION_REASON_FILE:-/nonexistent}.download" ] || error=$(cat "$PROVISION_REASON_FILE.download")
	printf '%s' "${error:+: $error}"
}

# Prints an error of curl, and names the proxy if that is what cannot be reached: ERROR.
with_proxy_named() {
	local proxy host name=''
	for proxy in "${HTTPS_PROXY:-}" "${HTTP_PROXY:-}"; do
		host=${proxy#*://}
		host=${host##*@}
		host=${host%%[:/]*}
		[ -z "$host" ] || [[ $1 != *" to $host port "* ]] || name=' (this is the proxy)'
	done
	printf '%s%s' "$1" "$name"
}

# Downloads a file, which is either complete or missing afterwards: TRIES PAUSE LIMIT BUDGET URL PATH, with the pause, the limit
# of a try and the budget of all tries in seconds. 0: it is there; 1: each try failed; 2: no time is left.
download() {
	local tries=$1 pause=$2 limit=$3 budget=$4 url=$5 path=$6 part=$6.part until try left error last='' code
	until=$((EPOCHSECONDS + budget))
	[ ! -f "${PROVISION_REASON_FILE:-}" ] || rm -f "$PROVISION_REASON_FILE.download"
	mkdir -p "${path%/*}" || return 1
	for ((try = 1; ; try++)); do
		! is_complete_file "$path" || return 0
		[ "$try" != 1 ] || note logDownloadURL "$(redacted_url "$url")"
		rm -f "$path"
		left=$((until - EPOCHSECONDS))
		if [ "$left" -le 0 ] || [ "$(seconds_left)" -le 0 ]; then
			warn "no time is left to download $(redacted_url "$url")"
			rm -f "$part"
			return 2
		fi
		code=0
		error=$(fetch "$((limit < left ? limit : left))" "$url" "$part" 2>&1) || code=$?
		[ "$code" != 124 ] || error='no answer in time'
		if [ "$code" = 0 ]; then
			if ! is_complete_file "$part"; then
				keep_download_error 'what was sent is incomplete'
				warn "the download of $(redacted_url "$url") is incomplete"
			elif ! matches_published_checksum "$url" "$part"; then
				keep_download_error 'what was sent does not match the published checksum'
				warn "the download of $(redacted_url "$url") does not match its published checksum"
			elif mv -f "$part" "$path"; then
				return 0
			fi
		elif [ "$code $error" != "$last" ]; then
			# Dozens of tries end in the same way, and their lines would push all others out of the result.
			last="$code $error"
			keep_download_error "$(with_proxy_named "${error%%$'\n'*}")"
			warn "the download of $(redacted_url "$url") ends with code $code of curl: $error"
		fi
		rm -f "$part"
		if [ "$try" -ge "$tries" ] || is_permanent "$code" "$error"; then
			return 1
		fi
		sleep "$pause"
	done
}

# Prints the path to which a URL is downloaded: URL DIRECTORY.
download_path() {
	local name=${1%%\?*}
	printf '%s/%s' "$2" "${name##*/}"
}

# Calls oras, up to ten times, or up to three times if the registry answers that it has no such thing: LIMIT WORD..., with the limit of a
# try in seconds.
ask_registry() {
	local limit=$1 try code error
	shift
	for ((try = 1; ; try++)); do
		code=0
		{ error=$(bounded "$limit" oras "$@" 2>&1 >&3) || code=$?; } 3>&1
		[ "$code" != 0 ] || return 0
		if [ "$try" = 10 ] || [ "$code" = 127 ] || [ "$(seconds_left)" -le 0 ] || [[ $try == 3 && $error == *'not found'* ]]; then
			warn "oras $1 ends with code $code: ${error##*$'\n'}" >&2
			return 1
		fi
		sleep 5
	done
}

# Pulls the files of an artifact from a registry: REFERENCE DIRECTORY [OPTION...].
pull_artifact() {
	local reference=$1 dir=$2
	shift 2
	mkdir -p "$dir" || return 1
	note logDownloadURL "$reference"
	ask_registry 60 pull --registry-config "$REGISTRY_LOGIN" --output "$dir" "$@" "$reference"
}
