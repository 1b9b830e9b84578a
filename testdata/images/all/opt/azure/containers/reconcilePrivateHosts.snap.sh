#!/bin/bash
set -uo pipefail
umask 022

readonly name=${KUBE_API_SERVER_NAME:-}
readonly pause=${1:-15}
readonly metadata='http://169.254.169.254/metadata/instance/compute/tagsList?api-version=2021-02-01'

if [[ $name != *.privatelink.* ]]; then
	printf '%s is not the name of a private API server; nothing to do\n' "$name"
	exec sleep infinity
fi

hosts_with() {
	awk -v name="$2" '{ for (field = 2; field <= NF; field++) if ($field == name) next; print }' /etc/hosts
	printf '%s %s\n' "$1" "$2"
}

while :; do
	address=$(curl --silent --fail --noproxy '*' --max-time 10 --header 'Metadata: true' "$metadata" |
		jq -r '[.[] | select((.name | ascii_downcase) == "aksapiserveripaddress") | .value][0] // empty')
	if [[ $address =~ ^[0-9a-fA-F.:]+$ ]] && ! grep -qxF "$address $name" /etc/hosts; then
		temporary=$(mktemp /etc/.hosts.XXXXXX)
		if hosts_with "$address" "$name" >"$temporary" && chmod 0644 "$temporary" && mv -fT "$temporary" /etc/hosts; then
			printf '%s is at %s\n' "$name" "$address"
		else
			rm -f "$temporary"
		fi
	fi
	sleep "$pause"
done
