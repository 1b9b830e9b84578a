//! Compresses with gzip so that no byte is a carriage return, for a program that reads the bytes as the characters of a text and
//! replaces the ends of its lines.
//!
//! A text can be written as deflate in many ways: a repetition can be shorter or spelled out, and codes can have other lengths.
//! Wherever a byte would be a carriage return, the encoder goes back and takes another way. That costs about a hundredth of the
//! size; base64, which avoids the byte too, costs a third. No library has this choice.
//!
//! The format: <https://www.rfc-editor.org/rfc/rfc1951>, <https://www.rfc-editor.org/rfc/rfc1952>.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

const CARRIAGE_RETURN: u8 = 0x0d;

/// Bytes before a member: its magic number, deflate, no flags, no time, the highest compression, an unknown system.
const HEAD: [u8; 10] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 2, 255];

/// The farthest repetition.
const WINDOW: usize = 32_768;

/// The longest repetition.
const LONGEST: usize = 258;

/// The most earlier places that are compared with one.
const CANDIDATES: usize = 64;

/// The most bytes of a text in one block.
const LARGEST_BLOCK: usize = 16_384;

/// The different codes that are tried for a block before it is made smaller.
const CODES: u32 = 8;

/// The end of a block, as a symbol.
const END: usize = 256;

/// The first length of each symbol for one, from 257, and the number of its extra bits.
const LENGTHS: [(usize, u8); 29] = {
    let mut lengths = ladder(3, 4);
    lengths[28] = (LONGEST, 0);
    lengths
};

/// The first distance of each symbol for one, and the number of its extra bits.
const DISTANCES: [(usize, u8); 30] = ladder(1, 2);

/// Returns the first value of each symbol and the number of its extra bits: from the third group of symbols on, each group has one
/// bit more. RFC 1951, section 3.2.5.
const fn ladder<const N: usize>(first: usize, group: usize) -> [(usize, u8); N] {
    let mut symbols = [(first, 0); N];
    let (mut at, mut extra) = (1, 0);
    while at < N {
        let next = symbols[at - 1].0 + (1 << extra);
        if at >= 2 * group && at.is_multiple_of(group) {
            extra += 1;
        }
        symbols[at] = (next, extra);
        at += 1;
    }
    symbols
}

/// The order in which the lengths of the codes for lengths are written.
const ORDER: [usize; 19] = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

/// Returns `bytes` as members of gzip, without a carriage return.
pub(crate) fn compress(bytes: &[u8]) -> Vec<u8> {
    // The checksum and the size at the end of a member cannot be chosen, only where it ends.
    let ends = |part: &[u8]| {
        let mut sum = flate2::Crc::new();
        sum.update(part);
        [sum.sum().to_le_bytes(), sum.amount().to_le_bytes()].concat()
    };
    let is_clean = |part: &[u8]| !ends(part).contains(&CARRIAGE_RETURN);
    let cut = (0..=bytes.len()).rev().find(|cut| is_clean(&bytes[..*cut]) && is_clean(&bytes[*cut..]));
    let (first, second) = bytes.split_at(cut.unwrap_or(bytes.len()));
    let mut out = Vec::new();
    for part in [first].into_iter().chain((!second.is_empty()).then_some(second)) {
        out.extend(HEAD);
        out.extend(deflate(part));
        out.extend(ends(part));
    }
    out
}

/// Bits, of which every complete byte is checked.
#[derive(Clone, Default)]
struct Bits {
    bytes: Vec<u8>,
    rest: u32,
    count: u8,
}

/// What [`Bits`] can return to.
#[derive(Clone, Copy)]
struct Mark {
    bytes: usize,
    rest: u32,
    count: u8,
}

impl Bits {
    /// Adds bits, the lowest first. Returns false if a byte is a carriage return.
    fn push(&mut self, value: usize, count: u8) -> bool {
        self.rest |= u32::try_from(value).expect("at most 15 bits") << self.count;
        self.count += count;
        while self.count >= 8 {
            let byte = self.rest.to_le_bytes()[0];
            if byte == CARRIAGE_RETURN {
                return false;
            }
            self.bytes.push(byte);
            self.rest >>= 8;
            self.count -= 8;
        }
        true
    }

    fn mark(&self) -> Mark {
        Mark { bytes: self.bytes.len(), rest: self.rest, count: self.count }
    }

    fn go_back(&mut self, mark: Mark) {
        self.bytes.truncate(mark.bytes);
        (self.rest, self.count) = (mark.rest, mark.count);
    }
}

