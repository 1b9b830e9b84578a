//! The eight digits in the names of a cluster's Azure resources, for documents without `ClusterID`.
//!
//! They are the first number of Go's `math/rand`, seeded with a hash of the cluster's DNS prefix. This module only
//! computes the first number of that generator.

/// The modulus and the multiplier of the generator that fills the state of `math/rand`.
const MODULUS: i64 = (1 << 31) - 1;
const MULTIPLIER: i64 = 48_271;

/// How many numbers the seeding skips.
const SKIPPED: u32 = 20;

/// The two elements of the state whose sum is the first number: their indexes, and the constants that they are combined
/// with.
const ELEMENTS: [(u32, u64); 2] = [(333, 0xbfb2_f4d9_68b7_59c3), (606, 0x39a0_0a3a_31c0_25c6)];

/// Returns the digits for a DNS prefix, or, without a hosted control plane, for the name of the first pool.
pub(super) fn cluster_id(name: &str) -> String {
    let seed = name
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    let number = format!("{:08}", first_number(seed.cast_signed()));
    number[..8].to_owned()
}

fn first_number(seed: i64) -> u32 {
    // Go's seeding replaces zero by this number.
    let seed = match seed.rem_euclid(MODULUS) {
        0 => 89_482_311,
        seed => seed,
    };
    let number = |nth: u32| (seed * power(nth) % MODULUS).cast_unsigned();
    let mut sum = 0_u64;
    for (place, constant) in ELEMENTS {
        let nth = SKIPPED + 3 * place;
        let element = (number(nth + 1) << 40) ^ (number(nth + 2) << 20) ^ number(nth + 3);
        sum = sum.wrapping_add(element ^ constant);
    }
    #[expect(clippy::cast_possible_truncation, reason = "the upper 32 of 63 bits")]
    let number = (sum >> 31) as u32;
    number
}

/// Returns the multiplier to the power of `exponent`, modulo the modulus. It leads from the seed directly to the number
/// at that place.
fn power(mut exponent: u32) -> i64 {
    let (mut result, mut base) = (1, MULTIPLIER);
    while exponent > 0 {
        if exponent % 2 == 1 {
            result = result * base % MODULUS;
        }
        base = base * base % MODULUS;
        exponent /= 2;
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_digits_are_those_of_the_reference() {
        for (name, id) in [("uttestdom", "36873793"), ("demo-dns", "98537448"), ("a", "41704259"), ("", "12857252")] {
            assert_eq!(cluster_id(name), id, "{name}");
        }
    }
}
