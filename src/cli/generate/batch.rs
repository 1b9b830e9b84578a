//! Renders many documents: reads one per line and writes one result per line, in the same order, in constant memory.
//! docs/batch.md describes the lines.
//!
//! A reader hands chunks of lines to one worker per core in turn, and the writer collects the results in the same turn. The
//! order needs no numbers, and no thread gets further ahead than the length of a channel.

use std::fs::File;
use std::io::{self, BufRead, BufReader, IsTerminal, Read, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use serde_json::{Value, json};

use super::super::input::{self, NamedFile};
use super::super::progress::Progress;
use super::super::{Failure, Outcome, output, shown};
use super::line::Line;
use crate::catalogue::operating_systems::OperatingSystem;
use crate::delivery::{RenderError, Request, Route};
use crate::document::{DocPath, Finding, LARGEST_DOCUMENT, Report, Severity, rules};
use crate::inputs::karpenter::bundle::{Bundle, Gathered};
use crate::inputs::{Checks, DocumentKind, InputKind, OtherKind, Reading, recognize};
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
    count: u32,
    failed: u32,
    notes: Vec<String>,
}

/// How the documents of a batch are rendered.
pub(super) struct Requests {
    /// The value of `--os`.
    pub os: Option<&'static OperatingSystem>,
    /// The value of `--route`.
    pub route: Route,
    /// One for each route.
    pub by_route: Vec<OfRoute>,
}

/// How the documents of one route are rendered.
pub(super) struct OfRoute {
    /// The checks.
    pub checks: Checks,
    /// One request for each operating system, or why the route does not go with the command line.
    pub by_os: Result<Vec<Request>, String>,
}

