//! A text of the Configuration stands in a file of the node exactly where a plain text stands, whatever its characters are, or the
//! document is rejected. The files are read as their programs read them.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use aks_node_controller::configuration::{Configuration, Descriptor, Kind, Label, Message, SlotMut};
use aks_node_controller::environment::{Environment, ImageContents};
use aks_node_controller::inputs::{Checks, InputKind, NodeInput, Reading};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use crate::support::needs;

/// A text without meaning in any syntax.
const PLAIN: &str = "plain";

/// Texts that end their place in one syntax or another.
const HOSTILE: &[&str] = &[
    "a\"b",
    "a'b",
    "a\\b",
    "a\\",
    "a\nb",
    "a\r\nb",
    "a\rb",
    "a\tb",
    " a ",
    "a b",
    "\"quoted\"",
    "a\"]\n[plugins]\nb = [\"",
    "a\n}\n.:54 {\n    erratic\n",
    "a {\n",
    "a }",
    "a,b",
    "(a)",
    "a=b",
    "a:b",
    "a;b",
    "a&b",
    "a#b",
    "#a",
    "[a]",
    "- a",
    "${HOME}",
    "{$HOME}",
    "{%HOME%}",
    "$(id)",
    "`id`",
    "%n",
    "{{ pause_image }}",
    "{% raw %}",
    "</script>",
    "a\u{1b}[31mb",
    "a\u{7f}\u{85}\u{9b}b",
    "a\u{2028}b\u{2029}c",
    "a\u{202e}b",
    "\u{feff}a",
    "a\u{1}b",
    "1\nkernel.core_pattern=|/x",
    "1 infinity",
    "1 ExecStartPre=/x",
    "true",
    "null",
    "~",
];

type Path = Vec<&'static str>;

/// The name of the zone whose fields are set.
const ZONE: &str = "zone";

/// Returns the paths of all texts of a message, of those in its messages, and of the names of zones.
fn texts(descriptor: &'static Descriptor, before: &[&'static str], found: &mut Vec<Path>) {
    for field in descriptor.fields {
        let path = [before, &[field.name]].concat();
        match (field.kind, field.label) {
            (Kind::Message(inner), Label::Map) => {
                texts(inner, &[&path[..], &[ZONE]].concat(), found);
                found.push(path);
            }
            (Kind::Message(inner), _) => texts(inner, &path, found),
            (Kind::Text, _) => found.push(path),
            _ => {}
        }
    }
}

fn set(message: &mut dyn Message, path: &[&str], text: &str) {
    let [name, rest @ ..] = path else { unreachable!("a path ends with a text") };
    let index = message.descriptor().index_of(name).expect("the path comes from the descriptor");
    match message.slot_mut(index) {
        SlotMut::Text(slot) => text.clone_into(slot),
        SlotMut::OptionalText(slot) => *slot = Some(text.to_owned()),
        SlotMut::Texts(slot) => *slot = vec!["first".to_owned(), text.to_owned()],
        SlotMut::TextMap(slot) => drop(slot.insert("key".to_owned(), text.to_owned())),
        SlotMut::Message(inner) => set(inner, rest, text),
        SlotMut::MessageMap(map) => match rest {
            [] => drop(map.entry(text.to_owned())),
            [zone, rest @ ..] => set(map.entry((*zone).to_owned()), rest, text),
        },
        _ => unreachable!("every path is of a text"),
    }
}

/// A valid Configuration in which every text reaches the files that it belongs in.
fn base() -> Configuration {
    let mut base = Configuration::from_document(include_bytes!("../../testdata/examples/localdns.yaml"))
        .expect("the example decodes")
        .configuration;
    let profile = base.local_dns_profile.as_mut().expect("the example has it");
    for zones in [&mut profile.vnet_dns_overrides, &mut profile.kube_dns_overrides] {
        let mut zone = zones["."].clone();
        zone.health_check.get_or_insert_default().duration = Some("5s".to_owned());
        zones.insert(ZONE.to_owned(), zone);
    }
    base
}

/// Reads TOML, with the crate that Cargo uses.
fn toml(text: &str) -> Value {
    let table: toml::Table = toml::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"));
    serde_json::to_value(table).expect("it has texts and numbers")
}

