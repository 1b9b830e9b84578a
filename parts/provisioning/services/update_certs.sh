#!/bin/bash
# Copies the certificates in /opt/certs to the trust store, and removes from it those that are no longer in /opt/certs.
set -uo pipefail
umask 022

#include provisioning/source/os.sh
#include provisioning/source/trust_store.sh

readonly source=/opt/certs prefix=aks-custom-

# Prints the names, sizes and times of the certificates.
certificates() {
	find "$source" -maxdepth 1 -name '*.crt' -printf '%P %s %T@\n' | sort
}

copy_certificates() {
	local file name
	for file in "$CA_ANCHORS/$prefix"*; do
		name=${file##*/"$prefix"}
		if [ -e "$file" ] && [ ! -e "$source/${name%.*}.crt" ]; then
			rm -f "$file"
		fi
	done
	for file in "$source"/*.crt; do
		[ -e "$file" ] || continue
		name=$prefix$(basename "$file" .crt).$CA_SUFFIX
		cmp --quiet "$file" "$CA_ANCHORS/$name" || install -m 0644 "$file" "$CA_ANCHORS/$name" || return
	done
}

read_os
read_trust_store
if ! family mariner osguard flatcar acl; then
	# Without --fresh, the tool keeps links to certificates that were removed.
	CA_ANCHORS+=/certs CA_COMMAND+=(--fresh)
fi
mkdir -p "$source" "$CA_ANCHORS" || exit 1
# systemd does not start this service again for a change that happens while it runs.
# https://github.com/systemd/systemd/issues/5770
while :; do
	before=$(certificates)
	copy_certificates && "${CA_COMMAND[@]}" || exit
	[ "$(certificates)" != "$before" ] || break
done
