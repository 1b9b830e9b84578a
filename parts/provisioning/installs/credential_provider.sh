# shellcheck shell=bash
# kubelet's credential provider for registries of Azure.

# Installs the credential provider from the registry of an isolated cluster, from a URL, or from a package; packages exist from
# Kubernetes 1.33 on.
install_credential_provider() {
	local target=/var/lib/kubelet/credential-provider/acr-credential-provider url=${CREDENTIAL_PROVIDER_DOWNLOAD_URL:-} archive version
	is_installed_from credentialprovider "$(redacted_url "$url")" && [ -x "$target" ] && return 0
	if is_isolated; then
		version=$(component_versions acr-credential-provider-pmc | grep -F "${KUBERNETES_VERSION%.*}." | tail -n 1)
		[ -n "$version" ] || version=v${KUBERNETES_VERSION%.*}.0
		version=v${version#v}
		part ensureKubelet.installCredentialProviderFromBootstrapProfileRegistry pull_artifact "$BOOTSTRAP_PROFILE_CONTAINER_REGISTRY_SERVER/aks/packages/kubernetes/azure-acr-credential-provider:${version%%-*}" /opt/credentialprovider/downloads ||
			fail "$ERR_ORAS_PULL_CREDENTIAL_PROVIDER" 'the credential provider cannot be pulled from the registry'
		archive=$(find_cached /opt/credentialprovider/downloads '*') ||
			fail "$ERR_ORAS_PULL_CREDENTIAL_PROVIDER" 'the artifact of the credential provider in the registry has no file'
	elif [ -n "$url" ] && { ! kubernetes_ge 1.33.0 || ! has_kube_packages || { family mariner && [[ $OS_VERSION == 2.* ]]; }; }; then
		archive=$(download_path "$url" /opt/credentialprovider/downloads)
		part ensureKubelet.installCredentialProviderFromUrl download_credential_provider "$archive"
	elif part ensureKubelet.installCredentialProviderFromPkg extract_credential_provider_package "$target"; then
		return 0
	elif [ -n "$url" ]; then
		warn 'there is no package of the credential provider; trying CREDENTIAL_PROVIDER_DOWNLOAD_URL'
		archive=$(download_path "$url" /opt/credentialprovider/downloads)
		part ensureKubelet.installCredentialProviderFromUrl download_credential_provider "$archive"
	else
		fail "$ERR_CREDENTIAL_PROVIDER_DOWNLOAD_TIMEOUT" 'there is no package of the credential provider, and CREDENTIAL_PROVIDER_DOWNLOAD_URL is empty'
	fi
	put "$target" 0755 credential_provider_in "$archive" || {
		rm -f "$archive"
		fail "$ERR_CREDENTIAL_PROVIDER_DOWNLOAD_TIMEOUT" "$archive has no credential provider, or $target cannot be written"
	}
	record_installed_from credentialprovider "$(redacted_url "$url")"
	rm -rf /opt/credentialprovider/downloads
}

# Downloads CREDENTIAL_PROVIDER_DOWNLOAD_URL: PATH.
download_credential_provider() {
	part installCredentialProviderFromUrl.downloadCredentialProvider \
		download 120 5 60 300 "$(packages_url "$CREDENTIAL_PROVIDER_DOWNLOAD_URL")" "$1" ||
		fail "$ERR_CREDENTIAL_PROVIDER_DOWNLOAD_TIMEOUT" "$(redacted_url "$CREDENTIAL_PROVIDER_DOWNLOAD_URL") cannot be downloaded"
}

# Prints the program in an archive: ARCHIVE.
credential_provider_in() {
	local member
	member=$(tar -tzf "$1" | grep -E '(^|/)(azure-)?acr-credential-provider$' | head -n 1)
	[ -n "$member" ] && tar -xzOf "$1" "$member"
}
