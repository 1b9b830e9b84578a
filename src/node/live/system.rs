//! Checks of the machine itself.

use std::process::Command;

use rustix::fs::statvfs;

use super::facts::Facts;
use super::{LIMIT, failed, not_checked, ok, warning};
use crate::diagnosis::{Check, Evidence, Item, PROPERTIES, Source, UNITS, units_of};
use crate::node::bounded::ask;

/// The directories whose file systems are checked.
const DIRECTORIES: [&str; 4] = ["/", "/var/lib", "/var/lib/kubelet", "/var/lib/containerd"];

/// Percentages of free space and of free inodes below which the kubelet evicts pods by default.
const LOW_SPACE: u64 = 10;
const LOW_INODES: u64 = 5;

/// Free bytes below which nothing works.
const NO_SPACE: u64 = 100 << 20;

/// The most bytes of systemctl's output that are read.
const MOST: u64 = 64 << 10;

/// Checks space and inodes, once for each file system.
pub(super) fn disks(facts: &Facts) -> Vec<Check> {
    let mut seen = Vec::new();
    let mut checks = Vec::new();
    for directory in DIRECTORIES {
        let Some(Ok(found)) = facts.machine.location(directory).map(statvfs) else { continue };
        if seen.contains(&found.f_fsid) {
            continue;
        }
        seen.push(found.f_fsid);
        let name = format!("disk: {directory}");
        let percent = |free: u64, all: u64| free.saturating_mul(100).checked_div(all).unwrap_or(100);
        let free = found.f_bavail.saturating_mul(found.f_frsize);
        let space = percent(found.f_bavail, found.f_blocks);
        let inodes = percent(found.f_favail, found.f_files);
        let detail = format!("{space} % ({} MiB) and {inodes} % of the inodes are free", free >> 20);
        let hint = "free space: journalctl --vacuum-size=200M; crictl rmi --prune; du -x --max-depth=2 /var";
        checks.push(if free < NO_SPACE || (found.f_files > 0 && found.f_favail == 0) {
            failed(&name, detail, hint)
        } else if space < LOW_SPACE || inodes < LOW_INODES {
            warning(&name, detail, hint)
        } else {
            ok(&name, detail)
        });
    }
    checks
}

/// Checks the units that a node depends on, except those that the machine does not have.
pub(super) fn units(_: &Facts) -> Vec<Check> {
    let properties = format!("--property={PROPERTIES}");
    let mut command = Command::new("systemctl");
    command.args(["show", "--no-pager", &properties]).args(UNITS);
    let answer = match ask(&mut command, b"", LIMIT, MOST) {
        Ok(answer) if answer.status.success() => answer,
        Ok(_) => return vec![not_checked("units", "systemd does not run")],
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            return vec![not_checked("units", "systemctl is not installed")];
        }
        Err(error) => return vec![not_checked("units", format!("systemctl {error}"))],
    };
    let text = String::from_utf8_lossy(&answer.stdout).into_owned();
    let item = Item { path: String::new(), source: Source::Units, text, left_out: 0, modified: None };
    let units = units_of(&Evidence { items: vec![item], ..Evidence::default() });
    let check = |unit: &crate::diagnosis::Unit| {
        let name = format!("unit: {}", unit.name);
        let state = format!("{} ({})", unit.active, unit.sub);
        let hint = format!("read why: journalctl --unit={} --boot --no-pager --lines=50", unit.name);
        // The others run once, or only on some nodes.
        let is_needed = ["kubelet.service", "containerd.service"].contains(&unit.name.as_str());
        match unit.active.as_str() {
            _ if unit.has_failed() => failed(&name, state, &hint),
            "active" => ok(&name, state),
            _ if is_needed => failed(&name, state, &hint),
            _ => not_checked(&name, state),
        }
    };
    units.iter().map(check).collect()
}
