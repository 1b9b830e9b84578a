//! Compares two of anything that `inspection` reads, by meaning and not by bytes.
//!
//! [`compare`] returns which variables, files, fields of a Configuration and commands differ. What a variable or a file carries
//! is compared by its format: TOML, JSON and YAML by path, kernel settings as a set, a Corefile by block, units by section and
//! key, everything else by line. Secrets are compared and never shown.
//!
//! To compare another format: a variant of `catalogue::formats::Format`, its reader in `payload`, and the variables and paths
//! that have it. To compare another part of what a machine gets: a variant of [`Part`] and a function here.
//!
//! ```
//! use aks_node_controller::difference::{Rules, compare};
//! use aks_node_controller::environment::ImageContents;
//! use aks_node_controller::inspection::inspect;
//!
//! let image = ImageContents::default();
//! let a = inspect(b"#cloud-config\nwrite_files:\n- {path: /etc/sysctl.d/60.conf, content: \"a=1\"}\n", &image);
//! let b = inspect(b"#cloud-config\nwrite_files:\n- {path: /etc/sysctl.d/60.conf, content: \"a=2\"}\n", &image);
//! let differences = compare(&a, &b, Rules::Meaning);
//! assert_eq!(differences.to_json(false)["files"][0]["details"][0], serde_json::json!({"path": "a", "a": "1", "b": "2"}));
//! ```

mod align;
mod fields;
mod payload;
mod reference;
mod tree;
mod value;

pub use reference::{Comparison, Difference};
pub use value::{Place, Value};

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value as Json, json};

use crate::catalogue::formats::Format;
use crate::catalogue::{paths, variables};
use crate::configuration::{Configuration, Message};
use crate::document::{DocPath, Tree};
use crate::inputs::NodeInput;
use crate::inspection::{
    CommandAssignments, FoundFile, Inspection, Kind, Run, SECRET_FILES, Stage, besides_variables_and_files, is_secret,
};
use payload::Payload;
use value::{Secrets, Shown, Writer, configuration};

/// By which rules two sides are equal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Rules {
    /// They lead to the same node: formats without meaning, such as the order of keys, do not count.
    #[default]
    Meaning,
    /// As the reference compares the two environments on a node: variables only, without double quotes, without the variables that
    /// are expected to differ; see [`Comparison`]. The side with a Configuration is the computed one, otherwise the first.
    Reference,
}

/// A part of what a machine gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// The variables of the node's scripts.
    Variables,
    /// Files on the node.
    Files,
    /// The fields of the Configuration.
    Configuration,
    /// The CSE command besides its variables.
    Command,
    /// Commands that cloud-init runs.
    Runs,
    /// What cloud-config, Ignition and scripts contain besides files, variables and commands.
    Documents,
}

impl Part {
    /// Every part, in the order of the output.
    pub const ALL: [Self; 6] =
        [Self::Variables, Self::Files, Self::Configuration, Self::Command, Self::Runs, Self::Documents];

    /// Returns the name in JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Variables => "variables",
            Self::Files => "files",
            Self::Configuration => "configuration",
            Self::Command => "command",
            Self::Runs => "runs",
            Self::Documents => "documents",
        }
    }
}

/// One difference inside a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Detail {
    /// Where it is.
    pub place: Place,
    /// What the first side has; `None` if nothing.
    pub a: Option<Value>,
    /// What the second side has; `None` if nothing.
    pub b: Option<Value>,
}

/// A variable or a document that differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangedText {
    /// The name.
    pub name: String,
    /// The format by which it was compared.
    pub format: Format,
    /// The value of the first side; `None` if it has none.
    pub a: Option<Value>,
    /// The value of the second side; `None` if it has none.
    pub b: Option<Value>,
    /// What differs inside, for values with a format or in an encoding. Empty for secrets.
    pub details: Vec<Detail>,
}

/// How a file differs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FileChange {
    /// Only the second side has it.
    Added,
    /// Only the first side has it.
    Removed,
    /// Its content.
    Content,
    /// Its permission bits.
    Mode,
    /// Its owner.
    Owner,
}

