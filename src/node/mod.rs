//! On the node: the only room that touches the disk, processes and the clock of the machine.
//!
//! [`provision()`] makes one attempt, [`wait()`] waits for its result; `result` is the protocol between the two. All fixed
//! paths go through [`Machine`], so that a folder can stand for a machine.

pub mod assignments;
mod child;
mod clock;
pub mod comparison;
mod events;
mod files;
pub mod image;
mod inputs;
mod lock;
mod log;
mod machine;
mod provision;
mod redaction;
pub mod result;
mod wait;

pub use events::{EventLevel, Task};
pub use inputs::Refusal;
pub use log::Log;
pub use machine::Machine;
pub use provision::{Request, can_be_root, exit_code, provision, rehearse, report_panics};
pub use redaction::{Redaction, Secrets};
pub use wait::{Waited, wait};
