# shellcheck shell=bash
# kubelet's credential provider for registries of Azure.

# Prints the version of the package: the cluster's version as a system extension, or else the newest of its minor version that
# the image knows.
credential_provider_version() {
	local version
	if family flatcar acl; then
		version=$KUBERNETES_VERSION
	else
		version=$(component_versions azure-acr-credential-provider-pmc |
			awk -v minor="${KUBERNETES_VERSION%.*}." '{ sub(/^v/, ""); newest = $0 } index($0, minor) == 1 { own = $0 } END { print (own ? own : newest) }')
		[ -n "$version" ] || version=$(url_version "${CREDENTIAL_PROVIDER_DOWNLOAD_URL:-}") || return
		version=${version%%-*}
	fi
	printf '%s' "${version#v}"
}

# Where an image stage keeps it.
readonly PREPARED_CREDENTIAL_PROVIDER=/opt/credentialprovider/acr-credential-provider

# Installs the credential provider: TARGET. It comes from the image stage, from a package or system extension, which exist from Kubernetes
# 1.33 on, or from its archive.
install_credential_provider() {
	local target=$1 origin=Pkg source version url=${CREDENTIAL_PROVIDER_DOWNLOAD_URL:-} code=$ERR_CREDENTIAL_PROVIDER_DOWNLOAD_TIMEOUT
	source="$KUBERNETES_VERSION $(redacted_url "$url")"
	if is_installed_from credentialprovider "$source"; then
		[ ! -x "$target" ] || return 0
		[ ! -x "$PREPARED_CREDENTIAL_PROVIDER" ] || ! mkdir -p "${target%/*}" || ! mv -fT "$PREPARED_CREDENTIAL_PROVIDER" "$target" || return 0
	fi
	rm_existing "$PREPARED_CREDENTIAL_PROVIDER"
	if is_isolated; then
		code=$ERR_ORAS_PULL_CREDENTIAL_PROVIDER origin=BootstrapProfileRegistry
	fi
	if prefers_credential_provider_url || ! version=$(credential_provider_version) ||
		! part "ensureKubelet.installCredentialProviderFrom$origin" install_packaged_program azure-acr-credential-provider "$version" "$target"; then
		if has_tag ShouldEnforceKubePMCInstall && ! family flatcar acl; then
			fail "$code" 'there is no package of the credential provider'
		fi
		part ensureKubelet.installCredentialProviderFromUrl install_credential_provider_from_url "$target" "$code"
	fi
	record_installed_from credentialprovider "$source"
}

# Whether the archive comes before packages: for versions that have no packages, and on Azure Linux 2.0.
prefers_credential_provider_url() {
	{ ! family flatcar acl && ! has_tag ShouldEnforceKubePMCInstall && ! kubernetes_ge 1.33.0; } ||
		{ family mariner && [[ $OS_VERSION == 2.* ]] && ! is_isolated; }
}

# Installs the program of the archive: TARGET CODE, with the code that a failure ends with.
install_credential_provider_from_url() {
	local target=$1 code=$2 url=${CREDENTIAL_PROVIDER_DOWNLOAD_URL:-} archive
	archive=$(part installCredentialProviderFromUrl.downloadCredentialProvider fetch_credential_provider_archive "$url") ||
		fail "$code" "the package and the archive of the credential provider cannot be had; CREDENTIAL_PROVIDER_DOWNLOAD_URL is \"$(redacted_url "$url")\"$(download_error)"
	put "$target" 0755 credential_provider_in "$archive" || {
		rm -f "$archive"
		fail "$code" "$archive has no credential provider, or $target cannot be written"
	}
	rm -rf /opt/credentialprovider/downloads
}

# Downloads the archive and prints its path: URL. An isolated cluster has it in its registry.
fetch_credential_provider_archive() {
	local url=$1 version
	[ -n "$url" ] || return
	if is_isolated && ! is_registry_reference "$url"; then
		version=$(url_version "$url") || return
		url=$BOOTSTRAP_PROFILE_CONTAINER_REGISTRY_SERVER/oss/binaries/kubernetes/azure-acr-credential-provider:$version-linux-$CPU_ARCH
	fi
	fetch_archive "$url" /opt/credentialprovider/downloads
}

# Prints the program in an archive: ARCHIVE.
credential_provider_in() {
	local member
	while read -r member; do
		if [[ $member =~ (^|/)(azure-)?acr-credential-provider$ ]]; then
			tar -xzOf "$1" "$member"
			return
		fi
	done < <(tar -tzf "$1")
	return 1
}
