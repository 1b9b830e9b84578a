//! Finds values in tables (CSV, columns between bars, aligned columns), below heads that name a secret.

mod boxes;
mod inserts;
mod rows;

use std::ops::Range;

use super::names::announces;
use super::value::{is_meaningful, is_name_byte};
use crate::secret::SHORTEST;

/// Bytes of the longest line that is taken for the head of a table.
const LONGEST_HEAD: usize = 512;

/// The columns of a table that have secrets, in order.
enum Columns {
    /// The numbers of cells between separators.
    Separated(u8, Vec<usize>),
    /// The numbers of cells and where they begin, and how many cells there are.
    Aligned(Vec<(usize, usize)>, usize),
    /// Where the columns begin and end below a line of dashes for each, and where all columns begin.
    Ruled(Vec<Range<usize>>, Vec<usize>),
    /// Names in the first cell and values in the second one.
    Named,
}

/// Heads of tables whose lines are a name and a value.
const NAMES: [&[u8]; 9] =
    [b"key", b"name", b"variable_name", b"property", b"field", b"variable", b"setting", b"parameter", b"option"];

/// Adds the cells below heads that name a secret, and the values of such columns in SQL.
pub(super) fn find(text: &[u8], ranges: &mut Vec<Range<usize>>) {
    inserts::find(text, ranges);
    rows::find(text, ranges);
    let text = &*boxes::plain(text);
    expanded(text, ranges);
    let mut open: Option<Columns> = None;
    let mut before: &[u8] = &[];
    let mut at = 0;
    for line in text.split_inclusive(|byte| *byte == b'\n') {
        let begin = at;
        at += line.len();
        let line = line.trim_ascii_end();
        // Below the head.
        if !line.is_empty() && line.iter().all(|byte| b"-=+|: ".contains(byte)) {
            open = open.or_else(|| ruled(before, line));
            continue;
        }
        before = line;
        let mut has_cells = false;
        let mut add = |cell: Range<usize>| {
            has_cells = true;
            let value = line[cell.clone()].trim_ascii();
            let start = begin + cell.end - line[cell].trim_ascii_start().len();
            if (value.len() >= SHORTEST || matches!(open, Some(Columns::Named))) && is_meaningful(value) {
                ranges.push(start..start + value.len());
            }
        };
        match &open {
            Some(Columns::Separated(separator, columns)) => separated(line, *separator, columns, &mut add),
            Some(Columns::Aligned(columns, count)) => aligned(line, columns, *count, &mut add),
            Some(Columns::Ruled(columns, starts)) => {
                let mut starts = starts.iter().take_while(|start| **start < line.len());
                let is_row = starts.all(|start| *start == 0 || line[start - 1] == b' ');
                let cells = columns.iter().take_while(|cell| is_row && cell.start < line.len());
                cells.map(|cell| cell.start..cell.end.min(line.len())).for_each(&mut add);
            }
            Some(Columns::Named) => {
                let cells = cells_of_pair(line);
                if let Some([name, value]) = &cells
                    && is_name_of_secret(&line[name.clone()])
                {
                    add(value.clone());
                }
                has_cells = cells.is_some();
            }
            None => {}
        }
        if !has_cells {
            open = head(line);
        }
    }
}

/// Adds the values of a record of `psql` that is shown line by line: `password | x`, with the bars of several lines in one column.
fn expanded(text: &[u8], ranges: &mut Vec<Range<usize>>) {
    let mut lines = text.split(|byte| *byte == b'\n').peekable();
    let (mut at, mut before) = (0, &b""[..]);
    while let Some(line) = lines.next() {
        let mut bars = memchr::memchr_iter(b'|', line);
        if let (Some(bar), None) = (bars.next(), bars.next())
            && line.len() <= LONGEST_HEAD
            && is_name_of_secret(line[..bar].trim_ascii())
        {
            let next = lines.peek().copied().unwrap_or_default();
            let is_aligned = |other: &[u8]| other.get(bar).is_some_and(|byte| b"|+".contains(byte));
            // Below the head of a table is a line.
            let is_head = !next.is_empty() && next.iter().all(|byte| b"-+ \r".contains(byte));
            let value = line[bar + 1..].trim_ascii();
            let is_word = !value.contains(&b' ') && is_meaningful(value);
            let is_first = before.starts_with(b"-[ RECORD ");
            if !is_head && is_word && (is_first || is_aligned(before) || is_aligned(next)) {
                let end = at + line.trim_ascii_end().len();
                ranges.push(end - value.len()..end);
            }
        }
        at += line.len() + 1;
        before = line;
    }
}

