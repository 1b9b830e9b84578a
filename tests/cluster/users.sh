#!/usr/bin/env bash
# What people and controllers do with the cluster: a first document without a line written by hand, the explanation of a failure as
# a condition of an object, and manifests that run the program there. Sourced by machine.sh.
# shellcheck disable=SC2154,SC2016 # machine.sh has the names; what is quoted is for jq

# shellcheck disable=SC2034 # run.sh runs them
readonly USERS=(new_from_values new_from_what_is_printed explanations_are_conditions manifests_are_accepted)

## The first document

# ARGUMENT OF NEW...: the document that is made of them lacks nothing, and its node joins.
join_with_a_new_document() {
	(umask 077 && "$program" new --strict "$@" >"$test/node.yaml" 2>"$test/new.err") || fail "new: $(cat "$test/new.err")"
	"$program" validate "$test/node.yaml" >"$test/verdict" 2>&1 || fail "the document is not valid: $(cat "$test/verdict")"
	"$program" convert "$test/node.yaml" 2>/dev/null >"$test/configuration.json"
	hand_over scriptless --config "$test/node.yaml" --containerd-version 1.6.20
	come_up
	has_ended_well
	is_a_node
}

new_from_values() {
	start_machine
	(umask 077 && printf '%s\n' "$token" >"$test/new.token")
	join_with_a_new_document --api-server "$api_server" --ca "$test/authority.pem" --token-file "$test/new.token" \
		--kubernetes-version "$version" --vm-size Standard_D4s_v5 \
		--set auth_config.tenant_id=dca20356-f184-4521-8db9-5903e1e9a9c1 \
		--set auth_config.subscription_id=41255177-ccc5-422c-98a0-bb11206e338b \
		--set auth_config.assigned_identity_id=482aeba8-0a38-4b21-8821-1bcb6cfe579b \
		--set cluster_config.resource_group=MC_small-rg_small_eastus --set cluster_config.location=eastus \
		--set cluster_config.cluster_network_config.vnet_name=aks-vnet-11223344 \
		--set cluster_config.cluster_network_config.subnet=aks-subnet \
		--set cluster_config.cluster_network_config.security_group_name=aks-agentpool-11223344-nsg \
		--set cluster_config.cluster_network_config.route_table=aks-agentpool-11223344-routetable \
		--set network_config.network_plugin=NETWORK_PLUGIN_KUBENET
}

# What `az aks show` and `kubectl config view --raw` print of this cluster, which has no network policy, and the Secret and the
# ConfigMap that it has.
new_from_what_is_printed() {
	local given=$cluster_tests/../../testdata/new
	start_machine
	jq --arg name "$api_server" --arg version "$version" '.fqdn = $name | .kubernetesVersion = $version | .currentKubernetesVersion = $version
		| .networkProfile.networkPolicy = null
		| .agentPoolProfiles[] |= (.orchestratorVersion = $version | .currentOrchestratorVersion = $version | .osSku = "Ubuntu"
			| .nodeImageVersion = "AKSUbuntu-2204gen2containerd-202601.27.0")' "$given/kubenet-service-principal.json" >"$test/cluster.json"
	sed "s,^\( *server\): .*,\1: https://$api_server:443,; s,^\( *certificate-authority-data\): .*,\1: $(base64 -w 0 <"$test/authority.pem")," \
		"$given/kubeconfig-demo.yaml" >"$test/kubeconfig.yaml"
	eventually 'the namespace has its CA' authority_is_published
	api GET /api/v1/namespaces/default/configmaps/kube-root-ca.crt >"$test/authority.json"
	(umask 077 && api GET "/api/v1/namespaces/kube-system/secrets/bootstrap-token-${token%.*}" >"$test/token.json")
	join_with_a_new_document "$test/cluster.json" "$test/kubeconfig.yaml" "$test/authority.json" "$test/token.json" \
		--set auth_config.tenant_id=5ae15ec1-0000-4000-8000-6929573dfbf0 \
		--set cluster_config.cluster_network_config.vnet_name=aks-vnet-12345678 \
		--set "auth_config.service_principal_secret=$(printf '%s' "$principal" | base64 -w 0)"
}

authority_is_published() {
	api GET /api/v1/namespaces/default/configmaps/kube-root-ca.crt >/dev/null 2>&1
}

## Conditions

readonly layers='request machine user-data extension provisioning kubelet registration readiness lifecycle'