fn deflate(bytes: &[u8]) -> Vec<u8> {
    let matches = matches(bytes);
    let mut bits = Bits::default();
    let (mut start, mut size) = (0, LARGEST_BLOCK);
    loop {
        let end = bytes.len().min(start + size);
        let block = Block { bytes, matches: &matches, start, end };
        let mark = bits.mark();
        let is_written = (0..CODES).any(|code| {
            bits.go_back(mark);
            block.write(code, &mut bits)
        });
        if !is_written {
            bits.go_back(mark);
            size = ((end - start) / 2).max(1);
        } else if end == bytes.len() {
            return bits.bytes;
        } else {
            (start, size) = (end, LARGEST_BLOCK.min(size * 2));
        }
    }
}

/// Returns the longest earlier repetition at each place: length, at least 3, and distance.
fn matches(bytes: &[u8]) -> Vec<Option<(usize, usize)>> {
    let mut last = vec![usize::MAX; 1 << 15];
    let mut before = vec![usize::MAX; bytes.len()];
    let mut found = Vec::with_capacity(bytes.len());
    for at in 0..bytes.len() {
        let mut best = None;
        if let Some(&[a, b, c]) = bytes.get(at..at + 3) {
            let hash = (usize::from(a) << 10 ^ usize::from(b) << 5 ^ usize::from(c)) & 0x7fff;
            let mut candidate = last[hash];
            let rest = &bytes[at..bytes.len().min(at + LONGEST)];
            for _ in 0..CANDIDATES {
                // Nothing is longer than the rest: in a long run of one character the first candidate is the best.
                if candidate == usize::MAX
                    || at - candidate > WINDOW
                    || best.is_some_and(|(longest, _)| longest == rest.len())
                {
                    break;
                }
                let length = rest.iter().zip(&bytes[candidate..]).take_while(|(one, other)| one == other).count();
                if length >= 3 && best.is_none_or(|(longest, _)| length > longest) {
                    best = Some((length, at - candidate));
                }
                candidate = before[candidate];
            }
            before[at] = last[hash];
            last[hash] = at;
        }
        found.push(best);
    }
    found
}

/// A part of a text that has codes of its own.
struct Block<'b> {
    bytes: &'b [u8],
    matches: &'b [Option<(usize, usize)>],
    start: usize,
    end: usize,
}

/// One way to continue: a repetition of a length, or the next byte.
#[derive(Clone, Copy)]
enum Way {
    Byte,
    Repeat(usize, usize),
}

/// Returns the symbol of a length or distance, and its extra bits.
fn symbol(table: &[(usize, u8)], value: usize) -> (usize, usize, u8) {
    let index = table.partition_point(|(first, _)| *first <= value) - 1;
    let (first, extra) = table[index];
    (index, value - first, extra)
}

