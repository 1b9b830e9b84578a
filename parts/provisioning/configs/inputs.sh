# shellcheck shell=bash
# Checks the variables before anything is changed. The result names every problem, not only the first one.

PROBLEMS=

add_problem() {
	PROBLEMS+=${PROBLEMS:+; }$1
}

fail_on_problems() {
	[ -z "$PROBLEMS" ] || fail "$ERR_NODE_INPUT_INVALID" "$PROBLEMS"
}

# Each of these takes names of variables.
require() {
	local name
	for name in "$@"; do
		given "$name" || add_problem "$name is empty"
	done
}

require_number() {
	is_number "${!1:-}" || add_problem "$1 must be a number, found \"${!1:-}\""
}

# A line break in a value would begin another line of the file that the value goes into.
require_one_line() {
	local name
	for name in "$@"; do
		[[ ${!name:-} != *[$'\n\r']* ]] || add_problem "$name must be one line, found a line break"
	done
}

# The value may be a secret, so the problem does not show it.
require_base64() {
	local name
	for name in "$@"; do
		decoded "$name" >/dev/null || add_problem "$name must be base64"
	done
}

checkBaseInputs() {
	require KUBERNETES_VERSION
	[[ ${KUBERNETES_VERSION:-0} =~ ^v?[0-9]+(\.[0-9A-Za-z+~-]+)*$ ]] ||
		add_problem "KUBERNETES_VERSION must be a version such as 1.33.5, found \"$KUBERNETES_VERSION\""
	require_one_line HTTP_PROXY_URLS HTTPS_PROXY_URLS NO_PROXY_URLS CUSTOM_SEARCH_DOMAIN_NAME
	if on SHOULD_CONFIG_SWAP_FILE; then require_number SWAP_FILE_SIZE_MB; fi
	if on SHOULD_CONFIGURE_CUSTOM_CA_TRUST; then require_number CUSTOM_CA_TRUST_COUNT; fi
	if on ENABLE_HOSTS_CONFIG_AGENT; then require API_SERVER_NAME; fi
	require_base64 MESSAGE_OF_THE_DAY KUBENET_TEMPLATE
	fail_on_problems
}

checkNodeInputs() {
	require API_SERVER_NAME KUBE_CA_CRT KUBERNETES_VERSION KUBELET_FLAGS
	is_host "${API_SERVER_NAME:-x}" || add_problem "API_SERVER_NAME must be a host name or an address, found \"$API_SERVER_NAME\""
	require_one_line KUBELET_FLAGS KUBELET_NODE_LABELS NETWORK_POLICY KUBELET_IMAGE AZURE_ENVIRONMENT_FILEPATH TLS_BOOTSTRAP_TOKEN
	require_base64 KUBE_CA_CRT APISERVER_PUBLIC_KEY KUBELET_CLIENT_CONTENT KUBELET_CLIENT_CERT_CONTENT KUBELET_CONFIG_FILE_CONTENT \
		CUSTOM_ENV_JSON SERVICE_PRINCIPAL_FILE_CONTENT
	if given STANDARD_SECONDARY_NIC_COUNT; then require_number STANDARD_SECONDARY_NIC_COUNT; fi
	check_labels
	fail_on_problems
}

# A kubelet with a label that the API server rejects does not register.
# https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/#syntax-and-character-set
check_labels() {
	local label key value name prefix
	local IFS=,
	set -f
	for label in ${KUBELET_NODE_LABELS:-}; do
		key=${label%%=*} value=${label#*=} prefix=
		[ "$value" != "$label" ] || value=
		name=${key##*/}
		[ "$name" = "$key" ] || prefix=${key%/*}
		[[ $name =~ ^[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?$ ]] ||
			add_problem "label \"$label\": the name must have 1 to 63 letters, digits, dots, dashes or underscores"
		[[ -z $prefix || (${#prefix} -le 253 && $prefix =~ ^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$) ]] ||
			add_problem "label \"$label\": the prefix must be a DNS name"
		[[ -z $value || $value =~ ^[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?$ ]] ||
			add_problem "label \"$label\": the value must have at most 63 letters, digits, dots, dashes or underscores"
	done
	set +f
}
