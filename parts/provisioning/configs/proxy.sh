# shellcheck shell=bash
# The HTTP proxy.

# Sets the proxy for the programs that this run calls.
useProxy() {
	if given HTTP_PROXY_URLS; then export HTTP_PROXY=$HTTP_PROXY_URLS http_proxy=$HTTP_PROXY_URLS; fi
	if given HTTPS_PROXY_URLS; then export HTTPS_PROXY=$HTTPS_PROXY_URLS https_proxy=$HTTPS_PROXY_URLS; fi
	if given NO_PROXY_URLS; then export NO_PROXY=$NO_PROXY_URLS no_proxy=$NO_PROXY_URLS; fi
}

# Calls a function with name and value of each variable that is set, in upper and in lower case: programs read one or the other.
each_proxy_setting() {
	local name
	for name in HTTP_PROXY HTTPS_PROXY NO_PROXY; do
		if given "${name}_URLS"; then
			local value=${name}_URLS
			"$1" "$name" "${!value}" && "$1" "${name,,}" "${!value}" || return
		fi
	done
}

# Prints a line of /etc/environment, which pam_env and systemd read. Both accept quotes.
proxy_line() {
	printf '%s="%s"\n' "$1" "$2"
}

proxy_default() {
	local value
	value=$(unit_value "$2") && printf 'DefaultEnvironment="%s=%s"\n' "$1" "$value"
}

manager_proxy() {
	printf '[Manager]\n'
	each_proxy_setting proxy_default
}

apt_proxy() {
	local name
	for name in http https; do
		local value=${name^^}_PROXY_URLS
		if given "$value"; then
			[[ ${!value} != *[\"\\]* ]] || return
			printf 'Acquire::%s::proxy "%s";\n' "$name" "${!value}"
		fi
	done
}

# Sets the proxy for logins, for systemd and its services, for kubelet and for apt.
configureEtcEnvironment() {
	# A URL with an account in it is a secret.
	local mode=0644
	[[ "${HTTP_PROXY_URLS:-}${HTTPS_PROXY_URLS:-}" != *@* ]] || mode=0600
	must_put_section /etc/environment "$mode" 'aks proxy' "$(each_proxy_setting proxy_line)"
	must_put /etc/systemd/system.conf.d/proxy.conf "$mode" manager_proxy
	if [ -d /etc/apt ]; then
		must_put /etc/apt/apt.conf.d/95proxy "$mode" apt_proxy
	fi
	must_put_unit kubelet.service.d/10-httpproxy.conf 0644 <<'UNIT'
#include provisioning/units/kubelet.service.d/10-httpproxy.conf
UNIT
}

logPrivateEgressProxy() {
	log "outbound traffic uses the proxy $(redacted_url "$PRIVATE_EGRESS_PROXY_ADDRESS")"
}
