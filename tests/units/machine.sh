#!/usr/bin/env bash
# The launcher and the units on a machine with real systemd as its first process.
# Call: unshare --mount machine.sh PROGRAM SCENARIO
set -euo pipefail

program=$1
scenario=$2
shift 2
configuration=${BASH_SOURCE[0]%/*}/../../testdata/examples/arm64-minimal.json

# shellcheck source=../machine/boot.sh
. "${BASH_SOURCE[0]%/*}/../machine/boot.sh"

more_of_the_failure() {
	inside journalctl --no-pager -b -u 'aks-node-controller*' 2>/dev/null | tail -n 40
	cat "$root/var/log/azure/aks-node-controller.log" 2>/dev/null
}

# In one piece, as a careful writer does it.
deliver() {
	cp "$configuration" "$root/opt/azure/containers/.incoming"
	mv "$root/opt/azure/containers/.incoming" "$root/opt/azure/containers/aks-node-controller-config.json"
}

start_script() {
	printf 'echo run >>/opt/runs\n%s\n' "$1" >"$root/opt/azure/containers/provision_start.sh"
}

runs() {
	[ "$(grep -c run "$root/opt/runs" 2>/dev/null)" = "$1" ]
}

unit_is() {
	[ "$(inside systemctl is-active aks-node-controller.service)" = "$1" ]
}

has_marker() {
	[ -e "$root/opt/azure/containers/provision.complete" ]
}

said() {
	grep -q "\"ExitCode\":\"$1\"" "$root/var/log/azure/aks/provision.json"
}

a_configuration_that_is_delivered_late_starts_the_unit() {
	boot
	expect 'the unit is skipped, not active' unit_is inactive
	expect 'the path unit watches' inside systemctl is-active --quiet aks-node-controller.path
	deliver
	eventually 'the document starts the unit' runs 1
	eventually 'it ends' unit_is active
	expect 'the result is there' said 0
	inside systemctl start aks-node-controller.service
	expect 'a second start runs nothing' runs 1
}

# A boothook that breaks off, on a full disk say, leaves half a document and starts nothing.
a_truncated_configuration_ends_with_a_result() {
	boot
	head -c 900 "$configuration" >"$root/opt/azure/containers/aks-node-controller-config.json"
	eventually 'what is there starts the unit' has_marker
	expect 'the result tells of it' said 240
	expect 'nothing was run' not test -e "$root/opt/runs"
}

a_configuration_that_exists_at_boot_is_applied_once() {
	deliver
	boot
	eventually 'the boot starts the unit' has_marker
	eventually 'it ends' unit_is active
	inside systemctl restart aks-node-controller.service || true
	expect 'a restart runs nothing' runs 1
	power_off
	boot
	expect 'the next boot runs nothing' runs 1
	expect 'the unit is skipped' unit_is inactive
}

a_start_before_the_configuration_is_skipped() {
	boot
	inside systemctl stop aks-node-controller.path
	inside systemctl start aks-node-controller.service
	expect 'a premature start is no start' unit_is inactive
	deliver
	inside systemctl start aks-node-controller.service
	expect 'the real start is one' runs 1
	expect 'it has ended' unit_is active
}

stopping_the_unit_ends_the_scripts_and_leaves_a_result() {
	start_script 'sleep 300'
	deliver
	boot
	eventually 'the script runs' runs 1
	inside systemctl stop aks-node-controller.service
	expect 'a result tells of it' said 143
	expect 'a marker says that it is all' has_marker
	expect 'nothing of it runs any more' not inside pgrep -f provision_start.sh
}

after_a_shutdown_the_next_boot_tries_again() {
	start_script 'sleep 300'
	deliver
	boot
	eventually 'the script runs' runs 1
	power_off
	expect 'a result tells of it' said 143
	expect 'no marker says that it is all' not has_marker
	start_script ''
	boot
	eventually 'the next boot tries again' has_marker
	expect 'it ran' runs 2
	expect 'and went well' said 0
}

# The boothook starts the launcher itself, as soon as there is one.
of_boothook_and_unit_one_runs_the_scripts() {
	start_script 'sleep 1'
	boot
	deliver
	inside setsid nohup /bin/bash /opt/azure/containers/aks-node-controller-launcher.sh </dev/null >/dev/null 2>&1 &
	inside systemctl start aks-node-controller.service
	expect 'the unit ends well' unit_is active
	expect 'one of them ran the script' runs 1
}

# systemd ends what is left of a unit that fails, and the unit of cloud-init fails if one of its modules does.
a_cloud_init_that_fails_does_not_end_the_scripts() {
	start_script 'until [ -e /opt/failed ]; do sleep 0.1; done'
	cat >"$root/etc/systemd/system/cloud-init.service" <<-'UNIT'
		[Service]
		Type=oneshot
		ExecStart=/bin/bash -c 'nohup /bin/bash /opt/azure/containers/aks-node-controller-launcher.sh >/dev/null 2>&1 & \
			until [ -e /opt/runs ]; do sleep 0.1; done; exit 1'
	UNIT
	boot
	inside systemctl stop aks-node-controller.path
	deliver
	expect 'cloud-init fails' not inside systemctl start cloud-init.service
	expect 'nothing of it is left' not inside systemctl is-active --quiet cloud-init.service
	touch "$root/opt/failed"
	eventually 'there is a result' has_marker
	expect 'provisioning has ended well' said 0
	expect 'the script ran once' runs 1
}

# The launcher passes features on, which a controller that was started otherwise would not have.
a_retry_on_a_machine_starts_the_launcher() {
	start_script 'exit 50'
	deliver
	boot
	eventually 'the first attempt ends' has_marker
	expect 'it failed' said 50
	printf 'SOME_FEATURE=on\n' >"$root/opt/azure/containers/enabled_features.sh"
	start_script "echo \"\${SOME_FEATURE:-off}\" >/opt/feature"
	expect 'the second attempt goes well' inside /opt/azure/containers/aks-node-controller retry
	expect 'it has a result' said 0
	expect 'it had the features' grep -q on "$root/opt/feature"
	expect 'the old result is kept' grep -q '"ExitCode":"50"' "$root"/var/log/azure/aks/provision.json.2*Z
	expect 'there is nothing to do any more' not inside /opt/azure/containers/aks-node-controller retry
	expect 'the diagnosis is that of the second attempt' grep -q 'Provisioned' <(inside /opt/azure/containers/aks-node-controller diagnose)
}

prepare() {
	"$program" bake --root "$root" --os ubuntu >/dev/null 2>&1
	# It would ask a server of the cloud.
	rm "$root/opt/azure/containers/init-aks-cloud.sh"
	start_script ''
}

run_scenario "$@"
