#!/bin/bash
# Steps that bring programs: from the image, from packages, from addresses, from a registry. Sourced by provision.sh.
# shellcheck source=provision_source.sh
# shellcheck disable=SC2154 # variables come from the CSE command, codes from provision_source.sh

readonly BIN=/opt/bin
readonly COMPONENTS=/opt/azure/components.json

# The versions that a component list names for this system, the highest last.
component_versions() {
	local release
	release=r${OS_VERSION//./}
	jq -r --arg name "$1" --arg os "$OS_ID" --arg release "$release" --arg version "v$OS_VERSION" '
		.Packages[]? | select(.name == $name) | .downloadURIs
		| (.[$os] // .default) | (.[$release] // .[$version] // .current // empty)
		| .versionsV2[]?.latestVersion' "$COMPONENTS" 2>/dev/null | sort -V
}

# Whether what is installed came from there already: NAME SOURCE. A second run need not bring it again.
is_installed_from() {
	[ "$(cat "/opt/$1/installed-from" 2>/dev/null)" = "$2" ]
}

note_installed_from() {
	put_text "/opt/$1/installed-from" 0644 "$2"
}

## Where packages come from

# The base of addresses whose host the region may not reach.
PACKAGES_HOST=packages.aks.azure.com

resolvePackagesSourceURL() {
	local status
	status=$(retry 5 1 5 curl --silent --output /dev/null --write-out '%{http_code}' "https://$PACKAGES_HOST/acs-mirror/healthz")
	if [ "${status: -3}" != 200 ]; then
		PACKAGES_HOST=acs-mirror.azureedge.net
	fi
	say "packages come from $PACKAGES_HOST"
}

# An address with the host that answers.
packages_url() {
	if [[ $1 == https://packages.aks.azure.com/* && $PACKAGES_HOST != packages.aks.azure.com ]]; then
		printf 'https://%s/%s' "$PACKAGES_HOST" "${1#https://packages.aks.azure.com/}"
	else
		printf '%s' "$1"
	fi
}

## Tools

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
	installToolPackages || fail "$ERR_APT_INSTALL_TIMEOUT" 'the tools that the next steps need cannot be installed'
	! lacks_tools || fail "$ERR_APT_INSTALL_TIMEOUT" "one of these is still missing: ${TOOLS[*]}"
}

## Package files

# The newest file of a folder with a name like this.
find_cached() {
	find "$1" -maxdepth 1 -type f -name "$2" 2>/dev/null | sort -V | tail -n 1 | grep .
}

unpack_package() {
	case $1 in
	*.deb) dpkg-deb --extract "$1" "$2" ;;
	*.rpm) rpm2cpio "$1" | (cd "$2" && cpio --quiet --extract --make-directories) ;;
	*) tar -xzf "$1" -C "$2" ;;
	esac
}

# One program out of a package file, which is not installed: FILE MEMBER TARGET.
extract_program() {
	local file=$1 member=$2 target=$3 folder code=0
	folder=$(mktemp -d /opt/.unpack.XXXXXX) || return
	unpack_package "$file" "$folder" && put "$target" 0755 cat "$folder/$member" || code=1
	rm -rf "$folder"
	[ "$code" != 0 ] || rm -f "$file"
	return "$code"
}

readonly MANAGED_GPU_PACKAGES=(nvidia-device-plugin datacenter-gpu-manager-4-core datacenter-gpu-manager-4-proprietary dcgm-exporter)

# The packages of the managed GPU experience, from the image: their files end in SUFFIX.
install_cached_gpu_packages() {
	local name file
	for name in "${MANAGED_GPU_PACKAGES[@]}"; do
		file=$(find_cached "/opt/$name/downloads" "*.$1") || fail "$ERR_MANAGED_NVIDIA_EXP_INSTALL_FAIL" "the image has no package of $name"
		install_packages 3 5 300 "$file" || fail "$ERR_NVIDIA_DCGM_INSTALL" "$file cannot be installed"
	done
}

