#!/bin/bash


readonly KUBERNETES=/etc/kubernetes
readonly KUBELET_DROPINS=$UNITS/kubelet.service.d
readonly CONTAINERD_DROPINS=$UNITS/containerd.service.d
readonly KUBELET_ROOT=/var/lib/kubelet

must_put() {
	put "$@" || fail "$ERR_NODE_FILE_WRITE_FAIL" "$1 cannot be written"
}

must_put_text() {
	put_text "$@" || fail "$ERR_NODE_FILE_WRITE_FAIL" "$1 cannot be written"
}

must_put_section() {
	put_section "$@" || fail "$ERR_NODE_FILE_WRITE_FAIL" "$1 cannot be written"
}

must_put_unit() {
	local path=$UNITS/$1 mode=$2 text there=
	IFS= read -r -d '' text || true
	if [ "$mode" = 0644 ] && [ -f "$path" ] && [ ! -L "$path" ]; then
		IFS= read -r -d '' there <"$path" || true
		[ "$there" != "$text" ] || return 0
	fi
	UNITS_CHANGED=yes
	must_put "$path" "$mode" printf %s "$text"
}

must_put_decoded() {
	is_base64 "${!3:-}" || fail "$ERR_NODE_INPUT_INVALID" "$3 must be base64"
	must_put "$1" "$2" decoded "$3"
}

PROBLEMS=

add_problem() {
	PROBLEMS+=${PROBLEMS:+; }$1
}

fail_on_problems() {
	[ -z "$PROBLEMS" ] || fail "$ERR_NODE_INPUT_INVALID" "$PROBLEMS"
}

require() {
	local name
	for name in "$@"; do
		given "$name" || add_problem "$name is empty"
	done
}

demand() {
	local form=$1 words=$2 name
	shift 2
	for name in "$@"; do
		! given "$name" || "$form" "${!name}" || add_problem "$name must be $words"
	done
}

demand_shown() {
	local form=$1 words=$2 name found
	shift 2
	for name in "$@"; do
		found=${!name:-}
		[[ $found != *@* ]] || found=$(redacted_url "$found")
		! given "$name" || "$form" "${!name}" || add_problem "$name must be $words, found \"$found\""
	done
}

checkBaseInputs() {
	require KUBERNETES_VERSION
	demand_shown is_version 'a version such as 1.33.5' KUBERNETES_VERSION
	if on ENABLE_HOSTS_CONFIG_AGENT; then
		require API_SERVER_NAME
		demand_shown is_host 'a host name or an IP address' API_SERVER_NAME
	fi
	demand is_one_line 'one line' HTTP_PROXY_URLS HTTPS_PROXY_URLS NO_PROXY_URLS
	if on SHOULD_CONFIGURE_HTTP_PROXY; then
		demand is_unquoted 'without double quotes and backslashes' HTTP_PROXY_URLS HTTPS_PROXY_URLS NO_PROXY_URLS
	fi
	demand is_one_line 'one line' CUSTOM_SEARCH_DOMAIN_NAME
	if on SHOULD_CONFIG_SWAP_FILE; then
		require SWAP_FILE_SIZE_MB
		demand_shown is_number 'a number of up to nine digits' SWAP_FILE_SIZE_MB
	fi
	if on SHOULD_CONFIGURE_CUSTOM_CA_TRUST; then
		require CUSTOM_CA_TRUST_COUNT
		demand_shown is_number 'a number of up to nine digits' CUSTOM_CA_TRUST_COUNT
	fi
	demand is_base64 'base64' MESSAGE_OF_THE_DAY KUBENET_TEMPLATE
	if on SHOULD_CONFIG_CONTAINERD_ULIMITS; then
		demand_shown are_unit_settings '[Service] and limits such as LimitNOFILE=1048576, separated by blanks' CONTAINERD_ULIMITS
	fi
	demand_shown is_registry 'a host with an optional port and path' BOOTSTRAP_PROFILE_CONTAINER_REGISTRY_SERVER MCR_REPOSITORY_BASE
	fail_on_problems
}

checkNodeInputs() {
	require API_SERVER_NAME KUBE_CA_CRT KUBERNETES_VERSION KUBELET_FLAGS
	demand_shown is_version 'a version such as 1.33.5' KUBERNETES_VERSION
	demand_shown is_host 'a host name or an IP address' API_SERVER_NAME
	demand is_certificate 'base64 of a certificate' KUBE_CA_CRT
	demand is_one_line 'one line' KUBELET_FLAGS KUBELET_NODE_LABELS NETWORK_POLICY KUBELET_IMAGE AZURE_ENVIRONMENT_FILEPATH TLS_BOOTSTRAP_TOKEN
	demand is_base64 'base64' APISERVER_PUBLIC_KEY KUBELET_CLIENT_CONTENT KUBELET_CLIENT_CERT_CONTENT KUBELET_CONFIG_FILE_CONTENT SERVICE_PRINCIPAL_FILE_CONTENT
	if on IS_CUSTOM_CLOUD; then
		demand is_object 'a JSON object, as text or in base64' CUSTOM_ENV_JSON
		require TARGET_ENVIRONMENT
		demand_shown is_file_name 'letters, digits, dots, dashes or underscores' TARGET_ENVIRONMENT
	fi
	if on MIG_NODE; then
		demand is_one_line 'one line' GPU_INSTANCE_PROFILE NVIDIA_MIG_PROFILE_LAYOUT
	fi
	demand_shown is_number 'a number of up to nine digits' STANDARD_SECONDARY_NIC_COUNT
	demand_shown are_labels 'key=value pairs separated by commas: names and values of up to 63 letters, digits, dots, dashes or underscores, with an optional DNS name and a slash before the name' KUBELET_NODE_LABELS
	fail_on_problems
}

