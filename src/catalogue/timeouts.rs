//! How long provisioning may take.

use std::ops::RangeInclusive;
use std::time::Duration;

/// Seconds that the provisioning scripts have if the Configuration sets no `cse_timeout`, or one outside [`ACCEPTED`].
pub const DEFAULT: i32 = 900;

/// Values of `cse_timeout` that count, in seconds: up to six hours.
pub const ACCEPTED: RangeInclusive<i32> = 1..=21_600;

/// How much longer than the scripts' time limit `provision-wait` waits if it was given no timeout.
pub const WAIT_MARGIN: Duration = Duration::from_mins(1);

/// How long `provision-wait` waits for a provisioner to start if it was given no timeout.
pub const START: Duration = Duration::from_mins(20);
