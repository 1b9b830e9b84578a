//! `--user-data`: the user's own document in `CustomData`, beside the node's.
//!
//! For cloud-init, both are parts of one MIME document. Boothooks and scripts of the node come first, so that nothing of the
//! user delays them. A cloud-config of the node comes last and appends to lists: with cloud-init's default, the last
//! `write_files` or `runcmd` replaces all others. <https://cloudinit.readthedocs.io/en/latest/reference/merging.html>
//!
//! For Ignition, the user's document is merged by `ignition.config.merge`, with which Ignition reads it as a document of its own
//! version. <https://coreos.github.io/ignition/configuration-v3_4/>

mod warnings;

use std::collections::BTreeSet;
use std::io::Read;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::read::GzDecoder;
use serde_json::{Value, json};

use crate::catalogue::operating_systems::FirstBoot;
use crate::delivery::mime::{self, Part};
use crate::delivery::{Contributor, CustomData, Delivery, Layer, Request, TooLarge};
use crate::environment::ImageContents;
use crate::gzip;
use crate::inspection::cloud_config::{Node, parsed};
use crate::inspection::mime as foreign;
use crate::inspection::{decoded, inspect};
use crate::recognition::{Binary, Content, Text, without_mark};
use warnings::{warnings_of_ignition, warnings_of_parts};

/// Appends lists and keeps existing values.
const APPENDS: &str = "list(append)+dict(no_replace,recurse_list)+str()";

const CLOUD_CONFIG: &str = "text/cloud-config";
const SCRIPT: &str = "text/x-shellscript";
const BOOTHOOK: &str = "text/cloud-boothook";

/// The types of parts that are merged. Others change what cloud-init does with the parts around them.
const TYPES: [&str; 6] = [
    CLOUD_CONFIG,
    SCRIPT,
    BOOTHOOK,
    "text/x-shellscript-per-boot",
    "text/x-shellscript-per-instance",
    "text/x-shellscript-per-once",
];

/// Lists of a cloud-config to which the node's own are appended.
const LISTS: [&str; 3] = ["write_files", "bootcmd", "runcmd"];

/// A document of the user that has been read.
pub(crate) struct UserData {
    text: String,
    content: Document,
}

enum Document {
    CloudInit(Vec<UserPart>),
    Ignition(Value),
}

struct UserPart {
    content_type: &'static str,
    merge_type: Option<String>,
    body: String,
}

/// Why a document of the user cannot be merged.
#[derive(Debug, thiserror::Error)]
pub(crate) enum UserDataError {
    /// The problem, for people.
    #[error("{0}")]
    Problem(String),
    #[error(transparent)]
    TooLarge(#[from] TooLarge),
}

fn problem<T>(text: impl Into<String>) -> Result<T, UserDataError> {
    Err(UserDataError::Problem(text.into()))
}

impl UserData {
    /// Reads a document.
    pub fn read(bytes: &[u8]) -> Result<Self, UserDataError> {
        let text = match Content::of(bytes) {
            Content::Binary(binary) => {
                let hint = binary.unpacker().map(|command| format!("; unpack it first: `{command}`"));
                return problem(format!("is {}{}", binary.title(), hint.unwrap_or_default()));
            }
            Content::Encoded(encoding) => {
                let (title, charset) = (encoding.title(), encoding.charset());
                return problem(format!("is {title}; convert it first: `iconv -f {charset} -t UTF-8 FILE`"));
            }
            Content::Unknown => return problem("is not text in UTF-8"),
            Content::Text(_) => without_mark(&String::from_utf8_lossy(bytes)).to_owned(),
        };
        let content = match Text::of(&text) {
            _ if text.trim().is_empty() => return problem("is empty"),
            Text::Mime => Document::CloudInit(multipart(&text)?),
            Text::Json => Document::Ignition(ignition(&text)?),
            Text::Base64 => return problem("is base64; decode it first: `base64 -d FILE`"),
            Text::Template => return problem("is a template; render it first"),
            Text::Include => return problem("is a list of URLs; pass their contents instead"),
            Text::CloudConfigArchive => {
                return problem("is a cloud-config archive; pass its documents as a MIME document");
            }
            Text::PartHandler => return problem("is code that handles other parts, of which the node has its own"),
            _ => match content_type(&text) {
                Some(content_type) => {
                    Document::CloudInit(vec![UserPart { content_type, merge_type: None, body: text.clone() }])
                }
                None if text.lines().any(|line| line.starts_with("variant:")) => {
                    return problem("is a Butane config; translate it to Ignition first: `butane FILE`");
                }
                None => {
                    return problem(
                        "is neither a cloud-config (first line `#cloud-config`), a script (`#!`), a boothook, a MIME document nor \
                         an Ignition document",
                    );
                }
            },
        };
        if let Document::CloudInit(parts) = &content {
            for part in parts.iter().filter(|part| part.content_type == CLOUD_CONFIG) {
                check_cloud_config(&part.body)?;
            }
        }
        Ok(Self { text, content })
    }

