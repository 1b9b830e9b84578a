# shellcheck shell=bash
# Where programs come from.
# shellcheck disable=SC2034 # other scripts read these

readonly BIN=/opt/bin
readonly COMPONENTS=/opt/azure/components.json

# The versions that a component list names for this system, the highest last.
component_versions() {
	local release
	release=r${OS_VERSION//./}
	jq -r --arg name "$1" --arg os "$OS_ID" --arg release "$release" --arg version "v$OS_VERSION" '
		.Packages[]? | select(.name == $name) | .downloadURIs
		| (.[$os] // .default) | (.[$release] // .[$version] // .current // empty)
		| .versionsV2[]?.latestVersion' "$COMPONENTS" 2>/dev/null | sort -V
}

# Whether what is installed came from there already: NAME SOURCE. A second run need not bring it again.
is_installed_from() {
	[ "$(cat "/opt/$1/installed-from" 2>/dev/null)" = "$2" ]
}

record_installed_from() {
	put_text "/opt/$1/installed-from" 0644 "$2"
}

# The base of addresses whose host the region may not reach.
PACKAGES_HOST=packages.aks.azure.com

resolvePackagesSourceURL() {
	local status
	status=$(retry 5 1 5 curl --silent --output /dev/null --write-out '%{http_code}' "https://$PACKAGES_HOST/acs-mirror/healthz")
	if [ "${status: -3}" != 200 ]; then
		PACKAGES_HOST=acs-mirror.azureedge.net
	fi
	say "packages come from $PACKAGES_HOST"
}

# An address with the host that answers.
packages_url() {
	if [[ $1 == https://packages.aks.azure.com/* && $PACKAGES_HOST != packages.aks.azure.com ]]; then
		printf 'https://%s/%s' "$PACKAGES_HOST" "${1#https://packages.aks.azure.com/}"
	else
		printf '%s' "$1"
	fi
}
