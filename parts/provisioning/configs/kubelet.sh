# shellcheck shell=bash
# kubelet.

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
configure_kubeconfig_flag() {
	if ! given TLS_BOOTSTRAP_TOKEN && on ENABLE_SECURE_TLS_BOOTSTRAPPING; then
		must_put_text "$KUBELET_DROPINS/10-tlsbootstrap.conf" 0600 "[Service]
Environment=\"KUBELET_TLS_BOOTSTRAP_FLAGS=--kubeconfig $KUBELET_ROOT/kubeconfig\""
	fi
}

ensureKubelet() {
	local address
	if kubernetes_ge 1.29.0 && address=$(node_ip) && [ -n "$address" ]; then
		KUBELET_FLAGS=$(list_with ' ' "$KUBELET_FLAGS" "--node-ip=$address")
	fi
	must_put /etc/default/kubelet 0600 kubelet_defaults
	write_kubeconfigs
	configure_kubeconfig_flag
	address=$(primary_address) || address=
	must_put_text "$KUBELET_DROPINS/10-ensure-imds-restriction.conf" 0600 "[Service]
Environment=\"PRIMARY_NIC_IP=$address\"
Environment=\"ENABLE_IMDS_RESTRICTION=$(true_or_false "${ENABLE_IMDS_RESTRICTION:-}")\"
Environment=\"INSERT_IMDS_RESTRICTION_RULE_TO_MANGLE_TABLE=$(true_or_false "${INSERT_IMDS_RESTRICTION_RULE_TO_MANGLE_TABLE:-}")\""
	if kubernetes_ge 1.32.0; then
		must_put_text "$KUBELET_DROPINS/10-watchdog.conf" 0644 $'[Service]\nWatchdogSec=60s'
	fi
	ensure_reserved_cgroups
	configureKubeletContainerdFlags
	configure_credential_provider
	if is_isolated; then
		pull_pause_image
	fi
	printf '%(%F %T)T.%s\n' -1 000 >"$CONTAINERS/tls-bootstrap-start-time"
	enable_and_start kubelet.service 240 --no-block ||
		fail "$ERR_KUBELET_START_FAIL" 'kubelet.service cannot be started; see /var/log/azure/kubelet.service-status.log'
	if unit_exists measure-tls-bootstrapping-latency.service; then
		bounded 30 systemctl restart --no-block measure-tls-bootstrapping-latency.service || rm -f "$CONTAINERS/tls-bootstrap-start-time"
	fi
}

# true or false, whatever else it was.
true_or_false() {
	if [ "$1" = true ]; then printf true; else printf false; fi
}

checkKubelet() {
	is_healthy kubelet.service || {
		timeout 10 journalctl --no-pager --boot --unit=kubelet --lines=40
		fail "$ERR_KUBELET_START_FAIL" 'kubelet.service has failed; see journalctl -u kubelet'
	}
}
