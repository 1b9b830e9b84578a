//! What one attempt does, and what it leaves.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use super::harness::{GOOD, Node, PROGRAM, SECRET, configuration, configuration_with, printed, text};
use crate::support::{Running, finish, send, write_program};

fn mode(node: &Node, path: &str) -> u32 {
    fs::metadata(node.path(path)).expect("the file exists").permissions().mode() & 0o7777
}

/// `provision` with signals as a boot would start it: whoever runs the tests may have them ignored.
fn provision_with_default_signals(node: &Node) -> Command {
    let mut command = Command::new("env");
    command.args(["--default-signal=HUP,INT,TERM", PROGRAM, "provision", "--provision-config", &node.configuration()]);
    command.arg("--root").arg(&*node.root);
    node.prepare(&mut command);
    command
}

/// Whether the process whose number is in a file of the node runs.
fn runs(node: &Node, file: &str) -> bool {
    let stat = fs::read_to_string(format!("/proc/{}/stat", node.text(file).trim())).unwrap_or_default();
    // One that nobody has waited for yet has ended all the same.
    stat.rsplit_once(") ").is_some_and(|(_, state)| !state.starts_with('Z'))
}

#[test]
fn a_successful_attempt_forwards_the_output_and_writes_two_events() {
    let node = Node::new(&format!("echo to stdout; echo to stderr >&2\n{GOOD}"));
    let ended = node.provision();
    assert_eq!(ended.status.code(), Some(0), "{}", text(&ended.stderr));
    assert_eq!(text(&ended.stdout), "to stdout\n");
    assert!(text(&ended.stderr).contains("to stderr\n"));
    assert_eq!(node.document()["Output"], "made", "the start script's own document stays");
    let events = node.events();
    let messages: Vec<_> = events.iter().map(|event| event["Message"].as_str().unwrap_or_default()).collect();
    assert_eq!(events.len(), 2, "{messages:?}");
    assert!(
        messages[0].starts_with("Starting | startTime=") && messages[1].starts_with("Completed | startTime="),
        "{messages:?}"
    );
    assert!(events.iter().all(|event| event["TaskName"] == "AKS.AKSNodeController.Provision"));
}

#[test]
fn a_failed_child_sets_the_exit_code_and_an_error_event() {
    let node = Node::new("echo broken >&2; exit 50");
    assert_eq!(node.provision().status.code(), Some(50));
    let document = node.document();
    assert_eq!((&document["ExitCode"], node.has_marker()), (&Value::from("50"), true));
    assert!(document["Output"].as_str().is_some_and(|output| output.contains("broken")), "{document}");
    assert!(document["Error"].as_str().is_some_and(|error| error.contains("exit code 50")), "{document}");
    let events = node.events();
    assert_eq!((events.len(), &events[1]["EventLevel"]), (2, &Value::from("Error")));
    let waited = node.wait();
    assert_eq!((waited.status.code(), &printed(&waited)["ExitCode"]), (Some(50), &Value::from("50")));
}

#[test]
fn without_any_input_the_result_is_240() {
    let node = Node::new(GOOD);
    let mut without_input = node.command(&["provision"]);
    assert_eq!(finish(without_input.env("INVOCATION_ID", "x")).status.code(), Some(1));
    assert_eq!((&node.document()["ExitCode"], node.has_marker()), (&Value::from("240"), true));
}

#[test]
fn a_classic_command_runs_as_a_file_and_takes_precedence_over_a_configuration() {
    let node = Node::new("exit 7");
    node.write(
        "-command.sh",
        "ADMINUSER=azureuser CSE_TIMEOUT=20\necho \"classic $0\"; exit 0 # provision_start.sh\" ",
    );
    let mut command =
        node.command(&["provision", "--nbc-cmd=-command.sh", "--provision-config", &node.configuration()]);
    let ended = finish(command.current_dir(&*node.root));
    assert_eq!(ended.status.code(), Some(0), "{}", text(&ended.stderr));
    assert_eq!(text(&ended.stdout), format!("classic {}\n", node.path("run/aks-node-controller/command.sh").display()));
    assert_eq!((&node.document()["ExitCode"], node.has_marker()), (&Value::from("0"), true), "by the controller");
    let events = node.events();
    let compared =
        events.iter().find(|event| event["TaskName"] == "AKS.AKSNodeController.CompareEnvs").expect("an event");
    let message = compared["Message"].as_str().unwrap_or_default();
    assert!(message.contains("differs: ADMINUSER; ") || message.contains("only-in-pc: API_SERVER_NAME"), "{message}");
    assert!(!message.contains(SECRET) && !message.contains("azureuser"), "{message}");
}

