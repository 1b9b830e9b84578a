# shellcheck shell=bash
# Programs from system extensions, images that systemd merges over the read-only /usr.
# https://www.freedesktop.org/software/systemd/man/latest/systemd-sysext.html

sysext_registry() {
	printf '%s' "${BOOTSTRAP_PROFILE_CONTAINER_REGISTRY_SERVER:-$(mcr_host)}"
}

# Prints the image of an extension, from the node or from the registry: NAME VERSION.
find_sysext() {
	local name=$1 version=$2 folder=/opt/$1/downloads
	find_cached "$folder" "$name*$version*.raw" && return 0
	pull_artifact "$(sysext_registry)/oss/v2/kubernetes/$name-sysext:v$version-azlinux3-$CPU_ARCH" "$folder" >&2 &&
		find_cached "$folder" "$name*$version*.raw"
}

# Links an extension to where systemd looks for it, for the next refresh: NAME VERSION.
use_sysext() {
	local name=$1 version=$2 file
	file=$(find_sysext "$name" "$version") ||
		fail "$ERR_ORAS_PULL_SYSEXT_FAIL" "the system extension $name $version is neither on the image nor at $(sysext_registry)"
	mkdir -p /etc/extensions && ln -sfn "$file" "/etc/extensions/$name.raw"
}

refresh_sysexts() {
	retry 5 3 30 systemd-sysext refresh
}

has_kube_packages() { :; }

# Merges the extension of a program and links the program: NAME VERSION. A family defines `before_kube_sysext`.
extract_kube_package() {
	local name=$1 version=$2
	before_kube_sysext
	use_sysext "$name" "$version"
	refresh_sysexts || return
	ln -sfn "/usr/bin/$name" "$BIN/$name-$version"
}

extract_credential_provider_package() {
	use_sysext acr-credential-provider "${KUBERNETES_VERSION%.*}"
	refresh_sysexts && mkdir -p "${1%/*}" && ln -sfn /usr/bin/acr-credential-provider "$1"
}