link_logs() {
	local file files=()
	for file in "$LOGS/cluster-provision.log" "$LOGS/cluster-provision-cse-output.log" /opt/azure/*.json \
		/opt/azure/cloud-init-files.paved /opt/azure/vhd-install.complete; do
		[ ! -e "$file" ] || files+=("$file")
	done
	[ "${#files[@]}" = 0 ] || ln -sf -t "$LOGS/aks" "${files[@]}" || warn "a file cannot be linked to $LOGS/aks"
}

redact_cloud_config() {
	local source=/var/lib/cloud/instance/cloud-config.txt program=$CONTAINERS/provision_redact_cloud_config.py copy
	[ -s "$source" ] && [ -e "$program" ] || return 0
	copy=$(umask 077 && mktemp "$LOGS/aks/.cloud-config.XXXXXX") || return 0
	{
		if ! bounded 30 python3 "$program" --cloud-config-path "$source" --output-path "$copy" >/dev/null ||
			! put "$LOGS/aks/cloud-config.txt" 0600 cat "$copy"; then
			warn "$source is not copied to $LOGS/aks, because its secrets cannot be redacted"
		fi
		rm -f "$copy"
	} &
}

startLogCollector() {
	bounded 30 systemctl enable --quiet --now --no-block aks-log-collector.timer
}

fetchMetadata() {
	part fetch_and_cache_imds_instance_metadata fetch_metadata || fail "$ERR_IMDS_FETCH_FAILED" 'the metadata service of Azure does not answer, or does not return JSON'
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

removeManDbAutoUpdateFlagFile() {
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

configureNodeExporter() {
	local unit
	[ -e /etc/node-exporter.d/skip_vhd_node_exporter ] || return 0
	for unit in node-exporter.service node-exporter-restart.path; do
		! unit_exists "$unit" || enable_and_start "$unit" 30 || fail "$ERR_NODE_EXPORTER_START_FAIL" "$unit does not start"
	done
}

ubuntuSnapshotUpdate() {
	enable_and_start snapshot-update.timer 30 || fail "$ERR_SNAPSHOT_UPDATE_START_FAIL" 'snapshot-update.timer does not start'
}

scheduleReboot() {
	log 'this machine reboots in a minute, for its MIG partitions'
	timeout 25 shutdown -r +1
}

configureAdminUser() {
	bounded 10 chage --expiredate -1 --inactive -1 --mindays 0 --maxdays 99999 "$ADMINUSER" &&
		bounded 10 chage --list "$ADMINUSER" &&
		bounded 10 chage --inactive -1 --maxdays -1 root
}

disableSSH() {
	disable_and_stop ssh.socket
	disable_and_stop ssh.service
	disable_and_stop sshd.service
	! bounded 10 systemctl is-active --quiet ssh.service sshd.service || fail "$ERR_DISABLE_SSH" 'the SSH service cannot be stopped'
}

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
		fail "$ERR_CONFIG_PUBKEY_AUTH_SSH" "a temporary file beside $config cannot be created"
	without_public_keys "$config" >"$candidate" || fail "$ERR_CONFIG_PUBKEY_AUTH_SSH" "$config cannot be read"
	if ! bounded 10 systemctl is-active --quiet "$unit"; then
		bounded 25 systemctl start "$unit" || fail "$ERR_CONFIG_PUBKEY_AUTH_SSH" "$unit does not start"
	fi
	if ! bounded 25 sshd -t -f "$candidate"; then
		rm -f "$candidate"
		fail "$ERR_CONFIG_PUBKEY_AUTH_SSH" "sshd rejects $config with PubkeyAuthentication disabled"
	fi
	if ! mv -fT "$candidate" "$config" || ! bounded 25 systemctl reload-or-restart "$unit"; then
		fail "$ERR_CONFIG_PUBKEY_AUTH_SSH" "$unit cannot be reloaded with its new configuration"
	fi
}

configureMessageOfTheDay() {
	prepare_message_of_the_day || warn 'the message of the day may be shown twice or not at all'
	must_put_decoded /etc/motd 0644 MESSAGE_OF_THE_DAY
}

useProxy() {
	if given HTTP_PROXY_URLS; then export HTTP_PROXY=$HTTP_PROXY_URLS http_proxy=$HTTP_PROXY_URLS; fi
	if given HTTPS_PROXY_URLS; then export HTTPS_PROXY=$HTTPS_PROXY_URLS https_proxy=$HTTPS_PROXY_URLS; fi
	if given NO_PROXY_URLS; then export NO_PROXY=$NO_PROXY_URLS no_proxy=$NO_PROXY_URLS; fi
}

each_proxy_setting() {
	local name
	for name in HTTP_PROXY HTTPS_PROXY NO_PROXY; do
		if given "${name}_URLS"; then
			local value=${name}_URLS
			"$1" "$name" "${!value}" && "$1" "${name,,}" "${!value}" || return
		fi
	done
}

proxy_line() {
	printf '%s="%s"\n' "$1" "$2"
}

proxy_default() {
	local value
	value=$(unit_value "$2") && printf 'DefaultEnvironment="%s=%s"\n' "$1" "$value"
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
	local mode=0644
	[[ "${HTTP_PROXY_URLS:-}${HTTPS_PROXY_URLS:-}" != *@* ]] || mode=0600
	must_put_section /etc/environment "$mode" 'aks proxy' "$(each_proxy_setting proxy_line)"
	must_put /etc/systemd/system.conf.d/proxy.conf "$mode" manager_proxy
	if [ -d /etc/apt ]; then
		must_put /etc/apt/apt.conf.d/95proxy "$mode" apt_proxy
	fi
	must_put_unit kubelet.service.d/10-httpproxy.conf 0644 <<'UNIT'
[Service]
EnvironmentFile=/etc/environment
UNIT
}

logPrivateEgressProxy() {
	log "outbound traffic uses the proxy $(redacted_url "$PRIVATE_EGRESS_PROXY_ADDRESS")"
}

decoded_certificate() {
	local value=${!1:-}
	value=$(base64 -d <<<"${value//[[:space:]]/}" 2>/dev/null) && [[ $value == *-----BEGIN* ]] && printf '%s\n' "$value"
}

configureHTTPProxyCA() {
	read_trust_store
	put "$CA_ANCHORS/proxyCA.$CA_SUFFIX" 0644 decoded_certificate HTTP_PROXY_TRUSTED_CA ||
		fail "$ERR_UPDATE_CA_CERTS" 'HTTP_PROXY_TRUSTED_CA must be base64 of a certificate, or it cannot be written to the trust store'
	bounded 120 "${CA_COMMAND[@]}" || fail "$ERR_UPDATE_CA_CERTS" "${CA_COMMAND[0]} failed"
}

configureCustomCaCertificate() {
	local number name
	mkdir -p /opt/certs || fail "$ERR_UPDATE_CA_CERTS" '/opt/certs cannot be created'
	for ((number = 0; number < CUSTOM_CA_TRUST_COUNT; number++)); do
		name=CUSTOM_CA_CERT_$number
		given "$name" || continue
		put "/opt/certs/00000000000000cert$number.crt" 0644 decoded_certificate "$name" ||
			fail "$ERR_UPDATE_CA_CERTS" "$name must be base64 of a certificate, or it cannot be written to /opt/certs"
	done
	if unit_exists update_certs.service; then
		bounded 120 systemctl restart update_certs.service
	else
		bounded 120 /opt/scripts/update_certs.sh
	fi || fail "$ERR_UPDATE_CA_CERTS" 'the trust store cannot be updated; see journalctl -u update_certs'
}

disableSystemdResolved() {
	case $OS_VERSION in
	2[0-6].04) ;;
	*) return 0 ;;
	esac
	if [ -f /run/systemd/resolve/resolv.conf ]; then
		ln -sfn /run/systemd/resolve/resolv.conf /etc/resolv.conf || warn '/etc/resolv.conf stays as it is'
	fi
}

joinCustomSearchDomain() {
	local script=${CUSTOM_SEARCH_DOMAIN_FILEPATH:-$CONTAINERS/setup-custom-search-domains.sh} log=$CONTAINERS/setup-custom-search-domains.log
	[ -f "$script" ] || fail "$ERR_CUSTOM_SEARCH_DOMAINS_FAIL" "$script is missing"
	(umask 077 && /bin/bash "$script" >"$log" 2>&1 </dev/null) ||
		fail "$ERR_CUSTOM_SEARCH_DOMAINS_FAIL" "the search domain ${CUSTOM_SEARCH_DOMAIN_NAME:-} cannot be joined; see $log"
}

setupCNIDirs() {
	{ [ -d /opt/cni/bin ] && [ -d /etc/cni/net.d ]; } || mkdir -p /opt/cni/bin /etc/cni/net.d || return
	chown -R root:root /opt/cni/bin /etc/cni/net.d &&
		chmod -R 0755 /opt/cni/bin && chmod 0755 /etc/cni/net.d
}

azure_conflist() {
	if [ "${NETWORK_POLICY:-}" = calico ] || { given NETWORK_POLICY && [ "${NETWORK_MODE:-}" = transparent ]; }; then
		sed 's/"mode":\( *\)"bridge"/"mode":\1"transparent"/' "$1"
	else
		local text
		IFS= read -r -d '' text <"$1" || true
		printf '%s' "$text"
	fi
}

configureCNI() {
	local module source=/opt/cni/bin/10-azure.conflist target=/etc/cni/net.d/10-azure.conflist
	for module in br_netfilter nf_conntrack; do
		load_module "$module" || fail "$ERR_MODPROBE_FAIL" "the kernel module $module cannot be loaded"
		must_put_text "/etc/modules-load.d/$module.conf" 0644 "$module"
	done
	[ "${NETWORK_PLUGIN:-}" = azure ] || return 0
	if [ -e "$source" ]; then
		must_put "$target" 0600 azure_conflist "$source"
		makes_an_image || rm -f "$source"
	elif [ ! -e "$target" ]; then
		warn "the CNI archive has no ${source##*/}; a pod of the network has to write the configuration"
	fi
}

ensureDHCPv6() {
	enable_and_start dhcpv6.service 30 || fail "$ERR_SYSTEMCTL_START_FAIL" 'dhcpv6.service does not start'
	load_module ip6_tables || fail "$ERR_MODPROBE_FAIL" 'the kernel module ip6_tables cannot be loaded'
}

configPrivateClusterHosts() {
	must_put_unit reconcile-private-hosts.service.d/10-fqdn.conf 0644 <<UNIT
[Service]
Environment="KUBE_API_SERVER_NAME=$API_SERVER_NAME"
UNIT
	enable_and_start reconcile-private-hosts.service 30 ||
		fail "$ERR_SYSTEMCTL_START_FAIL" 'reconcile-private-hosts.service does not start'
}

ensureAzureNetworkConfig() {
	bounded 10 udevadm control --reload-rules && bounded 10 udevadm trigger --action=add --subsystem-match=net &&
		bounded 15 udevadm settle --timeout=10
}

ensureNoDupOnPromiscuBridge() {
	enable_and_start ensure-no-dup.service 30 || fail "$ERR_SYSTEMCTL_START_FAIL" 'ensure-no-dup.service does not start'
}

interface_with() {
	local dir
	for dir in /sys/class/net/*; do
		if [ "$(cat "$dir/address" 2>/dev/null)" = "$1" ] && [ ! -e "$dir/master" ]; then
			printf '%s' "${dir##*/}"
			return
		fi
	done
	return 1
}

network_card_exists() {
	interface_with "$1" >/dev/null
}

configureSecondaryNICs() {
	local number mac interface has_ipv6
	for ((number = 1; number <= STANDARD_SECONDARY_NIC_COUNT; number++)); do
		mac=$(metadata ".network.interface[$number].macAddress | ascii_downcase | [scan(\"..\")] | join(\":\")")
		[[ $mac =~ ^([0-9a-f]{2}:){5}[0-9a-f]{2}$ ]] || fail "$ERR_SECONDARY_NIC_CONFIG_FAIL" "the metadata has no network card $number"
		wait_until 15 network_card_exists "$mac" || warn "there is no network card with the address $mac yet"
		interface=$(interface_with "$mac") || interface=$mac
		has_ipv6=$(metadata ".network.interface[$number].ipv6.ipAddress | length > 0") || has_ipv6=false
		configure_network_card "$number" "$interface" "$mac" "$has_ipv6" ||
			fail "$ERR_SECONDARY_NIC_CONFIG_FAIL" "the network card $interface cannot be configured"
	done
	apply_network_cards || fail "$ERR_SECONDARY_NIC_CONFIG_FAIL" 'the configuration of network cards cannot be applied'
}

