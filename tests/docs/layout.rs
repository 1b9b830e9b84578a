//! CONTRIBUTING.md lists the modules of `src`, in an order in which each imports only earlier ones, and files of a module do
//! not import each other in circles.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

const SRC: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src");

/// The path of a module below the crate, such as `diagnosis::reading::archive`.
type Module = Vec<String>;

/// A file of `src`: what it imports, and what it passes on with `pub use`.
#[derive(Default)]
struct Source {
    imports: Vec<Module>,
    passed_on: BTreeMap<String, Module>,
}

fn below(module: &[String], name: &str) -> Module {
    [module, &[name.to_owned()]].concat()
}

/// Returns every file of `src` except tests, by its module.
fn sources() -> BTreeMap<Module, Source> {
    let mut texts = BTreeMap::new();
    read(Path::new(SRC), &[], &mut texts);
    let of_tests: BTreeSet<Module> = texts.iter().flat_map(|(module, text)| test_modules(module, text)).collect();
    texts.retain(|module, _| !of_tests.contains(module) && *module != ["main"]);
    let modules: BTreeSet<Module> = texts.keys().cloned().collect();
    texts.into_iter().map(|(module, text)| (module.clone(), source(&module, &text, &modules))).collect()
}

fn read(directory: &Path, module: &[String], texts: &mut BTreeMap<Module, String>) {
    for entry in fs::read_dir(directory).expect("it can be read") {
        let path = entry.expect("it can be read").path();
        let name = path.file_stem().and_then(|name| name.to_str()).expect("a name").to_owned();
        let inner = below(module, &name);
        if path.is_dir() {
            read(&path, &inner, texts);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let module = if name == "mod" || name == "lib" { module.to_vec() } else { inner };
            texts.insert(module, fs::read_to_string(&path).expect("text"));
        }
    }
}

/// Returns the modules that a file declares for tests only.
fn test_modules(module: &[String], text: &str) -> Vec<Module> {
    let lines: Vec<&str> = text.lines().collect();
    let pairs = lines.windows(2).filter(|pair| pair[0].starts_with("#[cfg(") && pair[0].contains("test"));
    let names = pairs.filter_map(|pair| pair[1].trim_start_matches("pub ").strip_prefix("mod ")?.strip_suffix(';'));
    names.map(|name| below(module, name)).collect()
}

fn source(module: &[String], text: &str, modules: &BTreeSet<Module>) -> Source {
    let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    let code: String =
        code.lines().filter(|line| !line.trim_start().starts_with("//")).flat_map(|line| [line, "\n"]).collect();
    let mut found = Source::default();
    let tokens = tokens(&code);
    let mut at = 0;
    while at < tokens.len() {
        let is_start = at == 0 || tokens[at - 1] != "::";
        let is_child = || modules.contains(&below(module, tokens[at]));
        let is_path =
            tokens.get(at + 1) == Some(&"::") && (["crate", "super", "self"].contains(&tokens[at]) || is_child());
        if !is_start || !is_path {
            at += 1;
            continue;
        }
        let is_passed_on = at >= 2 && tokens[at - 1] == "use" && (tokens[at - 2] == "pub" || tokens[at - 2] == ")");
        let mut paths = Vec::new();
        at = tree(&tokens, at, &[], &mut paths);
        for (path, name) in paths {
            let path = absolute(module, &path);
            if is_passed_on {
                found.passed_on.insert(name, path);
            } else {
                found.imports.push(path);
            }
        }
    }
    found
}

/// Returns names, `::`, and other characters that are no blanks.
fn tokens(code: &str) -> Vec<&str> {
    let is_name = |character: char| character.is_alphanumeric() || character == '_';
    let mut tokens = Vec::new();
    let mut rest = code.trim_start();
    while let Some(first) = rest.chars().next() {
        let length = match first {
            _ if is_name(first) => rest.find(|character| !is_name(character)).unwrap_or(rest.len()),
            ':' if rest.starts_with("::") => 2,
            _ => first.len_utf8(),
        };
        tokens.push(&rest[..length]);
        rest = rest[length..].trim_start();
    }
    tokens
}

