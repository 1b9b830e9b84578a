//! How long work takes, in floors: one floor is one `STANDARD.encode` of 48 KiB in the same run, allocation included.
//! `cargo bench --bench rendering` prints tables. It fails if a row takes a third more than its limit, or if an element of a
//! large document costs half as much again as one of a small document. With a text after `--`, only rows that contain it
//! are measured.

#![expect(clippy::print_stdout, reason = "a benchmark's result is what it prints")]
#![expect(clippy::cast_precision_loss, reason = "sizes and counts here are small")]

mod rows;

use std::io::Write as _;
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use rows::growth::{GROWTH, Kind};
use rows::{Row, floor, kilobytes, rows};

/// Rounds of every measurement; the best counts, for noise only adds.
const ROUNDS: u32 = 30;

/// How far a row may be above its limit: machines differ, and other work on them makes each row slower.
const TOLERANCE: f64 = 4.0 / 3.0;

/// How much more an element may cost in the largest document than in the smallest one.
const MOST_GROWTH: f64 = 1.5;

fn main() -> ExitCode {
    let floor = best(200, &floor());
    let floors = |time: Duration| time.as_secs_f64() / floor.as_secs_f64();
    let mut failures = Vec::new();
    println!("One floor is {floor:.1?}: `STANDARD.encode` of 48 KiB.\n");
    println!("| work | floors | at most |\n|---|---:|---:|");
    let filter = std::env::args().skip(1).find(|argument| !argument.starts_with("--"));
    for row in rows().into_iter().filter(|row| filter.as_ref().is_none_or(|filter| row.what.contains(filter))) {
        let taken = floors(best(200, &row));
        println!("| {} | {taken:.2} | {:.1} |", row.what, row.limit);
        if taken > row.limit * TOLERANCE {
            failures.push(row.what);
        }
    }

    if filter.is_none() {
        growth(floors, &mut failures);
        batch();
    }
    for failure in &failures {
        eprintln!("error: too slow: {failure}");
    }
    if failures.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Measures documents of growing sizes.
fn growth(floors: impl Fn(Duration) -> f64, failures: &mut Vec<String>) {
    println!("\n| floors for each 10 KB of | 125 KB | 250 KB | 500 KB | 1 MB | 2 MB |\n|---|---:|---:|---:|---:|---:|");
    for kind in GROWTH {
        print!("| {} |", kind.name);
        let costs = [125, 250, 500, 1000, 2000].map(|kilo| {
            let document = kind.document(kilo * 1000);
            let size = kilobytes(&document);
            let row = Row { what: String::new(), limit: 0.0, work: Box::new(move || Kind::read(&document)) };
            let cost = floors(best(1, &row)) * 10.0 / size;
            print!(" {cost:.2} |");
            cost
        });
        println!();
        if costs[4] > costs[0] * MOST_GROWTH {
            failures.push(format!("{} of a large document", kind.name));
        }
    }
}

/// The program itself, on many documents.
fn batch() {
    const COUNT: usize = 100_000;
    let line = include_str!("document.json").replace('\n', " ") + "\n";
    let started = Instant::now();
    let mut child = Command::new(env!("CARGO_BIN_EXE_aks-node-controller"))
        .args(["generate", "--batch", "--config", "-", "--route", "scriptless"])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .expect("cargo built it");
    let mut stdin = child.stdin.take().expect("it was piped");
    let lines = line.repeat(100);
    for _ in 0..COUNT / 100 {
        stdin.write_all(lines.as_bytes()).expect("the program reads");
    }
    drop(stdin);
    assert!(child.wait().expect("it ends").success());
    let rate = COUNT as f64 / started.elapsed().as_secs_f64();
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    println!("\nA batch: {rate:.0} configurations per second, scriptless, validation included, on {cores} cores.");
}

/// The best mean of several rounds.
fn best(repeats: u32, row: &Row) -> Duration {
    let round = || {
        let started = Instant::now();
        (0..repeats).for_each(|_| (row.work)());
        started.elapsed() / repeats
    };
    // Work that takes long is not repeated as often.
    let first = round();
    let rounds = (Duration::from_secs(2).as_nanos() / (first * repeats).as_nanos().max(1)).clamp(2, ROUNDS.into());
    (0..rounds).map(|_| round()).min().expect("there are rounds").min(first)
}
