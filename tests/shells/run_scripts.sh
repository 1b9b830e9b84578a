#!/bin/bash
# Runs every script of a folder in bash and in dash, in a mount namespace of its own. Beside script N this leaves
# N.SHELL.status (its exit status), N.SHELL.environment (what the start script received), N.SHELL.initialised (the
# cloud initialisation ran) and, if a value was run as a command, N.SHELL.canary.
set -euo pipefail

folder=$1
mount -t tmpfs none /opt
mount -t tmpfs none /var/log
mkdir /var/log/azure

prepare() {
	rm -rf /opt/azure
	mkdir -p /opt/azure/containers
	echo '#EOF' >/opt/azure/containers/provision.sh
	echo 'cat /proc/self/environ >/opt/azure/received' >/opt/azure/containers/provision_start.sh
	printf '#!/bin/sh\n: >/opt/azure/initialised\n' >/opt/azure/containers/init-aks-cloud.sh
	chmod 0755 /opt/azure/containers/init-aks-cloud.sh
}

for script in "$folder"/*.sh; do
	case=${script%.sh}
	for shell in bash dash; do
		prepare
		status=0
		env -i PATH="$PATH" "$shell" "$script" >/dev/null 2>"$case.$shell.errors" || status=$?
		echo "$status" >"$case.$shell.status"
		for file in received:environment initialised:initialised canary:canary; do
			if [ -e "/opt/azure/${file%:*}" ]; then
				cp "/opt/azure/${file%:*}" "$case.$shell.${file#*:}"
			fi
		done
	done
done
