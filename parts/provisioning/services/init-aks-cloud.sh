#!/bin/bash
# Readies the node for its cloud before everything else: root certificates, package repositories, the clock.
# Reads LOCATION and REPO_DEPOT_ENDPOINT. `ca-refresh` as the argument only renews certificates.
set -uo pipefail
umask 022
export LC_ALL=C

readonly wire_server=http://168.63.129.16
readonly store=/root/AzureCACertificates
readonly events=/var/log/azure/Microsoft.Azure.Extensions.CustomScript/events
readonly begun=${EPOCHREALTIME/[.,]/}

say() {
	printf '%(%F %T)T %s\n' -1 "$*"
}

stamp() {
	printf '%(%F %T)T.%s' "${1:0:-6}" "${1: -6:3}"
}

event() {
	local name=${EPOCHREALTIME/[.,]/}000 message=${2//[\"\\[:cntrl:]]/ }
	mkdir -p "$events"
	printf '{"Timestamp":"%s","OperationId":"%s","Version":"1.23","TaskName":"AKS.CSE.rcv1p.init","EventLevel":"%s","Message":"%s","EventPid":"0","EventTid":"0"}\n' \
		"$(stamp "$begun")" "$(stamp "${name%000}")" "$1" "$message" >"$events/$name" && mv -n "$events/$name" "$events/$name.json"
}

fail() {
	say "error: $*"
	event Error "$*"
	exit 1
}

os_field() {
	sed -nE "s/^$1=[\"']?([^\"']*)[\"']?\$/\\1/p" /etc/os-release | head -n 1
}

case $(os_field ID)/$(os_field VARIANT_ID) in
azurecontainerlinux/* | */azurecontainerlinux) family=acl anchors=/etc/pki/ca-trust/source/anchors update=update-ca-trust ;;
azurelinux/osguard) family=osguard anchors=/etc/pki/ca-trust/source/anchors update=update-ca-trust ;;
mariner* | azurelinux*) family=mariner anchors=/usr/share/pki/ca-trust-source/anchors update=update-ca-trust ;;
flatcar/*) family=flatcar anchors=/etc/ssl/certs update=update-ca-certificates ;;
*) family=debian anchors=/usr/local/share/ca-certificates update=update-ca-certificates ;;
esac

# Asks the wire server for a path. A cloud that limits requests says 403; the pause then doubles.
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
		404) return 4 ;;
		esac
		[ "$try" = 10 ] || sleep "$pause"
	done
	return 1
}

# A file name that stays in its folder.
plain_name() {
	local name=${1##*/}
	name=${name//[^A-Za-z0-9._-]/_}
	printf '%s' "${name#"${name%%[!.]*}"}"
}

# Keeps a certificate under a name; anything else is refused.
keep_certificate() {
	local name
	name=$(plain_name "$1")
	[[ -n $name && $2 == *'-----BEGIN CERTIFICATE-----'* ]] || fail "the wire server sent no certificate for $1"
	printf '%s\n' "$2" >"$new/${name%.*}.crt"
}

# Every operation of the new interface: certificates in bundles, by type.
fetch_by_operation() {
	local list type file content
	for type in operationrequestsroot operationrequestsintermediate; do
		list=$(ask "machine?comp=acmspackage&type=$type&ext=json") || fail "the wire server has no list of $type"
		while IFS= read -r file; do
			[ -n "$file" ] || continue
			content=$(ask "machine?comp=acmspackage&type=${file%.*}&ext=${file##*.}") || fail "the wire server has no $file"
			keep_certificate "$file" "$content"
		done < <(grep -oE '"ResourceFileName" *: *"[^"]*"' <<<"$list" | sed -E 's/.*"([^"]*)"$/\1/')
	done
}