impl FileChange {
    /// Returns the name in JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Added => "added",
            Self::Removed => "removed",
            Self::Content => "content",
            Self::Mode => "mode",
            Self::Owner => "owner",
        }
    }
}

/// A file that differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangedFile {
    /// The absolute path on the node.
    pub path: String,
    /// How it differs. A file that differs in several ways is listed once for each.
    pub change: FileChange,
    /// The format by which the content was compared.
    pub format: Format,
    /// Size, mode or owner on the first side; `None` if it has no such file.
    pub a: Option<String>,
    /// The same on the second side.
    pub b: Option<String>,
    /// What differs inside.
    pub details: Vec<Detail>,
}

/// What differs between two sides.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Differences {
    /// Variables, in byte order of their names.
    pub variables: Vec<ChangedText>,
    /// Files, in byte order of their paths.
    pub files: Vec<ChangedFile>,
    /// Fields of the Configuration, in the order of the contract.
    pub configuration: Vec<Detail>,
    /// Words of the command, its variables not included.
    pub command: Vec<Detail>,
    /// Commands that cloud-init runs.
    pub runs: Vec<Detail>,
    /// Other contents of what cloud-init or Ignition is given.
    pub documents: Vec<ChangedText>,
    /// Parts that were not compared, because one of the sides is something that has none.
    pub skipped: Vec<Part>,
}

/// Compares two sides.
#[must_use]
pub fn compare(a: &Inspection, b: &Inspection, rules: Rules) -> Differences {
    let secrets = Secrets::of([a, b]);
    let mut found = Differences::default();
    match rules {
        Rules::Reference => {
            found.skipped = Part::ALL.into_iter().filter(|part| *part != Part::Variables).collect();
            found.variables = variables_like_the_reference(a, b, &secrets);
        }
        Rules::Meaning => {
            found.skipped = skipped(a, b);
            let is_wanted = |part: Part| !found.skipped.contains(&part);
            if is_wanted(Part::Variables) {
                found.variables = variables(a, b, &secrets);
            }
            if is_wanted(Part::Files) {
                found.files = files(a, b, &secrets);
            }
            if is_wanted(Part::Configuration) {
                found.configuration = fields_of(a, b, &secrets);
            }
            if is_wanted(Part::Command) {
                let writer = Writer { secrets: &secrets, shown: Shown::Shell, is_typed: true };
                found.command = payload::ranges(&words(a), &words(b), " ", Place::Words, &writer);
            }
            if is_wanted(Part::Runs) {
                found.runs = runs(a, b, &secrets);
            }
            if is_wanted(Part::Documents) {
                found.documents = documents(a, b, &secrets);
            }
        }
    }
    found
}

/// What somebody has in hand, which decides what it can say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scope {
    /// A document that a node can be made from.
    Input,
    /// A CSE command.
    Command,
    /// `CustomData`.
    CustomData,
    /// Both, or all that there is.
    Machine,
}

fn scope(side: &Inspection) -> Scope {
    let wrapping = [Kind::Base64, Kind::Gzip, Kind::Text];
    let inner = side.layers.iter().map(|layer| layer.kind).find(|kind| !wrapping.contains(kind));
    match inner.unwrap_or(side.kind) {
        Kind::Configuration | Kind::Nbc | Kind::Karpenter => Scope::Input,
        Kind::Command => Scope::Command,
        Kind::Delivery | Kind::Terraform => Scope::Machine,
        // Azure does not return a command in protected settings.
        Kind::AzureModel => match (&side.command, side.layers.len()) {
            (None, _) => Scope::CustomData,
            (Some(_), 2) => Scope::Command,
            _ => Scope::Machine,
        },
        _ => Scope::CustomData,
    }
}

