//! Resource ids of subnets.

/// The parts of a subnet id that become variables.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Subnet<'a> {
    /// The resource group of the virtual network.
    pub resource_group: &'a str,
    /// The name of the virtual network.
    pub network: &'a str,
    /// The name of the subnet.
    pub name: &'a str,
}

impl<'a> Subnet<'a> {
    /// Parses a resource id, ignoring the letter case of its fixed parts. `None` if it is not the id of a subnet.
    #[must_use]
    pub fn parse(id: &'a str) -> Option<Self> {
        let parts: Vec<&str> = id.split('/').collect();
        let fixed = [
            (0, ""),
            (1, "subscriptions"),
            (3, "resourceGroups"),
            (5, "providers"),
            (6, "Microsoft.Network"),
            (7, "virtualNetworks"),
            (9, "subnets"),
        ];
        let fits = parts.len() == 11 && fixed.iter().all(|(at, word)| parts[*at].eq_ignore_ascii_case(word));
        fits.then(|| Self { resource_group: parts[4], network: parts[8], name: parts[10] })
    }

    /// Reports whether the API of `AKSNodeClass` accepts the names.
    /// <https://github.com/Azure/karpenter-provider-azure/blob/main/pkg/apis/crds/karpenter.azure.com_aksnodeclasses.yaml>
    pub(super) fn has_names(&self) -> bool {
        let group = self.resource_group;
        let is_group = |byte: u8| byte.is_ascii_alphanumeric() || b"_-().".contains(&byte);
        (1..=90).contains(&group.len())
            && group.bytes().all(is_group)
            && !group.ends_with('.')
            && !self.network.is_empty()
            && !self.name.is_empty()
    }
}
