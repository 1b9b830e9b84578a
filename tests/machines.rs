//! Tests that take minutes: the scripts and units of a node on machines with systemd or stand-ins, which takes root.
//! `cargo test --test machines units::` runs those of one directory.

mod provisioning;
mod reference;
mod support;
mod units;
