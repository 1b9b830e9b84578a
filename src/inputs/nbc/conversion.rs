//! What the sections write to: the Configuration, the origin of each of its values, the variables that the scripted
//! route sets itself, and what the Configuration cannot represent.

use std::collections::BTreeMap;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::Loss;
use super::origins::{Origin, Origins};
use super::request::Request;
use crate::Secret;
use crate::catalogue::node_distros::NodeDistro;
use crate::configuration::{Configuration, Version};
use crate::inputs::member::Member;

/// A field of the Configuration: its path, and how to reach it. Messages on the way to it are created.
pub(super) struct Target<T> {
    pub path: &'static str,
    pub place: fn(&mut Configuration) -> &mut T,
}

impl<T> Clone for Target<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Target<T> {}

/// Makes the [`Target`] of a field from its path.
macro_rules! target {
    ($first:ident $(. $rest:ident)*) => {
        $crate::inputs::nbc::conversion::Target {
            path: concat!(stringify!($first) $(, ".", stringify!($rest))*),
            place: |configuration| $crate::inputs::nbc::conversion::target!(@ configuration $first $($rest)*),
        }
    };
    (@ $message:ident $field:ident) => { &mut $message.$field };
    (@ $message:ident $field:ident $($rest:ident)+) => {{
        let inner = $message.$field.get_or_insert_default();
        $crate::inputs::nbc::conversion::target!(@ inner $($rest)+)
    }};
}
pub(super) use target;

/// Variables whose values the Configuration does not lead to, by name.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Overrides(BTreeMap<&'static str, Secret<'static>>);

impl Overrides {
    /// Returns every variable with its value, in byte order of the names.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, &Secret<'static>)> {
        self.0.iter().map(|(name, value)| (*name, value))
    }
}

/// A text of the document, which may be a secret.
pub(super) trait Text {
    /// Returns the text in clear.
    fn clear(&self) -> &str;
}

impl Text for String {
    fn clear(&self) -> &str {
        self
    }
}

impl Text for Secret<'_> {
    fn clear(&self) -> &str {
        self.expose()
    }
}

/// A conversion that the sections contribute to, one after the other.
pub(super) struct Conversion<'d> {
    pub request: &'d Request,
    /// What follows from the name of the image.
    pub distro: NodeDistro,
    /// The version of Kubernetes, if the document's text is one.
    pub version: Option<Version<'d>>,
    pub configuration: Configuration,
    pub origins: Origins,
    pub overrides: Overrides,
    pub losses: Vec<Loss>,
}

impl<'d> Conversion<'d> {
    pub fn new(request: &'d Request, distro: NodeDistro, version: Option<Version<'d>>) -> Self {
        Self {
            request,
            distro,
            version,
            configuration: Configuration::default(),
            origins: Origins::default(),
            overrides: Overrides::default(),
            losses: Vec::new(),
        }
    }

    /// Reports whether the version of Kubernetes is known and at least 1.`minor`.
    pub fn is_at_least(&self, minor: u64) -> bool {
        self.version.is_some_and(|version| version >= Version::new(1, minor, 0))
    }

    /// Takes a member over unchanged. An absent one leaves the field of the Configuration unset.
    pub fn copy<S: Clone, T: From<S>>(&mut self, member: Member<'_, S>, target: Target<T>) {
        self.origins.add(target.path, Origin::Field(member.path));
        if let Some(value) = member.value {
            *(target.place)(&mut self.configuration) = value.clone().into();
        }
    }

    /// Takes a text over unchanged. An absent or empty one leaves the field unset.
    pub fn copy_text<S: Text, T: From<String>>(&mut self, member: Member<'_, S>, target: Target<T>) {
        self.origins.add(target.path, Origin::Field(member.path));
        if let Some(text) = member.value.map(Text::clear).filter(|text| !text.is_empty()) {
            *(target.place)(&mut self.configuration) = text.to_owned().into();
        }
    }

    /// Takes a member over. If it is absent, the field has the zero value, which differs from an unset one.
    pub fn copy_or_zero<T: Copy + Default>(&mut self, member: Member<'_, T>, target: Target<Option<T>>) {
        self.origins.add(target.path, Origin::Field(member.path));
        *(target.place)(&mut self.configuration) = Some(member.value.copied().unwrap_or_default());
    }

    /// Takes a text over in base64, unless it refers to a secret in a key vault, which leaves the field unset.
    pub fn encode<S: Text>(&mut self, member: Member<'_, S>, target: Target<String>) {
        self.origins.add(target.path, Origin::Encoded(member.path));
        if let Some(text) = member.value.map(Text::clear).filter(|text| !is_key_vault_reference(text)) {
            *(target.place)(&mut self.configuration) = STANDARD.encode(text);
        }
    }

    /// Takes a text over that names a value of an enum, in any case. Another text is a loss with this consequence.
    pub fn copy_name(
        &mut self,
        member: Member<'_, String>,
        names: &[(&str, i32)],
        target: Target<i32>,
        consequence: &'static str,
    ) {
        self.origins.add(target.path, Origin::Field(member.path));
        let text = member.text();
        if let Some((_, number)) = names.iter().find(|(name, _)| name.eq_ignore_ascii_case(text)) {
            *(target.place)(&mut self.configuration) = *number;
        } else if !text.is_empty() {
            self.report_loss(member, consequence);
        }
    }

    /// Sets a field to a value that was computed.
    pub fn set<T>(&mut self, target: Target<T>, value: impl Into<T>, origin: Origin) {
        self.origins.add(target.path, origin);
        *(target.place)(&mut self.configuration) = value.into();
    }

    /// Sets the variable of a name, whatever the Configuration leads to.
    pub fn set_variable(&mut self, name: &'static str, value: impl Into<String>) {
        self.overrides.0.insert(name, value.into().into());
    }

    /// Notes that the Configuration cannot represent the value of a member.
    pub fn report_loss<S>(&mut self, member: Member<'_, S>, consequence: &'static str) {
        self.losses.push(Loss { path: member.location(), consequence });
    }
}

/// Whether a text is the id of a secret in a key vault, which the reference does not look up.
fn is_key_vault_reference(text: &str) -> bool {
    let mut parts = text.split('/');
    let fixed = |part: Option<&str>, name: &str| part == Some(name);
    let any = |part: Option<&str>| part.is_some_and(|part| !part.is_empty());
    fixed(parts.next(), "")
        && fixed(parts.next(), "subscriptions")
        && any(parts.next())
        && fixed(parts.next(), "resourceGroups")
        && any(parts.next())
        && fixed(parts.next(), "providers")
        && fixed(parts.next(), "Microsoft.KeyVault")
        && fixed(parts.next(), "vaults")
        && any(parts.next())
        && fixed(parts.next(), "secrets")
        && any(parts.next())
        && parts.next().is_none_or(|version| !version.is_empty())
        && parts.next().is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_id_of_a_secret_in_a_key_vault_has_a_name_and_an_optional_version() {
        let id = "/subscriptions/s/resourceGroups/g/providers/Microsoft.KeyVault/vaults/v/secrets/n";
        for (text, expected) in [
            (id, true),
            (&format!("{id}/1"), true),
            (&format!("{id}/1/2"), false),
            (&format!("{id}/"), false),
            (&id[1..], false),
            (&id.replace("vaults", "keys"), false),
            ("-----BEGIN CERTIFICATE-----", false),
        ] {
            assert_eq!(is_key_vault_reference(text), expected, "{text}");
        }
    }
}
