#!/bin/bash
# Prepares the machine for its cloud before anything else runs: root certificates, package repositories, the clock.
# Reads LOCATION and REPO_DEPOT_ENDPOINT. With the argument `ca-refresh` it only renews certificates.
set -uo pipefail
umask 022
export LC_ALL=C

#include provisioning/source/paths.sh
#include provisioning/source/put.sh
#include provisioning/source/events.sh
#include provisioning/source/os.sh
#include provisioning/source/trust_store.sh

readonly wire_server=http://168.63.129.16
readonly store=/root/AzureCACertificates

log() {
	printf '%(%F %T)T %s\n' -1 "$*"
}

fail() {
	log "error: $*"
	event AKS.CSE.rcv1p.init Error "$begun" "$(now)" "$*"
	exit 1
}

# Whether packages come from apt: every system that is not one of the other families.
uses_apt() {
	! family mariner osguard flatcar acl
}

begun=$(now)
readonly begun
read_os
read_trust_store

# Prints what the wire server returns for a path. It answers 403 when it limits requests; the pause then doubles.
ask() {
	local try pause=3 answer status
	for ((try = 1; try <= 10; try++)); do
		answer=$(curl --silent --noproxy '*' --connect-timeout 10 --max-time 30 --write-out '\n%{http_code}' "$wire_server/$1") || answer=$'\n000'
		status=${answer##*$'\n'}
		case $status in
		200)
			printf '%s' "${answer%$'\n'*}"
			return 0
			;;
		403) pause=$((pause * 2)) ;;
		esac
		[ "$try" = 10 ] || sleep "$pause"
	done
	return 1
}

