# shellcheck shell=bash
# The configuration of kubelet's credential provider.

# Prints for which images kubelet calls the credential provider: images of Azure's registries, of the registry of a custom cloud,
# and, in an isolated cluster, of the Microsoft registry that its own registry mirrors.
# https://kubernetes.io/docs/tasks/administer-cluster/kubelet-credential-provider/
credential_provider_config() {
	local mcr
	mcr=$(mcr_host)
	jq --null-input --arg cloud "$KUBERNETES/azure.json" --arg mcr "$mcr" '
		def text(name): env[name] // "";
		def flag(name; value): if value == "" then [] else ["--" + name + "=" + value] end;
		text("BOOTSTRAP_PROFILE_CONTAINER_REGISTRY_SERVER") as $registry
		| text("AKS_CUSTOM_CLOUD_CONTAINER_REGISTRY_DNS_SUFFIX") as $suffix
		| (text("SERVICE_ACCOUNT_IMAGE_PULL_ENABLED") == "true") as $by_account
		| ["azurecr.io", "azurecr.cn", "azurecr.de", "azurecr.us"] as $registries
		| {
			kind: "CredentialProviderConfig",
			apiVersion: "kubelet.config.k8s.io/v1",
			providers: [{
				name: "acr-credential-provider",
				matchImages: (
					[$registries[] | "*." + .] + [$registries[] | "*.*.geo." + .]
					+ if $suffix == "" then [] else ["*" + $suffix] end
					+ if $registry == "" then [] else [$mcr] end
				),
				defaultCacheDuration: "10m",
				apiVersion: "credentialprovider.kubelet.k8s.io/v1",
				args: (
					[$cloud]
					+ if $registry == "" then [] else ["--registry-mirror=" + $mcr + ":" + $registry] end
					+ if $by_account then
						flag("ib-sni-name"; text("IDENTITY_BINDINGS_LOCAL_AUTHORITY_SNI"))
						+ flag("ib-default-client-id"; text("SERVICE_ACCOUNT_IMAGE_PULL_DEFAULT_CLIENT_ID"))
						+ flag("ib-default-tenant-id"; text("SERVICE_ACCOUNT_IMAGE_PULL_DEFAULT_TENANT_ID"))
						+ flag("ib-apiserver-ip"; text("API_SERVER_NAME"))
					else [] end
				)
			} + if $by_account then {
				tokenAttributes: {
					serviceAccountTokenAudience: "api://AKSIdentityBinding",
					requireServiceAccount: false,
					cacheType: "ServiceAccount",
					optionalServiceAccountAnnotationKeys: ["kubernetes.azure.com/acr-client-id"]
				}
			} else {} end]
		}'
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
		rm -f "$PREPARED_CREDENTIAL_PROVIDER" /opt/credentialprovider/installed-from
	fi
}
