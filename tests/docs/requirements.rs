//! `docs/node-requirements.md`: what is asked of the work on a node, and the tests that hold it.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::path::Path;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// A requirement and what holds here. Those that are left out say so, and have no test.
const REQUIREMENTS: &[(&str, &str)] = &[
    ("REQ-LOG-1", "`version`, `--version` and `--help` touch no file"),
    ("REQ-LOG-2", "Without a log file the work goes on; stderr says so once"),
    ("REQ-LOG-3", "No secret in the log; of each stream 64 KiB while the child runs, 8 KiB at its end"),
    ("REQ-PROV-1", "Document first, marker second, both in one piece and lasting"),
    ("REQ-PROV-2", "No marker if no document could be kept anywhere"),
    ("REQ-PROV-3", "After a child that ended well, document and marker are there in any case"),
    ("REQ-WAIT-1", "One JSON document on stdout: the recorded one as it stands, else one with code 240"),
    ("REQ-WAIT-2", "A look every second; notifications only make it faster"),
    ("REQ-WAIT-3", "A document beside a marker has 5 s to become whole"),
    ("REQ-WAIT-4", "`--timeout`; without it one minute after the timeout that the provisioner gave its scripts"),
    ("REQ-WAIT-5", "A provisioner that is gone is noticed within a second; one second later the wait ends"),
    ("REQ-WAIT-6", "The document's own code where it is 1 to 255, else 1; `--legacy-exit-code` gives 1"),
    ("REQ-DOC-1", "One writer: temporary file of mode 0600, sync, rename, sync of the folder"),
    ("REQ-DOC-2", "The whole line stays below 4 KiB, whatever the child prints"),
    ("REQ-DOC-3", "Names and types as consumers know them; `InstanceId` and `BootId` come last"),
    ("REQ-EVT-1", "Names are nanoseconds, and no name is taken twice"),
    ("REQ-EVT-2", "Messages end at 3000 bytes, with their timing"),
    ("REQ-EVT-3", "A file gets its `.json` name when it is whole"),
    ("REQ-LAU-1", "The host name is waited for, 60 s at most"),
    ("REQ-LAU-2", "TERM and INT go to the controller, and its end is waited for"),
    ("REQ-LAU-3", "Left out: hotfix binaries"),
    ("REQ-LAU-4", "Feature names are taken from a list"),
    ("REQ-LAU-5", "A controller that cannot run, or was killed, has a result all the same"),
    ("REQ-UNIT-1", "The unit's ordering, conditions of mounting, kill mode and times"),
    ("REQ-UNIT-2", "Without an input the unit is skipped, not active; a late document starts it"),
    ("REQ-UNIT-3", "With a marker the unit is skipped"),
    ("REQ-UNIT-4", "The boothook's bytes are the reference's, so its fork stays; beside the unit one of both runs"),
    ("R-01", "A marker never stands beside a document that is not whole"),
    ("R-02", "After a reboot document and marker stay as they are, and the recorded code is returned"),
    ("R-03", "A document without a marker is renamed to `provision.json.previous`"),
    ("R-04", "A result of another machine (by the firmware's id) does not count; `bake` removes one from an image"),
    ("R-05", "Folders that are removed and made anew, notifications that cannot be had"),
    ("R-06", "The folder is watched before the marker is looked for"),
    ("R-07", "The file itself is looked at, not names of events"),
    ("R-08", "Folders that are missing are made"),
    ("R-09", "The lock tells that a provisioner is gone; whoever waits is told within four seconds"),
    (
        "R-10",
        "TERM, INT, HUP: the child's group is ended, 20 s grace, result 143, 130, 129; no marker while shutting down",
    ),
    ("R-11", "What the disk does not take goes below `/run`, where waiters look too"),
    ("R-12", "Room for the result is taken at the beginning; what refused is named in `Error`"),
    ("R-13", "Without root: a message, exit code 1, no file in the current folder"),
    ("R-14", "Three refusals in a row to say whether the marker is there end the wait"),
    ("R-15", "128 and the signal's number, its name in `Error`"),
    ("R-16", "A panic is a failure: document 240, marker, event, exit code 1"),
    ("R-17", "64 KiB of each stream are kept, whatever the child prints"),
    ("R-18", "Values of secrets, decoded values and their lines are replaced in output, log, document and events"),
    ("R-19", "A child that ends well and leaves no document gets one"),
    ("R-20", "With `PRE_PROVISION_ONLY` the marker is `base_prep.complete`, which this attempt's waiter accepts"),
    (
        "R-21",
        "One attempt at a time; the second waits and returns the first one's code; what a killed one left is ended",
    ),
    ("R-22", "Output is read for 5 s after the child has ended"),
    ("R-23", "A configuration that breaks off is read again for 2 s"),
    ("R-24", "Half a document, left by a boothook that broke off, ends in a result"),
    ("R-25", "Durations come from a clock that is never set"),
    ("R-26", "Output goes through a JSON encoder, never through a shell"),
    ("R-27", "An event that cannot be written changes nothing"),
    ("R-28", "Left out: hotfix binaries"),
    ("R-29", "Left out: hotfix download"),
    ("R-30", "Left out: hotfix check"),
    ("R-31", "As REQ-LAU-1"),
    ("R-32", "As REQ-LAU-4"),
    ("R-33", "The component list matters on a GPU node only"),
    ("R-34", "As REQ-UNIT-2"),
    ("R-35", "A waiter may be there long before the provisioner"),
    ("R-36", "As REQ-DOC-2"),
    ("T-17.1", "Exit codes of commands; a wrong command line is 2 here"),
    ("T-17.2", "Two events for an attempt; the child's code"),
    ("T-17.3", "The classic command: arguments, missing file, comparison that changes nothing"),
    ("T-17.4", "A dry run runs nothing"),
    ("T-17.5", "What a waiter sees, each failure with its own words"),
    ("T-17.6", "The scanner of the classic command"),
    ("T-17.7", "The comparison of the two sources of variables"),
    ("T-17.8", "Left out: hotfix"),
    ("T-17.9", "Left out: hotfix"),
    ("T-17.11", "Each branch of the launcher but those of hotfixes"),
];

