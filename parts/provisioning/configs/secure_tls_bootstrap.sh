# shellcheck shell=bash
# Secure TLS bootstrapping: a client gets kubelet's first certificate for the attested identity of the machine, without a token.

# Prints the environment file of the client. The unit splits the flags at blanks, so values must not have any.
secure_tls_flags() {
	local flags name value
	# The application of the AKS API servers in Microsoft Entra ID.
	flags="--apiserver-fqdn=$API_SERVER_NAME --cloud-provider-config=$KUBERNETES/azure.json"
	given SECURE_TLS_BOOTSTRAPPING_AAD_RESOURCE || flags+=' --aad-resource=6dae42f8-4368-4678-94ff-3960e28e3630'
	while read -r name value; do
		if given "$name"; then
			[[ ${!name} =~ ^[A-Za-z0-9._:/-]+$ ]] || return
			flags+=" $value=${!name}"
		fi
	done <<'FLAGS'
SECURE_TLS_BOOTSTRAPPING_AAD_RESOURCE --aad-resource
SECURE_TLS_BOOTSTRAPPING_USER_ASSIGNED_IDENTITY_ID --user-assigned-identity-id
SECURE_TLS_BOOTSTRAPPING_VALIDATE_KUBECONFIG_TIMEOUT --validate-kubeconfig-timeout
SECURE_TLS_BOOTSTRAPPING_GET_ACCESS_TOKEN_TIMEOUT --get-access-token-timeout
SECURE_TLS_BOOTSTRAPPING_GET_INSTANCE_DATA_TIMEOUT --get-instance-data-timeout
SECURE_TLS_BOOTSTRAPPING_GET_NONCE_TIMEOUT --get-nonce-timeout
SECURE_TLS_BOOTSTRAPPING_GET_ATTESTED_DATA_TIMEOUT --get-attested-data-timeout
SECURE_TLS_BOOTSTRAPPING_GET_CREDENTIAL_TIMEOUT --get-credential-timeout
FLAGS
	environment_line BOOTSTRAP_FLAGS "$flags" || return
	! given AZURE_ENVIRONMENT_FILEPATH || environment_line AZURE_ENVIRONMENT_FILEPATH "$AZURE_ENVIRONMENT_FILEPATH"
}

# Enables and starts the client: systemd may have read already what starts with kubelet.
configureAndEnableSecureTLSBootstrapping() {
	must_put /etc/default/secure-tls-bootstrap 0600 secure_tls_flags
	must_put_unit secure-tls-bootstrap.service.d/10-securetlsbootstrap.conf 0600 <<'UNIT'
#include provisioning/units/secure-tls-bootstrap.service.d/10-securetlsbootstrap.conf
UNIT
	! needs_reload secure-tls-bootstrap.service || reload_units || true
	retry 120 5 25 systemctl enable --quiet --no-reload --now --no-block secure-tls-bootstrap.service ||
		fail "$ERR_SECURE_TLS_BOOTSTRAP_ENABLE_FAILURE" 'secure-tls-bootstrap.service cannot be enabled'
}

checkSecureTLSBootstrap() {
	is_healthy secure-tls-bootstrap.service
}
