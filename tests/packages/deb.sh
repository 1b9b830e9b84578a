#!/usr/bin/env bash
# deb.sh PROGRAM: the Debian package in a fresh root of this distribution: installed, upgraded from a version before, and removed
# without a trace. Needs root and mmdebstrap.
set -euo pipefail
project=$(cd "$(dirname "$0")/../.." && pwd)
target=$(uname -m)-unknown-linux-gnu
program=$(realpath "$1")
work=$(mktemp -d)
root=$work/root
name=aks-node-controller
trap 'rm -rf "$work"' EXIT

failed() {
	echo "error: $1" >&2
	exit 1
}

# Runs a command in the root.
inside() {
	env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive chroot "$root" "$@"
}
# Each path of the root, but for what dpkg writes about every package that it ever saw.
paths() {
	(cd "$root" && find . -xdev ! -path './var/lib/dpkg/*-old' ! -path './var/log/*' ! -path './var/cache/*' | LC_ALL=C sort)
}

# A fresh root, with man, as dpkg of this distribution has it.
sources=()
for file in /etc/apt/sources.list /etc/apt/sources.list.d/debian.sources; do
	[ ! -s "$file" ] || sources+=("$file")
done
apt-config dump Acquire | grep -E '^Acquire::(https?|Retries|Check-)' >"$work/apt.conf" || true
# shellcheck source=/dev/null
codename=$(. /etc/os-release && printf '%s' "$VERSION_CODENAME")
mmdebstrap --quiet --variant=essential --include=man-db,bash-completion --aptopt="$work/apt.conf" "$codename" "$root" "${sources[@]}" \
	>"$work/log" 2>&1 || {
	tail -n 20 "$work/log" >&2
	exit 1
}

# The version before is the same with a page and a sentence more.
version=$(sed -n 's/^version = "\(.*\)"/\1/p' "$project/Cargo.toml" | head -n 1)
"$project/packaging/release.sh" "$work/new" "$target=$program" >/dev/null
mkdir "$work/before"
dpkg-deb --raw-extract "$work"/new/*.deb "$work/before"
sed -i "s/^Version: .*/Version: $version~before/" "$work/before/DEBIAN/control"
cp "$work/before/usr/share/man/man1/$name.1.gz" "$work/before/usr/share/man/man1/$name-former.1.gz"
echo 'A sentence of the version before.' >>"$work/before/usr/share/doc/$name/README.md"
dpkg-deb --root-owner-group -Znone --build "$work/before" "$root/old.deb" >/dev/null
cp "$work"/new/*.deb "$root/new.deb"

before=$(paths)
installed_before=$(inside dpkg-query --show)
inside dpkg --install /old.deb >/dev/null
inside dpkg --status $name | grep -qx "Version: $version~before" ||
	failed 'the version before is not installed'
[ -e "$root/usr/share/man/man1/$name-former.1.gz" ] || failed 'the version before has not its page'

inside dpkg --install /new.deb >"$work/upgrade"
grep -q "Unpacking $name ($version) over ($version~before)" "$work/upgrade" || failed 'it was not upgraded'
[ ! -e "$root/usr/share/man/man1/$name-former.1.gz" ] || failed 'a page of the version before is left'
inside dpkg --verify $name
inside dpkg --audit
inside $name version | grep -qF "$name $version" || failed 'the program does not run'
inside $name generate --example ubuntu-azure-cni --route scriptless | cmp - <("$program" generate --example ubuntu-azure-cni --route scriptless)
[ -u "$root/usr/bin/$name" ] && failed 'the program is set-uid'
# man finds a page of each command, and bash the completions.
for command in '' $(inside $name --help | sed -n '/^Commands:/,/^$/ s/^  \([a-z-]*\) .*/\1/p' | grep -vx help); do
	page=$name${command:+-$command}
	inside man --where "$page" | grep -q "/$page.1.gz" || failed "man finds no page $page"
done
inside bash -c ". /usr/share/bash-completion/bash_completion; _completion_loader $name; complete -p $name" >/dev/null ||
	failed 'bash-completion finds no completions'

inside dpkg --purge $name >/dev/null
[ "$(inside dpkg-query --show)" = "$installed_before" ] || failed 'dpkg knows the package still'
diff <(printf '%s\n' "$before") <(paths) || failed 'these paths are left'
! grep -rqF "$name" "$root"/var/lib/dpkg/{status,info,alternatives,diversions} || failed 'the database of dpkg has the name'

# The other packages, by the programs that read them.
if command -v rpm >/dev/null; then
	mkdir "$work/fedora"
	rpm --root "$work/fedora" --initdb
	rpm --root "$work/fedora" --force-debian --install "$work"/new/*.rpm
	rpm --root "$work/fedora" --verify $name
	chroot "$work/fedora" /usr/bin/$name version | grep -qF "$version" || failed 'the program of the RPM does not run'
	rpm --root "$work/fedora" --force-debian --erase $name
	! find "$work/fedora" ! -type d ! -path "*/.rpmdb/*" | grep . || failed 'the RPM leaves files'
fi
mkdir "$work/image"
tar -C "$work/image" -xf "$work/new/$name-$version-oci.tar"
skopeo --override-arch "$(dpkg --print-architecture)" copy --quiet "oci:$work/image:$version" "dir:$work/copied" >/dev/null
[ "$(skopeo inspect --config "oci:$work/image:$version" | jq -r '.config.Entrypoint[0]')" = /usr/bin/$name ] ||
	failed 'the image does not start the program'
layer=$(jq -r '.layers[0].digest' "$work/copied/manifest.json")
mkdir "$work/unpacked"
tar -C "$work/unpacked" -xzf "$work/copied/${layer#sha256:}"
chroot --userspec=65534:65534 "$work/unpacked" /usr/bin/$name version | grep -qF "$version" || failed 'the image does not run'
echo "$name $version: installed, upgraded, removed; $(wc -c <"$root/new.deb") bytes"
