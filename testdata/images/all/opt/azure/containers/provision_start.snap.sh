#!/bin/bash
set -u
umask 022
export LC_ALL=C


readonly CONTAINERS=/opt/azure/containers
readonly LOGS=/var/log/azure
readonly EVENTS=$LOGS/Microsoft.Azure.Extensions.CustomScript/events
readonly UNITS=/etc/systemd/system

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

json_text() {
	local backslash=$'\\' code LC_ALL=C
	json=$1
	if [[ $json == *[$'\x80'-$'\xff']* ]]; then
		json=$(printf '%s' "$json" | iconv -c -f UTF-8 -t UTF-8 2>/dev/null)
	fi
	json=${json//"$backslash"/"$backslash$backslash"}
	json=${json//\"/"$backslash\""}
	json=${json//$'\n'/"${backslash}n"}
	json=${json//$'\t'/"${backslash}t"}
	while [[ $json =~ [[:cntrl:]] ]]; do
		printf -v code '\\u%04x' "'${BASH_REMATCH[0]}"
		json=${json//"${BASH_REMATCH[0]}"/"$code"}
	done
}

now() {
	printf '%s' "${EPOCHREALTIME/[.,]/}"
}

stamp() {
	printf -v "$1" '%(%F %T)T.%s' "${2:0:-6}" "${2: -6:3}"
}

note() {
	local moment=${EPOCHREALTIME/[.,]/}
	event "AKS.CSE.$1" "${3:-Informational}" "$moment" "$moment" "$2"
}

event() {
	local ended=$4 from to json name line
	stamp from "$3"
	stamp to "$4"
	json_text "${5:0:2900}"
	printf -v line '{"Timestamp":"%s","OperationId":"%s","Version":"1.23","TaskName":"%s","EventLevel":"%s","Message":"%s","EventPid":"0","EventTid":"0"}' \
		"$from" "$to" "$1" "$2" "$json"
	[ -d "$EVENTS" ] || mkdir -p "$EVENTS"
	for ((name = ended * 1000; name < ended * 1000 + 20; name++)); do
		if [ ! -e "$EVENTS/$name.json" ] && leave_event "$name" "$line"; then
			return 0
		fi
	done
	return 0
}

leave_event() {
	(umask 077 && set -o noclobber && printf '%s\n' "$2" >"$EVENTS/$1") 2>/dev/null && mv -n "$EVENTS/$1" "$EVENTS/$1.json"
}

readonly HELD_EVENTS=${EVENTS%/*}/held
HANDED_OVER=0

hold_events() {
	[ -d "$HELD_EVENTS" ] || { { [ -d "$EVENTS" ] || mkdir -p "$EVENTS"; } && mkdir -m 0700 "$HELD_EVENTS"; } || return
	HANDED_OVER=$EPOCHSECONDS
	leave_event() { write_new "$HELD_EVENTS/$1.json" "$2" && { before_pause || true; }; }
	before_pause() { [ "$((EPOCHSECONDS - HANDED_OVER))" -lt 10 ] || hand_over_events; }
}

write_new() {
	local code=0
	set -o noclobber
	{ printf '%s\n' "$2" >"$1"; } 2>/dev/null || code=1
	set +o noclobber
	return "$code"
}

hand_over_events() {
	local held=("$HELD_EVENTS"/*.json)
	[ ! -e "${held[0]}" ] || { chmod 0600 "${held[@]}" && mv -n -t "$EVENTS" "${held[@]}"; }
	HANDED_OVER=$EPOCHSECONDS
}

leave_events_to_others() { HANDED_OVER=$((EPOCHSECONDS + 86400)); }

readonly log=$LOGS/cluster-provision.log
readonly output=${PROVISION_OUTPUT:-$LOGS/cluster-provision-cse-output.log}
readonly document=$LOGS/aks/provision.json

fitting_end() {
	local limit=$1 text=$2 json
	text=${text: -$((${#text} < limit ? ${#text} : limit))}
	while json_text "$text" && [ "${#json}" -gt "$limit" ]; do
		text=${text:$((${#json} - limit > 8 ? (${#json} - limit) / 6 + 1 : 1))}
	done
	printf '%s' "$text"
}

members() {
	local json list=
	while [ $# -gt 0 ]; do
		json_text "$2"
		list+=${list:+,}\"$1\":\"$json\"
		shift 2
	done
	printf '%s' "$list"
}

put_durably() {
	put "$@" && sync --file-system "${1%/*}"
}

systemd=answers
property() {
	[ "$systemd" = silent ] || timeout 3 systemctl show --property="$1" --value ${2:+"$2"} 2>/dev/null || true
}

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

field() {
	sed -nE "s/.*\"$1\": ?\"([^\"]*)\".*/\1/p" "$document" 2>/dev/null | tail -n 1
}

machine=
[ ! -r /sys/class/dmi/id/product_uuid ] || IFS= read -r machine 2>/dev/null </sys/class/dmi/id/product_uuid

if [ -e "$CONTAINERS/provision.complete" ]; then
	code=$(field ExitCode)
	theirs=$(field InstanceId)
	if [[ $code =~ ^[0-9]+$ && (-z $theirs || -z $machine || $theirs == "$machine") ]]; then
		cat "$document"
		exit "$((code > 255 ? 255 : code))"
	fi
	rm -f "$CONTAINERS/provision.complete"
	sync "$CONTAINERS"
fi

started=${EPOCHREALTIME/[.,]/}
printf -v started_text '%(%a %b %e %H:%M:%S %Z %Y)T' "${started:0:-6}"
export CSE_STARTTIME_SECONDS=${started:0:-6}
{ [ -d "$LOGS/aks" ] && [ -d "$EVENTS" ]; } || mkdir -p "$CONTAINERS" "$LOGS/aks" "$EVENTS"
umask 077
: >>"$log"
: >>"$output"
reason_file=/run/aks-provision-reason.$$.$RANDOM
{ : >"$reason_file"; } 2>/dev/null || reason_file=/dev/null
umask 022
chmod 0600 "$log" "$output" 2>/dev/null

read_limit "${CSE_TIMEOUT:-15m}"
export CSE_MAX_DURATION_SECONDS=$((limit > 240 ? limit - 120 : limit / 2))
export PROVISION_REASON_FILE=$reason_file

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

tail_of_log=$(tail -c 100000 "$log" 2>/dev/null | tr -d '\0' |
	awk '{ key = $0; gsub(/[0-9]+/, "0", key) } / ms$/ || !seen[key]++' | tail -c 3000)
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
	marker=
	printf 'error: cannot write the result to %s\n' "$document" >>"$output"
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
if [[ $code =~ ^(129|130|143)$ ]]; then
	case $(timeout 10 systemctl is-system-running 2>/dev/null) in
	initializing | starting | running | degraded | maintenance) ;;
	*) marker= ;;
	esac
fi
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
