//! Pairs the elements of two sides, by name or by their place in a sequence.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use similar::DiffOp;
use similar::algorithms::{Capture, myers};

/// A run of elements that differ: those of one sequence, and those that replace them in the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Change {
    pub(super) a: Range<usize>,
    pub(super) b: Range<usize>,
}

/// The most elements that are aligned, without the common beginning and end, and without those that only one side has. Time grows with the
/// square; longer sequences are one change.
const MOST: usize = 8192;

/// Returns the changes from one sequence to another, in order. Their inverses are the changes from the other sequence
/// to the first.
pub(super) fn align<T: Ord>(a: &[T], b: &[T]) -> Vec<Change> {
    // The algorithm prefers one direction among equally short alignments.
    if a > b {
        let mirrored = align(b, a).into_iter();
        return mirrored.map(|Change { a, b }| Change { a: b, b: a }).collect();
    }
    let start = a.iter().zip(b).take_while(|(one, other)| one == other).count();
    let (rest_a, rest_b) = (&a[start..], &b[start..]);
    let end = rest_a.iter().rev().zip(rest_b.iter().rev()).take_while(|(one, other)| one == other).count();
    let (middle_a, middle_b) = (&rest_a[..rest_a.len() - end], &rest_b[..rest_b.len() - end]);
    if middle_a.is_empty() && middle_b.is_empty() {
        return Vec::new();
    }
    let shifted = |range: Range<usize>| range.start + start..range.end + start;
    let mut changes = Vec::new();
    let (mut at_a, mut at_b) = (0, 0);
    for (equal_a, equal_b) in pairs(middle_a, middle_b).into_iter().chain([(middle_a.len(), middle_b.len())]) {
        // Everything between two equal elements is one change.
        if at_a < equal_a || at_b < equal_b {
            changes.push(Change { a: shifted(at_a..equal_a), b: shifted(at_b..equal_b) });
        }
        (at_a, at_b) = (equal_a + 1, equal_b + 1);
    }
    changes
}

/// Returns the places of the elements of two sequences that belong to each other, in order; none of sequences that are too long.
fn pairs<T: Ord>(a: &[T], b: &[T]) -> Vec<(usize, usize)> {
    let (all_a, all_b): (BTreeSet<_>, BTreeSet<_>) = (a.iter().collect(), b.iter().collect());
    // The rest belongs to nothing, and the algorithm would need the square of its number of steps for that.
    let shared = |elements: &[T], others: &BTreeSet<&T>| {
        (0..elements.len()).filter(|at| others.contains(&elements[*at])).collect::<Vec<_>>()
    };
    let (shared_a, shared_b) = (shared(a, &all_b), shared(b, &all_a));
    if shared_a.len() + shared_b.len() > MOST {
        return Vec::new();
    }
    let elements_a: Vec<_> = shared_a.iter().map(|at| &a[*at]).collect();
    let elements_b: Vec<_> = shared_b.iter().map(|at| &b[*at]).collect();
    let mut capture = Capture::new();
    let Ok(()) = myers::diff(&mut capture, &elements_a, 0..elements_a.len(), &elements_b, 0..elements_b.len());
    let equal = capture.into_ops().into_iter().filter_map(|operation| match operation {
        DiffOp::Equal { old_index, new_index, len } => Some((old_index..old_index + len).zip(new_index..)),
        _ => None,
    });
    equal.flatten().map(|(one, other)| (shared_a[one], shared_b[other])).collect()
}

/// Returns the names of both sides, each with both values.
pub(super) fn by_name<T: Ord, V>(
    a: impl Iterator<Item = (T, V)>,
    b: impl Iterator<Item = (T, V)>,
) -> BTreeMap<T, (Option<V>, Option<V>)> {
    let mut sides: BTreeMap<T, (Option<V>, Option<V>)> = BTreeMap::new();
    a.for_each(|(name, value)| sides.entry(name).or_insert((None, None)).0 = Some(value));
    b.for_each(|(name, value)| sides.entry(name).or_insert((None, None)).1 = Some(value));
    sides
}

/// Adds to each name the number of equal names before it.
pub(super) fn numbered<'n, V>(
    items: impl Iterator<Item = (&'n str, V)>,
) -> impl Iterator<Item = ((&'n str, usize), V)> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    items.map(move |(name, value)| {
        let count = counts.entry(name).or_default();
        *count += 1;
        ((name, *count), value)
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn an_insertion_moves_nothing() {
        assert_eq!(align(&["a", "b", "c"], &["x", "a", "b", "c"]), [Change { a: 0..0, b: 0..1 }]);
        assert_eq!(align(&["a", "b"], &["a", "b"]), []);
        assert_eq!(align(&["a"], &["b"]), [Change { a: 0..1, b: 0..1 }]);
    }

    #[test]
    fn long_sequences_without_anything_in_common_are_one_change() {
        let numbers: Vec<u32> = (0..500_000).collect();
        let others: Vec<u32> = (500_000..1_000_000).collect();
        assert_eq!(align(&numbers, &others), [Change { a: 0..500_000, b: 0..500_000 }]);
    }

    #[test]
    fn what_both_sides_have_is_found_in_long_sequences() {
        let numbers: Vec<u32> = (0..100_000).collect();
        let others: Vec<u32> = (100_000..150_000).chain([50_000]).chain(150_000..200_000).collect();
        let changes = [Change { a: 0..50_000, b: 0..50_000 }, Change { a: 50_001..100_000, b: 50_001..100_001 }];
        assert_eq!(align(&numbers, &others), changes);
    }

    proptest! {
        #[test]
        fn applying_the_changes_leads_to_the_other_sequence_in_both_directions(
            a in prop::collection::vec(0u8..4, 0..20),
            b in prop::collection::vec(0u8..4, 0..20),
        ) {
            let changes = align(&a, &b);
            let (mut made, mut at) = (Vec::new(), 0);
            for change in &changes {
                made.extend_from_slice(&a[at..change.a.start]);
                made.extend_from_slice(&b[change.b.clone()]);
                at = change.a.end;
            }
            made.extend_from_slice(&a[at..]);
            prop_assert_eq!(&made, &b);
            let mirrored: Vec<_> =
                align(&b, &a).into_iter().map(|Change { a, b }| Change { a: b, b: a }).collect();
            prop_assert_eq!(changes, mirrored);
        }
    }
}
