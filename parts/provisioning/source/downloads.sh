# shellcheck shell=bash
# Downloads from URLs and registries.

# The login at the registry of an isolated cluster. HOME is not set, so oras needs the path.
readonly REGISTRY_LOGIN=/etc/oras/config.yaml

# Whether a downloaded file is complete. A truncated archive cannot be listed.
is_complete_file() {
	[ -s "$1" ] || return
	case $1 in
	*.tar.gz | *.tgz | *.tar.gz.part | *.tgz.part) tar -tzf "$1" >/dev/null 2>&1 ;;
	esac
}

# Hosts, one in each line, from which programs may come over http and without a published checksum. Only the builder of an image makes
# this file; no input of the node does.
readonly UNVERIFIED_HOSTS=/etc/aks-node-controller/unverified-hosts

# Prints host and port of a URL in lower case. Prints nothing if there is an account, which may look like a host.
host_of() {
	local authority=${1#*://}
	authority=${authority%%[/?#\\]*}
	[[ $authority == *@* ]] || printf '%s' "${authority,,}"
}

# Whether downloads from the host of a URL are not verified. The file counts only if no other user can write it.
is_unverified_host() {
	local host
	[ -O "$UNVERIFIED_HOSTS" ] && host=$(host_of "$1") && [ -n "$host" ] && [[ $(stat -Lc %a "$UNVERIFIED_HOSTS") == *[0145][0145] ]] &&
		grep -qxF "$host" "$UNVERIFIED_HOSTS"
}

# Whether the host of a URL is known to publish no checksums: URL. AKS itself downloads from these hosts without one.
has_no_checksums() {
	case $(host_of "$1") in
	packages.aks.azure.com | acs-mirror.azureedge.net | packages.microsoft.com) ;;
	*) is_unverified_host "$1" ;;
	esac
}

# Fetches a URL to a file: SECONDS URL PATH. Programs come over https only, also after redirects. curl reads the URL from standard
# input, because arguments can be seen by every user.
fetch() {
	local limit=$1 url=$2 path=$3 scheme=https protocols='=https'
	! is_unverified_host "$url" || scheme='https?' protocols='=http,https'
	if [[ ! ${url,,} =~ ^$scheme://[^[:space:]\"\\]+$ ]]; then
		printf 'only https URLs are downloaded' >&2
		return 3
	fi
	bounded "$limit" curl --fail --silent --show-error --location --proto "$protocols" --proto-redir "$protocols" --connect-timeout 10 \
		--output "$path" --config - <<<"url = \"$url\""
}

# Whether a file has the checksum that is published at URL.sha256: URL PATH. Prints why not.
matches_published_checksum() {
	local url=$1 path=$2 query='' sum code=0
	url=${url%%#*}
	[[ $url != *\?* ]] || query="?${url#*\?}"
	sum=$(fetch 10 "${url%%\?*}.sha256$query" - 2>&1) || code=$?
	case $code/$sum in
	0/*)
		read -r sum _ <<<"$sum"
		[ "$(sha256sum <"$path" | cut -d ' ' -f 1)" != "${sum,,}" ] || return 0
		printf 'what was sent does not match the published checksum'
		;;
	22/*' error: 404'* | 22/*' error: 410'*)
		! has_no_checksums "$url" || return 0
		printf 'no checksum is published at %s.sha256' "$(redacted_url "$url")"
		;;
	*) printf 'the published checksum cannot be downloaded: %s' "$(redacted_output "$url" <<<"${sum%%$'\n'*}")" ;;
	esac
	return 1
}

# Whether every other try would fail in the same way: CODE ERROR, of curl. Its codes are 1 and 3 for the URL and 23 for the disk.
is_permanent() {
	[[ $1 =~ ^(1|3|23)$ || $1/$2 =~ ^22/.*error:\ (400|401|404|405|406|410|414|451) || $2 == 'no checksum is published '* ]]
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
	rm_existing "${PROVISION_REASON_FILE:-/nonexistent}.download"
	[ -d "${path%/*}" ] || mkdir -p "${path%/*}" || return 1
	for ((try = 1; ; try++)); do
		! is_complete_file "$path" || return 0
		[ "$try" != 1 ] || note logDownloadURL "$(redacted_url "$url")"
		rm_existing "$path"
		left=$((until - EPOCHSECONDS))
		if [ "$left" -le 0 ] || ! has_time; then
			warn "no time is left to download $(redacted_url "$url")"
			rm -f "$part"
			return 2
		fi
		code=0
		error=$(fetch "$((limit < left ? limit : left))" "$url" "$part" 2>&1) || code=$?
		[ "$code" = 0 ] || error=$(redacted_output "$url" <<<"$error")
		[ "$code" != 124 ] || error='no answer in time'
		if [ "$code" = 0 ]; then
			if ! is_complete_file "$part"; then
				error='what was sent is incomplete'
			elif error=$(matches_published_checksum "$url" "$part"); then
				mv -f "$part" "$path" && return 0
				error="$path cannot be written"
			fi
			keep_download_error "$error"
			warn "the download of $(redacted_url "$url") fails: $error"
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
		before_pause
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
		if [ "$try" = 10 ] || [ "$code" = 127 ] || ! has_time || [[ $try == 3 && $error == *'not found'* ]]; then
			warn "oras $1 ends with code $code: $(redacted_output <<<"${error##*$'\n'}")" >&2
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
