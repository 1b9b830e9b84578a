#!/bin/bash
# Starts the controller with what lies on this node, and sees to it that whoever waits gets a result.
#
# It is started early by the boothook, and again by the unit as a fallback. That is no harm: the controller lets one
# attempt run at a time, and where a result is recorded it returns that and does nothing. So there is no guard here but
# the one for a node without any input.
set -uo pipefail

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

tell() {
	printf '%s\n' "$1"
	logger -t aks-node-controller-launcher -- "$1" 2>/dev/null || true
}

# cloud-init may still be about to set the name under which the node has to register.
wait_for_hostname() {
	local wanted waited=0
	while wanted=$(tr -d '[:space:]' 2>/dev/null <"$HOSTNAME_PATH") && [ "$(hostname)" != "$wanted" ]; do
		if [ "$waited" -ge "$HOSTNAME_LIMIT" ]; then
			tell "warning: the host name is still not the one in $HOSTNAME_PATH after ${HOSTNAME_LIMIT}s, going on"
			return
		fi
		sleep 1
		waited=$((waited + 1))
	done
}

# Lines NAME=value, taken as they stand and never run. Only names that are known here get into the environment: the file
# could as well name PATH or LD_PRELOAD.
read_features() {
	local line
	while IFS= read -r line || [ -n "$line" ]; do
		case $line in
		ENABLE_PROVISIONING_HOTFIX=*) export ENABLE_PROVISIONING_HOTFIX="${line#*=}" ;;
		'' | '#'*) ;;
		*) tell 'warning: a line of the features file names nothing that is known, passed over' ;;
		esac
	done <"$FEATURES_PATH"
}

# Puts a file in its place in one piece, for root alone, before anybody can be told that it is there.
put() {
	local folder temporary
	folder=$(dirname "$1")
	mkdir -p "$folder" && temporary=$(mktemp "$folder/.launcher.XXXXXX") || return 1
	if printf '%s' "$2" >"$temporary" && sync "$temporary" && mv -f "$temporary" "$1"; then
		sync "$folder"
		return 0
	fi
	rm -f "$temporary"
	return 1
}

# The controller could not say how it ended, so this is said for it: document first, marker last.
leave_result() {
	local document marker=$MARKER_PATH
	if [ -e "$MARKER_PATH" ] || [ -e "$RUN_PATH/provision.complete" ]; then
		return
	fi
	# Another provisioner is at work and will say more.
	if [ -e "$RUN_PATH/lock" ] && command -v flock >/dev/null && ! flock -n "$RUN_PATH/lock" true; then
		tell 'another provisioner is at work, its result will count'
		return
	fi
	umask 077
	# A document that the controller did not write after it began is of an earlier attempt.
	if [ -e "$RESULT_PATH" ] && ! { [ -e "$RUN_PATH/started.json" ] && [ "$RESULT_PATH" -nt "$RUN_PATH/started.json" ]; }; then
		# Beside an old document that cannot be moved, a marker that outlives the boot would tell a lie.
		mv -f "$RESULT_PATH" "$RESULT_PATH.previous" || marker=$RUN_PATH/provision.complete
	fi
	# $1 is text of this script and numbers: nothing in it needs escaping.
	document="{\"ExitCode\":\"$ERR_AKS_NODE_CONTROLLER_ERROR\",\"Output\":\"\",\"Error\":\"$1\"}"
	if ! [ -s "$RESULT_PATH" ] && ! put "$RESULT_PATH" "$document" || [ "$marker" != "$MARKER_PATH" ]; then
		if ! put "$RUN_PATH/provision.json" "$document"; then
			tell 'error: the result cannot be kept anywhere'
			return
		fi
	fi
	put "$marker" '' || put "$RUN_PATH/provision.complete" '' || tell 'error: the marker cannot be made'
}

# A request to end goes to the controller, which ends its child and leaves a result.
asked=
controller=
forward() {
	asked=$1
	if [ -n "$controller" ]; then
		kill -s "$1" "$controller" 2>/dev/null
	fi
}

if ! [ -e "$CONFIG_PATH" ] && ! [ -e "$NBC_CMD_PATH" ]; then
	tell 'no configuration and no command on this node, nothing to do'
	exit 0
fi

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
	tell "asked to end by $asked before anything was started"
	exit 143
fi
"$BIN_PATH" "${arguments[@]}" &
controller=$!
tell "started $BIN_PATH as process $controller"
if [ -n "$asked" ]; then
	forward "$asked"
fi

# A signal ends `wait` early, with the controller still at work.
while :; do
	wait "$controller"
	code=$?
	kill -0 "$controller" 2>/dev/null || break
done

case $code in
126 | 127) leave_result "the controller cannot be run (code $code)" ;;
# Killed, or crashed. The controller itself ends with such a code when its child did, and has left a result then.
13[2-7] | 139) leave_result "the controller was ended by signal $((code - 128)) before it left a result" ;;
esac
tell "the controller ended with code $code"
exit "$code"
