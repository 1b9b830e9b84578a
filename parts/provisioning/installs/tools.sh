# shellcheck shell=bash
# The programs that the steps call, and whether this machine is a prepared image.

# What the steps call. A prepared image has it all.
readonly TOOLS=(curl jq tar openssl iptables ebtables ethtool conntrack nslookup nc)

lacks_tools() {
	local tool
	for tool in "${TOOLS[@]}"; do
		command -v "$tool" >/dev/null || return 0
	done
	return 1
}

installTools() {
	install_tool_packages || fail "$ERR_APT_INSTALL_TIMEOUT" 'the tools that the next steps need cannot be installed'
	! lacks_tools || fail "$ERR_APT_INSTALL_TIMEOUT" "one of these is still missing: ${TOOLS[*]}"
}

# A prepared image says so in two ways; when they differ, nothing is certain.
checkInstallMode() {
	if on IS_VHD && ! is_prepared_image; then
		fail "$ERR_VHD_FILE_NOT_FOUND" 'this machine is said to be a prepared image, and has no /opt/azure/vhd-install.complete; plain machines need IS_VHD=false'
	fi
	tag SkipBinaryCleanup >/dev/null || fail "$ERR_CLEANUP_CONTAINER_IMAGES" 'the tags of this machine are not known'
}

# kube-proxy images of other versions only take room. In the background, for nothing waits for it.
removeUnusedImages() {
	(
		containerd_is_ready || exit 0
		ctr --namespace k8s.io images list --quiet | grep '/kube-proxy:' | grep -vF ":v${KUBERNETES_VERSION#v}" | while read -r image; do
			timeout 60 ctr --namespace k8s.io images remove "$image" >/dev/null
		done
	) >/dev/null 2>&1 </dev/null &
	disown
}
