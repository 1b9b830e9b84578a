//! The Azure clouds and their regions.

use crate::document::{Source, Tree, is_misspelled};

/// A cloud.
#[derive(Debug)]
pub struct Cloud {
    /// The value of `TARGET_CLOUD`.
    pub name: &'static str,
    /// The value of `TARGET_ENVIRONMENT`.
    pub environment: &'static str,
    /// The URL of Azure Resource Manager in this cloud.
    pub resource_manager: &'static str,
    regions: Regions,
    /// Whether this cloud can be the cloud of a region in a Configuration.
    ///
    /// AgentBaker has two functions for this: `GetCloudTargetEnv` in `pkg/agent/utils.go`, for the command of the
    /// scripted route, also knows the later clouds; `getCloudTargetEnv` in `aks-node-controller/parser/helper.go`, for
    /// a Configuration, treats their regions as public.
    from_configuration: bool,
}

#[derive(Debug)]
enum Regions {
    BeginWith(&'static [&'static str]),
    Are(&'static [&'static str]),
}

const fn cloud(name: &'static str, resource_manager: &'static str, regions: Regions) -> Cloud {
    Cloud { name, environment: name, resource_manager, regions, from_configuration: true }
}

/// A cloud that only the regions of a NodeBootstrappingConfiguration can be in.
const fn later_cloud(name: &'static str, regions: Regions) -> Cloud {
    Cloud { from_configuration: false, ..cloud(name, PUBLIC_RESOURCE_MANAGER, regions) }
}

const PUBLIC_RESOURCE_MANAGER: &str = "https://management.azure.com/";

/// The host of the container registry of the public cloud.
pub const PUBLIC_REGISTRY: &str = "mcr.microsoft.com";

/// A custom cloud, which the Configuration describes itself.
pub static CUSTOM: Cloud = Cloud { environment: CUSTOM_NAME, ..cloud("AzureStackCloud", "", Regions::Are(&[])) };

/// The name of a custom cloud.
const CUSTOM_NAME: &str = "akscustom";

/// In the order of the lookup. Unknown regions belong to the first cloud.
static CLOUDS: [Cloud; 9] = [
    cloud("AzurePublicCloud", PUBLIC_RESOURCE_MANAGER, Regions::Are(&[])),
    cloud("AzureChinaCloud", "https://management.chinacloudapi.cn/", Regions::BeginWith(&["china"])),
    cloud("AzureUSGovernmentCloud", "https://management.usgovcloudapi.net/", Regions::BeginWith(&["usgov", "usdod"])),
    // The German cloud was closed; the reference kept its name and gave it the public endpoint.
    cloud("AzureGermanCloud", PUBLIC_RESOURCE_MANAGER, Regions::Are(&["germanynortheast", "germanycentral"])),
    later_cloud("AzureGermanyCloud", Regions::BeginWith(&["delos"])),
    later_cloud("AzureBleuCloud", Regions::BeginWith(&["bleu"])),
    later_cloud("AzureSingaporeCloud", Regions::BeginWith(&["singapore"])),
    // Documents can name these, but no region belongs to them.
    later_cloud("USNatCloud", Regions::Are(&[])),
    later_cloud("USSecCloud", Regions::Are(&[])),
];

/// The DNS suffixes of container registries, in the public cloud, in China and for the government of the US.
pub(crate) const REGISTRY_SUFFIXES: [&str; 3] = ["azurecr.io", "azurecr.cn", "azurecr.us"];

impl Cloud {
    #[cfg(feature = "cli")]
    /// Returns the DNS suffix of container registries.
    pub(crate) fn registry_suffix(&self) -> &'static str {
        match self.name {
            "AzureChinaCloud" => REGISTRY_SUFFIXES[1],
            "AzureUSGovernmentCloud" => REGISTRY_SUFFIXES[2],
            _ => REGISTRY_SUFFIXES[0],
        }
    }

    #[cfg(feature = "cli")]
    /// Returns the host that a node asks to check its outbound access.
    pub(crate) fn outbound_registry(&self) -> &'static str {
        if self.name == "AzureChinaCloud" { "gcr.azk8s.cn" } else { PUBLIC_REGISTRY }
    }
}