remove_cached_gpu_packages() {
	local name
	rm -rf /opt/gpu
	for name in "${MANAGED_GPU_PACKAGES[@]}"; do
		rm -rf "/opt/$name/downloads"
	done
}

## Install mode

# A prepared image says so in two ways; when they differ, nothing is certain.
checkInstallMode() {
	if on IS_VHD && ! is_prepared_image; then
		fail "$ERR_VHD_FILE_NOT_FOUND" 'this machine is said to be a prepared image, and has no /opt/azure/vhd-install.complete; plain machines need IS_VHD=false'
	fi
	tag SkipBinaryCleanup >/dev/null || fail "$ERR_CLEANUP_CONTAINER_IMAGES" 'the tags of this machine are not known'
}

## Images of other versions

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

## Secure TLS bootstrapping

installSecureTLSBootstrapClient() {
	local client=$BIN/aks-secure-tls-bootstrap-client url=${CUSTOM_SECURE_TLS_BOOTSTRAPPING_CLIENT_DOWNLOAD_URL:-} archive folder
	if ! on ENABLE_SECURE_TLS_BOOTSTRAPPING; then
		rm -rf "$client" /opt/aks-secure-tls-bootstrap-client/downloads /etc/extensions/aks-secure-tls-bootstrap-client.raw
		return
	fi
	if [ -z "$url" ]; then
		[ -x "$client" ] || warn "the image has no $client"
		return 0
	fi
	is_installed_from aks-secure-tls-bootstrap-client "$(shown_url "$url")" && [ -x "$client" ] && return 0
	folder=/opt/aks-secure-tls-bootstrap-client/downloads
	archive=$(file_of_url "$url" "$folder")
	download 120 5 60 300 "$url" "$archive" ||
		fail "$ERR_SECURE_TLS_BOOTSTRAP_CLIENT_DOWNLOAD_ERROR" "$(shown_url "$url") cannot be downloaded"
	case $archive in
	*.tar.gz | *.tgz) put "$client" 0755 tar -xzOf "$archive" --wildcards '*aks-secure-tls-bootstrap-client' ;;
	*) put "$client" 0755 cat "$archive" ;;
	esac || {
		rm -f "$archive"
		fail "$ERR_SECURE_TLS_BOOTSTRAP_CLIENT_DOWNLOAD_ERROR" "$(shown_url "$url") has no client, or $client cannot be written"
	}
	note_installed_from aks-secure-tls-bootstrap-client "$(shown_url "$url")"
	rm -rf "$folder"
}

## Registry of an isolated cluster

# A token of the machine's identity for the registry.
identity_token() {
	local resource token client=${USER_ASSIGNED_IDENTITY_ID:-}
	for resource in https://containerregistry.azure.net "${ARM_RESOURCE_ENDPOINT:-https://management.azure.com/}"; do
		token=$(retry 5 15 60 curl --fail --silent --noproxy '*' --header 'Metadata: true' --get \
			--data-urlencode "resource=$resource" --data-urlencode "client_id=$client" --data api-version=2018-02-01 \
			http://169.254.169.254/metadata/identity/oauth2/token | jq -er .access_token) && printf '%s' "$token" && return 0
	done
	return 1
}

# Exchanges it for a token of the registry. Tokens go by standard input, for arguments can be seen.
registry_token() {
	local host=$1 try answer token access=$2
	for ((try = 1; try <= 10; try++)); do
		answer=$(printf 'grant_type=access_token&service=%s&tenant=%s&access_token=%s' "$host" "$TENANT_ID" "$access" |
			bounded 60 curl --silent --write-out '\n%{http_code}' --data @- "https://$host/oauth2/exchange")
		case ${answer##*$'\n'} in
		200)
			token=$(jq -er .refresh_token <<<"${answer%$'\n'*}") && printf '%s' "$token" && return 0
			;;
		401 | 403) return 3 ;;
		esac
		[ "$(seconds_left)" -gt 0 ] || return 1
		sleep 5
	done
	return 1
}