fn skipped(a: &Inspection, b: &Inspection) -> Vec<Part> {
    let scopes = (scope(a), scope(b));
    let lacks = |part: Part| {
        // The file with the Configuration says so too, without listing every field.
        if part == Part::Configuration {
            return configuration(a).is_some() != configuration(b).is_some();
        }
        if scopes.0 == scopes.1 {
            return false;
        }
        let any = |scope: Scope| scopes.0 == scope || scopes.1 == scope;
        match part {
            // The variables of a command, or of the Configuration in CustomData.
            Part::Variables => {
                let without = |side: &Inspection, scope| {
                    side.variables.is_empty() && matches!(scope, Scope::Command | Scope::CustomData)
                };
                without(a, scopes.0) != without(b, scopes.1)
            }
            Part::Configuration => false,
            Part::Command => any(Scope::Input) || any(Scope::CustomData),
            Part::Files | Part::Runs | Part::Documents => any(Scope::Input) || any(Scope::Command),
        }
    };
    let skipped: Vec<Part> = Part::ALL.into_iter().filter(|part| lacks(*part)).collect();
    // Two sides without a Configuration have not that in common.
    let is_all_else = skipped.len() + 1 == Part::ALL.len() && !skipped.contains(&Part::Configuration);
    if is_all_else && configuration(a).is_none() { Part::ALL.to_vec() } else { skipped }
}

/// Every name that either side has, with both values.
fn by_name<T: Ord, V>(
    a: impl Iterator<Item = (T, V)>,
    b: impl Iterator<Item = (T, V)>,
) -> BTreeMap<T, (Option<V>, Option<V>)> {
    let mut sides: BTreeMap<T, (Option<V>, Option<V>)> = BTreeMap::new();
    a.for_each(|(name, value)| sides.entry(name).or_insert((None, None)).0 = Some(value));
    b.for_each(|(name, value)| sides.entry(name).or_insert((None, None)).1 = Some(value));
    sides
}

/// Adds to each name how many equal names come before.
fn numbered<'n, V>(items: impl Iterator<Item = (&'n str, V)>) -> impl Iterator<Item = ((&'n str, usize), V)> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    items.map(move |(name, value)| {
        let count = counts.entry(name).or_default();
        *count += 1;
        ((name, *count), value)
    })
}

fn variables(a: &Inspection, b: &Inspection, secrets: &Secrets) -> Vec<ChangedText> {
    let pairs = |side: &'_ Inspection| -> Vec<(String, String)> {
        side.variables.iter().map(|(name, value)| (name.clone(), value.expose().to_owned())).collect()
    };
    let sides = by_name(pairs(a).into_iter(), pairs(b).into_iter());
    sides.into_iter().filter_map(|(name, (a, b))| variable(name, a, b, secrets)).collect()
}

/// Returns how a variable differs; `None` if its values mean the same.
fn variable(name: String, a: Option<String>, b: Option<String>, secrets: &Secrets) -> Option<ChangedText> {
    if a == b {
        return None;
    }
    let row = variables::variable(&name);
    let is_secret = is_secret(&name);
    let writer = Writer { secrets, shown: if is_secret { Shown::Nothing } else { Shown::Text }, is_typed: true };
    let format = row.map_or(Format::Text, |row| row.format);
    let mut details = Vec::new();
    if let (Some(a), Some(b)) = (&a, &b) {
        let payload = |value| match row {
            Some(row) if row.is_base64 => Payload::of(value),
            Some(_) => Payload { encoding: "none", content: Cow::Borrowed(str::as_bytes(value)) },
            None => Payload::guessed(value),
        };
        let (one, other) = (payload(a), payload(b));
        details = payload::compare(&one.content, &other.content, format, &writer);
        let is_empty = one.content.is_empty() || other.content.is_empty();
        if one.encoding != other.encoding && !is_empty {
            let encoding = |payload: Payload| Some(Writer { shown: Shown::Text, ..writer }.plain(payload.encoding));
            let place = Place::Path("encoding".to_owned());
            details.insert(0, Detail { place, a: encoding(one), b: encoding(other) });
        } else if details.is_empty() {
            return None;
        } else if is_empty || one.encoding == "none" && format == Format::Text {
            // The values themselves say it all.
            details.clear();
        }
    }
    if is_secret {
        details.clear();
    }
    let value = |text: Option<String>| text.map(|text| writer.plain(text));
    Some(ChangedText { name, format, a: value(a), b: value(b), details })
}

