//! Points in time, in the formats of logs.

use std::fmt;
use std::time::Duration;

use x509_cert::der::DateTime;

/// A point in time: milliseconds since 1970, UTC. A time without an offset is read as UTC, the time zone of nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Moment(pub i64);

pub(crate) const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
pub(crate) const DAYS: [&str; 7] = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];

/// Returns the milliseconds of a day and a time of day; `None` if the calendar has no such day.
fn moment(year: i64, month: i64, day: i64, time: i64) -> Option<Moment> {
    let small = |number: i64| u8::try_from(number).ok();
    let day = DateTime::new(u16::try_from(year).ok()?, small(month)?, small(day)?, 0, 0, 0).ok()?;
    i64::try_from(day.unix_duration().as_millis()).ok().map(|midnight| Moment(midnight + time))
}

/// What is known about the time of logs without a year.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reference {
    /// A time near that of the logs.
    pub(crate) near: Moment,
    /// No line of the logs is later.
    pub(crate) latest: Moment,
}

/// A text that is parsed from its beginning.
#[derive(Clone, Copy)]
struct Cursor<'t>(&'t str);

impl Cursor<'_> {
    /// Parses `least` to `most` digits.
    fn number(&mut self, least: usize, most: usize) -> Option<i64> {
        let digits = self.0.bytes().take(most).take_while(u8::is_ascii_digit).count();
        if digits < least {
            return None;
        }
        let (number, rest) = self.0.split_at(digits);
        self.0 = rest;
        number.parse().ok()
    }

    fn any_of(&mut self, characters: &[char]) -> Option<char> {
        let character = self.0.chars().next().filter(|character| characters.contains(character))?;
        self.0 = &self.0[character.len_utf8()..];
        Some(character)
    }

    /// Parses one of the words, and returns its number, from 1.
    fn word(&mut self, words: &[&str]) -> Option<i64> {
        let at = words.iter().position(|word| self.0.starts_with(word))?;
        self.0 = self.0[words[at].len()..].trim_start_matches(' ');
        i64::try_from(at + 1).ok()
    }

    /// Reads `08:15:30`, `08:15:30.123456` or `08:15:30,123`. Returns milliseconds since midnight.
    fn time(&mut self) -> Option<i64> {
        let hour = self.number(2, 2).filter(|hour| *hour < 24)?;
        self.any_of(&[':'])?;
        let minute = self.number(2, 2).filter(|minute| *minute < 60)?;
        self.any_of(&[':'])?;
        let second = self.number(2, 2).filter(|second| *second < 61)?;
        let before = *self;
        let mut fraction = 0;
        if self.any_of(&['.', ',']).is_some() {
            let digits = self.0.bytes().take_while(u8::is_ascii_digit).count();
            if digits == 0 {
                *self = before;
            }
            let shown = &self.0[..digits.min(3)];
            fraction = format!("{shown:0<3}").parse().unwrap_or(0);
            self.0 = &self.0[digits..];
        }
        Some(((hour * 60 + minute) * 60 + second) * 1000 + fraction)
    }

    /// Reads `2026-01-31` or `2026/01/31`. Returns year, month and day.
    fn date(&mut self) -> Option<[i64; 3]> {
        let year = self.number(4, 4)?;
        let separator = self.any_of(&['-', '/'])?;
        let month = self.number(2, 2)?;
        self.any_of(&[separator])?;
        Some([year, month, self.number(2, 2)?])
    }

    /// Reads `Z`, `+01:00` or `+0100` if one of these follows. Returns milliseconds.
    fn offset(&mut self) -> i64 {
        let before = *self;
        match self.any_of(&['Z', '+', '-']) {
            None | Some('Z') => 0,
            Some(sign) => {
                let Some(hours) = self.number(2, 2) else {
                    *self = before;
                    return 0;
                };
                let _ = self.any_of(&[':']);
                let minutes = self.number(2, 2).unwrap_or(0);
                (hours * 60 + minutes) * 60_000 * if sign == '-' { -1 } else { 1 }
            }
        }
    }
}

/// Reads the beginning of a line of the kubelet: `E1122 05:54:15.123456`. Returns month, day, the time of day and the rest.
fn klog(text: &str) -> Option<(i64, i64, i64, &str)> {
    let mut cursor = Cursor(text);
    cursor.any_of(&['I', 'W', 'E', 'F'])?;
    let (month, day) = (cursor.number(2, 2)?, cursor.number(2, 2)?);
    cursor.any_of(&[' '])?;
    Some((month, day, cursor.time()?, cursor.0))
}

