# shellcheck shell=bash
# The configuration of kubelet's credential provider.

# Prints for which images kubelet calls the credential provider: images of Azure's registries, of the registry of a custom cloud,
# and, in an isolated cluster, of the Microsoft registry that its own registry mirrors.
# https://kubernetes.io/docs/tasks/administer-cluster/kubelet-credential-provider/
credential_provider_config() {
	local mcr registry=${BOOTSTRAP_PROFILE_CONTAINER_REGISTRY_SERVER:-} by_account='' name json
	local images=() args=("$KUBERNETES/azure.json")
	mcr=$(mcr_host)
	for name in '*' '*.*.geo'; do
		images+=("$name.azurecr."{io,cn,de,us})
	done
	! given AKS_CUSTOM_CLOUD_CONTAINER_REGISTRY_DNS_SUFFIX || images+=("*$AKS_CUSTOM_CLOUD_CONTAINER_REGISTRY_DNS_SUFFIX")
	if [ -n "$registry" ]; then
		images+=("$mcr")
		args+=("--registry-mirror=$mcr:$registry")
	fi
	if on SERVICE_ACCOUNT_IMAGE_PULL_ENABLED; then
		args+=(
			${IDENTITY_BINDINGS_LOCAL_AUTHORITY_SNI:+"--ib-sni-name=$IDENTITY_BINDINGS_LOCAL_AUTHORITY_SNI"}
			${SERVICE_ACCOUNT_IMAGE_PULL_DEFAULT_CLIENT_ID:+"--ib-default-client-id=$SERVICE_ACCOUNT_IMAGE_PULL_DEFAULT_CLIENT_ID"}
			${SERVICE_ACCOUNT_IMAGE_PULL_DEFAULT_TENANT_ID:+"--ib-default-tenant-id=$SERVICE_ACCOUNT_IMAGE_PULL_DEFAULT_TENANT_ID"}
			${API_SERVER_NAME:+"--ib-apiserver-ip=$API_SERVER_NAME"}
		)
		by_account=',
    "tokenAttributes": {
      "serviceAccountTokenAudience": "api://AKSIdentityBinding",
      "requireServiceAccount": false,
      "cacheType": "ServiceAccount",
      "optionalServiceAccountAnnotationKeys": ["kubernetes.azure.com/acr-client-id"]
    }'
	fi
	printf '{
  "kind": "CredentialProviderConfig",
  "apiVersion": "kubelet.config.k8s.io/v1",
  "providers": [{
    "name": "acr-credential-provider",
    "matchImages": '
	json_list "${images[@]}"
	printf ',
    "defaultCacheDuration": "10m",
    "apiVersion": "credentialprovider.kubelet.k8s.io/v1",
    "args": '
	json_list "${args[@]}"
	printf '%s
  }]
}
' "$by_account"
}

# Prints a list of texts: TEXT...
json_list() {
	local text json separator='['
	for text in "$@"; do
		json_text "$text"
		printf '%s"%s"' "$separator" "$json"
		separator=', '
	done
	printf ']'
}

uses_credential_provider() {
	kubelet_flag --image-credential-provider-config >/dev/null && kubelet_flag --image-credential-provider-bin-dir >/dev/null
}

# Keeps the program on an image, so that a node need not download it before its kubelet starts.
prepareCredentialProvider() {
	! uses_credential_provider || install_credential_provider "$PREPARED_CREDENTIAL_PROVIDER"
}

# Does nothing if kubelet is not told to use a credential provider.
configure_credential_provider() {
	! uses_credential_provider ||
		part ensureKubelet.configCredentialProvider must_put "$KUBELET_ROOT/credential-provider-config.yaml" 0644 credential_provider_config
}

# Installs the program if kubelet uses it, or else removes what an image stage has prepared.
provide_credential_provider() {
	if uses_credential_provider; then
		install_credential_provider "$KUBELET_ROOT/credential-provider/acr-credential-provider"
	elif [ -e "$PREPARED_CREDENTIAL_PROVIDER" ]; then
		is_installed_from credentialprovider '' || rm -f "$PREPARED_CREDENTIAL_PROVIDER" /opt/credentialprovider/installed-from
	fi
}