#[test]
fn a_classic_command_that_does_not_exist_is_named_in_the_result() {
    let node = Node::new(GOOD);
    let missing = node.path("nowhere.sh").display().to_string();
    assert_eq!(node.run(&["provision", "--nbc-cmd", &missing]).status.code(), Some(1));
    let document = node.document();
    assert_eq!(document["ExitCode"], "240");
    assert!(document["Error"].as_str().is_some_and(|error| error.contains(&missing)), "{document}");
}

#[test]
fn an_invalid_configuration_beside_a_classic_command_is_only_logged() {
    let node = Node::new("exit 7");
    node.write("command.sh", "exit 0 # provision_start.sh\" ");
    node.write("wrong.json", "{\"version\": 5}");
    let (command, wrong) =
        (node.path("command.sh").display().to_string(), node.path("wrong.json").display().to_string());
    let ended = node.run(&["provision", "--nbc-cmd", &command, "--provision-config", &wrong]);
    assert_eq!(ended.status.code(), Some(0), "{}", text(&ended.stderr));
    assert!(node.log().iter().any(|line| line["msg"] == "cannot compare the environments"));
}

#[test]
fn a_dry_run_prints_the_plan_without_secrets_and_starts_nothing() {
    let node = Node::new("touch $ROOT/started");
    let ended = node.run(&["provision", "--dry-run", "--provision-config", &node.configuration()]);
    let shown = text(&ended.stdout);
    assert_eq!(ended.status.code(), Some(0));
    assert!(shown.contains("\nTLS_BOOTSTRAP_TOKEN='[redacted]'\n") && !shown.contains(SECRET), "{shown}");
    assert!(shown.lines().count() > 160 && shown.contains("\nCSE_TIMEOUT=900\n"), "{shown}");
    let last = shown.lines().last().expect("a line");
    assert!(last.starts_with("/bin/bash -c '") && last.contains("provision_start.sh"), "{last}");
    for path in ["started", "var", "opt/azure/containers/provision.complete", "run"] {
        assert!(!node.exists(path), "{path}");
    }
    node.write("wrong.json", "{}");
    let wrong = node.path("wrong.json").display().to_string();
    assert_eq!(node.run(&["provision", "--dry-run", "--provision-config", &wrong]).status.code(), Some(1));
    assert!(!node.has_marker());
}

#[test]
fn provision_without_an_input_writes_nothing_unless_a_unit_started_it() {
    let node = Node::new("");
    let ended = finish(node.command(&["provision"]).env_remove("INVOCATION_ID"));
    assert_eq!(ended.status.code(), Some(2));
    assert!(text(&ended.stderr).contains("--provision-config FILE or --nbc-cmd FILE"), "{}", text(&ended.stderr));
    assert!(!node.exists("var") && !node.exists("run") && !node.has_marker());
}

#[test]
fn with_a_root_the_command_opens_files_below_it_only() {
    let node = Node::new(
        // Values of variables do not change with the root.
        "test $PROVISION_OUTPUT = /var/log/azure/cluster-provision-cse-output.log || exit 9
         test $INIT_AKS_CLOUD_FILEPATH = /opt/azure/containers/init-aks-cloud.sh || exit 9",
    );
    let script = node.path("opt/azure/containers/init-aks-cloud.sh");
    write_program(&script, "#!/bin/sh\necho cloud\n");
    let ended = node.provision();
    assert_eq!(ended.status.code(), Some(0), "{}", text(&ended.stderr));
    assert!(node.exists("var/log/azure/cluster-provision-cse-output.log"));
    assert_eq!(node.text("var/log/azure/cluster-provision.log"), "cloud\n");
    assert_eq!(node.document()["Output"], "\n", "nothing could not be opened");
}

#[test]
fn what_the_scripts_logged_before_they_failed_silently_is_in_the_result_without_secrets() {
    let node = Node::new("echo made");
    fs::create_dir_all(node.path("var/log/azure")).expect("writable");
    fs::write(node.path("var/log/azure/cluster-provision.log"), "of the attempt before\n").expect("writable");
    let script = node.path("opt/azure/containers/init-aks-cloud.sh");
    write_program(&script, "#!/bin/sh\necho \"no certificates for $TLS_BOOTSTRAP_TOKEN\"; exit 9\n");
    let ended = node.provision();
    assert_eq!(ended.status.code(), Some(9), "{}", text(&ended.stderr));
    assert_eq!(node.document()["Output"], "no certificates for [redacted]");
}

#[test]
fn help_and_version_need_no_directory_and_write_no_file() {
    let node = Node::new(GOOD);
    fs::write(node.path("var"), "no directory").expect("written");
    for arguments in
        [&["version"][..], &["--version"], &["--help"], &["provision", "--help"], &["provision-wait", "--help"]]
    {
        let ended = finish(Command::new(PROGRAM).args(arguments).current_dir(&*node.root));
        assert_eq!((ended.status.code(), ended.stdout.is_empty()), (Some(0), false), "{arguments:?}");
    }
    assert!(!node.exists("aks-node-controller.log"));
}

