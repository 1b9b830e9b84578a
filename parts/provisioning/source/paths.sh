# shellcheck shell=bash
# Paths on the node.
# shellcheck disable=SC2034 # other scripts read these

readonly CONTAINERS=/opt/azure/containers
readonly LOGS=/var/log/azure
readonly EVENTS=$LOGS/Microsoft.Azure.Extensions.CustomScript/events
readonly METADATA_CACHE=$CONTAINERS/imds_instance_metadata_cache.json
readonly METADATA_URL='http://169.254.169.254/metadata/instance?api-version=2021-02-01'
readonly UNITS=/etc/systemd/system
