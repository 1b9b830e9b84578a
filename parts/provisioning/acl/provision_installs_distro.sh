#!/bin/bash
# How Azure Container Linux brings programs: as system extensions over its read-only /usr. Sourced by provision.sh.
# shellcheck source=../provision_source.sh

# Nothing can be installed: the image has it, or the node cannot be made.
install_tool_packages() { return 1; }
installDeps() { :; }
install_containerd_package() { command -v containerd >/dev/null; }
install_package_file() { return 1; }
install_reference_plugins_package() { return 1; }

## System extensions

sysext_registry() {
	printf '%s' "${BOOTSTRAP_PROFILE_CONTAINER_REGISTRY_SERVER:-$(mcr_host)}"
}

# The image of an extension: what is there already, else from the registry.
find_sysext() {
	local name=$1 version=$2 folder=/opt/$1/downloads
	find_cached "$folder" "$name*$version*.raw" && return 0
	pull_artifact "$(sysext_registry)/oss/v2/kubernetes/$name-sysext:v$version-azlinux3-$CPU_ARCH" "$folder" >&2 &&
		find_cached "$folder" "$name*$version*.raw"
}

use_sysext() {
	local name=$1 version=$2 file
	file=$(find_sysext "$name" "$version") || fail "$ERR_ORAS_PULL_SYSEXT_FAIL" "the system extension $name $version is neither on the image nor at $(sysext_registry)"
	mkdir -p /etc/extensions && ln -sfn "$file" "/etc/extensions/$name.raw"
}

refresh_sysexts() {
	retry 5 3 30 systemd-sysext refresh
}

## Kubernetes

has_kube_packages() { :; }

# Both come as extensions; the first call brings them.
extract_kube_package() {
	local name=$1 version=$2
	before_kube_sysext
	use_sysext "$name" "$version"
	refresh_sysexts || return
	ln -sfn "/usr/bin/$name" "$BIN/$name-$version"
}

# The extension would start kubelet by itself.
before_kube_sysext() {
	mkdir -p "$UNITS/multi-user.target.d" && ln -sfn /dev/null "$UNITS/multi-user.target.d/10-kubelet-kubelet.conf"
}

extract_credential_provider_package() {
	use_sysext acr-credential-provider "${KUBERNETES_VERSION%.*}"
	refresh_sysexts && mkdir -p "${1%/*}" && ln -sfn /usr/bin/acr-credential-provider "$1"
}

## GPU

# Extensions of the driver follow the version of the system.
use_gpu_sysext() {
	[ -n "$OS_VERSION" ] || fail "$ERR_SYSEXT_VERSION_ID_NOT_FOUND" 'os-release has no VERSION_ID'
	use_sysext "$1" "$OS_VERSION"
}

install_gpu_driver() {
	local name=nvidia-driver-cuda
	case ${GPU_DRIVER_TYPE:-} in
	grid*) name=nvidia-driver-grid ;;
	esac
	use_gpu_sysext "$name"
	use_gpu_sysext nvidia-container-toolkit
	refresh_sysexts || fail "$ERR_GPU_DRIVERS_START_FAIL" 'the system extensions of the driver cannot be merged'
	! unit_exists nvidia-persistenced.service || enable_and_start nvidia-persistenced.service 30 ||
		fail "$ERR_GPU_DRIVERS_START_FAIL" 'nvidia-persistenced.service does not start'
}

install_fabric_manager() {
	use_gpu_sysext nvidia-fabricmanager
	refresh_sysexts || fail "$ERR_GPU_DRIVERS_START_FAIL" 'the system extension of the fabric manager cannot be merged'
}

install_managed_gpu_packages() {
	local name
	for name in nvidia-device-plugin dcgm dcgm-exporter; do
		use_gpu_sysext "$name"
	done
	refresh_sysexts || fail "$ERR_NVIDIA_DCGM_INSTALL" 'the system extensions of the managed GPU experience cannot be merged'
}

setupAmdAma() {
	fail "$ERR_AMDAMA_DRIVER_NOT_FOUND" 'this system has no AMD AMA driver'
}

cleanUpGPUDrivers() { :; }
#EOF
