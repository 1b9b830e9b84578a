# shellcheck shell=bash
# Accounts and sign-in.

configureAdminUser() {
	chage --expiredate -1 --inactive -1 --mindays 0 --maxdays 99999 "$ADMINUSER" &&
		chage --list "$ADMINUSER" &&
		chage --inactive -1 --maxdays -1 root
}

disableSSH() {
	disable_and_stop ssh.socket
	disable_and_stop ssh.service
	disable_and_stop sshd.service
	! systemctl is-active --quiet ssh.service sshd.service || fail "$ERR_DISABLE_SSH" 'the SSH service still runs'
}

# sshd_config with `PubkeyAuthentication no` exactly once, before any Match block.
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
		fail "$ERR_CONFIG_PUBKEY_AUTH_SSH" "there is no room beside $config"
	without_public_keys "$config" >"$candidate" || fail "$ERR_CONFIG_PUBKEY_AUTH_SSH" "$config cannot be read"
	# sshd wants a folder that its unit makes.
	if ! systemctl is-active --quiet "$unit"; then
		bounded 25 systemctl start "$unit" || fail "$ERR_CONFIG_PUBKEY_AUTH_SSH" "$unit does not start"
	fi
	if ! sshd -t -f "$candidate"; then
		rm -f "$candidate"
		fail "$ERR_CONFIG_PUBKEY_AUTH_SSH" "sshd refuses $config without public keys"
	fi
	if ! mv -fT "$candidate" "$config" || ! bounded 25 systemctl reload-or-restart "$unit"; then
		fail "$ERR_CONFIG_PUBKEY_AUTH_SSH" "$unit does not take its new configuration"
	fi
}

configureMessageOfTheDay() {
	prepare_message_of_the_day || warn 'the message of the day may be shown twice or not at all'
	must_put_decoded /etc/motd 0644 MESSAGE_OF_THE_DAY
}
