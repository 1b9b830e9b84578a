#!/bin/bash
# Waits for cloud-init before the CSE command goes on. Sourced; OUTPUT is where words go.

readonly ERR_CLOUD_INIT_FAILED=223

# 0: cloud-init is done, maybe with errors that a node can live with; 223: it broke off.
handleCloudInitStatus() {
	local output=$1 code=0 level=Informational begun=${EPOCHREALTIME/[.,]/} ended event stamp_begun stamp_ended message
	timeout 600 cloud-init status --wait >>"$output" 2>&1 || code=$?
	message="cloud-init status ended with $code"
	case $code in
	0) ;;
	2) message+=': it had errors that are no obstacle' ;;
	124) message+=': it was not done after ten minutes; the node goes on without' ;;
	*)
		level=Error
		cloud-init status --long >>"$output" 2>&1
		;;
	esac
	printf '%s\n' "$message" >>"$output"
	ended=${EPOCHREALTIME/[.,]/}
	printf -v stamp_begun '%(%F %T)T.%s' "${begun:0:-6}" "${begun: -6:3}"
	printf -v stamp_ended '%(%F %T)T.%s' "${ended:0:-6}" "${ended: -6:3}"
	event=/var/log/azure/Microsoft.Azure.Extensions.CustomScript/events/${ended}000
	mkdir -p "${event%/*}"
	printf '{"Timestamp":"%s","OperationId":"%s","Version":"1.23","TaskName":"AKS.CSE.CloudInitStatusCheck","EventLevel":"%s","Message":"%s","EventPid":"0","EventTid":"0"}\n' \
		"$stamp_begun" "$stamp_ended" "$level" "$message" >"$event" && mv -n "$event" "$event.json"
	[ "$level" = Informational ] || return "$ERR_CLOUD_INIT_FAILED"
}
