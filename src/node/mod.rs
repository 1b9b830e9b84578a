//! On the node: the only room that touches the disk, processes and the clock of the machine.

pub mod files;
mod machine;
pub mod result;

pub use machine::Machine;
