//! Diagnoses why a machine is not a node, from all evidence together.
//!
//! [`diagnose`] reads the result, the marker, events, states of units and logs of a node, and returns how far it got,
//! what failed, the [explanation](crate::explain()) of it, and a timeline. It is pure; `reading` collects the texts
//! from a machine, a directory or an archive, and `redaction` removes secrets from them.
//!
//! To read another text: its [`Source`], and its rows in `timeline`.
//!
//! ```
//! use aks_node_controller::diagnosis::{Evidence, Item, Source, State, diagnose};
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
//! let diagnosis = diagnose(&Evidence { items: vec![item], ..Evidence::default() });
//! assert_eq!(diagnosis.state, State::Failed);
//! assert_eq!(diagnosis.summary, "Failed with 50 ERR_OUTBOUND_CONN_FAIL, 2 min 13 s after boot");
//! ```

#[cfg(feature = "cli")]
mod bundle;
mod causes;
mod check;
mod errors;
mod evidence;
mod judgement;
mod partial;
#[cfg(feature = "cli")]
pub mod reading;
mod text;
mod timeline;
mod timings;
mod units;

pub use crate::moment::Moment;
#[cfg(feature = "cli")]
pub use bundle::bundle;
pub use check::{Check, Verdict};
pub use evidence::{Evidence, Item, Source, Unread};
pub use judgement::{Diagnosis, State, diagnose};
pub use text::{Meaning, Painter};
pub use timeline::{Phase, Row};
pub use timings::{Change, Changes, StartupPhase, TimedPhase, TimedStep, Timings};
pub use units::Unit;
#[cfg(node)]
pub(crate) use units::units as units_of;
#[cfg(node)]
pub(crate) use units::{PROPERTIES, UNITS};
