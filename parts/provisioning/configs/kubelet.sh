# shellcheck shell=bash
# kubelet.

prepareKubeletDirectories() {
	{ [ -d "$KUBERNETES/manifests" ] && [ -d "$KUBELET_DROPINS" ]; } || mkdir -p "$KUBERNETES/manifests" "$KUBELET_DROPINS" ||
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

set_node_ip() {
	if has_metadata && [ -n "${METADATA[2]}" ]; then
		KUBELET_FLAGS=$(list_with ' ' "$KUBELET_FLAGS" "--node-ip=${METADATA[2]}")
	fi
}

# Prints a kubeconfig: USER CONTEXT, then NAME VALUE of each credential. It is YAML with one value per line, because scripts of
# images look for the line of the token. A JSON string is a YAML scalar.
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

# Configures kubelet. From Kubernetes 1.29 on, a kubelet without --node-ip leaves its addresses to the external cloud
# provider, which sets them late; from 1.32 on, kubelet notifies the watchdog of systemd.
# https://github.com/kubernetes/kubernetes/pull/121028, https://github.com/kubernetes/kubernetes/pull/127566
# shellcheck disable=SC2034 # the included unit reads the variables
configureKubelet() {
	local address='' restrict=false mangle=false
	! kubernetes_ge 1.29.0 || part ensureKubelet.setKubeletNodeIPFlag set_node_ip
	must_put /etc/default/kubelet 0600 kubelet_defaults
	write_kubeconfigs
	! part ensureKubelet.getPrimaryNicIP has_address || address=${METADATA[1]}
	! on ENABLE_IMDS_RESTRICTION || restrict=true
	! on INSERT_IMDS_RESTRICTION_RULE_TO_MANGLE_TABLE || mangle=true
	must_put_unit kubelet.service.d/10-ensure-imds-restriction.conf 0600 <<UNIT
#include provisioning/units/kubelet.service.d/10-ensure-imds-restriction.conf.in
UNIT
	if kubernetes_ge 1.32.0; then
		must_put_unit kubelet.service.d/10-watchdog.conf 0644 <<'UNIT'
#include provisioning/units/kubelet.service.d/10-watchdog.conf
UNIT
	fi
	# The unit skips it if it is missing, and pods could then reach the wire server.
	if [ ! -e "$CONTAINERS/kubelet.sh" ]; then
		must_put "$CONTAINERS/kubelet.sh" 0755 cat <<'SCRIPT'
#include provisioning/services/kubelet.sh
SCRIPT
	fi
	ensure_reserved_cgroups
	configureKubeletContainerdFlags
	configure_credential_provider
}

ensureKubelet() {
	# Merging extensions takes programs away for a moment, maybe also the one of containerd.
	! family flatcar acl || { containerd_is_ready && provideCredentialProvider; } || fail "$ERR_SYSTEMCTL_START_FAIL" 'containerd does not answer; see journalctl -u containerd'
	if is_isolated; then
		part ensureKubelet.ensurePodInfraContainerImage pull_pause_image
	fi
	printf '%(%F %T)T.%s\n' -1 000 >"$CONTAINERS/tls-bootstrap-start-time"
	enable_and_start kubelet.service 240 --no-block ||
		fail "$ERR_KUBELET_START_FAIL" 'kubelet.service cannot be started; see /var/log/azure/kubelet.service-status.log'
	if unit_exists measure-tls-bootstrapping-latency.service; then
		# A reload would hold up kubelet's start.
		bounded 30 systemctl enable --quiet --no-reload measure-tls-bootstrapping-latency.service || true
		bounded 30 systemctl restart --no-block measure-tls-bootstrapping-latency.service || rm -f "$CONTAINERS/tls-bootstrap-start-time"
	fi
}

# Whether kubelet's kubeconfig is there with the certificate that it names. kubelet, or the client of secure TLS bootstrapping,
# writes it when the cluster has signed the certificate.
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

# Prints what kubelet has logged in this boot.
log_of_kubelet() {
	bounded 10 journalctl --no-pager --boot --quiet --output=cat --unit=kubelet --lines=5000 2>/dev/null
}

# Prints the error that is the cause of the others, without its place in the source, or else the last line. A kubelet without a
# certificate asks for one every half minute and complains about what it may not do ten times a second. Of errors of the same
# rank the last one counts, and only those since the last start.
cause_of_kubelet() {
	log_of_kubelet | awk '
		/^(kubelet\.service: |St(art|opp)(ed|ing) |Scheduled )/ { if (rank) { before = error; rank = 0 } next }
		{ last = $0 }
		# Of the lines that are not errors, only this one shows that kubelet waits for the cluster.
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

# Whether the API server last answered the kubelet's certificate request with a lack of permission.
is_rejected() {
	log_of_kubelet | awk '/^(kubelet\.service: |St(art|opp)(ed|ing) |Scheduled )/ { answer = "" } /[Cc]ertificate signing request/ { answer = $0 }
		END { exit answer !~ /certificate signing request: Unauthorized/ }'
}

# Prints the meaning of the error of a kubelet without a client certificate: ERROR.
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

# Ends the run with the cause: WHAT. Prints the last errors, each once, except those about requests that need a client
# certificate.
kubelet_fails() {
	local cause meaning=
	log_of_kubelet | grep -E '^([EF][0-9]{4} |Error: |panic: )' | grep -vE 'system:anonymous|not registered yet|node \\"[^"]*" not found' | tac |
		awk '{ key = $0; sub(/^[^]]*\] /, "", key); gsub(/[0-9]+/, "0", key) } !seen[key]++' | head -n 8 | tac
	cause=$(cause_of_kubelet)
	has_client_certificate || meaning=$(meaning_for_certificate "$cause")
	fail "$ERR_KUBELET_START_FAIL" "kubelet $1: $meaning$cause; see journalctl -u kubelet"
}

# Waits until kubelet has its client certificate and has stayed up for ten seconds with it, or for thirty if it has ended before:
# systemd restarts a kubelet that keeps ending, so its unit is never in the state `failed`. The limit is the one of
# measure-tls-bootstrapping-latency. Late in a run, the check may use some of the time for recording the result. The wait ends if
# the API server rejects the token for a minute. A slow or restarting server does not answer like this, and a server that has just
# started may not know any token for some seconds.
checkKubelet() {
	local CSE_MAX_DURATION_SECONDS=$((${CSE_MAX_DURATION_SECONDS:-780} * 11 / 10)) left until state pid restarts first='' seen='' steady=0 look rejected=''
	count_seconds
	# The last check needs time too.
	until=$((EPOCHSECONDS + (left > 315 ? 300 : left - 15)))
	look=$((EPOCHSECONDS + 10))
	while :; do
		state=$(retry 3 1 10 systemctl show --property=ActiveState,ConditionResult,Job,MainPID,NRestarts kubelet.service 2>/dev/null)
		state=" ${state//$'\n'/ } "
		[[ $state != *' ActiveState=failed '* ]] || kubelet_fails 'has failed'
		# A unit whose start waits for others has met no condition yet.
		[[ $state != *' ActiveState=inactive '* || $state != *' ConditionResult=no '* || $state == *' Job='[1-9]* ]] ||
			kubelet_fails 'is not started, because a condition of its unit does not hold'
		pid=${state#* MainPID=} restarts=${state#* NRestarts=}
		pid=${pid%% *} restarts=${restarts%% *}
		if ! is_number "$pid" || ! is_number "$restarts"; then
			warn 'systemd does not report whether kubelet stays up'
			return 0
		fi
		# The counter may be left from an earlier run.
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
