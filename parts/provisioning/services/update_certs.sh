#!/bin/bash
# Takes the certificates of /opt/certs into the trust store, and out of it those that are no longer there.
set -uo pipefail
umask 022

readonly source=/opt/certs prefix=aks-custom-
suffix=crt
case $(sed -nE "s/^ID=[\"']?([^\"']*)[\"']?\$/\\1/p" /etc/os-release)/$(sed -nE "s/^VARIANT_ID=[\"']?([^\"']*)[\"']?\$/\\1/p" /etc/os-release) in
azurecontainerlinux/* | */azurecontainerlinux | azurelinux/osguard) anchors=/etc/pki/ca-trust/source/anchors command=(update-ca-trust) ;;
mariner* | azurelinux*) anchors=/usr/share/pki/ca-trust-source/anchors command=(update-ca-trust) ;;
flatcar/*) anchors=/etc/ssl/certs suffix=pem command=(update-ca-certificates) ;;
*) anchors=/usr/local/share/ca-certificates/certs command=(update-ca-certificates --fresh) ;;
esac

mkdir -p "$source" "$anchors" || exit 1
for file in "$anchors/$prefix"*; do
	name=${file##*/"$prefix"}
	if [ -e "$file" ] && [ ! -e "$source/${name%.*}.crt" ]; then
		rm -f "$file"
	fi
done
for file in "$source"/*.crt; do
	[ -e "$file" ] || continue
	name=$prefix$(basename "$file" .crt).$suffix
	cmp --quiet "$file" "$anchors/$name" || install -m 0644 "$file" "$anchors/$name" || exit 1
done
exec "${command[@]}"
