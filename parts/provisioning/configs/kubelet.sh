# shellcheck shell=bash
# kubelet.

prepareKubeletFolders() {
	mkdir -p "$KUBERNETES/manifests" "$KUBELET_DROPINS" ||
		fail "$ERR_NODE_FILE_WRITE_FAIL" "$KUBERNETES/manifests or $KUBELET_DROPINS cannot be created"
	# Reads the binary into the page cache, in the background. From the disk, the first start takes seconds.
	(setsid /opt/bin/kubelet --version >/dev/null 2>&1 </dev/null &)
}

configureKubeletCgroups() {
	must_put_unit kubelet.service.d/10-cgroupv2.conf 0644 <<'UNIT'
#include provisioning/units/kubelet.service.d/10-cgroupv2.conf
UNIT
}

# The cgroup of containerd depends on whether it runs in the slice of reserved resources.
# shellcheck disable=SC2034 # the included unit reads the variables
configureKubeletContainerdFlags() {
	local cgroup=/system.slice/containerd.service
	! has_reserved_slice || cgroup=/kubereserved.slice/containerd.service
	must_put_unit kubelet.service.d/10-containerd-base-flag.conf 0644 <<UNIT
#include provisioning/units/kubelet.service.d/10-containerd-base-flag.conf.in
UNIT
}

# Kubernetes 1.27 removed the flag, and earlier versions need it.
# https://kubernetes.io/blog/2023/03/17/upcoming-changes-in-kubernetes-v1-27/
configureKubeletRuntimeFlag() {
	must_put_unit kubelet.service.d/10-container-runtime-flag.conf 0644 <<'UNIT'
#include provisioning/units/kubelet.service.d/10-container-runtime-flag.conf
UNIT
}