networkd_network_card() {
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

ensureSysctl() {
	put /etc/sysctl.d/999-sysctl-aks.conf 0644 decoded SYSCTL_CONTENT ||
		fail "$ERR_SYSCTL_RELOAD" 'SYSCTL_CONTENT must be base64, or /etc/sysctl.d/999-sysctl-aks.conf cannot be written'
	makes_an_image || retry 24 5 25 sysctl --quiet --system || fail "$ERR_SYSCTL_RELOAD" 'the kernel settings cannot be applied; see sysctl --system'
}


readonly KUBELET_SYSCTLS=(vm.overcommit_memory=1 vm.panic_on_oom=0 kernel.panic=10 kernel.panic_on_oops=1
	kernel.keys.root_maxkeys=1000000 kernel.keys.root_maxbytes=25000000)

protects_kernel_settings() {
	local value
	if value=$(kubelet_flag --protect-kernel-defaults); then
		[[ ${value,,} =~ ^(1|t|true|--.*)$ ]]
	else
		on KUBELET_CONFIG_FILE_ENABLED && decoded KUBELET_CONFIG_FILE_CONTENT | jq -e '.protectKernelDefaults == true' >/dev/null 2>&1
	fi
}

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

configureKernelDefaults() {
	must_put /etc/sysctl.d/999-sysctl-kubelet.conf 0644 printf '%s\n' "${KUBELET_SYSCTLS[@]}"
	retry 5 5 25 sysctl --quiet --ignore --load=/etc/sysctl.d/999-sysctl-kubelet.conf
	[ -z "$(differing_kernel_settings)" ] || warn "kubelet may not start, because these kernel settings stay: $(differing_kernel_settings)"
}


set_huge_page() {
	[ -z "$2" ] || printf '%s\n' "$2" 2>/dev/null >"/sys/kernel/mm/transparent_hugepage/$1"
}

huge_page_lines() {
	[ -z "${THP_ENABLED:-}" ] || printf 'kernel/mm/transparent_hugepage/enabled=%s\n' "$THP_ENABLED"
	[ -z "${THP_DEFRAG:-}" ] || printf 'kernel/mm/transparent_hugepage/defrag=%s\n' "$THP_DEFRAG"
}

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
#!/bin/bash
for name in enabled defrag; do
	value=$(cat "/opt/azure/containers/aks-transparent-hugepage/$name")
	[ -z "$value" ] || printf '%s\n' "$value" >/sys/kernel/mm/transparent_hugepage/$name
done
SCRIPT
	must_put_unit aks-transparent-hugepage.service 0644 <<'UNIT'
[Unit]
Description=Transparent huge pages
Before=kubelet.service

[Service]
Type=oneshot
RemainAfterExit=yes
ExecStart=/opt/azure/containers/aks-transparent-hugepage.sh

[Install]
WantedBy=multi-user.target
UNIT
	enable_and_start aks-transparent-hugepage.service 30 ||
		fail "$ERR_SYSTEMCTL_START_FAIL" 'aks-transparent-hugepage.service does not start'
}


needs_module_mitigation() {
	local release flavour fixed
	case $OS_FAMILY in
	osguard) return 0 ;;
	mariner) [[ $OS_ID == mariner* || $OS_VERSION == 2.* ]] && return 0 || return 1 ;;
	ubuntu) ;;
	*) return 1 ;;
	esac
	release=$(uname -r)
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

kilobytes_free() {
	df --output=avail --block-size=1024 "$1" 2>/dev/null | tail -n 1 | tr -d ' '
}

swap_file_path() {
	local wanted=$1 disk place
	disk=$(readlink -f /dev/disk/azure/resource-part1 2>/dev/null)
	if [ -b "$disk" ]; then
		place=$(bounded 10 findmnt --noheadings --first-only --output TARGET --source "$disk")
		[ -z "$place" ] || rm -f "${place%/}/swapfile"
		if [ -n "$place" ] && [ "$(kilobytes_free "$place")" -gt "$wanted" ]; then
			printf '%s/swapfile' "${place%/}"
			return
		fi
	fi
	rm -f /swapfile
	[ "$(kilobytes_free /)" -gt "$wanted" ] && printf /swapfile
}

has_active_swap() {
	bounded 10 swapon --show=NAME --noheadings | grep -qxF "$1"
}

make_swap() {
	(umask 077 && retry 24 5 25 fallocate --length "$2K" "$1") && chmod 0600 "$1" &&
		retry 24 5 25 mkswap "$1" && retry 24 5 25 swapon "$1" && has_active_swap "$1"
}

active_swap_file() {
	bounded 10 swapon --show=NAME --noheadings | grep -m 1 '/swapfile$'
}

configureSwapFile() {
	local wanted=$((SWAP_FILE_SIZE_MB * 1000)) file
	if ! file=$(active_swap_file); then
		file=$(swap_file_path "$wanted") ||
			fail "$ERR_SWAP_CREATE_INSUFFICIENT_DISK_SPACE" "no disk has ${SWAP_FILE_SIZE_MB} MB for the swap file"
		if ! make_swap "$file" "$wanted"; then
			timeout 60 swapoff "$file" 2>/dev/null
			rm -f "$file"
			fail "$ERR_SWAP_CREATE_FAIL" "the swap file $file cannot be created or activated"
		fi
	fi
	part reconcileSwapFilePersistence make_swap_persistent "$file"
}

fstab_with() {
	awk '!($3 == "swap" && $1 ~ /\/swapfile$/)' /etc/fstab 2>/dev/null
	printf '%s none swap sw,noauto,nofail 0 0\n' "$1"
}

make_swap_persistent() {
	local file=$1 mode=0644
	[ ! -e /etc/fstab ] || mode=$(stat --format=%a /etc/fstab)
	put /etc/fstab "$mode" fstab_with "$file" || fail "$ERR_SWAP_CREATE_FAIL" '/etc/fstab cannot be written'
	must_put_text "$CONTAINERS/aks-swapfile.sh" 0755 "#!/bin/bash
swapon --show=NAME --noheadings | grep -qxF '$file' || swapon '$file'"
	must_put_unit aks-swapfile.service 0644 <<UNIT
[Unit]
Description=Swap file
Before=kubelet.service
RequiresMountsFor=$file
ConditionPathExists=$file

[Service]
Type=oneshot
RemainAfterExit=yes
ExecStart=/opt/azure/containers/aks-swapfile.sh

[Install]
WantedBy=multi-user.target
UNIT
	enable_and_start aks-swapfile.service 30 || fail "$ERR_SWAP_CREATE_FAIL" 'aks-swapfile.service does not start'
}

setContainerdUlimits() {
	local text=${CONTAINERD_ULIMITS:-}
	must_put_text "$CONTAINERD_DROPINS/set_ulimits.conf" 0600 "${text// /$'\n'}"
}

keeps_containerd_config() {
	local text=
	[ ! -e /etc/containerd/config.toml ] || IFS= read -r -d '' text </etc/containerd/config.toml
	[[ $text == *'/usr/bin/nvidia-container-runtime'* ]]
}

registry_host() {
	printf '%s' "${BOOTSTRAP_PROFILE_CONTAINER_REGISTRY_SERVER%%/*}"
}

mcr_host() {
	local host=${MCR_REPOSITORY_BASE:-mcr.microsoft.com}
	printf '%s' "${host%%/*}"
}

ensureContainerd() {
	must_put_unit containerd.service.d/exec_start.conf 0644 <<'UNIT'
[Service]
ExecStartPost=/sbin/iptables -P FORWARD ACCEPT
LimitNOFILE=1048576
UNIT
	ensure_reserved_cgroups
	local content=CONTAINERD_CONFIG_CONTENT
	if on GPU_NODE && has_tag SkipGpuDriverInstall; then
		content=CONTAINERD_CONFIG_NO_GPU_CONTENT
	fi
	if ! keeps_containerd_config; then
		given "$content" || fail "$ERR_FILE_WATCH_TIMEOUT" "$content is empty"
		put /etc/containerd/config.toml 0644 decoded "$content" ||
			fail "$ERR_FILE_WATCH_TIMEOUT" "$content must be base64, or /etc/containerd/config.toml cannot be written"
	fi
	configure_registry_hosts
	must_put_text /etc/sysctl.d/99-force-bridge-forward.conf 0644 'net.ipv4.ip_forward = 1
net.ipv4.conf.all.forwarding = 1
net.ipv6.conf.all.forwarding = 1
net.bridge.bridge-nf-call-iptables = 1'
	enable_and_start containerd.service 30 --no-block || fail "$ERR_SYSTEMCTL_START_FAIL" 'containerd.service cannot be started'
}

configure_registry_hosts() {
	if given BOOTSTRAP_PROFILE_CONTAINER_REGISTRY_SERVER; then
		part ensureContainerd.configureContainerdRegistryHost redirect_to_isolated_registry
	elif is_in_china; then
		part ensureContainerd.configureContainerdLegacyMooncakeMcrHost redirect_to_registry_in_china
	fi
}

