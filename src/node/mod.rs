//! Provisions a node, and waits until it is Ready. No other module starts processes or writes files of a machine.
//!
//! [`provision()`] makes one attempt to provision the node, [`wait()`] waits for the result of an attempt, and
//! [`bake()`] prepares an image. `result` is the protocol between the first two. [`Machine`] resolves every fixed path,
//! so that a directory can stand for a machine in tests and image builds.
//!
//! `provision` has the steps in order: `inputs` reads the delivered files, `plan` decides what to start, `child` runs
//! it, and `report` writes the result.
//!
//! The module belongs to the feature `node`; only `cli` uses it.

mod bake;
mod bounded;
mod child;
mod clock;
mod delivered;
mod dry_run;
// The fuzz targets call its readers.
#[doc(hidden)]
pub mod early_fetch;
mod events;
mod fallback;
mod files;
mod inputs;
mod live;
mod lock;
mod log;
mod machine;
mod observation;
mod plan;
mod provision;
mod report;
mod result;
mod retry;
#[cfg(test)]
mod secrecy;
mod wait;

pub use bake::{BakeError, Change, bake};
pub use delivered::remove_boothooks;
pub use dry_run::dry_run;
pub use early_fetch::{Endpoint, FetchError, FetchRequest, early_fetch};
pub use inputs::{InputError, InputFile, ProvisionRequest};
pub use live::check;
pub use machine::{Machine, UnusableRoot};
pub use observation::observe;
pub use provision::provision;
pub use retry::{RetryError, RetryPlan, RetryRequest, retry};
pub use wait::{AwaitNode, WaitRequest, WaitResult, wait};

use log::Log;
