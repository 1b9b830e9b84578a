//! Compresses what the program carries: the files under `parts/`, which `CustomData` takes as they are then, and the examples.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use flate2::{Compression, GzBuilder};

fn main() -> io::Result<()> {
    let target = PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo sets it"));
    for (folder, name) in [("parts", "parts"), ("testdata/examples", "examples")] {
        println!("cargo:rerun-if-changed={folder}");
        compress(Path::new(folder), &target.join(name))?;
    }
    Ok(())
}

fn compress(folder: &Path, target: &Path) -> io::Result<()> {
    fs::create_dir_all(target)?;
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().expect("an entry has a name").to_string_lossy().into_owned();
        if path.is_dir() {
            compress(&path, &target.join(name))?;
            continue;
        }
        let text = fs::read_to_string(&path)?;
        let shipped =
            if path.extension().is_some_and(|extension| extension == "sh") { without_comments(&text) } else { text };
        // The same bytes every time: no name, no time.
        let mut encoder = GzBuilder::new().mtime(0).write(Vec::new(), Compression::best());
        encoder.write_all(shipped.as_bytes())?;
        fs::write(target.join(format!("{name}.gz")), encoder.finish()?)?;
    }
    Ok(())
}

/// A script as it is shipped: lines that are only a comment stay here, for `CustomData` is small.
fn without_comments(script: &str) -> String {
    let is_comment = |line: &&str| {
        let text = line.trim_start();
        text.starts_with("# ") || text.starts_with("##")
    };
    script.split_inclusive('\n').filter(|line| !is_comment(line)).collect()
}
