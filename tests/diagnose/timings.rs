//! The durations of phases and steps, from every record that has one of their ends.

use std::fs;
use std::path::Path;

use aks_node_controller::diagnosis::{Evidence, Item, Meaning, Source, StartupPhase, Timings, diagnose as of, reading};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::{copy, diagnose, json as json_of, logs};
use crate::support::Scratch;

/// The phases of a directory: name, start and duration.
fn phases(value: &Value) -> Vec<(&str, Option<i64>, i64)> {
    let phases = value["timings"]["phases"].as_array().into_iter().flatten();
    let duration = |phase: &Value| phase["durationMs"].as_i64().expect("a number");
    phases
        .map(|phase| (phase["name"].as_str().expect("text"), phase["sinceBootMs"].as_i64(), duration(phase)))
        .collect()
}

fn steps(value: &Value) -> Vec<(&str, i64)> {
    let steps = value["timings"]["steps"].as_array().into_iter().flatten();
    steps.map(|step| (step["name"].as_str().expect("text"), step["durationMs"].as_i64().expect("a number"))).collect()
}

/// Changes a file of a directory of logs.
fn edit(root: &Path, file: &str, change: impl Fn(&str) -> String) {
    let path = root.join(file);
    let text = fs::read_to_string(&path).expect("readable");
    let changed = change(&text);
    assert_ne!(changed, text, "{file}");
    fs::write(path, changed).expect("writable");
}

const EVENTS: &str = "var/log/azure/Microsoft.Azure.Extensions.CustomScript/events";

#[test]
fn the_way_to_ready_is_divided_into_phases_and_steps() {
    let (value, _) = json_of("--root", &logs("before"));
    let expected = [
        ("platform", Some(0), 4000),
        ("cloud-init", Some(4000), 9000),
        ("wait", Some(13_000), 25_412),
        ("scripts", Some(38_412), 18_822),
        ("kubelet", Some(57_234), 6224),
        ("ready", Some(63_458), 11_509),
    ];
    assert_eq!(phases(&value), expected, "{value:#}");
    let resolutions = value["timings"]["phases"].as_array().into_iter().flatten().map(|phase| &phase["resolutionMs"]);
    assert_eq!(resolutions.collect::<Vec<_>>(), [1000, 1000, 1000, 1, 1, 1], "whole seconds are named");
    assert_eq!((&value["timings"]["wholeMs"], &value["timings"]["runMs"]), (&74_967.into(), &26_961.into()));
    let sum: i64 = expected.iter().map(|(.., duration)| duration).sum();
    assert_eq!(sum, 74_967, "nothing is between the phases of this node");
    let expected = [
        ("checkBaseInputs", 9),
        ("fetchMetadata", 812),
        ("installNetworkPlugin", 4655),
        ("installKubelet", 9210),
        ("ensureContainerd", 3120),
        ("checkOutbound", 640),
        ("ensureKubelet", 8423),
    ];
    assert_eq!(steps(&value), expected, "once each, although events, log and result have them");
    assert!(value["timings"]["steps"].as_array().into_iter().flatten().all(|step| step["failed"] == false));
}

#[test]
fn a_result_alone_has_durations() {
    let scratch = Scratch::new("result-alone");
    fs::copy(logs("before/var/log/azure/aks/provision.json"), scratch.join("provision.json")).expect("writable");
    let (value, _) = json_of("--root", &scratch);
    let expected = [
        ("platform", Some(0), 4000),
        ("cloud-init", Some(4000), 9000),
        ("wait", Some(13_000), 25_000),
        ("scripts", Some(38_000), 19_000),
    ];
    assert_eq!(phases(&value), expected, "{value:#}");
    assert_eq!((&value["timings"]["wholeMs"], &value["timings"]["runMs"]), (&Value::Null, &26_000.into()));
    assert_eq!(steps(&value).last(), Some(&("ensureKubelet", 8423)), "from the end of the log in it");
}

#[test]
fn scripts_that_failed_end_at_their_end() {
    let (value, _) = json_of("--root", &logs("failed"));
    let phases = phases(&value);
    assert_eq!(phases.last(), Some(&("scripts", Some(69_001), 64_749)), "{value:#}");
    let failed = value["timings"]["steps"].as_array().into_iter().flatten().find(|step| step["failed"] == true);
    assert_eq!(failed, Some(&json!({"name": "checkOutbound", "durationMs": 29_200, "failed": true})));
    // A success always started the kubelet, so an unknown start is a missing record.
    let scratch = Scratch::new("no-kubelet");
    copy(&logs("before"), &scratch);
    fs::remove_dir_all(scratch.join("collect")).expect("it is there");
    fs::remove_dir_all(scratch.join(EVENTS)).expect("it is there");
    edit(&scratch, "var/log/azure/aks/provision.json", |text| text.replace("KubeletStartTime", "Other"));
    let names: Vec<_> = json_of("--root", &scratch).0["timings"]["phases"].as_array().expect("a list").clone();
    let names: Vec<_> = names.iter().map(|phase| phase["name"].as_str().expect("text").to_owned()).collect();
    assert_eq!(names, ["platform", "cloud-init", "wait"]);
}