configureKubeletDisk() {
	must_put_unit kubelet.service.d/10-bindmount.conf 0644 <<'UNIT'
#include provisioning/units/kubelet.service.d/10-bindmount.conf
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

# Prints the addresses of the first network card for `--node-ip`: IPv4, IPv6 or both with a comma.
node_ip() {
	metadata '.network.interface[0] | [.ipv4.ipAddress[0].privateIpAddress, .ipv6.ipAddress[0].privateIpAddress]
		| map(select(. != null and . != "")) | join(",")'
}

set_node_ip() {
	local address
	if address=$(node_ip) && [ -n "$address" ]; then
		KUBELET_FLAGS=$(list_with ' ' "$KUBELET_FLAGS" "--node-ip=$address")
	fi
}

# Prints a kubeconfig: USER CONTEXT, then NAME VALUE of each credential. It is YAML with one value per line, because scripts of
# images look for the line of the token. A JSON string is a YAML scalar.
kubeconfig() {
	local user=$1 context=$2
	shift 2
	printf 'apiVersion: v1\nkind: Config\nclusters:\n- name: localcluster\n  cluster:\n'
	printf '    certificate-authority: %s\n    server: "https://%s:443"\n' "$KUBERNETES/certs/ca.crt" "$(json_text "$API_SERVER_NAME")"
	printf 'users:\n- name: %s\n  user:\n' "$user"
	while [ $# -gt 0 ]; do
		printf '    %s: "%s"\n' "$1" "$(json_text "$2")"
		shift 2
	done
	printf 'contexts:\n- name: %s\n  context:\n    cluster: localcluster\n    user: %s\ncurrent-context: %s\n' "$context" "$user" "$context"
}

# Writes the kubeconfig with which kubelet starts: with a bootstrap token, or with a client certificate. The client of secure
# TLS bootstrapping writes its own, and one with a certificate that does not exist would mislead it.
write_kubeconfigs() {
	if given TLS_BOOTSTRAP_TOKEN; then
		must_put "$KUBELET_ROOT/bootstrap-kubeconfig" 0600 kubeconfig kubelet-bootstrap bootstrap-context token "$TLS_BOOTSTRAP_TOKEN"
		write_tls_bootstrap_flags "--kubeconfig $KUBELET_ROOT/kubeconfig --bootstrap-kubeconfig $KUBELET_ROOT/bootstrap-kubeconfig"
		must_put_unit kubelet.service.d/10-credential-validation.conf 0600 <<UNIT
#include provisioning/units/kubelet.service.d/10-credential-validation.conf.in
UNIT
	elif on ENABLE_SECURE_TLS_BOOTSTRAPPING; then
		write_tls_bootstrap_flags "--kubeconfig $KUBELET_ROOT/kubeconfig"
	elif [ ! -s "$KUBELET_ROOT/kubeconfig" ] || grep -q /certs/client.key "$KUBELET_ROOT/kubeconfig"; then
		must_put "$KUBELET_ROOT/kubeconfig" 0600 kubeconfig client localclustercontext \
			client-certificate "$KUBERNETES/certs/client.crt" client-key "$KUBERNETES/certs/client.key"
	fi
}

# shellcheck disable=SC2034 # the included unit reads the variables
write_tls_bootstrap_flags() {
	local flags=$1
	must_put_unit kubelet.service.d/10-tlsbootstrap.conf 0600 <<UNIT
#include provisioning/units/kubelet.service.d/10-tlsbootstrap.conf.in
UNIT
}

# Configures and starts kubelet. From Kubernetes 1.29 on, a kubelet without --node-ip leaves its addresses to the external cloud
# provider, which sets them late; from 1.32 on, kubelet notifies the watchdog of systemd.
# https://github.com/kubernetes/kubernetes/pull/121028, https://github.com/kubernetes/kubernetes/pull/127566
# shellcheck disable=SC2034 # the included unit reads the variables
ensureKubelet() {
	local address restrict mangle
	! kubernetes_ge 1.29.0 || part ensureKubelet.setKubeletNodeIPFlag set_node_ip
	must_put /etc/default/kubelet 0600 kubelet_defaults
	write_kubeconfigs
	address=$(part ensureKubelet.getPrimaryNicIP primary_address) || address=
	restrict=$(true_or_false ENABLE_IMDS_RESTRICTION)
	mangle=$(true_or_false INSERT_IMDS_RESTRICTION_RULE_TO_MANGLE_TABLE)
	must_put_unit kubelet.service.d/10-ensure-imds-restriction.conf 0600 <<UNIT
#include provisioning/units/kubelet.service.d/10-ensure-imds-restriction.conf.in
UNIT
	if kubernetes_ge 1.32.0; then
		must_put_unit kubelet.service.d/10-watchdog.conf 0644 <<'UNIT'
#include provisioning/units/kubelet.service.d/10-watchdog.conf
UNIT
	fi
	# The unit passes over it if it is missing, and pods would reach the wire server.
	if [ ! -e "$CONTAINERS/kubelet.sh" ]; then
		must_put "$CONTAINERS/kubelet.sh" 0755 cat <<'SCRIPT'
#include provisioning/services/kubelet.sh
SCRIPT
	fi
	ensure_reserved_cgroups
	configureKubeletContainerdFlags
	configure_credential_provider
	if is_isolated; then
		part ensureKubelet.ensurePodInfraContainerImage pull_pause_image
	fi
	printf '%(%F %T)T.%s\n' -1 000 >"$CONTAINERS/tls-bootstrap-start-time"
	enable_and_start kubelet.service 240 --no-block ||
		fail "$ERR_KUBELET_START_FAIL" 'kubelet.service cannot be started; see /var/log/azure/kubelet.service-status.log'
	if unit_exists measure-tls-bootstrapping-latency.service; then
		bounded 30 systemctl enable --quiet measure-tls-bootstrapping-latency.service || true
		bounded 30 systemctl restart --no-block measure-tls-bootstrapping-latency.service || rm -f "$CONTAINERS/tls-bootstrap-start-time"
	fi
}

# Prints whether a variable is the word `true`.
true_or_false() {
	if on "$1"; then printf true; else printf false; fi
}

# Whether kubelet's kubeconfig is there with the certificate that it names. kubelet, or the client of secure TLS bootstrapping,
# writes it when the cluster has signed the certificate.
has_client_certificate() {
	local file
	[ -s "$KUBELET_ROOT/kubeconfig" ] || return
	file=$(sed -nE 's/^[ -]*client-certificate: *"?([^"]*)"?$/\1/p' "$KUBELET_ROOT/kubeconfig" | head -n 1)
	[ -z "$file" ] || [ -s "$file" ]
}

# Prints the last error in kubelet's log, or else its last line.
last_error_of_kubelet() {
	bounded 10 journalctl --no-pager --boot --quiet --output=cat --unit=kubelet --lines=1000 2>/dev/null |
		awk '/^[EF][0-9][0-9][0-9][0-9] |^Error: |^panic: / { error = $0 } !/^(kubelet\.service: |St(art|opp)(ed|ing) |Scheduled )/ { last = $0 }
			END { print substr(error ? error : last, 1, 400) }'
}

# Ends the run with the last error of kubelet: WHAT.
kubelet_fails() {
	bounded 10 journalctl --no-pager --boot --unit=kubelet --identifier=kubelet --lines=8
	fail "$ERR_KUBELET_START_FAIL" "kubelet $1: $(last_error_of_kubelet); see journalctl -u kubelet"
}

# Waits until kubelet has its client certificate and has stayed up for ten seconds with it, or for thirty if it has ended before:
# systemd restarts a kubelet that ends again and again, so its unit is never in the state `failed`. The limit is that of
# measure-tls-bootstrapping-latency. Late in a run, the check may use some of the time for recording the result.
checkKubelet() {
	local CSE_MAX_DURATION_SECONDS=$((${CSE_MAX_DURATION_SECONDS:-780} * 11 / 10)) left until state pid restarts first='' seen='' steady=0
	left=$(seconds_left)
	# The last look needs time as well.
	until=$((EPOCHSECONDS + (left > 315 ? 300 : left - 15)))
	while :; do
		state=$(retry 3 1 10 systemctl show --property=ActiveState,ConditionResult,MainPID,NRestarts kubelet.service 2>/dev/null)
		state=" ${state//$'\n'/ } "
		[[ $state != *' ActiveState=failed '* ]] || kubelet_fails 'has failed'
		[[ $state != *' ActiveState=inactive '* || $state != *' ConditionResult=no '* ]] ||
			kubelet_fails 'is not started, because a condition of its unit does not hold'
		pid=${state#* MainPID=} restarts=${state#* NRestarts=}
		pid=${pid%% *} restarts=${restarts%% *}
		if ! is_number "$pid" || ! is_number "$restarts"; then
			warn 'systemd does not report whether kubelet stays up'
			return 0
		fi
		# The counter may be that of an earlier run.
		first=${first:-$restarts} restarts=$((restarts - ${first:-$restarts}))
		if [ "$pid" != 0 ] && [ "$pid" = "$seen" ] && has_client_certificate; then
			steady=$((steady + 1))
		else
			steady=0
		fi
		seen=$pid
		[ "$steady" -lt "$((restarts > 0 && EPOCHSECONDS < until ? 15 : 5))" ] || return 0
		if [ "$EPOCHSECONDS" -ge "$until" ] || { [ "$restarts" -ge 20 ] && [ "$steady" = 0 ]; }; then
			has_client_certificate || kubelet_fails "has no client certificate and has ended $restarts times"
			kubelet_fails "has ended $restarts times"
		fi
		sleep 2
	done
}