#[test]
fn an_attempt_succeeds_without_a_log_and_warns_once() {
    let node = Node::new("exit 0");
    fs::create_dir_all(node.path("var/log/azure/aks-node-controller.log")).expect("a directory in its place");
    let ended = node.provision();
    let warnings = text(&ended.stderr);
    assert_eq!((ended.status.code(), warnings.matches("cannot open the log file").count()), (Some(0), 1), "{warnings}");
}

#[test]
fn secrets_are_redacted_in_output_log_document_and_events() {
    let node = Node::new("env; env >&2; printf %s \"$TLS_BOOTSTRAP_TOKEN\" | cut -c1-12; exit 3");
    let ended = node.provision();
    assert_eq!(ended.status.code(), Some(3));
    let everything = [
        text(&ended.stdout),
        text(&ended.stderr),
        node.text("var/log/azure/aks-node-controller.log"),
        node.document().to_string(),
        node.events().iter().map(ToString::to_string).collect(),
    ];
    for text in &everything {
        assert!(!text.contains(SECRET), "{text}");
    }
    assert!(everything[0].contains("TLS_BOOTSTRAP_TOKEN=[redacted]\n"));
    assert!(everything[2].contains("TLS_BOOTSTRAP_TOKEN=[redacted]"), "the log has the output");
}

#[test]
fn result_files_have_their_modes_and_no_temporary_file_is_left() {
    let node = Node::new("umask 0; exit 9");
    node.provision();
    assert_eq!(mode(&node, "var/log/azure/aks/provision.json"), 0o600);
    assert_eq!(mode(&node, "opt/azure/containers/provision.complete"), 0o600);
    assert_eq!(mode(&node, "var/log/azure/aks-node-controller.log"), 0o600);
    assert_eq!(fs::metadata(node.path("opt/azure/containers/provision.complete")).expect("a marker").len(), 0);
    assert_eq!(temporary_files(&node), NONE);
    // The scripts of a node write both files themselves.
    let node = Node::new(
        "mkdir -p $ROOT/var/log/azure/aks; echo '{\"ExitCode\":\"0\"}' >$ROOT/var/log/azure/aks/provision.json; : >$ROOT/opt/azure/containers/provision.complete",
    );
    assert_eq!(node.provision().status.code(), Some(0));
    assert_eq!(temporary_files(&node), NONE);
}

const NONE: &[String] = &[];

fn temporary_files(node: &Node) -> Vec<String> {
    let mut names = Vec::new();
    for directory in ["var/log/azure/aks", "opt/azure/containers"] {
        let entries = fs::read_dir(node.path(directory)).expect("a directory");
        names.extend(entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()));
    }
    names.into_iter().filter_map(|name| name.strip_suffix(".tmp").map(str::to_owned)).collect()
}

#[test]
fn the_log_has_the_durations_and_the_result_has_not() {
    let document = r#"{"ExitCode":"0","ExecDuration":"26","KernelStartTime":"Sun 2026-11-22 08:09:12 UTC","CloudInitLocalStartTime":"Sun 2026-11-22 08:09:16 UTC","CSEStartTime":"Sun Nov 22 08:09:50 UTC 2026","BootDatapoints":{"KubeletStartTime":"Sun 2026-11-22 08:10:09 UTC"}}"#;
    let node = Node::new(&format!(
        "mkdir -p $ROOT/var/log/azure/aks; echo '2026-11-22 08:10:05 installKubelet: 9210 ms' >$ROOT/var/log/azure/cluster-provision.log
        echo '{document}' >$ROOT/var/log/azure/aks/provision.json; : >$ROOT/opt/azure/containers/provision.complete"
    ));
    assert_eq!(node.provision().status.code(), Some(0));
    let text = node.text("var/log/azure/aks/provision.json");
    assert!(text.starts_with(document.trim_end_matches('}')) && !text.contains("imings"), "{text}");
    let log = node.log();
    let durations: Vec<_> = log.iter().filter(|line| line["msg"] == "durations").collect();
    let [durations] = &durations[..] else { panic!("{log:?}") };
    assert_eq!(durations["timings"]["runMs"], 26_000, "{durations:#}");
    let phase = |at: usize| &durations["timings"]["phases"][at];
    assert_eq!((&phase(0)["name"], &phase(0)["durationMs"]), (&"platform".into(), &4000.into()));
    assert_eq!((&phase(1)["name"], &phase(1)["durationMs"]), (&"scripts".into(), &19_000.into()));
    let step = serde_json::json!({"name": "installKubelet", "durationMs": 9210, "failed": false});
    assert_eq!(durations["timings"]["steps"], serde_json::json!([step]));
    // A result without times has no durations.
    let node = Node::new(GOOD);
    assert_eq!(node.provision().status.code(), Some(0));
    assert!(node.log().iter().all(|line| line["msg"] != "durations"));
}

