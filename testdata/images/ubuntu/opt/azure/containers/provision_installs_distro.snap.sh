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

install_tool_packages() {
	update_packages && install_packages 10 5 300 ca-certificates conntrack curl dnsutils ebtables ethtool iptables jq \
		netcat-openbsd openssl tar
}

add_microsoft_repository() {
	local url=https://packages.microsoft.com/config/ubuntu/$OS_VERSION/packages-microsoft-prod.deb file=/opt/azure/packages-microsoft-prod.deb
	download 120 5 10 300 "$url" "$file" || fail "$ERR_MS_PROD_DEB_DOWNLOAD_TIMEOUT" "$url cannot be downloaded$(download_error)"
	wait_for_apt
	retry 60 5 10 dpkg --install "$file" || fail "$ERR_MS_PROD_DEB_PKG_ADD_FAIL" "$url cannot be installed"
	rm -f "$file"
}

installDeps() {
	local needed=(ca-certificates cifs-utils conntrack curl dnsutils ebtables ethtool inotify-tools iproute2 ipset iptables jq
		netcat-openbsd nfs-common nftables openssl pigz socat util-linux xz-utils) name
	local useful=(apparmor-utils aznfs blobfuse2 ceph-common cron dkms gcc git htop iftop initramfs-tools iotop irqbalance kmod libc6-dev
		libpam-pwquality "linux-headers-$(uname -r)" make rsyslog sysfsutils sysstat traceroute zip)
	! family ubuntu || add_microsoft_repository
	[ ! -e "$CONTAINERS/base_prep.complete" ] || return 0
	update_packages || fail "$ERR_APT_UPDATE_TIMEOUT" 'the package index cannot be refreshed'
	install_packages 30 1 600 "${needed[@]}" || fail "$ERR_APT_INSTALL_TIMEOUT" "these packages cannot be installed: ${needed[*]}"
	family ubuntu || return 0
	if ! install_packages 1 1 300 "${useful[@]}"; then
		for name in "${useful[@]}"; do
			install_packages 1 1 120 "$name" || warn "the package $name cannot be installed"
		done
	fi
	disable_and_stop aznfswatchdog.service
}

install_containerd_package() {
	local name=moby-containerd
	if family debian || [ -z "$1" ]; then
		update_packages || fail "$ERR_APT_UPDATE_TIMEOUT" 'the package index cannot be refreshed'
		install_packages 20 30 600 containerd runc
		return
	fi
	part installContainerRuntime.downloadContainerdFromVersion install_packages 20 30 600 "$name=${1%%-*}*" moby-runc
}

install_package_file() {
	wait_for_apt && part installContainerRuntime.installDebPackageFromFile install_packages 5 5 300 "$1"
}

install_reference_plugins_package() {
	local plugin
	family debian || return 1
	update_packages && install_packages 5 5 300 containernetworking-plugins || return
	for plugin in /usr/lib/cni/*; do
		put "/opt/cni/bin/${plugin##*/}" 0755 cat "$plugin" || return
	done
}


has_kube_packages() {
	family ubuntu
}

install_packaged_program() {
	has_kube_packages && extract_program "$@"
}

package_pattern() {
	printf '%s_%s[-~]*.deb' "$1" "$2"
}

download_package() {
	local name=$1 version=$2 dir=$3 exact
	update_microsoft_packages "$version" || warn "the index of Microsoft's packages cannot be refreshed"
	exact=$(bounded 60 apt list "$name" --all-versions 2>/dev/null | awk -v arch="$CPU_ARCH" '$3 == arch { print $2 }' | grep -E "^${version//./\\.}([^0-9.]|$)" | sort -V | tail -n 1)
	[ -n "$exact" ] || return 1
	(cd "$dir" && retry 10 5 120 apt-get download "$name=$exact")
}