    /// Returns a delivery whose `CustomData` also has this document, and warnings of what would break provisioning.
    pub fn merged(&self, delivery: Delivery, request: &Request) -> Result<(Delivery, Vec<String>), UserDataError> {
        let own = document_of(&delivery.custom_data);
        let is_ignition = Text::of(&own) == Text::Json;
        let name = delivery.os.name;
        let (document, first_boot, warnings) = match &self.content {
            Document::Ignition(_) if !is_ignition => {
                return problem(format!("is an Ignition document, but cloud-init reads CustomData on `{name}`"));
            }
            Document::CloudInit(_) if is_ignition => {
                return problem(format!("is for cloud-init, but Ignition reads CustomData on `{name}`"));
            }
            Document::Ignition(value) => {
                check_contradictions(&own, value)?;
                (with_ignition(&own, &self.text), FirstBoot::Ignition, warnings_of_ignition(value))
            }
            Document::CloudInit(parts) => {
                (with_parts(&own, parts), FirstBoot::CloudInit, warnings_of_parts(&own_paths(&own), parts))
            }
        };
        let contributors = || {
            let share =
                |name: &str, text: &str| Contributor { name: name.to_owned(), size: text.len().div_ceil(3) * 4 };
            vec![share("user data", &self.text), share("CustomData without it", &own)]
        };
        let custom_data = CustomData::new(&document, first_boot, request, contributors)?;
        Ok((Delivery { custom_data, ..delivery }, warnings))
    }

    /// Adds this document to the layers of the node, with the `CustomData` that has both.
    pub fn add_to(&self, layers: &mut Vec<Layer>, delivery: &Delivery) {
        let mut put = |layer: Layer| match layers.iter_mut().find(|other| other.name == layer.name) {
            Some(other) => *other = layer,
            None => layers.push(layer),
        };
        put(Layer::new("custom_data.b64", format!("{}\n", delivery.custom_data.encoded.expose())));
        let name = match self.content {
            Document::CloudInit(_) => "custom_data.mime",
            Document::Ignition(_) => "ignition.json",
        };
        put(Layer::new(name, document_of(&delivery.custom_data)));
        put(Layer::new("user_data", self.text.clone()));
    }
}

/// Returns the type of a part from the beginning of its text, as cloud-init finds it.
fn content_type(text: &str) -> Option<&'static str> {
    match Text::of(text) {
        Text::CloudConfig if text.lines().next().unwrap_or_default().trim_end() == "#cloud-config" => {
            Some(CLOUD_CONFIG)
        }
        Text::Script => Some(SCRIPT),
        Text::Boothook => Some(BOOTHOOK),
        _ => None,
    }
}

/// Reads the parts of a MIME document.
fn multipart(text: &str) -> Result<Vec<UserPart>, UserDataError> {
    let (parts, cut) = foreign::parts(text.trim_start());
    if let Some(cut) = cut {
        return problem(cut);
    }
    let mut found = Vec::new();
    let mut problems = Vec::new();
    for (at, part) in parts.into_iter().enumerate() {
        let number = at + 1;
        let body = match part.transfer_encoding.as_str() {
            "" | "7bit" | "8bit" | "binary" => Some(part.body),
            "base64" => {
                decoded(&part.body).and_then(|(bytes, is_cut)| String::from_utf8(bytes).ok().filter(|_| !is_cut))
            }
            _ => None,
        };
        let Some(body) = body else {
            problems
                .push(format!("part {number} is not text, or its transfer encoding is not `7bit`, `8bit` or `base64`"));
            continue;
        };
        let named = TYPES.into_iter().find(|name| *name == part.content_type);
        // cloud-init looks at the text of a part with one of these types.
        let is_open = ["text/plain", "text/x-not-multipart", SCRIPT].contains(&part.content_type.as_str());
        match if is_open { content_type(&body) } else { named } {
            Some(content_type) => found.push(UserPart { content_type, merge_type: part.merge_type, body }),
            None => problems.push(format!("part {number} is none of {}", TYPES.join(", "))),
        }
    }
    if problems.is_empty() { Ok(found) } else { problem(problems.join("; ")) }
}

fn ignition(text: &str) -> Result<Value, UserDataError> {
    let value: Value = match serde_json::from_str(text) {
        Ok(value) => value,
        // The reader's message could quote a value.
        Err(error) => {
            return problem(format!("is not valid JSON: line {}, column {}", error.line(), error.column()));
        }
    };
    match value.pointer("/ignition/version").and_then(Value::as_str) {
        Some(version) if version.starts_with("3.") => Ok(value),
        Some(_) => problem("is an Ignition document of a version other than 3, which Ignition cannot merge"),
        None => problem("is JSON without `ignition.version`, so it is not an Ignition document"),
    }
}

