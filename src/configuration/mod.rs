//! The contract: what a node is asked to be, as types.
//!
//! The messages are made from `proto/` (see `tests/contract`); this room reads them from documents, writes them, and
//! checks what they say. To add a field: declare it in `proto/`, run `make generate`, give it a row where it leads to.

#[rustfmt::skip]
#[allow(clippy::pedantic, missing_docs, reason = "made by prost and `make generate`")]
mod contract;
mod decode;
mod encode;
mod message;
mod validate;
mod version;

pub use contract::*;
pub use message::{Descriptor, EnumDescriptor, EnumValue, Field, Kind, Label, Message, MessageMap, Slot, SlotMut};
pub(crate) use validate::syntax;
pub use validate::{LIMIT, Today, missing, validate};
pub use version::Version;

use std::fmt;

use crate::document::{DocPath, Finding, Problem, Report, Source};

/// Versions of the contract that are understood. The first is the current one.
pub const VERSIONS: [&str; 2] = ["v1", "v0"];

/// A Configuration that was read, with the warnings that it earned on the way.
#[derive(Clone, Debug)]
pub struct Decoded {
    /// What the document says.
    pub configuration: Configuration,
    /// Only warnings: unknown fields and unknown names of values, in document order.
    pub report: Report,
}

impl Configuration {
    /// Reads JSON or YAML; see [`Source::new`] for how the two are told apart.
    ///
    /// # Errors
    /// The document breaks its syntax or the contract. The report holds every finding, warnings too.
    pub fn from_document(bytes: &[u8]) -> Result<Decoded, Report> {
        let source = Source::new(bytes)?;
        Self::from_source(&source)
    }

    /// Reads a document whose syntax is known; its [`Source`] can then place findings that come later.
    ///
    /// # Errors
    /// As [`Configuration::from_document`].
    pub fn from_source(source: &Source<'_>) -> Result<Decoded, Report> {
        let mut configuration = Self::default();
        let findings = decode::read(source, &mut configuration);
        let mut report = Report { findings };
        report.sort();
        if report.is_valid() { Ok(Decoded { configuration, report }) } else { Err(report) }
    }

    /// Reads the binary form.
    ///
    /// # Errors
    /// The bytes are not a message of the contract.
    pub fn from_protobuf(bytes: &[u8]) -> Result<Self, Report> {
        prost::Message::decode(bytes).map_err(|error: prost::DecodeError| {
            Finding::error(DocPath::root(), Problem::Wire(error.to_string())).into()
        })
    }

    /// The JSON text that travels in `CustomData` and that the node reads.
    #[must_use]
    pub fn to_json(&self) -> String {
        encode::document(self)
    }

    /// The JSON text with secrets replaced, for people.
    #[must_use]
    pub fn to_redacted_json(&self) -> serde_json::Value {
        encode::redacted(self)
    }

    /// Whether this program understands the document's `version`.
    ///
    /// # Errors
    /// It does not; nothing may be made of such a document.
    pub fn check_version(&self) -> Result<(), Finding> {
        if VERSIONS.contains(&self.version.as_str()) {
            return Ok(());
        }
        let path = DocPath::fields("version");
        let problem = if self.version.is_empty() {
            Problem::Missing
        } else {
            let expected = "`v1` (or `v0`, its older name)".into();
            Problem::Unexpected { expected, found: format!("{:?}", self.version) }
        };
        Err(Finding::error(path, problem).hint("write `\"version\": \"v1\"`"))
    }

    /// The version of Kubernetes, if the text is one.
    #[must_use]
    pub fn kubernetes(&self) -> Option<Version<'_>> {
        Version::parse(&self.kubernetes_version)
    }
}

impl KubeletConfigFileConfig {
    /// The kubelet's configuration file.
    #[must_use]
    pub fn to_kubelet_json(&self) -> String {
        encode::kubelet_file(self)
    }

    /// The same with its members in another order, by their names in the file; members without a place in the order
    /// come last. Members of `if_unset` are written even if they are unset.
    pub(crate) fn to_ordered_kubelet_json(&self, order: &[&str], if_unset: &[&str]) -> String {
        encode::ordered_kubelet_file(self, order, if_unset)
    }
}

/// `Debug` of every message: its JSON with secrets replaced.
fn redacted(message: &dyn Message, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    write!(f, "{} {}", message.descriptor().name, encode::redacted(message))
}
