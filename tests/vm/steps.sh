#!/usr/bin/env bash
# The steps of scenarios. Sourced by machine.sh.
# shellcheck disable=SC2154,SC2034 # machine.sh has the names

# Does what the file `steps` of the scenario says, a line at a time.
walk() {
	local step arguments
	while read -r step arguments <&3; do
		case $step in
		'' | '#'*) continue ;;
		esac
		# shellcheck disable=SC2086 # words are arguments
		"step_$step" $arguments
	done 3<"$directory/steps"
}

# A VM has its own kernel: nothing is different for its kubelet.
say_more() {
	jq '.network_config.network_plugin = "NETWORK_PLUGIN_KUBENET"' | jq -f "$directory/$differences"
}

# Renders CustomData and starts the VM with it, and the cluster beside it.
step_boot() {
	render
	if has_protected_settings; then
		expect 'CustomData has no secret' test "$(secrets_in_custom_data)" = 0
		start_the_host
	fi
	power_on
	start_cluster
	eventually 'the VM answers' is_reachable
}

differences=configuration.jq
render() {
	local generate
	configuration >"$test/configuration.json"
	read -ra generate <"$directory/generate"
	"$program" generate --config "$test/configuration.json" --containerd-version 1.6.20 --format json "${generate[@]}" \
		>"$test/generated" 2>"$report/generate.stderr" || fail "generate: $(cat "$report/generate.stderr")"
	chmod 0600 "$test/generated"
	(umask 077 && jq -r '.cse // empty' "$test/generated" >"$test/cse")
	make_user_data
}

has_protected_settings() {
	grep -q -- '--secrets protected-settings' "$directory/generate"
}

# CODE: runs the CSE command, which ends with the code and has printed the result.
step_extension() {
	run_extension
	[ "$code" = "$1" ] || fail "the CSE command ends with $code: $(tail -n 3 "$report/cse.stdout" "$report/cse.stderr")"
	fetch_result
	expect 'the CSE command prints the result' test "$(jq -rR 'fromjson? | .ExitCode' "$report/cse.stdout")" = "$1"
	expect 'the result says so' said "$1"
	expect 'a marker says that it is all' inside test -e /opt/azure/containers/provision.complete
}

# cloud-init ends, and has not done what CustomData says. `keep` leaves the capture.
step_spoilt() {
	eventually 'cloud-init ends' inside test -e /var/lib/cloud/data/result.json
	expect 'the machine has no result' inside test ! -e /var/log/azure/aks/provision.json
}

fetch_result() {
	inside cat /var/log/azure/aks/provision.json >"$log/aks/provision.json"
	cp "$log/aks/provision.json" "$report/provision.json"
}

# Waits until the boothook has fetched the protected settings.
step_fetched() {
	eventually 'the boothook is fetched' is_there /opt/bin/boothook.sh
	note 'protected settings are fetched'
}

# WAY CHANNEL: how the secrets have come. Nothing but the node itself has them afterwards.
step_delivered() {
	cp "$report/cse.stdout" "$test/stdout"
	came_by "$1" "$2"
	delivered_once
	note 'a pod has run'
}

step_node() {
	eventually 'the node is ready' kubelet_is_ready
	note 'the node is seen as ready'
	is_a_node
	note 'a pod has run'
}

# Restarts the VM: it is a node again, and was not provisioned again.
step_reboot() {
	local before
	before=$(inside cat /proc/sys/kernel/random/boot_id)
	note reboot
	timeout 60 bash -c 'inside systemctl reboot' >/dev/null 2>&1 || true
	eventually 'another boot' is_another_boot "$before"
	eventually 'the node is ready in this boot' is_ready_in_this_boot
	note 'ready again'
	expect 'the result is the first one' cmp -s "$log/aks/provision.json" <(inside cat /var/log/azure/aks/provision.json)
	expect 'the scripts ran once' test "$(inside sh -c 'grep -lF AKS.CSE.cse_start /var/log/azure/*/events/*.json | wc -l')" = 1
	kubelet_knows_everything || fail 'the kubelet does not know something'
}

is_another_boot() {
	local now
	kill -0 "$emulator" || fail 'the emulator has ended'
	now=$(inside cat /proc/sys/kernel/random/boot_id 2>/dev/null) && [ "$now" != "$1" ]
}

is_ready_in_this_boot() {
	kubelet_is_ready && [ "$(of_the_node .status.nodeInfo.bootID)" = "$(inside cat /proc/sys/kernel/random/boot_id)" ]
}

# The first stage of an image: the VM is prepared, and has nothing of a cluster.
step_stage() {
	run_extension
	[ "$code" = 0 ] || fail "the CSE command ends with $code: $(tail -n 3 "$report/cse.stdout" "$report/cse.stderr")"
	expect 'the stage is marked' inside test -e /opt/azure/containers/base_prep.complete
	expect 'no node is marked' not inside test -e /opt/azure/containers/provision.complete
	expect 'nothing of the cluster is there' not inside ls /etc/kubernetes/azure.json /etc/kubernetes/certs/ca.crt /etc/default/kubelet
}

turn_off() {
	timeout 60 bash -c 'inside systemctl poweroff' >/dev/null 2>&1 || true
	eventually 'the VM is off' not kill -0 "$emulator" 2>/dev/null
	note 'power off'
}

# FILE: makes another VM of the disk, with other differences of the Configuration, as the gallery of images does.
step_generalize() {
	turn_off
	differences=$1 instance=$scenario-2
	render
	power_on
	eventually 'the VM answers' is_reachable
}