fn texts(side: &BTreeMap<String, String>) -> impl Iterator<Item = (&str, &str)> {
    side.iter().map(|(name, value)| (name.as_str(), value.as_str()))
}

fn variables_like_the_reference(a: &Inspection, b: &Inspection, secrets: &Secrets) -> Vec<ChangedText> {
    // The reference reads a command by simpler rules than a shell.
    let read = |side: &Inspection| -> BTreeMap<String, String> {
        match &side.command {
            Some(command) if configuration(side).is_none() => {
                let scanned = CommandAssignments::scan(command.expose());
                scanned.iter().map(|(name, value)| (name.to_owned(), value.expose().to_owned())).collect()
            }
            _ => side.variables.iter().map(|(name, value)| (name.clone(), value.expose().to_owned())).collect(),
        }
    };
    let (one, other) = (read(a), read(b));
    let is_mirrored = configuration(a).is_none() && configuration(b).is_some();
    let Comparison(differences) = if is_mirrored {
        Comparison::between(texts(&other), texts(&one))
    } else {
        Comparison::between(texts(&one), texts(&other))
    };
    let changes = differences.into_iter().map(|difference| {
        let name = difference.into_name();
        let shown = if is_secret(&name) { Shown::Nothing } else { Shown::Text };
        let writer = Writer { secrets, shown, is_typed: true };
        let value = |side: &BTreeMap<String, String>| side.get(&name).map(|text| writer.plain(text.as_str()));
        let (a, b) = (value(&one), value(&other));
        ChangedText { name, format: Format::Text, a, b, details: Vec::new() }
    });
    changes.collect()
}

fn named(file: &FoundFile) -> (&str, &FoundFile) {
    (&file.path, file)
}

fn files(a: &Inspection, b: &Inspection, secrets: &Secrets) -> Vec<ChangedFile> {
    let sides = by_name(numbered(a.files.iter().map(named)), numbered(b.files.iter().map(named)));

    let mut found = Vec::new();
    for ((path, _), sides) in sides {
        let format = Format::of_path(path);
        let mut add = |change, a: Option<String>, b: Option<String>, details| {
            found.push(ChangedFile { path: path.to_owned(), change, format, a, b, details });
        };
        let size = |file: &FoundFile| Some(format!("{} bytes", file.content.len()));
        match sides {
            (None, None) => {}
            (Some(file), None) => add(FileChange::Removed, size(file), None, Vec::new()),
            (None, Some(file)) => add(FileChange::Added, None, size(file), Vec::new()),
            (Some(one), Some(other)) => {
                if let Some(details) = content(one, other, format, secrets) {
                    add(FileChange::Content, size(one), size(other), details);
                }
                if mode(one) != mode(other) {
                    let shown =
                        |file: &FoundFile| Some(mode(file).map_or("default".to_owned(), |mode| format!("{mode:04o}")));
                    add(FileChange::Mode, shown(one), shown(other), Vec::new());
                }
                if owner(one) != owner(other) {
                    add(FileChange::Owner, Some(owner(one)), Some(owner(other)), Vec::new());
                }
            }
        }
    }
    found
}

