//! Prerequisites that a machine may lack. A test that cannot run calls one of these functions and returns early.
//!
//! A skipped test is recorded, and `tests/zz_summary` prints one line about all of them at the end of `cargo test`. Where
//! the variable `CI` is set, a missing prerequisite is a failure.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::parent_id;
use std::panic::Location;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

/// What stands in a record for a test that needs root; others name Debian packages, or [`VECTORS`].
pub const ROOT: &str = "root";

/// What stands in a record for a test that needs the conformance vectors.
pub const VECTORS: &str = "vectors";

/// What stands in a record, instead of a test, before the name of vectors that were run.
pub const RUN: &str = "run";

/// Where the tests of one `cargo test` record what they skip, one line `BINARY::TEST NEED...` each, and which vectors they run,
/// one line `run NAME` each: every test binary is a child of the same process.
pub fn records() -> PathBuf {
    all_records().join(parent_id().to_string())
}

/// Where all records are.
pub fn all_records() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("skipped")
}

#[track_caller]
fn skip(why: &str, needs: &str) {
    assert!(std::env::var_os("CI").is_none(), "{why}");
    let thread = std::thread::current();
    let test = match thread.name() {
        Some(name) if name != "main" => name.to_owned(),
        // With one thread the tests run in the main thread.
        _ => Location::caller().to_string(),
    };
    record(&format!("{}::{test} {needs}\n", env!("CARGO_CRATE_NAME")));
    eprintln!("skipped: {why}");
}

fn record(line: &str) {
    let file = records();
    let _ = fs::create_dir_all(file.parent().expect("it is in a directory"));
    if let Ok(mut file) = OpenOptions::new().append(true).create(true).open(file) {
        // In one write: other tests append at the same time.
        let _ = file.write_all(line.as_bytes());
    }
}

/// Whether namespaces can be created, which takes root.
#[track_caller]
pub fn root() -> bool {
    static CAN: OnceLock<bool> = OnceLock::new();
    let can = *CAN.get_or_init(|| works("unshare", &["--mount", "--pid", "--net", "--fork", "true"]));
    if !can {
        skip("this test creates namespaces, which takes root", ROOT);
    }
    can
}

/// Records that a machine of stand-ins cannot be made here, for the reason that was given.
#[track_caller]
pub fn overlays(why: &str) {
    skip(why.trim_end(), ROOT);
}

/// Whether programs are installed, each given with its Debian package.
#[track_caller]
pub fn programs(programs: &[(&str, &str)]) -> bool {
    let missing: Vec<_> = programs.iter().filter(|(program, _)| !is_installed(program)).collect();
    if missing.is_empty() {
        return true;
    }
    let names: Vec<_> = missing.iter().map(|(program, _)| *program).collect();
    let packages: Vec<_> = missing.iter().map(|(_, package)| *package).collect();
    skip(&format!("this test calls programs that are not installed: {}", names.join(", ")), &packages.join(" "));
    false
}

/// Whether a command succeeds that shows that a Debian package is installed.
#[track_caller]
pub fn command(program: &str, arguments: &[&str], package: &str) -> bool {
    let can = works(program, arguments);
    if !can {
        skip(&format!("{program} {arguments:?} fails"), package);
    }
    can
}

/// Where the conformance vectors are.
pub fn all_vectors() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/conformance")
}

/// A file or directory of the conformance vectors, which are not part of this repository. `None` if it does not exist.
#[track_caller]
pub fn vectors(name: &str) -> Option<PathBuf> {
    let path = all_vectors().join(name);
    if path.exists() {
        record(&format!("{RUN} {name}\n"));
        return Some(path);
    }
    let why = format!("{} does not exist", path.display());
    assert!(std::env::var("REQUIRE_CONFORMANCE").map_or(true, |required| required == "0"), "{why}");
    skip(&why, VECTORS);
    None
}

/// Whether a program is an absolute path of an executable, or is in `PATH` or in a directory of system programs, which the
/// `PATH` of an ordinary user lacks.
pub fn is_installed(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let directories = std::env::split_paths(&path).chain(["/usr/sbin".into(), "/sbin".into()]);
    directories
        .map(|directory| directory.join(program))
        .any(|file| fs::metadata(file).is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0))
}

fn works(program: &str, arguments: &[&str]) -> bool {
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|ended| ended.success())
}
