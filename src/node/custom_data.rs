//! Node custom data: files that take the place of the image's own, in a cloud-config document of which only
//! `write_files` counts. Nothing here is done by `provision` itself.

use std::io::{self, ErrorKind, Read};
use std::path::{Component, Path, PathBuf};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::read::MultiGzDecoder;

use super::{Machine, files};
use crate::catalogue::paths;
use crate::document::{Finding, LARGEST_DOCUMENT, Object, Problem, Report, Tree, read_document};

/// Mode of a file that says nothing about it.
const MODE: u32 = 0o644;

/// More than this does not come out of a document that fits on a node's way.
const LARGEST_FILE: u64 = 32 << 20;

/// A file to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileToWrite {
    /// Absolute, without `..`.
    pub path: PathBuf,
    /// Its mode.
    pub mode: u32,
    /// What is to be in it.
    pub content: Vec<u8>,
}

/// Why files were not written.
#[derive(Debug, thiserror::Error)]
pub enum NotApplied {
    /// The document cannot be read.
    #[error("cannot read {path}: {error}", path = path.display())]
    Unreadable {
        /// Where it is.
        path: PathBuf,
        /// Why not.
        error: io::Error,
    },
    /// The document is wrong. Nothing was written.
    #[error("the document is wrong")]
    Wrong(Report),
    /// A file could not be written; those before it are.
    #[error("cannot write {path}: {error}", path = path.display())]
    NotWritten {
        /// The file.
        path: PathBuf,
        /// Why not.
        error: io::Error,
    },
}

/// Reads the document. All entries are judged before any is used.
///
/// # Errors
/// The document breaks its syntax, or an entry is wrong; the report holds every finding.
pub fn read(bytes: &[u8]) -> Result<(Vec<FileToWrite>, Report), Report> {
    read_document(bytes, "node custom data", |document| {
        let entries = document.objects("write_files", "write_files");
        entries.iter().filter_map(entry).collect()
    })
}

fn entry(entry: &Object<'_>) -> Option<FileToWrite> {
    let wrong = |name: &'static str, rule: String| {
        entry.complain(Finding::error(entry.at(name), Problem::Rule(rule.into())));
    };
    let path = entry.text("path").map(PathBuf::from);
    match &path {
        None if entry.member("path").is_none() => entry.complain(Finding::error(entry.at("path"), Problem::Missing)),
        Some(path) if !is_plain(path) => {
            wrong("path", format!("must be absolute and without `..`, found {}", path.display()));
        }
        _ => {}
    }
    if let Some(owner) = entry.text("owner").filter(|owner| !["", "root", "root:root"].contains(owner)) {
        wrong("owner", format!("must be `root`, found {owner:?}"));
    }
    let mode = match entry.member("permissions") {
        Some(Tree::Integer(_)) => {
            let finding = Problem::Rule("must be octal digits as text".into());
            entry.complain(Finding::error(entry.at("permissions"), finding).hint("put them in quotes: \"0644\""));
            None
        }
        _ => match entry.text("permissions") {
            None | Some("") => Some(MODE),
            Some(text) => {
                let octal = text.bytes().all(|byte| (b'0'..=b'7').contains(&byte));
                let mode = u32::from_str_radix(text, 8).ok().filter(|mode| octal && *mode <= 0o7777);
                if mode.is_none() {
                    wrong("permissions", format!("must be octal digits up to `7777`, found {text:?}"));
                }
                mode
            }
        },
    };
    let content = match entry.member("content") {
        None => Some(Vec::new()),
        Some(Tree::Text(text)) => Some(text.as_bytes().to_vec()),
        Some(Tree::Bytes(bytes)) => Some(bytes.clone()),
        Some(_) => {
            wrong("content", "must be text or binary data".to_owned());
            None
        }
    };
    let content = match (entry.text("encoding").unwrap_or_default(), content) {
        ("", content) => content,
        ("base64", Some(content)) => {
            let packed: Vec<u8> = content.into_iter().filter(|byte| !byte.is_ascii_whitespace()).collect();
            STANDARD.decode(packed).map_err(|error| wrong("content", format!("is not base64: {error}"))).ok()
        }
        ("gzip", Some(content)) => {
            let mut plain = Vec::new();
            let read = MultiGzDecoder::new(&*content).take(LARGEST_FILE + 1).read_to_end(&mut plain);
            match read {
                Ok(_) if plain.len() as u64 <= LARGEST_FILE => Some(plain),
                Ok(_) => {
                    wrong("content", format!("unpacks to more than {LARGEST_FILE} bytes"));
                    None
                }
                Err(error) => {
                    let finding = Problem::Rule(format!("is not gzip: {error}").into());
                    entry.complain(
                        Finding::error(entry.at("content"), finding).hint("compressed content is tagged `!!binary`"),
                    );
                    None
                }
            }
        }
        ("base64" | "gzip", None) => None,
        (other, _) => {
            wrong("encoding", format!("must be `gzip`, `base64` or empty, found {other:?}"));
            None
        }
    };
    Some(FileToWrite { path: path?, mode: mode?, content: content? })
}