redirect_to_isolated_registry() {
	local path=${BOOTSTRAP_PROFILE_CONTAINER_REGISTRY_SERVER#"$(registry_host)"} json
	json_text "https://$(registry_host)/v2${path%/}"
	must_put_text "/etc/containerd/certs.d/$(mcr_host)/hosts.toml" 0644 "[host.\"$json\"]
  capabilities = [\"pull\", \"resolve\"]
  override_path = true"
}

redirect_to_registry_in_china() {
	must_put_text /etc/containerd/certs.d/mcr.azk8s.cn/hosts.toml 0644 '[host."https://mcr.azure.cn"]
  capabilities = ["pull", "resolve"]
  [host."https://mcr.azure.cn".header]
    X-Forwarded-For = ["mcr.azk8s.cn"]'
}

retagImages() {
	local image name
	containerd_is_ready || fail "$ERR_CTR_OPERATION_ERROR" 'containerd does not answer'
	for image in $(bounded 60 ctr --namespace k8s.io images list --quiet | grep '^mcr.microsoft.com/'); do
		for name in mcr.azure.cn mcr.azk8s.cn; do
			bounded 60 ctr --namespace k8s.io images tag --force "$image" "$name/${image#*/}" >/dev/null ||
				warn "$image cannot be tagged as $name/${image#*/}"
		done
	done
}

checkContainerd() {
	if ! is_healthy containerd.service || ! containerd_is_ready; then
		timeout 10 journalctl --no-pager --boot --unit=containerd --lines=20
		fail "$ERR_SYSTEMCTL_START_FAIL" 'containerd does not answer; see journalctl -u containerd'
	fi
}

ensureArtifactStreaming() {
	part ensureContainerd.ensureArtifactStreaming start_artifact_streaming
}

start_artifact_streaming() {
	local unit
	containerd_is_ready || fail "$ERR_ARTIFACT_STREAMING_INSTALL" 'containerd does not answer'
	for unit in acr-mirror overlaybd-tcmu overlaybd-snapshotter; do
		enable_and_start "$unit.service" 25 || fail "$ERR_ARTIFACT_STREAMING_INSTALL" "$unit.service does not start"
	done
	if [ -x /opt/acr/tools/mirror/setup.sh ]; then
		bounded 120 /opt/acr/tools/mirror/setup.sh aks
	else
		bounded 120 /opt/acr/bin/acr-config --enable-containerd azurecr.io
	fi || fail "$ERR_ARTIFACT_STREAMING_INSTALL" 'artifact streaming cannot be enabled for registries of Azure'
}

configureKubenetTemplate() {
	must_put_decoded /etc/containerd/kubenet_template.conf 0644 KUBENET_TEMPLATE
}

reserved_cgroup() {
	if on KUBELET_CONFIG_FILE_ENABLED && given KUBELET_CONFIG_FILE_CONTENT; then
		decoded KUBELET_CONFIG_FILE_CONTENT | jq -r --arg key "$1" '.[$key] // empty' 2>/dev/null
	else
		kubelet_flag "$2"
	fi
}

ensure_reserved_cgroups() {
	local kube system
	kube=$(reserved_cgroup kubeReservedCgroup --kube-reserved-cgroup)
	system=$(reserved_cgroup systemReservedCgroup --system-reserved-cgroup)
	[ -z "$kube$system" ] || part ensureKubelet.ensureKubeletCgroupHierarchy make_reserved_cgroups "$kube" "$system"
}

make_reserved_cgroups() {
	local kube=$1 system=$2 dir
	[ "${kube#/}" = kubereserved.slice ] || [ -z "$kube" ] ||
		fail "$ERR_KUBELET_START_FAIL" "the cgroup \"$kube\" cannot be reserved for Kubernetes; it must be kubereserved.slice"
	[ "${system#/}" = system.slice ] || [ -z "$system" ] ||
		fail "$ERR_KUBELET_START_FAIL" "the cgroup \"$system\" cannot be reserved for the system; it must be system.slice"
	[ -e /sys/fs/cgroup/cgroup.controllers ] || fail "$ERR_KUBELET_START_FAIL" 'reserved cgroups need cgroups of version 2'
	[ -n "$kube" ] || return 0
	must_put_unit kubereserved.slice 0644 <<'UNIT'
[Unit]
Description=Resources that are reserved for Kubernetes
Before=slices.target

[Install]
WantedBy=slices.target
UNIT
	for dir in kubelet.service.d containerd.service.d; do
		must_put_unit "$dir/10-kubereserved-slice.conf" 0644 <<'UNIT'
[Unit]
Wants=kubereserved.slice
After=kubereserved.slice

[Service]
Slice=kubereserved.slice
UNIT
	done
	enable_and_start kubereserved.slice 30 || fail "$ERR_KUBELET_START_FAIL" 'kubereserved.slice does not start'
}

has_reserved_slice() {
	[ -e "$KUBELET_DROPINS/10-kubereserved-slice.conf" ]
}

has_localdns() {
	unit_exists localdns.service && [ -x "$CONTAINERS/localdns/localdns.sh" ]
}

localdns_environment() {
	local name LOCALDNS_COREFILE_BASE=${LOCALDNS_COREFILE_BASE:-${LOCALDNS_GENERATED_COREFILE:-}}
	for name in LOCALDNS_COREFILE_BASE LOCALDNS_COREFILE_WITH_HOSTS SHOULD_ENABLE_HOSTS_PLUGIN LOCALDNS_CRITICAL_FQDNS; do
		environment_line "$name" "${!name:-}" || return
	done
	environment_line LOCALDNS_BASE64_ENCODED_COREFILE "$LOCALDNS_COREFILE_BASE"
}

enableAKSLocalDNSHostsSetup() {
	local seconds=${LOCALDNS_HOSTS_PLUGIN_REFRESH_INTERVAL_IN_SECONDS:-}
	if ! unit_exists aks-localdns-hosts-setup.timer; then
		warn 'this image has no aks-localdns-hosts-setup.timer; local DNS is used without its hosts file'
		return 0
	fi
	is_number "$seconds" || seconds=900
	[ "$seconds" -ge 5 ] || seconds=5
	[ -e /etc/localdns/hosts ] || put /etc/localdns/hosts 0644 true || return
	put /etc/localdns/environment 0644 environment_line LOCALDNS_CRITICAL_FQDNS "${LOCALDNS_CRITICAL_FQDNS:-}" || return
	put "$UNITS/aks-localdns-hosts-setup.timer.d/10-refresh-interval.conf" 0644 cat <<UNIT || return
[Timer]
OnUnitActiveSec=
OnUnitActiveSec=${seconds}s
AccuracySec=1s
UNIT
	enable_and_start aks-localdns-hosts-setup.timer 30 --no-block
}

disable_hosts_setup() {
	disable_and_stop aks-localdns-hosts-setup.timer
	rm -f "$UNITS/aks-localdns-hosts-setup.timer.d/10-refresh-interval.conf" /etc/localdns/hosts
}

enableLocalDNS() {
	local content=LOCALDNS_COREFILE_BASE memory=${LOCALDNS_MEMORY_LIMIT:-128M} cpu=${LOCALDNS_CPU_LIMIT:-200.0%}
	if ! has_localdns; then
		warn 'this image has no local DNS; the DNS servers of the network are used'
		return 0
	fi
	given "$content" || content=LOCALDNS_GENERATED_COREFILE
	given "$content" || fail "$ERR_LOCALDNS_FAIL" 'LOCALDNS_COREFILE_BASE is empty'
	[[ $memory =~ ^[0-9]+[KMGT]?$ ]] || fail "$ERR_LOCALDNS_FAIL" "LOCALDNS_MEMORY_LIMIT must be a size such as 128M, found \"$memory\""
	[[ $cpu =~ ^[0-9]+(\.[0-9]+)?%?$ ]] || fail "$ERR_LOCALDNS_FAIL" "LOCALDNS_CPU_LIMIT must be a percentage such as 200.0%, found \"$cpu\""
	cpu=${cpu%\%}
	put "$CONTAINERS/localdns/localdns.corefile" 0644 decoded "$content" ||
		fail "$ERR_LOCALDNS_FAIL" "$content must be base64, or the corefile cannot be written"
	put /etc/localdns/environment 0644 localdns_environment ||
		fail "$ERR_LOCALDNS_FAIL" 'a variable of local DNS has a line break, or /etc/localdns/environment cannot be written'
	put "$UNITS/localdns.slice" 0644 cat <<UNIT || fail "$ERR_LOCALDNS_FAIL" 'localdns.slice cannot be written'
[Unit]
Description=Local DNS

[Slice]
MemoryMax=$memory
CPUQuota=$cpu%
UNIT
	if ! on SHOULD_ENABLE_HOSTS_PLUGIN; then
		part enableLocalDNS.disableAKSLocalDNSHostsSetup disable_hosts_setup
	fi
	enable_and_start localdns.service 30 || fail "$ERR_LOCALDNS_FAIL" 'localdns.service does not start; see journalctl -u localdns'
}

labelLocalDNSExporter() {
	KUBELET_NODE_LABELS=$(list_with , "${KUBELET_NODE_LABELS:-}" kubernetes.azure.com/localdns-exporter=enabled)
}

configureLocalDNSExporterSocket() {
	local address
	has_address && is_ipv4 "${METADATA[1]}" || return 1
	address=${METADATA[1]}
	put "$UNITS/localdns-exporter.socket.d/10-listen-address.conf" 0644 cat <<UNIT || return
[Socket]
ListenStream=
ListenStream=$address:9353
FreeBind=yes
UNIT
	enable_and_start localdns-exporter.socket 30 --no-block
}

azure_json() {
	local variable name bare value json key=k8s none='' content='' separator='{' plain='^(-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?|true|false)$'
	if given SERVICE_PRINCIPAL_FILE_CONTENT; then
		content=$(decoded SERVICE_PRINCIPAL_FILE_CONTENT && printf .) || return
		content=${content%.}
	fi
	while read -r variable name bare; do
		value=${!variable:-}
		[ -n "$value" ] || [ -z "$bare" ] || continue
		[[ ${CLOUDPROVIDER_BACKOFF_MODE:-} != v2 || $name != cloudProviderBackoff@(Exponent|Jitter) ]] || continue
		if [ -n "$bare" ] && [[ $value =~ $plain ]]; then
			json=$value
		else
			json_text "$value"
			json=\"$json\"
		fi
		printf '%s\n  "%s": %s' "$separator" "$name" "$json"
		separator=,
	done <<'MEMBERS'
TARGET_CLOUD cloud
TENANT_ID tenantId
SUBSCRIPTION_ID subscriptionId
SERVICE_PRINCIPAL_CLIENT_ID aadClientId
content aadClientSecret
RESOURCE_GROUP resourceGroup
LOCATION location
VM_TYPE vmType
SUBNET subnetName
NETWORK_SECURITY_GROUP securityGroupName
VIRTUAL_NETWORK vnetName
VIRTUAL_NETWORK_RESOURCE_GROUP vnetResourceGroup
ROUTE_TABLE routeTableName
PRIMARY_AVAILABILITY_SET primaryAvailabilitySetName
PRIMARY_SCALE_SET primaryScaleSetName
CLOUDPROVIDER_BACKOFF_MODE cloudProviderBackoffMode
CLOUDPROVIDER_BACKOFF cloudProviderBackoff bare
CLOUDPROVIDER_BACKOFF_RETRIES cloudProviderBackoffRetries bare
CLOUDPROVIDER_BACKOFF_EXPONENT cloudProviderBackoffExponent bare
CLOUDPROVIDER_BACKOFF_DURATION cloudProviderBackoffDuration bare
CLOUDPROVIDER_BACKOFF_JITTER cloudProviderBackoffJitter bare
CLOUDPROVIDER_RATELIMIT cloudProviderRateLimit bare
CLOUDPROVIDER_RATELIMIT_QPS cloudProviderRateLimitQPS bare
CLOUDPROVIDER_RATELIMIT_BUCKET cloudProviderRateLimitBucket bare
CLOUDPROVIDER_RATELIMIT_QPS_WRITE cloudProviderRateLimitQPSWrite bare
CLOUDPROVIDER_RATELIMIT_BUCKET_WRITE cloudProviderRateLimitBucketWrite bare
USE_MANAGED_IDENTITY_EXTENSION useManagedIdentityExtension bare
USER_ASSIGNED_IDENTITY_ID userAssignedIdentityID
USE_INSTANCE_METADATA useInstanceMetadata bare
LOAD_BALANCER_SKU loadBalancerSku
LOAD_BALANCER_DISABLE_OUTBOUND_SNAT disableOutboundSNAT bare
EXCLUDE_MASTER_FROM_STANDARD_LB excludeMasterFromStandardLB bare
KMS_PROVIDER_VAULT_NAME providerVaultName
MAXIMUM_LOADBALANCER_RULE_COUNT maximumLoadBalancerRuleCount bare
key providerKeyName
none providerKeyVersion
MEMBERS
	printf '\n}\n'
}

cloud_json() {
	if [[ ${CUSTOM_ENV_JSON:-} =~ ^[[:space:]]*\{ ]]; then
		printf '%s' "$CUSTOM_ENV_JSON"
	else
		decoded CUSTOM_ENV_JSON
	fi
}

configureAzureJson() {
	must_put "$KUBERNETES/azure.json" 0600 azure_json
	on IS_CUSTOM_CLOUD || return 0
	must_put "$KUBERNETES/$TARGET_ENVIRONMENT.json" 0600 cloud_json
}

ensureKubeCACert() {
	must_put "$KUBERNETES/certs/ca.crt" 0600 decoded_certificate KUBE_CA_CRT
}

make_serving_certificate() {
	local dir=$KUBERNETES/certs name=${HOSTNAME,,} key certificate
	key=$dir/.kubeletserver.key.new certificate=$dir/.kubeletserver.crt.new
	[ -d "$dir" ] || mkdir -p "$dir" || return
	rm_existing "$key" "$certificate"
	if (umask 077 && : >"$key") && : >"$certificate" &&
		openssl req -x509 -newkey rsa:2048 -nodes -days 7300 -subj "/CN=$name" -addext "subjectAltName=DNS:$name" \
			-keyout "$key" -out "$certificate" 2>/dev/null &&
		{ [ ! -e "$dir/kubeletserver.crt" ] || rm -f "$dir/kubeletserver.crt"; } &&
		mv -fT "$key" "$dir/kubeletserver.key" && mv -fT "$certificate" "$dir/kubeletserver.crt"; then
		return 0
	fi
	rm -f "$key" "$certificate"
	return 1
}

makeServingCertificate() {
	[ "$BASHPID" = "$$" ] || trap '' TERM
	make_serving_certificate || fail "$ERR_NODE_FILE_WRITE_FAIL" "kubelet's serving certificate cannot be created"
}

makes_serving_certificate_early() {
	! makes_an_image && ! on ENABLE_KUBELET_SERVING_CERTIFICATE_ROTATION
}

change_kubelet_config() {
	local changed
	given KUBELET_CONFIG_FILE_CONTENT || return 0
	changed=$(decoded KUBELET_CONFIG_FILE_CONTENT | jq --indent 4 "$1") ||
		fail "$ERR_NODE_INPUT_INVALID" 'KUBELET_CONFIG_FILE_CONTENT must be base64 of JSON'
	KUBELET_CONFIG_FILE_CONTENT=$(base64 --wrap=0 <<<"$changed")
}

configureKubeletServing() {
	local label=kubernetes.azure.com/kubelet-serving-ca
	! makes_serving_certificate_early || return 0
	if on ENABLE_KUBELET_SERVING_CERTIFICATE_ROTATION; then
		has_tags ||
			fail "$ERR_LOOKUP_DISABLE_KUBELET_SERVING_CERTIFICATE_ROTATION_TAG" 'the tags of this machine cannot be read from the metadata'
		if ! has_tag aks-disable-kubelet-serving-certificate-rotation; then
			KUBELET_FLAGS=$(list_without ' ' "$KUBELET_FLAGS" --tls-cert-file --tls-private-key-file)
			change_kubelet_config 'del(.tlsCertFile, .tlsPrivateKeyFile)'
			KUBELET_NODE_LABELS=$(list_with , "${KUBELET_NODE_LABELS:-}" "$label=cluster")
			return 0
		fi
		if kubelet_flag --rotate-server-certificates >/dev/null; then
			KUBELET_FLAGS=$(list_with ' ' "$KUBELET_FLAGS" --rotate-server-certificates=false)
		fi
		change_kubelet_config '.serverTLSBootstrap = false'
		KUBELET_NODE_LABELS=$(list_without , "${KUBELET_NODE_LABELS:-}" "$label")
	fi
	makeServingCertificate
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
		must_put_unit kubelet.service.d/10-componentconfig.conf 0600 <<'UNIT'
[Service]
Environment="KUBELET_CONFIG_FILE_FLAGS=--config /etc/default/kubeletconfig.json"
UNIT
	fi
}

secure_tls_flags() {
	local flags name value
	flags="--apiserver-fqdn=$API_SERVER_NAME --cloud-provider-config=$KUBERNETES/azure.json"
	given SECURE_TLS_BOOTSTRAPPING_AAD_RESOURCE || flags+=' --aad-resource=6dae42f8-4368-4678-94ff-3960e28e3630'
	while read -r name value; do
		if given "$name"; then
			[[ ${!name} =~ ^[A-Za-z0-9._:/-]+$ ]] || return
			flags+=" $value=${!name}"
		fi
	done <<'FLAGS'
SECURE_TLS_BOOTSTRAPPING_AAD_RESOURCE --aad-resource
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
	must_put_unit secure-tls-bootstrap.service.d/10-securetlsbootstrap.conf 0600 <<'UNIT'
[Unit]
Before=kubelet.service

[Service]
EnvironmentFile=/etc/default/secure-tls-bootstrap

[Install]
WantedBy=kubelet.service
UNIT
	! needs_reload secure-tls-bootstrap.service || reload_units || true
	retry 120 5 25 systemctl enable --quiet --no-reload --now --no-block secure-tls-bootstrap.service ||
		fail "$ERR_SECURE_TLS_BOOTSTRAP_ENABLE_FAILURE" 'secure-tls-bootstrap.service cannot be enabled'
}

checkSecureTLSBootstrap() {
	is_healthy secure-tls-bootstrap.service
}

checkOutbound() {
	local words said code=0 output=${PROVISION_OUTPUT:-$LOGS/cluster-provision-cse-output.log}
	read -r -a words <<<"$OUTBOUND_COMMAND"
	is_curl_call "$OUTBOUND_COMMAND" || fail "$ERR_OUTBOUND_CONN_FAIL" "OUTBOUND_COMMAND must be a call of curl, found \"${words[0]:-}\""
	said=$(retry 20 1 15 "${words[@]}" 2>&1 | without_accounts | redacted_output "${words[@]:1}") || code=$?
	printf '%s\n' "$said" >>"$output"
	[ "$code" = 0 ] || fail "$ERR_OUTBOUND_CONN_FAIL" "$(redacted_url "${words[-1]}") cannot be reached: $(last_error_of_curl "$said"); see $output"
}

without_accounts() {
	local line
	while IFS= read -r line || [ -n "$line" ]; do
		[[ ${line,,} =~ ^'>'\ *(proxy-)?authorization: || $line == '* Uses proxy env'* ]] || printf '%s\n' "$line"
	done
}

last_error_of_curl() {
	with_proxy_named "$(awk '/^curl: / { last = $0 } END { print last ? last : "no answer in time" }' <<<"$1")"
}

markOutboundSkipped() {
	: >/var/run/outbound-check-skipped
	: >/opt/azure/outbound-check-skipped
}

checkApiServer() {
	local name=$API_SERVER_NAME seconds=300 tries=34
	if is_ipv4 "$name"; then
		part apiserverNC reach_api_server "$name" 300 10 nc -v -z -w 9 "$name" 443
		return
	fi
	[[ $name != *.privatelink.* ]] || seconds=600 tries=68
	if ! on ENABLE_HOSTS_CONFIG_AGENT; then
		part apiserverNslookup wait_for_name "$name" "$seconds"
	fi
	part apiserverCurl reach_api_server "$name" "$tries" 15 curl --silent --show-error --max-time 14 --output /dev/null \
		--cacert "$KUBERNETES/certs/ca.crt" "https://$name"
}

reach_api_server() {
	local name=$1 tries=$2 limit=$3 said details=
	shift 3
	said=$(retry "$tries" 1 "$limit" "$@" 2>&1 | redacted_output | last_error) && return
	if [ "$1" = curl ]; then
		details=$(bounded "$limit" "$@" --verbose 2>&1 | without_accounts | redacted_output) && return
		log "$details"
		details=$(sed -nE 's/^\* connect to .* failed: //p' <<<"$details" | tail -n 1)
	fi
	said=$(with_proxy_named "${said:-no answer in time}")${details:+ ($details)}
	case $said in
	*'has expired'* | *'not yet valid'*)
		said="the certificate of the API server $name is not valid at the time of this machine ($(date -u '+%F %T UTC')): $said"
		;;
	'curl: (60)'*) said="the certificate of the API server $name is not of this cluster: $said" ;;
	*) said="the API server $name cannot be reached: $said" ;;
	esac
	fail "$ERR_K8S_API_SERVER_CONN_FAIL" "$said"
}

