//! Logs that are broken, huge, or made to do harm: a message for each, and what could be read is still shown.

use std::fs::{self, File};
use std::io::{self, Write};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use super::{PROGRAM, copy, diagnose, json, logs};
use crate::support::{Scratch, copy_program, finish, gzip, needs};

/// A tar archive with entries of any names. Its own header, because no archiver writes such names.
fn tar(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = Vec::new();
    for (name, content) in entries {
        let mut header = [0; 512];
        header[..name.len()].copy_from_slice(name.as_bytes());
        header[100..107].copy_from_slice(b"0000644");
        header[124..135].copy_from_slice(format!("{:011o}", content.len()).as_bytes());
        header[136..147].copy_from_slice(b"00000000000");
        header[148..156].copy_from_slice(b"        ");
        header[156] = b'0';
        header[257..263].copy_from_slice(b"ustar\0");
        header[263..265].copy_from_slice(b"00");
        let sum: u32 = header.iter().map(|byte| u32::from(*byte)).sum();
        header[148..155].copy_from_slice(format!("{sum:06o}\0").as_bytes());
        archive.extend(header);
        archive.extend(*content);
        archive.resize(archive.len().next_multiple_of(512), 0);
    }
    archive.extend([0; 1024]);
    archive
}

const RESULT: &[u8] = br#"{"ExitCode":"50","Output":"","Error":"why"}"#;

pub(super) fn unread(value: &Value) -> String {
    let line =
        |one: &Value| format!("{}: {}", one["path"].as_str().unwrap_or("?"), one["problem"].as_str().unwrap_or("?"));
    value["unread"].as_array().into_iter().flatten().map(line).collect::<Vec<_>>().join("\n")
}

/// The diagnosis of an archive of these bytes.
fn of(scratch: &Path, name: &str, bytes: &[u8]) -> Value {
    let path = scratch.join(name);
    fs::write(&path, bytes).expect("scratch is writable");
    json("--bundle", &path).0
}

#[test]
fn paths_that_leave_the_archive_are_named_and_not_read() {
    let scratch = Scratch::new("leaving");
    let entries: [(&str, &[u8]); 4] = [
        ("../../provision.json", RESULT),
        ("/var/log/azure/aks/provision.json", RESULT),
        ("a/../../provision.json", RESULT),
        ("var/log/azure/cluster-provision.log", b"2026-11-22 05:54:44 error 52: why\n"),
    ];
    let value = of(&scratch, "logs.tar", &tar(&entries));
    assert_eq!(value["code"], 52, "what is inside is read: {value:#}");
    assert_eq!(unread(&value).matches("leaves the archive").count(), 3, "{value:#}");
}

#[test]
fn damaged_archives_are_read_until_the_damage() {
    let scratch = Scratch::new("damaged");
    let log = b"x\n".repeat(40_000);
    let archive = tar(&[("provision.json", RESULT), ("cluster-provision.log", &log)]);
    for (name, bytes) in [
        ("cut.tar", archive[..archive.len() - 60_000].to_vec()),
        ("cut.tar.gz", {
            let packed = gzip(&archive);
            packed[..packed.len() - 20].to_vec()
        }),
        ("changed.tar.gz", {
            let mut packed = gzip(&archive);
            let at = packed.len() - 6;
            packed[at] ^= 1;
            packed
        }),
    ] {
        let value = of(&scratch, name, &bytes);
        assert_eq!(value["code"], 50, "{name}: {value:#}");
    }
    assert!(unread(&of(&scratch, "cut.tar.gz", &gzip(&archive)[..300])).contains("is truncated"));
    for (name, bytes, message) in [
        ("logs.tar.xz", &b"\xfd7zXZ\0\0"[..], "is xz data"),
        ("logs.7z", b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
        ("cut.zip", b"PK\x03\x04abcdefghijklmnop", "truncated or damaged"),
        ("empty.tar", b"", "is empty"),
    ] {
        let path = scratch.join(name);
        fs::write(&path, bytes).expect("writable");
        let ended = diagnose("--bundle", &path, &[]);
        let stderr = String::from_utf8_lossy(&ended.stderr).into_owned();
        assert!(ended.status.code() == Some(1) && stderr.contains(message), "{name}: {stderr}");
    }
    // Nothing of random bytes makes the program panic.
    for (number, start) in [&b"PK\x03\x04"[..], b"\x1f\x8b\x08", b"{\"ExitCode\":"].iter().enumerate() {
        let mut state = 7_u32;
        let noise = std::iter::repeat_with(|| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            state.to_be_bytes()[0]
        });
        let bytes: Vec<u8> = start.iter().copied().chain(noise.take(70_000)).collect();
        let path = scratch.join(format!("noise{number}"));
        fs::write(&path, &bytes).expect("writable");
        assert_eq!(diagnose("--bundle", &path, &[]).status.code(), Some(1));
        fs::create_dir_all(scratch.join("noise")).expect("writable");
        fs::write(scratch.join("noise/cluster-provision.log"), &bytes).expect("writable");
        assert_eq!(diagnose("--root", &scratch.join("noise"), &[]).status.code(), Some(1));
    }
}