impl Requests {
    fn of_route(&self, route: Option<Route>) -> &OfRoute {
        let route = route.unwrap_or(self.route);
        let place = Route::ALL.iter().position(|one| *one == route).expect("the list has every route");
        &self.by_route[place]
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
        // Do not wait for the end of a line that has not arrived: its sender may be waiting for answers to the ones before.
        let has_line = |input: &BufReader<_>| memchr::memchr(b'\n', input.buffer()).is_some();
        while is_more && chunk.text.len() < CHUNK && (chunk.text.is_empty() || has_line(&input)) {
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
    let is_shown = io::stdout().is_terminal();
    let mut progress = Progress::start();
    let (mut done, mut failed) = (0_u32, 0_u32);
    for turn in 0.. {
        // The first worker without an answer is after the last line.
        let Ok(answers) = workers[turn % workers.len()].recv() else { break };
        if is_shown || !answers.notes.is_empty() {
            progress.clear();
        }
        out.write_all(&answers.text)?;
        out.flush()?;
        answers.notes.iter().for_each(|note| output::note(note));
        done += answers.count;
        failed += answers.failed;
        progress.show(|time| {
            let errors = if failed == 1 { "error" } else { "errors" };
            format!("{done} done, {:.0} per second, {failed} {errors}", f64::from(done) / time.as_secs_f64())
        });
    }
    drop(progress);
    if failed > 0 {
        output::note(&format!("error: {failed} of {done} documents failed"));
    }
    Ok(failed == 0)
}

/// Renders the lines of a chunk.
fn answer(chunk: &Chunk, kind: Option<InputKind>, requests: &Requests) -> Answers {
    let mut answers = Answers::default();
    let mut start = 0;
    for (number, end) in &chunk.lines {
        let text = &chunk.text[start..*end];
        start = *end;
        let line = Line::new(text, &requests.of_route(None).checks);
        let id = line.id;
        let (answer, note) = guarded(|| render(line, *number, kind, requests)).unwrap_or_else(|error| {
            answers.failed += 1;
            (json!({"line": number, "error": error}), None)
        });
        answers.notes.extend(note.map(|note| format!("line {number}: {note}")));
        answers.count += 1;
        let answer = printable_json(answer.to_string());
        // The id is returned byte for byte, so it is not serialized again.
        let written = match id {
            Some(id) => writeln!(answers.text, "{{\"id\":{id},{}", &answer[1..]),
            None => writeln!(answers.text, "{answer}"),
        };
        written.expect("writing to memory does not fail");
    }
    answers
}

/// A result and a note about it, or the error object.
type Rendered = Result<(Value, Option<String>), Value>;

/// Calls a function that renders a line. A panic becomes an error, because the following lines must be answered too.
fn guarded(render: impl FnOnce() -> Rendered) -> Rendered {
    catch_unwind(AssertUnwindSafe(render)).unwrap_or_else(|_| {
        Err(error("this program has a bug, and its message is on standard error", &Report::default()))
    })
}

fn render(line: Line<'_>, number: usize, kind: Option<InputKind>, requests: &Requests) -> Rendered {
    let OfRoute { checks, by_os } = requests.of_route(line.route);
    let os = line.os.or(requests.os);
    let reading = line
        .document
        .map(|document| objects(kind, document, checks).unwrap_or_else(|| Reading::new(kind, document, checks)));
    let (input, of_document) = reading.map(|reading| (reading.input, reading.report)).unwrap_or_default();
    let report = line.all_findings(number, of_document);
    let Some(input) = input.filter(|_| report.is_valid()) else { return Err(error(&summary(&report), &report)) };
    let problem = |problem: String| error(&problem, &Report::default());
    let requests = by_os.as_ref().map_err(|message| problem(message.clone()))?;
    let os = input::operating_system_of(os, &input, checks).map_err(|error| problem(error.to_string()))?;
    let request = requests.iter().find(|request| request.os == os).expect("there is one for each");
    match request.render(&input) {
        Ok(delivery) => Ok((delivery.to_json(), super::note_of_route(request, &delivery))),
        Err(RenderError::Document(finding)) => Err(error(&shown::message(&finding).to_string(), &finding.into())),
        Err(other) => Err(problem(other.to_string())),
    }
}

/// Reads a list of Karpenter's objects, which describe one node. `None` if the document is none.
fn objects(kind: Option<InputKind>, document: &[u8], checks: &Checks) -> Option<Reading> {
    // Looking for the name is cheaper than recognizing the kind of each document.
    let may_be = kind.is_none() && memchr::memmem::find(document, b"\"AKSNodeClass\"").is_some();
    if !may_be || recognize(document) != Some(DocumentKind::Other(OtherKind::KubernetesList)) {
        return None;
    }
    let mut bundle = Bundle::default();
    bundle.add(String::new(), document.to_vec(), None);
    let Gathered { files, others, missing, converted, .. } = bundle.finish(checks);
    let mut report = Report::default();
    for of_part in files.into_iter().map(|file| file.report).chain(others.into_iter().map(|(_, report)| report)) {
        report.findings.extend(of_part.findings);
        report.omitted += of_part.omitted;
    }
    report.findings.extend(missing.into_iter().map(|(option, command)| {
        let problem = format!("has no {}: `{command}` prints it", option.trim_start_matches('-'));
        Finding::violation(&rules::REQUIRED, DocPath::root(), problem)
    }));
    Some(match converted {
        Some((_, converted)) => Reading::of_bootstrap_inputs(converted.inputs, report, None, checks),
        None => report.into(),
    })
}

/// Returns the first error, and the number of the others.
fn summary(report: &Report) -> String {
    let mut errors = report.findings.iter().filter(|finding| finding.severity == Severity::Error);
    let Some(first) = errors.next() else { return "the line has no document".to_owned() };
    match errors.count() + report.omitted {
        0 => shown::message(first).to_string(),
        more => format!("{} (and {more} more)", shown::message(first)),
    }
}

/// Returns the object that describes an error.
fn error(message: &str, report: &Report) -> Value {
    let mut error = json!({"message": message});
    output::add_findings(&mut error, report);
    error
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_on_which_the_program_fails_is_answered() {
        let answer = guarded(|| panic!("expected by a test"));
        let error = answer.expect_err("it failed");
        assert_eq!(error["findings"], json!([]));
        assert!(error["message"].as_str().is_some_and(|message| message.contains("bug")), "{error}");
    }
}