/// Returns the columns with secrets of a table whose names have a line of dashes below each of them, as `Format-Table` shows it: one blank is
/// between two columns.
fn ruled(head: &[u8], rule: &[u8]) -> Option<Columns> {
    // A text in quotes may begin with the names.
    let head = head.rsplit(|byte| *byte == b'"').next().unwrap_or_default();
    let is_rule = head.len().max(rule.len()) <= LONGEST_HEAD && rule.iter().all(|byte| b"- ".contains(byte));
    let starts: Vec<usize> = (0..if is_rule { rule.len() } else { 0 })
        .filter(|at| rule[*at] == b'-' && (*at == 0 || rule[at - 1] == b' '))
        .collect();
    let mut ends = starts.iter().skip(1).copied().chain([usize::MAX]);
    let columns = starts.iter().filter_map(|start| {
        let column = *start..ends.next()?;
        let name = head.get(column.start..column.end.min(head.len()))?.trim_ascii();
        is_name_of_secret(name).then_some(column)
    });
    let columns: Vec<_> = columns.collect();
    (starts.len() > 1 && !columns.is_empty()).then_some(Columns::Ruled(columns, starts))
}

/// Reports whether a cell is the name of a secret.
fn is_name_of_secret(cell: &[u8]) -> bool {
    cell.iter().all(|byte| is_name_byte(*byte)) && std::str::from_utf8(cell).is_ok_and(announces)
}

/// Returns both cells of a line that has two, aligned or between bars.
fn cells_of_pair(line: &[u8]) -> Option<[Range<usize>; 2]> {
    if !line.contains(&b'|') {
        let mut cells = aligned_cells(line);
        return Some([cells.next()?, cells.next()?]).filter(|_| cells.next().is_none());
    }
    let mut at = 0;
    let mut found = Vec::new();
    for cell in line.split(|byte| *byte == b'|') {
        let start = at + cell.len() - cell.trim_ascii_start().len();
        if !cell.trim_ascii().is_empty() && found.len() < 3 {
            found.push(start..start + cell.trim_ascii().len());
        }
        at += cell.len() + 1;
    }
    found.try_into().ok()
}

