#cloud-boothook
#!/bin/bash
set -euo pipefail

[ -e /opt/azure/containers/provision.complete ] && exit 0

logger -t aks-boothook "boothook start $(date -Ins)"

mkdir -p /opt/bin /opt/azure/containers /var/log/azure

nohup /bin/bash /opt/azure/containers/provision_preload.sh >/dev/null 2>&1 &

#hotfix-marker

cat <<'EOF' | base64 -d | gzip -d >/opt/azure/containers/enabled_features.sh
H4sIAAAAAAAC/wEhAN7/RU5BQkxFX05PREVfUFJPQkxFTV9SRVBPUlRTPXRydWUKwqGzNCEAAAA=
EOF
chmod 0600 /opt/azure/containers/enabled_features.sh


if [ -f /opt/azure/containers/fetch_provision_config.py ]; then
	python3 /opt/azure/containers/fetch_provision_config.py --output /opt/bin/boothook.sh --timeout 60 >>/var/log/azure/aks-early-boothook.log 2>&1 || exit 0
fi

if [ -f /opt/bin/boothook.sh ]; then
	logger -t aks-boothook "starting /opt/bin/boothook.sh $(date -Ins)"
	nohup /bin/bash /opt/bin/boothook.sh >/dev/null 2>&1 &
fi
