//! The clock on the wall, in the machine's zone. For people: nothing is decided by it.

use std::time::Duration;

use jiff::Zoned;

/// A moment.
#[derive(Clone, Debug)]
pub(super) struct Wall(Zoned);

impl Wall {
    pub fn now() -> Self {
        Self(Zoned::now())
    }

    /// The moment so much later.
    pub fn after(&self, duration: Duration) -> Self {
        Self(self.0.checked_add(duration).unwrap_or_else(|_| self.0.clone()))
    }

    /// Since 1970.
    pub fn nanoseconds(&self) -> i128 {
        self.0.timestamp().as_nanosecond()
    }

    /// As logs have it: `2026-01-31T08:15:30.123456+01:00`.
    pub fn rfc3339(&self) -> String {
        let offset = self.0.offset().seconds();
        let (sign, minutes) = (if offset < 0 { '-' } else { '+' }, offset.unsigned_abs() / 60);
        let zone = format!("{sign}{:02}:{:02}", minutes / 60, minutes % 60);
        format!("{}.{:06}{zone}", self.seconds('T'), self.0.subsec_nanosecond() / 1000)
    }

    /// As events have it: `2026-01-31 08:15:30.123`.
    pub fn for_an_event(&self) -> String {
        format!("{}.{:03}", self.seconds(' '), self.0.subsec_nanosecond() / 1_000_000)
    }

    fn seconds(&self, between: char) -> String {
        let time = &self.0;
        format!(
            "{:04}-{:02}-{:02}{between}{:02}:{:02}:{:02}",
            time.year(),
            time.month(),
            time.day(),
            time.hour(),
            time.minute(),
            time.second()
        )
    }
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;
    use jiff::tz::{Offset, TimeZone};

    use super::*;

    #[test]
    fn moments_are_written_in_the_zone_of_the_machine() {
        for (hours, log, event) in [
            (-7, "2026-01-30T23:15:30.123456-07:00", "2026-01-30 23:15:30.123"),
            (0, "2026-01-31T06:15:30.123456+00:00", "2026-01-31 06:15:30.123"),
            (5, "2026-01-31T11:15:30.123456+05:00", "2026-01-31 11:15:30.123"),
        ] {
            let zone = TimeZone::fixed(Offset::from_hours(hours).expect("an offset"));
            let moment = Timestamp::new(1_769_840_130, 123_456_789).expect("a moment");
            let wall = Wall(moment.to_zoned(zone));
            assert_eq!((wall.rfc3339().as_str(), wall.for_an_event().as_str()), (log, event));
            assert!(wall.after(Duration::from_secs(90)).rfc3339().contains(":17:00."));
        }
    }
}