# What the machine had left while it became a node, and its largest processes: `memory` in the report.
step_memory() {
	mkdir "$report/memory.d"
	inside tar -C /run/harness-memory -c . | tar -C "$report/memory.d" -x
	keep
	{
		"$vm_tests/memory.py" "$report.times" "$report/memory.d"
		inside sed -n 's/^oom_kill /processes that the kernel has killed: /p' /proc/vmstat
	} >"$report/memory"
	rm -r "$report/memory.d"
	cat "$report/memory"
	expect 'the kernel has killed no process' grep -qx 'processes that the kernel has killed: 0' "$report/memory"
}

# NAME [LIST|- [FACTOR]]: another VM of the prepared disk, as `generalize` makes it, whose page cache is empty and whose disk is as slow
# as one of Azure with 128 GiB and the lowest price (S10: 500 operations and 60 MB per second), or FACTOR times as slow. With LIST, it
# reads the files of the earlier run with this name while it boots. `table` in the report has what was read, and NAME.files the files.
step_cold() {
	local name=$1 speed=${3:-1}
	turn_off
	[ -e "$disk/prepared.qcow2" ] || mv "$disk/disk" "$disk/prepared.qcow2"
	rm -f "$disk/disk"
	qemu-img create -q -f qcow2 -b "$disk/prepared.qcow2" -F qcow2 "$disk/disk"
	api DELETE /api/v1/nodes/machine-test >/dev/null 2>&1 || true
	disk_options=,throttling.iops-total=$((500 / speed)),throttling.bps-total=$((60000000 / speed))
	kernel_words=("trace_event=filemap:mm_filemap_add_to_page_cache,block:block_rq_complete" trace_clock=mono trace_buf_size=24M psi=1)
	more_devices=()
	if [ "${2:--}" != - ]; then
		"$vm_tests/cold.py" list "$report" "$2" | cut -d ' ' -f 3- >"$disk/list"
		truncate --size=%512 "$disk/list"
		more_devices=(-drive "file=$disk/list,format=raw,read-only=on,if=virtio")
	fi
	differences=node.jq instance=$scenario-$name
	render
	power_on
	eventually 'the VM answers' is_reachable
	step_extension 0
	eventually 'the node is ready' kubelet_is_ready
	inside /usr/local/lib/harness/files-read >"$report/$name.trace"
	inside journalctl --boot --no-pager --output=json >"$report/$name.journal"
	runs_of_cold+=("$name")
	"$vm_tests/cold.py" table "$report" "${runs_of_cold[@]}" >"$report/table"
	"$vm_tests/cold.py" list "$report" "$name" >"$report/$name.files"
	printf 'programs start %s times slower on the VM than on this system\n' "$(slowness)" >>"$report/slowness"
	tail -n 6 "$report/table" "$report/slowness"
}
runs_of_cold=()

# How many times longer than this system the VM takes to start programs, which is most of what scripts do.
slowness() {
	local starts='TIMEFORMAT=%R; time for ((at = 0; at < 200; at++)); do /bin/true; done'
	printf '%s %s\n' "$(inside bash -c "$starts" 2>&1)" "$(bash -c "$starts" 2>&1)" | awk '{ printf "%.0f\n", $1 / $2 }'
}

# What cloud-init itself writes has no reader.
spoilt=(/etc/hostname /etc/ssh/ssh_host_ed25519_key /etc/ssh/ssh_host_ed25519_key.pub /etc/sudoers /etc/sudoers.d/90-cloud-init-users)

# The same as in tests/provisioning, of the whole disk.
no_secret_is_seen() {
	local word seen
	for word in "$token" "$principal"; do
		printf '%s\n%s\n' "$word" "$(printf '%s' "$word" | base64 -w 0 | cut -c 1-14)"
	done >"$test/patterns"
	inside journalctl --no-pager >"$test/journal"
	! grep -qaF -f "$test/patterns" "$test/journal" || fail "a secret is in the journal: $(grep -aoF -f "$test/patterns" "$test/journal" | head -n 1)"
	local patterns=()
	while IFS= read -r word; do
		patterns+=(-e "$word")
	done <"$test/patterns"
	seen=$(inside find /etc /opt /root /var -xdev \( -path /opt/test -o -path /opt/cluster -o -path /opt/bin -o -path /var/lib/containerd \) -prune -o \
		-type f \( -perm /077 -o -path '/var/log/*' \) -exec grep -laF "${patterns[@]}" {} + 2>/dev/null || true)
	[ -z "$seen" ] || fail "a secret can be read in $seen"
}

more_of_the_failure() {
	tail -n 20 "$report/qemu.log" "$serial" || true
	tail -n 5 "$cluster"/*.log || true
}

# The archive that a user would attach to a ticket.
capture() {
	inside /opt/azure/containers/aks-node-controller diagnose --bundle-out /run/capture.tar.gz >/dev/null 2>&1 || true
	inside cat /run/capture.tar.gz >"$CAPTURES/vm-$scenario.tar.gz"
}

# What is kept of a VM, also of one that has failed.
leave() {
	if [ -n "$emulator" ] && inside true 2>/dev/null; then
		keep || true
	fi
	exit "$1"
}

keep() {
	local events=$report/var/log/azure/Microsoft.Azure.Extensions.CustomScript/events
	inside journalctl --no-pager --output=short-precise >"$report/journal"
	inside systemctl --no-pager --all list-units >"$report/units"
	[ -z "${CAPTURES:-}" ] || capture
	# The VM goes on writing some of it.
	inside tar -C / -cz --ignore-failed-read var/log/cloud-init.log var/log/cloud-init-output.log var/log/azure 2>/dev/null | tar -C "$report" -xz
	{
		inside journalctl --boot --no-pager --output=json | python3 "$vm_tests/../timeline/timeline.py" collect "$events" boot
		cat "$report/timeline"
	} >"$report.times"
}
