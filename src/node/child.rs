//! The child that does the work: in a group of its own, its output passed on, its end always seen.

use std::collections::VecDeque;
use std::fs;
use std::io::{self, Read, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process_group, test_kill_process_group};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

use super::log::Log;
use super::redaction::{Redaction, Secrets};

/// How much of the end of each stream is kept.
const KEPT: usize = 64 << 10;

/// How long a group may take to end after it was asked to.
const GRACE: Duration = Duration::from_secs(20);

/// How long output is still read after the child has ended: what it left running may hold the streams for ever.
const DRAINED: Duration = Duration::from_secs(5);

/// What can happen while a child runs.
#[derive(Debug)]
enum Happening {
    Ended(io::Result<ExitStatus>),
    StreamClosed,
    Signal(i32),
}

/// Signals that ask this process to end: `TERM`, `INT`, and `HUP` unless whoever started it has it ignored (`nohup`).
#[derive(Debug)]
pub struct Interruptions {
    sender: Sender<Happening>,
    receiver: Receiver<Happening>,
}

impl Interruptions {
    /// From now on these signals no longer end the process.
    ///
    /// # Errors
    /// The system refuses.
    pub fn new() -> io::Result<Self> {
        let (sender, receiver) = mpsc::channel();
        let mut wanted = vec![SIGTERM, SIGINT];
        if !is_ignored(SIGHUP) {
            wanted.push(SIGHUP);
        }
        let mut signals = Signals::new(wanted)?;
        let to = sender.clone();
        spawn("signals", move || {
            for signal in signals.forever() {
                if to.send(Happening::Signal(signal)).is_err() {
                    break;
                }
            }
        })?;
        Ok(Self { sender, receiver })
    }

    /// Waits, and says which signal came meanwhile.
    #[must_use]
    pub fn wait(&self, duration: Duration) -> Option<i32> {
        match self.receiver.recv_timeout(duration) {
            Ok(Happening::Signal(signal)) => Some(signal),
            _ => None,
        }
    }
}

fn is_ignored(signal: i32) -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or_default();
    mask & (1 << (signal - 1)) != 0
}

/// Threads here copy bytes; the usual two megabytes of stack are not needed.
fn spawn(name: &str, work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    thread::Builder::new().name(name.to_owned()).stack_size(256 << 10).spawn(work).map(drop)
}

/// How a child ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// With a code.
    Exited(i32),
    /// By a signal that nobody here has sent.
    Killed(i32),
    /// It was ended, because this process was asked to end.
    Interrupted(i32),
    /// It was ended, because it ran for too long.
    TimedOut,
}

/// A child that has ended.
#[derive(Clone, Debug)]
pub struct Ended {
    /// How.
    pub how: How,
    /// The end of its standard output, without secrets.
    pub stdout: String,
    /// The end of its standard error, without secrets.
    pub stderr: String,
    /// Something that it started still held its output.
    pub left_behind: bool,
}

/// A child that runs.
#[derive(Debug)]
pub struct Child {
    group: Pid,
    tails: [Arc<Mutex<Tail>>; 2],
}

/// The end of a stream.
#[derive(Debug, Default)]
struct Tail(VecDeque<u8>);

impl Tail {
    fn push(&mut self, piece: &[u8]) {
        let piece = &piece[piece.len().saturating_sub(KEPT)..];
        let over = (self.0.len() + piece.len()).saturating_sub(KEPT);
        self.0.drain(..over);
        self.0.extend(piece);
    }

    fn text(&self) -> String {
        let (first, second) = self.0.as_slices();
        String::from_utf8_lossy(&[first, second].concat()).into_owned()
    }
}

impl Child {
    /// Starts a command in a group of its own. What it prints goes on to this process's own streams, without secrets.
    ///
    /// # Errors
    /// It cannot be started.
    pub fn start(
        mut command: Command,
        interruptions: &Interruptions,
        secrets: &Arc<Secrets>,
        log: &Log,
    ) -> io::Result<Self> {
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
        let mut child = command.spawn()?;
        let group = Pid::from_child(&child);
        let tails = [Arc::default(), Arc::default()];
        if let (Some(stdout), Some(stderr)) = (child.stdout.take(), child.stderr.take()) {
            let [one, two] = &tails;
            forward("stdout", stdout, io::stdout(), one, interruptions, secrets, log)?;
            forward("stderr", stderr, io::stderr(), two, interruptions, secrets, log)?;
        }
        let to = interruptions.sender.clone();
        spawn("child", move || {
            let _ = to.send(Happening::Ended(child.wait()));
        })?;
        Ok(Self { group, tails })
    }

