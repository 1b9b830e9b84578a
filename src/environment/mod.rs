//! Computes the environment of the node's scripts from a Configuration.
//!
//! [`DERIVATIONS`] is the table; `payloads` holds the texts inside variables. Everything here is pure: facts about the
//! machine are passed as [`ImageContents`]. Every input of `inputs` has an [`Environment`] too, and routes read nothing
//! else.

mod computed;
mod context;
mod image;
mod payloads;
mod rule;
mod table;
mod unmet;

pub use image::{Components, ImageContents, KataRuntimes};
pub use rule::Derivation;
pub(crate) use rule::truth;
pub use table::DERIVATIONS;
pub use unmet::UnmetDemand;

pub use crate::catalogue::variables::{VARIABLES, Variable};
pub use crate::rendering::{Quoting, ShellWord};

use std::borrow::Cow;
use std::fmt::{self, Write};

use serde::Serialize;

use crate::Secret;
use crate::catalogue::variables;
use crate::configuration::Configuration;
use crate::rendering::{Refused, render};

use context::Context;

/// The value of a variable, borrowed from the Configuration if it is unchanged.
pub type Value<'a> = Cow<'a, str>;

/// One variable with its value.
#[derive(Clone)]
pub struct Assignment<'a> {
    /// The name, which has a number for certificates.
    pub name: Cow<'static, str>,
    /// The value. Always treated as a secret; [`Assignment::shown`] decides which values are shown.
    pub value: Secret<'a>,
    /// How the reference writes the value in a script.
    pub quoting: Quoting,
    /// Why the value must not reach a node: it is a file whose syntax cannot carry a text of the Configuration.
    refused: Option<Refused>,
}

impl<'a> Assignment<'a> {
    /// Returns an assignment.
    #[must_use]
    pub fn new(name: impl Into<Cow<'static, str>>, value: impl Into<Secret<'a>>, quoting: Quoting) -> Self {
        Self { name: name.into(), value: value.into(), quoting, refused: None }
    }

    /// Returns the variable's row in the catalogue.
    ///
    /// # Panics
    /// Panics if the catalogue has no such variable. Only tables name variables, and tests compare these with the
    /// catalogue.
    #[must_use]
    pub fn variable(&self) -> &'static Variable {
        variables::variable(&self.name).expect("tests compare every table with the catalogue")
    }

    /// Returns why the value must not reach a node: it is a file whose syntax cannot carry a text of the document.
    pub(crate) const fn refused(&self) -> Option<&Refused> {
        self.refused.as_ref()
    }

    /// Returns the value to show to people: `[redacted]` for a secret.
    #[must_use]
    pub fn shown(&self) -> &str {
        if !self.value.is_empty() && self.variable().secret { crate::catalogue::REDACTED } else { self.value.expose() }
    }
}

impl fmt::Debug for Assignment<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={:?}", self.name, self.shown())
    }
}

/// A value that cannot be passed to a script or a process.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the value of {variable} {problem}")]
pub struct Unrepresentable {
    /// The variable's name.
    pub variable: String,
    problem: String,
}

/// The lines of all assignments.
#[derive(Serialize)]
struct BootstrapScript {
    assignments: String,
}

/// The environment of a node: assignments in the order of the script.
#[derive(Clone, Debug, Default)]
pub struct Environment<'a> {
    assignments: Vec<Assignment<'a>>,
}

impl<'a> Environment<'a> {
    /// Computes every variable from a Configuration, in the order of [`DERIVATIONS`]. Never fails, whatever the
    /// Configuration contains.
    #[must_use]
    pub fn new(configuration: &'a Configuration, image: &'a ImageContents) -> Self {
        let context = Context::new(configuration, image);
        let mut assignments = Vec::with_capacity(DERIVATIONS.len() + configuration.custom_ca_certs.len());
        for derivation in DERIVATIONS {
            if derivation.name == variables::CERTIFICATES {
                assignments.extend(configuration.custom_ca_certs.iter().enumerate().map(|(at, certificate)| {
                    let name = format!("{}{at}", variables::CERTIFICATE_PREFIX);
                    Assignment::new(name, rule::one_line(certificate), Quoting::Word)
                }));
            } else {
                assignments.push(derivation.assignment(&context));
            }
        }
        Self { assignments }
    }

