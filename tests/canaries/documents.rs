//! The commands on documents that have a secret where none belongs: in any value and in any key.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use super::Cells;
use super::search::Search;
use crate::support::{Scratch, finish};

const PROGRAM: &str = env!("CARGO_BIN_EXE_aks-node-controller");

const PASSWORD: &str = "Zebra-Quilt.Moss7";

const COMMANDS: [&[&str]; 7] = [
    &["env"],
    &["env", "--format", "json"],
    &["validate"],
    &["validate", "--format", "json"],
    &["validate", "--format", "sarif"],
    &["validate", "--format", "github"],
    &["generate"],
];

/// Returns what a command shows about a document.
fn shown(arguments: &[&str], file: &Path) -> String {
    let ended = finish(Command::new(PROGRAM).args(arguments).arg(file));
    // What `generate` prints is for the node.
    let stdout = if arguments[0] == "generate" { "".into() } else { String::from_utf8_lossy(&ended.stdout) };
    stdout.into_owned() + &String::from_utf8_lossy(&ended.stderr)
}

/// Texts from which anybody sees the secret.
fn texts() -> Vec<String> {
    vec![
        format!("http://user:{PASSWORD}@proxy.contoso.com:3128/"),
        format!("DB_PASSWORD={PASSWORD} x"),
        format!("mirror.contoso.com/a#sig={PASSWORD}"),
        format!("user:{PASSWORD}@proxy.contoso.com:3128"),
        format!("https://user:{PASSWORD}@h\"\n[a"),
        format!("{{\"clientSecret\":\"{PASSWORD}\""),
        format!("echo {PASSWORD} | docker login -u me --password-stdin h"),
    ]
}

/// A step of a way into JSON.
#[derive(Clone)]
enum Step {
    Key(String),
    Index(usize),
    /// The name of the member instead of its value.
    Name,
}

fn ways(value: &Value, way: &mut Vec<Step>, found: &mut Vec<Vec<Step>>) {
    let mut inside = |step: Step, value: &Value, found: &mut Vec<Vec<Step>>| {
        way.push(step);
        ways(value, way, found);
        way.pop();
    };
    match value {
        Value::Object(members) => {
            for (name, value) in members {
                inside(Step::Key(name.clone()), value, found);
            }
        }
        Value::Array(list) => {
            for (at, value) in list.iter().enumerate() {
                inside(Step::Index(at), value, found);
            }
        }
        Value::String(_) => {
            found.push(way.clone());
            found.push([way.as_slice(), &[Step::Name]].concat());
        }
        _ => {}
    }
}

/// Puts a text at the end of a way; does nothing if an element of a list should get a name.
fn plant(value: &mut Value, way: &[Step], text: &str) {
    match way {
        [] => *value = text.into(),
        [Step::Key(name), Step::Name] => {
            let members = value.as_object_mut().expect("the way leads there");
            let member = members.remove(name).expect("the way leads there");
            members.insert(text.to_owned(), member);
        }
        [Step::Key(name), rest @ ..] => plant(&mut value[name], rest, text),
        [Step::Index(at), rest @ ..] => plant(&mut value[*at], rest, text),
        [Step::Name, ..] => {}
    }
}

/// `make canaries` sets `EVERY_CANARY`; otherwise each place meets every third command.
#[test]
fn what_is_said_about_a_document_has_no_secret() {
    let every = std::env::var_os("EVERY_CANARY").is_some();
    let scratch = Scratch::new("canaries-documents");
    let search = Search::new([PASSWORD]);
    let mut cells = Cells::default();
    let texts = texts();
    for example in ["http-proxy-own-ca", "kubelet-config-file"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("testdata/examples/{example}.yaml"));
        let document = fs::read_to_string(path).expect("readable");
        let document: Value = yaml_to_json(&document);
        let file = scratch.join("document.json");
        let write = |document: &Value| {
            fs::write(&file, serde_json::to_string_pretty(document).expect("JSON")).expect("writable");
        };
        write(&document);
        let plain =
            COMMANDS.map(|arguments| shown(arguments, &file).lines().map(str::to_owned).collect::<BTreeSet<_>>());
        let mut found = Vec::new();
        ways(&document, &mut Vec::new(), &mut found);
        for (number, way) in found.iter().enumerate() {
            let mut changed = document.clone();
            let text = &texts[number % texts.len()];
            plant(&mut changed, way, text);
            write(&changed);
            for (place, arguments) in COMMANDS.into_iter().enumerate() {
                if !every && !(number + place).is_multiple_of(3) {
                    continue;
                }
                let shown = shown(arguments, &file);
                // A line about the document without the text has nothing of the text, and to search it takes long.
                let lines: Vec<_> = shown.lines().filter(|line| !plain[place].contains(*line)).collect();
                cells.check(
                    &search,
                    [example, &number.to_string(), "document", &arguments.join(" ")],
                    text,
                    &lines.join("\n"),
                );
            }
        }
    }
    cells.assert_none(500);
}

/// Returns a document as the program converts it.
fn yaml_to_json(document: &str) -> Value {
    let scratch = Scratch::new("canaries-convert");
    let file = scratch.join("document.yaml");
    fs::write(&file, document).expect("writable");
    let ended = finish(Command::new(PROGRAM).arg("convert").arg(&file));
    serde_json::from_slice(&ended.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&ended.stderr)))
}
