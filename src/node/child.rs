//! Runs the child process that provisions the node, in its own process group: forwards its output and always detects
//! its end.

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
use signal_hook::consts::{SIGCHLD, SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

use super::log::Log;
use crate::redaction::{RedactedStream, Redactor};

/// Bytes at the end of each stream that are kept.
const KEPT: usize = 64 << 10;

/// How long a process group may take to exit after TERM, before KILL.
const GRACE: Duration = Duration::from_secs(20);

/// How often KILL is sent again, because a process that waits for a device exits late.
const KILL_INTERVAL: Duration = Duration::from_secs(1);

/// How long output is read after the child has exited, because processes that it left running can keep the streams open
/// forever.
const DRAIN_LIMIT: Duration = Duration::from_secs(5);

/// Stack size in bytes of a thread that only copies bytes, which does not need the default of two megabytes.
const STACK: usize = 256 << 10;

/// An event while a child process runs.
#[derive(Debug)]
enum ChildEvent {
    Ended(io::Result<ExitStatus>),
    StreamClosed,
    SignalReceived(i32),
}

/// The signals that terminate this process: TERM, INT, and HUP unless the caller ignores it (`nohup`).
#[derive(Debug)]
pub(super) struct TerminationSignals {
    sender: Sender<ChildEvent>,
    receiver: Receiver<ChildEvent>,
}

impl TerminationSignals {
    /// Handles the signals from now on, so that they no longer terminate this process.
    ///
    /// # Errors
    /// Fails if a handler or its thread cannot be set up.
    pub fn handle() -> io::Result<Self> {
        let (sender, receiver) = mpsc::channel();
        let mut wanted = vec![SIGTERM, SIGINT];
        if !is_ignored(SIGHUP) {
            wanted.push(SIGHUP);
        }
        // A caller that ignores this signal would pass that on, and then nobody learns how a child ended.
        signal_hook::flag::register(SIGCHLD, Arc::default())?;
        let mut signals = Signals::new(wanted)?;
        let events = sender.clone();
        spawn("signals", move || {
            for signal in signals.forever() {
                if events.send(ChildEvent::SignalReceived(signal)).is_err() {
                    break;
                }
            }
        })?;
        Ok(Self { sender, receiver })
    }

    /// Handles no signal, so that a test does not change the effect of signals on the test runner.
    #[cfg(test)]
    pub fn none() -> Self {
        let (sender, receiver) = mpsc::channel();
        Self { sender, receiver }
    }

    /// Waits for `duration` or for a signal, and returns its number.
    pub fn wait(&self, duration: Duration) -> Option<i32> {
        match self.receiver.recv_timeout(duration) {
            Ok(ChildEvent::SignalReceived(signal)) => Some(signal),
            _ => None,
        }
    }

    fn next_before(&self, deadline: Instant) -> Result<ChildEvent, RecvTimeoutError> {
        self.receiver.recv_timeout(deadline.saturating_duration_since(Instant::now()))
    }
}

fn is_ignored(signal: i32) -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or_default();
    mask & (1 << (signal - 1)) != 0
}

fn spawn(name: &str, work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    thread::Builder::new().name(name.to_owned()).stack_size(STACK).spawn(work).map(drop)
}

/// How a child process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Termination {
    /// It exited with a code.
    Exited(i32),
    /// A signal that this process did not send killed it.
    Killed(i32),
    /// This process received a signal and terminated it.
    Interrupted(i32),
    /// This process terminated it because it exceeded its time limit.
    TimedOut,
}

/// A child process that has ended.
#[derive(Clone, Debug)]
pub(super) struct FinishedChild {
    pub termination: Termination,
    /// The end of its standard output, secrets redacted.
    pub stdout: String,
    /// The end of its standard error, secrets redacted.
    pub stderr: String,
    /// Whether a process that it left running keeps its output open.
    pub output_held_open: bool,
}

/// A running child process.
#[derive(Debug)]
pub(super) struct ChildProcess {
    group: Pid,
    tails: [Arc<Mutex<Tail>>; 2],
}

/// The last bytes of a stream, secrets redacted.
#[derive(Debug, Default)]
struct Tail(VecDeque<u8>);

impl Tail {
    fn push(&mut self, piece: &[u8]) {
        let piece = &piece[piece.len().saturating_sub(KEPT)..];
        let excess = (self.0.len() + piece.len()).saturating_sub(KEPT);
        self.0.drain(..excess);
        self.0.extend(piece);
    }

    fn text(&self) -> String {
        let (first, second) = self.0.as_slices();
        String::from_utf8_lossy(&[first, second].concat()).into_owned()
    }
}

impl ChildProcess {
    /// Starts a command in its own process group. Its output is forwarded to the streams of this process, with secrets
    /// redacted.
    ///
    /// # Errors
    /// Fails if the command cannot be started.
    pub fn start(
        mut command: Command,
        signals: &TerminationSignals,
        secrets: &Arc<Redactor>,
        log: &Log,
    ) -> io::Result<Self> {
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
        let mut child = command.spawn()?;
        let group = Pid::from_child(&child);
        let tails: [Arc<Mutex<Tail>>; 2] = [Arc::default(), Arc::default()];
        let forwarder = |name, tail: &Arc<Mutex<Tail>>| Forwarder {
            name,
            tail: Arc::clone(tail),
            events: signals.sender.clone(),
            secrets: Arc::clone(secrets),
            log: log.clone(),
        };
        if let (Some(stdout), Some(stderr)) = (child.stdout.take(), child.stderr.take()) {
            forwarder("stdout", &tails[0]).spawn(stdout, io::stdout())?;
            forwarder("stderr", &tails[1]).spawn(stderr, io::stderr())?;
        }
        let events = signals.sender.clone();
        spawn("child", move || {
            let _ = events.send(ChildEvent::Ended(child.wait()));
        })?;
        Ok(Self { group, tails })
    }

