//! Joins and compresses the files under `parts/` for `CustomData`. `parts/README.md` describes how files are joined.
//!
//! Sets `cfg(node)` where the feature `node` is on and the target is Linux, so that the default features compile everywhere.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

fn main() -> io::Result<()> {
    let target = PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo sets it"));
    println!("cargo::rerun-if-changed=parts");
    println!("cargo::rustc-check-cfg=cfg(node)");
    let is_linux = std::env::var_os("CARGO_CFG_TARGET_OS").is_some_and(|system| system == "linux");
    if is_linux && std::env::var_os("CARGO_FEATURE_NODE").is_some() {
        println!("cargo::rustc-cfg=node");
    }
    compress_all(Path::new("parts"), &target.join("parts"))
}

fn compress_all(directory: &Path, target: &Path) -> io::Result<()> {
    fs::create_dir_all(target)?;
    for entry in fs::read_dir(directory)? {
        let path = entry?.path();
        let name = path.file_name().expect("an entry has a name").to_string_lossy().into_owned();
        if path.is_dir() {
            compress_all(&path, &target.join(name))?;
            continue;
        }
        let text = if path.extension().is_some_and(|extension| extension == "sh" || extension == "py") {
            without_comments(&joined(&path)?)
        } else {
            fs::read_to_string(&path)?
        };
        compress(&text, &target.join(format!("{name}.gz")))?;
    }
    Ok(())
}

fn compress(text: &str, target: &Path) -> io::Result<()> {
    let mut packed = Vec::new();
    // A script of some kilobytes is one block. Looking for better places to split it takes three quarters of the time and saves 0.3 %.
    let options = zopfli::Options { maximum_block_splits: 1, ..zopfli::Options::default() };
    zopfli::compress(options, zopfli::Format::Gzip, text.as_bytes(), &mut packed)?;
    fs::write(target, packed)
}

/// A script with each line `#include NAME` replaced by the file `parts/NAME`, whose own such lines are replaced too.
fn joined(path: &Path) -> io::Result<String> {
    let text = fs::read_to_string(path)
        .map_err(|error| io::Error::new(error.kind(), format!("cannot read {}: {error}", path.display())))?;
    let mut joined = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        match line.strip_prefix("#include ") {
            Some(name) => joined += &self::joined(&Path::new("parts").join(name.trim_end()))?,
            None => joined += line,
        }
    }
    Ok(joined)
}

/// Returns a script as it is shipped, without lines that are only a comment, because `CustomData` is limited.
fn without_comments(script: &str) -> String {
    let is_comment = |line: &&str| {
        let text = line.trim_start();
        text.starts_with("# ") || text.starts_with("##") || text == "#\n"
    };
    script.split_inclusive('\n').filter(|line| !is_comment(line)).collect()
}
