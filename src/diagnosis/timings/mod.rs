//! How long each phase and each step of the way to a Ready node took, and what changed between two nodes.
//!
//! To add a phase: a variant of [`StartupPhase`], and its two points in time in `points`.

mod changes;
mod found;
mod points;

pub use changes::{Change, Changes};
pub use found::{StartupPhase, TimedPhase, TimedStep, Timings};
pub(super) use points::timings;
