# shellcheck shell=bash
# The configuration of the cloud provider.

# Prints azure.json. What is `bare` is a number or a boolean: it has no quotes, and is left out if it is empty.
# shellcheck disable=SC2034 # members name the variables
azure_json() {
	local variable name bare value json key=k8s none='' content='' separator='{' plain='^(-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?|true|false)$'
	if given SERVICE_PRINCIPAL_FILE_CONTENT; then
		# A line break at its end belongs to it.
		content=$(decoded SERVICE_PRINCIPAL_FILE_CONTENT && printf .) || return
		content=${content%.}
	fi
	while read -r variable name bare; do
		value=${!variable:-}
		[ -n "$value" ] || [ -z "$bare" ] || continue
		[[ ${CLOUDPROVIDER_BACKOFF_MODE:-} != v2 || $name != cloudProviderBackoff@(Exponent|Jitter) ]] || continue
		if [ -n "$bare" ] && [[ $value =~ $plain ]]; then
			json=$value
		else
			json_text "$value"
			json=\"$json\"
		fi
		printf '%s\n  "%s": %s' "$separator" "$name" "$json"
		separator=,
	done <<'MEMBERS'
TARGET_CLOUD cloud
TENANT_ID tenantId
SUBSCRIPTION_ID subscriptionId
SERVICE_PRINCIPAL_CLIENT_ID aadClientId
content aadClientSecret
RESOURCE_GROUP resourceGroup
LOCATION location
VM_TYPE vmType
SUBNET subnetName
NETWORK_SECURITY_GROUP securityGroupName
VIRTUAL_NETWORK vnetName
VIRTUAL_NETWORK_RESOURCE_GROUP vnetResourceGroup
ROUTE_TABLE routeTableName
PRIMARY_AVAILABILITY_SET primaryAvailabilitySetName
PRIMARY_SCALE_SET primaryScaleSetName
CLOUDPROVIDER_BACKOFF_MODE cloudProviderBackoffMode
CLOUDPROVIDER_BACKOFF cloudProviderBackoff bare
CLOUDPROVIDER_BACKOFF_RETRIES cloudProviderBackoffRetries bare
CLOUDPROVIDER_BACKOFF_EXPONENT cloudProviderBackoffExponent bare
CLOUDPROVIDER_BACKOFF_DURATION cloudProviderBackoffDuration bare
CLOUDPROVIDER_BACKOFF_JITTER cloudProviderBackoffJitter bare
CLOUDPROVIDER_RATELIMIT cloudProviderRateLimit bare
CLOUDPROVIDER_RATELIMIT_QPS cloudProviderRateLimitQPS bare
CLOUDPROVIDER_RATELIMIT_BUCKET cloudProviderRateLimitBucket bare
CLOUDPROVIDER_RATELIMIT_QPS_WRITE cloudProviderRateLimitQPSWrite bare
CLOUDPROVIDER_RATELIMIT_BUCKET_WRITE cloudProviderRateLimitBucketWrite bare
USE_MANAGED_IDENTITY_EXTENSION useManagedIdentityExtension bare
USER_ASSIGNED_IDENTITY_ID userAssignedIdentityID
USE_INSTANCE_METADATA useInstanceMetadata bare
LOAD_BALANCER_SKU loadBalancerSku
LOAD_BALANCER_DISABLE_OUTBOUND_SNAT disableOutboundSNAT bare
EXCLUDE_MASTER_FROM_STANDARD_LB excludeMasterFromStandardLB bare
KMS_PROVIDER_VAULT_NAME providerVaultName
MAXIMUM_LOADBALANCER_RULE_COUNT maximumLoadBalancerRuleCount bare
key providerKeyName
none providerKeyVersion
MEMBERS
	printf '\n}\n'
}

# Prints the endpoints of a custom cloud. A Configuration carries them as text, other inputs in base64.
cloud_json() {
	if [[ ${CUSTOM_ENV_JSON:-} =~ ^[[:space:]]*\{ ]]; then
		printf '%s' "$CUSTOM_ENV_JSON"
	else
		decoded CUSTOM_ENV_JSON
	fi
}

# Writes the configuration of the cloud provider, which the credential provider and CSI drivers read too, and the endpoints of a
# custom cloud.
configureAzureJson() {
	must_put "$KUBERNETES/azure.json" 0600 azure_json
	on IS_CUSTOM_CLOUD || return 0
	must_put "$KUBERNETES/$TARGET_ENVIRONMENT.json" 0600 cloud_json
}
