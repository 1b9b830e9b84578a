//! Pictures of the program on a terminal, for the README: docs/pictures, as `make pictures` writes them.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use super::run;
use super::terminal::{has_terminal, on_terminal_in};
use crate::support::Scratch;

const TESTDATA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/testdata");

/// The pictures: name, command, and the lines of its output that are shown.
const PICTURES: &[(&str, &str, usize)] = &[
    ("validate", "validate node.yaml", 60),
    ("inspect", "inspect vmss.json", 48),
    ("diagnose", "diagnose --root logs", 80),
];

/// Columns of the terminals.
const WIDTHS: [u32; 2] = [80, 140];

/// Colours instead of those that `anstyle-svg` knows: one set for each background, with enough contrast on it.
const COLOURS: &str = "
    .fg { fill: #1f2328 }
    .bg { fill: #ffffff; stroke: #d1d9e0 }
    .fg-red { fill: #cf222e }
    .fg-green { fill: #116329 }
    .fg-yellow { fill: #845306 }
    .fg-cyan { fill: #0a6b75 }
    .dimmed { opacity: 0.65 }
    @media (prefers-color-scheme: dark) {
      .fg { fill: #e6edf3 }
      .bg { fill: #0d1117; stroke: #30363d }
      .fg-red { fill: #ff7b72 }
      .fg-green { fill: #56d364 }
      .fg-yellow { fill: #e3b341 }
      .fg-cyan { fill: #56d4dd }
    }
";

/// Pixels of a column in the font of the picture.
const COLUMN: f64 = 8.4;

/// Returns the rows that a line takes on a terminal.
fn rows(line: &str, columns: usize) -> Vec<String> {
    let mut rows = vec![String::new()];
    let (mut taken, mut is_sequence) = (0, false);
    for character in line.chars() {
        is_sequence |= character == '\x1b';
        if !is_sequence {
            taken += 1;
        }
        if taken > columns {
            rows.push(String::new());
            taken = 1;
        }
        rows.last_mut().expect("there is one").push(character);
        is_sequence &= character != 'm';
    }
    rows
}

/// Returns a picture of a terminal on which a command was run.
fn picture(directory: &Path, columns: u32, command: &str, lines: usize) -> String {
    let printed = on_terminal_in(directory, columns, command);
    let columns_of_line = usize::try_from(columns).expect("small");
    let printed: Vec<_> = printed.trim_end().lines().flat_map(|line| rows(line, columns_of_line)).collect();
    let mut screen = format!(
        "\x1b[2m$\x1b[0m \x1b[1maks-node-controller {command}\x1b[0m\n{}\n",
        printed[..printed.len().min(lines)].join("\n")
    );
    if printed.len() > lines {
        screen += "\x1b[2m…\x1b[0m\n";
    }
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a few hundred pixels")]
    let width = (f64::from(columns) * COLUMN).ceil() as usize;
    let svg = anstyle_svg::Term::new().min_width_px(width).render_svg(&screen);
    svg.replacen("  </style>", &format!("{COLOURS}  </style>"), 1)
}

#[test]
fn pictures_are_current() {
    if !has_terminal() {
        return;
    }
    let directory = Scratch::new("pictures");
    fs::copy(format!("{TESTDATA}/pictures/node.yaml"), directory.join("node.yaml")).expect("scratch is writable");
    symlink(format!("{TESTDATA}/diagnose/failed"), directory.join("logs")).expect("scratch is writable");
    let model = run(&["generate", "--example", "http-proxy-own-ca", "--route", "scripted", "--format", "arm"]);
    fs::write(directory.join("vmss.json"), model.stdout).expect("scratch is writable");
    for (name, command, lines) in PICTURES {
        for columns in WIDTHS {
            let file = format!("{}/docs/pictures/{name}-{columns}.svg", env!("CARGO_MANIFEST_DIR"));
            let file = Path::new(&file);
            let picture = picture(&directory, columns, command, *lines);
            if std::env::var_os("INSTA_UPDATE").is_some_and(|value| value == "always") {
                fs::write(file, picture).expect("docs is writable");
            } else {
                let kept = fs::read_to_string(file).unwrap_or_default();
                assert!(kept == picture, "{} is not current: run `make pictures`", file.display());
            }
        }
    }
}
