#!/bin/bash
# How Flatcar brings programs: as system extensions over its read-only /usr. Sourced by provision.sh.
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

before_kube_sysext() { :; }

extract_credential_provider_package() {
	use_sysext acr-credential-provider "${KUBERNETES_VERSION%.*}"
	refresh_sysexts && mkdir -p "${1%/*}" && ln -sfn /usr/bin/acr-credential-provider "$1"
}

## GPU

# The image's own service builds the driver at boot.
install_gpu_driver() {
	enable_and_start nvidia.service 600 || fail "$ERR_GPU_DRIVERS_START_FAIL" 'nvidia.service does not build the driver'
}

install_fabric_manager() { :; }

install_managed_gpu_packages() {
	fail "$ERR_MANAGED_NVIDIA_EXP_INSTALL_FAIL" 'the managed GPU experience is not there on this system'
}

setupAmdAma() {
	fail "$ERR_AMDAMA_DRIVER_NOT_FOUND" 'this system has no AMD AMA driver'
}

cleanUpGPUDrivers() { :; }
#EOF
