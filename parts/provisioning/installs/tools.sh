# shellcheck shell=bash
# Programs that the steps call, and images of AKS.

# A prepared image has all of them.
readonly TOOLS=(curl jq tar openssl iptables ebtables ethtool conntrack nslookup nc)

lacks_tools() {
	local tool
	for tool in "${TOOLS[@]}"; do
		command -v "$tool" >/dev/null || return 0
	done
	return 1
}

installTools() {
	install_tool_packages || fail "$ERR_APT_INSTALL_TIMEOUT" "the packages of these tools cannot be installed: ${TOOLS[*]}"
	! lacks_tools || fail "$ERR_APT_INSTALL_TIMEOUT" "one of these tools is missing after the installation of its package: ${TOOLS[*]}"
}

# IS_VHD and the log of the image build both say whether this is a prepared image. The first without the second means that the
# image was changed or IS_VHD is wrong.
checkInstallMode() {
	if on IS_VHD && ! is_prepared_image; then
		fail "$ERR_VHD_FILE_NOT_FOUND" 'IS_VHD is true, but /opt/azure/vhd-install.complete is missing; set IS_VHD=false for machines that are not made from an AKS image'
	fi
	has_tags || fail "$ERR_CLEANUP_CONTAINER_IMAGES" 'the tags of this machine cannot be read from the metadata'
}

# Removes kube-proxy images of other versions, which only use disk space. In the background, because no step needs the result.
cleanUpContainerImages() {
	(
		containerd_is_ready || exit 0
		bounded 60 ctr --namespace k8s.io images list --quiet | grep '/kube-proxy:' | grep -vF ":v${KUBERNETES_VERSION#v}" | while read -r image; do
			timeout 60 ctr --namespace k8s.io images remove "$image" >/dev/null
		done
	) >/dev/null 2>&1 </dev/null &
	disown
}
