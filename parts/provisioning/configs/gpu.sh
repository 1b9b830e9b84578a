# shellcheck shell=bash
# GPUs and accelerators.

checkDriverTag() {
	has_tags || fail "$ERR_NVIDIA_DRIVER_INSTALL" 'the tags of this machine cannot be read from the metadata'
	if [ "${GPU_DRIVER_TYPE:-}" = grid-v20 ] && ! family ubuntu; then
		fail "$ERR_NVIDIA_DRIVER_INSTALL" 'GPU_DRIVER_TYPE grid-v20 is available for Ubuntu only'
	fi
}

has_amd64_gpu() {
	[ "$CPU_ARCH" = amd64 ] || {
		log 'on this architecture, the image has the GPU driver'
		return 1
	}
}

ensureGPUDrivers() {
	has_amd64_gpu || return 0
	if family ubuntu; then
		part ensureGPUDrivers.cleanUpGridNodeCudaPrebake remove_driver_of_other_kind
	fi
	if on CONFIG_GPU_DRIVER_IF_NEEDED; then
		part ensureGPUDrivers.configGPUDrivers set_up_gpu_driver
	else
		part ensureGPUDrivers.validateGPUDrivers check_gpu_driver
	fi
	if family ubuntu && unit_exists nvidia-modprobe.service; then
		# Loads the modules and makes the devices at each boot.
		part ensureGPUDrivers.nvidia-modprobe enable_and_start nvidia-modprobe.service 30 ||
			fail "$ERR_GPU_DRIVERS_START_FAIL" 'nvidia-modprobe.service does not start'
	fi
}

# Installs the driver and waits until it answers. A family defines `install_gpu_driver` and `after_gpu_driver`.
set_up_gpu_driver() {
	install_gpu_driver
	part configGPUDrivers.waitForNvidiaModprobe load_gpu_driver 120 ||
		fail "$ERR_GPU_DRIVERS_START_FAIL" 'the GPU driver is installed, but its module cannot be loaded'
	part configGPUDrivers.waitForNvidiaSmi ask_gpu_driver 120
	retry 3 5 25 ldconfig || fail "$ERR_GPU_DRIVERS_START_FAIL" 'ldconfig failed'
	after_gpu_driver
	retry 3 5 60 systemctl restart containerd.service || fail "$ERR_GPU_DRIVERS_INSTALL_TIMEOUT" 'containerd does not start with the GPU driver'
	! unit_exists node-problem-detector.service || bounded 30 systemctl restart node-problem-detector.service || warn 'node-problem-detector cannot be restarted'
}

# Installs the driver only if the image's own cannot be loaded.
check_gpu_driver() {
	load_gpu_driver 24 || set_up_gpu_driver
	ask_gpu_driver 24
}

# Loads the module and makes the devices: TRIES.
load_gpu_driver() {
	retry "$1" 5 25 nvidia-modprobe -u -c0
}

# Ends the run if the driver does not answer: TRIES. A corrupted info ROM needs another host.
ask_gpu_driver() {
	local output
	! retry "$1" 5 30 nvidia-smi >/dev/null || return 0
	output=$(bounded 30 nvidia-smi 2>&1)
	if [[ ${output,,} == *'inforom is corrupted'* || ${output,,} == *'corrupted inforom'* ]]; then
		fail "$ERR_GPU_INFO_ROM_CORRUPTED" 'the GPU reports a corrupted info ROM; deallocate this machine to move it to another host'
	fi
	fail "$ERR_GPU_DRIVERS_START_FAIL" 'the GPU driver is installed, but nvidia-smi does not answer'
}

# The service gets the license of the GRID driver. On Ubuntu the driver starts it.
start_grid_license() {
	[ "${GPU_DRIVER_TYPE:-}" = grid ] || return 0
	enable_and_start nvidia-gridd.service 300 || fail "$ERR_SYSTEMCTL_START_FAIL" 'nvidia-gridd.service does not start'
}

# GPUs that NVSwitch connects cannot be used without the fabric manager, which fails on machines without NVSwitch.
configureFabricManager() {
	if on GPU_NEEDS_FABRIC_MANAGER; then
		install_fabric_manager
		part nvidia-fabricmanager enable_and_start nvidia-fabricmanager.service 30 || fail "$ERR_GPU_DRIVERS_START_FAIL" 'nvidia-fabricmanager.service does not start'
	elif unit_exists nvidia-fabricmanager.service; then
		disable_and_stop nvidia-fabricmanager.service
		bounded 10 systemctl reset-failed nvidia-fabricmanager.service 2>/dev/null || true
	fi
}

# shellcheck disable=SC2034 # the included unit reads the variables
ensureMigPartition() {
	local profile layout
	profile=$(unit_value "${GPU_INSTANCE_PROFILE:-}") || fail "$ERR_NODE_INPUT_INVALID" 'GPU_INSTANCE_PROFILE has a line break'
	layout=$(unit_value "${NVIDIA_MIG_PROFILE_LAYOUT:-}") || fail "$ERR_NODE_INPUT_INVALID" 'NVIDIA_MIG_PROFILE_LAYOUT has a line break'
	must_put_unit mig-partition.service.d/10-mig-profile.conf 0644 <<UNIT
#include provisioning/units/mig-partition.service.d/10-mig-profile.conf.in
UNIT
	reload_units
	# The unit runs again after the reboot that enables MIG.
	bounded 300 systemctl restart mig-partition.service || warn 'mig-partition.service failed before the reboot'
	retry 3 5 25 systemctl enable --quiet mig-partition.service || warn 'mig-partition.service cannot be enabled'
}

