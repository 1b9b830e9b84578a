//! No secret is shown: every kind, in every encoding, in every place, by every command.

mod commands;
mod documents;
mod encodings;
mod harmless;
mod kinds;
pub mod search;

use aks_node_controller::Secret;
use aks_node_controller::redaction::Redactor;

use search::Search;

/// What leaked, and the number of cells.
#[derive(Default)]
struct Cells {
    count: usize,
    leaks: Vec<String>,
}

impl Cells {
    fn check(&mut self, search: &Search, cell: [&str; 4], text: &str, shown: &str) {
        self.count += 1;
        if search.finds(shown.as_bytes()) {
            self.leak(cell, text, shown);
        }
    }

    fn add(&mut self, other: Self) {
        self.count += other.count;
        self.leaks.extend(other.leaks);
    }

    fn leak(&mut self, cell: [&str; 4], text: &str, shown: &str) {
        let short = |text: &str| text.chars().take(600).collect::<String>();
        self.leaks.push(format!("{}:\n    {:?}\n    {:?}", cell.join(" × "), short(text), short(shown)));
    }

    #[expect(clippy::print_stdout, reason = "the number of cells is part of the result")]
    fn assert_none(self, least: usize) {
        assert!(self.count >= least, "only {} cells", self.count);
        let leaks = self.leaks.len();
        let some: Vec<_> = self.leaks.iter().step_by((leaks / 20).max(1)).map(String::as_str).collect();
        assert!(leaks == 0, "{leaks} of {} cells leak:\n{}", self.count, some.join("\n"));
        println!("{} cells", self.count);
    }
}

#[test]
fn the_search_finds_every_encoding() {
    for kind in kinds::all() {
        let search = Search::new([&*kind.value]);
        for (name, text) in encodings::all(&kind.text) {
            assert!(search.finds(text.as_bytes()), "{}: {name}: {text}", kind.name);
        }
    }
}

#[test]
fn what_a_name_or_a_pattern_shows_to_be_secret_is_covered_in_every_encoding() {
    let mut cells = Cells::default();
    let redactor = Redactor::default();
    for kind in kinds::all() {
        let search = Search::new([&*kind.value]);
        for (name, text) in encodings::all(&kind.text) {
            let text = format!("Nov 22 05:54:15 host app[1]: before\n{text}\nafter\n");
            let shown = redactor.redact(&text);
            cells.check(&search, [kind.name, &name, "text", "redact"], &text, &shown);
        }
    }
    cells.assert_none(19_000);
}

#[test]
fn a_known_secret_is_covered_in_every_encoding() {
    let mut cells = Cells::default();
    for kind in kinds::all() {
        let search = Search::new([&*kind.value]);
        let redactor = Redactor::new(&[Secret::from(kind.value.clone())]);
        for (name, text) in encodings::all(&format!("it is {} there", kind.value)) {
            let text = format!("before\n{text}\nafter\n");
            let shown = redactor.redact(&text);
            cells.check(&search, [kind.name, &name, "text", "known"], &text, &shown);
        }
    }
    cells.assert_none(19_000);
}
