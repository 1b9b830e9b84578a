# shellcheck shell=bash
# Control groups of services.

# Prints the control group of a unit, below the root of control groups: UNIT. Prints nothing while the unit does not run.
group_of() {
	bounded 30 systemctl show --property=ControlGroup --value "$1" 2>/dev/null
}
