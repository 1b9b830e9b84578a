//! Azure rejected or throttled the request: error codes of Azure Resource Manager and its providers.

use super::Publisher::{Autoscaler, CloudProviderAzure, GitHub, Karpenter, KarpenterAzure, Kubernetes, Learn};
use super::{Failure, Layer, OTHER_PROVIDERS, check};

const fn row(reason: &'static str) -> Failure {
    super::failure(Layer::Request, reason)
}

const NO_CAPACITY: &str = "Azure has no free capacity for this VM size in this region or zone at the moment";
const OTHER_SIZE: &str = "The pool allows one size or zone only: allow more sizes and zones";

pub(super) static FAILURES: &[Failure] = &[
    row("SpotQuotaExceeded")
        .source(KarpenterAzure, "pkg/providers/instance/offerings/commonerrorhandlers.go")
        .since("0.3.0")
        .cause("The quota of Spot (low-priority) cores of the subscription in this region is used up")
        .any(&["lowprioritycores quota", "approved lowprioritycores", "low priority cores quota", "spot cores quota", "lowpriorityquota", "vcpu quota for spot"])
        .checks(&[check::USAGE]),
    row("RegionalCoresQuotaExceeded")
        .source(Autoscaler, "cluster-autoscaler/cloudprovider/azure/azure_agent_pool.go")
        .cause("The quota of all cores of the subscription in this region is used up")
        .any(&[
            "approved total regional cores quota",
            "total regional cores quota",
            "regional capacity limit for your subscription has been reached",
            "total regional vcpus",
        ])
        .checks(&[check::USAGE]),
    row("CoresQuotaExceeded")
        .source(GitHub, "Azure/karpenter-provider-azure/issues/192")
        .cause("The quota of cores of this VM family, or in the region, is used up")
        .any(&[
            "operation results in exceeding quota limits of core",
            "exceeding quota limits of core",
            "subscriptionquotareached",
            "subscription level",
            "family cores quota",
            "insufficient regional vcpu quota",
        ])
        .azure(&[
            "operation results in exceeding quota limits of",
            "exceeding quota limit of",
            "vcpu quota limit for subscription",
            "deployment model: resource manager, location: ",
            "vcpu quota for",
            "exceeding approved",
            "insufficientvcpuquota",
            "insufficient vcpu quota", "insufficient regional vcpu quota"])
        .near(&["operationnotallowed"], &["quota"])
        // In any language: `standardDSv3Family`.
        .near(&["quotaexceeded"], &["family"])
        .on_azure()
        .checks(&[check::USAGE]),
    row("PublicIpQuotaExceeded")
        .source(Learn, "troubleshoot/azure/azure-kubernetes/create-upgrade-delete/publicipcountlimitreached-error")
        .cause("The quota of public IP addresses of the subscription is used up")
        .any(&["cannot create more than", "publicipprefixcountlimit"])
        .azure(&["public ip addresses for this subscription", "publicipaddresscountlimitreached", "publicipcountlimitreached"])
        .on_azure()
        .checks(&["See usage and limits: `az network list-usages --location LOCATION -o table`"]),
    row("ResourceQuotaExceeded")
        .source(Learn, "azure/azure-resource-manager/troubleshooting/error-resource-quota")
        .cause("A quota of the subscription is used up")
        .any(&["quotaexceeded", "resourcequotaexceeded", "exceeds the quota", "quota limit exceeded", "resourcecountexceedslimit", "skuquotaexceeded", "quotaexceedederror"])
        .on_azure()
        .checks(&[check::USAGE]),
    row("ZonalAllocationFailed")
        .source(KarpenterAzure, "pkg/providers/instance/offerings/commonerrorhandlers.go")
        .cause("Azure has no free capacity for this VM size in this zone at the moment")
        .any(&[
            "zonalallocationfailed",
            "overconstrainedzonalallocationrequest",
            "do not have sufficient capacity for the requested vm size in this zone",
            "unable to allocate resources in the selected zone", "zonalallocationfailure", "overconstrainedzonalallocationfailure"])
        .or(&["The requirements are too narrow together (zone, size, ephemeral disk, accelerated networking): relax one", OTHER_SIZE])
        .reported_by(&["AllocationFailed", "InsufficientCapacity", "VmCreationRefused"])
        .checks(&[check::SKUS, check::ACTIVITY]),
    row("OverconstrainedAllocation")
        .source(KarpenterAzure, "pkg/providers/instance/offerings/commonerrorhandlers.go")
        .since("1.4.0")
        .cause("No host satisfies all requirements of the VM (size, zone, ephemeral disk, networking, proximity group): relax one")
        .any(&[
            "overconstrainedallocationrequest",
            "proximityplacementgroupallocationfailed",
            "capacityreservationgroupallocationfailed",
            "because the condition is too restrictive",
            "unable to allocate resources with constraints", "overconstrainedallocationfailure"])
        .azure(&["unable to allocate resources with constraint"])
        .reported_by(&["AllocationFailed", "InsufficientCapacity", "VmCreationRefused"])
        .or(&[NO_CAPACITY])
        .checks(&[check::SKUS, check::ACTIVITY]),
    row("SpotCapacityUnavailable")
        .source(Learn, "azure/virtual-machines/error-codes-spot")
        .cause("Azure has no Spot capacity for this VM size at the moment, or its price is above the limit")
        .any(&[
            "low-priority vms",
            "spotcapacity",
            "spot vms are not",
            "spot capacity",
            "bid price", "spot max price", "the specified max price",
        ])
        .on_azure()
        .or(&[OTHER_SIZE])
        .azure(&["maxpricecannotbemet"])
        .checks(&[check::SKUS]),
    row("SkuNotAvailable")
        .source(Learn, "azure/azure-resource-manager/troubleshooting/error-sku-not-available")
        .cause("The VM size is not available in this region or zone, or not for this subscription")
        .any(&[
            "requested size for resource",
            "is not supported in location",
            "the requested vm size is not available",
            "is not available in location",
            "is not available in zone",
            "invalidavailabilityzone",
            "no available vm sku",
        ])
        .azure(&[
            "the supported zones for location",
            "azureskunotavailable", "requested sku is unavailable", "the requested vm size", "is not available in the current region", "is not allowed in your subscription in location", "skunotavailable", "is currently not available in location", "resourcetypenotsupportavailabilityzones", "does not support availability zones at location", "may not be available in the existing allocation unit", "notavailableforsubscription", "availabilityzonenotsupported", "vmsizenotsupported", "could not find a suitable vm size", "the available vm sizes are", "is not supported for subscription"])
        .on_azure()
        .or(&["The size has no capacity for this subscription at the moment"])
        .near(&["because the requested size"], &["is not available in the cluster where"])
        // Of Cluster API.
        .near(&["resource sku with name", "skunotfound"], &["not found in location", "failed to get vm sku", "failed to initialize"])
        .near(&["availability zone "], &["is not available for vm type"])
        .near(&["unable to create the vm", "unable to resize the vm"], &["the requested size"])
        .unless(&["do not have sufficient capacity for the requested vm size"])
        .checks(&[check::SKUS]),
    row("AllocationFailed")
        .source(Learn, "troubleshoot/azure/virtual-machines/windows/allocation-failure")
        .cause(NO_CAPACITY)
        // The JavaScript engine V8 ends with the other one.
        .unless(&["cidr allocation failed", "allocation failed - javascript heap"])
        .any(&[
            "allocationfailed",
            "allocation failed",
            "allocationfailure",
            "do not have sufficient capacity for the requested vm size",
            "insufficientcapacityerror",
            "unfulfillablecapacity",
            "sufficient capacity for the requested vm",
        ])
        .azure(&["we do not have sufficient capacity", "unable to allocate resources with selected vm size", "vm allocation failed due to an internal error", "unable to allocate resources in all zones with"])
        .on_azure()
        .or(&[OTHER_SIZE])
        .checks(&[check::SKUS, check::ACTIVITY]),
    row("InsufficientCapacity")
        .source(KarpenterAzure, "pkg/cloudprovider/cloudprovider.go")
        .cause(NO_CAPACITY)
        .any(&["insufficient capacity", "insufficientcapacity", "all requested instance types were unavailable"])
        .on_azure()
        .or(&["Every size and zone that the NodePool allows is marked as unavailable after a quota or capacity error"])
        .checks(&[check::NODE_CLAIM, check::KARPENTER_LOG, check::SKUS]),
    row("SubnetIsFull")
        .source(Learn, "troubleshoot/azure/azure-kubernetes/create-upgrade-delete/error-code-subnetisfull-upgrade")
        .cause("The subnet has no free IP addresses left for the node and its pods")
        .any(&[
            "does not have enough capacity for",
            "exceeds ips",
            "subnetwithexternalresourcesisfull",
            "subnet is full",
            "notenoughips",
            "insufficient subnet size",
            "no available ip addresses in subnet",
        ])
        .azure(&["subnetisfull", "insufficientsubnetsize", "exceeds ips available", "podsubnetisfull"])
        // Of the addresses of pods.
        .unless(&["subnet is full, no ip"])
        .on_azure()
        .or(&["Each node reserves an address for every pod (max pods with Azure CNI): lower max pods or take a larger subnet"])
        .checks(&[check::SUBNET]),
    row("TooManyIpConfigurations")
        .source(GitHub, "Azure/aks-engine/issues/1741")
        .cause("A node would have more IP addresses than Azure allows for a VM or interface (256): lower max pods")
        .azure(&["secondaryipconfigurationcountpervmss", "the total number of secondary ipconfigurations"])
        .reported_by(&["InvalidParameter"])
        .checks(&["See max pods: `az aks nodepool list -g GROUP --cluster-name CLUSTER --query \"[].{name:name,maxPods:maxPods}\" -o table`"]),
    row("SubnetNotUsable")
        .source(Learn, "troubleshoot/azure/azure-kubernetes/create-upgrade-delete/subnetwithexternalresourcescannotbeusedbyotherresources-error")
        .cause("The subnet cannot be used: it does not exist, is delegated to another service, or belongs to another network or region")
        .any(&[
            "subnetnotfound",
            "invalidresourcereference",
            "subnetdelegat",
            "subnet delegat",
            "subnetwithdelegation",
            "subnetmissingrequireddelegation",
            "applicationgatewaysubnetcannotbeused",
        ])
        .azure(&["subnetisdelegated", "subnetwithexternalresourcescannotbeusedbyotherresources", "as it is delegated to", "since it has external resources", "virtualnetworknotfound", "vnetnotfound", "subnetdoesnotsupport", "vnetsubnetidinvalid", "subnetsnotinsamevnet", "is not valid in virtual network", "does not have subnet defined"])
        .on_azure()
        .checks(&[check::SUBNET]),
    row("RequestDisallowedByPolicy")
        .source(Learn, "azure/azure-resource-manager/troubleshooting/error-policy-requestdisallowedbypolicy")
        .cause("An Azure Policy denies the resource: the assignment in the message names the rule")
        .any(&[
            "was disallowed by one or more policies",
            "disallowed by azure policy",
            "policyviolation",
            "ambiguouspolicyevaluationpaths",
            "reasons: 'policy",
        ])
        .azure(&["requestdisallowedbypolicy", "was disallowed by policy"])
        .on_azure()
        .checks(&[check::POLICY]),
    row("RequestDisallowedByAzure")
        .source(GitHub, "microsoft/microsoft-foundry-for-vscode/issues/406")
        .cause("Azure allows this subscription only some regions: the system policy `sys.regionrestriction` denies the region of the node pool")
        .azure(&["requestdisallowedbyazure", "was disallowed by azure: this policy", "set of best available regions where your subscription"])
        .checks(&["See the allowed regions: `az policy assignment list --query \"[?name=='sys.regionrestriction'].parameters\" -o json`"]),
    row("LinkedAuthorizationFailed")
        .source(GitHub, "Azure/OpenShift/issues/41")
        .cause("The identity may act on the node, but lacks a right on a linked resource (subnet, route table, image, identity, disk encryption set)")
        .any(&["does not have permission to perform action(s)", "linkedaccesscheckfailed", "is not authorized to access linked subscription", "linkedauthorization"])
        .azure(&["the client has permission to perform action 'microsoft", "linkedauthorizationfailed"])
        .on_azure()
        .checks(&[check::ROLES]),
    row("ScopeLocked")
        .source(Autoscaler, "cluster-autoscaler/cloudprovider/azure/azure_agent_pool.go")
        .cause("A lock on the resource group or resource forbids the change")
        .any(&["scopelocked", "because following scope(s) are locked", "scope(s) are locked"])
        .checks(&[check::LOCKS]),
    row("AuthorizationFailed")
        .source(GitHub, "Azure/azure-service-operator/blob/HEAD/docs/hugo/content/guide/conditions.md")
        .cause("The identity that creates nodes lacks a role on the resource group or resource")
        .any(&[
            "authorizationfailed",
            "authorization_requestdenied",
            "insufficient privileges to complete the operation",
            "does not have permission to perform action",
            "must be given permission to",
            "missingpermission",
        ])
        .azure(&["could not create a role assignment", "does not have permission to perform action 'microsoft", "does not have authorization to perform action", "customprivatednszonemissingpermission", "customroutetablemissingpermission", "customkubeletidentitymissingpermission"])
        .on_azure()
        .near(&["returned an invalid status code", "returned an invalid status"], &["forbidden"])
        .or(&["A role assignment was made a moment ago and is not effective yet"])
        .checks(&[check::ROLES]),
    row("SubscriptionDisabled")
        .source(Learn, "azure/azure-resource-manager/troubleshooting/common-deployment-errors")
        .cause("The subscription is disabled or over its spending limit, and accepts no changes")
        .azure(&["readonlydisabledsubscription", "the subscription is disabled", "subscriptionnotenabled", "is over its spending limit"])
        .checks(&["See its state: `az account show --query state`"]),
    row("ProviderNotRegistered")
        .source(Learn, "azure/azure-resource-manager/troubleshooting/error-register-resource-provider")
        .cause("The subscription is not registered for the resource provider or the preview feature")
        .any(&[
            "is not registered to use namespace",
            "featurenotregistered",
            "not registered for feature",
            "subscriptionnotregistered",
            "operation is not permitted for namespace 'microsoft.",
            "feature is not enabled for this subscription",
            "the subscription is not registered",
            "optindisabled",
            "encryptionathost' feature is not enabled",
            "please see https://aka.ms/aks/previews for how to enable features",
        ])
        .azure(&["noregisteredproviderfound", "no registered resource provider found", "missingregistrationforlocation", "invalidsubscriptionregistrationstate", "missingsubscriptionregistration"])
        .unless(OTHER_PROVIDERS)
        .on_azure()
        .checks(&["List the providers: `az provider list --query \"[?registrationState!='Registered'].namespace\" -o table`"]),
    row("TaintNotAllowed")
        .source(GitHub, "Azure/AKS/issues/2578")
        .cause("AKS does not accept a taint of the pool: it is not valid, or the pool is a system pool, which may only have CriticalAddonsOnly and taints with the effect PreferNoSchedule")
        .azure(&["systempoolhasrestrictedtaint", "cannottaintallagentpools", "placing custom taints on", "taintskeyvalueeffect"])
        .near(&["nodetaints"], &["is invalid", "are invalid", "is not valid"])
        .on_azure()
        .checks(&["See the taints: `az aks nodepool list -g GROUP --cluster-name CLUSTER --query \"[].{name:name,mode:mode,taints:nodeTaints}\"`"]),
    row("SystemPoolRequired")
        .source(GitHub, "Azure/AKS/issues/1602")
        .cause("A cluster needs a system pool with nodes: give another pool the mode System before this one is deleted, changed or left without nodes")
        .azure(&["mustdefineatleastonesystempool", "must define at least one system pool", "there has to be at least one system", "there has to be at least one agent pool", "must be at least one system", "cannotdeletelastsystempool"])
        .checks(&["See the modes: `az aks nodepool list -g GROUP --cluster-name CLUSTER --query \"[].{name:name,mode:mode,count:count}\" -o table`"]),
    row("AdministratorNotAllowed")
        .source(GitHub, "microsoft/bedrock/issues/1452")
        .cause("Azure does not accept the name or the password of the nodes' administrator: the password is too short, too simple or not allowed, or the name is reserved")
        .azure(&["windowsprofilepasswordinvalid", "managedclusterwindowsprofile.admin_", "the admin password specified is not allowed", "the admin username specified is not allowed", "the supplied password must be between"])
        .near(&["adminpassword", "adminusername"], &["is invalid", "is not allowed", "is not valid"])
        .on_azure()
        .checks(&["Set another one: `az aks update -g GROUP -n CLUSTER --windows-admin-password PASSWORD`"]),
    row("TagsNotAllowed")
        .source(GitHub, "coreos/tectonic-installer/issues/596")
        .cause("Azure does not accept the tags of the request: a resource has at most 50, and their names have a length and no reserved characters")
        .azure(&["invalidtagnamecharacters", "invalidtags", "invalidtagname", "invalidtagvaluelength", "tagcountlimitexceeded", "have reserved characters '<,>,%,&,", "toomanytags", "cannot have more than 50 tags"])
        .checks(&["See the tags: `az aks nodepool show -g GROUP --cluster-name CLUSTER -n POOL --query tags`"]),
    row("UltraDisksNotEnabled")
        .source(GitHub, "ansible-collections/azure/issues/1356")
        .cause("Ultra disks cannot be used: the pool or VM was created without them, or its zone or size does not offer them")
        .azure(&["additionalcapabilities.ultrassdenabled", "vmsizenotsupportultrassd", "feature 'ultrassd' can be used only"])
        .checks(&[check::SIZE, "See the pools: `az aks nodepool list -g GROUP --cluster-name CLUSTER --query \"[].{name:name,ultra:enableUltraSsd}\" -o table`"]),
    row("TooManyInterfaces")
        .source(GitHub, "fortinet/fortigate-terraform-deploy/issues/148")
        .cause("The VM size allows fewer network interfaces than the request has")
        .azure(&["niccountexceedsmaxallowed", "networkinterfacecountexceeded"])
        .near(&["the number of network interface"], &["exceeds the maximum allowed for"])
        .on_azure()
        .checks(&[check::SIZE]),
    row("ResourceGroupBeingDeleted")
        .source(Learn, "azure/azure-resource-manager/troubleshooting/common-deployment-errors")
        .cause("The resource group is being deleted with everything in it: wait until it is gone, or use another group")
        .azure(&["resourcegroupbeingdeleted"])
        .near(&["the resource group '"], &["is in deprovisioning state"])
        .checks(&["See its state: `az group show -n NODE_GROUP --query properties.provisioningState`"]),
    row("TokenOfAnotherTenant")
        .source(GitHub, "MicrosoftDocs/azure-docs/blob/HEAD/articles/azure-resource-manager/troubleshooting/common-deployment-errors.md")
        .cause("The login or identity belongs to another tenant than the subscription, which may have been moved between tenants")
        .azure(&["invalidauthenticationtokentenant", "the access token is from the wrong issuer"])
        .checks(&["Compare the tenants: `az account show --query \"{tenant:tenantId,subscription:id}\"`", "Log in to it: `az login --tenant TENANT`"]),
    row("AzNotLoggedIn")
        .source(GitHub, "Azure/azure-cli/blob/HEAD/src/azure-cli-core/azure/cli/core/_profile.py")
        .cause("The login of az has expired, or lacks a second factor or consent: log in again, the cluster and its nodes are not involved")
        // Codes of Microsoft Entra that only a user gets: tokens that were not used or are too old, and second factors.
        .any(&["aadsts700082", "aadsts70043", "aadsts50173", "aadsts50076", "aadsts50078", "aadsts50079", "please run 'az login'", "interactive authentication is needed. please run"])
        .needs(&["aks", "vmss", "nodepool", "node pool", "node_pool", "kubernetes", "karpenter", "az login"])
        .checks(&["Log in again: `az login`", "See who you are: `az account show --query \"{user:user.name,subscription:name}\" -o table`"]),
    row("CredentialsRejected")
        .source(Autoscaler, "cluster-autoscaler/cloudprovider/azure/azure_cache.go")
        .cause("The service principal or identity that creates nodes is rejected: its secret has expired, or it was deleted or is not assigned")
        .any(&[
            "invalidauthenticationtoken",
            "expiredauthenticationtoken",
            "invalid_client",
            "failed to refresh the token",
            "identitynotfound",
            "failedidentityoperation",
            "invalidclientsecret",
        ])
        .azure(&["service principal authorization failure", "serviceprincipalnotfound", "serviceprincipalvalidationclienterror", "aadsts", "azure.bearerauthorizer#withauthorization", "invalidauthenticationtokentenant", "the access token is from the wrong issuer", "invalidauthenticationinfo", "adal: refresh request failed", "adal: failed to execute the refresh request", "workloadidentitycredential authentication failed", "clientsecretcredential authentication failed", "chainedtokencredential: failed to acquire a token", "chainedtokencredential authentication failed", "badrequestorinvalidclientsecret", "azureclicredential", "\"identity not found\"", "managedidentitycredential: ", "defaultazurecredential: ", "clientcertificatecredential authentication failed", "environmentcredential: ", "managedidentitycredential authentication failed", "defaultazurecredential", "userassignedidentitynotfound", "managedidentitynotfound", "failed to connect to msi", "get token request returned http error", "localhost:50342/oauth2/token", "/msi/token", "workloadidentitycredential: ", "azurepipelinescredential: ", "aka.ms/aks-sp-help"])
        .near(
            &["login.microsoftonline.com", "login.windows.net"],
            &["401 unauthorized", "failed with 401", "statuscode=401", "400 bad request", "statuscode=400"],
        )
        .unless(&["kubelet identity token", "redirect uri"])
        .on_azure()
        .checks(&["See the identity: `az aks show -g GROUP -n CLUSTER --query \"{sp:servicePrincipalProfile,identity:identity}\"`"]),
    row("TooManyRequests")
        .source(GitHub, "kubernetes-sigs/azuredisk-csi-driver/blob/HEAD/pkg/azureutils/azure_disk_utils.go")
        .cause("Azure throttles the subscription: too many calls in a short time")
        .any(&[
            "toomanyrequests",
            "operationthrottled",
            "number of write requests for subscription",
            "number of read requests for subscription",
            "x-ms-ratelimit",
            "client throttled",
            "cloud provider rate limited",
            "azure cloud provider rate limited",
            "requests are throttled",
            "resource collection requests per",
            "callratelimit",
            "subcode: throttled",
            "code=\"throttled\"",
            "\"code\":\"throttled\"",
            "\"code\": \"throttled\"",
            "request limit has been exceeded for subid",
            "retrylater",
        ])
        .azure(&[
            "subscriptionrequeststhrottled",
            "requests for subscription '",
            "highcostget",
            "too many requests have been received for this subscription",
            "operationgroup\":\"highcost", "more seconds, waiting for throttling complete", "is throttled, would return the cached instances"])
        .near(
            &["statuscode=429", "httpstatuscode: 429", "response 429", "status code 429", "http 429", "statuscode: 429"],
            &["azure", "microsoft", "management.azure.com", "original error", "rawerror", "retryafter", "virtualmachine", "vmss", "too many"],
        )
        .on_azure()
        .or(&["A controller or a script calls the API of Compute in a loop"])
        .checks(&[check::ACTIVITY]),
    row("CustomDataTooLong")
        .source(Learn, "azure/virtual-machines/custom-data")
        .cause("CustomData is longer than Azure allows: 87,380 characters of base64")
        .any(&["custom data in osprofile must be in base64 encoding", "customdata must be in base64"])
        .near(
            &["customdata", "custom data", "userdata"],
            &["is too long", "too long", "exceeds the maximum", "exceeds the limit", "too large", "maximum length", "max length"],
        )
        .or(&["CustomData is not base64"])
        .checks(&["See the largest parts: `aks-node-controller generate --config FILE --format json | jq .size`"]),
    row("MarketplaceTermsNotAccepted")
        .source(Learn, "troubleshoot/azure/virtual-machines/windows/error-messages")
        .cause("The terms of the image's marketplace plan are not accepted for this subscription, or the request lacks the plan")
        .azure(&[
            "resourcepurchasevalidationfailed",
            "marketplacepurchaseeligibilityfailed",
            "vmmarketplaceinvalidinput",
            "you have not accepted the legal terms",
            "you need to accept the legal terms",
            "user failed validation to purchase resources",
            "requires plan information in the request",
            "the purchase information does not match",
            "cannot be purchased due to validation errors",
        ])
        .checks(&["Accept the terms: `az vm image terms accept --urn PUBLISHER:OFFER:PLAN:VERSION`", check::ACTIVITY]),
    row("StorageAccountNotUsable")
        .source(Learn, "troubleshoot/azure/virtual-machines/windows/error-messages")
        .cause("The storage account that the request names, for boot diagnostics or disks, does not exist, has another type or region, or is overloaded")
        .azure(&[
            "storageaccountlimitation",
            "storageaccountlocationmismatch",
            "storageaccountnotfound",
            "storageaccountnotrecognized",
            "storageaccountoperationinternalerror",
            "storageaccountsubscriptionmismatch",
            "storageaccounttoobusy",
            "storageaccounttypenotsupported",
            "could not resolve storage account",
            "ensure storage account is not deleted",
            "boot diagnostics supports",
            "does not support page blobs which are required to create disks",
        ])
        .near(&["storage account '"], &["has exceeded its allocated quota", "is too busy currently"])
        .checks(&["List the accounts: `az storage account list -g NODE_GROUP -o table`", check::ACTIVITY]),
    row("DiskKindMismatch")
        .source(Learn, "troubleshoot/azure/virtual-machines/windows/error-messages")
        .cause("Managed disks and unmanaged disks (VHD blobs) cannot be combined in one VM, availability set or image")
        .azure(&[
            "with managed disks to non-managed availability set",
            "to a vm with blob based disks is not supported",
            "to vm with managed disks is not supported",
            "cannot have blob based disks",
            "managed disks are not supported in this region",
            "is not supported on resource with managed disks",
        ])
        .checks(&["See the disks: `az disk list -g NODE_GROUP -o table`", check::ACTIVITY]),
    row("DiskSourceNotUsable")
        .source(Learn, "troubleshoot/azure/virtual-machines/windows/error-messages")
        .cause("A disk cannot be created from its source: the image, VHD or snapshot does not exist, is in use, or is not ready")
        .azure(&[
            "diskimagenotready",
            "diskblobnotfound",
            "imageblobnotfound",
            "unable to find vhd blob with uri",
            "acquirediskleasefailed",
            "failed to acquire lease while creating disk",
            "containeralreadyonlease",
            "diskblobalreadyinusebyanotherdisk",
            "targetdiskblobalreadyexists",
            "incorrectdiskblobtype",
            "incorrectimageblobtype",
            "diskprocessingerror",
            "diskpreparationerror",
            "vhdsizeinvalid", "disk processing halted as the vm has other disks", "until image has been successfully created"])
        .checks(&["See the disks: `az disk list -g NODE_GROUP -o table`", check::ACTIVITY]),
    row("ImageDoesNotFit")
        .source(KarpenterAzure, "pkg/providers/imagefamily/resolver.go")
        .cause("Karpenter has no image for the VM size: the image family of the AKSNodeClass has none of its architecture or generation, or the list of images is empty")
        .azure(&["no compatible images found for instance type", "no images exist for the given constraints", "no distro found for image id"])
        .checks(&["See the images: `kubectl get aksnodeclass NAME -o jsonpath=\"{.status.images}\"`", check::KARPENTER_LOG]),
    row("ImageNotFound")
        .source(Learn, "azure/azure-resource-manager/troubleshooting/error-not-found")
        .cause("The node image does not exist in this region, was deleted, or the identity may not read the gallery")
        .any(&[
            "imagenotfound",
            "galleryimageversion",
            "imageversionnotfound",
            "the platform image",
            "verify that all fields in the storage profile are correct",
            "no node image version found",
            "image version was not found",
            "invalidgalleryimage",
            "imagesnotready",
            "getting vm image failed",
        ])
        .azure(&[ "galleryimagenotfound", "platformimagenotfound", "subscriptionnotauthorizedforimage", "imageversiondeprecated", "image version is deprecated", "imagedeprecated", "please verify that all fields in the storage profile are correct", "invalidimagereference"])
        .near(
            &["galleries/", "/images/", "communitygalleries"],
            &["not found", "notfound", "was not found", "does not exist"],
        )
        .on_azure()
        .near(&["vm image", "virtual machine image", "image version", "platform image", "the platform image"], &["has been deprecated", "was deprecated", "is deprecated", "is not available. verify"])
        .checks(&["List the versions: `az sig image-version list-community --public-gallery-name GALLERY --gallery-image-definition DEFINITION --location LOCATION -o table`"]),
    row("GenerationMismatch")
        .source(Learn, "azure/virtual-machines/generation-2")
        .cause("The VM size does not support this image: hypervisor generation, architecture, security type or disk controller differ")
        .any(&[
            "hypervisorgeneration",
            "hypervisor generation",
            "cpu architecture",
            "diskcontrollertype",
            "securitytype' of vm",
            "trustedlaunch",
            "does not support trusted launch",
            "os disk of ephemeral vm with size greater than",
            "ephemeral os disk",
            "ephemeralosdisk",
            "does not support acceleratednetworking",
            "acceleratednetworkingnotsupportedon",
            "vmsizenotsupportultrassd",
            "does not support encryption at host",
            "premium storage",
        ])
        .azure(&["is not supported for vm type", "when securityencryptiontype is set", "select a different vm size", "cannot boot hypervisor generation", "cannot boot with os image or disk", "disk controller types supported by", "vmsizedoesntsupport", "vmsizedoesnotsupportencryptionathost"])
        .on_azure()
        .checks(&[check::SIZE]),
    row("DiskKeyForbidden")
        .source(GitHub, "MicrosoftDocs/azure-docs/issues/96319")
        .cause("The disk encryption set may not use its key in the key vault, or the key is disabled or was deleted")
        .azure(&["keyvaultaccessforbidden", "unable to access key vault resource", "keyvaultkeynotfound", "keyvaultandencryptionset", "keyvaultsecretdoesnotexist", "diskencryptionkeysecretunwrapfailed", "diskencryptionkeysecretmissingtags", "keyvaultkeydisabled", "keyvaultkeyexpired", "keyvaultnotfound", "diskencryptionsetkey"])
        .checks(&["See its key and identity: `az disk-encryption-set show --ids DISK_ENCRYPTION_SET_ID`", check::ACTIVITY]),
    row("ResourceInUse")
        .source(GitHub, "MicrosoftDocs/SupportArticles-docs/blob/HEAD/support/azure/azure-kubernetes/create-upgrade-delete/cannot-delete-load-balancer-private-link-service.md")
        .cause("A resource cannot be changed or deleted because another one uses it")
        .azure(&[
            "networksecuritygroupinuseby",
            "loadbalancerinusebyvirtualmachinescaleset",
            "inusenetworksecuritygroupcannotbedeleted",
            "inuseroutetablecannotbedeleted",
            "inusesubnetcannotbedeleted",
            "inusesubnetcannotbeupdated",
            "cannotdeleteloadbalancerwithprivatelinkservice",
            "publicipaddressinuse",
            "publicipaddresscannotbedeleted",
            "nicinuse",
            "natgatewayinuse", "inusebyanotherresource", "is already owned by vm", "before deleting an availability set", "is currently using the image", "are being provisioned using the image", "privateendpointconnectionscannotbedeleted", "has private endpoint connections", "allocatedipinuse", "inusepublicipaddress", "dnsrecordinuse", "is already used by another public ip", "is reserved for another virtual machine", "nicreservedforanothervm", "are in use by virtual machine scale set", "since it is in use by virtual machine scale set", "inusebyvirtualmachinescaleset", "privatelinkservicewithprivateendpointconnections", "cannotdeleteloadbalancerwithprivatelinkservice"])
        .checks(&[check::ACTIVITY]),
    row("EphemeralDiskDoesNotFit")
        .source(GitHub, "Azure/AKS/issues/2672")
        .cause("No cache or temporary disk of the VM size is large enough for the ephemeral OS disk")
        .azure(&["vmcachesizetoosmall", "but the os disk requires", "os disk of ephemeral vm with size", "ephemeral os disk is not supported", "can not support ephemeral os disk", "n't support ephemeral os disk", "not support ephemeral os disk", "os ephemeral disk is not supported"])
        .near(&["ephemeral os"], &["not supported", "is not allowed", "does not support", "larger than"])
        .on_azure()
        .checks(&[check::SIZE]),
    row("ReferencedResourceMissing")
        .source(GitHub, "andyzhangx/demo/issues/5")
        .cause("A resource that the request refers to does not exist, or is in another region: load balancer, subnet, image or identity")
        .azure(&["please make sure that the referenced resource exists"])
        .checks(&[check::ACTIVITY, "See what the scale set refers to: `az vmss show -g NODE_GROUP -n SCALE_SET`"]),
    row("OutboundPortsExhausted")
        .source(Learn, "troubleshoot/azure/azure-kubernetes/create-upgrade-delete/invalidloadbalancerprofileallocatedoutboundports-error")
        .cause("The load balancer has no outbound ports left for another node")
        .any(&[
            "snat ports",
            "loadbalancerbackendaddresspoolsize",
            "sum of outbound ports",
            "outboundports",
            "maxbackendsperloadbalancer",
            "allocated outbound ports",
            "loadbalancingoutboundrule",
        ])
        .azure(&["invalidloadbalancerprofileallocatedoutboundports", "load balancer profile allocated ports", "rulesuseexceedingports"])
        .on_azure()
        .checks(&["See the outbound profile: `az aks show -g GROUP -n CLUSTER --query networkProfile.loadBalancerProfile`"]),
    row("ReferencedResourceFailed")
        .source(GitHub, "kubernetes/autoscaler/issues/2623")
        .symptom("A resource that the request uses is in a failed state, because an earlier operation on it failed: repair or update it first")
        .near(&["is not in succeeded state"], &["resource is in failed state"])
        .checks(&[check::ACTIVITY]),
    row("ResourceBeingChanged")
        .source(Learn, "troubleshoot/azure/virtual-machines/windows/error-messages")
        .symptom("Another operation changes the cluster, scale set or network at the same time")
        .any(&[
            "notinsucceededstate",
            "referencedresourcenotprovisioned",
            "anotheroperationinprogress",
            "is in progress on this",
            "operationpreempted",
            "operation was preempted",
            "preempted by a more recent operation",
            "operationnotallowed: another operation",
            "another operation is in progress",
            "inusesubnetcannotbe",
            "concurrencyconflict",
            "conflictingconcurrentwritenotallowed",
            "etagmismatch",
            "managedclusteragentpool is being",
            "there is an in progress",
            "operationnotallowedonvmssmarkedfordelete",
            "preconditionfailed",
            "since another operation is in progress",
            "is in updating state",
            "another operation on this or dependent resource",
        ])
        .azure(&["is not allowed because there's an in progress", "is not allowed because there is an in progress", "due to conflict with a concurrent request", "resourcegroupbeingdeleted", "cannot proceed with operation because resource", "needs to be in succeeded state", "another agentpool operation", "operation is not allowed: another", "not allowed while cluster is being upgrad", "resourceupdateblockedonplatformupdate", "deploymentactiveanduneditable", "unable to edit or replace deployment", "an ongoing operation is changing power state", "virtualnetworknotinsucceededstate", "operationnotallowed: an update is in progress", "canceledandsupersededduetoanotheroperation", "was canceled and superseded by operation", "retryableerrorduetoanotheroperation", "setvnetownershipfailed", "due to ongoing platform update", "has been preempted by another operation", "preempted by deleting operation", "insucceededstate", "modelupdateconflict", "is under initialization, skipping increasesize", "deploymentactive", "would overwrite an existing deployment which is still active", "is in provisioning state(starting)", "is in provisioning state(stopping)", "is in provisioning state(updating)", "is in provisioning state(upgrading)", "is in provisioning state(scaling)", "is in provisioning state(creating)", "is in provisioning state(deleting)", "is in provisioning state(canceling)"])
        .near(&["in progress"], &["operation is not allowed", "operationnotallowed", "before starting a new operation", "operation-abort", "wait for it to finish"])
        .on_azure()
        .checks(&[check::ACTIVITY]),
    row("RunCommandBusy")
        .source(Learn, "azure/virtual-machines/linux/run-command")
        .symptom("Another run command still runs on the VM, which runs one at a time, each for at most 90 minutes: repeat yours later")
        .any(&["run command extension execution is in progress"])
        .checks(&[check::INSTANCE]),
    row("KubernetesVersionNotAllowed")
        .source(GitHub, "MicrosoftDocs/SupportArticles-docs/blob/HEAD/support/azure/azure-kubernetes/error-codes/upgradefailed-error.md")
        .cause("The Kubernetes version is not offered in this region, or too far from the version of the cluster")
        .azure(&["k8sversionnotsupported", "nodepoolmcversionincompatible", "version is not supported in this region", "agentpoolk8sversionnotsupported", "agentpoolupgradeversionnotallowed", "upgrading kubernetes version", "which is not supported in this region", "notallagentpoolorchestratorversionspecifiedandunchanged", "operationnotallowedonkubernetesminorversion", "are incompatible. minor version of node pool", "is bigger than control plane version", "only available for long-term support (lts)"])
        .near(&["node pool version", "agent pool version", "upgrading agent pool"], &["control plane version", "is not allowed"])
        .near(&["kubernetes version", "orchestrator version"], &["is not supported in this region"])
        // What its messages end with, whatever the code.
        .any(&["please use [az aks get-versions] command", "the selected orchestrator version is not supported"])
        // Terraform's own check.
        .near(&["the kubernetes/orchestrator version"], &["is not available for "])
        .checks(&["List the versions: `az aks get-versions --location LOCATION -o table`"]),
    row("TooManyDataDisks")
        .source(Learn, "troubleshoot/azure/virtual-machines/windows/error-messages")
        .cause("The VM size accepts no more data disks")
        .azure(&["the maximum number of data disks allowed to be attached to a vm of this size"])
        .checks(&[check::SIZE]),
    row("OutboundMissing")
        .source(GitHub, "jenkins-infra/azure/pull/715")
        .cause("No outbound connection is configured for the nodes: their subnet has no NAT gateway, route table, load balancer or public IP address")
        .azure(&[
            "outboundconnectivitynotenabledonvm",
            "no outbound connectivity configured for virtual machine",
            "subnetnotassociatedwithnatgateway",
            "must have a nat gateway associated",
            "existingroutetablenotassociatedwithsubnet",
            "existing route table was not associated with subnet",
            "existing route table has not been associated with subnet",
        ])
        .checks(&["See the outbound type: `az aks show -g GROUP -n CLUSTER --query networkProfile.outboundType`", check::SUBNET]),
    row("RegionRestricted")
        .source(GitHub, "MicrosoftDocs/SupportArticles-docs/blob/HEAD/support/azure/azure-kubernetes/error-codes/akscapacityheavyusage-error.md")
        .cause("The region accepts no new resources of this kind at the moment, or not for this subscription")
        .azure(&[
            "sku is not supported in this region",
            "regiondoesnotallowprovisioning",
            "is not accepting creation of new",
            "akscapacityheavyusage",
            "akscapacityerror",
            "aks is currently experiencing heavy usage",
            "experiencing capacity constraints",
            "locationnotavailableforresourcetype",
            "location is not available for resource type",
            "locationnotavailablefordeployment",
        ])
        .or(&["The location is misspelled"])
        .checks(&["List the regions of the subscription: `az account list-locations -o table`", check::USAGE]),
    row("DeploymentHistoryFull")
        .source(GitHub, "MicrosoftDocs/azure-docs/blob/HEAD/articles/azure-resource-manager/troubleshooting/common-deployment-errors.md")
        .cause("The history of the resource group has the most deployments that Azure keeps (800): delete old ones")
        .azure(&["deploymentquotaexceeded", "please delete some deployments before creating a new one"])
        .checks(&["Count them: `az deployment group list -g NODE_GROUP --query \"length(@)\"`"]),
    row("AddressConflict")
        .source(GitHub, "MicrosoftDocs/SupportArticles-docs/blob/HEAD/support/azure/azure-kubernetes/error-codes/servicecidroverlapexistingsubnetscidr-error.md")
        .cause("An address or range of the request is already in use, overlaps another range, or does not belong to the subnet")
        .azure(&[
            "privateipaddressinuse",
            "is already allocated to resource /subscriptions/",
            "privateipaddressnotinsubnet",
            "privateipaddressinreservedrange",
            "privateipaddressnotinanysubnet",
            "servicecidroverlapexistingsubnetscidr",
            "is conflicted with an existing subnet cidr",
            "dnsserviceipoutofservicecidr",
            "netcfgsubnetrangesoverlap",
            "netcfginvalidsubnet",
            "subnetrangesoverlap",
            "podcidroverlap",
            "networkprofilecidroverlap",
            "overlaps with reserved vnet cidr",
            "specified service cidr",
            "which is already allocated to resource",
            "does not belong to the range of subnet prefix",
            "ipconfigurationsnotinsamesubnet",
        ])
        .checks(&[check::SUBNET, "See the ranges: `az aks show -g GROUP -n CLUSTER --query networkProfile`"]),
    row("SubscriptionNotFound")
        .source(GitHub, "MicrosoftDocs/azure-docs/blob/HEAD/articles/azure-resource-manager/troubleshooting/common-deployment-errors.md")
        .cause("The subscription does not exist, or the identity that creates nodes cannot see it")
        .azure(&["subscriptionnotfound", "missingsubscription\"", "did not have a subscription or a valid tenant level resource provider", "invalidsubscriptionid", "unexpected response from get subscription", "doesn't exist in cloud 'azure", "no subscriptions found for", "run 'az account set' to select"])
        .checks(&["List the subscriptions: `az account list -o table`", check::ROLES]),
    row("CapacityReservationNotUsable")
        .source(Learn, "azure/aks/use-capacity-reservation-groups")
        .cause("The capacity reservation group does not exist, does not fit the VM size and zone, or has no free capacity left")
        .azure(&["capacityreservationgroupnotfound", "capacityreservationnotfound"])
        .near(
            &["capacity reservation", "capacityreservation"],
            &["not found", "does not exist", "does not have", "insufficient", "fully used", "not enough", "exceed", "cannot", "failed", "no matching", "does not match", "not associated"],
        )
        .reported_by(&["SkuNotAvailable", "AllocationFailed", "InsufficientCapacity"])
        .on_azure()
        .checks(&["See it: `az capacity reservation list -g GROUP -c RESERVATION_GROUP -o table`"]),
    row("MachineMustBeStopped")
        .source(GitHub, "Azure/AKS/issues/3844")
        .cause("Azure changes this only while the VM or the scale set is stopped (deallocated), which nodes of a pool are not: the message names the disk or the property")
        .azure(&["requires the vmss to be stopped", "requires the vm to be stopped"])
        .checks(&["See the disks of the instances: `az vmss show -g NODE_GROUP -n SCALE_SET --instance-id ID --query storageProfile.dataDisks`", check::ACTIVITY]),
    row("PoolIsNoScaleSet")
        .source(GitHub, "MicrosoftDocs/azure-docs/issues/24942")
        .cause("The nodes of the cluster are in an availability set: pools are added, changed and scaled one by one only on clusters with scale sets")
        .azure(&["agentpoolapisnotsupported", "agentpool apis supported only"])
        .checks(&["See the types of the pools: `az aks show -g GROUP -n CLUSTER --query \"agentPoolProfiles[].{name:name,type:type}\" -o table`"]),
    row("AutoscaleSettingRefused")
        .source(GitHub, "hashicorp/terraform-provider-azurerm/blob/HEAD/internal/services/monitor/monitor_autoscale_setting_resource.go")
        .cause("Azure Monitor rejects an autoscale setting: a count, a metric or its target does not suit. The nodes of a pool are scaled by the autoscaler of the cluster instead")
        .near(&["creating autoscale setting", "updating autoscale setting", "autoscale setting name: ", "insights/autoscalesettings"], &["badrequest", "bad request", "unexpected status 400", "statuscode=400", "invalid"])
        .needs(&["vmss", "aks", "agentpool", "node pool", "nodepool"])
        .on_azure()
        .checks(&["List the settings: `az monitor autoscale list -g NODE_GROUP -o table`", "See how the pool is scaled: `az aks nodepool show -g GROUP --cluster-name CLUSTER -n POOL --query \"{auto:enableAutoScaling,min:minCount,max:maxCount}\"`"]),
    row("ResourceAlreadyExists")
        .source(GitHub, "hashicorp/terraform-provider-azurerm/blob/HEAD/internal/tf/errors.go")
        .cause("A resource with this name already exists, often the disk or interface of an earlier VM: delete it, or take another name")
        .azure(&["only createoption.attach is supported"])
        .near(&["to be managed via terraform this resource needs to be imported"], &["microsoft.containerservice/", "microsoft.compute/", "azurerm_kubernetes_cluster", "azurerm_linux_virtual_machine"])
        .near(&["conflictinguserinput", "resourceexists", "resourcealreadyexists", "(conflict)"], &["already exists"])
        .on_azure()
        .checks(&["List what is left: `az resource list -g NODE_GROUP --query \"[?contains(name,'NAME')].id\" -o tsv`", check::ACTIVITY]),
    row("PropertyChangeNotAllowed")
        .source(GitHub, "Azure/aks-engine/issues/1530")
        .cause("Azure does not allow to change this property of an existing VM, scale set or pool: create a new one with it")
        .azure(&["propertychangenotallowed", "temporary_name_for_rotation` must be specified"])
        .near(&["changing property '"], &["is not allowed"])
        .checks(&[check::ACTIVITY]),
    row("NodeKindUnknown")
        .source(GitHub, "aws/karpenter-provider-aws/issues/7992")
        .cause("The API server does not know the kind of the object, or not in this version: its custom resource definition is not installed, or is older or newer")
        .any(&[
            "no matches for kind \"nodepool\"",
            "no matches for kind \"nodeclaim\"",
            "no matches for kind \"aksnodeclass\"",
            "no matches for kind \"provisioner\" in version \"karpenter",
            "no matches for kind \"azuremachine",
            "no matches for kind \"azuremanaged",
            "no matches for kind \"managedcluster",
            "no matches for karpenter.sh/",
            "from an invalid group/version: karpenter.",
        ])
        .near(
            &["customresourcedefinition \"nodepools.", "customresourcedefinition \"nodeclaims.", "customresourcedefinition \"aksnodeclasses."],
            &["is invalid: "],
        )
        .checks(&["List the definitions: `kubectl get crd | grep -E \"karpenter|cluster.x-k8s.io|azure.com\"`", check::KARPENTER_LOG]),
    row("KarpenterWebhookFails")
        .source(Kubernetes, "staging/src/k8s.io/apiserver/pkg/admission/plugin/webhook/validating/dispatcher.go")
        .cause("The API server cannot call the webhook of Karpenter, so it changes no NodePool or NodeClaim: Karpenter does not run, or the webhook of an earlier version is left")
        .near(&["failed calling webhook", "conversion webhook for", "no endpoints available for service"], &["karpenter"])
        .checks(&["See the webhooks and Karpenter: `kubectl get validatingwebhookconfigurations,mutatingwebhookconfigurations; kubectl get pods -A -l app.kubernetes.io/name=karpenter`", check::KARPENTER_LOG]),
    row("NodeClaimInvalid")
        .source(Karpenter, "pkg/apis/v1/nodepool_validation.go")
        .cause("The API server rejects the NodeClaim or NodePool: a requirement or label of the NodePool or of a pod is not allowed")
        .near(
            &["nodeclaim \"", "nodeclaim.karpenter.sh \"", "nodepool \"", "nodepool.karpenter.sh \"", "nodeclaims.karpenter.sh \"", "nodepools.karpenter.sh \""],
            &["is invalid: ", "\" is restricted", "could not be patched: "],
        )
        .near(&["admission webhook \""], &["karpenter.sh\" denied", "karpenter.azure.com\" denied"])
        .any(&["nodepoolvalidationfailed", "in requirements, restricted", "in labels, restricted", "as it might interfere with the internal provisioning logic", "nodeclassref not found", "does not have a nodeclassref", "cannot be handled as a nodepool", "cannot be handled as a nodeclaim", "validationerror(nodepool", "validationerror(nodeclaim"])
        .checks(&["See the NodePool: `kubectl describe nodepool NAME`", check::KARPENTER_LOG]),
    row("NodeObjectRejected")
        .source(GitHub, "Azure/azure-service-operator/issues/3270")
        .cause("The API server rejects an object that nodes are created from, such as an AKSNodeClass or an agent pool: the message names the field and the values that are allowed")
        // How the API server names an object: its kind and group, then its name.
        .near(
            &["aksnodeclass \"", "karpenter.azure.com \"", "containerservice.azure.com \"", "containerservice.azure.upbound.io \"", "infrastructure.cluster.x-k8s.io \""],
            &["is invalid: ", "could not be patched: "],
        )
        .any(&["cannot be handled as a aksnodeclass", "cannot be handled as a managedcluster", "cannot be handled as a azurem", "validationerror(aksnodeclass"])
        .checks(&["See what the object may have: `kubectl explain KIND.spec --recursive`"]),
    row("ControllerForbidden")
        .source(GitHub, "kubernetes/autoscaler/pull/2484")
        .cause("The cluster does not allow Karpenter or the autoscaler to read or change nodes and their objects: the ClusterRole of its service account is missing or older than it")
        .near(
            &["user \"system:serviceaccount:"],
            &["karpenter\"", "karpenter-sa\"", ":karpenter", "cluster-autoscaler\"", "nodeclaims", "nodepools", "aksnodeclasses"],
        )
        .checks(&["See its rights: `kubectl auth can-i --list --as=system:serviceaccount:NAMESPACE:NAME`", check::KARPENTER_LOG]),
    row("BackendPoolHoldsAddresses")
        .source(GitHub, "Azure/AKS/issues/5569")
        .cause("The backend pool of the cluster's load balancer holds IP addresses (backendPoolType nodeIP), so Azure adds no network interface to it, as Karpenter asks")
        .azure(&["cannotmixipbasedaddressesandipconfigurations"])
        .checks(&["See its kind: `az aks show -g GROUP -n CLUSTER --query networkProfile.loadBalancerProfile.backendPoolType`"]),
    row("LocalAccountsDisabled")
        .source(Learn, "azure/aks/manage-local-accounts-managed-azure-ad")
        .cause("Local accounts of the cluster are disabled, so nobody gets a credential of its administrator: take one of a user (no --admin), with a role in Microsoft Entra")
        .azure(&["getting static credential is not allowed"])
        .reported_by(&["InvalidParameter", "OperationNotAllowed", "AksOperationFailed", "AzFailed"])
        .checks(&["See the setting: `az aks show -g GROUP -n CLUSTER --query disableLocalAccounts`", "Log in as a user: `az aks get-credentials -g GROUP -n CLUSTER; kubelogin convert-kubeconfig -l azurecli`"]),
    row("DiskDoesNotFit")
        .source(Learn, "troubleshoot/azure/virtual-machines/windows/error-messages")
        .cause("The disk of the operating system does not fit the image or the VM size: it is smaller than the image, or of a storage type that the size does not support")
        .azure(&["is smaller than the size of the corresponding disk in the vm image", "which is smaller than the size"])
        .near(&["because storage account type '"], &["is not supported for vm size"])
        .reported_by(&["InvalidParameter", "OperationNotAllowed", "AksOperationFailed"])
        .checks(&["See what the size supports: `az vm list-skus -l LOCATION --size SIZE --query \"[].capabilities\"`", check::ACTIVITY]),
    row("ClusterCertificatesExpired")
        .source(GitHub, "Azure/AKS/issues/2184")
        .cause("The certificates of the cluster have expired: AKS accepts no other change, and no node can use the API server, until they are rotated")
        .azure(&["current certificates are expired, please rotate"])
        .checks(&["Rotate them, which also replaces the nodes: `az aks rotate-certs -g GROUP -n CLUSTER`"]),
    row("UserAssignedIdentityNeeded")
        .source(Learn, "azure/aks/egress-outboundtype")
        .cause("AKS needs a user-assigned identity for this cluster: with a system-assigned one it cannot use a route table, DNS zone or kubelet identity of yours")
        .azure(&["customroutetablewithunsupportedmsitype", "onlysupportedonuserassignedmsicluster", "do not support bringing your own route table", "system-assigned managed identity not supported for custom resource"])
        .reported_by(&["InvalidParameter", "OperationNotAllowed"])
        .checks(&["See the identity: `az aks show -g GROUP -n CLUSTER --query identity`"]),
    row("LoadBalancerSkuMismatch")
        .source(GitHub, "MicrosoftDocs/azure-docs/issues/81335")
        .cause("A load balancer or public IP address in the subnet of the nodes has another SKU (Basic or Standard) than the others or the NAT gateway need")
        .azure(&["subnetwithnatgatewayandbasicskuresourcenotallowed", "on subnet containing basic sku public ip addresses or basic sku load balancer", "differentskuloadbalancersandpublicipaddressnotallowed", "different basic sku and standard sku load balancer", "basic sku publicip"])
        .reported_by(&["OperationNotAllowed", "AddressConflict", "InvalidParameter"])
        .checks(&["List their SKUs: `az network public-ip list -g NODE_GROUP --query \"[].{name:name,sku:sku.name}\" -o table; az network lb list -g NODE_GROUP --query \"[].{name:name,sku:sku.name}\" -o table`", check::SUBNET]),
    row("PlacementGroupNotUsable")
        .source(Learn, "azure/virtual-machines/co-location")
        .cause("The proximity placement group does not fit the pool: it is in another region or zone, holds other VM sizes, or does not exist")
        .near(
            &["proximity placement group", "proximityplacementgroup"],
            &["cannot be added to", "does not support", "is not supported", "was not found", "does not exist", "is not allowed", "in a different", "different location", "conflict", "notfound"],
        )
        .on_azure()
        .unless(&["allocationfailed", "allocation failed", "overconstrained"])
        .reported_by(&["InvalidParameter", "OperationNotAllowed", "ResourceNotFound"])
        .checks(&["See it: `az ppg show --ids PLACEMENT_GROUP_ID --include-colocation-status`"]),
    row("PrincipalNotFound")
        .source(Learn, "azure/role-based-access-control/troubleshooting")
        .cause("The identity that a role is assigned to is not in the directory: it was deleted, or was created a moment ago")
        .azure(&["principalnotfound", "if you are creating this principal and then immediately assigning a role"])
        .unless(OTHER_PROVIDERS)
        .checks(&["See the identities: `az aks show -g GROUP -n CLUSTER --query \"{identity:identity,kubelet:identityProfile}\"`", check::ROLES]),
    row("VmSizeTooSmall")
        .source(GitHub, "kubernetes-sigs/cluster-api-provider-azure/blob/HEAD/azure/services/virtualmachines/spec.go")
        .cause("The VM size is too small for a node of this pool: the message names the vCPUs and the memory that it needs")
        .azure(&["vm size should be bigger or equal to at least", "vm memory should be bigger or equal to at least", "must use vm sku with more than", "systempoolskutoolow"])
        .reported_by(&["InvalidParameter", "AksOperationFailed", "ControllerFailed"])
        .checks(&[check::SIZE]),
    row("MachineSpecificationInvalid")
        .source(GitHub, "kubernetes-sigs/cluster-api-provider-azure/blob/HEAD/azure/services/virtualmachines/spec.go")
        .cause("The specification of the machine is not valid: its settings of security, boot diagnostics or placement exclude each other, or lack one")
        .any(&["securitytype should be set to", "securebootenabled should be true when securityencryptiontype", "vtpmenabled should be true when securityencryptiontype", "availabilitysetid and virtualmachinescalesetid cannot both be set", "usermanaged must be specified when storageaccounttype", "storageaccounturi cannot be empty when storageaccounttype"])
        .reported_by(&["GenerationMismatch"])
        .checks(&["See it: `kubectl describe azuremachinetemplates,azuremachines -A`"]),
    row("ProviderNotAuthenticated")
        .source(GitHub, "hashicorp/go-azure-sdk/blob/HEAD/sdk/auth/azure_cli_authorizer.go")
        .cause("The Terraform provider has no credential for Azure: its settings or environment variables are missing, or it cannot use the program az")
        .azure(&["unable to build authorizer for resource manager api", "could not configure azurecli authorizer", "launching azure cli: exec: \"az\""])
        .checks(&["See which account az has: `az account show`", "List the settings: `env | grep -o \"^ARM_[A-Z_]*\"`"]),
    row("InvalidParameter")
        .source(GitHub, "jamesbannan/pluralsight/issues/10")
        .cause("Azure rejects a value of the request: the message names the parameter")
        .any(&[
            "invalidparameter\"",
            "invalidparameter)",
            "invalidparameter:",
            "invalidparameter ",
            "invalidparameter'",
            "invalidtemplate\"",
            "invalidrequestformat",
            "invalidrequestcontent",
            "badrequest",
            "invalidresourcename",
            "invalidresourcelocation",
            "could not find member",
            "invalidtagnamecharacters",
            "invalidloadbalancerprofile",
            "invalidproperty",
            "requestbodyinvalid",
            "invalidosdisksize",
            "conflictinguserinput",
            "required parameter",
            "invalidargument\"",
            "parameternotallowed",
            "the value of parameter ",
            "locationrequired",
            "invalidagentpool",
        ])
        .azure(&["missingapiversionparameter", "should reference the same set of application security groups", "invalidapiversionparameter", "a new agent pool was introduced", "operation failed with status: 'bad request'", "system node pool must use", "must use vm sku with more than", "invalidagentpoolprofile", "maxpodstoolow", "insufficientmaxpods", "invalidossku", "invalidcustomkubeletconfig", "temporary_name_for_rotation` must be specified", "expanding `default_node_pool`: ", "invalidlinuxosconfig", "invalidkubeletconfig", "mismatchingresourcesegments", "linux host name cannot exceed", "invaliddeploymentlocation", "notsupported\"", "taintskeyvalueeffect", "niccountexceedsmaxallowed", "validation error: parameter 'managedcluster", "'bad request'. details:", "agent pools can only be added to", "mustdefineatleastonesystempool", "must define at least one system pool", "deployment template validation failed", "template deployment validation was not successful", "instanceid must be ", "invalidaccounttype", "already uses the same lun", "the admin password specified is not allowed", "the admin username specified is not allowed", "the specified fault domain count", "destination path for ssh public keys", "certificateimproperlyformatted", "is not a properly formatted pfx", "valid license types are", "reservedresourcename", "is a trademarked or reserved word", "there has to be at least one system", "must be at least one system", "cannotdeletelastsystempool", "which is smaller than the size", "can be added only at the time of vm scale set creation", "can be deleted only at the time of vm scale set", "publicipandlbskudonotmatch", "different sku load balancer", "onlyoneuserassignedidentityallowed", "notsupportvmsku", "the supplied password must be between", "the value of parameter agentpool", "the value of parameter linuxprofile", "the value of parameter networkprofile", "the value of parameter serviceprincipal", "the value of parameter orchestrator", "the value of parameter apiserver"])
        .near(&["parameter '"], &["' is not allowed"])
        .near(&[".properties."], &["cannot be ", "must be ", "should be "])
        // Of the API server, whose reasons have the same names.
        .unless(&["details: internal server error", "message: internal server error", "multiple vmextensions per handler", "error from server (badrequest)"])
        .on_azure()
        .or(&["The value does not suit another one, of the same request or of the cluster: the size, the image, the network or the version"])
        .checks(&[check::ACTIVITY]),
    row("CommandOfAzInvalid")
        .source(GitHub, "MicrosoftDocs/azure-docs/issues/61587")
        .cause("The program az rejects its command before it sends a request: the value of an option is not valid, or options are missing or exclude each other")
        // Its own checks of options for clusters and pools.
        .near(
            &["--vnet-subnet-id", "--pod-subnet-id", "--nodepool-name", "--kubernetes-version", "--vm-set-type", "--load-balancer-", "--outbound-type", "--node-", "--nodepool-", "--min-count", "--max-count", "--priority", "--eviction-policy", "--spot-max-price", "--os-sku", "--network-plugin", "--network-policy", "--assign-identity", "--assign-kubelet-identity", "--max-surge", "--api-server-authorized-ip-ranges", "--enable-cluster-autoscaler"],
            &["is not a valid azure resource id", "can only be ", "must be in the range", "can contain at most", "should contain only", "should be the full version", "can only be set when", "should be provided", "must be a multiple of", "should be a list of", "cannot be empty", "is required when", "must be specified", "cannot be used", "is not compatible"],
        )
        .within(60)
        .near(&["az aks", "az vmss", "az vm ", "az group"], &["unrecognized arguments: ", "the following arguments are required: ", "is misspelled or not recognized by the system", "is not a valid value for '", "expected one argument", "expected at least one argument"])
        .azure(&["node-count is not in the range of min-count and max-count", "please specify both min-count and max-count when --enable-cluster-autoscaler", "an rsa key file or key value must be supplied to ssh key value"])
        .checks(&["See the options: `az aks nodepool add --help`", check::SUBNET]),
    row("CommandOfAzUnknown")
        .source(GitHub, "Azure/azure-cli/blob/HEAD/src/azure-cli-core/azure/cli/core/command_recommender.py")
        .cause("The program az does not know an option or command, or one is missing: it is misspelled, or belongs to another version of az or its extensions")
        // What follows each such error.
        .any(&["examples from ai knowledge base", "read more about the command in reference docs"])
        .needs(&["az aks ", "az vmss ", "az vm "])
        .checks(&["See the options: `az aks nodepool add --help`", "See the versions: `az version`"]),
    row("NodeResourceGroupTaken")
        .source(GitHub, "pulumi/pulumi-azure-native/issues/1564")
        .cause("The node resource group already exists: AKS must create it, but another cluster or user has one with this name")
        .azure(&["noderesourcegroupalreadyexists"])
        .checks(&["See its owner: `az group show -n NODE_GROUP --query \"{managedBy:managedBy,tags:tags}\"`"]),
    row("PrivateDnsZoneNotLinked")
        .source(Learn, "troubleshoot/azure/azure-kubernetes/error-codes/createorupdatevirtualnetworklinkfailed-error")
        .cause("AKS could not link the private DNS zone of the cluster with the virtual network: another zone with this name is linked, or the identity lacks the role")
        .azure(&["virtualnetworklinkfailed", "reconcile private dns failed", "create or update virtual network link failed", "virtualnetworklinkconflict"])
        .checks(&["List the links: `az network private-dns link vnet list -g GROUP -z ZONE -o table`", check::ROLES]),
    row("PoolSizeOutsideLimits")
        .source(Learn, "troubleshoot/azure/azure-kubernetes/create-upgrade-delete/node-count-is-not-in-autoscaler-min-max-range")
        .cause("The number of nodes is not between the smallest and the largest size of the pool, these two contradict each other, or its autoscaler sets it")
        .azure(&["is not within the autoscaler min and max", "not in autoscaler min max range", "cannot scale cluster autoscaler enabled node pool", "cannot scale cluster autoscaler-enabled node pool", "manual scaling of cluster autoscaler enabled", "nodecountnotin", "it must be greater or equal to mincount", "when `auto_scaling_enabled` is set to", "when `enable_auto_scaling` is set to", "when enable_auto_scaling is set to"])
        .near(&["agentpool.count", "agentpoolprofile.count", "agentpool.mincount", "agentpoolprofile.mincount", "agentpool.maxcount", "agentpoolprofile.maxcount"], &["is invalid", "must be "])
        .on_azure()
        .checks(&["See the limits: `az aks nodepool show -g GROUP --cluster-name CLUSTER -n POOL --query \"{auto:enableAutoScaling,min:minCount,max:maxCount,count:count}\"`"]),
    row("ClusterNotRunning")
        .source(Learn, "troubleshoot/azure/azure-kubernetes/error-codes/aks-error-code-page")
        .cause("The cluster is stopped, failed or has no control plane, so Azure accepts no change of its pools: start it, or repair it with an update without changes")
        .azure(&["managed cluster is not in a running state", "managed cluster is not running", "controlplanenotfound", "could not find the control plane", "cluster is not in running state", "is not in a running power state", "because the managed cluster is in stopped state", "managed cluster is in stopped", "managed cluster is stopped", "managed cluster is in (stopped)", "managed cluster is not currently running", "and power state(stopped)"])
        .checks(&[check::CLUSTER, "Repair it: `az aks update -g GROUP -n CLUSTER`"]),
    row("DisruptionBudgetBlocks")
        .source(GitHub, "MicrosoftDocs/SupportArticles-docs/blob/HEAD/support/azure/azure-kubernetes/error-codes/unsatisfiablepdb-error.md")
        .cause("A pod disruption budget allows no disruption, so Azure cannot drain the nodes of the pool")
        .azure(&["unsatisfiablepdb", "has maxunavailble == 0", "can't proceed with put operation", "has maxavailable == 0"])
        .checks(&["List the budgets: `kubectl get pdb --all-namespaces`"]),
    row("IdentityNotAssigned")
        .source(GitHub, "kubernetes-sigs/cluster-api-provider-azure/pull/2743")
        .cause("The VM lacks a user-assigned identity that its specification names: somebody removed it")
        .any(&["userassignedidentitymissing", "missing expected user assigned identities"])
        .checks(&[check::INSTANCE, check::ACTIVITY]),
    row("InterfaceFailed")
        .source(CloudProviderAzure, "pkg/provider/azure_standard.go")
        .symptom("The network interface of the node is in a failed state, so Azure's load balancer leaves the node out")
        .near(&["because its primary nic"], &["is in failed state"])
        .checks(&[check::INSTANCE, check::ACTIVITY]),
    row("ResourceNotFound")
        .source(GitHub, "MicrosoftDocs/SupportArticles-docs/blob/HEAD/support/azure/azure-kubernetes/create-upgrade-delete/aks-upgrade-scale-fail-log-analytics-workspace-missing.md")
        .symptom("A resource that the request names does not exist: network, identity, disk or resource group")
        .any(&["resourcenotfound", "resourcegroupnotfound", "parentresourcenotfound", "nsgnotfound", "was not found. for more details"])
        .azure(&["diskencryptionsetnotfound", "dedicatedhostnotfound", "proximityplacementgroupnotfound", "managedclusternotfound", "agentpoolnotfound", "natgatewaynotfound", "privatednszonenotfound"])
        .near(&["notfound\"", "notfound:", "(notfound)"], &["/subscriptions/", "microsoft.", "resource group", "resourcegroup", "agentpool", "agent pool", "vmss", "managed cluster", "statuscode=404", "subscription"])
        .on_azure()
        .near(&["the availability set /subscriptions", "the availability set '", "the image /subscriptions", "the image '/subscriptions"], &["cannot be found"])
        .near(&["resource microsoft.", "resource 'microsoft."], &["not found"])
        // The API server, about its objects.
        .unless(&["error from server (notfound)"])
        .checks(&[check::ACTIVITY]),
    row("OperationNotAllowed")
        .source(GitHub, "MicrosoftDocs/SupportArticles-docs/blob/HEAD/support/azure/azure-kubernetes/create-upgrade-delete/error-using-feature-requiring-virtual-machine-scale-set.md")
        .symptom("Azure does not allow the operation in the current state: the message has the reason")
        .any(&["operationnotallowed", "operation is not allowed", "changeofferingnotallowed", "featurenotsupported"])
        .azure(&["toomanyvmredeploymentrequests", "azure spot virtual machine is not supported", "node pool update via managed cluster not allowed", "but isn't on virtual machine scale sets", "since the vm is generalized", "resizing is allowed only when creating a vm", "since the vm is not deallocated", "cluster in a failed state", "operationisnotallowed", "azure spot virtual machines are not supported"])
        .on_azure()
        .checks(&[check::ACTIVITY, check::USAGE]),
    row("DiskEncryptionSetRoleMissing")
        .source(KarpenterAzure, "pkg/controllers/nodeclass/status/validation.go")
        .since("1.10")
        .cause("The identity of Karpenter lacks the role Reader on the disk encryption set of the nodes")
        .any(&["diskencryptionsetrbac", "disk encryption set rbac validation failed", "does not have reader role on disk encryption set"])
        .near(&["failed to validate diskencryptionset"], &["authorizationfailed", "403 forbidden"])
        .reported_by(&["NodeClassNotReady", "AuthorizationFailed"])
        .checks(&[check::ROLES, "See its conditions: `kubectl describe aksnodeclass NAME`"]),
    row("NodeClassNotReady")
        .source(KarpenterAzure, "pkg/controllers/nodeclass/status/subnet.go")
        .cause("The AKSNodeClass is not ready: its subnet, images, Kubernetes version or identity cannot be resolved")
        .any(&["nodeclass not ready", "nodeclass is not ready", "nodeclassnotready", "aksnodeclass not found", "nodeclassreadinessunknown", "resolving node class readiness", "subnetunready", "subnetreadystatus", "nodeclassnotfound", "nodeclass not found", "node class readiness unknown", "ignoring nodepool, not ready", "nodeclassterminating", "nodeclass is terminating", "imageselectors did not match any images", "nodeclass is in ready=", "resolving node class,", "nodeclassresolutionerror", "subnetidinvalid", "subnetunknownerror", "sigrequiredforfips", "fips images require usesig", "checkingclusterrequirementsfailed", "imagesnotfound", "diskencryptionsetrbac", "subnetnotfound"])
        .near(&["is in ready=false", "is in ready=unknown"], &["nodeclass", "node class", "nodepool"])
        .near(&["aksnodeclass"], &["validationfailed"])
        .checks(&["See its conditions: `kubectl describe aksnodeclass NAME`"]),
    row("ScaleLimitReached")
        .source(Autoscaler, "cluster-autoscaler/cloudprovider/azure/azure_scale_set.go")
        .cause("The node pool is at its maximum size, so the autoscaler adds no node")
        .any(&["max node group size reached", "max total nodes in cluster reached", "max cluster limit reached", "nodepool node limit reached", "is bigger than max size", "size increase too large - desired:"])
        .near(
            &["size increase too large", "max size reached", "max cluster cpu limit reached", "max cluster memory limit reached"],
            &["node", "autoscaler", "scale_up", "vmss", "unschedulable"],
        )
        .checks(&["See the limits: `az aks nodepool show -g GROUP --cluster-name CLUSTER -n POOL --query \"{min:minCount,max:maxCount,count:count}\"`", check::AUTOSCALER]),
    row("InstanceTypesUnknown")
        .source(KarpenterAzure, "pkg/cloudprovider/cloudprovider.go")
        .symptom("Karpenter cannot read the list of VM sizes from Azure")
        .any(&["instancetyperesolutionfailed", "fetching skus using skewer", "skipping, unable to resolve instance types", "skipping, no resolved instance types found", "could not parse vm size"])
        .or(&["The identity of Karpenter lacks a role", "The network of Karpenter blocks management.azure.com"])
        .checks(&[check::KARPENTER_LOG, check::ROLES]),
    row("NodeClaimNotLaunched")
        .source(Karpenter, "pkg/controllers/nodeclaim/lifecycle/liveness.go")
        .wrapper("Karpenter has not created the VM of a NodeClaim: the condition Launched of the NodeClaim, or Karpenter's log, has the reason")
        // Its table: `explain::tables`.
        .near(&["terminating due to timeout"], &["launch_timeout"])
        .checks(&[check::NODE_CLAIM, check::KARPENTER_LOG]),
    row("KarpenterNotConfigured")
        .source(KarpenterAzure, "pkg/operator/operator.go")
        .cause("Karpenter cannot start: an option or environment variable of it is missing or not valid")
        .any(&[
            "missing field, cluster-name",
            "missing field, cluster-endpoint",
            "missing field, kubelet-bootstrap-token",
            "missing field, ssh-public-key",
            "missing field, vnet-subnet-id",
            "missing field, node-resource-group",
            "validating cli flags / env vars",
            // The kubeconfig or the service account that it reads at its start.
            "discovering cabundle, loading",
            "creating azure client: ",
            "nodebootstrapping-server-url is required",
            "sig-access-token-server-url is",
            "sig-subscription-id is required when use-sig",
            "is not a valid network dataplane",
            "not a valid clusterendpoint url",
            "disk-encryption-set-id is invalid",
            "aks-machines-pool-name is required",
            "network-plugin must equal",
            "network-plugin-mode must",
            "vnet-subnet-id is invalid:",
            "kubelet-identity-client-id ", "use-sig is required to be true when", "provision-mode is invalid: ", "does not have a resource guid", "failed to parse additional_tags", "linux-admin-username cannot be", "linux-admin-username must", "vm-memory-overhead-percent cannot be"])
        .near(&["karpenter", "controller-runtime"], &["failed to wait for crd", "to be available, timed out", "timed out waiting for crd"])
        // A panic before its controllers run.
        .near(&["goroutine 1 [running]"], &["azure/karpenter-provider-azure/", "sigs.k8s.io/karpenter/pkg/operator"])
        .checks(&["See its settings: `kubectl -n kube-system get deployment karpenter -o jsonpath='{.spec.template.spec.containers[0].env}'`", check::KARPENTER_LOG]),
    row("NodeBootstrappingFailed")
        .source(KarpenterAzure, "pkg/providers/imagefamily/customscriptsbootstrap/provisionclientbootstrap.go")
        .cause("Karpenter could not get CustomData and the command of the extension from the API that makes them")
        .any(&["no customdata in response", "no cse in response", "error getting aks bootstrap script", "error executing custom data template", "error executing containerd config template", "error getting custom data from node bootstrap variables", "nodebootstrapping.get", "constructprovisionvalues failed with error", "hydratebootstraptokenifneeded failed with error", "nodebootstrapping provider is not initialized"])
        .checks(&[check::KARPENTER_LOG]),
    row("NoInstanceTypeFits")
        .source(Karpenter, "pkg/controllers/provisioning/scheduling/scheduler.go")
        .symptom("No VM size that the NodePool allows fits the pod: requirements, limits or taints exclude all")
        .any(&[
            "no instance type satisfied",
            "no instance type met",
            "incompatible with nodepool",
            "no instance type which had enough resources",
            "all available instance types exceed limits for nodepool",
            "no nodepools found",
            "incompatible requirements, key",
            "no instance types",
            "nocompatibleinstancetypes",
            "nodepool requirements filtered out all",
            "node limits have been exhausted for nodepool", "pod didn't trigger scale-up", "pod didn't trigger scale up", "skipping, nodepool requirements filtered out", "no instance types available", "no instance type can satisfy", "resolving instance types, ", "no expansion options", "minvalues requirement", "incompatible requirements, label"])
        .unless(&["unbound immediate persistentvolumeclaims"])
        .checks(&["See the NodePool: `kubectl describe nodepool NAME`", check::KARPENTER_LOG]),
    row("AzureRequestTimedOut")
        .source(GitHub, "kubernetes/autoscaler/issues/2980")
        .symptom("The request to Azure was not answered in time: Azure or the network of the controller is slow")
        .near(
            &["polling after createorupdate", "performing createorupdate", "failure sending request: statuscode=0", "future#waitforcompletion", "failure responding to request: statuscode=0", "https://management.azure.com"],
            &["context deadline exceeded", "context canceled", "context has been cancelled", "i/o timeout", "no such host", "tls handshake timeout", "connection refused", "connection reset by peer"],
        )
        .checks(&[check::ACTIVITY, "Reach Azure from the controller: `curl -sS -m 5 -o /dev/null -w \"%{http_code}\" https://management.azure.com`"]),
    row("AzureNotReachable")
        .source(GitHub, "Azure/karpenter-provider-azure/blob/HEAD/pkg/auth/cred.go")
        .symptom("The program that creates nodes cannot reach Azure (management.azure.com or login.microsoftonline.com): name resolution, a firewall, a proxy or a certificate that it does not trust prevents it")
        .near(
            &["https://management.azure.com", "https://login.microsoftonline.com", "lookup management.azure.com", "lookup login.microsoftonline.com"],
            &["no such host", "server misbehaving", "temporary failure in name resolution", "x509: certificate", "network is unreachable", "no route to host", "proxyconnect tcp", "connect: connection refused", "dial tcp"],
        )
        // Any program logs in.
        .needs(&["karpenter", "nodeclaim", "autoscaler", "azure_manager.go", "azure_cache.go", "azure_scale_set", "azure_agent_pool", "azuremachine", "azurecluster", "aksnodeclass", "microsoft.containerservice", "microsoft.compute", "kubernetes_cluster"])
        .reported_by(&["AutoscalerCannotReadAzure", "AutoscalerNotConfigured", "InstanceTypesUnknown"])
        .checks(&["Reach both from the controller: `curl -sS -m 5 -o /dev/null -w \"%{http_code}\" https://management.azure.com https://login.microsoftonline.com`", check::KARPENTER_LOG]),
    row("KarpenterCannotReadAzure")
        .source(KarpenterAzure, "pkg/providers/instance/vminstance.go")
        .symptom("Karpenter cannot read what it needs from Azure: its VMs and AKS machines, the load balancer, the network security group or the regions")
        .any(&["querying azure resource graph, ", "failed to list azure locations: ", "failed to list aks machines: ", "getting managed network security group: ", "listing aks machine instances, "])
        // It says this where no machine was made yet.
        .unless(&["failed to list aks machines: aks machines pool not found", "garbagecollection", "garbage collecting"])
        .or(&["The identity of Karpenter lacks a role"])
        .checks(&[check::ROLES, check::KARPENTER_LOG]),
    row("AksMachineLeftBehind")
        .source(KarpenterAzure, "pkg/providers/instance/aksmachineinstance.go")
        .cause("An AKS machine with the name of the NodeClaim is left from an earlier attempt: it has failed, or belongs to another NodeClaim")
        .near(&["found existing aks machine "], &["in failed state", "does not match the nodeclaim", "irretrievable"])
        .checks(&["List the machines: `az aks machine list -g GROUP --cluster-name CLUSTER --nodepool-name POOL -o table`", check::NODE_CLAIM]),
    row("ImageIdInvalid")
        .source(KarpenterAzure, "pkg/utils/image.go")
        .cause("The ID of the image that Karpenter takes for the node is not one of an image version in a gallery")
        .any(&["invalid vmimageid format", "vmimageid is empty", "incorrect sig image id"])
        .checks(&["See the images: `kubectl get aksnodeclass NAME -o jsonpath=\"{.status.images}\"`", check::KARPENTER_LOG]),
    row("ScaleSetNotFound")
        .source(Autoscaler, "cluster-autoscaler/cloudprovider/azure/azure_scale_set.go")
        .cause("The cluster autoscaler does not find its scale set: it was deleted, is in another resource group, or does not use uniform orchestration")
        .any(&["could not find vmss"])
        .checks(&["See the scale sets: `az vmss list -g NODE_GROUP -o table`", check::AUTOSCALER]),
    row("AutoscalerNotConfigured")
        .source(Autoscaler, "cluster-autoscaler/cloudprovider/azure/azure_cloud_provider.go")
        .symptom("The cluster autoscaler cannot start or use a scale set: its configuration, its credentials or the limits in the tags of the scale set are missing or not valid")
        .any(&[
            "failed to create azure manager",
            "failed to create azure cloud provider",
            "couldn't open cloud provider configuration",
            "arm client id not set",
            "you can not combine both managed identity and workload identity",
            "ignoring vmss \"",
            "cannot autodiscover nodegroups",
            "failed to parse node group spec",
            "enablevmssflexnodes",
        ])
        .near(&["azure_manager.go", "azure_config.go", "azure_cloud_provider.go"], &["resource group not set", "subscription id not set", "tenant id not set", "deployment not set", "unsupported vm type"])
        .checks(&["Read its log: `kubectl -n kube-system logs -l app=cluster-autoscaler --tail=50`", check::ROLES]),
    row("NodeGroupUnknown")
        .source(Autoscaler, "cluster-autoscaler/cloudprovider/azure/azure_cloud_provider.go")
        .symptom("The cluster autoscaler does not know what a new node of the pool would be like: the pool is empty, or its scale set or a node of it cannot be read")
        .any(&["no node info for: ", "could not compute total resources", "failed to find readiness information for", "unable to build proper template node for", "failed to get node infos for groups", "failed to find template node for", "build node infos for groups"])
        .near(&["nodegroupforinstance", "node info"], &["failed to", "not found for"])
        // Of the kubelet, and of anyone.
        .unless(&["failed to get node info: ", "failed to get node info from", "fetch node info", "kubelet"])
        .checks(&[check::AUTOSCALER, "See the scale sets and their tags: `az vmss list -g NODE_GROUP --query \"[].{name:name,tags:tags}\"`"]),
    row("AzureInternalError")
        .source(GitHub, "MicrosoftDocs/azure-docs/blob/HEAD/articles/azure-resource-manager/troubleshooting/common-deployment-errors.md")
        .symptom("Azure failed with an internal error: try again, then ask Azure's support with the ID in the message")
        .azure(&["unable to serve this request due to an internal error", "aks encountered an internal error while attempting", "encountered internal server error. diagnostic information", "an unexpected error occurred while processing the request. tracking id", "diskserviceinternalerror", "code=\"serviceunavailable\"", "code=\"gatewaytimeout\"", "code=\"requesttimeout\"", "code=\"internalservererror\"", "code=\"retryableerror\"", "(serviceunavailable)", "(gatewaytimeout)", "(requesttimeout)", "(internalservererror)"])
        .near(
            &["internalservererror", "internal server error", "serviceunavailable", "servertimeout", "gatewaytimeout", "serverunavailable"],
            &["management.azure.com", "/providers/microsoft.compute", "/providers/microsoft.network", "/providers/microsoft.containerservice", "agentpool", "request correlation id"],
        )
        .checks(&[check::ACTIVITY]),
    row("AutoscalerCannotReadAzure")
        .source(Autoscaler, "cluster-autoscaler/cloudprovider/azure/azure_cache.go")
        .symptom("The cluster autoscaler cannot read its scale sets, agent pools or VM sizes from Azure")
        .any(&["error while regenerating azure cache", "failed to regenerate azure cache", "failed to fetch autodiscovered nodegroups", "dynamically fetching of instance information from sku api failed", "getscalesetvms() failed with error", "error while populating sku list"])
        .near(
            &["virtualmachinescalesetsclient.list", "virtualmachinesclient.list", "virtualmachinescalesetvmsclient.list", "failed to get agentpool ", "failed to get vmpool ", "getflexiblescalesetvms()"],
            &["failed", "error"],
        )
        .near(&["failed to get information for vmss", "failed to get current size for vmss", "etag retry: failed to get current scale set"], &["azure_scale_set"])
        .or(&["The identity of the autoscaler lacks a role, or Azure throttles it"])
        .checks(&[check::AUTOSCALER, check::ROLES]),
    row("VmCreationRefused")
        .source(Karpenter, "pkg/controllers/nodeclaim/lifecycle/liveness.go")
        .since("0.27.1")
        .wrapper("Azure rejected the creation of the VM: the error code in the message has the reason")
        .any(&[
            "creating instance failed",
            "launchfailed",
            "launched=false",
            "launched=unknown",
            "virtualmachine.begincreateorupdate for vm",
            "failed to increase capacity for scale set",
            "virtualmachinescalesetsclient.createorupdate for scale set",
            "unable to get instance type",
            "failed to scale node pool",
            "failed to create a node pool",
            "launching nodeclaim",
            "creating instance, ",
            "fetching skus using skewer",
            "create virtual machine failed", "failed to create aks machine", "failed to begin create aks machine", "failed to create vm", "creating vm cse for vm", "failed to get next loadbalancer page", "failed to get next nsg page", "virtualmachinescalesetsclient.begincreateorupdate", "agentpoolclient.begincreateorupdate", "begincreateorupdate for scale set", "failed to scale up agentpool", "sees canceled provisioning state", "sees fatal provisioning state", "sees unrecognized provisioning state", "capacity update failed during polling", "etag retry: begincreateorupdate failed", "while polling for aks machine", "failed to get aks machine", "failed to check for existing aks machine", "failed to begin update aks machine"])
        .near(
            &["response 400", "response 401", "response 403", "response 404", "response 409", "response 500"],
            &["error code:"],
        )
        .near(
            &["statuscode=4", "httpstatuscode: 4", "statuscode: 4"],
            &["original error", "rawerror", "management.azure.com"],
        )
        .near(
            &["creating virtual machine \"", "creating network interface \"", "creating virtual machine, ", "creating nic for vm"],
            &["failed: ", "put https://"],
        )
        .checks(&[check::ACTIVITY, check::NODE_CLAIM, check::AUTOSCALER]),
    row("ScaleUpFailed")
        .source(GitHub, "kubernetes-sigs/cluster-api-provider-azure/issues/5240")
        .wrapper("The cluster autoscaler failed to add a node, and waits before it tries again: its log and its events in kube-system have the reason")
        .any(&["in backoff after failed scale-up", "scaleup: backoff", "failedtoscaleupgroup", "scale-up failed for group", "disabling scale-up for node group", "is not ready for scaleup - backoff", "failed to scale up: "])
        .or(&["A quota is used up, or Azure has no capacity for this VM size"])
        .checks(&["Read its events: `kubectl -n kube-system get events --field-selector reason=FailedToScaleUpGroup`", check::AUTOSCALER, check::ACTIVITY]),
    row("ControllerFailed")
        .source(GitHub, "kubernetes-sigs/cluster-api-provider-azure/blob/HEAD/controllers/azuremachine_controller.go")
        .wrapper("A controller of the cluster failed to create or change a VM in Azure: the end of its error has the reason")
        .any(&["failed to reconcile azuremachine", "failed to reconcile azurecluster", "failed to reconcile azuremanaged", "error deleting azuremachine", "failed to create azuremachine service", "createinstancefailed", "asyncprovisioningerror"])
        .near(
            &["reconciler error", "reconcileerror"],
            &["azuremachine", "azurecluster", "azuremanaged", "aksnodeclass", "\"nodeclaim", "nodeclaim.", "azure"],
        )
        .near(&["failed to reconcile cluster services"], &["azure", "failed to get zones for location", "resource sku cache"])
        // Azure Service Operator.
        .near(&["containerservice.azure.com", "compute.azure.com", "azure_generic_arm_reconciler"], &["there was an unknown deployment error", "resource creation failure"])
        .checks(&["Read the conditions: `kubectl describe azuremachines,azuremachinepools,nodeclaims -A`", check::ACTIVITY]),
    row("KarpenterFailed")
        .source(KarpenterAzure, "pkg/auth/auxiliarytoken.go")
        .wrapper("Karpenter reports an error while it creates a node: the end of its error has the reason")
        // The level can be cut off.
        .near(&["\"level\":\"error\"", ",\"error\":\""], &["\"controllergroup\":\"karpenter.", "\"controller\":\"nodeclaim.", "\"controller\":\"nodeclass.", "\"controller\":\"provisioner\""])
        // The same, before version 1.
        .near(&["\"level\":\"error\""], &["\"logger\":\"controller.nodeclaim.", "\"logger\":\"controller.nodeclass", "\"logger\":\"controller.provisioner"])
        .checks(&[check::KARPENTER_LOG, check::NODE_CLAIM]),
    row("AzureAnsweredInternalError")
        .source(GitHub, "Azure/AKS/issues/1270")
        .wrapper("Azure answered with an internal error: try again, then ask Azure's support with the ID in the message")
        .any(&["internal server error", "internalservererror"])
        .on_azure()
        .checks(&[check::ACTIVITY]),
    row("AzFailed")
        .source(GitHub, "Azure/azure-cli/issues/12864")
        .wrapper("The program az itself failed: an error of it or of its extension, before or after a request to Azure")
        .near(&["command_modules/acs/", "command_modules/vm/", "command_modules\\acs\\", "command_modules\\vm\\", "azext_aks_preview", "az aks ", "az vmss "], &["traceback (most recent call last)", "the command failed with an unexpected error", "error: "])
        // An answer of Azure, whose code is in parentheses.
        .unless(&["error: ("])
        .checks(&["Take its newest version, and see the request: `az upgrade; az aks nodepool list -g GROUP --cluster-name CLUSTER --debug`", check::ACTIVITY]),
    row("AutoscalerReportsError")
        .source(Autoscaler, "cluster-autoscaler/cloudprovider/azure/azure_scale_set.go")
        .wrapper("The cluster autoscaler reports an error: the end of the line has the reason")
        .klog(&["azure_scale_set.go", "azure_agent_pool.go", "azure_vms_pool.go", "azure_manager.go", "azure_cache.go", "azure_scale_set_instance_cache.go", "azure_container_service_pool.go", "azure_client.go", "azure_util.go", "azure_template.go", "azure_autodiscovery.go", "azure_instance.go", "azure_config.go", "azure_cloud_provider.go", "scale_up.go", "static_autoscaler.go"])
        .checks(&[check::AUTOSCALER, check::ACTIVITY]),
    row("AksRejected")
        .source(GitHub, "MicrosoftDocs/SupportArticles-docs/blob/HEAD/support/azure/azure-kubernetes/create-upgrade-delete/aks-automatic-troubleshoot.md")
        .wrapper("AKS does not accept the request: the message has the reason, and its link the rule")
        // How the messages of its resource provider end.
        .azure(&["see https://aka.ms/aks", "see https://aka.ms/aks/", "refer to https://aka.ms/aks", "visit https://aka.ms/aks", "see: https://aka.ms/aks", "managed cluster 'automatic' sku should"])
        // node-problem-detector, of the events that Azure announces.
        .unless(&["https://aka.ms/aks/scheduledevents"])
        .checks(&[check::ACTIVITY, "See the cluster and its pools: `az aks show -g GROUP -n CLUSTER`"]),
    row("AksOperationFailed")
        .source(GitHub, "Azure/AKS/issues/244")
        .wrapper("Azure could not create or change the node pool: the details of the operation, or the scale set, have the reason")
        .any(&[
            "vmssagentpoolreconciler retry failed",
            "vmasagentpoolreconciler retry failed",
            "aks encountered an internal error while attempting",
            "completed with terminal provisioning state 'failed'",
            "completed with terminal provisioning state 'canceled'",
            "at least one resource deployment operation failed",
            "we are unable to serve this request due to an internal error",
            "long running operation failed",
            "operation failed or cancelled",
            "long-running operation failed",
            "long-running operation has failed",
            "operation returned an invalid status",
            "\"provisioningstate\": \"failed",
            "\"provisioningstate\":\"failed",
            "provisioningstate: failed",
            "provisioning state: failed",
        ])
        .azure(&["details: resource state canceled", "details: resource state failed", "getandwaitformanagedclusterprovisioningstate", "deployment failed. correlation id:", "the azure api returned the following error", "polling after createorupdate", "performing createorupdate", "operation returned an invalid status 'bad request'", "operation returned an invalid status code 'badrequest'", "dopollforasynchronous", "polling terminated with status", "createvmssagentpoolfailed", "reconcilevmssagentpoolfailed", "createvmsagentpoolfailed", "reconcilevmsagentpoolfailed", "reconcileagentpoolfailed", "reconcilevnetfailed", "reconcilestandardloadbalancererror", "reconcilemsicredentialsfailed", "reconcileacrerror", "invalidtemplatedeployment", "getsnapshotfailed", "putnicfailed", "kubernetesapicallfailed", "reconcileloadbalancerfailed", "container service is in a failed state", "failed to save container service", "terminal provisioning state '", "long running operation failed with status", "reconcile managed identity credential failed", "reconcile msi credential failed"])
        .near(&["original error: code=", "error: code=", "code=\""], &["message=\"", "message: "])
        .near(&["unexpected status 4", "unexpected status 5"], &["with error", "with response"])
        // A table of `az`.
        .near(&[" provisioningstate "], &[" failed "])
        // Deployment stacks.
        .near(&["resource could not be deleted"], &["microsoft.containerservice/", "microsoft.compute/"])
        .on_azure()
        .checks(&[check::ACTIVITY, check::INSTANCE]),
    row("AzureErrorOfOperation")
        .source(Learn, "azure/azure-resource-manager/troubleshooting/common-deployment-errors")
        .wrapper("Azure could not create or change the node pool or VM: the error code in the message has the reason")
        // The body of any error of these providers.
        .near(
            &["\"code\":\"", "\"code\": \"", "code: \"", "code=\"", "error code: "],
            &["/providers/microsoft.compute/", "/providers/microsoft.network/", "/providers/microsoft.containerservice/", "microsoft.compute/virtualmachine", "microsoft.containerservice/managedclusters"],
        )
        // States of what works are codes too.
        .unless(&["code\":\"running", "code\": \"running", "code\":\"powerstate/running", "code\": \"powerstate/running", "code\":\"provisioningstate/succeeded", "code\": \"provisioningstate/succeeded"])
        .on_azure()
        .checks(&[check::ACTIVITY, check::INSTANCE]),
];
