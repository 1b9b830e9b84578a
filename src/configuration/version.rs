//! Versions of Kubernetes and containerd, parsed and ordered as the reference does.

use std::cmp::Ordering;
use std::fmt;

/// A version in a lenient form of semantic versioning: `1.34`, `v1.34.0`, `1.35.0-alpha.0+build`.
///
/// ```
/// use aks_node_controller::configuration::Version;
/// let version = Version::parse("v1.34.0-beta.1").unwrap();
/// assert!(version < Version::new(1, 34, 0));
/// assert!(Version::parse("1.34.0.1").is_none());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Version<'t> {
    numbers: [u64; 3],
    /// Empty for a release, which is newer than its pre-releases.
    pre_release: &'t str,
}

/// Three numbers, and after a hyphen the pre-release.
impl fmt::Display for Version<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [major, minor, patch] = self.numbers;
        write!(f, "{major}.{minor}.{patch}")?;
        if self.pre_release.is_empty() { Ok(()) } else { write!(f, "-{}", self.pre_release) }
    }
}

impl<'t> Version<'t> {
    /// Returns the version of a release.
    #[must_use]
    pub const fn new(major: u64, minor: u64, patch: u64) -> Self {
        Self { numbers: [major, minor, patch], pre_release: "" }
    }

    /// Parses one to three numbers with optional `v`, pre-release and build metadata. Missing numbers are zero. `None` if the
    /// text has another form.
    #[must_use]
    pub fn parse(text: &'t str) -> Option<Self> {
        let text = text.strip_prefix('v').unwrap_or(text);
        let (text, build) = text.split_once('+').map_or((text, None), |(text, build)| (text, Some(build)));
        let (text, pre_release) = text.split_once('-').map_or((text, None), |(text, pre)| (text, Some(pre)));
        let well_formed = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
        let without_zero = |part: &str| {
            let numeric = part.bytes().all(|byte| byte.is_ascii_digit());
            !(numeric && part.len() > 1 && part.starts_with('0'))
        };
        if build.is_some_and(|build| !build.split('.').all(well_formed))
            || pre_release.is_some_and(|pre| !pre.split('.').all(|part| well_formed(part) && without_zero(part)))
        {
            return None;
        }
        let mut numbers = [0; 3];
        for (at, part) in text.split('.').enumerate() {
            let slot = numbers.get_mut(at)?;
            if !part.bytes().all(|byte| byte.is_ascii_digit()) {
                return None;
            }
            *slot = part.parse().ok()?;
        }
        Some(Self { numbers, pre_release: pre_release.unwrap_or_default() })
    }

    /// Parses a strict semantic version: three numbers without leading zeros, no `v`.
    #[must_use]
    pub fn parse_full(text: &'t str) -> Option<Self> {
        let numbers = text.split(['-', '+']).next().unwrap_or_default();
        let plain = |part: &str| part == "0" || part.starts_with(|first: char| ('1'..='9').contains(&first));
        let full = numbers.split('.').count() == 3 && numbers.split('.').all(plain);
        Self::parse(text).filter(|_| full)
    }

    /// Returns the second number.
    #[must_use]
    pub const fn minor(&self) -> u64 {
        self.numbers[1]
    }

    /// Returns the third number.
    #[must_use]
    pub const fn patch(&self) -> u64 {
        self.numbers[2]
    }

    /// Returns the first number.
    #[must_use]
    pub const fn major(&self) -> u64 {
        self.numbers[0]
    }

    /// Reports whether containerd reads the configuration of registries from a directory, as on AKS since Kubernetes
    /// 1.22.
    #[must_use]
    pub fn has_registry_directory(&self) -> bool {
        *self >= Version::new(1, 22, 0)
    }

    /// Reports whether `--streaming-connection-idle-timeout` has no effect, as since Kubernetes 1.34.
    #[must_use]
    pub fn lacks_streaming_timeout(&self) -> bool {
        *self >= Version::new(1, 34, 0)
    }
}

impl PartialOrd for Version<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Version<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.numbers.cmp(&other.numbers).then_with(|| match (self.pre_release, other.pre_release) {
            ("", "") => Ordering::Equal,
            ("", _) => Ordering::Greater,
            (_, "") => Ordering::Less,
            (a, b) => compare_pre_releases(a, b),
        })
    }
}

/// Compares identifier by identifier: numbers by value and before words, words by their bytes. If all are equal, the
/// pre-release with fewer identifiers comes first.
fn compare_pre_releases(a: &str, b: &str) -> Ordering {
    let (mut left, mut right) = (a.split('.'), b.split('.'));
    loop {
        let (left, right) = match (left.next(), right.next()) {
            (Some(left), Some(right)) => (left, right),
            (left, right) => return left.is_some().cmp(&right.is_some()),
        };
        let number = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        let order = match (number(left), number(right)) {
            (true, true) => left.len().cmp(&right.len()).then_with(|| left.cmp(right)),
            (true, false) => Ordering::Less,
            (false, true) => Ordering::Greater,
            (false, false) => left.cmp(right),
        };
        if order != Ordering::Equal {
            return order;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_from_1_34_on_are_recognized_as_in_the_reference() {
        for (text, expected) in [
            ("1.34", true),
            ("v1.34.0", true),
            ("1.34.0+build", true),
            ("01.034.000", true),
            ("1.35.0-alpha.0", true),
            ("2", true),
            ("1.34.0-beta.1", false),
            ("1.34.0.1", false),
            (" 1.34.0", false),
            ("vv1.34.0", false),
            ("1.34.0-", false),
            ("1.34.0+", false),
            ("1.35.0-01", false),
            ("1..35", false),
            ("18446744073709551616", false),
            ("garbage", false),
            ("", false),
        ] {
            let found = Version::parse(text).is_some_and(|version| version.lacks_streaming_timeout());
            assert_eq!(found, expected, "{text:?}");
        }
    }

    #[test]
    fn pre_releases_are_compared_by_identifier() {
        let ordered = ["1.0.0-1", "1.0.0-2", "1.0.0-11", "1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-beta", "1.0.0"];
        for pair in ordered.windows(2) {
            assert!(Version::parse(pair[0]) < Version::parse(pair[1]), "{pair:?}");
        }
    }

    #[test]
    fn a_full_version_has_three_numbers_and_no_prefix() {
        for (text, expected) in [
            ("1.33.2", true),
            ("1.34.0-beta.1", true),
            ("1.34.0+azure", true),
            ("v1.33.2", false),
            ("1.33", false),
            ("1.033.2", false),
            ("1.33.2.1", false),
            ("latest", false),
        ] {
            assert_eq!(Version::parse_full(text).is_some(), expected, "{text}");
        }
    }
}
