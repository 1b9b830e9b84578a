#!/usr/bin/env bash
# Boots a VM of an image, in an Azure and beside a cluster of its own, and walks through the steps of a scenario. Call:
# unshare --mount --net --pid --fork --kill-child --mount-proc machine.sh PROGRAM SCENARIO IMAGE REPORT
# where the directory REPORT gets what is worth keeping, and REPORT.times when what happened.
set -euo pipefail
vm_tests=$(cd "$(dirname "$0")" && pwd)
image=$(cd "$3" && pwd) report=$(cd "$4" && pwd)
set -- "$1" "$2"
# shellcheck source=../cluster/machine.sh
. "$vm_tests/../cluster/machine.sh"
# shellcheck source=architecture.sh
. "$vm_tests/architecture.sh"
# shellcheck source=azure.sh
. "$vm_tests/azure.sh"
# shellcheck source=steps.sh
. "$vm_tests/steps.sh"
# Emulation is slow.
patience=600

# Programs of the cluster and of Azure find their files where they have them on a machine.
mount -t tmpfs tmpfs "$disk"
mkdir -p "$disk"/{changes,work} "$root/opt" "$log/aks"
mount -t overlay overlay -o "lowerdir=$image/opt:/opt,upperdir=$disk/changes,workdir=$disk/work" "$root/opt"
mount --bind "$root/opt" /opt

mount -t tmpfs tmpfs /run
# Names are those of the Azure of this VM.
printf 'nameserver 168.63.129.16\n' >"$disk/resolv.conf"
mount --bind "$disk/resolv.conf" "$(realpath /etc/resolv.conf)"

trap 'leave $?' EXIT
: >"$report/timeline"
directory=$vm_tests/scenarios/$scenario
# shellcheck disable=SC2034 # deliveries.sh reads it
user_data=$disk/cidata/user-data
start_azure
walk
