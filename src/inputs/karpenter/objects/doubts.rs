//! Values of settings that the controller accepts, but with which Azure creates no machine, or a node does not join.
//!
//! To add a check: a row in [`DOUBTS`].

use base64::Engine;

use crate::catalogue::demands::BASE64;
use crate::catalogue::rules;
use crate::configuration::across::wrong_region;
use crate::configuration::is_forbidden_user;
use crate::configuration::syntax::{is_resource_name, is_uuid};
use crate::document::{DocPath, Finding, Rule, Severity};

/// A setting, its rule, what it must be, and whether a value is that.
type Doubt = (&'static str, &'static Rule, &'static str, fn(&str) -> bool);

const GROUP: &str = "the name of a resource group: letters, digits, `-`, `_`, `.`, `(` and `)`";

const DOUBTS: &[Doubt] = &[
    ("ARM_SUBSCRIPTION_ID", &rules::UUID, "a UUID", is_uuid),
    ("ARM_TENANT_ID", &rules::UUID, "a UUID", is_uuid),
    ("AZURE_NODE_RESOURCE_GROUP", &rules::RESOURCE_NAME, GROUP, is_resource_name),
    ("AZURE_SUBSCRIPTION_ID", &rules::UUID, "a UUID", is_uuid),
    ("AZURE_TENANT_ID", &rules::UUID, "a UUID", is_uuid),
    (
        "LINUX_ADMIN_USERNAME",
        &rules::ADMIN_USER,
        "a name that Azure accepts for the administrator, such as `azureuser`",
        |name| !is_forbidden_user(name),
    ),
    (
        "NETWORK_POLICY",
        &rules::KARPENTER_VALUE,
        "a network policy of AKS: `azure`, `calico`, `cilium` or `none`",
        |policy| ["azure", "calico", "cilium", "none"].contains(&policy),
    ),
    ("NODE_IDENTITIES", &rules::IDENTITY, "the resource ids of identities, separated by commas", |list| {
        list.split(',').all(|id| id.trim().starts_with("/subscriptions/"))
    }),
    ("SIG_SUBSCRIPTION_ID", &rules::UUID, "a UUID", is_uuid),
    ("SSH_PUBLIC_KEY", &rules::KARPENTER_VALUE, "an SSH public key such as `ssh-ed25519 AAAA… name`", is_public_key),
];

/// Returns the finding for a value, as a warning.
pub(super) fn about(name: &'static str, value: &str) -> Option<Finding> {
    let path = DocPath::fields(name);
    if name == "LOCATION" {
        return wrong_region(value, false, path).map(|finding| finding.severity(Severity::Warning));
    }
    let (_, rule, expected, _) = DOUBTS.iter().find(|(known, _, _, fits)| *known == name && !fits(value))?;
    // What is no public key can be a private one.
    let found = match name {
        "SSH_PUBLIC_KEY" if value.contains("PRIVATE KEY") => "a private key".to_owned(),
        "SSH_PUBLIC_KEY" => "another text".to_owned(),
        _ => format!("{value:?}"),
    };
    Some(Finding::unexpected(rule, path, *expected, found).severity(Severity::Warning))
}

/// Reports whether a text is a public key of OpenSSH: the type, and base64 that begins with the type and its length. Options can be before it.
fn is_public_key(text: &str) -> bool {
    let words: Vec<_> = text.split_ascii_whitespace().collect();
    words.windows(2).any(|pair| {
        let (kind, key) = (pair[0], BASE64.decode(pair[1]).unwrap_or_default());
        let (Some(length), Some(rest)) = (key.first_chunk::<4>(), key.get(4..)) else { return false };
        usize::try_from(u32::from_be_bytes(*length)).is_ok_and(|length| rest.get(..length) == Some(kind.as_bytes()))
            && rest.len() > kind.len()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_public_key_begins_with_its_type_twice() {
        for (text, expected) in [
            ("ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGx4YW1wbGVrZXlleGFtcGxla2V5ZXhhbXBsZWtl demo", true),
            ("ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAAAgQ==", true),
            ("no-pty,command=\"x y\" ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAAAgQ==", true),
            ("ssh-rsa AAAA", false),
            ("ssh-rsa AAAAC3NzaC1lZDI1NTE5AAAAIGx4YW1wbGVrZXlleGFtcGxla2V5ZXhhbXBsZWtl", false),
            ("AAAAC3NzaC1lZDI1NTE5AAAAIGx4YW1wbGVrZXlleGFtcGxla2V5ZXhhbXBsZWtl", false),
            ("hello", false),
        ] {
            assert_eq!(is_public_key(text), expected, "{text}");
        }
    }

    #[test]
    fn the_names_are_those_of_settings() {
        for (name, ..) in DOUBTS {
            assert!(super::super::SETTINGS.iter().any(|setting| setting.name == *name), "{name}");
        }
    }
}
