#!/usr/bin/env bash
# What a run costs. Sourced by machine.sh; `make measure-node` calls it.
# shellcheck disable=SC2154,SC2016 # machine.sh has the names; what is quoted is for the machine

# Ticks that the first process of the machine and all that it has waited for have used.
ticks_of_the_machine() {
	awk '{ print $14 + $15 + $16 + $17 }' "/proc/$init/stat"
}

what_a_run_costs() {
	local before after scripts
	start_machine
	variables
	before=$(ticks_of_the_machine)
	TIMEFORMAT='%U %S'
	scripts=$({ time run_scripts; } 2>&1)
	expect 'the run ends well' said 0
	after=$(ticks_of_the_machine)
	printf '%s' "$scripts" | awk -v units="$((after - before))" -v ticks="$(getconf CLK_TCK)" \
		'{ printf "CPU of a happy run: scripts %.2f s, units and systemd %.2f s, together %.2f s (at most 3)\n", $1 + $2, units / ticks, $1 + $2 + units / ticks }'
	printf 'the longest steps:\n'
	sed -nE 's/^[^ ]+ [^ ]+ ([A-Za-z0-9]+): ([0-9]+) ms$/\2 ms  \1/p' "$log/cluster-provision.log" | sort -rn | head -n 8
	printf 'all steps: %s ms\n' "$(sed -nE 's/^.*: ([0-9]+) ms$/\1/p' "$log/cluster-provision.log" | awk '{ sum += $1 } END { print sum }')"
}

# Traces what a function starts on the machine: FUNCTION OPTION... The trace is in `$test/trace`.
traced() {
	local run=$1 options=("${@:2}")
	# shellcheck disable=SC2317 # `inside` calls it
	nsenter() {
		# Without the filter in the kernel, each call of the system would wake the tracer twice.
		strace --follow-forks --seccomp-bpf "${options[@]}" --output="$test/trace" nsenter "$@"
	}
	"$run"
	unset -f nsenter
}

