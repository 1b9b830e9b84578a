//! Every end of the protocol: killed, or without power, after each step, with any step failing.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::io;

use super::{Beginning, Disk, Item, Observed, Place, ResultDocument, begin, complete, observe, publish};

type Name = (Place, Item, Kind);

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Final,
    Temporary,
    Previous,
}

/// A file: what a process reads in it, and what is left of it without power.
#[derive(Clone, Debug, PartialEq, Eq)]
struct File {
    content: Vec<u8>,
    synced: Option<Vec<u8>>,
}

/// A change of names that no sync of the folder has made last yet.
#[derive(Clone, Debug)]
enum Change {
    Set(Name, Option<usize>),
}

/// A file system in memory: names point to files by number.
#[derive(Clone, Debug, Default)]
struct Model {
    files: Vec<File>,
    names: BTreeMap<Name, usize>,
    durable: BTreeMap<Name, usize>,
    pending: Vec<Change>,
    steps: Cell<u32>,
    dies_at: Option<u32>,
    fails_at: Vec<u32>,
    refuses: Vec<Place>,
}

impl Model {
    /// With lasting files.
    fn with(files: &[(Item, Kind, &[u8])]) -> Self {
        let mut model = Self::default();
        for (item, kind, content) in files {
            model.files.push(File { content: content.to_vec(), synced: Some(content.to_vec()) });
            model.names.insert((Place::Disk, *item, *kind), model.files.len() - 1);
        }
        model.durable = model.names.clone();
        model
    }

    fn step(&self, place: Place) -> io::Result<()> {
        let now = self.steps.get();
        self.steps.set(now + 1);
        if self.dies_at.is_some_and(|end| now >= end) {
            return Err(io::Error::other("dead"));
        }
        if self.fails_at.contains(&now) || self.refuses.contains(&place) {
            return Err(io::Error::other("refused"));
        }
        Ok(())
    }

    fn set(&mut self, name: Name, file: Option<usize>) {
        match file {
            Some(file) => self.names.insert(name, file),
            None => self.names.remove(&name),
        };
        self.pending.push(Change::Set(name, file));
    }

    fn revive(mut self) -> Self {
        self.dies_at = None;
        self.fails_at.clear();
        self.refuses.clear();
        self
    }

