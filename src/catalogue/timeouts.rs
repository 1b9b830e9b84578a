//! Time limits of provisioning.

use std::ops::RangeInclusive;
use std::time::Duration;

/// The time limit of the provisioning scripts in seconds, if the Configuration sets no `cse_timeout`, or one outside
/// [`ACCEPTED`].
pub const DEFAULT: i32 = 900;

/// Accepted values of `cse_timeout`, in seconds: up to six hours.
pub const ACCEPTED: RangeInclusive<i32> = 1..=21_600;

/// How much longer than the scripts' time limit `provision-wait` waits without `--timeout`.
pub const WAIT_MARGIN: Duration = Duration::from_mins(1);

/// How long `provision-wait` waits for a provisioner before it starts the extension's copy of the boothook.
pub const BOOTHOOK: Duration = Duration::from_secs(30);

/// How long `provision-wait` waits for a provisioner to start without `--timeout`.
pub const START: Duration = Duration::from_mins(20);
