# shellcheck shell=bash
# Checks that the node reaches what it needs, so that a failure names the network and not kubelet.

# Runs the command that is to reach a registry. The command is split at blanks and never evaluated as shell text.
checkOutbound() {
	local words output=${PROVISION_OUTPUT:-$LOGS/cluster-provision-cse-output.log}
	read -r -a words <<<"$OUTBOUND_COMMAND"
	is_curl_call "$OUTBOUND_COMMAND" || fail "$ERR_OUTBOUND_CONN_FAIL" "OUTBOUND_COMMAND must be a call of curl, found \"${words[0]:-}\""
	# Only for root: curl writes how it signs in at a proxy.
	(umask 077 && : >>"$output") && chmod 0600 "$output"
	retry 20 1 15 "${words[@]}" >>"$output" 2>&1 ||
		fail "$ERR_OUTBOUND_CONN_FAIL" "${words[-1]} cannot be reached; see $output"
}

# Other services of the node look for these files.
markOutboundSkipped() {
	: >/var/run/outbound-check-skipped
	: >/opt/azure/outbound-check-skipped
}

# Names of private links resolve late, so they have ten minutes. With the hosts agent, the name comes from /etc/hosts.
checkApiServer() {
	local name=$API_SERVER_NAME seconds=300 tries=34
	if is_ipv4 "$name"; then
		part apiserverNC retry 300 1 10 nc -z -w 10 "$name" 443 || fail "$ERR_K8S_API_SERVER_CONN_FAIL" "the API server at $name cannot be reached"
		return
	fi
	[[ $name != *.privatelink.* ]] || seconds=600 tries=68
	if ! on ENABLE_HOSTS_CONFIG_AGENT; then
		part apiserverNslookup wait_for_name "$name" "$seconds"
	fi
	part apiserverCurl reach_api_server "$name" "$tries" ||
		fail "$ERR_K8S_API_SERVER_CONN_FAIL" "the API server $name cannot be reached, or its certificate is not of this cluster"
}

# Waits until the API server gives any answer: NAME TRIES. What the last try prints shows why there is none.
reach_api_server() {
	local call=(curl --silent --show-error --output /dev/null --cacert "$KUBERNETES/certs/ca.crt" "https://$1")
	retry "$2" 1 15 "${call[@]}" || bounded 60 "${call[@]}" --verbose
}

# Waits until a name resolves: NAME SECONDS. The code tells whether the server of Azure or one of the customer failed.
wait_for_name() {
	local name=$1 until=$((EPOCHSECONDS + $2)) answer said=
	# The limit is above the one of the query, so that a silent server is named in what nslookup says.
	while ! answer=$(bounded 20 nslookup -timeout=15 -retry=0 "$name" 2>&1); do
		# The last try may have had no time to say anything.
		said=${answer:-$said}
		if [ "$EPOCHSECONDS" -ge "$until" ] || [ "$(seconds_left)" -le 1 ]; then
			if [[ $said == *168.63.129.16* ]]; then
				fail "$ERR_K8S_API_SERVER_AZURE_DNS_LOOKUP_FAIL" "Azure's DNS does not resolve the name of the API server $name"
			fi
			fail "$ERR_K8S_API_SERVER_DNS_LOOKUP_FAIL" "the name of the API server $name does not resolve"
		fi
		sleep 1
	done
}
