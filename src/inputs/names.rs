//! The names of fields of any input: which may be shown where nothing else of a document may, and which are of secrets.
//!
//! To add the names of another document: a line in `FIELDS`.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use super::{karpenter, nbc};
use crate::configuration::{Configuration, Descriptor, Kind, Message};

/// Every spelling of a field of a Configuration, of a NodeBootstrappingConfiguration and of the settings of Karpenter in lower
/// case, and whether a field of that name is secret.
static FIELDS: LazyLock<BTreeMap<String, bool>> = LazyLock::new(|| {
    fn add(descriptor: &Descriptor, fields: &mut BTreeMap<String, bool>) {
        for field in descriptor.fields {
            for spelling in [field.name, field.json_name] {
                *fields.entry(spelling.to_ascii_lowercase()).or_default() |= field.secret;
            }
            if let Kind::Message(inner) = field.kind {
                add(inner, fields);
            }
        }
    }
    let mut fields = BTreeMap::new();
    add(Configuration::default().descriptor(), &mut fields);
    let settings = karpenter::objects::SETTINGS.iter().map(|setting| (setting.name, setting.secret));
    for (name, secret) in nbc::field_names().chain(settings) {
        *fields.entry(name.to_ascii_lowercase()).or_default() |= secret;
    }
    fields
});

/// Reports whether any input has a field of this name, in any letter case: it may be shown wherever it stands.
#[cfg(feature = "cli")]
pub(crate) fn is_known_name(name: &str) -> bool {
    const LONGEST: usize = 80;
    name.len() <= LONGEST && FIELDS.contains_key(&name.to_ascii_lowercase())
}

/// Reports whether a field of this name is secret in any input, or sounds like one that is.
pub(crate) fn is_secret_name(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let sounds_secret = ["token", "secret", "password", "key", "proxy"].iter().any(|word| name.contains(word));
    FIELDS.get(&name).copied().unwrap_or(sounds_secret)
}
