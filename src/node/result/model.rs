//! A model of a file system, to end the protocol in every possible way: killed or without power after each step, with
//! any two steps failing.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::io;

use super::{
    Location, ObservedResult, Recorded, ResultDocument, ResultFile, Start, Storage, begin, complete, observe, publish,
};

/// The name of a file.
type Name = (Location, ResultFile, Version);

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Version {
    Final,
    Temporary,
    Previous,
}

/// A file: the content that a process reads, and the content that survives a loss of power.
#[derive(Clone, Debug, PartialEq, Eq)]
struct File {
    content: Vec<u8>,
    synced: Option<Vec<u8>>,
}

/// A change of a name that no sync of the directory has made durable yet.
#[derive(Clone, Debug)]
struct NameChange(Name, Option<usize>);

/// A file system in memory. A name has the number of its file.
#[derive(Clone, Debug, Default)]
struct Model {
    files: Vec<File>,
    names: BTreeMap<Name, usize>,
    durable: BTreeMap<Name, usize>,
    pending: Vec<NameChange>,
    steps: Cell<u32>,
    dies_at: Option<u32>,
    fails_at: Vec<u32>,
    unwritable: Vec<Location>,
}

impl Model {
    /// Returns a file system with durable files on the disk.
    fn with(files: &[(ResultFile, Version, &[u8])]) -> Self {
        let mut model = Self::default();
        for (file, version, content) in files {
            model.files.push(File { content: content.to_vec(), synced: Some(content.to_vec()) });
            model.names.insert((Location::Disk, *file, *version), model.files.len() - 1);
        }
        model.durable = model.names.clone();
        model
    }

    fn step(&self, location: Location) -> io::Result<()> {
        let now = self.steps.get();
        self.steps.set(now + 1);
        if self.dies_at.is_some_and(|end| now >= end) {
            return Err(io::Error::other("killed"));
        }
        if self.fails_at.contains(&now) || self.unwritable.contains(&location) {
            return Err(io::Error::other("not writable"));
        }
        Ok(())
    }

    fn set(&mut self, name: Name, file: Option<usize>) {
        match file {
            Some(file) => self.names.insert(name, file),
            None => self.names.remove(&name),
        };
        self.pending.push(NameChange(name, file));
    }

    fn revive(mut self) -> Self {
        self.dies_at = None;
        self.fails_at.clear();
        self.unwritable.clear();
        self
    }

    /// Returns what may be on the disk after a loss of power: any subset of the pending changes, in their order, and of
    /// unsynced content nothing, a part, or all.
    fn without_power(&self) -> Vec<Self> {
        let mut found = Vec::new();
        for subset in 0..1_u32 << self.pending.len() {
            for torn in 0..3 {
                let mut names = self.durable.clone();
                for (at, NameChange(name, file)) in self.pending.iter().enumerate() {
                    if subset & (1 << at) != 0 {
                        match file {
                            Some(file) => names.insert(*name, *file),
                            None => names.remove(name),
                        };
                    }
                }
                names.retain(|(location, ..), _| *location == Location::Disk);
                let files = self.files.iter().map(|file| {
                    let content = file.synced.clone().unwrap_or_else(|| match torn {
                        0 => Vec::new(),
                        1 => file.content[..file.content.len() / 2].to_vec(),
                        _ => file.content.clone(),
                    });
                    File { synced: Some(content.clone()), content }
                });
                let files = files.collect();
                found.push(Self { files, durable: names.clone(), names, ..Self::default() });
            }
        }
        found
    }
}

impl Storage for Model {
    fn read(&self, location: Location, file: ResultFile) -> io::Result<Option<Vec<u8>>> {
        Ok(self.names.get(&(location, file, Version::Final)).map(|number| self.files[*number].content.clone()))
    }

    fn reserve(&mut self, location: Location, file: ResultFile) -> io::Result<()> {
        self.step(location)?;
        self.files.push(File { content: Vec::new(), synced: None });
        self.set((location, file, Version::Temporary), Some(self.files.len() - 1));
        Ok(())
    }

    fn write(&mut self, location: Location, file: ResultFile, content: &[u8]) -> io::Result<()> {
        self.step(location)?;
        // Never into a file that has its final name.
        self.files.push(File { content: content.to_vec(), synced: None });
        self.set((location, file, Version::Temporary), Some(self.files.len() - 1));
        Ok(())
    }

