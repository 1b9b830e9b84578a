//! Renders `CustomData` and the CSE command with which an Azure virtual machine becomes an AKS (Azure Kubernetes
//! Service) node, and runs the provisioning on the node.
//!
//! A document of any kind that [`inputs`] knows is read, checked and rendered for one of the routes of [`delivery`]:
//!
//! ```text
//! input → Configuration → Environment → Script → CustomData / CSE → node
//! ```
//!
//! ```
//! use aks_node_controller::{Input, Request, Route};
//!
//! # let document = include_bytes!("../testdata/examples/ubuntu-azure-cni.yaml");
//! let input = Input::from_document(document)?;
//! let request = Request { route: Route::Scriptless, ..Request::default() };
//! let delivery = request.render(&input)?;
//! assert!(delivery.cse.is_some());
//! println!("{}", delivery.to_json());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`inspect`] decodes the artifacts of a machine, [`diff`] compares them, [`explain()`] explains a failure, and
//! [`diagnose`] finds out why a machine did not become a node.
//!
//! Everything up to [`delivery`] is pure: the same input gives the same bytes on every system, without a clock, a
//! random number, a file or the network. Errors have every finding with its path, and with line and column if the
//! document has them. Values that must not be shown are [`Secret`]s, and no `Debug` or `Display` of this crate prints
//! them.
//!
//! # Features
//!
//! Both features are on by default.
//!
//! - `cli`: the command line, `cli::run`.
//! - `node`: provisioning on a node, and writing images; module `node`. Needs Linux.
//!
//! Without them the crate has no dependency on an operating system and compiles for `wasm32-unknown-unknown`.

#[cfg(any(feature = "cli", node))]
mod atomic_file;
// The tables of the modules below, which re-export what their users need. The tests and the generator of pages read the rest.
#[doc(hidden)]
pub mod catalogue;
#[cfg(feature = "cli")]
pub mod cli;
pub mod configuration;
pub mod delivery;
pub mod diagnosis;
pub mod difference;
pub mod document;
#[cfg(feature = "cli")]
mod draft;
mod embedded;
pub mod environment;
pub mod explain;
mod gzip;
#[cfg(feature = "cli")]
mod image_facts;
pub mod inputs;
pub mod inspection;
mod moment;
#[cfg(node)]
pub mod node;
mod recognition;
pub mod redaction;
mod rendering;
#[cfg(any(feature = "cli", node))]
mod root;
mod secret;
#[cfg(all(test, any(feature = "cli", node)))]
mod test_directory;

pub use configuration::Configuration;
pub use delivery::{Delivery, RenderError, Request, Route};
pub use diagnosis::diagnose;
pub use difference::diff;
pub use document::{Finding, Report};
pub use explain::explain;
pub use inputs::Input;
pub use inspection::inspect;
pub use secret::Secret;

/// Compiles the examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
