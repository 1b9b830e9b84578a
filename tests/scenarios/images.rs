//! What `bake` writes to an image of each family, and with it every file under `parts/` as it is shipped.
//!
//! `testdata/images/OS.snap` lists the files of an image, each with its mode and where its content is: `parts/…` if a file is shipped
//! unchanged, else `testdata/images/…`. There each script that the build has joined from several parts, and whose comments it
//! has dropped, is kept in full: once below `all` if every family gets the same bytes.
//!
//! Comments of scripts and templates are in no artefact. `testdata/sources.snap.sha256` has the hash of each source, so
//! that a change of a comment is seen as one that changes nothing else.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::LazyLock;

use sha2::{Digest, Sha256};

use super::snapshots::{Snapshots, files};
use super::{ROOT, program};
use crate::support::Scratch;

/// One of each family.
const SYSTEMS: [&str; 5] = ["ubuntu", "azurelinux", "osguard", "flatcar", "acl"];

/// The images of all families.
struct Images {
    /// The list of files of each system.
    lists: BTreeMap<&'static str, String>,
    /// Scripts that are kept in full, by their path below `testdata/images`.
    scripts: BTreeMap<String, String>,
    /// Where each content is.
    places: BTreeMap<String, String>,
}

static IMAGES: LazyLock<Images> = LazyLock::new(|| {
    let trees = SYSTEMS.map(|os| (os, bake(os)));
    let mut contents: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for file in trees.iter().flat_map(|(_, tree)| tree) {
        if let Content::Text(text) = &file.content {
            contents.entry(&file.path).or_default().insert(text);
        }
    }
    let (mut lists, mut scripts) = (BTreeMap::new(), BTreeMap::new());
    let mut places: BTreeMap<String, String> = parts().map(|(name, text)| (text, name)).collect();
    for (os, tree) in &trees {
        let mut list = String::new();
        for file in tree {
            let content = match &file.content {
                Content::Program => "this program".to_owned(),
                Content::Link(target) => format!("link to {target}"),
                Content::Text(text) => {
                    let directory = if contents[&*file.path].len() == 1 { "all" } else { os };
                    let place = places.entry(text.clone()).or_insert_with(|| {
                        let (path, name) = file.path.rsplit_once('/').expect("an absolute path");
                        // Beside a shell script of the same name.
                        let name = name.replace(".py", "-py.py");
                        let (stem, extension) = name.split_once('.').expect("a script has an extension");
                        scripts.insert(format!("{directory}{path}/{name}"), text.clone());
                        format!("testdata/images/{directory}{path}/{stem}.snap.{extension}")
                    });
                    place.clone()
                }
            };
            writeln!(list, "{} {}: {content}", file.mode, file.path).expect("text takes text");
        }
        lists.insert(*os, list);
    }
    Images { lists, scripts, places }
});

/// Returns where in the repository a file of a node is kept in full: a part, or a script of an image.
pub fn place(content: &str) -> Option<&'static str> {
    IMAGES.places.get(content).map(String::as_str)
}

/// A file of an image.
struct File {
    path: String,
    mode: String,
    content: Content,
}

enum Content {
    Program,
    Link(String),
    Text(String),
}

/// Returns the files of an image, sorted.
fn bake(os: &str) -> Vec<File> {
    const PROGRAM: &str = "opt/azure/containers/aks-node-controller";
    let scratch = Scratch::new("image");
    // Where this works, the program finds itself and does not write its 100 MB.
    let copy = scratch.join(PROGRAM);
    fs::create_dir_all(copy.parent().expect("it is in a directory")).expect("scratch is writable");
    let _ = fs::hard_link(env!("CARGO_BIN_EXE_aks-node-controller"), &copy);
    let (written, errors) = program(&["bake", "--os", os, "--root", scratch.to_str().expect("a path of ours is text")]);
    assert!(!written.is_empty(), "{errors}");
    let file = |path: &Path| {
        let below = path.strip_prefix(&*scratch).expect("it is below").to_str().expect("our names are text");
        let metadata = fs::symlink_metadata(path).expect("it is there");
        let content = if metadata.is_symlink() {
            Content::Link(fs::read_link(path).expect("a link").to_str().expect("our names are text").to_owned())
        } else if below == PROGRAM {
            Content::Program
        } else {
            Content::Text(fs::read_to_string(path).expect("a file of a node is text"))
        };
        File { path: format!("/{below}"), mode: format!("{:04o}", metadata.permissions().mode() & 0o7777), content }
    };
    files(&scratch).iter().map(|path| file(path)).collect()
}

/// Every file under a directory of the repository, by its path in the repository.
fn sources(directory: &str) -> impl Iterator<Item = (String, String)> {
    let files = files(&Path::new(ROOT).join(directory)).into_iter();
    files.map(|file| {
        let name = file.strip_prefix(ROOT).expect("it is below").to_str().expect("our names are text").to_owned();
        (name, fs::read_to_string(file).expect("a source is text"))
    })
}

fn parts() -> impl Iterator<Item = (String, String)> {
    sources("parts")
}

#[test]
fn images_get_the_files_that_are_kept() {
    let mut snapshots = Snapshots::below("images");
    for (os, list) in &IMAGES.lists {
        snapshots.text(os, list);
    }
    for (path, script) in &IMAGES.scripts {
        snapshots.file(path, script.as_str());
    }
    snapshots.has_no_others();
}

#[test]
fn every_template_and_part_has_the_hash_that_is_kept() {
    let mut list = String::new();
    for (name, text) in sources("parts").chain(sources("templates")) {
        // As `sha256sum --check` reads it.
        for byte in Sha256::digest(text) {
            write!(list, "{byte:02x}").expect("text takes text");
        }
        writeln!(list, "  {name}").expect("text takes text");
    }
    Snapshots::below("").file("sources.sha256", list);
}