fn without_year(month: i64, day: i64, time: i64, reference: Option<Reference>) -> Option<Moment> {
    let Reference { near, latest } = reference?;
    let this = i64::from(near.date_time().year());
    let years = (this - 1..=this + 1).filter_map(|year| moment(year, month, day, time));
    years.filter(|moment| *moment <= latest).min_by_key(|moment| moment.0.abs_diff(near.0))
}

impl Moment {
    /// Returns the point in time at the beginning of a text, and the rest of the text. Supports the formats of RFC
    /// 3339, systemd, `date`, cloud-init, the guest agent, the extension (`time=…`), the kubelet (`E1122 05:54:15.1`) and
    /// syslog. A date without a year gets the year that is nearest to the reference, and never a later time than its latest.
    pub(crate) fn leading(text: &str, reference: Option<Reference>) -> Option<(Self, &str)> {
        let text = text.trim_start_matches(['[', ' ']);
        let text = text.strip_prefix("time=").map_or(text, |text| text.trim_start_matches('"'));
        if let Some((month, day, time, rest)) = klog(text) {
            return Some((without_year(month, day, time, reference)?, rest));
        }
        let mut cursor = Cursor(text);
        let named = cursor.word(&DAYS).is_some();
        if cursor.0.starts_with(|first: char| first.is_ascii_digit()) {
            let [year, month, day] = cursor.date()?;
            cursor.any_of(&['T', ' ', 't'])?;
            let time = cursor.time()?;
            let offset = cursor.offset();
            return Some((Self(moment(year, month, day, time)?.0 - offset), cursor.0));
        }
        let month = cursor.word(&MONTHS)?;
        let day = cursor.number(1, 2)?;
        cursor.any_of(&[' '])?;
        let time = cursor.time()?;
        let mut year = None;
        if named {
            // `Sat Jan 31 08:15:30 CET 2026`
            let mut rest = Cursor(cursor.0.trim_start_matches(' '));
            rest.0 =
                rest.0.trim_start_matches(|character: char| character.is_ascii_alphabetic()).trim_start_matches(' ');
            year = rest.number(4, 4);
            if year.is_some() {
                cursor = rest;
            }
        }
        let moment = match year {
            Some(year) => moment(year, month, day, time)?,
            None => without_year(month, day, time, reference)?,
        };
        Some((moment, cursor.0))
    }

    /// Returns the point in time at the beginning of a text, and ignores the rest.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        Self::leading(text.trim(), None).map(|(moment, _)| moment)
    }

    /// Reads `Sun, 22 Nov 2026 05:54:44 GMT`, the format of HTTP and cloud-init. It is read as UTC.
    pub(crate) fn of_header(text: &str) -> Option<Self> {
        let mut words = text.split_once(", ").map_or(text, |(_, date)| date).split(' ');
        let (day, month, year, time) = (words.next()?, words.next()?, words.next()?, words.next()?);
        Self::parse(&format!("Sun {month} {day} {time} UTC {year}"))
    }

    /// Returns date and time of day, at least those of 1970 and at most those of the year 9999.
    fn date_time(self) -> DateTime {
        let since = Duration::from_millis(u64::try_from(self.0).unwrap_or_default());
        DateTime::from_unix_duration(since).unwrap_or(DateTime::INFINITY)
    }

    /// Returns the date, `2026-01-31`.
    #[must_use]
    pub fn date(self) -> String {
        self.date_time().to_string()[..10].to_owned()
    }

    /// Returns the time of day, `08:15:30.123`.
    #[must_use]
    pub fn time(self) -> String {
        format!("{}.{:03}", &self.date_time().to_string()[11..19], self.0.rem_euclid(1000))
    }

    /// Returns the time in the form for file names, `20260131T081530Z`.
    #[must_use]
    pub fn compact(self) -> String {
        let text = self.to_string();
        let digits: String = text[..19].chars().filter(|character| *character != '-' && *character != ':').collect();
        format!("{digits}Z")
    }
}

/// RFC 3339 with milliseconds, `2026-01-31T08:15:30.123Z`.
impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}T{}Z", self.date(), self.time())
    }
}

