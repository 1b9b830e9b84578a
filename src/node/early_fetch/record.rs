//! The record of a fetch, from which the result document gets the delivery of the input.

use std::io;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::catalogue::paths;
use crate::node::{Machine, files};

/// Bytes of the largest record.
const LARGEST: u64 = 4096;

/// The mode of the record, which has no secrets.
const MODE: u32 = 0o644;

/// What a successful fetch leaves until the next boot.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::node) struct FetchRecord {
    /// The channel that had the settings.
    pub channel: String,
    /// Seconds from the start of the fetch to its end.
    pub seconds: u64,
}

impl FetchRecord {
    /// Returns a record of a fetch.
    pub fn new(channel: &str, took: Duration) -> Self {
        Self { channel: channel.to_owned(), seconds: took.as_secs() }
    }

    /// Writes the record.
    ///
    /// # Errors
    /// Fails if the file cannot be written.
    pub fn write(&self, machine: &Machine) -> io::Result<()> {
        let text = serde_json::to_string(self).map_err(io::Error::other)?;
        files::replace_volatile(&machine.path(paths::EARLY_FETCH), text.as_bytes(), MODE)
    }

    /// Reads the record of this boot.
    pub fn read(machine: &Machine) -> Option<Self> {
        serde_json::from_slice(&files::read_regular(&machine.path(paths::EARLY_FETCH), LARGEST).ok()?).ok()
    }
}
