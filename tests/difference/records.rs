//! `diff` of the records of two nodes: which phases and steps became slower or faster.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use aks_node_controller::diagnosis::{Changes, Timings};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::support::{Scratch, finish, needs};

const PROGRAM: &str = env!("CARGO_BIN_EXE_aks-node-controller");

fn logs(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/diagnose").join(name)
}

fn run(arguments: &[&str], a: &Path, b: &Path) -> Output {
    finish(Command::new(PROGRAM).arg("diff").arg(a).arg(b).args(arguments).env("NO_COLOR", "1"))
}

fn stderr(ended: &Output) -> String {
    String::from_utf8_lossy(&ended.stderr).into_owned()
}

fn compared(a: &Path, b: &Path) -> (Value, Option<i32>) {
    let ended = run(&["--format", "json"], a, b);
    (serde_json::from_slice(&ended.stdout).unwrap_or_else(|_| panic!("{}", stderr(&ended))), ended.status.code())
}

/// The names and changes of a list.
fn changes<'v>(value: &'v Value, list: &str) -> Vec<(&'v str, i64)> {
    let list = value["timings"][list].as_array().into_iter().flatten();
    list.map(|change| (change["name"].as_str().expect("text"), change["changeMs"].as_i64().expect("a number")))
        .collect()
}

#[test]
fn what_became_slower_or_faster_is_named_by_its_size() {
    let (value, code) = compared(&logs("before"), &logs("after"));
    assert_eq!((code, &value["equal"]), (Some(1), &false.into()));
    assert_eq!(changes(&value, "totals"), [("whole", -33_308), ("run", -13_702)], "{value:#}");
    let phases = [("wait", -21_505), ("scripts", -13_190), ("cloud-init", 10_000), ("ready", -8379)];
    assert_eq!(changes(&value, "phases"), phases, "{value:#}");
    let change = json!({"name": "checkOutbound", "aMs": 640, "bMs": 1480, "changeMs": 840, "changePercent": 131});
    assert_eq!(value["timings"]["steps"], json!([change]), "fetchMetadata and others differ by a few percent");
    let only =
        json!([{"name": "installKubelet", "durationMs": 9210}, {"name": "installNetworkPlugin", "durationMs": 4655}]);
    assert_eq!((&value["timings"]["onlyA"], &value["timings"]["onlyB"]), (&only, &json!([])));
    // The members of every comparison.
    for name in ["variables", "files", "configuration"] {
        assert_eq!(value[name], json!([]), "{name}");
        assert!(value["notCompared"].as_array().is_some_and(|parts| parts.contains(&name.into())), "{name}");
    }
    let (mirrored, _) = compared(&logs("after"), &logs("before"));
    assert_eq!(mirrored["timings"]["onlyB"], only);
    assert!(changes(&mirrored, "phases").contains(&("wait", 21_505)), "{mirrored:#}");
}

#[test]
fn the_text_is_that_of_the_page() {
    let page = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/on-the-node.md")).expect("readable");
    let ended = run(&[], &logs("before"), &logs("after"));
    let text = String::from_utf8(ended.stdout).expect("text");
    let text = text.replace(logs("before").to_str().expect("text"), "before.json");
    let text = text.replace(logs("after").to_str().expect("text"), "after");
    assert!(page.contains(&format!("```text\n{text}```\n")), "{text}");
    let ended = run(&["--summary"], &logs("before"), &logs("after"));
    let summary = String::from_utf8(ended.stdout).expect("text");
    assert_eq!((ended.status.code(), summary.lines().count()), (Some(1), 8), "{summary}");
    assert!(summary.contains("kernel to Ready") && summary.contains("checkOutbound"), "{summary}");
    assert!(!summary.contains("before"), "{summary}");
}

