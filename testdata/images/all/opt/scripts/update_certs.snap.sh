#!/bin/bash
set -uo pipefail
umask 022


os_field() {
	local line file=/etc/os-release
	value=
	[ -e "$file" ] || file=/usr/lib/os-release
	[ -e "$file" ] || return 0
	while IFS= read -r line; do
		if [ "${line%%=*}" = "$1" ]; then
			value=${line#*=}
			value=${value#[\"\']}
			value=${value%[\"\']}
			return
		fi
	done <"$file"
}

read_os() {
	local value
	os_field ID
	OS_ID=${value,,}
	os_field VERSION_ID
	OS_VERSION=$value
	os_field VARIANT_ID
	case ${OS_ID^^}/${value^^} in
	AZURECONTAINERLINUX/* | */AZURECONTAINERLINUX) OS_FAMILY=acl ;;
	AZURELINUX/OSGUARD) OS_FAMILY=osguard ;;
	MARINER/* | MARINERKATA/* | AZURELINUX/* | AZURELINUXKATA/*) OS_FAMILY=mariner ;;
	*) OS_FAMILY=$OS_ID ;;
	esac
	case $(uname -m) in
	aarch64 | arm64) CPU_ARCH=arm64 ;;
	*) CPU_ARCH=amd64 ;;
	esac
	readonly OS_ID OS_VERSION OS_FAMILY CPU_ARCH
}

family() {
	local name
	for name in "$@"; do
		[ "$OS_FAMILY" != "$name" ] || return 0
	done
	return 1
}

read_trust_store() {
	CA_SUFFIX=crt
	case $OS_FAMILY in
	acl | osguard) CA_ANCHORS=/etc/pki/ca-trust/source/anchors CA_COMMAND=(update-ca-trust) ;;
	mariner) CA_ANCHORS=/usr/share/pki/ca-trust-source/anchors CA_COMMAND=(update-ca-trust) ;;
	flatcar) CA_ANCHORS=/etc/ssl/certs CA_SUFFIX=pem CA_COMMAND=(update-ca-certificates) ;;
	*) CA_ANCHORS=/usr/local/share/ca-certificates CA_COMMAND=(update-ca-certificates) ;;
	esac
}

readonly source=/opt/certs prefix=aks-custom-

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
	CA_ANCHORS+=/certs CA_COMMAND+=(--fresh)
fi
mkdir -p "$source" "$CA_ANCHORS" || exit 1
while :; do
	before=$(certificates)
	copy_certificates && "${CA_COMMAND[@]}" || exit
	[ "$(certificates)" != "$before" ] || break
done