    fn sync(&mut self, location: Location, file: ResultFile) -> io::Result<()> {
        self.step(location)?;
        let number = self.names[&(location, file, Version::Temporary)];
        self.files[number].synced = Some(self.files[number].content.clone());
        Ok(())
    }

    fn rename(&mut self, location: Location, file: ResultFile) -> io::Result<()> {
        self.step(location)?;
        let number = self.names[&(location, file, Version::Temporary)];
        self.set((location, file, Version::Final), Some(number));
        self.set((location, file, Version::Temporary), None);
        Ok(())
    }

    fn sync_directory(&mut self, location: Location, file: ResultFile) -> io::Result<()> {
        self.step(location)?;
        let (durable, pending) = std::mem::take(&mut self.pending)
            .into_iter()
            .partition(|NameChange(name, _)| (name.0, name.1) == (location, file));
        self.pending = pending;
        let durable: Vec<NameChange> = durable;
        for NameChange(name, number) in durable {
            match number {
                Some(number) => self.durable.insert(name, number),
                None => self.durable.remove(&name),
            };
        }
        Ok(())
    }

    fn settle(&mut self, location: Location, file: ResultFile) -> io::Result<()> {
        self.step(location)?;
        let number = self.names[&(location, file, Version::Final)];
        self.files[number].synced = Some(self.files[number].content.clone());
        self.sync_directory(location, file)
    }

    fn set_aside(&mut self, location: Location, file: ResultFile) -> io::Result<()> {
        self.step(location)?;
        if let Some(number) = self.names.get(&(location, file, Version::Final)).copied() {
            self.set((location, file, Version::Previous), Some(number));
            self.set((location, file, Version::Final), None);
        }
        Ok(())
    }

    fn remove(&mut self, location: Location, file: ResultFile) -> io::Result<()> {
        self.step(location)?;
        self.set((location, file, Version::Final), None);
        Ok(())
    }
}

const OURS: Option<&str> = Some("ours");

fn result(code: i64, instance: Option<&str>) -> ResultDocument {
    ResultDocument { instance_id: instance.map(str::to_owned), ..ResultDocument::new(code, "", "") }
}

/// What may be on the disk before an attempt, with the code if it is a complete result of this machine.
fn initial_states() -> Vec<(&'static str, Model, Option<i64>)> {
    let line = |code, instance| result(code, instance).to_line().into_bytes();
    let (stale, foreign, own) = (line(11, None), line(12, Some("theirs")), line(13, OURS));
    let document = |bytes: &[u8]| Model::with(&[(ResultFile::Document, Version::Final, bytes)]);
    let both = |bytes: &[u8]| {
        Model::with(&[(ResultFile::Document, Version::Final, bytes), (ResultFile::Marker, Version::Final, b"")])
    };
    vec![
        ("nothing", Model::default(), None),
        ("a document without a marker", document(&stale), None),
        ("half a document without a marker", document(&stale[..9]), None),
        ("another machine's result", both(&foreign), None),
        ("this machine's result", both(&own), Some(13)),
        ("a result that names no machine", both(&stale), Some(11)),
    ]
}

/// Makes an attempt that ends with code 7, as far as it gets.
fn attempt(model: &mut Model) -> Option<Start> {
    let start = begin(model, OURS).ok()?;
    if start == Start::Clear {
        // A waiter takes a document without a marker for the result of a dead provisioner, so none may be left.
        let undisturbed = model.dies_at.is_none() && model.fails_at.is_empty() && model.unwritable.is_empty();
        assert!(!undisturbed || model.read(Location::Disk, ResultFile::Document).is_ok_and(|found| found.is_none()));
        let _ = publish(model, &result(7, OURS), true);
    }
    Some(start)
}

/// Checks the answer to a waiter after an attempt that may have been interrupted.
fn check(what: &str, model: &Model, recorded: Option<i64>) {
    let observed = observe(model, OURS).expect("reads never fail");
    match (&observed, recorded) {
        (ObservedResult::Complete(found), Some(code)) => assert_eq!(found.exit_code, code, "{what}"),
        (ObservedResult::Complete(found), None) => {
            assert_eq!(found.exit_code, 7, "{what}: an earlier attempt's result");
        }
        (ObservedResult::NotComplete, None) => {}
        _ => panic!("{what}: {observed:?}"),
    }
    // The document is complete or missing.
    if let Some(document) = model.read(Location::Disk, ResultFile::Document).expect("reads never fail")
        && !what.starts_with("half")
    {
        Recorded::parse(&document).unwrap_or_else(|error| panic!("{what}: {error}"));
    }
}

