# shellcheck shell=bash
# Programs from RPM packages, which are unpacked, not installed: several versions exist side by side on an image.

has_kube_packages() { :; }
install_packaged_program() { extract_program "$@"; }

# Prints the pattern of the package files of a version: NAME VERSION.
package_pattern() {
	printf '%s-%s[-~]*.rpm' "$1" "$2"
}

# Downloads the newest package of a version: NAME VERSION DIRECTORY. A family defines the command RPM_DOWNLOAD, which gets the directory and
# the package.
download_package() {
	retry 10 5 120 "${RPM_DOWNLOAD[@]}" "$3" "$1-$2"
}