last_error() {
	local line last=
	while IFS= read -r line; do
		printf '%s\n' "$line" >&2
		[[ $line != curl:* && $line != nc:* ]] || last=$line
	done
	printf '%s' "$last"
}

wait_for_name() {
	local name=$1 until=$((EPOCHSECONDS + $2)) answer said=
	while ! answer=$(bounded 20 nslookup -timeout=15 -retry=0 "$name" 2>&1); do
		said=${answer:-$said}
		if [ "$EPOCHSECONDS" -ge "$until" ] || ! has_time; then
			if [[ $said == *168.63.129.16* ]]; then
				fail "$ERR_K8S_API_SERVER_AZURE_DNS_LOOKUP_FAIL" "Azure's DNS does not resolve the name of the API server $name"
			fi
			fail "$ERR_K8S_API_SERVER_DNS_LOOKUP_FAIL" "the name of the API server $name does not resolve"
		fi
		sleep 1
	done
}

prepareKubeletDirectories() {
	{ [ -d "$KUBERNETES/manifests" ] && [ -d "$KUBELET_DROPINS" ]; } || mkdir -p "$KUBERNETES/manifests" "$KUBELET_DROPINS" ||
		fail "$ERR_NODE_FILE_WRITE_FAIL" "$KUBERNETES/manifests or $KUBELET_DROPINS cannot be created"
	(setsid /opt/bin/kubelet --version >/dev/null 2>&1 </dev/null &)
}

