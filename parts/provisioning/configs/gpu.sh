# shellcheck shell=bash
# GPUs and accelerators.

checkDriverTag() {
	tag SkipGpuDriverInstall >/dev/null || fail "$ERR_NVIDIA_DRIVER_INSTALL" 'the tags of this machine are not known'
	if [ "${GPU_DRIVER_TYPE:-}" = grid-v20 ] && ! family ubuntu; then
		fail "$ERR_NVIDIA_DRIVER_INSTALL" 'the driver grid-v20 is there for Ubuntu only'
	fi
}

has_amd64_gpu() {
	[ "$CPU_ARCH" = amd64 ] || {
		say 'the driver is part of the image on this architecture'
		return 1
	}
}

ensureGPUDrivers() {
	has_amd64_gpu || return 0
	if [ "${CONFIG_GPU_DRIVER_IF_NEEDED:-}" = true ] || ! driver_works 24; then
		install_gpu_driver
		driver_works 120 || fail "$ERR_GPU_DRIVERS_START_FAIL" 'the driver is installed, and nvidia-smi does not answer'
		ldconfig || fail "$ERR_GPU_DRIVERS_START_FAIL" 'ldconfig fails'
		retry 3 5 60 systemctl restart containerd.service || fail "$ERR_GPU_DRIVERS_INSTALL_TIMEOUT" 'containerd does not start with the driver'
	fi
	! unit_exists node-problem-detector.service || bounded 30 systemctl restart node-problem-detector.service || warn 'node-problem-detector does not restart'
	case ${GPU_DRIVER_TYPE:-} in
	grid*) enable_and_start nvidia-gridd.service 30 || fail "$ERR_SYSTEMCTL_START_FAIL" 'nvidia-gridd.service does not start' ;;
	esac
}

# Whether the module loads and the driver answers.
driver_works() {
	local output
	retry "$1" 5 25 nvidia-modprobe -u -c0 || return
	retry "$1" 5 30 nvidia-smi >/dev/null && return
	output=$(bounded 30 nvidia-smi 2>&1)
	if [[ ${output,,} == *'inforom is corrupted'* || ${output,,} == *'corrupted inforom'* ]]; then
		fail "$ERR_GPU_INFO_ROM_CORRUPTED" 'the GPU reports a corrupted info ROM: this machine needs another host'
	fi
	return 1
}

configureFabricManager() {
	if on GPU_NEEDS_FABRIC_MANAGER; then
		install_fabric_manager
		enable_and_start nvidia-fabricmanager.service 30 || fail "$ERR_GPU_DRIVERS_START_FAIL" 'nvidia-fabricmanager.service does not start'
	elif unit_exists nvidia-fabricmanager.service; then
		disable_and_stop nvidia-fabricmanager.service
		systemctl reset-failed nvidia-fabricmanager.service 2>/dev/null || true
	fi
}

ensureMigPartition() {
	local profile layout
	profile=$(unit_value "${GPU_INSTANCE_PROFILE:-}") || fail "$ERR_NODE_INPUT_INVALID" 'GPU_INSTANCE_PROFILE has a line break'
	layout=$(unit_value "${NVIDIA_MIG_PROFILE_LAYOUT:-}") ||
		fail "$ERR_NODE_INPUT_INVALID" 'NVIDIA_MIG_PROFILE_LAYOUT has a line break'
	must_put_text "$UNITS/mig-partition.service.d/10-mig-profile.conf" 0644 "[Service]
Environment=\"GPU_INSTANCE_PROFILE=$profile\"
Environment=\"NVIDIA_MIG_PROFILE_LAYOUT=$layout\""
	bounded 25 systemctl daemon-reload
	# It partitions again after the reboot that follows.
	bounded 300 systemctl restart mig-partition.service || warn 'mig-partition.service fails before the reboot'
	retry 3 5 25 systemctl enable --quiet mig-partition.service || warn 'mig-partition.service cannot be enabled'
}

managed_gpu_is_on() {
	local tagged
	tagged=$(tag EnableManagedGPUExperience) || fail "$ERR_LOOKUP_ENABLE_MANAGED_GPU_EXPERIENCE_TAG" 'the tags of this machine are not known'
	[ "$tagged" = true ] || on ENABLE_MANAGED_GPU || on MANAGED_GPU_EXPERIENCE_AFEC_ENABLED
}

configureManagedGPUExperience() {
	local unit
	if ! managed_gpu_is_on; then
		for unit in nvidia-device-plugin nvidia-dcgm nvidia-dcgm-exporter; do
			disable_and_stop "$unit.service"
		done
		rm -f "$CONTAINERS/managed-gpu-experience.enabled"
		return
	fi
	if on ENABLE_MANAGED_GPU_DRA && on ENABLE_GPU_DEVICE_PLUGIN_IF_NEEDED; then
		fail "$ERR_ENABLE_MANAGED_GPU_EXPERIENCE" 'the device plugin and the DRA driver exclude each other'
	fi
	mkdir -p "$KUBELET_ROOT/device-plugins" "$KUBELET_ROOT/plugins" "$KUBELET_ROOT/plugins_registry"
	install_managed_gpu_packages
	if on ENABLE_MANAGED_GPU_DRA; then
		must_put_text "$UNITS/dra-driver-nvidia-gpu.service.d/10-dra-driver-nvidia-gpu.conf" 0644 '[Service]
Environment="NODE_NAME=%H"'
	else
		local strategy=single
		[ "${NVIDIA_MIG_STRATEGY:-}" != Mixed ] || strategy=mixed
		must_put_text "$UNITS/nvidia-device-plugin.service.d/10-device-plugin-config.conf" 0644 "[Service]
Environment=\"MIG_STRATEGY=$strategy\"
Environment=\"PASS_DEVICE_SPECS=true\""
		enable_and_start nvidia-device-plugin.service 30 --no-block || fail "$ERR_GPU_DEVICE_PLUGIN_START_FAIL" 'nvidia-device-plugin.service does not start'
	fi
	must_put_text "$UNITS/nvidia-dcgm-exporter.service.d/10-aks-override.conf" 0644 '[Service]
Environment="DCGM_EXPORTER_LISTEN=:19400"'
	for unit in nvidia-dcgm nvidia-dcgm-exporter; do
		bounded 30 systemctl enable --quiet --now --no-block "$unit.service" || warn "$unit.service is not started"
	done
	KUBELET_NODE_LABELS=$(list_with , "${KUBELET_NODE_LABELS:-}" kubernetes.azure.com/dcgm-exporter=enabled)
	: >"$CONTAINERS/managed-gpu-experience.enabled"
}

# The accelerator's memory.
reserve_huge_pages_for_ama() {
	must_put_text /etc/sysctl.d/99-ama_transcoder.conf 0644 'vm.nr_hugepages=4096'
	retry 5 5 25 sysctl --quiet --load=/etc/sysctl.d/99-ama_transcoder.conf || fail "$ERR_SYSCTL_RELOAD" 'huge pages cannot be reserved'
	! systemctl is-active --quiet kubelet.service || bounded 60 systemctl restart kubelet.service || warn 'kubelet does not restart'
}

startDraDriver() {
	enable_and_start dra-driver-nvidia-gpu.service 30 || fail "$ERR_DRA_DRIVER_START_FAIL" 'dra-driver-nvidia-gpu.service does not start'
}
