#!/bin/bash
set -uo pipefail


put() {
	local path=$1 mode=$2 temporary mask
	shift 2
	[ -d "${path%/*}" ] || mkdir -p "${path%/*}" || return
	temporary=${path%/*}/.${path##*/}.new
	{ [ ! -e "$temporary" ] && [ ! -L "$temporary" ]; } || rm -f "$temporary" || return
	printf -v mask %o "$((0777 & ~mode))"
	if (
		umask "$mask"
		set -o noclobber
		: >"$temporary" || exit
		set +o noclobber
		"$@" >"$temporary" || exit
		[ "$((mode & 0111))" = 0 ] || chmod "$mode" "$temporary" || exit
		exec mv -fT "$temporary" "$path"
	); then
		return 0
	fi
	rm -f "$temporary"
	return 1
}

is_reserved() {
	case $1 in
	*PATH | *_DIR | *_HOME | *_FILE | LD_* | GLIBC_* | MALLOC_* | GCONV* | \
		LOC* | NLS* | TZ* | TMP* | TEMP* | HOST* | RES_* | RESOLV_* | \
		HOME | USER | LOGNAME | SHELL | PWD | OLDPWD | MAIL | BASH* | \
		POSIX* | SHELLOPTS | SHLVL | IFS | ENV | PS? | PROMPT* | OPT* | \
		HIST* | REPLY | RANDOM | SECONDS | EPOCH* | FUNCNEST | GLOBIGNORE | EXECIGNORE | \
		INPUTRC | TIMEFORMAT | CHILD_MAX | COLUMNS | LINES | TERM* | LANG* | LC_* | \
		UID | EUID | PPID | PYTHON* | PERL* | RUBY* | NODE_* | JAVA* | \
		JDK_* | GO* | RUST* | CARGO* | AWK* | GAWK* | GREP_* | SED* | \
		LESS* | PAGER | EDITOR | VISUAL | BROWSER | GIT_* | SSH_* | SSL* | \
		OPENSSL* | CURL* | WGET* | NETRC | GZIP | XZ_* | TAR_* | BLOCK* | \
		DF_* | JQ_* | MAKE* | APT* | DPKG* | DEB* | RPM* | DNF* | \
		UCF_* | SYSTEMD* | NOTIFY_SOCKET | LISTEN_* | WATCHDOG_* | JOURNAL* | INVOCATION_ID | DBUS_* | \
		XDG_* | SUDO* | PAM_* | KRB5* | KUBE* | CONTAINERD* | CTR_* | CRI_* | \
		ORAS_* | DOCKER* | AZURE_* | NVIDIA* | *PROXY | *proxy | CSE_* | PROVISION_* | \
		LAUNCHER_* | CLOUD_INIT_* | CUSTOM_CA_CERT_* | ADMINUSER | AKS_CUSTOM_CLOUD_CONTAINER_REGISTRY_DNS_SUFFIX | APISERVER_PUBLIC_KEY | API_SERVER_NAME | ARM_RESOURCE_ENDPOINT | \
		ARTIFACT_STREAMING_ENABLED | BOOTSTRAP_PROFILE_CONTAINER_REGISTRY_SERVER | CLI_TOOL | CLOUDPROVIDER_BACKOFF | CLOUDPROVIDER_BACKOFF_DURATION | CLOUDPROVIDER_BACKOFF_EXPONENT | CLOUDPROVIDER_BACKOFF_JITTER | CLOUDPROVIDER_BACKOFF_MODE | \
		CLOUDPROVIDER_BACKOFF_RETRIES | CLOUDPROVIDER_RATELIMIT | CLOUDPROVIDER_RATELIMIT_BUCKET | CLOUDPROVIDER_RATELIMIT_BUCKET_WRITE | CLOUDPROVIDER_RATELIMIT_QPS | CLOUDPROVIDER_RATELIMIT_QPS_WRITE | CNI_PLUGINS_URL | CONFIG_GPU_DRIVER_IF_NEEDED | \
		CONTAINER_RUNTIME | CREDENTIAL_PROVIDER_DOWNLOAD_URL | CUSTOM_CA_TRUST_COUNT | CUSTOM_ENV_JSON | CUSTOM_KUBE_BINARY_URL | CUSTOM_SEARCH_DOMAIN_NAME | CUSTOM_SEARCH_REALM_PASSWORD | CUSTOM_SEARCH_REALM_USER | \
		CUSTOM_SECURE_TLS_BOOTSTRAPPING_CLIENT_DOWNLOAD_URL | DISABLE_PUBKEY_AUTH | DISABLE_SSH | ENABLE_GPU_DEVICE_PLUGIN_IF_NEEDED | ENABLE_HOSTS_CONFIG_AGENT | ENABLE_IMDS_RESTRICTION | ENABLE_KUBELET_SERVING_CERTIFICATE_ROTATION | ENABLE_MANAGED_GPU | \
		ENABLE_MANAGED_GPU_DRA | ENABLE_SECURE_TLS_BOOTSTRAPPING | ENABLE_TLS_BOOTSTRAPPING | ENABLE_UNATTENDED_UPGRADES | ENSURE_NO_DUPE_PROMISCUOUS_BRIDGE | EXCLUDE_MASTER_FROM_STANDARD_LB | GPU_DRIVER_TYPE | GPU_DRIVER_VERSION | \
		GPU_IMAGE_SHA | GPU_INSTANCE_PROFILE | GPU_NEEDS_FABRIC_MANAGER | GPU_NODE | HAS_CUSTOM_SEARCH_DOMAIN | HAS_KUBELET_DISK_TYPE | HTTPS_PROXY_URLS | HTTP_PROXY_TRUSTED_CA | \
		HTTP_PROXY_URLS | HYPERKUBE_URL | IDENTITY_BINDINGS_LOCAL_AUTHORITY_SNI | INSERT_IMDS_RESTRICTION_RULE_TO_MANGLE_TABLE | IPV6_DUAL_STACK_ENABLED | IS_CUSTOM_CLOUD | IS_KATA | IS_KRUSTLET | \
		IS_VHD | LOAD_BALANCER_DISABLE_OUTBOUND_SNAT | LOAD_BALANCER_SKU | MANAGED_GPU_EXPERIENCE_AFEC_ENABLED | MAXIMUM_LOADBALANCER_RULE_COUNT | MCR_REPOSITORY_BASE | MESSAGE_OF_THE_DAY | MIG_NODE | \
		MOBY_VERSION | NEEDS_CGROUPV2 | NEEDS_CONTAINERD | NEEDS_DOCKER_LOGIN | NETWORK_ISOLATED_CLUSTER_TEST_MODE | NETWORK_MODE | NETWORK_PLUGIN | NETWORK_POLICY | \
		NETWORK_SECURITY_GROUP | NO_PROXY_URLS | OUTBOUND_COMMAND | PRE_PROVISION_ONLY | PRIMARY_AVAILABILITY_SET | PRIMARY_SCALE_SET | PRIVATE_EGRESS_PROXY_ADDRESS | PRIVATE_KUBE_BINARY_URL | \
		PROXY_VARS | REPO_DEPOT_ENDPOINT | RESOURCE_GROUP | ROUTE_TABLE | RUNC_PACKAGE_URL | RUNC_VERSION | SECURE_TLS_BOOTSTRAPPING_AAD_RESOURCE | SECURE_TLS_BOOTSTRAPPING_GET_ACCESS_TOKEN_TIMEOUT | \
		SECURE_TLS_BOOTSTRAPPING_GET_ATTESTED_DATA_TIMEOUT | SECURE_TLS_BOOTSTRAPPING_GET_CREDENTIAL_TIMEOUT | SECURE_TLS_BOOTSTRAPPING_GET_INSTANCE_DATA_TIMEOUT | SECURE_TLS_BOOTSTRAPPING_GET_NONCE_TIMEOUT | SECURE_TLS_BOOTSTRAPPING_USER_ASSIGNED_IDENTITY_ID | SECURE_TLS_BOOTSTRAPPING_VALIDATE_KUBECONFIG_TIMEOUT | SERVICE_ACCOUNT_IMAGE_PULL_DEFAULT_CLIENT_ID | SERVICE_ACCOUNT_IMAGE_PULL_DEFAULT_TENANT_ID | \
		SERVICE_ACCOUNT_IMAGE_PULL_ENABLED | SERVICE_PRINCIPAL_CLIENT_ID | SERVICE_PRINCIPAL_FILE_CONTENT | SGX_NODE | SHOULD_CONFIGURE_CUSTOM_CA_TRUST | SHOULD_CONFIGURE_HTTP_PROXY_CA | SHOULD_CONFIG_CONTAINERD_ULIMITS | SHOULD_CONFIG_TRANSPARENT_HUGE_PAGE | \
		SHOULD_ENABLE_HOSTS_PLUGIN | SHOULD_ENABLE_LOCALDNS | SKIP_WAAGENT_HOLD | STANDARD_SECONDARY_NIC_COUNT | SUBNET | SUBSCRIPTION_ID | SWAP_FILE_SIZE_MB | SYSCTL_CONTENT | \
		TARGET_CLOUD | TARGET_ENVIRONMENT | TELEPORTD_PLUGIN_DOWNLOAD_URL | TELEPORT_ENABLED | TENANT_ID | THP_DEFRAG | THP_ENABLED | TLS_BOOTSTRAP_TOKEN | \
		USER_ASSIGNED_IDENTITY_ID | USE_INSTANCE_METADATA | USE_MANAGED_IDENTITY_EXTENSION | VIRTUAL_NETWORK | VIRTUAL_NETWORK_RESOURCE_GROUP | VM_TYPE | VNET_CNI_PLUGINS_URL) ;;
	*) return 1 ;;
	esac
}