#[test]
fn the_controller_adds_what_the_child_did_not_write() {
    let node = Node::new("exit 0");
    assert_eq!(node.provision().status.code(), Some(0));
    assert_eq!((&node.document()["ExitCode"], node.has_marker()), (&Value::from("0"), true));
    let node = Node::new(
        "mkdir -p $ROOT/var/log/azure/aks; echo '{\"ExitCode\":\"52\",\"Output\":\"theirs\"}' >$ROOT/var/log/azure/aks/provision.json; exit 52",
    );
    assert_eq!(node.provision().status.code(), Some(52));
    assert_eq!(
        (&node.document()["Output"], node.has_marker()),
        (&Value::from("theirs"), true),
        "only the marker was missing"
    );
}

#[test]
fn the_document_is_one_line_below_4096_bytes_for_any_output() {
    let node = Node::new("head -c 20000 /dev/urandom; printf '\\033[31mred\\t*\\\\\"' >&2; exit 5");
    node.provision();
    let document = node.text("var/log/azure/aks/provision.json");
    assert!(document.len() < 4096 && !document.contains('\n'), "{}", document.len());
    let output = node.document()["Output"].as_str().map(str::to_owned).expect("text");
    assert!(output.ends_with("\u{1b}[31mred\t*\\\""), "{output:?}");
}

#[test]
fn wildcards_and_blanks_in_the_output_are_not_expanded() {
    let node = Node::new("printf '* /*  two  blanks\\tand\\ttabs \\xff' ; exit 5");
    node.provision();
    assert_eq!(node.document()["Output"], "* /*  two  blanks\tand\ttabs \u{fffd}\n");
}

