#!/usr/bin/env bash
# More that is wrong with a node, for the captures in testdata: `make captures`. Sourced by machine.sh.
#
# A scenario only brings its machine to where somebody would look for the cause; tests/diagnose reads what was captured there.
# shellcheck disable=SC2154 # machine.sh has the names

# shellcheck disable=SC2034 # run.sh runs them
readonly SLIPS=(
	flag_is_unknown
	feature_gate_is_unknown
	value_of_a_flag_is_malformed
	authorization_is_unknown
	label_is_reserved
	taint_is_malformed
	threshold_is_malformed
	more_is_reserved_than_there_is
	requests_are_forbidden
	requests_are_not_approved
	nobody_signs
	token_was_deleted
	name_of_the_api_server_is_unknown
	name_of_the_registry_is_unknown
	programs_are_not_found
	programs_are_cut_off
	configuration_of_plugins_is_broken
	plugin_is_missing
	pause_image_is_missing
	image_of_a_pod_is_missing
	containerd_ends_later
	kubelet_is_stopped_later
	kubelet_is_masked
	node_is_deleted
	api_server_ends_later
	credentials_are_lost
)

# [FILTER]: a first boot with a Configuration that a filter of jq has changed, however wrong it is.
first_boot() {
	start_machine
	real_pauses
	configuration | jq "${1:-.}" >"$test/configuration.json"
	hand_over scriptless --no-validate --config "$test/configuration.json"
	come_up
}

# FLAG VALUE
first_boot_with_flag() {
	first_boot ".kubelet_config.kubelet_flags[\"$1\"] = \"$2\""
	expect 'there is no node' there_is_no_node
}

becomes_a_node() {
	first_boot
	expect "the CSE command ends with 0, not $code" test "$code" = 0
	eventually 'the node is ready' kubelet_is_ready
}

# WORDS: waits until the journal of kubelet has them.
kubelet_says() {
	eventually "kubelet says: $1" has_said "$1"
}

has_said() {
	# All of it is read, because the end of a pipe would end its writer.
	inside journalctl --no-pager --unit=kubelet --output=cat | grep -E "$1" >/dev/null
}

## What a document says

flag_is_unknown() { first_boot_with_flag --no-such-flag true; }
feature_gate_is_unknown() { first_boot_with_flag --feature-gates NoSuchGate=true; }
value_of_a_flag_is_malformed() { first_boot_with_flag --max-pods many; }
authorization_is_unknown() { first_boot_with_flag --authorization-mode Sometimes; }
taint_is_malformed() { first_boot_with_flag --register-with-taints 'team=shop:Never'; }
threshold_is_malformed() { first_boot_with_flag --eviction-hard 'memory.available<much'; }
more_is_reserved_than_there_is() { first_boot_with_flag --kube-reserved 'cpu=100m,memory=9000Gi'; }

label_is_reserved() {
	first_boot '.kubelet_config.kubelet_node_labels["kubernetes.io/team"] = "shop"'
	expect 'there is no node' there_is_no_node
}

## The cluster

# NAME: what nodes may do is taken from them.
take_away() {
	api DELETE "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings/$1" >/dev/null
}

requests_are_forbidden() {
	start_machine
	real_pauses
	take_away bootstrappers
	deliver
	come_up
	expect 'there is no node' there_is_no_node
}

requests_are_not_approved() {
	start_machine
	real_pauses
	take_away approve-nodes
	deliver
	come_up
	expect 'there is no node' there_is_no_node
}

nobody_signs() {
	start_machine
	real_pauses
	inside pkill -KILL kube-controller
	deliver
	come_up
	expect 'there is no node' there_is_no_node
}

token_was_deleted() {
	start_machine
	real_pauses
	api DELETE "/api/v1/namespaces/kube-system/secrets/bootstrap-token-${token%.*}" >/dev/null
	deliver
	come_up
	expect 'there is no node' there_is_no_node
}

node_is_deleted() {
	becomes_a_node
	api DELETE /api/v1/nodes/machine-test >/dev/null
	kubelet_says 'update node status exceeds retry count'
}

api_server_ends_later() {
	becomes_a_node
	inside pkill -KILL kube-apiserver
	kubelet_says 'connection refused'
}

