#!/bin/bash
set -uo pipefail
umask 022
export LC_ALL=C DEBIAN_FRONTEND=noninteractive

[ ! -e /opt/azure/containers/provision.complete ] || exit 0
[ ! -e /opt/azure/containers/imds_instance_metadata_cache.json ] || rm -f /opt/azure/containers/imds_instance_metadata_cache.json

helpers=${CSE_HELPERS_FILEPATH:-/opt/azure/containers/provision_source.sh}
helpers_are_complete() {
	local text=
	{ IFS= read -r -d '' text <"$helpers"; } 2>/dev/null
	[[ $'\n'${text%$'\n'} == *$'\n#EOF' ]]
}
for ((waited = 0; waited < 120; waited++)); do
	! helpers_are_complete || break
	sleep 1
done
if ! helpers_are_complete; then
	printf '%s is missing or incomplete' "$helpers" | tee "${PROVISION_REASON_FILE:-/dev/null}"
	exit 6
fi
. "$helpers"
stage=$CONTAINERS/provision_image_stage.sh
makes_an_image || [ -e "$CONTAINERS/before_image_stage" ] || stage=
for script in "${CSE_DISTRO_HELPERS_FILEPATH:-$CONTAINERS/provision_source_distro.sh}" \
	"${CSE_INSTALL_FILEPATH:-$CONTAINERS/provision_installs.sh}" \
	"${CSE_DISTRO_INSTALL_FILEPATH:-$CONTAINERS/provision_installs_distro.sh}" \
	"${CSE_CONFIG_FILEPATH:-$CONTAINERS/provision_configs.sh}" ${stage:+"$stage"}; do
	. "$script" || fail "$ERR_FILE_WATCH_TIMEOUT" "$script is missing, or bash cannot read it"
done


hosts_plugin_is_wanted() { on SHOULD_ENABLE_LOCALDNS && on SHOULD_ENABLE_HOSTS_PLUGIN; }
guest_agent_is_held() { family ubuntu && ! on SKIP_WAAGENT_HOLD; }
password_login_only() { ! on DISABLE_SSH && on DISABLE_PUBKEY_AUTH; }
proxy_has_ca() { on SHOULD_CONFIGURE_HTTP_PROXY && on SHOULD_CONFIGURE_HTTP_PROXY_CA; }
has_man_db() { ! family mariner osguard && [ -d /var/lib/man-db ]; }
is_isolated() { given BOOTSTRAP_PROFILE_CONTAINER_REGISTRY_SERVER; }
is_full_install() { ! is_prepared_image || has_tag SkipBinaryCleanup; }
is_full_install_on_apt() { family ubuntu debian && is_full_install; }
is_full_install_on_ubuntu() { family ubuntu && is_full_install; }
runtime_is_installed() { ! family osguard && { is_full_install || given CONTAINERD_PACKAGE_URL; }; }
runc_is_replaced() { ! family osguard && given RUNC_PACKAGE_URL; }
is_in_china() { [ "${TARGET_CLOUD:-}" = AzureChinaCloud ]; }
is_before_1_27() { ! kubernetes_ge 1.27.0; }
has_secondary_nics() { is_number "${STANDARD_SECONDARY_NIC_COUNT:-}" && [ "$STANDARD_SECONDARY_NIC_COUNT" -gt 0 ]; }
is_gpu_node() { on GPU_NODE; }
driver_is_wanted() { on GPU_NODE && ! has_tag SkipGpuDriverInstall; }
driver_is_unwanted() { ! driver_is_wanted; }
dra_is_wanted() { driver_is_wanted && says_true ENABLE_MANAGED_GPU_DRA; }
has_amd_accelerator() { has_metadata && [ "${METADATA[0]}" = Standard_NM16ads_MA35D ]; }
exporter_is_there() { on SHOULD_ENABLE_LOCALDNS && unit_exists localdns-exporter.socket; }
log_collector_is_there() { unit_exists aks-log-collector.timer; }
is_live_patched() { family ubuntu mariner && unit_exists snapshot-update.timer; }
needs_reboot() { on MIG_NODE; }
is_upgraded_unattended() { ! needs_reboot && on ENABLE_UNATTENDED_UPGRADES; }
on_a_node() { ! makes_an_image && "$@"; }