#[test]
fn event_files_have_unique_names_and_the_fields_of_the_guest_agent() {
    let node = Node::new("exit 0");
    node.provision();
    let waiters: Vec<_> = (0..8).map(|_| node.start(&["provision-wait"])).collect();
    for waiter in waiters {
        assert_eq!(waiter.end().status.code(), Some(0));
    }
    let events = node.events();
    assert_eq!(events.len(), 18);
    let keys = ["EventLevel", "EventPid", "EventTid", "Message", "OperationId", "TaskName", "Timestamp", "Version"];
    for event in &events {
        let event = event.as_object().expect("an object");
        assert_eq!(event.keys().map(String::as_str).collect::<Vec<_>>(), keys);
        assert!(event.values().all(Value::is_string));
        let time = event["Timestamp"].as_str().expect("text");
        assert!(time.len() == 23 && time.as_bytes()[10] == b' ' && time.as_bytes()[19] == b'.', "{time}");
    }
    let directory = node.path("var/log/azure/Microsoft.Azure.Extensions.CustomScript/events");
    for entry in fs::read_dir(directory).expect("a directory") {
        let mode = entry.expect("an entry").metadata().expect("an event").permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
}

#[test]
fn event_messages_are_cut_at_3000_bytes_and_keep_their_timing() {
    let node = Node::new(GOOD);
    node.write(
        "wrong.json",
        &format!(
            "{{\"version\":\"v1\",{}}}",
            (0..200).map(|at| format!("\"kubernetes_version\":{at}")).collect::<Vec<_>>().join(",")
        ),
    );
    let wrong = node.path("wrong.json").display().to_string();
    assert_eq!(node.run(&["provision", "--provision-config", &wrong]).status.code(), Some(1));
    let message = node.events()[1]["Message"].as_str().map(str::to_owned).expect("text");
    assert!(message.len() <= 3000 && message.contains(" | startTime="), "{}", message.len());
    assert!(node.text("var/log/azure/aks/provision.json").len() < 4096);
}

#[test]
fn an_event_that_cannot_be_written_is_logged_and_changes_nothing() {
    let node = Node::new("exit 0");
    node.write("var/log/azure/Microsoft.Azure.Extensions.CustomScript/events", "no directory");
    assert_eq!(node.provision().status.code(), Some(0));
    assert!(node.has_marker());
    assert!(node.log().iter().any(|line| line["msg"] == "cannot write an event"));
}

#[test]
fn a_recorded_result_is_returned_again_after_a_reboot() {
    for code in ["0", "50"] {
        let node = Node::new("touch $ROOT/ran; exit 0");
        let document = format!("{{\"ExitCode\":\"{code}\",\"Output\":\"first\",\"BootId\":\"another boot\"}}");
        node.write("var/log/azure/aks/provision.json", &document);
        node.write("opt/azure/containers/provision.complete", "");
        let ended = node.provision();
        assert_eq!(ended.status.code().map(|code| code.to_string()).as_deref(), Some(code));
        assert_eq!(node.text("var/log/azure/aks/provision.json"), document);
        assert!(!node.exists("ran"));
        assert_eq!(text(&node.wait().stdout), format!("{document}\n"));
    }
}

#[test]
fn a_document_without_a_marker_is_renamed_before_an_attempt() {
    let node = Node::new("test ! -e $ROOT/var/log/azure/aks/provision.json || exit 99");
    node.write("var/log/azure/aks/provision.json", "{\"ExitCode\":\"50\",\"Output\":\"old\"}");
    assert_eq!(node.provision().status.code(), Some(0));
    assert_eq!(node.document()["ExitCode"], "0");
    assert!(node.text("var/log/azure/aks/provision.json.previous").contains("old"));
}

#[test]
fn a_result_of_another_machine_is_ignored() {
    let node = Node::new("touch $ROOT/ran; exit 0");
    node.write("sys/class/dmi/id/product_uuid", "ours\n");
    node.write("var/log/azure/aks/provision.json", "{\"ExitCode\":\"0\",\"InstanceId\":\"theirs\"}");
    node.write("opt/azure/containers/provision.complete", "");
    let waited = node.run(&["provision-wait", "--timeout", "1s"]);
    assert_eq!((waited.status.code(), &printed(&waited)["ExitCode"]), (Some(240), &Value::from("240")));
    assert_eq!(node.provision().status.code(), Some(0));
    assert!(node.exists("ran"));
    assert_eq!(node.document()["InstanceId"], "ours");
    // Its own result counts.
    fs::remove_file(node.path("ran")).expect("removed");
    assert_eq!(node.provision().status.code(), Some(0));
    assert!(!node.exists("ran"));
}

#[test]
fn missing_directories_are_created() {
    let node = Node::new("exit 4");
    node.write("elsewhere.json", &configuration());
    fs::remove_dir_all(node.path("opt")).expect("removed");
    let elsewhere = node.path("elsewhere.json").display().to_string();
    // The start script is gone with the directory, so bash ends with its own code.
    assert_eq!(node.run(&["provision", "--provision-config", &elsewhere]).status.code(), Some(127));
    assert_eq!((&node.document()["ExitCode"], node.has_marker()), (&Value::from("127"), true));
}

#[test]
fn term_int_and_hup_end_the_process_group_and_leave_a_result() {
    for (signal, code) in [("TERM", 143), ("INT", 130), ("HUP", 129)] {
        let node = Node::new("sleep 600 & echo $! >$ROOT/grandchild; touch $ROOT/ready; wait");
        let running = Running::start(&mut provision_with_default_signals(&node));
        node.until("the child runs", |node| node.exists("ready"));
        running.signal(signal);
        let ended = running.end();
        assert_eq!(ended.status.code(), Some(code), "{}", text(&ended.stderr));
        assert_eq!((node.document()["ExitCode"].as_str(), node.has_marker()), (Some(&*code.to_string()), true));
        assert!(node.document()["Error"].as_str().is_some_and(|error| error.contains(&format!("SIG{signal}"))));
        node.until("the grandchild has ended", |node| !runs(node, "grandchild"));
    }
}

#[test]
fn a_child_that_needs_time_to_end_gets_it() {
    let node =
        Node::new("trap 'sleep 2; touch $ROOT/ended; exit 0' TERM; touch $ROOT/ready; while :; do sleep 0.1; done");
    let running = node.start_provision();
    node.until("the child runs", |node| node.exists("ready"));
    running.signal("TERM");
    assert_eq!(running.end().status.code(), Some(143));
    assert!(node.exists("ended") && node.has_marker());
}

#[test]
fn a_child_that_ignores_the_request_to_end_is_killed() {
    let node = Node::new("trap '' TERM; echo $$ >$ROOT/child; touch $ROOT/ready; while :; do sleep 1; done");
    let running = node.start_provision();
    node.until("the child runs", |node| node.exists("ready"));
    running.signal("TERM");
    assert_eq!(running.end().status.code(), Some(143));
    node.until("the child has ended", |node| !runs(node, "child"));
    assert!(node.has_marker());
}

#[test]
fn an_attempt_that_a_shutdown_ends_is_repeated_at_the_next_boot() {
    let node = Node::new("touch $ROOT/ready; sleep 600");
    fs::create_dir_all(node.path("run/systemd/system")).expect("a directory");
    node.program("systemctl", "echo stopping; exit 1");
    let running = node.start_provision();
    node.until("the child runs", |node| node.exists("ready"));
    running.signal("TERM");
    assert_eq!(running.end().status.code(), Some(143));
    assert_eq!((node.document()["ExitCode"].as_str(), node.has_marker()), (Some("143"), false));
    node.write("opt/azure/containers/provision_start.sh", "exit 0\n");
    assert_eq!(node.provision().status.code(), Some(0));
    assert_eq!((node.document()["ExitCode"].as_str(), node.has_marker()), (Some("0"), true));
}

#[test]
fn a_hangup_that_is_ignored_stays_ignored() {
    let node = Node::new("touch $ROOT/ready; until [ -e $ROOT/signalled ]; do sleep 0.1; done; sleep 0.5; exit 0");
    let mut nohup = Command::new("nohup");
    nohup.arg(PROGRAM).args(["provision", "--provision-config", &node.configuration(), "--root"]).arg(&*node.root);
    let running = Running::start(&mut nohup);
    node.until("the child runs", |node| node.exists("ready"));
    running.signal("HUP");
    node.write("signalled", "");
    assert_eq!(running.end().status.code(), Some(0));
}

#[test]
fn the_signal_that_killed_the_child_is_named() {
    let node = Node::new("");
    node.write("command.sh", "kill -s KILL $$ # provision_start.sh\" ");
    let command = node.path("command.sh").display().to_string();
    assert_eq!(node.run(&["provision", "--nbc-cmd", &command]).status.code(), Some(137));
    let document = node.document();
    assert_eq!(document["ExitCode"], "137");
    assert!(document["Error"].as_str().is_some_and(|error| error.contains("signal 9 (SIGKILL)")), "{document}");
}

/// Checks the members that every result has.
fn has_times_and_boot(document: &Value) {
    let boot = fs::read_to_string("/proc/sys/kernel/random/boot_id").expect("Linux has it");
    assert_eq!(document["BootId"], boot.trim(), "{document}");
    let (kernel, start) = (&document["KernelStartTime"], &document["CSEStartTime"]);
    for time in [kernel, start] {
        // As `date` reads it back.
        let text = time.as_str().unwrap_or_else(|| panic!("{document}"));
        let read =
            Command::new("date").args(["-d", text, "+%s"]).env("TZ", "UTC").output().expect("coreutils are there");
        assert!(read.status.success(), "{text}");
    }
    assert_eq!(document["BootDatapoints"], serde_json::json!({"KernelStartTime": kernel, "CSEStartTime": start}));
}

#[test]
fn a_result_of_the_controller_has_times_boot_and_the_last_step() {
    let log = "$ROOT/var/log/azure/cluster-provision.log";
    let node = Node::new(&format!(
        "printf '%(%F %T)T installTools: 12 ms\\n%(%F %T)T retrying\\n' -1 -1 >>{log}; kill -s KILL $$"
    ));
    node.write("var/log/azure/cluster-provision.log", "2020-01-31 08:15:30 ofAnEarlierAttempt: 12 ms\n");
    assert_eq!(node.provision().status.code(), Some(137));
    let document = node.document();
    has_times_and_boot(&document);
    assert!(document["ExecDuration"].as_str().is_some_and(|seconds| seconds.parse::<u32>().is_ok()), "{document}");
    let error = document["Error"].as_str().unwrap_or_default();
    assert!(error.ends_with("(SIGKILL); the last completed step was installTools"), "{document}");

    let node = Node::new("exit 0");
    node.write("var/log/azure/cluster-provision.log", "2020-01-31 08:15:30 ofAnEarlierAttempt: 12 ms\n");
    node.write("opt/azure/containers/aks-node-controller-config.json", "[]");
    assert_eq!(node.provision().status.code(), Some(1));
    has_times_and_boot(&node.document());
    assert!(!node.document()["Error"].as_str().is_some_and(|error| error.contains("step")), "{}", node.document());
}

#[test]
fn memory_does_not_grow_with_the_output_of_the_child() {
    let memory = |bytes: u32| {
        // The child looks at its controller when all but the end of the output has been read.
        let node = Node::new(&format!(
            "head -c {bytes} /dev/zero | tr '\\0' x; echo; echo the end
             controller=$(sed 's/.*\"pid\":\\([0-9]*\\).*/\\1/' $ROOT/run/aks-node-controller/started.json)
             while read -r name value _; do [ $name != VmHWM: ] || echo $value >$ROOT/memory; done </proc/$controller/status
             exit 6"
        ));
        let mut running = Running::start_silent(&mut node.provision_command());
        assert_eq!(running.status().code(), Some(6));
        assert!(node.document()["Output"].as_str().is_some_and(|output| output.ends_with("the end\n\n")));
        let log = fs::metadata(node.path("var/log/azure/aks-node-controller.log")).expect("a log").len();
        assert!(log < 200 << 10, "{log} bytes of log");
        node.text("memory").trim().parse::<u64>().expect("a number of KiB")
    };
    // `make measure` limits the absolute value in a release; a debug build is larger by itself. Less than a megabyte of output does not
    // fill what is held back, queued and kept for the result, so that how much of it is needed depends on which process runs first.
    let (little, much) = (memory(1_000_000), memory(30_000_000));
    assert!(much < little + 1024, "{much} KiB, and {little} KiB for a small part of the output");
}

#[test]
fn the_first_stage_of_an_image_build_has_its_own_marker() {
    let node = Node::new("test $PRE_PROVISION_ONLY = true || exit 9; : >$ROOT/opt/azure/containers/base_prep.complete");
    node.write(
        "opt/azure/containers/aks-node-controller-config.json",
        &configuration_with("\"pre_provision_only\": true"),
    );
    let waiter = node.start(&["provision-wait", "--timeout", "100s"]);
    assert_eq!(node.provision().status.code(), Some(0));
    let ended = waiter.end();
    assert_eq!((ended.status.code(), printed(&ended)["ExitCode"].as_str()), (Some(0), Some("0")));
    assert!(node.exists("opt/azure/containers/base_prep.complete") && !node.has_marker());
    // A node that is created from the image is provisioned, whether or not the image was cleaned up.
    node.write("opt/azure/containers/aks-node-controller-config.json", &configuration());
    node.write("opt/azure/containers/provision_start.sh", "exit 17\n");
    fs::remove_dir_all(node.path("run")).expect("a boot later");
    assert_eq!(node.provision().status.code(), Some(17));
    assert!(node.has_marker());
}

#[test]
fn an_attempt_that_waits_for_an_image_stage_leaves_no_result_in_the_image() {
    let node = Node::new(
        "until [ -e $ROOT/others ]; do sleep 0.1; done; rm $ROOT/opt/azure/containers/aks-node-controller-config.json; \
         : >$ROOT/opt/azure/containers/base_prep.complete",
    );
    node.write(
        "opt/azure/containers/aks-node-controller-config.json",
        &configuration_with("\"pre_provision_only\": true"),
    );
    let all = [node.start_provision(), node.start_provision()];
    node.until("the other one waits", |node| {
        node.text_or_nothing("var/log/azure/aks-node-controller.log").contains("another provisioner is running")
    });
    node.write("others", "");
    for running in all {
        assert_eq!(running.end().status.code(), Some(0));
    }
    assert!(node.exists("opt/azure/containers/base_prep.complete") && !node.has_marker());
}

#[test]
fn concurrent_attempts_run_one_child_and_return_one_result() {
    let node = Node::new("echo run >>$ROOT/runs; until [ -e $ROOT/others ]; do sleep 0.1; done; exit 33");
    let all = [node.start_provision(), node.start_provision(), node.start_provision()];
    node.until("the other two wait", |node| {
        let log = node.text_or_nothing("var/log/azure/aks-node-controller.log");
        log.matches("another provisioner is running").count() == 2
    });
    node.write("others", "");
    for running in all {
        assert_eq!(running.end().status.code(), Some(33));
    }
    assert_eq!(node.text("runs"), "run\n");
}

#[test]
fn processes_of_a_killed_provisioner_are_ended_before_the_next_attempt() {
    let node = Node::new("echo $$ >$ROOT/child; touch $ROOT/ready; sleep 600");
    let running = node.start_provision();
    node.until("the child runs", |node| node.exists("ready"));
    running.signal("KILL");
    drop(running);
    let script = format!(
        "case $(cat /proc/{}/stat 2>/dev/null) in '' | *') Z '*) exit 0 ;; *) exit 9 ;; esac",
        node.text("child").trim()
    );
    node.write("opt/azure/containers/provision_start.sh", &script);
    assert_eq!(node.provision().status.code(), Some(0), "the child of the first attempt runs beside the second one");
}

#[test]
fn an_attempt_ends_while_a_background_process_of_the_child_holds_its_output() {
    let node = Node::new("sleep 600 & echo $! >$ROOT/grandchild; exit 0");
    let mut running = node.start_provision();
    assert_eq!(running.status().code(), Some(0));
    assert!(runs(&node, "grandchild"), "what the scripts leave running stays");
    send("KILL", node.text("grandchild").trim());
}

#[test]
fn a_configuration_that_is_still_being_written_is_read_again() {
    // The controller reads again for two seconds. A machine that is too slow to write the rest in that time shows nothing.
    for attempt in 0.. {
        assert!(attempt < 20, "this machine is too slow for the test");
        let node = Node::new("exit 0");
        let whole = configuration();
        node.write("opt/azure/containers/aks-node-controller-config.json", &whole[..whole.len() / 2]);
        let began = Instant::now();
        let running = node.start_provision();
        node.until("the attempt has begun", |node| node.exists("run/aks-node-controller/lock"));
        std::thread::sleep(Duration::from_millis(300));
        node.write("opt/azure/containers/aks-node-controller-config.json", &whole);
        let was_in_time = began.elapsed() < Duration::from_secs(2);
        let code = running.end().status.code();
        if was_in_time {
            assert_eq!(code, Some(0));
            break;
        }
    }
}

#[test]
fn the_last_event_has_the_duration_of_the_attempt() {
    let node = Node::new("sleep 0.3; exit 0");
    let began = Instant::now();
    node.provision();
    let took = began.elapsed().as_millis();
    let message = node.events()[1]["Message"].as_str().map(str::to_owned).expect("text");
    let duration: u128 =
        message.rsplit_once("durationMs=").and_then(|(_, number)| number.parse().ok()).expect("a number");
    assert!((300..=took).contains(&duration), "{message}, and the process ran for {took} ms");
}

#[test]
fn a_missing_or_broken_component_list_fails_on_gpu_nodes_only() {
    let node = Node::new("exit 0");
    assert_eq!(node.provision().status.code(), Some(0));
    for list in [None, Some("[")] {
        let node = Node::new("exit 0");
        let gpu = configuration().replace("Standard_D2pds_v6", "Standard_NC24ads_A100_v4");
        node.write("opt/azure/containers/aks-node-controller-config.json", &gpu);
        if let Some(list) = list {
            node.write("opt/azure/components.json", list);
        }
        assert_eq!(node.provision().status.code(), Some(1));
        let document = node.document();
        let error = document["Error"].as_str().unwrap_or_default();
        assert!(error.contains("has a GPU") && error.contains("components.json"), "{error}");
        assert_eq!(document["ExitCode"], "240");
    }
}

#[test]
fn containerds_configuration_follows_the_installed_version() {
    let node = Node::new("echo \"$CONTAINERD_CONFIG_CONTENT\" | base64 -d | sed -n 3p");
    for (version, expected) in [
        ("v1.7.22", "[plugins.\"io.containerd.grpc.v1.cri\"]\n"),
        ("v2.1.4-6.azl3", "[plugins.\"io.containerd.cri.v1.images\"]\n"),
    ] {
        node.program("containerd", &format!("echo containerd example.com/containerd {version} abc"));
        let _ = fs::remove_file(node.path("opt/azure/containers/provision.complete"));
        assert_eq!(text(&node.provision().stdout), expected);
    }
}

#[test]
fn wrong_command_lines_end_with_2() {
    for (arguments, code) in [
        (&[][..], 2),
        (&["unknown"], 2),
        (&["--help"], 0),
        (&["--version"], 0),
        (&["version"], 0),
        (&["download-hotfix", "extra"], 2),
        (&["check-hotfix", "extra", "--words"], 0),
    ] {
        let ended = finish(Command::new(PROGRAM).args(arguments));
        assert_eq!(ended.status.code(), Some(code), "{arguments:?}");
    }
}

#[test]
fn hotfix_commands_succeed_and_change_nothing() {
    for command in ["check-hotfix", "download-hotfix"] {
        let ended = finish(Command::new(PROGRAM).arg(command).stdin(Stdio::null()));
        assert_eq!((ended.status.code(), ended.stdout.is_empty()), (Some(0), true));
        assert!(ended.status.signal().is_none());
        assert_eq!(text(&ended.stderr).lines().count(), 1);
    }
}

#[test]
fn a_classic_command_runs_as_it_was_read_even_if_its_file_changes() {
    let node = Node::new("");
    let command = node.path("command.sh").display().to_string();
    // bash reads a script in blocks, so the change is far behind its beginning.
    let filler = "#\n".repeat(100_000);
    let script = format!(
        "echo began; echo 'exit 5' >{command}\n{filler}echo \"$0\" ended; stat -c %a \"$0\"; exit 0 # provision_start.sh\" "
    );
    node.write("command.sh", &script);
    let ended = node.run(&["provision", "--nbc-cmd", &command]);
    let copy = "run/aks-node-controller/command.sh";
    assert_eq!(
        text(&ended.stdout),
        format!("began\n{} ended\n600\n", node.path(copy).display()),
        "{}",
        text(&ended.stderr)
    );
    assert_eq!((ended.status.code(), node.exists(copy)), (Some(0), false));
}

#[test]
fn a_provisioner_waits_until_a_classic_command_is_complete() {
    let node = Node::new("");
    let command = node.path("command.sh").display().to_string();
    node.write("command.sh", "echo half");
    let running = node.start(&["provision", "--nbc-cmd", &command]);
    node.until("the provisioner has the lock", |node| node.exists("run/aks-node-controller/lock"));
    node.write("command.sh", "echo whole; exit 3 # provision_start.sh\" ");
    let ended = running.end();
    assert_eq!((ended.status.code(), text(&ended.stdout)), (Some(3), "whole\n".to_owned()), "{}", text(&ended.stderr));
}
