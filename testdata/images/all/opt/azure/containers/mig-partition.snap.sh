#!/bin/bash
set -uo pipefail

nvidia-smi -mig 1 || exit 1
if [ -n "${NVIDIA_MIG_PROFILE_LAYOUT:-}" ]; then
	profiles=$NVIDIA_MIG_PROFILE_LAYOUT
else
	case ${GPU_INSTANCE_PROFILE:-} in
	MIG1g) profiles=19,19,19,19,19,19,19 ;;
	MIG2g) profiles=14,14,14 ;;
	MIG3g) profiles=9,9 ;;
	MIG4g) profiles=5 ;;
	MIG7g) profiles=0 ;;
	*)
		printf 'error: GPU_INSTANCE_PROFILE must be MIG1g, MIG2g, MIG3g, MIG4g or MIG7g, found "%s"\n' "${GPU_INSTANCE_PROFILE:-}"
		exit 1
		;;
	esac
fi
nvidia-smi mig --list-gpu-instances | grep -q ' MIG ' || nvidia-smi mig --create-gpu-instance "$profiles" --default-compute-instance
