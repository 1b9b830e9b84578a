//! Tables and trees for people: columns as wide as their content, fitted to the terminal.

use std::fmt::Write;

use super::output::wrapped;
use super::style::columns;

/// Spaces between two columns.
const GAP: usize = 2;

/// Indentation of a last column that is below the others.
const BELOW: usize = 4;

/// Rows of cells. Only the last cell of a row is wrapped. Without a terminal nothing is wrapped, so that each row is
/// one line for `grep` and `awk`.
#[derive(Debug, Default)]
pub(super) struct Table {
    rows: Vec<Vec<String>>,
}

impl Table {
    /// Adds a row. The cells must be printable; they can have styles.
    pub fn row(&mut self, cells: impl IntoIterator<Item = impl Into<String>>) {
        self.rows.push(cells.into_iter().map(Into::into).collect());
    }

    /// Returns the lines, each with its line feed, for a terminal of this width. A last column that would get less than
    /// half of the width is placed below the others.
    pub fn text(&self, width: Option<usize>) -> String {
        let widths = self.widths(width);
        let before = widths.iter().rev().skip(1).map(|column| column + GAP).sum::<usize>();
        let is_below = width.is_some_and(|width| before > width / 2);
        let mut text = String::new();
        for row in &self.rows {
            let mut line = String::new();
            // Where the last cell of the row begins.
            let mut start = 0;
            for (column, cell) in row.iter().enumerate() {
                if column + 1 == row.len() {
                    if is_below && column > 0 {
                        let _ = writeln!(text, "{}", line.trim_end());
                        start = BELOW;
                        line = " ".repeat(start);
                    }
                    line.push_str(cell);
                    break;
                }
                let (taken, column_width) = (columns(cell), widths[column]);
                let padding = " ".repeat(column_width.saturating_sub(taken));
                let _ = write!(line, "{cell}{padding}");
                start += column_width + GAP;
                if taken > column_width && !(is_below && column + 2 == row.len()) {
                    // The cell is wider than its column: the next cell begins on the next line.
                    let _ = writeln!(text, "{line}");
                    line = " ".repeat(start);
                } else {
                    line.push_str(&" ".repeat(GAP));
                }
            }
            let line = line.trim_end();
            let blank = line.len() - line.trim_start_matches(' ').len();
            let _ = writeln!(text, "{}", wrapped(line, width, start.saturating_sub(blank)));
        }
        text
    }

    /// Returns the widths of all columns except the last. On a terminal, a column takes at most two fifths of the
    /// width: wider cells get a line of their own.
    fn widths(&self, width: Option<usize>) -> Vec<usize> {
        let most = width.map_or(usize::MAX, |width| width * 2 / 5);
        let count = self.rows.iter().map(Vec::len).max().unwrap_or_default();
        let widest = |column: usize| {
            let cells = self.rows.iter().filter(|row| column + 1 < row.len()).map(|row| columns(&row[column]));
            cells.filter(|cell| *cell <= most).max().unwrap_or_default()
        };
        (0..count).map(widest).collect()
    }
}

/// Returns the branches of a tree (`├── `, `└── ` and the lines that lead to them) from the depth of each node in
/// depth-first order. Nodes of depth 0 are roots, which have none.
pub(super) fn branches(depths: &[usize]) -> Vec<String> {
    // From the last node to the first: at each depth, whether another node follows below the same parent.
    let mut follows: Vec<bool> = Vec::new();
    let mut lines: Vec<String> = depths
        .iter()
        .rev()
        .map(|&depth| {
            follows.resize(depth + 1, false);
            let leads = follows.iter().take(depth).skip(1).map(|follows| if *follows { "│   " } else { "    " });
            let mut line: String = leads.collect();
            if depth > 0 {
                line.push_str(if follows[depth] { "├── " } else { "└── " });
            }
            follows[depth] = true;
            line
        })
        .collect();
    lines.reverse();
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Table {
        let mut table = Table::default();
        table.row(["a", "1", "one two three four"]);
        table.row(["bb", "100", ""]);
        table.row(["a long cell here", "20", "five six"]);
        table
    }

    #[test]
    fn without_a_terminal_each_row_is_a_line() {
        let expected =
            "a                 1    one two three four\nbb                100\na long cell here  20   five six\n";
        assert_eq!(table().text(None), expected);
    }

    #[test]
    fn the_last_column_is_wrapped_and_wide_cells_stand_alone() {
        let expected = "a   1    one two three\n         four\nbb  100\na long cell here\n    20   five six\n";
        assert_eq!(table().text(Some(22)), expected);
    }

    #[test]
    fn a_last_column_without_room_is_below_the_others() {
        let mut table = Table::default();
        table.row(["0644", "/a/long/path", "what it is for"]);
        table.row(["0644", "/a/longer/path/still", "another"]);
        let expected = "0644  /a/long/path\n    what it is\n    for\n0644  /a/longer/path/still\n    another\n";
        assert_eq!(table.text(Some(15)), expected);
    }

    #[test]
    fn a_tree_shows_which_nodes_follow() {
        let lines = branches(&[0, 1, 2, 2, 1, 2, 0, 1]);
        let expected = ["", "├── ", "│   ├── ", "│   └── ", "└── ", "    └── ", "", "└── "];
        assert_eq!(lines, expected);
    }
}
