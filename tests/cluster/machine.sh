#!/usr/bin/env bash
# Makes a node of a real Kubernetes cluster: etcd, API server, controller manager and kubelet are the real ones, on the machine
# and in the world of tests/provisioning. Call: unshare --mount machine.sh PROGRAM SCENARIO, with the directory of the programs of
# Kubernetes in KUBERNETES and their version in KUBERNETES_VERSION.
set -euo pipefail
cluster_tests=${BASH_SOURCE[0]%/*}
# shellcheck source=../provisioning/machine.sh
. "$cluster_tests/../provisioning/machine.sh"
# shellcheck disable=SC2154 # boot.sh has `root`
readonly cluster=$root/opt/cluster api_address=10.9.0.2
version=$KUBERNETES_VERSION
: "${KUBELET:=$KUBERNETES/kubelet}"
# shellcheck source=cluster.sh
. "$cluster_tests/cluster.sh"
# shellcheck source=scenarios.sh
. "$cluster_tests/scenarios.sh"
# shellcheck source=faults.sh
. "$cluster_tests/faults.sh"
# shellcheck source=slips.sh
. "$cluster_tests/slips.sh"
# shellcheck source=deliveries.sh
. "$cluster_tests/deliveries.sh"
# shellcheck source=users.sh
. "$cluster_tests/users.sh"

# The archive that a user would attach to a ticket.
capture() {
	inside /opt/azure/containers/aks-node-controller diagnose --bundle-out /run/capture.tar.gz >/dev/null 2>"$test/stderr" || true
	inside cat /run/capture.tar.gz >"$CAPTURES/$scenario.tar.gz"
}

# A run over what is there is what tests/provisioning looks at. When what happened is reported.
afterwards() {
	[ -z "${CAPTURES:-}" ] || capture
	[ -n "${REPORT:-}" ] && [ -n "$machine" ] || return 0
	{
		inside journalctl --no-pager --output=json |
			python3 "$cluster_tests/../timeline/timeline.py" collect "$log/Microsoft.Azure.Extensions.CustomScript/events"
		cat "$test/noted"
	} >"$REPORT.times"
}

more_of_the_failure() {
	tail -n 20 "$log/cluster-provision.log" || true
	cat "$log/aks/provision.json" || true
	inside journalctl --no-pager --unit=kubelet --output=cat | grep -E '^[EF]' | tail -n 20 || true
	tail -n 5 "$cluster"/*.log || true
}

[ "${BASH_SOURCE[0]}" != "$0" ] || run_scenario "$@"