    /// The process group, which has the number of the child.
    #[must_use]
    pub fn group(&self) -> u32 {
        self.group.as_raw_nonzero().get().unsigned_abs()
    }

    /// Waits for the end of the child, for a signal to this process, or for the limit; ends the group in the last two
    /// cases. Then waits for the rest of the output, but not for ever.
    #[must_use]
    pub fn wait(self, interruptions: &Interruptions, limit: Duration, log: &Log) -> Ended {
        let mut open = 2;
        let mut reason = None;
        let mut asked: Option<Instant> = None;
        let deadline = Instant::now() + limit;
        let status = loop {
            let until = asked.map_or(deadline, |asked| asked + GRACE);
            match interruptions.receiver.recv_timeout(until.saturating_duration_since(Instant::now())) {
                Ok(Happening::Ended(status)) => break status,
                Ok(Happening::StreamClosed) => open -= 1,
                Ok(Happening::Signal(signal)) => {
                    log.warn("asked to end, ending the child's process group", &[("signal", signal.into())]);
                    reason = reason.or(Some(How::Interrupted(signal)));
                    asked = asked.or_else(|| Some(Instant::now()));
                    let _ = kill_process_group(self.group, Signal::TERM);
                }
                Err(RecvTimeoutError::Timeout) if asked.is_none() => {
                    log.error(
                        "the child runs for too long, ending its process group",
                        &[("limitSeconds", limit.as_secs().into())],
                    );
                    reason = Some(How::TimedOut);
                    asked = Some(Instant::now());
                    let _ = kill_process_group(self.group, Signal::TERM);
                }
                Err(_) => {
                    let _ = kill_process_group(self.group, Signal::KILL);
                }
            }
        };
        if reason.is_some() {
            // The leader may be gone before the others.
            end_group(
                self.group,
                asked.map_or(GRACE, |asked| (asked + GRACE).saturating_duration_since(Instant::now())),
            );
        }
        let drained = Instant::now() + DRAINED;
        while open > 0 {
            match interruptions.receiver.recv_timeout(drained.saturating_duration_since(Instant::now())) {
                Ok(Happening::StreamClosed) => open -= 1,
                // The child has ended: a result is near, and it is worth more than a fast end.
                Ok(_) => {}
                Err(_) => break,
            }
        }
        let how = reason.unwrap_or_else(|| match status {
            Ok(status) => match (status.code(), status.signal()) {
                (Some(code), _) => How::Exited(code),
                (None, signal) => How::Killed(signal.unwrap_or_default()),
            },
            Err(_) => How::Killed(0),
        });
        let [stdout, stderr] = self.tails.map(|tail| tail.lock().map(|tail| tail.text()).unwrap_or_default());
        Ended { how, stdout, stderr, left_behind: open > 0 }
    }
}

/// Ends a process group: asks, waits, kills.
pub(super) fn end_group(group: Pid, grace: Duration) {
    let _ = kill_process_group(group, Signal::TERM);
    let until = Instant::now() + grace;
    while test_kill_process_group(group).is_ok() && Instant::now() < until {
        thread::sleep(Duration::from_millis(20));
    }
    let _ = kill_process_group(group, Signal::KILL);
}

fn forward(
    name: &'static str,
    mut from: impl Read + Send + 'static,
    mut to: impl Write + Send + 'static,
    tail: &Arc<Mutex<Tail>>,
    interruptions: &Interruptions,
    secrets: &Arc<Secrets>,
    log: &Log,
) -> io::Result<()> {
    let (tail, closed, secrets, log) =
        (Arc::clone(tail), interruptions.sender.clone(), Arc::clone(secrets), log.clone());
    spawn(name, move || {
        let mut redaction = Redaction::new(&secrets);
        let mut buffer = vec![0; 32 << 10];
        let mut so_far = 0;
        loop {
            let read = match from.read(&mut buffer) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Ok(read) => read,
                Err(_) => 0,
            };
            let piece = if read == 0 { redaction.finish() } else { redaction.push(&buffer[..read]) };
            if !piece.is_empty() {
                // Nobody listening is no reason to stop the child.
                let _ = to.write_all(&piece).and_then(|()| to.flush());
                log.output(name, &piece, so_far);
                so_far = so_far.saturating_add(piece.len());
                if let Ok(mut tail) = tail.lock() {
                    tail.push(&piece);
                }
            }
            if read == 0 {
                let _ = closed.send(Happening::StreamClosed);
                return;
            }
        }
    })
}
