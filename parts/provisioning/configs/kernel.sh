# shellcheck shell=bash
# Settings and modules of the kernel.

ensureSysctl() {
	put /etc/sysctl.d/999-sysctl-aks.conf 0644 decoded SYSCTL_CONTENT ||
		fail "$ERR_SYSCTL_RELOAD" 'SYSCTL_CONTENT is not base64, or cannot be written'
	retry 24 5 25 sysctl --quiet --system || fail "$ERR_SYSCTL_RELOAD" 'the kernel settings cannot be applied'
}

set_huge_page() {
	[ -z "$2" ] || printf '%s\n' "$2" 2>/dev/null >"/sys/kernel/mm/transparent_hugepage/$1"
}

huge_page_lines() {
	[ -z "${THP_ENABLED:-}" ] || printf 'kernel/mm/transparent_hugepage/enabled=%s\n' "$THP_ENABLED"
	[ -z "${THP_DEFRAG:-}" ] || printf 'kernel/mm/transparent_hugepage/defrag=%s\n' "$THP_DEFRAG"
}

configureTransparentHugePage() {
	local name value
	for name in enabled defrag; do
		value=THP_${name^^}
		[[ ${!value:-} =~ ^[a-z+]*$ ]] || fail "$ERR_SYSCTL_RELOAD" "$value is no word: \"${!value}\""
		set_huge_page "$name" "${!value:-}" || fail "$ERR_SYSCTL_RELOAD" "the kernel does not take ${!value} for transparent huge pages' $name"
	done
	must_put_section /etc/sysfs.conf 0644 'aks transparent huge pages' "$(huge_page_lines)"
	# Nothing there reads sysfs.conf.
	family mariner osguard || return 0
	local folder=$CONTAINERS/aks-transparent-hugepage
	must_put_text "$folder/enabled" 0644 "${THP_ENABLED:-}"
	must_put_text "$folder/defrag" 0644 "${THP_DEFRAG:-}"
	must_put_text "$CONTAINERS/aks-transparent-hugepage.sh" 0755 "#!/bin/bash
for name in enabled defrag; do
	value=\$(cat $folder/\$name)
	[ -z \"\$value\" ] || printf '%s\\n' \"\$value\" >/sys/kernel/mm/transparent_hugepage/\$name
done"
	must_put_text "$UNITS/aks-transparent-hugepage.service" 0644 "[Unit]
Description=Transparent huge pages
Before=kubelet.service

[Service]
Type=oneshot
RemainAfterExit=yes
ExecStart=$CONTAINERS/aks-transparent-hugepage.sh

[Install]
WantedBy=multi-user.target"
	enable_and_start aks-transparent-hugepage.service 30 ||
		fail "$ERR_SYSTEMCTL_START_FAIL" 'aks-transparent-hugepage.service does not start'
}

# Whether this kernel is one that a hole of these modules is open in.
needs_module_mitigation() {
	local release flavour fixed
	case $OS_FAMILY in
	osguard) return 0 ;;
	mariner) [[ $OS_ID == mariner* || $OS_VERSION == 2.* ]] && return 0 || return 1 ;;
	ubuntu) ;;
	*) return 1 ;;
	esac
	release=$(uname -r)
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

mitigateModules() {
	local module file
	if needs_module_mitigation; then
		for module in algif_aead esp4 esp6 rxrpc; do
			must_put_text "/etc/modprobe.d/disable-$module.conf" 0644 "install $module /bin/false
blacklist $module"
			if grep -q "^$module " /proc/modules; then
				modprobe --remove "$module" || warn "$module is in use and stays until the next boot"
			fi
		done
		return
	fi
	family ubuntu || return 0
	for file in /etc/modprobe.d/*.conf; do
		if grep -qE '^(install|blacklist) (algif_aead|esp4|esp6|rxrpc)\b' "$file" 2>/dev/null; then
			put "$file" 0644 without_module_rules "$file" || fail "$ERR_MODPROBE_FAIL" "stale rules cannot be taken out of $file"
			[ -s "$file" ] || rm -f "$file"
		fi
	done
}

without_module_rules() {
	sed -E '/^(install|blacklist) (algif_aead|esp4|esp6|rxrpc)\b/d' "$1"
}
