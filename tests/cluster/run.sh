#!/usr/bin/env bash
# Builds a version of Kubernetes, once, and makes nodes of a cluster of it: run.sh FOLDER VERSION PROGRAM [SCENARIO...]. Needs
# root, Go, a Go module proxy, and Debian's etcd-server, containernetworking-plugins, busybox-static and containerd.
set -euo pipefail

folder=$(mkdir -p "$1" && cd "$1" && pwd)/$2
version=$2
program=$3
shift 3
cd "$(dirname "$0")"

if [ ! -e "$folder/complete" ]; then
	mkdir -p "$folder"
	mod=$folder/go.mod
	# The module of Kubernetes replaces its staging modules by folders, which a module that requires it does not see.
	printf 'module cluster\n\ngo 1.26.0\n\nrequire k8s.io/kubernetes v%s\n' "$version" >"$mod"
	source=$(go mod download -modfile="$mod" -json k8s.io/kubernetes | jq -r .GoMod)
	sed -nE 's,^[[:space:]]*(replace )?(k8s.io/[a-z-]*) => ./staging/.*,\2,p' "$source" | while read -r module; do
		go mod edit -replace="$module=$module@v0.${version#1.}" "$mod"
	done
	minor=${version#1.}
	name=k8s.io/component-base/version
	cp cluster.go "$folder/"
	for command in kubelet kube-apiserver kube-controller-manager; do
		(cd "$folder" && CGO_ENABLED=0 go build -mod=mod -trimpath -o "$folder/$command" \
			-ldflags "-s -w -X $name.gitVersion=v$version -X $name.gitMajor=1 -X $name.gitMinor=${minor%%.*}" "k8s.io/kubernetes/cmd/$command")
	done
	: >"$folder/complete"
fi

export KUBERNETES=$folder KUBERNETES_VERSION=$version
failed=0
[ "$#" -gt 0 ] || set -- by_the_start_script scriptless karpenter scripted
for scenario in "$@"; do
	began=$SECONDS
	if said=$(unshare --mount ./machine.sh "$program" "$scenario" 2>&1); then
		printf 'ok      %-24s %3s s  Kubernetes %s\n' "$scenario" "$((SECONDS - began))" "$version"
	else
		printf '%s\nfailed  %-24s %3s s  Kubernetes %s\n' "$said" "$scenario" "$((SECONDS - began))" "$version"
		failed=1
	fi
done
exit "$failed"