fn is_plain(path: &Path) -> bool {
    let components = path.components().all(|part| matches!(part, Component::RootDir | Component::Normal(_)));
    path.is_absolute() && components && path.file_name().is_some() && !path.as_os_str().as_encoded_bytes().contains(&0)
}

/// Writes files, each in one piece, with its own mode and belonging to root.
///
/// # Errors
/// The first file that cannot be written, or that a link leads out of the machine's folder. Those before it are written.
pub fn apply(machine: &Machine, wanted: &[FileToWrite]) -> Result<(), NotApplied> {
    for file in wanted {
        let path = machine.path(&file.path.to_string_lossy());
        let written = machine
            .root()
            .map_or(Ok(()), |root| files::stays_below(root, &path))
            .and_then(|()| files::replace(&path, &file.content, file.mode))
            .and_then(|()| if machine.root().is_none() { files::give_to_root(&path, file.mode) } else { Ok(()) });
        written.map_err(|error| NotApplied::NotWritten { path, error })?;
    }
    Ok(())
}

/// Applies the machine's own document, and says what was written and what was doubtful. No document, nothing to do.
///
/// # Errors
/// The document cannot be read or is wrong, or a file cannot be written.
pub fn apply_own(machine: &Machine) -> Result<(Vec<PathBuf>, Report), NotApplied> {
    let path = machine.path(paths::NODE_CUSTOM_DATA);
    let bytes = match files::read_regular(&path, LARGEST_DOCUMENT as u64) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok((Vec::new(), Report::default())),
        Err(error) => return Err(NotApplied::Unreadable { path, error }),
    };
    let (wanted, report) = read(&bytes).map_err(NotApplied::Wrong)?;
    apply(machine, &wanted)?;
    Ok((wanted.into_iter().map(|file| file.path).collect(), report))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::Write;
    use std::os::unix::fs::{PermissionsExt, symlink};

    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::*;

    fn gzip(text: &str) -> String {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(text.as_bytes()).expect("to memory");
        STANDARD.encode(encoder.finish().expect("to memory"))
    }

    fn machine(name: &str) -> Machine {
        let root = std::env::temp_dir().join(format!("custom-data-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&root);
        fs::create_dir_all(&root).expect("made");
        Machine::new(Some(root))
    }

    fn with(machine: &Machine, document: &str) {
        let path = machine.path(paths::NODE_CUSTOM_DATA);
        files::replace(&path, document.as_bytes(), 0o600).expect("written");
    }

    #[test]
    fn t_17_10_req_ncd_1_plain_and_packed_entries_with_their_own_modes() {
        let machine = machine("good");
        assert!(apply_own(&machine).expect("no document is no error").0.is_empty());
        let (packed, tight) = (gzip("packed\n"), STANDARD.encode("tight"));
        with(
            &machine,
            &format!(
                "#cloud-config\nwrite_files:\n- path: /opt/plain.sh\n  owner: root\n  permissions: \"0744\"\n  content: |\n    plain\n\
                 - path: /opt/a/packed\n  encoding: gzip\n  content: !!binary |\n    {packed}\n\
                 - path: /opt/tight\n  encoding: base64\n  content: {tight}\n- path: /opt/empty\n  permissions: \"4755\"\n"
            ),
        );
        // A file that is there already gets the mode that was asked for, too.
        files::replace(&machine.path("/opt/plain.sh"), b"old", 0o600).expect("written");
        let (written, report) = apply_own(&machine).expect("applied");
        assert_eq!((written.len(), report.findings.len()), (4, 0));
        for (path, content, mode) in [
            ("/opt/plain.sh", "plain\n", 0o744),
            ("/opt/a/packed", "packed\n", 0o644),
            ("/opt/tight", "tight", 0o644),
            ("/opt/empty", "", 0o4755),
        ] {
            let path = machine.path(path);
            assert_eq!(fs::read_to_string(&path).expect("there"), content);
            assert_eq!(fs::metadata(&path).expect("there").permissions().mode() & 0o7777, mode, "{}", path.display());
        }
        fs::remove_dir_all(machine.path("/")).expect("removed");
    }

    #[test]
    fn req_ncd_1_all_that_is_wrong_is_told_and_nothing_is_written() {
        let machine = machine("wrong");
        let document = "write_files:\n- path: /opt/good\n- path: relative\n- path: /opt/../etc/passwd\n- content: x\n\
            - path: /a\n  owner: nobody\n- path: /b\n  permissions: 0644\n- path: /c\n  permissions: \"0888\"\n\
            - path: /d\n  encoding: gz\n- path: /e\n  encoding: gzip\n  content: plain\n- path: /f\n  encoding: base64\n  content: \"*\"\n\
            - path: /g\n  content: [1]\n  mood: good\n";
        with(&machine, document);
        let Err(NotApplied::Wrong(report)) = apply_own(&machine) else { panic!("it was taken") };
        let told: Vec<_> = report
            .findings
            .iter()
            .map(|finding| format!("{} {finding}", finding.position.map_or_else(String::new, |at| at.to_string())))
            .collect();
        for expected in [
            "3:3 write_files[1].path: must be absolute",
            "4:3 write_files[2].path: must be absolute",
            "5:3 write_files[3].path: is required",
            "7:3 write_files[4].owner: must be `root`",
            "9:3 write_files[5].permissions: must be octal digits as text",
            "11:3 write_files[6].permissions: must be octal digits up to",
            "13:3 write_files[7].encoding: must be",
            "16:3 write_files[8].content: is not gzip",
            "19:3 write_files[9].content: is not base64",
            "21:3 write_files[10].content: must be text or binary",
            "22:3 write_files[10].mood: is not a field",
        ] {
            let (at, what) = expected.split_once(' ').expect("a place");
            let line = at.split(':').next().expect("a line");
            assert!(
                told.iter().any(|told| told.starts_with(&format!("{line}:")) && told.contains(what)),
                "{expected}\n{told:#?}"
            );
        }
        assert!(!machine.path("/opt/good").exists());
        fs::remove_dir_all(machine.path("/")).expect("removed");
    }

    #[test]
    fn req_ncd_1_a_link_does_not_lead_out() {
        let machine = machine("link");
        symlink("/tmp", machine.path("/out")).expect("linked");
        with(&machine, "write_files: [{path: /out/of-here}]");
        let Err(NotApplied::NotWritten { path, .. }) = apply_own(&machine) else { panic!("it was written") };
        assert!(path.ends_with("out/of-here") && !Path::new("/tmp/of-here").exists());
        fs::remove_dir_all(machine.path("/")).expect("removed");
    }

    #[test]
    fn what_unpacks_to_too_much_is_refused() {
        let bomb = gzip(&"\0".repeat(33 << 20));
        let document = format!("write_files: [{{path: /a, encoding: gzip, content: !!binary \"{bomb}\"}}]");
        let report = read(document.as_bytes()).expect_err("refused");
        assert!(report.to_string().contains("unpacks to more than"), "{report}");
    }
}
