//! Comparing in constants, and sorting and sorted maps that are compiled once: the standard library's sort is 4 KB of
//! machine code for each type.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

/// `==`, which constants cannot use.
pub(crate) const fn equal(one: &[u8], other: &[u8]) -> bool {
    if one.len() != other.len() {
        return false;
    }
    let mut at = 0;
    while at < one.len() {
        if one[at] != other[at] {
            return false;
        }
        at += 1;
    }
    true
}

/// Sorts a list, and keeps the order of equal elements.
pub(crate) fn sort_by<T>(list: &mut Vec<T>, mut compare: impl FnMut(&T, &T) -> Ordering) {
    let mut order: Vec<usize> = (0..list.len()).collect();
    sort_indexes(&mut order, &mut |one, other| compare(&list[one], &list[other]));
    let mut elements: Vec<Option<T>> = list.drain(..).map(Some).collect();
    list.extend(order.into_iter().filter_map(|index| elements[index].take()));
}

/// Sorts a list by a key, and keeps the order of elements whose keys are equal.
pub(crate) fn sort_by_key<T, K: Ord>(list: &mut Vec<T>, key: impl Fn(&T) -> K) {
    sort_by(list, |one, other| key(one).cmp(&key(other)));
}

/// Sorts a list, and keeps the order of equal elements.
pub(crate) fn sort<T: Ord>(list: &mut Vec<T>) {
    sort_by(list, T::cmp);
}

fn sort_indexes(order: &mut [usize], compare: &mut dyn FnMut(usize, usize) -> Ordering) {
    order.sort_by(|one, other| compare(*one, *other));
}

/// Returns a map. Collecting one would sort a list first.
pub(crate) fn map<K: Ord, V>(entries: impl IntoIterator<Item = (K, V)>) -> BTreeMap<K, V> {
    let mut map = BTreeMap::new();
    map.extend(entries);
    map
}

/// Returns a set. Collecting one would sort a list first.
pub(crate) fn set<T: Ord>(elements: impl IntoIterator<Item = T>) -> BTreeSet<T> {
    let mut set = BTreeSet::new();
    set.extend(elements);
    set
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn it_is_the_order_of_the_standard_library(list: Vec<(u8, u8)>) {
            let (mut ours, mut theirs) = (list.clone(), list.clone());
            super::sort_by_key(&mut ours, |element| element.0);
            theirs.sort_by_key(|element| element.0);
            prop_assert_eq!(&ours, &theirs);
            let collected: std::collections::BTreeMap<_, _> = list.iter().copied().collect();
            prop_assert_eq!(super::map(list.iter().copied()), collected);
            prop_assert_eq!(super::set(list.iter().copied()), list.into_iter().collect());
        }
    }
}
