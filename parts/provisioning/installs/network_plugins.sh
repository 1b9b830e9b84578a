# shellcheck shell=bash
# CNI plugins.

# Unpacks an archive into a folder so that each program is whole there or not at all.
unpack_programs() {
	local archive=$1 target=$2 folder
	folder=$(mktemp -d "${target%/*}/.unpack.XXXXXX") || return
	if tar -xzf "$archive" --no-same-owner -C "$folder" && take_programs "$folder" "$target"; then
		rm -rf "$folder"
	else
		rm -rf "$folder"
		return 1
	fi
}

take_programs() {
	local file
	while IFS= read -r -d '' file; do
		mv -fT "$file" "$2/${file##*/}" || return
	done < <(find "$1" -type f -print0)
	chown -R root:root "$2" && chmod -R 0755 "$2"
}

installNetworkPlugin() {
	if [ "${NETWORK_PLUGIN:-}" = azure ] && given VNET_CNI_PLUGINS_URL; then
		installAzureCNI
	fi
	local plugin
	for plugin in bridge host-local loopback; do
		if [ ! -x "/opt/cni/bin/$plugin" ]; then
			installReferencePlugins
			break
		fi
	done
	rm -rf /opt/cni/downloads
}

installAzureCNI() {
	local file shown url
	url=$(packages_url "$VNET_CNI_PLUGINS_URL")
	shown=$(shown_url "$VNET_CNI_PLUGINS_URL")
	is_installed_from cni "$shown" && return 0
	file=$(file_of_url "$url" /opt/cni/downloads)
	if [ -d "${file%.tgz}" ]; then
		take_programs "${file%.tgz}" /opt/cni/bin || fail "$ERR_CNI_DOWNLOAD_TIMEOUT" "${file%.tgz} cannot be moved to /opt/cni/bin"
	else
		download 120 5 60 300 "$url" "$file" || fail "$ERR_CNI_DOWNLOAD_TIMEOUT" "$shown cannot be downloaded"
		unpack_programs "$file" /opt/cni/bin || {
			rm -f "$file"
			fail "$ERR_CNI_DOWNLOAD_TIMEOUT" "$shown cannot be unpacked"
		}
	fi
	note_installed_from cni "$shown"
}

installReferencePlugins() {
	local version folder url file
	folder=$(find /opt/cni/downloads -maxdepth 1 -type d -name 'cni-plugins-*' 2>/dev/null | sort -V | tail -n 1)
	if [ -n "$folder" ]; then
		take_programs "$folder" /opt/cni/bin || fail "$ERR_CNI_DOWNLOAD_TIMEOUT" "$folder cannot be moved to /opt/cni/bin"
		return
	fi
	version=$(component_versions cni-plugins | tail -n 1)
	version=${version#v}
	if [ -z "$version" ]; then
		installReferencePluginsPackage ||
			fail "$ERR_CNI_VERSION_INVALID" 'bridge, host-local or loopback is missing, and neither the component list nor the distribution has it'
		return
	fi
	url=$(packages_url "https://packages.aks.azure.com/cni-plugins/v$version/binaries/cni-plugins-linux-$CPU_ARCH-v$version.tgz")
	file=$(file_of_url "$url" /opt/cni/downloads)
	download 120 5 60 300 "$url" "$file" || fail "$ERR_CNI_DOWNLOAD_TIMEOUT" "$url cannot be downloaded"
	unpack_programs "$file" /opt/cni/bin || {
		rm -f "$file"
		fail "$ERR_CNI_DOWNLOAD_TIMEOUT" "$url cannot be unpacked"
	}
}
