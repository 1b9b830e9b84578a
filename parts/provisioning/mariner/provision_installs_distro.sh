#!/bin/bash
# How CBL-Mariner and Azure Linux bring programs. Sourced by provision.sh.
# shellcheck source=../provision_source.sh

install_tool_packages() {
	update_packages && install_packages 10 5 300 bind-utils ca-certificates conntrack-tools curl ebtables ethtool iptables jq \
		nmap-ncat openssl tar
}

# The distribution's own repositories have everything; the image brings it.
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

## Kubernetes

has_kube_packages() { :; }

find_rpm() {
	local name=$1 version=$2 folder=/opt/$1/downloads
	find_cached "$folder" "$name-$version-*.rpm" && return 0
	mkdir -p "$folder" && retry 10 5 120 dnf download --assumeyes --destdir "$folder" "$name-$version" >&2 && find_cached "$folder" "$name-$version-*.rpm"
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

## GPU

# The driver that was built for the kernel that runs.
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
		# These cards came before the open kernel modules.
		case $(metadata .compute.vmSize) in
		*_T4_* | *[0-9]s_v3 | *_v3_Promo) name=cuda ;;
		esac
		;;
	esac
	package=$(kernel_package "$name")
	[ -n "$package" ] || fail "$ERR_MISSING_CUDA_PACKAGE" "no package $name is there for the kernel $(uname -r)"
	install_packages 30 1 600 "$package" || fail "$ERR_APT_INSTALL_TIMEOUT" "$package cannot be installed"
	for package in libnvidia-container1 libnvidia-container-tools nvidia-container-toolkit-base nvidia-container-toolkit; do
		install_packages 30 1 600 "$package" || fail "$ERR_APT_INSTALL_TIMEOUT" "$package cannot be installed"
	done
	must_put_text "$UNITS/nvidia-persistenced.service" 0644 '[Unit]
Description=Keeps the NVIDIA driver loaded
Wants=syslog.target

[Service]
Type=forking
ExecStart=/usr/bin/nvidia-persistenced --verbose
ExecStopPost=/bin/rm -rf /var/run/nvidia-persistenced
Restart=always

[Install]
WantedBy=multi-user.target'
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
	[ -n "$package" ] || fail "$ERR_AMDAMA_DRIVER_NOT_FOUND" "no AMD AMA driver is there for the kernel $(uname -r)"
	install_packages 30 1 600 "$package" amd-ama-firmware || fail "$ERR_AMDAMA_INSTALL_FAIL" "$package cannot be installed"
	reserve_huge_pages_for_ama
}

cleanUpGPUDrivers() {
	remove_cached_gpu_packages
}
#EOF
