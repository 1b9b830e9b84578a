# shellcheck shell=bash
# The network of the node and of its pods.

# Names the servers of the network in /etc/resolv.conf instead of the stub of systemd-resolved on the loopback interface: pods
# copy the file, and CoreDNS would forward queries to itself.
# https://kubernetes.io/docs/tasks/administer-cluster/dns-debugging-resolution/#known-issues
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

# Prints the configuration of Azure's CNI plugin: FILE. Calico needs its transparent mode, which routes packets of pods instead of
# bridging them; with another policy, NETWORK_MODE decides. https://learn.microsoft.com/azure/aks/faq
azure_conflist() {
	if [ "${NETWORK_POLICY:-}" = calico ] || { given NETWORK_POLICY && [ "${NETWORK_MODE:-}" = transparent ]; }; then
		sed 's/"mode":\( *\)"bridge"/"mode":\1"transparent"/' "$1"
	else
		local text
		IFS= read -r -d '' text <"$1" || true
		printf '%s' "$text"
	fi
}

# Loads modules for rules on bridged packets and for settings of connection tracking, which are lost if they come before the
# module, and installs the configuration that the archive of Azure's CNI plugin brings.
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
#include provisioning/units/reconcile-private-hosts.service.d/10-fqdn.conf.in
UNIT
	enable_and_start reconcile-private-hosts.service 30 ||
		fail "$ERR_SYSTEMCTL_START_FAIL" 'reconcile-private-hosts.service does not start'
}

# Applies the rule for ring sizes to the network cards that are there already.
ensureAzureNetworkConfig() {
	bounded 10 udevadm control --reload-rules && bounded 10 udevadm trigger --action=add --subsystem-match=net &&
		bounded 15 udevadm settle --timeout=10
}

# kubenet needs a promiscuous bridge for traffic of a pod to its own service, and such a bridge sends frames twice.
# https://github.com/kubernetes/kubernetes/pull/28717
ensureNoDupOnPromiscuBridge() {
	enable_and_start ensure-no-dup.service 30 || fail "$ERR_SYSTEMCTL_START_FAIL" 'ensure-no-dup.service does not start'
}
