//! The wall clock in the time zone of the machine. It is only shown to people, and no decision depends on it.

use std::sync::OnceLock;
use std::time::{Duration, SystemTime};

use tz::{DateTime, TimeZone, TimeZoneRef};

use crate::moment::{DAYS, MONTHS};

/// A point in time, as the time since 1970.
#[derive(Clone, Copy, Debug)]
pub(super) struct WallTime(Duration);

/// Returns the time zone of the machine, UTC if that is unknown.
fn zone() -> &'static TimeZone {
    static ZONE: OnceLock<TimeZone> = OnceLock::new();
    ZONE.get_or_init(|| TimeZone::local().unwrap_or_else(|_| TimeZone::utc()))
}

fn weekday(time: &DateTime) -> &'static str {
    DAYS[usize::from(time.week_day())]
}

fn date(time: &DateTime) -> String {
    format!("{:04}-{:02}-{:02}", time.year(), time.month(), time.month_day())
}

fn clock(time: &DateTime) -> String {
    format!("{:02}:{:02}:{:02}", time.hour(), time.minute(), time.second())
}

fn designation(time: &DateTime) -> &str {
    Some(time.local_time_type().time_zone_designation()).filter(|name| !name.is_empty()).unwrap_or("UTC")
}

impl WallTime {
    pub fn now() -> Self {
        Self(SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default())
    }

    /// Returns the point in time `duration` later.
    pub fn after(self, duration: Duration) -> Self {
        Self(self.0.saturating_add(duration))
    }

    /// Returns the point in time `duration` earlier.
    pub fn before(self, duration: Duration) -> Self {
        Self(self.0.saturating_sub(duration))
    }

    /// Returns the nanoseconds since 1970.
    pub const fn nanoseconds(self) -> u128 {
        self.0.as_nanos()
    }

    /// Returns the format of logs: `2026-01-31T08:15:30.123456+01:00`.
    pub fn rfc3339(self) -> String {
        let time = self.at(zone());
        let offset = time.local_time_type().ut_offset();
        let (sign, minutes) = (if offset < 0 { '-' } else { '+' }, offset.unsigned_abs() / 60);
        let (date, clock, micros) = (date(&time), clock(&time), self.0.subsec_micros());
        format!("{date}T{clock}.{micros:06}{sign}{:02}:{:02}", minutes / 60, minutes % 60)
    }

    /// Returns the format of events: `2026-01-31 08:15:30.123`.
    pub fn event_format(self) -> String {
        let time = self.at(zone());
        format!("{} {}.{:03}", date(&time), clock(&time), self.0.subsec_millis())
    }

    /// Returns the format of systemd's timestamps: `Sat 2026-01-31 08:15:30 CET`.
    pub fn systemd_format(self) -> String {
        let time = self.at(zone());
        format!("{} {} {} {}", weekday(&time), date(&time), clock(&time), designation(&time))
    }

    /// Returns the format of `date` in the C locale: `Sat Jan 31 08:15:30 CET 2026`.
    pub fn date_format(self) -> String {
        let time = self.at(zone());
        let (month, day) = (MONTHS[usize::from(time.month()) - 1], time.month_day());
        format!("{} {month} {day:>2} {} {} {}", weekday(&time), clock(&time), designation(&time), time.year())
    }

    /// Returns date and time of day in a time zone; the beginning of 1970 if they are out of range.
    fn at(self, zone: &TimeZone) -> DateTime {
        let seconds = i64::try_from(self.0.as_secs()).unwrap_or(i64::MAX);
        DateTime::from_timespec(seconds, 0, zone.as_ref())
            .or_else(|_| DateTime::from_timespec(0, 0, TimeZoneRef::utc()))
            .expect("1970 is in the calendar")
    }
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    #[test]
    fn times_for_people_are_those_that_date_prints() {
        // In June and January, for zones with a summer time.
        for seconds in [0, 951_782_400, 1_769_840_130, 1_782_000_000] {
            let time = WallTime(Duration::from_secs(seconds));
            for (format, ours) in [("+%a %F %T %Z", time.systemd_format()), ("+%a %b %e %T %Z %Y", time.date_format())]
            {
                let date =
                    Command::new("date").args(["-d", &format!("@{seconds}"), format]).env("LC_ALL", "C").output();
                let date = String::from_utf8(date.expect("coreutils are there").stdout).expect("text");
                assert_eq!(ours, date.trim_end());
            }
        }
    }

    #[test]
    fn times_are_written_in_the_time_zone_of_the_machine() {
        let time = WallTime(Duration::new(1_769_840_130, 123_456_789));
        for (hours, expected) in [(-7, "2026-01-30T23:15:30"), (0, "2026-01-31T06:15:30"), (5, "2026-01-31T11:15:30")] {
            let zone = TimeZone::fixed(hours * 3600).expect("an offset");
            let time = time.at(&zone);
            assert_eq!(format!("{}T{}", date(&time), clock(&time)), expected);
        }
        // The zone of this machine may differ by any number of minutes.
        assert!(time.rfc3339().contains(":30.123456") && time.event_format().ends_with(":30.123"));
        assert!(time.after(Duration::from_secs(90)).event_format().ends_with(":00.123"));
        assert!(time.before(Duration::from_secs(31)).event_format().ends_with(":59.123"));
    }
}
