# shellcheck shell=bash
# Packages of GPU nodes that an image has cached, for families with a package manager.

# Installs the packages that the image has cached: SUFFIX plugin|dra, with the suffix of their files. A family defines
# `is_package_installed`.
install_cached_gpu_packages() {
	local suffix=$1 name file plugin=nvidia-device-plugin how=installDebPackageFromFile
	[ "$suffix" = deb ] || how=dnf_install
	[ "$2" != dra ] || plugin=dra-driver-nvidia-gpu
	for name in "${GPU_METRICS_PACKAGES[@]}" "$plugin"; do
		is_package_installed "$name" && continue
		file=$(find_cached "/opt/$name/downloads" "$name*.$suffix") || fail "$ERR_MANAGED_NVIDIA_EXP_INSTALL_FAIL" "the image has no package of $name"
		part "install$name.$how" install_packages 3 5 300 "$file" || fail "$ERR_NVIDIA_DCGM_INSTALL" "$file cannot be installed"
	done
}
