//! Links between the project's pages lead to files and headings that exist.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Component, Path, PathBuf};

/// The directories with pages.
const DIRECTORIES: [&str; 6] = ["", "docs", "packaging", "parts", "testdata", "tests"];

/// Returns every page with its text.
fn pages() -> BTreeMap<PathBuf, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut pages = BTreeMap::new();
    for directory in DIRECTORIES {
        for entry in fs::read_dir(root.join(directory)).expect("it is there") {
            let path = entry.expect("an entry").path();
            if path.extension().is_some_and(|extension| extension == "md") {
                let text = fs::read_to_string(&path).expect("a text");
                pages.insert(path.strip_prefix(root).expect("below it").to_owned(), text);
            }
        }
    }
    pages
}

/// Returns the lines of a page that are not in a block of code.
fn prose(page: &str) -> impl Iterator<Item = &str> {
    let mut is_code = false;
    page.lines().filter(move |line| {
        let is_fence = line.trim_start().starts_with("```");
        is_code ^= is_fence;
        !is_fence && !is_code
    })
}

/// Returns the anchors of a page, as GitHub makes them of headings.
fn anchors(page: &str) -> BTreeSet<String> {
    let headings = prose(page).filter(|line| line.starts_with('#')).map(|line| line.trim_start_matches('#').trim());
    let slug = |heading: &str| -> String {
        let kept = heading.chars().filter(|character| character.is_alphanumeric() || " -_".contains(*character));
        kept.flat_map(char::to_lowercase).map(|character| if character == ' ' { '-' } else { character }).collect()
    };
    headings.map(slug).collect()
}

/// Returns the targets of the links and images of a page.
fn targets(page: &str) -> Vec<&str> {
    prose(page)
        .flat_map(|line| line.match_indices("](").map(|(at, mark)| &line[at + mark.len()..]))
        .filter_map(|rest| rest.split(')').next())
        .filter(|target| !target.contains("://"))
        .collect()
}

fn normal(path: &Path) -> PathBuf {
    path.components().fold(PathBuf::new(), |mut normal, part| {
        if part == Component::ParentDir {
            normal.pop();
        } else {
            normal.push(part);
        }
        normal
    })
}

#[test]
fn links_between_pages_lead_somewhere() {
    let pages = pages();
    assert!(pages.len() > 20, "{}", pages.len());
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut broken = Vec::new();
    let mut checked = 0;
    for (page, text) in &pages {
        for target in targets(text) {
            checked += 1;
            let (file, anchor) = target.split_once('#').map_or((target, None), |(file, anchor)| (file, Some(anchor)));
            let file = match file {
                "" => page.clone(),
                file => normal(&page.parent().expect("a directory").join(file)),
            };
            let has_anchor =
                anchor.is_none_or(|anchor| pages.get(&file).is_some_and(|page| anchors(page).contains(anchor)));
            if !root.join(&file).exists() || !has_anchor {
                broken.push(format!("{}: {target}", page.display()));
            }
        }
    }
    assert!(broken.is_empty(), "broken links:\n{}", broken.join("\n"));
    assert!(checked > 100, "{checked}");
}
