# shellcheck shell=bash
# containerd.

# A unit has no quotes around a limit, so checkBaseInputs accepts nothing but limits: each word becomes a line.
setContainerdUlimits() {
	local text=${CONTAINERD_ULIMITS:-}
	must_put_text "$CONTAINERD_DROPINS/set_ulimits.conf" 0600 "${text// /$'\n'}"
}

# Whether containerd is configured for the runtime of the GPU driver already. The image has done so then, and our configuration
# would remove the runtime.
keeps_containerd_config() {
	local text=
	[ ! -e /etc/containerd/config.toml ] || IFS= read -r -d '' text </etc/containerd/config.toml
	[[ $text == *'/usr/bin/nvidia-container-runtime'* ]]
}

# Prints the host of the registry of an isolated cluster, whose setting may have a path.
registry_host() {
	printf '%s' "${BOOTSTRAP_PROFILE_CONTAINER_REGISTRY_SERVER%%/*}"
}

# Prints the host of the Microsoft container registry in this cloud.
mcr_host() {
	local host=${MCR_REPOSITORY_BASE:-mcr.microsoft.com}
	printf '%s' "${host%%/*}"
}

ensureContainerd() {
	# Docker and firewalls set the policy of FORWARD to DROP, which cuts pods off. containerd 2.0 has no LimitNOFILE any more,
	# and would pass 1024 on to containers: https://github.com/containerd/containerd/pull/8924
	must_put_unit containerd.service.d/exec_start.conf 0644 <<'UNIT'
#include provisioning/units/containerd.service.d/exec_start.conf
UNIT
	ensure_reserved_cgroups
	local content=CONTAINERD_CONFIG_CONTENT
	if on GPU_NODE && has_tag SkipGpuDriverInstall; then
		content=CONTAINERD_CONFIG_NO_GPU_CONTENT
	fi
	if ! keeps_containerd_config; then
		given "$content" || fail "$ERR_FILE_WATCH_TIMEOUT" "$content is empty"
		# `put` replaces the link that some images have there.
		put /etc/containerd/config.toml 0644 decoded "$content" ||
			fail "$ERR_FILE_WATCH_TIMEOUT" "$content must be base64, or /etc/containerd/config.toml cannot be written"
	fi
	configure_registry_hosts
	# ensureSysctl applies them.
	must_put_text /etc/sysctl.d/99-force-bridge-forward.conf 0644 'net.ipv4.ip_forward = 1
net.ipv4.conf.all.forwarding = 1
net.ipv6.conf.all.forwarding = 1
net.bridge.bridge-nf-call-iptables = 1'
	enable_and_start containerd.service 30 --no-block || fail "$ERR_SYSTEMCTL_START_FAIL" 'containerd.service cannot be started'
}

# Directs pulls from the Microsoft container registry to the registry of an isolated cluster, or of the cloud in China.
# https://github.com/containerd/containerd/blob/main/docs/hosts.md
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

# Tags the images of the VHD with the names that manifests in China use, so that they are not pulled again.
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

# A unit that systemd restarts again and again is not in the state `failed`. Only an answer shows that containerd works.
checkContainerd() {
	if ! is_healthy containerd.service || ! containerd_is_ready; then
		timeout 10 journalctl --no-pager --boot --unit=containerd --lines=20
		fail "$ERR_SYSTEMCTL_START_FAIL" 'containerd does not answer; see journalctl -u containerd'
	fi
}

ensureArtifactStreaming() {
	part ensureContainerd.ensureArtifactStreaming start_artifact_streaming
}

# Starts what lets a container run before its image is pulled completely, and enables it for registries of Azure.
# https://learn.microsoft.com/azure/aks/artifact-streaming
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