# Prints a file name without directories and unusual characters, so that it stays in its directory.
plain_name() {
	local name=${1##*/}
	name=${name//[^A-Za-z0-9._-]/_}
	printf '%s' "${name#"${name%%[!.]*}"}"
}

# Writes a certificate to the directory of new ones: NAME TEXT. Ends the run if the text is no certificate.
keep_certificate() {
	local name
	name=$(plain_name "$1")
	[[ -n $name && $2 == *'-----BEGIN CERTIFICATE-----'* ]] || fail "the wire server returned no certificate for $1"
	printf '%s\n' "$2" >"$new/${name%.*}.crt"
}

# Fetches root and intermediate certificates one by one, from the list of each type. The wire server spells the member without
# its first r.
fetch_by_operation() {
	local list type file files content
	for type in operationrequestsroot operationrequestsintermediate; do
		list=$(ask "machine?comp=acmspackage&type=$type&ext=json") || fail "the wire server returned no list of $type"
		files=$(grep -oE '"Resour?ceFileName"[[:space:]]*:[[:space:]]*"[^"]+"' <<<"$list" | sed -E 's/.*"([^"]*)"$/\1/')
		[ -n "$files" ] || fail "the list of $type names no certificate"
		while IFS= read -r file; do
			if content=$(ask "machine?comp=acmspackage&type=${file%.*}&ext=${file##*.}"); then
				keep_certificate "$file" "$content"
			else
				log "warning: the wire server did not return $file"
			fi
		done <<<"$files"
	done
}

# Fetches all certificates in one answer, from the older interface that some clouds have.
fetch_at_once() {
	local list names number=0 name body
	list=$(ask 'machine?comp=acmspackage&type=cacertificates&ext=json') || fail 'the wire server did not return certificates'
	names=$(grep -oE '"Name" *: *"[^"]*"' <<<"$list" | sed -E 's/.*"([^"]*)"$/\1/')
	while IFS= read -r body; do
		number=$((number + 1))
		name=$(sed -n "${number}p" <<<"$names")
		keep_certificate "$name" "$(printf '%b' "${body//%/%%}")"
	done < <(grep -oE '"CertBody" *: *"[^"]*"' <<<"$list" | sed -E 's/^"CertBody" *: *"//; s/"$//; s/\\r\\n/\\n/g; s/\\r//g')
	[ "$number" -gt 0 ] || fail 'the list of the wire server has no certificates'
}

install_certificates() {
	local file
	mkdir -p "$CA_ANCHORS" || fail "cannot create $CA_ANCHORS"
	for file in "$new"/*.crt; do
		[ -e "$file" ] || continue
		install -m 0644 "$file" "$CA_ANCHORS/$(basename "$file" .crt).$CA_SUFFIX" || fail "cannot copy $file to $CA_ANCHORS"
	done
	rm -rf "$store" && mv "$new" "$store"
	timeout 120 "${CA_COMMAND[@]}" || fail "${CA_COMMAND[0]} failed"
	# Programs with an OpenSSL of their own look there.
	if uses_apt && [ -d /usr/lib/ssl ]; then
		ln -sfn /etc/ssl/certs/ca-certificates.crt /usr/lib/ssl/cert.pem
	fi
}

# Schedules a daily renewal of the certificates. Flatcar and Azure Container Linux have no cron.
refresh_daily() {
	local region=${location//[^A-Za-z0-9]/}
	if family flatcar acl; then
		put "$UNITS/azure-ca-refresh.service" 0644 cat <<UNIT
#include provisioning/units/azure-ca-refresh.service.in
UNIT
		put "$UNITS/azure-ca-refresh.timer" 0644 cat <<'UNIT'
#include provisioning/units/azure-ca-refresh.timer
UNIT
		systemctl daemon-reload && systemctl enable --quiet --now azure-ca-refresh.timer
	elif command -v crontab >/dev/null; then
		{
			crontab -l 2>/dev/null | grep -vF 'init-aks-cloud.sh ca-refresh'
			printf '%s\n' "0 19 * * * LOCATION='$region' /opt/azure/containers/init-aks-cloud.sh ca-refresh"
		} | crontab -
	else
		false
	fi || log 'warning: the daily renewal of certificates cannot be scheduled'
}

# Uses the package repositories of a cloud that cannot reach those on the internet.
use_repositories() {
	local endpoint=${REPO_DEPOT_ENDPOINT%/} file version
	[[ $endpoint =~ ^https?://[A-Za-z0-9._:/-]+$ ]] || fail "REPO_DEPOT_ENDPOINT must be an http or https URL, found \"$endpoint\""
	! command -v cloud-init >/dev/null || timeout 600 cloud-init status --wait >/dev/null 2>&1
	if uses_apt; then
		version=$(os_field VERSION_CODENAME)
		mkdir -p /etc/apt/backup /etc/apt/keyrings
		curl --fail --silent --show-error --location --max-time 60 --output /etc/apt/keyrings/depot.asc "$endpoint/keys/microsoft.asc" || fail "cannot download the signing key from $endpoint"
		for file in /etc/apt/sources.list /etc/apt/sources.list.d/*; do
			[ ! -f "$file" ] || mv -f "$file" /etc/apt/backup/
		done
		for file in "$version" "$version-updates" "$version-security"; do
			printf 'deb [signed-by=/etc/apt/keyrings/depot.asc] %s/ubuntu %s main restricted universe multiverse\n' "$endpoint" "$file"
		done >/etc/apt/sources.list
	elif family mariner osguard; then
		mkdir -p /etc/yum.repos.d/backup
		for file in /etc/yum.repos.d/*.repo; do
			[ -e "$file" ] || continue
			cp -n "$file" /etc/yum.repos.d/backup/
			sed -i -E "s#https://packages\\.microsoft\\.com#$endpoint#" "$file" || fail "cannot change $file"
		done
	fi
	log "packages come from $endpoint"
}

# Takes the time from the clock of the host, through the PTP device of Hyper-V.
# https://learn.microsoft.com/azure/virtual-machines/linux/time-sync
use_host_clock() {
	local config=/etc/chrony/chrony.conf
	! family acl && command -v chronyd >/dev/null || return 0
	[ -d /etc/chrony ] || config=/etc/chrony.conf
	printf 'refclock PHC /dev/ptp_hyperv poll 3 dpoll -2 offset 0 stratum 2\ndriftfile /var/lib/chrony/chrony.drift\nmakestep 1.0 -1\nrtcsync\n' >"$config"
	if uses_apt; then
		systemctl disable --quiet --now systemd-timesyncd.service 2>/dev/null
		systemctl restart chrony.service
	else
		systemctl restart chronyd.service
	fi || log 'warning: cannot restart chrony'
}

location=${LOCATION:-}
new=$(mktemp -d /root/.certificates.XXXXXX) || fail 'cannot create a directory for certificates below /root'
trap 'rm -rf "$new"' EXIT
case ${location,,} in
ussec* | usnat*) fetch_at_once ;;
*)
	# Without an answer, nobody knows which authorities this cloud has.
	opted=$(ask 'acms/isOptedInForRootCerts') ||
		fail 'the wire server does not answer whether this cloud has its own root certificates'
	if ! grep -qE '"IsOptedInForRootCerts"[[:space:]]*:[[:space:]]*true' <<<"$opted"; then
		log 'this cloud has no root certificates of its own'
		exit 0
	fi
	fetch_by_operation
	;;
esac
install_certificates
if [ "${1:-}" = ca-refresh ]; then
	exit 0
fi
refresh_daily
if [ -n "${REPO_DEPOT_ENDPOINT:-}" ]; then
	use_repositories
fi
use_host_clock
event AKS.CSE.rcv1p.init Informational "$begun" "$(now)" Completed
