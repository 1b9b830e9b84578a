//! Suggests the known name that an unknown one is most likely meant to be.

use strsim::levenshtein;

/// The letters of a name that are compared.
const LONGEST: usize = 128;

/// The letters of the shortest known name that counts as misspelled.
const SHORTEST: usize = 4;

/// Returns the known name nearest to `wrong`, if few enough letters differ for a typing error.
pub(crate) fn nearest<'a>(wrong: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let most = (wrong.chars().count() / 3).clamp(1, 4);
    let (folded, written) = (fold(wrong), letters(wrong));
    let counts = counts(&folded);
    known
        .into_iter()
        // Most names are skipped here.
        .filter(|name| may_be_near(counts, name, most))
        .filter_map(|name| {
            let steps = levenshtein(&folded, &fold(name));
            let is_other = !is_one_error(wrong, folded.as_bytes(), name);
            (steps <= most || !is_other).then(|| (is_other, steps, levenshtein(&written, &letters(name)), name))
        })
        .min_by_key(|(is_other, steps, as_written, _)| (*is_other, *steps, *as_written))
        .map(|(.., name)| name)
}

/// How often a name has each letter: one place for all whose codes are equal in their last five bits.
type Counts = [i16; 32];

fn counts(folded: &str) -> Counts {
    let mut counts = [0; 32];
    for letter in folded.chars() {
        counts[letter as usize % 32] += 1;
    }
    counts
}

/// Reports whether two names have all but `most` letters in common, which is less than that they differ in no more steps.
fn may_be_near(mut counts: Counts, known: &str, most: usize) -> bool {
    for byte in unfolded(known) {
        counts[usize::from(byte) % 32] -= 1;
    }
    let sum = |sign: i16| counts.iter().map(|count| usize::try_from(sign * count).unwrap_or(0)).sum::<usize>();
    sum(1) <= most && sum(-1) <= most
}

/// Reports whether one typing error turns a known name into a wrong one: a letter that is missing, wrong, added, or swapped
/// with the next one. Letter case and word separators make no difference. Digits are not mistyped: `ipv4` is another name
/// than `ipv6`. Known names begin and end with a letter or a digit.
pub(crate) fn is_misspelled<'a>(wrong: &str, known: impl IntoIterator<Item = &'a str>) -> bool {
    let folded = fold(wrong);
    let ends = |bytes: &[u8]| Some((bytes.first()?.to_ascii_lowercase(), bytes.last()?.to_ascii_lowercase()));
    let Some((first, last)) = ends(folded.as_bytes()) else { return false };
    // One error changes the first letter or the last one, not both: most names end here.
    let shares_an_end = |known: &&str| ends(known.as_bytes()).is_some_and(|ends| ends.0 == first || ends.1 == last);
    known.into_iter().filter(shares_an_end).any(|known| is_one_error(wrong, folded.as_bytes(), known))
}

/// `folded` is the wrong name as [`fold`] returns it. Known names are ASCII.
fn is_one_error(wrong: &str, folded: &[u8], known: &str) -> bool {
    let letters = || unfolded(known).map(|byte| byte.to_ascii_lowercase());
    let length = letters().count();
    let shared = |(one, other): &(u8, &u8)| one == *other;
    let before = letters().zip(folded).take_while(shared).count();
    let after = letters().rev().zip(folded.iter().rev()).take_while(shared).count();
    let after = after.min(length.min(folded.len()) - before);
    let different = &folded[before..folded.len() - after];
    let is_continued = |byte: &&u8| matches!(**byte, 0x80..=0xbf);
    let added = different.len() - different.iter().filter(is_continued).count();
    let is_one = match (added, length - before - after) {
        (0 | 1, 0 | 1) => true,
        (2, 2) => letters().skip(before).take(2).eq(different.iter().rev().copied()),
        _ => false,
    };
    let digits = |name: &str| name.bytes().filter(u8::is_ascii_digit).collect::<Vec<_>>();
    is_one && length >= SHORTEST && digits(wrong) == digits(known)
}

/// Returns as much of a name as is compared.
fn letters(name: &str) -> String {
    name.chars().take(LONGEST).collect()
}

/// Letter case and word separators are the most common errors, so they do not count as differences.
fn fold(name: &str) -> String {
    if name.is_ascii() {
        return unfolded(name).take(LONGEST).map(|byte| char::from(byte.to_ascii_lowercase())).collect();
    }
    name.chars().filter(|letter| !matches!(letter, '_' | '-')).flat_map(char::to_lowercase).take(LONGEST).collect()
}

/// Returns the bytes of a known name without word separators.
fn unfolded(known: &str) -> impl DoubleEndedIterator<Item = u8> {
    known.bytes().filter(|byte| !matches!(byte, b'_' | b'-'))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_nearest_name_is_suggested_unless_it_is_too_different() {
        assert_eq!(nearest("vm_sise", ["vm_size", "vm_type"]), Some("vm_size"));
        assert_eq!(nearest("completely_else", ["vm_size"]), None);
    }

    proptest! {
        #[test]
        fn a_typing_error_is_one_step_of_the_distance(wrong in "[ab_é]{0,7}", known in "[ab][ab_]{2,5}[ab]") {
            let is_near = strsim::osa_distance(&fold(&wrong), &fold(&known)) <= 1;
            prop_assert_eq!(is_misspelled(&wrong, [&*known]), is_near && fold(&known).len() >= SHORTEST);
        }
    }

    #[test]
    fn one_typing_error_is_a_misspelling_and_two_are_not() {
        for (wrong, known, expected) in [
            ("kubelet_confg", "kubelet_config", true),
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
