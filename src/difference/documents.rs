//! Compares the commands that run on a machine, and the contents of its documents other than files, variables and
//! commands.

use super::align::{by_name, numbered};
use super::found::{ChangedText, Detail};
use super::value::{Place, Shown, Writer, text};
use super::{payload, tree};
use crate::catalogue::formats::Format;
use crate::document::{DocPath, Tree};
use crate::inspection::{Inspection, Run, Stage, besides_variables_and_files};
use crate::redaction::Redactor;

/// Returns the words of the command without its variables.
fn words(side: &Inspection) -> Vec<String> {
    let command = side.command.as_ref().map(|command| besides_variables_and_files(command.expose()));
    command.unwrap_or_default().split_ascii_whitespace().map(str::to_owned).collect()
}

/// Returns the parts of the command that differ, without its variables.
pub(super) fn command(a: &Inspection, b: &Inspection, secrets: &Redactor) -> Vec<Detail> {
    payload::words_of_command(&words(a), &words(b), &Writer::new(secrets, Shown::Text))
}

/// Returns cloud-init's commands that differ.
pub(super) fn runs(a: &Inspection, b: &Inspection, secrets: &Redactor) -> Vec<Detail> {
    let list = |side: &Inspection| -> Vec<Tree> {
        // Scripts are documents, and so are units.
        let is_command = |stage| matches!(stage, Stage::UserData | Stage::BootCommand | Stage::RunCommand);
        let commands = side.runs.iter().filter(|run| is_command(run.stage));
        let is_script = |run: &&Run| side.extract().any(|(_, content)| content == run.text.expose().as_bytes());
        let commands = commands.filter(|run| !is_script(run));
        commands.map(|run| Tree::Text(format!("{}: {}", run.stage.name(), run.text.expose()))).collect()
    };
    let (one, other) = (list(a), list(b));
    let writer = Writer::new(secrets, Shown::Text);
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

/// The contents of a document that belong to no other part.
enum Rest {
    Tree(Tree),
    /// A text, and the same lines without secrets.
    Text(String, String),
}

impl Rest {
    /// Returns the rest of a layer; `None` if it is empty.
    fn of(name: &str, content: &str, secrets: &Redactor) -> Option<Self> {
        let shown = |text: &str| secrets.redact_in_lines(text).into_string();
        let members: &[&[&str]] = match name {
            CLOUD_CONFIG => &[&["write_files"], &["bootcmd"], &["runcmd"]],
            "ignition.json" => &[&["storage", "files"]],
            _ => {
                let rest = |content: &str| {
                    let rest = besides_variables_and_files(content);
                    let lines: Vec<&str> = rest.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
                    lines.join("\n")
                };
                let text = rest(content);
                // A variable or the indentation may have said that something is secret.
                let of_whole =
                    Some(rest(&shown(content))).filter(|other| other.lines().count() == text.lines().count());
                let redacted = shown(of_whole.as_ref().unwrap_or(&text));
                return (!text.is_empty()).then_some(Self::Text(text, redacted));
            }
        };
        let Some(mut tree) = payload::document(content) else {
            return Some(Self::Text(content.to_owned(), shown(content)));
        };
        for path in members {
            remove(&mut tree, path);
        }

        let is_left = !matches!(&tree, Tree::Map(members) if members.is_empty());
        is_left.then_some(Self::Tree(tree))
    }

    fn text(&self) -> String {
        match self {
            Self::Tree(tree) => text(tree),
            Self::Text(text, _) => text.clone(),
        }
    }
}

/// Removes a member, and objects that become empty.
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

/// Returns the documents that differ.
pub(super) fn compare(a: &Inspection, b: &Inspection, secrets: &Redactor) -> Vec<ChangedText> {
    let documents = |side: &Inspection| -> Vec<(&'static str, Rest)> {
        let layers = side.extract().filter_map(|(name, content)| {
            let name = match name {
                "cloud_config.yaml" | "custom_data.yaml" => CLOUD_CONFIG,
                "ignition.json" => "ignition.json",
                "boothook.sh" => "boothook.sh",
                // A boothook without MIME around it.
                "custom_data.sh" => "custom_data.sh",
                "bootstrap.sh" => "bootstrap.sh",
                _ => return None,
            };
            Some((name, Rest::of(name, &String::from_utf8_lossy(content), secrets)?))
        });
        layers.collect()
    };
    let sides = by_name(numbered(documents(a).into_iter()), numbered(documents(b).into_iter()));
    let mut found = Vec::new();
    for ((name, _), (a, b)) in sides {
        // A document that cannot be parsed still contains its files, which can be secret.
        let is_unread = |rest: &Option<Rest>| {
            (name == CLOUD_CONFIG || name == "ignition.json") && matches!(rest, Some(Rest::Text(..)))
        };
        let shown = if is_unread(&a) || is_unread(&b) { Shown::Nothing } else { Shown::Text };
        let writer = Writer::new(secrets, shown);
        let mut details = Vec::new();
        match (&a, &b) {
            (Some(Rest::Tree(one)), Some(Rest::Tree(other))) => {
                tree::compare(Some(one), Some(other), &DocPath::root(), &writer, &mut details);
            }
            (Some(Rest::Text(one, shown)), Some(Rest::Text(other, other_shown))) => {
                details = payload::shown_lines([one, shown], [other, other_shown], &writer);
            }
            (Some(one), Some(other)) => details = payload::lines(&one.text(), &other.text(), &writer),
            _ => {}
        }
        if a.is_some() && b.is_some() && details.is_empty() {
            continue;
        }
        let value = |rest: Option<Rest>| {
            rest.map(|rest| match rest {
                Rest::Text(text, shown) => writer.redacted(text, shown),
                Rest::Tree(tree) => writer.plain(text(&tree)),
            })
        };
        found.push(ChangedText { name: name.to_owned(), format: Format::Text, a: value(a), b: value(b), details });
    }
    found
}
