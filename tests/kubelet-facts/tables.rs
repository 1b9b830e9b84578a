//! Turns what `run.sh` wrote, one file for each minor version of Kubernetes, into the tables of `src/catalogue`.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::Path;
use std::{fs, io};

use aks_node_controller::catalogue::minors::KNOWN;
use serde_json::Value;

/// Flags whose values have more structure than their type in the kubelet.
const TYPES: &[(&str, &str)] = &[
    ("cluster-dns", "Addresses"),
    ("eviction-hard", "Thresholds"),
    ("eviction-soft", "Thresholds"),
    ("eviction-soft-grace-period", "Durations"),
    ("kube-reserved", "Amounts"),
    ("node-ip", "Addresses"),
    ("node-labels", "Labels"),
    ("system-reserved", "Amounts"),
];

/// Returns the generated files of the project and their texts.
pub fn files(directory: &Path) -> io::Result<Vec<(&'static str, String)>> {
    let mut versions = Vec::new();
    for minor in KNOWN {
        let text = fs::read_to_string(directory.join(format!("{minor}.json")))?;
        versions.push(serde_json::from_str::<Value>(&text)?);
    }
    Ok(vec![
        ("src/catalogue/kubelet_flags/table.rs", flags(&rows(&versions, "flags", "name"))),
        ("src/catalogue/feature_gates/table.rs", gates(&rows(&versions, "gates", "name"))),
        ("src/catalogue/feature_gates/dependencies.rs", dependencies(&versions)),
        ("src/catalogue/kubelet_fields.rs", fields(&rows(&versions, "fields", "path"))),
    ])
}

/// What each version that has something says about it, by minor version.
type Row<'v> = BTreeMap<u64, &'v Value>;

fn rows<'v>(versions: &'v [Value], list: &str, key: &str) -> BTreeMap<&'v str, Row<'v>> {
    let mut rows = BTreeMap::<_, Row<'_>>::new();
    for (minor, version) in KNOWN.zip(versions) {
        let entries = version[list].as_array().expect("the list is there");
        assert!(entries.len() > 100, "1.{minor} has only {} {list}", entries.len());
        for entry in entries {
            rows.entry(entry[key].as_str().expect("a name")).or_default().insert(minor, entry);
        }
    }
    rows
}

/// Returns the calls that set a lifetime. Nothing may come back after it was removed.
fn lifetime(name: &str, row: &Row<'_>) -> String {
    let (first, last) = (*row.keys().next().expect("a row"), *row.keys().last().expect("a row"));
    assert_eq!(row.len() as u64, last - first + 1, "{name} was removed and came back");
    let mut text = String::new();
    if first != *KNOWN.start() {
        let _ = write!(text, ".since({first})");
    }
    if last != *KNOWN.end() {
        let _ = write!(text, ".until({})", last + 1);
    }
    text
}

fn head() -> String {
    let (first, last) = (KNOWN.start(), KNOWN.end());
    format!("Written by `make kubelet-facts` from the kubelets of Kubernetes 1.{first} to 1.{last}.")
}

fn flags(rows: &BTreeMap<&str, Row<'_>>) -> String {
    let mut text = String::new();
    let mut used = BTreeSet::new();
    for (name, row) in rows {
        let mut types: Vec<_> =
            row.values().map(|flag| flag_type(name, flag["type"].as_str().expect("a type"))).collect();
        types.dedup();
        let [value] = types[..] else { panic!("--{name} changes its type: {types:?}") };
        used.insert(value);
        let _ = writeln!(text, "    row(\"--{name}\", {value}){},", lifetime(name, row));
    }
    let used = used.into_iter().collect::<Vec<_>>().join(", ");
    let head = head();
    format!(
        "//! {head}\n\n#[rustfmt::skip]\nuse super::FlagType::{{{used}}};\nuse super::{{Row, row}};\n\n\
         #[rustfmt::skip]\npub(super) static ROWS: &[Row] = &[\n{text}];\n"
    )
}