#[test]
fn the_same_node_is_equal_in_every_form() {
    if !needs::programs(&[("tar", "tar"), ("python3", "python3")]) {
        return;
    }
    let scratch = Scratch::new("forms");
    let directory = logs("before");
    let tar = scratch.join("logs.tar");
    let packed = finish(Command::new("tar").arg("-cf").arg(&tar).arg("-C").arg(&directory).arg("."));
    assert!(packed.status.success(), "{}", stderr(&packed));
    let zip = scratch.join("logs.zip");
    let packed = finish(Command::new("python3").args(["-m", "zipfile", "-c"]).arg(&zip).arg(directory.join("var")));
    assert!(packed.status.success(), "{}", stderr(&packed));
    let bundle = scratch.join("bundle.tar.gz");
    let diagnosis = finish(
        Command::new(PROGRAM)
            .args(["diagnose", "--format", "json", "--root"])
            .arg(&directory)
            .arg("--bundle-out")
            .arg(&bundle),
    );
    let json = scratch.join("diagnosis.json");
    fs::write(&json, &diagnosis.stdout).expect("writable");
    let utf_16: Vec<u8> =
        String::from_utf8_lossy(&diagnosis.stdout).encode_utf16().flat_map(u16::to_le_bytes).collect();
    let power_shell = scratch.join("powershell.json");
    fs::write(&power_shell, [&[0xff, 0xfe][..], &utf_16].concat()).expect("writable");
    let result = directory.join("var/log/azure/aks/provision.json");
    for form in [&directory, &tar, &bundle, &json, &power_shell] {
        let (value, code) = compared(&directory, form);
        assert_eq!((code, &value["equal"]), (Some(0), &true.into()), "{}: {value:#}", form.display());
        assert_eq!(
            (&value["timings"]["onlyA"], &value["timings"]["onlyB"]),
            (&json!([]), &json!([])),
            "{}",
            form.display()
        );
    }
    // These have fewer records.
    for form in [&zip, &result] {
        let (value, code) = compared(form, &directory);
        assert_eq!((code, &value["equal"]), (Some(0), &true.into()), "{}: {value:#}", form.display());
    }
}

#[test]
fn a_second_between_whole_seconds_is_no_difference() {
    let scratch = Scratch::new("whole-seconds");
    let text = fs::read_to_string(logs("before/var/log/azure/aks/provision.json")).expect("readable");
    for (time, names) in [("08:09:17", &[][..]), ("08:09:18", &["platform", "cloud-init"])] {
        let changed = scratch.join("changed.json");
        fs::write(&changed, text.replace("Sun 2026-11-22 08:09:16 UTC", &format!("Sun 2026-11-22 {time} UTC")))
            .expect("writable");
        let (value, code) = compared(&logs("before/var/log/azure/aks/provision.json"), &changed);
        let found: Vec<_> = changes(&value, "phases").iter().map(|(name, _)| *name).collect();
        assert_eq!((code, found.as_slice()), (Some(i32::from(!names.is_empty())), names), "{time}: {value:#}");
    }
}

#[test]
fn a_side_can_be_a_pipe() {
    if !needs::programs(&[("bash", "bash")]) {
        return;
    }
    let script = "\"$0\" diff <(cat \"$1\") - < \"$2\"";
    let result = |name: &str| logs(name).join("var/log/azure/aks/provision.json");
    let ended = finish(Command::new("bash").args(["-c", script, PROGRAM]).arg(result("before")).arg(result("after")));
    assert_eq!((ended.status.code(), stderr(&ended)), (Some(1), String::new()));
    assert!(String::from_utf8_lossy(&ended.stdout).contains("agent and controller"));
}

