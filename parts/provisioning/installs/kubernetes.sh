# shellcheck shell=bash
# kubelet and kubectl.

# Whether the archive of a URL comes before packages: if the URL is the caller's own, for versions that have no packages, and on
# Azure Linux 2.0.
prefers_kube_url() {
	given CUSTOM_KUBE_BINARY_URL || given PRIVATE_KUBE_BINARY_URL ||
		{ ! family flatcar acl && ! has_tag ShouldEnforceKubePMCInstall && ! kubernetes_ge 1.34.0; } ||
		{ family mariner && [[ $OS_VERSION == 2.* ]] && ! is_isolated; }
}

configureKubeletAndKubectl() {
	mkdir -p "$BIN"
	local from=configureKubeletAndKubectl.installKubeletKubectlFrom
	if prefers_kube_url; then
		part "${from}URL" install_kube_from_url
	elif is_isolated; then
		part "${from}BootstrapProfileRegistry" install_kube_from_registry
	elif has_kube_packages; then
		part "${from}Pkg" install_kube_packages
	elif given KUBE_BINARY_URL; then
		part "${from}URL" install_kube_from_url
	else
		fail "$ERR_K8S_INSTALL_ERR" "there is no source for Kubernetes ${KUBERNETES_VERSION:-} on this system; set KUBE_BINARY_URL"
	fi
}

# Renames the programs of a version to those that are called: VERSION. kubelet is last, because its unit waits for it.
use_kube_version() {
	local version=$1 name
	for name in kubectl kubelet; do
		mv -fT "$BIN/$name-$version" "$BIN/$name" || return
		# A link points into a system extension, which is read-only.
		if [ ! -L "$BIN/$name" ]; then
			chown root:root "$BIN/$name" && chmod 0755 "$BIN/$name" || return
		fi
	done
	(find "$BIN" -maxdepth 1 \( -name 'kubelet-*' -o -name 'kubectl-*' \) -delete >/dev/null 2>&1 </dev/null &)
}