#[test]
fn bombs_and_nests_of_archives_end_at_a_limit_with_a_message() {
    let scratch = Scratch::new("bombs");
    // gzip joins what is packed one after another: three gibibytes of zeros in all.
    let bomb = gzip(&vec![0; 64 << 20]).repeat(48);
    let value = of(&scratch, "bomb.tar", &tar(&[("cluster-provision.log.gz", &bomb), ("provision.json", RESULT)]));
    assert!(unread(&value).contains("only 2 GiB were unpacked"), "{value:#}");
    let mut nest = tar(&[("provision.json", RESULT)]);
    for _ in 0..20 {
        nest = tar(&[("logs.tar", &nest)]);
    }
    let value = of(&scratch, "nest.tar", &nest);
    assert!(unread(&value).contains("nested more than 3 archives deep"), "{value:#}");
}

#[test]
fn a_file_of_a_gibibyte_is_read_at_its_ends_only() {
    let scratch = Scratch::new("large");
    fs::write(scratch.join("provision.json"), RESULT).expect("writable");
    let mut log = File::create(scratch.join("cluster-provision.log")).expect("writable");
    log.write_all(b"2026-11-22 05:50:00 firstStep: 5 ms\n").expect("writable");
    log.set_len(1 << 30).expect("a file with holes");
    io::Seek::seek(&mut log, io::SeekFrom::End(0)).expect("seekable");
    log.write_all(b"\n2026-11-22 05:54:00 lastStep: 5 ms\n").expect("writable");
    let (value, _) = json("--root", &scratch);
    assert_eq!(value["lastStep"], "lastStep", "{value:#}");
    let log = value["read"].as_array().into_iter().flatten().find(|one| one["path"] == "cluster-provision.log");
    assert!(log.is_some_and(|log| log["leftOut"].as_u64() > Some(1_000_000_000)), "{value:#}");
    assert!(value["timeline"].to_string().contains("firstStep"));
}

#[test]
fn links_pipes_and_endless_lines_do_no_harm() {
    if !needs::programs(&[("mkfifo", "coreutils")]) {
        return;
    }
    let (scratch, outside) = (Scratch::new("links"), Scratch::new("outside"));
    fs::write(outside.join("provision.json"), br#"{"ExitCode":"99"}"#).expect("writable");
    symlink(outside.join("provision.json"), scratch.join("provision.json")).expect("writable");
    symlink(".", scratch.join("loop")).expect("writable");
    symlink("nowhere", scratch.join("waagent.log")).expect("writable");
    assert!(finish(std::process::Command::new("mkfifo").arg(scratch.join("cluster-provision.log"))).status.success());
    fs::write(
        scratch.join("cloud-init.log"),
        b"2026-11-22 05:54:00 - x[ERROR]: "
            .iter()
            .copied()
            .chain(std::iter::repeat_n(b'x', 5 << 20))
            .collect::<Vec<_>>(),
    )
    .expect("writable");
    let (value, _) = json("--root", &scratch);
    let unread = unread(&value);
    assert!(unread.contains("cluster-provision.log: is not a regular file"), "{value:#}");
    assert!(unread.contains("provision.json: is a symbolic link that leaves the directory"), "{value:#}");
    assert!(value["code"].is_null(), "{value:#}");
}

#[test]
fn links_of_a_root_lead_where_they_lead_on_its_machine() {
    const SECRET: &str = "c2FmZS1pbnNpZGU0Nzc4";
    if !needs::programs(&[("mkfifo", "coreutils")]) {
        return;
    }
    let (root, outside) = (Scratch::new("root"), Scratch::new("outside"));
    let write = |root: &Path, path: &str, content: &str| {
        let path = root.join(path);
        fs::create_dir_all(path.parent().expect("a directory")).expect("writable");
        fs::write(path, content).expect("writable");
    };
    let link = |target: &str, path: &str| {
        let path = root.join(path);
        fs::create_dir_all(path.parent().expect("a directory")).expect("writable");
        symlink(target, path).expect("writable");
    };
    // A parent that leads to the host, which the root does not have.
    write(&outside, "azure/cluster-provision.log", "2026-11-22 05:54:44 error 99: of the host\n");
    link(outside.join("azure").to_str().expect("text"), "var/log/azure");
    // A parent and a file that lead to other places of the machine.
    write(&root, "mnt/controller/started.json", "{}");
    link("/mnt/controller", "run/aks-node-controller");
    let log = format!("2026-11-22 05:54:44 a line with {SECRET} in it\n");
    write(&root, "data/cloud-init.log", &log);
    link("../../../../data/cloud-init.log", "var/log/cloud-init.log");
    // One that is read on its own.
    write(&root, "var/log/waagent.log", &log);
    link("waagent.log", "var/log/syslog");
    // CustomData with a secret, where cloud-init keeps it.
    let user_data = format!("#!/bin/bash\nTLS_BOOTSTRAP_TOKEN={SECRET}\nexport TLS_BOOTSTRAP_TOKEN\n");
    write(&root, "var/lib/cloud/instances/x/user-data.txt", &user_data);
    link("/var/lib/cloud/instances/x", "var/lib/cloud/instance");
    // Nobody writes to it.
    fs::create_dir_all(root.join("etc")).expect("writable");
    assert!(finish(Command::new("mkfifo").arg(root.join("etc/environment"))).status.success());

    let (value, _) = json("--root", &root);
    let read: Vec<_> = value["read"].as_array().into_iter().flatten().filter_map(|one| one["path"].as_str()).collect();
    assert_eq!(
        read,
        ["/run/aks-node-controller/started.json", "/var/log/cloud-init.log", "/var/log/waagent.log"],
        "{value:#}"
    );
    assert!(value["code"].is_null(), "{value:#}");
    let bundle = root.join("bundle.tar.gz");
    let ended = diagnose("--root", &root, &["--bundle-out", bundle.to_str().expect("text")]);
    let mut unpacked = Vec::new();
    let bytes = fs::read(&bundle).unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&ended.stderr)));
    io::Read::read_to_end(&mut flate2::read::MultiGzDecoder::new(&*bytes), &mut unpacked).expect("gzip");
    let unpacked = String::from_utf8_lossy(&unpacked);
    assert!(unpacked.contains("a line with") && !unpacked.contains(SECRET), "{unpacked}");
    assert!(!unpacked.contains("of the host"), "{unpacked}");
}