#[test]
fn a_side_that_is_no_record_of_a_node_has_a_message() {
    let scratch = Scratch::new("no-records");
    let result = logs("before/var/log/azure/aks/provision.json");
    let without_times = scratch.join("provision.json");
    fs::write(&without_times, r#"{"ExitCode":"240","Output":"","Error":"the input is invalid"}"#).expect("writable");
    let node = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/examples/ubuntu-azure-cni.yaml");
    for (arguments, b, message) in [
        (&[][..], &node, "(Configuration) have nothing in common"),
        (&[], &without_times, "have no duration of a phase or a step in common"),
        (&["--like-reference"], &result, "have no variables to compare"),
        (&[], &scratch.to_path_buf(), "have no duration"),
    ] {
        let ended = run(arguments, &result, b);
        assert_eq!((ended.status.code(), ended.stdout.as_slice()), (Some(1), &b""[..]));
        assert!(stderr(&ended).contains(message), "{}", stderr(&ended));
    }
    let empty = Scratch::new("empty");
    let ended = run(&[], &result, &empty);
    assert!(stderr(&ended).contains("is a directory without user-data.txt"), "{}", stderr(&ended));
}

#[test]
fn a_foreign_diagnosis_has_no_secret_and_no_control_character_in_the_output() {
    const TOKEN: &str = "abcdef.0123456789abcdef";
    let scratch = Scratch::new("foreign");
    let write = |name: &str, factor: i64| {
        let step = |name: String, took: i64| json!({"name": name, "durationMs": took * factor});
        let steps = json!([
            step(format!("download\u{1b}]0;x\u{7} token {TOKEN}"), 5000),
            step("x".repeat(5000), 6000),
            step(format!("only{factor} {TOKEN}\u{202e}"), 700),
            {"name": "huge", "durationMs": 9_000_000_000_000_000_000_i64 * factor.signum()},
            {"name": 5, "durationMs": "a"},
            null,
        ]);
        let timings = json!({"wholeMs": i64::MIN, "runMs": 1e300, "phases": [{"name": "scripts", "durationMs": 60_000 * factor}, 5], "steps": steps});
        fs::write(scratch.join(name), json!({"state": "succeeded", "timings": timings}).to_string()).expect("writable");
        scratch.join(name)
    };
    let (a, b) = (write("a.json", 1), write("b.json", 2));
    for format in ["text", "json"] {
        let ended = run(&["--format", format], &a, &b);
        assert_eq!((ended.status.code(), stderr(&ended)), (Some(1), String::new()));
        let text = String::from_utf8(ended.stdout).expect("text");
        let is_bad = |character: char| character != '\n' && (character.is_control() || character == '\u{202e}');
        assert!(text.contains("download") && text.contains("scripts") && !text.contains("huge"), "{text}");
        assert!(!text.contains(TOKEN) && !text.contains(is_bad), "{text:?}");
    }
    let text = String::from_utf8(run(&[], &a, &b).stdout).expect("text");
    assert!(text.lines().all(|line| line.chars().count() < 120), "{text}");
}

fn timed(steps: &[(String, i64)], phases: &[i64]) -> Timings {
    let names = ["platform", "cloud-init", "wait", "scripts", "kubelet", "ready"];
    let phases =
        phases.iter().zip(names).map(|(took, name)| json!({"name": name, "durationMs": took, "resolutionMs": 1}));
    let steps = steps.iter().map(|(name, took)| json!({"name": name, "durationMs": took}));
    let value = json!({"phases": phases.collect::<Value>(), "steps": steps.collect::<Value>()});
    Timings::from_json(&value).expect("an object")
}

proptest! {
    #[test]
    fn only_differences_of_more_than_a_fifth_and_100_ms_are_shown(
        phases in prop::collection::vec((0_i64..3000, 0_i64..3000), 6),
        scale in prop_oneof![Just(1_i64), Just(20_000)],
    ) {
        let (a, b): (Vec<i64>, Vec<i64>) = phases.iter().map(|(a, b)| (a * scale, b * scale)).unzip();
        let found = Changes::between(&timed(&[], &a), &timed(&[], &b));
        let expected = phases.iter().filter(|(a, b)| (b - a).abs() * scale > 100 && (b - a).abs() * 5 > *a);
        prop_assert_eq!(found.phases.len(), expected.count());
        prop_assert!(found.phases.is_sorted_by_key(|change| std::cmp::Reverse(change.difference().abs())));
        prop_assert_eq!(found.compared, 6);
        prop_assert!(Changes::between(&timed(&[], &a), &timed(&[], &a)).is_empty());
    }

    #[test]
    fn each_step_is_in_one_list_at_most(
        a in prop::collection::btree_map("[a-e]", 0_i64..1000, 0..5),
        b in prop::collection::btree_map("[a-e]", 0_i64..1000, 0..5),
    ) {
        let timings = |side: &std::collections::BTreeMap<String, i64>| timed(&side.clone().into_iter().collect::<Vec<_>>(), &[]);
        let found = Changes::between(&timings(&a), &timings(&b));
        for name in a.keys().chain(b.keys()) {
            let steps = found.steps.iter().filter(|change| change.name == *name).count();
            let only = found.only_a.iter().chain(&found.only_b).filter(|step| step.name == *name).count();
            prop_assert!(steps + only <= 1);
            prop_assert!(only == 0 || a.contains_key(name) != b.contains_key(name));
            let is_long = a.get(name).or(b.get(name)).is_some_and(|took| *took > 100);
            prop_assert!(a.contains_key(name) == b.contains_key(name) || (only == 1) == is_long);
        }
    }
}
