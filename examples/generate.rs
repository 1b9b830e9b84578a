//! Writes the files that are generated: `src/configuration/contract.rs` and its comments from `proto/`, and the documentation pages
//! and script constants from the tables of the library.
//!
//! Call it through `make generate`, which runs it twice: the pages come from a library that was compiled with the new
//! `contract.rs`. `cargo test` fails if a generated file is not current.
//!
//! `make kubelet-facts` calls it with what the kubelets themselves know, for tables in `src/catalogue`.
//!
//! To add a generated file: a row in `PAGES` of `tests/docs/mod.rs`, and a line in `.gitattributes`.

#[path = "../tests/contract/generate.rs"]
mod contract;
#[path = "../tests/docs/mod.rs"]
#[allow(unused, reason = "the tests in these files use the rest")]
mod docs;
#[path = "../tests/kubelet-facts/tables.rs"]
mod kubelet;

use std::path::Path;
use std::process::ExitCode;
use std::{env, fs, io};

fn main() -> ExitCode {
    let arguments: Vec<_> = env::args().skip(1).collect();
    let written = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["contract"] => write(contract::FILE, &contract::contract()),
        ["pages"] => docs::PAGES.iter().try_for_each(|(name, page)| write(name, &page())),
        ["kubelet", directory] => kubelet::files(Path::new(directory))
            .and_then(|files| files.iter().try_for_each(|(name, text)| write(name, text))),
        _ => {
            eprintln!("usage: cargo run --example generate contract|pages|kubelet DIRECTORY");
            return ExitCode::from(2);
        }
    };
    match written {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Writes a file of the project, unless it has this text already.
fn write(name: &str, text: &str) -> io::Result<()> {
    let path = format!("{}/{name}", env!("CARGO_MANIFEST_DIR"));
    if fs::read_to_string(&path).is_ok_and(|kept| kept == text) {
        return Ok(());
    }
    fs::write(&path, text).map_err(|error| io::Error::new(error.kind(), format!("cannot write {path}: {error}")))?;
    eprintln!("wrote {name}");
    Ok(())
}
