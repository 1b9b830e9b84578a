#!/usr/bin/env bash
# rpm.sh TREE TARGET DIRECTORY VERSION: writes the RPM package of a tree.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
tree=$1 target=$2 out=$3 version=$4
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cp -a "$tree" "$work/tree"
# Fedora and Azure Linux look for completions of zsh there.
mv "$work/tree/usr/share/zsh/vendor-completions" "$work/tree/usr/share/zsh/site-functions"
rpmbuild -bb --quiet --target "${target%%-*}-linux" --buildroot "$work/root" \
	--define "_topdir $work" --define "tree $work/tree" --define "package_version $version" \
	--define '_buildhost localhost' --define 'use_source_date_epoch_as_buildtime 1' \
	--define 'clamp_mtime_to_source_date_epoch 1' --define '_build_id_links none' \
	--define '_binary_payload w9.gzdio' --define "_rpmdir $work/rpms" "$here/aks-node-controller.spec"
cp "$work"/rpms/*/*.rpm "$out"
