//! Finds the files that shell text writes, without running anything.

use std::collections::HashMap;
use std::ops::Range;

use super::archive;
use super::encoded::decoded;

/// A file that a script writes.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct ScriptFile {
    pub(super) path: String,
    pub(super) mode: Option<u32>,
    pub(super) content: Vec<u8>,
    /// Whether the content is truncated, damaged or too large.
    pub(super) is_cut: bool,
}

/// The most bytes of a file that a script writes.
const LARGEST: usize = 16 << 20;

/// Returns the files that a script writes with here-documents or with `echo` or `printf` of base64, in order. `room` is how many
/// bytes may still be decompressed.
pub(super) fn files(text: &str, room: &mut usize) -> Vec<ScriptFile> {
    let mut files = Vec::new();
    let mut rest = text;
    while let Some((line, after)) = rest.split_once('\n') {
        rest = after;
        let line = line.trim_end_matches('\r');
        let Some(mark) = here_document(line) else {
            files.extend(from_line(line, room));
            continue;
        };
        let Some(path) = target(line) else { continue };
        let mut end = 0;
        let mut closed = false;
        for inner in after.split_inclusive('\n') {
            if inner.trim_end_matches(['\r', '\n']) == mark {
                closed = true;
                rest = &after[end + inner.len()..];
                break;
            }
            end += inner.len();
        }
        let (content, is_cut) = unpacked(line, &after.as_bytes()[..end], room);
        if !closed {
            rest = "";
        }
        files.push(ScriptFile { path, mode: None, content, is_cut: is_cut || !closed });
    }
    files.extend(from_line(rest, room));
    let modes = modes(text);
    for file in &mut files {
        file.mode = modes.get(&*file.path).copied();
    }
    files
}

/// Returns a text without the contents of the files that it writes, but with the lines that write them.
pub(super) fn besides_files(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut lines = text.split_inclusive('\n');
    while let Some(line) = lines.next() {
        let mark = here_document(line.trim_end_matches(['\r', '\n'])).filter(|_| target(line).is_some());
        let Some(mark) = mark else {
            match payload(line).filter(|payload| target(&line[payload.end..]).is_some()) {
                Some(payload) => kept.extend([&line[..payload.start], &line[payload.end..]]),
                None => kept.push_str(line),
            }
            continue;
        };
        kept.push_str(line);
        lines.find(|inner| inner.trim_end_matches(['\r', '\n']) == mark);
    }
    kept
}

/// Returns the word that ends the here-document of a line: `<<'EOF'`, `<<EOF`.
fn here_document(line: &str) -> Option<&str> {
    let after = line.split_once("<<")?.1.trim_start_matches('-').trim_start();
    let word = after.split([' ', '\t', '|', '>', ';']).next()?.trim_matches(['\'', '"']);
    (!word.is_empty() && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')).then_some(word)
}

/// Returns the path that the output of a line is written to: by a redirection, or by `tee`.
fn target(line: &str) -> Option<String> {
    redirected(line).filter(|path| path != "/dev/null").or_else(|| {
        let (_, after) = line.split_once("tee ")?;
        let path = after.split_ascii_whitespace().find(|word| !word.starts_with('-'))?.trim_matches(['\'', '"']);
        path.starts_with('/').then(|| path.to_owned())
    })
}

fn redirected(line: &str) -> Option<String> {
    let at = line.match_indices('>').map(|(at, _)| at).find(|at| !line[..*at].ends_with(['2', '&']))?;
    let path = line[at + 1..].trim_start().split([' ', '\t', ';', '&', '|', ')']).next()?.trim_matches(['\'', '"']);
    path.starts_with('/').then(|| path.to_owned())
}

/// Returns the file that a line writes as `echo "BASE64" | base64 -d > PATH`, optionally with decompression.
fn from_line(line: &str, room: &mut usize) -> Option<ScriptFile> {
    let payload = payload(line)?;
    let pipeline = &line[payload.end..];
    let path = target(pipeline)?;
    let (content, is_cut) = unpacked(pipeline, &line.as_bytes()[payload], room);
    (!content.is_empty()).then_some(ScriptFile { path, mode: None, content, is_cut })
}

/// Returns the position of the base64 in a line such as `echo "BASE64" | base64 -d > PATH`.
fn payload(line: &str) -> Option<Range<usize>> {
    let before = line[..line.find("base64 -d")?].trim_end().strip_suffix('|')?.trim_end().trim_end_matches(['\'', '"']);
    let start = before
        .rfind(|character: char| !(character.is_ascii_alphanumeric() || matches!(character, '+' | '/' | '=')))
        .map_or(0, |at| at + 1);
    Some(start..before.len())
}

/// Applies a pipeline of `base64 -d` and `gunzip` to a text. Returns the content up to the first error, and whether there
/// was one.
fn unpacked(pipeline: &str, content: &[u8], room: &mut usize) -> (Vec<u8>, bool) {
    let mut content = content.to_vec();
    let mut is_cut = false;
    if pipeline.contains("base64 -d") || pipeline.contains("base64 --decode") {
        let text = String::from_utf8_lossy(&content).into_owned();
        (content, is_cut) = decoded(&text).unwrap_or((Vec::new(), true));
    }
    if ["gunzip", "gzip -d", "zcat", "gzip --decompress"].iter().any(|program| pipeline.contains(program)) {
        let (plain, cut) = archive::gunzip(&content, LARGEST.min(*room));
        is_cut |= cut.is_some();
        content = plain;
        *room -= content.len();
    }
    (content, is_cut)
}

/// Returns the modes that `chmod MODE PATH...` gives to files, the first for each.
fn modes(text: &str) -> HashMap<&str, u32> {
    let mut modes = HashMap::new();
    for (at, command) in text.match_indices("chmod ") {
        let line = text[at + command.len()..].lines().next().unwrap_or_default();
        let mut words = line.split_ascii_whitespace();
        let Some(mode) = words.next().and_then(|mode| u32::from_str_radix(mode, 8).ok()) else { continue };
        let paths = words.take_while(|word| !word.starts_with('&') && !word.starts_with('|'));
        for path in paths.take(16) {
            modes.entry(path.trim_end_matches(';').trim_matches(['\'', '"'])).or_insert(mode);
        }
    }
    modes
}
