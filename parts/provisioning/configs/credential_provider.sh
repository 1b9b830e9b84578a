# shellcheck shell=bash
# The configuration of kubelet's credential provider.

# Prints for which images kubelet calls the credential provider: images of Azure's registries, of the registry of a custom cloud,
# and, in an isolated cluster, of the Microsoft registry that its own registry mirrors.
# https://kubernetes.io/docs/tasks/administer-cluster/kubelet-credential-provider/
credential_provider_config() {
	local by_account='' flag name images=({'*','*.*.geo'}.azurecr.{io,cn,de,us}) args=("$KUBERNETES/azure.json")
	! given AKS_CUSTOM_CLOUD_CONTAINER_REGISTRY_DNS_SUFFIX || images+=("*$AKS_CUSTOM_CLOUD_CONTAINER_REGISTRY_DNS_SUFFIX")
	if is_isolated; then
		images+=("$(mcr_host)")
		args+=("--registry-mirror=$(mcr_host):$BOOTSTRAP_PROFILE_CONTAINER_REGISTRY_SERVER")
	fi
	if on SERVICE_ACCOUNT_IMAGE_PULL_ENABLED; then
		while read -r flag name; do
			! given "$name" || args+=("--ib-$flag=${!name}")
		done <<'FLAGS'
sni-name IDENTITY_BINDINGS_LOCAL_AUTHORITY_SNI
default-client-id SERVICE_ACCOUNT_IMAGE_PULL_DEFAULT_CLIENT_ID
default-tenant-id SERVICE_ACCOUNT_IMAGE_PULL_DEFAULT_TENANT_ID
apiserver-ip API_SERVER_NAME
FLAGS
		by_account=', "tokenAttributes": {"serviceAccountTokenAudience": "api://AKSIdentityBinding", "requireServiceAccount": false,
  "cacheType": "ServiceAccount", "optionalServiceAccountAnnotationKeys": ["kubernetes.azure.com/acr-client-id"]}'
	fi
	printf '{"kind": "CredentialProviderConfig", "apiVersion": "kubelet.config.k8s.io/v1", "providers": [{"name": "acr-credential-provider",
  "matchImages": '
	json_list "${images[@]}"
	printf ', "defaultCacheDuration": "10m", "apiVersion": "credentialprovider.kubelet.k8s.io/v1",
  "args": '
	json_list "${args[@]}"
	printf '%s}]}\n' "$by_account"
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
provideCredentialProvider() {
	if uses_credential_provider; then
		install_credential_provider "$KUBELET_ROOT/credential-provider/acr-credential-provider"
	elif [ -e "$PREPARED_CREDENTIAL_PROVIDER" ]; then
		is_installed_from credentialprovider '' || rm -f "$PREPARED_CREDENTIAL_PROVIDER" /opt/credentialprovider/installed-from
	fi
}
