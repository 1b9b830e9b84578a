# shellcheck shell=bash
# Units of systemd, containerd, and kernel modules.

unit_exists() {
	bounded 10 systemctl cat -- "$1" >/dev/null 2>&1
}

# Prints the state and the journal of a unit: UNIT.
unit_status() {
	timeout 10 systemctl status --no-pager --full "$1" 2>&1
	timeout 10 journalctl --no-pager --boot --unit="$1" 2>&1
	true
}

# Whether systemd may not have read the newest files of a unit: UNIT. Reading all units again takes longer than asking. Before systemd 246,
# as in Ubuntu 20.04, it does not notice a new directory of drop-ins.
needs_reload() {
	{ [ -n "$UNITS_CHANGED" ] && [[ ${OS_VERSION:-20.04} == 20.04 ]]; } || [ "$(bounded 10 systemctl show --property=NeedDaemonReload --value "$1" 2>/dev/null)" != no ]
}

# Whether this run has changed a unit or a drop-in since systemd has read them.
UNITS_CHANGED=

reload_units() {
	bounded 25 systemctl daemon-reload && UNITS_CHANGED=
}

# Restarts and enables a unit: UNIT LIMIT [--no-block], with the limit of a try in seconds; --no-block only queues the start.
# It tries again until no time is left, except for errors that stay.
enable_and_start() {
	local unit=$1 limit=$2 try state begun
	shift 2
	begun=${EPOCHREALTIME/[.,]/}
	for ((try = 1; ; try++)); do
		if { [ "$try" = 1 ] && ! needs_reload "$unit"; } || reload_units; then
			bounded "$limit" systemctl restart "$@" "$unit" && break
		fi
		# With names, because systemd prints properties in its own order.
		state=$(bounded 10 systemctl show --property=LoadState,Result "$unit" 2>/dev/null | tr '\n' ' ')
		case " $state" in
		*' LoadState=not-found '* | *' LoadState=masked '* | *' LoadState=bad-setting '* | *' LoadState=error '* | *' Result=start-limit-hit '*)
			try=100
			;;
		esac
		if [ "$try" -ge 100 ] || ! has_time; then
			warn "$unit does not start (${state% }); see $LOGS/$unit-status.log"
			put "$LOGS/$unit-status.log" 0600 unit_status "$unit"
			event "AKS.CSE.start.${unit%.service}" Error "$begun" "${EPOCHREALTIME/[.,]/}" "Failed: $unit"
			return 1
		fi
		sleep 5
	done
	# The unit is loaded, so systemd need not read all units again for the link.
	if [ ! -e "$UNITS/multi-user.target.wants/$unit" ] && ! retry 120 5 25 systemctl enable --quiet --no-reload "$unit"; then
		put "$LOGS/$unit-status.log" 0600 unit_status "$unit"
		return 1
	fi
	event "AKS.CSE.start.${unit%.service}" Informational "$begun" "${EPOCHREALTIME/[.,]/}" "Completed: $unit"
}

# Stops and disables a unit if it exists.
disable_and_stop() {
	unit_exists "$1" || return 0
	part "stop.${1%.service}" stop_and_disable "$1"
}

stop_and_disable() {
	retry 20 5 25 systemctl stop "$1" || warn "$1 cannot be stopped"
	retry 20 5 25 systemctl disable --quiet "$1" || warn "$1 cannot be disabled"
}

# Whether a unit has not failed. One that is still starting counts as healthy.
is_healthy() {
	local state
	state=$(bounded 10 systemctl is-active "$1" 2>/dev/null)
	case $state in
	active) ;;
	failed) return 1 ;;
	*) log "$1 is $state" ;;
	esac
}

containerd_answers() {
	timeout 1 ctr version >/dev/null 2>&1
}

# Waits until containerd answers, at most 24 seconds. A containerd that systemd has restarted three times will not answer.
containerd_is_ready() {
	local try restarts
	for ((try = 1; try <= 240; try++)); do
		! containerd_answers || return 0
		has_time || return 1
		restarts=$(bounded 10 systemctl show --property=NRestarts --value containerd.service 2>/dev/null)
		[ "${restarts:-0}" -lt 3 ] || return 1
		sleep 0.1
	done
	return 1
}

# Loads a module, unless it is there already or part of the kernel: MODULE.
load_module() {
	[ -d "/sys/module/$1" ] || retry 120 5 25 modprobe "$1"
}
