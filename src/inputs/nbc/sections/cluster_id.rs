//! The eight digits by which AKS tells a cluster's resources apart, where a document does not name them.
//!
//! They are the first number that Go's `math/rand` gives for a seed made of the cluster's DNS prefix. Of that generator
//! only the way to the first number is here.

/// Length of the generator's state, and the two places of it that make the first number.
const STATE: usize = 607;
const FIRST: [(usize, u64); 2] = [(333, 0xbfb2_f4d9_68b7_59c3), (606, 0x39a0_0a3a_31c0_25c6)];

/// Numbers that the seeding passes over.
const PASSED_OVER: usize = 20;

/// The digits for a DNS prefix (or, without a hosted control plane, the name of the first pool).
pub(super) fn cluster_id(name: &str) -> String {
    let seed = name
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    let number = format!("{:08}", first_number(seed.cast_signed()));
    number[..8].to_owned()
}

fn first_number(seed: i64) -> u32 {
    const MODULUS: i64 = (1 << 31) - 1;
    // Go's seeding takes the place of zero with a number of its own.
    let mut x = match seed.rem_euclid(MODULUS) {
        0 => 89_482_311,
        seed => seed,
    };
    let mut next = || {
        x = x * 48_271 % MODULUS;
        x.cast_unsigned()
    };
    for _ in 0..PASSED_OVER {
        next();
    }
    let mut sum = 0_u64;
    for place in 0..STATE {
        let mixed = (next() << 40) ^ (next() << 20) ^ next();
        if let Some((_, cooked)) = FIRST.iter().find(|(wanted, _)| *wanted == place) {
            sum = sum.wrapping_add(mixed ^ cooked);
        }
    }
    #[expect(clippy::cast_possible_truncation, reason = "the upper 32 of 63 bits")]
    let number = (sum >> 31) as u32;
    number
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_digits_are_those_of_the_reference() {
        assert_eq!(cluster_id("uttestdom"), "36873793");
        assert!(["", "a", "demo"].iter().all(|name| cluster_id(name).len() == 8));
    }
}
