#!/usr/bin/env bash
# Boots VMs that become nodes: run.sh PROGRAM FOLDER [SCENARIO...], without scenarios all in `scenarios`. FOLDER gets a folder for
# each scenario, with the console, logs and results of its VM, and when what happened in SCENARIO.times, timeline.txt and timeline.svg.
#
#   KUBERNETES  version of the API server, the controller manager and the kubelet
#   JOBS        how many VMs run at the same time
#   REQUIRE_VM  1: what is missing on this system is an error, and no reason to skip
#
# Needs root, Go, a Go module proxy, the archive of the distribution, and the Debian packages below.
set -euo pipefail

program=$(realpath "$1")
mkdir -p "$2"
reports=$(cd "$2" && pwd)
shift 2
cd "$(dirname "$0")"
version=${KUBERNETES:?is not set}

skip() {
	printf 'skipped: no VM is booted: %s\n' "$1"
	[ "${REQUIRE_VM:-0}" = 0 ] || exit 1
	exit 0
}
[ "$(id -u)" = 0 ] || skip 'this is not root'
[ -c /dev/net/tun ] || skip '/dev/net/tun is missing'
for needed in go:golang qemu-system-x86_64:qemu-system-x86 qemu-img:qemu-utils mmdebstrap:mmdebstrap mke2fs:e2fsprogs etcd:etcd-server jq:jq \
	ip:iproute2 python3:python3 openssl:openssl strip:binutils /usr/lib/cni/bridge:containernetworking-plugins /bin/busybox:busybox-static; do
	command -v "${needed%%:*}" >/dev/null || skip "${needed%%:*} is missing (Debian: ${needed##*:})"
done

[ "$#" -gt 0 ] || set -- scenarios/*/
export KUBERNETES KUBERNETES_VERSION=$version KUBELET
KUBERNETES=$(../cluster/build.sh "$version" kube-apiserver kube-controller-manager kubelet)
KUBELET=$KUBERNETES/kubelet
image=$(mktemp -d "$reports/image.XXXXXX")
results=$(mktemp)
trap 'rm -rf "$image" "$results"' EXIT
began=$SECONDS
unshare --mount ./image.sh "$image" "$program" >"$reports/image.log" 2>&1 || {
	cat "$reports/image.log"
	exit 1
}
printf 'image    %-40s %4s s\n' "$(du -sh "$image/disk" | cut -f 1)" "$((SECONDS - began))"

# SCENARIO: says how it ended.
run_one() {
	local name=$1 began=$SECONDS how=ok
	rm -rf "${reports:?}/$name" "$reports/$name.times"
	mkdir "$reports/$name"
	unshare --mount --net --pid --fork --kill-child --mount-proc ./machine.sh "$program" "$name" "$image" "$reports/$name" \
		>"$reports/$name/harness.log" 2>&1 </dev/null || how=failed
	[ "$how" = ok ] || cat "$reports/$name/harness.log"
	printf '%-8s %-40s %4s s\n' "$how" "$name" "$((SECONDS - began))"
	printf '%s\n' "$how" >>"$results"
}

for scenario in "$@"; do
	while [ "$(jobs -rp | wc -l)" -ge "${JOBS:-2}" ]; do
		wait -n || true
	done
	run_one "$(basename "$scenario")" &
done
wait
for form in text svg; do
	python3 ../timeline/timeline.py "$form" "$reports" >"$reports/timeline.${form/text/txt}"
done
passed=$(grep -cx ok "$results" || true) failed=$(grep -cx failed "$results" || true)
printf '%s VMs are as they should be, %s are not, after %s s\n' "$passed" "$failed" "$SECONDS"
[ "$failed" = 0 ]
