# shellcheck shell=bash
# The registry of an isolated cluster.

# Prints a token of the machine's identity: RESOURCE.
identity_token() {
	retry 5 15 60 curl --fail --silent --noproxy '*' --header 'Metadata: true' --get \
		--data-urlencode "resource=$1" --data-urlencode "client_id=$USER_ASSIGNED_IDENTITY_ID" --data api-version=2018-02-01 \
		http://169.254.169.254/metadata/identity/oauth2/token | jq -er '.access_token // empty'
}

# Prints a token of the registry in exchange for one of the identity: HOST TOKEN. 3: the registry refuses the identity; 1: it does
# not answer. curl reads tokens from standard input, because arguments can be seen by every user.
# https://learn.microsoft.com/azure/container-registry/container-registry-authentication
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

# Whether a token, a JWT, lists the permission to read: TOKEN. A token without a list does not tell.
may_read() {
	local body permissions
	body=${1#*.}
	body=${body%%.*}
	permissions=$(printf '%s%s' "$body" "$(printf '%*s' $(((4 - ${#body} % 4) % 4)) '' | tr ' ' =)" | tr '_-' '/+' | base64 -d 2>/dev/null |
		jq -c '.permissions.actions // empty' 2>/dev/null)
	[ -z "$permissions" ] || [[ $permissions == *'"read"'* ]]
}

# Logs in at the registry of an isolated cluster, unless it allows anonymous pulls.
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
	# Some clouds have no audience for registries, and some registries accept only the audience of the resource manager.
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

# Imports the pause image, which containerd pulls without the credential provider of kubelet, from the registry of an isolated
# cluster, under its usual name.
pull_pause_image() {
	local image name local_name dir=/opt/pod-infra-container-image
	image=$(sed -nE 's/^[[:space:]]*(sandbox_image|sandbox) *= *"([^"]+)".*/\2/p' /etc/containerd/config.toml | head -n 1)
	[ -n "$image" ] || fail "$ERR_PULL_POD_INFRA_CONTAINER_IMAGE" "/etc/containerd/config.toml names no pause image"
	containerd_is_ready || fail "$ERR_PULL_POD_INFRA_CONTAINER_IMAGE" 'containerd does not answer'
	if [ -z "$(bounded 30 ctr --namespace k8s.io images list --quiet "name==$image")" ]; then
		# The same repository and tag or digest at the other registry.
		name=$BOOTSTRAP_PROFILE_CONTAINER_REGISTRY_SERVER/${image#*/}
		mkdir -p "$dir"
		retry 9 5 120 oras copy --from-registry-config "$REGISTRY_LOGIN" --to-oci-layout "$name" "$dir:local" ||
			fail "$ERR_PULL_POD_INFRA_CONTAINER_IMAGE" "$name cannot be copied"
		# The name without digest and tag, under which the import adds the tag of the layout.
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