/// The regions of Azure. <https://learn.microsoft.com/azure/reliability/regions-list>
const REGIONS: &[&str] = &[
    "australiacentral",
    "australiacentral2",
    "australiaeast",
    "australiasoutheast",
    "austriaeast",
    "belgiumcentral",
    "brazilsouth",
    "brazilsoutheast",
    "brazilus",
    "canadacentral",
    "canadaeast",
    "centralindia",
    "centralus",
    "centraluseuap",
    "chilecentral",
    "chinaeast",
    "chinaeast2",
    "chinaeast3",
    "chinanorth",
    "chinanorth2",
    "chinanorth3",
    "denmarkeast",
    "eastasia",
    "eastus",
    "eastus2",
    "eastus2euap",
    "eastus3",
    "eastusstg",
    "francecentral",
    "francesouth",
    "germanycentral",
    "germanynorth",
    "germanynortheast",
    "germanywestcentral",
    "indonesiacentral",
    "israelcentral",
    "israelnorthwest",
    "italynorth",
    "japaneast",
    "japanwest",
    "jioindiacentral",
    "jioindiawest",
    "koreacentral",
    "koreasouth",
    "malaysiasouth",
    "malaysiawest",
    "mexicocentral",
    "newzealandnorth",
    "northcentralus",
    "northeurope",
    "norwayeast",
    "norwaywest",
    "polandcentral",
    "qatarcentral",
    "saudiarabiaeast",
    "southafricanorth",
    "southafricawest",
    "southcentralus",
    "southcentralus2",
    "southcentralusstg",
    "southeastasia",
    "southeastus",
    "southindia",
    "southwestus",
    "spaincentral",
    "swedencentral",
    "swedensouth",
    "switzerlandnorth",
    "switzerlandwest",
    "taiwannorth",
    "taiwannorthwest",
    "uaecentral",
    "uaenorth",
    "uksouth",
    "ukwest",
    "usdodcentral",
    "usdodeast",
    "usgovarizona",
    "usgovtexas",
    "usgovvirginia",
    "westcentralus",
    "westeurope",
    "westindia",
    "westus",
    "westus2",
    "westus3",
];

/// Returns the region in a name that AKS gives to an API server, known or not: `NAME.hcp.REGION.…`, or `NAME.ID.privatelink.REGION.…`.
pub(crate) fn label_of_region(name: &str) -> Option<&str> {
    let mut labels = name.split('.');
    labels.by_ref().find(|label| ["hcp", "privatelink"].contains(label))?;
    labels.next()
}

/// As [`label_of_region`], but only a known region.
pub(crate) fn region_of_api_server(name: &str) -> Option<&'static str> {
    let region = label_of_region(name)?;
    REGIONS.iter().find(|known| **known == region).copied()
}

/// The ends of the names that AKS gives to API servers: in the public cloud, in China and for the government of the US.
pub(crate) const API_SERVER_ZONES: [&str; 3] = [PUBLIC_API_SERVER_ZONE, ".azk8s.cn", ".azure.us"];

/// The zone of API servers in the public cloud, where every name has a region.
pub(crate) const PUBLIC_API_SERVER_ZONE: &str = ".azmk8s.io";

/// Returns the region of a zone, which Kubernetes names like `westeurope-1`. Regions have no dash in their names.
pub(crate) fn region_of_zone(location: &str) -> Option<&str> {
    let (region, zone) = location.rsplit_once('-')?;
    // `eastus-2` can be meant to be `eastus2`.
    let is_region_too = REGIONS.contains(&&*format!("{region}{zone}"));
    (REGIONS.contains(&region) && ["1", "2", "3"].contains(&zone) && !is_region_too).then_some(region)
}

/// Returns the region that an unknown one is most likely meant to be, if one typing error separates them, or only separators. Azure gets
/// new regions, and their names resemble others in words and numbers.
pub(crate) fn misspelled_region(location: &str) -> Option<&'static str> {
    if REGIONS.contains(&location) {
        return None;
    }
    let plain = location.replace(['-', '_', '.'], "");
    if let Some(known) = REGIONS.iter().find(|known| **known == plain) {
        return Some(known);
    }
    let is_meant = |known: &&&'static str| is_misspelled(location, [**known]);
    REGIONS.iter().find(is_meant).copied()
}

/// Reports whether a name can be that of a region, of which Azure gets new ones: letters, with a number behind them or before `euap`.
/// `global` is the location of resources that have none.
pub(crate) fn may_be_region(location: &str) -> bool {
    let letters = location.strip_suffix("euap").unwrap_or(location);
    let letters = letters.strip_suffix(|last: char| last.is_ascii_digit()).unwrap_or(letters);
    location != "global" && letters.len() >= 4 && letters.bytes().all(|byte| byte.is_ascii_lowercase())
}

/// Reports whether a name is that of a known region.
pub(crate) fn is_region(location: &str) -> bool {
    REGIONS.contains(&location)
}

/// Returns the names of all clouds except custom ones.
pub fn names() -> impl Iterator<Item = &'static str> {
    CLOUDS.iter().map(|cloud| cloud.name)
}

/// Returns the cloud of a region in a Configuration. Letter case and blanks are ignored: `US Gov Virginia` is
/// `usgovvirginia`.
#[must_use]
pub fn of_region(location: &str) -> &'static Cloud {
    find(location, |cloud| cloud.from_configuration)
}

/// Returns the cloud of a region in a NodeBootstrappingConfiguration.
#[must_use]
pub fn of_region_in_nbc(location: &str) -> &'static Cloud {
    find(location, |_| true)
}

fn find(location: &str, is_known: impl Fn(&Cloud) -> bool) -> &'static Cloud {
    let region: String =
        location.chars().filter(|character| !character.is_whitespace()).flat_map(char::to_lowercase).collect();
    let found = CLOUDS.iter().filter(|cloud| is_known(cloud)).find(|cloud| match cloud.regions {
        Regions::BeginWith(beginnings) => beginnings.iter().any(|beginning| region.starts_with(beginning)),
        Regions::Are(names) => names.contains(&region.as_str()),
    });
    found.unwrap_or(&CLOUDS[0])
}

