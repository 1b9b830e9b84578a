//! The machine: where its fixed paths are, and how one boot, and one machine, is told from another.

use std::fs;
use std::path::{Path, PathBuf};

/// The machine, or a folder that stands for one.
#[derive(Clone, Debug)]
pub struct Machine {
    root: Option<PathBuf>,
}

impl Machine {
    /// This machine, or with `root` a folder below which all fixed paths stand.
    #[must_use]
    pub fn new(root: Option<PathBuf>) -> Self {
        Self { root }
    }

    /// Where a fixed path of the catalogue is.
    #[must_use]
    pub fn path(&self, fixed: &str) -> PathBuf {
        match &self.root {
            Some(root) => root.join(fixed.trim_start_matches('/')),
            None => fixed.into(),
        }
    }

    /// The folder that stands for the machine, if one does.
    #[must_use]
    pub fn root(&self) -> Option<&Path> {
        self.root.as_deref()
    }

    /// Whether this process may do the work: everything on a real machine belongs to root.
    #[must_use]
    pub fn is_ours(&self) -> bool {
        self.root.is_some() || rustix::process::geteuid().is_root()
    }

    /// Tells this boot from every other.
    #[must_use]
    pub fn boot_id(&self) -> String {
        self.kernel_text("/proc/sys/kernel/random/boot_id").unwrap_or_default()
    }

    /// Tells this machine from every other, also from the one whose disk it was made from. `None` where the firmware
    /// does not say.
    #[must_use]
    pub fn instance_id(&self) -> Option<String> {
        self.kernel_text("/sys/class/dmi/id/product_uuid")
    }

    /// Time since boot in milliseconds, the time asleep included. Does not step.
    #[must_use]
    pub fn since_boot() -> u64 {
        let time = rustix::time::clock_gettime(rustix::time::ClockId::Boottime);
        u64::try_from(time.tv_sec).unwrap_or_default() * 1000
            + u64::try_from(time.tv_nsec).unwrap_or_default() / 1_000_000
    }

    /// A line that the kernel gives; below a root that has none of its own, the real one.
    fn kernel_text(&self, path: &str) -> Option<String> {
        let text = fs::read_to_string(self.path(path)).or_else(|_| fs::read_to_string(path)).ok()?;
        let text = text.trim();
        (!text.is_empty()).then(|| text.to_owned())
    }
}
