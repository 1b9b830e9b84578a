# shellcheck shell=bash
# The machine: its image, its Kubernetes version and its metadata.

readonly METADATA_CACHE=$CONTAINERS/imds_instance_metadata_cache.json
readonly METADATA_URL='http://169.254.169.254/metadata/instance?api-version=2021-02-01'

version_ge() {
	local one=${1%%[+~]*} two=${2%%[+~]*}
	[ "$(printf '%s\n%s\n' "${two#v}" "${one#v}" | sort -V | head -n 1)" = "${two#v}" ]
}

kubernetes_ge() {
	version_ge "${KUBERNETES_VERSION:-0}" "$1"
}

is_prepared_image() {
	[ -e /opt/azure/vhd-install.complete ]
}

# Asks the metadata service once; the answer serves all steps.
fetch_metadata() {
	if jq -e .compute "$METADATA_CACHE" >/dev/null 2>&1; then
		return 0
	fi
	local try
	for ((try = 1; ; try++)); do
		if put "$METADATA_CACHE" 0600 bounded 60 curl --fail --silent --show-error --noproxy '*' --connect-timeout 5 \
			--header 'Metadata: true' "$METADATA_URL" && jq -e .compute "$METADATA_CACHE" >/dev/null 2>&1; then
			return 0
		fi
		rm -f "$METADATA_CACHE"
		[ "$try" -lt 20 ] && [ "$(seconds_left)" -gt 0 ] || return 1
		sleep 2
	done
}

# What a jq filter finds in the metadata.
metadata() {
	jq -er "($1) // empty" "$METADATA_CACHE" 2>/dev/null
}

# Whether the machine has a tag whose name holds NAME and whose value holds `true`: prints true or false.
tag() {
	jq -er --arg name "$1" '[.compute.tagsList // [] | .[]
		| select((.name | ascii_downcase | contains($name | ascii_downcase)) and (.value | ascii_downcase | contains("true")))]
		| if length > 0 then "true" else "false" end' "$METADATA_CACHE" 2>/dev/null
}

# Whether a tag is on. Nothing is known without metadata, so nothing is on.
has_tag() {
	[ "$(tag "$1")" = true ]
}

primary_address() {
	metadata '.network.interface[0].ipv4.ipAddress[0].privateIpAddress'
}
