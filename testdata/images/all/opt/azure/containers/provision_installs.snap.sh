#!/bin/bash


readonly BIN=/opt/bin
readonly COMPONENTS=/opt/azure/components.json

component_versions() {
	local release
	release=r${OS_VERSION//./}
	jq -r --arg name "$1" --arg os "${2:-$OS_ID}" --arg release "$release" --arg version "v$OS_VERSION" '
		.Packages[]? | select(.name == $name) | .downloadURIs
		| (.[$os] // .default) | (.[$release] // .[$version] // .current // empty)
		| .versionsV2[]?.latestVersion' "$COMPONENTS" 2>/dev/null | sort -V
}

is_installed_from() {
	local source='' stale=unused paths
	[ ! -e "/opt/$1/installed-from" ] || IFS= read -r source <"/opt/$1/installed-from"
	[ "$source" = "$2" ] || stale=added
	if [ -e "/opt/$1/unused" ] && ! makes_an_image; then
		mapfile -t paths <"/opt/$1/$stale"
		rm -rf "${paths[@]}" "/opt/$1/"{added,unused}
	fi
	[ "$stale" = unused ]
}

record_installed_from() {
	put_text "/opt/$1/installed-from" 0644 "$2" || warn "/opt/$1/installed-from cannot be written, so a second run installs $1 again"
}

PACKAGES_HOST=packages.aks.azure.com

resolvePackagesSourceURL() {
	local status
	request_metadata &
	status=$(retry 5 1 5 curl --silent --output /dev/null --write-out '%{http_code}' "https://$PACKAGES_HOST/acs-mirror/healthz")
	wait "$!"
	if [ "${status: -3}" != 200 ]; then
		PACKAGES_HOST=acs-mirror.azureedge.net
	fi
	log "packages come from $PACKAGES_HOST"
	note setPackagesBaseURL "$PACKAGES_HOST"
}

packages_url() {
	if [[ $1 == https://packages.aks.azure.com/* && $PACKAGES_HOST != packages.aks.azure.com ]]; then
		printf 'https://%s/%s' "$PACKAGES_HOST" "${1#https://packages.aks.azure.com/}"
	else
		printf '%s' "$1"
	fi
}

is_registry_reference() {
	[ -n "$1" ] && [[ $1 != *://* ]]
}

url_version() {
	[[ $1 =~ /(v[0-9]+\.[0-9][^/]*)/ ]] && printf '%s' "${BASH_REMATCH[1]}"
}

fetch_archive() {
	local url dir=$2 archive
	url=$(packages_url "$1")
	if is_registry_reference "$url"; then
		dir+=/registry
		rm -rf "$dir"
		pull_artifact "$url" "$dir" >&2 && archive=$(find_cached "$dir" '*.tar.gz') && is_complete_file "$archive" || return
	else
		archive=$(download_path "$url" "$dir")
		download 120 5 60 300 "$url" "$archive" >&2 || return
	fi
	printf '%s' "$archive"
}

find_cached() {
	find "$1" -maxdepth "${3:-1}" -type f -name "$2" 2>/dev/null | sort -V | tail -n 1 | grep .
}

find_package() {
	local name=$1 version=$2 dir=/opt/$1/downloads pattern
	pattern=$(package_pattern "$name" "$version")
	if ! is_isolated || ! on NETWORK_ISOLATED_CLUSTER_TEST_MODE; then
		find_cached "$dir" "$pattern" && return 0
	fi
	if is_isolated; then
		dir=/opt/$name/registry
		rm -rf "$dir"
		pull_artifact "$BOOTSTRAP_PROFILE_CONTAINER_REGISTRY_SERVER/aks/packages/kubernetes/$name:v${version//\~/-}" "$dir" \
			--platform "linux/$CPU_ARCH:$OS_ID $OS_VERSION" >&2
	else
		mkdir -p "$dir" && part "install${name}FromPkg.downloadPkgFromVersion" download_package "$name" "$version" "$dir" >&2
	fi && find_cached "$dir" "$pattern"
}

unpack_package() {
	case $1 in
	*.deb) dpkg-deb --extract "$1" "$2" ;;
	*.rpm) rpm2cpio "$1" | (cd "$2" && cpio --quiet --extract --make-directories) ;;
	*) tar -xzf "$1" -C "$2" ;;
	esac
}

extract_program() {
	local file how=extractDebBinaryFromFile
	file=$(find_package "$1" "$2") || return
	[[ $file == *.deb ]] || how=extractBinaryFromRPM
	part "install$1.$how" extract_member "$file" "usr/bin/$1" "$3" && rm -rf "${file%/*}"
}

extract_member() {
	local dir code=0
	dir=$(mktemp -d /opt/.unpack.XXXXXX) || return
	unpack_package "$1" "$dir" && put "$3" 0755 cat "$dir/$2" || code=1
	rm -rf "$dir"
	return "$code"
}

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

checkInstallMode() {
	if on IS_VHD && ! is_prepared_image; then
		fail "$ERR_VHD_FILE_NOT_FOUND" 'IS_VHD is true, but /opt/azure/vhd-install.complete is missing; set IS_VHD=false for machines that are not made from an AKS image'
	fi
	has_tags || fail "$ERR_CLEANUP_CONTAINER_IMAGES" 'the tags of this machine cannot be read from the metadata'
}

cleanUpContainerImages() {
	(
		containerd_is_ready || exit 0
		bounded 60 ctr --namespace k8s.io images list --quiet | grep '/kube-proxy:' | grep -vF ":v${KUBERNETES_VERSION#v}" | while read -r image; do
			timeout 60 ctr --namespace k8s.io images remove "$image" >/dev/null
		done
	) >/dev/null 2>&1 </dev/null &
	disown
}

readonly GPU_METRICS_PACKAGES=(datacenter-gpu-manager-4-core datacenter-gpu-manager-4-proprietary dcgm-exporter)

needs_proprietary_driver() {
	local size
	size=$(vm_size) || fail "$ERR_MISSING_CUDA_PACKAGE" 'the metadata has no VM size'
	case ${size,,} in
	*t4_v3* | *nd40rs_v2* | *nd40s_v3* | standard_nc*s_v3*) ;;
	*) return 1 ;;
	esac
}

start_gpu_persistence() {
	must_put_unit nvidia-persistenced.service 0644 <<'UNIT'
[Unit]
Description=Keeps the NVIDIA driver loaded
Wants=syslog.target

[Service]
Type=forking
ExecStart=/usr/bin/nvidia-persistenced --verbose
ExecStopPost=/bin/rm -rf /var/run/nvidia-persistenced
Restart=always

[Install]
WantedBy=multi-user.target
UNIT
	enable_and_start nvidia-persistenced.service 30 || fail "$ERR_GPU_DRIVERS_START_FAIL" 'nvidia-persistenced.service does not start'
}

remove_gpu_files() {
	local packages=("${GPU_METRICS_PACKAGES[@]}" nvidia-device-plugin dra-driver-nvidia-gpu)
	rm_existing /opt/gpu /usr/local/nvidia "${packages[@]/#//opt/}"
}

installSecureTLSBootstrapClient() {
	local client=$BIN/aks-secure-tls-bootstrap-client url=${CUSTOM_SECURE_TLS_BOOTSTRAPPING_CLIENT_DOWNLOAD_URL:-} archive dir
	if ! on ENABLE_SECURE_TLS_BOOTSTRAPPING; then
		rm_existing "$client" /opt/aks-secure-tls-bootstrap-client/downloads /etc/extensions/aks-secure-tls-bootstrap-client.raw
		! family flatcar acl || refresh_sysexts || warn 'the system extensions cannot be merged again'
		return
	fi
	if [ -z "$url" ]; then
		[ -x "$client" ] || warn "the image has no $client, and CUSTOM_SECURE_TLS_BOOTSTRAPPING_CLIENT_DOWNLOAD_URL is empty"
		return 0
	fi
	is_installed_from aks-secure-tls-bootstrap-client "$(redacted_url "$url")" && [ -x "$client" ] && return 0
	dir=/opt/aks-secure-tls-bootstrap-client/downloads
	archive=$(download_path "$url" "$dir")
	download 120 5 60 300 "$url" "$archive" ||
		fail "$ERR_SECURE_TLS_BOOTSTRAP_CLIENT_DOWNLOAD_ERROR" "$(redacted_url "$url") cannot be downloaded$(download_error)"
	case $archive in
	*.tar.gz | *.tgz) put "$client" 0755 tar -xzOf "$archive" --wildcards '*aks-secure-tls-bootstrap-client' ;;
	*) put "$client" 0755 cat "$archive" ;;
	esac || {
		rm -f "$archive"
		fail "$ERR_SECURE_TLS_BOOTSTRAP_CLIENT_DOWNLOAD_ERROR" "$(redacted_url "$url") has no client, or $client cannot be written"
	}
	record_installed_from aks-secure-tls-bootstrap-client "$(redacted_url "$url")"
	rm -rf "$dir"
}

