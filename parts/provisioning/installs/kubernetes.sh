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
	[ -d "$BIN" ] || mkdir -p "$BIN"
	local from=configureKubeletAndKubectl.installKubeletKubectlFrom
	if prefers_kube_url; then
		part "${from}URL" install_kube_from_url
	elif has_kube_packages; then
		if is_isolated; then
			part "${from}BootstrapProfileRegistry" install_kube_packages
		else
			part "${from}Pkg" install_kube_packages
		fi
	elif given KUBE_BINARY_URL || is_isolated; then
		part "${from}URL" install_kube_from_url
	else
		fail "$ERR_K8S_INSTALL_ERR" "there is no source for Kubernetes ${KUBERNETES_VERSION:-} on this system; set KUBE_BINARY_URL"
	fi
}

# Renames the programs of a version to those that are called: VERSION. kubelet is last, because its unit waits for it.
use_kube_version() {
	local version=$1 name files=()
	for name in kubectl kubelet; do
		# An image stage may have left two names of a file.
		[ "$BIN/$name-$version" -ef "$BIN/$name" ] || mv -fT "$BIN/$name-$version" "$BIN/$name" || return
		# A link points into a system extension, which is read-only.
		[ -L "$BIN/$name" ] || files+=("$BIN/$name")
	done
	[ "${#files[@]}" = 0 ] || { chown root:root "${files[@]}" && chmod 0755 "${files[@]}"; } || return
	(find "$BIN" -maxdepth 1 \( -name 'kubelet-*' -o -name 'kubectl-*' \) -delete >/dev/null 2>&1 </dev/null &)
}

install_kube_from_url() {
	local version=${KUBERNETES_VERSION#v} url=${KUBE_BINARY_URL:-} code=$ERR_K8S_DOWNLOAD_TIMEOUT archive
	if given CUSTOM_KUBE_BINARY_URL; then
		url=$CUSTOM_KUBE_BINARY_URL
		rm -f "$BIN/kubelet-$version" "$BIN/kubectl-$version"
	elif given PRIVATE_KUBE_BINARY_URL; then
		url=$PRIVATE_KUBE_BINARY_URL
	fi
	is_installed_from kubernetes "$version $(redacted_url "$url")" && [ -x "$BIN/kubelet" ] && return 0
	if { is_isolated && ! given CUSTOM_KUBE_BINARY_URL; } || is_registry_reference "$url"; then
		code=$ERR_ORAS_PULL_K8S_FAIL
	fi
	if [ ! -x "$BIN/kubelet-$version" ] || [ ! -x "$BIN/kubectl-$version" ]; then
		if given PRIVATE_KUBE_BINARY_URL && ! given CUSTOM_KUBE_BINARY_URL; then
			archive=$(download_path "$url" /opt/kubernetes/downloads/private-packages)
			is_complete_file "$archive" || fail "$ERR_K8S_DOWNLOAD_TIMEOUT" "PRIVATE_KUBE_BINARY_URL: the image has no complete $archive"
		else
			archive=$(fetch_kube_archive "$url") ||
				fail "$code" "the archive of Kubernetes $version cannot be downloaded from \"$(redacted_url "$url")\"$(download_error)"
		fi
		part installKubeletKubectlFromURL.extractKubeBinaries extract_kube_binaries "$archive" "$url"
		rm -f "$archive"
	fi
	use_kube_version "$version" || fail "$ERR_K8S_INSTALL_ERR" "Kubernetes $version cannot be moved to $BIN"
	record_installed_from kubernetes "$version $(redacted_url "$url")"
}

# Extracts kubelet and kubectl from an archive, which is read once: it has hundreds of megabytes. ARCHIVE URL.
extract_kube_binaries() {
	local version=${KUBERNETES_VERSION#v} dir=$BIN/.unpack
	rm_existing "$dir"
	mkdir "$dir" && tar -xmzf "$1" -C "$dir" --no-same-owner --transform "s|.*/\(.*\)|\1-$version|" kubernetes/node/bin/kube{let,ctl} &&
		mv -f -t "$BIN" "$dir"/* && rmdir "$dir" && return
	# The next run has to download it again.
	rm -rf "$1" "$dir"
	fail "$ERR_K8S_INSTALL_ERR" "$(redacted_url "$2") has no kubernetes/node/bin/kubelet or kubectl, or they cannot be unpacked"
}

# Downloads the archive of Kubernetes and prints its path: URL. An isolated cluster has the archive in its registry.
fetch_kube_archive() {
	local url=$1 version=v${KUBERNETES_VERSION#v}
	if is_isolated && ! given CUSTOM_KUBE_BINARY_URL && ! is_registry_reference "$url"; then
		url=$BOOTSTRAP_PROFILE_CONTAINER_REGISTRY_SERVER/oss/binaries/kubernetes/kubernetes-node:$(url_version "$url" || printf '%s' "$version")-linux-$CPU_ARCH
	fi
	fetch_archive "$url" /opt/kubernetes/downloads
}

# Installs programs from packages or system extensions, or from an archive if there are none.
install_kube_packages() {
	local version=${KUBERNETES_VERSION#v} source=packages name code=0
	local -A codes=([kubelet]=$ERR_KUBELET_INSTALL_FAIL [kubectl]=$ERR_KUBECTL_INSTALL_FAIL)
	! is_isolated || source=$BOOTSTRAP_PROFILE_CONTAINER_REGISTRY_SERVER
	is_installed_from kubernetes "$version $source" && [ -x "$BIN/kubelet" ] && return 0
	if family flatcar acl; then
		link_kube_sysexts "$version" || code=$ERR_ORAS_PULL_SYSEXT_FAIL
	else
		for name in kubelet kubectl; do
			if [ -x "$BIN/$name-$version" ] && ! has_tag ShouldEnforceKubePMCInstall && ! { is_isolated && on NETWORK_ISOLATED_CLUSTER_TEST_MODE; }; then
				continue
			fi
			extract_program "$name" "$version" "$BIN/$name-$version" || {
				code=${codes[$name]}
				! is_isolated || code=$ERR_ORAS_PULL_K8S_FAIL
				break
			}
		done
	fi
	if [ "$code" != 0 ]; then
		if has_tag ShouldEnforceKubePMCInstall || ! { given KUBE_BINARY_URL || is_isolated; }; then
			fail "$code" "there is no package of Kubernetes $version, or it cannot be unpacked"
		fi
		warn "there is no package of Kubernetes $version; trying its archive"
		part configureKubeletAndKubectl.installKubeletKubectlFromURL-Fallback install_kube_from_url
		return
	fi
	use_kube_version "$version" || fail "$ERR_K8S_INSTALL_ERR" "Kubernetes $version cannot be moved to $BIN"
	record_installed_from kubernetes "$version $source"
}
