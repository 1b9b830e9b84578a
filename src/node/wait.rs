//! `provision-wait`: waits for the result of an attempt, and never for ever where the attempt is known to be dead.

use std::io::{self, ErrorKind};
use std::os::fd::OwnedFd;
use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::inotify::{self, CreateFlags, WatchFlags};

use super::lock::{Lock, Started};
use super::result::{
    CONTROLLER_FAILED, Completion, Disk, Item, Observed, Place, RealDisk, Recorded, ResultDocument, observe,
};
use super::{EventLevel, Log, Machine, Task, exit_code, files};
use crate::catalogue::paths;

/// How often the waiter looks even if nothing tells it to.
const LOOK: Duration = Duration::from_secs(1);

/// How long a marker may be there before its document says anything.
const GRACE: Duration = Duration::from_secs(5);

/// How often it looks meanwhile.
const STEP: Duration = Duration::from_millis(100);

/// How long a provisioner may seem dead: another one may be about to start, or its result to show.
const DEAD: Duration = Duration::from_secs(1);

/// How often in a row the file system may fail to say whether the marker is there.
const REFUSALS: u32 = 3;

/// How much longer than the scripts a waiter waits when nobody says how long.
const BEYOND: Duration = Duration::from_secs(60);

/// What a waiter found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waited {
    /// One JSON document, for stdout.
    pub text: String,
    /// The exit code for the process: the document's own where a process can end with it, else 1.
    pub code: u8,
    /// What went wrong, if something did.
    pub error: Option<String>,
}

impl Waited {
    fn of(recorded: Recorded) -> Self {
        let code = recorded.exit_code;
        let error = format!("provisioning ended with exit code {code}: {}", recorded.error);
        Self { text: recorded.text, code: exit_code(code), error: (code != 0).then_some(error) }
    }

    /// Nothing could be read: what is known, in the same shape.
    fn without_document(machine: &Machine, error: &str) -> Self {
        let document = ResultDocument {
            instance_id: machine.instance_id(),
            boot_id: machine.boot_id(),
            ..ResultDocument::new(CONTROLLER_FAILED, error, "")
        };
        Self { text: document.to_line(), code: exit_code(CONTROLLER_FAILED), error: Some(error.to_owned()) }
    }
}

/// Waits for the result, with `timeout` at most so long. Leaves everything as it is.
#[must_use]
pub fn wait(machine: &Machine, timeout: Option<Duration>) -> Waited {
    let log = if machine.is_ours() { Log::open(machine) } else { Log::without_file() };
    let task = Task::new(machine, &log, "ProvisionWait");
    log.info("started", &[("task", "ProvisionWait".into())]);
    task.tell(EventLevel::Informational, "Starting");
    let waited = Waiter { machine, began: Instant::now(), timeout, refusals: 0, dead_since: None }.wait();
    match &waited.error {
        None => task.tell(EventLevel::Informational, "Completed"),
        Some(error) => {
            task.tell(EventLevel::Error, &format!("aks-node-controller ended with an error: {error}"));
        }
    }
    log.info("ended", &[("task", "ProvisionWait".into()), ("provisionOutput", waited.text.clone().into())]);
    waited
}

struct Waiter<'m> {
    machine: &'m Machine,
    began: Instant,
    timeout: Option<Duration>,
    refusals: u32,
    dead_since: Option<Instant>,
}