configureKubeletCgroups() {
	must_put_unit kubelet.service.d/10-cgroupv2.conf 0644 <<'UNIT'
[Service]
Environment="KUBELET_CGROUP_FLAGS=--cgroup-driver=systemd"
UNIT
}

configureKubeletContainerdFlags() {
	local cgroup=/system.slice/containerd.service
	! has_reserved_slice || cgroup=/kubereserved.slice/containerd.service
	must_put_unit kubelet.service.d/10-containerd-base-flag.conf 0644 <<UNIT
[Service]
Environment="KUBELET_CONTAINERD_FLAGS=--runtime-request-timeout=15m --container-runtime-endpoint=unix:///run/containerd/containerd.sock --runtime-cgroups=$cgroup"
UNIT
}

configureKubeletRuntimeFlag() {
	must_put_unit kubelet.service.d/10-container-runtime-flag.conf 0644 <<'UNIT'
[Service]
Environment="KUBELET_CONTAINER_RUNTIME_FLAG=--container-runtime=remote"
UNIT
}

configureKubeletDisk() {
	must_put_unit kubelet.service.d/10-bindmount.conf 0644 <<'UNIT'
[Unit]
Requires=bind-mount.service
After=bind-mount.service
UNIT
}

kubelet_defaults() {
	environment_line KUBELET_FLAGS "$KUBELET_FLAGS" &&
		environment_line KUBELET_REGISTER_SCHEDULABLE true &&
		environment_line NETWORK_POLICY "${NETWORK_POLICY:-}" &&
		environment_line KUBELET_IMAGE "${KUBELET_IMAGE:-}" &&
		environment_line KUBELET_NODE_LABELS "${KUBELET_NODE_LABELS:-}" || return
	! given AZURE_ENVIRONMENT_FILEPATH || environment_line AZURE_ENVIRONMENT_FILEPATH "$AZURE_ENVIRONMENT_FILEPATH"
}

set_node_ip() {
	if has_metadata && [ -n "${METADATA[2]}" ]; then
		KUBELET_FLAGS=$(list_with ' ' "$KUBELET_FLAGS" "--node-ip=${METADATA[2]}")
	fi
}

kubeconfig() {
	local user=$1 context=$2 json
	shift 2
	printf 'apiVersion: v1\nkind: Config\nclusters:\n- name: localcluster\n  cluster:\n'
	json_text "$API_SERVER_NAME"
	printf '    certificate-authority: %s\n    server: "https://%s:443"\n' "$KUBERNETES/certs/ca.crt" "$json"
	printf 'users:\n- name: %s\n  user:\n' "$user"
	while [ $# -gt 0 ]; do
		json_text "$2"
		printf '    %s: "%s"\n' "$1" "$json"
		shift 2
	done
	printf 'contexts:\n- name: %s\n  context:\n    cluster: localcluster\n    user: %s\ncurrent-context: %s\n' "$context" "$user" "$context"
}

write_kubeconfigs() {
	if given TLS_BOOTSTRAP_TOKEN; then
		must_put "$KUBELET_ROOT/bootstrap-kubeconfig" 0600 kubeconfig kubelet-bootstrap bootstrap-context token "$TLS_BOOTSTRAP_TOKEN"
		write_tls_bootstrap_flags "--kubeconfig $KUBELET_ROOT/kubeconfig --bootstrap-kubeconfig $KUBELET_ROOT/bootstrap-kubeconfig"
		must_put_unit kubelet.service.d/10-credential-validation.conf 0600 <<UNIT
[Service]
Environment="CREDENTIAL_VALIDATION_KUBE_CA_FILE=/etc/kubernetes/certs/ca.crt"
Environment="CREDENTIAL_VALIDATION_APISERVER_URL=https://$API_SERVER_NAME:443"
UNIT
	elif on ENABLE_SECURE_TLS_BOOTSTRAPPING; then
		write_tls_bootstrap_flags "--kubeconfig $KUBELET_ROOT/kubeconfig"
	elif [ ! -s "$KUBELET_ROOT/kubeconfig" ] || grep -q /certs/client.key "$KUBELET_ROOT/kubeconfig"; then
		must_put "$KUBELET_ROOT/kubeconfig" 0600 kubeconfig client localclustercontext \
			client-certificate "$KUBERNETES/certs/client.crt" client-key "$KUBERNETES/certs/client.key"
	fi
}

write_tls_bootstrap_flags() {
	local flags=$1
	must_put_unit kubelet.service.d/10-tlsbootstrap.conf 0600 <<UNIT
[Service]
Environment="KUBELET_TLS_BOOTSTRAP_FLAGS=$flags"
UNIT
}

configureKubelet() {
	local address='' restrict=false mangle=false
	! kubernetes_ge 1.29.0 || part ensureKubelet.setKubeletNodeIPFlag set_node_ip
	must_put /etc/default/kubelet 0600 kubelet_defaults
	write_kubeconfigs
	! part ensureKubelet.getPrimaryNicIP has_address || address=${METADATA[1]}
	! on ENABLE_IMDS_RESTRICTION || restrict=true
	! on INSERT_IMDS_RESTRICTION_RULE_TO_MANGLE_TABLE || mangle=true
	must_put_unit kubelet.service.d/10-ensure-imds-restriction.conf 0600 <<UNIT
[Service]
Environment="PRIMARY_NIC_IP=$address"
Environment="ENABLE_IMDS_RESTRICTION=$restrict"
Environment="INSERT_IMDS_RESTRICTION_RULE_TO_MANGLE_TABLE=$mangle"
UNIT
	if kubernetes_ge 1.32.0; then
		must_put_unit kubelet.service.d/10-watchdog.conf 0644 <<'UNIT'
[Service]
WatchdogSec=60s
UNIT
	fi
	if [ ! -e "$CONTAINERS/kubelet.sh" ]; then
		must_put "$CONTAINERS/kubelet.sh" 0755 cat <<'SCRIPT'
#!/bin/bash
set -uo pipefail

for port in 80 32526; do
	rule=(-d 168.63.129.16 -p tcp --dport "$port" -j DROP)
	iptables -w 30 -C FORWARD "${rule[@]}" 2>/dev/null || iptables -w 30 -I FORWARD "${rule[@]}" || exit 1
done
SCRIPT
	fi
	ensure_reserved_cgroups
	configureKubeletContainerdFlags
	configure_credential_provider
}

ensureKubelet() {
	! family flatcar acl || { containerd_is_ready && provideCredentialProvider; } || fail "$ERR_SYSTEMCTL_START_FAIL" 'containerd does not answer; see journalctl -u containerd'
	if is_isolated; then
		part ensureKubelet.ensurePodInfraContainerImage pull_pause_image
	fi
	printf '%(%F %T)T.%s\n' -1 000 >"$CONTAINERS/tls-bootstrap-start-time"
	enable_and_start kubelet.service 240 --no-block ||
		fail "$ERR_KUBELET_START_FAIL" 'kubelet.service cannot be started; see /var/log/azure/kubelet.service-status.log'
	if unit_exists measure-tls-bootstrapping-latency.service; then
		bounded 30 systemctl enable --quiet --no-reload measure-tls-bootstrapping-latency.service || true
		bounded 30 systemctl restart --no-block measure-tls-bootstrapping-latency.service || rm -f "$CONTAINERS/tls-bootstrap-start-time"
	fi
}

has_client_certificate() {
	local line
	[ -s "$KUBELET_ROOT/kubeconfig" ] || return
	while IFS= read -r line; do
		if [[ $line =~ ^[\ -]*client-certificate:\ *\"?([^\"]*)\"?$ ]]; then
			[ -s "${BASH_REMATCH[1]}" ]
			return
		fi
	done <"$KUBELET_ROOT/kubeconfig"
}

log_of_kubelet() {
	bounded 10 journalctl --no-pager --boot --quiet --output=cat --unit=kubelet --lines=5000 2>/dev/null
}

cause_of_kubelet() {
	log_of_kubelet | awk '
		/^(kubelet\.service: |St(art|opp)(ed|ing) |Scheduled )/ { if (rank) { before = error; rank = 0 } next }
		{ last = $0 }
		/^I.*csr\.go:.*[Cc]ertificate signing request/ { error = $0; rank = 4 }
		!/^([EF][0-9][0-9][0-9][0-9] |Error: |panic: )/ { next }
		{ this = 2 }
		/system:anonymous|No valid client certificate|Reached backoff limit|not registered yet|node \\"[^"]*" not found/ { this = 1 }
		/Unauthorized|x509: |connection refused|no such host|no route to host|[Tt]imeout|deadline exceeded/ { if (this == 2) this = 3 }
		/certificate signing request|"command failed"|"Failed to (start|run) |^(F[0-9]|Error: |panic: )/ { this = 4 }
		this >= rank { error = $0; rank = this }
		END {
			if (!rank) error = before ? before : last
			sub(/^[EFI][0-9]+ [0-9:.]+ +[0-9]+ [^ ]*\] /, "", error)
			print substr(error, 1, 400)
		}'
}

is_rejected() {
	log_of_kubelet | awk '/^(kubelet\.service: |St(art|opp)(ed|ing) |Scheduled )/ { answer = "" } /[Cc]ertificate signing request/ { answer = $0 }
		END { exit answer !~ /certificate signing request: Unauthorized/ }'
}

meaning_for_certificate() {
	case $1 in
	*'certificate signing request: Unauthorized'*)
		if given TLS_BOOTSTRAP_TOKEN; then
			printf 'the API server rejects the bootstrap token. kubelet: '
		else
			printf 'the API server rejects the credentials that kubelet asks with: '
		fi
		;;
	*'certificate signing request: '*' is forbidden: '*) printf 'the bootstrap token has no right to ask for a certificate: ' ;;
	*'Certificate signing request created'*) printf 'the cluster has not approved its request for a certificate: ' ;;
	*'is approved, waiting to be issued'*) printf 'the cluster has approved its request, but has not issued the certificate: ' ;;
	*'x509: certificate signed by unknown authority'*) printf 'the certificate of the API server is not of this cluster: ' ;;
	*'x509: certificate has expired or is not yet valid'*) printf 'the clock is wrong, or a certificate has expired: ' ;;
	*'no such host'*) printf 'the name of the API server does not resolve: ' ;;
	*'certificate signing request: '*'dial tcp'* | *'certificate signing request: '*[Tt]imeout* | *'certificate signing request: '*'deadline exceeded'*)
		printf 'the API server cannot be reached: '
		;;
	esac
}

