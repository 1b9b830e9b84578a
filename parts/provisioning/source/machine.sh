# shellcheck shell=bash
# The machine: its image, its Kubernetes version and its metadata.

readonly METADATA_CACHE=$CONTAINERS/imds_instance_metadata_cache.json
# It has no https, and only the host of this machine answers there.
readonly METADATA_URL='http://169.254.169.254/metadata/instance?api-version=2021-02-01'

# Whether a version is the same as another or newer: VERSION OTHER. Everything after + or ~ is ignored.
version_ge() {
	local one=${1%%[+~]*} two=${2%%[+~]*}
	[ "$(printf '%s\n%s\n' "${two#v}" "${one#v}" | sort -V | head -n 1)" = "${two#v}" ]
}

kubernetes_ge() {
	version_ge "${KUBERNETES_VERSION:-0}" "$1"
}

# Whether this machine was created from an AKS image, whose build leaves this log.
is_prepared_image() {
	[ -e /opt/azure/vhd-install.complete ]
}

# Whether this run prepares an image, and no node.
makes_an_image() { on PRE_PROVISION_ONLY; }

# Fetches the metadata of the machine, once for all steps.
# https://learn.microsoft.com/azure/virtual-machines/instance-metadata-service
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
		[ "$try" -lt 20 ] && has_time || return 1
		sleep 2
	done
}

# Prints the result of a jq filter on the metadata: FILTER. Fails if it is empty.
metadata() {
	jq -er "($1) // empty" "$METADATA_CACHE" 2>/dev/null
}

# Prints whether the machine has a tag whose name contains NAME and whose value contains `true`. Fails without metadata.
tag() {
	jq -er --arg name "$1" '[.compute.tagsList // [] | .[]
		| select((.name | ascii_downcase | contains($name | ascii_downcase)) and (.value | ascii_downcase | contains("true")))]
		| if length > 0 then "true" else "false" end' "$METADATA_CACHE" 2>/dev/null
}

# Whether a tag is set: NAME. Without metadata, no tag is.
has_tag() {
	[ "$(tag "$1")" = true ]
}

primary_address() {
	metadata '.network.interface[0].ipv4.ipAddress[0].privateIpAddress'
}
