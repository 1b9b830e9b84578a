#!/bin/bash
# Waits for cloud-init. The CSE command sources this file and calls the function.

#include provisioning/source/paths.sh
#include provisioning/source/events.sh

readonly ERR_CLOUD_INIT_FAILED=223

# Waits until cloud-init has ended, and appends its messages to a file: OUTPUT. Returns 223 if it ended with a fatal error, which
# is 1, and 0 otherwise: also after recoverable errors, or if it still runs after ten minutes.
# The CSE command of the reference calls this function by its name.
handleCloudInitStatus() {
	local output=$1 code=0 level=Informational begun message
	begun=$(now)
	(umask 077 && : >>"$output")
	timeout 600 cloud-init status --wait >>"$output" 2>&1 || code=$?
	message="cloud-init status ended with $code"
	case $code in
	0) ;;
	1)
		level=Error
		cloud-init status --long >>"$output" 2>&1
		;;
	2) message+=': recoverable errors, provisioning continues' ;;
	124) message+=': cloud-init is still running after ten minutes, provisioning continues' ;;
	*) message+=', provisioning continues' ;;
	esac
	printf '%s\n' "$message" >>"$output"
	event AKS.CSE.CloudInitStatusCheck "$level" "$begun" "$(now)" "$message"
	[ "$level" = Informational ] || return "$ERR_CLOUD_INIT_FAILED"
}
