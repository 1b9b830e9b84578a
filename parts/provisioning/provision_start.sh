#!/bin/bash
# Entry point of every route: runs provision.sh within its time limit and records how it ended.
#
# It needs only bash and coreutils, because cloud-init may still be writing the other scripts. The order at the end matters:
# document, marker, then everything that takes time.
set -u
umask 022
export LC_ALL=C

#include provisioning/source/paths.sh
#include provisioning/source/put.sh
#include provisioning/source/events.sh
#include provisioning/source/held_events.sh

readonly log=$LOGS/cluster-provision.log
readonly output=${PROVISION_OUTPUT:-$LOGS/cluster-provision-cse-output.log}
readonly document=$LOGS/aks/provision.json

# Prints the end of a text that takes at most this many bytes as the inside of a JSON string: LIMIT TEXT.
fitting_end() {
	local limit=$1 text=$2 json
	text=${text: -$((${#text} < limit ? ${#text} : limit))}
	while json_text "$text" && [ "${#json}" -gt "$limit" ]; do
		text=${text:$((${#json} - limit > 8 ? (${#json} - limit) / 6 + 1 : 1))}
	done
	printf '%s' "$text"
}

# Prints the inside of a JSON object: NAME VALUE...
members() {
	local json list=
	while [ $# -gt 0 ]; do
		json_text "$2"
		list+=${list:+,}\"$1\":\"$json\"
		shift 2
	done
	printf '%s' "$list"
}

# Writes the output of a command durably to a file, with everything that the steps have written before: PATH MODE COMMAND...
put_durably() {
	put "$@" && sync --file-system "${1%/*}"
}

# Whether systemd answers. Waiting for one that hangs would use the time for writing the result.
systemd=answers
# Prints a property of a unit, or of systemd itself.
property() {
	[ "$systemd" = silent ] || timeout 3 systemctl show --property="$1" --value ${2:+"$2"} 2>/dev/null || true
}

# Sets `limit` to the seconds of a duration such as 900, 15m or 1h. Anything else counts as 15 minutes.
read_limit() {
	local number=${1%[smhd]} unit=1
	case $1 in
	*m) unit=60 ;;
	*h) unit=3600 ;;
	*d) unit=86400 ;;
	esac
	if [[ $number =~ ^[1-9][0-9]{0,7}$ ]]; then
		limit=$((number * unit))
	else
		printf 'warning: CSE_TIMEOUT must be a duration such as 900, 15m or 1h, found "%s"; using 15 minutes\n' "$1" >>"$log"
		limit=900
	fi
}

# Prints a field of the recorded result. There may be no jq yet.
field() {
	sed -nE "s/.*\"$1\": ?\"([^\"]*)\".*/\1/p" "$document" 2>/dev/null | tail -n 1
}

machine=
[ ! -r /sys/class/dmi/id/product_uuid ] || IFS= read -r machine 2>/dev/null </sys/class/dmi/id/product_uuid

# A recorded result stays: a second call returns the same.
if [ -e "$CONTAINERS/provision.complete" ]; then
	code=$(field ExitCode)
	theirs=$(field InstanceId)
	if [[ $code =~ ^[0-9]+$ && (-z $theirs || -z $machine || $theirs == "$machine") ]]; then
		cat "$document"
		exit "$((code > 255 ? 255 : code))"
	fi
	# The result belongs to the machine from which this image was created, or is missing. The marker does not count.
	rm -f "$CONTAINERS/provision.complete"
	sync "$CONTAINERS"
fi

started=${EPOCHREALTIME/[.,]/}
# As `date` prints it.
printf -v started_text '%(%a %b %e %H:%M:%S %Z %Y)T' "${started:0:-6}"
export CSE_STARTTIME_SECONDS=${started:0:-6}
{ [ -d "$LOGS/aks" ] && [ -d "$EVENTS" ]; } || mkdir -p "$CONTAINERS" "$LOGS/aks" "$EVENTS"
umask 077
: >>"$log"
: >>"$output"
reason_file=/run/aks-provision-reason.$$.$RANDOM
{ : >"$reason_file"; } 2>/dev/null || reason_file=/dev/null
umask 022
# An earlier run, or the image, may have made them with other modes.
chmod 0600 "$log" "$output" 2>/dev/null

read_limit "${CSE_TIMEOUT:-15m}"
# Time for the steps. The rest is for recording the result.
export CSE_MAX_DURATION_SECONDS=$((limit > 240 ? limit - 120 : limit / 2))
export PROVISION_REASON_FILE=$reason_file

# A termination signal is forwarded to the scripts. The result is still recorded.
running=
trap '[ -z "$running" ] || kill -TERM "$running" 2>/dev/null' TERM INT HUP
timeout --kill-after=5s "$limit" /bin/bash "$CONTAINERS/provision.sh" >>"$log" 2>&1 </dev/null &
running=$!
wait "$running"
code=$?
while kill -0 "$running" 2>/dev/null; do
	wait "$running"
	code=$?
done
running=

# The image is for nodes with any configuration, so nothing of this one stays on it.
if [ "$code" = 0 ] && [ "${PRE_PROVISION_ONLY:-false}" = true ]; then
	timeout 400 /bin/bash "$CONTAINERS/provision_image_stage.sh" seal_image >>"$log" 2>&1
	code=$?
fi

reason=
[ "$code" = 0 ] || reason=$(head -c 600 "$reason_file" 2>/dev/null)
case $code in
0) ;;
124 | 137) reason="${reason:-no step ended the run}; it was stopped after $limit seconds, or killed" ;;
*) reason=${reason:-provision.sh ended with code $code without a reason} ;;
esac
[ "$reason_file" = /dev/null ] || rm -f "$reason_file" "$reason_file".*

timeout 3 systemctl status kubelet --no-pager --lines=20 >>"$output" 2>&1
[ $? != 124 ] || systemd=silent

ended=${EPOCHREALTIME/[.,]/}
duration=$((${ended:0:-6} - ${started:0:-6}))
kernel_start=$(property KernelTimestamp)
cloud_init_local_start=$(property ExecMainStartTimestamp cloud-init-local)
cloud_init_start=$(property ExecMainStartTimestamp cloud-init)
cloud_final_start=$(property ExecMainStartTimestamp cloud-final)
networkd_start=$(property ExecMainStartTimestamp systemd-networkd)
agent_start=$(property ExecMainStartTimestamp walinuxagent.service)
kubelet_start=$(property ExecMainStartTimestamp kubelet.service)
kubelet_ready=$(timeout 3 journalctl --unit=kubelet --boot --no-pager --quiet --output=short-full \
	--grep='NodeReady|just became ready' 2>/dev/null | awk 'END { print $2, $3 }')
summary=$([ "$systemd" = silent ] || timeout 3 systemd-analyze 2>/dev/null)

mode=none
[ ! -e "$CONTAINERS/scriptless-cse-overrides.txt" ] || mode=cse_cmd
[ ! -e "$CONTAINERS/aks-node-controller-nbc-cmd.sh" ] || mode=nbc_cse_cmd

# Repeated lines are omitted, even if their numbers differ: dozens of equal attempts would push out the step that failed.
tail_of_log=$(tail -c 100000 "$log" 2>/dev/null | tr -d '\0' |
	awk '{ key = $0; gsub(/[0-9]+/, "0", key) } / ms$/ || !seen[key]++' | tail -c 3000)
# The extension handler keeps about 4 KiB of stdout, and a line that is cut off is not JSON.
rest=$(members Error "$(fitting_end 640 "$reason")" ExecDuration "$duration" KernelStartTime "$kernel_start" \
	CloudInitLocalStartTime "$cloud_init_local_start" CloudInitStartTime "$cloud_init_start" CloudFinalStartTime "$cloud_final_start" \
	NetworkdStartTime "$networkd_start" CSEStartTime "$started_text" GuestAgentStartTime "$agent_start" \
	SystemdSummary "$(fitting_end 400 "$summary")")
rest+=",\"BootDatapoints\":{$(members KernelStartTime "$kernel_start" CSEStartTime "$started_text" \
	GuestAgentStartTime "$agent_start" KubeletStartTime "$kubelet_start")}"
[ -z "$machine" ] || rest+=,$(members InstanceId "$machine")
rest+=,$(members BootId "$(cat /proc/sys/kernel/random/boot_id 2>/dev/null)")
available=$((3900 - ${#rest}))
line="{$(members ExitCode "$code" Output "$(fitting_end "$((available < 3000 ? available : 3000))" "$tail_of_log")"),$rest}"

marker=$CONTAINERS/provision.complete
if ! put_durably "$document" 0600 printf '%s\n' "$line"; then
	# A marker on the disk without a document would make the next call find no result.
	marker=
	printf 'error: cannot write the result to %s\n' "$document" >>"$output"
	# The controller also reads this location.
	put_durably /run/aks-node-controller/provision.json 0600 printf '%s\n' "$line"
	put_durably /run/aks-node-controller/provision.complete 0644 true
fi
printf '%s\n' "$line"

rm -f "$CONTAINERS/imds_instance_metadata_cache.json"

begun=
stamp begun "$started"
message="{$(members ExitCode "$code" E2E "$(((ended - started) / 1000000))" KernelStartTime "$kernel_start" \
	CloudInitLocalStartTime "$cloud_init_local_start" CloudInitStartTime "$cloud_init_start" CloudFinalStartTime "$cloud_final_start" \
	NetworkdStartTime "$networkd_start" CSEStartTime "$begun" GuestAgentStartTime "$agent_start" \
	KubeletStartTime "$kubelet_start" KubeletReadyTime "${kubelet_ready% }" ScriptlessMode "$mode")}"
level=Informational
[ "$code" = 0 ] || level=Error
# What a run that was killed has left.
hand_over_events
event AKS.CSE.cse_start "$level" "$started" "$ended" "$message"

if [ "${PRE_PROVISION_ONLY:-false}" = true ]; then
	if [ "$code" = 0 ]; then
		/bin/bash "$CONTAINERS/provision_image_stage.sh" mark_image
		marker=
	else
		printf 'the preparation of the image failed with code %s\n' "$code" >>"$log"
	fi
fi
# A run that a shutdown ended has no result: the next boot tries again.
if [[ $code =~ ^(129|130|143)$ ]]; then
	case $(timeout 10 systemctl is-system-running 2>/dev/null) in
	initializing | starting | running | degraded | maintenance) ;;
	*) marker= ;;
	esac
fi
# Neither without the other: the next call would find a broken result.
# The document may be on another file system than what the steps have written.
[ -z "$marker" ] || { sync --file-system "$CONTAINERS" && put "$marker" 0644 true && sync "$CONTAINERS"; } || rm -f "$marker" "$document"

if [ "$code" != 0 ]; then
	agent_collector=$(find /var/lib/waagent -path '*WALinuxAgent-*/bin/*' -name 'collect_logs.py' 2>/dev/null | sort -V | tail -n 1)
	if [ -x "$CONTAINERS/aks-log-collector.sh" ]; then
		umask 077
		timeout 120 "$CONTAINERS/aks-log-collector.sh" >"$LOGS/aks/cse-aks-log-collector.log" 2>&1
	elif [ -n "$agent_collector" ] && [ -x "$CONTAINERS/provision_send_logs.py" ]; then
		timeout 120 python3 "$agent_collector" >/dev/null 2>&1
		timeout 60 "$CONTAINERS/provision_send_logs.py" >/dev/null 2>&1
	fi
fi
exit "$code"
