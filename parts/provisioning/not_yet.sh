#!/bin/bash
# Takes the place of a provisioning script that is not part of this version yet. Whoever runs or sources it is told.
printf 'error: this version of aks-node-controller has no %s yet\n' "${BASH_SOURCE[0]}" >&2
# shellcheck disable=SC2317 # reached when this is run and not sourced
return 100 2>/dev/null || exit 100
#EOF
