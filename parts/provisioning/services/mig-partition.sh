#!/bin/bash
# Cuts the GPUs into instances. Reads GPU_INSTANCE_PROFILE, or NVIDIA_MIG_PROFILE_LAYOUT for unlike instances.
set -uo pipefail

nvidia-smi -mig 1 || exit 1
if [ -n "${NVIDIA_MIG_PROFILE_LAYOUT:-}" ]; then
	profiles=$NVIDIA_MIG_PROFILE_LAYOUT
else
	# Numbers of the driver, as many as fit.
	case ${GPU_INSTANCE_PROFILE:-} in
	MIG1g) profiles=19,19,19,19,19,19,19 ;;
	MIG2g) profiles=14,14,14 ;;
	MIG3g) profiles=9,9 ;;
	MIG4g) profiles=5 ;;
	MIG7g) profiles=0 ;;
	*)
		printf 'error: GPU_INSTANCE_PROFILE is not known: "%s"\n' "${GPU_INSTANCE_PROFILE:-}"
		exit 1
		;;
	esac
fi
nvidia-smi mig --list-gpu-instances | grep -q ' MIG ' || nvidia-smi mig --create-gpu-instance "$profiles" --default-compute-instance
