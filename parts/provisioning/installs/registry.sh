# shellcheck shell=bash
# The registry of an isolated cluster.

# Prints a token of the machine's identity for registries. Clouds without the audience of registries accept that of the resource
# manager.
identity_token() {
	local resource token client=${USER_ASSIGNED_IDENTITY_ID:-}
	for resource in https://containerregistry.azure.net "${ARM_RESOURCE_ENDPOINT:-https://management.azure.com/}"; do
		token=$(retry 5 15 60 curl --fail --silent --noproxy '*' --header 'Metadata: true' --get \
			--data-urlencode "resource=$resource" --data-urlencode "client_id=$client" --data api-version=2018-02-01 \
			http://169.254.169.254/metadata/identity/oauth2/token | jq -er .access_token) && printf '%s' "$token" && return 0
	done
	return 1
}

# Prints a token of the registry in exchange for one of the identity: HOST TOKEN. 3: the registry refuses the identity; 1: no
# answer. curl reads tokens from standard input, because arguments can be seen by every user.
# https://learn.microsoft.com/azure/container-registry/container-registry-authentication
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
	local host answer access token code=0 try
	host=$(registry_host)
	for ((try = 1; try <= 10; try++)); do
		if answer=$(bounded 60 oras repo ls "$host" --registry-config "$REGISTRY_LOGIN" 2>&1); then
			log "the registry $host allows anonymous pulls"
			return 0
		fi
		[[ ${answer,,} != *unauthorized* ]] || break
		if [ "$try" = 10 ] || [ "$(seconds_left)" -le 0 ]; then
			fail "$ERR_ORAS_PULL_NETWORK_TIMEOUT" "the registry $host does not answer"
		fi
		sleep 5
	done
	if ! given USER_ASSIGNED_IDENTITY_ID || ! given TENANT_ID; then
		fail "$ERR_ORAS_PULL_UNAUTHORIZED" "the registry $host needs a login, but USER_ASSIGNED_IDENTITY_ID or TENANT_ID is empty"
	fi
	access=$(identity_token) || fail "$ERR_ORAS_IMDS_TIMEOUT" 'the metadata service returns no token for the identity of this node'
	token=$(registry_token "$host" "$access") || code=$?
	[ "$code" != 3 ] || fail "$ERR_ORAS_PULL_UNAUTHORIZED" "the registry $host refuses the identity of this node"
	[ "$code" = 0 ] || fail "$ERR_ORAS_PULL_NETWORK_TIMEOUT" "the registry $host does not answer"
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
	local image name folder=/opt/pod-infra-container-image
	image=$(sed -nE 's/^[[:space:]]*(sandbox_image|sandbox) *= *"([^"]+)".*/\2/p' /etc/containerd/config.toml | head -n 1)
	[ -n "$image" ] || fail "$ERR_PULL_POD_INFRA_CONTAINER_IMAGE" "/etc/containerd/config.toml names no pause image"
	containerd_is_ready || fail "$ERR_PULL_POD_INFRA_CONTAINER_IMAGE" 'containerd does not answer'
	if ! ctr --namespace k8s.io images list --quiet | grep -qxF "$image"; then
		# The same repository and tag or digest at the other registry.
		name=$BOOTSTRAP_PROFILE_CONTAINER_REGISTRY_SERVER/${image#*/}
		mkdir -p "$folder"
		retry 9 5 120 oras copy --from-registry-config "$REGISTRY_LOGIN" --to-oci-layout "$name" "$folder:pause" ||
			fail "$ERR_PULL_POD_INFRA_CONTAINER_IMAGE" "$name cannot be copied"
		tar -cf "$folder.tar" -C "$folder" .
		bounded 120 ctr --namespace k8s.io images import --index-name "$image" "$folder.tar" ||
			fail "$ERR_PULL_POD_INFRA_CONTAINER_IMAGE" "$name cannot be imported into containerd"
	fi
	bounded 60 ctr --namespace k8s.io images label "$image" io.cri-containerd.pinned=pinned >/dev/null || warn "$image cannot be pinned, so kubelet may remove it"
	rm -rf "$folder" "$folder.tar"
}
