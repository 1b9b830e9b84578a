# shellcheck shell=bash
# Package files that are unpacked, not installed: several versions of a program exist side by side on an image.

# Prints the newest file with a matching name: FOLDER PATTERN. Fails if there is none.
find_cached() {
	find "$1" -maxdepth 1 -type f -name "$2" 2>/dev/null | sort -V | tail -n 1 | grep .
}

# Unpacks a package file: FILE FOLDER.
unpack_package() {
	case $1 in
	*.deb) dpkg-deb --extract "$1" "$2" ;;
	*.rpm) rpm2cpio "$1" | (cd "$2" && cpio --quiet --extract --make-directories) ;;
	*) tar -xzf "$1" -C "$2" ;;
	esac
}

# Extracts one program and removes the package file: FILE MEMBER TARGET.
extract_program() {
	local file=$1 member=$2 target=$3 folder code=0
	folder=$(mktemp -d /opt/.unpack.XXXXXX) || return
	unpack_package "$file" "$folder" && put "$target" 0755 cat "$folder/$member" || code=1
	rm -rf "$folder"
	[ "$code" != 0 ] || rm -f "$file"
	return "$code"
}
