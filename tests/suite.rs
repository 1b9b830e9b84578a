//! Tests that take seconds. `cargo test --test suite conformance::` runs those of one directory.
//!
//! They are one binary, because linking one takes as long as running most of them. [README.md](README.md) lists the directories.

mod canaries;
mod command_line;
mod conformance;
mod contract;
mod demands;
mod diagnose;
mod difference;
mod docs;
mod explain;
mod inspection;
mod judges;
mod node;
mod properties;
mod safety;
mod scenarios;
mod secrets;
mod shells;
mod support;
