//! The deadline of a whole fetch, and its log.

use std::fmt::Display;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// The time that a fetch has, from its start.
#[derive(Clone, Copy, Debug)]
pub(super) struct Deadline {
    began: Instant,
    end: Instant,
}

impl Deadline {
    /// Returns a deadline that passes after `limit`.
    pub fn after(limit: Duration) -> Self {
        let began = Instant::now();
        // A limit beyond the range of the clock is as good as a year.
        let end = began.checked_add(limit).unwrap_or_else(|| began + Duration::from_hours(8760));
        Self { began, end }
    }

    /// Returns the time since the start.
    pub fn elapsed(self) -> Duration {
        self.began.elapsed()
    }

    /// Returns the time that is left.
    pub fn left(self) -> Duration {
        self.end.saturating_duration_since(Instant::now())
    }

    /// Reports whether no time is left.
    pub fn has_passed(self) -> bool {
        self.left().is_zero()
    }

    /// Returns this deadline, or an earlier one if it passes later than `limit` from now.
    pub fn at_most(self, limit: Duration) -> Self {
        let end = Instant::now().checked_add(limit).map_or(self.end, |end| end.min(self.end));
        Self { end, ..self }
    }

    /// Waits before the next attempt. Returns whether there is time for one.
    pub fn pause(self, interval: Duration) -> bool {
        sleep(interval.min(self.left()));
        !self.has_passed()
    }

    /// Writes a line to standard error. Its text must have no secret, no setting and no query of a URL.
    pub fn log(self, text: impl Display) {
        let seconds = self.elapsed().as_secs_f32();
        // A closed stream changes nothing about the fetch.
        let _ = std::io::Write::write_all(&mut std::io::stderr(), format!("{seconds:7.2} s  {text}\n").as_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_deadline_is_never_later_than_the_one_that_it_comes_from() {
        let whole = Deadline::after(Duration::from_hours(1));
        assert!(whole.at_most(Duration::from_hours(2)).left() <= Duration::from_hours(1));
        assert!(whole.at_most(Duration::from_mins(1)).left() <= Duration::from_mins(1));
        assert!(Deadline::after(Duration::ZERO).has_passed() && !whole.has_passed());
        assert!(!Deadline::after(Duration::MAX).has_passed());
    }
}
