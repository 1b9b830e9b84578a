# shellcheck shell=bash
# Accounts and logins.

# Keeps the accounts of the administrator and of root from expiring. Password policies of hardened images would let them.
configureAdminUser() {
	bounded 10 chage --expiredate -1 --inactive -1 --mindays 0 --maxdays 99999 "$ADMINUSER" &&
		bounded 10 chage --list "$ADMINUSER" &&
		bounded 10 chage --inactive -1 --maxdays -1 root
}

# The unit is ssh on Ubuntu, sshd elsewhere, and activated by a socket since Ubuntu 22.10.
# https://discourse.ubuntu.com/t/sshd-now-uses-socket-based-activation-ubuntu-22-10-and-later/30189
disableSSH() {
	disable_and_stop ssh.socket
	disable_and_stop ssh.service
	disable_and_stop sshd.service
	! bounded 10 systemctl is-active --quiet ssh.service sshd.service || fail "$ERR_DISABLE_SSH" 'the SSH service cannot be stopped'
}

# Prints a configuration of sshd with `PubkeyAuthentication no` exactly once, before any Match block: settings after `Match`
# apply to the matched connections only.
without_public_keys() {
	awk '
		tolower($1) == "match" && !said { print "PubkeyAuthentication no"; said = 1 }
		tolower($1) == "match" { matched = 1 }
		!matched && tolower($0) ~ /^[ \t]*pubkeyauthentication([ \t=]|$)/ {
			if (!said) { print "PubkeyAuthentication no"; said = 1 }
			next
		}
		{ print }
		END { if (!said) print "PubkeyAuthentication no" }' "$1"
}

disableSSHPubkeyAuth() {
	local config=/etc/ssh/sshd_config candidate unit=ssh.service
	unit_exists "$unit" || unit=sshd.service
	candidate=$(umask 077 && mktemp /etc/ssh/.sshd_config.XXXXXX) ||
		fail "$ERR_CONFIG_PUBKEY_AUTH_SSH" "a temporary file beside $config cannot be created"
	without_public_keys "$config" >"$candidate" || fail "$ERR_CONFIG_PUBKEY_AUTH_SSH" "$config cannot be read"
	# The test of the configuration needs the directory /run/sshd, which the unit creates.
	if ! bounded 10 systemctl is-active --quiet "$unit"; then
		bounded 25 systemctl start "$unit" || fail "$ERR_CONFIG_PUBKEY_AUTH_SSH" "$unit does not start"
	fi
	if ! bounded 25 sshd -t -f "$candidate"; then
		rm -f "$candidate"
		fail "$ERR_CONFIG_PUBKEY_AUTH_SSH" "sshd rejects $config with PubkeyAuthentication disabled"
	fi
	if ! mv -fT "$candidate" "$config" || ! bounded 25 systemctl reload-or-restart "$unit"; then
		fail "$ERR_CONFIG_PUBKEY_AUTH_SSH" "$unit cannot be reloaded with its new configuration"
	fi
}

configureMessageOfTheDay() {
	prepare_message_of_the_day || warn 'the message of the day may be shown twice or not at all'
	must_put_decoded /etc/motd 0644 MESSAGE_OF_THE_DAY
}
