#!/usr/bin/env bash
# The real kubelet judges what `validate` says of it: run.sh PROGRAM DIRECTORY. Starts the kubelet with changes of two documents, each
# with one flag, field or feature gate more, in a world of its own without a cluster. A change is accepted if the kubelet starts and stays.
# `validate` must then have no error, and otherwise a finding.
#
#   KUBERNETES     version of the kubelet
#   EVERY          1: every change; 40: every fortieth
#   REQUIRE_NODES  1: what is missing on this system is an error, and no reason to skip
#
# Needs root, Go, a Go module proxy, and the Debian packages below.
set -euo pipefail

program=$(realpath "$1")
reports=$(mkdir -p "$2" && cd "$2" && pwd)
cd "$(dirname "$0")"
# shellcheck source=../timeline/runs.sh
. ../timeline/runs.sh
needs go:golang containerd:containerd python3:python3-yaml openssl:openssl

kubelet=$(../cluster/build.sh "${KUBERNETES:?is not set}" kubelet)/kubelet
python3 -B judge.py "$program" "$kubelet" "$reports" "${EVERY:-1}"