# What the scripts of one run start and write until kubelet starts, and in all. What waits and tries again is left out, and so is the
# release of events, which happens every few seconds, because there is more of both on a busy machine. Prints `WHEN: F forks, P programs, R reloads, S syncs` twice, and then how often each program was
# started.
what_the_scripts_start() {
	traced run_scripts --quiet=all --string-limit=200 --trace=clone,clone3,fork,vfork,execve,fsync,fdatasync,syncfs,sync
	expect 'the run ends well' said 0
	# A call that another process interrupts is in two lines: its beginning, and `resumed` with the result.
	awk '
		/execve\(/ { begun[$1] = $0 }
		/execve(\(| resumed).* = 0$/ {
			line = begun[$1]
			split(line, part, "\"")
			sub(/.*\//, "", part[2])
			# What comes before belongs to the test.
			if (line ~ /"\/bin\/bash", "\/opt\/azure\/containers\/provision_start.sh"/) {
				forks = programs = reloads = syncs = 0
				delete of
			}
			if (line ~ /"ctr", "version"|"--property=NRestarts"|\/held\// || part[2] == "sleep") { forks--; next }
			programs++
			of[part[2]]++
			if (part[2] == "systemctl") {
				reloads += line ~ /"daemon-reload"/
				if (line ~ /"restart".*"kubelet.service"/ && !seen++) figures("until kubelet")
			}
		}
		/(clone|clone3|fork|vfork)(\(| resumed).* = [0-9]+$/ { forks++ }
		/sync(fs)?\(/ { syncs++ }
		function figures(what) { printf "%s: %d forks, %d programs, %d reloads, %d syncs\n", what, forks, programs, reloads, syncs }
		END { figures("in all"); for (name in of) print of[name], name | "sort -rn" }' "$test/trace" >"$test/figures"
	cat "$test/figures"
}

# Whether the scripts start and write no more than this until kubelet starts: FORKS PROGRAMS RELOADS SYNCS.
is_within() {
	local forks programs reloads syncs
	read -r forks _ programs _ reloads _ syncs _ <<<"$(sed -n 's/^until kubelet: //p' "$test/figures")"
	[ "$forks" -le "$1" ] && [ "$programs" -le "$2" ] && [ "$reloads" -le "$3" ] && [ "$syncs" -le "$4" ]
}

what_a_run_starts() {
	start_machine
	variables
	printf 'a node in one go\n'
	what_the_scripts_start
	expect 'few processes are started before kubelet' is_within 220 140 0 0
}

# The same for a node whose image a stage has prepared.
what_a_node_stage_starts() {
	start_machine
	variables PRE_PROVISION_ONLY=true
	run_scripts
	expect 'the stage is marked' test -e "$containers/base_prep.complete"
	variables
	printf 'the node of an image stage\n'
	what_the_scripts_start
	expect 'few processes are started before kubelet' is_within 120 80 1 0
}

# Puts the scripts of a checkout of https://github.com/Azure/AgentBaker on the machine: DIRECTORY.
use_reference() {
	local from=$1/parts/linux/cloud-init/artifacts name
	for name in start:_start main: helpers:_source install:_installs config:_configs; do
		cp "$from/cse_${name%:*}.sh" "$containers/provision${name#*:}.sh"
	done
	cp "$from/ubuntu/cse_helpers_ubuntu.sh" "$containers/provision_source_distro.sh"
	cp "$from/ubuntu/cse_install_ubuntu.sh" "$containers/provision_installs_distro.sh"
	cp "$from/cse_redact_cloud_config.py" "$containers/provision_redact_cloud_config.py"
}

# Makes a node of Ubuntu and writes down how long kubelet has taken to start, in milliseconds: one | stage, with or without an image stage.
time_until_kubelet() {
	local begun started flags=KUBELET_FLAGS=--client-ca-file=/etc/kubernetes/certs/ca.crt
	use_family ubuntu ubuntu 24.04
	stand_in uname 'case $1 in -r) echo 6.8.0-1058-azure ;; *) exec /bin/uname "$@" ;; esac'
	stand_in dpkg
	stand_in fuser 'exit 1'
	stand_in chage
	printf '[Service]\nType=oneshot\nExecStart=/bin/true\n' >"$root/etc/systemd/system/update_certs.service"
	mkdir -p "$root/run/systemd/resolve" "$root/opt/cni/downloads"
	[ -z "${REFERENCE:-}" ] || use_reference "$REFERENCE"
	start_machine
	if [ "$1" = stage ]; then
		variables PRE_PROVISION_ONLY=true "$flags"
		run_scripts
		expect 'the stage is marked' test -e "$containers/base_prep.complete"
	fi
	variables "$flags"
	write_variables
	begun=${EPOCHREALTIME/[.,]/}
	run_scripts
	[ "$code" = 0 ] || fail "the scripts end with $code"
	started=$(inside systemctl show --property=ExecMainStartTimestamp --value --timestamp=us+utc kubelet.service)
	started=$(date --date "$started" +%s%6N)
	printf '%s\n' "$(((started - begun) / 1000))" >>"$disk/times-$1"
}

# How long machines take from the start of the scripts to kubelet: RUNS of each kind. With REFERENCE, a checkout of AgentBaker, the scripts
# are the reference's.
how_soon_kubelet_starts() {
	local kind run
	for ((run = 0; run < ${RUNS:-10}; run++)); do
		for kind in one stage; do
			if [ -n "$machine" ]; then
				crash
				umount -l "$root" "$disk/own/cgroups" "$disk/own"
				use_machine
			fi
			time_until_kubelet "$kind"
		done
	done
	for kind in one stage; do
		sort -n "$disk/times-$kind" | awk -v kind="$kind" '{ all[NR] = $1 } END {
			printf "%s: kubelet starts after %d ms (quartiles %d to %d, %d to %d in all, %d runs)\n", kind == "one" ? "in one go" : "after an image stage",
				all[int((NR + 1) / 2)], all[int((NR + 3) / 4)], all[int((3 * NR + 1) / 4)], all[1], all[NR], NR }'
	done
	last_run=
}

# What each step of a scenario changes is in the table: SCENARIO. `make effects` writes the table.
# shellcheck disable=SC2317,SC2034 # the scenario calls the inner function, and machine.sh reads the variable
what_each_step_changes() {
	local table=$here/../../testdata/provisioning/effects.txt
	eval "untraced_$(declare -f run_scripts)"
	# The first run only; another has less to do.
	run_scripts() {
		[ ! -e "$test/trace" ] || {
			untraced_run_scripts
			return
		}
		traced untraced_run_scripts --pidns-translation --quiet=attach,personality --decode-fds=path --string-limit=300 \
			--trace=write,execve,clone,clone3,fork,vfork,openat,rename,renameat,renameat2,link,linkat,symlink,symlinkat,unlink,unlinkat
	}
	"$1"
	# The scenario without a tracer has a second run.
	last_run=
	/usr/bin/python3 "$here/effects.py" "$containers/provision.sh" "$root" <"$test/trace" | sed "s/^/$1 /" >"$test/effects"
	if [ -n "${WRITE_EFFECTS:-}" ]; then
		cat "$test/effects" >>"$WRITE_EFFECTS"
	elif ! diff <(grep "^$1 " "$table") "$test/effects"; then
		fail "the steps change something else than $table has; make effects writes it"
	fi
}