impl Waiter<'_> {
    fn wait(mut self) -> Waited {
        let mut watch = Watch::new();
        loop {
            // Watched first, looked at afterwards: nothing can come between the two unseen.
            watch.arm(self.machine);
            if let Some(waited) = self.look() {
                return waited;
            }
            let left = self.deadline().map_or(LOOK, |deadline| deadline.saturating_sub(self.began.elapsed()).min(LOOK));
            let left = self.dead_since.map_or(left, |since| left.min(DEAD.saturating_sub(since.elapsed())));
            watch.wait(left);
        }
    }

    /// When this waiter gives up, from its beginning.
    fn deadline(&self) -> Option<Duration> {
        if self.timeout.is_some() {
            return self.timeout;
        }
        // What the provisioner said, once it said it.
        let started = Started::read(self.machine)?;
        let ends = Duration::from_millis(started.at) + Duration::from_secs(started.timeout?) + BEYOND;
        Some(self.began.elapsed() + ends.saturating_sub(Duration::from_millis(Machine::since_boot())))
    }

    fn look(&mut self) -> Option<Waited> {
        let started = Started::read(self.machine);
        let completion = started.as_ref().map_or(Completion::Provision, Started::completion);
        let disk = RealDisk::new(self.machine, completion);
        match observe(&disk, self.machine.instance_id().as_deref()) {
            Ok(Observed::Complete(recorded)) => return Some(Waited::of(recorded)),
            Ok(Observed::Broken(_)) => return Some(self.insist(&disk)),
            Ok(Observed::NotComplete) => self.refusals = 0,
            Err(error) => {
                self.refusals += 1;
                if self.refusals >= REFUSALS {
                    let marker = disk.path(Place::Disk, Item::Marker);
                    let error = format!("cannot tell whether {} is there: {error}", marker.display());
                    return Some(Waited::without_document(self.machine, &error));
                }
            }
        }
        if let Some(waited) = self.dead(&disk, started.as_ref()) {
            return Some(waited);
        }
        let late = self.deadline().is_some_and(|deadline| self.began.elapsed() >= deadline);
        late.then(|| {
            let waited = self.began.elapsed().as_secs();
            let error = match &started {
                Some(started) => {
                    format!("deadline exceeded after {waited} s: the provisioner (process {}) still runs", started.pid)
                }
                None => format!("deadline exceeded after {waited} s: no provisioner has started in this boot"),
            };
            Waited::without_document(self.machine, &error)
        })
    }

    /// There is a marker; its document gets a little time to say something.
    fn insist(&self, disk: &RealDisk) -> Waited {
        let until = Instant::now() + GRACE;
        loop {
            let why = match observe(disk, self.machine.instance_id().as_deref()) {
                Ok(Observed::Complete(recorded)) => return Waited::of(recorded),
                Ok(Observed::Broken(why)) => why,
                Ok(Observed::NotComplete) | Err(_) => None,
            };
            if Instant::now() >= until {
                let path = disk.path(Place::Disk, Item::Document);
                let error = match why {
                    Some(why) => format!("provisioning has ended, and its result document {} {why}", path.display()),
                    None => format!(
                        "provisioning has ended, and its result document {} is missing; was the node's configuration \
                         delivered?",
                        path.display()
                    ),
                };
                return Waited::without_document(self.machine, &error);
            }
            sleep(STEP);
        }
    }

    /// Whether the provisioner is gone without a marker, and stays gone.
    fn dead(&mut self, disk: &RealDisk, started: Option<&Started>) -> Option<Waited> {
        if !Lock::is_abandoned(self.machine) {
            self.dead_since = None;
            return None;
        }
        if self.dead_since.get_or_insert_with(Instant::now).elapsed() < DEAD {
            return None;
        }
        // A document that it finished is the truth about it. Without a word from it, a document may be an older one.
        for place in [Place::Run, Place::Disk] {
            if let (Some(_), Ok(Some(bytes))) = (started, disk.read(place, Item::Document))
                && let Ok(recorded) = Recorded::parse(&bytes)
            {
                return Some(Waited::of(recorded));
            }
        }
        let who = started.map_or_else(String::new, |started| format!(" (process {})", started.pid));
        let left = match started.and_then(Started::orphans) {
            Some(group) => format!("; what it started still runs in process group {group}"),
            None => String::new(),
        };
        let error = format!("the provisioner{who} is gone and has left no result: it was killed{left}");
        Some(Waited::without_document(self.machine, &error))
    }
}

/// Tells early that something happened in the folders of markers and lock. Whatever goes wrong here costs a second.
struct Watch(Option<OwnedFd>);

impl Watch {
    fn new() -> Self {
        Self(inotify::init(CreateFlags::CLOEXEC | CreateFlags::NONBLOCK).ok())
    }

    /// Watches the folders that are there. Doing so again costs nothing, and finds a folder that was made anew.
    fn arm(&self, machine: &Machine) {
        let Some(watch) = &self.0 else { return };
        let flags = WatchFlags::CREATE | WatchFlags::MOVED_TO | WatchFlags::CLOSE_WRITE | WatchFlags::DELETE_SELF;
        let marker = machine.path(paths::PROVISION_COMPLETE);
        let _ = files::create_folder_of(&marker);
        for path in [marker, machine.path(paths::LOCK)] {
            let _ = path.parent().map(|folder: &Path| inotify::add_watch(watch, folder, flags));
        }
    }

    fn wait(&mut self, duration: Duration) {
        let Some(watch) = &self.0 else { return sleep(duration) };
        let timeout = Timespec {
            tv_sec: i64::try_from(duration.as_secs()).unwrap_or(i64::MAX),
            tv_nsec: duration.subsec_nanos().into(),
        };
        match poll(&mut [PollFd::new(watch, PollFlags::IN)], Some(&timeout)) {
            Ok(0) => {}
            Ok(_) if drain(watch).is_ok() => {}
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            _ => {
                // Better slow than wrong.
                self.0 = None;
                sleep(duration);
            }
        }
    }
}

fn drain(watch: &OwnedFd) -> io::Result<()> {
    let mut buffer = [std::mem::MaybeUninit::uninit(); 4096];
    let mut reader = inotify::Reader::new(watch, &mut buffer);
    loop {
        match reader.next() {
            Ok(_) => {}
            Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(()),
            Err(error) => return Err(error.into()),
        }
    }
}
