# shellcheck shell=bash
# Certificate authorities of the customer.

# Prints the certificate in a variable that carries base64, with or without line breaks: VARIABLE. Fails if it is none.
decoded_certificate() {
	local value=${!1:-}
	value=$(base64 -d <<<"${value//[[:space:]]/}" 2>/dev/null) && [[ $value == *-----BEGIN* ]] && printf '%s\n' "$value"
}

configureHTTPProxyCA() {
	read_trust_store
	put "$CA_ANCHORS/proxyCA.$CA_SUFFIX" 0644 decoded_certificate HTTP_PROXY_TRUSTED_CA ||
		fail "$ERR_UPDATE_CA_CERTS" 'HTTP_PROXY_TRUSTED_CA must be base64 of a certificate, or it cannot be written to the trust store'
	bounded 120 "${CA_COMMAND[@]}" || fail "$ERR_UPDATE_CA_CERTS" "${CA_COMMAND[0]} failed"
}

# The unit, which the image has, copies /opt/certs to the trust store. Others add certificates there later.
configureCustomCaCertificate() {
	local number name
	mkdir -p /opt/certs || fail "$ERR_UPDATE_CA_CERTS" '/opt/certs cannot be created'
	for ((number = 0; number < CUSTOM_CA_TRUST_COUNT; number++)); do
		name=CUSTOM_CA_CERT_$number
		given "$name" || continue
		put "/opt/certs/00000000000000cert$number.crt" 0644 decoded_certificate "$name" ||
			fail "$ERR_UPDATE_CA_CERTS" "$name must be base64 of a certificate, or it cannot be written to /opt/certs"
	done
	if unit_exists update_certs.service; then
		bounded 120 systemctl restart update_certs.service
	else
		bounded 120 /opt/scripts/update_certs.sh
	fi || fail "$ERR_UPDATE_CA_CERTS" 'the trust store cannot be updated; see journalctl -u update_certs'
}
