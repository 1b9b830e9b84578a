//! Finds values in tables of HTML: beside the name of a secret in a row of two cells, and below one in the first row.

use std::ops::Range;
use std::sync::LazyLock;

use memchr::memmem::Finder;

use crate::redaction::names::announces;
use crate::redaction::value::{DESCRIPTIONS, is_meaningful, is_state};

/// Bytes of the longest row.
const LONGEST: usize = 4096;

/// The most cells of a row that are looked at.
const MOST: usize = 64;

static ROW: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("<tr"));

static END: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("</tr"));

/// Adds such values.
pub(super) fn find(text: &[u8], ranges: &mut Vec<Range<usize>>) {
    let mut rows = ROW.find_iter(text).peekable();
    let mut secret: Vec<usize> = Vec::new();
    let mut table = 0;
    while let Some(start) = rows.next() {
        let next = rows.peek().copied().unwrap_or(text.len()).min(start + LONGEST);
        let row = &text[start..next];
        let row = &row[..END.find(row).unwrap_or(row.len())];
        let cells = cells(row);
        // What is between two rows of a table is short.
        if start > table + LONGEST {
            secret.clear();
        }
        table = next;
        let mut add = |cell: &Range<usize>| {
            let value = &row[cell.clone()];
            let is_word = !value.is_empty() && !value.iter().any(u8::is_ascii_whitespace);
            if is_word && is_meaningful(value) && !DESCRIPTIONS.contains(&value) && !is_state(value) {
                ranges.push(start + cell.start..start + cell.end);
            }
        };
        let names: Vec<usize> = (0..cells.len()).filter(|number| is_name(&row[cells[*number].clone()])).collect();
        match (&cells[..], &names[..]) {
            ([_, value], [0]) if secret.is_empty() => add(value),
            (_, []) => secret.iter().filter_map(|number| cells.get(*number)).for_each(&mut add),
            _ => secret = names,
        }
    }
}

/// Reports whether the text of a cell is the name of a secret.
fn is_name(cell: &[u8]) -> bool {
    let name = cell.strip_suffix(b":").unwrap_or(cell).trim_ascii();
    std::str::from_utf8(name).is_ok_and(|name| announces(&name.replace(' ', "_")))
}

/// Returns the texts of the cells of a row, without the elements in them.
fn cells(row: &[u8]) -> Vec<Range<usize>> {
    let mut cells: Vec<Range<usize>> = Vec::new();
    let mut at = 0;
    while let Some(open) = memchr::memchr(b'<', &row[at..]).map(|open| at + open) {
        add_text(row, at..open, &mut cells);
        if matches!(row[open + 1..], [b't', b'd' | b'h', b' ' | b'>', ..]) {
            if cells.len() == MOST {
                return cells;
            }
            cells.push(open..open);
        }
        let Some(close) = memchr::memchr(b'>', &row[open..]) else { return cells };
        at = open + close + 1;
    }
    add_text(row, at..row.len(), &mut cells);
    cells
}

/// Gives the last cell the first text in it.
fn add_text(row: &[u8], place: Range<usize>, cells: &mut [Range<usize>]) {
    let text = row[place.clone()].trim_ascii_start();
    let start = place.end - text.len();
    if let Some(cell) = cells.last_mut().filter(|cell| cell.start == cell.end)
        && !text.is_empty()
    {
        *cell = start..start + text.trim_ascii_end().len();
    }
}

#[cfg(test)]
mod tests {
    use crate::redaction::tests::found_by;

    fn values(text: &str) -> Vec<&str> {
        found_by(super::find, text)
    }

    #[test]
    fn cells_beside_and_below_a_name_are_found() {
        assert_eq!(values("<tr><td>User</td><td>bob</td></tr><tr><td>Password</td><td>x1</td></tr>"), ["x1"]);
        assert_eq!(values("<tr>\n  <th scope=\"row\">API Key</th>\n  <td>x1</td>\n</tr>"), ["x1"]);
        assert_eq!(values("<tr><td><b>Client secret:</b></td><td><code>x1</code></td></tr>"), ["x1"]);
        let table = "<table><tr><th>User</th><th>Password</th></tr>\n<tr><td>bob</td><td>x1</td></tr>\n\
                     <tr><td>eve</td><td> x2 </td></tr></table>";
        assert_eq!(values(table), ["x1", "x2"]);
        for harmless in [
            "<tr><td>Password</td><td>required</td></tr>",
            "<tr><th>Token</th><td>missing</td></tr>",
            "<tr><td>Password</td><td>the password of the user</td></tr>",
            "<tr><td>User</td><td>Password</td></tr>",
            "<tr><td>Secret</td><td></td></tr>",
            "<tr><td>Tokenizer</td><td>x1</td></tr>",
            "<tr><td>Password",
        ] {
            assert!(values(harmless).is_empty(), "{harmless}");
        }
    }
}
