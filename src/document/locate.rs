//! Finds the positions of all findings in one walk through a document.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use super::{Finding, Step};

/// The findings inside one container, by the next member on their paths.
pub(super) struct FindingsByMember<'f> {
    /// The numbers of all findings inside the container.
    inside: &'f [usize],
    by_ordinal: HashMap<usize, Vec<usize>>,
    by_name: HashMap<&'f str, Vec<usize>>,
    /// The findings that [`FindingsByMember::take`] returned.
    taken: HashSet<usize>,
    /// The number of findings that it has not returned.
    left: usize,
}

impl<'f> FindingsByMember<'f> {
    /// `inside` are the numbers of the findings inside the container, `depth` is the number of steps to it.
    pub fn new(findings: &'f [Finding], inside: &'f [usize], depth: usize) -> Self {
        let mut this =
            Self { inside, by_ordinal: HashMap::new(), by_name: HashMap::new(), taken: HashSet::new(), left: 0 };
        for &number in inside {
            let finding = &findings[number];
            let Some(step) = finding.path.0.get(depth) else { continue };
            this.left += 1;
            match (&finding.ordinals, step) {
                (Some(ordinals), _) => this.by_ordinal.entry(ordinals[depth]).or_default().push(number),
                (None, Step::Index(index)) => this.by_ordinal.entry(*index).or_default().push(number),
                (None, Step::Field { name, json_name }) => {
                    this.by_name.entry(name).or_default().push(number);
                    if name != json_name {
                        this.by_name.entry(json_name).or_default().push(number);
                    }
                }
                (None, Step::Unknown(name) | Step::Key(name)) => this.by_name.entry(name).or_default().push(number),
            }
        }
        this
    }

    /// Reports whether no path leads to another member of the container.
    pub fn is_empty(&self) -> bool {
        self.left == 0
    }

    /// Returns the findings inside a member, or inside an element, which has no name. Of two members with the same
    /// name, the first gets the findings without an ordinal.
    pub fn take<'n>(&mut self, ordinal: usize, name: impl FnOnce() -> Option<Cow<'n, str>>) -> Vec<usize> {
        let mut numbers = self.by_ordinal.remove(&ordinal).unwrap_or_default();
        if !self.by_name.is_empty()
            && let Some(more) = name().and_then(|name| self.by_name.remove(&*name))
        {
            numbers.extend(more);
        }
        numbers.retain(|number| self.taken.insert(*number));
        self.left -= numbers.len();
        numbers
    }

    /// Returns the findings that are inside no member, whose position is the position of the container.
    pub fn remaining(&self) -> impl Iterator<Item = usize> {
        self.inside.iter().copied().filter(|number| !self.taken.contains(number))
    }
}
