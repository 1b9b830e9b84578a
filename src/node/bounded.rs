//! Runs programs of the machine whose output is needed within a time limit.

use std::io::{self, Read, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant};

/// Interval of the checks for a program that has closed its output but has not exited.
const INTERVAL: Duration = Duration::from_millis(10);

/// The output of a program.
#[derive(Debug)]
pub(super) struct Answer {
    pub status: ExitStatus,
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
}

/// Runs a program with `input` on its standard input. Keeps at most `most` bytes of each output stream.
///
/// # Errors
/// Fails if the program cannot be started, or has not exited after `limit`, and then kills it.
pub(super) fn ask(command: &mut Command, input: &[u8], limit: Duration, most: u64) -> io::Result<Answer> {
    let deadline = Instant::now() + limit;
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let stdin = child.stdin.take();
    let input = input.to_vec();
    // A program that does not read its input must not block this one.
    thread::spawn(move || stdin.map(|mut stdin| stdin.write_all(&input)));
    let stdout = collect(child.stdout.take(), most);
    let stderr = collect(child.stderr.take(), most);
    let answer = (|| {
        let left = || deadline.saturating_duration_since(Instant::now());
        let stdout = stdout.recv_timeout(left()).ok()?;
        let stderr = stderr.recv_timeout(left()).ok()?;
        let status = ended(&mut child, deadline)?;
        Some(Answer { status, stdout, stderr })
    })();
    if answer.is_none() {
        let _ = child.kill();
        let _ = child.wait();
    }
    answer.ok_or_else(|| io::Error::new(io::ErrorKind::TimedOut, format!("does not exit within {} s", limit.as_secs())))
}

fn ended(child: &mut Child, deadline: Instant) -> Option<ExitStatus> {
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Some(status),
            Ok(None) if Instant::now() < deadline => thread::sleep(INTERVAL),
            _ => return None,
        }
    }
}

fn collect(stream: Option<impl Read + Send + 'static>, most: u64) -> Receiver<Vec<u8>> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut stream) = stream {
            let _ = (&mut stream).take(most).read_to_end(&mut bytes);
            // A closed pipe must not end a program that writes more.
            let _ = io::copy(&mut stream, &mut io::sink());
        }
        let _ = sender.send(bytes);
    });
    receiver
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_is_asked_on_its_standard_input_and_ended_at_the_limit() {
        let mut command = Command::new("sh");
        let answer = ask(command.args(["-c", "cat; echo no >&2; exit 3"]), b"text", Duration::from_secs(100), 3);
        let answer = answer.expect("it ends");
        assert_eq!(
            (answer.status.code(), answer.stdout.as_slice(), answer.stderr.as_slice()),
            (Some(3), &b"tex"[..], &b"no\n"[..])
        );
        let error =
            ask(Command::new("sleep").arg("1000"), b"", Duration::from_millis(50), 9).expect_err("it does not end");
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        let error =
            ask(&mut Command::new("/nowhere/program"), b"", Duration::from_secs(1), 9).expect_err("there is none");
        assert_eq!(error.kind(), io::ErrorKind::NotFound);
    }
}
