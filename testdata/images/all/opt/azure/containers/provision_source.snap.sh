#!/bin/bash


readonly ERR_SYSTEMCTL_START_FAIL=4
readonly ERR_FILE_WATCH_TIMEOUT=6
readonly ERR_HOLD_WALINUXAGENT=7
readonly ERR_RELEASE_HOLD_WALINUXAGENT=8
readonly ERR_APT_INSTALL_TIMEOUT=9
readonly ERR_MISSING_CUDA_PACKAGE=10
readonly ERR_CONTAINERD_INSTALL_TIMEOUT=28
readonly ERR_RUNC_INSTALL_TIMEOUT=29
readonly ERR_K8S_DOWNLOAD_TIMEOUT=31
readonly ERR_KUBELET_START_FAIL=34
readonly ERR_CONTAINERD_VERSION_INVALID=39
readonly ERR_CNI_DOWNLOAD_TIMEOUT=41
readonly ERR_MS_PROD_DEB_DOWNLOAD_TIMEOUT=42
readonly ERR_MS_PROD_DEB_PKG_ADD_FAIL=43
readonly ERR_MODPROBE_FAIL=49
readonly ERR_OUTBOUND_CONN_FAIL=50
readonly ERR_K8S_API_SERVER_CONN_FAIL=51
readonly ERR_K8S_API_SERVER_DNS_LOOKUP_FAIL=52
readonly ERR_K8S_API_SERVER_AZURE_DNS_LOOKUP_FAIL=53
readonly ERR_VHD_FILE_NOT_FOUND=65
readonly ERR_CONTAINERD_DOWNLOAD_TIMEOUT=70
readonly ERR_RUNC_DOWNLOAD_TIMEOUT=71
readonly ERR_CUSTOM_SEARCH_DOMAINS_FAIL=80
readonly ERR_GPU_DRIVERS_START_FAIL=84
readonly ERR_GPU_DRIVERS_INSTALL_TIMEOUT=85
readonly ERR_GPU_DEVICE_PLUGIN_START_FAIL=86
readonly ERR_GPU_INFO_ROM_CORRUPTED=87
readonly ERR_AMDAMA_DRIVER_NOT_FOUND=95
readonly ERR_AMDAMA_INSTALL_FAIL=96
readonly ERR_APT_UPDATE_TIMEOUT=99
readonly ERR_SYSCTL_RELOAD=103
readonly ERR_CTR_OPERATION_ERROR=119
readonly ERR_KUBELET_INSTALL_FAIL=121
readonly ERR_KUBECTL_INSTALL_FAIL=122
readonly ERR_ENABLE_MANAGED_GPU_EXPERIENCE=123
readonly ERR_NODE_EXPORTER_START_FAIL=128
readonly ERR_DRA_DRIVER_START_FAIL=129
readonly ERR_SWAP_CREATE_FAIL=130
readonly ERR_SWAP_CREATE_INSUFFICIENT_DISK_SPACE=131
readonly ERR_ARTIFACT_STREAMING_INSTALL=153
readonly ERR_UPDATE_CA_CERTS=161
readonly ERR_SECURE_TLS_BOOTSTRAP_CLIENT_DOWNLOAD_ERROR=169
readonly ERR_DISABLE_SSH=172
readonly ERR_CONFIG_PUBKEY_AUTH_SSH=178
readonly ERR_SNAPSHOT_UPDATE_START_FAIL=202
readonly ERR_K8S_INSTALL_ERR=204
readonly ERR_CREDENTIAL_PROVIDER_DOWNLOAD_TIMEOUT=205
readonly ERR_CNI_VERSION_INVALID=206
readonly ERR_ORAS_PULL_K8S_FAIL=207
readonly ERR_ORAS_PULL_CREDENTIAL_PROVIDER=208
readonly ERR_ORAS_IMDS_TIMEOUT=210
readonly ERR_ORAS_PULL_NETWORK_TIMEOUT=211
readonly ERR_ORAS_PULL_UNAUTHORIZED=212
readonly ERR_LOOKUP_DISABLE_KUBELET_SERVING_CERTIFICATE_ROTATION_TAG=213
readonly ERR_CLEANUP_CONTAINER_IMAGES=214
readonly ERR_LOCALDNS_FAIL=216
readonly ERR_SECURE_TLS_BOOTSTRAP_ENABLE_FAILURE=220
readonly ERR_NVIDIA_DRIVER_INSTALL=224
readonly ERR_MANAGED_NVIDIA_EXP_INSTALL_FAIL=227
readonly ERR_LOOKUP_ENABLE_MANAGED_GPU_EXPERIENCE_TAG=230
readonly ERR_ORAS_PULL_SYSEXT_FAIL=231
readonly ERR_SYSEXT_VERSION_ID_NOT_FOUND=232
readonly ERR_PULL_POD_INFRA_CONTAINER_IMAGE=233
readonly ERR_IMDS_FETCH_FAILED=234
readonly ERR_NVIDIA_DCGM_INSTALL=235
readonly ERR_SECONDARY_NIC_CONFIG_FAIL=243
readonly ERR_NODE_FILE_WRITE_FAIL=244
readonly ERR_NODE_INPUT_INVALID=245

