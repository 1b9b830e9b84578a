# shellcheck shell=bash
# containerd and runc.

# Installs containerd from a URL, or the version of the component list from the distribution.
installContainerRuntime() {
	local version=
	if given CONTAINERD_PACKAGE_URL; then
		part installContainerRuntime.downloadContainerdFromURL install_package_from_url containerd "$CONTAINERD_PACKAGE_URL" "$ERR_CONTAINERD_DOWNLOAD_TIMEOUT" "$ERR_CONTAINERD_INSTALL_TIMEOUT"
		return
	fi
	command -v containerd >/dev/null && is_installed_from containerd "$OS_FAMILY" && return 0
	if [ -e "$COMPONENTS" ]; then
		version=$(component_versions containerd | tail -n 1)
		[ -n "$version" ] || version=$(jq -r '.containerd.versions[0] // empty' /opt/azure/manifest.json 2>/dev/null)
		[[ $version =~ ^[0-9][0-9A-Za-z.+~:-]*$ ]] ||
			fail "$ERR_CONTAINERD_VERSION_INVALID" "$COMPONENTS has no valid version of containerd, found \"$version\""
	fi
	part installContainerRuntime.installStandaloneContainerd install_containerd_package "$version" || fail "$ERR_CONTAINERD_INSTALL_TIMEOUT" 'containerd cannot be installed'
	record_installed_from containerd "$OS_FAMILY"
}

installRunc() {
	install_package_from_url runc "$RUNC_PACKAGE_URL" "$ERR_RUNC_DOWNLOAD_TIMEOUT" "$ERR_RUNC_INSTALL_TIMEOUT"
}

# Downloads and installs a package, unless it was before: NAME URL DOWNLOAD_CODE INSTALL_CODE.
install_package_from_url() {
	local name=$1 url=$2 file shown
	shown=$(redacted_url "$url")
	! is_installed_from "$name" "$shown" || return 0
	file=$(download_path "$url" "/opt/$name/downloads")
	download 20 30 60 600 "$url" "$file" || fail "$3" "$shown cannot be downloaded$(download_error)"
	install_package_file "$file" || {
		rm -f "$file"
		fail "$4" "$shown cannot be installed"
	}
	record_installed_from "$name" "$shown"
	rm -f "$file"
}