/// Returns how the contents of a file differ; `None` if they mean the same.
fn content(a: &FoundFile, b: &FoundFile, format: Format, secrets: &Secrets) -> Option<Vec<Detail>> {
    if a.content == b.content {
        return None;
    }
    let for_everyone = |file: &FoundFile| mode(file).is_none_or(|mode| mode & 0o004 != 0);
    let is_public = for_everyone(a) && for_everyone(b) && !SECRET_FILES.contains(&a.path.as_str());
    let writer = Writer { secrets, shown: if is_public { Shown::File } else { Shown::Nothing }, is_typed: true };
    let details = payload::compare(&a.content, &b.content, format, &writer);
    if a.path != paths::CONFIGURATION {
        return (!details.is_empty()).then_some(details);
    }
    // The fields are compared as such. What is left are members that the contract does not know.
    let decoded = |file: &FoundFile| Configuration::from_document(&file.content).ok();
    let (Some(one), Some(other)) = (decoded(a), decoded(b)) else {
        return (!details.is_empty()).then_some(details);
    };
    let mut fields = Vec::new();
    fields::compare(Some(&one.configuration), Some(&other.configuration), &DocPath::root(), secrets, &mut fields);
    let findings = one.report.findings.iter().chain(&other.report.findings);
    let unknown: BTreeSet<_> = findings.map(|finding| finding.path.to_string()).collect();
    let is_unknown = |detail: &Detail| match &detail.place {
        Place::Path(path) => {
            let ends = path.match_indices(['.', '[']).map(|(end, _)| end).chain([path.len()]);
            ends.into_iter().any(|end| end > 0 && unknown.contains(&path[..end]))
        }
        _ => true,
    };
    let rest: Vec<Detail> = details.into_iter().filter(is_unknown).collect();
    (!fields.is_empty() || !rest.is_empty()).then_some(rest)
}

/// Returns the mode; 0644 if cloud-init decides.
fn mode(file: &FoundFile) -> Option<u32> {
    if file.by_script { file.mode } else { Some(file.mode.unwrap_or(0o644)) }
}

/// Returns user and group; root if none is given.
fn owner(file: &FoundFile) -> String {
    match file.owner.split_once(':') {
        None if file.owner.is_empty() => "root:root".to_owned(),
        None => format!("{0}:{0}", file.owner),
        Some(_) => file.owner.clone(),
    }
}

fn fields_of(a: &Inspection, b: &Inspection, secrets: &Secrets) -> Vec<Detail> {
    let mut found = Vec::new();
    let message = |side| configuration(side).map(|found| found as &dyn Message);
    fields::compare(message(a), message(b), &DocPath::root(), secrets, &mut found);
    let os = |side: &Inspection| side.input.as_ref().and_then(NodeInput::os).map(|os| os.name);
    if os(a) != os(b) {
        let writer = Writer { secrets, shown: Shown::Text, is_typed: true };
        let value = |side| os(side).map(|name| writer.plain(name));
        found.push(Detail { place: Place::Path("operating system of the image".to_owned()), a: value(a), b: value(b) });
    }
    found
}

/// Returns the words of the command besides its variables.
fn words(side: &Inspection) -> Vec<String> {
    let command = side.command.as_ref().map(|command| besides_variables_and_files(command.expose()));
    command.unwrap_or_default().split_ascii_whitespace().map(str::to_owned).collect()
}

fn runs(a: &Inspection, b: &Inspection, secrets: &Secrets) -> Vec<Detail> {
    let list = |side: &Inspection| -> Vec<Tree> {
        // Scripts are documents, and so are units.
        let commands = side.runs.iter().filter(|run| matches!(run.stage, Stage::BootCommand | Stage::RunCommand));
        let is_script = |run: &&Run| side.extract().any(|(_, content)| content == run.text.expose().as_bytes());
        let commands = commands.filter(|run| !is_script(run));
        commands.map(|run| Tree::Text(format!("{}: {}", run.stage.name(), run.text.expose()))).collect()
    };
    let (one, other) = (list(a), list(b));
    let writer = Writer { secrets, shown: Shown::Shell, is_typed: true };
    let mut found = Vec::new();
    tree::lists(&one, &other, |index, a, b| {
        let value = |tree: Option<&Tree>| match tree {
            Some(Tree::Text(text)) => Some(writer.plain(text.as_str())),
            _ => None,
        };
        found.push(Detail { place: Place::Path(format!("runs[{index}]")), a: value(a), b: value(b) });
    });
    found
}

