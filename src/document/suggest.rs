//! Suggests the known name that an unknown one is most likely meant to be.

use strsim::{levenshtein, osa_distance};

/// The characters of a name that are compared.
const LONGEST: usize = 128;

/// The characters of the shortest known name that can be misspelled.
const SHORTEST: usize = 4;

/// Returns the known name nearest to `wrong`, if few enough characters differ for a typing error.
pub(crate) fn nearest<'a>(wrong: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let most = (wrong.chars().count() / 3).clamp(1, 4);
    let (wrong, written) = (Wrong::new(wrong), characters(wrong));
    known
        .into_iter()
        .filter(|name| wrong.least_steps(name) <= most)
        .filter_map(|name| {
            let steps = levenshtein(&wrong.folded, &fold(name));
            let is_other = !wrong.is_one_error_of(name);
            (steps <= most || !is_other).then(|| (is_other, steps, levenshtein(&written, &characters(name)), name))
        })
        .min_by_key(|(is_other, steps, as_written, _)| (*is_other, *steps, *as_written))
        .map(|(.., name)| name)
}

/// Reports whether one typing error turns a known name into a wrong one: a character that is missing, wrong, added, or
/// swapped with the next one. Letter case and word separators make no difference. Digits are never typing errors:
/// `ipv4` is another name than `ipv6`.
pub(crate) fn is_misspelled<'a>(wrong: &str, known: impl IntoIterator<Item = &'a str>) -> bool {
    let wrong = Wrong::new(wrong);
    known.into_iter().any(|known| wrong.is_one_error_of(known))
}

/// A wrong name, prepared for the comparison with each known name.
struct Wrong<'w> {
    name: &'w str,
    folded: String,
    /// The characters of `folded`.
    length: usize,
}

impl<'w> Wrong<'w> {
    fn new(name: &'w str) -> Self {
        let folded = fold(name);
        Self { name, length: folded.chars().count(), folded }
    }

    /// Returns the fewest steps that can turn a known name into this one: most are ruled out by their length, without a copy.
    fn least_steps(&self, known: &str) -> usize {
        if !known.is_ascii() {
            return 0;
        }
        let length = known.bytes().filter(|byte| !matches!(byte, b'_' | b'-')).count();
        self.length.abs_diff(length.min(LONGEST))
    }

    fn is_one_error_of(&self, known: &str) -> bool {
        if self.least_steps(known) > 1 {
            return false;
        }
        // A plural as most words have it: `entrys`.
        let stems = self.name.strip_suffix("ys").zip(known.strip_suffix("ies"));
        if stems.is_some_and(|(one, other)| fold(one) == fold(other)) {
            return true;
        }
        if !self.name.bytes().filter(u8::is_ascii_digit).eq(known.bytes().filter(u8::is_ascii_digit)) {
            return false;
        }
        let other = fold(known);
        let length = other.chars().count();
        length >= SHORTEST && self.length.abs_diff(length) <= 1 && osa_distance(&self.folded, &other) <= 1
    }
}

/// Returns the part of a name that is compared.
fn characters(name: &str) -> String {
    name.chars().take(LONGEST).collect()
}

/// Letter case and word separators are the most common errors, so they are not differences.
fn fold(name: &str) -> String {
    name.chars()
        .filter(|character| !matches!(character, '_' | '-'))
        .flat_map(char::to_lowercase)
        .take(LONGEST)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_suggested_unless_it_is_too_different() {
        assert_eq!(nearest("vm_sise", ["vm_size", "vm_type"]), Some("vm_size"));
        assert_eq!(nearest("completely_else", ["vm_size"]), None);
    }

    #[test]
    fn one_typing_error_is_a_misspelling_and_two_are_not() {
        for (wrong, known, expected) in [
            ("kubelet_confg", "kubelet_config", true),
            ("no_proxy_entrys", "no_proxy_entries", true),
            ("kubelet_configg", "kubelet_config", true),
            ("kubelet_xonfig", "kubelet_config", true),
            ("kubelet_conifg", "kubelet_config", true),
            ("KubeletConfig", "kubelet_config", true),
            ("ressource_group", "resource_group", true),
            ("vm_sise", "vm_size", true),
            ("vm_sizé", "vm_size", true),
            ("m_size", "vm_size", true),
            ("avm_size", "vm_size", true),
            ("mv_size", "vm_size", true),
            ("vm_siez", "vm_size", true),
            ("vm_siéé", "vm_size", false),
            ("acrh", "arch", true),
            ("rach", "arch", true),
            ("chra", "arch", false),
            ("aaarch", "arch", false),
            ("aa", "aaaa", false),
            ("kubelet_cfg", "kubelet_config", false),
            ("min_pods", "max_pods", false),
            ("ipv4_range", "ipv6_range", false),
            ("kubelet_config_2", "kubelet_config", false),
            ("tx", "rx", false),
            ("", "arch", false),
        ] {
            assert_eq!(is_misspelled(wrong, [known]), expected, "{wrong} {known}");
        }
    }
}
