#cloud-boothook
#!/bin/bash
set -euo pipefail

[ -e /opt/azure/containers/provision.complete ] && exit 0

logger -t aks-boothook "boothook start $(date -Ins)"

mkdir -p /opt/bin /opt/azure/containers /var/log/azure

nohup /bin/bash /opt/azure/containers/provision_preload.sh >/dev/null 2>&1 &

#hotfix-marker

cat <<'EOF' | base64 -d | gzip -d >/opt/azure/containers/nodecustomdata.yml
(gzip of nodecustomdata.yml)
EOF
chmod 0600 /opt/azure/containers/nodecustomdata.yml


cat <<'EOF' | base64 -d | gzip -d >/opt/azure/containers/enabled_features.sh
(gzip of enabled_features.sh)
EOF
chmod 0600 /opt/azure/containers/enabled_features.sh

#!/bin/bash
set -euo pipefail

cat <<'EOF' | base64 -d | gzip -d >/opt/azure/containers/aks-node-controller-nbc-cmd.sh
(gzip of aks-node-controller-nbc-cmd.sh)
EOF
chmod 0600 /opt/azure/containers/aks-node-controller-nbc-cmd.sh


cat <<'EOF' | base64 -d | gzip -d >/opt/azure/containers/aks-node-controller-config.json
(gzip of aks-node-controller-config.json)
EOF
chmod 0600 /opt/azure/containers/aks-node-controller-config.json


logger -t aks-boothook "launching aks-node-controller $(date -Ins)"
if [ -f /opt/azure/containers/aks-node-controller-launcher.sh ]; then
	nohup /bin/bash /opt/azure/containers/aks-node-controller-launcher.sh > /var/log/azure/aks-node-controller.output 2>&1 &
else
	systemctl start --no-block aks-node-controller.service
fi
