#!/usr/bin/env bash
# Nodes of the cluster, one for each way to make one. Sourced by machine.sh.
# shellcheck disable=SC2154 # machine.sh has the names

# shellcheck disable=SC2034 # run.sh runs them
readonly ROUTES=(scriptless scriptless_by_write_files node_bootstrap_variables karpenters_objects scripted by_the_start_script
	with_a_configuration_file ready_is_part_of_the_answer)

# This system has containerd 1.6.
readonly from_configuration=(--config "${test:-}/configuration.json" --containerd-version 1.6.20)

scriptless() {
	start_machine
	configuration >"$test/configuration.json"
	hand_over scriptless "${from_configuration[@]}"
	come_up
	has_ended_well
	is_a_node
}

scriptless_by_write_files() {
	start_machine
	configuration >"$test/configuration.json"
	hand_over scriptless --custom-data-form write-files "${from_configuration[@]}"
	come_up
	has_ended_well
	is_a_node
}

node_bootstrap_variables() {
	start_machine
	configuration >"$test/configuration.json"
	hand_over node-bootstrap-variables "${from_configuration[@]}"
	come_up
	is_a_node
}

# What Karpenter knows of its cluster and of the node that it wants, and no Configuration. Kubernetes is on the image.
karpenters_objects() {
	use_family ubuntu ubuntu 24.04
	cache_debian_packages
	start_machine
	local given=$cluster_tests/../../testdata/karpenter name
	for name in node_claim.yaml instance_type.json; do
		cp "$given/$name" "$test/"
	done
	sed "s,^\(CLUSTER_ENDPOINT\): .*,\1: https://$api_server:443,; s,^\(KUBELET_BOOTSTRAP_TOKEN\): .*,\1: $token," "$given/settings.yaml" >"$test/settings.yaml"
	sed "s,^\(ca_bundle\): .*,\1: $(base64 -w 0 <"$test/authority.pem")," "$given/cluster.yaml" >"$test/cluster.yaml"
	sed "s,^\(  kubernetesVersion\): .*,\1: $version," "$given/node_class.yaml" >"$test/node_class.yaml"
	hand_over node-bootstrap-variables --node-claim "$test/node_claim.yaml" --node-class "$test/node_class.yaml" \
		--settings "$test/settings.yaml" --cluster "$test/cluster.yaml" --instance-type "$test/instance_type.json"
	come_up
	eventually 'the node is there' node_is_there
	# Its network plugin comes with a pod of the cluster.
	inside install -D -m 0644 /opt/test/bridge.conflist /etc/cni/net.d/10-bridge.conflist
	eventually 'the node is ready' kubelet_is_ready
	expect 'it has the taints' test "$(taints 'team|node.cilium.io/.*|karpenter.sh/.*')" = \
		'karpenter.sh/unregistered:NoExecute,node.cilium.io/agent-not-ready:NoExecute,team=shop:NoSchedule'
	of_the_node '.metadata.labels | to_entries[] | "\(.key)=\(.value)"' >"$test/labels_of_the_node"
	for name in karpenter.sh/nodepool=general karpenter.sh/capacity-type=on-demand team=shop kubernetes.azure.com/cluster=MC_karpenter-rg_karpenter_westeurope; do
		expect "it has the label $name" grep -qxF "$name" "$test/labels_of_the_node"
	done
	runs_a_pod
}

node_is_there() {
	node >/dev/null
}

# PATTERN: taints of the node whose keys it matches.
taints() {
	of_the_node ".spec.taints[] | select(.key | test(\"^($1)\$\")) | \"\\(.key)\\(if .value then \"=\" + .value else \"\" end):\\(.effect)\"" |
		LC_ALL=C sort | paste -sd ,
}

scripted() {
	start_machine
	configuration >"$test/configuration.json"
	# CustomData brings them.
	rm "$containers"/provision*.sh "$root/etc/systemd/system/kubelet.service"
	hand_over scripted "${from_configuration[@]}"
	come_up
	has_ended_well
	is_a_node
}

# The command of the extension waits for the node as well.
ready_is_part_of_the_answer() {
	start_machine
	configuration >"$test/configuration.json"
	hand_over scriptless --config "$test/configuration.json"
	sed -i 's/provision-wait/provision-wait --ready=require/' "$test/cse"
	expect 'the command waits for the node' grep -q 'provision-wait --ready=require' "$test/cse"
	come_up
	has_ended_well
	expect 'the command says that the node is ready' test "$(jq -c '.Ready | [.Certificate, .Node, .Name, .Reason]' "$test/stdout")" = '["True","True","machine-test",null]'
	expect 'the node is ready' kubelet_is_ready
	expect 'the condition is the one of the node' test "$(jq -r .Ready.Since "$test/stdout")" = "$(of_the_node '.status.conditions[] | select(.type == "Ready").lastTransitionTime')"
	expect 'the rest of the answer is the result' test "$(jq -c 'del(.Ready)' "$test/stdout")" = "$(jq -c . "$log/aks/provision.json")"
	no_secret_is_seen
}

# What an image without cloud-init is given by hand.
by_the_start_script() {
	start_machine
	variables
	run_scripts
	expect 'the script ends well' test "$code" = 0
	is_a_node
}

# The command has ended with the result of the node, and said it.
has_ended_well() {
	[ "$code" = 0 ] || fail "the command ends with $code: $(tail -n 3 "$test/stdout" "$test/stderr")"
	expect 'the command prints the result' test "$(jq -rR 'fromjson? | .ExitCode' "$test/stdout")" = 0
}

