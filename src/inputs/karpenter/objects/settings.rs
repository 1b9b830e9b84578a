//! The settings of Karpenter's controller, by the names of its environment variables.
//!
//! To add a setting: a row in [`SETTINGS`].

use std::collections::BTreeMap;
use std::fmt;
use std::sync::LazyLock;

use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserializer, MapAccess, Visitor};

use super::{Scalar, doubts};
use crate::Secret;
use crate::catalogue::{REDACTED, rules};
use crate::configuration::syntax::{is_ip, is_shell_name, is_uuid};
use crate::document::{DocPath, Finding, Names, Report, Source, read_document};
use crate::inputs::karpenter::Subnet;

/// One setting.
#[derive(Debug)]
pub struct Setting {
    /// The name of the environment variable.
    pub name: &'static str,
    /// The value if the setting is absent.
    pub default: &'static str,
    /// Whether the controller needs it.
    pub required: bool,
    /// Whether the value is secret. It is not shown, and only [`Settings::secret`] returns it.
    pub secret: bool,
    check: Check,
}

#[derive(Clone, Copy, Debug)]
enum Check {
    Anything,
    Words(&'static [&'static str]),
    Subnet,
    Address,
    Uuid,
    Url,
    Switch,
    UserName,
}

const fn required(name: &'static str, check: Check) -> Setting {
    Setting { name, default: "", required: true, secret: false, check }
}

const fn optional(name: &'static str, default: &'static str, check: Check) -> Setting {
    Setting { name, default, required: false, secret: false, check }
}

/// All settings of the controller, including those without effect on a node, so that they are not reported as unknown.
pub static SETTINGS: &[Setting] = &[
    required("CLUSTER_NAME", Check::Anything),
    required("CLUSTER_ENDPOINT", Check::Url),
    Setting { name: "KUBELET_BOOTSTRAP_TOKEN", default: "", required: true, secret: true, check: Check::Anything },
    required("SSH_PUBLIC_KEY", Check::Anything),
    required("VNET_SUBNET_ID", Check::Subnet),
    required("AZURE_NODE_RESOURCE_GROUP", Check::Anything),
    optional("LINUX_ADMIN_USERNAME", "azureuser", Check::UserName),
    optional("NETWORK_PLUGIN", "azure", Check::Words(&["azure", "none"])),
    optional("NETWORK_PLUGIN_MODE", "overlay", Check::Words(&["overlay", ""])),
    optional("NETWORK_POLICY", "", Check::Anything),
    optional("NETWORK_DATAPLANE", "cilium", Check::Words(&["azure", "cilium", ""])),
    optional("DNS_SERVICE_IP", "", Check::Address),
    optional("VNET_GUID", "", Check::Uuid),
    optional("KUBELET_IDENTITY_CLIENT_ID", "", Check::Uuid),
    optional("NODE_IDENTITIES", "", Check::Anything),
    optional("VM_MEMORY_OVERHEAD_PERCENT", "0.075", Check::Anything),
    optional(
        "PROVISION_MODE",
        "aksscriptless",
        Check::Words(&["aksscriptless", "bootstrappingclient", "aksmachineapi", "aksmachineapiheaderbatch"]),
    ),
    optional("NODEBOOTSTRAPPING_SERVER_URL", "", Check::Anything),
    optional("USE_SIG", "false", Check::Switch),
    optional("SIG_ACCESS_TOKEN_SERVER_URL", "", Check::Url),
    optional("SIG_SUBSCRIPTION_ID", "", Check::Anything),
    optional("NODE_OSDISK_DISKENCRYPTIONSET_ID", "", Check::Anything),
    optional("ADDITIONAL_TAGS", "", Check::Anything),
    optional("ENABLE_AZURE_SDK_LOGGING", "true", Check::Switch),
    optional("AKS_MACHINES_POOL_NAME", "", Check::Anything),
    optional("MANAGE_EXISTING_AKS_MACHINES", "false", Check::Switch),
    optional("PROVIDER_BATCH_IDLE_DURATION", "1s", Check::Anything),
    optional("PROVIDER_BATCH_MAX_DURATION", "5s", Check::Anything),
    optional("PROVIDER_BATCH_MAX_SIZE", "50", Check::Anything),
    optional("ARM_CLOUD", "", Check::Anything),
    optional("AZURE_ENVIRONMENT_FILEPATH", "", Check::Anything),
    optional("LOCATION", "", Check::Anything),
    optional("ARM_RESOURCE_GROUP", "", Check::Anything),
    optional("AZURE_TENANT_ID", "", Check::Anything),
    optional("ARM_TENANT_ID", "", Check::Anything),
    optional("AZURE_SUBSCRIPTION_ID", "", Check::Anything),
    optional("ARM_SUBSCRIPTION_ID", "", Check::Anything),
];