readonly ERR_AKS_NODE_CONTROLLER_ERROR=240
containers=/opt/azure/containers
BIN_PATH=${BIN_PATH:-$containers/aks-node-controller}
CONFIG_PATH=${CONFIG_PATH:-$containers/aks-node-controller-config.json}
NBC_CMD_PATH=${NBC_CMD_PATH:-$containers/aks-node-controller-nbc-cmd.sh}
FEATURES_PATH=${FEATURES_PATH:-$containers/enabled_features.sh}
HOSTNAME_PATH=${HOSTNAME_PATH:-/etc/hostname}
HOSTNAME_LIMIT=${HOSTNAME_LIMIT:-60}
RESULT_PATH=${RESULT_PATH:-/var/log/azure/aks/provision.json}
MARKER_PATH=${MARKER_PATH:-$containers/provision.complete}
RUN_PATH=${RUN_PATH:-/run/aks-node-controller}
LOG_PATH=${LOG_PATH:-/var/log/azure/cluster-provision.log}

started=$EPOCHSECONDS

log() {
	printf '%s\n' "$1"
	logger -t aks-node-controller-launcher -- "$1" 2>/dev/null || true
}

leave_cloud_init() {
	local scope=$RUN_PATH/launcher.$$ code
	if [ -n "${LAUNCHER_SCOPE:-}" ]; then
		: >"$LAUNCHER_SCOPE"
		unset LAUNCHER_SCOPE
		return
	fi
	if ! grep -qE '/cloud-[a-z-]+\.service$' /proc/self/cgroup 2>/dev/null || ! mkdir -p "$RUN_PATH"; then
		return
	fi
	LAUNCHER_SCOPE=$scope systemd-run --scope --quiet --collect --unit="aks-node-controller-launcher-$$" \
		--property=DefaultDependencies=no --property=Conflicts=shutdown.target --property=Before=shutdown.target \
		/bin/bash "$0"
	code=$?
	if [ -e "$scope" ]; then
		rm -f "$scope"
		exit "$code"
	fi
	log 'warning: cannot leave the unit of cloud-init; a failure of cloud-init will end provisioning'
}