readonly CONTAINERS=/opt/azure/containers
readonly LOGS=/var/log/azure
readonly EVENTS=$LOGS/Microsoft.Azure.Extensions.CustomScript/events
readonly UNITS=/etc/systemd/system

log() {
	printf '%(%F %T)T %s\n' -1 "$*"
}

warn() {
	log "warning: $*"
}

fail() {
	local code=$1
	shift
	log "error $code: $*"
	printf '%s' "$*" >"${PROVISION_REASON_FILE:-/dev/null}"
	exit "$code"
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

readonly HELD_EVENTS=${EVENTS%/*}/held
HANDED_OVER=0

hold_events() {
	[ -d "$HELD_EVENTS" ] || { { [ -d "$EVENTS" ] || mkdir -p "$EVENTS"; } && mkdir -m 0700 "$HELD_EVENTS"; } || return
	HANDED_OVER=$EPOCHSECONDS
	leave_event() { write_new "$HELD_EVENTS/$1.json" "$2" && { before_pause || true; }; }
	before_pause() { [ "$((EPOCHSECONDS - HANDED_OVER))" -lt 10 ] || hand_over_events; }
}

write_new() {
	local code=0
	set -o noclobber
	{ printf '%s\n' "$2" >"$1"; } 2>/dev/null || code=1
	set +o noclobber
	return "$code"
}

hand_over_events() {
	local held=("$HELD_EVENTS"/*.json)
	[ ! -e "${held[0]}" ] || { chmod 0600 "${held[@]}" && mv -n -t "$EVENTS" "${held[@]}"; }
	HANDED_OVER=$EPOCHSECONDS
}

leave_events_to_others() { HANDED_OVER=$((EPOCHSECONDS + 86400)); }

RUNNING=()

report() {
	local last=${RUNNING[-1]}
	unset 'RUNNING[-1]'
	event "${last% *}" "$1" "${last#* }" "${EPOCHREALTIME/[.,]/}" "$2"
}

step() {
	local name=$1 begun code=0
	shift
	"$@" || return 0
	begun=${EPOCHREALTIME/[.,]/}
	RUNNING=("AKS.CSE.$name $begun")
	"$name" || code=$?
	[ "$code" = 0 ] || fail "$(code_of_step "$code")" "$name failed with code $code"
	report Informational "Completed: $name"
	log "$name: $(((${EPOCHREALTIME/[.,]/} - begun) / 1000)) ms"
}

BESIDE=()

beside() {
	local name=$1 reason
	shift
	"$@" || return 0
	reason_of "$name"
	run_beside "$name" "$reason" &
	BESIDE+=("$name $!")
}

run_beside() {
	local reason=$2 code
	trap 'code=$?; [ "$code" = 143 ] || PROVISION_REASON_FILE=$reason report_open_steps "$code"' EXIT
	leave_events_to_others
	[ -z "$reason" ] || : >"$reason"
	PROVISION_REASON_FILE=$reason step "$1" always
	return 0
}

reason_of() {
	reason=
	[ ! -f "${PROVISION_REASON_FILE:-}" ] || reason=$PROVISION_REASON_FILE.$1
}

joined() {
	local entry code reason
	for entry in "${BESIDE[@]}"; do
		code=0
		wait "${entry#* }" || code=$?
		if [ "$code" != 0 ]; then
			reason_of "${entry% *}"
			[ ! -s "$reason" ] || cat "$reason" >"$PROVISION_REASON_FILE"
			exit "$code"
		fi
	done
	BESIDE=()
}

stop_beside() {
	local entry
	for entry in "${BESIDE[@]}"; do
		kill "${entry#* }" 2>/dev/null
		wait "${entry#* }"
	done
}

code_of_step() {
	case $1 in
	[1-3] | 12[4-7]) printf '%s' "$ERR_NODE_FILE_WRITE_FAIL" ;;
	*) printf '%s' "$1" ;;
	esac
}

part() {
	logs_to_events "AKS.CSE.$1" "${@:2}"
}

logs_to_events() {
	local name=$1 code=0
	shift
	RUNNING+=("$name ${EPOCHREALTIME/[.,]/}")
	"$@" || code=$?
	if [ "$code" = 0 ]; then
		report Informational "Completed: ${name#AKS.CSE.}"
	else
		report Warning "Failed with code $code: ${name#AKS.CSE.}"
	fi
	return "$code"
}

attempt() {
	local name=$1
	shift
	"$@" || return 0
	part "$name" apart "$name" || warn "$name failed with code $?; provisioning continues without it"
}

apart() {
	(PROVISION_REASON_FILE='' "$@")
}

report_open_steps() {
	local code=$1 name reason
	[ "$code" != 0 ] || return 0
	reason=$(cat "${PROVISION_REASON_FILE:-/dev/null}" 2>/dev/null)
	while [ "${#RUNNING[@]}" -gt 0 ]; do
		name=${RUNNING[-1]#AKS.CSE.}
		report Error "Failed with code $code: ${name% *}: $reason"
	done
}

always() { true; }

on() { [ "${!1:-}" = true ]; }

given() { [ -n "${!1:-}" ]; }

not() { ! "$@"; }

count_seconds() {
	left=86400
	[ -z "${CSE_STARTTIME_SECONDS:-}" ] || left=$((CSE_STARTTIME_SECONDS + ${CSE_MAX_DURATION_SECONDS:-780} - EPOCHSECONDS))
}

has_time() {
	local left
	count_seconds
	[ "$left" -gt 0 ]
}

before_pause() { :; }

bounded() {
	local limit=$1 left
	shift
	count_seconds
	[ "$left" -gt 0 ] || return 124
	timeout --kill-after=5 "$((limit < left ? limit : left))" "$@"
}

retry() {
	local tries=$1 pause=$2 limit=$3 try code
	shift 3
	for ((try = 1; ; try++)); do
		code=0
		bounded "$limit" "$@" || code=$?
		case $code in
		0) return 0 ;;
		126 | 127) return 1 ;;
		esac
		if ! has_time; then
			warn "no time is left for: $1"
			return 2
		fi
		[ "$try" -lt "$tries" ] || return 1
		before_pause
		sleep "$pause"
	done
}

retrycmd_if_failure() { retry "$@"; }

wait_until() {
	local limit=$1 until
	shift
	until=$((EPOCHSECONDS + limit))
	while ! "$@"; do
		[ "$EPOCHSECONDS" -lt "$until" ] && has_time || return 1
		before_pause
		sleep 1
	done
}

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

put_text() {
	put "$1" "$2" printf '%s\n' "$3"
}

rm_existing() {
	local path existing=()
	for path in "$@"; do
		{ [ ! -e "$path" ] && [ ! -L "$path" ]; } || existing+=("$path")
	done
	[ "${#existing[@]}" = 0 ] || rm -rf "${existing[@]}"
}

decoded() {
	base64 -d <<<"${!1:-}" 2>/dev/null
}

put_section() {
	local path=$1 mode=$2 name=$3 text=$4
	put "$path" "$mode" with_section "$path" "$name" "$text"
}

with_section() {
	if [ -e "$1" ]; then
		awk -v from="# $2: begin" -v to="# $2: end" '$0 == from { ours = 1 } !ours { print } $0 == to { ours = 0 }' "$1" || return
	fi
	[ -z "$3" ] || printf '# %s: begin\n%s\n# %s: end\n' "$2" "$3" "$2"
}

is_version() {
	[[ $1 =~ ^v?[0-9]+(\.[0-9A-Za-z+~-]+)*$ ]]
}

is_number() {
	[[ $1 =~ ^[0-9]{1,9}$ ]]
}

is_one_line() {
	[[ $1 != *[$'\n\r']* ]]
}

is_unquoted() {
	[[ $1 != *[\"\\]* ]]
}

is_base64() {
	local text=${1//$'\n'/} digits
	digits=${text%%=*}
	case ${text:${#digits}} in
	'' | = | ==) ;;
	*) return 1 ;;
	esac
	((${#text} % 4 == 0)) && [[ $digits != *[!A-Za-z0-9+/]* ]]
}

is_certificate() {
	local text=${1//[[:space:]]/}
	is_base64 "$text" && { text=$(base64 -d <<<"$text"); } 2>/dev/null && [[ $text == *-----BEGIN* ]]
}

is_object() {
	[[ $1 =~ ^[[:space:]]*\{ ]] || is_base64 "$1"
}

is_host() {
	[[ $1 == [A-Za-z0-9]* && $1 == *[A-Za-z0-9] && $1 != *[!A-Za-z0-9._:-]* ]]
}

is_registry() {
	local host=${1%%/*}
	is_host "${host%:*}" && [[ $1 != *[!A-Za-z0-9._:/-]* ]]
}

is_file_name() {
	[[ $1 =~ ^[A-Za-z0-9._-]+$ ]]
}

are_unit_settings() {
	local form='^( +(\[Service\]|Limit[A-Z]+=[0-9A-Za-z:]*))* *$'
	[[ " $1" =~ $form ]]
}

is_curl_call() {
	local words
	read -r -a words <<<"$1"
	[ "${words[0]:-}" = curl ]
}

is_label_name() {
	((${#1} <= 63)) && [[ $1 == [A-Za-z0-9]* && $1 == *[A-Za-z0-9] && $1 != *[!A-Za-z0-9._-]* ]]
}

is_dns_name() {
	((${#1} <= 253)) && [[ $1 != *[!a-z0-9.-]* && .$1. != *.[.-]* && .$1. != *-.* ]]
}

is_label() {
	local key=${1%%=*} value=${1#*=}
	is_label_name "${key##*/}" && { [[ $key != */* ]] || is_dns_name "${key%/*}"; } &&
		{ [[ $1 != *=* || -z $value ]] || is_label_name "$value"; }
}

are_labels() {
	local rest=$1,
	while [ -n "$rest" ]; do
		[ -z "${rest%%,*}" ] || is_label "${rest%%,*}" || return
		rest=${rest#*,}
	done
}

unit_value() {
	local text=$1 backslash=$'\\'
	[[ $text != *[$'\n\r']* ]] || return 1
	text=${text//"$backslash"/"$backslash$backslash"}
	text=${text//\"/"$backslash\""}
	printf '%s' "${text//%/%%}"
}

environment_line() {
	local text=$2 backslash=$'\\'
	[[ $text != *[$'\n\r']* ]] || return 1
	text=${text//"$backslash"/"$backslash$backslash"}
	case $text in
	[\"\'\ \#\;]*) text=$backslash$text ;;
	esac
	printf '%s=%s\n' "$1" "$text"
}

is_ipv4() {
	[[ $1 =~ ^[0-9]{1,3}(\.[0-9]{1,3}){3}$ ]]
}

list_without() {
	local kept=
	keep_others "$@"
	printf '%s' "$kept"
}

keep_others() {
	local separator=$1 list=$2 element name
	shift 2
	local IFS=$separator
	set -f
	for element in $list; do
		for name in "$@"; do
			if [ "${element%%=*}" = "$name" ]; then
				continue 2
			fi
		done
		[ -z "$element" ] || kept+=${kept:+$separator}$element
	done
	set +f
}

list_with() {
	local kept=
	keep_others "$1" "$2" "${3%%=*}"
	printf '%s' "${kept:+$kept$1}$3"
}

kubelet_flag() {
	local flag found=1
	set -f
	for flag in ${KUBELET_FLAGS:-}; do
		if [ "${flag%%=*}" = "$1" ]; then
			printf '%s' "${flag#*=}"
			found=0
			break
		fi
	done
	set +f
	return "$found"
}

redacted_url() {
	local scheme='' rest=$1 account=''
	case ${1%%://*} in
	'' | "$1" | *[!A-Za-z0-9+.-]*) ;;
	*) scheme=${1%%://*}:// rest=${1#*://} ;;
	esac
	case $rest in
	*[[:cntrl:]]*) rest='[redacted]' ;;
	*@*) account=${rest%@*} rest=${rest##*@} ;;
	esac
	case $account in
	*@*[?#]* | *[?#]*@* | \[*[?#]*) rest= ;;
	*[?#]*)
		case ${account%%[/?#]*} in
		*:*[!0-9]*) ;;
		*) rest= ;;
		esac
		;;
	esac
	rest=${rest%%[?#]*}
	case ${rest%%/*} in
	'') [ -z "$account" ] || rest='[redacted]' ;;
	\[*) ;;
	*:*[!0-9]*) rest=${rest%%:*} ;;
	esac
	printf '%s' "$scheme$rest"
}

redacted_output() {
	local line url
	while IFS= read -r line || [ -n "$line" ]; do
		for url in "$@" "${HTTPS_PROXY:-}" "${HTTP_PROXY:-}"; do
			[[ -z $url || $line != *"$url"* ]] || line=${line//"$url"/"$(redacted_url "$url")"}
		done
		printf '%s\n' "$line"
	done
}

readonly REGISTRY_LOGIN=/etc/oras/config.yaml

is_complete_file() {
	[ -s "$1" ] || return
	case $1 in
	*.tar.gz | *.tgz | *.tar.gz.part | *.tgz.part) tar -tzf "$1" >/dev/null 2>&1 ;;
	esac
}

readonly UNVERIFIED_HOSTS=/etc/aks-node-controller/unverified-hosts

host_of() {
	local authority=${1#*://}
	authority=${authority%%[/?#\\]*}
	[[ $authority == *@* ]] || printf '%s' "${authority,,}"
}

is_unverified_host() {
	local host
	[ -O "$UNVERIFIED_HOSTS" ] && host=$(host_of "$1") && [ -n "$host" ] && [[ $(stat -Lc %a "$UNVERIFIED_HOSTS") == *[0145][0145] ]] &&
		grep -qxF "$host" "$UNVERIFIED_HOSTS"
}

has_no_checksums() {
	case $(host_of "$1") in
	packages.aks.azure.com | acs-mirror.azureedge.net | packages.microsoft.com) ;;
	*) is_unverified_host "$1" ;;
	esac
}

fetch() {
	local limit=$1 url=$2 path=$3 scheme=https protocols='=https'
	! is_unverified_host "$url" || scheme='https?' protocols='=http,https'
	if [[ ! ${url,,} =~ ^$scheme://[^[:space:]\"\\]+$ ]]; then
		printf 'only https URLs are downloaded' >&2
		return 3
	fi
	bounded "$limit" curl --fail --silent --show-error --location --proto "$protocols" --proto-redir "$protocols" --connect-timeout 10 \
		--output "$path" --config - <<<"url = \"$url\""
}

matches_published_checksum() {
	local url=$1 path=$2 query='' sum code=0
	url=${url%%#*}
	[[ $url != *\?* ]] || query="?${url#*\?}"
	sum=$(fetch 10 "${url%%\?*}.sha256$query" - 2>&1) || code=$?
	case $code/$sum in
	0/*)
		read -r sum _ <<<"$sum"
		[ "$(sha256sum <"$path" | cut -d ' ' -f 1)" != "${sum,,}" ] || return 0
		printf 'what was sent does not match the published checksum'
		;;
	22/*' error: 404'* | 22/*' error: 410'*)
		! has_no_checksums "$url" || return 0
		printf 'no checksum is published at %s.sha256' "$(redacted_url "$url")"
		;;
	*) printf 'the published checksum cannot be downloaded: %s' "$(redacted_output "$url" <<<"${sum%%$'\n'*}")" ;;
	esac
	return 1
}

is_permanent() {
	[[ $1 =~ ^(1|3|23)$ || $1/$2 =~ ^22/.*error:\ (400|401|404|405|406|410|414|451) || $2 == 'no checksum is published '* ]]
}

keep_download_error() {
	[ ! -f "${PROVISION_REASON_FILE:-}" ] || [ -z "$1" ] || printf '%s' "$1" >"$PROVISION_REASON_FILE.download"
}

download_error() {
	local error=''
	[ ! -s "${PROVISION_REASON_FILE:-/nonexistent}.download" ] || error=$(cat "$PROVISION_REASON_FILE.download")
	printf '%s' "${error:+: $error}"
}

with_proxy_named() {
	local proxy host name=''
	for proxy in "${HTTPS_PROXY:-}" "${HTTP_PROXY:-}"; do
		host=${proxy#*://}
		host=${host##*@}
		host=${host%%[:/]*}
		[ -z "$host" ] || [[ $1 != *" to $host port "* ]] || name=' (this is the proxy)'
	done
	printf '%s%s' "$1" "$name"
}

download() {
	local tries=$1 pause=$2 limit=$3 budget=$4 url=$5 path=$6 part=$6.part until try left error last='' code
	until=$((EPOCHSECONDS + budget))
	rm_existing "${PROVISION_REASON_FILE:-/nonexistent}.download"
	[ -d "${path%/*}" ] || mkdir -p "${path%/*}" || return 1
	for ((try = 1; ; try++)); do
		! is_complete_file "$path" || return 0
		[ "$try" != 1 ] || note logDownloadURL "$(redacted_url "$url")"
		rm_existing "$path"
		left=$((until - EPOCHSECONDS))
		if [ "$left" -le 0 ] || ! has_time; then
			warn "no time is left to download $(redacted_url "$url")"
			rm -f "$part"
			return 2
		fi
		code=0
		error=$(fetch "$((limit < left ? limit : left))" "$url" "$part" 2>&1) || code=$?
		[ "$code" = 0 ] || error=$(redacted_output "$url" <<<"$error")
		[ "$code" != 124 ] || error='no answer in time'
		if [ "$code" = 0 ]; then
			if ! is_complete_file "$part"; then
				error='what was sent is incomplete'
			elif error=$(matches_published_checksum "$url" "$part"); then
				mv -f "$part" "$path" && return 0
				error="$path cannot be written"
			fi
			keep_download_error "$error"
			warn "the download of $(redacted_url "$url") fails: $error"
		elif [ "$code $error" != "$last" ]; then
			last="$code $error"
			keep_download_error "$(with_proxy_named "${error%%$'\n'*}")"
			warn "the download of $(redacted_url "$url") ends with code $code of curl: $error"
		fi
		rm -f "$part"
		if [ "$try" -ge "$tries" ] || is_permanent "$code" "$error"; then
			return 1
		fi
		before_pause
		sleep "$pause"
	done
}

download_path() {
	local name=${1%%\?*}
	printf '%s/%s' "$2" "${name##*/}"
}