#[test]
fn a_missing_fact_is_a_missing_phase() {
    let scratch = Scratch::new("no-final");
    copy(&logs("before"), &scratch);
    fs::remove_file(scratch.join("var/log/cloud-init.log")).expect("it is there");
    edit(&scratch, "var/log/azure/aks/provision.json", |text| text.replace("CloudFinalStartTime", "Other"));
    edit(&scratch, "collect/journalctl_kubelet.txt", |text| text.replace("Successfully registered node", "x"));
    let (value, _) = json_of("--root", &scratch);
    let names: Vec<_> = phases(&value).iter().map(|(name, ..)| *name).collect();
    assert_eq!(names, ["platform", "scripts"], "{value:#}");
    assert_eq!(value["timings"]["wholeMs"], 74_967);
    // Without the start of the kernel, lines of cloud-init can be those of another boot.
    let scratch = Scratch::new("no-boot");
    copy(&logs("before"), &scratch);
    fs::remove_dir_all(scratch.join("collect")).expect("it is there");
    fs::remove_dir_all(scratch.join("proc")).expect("it is there");
    edit(&scratch, "var/log/cloud-init.log", |text| text.replace(" Up ", " Down "));
    edit(&scratch, "var/log/azure/aks/provision.json", |text| text.replace("KernelStartTime", "Other"));
    fs::remove_dir_all(scratch.join(EVENTS)).expect("it is there");
    let (value, _) = json_of("--root", &scratch);
    assert_eq!((phases(&value), &value["timings"]["wholeMs"]), (vec![("scripts", None, 19_000)], &Value::Null));
    // No record at all.
    let scratch = Scratch::new("no-records");
    let (value, _) = json_of("--root", &scratch);
    let nothing = json!({"wholeMs": null, "runMs": null, "phases": [], "steps": []});
    assert_eq!(value["timings"], nothing);
}

#[test]
fn scripts_that_a_boothook_starts_end_the_phase_of_cloud_init() {
    let scratch = Scratch::new("boothook");
    copy(&logs("before"), &scratch);
    fs::remove_file(scratch.join("var/log/cloud-init.log")).expect("it is there");
    edit(&scratch, "var/log/azure/aks/provision.json", |text| {
        text.replace(
            "\"CloudFinalStartTime\":\"Sun 2026-11-22 08:09:25 UTC\"",
            "\"CloudFinalStartTime\":\"Sun 2026-11-22 08:10:01 UTC\"",
        )
    });
    let (value, _) = json_of("--root", &scratch);
    let phases = phases(&value);
    assert_eq!(phases[1..3], [("cloud-init", Some(4000), 34_412), ("scripts", Some(38_412), 18_822)], "{value:#}");
}

#[test]
fn the_steps_are_those_of_the_last_run() {
    let scratch = Scratch::new("second-run");
    copy(&logs("before"), &scratch);
    let earlier = r#"{"Timestamp":"2026-11-22 08:09:30.100","OperationId":"2026-11-22 08:09:36.200","TaskName":"AKS.CSE.cse_start",
        "EventLevel":"Error","Message":"{\"ExitCode\":\"50\"}"}"#;
    fs::write(scratch.join(EVENTS).join("1.json"), earlier).expect("writable");
    edit(&scratch, "var/log/azure/cluster-provision.log", |text| {
        format!("2026-11-22 08:09:31 checkBaseInputs: 700 ms\n2026-11-22 08:09:34 firstRunOnly: 2000 ms\n{text}")
    });
    let (value, _) = json_of("--root", &scratch);
    assert_eq!(phases(&value)[2..4], [("wait", Some(13_000), 5100), ("scripts", Some(38_412), 18_822)], "{value:#}");
    assert!(steps(&value).contains(&("checkBaseInputs", 9)), "{value:#}");
    assert!(!value["timings"].to_string().contains("firstRunOnly"), "{value:#}");
    // Only the result of the earlier run is left, so nobody knows when it began.
    fs::remove_file(scratch.join(EVENTS).join("1.json")).expect("it was written");
    fs::write(scratch.join("var/log/azure/aks/provision.json.20261122T080936Z"), r#"{"ExitCode":"50"}"#)
        .expect("writable");
    let (value, _) = json_of("--root", &scratch);
    let names: Vec<_> = phases(&value).iter().map(|(name, ..)| *name).collect();
    assert_eq!(names, ["platform", "scripts", "kubelet", "ready"], "{value:#}");
}

