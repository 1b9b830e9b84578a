#!/bin/bash
# Where the CSE command begins. The provisioning scripts are not part of this version yet, so this says so, where Azure
# and the guest agent look for it, and fails.
set -u

readonly code=100
readonly message='this version of aks-node-controller has no provisioning scripts yet; use an image with its own, and route scriptless or node-bootstrap-variables'

umask 077
mkdir -p /var/log/azure/aks /opt/azure/containers
document="{\"ExitCode\":\"$code\",\"Output\":\"\",\"Error\":\"$message\"}"
temporary=$(mktemp /var/log/azure/aks/.provision.json.XXXXXX) || exit "$code"
printf '%s\n' "$document" >"$temporary"
sync "$temporary"
mv -f "$temporary" /var/log/azure/aks/provision.json
: >/opt/azure/containers/provision.complete
sync /var/log/azure/aks /opt/azure/containers

printf '%s\n' "$document"
printf 'error: %s\n' "$message" >&2
exit "$code"
