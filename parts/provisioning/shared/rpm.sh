# shellcheck shell=bash
# Programs from RPM packages, which are unpacked, not installed: several versions exist side by side on an image.

has_kube_packages() { :; }

# Prints a package file of a version, from the image or from the repository: NAME VERSION. A family
# defines the command RPM_DOWNLOAD, which gets the folder and the package.
find_rpm() {
	local name=$1 version=$2 folder=/opt/$1/downloads
	find_cached "$folder" "$name-$version-*.rpm" && return 0
	mkdir -p "$folder" && part "install${name}FromPkg.downloadPkgFromVersion" retry 10 5 120 "${RPM_DOWNLOAD[@]}" "$folder" "$name-$version" >&2 && find_cached "$folder" "$name-$version-*.rpm"
}

extract_kube_package() {
	local file
	file=$(find_rpm "$1" "$2") || return
	part "install$1.extractBinaryFromRPM" extract_program "$file" "usr/bin/$1" "$BIN/$1-$2"
}

extract_credential_provider_package() {
	local file
	file=$(find_rpm azure-acr-credential-provider "${KUBERNETES_VERSION%.*}.*") || return
	part installazure-acr-credential-provider.extractBinaryFromRPM extract_program "$file" usr/bin/azure-acr-credential-provider "$1"
}