impl Block<'_> {
    /// Returns the repetition at a place, within the block.
    fn repetition(&self, at: usize) -> Option<(usize, usize)> {
        let (length, distance) = self.matches.get(at).copied().flatten()?;
        let length = length.min(self.end - at);
        (length >= 3).then_some((length, distance))
    }

    /// Returns the way with this number at a place, the shortest first.
    fn way(&self, at: usize, number: usize) -> Option<Way> {
        let Some((length, distance)) = self.repetition(at) else { return (number == 0).then_some(Way::Byte) };
        let cost = 12 + usize::from(symbol(&DISTANCES, distance).2);
        let next = (at + 1 < self.end).then(|| self.repetition(at + 1)).flatten();
        let is_best = length * 6 > cost && next.is_none_or(|(longer, _)| longer <= length);
        // A byte is the second way at the latest.
        match (number, is_best) {
            (0, true) | (1, false) => Some(Way::Repeat(length, distance)),
            (0 | 1, _) => Some(Way::Byte),
            _ => {
                length.checked_sub(number - 1).filter(|length| *length >= 3).map(|length| Way::Repeat(length, distance))
            }
        }
    }

    /// Writes the block with a code. Returns false if there is no way without a carriage return.
    fn write(&self, code: u32, bits: &mut Bits) -> bool {
        let (literals, distances) = self.codes(code);
        let is_last = self.end == self.bytes.len();
        if !bits.push(usize::from(is_last) | 2 << 1, 3) || !write_codes(&literals, &distances, bits) {
            return false;
        }
        let put = |bits: &mut Bits, code: &Code, symbol: usize| {
            let (length, bits_of) = (code.lengths[symbol], code.codes[symbol]);
            length > 0 && bits.push(bits_of, length)
        };
        // Where the text is, what the bits were, and the number of the way that was taken.
        let mut taken: Vec<(usize, Mark, usize)> = Vec::new();
        let (mut at, mut number) = (self.start, 0);
        let mut steps = 0;
        loop {
            let mark = bits.mark();
            let mut goes_on = false;
            if at == self.end {
                let ends = put(bits, &literals, END);
                // The last byte is filled with zeros.
                let fill = (8 - bits.count % 8) % 8;
                if ends && (!is_last || bits.push(0, fill)) {
                    return true;
                }
            } else {
                while let Some(way) = self.way(at, number) {
                    bits.go_back(mark);
                    let (size, is_put) = match way {
                        Way::Byte => (1, put(bits, &literals, usize::from(self.bytes[at]))),
                        Way::Repeat(length, distance) => {
                            let (code, rest, extra) = symbol(&LENGTHS, length);
                            let is_put = put(bits, &literals, 257 + code) && bits.push(rest, extra);
                            let (code, rest, extra) = symbol(&DISTANCES, distance);
                            (length, is_put && put(bits, &distances, code) && bits.push(rest, extra))
                        }
                    };
                    if is_put {
                        taken.push((at, mark, number));
                        (at, number, goes_on) = (at + size, 0, true);
                        break;
                    }
                    number += 1;
                }
            }
            steps += 1;
            if goes_on {
                continue;
            }
            // A smaller block costs less than a long search.
            let Some((place, mark, way)) = taken.pop().filter(|_| steps < 8 * (self.end - self.start + 64)) else {
                return false;
            };
            bits.go_back(mark);
            (at, number) = (place, way + 1);
        }
    }

    /// Returns the codes for bytes and lengths, and for distances, from how often the shortest way uses each. Numbers other than 0
    /// change them a little.
    fn codes(&self, number: u32) -> (Code, Code) {
        let (mut literals, mut distances) = ([0_u32; 286], [0_u32; 30]);
        // Every byte has a code, so that a repetition can be spelled out.
        self.bytes[self.start..self.end].iter().for_each(|byte| literals[usize::from(*byte)] = 1);
        literals[END] = 1;
        let mut at = self.start;
        while at < self.end {
            if let Some(Way::Repeat(length, distance)) = self.way(at, 0) {
                literals[257 + symbol(&LENGTHS, length).0] += 16;
                distances[symbol(&DISTANCES, distance).0] += 16;
                at += length;
            } else {
                literals[usize::from(self.bytes[at])] += 16;
                at += 1;
            }
        }
        let change = |counts: &mut [u32]| {
            for (symbol, count) in (0_u32..).zip(counts).filter(|_| number > 0) {
                let noise = (symbol + 1).wrapping_mul(number).wrapping_mul(0x9e37_79b9) >> 29;
                *count += *count * noise / 16;
            }
        };
        change(&mut literals);
        change(&mut distances);
        (Code::new(&literals, 15), Code::new(&distances, 15))
    }
}

/// A canonical Huffman code.
struct Code {
    /// The number of bits of each symbol; 0 for none.
    lengths: Vec<u8>,
    /// The bits of each symbol, the lowest first.
    codes: Vec<usize>,
}

impl Code {
    fn new(counts: &[u32], longest: u8) -> Self {
        let mut counts = counts.to_vec();
        // A decoder wants a complete code, so at least two symbols.
        for symbol in 0..2 {
            if counts.iter().filter(|count| **count > 0).count() < 2 {
                counts[symbol] = counts[symbol].max(1);
            }
        }
        let mut lengths = lengths(&counts);
        while lengths.iter().any(|length| *length > longest) {
            counts.iter_mut().filter(|count| **count > 0).for_each(|count| *count = *count / 2 + 1);
            lengths = self::lengths(&counts);
        }
        let mut next = 0_usize;
        let mut codes = vec![0; lengths.len()];
        for length in 1..=longest {
            for (symbol, _) in lengths.iter().enumerate().filter(|(_, of_symbol)| **of_symbol == length) {
                codes[symbol] = next.reverse_bits() >> (usize::BITS - u32::from(length));
                next += 1;
            }
            next <<= 1;
        }
        Self { lengths, codes }
    }
}

