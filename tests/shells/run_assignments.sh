#!/bin/bash
# Runs only the assignments of every script of a directory in bash and in dash, in a mount namespace of its own, and leaves
# beside script N what run_scripts.sh leaves. The test has left out prologue and start, which are the same in every script,
# and has added that the environment is printed to descriptor 3.
#
# Called with an environment that has nothing but PATH, which is then the environment of the scripts.
set -uo pipefail

directory=$1
mount -t tmpfs none /opt || exit
mkdir -p /opt/azure

for script in "$directory"/*.sh; do
	for shell in bash dash; do
		left=${script%.sh}.$shell
		"$shell" "$script" 3>"$left.environment" >/dev/null 2>"$left.errors"
		echo $? >"$left.status"
		if [ -e /opt/azure/canary ]; then
			mv /opt/azure/canary "$left.canary"
		fi
	done
done
