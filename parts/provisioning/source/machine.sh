# shellcheck shell=bash
# The machine: its image, its Kubernetes version and its metadata.

readonly METADATA_CACHE=$CONTAINERS/imds_instance_metadata_cache.json
# It has no https, and only the host of this machine answers there.
readonly METADATA_URL='http://169.254.169.254/metadata/instance?api-version=2021-02-01'

# Whether a version is the same as another or newer: VERSION OTHER. Everything after + or ~ is ignored. Numbers are compared as
# numbers, and a version with more parts is newer.
version_ge() {
	local one=${1%%[+~]*} two=${2%%[+~]*} mine theirs
	one=${one#v} two=${two#v}
	while [ -n "$two" ]; do
		mine=${one%%[.-]*} theirs=${two%%[.-]*}
		if [ "$mine" = "$theirs" ]; then
			one=${one#"$mine"} two=${two#"$theirs"}
			one=${one#[.-]} two=${two#[.-]}
		elif is_number "$mine" && is_number "$theirs"; then
			((10#$mine > 10#$theirs))
			return
		else
			[[ $mine > $theirs ]]
			return
		fi
	done
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

# https://learn.microsoft.com/azure/virtual-machines/instance-metadata-service
request_metadata() {
	put "$METADATA_CACHE" 0600 bounded 60 curl --fail --silent --show-error --noproxy '*' --connect-timeout 5 \
		--header 'Metadata: true' "$METADATA_URL"
}

# Fetches the metadata of the machine, once for all steps.
fetch_metadata() {
	local try
	! read_metadata || return 0
	for ((try = 1; ; try++)); do
		! { request_metadata && read_metadata; } || return 0
		rm -f "$METADATA_CACHE"
		[ "$try" -lt 20 ] && has_time || return 1
		sleep 2
	done
}

# What the steps ask most of the metadata: the VM size, the first IPv4 address, the addresses of the first network card for `--node-ip`,
# whether the tags can be read, and the names of the tags that are set, in lower case.
METADATA=()

# Reads it once, because a start of jq takes longer than the answer. Fails without metadata.
read_metadata() {
	local facts
	[ -e "$METADATA_CACHE" ] && facts=$(jq -r 'if .compute then . else error("no metadata") end
		| (try .network.interface[0] catch {}) as $card
		| [$card | try .ipv4.ipAddress[0].privateIpAddress catch "", try .ipv6.ipAddress[0].privateIpAddress catch ""
			| strings // ""] as $addresses
		| (.compute.vmSize | strings) // "", $addresses[0], ($addresses | map(select(. != "")) | join(",")),
			(try ([.compute.tagsList // [] | .[] | select(.value | ascii_downcase | contains("true")) | .name | ascii_downcase]
				| "true", .[]) catch "false")' "$METADATA_CACHE" 2>/dev/null) && mapfile -t METADATA <<<"$facts"
}

# Whether METADATA is there.
has_metadata() { [ "${#METADATA[@]}" -gt 0 ] || read_metadata; }

# Prints the result of a jq filter on the metadata: FILTER. Fails if it is empty.
metadata() {
	jq -er "($1) // empty" "$METADATA_CACHE" 2>/dev/null
}

# Whether the tags of this machine are known.
has_tags() {
	has_metadata && [ "${METADATA[3]}" = true ]
}

# Whether a tag is set: a name that contains NAME, with a value that contains `true`, in any case. Without metadata, no tag is.
has_tag() {
	local tag
	has_tags || return
	for tag in "${METADATA[@]:4}"; do
		[[ $tag != *"${1,,}"* ]] || return 0
	done
	return 1
}

vm_size() {
	has_metadata && [ -n "${METADATA[0]}" ] && printf '%s' "${METADATA[0]}"
}

# Whether METADATA has the first IPv4 address.
has_address() {
	has_metadata && [ -n "${METADATA[1]}" ]
}
