//! Everything that a person may hand over: each kind of input is a module, and none knows the routes.

pub mod karpenter;
pub mod nbc;
