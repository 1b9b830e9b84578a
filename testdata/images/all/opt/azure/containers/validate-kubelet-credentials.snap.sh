#!/bin/bash
set -uo pipefail
readonly ca=${CREDENTIAL_VALIDATION_KUBE_CA_FILE:-} server=${CREDENTIAL_VALIDATION_APISERVER_URL:-}
readonly bootstrap=/var/lib/kubelet/bootstrap-kubeconfig

if [ -s /var/lib/kubelet/kubeconfig ] || [ -z "$ca" ] || [ -z "$server" ] || [ ! -s "$bootstrap" ]; then
	exit 0
fi
. /opt/azure/containers/provision_source.sh 2>/dev/null || exit 0

ask() {
	sed -nE 's/^ *token: *"?([^"]*)"?$/header = "Authorization: Bearer \1"/p' "$bootstrap" |
		curl --silent --show-error --max-time 5 --cacert "$ca" --output /dev/null --write-out '%{http_code}' --config - "$server/version"
}

begun=$(now)
for ((try = 1; try <= 30; try++)); do
	status=$(ask 2>/dev/null)
	if [[ $status == [23]?? ]]; then
		log 'the API server accepts the bootstrap token'
		event AKS.Runtime.validateKubeletCredentials Informational "$begun" "$(now)" 'The API server accepts the bootstrap token'
		exit 0
	fi
	log "the API server answers $status to the bootstrap token"
	sleep 2
done
if [ "$status" = 000 ]; then
	ask 2>&1 | tail -n 5
fi
event AKS.Runtime.validateKubeletCredentials Warning "$begun" "$(now)" "The API server answers $status to the bootstrap token"
exit 0
