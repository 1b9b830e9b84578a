//! Many documents: one per line in, one result per line out, in the same order, in constant memory.
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
use crate::delivery::Request;
use crate::document::LARGEST_DOCUMENT;
use crate::inputs::{Checks, Input, InputKind, Reading};

/// Capacity of the channels to and from one worker, in chunks.
const CAPACITY: usize = 4;

/// A chunk has no more lines once it has this many bytes.
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
}

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
    let (senders, receivers): (Vec<_>, Vec<_>) = (0..workers).map(|_| sync_channel::<Chunk>(CAPACITY)).unzip();
    let (answering, answers): (Vec<_>, Vec<_>) = (0..workers).map(|_| sync_channel::<Answers>(CAPACITY)).unzip();

    // No thread is joined if the results cannot be written: this process ends then, although more input may come.
    let reader = thread::spawn(move || deal(BufReader::with_capacity(1 << 16, input), &senders));
    let shared = Arc::new(requests);
    for (chunks, answers) in receivers.into_iter().zip(answering) {
        let shared = Arc::clone(&shared);
        thread::spawn(move || {
            for chunk in chunks {
                // The writer is gone when stdout is closed.
                if answers.send(answer(&chunk, kind, &shared)).is_err() {
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
fn deal(mut input: BufReader<impl Read>, workers: &[SyncSender<Chunk>]) -> io::Result<()> {
    let (mut number, mut turn, mut is_more) = (0, 0, true);
    while is_more {
        let mut chunk = Chunk::default();
        // A line that has not come yet is not waited for: whoever sends it may wait for the answers first.
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

/// Adds a line to a chunk unless it is blank. Returns whether there was one.
fn read_line(input: &mut impl BufRead, number: usize, chunk: &mut Chunk) -> io::Result<bool> {
    let start = chunk.text.len();
    // One byte more than a document may have is enough to reject it; the rest of such a line is skipped.
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
        // The first worker without an answer is past the last line.
        let Ok(answers) = workers[turn % workers.len()].recv() else { break };
        out.write_all(&answers.text)?;
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
    let mut answers = Answers { text: Vec::new(), count: chunk.lines.len(), failed: 0 };
    let mut start = 0;
    for (number, end) in &chunk.lines {
        let reading = Reading::new(kind, &chunk.text[start..*end], &requests.checks);
        start = *end;
        let result = if let Some(input) = reading.input {
            render(&input, requests).map_err(|problem| json!({"problem": problem}))
        } else {
            let mut error = json!({});
            output::add_findings(&mut error, &reading.report);
            Err(error)
        };
        answers.failed += usize::from(result.is_err());
        let answer = result.unwrap_or_else(|error| json!({"line": number, "error": error}));
        writeln!(answers.text, "{answer}").expect("writing to memory does not fail");
    }
    answers
}

/// Returns the result for an input, or why there is none.
fn render(input: &Input, requests: &Requests) -> Result<Value, String> {
    let request = requests.of(input).map_err(|error| error.to_string())?;
    let delivery = request.render(input).map_err(|error| error.to_string())?;
    Ok(delivery.to_json())
}
