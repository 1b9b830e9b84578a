#!/bin/bash
# What is different on Ubuntu and Debian. Sourced by provision.sh.

#include provisioning/shared/helpers.sh
export DEBIAN_FRONTEND=noninteractive

## Packages

# Whether no other process is installing packages. cloud-init and unattended upgrades do so at the first boot.
apt_is_free() {
	! command -v fuser >/dev/null ||
		! bounded 10 fuser --silent /var/lib/dpkg/lock /var/lib/dpkg/lock-frontend /var/lib/apt/lists/lock /var/cache/apt/archives/lock 2>/dev/null
}

wait_for_apt() {
	wait_until 86400 apt_is_free
}

# Refreshes the index: [OPTION...] of apt-get. `apt-get update` succeeds with a warning when a source cannot be reached and uses its old index, so a
# warning counts as a failure.
update_packages() {
	local try output code
	for ((try = 1; try <= 10; try++)); do
		wait_for_apt || return
		bounded 120 dpkg --configure -a --force-confdef >/dev/null 2>&1
		bounded 120 apt-get "$@" --yes --fix-broken install >/dev/null 2>&1
		code=0
		output=$(bounded "${APT_GET_UPDATE_TIMEOUT_SECONDS:-180}" apt-get "$@" update 2>&1) || code=$?
		if [ "$code" = 0 ] && ! grep -qiE '^(W:|E:|error)' <<<"$output"; then
			return 0
		fi
		log "apt-get update: $(tail -n 3 <<<"$output" | redacted_output)"
		has_time || return 1
		sleep 5
	done
	return 1
}

# The script of an image that patches the running node calls these two: [OPTIONS], which are one word with blanks.
apt_get_update() { update_packages; }
apt_get_update_with_opts() {
	local options
	read -r -a options <<<"$1"
	update_packages "${options[@]}"
}

# Refreshes the index of Microsoft's packages only: VERSION, whose pre-releases, with a ~, are in a list of their own. An index
# that the image was built with does not know newer versions.
update_microsoft_packages() {
	local name file lists=(microsoft-prod)
	[[ $1 != *~* ]] || lists+=(microsoft-prod-testing)
	for name in "${lists[@]}"; do
		for file in "/etc/apt/sources.list.d/$name.list" "/etc/apt/sources.list.d/$name.sources"; do
			if [ -e "$file" ]; then
				update_packages -o "Dir::Etc::sourcelist=$file" -o Dir::Etc::sourceparts=- || return
				break
			fi
		done
	done
}

# Installs packages: TRIES PAUSE BUDGET NAME..., with the pause and the budget of all tries in seconds.
install_packages() {
	local tries=$1 pause=$2 until=$((EPOCHSECONDS + $3)) try left
	shift 3
	for ((try = 1; ; try++)); do
		wait_for_apt || return
		left=$((until - EPOCHSECONDS))
		[ "$left" -gt 0 ] || return 2
		if bounded "$left" apt-get install --yes --no-install-recommends -o Dpkg::Options::=--force-confold \
			-o DPkg::Lock::Timeout=60 "$@" </dev/null; then
			bounded 60 apt-get clean
			return 0
		fi
		[ "$try" -lt "$tries" ] && has_time || return 1
		sleep "$pause"
		update_packages
	done
}

# Sets the state of the agent's package in dpkg: hold|install.
select_walinuxagent() {
	wait_for_apt && printf 'walinuxagent %s\n' "$1" | bounded 25 dpkg --set-selections
}

# Keeps the agent from being upgraded: it is the parent of this script, and its restart would end the run.
holdWALinuxAgent() {
	local try
	for ((try = 1; try <= 120; try++)); do
		! select_walinuxagent hold || return 0
		has_time || break
		sleep 5
	done
	fail "$ERR_HOLD_WALINUXAGENT" 'the package walinuxagent cannot be put on hold'
}

# Lifts the hold in the background, because an upgrade may have the lock of dpkg. A time limit of the run does not count then.
releaseWALinuxAgent() {
	(
		unset CSE_STARTTIME_SECONDS
		for ((try = 1; try <= 120; try++)); do
			! select_walinuxagent install || exit 0
			sleep 5
		done
		log "error $ERR_RELEASE_HOLD_WALINUXAGENT: the package walinuxagent is still on hold"
	) </dev/null >>"$LOGS/cluster-provision.log" 2>&1 &
	disown
}

configureUnattendedUpgrades() {
	local unit
	must_put_text /etc/apt/apt.conf.d/99periodic 0644 'APT::Periodic::Update-Package-Lists "1";
APT::Periodic::Unattended-Upgrade "1";'
	for unit in apt-daily.service apt-daily.timer apt-daily-upgrade.service apt-daily-upgrade.timer; do
		if unit_exists "$unit"; then
			bounded 25 systemctl unmask --quiet "$unit"
			bounded 25 systemctl enable --quiet "$unit" || warn "$unit is not enabled"
		fi
	done
	bounded 25 systemctl restart --no-block apt-daily.timer apt-daily-upgrade.timer apt-daily.service || warn 'apt-daily cannot be started; upgrades begin with the next boot'
}

## Network cards

# Configures a card with netplan, or for systemd-networkd where there is no netplan: NUMBER INTERFACE MAC HAS_IPV6.
configure_network_card() {
	local number=$1 mac=$3 has_ipv6=$4
	if ! command -v netplan >/dev/null; then
		networkd_network_card "$@"
		return
	fi
	must_put_text "/etc/netplan/60-secondary-nic-$number.yaml" 0600 "network:
  version: 2
  ethernets:
    secondary-nic-$number:
      match:
        macaddress: \"$mac\"
      dhcp4: true
      dhcp4-overrides:
        route-metric: $((100 + 100 * number))
        use-dns: false
      dhcp6: $has_ipv6
      dhcp6-overrides:
        route-metric: $((100 + 100 * number))
        use-dns: false"
}

apply_network_cards() {
	if command -v netplan >/dev/null; then
		retry 5 3 10 netplan apply
	else
		retry 5 3 10 networkctl reload
	fi
}

## Message of the day

# Shows /etc/motd at a login: Ubuntu builds its message from the scripts in this directory.
prepare_message_of_the_day() {
	[ ! -d /etc/update-motd.d ] || put_text /etc/update-motd.d/99-aks-custom-motd 0755 '#!/bin/bash
cat /etc/motd'
}
#EOF
