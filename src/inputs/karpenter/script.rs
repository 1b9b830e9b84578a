//! Writes Karpenter's script.

use serde::Serialize;

use super::BootstrapInputs;
use super::assignments::ASSIGNMENTS;
use super::derived::{Derived, Refused};
use crate::rendering::Template;

/// After this variable, the reference would list certificates; it has none, and leaves an empty line.
const LAST_BEFORE_CERTIFICATES: &str = "CUSTOM_CA_TRUST_COUNT";

#[derive(Serialize)]
struct KarpenterScript<'a> {
    before: &'a [(&'static str, String)],
    after: &'a [(&'static str, String)],
}

/// Returns every variable of the script with its value, in the order of the script. One name occurs twice.
///
/// # Errors
/// Fails if the version is missing or not a full version, or if there is no CA bundle.
pub fn variables(inputs: &BootstrapInputs) -> Result<Vec<(&'static str, String)>, Refused> {
    let derived = Derived::new(inputs)?;
    Ok(ASSIGNMENTS.iter().map(|row| (row.name, (row.value)(&derived).into_owned())).collect())
}

/// Returns the whole script. The same inputs give the same bytes.
///
/// # Errors
/// As [`variables`], and if a value contains U+0000.
pub fn script(inputs: &BootstrapInputs) -> Result<String, Refused> {
    let derived = Derived::new(inputs)?;
    let mut capacity = 1024;
    let mut assignments = Vec::with_capacity(ASSIGNMENTS.len());
    for assignment in ASSIGNMENTS {
        let value = (assignment.value)(&derived);
        if value.contains('\0') {
            let problem = "would hold U+0000, which no environment variable can carry";
            return Err(Refused { field: assignment.name, problem });
        }
        let word = assignment.quoting.word(&value).as_str().to_owned();
        capacity += assignment.name.len() + word.len() + 2;
        assignments.push((assignment.name, word));
    }
    let last = ASSIGNMENTS.iter().position(|assignment| assignment.name == LAST_BEFORE_CERTIFICATES);
    let (before, after) = assignments.split_at(last.map_or(0, |last| last + 1));
    Ok(Template::KARPENTER_SCRIPT.render(&KarpenterScript { before, after }, capacity))
}
