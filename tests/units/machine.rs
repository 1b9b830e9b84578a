//! The units, judged by systemd.

use std::fs;
use std::process::Command;

use aks_node_controller::catalogue::node_distros::Family;
use aks_node_controller::catalogue::node_files::{Content, image_files};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// Boots a machine and lets a scenario of `machine.sh` happen to it.
fn scenario(name: &str) {
    if !Command::new("unshare").args(["--mount", "--pid", "--fork", "true"]).status().is_ok_and(|ended| ended.success())
    {
        assert!(std::env::var_os("CI").is_none(), "namespaces cannot be made here: run this as root");
        eprintln!("skipped: namespaces cannot be made here");
        return;
    }
    let ended = Command::new("unshare")
        .arg("--mount")
        .arg(format!("{ROOT}/tests/units/machine.sh"))
        .args([env!("CARGO_BIN_EXE_aks-node-controller"), name])
        .arg(format!("{ROOT}/testdata/examples/arm64-minimal.json"))
        .output()
        .expect("`unshare` is there (package util-linux)");
    let (told, complaints) = (String::from_utf8_lossy(&ended.stdout), String::from_utf8_lossy(&ended.stderr));
    assert!(ended.status.success(), "{told}{complaints}");
}

#[test]
fn req_unit_2_a_document_that_comes_late() {
    scenario("a_document_that_comes_late");
}

#[test]
fn req_unit_2_r_24_half_a_document() {
    scenario("half_a_document");
}

#[test]
fn req_unit_3_r_02_a_document_from_the_beginning() {
    scenario("a_document_from_the_beginning");
}

#[test]
fn req_unit_2_r_34_a_start_before_the_document() {
    scenario("a_start_before_the_document");
}

#[test]
fn req_unit_1_req_lau_2_r_10_a_stop_on_the_way() {
    scenario("a_stop_on_the_way");
}

#[test]
fn req_unit_1_r_10_a_shutdown_on_the_way() {
    scenario("a_shutdown_on_the_way");
}

#[test]
fn req_unit_4_r_21_a_boothook_beside_the_unit() {
    scenario("a_boothook_beside_the_unit");
}

#[test]
fn req_unit_1_the_units_are_sound() {
    let folder = std::env::temp_dir().join(format!("units-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("made");
    let mut files = Vec::new();
    for file in image_files(Family::Mariner) {
        let name =
            file.path.strip_prefix("/etc/systemd/system/").filter(|name| name.contains('.') && !name.contains('/'));
        if let (Content::Part(part), Some(name)) = (file.content, name) {
            // What they start is not on this machine.
            let is_command = |line: &str| line.starts_with("Exec") && line.contains('=');
            let text = part.text();
            let text = text.lines().map(|line| match line.split_once('=') {
                Some((setting, command)) if is_command(line) => {
                    format!("{setting}=/bin/true{}\n", if command.ends_with('\\') { " \\" } else { "" })
                }
                _ => format!("{line}\n"),
            });
            fs::write(folder.join(name), text.collect::<String>()).expect("written");
            files.push(folder.join(name));
        }
    }
    // The temporary disk, which the platform mounts.
    fs::write(folder.join("mnt.mount"), "[Mount]\nWhat=/dev/disk/azure/resource-part1\nWhere=/mnt\n").expect("written");
    assert!(files.len() > 15);
    let ended = Command::new("systemd-analyze").arg("verify").args(&files).output().expect("package systemd");
    let told = String::from_utf8_lossy(&ended.stderr);
    assert!(ended.status.success() && told.is_empty(), "{told}");
    fs::remove_dir_all(folder).expect("removed");
}
