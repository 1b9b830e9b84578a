//! Outputs of `az`, `kubectl` and other programs that are no inputs, and their names for messages. To add one: a row in [`RESOURCES`] for a
//! resource of Azure, else in [`OUTPUTS`].

/// The start of the types of resources of Azure, in lower case.
pub(super) const RESOURCE_PROVIDER: &str = "microsoft.";

/// The types of resources that are around a cluster, in lower case, and their names for messages.
const RESOURCES: &[(&str, &str)] = &[
    ("microsoft.compute/disks", "a disk as `az disk show` prints it"),
    ("microsoft.compute/virtualmachines", "a VM as `az vm show` prints it"),
    (
        "microsoft.compute/virtualmachinescalesets/virtualmachines",
        "an instance of a scale set, not the scale set that `az vmss show` prints",
    ),
    ("microsoft.containerregistry/registries", "a container registry as `az acr show` prints it"),
    ("microsoft.containerservice/fleets", "a fleet as `az fleet show` prints it"),
    ("microsoft.containerservice/managedclusters/accessprofiles", "an access profile of a cluster"),
    ("microsoft.containerservice/managedclusters/agentpools/machines", "a machine as `az aks machine show` prints it"),
    (
        "microsoft.containerservice/managedclusters/agentpools/upgradeprofiles",
        "the upgrades of a node pool as `az aks nodepool get-upgrades` prints them",
    ),
    ("microsoft.containerservice/managedclusters/availableagentpoolversions", "versions of Kubernetes for node pools"),
    (
        "microsoft.containerservice/managedclusters/upgradeprofiles",
        "the upgrades of a cluster as `az aks get-upgrades` prints them",
    ),
    ("microsoft.containerservice/snapshots", "a snapshot as `az aks nodepool snapshot show` prints it"),
    ("microsoft.keyvault/vaults", "a key vault as `az keyvault show` prints it"),
    ("microsoft.kubernetes/connectedclusters", "a connected cluster of Azure Arc, not one of AKS"),
    ("microsoft.managedidentity/userassignedidentities", "a managed identity as `az identity show` prints it"),
    ("microsoft.network/loadbalancers", "a load balancer as `az network lb show` prints it"),
    ("microsoft.network/networkinterfaces", "a network interface as `az network nic show` prints it"),
    ("microsoft.network/networksecuritygroups", "a network security group as `az network nsg show` prints it"),
    ("microsoft.network/privatednszones", "a private DNS zone as `az network private-dns zone show` prints it"),
    ("microsoft.network/publicipaddresses", "a public IP address as `az network public-ip show` prints it"),
    ("microsoft.network/routetables", "a route table as `az network route-table show` prints it"),
    ("microsoft.network/virtualnetworks", "a virtual network as `az network vnet show` prints it"),
    ("microsoft.resources/deployments", "a deployment as `az deployment group show` prints it"),
    ("microsoft.resources/resourcegroups", "a resource group as `az group show` prints it"),
];

/// Returns the name of a resource of Azure for messages, from its type.
pub(super) fn resource(kind: &str) -> Option<&'static str> {
    let kind = kind.to_ascii_lowercase();
    let known = RESOURCES.iter().find(|(known, _)| *known == kind).map(|(_, title)| *title);
    known.or_else(|| {
        let is_resource = kind.starts_with(RESOURCE_PROVIDER) && kind.contains('/');
        is_resource.then_some("another resource of Azure")
    })
}

const POWERSHELL: &str = "an object of Azure PowerShell, which has other names than that of `az`";

/// The name of an object of Kubernetes that describes neither a node nor a cluster.
pub(super) const OBJECT: &str = "an object of Kubernetes";

/// The name of such an object whose kind is not known.
pub(super) const UNNAMED_OBJECT: &str = "an object of Kubernetes without `apiVersion` or `kind`";

/// Outputs that are no resources: members that only they have, and their names for messages.
const OUTPUTS: &[(&[&str], &str)] = &[
    (&["clientVersion"], "the output of `kubectl version`"),
    (&["azure-cli", "extensions"], "the output of `az version`"),
    (&["currentValue", "limit", "localName"], "usage and limits as `az vm list-usage` prints them"),
    (&["numberOfCores", "resourceDiskSizeInMB"], "VM sizes as `az vm list-sizes` prints them, not `az vm list-skus`"),
    (&["numberOfCores", "resourceDiskSizeInMb"], "VM sizes as `az vm list-sizes` prints them, not `az vm list-skus`"),
    (&["isDefault", "patchVersions"], "versions of Kubernetes as `az aks get-versions` prints them"),
    (&["orchestrators"], "versions of Kubernetes as `az aks get-versions` prints them"),
    (&["deployment", "version"], "the state of a stack as `pulumi stack export` prints it"),
    (&["regionalDisplayName", "displayName"], "regions as `az account list-locations` prints them"),
    (&["@level", "@message"], "messages of Terraform, as `terraform … -json` prints them"),
    (&["changes", "status"], "the result of `az deployment … what-if`"),
    (&["aks", "changed"], "the facts of a module of Ansible"),
    (&["statuses", "virtualMachine"], "an instance view as `az vmss get-instance-view` prints it, not `az vmss show`"),
    (&["operationName", "caller"], "events as `az monitor activity-log list` prints them"),
    (&["accessToken", "expiresOn"], "an access token as `az account get-access-token` prints it"),
    (&["aadClientId", "subscriptionId"], "the configuration of the cloud provider on a node (`azure.json`)"),
    (&["compute", "network"], "the metadata of a VM, as its metadata service (IMDS) returns them"),
    (&["ExitCode", "Output"], "the result of provisioning on a node (`provision.json`), which `explain` reads"),
    (&["selfLink", "masterAuth"], "a cluster of Google Cloud as `gcloud container clusters describe` prints it"),
    (&["ResourceId", "ResourceType"], POWERSHELL),
    (&["Account", "Environment", "Subscription", "Tenant"], POWERSHELL),
    (&["NodeResourceGroup", "ProvisioningState"], POWERSHELL),
    (&["appId", "displayName"], "a service principal or an application as `az ad` prints it"),
];

/// Returns the name of an output that is no resource, from its members.
pub(super) fn output(has: impl Fn(&str) -> bool) -> Option<&'static str> {
    OUTPUTS.iter().find(|(members, _)| members.iter().all(|name| has(name))).map(|(_, title)| *title)
}
