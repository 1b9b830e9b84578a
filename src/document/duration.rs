//! Durations in the notation of Go's `time` package.

/// Returns a duration as Go formats it: `1m30s` for `90s`. `None` if the text is not a duration.
pub(crate) fn canonical(text: &str) -> Option<String> {
    parse(text).map(written)
}

/// Reports whether Go's `time.ParseDuration` accepts the text: `1h30m`, `500ms`, `-2.5s`, `0`.
pub(crate) fn is_go_duration(text: &str) -> bool {
    parse(text).is_some()
}

/// Returns nanoseconds. As in Go, a number that does not fit into 64 bits is not a duration.
pub(crate) fn parse(text: &str) -> Option<i64> {
    let (negative, mut rest) = match text.as_bytes().first()? {
        b'-' => (true, &text[1..]),
        b'+' => (false, &text[1..]),
        _ => (false, text),
    };
    if rest == "0" {
        return Some(0);
    }
    if rest.is_empty() {
        return None;
    }
    let mut total: i128 = 0;
    while !rest.is_empty() {
        let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
        let (whole, after) = rest.split_at(digits(rest));
        let (fraction, after) = match after.strip_prefix('.') {
            Some(after) => after.split_at(digits(after)),
            None => ("", after),
        };
        if whole.is_empty() && fraction.is_empty() {
            return None;
        }
        let end = after.find(|character: char| character == '.' || character.is_ascii_digit()).unwrap_or(after.len());
        let (unit, after) = after.split_at(end);
        let unit: i128 = match unit {
            "ns" => 1,
            "us" | "µs" | "μs" => 1_000,
            "ms" => 1_000_000,
            "s" => 1_000_000_000,
            "m" => 60_000_000_000,
            "h" => 3_600_000_000_000,
            _ => return None,
        };
        if whole.len() > 19 {
            return None;
        }
        total += whole.parse::<i128>().unwrap_or_default() * unit;
        // Even for hours, the digits after the eighteenth are worth less than a nanosecond.
        let fraction = &fraction[..fraction.len().min(18)];
        let scale = 10_i128.pow(u32::try_from(fraction.len()).ok()?);
        total += fraction.parse::<i128>().unwrap_or_default() * unit / scale;
        rest = after;
    }
    i64::try_from(if negative { -total } else { total }).ok()
}

fn written(nanoseconds: i64) -> String {
    let sign = if nanoseconds < 0 { "-" } else { "" };
    let total = nanoseconds.unsigned_abs();
    let decimal = |value: u64, unit: u64| {
        let (whole, rest) = (value / unit, value % unit);
        if rest == 0 {
            return whole.to_string();
        }
        let width = unit.ilog10() as usize;
        format!("{whole}.{}", format!("{rest:0width$}").trim_end_matches('0'))
    };
    let text = match total {
        0 => "0s".to_owned(),
        1..1_000 => format!("{total}ns"),
        1_000..1_000_000 => format!("{}µs", decimal(total, 1_000)),
        1_000_000..1_000_000_000 => format!("{}ms", decimal(total, 1_000_000)),
        _ => {
            let minutes = total / 60_000_000_000;
            let seconds = decimal(total % 60_000_000_000, 1_000_000_000);
            match (minutes / 60, minutes % 60) {
                (0, 0) => format!("{seconds}s"),
                (0, minutes) => format!("{minutes}m{seconds}s"),
                (hours, minutes) => format!("{hours}h{minutes}m{seconds}s"),
            }
        }
    };
    format!("{sign}{text}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_formatted_as_go_formats_them() {
        for (text, expected) in [
            ("0", Some("0s")),
            ("90s", Some("1m30s")),
            ("1h", Some("1h0m0s")),
            ("61s", Some("1m1s")),
            ("1.5h", Some("1h30m0s")),
            ("2h45m", Some("2h45m0s")),
            ("1m0.25s", Some("1m0.25s")),
            ("500ms", Some("500ms")),
            ("1500us", Some("1.5ms")),
            ("100us", Some("100µs")),
            ("100µs", Some("100µs")),
            ("1ns", Some("1ns")),
            ("-90s", Some("-1m30s")),
            (".5s", Some("500ms")),
            ("+4h0m0s", Some("4h0m0s")),
            ("", None),
            ("-", None),
            (".", None),
            ("5", None),
            ("1..5s", None),
            ("1h30", None),
            ("5 s", None),
            ("s", None),
            ("1d", None),
            ("9999999999999h", None),
        ] {
            assert_eq!(canonical(text).as_deref(), expected, "{text:?}");
            assert_eq!(is_go_duration(text), expected.is_some(), "{text:?}");
        }
    }
}
