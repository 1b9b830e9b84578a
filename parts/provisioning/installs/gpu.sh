# shellcheck shell=bash
# Packages of the managed GPU experience.

readonly MANAGED_GPU_PACKAGES=(nvidia-device-plugin datacenter-gpu-manager-4-core datacenter-gpu-manager-4-proprietary dcgm-exporter)

# Installs the packages that the image has cached: SUFFIX of their files.
install_cached_gpu_packages() {
	local name file
	for name in "${MANAGED_GPU_PACKAGES[@]}"; do
		file=$(find_cached "/opt/$name/downloads" "*.$1") || fail "$ERR_MANAGED_NVIDIA_EXP_INSTALL_FAIL" "the image has no package of $name"
		install_packages 3 5 300 "$file" || fail "$ERR_NVIDIA_DCGM_INSTALL" "$file cannot be installed"
	done
}

remove_cached_gpu_packages() {
	local name
	rm -rf /opt/gpu
	for name in "${MANAGED_GPU_PACKAGES[@]}"; do
		rm -rf "/opt/$name/downloads"
	done
}
