//! Files without an end, names that a terminal would obey, and a system without threads.

use std::fs::{self, File};
use std::path::Path;
use std::process::Command;

use super::{SMALL, run};
use crate::support::{Scratch, copy_program, finish, needs};

const PROGRAM: &str = env!("CARGO_BIN_EXE_aks-node-controller");

#[test]
fn a_device_without_an_end_is_read_up_to_a_limit() {
    let ended = run(&["explain", "/dev/zero"]);
    assert_eq!(ended.code, Some(1));
    assert!(ended.stderr.contains("is larger than 1 GiB"), "{}", ended.stderr);
}

#[test]
fn a_fifo_that_the_user_names_is_read() {
    if !needs::programs(&[("mkfifo", "coreutils")]) {
        return;
    }
    let scratch = Scratch::new("fifo");
    let fifo = scratch.join("fifo");
    assert!(finish(Command::new("mkfifo").arg(&fifo)).status.success());
    for (command, text, expected) in [
        ("explain", "2026-11-22 05:54:44 error 52: why\n", "ERR_K8S_API_SERVER_DNS_LOOKUP_FAIL"),
        ("inspect", "#cloud-config\nwrite_files:\n- path: /etc/one\n  content: new\n", "/etc/one"),
    ] {
        let writer = std::thread::spawn({
            let fifo = fifo.clone();
            move || fs::write(fifo, text)
        });
        let ended = run(&[command, fifo.to_str().expect("text")]);
        writer.join().expect("the writer does not panic").expect("writable");
        assert!(ended.stdout.contains(expected), "{command}: {}{}", ended.stdout, ended.stderr);
        assert_eq!(ended.code, Some(0), "{command}: {}", ended.stderr);
    }
}

#[test]
fn only_regular_files_of_an_instance_are_inspected_and_not_without_a_limit() {
    if !needs::programs(&[("mkfifo", "coreutils")]) {
        return;
    }
    let scratch = Scratch::new("instance");
    let directory = scratch.to_str().expect("text");
    assert!(finish(Command::new("mkfifo").arg(scratch.join("user-data.txt"))).status.success());
    fs::write(scratch.join("user-data"), "#cloud-config\nwrite_files:\n- path: /etc/one\n  content: new\n")
        .expect("writable");
    // The FIFO never has a writer.
    let ended = finish(Command::new("timeout").args(["60", PROGRAM, "inspect", directory]));
    let stdout = String::from_utf8_lossy(&ended.stdout).into_owned();
    assert!(ended.status.code() == Some(0) && stdout.contains("/etc/one"), "{stdout}");

    fs::remove_file(scratch.join("user-data.txt")).expect("it exists");
    let large = File::create(scratch.join("user-data.txt")).expect("writable");
    large.set_len(129 << 20).expect("a file with holes");
    let ended = run(&["inspect", directory]);
    assert!(ended.stderr.contains("only the first "), "{}", ended.stderr);
}

#[test]
fn names_and_values_have_no_characters_that_a_terminal_obeys() {
    let scratch = Scratch::new("obeyed");
    let obeyed = "\u{1b}[31m\u{9b}2J\u{202e}\u{200f}";
    let name = scratch.join(format!("a{obeyed}.yaml"));
    fs::write(&name, format!("{SMALL}\nlocation: \"x{obeyed}\"\nno{obeyed}thing: 1\n")).expect("writable");
    let name = name.to_str().expect("text");
    for arguments in [
        &["validate", name][..],
        &["validate", "--format", "json", name],
        &["validate", "--format", "github", name],
        &["validate", "--format", "sarif", name],
        &["inspect", "--format", "json", name],
        &["inspect", name],
        &["explain", name],
        &["convert", name],
    ] {
        let ended = run(arguments);
        let is_bad = |character: char| {
            character != '\n' && (character.is_control() || ['\u{202e}', '\u{200f}'].contains(&character))
        };
        for text in [&ended.stdout, &ended.stderr] {
            assert!(!text.contains(is_bad) && !text.contains("%1B"), "{arguments:?}: {text:?}");
        }
    }
}

#[test]
fn a_batch_without_threads_is_an_error() {
    if !needs::root() || !needs::programs(&[("setpriv", "util-linux"), ("prlimit", "util-linux")]) {
        return;
    }
    let scratch = Scratch::new("threads");
    let program = scratch.join("program");
    copy_program(Path::new(PROGRAM), &program);
    fs::write(scratch.join("nodes"), SMALL.replace('\n', " ") + "\n").expect("writable");
    // Of a user that has no other process.
    let mut command = Command::new("prlimit");
    command.args(["--nproc=1", "setpriv", "--reuid=54321", "--regid=54321", "--clear-groups"]).arg(&program);
    let ended = finish(command.args(["generate", "--batch"]).arg(scratch.join("nodes")));
    let stderr = String::from_utf8_lossy(&ended.stderr).into_owned();
    assert_eq!(ended.status.code(), Some(1), "{stderr}");
    assert!(stderr.starts_with("error: cannot start a thread"), "{stderr}");
}