identity_token() {
	retry 5 15 60 curl --fail --silent --noproxy '*' --header 'Metadata: true' --get \
		--data-urlencode "resource=$1" --data-urlencode "client_id=$USER_ASSIGNED_IDENTITY_ID" --data api-version=2018-02-01 \
		http://169.254.169.254/metadata/identity/oauth2/token | jq -er '.access_token // empty'
}

registry_token() {
	local host=$1 try answer token access=$2
	for ((try = 1; try <= 10; try++)); do
		answer=$(printf 'grant_type=access_token&service=%s&tenant=%s&access_token=%s' "$host" "$TENANT_ID" "$access" |
			bounded 60 curl --silent --write-out '\n%{http_code}' --data @- "https://$host/oauth2/exchange")
		case ${answer##*$'\n'} in
		200)
			token=$(jq -er 'if .error then empty else .refresh_token // empty end' <<<"${answer%$'\n'*}") || return 3
			printf '%s' "$token"
			return
			;;
		401 | 403) return 3 ;;
		esac
		has_time || return 1
		sleep 5
	done
	return 1
}

may_read() {
	local body permissions
	body=${1#*.}
	body=${body%%.*}
	permissions=$(printf '%s%s' "$body" "$(printf '%*s' $(((4 - ${#body} % 4) % 4)) '' | tr ' ' =)" | tr '_-' '/+' | base64 -d 2>/dev/null |
		jq -c '.permissions.actions // empty' 2>/dev/null)
	[ -z "$permissions" ] || [[ $permissions == *'"read"'* ]]
}

orasLogin() {
	part orasLogin.oras_login_with_kubelet_identity log_in_at_registry
}

log_in_at_registry() {
	local host answer resource access token code=0 try
	host=$(registry_host)
	if ! given USER_ASSIGNED_IDENTITY_ID || ! given TENANT_ID; then
		log "USER_ASSIGNED_IDENTITY_ID or TENANT_ID is empty; pulling from the registry $host without a login"
		return
	fi
	for ((try = 1; try <= 10; try++)); do
		if answer=$(bounded 60 oras repo ls "$host" --registry-config "$REGISTRY_LOGIN" 2>&1); then
			log "the registry $host allows anonymous pulls"
			return 0
		fi
		[[ ${answer,,} != *unauthorized* ]] || break
		if [ "$try" = 10 ] || ! has_time; then
			fail "$ERR_ORAS_PULL_NETWORK_TIMEOUT" "the registry $host does not answer"
		fi
		sleep 5
	done
	for resource in https://containerregistry.azure.net "${ARM_RESOURCE_ENDPOINT:-https://management.azure.com/}"; do
		code=2
		access=$(identity_token "$resource") || continue
		code=0
		token=$(registry_token "$host" "$access") || code=$?
		[ "$code" != 0 ] || break
	done
	case $code in
	0) ;;
	2) fail "$ERR_ORAS_IMDS_TIMEOUT" 'the metadata service returns no token for the identity of this node' ;;
	3) fail "$ERR_ORAS_PULL_UNAUTHORIZED" "the registry $host refuses the identity of this node" ;;
	*) fail "$ERR_ORAS_PULL_NETWORK_TIMEOUT" "the registry $host does not answer" ;;
	esac
	may_read "$token" || fail "$ERR_ORAS_PULL_UNAUTHORIZED" "the identity of this node may not read from the registry $host; assign it the role AcrPull"
	mkdir -p "${REGISTRY_LOGIN%/*}"
	for ((try = 1; try <= 3; try++)); do
		if (umask 077 && printf '%s' "$token" | bounded 60 oras login "$host" --identity-token-stdin --registry-config "$REGISTRY_LOGIN" >/dev/null); then
			chmod 0600 "$REGISTRY_LOGIN"
			return 0
		fi
		sleep 5
	done
	fail "$ERR_ORAS_PULL_UNAUTHORIZED" "the login at the registry $host failed"
}

