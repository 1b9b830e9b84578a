//! The protocol by which a provisioner tells a waiter how an attempt ended.
//!
//! There are two things: the **document** (`provision.json`) and the **marker** (`provision.complete`, empty). The marker
//! says that the document is complete. Each has two places: the disk, and below `/run` for when the disk takes nothing.
//!
//! ```text
//!                 begin                      publish
//!   nothing ─────────────────▶ reserved ───────────────▶ document ──────────▶ document and marker
//!      ▲                           │ killed                  │ killed                  │
//!      └───────────────────────────┴─── next attempt ────────┘                         │ next attempt: the recorded
//!      ▲                                (document set aside)                           │ result, nothing is touched
//!      └──────────── next attempt, when the document belongs to another machine ◀──────┘
//! ```
//!
//! What holds in every state, also after a kill or a loss of power between any two steps:
//! - a document in its place is whole: it is written under another name, synced, renamed, and its folder synced;
//! - a marker on the disk comes after a document that lasts, or after one below `/run` that is gone with the power;
//! - a document of an earlier attempt never stands beside a marker of a later one;
//! - marker and document of this machine are never touched again.
//!
//! [`Disk`] names the steps, so that the test in `model.rs` can end the algorithm at each of them.

mod disk;
mod document;
#[cfg(test)]
mod model;
mod publication;

pub use disk::{Completion, RealDisk};
pub use document::{CONTROLLER_FAILED, Recorded, ResultDocument, Unreadable, signal_name};
pub use publication::{Beginning, Disk, Item, Observed, Place, begin, complete, observe, publish};
