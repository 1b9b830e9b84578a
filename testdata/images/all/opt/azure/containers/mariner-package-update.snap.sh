#!/bin/bash
set -uo pipefail
umask 022
export LC_ALL=C


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

find_cached() {
	find "$1" -maxdepth "${3:-1}" -type f -name "$2" 2>/dev/null | sort -V | tail -n 1 | grep .
}

find_package() {
	local name=$1 version=$2 dir=/opt/$1/downloads pattern
	pattern=$(package_pattern "$name" "$version")
	if ! is_isolated || ! on NETWORK_ISOLATED_CLUSTER_TEST_MODE; then
		find_cached "$dir" "$pattern" && return 0
	fi
	if is_isolated; then
		dir=/opt/$name/registry
		rm -rf "$dir"
		pull_artifact "$BOOTSTRAP_PROFILE_CONTAINER_REGISTRY_SERVER/aks/packages/kubernetes/$name:v${version//\~/-}" "$dir" \
			--platform "linux/$CPU_ARCH:$OS_ID $OS_VERSION" >&2
	else
		mkdir -p "$dir" && part "install${name}FromPkg.downloadPkgFromVersion" download_package "$name" "$version" "$dir" >&2
	fi && find_cached "$dir" "$pattern"
}

unpack_package() {
	case $1 in
	*.deb) dpkg-deb --extract "$1" "$2" ;;
	*.rpm) rpm2cpio "$1" | (cd "$2" && cpio --quiet --extract --make-directories) ;;
	*) tar -xzf "$1" -C "$2" ;;
	esac
}

extract_program() {
	local file how=extractDebBinaryFromFile
	file=$(find_package "$1" "$2") || return
	[[ $file == *.deb ]] || how=extractBinaryFromRPM
	part "install$1.$how" extract_member "$file" "usr/bin/$1" "$3" && rm -rf "${file%/*}"
}

extract_member() {
	local dir code=0
	dir=$(mktemp -d /opt/.unpack.XXXXXX) || return
	unpack_package "$1" "$dir" && put "$3" 0755 cat "$dir/$2" || code=1
	rm -rf "$dir"
	return "$code"
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

readonly kubelet=/opt/bin/kubelet

version=$(. /etc/os-release && printf '%s' "$VERSION_ID")
if [ "$version" = 3.0 ]; then
	readonly repositories=(azurelinux-official-{base,ms-non-oss,ms-oss,nvidia}) files=(azurelinux-{official-base,ms-non-oss,ms-oss,cloud-native,nvidia})
else
	readonly repositories=(mariner-official-{base,microsoft,extras,nvidia}) files=(mariner-{official-base,microsoft,extras,nvidia})
fi

repository_file() {
	awk -v server="$server" '
		/^# original_baseurl=/ { original = substr($0, length("# original_baseurl=") + 1); next }
		{ lines[++count] = $0 }
		END {
			for (i = 1; i <= count; i++) {
				if (lines[i] ~ /^baseurl=https?:\/\/.*packages\.microsoft\.com/) {
					match(lines[i], /https?:\/\/.*packages\.microsoft\.com/)
					if (server != "") {
						original = substr(lines[i], RSTART, RLENGTH)
						lines[i] = "baseurl=http://" server substr(lines[i], RSTART + RLENGTH)
					}
				} else if (match(lines[i], /^baseurl=http:\/\/[0-9]+\.[0-9]+\.[0-9]+\.[0-9]+/)) {
					rest = substr(lines[i], RLENGTH + 1)
					lines[i] = "baseurl=" (server != "" ? "http://" server : original != "" ? original : "https://packages.microsoft.com") rest
				}
			}
			if (server != "" && original != "") print "# original_baseurl=" original
			for (i = 1; i <= count; i++) print lines[i]
		}' "$1"
}

use_repositories() {
	local name file
	for name in "${files[@]}"; do
		file=/etc/yum.repos.d/$name.repo
		[ ! -f "$file" ] || put "$file" 0644 repository_file "$file" || return
	done
}

upgrade() {
	local command=(dnf)
	[ "$version" != 3.0 ] || command=(tdnf --snapshottime
		"$(date --date="${wanted:0:4}-${wanted:4:2}-${wanted:6:2} ${wanted:9:2}:${wanted:11:2}:${wanted:13:2} UTC" +%s)")
	retry 10 5 3600 "${command[@]}" update --assumeyes --refresh --exclude mshv-linuxloader --exclude kernel-mshv \
		"${repositories[@]/#/--repo=}" </dev/null
}

upgrade_kubelet() {
	local target current dir file code=0
	[ "$version" = 3.0 ] || return 0
	target=$(annotation kubelet-version) || return
	[ -n "$target" ] || return 0
	if [[ ! $target =~ ^[0-9]+\.[0-9]+\.[0-9]+([.~+-][A-Za-z0-9.~+-]*)?$ ]]; then
		warn "the version of kubelet \"$target\" does not have the form 1.33.4"
		return 1
	fi
	current=$(bounded 30 "$kubelet" --version | awk '{ print $2 }')
	current=${current#v}
	if [ "${target%.*}" != "${current%.*}" ]; then
		warn "kubelet stays at $current, because $target has another minor version"
		return 1
	fi
	version_ge "$target" "$current" || return 0
	dir=$(mktemp -d /opt/.kubelet.XXXXXX) || return
	if retry 5 5 600 tdnf install --repo=azurelinux-official-cloud-native --assumeyes --downloadonly --downloaddir "$dir" "kubelet-$target" </dev/null &&
		file=$(find_cached "$dir" "kubelet-$target*.rpm") && unpack_package "$file" "$dir" && [ -s "$dir/usr/bin/kubelet" ]; then
		if ! cmp -s "$dir/usr/bin/kubelet" "$kubelet"; then
			log "kubelet $current is replaced by $target"
			put "$kubelet" 0755 cat "$dir/usr/bin/kubelet" && bounded 300 systemctl restart kubelet.service || code=1
		fi
	else
		code=1
	fi
	rm -rf "$dir"
	return "$code"
}

find_out_what_is_wanted
use_repositories || fail 1 'the repositories cannot be changed'
upgrade || fail 1 'the packages cannot be upgraded'
upgrade_kubelet || fail 1 'kubelet cannot be upgraded'
record_what_was_done
