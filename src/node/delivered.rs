//! How the input of an attempt was delivered, for its result.

use serde::{Deserialize, Serialize};

use super::early_fetch::FetchRecord;
use super::{Machine, files};
use crate::catalogue::paths;

/// The ways on which an input comes to a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Way {
    /// In `CustomData`.
    CustomData,
    /// In protected settings, which `fetch` has read.
    EarlyFetch,
    /// In protected settings, which the extension has brought.
    Extension,
}

/// How the input came.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct InputDelivery {
    /// The way.
    pub way: Way,
    /// The service of the host that had the settings. Only with an early fetch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub channel: Option<String>,
    /// Seconds waited for it: by the fetch, or from boot until the extension had brought it. Unknown for `CustomData`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds: Option<u64>,
}

impl InputDelivery {
    /// Returns how the input came that is on the machine now, from what the boothooks have left.
    pub fn observe(machine: &Machine) -> Self {
        if let Some(record) = FetchRecord::read(machine) {
            return Self { way: Way::EarlyFetch, channel: Some(record.channel), seconds: Some(record.seconds) };
        }
        if machine.path(paths::SECOND_BOOTHOOK).exists() {
            return Self { way: Way::Extension, channel: None, seconds: Some(Machine::since_boot() / 1000) };
        }
        Self { way: Way::CustomData, channel: None, seconds: None }
    }

    /// Returns the members of the result document, whose values are strings.
    pub fn members(&self) -> Vec<(&'static str, String)> {
        let way = match self.way {
            Way::CustomData => "custom-data",
            Way::EarlyFetch => "early-fetch",
            Way::Extension => "extension",
        };
        let channel = self.channel.clone().map(|channel| ("channel", channel));
        let seconds = self.seconds.map(|seconds| ("seconds", seconds.to_string()));
        [Some(("way", way.to_owned())), channel, seconds].into_iter().flatten().collect()
    }
}

/// Removes both copies of the boothook, which contain the whole input: files 4 and 5 of the delivery have the same content. A failure has
/// no effect on the node.
pub fn remove_boothooks(machine: &Machine) {
    for path in [paths::FETCHED_BOOTHOOK, paths::SECOND_BOOTHOOK] {
        let path = machine.path(path);
        // A link out of a directory that stands for the machine would lead to the real one.
        if machine.root().is_none_or(|root| files::stays_below(root, &path).is_ok()) {
            let _ = std::fs::remove_file(path);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::test_directory::TestDirectory;

    #[test]
    fn the_markers_of_the_boothooks_tell_the_way() {
        let root = TestDirectory::new();
        let machine = Machine::below(&root).expect("a plain path");
        let members = || InputDelivery::observe(&machine).members();
        assert_eq!(members(), [("way", "custom-data".to_owned())]);
        files::replace(&machine.path(paths::SECOND_BOOTHOOK), b"", 0o600).expect("writable");
        let [(_, way), ("seconds", seconds)] = &members()[..] else { panic!("{:?}", members()) };
        assert!(way == "extension" && seconds.parse::<u64>().is_ok());
        // The command of the extension writes its copy in every case.
        FetchRecord::new("host-plugin", Duration::from_millis(7900)).write(&machine).expect("writable");
        let fetched = [("way", "early-fetch"), ("channel", "host-plugin"), ("seconds", "7")];
        assert_eq!(members(), fetched.map(|(name, value)| (name, value.to_owned())));
        let text = serde_json::to_string(&InputDelivery::observe(&machine)).expect("JSON");
        assert_eq!(text, r#"{"way":"early-fetch","channel":"host-plugin","seconds":7}"#);
        files::replace(&machine.path(paths::FETCHED_BOOTHOOK), b"", 0o600).expect("writable");
        remove_boothooks(&machine);
        assert!(!machine.path(paths::SECOND_BOOTHOOK).exists() && !machine.path(paths::FETCHED_BOOTHOOK).exists());
    }
}