kubelet_fails() {
	local cause meaning=
	log_of_kubelet | grep -E '^([EF][0-9]{4} |Error: |panic: )' | grep -vE 'system:anonymous|not registered yet|node \\"[^"]*" not found' | tac |
		awk '{ key = $0; sub(/^[^]]*\] /, "", key); gsub(/[0-9]+/, "0", key) } !seen[key]++' | head -n 8 | tac
	cause=$(cause_of_kubelet)
	has_client_certificate || meaning=$(meaning_for_certificate "$cause")
	fail "$ERR_KUBELET_START_FAIL" "kubelet $1: $meaning$cause; see journalctl -u kubelet"
}

checkKubelet() {
	local CSE_MAX_DURATION_SECONDS=$((${CSE_MAX_DURATION_SECONDS:-780} * 11 / 10)) left until state pid restarts first='' seen='' steady=0 look rejected=''
	count_seconds
	until=$((EPOCHSECONDS + (left > 315 ? 300 : left - 15)))
	look=$((EPOCHSECONDS + 10))
	while :; do
		state=$(retry 3 1 10 systemctl show --property=ActiveState,ConditionResult,Job,MainPID,NRestarts kubelet.service 2>/dev/null)
		state=" ${state//$'\n'/ } "
		[[ $state != *' ActiveState=failed '* ]] || kubelet_fails 'has failed'
		[[ $state != *' ActiveState=inactive '* || $state != *' ConditionResult=no '* || $state == *' Job='[1-9]* ]] ||
			kubelet_fails 'is not started, because a condition of its unit does not hold'
		pid=${state#* MainPID=} restarts=${state#* NRestarts=}
		pid=${pid%% *} restarts=${restarts%% *}
		if ! is_number "$pid" || ! is_number "$restarts"; then
			warn 'systemd does not report whether kubelet stays up'
			return 0
		fi
		first=${first:-$restarts} restarts=$((restarts - ${first:-$restarts}))
		if [ "$pid" != 0 ] && [ "$pid" = "$seen" ] && has_client_certificate; then
			steady=$((steady + 1))
		else
			steady=0
		fi
		seen=$pid
		[ "$steady" -lt "$((restarts > 0 && EPOCHSECONDS < until ? 15 : 5))" ] || return 0
		if [ "$EPOCHSECONDS" -ge "$until" ] || { [ "$restarts" -ge 20 ] && [ "$steady" = 0 ]; }; then
			if ! has_client_certificate; then
				[ "$restarts" = 0 ] || kubelet_fails "has no client certificate and has ended $restarts times"
				kubelet_fails 'has no client certificate'
			fi
			kubelet_fails "has ended $restarts times"
		fi
		if [ "$EPOCHSECONDS" -ge "$look" ] && ! has_client_certificate; then
			look=$((EPOCHSECONDS + 10))
			if is_rejected; then
				rejected=${rejected:-$EPOCHSECONDS}
				[ "$((EPOCHSECONDS - rejected))" -lt 60 ] || kubelet_fails 'has asked for a client certificate for a minute'
			else
				rejected=
			fi
		fi
		before_pause
		sleep 2
	done
}

credential_provider_config() {
	local by_account='' flag name images=({'*','*.*.geo'}.azurecr.{io,cn,de,us}) args=("$KUBERNETES/azure.json")
	! given AKS_CUSTOM_CLOUD_CONTAINER_REGISTRY_DNS_SUFFIX || images+=("*$AKS_CUSTOM_CLOUD_CONTAINER_REGISTRY_DNS_SUFFIX")
	if is_isolated; then
		images+=("$(mcr_host)")
		args+=("--registry-mirror=$(mcr_host):$BOOTSTRAP_PROFILE_CONTAINER_REGISTRY_SERVER")
	fi
	if on SERVICE_ACCOUNT_IMAGE_PULL_ENABLED; then
		while read -r flag name; do
			! given "$name" || args+=("--ib-$flag=${!name}")
		done <<'FLAGS'
sni-name IDENTITY_BINDINGS_LOCAL_AUTHORITY_SNI
default-client-id SERVICE_ACCOUNT_IMAGE_PULL_DEFAULT_CLIENT_ID
default-tenant-id SERVICE_ACCOUNT_IMAGE_PULL_DEFAULT_TENANT_ID
apiserver-ip API_SERVER_NAME
FLAGS
		by_account=', "tokenAttributes": {"serviceAccountTokenAudience": "api://AKSIdentityBinding", "requireServiceAccount": false,
  "cacheType": "ServiceAccount", "optionalServiceAccountAnnotationKeys": ["kubernetes.azure.com/acr-client-id"]}'
	fi
	printf '{"kind": "CredentialProviderConfig", "apiVersion": "kubelet.config.k8s.io/v1", "providers": [{"name": "acr-credential-provider",
  "matchImages": '
	json_list "${images[@]}"
	printf ', "defaultCacheDuration": "10m", "apiVersion": "credentialprovider.kubelet.k8s.io/v1",
  "args": '
	json_list "${args[@]}"
	printf '%s}]}\n' "$by_account"
}

json_list() {
	local text json separator='['
	for text in "$@"; do
		json_text "$text"
		printf '%s"%s"' "$separator" "$json"
		separator=', '
	done
	printf ']'
}

uses_credential_provider() {
	kubelet_flag --image-credential-provider-config >/dev/null && kubelet_flag --image-credential-provider-bin-dir >/dev/null
}

prepareCredentialProvider() {
	! uses_credential_provider || install_credential_provider "$PREPARED_CREDENTIAL_PROVIDER"
}

configure_credential_provider() {
	! uses_credential_provider ||
		part ensureKubelet.configCredentialProvider must_put "$KUBELET_ROOT/credential-provider-config.yaml" 0644 credential_provider_config
}

