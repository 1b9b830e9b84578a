//! The controller's settings, from every document that can have them.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::place::{FileReport, Found, Place, at, elements, entries, scalar, text};
use crate::Secret;
use crate::document::stream::{assignment, of_powershell};
use crate::document::{Finding, ParsedTree, Position};
use crate::inputs::karpenter::objects::{SETTINGS, Setting};

/// The value of a setting, and where it was read.
#[derive(Clone)]
pub(super) struct Given {
    pub setting: &'static Setting,
    pub value: Secret<'static>,
    /// The source for messages: `Deployment karpenter`.
    pub source: String,
    pub at: At,
    pub option: Option<&'static str>,
    /// Whether another source of the same setting replaces this one silently.
    pub is_weak: bool,
}

/// Where a value was read.
#[derive(Clone)]
pub(super) enum At {
    Place(Place),
    Line {
        file: usize,
        position: Position,
    },
    Environment,
    /// The Configuration below.
    Base,
}

/// A map of texts that others can refer to.
#[derive(Clone)]
pub(super) struct Texts {
    pub kind: &'static str,
    pub name: String,
    /// Name, value and place of each entry; base64 of a Secret is decoded.
    pub entries: Vec<(String, Secret<'static>, Place)>,
}

/// The environment of the controller's container.
#[derive(Clone)]
pub(super) struct Container {
    /// The object, for messages.
    pub source: String,
    pub namespace: String,
    pub variables: Vec<Variable>,
    /// Kind and name of the maps that are read as a whole, and the prefix of their names.
    pub maps: Vec<(&'static str, String, String)>,
}

/// A variable of a container.
#[derive(Clone)]
pub(super) struct Variable {
    pub name: String,
    pub value: Value,
    pub place: Place,
}

#[derive(Clone)]
pub(super) enum Value {
    Text(Secret<'static>),
    /// Kind, name and key of the map that has the value.
    Key(&'static str, String, String),
    /// What the kubelet fills in.
    Field,
}

/// Returns a setting by its name.
pub(super) fn setting(name: &str) -> Option<&'static Setting> {
    SETTINGS.iter().find(|setting| setting.name == name)
}

impl At {
    /// Returns the place for messages.
    pub fn shown(&self, files: &[FileReport]) -> String {
        match self {
            Self::Place(place) => place.shown(files),
            Self::Line { file, position } => format!("{}:{position}", files[*file].name),
            Self::Environment => "the environment".to_owned(),
            Self::Base => "the Configuration".to_owned(),
        }
    }

    /// Returns the number of the file; entries without one come last.
    pub fn order(&self) -> usize {
        match self {
            Self::Place(place) => place.file,
            Self::Line { file, .. } => *file,
            Self::Environment | Self::Base => usize::MAX,
        }
    }

