//! The program on a node: `provision` and `provision-wait` as processes, below a folder that stands for the machine.
//!
//! Names of tests begin with the requirements that they are about; `docs/node-requirements.md` lists them.

mod attempts;
mod bad_input;
mod harness;
mod kills;
mod waiting;
