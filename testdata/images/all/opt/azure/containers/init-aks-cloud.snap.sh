#!/bin/bash
set -uo pipefail
umask 022
export LC_ALL=C


readonly CONTAINERS=/opt/azure/containers
readonly LOGS=/var/log/azure
readonly EVENTS=$LOGS/Microsoft.Azure.Extensions.CustomScript/events
readonly UNITS=/etc/systemd/system

put() {
	local path=$1 mode=$2 temporary mask
	shift 2
	[ -d "${path%/*}" ] || mkdir -p "${path%/*}" || return
	temporary=${path%/*}/.${path##*/}.new
	{ [ ! -e "$temporary" ] && [ ! -L "$temporary" ]; } || rm -f "$temporary" || return
	printf -v mask %o "$((0777 & ~mode))"
	if (
		umask "$mask"
		set -o noclobber
		: >"$temporary" || exit
		set +o noclobber
		"$@" >"$temporary" || exit
		[ "$((mode & 0111))" = 0 ] || chmod "$mode" "$temporary" || exit
		exec mv -fT "$temporary" "$path"
	); then
		return 0
	fi
	rm -f "$temporary"
	return 1
}

json_text() {
	local backslash=$'\\' code LC_ALL=C
	json=$1
	if [[ $json == *[$'\x80'-$'\xff']* ]]; then
		json=$(printf '%s' "$json" | iconv -c -f UTF-8 -t UTF-8 2>/dev/null)
	fi
	json=${json//"$backslash"/"$backslash$backslash"}
	json=${json//\"/"$backslash\""}
	json=${json//$'\n'/"${backslash}n"}
	json=${json//$'\t'/"${backslash}t"}
	while [[ $json =~ [[:cntrl:]] ]]; do
		printf -v code '\\u%04x' "'${BASH_REMATCH[0]}"
		json=${json//"${BASH_REMATCH[0]}"/"$code"}
	done
}

now() {
	printf '%s' "${EPOCHREALTIME/[.,]/}"
}

stamp() {
	printf -v "$1" '%(%F %T)T.%s' "${2:0:-6}" "${2: -6:3}"
}

note() {
	local moment=${EPOCHREALTIME/[.,]/}
	event "AKS.CSE.$1" "${3:-Informational}" "$moment" "$moment" "$2"
}

event() {
	local ended=$4 from to json name line
	stamp from "$3"
	stamp to "$4"
	json_text "${5:0:2900}"
	printf -v line '{"Timestamp":"%s","OperationId":"%s","Version":"1.23","TaskName":"%s","EventLevel":"%s","Message":"%s","EventPid":"0","EventTid":"0"}' \
		"$from" "$to" "$1" "$2" "$json"
	[ -d "$EVENTS" ] || mkdir -p "$EVENTS"
	for ((name = ended * 1000; name < ended * 1000 + 20; name++)); do
		if [ ! -e "$EVENTS/$name.json" ] && leave_event "$name" "$line"; then
			return 0
		fi
	done
	return 0
}

leave_event() {
	(umask 077 && set -o noclobber && printf '%s\n' "$2" >"$EVENTS/$1") 2>/dev/null && mv -n "$EVENTS/$1" "$EVENTS/$1.json"
}

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

readonly wire_server=http://168.63.129.16
readonly store=/root/AzureCACertificates

log() {
	printf '%(%F %T)T %s\n' -1 "$*"
}

fail() {
	log "error: $2"
	note "$1" "$2" Error
	exit 1
}

part() {
	local begun
	begun=$(now)
	"${@:2}"
	event "AKS.CSE.rcv1p.$1" Informational "$begun" "$(now)" "Completed: $1"
}

uses_apt() {
	! family mariner osguard flatcar acl
}

read_os
read_trust_store
! family mariner || CA_ANCHORS=/etc/pki/ca-trust/source/anchors

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

plain_name() {
	local name=${1##*/}
	name=${name//[^A-Za-z0-9._-]/_}
	printf '%s' "${name#"${name%%[!.]*}"}"
}

keep_certificate() {
	local name
	name=$(plain_name "$1")
	[[ -n $name && $2 == *'-----BEGIN CERTIFICATE-----'* ]] || fail rcv1p.retrieveCertsFailed "the wire server returned no certificate for $1"
	printf '%s\n' "$2" >"$new/${name%.*}.crt"
}

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
	if uses_apt && [ -d /usr/lib/ssl ]; then
		ln -sfn /etc/ssl/certs/ca-certificates.crt /usr/lib/ssl/cert.pem
	fi
}

refresh_daily() {
	local region=${location//[^A-Za-z0-9]/}
	if family flatcar acl; then
		put "$UNITS/azure-ca-refresh.service" 0644 cat <<UNIT
[Unit]
Description=Renews the certificates of the cloud
After=network-online.target
Wants=network-online.target

[Service]
Type=oneshot
ExecStart=/opt/azure/containers/init-aks-cloud.sh ca-refresh $region
UNIT
		put "$UNITS/azure-ca-refresh.timer" 0644 cat <<'UNIT'
[Unit]
Description=Renews the certificates of the cloud once a day

[Timer]
OnCalendar=19:00
Persistent=true
RandomizedDelaySec=300

[Install]
WantedBy=timers.target
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


check_address() {
	local status
	status=$(curl --silent --output /dev/null --write-out '%{http_code}' --max-time 60 "$1")
	case $status in
	*000 | *404) fail customCloudRepoInit.checkUrlFailed "$1 does not exist or cannot be reached" ;;
	esac
}

deb_source() {
	printf 'Types: deb\nURIs: %s\nSuites: %s\nComponents: %s\nSigned-By: %s\n' "$@"
}

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

rpm_repository() {
	printf '[azurelinux-official-%s]\nname=Azure Linux Official %s $releasever $basearch\n' "$2" "$2"
	printf 'baseurl=%s/azurelinux/$releasever/prod/%s/$basearch\n' "$1" "$2"
	printf 'gpgkey=file:///etc/pki/rpm-gpg/MICROSOFT-RPM-GPG-KEY\ngpgcheck=1\nrepo_gpgcheck=1\nenabled=1\nskip_if_unavailable=True\nsslverify=1\n'
}

use_rpm_depot() {
	local depot=$1 name dir=/etc/yum.repos.d try
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

use_host_clock() {
	local config=/etc/chrony/chrony.conf unit=chronyd.service clock=/dev/ptp0
	case $OS_FAMILY in
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