    /// Returns the file of the value and the finding with its position.
    pub fn located(&self, files: &[FileReport], mut finding: Finding) -> (Option<usize>, Finding) {
        match self {
            Self::Place(place) => {
                finding.position = place.position(files);
                (Some(place.file), finding)
            }
            Self::Line { file, position } => {
                finding.position = Some(*position);
                (Some(*file), finding)
            }
            Self::Environment | Self::Base => (None, finding),
        }
    }
}

/// Reads lines of `NAME=value`. A line without a name belongs to the value before it.
pub(super) fn lines(text: &str, start: Position, file: usize, option: Option<&'static str>) -> Vec<Given> {
    let mut found: Vec<(String, String, Position)> = Vec::new();
    for (number, line) in text.lines().enumerate() {
        if let Some((name, value, position)) = named(line, number, start) {
            let value =
                if of_powershell(line.trim_start()).is_some() { of_powershell_quotes(value) } else { value.to_owned() };
            found.push((name.to_owned(), value, position));
        } else if line.trim_start().starts_with('#') {
            // A comment ends a value.
        } else if let Some((_, value, _)) = found.last_mut() {
            value.push('\n');
            value.push_str(line);
        }
    }
    let found = found.into_iter().filter_map(|(name, value, position)| {
        let value = Secret::from(unquoted(value.trim_end()));
        let (setting, source) = (setting(&name)?, "the lines of variables".to_owned());
        Some(Given { setting, value, source, at: At::Line { file, position }, option, is_weak: false })
    });
    found.collect()
}

/// Returns the names that lines of `NAME=value` set.
pub(super) fn names(text: &str, start: Position) -> Vec<(String, Position)> {
    let lines = text.lines().enumerate().filter_map(|(number, line)| named(line, number, start));
    lines.map(|(name, _, position)| (name.to_owned(), position)).collect()
}

/// Returns name, value and position of a line of `NAME=value`.
fn named(line: &str, number: usize, start: Position) -> Option<(&str, &str, Position)> {
    let (name, value) = assignment(line)?;
    let column = 1 + (name.as_ptr().addr() - line.as_ptr().addr());
    Some((name, value, Position { line: 1 + number, column }.shifted(start)))
}

/// Returns a value of PowerShell as a shell quotes it: there, a backtick escapes, and two quotes are one of the value.
fn of_powershell_quotes(value: &str) -> String {
    let value = value.trim_end().trim_end_matches(';').trim_end();
    let inner = |quote: char| value.strip_prefix(quote).and_then(|rest| rest.strip_suffix(quote));
    let plain = match (inner('\''), inner('"')) {
        (Some(inner), _) => inner.replace("''", "'"),
        (None, Some(inner)) => {
            let mut text = String::new();
            let mut characters = inner.chars().peekable();
            while let Some(character) = characters.next() {
                let is_escape = character == '`' || (character == '"' && characters.peek() == Some(&'"'));
                text.extend(if is_escape { characters.next() } else { Some(character) });
            }
            text
        }
        (None, None) if value.starts_with(['\'', '"']) => return value.to_owned(),
        (None, None) => value.to_owned(),
    };
    format!("'{plain}'")
}

/// Returns the text inside quotes of a shell.
fn unquoted(value: &str) -> String {
    if let Some(inner) = value.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\'')) {
        return inner.to_owned();
    }
    let Some(inner) = value.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) else { return value.to_owned() };
    let (mut text, mut characters) = (String::new(), inner.chars().peekable());
    while let Some(character) = characters.next() {
        match characters.peek() {
            Some(next @ ('"' | '\\' | '$' | '`')) if character == '\\' => {
                text.push(*next);
                characters.next();
            }
            _ => text.push(character),
        }
    }
    text
}

/// Reads a `ConfigMap` or a Secret.
pub(super) fn texts(tree: &ParsedTree<'_>, place: &Place, kind: &'static str) -> Texts {
    let name = text(tree, &["metadata", "name"]).unwrap_or_default().to_owned();
    let plain = if kind == "Secret" { "stringData" } else { "data" };
    let mut found: Vec<_> = entries(tree, place, &[plain])
        .into_iter()
        .filter_map(|(name, value, place)| Some((name.to_owned(), Secret::from(scalar(value)?), place)))
        .collect();
    if kind == "Secret" {
        for (name, value, place) in entries(tree, place, &["data"]) {
            let packed: Option<String> = scalar(value).map(|text| text.split_ascii_whitespace().collect());
            let decoded = packed.and_then(|packed| String::from_utf8(STANDARD.decode(packed).ok()?).ok());
            if let Some(decoded) = decoded
                && found.iter().all(|(known, ..)| known != name)
            {
                // Programs that make a Secret of a file keep the end of its last line.
                found.push((name.to_owned(), Secret::from(decoded.trim_end_matches('\n').to_owned()), place));
            }
        }
    }
    Texts { kind, name, entries: found }
}

