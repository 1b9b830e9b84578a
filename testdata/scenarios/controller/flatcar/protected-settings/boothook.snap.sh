#!/bin/bash
set -euo pipefail

cat <<'EOF' | base64 -d | gzip -d >/opt/azure/containers/aks-node-controller-nbc-cmd.sh
(gzip of aks-node-controller-nbc-cmd.sh)
EOF
chmod 0600 /opt/azure/containers/aks-node-controller-nbc-cmd.sh


logger -t aks-boothook "launching aks-node-controller $(date -Ins)"
if [ -f /opt/azure/containers/aks-node-controller-launcher.sh ]; then
	nohup /bin/bash /opt/azure/containers/aks-node-controller-launcher.sh > /var/log/azure/aks-node-controller.output 2>&1 &
else
	systemctl start --no-block aks-node-controller.service
fi
