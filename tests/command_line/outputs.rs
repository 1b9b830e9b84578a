//! Files that the program writes: nothing but a regular file is ever replaced.

use std::fs;
use std::io::Read;
use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use super::run;
use crate::support::{Scratch, finish, needs};

const PROGRAM: &str = env!("CARGO_BIN_EXE_aks-node-controller");

/// The beginning of what gzip has compressed.
const GZIP: &[u8] = &[0x1f, 0x8b];

fn bundle_out(to: &Path) -> Command {
    let logs = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/diagnose/ready");
    let mut command = Command::new(PROGRAM);
    command.args(["diagnose", "--root"]).arg(logs).arg("--bundle-out").arg(to);
    command
}

fn write_bundle(to: &Path) -> Output {
    finish(&mut bundle_out(to))
}

fn made(program: &str, arguments: &[&str], path: PathBuf) -> PathBuf {
    assert!(finish(Command::new(program).arg(&path).args(arguments)).status.success(), "{}", path.display());
    path
}

#[test]
fn a_device_and_a_fifo_are_written_to_and_stay() {
    if !needs::root() || !needs::programs(&[("mkfifo", "coreutils"), ("mknod", "coreutils")]) {
        return;
    }
    let scratch = Scratch::new("outputs");
    let device = made("mknod", &["c", "1", "3"], scratch.join("null"));
    let ended = write_bundle(&device);
    assert_eq!(ended.status.code(), Some(0), "{}", String::from_utf8_lossy(&ended.stderr));
    assert!(fs::symlink_metadata(&device).expect("it exists").file_type().is_char_device());

    let fifo = made("mkfifo", &[], scratch.join("fifo"));
    let reader = std::thread::spawn({
        let fifo = fifo.clone();
        move || fs::read(fifo)
    });
    let ended = write_bundle(&fifo);
    assert_eq!(ended.status.code(), Some(0), "{}", String::from_utf8_lossy(&ended.stderr));
    assert!(fs::symlink_metadata(&fifo).expect("it exists").file_type().is_fifo());
    let read = reader.join().expect("the reader does not panic").expect("readable");
    assert_eq!(read.get(..2), Some(GZIP));
}

#[test]
fn a_link_stays_and_its_target_is_written_for_its_owner_only() {
    let scratch = Scratch::new("outputs");
    let (target, link) = (scratch.join("target"), scratch.join("link"));
    fs::write(&target, "a".repeat(1 << 20)).expect("writable");
    fs::set_permissions(&target, fs::Permissions::from_mode(0o644)).expect("modes can be set");
    symlink("target", &link).expect("writable");
    assert_eq!(write_bundle(&link).status.code(), Some(0));
    assert_eq!(fs::read_link(&link).expect("it is still a link"), Path::new("target"));
    let plain = scratch.join("plain");
    assert_eq!(write_bundle(&plain).status.code(), Some(0));
    assert_eq!(fs::read(&target).expect("readable"), fs::read(&plain).expect("readable"));
    assert_eq!(fs::metadata(&target).expect("it exists").permissions().mode() & 0o7777, 0o600);

    let dangling = scratch.join("dangling");
    symlink("nowhere", &dangling).expect("writable");
    fs::create_dir(scratch.join("directory")).expect("writable");
    for path in [&dangling, &scratch.join("directory")] {
        let ended = write_bundle(path);
        let stderr = String::from_utf8_lossy(&ended.stderr).into_owned();
        assert!(ended.status.code() == Some(1) && stderr.starts_with("error: cannot write"), "{stderr}");
    }
    assert!(fs::symlink_metadata(&dangling).expect("it exists").is_symlink() && !scratch.join("nowhere").exists());
}

#[test]
fn the_bundle_is_written_before_the_text_if_both_go_to_standard_output() {
    let scratch = Scratch::new("outputs");
    // As /dev/stdout is.
    let link = scratch.join("stdout");
    symlink("/proc/self/fd/1", &link).expect("writable");
    let piped = write_bundle(&link).stdout;
    let file = scratch.join("file");
    let to_file = Stdio::from(fs::File::create(&file).expect("writable"));
    let ended = bundle_out(&link).stdout(to_file).stderr(Stdio::null()).status().expect("it runs");
    assert_eq!(ended.code(), Some(0));
    assert!(fs::symlink_metadata(&link).expect("it exists").is_symlink());
    let mut written = Vec::new();
    fs::File::open(&file).and_then(|mut file| file.read_to_end(&mut written)).expect("readable");
    assert_eq!((written.get(..2), &written), (Some(GZIP), &piped));
    let text = write_bundle(&scratch.join("plain")).stdout;
    assert!(!text.is_empty() && written.ends_with(&text), "the text follows");
}