/// Returns the lengths of a Huffman code.
fn lengths(counts: &[u32]) -> Vec<u8> {
    let used = counts.iter().enumerate().filter(|(_, count)| **count > 0);
    let mut heap: BinaryHeap<_> = used.map(|(symbol, count)| Reverse((*count, symbol))).collect();
    // Nodes after the symbols are inner ones; each node has its parent.
    let mut parents = vec![0; counts.len()];
    while let (Some(Reverse((one, left))), Some(Reverse((other, right)))) = (heap.pop(), heap.pop()) {
        let node = parents.len();
        parents.push(0);
        (parents[left], parents[right]) = (node, node);
        if heap.is_empty() {
            break;
        }
        heap.push(Reverse((one + other, node)));
    }
    let root = parents.len() - 1;
    let depth = |mut node: usize| {
        let mut depth = 0;
        while node != root {
            node = parents[node];
            depth += 1;
        }
        depth
    };
    (0..counts.len()).map(|symbol| if counts[symbol] > 0 { depth(symbol) } else { 0 }).collect()
}

/// Writes the lengths of both codes.
fn write_codes(literals: &Code, distances: &Code, bits: &mut Bits) -> bool {
    let lengths = [&literals.lengths[..], &distances.lengths].concat();
    // A symbol and its extra bits: a length, or repetitions of the last one or of 0.
    let mut symbols: Vec<(usize, usize, u8)> = Vec::new();
    for run in lengths.chunk_by(|one, other| one == other) {
        let (length, mut left) = (usize::from(run[0]), run.len());
        if length > 0 {
            symbols.push((length, 0, 0));
            left -= 1;
        }
        while left > 0 {
            let (symbol, least, most, extra) = match (length, left) {
                (0, 11..) => (18, 11, 138, 7),
                (0, 3..) => (17, 3, 10, 3),
                (1.., 3..) => (16, 3, 6, 2),
                _ => (length, 1, 1, 0),
            };
            let count = left.min(most);
            symbols.push((symbol, count - least, extra));
            left -= count;
        }
    }
    let mut counts = [0; 19];
    for (symbol, ..) in &symbols {
        counts[*symbol] += 1;
    }
    let code = Code::new(&counts, 7);
    bits.push(literals.lengths.len() - 257, 5)
        && bits.push(distances.lengths.len() - 1, 5)
        && bits.push(ORDER.len() - 4, 4)
        && ORDER.iter().all(|symbol| bits.push(usize::from(code.lengths[*symbol]), 3))
        && symbols.iter().all(|(symbol, rest, extra)| {
            bits.push(code.codes[*symbol], code.lengths[*symbol]) && bits.push(*rest, *extra)
        })
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use base64::Engine;
    use base64::engine::general_purpose::STANDARD;
    use flate2::read::MultiGzDecoder;
    use proptest::prelude::*;

    use super::*;

    fn check(bytes: &[u8]) -> Vec<u8> {
        let packed = compress(bytes);
        assert!(!packed.contains(&CARRIAGE_RETURN));
        let mut read = Vec::new();
        MultiGzDecoder::new(&packed[..]).read_to_end(&mut read).expect("it is gzip");
        assert!(read == bytes, "{} bytes", bytes.len());
        packed
    }

    /// Bytes without repetitions: a linear congruential sequence.
    fn noise(count: usize) -> Vec<u8> {
        let mut state = 1_u64;
        let next = |_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            state.to_le_bytes()[7]
        };
        (0..count).map(next).collect()
    }

    #[test]
    fn takes_little_more_than_a_library() {
        let text = include_bytes!("../../parts/provisioning/source/exit_codes.sh").repeat(3);
        let packed = STANDARD.encode(noise(40_000)).into_bytes();
        for (bytes, percent) in [(&text, 106), (&packed, 104)] {
            let (ours, theirs) = (check(bytes).len(), super::super::compress(bytes).len());
            assert!(ours * 100 < theirs * percent, "{ours}, {theirs}");
        }
    }

    #[test]
    fn every_text_can_be_compressed() {
        check(b"");
        check(&vec![CARRIAGE_RETURN; 70_000]);
        check(&noise(10_000));
        // The size of one has the byte; of a hundred texts, checksums have it.
        (0..100).map(|more| vec![b'x'; 13 + more]).for_each(|bytes| drop(check(&bytes)));
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn any_text_is_read_back(bytes in proptest::collection::vec(prop_oneof![0_u8..4, any::<u8>()], 0..3000)) {
            check(&bytes);
        }
    }
}
