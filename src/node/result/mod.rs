//! The protocol by which a provisioner passes the result of an attempt to a waiter.
//!
//! It has two files: the **document** (`provision.json`) and the **marker** (`provision.complete`, empty). The marker
//! means that the document is complete. Both have two locations: the disk, and `/run` if the disk cannot be written.
//!
//! ```text
//!                 begin                      publish
//!   nothing ─────────────────▶ reserved ───────────────▶ document ──────────▶ document and marker
//!      ▲                           │ killed                  │ killed                  │
//!      └───────────────────────────┴─── next attempt ────────┘                         │ next attempt: returns the
//!      ▲                                (document set aside)                           │ recorded result
//!      └──────────── next attempt, if the document belongs to another machine ◀────────┘
//! ```
//!
//! Invariants, also after a kill or a loss of power between any two steps:
//! - a document in its location is complete: it is written under another name, synced and renamed, and its directory is
//!   synced;
//! - a marker on the disk is created after a document that survives a loss of power, or after one in `/run`, which does
//!   not;
//! - a document of an earlier attempt never exists beside the marker of a later one;
//! - marker and document of this machine are never changed again.
//!
//! [`Storage`] has a method for each step, so that the tests in `model.rs` can stop the algorithm after every step.

mod document;
#[cfg(test)]
mod model;
mod publication;
mod storage;

pub(super) use document::{
    DocumentError, Recorded, ResultDocument, Timings, signal_name, with_delivery, with_ready, without_secrets,
};
pub(super) use publication::{Location, ObservedResult, ResultFile, Start, Storage, begin, complete, observe, publish};
pub(super) use storage::{Completion, NodeStorage};
