//! `difference` names exactly what two Configurations lead to differently.

use std::collections::{BTreeMap, BTreeSet};

use aks_node_controller::configuration::Configuration;
use aks_node_controller::difference::{Place, Rules, diff};
use aks_node_controller::environment::{Environment, ImageContents};
use aks_node_controller::inspection::{Inspection, inspect};

use super::derivations::{base, paths, set};
use crate::shells::arbitrary::Source;

/// Bases on which every field of the contract is changed.
const CASES: usize = 6;

/// The names of variables whose texts differ, from the environments themselves.
fn differing(a: &Configuration, b: &Configuration, image: &ImageContents) -> BTreeSet<String> {
    let values = |configuration| -> BTreeMap<String, String> {
        let environment = Environment::new(configuration, image);
        let pairs = environment.iter();
        pairs.map(|pair| (pair.name.to_string(), pair.value.expose().to_owned())).collect()
    };
    let (a, b) = (values(a), values(b));
    let names: BTreeSet<_> = a.keys().chain(b.keys()).cloned().collect();
    names.into_iter().filter(|name| a.get(name) != b.get(name)).collect()
}

fn inspected(configuration: &Configuration, image: &ImageContents) -> Inspection {
    inspect(configuration.to_json().as_bytes(), image)
}

#[test]
fn a_changed_field_is_named_with_its_variables_and_nothing_else() {
    let mut all = Vec::new();
    paths(Configuration::descriptor(), "", &mut all);
    let image = ImageContents::default();
    let mut source = Source::new();
    let mut named = BTreeSet::new();
    for case in 0..CASES {
        // In the first one all messages are absent except the ones around the field.
        let mut before = if case == 0 { Configuration::default() } else { base(&mut source, case) };
        before.version = "v1".to_owned();
        let mut one = inspected(&before, &image);
        assert!(one.configuration.is_some());
        for (path, choice) in all.iter().flat_map(|path| [(path, case + path.len()), (path, case + path.len() + 1)]) {
            if case == 0 {
                before = Configuration { version: "v1".to_owned(), ..Configuration::default() };
                for (end, _) in path.match_indices('.') {
                    assert!(set(&mut before, &path[..end], 0), "{path}");
                }
                one = inspected(&before, &image);
            }
            let mut after = before.clone();
            if path == "version" || !set(&mut after, path, choice) {
                continue;
            }
            let other = inspected(&after, &image);
            let found = diff(&one, &other, Rules::Meaning);
            let variables: BTreeSet<_> = found.variables.iter().map(|change| change.name.clone()).collect();
            assert_eq!(variables, differing(&before, &after, &image), "{path}");
            let is_same = before.to_json() == after.to_json();
            assert_eq!(found.configuration.is_empty(), is_same, "{path}");
            for detail in &found.configuration {
                let Place::Path(place) = &detail.place else { panic!("{path}: {detail:?}") };
                let rest = place.strip_prefix(path.as_str());
                assert!(rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '['])), "{path}: {place}");
                assert_ne!(detail.a, detail.b, "{path}");
            }
            assert!(found.files.is_empty() && found.command.is_empty(), "{path}");
            assert_eq!(found.is_empty(), is_same, "{path}");
            assert_eq!(diff(&other, &one, Rules::Meaning), found.mirrored(), "{path}");
            if !is_same {
                named.insert(path.clone());
            }
        }
    }
    let never: Vec<_> = all.iter().filter(|path| *path != "version" && !named.contains(*path)).collect();
    assert!(never.is_empty(), "these were never changed: {never:?}");
}
