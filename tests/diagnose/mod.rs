//! `diagnose` on directories and archives of logs, as people collect them.
//!
//! `testdata/diagnose` has the logs: `failed` and `ready` are roots of machines, `loose` is a directory of files of the scripts of
//! the reference, `no-custom-data` is a machine that cloud-init could not set up. The archives are made by other programs.

mod bundle;
mod captures;
mod hostile;
mod limits;
mod live;
mod partial;
mod timings;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

use crate::support::{Scratch, finish, needs};

const PROGRAM: &str = env!("CARGO_BIN_EXE_aks-node-controller");

/// A directory of `testdata/diagnose`.
fn logs(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/diagnose").join(name)
}

/// `diagnose` with a flag and a path.
fn diagnose(flag: &str, path: &Path, more: &[&str]) -> Output {
    finish(Command::new(PROGRAM).args(["diagnose", flag]).arg(path).args(more).env("NO_COLOR", "1"))
}

/// The JSON of a diagnosis, and its exit code.
fn json(flag: &str, path: &Path) -> (Value, Option<i32>) {
    let ended = diagnose(flag, path, &["--format", "json"]);
    let text = String::from_utf8_lossy(&ended.stdout);
    let value = serde_json::from_str(&text)
        .unwrap_or_else(|error| panic!("{error}: {text}{}", String::from_utf8_lossy(&ended.stderr)));
    (value, ended.status.code())
}

/// What a diagnosis of one node says, wherever its logs are.
fn essence(value: &Value) -> [&Value; 6] {
    ["state", "summary", "code", "explanation", "timeline", "units"].map(|name| &value[name])
}

fn rows(value: &Value) -> Vec<&str> {
    value["timeline"].as_array().into_iter().flatten().filter_map(|row| row["what"].as_str()).collect()
}

