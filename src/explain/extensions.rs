//! The extensions that messages name: the one that provisions a node, and others.

/// The most characters of the name of an extension.
const LONGEST_NAME: usize = 100;

/// Returns the name of the last extension that a message of Azure is about, if it is not the one that provisions a node.
pub(super) fn other_extension(text: &str) -> Option<&str> {
    const MARKS: [&str; 4] = ["processing extension '", "VM extension '", "VM Extension '", "/extensions/"];
    const ENDS: [char; 8] = ['\'', '"', ' ', '\n', '/', ',', '\\', '\r'];
    let end = MARKS.iter().filter_map(|mark| text.rfind(mark).map(|at| at + mark.len())).max()?;
    let (name, _) = text[end..].split_once(ENDS).filter(|(name, _)| (1..=LONGEST_NAME).contains(&name.len()))?;
    (!is_of_nodes(name)).then_some(name)
}

/// Reports whether a message is about the extension that provisions a node: it may not name another one before.
pub(super) fn is_ours<'a>(text: &'a str, at: usize, foreign: &mut Option<&'a str>) -> bool {
    let Some(name) = extension_before(text, at) else { return true };
    let is_ours = is_of_nodes(name);
    if !is_ours {
        foreign.get_or_insert(name);
    }
    is_ours
}

/// Returns the name of the extension that a message names before a position.
pub(super) fn extension_before(text: &str, at: usize) -> Option<&str> {
    const MARK: &str = "extension '";
    let start = text.ceil_char_boundary(at.saturating_sub(600));
    let (_, after) = text[start..at].rsplit_once(MARK)?;
    after.split_once('\'').map(|(name, _)| name)
}

/// Reports whether an extension can be the one that provisions a node, by its name.
fn is_of_nodes(name: &str) -> bool {
    is_surely_of_nodes(name) || name.to_ascii_lowercase().contains("script")
}

/// Reports whether an extension is the one that provisions a node, by its name: `vmssCSE`, `cse-agent-0`, `cse0`. Users call their
/// own `CustomScript`.
pub(super) fn is_surely_of_nodes(name: &str) -> bool {
    name.to_ascii_lowercase().contains("cse")
}
