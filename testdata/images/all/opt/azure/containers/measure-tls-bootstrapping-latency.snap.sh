#!/bin/bash
set -uo pipefail
. /opt/azure/containers/provision_source.sh || exit 1

readonly kubeconfig=/var/lib/kubelet/kubeconfig start=/opt/azure/containers/tls-bootstrap-start-time

trap 'rm -f "$start"' EXIT
if [ -s "$start" ]; then
	begun=$(date --date="$(cat "$start")" +%s%6N)
else
	begun=$(now)
fi
until=$((EPOCHSECONDS + 300))
while [ ! -s "$kubeconfig" ] && [ "$EPOCHSECONDS" -lt "$until" ]; do
	inotifywait --quiet --quiet --timeout 10 --event create,moved_to "${kubeconfig%/*}" 2>/dev/null || sleep 1
done
if [ -s "$kubeconfig" ]; then
	event AKS.Runtime.waitForTLSBootstrapping Informational "$begun" "$(now)" 'kubelet has its first certificate'
else
	event AKS.Runtime.waitForTLSBootstrappingTimeout Error "$begun" "$(now)" 'kubelet has no certificate after five minutes'
fi