install_kube_from_url() {
	local version=${KUBERNETES_VERSION#v} url=${KUBE_BINARY_URL:-} archive
	if given CUSTOM_KUBE_BINARY_URL; then
		url=$CUSTOM_KUBE_BINARY_URL
		rm -f "$BIN/kubelet-$version" "$BIN/kubectl-$version"
	elif given PRIVATE_KUBE_BINARY_URL; then
		url=$PRIVATE_KUBE_BINARY_URL
	fi
	is_installed_from kubernetes "$version $(redacted_url "$url")" && [ -x "$BIN/kubelet" ] && return 0
	if [ ! -x "$BIN/kubelet-$version" ] || [ ! -x "$BIN/kubectl-$version" ]; then
		if given PRIVATE_KUBE_BINARY_URL && ! given CUSTOM_KUBE_BINARY_URL; then
			archive=$(download_path "$url" /opt/kubernetes/downloads/private-packages)
			is_complete_file "$archive" || fail "$ERR_K8S_DOWNLOAD_TIMEOUT" "PRIVATE_KUBE_BINARY_URL: the image has no complete $archive"
		else
			archive=$(fetch_kube_archive "$url") ||
				fail "$ERR_K8S_DOWNLOAD_TIMEOUT" "$(redacted_url "$url") cannot be downloaded"
		fi
		part installKubeletKubectlFromURL.extractKubeBinaries extract_kube_binaries "$archive" "$url"
		rm -f "$archive"
	fi
	use_kube_version "$version" || fail "$ERR_K8S_INSTALL_ERR" "Kubernetes $version cannot be moved to $BIN"
	record_installed_from kubernetes "$version $(redacted_url "$url")"
}

# Extracts kubelet and kubectl from an archive: ARCHIVE URL.
extract_kube_binaries() {
	local name
	for name in kubelet kubectl; do
		if ! put "$BIN/$name-${KUBERNETES_VERSION#v}" 0755 tar -xzOf "$1" "kubernetes/node/bin/$name"; then
			# The next run has to download it again.
			rm -f "$1"
			fail "$ERR_K8S_INSTALL_ERR" "$(redacted_url "$2") has no kubernetes/node/bin/$name, or it cannot be unpacked"
		fi
	done
}

# Downloads the archive of Kubernetes and prints its path: URL. An isolated cluster has the archive in its registry, and a URL
# without a scheme is a reference to a registry.
fetch_kube_archive() {
	local url archive folder=/opt/kubernetes/downloads
	url=$(packages_url "$1")
	if is_isolated && ! given CUSTOM_KUBE_BINARY_URL; then
		url=$BOOTSTRAP_PROFILE_CONTAINER_REGISTRY_SERVER/oss/binaries/kubernetes/kubernetes-node:v${KUBERNETES_VERSION#v}-linux-$CPU_ARCH
	fi
	[ -n "$url" ] || return 1
	if [[ $url == http://* || $url == https://* ]]; then
		archive=$(download_path "$url" "$folder")
		download 120 5 60 300 "$url" "$archive" >&2 || return 1
	else
		pull_artifact "$url" "$folder" >&2 || return 1
		archive=$(find_cached "$folder" '*.tar.gz') && is_complete_file "$archive" || return 1
	fi
	printf '%s' "$archive"
}

install_kube_from_registry() {
	local version=${KUBERNETES_VERSION#v} name
	if is_installed_from kubernetes "$version $BOOTSTRAP_PROFILE_CONTAINER_REGISTRY_SERVER"; then
		return 0
	fi
	for name in kubelet kubectl; do
		if [ -x "$BIN/$name-$version" ] && ! on NETWORK_ISOLATED_CLUSTER_TEST_MODE; then
			continue
		fi
		if ! pull_artifact "$BOOTSTRAP_PROFILE_CONTAINER_REGISTRY_SERVER/aks/packages/kubernetes/$name:v$version" "/opt/$name/downloads" ||
			! extract_kube_package "$name" "$version"; then
			! has_tag ShouldEnforceKubePMCInstall ||
				fail "$ERR_ORAS_PULL_K8S_FAIL" "$name $version cannot be pulled from the registry"
			warn "$name $version cannot be pulled from the registry; trying KUBE_BINARY_URL"
			part configureKubeletAndKubectl.installKubeletKubectlFromURL-Fallback install_kube_from_url
			return
		fi
	done
	use_kube_version "$version" || fail "$ERR_K8S_INSTALL_ERR" "Kubernetes $version cannot be moved to $BIN"
	record_installed_from kubernetes "$version $BOOTSTRAP_PROFILE_CONTAINER_REGISTRY_SERVER"
}

install_kube_packages() {
	local version=${KUBERNETES_VERSION#v} name
	local -A codes=([kubelet]=$ERR_KUBELET_INSTALL_FAIL [kubectl]=$ERR_KUBECTL_INSTALL_FAIL)
	is_installed_from kubernetes "$version packages" && [ -x "$BIN/kubelet" ] && return 0
	for name in kubelet kubectl; do
		if [ ! -x "$BIN/$name-$version" ] || has_tag ShouldEnforceKubePMCInstall; then
			extract_kube_package "$name" "$version" || {
				if given KUBE_BINARY_URL && ! has_tag ShouldEnforceKubePMCInstall; then
					warn "there is no package of $name $version; trying KUBE_BINARY_URL"
					part configureKubeletAndKubectl.installKubeletKubectlFromURL-Fallback install_kube_from_url
					return
				fi
				fail "${codes[$name]}" "there is no package of $name $version, or it cannot be unpacked"
			}
		fi
	done
	use_kube_version "$version" || fail "$ERR_K8S_INSTALL_ERR" "Kubernetes $version cannot be moved to $BIN"
	record_installed_from kubernetes "$version packages"
}