    /// Returns the id of the process group, which is also the id of the child process.
    pub fn group(&self) -> u32 {
        self.group.as_raw_nonzero().get().unsigned_abs()
    }

    /// Waits for the end of the child process and its output. A signal to this process, or the time `limit`, terminates
    /// the process group. Output is only read for a limited time after the end.
    pub fn wait(self, signals: &TerminationSignals, limit: Duration, log: &Log) -> FinishedChild {
        let mut open_streams = 2;
        let termination = self.wait_for_end(signals, limit, log, &mut open_streams);
        let deadline = Instant::now() + DRAIN_LIMIT;
        while open_streams > 0 {
            match signals.next_before(deadline) {
                Ok(ChildEvent::StreamClosed) => open_streams -= 1,
                // The child has exited and its result is imminent, so signals no longer have an effect.
                Ok(_) => {}
                Err(_) => break,
            }
        }
        let [stdout, stderr] = self.tails.map(|tail| tail.lock().map(|tail| tail.text()).unwrap_or_default());
        FinishedChild { termination, stdout, stderr, output_held_open: open_streams > 0 }
    }

    fn wait_for_end(
        &self,
        signals: &TerminationSignals,
        limit: Duration,
        log: &Log,
        open_streams: &mut u32,
    ) -> Termination {
        let deadline = Instant::now() + limit;
        let mut ended_by_us = None;
        let mut kill_at: Option<Instant> = None;
        let status = loop {
            match signals.next_before(kill_at.unwrap_or(deadline)) {
                Ok(ChildEvent::Ended(status)) => break status,
                Ok(ChildEvent::StreamClosed) => *open_streams -= 1,
                Ok(ChildEvent::SignalReceived(signal)) => {
                    log.warn("received a signal; terminating the child's process group", &[("signal", signal.into())]);
                    ended_by_us = ended_by_us.or(Some(Termination::Interrupted(signal)));
                    kill_at = kill_at.or_else(|| Some(Instant::now() + GRACE));
                    let _ = kill_process_group(self.group, Signal::TERM);
                }
                Err(_) if kill_at.is_none() => {
                    let attributes = [("limitSeconds", limit.as_secs().into())];
                    log.error("the child exceeded its time limit; terminating its process group", &attributes);
                    ended_by_us = Some(Termination::TimedOut);
                    kill_at = Some(Instant::now() + GRACE);
                    let _ = kill_process_group(self.group, Signal::TERM);
                }
                Err(_) => {
                    let _ = kill_process_group(self.group, Signal::KILL);
                    kill_at = Some(Instant::now() + KILL_INTERVAL);
                }
            }
        };
        if let Some(termination) = ended_by_us {
            // The leader of the group may have exited before the others.
            end_group(self.group, kill_at.map_or(GRACE, |at| at.saturating_duration_since(Instant::now())));
            return termination;
        }
        match status {
            Ok(status) => match (status.code(), status.signal()) {
                (Some(code), _) => Termination::Exited(code),
                (None, signal) => Termination::Killed(signal.unwrap_or_default()),
            },
            Err(_) => Termination::Killed(0),
        }
    }
}

/// Terminates a process group: sends TERM, waits for at most `grace`, sends KILL.
pub(super) fn end_group(group: Pid, grace: Duration) {
    let _ = kill_process_group(group, Signal::TERM);
    let deadline = Instant::now() + grace;
    while test_kill_process_group(group).is_ok() && Instant::now() < deadline {
        thread::sleep(Duration::from_millis(20));
    }
    let _ = kill_process_group(group, Signal::KILL);
}

/// Forwards one stream of a child process.
struct Forwarder {
    name: &'static str,
    tail: Arc<Mutex<Tail>>,
    events: Sender<ChildEvent>,
    secrets: Arc<Redactor>,
    log: Log,
}

impl Forwarder {
    fn spawn(self, from: impl Read + Send + 'static, to: impl Write + Send + 'static) -> io::Result<()> {
        spawn(self.name, move || self.run(from, to))
    }

    fn run(self, mut from: impl Read, mut to: impl Write) {
        let mut stream = RedactedStream::new(&self.secrets);
        let mut buffer = vec![0; 32 << 10];
        let mut so_far = 0;
        loop {
            let read = match from.read(&mut buffer) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Ok(read) => read,
                Err(_) => 0,
            };
            let piece = if read == 0 { stream.finish() } else { stream.push(&buffer[..read]) };
            if !piece.is_empty() {
                // The child continues if a stream of this process is closed.
                let _ = to.write_all(&piece).and_then(|()| to.flush());
                self.log.output(self.name, &piece, so_far);
                so_far = so_far.saturating_add(piece.len());
                if let Ok(mut tail) = self.tail.lock() {
                    tail.push(&piece);
                }
            }
            if read == 0 {
                let _ = self.events.send(ChildEvent::StreamClosed);
                return;
            }
        }
    }
}
