#!/usr/bin/env bash
# Makes nodes of a real cluster: run.sh PROGRAM DIRECTORY [SCENARIO...]. Without scenarios it runs all of them, and one route
# again for each older kubelet. DIRECTORY gets what each scenario has said, and when what happened on its machine: for
# each alone, and of all in timeline.txt and timeline.svg.
#
#   KUBERNETES           version of the API server, the controller manager and the kubelet
#   OLDER_KUBELETS       versions of other kubelets, at most three minor versions older, as the API server supports them
#   JOBS                 how many scenarios run at the same time
#   CAPTURES             a directory for what `diagnose --bundle-out` makes of each machine; only machines with a fault and one without run
#   REQUIRE_NODES        1: what is missing on this system is an error, and no reason to skip
#   REQUIRE_CONFORMANCE  1: so is what is missing in ../shared/conformance
#
# Needs root, Go, a Go module proxy, and the Debian packages below.
set -euo pipefail

program=$1
mkdir -p "$2"
reports=$(cd "$2" && pwd)
rm -f "$reports"/*
shift 2
cd "$(dirname "$0")"
version=${KUBERNETES:?is not set} side_by_side=${JOBS:-2}
# shellcheck source=scenarios.sh
. ./scenarios.sh
# shellcheck source=faults.sh
. ./faults.sh
# shellcheck source=slips.sh
. ./slips.sh
# shellcheck source=deliveries.sh
. ./deliveries.sh
# shellcheck source=users.sh
. ./users.sh

# shellcheck source=../timeline/runs.sh
. ../timeline/runs.sh
needs go:golang etcd:etcd-server containerd:containerd cloud-init:cloud-init jq:jq python3:python3-yaml openssl:openssl \
	/usr/lib/cni/bridge:containernetworking-plugins /bin/busybox:busybox-static

# SCENARIO: runs it on the prepared machine, and says how it ended.
run_one() {
	local began=$SECONDS how=ok name=$1
	[ "$KUBERNETES_VERSION" = "$version" ] || name+="-$KUBERNETES_VERSION"
	REPORT=$reports/$name nsenter --mount="/proc/$PREPARED_PID/ns/mnt" unshare --mount "$PWD/machine.sh" "$program" "$1" \
		>"$reports/$name.log" 2>&1 </dev/null || how=failed
	[ "$how" = ok ] || cat "$reports/$name.log"
	report "$how" "$name" "$((SECONDS - began))"
}

# The flags that the kubelet's help names are the flags of the table.
check_flags() {
	local minor=${KUBERNETES_VERSION#1.} how=ok
	minor=${minor%%.*}
	diff <("$KUBELET" --help 2>&1 | sed -nE 's/^ +(-[a-zA-Z], )?--([a-z0-9-]+).*/\2/p' | LC_ALL=C sort) \
		<(../kubelet-facts/flags.sh | awk -F '|' -v minor="$minor" '$3 + 0 <= minor + 0 && ($4 == "" || $4 + 0 > minor + 0) { print $1 }' |
			LC_ALL=C sort) || how=failed
	report "$how" "flags_of_kubelet-$KUBERNETES_VERSION" 0
}

# VERSION SCENARIO...: prepares a machine with the kubelet of the version, once, and runs scenarios on it side by side.
run_with_kubelet() {
	local said='' scenario input
	export KUBERNETES_VERSION=$1 KUBELET
	KUBELET=$(./build.sh "$1" kubelet)/kubelet
	shift
	check_flags
	coproc PREPARED { exec unshare --mount ./machine.sh "$program" prepare 2>"$reports/prepare.log"; }
	# Its end is the end of the prepared machine.
	input=${PREPARED[1]}
	read -r said <&"${PREPARED[0]}" || true
	if [ "$said" != prepared ]; then
		cat "$reports/prepare.log"
		exit 1
	fi
	for scenario in "$@"; do
		# The prepared machine is a job, too.
		at_most "$side_by_side"
		run_one "$scenario" &
	done
	at_most 1
	exec {input}>&-
	wait
}

export KUBERNETES
KUBERNETES=$(./build.sh "$version" kube-apiserver kube-controller-manager)
printf 'Kubernetes %s is there after %s s\n' "$version" "$SECONDS"
if [ "$#" -gt 0 ]; then
	run_with_kubelet "$version" "$@"
elif [ -n "${CAPTURES:-}" ]; then
	run_with_kubelet "$version" scriptless "${FAULTS[@]}" "${SLIPS[@]}"
else
	scenarios=("${ROUTES[@]}" "${DELIVERIES[@]}" "${USERS[@]}" "${FAULTS[@]}")
	if [ -e "$services_of_the_host" ]; then
		scenarios+=("${FETCHED[@]}")
	else
		printf 'skipped: %s: ../shared/conformance/boothook/wireserver is not there\n' "${FETCHED[*]}"
		[ "${REQUIRE_CONFORMANCE:-0}" = 0 ] || exit 1
	fi
	run_with_kubelet "$version" "${scenarios[@]}"
	for older in ${OLDER_KUBELETS:-}; do
		run_with_kubelet "$older" scriptless
	done
fi
conclude
