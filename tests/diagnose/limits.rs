//! What one run may take, whatever it reads: memory, and a message about everything that was left out.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use super::PROGRAM;
use super::hostile::unread;
use crate::support::{Scratch, finish, gzip, needs};

/// KiB that a run may take.
const MOST: u64 = 256 << 10;

/// The header of an entry of a tar archive.
fn header(name: &str, size: u64, kind: u8) -> Vec<u8> {
    let mut header = vec![0; 512];
    header[..name.len()].copy_from_slice(name.as_bytes());
    header[100..107].copy_from_slice(b"0000644");
    header[124..135].copy_from_slice(format!("{size:011o}").as_bytes());
    header[136..147].copy_from_slice(b"00000000000");
    header[156] = kind;
    header[257..265].copy_from_slice(b"ustar  \0");
    checked(header)
}

fn checked(mut header: Vec<u8>) -> Vec<u8> {
    header[148..156].copy_from_slice(b"        ");
    let sum: u32 = header.iter().map(|byte| u32::from(*byte)).sum();
    header[148..155].copy_from_slice(format!("{sum:06o}\0").as_bytes());
    header
}

/// An archive with the same text under many names. gzip joins what is packed one after another.
fn copies(number: usize, content: &[u8]) -> Vec<u8> {
    let packed = gzip(content);
    let name = |at| format!("var/log/azure/cluster-provision-{at}.log");
    (0..number).flat_map(|at| [gzip(&header(&name(at), content.len() as u64, b'0')), packed.clone()].concat()).collect()
}

/// The diagnosis of a file or a directory, its standard error, and the KiB that it took.
fn measured(flag: &str, path: &Path) -> (Value, String, u64) {
    let (scratch, mut command) = (Scratch::new("measured"), Command::new("time"));
    command.args(["--format", "%M", "--output"]).arg(scratch.join("peak")).args([PROGRAM, "diagnose", flag]).arg(path);
    let ended = finish(command.args(["--format", "json", "--bundle-out"]).arg(scratch.join("bundle.tar.gz")));
    let peak = fs::read_to_string(scratch.join("peak")).expect("`time` writes it");
    let peak = peak.lines().last().and_then(|line| line.parse().ok()).expect("a number");
    let value = serde_json::from_slice(&ended.stdout).unwrap_or_default();
    (value, String::from_utf8_lossy(&ended.stderr).into_owned(), peak)
}

#[test]
fn no_archive_takes_more_than_256_mib() {
    if !needs::programs(&[("time", "time")]) {
        return;
    }
    let scratch = Scratch::new("limits");
    let result = [header("provision.json", 512, b'0'), br#"{"ExitCode":"50"}"#.to_vec()].concat();
    let result = [&*result, &[b' '; 512 - 17]].concat();
    let mebibytes = gzip(&vec![b'a'; 32 << 20]);
    let huge = |kind| {
        let start = [&*result, &header("x", 1920 << 20, kind)].concat();
        let end = [&*header("cluster-provision.log", 0, b'0'), &[0; 1024]].concat();
        [gzip(&start), mebibytes.repeat(60), gzip(&end)].concat()
    };
    // Seven gibibytes that are not in the archive.
    let mut sparse = header("cluster-provision.log", 0, b'S');
    for (at, number) in [(386, 7_u64 << 30), (398, 0), (483, 7 << 30)] {
        sparse[at..at + 11].copy_from_slice(format!("{number:011o}").as_bytes());
    }
    let lines: Vec<_> = (0..1900).map(|at| format!("2026-11-22 05:50:00 step{at}: 5 ms\n")).collect();
    let lines = lines.concat();
    let values = format!("[{}0]", r#"{"":0},"#.repeat(290_000));
    let document = |name: &str, text: &str| {
        let mut content = text.as_bytes().to_vec();
        let header = header(name, content.len() as u64, b'0');
        content.resize(content.len().next_multiple_of(512), 0);
        gzip(&[&*header, &content].concat())
    };
    let index = format!(r#"{{"isRunning":true,"checks":{values},"unread":{values},"items":[]}}"#);
    for (name, archive, message) in [
        ("long-name", huge(b'L'), "has a name or a header of more than 256 KiB"),
        ("long-link", huge(b'K'), "has a name or a header of more than 256 KiB"),
        ("extended-header", huge(b'x'), "has a name or a header of more than 256 KiB"),
        ("sparse", gzip(&[&*result, &checked(sparse), &[0; 1024]].concat()), "only 2 GiB were unpacked"),
        // Each byte takes three as text.
        ("texts", copies(120, &vec![0xff; 2 << 20]), "more than 48 MiB of them"),
        ("rows", copies(60, format!("{lines:\n<65024}").as_bytes()), ""),
        ("values", document("provision.json", &values), "is larger than 512 KiB"),
        ("index", document("aks-node-diagnosis/evidence.json", &index[..index.len().min(2 << 20)]), ""),
        ("path", document(&format!("{}/cluster-provision.log", "n".repeat(70)), "x"), ""),
    ] {
        let path = scratch.join(format!("{name}.tar.gz"));
        fs::write(&path, archive).expect("writable");
        let (value, stderr, peak) = measured("--bundle", &path);
        assert!(peak < MOST, "{name}: {peak} KiB");
        assert!(unread(&value).contains(message), "{name}: {stderr}{value:#}");
    }
}

#[test]
fn compressed_texts_of_a_directory_share_one_budget() {
    if !needs::programs(&[("time", "time")]) {
        return;
    }
    let scratch = Scratch::new("limits");
    let bomb = gzip(&vec![0; 32 << 20]).repeat(32);
    for number in 0..3 {
        fs::write(scratch.join(format!("cluster-provision-{number}.log.gz")), &bomb).expect("writable");
    }
    let (value, _, peak) = measured("--root", &scratch);
    assert!(peak < MOST, "{peak} KiB");
    assert!(unread(&value).contains("only 2 GiB were unpacked"), "{value:#}");
}

#[test]
fn a_machine_with_more_secrets_than_can_be_looked_for_is_an_error() {
    if !needs::programs(&[("time", "time")]) {
        return;
    }
    let scratch = Scratch::new("limits");
    let write = |path: &str, text: &str| {
        fs::create_dir_all(scratch.join(path).parent().expect("a directory")).expect("writable");
        fs::write(scratch.join(path), text).expect("writable");
    };
    write("var/log/waagent.log", "");
    let lines: Vec<_> = (0..70_000).map(|at| format!("token: k{at:07}xyz\n")).collect();
    for (path, text, message) in [
        ("etc/environment", lines.concat(), "has too many secrets to look for"),
        ("etc/environment", " ".repeat((4 << 20) + 1), "/etc/environment can have secrets and is larger than 4 MiB"),
    ] {
        write(path, &text);
        let (_, stderr, peak) = measured("--root", &scratch);
        assert!(stderr.starts_with("error: cannot read") && stderr.contains(message), "{stderr}");
        assert!(peak < MOST, "{peak} KiB");
    }
}
