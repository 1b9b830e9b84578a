#!/bin/bash


install_tool_packages() { return 1; }
installDeps() { :; }
install_containerd_package() { command -v containerd >/dev/null; }
install_package_file() { return 1; }
install_reference_plugins_package() { return 1; }
cleanUpGPUDrivers() { remove_gpu_files; }
setupAmdAma() { log 'the driver of this accelerator is available for Azure Linux only'; }

kube_sysext_repository() {
	printf '%s/oss/v2/kubernetes/%s-sysext' "${BOOTSTRAP_PROFILE_CONTAINER_REGISTRY_SERVER:-$(mcr_host)}" "$1"
}

sysext_arch() {
	printf '%s' "${CPU_ARCH/amd64/x86-64}"
}

cached_sysext() {
	local dir=/opt/$1/downloads
	find_cached "$dir" "$1-v$2[.~-]*-$(sysext_arch).raw" 2 || { family acl && find_cached "$dir" "$1.raw" 2; }
}

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

find_sysext() {
	local name=$1 version=$2 repository=$3 tag
	cached_sysext "$name" "$version" && return 0
	tag=$(sysext_tag "$repository" "$version") || {
		warn "$repository has no tag for $version" >&2
		return 1
	}
	pull_artifact "$repository:$tag" "/opt/$name/downloads" >&2 && cached_sysext "$name" "$version"
}

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

link_kube_sysexts() {
	local version=$1 name
	before_kube_sysext
	use_sysexts kubelet "$version" "$(kube_sysext_repository kubelet)" kubectl "$version" "$(kube_sysext_repository kubectl)" || return
	for name in kubelet kubectl; do
		ln -sfn "/usr/bin/$name" "$BIN/$name-$version" || return
	done
}

has_kube_packages() { :; }

install_packaged_program() {
	use_sysexts "$1" "$2" "$(kube_sysext_repository "$1")" && mkdir -p "${3%/*}" && ln -sfn "/usr/bin/$1" "$3"
}

before_kube_sysext() { :; }

install_gpu_driver() {
	enable_and_start nvidia.service 600 || fail "$ERR_GPU_DRIVERS_START_FAIL" 'nvidia.service does not build the GPU driver'
}

after_gpu_driver() { :; }
install_fabric_manager() { :; }

install_managed_gpu_packages() {
	fail "$ERR_MANAGED_NVIDIA_EXP_INSTALL_FAIL" 'the managed GPU experience is not available for Flatcar'
}
#EOF
