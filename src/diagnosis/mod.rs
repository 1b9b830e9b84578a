//! Why a machine is not a node: everything that is known of it together.
//!
//! [`Diagnosis::of`] reads the result, the marker, events, states of units and logs of a node, and returns how far it got, what
//! failed, the [explanation](crate::explain) of it, and a timeline. It is pure; `reading` collects the texts from a machine, a directory
//! or an archive, and `redaction` takes secrets out of them.
//!
//! To read another text: its [`Source`], and what it says about time in `timeline`.
//!
//! ```
//! use aks_node_controller::diagnosis::{Diagnosis, Evidence, Item, Source, State};
//!
//! let text = r#"{"ExitCode":"50","Output":"","Error":"","KernelStartTime":"Sun 2026-11-22 05:52:31 UTC",
//!     "CSEStartTime":"Sun Nov 22 05:53:40 UTC 2026","ExecDuration":"64"}"#;
//! let item = Item {
//!     path: "provision.json".to_owned(),
//!     source: Source::Result,
//!     text: text.to_owned(),
//!     left_out: 0,
//!     modified: None,
//! };
//! let diagnosis = Diagnosis::of(&Evidence { items: vec![item], ..Evidence::default() });
//! assert_eq!(diagnosis.state, State::Failed);
//! assert_eq!(diagnosis.summary, "Failed in nodePrep: checkOutbound with 50 ERR_OUTBOUND_CONN_FAIL, 2 min 13 s after boot");
//! ```

#[cfg(feature = "cli")]
mod bundle;
mod check;
mod errors;
mod evidence;
mod judgement;
mod moment;
#[cfg(feature = "cli")]
pub mod reading;
#[cfg(feature = "cli")]
mod redaction;
mod text;
mod timeline;
mod units;

#[cfg(feature = "cli")]
pub use bundle::bundle;
pub use check::{Check, Verdict};
pub use evidence::{Evidence, Item, Source, Unread};
pub use judgement::{Diagnosis, State};
pub use moment::Moment;
#[cfg(feature = "cli")]
pub use redaction::Redactor;
pub use text::{Meaning, Painter};
pub use timeline::{Phase, Row};
#[cfg(feature = "node")]
pub(crate) use units::units as units_of;
pub use units::{PROPERTIES, UNITS, Unit};
