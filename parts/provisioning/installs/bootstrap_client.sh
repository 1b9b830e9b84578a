# shellcheck shell=bash
# The client of secure TLS bootstrapping.

# Removes the client where it is not used, installs it from a URL, or keeps the client of the image.
installSecureTLSBootstrapClient() {
	local client=$BIN/aks-secure-tls-bootstrap-client url=${CUSTOM_SECURE_TLS_BOOTSTRAPPING_CLIENT_DOWNLOAD_URL:-} archive dir
	if ! on ENABLE_SECURE_TLS_BOOTSTRAPPING; then
		rm_existing "$client" /opt/aks-secure-tls-bootstrap-client/downloads /etc/extensions/aks-secure-tls-bootstrap-client.raw
		! family flatcar acl || refresh_sysexts || warn 'the system extensions cannot be merged again'
		return
	fi
	if [ -z "$url" ]; then
		[ -x "$client" ] || warn "the image has no $client, and CUSTOM_SECURE_TLS_BOOTSTRAPPING_CLIENT_DOWNLOAD_URL is empty"
		return 0
	fi
	is_installed_from aks-secure-tls-bootstrap-client "$(redacted_url "$url")" && [ -x "$client" ] && return 0
	dir=/opt/aks-secure-tls-bootstrap-client/downloads
	archive=$(download_path "$url" "$dir")
	download 120 5 60 300 "$url" "$archive" ||
		fail "$ERR_SECURE_TLS_BOOTSTRAP_CLIENT_DOWNLOAD_ERROR" "$(redacted_url "$url") cannot be downloaded$(download_error)"
	case $archive in
	*.tar.gz | *.tgz) put "$client" 0755 tar -xzOf "$archive" --wildcards '*aks-secure-tls-bootstrap-client' ;;
	*) put "$client" 0755 cat "$archive" ;;
	esac || {
		rm -f "$archive"
		fail "$ERR_SECURE_TLS_BOOTSTRAP_CLIENT_DOWNLOAD_ERROR" "$(redacted_url "$url") has no client, or $client cannot be written"
	}
	record_installed_from aks-secure-tls-bootstrap-client "$(redacted_url "$url")"
	rm -rf "$dir"
}