fn flag_type(name: &str, of: &str) -> &'static str {
    if let Some((_, value)) = TYPES.iter().find(|(known, _)| *known == name) {
        return value;
    }
    match of {
        "string"
        | "stringSlice"
        | "version"
        | "pattern=N,..."
        | "reserved-memory"
        | "colonSeparatedMultimapStringString" => "Text",
        "bool" => "Bool",
        "duration" => "Duration",
        "int32" | "Level" => "Integer",
        "int" | "int64" => "Long",
        "ip" => "Address",
        "mapStringBool" => "Switches",
        "mapStringString" => "Pairs",
        "quantity" => "Quantity",
        "[]v1.Taint" => "Taints",
        other => panic!("--{name} has the unknown type {other}"),
    }
}

fn gates(rows: &BTreeMap<&str, Row<'_>>) -> String {
    let mut text = format!("//! {}\n\nuse super::{{FeatureGate, gate}};\n\n", head());
    text.push_str("#[rustfmt::skip]\npub(super) static GATES: &[FeatureGate] = &[\n");
    for (name, row) in rows {
        let mut locks = row
            .iter()
            .filter(|(_, gate)| gate["locked"] == true)
            .map(|(minor, gate)| (*minor, gate["default"].as_bool().expect("a default")));
        let lock = locks.next();
        if let Some((since, value)) = lock {
            let later: Vec<_> = locks.collect();
            assert!(later.iter().all(|(_, other)| *other == value), "{name} is locked on and off");
            assert_eq!(later.len(), row.range(since + 1..).count(), "{name} is unlocked again");
        }
        let lock = lock.map_or_else(String::new, |(since, on)| format!(".{}({since})", if on { "on" } else { "off" }));
        let _ = writeln!(text, "    gate(\"{name}\"){}{lock},", lifetime(name, row));
    }
    text + "];\n"
}

/// Returns the gates that need others, without those that need one which is locked.
fn dependencies(versions: &[Value]) -> String {
    let mut text = format!("//! {}\n\nuse super::Stage::{{Alpha, Beta, Other}};\n", head());
    text.push_str("use super::{Dependency, needs};\n\n#[rustfmt::skip]\n");
    text.push_str("pub(super) static DEPENDENCIES: &[Dependency] = &[\n");
    for (minor, version) in KNOWN.zip(versions) {
        let gates: BTreeMap<_, _> = version["gates"]
            .as_array()
            .expect("the list is there")
            .iter()
            .map(|gate| (gate["name"].as_str().expect("a name"), gate))
            .collect();
        let stage = |name: &str| match (gates[name]["stage"].as_str(), &gates[name]["default"]) {
            (Some("ALPHA"), _) => "Alpha".to_owned(),
            (Some("BETA"), default) => format!("Beta({default})"),
            (_, default) => format!("Other({default})"),
        };
        for (name, gate) in &gates {
            let others = gate["needs"].as_array().into_iter().flatten().filter_map(Value::as_str);
            for other in others.filter(|other| gates[other]["locked"] == false) {
                let (one, two) = (stage(name), stage(other));
                let _ = writeln!(text, "    needs({minor}, (\"{name}\", {one}), (\"{other}\", {two})),");
            }
        }
    }
    text + "];\n"
}

fn fields(rows: &BTreeMap<&str, Row<'_>>) -> String {
    let mut text = format!(
        "//! Fields of the kubelet's configuration file, `kubelet.config.k8s.io/v1beta1`: path, type and versions.\n//!\n\
         //! {}\n\nuse super::minors::Lifetime;\n\n\
         const ALWAYS: Lifetime = Lifetime::ALWAYS;\n\n\
         /// In byte order of their paths, which have `[]` for the elements of a list and `{{}}` for the values of a map.\n\
         #[rustfmt::skip]\npub static FIELDS: &[(&str, &str, Lifetime)] = &[\n",
        head()
    );
    for (path, row) in rows {
        let mut kinds: Vec<_> = row.values().map(|field| field["kind"].as_str().expect("a kind")).collect();
        kinds.dedup();
        let kind = kinds.pop().expect("a row");
        let _ = writeln!(text, "    (\"{path}\", \"{kind}\", ALWAYS{}),", lifetime(path, row));
    }
    text + "];\n"
}
