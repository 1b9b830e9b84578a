# shellcheck shell=bash
# Files for the log collector, which packs /var/log/azure.

# Links logs and descriptions of the image to the directory that the log collector packs.
link_logs() {
	local file files=()
	for file in "$LOGS/cluster-provision.log" "$LOGS/cluster-provision-cse-output.log" /opt/azure/*.json \
		/opt/azure/cloud-init-files.paved /opt/azure/vhd-install.complete; do
		[ ! -e "$file" ] || files+=("$file")
	done
	[ "${#files[@]}" = 0 ] || ln -sf -t "$LOGS/aks" "${files[@]}" || warn "a file cannot be linked to $LOGS/aks"
}

# Copies the cloud-config without its secrets, for the analysis of failures. It runs beside the steps, because Python takes its time.
redact_cloud_config() {
	local source=/var/lib/cloud/instance/cloud-config.txt program=$CONTAINERS/provision_redact_cloud_config.py copy
	[ -s "$source" ] && [ -e "$program" ] || return 0
	copy=$(umask 077 && mktemp "$LOGS/aks/.cloud-config.XXXXXX") || return 0
	{
		# The program may come from the image, which calls it like this.
		if ! bounded 30 python3 "$program" --cloud-config-path "$source" --output-path "$copy" >/dev/null ||
			! put "$LOGS/aks/cloud-config.txt" 0600 cat "$copy"; then
			warn "$source is not copied to $LOGS/aks, because its secrets cannot be redacted"
		fi
		rm -f "$copy"
	} &
}

startLogCollector() {
	bounded 30 systemctl enable --quiet --now --no-block aks-log-collector.timer
}
