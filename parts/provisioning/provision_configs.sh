#!/bin/bash
# Steps that write configuration and start what reads it. Sourced by provision.sh.
# shellcheck source=provision_source.sh
# shellcheck disable=SC2154,SC2034 # variables come from the CSE command and go to other scripts

readonly KUBERNETES=/etc/kubernetes
readonly KUBELET_DROPINS=$UNITS/kubelet.service.d
readonly CONTAINERD_DROPINS=$UNITS/containerd.service.d
readonly KUBELET_ROOT=/var/lib/kubelet

# Writes a file of the node's configuration, or ends the run: what follows needs it.
must_put() {
	put "$@" || fail "$ERR_NODE_FILE_WRITE_FAIL" "$1 cannot be written"
}

must_put_text() {
	put_text "$@" || fail "$ERR_NODE_FILE_WRITE_FAIL" "$1 cannot be written"
}

must_put_section() {
	put_section "$@" || fail "$ERR_NODE_FILE_WRITE_FAIL" "$1 cannot be written"
}

# Writes the bytes of a variable that carries base64: PATH MODE VARIABLE.
must_put_decoded() {
	decoded "$3" >/dev/null || fail "$ERR_NODE_INPUT_INVALID" "$3 is not base64"
	must_put "$1" "$2" decoded "$3"
}

## Inputs

# Collects what is wrong with the variables, so that all of it is said at once.
WRONG=
wrong() {
	WRONG+=${WRONG:+; }$1
}

end_if_wrong() {
	[ -z "$WRONG" ] || fail "$ERR_NODE_INPUT_INVALID" "$WRONG"
}

need() {
	local name
	for name in "$@"; do
		given "$name" || wrong "$name is empty"
	done
}

need_number() {
	is_number "${!1:-}" || wrong "$1 is no number: \"${!1:-}\""
}

# A value that goes into a file of lines.
need_one_line() {
	local name
	for name in "$@"; do
		[[ ${!name:-} != *[$'\n\r']* ]] || wrong "$name has a line break"
	done
}

need_base64() {
	local name
	for name in "$@"; do
		decoded "$name" >/dev/null || wrong "$name is not base64"
	done
}

checkBaseInputs() {
	need KUBERNETES_VERSION
	[[ ${KUBERNETES_VERSION:-0} =~ ^v?[0-9]+(\.[0-9A-Za-z+~-]+)*$ ]] || wrong "KUBERNETES_VERSION is no version: \"$KUBERNETES_VERSION\""
	need_one_line HTTP_PROXY_URLS HTTPS_PROXY_URLS NO_PROXY_URLS CUSTOM_SEARCH_DOMAIN_NAME
	if on SHOULD_CONFIG_SWAP_FILE; then need_number SWAP_FILE_SIZE_MB; fi
	if on SHOULD_CONFIGURE_CUSTOM_CA_TRUST; then need_number CUSTOM_CA_TRUST_COUNT; fi
	if on ENABLE_HOSTS_CONFIG_AGENT; then need API_SERVER_NAME; fi
	need_base64 MESSAGE_OF_THE_DAY KUBENET_TEMPLATE
	end_if_wrong
}

checkNodeInputs() {
	need API_SERVER_NAME KUBE_CA_CRT KUBERNETES_VERSION KUBELET_FLAGS
	is_host "${API_SERVER_NAME:-x}" || wrong "API_SERVER_NAME is no name or address: \"$API_SERVER_NAME\""
	need_one_line KUBELET_FLAGS KUBELET_NODE_LABELS NETWORK_POLICY KUBELET_IMAGE AZURE_ENVIRONMENT_FILEPATH TLS_BOOTSTRAP_TOKEN
	need_base64 KUBE_CA_CRT APISERVER_PUBLIC_KEY KUBELET_CLIENT_CONTENT KUBELET_CLIENT_CERT_CONTENT KUBELET_CONFIG_FILE_CONTENT \
		CUSTOM_ENV_JSON SERVICE_PRINCIPAL_FILE_CONTENT
	if given STANDARD_SECONDARY_NIC_COUNT; then need_number STANDARD_SECONDARY_NIC_COUNT; fi
	check_labels
	end_if_wrong
}

