//! The wall clock in the time zone of the machine. For people: nothing is decided by it.

use std::sync::OnceLock;
use std::time::{Duration, SystemTime};

use tz::{DateTime, TimeZone};

/// A point in time, as the time since 1970.
#[derive(Clone, Copy, Debug)]
pub(super) struct WallTime(Duration);

/// Returns the time zone of the machine, UTC if it names none that is known.
fn zone() -> &'static TimeZone {
    static ZONE: OnceLock<TimeZone> = OnceLock::new();
    ZONE.get_or_init(|| TimeZone::local().unwrap_or_else(|_| TimeZone::utc()))
}

impl WallTime {
    pub fn now() -> Self {
        Self(SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default())
    }

    /// Returns the point in time `duration` later.
    pub fn after(self, duration: Duration) -> Self {
        Self(self.0.saturating_add(duration))
    }

    /// Returns the nanoseconds since 1970.
    pub const fn nanoseconds(self) -> u128 {
        self.0.as_nanos()
    }

    /// Returns the format of logs: `2026-01-31T08:15:30.123456+01:00`.
    pub fn rfc3339(self) -> String {
        self.format(zone(), 'T', |time, date| {
            let offset = time.map_or(0, |time| time.local_time_type().ut_offset());
            let (sign, minutes) = (if offset < 0 { '-' } else { '+' }, offset.unsigned_abs() / 60);
            format!("{date}.{:06}{sign}{:02}:{:02}", self.0.subsec_micros(), minutes / 60, minutes % 60)
        })
    }

    /// Returns the format of events: `2026-01-31 08:15:30.123`.
    pub fn event_format(self) -> String {
        self.format(zone(), ' ', |_, date| format!("{date}.{:03}", self.0.subsec_millis()))
    }

    fn format(self, zone: &TimeZone, separator: char, end: impl Fn(Option<&DateTime>, String) -> String) -> String {
        let seconds = i64::try_from(self.0.as_secs()).unwrap_or(i64::MAX);
        let time = DateTime::from_timespec(seconds, 0, zone.as_ref()).ok();
        let date = time.as_ref().map_or_else(
            || format!("1970-01-01{separator}00:00:00"),
            |time| {
                format!(
                    "{:04}-{:02}-{:02}{separator}{:02}:{:02}:{:02}",
                    time.year(),
                    time.month(),
                    time.month_day(),
                    time.hour(),
                    time.minute(),
                    time.second()
                )
            },
        );
        end(time.as_ref(), date)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_written_in_the_time_zone_of_the_machine() {
        let time = WallTime(Duration::new(1_769_840_130, 123_456_789));
        for (hours, expected) in [(-7, "2026-01-30T23:15:30"), (0, "2026-01-31T06:15:30"), (5, "2026-01-31T11:15:30")] {
            let zone = TimeZone::fixed(hours * 3600).expect("an offset");
            assert_eq!(time.format(&zone, 'T', |_, date| date), expected);
        }
        // The zone of this machine may differ by any number of minutes.
        assert!(time.rfc3339().contains(":30.123456") && time.event_format().ends_with(":30.123"));
        assert!(time.after(Duration::from_secs(90)).event_format().ends_with(":00.123"));
    }
}
