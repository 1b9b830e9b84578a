//! Finds and decodes base85 in texts: Ascii85, and the alphabets of RFC 1924 and Z85.

use std::ops::Range;

/// The alphabets of Python's `b85encode` and of Z85. That of Ascii85 is the characters in their order.
const ALPHABETS: [&[u8; 85]; 2] = [
    b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~",
    b"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#",
];

/// Characters of the shortest text that is decoded.
const SHORTEST: usize = 10;

/// What a character tells about the word it is in.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Blank,
    /// No name, path or program has many of these.
    Sign,
    /// Upper-case letters and digits.
    Mixed,
    Other,
}

const CLASSES: [Class; 256] = {
    let mut classes = [Class::Other; 256];
    let mut byte = 0_u8;
    loop {
        classes[byte as usize] = match byte {
            b'A'..=b'Z' | b'0'..=b'9' => Class::Mixed,
            b'!'..=b'+' | b';'..=b'@' | b'['..=b'^' | b'`' | b'{'..=b'~' if byte != b'=' && byte != b'\\' => {
                Class::Sign
            }
            b'!'..=b'~' => Class::Other,
            _ => Class::Blank,
        };
        if byte == u8::MAX {
            break classes;
        }
        byte += 1;
    }
};

/// Returns the words of a text that may be base85: without blanks, and with more signs than names, paths and programs have.
pub(super) fn words(text: &[u8]) -> impl Iterator<Item = Range<usize>> {
    let class = |byte: &u8| CLASSES[usize::from(*byte)];
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let start = at + text.get(at..)?.iter().position(|byte| class(byte) != Class::Blank)?;
            let (mut signs, mut mixed) = (0, 0);
            let word = text[start..].iter().map(class).take_while(|class| *class != Class::Blank);
            let length = word
                .inspect(|class| {
                    signs += usize::from(*class == Class::Sign);
                    mixed += usize::from(*class == Class::Mixed);
                })
                .count();
            at = start + length;
            if length >= SHORTEST && signs * 12 >= length && mixed * 4 >= length {
                return Some(start..at);
            }
        }
    })
}

/// Returns what a word stands for: once for each alphabet and each place at which the encoding may have begun.
pub(super) fn contents(word: &[u8]) -> impl Iterator<Item = Vec<u8>> {
    let alphabets = [None, Some(ALPHABETS[0]), Some(ALPHABETS[1])];
    alphabets.into_iter().flat_map(move |alphabet| {
        let digits: Vec<u8> = word.iter().map(|byte| digit(*byte, alphabet)).collect();
        (0..5).map(move |place| decoded(digits.get(place..).unwrap_or_default()))
    })
}

/// Returns the value of a character; what is none counts as zero.
fn digit(byte: u8, alphabet: Option<&[u8; 85]>) -> u8 {
    match alphabet {
        None => byte.checked_sub(b'!').filter(|digit| *digit < 85).unwrap_or_default(),
        Some(alphabet) => memchr::memchr(byte, alphabet).and_then(|at| u8::try_from(at).ok()).unwrap_or_default(),
    }
}

fn decoded(digits: &[u8]) -> Vec<u8> {
    let group = |group: &[u8]| {
        // The last group may be shorter.
        let digits = group.iter().copied().chain(std::iter::repeat(84)).take(5);
        let number = digits.fold(0_u64, |number, digit| number * 85 + u64::from(digit));
        let bytes = u32::try_from(number).unwrap_or_default().to_be_bytes();
        bytes.into_iter().take(group.len() - 1)
    };
    digits.chunks(5).flat_map(group).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_alphabet_is_decoded_wherever_it_begins() {
        // From Python's `base64.a85encode` and `b85encode`, and from `basenc --z85`.
        for text in [">%M/`@4b?!Bl%lD9lG)o2Z", "T4iE#VJ%U0X>4>ZO>c8^Hv", "t4Ie-vj+u0x(4(zo(C8]"] {
            for before in ["", "<~", "x=+"] {
                let text = format!("A {before}{text} B").into_bytes();
                let word = words(&text).next().expect("it has signs");
                assert!(contents(&text[word]).any(|content| memchr::memmem::find(&content, b"bra-Quilt.Mo").is_some()));
            }
        }
        assert_eq!(words(b"/etc/kubernetes/azure.json PATH=/usr/bin:/usr/sbin").count(), 0);
    }
}
