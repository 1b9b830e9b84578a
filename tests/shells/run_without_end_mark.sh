#!/bin/bash
# Runs a script on an image whose provisioning script never becomes complete, with a `sleep` that only counts.
set -uo pipefail

mount -t tmpfs none /opt
mount -t tmpfs none /var/log
mkdir -p /opt/azure/containers /var/log/azure
: >/opt/azure/containers/provision.sh
echo ': >/opt/azure/started' >/opt/azure/containers/provision_start.sh
mkdir /opt/bin
printf '#!/bin/sh\necho >>/opt/slept\n' >/opt/bin/sleep
chmod 0755 /opt/bin/sleep

PATH=/opt/bin:$PATH bash "$1" >/dev/null
status=$?
started=no
[ -e /opt/azure/started ] && started=yes
echo "status $status, slept $(wc -l </opt/slept) times, started $started"
