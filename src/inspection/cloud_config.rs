//! The files in a cloud-config, for any content: `write_files` of another program may have binary values.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use saphyr_parser::{Event, Parser, Tag};

/// A file that a cloud-config writes.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct WrittenFile {
    pub(super) path: String,
    /// As written, `0644`; empty if there is none.
    pub(super) permissions: String,
    pub(super) owner: String,
    /// `gzip`, `b64`, `gz+b64` and so on.
    pub(super) encoding: String,
    pub(super) content: Vec<u8>,
    pub(super) append: bool,
}

/// What a cloud-config says.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct CloudConfig {
    pub(super) files: Vec<WrittenFile>,
    /// The commands of `bootcmd` and `runcmd`, in the order in which cloud-init runs them.
    pub(super) commands: Vec<String>,
}

enum Node {
    Scalar(String, bool),
    List(Vec<Node>),
    Map(Vec<(String, Node)>),
}

impl Node {
    fn member(&self, name: &str) -> Option<&Self> {
        match self {
            Self::Map(members) => members.iter().find(|(key, _)| key == name).map(|(_, value)| value),
            _ => None,
        }
    }

    fn items(&self) -> &[Self] {
        match self {
            Self::List(items) => items,
            _ => &[],
        }
    }

    fn text(&self) -> String {
        match self {
            Self::Scalar(text, _) => text.clone(),
            Self::List(items) => items.iter().map(Self::text).collect::<Vec<_>>().join(" "),
            Self::Map(_) => String::new(),
        }
    }

    fn bytes(&self) -> Result<Vec<u8>, String> {
        match self {
            Self::Scalar(text, true) => {
                let packed: String = text.split_ascii_whitespace().collect();
                STANDARD.decode(packed).map_err(|error| format!("a value tagged !!binary is not base64: {error}"))
            }
            _ => Ok(self.text().into_bytes()),
        }
    }
}

/// Reads a cloud-config.
///
/// # Errors
/// Says what is wrong with the YAML.
pub(super) fn read(text: &str) -> Result<CloudConfig, String> {
    let root = parse(text)?;
    let mut config = CloudConfig::default();
    for entry in root.member("write_files").map(Node::items).unwrap_or_default() {
        let text = |name: &str| entry.member(name).map(Node::text).unwrap_or_default();
        config.files.push(WrittenFile {
            path: text("path"),
            permissions: text("permissions"),
            owner: text("owner"),
            encoding: text("encoding"),
            content: entry.member("content").map(Node::bytes).transpose()?.unwrap_or_default(),
            append: text("append") == "true",
        });
    }
    for name in ["bootcmd", "runcmd"] {
        config.commands.extend(root.member(name).map(Node::items).unwrap_or_default().iter().map(Node::text));
    }
    Ok(config)
}

/// The deepest nesting that is read. cloud-init's own documents nest four levels.
const DEEPEST: usize = 64;

fn parse(text: &str) -> Result<Node, String> {
    let mut events = Parser::new_from_str(text);
    let mut next = || match events.next() {
        Some(Ok((event, _))) => Ok(event),
        Some(Err(error)) => Err(format!("the YAML cannot be read: {error}")),
        None => Ok(Event::StreamEnd),
    };
    loop {
        match next()? {
            Event::StreamStart | Event::DocumentStart(_) => {}
            Event::StreamEnd | Event::DocumentEnd => return Ok(Node::Map(Vec::new())),
            event => return node(event, &mut next, DEEPEST),
        }
    }
}

fn node<'t>(
    event: Event<'t>,
    next: &mut impl FnMut() -> Result<Event<'t>, String>,
    depth: usize,
) -> Result<Node, String> {
    if depth == 0 {
        return Err(format!("the YAML nests deeper than {DEEPEST} levels"));
    }
    let is_binary = |tag: Option<&Tag>| tag.is_some_and(|tag| tag.suffix == "binary");
    match event {
        Event::Scalar(text, _, _, tag) => Ok(Node::Scalar(text.into_owned(), is_binary(tag.as_deref()))),
        Event::SequenceStart(..) => {
            let mut items = Vec::new();
            loop {
                match next()? {
                    Event::SequenceEnd | Event::StreamEnd => return Ok(Node::List(items)),
                    event => items.push(node(event, next, depth - 1)?),
                }
            }
        }
        Event::MappingStart(..) => {
            let mut members = Vec::new();
            loop {
                match next()? {
                    Event::MappingEnd | Event::StreamEnd => return Ok(Node::Map(members)),
                    event => {
                        let name = node(event, next, depth - 1)?.text();
                        let value = next()?;
                        members.push((name, node(value, next, depth - 1)?));
                    }
                }
            }
        }
        _ => Err("the YAML uses anchors, which are not read".to_owned()),
    }
}
