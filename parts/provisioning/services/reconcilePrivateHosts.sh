#!/bin/bash
# Keeps the address of a private API server in /etc/hosts. AKS writes the address into a tag of this machine.
# Reads KUBE_API_SERVER_NAME. The argument is the pause in seconds.
set -uo pipefail
umask 022

readonly name=${KUBE_API_SERVER_NAME:-}
readonly pause=${1:-15}
readonly metadata='http://169.254.169.254/metadata/instance/compute/tagsList?api-version=2021-02-01'

if [[ $name != *.privatelink.* ]]; then
	printf '%s is not the name of a private API server; nothing to do\n' "$name"
	exec sleep infinity
fi

# Prints /etc/hosts with one line for the server: ADDRESS NAME.
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