fn notes(value: &Value) -> String {
    value["notes"].as_array().into_iter().flatten().filter_map(Value::as_str).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_failed_node_has_a_verdict_an_explanation_and_a_timeline() {
    let ended = diagnose("--root", &logs("failed"), &[]);
    assert_eq!((ended.status.code(), ended.stderr.as_slice()), (Some(1), &b""[..]));
    let text = String::from_utf8(ended.stdout).expect("text");
    insta::with_settings!({snapshot_path => "../../testdata/diagnose", prepend_module_to_snapshot => false, omit_expression => true}, {
        insta::assert_snapshot!("failed", text);
    });
    let (value, code) = json("--root", &logs("failed"));
    assert_eq!((code, &value["state"], &value["code"]), (Some(1), &"failed".into(), &50.into()));
    assert_eq!(value["explanation"]["name"], "ERR_OUTBOUND_CONN_FAIL");
    assert_eq!((&value["lastStep"], &value["boot"]), (&"ensureKubeCACert".into(), &"2026-11-22T05:52:31.000Z".into()));
    for row in value["timeline"].as_array().expect("a list") {
        assert!(row["time"].is_string() && row["sinceBootMs"].is_i64() && row["source"].is_string(), "{row}");
        let source = row["source"].as_str().expect("text");
        assert!(logs("failed").join(source.trim_start_matches('/')).exists(), "{source}");
    }
    let step = value["timeline"].as_array().into_iter().flatten().find(|row| row["what"] == "installNetworkPlugin");
    let step = step.expect("the step has a row, and only one");
    assert_eq!((&step["durationMs"], &step["phase"]), (&17655.into(), &"step".into()));
    assert_eq!(rows(&value).iter().filter(|what| **what == "installNetworkPlugin").count(), 1);
}

/// Packs a directory into a zip archive, compressed or stored: DIRECTORY ARCHIVE COMPRESSED.
const ZIP: &str = "import os, sys, zipfile
with zipfile.ZipFile(sys.argv[2], 'w', zipfile.ZIP_DEFLATED if sys.argv[3] else zipfile.ZIP_STORED) as z:
    for path, _, names in os.walk(sys.argv[1]):
        for name in names:
            whole = os.path.join(path, name)
            z.write(whole, os.path.relpath(whole, sys.argv[1]))";

#[test]
fn archives_that_other_programs_make_say_the_same_as_the_directory() {
    if !needs::programs(&[("tar", "tar"), ("python3", "python3"), ("gzip", "gzip")]) {
        return;
    }
    let scratch = Scratch::new("archives");
    let directory = logs("failed");
    let (of_directory, _) = json("--root", &directory);
    let zip = |name: &str, packed: &str| {
        let made = scratch.join(name);
        let run = finish(Command::new("python3").args(["-c", ZIP]).arg(&directory).arg(&made).arg(packed));
        assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
        made
    };
    let tar = |name: &str, options: &[&str]| {
        let made = scratch.join(name);
        let run = finish(Command::new("tar").args(options).arg(&made).arg("-C").arg(&directory).arg("."));
        assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
        made
    };
    let plain = tar("plain.tar", &["-cf"]);
    let nested = scratch.join("nested.zip");
    let inner = "import sys, zipfile
with zipfile.ZipFile(sys.argv[2], 'w') as z: z.write(sys.argv[1], 'inner/logs.tar')";
    assert!(finish(Command::new("python3").args(["-c", inner]).arg(&plain).arg(&nested)).status.success());
    for made in [
        plain,
        tar("logs.tar.gz", &["-czf"]),
        tar("pax.tar", &["--format=pax", "-cf"]),
        zip("packed.zip", "yes"),
        zip("stored.zip", ""),
        nested,
    ] {
        let (of_archive, code) = json("--bundle", &made);
        assert_eq!(essence(&of_archive), essence(&of_directory), "{}", made.display());
        assert_eq!((code, &of_archive["unread"]), (Some(1), &Value::Array(Vec::new())), "{}", made.display());
    }
    let text = fs::read(directory.join("var/log/azure/cluster-provision.log")).expect("readable");
    fs::write(scratch.join("cluster-provision.log"), text).expect("scratch is writable");
    assert!(finish(Command::new("gzip").arg(scratch.join("cluster-provision.log"))).status.success());
    let (of_text, _) = json("--bundle", &scratch.join("cluster-provision.log.gz"));
    assert_eq!((&of_text["state"], &of_text["code"]), (&"failed".into(), &50.into()));
}

#[test]
fn logs_without_an_option_are_a_directory_or_an_archive() {
    if !needs::programs(&[("tar", "tar")]) {
        return;
    }
    let scratch = Scratch::new("logs");
    let (directory, archive) = (logs("failed"), scratch.join("logs.tar"));
    let packed = finish(Command::new("tar").arg("-cf").arg(&archive).arg("-C").arg(&directory).arg("."));
    assert!(packed.status.success());
    assert_eq!(json("--color=never", &directory), json("--root", &directory));
    assert_eq!(json("--color=never", &archive), json("--bundle", &archive));
    for option in [["--root", "other"], ["--bundle", "other.tar"], ["--facts", "facts.json"]] {
        let ended = diagnose("--color=never", &archive, &option);
        assert_eq!((ended.status.code(), ended.stdout.as_slice()), (Some(2), &b""[..]), "{option:?}");
    }
}

#[test]
fn a_node_that_is_ready_is_fine() {
    let (value, code) = json("--root", &logs("ready"));
    assert_eq!((code, &value["state"]), (Some(0), &"succeeded".into()), "{value:#}");
    assert_eq!(value["summary"], "Provisioned, 1 min 19 s after boot; the node is Ready, 1 min 29 s after boot");
    let rows = rows(&value);
    let order =
        ["kernel starts", "ensureKubelet", "kubelet starts", "kubelet has its first certificate", "node is Ready"];
    let places: Vec<_> = order.iter().map(|what| rows.iter().position(|row| row == what)).collect();
    assert!(places.iter().all(Option::is_some), "{rows:?}");
    assert!(places[1..].windows(2).skip(1).all(|pair| pair[0] < pair[1]), "{rows:?}");
    assert_eq!(value["kubelet"].as_array().map(Vec::len), Some(1), "{value:#}");
}

#[test]
fn a_node_whose_kubelet_ends_is_not_fine_although_provisioning_succeeded() {
    let scratch = Scratch::new("kubelet");
    copy(&logs("ready"), &scratch);
    let file = scratch.join("collect/systemctl_show.txt");
    let text = fs::read_to_string(&file).expect("readable");
    let (before, of_kubelet) = text.split_once("Id=kubelet").expect("it has kubelet");
    let broken =
        of_kubelet.replace("ActiveState=active", "ActiveState=activating").replace("=running", "=auto-restart");
    let broken = broken.replace("Result=success", "Result=exit-code").replace("NRestarts=0", "NRestarts=7");
    fs::write(&file, format!("{before}Id=kubelet{broken}")).expect("writable");
    let (value, code) = json("--root", &scratch);
    assert_eq!((code, &value["state"]), (Some(1), &"not-working".into()));
    assert_eq!(value["summary"], "Provisioned, 1 min 19 s after boot, but the kubelet is activating (exit-code)");
    assert!(notes(&value).contains("journalctl --unit=kubelet"), "{value:#}");
}

#[test]
fn loose_files_of_other_scripts_are_recognized_by_name_or_content() {
    let (value, code) = json("--root", &logs("loose"));
    assert_eq!((code, &value["code"]), (Some(1), &51.into()), "{value:#}");
    let summary = value["summary"].as_str().expect("text");
    assert!(summary.ends_with("with 51 ERR_K8S_API_SERVER_CONN_FAIL, 5 min 1 s after boot"), "{summary}");
    assert!(rows(&value).contains(&"kubelet fails"), "{value:#}");
    assert_eq!(value["timeline"][0]["time"], "2026-03-03T23:57:02.000Z", "the log without a year is of the same boot");
    assert!(
        value["kubelet"][0].as_str().is_some_and(|line| line.contains("unable to load bootstrap kubeconfig")),
        "{value:#}"
    );
    let scratch = Scratch::new("renamed");
    fs::copy(logs("loose/provision.json"), scratch.join("from the customer.txt")).expect("writable");
    assert_eq!(json("--root", &scratch).0["code"], 51);
}

#[test]
fn a_machine_on_which_nothing_ran_says_what_is_missing_and_why() {
    let (value, code) = json("--root", &logs("no-custom-data"));
    assert_eq!((code, &value["state"]), (Some(1), &"not-started".into()));
    assert!(
        notes(&value).contains("no medium found on /dev/sr0") && notes(&value).contains("cloud-init failed"),
        "{value:#}"
    );
    let scratch = Scratch::new("empty");
    let (value, code) = json("--root", &scratch);
    assert_eq!((code, &value["state"]), (Some(1), &"not-started".into()));
    assert!(notes(&value).contains("CustomData was not delivered"), "{value:#}");
    fs::create_dir_all(scratch.join("opt/azure/containers")).expect("writable");
    fs::write(scratch.join("opt/azure/containers/aks-node-controller-config.json"), "{}").expect("writable");
    let (value, _) = json("--root", &scratch);
    assert!(notes(&value).contains("the controller was not started"), "{value:#}");
}

#[test]
fn a_run_that_left_no_result_is_unfinished_or_failed_by_its_log() {
    let scratch = Scratch::new("unfinished");
    copy(&logs("failed"), &scratch);
    fs::remove_file(scratch.join("var/log/azure/aks/provision.json")).expect("it is there");
    let (value, code) = json("--root", &scratch);
    assert_eq!((code, &value["state"], &value["code"]), (Some(1), &"failed".into(), &50.into()), "by the log");
    assert!(notes(&value).contains("the result document is missing"), "{value:#}");
    fs::write(scratch.join("var/log/azure/cluster-provision.log"), "2026-11-22 05:53:41 fetchMetadata: 803 ms\n")
        .expect("writable");
    fs::remove_dir_all(scratch.join("var/log/azure/Microsoft.Azure.Extensions.CustomScript")).expect("it is there");
    fs::remove_file(scratch.join("var/log/waagent.log")).expect("it is there");
    let (value, _) = json("--root", &scratch);
    assert_eq!((&value["state"], &value["code"]), (&"failed".into(), &50.into()), "by the controller's log");
    fs::remove_file(scratch.join("var/log/azure/aks-node-controller.log")).expect("it is there");
    let (value, code) = json("--root", &scratch);
    assert_eq!((code, &value["state"]), (Some(1), &"unfinished".into()), "{value:#}");
    assert_eq!(value["summary"], "Provisioning started and left no result; the last completed step is fetchMetadata");
}

/// The log of a run ends alike when an image is made, and stays in the image.
#[test]
fn the_log_of_an_images_run_is_no_success_of_the_node() {
    let scratch = Scratch::new("staged");
    fs::write(
        scratch.join("cluster-provision.log"),
        "2026-11-22 05:53:41 fetchMetadata: 803 ms\n2026-11-22 05:53:42 done\n",
    )
    .expect("writable");
    assert_eq!(json("--root", &scratch).0["state"], "succeeded");
    fs::write(scratch.join("base_prep.complete"), "").expect("writable");
    assert_eq!(json("--root", &scratch).0["state"], "unfinished");
}

#[test]
fn a_wrong_command_line_and_what_cannot_be_read_have_a_message() {
    let scratch = Scratch::new("wrong");
    let both = finish(Command::new(PROGRAM).args(["diagnose", "--root", "/", "--bundle", "x"]));
    assert_eq!(both.status.code(), Some(2));
    for (flag, path, message) in [
        ("--root", scratch.join("nowhere"), "cannot read"),
        ("--bundle", scratch.join("nowhere"), "cannot read"),
        ("--bundle", scratch.to_path_buf(), "is not a regular file; pass a directory with --root"),
        ("--bundle", logs("failed/proc/stat"), "is not a tar, tar.gz or zip archive"),
    ] {
        let ended = diagnose(flag, &path, &[]);
        let stderr = String::from_utf8_lossy(&ended.stderr).into_owned();
        assert_eq!((ended.status.code(), ended.stdout.as_slice()), (Some(1), &b""[..]), "{stderr}");
        assert!(stderr.starts_with("error: ") && stderr.contains(message), "{stderr}");
    }
}

/// Copies a directory of logs.
fn copy(from: &Path, to: &Path) {
    for entry in fs::read_dir(from).expect("a directory").map(|entry| entry.expect("an entry")) {
        let (path, target) = (entry.path(), to.join(entry.file_name()));
        if entry.file_type().expect("it has a type").is_dir() {
            fs::create_dir_all(&target).expect("writable");
            copy(&path, &target);
        } else if path.is_file() {
            fs::copy(&path, &target).expect("writable");
        } else {
            std::os::unix::fs::symlink(fs::read_link(&path).expect("a link"), &target).expect("writable");
        }
    }
}