/// Returns the columns with secrets if a line is the head of a table: nothing but names, some of which announce a secret.
fn head(line: &[u8]) -> Option<Columns> {
    let is_plain = |byte: &u8| is_name_byte(*byte) || b" \t,;|\"".contains(byte);
    if line.len() > LONGEST_HEAD {
        return None;
    }
    let end = line.iter().rposition(|byte| !b"\\'".contains(byte)).map_or(0, |at| at + 1);
    let line = &line[..end];
    // A text that is quoted somewhere begins with its quote, an element with its tag, a packet with bytes that are no text.
    let opened = line.iter().rposition(|byte| !is_plain(byte)).map_or(0, |at| at + 1);
    let is_in_text = memchr::memchr_iter(b'"', &line[opened..]).count() % 2 == 1;
    // A blank may be before the quote: `"message": "`.
    let quote = line[opened..].iter().take_while(|byte| **byte == b' ').count();
    let quote = if line[opened + quote..].starts_with(b"\"") { quote } else { 0 };
    let opened = if is_in_text { opened + quote + 1 } else { opened };
    let (before, line) = line.split_at(opened.min(line.len()));
    let indent = line.iter().take_while(|byte| **byte == b' ').count();
    if !before.last().is_none_or(|byte| b"\"'>[(:".contains(byte) || !byte.is_ascii_graphic())
        || !line.iter().any(u8::is_ascii_alphabetic)
    {
        return None;
    }
    if let Some([name, value]) = cells_of_pair(line)
        && line[value].eq_ignore_ascii_case(b"value")
        && NAMES.contains(&&*line[name].to_ascii_lowercase())
    {
        return Some(Columns::Named);
    }
    // The keys of a storage account, as `az` shows them.
    let is_of_keys = [&b"KeyName "[..], b"Permissions "].iter().all(|name| memchr::memmem::find(line, name).is_some());
    let is_secret = |cell: &[u8]| {
        let is_key = is_of_keys && cell.trim_ascii() == b"Value";
        let name = cell.trim_ascii().iter().filter(|byte| **byte != b'"').map(|byte| match byte {
            b' ' => '_',
            byte => char::from(*byte),
        });
        is_key || announces(&name.collect::<String>())
    };
    let is_name = |cell: &[u8]| cell.iter().find(|byte| **byte != b'"').is_some_and(u8::is_ascii_alphabetic);
    if line.contains(&b'|') {
        let cells: Vec<_> = line.split(|byte| *byte == b'|').map(<[u8]>::trim_ascii).collect();
        // Borders have nothing beside them.
        let mut names = cells.iter().filter(|cell| !cell.is_empty()).peekable();
        // A bar before a line is that of a message.
        let is_head = cells.len() > 2 || cells.iter().all(|cell| !cell.is_empty());
        let is_head = is_head && names.peek().is_some() && names.all(|cell| is_name(cell) && !cell.contains(&b','));
        let columns: Vec<_> =
            cells.iter().enumerate().filter(|(_, cell)| is_secret(cell)).map(|(number, _)| number).collect();
        return (is_head && !columns.is_empty()).then_some(Columns::Separated(b'|', columns));
    }
    for separator in *b",;\t" {
        let cells: Vec<_> = line[indent..].split(|byte| *byte == separator).collect();
        // In prose, a blank follows a comma.
        let is_head = cells.len() > 1 && cells.iter().all(|cell| is_name(cell));
        if is_head {
            let columns: Vec<_> =
                cells.iter().enumerate().filter(|(_, cell)| is_secret(cell)).map(|(number, _)| number).collect();
            return (!columns.is_empty()).then_some(Columns::Separated(separator, columns));
        }
    }
    let cells: Vec<_> = aligned_cells(line).collect();
    let secret = cells.iter().enumerate().filter(|(_, cell)| is_secret(&line[cell.start..cell.end]));
    let columns: Vec<_> = secret.map(|(number, cell)| (number, cell.start)).collect();
    let is_head = cells.len() > 1
        && !columns.is_empty()
        && is_aligned_head(&cells.iter().map(|cell| &line[cell.clone()]).collect::<Vec<_>>());
    is_head.then_some(Columns::Aligned(columns, cells.len()))
}

/// Reports whether all cells are in capitals, or words that begin with one, or words without any: a name and its description are not.
fn is_aligned_head(cells: &[&[u8]]) -> bool {
    let is_capital = |byte: &u8| !byte.is_ascii_lowercase() && !b",\t\"".contains(byte);
    let is_word = |byte: &u8| is_name_byte(*byte);
    cells.iter().all(|cell| cell[0].is_ascii_alphabetic() && cell.iter().all(is_capital))
        || cells.iter().all(|cell| cell[0].is_ascii_uppercase() && cell.iter().all(is_word))
        || cells.iter().all(|cell| {
            cell.iter().all(|byte| is_word(byte) && !byte.is_ascii_uppercase()) && cell[0].is_ascii_alphabetic()
        })
}

/// Returns the cells of a line, between which there are at least two blanks.
fn aligned_cells(line: &[u8]) -> impl Iterator<Item = Range<usize>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        at += line[at..].iter().take_while(|byte| **byte == b' ').count();
        let start = at;
        at += line[at..].windows(2).position(|pair| pair == b"  ").unwrap_or(line.len() - at);
        (at > start).then_some(start..at)
    })
}

