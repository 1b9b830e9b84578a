#!/bin/bash
# Prepares the machine for its cloud before anything else runs: root certificates, package repositories, the clock.
# Reads LOCATION and REPO_DEPOT_ENDPOINT. With the arguments `ca-refresh` and the location it only renews certificates.
set -uo pipefail
umask 022
export LC_ALL=C

#include provisioning/source/paths.sh
#include provisioning/source/put.sh
#include provisioning/source/events.sh
#include provisioning/source/os.sh
#include provisioning/source/trust_store.sh

# It has no https, and only the host of this machine answers there.
readonly wire_server=http://168.63.129.16
readonly store=/root/AzureCACertificates

log() {
	printf '%(%F %T)T %s\n' -1 "$*"
}

# Ends the run: EVENT REASON.
fail() {
	log "error: $2"
	note "$1" "$2" Error
	exit 1
}

# Runs a part and leaves its event: EVENT COMMAND...
part() {
	local begun
	begun=$(now)
	"${@:2}"
	event "AKS.CSE.rcv1p.$1" Informational "$begun" "$(now)" "Completed: $1"
}

# Whether packages come from apt: every system that is not one of the other families.
uses_apt() {
	! family mariner osguard flatcar acl
}

read_os
read_trust_store
# Where the reference's script puts them on every system with rpm. `update-ca-trust` reads both directories.
! family mariner || CA_ANCHORS=/etc/pki/ca-trust/source/anchors

# Prints what the wire server returns for a path. It answers 403 when it limits requests; the pause then doubles.
ask() {
	local try pause=3 answer status
	for ((try = 1; try <= 10; try++)); do
		answer=$(curl --silent --noproxy '*' --connect-timeout 10 --max-time 30 --write-out '\n%{http_code}' "$wire_server/$1") || answer=$'\n000'
		status=${answer##*$'\n'}
		case $status in
		2??)
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
	[[ -n $name && $2 == *'-----BEGIN CERTIFICATE-----'* ]] || fail rcv1p.retrieveCertsFailed "the wire server returned no certificate for $1"
	printf '%s\n' "$2" >"$new/${name%.*}.crt"
}

