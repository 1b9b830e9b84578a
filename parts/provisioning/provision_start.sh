#!/bin/bash
# Where the CSE command begins: runs provision.sh within its time limit and tells how it ended.
#
# Needs nothing but bash and coreutils, for the other scripts may still be on their way. The order at the end matters:
# document, marker, then everything that takes time.
set -u
umask 022
export LC_ALL=C

readonly containers=/opt/azure/containers
readonly logs=/var/log/azure
readonly events=$logs/Microsoft.Azure.Extensions.CustomScript/events
readonly log=$logs/cluster-provision.log
readonly output=${PROVISION_OUTPUT:-$logs/cluster-provision-cse-output.log}
readonly document=$logs/aks/provision.json

# A text as the inside of a JSON string.
json_text() {
	local text=$1 backslash=$'\\' code
	if [[ $text == *[$'\x80'-$'\xff']* ]]; then
		text=$(printf '%s' "$text" | iconv -c -f UTF-8 -t UTF-8 2>/dev/null)
	fi
	text=${text//"$backslash"/"$backslash$backslash"}
	text=${text//\"/"$backslash\""}
	text=${text//$'\n'/"${backslash}n"}
	text=${text//$'\t'/"${backslash}t"}
	while [[ $text =~ [[:cntrl:]] ]]; do
		printf -v code '\\u%04x' "'${BASH_REMATCH[0]}"
		text=${text//"${BASH_REMATCH[0]}"/"$code"}
	done
	printf '%s' "$text"
}

# The last bytes of a text that take at most this many in JSON.
fitting_end() {
	local limit=$1 text=$2 encoded
	text=${text: -$((${#text} < limit ? ${#text} : limit))}
	while encoded=$(json_text "$text") && [ "${#encoded}" -gt "$limit" ]; do
		text=${text:$((${#encoded} - limit > 8 ? (${#encoded} - limit) / 6 + 1 : 1))}
	done
	printf '%s' "$encoded"
}

# Writes standard input to a file in one piece that lasts: other name, sync, rename, sync of the folder.
keep() {
	local path=$1 mode=$2 temporary
	temporary=$(umask 077 && mktemp "${path%/*}/.${path##*/}.XXXXXX") || return
	if cat >"$temporary" && chmod "$mode" "$temporary" && sync "$temporary" && mv -fT "$temporary" "$path"; then
		sync "${path%/*}"
	else
		rm -f "$temporary"
		return 1
	fi
}

# Whether systemd answers; one that does not would cost more time than whoever waits gives.
systemd=answers
property() {
	[ "$systemd" = silent ] || timeout 3 systemctl show --property="$1" --value "$2" 2>/dev/null || true
}

# Seconds of a limit such as 900, 15m or 1h.
seconds() {
	local number=${1%[smhd]} unit=1
	case $1 in
	*m) unit=60 ;;
	*h) unit=3600 ;;
	*d) unit=86400 ;;
	esac
	if [[ $number =~ ^[1-9][0-9]{0,7}$ ]]; then
		printf '%s' "$((number * unit))"
	else
		printf 'warning: CSE_TIMEOUT is no duration: "%s"; 15 minutes are allowed\n' "$1" >>"$log"
		printf 900
	fi
}

field() {
	sed -nE "s/.*\"$1\": ?\"([^\"]*)\".*/\1/p" "$document" 2>/dev/null | tail -n 1
}

machine=$(cat /sys/class/dmi/id/product_uuid 2>/dev/null || true)

# A result that is there stays: whoever asks again is told the same.
if [ -e "$containers/provision.complete" ]; then
	code=$(field ExitCode)
	theirs=$(field InstanceId)
	if [[ $code =~ ^[0-9]+$ && (-z $theirs || -z $machine || $theirs == "$machine") ]]; then
		cat "$document"
		exit "$((code > 255 ? 255 : code))"
	fi
	# Of another machine, or a marker without a result: neither says anything about this one.
	rm -f "$containers/provision.complete"
	sync "$containers"
fi

started=$EPOCHREALTIME
started_text=$(date)
export CSE_STARTTIME_SECONDS=${started%[.,]*}
mkdir -p "$containers" "$logs/aks" "$events"
[ -e "$log" ] || (umask 077 && : >>"$log")
chmod 0600 "$log" 2>/dev/null

limit=$(seconds "${CSE_TIMEOUT:-15m}")
# What the steps may take: the end needs its time as well.
export CSE_MAX_DURATION_SECONDS=$((limit > 240 ? limit - 120 : limit / 2))
reason_file=$(umask 077 && mktemp /run/aks-provision-reason.XXXXXX 2>/dev/null) || reason_file=/dev/null
export PROVISION_REASON_FILE=$reason_file

# A request to end goes on to the scripts; the result is written all the same.
running=
trap '[ -z "$running" ] || kill -TERM "$running" 2>/dev/null' TERM INT HUP
timeout --kill-after=5s "$limit" /bin/bash "$containers/provision.sh" >>"$log" 2>&1 </dev/null &
running=$!
wait "$running"
code=$?
while kill -0 "$running" 2>/dev/null; do
	wait "$running"
	code=$?
done
running=

reason=
[ "$code" = 0 ] || reason=$(head -c 600 "$reason_file" 2>/dev/null)
case $code in
0) ;;
124 | 137) reason="${reason:-no step ended the run}; it was stopped after $limit seconds, or killed" ;;
*) reason=${reason:-provision.sh ended with code $code and gave no reason} ;;
esac
[ "$reason_file" = /dev/null ] || rm -f "$reason_file"

timeout 3 systemctl status kubelet --no-pager --lines=20 >>"$output" 2>&1
[ $? != 124 ] || systemd=silent

ended=$EPOCHREALTIME
duration=$((${ended%[.,]*} - ${started%[.,]*}))
kernel_start=$(property KernelTimestamp '')
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
[ ! -e "$containers/scriptless-cse-overrides.txt" ] || mode=cse_cmd
[ ! -e "$containers/aks-node-controller-nbc-cmd.sh" ] || mode=nbc_cse_cmd

tail_of_log=$(tail -c 3000 "$log" 2>/dev/null | tr -d '\0')
# The handler keeps about 4 KiB of stdout, and the whole line has to fit.
printf -v rest '"Error":"%s","ExecDuration":"%s","KernelStartTime":"%s","CloudInitLocalStartTime":"%s",' \
	"$(fitting_end 640 "$reason")" "$duration" "$(json_text "$kernel_start")" "$(json_text "$cloud_init_local_start")"
printf -v rest '%s"CloudInitStartTime":"%s","CloudFinalStartTime":"%s","NetworkdStartTime":"%s",' "$rest" \
	"$(json_text "$cloud_init_start")" "$(json_text "$cloud_final_start")" "$(json_text "$networkd_start")"
printf -v rest '%s"CSEStartTime":"%s","GuestAgentStartTime":"%s","SystemdSummary":"%s","BootDatapoints":{' "$rest" \
	"$(json_text "$started_text")" "$(json_text "$agent_start")" "$(fitting_end 400 "$summary")"
printf -v rest '%s"KernelStartTime":"%s","CSEStartTime":"%s","GuestAgentStartTime":"%s","KubeletStartTime":"%s"}' "$rest" \
	"$(json_text "$kernel_start")" "$(json_text "$started_text")" "$(json_text "$agent_start")" "$(json_text "$kubelet_start")"
[ -z "$machine" ] || printf -v rest '%s,"InstanceId":"%s"' "$rest" "$(json_text "$machine")"
printf -v rest '%s,"BootId":"%s"' "$rest" "$(cat /proc/sys/kernel/random/boot_id 2>/dev/null)"
room=$((3900 - ${#rest}))
line="{\"ExitCode\":\"$code\",\"Output\":\"$(fitting_end "$((room < 3000 ? room : 3000))" "$tail_of_log")\",$rest}"

marker=$containers/provision.complete
if ! printf '%s\n' "$line" | keep "$document" 0600; then
	# A marker on the disk would speak of a document that is not there.
	marker=
	printf 'error: the result could not be kept at %s\n' "$document" >>"$output"
	# The controller looks there as well.
	mkdir -p /run/aks-node-controller
	printf '%s\n' "$line" | keep /run/aks-node-controller/provision.json 0600
	: | keep /run/aks-node-controller/provision.complete 0644
fi
printf '%s\n' "$line"

rm -f "$containers/imds_instance_metadata_cache.json"

# What the guest agent reports.
stamp() {
	local fraction=${1#*[.,]}
	printf '%(%F %T)T.%s' "${1%[.,]*}" "${fraction:0:3}"
}
elapsed=$((${ended%[.,]*}${ended#*[.,]} - ${started%[.,]*}${started#*[.,]}))
message="{\"ExitCode\":\"$code\",\"E2E\":\"$((elapsed / 1000000))\",\"KernelStartTime\":\"$kernel_start\",\
\"CloudInitLocalStartTime\":\"$cloud_init_local_start\",\"CloudInitStartTime\":\"$cloud_init_start\",\
\"CloudFinalStartTime\":\"$cloud_final_start\",\"NetworkdStartTime\":\"$networkd_start\",\
\"CSEStartTime\":\"$(stamp "$started")\",\"GuestAgentStartTime\":\"$agent_start\",\
\"KubeletStartTime\":\"$kubelet_start\",\"KubeletReadyTime\":\"${kubelet_ready% }\",\"ScriptlessMode\":\"$mode\"}"
level=Informational
[ "$code" = 0 ] || level=Error
event=$events/${ended%[.,]*}${ended#*[.,]}000
printf '{"Timestamp":"%s","OperationId":"%s","Version":"1.23","TaskName":"AKS.CSE.cse_start","EventLevel":"%s","Message":"%s","EventPid":"0","EventTid":"0"}\n' \
	"$(stamp "$started")" "$(stamp "$ended")" "$level" "$(json_text "$message")" >"$event" 2>/dev/null &&
	mv -n "$event" "$event.json"

if [ "${PRE_PROVISION_ONLY:-false}" = true ]; then
	if [ "$code" = 0 ]; then
		: | keep "$containers/base_prep.complete" 0644
		marker=
		printf 'the stage of the image is done; the node is made of it later\n' >>"$log"
	else
		printf 'the stage of the image failed with code %s\n' "$code" >>"$log"
	fi
fi
# A machine that goes down in the middle tries again at its next boot.
if [[ $code =~ ^(129|130|143)$ ]]; then
	case $(timeout 10 systemctl is-system-running 2>/dev/null) in
	initializing | starting | running | degraded | maintenance) ;;
	*) marker= ;;
	esac
fi
[ -z "$marker" ] || : | keep "$marker" 0644

if [ "$code" != 0 ]; then
	agent_collector=$(find /var/lib/waagent -path '*WALinuxAgent-*/bin/*' -name 'collect_logs.py' 2>/dev/null | sort -V | tail -n 1)
	if [ -x "$containers/aks-log-collector.sh" ]; then
		timeout 120 "$containers/aks-log-collector.sh" >"$logs/aks/cse-aks-log-collector.log" 2>&1
	elif [ -n "$agent_collector" ] && [ -x "$containers/provision_send_logs.py" ]; then
		timeout 120 python3 "$agent_collector" >/dev/null 2>&1
		timeout 60 "$containers/provision_send_logs.py" >/dev/null 2>&1
	fi
fi
exit "$code"