/// Reads lines as `sysctl --load` reads them. <https://man7.org/linux/man-pages/man5/sysctl.conf.5.html>
fn sysctl(text: &str) -> Value {
    let lines = text.split('\n').map(str::trim).filter(|line| !line.is_empty() && !line.starts_with(['#', ';']));
    let settings = lines.map(|line| {
        let (name, value) = line.split_once('=').unwrap_or_else(|| panic!("{line:?} is no setting"));
        json!([name.trim(), value.trim()])
    });
    settings.collect()
}

/// Reads a unit as systemd reads it. <https://www.freedesktop.org/software/systemd/man/latest/systemd.syntax.html>
fn unit(text: &str) -> Value {
    let mut section = String::new();
    let mut found = Vec::new();
    for line in text.split('\n').map(str::trim).filter(|line| !line.is_empty() && !line.starts_with(['#', ';'])) {
        assert!(!line.ends_with('\\'), "{text:?} continues a line");
        if let Some(rest) = line.strip_prefix('[') {
            rest.strip_suffix(']').expect("a section ends").clone_into(&mut section);
            continue;
        }
        let (name, value) = line.split_once('=').unwrap_or_else(|| panic!("{line:?} is no setting"));
        found.push(json!([section, name.trim_end(), value.trim_start()]));
    }
    found.into()
}

/// Returns the words of each line of a Corefile. <https://github.com/coredns/caddy/blob/master/caddyfile/lexer.go>
fn words(text: &str) -> Vec<Vec<String>> {
    let mut lines = vec![Vec::new()];
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '\n' => lines.push(Vec::new()),
            _ if character.is_whitespace() => {}
            '#' => while characters.next_if(|next| *next != '\n').is_some() {},
            _ => {
                let is_quoted = character == '"';
                let mut word = if is_quoted { String::new() } else { character.to_string() };
                if is_quoted {
                    let mut is_escaped = false;
                    for next in characters.by_ref() {
                        match next {
                            '"' if !is_escaped => break,
                            '\\' if !is_escaped => is_escaped = true,
                            _ => {
                                word.extend((is_escaped && next != '"').then_some('\\'));
                                word.push(next);
                                is_escaped = false;
                            }
                        }
                    }
                } else {
                    while let Some(next) = characters.next_if(|next| !next.is_whitespace()) {
                        word.push(next);
                    }
                }
                assert!(!word.contains("{$") && !word.contains("{%"), "{word} is a variable");
                lines.last_mut().expect("there is one").push(word);
            }
        }
    }
    lines.retain(|line| !line.is_empty());
    lines
}

/// Reads a Corefile. <https://github.com/coredns/caddy/blob/master/caddyfile/parse.go>
fn corefile(text: &str) -> Value {
    fn block(lines: &mut std::vec::IntoIter<Vec<String>>, depth: usize) -> Vec<Value> {
        let mut found = Vec::new();
        while let Some(mut line) = lines.next() {
            if line == ["}"] && depth > 0 {
                return found;
            }
            assert!(depth > 0 || !line.iter().any(|name| name.contains([',', '(']) || name == "import"), "{line:?}");
            let has_block = line.last().is_some_and(|last| last == "{");
            line.truncate(line.len() - usize::from(has_block));
            assert!(depth > 0 || has_block, "{line:?} is no zone");
            assert!(!line.iter().any(|word| word.starts_with(['{', '}'])), "{line:?}");
            found.push(if has_block { json!([line, block(lines, depth + 1)]) } else { json!([line]) });
        }
        assert_eq!(depth, 0, "a block is not closed");
        found
    }
    block(&mut words(text).into_iter(), 0).into()
}

/// Returns what a shell makes of exports.
fn exports(text: &str) -> Value {
    let mut command = Command::new("sh");
    command.env_clear().args(["-c", &format!("{text}\n/usr/bin/env -0")]);
    let ended = command.output().expect("sh runs");
    assert!(ended.status.success() && ended.stderr.is_empty(), "{text:?}: {}", String::from_utf8_lossy(&ended.stderr));
    let text = String::from_utf8(ended.stdout).expect("text");
    let pairs = text.split_terminator('\0').filter_map(|pair| pair.split_once('='));
    pairs
        .filter(|(name, _)| !["PWD", "SHLVL", "_", "OLDPWD"].contains(name))
        .collect::<BTreeMap<_, _>>()
        .into_iter()
        .map(|(name, value)| (name.to_owned(), Value::from(value)))
        .collect::<serde_json::Map<_, _>>()
        .into()
}