/// Reports whether `custom_cloud_env_name` names a custom cloud, in any letter case.
///
/// Uses Unicode's simple case folding, like the reference: besides ASCII, the Kelvin sign folds to `k` and the long s
/// to `s`.
#[must_use]
pub fn is_custom(name: &str) -> bool {
    let folded = name.chars().map(|character| match character {
        '\u{212a}' => 'k',
        '\u{17f}' => 's',
        character => character.to_ascii_lowercase(),
    });
    folded.eq(CUSTOM_NAME.chars())
}

/// Returns `resourceManagerEndpoint` from the JSON text that describes a custom cloud. Letter case of the name is
/// ignored; of several such members, the last one counts. Empty if the text is not a JSON object or the member is not
/// text.
#[must_use]
pub fn custom_resource_manager(text: &str) -> String {
    // Other texts can be YAML.
    let source = Source::new(text.as_bytes()).ok().filter(|_| text.trim_ascii_start().starts_with('{'));
    let Some(Ok(tree)) = source.as_ref().map(Source::tree) else { return String::new() };
    let Tree::Map(members) = &*tree else { return String::new() };
    let mut endpoint = String::new();
    for (_, value) in members.iter().filter(|(name, _)| name.eq_ignore_ascii_case("resourceManagerEndpoint")) {
        match value {
            Tree::Text(text) => endpoint = text.to_string(),
            Tree::Null => {}
            _ => return String::new(),
        }
    }
    endpoint
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_misspelled_region_is_told_from_a_new_one() {
        for (location, expected) in [
            ("westeurope", None),
            ("westeuorpe", Some("westeurope")),
            ("west-europe", Some("westeurope")),
            ("westerope", Some("westeurope")),
            ("westus4", None),
            ("westus", None),
            ("atlantiscentral", None),
            ("", None),
        ] {
            assert_eq!(misspelled_region(location), expected, "{location}");
        }
    }

    #[test]
    fn names_of_other_clouds_cannot_be_regions() {
        assert!(REGIONS.iter().all(|region| may_be_region(region)));
        for (location, expected) in [
            ("eastus2euap", true),
            ("centraluseuap", true),
            ("usseceast", true),
            ("bleufrancecentral", true),
            ("westus4", true),
            ("eu-west-1", false),
            ("us-central1", false),
            ("global", false),
            ("westus22", false),
            ("", false),
        ] {
            assert_eq!(may_be_region(location), expected, "{location}");
        }
    }

    #[test]
    fn a_custom_cloud_is_recognised_in_any_letter_case() {
        for (name, expected) in [
            ("akscustom", true),
            ("AKSCustom", true),
            ("a\u{212a}\u{17f}custom", true),
            ("akscustom ", false),
            ("AzureStackCloud", false),
            ("", false),
        ] {
            assert_eq!(is_custom(name), expected, "{name}");
        }
    }

    #[test]
    fn later_clouds_have_no_regions_in_a_configuration() {
        for (region, in_configuration, in_request) in [
            ("westeurope", "AzurePublicCloud", "AzurePublicCloud"),
            ("US Gov Virginia", "AzureUSGovernmentCloud", "AzureUSGovernmentCloud"),
            ("usdodeast", "AzureUSGovernmentCloud", "AzureUSGovernmentCloud"),
            ("ChinaEast2", "AzureChinaCloud", "AzureChinaCloud"),
            ("germanycentral", "AzureGermanCloud", "AzureGermanCloud"),
            ("germanywestcentral", "AzurePublicCloud", "AzurePublicCloud"),
            ("bleufrancecentral", "AzurePublicCloud", "AzureBleuCloud"),
            ("deloscloudgermanycentral", "AzurePublicCloud", "AzureGermanyCloud"),
            ("singaporecentral", "AzurePublicCloud", "AzureSingaporeCloud"),
            ("", "AzurePublicCloud", "AzurePublicCloud"),
        ] {
            assert_eq!(of_region(region).name, in_configuration, "{region}");
            assert_eq!(of_region_in_nbc(region).name, in_request, "{region}");
        }
    }

    #[test]
    fn the_last_endpoint_of_a_custom_cloud_counts() {
        for (text, expected) in [
            (r#"{"resourceManagerEndpoint": "https://a/"}"#, "https://a/"),
            (r#"{"resourcemanagerendpoint": "b", "ResourceManagerEndpoint": "a"}"#, "a"),
            (r#"{"ResourceManagerEndpoint": null}"#, ""),
            (r#"{"resourceManagerEndpoint": 5}"#, ""),
            (r#"{"resourceManagerEndpoint": "a"} x"#, ""),
            (r#"["resourceManagerEndpoint"]"#, ""),
            ("", ""),
        ] {
            assert_eq!(custom_resource_manager(text), expected, "{text}");
        }
    }
}