/// Reads the containers of an object. `None` if none of them has settings of the controller.
pub(super) fn container(tree: &ParsedTree<'_>, place: &Place, spec: &[&str], kind: &str) -> Option<Container> {
    let name = text(tree, &["metadata", "name"]).unwrap_or_default();
    let namespace = text(tree, &["metadata", "namespace"]).unwrap_or("kube-system").to_owned();
    let (spec, place) = at(tree, place, spec)?;
    let containers = elements(spec, &place, &["containers"]).into_iter();
    let mut found: Vec<Container> = containers
        .map(|(container, place)| {
            let mut variables = variables(container, &place, &["env"]);
            variables.extend(options(container, &place));
            let source = format!("{kind} {name}");
            Container { source, namespace: namespace.clone(), variables, maps: maps(container, &place) }
        })
        .collect();
    let count = |container: &Container| container.variables.iter().filter(|one| setting(&one.name).is_some()).count();
    let is_karpenter = name.contains("karpenter");
    found.retain(|container| {
        count(container) >= 2 || (is_karpenter && (count(container) > 0 || !container.maps.is_empty()))
    });
    found.into_iter().max_by_key(count)
}

/// Reads the values of Karpenter's Helm chart.
pub(super) fn of_values(tree: &ParsedTree<'_>, place: &Place) -> Container {
    let maps = at(tree, place, &["controller"]).map(|(controller, place)| maps(controller, &place));
    let mut variables = variables(tree, place, &["controller", "env"]);
    // Of two variables with one name, the container has the later one, and those of the list are the last.
    let of_chart = of_chart(tree, place).filter(|variable| variables.iter().all(|known| known.name != variable.name));
    let of_chart: Vec<_> = of_chart.collect();
    variables.extend(of_chart);
    Container {
        source: "the values of the chart".to_owned(),
        namespace: "kube-system".to_owned(),
        variables,
        maps: maps.unwrap_or_default(),
    }
}

/// The settings of the chart from which it makes variables of the container.
/// <https://github.com/Azure/karpenter-provider-azure/blob/main/charts/karpenter/templates/deployment.yaml>
const OF_CHART: [(&str, &str); 4] = [
    ("clusterName", "CLUSTER_NAME"),
    ("clusterEndpoint", "CLUSTER_ENDPOINT"),
    ("vmMemoryOverheadPercent", "VM_MEMORY_OVERHEAD_PERCENT"),
    ("tags", "ADDITIONAL_TAGS"),
];

fn of_chart(tree: &ParsedTree<'_>, place: &Place) -> impl Iterator<Item = Variable> {
    OF_CHART.iter().filter_map(move |(setting, name)| {
        let (value, inner) = at(tree, place, &["settings", *setting])?;
        let pairs = entries(tree, place, &["settings", *setting]);
        let pair = |(name, value, _): &(&str, &ParsedTree<'_>, Place)| Some(format!("{name}={}", scalar(value)?));
        let mut pairs: Vec<_> = pairs.iter().filter_map(pair).collect();
        // Helm goes through a map in the order of its keys.
        pairs.sort_unstable();
        let text = scalar(value).unwrap_or_else(|| pairs.join(","));
        let value = Value::Text(Secret::from(text.clone()));
        (!text.is_empty()).then(|| Variable { name: (*name).to_owned(), value, place: inner })
    })
}

/// Reads a list of variables.
pub(super) fn variables(tree: &ParsedTree<'_>, place: &Place, names: &[&str]) -> Vec<Variable> {
    let mut found: Vec<Variable> = Vec::new();
    for (variable, place) in elements(tree, place, names) {
        let Some(name) = text(variable, &["name"]) else { continue };
        let reference = |member: &str, kind: &'static str| {
            let key = text(variable, &["valueFrom", member, "key"])?;
            let name = text(variable, &["valueFrom", member, "name"]).unwrap_or_default();
            Some(Value::Key(kind, name.to_owned(), key.to_owned()))
        };
        let value = reference("configMapKeyRef", "ConfigMap").or_else(|| reference("secretKeyRef", "Secret"));
        let value = value.or_else(|| at(variable, &place, &["valueFrom"]).map(|_| Value::Field));
        let (value, place) = match (value, at(variable, &place, &["value"])) {
            (Some(value), _) => (value, place),
            // A variable without a value is empty.
            (None, None) => (Value::Text(Secret::default()), place),
            (None, Some((value, place))) => {
                let Some(value) = scalar(value) else { continue };
                (Value::Text(Secret::from(expanded(&value, &found))), place)
            }
        };
        found.push(Variable { name: name.to_owned(), value, place });
    }
    found
}