/// A variable that carries a file, and how the file is read.
type File = (&'static str, fn(&str) -> Value);

const FILES: [File; 6] = [
    ("CONTAINERD_CONFIG_CONTENT", |text| toml(&decoded(text))),
    ("CONTAINERD_CONFIG_NO_GPU_CONTENT", |text| toml(&decoded(text))),
    ("KUBELET_CONFIG_FILE_CONTENT", |text| match decoded(text).as_str() {
        "" => Value::Null,
        text => serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}")),
    }),
    ("SYSCTL_CONTENT", |text| sysctl(&decoded(text))),
    // The zones are in the order of their names.
    ("LOCALDNS_COREFILE_WITH_HOSTS", |text| corefile(&decoded(text))),
    // The node writes each word on its line.
    ("CONTAINERD_ULIMITS", |text| unit(&text.replace(' ', "\n"))),
];

fn decoded(text: &str) -> String {
    String::from_utf8(STANDARD.decode(text).expect("base64")).expect("text")
}

/// Returns the values of the variables; `None` if the Configuration is refused.
fn values(configuration: &Configuration) -> Option<Vec<String>> {
    let image = ImageContents::default();
    let environment = Environment::new(configuration, &image);
    environment.pairs().ok()?;
    Some(FILES.iter().map(|(name, _)| environment.get(name).expect("a variable").to_owned()).collect())
}

/// Sorts lists, whose order can follow from the names of zones.
fn sorted(value: Value) -> Value {
    match value {
        Value::Array(list) => {
            let mut list: Vec<_> = list.into_iter().map(sorted).collect();
            list.sort_by_key(Value::to_string);
            list.into()
        }
        Value::Object(members) => members.into_iter().map(|(name, value)| (name, sorted(value))).collect(),
        other => other,
    }
}

/// Replaces the plain text in all texts and names.
fn with(value: &Value, text: &str) -> Value {
    match value {
        Value::String(plain) => plain.replace(PLAIN, text).into(),
        Value::Array(list) => list.iter().map(|element| with(element, text)).collect(),
        Value::Object(members) => {
            members.iter().map(|(name, value)| (name.replace(PLAIN, text), with(value, text))).collect()
        }
        other => other.clone(),
    }
}

fn is_valid(configuration: &Configuration) -> bool {
    let document = configuration.to_json();
    let checks = Checks { values: true, ..Checks::default() };
    Reading::new(Some(InputKind::Configuration), document.as_bytes(), &checks).report.is_valid()
}

fn with_text(path: &[&str], text: &str) -> Configuration {
    let mut configuration = base();
    set(&mut configuration, path, text);
    configuration
}

#[test]
fn a_hostile_text_stands_where_a_plain_one_stands_or_is_refused() {
    assert!(is_valid(&base()));
    let mut paths = Vec::new();
    texts(Configuration::descriptor(), &[], &mut paths);
    let without = values(&base()).expect("nothing is refused");
    let (mut in_files, mut read, mut refused) = (BTreeSet::new(), 0, 0);
    for path in &paths {
        let plain = values(&with_text(path, PLAIN)).unwrap_or_else(|| panic!("{path:?}: a plain text is refused"));
        let changed: Vec<_> = (0..FILES.len()).filter(|at| plain[*at] != without[*at]).collect();
        in_files.extend(changed.iter().copied());
        // Only texts that are in a file are tried.
        for text in HOSTILE.iter().filter(|_| !changed.is_empty()) {
            let configuration = with_text(path, text);
            let Some(found) = values(&configuration) else {
                assert!(!is_valid(&configuration), "{path:?}: {text:?} is refused without a finding");
                refused += 1;
                continue;
            };
            for (at, (name, reader)) in FILES.iter().enumerate() {
                if changed.contains(&at) {
                    let expected = sorted(with(&reader(&plain[at]), text));
                    assert_eq!(sorted(reader(&found[at])), expected, "{path:?}: {text:?} in {name}");
                } else {
                    assert_eq!(found[at], plain[at], "{path:?}: {text:?} in {name}");
                }
            }
            read += 1;
        }
    }
    assert_eq!(in_files.len(), FILES.len(), "each file has texts: {in_files:?}");
    assert!(read > 500 && refused > 100, "{read} were read, {refused} refused");
}

