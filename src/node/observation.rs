//! Evidence from the running machine: states of units, the journal, and whether a provisioner runs.

use std::process::Command;
use std::time::Duration;

use super::bounded::ask;
use super::lock::Lock;
use super::{Machine, bounded};
use crate::diagnosis::{Evidence, Item, PROPERTIES, Source, UNITS, Unread};

/// The time limit of a systemd program.
const LIMIT: Duration = Duration::from_secs(10);

/// The most bytes of a program's output that are kept.
const MOST: u64 = 2 << 20;

/// The lines of the journal that are read.
const LINES: &str = "3000";

/// Adds evidence from the running machine to the evidence from its files.
pub fn observe(machine: &Machine, evidence: &mut Evidence) {
    evidence.is_running = Lock::is_held(machine);
    let properties = format!("--property={PROPERTIES}");
    let mut show = vec!["show", "--no-pager", &properties];
    show.extend(UNITS);
    add(evidence, "systemctl", &show, "collect/systemctl_show.txt", Source::Units);
    for (name, selected) in [
        ("kubelet", &["--unit=kubelet"][..]),
        ("containerd", &["--unit=containerd"]),
        ("aks-node-controller", &["--identifier=aks-node-controller-launcher", "--identifier=cloud-init"]),
    ] {
        let mut arguments = vec!["--boot", "--no-pager", "--quiet", "--output=short-iso", "--lines", LINES];
        arguments.extend(selected);
        add(evidence, "journalctl", &arguments, &format!("collect/journalctl_{name}.txt"), Source::Journal);
    }
    evidence.items.sort_by(|one, other| one.path.cmp(&other.path));
}

fn add(evidence: &mut Evidence, program: &str, arguments: &[&str], path: &str, source: Source) {
    let mut unread = |problem: String| evidence.unread.push(Unread { path: path.to_owned(), problem });
    match ask(Command::new(program).args(arguments).env("TZ", "UTC").env("LC_ALL", "C"), b"", LIMIT, MOST) {
        Ok(bounded::Answer { stdout, stderr, status }) => {
            let problem = String::from_utf8_lossy(&stderr);
            let problem = problem.lines().next().unwrap_or_default();
            if !status.success() && stdout.is_empty() {
                unread(format!("{program} failed: {problem}"));
            } else if !stdout.is_empty() {
                let text = String::from_utf8_lossy(&stdout).into_owned();
                evidence.items.push(Item { path: path.to_owned(), source, text, left_out: 0, modified: None });
            } else if !problem.is_empty() {
                // journalctl prints which groups can read more.
                unread(problem.to_owned());
            }
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => unread(format!("{program} is not installed")),
        Err(error) => unread(format!("{program} {error}")),
    }
}