/// Replaces `$(NAME)` by the variable before it, as Kubernetes does.
fn expanded(value: &str, known: &[Variable]) -> String {
    let (mut text, mut rest) = (String::new(), value);
    while let Some(start) = rest.find('$') {
        text.push_str(&rest[..start]);
        rest = &rest[start..];
        if let Some(after) = rest.strip_prefix("$$") {
            text.push('$');
            rest = after;
            continue;
        }
        let name = rest.strip_prefix("$(").and_then(|inner| inner.split_once(')'));
        let variable = name.and_then(|(name, _)| known.iter().rev().find(|variable| variable.name == name));
        if let (Some(Value::Text(value)), Some((_, after))) = (variable.map(|variable| &variable.value), name) {
            text.push_str(value.expose());
            rest = after;
        } else {
            text.push('$');
            rest = &rest[1..];
        }
    }
    text + rest
}

/// Reads the options on the command line of a container, which replace variables.
fn options(container: &ParsedTree<'_>, place: &Place) -> Vec<Variable> {
    let mut found = Vec::new();
    let words = elements(container, place, &["command"]).into_iter().chain(elements(container, place, &["args"]));
    let words: Vec<_> = words.filter_map(|(word, place)| Some((scalar(word)?, place))).collect();
    for (at, (word, place)) in words.iter().enumerate() {
        let Some(option) = word.strip_prefix('-').map(|rest| rest.strip_prefix('-').unwrap_or(rest)) else { continue };
        let (option, value) = match option.split_once('=') {
            Some((option, value)) => (option, value.to_owned()),
            None => match words.get(at + 1) {
                Some((next, _)) if !next.starts_with('-') => (option, next.clone()),
                _ => (option, "true".to_owned()),
            },
        };
        let name = match option {
            "node-resource-group" => "AZURE_NODE_RESOURCE_GROUP".to_owned(),
            other => other.replace('-', "_").to_ascii_uppercase(),
        };
        if setting(&name).is_some() {
            found.push(Variable { name, value: Value::Text(Secret::from(value)), place: place.clone() });
        }
    }
    found
}

/// Returns the maps that a container reads as a whole.
fn maps(container: &ParsedTree<'_>, place: &Place) -> Vec<(&'static str, String, String)> {
    let sources = elements(container, place, &["envFrom"]).into_iter();
    let found = sources.flat_map(|(source, _)| {
        let prefix = text(source, &["prefix"]).unwrap_or_default().to_owned();
        [("ConfigMap", "configMapRef"), ("Secret", "secretRef")]
            .into_iter()
            .filter_map(move |(kind, member)| Some((kind, text(source, &[member, "name"])?.to_owned(), prefix.clone())))
    });
    found.collect()
}

/// Returns a token from the Secret of a bootstrap token.
pub(super) fn token(texts: &Texts) -> Option<Secret<'static>> {
    let entry =
        |name: &str| texts.entries.iter().find(|(known, ..)| known == name).map(|(_, value, _)| value.expose().trim());
    Some(Secret::from(format!("{}.{}", entry("token-id")?, entry("token-secret")?)))
}

/// A map that was read, and where.
pub(super) type FoundTexts = Found<Texts>;
