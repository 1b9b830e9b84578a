//! Pairs the elements of two sides, by name or by their place in a sequence.

use std::collections::BTreeMap;
use std::ops::Range;

use similar::DiffOp;
use similar::algorithms::{Capture, myers};

/// A run of elements that differ: those of one sequence, and those that replace them in the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Change {
    pub(super) a: Range<usize>,
    pub(super) b: Range<usize>,
}

/// The most elements that are aligned, without the common beginning and end. Time grows with the square; longer
/// sequences are one change.
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
    if middle_a.is_empty() || middle_b.is_empty() || middle_a.len() + middle_b.len() > MOST {
        return vec![Change { a: shifted(0..middle_a.len()), b: shifted(0..middle_b.len()) }];
    }
    let mut capture = Capture::new();
    let Ok(()) = myers::diff(&mut capture, middle_a, 0..middle_a.len(), middle_b, 0..middle_b.len());
    let mut changes = Vec::new();
    let (mut at_a, mut at_b) = (0, 0);
    let end = DiffOp::Equal { old_index: middle_a.len(), new_index: middle_b.len(), len: 0 };
    for operation in capture.into_ops().into_iter().chain([end]) {
        // Everything between two equal runs is one change.
        let DiffOp::Equal { old_index, new_index, len } = operation else { continue };
        if at_a < old_index || at_b < new_index {
            changes.push(Change { a: shifted(at_a..old_index), b: shifted(at_b..new_index) });
        }
        (at_a, at_b) = (old_index + len, new_index + len);
    }
    changes
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
