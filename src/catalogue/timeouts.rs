//! How long provisioning may take.

use std::ops::RangeInclusive;

/// Seconds that the provisioning scripts have if the Configuration sets no `cse_timeout`, or one outside [`ACCEPTED`].
pub const DEFAULT: i32 = 900;

/// Values of `cse_timeout` that count, in seconds: up to six hours.
pub const ACCEPTED: RangeInclusive<i32> = 1..=21_600;
