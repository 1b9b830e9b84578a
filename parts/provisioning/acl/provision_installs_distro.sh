#!/bin/bash
# How programs are installed on Azure Container Linux: as system extensions. Sourced by provision.sh.

#include provisioning/shared/no_package_manager.sh
#include provisioning/shared/sysext.sh

# Masks the drop-in of the extension that starts kubelet before it is configured.
before_kube_sysext() {
	mkdir -p "$UNITS/multi-user.target.d" && ln -sfn /dev/null "$UNITS/multi-user.target.d/10-kubelet-kubelet.conf"
}

# Merges extensions of the GPU driver, whose version equals the system's: NAME...
use_gpu_sysexts() {
	local name repository
	local -a extensions=()
	[ -n "$OS_VERSION" ] || fail "$ERR_SYSEXT_VERSION_ID_NOT_FOUND" '/etc/os-release has no VERSION_ID'
	repository=$(mcr_host)/azurelinux/$(cut -d . -f 1-2 <<<"$OS_VERSION")/azure-container-linux
	for name in "$@"; do
		extensions+=("$name" "$OS_VERSION" "$repository/$name")
	done
	use_sysexts "${extensions[@]}" || fail "$ERR_ORAS_PULL_SYSEXT_FAIL" "a system extension of the GPU driver is missing or cannot be merged: $*"
	# They bring files for /etc as rules of systemd-tmpfiles.
	bounded 60 systemd-tmpfiles --create || true
}

install_gpu_driver() {
	local name=nvidia-driver-cuda-open
	if [[ ${GPU_DRIVER_TYPE:-} == grid* ]]; then
		name=nvidia-driver-vgpu
	elif needs_proprietary_driver; then
		name=nvidia-driver-cuda
	fi
	part configGPUDrivers.installNvidiaContainerToolkitSysext use_gpu_sysexts nvidia-container-toolkit
	part configGPUDrivers.installGPUDriverSysext use_gpu_sysexts "$name"
	start_gpu_persistence
}

after_gpu_driver() {
	start_grid_license
}

install_fabric_manager() {
	part installNvidiaFabricManagerSysext use_gpu_sysexts nvidia-fabric-manager
}

install_managed_gpu_packages() {
	fail "$ERR_MANAGED_NVIDIA_EXP_INSTALL_FAIL" 'the managed GPU experience is not available for Azure Container Linux'
}
#EOF
