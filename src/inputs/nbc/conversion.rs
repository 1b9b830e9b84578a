//! The result that the sections build: the Configuration, the origin of each of its values, the variables that only the
//! scripted route sets, and everything that the Configuration cannot represent.

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

/// A field of the Configuration: its path, and access to it, which creates the messages on the path.
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

/// Variables whose values do not follow from the Configuration, by name.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Overrides(BTreeMap<&'static str, Secret<'static>>);

impl Overrides {
    /// Returns every variable with its value, in byte order of the names.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, &Secret<'static>)> {
        self.0.iter().map(|(name, value)| (*name, value))
    }
}

/// A text of the document, which can be a secret.
pub(super) trait Text {
    /// Returns the clear text.
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

/// A conversion, to which one section after the other contributes.
pub(super) struct Conversion<'d> {
    pub request: &'d Request,
    /// What follows from the name of the image.
    pub distro: NodeDistro,
    /// The version of Kubernetes, if the document has a valid one.
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

    /// Copies a member. An absent one leaves the field of the Configuration unset.
    pub fn copy<S: Clone, T: From<S>>(&mut self, member: Member<'_, S>, target: Target<T>) {
        self.origins.add(target.path, Origin::Field(member.path));
        if let Some(value) = member.value {
            *(target.place)(&mut self.configuration) = value.clone().into();
        }
    }

    /// Copies a text. An absent or empty one leaves the field unset.
    pub fn copy_text<S: Text, T: From<String>>(&mut self, member: Member<'_, S>, target: Target<T>) {
        self.origins.add(target.path, Origin::Field(member.path));
        if let Some(text) = member.value.map(Text::clear).filter(|text| !text.is_empty()) {
            *(target.place)(&mut self.configuration) = text.to_owned().into();
        }
    }

    /// Copies a member. If it is absent, the field gets the zero value, which differs from unset.
    pub fn copy_or_zero<T: Copy + Default>(&mut self, member: Member<'_, T>, target: Target<Option<T>>) {
        self.origins.add(target.path, Origin::Field(member.path));
        *(target.place)(&mut self.configuration) = Some(member.value.copied().unwrap_or_default());
    }

    /// Copies a text in base64, unless it refers to a secret in a key vault, which leaves the field unset.
    pub fn encode<S: Text>(&mut self, member: Member<'_, S>, target: Target<String>) {
        self.origins.add(target.path, Origin::Encoded(member.path));
        if let Some(text) = member.value.map(Text::clear).filter(|text| !is_key_vault_reference(text)) {
            *(target.place)(&mut self.configuration) = STANDARD.encode(text);
        }
    }

    /// Copies the name of an enum value, in any letter case. Any other text is a loss with this consequence.
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

    /// Sets a variable, which overrides the value from the Configuration.
    pub fn set_variable(&mut self, name: &'static str, value: impl Into<String>) {
        self.overrides.0.insert(name, value.into().into());
    }

    /// Notes that the Configuration cannot represent the value of a member.
    pub fn report_loss<S>(&mut self, member: Member<'_, S>, consequence: &'static str) {
        self.losses.push(Loss { path: member.location(), consequence });
    }
}

/// Reports whether a text is the id of a secret in a key vault, which the reference does not look up.
fn is_key_vault_reference(text: &str) -> bool {
    const PROVIDER: &str = "/providers/Microsoft";
    const GROUP: &str = "/resourceGroups/";
    let Some(id) = text.strip_prefix("/subscriptions/") else { return false };
    // Subscription, group, vault and version are anything that is not empty, slashes included.
    let Some(group) = id.match_indices(GROUP).map(|(at, _)| at).find(|at| *at > 0) else { return false };
    let first = group + GROUP.len() + 1;
    let mut providers = id.match_indices(PROVIDER).map(|(at, _)| at).filter(|at| *at >= first);
    providers.any(|at| {
        let after = &id[at + PROVIDER.len()..];
        // Any character stands for the dot, even a blank, which is allowed nowhere else.
        let Some(dot) = after.chars().next().filter(|dot| *dot != '\n') else { return false };
        let Some(vault) = after[dot.len_utf8()..].strip_prefix("KeyVault/vaults/") else { return false };
        let has_blank = |text: &str| text.contains(['\t', '\n', '\u{c}', '\r', ' ']);
        let mut secrets = vault.match_indices("/secrets/").filter(|(at, _)| *at > 0);
        let is_secret = |(at, sign): (usize, &str)| match vault[at + sign.len()..].split_once('/') {
            Some((name, version)) => !name.is_empty() && !version.is_empty(),
            None => at + sign.len() < vault.len(),
        };
        !has_blank(&id[..at]) && !has_blank(vault) && secrets.any(is_secret)
    })
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
            (&format!("{id}/1/2"), true),
            (&format!("{id}/"), false),
            (&format!("{id}\n"), false),
            (&id.replace("/n", "/"), false),
            (&id.replace("/v/", "/v/w/"), true),
            (&id.replace("/v/", "/ /"), false),
            (&id.replace("Microsoft.", "Microsoft "), true),
            (&id.replace("Microsoft.", "Microsoft\n"), false),
            (&id.replace("resourceGroups/g", "resourceGroups/"), false),
            (&id[1..], false),
            (&id.replace("vaults", "keys"), false),
            ("-----BEGIN CERTIFICATE-----", false),
        ] {
            assert_eq!(is_key_vault_reference(text), expected, "{text}");
        }
    }
}