base_prep() {
	step checkBaseInputs always
	beside makeServingCertificate makes_serving_certificate_early
	step useProxy on SHOULD_CONFIGURE_HTTP_PROXY
	step installTools lacks_tools
	step configureHTTPProxyCA proxy_has_ca
	step configureEtcEnvironment on_a_node on SHOULD_CONFIGURE_HTTP_PROXY
	step configureCustomCaCertificate on SHOULD_CONFIGURE_CUSTOM_CA_TRUST
	attempt enableAKSLocalDNSHostsSetup on_a_node hosts_plugin_is_wanted
	step holdWALinuxAgent on_a_node guest_agent_is_held
	step resolvePackagesSourceURL always
	step fetchMetadata always
	step installSecureTLSBootstrapClient always
	step disableSSH on_a_node on DISABLE_SSH
	step disableSSHPubkeyAuth on_a_node password_login_only
	step logPrivateEgressProxy given PRIVATE_EGRESS_PROXY_ADDRESS
	attempt removeManDbAutoUpdateFlagFile has_man_db
	step orasLogin is_isolated
	step disableSystemdResolved family ubuntu
	step checkInstallMode always
	step installDeps is_full_install_on_apt
	step installContainerRuntime runtime_is_installed
	step installRunc runc_is_replaced
	step setupCNIDirs always
	step installNetworkPlugin not family osguard
	step configureKubeletAndKubectl always
	step prepareCredentialProvider makes_an_image
	step prepareKubeletDirectories always
	step joinCustomSearchDomain on_a_node on HAS_CUSTOM_SEARCH_DOMAIN
	step configureCNI always
	step ensureDHCPv6 on_a_node on IPV6_DUAL_STACK_ENABLED
	attempt configureSystemdUseDomains family mariner osguard
	step setContainerdUlimits on_a_node on SHOULD_CONFIG_CONTAINERD_ULIMITS
	step ensureContainerd always
	step configureMessageOfTheDay on_a_node given MESSAGE_OF_THE_DAY
	step retagImages on_a_node is_in_china
	step configPrivateClusterHosts on_a_node on ENABLE_HOSTS_CONFIG_AGENT
	step configureTransparentHugePage on_a_node on SHOULD_CONFIG_TRANSPARENT_HUGE_PAGE
	step configureSwapFile on_a_node on SHOULD_CONFIG_SWAP_FILE
	step configureKubeletCgroups on NEEDS_CGROUPV2
	step configureKubenetTemplate always
	step configureKubeletContainerdFlags always
	step configureKubeletRuntimeFlag is_before_1_27
	step configureKubeletDisk on_a_node on HAS_KUBELET_DISK_TYPE
	step ensureSysctl always
	step mitigateModules always
	attempt unbindHyperVTimeSync is_full_install_on_ubuntu
	step ensureArtifactStreaming on_a_node on ARTIFACT_STREAMING_ENABLED
	step enableLocalDNS on_a_node on SHOULD_ENABLE_LOCALDNS
}

node_prep() {
	step checkNodeInputs always
	step ensureKubeCACert always
	beside checkOutbound given OUTBOUND_COMMAND
	beside checkApiServer always
	beside provideCredentialProvider not family flatcar acl
	step configureAzureJson always
	step configureKubeletServing always
	step configureK8s always
	step configureAndEnableSecureTLSBootstrapping on ENABLE_SECURE_TLS_BOOTSTRAPPING
	step markOutboundSkipped is_isolated
	! is_gpu_node || joined
	step configureSecondaryNICs has_secondary_nics
	step checkDriverTag is_gpu_node
	step ensureGPUDrivers driver_is_wanted
	step configureFabricManager driver_is_wanted
	step ensureMigPartition on MIG_NODE
	step configureManagedGPUExperience driver_is_wanted
	step setupAmdAma has_amd_accelerator
	step configureKernelDefaults kernel_differs_for_kubelet
	attempt checkSecureTLSBootstrap on ENABLE_SECURE_TLS_BOOTSTRAPPING
	step labelLocalDNSExporter exporter_is_there
	step configureKubelet always
	joined
	step ensureKubelet always
	step checkContainerd always
	attempt ensureAzureNetworkConfig always
	attempt configureAdminUser given ADMINUSER
	attempt configureLocalDNSExporterSocket exporter_is_there
	step ensureNoDupOnPromiscuBridge on ENSURE_NO_DUPE_PROMISCUOUS_BRIDGE
	attempt configureNodeExporter always
	attempt cleanUpGPUDrivers driver_is_unwanted
	step checkKubelet always
	step startDraDriver dra_is_wanted
	attempt startLogCollector log_collector_is_there
	step ubuntuSnapshotUpdate is_live_patched
	attempt scheduleReboot needs_reboot
	step configureUnattendedUpgrades is_upgraded_unattended
	attempt releaseWALinuxAgent guest_agent_is_held
	step cleanUpContainerImages is_prepared_image
}

finish() {
	attempt wakeManDb has_man_db
}

at_the_end() {
	local code=$?
	stop_beside
	wait
	link_logs
	report_open_steps "$code"
	hand_over_events
	printf '%(%F %T)T %s ends with code %s\n' -1 "$HOSTNAME" "$code" >>/opt/m
}
trap at_the_end EXIT

hold_events || warn 'events cannot be held; each is handed over by itself'
part setCPUArch read_os
put_text /etc/profile.d/path.sh 0644 'export PATH="/opt/bin:$PATH"' || warn '/etc/profile.d/path.sh cannot be written'
PATH=/opt/bin:$PATH
{ [ -d "$LOGS/aks" ] && [ -d "$EVENTS" ]; } || mkdir -p "$LOGS/aks" "$EVENTS" || fail "$ERR_NODE_FILE_WRITE_FAIL" "$LOGS/aks or $EVENTS cannot be created"
redact_cloud_config
printf '%(%F %T)T %s begins\n' -1 "$HOSTNAME" >>/opt/m

base_prep
makes_an_image || node_prep
finish
log 'done' || true
#EOF
