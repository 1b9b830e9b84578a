//! Many documents: one per line in, one result per line out, in the same order, in constant memory.
//!
//! A reader hands lines to one worker per core in turn, and the writer collects the results in the same turn. The order
//! needs no numbers, and no thread gets further ahead than the length of a channel.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, IsTerminal, Read, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use serde_json::{Value, json};

use super::super::input::{self, NamedFile, OsError};
use super::super::{Failure, Outcome, output};
use crate::delivery::Request;
use crate::document::LARGEST_DOCUMENT;
use crate::inputs::{Checks, Input, InputKind, Reading};

/// Capacity of the channels to and from one worker, in lines.
const CAPACITY: usize = 64;

/// A line of the input and its number, from 1.
type Line = (usize, Vec<u8>);
/// A line of the output, and whether it is a result rather than an error.
type Answer = (Vec<u8>, bool);

/// How the documents of a batch are rendered.
pub(super) struct Requests {
    /// The value of `--os`.
    pub os: Option<String>,
    /// One request for each operating system, in the order of the table.
    pub by_os: Vec<Request>,
    /// What is checked.
    pub checks: Checks,
}

impl Requests {
    /// Returns the request for an input.
    fn of(&self, input: &Input) -> Result<&Request, OsError> {
        let os = input::operating_system_of(self.os.as_deref(), input, &self.checks)?;
        Ok(self.by_os.iter().find(|request| request.os == os).expect("there is one for each"))
    }
}

pub(super) fn run(file: &NamedFile<'_>, requests: Requests) -> Outcome {
    let failed = |what: &str, error: io::Error| Failure::Input(format!("cannot {what}: {error}"));
    let input: Box<dyn Read + Send> = if file.path == Path::new("-") {
        Box::new(io::stdin())
    } else {
        Box::new(File::open(file.path).map_err(|error| failed(&format!("read {}", file.path.display()), error))?)
    };
    let kind = file.kind;
    let workers = thread::available_parallelism().map_or(1, usize::from);
    let (senders, receivers): (Vec<_>, Vec<_>) = (0..workers).map(|_| sync_channel::<Line>(CAPACITY)).unzip();
    let (answering, answers): (Vec<_>, Vec<_>) = (0..workers).map(|_| sync_channel::<Answer>(CAPACITY)).unzip();

    // No thread is joined if the results cannot be written: this process ends then, although more input may come.
    let reader = thread::spawn(move || deal(BufReader::with_capacity(1 << 16, input), &senders));
    let shared = Arc::new(requests);
    for (lines, answers) in receivers.into_iter().zip(answering) {
        let shared = Arc::clone(&shared);
        thread::spawn(move || {
            for (number, line) in lines {
                // The writer is gone when stdout is closed.
                if answers.send(answer(number, &line, kind, &shared)).is_err() {
                    return;
                }
            }
        });
    }
    let all_good = collect(&answers).map_err(|error| output::cannot_write(&error))?;
    reader.join().expect("the reader does not panic").map_err(|error| failed("read the batch", error))?;
    if all_good { Ok(()) } else { Err(Failure::Reported) }
}

/// Hands every line that is not blank to the workers in turn.
fn deal(mut input: impl BufRead, workers: &[SyncSender<Line>]) -> io::Result<()> {
    let (mut number, mut turn) = (0, 0);
    loop {
        let mut line = Vec::new();
        // One byte more than a document may have is enough to reject it; the rest of such a line is skipped.
        let limit = LARGEST_DOCUMENT as u64 + 2;
        if input.by_ref().take(limit).read_until(b'\n', &mut line)? == 0 {
            return Ok(());
        }
        number += 1;
        if line.last() == Some(&b'\n') {
            line.pop();
        } else if line.len() > LARGEST_DOCUMENT {
            input.skip_until(b'\n')?;
        }
        if line.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        if workers[turn % workers.len()].send((number, line)).is_err() {
            return Ok(());
        }
        turn += 1;
    }
}

/// Writes the answers in the order of their lines.
fn collect(workers: &[Receiver<Answer>]) -> io::Result<bool> {
    let mut out = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    let progress = io::stderr().is_terminal();
    let (mut done, mut failed) = (0_usize, 0_usize);
    for turn in 0.. {
        // The first worker without an answer is past the last line.
        let Ok((text, good)) = workers[turn % workers.len()].recv() else { break };
        out.write_all(&text)?;
        done += 1;
        failed += usize::from(!good);
        if progress && done.is_multiple_of(1000) {
            let _ = write!(io::stderr(), "\r{done} done, {failed} failed");
        }
    }
    out.flush()?;
    if progress && done >= 1000 {
        output::note("");
    }
    if failed > 0 {
        output::note(&format!("error: {failed} of {done} documents failed"));
    }
    Ok(failed == 0)
}

/// Renders one line.
fn answer(number: usize, line: &[u8], kind: Option<InputKind>, requests: &Requests) -> Answer {
    let reading = Reading::new(kind, line, &requests.checks);
    let (object, good): (Value, bool) = match reading.input {
        None => (json!({"line": number, "error": {"findings": output::findings_json(&reading.report)}}), false),
        Some(input) => {
            let rendered = match requests.of(&input) {
                Ok(request) => request.render(&input).map_err(|error| error.to_string()),
                Err(error) => Err(error.to_string()),
            };
            match rendered {
                Ok(delivery) => (delivery.to_json(), true),
                Err(problem) => (json!({"line": number, "error": {"problem": problem}}), false),
            }
        }
    };
    let mut text = object.to_string().into_bytes();
    text.push(b'\n');
    (text, good)
}
