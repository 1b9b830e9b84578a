//! Paths on the node that both the scripts and the program name.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use aks_node_controller::catalogue::node_files::NODE_FILES;
use aks_node_controller::catalogue::paths;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// Scripts that the scripts name and that no row of `NODE_FILES` has.
const OTHERS: [(&str, &str); 5] = [
    ("/opt/azure/containers/boothook.sh", "CSE commands of the reference write it"),
    ("/opt/azure/containers/aks-node-controller-nbc-cmd.sh", "an input of the controller"),
    ("/opt/azure/containers/aks-swapfile.sh", "a step writes it"),
    ("/opt/azure/containers/aks-transparent-hugepage.sh", "a step writes it"),
    ("/opt/azure/containers/enabled_features.sh", "the boothook writes it"),
];

fn texts_below(directory: &Path, found: &mut Vec<String>) {
    for entry in fs::read_dir(directory).expect("it can be read") {
        let path = entry.expect("it can be read").path();
        if path.is_dir() {
            texts_below(&path, found);
        } else if path.extension().is_none_or(|extension| extension != "md") {
            found.push(fs::read_to_string(&path).expect("it is text"));
        }
    }
}

/// The value of a constant in `source/paths.sh`, with the constants that it refers to.
fn constant(name: &str) -> String {
    let text = fs::read_to_string(format!("{ROOT}/parts/provisioning/source/paths.sh")).expect("it exists");
    let value = text.lines().find_map(|line| line.strip_prefix(&format!("readonly {name}=")).map(str::to_owned));
    let value = value.unwrap_or_else(|| panic!("no constant {name}"));
    match value.strip_prefix('$').and_then(|rest| rest.split_once('/')) {
        Some((other, rest)) => format!("{}/{rest}", constant(other)),
        None => value,
    }
}

#[test]
fn scripts_and_program_have_the_same_directories() {
    assert_eq!(constant("EVENTS"), paths::EVENTS);
    for (name, file) in
        [("CONTAINERS", paths::SOURCE), ("LOGS", paths::PROVISION_LOG), ("UNITS", paths::DHCPV6_SERVICE)]
    {
        assert_eq!(Path::new(file).parent(), Some(Path::new(&constant(name))));
    }
}

#[test]
fn every_script_that_the_scripts_name_is_on_the_node() {
    let mut known: BTreeSet<&str> = NODE_FILES.iter().map(|file| file.path).collect();
    known.extend(OTHERS.map(|(path, _)| path));
    let mut texts = Vec::new();
    for directory in ["parts", "templates"] {
        texts_below(&Path::new(ROOT).join(directory), &mut texts);
    }
    let containers = constant("CONTAINERS");
    let mut named = BTreeSet::new();
    for text in &texts {
        for begin in [&containers, "$CONTAINERS", "$containers", "/opt/scripts", "/opt/azure-network"] {
            for (at, _) in text.match_indices(&format!("{begin}/")) {
                let rest = &text[at + begin.len()..];
                let is_name = |character: char| character.is_ascii_alphanumeric() || "/._-@".contains(character);
                let name =
                    rest[..rest.find(|character| !is_name(character)).unwrap_or(rest.len())].trim_end_matches('.');
                if [".sh", ".py"].iter().any(|extension| name.ends_with(extension)) {
                    named.insert(format!("{}{name}", begin.to_lowercase().replace("$containers", &containers)));
                }
            }
        }
    }
    let unknown: Vec<_> = named.iter().filter(|path| !known.contains(path.as_str())).collect();
    assert!(unknown.is_empty(), "{unknown:?}");
    let unused: Vec<_> = OTHERS.iter().filter(|(path, _)| !named.contains(*path)).collect();
    assert!(unused.is_empty(), "{unused:?}");
}