#[test]
fn a_step_of_more_than_a_day_is_none() {
    let scratch = Scratch::new("longer-than-a-day");
    let log = "2026-11-22 08:10:17 aDay: 86400000 ms\n2026-11-22 08:10:18 more: 86400001 ms\n2026-11-22 08:10:19 back: -1 ms\n";
    fs::write(scratch.join("cluster-provision.log"), log).expect("writable");
    assert_eq!(steps(&json_of("--root", &scratch).0), [("aDay", 86_400_000)]);
}

#[test]
fn a_step_that_runs_twice_counts_both_times() {
    let scratch = Scratch::new("twice");
    copy(&logs("before"), &scratch);
    edit(&scratch, "var/log/azure/cluster-provision.log", |text| {
        format!("{text}2026-11-22 08:10:17 fetchMetadata: 188 ms\n")
    });
    assert!(steps(&json_of("--root", &scratch).0).contains(&("fetchMetadata", 1000)));
}

#[test]
fn a_time_that_is_not_exact_is_none_or_says_so() {
    // The waiter knows when it asked.
    let scratch = Scratch::new("waiter");
    copy(&logs("before"), &scratch);
    let line = r#"{"time":"2026-11-22T08:10:27.100+00:00","level":"INFO","msg":"the node is Ready"}"#;
    fs::write(scratch.join("var/log/azure/aks-node-controller.log"), format!("{line}\n")).expect("writable");
    edit(&scratch, "collect/journalctl_kubelet.txt", |text| text.replace("just became ready", "x"));
    let (value, _) = json_of("--root", &scratch);
    assert!(value["timeline"].to_string().contains("node is Ready"), "{value:#}");
    assert_eq!((phases(&value).len(), &value["timings"]["wholeMs"]), (5, &Value::Null), "{value:#}");
    // cloud-init prints the time since boot in hundredths, and the time of day in seconds.
    let scratch = Scratch::new("computed");
    fs::copy(logs("before/var/log/cloud-init.log"), scratch.join("cloud-init.log")).expect("writable");
    let (value, _) = json_of("--root", &scratch);
    assert_eq!(value["boot"], "2026-11-22T08:09:11.220Z");
    let platform = &value["timings"]["phases"][0];
    assert_eq!((&platform["durationMs"], &platform["resolutionMs"]), (&4780.into(), &1000.into()), "{value:#}");
}

#[test]
fn a_clock_that_went_backwards_gives_no_duration() {
    let scratch = Scratch::new("backwards");
    copy(&logs("before"), &scratch);
    // The clock was set by a minute between the registration and Ready.
    edit(&scratch, "collect/journalctl_kubelet.txt", |text| text.replace("08:10:26.", "08:09:26."));
    let (value, _) = json_of("--root", &scratch);
    let names: Vec<_> = phases(&value).iter().map(|(name, ..)| *name).collect();
    assert_eq!(names, ["platform", "cloud-init", "wait", "scripts", "kubelet"], "{value:#}");
    assert_eq!(value["timings"]["wholeMs"], Value::Null);
    // The scripts began before cloud-init: one of both times is wrong, and everything between them.
    let scratch = Scratch::new("backwards-early");
    copy(&logs("before"), &scratch);
    edit(&scratch, "var/log/azure/aks/provision.json", |text| text.replace("08:09:16 UTC", "08:09:55 UTC"));
    let (value, _) = json_of("--root", &scratch);
    let names: Vec<_> = phases(&value).iter().map(|(name, ..)| *name).collect();
    assert_eq!(names, ["kubelet", "ready"], "{value:#}");
}