# Labels as the API server takes them; a kubelet with another one does not register.
check_labels() {
	local label key value name prefix
	local IFS=,
	set -f
	for label in ${KUBELET_NODE_LABELS:-}; do
		key=${label%%=*} value=${label#*=} prefix=
		[ "$value" != "$label" ] || value=
		name=${key##*/}
		[ "$name" = "$key" ] || prefix=${key%/*}
		[[ $name =~ ^[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?$ ]] || wrong "label \"$label\": its name is not one of 1 to 63 characters"
		[[ -z $prefix || (${#prefix} -le 253 && $prefix =~ ^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$) ]] || wrong "label \"$label\": its prefix is no domain"
		[[ -z $value || $value =~ ^[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?$ ]] || wrong "label \"$label\": its value is not one of up to 63 characters"
	done
	set +f
}

## Logs

# The logs where the log collector looks.
linkLogs() {
	local file
	for file in "$LOGS/cluster-provision.log" "$LOGS/cluster-provision-cse-output.log" /opt/azure/*.json \
		/opt/azure/cloud-init-files.paved /opt/azure/vhd-install.complete; do
		if [ -e "$file" ]; then
			ln -sfn "$file" "$LOGS/aks/${file##*/}" || warn "$file is not linked into $LOGS/aks"
		fi
	done
}

# What cloud-init was given, without secrets, for whoever looks for the cause of a failure.
redactCloudConfig() {
	local source=/var/lib/cloud/instance/cloud-config.txt
	if [ -s "$source" ] && [ -x "$CONTAINERS/provision_redact_cloud_config.py" ]; then
		put "$LOGS/aks/cloud-config.txt" 0600 "$CONTAINERS/provision_redact_cloud_config.py" "$source" ||
			warn "$source is not copied, for it cannot be redacted"
	fi
}

## Metadata

fetchMetadata() {
	fetch_metadata || fail "$ERR_IMDS_FETCH_FAILED" 'the metadata service of Azure does not answer, or not with JSON'
}

## Accounts and sign-in

configureAdminUser() {
	chage --expiredate -1 --inactive -1 --mindays 0 --maxdays 99999 "$ADMINUSER" &&
		chage --list "$ADMINUSER" &&
		chage --inactive -1 --maxdays -1 root
}

disableSSH() {
	disable_and_stop ssh.socket
	disable_and_stop ssh.service
	disable_and_stop sshd.service
	! systemctl is-active --quiet ssh.service sshd.service || fail "$ERR_DISABLE_SSH" 'the SSH service still runs'
}

# sshd_config with `PubkeyAuthentication no` exactly once, before any Match block.
without_public_keys() {
	awk '
		tolower($1) == "match" && !said { print "PubkeyAuthentication no"; said = 1 }
		tolower($1) == "match" { matched = 1 }
		!matched && tolower($0) ~ /^[ \t]*pubkeyauthentication([ \t=]|$)/ {
			if (!said) { print "PubkeyAuthentication no"; said = 1 }
			next
		}
		{ print }
		END { if (!said) print "PubkeyAuthentication no" }' "$1"
}

disableSSHPubkeyAuth() {
	local config=/etc/ssh/sshd_config candidate unit=ssh.service
	unit_exists "$unit" || unit=sshd.service
	candidate=$(umask 077 && mktemp /etc/ssh/.sshd_config.XXXXXX) ||
		fail "$ERR_CONFIG_PUBKEY_AUTH_SSH" "there is no room beside $config"
	without_public_keys "$config" >"$candidate" || fail "$ERR_CONFIG_PUBKEY_AUTH_SSH" "$config cannot be read"
	# sshd wants a folder that its unit makes.
	if ! systemctl is-active --quiet "$unit"; then
		bounded 25 systemctl start "$unit" || fail "$ERR_CONFIG_PUBKEY_AUTH_SSH" "$unit does not start"
	fi
	if ! sshd -t -f "$candidate"; then
		rm -f "$candidate"
		fail "$ERR_CONFIG_PUBKEY_AUTH_SSH" "sshd refuses $config without public keys"
	fi
	if ! mv -fT "$candidate" "$config" || ! bounded 25 systemctl reload-or-restart "$unit"; then
		fail "$ERR_CONFIG_PUBKEY_AUTH_SSH" "$unit does not take its new configuration"
	fi
}

configureMessageOfTheDay() {
	configureMessageOfTheDayOfDistro || warn 'the message of the day may be shown twice or not at all'
	must_put_decoded /etc/motd 0644 MESSAGE_OF_THE_DAY
}

joinCustomSearchDomain() {
	local script=${CUSTOM_SEARCH_DOMAIN_FILEPATH:-$CONTAINERS/setup-custom-search-domains.sh} log=/opt/azure/containers/setup-custom-search-domains.log
	[ -f "$script" ] || fail "$ERR_CUSTOM_SEARCH_DOMAINS_FAIL" "$script is not there"
	(umask 077 && /bin/bash "$script" >"$log" 2>&1 </dev/null) ||
		fail "$ERR_CUSTOM_SEARCH_DOMAINS_FAIL" "the search domain ${CUSTOM_SEARCH_DOMAIN_NAME:-} cannot be joined; see $log"
}

## Proxy and trust

# The proxy for what this run does itself.
useProxy() {
	if given HTTP_PROXY_URLS; then export HTTP_PROXY=$HTTP_PROXY_URLS http_proxy=$HTTP_PROXY_URLS; fi
	if given HTTPS_PROXY_URLS; then export HTTPS_PROXY=$HTTPS_PROXY_URLS https_proxy=$HTTPS_PROXY_URLS; fi
	if given NO_PROXY_URLS; then export NO_PROXY=$NO_PROXY_URLS no_proxy=$NO_PROXY_URLS; fi
}

# Name and value of each setting that is there: a function to call with both.
each_proxy_setting() {
	local name
	for name in HTTP_PROXY HTTPS_PROXY NO_PROXY; do
		if given "${name}_URLS"; then
			local value=${name}_URLS
			"$1" "$name" "${!value}" && "$1" "${name,,}" "${!value}" || return
		fi
	done
}

proxy_lines() {
	# pam_env and systemd read this file; both take quotes.
	printf '%s="%s"\n' "$1" "$2"
}

proxy_default() {
	local value
	value=$(unit_text "$2") && printf 'DefaultEnvironment="%s=%s"\n' "$1" "$value"
}

manager_proxy() {
	printf '[Manager]\n'
	each_proxy_setting proxy_default
}

apt_proxy() {
	local name
	for name in http https; do
		local value=${name^^}_PROXY_URLS
		if given "$value"; then
			[[ ${!value} != *[\"\\]* ]] || return
			printf 'Acquire::%s::proxy "%s";\n' "$name" "${!value}"
		fi
	done
}

configureEtcEnvironment() {
	# An address with an account in it is a secret.
	local mode=0644
	[[ "${HTTP_PROXY_URLS:-}${HTTPS_PROXY_URLS:-}" != *@* ]] || mode=0600
	[[ "${HTTP_PROXY_URLS:-}${HTTPS_PROXY_URLS:-}${NO_PROXY_URLS:-}" != *[\"\\]* ]] ||
		fail "$ERR_NODE_INPUT_INVALID" 'a setting of the proxy has a quote or a backslash'
	must_put_section /etc/environment "$mode" 'aks proxy' "$(each_proxy_setting proxy_lines)"
	must_put /etc/systemd/system.conf.d/proxy.conf "$mode" manager_proxy
	if [ -d /etc/apt ]; then
		must_put /etc/apt/apt.conf.d/95proxy "$mode" apt_proxy
	fi
	must_put_text "$KUBELET_DROPINS/10-httpproxy.conf" 0644 $'[Service]\nEnvironmentFile=/etc/environment'
}

configureHTTPProxyCA() {
	put "$CA_ANCHORS/proxyCA.$CA_SUFFIX" 0644 decoded_certificate HTTP_PROXY_TRUSTED_CA ||
		fail "$ERR_UPDATE_CA_CERTS" 'HTTP_PROXY_TRUSTED_CA is not base64 of a certificate, or cannot be written'
	bounded 120 "${CA_COMMAND[@]}" || fail "$ERR_UPDATE_CA_CERTS" "${CA_COMMAND[0]} fails"
}

decoded_certificate() {
	local value=${!1:-}
	value=$(base64 -d <<<"${value//[[:space:]]/}" 2>/dev/null) && [[ $value == *-----BEGIN* ]] && printf '%s\n' "$value"
}

configureCustomCaCertificate() {
	local number name
	mkdir -p /opt/certs || fail "$ERR_UPDATE_CA_CERTS" '/opt/certs cannot be made'
	for ((number = 0; number < CUSTOM_CA_TRUST_COUNT; number++)); do
		name=CUSTOM_CA_CERT_$number
		given "$name" || continue
		put "/opt/certs/00000000000000cert$number.crt" 0644 decoded_certificate "$name" ||
			fail "$ERR_UPDATE_CA_CERTS" "$name is not base64 of a certificate, or cannot be written"
	done
	if unit_exists update_certs.service; then
		bounded 120 systemctl restart update_certs.service
	else
		[ ! -x /opt/scripts/update_certs.sh ] || bounded 120 /opt/scripts/update_certs.sh
	fi || fail "$ERR_UPDATE_CA_CERTS" 'the trust store cannot be updated'
}

disableSystemdResolved() {
	case $OS_VERSION in
	2[0-6].04) ;;
	*) return 0 ;;
	esac
	if [ -f /run/systemd/resolve/resolv.conf ]; then
		ln -sfn /run/systemd/resolve/resolv.conf /etc/resolv.conf
	fi
}

logPrivateEgressProxy() {
	say "traffic goes out through $(shown_url "$PRIVATE_EGRESS_PROXY_ADDRESS")"
}

## Network

setupCNIDirs() {
	mkdir -p /opt/cni/bin /etc/cni/net.d && chown -R root:root /opt/cni/bin /etc/cni/net.d &&
		chmod -R 0755 /opt/cni/bin && chmod 0755 /etc/cni/net.d
}

# The CNI list of Azure's plugin; with a policy its bridge becomes transparent.
azure_conflist() {
	if [ "${NETWORK_POLICY:-}" = calico ] || { given NETWORK_POLICY && [ "$NETWORK_POLICY" != none ]; }; then
		sed 's/"mode":\( *\)"bridge"/"mode":\1"transparent"/' "$1"
	else
		cat "$1"
	fi
}

configureCNI() {
	local module source=/opt/cni/bin/10-azure.conflist target=/etc/cni/net.d/10-azure.conflist
	for module in br_netfilter nf_conntrack; do
		load_module "$module" || fail "$ERR_MODPROBE_FAIL" "the module $module cannot be loaded"
		must_put_text "/etc/modules-load.d/$module.conf" 0644 "$module"
	done
	[ "${NETWORK_PLUGIN:-}" = azure ] || return 0
	if [ -e "$source" ]; then
		must_put "$target" 0600 azure_conflist "$source"
		rm -f "$source"
	elif [ ! -e "$target" ]; then
		warn "the CNI archive brought no ${source##*/}; the network's own pods have to bring a configuration"
	fi
	# Loads its modules.
	bounded 25 ebtables -t nat --list >/dev/null || warn 'ebtables does not work here'
}

ensureDHCPv6() {
	enable_and_start dhcpv6.service 30 || fail "$ERR_SYSTEMCTL_START_FAIL" 'dhcpv6.service does not start'
	load_module ip6_tables || fail "$ERR_MODPROBE_FAIL" 'the module ip6_tables cannot be loaded'
}

configPrivateClusterHosts() {
	is_host "$API_SERVER_NAME" || fail "$ERR_NODE_INPUT_INVALID" 'API_SERVER_NAME is no name'
	must_put_text "$UNITS/reconcile-private-hosts.service.d/10-fqdn.conf" 0644 \
		$'[Service]\nEnvironment="KUBE_API_SERVER_NAME='"$API_SERVER_NAME\""
	enable_and_start reconcile-private-hosts.service 30 ||
		fail "$ERR_SYSTEMCTL_START_FAIL" 'reconcile-private-hosts.service does not start'
}

ensureAzureNetworkConfig() {
	udevadm control --reload-rules && udevadm trigger --action=add --subsystem-match=net && udevadm settle --timeout=10
}

# The interface with a hardware address; one that belongs to another interface has the same address and is passed over.
interface_with() {
	local folder
	for folder in /sys/class/net/*; do
		if [ "$(cat "$folder/address" 2>/dev/null)" = "$1" ] && [ ! -e "$folder/master" ]; then
			printf '%s' "${folder##*/}"
			return
		fi
	done
	return 1
}

nic_is_there() {
	interface_with "$1" >/dev/null
}

configureSecondaryNICs() {
	local number mac interface has_ipv6
	for ((number = 1; number <= STANDARD_SECONDARY_NIC_COUNT; number++)); do
		mac=$(metadata ".network.interface[$number].macAddress | ascii_downcase | [scan(\"..\")] | join(\":\")")
		[[ $mac =~ ^([0-9a-f]{2}:){5}[0-9a-f]{2}$ ]] || fail "$ERR_SECONDARY_NIC_CONFIG_FAIL" "the metadata knows no network card $number"
		wait_until 15 nic_is_there "$mac" || fail "$ERR_SECONDARY_NIC_CONFIG_FAIL" "there is no network card with $mac"
		interface=$(interface_with "$mac")
		has_ipv6=$(metadata ".network.interface[$number].ipv6.ipAddress | length > 0") || has_ipv6=false
		configureNic "$number" "$interface" "$mac" "$has_ipv6" ||
			fail "$ERR_SECONDARY_NIC_CONFIG_FAIL" "the network card $interface cannot be configured"
	done
	applyNics || fail "$ERR_SECONDARY_NIC_CONFIG_FAIL" 'the configuration of network cards cannot be applied'
}

# The same card for systemd-networkd.
networkd_nic() {
	local number=$1 mac=$3 has_ipv6=$4 dhcp=ipv4
	[ "$has_ipv6" != true ] || dhcp=yes
	must_put_text "/etc/systemd/network/10-secondary-nic-$number.network" 0644 "[Match]
MACAddress=$mac

[Network]
DHCP=$dhcp
LinkLocalAddressing=ipv6

[DHCPv4]
RouteMetric=$((2000 + 100 * number))
UseDNS=no
UseDomains=no
SendRelease=no

[DHCPv6]
UseDNS=no
UseDomains=no"
}

## Kernel

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

## Swap

kilobytes_free() {
	df --output=avail --block-size=1024 "$1" 2>/dev/null | tail -n 1 | tr -d ' '
}

# Where the swap file goes: the resource disk if it has room, else the system's.
swap_place() {
	local wanted=$1 disk place
	disk=$(readlink -f /dev/disk/azure/resource-part1 2>/dev/null)
	if [ -b "$disk" ]; then
		place=$(findmnt --noheadings --first-only --output TARGET --source "$disk")
		if [ -n "$place" ] && [ "$(kilobytes_free "$place")" -gt "$wanted" ]; then
			printf '%s/swapfile' "${place%/}"
			return
		fi
	fi
	[ "$(kilobytes_free /)" -gt "$wanted" ] && printf /swapfile
}

has_active_swap() {
	swapon --show=NAME --noheadings | grep -qxF "$1"
}

make_swap() {
	(umask 077 && retry 24 5 25 fallocate --length "$2K" "$1") && chmod 0600 "$1" &&
		retry 24 5 25 mkswap "$1" && retry 24 5 25 swapon "$1" && has_active_swap "$1"
}

configureSwapFile() {
	local wanted=$((SWAP_FILE_SIZE_MB * 1000)) file
	file=$(swap_place "$wanted") ||
		fail "$ERR_SWAP_CREATE_INSUFFICIENT_DISK_SPACE" "no disk has ${SWAP_FILE_SIZE_MB} MB for the swap file"
	if ! has_active_swap "$file"; then
		rm -f "$file"
		if ! make_swap "$file" "$wanted"; then
			swapoff "$file" 2>/dev/null
			rm -f "$file"
			fail "$ERR_SWAP_CREATE_FAIL" "$file cannot be made or is not taken as swap"
		fi
	fi
	keep_swap "$file"
}

# Lines of fstab with this swap file in place of any earlier one.
fstab_with() {
	awk '!($3 == "swap" && $1 ~ /\/swapfile$/)' /etc/fstab 2>/dev/null
	printf '%s none swap sw,noauto,nofail 0 0\n' "$1"
}

# Swap that comes back with the next boot.
keep_swap() {
	local file=$1 mode=0644
	[ ! -e /etc/fstab ] || mode=$(stat --format=%a /etc/fstab)
	put /etc/fstab "$mode" fstab_with "$file" || fail "$ERR_SWAP_CREATE_FAIL" '/etc/fstab cannot be written'
	must_put_text "$CONTAINERS/aks-swapfile.sh" 0755 "#!/bin/bash
swapon --show=NAME --noheadings | grep -qxF '$file' || swapon '$file'"
	must_put_text "$UNITS/aks-swapfile.service" 0644 "[Unit]
Description=Swap file
Before=kubelet.service
RequiresMountsFor=$file
ConditionPathExists=$file

[Service]
Type=oneshot
RemainAfterExit=yes
ExecStart=$CONTAINERS/aks-swapfile.sh

[Install]
WantedBy=multi-user.target"
	enable_and_start aks-swapfile.service 30 || fail "$ERR_SWAP_CREATE_FAIL" 'aks-swapfile.service does not start'
}

reconcileSwapFilePersistence() {
	local file
	for file in $(swapon --show=NAME --noheadings | grep '/swapfile$') /swapfile; do
		if has_active_swap "$file"; then
			keep_swap "$file"
			return
		fi
	done
	configureSwapFile
}

## Modules that are kept out

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

unbindHyperVTimeSync() {
	local device
	for device in /sys/bus/vmbus/drivers/hv_util/*-*; do
		if [ "$(cat "$device/class_id" 2>/dev/null)" = '{9527e630-d0ae-497b-adce-e80ab0175caf}' ]; then
			printf '%s' "${device##*/}" >/sys/bus/vmbus/drivers/hv_util/unbind
			put_section /etc/rc.local 0755 'aks time' "printf %s '${device##*/}' >/sys/bus/vmbus/drivers/hv_util/unbind"
		fi
	done
}

# Package triggers would rebuild the manual's index again and again.
quietManDb() {
	if [ -e /var/lib/man-db/auto-update ]; then
		rm -f /var/lib/man-db/auto-update
		: >"$CONTAINERS/man-db-is-quiet"
	fi
}

wakeManDb() {
	[ -e "$CONTAINERS/man-db-is-quiet" ] || return 0
	: >/var/lib/man-db/auto-update
	rm -f "$CONTAINERS/man-db-is-quiet"
	if command -v mandb >/dev/null; then
		(setsid nice mandb --quiet >/dev/null 2>&1 </dev/null &)
	fi
}

## containerd

setContainerdUlimits() {
	local text=${CONTAINERD_ULIMITS:-} settings='^[][A-Za-z0-9=: ._-]*$'
	[[ $text =~ $settings ]] || fail "$ERR_NODE_INPUT_INVALID" 'CONTAINERD_ULIMITS has more than settings in it'
	must_put_text "$CONTAINERD_DROPINS/set_ulimits.conf" 0600 "${text// /$'\n'}"
}

# Whether the driver's own runtime is in the configuration that is there already.
keeps_containerd_config() {
	grep -qs '/usr/bin/nvidia-container-runtime' /etc/containerd/config.toml
}

registry_host() {
	printf '%s' "${BOOTSTRAP_PROFILE_CONTAINER_REGISTRY_SERVER%%/*}"
}

mcr_host() {
	local host=${MCR_REPOSITORY_BASE:-mcr.microsoft.com}
	printf '%s' "${host%%/*}"
}

ensureContainerd() {
	must_put_text "$CONTAINERD_DROPINS/exec_start.conf" 0644 '[Service]
ExecStartPost=/sbin/iptables -P FORWARD ACCEPT
LimitNOFILE=1048576'
	ensureReservedCgroups
	local content=CONTAINERD_CONFIG_CONTENT
	if on GPU_NODE && has_tag SkipGpuDriverInstall; then
		content=CONTAINERD_CONFIG_NO_GPU_CONTENT
	fi
	if ! keeps_containerd_config; then
		given "$content" || fail "$ERR_FILE_WATCH_TIMEOUT" "$content is empty"
		# The image may have a link there.
		put /etc/containerd/config.toml 0644 decoded "$content" ||
			fail "$ERR_FILE_WATCH_TIMEOUT" "$content is not base64, or containerd's configuration cannot be written"
	fi
	if given BOOTSTRAP_PROFILE_CONTAINER_REGISTRY_SERVER; then
		local path=${BOOTSTRAP_PROFILE_CONTAINER_REGISTRY_SERVER#"$(registry_host)"}
		must_put_text "/etc/containerd/certs.d/$(mcr_host)/hosts.toml" 0644 "[host.\"https://$(registry_host)/v2${path%/}\"]
  capabilities = [\"pull\", \"resolve\"]
  override_path = true"
	elif is_in_china; then
		must_put_text /etc/containerd/certs.d/mcr.azk8s.cn/hosts.toml 0644 '[host."https://mcr.azure.cn"]
  capabilities = ["pull", "resolve"]
  [host."https://mcr.azure.cn".header]
    X-Forwarded-For = ["mcr.azk8s.cn"]'
	fi
	must_put_text /etc/sysctl.d/99-force-bridge-forward.conf 0644 'net.ipv4.ip_forward = 1
net.ipv4.conf.all.forwarding = 1
net.ipv6.conf.all.forwarding = 1
net.bridge.bridge-nf-call-iptables = 1'
	# Only these: what an earlier run left may be broken, and is replaced later.
	retry 120 5 25 sysctl --quiet --load=/etc/sysctl.d/99-force-bridge-forward.conf ||
		fail "$ERR_SYSCTL_RELOAD" 'the settings for forwarding cannot be applied'
	enable_and_start containerd.service 30 --no-block || fail "$ERR_SYSTEMCTL_START_FAIL" 'containerd.service cannot be started'
}

retagImages() {
	local image name
	containerd_is_ready || fail "$ERR_CTR_OPERATION_ERROR" 'containerd does not answer'
	for image in $(ctr --namespace k8s.io images list --quiet | grep '^mcr.microsoft.com/'); do
		for name in mcr.azure.cn mcr.azk8s.cn; do
			bounded 60 ctr --namespace k8s.io images tag --force "$image" "$name/${image#*/}" >/dev/null ||
				warn "$image is not known as $name/${image#*/}"
		done
	done
}

# A unit that starts again and again has not failed, so only an answer says that it works.
checkContainerd() {
	if ! is_healthy containerd.service || ! containerd_is_ready; then
		timeout 10 journalctl --no-pager --boot --unit=containerd --lines=20
		fail "$ERR_SYSTEMCTL_START_FAIL" 'containerd does not answer; see journalctl -u containerd'
	fi
}

ensureArtifactStreaming() {
	local unit
	containerd_is_ready || fail "$ERR_ARTIFACT_STREAMING_INSTALL" 'containerd does not answer'
	for unit in acr-mirror overlaybd-tcmu overlaybd-snapshotter; do
		enable_and_start "$unit.service" 25 || fail "$ERR_ARTIFACT_STREAMING_INSTALL" "$unit.service does not start"
	done
	if [ -x /opt/acr/tools/mirror/setup.sh ]; then
		bounded 120 /opt/acr/tools/mirror/setup.sh aks
	else
		bounded 120 /opt/acr/bin/acr-config --enable-containerd azurecr.io
	fi || fail "$ERR_ARTIFACT_STREAMING_INSTALL" 'streaming from Azure registries cannot be enabled'
}

configureKubenetTemplate() {
	must_put_decoded /etc/containerd/kubenet_template.conf 0644 KUBENET_TEMPLATE
}

## Reserved memory

# A cgroup that kubelet is told to reserve, from its configuration file or its flags.
reserved_cgroup() {
	if on KUBELET_CONFIG_FILE_ENABLED && given KUBELET_CONFIG_FILE_CONTENT; then
		decoded KUBELET_CONFIG_FILE_CONTENT | jq -r --arg key "$1" '.[$key] // empty' 2>/dev/null
	else
		kubelet_flag "$2"
	fi
}

ensureReservedCgroups() {
	local kube system
	kube=$(reserved_cgroup kubeReservedCgroup --kube-reserved-cgroup)
	system=$(reserved_cgroup systemReservedCgroup --system-reserved-cgroup)
	[ -n "$kube$system" ] || return 0
	[ "${kube#/}" = kubereserved.slice ] || [ -z "$kube" ] || fail "$ERR_KUBELET_START_FAIL" "the cgroup $kube cannot be reserved: only kubereserved.slice"
	[ "${system#/}" = system.slice ] || [ -z "$system" ] || fail "$ERR_KUBELET_START_FAIL" "the cgroup $system cannot be reserved: only system.slice"
	[ -e /sys/fs/cgroup/cgroup.controllers ] || fail "$ERR_KUBELET_START_FAIL" 'reserved cgroups need cgroups of version 2'
	[ -n "$kube" ] || return 0
	local folder
	must_put_text "$UNITS/kubereserved.slice" 0644 '[Unit]
Description=What Kubernetes needs for itself
Before=slices.target

[Install]
WantedBy=slices.target'
	for folder in "$KUBELET_DROPINS" "$CONTAINERD_DROPINS"; do
		must_put_text "$folder/10-kubereserved-slice.conf" 0644 '[Unit]
Wants=kubereserved.slice
After=kubereserved.slice

[Service]
Slice=kubereserved.slice'
	done
	enable_and_start kubereserved.slice 30 || fail "$ERR_KUBELET_START_FAIL" 'kubereserved.slice does not start'
}

has_reserved_slice() {
	[ -e "$KUBELET_DROPINS/10-kubereserved-slice.conf" ]
}

## Local DNS

has_localdns() {
	unit_exists localdns.service && [ -x "$CONTAINERS/localdns/localdns.sh" ]
}

localdns_environment() {
	local name
	for name in LOCALDNS_COREFILE_BASE LOCALDNS_COREFILE_WITH_HOSTS SHOULD_ENABLE_HOSTS_PLUGIN LOCALDNS_CRITICAL_FQDNS; do
		environment_line "$name" "${!name:-}" || return
	done
	# The name that older images read.
	environment_line LOCALDNS_BASE64_ENCODED_COREFILE "${LOCALDNS_COREFILE_BASE:-${LOCALDNS_GENERATED_COREFILE:-}}"
}

enableAKSLocalDNSHostsSetup() {
	local seconds=${LOCALDNS_HOSTS_PLUGIN_REFRESH_INTERVAL_IN_SECONDS:-}
	if ! unit_exists aks-localdns-hosts-setup.timer; then
		warn 'this image has no aks-localdns-hosts-setup.timer; local DNS works without its hosts'
		return 0
	fi
	is_number "$seconds" || seconds=900
	[ "$seconds" -ge 5 ] || seconds=5
	[ -e /etc/localdns/hosts ] || put /etc/localdns/hosts 0644 true || return
	put /etc/localdns/environment 0644 environment_line LOCALDNS_CRITICAL_FQDNS "${LOCALDNS_CRITICAL_FQDNS:-}" &&
		put_text "$UNITS/aks-localdns-hosts-setup.timer.d/10-refresh-interval.conf" 0644 "[Timer]
OnUnitActiveSec=
OnUnitActiveSec=${seconds}s
AccuracySec=1s" &&
		enable_and_start aks-localdns-hosts-setup.timer 30 --no-block
}

enableLocalDNS() {
	if ! has_localdns; then
		warn 'this image has no local DNS; names are looked up without it'
		return 0
	fi
	local content=LOCALDNS_COREFILE_BASE
	given "$content" || content=LOCALDNS_GENERATED_COREFILE
	given "$content" || fail "$ERR_LOCALDNS_FAIL" 'LOCALDNS_COREFILE_BASE is empty'
	[[ ${LOCALDNS_MEMORY_LIMIT:-128M} =~ ^[0-9]+[KMGT]?$ && ${LOCALDNS_CPU_LIMIT:-200.0%} =~ ^[0-9]+(\.[0-9]+)?%?$ ]] ||
		fail "$ERR_LOCALDNS_FAIL" 'LOCALDNS_MEMORY_LIMIT or LOCALDNS_CPU_LIMIT is no limit'
	local cpu=${LOCALDNS_CPU_LIMIT:-200.0%}
	put "$CONTAINERS/localdns/localdns.corefile" 0644 decoded "$content" ||
		fail "$ERR_LOCALDNS_FAIL" "$content is not base64, or the corefile cannot be written"
	put /etc/localdns/environment 0644 localdns_environment ||
		fail "$ERR_LOCALDNS_FAIL" 'a variable of local DNS has a line break, or its environment cannot be written'
	put_text "$UNITS/localdns.slice" 0644 "[Unit]
Description=Local DNS

[Slice]
MemoryMax=${LOCALDNS_MEMORY_LIMIT:-128M}
CPUQuota=${cpu%\%}%" || fail "$ERR_LOCALDNS_FAIL" 'localdns.slice cannot be written'
	if ! on SHOULD_ENABLE_HOSTS_PLUGIN; then
		disable_and_stop aks-localdns-hosts-setup.timer
		rm -f "$UNITS/aks-localdns-hosts-setup.timer.d/10-refresh-interval.conf" /etc/localdns/hosts
	fi
	enable_and_start localdns.service 30 || fail "$ERR_LOCALDNS_FAIL" 'localdns.service does not start; see journalctl -u localdns'
}

labelLocalDNSExporter() {
	KUBELET_NODE_LABELS=$(with , "${KUBELET_NODE_LABELS:-}" kubernetes.azure.com/localdns-exporter=enabled)
}

configureLocalDNSExporterSocket() {
	local address
	address=$(primary_address) && is_ipv4 "$address" || return 1
	put_text "$UNITS/localdns-exporter.socket.d/10-listen-address.conf" 0644 "[Socket]
ListenStream=
ListenStream=$address:9353
FreeBind=yes" && enable_and_start localdns-exporter.socket 30 --no-block
}

## Cloud provider

# azure.json, from the environment, so that no secret is an argument.
azure_json() {
	jq --null-input '
		def text(name): env[name] // "";
		def bare(name): (env[name] // "") | if . == "" then null else (fromjson? // .) end;
		{
			cloud: text("TARGET_CLOUD"),
			tenantId: text("TENANT_ID"),
			subscriptionId: text("SUBSCRIPTION_ID"),
			aadClientId: text("SERVICE_PRINCIPAL_CLIENT_ID"),
			aadClientSecret: (text("SERVICE_PRINCIPAL_FILE_CONTENT") | @base64d),
			resourceGroup: text("RESOURCE_GROUP"),
			location: text("LOCATION"),
			vmType: text("VM_TYPE"),
			subnetName: text("SUBNET"),
			securityGroupName: text("NETWORK_SECURITY_GROUP"),
			vnetName: text("VIRTUAL_NETWORK"),
			vnetResourceGroup: text("VIRTUAL_NETWORK_RESOURCE_GROUP"),
			routeTableName: text("ROUTE_TABLE"),
			primaryAvailabilitySetName: text("PRIMARY_AVAILABILITY_SET"),
			primaryScaleSetName: text("PRIMARY_SCALE_SET"),
			cloudProviderBackoffMode: text("CLOUDPROVIDER_BACKOFF_MODE"),
			cloudProviderBackoff: bare("CLOUDPROVIDER_BACKOFF"),
			cloudProviderBackoffRetries: bare("CLOUDPROVIDER_BACKOFF_RETRIES"),
			cloudProviderBackoffExponent: bare("CLOUDPROVIDER_BACKOFF_EXPONENT"),
			cloudProviderBackoffDuration: bare("CLOUDPROVIDER_BACKOFF_DURATION"),
			cloudProviderBackoffJitter: bare("CLOUDPROVIDER_BACKOFF_JITTER"),
			cloudProviderRateLimit: bare("CLOUDPROVIDER_RATELIMIT"),
			cloudProviderRateLimitQPS: bare("CLOUDPROVIDER_RATELIMIT_QPS"),
			cloudProviderRateLimitBucket: bare("CLOUDPROVIDER_RATELIMIT_BUCKET"),
			cloudProviderRateLimitQPSWrite: bare("CLOUDPROVIDER_RATELIMIT_QPS_WRITE"),
			cloudProviderRateLimitBucketWrite: bare("CLOUDPROVIDER_RATELIMIT_BUCKET_WRITE"),
			useManagedIdentityExtension: bare("USE_MANAGED_IDENTITY_EXTENSION"),
			userAssignedIdentityID: text("USER_ASSIGNED_IDENTITY_ID"),
			useInstanceMetadata: bare("USE_INSTANCE_METADATA"),
			loadBalancerSku: text("LOAD_BALANCER_SKU"),
			disableOutboundSNAT: bare("LOAD_BALANCER_DISABLE_OUTBOUND_SNAT"),
			excludeMasterFromStandardLB: bare("EXCLUDE_MASTER_FROM_STANDARD_LB"),
			providerVaultName: text("KMS_PROVIDER_VAULT_NAME"),
			maximumLoadBalancerRuleCount: bare("MAXIMUM_LOADBALANCER_RULE_COUNT"),
			providerKeyName: "k8s",
			providerKeyVersion: ""
		}
		| if .cloudProviderBackoffMode == "v2" then del(.cloudProviderBackoffExponent, .cloudProviderBackoffJitter) else . end
		| with_entries(select(.value != null))'
}

configureAzureJson() {
	must_put "$KUBERNETES/azure.json" 0600 azure_json
	on IS_CUSTOM_CLOUD || return 0
	[[ ${TARGET_ENVIRONMENT:-} =~ ^[A-Za-z0-9._-]+$ ]] || fail "$ERR_NODE_INPUT_INVALID" 'TARGET_ENVIRONMENT is no name of a file'
	must_put_decoded "$KUBERNETES/${TARGET_ENVIRONMENT,,}.json" 0600 CUSTOM_ENV_JSON
}

# Certificates are for kubelet and those who run as root.
ensureKubeCACert() {
	decoded_certificate KUBE_CA_CRT >/dev/null || fail "$ERR_NODE_INPUT_INVALID" 'KUBE_CA_CRT is not base64 of a certificate'
	must_put "$KUBERNETES/certs/ca.crt" 0600 decoded_certificate KUBE_CA_CRT
}

## kubelet's certificates and configuration

make_serving_certificate() {
	local folder=$KUBERNETES/certs key certificate name=${HOSTNAME,,}
	mkdir -p "$folder" || return
	if [ -s "$folder/kubeletserver.key" ] && [ -s "$folder/kubeletserver.crt" ]; then
		return 0
	fi
	key=$(umask 077 && mktemp "$folder/.kubeletserver.key.XXXXXX") && certificate=$(mktemp "$folder/.kubeletserver.crt.XXXXXX") || return
	if openssl req -x509 -newkey rsa:2048 -nodes -days 7300 -subj "/CN=$name" -addext "subjectAltName=DNS:$name" \
		-keyout "$key" -out "$certificate" 2>/dev/null &&
		chmod 0600 "$key" && chmod 0644 "$certificate" && sync "$key" "$certificate" &&
		mv -fT "$key" "$folder/kubeletserver.key" && mv -fT "$certificate" "$folder/kubeletserver.crt"; then
		return 0
	fi
	rm -f "$key" "$certificate"
	return 1
}

# Changes kubelet's configuration file, where there is one, by a jq filter.
change_kubelet_config() {
	local changed
	given KUBELET_CONFIG_FILE_CONTENT || return 0
	changed=$(decoded KUBELET_CONFIG_FILE_CONTENT | jq --indent 4 "$1") ||
		fail "$ERR_NODE_INPUT_INVALID" 'KUBELET_CONFIG_FILE_CONTENT is no JSON'
	KUBELET_CONFIG_FILE_CONTENT=$(base64 --wrap=0 <<<"$changed")
}

# Decides where kubelet's serving certificate comes from. Changes KUBELET_FLAGS, KUBELET_CONFIG_FILE_CONTENT and
# KUBELET_NODE_LABELS, so it goes before the steps that write them.
configureKubeletServing() {
	local opted_out=false label=kubernetes.azure.com/kubelet-serving-ca
	if on ENABLE_KUBELET_SERVING_CERTIFICATE_ROTATION; then
		opted_out=$(tag aks-disable-kubelet-serving-certificate-rotation) ||
			fail "$ERR_LOOKUP_DISABLE_KUBELET_SERVING_CERTIFICATE_ROTATION_TAG" 'the tags of this machine are not known'
		if [ "$opted_out" = false ]; then
			KUBELET_FLAGS=$(without ' ' "$KUBELET_FLAGS" --tls-cert-file --tls-private-key-file)
			change_kubelet_config 'del(.tlsCertFile, .tlsPrivateKeyFile)'
			KUBELET_NODE_LABELS=$(with , "${KUBELET_NODE_LABELS:-}" "$label=cluster")
			return 0
		fi
		if kubelet_flag --rotate-server-certificates >/dev/null; then
			KUBELET_FLAGS=$(with ' ' "$KUBELET_FLAGS" --rotate-server-certificates=false)
		fi
		change_kubelet_config '.serverTLSBootstrap = false'
		KUBELET_NODE_LABELS=$(without , "${KUBELET_NODE_LABELS:-}" "$label")
	fi
	make_serving_certificate || fail "$ERR_NODE_FILE_WRITE_FAIL" "kubelet's serving certificate cannot be made"
}

configureK8s() {
	if given APISERVER_PUBLIC_KEY; then
		must_put_decoded "$KUBERNETES/certs/apiserver.crt" 0644 APISERVER_PUBLIC_KEY
	fi
	if ! on ENABLE_SECURE_TLS_BOOTSTRAPPING && ! given TLS_BOOTSTRAP_TOKEN && given KUBELET_CLIENT_CONTENT; then
		must_put_decoded "$KUBERNETES/certs/client.key" 0600 KUBELET_CLIENT_CONTENT
		must_put_decoded "$KUBERNETES/certs/client.crt" 0644 KUBELET_CLIENT_CERT_CONTENT
	fi
	if on KUBELET_CONFIG_FILE_ENABLED; then
		must_put_decoded /etc/default/kubeletconfig.json 0600 KUBELET_CONFIG_FILE_CONTENT
		must_put_text "$KUBELET_DROPINS/10-componentconfig.conf" 0600 '[Service]
Environment="KUBELET_CONFIG_FILE_FLAGS=--config /etc/default/kubeletconfig.json"'
	fi
}

secure_tls_flags() {
	local flags name value
	flags="--aad-resource=${SECURE_TLS_BOOTSTRAPPING_AAD_RESOURCE:-6dae42f8-4368-4678-94ff-3960e28e3630}"
	flags+=" --apiserver-fqdn=$API_SERVER_NAME --cloud-provider-config=$KUBERNETES/azure.json"
	while read -r name value; do
		if given "$name"; then
			[[ ${!name} =~ ^[A-Za-z0-9._:/-]+$ ]] || return
			flags+=" $value=${!name}"
		fi
	done <<'FLAGS'
SECURE_TLS_BOOTSTRAPPING_USER_ASSIGNED_IDENTITY_ID --user-assigned-identity-id
SECURE_TLS_BOOTSTRAPPING_VALIDATE_KUBECONFIG_TIMEOUT --validate-kubeconfig-timeout
SECURE_TLS_BOOTSTRAPPING_GET_ACCESS_TOKEN_TIMEOUT --get-access-token-timeout
SECURE_TLS_BOOTSTRAPPING_GET_INSTANCE_DATA_TIMEOUT --get-instance-data-timeout
SECURE_TLS_BOOTSTRAPPING_GET_NONCE_TIMEOUT --get-nonce-timeout
SECURE_TLS_BOOTSTRAPPING_GET_ATTESTED_DATA_TIMEOUT --get-attested-data-timeout
SECURE_TLS_BOOTSTRAPPING_GET_CREDENTIAL_TIMEOUT --get-credential-timeout
FLAGS
	environment_line BOOTSTRAP_FLAGS "$flags" || return
	! given AZURE_ENVIRONMENT_FILEPATH || environment_line AZURE_ENVIRONMENT_FILEPATH "$AZURE_ENVIRONMENT_FILEPATH"
}

configureAndEnableSecureTLSBootstrapping() {
	must_put /etc/default/secure-tls-bootstrap 0600 secure_tls_flags
	must_put_text "$UNITS/secure-tls-bootstrap.service.d/10-securetlsbootstrap.conf" 0600 '[Unit]
Before=kubelet.service

[Service]
EnvironmentFile=/etc/default/secure-tls-bootstrap

[Install]
WantedBy=kubelet.service'
	bounded 25 systemctl daemon-reload
	retry 120 5 25 systemctl enable --quiet secure-tls-bootstrap.service ||
		fail "$ERR_SECURE_TLS_BOOTSTRAP_ENABLE_FAILURE" 'secure-tls-bootstrap.service cannot be enabled'
}

checkSecureTLSBootstrap() {
	is_healthy secure-tls-bootstrap.service
}

prepareKubeletFolders() {
	mkdir -p "$KUBERNETES/manifests" "$KUBELET_DROPINS" || fail "$ERR_NODE_FILE_WRITE_FAIL" "$KUBERNETES or $KUBELET_DROPINS cannot be made"
	# The first start of the binary takes long, for it is read from the disk.
	(setsid /opt/bin/kubelet --version >/dev/null 2>&1 </dev/null &)
}

configureKubeletCgroups() {
	must_put_text "$KUBELET_DROPINS/10-cgroupv2.conf" 0644 '[Service]
Environment="KUBELET_CGROUP_FLAGS=--cgroup-driver=systemd"'
}

configureKubeletContainerdFlags() {
	local cgroup=/system.slice/containerd.service
	! has_reserved_slice || cgroup=/kubereserved.slice/containerd.service
	must_put_text "$KUBELET_DROPINS/10-containerd-base-flag.conf" 0644 "[Service]
Environment=\"KUBELET_CONTAINERD_FLAGS=--runtime-request-timeout=15m --container-runtime-endpoint=unix:///run/containerd/containerd.sock --runtime-cgroups=$cgroup\""
}

configureKubeletRuntimeFlag() {
	must_put_text "$KUBELET_DROPINS/10-container-runtime-flag.conf" 0644 '[Service]
Environment="KUBELET_CONTAINER_RUNTIME_FLAG=--container-runtime=remote"'
}

configureKubeletDisk() {
	must_put_text "$KUBELET_DROPINS/10-bindmount.conf" 0644 '[Unit]
Requires=bind-mount.service
After=bind-mount.service'
}

## Checks of the network

# Whether a command of the renderer reaches the registry. It is words, not shell text: none of it is evaluated.
checkOutbound() {
	local words output=${PROVISION_OUTPUT:-$LOGS/cluster-provision-cse-output.log}
	read -r -a words <<<"$OUTBOUND_COMMAND"
	[ "${words[0]:-}" = curl ] || fail "$ERR_OUTBOUND_CONN_FAIL" 'OUTBOUND_COMMAND is no call of curl'
	retry 20 1 15 "${words[@]}" >>"$output" 2>&1 ||
		fail "$ERR_OUTBOUND_CONN_FAIL" "${words[-1]} cannot be reached; see $output"
}

markOutboundSkipped() {
	: >/var/run/outbound-check-skipped
	: >/opt/azure/outbound-check-skipped
}

checkApiServer() {
	local name=$API_SERVER_NAME seconds=300 tries=34
	if is_ipv4 "$name"; then
		retry 300 1 10 nc -z -w 10 "$name" 443 || fail "$ERR_K8S_API_SERVER_CONN_FAIL" "the API server at $name cannot be reached"
		return
	fi
	[[ $name != *.privatelink.* ]] || seconds=600 tries=68
	if ! on ENABLE_HOSTS_CONFIG_AGENT; then
		check_name "$name" "$seconds"
	fi
	retry "$tries" 1 15 curl --silent --show-error --output /dev/null --cacert "$KUBERNETES/certs/ca.crt" "https://$name" ||
		bounded 60 curl --verbose --silent --show-error --output /dev/null --cacert "$KUBERNETES/certs/ca.crt" "https://$name" ||
		fail "$ERR_K8S_API_SERVER_CONN_FAIL" "the API server $name cannot be reached, or its certificate is not of this cluster"
}

# Waits until a name resolves: NAME SECONDS.
check_name() {
	local name=$1 until=$((EPOCHSECONDS + $2)) answer
	while ! answer=$(bounded 15 nslookup -timeout=15 -retry=0 "$name" 2>&1); do
		if [ "$EPOCHSECONDS" -ge "$until" ] || [ "$(seconds_left)" -le 1 ]; then
			if [[ $answer == *168.63.129.16* ]]; then
				fail "$ERR_K8S_API_SERVER_AZURE_DNS_LOOKUP_FAIL" "Azure's DNS does not know the API server $name"
			fi
			fail "$ERR_K8S_API_SERVER_DNS_LOOKUP_FAIL" "the name of the API server $name does not resolve"
		fi
		sleep 1
	done
}

## kubelet

kubelet_defaults() {
	environment_line KUBELET_FLAGS "$KUBELET_FLAGS" &&
		environment_line KUBELET_REGISTER_SCHEDULABLE true &&
		environment_line NETWORK_POLICY "${NETWORK_POLICY:-}" &&
		environment_line KUBELET_IMAGE "${KUBELET_IMAGE:-}" &&
		environment_line KUBELET_NODE_LABELS "${KUBELET_NODE_LABELS:-}" || return
	! given AZURE_ENVIRONMENT_FILEPATH || environment_line AZURE_ENVIRONMENT_FILEPATH "$AZURE_ENVIRONMENT_FILEPATH"
}

# The first network card's addresses, as kubelet takes them: both families with a comma.
node_ip() {
	metadata '.network.interface[0] | [.ipv4.ipAddress[0].privateIpAddress, .ipv6.ipAddress[0].privateIpAddress]
		| map(select(. != null and . != "")) | join(",")'
}

# A kubeconfig: user, context, and lines of the user's credentials. JSON is YAML too, and takes any text.
kubeconfig() {
	SERVER="https://$API_SERVER_NAME:443" USER_NAME=$1 CONTEXT=$2 jq --null-input "{
		apiVersion: \"v1\",
		kind: \"Config\",
		clusters: [{name: \"localcluster\", cluster: {\"certificate-authority\": \"$KUBERNETES/certs/ca.crt\", server: env.SERVER}}],
		users: [{name: env.USER_NAME, user: $3}],
		contexts: [{name: env.CONTEXT, context: {cluster: \"localcluster\", user: env.USER_NAME}}],
		\"current-context\": env.CONTEXT
	}"
}

write_kubeconfigs() {
	if given TLS_BOOTSTRAP_TOKEN; then
		export TLS_BOOTSTRAP_TOKEN
		must_put "$KUBELET_ROOT/bootstrap-kubeconfig" 0600 kubeconfig kubelet-bootstrap bootstrap-context '{token: env.TLS_BOOTSTRAP_TOKEN}'
		must_put_text "$KUBELET_DROPINS/10-tlsbootstrap.conf" 0600 "[Service]
Environment=\"KUBELET_TLS_BOOTSTRAP_FLAGS=--kubeconfig $KUBELET_ROOT/kubeconfig --bootstrap-kubeconfig $KUBELET_ROOT/bootstrap-kubeconfig\""
		must_put_text "$KUBELET_DROPINS/10-credential-validation.conf" 0600 "[Service]
Environment=\"CREDENTIAL_VALIDATION_KUBE_CA_FILE=$KUBERNETES/certs/ca.crt\"
Environment=\"CREDENTIAL_VALIDATION_APISERVER_URL=https://$API_SERVER_NAME:443\""
	elif on ENABLE_SECURE_TLS_BOOTSTRAPPING; then
		# The client writes its own; one that names a certificate that is not there would only mislead it.
		:
	elif [ ! -s "$KUBELET_ROOT/kubeconfig" ] || grep -q /certs/client.key "$KUBELET_ROOT/kubeconfig"; then
		must_put "$KUBELET_ROOT/kubeconfig" 0600 kubeconfig client localclustercontext \
			"{\"client-certificate\": \"$KUBERNETES/certs/client.crt\", \"client-key\": \"$KUBERNETES/certs/client.key\"}"
	fi
}

# With secure TLS bootstrapping and no token, kubelet reads the kubeconfig that the client writes.
configureKubeconfigFlag() {
	if ! given TLS_BOOTSTRAP_TOKEN && on ENABLE_SECURE_TLS_BOOTSTRAPPING; then
		must_put_text "$KUBELET_DROPINS/10-tlsbootstrap.conf" 0600 "[Service]
Environment=\"KUBELET_TLS_BOOTSTRAP_FLAGS=--kubeconfig $KUBELET_ROOT/kubeconfig\""
	fi
}

# What kubelet asks for the credentials of images, for azurecr.io and an isolated cluster's own names.
credential_provider_config() {
	local mcr
	mcr=$(mcr_host)
	jq --null-input --arg azure_json "$KUBERNETES/azure.json" --arg mcr "$mcr" '
		def text(name): env[name] // "";
		def flag(name; value): if value == "" then [] else ["--" + name + "=" + value] end;
		text("BOOTSTRAP_PROFILE_CONTAINER_REGISTRY_SERVER") as $registry
		| text("AKS_CUSTOM_CLOUD_CONTAINER_REGISTRY_DNS_SUFFIX") as $suffix
		| (text("SERVICE_ACCOUNT_IMAGE_PULL_ENABLED") == "true") as $by_account
		| ["azurecr.io", "azurecr.cn", "azurecr.de", "azurecr.us"] as $registries
		| {
			kind: "CredentialProviderConfig",
			apiVersion: "kubelet.config.k8s.io/v1",
			providers: [{
				name: "acr-credential-provider",
				matchImages: (
					[$registries[] | "*." + .] + [$registries[] | "*.*.geo." + .]
					+ if $suffix == "" then [] else ["*" + $suffix] end
					+ if $registry == "" then [] else [$mcr] end
				),
				defaultCacheDuration: "10m",
				apiVersion: "credentialprovider.kubelet.k8s.io/v1",
				args: (
					[$azure_json]
					+ if $registry == "" then [] else ["--registry-mirror=" + $mcr + ":" + $registry] end
					+ if $by_account then
						flag("ib-sni-name"; text("IDENTITY_BINDINGS_LOCAL_AUTHORITY_SNI"))
						+ flag("ib-default-client-id"; text("SERVICE_ACCOUNT_IMAGE_PULL_DEFAULT_CLIENT_ID"))
						+ flag("ib-default-tenant-id"; text("SERVICE_ACCOUNT_IMAGE_PULL_DEFAULT_TENANT_ID"))
						+ flag("ib-apiserver-ip"; text("API_SERVER_NAME"))
					else [] end
				)
			} + if $by_account then {
				tokenAttributes: {
					serviceAccountTokenAudience: "api://AKSIdentityBinding",
					requireServiceAccount: false,
					cacheType: "ServiceAccount",
					optionalServiceAccountAnnotationKeys: ["kubernetes.azure.com/acr-client-id"]
				}
			} else {} end]
		}'
}

configureCredentialProvider() {
	kubelet_flag --image-credential-provider-config >/dev/null && kubelet_flag --image-credential-provider-bin-dir >/dev/null || return 0
	must_put "$KUBELET_ROOT/credential-provider-config.yaml" 0644 credential_provider_config
	installCredentialProvider
}

ensureKubelet() {
	local address
	if kubernetes_ge 1.29.0 && address=$(node_ip) && [ -n "$address" ]; then
		KUBELET_FLAGS=$(with ' ' "$KUBELET_FLAGS" "--node-ip=$address")
	fi
	must_put /etc/default/kubelet 0600 kubelet_defaults
	write_kubeconfigs
	configureKubeconfigFlag
	address=$(primary_address) || address=
	must_put_text "$KUBELET_DROPINS/10-ensure-imds-restriction.conf" 0600 "[Service]
Environment=\"PRIMARY_NIC_IP=$address\"
Environment=\"ENABLE_IMDS_RESTRICTION=$(word "${ENABLE_IMDS_RESTRICTION:-}")\"
Environment=\"INSERT_IMDS_RESTRICTION_RULE_TO_MANGLE_TABLE=$(word "${INSERT_IMDS_RESTRICTION_RULE_TO_MANGLE_TABLE:-}")\""
	if kubernetes_ge 1.32.0; then
		must_put_text "$KUBELET_DROPINS/10-watchdog.conf" 0644 $'[Service]\nWatchdogSec=60s'
	fi
	ensureReservedCgroups
	configureKubeletContainerdFlags
	configureCredentialProvider
	if is_isolated; then
		pullPauseImage
	fi
	printf '%(%F %T)T.%s\n' -1 000 >"$CONTAINERS/tls-bootstrap-start-time"
	enable_and_start kubelet.service 240 --no-block ||
		fail "$ERR_KUBELET_START_FAIL" 'kubelet.service cannot be started; see /var/log/azure/kubelet.service-status.log'
	if unit_exists measure-tls-bootstrapping-latency.service; then
		bounded 30 systemctl restart --no-block measure-tls-bootstrapping-latency.service || rm -f "$CONTAINERS/tls-bootstrap-start-time"
	fi
}

# true or false, whatever else it was.
word() {
	if [ "$1" = true ]; then printf true; else printf false; fi
}

checkKubelet() {
	is_healthy kubelet.service || {
		timeout 10 journalctl --no-pager --boot --unit=kubelet --lines=40
		fail "$ERR_KUBELET_START_FAIL" 'kubelet.service has failed; see journalctl -u kubelet'
	}
}

## What goes with kubelet

ensureNoDupOnPromiscuBridge() {
	enable_and_start ensure-no-dup.service 30 || fail "$ERR_SYSTEMCTL_START_FAIL" 'ensure-no-dup.service does not start'
}

configureNodeExporter() {
	local unit
	for unit in node-exporter.service node-exporter-restart.path; do
		! unit_exists "$unit" || enable_and_start "$unit" 30 || fail "$ERR_NODE_EXPORTER_START_FAIL" "$unit does not start"
	done
}

startLogCollector() {
	bounded 30 systemctl start --no-block aks-log-collector.timer
}

ensureSnapshotUpdate() {
	enable_and_start snapshot-update.timer 30 || fail "$ERR_SNAPSHOT_UPDATE_START_FAIL" 'snapshot-update.timer does not start'
}

# New MIG partitions need it. The run ends first, so that its result is kept.
scheduleReboot() {
	say 'this machine boots again in a minute'
	shutdown -r +1
}

## GPU

checkDriverTag() {
	tag SkipGpuDriverInstall >/dev/null || fail "$ERR_NVIDIA_DRIVER_INSTALL" 'the tags of this machine are not known'
	if [ "${GPU_DRIVER_TYPE:-}" = grid-v20 ] && ! family ubuntu; then
		fail "$ERR_NVIDIA_DRIVER_INSTALL" 'the driver grid-v20 is there for Ubuntu only'
	fi
}

has_amd64_gpu() {
	[ "$CPU_ARCH" = amd64 ] || {
		say 'the driver is part of the image on this architecture'
		return 1
	}
}

ensureGPUDrivers() {
	has_amd64_gpu || return 0
	if [ "${CONFIG_GPU_DRIVER_IF_NEEDED:-}" = true ] || ! driver_works 24; then
		installGpuDriver
		driver_works 120 || fail "$ERR_GPU_DRIVERS_START_FAIL" 'the driver is installed, and nvidia-smi does not answer'
		ldconfig || fail "$ERR_GPU_DRIVERS_START_FAIL" 'ldconfig fails'
		retry 3 5 60 systemctl restart containerd.service || fail "$ERR_GPU_DRIVERS_INSTALL_TIMEOUT" 'containerd does not start with the driver'
	fi
	! unit_exists node-problem-detector.service || bounded 30 systemctl restart node-problem-detector.service || warn 'node-problem-detector does not restart'
	case ${GPU_DRIVER_TYPE:-} in
	grid*) enable_and_start nvidia-gridd.service 30 || fail "$ERR_SYSTEMCTL_START_FAIL" 'nvidia-gridd.service does not start' ;;
	esac
}

# Whether the module loads and the driver answers.
driver_works() {
	local output
	retry "$1" 5 25 nvidia-modprobe -u -c0 || return
	retry "$1" 5 30 nvidia-smi >/dev/null && return
	output=$(bounded 30 nvidia-smi 2>&1)
	if [[ ${output,,} == *'inforom is corrupted'* || ${output,,} == *'corrupted inforom'* ]]; then
		fail "$ERR_GPU_INFO_ROM_CORRUPTED" 'the GPU reports a corrupted info ROM: this machine needs another host'
	fi
	return 1
}

configureFabricManager() {
	if on GPU_NEEDS_FABRIC_MANAGER; then
		installFabricManager
		enable_and_start nvidia-fabricmanager.service 30 || fail "$ERR_GPU_DRIVERS_START_FAIL" 'nvidia-fabricmanager.service does not start'
	elif unit_exists nvidia-fabricmanager.service; then
		disable_and_stop nvidia-fabricmanager.service
		systemctl reset-failed nvidia-fabricmanager.service 2>/dev/null || true
	fi
}

ensureMigPartition() {
	local profile layout
	profile=$(unit_text "${GPU_INSTANCE_PROFILE:-}") || fail "$ERR_NODE_INPUT_INVALID" 'GPU_INSTANCE_PROFILE has a line break'
	layout=$(unit_text "${NVIDIA_MIG_PROFILE_LAYOUT:-}") ||
		fail "$ERR_NODE_INPUT_INVALID" 'NVIDIA_MIG_PROFILE_LAYOUT has a line break'
	must_put_text "$UNITS/mig-partition.service.d/10-mig-profile.conf" 0644 "[Service]
Environment=\"GPU_INSTANCE_PROFILE=$profile\"
Environment=\"NVIDIA_MIG_PROFILE_LAYOUT=$layout\""
	bounded 25 systemctl daemon-reload
	# It partitions again after the reboot that follows.
	bounded 300 systemctl restart mig-partition.service || warn 'mig-partition.service fails before the reboot'
	retry 3 5 25 systemctl enable --quiet mig-partition.service || warn 'mig-partition.service cannot be enabled'
}

managed_gpu_is_on() {
	local tagged
	tagged=$(tag EnableManagedGPUExperience) || fail "$ERR_LOOKUP_ENABLE_MANAGED_GPU_EXPERIENCE_TAG" 'the tags of this machine are not known'
	[ "$tagged" = true ] || on ENABLE_MANAGED_GPU || on MANAGED_GPU_EXPERIENCE_AFEC_ENABLED
}

configureManagedGPUExperience() {
	local unit
	if ! managed_gpu_is_on; then
		for unit in nvidia-device-plugin nvidia-dcgm nvidia-dcgm-exporter; do
			disable_and_stop "$unit.service"
		done
		rm -f "$CONTAINERS/managed-gpu-experience.enabled"
		return
	fi
	if on ENABLE_MANAGED_GPU_DRA && on ENABLE_GPU_DEVICE_PLUGIN_IF_NEEDED; then
		fail "$ERR_ENABLE_MANAGED_GPU_EXPERIENCE" 'the device plugin and the DRA driver exclude each other'
	fi
	mkdir -p "$KUBELET_ROOT/device-plugins" "$KUBELET_ROOT/plugins" "$KUBELET_ROOT/plugins_registry"
	installManagedGpuPackages
	if on ENABLE_MANAGED_GPU_DRA; then
		must_put_text "$UNITS/dra-driver-nvidia-gpu.service.d/10-dra-driver-nvidia-gpu.conf" 0644 '[Service]
Environment="NODE_NAME=%H"'
	else
		local strategy=single
		[ "${NVIDIA_MIG_STRATEGY:-}" != Mixed ] || strategy=mixed
		must_put_text "$UNITS/nvidia-device-plugin.service.d/10-device-plugin-config.conf" 0644 "[Service]
Environment=\"MIG_STRATEGY=$strategy\"
Environment=\"PASS_DEVICE_SPECS=true\""
		enable_and_start nvidia-device-plugin.service 30 --no-block || fail "$ERR_GPU_DEVICE_PLUGIN_START_FAIL" 'nvidia-device-plugin.service does not start'
	fi
	must_put_text "$UNITS/nvidia-dcgm-exporter.service.d/10-aks-override.conf" 0644 '[Service]
Environment="DCGM_EXPORTER_LISTEN=:19400"'
	for unit in nvidia-dcgm nvidia-dcgm-exporter; do
		bounded 30 systemctl enable --quiet --now --no-block "$unit.service" || warn "$unit.service is not started"
	done
	KUBELET_NODE_LABELS=$(with , "${KUBELET_NODE_LABELS:-}" kubernetes.azure.com/dcgm-exporter=enabled)
	: >"$CONTAINERS/managed-gpu-experience.enabled"
}

# The accelerator's memory.
configureHugePagesForAma() {
	must_put_text /etc/sysctl.d/99-ama_transcoder.conf 0644 'vm.nr_hugepages=4096'
	retry 5 5 25 sysctl --quiet --load=/etc/sysctl.d/99-ama_transcoder.conf || fail "$ERR_SYSCTL_RELOAD" 'huge pages cannot be reserved'
	! systemctl is-active --quiet kubelet.service || bounded 60 systemctl restart kubelet.service || warn 'kubelet does not restart'
}

startDraDriver() {
	enable_and_start dra-driver-nvidia-gpu.service 30 || fail "$ERR_DRA_DRIVER_START_FAIL" 'dra-driver-nvidia-gpu.service does not start'
}
#EOF
