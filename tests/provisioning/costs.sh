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
