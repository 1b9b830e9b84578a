//! The work on a node: provisioning it, and waiting until it is Ready. No other module starts processes, and no other writes
//! files of a machine.
//!
//! [`provision()`] makes one attempt to provision the node, [`wait()`] waits for the result of an attempt, and [`bake()`]
//! prepares an image. `result` is the protocol between the first two. Every fixed path goes through [`Machine`], so that
//! a directory can stand for a machine in tests and image builds.
//!
//! `provision` reads as a story from there: `inputs` reads what was delivered, `plan` decides what to start, `child` runs
//! it, `report` writes how it ended.
//!
//! The whole module belongs to the feature `node`; no other module but `cli` uses it.

mod bake;
mod bounded;
mod child;
mod clock;
mod dry_run;
mod events;
mod files;
mod inputs;
mod live;
mod lock;
mod log;
mod machine;
mod observation;
mod plan;
mod provision;
mod redaction;
mod report;
mod result;
mod retry;
#[cfg(test)]
mod secrecy;
mod wait;

pub use crate::difference::{Comparison, Difference};
pub use crate::inspection::CommandAssignments;
pub use bake::{BakeError, Change, bake};
pub use dry_run::dry_run;
pub use inputs::{InputError, InputFile, ProvisionRequest};
pub use live::check;
pub use machine::{Machine, UnusableRoot};
pub use observation::observe;
pub use provision::provision;
pub use retry::{RetryError, RetryPlan, RetryRequest, retry};
pub use wait::{AwaitNode, WaitResult, wait};

use log::Log;