#[test]
fn control_characters_of_logs_and_names_are_not_printed() {
    let scratch = Scratch::new("control");
    let error = "\u{1b}]0;title\u{7}\u{1b}[2Jred \u{202e}";
    let result = serde_json::json!({"ExitCode": "50", "Error": error, "Output": error}).to_string();
    fs::write(scratch.join("provision.json"), result).expect("writable");
    let log = format!("2026-11-22 05:54:00 - x[ERROR]: {error}\n2026-11-22 05:54:44 error 50: {error}\n");
    fs::write(scratch.join("cluster-provision.log"), &log).expect("writable");
    fs::write(scratch.join("cloud-init-\u{1b}[31m.log"), &log).expect("writable");
    fs::write(scratch.join("kubelet.txt"), format!("Nov 22 05:54:44 n kubelet[1]: E1122 x] {error}\n"))
        .expect("writable");
    for format in ["text", "json"] {
        let ended = diagnose("--root", &scratch, &["--format", format]);
        let text = String::from_utf8(ended.stdout).expect("text");
        let is_bad = |character: char| character != '\n' && (character.is_control() || character == '\u{202e}');
        assert!(!text.contains(is_bad), "{text:?}");
        assert!(text.contains("50"), "{text}");
    }
    assert!(logs("failed").exists());
}

#[test]
fn what_an_ordinary_user_cannot_read_is_named() {
    if !needs::root() || !needs::programs(&[("setpriv", "util-linux")]) {
        return;
    }
    let scratch = Scratch::new("ordinary");
    copy(&logs("failed"), &scratch);
    for path in ["var/log/azure/cluster-provision.log", "var/log/azure/aks"] {
        fs::set_permissions(scratch.join(path), fs::Permissions::from_mode(0o000)).expect("modes can be set");
    }
    // The program itself may be where only root can read.
    let program = scratch.join("program");
    copy_program(Path::new(PROGRAM), &program);
    let mut command = Command::new("setpriv");
    command.args(["--reuid=65534", "--regid=65534", "--clear-groups"]).arg(&program).arg("diagnose");
    let ended = finish(command.args(["--format", "json", "--root"]).arg(&*scratch));
    let value: Value = serde_json::from_slice(&ended.stdout).expect("JSON");
    let unread = unread(&value);
    assert!(unread.contains("/var/log/azure/cluster-provision.log: permission denied; run it as root"), "{value:#}");
    assert!(unread.contains("/var/log/azure/aks: permission denied; run it as root"), "{value:#}");
    assert_eq!((&value["state"], &value["code"]), (&"failed".into(), &50.into()), "events are still read: {value:#}");
}
