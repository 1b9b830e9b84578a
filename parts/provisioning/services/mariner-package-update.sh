#!/bin/bash
# Upgrades packages on CBL-Mariner and Azure Linux to the state of the repositories that the cluster wants, and kubelet where the
# cluster names a patch of it.
set -uo pipefail
umask 022
export LC_ALL=C

#include provisioning/source/paths.sh
#include provisioning/source/log.sh
#include provisioning/source/time.sh
#include provisioning/source/put.sh
#include provisioning/source/values.sh
#include provisioning/source/machine.sh
#include provisioning/installs/packages.sh
#include provisioning/shared/live_patching.sh

# The results of find_out_what_is_wanted.
wanted='' server=''

readonly kubelet=/opt/bin/kubelet

version=$(. /etc/os-release && printf '%s' "$VERSION_ID")
if [ "$version" = 3.0 ]; then
	readonly repositories=(azurelinux-official-{base,ms-non-oss,ms-oss,nvidia}) files=(azurelinux-{official-base,ms-non-oss,ms-oss,cloud-native,nvidia})
else
	readonly repositories=(mariner-official-{base,microsoft,extras,nvidia}) files=(mariner-{official-base,microsoft,extras,nvidia})
fi

# Prints a file of repositories that uses the server of the cluster, or again its original server, which stays in a comment: FILE.
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

# Replaces kubelet by another patch of the same minor version. It may have the same version, but a newer release of the package.
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
