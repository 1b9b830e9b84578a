#!/bin/bash
# Starts the controller with the inputs on this node, and records a result if the controller cannot.
#
# The boothook starts it early, and the unit starts it again as a fallback. A second start does no harm: the controller runs one
# attempt at a time, and returns a recorded result. The only guard here is for a node without inputs.
set -uo pipefail

#include provisioning/source/put.sh
#include controller/reserved_names.sh

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

# Prints a line, and sends it to the journal: the boothook discards the output of the launcher.
log() {
	printf '%s\n' "$1"
	logger -t aks-node-controller-launcher -- "$1" 2>/dev/null || true
}

# Continues outside cloud-init's unit, to which every process of a boothook belongs. If a single module of cloud-init fails, the
# unit fails and systemd kills its other processes. The function returns in the process that continues.
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

# Waits until cloud-init has set the host name with which the node must register.
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

# Reads the features that are enabled on this node, for the environment of the controller and the scripts. The file is data and is
# never executed. Names that programs or scripts read are not features.
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

# Writes a text durably to a file that only root can read: PATH TEXT.
put_durably() {
	put "$1" 0600 printf '%s' "$2" && sync "$1" "${1%/*}"
}

# Prints a point in time in a format of `date`: SECONDS FORMAT.
at() {
	LC_ALL=C date -d "@$1" "$2" 2>/dev/null
}

# Prints the last step that the scripts logged as completed since this start.
last_step() {
	local since
	printf -v since '%(%F %T)T' "$started"
	tail -c 65536 "$LOG_PATH" 2>/dev/null | awk -v since="$since" '
		NF == 5 && $1 " " $2 >= since && $3 ~ /^[A-Za-z0-9_]+:$/ && $4 ~ /^[0-9]+$/ && $5 == "ms" { step = $3 }
		END { sub(/:$/, "", step); print step }'
}

# Prints members of the result, each with a comma: NAME VALUE... Unknown values are left out. None needs escaping.
members() {
	while [ $# -gt 0 ]; do
		[ -z "$2" ] || printf ',"%s":"%s"' "$1" "$2"
		shift 2
	done
}

# Prints the result: REASON, which is text of this script and numbers and needs no escaping either. The names are those of
# provision_start.sh.
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

# Records a result on behalf of the controller: REASON. Document first, marker last.
leave_result() {
	local document marker=$MARKER_PATH
	if [ -e "$MARKER_PATH" ] || [ -e "$RUN_PATH/provision.complete" ]; then
		return
	fi
	# Another provisioner is running, and its result will have more details. One that waits for its turn checks every 50 ms.
	sleep 0.5
	if [ -e "$RUN_PATH/lock" ] && command -v flock >/dev/null && ! flock -n "$RUN_PATH/lock" true; then
		log 'another provisioner is running; leaving the result to it'
		return
	fi
	umask 077
	# A document that is older than the start of the controller is the result of an earlier attempt.
	if [ -e "$RESULT_PATH" ] && ! { [ -e "$RUN_PATH/started.json" ] && [ "$RESULT_PATH" -nt "$RUN_PATH/started.json" ]; }; then
		mv -f "$RESULT_PATH" "$RESULT_PATH.previous" || marker=
	fi
	document=$(result "$1")
	# Both files in one place: a marker that outlives its document would be a broken result after a reboot.
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

# Forwards a termination signal to the controller, which terminates its child and records a result.
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

# A signal ends `wait` early, while the controller still runs.
while :; do
	wait "$controller"
	code=$?
	kill -0 "$controller" 2>/dev/null || break
done

case $code in
126 | 127) leave_result "the controller cannot be run (code $code)" ;;
# It was killed or crashed. It also ends with such a code if its child did, but has then recorded a result.
13[2-7] | 139) leave_result "the controller was ended by signal $((code - 128)) before it recorded a result" ;;
esac
log "the controller ended with code $code"
exit "$code"
