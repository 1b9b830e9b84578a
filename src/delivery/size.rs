//! The size limit of `CustomData`, and the largest parts of one that exceeds it.

use std::borrow::Cow;
use std::fmt;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use crate::Secret;
use crate::catalogue::operating_systems::FirstBoot;
use crate::configuration::{Configuration, LIMIT, Message, Slot};
use crate::environment::Environment;
use crate::gzip;

/// When `CustomData` is compressed as a whole. cloud-init decompresses it; Ignition does not, so it is never compressed
/// for Ignition.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Compression {
    /// Only if it would exceed the limit otherwise.
    #[default]
    Auto,
    /// Never.
    Never,
    /// Always.
    Always,
}

/// `CustomData` as the Azure API expects it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CustomData {
    /// Base64, at most [`LIMIT`] characters. Contains the bootstrap token on most routes.
    pub encoded: Secret<'static>,
    /// Whether the text inside is compressed.
    pub compressed: bool,
}

/// A part of a document and its share of the result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contributor {
    /// The name of a field or a variable.
    pub name: String,
    /// Size in characters of the result, without compression.
    pub size: usize,
}

/// `CustomData` exceeds the limit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TooLarge {
    /// Size in characters of base64.
    pub size: usize,
    /// Whether that is the size after compression.
    pub compressed: bool,
    /// The largest parts, largest first.
    pub contributors: Vec<Contributor>,
}

impl std::error::Error for TooLarge {}

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let how = if self.compressed { ", compressed" } else { "" };
        let over = self.size - LIMIT;
        write!(f, "CustomData is {over} characters over the limit of {LIMIT}: {}{how}", self.size)?;
        for Contributor { name, size } in &self.contributors {
            write!(f, "\n  {size:>7}  {name}")?;
        }
        Ok(())
    }
}

impl CustomData {
    /// Encodes a document for the first boot. `contributors` is called only if the document does not fit.
    ///
    /// # Errors
    /// Fails if the result exceeds the limit, after compression where `compression` and `first_boot` allow it.
    pub(super) fn new(
        document: &str,
        first_boot: FirstBoot,
        compression: Compression,
        contributors: impl FnOnce() -> Vec<Contributor>,
    ) -> Result<Self, TooLarge> {
        let fits = document.len().div_ceil(3) * 4 <= LIMIT;
        let compressed = first_boot == FirstBoot::CloudInit
            && match compression {
                Compression::Auto => !fits,
                Compression::Never => false,
                Compression::Always => true,
            };
        let bytes: Cow<'_, [u8]> =
            if compressed { gzip::compress(document.as_bytes()).into() } else { document.as_bytes().into() };
        within_limit(STANDARD.encode(&bytes), compressed, contributors)
    }
}

/// Returns `CustomData` that is encoded already.
pub(super) fn within_limit(
    encoded: String,
    compressed: bool,
    contributors: impl FnOnce() -> Vec<Contributor>,
) -> Result<CustomData, TooLarge> {
    if encoded.len() > LIMIT {
        let mut contributors = contributors();
        contributors.sort_by(|a, b| b.size.cmp(&a.size).then_with(|| a.name.cmp(&b.name)));
        contributors.truncate(5);
        return Err(TooLarge { size: encoded.len(), compressed, contributors });
    }
    Ok(CustomData { encoded: encoded.into(), compressed })
}

/// Returns the share of each field where `CustomData` carries the Configuration, which is encoded twice: 16 characters
/// for 9 bytes.
pub(super) fn fields(configuration: &Configuration) -> Vec<Contributor> {
    fn walk(message: &dyn Message, path: &str, found: &mut Vec<Contributor>) {
        for (index, field) in message.descriptor().fields.iter().enumerate() {
            let name = if path.is_empty() { field.name.to_owned() } else { format!("{path}.{}", field.name) };
            let pair = |key: &str, value: &str| key.len() + value.len() + 8;
            let bytes: usize = match message.slot(index) {
                Slot::Message(Some(inner)) => {
                    walk(inner, &name, found);
                    continue;
                }
                Slot::Text(text) | Slot::OptionalText(Some(text)) => pair(field.name, text),
                Slot::Texts(texts) => texts.iter().map(|text| text.len() + 8).sum(),
                Slot::TextMap(map) => map.iter().map(|(key, value)| pair(key, value)).sum(),
                Slot::BoolMap(map) => map.keys().map(|key| pair(key, "false")).sum(),
                Slot::MessageMap(map) => {
                    for (key, inner) in map.entries() {
                        walk(inner, &format!("{name}[{key:?}]"), found);
                    }
                    continue;
                }
                _ => continue,
            };
            found.push(Contributor { name, size: bytes * 16 / 9 });
        }
    }
    let mut found = Vec::new();
    walk(configuration, "", &mut found);
    found
}

/// Returns the share of each variable in a script, which is encoded once: 4 characters for 3 bytes.
pub(super) fn variables(environment: &Environment<'_>) -> Vec<Contributor> {
    let contributor =
        |name: &str, value: &str| Contributor { name: name.to_owned(), size: (name.len() + value.len() + 2) * 4 / 3 };
    environment.iter().map(|assignment| contributor(&assignment.name, assignment.value.expose())).collect()
}
