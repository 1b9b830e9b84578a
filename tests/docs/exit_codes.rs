//! Exit codes: the constants of the scripts, the page for people, and that both and the scripts agree.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::path::Path;

use aks_node_controller::catalogue::exit_codes::{EXIT_CODES, Ends};

const SCRIPTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/parts");
const CONSTANTS: &str = "provisioning/source/exit_codes.sh";

/// The constants of the scripts.
pub fn script() -> String {
    let mut script = String::from(
        "# shellcheck shell=bash\n\
         # Exit codes of the steps. Generated from src/catalogue/exit_codes.rs by `make generate`; do not edit.\n\
         # shellcheck disable=SC2034 # other scripts read these\n\n",
    );
    for row in EXIT_CODES.iter().filter(|row| row.ends == Ends::Here) {
        writeln!(script, "readonly {}={}", row.name, row.code).expect("text takes text");
    }
    script
}

pub fn page() -> String {
    let mut page = String::from(
        "# Exit codes\n\n\
         What `ExitCode` in `provision.json` says. Made from `src/catalogue/exit_codes.rs` by `make generate`. Codes in \
         the second table only come from scripts of others.\n",
    );
    for (title, ends) in [("Of our scripts", Ends::Here), ("Of other scripts", Ends::Elsewhere)] {
        write!(page, "\n## {title}\n\n| code | name | meaning |\n|---|---|---|\n").expect("text takes text");
        for row in EXIT_CODES.iter().filter(|row| row.ends == ends) {
            writeln!(page, "| {} | `{}` | {} |", row.code, row.name, row.meaning).expect("text takes text");
        }
    }
    page
}

/// Every constant that a script below a folder reads.
fn constants_of(folder: &Path, found: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).expect("it can be read") {
        let path = entry.expect("it can be read").path();
        if path.is_dir() {
            constants_of(&path, found);
            continue;
        }
        if path.ends_with(CONSTANTS) {
            continue;
        }
        let text = fs::read_to_string(&path).expect("it is text");
        let words = text.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
        found.extend(words.filter(|word| word.starts_with("ERR_")).map(str::to_owned));
    }
}

#[test]
fn the_scripts_end_with_codes_of_the_table_and_with_each_of_them() {
    let mut used = BTreeSet::new();
    constants_of(Path::new(SCRIPTS), &mut used);
    // Put together from the name of the program.
    assert!(used.remove("ERR_"), "the one place that puts a name together");
    used.extend(["ERR_KUBELET_INSTALL_FAIL", "ERR_KUBECTL_INSTALL_FAIL"].map(str::to_owned));
    let here = EXIT_CODES.iter().filter(|row| row.ends == Ends::Here).map(|row| row.name.to_owned());
    assert_eq!(used, here.collect());
}

#[test]
fn codes_ascend_and_names_are_unique() {
    assert!(EXIT_CODES.is_sorted_by(|one, next| one.code < next.code));
    assert_eq!(EXIT_CODES.iter().map(|row| row.name).collect::<BTreeSet<_>>().len(), EXIT_CODES.len());
}
