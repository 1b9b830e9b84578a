#!/bin/bash
# What every script shares: exit codes, words for the log, events, steps, time limits, files, units, facts of the machine.
# Sourced, by provision.sh and by the small scripts that units run.
# shellcheck disable=SC2034 # many names here are for those who source this

# exit codes: begin; made from src/catalogue/exit_codes.rs by `make generate`
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
# exit codes: end

readonly CONTAINERS=/opt/azure/containers
readonly LOGS=/var/log/azure
readonly EVENTS=$LOGS/Microsoft.Azure.Extensions.CustomScript/events
readonly METADATA_CACHE=$CONTAINERS/imds_instance_metadata_cache.json
readonly METADATA_URL='http://169.254.169.254/metadata/instance?api-version=2021-02-01'
readonly UNITS=/etc/systemd/system

## Words

say() {
	printf '%(%F %T)T %s\n' -1 "$*"
}

warn() {
	say "warning: $*"
}

# Ends the run, or the subshell, with a code. The reason goes to the log and into the result.
fail() {
	local code=$1
	shift
	say "error $code: $*"
	printf '%s' "$*" >"${PROVISION_REASON_FILE:-/dev/null}"
	exit "$code"
}

# A text as the inside of a JSON string.
json_text() {
	local text=$1 backslash=$'\\' code LC_ALL=C
	if [[ $text == *[$'\x80'-$'\xff']* ]]; then
		text=$(printf '%s' "$text" | iconv -c -f UTF-8 -t UTF-8 2>/dev/null)
	fi
	text=${text//"$backslash"/"$backslash$backslash"}
	text=${text//\"/"$backslash\""}
	text=${text//$'\n'/"${backslash}n"}
	while [[ $text =~ [[:cntrl:]] ]]; do
		printf -v code '\\u%04x' "'${BASH_REMATCH[0]}"
		text=${text//"${BASH_REMATCH[0]}"/"$code"}
	done
	printf '%s' "$text"
}

## Events and steps

# Microseconds since 1970 as the guest agent wants a time.
stamp() {
	printf '%(%F %T)T.%s' "${1:0:-6}" "${1: -6:3}"
}

# Leaves an event for the guest agent. Never fails: a node does not depend on it.
event() {
	local task=$1 level=$2 begun=$3 ended=$4 message=$5 name line
	printf -v line '{"Timestamp":"%s","OperationId":"%s","Version":"1.23","TaskName":"%s","EventLevel":"%s","Message":"%s","EventPid":"0","EventTid":"0"}' \
		"$(stamp "$begun")" "$(stamp "$ended")" "$task" "$level" "$(json_text "${message:0:2900}")"
	[ -d "$EVENTS" ] || mkdir -p "$EVENTS"
	for ((name = ended * 1000; name < ended * 1000 + 20; name++)); do
		# The agent looks for .json; what it finds has to be whole.
		if [ ! -e "$EVENTS/$name.json" ] && (set -o noclobber && printf '%s\n' "$line" >"$EVENTS/$name") 2>/dev/null; then
			mv -n "$EVENTS/$name" "$EVENTS/$name.json"
			return 0
		fi
	done
	return 0
}

now() {
	printf '%s' "${EPOCHREALTIME/[.,]/}"
}

# The step that runs, and since when: the end of the script reports it when it does not end by itself.
STEP=
STEP_BEGUN=

# Runs a step when its condition holds. A step that fails ends the run.
step() {
	local name=$1 ended
	shift
	"$@" || return 0
	STEP=$name STEP_BEGUN=$(now)
	"$name" || fail "$?" "$name failed"
	ended=$(now)
	say "$name: $(((ended - STEP_BEGUN) / 1000)) ms"
	event "AKS.CSE.$name" Informational "$STEP_BEGUN" "$ended" "Completed: $name"
	STEP=
}

# The same for a step that the node can do without: its failure is an event.
attempt() {
	local name=$1 begun code=0
	shift
	"$@" || return 0
	begun=$(now)
	(PROVISION_REASON_FILE='' "$name") || code=$?
	if [ "$code" = 0 ]; then
		event "AKS.CSE.$name" Informational "$begun" "$(now)" "Completed: $name"
	else
		warn "$name failed with code $code; the node does without"
		event "AKS.CSE.$name" Warning "$begun" "$(now)" "Failed with code $code: $name"
	fi
}

# Called at the very end: the step that ended the run gets its event too.
report_open_step() {
	local code=$1
	[ -n "$STEP" ] && [ "$code" != 0 ] || return 0
	event "AKS.CSE.$STEP" Error "$STEP_BEGUN" "$(now)" \
		"Failed with code $code: $STEP: $(cat "${PROVISION_REASON_FILE:-/dev/null}" 2>/dev/null)"
}

## Conditions

always() { true; }

# A switch that is the word `true`.
on() { [ "${!1:-}" = true ]; }

# A variable that says something.
given() { [ -n "${!1:-}" ]; }

not() { ! "$@"; }

## Time limits

# Seconds that are left for the steps. Without a start time, at an image build, there is no limit.
seconds_left() {
	if [ -n "${CSE_STARTTIME_SECONDS:-}" ]; then
		printf '%s' "$((CSE_STARTTIME_SECONDS + ${CSE_MAX_DURATION_SECONDS:-780} - EPOCHSECONDS))"
	else
		printf 86400
	fi
}

# A command within a time limit, and within what is left for the steps.
bounded() {
	local limit=$1 left
	shift
	left=$(seconds_left)
	[ "$left" -gt 0 ] || return 124
	timeout --kill-after=5 "$((limit < left ? limit : left))" "$@"
}

# Tries a command up to TRIES times, PAUSE seconds apart, each within LIMIT seconds.
# 0: it succeeded; 1: it never did; 2: there is no time left.
retry() {
	local tries=$1 pause=$2 limit=$3 try
	shift 3
	for ((try = 1; ; try++)); do
		bounded "$limit" "$@" && return 0
		if [ "$(seconds_left)" -le 0 ]; then
			warn "no time is left for: $1"
			return 2
		fi
		[ "$try" -lt "$tries" ] || return 1
		sleep "$pause"
	done
}

# Waits until a command succeeds, asking every second for at most LIMIT seconds and what is left for the steps.
wait_until() {
	local limit=$1 until
	shift
	until=$((EPOCHSECONDS + limit))
	while ! "$@"; do
		[ "$EPOCHSECONDS" -lt "$until" ] && [ "$(seconds_left)" -gt 0 ] || return 1
		sleep 1
	done
}

## Files

# Writes what a command prints to a file, in one piece and with its mode from the first byte on.
put() {
	local path=$1 mode=$2 temporary
	shift 2
	mkdir -p "${path%/*}" || return
	temporary=$(umask 077 && mktemp "${path%/*}/.${path##*/}.XXXXXX") || return
	if "$@" >"$temporary" && chmod "$mode" "$temporary" && sync "$temporary" && mv -fT "$temporary" "$path"; then
		return 0
	fi
	rm -f "$temporary"
	return 1
}

# The same from text.
put_text() {
	put "$1" "$2" printf '%s\n' "$3"
}

# The bytes of a variable that carries base64.
decoded() {
	printf '%s' "${!1:-}" | base64 -d 2>/dev/null
}

# Replaces our own lines of a file that others write too: those between two marks. Without text they go.
put_section() {
	local path=$1 mode=$2 name=$3 text=$4
	put "$path" "$mode" section_of "$path" "$name" "$text"
}

section_of() {
	if [ -e "$1" ]; then
		awk -v from="# $2: begin" -v to="# $2: end" '$0 == from { ours = 1 } !ours { print } $0 == to { ours = 0 }' "$1" || return
	fi
	[ -z "$3" ] || printf '# %s: begin\n%s\n# %s: end\n' "$2" "$3" "$2"
}

# A value inside the quotes of a unit's setting. A line break would begin another setting.
unit_text() {
	local text=$1 backslash=$'\\'
	[[ $text != *[$'\n\r']* ]] || return 1
	text=${text//"$backslash"/"$backslash$backslash"}
	text=${text//\"/"$backslash\""}
	printf '%s' "${text//%/%%}"
}

# NAME=VALUE for a file that EnvironmentFile= reads.
environment_line() {
	local text=$2 backslash=$'\\'
	[[ $text != *[$'\n\r']* ]] || return 1
	text=${text//"$backslash"/"$backslash$backslash"}
	case $text in
	[\"\'\ \#\;]*) text=$backslash$text ;;
	esac
	printf '%s=%s\n' "$1" "$text"
}

is_host() {
	[[ $1 =~ ^[A-Za-z0-9]([A-Za-z0-9._:-]*[A-Za-z0-9])?$ ]]
}

is_number() {
	[[ $1 =~ ^[0-9]{1,9}$ ]]
}

is_ipv4() {
	[[ $1 =~ ^[0-9]{1,3}(\.[0-9]{1,3}){3}$ ]]
}

## Downloads

# Whether a downloaded file is all there.
is_whole() {
	[ -s "$1" ] || return
	case $1 in
	*.tar.gz | *.tgz | *.tar.gz.part | *.tgz.part) tar -tzf "$1" >/dev/null 2>&1 ;;
	esac
}

# An address without what may be a secret in it.
shown_url() {
	local url=${1%%\?*}
	if [[ $url =~ ^([a-z]+://)[^/@]*@(.*)$ ]]; then
		url=${BASH_REMATCH[1]}${BASH_REMATCH[2]}
	fi
	printf '%s' "$url"
}

# Fetches an address to a file within LIMIT seconds. The address goes in by standard input, for it may carry a token.
fetch() {
	local limit=$1 url=$2 path=$3
	[[ $url =~ ^https?://[^[:space:]\"\\]+$ ]] || return 3
	bounded "$limit" curl --fail --silent --show-error --location --connect-timeout 10 --output "$path" --config - \
		<<<"url = \"$url\""
}

# Compares a file with the sum that is published beside it, if one is.
has_published_sum() {
	local url=$1 path=$2 sum
	sum=$(fetch 10 "${url%%\?*}.sha256" - 2>/dev/null | awk 'NR == 1 { print $1 }')
	[[ $sum =~ ^[0-9a-fA-F]{64}$ ]] || return 0
	[ "$(sha256sum <"$path" | cut -d ' ' -f 1)" = "${sum,,}" ]
}

# Downloads to a file that is whole or not there: TRIES, PAUSE, LIMIT of one try, BUDGET of all together, in seconds.
# 0: it is there; 1: it never came; 2: there is no time left.
download() {
	local tries=$1 pause=$2 limit=$3 budget=$4 url=$5 path=$6 part=$6.part until try left
	until=$((EPOCHSECONDS + budget))
	mkdir -p "${path%/*}" || return 1
	for ((try = 1; ; try++)); do
		! is_whole "$path" || return 0
		rm -f "$path"
		left=$((until - EPOCHSECONDS))
		if [ "$left" -le 0 ] || [ "$(seconds_left)" -le 0 ]; then
			warn "no time is left to download $(shown_url "$url")"
			rm -f "$part"
			return 2
		fi
		if fetch "$((limit < left ? limit : left))" "$url" "$part"; then
			if ! is_whole "$part"; then
				warn "what $(shown_url "$url") sends is not whole"
			elif ! has_published_sum "$url" "$part"; then
				warn "what $(shown_url "$url") sends has not the sum that is published beside it"
			elif mv -f "$part" "$path"; then
				return 0
			fi
		fi
		rm -f "$part"
		[ "$try" -lt "$tries" ] || return 1
		sleep "$pause"
	done
}

# The file of an address, under a folder.
file_of_url() {
	local name=${1%%\?*}
	printf '%s/%s' "$2" "${name##*/}"
}

## Units

unit_exists() {
	systemctl cat -- "$1" >/dev/null 2>&1
}

# Restarts and enables a unit: UNIT, LIMIT of one try, and --no-block to only queue the start.
enable_and_start() {
	local unit=$1 limit=$2 try state begun
	shift 2
	begun=$(now)
	for ((try = 1; ; try++)); do
		bounded 25 systemctl daemon-reload && bounded "$limit" systemctl restart "$@" "$unit" && break
		state=$(systemctl show --property=LoadState,Result --value "$unit" 2>/dev/null | tr '\n' ' ')
		case $state in
		not-found* | masked* | bad-setting* | error* | *start-limit-hit*) try=100 ;;
		esac
		if [ "$try" -ge 100 ] || [ "$(seconds_left)" -le 0 ]; then
			warn "$unit does not start (${state% }); its status is in $LOGS/$unit-status.log"
			{
				timeout 10 systemctl status --no-pager --full "$unit"
				timeout 10 journalctl --no-pager --boot --unit="$unit"
			} >"$LOGS/$unit-status.log" 2>&1
			event "AKS.CSE.start.$unit" Error "$begun" "$(now)" "Failed: $unit"
			return 1
		fi
		sleep 5
	done
	# It runs already, so systemd need not read everything once more for a link.
	if ! retry 120 5 25 systemctl enable --quiet --no-reload "$unit"; then
		timeout 10 systemctl status --no-pager --full "$unit" >"$LOGS/$unit-status.log" 2>&1
		return 1
	fi
	event "AKS.CSE.start.$unit" Informational "$begun" "$(now)" "Completed: $unit"
}

# Stops and disables a unit, where there is one.
disable_and_stop() {
	unit_exists "$1" || return 0
	retry 20 5 25 systemctl stop "$1" || warn "$1 does not stop"
	retry 20 5 25 systemctl disable --quiet "$1" || warn "$1 cannot be disabled"
}

# Whether a unit has not failed.
is_healthy() {
	local state
	state=$(systemctl is-active "$1" 2>/dev/null)
	case $state in
	active) ;;
	failed) return 1 ;;
	*) say "$1 is $state" ;;
	esac
}

containerd_answers() {
	timeout 1 ctr version >/dev/null 2>&1
}

# Waits until containerd answers; one that ends again and again does not get better.
containerd_is_ready() {
	local try restarts
	for ((try = 1; try <= 240; try++)); do
		! containerd_answers || return 0
		[ "$(seconds_left)" -gt 0 ] || return 1
		restarts=$(systemctl show --property=NRestarts --value containerd.service 2>/dev/null)
		[ "${restarts:-0}" -lt 3 ] || return 1
		sleep 0.1
	done
	return 1
}

load_module() {
	retry 120 5 25 modprobe "$1"
}

## The machine

# The system's family: ubuntu, debian, mariner, osguard, flatcar, acl or another's own name.
os_field() {
	local line value
	while IFS= read -r line; do
		if [ "${line%%=*}" = "$1" ]; then
			value=${line#*=}
			value=${value#[\"\']}
			printf '%s' "${value%[\"\']}"
			return
		fi
	done < <(cat /etc/os-release 2>/dev/null || cat /usr/lib/os-release 2>/dev/null)
}

read_os() {
	local id variant
	id=$(os_field ID)
	variant=$(os_field VARIANT_ID)
	OS_ID=${id,,} OS_VERSION=$(os_field VERSION_ID)
	case ${OS_ID^^}/${variant^^} in
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

# One of these families.
family() {
	local name
	for name in "$@"; do
		[ "$OS_FAMILY" != "$name" ] || return 0
	done
	return 1
}

version_ge() {
	local one=${1%%[+~]*} two=${2%%[+~]*}
	[ "$(printf '%s\n%s\n' "${two#v}" "${one#v}" | sort -V | head -n 1)" = "${two#v}" ]
}

kubernetes_ge() {
	version_ge "${KUBERNETES_VERSION:-0}" "$1"
}

is_prepared_image() {
	[ -e /opt/azure/vhd-install.complete ]
}

# Asks the metadata service once; the answer serves all steps.
fetch_metadata() {
	if jq -e .compute "$METADATA_CACHE" >/dev/null 2>&1; then
		return 0
	fi
	local try
	for ((try = 1; ; try++)); do
		if put "$METADATA_CACHE" 0600 bounded 60 curl --fail --silent --show-error --noproxy '*' --connect-timeout 5 \
			--header 'Metadata: true' "$METADATA_URL" && jq -e .compute "$METADATA_CACHE" >/dev/null 2>&1; then
			return 0
		fi
		rm -f "$METADATA_CACHE"
		[ "$try" -lt 20 ] && [ "$(seconds_left)" -gt 0 ] || return 1
		sleep 2
	done
}

# What a jq filter finds in the metadata.
metadata() {
	jq -er "($1) // empty" "$METADATA_CACHE" 2>/dev/null
}

# Whether the machine has a tag whose name holds NAME and whose value holds `true`: prints true or false.
tag() {
	jq -er --arg name "$1" '[.compute.tagsList // [] | .[]
		| select((.name | ascii_downcase | contains($name | ascii_downcase)) and (.value | ascii_downcase | contains("true")))]
		| if length > 0 then "true" else "false" end' "$METADATA_CACHE" 2>/dev/null
}

# Whether a tag is on. Nothing is known without metadata, so nothing is on.
has_tag() {
	[ "$(tag "$1")" = true ]
}

primary_address() {
	metadata '.network.interface[0].ipv4.ipAddress[0].privateIpAddress'
}

## Lists

# Elements of a list but those of the same name: SEPARATOR LIST NAME...; an element's name ends before its `=`.
without() {
	local separator=$1 list=$2 element name kept=
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
	printf '%s' "$kept"
}

# A list with an element, which takes the place of one with the same name: SEPARATOR LIST ELEMENT.
with() {
	local kept
	kept=$(without "$1" "$2" "${3%%=*}")
	printf '%s' "${kept:+$kept$1}$3"
}

# The value of a flag: NAME, of KUBELET_FLAGS.
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

## Registries

# A login at the registry of an isolated cluster, kept where oras looks for it.
readonly REGISTRY_LOGIN=/etc/oras/config.yaml

pull_artifact() {
	local reference=$1 folder=$2
	mkdir -p "$folder" || return 1
	retry 10 5 60 oras pull --registry-config "$REGISTRY_LOGIN" --output "$folder" "$reference"
}
#EOF
