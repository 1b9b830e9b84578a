#!/bin/bash
set -uo pipefail
umask 022
export LC_ALL=C


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

readonly KUBECONFIG=/var/lib/kubelet/kubeconfig
export KUBECONFIG PATH=/opt/bin:/usr/local/bin:$PATH

node=$(hostname)
readonly node=${node,,}

annotation() {
	bounded 60 kubectl get node "$node" --output json |
		jq -r --arg name "kubernetes.azure.com/live-patching-$1" '.metadata.annotations[$name] // empty'
}

has_kubeconfig() {
	[ -s "$KUBECONFIG" ]
}

find_out_what_is_wanted() {
	local current
	wanted='' server=''
	wait_until 300 has_kubeconfig || fail 1 "kubelet has no $KUBECONFIG after five minutes"
	if ! { wanted=$(annotation golden-timestamp) && current=$(annotation current-timestamp) && server=$(annotation repo-service); }; then
		fail 1 'the API server does not say what to patch'
	fi
	if [ -z "$wanted" ] || [ "$wanted" = "$current" ]; then
		log 'nothing is to be patched'
		exit 0
	fi
	[[ $wanted =~ ^[0-9]{8}T[0-9]{6}Z$ ]] || fail 1 "the golden timestamp \"$wanted\" does not have the form 20250623T000000Z"
	if [ -n "$server" ] && ! is_private_ipv4 "$server"; then
		warn "the repository server \"$server\" is ignored, because it is no private IPv4 address"
		server=
	fi
	log "packages are patched from ${current:-the image} to $wanted"
}

is_private_ipv4() {
	is_ipv4 "$1" && [[ $1 =~ ^(10|192\.168|172\.(1[6-9]|2[0-9]|3[01]))\. ]]
}

record_what_was_done() {
	bounded 60 kubectl annotate --overwrite node "$node" "kubernetes.azure.com/live-patching-current-timestamp=$wanted" >/dev/null ||
		fail 1 'the packages are patched, but the node cannot be annotated'
	log "packages are patched to $wanted"
}

wanted='' server=''

readonly dir=/var/lib/security-patch

sources() {
	local address=https://snapshot.ubuntu.com/ubuntu/$wanted pocket name
	name=$(. /etc/os-release && printf '%s' "$VERSION_CODENAME") || return
	[ -z "$server" ] || address=http://$server/ubuntu
	for pocket in '' -updates -backports -security; do
		printf 'deb %s %s%s main restricted universe multiverse\n' "$address" "$name" "$pocket"
	done
}

find_out_what_is_wanted
put "$dir/sources.list" 0644 sources || fail 1 "$dir/sources.list cannot be written"
put "$dir/apt.conf" 0644 printf 'Dir::Etc::sourcelist "%s";\nDir::Etc::sourceparts "-";\n' "$dir/sources.list" ||
	fail 1 "$dir/apt.conf cannot be written"
export APT_CONFIG=$dir/apt.conf
retry 10 5 300 apt-get -o DPkg::Lock::Timeout=300 -o APT::Update::Error-Mode=any update || fail 1 'the package index cannot be refreshed'
retry 10 5 3600 unattended-upgrade --verbose || fail 1 'unattended-upgrade fails'
record_what_was_done
