//! Renders what an Azure virtual machine is created with to become an AKS (Azure Kubernetes Service) node, and runs the
//! provisioning on the node.
//!
//! A document of any kind that [`inputs`] knows is read, checked and rendered for one of the routes of [`delivery`]:
//!
//! ```text
//! input → Configuration → Environment → Script → CustomData / CSE → node
//! ```
//!
//! ```
//! use aks_node_controller::delivery::{Request, Route};
//! use aks_node_controller::inputs::{Checks, Reading};
//!
//! # let document = include_bytes!("../testdata/examples/ubuntu-azure-cni.yaml");
//! let reading = Reading::new(None, document, &Checks { values: true, ..Checks::default() });
//! let Some(input) = reading.input else { panic!("{}", reading.report) };
//! let request = Request { route: Route::Scriptless, ..Request::default() };
//! let delivery = request.render(&input)?;
//! assert!(delivery.cse.is_some());
//! println!("{}", delivery.to_json());
//! # Ok::<(), aks_node_controller::delivery::RenderError>(())
//! ```
//!
//! Everything up to [`delivery`] is pure: the same input gives the same bytes on every system, without a clock, a random
//! number, a file or the network. Errors carry every finding with its path, and its line and column where the document
//! has them. Values that must not be shown are [`Secret`]s, and no `Debug` or `Display` of this crate prints them.
//!
//! # Features
//!
//! Both features are on by default.
//!
//! - `cli`: the command line, `cli::run`.
//! - `node`: what runs on a node or writes an image, module `node`. Needs Linux.
//!
//! Without them the crate has no dependency on an operating system and compiles for `wasm32-unknown-unknown`.

#[cfg(any(feature = "cli", feature = "node"))]
mod atomic_file;
pub mod catalogue;
#[cfg(feature = "cli")]
pub mod cli;
pub mod configuration;
pub mod delivery;
pub mod diagnosis;
pub mod difference;
pub mod document;
mod embedded;
pub mod environment;
pub mod explain;
mod gzip;
pub mod inputs;
pub mod inspection;
#[cfg(feature = "node")]
pub mod node;
mod rendering;
mod secret;
#[cfg(all(test, feature = "node"))]
mod test_directory;

pub use secret::Secret;

/// Compiles the examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
