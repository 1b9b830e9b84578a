//! Reads compressed data and archives, with limits.

use std::io::Read;

use flate2::read::MultiGzDecoder;

/// Why compressed data was only read in part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cut {
    /// The data ends early or is damaged.
    Damaged,
    /// The data is larger than the limit.
    Limit,
}

/// Decompresses at most `limit` bytes. Returns the bytes before an error together with the error.
pub(crate) fn gunzip(bytes: &[u8], limit: usize) -> (Vec<u8>, Option<Cut>) {
    // Scripts compress to about a quarter. Enough capacity spares the reader small steps at the end.
    let mut plain = Vec::with_capacity(bytes.len().saturating_mul(5).min(limit) + 1);
    let read = MultiGzDecoder::new(bytes).take(limit as u64 + 1).read_to_end(&mut plain);
    let cut = match read {
        _ if plain.len() > limit => Some(Cut::Limit),
        Ok(_) => None,
        Err(_) => Some(Cut::Damaged),
    };
    plain.truncate(limit);
    (plain, cut)
}

/// An entry of an archive.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Entry<'a> {
    pub(super) path: String,
    pub(super) mode: u32,
    pub(super) content: &'a [u8],
}

const BLOCK: usize = 512;

/// Returns the regular files of a tar archive, and whether it is truncated.
pub(super) fn tar(bytes: &[u8]) -> (Vec<Entry<'_>>, bool) {
    let mut entries = Vec::new();
    let mut rest = bytes;
    let mut long_name = None;
    loop {
        let Some((header, after)) = rest.split_at_checked(BLOCK) else { return (entries, !rest.is_empty()) };
        if header.iter().all(|byte| *byte == 0) {
            return (entries, false);
        }
        let text = |from: usize, length: usize| {
            let field = &header[from..from + length];
            let end = field.iter().position(|byte| *byte == 0).unwrap_or(length);
            String::from_utf8_lossy(&field[..end]).into_owned()
        };
        let number = |from: usize, length: usize| usize::from_str_radix(text(from, length).trim(), 8).ok();
        let Some(size) = number(124, 12) else { return (entries, true) };
        let Some(content) = after.get(..size) else { return (entries, true) };
        match header[156] {
            b'L' => long_name = Some(String::from_utf8_lossy(content).trim_end_matches('\0').to_owned()),
            b'0' | 0 => {
                let prefix = if header[257..263] == *b"ustar\0" { text(345, 155) } else { String::new() };
                let name = text(0, 100);
                let path = if prefix.is_empty() { name } else { format!("{prefix}/{name}") };
                let mode = number(100, 8).and_then(|mode| u32::try_from(mode & 0o7777).ok()).unwrap_or(0o644);
                entries.push(Entry { path: long_name.take().unwrap_or(path), mode, content });
            }
            _ => {}
        }
        rest = after.get(size.next_multiple_of(BLOCK)..).unwrap_or_default();
    }
}
