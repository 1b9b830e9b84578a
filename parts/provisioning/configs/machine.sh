# shellcheck shell=bash
# The machine as a whole.

fetchMetadata() {
	part fetch_and_cache_imds_instance_metadata fetch_metadata || fail "$ERR_IMDS_FETCH_FAILED" 'the metadata service of Azure does not answer, or does not return JSON'
}

# Keeps the kernel from setting the clock, which chrony does from the PTP device of the same host. Both would compete.
# https://learn.microsoft.com/azure/virtual-machines/linux/time-sync
unbindHyperVTimeSync() {
	local device
	for device in /sys/bus/vmbus/drivers/hv_util/*-*; do
		if [ "$(cat "$device/class_id" 2>/dev/null)" = '{9527e630-d0ae-497b-adce-e80ab0175caf}' ]; then
			printf '%s' "${device##*/}" >/sys/bus/vmbus/drivers/hv_util/unbind
			put_section /etc/rc.local 0755 'aks time' "printf %s '${device##*/}' >/sys/bus/vmbus/drivers/hv_util/unbind"
		fi
	done
}

# Keeps the installation of packages from building the index of manual pages each time, which takes seconds.
removeManDbAutoUpdateFlagFile() {
	if [ -e /var/lib/man-db/auto-update ]; then
		rm -f /var/lib/man-db/auto-update
		: >"$CONTAINERS/man-db-is-quiet"
	fi
}

# Builds the index once, in the background.
wakeManDb() {
	[ -e "$CONTAINERS/man-db-is-quiet" ] || return 0
	: >/var/lib/man-db/auto-update
	rm -f "$CONTAINERS/man-db-is-quiet"
	if command -v mandb >/dev/null; then
		(setsid nice mandb --quiet >/dev/null 2>&1 </dev/null &)
	fi
}

# The build of an image with a node exporter leaves this file.
configureNodeExporter() {
	local unit
	[ -e /etc/node-exporter.d/skip_vhd_node_exporter ] || return 0
	for unit in node-exporter.service node-exporter-restart.path; do
		! unit_exists "$unit" || enable_and_start "$unit" 30 || fail "$ERR_NODE_EXPORTER_START_FAIL" "$unit does not start"
	done
}

# Starts the timer that patches packages of a running node, on Azure Linux too.
ubuntuSnapshotUpdate() {
	enable_and_start snapshot-update.timer 30 || fail "$ERR_SNAPSHOT_UPDATE_START_FAIL" 'snapshot-update.timer does not start'
}

# New MIG partitions take effect with a reboot. The minute leaves time to record the result of this run.
scheduleReboot() {
	log 'this machine reboots in a minute, for its MIG partitions'
	timeout 25 shutdown -r +1
}