/// What a document contains besides what other parts have.
enum Rest {
    Tree(Tree),
    Text(String),
}

impl Rest {
    /// Returns the rest of a layer; `None` if nothing is left.
    fn of(name: &str, content: &str) -> Option<Self> {
        let members: &[&[&str]] = match name {
            CLOUD_CONFIG => &[&["write_files"], &["bootcmd"], &["runcmd"]],
            "ignition.json" => &[&["storage", "files"]],
            _ => {
                let rest = besides_variables_and_files(content);
                let lines: Vec<&str> = rest.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
                return (!lines.is_empty()).then(|| Self::Text(lines.join("\n")));
            }
        };
        let Some(mut tree) = payload::document(content) else { return Some(Self::Text(content.to_owned())) };
        for path in members {
            remove(&mut tree, path);
        }

        let is_left = !matches!(&tree, Tree::Map(members) if members.is_empty());
        is_left.then_some(Self::Tree(tree))
    }

    fn text(&self) -> String {
        match self {
            Self::Tree(tree) => value::text(tree),
            Self::Text(text) => text.clone(),
        }
    }
}

/// Removes a member, and what has no other members then.
fn remove(tree: &mut Tree, path: &[&str]) {
    let (Tree::Map(members), Some((first, rest))) = (tree, path.split_first()) else { return };
    for (_, inner) in members.iter_mut().filter(|(name, _)| name == first) {
        remove(inner, rest);
    }
    members.retain(|(name, inner)| {
        name != first || !rest.is_empty() && !matches!(inner, Tree::Map(members) if members.is_empty())
    });
}

const CLOUD_CONFIG: &str = "cloud-config";

fn documents(a: &Inspection, b: &Inspection, secrets: &Secrets) -> Vec<ChangedText> {
    let documents = |side: &Inspection| -> Vec<(&'static str, Rest)> {
        let layers = side.extract().filter_map(|(name, content)| {
            let name = match name {
                "cloud_config.yaml" | "custom_data.yaml" => CLOUD_CONFIG,
                "ignition.json" => "ignition.json",
                "boothook.sh" => "boothook.sh",
                "bootstrap.sh" => "bootstrap.sh",
                _ => return None,
            };
            Some((name, Rest::of(name, &String::from_utf8_lossy(content))?))
        });
        layers.collect()
    };
    let sides = by_name(numbered(documents(a).into_iter()), numbered(documents(b).into_iter()));
    let mut found = Vec::new();
    for ((name, _), (a, b)) in sides {
        // A document that cannot be read may have its files in it, and those may be secret.
        let is_unread = |rest: &Option<Rest>| {
            name != "boothook.sh" && name != "bootstrap.sh" && matches!(rest, Some(Rest::Text(_)))
        };
        let shown = if is_unread(&a) || is_unread(&b) { Shown::Nothing } else { Shown::Shell };
        let writer = Writer { secrets, shown, is_typed: true };
        let mut details = Vec::new();
        match (&a, &b) {
            (Some(Rest::Tree(one)), Some(Rest::Tree(other))) => {
                tree::compare(Some(one), Some(other), &DocPath::root(), &writer, &mut details);
            }
            (Some(one), Some(other)) => details = payload::lines(&one.text(), &other.text(), &writer),
            _ => {}
        }
        if a.is_some() && b.is_some() && details.is_empty() {
            continue;
        }
        let value = |rest: Option<Rest>| rest.map(|rest| writer.plain(rest.text()));
        found.push(ChangedText { name: name.to_owned(), format: Format::Text, a: value(a), b: value(b), details });
    }
    found
}

impl Detail {
    fn to_json(&self, clear: bool) -> Json {
        let (a, b) = (json_of(self.a.as_ref(), clear), json_of(self.b.as_ref(), clear));
        let mut object = json!({"path": self.place.to_string(), "a": a, "b": b});
        if self.is_hidden() {
            object["secret"] = true.into();
        }
        object
    }