install_gpu_driver() {
	local image name=aks/aks-gpu-${GPU_DRIVER_TYPE:-}:${GPU_DRIVER_VERSION:-}-${GPU_IMAGE_SHA:-}
	containerd_is_ready || fail "$ERR_GPU_DRIVERS_START_FAIL" 'containerd does not answer'
	[[ ${GPU_DRIVER_TYPE:-}/${GPU_DRIVER_VERSION:-}/${GPU_IMAGE_SHA:-} =~ ^[a-z0-9-]+/[0-9A-Za-z._-]+/[0-9A-Za-z]+$ ]] ||
		fail "$ERR_NODE_INPUT_INVALID" 'GPU_DRIVER_TYPE, GPU_DRIVER_VERSION or GPU_IMAGE_SHA is missing or malformed'
	part configGPUDrivers.configureNvidiaCDIRefresh tolerate_cdi_failures
	image=mcr.microsoft.com/$name
	if [ -z "$(bounded 30 ctr --namespace k8s.io images list --quiet "name==$image")" ]; then
		part configGPUDrivers.pullGPUDriverImage pull_gpu_driver "${MCR_REPOSITORY_BASE:-mcr.microsoft.com}" "$name" ||
			fail "$ERR_GPU_DRIVERS_START_FAIL" "the image of the GPU driver, $name, cannot be pulled from ${MCR_REPOSITORY_BASE:-mcr.microsoft.com}"
	fi
	mkdir -p /opt/gpu /opt/actions
	part configGPUDrivers.installGPUDriverImage retry 5 10 600 ctr --namespace k8s.io run --rm --privileged --net-host --with-ns pid:/proc/1/ns/pid \
		--mount type=bind,src=/opt/gpu,dst=/mnt/gpu,options=rbind --mount type=bind,src=/opt/actions,dst=/mnt/actions,options=rbind \
		"$image" gpuinstall /entrypoint.sh install ||
		fail "$ERR_GPU_DRIVERS_START_FAIL" 'the installation of the GPU driver failed'
	bounded 60 ctr --namespace k8s.io images remove "$image" >/dev/null || warn "$image cannot be removed"
}

tolerate_cdi_failures() {
	must_put_unit nvidia-cdi-refresh.service.d/10-aks-tolerate-generate-failure.conf 0644 <<'UNIT'
[Service]
SuccessExitStatus=1 2 127
UNIT
	reload_units || true
}

pull_gpu_driver() {
	local pulled=${1%/}/$2 image=mcr.microsoft.com/$2
	retry 3 5 120 ctr --namespace k8s.io images pull "$pulled" >/dev/null || return
	[ "$pulled" != "$image" ] || return 0
	bounded 60 ctr --namespace k8s.io images tag --force "$pulled" "$image" >/dev/null || return
	bounded 60 ctr --namespace k8s.io images remove "$pulled" >/dev/null || true
}

after_gpu_driver() { :; }

readonly PREBAKED_DRIVER=/opt/azure/aks-gpu/dkms-marker

remove_driver_of_other_kind() {
	if [[ ${GPU_DRIVER_TYPE:-} == grid* ]] && ! grep -qsx 'driver_kind=grid' "$PREBAKED_DRIVER"; then
		remove_prebaked_driver
	fi
}

remove_prebaked_driver() {
	local module loaded program
	[ -e "$PREBAKED_DRIVER" ] || return 0
	loaded=$(lsmod | awk '/^nvidia/ { print $1 }')
	if [ -n "$loaded" ] && [ "$(cat /sys/module/nvidia/refcnt 2>/dev/null || printf 0)" = 0 ] && ! compgen -G '/dev/nvidia*' >/dev/null; then
		for module in nvidia_uvm nvidia_drm nvidia_modeset nvidia_peermem nvidia; do
			! grep -qx "$module" <<<"$loaded" || bounded 25 rmmod "$module"
		done
		loaded=$(lsmod | awk '/^nvidia/ { print $1 }')
	fi
	rm -rf /var/lib/dkms/nvidia /lib/modules/*/updates/dkms/nvidia*.ko* /usr/bin/lib64 /etc/ld.so.conf.d/nvidia.conf
	for program in smi debugdump persistenced cuda-mps-control cuda-mps-server modprobe bug-report.sh powerd ngx-updater sleep.sh; do
		rm -f "/usr/bin/nvidia-$program"
	done
	bounded 60 ldconfig || true
	if [ -n "$loaded" ] || [ -e /var/lib/dkms/nvidia ] || [ -e /usr/bin/nvidia-modprobe ]; then
		warn 'the GPU driver of the image cannot be removed completely'
	else
		rm -f "$PREBAKED_DRIVER"
	fi
}

install_fabric_manager() { :; }

install_managed_gpu_packages() {
	install_cached_gpu_packages deb "$1"
}

is_package_installed() {
	bounded 25 dpkg -s "$1" 2>/dev/null | grep -q '^Status: .* installed'
}

setupAmdAma() {
	log 'the driver of this accelerator is available for Azure Linux only'
}

cleanUpGPUDrivers() {
	remove_prebaked_driver
	remove_gpu_files
}
#EOF