/// Returns a duration for people: `870 ms`, `12.3 s`, `2 min 13 s`, `1 h 5 min`.
pub(crate) fn duration(milliseconds: i64) -> String {
    let (sign, milliseconds) = (if milliseconds < 0 { "-" } else { "" }, milliseconds.unsigned_abs());
    let seconds = milliseconds / 1000;
    match seconds {
        0 => format!("{sign}{milliseconds} ms"),
        1..=59 => format!("{sign}{seconds}.{} s", milliseconds % 1000 / 100),
        60..=3599 => format!("{sign}{} min {} s", seconds / 60, seconds % 60),
        3600..=172_799 => format!("{sign}{} h {} min", seconds / 3600, seconds / 60 % 60),
        _ => format!("{sign}{} days", seconds / 86_400),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_format_of_a_time_is_read() {
        let near = Moment::parse("2026-01-02T00:00:00Z").expect("it is a time");
        let latest = Moment::parse("2026-03-01T00:00:00Z").expect("it is a time");
        let reference = Some(Reference { near, latest });
        for (text, expected, rest) in [
            ("2026-01-31 08:15:30 installTools: 12 ms", "2026-01-31T08:15:30.000Z", " installTools: 12 ms"),
            ("2026-01-31 08:15:30.123", "2026-01-31T08:15:30.123Z", ""),
            ("2026-01-31 08:15:30,5 - util.py", "2026-01-31T08:15:30.500Z", " - util.py"),
            ("2026-01-31T08:15:30.123456+01:00 x", "2026-01-31T07:15:30.123Z", " x"),
            ("2026-01-31T08:15:30+0000 x", "2026-01-31T08:15:30.000Z", " x"),
            ("2026/01/31 08:15:30 x", "2026-01-31T08:15:30.000Z", " x"),
            ("Sat 2026-01-31 08:15:30 UTC", "2026-01-31T08:15:30.000Z", " UTC"),
            ("Sat Jan 31 08:15:30 UTC 2026", "2026-01-31T08:15:30.000Z", ""),
            ("Jan  3 08:15:30 node kubelet[1]: x", "2026-01-03T08:15:30.000Z", " node kubelet[1]: x"),
            ("Dec 31 08:15:30.999999 node x", "2025-12-31T08:15:30.999Z", " node x"),
            ("Apr  3 08:15:30 node x", "2025-04-03T08:15:30.000Z", " node x"),
            ("E0131 08:15:30.5    1 run.go:74] x", "2026-01-31T08:15:30.500Z", "    1 run.go:74] x"),
            ("time=2026-01-31T08:15:30Z version=v2 x", "2026-01-31T08:15:30.000Z", " version=v2 x"),
            ("time=\"2026-01-31T08:15:30.5Z\" level=info", "2026-01-31T08:15:30.500Z", "\" level=info"),
        ] {
            let found = Moment::leading(text, reference).unwrap_or_else(|| panic!("{text}"));
            assert_eq!((found.0.to_string().as_str(), found.1), (expected, rest), "{text}");
        }
        for text in [
            "",
            "2026-13-01 00:00:00",
            "2026-02-29 00:00:00",
            "Feb 29 00:00:00",
            "2026-01-31",
            "25:00:00",
            "Jan",
            "Jan 99999",
            "2026-01-31 0é:00:00",
            "é",
        ] {
            assert_eq!(Moment::leading(text, reference), None, "{text}");
        }
        assert_eq!(Moment::parse("Jan 31 08:15:30"), None, "nothing says which year");
    }

    #[test]
    fn days_are_those_of_the_calendar() {
        for text in ["1970-01-01T00:00:00.000Z", "2000-02-29T23:59:59.999Z", "2100-03-01T00:00:00.000Z"] {
            assert_eq!(Moment::parse(text).map(|moment| moment.to_string()).as_deref(), Some(text));
        }
        assert_eq!(Moment(951_782_400_000).to_string(), "2000-02-29T00:00:00.000Z");
        assert_eq!(Moment(951_782_400_000).compact(), "20000229T000000Z");
    }

    #[test]
    fn durations_are_short() {
        for (milliseconds, expected) in
            [(870, "870 ms"), (12_345, "12.3 s"), (133_000, "2 min 13 s"), (3_900_000, "1 h 5 min"), (-5, "-5 ms")]
        {
            assert_eq!(duration(milliseconds), expected);
        }
    }
}