/// The settings that a document has. The rows of [`SETTINGS`] are its fields.
pub(in crate::inputs::karpenter) struct Given(pub BTreeMap<String, Scalar>);

impl<'de> Deserialize<'de> for Given {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        static NAMES: LazyLock<Vec<&str>> = LazyLock::new(|| SETTINGS.iter().map(|setting| setting.name).collect());
        struct Members;
        impl<'de> Visitor<'de> for Members {
            type Value = Given;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Given, A::Error> {
                BTreeMap::deserialize(MapAccessDeserializer::new(map)).map(Given)
            }
        }
        deserializer.deserialize_struct("the controller's settings", &NAMES, Members)
    }
}

/// The settings of one controller.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    public: BTreeMap<&'static str, String>,
    secret: BTreeMap<&'static str, Secret<'static>>,
}

impl Settings {
    /// Reads a map from names to values.
    ///
    /// # Errors
    /// Fails if the syntax is broken, a required setting is absent, or a value violates its rule.
    pub fn from_document(bytes: &[u8]) -> Result<(Self, Report), Report> {
        read_document(&Source::new(bytes)?, |document| {
            let Given(given) = document.read(Names::Exact)?;
            let (settings, findings) = Self::new(given);
            document.report(findings);
            Some(settings)
        })
    }

    /// Fills in defaults, and returns the findings.
    pub(in crate::inputs::karpenter) fn new(mut given: BTreeMap<String, Scalar>) -> (Self, Vec<Finding>) {
        let mut settings = Self::default();
        let mut findings = Vec::new();
        for Setting { name, default, required, secret, check } in SETTINGS {
            let given = given.remove(*name).map(|Scalar(value)| value);
            let violated = given.as_deref().and_then(|value| check.violated_by(value));
            let value = given.unwrap_or_else(|| (*default).to_owned());
            if *required && value.is_empty() {
                findings.push(Finding::missing(DocPath::fields(name)));
            } else if let Some(rule) = violated {
                let found = if *secret { REDACTED.to_owned() } else { format!("{value:?}") };
                findings.push(Finding::unexpected(&rules::KARPENTER_VALUE, DocPath::fields(name), rule, found));
            } else if !value.is_empty() {
                findings.extend(doubts::about(name, &value));
            }
            if *secret {
                settings.secret.insert(name, value.into());
            } else {
                settings.public.insert(name, value);
            }
        }
        settings.check_together(&mut findings);
        (settings, findings)
    }

