# shellcheck shell=bash
# Package files that are unpacked, not installed: several versions of a program exist side by side on an image.

# Prints the newest file with a matching name: DIRECTORY PATTERN [DEPTH]. Fails if there is none.
find_cached() {
	find "$1" -maxdepth "${3:-1}" -type f -name "$2" 2>/dev/null | sort -V | tail -n 1 | grep .
}

# Prints a package file, from the image, or from the repository of the distribution or the registry of an isolated cluster: NAME
# VERSION. A family defines `package_pattern` and `download_package`.
find_package() {
	local name=$1 version=$2 dir=/opt/$1/downloads pattern
	pattern=$(package_pattern "$name" "$version")
	if ! is_isolated || ! on NETWORK_ISOLATED_CLUSTER_TEST_MODE; then
		find_cached "$dir" "$pattern" && return 0
	fi
	if is_isolated; then
		dir=/opt/$name/registry
		rm -rf "$dir"
		# The artifact has a package for each system, in a directory that is a repository. A tag cannot have a tilde.
		pull_artifact "$BOOTSTRAP_PROFILE_CONTAINER_REGISTRY_SERVER/aks/packages/kubernetes/$name:v${version//\~/-}" "$dir" \
			--platform "linux/$CPU_ARCH:$OS_ID $OS_VERSION" >&2
	else
		mkdir -p "$dir" && part "install${name}FromPkg.downloadPkgFromVersion" download_package "$name" "$version" "$dir" >&2
	fi && find_cached "$dir" "$pattern"
}

# Unpacks a package file: FILE DIRECTORY.
unpack_package() {
	case $1 in
	*.deb) dpkg-deb --extract "$1" "$2" ;;
	*.rpm) rpm2cpio "$1" | (cd "$2" && cpio --quiet --extract --make-directories) ;;
	*) tar -xzf "$1" -C "$2" ;;
	esac
}

# Extracts the program of a package and removes the package files of all versions: NAME VERSION TARGET.
extract_program() {
	local file how=extractDebBinaryFromFile
	file=$(find_package "$1" "$2") || return
	[[ $file == *.deb ]] || how=extractBinaryFromRPM
	part "install$1.$how" extract_member "$file" "usr/bin/$1" "$3" && rm -rf "${file%/*}"
}

# Extracts one file of a package: FILE MEMBER TARGET.
extract_member() {
	local dir code=0
	dir=$(mktemp -d /opt/.unpack.XXXXXX) || return
	unpack_package "$1" "$dir" && put "$3" 0755 cat "$dir/$2" || code=1
	rm -rf "$dir"
	return "$code"
}
