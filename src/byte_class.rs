//! Finds bytes of a class in a text: those that have to be escaped or quoted.

/// Returns the place of the first byte whose row of the table has a bit of `class`. Reads eight bytes between two
/// branches: most texts have no such byte.
pub(crate) fn position(text: &str, classes: &[u8; 256], class: u8) -> Option<usize> {
    let of = |byte: u8| classes[usize::from(byte)];
    let is_clear = |[a, b, c, d, e, f, g, h]: &&[u8; 8]| {
        (of(*a) | of(*b) | of(*c) | of(*d) | of(*e) | of(*f) | of(*g) | of(*h)) & class == 0
    };
    let clear = 8 * text.as_bytes().as_chunks::<8>().0.iter().take_while(is_clear).count();
    let found = text.as_bytes()[clear..].iter().position(|byte| of(*byte) & class != 0)?;
    Some(clear + found)
}

#[cfg(test)]
mod tests {
    use super::position;

    #[test]
    fn finds_the_first_byte_of_a_class_wherever_it_is() {
        let mut classes = [0; 256];
        classes[usize::from(b'x')] = 2;
        classes[usize::from(b'y')] = 4;
        for before in 0..20 {
            let text = format!("{}yax", "a".repeat(before));
            assert_eq!(position(&text, &classes, 2), Some(before + 2));
            assert_eq!(position(&text, &classes, 6), Some(before));
            assert_eq!(position(&text, &classes, 1), None);
        }
    }
}
