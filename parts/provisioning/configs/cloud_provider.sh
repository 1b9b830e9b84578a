# shellcheck shell=bash
# The configuration of the cloud provider.

# Prints azure.json. What is `bare` is a number or a boolean: it has no quotes, and is left out if it is empty.
# shellcheck disable=SC2034 # members name the variables
azure_json() {
	local name variable bare value json key=k8s none='' secret='' separator='{' plain='^(-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?|true|false)$'
	if given SERVICE_PRINCIPAL_FILE_CONTENT; then
		# A line break at its end belongs to it.
		secret=$(decoded SERVICE_PRINCIPAL_FILE_CONTENT && printf .) || return
		secret=${secret%.}
	fi
	while read -r name variable bare; do
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
cloud TARGET_CLOUD
tenantId TENANT_ID
subscriptionId SUBSCRIPTION_ID
aadClientId SERVICE_PRINCIPAL_CLIENT_ID
aadClientSecret secret
resourceGroup RESOURCE_GROUP
location LOCATION
vmType VM_TYPE
subnetName SUBNET
securityGroupName NETWORK_SECURITY_GROUP
vnetName VIRTUAL_NETWORK
vnetResourceGroup VIRTUAL_NETWORK_RESOURCE_GROUP
routeTableName ROUTE_TABLE
primaryAvailabilitySetName PRIMARY_AVAILABILITY_SET
primaryScaleSetName PRIMARY_SCALE_SET
cloudProviderBackoffMode CLOUDPROVIDER_BACKOFF_MODE
cloudProviderBackoff CLOUDPROVIDER_BACKOFF bare
cloudProviderBackoffRetries CLOUDPROVIDER_BACKOFF_RETRIES bare
cloudProviderBackoffExponent CLOUDPROVIDER_BACKOFF_EXPONENT bare
cloudProviderBackoffDuration CLOUDPROVIDER_BACKOFF_DURATION bare
cloudProviderBackoffJitter CLOUDPROVIDER_BACKOFF_JITTER bare
cloudProviderRateLimit CLOUDPROVIDER_RATELIMIT bare
cloudProviderRateLimitQPS CLOUDPROVIDER_RATELIMIT_QPS bare
cloudProviderRateLimitBucket CLOUDPROVIDER_RATELIMIT_BUCKET bare
cloudProviderRateLimitQPSWrite CLOUDPROVIDER_RATELIMIT_QPS_WRITE bare
cloudProviderRateLimitBucketWrite CLOUDPROVIDER_RATELIMIT_BUCKET_WRITE bare
useManagedIdentityExtension USE_MANAGED_IDENTITY_EXTENSION bare
userAssignedIdentityID USER_ASSIGNED_IDENTITY_ID
useInstanceMetadata USE_INSTANCE_METADATA bare
loadBalancerSku LOAD_BALANCER_SKU
disableOutboundSNAT LOAD_BALANCER_DISABLE_OUTBOUND_SNAT bare
excludeMasterFromStandardLB EXCLUDE_MASTER_FROM_STANDARD_LB bare
providerVaultName KMS_PROVIDER_VAULT_NAME
maximumLoadBalancerRuleCount MAXIMUM_LOADBALANCER_RULE_COUNT bare
providerKeyName key
providerKeyVersion none
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
