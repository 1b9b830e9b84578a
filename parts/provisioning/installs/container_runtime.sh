# shellcheck shell=bash
# containerd and runc.

installContainerRuntime() {
	local version=
	if given CONTAINERD_PACKAGE_URL; then
		install_containerd_from_url
		return
	fi
	command -v containerd >/dev/null && is_installed_from containerd "$OS_FAMILY" && return 0
	if [ -e "$COMPONENTS" ]; then
		version=$(component_versions containerd | tail -n 1)
		[ -n "$version" ] || version=$(jq -r '.containerd.versions[0] // empty' /opt/azure/manifest.json 2>/dev/null)
		[[ $version =~ ^[0-9][0-9A-Za-z.+~:-]*$ ]] || fail "$ERR_CONTAINERD_VERSION_INVALID" "the component list has no version of containerd: \"$version\""
	fi
	install_containerd_package "$version" || fail "$ERR_CONTAINERD_INSTALL_TIMEOUT" 'containerd cannot be installed'
	record_installed_from containerd "$OS_FAMILY"
}

install_containerd_from_url() {
	local file shown
	shown=$(redacted_url "$CONTAINERD_PACKAGE_URL")
	! is_installed_from containerd "$shown" || return 0
	file=$(download_path "$CONTAINERD_PACKAGE_URL" /opt/containerd/downloads)
	download 20 30 60 600 "$CONTAINERD_PACKAGE_URL" "$file" || fail "$ERR_CONTAINERD_DOWNLOAD_TIMEOUT" "$shown cannot be downloaded"
	install_package_file "$file" || {
		rm -f "$file"
		fail "$ERR_CONTAINERD_INSTALL_TIMEOUT" "$shown cannot be installed"
	}
	record_installed_from containerd "$shown"
	rm -f "$file"
}

installRunc() {
	local file shown
	shown=$(redacted_url "$RUNC_PACKAGE_URL")
	! is_installed_from runc "$shown" || return 0
	file=$(download_path "$RUNC_PACKAGE_URL" /opt/runc/downloads)
	download 20 30 60 600 "$RUNC_PACKAGE_URL" "$file" || fail "$ERR_RUNC_DOWNLOAD_TIMEOUT" "$shown cannot be downloaded"
	install_package_file "$file" || {
		rm -f "$file"
		fail "$ERR_RUNC_INSTALL_TIMEOUT" "$shown cannot be installed"
	}
	record_installed_from runc "$shown"
	rm -f "$file"
}