/// Fails if cloud-init would ignore a cloud-config, or could not append to it.
fn check_cloud_config(text: &str) -> Result<(), UserDataError> {
    let (root, broken) = parsed(text);
    if let Some(broken) = broken.filter(|broken| !broken.contains("aliases")) {
        return problem(format!("is a cloud-config that cloud-init ignores: {broken}"));
    }
    if !matches!(root, Node::Map(_)) {
        return problem("is a cloud-config that is not a mapping, which cloud-init ignores");
    }
    let is_other = |name: &&str| root.member(name).is_some_and(|value| !matches!(value, Node::List(_)));
    let others: Vec<_> = LISTS.into_iter().filter(is_other).map(|name| format!("`{name}`")).collect();
    if others.is_empty() { Ok(()) } else { problem(format!("must have a list in {}", others.join(", "))) }
}

/// Returns the document in `CustomData`.
fn document_of(custom_data: &CustomData) -> String {
    let bytes = STANDARD.decode(custom_data.encoded.expose()).expect("CustomData is base64");
    let plain = if Binary::of(&bytes) == Some(Binary::Gzip) {
        let mut plain = Vec::new();
        GzDecoder::new(bytes.as_slice()).read_to_end(&mut plain).expect("it was compressed by this program");
        plain
    } else {
        bytes
    };
    String::from_utf8(plain).expect("every document is text")
}

/// Returns one MIME document with the node's parts and the user's.
fn with_parts(own: &str, user: &[UserPart]) -> String {
    let own = match Text::of(own) {
        Text::Mime => {
            let parts = foreign::parts(own).0.into_iter();
            parts.map(|part| (part.content_type, part.body)).collect()
        }
        _ => vec![(content_type(own).unwrap_or(SCRIPT).to_owned(), own.to_owned())],
    };
    let own: Vec<_> = own.iter().map(|(kind, body)| (kind.as_str(), carried(body), body)).collect();
    let user: Vec<_> = user.iter().map(|part| (part, carried(&part.body))).collect();
    let of_node = |last: bool| {
        let wanted = own.iter().filter(move |(kind, ..)| (*kind == CLOUD_CONFIG) == last);
        wanted.map(move |(kind, encoded, body)| part(kind, last.then_some(APPENDS), encoded.as_deref(), body))
    };
    let of_user = user
        .iter()
        .map(|(one, encoded)| part(one.content_type, one.merge_type.as_deref(), encoded.as_deref(), &one.body));
    let parts: Vec<Part<'_>> = of_node(false).chain(of_user).chain(of_node(true)).collect();
    mime::document(&parts)
}

fn part<'a>(content_type: &'a str, merge_type: Option<&'a str>, encoded: Option<&'a str>, body: &'a str) -> Part<'a> {
    Part {
        merge_type,
        transfer_encoding: if encoded.is_some() { "base64" } else { "7bit" },
        ..Part::text(content_type, encoded.unwrap_or(body))
    }
}

/// Returns the base64 of a text that a line-based document could change.
fn carried(body: &str) -> Option<String> {
    /// Characters on a line. <https://www.rfc-editor.org/rfc/rfc2045#section-6.8>
    const WIDTH: usize = 76;
    if body.is_ascii() && !body.contains('\r') {
        return None;
    }
    let encoded = STANDARD.encode(body);
    let lines = encoded.as_bytes().chunks(WIDTH).map(|line| String::from_utf8_lossy(line).into_owned());
    Some(lines.collect::<Vec<_>>().join("\n") + "\n")
}

fn with_ignition(own: &str, user: &str) -> String {
    let mut document: Value = serde_json::from_str(own).expect("the document is JSON");
    let source = format!("data:;base64,{}", STANDARD.encode(gzip::compress(user.as_bytes())));
    document["ignition"]["config"] = json!({"merge": [{"compression": "gzip", "source": source}]});
    document.to_string()
}

/// Returns the paths and units that an Ignition document has.
fn entries(value: &Value) -> BTreeSet<String> {
    let names = |pointer: &str, member: &'static str| {
        let items = value.pointer(pointer).and_then(Value::as_array).into_iter().flatten();
        items.filter_map(move |item| item.get(member)?.as_str()).map(str::to_owned).collect::<Vec<_>>()
    };
    let lists = ["/storage/files", "/storage/directories", "/storage/links"].map(|list| names(list, "path"));
    lists.into_iter().flatten().chain(names("/systemd/units", "name")).collect()
}

/// Fails if the user's document has a path or a unit of the node's: one of the two would be lost.
fn check_contradictions(own: &str, user: &Value) -> Result<(), UserDataError> {
    let mut taken = entries(&serde_json::from_str(own).expect("the document is JSON"));
    taken.extend(own_paths(own));
    let both: Vec<String> = entries(user).intersection(&taken).map(|name| format!("`{name}`")).collect();
    if both.is_empty() {
        Ok(())
    } else {
        problem(format!("contradicts the node's own document, which also has {}", both.join(", ")))
    }
}

/// Returns the paths of the files that the node's document writes.
fn own_paths(own: &str) -> BTreeSet<String> {
    inspect(own.as_bytes(), &ImageContents::default()).files.into_iter().map(|file| file.path).collect()
}