# Whether a variable is the word `true`, in upper or lower case: VARIABLE.
says_true() { [[ ${!1:-} == [Tt][Rr][Uu][Ee] ]]; }

# Prints what makes GPUs available to pods: plugin, dra, both or none.
managed_gpu_mode() {
	local mode=none
	has_tags || return
	if has_tag EnableManagedGPUExperience || says_true ENABLE_MANAGED_GPU; then
		mode=plugin
	fi
	if says_true ENABLE_MANAGED_GPU_DRA; then
		[ "$mode" = none ] && mode=dra || mode=both
	fi
	printf '%s' "$mode"
}

# Installs what makes GPUs available to pods and exports their metrics, and starts it, or stops it. Changes KUBELET_NODE_LABELS, so it
# comes before `ensureKubelet`.
# shellcheck disable=SC2034 # the included unit reads the variables
configureManagedGPUExperience() {
	local mode unit strategy=single node=${HOSTNAME,,}
	mode=$(managed_gpu_mode) || fail "$ERR_LOOKUP_ENABLE_MANAGED_GPU_EXPERIENCE_TAG" 'the tags of this machine cannot be read from the metadata'
	case $mode in
	none)
		for unit in nvidia-device-plugin dra-driver-nvidia-gpu nvidia-dcgm nvidia-dcgm-exporter; do
			unit_exists "$unit.service" || note "stop.$unit" "$unit.service is not there"
			disable_and_stop "$unit.service"
		done
		rm -f "$CONTAINERS/managed-gpu-experience.enabled"
		return
		;;
	both)
		fail "$ERR_ENABLE_MANAGED_GPU_EXPERIENCE" 'the device plugin and the DRA driver exclude each other; ENABLE_MANAGED_GPU_DRA is true, and so is ENABLE_MANAGED_GPU or the tag EnableManagedGPUExperience'
		;;
	esac
	mkdir -p "$KUBELET_ROOT/device-plugins" "$KUBELET_ROOT/plugins" "$KUBELET_ROOT/plugins_registry"
	part installNvidiaManagedExpPkgFromCache install_managed_gpu_packages "$mode"
	must_put_unit nvidia-dcgm-exporter.service.d/10-aks-override.conf 0644 <<'UNIT'
#include provisioning/units/nvidia-dcgm-exporter.service.d/10-aks-override.conf
UNIT
	if [ "$mode" = dra ]; then
		# It is started once kubelet runs.
		must_put_unit dra-driver-nvidia-gpu.service.d/10-dra-driver-nvidia-gpu.conf 0644 <<UNIT
#include provisioning/units/dra-driver-nvidia-gpu.service.d/10-dra-driver-nvidia-gpu.conf.in
UNIT
	else
		[ "${NVIDIA_MIG_STRATEGY:-}" != Mixed ] || strategy=mixed
		must_put_unit nvidia-device-plugin.service.d/10-device-plugin-config.conf 0644 <<UNIT
#include provisioning/units/nvidia-device-plugin.service.d/10-device-plugin-config.conf.in
UNIT
		part startNvidiaManagedExpServices start_managed_gpu
	fi
	KUBELET_NODE_LABELS=$(list_with , "${KUBELET_NODE_LABELS:-}" kubernetes.azure.com/dcgm-exporter=enabled)
	: >"$CONTAINERS/managed-gpu-experience.enabled"
}

start_managed_gpu() {
	enable_and_start nvidia-device-plugin.service 30 --no-block || fail "$ERR_GPU_DEVICE_PLUGIN_START_FAIL" 'nvidia-device-plugin.service does not start'
	start_gpu_metrics
}

# A node works without the metrics of its GPUs.
start_gpu_metrics() {
	local unit
	for unit in nvidia-dcgm nvidia-dcgm-exporter; do
		part "start.$unit" bounded 30 systemctl enable --quiet --now --no-block "$unit.service" || warn "$unit.service cannot be started"
	done
}

# The AMD MA35D takes its memory from huge pages.
reserve_huge_pages_for_ama() {
	must_put_text /etc/sysctl.d/99-ama_transcoder.conf 0644 'vm.nr_hugepages=4096'
	retry 5 5 25 sysctl --quiet --load=/etc/sysctl.d/99-ama_transcoder.conf || fail "$ERR_SYSCTL_RELOAD" 'huge pages cannot be reserved'
	# kubelet reads the number of huge pages when it starts.
	! bounded 10 systemctl is-active --quiet kubelet.service || bounded 60 systemctl restart kubelet.service || warn 'kubelet cannot be restarted'
}

startDraDriver() {
	part startNvidiaManagedExpServices start_dra_driver
}

start_dra_driver() {
	enable_and_start dra-driver-nvidia-gpu.service 30 || fail "$ERR_DRA_DRIVER_START_FAIL" 'dra-driver-nvidia-gpu.service does not start'
	start_gpu_metrics
}