/// Adds the paths of an import that begins at a token, each with the name that it has here. Returns where it ends.
fn tree(tokens: &[&str], mut at: usize, before: &[String], paths: &mut Vec<(Module, String)>) -> usize {
    let mut path = before.to_vec();
    loop {
        match tokens.get(at) {
            Some(&"{") => {
                at += 1;
                while tokens.get(at).is_some_and(|token| *token != "}") {
                    at = tree(tokens, at, &path, paths);
                    at += usize::from(tokens.get(at) == Some(&","));
                }
                return at + 1;
            }
            Some(name) => {
                path.extend((*name != "self" || path.is_empty()).then(|| (*name).to_owned()));
                at += 1;
            }
            None => return at,
        }
        if tokens.get(at) != Some(&"::") {
            break;
        }
        at += 1;
    }
    let is_renamed = tokens.get(at) == Some(&"as");
    at += if is_renamed { 2 } else { 0 };
    let name = tokens[at - 1].to_owned();
    paths.push((path, name));
    at
}

/// Returns a path below the crate.
fn absolute(module: &[String], path: &[String]) -> Module {
    let mut from = module.to_vec();
    let mut rest = path;
    while let Some((first, more)) = rest.split_first() {
        match first.as_str() {
            "crate" => from.clear(),
            "super" => drop(from.pop()),
            "self" => {}
            _ => break,
        }
        rest = more;
    }
    [from.as_slice(), rest].concat()
}

/// Returns the file that has what a path names.
fn resolved(path: &[String], sources: &BTreeMap<Module, Source>) -> Module {
    let length = (0..=path.len()).rev().find(|length| sources.contains_key(&path[..*length])).unwrap_or_default();
    let (module, rest) = path.split_at(length);
    let passed_on = rest.first().and_then(|name| sources[module].passed_on.get(name));
    match passed_on {
        Some(origin) => resolved(&[origin, &rest[1..]].concat(), sources),
        None => module.to_vec(),
    }
}

/// Returns each import of a file from another one.
fn imports(sources: &BTreeMap<Module, Source>) -> BTreeSet<(Module, Module)> {
    let imports = sources
        .iter()
        .flat_map(|(module, source)| source.imports.iter().map(|path| (module.clone(), resolved(path, sources))));
    imports.filter(|(from, to)| from != to && !from.is_empty() && !to.is_empty()).collect()
}

/// Returns the modules of the list, in its order.
fn listed() -> Vec<String> {
    let page = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/CONTRIBUTING.md")).expect("it is there");
    let (_, layout) = page.split_once("## Source layout").expect("the section is there");
    let rows =
        layout.lines().skip_while(|line| !line.starts_with("|---")).skip(1).take_while(|line| line.starts_with('|'));
    rows.flat_map(|row| row.split('|').nth(1).unwrap_or_default().split('`').skip(1).step_by(2))
        .map(str::to_owned)
        .collect()
}

#[test]
fn modules_import_those_before_them_in_the_list() {
    let sources = sources();
    let listed = listed();
    let modules: BTreeSet<&String> = sources.keys().filter_map(|module| module.first()).collect();
    assert_eq!(listed.iter().collect::<BTreeSet<_>>(), modules, "CONTRIBUTING.md lists the modules of src");
    let place = |module: &Module| listed.iter().position(|name| *name == module[0]);
    let wrong: Vec<String> = imports(&sources)
        .iter()
        .filter(|(from, to)| place(to) > place(from))
        .map(|(from, to)| format!("{} imports {}", from.join("::"), to.join("::")))
        .collect();
    assert!(wrong.is_empty(), "these import a later module:\n{}", wrong.join("\n"));
}

#[test]
fn files_of_a_module_do_not_import_each_other_in_circles() {
    let sources = sources();
    let mut imports = imports(&sources);
    // A module's own file may declare what the files below it use, and use them.
    imports.retain(|(from, to)| from[0] == to[0] && !from.starts_with(to) && !to.starts_with(from));
    // What nothing imports, or what imports nothing, is in no circle.
    loop {
        let importing: BTreeSet<Module> = imports.iter().map(|(from, _)| from.clone()).collect();
        let imported: BTreeSet<Module> = imports.iter().map(|(_, to)| to.clone()).collect();
        let before = imports.len();
        imports.retain(|(from, to)| imported.contains(from) && importing.contains(to));
        if imports.len() == before {
            break;
        }
    }
    let circles: Vec<_> = imports.iter().map(|(from, to)| (from.join("::"), to.join("::"))).collect();
    assert!(circles.is_empty(), "imports in circles:\n{circles:#?}");
}