    /// Reports whether the values differ in a secret, so that both are shown as the same.
    #[must_use]
    pub fn is_hidden(&self) -> bool {
        is_hidden(self.a.as_ref(), self.b.as_ref())
    }

    fn mirrored(self) -> Self {
        Self { place: self.place.mirrored(), a: self.b, b: self.a }
    }
}

impl ChangedText {
    /// Reports whether the values differ in a secret, so that both are shown as the same.
    #[must_use]
    pub fn is_hidden(&self) -> bool {
        is_hidden(self.a.as_ref(), self.b.as_ref())
    }

    fn to_json(&self, clear: bool) -> Json {
        let (a, b) = (json_of(self.a.as_ref(), clear), json_of(self.b.as_ref(), clear));
        let mut object = json!({"name": self.name, "a": a, "b": b});
        if self.is_hidden() {
            object["secret"] = true.into();
        }
        if !self.details.is_empty() {
            object["details"] = self.details.iter().map(|detail| detail.to_json(clear)).collect();
        }
        object
    }

    fn mirrored(self) -> Self {
        Self { a: self.b, b: self.a, details: mirrored(self.details), ..self }
    }
}

impl ChangedFile {
    fn to_json(&self, clear: bool) -> Json {
        let mut object = json!({"path": self.path, "change": self.change.name(), "a": self.a, "b": self.b});
        if !self.details.is_empty() {
            object["details"] = self.details.iter().map(|detail| detail.to_json(clear)).collect();
        }
        object
    }

    fn mirrored(self) -> Self {
        let change = match self.change {
            FileChange::Added => FileChange::Removed,
            FileChange::Removed => FileChange::Added,
            other => other,
        };
        Self { change, a: self.b, b: self.a, details: mirrored(self.details), ..self }
    }
}

fn is_hidden(a: Option<&Value>, b: Option<&Value>) -> bool {
    matches!((a, b), (Some(a), Some(b)) if a.text(false) == b.text(false))
}

fn json_of(value: Option<&Value>, clear: bool) -> Json {
    value.map_or(Json::Null, |value| value.to_json(clear))
}

fn mirrored(details: Vec<Detail>) -> Vec<Detail> {
    details.into_iter().map(Detail::mirrored).collect()
}

impl Differences {
    /// Reports whether nothing differs.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.variables.is_empty()
            && self.files.is_empty()
            && self.configuration.is_empty()
            && self.command.is_empty()
            && self.runs.is_empty()
            && self.documents.is_empty()
    }

    /// Reports whether any part was compared.
    #[must_use]
    pub fn is_comparison(&self) -> bool {
        self.skipped.len() < Part::ALL.len()
    }

    /// Returns what `diff --format json` prints. `clear` shows secrets.
    #[must_use]
    pub fn to_json(&self, clear: bool) -> Json {
        let details = |list: &[Detail]| list.iter().map(|detail| detail.to_json(clear)).collect::<Vec<_>>();
        json!({
            "equal": self.is_empty(),
            "variables": self.variables.iter().map(|change| change.to_json(clear)).collect::<Vec<_>>(),
            "files": self.files.iter().map(|file| file.to_json(clear)).collect::<Vec<_>>(),
            "configuration": details(&self.configuration),
            "command": details(&self.command),
            "runs": details(&self.runs),
            "documents": self.documents.iter().map(|change| change.to_json(clear)).collect::<Vec<_>>(),
            "notCompared": self.skipped.iter().map(|part| part.name()).collect::<Vec<_>>(),
        })
    }

    /// Returns the differences the other way round, as [`compare`] returns them for exchanged sides.
    #[must_use]
    pub fn mirrored(self) -> Self {
        Self {
            variables: self.variables.into_iter().map(ChangedText::mirrored).collect(),
            files: self.files.into_iter().map(ChangedFile::mirrored).collect(),
            configuration: mirrored(self.configuration),
            command: mirrored(self.command),
            runs: mirrored(self.runs),
            documents: self.documents.into_iter().map(ChangedText::mirrored).collect(),
            skipped: self.skipped,
        }
    }
}
