# shellcheck shell=bash
# CNI plugins.

# Unpacks an archive of programs: ARCHIVE DIRECTORY. Each program is replaced atomically, because pods may be starting.
unpack_programs() {
	local archive=$1 target=$2 dir
	dir=$(mktemp -d "${target%/*}/.unpack.XXXXXX") || return
	if tar -xzf "$archive" --no-same-owner -C "$dir" && move_programs "$dir" "$target"; then
		rm -rf "$dir"
	else
		rm -rf "$dir"
		return 1
	fi
}

# Moves programs to another directory: FROM TO.
move_programs() {
	local files
	mapfile -d '' files < <(find "$1" -type f -print0)
	[ "${#files[@]}" = 0 ] || { chown root:root "${files[@]}" && chmod 0755 "${files[@]}" && mv -f -t "$2" "${files[@]}"; }
}

installNetworkPlugin() {
	if [ "${NETWORK_PLUGIN:-}" = azure ] && given VNET_CNI_PLUGINS_URL; then
		install_azure_cni
	elif [ -e /opt/cni/installed-from ]; then
		# An image stage had another configuration.
		is_installed_from cni '' || rm -f /opt/cni/installed-from
	fi
	local plugin
	for plugin in bridge host-local loopback; do
		if [ ! -x "/opt/cni/bin/$plugin" ]; then
			install_reference_plugins
			break
		fi
	done
	rm_existing /opt/cni/downloads
}

# Downloads and unpacks an archive of plugins: URL.
install_plugins_from_url() {
	local url file shown
	url=$(packages_url "$1")
	shown=$(redacted_url "$1")
	file=$(download_path "$url" /opt/cni/downloads)
	download 120 5 60 300 "$url" "$file" || fail "$ERR_CNI_DOWNLOAD_TIMEOUT" "$shown cannot be downloaded$(download_error)"
	unpack_programs "$file" /opt/cni/bin || {
		rm -f "$file"
		fail "$ERR_CNI_DOWNLOAD_TIMEOUT" "$shown cannot be unpacked"
	}
}

# Moves plugins that the image has unpacked already: DIRECTORY.
install_unpacked_plugins() {
	move_programs "$1" /opt/cni/bin || fail "$ERR_CNI_DOWNLOAD_TIMEOUT" "$1 cannot be moved to /opt/cni/bin"
}

install_azure_cni() {
	local file shown
	shown=$(redacted_url "$VNET_CNI_PLUGINS_URL")
	is_installed_from cni "$shown" && return 0
	file=$(download_path "$VNET_CNI_PLUGINS_URL" /opt/cni/downloads)
	if [ -d "${file%.tgz}" ]; then
		install_unpacked_plugins "${file%.tgz}"
	else
		part installAzureCNI.downloadAzureCNI install_plugins_from_url "$VNET_CNI_PLUGINS_URL"
	fi
	record_installed_from cni "$shown"
}

# Installs the plugins of https://github.com/containernetworking/plugins: from the image, from the URL of the version in the
# component list, or from the distribution.
install_reference_plugins() {
	local version dir
	dir=$(find /opt/cni/downloads -maxdepth 1 -type d -name 'cni-plugins-*' 2>/dev/null | sort -V | tail -n 1)
	if [ -n "$dir" ]; then
		install_unpacked_plugins "$dir"
		return
	fi
	version=$(component_versions cni-plugins | tail -n 1)
	version=${version#v}
	if [ -n "$version" ]; then
		install_plugins_from_url "https://packages.aks.azure.com/cni-plugins/v$version/binaries/cni-plugins-linux-$CPU_ARCH-v$version.tgz"
	else
		install_reference_plugins_package ||
			fail "$ERR_CNI_VERSION_INVALID" 'bridge, host-local or loopback is missing in /opt/cni/bin, and neither the component list nor the distribution has it'
	fi
}
