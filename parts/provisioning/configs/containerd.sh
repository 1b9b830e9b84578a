# shellcheck shell=bash
# containerd.

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
	ensure_reserved_cgroups
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
