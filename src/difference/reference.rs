//! Compares the variables of a Configuration with the variables that a classic CSE command sets, by name.

use std::collections::BTreeSet;
use std::fmt;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::align::by_name;
use crate::inspection::CommandAssignments;

/// Variables that may be missing from the Configuration's side, or differ.
const TOLERATED: [&str; 6] = [
    "BLOCK_OUTBOUND_NETWORK",
    "CLOUD_INIT_STATUS_SCRIPT",
    "HYPERKUBE_URL",
    "MCR_REPOSITORY_BASE",
    "REPO_DEPOT_ENDPOINT",
    "SKIP_WAAGENT_HOLD",
];

/// A difference. It names the variable and never holds a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Difference {
    /// Only the Configuration sets the variable.
    OnlyInConfiguration(String),
    /// Only the classic command sets the variable.
    OnlyInCommand(String),
    /// The values differ.
    Differs(String),
}

impl Difference {
    /// Returns the name of the variable.
    #[must_use]
    pub fn into_name(self) -> String {
        match self {
            Self::OnlyInConfiguration(name) | Self::OnlyInCommand(name) | Self::Differs(name) => name,
        }
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OnlyInConfiguration(name) => write!(f, "only-in-pc: {name}"),
            Self::OnlyInCommand(name) => write!(f, "only-in-nbc: {name}"),
            Self::Differs(name) => write!(f, "differs: {name}"),
        }
    }
}

/// All differences, sorted by name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comparison(pub Vec<Difference>);

impl Comparison {
    /// Compares computed variables with the assignments of a classic command. Ignores double quotes inside values and
    /// the order of kernel settings.
    pub fn of<'v>(computed: impl IntoIterator<Item = (&'v str, &'v str)>, command: &'v CommandAssignments) -> Self {
        Self::between(computed.into_iter(), command.iter().map(|(name, value)| (name, value.expose())))
    }

    /// Compares computed variables with the variables of a command, by the same rules.
    pub(super) fn between<'v>(
        computed: impl Iterator<Item = (&'v str, &'v str)>,
        command: impl Iterator<Item = (&'v str, &'v str)>,
    ) -> Self {
        let differences = by_name(computed, command).into_iter().filter_map(|(name, sides)| {
            let tolerated = TOLERATED.contains(&name);
            match sides {
                (Some(_), None) => Some(Difference::OnlyInConfiguration(name.to_owned())),
                (None, Some(_)) if !tolerated => Some(Difference::OnlyInCommand(name.to_owned())),
                (Some(one), Some(other)) if !tolerated && !is_equal(name, one, other) => {
                    Some(Difference::Differs(name.to_owned()))
                }
                _ => None,
            }
        });
        Self(differences.collect())
    }
}

impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(differences) = self;
        if differences.is_empty() {
            return f.write_str("environments match");
        }
        let list: Vec<_> = differences.iter().map(ToString::to_string).collect();
        write!(f, "environments differ in {} variables: {}", differences.len(), list.join("; "))
    }
}

fn is_equal(name: &str, one: &str, other: &str) -> bool {
    if name == "SYSCTL_CONTENT"
        && let (Some(one), Some(other)) = (settings(one), settings(other))
    {
        return one == other;
    }
    one == other || one.replace('"', "") == other.replace('"', "")
}

/// Returns kernel settings as a set, because their order has no meaning. Lines that set nothing, such as comments, are
/// ignored.
fn settings(encoded: &str) -> Option<BTreeSet<(String, String)>> {
    let text = String::from_utf8(STANDARD.decode(encoded).ok()?).ok()?;
    let pairs = text.lines().filter_map(|line| line.split_once('='));
    Some(pairs.map(|(key, value)| (key.trim().to_owned(), value.trim().to_owned())).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_compared_without_quotes_and_settings_without_order() {
        let one = STANDARD.encode("# comment\na=1\nb = 2\n");
        let other = STANDARD.encode("b=2\n  a =1");
        let third = STANDARD.encode("b=2\na=3");
        let command = format!("EQUAL=1 QUOTED='\"x\" y' RIGHT=1 OTHER=1 SYSCTL_CONTENT={other} HYPERKUBE_URL=x");
        let command = CommandAssignments::scan(&command);
        let computed = |sysctl| {
            [("EQUAL", "1"), ("QUOTED", "x y"), ("LEFT", "s3cret"), ("OTHER", "s3cret"), ("SYSCTL_CONTENT", sysctl)]
        };
        let comparison = Comparison::of(computed(&*one), &command);
        assert_eq!(
            comparison.to_string(),
            "environments differ in 3 variables: only-in-pc: LEFT; differs: OTHER; only-in-nbc: RIGHT"
        );
        assert!(Comparison::of(computed(&*third), &command).to_string().contains("; differs: SYSCTL_CONTENT"));
        assert!(!format!("{comparison:?}").contains("s3cret"));
    }

    #[test]
    fn a_tolerated_name_is_reported_only_if_the_command_lacks_it() {
        let command = CommandAssignments::scan("MCR_REPOSITORY_BASE=x SKIP_WAAGENT_HOLD=false");
        assert_eq!(Comparison::of([("SKIP_WAAGENT_HOLD", "true")], &command).to_string(), "environments match");
        let none = CommandAssignments::default();
        assert_eq!(
            Comparison::of([("SKIP_WAAGENT_HOLD", "true")], &none).to_string(),
            "environments differ in 1 variables: only-in-pc: SKIP_WAAGENT_HOLD"
        );
    }
}
