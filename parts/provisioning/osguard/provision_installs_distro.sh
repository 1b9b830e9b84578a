#!/bin/bash
# How Azure Linux with OS Guard brings programs: packages are unpacked below /opt, never installed. Sourced by provision.sh.
# shellcheck source=../provision_source.sh

# Nothing can be installed: the image has it, or the node cannot be made.
install_tool_packages() { return 1; }
installDeps() { :; }
install_containerd_package() { return 1; }
install_package_file() { return 1; }
install_reference_plugins_package() { return 1; }

has_kube_packages() { :; }

find_rpm() {
	local name=$1 version=$2 folder=/opt/$1/downloads
	find_cached "$folder" "$name-$version-*.rpm" && return 0
	mkdir -p "$folder" && retry 10 5 120 tdnf install --assumeyes --downloadonly --downloaddir "$folder" "$name-$version" >&2 &&
		find_cached "$folder" "$name-$version-*.rpm"
}

extract_kube_package() {
	local file
	file=$(find_rpm "$1" "$2") || return
	extract_program "$file" "usr/bin/$1" "$BIN/$1-$2"
}

extract_credential_provider_package() {
	local file
	file=$(find_rpm azure-acr-credential-provider "${KUBERNETES_VERSION%.*}.*") || return
	extract_program "$file" usr/bin/azure-acr-credential-provider "$1"
}

fail_without_gpu_support() {
	fail "$ERR_GPU_DRIVERS_START_FAIL" 'GPU nodes are not made of OS Guard'
}

install_gpu_driver() { fail_without_gpu_support; }
install_fabric_manager() { fail_without_gpu_support; }
install_managed_gpu_packages() { fail_without_gpu_support; }
setupAmdAma() { fail "$ERR_AMDAMA_DRIVER_NOT_FOUND" 'OS Guard has no AMD AMA driver'; }
cleanUpGPUDrivers() { :; }
#EOF
