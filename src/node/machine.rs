//! The machine: the location of its fixed paths, and the ids of its boot and of the machine itself.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use std::{fs, io};

use super::bounded::ask;
use super::files;
use crate::root::Root;

/// Fixed path of the boot's id.
const BOOT_ID: &str = "/proc/sys/kernel/random/boot_id";

/// Fixed path of the name of the host.
const HOST_NAME: &str = "/proc/sys/kernel/hostname";

/// Fixed path of the firmware's id of the machine.
const INSTANCE_ID: &str = "/sys/class/dmi/id/product_uuid";

/// Exists if systemd is the first process.
const SYSTEMD: &str = "/run/systemd/system";

/// How long systemd may take to print its state.
const SYSTEMCTL_LIMIT: Duration = Duration::from_secs(5);

/// Bytes of the state that are read.
const SYSTEMCTL_OUTPUT: u64 = 64;

/// The machine that this process runs on, or a directory that stands for one.
#[derive(Clone, Debug)]
pub struct Machine {
    root: Option<PathBuf>,
}

/// A path that cannot stand for a machine, because it would be part of a shell command.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}: must be an absolute path of letters, digits and ./_-+,@", path.display())]
#[non_exhaustive]
pub struct UnusableRoot {
    /// The path.
    pub path: PathBuf,
}

impl Machine {
    /// Returns the machine that this process runs on.
    #[must_use]
    pub const fn this() -> Self {
        Self { root: None }
    }

    /// Returns a machine whose fixed paths are below a directory.
    ///
    /// # Errors
    /// Fails if the path is relative or contains a character that has a meaning in a shell.
    pub fn below(root: &Path) -> Result<Self, UnusableRoot> {
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/._-+,@".contains(&byte);
        if root.is_absolute() && root.to_str().is_some_and(|text| text.bytes().all(is_plain)) {
            Ok(Self { root: Some(root.to_owned()) })
        } else {
            Err(UnusableRoot { path: root.to_owned() })
        }
    }

    /// Returns the location of a fixed path on this machine.
    #[must_use]
    pub fn path(&self, fixed: &str) -> PathBuf {
        match &self.root {
            Some(root) => root.join(fixed.trim_start_matches('/')),
            None => fixed.into(),
        }
    }

    /// Returns the location of a file, without symbolic links if a directory stands for the machine: they lead where they lead on
    /// the machine. `None` if there is no such file.
    pub(super) fn location(&self, path: &str) -> Option<PathBuf> {
        match &self.root {
            Some(root) => Root::new(root).and_then(|root| root.location(Path::new(path))).ok(),
            None => Path::new(path).exists().then(|| path.into()),
        }
    }

    /// Reads a regular file of at most `limit` bytes. Symbolic links lead where they lead on the machine.
    ///
    /// # Errors
    /// Fails if the file cannot be opened or read, is not a regular file, or is larger.
    pub(super) fn read(&self, path: &str, limit: u64) -> io::Result<Vec<u8>> {
        match &self.root {
            Some(root) => {
                let content = Root::new(root)?.read(Path::new(path), limit + 1)?;
                if content.len() as u64 > limit { Err(files::too_large(limit)) } else { Ok(content) }
            }
            None => files::read_regular(Path::new(path), limit),
        }
    }

    /// Returns the directory that stands for the machine. `None` for the real machine.
    pub(super) fn root(&self) -> Option<&Path> {
        self.root.as_deref()
    }

    /// Reports whether a directory stands for the machine.
    pub(super) const fn is_foreign(&self) -> bool {
        self.root.is_some()
    }

    /// Reports whether this process may provision the machine: only root may, unless a directory stands for the
    /// machine.
    pub(super) fn is_writable(&self) -> bool {
        self.root.is_some() || rustix::process::geteuid().is_root()
    }

    /// Returns the id of this boot, empty if the kernel has none.
    pub(super) fn boot_id(&self) -> String {
        self.kernel_text(BOOT_ID).unwrap_or_default()
    }

    /// Returns the firmware's id of this machine, which a copy of its disk on another machine does not have. `None` if
    /// the firmware has none.
    pub(super) fn instance_id(&self) -> Option<String> {
        self.kernel_text(INSTANCE_ID)
    }

    /// Returns the name of the host. `None` if the kernel has none.
    pub(super) fn host_name(&self) -> Option<String> {
        self.kernel_text(HOST_NAME)
    }

    /// Returns the milliseconds since boot, including suspend. This clock is never set.
    pub(super) fn since_boot() -> u64 {
        let time = rustix::time::clock_gettime(rustix::time::ClockId::Boottime);
        u64::try_from(time.tv_sec).unwrap_or_default() * 1000
            + u64::try_from(time.tv_nsec).unwrap_or_default() / 1_000_000
    }

    /// Reports whether systemd is shutting the machine down.
    pub(super) fn is_shutting_down(&self) -> bool {
        if !self.path(SYSTEMD).exists() {
            return false;
        }
        let state = ask(Command::new("systemctl").arg("is-system-running"), b"", SYSTEMCTL_LIMIT, SYSTEMCTL_OUTPUT);
        state.is_ok_and(|answer| answer.stdout.trim_ascii() == b"stopping")
    }

    /// Returns a line from a file of the kernel. Below a root without the file, returns the line of the real machine.
    fn kernel_text(&self, path: &str) -> Option<String> {
        let text = fs::read_to_string(self.path(path)).or_else(|_| fs::read_to_string(path)).ok()?;
        let text = text.trim();
        (!text.is_empty()).then(|| text.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_root_is_absolute_and_needs_no_quoting_in_a_shell() {
        assert!(Machine::below(Path::new("/srv/image-1_a.b/c+d,e@f")).is_ok());
        for root in ["relative", "/a b", "/$(id)", "/a'b", "/a\nb", "/ä"] {
            let error = Machine::below(Path::new(root)).expect_err(root).to_string();
            assert!(error.starts_with(root) && error.contains("must be an absolute path"), "{error}");
        }
    }
}
