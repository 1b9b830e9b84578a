//! The commands that print missing documents and values.

use crate::rendering::ShellWord;

/// The settings that a node needs, each with the command that prints its value.
const SETTINGS: [(&str, &str); 8] = [
    ("CLUSTER_NAME", "az aks list --query \"[].name\" --output tsv"),
    ("CLUSTER_ENDPOINT", "kubectl config view --raw --minify"),
    (
        "KUBELET_BOOTSTRAP_TOKEN",
        "kubectl get secret --namespace kube-system --field-selector type=bootstrap.kubernetes.io/token --output yaml",
    ),
    (
        "SSH_PUBLIC_KEY",
        "az aks show --resource-group GROUP --name CLUSTER --query \"linuxProfile.ssh.publicKeys[0].keyData\" --output tsv",
    ),
    ("VNET_SUBNET_ID", "az network vnet list --resource-group NODE_GROUP --query \"[0].subnets[0].id\" --output tsv"),
    (
        "AZURE_NODE_RESOURCE_GROUP",
        "az aks show --resource-group GROUP --name CLUSTER --query nodeResourceGroup --output tsv",
    ),
    ("AZURE_SUBSCRIPTION_ID", "az account show --query id --output tsv"),
    ("LOCATION", "az aks show --resource-group GROUP --name CLUSTER --query location --output tsv"),
];

/// Returns the command that prints the value of a setting.
pub(super) fn of_setting(name: &str) -> Option<&'static str> {
    SETTINGS.iter().find(|(known, _)| *known == name).map(|(_, command)| *command)
}

/// The command that prints all settings.
pub(super) const DEPLOYMENT: &str = "kubectl get deployment karpenter --namespace kube-system --output yaml";

/// The command that prints API server and CA.
pub(super) const KUBECONFIG: &str = "kubectl config view --raw --minify";

/// The command that prints a NodeClaim.
pub(super) const CLAIM: &str = "kubectl get nodeclaim NAME --output yaml";

/// Returns the command that prints the node class of a NodeClaim.
pub(super) fn class(name: Option<&str>) -> String {
    let name = name.filter(|name| !name.is_empty()).unwrap_or("NAME");
    format!("kubectl get aksnodeclass {} --output yaml", ShellWord::quote(name))
}

/// Returns the command that prints the VM size.
pub(super) fn size(name: Option<&str>, location: &str) -> String {
    let name = name.unwrap_or("SIZE");
    let location = if location.is_empty() { "LOCATION" } else { location };
    let (name, location) = (ShellWord::quote(name), ShellWord::quote(location));
    format!("az vm list-skus --location {location} --size {name} --output json")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_documents_are_words_of_the_shell() {
        assert_eq!(class(Some("$(id)")), "kubectl get aksnodeclass '$(id)' --output yaml");
        assert_eq!(size(Some("a;b"), "c d"), "az vm list-skus --location 'c d' --size 'a;b' --output json");
        assert_eq!(class(None), "kubectl get aksnodeclass NAME --output yaml");
    }
}
