#!/usr/bin/env bash
# Nodes of the cluster, one for each way to make one. Sourced by machine.sh.
# shellcheck disable=SC2154 # machine.sh has the names

# shellcheck disable=SC2034 # run.sh runs them
readonly ROUTES=(scriptless scriptless_by_write_files node_bootstrap_variables karpenters_objects scripted by_the_start_script)

scriptless() {
	start_machine
	configuration >"$test/configuration.json"
	hand_over scriptless --config "$test/configuration.json"
	come_up
	has_ended_well
	is_a_node
}

scriptless_by_write_files() {
	start_machine
	configuration >"$test/configuration.json"
	hand_over scriptless --custom-data-form write-files --config "$test/configuration.json"
	come_up
	has_ended_well
	is_a_node
}

node_bootstrap_variables() {
	start_machine
	configuration >"$test/configuration.json"
	hand_over node-bootstrap-variables --config "$test/configuration.json"
	come_up
	is_a_node
}

scripted() {
	start_machine
	configuration >"$test/configuration.json"
	# CustomData brings them.
	rm "$containers"/provision*.sh "$root/etc/systemd/system/kubelet.service"
	hand_over scripted --config "$test/configuration.json"
	come_up
	has_ended_well
	is_a_node
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

# The node is what the Configuration says, and a pod runs on it.
is_a_node() {
	eventually 'the node is ready' kubelet_is_ready
	expect 'labels are those of the Configuration' labels_are_right
	expect 'its address is that of the machine' test "$(of_the_node '.status.addresses[] | select(.type == "InternalIP").address')" = 10.9.0.1
	expect 'it has addresses for pods' test "$(of_the_node .spec.podCIDR)" = 10.244.0.0/24
	expect 'so many pods' test "$(of_the_node .status.capacity.pods)" = 110
	expect 'the version is the one that was asked for' test "$(of_the_node .status.nodeInfo.kubeletVersion)" = "v$version"
	expect 'kubelet has the DNS address' test "$(configz '.clusterDNS[0]')" = 10.0.0.10
	expect 'kubelet evicts as it is told' test "$(configz '.evictionHard["memory.available"]')" = 100Mi
	expect 'kubelet asks for new certificates' test "$(configz .rotateCertificates)" = true
	inside ctr --namespace k8s.io images import /opt/cluster/pause.tar >/dev/null
	inside ctr --namespace k8s.io images import /opt/cluster/busybox.tar >/dev/null
	eventually 'the namespace has its account' namespace_is_ready
	pod_runs
	kubelet_knows_everything || fail 'the kubelet does not know something'
}

labels_are_right() {
	jq -r '.kubelet_config.kubelet_node_labels // {} | to_entries[] | "\(.key)=\(.value)"' "$test/configuration.json" | LC_ALL=C sort >"$test/labels"
	of_the_node '.metadata.labels | to_entries[] | "\(.key)=\(.value)"' | LC_ALL=C sort >"$test/labels_of_the_node"
	[ -s "$test/labels" ] && [ -z "$(LC_ALL=C comm -23 "$test/labels" "$test/labels_of_the_node")" ]
}
