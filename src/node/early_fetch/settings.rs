//! The protected settings of the Custom Script Extension, as both channels have them.

use std::cmp::Reverse;
use std::fmt;

/// The name of the extension.
pub(super) const HANDLER: &str = "Microsoft.Azure.Extensions.CustomScript";

/// The deepest nesting of JSON that is read. The documents of the host nest six levels.
const DEEPEST: usize = 64;

/// Where settings come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Channel {
    /// The plugin of the host. Comes before the other at the same age.
    HostPlugin,
    /// The wire server.
    WireServer,
}

impl Channel {
    /// Returns the name for the log and the result document.
    pub const fn name(self) -> &'static str {
        match self {
            Self::HostPlugin => "host-plugin",
            Self::WireServer => "wire-server",
        }
    }
}

/// Settings of the extension.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Settings {
    /// Where they come from.
    pub channel: Channel,
    /// When the extensions were changed last, in ticks of 100 ns. 0 if the channel does not say it.
    pub ticks: u64,
    /// Rises with each change of the settings.
    pub sequence: i64,
    /// SHA-1 of the certificate for which they are encrypted: 40 digits in upper case.
    pub thumbprint: String,
    /// The encrypted settings in base64.
    pub protected: String,
}

impl fmt::Debug for Settings {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        let Self { channel, ticks, sequence, thumbprint, protected } = self;
        write!(formatter, "{channel:?} {ticks} {sequence} {thumbprint} ({} characters)", protected.len())
    }
}

/// Settings of an extension as a document has them.
#[derive(Clone, Debug, Default)]
pub(super) struct Entry {
    /// Whether the extension is to run: `enabled`, or unknown.
    pub state: Option<String>,
    pub sequence: i64,
    pub thumbprint: Option<String>,
    pub protected: Option<String>,
}

/// Returns the settings that count of those in a document: enabled, encrypted, with the highest sequence number.
pub(super) fn newest(channel: Channel, ticks: u64, entries: impl IntoIterator<Item = Entry>) -> Option<Settings> {
    let usable = entries.into_iter().filter_map(|entry| {
        let is_enabled = entry.state.is_none_or(|state| state.eq_ignore_ascii_case("enabled"));
        let thumbprint = entry.thumbprint?.trim().to_ascii_uppercase();
        let is_thumbprint = thumbprint.len() == 40 && thumbprint.bytes().all(|byte| byte.is_ascii_hexdigit());
        let protected = entry.protected.filter(|text| !text.is_empty())?;
        (is_enabled && is_thumbprint).then_some(Settings {
            channel,
            ticks,
            sequence: entry.sequence,
            thumbprint,
            protected,
        })
    });
    // The first one of equal sequence numbers.
    usable.min_by_key(|settings| Reverse(settings.sequence))
}

/// Sorts settings of both channels: the newest first, those of the host's plugin first at the same age.
pub(super) fn by_age(settings: &mut [Settings]) {
    settings.sort_by_key(|settings| (Reverse(settings.ticks), settings.channel));
}

/// Reports whether JSON nests at most 64 levels. serde's own limit does not count what it skips.
pub(super) fn is_shallow(json: &[u8]) -> bool {
    let (mut depth, mut in_text, mut is_escaped) = (0_usize, false, false);
    json.iter().all(|byte| {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' if in_text => is_escaped = true,
            b'"' => in_text = !in_text,
            b'[' | b'{' if !in_text => depth += 1,
            b']' | b'}' if !in_text => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth <= DEEPEST
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(state: &str, sequence: i64) -> Entry {
        Entry {
            state: Some(state.to_owned()),
            sequence,
            thumbprint: Some("f6abaa61098a301ebb8a571c3c7cf77f355f7fa9".to_owned()),
            protected: Some(format!("of {sequence}")),
        }
    }

    #[test]
    fn of_several_the_enabled_one_with_the_highest_sequence_number_counts() {
        let newest =
            |entries: &[Entry]| newest(Channel::HostPlugin, 1, entries.to_vec()).map(|settings| settings.protected);
        let entries = [
            entry("enabled", 1),
            entry("Enabled", 3),
            entry("disabled", 5),
            entry("uninstall", 4),
            entry("enabled", 2),
        ];
        assert_eq!(newest(&entries).as_deref(), Some("of 3"));
        assert_eq!(newest(&[Entry { state: None, ..entry("", 7) }]).as_deref(), Some("of 7"));
        for without in [
            Entry { thumbprint: None, ..entry("enabled", 1) },
            Entry { thumbprint: Some("../../x".to_owned()), ..entry("enabled", 1) },
            Entry { protected: None, ..entry("enabled", 1) },
            Entry { protected: Some(String::new()), ..entry("enabled", 1) },
        ] {
            assert_eq!(newest(&[without]), None);
        }
    }

    #[test]
    fn a_thumbprint_is_compared_in_upper_case() {
        let settings = newest(Channel::WireServer, 0, [entry("enabled", 0)]).expect("settings");
        assert_eq!(settings.thumbprint, "F6ABAA61098A301EBB8A571C3C7CF77F355F7FA9");
        assert!(!format!("{settings:?}").contains("of 0"), "{settings:?}");
    }

    #[test]
    fn the_later_settings_come_first_and_the_plugins_at_the_same_age() {
        let order = |host: u64, wire: u64| {
            let of = |channel, ticks| newest(channel, ticks, [entry("enabled", 0)]).expect("settings");
            let mut both = [of(Channel::WireServer, wire), of(Channel::HostPlugin, host)];
            by_age(&mut both);
            both.map(|settings| settings.channel)
        };
        assert_eq!(order(1, 1)[0], Channel::HostPlugin);
        assert_eq!(order(2, 1)[0], Channel::HostPlugin);
        assert_eq!(order(1, 2)[0], Channel::WireServer);
    }

    #[test]
    fn nesting_is_counted_outside_of_texts() {
        let nested = |depth| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        assert!(is_shallow(nested(DEEPEST).as_bytes()) && !is_shallow(nested(DEEPEST + 1).as_bytes()));
        assert!(is_shallow(format!(r#"{{"a\"{}":1}}"#, "[".repeat(100)).as_bytes()));
        assert!(is_shallow("[],".repeat(100).as_bytes()));
    }
}
