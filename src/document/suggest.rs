//! Suggests the known name that an unknown one is most likely meant to be.

/// Returns the known name nearest to `wrong`, if few enough letters differ for a typing error.
pub(crate) fn nearest<'a>(wrong: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let most = (wrong.chars().count() / 3).clamp(1, 4);
    let (folded, written) = (fold(wrong), letters(wrong));
    known
        .into_iter()
        .filter_map(|name| {
            let other = fold(name);
            // Names whose lengths differ by more cannot be near: most names are skipped here.
            let near = other.len().abs_diff(folded.len()) <= most;
            let steps = near.then(|| distance(&folded, &other)).filter(|steps| *steps <= most)?;
            Some((steps, distance(&written, &letters(name)), name))
        })
        .min_by_key(|(steps, as_written, _)| (*steps, *as_written))
        .map(|(.., name)| name)
}

fn letters(name: &str) -> Vec<char> {
    name.chars().take(128).collect()
}

/// Letter case and word separators are the most common errors, so they do not count as differences.
fn fold(name: &str) -> Vec<char> {
    name.chars().filter(|letter| !matches!(letter, '_' | '-')).flat_map(char::to_lowercase).take(128).collect()
}

/// Levenshtein's distance.
fn distance(a: &[char], b: &[char]) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, left) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, right) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(left != right);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_suggested_unless_it_is_too_different() {
        assert_eq!(nearest("vm_sise", ["vm_size", "vm_type"]), Some("vm_size"));
        assert_eq!(nearest("completely_else", ["vm_size"]), None);
    }
}
