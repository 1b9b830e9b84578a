#!/usr/bin/env bash
# Nodes of the cluster by the delivery of a NodeBootstrappingConfiguration: everything is in CustomData, or what is secret is in the
# protected settings of the extension, which the node fetches early from the services of the host. Sourced by machine.sh.
# shellcheck disable=SC2154 # machine.sh has the names

# shellcheck disable=SC2034 # run.sh runs them
readonly DELIVERIES=(request_in_custom_data host_is_silent) FETCHED=(request_fetched_early request_comes_both_ways)

# A stand-in for the wire server and the host's plugin, which is no part of this project. What is fetched needs it.
readonly services_of_the_host=${BASH_SOURCE[0]%/*}/../../../shared/conformance/boothook/wireserver

# The request of a node of this cluster.
request() {
	jq --arg ca "$(cat "$test/authority.pem")" --arg name "$api_server" --arg token "$token" --arg version "$version" --arg secret "$principal" '
		.ContainerService.properties |= (.certificateProfile.caCertificate = $ca | .hostedMasterProfile.fqdn = $name
			| .servicePrincipalProfile.secret = $secret
			| .orchestratorProfile |= (.orchestratorVersion = $version | del(.kubernetesConfig.containerRuntimeConfig)
				| .kubernetesConfig.customKubeBinaryURL =
					"https://packages.aks.azure.com/kubernetes/v\($version)/binaries/kubernetes-node-linux-amd64.tar.gz")
			| del(.featureFlags))
		| .K8sComponents.LinuxCredentialProviderURL =
			"https://packages.aks.azure.com/cloud-provider-azure/v1.33.0/binaries/azure-acr-credential-provider-linux-amd64-v1.33.0.tar.gz"
		| .KubeletClientTLSBootstrapToken = $token' "$cluster_tests/../../testdata/nbc/kubenet.json"
}

# [ARGUMENT OF GENERATE...]: a machine, and what it is delivered.
deliver_request() {
	start_machine
	(umask 077 && request >"$test/request.json")
	# What the node is compared with.
	"$program" convert --nbc "$test/request.json" 2>/dev/null >"$test/configuration.json" || fail 'the request has no Configuration'
	hand_over scriptless --nbc "$test/request.json" "$@"
}

# The same where the secrets are in protected settings, and nobody answers yet instead of the host.
deliver_without_secrets() {
	: >"$test/no_host"
	deliver_request --secrets protected-settings
	expect 'CustomData has no secret' test "$(secrets_in_custom_data)" = 0
}

# Where it listens.
host_listens=(--wire 168.63.129.16:80 --host 168.63.129.16:32526)
start_the_host() {
	cp "$services_of_the_host" "$test/host.py"
	beside python3 /opt/test/host.py --command /opt/test/cse "${host_listens[@]}" --work /run/host \
		--log /opt/test/host.log --ready /opt/test/host_is_up >"$test/host.out" 2>&1 &
	eventually 'the host answers' test -e "$test/host_is_up"
}

# Everything in CustomData, decompressed.
user_data=${root:-}/var/lib/cloud/seed/nocloud/user-data
custom_data() {
	local line
	cat "$user_data"
	while IFS= read -r line; do
		base64 -d <<<"$line" | gzip -d
	done < <(grep -E '^H4sI[A-Za-z0-9+/=]+$' "$user_data")
}

secrets_in_custom_data() {
	printf '%s\n%s\n' "$token" "$principal" >"$test/secrets"
	custom_data | grep -cF -f "$test/secrets" || true
}

# WAY [CHANNEL]: what the result says of how the input came.
came_by() {
	local said
	said=$(jq -r '.Delivery | "\(.way) \(.channel // "")"' "$log/aks/provision.json")
	expect "the input came by $1, not by $said" test "$said" = "$1 ${2:-}"
	expect 'the command says it as well' test "$(jq -rR 'fromjson? | .Delivery.way' "$test/stdout")" = "$1"
}

# The scripts have run once, nothing is left that has the secrets again, and pods are kept from the host.
delivered_once() {
	local name
	expect 'the scripts have run once' test "$(runs_begun)" = 1
	for name in /opt/bin/boothook.sh /opt/azure/containers/boothook.sh; do
		expect "$name is gone" not is_there "$name"
	done
	for name in 80 32526; do
		expect "pods are kept from port $name of the host" \
			inside iptables -C FORWARD -d 168.63.129.16/32 -p tcp -m tcp --dport "$name" -j DROP
	done
	is_a_node
}

request_in_custom_data() {
	deliver_request
	expect 'CustomData has the secrets' test "$(secrets_in_custom_data)" != 0
	come_up
	has_ended_well
	came_by custom-data
	delivered_once
}

# The agent runs the command later than the boothook fetches what is in it.
request_fetched_early() {
	deliver_without_secrets
	start_the_host
	start_cloud_init
	eventually 'the boothook is there' is_there /opt/bin/boothook.sh
	start_command
	eventually 'cloud-init has ended' cloud_init_has_ended
	end_command
	has_ended_well
	came_by early-fetch host-plugin
	# What scripts ask besides is not known to it.
	expect 'the host has refused nothing' test "$(jq -s 'map(select(.what != null and .status != 200)) | length' "$test/host.log")" = 0
	delivered_once
}

# The agent is as fast as the boothook.
request_comes_both_ways() {
	deliver_without_secrets
	start_the_host
	come_up
	has_ended_well
	case $(jq -r .Delivery.way "$log/aks/provision.json") in
	early-fetch | extension) ;;
	*) fail "the way is $(jq -c .Delivery "$log/aks/provision.json")" ;;
	esac
	delivered_once
}

# What is sent to the host is lost. The extension brings everything while the boothook still waits, which then ends as well.
host_is_silent() {
	deliver_without_secrets
	inside iptables -I INPUT -d 168.63.129.16 -p tcp -j DROP
	start_cloud_init
	eventually 'the boothook asks the host' test -s "$log/aks-early-boothook.log"
	start_command
	eventually 'the provisioner is at work' inside test -e /run/aks-node-controller/started.json
	# The scripts ask it as well, and ask for minutes.
	inside iptables -D INPUT -d 168.63.129.16 -p tcp -j DROP
	eventually 'cloud-init has ended' cloud_init_has_ended
	expect 'the boothook has given up' grep -q 'provisioning has already started' "$log/aks-early-boothook.log"
	end_command
	has_ended_well
	came_by extension
	delivered_once
}
