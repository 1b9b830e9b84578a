//! Processes and events. Waits end with the event; the limit only keeps a test that fails from hanging.

use std::io::Read;
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant};

/// How long a test waits for an event before it fails. Far more than any event needs, even on a machine whose cores are
/// all busy.
const LIMIT: Duration = Duration::from_mins(5);

/// Waits until `is_so` returns true. Panics with `what` if it never does.
pub fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    let end = Instant::now() + LIMIT;
    while !is_so() {
        assert!(Instant::now() < end, "this never happened: {what}");
        thread::sleep(Duration::from_millis(5));
    }
}

/// Sends a signal to a process, or to a group if `to` starts with a hyphen.
pub fn send(signal: &str, to: &str) {
    let _ = Command::new("kill").args(["-s", signal, "--", to]).stderr(Stdio::null()).status();
}

/// Runs a command to its end. Standard input is empty, both output streams are captured.
pub fn finish(command: &mut Command) -> Output {
    Running::start(command).end()
}

/// A process that is killed when the value is dropped.
pub struct Running {
    pub child: Child,
    streams: Option<[Receiver<Vec<u8>>; 2]>,
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Running {
    /// Starts a command. Standard input is empty; both output streams are read from the start, so that the process never
    /// blocks on them.
    pub fn start(command: &mut Command) -> Self {
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap_or_else(|error| panic!("{command:?}: {error}"));
        let stdout = child.stdout.take().expect("it was piped");
        let stderr = child.stderr.take().expect("it was piped");
        Self { child, streams: Some([collect(stdout), collect(stderr)]) }
    }

    /// Starts a command without looking at its output.
    pub fn start_silent(command: &mut Command) -> Self {
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let child = command.spawn().unwrap_or_else(|error| panic!("{command:?}: {error}"));
        Self { child, streams: None }
    }

    pub fn id(&self) -> u32 {
        self.child.id()
    }

    pub fn signal(&self, signal: &str) {
        send(signal, &self.child.id().to_string());
    }

    /// Waits for the end of the process, but not for the end of its output, which processes that it started may hold.
    pub fn status(&mut self) -> ExitStatus {
        let mut status = None;
        until("the process ends", || {
            status = self.child.try_wait().expect("the process is a child of this one");
            status.is_some()
        });
        status.expect("the wait has ended")
    }

    /// Waits for the end of the process and of its output.
    pub fn end(mut self) -> Output {
        let status = self.status();
        let streams = self.streams.take().expect("the output is captured");
        let [stdout, stderr] = streams.map(|stream| stream.recv_timeout(LIMIT).expect("the output ends"));
        Output { status, stdout, stderr }
    }
}

fn collect(mut stream: impl Read + Send + 'static) -> Receiver<Vec<u8>> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let mut bytes = Vec::new();
        let _ = stream.read_to_end(&mut bytes);
        let _ = sender.send(bytes);
    });
    receiver
}
