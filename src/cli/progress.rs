//! A progress line on stderr for long operations, only on a terminal. Like cargo's, it appears after half a second, changes at most ten
//! times a second, and is removed at the end.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use super::output::{self, printable};

/// The time after which an operation is long.
const DELAY: Duration = Duration::from_millis(500);

/// The time between two changes.
const INTERVAL: Duration = Duration::from_millis(100);

/// A line on stderr; nothing if stderr is not a terminal.
pub(super) struct Progress {
    started: Instant,
    /// When the line may change next; `None` if there is no terminal.
    next: Option<Instant>,
    is_shown: bool,
}

impl Progress {
    /// Starts an operation.
    pub fn start() -> Self {
        let started = Instant::now();
        let is_possible = io::stderr().is_terminal() && std::env::var_os("TERM").is_none_or(|term| term != "dumb");
        Self { started, next: is_possible.then(|| started + DELAY), is_shown: false }
    }

    /// Shows a text, which is only made if the line may change now. It is given the time since the start.
    pub fn show(&mut self, text: impl FnOnce(Duration) -> String) {
        let now = Instant::now();
        if self.next.is_none_or(|next| now < next) {
            return;
        }
        self.next = Some(now + INTERVAL);
        let text = printable(&text(now - self.started));
        // A line that wraps would stay.
        let room = output::width(&io::stderr()).map_or(usize::MAX, |width| width - 1);
        let text: String = text.chars().take(room).collect();
        let _ = write!(io::stderr(), "\r{text}\x1b[K");
        self.is_shown = true;
    }

    /// Removes the line, so that something else can be printed.
    pub fn clear(&mut self) {
        if std::mem::take(&mut self.is_shown) {
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.clear();
    }
}
