#!/bin/sh
mkdir -p /opt/bin; for name in aks-secure-tls-bootstrap-client ci-syslog-watcher.sh logrotate.sh; do [ -e /opt/bin/$name ] || [ ! -e /usr/local/bin/$name ] || ln -s /usr/local/bin/$name /opt/bin/$name; done