#[test]
fn what_is_below_the_directory_of_out_is_neither_followed_nor_replaced() {
    if !needs::programs(&[("mkfifo", "coreutils")]) {
        return;
    }
    let (scratch, outside) = (Scratch::new("outputs"), Scratch::new("outside"));
    let custom_data = scratch.join("custom-data");
    let text = "#cloud-config\nwrite_files:\n- path: /etc/one/two\n  content: new\n";
    fs::write(&custom_data, text).expect("writable");
    let of_file = custom_data.to_str().expect("text").to_owned();
    let out = scratch.join("out");
    let inspect = || run(&["inspect", &of_file, "--out", out.to_str().expect("text")]);
    assert_eq!(inspect().code, Some(0), "the directory is created");
    assert_eq!(inspect().code, Some(0), "and written again");
    let written = finish(Command::new("find").arg(&out).args(["-name", "two"]));
    let written = PathBuf::from(String::from_utf8_lossy(&written.stdout).trim());
    let directory = written.parent().expect("a directory");

    fs::write(outside.join("two"), "old").expect("writable");
    fs::remove_file(&written).expect("it exists");
    symlink(outside.join("two"), &written).expect("writable");
    let of_link = inspect();
    assert!(of_link.stderr.contains("exists and is not a regular file"), "{}", of_link.stderr);

    fs::remove_file(&written).expect("it exists");
    made("mkfifo", &[], written.clone());
    let of_fifo = inspect();
    assert!(of_fifo.stderr.contains("exists and is not a regular file"), "{}", of_fifo.stderr);

    fs::remove_dir_all(directory).expect("it exists");
    symlink(&*outside, directory).expect("writable");
    let of_parent = inspect();
    assert!(of_parent.stderr.contains("exists and is not a directory"), "{}", of_parent.stderr);
    assert_eq!([of_link.code, of_fifo.code, of_parent.code], [Some(1); 3]);
    assert_eq!(fs::read_to_string(outside.join("two")).expect("readable"), "old");
}

#[test]
fn out_has_all_files_or_none() {
    let scratch = Scratch::new("outputs");
    let (custom_data, out) = (scratch.join("custom-data"), scratch.join("out"));
    let long = format!("/etc/{}", "a".repeat(256));
    let deep = "/a".repeat(2100);
    let problems = [&*long, &*deep, "/etc/first/inside", "/etc/ze\\0ro", "/etc"];
    for (number, path) in problems.iter().enumerate() {
        let document = format!(
            "#cloud-config\nwrite_files:\n- path: /etc/first\n  content: new\n- path: \"{path}\"\n  content: new\n"
        );
        fs::write(&custom_data, document).expect("writable");
        let inspect = || run(&["inspect", custom_data.to_str().expect("text"), "--out", out.to_str().expect("text")]);
        let ended = inspect();
        assert_eq!((ended.code, ended.stderr.contains("cannot write")), (Some(1), true), "{path}: {}", ended.stderr);
        assert!(!out.exists(), "{path}");
        // What was there before stays, and nothing is added.
        fs::create_dir_all(out.join("etc")).expect("writable");
        fs::write(out.join("etc/first"), number.to_string()).expect("writable");
        assert_eq!(inspect().code, Some(1), "{path}");
        let found = finish(Command::new("find").arg(&out).args(["-mindepth", "1", "-printf", "%P\n"]));
        assert_eq!(String::from_utf8_lossy(&found.stdout), "etc\netc/first\n", "{path}");
        assert_eq!(fs::read_to_string(out.join("etc/first")).expect("readable"), number.to_string());
        fs::remove_dir_all(&out).expect("it exists");
    }
}

#[test]
fn bake_replaces_files_and_links_of_an_image_and_nothing_else() {
    if !needs::programs(&[("mkfifo", "coreutils")]) {
        return;
    }
    let scratch = Scratch::new("outputs");
    let root = scratch.to_str().expect("text");
    let bake = || run(&["bake", "--root", root, "--os", "ubuntu"]);
    let unit = scratch.join("etc/systemd/system/kubelet.service");
    fs::create_dir_all(unit.parent().expect("a directory")).expect("writable");
    made("mkfifo", &[], unit.clone());
    let of_fifo = bake();
    assert!(of_fifo.stderr.contains("neither a regular file nor a symbolic link"), "{}", of_fifo.stderr);
    assert!(fs::symlink_metadata(&unit).expect("it exists").file_type().is_fifo());
    fs::remove_file(&unit).expect("it exists");
    symlink("/dev/null", &unit).expect("writable");
    assert_eq!((bake().code, fs::symlink_metadata(&unit).is_ok_and(|found| found.is_file())), (Some(0), true));
}