/// `REQ-LOG-1` as it stands in the name of a test.
fn in_a_name(requirement: &str) -> String {
    requirement.to_lowercase().replace(['-', '.'], "_")
}

/// The requirements at the beginning of a test's name.
fn named(name: &str) -> Vec<String> {
    let mut rest = name;
    let mut found = Vec::new();
    while let Some(known) = REQUIREMENTS
        .iter()
        .map(|(requirement, _)| in_a_name(requirement))
        .find(|known| rest.strip_prefix(known.as_str()).is_some_and(|after| after.starts_with('_')))
    {
        rest = &rest[known.len() + 1..];
        found.push(known);
    }
    found
}

fn sources(folder: &Path, found: &mut Vec<std::path::PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|end| end == "rs") {
            found.push(path);
        }
    }
}

/// Tests by requirement: the file and the name.
fn tests() -> BTreeMap<String, BTreeSet<String>> {
    let mut files = Vec::new();
    for folder in ["src/node", "tests/node", "tests/units"] {
        sources(&Path::new(ROOT).join(folder), &mut files);
    }
    let mut tests: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for file in files {
        let text = fs::read_to_string(&file).expect("text");
        let shown = file.strip_prefix(ROOT).expect("below the root").display();
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        for pair in lines.windows(2) {
            let name = pair[1].strip_prefix("fn ").and_then(|rest| rest.split('(').next());
            if let (true, Some(name)) = (pair[0].starts_with("#[test]"), name) {
                for requirement in named(name) {
                    tests.entry(requirement).or_default().insert(format!("`{shown}`: `{name}`"));
                }
            }
        }
    }
    tests
}

pub fn page() -> String {
    let tests = tests();
    let mut page = String::from(
        "# What is asked of the work on a node\n\n\
         Each requirement, what holds here, and the tests that carry its number; all of them pass in CI. Made from the \
         table in `tests/docs/requirements.rs` and the names of tests by `make generate`.\n\n\
         | requirement | what holds | tests |\n|---|---|---|\n",
    );
    for (requirement, holds) in REQUIREMENTS {
        let found = tests.get(&in_a_name(requirement));
        assert_eq!(found.is_none(), holds.starts_with("Left out"), "{requirement} and its tests");
        let found = found.map(|found| found.iter().cloned().collect::<Vec<_>>().join("<br>")).unwrap_or_default();
        writeln!(page, "| {requirement} | {holds} | {found} |").expect("text takes text");
    }
    page
}