#[test]
fn the_drawing_is_as_wide_as_the_terminal() {
    let mut evidence = reading::directory(&logs("before")).expect("readable");
    let line = "2026-11-22 08:10:17 aStepWithANameThatIsLongerThanTheColumnsThatATerminalHasForIt: 5000 ms\n";
    let log = evidence.items.iter_mut().find(|item| item.source == Source::ProvisionLog).expect("a log");
    log.text.push_str(line);
    let diagnosis = of(&evidence);
    let drawing = |width| {
        let text = diagnosis.to_text_within(width, &|_, text| text.to_owned());
        let (_, drawing) = text.split_once("\nPhases\n").expect("it has phases");
        drawing.to_owned()
    };
    for width in 50..200 {
        let drawing = drawing(Some(width));
        let widest = drawing.lines().map(|line| line.chars().count()).max().expect("lines");
        assert!(widest <= width && (width < 65 || widest == width.min(120)), "{width}: {drawing}");
        assert_eq!(drawing.contains('█'), width >= 61, "{width}: {drawing}");
        assert!(drawing.contains("registered to Ready") && drawing.contains("aStepWith"), "{drawing}");
    }
    assert_eq!(drawing(None), drawing(Some(80)), "a pipe");
    // A name gives way to the bars, unless there is enough space.
    assert!(drawing(Some(80)).contains("…  ") && !drawing(Some(120)).contains('…'), "{}", drawing(Some(120)));
    let meanings = std::cell::RefCell::new(Vec::new());
    let _ = of(&reading::directory(&logs("failed")).expect("readable")).to_text(&|meaning, text| {
        meanings.borrow_mut().push((meaning, text.to_owned()));
        text.to_owned()
    });
    assert!(meanings.borrow().contains(&(Meaning::Bad, "failed: checkOutbound".to_owned())));
}

#[test]
fn the_page_shows_what_is_printed() {
    let page = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/on-the-node.md")).expect("readable");
    let ended = diagnose("--root", &logs("before"), &[]);
    let text = String::from_utf8(ended.stdout).expect("text");
    let (_, drawing) = text.split_once("\n\nPhases\n").expect("it has phases");
    assert!(page.contains(&format!("```text\nPhases\n{drawing}```\n")), "{drawing}");
}

/// Records of a node: times in seconds after its start, which can be in any order, and milliseconds of steps.
fn records(times: &[i64; 8], steps: &[i64]) -> Evidence {
    const START: i64 = 1_795_334_952;
    let time = |at: usize| {
        let day = (START + times[at]).rem_euclid(86_400);
        format!("2026-11-22 {:02}:{:02}:{:02}", day / 3600, day / 60 % 60, day % 60)
    };
    let systemd = |at: usize| format!("Sun {} UTC", time(at));
    let result = json!({
        "ExitCode": "0",
        "KernelStartTime": systemd(0),
        "CloudInitLocalStartTime": systemd(1),
        "CloudFinalStartTime": systemd(2),
        "CSEStartTime": systemd(3),
        "ExecDuration": (times[4] - times[3]).to_string(),
        "BootDatapoints": {"KubeletStartTime": systemd(5)},
    });
    let event = json!({
        "TaskName": "AKS.CSE.cse_start",
        "Timestamp": format!("{}.250", time(3)),
        "OperationId": format!("{}.750", time(4)),
        "Message": "{\"ExitCode\":\"0\"}",
    });
    let log = steps.iter().enumerate().map(|(number, took)| format!("{} step{}: {took} ms\n", time(4), number % 5));
    let journal = format!(
        "{}.5 n kubelet[1]: \"Successfully registered node\"\n{} n kubelet[1]: it just became ready\n",
        time(6),
        time(7)
    );
    let item =
        |path: &str, source, text: String| Item { path: path.to_owned(), source, text, left_out: 0, modified: None };
    let items = vec![
        item("provision.json", Source::Result, result.to_string()),
        item("events/1.json", Source::Event, event.to_string()),
        item("cluster-provision.log", Source::ProvisionLog, log.collect()),
        item("journal", Source::Journal, journal),
    ];
    Evidence { items, ..Evidence::default() }
}

