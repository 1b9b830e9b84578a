# shellcheck shell=bash
# Where programs come from.
# shellcheck disable=SC2034 # other scripts read these

readonly BIN=/opt/bin
readonly COMPONENTS=/opt/azure/components.json

# Prints the versions of a component that the image's component list has for a system, the highest last: NAME [SYSTEM].
component_versions() {
	local release
	release=r${OS_VERSION//./}
	jq -r --arg name "$1" --arg os "${2:-$OS_ID}" --arg release "$release" --arg version "v$OS_VERSION" '
		.Packages[]? | select(.name == $name) | .downloadURIs
		| (.[$os] // .default) | (.[$release] // .[$version] // .current // empty)
		| .versionsV2[]?.latestVersion' "$COMPONENTS" 2>/dev/null | sort -V
}

# Whether a program was installed from this source already: NAME SOURCE. A second run then does not install it again. What an image stage
# has left for nodes with another source, `unused`, goes then, or else what it has `added` from its own.
is_installed_from() {
	local source='' stale=unused paths
	[ ! -e "/opt/$1/installed-from" ] || IFS= read -r source <"/opt/$1/installed-from"
	[ "$source" = "$2" ] || stale=added
	if [ -e "/opt/$1/unused" ] && ! makes_an_image; then
		mapfile -t paths <"/opt/$1/$stale"
		rm -rf "${paths[@]}" "/opt/$1/"{added,unused}
	fi
	[ "$stale" = unused ]
}

record_installed_from() {
	put_text "/opt/$1/installed-from" 0644 "$2" || warn "/opt/$1/installed-from cannot be written, so a second run installs $1 again"
}

# The host for URLs of packages.aks.azure.com, which some networks do not allow yet.
PACKAGES_HOST=packages.aks.azure.com

# `fetchMetadata` reads the metadata that is requested meanwhile, and asks again if there is none.
resolvePackagesSourceURL() {
	local status
	request_metadata &
	status=$(retry 5 1 5 curl --silent --output /dev/null --write-out '%{http_code}' "https://$PACKAGES_HOST/acs-mirror/healthz")
	wait "$!"
	if [ "${status: -3}" != 200 ]; then
		PACKAGES_HOST=acs-mirror.azureedge.net
	fi
	log "packages come from $PACKAGES_HOST"
	note setPackagesBaseURL "$PACKAGES_HOST"
}

# Prints a URL with the host that answers.
packages_url() {
	if [[ $1 == https://packages.aks.azure.com/* && $PACKAGES_HOST != packages.aks.azure.com ]]; then
		printf 'https://%s/%s' "$PACKAGES_HOST" "${1#https://packages.aks.azure.com/}"
	else
		printf '%s' "$1"
	fi
}

# Whether an address is a reference to a registry, which has no scheme.
is_registry_reference() {
	[ -n "$1" ] && [[ $1 != *://* ]]
}

# Prints the version in the path of a URL, such as v1.34.2. Fails if there is none.
url_version() {
	[[ $1 =~ /(v[0-9]+\.[0-9][^/]*)/ ]] && printf '%s' "${BASH_REMATCH[1]}"
}

# Downloads an archive and prints its path: URL DIRECTORY.
fetch_archive() {
	local url dir=$2 archive
	url=$(packages_url "$1")
	if is_registry_reference "$url"; then
		# The image may have archives of other versions.
		dir+=/registry
		rm -rf "$dir"
		pull_artifact "$url" "$dir" >&2 && archive=$(find_cached "$dir" '*.tar.gz') && is_complete_file "$archive" || return
	else
		archive=$(download_path "$url" "$dir")
		download 120 5 60 300 "$url" "$archive" >&2 || return
	fi
	printf '%s' "$archive"
}
