# shellcheck shell=bash
# The operating system.

# Sets `value` to a field of os-release, without its quotes: NAME.
os_field() {
	local line file=/etc/os-release
	value=
	[ -e "$file" ] || file=/usr/lib/os-release
	[ -e "$file" ] || return 0
	while IFS= read -r line; do
		if [ "${line%%=*}" = "$1" ]; then
			value=${line#*=}
			value=${value#[\"\']}
			value=${value%[\"\']}
			return
		fi
	done <"$file"
}

# Sets OS_ID, OS_VERSION, CPU_ARCH and OS_FAMILY: ubuntu, debian, mariner, osguard, flatcar, acl, or the ID of any other system.
# The families have the names that `bake --os` accepts, except that mariner includes azurelinux, and ubuntu includes debian.
# shellcheck disable=SC2034 # other scripts read these
read_os() {
	local value
	os_field ID
	OS_ID=${value,,}
	os_field VERSION_ID
	OS_VERSION=$value
	os_field VARIANT_ID
	case ${OS_ID^^}/${value^^} in
	AZURECONTAINERLINUX/* | */AZURECONTAINERLINUX) OS_FAMILY=acl ;;
	AZURELINUX/OSGUARD) OS_FAMILY=osguard ;;
	MARINER/* | MARINERKATA/* | AZURELINUX/* | AZURELINUXKATA/*) OS_FAMILY=mariner ;;
	*) OS_FAMILY=$OS_ID ;;
	esac
	case $(uname -m) in
	aarch64 | arm64) CPU_ARCH=arm64 ;;
	*) CPU_ARCH=amd64 ;;
	esac
	readonly OS_ID OS_VERSION OS_FAMILY CPU_ARCH
}

# Whether the system is of one of these families.
family() {
	local name
	for name in "$@"; do
		[ "$OS_FAMILY" != "$name" ] || return 0
	done
	return 1
}
