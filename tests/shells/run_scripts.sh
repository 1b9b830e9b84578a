#!/bin/bash
# Runs every script of a directory in bash and in dash, in a mount namespace of its own. Beside script N this leaves
# N.SHELL.status (its exit status), N.SHELL.environment (what the start script received), N.SHELL.initialised (the
# cloud initialisation ran) and, if a value was run as a command, N.SHELL.canary.
#
# Called with an environment that has nothing but PATH, which is then the environment of the scripts.
set -euo pipefail

directory=$1
mount -t tmpfs none /opt
mount -t tmpfs none /var/log
mkdir -p /var/log/azure /opt/azure/containers
: >/opt/azure/containers/init-aks-cloud.sh
chmod 0755 /opt/azure/containers/init-aks-cloud.sh

for script in "$directory"/*.sh; do
	for shell in bash dash; do
		left=${script%.sh}.$shell
		# A script may have changed any of them. Redirections start no process.
		echo '#EOF' >/opt/azure/containers/provision.sh
		printf 'cat /proc/self/environ >%s.environment\n' "$left" >/opt/azure/containers/provision_start.sh
		printf '#!/bin/sh\n: >%s.initialised\n' "$left" >/opt/azure/containers/init-aks-cloud.sh
		status=0
		"$shell" "$script" >/dev/null 2>"$left.errors" || status=$?
		echo "$status" >"$left.status"
		if [ -e /opt/azure/canary ]; then
			mv /opt/azure/canary "$left.canary"
		fi
	done
done
