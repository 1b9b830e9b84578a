# shellcheck shell=bash
# The credential provider of kubelet for registries of Azure.

install_credential_provider() {
	local target=/var/lib/kubelet/credential-provider/acr-credential-provider url=${CREDENTIAL_PROVIDER_DOWNLOAD_URL:-} archive version
	is_installed_from credentialprovider "$(redacted_url "$url")" && [ -x "$target" ] && return 0
	if is_isolated; then
		version=$(component_versions acr-credential-provider-pmc | grep -F "${KUBERNETES_VERSION%.*}." | tail -n 1)
		[ -n "$version" ] || version=v${KUBERNETES_VERSION%.*}.0
		version=v${version#v}
		pull_artifact "$BOOTSTRAP_PROFILE_CONTAINER_REGISTRY_SERVER/aks/packages/kubernetes/azure-acr-credential-provider:${version%%-*}" /opt/credentialprovider/downloads ||
			fail "$ERR_ORAS_PULL_CREDENTIAL_PROVIDER" 'the credential provider cannot be pulled from the registry'
		archive=$(find_cached /opt/credentialprovider/downloads '*') ||
			fail "$ERR_ORAS_PULL_CREDENTIAL_PROVIDER" 'the registry sends no file for the credential provider'
	elif [ -n "$url" ] && { ! kubernetes_ge 1.33.0 || ! has_kube_packages || { family mariner && [[ $OS_VERSION == 2.* ]]; }; }; then
		archive=$(download_path "$url" /opt/credentialprovider/downloads)
		download 120 5 60 300 "$(packages_url "$url")" "$archive" ||
			fail "$ERR_CREDENTIAL_PROVIDER_DOWNLOAD_TIMEOUT" "$(redacted_url "$url") cannot be downloaded"
	elif extract_credential_provider_package "$target"; then
		return 0
	elif [ -n "$url" ]; then
		archive=$(download_path "$url" /opt/credentialprovider/downloads)
		download 120 5 60 300 "$(packages_url "$url")" "$archive" ||
			fail "$ERR_CREDENTIAL_PROVIDER_DOWNLOAD_TIMEOUT" "neither a package nor $(redacted_url "$url") brings the credential provider"
	else
		fail "$ERR_CREDENTIAL_PROVIDER_DOWNLOAD_TIMEOUT" 'no package brings the credential provider'
	fi
	put "$target" 0755 credential_provider_in "$archive" || {
		rm -f "$archive"
		fail "$ERR_CREDENTIAL_PROVIDER_DOWNLOAD_TIMEOUT" "$archive has no credential provider, or $target cannot be written"
	}
	record_installed_from credentialprovider "$(redacted_url "$url")"
	rm -rf /opt/credentialprovider/downloads
}

# The program of an archive that has one.
credential_provider_in() {
	local member
	member=$(tar -tzf "$1" | grep -E '(^|/)(azure-)?acr-credential-provider$' | head -n 1)
	[ -n "$member" ] && tar -xzOf "$1" "$member"
}
