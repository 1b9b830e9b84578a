# shellcheck shell=bash
# The configuration of the cloud provider.

# Prints azure.json. jq reads the variables from the environment, because arguments can be seen by every user.
# `bare` prints numbers and booleans without quotes, and omits empty values.
azure_json() {
	jq --null-input '
		def text(name): env[name] // "";
		def bare(name): (env[name] // "") | if . == "" then null else . as $text | try fromjson catch $text end;
		{
			cloud: text("TARGET_CLOUD"),
			tenantId: text("TENANT_ID"),
			subscriptionId: text("SUBSCRIPTION_ID"),
			aadClientId: text("SERVICE_PRINCIPAL_CLIENT_ID"),
			aadClientSecret: (text("SERVICE_PRINCIPAL_FILE_CONTENT") | @base64d),
			resourceGroup: text("RESOURCE_GROUP"),
			location: text("LOCATION"),
			vmType: text("VM_TYPE"),
			subnetName: text("SUBNET"),
			securityGroupName: text("NETWORK_SECURITY_GROUP"),
			vnetName: text("VIRTUAL_NETWORK"),
			vnetResourceGroup: text("VIRTUAL_NETWORK_RESOURCE_GROUP"),
			routeTableName: text("ROUTE_TABLE"),
			primaryAvailabilitySetName: text("PRIMARY_AVAILABILITY_SET"),
			primaryScaleSetName: text("PRIMARY_SCALE_SET"),
			cloudProviderBackoffMode: text("CLOUDPROVIDER_BACKOFF_MODE"),
			cloudProviderBackoff: bare("CLOUDPROVIDER_BACKOFF"),
			cloudProviderBackoffRetries: bare("CLOUDPROVIDER_BACKOFF_RETRIES"),
			cloudProviderBackoffExponent: bare("CLOUDPROVIDER_BACKOFF_EXPONENT"),
			cloudProviderBackoffDuration: bare("CLOUDPROVIDER_BACKOFF_DURATION"),
			cloudProviderBackoffJitter: bare("CLOUDPROVIDER_BACKOFF_JITTER"),
			cloudProviderRateLimit: bare("CLOUDPROVIDER_RATELIMIT"),
			cloudProviderRateLimitQPS: bare("CLOUDPROVIDER_RATELIMIT_QPS"),
			cloudProviderRateLimitBucket: bare("CLOUDPROVIDER_RATELIMIT_BUCKET"),
			cloudProviderRateLimitQPSWrite: bare("CLOUDPROVIDER_RATELIMIT_QPS_WRITE"),
			cloudProviderRateLimitBucketWrite: bare("CLOUDPROVIDER_RATELIMIT_BUCKET_WRITE"),
			useManagedIdentityExtension: bare("USE_MANAGED_IDENTITY_EXTENSION"),
			userAssignedIdentityID: text("USER_ASSIGNED_IDENTITY_ID"),
			useInstanceMetadata: bare("USE_INSTANCE_METADATA"),
			loadBalancerSku: text("LOAD_BALANCER_SKU"),
			disableOutboundSNAT: bare("LOAD_BALANCER_DISABLE_OUTBOUND_SNAT"),
			excludeMasterFromStandardLB: bare("EXCLUDE_MASTER_FROM_STANDARD_LB"),
			providerVaultName: text("KMS_PROVIDER_VAULT_NAME"),
			maximumLoadBalancerRuleCount: bare("MAXIMUM_LOADBALANCER_RULE_COUNT"),
			providerKeyName: "k8s",
			providerKeyVersion: ""
		}
		| if .cloudProviderBackoffMode == "v2" then del(.cloudProviderBackoffExponent, .cloudProviderBackoffJitter) else . end
		| with_entries(select(.value != null))'
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
