# shellcheck shell=bash
# Checks that the node reaches its servers, so that a failure names the network and not the kubelet.

# Runs the command that is to reach a registry. The command is split at blanks and never evaluated as shell text.
checkOutbound() {
	local words said code=0 output=${PROVISION_OUTPUT:-$LOGS/cluster-provision-cse-output.log}
	read -r -a words <<<"$OUTBOUND_COMMAND"
	is_curl_call "$OUTBOUND_COMMAND" || fail "$ERR_OUTBOUND_CONN_FAIL" "OUTBOUND_COMMAND must be a call of curl, found \"${words[0]:-}\""
	# A full disk is not a blocked network.
	said=$(retry 20 1 15 "${words[@]}" 2>&1 | without_accounts | redacted_output "${words[@]:1}") || code=$?
	printf '%s\n' "$said" >>"$output"
	[ "$code" = 0 ] || fail "$ERR_OUTBOUND_CONN_FAIL" "$(redacted_url "${words[-1]}") cannot be reached: $(last_error_of_curl "$said"); see $output"
}

# Passes on the output of a verbose curl, without its credentials for a proxy.
without_accounts() {
	local line
	while IFS= read -r line || [ -n "$line" ]; do
		[[ ${line,,} =~ ^'>'\ *(proxy-)?authorization: || $line == '* Uses proxy env'* ]] || printf '%s\n' "$line"
	done
}

# Prints the last error in the output of curl: OUTPUT. A curl that was stopped has said nothing.
last_error_of_curl() {
	with_proxy_named "$(awk '/^curl: / { last = $0 } END { print last ? last : "no answer in time" }' <<<"$1")"
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
		part apiserverNC reach_api_server "$name" 300 10 nc -v -z -w 9 "$name" 443
		return
	fi
	[[ $name != *.privatelink.* ]] || seconds=600 tries=68
	if ! on ENABLE_HOSTS_CONFIG_AGENT; then
		part apiserverNslookup wait_for_name "$name" "$seconds"
	fi
	# Its own limit is below the limit of an attempt, so that it prints the operation that timed out.
	part apiserverCurl reach_api_server "$name" "$tries" 15 curl --silent --show-error --max-time 14 --output /dev/null \
		--cacert "$KUBERNETES/certs/ca.crt" "https://$name"
}

# Waits until the API server gives any answer: NAME TRIES LIMIT COMMAND..., with the limit of a try in seconds. Ends the run with
# the last error if there is none.
reach_api_server() {
	local name=$1 tries=$2 limit=$3 said details=
	shift 3
	said=$(retry "$tries" 1 "$limit" "$@" 2>&1 | redacted_output | last_error) && return
	if [ "$1" = curl ]; then
		details=$(bounded "$limit" "$@" --verbose 2>&1 | without_accounts | redacted_output) && return
		log "$details"
		details=$(sed -nE 's/^\* connect to .* failed: //p' <<<"$details" | tail -n 1)
	fi
	said=$(with_proxy_named "${said:-no answer in time}")${details:+ ($details)}
	case $said in
	*'has expired'* | *'not yet valid'*)
		said="the certificate of the API server $name is not valid at the time of this machine ($(date -u '+%F %T UTC')): $said"
		;;
	'curl: (60)'*) said="the certificate of the API server $name is not of this cluster: $said" ;;
	*) said="the API server $name cannot be reached: $said" ;;
	esac
	fail "$ERR_K8S_API_SERVER_CONN_FAIL" "$said"
}

# Passes lines on to standard error, and prints the last error of curl or nc.
last_error() {
	local line last=
	while IFS= read -r line; do
		printf '%s\n' "$line" >&2
		[[ $line != curl:* && $line != nc:* ]] || last=$line
	done
	printf '%s' "$last"
}

# Waits until a name resolves: NAME SECONDS. The code distinguishes Azure's server from a custom one.
wait_for_name() {
	local name=$1 until=$((EPOCHSECONDS + $2)) answer said=
	# The limit is above the one of the query, so that nslookup names a silent server.
	while ! answer=$(bounded 20 nslookup -timeout=15 -retry=0 "$name" 2>&1); do
		# The last attempt may have had no time to print an error.
		said=${answer:-$said}
		if [ "$EPOCHSECONDS" -ge "$until" ] || ! has_time; then
			if [[ $said == *168.63.129.16* ]]; then
				fail "$ERR_K8S_API_SERVER_AZURE_DNS_LOOKUP_FAIL" "Azure's DNS does not resolve the name of the API server $name"
			fi
			fail "$ERR_K8S_API_SERVER_DNS_LOOKUP_FAIL" "the name of the API server $name does not resolve"
		fi
		sleep 1
	done
}