    /// Returns the environment with another value of a variable.
    #[must_use]
    pub(crate) fn with(mut self, name: &str, value: &'a str) -> Self {
        for assignment in self.assignments.iter_mut().filter(|assignment| assignment.name == name) {
            assignment.value = value.into();
        }
        self
    }

    /// Returns the script that sets the variables and starts the scripts of the image.
    ///
    /// # Errors
    /// As [`Environment::pairs`].
    pub fn script(&self) -> Result<String, Unrepresentable> {
        Ok(render("bootstrap_script.sh.tera", &BootstrapScript { assignments: lines(&self.assignments)? }))
    }

    /// Returns every assignment, in order.
    #[must_use]
    pub(crate) fn assignments(&self) -> &[Assignment<'a>] {
        &self.assignments
    }

    /// Returns every assignment, in order.
    pub fn iter(&self) -> impl Iterator<Item = &Assignment<'a>> {
        self.assignments.iter()
    }

    /// Returns the value of the first assignment of a name, in clear text.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        self.assignments.iter().find(|assignment| assignment.name == name).map(|found| found.value.expose())
    }

    /// Returns names and values in clear text, as they are passed to a process.
    ///
    /// # Errors
    /// Fails if a value contains U+0000, or is a file whose syntax cannot carry a text of the Configuration.
    pub fn pairs(&self) -> Result<Vec<(&str, &str)>, Unrepresentable> {
        self.iter().map(|assignment| Ok((&*assignment.name, representable(assignment)?))).collect()
    }

    /// Returns names and values as a shell script writes them.
    ///
    /// # Errors
    /// As [`Environment::pairs`].
    pub fn words(&self) -> Result<Vec<(&str, ShellWord<'_>)>, Unrepresentable> {
        self.iter()
            .map(|assignment| Ok((&*assignment.name, assignment.quoting.word(representable(assignment)?))))
            .collect()
    }
}

/// Returns assignments as lines of a shell script.
///
/// # Errors
/// As [`Environment::pairs`].
pub(crate) fn lines(assignments: &[Assignment<'_>]) -> Result<String, Unrepresentable> {
    let mut text = String::new();
    for assignment in assignments {
        text.push_str(&assignment.name);
        text.push('=');
        assignment.quoting.write(representable(assignment)?, &mut text);
        text.push('\n');
    }
    Ok(text)
}

/// Returns pairs with a sign between key and value, and a text between the pairs.
pub(crate) fn joined<K: fmt::Display, V: fmt::Display>(
    pairs: impl IntoIterator<Item = (K, V)>,
    sign: char,
    between: &str,
) -> String {
    let mut text = String::with_capacity(2048);
    for (key, value) in pairs {
        let before = if text.is_empty() { "" } else { between };
        write!(text, "{before}{key}{sign}{value}").expect("a string can be written to");
    }
    text
}

/// Returns the value of an assignment in clear text. Only this function rejects U+0000 and files whose syntax cannot
/// carry a text.
fn representable<'s>(assignment: &'s Assignment<'_>) -> Result<&'s str, Unrepresentable> {
    let value = assignment.value.expose();
    let problem = match &assignment.refused {
        _ if value.contains('\0') => "contains U+0000, which no environment variable can contain".to_owned(),
        Some(refused) => format!("cannot carry {refused}"),
        None => return Ok(value),
    };
    Err(Unrepresentable { variable: assignment.name.to_string(), problem })
}

impl<'a> FromIterator<Assignment<'a>> for Environment<'a> {
    fn from_iter<I: IntoIterator<Item = Assignment<'a>>>(assignments: I) -> Self {
        Self { assignments: assignments.into_iter().collect() }
    }
}

impl<'a> IntoIterator for Environment<'a> {
    type Item = Assignment<'a>;
    type IntoIter = std::vec::IntoIter<Assignment<'a>>;

    fn into_iter(self) -> Self::IntoIter {
        self.assignments.into_iter()
    }
}