provideCredentialProvider() {
	if uses_credential_provider; then
		install_credential_provider "$KUBELET_ROOT/credential-provider/acr-credential-provider"
	elif [ -e "$PREPARED_CREDENTIAL_PROVIDER" ]; then
		is_installed_from credentialprovider '' || rm -f "$PREPARED_CREDENTIAL_PROVIDER" /opt/credentialprovider/installed-from
	fi
}

checkDriverTag() {
	has_tags || fail "$ERR_NVIDIA_DRIVER_INSTALL" 'the tags of this machine cannot be read from the metadata'
	if [ "${GPU_DRIVER_TYPE:-}" = grid-v20 ] && ! family ubuntu; then
		fail "$ERR_NVIDIA_DRIVER_INSTALL" 'GPU_DRIVER_TYPE grid-v20 is available for Ubuntu only'
	fi
}

has_amd64_gpu() {
	[ "$CPU_ARCH" = amd64 ] || {
		log 'on this architecture, the image has the GPU driver'
		return 1
	}
}

ensureGPUDrivers() {
	has_amd64_gpu || return 0
	if family ubuntu; then
		part ensureGPUDrivers.cleanUpGridNodeCudaPrebake remove_driver_of_other_kind
	fi
	if on CONFIG_GPU_DRIVER_IF_NEEDED; then
		part ensureGPUDrivers.configGPUDrivers set_up_gpu_driver
	else
		part ensureGPUDrivers.validateGPUDrivers check_gpu_driver
	fi
	if family ubuntu && unit_exists nvidia-modprobe.service; then
		part ensureGPUDrivers.nvidia-modprobe enable_and_start nvidia-modprobe.service 30 ||
			fail "$ERR_GPU_DRIVERS_START_FAIL" 'nvidia-modprobe.service does not start'
	fi
}

set_up_gpu_driver() {
	install_gpu_driver
	part configGPUDrivers.waitForNvidiaModprobe load_gpu_driver 120 ||
		fail "$ERR_GPU_DRIVERS_START_FAIL" 'the GPU driver is installed, but its module cannot be loaded'
	part configGPUDrivers.waitForNvidiaSmi ask_gpu_driver 120
	retry 3 5 25 ldconfig || fail "$ERR_GPU_DRIVERS_START_FAIL" 'ldconfig failed'
	after_gpu_driver
	retry 3 5 60 systemctl restart containerd.service || fail "$ERR_GPU_DRIVERS_INSTALL_TIMEOUT" 'containerd does not start with the GPU driver'
	! unit_exists node-problem-detector.service || bounded 30 systemctl restart node-problem-detector.service || warn 'node-problem-detector cannot be restarted'
}

check_gpu_driver() {
	load_gpu_driver 24 || set_up_gpu_driver
	ask_gpu_driver 24
}

load_gpu_driver() {
	retry "$1" 5 25 nvidia-modprobe -u -c0
}

ask_gpu_driver() {
	local output
	! retry "$1" 5 30 nvidia-smi >/dev/null || return 0
	output=$(bounded 30 nvidia-smi 2>&1)
	if [[ ${output,,} == *'inforom is corrupted'* || ${output,,} == *'corrupted inforom'* ]]; then
		fail "$ERR_GPU_INFO_ROM_CORRUPTED" 'the GPU reports a corrupted info ROM; deallocate this machine to move it to another host'
	fi
	fail "$ERR_GPU_DRIVERS_START_FAIL" 'the GPU driver is installed, but nvidia-smi does not answer'
}

start_grid_license() {
	[ "${GPU_DRIVER_TYPE:-}" = grid ] || return 0
	enable_and_start nvidia-gridd.service 300 || fail "$ERR_SYSTEMCTL_START_FAIL" 'nvidia-gridd.service does not start'
}

configureFabricManager() {
	if on GPU_NEEDS_FABRIC_MANAGER; then
		install_fabric_manager
		part nvidia-fabricmanager enable_and_start nvidia-fabricmanager.service 30 || fail "$ERR_GPU_DRIVERS_START_FAIL" 'nvidia-fabricmanager.service does not start'
	elif unit_exists nvidia-fabricmanager.service; then
		disable_and_stop nvidia-fabricmanager.service
		bounded 10 systemctl reset-failed nvidia-fabricmanager.service 2>/dev/null || true
	fi
}

ensureMigPartition() {
	local profile layout
	profile=$(unit_value "${GPU_INSTANCE_PROFILE:-}") || fail "$ERR_NODE_INPUT_INVALID" 'GPU_INSTANCE_PROFILE has a line break'
	layout=$(unit_value "${NVIDIA_MIG_PROFILE_LAYOUT:-}") || fail "$ERR_NODE_INPUT_INVALID" 'NVIDIA_MIG_PROFILE_LAYOUT has a line break'
	must_put_unit mig-partition.service.d/10-mig-profile.conf 0644 <<UNIT
[Service]
Environment="GPU_INSTANCE_PROFILE=$profile"
Environment="NVIDIA_MIG_PROFILE_LAYOUT=$layout"
UNIT
	reload_units
	bounded 300 systemctl restart mig-partition.service || warn 'mig-partition.service failed before the reboot'
	retry 3 5 25 systemctl enable --quiet mig-partition.service || warn 'mig-partition.service cannot be enabled'
}

says_true() { [[ ${!1:-} == [Tt][Rr][Uu][Ee] ]]; }

managed_gpu_mode() {
	local mode=none
	has_tags || return
	if has_tag EnableManagedGPUExperience || says_true ENABLE_MANAGED_GPU; then
		mode=plugin
	fi
	if says_true ENABLE_MANAGED_GPU_DRA; then
		[ "$mode" = none ] && mode=dra || mode=both
	fi
	printf '%s' "$mode"
}

configureManagedGPUExperience() {
	local mode unit strategy=single node=${HOSTNAME,,}
	mode=$(managed_gpu_mode) || fail "$ERR_LOOKUP_ENABLE_MANAGED_GPU_EXPERIENCE_TAG" 'the tags of this machine cannot be read from the metadata'
	case $mode in
	none)
		for unit in nvidia-device-plugin dra-driver-nvidia-gpu nvidia-dcgm nvidia-dcgm-exporter; do
			unit_exists "$unit.service" || note "stop.$unit" "$unit.service is not there"
			disable_and_stop "$unit.service"
		done
		rm -f "$CONTAINERS/managed-gpu-experience.enabled"
		return
		;;
	both)
		fail "$ERR_ENABLE_MANAGED_GPU_EXPERIENCE" 'the device plugin and the DRA driver exclude each other; ENABLE_MANAGED_GPU_DRA is true, and so is ENABLE_MANAGED_GPU or the tag EnableManagedGPUExperience'
		;;
	esac
	mkdir -p "$KUBELET_ROOT/device-plugins" "$KUBELET_ROOT/plugins" "$KUBELET_ROOT/plugins_registry"
	part installNvidiaManagedExpPkgFromCache install_managed_gpu_packages "$mode"
	must_put_unit nvidia-dcgm-exporter.service.d/10-aks-override.conf 0644 <<'UNIT'
[Service]
Environment="DCGM_EXPORTER_LISTEN=:19400"
UNIT
	if [ "$mode" = dra ]; then
		must_put_unit dra-driver-nvidia-gpu.service.d/10-dra-driver-nvidia-gpu.conf 0644 <<UNIT
[Unit]
Requires=kubelet.service
After=kubelet.service

[Service]
ExecStart=
ExecStart=/usr/bin/gpu-kubelet-plugin --kubeconfig /var/lib/kubelet/kubeconfig --container-driver-root / --image-name "" --node-name=$node
UNIT
	else
		[ "${NVIDIA_MIG_STRATEGY:-}" != Mixed ] || strategy=mixed
		must_put_unit nvidia-device-plugin.service.d/10-device-plugin-config.conf 0644 <<UNIT
[Service]
Environment="MIG_STRATEGY=$strategy"
Environment="PASS_DEVICE_SPECS=true"
UNIT
		part startNvidiaManagedExpServices start_managed_gpu
	fi
	KUBELET_NODE_LABELS=$(list_with , "${KUBELET_NODE_LABELS:-}" kubernetes.azure.com/dcgm-exporter=enabled)
	: >"$CONTAINERS/managed-gpu-experience.enabled"
}

start_managed_gpu() {
	enable_and_start nvidia-device-plugin.service 30 --no-block || fail "$ERR_GPU_DEVICE_PLUGIN_START_FAIL" 'nvidia-device-plugin.service does not start'
	start_gpu_metrics
}

start_gpu_metrics() {
	local unit
	for unit in nvidia-dcgm nvidia-dcgm-exporter; do
		part "start.$unit" bounded 30 systemctl enable --quiet --now --no-block "$unit.service" || warn "$unit.service cannot be started"
	done
}

reserve_huge_pages_for_ama() {
	must_put_text /etc/sysctl.d/99-ama_transcoder.conf 0644 'vm.nr_hugepages=4096'
	retry 5 5 25 sysctl --quiet --load=/etc/sysctl.d/99-ama_transcoder.conf || fail "$ERR_SYSCTL_RELOAD" 'huge pages cannot be reserved'
	! bounded 10 systemctl is-active --quiet kubelet.service || bounded 60 systemctl restart kubelet.service || warn 'kubelet cannot be restarted'
}

startDraDriver() {
	part startNvidiaManagedExpServices start_dra_driver
}

start_dra_driver() {
	enable_and_start dra-driver-nvidia-gpu.service 30 || fail "$ERR_DRA_DRIVER_START_FAIL" 'dra-driver-nvidia-gpu.service does not start'
	start_gpu_metrics
}
#EOF