#[test]
fn after_a_kill_or_power_loss_at_any_step_a_result_is_absent_or_complete() {
    let mut ends = 0;
    for (what, model, recorded) in initial_states() {
        for end in 0.. {
            let mut model = model.clone();
            model.dies_at = Some(end);
            attempt(&mut model);
            let finished = model.steps.get() <= end;
            let what = format!("{what}, ended at {end}");
            let killed = model.clone().revive();
            for (kind, after) in [("killed", killed)]
                .into_iter()
                .chain(model.without_power().into_iter().map(|after| ("without power", after)))
            {
                let what = format!("{what}, {kind}");
                check(&what, &after, recorded);
                // The next attempt completes, or finds the result.
                let mut next = after.clone();
                attempt(&mut next).expect("begins");
                check(&what, &next, recorded);
                assert!(matches!(observe(&next, OURS), Ok(ObservedResult::Complete(_))), "{what}: never complete");
                ends += 1;
            }
            if finished {
                break;
            }
        }
    }
    assert!(ends > 500, "only {ends} ends were tried");
}

#[test]
fn with_any_two_failing_steps_a_marker_has_a_document() {
    for (what, model, recorded) in initial_states() {
        let mut whole = model.clone();
        attempt(&mut whole);
        let steps = whole.steps.get() + 6;
        for first in 0..steps {
            for second in first..steps {
                let mut model = model.clone();
                model.fails_at = vec![first, second];
                let start = attempt(&mut model);
                let what = format!("{what}, {first} and {second} fail");
                if start.is_some() {
                    check(&what, &model.clone().revive(), recorded);
                }
                let marked = model.names.contains_key(&(Location::Disk, ResultFile::Marker, Version::Final));
                let document = model.read(Location::Disk, ResultFile::Document).expect("reads never fail");
                assert!(!marked || document.is_some(), "{what}: a marker without a document");
                for after in model.without_power() {
                    let observed = observe(&after, OURS).expect("reads never fail");
                    assert!(!matches!(observed, ObservedResult::Broken(_)), "{what}, then a reboot: {observed:?}");
                }
            }
        }
    }
}

#[test]
fn with_a_read_only_disk_the_result_goes_below_run() {
    for (what, mut model, recorded) in initial_states() {
        model.unwritable = vec![Location::Disk];
        let start = attempt(&mut model);
        let observed = observe(&model, OURS).expect("reads never fail");
        match (what, recorded) {
            // Its marker cannot be removed: a waiter ignores it, and the attempt fails.
            ("another machine's result", _) => assert_eq!((start, observed), (None, ObservedResult::NotComplete)),
            (_, Some(code)) => {
                assert!(matches!(observed, ObservedResult::Complete(found) if found.exit_code == code), "{what}");
            }
            (_, None) => {
                let ObservedResult::Complete(found) = observed else { panic!("{what}: {observed:?}") };
                assert_eq!(found.exit_code, 7, "{what}");
                assert!(found.error.contains("cannot write the result to disk"), "{what}: {}", found.error);
                for after in model.without_power() {
                    assert_eq!(observe(&after, OURS).expect("reads never fail"), ObservedResult::NotComplete, "{what}");
                }
            }
        }
    }
}

#[test]
fn a_result_that_cannot_be_kept_anywhere_has_no_marker() {
    let mut model = Model { unwritable: vec![Location::Disk, Location::Run], ..Model::default() };
    assert!(publish(&mut model, &result(7, OURS), true).is_err());
    assert!(model.names.is_empty());
}

#[test]
fn a_document_of_the_start_script_is_completed_and_durable() {
    let mut model = Model::default();
    let text = br#"{"ExitCode":"7"}"#.to_vec();
    model.files.push(File { content: text, synced: None });
    model.set((Location::Disk, ResultFile::Document, Version::Final), Some(0));
    for end in 0..8 {
        let mut model = model.clone();
        model.dies_at = Some(end);
        let _ = complete(&mut model);
        for after in model.without_power() {
            let observed = observe(&after, OURS).expect("reads never fail");
            assert!(!matches!(observed, ObservedResult::Broken(_)), "ended at {end}: {observed:?}");
        }
    }
}