ask_registry() {
	local limit=$1 try code error
	shift
	for ((try = 1; ; try++)); do
		code=0
		{ error=$(bounded "$limit" oras "$@" 2>&1 >&3) || code=$?; } 3>&1
		[ "$code" != 0 ] || return 0
		if [ "$try" = 10 ] || [ "$code" = 127 ] || ! has_time || [[ $try == 3 && $error == *'not found'* ]]; then
			warn "oras $1 ends with code $code: $(redacted_output <<<"${error##*$'\n'}")" >&2
			return 1
		fi
		sleep 5
	done
}

pull_artifact() {
	local reference=$1 dir=$2
	shift 2
	mkdir -p "$dir" || return 1
	note logDownloadURL "$reference"
	ask_registry 60 pull --registry-config "$REGISTRY_LOGIN" --output "$dir" "$@" "$reference"
}

unit_exists() {
	bounded 10 systemctl cat -- "$1" >/dev/null 2>&1
}

unit_status() {
	timeout 10 systemctl status --no-pager --full "$1" 2>&1
	timeout 10 journalctl --no-pager --boot --unit="$1" 2>&1
	true
}

needs_reload() {
	{ [ -n "$UNITS_CHANGED" ] && [[ ${OS_VERSION:-20.04} == 20.04 ]]; } || [ "$(bounded 10 systemctl show --property=NeedDaemonReload --value "$1" 2>/dev/null)" != no ]
}

UNITS_CHANGED=

reload_units() {
	bounded 25 systemctl daemon-reload && UNITS_CHANGED=
}

enable_and_start() {
	local unit=$1 limit=$2 try state begun
	shift 2
	begun=${EPOCHREALTIME/[.,]/}
	for ((try = 1; ; try++)); do
		if { [ "$try" = 1 ] && ! needs_reload "$unit"; } || reload_units; then
			bounded "$limit" systemctl restart "$@" "$unit" && break
		fi
		state=$(bounded 10 systemctl show --property=LoadState,Result "$unit" 2>/dev/null | tr '\n' ' ')
		case " $state" in
		*' LoadState=not-found '* | *' LoadState=masked '* | *' LoadState=bad-setting '* | *' LoadState=error '* | *' Result=start-limit-hit '*)
			try=100
			;;
		esac
		if [ "$try" -ge 100 ] || ! has_time; then
			warn "$unit does not start (${state% }); see $LOGS/$unit-status.log"
			put "$LOGS/$unit-status.log" 0600 unit_status "$unit"
			event "AKS.CSE.start.${unit%.service}" Error "$begun" "${EPOCHREALTIME/[.,]/}" "Failed: $unit"
			return 1
		fi
		sleep 5
	done
	if [ ! -e "$UNITS/multi-user.target.wants/$unit" ] && ! retry 120 5 25 systemctl enable --quiet --no-reload "$unit"; then
		put "$LOGS/$unit-status.log" 0600 unit_status "$unit"
		return 1
	fi
	event "AKS.CSE.start.${unit%.service}" Informational "$begun" "${EPOCHREALTIME/[.,]/}" "Completed: $unit"
}