#[test]
fn the_proxy_is_what_a_shell_exports() {
    if !needs::programs(&[("/usr/bin/env", "coreutils")]) {
        return;
    }
    for (path, name) in
        [(["http_proxy_config", "http_proxy"], "http_proxy"), (["http_proxy_config", "https_proxy"], "HTTPS_PROXY")]
    {
        for text in HOSTILE {
            let configuration = with_text(&path, text);
            let image = ImageContents::default();
            let environment = Environment::new(&configuration, &image);
            if environment.pairs().is_err() {
                continue;
            }
            let found = exports(environment.get("PROXY_VARS").expect("a variable"));
            let names: Vec<_> = found.as_object().expect("variables").keys().collect();
            assert_eq!(names, [name], "{text:?}");
            assert!(found[name] == *text || !is_valid(&configuration), "{text:?}: {found}");
        }
    }
}

/// Returns the pointers to all texts of a document.
fn pointers(value: &Value, before: &str, found: &mut Vec<String>) {
    match value {
        Value::String(_) => found.push(before.to_owned()),
        Value::Array(list) => {
            list.iter().enumerate().for_each(|(at, value)| pointers(value, &format!("{before}/{at}"), found));
        }
        Value::Object(members) => members.iter().for_each(|(name, value)| {
            pointers(value, &format!("{before}/{}", name.replace('~', "~0").replace('/', "~1")), found);
        }),
        _ => {}
    }
}

#[test]
fn a_text_of_a_node_bootstrapping_configuration_adds_no_setting() {
    let document: Value = serde_json::from_str(include_str!("../../testdata/nbc/every_field.json")).expect("JSON");
    let mut places = Vec::new();
    pointers(&document, "", &mut places);
    let (mut tried, mut refused) = (0, 0);
    for place in places {
        for text in ["1\nkernel.core_pattern=|/x", "1 ExecStartPre=/x", "a\"\n[plugins]\n", "a;export Z=1", "a }"] {
            let mut document = document.clone();
            *document.pointer_mut(&place).expect("it is there") = text.into();
            let reading = Reading::new(Some(InputKind::Nbc), document.to_string().as_bytes(), &Checks::default());
            let Some(input) = reading.input else { continue };
            let given = ImageContents::default();
            let image = input.image(&given);
            let environment = input.assignments(&image).expect("it has every variable");
            if environment.pairs().is_err() {
                refused += 1;
                continue;
            }
            tried += 1;
            let value = |name: &str| environment.get(name).unwrap_or_default();
            for name in ["CONTAINERD_CONFIG_CONTENT", "CONTAINERD_CONFIG_NO_GPU_CONTENT"] {
                let table = toml(&decoded(value(name)));
                let names: Vec<_> = table.as_object().expect("a table").keys().collect();
                assert!(names.iter().all(|name| KNOWN_TABLES.contains(&name.as_str())), "{place}: {text:?}: {names:?}");
            }
            assert!(
                !sysctl(&decoded(value("SYSCTL_CONTENT"))).to_string().contains("core_pattern"),
                "{place}: {text:?}"
            );
            assert!(
                !unit(&value("CONTAINERD_ULIMITS").replace(' ', "\n")).to_string().contains("Exec"),
                "{place}: {text:?}"
            );
            if value("PROXY_VARS").contains(text) {
                let exported = exports(value("PROXY_VARS"));
                let mut names = exported.as_object().expect("variables").keys();
                assert!(names.all(|name| PROXY.contains(&name.as_str())), "{place}: {exported}");
            }
            corefile(&decoded(value("LOCALDNS_COREFILE_WITH_HOSTS")));
        }
    }
    assert!(tried > 300 && refused > 5, "{tried} were tried, {refused} refused");
}

/// The variables of a proxy.
const PROXY: [&str; 3] = ["HTTPS_PROXY", "NO_PROXY", "http_proxy"];

/// The names at the root of containerd's configuration.
const KNOWN_TABLES: [&str; 6] = ["metrics", "oom_score", "plugins", "proxy_plugins", "root", "version"];