# The kubelet reads kubelet.json, and gets its serving certificate from the cluster. Its certificates end soon, so it renews them.
with_a_configuration_file() {
	certificates_last=2m
	start_machine
	configuration | jq --slurpfile file "$cluster_tests/kubelet.json" '.kubelet_config |= (.enable_kubelet_config_file = true
		| .kubelet_config_file_config = $file[0]
		| .kubelet_flags |= with_entries(select(.key | IN("--cloud-provider", "--image-credential-provider-bin-dir",
			"--image-credential-provider-config", "--kubeconfig")))
		| .kubelet_flags["--register-with-taints"] = "team=shop:NoSchedule,when=started:NoExecute")' >"$test/configuration.json"
	hand_over scriptless "${from_configuration[@]}"
	come_up
	has_ended_well
	eventually 'the node is ready' kubelet_is_ready
	expect 'it has the taints' test "$(taints 'team|when')" = team=shop:NoSchedule,when=started:NoExecute
	approve_serving_certificates
	eventually 'the kubelet has its serving certificate' serving_certificate_is_of_the_cluster
	configz . >"$test/configz"
	jq -n --slurpfile said "$cluster_tests/kubelet.json" --slurpfile does "$test/configz" '
		[$said[0] | del(.kind, .apiVersion) | paths(scalars) as $at | select(getpath($at) != ($does[0] | getpath($at)))
			| "\($at | join(".")): \(getpath($at)), but \($does[0] | getpath($at))"] | .[]' >"$test/differences"
	[ ! -s "$test/differences" ] || fail "the kubelet does not do what it is told: $(cat "$test/differences")"
	expect 'so many pods' test "$(of_the_node .status.capacity.pods)" = 37
	eventually 'the kubelet has renewed its client certificate' client_certificate_is_another
	kubelet_knows_everything || fail 'the kubelet does not know something'
}

# As the controller of AKS does it.
approve_serving_certificates() {
	eventually 'the kubelet asks for a serving certificate' serving_certificate_is_wanted
	local name
	for name in $(wanted_serving_certificates); do
		api GET "/apis/certificates.k8s.io/v1/certificatesigningrequests/$name" |
			jq '.status.conditions = [{type: "Approved", status: "True", reason: "Test", message: "test"}]' >"$cluster/approval.json"
		api PUT "/apis/certificates.k8s.io/v1/certificatesigningrequests/$name/approval" /opt/cluster/approval.json >/dev/null
	done
}

wanted_serving_certificates() {
	api GET /apis/certificates.k8s.io/v1/certificatesigningrequests |
		jq -r '.items[] | select(.spec.signerName == "kubernetes.io/kubelet-serving" and .status == {}) | .metadata.name'
}

serving_certificate_is_wanted() {
	[ -n "$(wanted_serving_certificates)" ]
}

serving_certificate_is_of_the_cluster() {
	inside curl --silent --cacert /opt/test/authority.pem --output /dev/null https://10.9.0.1:10250/
}

client_certificate_is_another() {
	[ "$(find "$root/var/lib/kubelet/pki" -name 'kubelet-client-2*.pem' | wc -l)" -gt 1 ] && kubelet_is_ready
}

# The node is what the Configuration says, and a pod runs on it.
is_a_node() {
	eventually 'the node is ready' kubelet_is_ready
	expect 'labels match the Configuration' labels_are_right
	expect 'its address is the address of the machine' test "$(of_the_node '.status.addresses[] | select(.type == "InternalIP").address')" = 10.9.0.1
	expect 'it has addresses for pods' test "$(of_the_node .spec.podCIDR)" = 10.244.0.0/24
	expect 'so many pods' test "$(of_the_node .status.capacity.pods)" = 110
	expect 'the version is the one that was asked for' test "$(of_the_node .status.nodeInfo.kubeletVersion)" = "v$version"
	expect 'the architecture is the one of the size' test "$(of_the_node '.metadata.labels["kubernetes.io/arch"]')" = "$architecture"
	expect 'kubelet has the DNS address' test "$(configz '.clusterDNS[0]')" = 10.0.0.10
	expect 'kubelet evicts as it is told' test "$(configz '.evictionHard["memory.available"]')" = 100Mi
	expect 'kubelet asks for new certificates' test "$(configz .rotateCertificates)" = true
	runs_a_pod
}

runs_a_pod() {
	local pause
	pause=$(inside sed -nE 's/.*(sandbox_image|sandbox) = "([^"]+)".*/\2/p' /etc/containerd/config.toml)
	inside ctr --namespace k8s.io images import /opt/cluster/pause.tar >/dev/null
	inside ctr --namespace k8s.io images tag --force registry.test/pause:1 "$pause" >/dev/null
	inside ctr --namespace k8s.io images import /opt/cluster/busybox.tar >/dev/null
	eventually 'the namespace has its account' namespace_is_ready
	pod_runs
	kubelet_knows_everything || fail 'the kubelet does not know something'
	everything_can_be_read
	no_secret_is_seen
}

labels_are_right() {
	jq -r '.kubelet_config.kubelet_node_labels // {} | to_entries[] | "\(.key)=\(.value)"' "$test/configuration.json" | LC_ALL=C sort >"$test/labels"
	of_the_node '.metadata.labels | to_entries[] | "\(.key)=\(.value)"' | LC_ALL=C sort >"$test/labels_of_the_node"
	[ -s "$test/labels" ] && [ -z "$(LC_ALL=C comm -23 "$test/labels" "$test/labels_of_the_node")" ]
}
