//! How large `CustomData` may be, and what takes the room when it is too large.

use std::borrow::Cow;
use std::fmt;
use std::io::Write;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::GzBuilder;

use crate::catalogue::operating_systems::FirstBoot;
use crate::configuration::{Configuration, Message, Slot};

/// Azure's limit, in characters of base64: 64 KiB before encoding.
pub use crate::configuration::LIMIT;

/// When `CustomData` is gzip'd as a whole; cloud-init unpacks it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Compression {
    /// Only when it would not fit otherwise.
    #[default]
    Auto,
    /// Never.
    Never,
    /// Always, except for Ignition, which does not unpack.
    Always,
}

/// `CustomData` as Azure takes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CustomData {
    /// Base64, at most [`LIMIT`] characters.
    pub encoded: String,
    /// Whether the text inside is gzip'd.
    pub compressed: bool,
}

/// A part of a document and what it costs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contributor {
    /// A field or a variable.
    pub name: String,
    /// Characters of the result, without compression.
    pub size: usize,
}

/// `CustomData` over the limit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TooLarge {
    /// Characters of base64.
    pub size: usize,
    /// Whether that is after compression.
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
    /// Encodes a document for the first boot. `contributors` is asked only when the document does not fit.
    ///
    /// # Errors
    /// It does not fit, even compressed where that may be tried.
    pub fn new(
        document: &str,
        first_boot: FirstBoot,
        compression: Compression,
        contributors: impl FnOnce() -> Vec<Contributor>,
    ) -> Result<Self, TooLarge> {
        let plain_fits = document.len().div_ceil(3) * 4 <= LIMIT;
        let compressed = first_boot == FirstBoot::CloudInit
            && match compression {
                Compression::Auto => !plain_fits,
                Compression::Never => false,
                Compression::Always => true,
            };
        let bytes: Cow<'_, [u8]> =
            if compressed { gzipped(document.as_bytes()).into() } else { document.as_bytes().into() };
        let encoded = STANDARD.encode(&bytes);
        if encoded.len() > LIMIT {
            let mut contributors = contributors();
            contributors.sort_by(|a, b| b.size.cmp(&a.size).then_with(|| a.name.cmp(&b.name)));
            contributors.truncate(5);
            return Err(TooLarge { size: encoded.len(), compressed, contributors });
        }
        Ok(Self { encoded, compressed })
    }
}

impl CustomData {
    /// `CustomData` that is encoded already.
    pub(super) fn made(encoded: &str, compressed: bool) -> Result<Self, TooLarge> {
        if encoded.len() > LIMIT {
            return Err(TooLarge { size: encoded.len(), compressed, contributors: Vec::new() });
        }
        Ok(Self { encoded: encoded.to_owned(), compressed })
    }
}

/// What each field of a Configuration costs where the Configuration travels: encoded twice, so 16 for 9 bytes.
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

/// What each variable costs in a script: encoded once, so 4 for 3 bytes.
pub(super) fn variables<'v>(variables: impl Iterator<Item = (&'v str, &'v str)>) -> Vec<Contributor> {
    let cost = |name: &str, value: &str| (name.len() + value.len() + 2) * 4 / 3;
    variables.map(|(name, value)| Contributor { name: name.to_owned(), size: cost(name, value) }).collect()
}

/// gzip without a time, so that the same text gives the same bytes.
fn gzipped(bytes: &[u8]) -> Vec<u8> {
    let mut writer = GzBuilder::new().mtime(0).write(Vec::new(), flate2::Compression::best());
    writer.write_all(bytes).expect("memory takes all of it");
    writer.finish().expect("memory takes all of it")
}