proptest! {
    #[test]
    fn phases_never_overlap_and_never_sum_to_more_than_the_whole(
        mut times in prop::array::uniform8(0_i64..2000),
        is_sorted: bool,
        steps in prop::collection::vec(0_i64..100_000, 0..20),
        first in 0_usize..4,
    ) {
        if is_sorted {
            times.sort_unstable();
        }
        let mut evidence = records(&times, &steps);
        let found = of(&evidence).timings;
        let mut end = 0;
        for phase in &found.phases {
            prop_assert!(phase.duration >= 0);
            if let Some(since) = phase.since_boot {
                prop_assert!(since >= end, "{:?}", found.phases);
                end = since + phase.duration;
            }
        }
        let sum: i64 = found.phases.iter().map(|phase| phase.duration).sum();
        prop_assert!(found.whole.is_none_or(|whole| sum <= whole && whole >= end), "{found:?}");
        if is_sorted {
            // The kubelet starts while the scripts run, or is not shown to have been started by them.
            let phases: Vec<_> = found.phases.iter().map(|phase| phase.phase).collect();
            prop_assert_eq!(&phases, &StartupPhase::ALL);
            // The kernel's start is exact, and Ready is rounded down.
            prop_assert_eq!(found.whole.map(|whole| whole / 1000), Some(times[7] - times[0]).map(|whole| whole.max(0)));
        }
        // The order of the files has no effect.
        evidence.items.rotate_left(first);
        evidence.items[1..].reverse();
        prop_assert_eq!(&of(&evidence).timings, &found);
        // What is printed can be read back.
        prop_assert_eq!(Timings::from_json(&found.to_json()), Some(found));
    }

    #[test]
    fn no_number_and_no_date_makes_it_panic(
        number in prop_oneof![Just(i64::MAX), Just(i64::MIN), Just(-5), Just(0), any::<i64>()],
        date in prop_oneof![
            Just("not a date".to_owned()), Just("9999-12-31 23:59:59".to_owned()), Just("1970-01-01T00:00:00+23:59".to_owned()),
            Just("Sun 0000-00-00 00:00:00 UTC".to_owned()), Just(String::new()), any::<String>(),
        ],
        other in prop_oneof![Just("1970-01-01T00:00:00+23:59".to_owned()), Just("2026-11-22 08:09:12".to_owned())],
        place in 0_usize..8,
    ) {
        let names = ["KernelStartTime", "CloudInitLocalStartTime", "CloudFinalStartTime", "CSEStartTime", "KubeletStartTime"];
        let mut result = json!({"ExitCode": "0", "ExecDuration": number.to_string(),
            "Output": format!("{other} a: {number} ms\n{date} b: 5 ms\n{other} c: 99999999999999999999 ms\n")});
        for (at, name) in names.iter().enumerate() {
            result[*name] = (if at == place { &date } else { &other }).clone().into();
        }
        let event = json!({"TaskName": "AKS.CSE.x", "Timestamp": date, "OperationId": other, "Message": number});
        let back = json!({"TaskName": "AKS.CSE.x", "Timestamp": other, "OperationId": date, "Message": number});
        let mut evidence = records(&[0; 8], &[number, 5]);
        evidence.items[0].text = result.to_string();
        evidence.items[1].text = format!("{event}\n{back}\n");
        let diagnosis = of(&evidence);
        let found = &diagnosis.timings;
        let durations = found.phases.iter().map(|phase| phase.duration).chain(found.steps.iter().map(|step| step.duration));
        for duration in durations.chain(found.run).chain(found.whole) {
            prop_assert!((0..=86_400_000).contains(&duration), "{found:?}");
        }
        let _ = (diagnosis.to_text_within(Some(50), &|_, text| text.to_owned()), diagnosis.to_json());
        let foreign = json!({"wholeMs": number, "runMs": date, "phases": [{"name": "scripts", "durationMs": number, "sinceBootMs": number}],
            "steps": [{"name": date, "durationMs": number}, {"name": number}, number]});
        let read = Timings::from_json(&foreign).expect("an object");
        prop_assert!(read.phases.iter().all(|phase| (0..=86_400_000).contains(&phase.duration)));
    }
}

#[test]
fn the_name_of_a_foreign_step_is_shown_like_any_other_foreign_text() {
    const TOKEN: &str = "abcdef.0123456789abcdef";
    let scratch = Scratch::new("names");
    copy(&logs("before"), &scratch);
    let event = json!({
        "TaskName": format!("AKS.CSE.download\u{1b}[31m https://x/?sig=c2VjcmV0c2VjcmV0 token {TOKEN}"),
        "Timestamp": "2026-11-22 08:10:00.000",
        "OperationId": "2026-11-22 08:10:16.000",
        "Message": "",
    });
    fs::write(scratch.join(EVENTS).join("1.json"), event.to_string()).expect("writable");
    // The library as well, whose user may not redact the texts.
    let found = of(&reading::directory(&scratch).expect("readable")).timings.to_json().to_string();
    assert!(found.contains("download") && !found.contains(TOKEN) && !found.contains("u001b"), "{found}");
    for format in ["text", "json"] {
        let ended = diagnose("--root", &scratch, &["--format", format]);
        let text = String::from_utf8(ended.stdout).expect("text");
        let (_, drawn) =
            text.split_once(if format == "text" { "Longest steps" } else { "\"timings\"" }).expect("it is there");
        assert!(drawn.contains("download"), "{text}");
        assert!(!text.contains(TOKEN) && !text.contains("c2VjcmV0c2VjcmV0") && !text.contains('\u{1b}'), "{text}");
    }
}
