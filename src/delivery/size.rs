//! The size limits of `CustomData` and of the CSE command, and the largest parts of a result that exceeds its limit.

use std::borrow::Cow;
use std::fmt;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::Request;
use crate::Secret;
use crate::catalogue::operating_systems::FirstBoot;
use crate::catalogue::variables::{CERTIFICATE_PREFIX, CERTIFICATES};
use crate::configuration::{Configuration, LIMIT, Message, Slot};
use crate::environment::Environment;
use crate::gzip;

/// When the whole of `CustomData` is compressed. It never is for Ignition, which, unlike cloud-init, does not
/// decompress it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[non_exhaustive]
pub enum Compression {
    /// Only if it would otherwise exceed the limit.
    #[default]
    Auto,
    /// Never.
    Never,
    /// Always.
    Always,
}

/// `CustomData` as the Azure API expects it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CustomData {
    /// Base64, at most [`LIMIT`] characters. Contains the bootstrap token on most routes.
    pub encoded: Secret<'static>,
    /// Whether the text, or its parts, are compressed.
    pub compressed: bool,
}

/// The longest CSE command, in bytes.
///
/// The Custom Script Extension passes `commandToExecute` to a shell as one argument, `sh -c COMMAND`
/// (<https://github.com/Azure/custom-script-extension-linux/blob/master/main/exec.go>), and Linux rejects an argument of
/// more than 131,072 bytes with its final NUL (`MAX_ARG_STRLEN`, 32 pages of 4 KiB, see execve(2)). Azure documents no
/// limit for protected settings; the 256 KB of the extension are for its setting `script`
/// (<https://learn.microsoft.com/azure/virtual-machines/extensions/custom-script-linux#property-script>).
pub const COMMAND_LIMIT: usize = 131_071;

/// A part of a document, and its share of the result.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Contributor {
    /// The name of a field or a variable.
    pub name: String,
    /// Size in characters of the result, without compression.
    pub size: usize,
}

/// What a limit applies to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Artefact {
    /// `CustomData`, in characters of base64.
    CustomData,
    /// The CSE command, in bytes.
    Command,
}

impl Artefact {
    /// Returns the limit: [`LIMIT`] or [`COMMAND_LIMIT`].
    #[must_use]
    pub const fn limit(self) -> usize {
        match self {
            Self::CustomData => LIMIT,
            Self::Command => COMMAND_LIMIT,
        }
    }
}

/// `CustomData` or the CSE command exceeds its limit.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TooLarge {
    /// What is too large.
    pub artefact: Artefact,
    /// Size in the unit of the limit.
    pub size: usize,
    /// Whether this is the size after compression.
    pub compressed: bool,
    /// The largest parts, largest first.
    pub contributors: Vec<Contributor>,
    /// A delivery of the same input with more capacity, if there is one.
    pub more_room: Option<&'static str>,
}

impl std::error::Error for TooLarge {}

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let how = if self.compressed { ", compressed" } else { "" };
        let (name, unit) = match self.artefact {
            Artefact::CustomData => ("CustomData", "characters"),
            Artefact::Command => ("the CSE command", "bytes"),
        };
        let limit = self.artefact.limit();
        write!(f, "{name} is {} {unit} over the limit of {limit}: {}{how}", self.size - limit, self.size)?;
        for Contributor { name, size } in &self.contributors {
            write!(f, "\n  {size:>7}  {name}")?;
        }
        self.more_room.map_or(Ok(()), |hint| write!(f, "\n  hint: {hint}"))
    }
}

impl CustomData {
    /// Encodes a document for the first boot. `contributors` is only called if the document is too large.
    ///
    /// # Errors
    /// Fails if the result exceeds the limit, after compression where `request` and `first_boot` allow it.
    pub(crate) fn new(
        document: &str,
        first_boot: FirstBoot,
        request: &Request,
        contributors: impl FnOnce() -> Vec<Contributor>,
    ) -> Result<Self, TooLarge> {
        let fits = encoded(document.len()) <= LIMIT;
        let compressed = first_boot == FirstBoot::CloudInit
            && match request.compression {
                Compression::Auto => !fits || request.text_only && !is_kept_as_text(document.as_bytes()),
                Compression::Never => false,
                Compression::Always => true,
            };
        let bytes: Cow<'_, [u8]> = match (compressed, request.text_only) {
            (false, _) => document.as_bytes().into(),
            (true, false) => gzip::compress(document.as_bytes()).into(),
            (true, true) => gzip::without_cr::compress(document.as_bytes()).into(),
        };
        within_limit(STANDARD.encode(&bytes), compressed, contributors)
    }

    /// Returns a text in which each byte is a character of Latin-1, for a program that encodes each character of a file as one
    /// byte; `None` if bytes would be lost, because such programs replace carriage returns.
    #[must_use]
    pub fn to_latin_1(&self) -> Option<Secret<'static>> {
        let bytes = STANDARD.decode(self.encoded.expose()).ok()?;
        is_kept_as_text(&bytes).then(|| bytes.iter().copied().map(char::from).collect::<String>().into())
    }
}

/// Reports whether a document means the same after a program has read it as a text, by which a line feed replaces each end of a
/// line. That changes no MIME document, whose parts have no carriage return.
fn is_kept_as_text(document: &[u8]) -> bool {
    document.starts_with(b"MIME-Version:") || memchr::memchr(b'\r', document).is_none()
}

/// Returns the size of bytes in base64.
pub(super) const fn encoded(bytes: usize) -> usize {
    bytes.div_ceil(3) * 4
}

/// Returns `CustomData` from a text that is already encoded.
pub(super) fn within_limit(
    encoded: String,
    compressed: bool,
    contributors: impl FnOnce() -> Vec<Contributor>,
) -> Result<CustomData, TooLarge> {
    check(Artefact::CustomData, encoded.len(), compressed, contributors)?;
    Ok(CustomData { encoded: encoded.into(), compressed })
}

/// Fails if a size exceeds the limit. `contributors` is only called then.
pub(super) fn check(
    artefact: Artefact,
    size: usize,
    compressed: bool,
    contributors: impl FnOnce() -> Vec<Contributor>,
) -> Result<(), TooLarge> {
    if size <= artefact.limit() {
        return Ok(());
    }
    let mut contributors = merged(contributors());
    contributors.sort_by(|a, b| b.size.cmp(&a.size).then_with(|| a.name.cmp(&b.name)));
    contributors.truncate(5);
    Err(TooLarge { artefact, size, compressed, contributors, more_room: None })
}

/// Replaces the numbered variables of certificates by their sum, because only together are they large.
fn merged(contributors: Vec<Contributor>) -> Vec<Contributor> {
    let (certificates, mut rest): (Vec<_>, Vec<_>) = contributors.into_iter().partition(|contributor| {
        contributor.name.strip_prefix(CERTIFICATE_PREFIX).is_some_and(|number| number.parse::<usize>().is_ok())
    });
    if !certificates.is_empty() {
        let size = certificates.iter().map(|certificate| certificate.size).sum();
        rest.push(Contributor { name: format!("{CERTIFICATES} ({} variables)", certificates.len()), size });
    }
    rest
}

/// Returns the share of each field if `CustomData` carries the Configuration, which is encoded twice: 16 characters for
/// 9 bytes.
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