wait_for_hostname() {
	local wanted waited=0
	while wanted=$(tr -d '[:space:]' 2>/dev/null <"$HOSTNAME_PATH") && [ "$(hostname)" != "$wanted" ]; do
		if [ "$waited" -ge "$HOSTNAME_LIMIT" ]; then
			log "warning: the host name differs from $HOSTNAME_PATH after ${HOSTNAME_LIMIT}s; continuing"
			return
		fi
		sleep 1
		waited=$((waited + 1))
	done
}

features=()
read_features() {
	local line
	while IFS= read -r line || [ -n "$line" ]; do
		case $line in
		'' | '#'*) ;;
		*)
			if [[ ! $line =~ ^[A-Za-z_][A-Za-z0-9_]*= ]]; then
				log "warning: $FEATURES_PATH has a line that is not NAME=VALUE; ignoring it"
			elif is_reserved "${line%%=*}"; then
				log "warning: ${line%%=*} in $FEATURES_PATH is a variable of a program or a script, not a feature; ignoring it"
			else
				features+=("$line")
			fi
			;;
		esac
	done <"$FEATURES_PATH"
}

put_durably() {
	put "$1" 0600 printf '%s' "$2" && sync "$1" "${1%/*}"
}

at() {
	LC_ALL=C date -d "@$1" "$2" 2>/dev/null
}

