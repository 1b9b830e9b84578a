//! What the catalogue says about the readers of a variable, compared with the scripts in `parts/`.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use aks_node_controller::catalogue::variables::{CERTIFICATE_PREFIX, CERTIFICATES, VARIABLES};
use aks_node_controller::delivery::bootstrap_command;

/// What `Reader::file` says of the command that starts provisioning.
const COMMAND: &str = "the bootstrap command";

/// The scripts that go onto a node, by file name. Families have files of the same name, which are joined here.
/// Lists the variables and reads none of them.
const RESERVED_NAMES: &str = "controller/reserved_names.sh";

pub fn scripts() -> BTreeMap<String, String> {
    let mut scripts = BTreeMap::from([(COMMAND.to_owned(), bootstrap_command().to_owned())]);
    collect(&root(), &mut scripts);
    scripts
}

fn root() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("parts")
}

fn collect(directory: &Path, scripts: &mut BTreeMap<String, String>) {
    for entry in fs::read_dir(directory).expect("the directory can be read") {
        let path = entry.expect("the entry can be read").path();
        if path.is_dir() {
            collect(&path, scripts);
        } else if path.extension().is_some_and(|extension| extension == "sh") && !path.ends_with(RESERVED_NAMES) {
            let name = path.file_name().expect("an entry has a name").to_string_lossy().into_owned();
            *scripts.entry(name).or_default() += &joined(&path);
        }
    }
}

/// A script without comments, with the files that it includes.
fn joined(path: &Path) -> String {
    let text = fs::read_to_string(path).expect("the script can be read");
    let mut joined = String::new();
    for line in text.lines() {
        match line.strip_prefix("#include ") {
            Some(RESERVED_NAMES) => {}
            Some(name) => joined += &self::joined(&root().join(name)),
            None if line.trim_start().starts_with('#') => {}
            None => joined = joined + line + "\n",
        }
    }
    joined
}

/// The bodies of the functions of a name; `shfmt` puts the braces at the start of a line.
pub fn bodies<'t>(script: &'t str, function: &str) -> Vec<&'t str> {
    let head = format!("{function}() {{");
    let starts = script.match_indices(&head).filter(|(at, _)| script[..*at].ends_with('\n') || *at == 0);
    starts
        .map(|(at, _)| {
            let body = &script[at..];
            let line = body.lines().next().unwrap_or_default();
            if line.ends_with('}') { line } else { &body[..body.find("\n}\n").unwrap_or(body.len())] }
        })
        .collect()
}

/// Whether a text names a variable, and not only one whose name is longer.
pub fn names(text: &str, variable: &str) -> bool {
    let is_part = |character: char| character.is_ascii_alphanumeric() || character == '_';
    text.match_indices(variable).any(|(at, _)| {
        !text[..at].ends_with(is_part)
            && (variable == CERTIFICATE_PREFIX || !text[at + variable.len()..].starts_with(is_part))
    })
}

/// The words in backticks that could be the name of a function or of a setting.
fn quoted_names(text: &str) -> impl Iterator<Item = &str> {
    let is_name = |word: &&str| word.len() > 3 && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    text.split('`').skip(1).step_by(2).filter(is_name)
}

#[test]
fn the_functions_that_read_a_variable_are_those_that_the_catalogue_names() {
    let scripts = scripts();
    let mut wrong = Vec::new();
    for variable in VARIABLES {
        let name = if variable.name == CERTIFICATES { CERTIFICATE_PREFIX } else { variable.name };
        for reader in variable.readers {
            let script = scripts.get(reader.file);
            let script = script.unwrap_or_else(|| panic!("{}: there is no {}", variable.name, reader.file));
            if !names(script, name) {
                wrong.push(format!("{} does not read {}", reader.file, variable.name));
            }
            for function in reader.functions {
                if !bodies(script, function).iter().any(|body| names(body, name)) {
                    wrong.push(format!("{function} in {} does not read {}", reader.file, variable.name));
                }
            }
            for quoted in quoted_names(reader.effect) {
                if !scripts.values().any(|script| names(script, quoted)) {
                    wrong.push(format!("{}: no script has `{quoted}`", variable.name));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn a_variable_that_a_script_reads_has_a_reader() {
    let scripts = scripts();
    let mut wrong = Vec::new();
    for variable in VARIABLES {
        let name = if variable.name == CERTIFICATES { CERTIFICATE_PREFIX } else { variable.name };
        let reading = scripts.iter().find(|(_, script)| names(script, name));
        if let (Some((file, _)), []) = (reading, variable.readers) {
            wrong.push(format!("{file} reads {}, and the catalogue says that nothing does", variable.name));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
