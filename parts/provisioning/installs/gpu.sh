# shellcheck shell=bash
# Packages of GPU nodes.

readonly GPU_METRICS_PACKAGES=(datacenter-gpu-manager-4-core datacenter-gpu-manager-4-proprietary dcgm-exporter)

# Whether this size has V100 or T4, which AKS drives with the proprietary kernel modules. The open ones need Turing or newer.
# https://github.com/NVIDIA/open-gpu-kernel-modules#compatible-gpus
needs_proprietary_driver() {
	local size
	size=$(vm_size) || fail "$ERR_MISSING_CUDA_PACKAGE" 'the metadata has no VM size'
	case ${size,,} in
	*t4_v3* | *nd40rs_v2* | *nd40s_v3* | standard_nc*s_v3*) ;;
	*) return 1 ;;
	esac
}

# Keeps the driver loaded while no program uses it.
start_gpu_persistence() {
	must_put_unit nvidia-persistenced.service 0644 <<'UNIT'
#include provisioning/units/nvidia-persistenced.service
UNIT
	enable_and_start nvidia-persistenced.service 30 || fail "$ERR_GPU_DRIVERS_START_FAIL" 'nvidia-persistenced.service does not start'
}

# Removes what only a node with a managed driver needs.
remove_gpu_files() {
	local packages=("${GPU_METRICS_PACKAGES[@]}" nvidia-device-plugin dra-driver-nvidia-gpu)
	rm_existing /opt/gpu /usr/local/nvidia "${packages[@]/#//opt/}"
}
