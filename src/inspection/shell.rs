//! What shell text does, found without running it: the files that it writes, and whether it is a CSE command.

use std::ops::Range;

use super::archive;
use super::encoded::decoded_any;

/// A file that a script writes.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct ScriptFile {
    pub(super) path: String,
    pub(super) mode: Option<u32>,
    pub(super) content: Vec<u8>,
}

/// The most bytes of a file that a script writes.
const LARGEST: usize = 16 << 20;

/// Reports whether a text is a command that starts provisioning or waits for it.
pub(super) fn is_command(text: &str) -> bool {
    let starts =
        ["/opt/azure/containers/provision_start.sh", "aks-node-controller provision-wait", "PROVISION_OUTPUT="];
    starts.iter().any(|start| text.contains(start))
}

/// Returns the files that a script writes with here-documents or with `echo` or `printf` of base64, in order.
pub(super) fn files(text: &str) -> Vec<ScriptFile> {
    let mut files = Vec::new();
    let mut rest = text;
    while let Some((line, after)) = rest.split_once('\n') {
        rest = after;
        let line = line.trim_end_matches('\r');
        let Some(mark) = here_document(line) else {
            files.extend(from_line(line));
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
        let content = unpacked(line, &after.as_bytes()[..end]);
        if !closed {
            rest = "";
        }
        files.push(ScriptFile { path, mode: None, content });
    }
    files.extend(from_line(rest));
    for file in &mut files {
        file.mode = mode_of(text, &file.path);
    }
    files
}

/// Returns a text without the contents of the files that it writes. The lines that write them stay.
pub(super) fn besides_files(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut lines = text.split_inclusive('\n');
    while let Some(line) = lines.next() {
        let mark = here_document(line.trim_end_matches(['\r', '\n'])).filter(|_| target(line).is_some());
        let Some(mark) = mark else {
            match payload(line).filter(|_| from_line(line).is_some()) {
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

/// Returns the path that the output of a line is redirected to.
fn target(line: &str) -> Option<String> {
    let at = line.match_indices('>').map(|(at, _)| at).find(|at| !line[..*at].ends_with(['2', '&']))?;
    let path = line[at + 1..].trim_start().split([' ', '\t', ';', '&', '|', ')']).next()?.trim_matches(['\'', '"']);
    path.starts_with('/').then(|| path.to_owned())
}

/// Returns the file that a line writes as `echo "BASE64" | base64 -d > PATH`, possibly decompressed between.
fn from_line(line: &str) -> Option<ScriptFile> {
    let payload = payload(line)?;
    let pipeline = &line[payload.end..];
    let path = target(pipeline)?;
    let content = unpacked(pipeline, &line.as_bytes()[payload]);
    (!content.is_empty()).then_some(ScriptFile { path, mode: None, content })
}

/// Returns where the base64 of a line such as `echo "BASE64" | base64 -d > PATH` is.
fn payload(line: &str) -> Option<Range<usize>> {
    let before = line[..line.find("base64 -d")?].trim_end().strip_suffix('|')?.trim_end().trim_end_matches(['\'', '"']);
    let start = before
        .rfind(|character: char| !(character.is_ascii_alphanumeric() || matches!(character, '+' | '/' | '=')))
        .map_or(0, |at| at + 1);
    Some(start..before.len())
}

/// Applies what a pipeline does to a text: `base64 -d`, then `gunzip`.
fn unpacked(pipeline: &str, content: &[u8]) -> Vec<u8> {
    let mut content = content.to_vec();
    if pipeline.contains("base64 -d") || pipeline.contains("base64 --decode") {
        let text = String::from_utf8_lossy(&content).into_owned();
        content = decoded_any(&text).map(|(bytes, _)| bytes).unwrap_or_default();
    }
    if ["gunzip", "gzip -d", "zcat", "gzip --decompress"].iter().any(|program| pipeline.contains(program)) {
        // What could be read before an error is the content.
        content = archive::gunzip(&content, LARGEST).0;
    }
    content
}

/// Returns the mode that `chmod MODE PATH` gives a file.
fn mode_of(text: &str, path: &str) -> Option<u32> {
    text.match_indices("chmod ").find_map(|(at, command)| {
        let mut words = text[at + command.len()..].split_ascii_whitespace();
        let mode = u32::from_str_radix(words.next()?, 8).ok()?;
        let rest = words.take_while(|word| !word.starts_with('&') && !word.starts_with('|'));
        rest.take(16).any(|word| word.trim_end_matches(';').trim_matches(['\'', '"']) == path).then_some(mode)
    })
}
