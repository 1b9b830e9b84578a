//! Renders many documents: reads one per line and writes one result per line, in the same order, in constant memory.
//!
//! A reader hands chunks of lines to one worker per core in turn, and the writer collects the results in the same turn. The
//! order needs no numbers, and no thread gets further ahead than the length of a channel.

use std::fs::File;
use std::io::{self, BufRead, BufReader, IsTerminal, Read, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use serde_json::{Value, json};

use super::super::input::{self, NamedFile, OsError};
use super::super::{Failure, Outcome, output};
use crate::catalogue::operating_systems::OperatingSystem;
use crate::delivery::Request;
use crate::document::LARGEST_DOCUMENT;
use crate::inputs::{Checks, Input, InputKind, Reading};
use crate::redaction::printable_json;

/// Capacity of the channels to and from one worker, in chunks.
const CAPACITY: usize = 4;

/// A chunk is complete once it has this many bytes.
const CHUNK: usize = 1 << 16;

/// Lines of the input that are not blank.
#[derive(Default)]
struct Chunk {
    text: Vec<u8>,
    /// The number of each line, from 1, and where it ends.
    lines: Vec<(usize, usize)>,
}

/// The lines of the output for one chunk.
#[derive(Default)]
struct Answers {
    text: Vec<u8>,
    count: usize,
    failed: usize,
    notes: Vec<String>,
}

/// How the documents of a batch are rendered.
pub(super) struct Requests {
    /// The value of `--os`.
    pub os: Option<&'static OperatingSystem>,
    /// One request for each operating system, in the order of the table.
    pub by_os: Vec<Request>,
    /// The checks.
    pub checks: Checks,
}

impl Requests {
    /// Returns the request for an input.
    fn of(&self, input: &Input) -> Result<&Request, OsError> {
        let os = input::operating_system_of(self.os, input, &self.checks)?;
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
    let shared = Arc::new(requests);
    let (mut senders, mut answers) = (Vec::new(), Vec::new());
    let started = (0..workers).try_for_each(|_| {
        let (sender, chunks) = sync_channel::<Chunk>(CAPACITY);
        let (answering, receiver) = sync_channel::<Answers>(CAPACITY);
        let shared = Arc::clone(&shared);
        let work = move || {
            for chunk in chunks {
                // The writer has ended if stdout is closed.
                if answering.send(answer(&chunk, kind, &shared)).is_err() {
                    return;
                }
            }
        };
        thread::Builder::new().spawn(work)?;
        senders.push(sender);
        answers.push(receiver);
        Ok(())
    });
    // One is enough.
    started.or_else(|error| if senders.is_empty() { Err(failed("start a thread", error)) } else { Ok(()) })?;
    // No thread is joined if the results cannot be written: this process ends then, although more input may come.
    let reader = thread::Builder::new().spawn(move || deal(BufReader::with_capacity(1 << 16, input), &senders));
    let reader = reader.map_err(|error| failed("start a thread", error))?;
    let all_good = collect(&answers).map_err(|error| output::cannot_write(&error))?;
    reader.join().expect("the reader does not panic").map_err(|error| failed("read the batch", error))?;
    if all_good { Ok(()) } else { Err(Failure::Reported) }
}

/// Hands every line that is not blank to the workers in turn.
fn deal(mut input: BufReader<impl Read>, workers: &[SyncSender<Chunk>]) -> io::Result<()> {
    let (mut number, mut turn, mut is_more) = (0, 0, true);
    while is_more {
        let mut chunk = Chunk::default();
        // Do not wait for a line that has not arrived: its sender may be waiting for answers to the ones before.
        while is_more && chunk.text.len() < CHUNK && (chunk.text.is_empty() || !input.buffer().is_empty()) {
            number += 1;
            is_more = read_line(&mut input, number, &mut chunk)?;
        }
        if !chunk.lines.is_empty() {
            if workers[turn % workers.len()].send(chunk).is_err() {
                break;
            }
            turn += 1;
        }
    }
    Ok(())
}

/// Adds a line to a chunk unless it is blank. Returns false at the end of the input.
fn read_line(input: &mut impl BufRead, number: usize, chunk: &mut Chunk) -> io::Result<bool> {
    let start = chunk.text.len();
    // One byte more than the largest document is enough to reject it; the rest of such a line is skipped.
    let limit = LARGEST_DOCUMENT as u64 + 2;
    if input.take(limit).read_until(b'\n', &mut chunk.text)? == 0 {
        return Ok(false);
    }
    if chunk.text.last() == Some(&b'\n') {
        chunk.text.pop();
    } else if chunk.text.len() - start > LARGEST_DOCUMENT {
        input.skip_until(b'\n')?;
    }
    if chunk.text[start..].iter().all(u8::is_ascii_whitespace) {
        chunk.text.truncate(start);
    } else {
        chunk.lines.push((number, chunk.text.len()));
    }
    Ok(true)
}

/// Writes the answers in the order of their lines.
fn collect(workers: &[Receiver<Answers>]) -> io::Result<bool> {
    let mut out = io::stdout().lock();
    let progress = io::stderr().is_terminal();
    let (mut done, mut failed) = (0, 0);
    for turn in 0.. {
        // The first worker without an answer is after the last line.
        let Ok(answers) = workers[turn % workers.len()].recv() else { break };
        out.write_all(&answers.text)?;
        answers.notes.iter().for_each(|note| output::note(note));
        let thousands = done / 1000;
        done += answers.count;
        failed += answers.failed;
        if progress && done / 1000 > thousands {
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

/// Renders the lines of a chunk.
fn answer(chunk: &Chunk, kind: Option<InputKind>, requests: &Requests) -> Answers {
    let mut answers = Answers { count: chunk.lines.len(), ..Answers::default() };
    let mut start = 0;
    for (number, end) in &chunk.lines {
        let reading = Reading::new(kind, &chunk.text[start..*end], &requests.checks);
        start = *end;
        let result = if let Some(input) = reading.input {
            match render(&input, requests) {
                Ok((result, note)) => {
                    answers.notes.extend(note.map(|note| format!("line {number}: {note}")));
                    Ok(result)
                }
                Err(problem) => Err(json!({"problem": problem})),
            }
        } else {
            let mut error = json!({});
            output::add_findings(&mut error, &reading.report);
            Err(error)
        };
        answers.failed += usize::from(result.is_err());
        let answer = result.unwrap_or_else(|error| json!({"line": number, "error": error}));
        writeln!(answers.text, "{}", printable_json(answer.to_string())).expect("writing to memory does not fail");
    }
    answers
}

/// Returns the result for an input and a note about it, or the reason for having none.
fn render(input: &Input, requests: &Requests) -> Result<(Value, Option<String>), String> {
    let request = requests.of(input).map_err(|error| error.to_string())?;
    let delivery = request.render(input).map_err(|error| error.to_string())?;
    Ok((delivery.to_json(), super::note_of_route(request, &delivery)))
}
