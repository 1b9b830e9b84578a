#!/usr/bin/env bash
# Boots VMs that become nodes: run.sh PROGRAM DIRECTORY [SCENARIO...], without scenarios all in `scenarios`. DIRECTORY gets a
# directory for each scenario, with the console, logs and results of its VM, and when what happened in SCENARIO.times, timeline.txt
# and timeline.svg.
#
#   ARCHITECTURE   of the VMs and of the program: amd64, or arm64
#   KUBERNETES     version of the API server, the controller manager and the kubelet
#   CAPTURES       a directory for what `diagnose --bundle-out` makes of each VM
#   JOBS           how many VMs run at the same time
#   REQUIRE_NODES  1: what is missing on this system is an error, and no reason to skip
#
# Needs root, Go, a Go module proxy, the archive of the distribution, and the Debian packages below.
set -euo pipefail

program=$(realpath "$1")
mkdir -p "$2"
reports=$(cd "$2" && pwd)
shift 2
cd "$(dirname "$0")"
version=${KUBERNETES:?is not set}

# shellcheck source=architecture.sh
. ./architecture.sh
# shellcheck source=../timeline/runs.sh
. ../timeline/runs.sh
# shellcheck source=../cluster/deliveries.sh
. ../cluster/deliveries.sh
needs /dev/net/tun:linux-image-amd64 go:golang "qemu-system-$processor:$package_of_qemu" qemu-img:qemu-utils \
	mmdebstrap:mmdebstrap mke2fs:e2fsprogs etcd:etcd-server jq:jq ip:iproute2 python3:python3 openssl:openssl busybox:busybox-static \
	${user_emulator:+"$user_emulator:qemu-user-static"}

if [ "$#" = 0 ]; then
	for scenario in scenarios/*/; do
		case $scenario in
		# `make cold` takes as long as some of the others together.
		*/cold/) continue ;;
		*/protected-settings/)
			if [ ! -e "$services_of_the_host" ]; then
				printf 'skipped: protected-settings: ../shared/conformance/boothook/wireserver is not there\n'
				[ "${REQUIRE_CONFORMANCE:-0}" = 0 ] || exit 1
				continue
			fi
			;;
		esac
		set -- "$@" "$scenario"
	done
fi
export KUBERNETES KUBERNETES_VERSION=$version KUBELET
KUBERNETES=$(../cluster/build.sh "$version" kube-apiserver kube-controller-manager)
KUBELET=$(GOARCH=$ARCHITECTURE ../cluster/build.sh "$version" kubelet)/kubelet
image=$(mktemp -d "$reports/image.XXXXXX")
trap 'rm -rf "$image" "$results"' EXIT
if [ -n "$user_emulator" ]; then
	printf '#!/bin/sh\nexec %s %q "$@"\n' "$user_emulator" "$program" >"$image/program"
	chmod 0755 "$image/program"
	program=$image/program
fi
began=$SECONDS
unshare --mount ./image.sh "$image" "$program" >"$reports/image.log" 2>&1 || {
	cat "$reports/image.log"
	exit 1
}
printf 'image   %-44s %4s s\n' "$(du -sh "$image/disk" | cut -f 1)" "$((SECONDS - began))"

# SCENARIO: says how it ended.
run_one() {
	local name=$1 began=$SECONDS how=ok
	rm -rf "${reports:?}/$name" "$reports/$name.times"
	mkdir "$reports/$name"
	unshare --mount --net --pid --fork --kill-child --mount-proc ./machine.sh "$program" "$name" "$image" "$reports/$name" \
		>"$reports/$name/harness.log" 2>&1 </dev/null || how=failed
	[ "$how" = ok ] || cat "$reports/$name/harness.log"
	report "$how" "$name" "$((SECONDS - began))"
}

for scenario in "$@"; do
	at_most "$((${JOBS:-2} - 1))"
	run_one "$(basename "$scenario")" &
done
wait
conclude
