# shellcheck shell=bash
# What the log bundle finds.

# The logs where the log collector looks.
link_logs() {
	local file
	for file in "$LOGS/cluster-provision.log" "$LOGS/cluster-provision-cse-output.log" /opt/azure/*.json \
		/opt/azure/cloud-init-files.paved /opt/azure/vhd-install.complete; do
		if [ -e "$file" ]; then
			ln -sfn "$file" "$LOGS/aks/${file##*/}" || warn "$file is not linked into $LOGS/aks"
		fi
	done
}

# What cloud-init was given, without secrets, for whoever looks for the cause of a failure.
redact_cloud_config() {
	local source=/var/lib/cloud/instance/cloud-config.txt
	if [ -s "$source" ] && [ -x "$CONTAINERS/provision_redact_cloud_config.py" ]; then
		put "$LOGS/aks/cloud-config.txt" 0600 "$CONTAINERS/provision_redact_cloud_config.py" "$source" ||
			warn "$source is not copied, for it cannot be redacted"
	fi
}

startLogCollector() {
	bounded 30 systemctl start --no-block aks-log-collector.timer
}
