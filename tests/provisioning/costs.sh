#!/usr/bin/env bash
# What a run costs. Sourced by machine.sh; `make measure-node` calls it.
# shellcheck disable=SC2154 # machine.sh has the names

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

# What the scripts start and write until kubelet starts, and in all. Waits, such as that for containerd, start more on a busy machine.
what_a_run_starts() {
	local tracer
	start_machine
	variables
	strace --follow-forks --quiet=all --trace=clone,clone3,fork,vfork,execve,fsync,fdatasync,syncfs,sync --string-limit=200 \
		--output="$test/trace" --attach="$$" &
	tracer=$!
	until grep -qE '^TracerPid:[[:space:]]*[1-9]' "/proc/$$/status"; do sleep 0.1; done
	run_scripts
	kill -INT "$tracer"
	wait "$tracer" || true
	expect 'the run ends well' said 0
	# A call that another process interrupts is in two lines: its beginning, and `resumed` with the result.
	awk '
		/execve\(/ { begun[$1] = $0 }
		/execve(\(| resumed).* = 0$/ {
			programs++
			line = begun[$1]
			reloads += line ~ /daemon-reload/
			split(line, part, "\"")
			sub(/.*\//, "", part[2])
			of[part[2]]++
			if (line ~ /"systemctl", "restart".*kubelet/ && !seen++) figures("until kubelet")
		}
		/(clone|clone3|fork|vfork)(\(| resumed).* = [0-9]+$/ { forks++ }
		/sync(fs)?\(/ { syncs++ }
		function figures(what) { printf "%s: %d forks, %d programs, %d reloads, %d syncs\n", what, forks, programs, reloads, syncs }
		END { figures("in all"); for (name in of) print of[name], name | "sort -rn" }' "$test/trace"
}