# For every number that can be an exit code, and for texts of every layer.
explanations_are_conditions() {
	local layer text code first
	start_machine
	for code in {1..255}; do
		"$program" explain --format condition "$code" 2>/dev/null || true
	done >"$test/conditions"
	expect 'every code of the table fails' test "$(jq -s 'map(select(.status == "False")) | length' "$test/conditions")" -ge \
		"$(grep -cE '^\| \[?[0-9]+\]?' "$cluster_tests/../../docs/exit-codes.md")"
	for text in "$cluster_tests"/../../testdata/explain/*.txt; do
		"$program" explain --format condition "$text" 2>/dev/null || true
	done >>"$test/conditions"
	for layer in $layers; do
		expect "there is a condition of the layer $layer" grep -qF "\"message\": \"$layer: " "$test/conditions"
	done
	jq -s . "$test/conditions" >"$test/list"
	expect 'nothing else is there' test "$(jq length "$test/list")" = \
		"$((255 + $(find "$cluster_tests/../../testdata/explain" -name '*.txt' | wc -l)))"

	create /apis/apiextensions.k8s.io/v1/customresourcedefinitions "$(definition)"
	eventually 'the kind is served' kind_is_served
	expect 'a reason with a hyphen is rejected' not create_explained spoilt "$(jq -c '.[0:1] | .[0].reason = "not-a-reason"' "$test/list")"
	expect 'a message that is too long is rejected' not create_explained long "$(jq -c '.[0:1] | .[0].message = ("a" * 32769)' "$test/list")"
	# An object may have 1.5 MiB in etcd.
	for ((first = 0; first < $(jq length "$test/list"); first += 1000)); do
		create_explained "from-$first" "$(jq -c ".[$first:$((first + 1000))]" "$test/list")" ||
			fail "a condition is rejected: $(tail -c 2000 "$cluster/created.log")"
	done
	on_a_node
}

# NAME LIST: creates an object with these conditions.
create_explained() {
	jq --arg name "$1" --argjson time '"2026-01-02T03:04:05Z"' '{apiVersion: "test.azure.com/v1", kind: "Explained", metadata: {name: $name},
		conditions: map(. + {lastTransitionTime: $time})}' <<<"$2" >"$cluster/object.json"
	api POST /apis/test.azure.com/v1/explaineds /opt/cluster/object.json >>"$cluster/created.log"
}

kind_is_served() {
	api GET /apis/test.azure.com/v1/explaineds >/dev/null 2>&1
}

# A kind whose objects have conditions, with the rules of `Condition` of meta/v1:
# https://github.com/kubernetes/apimachinery/blob/master/pkg/apis/meta/v1/types.go
definition() {
	jq -n '{apiVersion: "apiextensions.k8s.io/v1", kind: "CustomResourceDefinition", metadata: {name: "explaineds.test.azure.com"},
		spec: {group: "test.azure.com", scope: "Cluster", names: {plural: "explaineds", singular: "explained", kind: "Explained"},
			versions: [{name: "v1", served: true, storage: true, schema: {openAPIV3Schema: {type: "object", properties: {conditions: {type: "array",
				items: {type: "object", required: ["lastTransitionTime", "message", "reason", "status", "type"], properties: {
					lastTransitionTime: {type: "string", format: "date-time"},
					message: {type: "string", maxLength: 32768},
					observedGeneration: {type: "integer", format: "int64", minimum: 0},
					reason: {type: "string", minLength: 1, maxLength: 1024, pattern: "^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$"},
					status: {type: "string", enum: ["True", "False", "Unknown"]},
					type: {type: "string", maxLength: 316,
						pattern: "^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$"}
				}}}}}}}]}}'
}

# A condition of each layer on a node.
on_a_node() {
	local layer
	create /api/v1/nodes '{"apiVersion": "v1", "kind": "Node", "metadata": {"name": "explained"}}'
	for layer in $layers; do
		# The controller manager changes it, too.
		api GET /api/v1/nodes/explained | jq --arg layer "$layer: " --slurpfile list "$test/list" 'del(.metadata.resourceVersion) | .status.conditions =
			[first($list[0][] | select(.message | startswith($layer))) + {lastTransitionTime: "2026-01-02T03:04:05Z"}]' >"$cluster/status.json"
		api PUT /api/v1/nodes/explained/status /opt/cluster/status.json >"$test/said" || fail "$layer: $(cat "$test/said")"
		expect "the node has the condition of the layer $layer" test "$(jq -c '.status.conditions[0] | del(.lastHeartbeatTime)' "$test/said")" = \
			"$(jq -c '.status.conditions[0] | {type, status, lastTransitionTime, reason, message}' "$cluster/status.json")"
	done
}

## Manifests

# As `kubectl apply --dry-run=server --validate=strict` sends them: what the API server would drop or default differently is seen.
manifests_are_accepted() {
	local manifest collection
	start_machine
	for manifest in "$cluster_tests"/../../examples/kubernetes/*.yaml; do
		python3 -c 'import json, sys, yaml; json.dump(yaml.safe_load(sys.stdin), sys.stdout)' <"$manifest" >"$cluster/manifest.json"
		collection=$(jq -r '"/apis/\(.apiVersion)/namespaces/default/\(.kind | ascii_downcase)s"' "$cluster/manifest.json")
		api POST "$collection?dryRun=All&fieldValidation=Strict" /opt/cluster/manifest.json >"$test/accepted.json" ||
			fail "$manifest: $(cat "$test/accepted.json")"
		# A field of a feature that the server has off is dropped in silence.
		expect "$manifest: nothing is dropped" jq -e --slurpfile given "$cluster/manifest.json" \
			'contains($given[0] | del(.spec.template.spec.containers[].resources))' "$test/accepted.json"
	done
	expect 'there are manifests' test -s "$test/accepted.json"
	jq '.spec.template.spec.containers[0].imagee = "x"' "$cluster/manifest.json" >"$cluster/mistyped.json"
	expect 'a name with a typing error is rejected' not \
		api POST "$collection?dryRun=All&fieldValidation=Strict" /opt/cluster/mistyped.json
}