pull_pause_image() {
	local image name local_name dir=/opt/pod-infra-container-image
	image=$(sed -nE 's/^[[:space:]]*(sandbox_image|sandbox) *= *"([^"]+)".*/\2/p' /etc/containerd/config.toml | head -n 1)
	[ -n "$image" ] || fail "$ERR_PULL_POD_INFRA_CONTAINER_IMAGE" "/etc/containerd/config.toml names no pause image"
	containerd_is_ready || fail "$ERR_PULL_POD_INFRA_CONTAINER_IMAGE" 'containerd does not answer'
	if [ -z "$(bounded 30 ctr --namespace k8s.io images list --quiet "name==$image")" ]; then
		name=$BOOTSTRAP_PROFILE_CONTAINER_REGISTRY_SERVER/${image#*/}
		mkdir -p "$dir"
		retry 9 5 120 oras copy --from-registry-config "$REGISTRY_LOGIN" --to-oci-layout "$name" "$dir:local" ||
			fail "$ERR_PULL_POD_INFRA_CONTAINER_IMAGE" "$name cannot be copied"
		local_name=${image%@*}
		[[ ${local_name##*/} != *:* ]] || local_name=${local_name%:*}
		if ! tar -cf "$dir.tar" -C "$dir" . ||
			! bounded 120 ctr --namespace k8s.io images import --base-name "$local_name" "$dir.tar" ||
			! bounded 60 ctr --namespace k8s.io images tag --force "$local_name:local" "$image" >/dev/null; then
			fail "$ERR_PULL_POD_INFRA_CONTAINER_IMAGE" "$name cannot be imported into containerd"
		fi
		bounded 60 ctr --namespace k8s.io images remove "$local_name:local" >/dev/null || true
	fi
	bounded 60 ctr --namespace k8s.io images label "$image" io.cri-containerd.pinned=pinned >/dev/null || warn "$image cannot be pinned, so kubelet may remove it"
	rm -rf "$dir" "$dir.tar"
}

installContainerRuntime() {
	local version=
	if given CONTAINERD_PACKAGE_URL; then
		part installContainerRuntime.downloadContainerdFromURL install_package_from_url containerd "$CONTAINERD_PACKAGE_URL" "$ERR_CONTAINERD_DOWNLOAD_TIMEOUT" "$ERR_CONTAINERD_INSTALL_TIMEOUT"
		return
	fi
	command -v containerd >/dev/null && is_installed_from containerd "$OS_FAMILY" && return 0
	if [ -e "$COMPONENTS" ]; then
		version=$(component_versions containerd | tail -n 1)
		[ -n "$version" ] || version=$(jq -r '.containerd.versions[0] // empty' /opt/azure/manifest.json 2>/dev/null)
		[[ $version =~ ^[0-9][0-9A-Za-z.+~:-]*$ ]] ||
			fail "$ERR_CONTAINERD_VERSION_INVALID" "$COMPONENTS has no valid version of containerd, found \"$version\""
	fi
	part installContainerRuntime.installStandaloneContainerd install_containerd_package "$version" || fail "$ERR_CONTAINERD_INSTALL_TIMEOUT" 'containerd cannot be installed'
	record_installed_from containerd "$OS_FAMILY"
}

installRunc() {
	install_package_from_url runc "$RUNC_PACKAGE_URL" "$ERR_RUNC_DOWNLOAD_TIMEOUT" "$ERR_RUNC_INSTALL_TIMEOUT"
}

install_package_from_url() {
	local name=$1 url=$2 file shown
	shown=$(redacted_url "$url")
	! is_installed_from "$name" "$shown" || return 0
	file=$(download_path "$url" "/opt/$name/downloads")
	download 20 30 60 600 "$url" "$file" || fail "$3" "$shown cannot be downloaded$(download_error)"
	install_package_file "$file" || {
		rm -f "$file"
		fail "$4" "$shown cannot be installed"
	}
	record_installed_from "$name" "$shown"
	rm -f "$file"
}

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

move_programs() {
	local files
	mapfile -d '' files < <(find "$1" -type f -print0)
	[ "${#files[@]}" = 0 ] || { chown root:root "${files[@]}" && chmod 0755 "${files[@]}" && mv -f -t "$2" "${files[@]}"; }
}

installNetworkPlugin() {
	if [ "${NETWORK_PLUGIN:-}" = azure ] && given VNET_CNI_PLUGINS_URL; then
		install_azure_cni
	elif [ -e /opt/cni/installed-from ]; then
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

use_kube_version() {
	local version=$1 name files=()
	for name in kubectl kubelet; do
		[ "$BIN/$name-$version" -ef "$BIN/$name" ] || mv -fT "$BIN/$name-$version" "$BIN/$name" || return
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

extract_kube_binaries() {
	local version=${KUBERNETES_VERSION#v} dir=$BIN/.unpack
	rm_existing "$dir"
	mkdir "$dir" && tar -xmzf "$1" -C "$dir" --no-same-owner --transform "s|.*/\(.*\)|\1-$version|" kubernetes/node/bin/kube{let,ctl} &&
		mv -f -t "$BIN" "$dir"/* && rmdir "$dir" && return
	rm -rf "$1" "$dir"
	fail "$ERR_K8S_INSTALL_ERR" "$(redacted_url "$2") has no kubernetes/node/bin/kubelet or kubectl, or they cannot be unpacked"
}

fetch_kube_archive() {
	local url=$1 version=v${KUBERNETES_VERSION#v}
	if is_isolated && ! given CUSTOM_KUBE_BINARY_URL && ! is_registry_reference "$url"; then
		url=$BOOTSTRAP_PROFILE_CONTAINER_REGISTRY_SERVER/oss/binaries/kubernetes/kubernetes-node:$(url_version "$url" || printf '%s' "$version")-linux-$CPU_ARCH
	fi
	fetch_archive "$url" /opt/kubernetes/downloads
}

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

readonly PREPARED_CREDENTIAL_PROVIDER=/opt/credentialprovider/acr-credential-provider

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

prefers_credential_provider_url() {
	{ ! family flatcar acl && ! has_tag ShouldEnforceKubePMCInstall && ! kubernetes_ge 1.33.0; } ||
		{ family mariner && [[ $OS_VERSION == 2.* ]] && ! is_isolated; }
}

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

fetch_credential_provider_archive() {
	local url=$1 version
	[ -n "$url" ] || return
	if is_isolated && ! is_registry_reference "$url"; then
		version=$(url_version "$url") || return
		url=$BOOTSTRAP_PROFILE_CONTAINER_REGISTRY_SERVER/oss/binaries/kubernetes/azure-acr-credential-provider:$version-linux-$CPU_ARCH
	fi
	fetch_archive "$url" /opt/credentialprovider/downloads
}

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
#EOF
