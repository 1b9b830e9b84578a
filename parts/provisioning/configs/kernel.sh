# shellcheck shell=bash
# Settings and modules of the kernel.

ensureSysctl() {
	put /etc/sysctl.d/999-sysctl-aks.conf 0644 decoded SYSCTL_CONTENT ||
		fail "$ERR_SYSCTL_RELOAD" 'SYSCTL_CONTENT must be base64, or /etc/sysctl.d/999-sysctl-aks.conf cannot be written'
	# The file is not on the image in the end, so the machine that makes the image has no use for its settings.
	makes_an_image || retry 24 5 25 sysctl --quiet --system || fail "$ERR_SYSCTL_RELOAD" 'the kernel settings cannot be applied; see sysctl --system'
}

## Settings that kubelet demands

# A kubelet with --protect-kernel-defaults does not start if one of these differs. Prepared images have them.
# https://github.com/kubernetes/kubernetes/blob/v1.36.0/pkg/util/sysctl/sysctl.go
readonly KUBELET_SYSCTLS=(vm.overcommit_memory=1 vm.panic_on_oom=0 kernel.panic=10 kernel.panic_on_oops=1
	kernel.keys.root_maxkeys=1000000 kernel.keys.root_maxbytes=25000000)

# The flag takes precedence over the configuration file.
protects_kernel_settings() {
	local value
	if value=$(kubelet_flag --protect-kernel-defaults); then
		[[ ${value,,} =~ ^(1|t|true|--.*)$ ]]
	else
		on KUBELET_CONFIG_FILE_ENABLED && decoded KUBELET_CONFIG_FILE_CONTENT | jq -e '.protectKernelDefaults == true' >/dev/null 2>&1
	fi
}