## The network

# NAME: nobody has an address for it.
forget_name() {
	fault "dns:$1" 404
}

name_of_the_api_server_is_unknown() {
	start_machine
	deliver '.cse_timeout = 60'
	: >"$test/addresses"
	forget_name "$api_server"
	come_up
	expect 'the API server is not found' said 52
}

name_of_the_registry_is_unknown() {
	start_machine
	deliver '.cse_timeout = 60'
	forget_name mcr.microsoft.com
	come_up
	expect 'there is no node' there_is_no_node
}

programs_are_not_found() {
	start_machine
	deliver '.cse_timeout = 60'
	fault packages.aks.azure.com/kubernetes 404
	come_up
	expect 'there is no node' there_is_no_node
}

programs_are_cut_off() {
	start_machine
	deliver '.cse_timeout = 60'
	fault packages.aks.azure.com/kubernetes truncate
	come_up
	expect 'there is no node' there_is_no_node
}

configuration_of_plugins_is_broken() {
	start_machine
	real_pauses
	deliver '.network_config.network_plugin = "NETWORK_PLUGIN_NONE"'
	inside mkdir -p /etc/cni/net.d
	inside sh -c 'printf "{\"cniVersion\": \"0.4.0\"," >/etc/cni/net.d/10-broken.conflist'
	come_up
	kubelet_says 'NetworkPluginNotReady|cni plugin not initialized'
}

## Pods

# IMAGE: a pod on the node, whose container has this image.
pod_of() {
	inside ctr --namespace k8s.io images import /opt/cluster/busybox.tar >/dev/null
	eventually 'the namespace has its account' namespace_is_ready
	create /api/v1/namespaces/default/pods "$(jq -n --arg image "$1" '{apiVersion: "v1", kind: "Pod", metadata: {name: "test"}, spec: {nodeName: "machine-test",
		automountServiceAccountToken: false, tolerations: [{operator: "Exists"}], containers: [{name: "test", image: $image, imagePullPolicy: "IfNotPresent"}]}}')"
}

pause_image_is_missing() {
	becomes_a_node
	pod_of registry.test/busybox:1
	kubelet_says 'failed to get sandbox image|CreatePodSandboxError'
}

has_a_pause_image() {
	local pause
	pause=$(inside sed -nE 's/.*(sandbox_image|sandbox) = "([^"]+)".*/\2/p' /etc/containerd/config.toml)
	inside ctr --namespace k8s.io images import /opt/cluster/pause.tar >/dev/null
	inside ctr --namespace k8s.io images tag --force registry.test/pause:1 "$pause" >/dev/null
}

image_of_a_pod_is_missing() {
	becomes_a_node
	has_a_pause_image
	pod_of mcr.microsoft.com/oss/none:1
	kubelet_says 'ErrImagePull|ImagePullBackOff'
}

plugin_is_missing() {
	becomes_a_node
	has_a_pause_image
	inside rm /opt/cni/bin/bridge
	pod_of registry.test/busybox:1
	kubelet_says 'failed to find plugin'
}

## Programs of the machine

containerd_ends_later() {
	becomes_a_node
	inside systemctl stop containerd
	kubelet_says 'Container runtime sanity check failed'
	eventually 'the node is not ready' not_ready_any_more
}

not_ready_any_more() {
	[ "$(of_the_node '.status.conditions[] | select(.type == "Ready").status')" != True ]
}

kubelet_is_stopped_later() {
	becomes_a_node
	inside systemctl stop kubelet
}

kubelet_is_masked() {
	start_machine
	real_pauses
	deliver
	inside rm /etc/systemd/system/kubelet.service
	inside systemctl mask kubelet
	come_up
	expect 'there is no node' there_is_no_node
}

# Its certificate and what it could get another one with are gone.
credentials_are_lost() {
	becomes_a_node
	inside systemctl stop kubelet
	inside sh -c 'rm -rf /var/lib/kubelet/pki/* /var/lib/kubelet/bootstrap-kubeconfig; sed -i s/certificate/nothing/ /var/lib/kubelet/kubeconfig' || true
	inside systemctl start --no-block kubelet
	kubelet_says 'unable to load bootstrap kubeconfig'
}
