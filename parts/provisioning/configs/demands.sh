# shellcheck shell=bash
# Checks of variables. Generated from src/catalogue/demands.rs by `make generate`; do not edit.

checkBaseInputs() {
	require KUBERNETES_VERSION
	demand_shown is_version 'a version such as 1.33.5' KUBERNETES_VERSION
	if on ENABLE_HOSTS_CONFIG_AGENT; then
		require API_SERVER_NAME
		demand_shown is_host 'a host name or an IP address' API_SERVER_NAME
	fi
	demand is_one_line 'one line' HTTP_PROXY_URLS HTTPS_PROXY_URLS NO_PROXY_URLS
	if on SHOULD_CONFIGURE_HTTP_PROXY; then
		demand is_unquoted 'without double quotes and backslashes' HTTP_PROXY_URLS HTTPS_PROXY_URLS NO_PROXY_URLS
	fi
	demand is_one_line 'one line' CUSTOM_SEARCH_DOMAIN_NAME
	if on SHOULD_CONFIG_SWAP_FILE; then
		require SWAP_FILE_SIZE_MB
		demand_shown is_number 'a number of up to nine digits' SWAP_FILE_SIZE_MB
	fi
	if on SHOULD_CONFIGURE_CUSTOM_CA_TRUST; then
		require CUSTOM_CA_TRUST_COUNT
		demand_shown is_number 'a number of up to nine digits' CUSTOM_CA_TRUST_COUNT
	fi
	demand is_base64 'base64' MESSAGE_OF_THE_DAY KUBENET_TEMPLATE
	if on SHOULD_CONFIG_CONTAINERD_ULIMITS; then
		demand_shown are_unit_settings '[Service] and limits such as LimitNOFILE=1048576, separated by blanks' CONTAINERD_ULIMITS
	fi
	demand_shown is_registry 'a host with an optional port and path' BOOTSTRAP_PROFILE_CONTAINER_REGISTRY_SERVER MCR_REPOSITORY_BASE
	fail_on_problems
}

checkNodeInputs() {
	require API_SERVER_NAME KUBE_CA_CRT KUBERNETES_VERSION KUBELET_FLAGS
	demand_shown is_version 'a version such as 1.33.5' KUBERNETES_VERSION
	demand_shown is_host 'a host name or an IP address' API_SERVER_NAME
	demand is_certificate 'base64 of a certificate' KUBE_CA_CRT
	demand is_one_line 'one line' KUBELET_FLAGS KUBELET_NODE_LABELS NETWORK_POLICY KUBELET_IMAGE AZURE_ENVIRONMENT_FILEPATH TLS_BOOTSTRAP_TOKEN
	demand is_base64 'base64' APISERVER_PUBLIC_KEY KUBELET_CLIENT_CONTENT KUBELET_CLIENT_CERT_CONTENT KUBELET_CONFIG_FILE_CONTENT SERVICE_PRINCIPAL_FILE_CONTENT
	if on IS_CUSTOM_CLOUD; then
		demand is_object 'a JSON object, as text or in base64' CUSTOM_ENV_JSON
		require TARGET_ENVIRONMENT
		demand_shown is_file_name 'letters, digits, dots, dashes or underscores' TARGET_ENVIRONMENT
	fi
	if on MIG_NODE; then
		demand is_one_line 'one line' GPU_INSTANCE_PROFILE NVIDIA_MIG_PROFILE_LAYOUT
	fi
	demand_shown is_number 'a number of up to nine digits' STANDARD_SECONDARY_NIC_COUNT
	demand_shown are_labels 'key=value pairs separated by commas: names and values of up to 63 letters, digits, dots, dashes or underscores, with an optional DNS name and a slash before the name' KUBELET_NODE_LABELS
	fail_on_problems
}