    /// What may be found when the power comes back: any of the changes that no sync has made last, in their order, and
    /// of unsynced content either nothing, a piece, or all.
    fn without_power(&self) -> Vec<Self> {
        let mut found = Vec::new();
        for subset in 0..1_u32 << self.pending.len() {
            for torn in 0..3 {
                let mut names = self.durable.clone();
                for (at, Change::Set(name, file)) in self.pending.iter().enumerate() {
                    if subset & (1 << at) != 0 {
                        match file {
                            Some(file) => names.insert(*name, *file),
                            None => names.remove(name),
                        };
                    }
                }
                names.retain(|(place, ..), _| *place == Place::Disk);
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

impl Disk for Model {
    fn read(&self, place: Place, item: Item) -> io::Result<Option<Vec<u8>>> {
        Ok(self.names.get(&(place, item, Kind::Final)).map(|file| self.files[*file].content.clone()))
    }

    fn reserve(&mut self, place: Place, item: Item) -> io::Result<()> {
        self.step(place)?;
        self.files.push(File { content: Vec::new(), synced: None });
        self.set((place, item, Kind::Temporary), Some(self.files.len() - 1));
        Ok(())
    }

    fn write(&mut self, place: Place, item: Item, content: &[u8]) -> io::Result<()> {
        self.step(place)?;
        // Never into a file that already has its name.
        self.files.push(File { content: content.to_vec(), synced: None });
        self.set((place, item, Kind::Temporary), Some(self.files.len() - 1));
        Ok(())
    }

    fn sync(&mut self, place: Place, item: Item) -> io::Result<()> {
        self.step(place)?;
        let file = self.names[&(place, item, Kind::Temporary)];
        self.files[file].synced = Some(self.files[file].content.clone());
        Ok(())
    }

    fn rename(&mut self, place: Place, item: Item) -> io::Result<()> {
        self.step(place)?;
        let file = self.names[&(place, item, Kind::Temporary)];
        self.set((place, item, Kind::Final), Some(file));
        self.set((place, item, Kind::Temporary), None);
        Ok(())
    }

    fn sync_folder(&mut self, place: Place, item: Item) -> io::Result<()> {
        self.step(place)?;
        let (lasting, pending) = std::mem::take(&mut self.pending)
            .into_iter()
            .partition(|Change::Set(name, _)| (name.0, name.1) == (place, item));
        self.pending = pending;
        let lasting: Vec<Change> = lasting;
        for Change::Set(name, file) in lasting {
            match file {
                Some(file) => self.durable.insert(name, file),
                None => self.durable.remove(&name),
            };
        }
        Ok(())
    }

    fn settle(&mut self, place: Place, item: Item) -> io::Result<()> {
        self.step(place)?;
        let file = self.names[&(place, item, Kind::Final)];
        self.files[file].synced = Some(self.files[file].content.clone());
        self.sync_folder(place, item)
    }

    fn set_aside(&mut self, place: Place, item: Item) -> io::Result<()> {
        self.step(place)?;
        if let Some(file) = self.names.get(&(place, item, Kind::Final)).copied() {
            self.set((place, item, Kind::Previous), Some(file));
            self.set((place, item, Kind::Final), None);
        }
        Ok(())
    }

    fn remove(&mut self, place: Place, item: Item) -> io::Result<()> {
        self.step(place)?;
        self.set((place, item, Kind::Final), None);
        Ok(())
    }
}

const OURS: Option<&str> = Some("ours");

fn result(code: i64, instance: Option<&str>) -> ResultDocument {
    ResultDocument { instance_id: instance.map(str::to_owned), ..ResultDocument::new(code, "", "") }
}

/// What may lie on the disk before an attempt, and whether it is this machine's complete result.
fn beginnings() -> Vec<(&'static str, Model, Option<i64>)> {
    let line = |code, instance| result(code, instance).to_line().into_bytes();
    let (stale, foreign, own) = (line(11, None), line(12, Some("theirs")), line(13, OURS));
    let document = |bytes: &[u8]| Model::with(&[(Item::Document, Kind::Final, bytes)]);
    let both = |bytes: &[u8]| Model::with(&[(Item::Document, Kind::Final, bytes), (Item::Marker, Kind::Final, b"")]);
    vec![
        ("nothing", Model::default(), None),
        ("a document without a marker", document(&stale), None),
        ("half a document without a marker", document(&stale[..9]), None),
        ("another machine's result", both(&foreign), None),
        ("this machine's result", both(&own), Some(13)),
        ("a result that names no machine", both(&stale), Some(11)),
    ]
}

/// One attempt that ends with code 7, as far as it gets.
fn attempt(model: &mut Model) -> Option<Beginning> {
    let beginning = begin(model, OURS).ok()?;
    if beginning == Beginning::Free {
        // What is found without a marker when the provisioner is dead is this attempt's.
        let undisturbed = model.dies_at.is_none() && model.fails_at.is_empty() && model.refuses.is_empty();
        assert!(!undisturbed || model.read(Place::Disk, Item::Document).is_ok_and(|found| found.is_none()));
        let _ = publish(model, &result(7, OURS), true);
    }
    Some(beginning)
}

/// What a waiter may say after an attempt that was cut short.
fn check(what: &str, model: &Model, recorded: Option<i64>) {
    let observed = observe(model, OURS).expect("the model answers");
    match (&observed, recorded) {
        (Observed::Complete(found), Some(code)) => assert_eq!(found.exit_code, code, "{what}"),
        (Observed::Complete(found), None) => assert_eq!(found.exit_code, 7, "{what}: an earlier attempt's result"),
        (Observed::NotComplete, None) => {}
        _ => panic!("{what}: {observed:?}"),
    }
    // Whole or absent, in its place.
    if let Some(document) = model.read(Place::Disk, Item::Document).expect("the model answers")
        && !what.starts_with("half")
    {
        super::Recorded::parse(&document).unwrap_or_else(|error| panic!("{what}: {error}"));
    }
}

#[test]
fn after_a_kill_or_power_loss_at_any_step_a_result_is_absent_or_complete() {
    let mut ends = 0;
    for (what, model, recorded) in beginnings() {
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
                // The next attempt ends well, or finds the result.
                let mut next = after.clone();
                attempt(&mut next).expect("begins");
                check(&what, &next, recorded);
                assert!(matches!(observe(&next, OURS), Ok(Observed::Complete(_))), "{what}: never ends");
                ends += 1;
            }
            if finished {
                break;
            }
        }
    }
    assert!(ends > 500, "{ends} ends are too few to mean anything");
}

#[test]
fn with_any_two_failing_steps_a_marker_has_a_document() {
    for (what, model, recorded) in beginnings() {
        let mut whole = model.clone();
        attempt(&mut whole);
        let steps = whole.steps.get() + 6;
        for first in 0..steps {
            for second in first..steps {
                let mut model = model.clone();
                model.fails_at = vec![first, second];
                let beginning = attempt(&mut model);
                let what = format!("{what}, {first} and {second} fail");
                if beginning.is_some() {
                    check(&what, &model.clone().revive(), recorded);
                }
                let marked = model.names.contains_key(&(Place::Disk, Item::Marker, Kind::Final));
                let kept = [Place::Disk, Place::Run]
                    .iter()
                    .any(|place| model.read(*place, Item::Document).is_ok_and(|document| document.is_some()));
                assert!(!marked || kept, "{what}: a marker without a document");
            }
        }
    }
}

#[test]
fn with_a_read_only_disk_the_result_goes_below_run() {
    for (what, mut model, recorded) in beginnings() {
        model.refuses = vec![Place::Disk];
        let beginning = attempt(&mut model);
        let observed = observe(&model, OURS).expect("the model answers");
        match (what, recorded) {
            // Its marker cannot be taken away: a waiter goes on as if nothing had happened, the attempt fails.
            ("another machine's result", _) => assert_eq!((beginning, observed), (None, Observed::NotComplete)),
            (_, Some(code)) => {
                assert!(matches!(observed, Observed::Complete(found) if found.exit_code == code), "{what}");
            }
            (_, None) => {
                let Observed::Complete(found) = observed else { panic!("{what}: {observed:?}") };
                assert_eq!(found.exit_code, 7, "{what}");
                assert!(found.error.contains("could not be kept on disk"), "{what}: {}", found.error);
                for after in model.without_power() {
                    assert_eq!(observe(&after, OURS).expect("answers"), Observed::NotComplete, "{what}");
                }
            }
        }
    }
}

#[test]
fn a_result_that_cannot_be_kept_anywhere_has_no_marker() {
    let mut model = Model { refuses: vec![Place::Disk, Place::Run], ..Model::default() };
    assert!(publish(&mut model, &result(7, OURS), true).is_err());
    assert!(model.names.is_empty());
}

#[test]
fn a_document_of_the_start_script_is_completed_and_durable() {
    let mut model = Model::default();
    let text = br#"{"ExitCode":"7"}"#.to_vec();
    model.files.push(File { content: text, synced: None });
    model.set((Place::Disk, Item::Document, Kind::Final), Some(0));
    for end in 0..8 {
        let mut model = model.clone();
        model.dies_at = Some(end);
        let _ = complete(&mut model);
        for after in model.without_power() {
            let observed = observe(&after, OURS).expect("answers");
            assert!(!matches!(observed, Observed::Broken(_)), "ended at {end}: {observed:?}");
        }
    }
}
