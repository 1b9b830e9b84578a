#![doc = include_str!("../README.md")]

mod atomic_file;
pub mod catalogue;
pub mod cli;
pub mod configuration;
pub mod delivery;
pub mod document;
pub mod environment;
mod gzip;
pub mod inputs;
pub mod node;
pub mod parts;
pub mod rendering;
mod secret;
#[cfg(test)]
mod test_folder;

pub use secret::Secret;
