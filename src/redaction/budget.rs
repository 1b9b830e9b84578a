//! Counts what is unpacked to look for secrets in it, so that a text costs no more than it may.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use flate2::{Decompress, FlushDecompress, Status};

use super::packed;

/// How much may still be unpacked for one text.
#[derive(Default)]
pub(super) struct Budget {
    pub left: Cell<u64>,
    /// Whether packed pieces, by their hash, have a secret: views of a text share most of them.
    judged: RefCell<HashMap<u64, bool>>,
    /// Unpacks what has no header. Most bytes are not packed, which it finds out at once.
    inflate: RefCell<Option<Decompress>>,
}

/// What bytes are that may be compressed without a header.
pub(super) enum Inflated {
    Text(Vec<u8>),
    /// It is more than may be unpacked.
    TooMuch,
    Nothing,
}

impl Budget {
    /// Returns a budget of so many unpacked bytes.
    pub fn new(left: u64) -> Self {
        Self { left: Cell::new(left), ..Self::default() }
    }

    /// Unpacks a text that is compressed by deflate without a header.
    pub fn inflated(&self, bytes: &[u8]) -> Inflated {
        /// Bytes by which most of what is not packed is recognized.
        const BEGINNING: usize = 1024;
        let mut inflate = self.inflate.borrow_mut();
        let inflate = inflate.get_or_insert_with(|| Decompress::new(false));
        inflate.reset(false);
        let mut plain = Vec::with_capacity(BEGINNING);
        let left = self.left.get();
        let unpacked = loop {
            let rest = usize::try_from(inflate.total_in()).ok().and_then(|read| bytes.get(read..)).unwrap_or_default();
            let status = inflate.decompress_vec(rest, &mut plain, FlushDecompress::None);
            match status {
                _ if !packed::is_mostly_text(&plain) => break Inflated::Nothing,
                Ok(_) if plain.len() as u64 >= left => break Inflated::TooMuch,
                Ok(Status::StreamEnd) => break Inflated::Text(plain),
                Ok(Status::Ok) if plain.len() == plain.capacity() => plain.reserve(plain.len()),
                _ => break Inflated::Nothing,
            }
        };
        self.left.set(left.saturating_sub(inflate.total_out()));
        unpacked
    }

    /// Returns the result of a function for a piece. The function is called once for each piece.
    pub fn judged(&self, piece: &impl Hash, judge: impl FnOnce() -> bool) -> bool {
        let mut hasher = DefaultHasher::new();
        piece.hash(&mut hasher);
        let hash = hasher.finish();
        let judged = self.judged.borrow().get(&hash).copied();
        judged.unwrap_or_else(|| {
            let is_secret = judge();
            self.judged.borrow_mut().insert(hash, is_secret);
            is_secret
        })
    }
}
