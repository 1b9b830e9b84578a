//! The units under systemd.

use std::fs;

use aks_node_controller::catalogue::node_distros::Family;
use aks_node_controller::catalogue::node_files::{Content, image_files};

use crate::support::machine::{Machines, verify_units};
use crate::support::{Scratch, needs};

static MACHINES: Machines = Machines::of("tests/units/machine.sh");

/// Boots a machine and runs a scenario of `machine.sh` on it.
fn scenario(name: &str) {
    if !needs::root() || !needs::programs(&[("/lib/systemd/systemd", "systemd"), ("pgrep", "procps")]) {
        return;
    }
    MACHINES.scenario(&[name]);
}

#[test]
fn a_configuration_that_is_delivered_late_starts_the_unit() {
    scenario("a_configuration_that_is_delivered_late_starts_the_unit");
}

#[test]
fn a_truncated_configuration_ends_with_a_result() {
    scenario("a_truncated_configuration_ends_with_a_result");
}

#[test]
fn a_configuration_that_exists_at_boot_is_applied_once() {
    scenario("a_configuration_that_exists_at_boot_is_applied_once");
}

#[test]
fn a_start_before_the_configuration_is_skipped() {
    scenario("a_start_before_the_configuration_is_skipped");
}

#[test]
fn stopping_the_unit_ends_the_scripts_and_leaves_a_result() {
    scenario("stopping_the_unit_ends_the_scripts_and_leaves_a_result");
}

#[test]
fn after_a_shutdown_the_next_boot_tries_again() {
    scenario("after_a_shutdown_the_next_boot_tries_again");
}

#[test]
fn of_boothook_and_unit_one_runs_the_scripts() {
    scenario("of_boothook_and_unit_one_runs_the_scripts");
}

#[test]
fn a_cloud_init_that_fails_does_not_end_the_scripts() {
    scenario("a_cloud_init_that_fails_does_not_end_the_scripts");
}

#[test]
fn a_retry_on_a_machine_starts_the_launcher() {
    scenario("a_retry_on_a_machine_starts_the_launcher");
}

#[test]
fn systemd_accepts_the_units() {
    if !needs::programs(&[("systemd-analyze", "systemd")]) {
        return;
    }
    let directory = Scratch::new("units");
    let mut files = Vec::new();
    for file in image_files(Family::Mariner).chain(image_files(Family::Flatcar)) {
        let name =
            file.path.strip_prefix("/etc/systemd/system/").filter(|name| name.contains('.') && !name.contains('/'));
        if let (Content::Embedded(part), Some(name)) = (file.content, name) {
            // The programs that they start do not exist on this machine.
            let is_command = |line: &str| line.starts_with("Exec") && line.contains('=');
            let text = part.text();
            let text = text.lines().map(|line| match line.split_once('=') {
                Some((setting, command)) if is_command(line) => {
                    let arguments = command.find(' ').map_or("", |at| &command[at..]);
                    format!("{setting}=/bin/true{arguments}\n")
                }
                _ => format!("{line}\n"),
            });
            fs::write(directory.join(name), text.collect::<String>()).expect("written");
            files.push(directory.join(name));
        }
    }
    // The temporary disk, which the platform mounts.
    fs::write(directory.join("mnt.mount"), "[Mount]\nWhat=/dev/disk/azure/resource-part1\nWhere=/mnt\n")
        .expect("written");
    assert!(files.len() > 15);
    let ended = verify_units(&files);
    let complaints = String::from_utf8_lossy(&ended.stderr);
    assert!(ended.status.success() && complaints.is_empty(), "{complaints}");
}
