#!/bin/bash
# Copies the certificates in /opt/certs to the trust store, and removes from it those that are no longer in /opt/certs.
set -uo pipefail
umask 022

#include provisioning/source/os.sh
#include provisioning/source/trust_store.sh

readonly source=/opt/certs prefix=aks-custom-

read_os
read_trust_store
if ! family mariner osguard flatcar acl; then
	# Without --fresh, the tool keeps links to certificates that were removed.
	CA_ANCHORS+=/certs CA_COMMAND+=(--fresh)
fi
mkdir -p "$source" "$CA_ANCHORS" || exit 1
for file in "$CA_ANCHORS/$prefix"*; do
	name=${file##*/"$prefix"}
	if [ -e "$file" ] && [ ! -e "$source/${name%.*}.crt" ]; then
		rm -f "$file"
	fi
done
for file in "$source"/*.crt; do
	[ -e "$file" ] || continue
	name=$prefix$(basename "$file" .crt).$CA_SUFFIX
	cmp --quiet "$file" "$CA_ANCHORS/$name" || install -m 0644 "$file" "$CA_ANCHORS/$name" || exit 1
done
exec "${CA_COMMAND[@]}"