# Prints the settings of this kernel that differ from what kubelet demands.
differing_kernel_settings() {
	local setting file
	for setting in "${KUBELET_SYSCTLS[@]}"; do
		file=${setting%=*}
		file=/proc/sys/${file//./\/}
		[ ! -e "$file" ] || [ "$(<"$file")" = "${setting#*=}" ] || printf '%s\n' "$setting"
	done
}

kernel_differs_for_kubelet() {
	protects_kernel_settings && [ -n "$(differing_kernel_settings)" ]
}

# All of them, because a file with some would lose the others in the next run.
configureKernelDefaults() {
	must_put /etc/sysctl.d/999-sysctl-kubelet.conf 0644 printf '%s\n' "${KUBELET_SYSCTLS[@]}"
	retry 5 5 25 sysctl --quiet --ignore --load=/etc/sysctl.d/999-sysctl-kubelet.conf
	[ -z "$(differing_kernel_settings)" ] || warn "kubelet may not start, because these kernel settings stay: $(differing_kernel_settings)"
}

## Transparent huge pages

set_huge_page() {
	[ -z "$2" ] || printf '%s\n' "$2" 2>/dev/null >"/sys/kernel/mm/transparent_hugepage/$1"
}

huge_page_lines() {
	[ -z "${THP_ENABLED:-}" ] || printf 'kernel/mm/transparent_hugepage/enabled=%s\n' "$THP_ENABLED"
	[ -z "${THP_DEFRAG:-}" ] || printf 'kernel/mm/transparent_hugepage/defrag=%s\n' "$THP_DEFRAG"
}

# Sets transparent huge pages now, and for the next boot. On Ubuntu, sysfsutils reads /etc/sysfs.conf at boot; Azure Linux has
# no such package, so a unit does it.
configureTransparentHugePage() {
	part applyTransparentHugePageValues apply_huge_pages
	part reconcileTransparentHugePagePersistence keep_huge_pages
}

apply_huge_pages() {
	local name value
	for name in enabled defrag; do
		value=THP_${name^^}
		[[ ${!value:-} =~ ^[a-z+]*$ ]] ||
			fail "$ERR_SYSCTL_RELOAD" "$value must be a value of /sys/kernel/mm/transparent_hugepage/$name, found \"${!value}\""
		set_huge_page "$name" "${!value:-}" ||
			fail "$ERR_SYSCTL_RELOAD" "$value: the kernel rejects \"${!value}\" for /sys/kernel/mm/transparent_hugepage/$name"
	done
}

keep_huge_pages() {
	local dir=$CONTAINERS/aks-transparent-hugepage
	must_put_section /etc/sysfs.conf 0644 'aks transparent huge pages' "$(huge_page_lines)"
	family mariner osguard || return 0
	must_put_text "$dir/enabled" 0644 "${THP_ENABLED:-}"
	must_put_text "$dir/defrag" 0644 "${THP_DEFRAG:-}"
	must_put "$CONTAINERS/aks-transparent-hugepage.sh" 0755 cat <<'SCRIPT'
#include provisioning/services/aks-transparent-hugepage.sh
SCRIPT
	must_put_unit aks-transparent-hugepage.service 0644 <<'UNIT'
#include provisioning/units/aks-transparent-hugepage.service
UNIT
	enable_and_start aks-transparent-hugepage.service 30 ||
		fail "$ERR_SYSTEMCTL_START_FAIL" 'aks-transparent-hugepage.service does not start'
}

## Vulnerable modules

# Whether this kernel lacks the fixes for the modules of `mitigateModules`. The versions are the first fixed kernels.
needs_module_mitigation() {
	local release flavour fixed
	case $OS_FAMILY in
	osguard) return 0 ;;
	mariner) [[ $OS_ID == mariner* || $OS_VERSION == 2.* ]] && return 0 || return 1 ;;
	ubuntu) ;;
	*) return 1 ;;
	esac
	release=$(uname -r)
	# Kernels for confidential computing and FIPS have the version of the one for Azure.
	release=${release%-fde}
	release=${release%-fips}
	flavour=${release##*-}
	case $OS_VERSION/$flavour in
	20.04/*) return 0 ;;
	22.04/azure*) fixed=5.15.0-1116 ;;
	22.04/generic) fixed=5.15.0-181 ;;
	24.04/azure*) fixed=6.8.0-1058 ;;
	24.04/generic) fixed=6.8.0-124 ;;
	22.04/* | 24.04/*) return 0 ;;
	*) return 1 ;;
	esac
	! version_ge "${release%-"$flavour"}" "$fixed"
}

# Keeps modules from being loaded through which any local user can become root, and lifts that once the kernel is fixed.
# https://www.cve.org/CVERecord?id=CVE-2026-31431 (algif_aead), https://www.cve.org/CVERecord?id=CVE-2026-43284 (esp4, esp6),
# https://www.cve.org/CVERecord?id=CVE-2026-43500 (rxrpc)
mitigateModules() {
	local module file loaded
	if needs_module_mitigation; then
		loaded=$(grep -sE '^(algif_aead|esp4|esp6|rxrpc) ' /proc/modules)
		for module in algif_aead esp4 esp6 rxrpc; do
			must_put_text "/etc/modprobe.d/disable-$module.conf" 0644 "install $module /bin/false
blacklist $module"
			if [[ $loaded == *"$module "* ]]; then
				bounded 25 modprobe --remove "$module" || warn "the kernel module $module is in use and stays until the next boot"
			fi
		done
		return
	fi
	family ubuntu || return 0
	while IFS= read -r file; do
		put "$file" 0644 without_module_rules "$file" || fail "$ERR_MODPROBE_FAIL" "stale rules for modules cannot be removed from $file"
		[ -s "$file" ] || rm -f "$file"
	done < <(grep -lE '^(install|blacklist) (algif_aead|esp4|esp6|rxrpc)\b' /etc/modprobe.d/*.conf 2>/dev/null)
}

without_module_rules() {
	sed -E '/^(install|blacklist) (algif_aead|esp4|esp6|rxrpc)\b/d' "$1"
}
