# shellcheck shell=bash
# Programs from system extensions, images that systemd merges over the read-only /usr.
# https://www.freedesktop.org/software/systemd/man/latest/systemd-sysext.html

# Prints the registry of the extensions of Kubernetes: NAME.
kube_sysext_repository() {
	printf '%s/oss/v2/kubernetes/%s-sysext' "${BOOTSTRAP_PROFILE_CONTAINER_REGISTRY_SERVER:-$(mcr_host)}" "$1"
}

# Prints the architecture as systemd names it.
sysext_arch() {
	printf '%s' "${CPU_ARCH/amd64/x86-64}"
}

# Prints the file of an extension on the node: NAME VERSION. Extensions of Azure Container Linux itself are tagged with just its
# version, and their files have none.
cached_sysext() {
	local dir=/opt/$1/downloads
	find_cached "$dir" "$1-v$2[.~-]*-$(sysext_arch).raw" 2 || { family acl && find_cached "$dir" "$1.raw" 2; }
}

# Prints the tag of the newest build of an extension: REPOSITORY VERSION. A registry that only caches another one cannot list its
# tags.
sysext_tag() {
	local repository=$1 version=$2 arch tag
	arch=$(sysext_arch)
	if is_isolated; then
		printf 'v%s-1-azlinux3-%s' "$version" "$arch"
		return
	fi
	ask_registry 20 repo tags --registry-config "$REGISTRY_LOGIN" "$repository" | while read -r tag; do
		if [[ $tag == v"$version"[.~-]*-azlinux3-"$arch" ]] || { family acl && [ "$tag" = "$version" ]; }; then
			printf '%s\n' "$tag"
		fi
	done | sort -V | tail -n 1 | grep .
}

# Prints the file of an extension, from the node or from its registry: NAME VERSION REPOSITORY.
find_sysext() {
	local name=$1 version=$2 repository=$3 tag
	cached_sysext "$name" "$version" && return 0
	tag=$(sysext_tag "$repository" "$version") || {
		warn "$repository has no tag for $version" >&2
		return 1
	}
	pull_artifact "$repository:$tag" "/opt/$name/downloads" >&2 && cached_sysext "$name" "$version"
}

# Merges extensions, all or none of them: NAME VERSION REPOSITORY...
use_sysexts() {
	local file name
	local -A files=()
	while [ $# -gt 0 ]; do
		file=$(find_sysext "$1" "$2" "$3") || return
		files[$1]=$file
		shift 3
	done
	mkdir -p /etc/extensions || return
	for name in "${!files[@]}"; do
		ln -sfn "${files[$name]}" "/etc/extensions/$name.raw" || return
	done
	refresh_sysexts && return 0
	for name in "${!files[@]}"; do
		rm -f "/etc/extensions/$name.raw"
	done
	return 1
}

refresh_sysexts() {
	retry 5 3 30 systemd-sysext refresh
}

# Links kubelet and kubectl from their extensions: VERSION. A family defines `before_kube_sysext`.
link_kube_sysexts() {
	local version=$1 name
	before_kube_sysext
	use_sysexts kubelet "$version" "$(kube_sysext_repository kubelet)" kubectl "$version" "$(kube_sysext_repository kubectl)" || return
	for name in kubelet kubectl; do
		ln -sfn "/usr/bin/$name" "$BIN/$name-$version" || return
	done
}

has_kube_packages() { :; }

# Links a program from its extension: NAME VERSION TARGET.
install_packaged_program() {
	use_sysexts "$1" "$2" "$(kube_sysext_repository "$1")" && mkdir -p "${3%/*}" && ln -sfn "/usr/bin/$1" "$3"
}
