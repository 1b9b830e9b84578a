//! `diagnose --live`: checks the services and resources that a node needs, on the machine. Each check has a time limit, and all run at
//! the same time.
//!
//! To add a check: a function that returns a [`Check`], called by [`check`].

mod facts;
mod network;
mod readiness;
mod server;
mod system;

use std::thread;
use std::time::Duration;

use super::Machine;
use crate::diagnosis::{Check, Verdict};
use crate::redaction::presentable;
use facts::Facts;
pub(super) use readiness::{Readiness, Status};

/// The time limit of a request, or of the resolution of a name.
const LIMIT: Duration = Duration::from_secs(5);

/// Why a check with credentials is omitted for a directory that stands for a machine: its files are untrusted, and could name any server.
const FOREIGN: &str = "credentials are only used on the machine itself, without --root";

/// Checks the requirements of a node: API server, node object, time, proxy, registry, services of the platform, disks and units.
/// Takes a few seconds even if no server answers. Meanwhile, `progress` is called ten times a second with the number of checks
/// that are done and the number of all.
#[must_use]
pub fn check(machine: &Machine, mut progress: impl FnMut(usize, usize)) -> Vec<Check> {
    let facts = Facts::of(machine);
    let checks: [fn(&Facts) -> Vec<Check>; 9] = [
        network::api_server,
        server::api_server,
        |facts| vec![server::certificate(facts)],
        |facts| vec![readiness::node(facts)],
        |facts| vec![network::proxy(facts)],
        |facts| vec![server::registry(facts)],
        |_| vec![network::metadata(), network::wire_server()],
        system::disks,
        system::units,
    ];
    thread::scope(|scope| {
        let running: Vec<_> = checks.iter().map(|check| scope.spawn(|| check(&facts))).collect();
        loop {
            let done = running.iter().filter(|check| check.is_finished()).count();
            progress(done, running.len());
            if done == running.len() {
                break;
            }
            thread::sleep(Duration::from_millis(100));
        }
        running.into_iter().flat_map(|check| check.join().unwrap_or_default()).collect()
    })
}

fn result(name: &str, verdict: Verdict, detail: impl AsRef<str>, hint: Option<&str>) -> Check {
    Check {
        name: name.to_owned(),
        verdict,
        detail: presentable(detail.as_ref()).into_string(),
        hint: hint.map(str::to_owned),
    }
}

fn ok(name: &str, detail: impl AsRef<str>) -> Check {
    result(name, Verdict::Ok, detail, None)
}

fn failed(name: &str, detail: impl AsRef<str>, hint: &str) -> Check {
    result(name, Verdict::Failed, detail, Some(hint))
}

fn warning(name: &str, detail: impl AsRef<str>, hint: &str) -> Check {
    result(name, Verdict::Warning, detail, Some(hint))
}

fn not_checked(name: &str, detail: impl AsRef<str>) -> Check {
    result(name, Verdict::NotChecked, detail, None)
}
