//! Trails to the places of findings: one walk through a document finds all of them, however many there are.

use std::collections::{HashMap, HashSet};

use super::{Finding, Step};

/// The findings that lie in one container, told apart by the member that they lead into.
pub(super) struct Trails<'f> {
    wanted: &'f [usize],
    by_ordinal: HashMap<usize, Vec<usize>>,
    by_name: HashMap<&'f str, Vec<usize>>,
    gone_on: HashSet<usize>,
}

impl<'f> Trails<'f> {
    /// `wanted` are the numbers of the findings that lie here, `depth` is how many steps led here.
    pub fn new(findings: &'f [Finding], wanted: &'f [usize], depth: usize) -> Self {
        let mut trails = Self { wanted, by_ordinal: HashMap::new(), by_name: HashMap::new(), gone_on: HashSet::new() };
        for &number in wanted {
            let finding = &findings[number];
            let Some(step) = finding.path.0.get(depth) else { continue };
            match (&finding.trail, step) {
                (Some(trail), _) => trails.by_ordinal.entry(trail[depth]).or_default().push(number),
                (None, Step::Index(index)) => trails.by_ordinal.entry(*index).or_default().push(number),
                (None, Step::Field { name, json_name }) => {
                    trails.by_name.entry(name).or_default().push(number);
                    if name != json_name {
                        trails.by_name.entry(json_name).or_default().push(number);
                    }
                }
                (None, Step::Unknown(name) | Step::Key(name)) => trails.by_name.entry(name).or_default().push(number),
            }
        }
        trails
    }

    /// Whether every way ends here.
    pub fn is_empty(&self) -> bool {
        self.by_ordinal.is_empty() && self.by_name.is_empty()
    }

    /// The findings that lie in the next member. Of two members of one name the first is meant.
    pub fn towards(&mut self, ordinal: usize, name: Option<&str>) -> Vec<usize> {
        let mut numbers = self.by_ordinal.remove(&ordinal).unwrap_or_default();
        numbers.extend(name.and_then(|name| self.by_name.remove(name)).unwrap_or_default());
        numbers.retain(|number| self.gone_on.insert(*number));
        numbers
    }

    /// The findings that went into no member.
    pub fn rest(&self) -> impl Iterator<Item = usize> {
        self.wanted.iter().copied().filter(|number| !self.gone_on.contains(number))
    }
}