    fn check_together(&self, findings: &mut Vec<Finding>) {
        if self.get("PROVISION_MODE") != "aksscriptless" {
            let rule = "is not `aksscriptless`: in this mode the controller does not use the script";
            findings.push(Finding::violation(&rules::KARPENTER_NO_EFFECT, DocPath::fields("PROVISION_MODE"), rule));
        }
        let mut violation = |name: &'static str, rule: &'static str| {
            findings.push(Finding::violation(&rules::KARPENTER_COMBINATION, DocPath::fields(name), rule));
        };
        if self.get("NETWORK_PLUGIN") == "none" && !self.get("NETWORK_PLUGIN_MODE").is_empty() {
            violation("NETWORK_PLUGIN_MODE", "must be empty with network plugin `none`");
        }
        if self.is("USE_SIG") && self.get("SIG_SUBSCRIPTION_ID").is_empty() {
            violation("SIG_SUBSCRIPTION_ID", "is required with `USE_SIG`");
        }
        if self.subscription().is_empty() {
            violation("AZURE_SUBSCRIPTION_ID", "is required");
        }
        let mut seen = Vec::new();
        for pair in self.get("ADDITIONAL_TAGS").split(',').filter(|pair| !pair.is_empty()) {
            let Some((key, value)) = pair.split_once('=') else {
                violation("ADDITIONAL_TAGS", "must be `key=value` pairs, separated by commas");
                continue;
            };
            if key.len() > 512 || value.len() > 256 || key.contains(['<', '>', '%', '&', '?', '\\', '/']) {
                violation(
                    "ADDITIONAL_TAGS",
                    "must have keys of up to 512 bytes without `<>%&?\\/`, and values of up to 256 bytes",
                );
            }
            if seen.contains(&key.to_lowercase()) {
                violation("ADDITIONAL_TAGS", "must not have two keys that differ only in letter case");
            }
            seen.push(key.to_lowercase());
        }
    }

    /// Returns the given or the default value of a setting that is not secret. Empty if the name is unknown.
    #[must_use]
    pub fn get(&self, name: &str) -> &str {
        self.public.get(name).map_or("", String::as_str)
    }

    /// Returns the value of a secret setting. Empty if there is no secret setting of this name.
    #[must_use]
    pub fn secret(&self, name: &str) -> Secret<'static> {
        self.secret.get(name).cloned().unwrap_or_default()
    }

    /// Reports whether a boolean setting is `true`.
    #[must_use]
    pub fn is(&self, name: &str) -> bool {
        self.get(name) == "true"
    }

    /// Returns the subscription of the nodes.
    #[must_use]
    pub fn subscription(&self) -> &str {
        self.first_of("AZURE_SUBSCRIPTION_ID", "ARM_SUBSCRIPTION_ID")
    }

    /// Returns the tenant of the nodes, which can be empty.
    #[must_use]
    pub fn tenant(&self) -> &str {
        self.first_of("AZURE_TENANT_ID", "ARM_TENANT_ID")
    }

    fn first_of(&self, name: &str, otherwise: &str) -> &str {
        let first = self.get(name).trim();
        if first.is_empty() { self.get(otherwise).trim() } else { first }
    }

    /// Reports whether pods get addresses from an overlay network.
    #[must_use]
    pub fn is_overlay(&self) -> bool {
        self.get("NETWORK_PLUGIN") == "azure" && self.get("NETWORK_PLUGIN_MODE") == "overlay"
    }

    /// Returns the tags of every resource of a node.
    #[must_use]
    pub fn additional_tags(&self) -> BTreeMap<String, String> {
        let pairs = self.get("ADDITIONAL_TAGS").split(',').filter_map(|pair| pair.split_once('='));
        pairs.map(|(key, value)| (key.to_owned(), value.to_owned())).collect()
    }
}

impl Check {
    /// Returns the rule that a value violates.
    fn violated_by(self, value: &str) -> Option<&'static str> {
        let (fits, rule) = match self {
            Self::Anything => (true, ""),
            Self::Words(words) => (words.contains(&value), "a value that the controller knows"),
            Self::Subnet => (Subnet::parse(value).is_some(), "a subnet id"),
            Self::Address => (value.is_empty() || is_ip(value), "an IP address"),
            Self::Uuid => (value.is_empty() || is_uuid(value), "a GUID"),
            Self::Url => {
                let host = value.split_once("://").map(|(_, rest)| rest.split(['/', ':']).next().unwrap_or_default());
                let is_host = |host: &str| !host.is_empty() && !host.contains(char::is_whitespace);
                (value.is_empty() || host.is_some_and(is_host), "an absolute URL with a host")
            }
            Self::Switch => (matches!(value, "true" | "false"), "`true` or `false`"),
            Self::UserName => {
                let word =
                    value.len() <= 32 && is_shell_name(&value.replace('-', "_")) && !value.starts_with(['_', '-']);
                (word, "a user name: up to 32 letters, digits, `-` and `_`, starting with a letter")
            }
        };
        (!fits).then_some(rule)
    }
}