last_step() {
	local since
	printf -v since '%(%F %T)T' "$started"
	tail -c 65536 "$LOG_PATH" 2>/dev/null | awk -v since="$since" '
		NF == 5 && $1 " " $2 >= since && $3 ~ /^[A-Za-z0-9_]+:$/ && $4 ~ /^[0-9]+$/ && $5 == "ms" { step = $3 }
		END { sub(/:$/, "", step); print step }'
}

members() {
	while [ $# -gt 0 ]; do
		[ -z "$2" ] || printf ',"%s":"%s"' "$1" "$2"
		shift 2
	done
}

result() {
	local reason=$1 step kernel start points machine boot
	step=$(last_step)
	kernel=$(at "$(sed -n 's/^btime //p' /proc/stat)" '+%a %F %T %Z')
	start=$(at "$started" '+%a %b %e %T %Z %Y')
	points=$(members KernelStartTime "$kernel" CSEStartTime "$start")
	machine=$(cat /sys/class/dmi/id/product_uuid 2>/dev/null)
	boot=$(cat /proc/sys/kernel/random/boot_id 2>/dev/null)
	printf '{"ExitCode":"%s","Output":"","Error":"%s"' "$ERR_AKS_NODE_CONTROLLER_ERROR" \
		"$reason${step:+; the last completed step was $step}"
	members ExecDuration "$((EPOCHSECONDS - started))" KernelStartTime "$kernel" CSEStartTime "$start"
	printf ',"BootDatapoints":{%s}' "${points#,}"
	members InstanceId "$machine" BootId "$boot"
	printf '}'
}

leave_result() {
	local document marker=$MARKER_PATH
	if [ -e "$MARKER_PATH" ] || [ -e "$RUN_PATH/provision.complete" ]; then
		return
	fi
	sleep 0.5
	if [ -e "$RUN_PATH/lock" ] && command -v flock >/dev/null && ! flock -n "$RUN_PATH/lock" true; then
		log 'another provisioner is running; leaving the result to it'
		return
	fi
	umask 077
	if [ -e "$RESULT_PATH" ] && ! { [ -e "$RUN_PATH/started.json" ] && [ "$RESULT_PATH" -nt "$RUN_PATH/started.json" ]; }; then
		mv -f "$RESULT_PATH" "$RESULT_PATH.previous" || marker=
	fi
	document=$(result "$1")
	if [ -n "$marker" ] && { [ -s "$RESULT_PATH" ] || put_durably "$RESULT_PATH" "$document"; }; then
		put_durably "$marker" '' && return
		rm -f "$marker"
		document=$(cat "$RESULT_PATH")
		mv -f "$RESULT_PATH" "$RESULT_PATH.previous"
	fi
	if ! put_durably "$RUN_PATH/provision.json" "$document" || ! put_durably "$RUN_PATH/provision.complete" ''; then
		log "error: cannot write the result to $RESULT_PATH or $RUN_PATH"
	fi
}

asked=
controller=
forward() {
	asked=$1
	if [ -n "$controller" ]; then
		kill -s "$1" "$controller" 2>/dev/null
	fi
}

if ! [ -e "$CONFIG_PATH" ] && ! [ -e "$NBC_CMD_PATH" ]; then
	log "neither $CONFIG_PATH nor $NBC_CMD_PATH exists; nothing to do"
	exit 0
fi

leave_cloud_init
trap 'forward TERM' TERM
trap 'forward INT' INT
wait_for_hostname
if [ -f "$FEATURES_PATH" ]; then
	read_features
fi

arguments=(provision)
if [ -e "$CONFIG_PATH" ]; then
	arguments+=("--provision-config=$CONFIG_PATH")
fi
if [ -e "$NBC_CMD_PATH" ]; then
	arguments+=("--nbc-cmd=$NBC_CMD_PATH")
fi

if [ -n "$asked" ]; then
	log "ended by $asked before the controller was started"
	exit 143
fi
env "${features[@]}" "$BIN_PATH" "${arguments[@]}" &
controller=$!
log "started $BIN_PATH as process $controller"
if [ -n "$asked" ]; then
	forward "$asked"
fi

while :; do
	wait "$controller"
	code=$?
	kill -0 "$controller" 2>/dev/null || break
done

case $code in
126 | 127) leave_result "the controller cannot be run (code $code)" ;;
13[2-7] | 139) leave_result "the controller was ended by signal $((code - 128)) before it recorded a result" ;;
esac
log "the controller ended with code $code"
exit "$code"
