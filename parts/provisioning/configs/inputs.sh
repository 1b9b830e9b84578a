# shellcheck shell=bash
# Checks the variables before anything is changed.

# Collects what is wrong with the variables, so that all of it is said at once.
WRONG=
add_problem() {
	WRONG+=${WRONG:+; }$1
}

fail_on_problems() {
	[ -z "$WRONG" ] || fail "$ERR_NODE_INPUT_INVALID" "$WRONG"
}

require() {
	local name
	for name in "$@"; do
		given "$name" || add_problem "$name is empty"
	done
}

require_number() {
	is_number "${!1:-}" || add_problem "$1 is no number: \"${!1:-}\""
}

# A value that goes into a file of lines.
require_one_line() {
	local name
	for name in "$@"; do
		[[ ${!name:-} != *[$'\n\r']* ]] || add_problem "$name has a line break"
	done
}

require_base64() {
	local name
	for name in "$@"; do
		decoded "$name" >/dev/null || add_problem "$name is not base64"
	done
}

checkBaseInputs() {
	require KUBERNETES_VERSION
	[[ ${KUBERNETES_VERSION:-0} =~ ^v?[0-9]+(\.[0-9A-Za-z+~-]+)*$ ]] || add_problem "KUBERNETES_VERSION is no version: \"$KUBERNETES_VERSION\""
	require_one_line HTTP_PROXY_URLS HTTPS_PROXY_URLS NO_PROXY_URLS CUSTOM_SEARCH_DOMAIN_NAME
	if on SHOULD_CONFIG_SWAP_FILE; then require_number SWAP_FILE_SIZE_MB; fi
	if on SHOULD_CONFIGURE_CUSTOM_CA_TRUST; then require_number CUSTOM_CA_TRUST_COUNT; fi
	if on ENABLE_HOSTS_CONFIG_AGENT; then require API_SERVER_NAME; fi
	require_base64 MESSAGE_OF_THE_DAY KUBENET_TEMPLATE
	fail_on_problems
}

checkNodeInputs() {
	require API_SERVER_NAME KUBE_CA_CRT KUBERNETES_VERSION KUBELET_FLAGS
	is_host "${API_SERVER_NAME:-x}" || add_problem "API_SERVER_NAME is no name or address: \"$API_SERVER_NAME\""
	require_one_line KUBELET_FLAGS KUBELET_NODE_LABELS NETWORK_POLICY KUBELET_IMAGE AZURE_ENVIRONMENT_FILEPATH TLS_BOOTSTRAP_TOKEN
	require_base64 KUBE_CA_CRT APISERVER_PUBLIC_KEY KUBELET_CLIENT_CONTENT KUBELET_CLIENT_CERT_CONTENT KUBELET_CONFIG_FILE_CONTENT \
		CUSTOM_ENV_JSON SERVICE_PRINCIPAL_FILE_CONTENT
	if given STANDARD_SECONDARY_NIC_COUNT; then require_number STANDARD_SECONDARY_NIC_COUNT; fi
	check_labels
	fail_on_problems
}

# Labels as the API server takes them; a kubelet with another one does not register.
check_labels() {
	local label key value name prefix
	local IFS=,
	set -f
	for label in ${KUBELET_NODE_LABELS:-}; do
		key=${label%%=*} value=${label#*=} prefix=
		[ "$value" != "$label" ] || value=
		name=${key##*/}
		[ "$name" = "$key" ] || prefix=${key%/*}
		[[ $name =~ ^[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?$ ]] || add_problem "label \"$label\": its name is not one of 1 to 63 characters"
		[[ -z $prefix || (${#prefix} -le 253 && $prefix =~ ^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$) ]] || add_problem "label \"$label\": its prefix is no domain"
		[[ -z $value || $value =~ ^[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?$ ]] || add_problem "label \"$label\": its value is not one of up to 63 characters"
	done
	set +f
}