# Whether a token that lists its permissions has `read` among them.
may_read() {
	local body permissions
	body=${1#*.}
	body=${body%%.*}
	permissions=$(printf '%s%s' "$body" "$(printf '%*s' $(((4 - ${#body} % 4) % 4)) '' | tr ' ' =)" | tr '_-' '/+' | base64 -d 2>/dev/null |
		jq -c '.permissions.actions // empty' 2>/dev/null)
	[ -z "$permissions" ] || [[ $permissions == *'"read"'* ]]
}

orasLogin() {
	local host answer access token code=0 try
	host=$(registry_host)
	is_host "${host%:*}" || fail "$ERR_NODE_INPUT_INVALID" 'BOOTSTRAP_PROFILE_CONTAINER_REGISTRY_SERVER names no host'
	for ((try = 1; try <= 10; try++)); do
		if answer=$(bounded 60 oras repo ls "$host" --registry-config "$REGISTRY_LOGIN" 2>&1); then
			say "$host is open to everybody"
			return 0
		fi
		[[ ${answer,,} != *unauthorized* ]] || break
		if [ "$try" = 10 ] || [ "$(seconds_left)" -le 0 ]; then
			fail "$ERR_ORAS_PULL_NETWORK_TIMEOUT" "the registry $host does not answer"
		fi
		sleep 5
	done
	if ! given USER_ASSIGNED_IDENTITY_ID || ! given TENANT_ID; then
		fail "$ERR_ORAS_PULL_UNAUTHORIZED" "the registry $host wants a login, and this node has no identity"
	fi
	access=$(identity_token) || fail "$ERR_ORAS_IMDS_TIMEOUT" 'the metadata service gives no token for the identity of this node'
	token=$(registry_token "$host" "$access") || code=$?
	[ "$code" != 3 ] || fail "$ERR_ORAS_PULL_UNAUTHORIZED" "the registry $host refuses the identity of this node"
	[ "$code" = 0 ] || fail "$ERR_ORAS_PULL_NETWORK_TIMEOUT" "the registry $host does not answer"
	may_read "$token" || fail "$ERR_ORAS_PULL_UNAUTHORIZED" "the identity of this node may not read from the registry $host"
	mkdir -p "${REGISTRY_LOGIN%/*}"
	for ((try = 1; try <= 3; try++)); do
		if (umask 077 && printf '%s' "$token" | bounded 60 oras login "$host" --identity-token-stdin --registry-config "$REGISTRY_LOGIN" >/dev/null); then
			chmod 0600 "$REGISTRY_LOGIN"
			return 0
		fi
		sleep 5
	done
	fail "$ERR_ORAS_PULL_UNAUTHORIZED" "the login at the registry $host fails"
}

# The image that holds a pod together, from the registry of an isolated cluster.
pullPauseImage() {
	local image name folder=/opt/pod-infra-container-image
	image=$(sed -nE 's/^[[:space:]]*(sandbox_image|sandbox) *= *"([^"]+)".*/\2/p' /etc/containerd/config.toml | head -n 1)
	[ -n "$image" ] || fail "$ERR_PULL_POD_INFRA_CONTAINER_IMAGE" "containerd's configuration names no pause image"
	containerd_is_ready || fail "$ERR_PULL_POD_INFRA_CONTAINER_IMAGE" 'containerd does not answer'
	if ! ctr --namespace k8s.io images list --quiet | grep -qxF "$image"; then
		# The part after the host, at the registry; a digest stays as it is.
		name=$BOOTSTRAP_PROFILE_CONTAINER_REGISTRY_SERVER/${image#*/}
		mkdir -p "$folder"
		retry 9 5 120 oras copy --from-registry-config "$REGISTRY_LOGIN" --to-oci-layout "$name" "$folder:pause" ||
			fail "$ERR_PULL_POD_INFRA_CONTAINER_IMAGE" "$name cannot be copied"
		tar -cf "$folder.tar" -C "$folder" .
		bounded 120 ctr --namespace k8s.io images import --index-name "$image" "$folder.tar" ||
			fail "$ERR_PULL_POD_INFRA_CONTAINER_IMAGE" "$name cannot be taken over by containerd"
	fi
	bounded 60 ctr --namespace k8s.io images label "$image" io.cri-containerd.pinned=pinned >/dev/null || warn "$image is not pinned"
	rm -rf "$folder" "$folder.tar"
}

## Container runtime

installContainerRuntime() {
	local version=
	if given CONTAINERD_PACKAGE_URL; then
		installContainerdFromURL
		return
	fi
	command -v containerd >/dev/null && is_installed_from containerd "$OS_FAMILY" && return 0
	if [ -e "$COMPONENTS" ]; then
		version=$(component_versions containerd | tail -n 1)
		[ -n "$version" ] || version=$(jq -r '.containerd.versions[0] // empty' /opt/azure/manifest.json 2>/dev/null)
		[[ $version =~ ^[0-9][0-9A-Za-z.+~:-]*$ ]] || fail "$ERR_CONTAINERD_VERSION_INVALID" "the component list has no version of containerd: \"$version\""
	fi
	installContainerdPackage "$version" || fail "$ERR_CONTAINERD_INSTALL_TIMEOUT" 'containerd cannot be installed'
	note_installed_from containerd "$OS_FAMILY"
}

installContainerdFromURL() {
	local file shown
	shown=$(shown_url "$CONTAINERD_PACKAGE_URL")
	! is_installed_from containerd "$shown" || return 0
	file=$(file_of_url "$CONTAINERD_PACKAGE_URL" /opt/containerd/downloads)
	download 20 30 60 600 "$CONTAINERD_PACKAGE_URL" "$file" || fail "$ERR_CONTAINERD_DOWNLOAD_TIMEOUT" "$shown cannot be downloaded"
	installPackageFile "$file" || {
		rm -f "$file"
		fail "$ERR_CONTAINERD_INSTALL_TIMEOUT" "$shown cannot be installed"
	}
	note_installed_from containerd "$shown"
	rm -f "$file"
}

installRunc() {
	local file shown
	shown=$(shown_url "$RUNC_PACKAGE_URL")
	! is_installed_from runc "$shown" || return 0
	file=$(file_of_url "$RUNC_PACKAGE_URL" /opt/runc/downloads)
	download 20 30 60 600 "$RUNC_PACKAGE_URL" "$file" || fail "$ERR_RUNC_DOWNLOAD_TIMEOUT" "$shown cannot be downloaded"
	installPackageFile "$file" || {
		rm -f "$file"
		fail "$ERR_RUNC_INSTALL_TIMEOUT" "$shown cannot be installed"
	}
	note_installed_from runc "$shown"
	rm -f "$file"
}

## Network plugins

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

## kubelet and kubectl

prefers_kube_url() {
	given CUSTOM_KUBE_BINARY_URL || given PRIVATE_KUBE_BINARY_URL ||
		{ ! family flatcar acl && ! has_tag ShouldEnforceKubePMCInstall && ! kubernetes_ge 1.34.0; } ||
		{ family mariner && [[ $OS_VERSION == 2.* ]] && ! is_isolated; }
}

configureKubeletAndKubectl() {
	mkdir -p "$BIN"
	if prefers_kube_url; then
		installKubeFromURL
	elif is_isolated; then
		installKubeFromRegistry
	elif has_kube_packages; then
		installKubePackages
	elif given KUBE_BINARY_URL; then
		installKubeFromURL
	else
		fail "$ERR_K8S_INSTALL_ERR" "nothing brings Kubernetes ${KUBERNETES_VERSION:-} to this system"
	fi
}

# Takes programs of this version as those that are called, kubelet last: with it the other is there too.
use_kube_version() {
	local version=$1 name
	for name in kubectl kubelet; do
		mv -fT "$BIN/$name-$version" "$BIN/$name" || return
		# A link leads to a system extension, which is read-only.
		if [ ! -L "$BIN/$name" ]; then
			chown root:root "$BIN/$name" && chmod 0755 "$BIN/$name" || return
		fi
	done
	(find "$BIN" -maxdepth 1 \( -name 'kubelet-*' -o -name 'kubectl-*' \) -delete >/dev/null 2>&1 </dev/null &)
}

installKubeFromURL() {
	local version=${KUBERNETES_VERSION#v} url=${KUBE_BINARY_URL:-} archive name
	if given CUSTOM_KUBE_BINARY_URL; then
		url=$CUSTOM_KUBE_BINARY_URL
		rm -f "$BIN/kubelet-$version" "$BIN/kubectl-$version"
	elif given PRIVATE_KUBE_BINARY_URL; then
		url=$PRIVATE_KUBE_BINARY_URL
	fi
	is_installed_from kubernetes "$version $(shown_url "$url")" && [ -x "$BIN/kubelet" ] && return 0
	if [ ! -x "$BIN/kubelet-$version" ] || [ ! -x "$BIN/kubectl-$version" ]; then
		if given PRIVATE_KUBE_BINARY_URL && ! given CUSTOM_KUBE_BINARY_URL; then
			archive=$(file_of_url "$url" /opt/kubernetes/downloads/private-packages)
			is_whole "$archive" || fail "$ERR_K8S_DOWNLOAD_TIMEOUT" "the image has no $archive"
		else
			archive=$(fetch_kube_archive "$url") ||
				fail "$ERR_K8S_DOWNLOAD_TIMEOUT" "$(shown_url "$url") cannot be downloaded"
		fi
		for name in kubelet kubectl; do
			if ! put "$BIN/$name-$version" 0755 tar -xzOf "$archive" "kubernetes/node/bin/$name"; then
				# The next run has to ask again.
				rm -f "$archive"
				fail "$ERR_K8S_INSTALL_ERR" "$(shown_url "$url") has no kubernetes/node/bin/$name, or it cannot be unpacked"
			fi
		done
		rm -f "$archive"
	fi
	use_kube_version "$version" || fail "$ERR_K8S_INSTALL_ERR" "Kubernetes $version cannot be moved to $BIN"
	note_installed_from kubernetes "$version $(shown_url "$url")"
}

# Prints the archive. An isolated cluster has it in its registry; an address without a protocol is of a registry too.
fetch_kube_archive() {
	local url archive folder=/opt/kubernetes/downloads
	url=$(packages_url "$1")
	if is_isolated && ! given CUSTOM_KUBE_BINARY_URL; then
		url=$BOOTSTRAP_PROFILE_CONTAINER_REGISTRY_SERVER/oss/binaries/kubernetes/kubernetes-node:v${KUBERNETES_VERSION#v}-linux-$CPU_ARCH
	fi
	[ -n "$url" ] || return 1
	if [[ $url == http://* || $url == https://* ]]; then
		archive=$(file_of_url "$url" "$folder")
		download 120 5 60 300 "$url" "$archive" >&2 || return 1
	else
		pull_artifact "$url" "$folder" >&2 || return 1
		archive=$(find_cached "$folder" '*.tar.gz') && is_whole "$archive" || return 1
	fi
	printf '%s' "$archive"
}

installKubeFromRegistry() {
	local version=${KUBERNETES_VERSION#v} name
	if is_installed_from kubernetes "$version $BOOTSTRAP_PROFILE_CONTAINER_REGISTRY_SERVER"; then
		return 0
	fi
	for name in kubelet kubectl; do
		if [ -x "$BIN/$name-$version" ] && ! on NETWORK_ISOLATED_CLUSTER_TEST_MODE; then
			continue
		fi
		if ! pull_artifact "$BOOTSTRAP_PROFILE_CONTAINER_REGISTRY_SERVER/aks/packages/kubernetes/$name:v$version" "/opt/$name/downloads" ||
			! extractKubePackage "$name" "$version"; then
			! has_tag ShouldEnforceKubePMCInstall ||
				fail "$ERR_ORAS_PULL_K8S_FAIL" "$name $version cannot be pulled from the registry"
			warn "$name $version cannot be pulled from the registry; the address is tried"
			installKubeFromURL
			return
		fi
	done
	use_kube_version "$version" || fail "$ERR_K8S_INSTALL_ERR" "Kubernetes $version cannot be moved to $BIN"
	note_installed_from kubernetes "$version $BOOTSTRAP_PROFILE_CONTAINER_REGISTRY_SERVER"
}

installKubePackages() {
	local version=${KUBERNETES_VERSION#v} name code
	is_installed_from kubernetes "$version packages" && [ -x "$BIN/kubelet" ] && return 0
	for name in kubelet kubectl; do
		code=ERR_${name^^}_INSTALL_FAIL
		if [ ! -x "$BIN/$name-$version" ] || has_tag ShouldEnforceKubePMCInstall; then
			extractKubePackage "$name" "$version" || {
				if given KUBE_BINARY_URL && ! has_tag ShouldEnforceKubePMCInstall; then
					warn "no package brings $name $version; the address is tried"
					installKubeFromURL
					return
				fi
				fail "${!code}" "no package brings $name $version"
			}
		fi
	done
	use_kube_version "$version" || fail "$ERR_K8S_INSTALL_ERR" "Kubernetes $version cannot be moved to $BIN"
	note_installed_from kubernetes "$version packages"
}

## Credential provider

installCredentialProvider() {
	local target=/var/lib/kubelet/credential-provider/acr-credential-provider url=${CREDENTIAL_PROVIDER_DOWNLOAD_URL:-} archive version
	is_installed_from credentialprovider "$(shown_url "$url")" && [ -x "$target" ] && return 0
	if is_isolated; then
		version=$(component_versions acr-credential-provider-pmc | grep -F "${KUBERNETES_VERSION%.*}." | tail -n 1)
		[ -n "$version" ] || version=v${KUBERNETES_VERSION%.*}.0
		version=v${version#v}
		pull_artifact "$BOOTSTRAP_PROFILE_CONTAINER_REGISTRY_SERVER/aks/packages/kubernetes/azure-acr-credential-provider:${version%%-*}" /opt/credentialprovider/downloads ||
			fail "$ERR_ORAS_PULL_CREDENTIAL_PROVIDER" 'the credential provider cannot be pulled from the registry'
		archive=$(find_cached /opt/credentialprovider/downloads '*') ||
			fail "$ERR_ORAS_PULL_CREDENTIAL_PROVIDER" 'the registry sends no file for the credential provider'
	elif [ -n "$url" ] && { ! kubernetes_ge 1.33.0 || ! has_kube_packages || { family mariner && [[ $OS_VERSION == 2.* ]]; }; }; then
		archive=$(file_of_url "$url" /opt/credentialprovider/downloads)
		download 120 5 60 300 "$(packages_url "$url")" "$archive" ||
			fail "$ERR_CREDENTIAL_PROVIDER_DOWNLOAD_TIMEOUT" "$(shown_url "$url") cannot be downloaded"
	elif extractCredentialProviderPackage "$target"; then
		return 0
	elif [ -n "$url" ]; then
		archive=$(file_of_url "$url" /opt/credentialprovider/downloads)
		download 120 5 60 300 "$(packages_url "$url")" "$archive" ||
			fail "$ERR_CREDENTIAL_PROVIDER_DOWNLOAD_TIMEOUT" "neither a package nor $(shown_url "$url") brings the credential provider"
	else
		fail "$ERR_CREDENTIAL_PROVIDER_DOWNLOAD_TIMEOUT" 'no package brings the credential provider'
	fi
	put "$target" 0755 only_program "$archive" || {
		rm -f "$archive"
		fail "$ERR_CREDENTIAL_PROVIDER_DOWNLOAD_TIMEOUT" "$archive has no credential provider, or $target cannot be written"
	}
	note_installed_from credentialprovider "$(shown_url "$url")"
	rm -rf /opt/credentialprovider/downloads
}

# The program of an archive that has one.
only_program() {
	local member
	member=$(tar -tzf "$1" | grep -E '(^|/)(azure-)?acr-credential-provider$' | head -n 1)
	[ -n "$member" ] && tar -xzOf "$1" "$member"
}
#EOF