# Fetches root and intermediate certificates one by one, from the list of each type. The wire server spells the member without
# its first r.
fetch_by_operation() {
	local list type file files content
	for type in operationrequestsroot operationrequestsintermediate; do
		list=$(ask "machine?comp=acmspackage&type=$type&ext=json") || fail rcv1p.retrieveCertsFailed "the wire server returned no list of $type"
		files=$(grep -oE '"Resour?ceFileName"[[:space:]]*:[[:space:]]*"[^"]+"' <<<"$list" | sed -E 's/.*"([^"]*)"$/\1/')
		[ -n "$files" ] || fail rcv1p.retrieveCertsFailed "the list of $type names no certificate"
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
	list=$(ask 'machine?comp=acmspackage&type=cacertificates&ext=json') || fail rcv1p.retrieveCertsFailed 'the wire server did not return certificates'
	names=$(grep -oE '"Name" *: *"[^"]*"' <<<"$list" | sed -E 's/.*"([^"]*)"$/\1/')
	while IFS= read -r body; do
		number=$((number + 1))
		name=$(sed -n "${number}p" <<<"$names")
		keep_certificate "$name" "$(printf '%b' "${body//%/%%}")"
	done < <(grep -oE '"CertBody" *: *"[^"]*"' <<<"$list" | sed -E 's/^"CertBody" *: *"//; s/"$//; s/\\r\\n/\\n/g; s/\\r//g')
	[ "$number" -gt 0 ] || fail rcv1p.retrieveCertsFailed 'the list of the wire server has no certificates'
}

install_certificates() {
	local file files=("$new"/*.crt)
	[ -e "${files[0]}" ] || fail rcv1p.installCertsFailed 'the wire server returned none of the certificates that it lists'
	note rcv1p.certCount "${#files[@]}"
	mkdir -p "$CA_ANCHORS"
	for file in "${files[@]}"; do
		install -m 0644 "$file" "$CA_ANCHORS/$(basename "$file" .crt).$CA_SUFFIX" || fail rcv1p.installCertsFailed "cannot copy $file to $CA_ANCHORS"
	done
	rm -rf "$store" && mv "$new" "$store"
	timeout 120 "${CA_COMMAND[@]}" || fail rcv1p.installCertsFailed "${CA_COMMAND[0]} failed"
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
			crontab -l 2>/dev/null | grep -vE 'init-aks-cloud\.sh"? ca-refresh'
			printf '%s\n' "0 19 * * * /opt/azure/containers/init-aks-cloud.sh ca-refresh $region"
		} | crontab -
	else
		false
	fi || log 'warning: the daily renewal of certificates cannot be scheduled'
}

## Repositories

# Ends the run if an address does not exist: URL. A server that does not list directories answers with another code than 404.
check_address() {
	local status
	status=$(curl --silent --output /dev/null --write-out '%{http_code}' --max-time 60 "$1")
	case $status in
	*000 | *404) fail customCloudRepoInit.checkUrlFailed "$1 does not exist or cannot be reached" ;;
	esac
}

# Prints a source of packages: ADDRESS SUITES COMPONENTS KEYRING. https://manpages.debian.org/stable/apt/sources.list.5.en.html
deb_source() {
	printf 'Types: deb\nURIs: %s\nSuites: %s\nComponents: %s\nSigned-By: %s\n' "$@"
}

# Prints the keys of Microsoft's packages as one keyring: ENDPOINT. A cloud may name an http endpoint, which only its own network
# reaches; one with https does not redirect to http.
microsoft_keys() {
	local name protocols='=https'
	[[ $1 == https://* ]] || protocols='=http,https'
	for name in microsoft.asc msopentech.asc; do
		curl --fail --silent --show-error --location --proto "$protocols" --proto-redir "$protocols" --max-time 60 "$1/keys/$name" |
			gpg --dearmor || return
	done
}

use_ubuntu_depot() {
	local depot=$1 name file keys=/etc/apt/keyrings/repository-depot.gpg packages=$1/microsoft/ubuntu/$OS_VERSION/prod output value sources=/etc/apt/sources.list.d
	os_field VERSION_CODENAME
	name=$value
	check_address "$packages"
	put "$keys" 0644 microsoft_keys "$depot" || fail customCloudRepoInit.checkUrlFailed "cannot get the keys of packages from $depot/keys"
	mkdir -p /etc/apt/backup
	for file in /etc/apt/sources.list "$sources"/*; do
		# Rewrites the files of an earlier run.
		[ ! -f "$file" ] || grep -qF " $depot/" "$file" || mv -f "$file" /etc/apt/backup/
	done
	put "$sources/ubuntu.sources" 0644 deb_source "$depot/ubuntu" "$name $name-updates $name-backports $name-security" \
		'main universe restricted multiverse' /usr/share/keyrings/ubuntu-archive-keyring.gpg
	for file in microsoft-prod microsoft-prod-testing; do
		put "$sources/$file.sources" 0644 deb_source "$packages" "$name" main "$keys"
	done
	if ! output=$(timeout 600 apt-get update 2>&1); then
		log "warning: apt-get update: $(tail -n 3 <<<"$output")"
	fi
	! grep -qE '404 +Not Found' <<<"$output" || fail customCloudRepoInit.aptgetUpdateFailed "$depot lacks a repository; see apt-get update"
}

# Prints a repository of Azure Linux: DEPOT NAME. dnf replaces the variables.
# shellcheck disable=SC2016 # they are variables of dnf
rpm_repository() {
	printf '[azurelinux-official-%s]\nname=Azure Linux Official %s $releasever $basearch\n' "$2" "$2"
	printf 'baseurl=%s/azurelinux/$releasever/prod/%s/$basearch\n' "$1" "$2"
	printf 'gpgkey=file:///etc/pki/rpm-gpg/MICROSOFT-RPM-GPG-KEY\ngpgcheck=1\nrepo_gpgcheck=1\nenabled=1\nskip_if_unavailable=True\nsslverify=1\n'
}

use_rpm_depot() {
	local depot=$1 name dir=/etc/yum.repos.d try
	# A later run would otherwise add the files of an earlier one.
	if [ ! -d "$dir/backup" ]; then
		rm -rf "$dir/.backup"
		mkdir -p "$dir/.backup"
		cp "$dir"/*.repo "$dir/.backup/" 2>/dev/null
		mv -T "$dir/.backup" "$dir/backup"
	fi
	if [[ $OS_ID == mariner* ]]; then
		for name in extended nvidia cloud-native; do
			[ ! -e "$dir/mariner-extras.repo" ] || put "$dir/mariner-$name.repo" 0644 sed -E "s/[eE]xtras/$name/" "$dir/mariner-extras.repo"
		done
		sed -i "s|https://packages\\.microsoft\\.com|$depot/mariner/packages.microsoft.com|" "$dir"/*.repo
	else
		rm -f "$dir"/azurelinux*
		for name in amd base cloud-native extended ms-non-oss ms-oss nvidia; do
			put "$dir/azurelinux-$name.repo" 0644 rpm_repository "$depot" "$name"
		done
	fi
	for ((try = 1; try <= 10; try++)); do
		! timeout 180 dnf makecache --assumeyes || return 0
		sleep 5
	done
	fail customCloudRepoInit.dnfMakecacheFailed "$depot lacks a repository; see dnf makecache"
}

# Uses the package repositories of a cloud that cannot reach those on the internet.
use_repositories() {
	local depot=${REPO_DEPOT_ENDPOINT/\/ubuntu/}
	depot=${depot%/}
	[[ $depot =~ ^https?://[A-Za-z0-9._:/-]+$ ]] ||
		fail customCloudRepoInit.checkUrlFailed 'REPO_DEPOT_ENDPOINT must be an http or https URL of letters, digits and . _ : / -'
	! command -v cloud-init >/dev/null || timeout 600 cloud-init status --wait >/dev/null 2>&1
	case $OS_FAMILY in
	ubuntu) use_ubuntu_depot "$depot" ;;
	mariner | osguard) use_rpm_depot "$depot" ;;
	*) return 0 ;;
	esac
	log "packages come from $depot"
}

# Takes the time from the clock of the host only, through the PTP device of Hyper-V.
# https://learn.microsoft.com/azure/virtual-machines/linux/time-sync
use_host_clock() {
	local config=/etc/chrony/chrony.conf unit=chronyd.service clock=/dev/ptp0
	case $OS_FAMILY in
	# Its chronyd is built with this setting.
	acl) return 0 ;;
	mariner | osguard) config=/etc/chrony.conf ;;
	flatcar) ;;
	*)
		unit=chrony.service
		systemctl disable --quiet --now systemd-timesyncd.service
		if [ ! -e "$config" ]; then
			DEBIAN_FRONTEND=noninteractive timeout 600 apt-get update >/dev/null 2>&1
			DEBIAN_FRONTEND=noninteractive timeout 600 apt-get install --yes -o DPkg::Lock::Timeout=120 chrony </dev/null ||
				log 'warning: chrony cannot be installed'
		fi
		;;
	esac
	[ ! -e /dev/ptp_hyperv ] || clock=/dev/ptp_hyperv
	put "$config" 0644 printf 'refclock PHC %s poll 3 dpoll -2 offset 0 stratum 2\ndriftfile /var/lib/chrony/chrony.drift\nmaxupdateskew 100.0\nmakestep 1.0 -1\nrtcsync\n' "$clock" ||
		log "warning: $config cannot be written"
	systemctl restart "$unit" || log "warning: $unit cannot be restarted"
}

location=${2:-${LOCATION:-}}
new=$(mktemp -d /root/.certificates.XXXXXX) || fail rcv1p.retrieveCertsFailed 'cannot create a directory for certificates below /root'
trap 'rm -rf "$new"' EXIT
mode=rcv1p
case ${location,,} in
ussec* | usnat*) mode=legacy ;;
esac
note rcv1p.certEndpointMode "mode=$mode, location=$location"
if [ "$mode" = legacy ]; then
	part retrieveLegacyCerts fetch_at_once
else
	# Without an answer, the CAs of this cloud are unknown.
	opted=$(ask 'acms/isOptedInForRootCerts') ||
		fail rcv1p.optInCheckFailed 'the wire server does not answer whether this cloud has its own root certificates'
	note rcv1p.isOptedIn 'Completed: isOptedIn'
	if ! grep -qE '"IsOptedInForRootCerts"[[:space:]]*:[[:space:]]*true' <<<"$opted"; then
		log 'this cloud has no root certificates of its own'
		note rcv1p.notOptedIn 'this cloud has no root certificates of its own'
		exit 0
	fi
	note rcv1p.optedIn 'this cloud has root certificates of its own'
	part retrieveCerts fetch_by_operation
fi
part installCertsToTrustStore install_certificates
if [ "${1:-}" = ca-refresh ]; then
	exit 0
fi
refresh_daily
if [ -n "${REPO_DEPOT_ENDPOINT:-}" ]; then
	use_repositories
fi
use_host_clock