fn separated(line: &[u8], separator: u8, columns: &[usize], add: &mut impl FnMut(Range<usize>)) {
    let mut columns = columns.iter().peekable();
    let mut number = 0;
    let mut begin = 0;
    while let Some(wanted) = columns.peek() {
        let is_quoted = line[begin..].starts_with(b"\"");
        let inside = begin + usize::from(is_quoted);
        let mut end = inside;
        while let Some(byte) = line.get(end) {
            match (byte, line.get(end + 1)) {
                // A quote within quotes is doubled.
                (b'"', Some(b'"')) if is_quoted => end += 1,
                (b'"', _) if is_quoted => break,
                (byte, _) if !is_quoted && *byte == separator => break,
                _ => {}
            }
            end += 1;
        }
        let end = end.min(line.len());
        let Some(next) = line[end..].iter().position(|byte| *byte == separator) else {
            if number == **wanted && number > 0 {
                add(inside..end);
            }
            return;
        };
        if number == **wanted {
            add(inside..end);
            columns.next();
        }
        number += 1;
        begin = end + next + 1;
    }
}

fn aligned(line: &[u8], columns: &[(usize, usize)], count: usize, add: &mut impl FnMut(Range<usize>)) {
    /// How far a column may be from its head, where what is before the head is not before the lines.
    const SHIFT: usize = 2;
    let cells: Vec<_> = aligned_cells(line).collect();
    // A line of a text behind the table begins where its first column does.
    if matches!(&cells[..], [only] if only.start <= SHIFT && count > 1) {
        return;
    }
    // What copied the table may have lost blanks.
    let is_whole = cells.len() == count;
    for (at, cell) in cells.into_iter().enumerate() {
        if columns.iter().any(|(number, start)| start.abs_diff(cell.start) <= SHIFT || is_whole && *number == at) {
            add(cell);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::redaction::tests::found_by;

    fn cells(text: &str) -> Vec<&str> {
        found_by(find, text)
    }

    #[test]
    fn cells_below_the_head_of_a_secret_are_found() {
        let csv = "user,Password,\"Secret access key\"\nme,hunter2,abcdefg\n\"a, b\",\"hun\"\"ter, 2\",hijklmn\n\nx,hunter3,c\n";
        assert_eq!(cells(csv), ["hunter2", "abcdefg", "hun\"\"ter, 2", "hijklmn"]);
        assert_eq!(cells("name\tapi_key\r\na\thunter2\r\n"), ["hunter2"]);
        let table =
            "AppId  Password   Tenant\n-----  ---------  ------\nabc    hunter 22  t\nabcd   none       t\nend\n";
        assert_eq!(cells(table), ["hunter 22"]);
        assert_eq!(
            cells(
                "+------+----------+\n| user | password |\n+------+----------+\n| me   | hunter2  |\n+------+----------+\n"
            ),
            ["hunter2"]
        );
        let keys =
            "KeyName    Permissions    Value\n---------  -------------  ---------\nkey1       FULL           hunter2\n";
        assert_eq!(cells(keys), ["hunter2"]);
        assert_eq!(cells(" user | password \n------+----------\n me | hunter2\n(1 row)\n"), ["hunter2"]);
        let ruled = "UserName Password\n-------- --------\nbob      hunter2\neve\n\nthe password of bob is in\n";
        assert_eq!(cells(ruled), ["hunter2"]);
        let boxed =
            "┌──────┬──────────┐\n│ user │ password │\n├──────┼──────────┤\n│ bob  │ hunter2  │\n└──────┴──────────┘\n";
        assert_eq!(cells(boxed), ["hunter2"]);
        for quoted in ["'user,password\nme,hunter2\n'", "  user,password\n  me,hunter2\n", "b'A  Password\nc  hunter2'"]
        {
            assert_eq!(cells(quoted).len(), 1, "{quoted}");
        }
        for harmless in [
            "NAME      SECRETS   AGE\ndefault   0         5d\n",
            "the user, the password, the token\nof a, or b, or something\n",
            "name,type\na,password\n",
            "password\nhunter2\n",
            "token: a, b\nx, hunter2\n",
            "   61180  PROXY_VARS\n   61116  NO_PROXY_URLS\n",
            "NAME   TYPE    SECRETS\nmine   Opaque  12\n",
            "│ The password\n│ must be longer\n",
            "Changed Password\n------- --------\nthe next line of a log\n",
            "PrimaryKey    SecondaryKey\n------------  --------------\nthe next line of a log\n",
        ] {
            assert!(cells(harmless).is_empty(), "{harmless}");
        }
    }
}
