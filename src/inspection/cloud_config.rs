//! Reads a cloud-config of any program, whose `write_files` can have binary values.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use saphyr_parser::{Event, Parser, StrInput, Tag};

/// A file that a cloud-config writes.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct WrittenFile {
    pub(super) path: String,
    /// As written, such as `0644`; empty if it is missing.
    pub(super) permissions: String,
    pub(super) owner: String,
    /// `gzip`, `b64`, `gz+b64` and so on.
    pub(super) encoding: String,
    pub(super) content: Vec<u8>,
    pub(super) append: bool,
}

/// The contents of a cloud-config.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct CloudConfig {
    pub(super) files: Vec<WrittenFile>,
    /// The commands of `bootcmd`.
    pub(super) boot_commands: Vec<String>,
    /// The commands of `runcmd`.
    pub(super) run_commands: Vec<String>,
    /// The error in the YAML; the other fields have what comes before it.
    pub(super) problem: Option<String>,
}

/// A value of a cloud-config.
pub(crate) enum Node {
    /// A text, and whether it is tagged as base64.
    Scalar(String, bool),
    List(Vec<Node>),
    Map(Vec<(String, Node)>),
}

impl Node {
    pub(crate) fn member(&self, name: &str) -> Option<&Self> {
        match self {
            Self::Map(members) => members.iter().find(|(key, _)| key == name).map(|(_, value)| value),
            _ => None,
        }
    }

    pub(crate) fn items(&self) -> &[Self] {
        match self {
            Self::List(items) => items,
            _ => &[],
        }
    }

    pub(crate) fn text(&self) -> String {
        match self {
            Self::Scalar(text, _) => text.clone(),
            Self::List(items) => items.iter().map(Self::text).collect::<Vec<_>>().join(" "),
            Self::Map(_) => String::new(),
        }
    }

    /// Returns the content of a file. A value that is tagged as base64 but is not valid is returned as text.
    fn bytes(&self) -> Vec<u8> {
        match self {
            Self::Scalar(text, true) => {
                let packed: String = text.split_ascii_whitespace().collect();
                STANDARD.decode(packed).unwrap_or_else(|_| text.clone().into_bytes())
            }
            _ => self.text().into_bytes(),
        }
    }
}

/// Returns the value of a cloud-config up to the first error in its YAML, and the error.
pub(crate) fn parsed(text: &str) -> (Node, Option<String>) {
    let mut reader = Reader { events: Parser::new_from_str(text), problem: None };
    let root = reader.document();
    (root, reader.problem)
}

/// Reads a cloud-config up to the first error in its YAML.
pub(super) fn read(text: &str) -> CloudConfig {
    let (root, problem) = parsed(text);
    let items = |name: &str| root.member(name).map(Node::items).unwrap_or_default();
    let files = items("write_files").iter().map(|entry| {
        let text = |name: &str| entry.member(name).map(Node::text).unwrap_or_default();
        WrittenFile {
            path: text("path"),
            permissions: text("permissions"),
            owner: text("owner"),
            encoding: text("encoding"),
            content: entry.member("content").map(Node::bytes).unwrap_or_default(),
            append: text("append") == "true",
        }
    });
    let commands = |name: &str| items(name).iter().map(Node::text).collect();
    CloudConfig {
        // A truncated entry can lack its path.
        files: files.filter(|file| !file.path.is_empty()).collect(),
        boot_commands: commands("bootcmd"),
        run_commands: commands("runcmd"),
        problem,
    }
}

/// The deepest nesting that is read. cloud-init's documents nest four levels.
const DEEPEST: usize = 64;

struct Reader<'t> {
    events: Parser<'t, StrInput<'t>>,
    problem: Option<String>,
}

impl<'t> Reader<'t> {
    /// Returns the next event; after an error in the YAML, the end.
    fn next(&mut self) -> Event<'t> {
        match self.events.next() {
            _ if self.problem.is_some() => Event::StreamEnd,
            Some(Ok((event, _))) => event,
            Some(Err(error)) => {
                self.problem = Some(format!("the YAML cannot be read: {error}"));
                Event::StreamEnd
            }
            None => Event::StreamEnd,
        }
    }

    fn document(&mut self) -> Node {
        loop {
            match self.next() {
                Event::StreamStart | Event::DocumentStart(_) => {}
                Event::StreamEnd | Event::DocumentEnd => return Node::Map(Vec::new()),
                event => return self.node(event, DEEPEST),
            }
        }
    }

    fn node(&mut self, event: Event<'t>, depth: usize) -> Node {
        if depth == 0 {
            self.problem.get_or_insert_with(|| format!("the YAML nests deeper than {DEEPEST} levels"));
            return Node::List(Vec::new());
        }
        let is_binary = |tag: Option<&Tag>| tag.is_some_and(|tag| tag.suffix == "binary");
        match event {
            Event::Scalar(text, _, _, tag) => Node::Scalar(text.into_owned(), is_binary(tag.as_deref())),
            Event::SequenceStart(..) => {
                let mut items = Vec::new();
                loop {
                    match self.next() {
                        Event::SequenceEnd | Event::StreamEnd => return Node::List(items),
                        event => items.push(self.node(event, depth - 1)),
                    }
                }
            }
            Event::MappingStart(..) => {
                let mut members = Vec::new();
                loop {
                    match self.next() {
                        Event::MappingEnd | Event::StreamEnd => return Node::Map(members),
                        event => {
                            let name = self.node(event, depth - 1).text();
                            let value = self.next();
                            members.push((name, self.node(value, depth - 1)));
                        }
                    }
                }
            }
            Event::Alias(_) => {
                self.problem.get_or_insert_with(|| "the YAML uses aliases, which are not read".to_owned());
                Node::List(Vec::new())
            }
            _ => Node::List(Vec::new()),
        }
    }
}