# The older interface gives all of them in one answer.
fetch_at_once() {
	local list names number=0 name body
	list=$(ask 'machine?comp=acmspackage&type=cacertificates&ext=json') || fail 'the wire server has no certificates'
	names=$(grep -oE '"Name" *: *"[^"]*"' <<<"$list" | sed -E 's/.*"([^"]*)"$/\1/')
	while IFS= read -r body; do
		number=$((number + 1))
		name=$(sed -n "${number}p" <<<"$names")
		keep_certificate "$name" "$(printf '%b' "${body//%/%%}")"
	done < <(grep -oE '"CertBody" *: *"[^"]*"' <<<"$list" | sed -E 's/^"CertBody" *: *"//; s/"$//; s/\\r\\n/\\n/g; s/\\r//g')
	[ "$number" -gt 0 ] || fail 'the wire server sent no certificates'
}

take_certificates() {
	local file suffix=crt
	[ "$family" != flatcar ] || suffix=pem
	mkdir -p "$anchors" || fail "$anchors cannot be made"
	for file in "$new"/*.crt; do
		[ -e "$file" ] || continue
		install -m 0644 "$file" "$anchors/$(basename "$file" .crt).$suffix" || fail "$file cannot be put into $anchors"
	done
	rm -rf "$store" && mv "$new" "$store"
	timeout 120 "$update" || fail "$update fails"
	# Programs that bring their own OpenSSL look there.
	if [ "$family" = debian ] && [ -d /usr/lib/ssl ]; then
		ln -sfn /etc/ssl/certs/ca-certificates.crt /usr/lib/ssl/cert.pem
	fi
}

# Renews certificates once a day.
refresh_daily() {
	local line="0 19 * * * LOCATION='${location//[^A-Za-z0-9]/}' /opt/azure/containers/init-aks-cloud.sh ca-refresh"
	case $family in
	flatcar | acl)
		printf '[Unit]\nDescription=Renews the certificates of the cloud\n\n[Service]\nType=oneshot\nEnvironment=LOCATION=%s\nExecStart=/opt/azure/containers/init-aks-cloud.sh ca-refresh\n' \
			"${location//[^A-Za-z0-9]/}" >/etc/systemd/system/azure-ca-refresh.service
		printf '[Unit]\nDescription=Renews the certificates of the cloud once a day\n\n[Timer]\nOnCalendar=19:00\n\n[Install]\nWantedBy=timers.target\n' \
			>/etc/systemd/system/azure-ca-refresh.timer
		systemctl daemon-reload && systemctl enable --quiet --now azure-ca-refresh.timer
		;;
	*)
		if command -v crontab >/dev/null; then
			{
				crontab -l 2>/dev/null | grep -vF 'init-aks-cloud.sh ca-refresh'
				printf '%s\n' "$line"
			} | crontab -
		else
			false
		fi
		;;
	esac || say 'warning: certificates are not renewed by themselves'
}

# Repositories that a cloud without a way out has inside.
use_repositories() {
	local endpoint=${REPO_DEPOT_ENDPOINT%/} file version
	[[ $endpoint =~ ^https?://[A-Za-z0-9._:/-]+$ ]] || fail "REPO_DEPOT_ENDPOINT is no address: \"$endpoint\""
	! command -v cloud-init >/dev/null || timeout 600 cloud-init status --wait >/dev/null 2>&1
	case $family in
	debian)
		version=$(os_field VERSION_CODENAME)
		mkdir -p /etc/apt/backup /etc/apt/keyrings
		curl --fail --silent --show-error --location --max-time 60 --output /etc/apt/keyrings/depot.asc "$endpoint/keys/microsoft.asc" || fail "$endpoint has no key"
		for file in /etc/apt/sources.list /etc/apt/sources.list.d/*; do
			[ ! -f "$file" ] || mv -f "$file" /etc/apt/backup/
		done
		for file in "$version" "$version-updates" "$version-security"; do
			printf 'deb [signed-by=/etc/apt/keyrings/depot.asc] %s/ubuntu %s main restricted universe multiverse\n' "$endpoint" "$file"
		done >/etc/apt/sources.list
		;;
	mariner | osguard)
		mkdir -p /etc/yum.repos.d/backup
		for file in /etc/yum.repos.d/*.repo; do
			[ -e "$file" ] || continue
			cp -n "$file" /etc/yum.repos.d/backup/
			sed -i -E "s#https://packages\\.microsoft\\.com#$endpoint#" "$file" || fail "$file cannot be changed"
		done
		;;
	esac
	say "packages come from $endpoint"
}

# The host's clock, by the device that Hyper-V gives.
use_host_clock() {
	local config=/etc/chrony/chrony.conf
	[ "$family" != acl ] && command -v chronyd >/dev/null || return 0
	[ -d /etc/chrony ] || config=/etc/chrony.conf
	printf 'refclock PHC /dev/ptp_hyperv poll 3 dpoll -2 offset 0 stratum 2\ndriftfile /var/lib/chrony/chrony.drift\nmakestep 1.0 -1\nrtcsync\n' >"$config"
	if [ "$family" = debian ]; then
		systemctl disable --quiet --now systemd-timesyncd.service 2>/dev/null
		systemctl restart chrony.service
	else
		systemctl restart chronyd.service
	fi || say 'warning: chrony does not restart'
}

location=${LOCATION:-}
new=$(mktemp -d /root/.certificates.XXXXXX) || fail 'there is no room for certificates'
trap 'rm -rf "$new"' EXIT
case ${location,,} in
ussec* | usnat*) fetch_at_once ;;
*)
	opted=$(ask 'acms/isOptedInForRootCerts') && known=0 || known=$?
	# Most clouds do not know the question.
	if [ "$known" = 4 ]; then
		opted=
	elif [ "$known" != 0 ]; then
		fail 'the wire server does not say whether this cloud has certificates of its own'
	fi
	if [[ $opted != *'IsOptedInForRootCerts=true'* ]]; then
		say 'this cloud has no certificates of its own'
		[ -n "${REPO_DEPOT_ENDPOINT:-}" ] || exit 0
	else
		fetch_by_operation
	fi
	;;
esac
take_certificates
if [ "${1:-}" = ca-refresh ]; then
	exit 0
fi
refresh_daily
if [ -n "${REPO_DEPOT_ENDPOINT:-}" ]; then
	use_repositories
fi
use_host_clock
event Informational 'Completed'
