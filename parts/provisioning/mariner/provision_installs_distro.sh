#!/bin/bash
# How programs are installed on CBL-Mariner and Azure Linux: with dnf. Sourced by provision.sh.

#include provisioning/shared/rpm.sh

# shellcheck disable=SC2034 # shared/rpm.sh reads it
RPM_DOWNLOAD=(dnf download --assumeyes --destdir)

install_tool_packages() {
	update_packages && install_packages 10 5 300 bind-utils ca-certificates conntrack-tools curl ebtables ethtool iptables jq \
		nmap-ncat openssl tar
}

# The image has these packages.
installDeps() { :; }

# The package has another name in Azure Linux 3: [VERSION].
install_containerd_package() {
	local name=moby-containerd
	[[ $OS_VERSION != 3.* ]] || name=containerd2
	install_packages 20 30 600 "$name${1:+-$1}"
}

install_package_file() {
	install_packages 5 5 300 "$1"
}

install_reference_plugins_package() {
	return 1
}

# Prints the newest package that was built for the running kernel: NAME.
kernel_package() {
	local name=$1 kernel
	kernel=$(uname -r)
	retry 5 5 120 dnf repoquery --assumeyes --available "$name*" 2>/dev/null | grep -E "^$name-[0-9].*_${kernel//-/.}" | sort -V | tail -n 1
}

install_gpu_driver() {
	local name=cuda-open package
	case ${GPU_DRIVER_TYPE:-} in
	grid*) name=nvidia-vgpu-guest-driver ;;
	*)
		# V100 and T4: AKS drives these older GPUs with the proprietary kernel modules. The open ones need Turing or newer.
		# https://github.com/NVIDIA/open-gpu-kernel-modules#compatible-gpus
		local size
		size=$(metadata .compute.vmSize)
		case ${size,,} in
		*t4_v3* | *nd40rs_v2* | *nd40s_v3* | standard_nc*s_v3*) name=cuda ;;
		esac
		;;
	esac
	package=$(kernel_package "$name")
	[ -n "$package" ] || fail "$ERR_MISSING_CUDA_PACKAGE" "there is no package $name for the kernel $(uname -r)"
	install_packages 30 1 600 "$package" || fail "$ERR_APT_INSTALL_TIMEOUT" "$package cannot be installed"
	for package in libnvidia-container1 libnvidia-container-tools nvidia-container-toolkit-base nvidia-container-toolkit; do
		install_packages 30 1 600 "$package" || fail "$ERR_APT_INSTALL_TIMEOUT" "$package cannot be installed"
	done
	must_put_unit nvidia-persistenced.service 0644 <<'UNIT'
#include provisioning/units/nvidia-persistenced.service
UNIT
	enable_and_start nvidia-persistenced.service 30 || fail "$ERR_GPU_DRIVERS_START_FAIL" 'nvidia-persistenced.service does not start'
}

install_fabric_manager() {
	install_packages 30 1 600 nvidia-fabric-manager || fail "$ERR_GPU_DRIVERS_START_FAIL" 'nvidia-fabric-manager cannot be installed'
}

install_managed_gpu_packages() {
	install_cached_gpu_packages rpm
}

setupAmdAma() {
	local package
	package=$(kernel_package amd-ama-driver)
	[ -n "$package" ] || fail "$ERR_AMDAMA_DRIVER_NOT_FOUND" "there is no package amd-ama-driver for the kernel $(uname -r)"
	install_packages 30 1 600 "$package" amd-ama-firmware || fail "$ERR_AMDAMA_INSTALL_FAIL" "$package cannot be installed"
	reserve_huge_pages_for_ama
}

cleanUpGPUDrivers() {
	remove_cached_gpu_packages
}
#EOF
