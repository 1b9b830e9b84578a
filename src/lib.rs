#![doc = include_str!("../README.md")]

pub mod catalogue;
pub mod cli;
pub mod configuration;
pub mod delivery;
pub mod document;
pub mod environment;
pub mod inputs;
pub mod node;
pub mod parts;
pub mod rendering;
pub mod script;
mod secret;

pub use secret::Secret;
