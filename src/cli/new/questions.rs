//! `new --interactive`: asks on the terminal for each value that is missing.

use std::collections::BTreeSet;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Write};

use super::{Failure, New, Outcome, output};
use crate::cli::file::Document;
use crate::document::Severity;
use crate::draft::Missing;

/// The terminal of the process. Standard input can be a document, and standard output is the result.
struct Terminal {
    input: BufReader<File>,
    output: File,
}

impl Terminal {
    fn open() -> io::Result<Self> {
        let output = OpenOptions::new().read(true).write(true).open("/dev/tty")?;
        Ok(Self { input: BufReader::new(output.try_clone()?), output })
    }

    fn say(&mut self, text: &str) -> Outcome {
        writeln!(self.output, "{text}").map_err(|error| output::cannot_write(&error))
    }

    /// Returns the answer to a question; `None` if it is empty, or if the terminal has been closed.
    fn ask(&mut self, question: &str) -> Result<Option<String>, Failure> {
        write!(self.output, "{question}: ").map_err(|error| output::cannot_write(&error))?;
        let mut line = String::new();
        self.input
            .read_line(&mut line)
            .map_err(|error| Failure::Input(format!("cannot read from the terminal: {error}")))?;
        let answer = line.trim();
        Ok((!answer.is_empty()).then(|| answer.to_owned()))
    }
}

/// The values that are asked for by a file, because they have many lines or are secret.
const IN_FILES: [&str; 3] =
    ["kubernetes_ca_cert", "bootstrapping_config.tls_bootstrapping_token", "auth_config.service_principal_secret"];

/// Adds the answers to the options, until nothing is missing that was not asked for.
pub(super) fn ask(new: &mut New, documents: &[Document]) -> Outcome {
    let mut terminal =
        Terminal::open().map_err(|error| Failure::Usage(format!("--interactive needs a terminal: {error}")))?;
    let pools = New::draft_of(documents).pool_names();
    if new.node_pool.is_none() && pools.len() > 1 {
        new.node_pool = terminal.ask(&format!("Node pool ({})", pools.join(", ")))?;
    }
    let mut asked = BTreeSet::new();
    loop {
        // The caller reports problems of the files.
        let Ok(drafted) = New::draft_of(documents).finish(new.options()?) else { return Ok(()) };
        let Some(missing) = drafted.missing.iter().find(|missing| asked.insert(missing.field)) else { return Ok(()) };
        if asked.len() == 1 {
            terminal.say("An empty answer leaves a placeholder in the document.")?;
        }
        ask_for(new, documents, missing, &mut terminal)?;
    }
}

/// Asks for a value until the answer is accepted.
fn ask_for(new: &mut New, documents: &[Document], missing: &Missing, terminal: &mut Terminal) -> Outcome {
    terminal.say(&format!("\n{}\nThis prints it: {}", missing.field, missing.command))?;
    let question = if IN_FILES.contains(&missing.field) { "File with the value" } else { "Value" };
    while let Some(answer) = terminal.ask(question)? {
        let mut changed = new.clone();
        changed.answer(missing.field, &answer);
        let Some(problem) = changed.problem_with(documents, missing.field) else {
            *new = changed;
            break;
        };
        terminal.say(&problem)?;
    }
    Ok(())
}

impl New {
    /// Sets the option that has the value of a field.
    fn answer(&mut self, field: &str, answer: &str) {
        match field {
            "kubernetes_ca_cert" => self.ca = Some(answer.into()),
            "bootstrapping_config.tls_bootstrapping_token" => self.token_file = Some(answer.into()),
            field if IN_FILES.contains(&field) => self.set_file.push(format!("{field}={answer}")),
            field => self.set.push(format!("{field}={answer}")),
        }
    }

    /// Returns the problem of the options, or of the field of the document.
    fn problem_with(&self, documents: &[Document], field: &str) -> Option<String> {
        let options = match self.options() {
            Ok(options) => options,
            Err(Failure::Input(problem) | Failure::Usage(problem)) => return Some(problem),
            Err(_) => return Some("is not accepted".to_owned()),
        };
        let drafted = match Self::draft_of(documents).finish(options) {
            Ok(drafted) => drafted,
            Err(problems) => return Some(problems.join("\n")),
        };
        let findings = Self::report(&drafted).findings.into_iter();
        let mut errors =
            findings.filter(|finding| finding.severity == Severity::Error && finding.path.to_string() == field);
        errors.next().map(|finding| finding.to_string())
    }
}
