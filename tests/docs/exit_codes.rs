//! Exit codes: the constants of the scripts, the page for people, and that the table says who ends with which code.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use aks_node_controller::catalogue::exit_codes::{EXIT_CODES, Ender, is_conventional};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");
const CONSTANTS: &str = "parts/provisioning/source/exit_codes.sh";

/// The constants of the steps.
pub fn script() -> String {
    let mut script = String::from(
        "# shellcheck shell=bash\n\
         # Exit codes of the steps. Generated from src/catalogue/exit_codes.rs by `make generate`; do not edit.\n\
         # shellcheck disable=SC2034 # other scripts read these\n\n",
    );
    for row in EXIT_CODES.iter().filter(|row| row.ends.contains(&Ender::Step)) {
        writeln!(script, "readonly {}={}", row.name, row.code).expect("text takes text");
    }
    script
}

pub fn page() -> String {
    let mut page = String::from(
        "# Exit codes\n\n\
         `ExitCode` in `provision.json`. Generated from `src/catalogue/exit_codes.rs` by `make generate`.\n\n\
         The column *ends* names what can end with a code: a *step* of the provisioning scripts; a *service*, that is a \
         script that a unit, a step or the CSE command runs; the *bootstrap script* in CustomData; the *controller* or its \
         launcher. A row without a name is a code of the reference that nothing here ends with.\n\n\
         Codes with the meaning that shells give them are not in this table: 124 is a run that was stopped at its time \
         limit, 137 one that was killed, and 129, 130 and 143 one that HUP, INT or TERM ended. Where \
         129 or 130 could be either, `Error` names the signal.\n\n\
         | code | name | ends | meaning |\n|---|---|---|---|\n",
    );
    for row in EXIT_CODES {
        let ends = row.ends.iter().map(|ender| ender.name()).collect::<Vec<_>>().join(", ");
        writeln!(page, "| {} | `{}` | {ends} | {} |", row.code, row.name, row.meaning).expect("text takes text");
    }
    page
}

fn files_below(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("it can be read") {
        let path = entry.expect("it can be read").path();
        if path.is_dir() {
            files_below(&path, found);
        } else {
            found.push(path);
        }
    }
}

/// What a file is a part of. None: it ends nothing.
fn ender(name: &str) -> Option<Ender> {
    if name == CONSTANTS {
        return None;
    }
    [
        ("parts/controller/", Ender::Controller),
        ("parts/localdns/", Ender::Service),
        ("parts/provisioning/services/", Ender::Service),
        ("parts/provisioning/", Ender::Step),
        ("src/node/", Ender::Controller),
        ("templates/", Ender::BootstrapScript),
    ]
    .into_iter()
    .find_map(|(folder, ender)| name.starts_with(folder).then_some(ender))
}

/// Numbers that follow a word in a text, as in `exit 6`.
fn numbers_after<'a>(text: &'a str, word: &'a str) -> impl Iterator<Item = u8> + 'a {
    text.match_indices(word).filter_map(move |(at, _)| {
        let before = text[..at].chars().next_back();
        let digits = &text[at + word.len()..];
        let end = digits.find(|digit: char| !digit.is_ascii_digit()).unwrap_or(digits.len());
        if before.is_some_and(|before| before.is_ascii_alphanumeric() || before == '_') {
            None
        } else {
            digits[..end].parse().ok()
        }
    })
}

/// The codes that a script or template ends with: constants, and literal numbers that are not a shell's own.
fn codes_of_script(name: &str, text: &str) -> BTreeSet<u8> {
    let literal = ["exit ", "fail "].into_iter().flat_map(|word| numbers_after(text, word));
    let mut codes: BTreeSet<u8> = literal.filter(|code| !is_conventional(*code)).collect();
    for (at, _) in text.match_indices("ERR_") {
        let rest = &text[at..];
        let end = rest.find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_').unwrap_or(rest.len());
        let (constant, rest) = rest.split_at(end);
        let row = EXIT_CODES.iter().find(|row| row.name == constant);
        let code = row.unwrap_or_else(|| panic!("{name}: {constant} is not in the table")).code;
        assert!(
            !rest.starts_with('=') || numbers_after(rest, "=").next() == Some(code),
            "{name}: {constant} is {code}"
        );
        codes.insert(code);
    }
    codes
}

/// The codes that a file of the controller ends with. In Rust they are constants of type `i64`.
fn codes_of_controller(text: &str) -> BTreeSet<u8> {
    let constants = text.split("const ").filter_map(|rest| rest.split_once(": i64 = "));
    let values = constants.filter_map(|(_, value)| value.split(';').next()?.parse().ok());
    values.filter(|code| !is_conventional(*code)).collect()
}

#[test]
fn the_table_names_exactly_what_ends_with_each_code() {
    let mut found: BTreeMap<u8, BTreeSet<Ender>> = BTreeMap::new();
    let mut files = Vec::new();
    for folder in ["parts", "templates", "src/node"] {
        files_below(&Path::new(ROOT).join(folder), &mut files);
    }
    for file in files {
        let name = file.strip_prefix(ROOT).expect("below the root").display().to_string();
        let Some(ender) = ender(&name) else { continue };
        let text = fs::read_to_string(&file).expect("it is text");
        let is_rust = name.starts_with("src/");
        for code in if is_rust { codes_of_controller(&text) } else { codes_of_script(&name, &text) } {
            assert!(
                EXIT_CODES.iter().any(|row| row.code == code),
                "{name} ends with {code}, which is not in the table"
            );
            found.entry(code).or_default().insert(ender);
        }
    }
    for row in EXIT_CODES {
        let found: Vec<_> = found.remove(&row.code).unwrap_or_default().into_iter().collect();
        assert_eq!(found, row.ends, "{} {}", row.code, row.name);
    }
}

#[test]
fn codes_ascend_and_names_are_unique() {
    assert!(EXIT_CODES.is_sorted_by(|one, next| one.code < next.code));
    assert_eq!(EXIT_CODES.iter().map(|row| row.name).collect::<BTreeSet<_>>().len(), EXIT_CODES.len());
}