disable_and_stop() {
	unit_exists "$1" || return 0
	part "stop.${1%.service}" stop_and_disable "$1"
}

stop_and_disable() {
	retry 20 5 25 systemctl stop "$1" || warn "$1 cannot be stopped"
	retry 20 5 25 systemctl disable --quiet "$1" || warn "$1 cannot be disabled"
}

is_healthy() {
	local state
	state=$(bounded 10 systemctl is-active "$1" 2>/dev/null)
	case $state in
	active) ;;
	failed) return 1 ;;
	*) log "$1 is $state" ;;
	esac
}

containerd_answers() {
	timeout 1 ctr version >/dev/null 2>&1
}

containerd_is_ready() {
	local try restarts
	for ((try = 1; try <= 240; try++)); do
		! containerd_answers || return 0
		has_time || return 1
		restarts=$(bounded 10 systemctl show --property=NRestarts --value containerd.service 2>/dev/null)
		[ "${restarts:-0}" -lt 3 ] || return 1
		sleep 0.1
	done
	return 1
}

load_module() {
	[ -d "/sys/module/$1" ] || retry 120 5 25 modprobe "$1"
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

readonly METADATA_CACHE=$CONTAINERS/imds_instance_metadata_cache.json
readonly METADATA_URL='http://169.254.169.254/metadata/instance?api-version=2021-02-01'

version_ge() {
	local one=${1%%[+~]*} two=${2%%[+~]*} mine theirs
	one=${one#v} two=${two#v}
	while [ -n "$two" ]; do
		mine=${one%%[.-]*} theirs=${two%%[.-]*}
		if [ "$mine" = "$theirs" ]; then
			one=${one#"$mine"} two=${two#"$theirs"}
			one=${one#[.-]} two=${two#[.-]}
		elif is_number "$mine" && is_number "$theirs"; then
			((10#$mine > 10#$theirs))
			return
		else
			[[ $mine > $theirs ]]
			return
		fi
	done
}

kubernetes_ge() {
	version_ge "${KUBERNETES_VERSION:-0}" "$1"
}

is_prepared_image() {
	[ -e /opt/azure/vhd-install.complete ]
}

makes_an_image() { on PRE_PROVISION_ONLY; }

request_metadata() {
	put "$METADATA_CACHE" 0600 bounded 60 curl --fail --silent --show-error --noproxy '*' --connect-timeout 5 \
		--header 'Metadata: true' "$METADATA_URL"
}

fetch_metadata() {
	local try
	! read_metadata || return 0
	for ((try = 1; ; try++)); do
		! { request_metadata && read_metadata; } || return 0
		rm -f "$METADATA_CACHE"
		[ "$try" -lt 20 ] && has_time || return 1
		sleep 2
	done
}

METADATA=()

read_metadata() {
	local facts
	[ -e "$METADATA_CACHE" ] && facts=$(jq -r 'if .compute then . else error("no metadata") end
		| (try .network.interface[0] catch {}) as $card
		| [$card | try .ipv4.ipAddress[0].privateIpAddress catch "", try .ipv6.ipAddress[0].privateIpAddress catch ""
			| strings // ""] as $addresses
		| (.compute.vmSize | strings) // "", $addresses[0], ($addresses | map(select(. != "")) | join(",")),
			(try ([.compute.tagsList // [] | .[] | select(.value | ascii_downcase | contains("true")) | .name | ascii_downcase]
				| "true", .[]) catch "false")' "$METADATA_CACHE" 2>/dev/null) && mapfile -t METADATA <<<"$facts"
}

has_metadata() { [ "${#METADATA[@]}" -gt 0 ] || read_metadata; }

metadata() {
	jq -er "($1) // empty" "$METADATA_CACHE" 2>/dev/null
}

has_tags() {
	has_metadata && [ "${METADATA[3]}" = true ]
}

has_tag() {
	local tag
	has_tags || return
	for tag in "${METADATA[@]:4}"; do
		[[ $tag != *"${1,,}"* ]] || return 0
	done
	return 1
}

vm_size() {
	has_metadata && [ -n "${METADATA[0]}" ] && printf '%s' "${METADATA[0]}"
}

has_address() {
	has_metadata && [ -n "${METADATA[1]}" ]
}
#EOF
