//! Compiles the templates, for `build.rs`. The engine renders each once, with marks in place of values and around optional blocks;
//! what is between the marks becomes the pieces of a `Template`.

use std::fmt::Write;
use std::fs;
use std::io;
use std::path::Path;

use tera::{Context, Tera};

/// Private characters, which no template contains. The first mark of a value; the number of the name is added.
const VALUE: u32 = 0xf_0000;
/// The first mark of the beginning of a block; twice the number of its name is added, and 1 if it is written unless the name is.
const BLOCK: u32 = 0xf_1000;
/// The end of a block.
const END: char = '\u{f_2000}';

/// Writes each template of a folder as a Rust expression into another folder.
pub fn templates(folder: &Path, target: &Path) -> io::Result<()> {
    fs::create_dir_all(target)?;
    let mut names = Vec::new();
    let mut sources = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let file = path.file_name().expect("an entry has a name").to_string_lossy().into_owned();
        sources.push((file, with_marks(&fs::read_to_string(&path)?, &mut names)));
    }
    let mut engine = Tera::new();
    engine
        .add_raw_templates(sources.iter().map(|(file, source)| (file.as_str(), source.as_str())))
        .map_err(io::Error::other)?;
    let mut context = Context::new();
    for (file, _) in &sources {
        for name in engine.get_template_variables(file).map_err(io::Error::other)? {
            number(name, &mut names);
        }
    }
    for (name, mark) in names.iter().zip(VALUE..) {
        context.insert(name.clone(), &char::from_u32(mark).expect("it is a character"));
    }
    for (file, _) in &sources {
        let text = engine.render(file, &context).map_err(io::Error::other)?;
        fs::write(target.join(format!("{file}.rs")), expression(&text, &names, file.ends_with(".sh.tera")))?;
    }
    Ok(())
}

/// Returns the number of a name.
fn number(name: &str, names: &mut Vec<String>) -> u32 {
    let at = names.iter().position(|known| known == name).unwrap_or_else(|| {
        names.push(name.to_owned());
        names.len() - 1
    });
    u32::try_from(at).expect("there are few names")
}

/// Returns a template with marks around its blocks in place of `if`, `else` and `endif`.
fn with_marks(source: &str, names: &mut Vec<String>) -> String {
    let begin = |name: u32, is_else: bool| char::from_u32(BLOCK + name * 2 + u32::from(is_else)).expect("a character");
    let (mut out, mut rest, mut open) = (String::new(), source, Vec::new());
    while let Some(start) = rest.find("{%") {
        let end = start + rest[start..].find("%}").expect("a tag has an end") + "%}".len();
        let (before, tag) = (&rest[..start], &rest[start..end]);
        let words = tag.trim_matches(['{', '%', '-', '}', ' ']).split(' ').collect::<Vec<_>>();
        let marks = match words[..] {
            ["if", name] => {
                open.push(number(name, names));
                vec![begin(open[open.len() - 1], false)]
            }
            ["else"] => vec![END, begin(*open.last().expect("`else` follows `if`"), true)],
            ["endif"] => {
                open.pop().expect("`endif` follows `if`");
                vec![END]
            }
            _ => {
                out.push_str(&rest[..end]);
                rest = &rest[end..];
                continue;
            }
        };
        out.push_str(if tag.starts_with("{%-") { before.trim_end() } else { before });
        out.extend(marks);
        rest = if tag.ends_with("-%}") { rest[end..].trim_start() } else { &rest[end..] };
    }
    assert!(open.is_empty(), "`if` without `endif`");
    out + rest
}

/// Returns a text with marks as a Rust expression.
fn expression(text: &str, all: &[String], is_shell: bool) -> String {
    // The names of this template, in the order in which they are needed.
    let mut names = Vec::new();
    let mut local = |name: u32| number(&all[name as usize], &mut names);
    let (mut pieces, mut open, mut start, mut length) = (Vec::new(), Vec::new(), 0, 0);
    for (at, mark) in text.char_indices().filter(|(_, letter)| u32::from(*letter) >= VALUE) {
        if at > start {
            pieces.push(format!("Piece::Text({:?})", &text[start..at]));
            length += at - start;
        }
        start = at + mark.len_utf8();
        match u32::from(mark) {
            _ if mark == END => {
                let (begin, name, is_else): (usize, u32, bool) = open.pop().expect("a block begins before it ends");
                let count = pieces.len() - begin - 1;
                pieces[begin] = format!("Piece::Block {{ name: {name}, is_else: {is_else}, pieces: {count} }}");
            }
            block @ BLOCK.. => {
                open.push((pieces.len(), local((block - BLOCK) / 2), block % 2 == 1));
                pieces.push(String::new());
            }
            value => pieces.push(format!("Piece::Value({})", local(value - VALUE))),
        }
    }
    if start < text.len() {
        pieces.push(format!("Piece::Text({:?})", &text[start..]));
        length += text.len() - start;
    }
    let mut out = String::new();
    writeln!(out, "Template {{ names: &{names:?}, is_shell: {is_shell}, length: {length}, pieces: &[")
        .expect("text takes text");
    for piece in pieces {
        writeln!(out, "    {piece},").expect("text takes text");
    }
    out + "] }\n"
}
