//! The program on a node: `provision` and `provision-wait` as processes, with a directory that stands for the machine.
//!
//! `docs/node-requirements.md` lists the requirements that these tests check.

mod attempts;
mod bad_input;
mod early_fetch;
mod found_files;
mod harness;
mod kills;
mod ready;
mod retry;
mod waiting;
