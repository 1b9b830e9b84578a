#!/bin/bash


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

has_kube_packages() { :; }
install_packaged_program() { extract_program "$@"; }

package_pattern() {
	printf '%s-%s[-~]*.rpm' "$1" "$2"
}

download_package() {
	retry 10 5 120 "${RPM_DOWNLOAD[@]}" "$3" "$1-$2"
}

RPM_DOWNLOAD=(dnf download --assumeyes --destdir)

install_tool_packages() {
	update_packages && install_packages 10 5 300 bind-utils ca-certificates conntrack-tools curl ebtables ethtool iptables jq \
		nmap-ncat openssl tar
}

installDeps() { :; }

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

kernel_package() {
	local name=$1 kernel
	kernel=$(uname -r)
	retry 5 5 120 dnf repoquery --assumeyes --available "$name*" 2>/dev/null | grep -E "^$name-[0-9].*_${kernel//-/.}" | sort -V | tail -n 1
}

install_gpu_driver() {
	local name=cuda-open package version
	if [[ ${GPU_DRIVER_TYPE:-} == grid* ]]; then
		name=nvidia-vgpu-guest-driver
	elif needs_proprietary_driver; then
		name=cuda
	fi
	package=$(kernel_package "$name")
	[ -n "$package" ] || fail "$ERR_MISSING_CUDA_PACKAGE" "there is no package $name for the kernel $(uname -r)"
	part configGPUDrivers.downloadGPUDrivers install_packages 30 1 600 "$package" || fail "$ERR_APT_INSTALL_TIMEOUT" "$package cannot be installed"
	version=$(component_versions nvidia-container-toolkit azurelinux | tail -n 1)
	part configGPUDrivers.installNvidiaContainerToolkit install_container_toolkit "${version:-1.16.2}"
	start_gpu_persistence
}

install_container_toolkit() {
	local name
	for name in libnvidia-container1 libnvidia-container-tools nvidia-container-toolkit-base nvidia-container-toolkit; do
		install_packages 30 1 600 "$name-$1" || fail "$ERR_APT_INSTALL_TIMEOUT" "$name-$1 cannot be installed"
	done
}

after_gpu_driver() {
	local link=(nvidia-ctk system create-dev-char-symlinks --create-all)
	must_put_text /lib/udev/rules.d/71-nvidia-dev-char.rules 0644 "ACTION==\"add\", DEVPATH==\"/bus/pci/drivers/nvidia\", RUN+=\"/usr/bin/${link[*]}\""
	bounded 60 "${link[@]}" || warn 'the devices of the GPU cannot be linked below /dev/char'
	start_grid_license
}

install_fabric_manager() {
	local name version
	for name in cuda-open cuda; do
		version=$(bounded 60 rpm -qa "$name" | sort -V | tail -n 1)
		version=${version#"$name-"}
		[ -z "$version" ] || break
	done
	version=${version%%-*}
	[ -n "$version" ] || fail "$ERR_GPU_DRIVERS_START_FAIL" 'no package of the GPU driver is installed, so the version of the fabric manager is unknown'
	part installNvidiaFabricManager install_packages 30 1 600 "nvidia-fabric-manager-$version" "nvidia-fabric-manager-devel-$version" ||
		fail "$ERR_GPU_DRIVERS_START_FAIL" "nvidia-fabric-manager-$version cannot be installed"
}

install_managed_gpu_packages() {
	install_cached_gpu_packages rpm "$1"
}

is_package_installed() {
	bounded 60 rpm -q "$1" >/dev/null 2>&1
}

install_ama_packages() {
	install_packages 30 1 600 "$@" || fail "$ERR_AMDAMA_INSTALL_FAIL" "$* cannot be installed"
}

setupAmdAma() {
	local driver version core
	has_amd64_gpu || return 0
	install_ama_packages azurelinux-repos-amd
	driver=$(kernel_package amd-ama-driver)
	[ -n "$driver" ] || fail "$ERR_AMDAMA_DRIVER_NOT_FOUND" "there is no package amd-ama-driver for the kernel $(uname -r)"
	install_ama_packages "${driver/driver/firmware}"
	install_ama_packages "$driver"
	install_ama_packages azurelinux-repos-extended libzip
	version=${driver#amd-ama-driver-}
	version=${version#*:}
	case ${version%%[_-]*} in
	1.5.0) core=https://download.microsoft.com/download/f030c57a-a582-4bcc-9c7c-593c9a486814/amd-ama-core_1.5.0-20260424092403.x86_64.rpm ;;
	*) fail "$ERR_AMDAMA_INSTALL_FAIL" "there is no core package for $driver" ;;
	esac
	RPM_FRONTEND=noninteractive install_ama_packages "$core"
	install_ama_packages amdama-device-plugin.x86_64
	reserve_huge_pages_for_ama
}

cleanUpGPUDrivers() {
	remove_gpu_files
}
#EOF
