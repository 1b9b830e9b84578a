//! From a Configuration to the environment of the node's scripts.
//!
//! [`DERIVATIONS`] is the table; `payloads` holds the texts inside variables. Everything here is pure: what a machine
//! knows about itself comes in as [`ImageContents`].

mod context;
mod image;
mod payloads;
mod table;

pub use image::{Components, ImageContents};
pub use table::{DERIVATIONS, Derivation};

use std::borrow::Cow;

use crate::catalogue::variables::{self, Variable};
use crate::configuration::Configuration;
use context::Context;

/// The value of a variable. Borrowed from the Configuration where it stands there as it is.
pub type Value<'a> = Cow<'a, str>;

/// One variable with its value.
#[derive(Clone)]
pub struct Entry<'a> {
    /// The name, which for certificates carries a number.
    pub name: Cow<'static, str>,
    /// What the variable is.
    pub variable: &'static Variable,
    /// Its value, secrets in clear.
    pub value: Value<'a>,
}

/// The whole environment of a node, in the order of [`DERIVATIONS`].
#[derive(Clone)]
pub struct Environment<'a> {
    entries: Vec<Entry<'a>>,
}

impl<'a> Environment<'a> {
    /// Computes every variable. Whatever the Configuration says, this cannot fail.
    #[must_use]
    pub fn new(configuration: &'a Configuration, image: &'a ImageContents) -> Self {
        let inputs = Context::new(configuration, image);
        let mut entries = Vec::with_capacity(DERIVATIONS.len() + configuration.custom_ca_certs.len());
        for (derivation, variable) in DERIVATIONS.iter().zip(table::variables()) {
            if derivation.name == variables::CERTIFICATES {
                entries.extend(configuration.custom_ca_certs.iter().enumerate().map(|(at, certificate)| Entry {
                    name: format!("{}{at}", variables::CERTIFICATE_PREFIX).into(),
                    variable,
                    value: context::one_line(certificate),
                }));
            } else {
                let value = (derivation.value)(&inputs);
                entries.push(Entry { name: derivation.name.into(), variable, value });
            }
        }
        Self { entries }
    }

    /// Every variable, in the order of [`DERIVATIONS`]; certificates by number.
    pub fn iter(&self) -> impl Iterator<Item = &Entry<'a>> {
        self.entries.iter()
    }

    /// The value of one variable.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        self.entries.iter().find(|entry| entry.name == name).map(|entry| &*entry.value)
    }
}

impl Entry<'_> {
    /// The value as it may be shown to people.
    #[must_use]
    pub fn shown(&self) -> &str {
        if self.variable.secret && !self.value.is_empty() { crate::catalogue::REDACTED } else { &self.value }
    }
}
