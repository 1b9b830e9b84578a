# shellcheck shell=bash
# Directories that the scripts share.
# shellcheck disable=SC2034 # other scripts read these

readonly CONTAINERS=/opt/azure/containers
readonly LOGS=/var/log/azure
readonly EVENTS=$LOGS/Microsoft.Azure.Extensions.CustomScript/events
readonly UNITS=/etc/systemd/system
