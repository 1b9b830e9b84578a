#!/bin/bash
# How programs are installed on Azure Container Linux: as system extensions. Sourced by provision.sh.

#include provisioning/shared/no_package_manager.sh
#include provisioning/shared/sysext.sh

# Masks the drop-in of the extension that starts kubelet before it is configured.
before_kube_sysext() {
	mkdir -p "$UNITS/multi-user.target.d" && ln -sfn /dev/null "$UNITS/multi-user.target.d/10-kubelet-kubelet.conf"
}

# Links an extension of the GPU driver, whose version is that of the system: NAME.
use_gpu_sysext() {
	[ -n "$OS_VERSION" ] || fail "$ERR_SYSEXT_VERSION_ID_NOT_FOUND" '/etc/os-release has no VERSION_ID'
	use_sysext "$1" "$OS_VERSION"
}

install_gpu_driver() {
	local name=nvidia-driver-cuda
	case ${GPU_DRIVER_TYPE:-} in
	grid*) name=nvidia-driver-grid ;;
	esac
	use_gpu_sysext "$name"
	use_gpu_sysext nvidia-container-toolkit
	refresh_sysexts || fail "$ERR_GPU_DRIVERS_START_FAIL" 'the system extensions of the GPU driver cannot be merged'
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
	fail "$ERR_AMDAMA_DRIVER_NOT_FOUND" 'there is no AMD AMA driver for Azure Container Linux'
}
#EOF
