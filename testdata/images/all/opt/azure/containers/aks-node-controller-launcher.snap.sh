#!/bin/bash
set -uo pipefail


put() {
	local path=$1 mode=$2 temporary
	shift 2
	mkdir -p "${path%/*}" || return
	temporary=$(umask 077 && mktemp "${path%/*}/.${path##*/}.XXXXXX") || return
	if "$@" >"$temporary" && chmod "$mode" "$temporary" && sync "$temporary" && mv -fT "$temporary" "$path"; then
		return 0
	fi
	rm -f "$temporary"
	return 1
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
		PATH=* | IFS=* | ENV=* | BASH*=* | SHELLOPTS=* | LD_*=*)
			log "warning: ${line%%=*} in $FEATURES_PATH is a variable of the shell or the loader, not a feature; ignoring it"
			;;
		*)
			if [[ $line =~ ^[A-Za-z_][A-Za-z0-9_]*= ]]; then
				features+=("$line")
			else
				log "warning: $FEATURES_PATH has a line that is not NAME=VALUE; ignoring it"
			fi
			;;
		esac
	done <"$FEATURES_PATH"
}

put_durably() {
	put "$1" 0600 printf '%s' "$2" && sync "${1%/*}"
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
		"$reason${step:+; the last step that ended was $step}"
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
		mv -f "$RESULT_PATH" "$RESULT_PATH.previous" || marker=$RUN_PATH/provision.complete
	fi
	document=$(result "$1")
	if ! [ -s "$RESULT_PATH" ] && ! put_durably "$RESULT_PATH" "$document" || [ "$marker" != "$MARKER_PATH" ]; then
		if ! put_durably "$RUN_PATH/provision.json" "$document"; then
			log "error: cannot write the result to $RESULT_PATH or $RUN_PATH"
			return
		fi
	fi
	put_durably "$marker" '' || put_durably "$RUN_PATH/provision.complete" '' || log "error: cannot create the marker $marker"
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
