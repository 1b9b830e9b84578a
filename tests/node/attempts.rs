//! What one attempt does, and what it leaves.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::ExitStatusExt;
use std::process::Stdio;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::harness::{GOOD, Node, PROGRAM, SECRET, can, configuration_with, printed, send};

fn mode(node: &Node, path: &str) -> u32 {
    fs::metadata(node.path(path)).expect("it is there").permissions().mode() & 0o7777
}

#[test]
fn t_17_2_a_good_attempt_passes_the_output_on_and_tells_two_events() {
    let node = Node::new(&format!("echo to stdout; echo to stderr >&2\n{GOOD}"));
    let ended = node.provision();
    assert_eq!(ended.status.code(), Some(0), "{}", String::from_utf8_lossy(&ended.stderr));
    assert_eq!(String::from_utf8_lossy(&ended.stdout), "to stdout\n");
    assert!(String::from_utf8_lossy(&ended.stderr).contains("to stderr\n"));
    assert_eq!(node.document()["Output"], "made", "the start script's own document stays");
    let events = node.events();
    let said: Vec<_> = events.iter().map(|event| event["Message"].as_str().unwrap_or_default()).collect();
    assert_eq!(events.len(), 2, "{said:?}");
    assert!(said[0].starts_with("Starting | startTime=") && said[1].starts_with("Completed | startTime="), "{said:?}");
    assert!(events.iter().all(|event| event["TaskName"] == "AKS.AKSNodeController.Provision"));
}

#[test]
fn t_17_2_a_failed_child_gives_its_code_and_an_error_event() {
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
fn t_17_2_neither_input_is_a_failure_of_the_controller() {
    let node = Node::new(GOOD);
    assert_eq!(node.run(&["provision"]).status.code(), Some(1));
    assert_eq!((&node.document()["ExitCode"], node.has_marker()), (&Value::from("240"), true));
}

#[test]
fn t_17_3_the_classic_command_runs_as_a_file_and_wins() {
    let node = Node::new("exit 7");
    node.write("-command.sh", "ADMINUSER=azureuser CSE_TIMEOUT=20\necho \"classic $0\"; exit 0\n");
    let mut command =
        node.command(&["provision", "--nbc-cmd=-command.sh", "--provision-config", &node.configuration()]);
    let ended = command.current_dir(&node.root).output().expect("it runs");
    assert_eq!(ended.status.code(), Some(0), "{}", String::from_utf8_lossy(&ended.stderr));
    assert_eq!(String::from_utf8_lossy(&ended.stdout), "classic -command.sh\n");
    assert_eq!((&node.document()["ExitCode"], node.has_marker()), (&Value::from("0"), true), "made by the controller");
    let events = node.events();
    let compared =
        events.iter().find(|event| event["TaskName"] == "AKS.AKSNodeController.CompareEnvs").expect("an event");
    let message = compared["Message"].as_str().unwrap_or_default();
    assert!(message.contains("differs: ADMINUSER; ") || message.contains("only-in-pc: API_SERVER_NAME"), "{message}");
    assert!(!message.contains(SECRET) && !message.contains("azureuser"), "{message}");
}

#[test]
fn t_17_3_a_missing_command_is_named() {
    let node = Node::new(GOOD);
    let missing = node.path("nowhere.sh").display().to_string();
    assert_eq!(node.run(&["provision", "--nbc-cmd", &missing]).status.code(), Some(1));
    let document = node.document();
    assert_eq!(document["ExitCode"], "240");
    assert!(document["Error"].as_str().is_some_and(|error| error.contains(&missing)), "{document}");
}

#[test]
fn t_17_3_a_wrong_configuration_beside_a_command_blocks_nothing() {
    let node = Node::new("exit 7");
    node.write("command.sh", "exit 0\n");
    node.write("wrong.json", "{\"version\": 5}");
    let (command, wrong) =
        (node.path("command.sh").display().to_string(), node.path("wrong.json").display().to_string());
    let ended = node.run(&["provision", "--nbc-cmd", &command, "--provision-config", &wrong]);
    assert_eq!(ended.status.code(), Some(0), "{}", String::from_utf8_lossy(&ended.stderr));
    assert!(node.log().iter().any(|line| line["msg"] == "environments cannot be compared"));
}

#[test]
fn t_17_4_a_dry_run_shows_everything_but_secrets_and_starts_nothing() {
    let node = Node::new("touch $ROOT/started");
    let ended = node.run(&["provision", "--dry-run", "--provision-config", &node.configuration()]);
    let shown = String::from_utf8_lossy(&ended.stdout);
    assert_eq!(ended.status.code(), Some(0));
    assert!(shown.contains("\nTLS_BOOTSTRAP_TOKEN='[redacted]'\n") && !shown.contains(SECRET), "{shown}");
    assert!(shown.lines().count() > 160 && shown.contains("\nCSE_TIMEOUT=900\n"), "{shown}");
    let last = shown.lines().last().expect("a line");
    assert!(last.starts_with("/bin/bash -c '") && last.contains("provision_start.sh"), "{last}");
    for path in ["started", "var/log/azure/aks/provision.json", "opt/azure/containers/provision.complete", "run"] {
        assert!(!node.exists(path), "{path}");
    }
    node.write("wrong.json", "{}");
    let wrong = node.path("wrong.json").display().to_string();
    assert_eq!(node.run(&["provision", "--dry-run", "--provision-config", &wrong]).status.code(), Some(1));
    assert!(!node.has_marker());
}

#[test]
fn req_log_1_help_and_version_need_nothing() {
    let node = Node::new(GOOD);
    fs::write(node.path("var"), "no folder").expect("written");
    for arguments in
        [&["version"][..], &["--version"], &["--help"], &["provision", "--help"], &["provision-wait", "--help"]]
    {
        let ended =
            std::process::Command::new(PROGRAM).args(arguments).current_dir(&node.root).output().expect("it runs");
        assert_eq!((ended.status.code(), ended.stdout.is_empty()), (Some(0), false), "{arguments:?}");
    }
    assert!(!node.exists("aks-node-controller.log"));
}

#[test]
fn req_log_2_without_a_log_the_work_goes_on_and_it_is_said_once() {
    let node = Node::new("exit 0");
    fs::create_dir_all(node.path("var/log/azure/aks-node-controller.log")).expect("a folder in its place");
    let ended = node.provision();
    let told = String::from_utf8_lossy(&ended.stderr);
    assert_eq!((ended.status.code(), told.matches("the log cannot be written").count()), (Some(0), 1), "{told}");
}

#[test]
fn req_log_3_r_18_no_secret_leaves_the_child() {
    let node = Node::new("env; env >&2; printf %s \"$TLS_BOOTSTRAP_TOKEN\" | cut -c1-12; exit 3");
    let ended = node.provision();
    assert_eq!(ended.status.code(), Some(3));
    let everything = [
        String::from_utf8_lossy(&ended.stdout).into_owned(),
        String::from_utf8_lossy(&ended.stderr).into_owned(),
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
fn req_prov_1_r_01_the_marker_comes_after_a_whole_document_with_final_modes() {
    let node = Node::new("umask 0; exit 9");
    node.provision();
    assert_eq!(mode(&node, "var/log/azure/aks/provision.json"), 0o600);
    assert_eq!(mode(&node, "opt/azure/containers/provision.complete"), 0o600);
    assert_eq!(mode(&node, "var/log/azure/aks-node-controller.log"), 0o640);
    assert_eq!(fs::metadata(node.path("opt/azure/containers/provision.complete")).expect("there").len(), 0);
    // Nothing temporary is left beside them.
    for folder in ["var/log/azure/aks", "opt/azure/containers"] {
        let names: Vec<_> = fs::read_dir(node.path(folder))
            .expect("a folder")
            .map(|entry| entry.expect("an entry").file_name())
            .collect();
        assert!(names.iter().all(|name| !name.to_string_lossy().ends_with(".tmp")), "{names:?}");
    }
}

#[test]
fn req_prov_3_r_19_a_child_that_leaves_no_result_gets_one() {
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
fn req_doc_1_req_doc_2_r_36_the_document_is_one_short_line_whatever_the_child_prints() {
    let node = Node::new("head -c 20000 /dev/urandom; printf '\\033[31mred\\t*\\\\\"' >&2; exit 5");
    node.provision();
    let text = node.text("var/log/azure/aks/provision.json");
    assert!(text.len() < 4096 && !text.contains('\n'), "{}", text.len());
    let output = node.document()["Output"].as_str().map(str::to_owned).expect("text");
    assert!(output.ends_with("\u{1b}[31mred\t*\\\""), "{output:?}");
}

#[test]
fn r_26_a_tail_with_wildcards_and_blanks_stays_as_it_is() {
    let node = Node::new("printf '* /*  two  blanks\\tand\\ttabs \\xff' ; exit 5");
    node.provision();
    assert_eq!(node.document()["Output"], "* /*  two  blanks\tand\ttabs \u{fffd}\n");
}

#[test]
fn req_evt_1_req_evt_3_names_are_unique_and_nothing_else_lies_in_the_folder() {
    let node = Node::new("exit 0");
    node.provision();
    let children: Vec<_> = (0..8).map(|_| node.start(&["provision-wait"])).collect();
    for child in children {
        assert_eq!(child.end().0.code(), Some(0));
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
    let folder = node.path("var/log/azure/Microsoft.Azure.Extensions.CustomScript/events");
    assert!(
        fs::read_dir(folder)
            .expect("a folder")
            .all(|entry| { entry.expect("an entry").metadata().expect("there").permissions().mode() & 0o777 == 0o644 })
    );
}

#[test]
fn req_evt_2_long_messages_are_cut() {
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
fn r_27_events_that_cannot_be_written_change_nothing() {
    let node = Node::new("exit 0");
    node.write("var/log/azure/Microsoft.Azure.Extensions.CustomScript/events", "no folder");
    assert_eq!(node.provision().status.code(), Some(0));
    assert!(node.has_marker());
    assert!(node.log().iter().any(|line| line["msg"] == "an event cannot be written"));
}

#[test]
fn r_02_after_a_reboot_the_recorded_result_stays() {
    for code in ["0", "50"] {
        let node = Node::new("touch $ROOT/ran; exit 0");
        let document = format!("{{\"ExitCode\":\"{code}\",\"Output\":\"first\",\"BootId\":\"another boot\"}}");
        node.write("var/log/azure/aks/provision.json", &document);
        node.write("opt/azure/containers/provision.complete", "");
        let ended = node.provision();
        assert_eq!(ended.status.code().map(|code| code.to_string()).as_deref(), Some(code));
        assert_eq!(node.text("var/log/azure/aks/provision.json"), document);
        assert!(!node.exists("ran"));
        assert_eq!(String::from_utf8_lossy(&node.wait().stdout), format!("{document}\n"));
    }
}

#[test]
fn r_03_a_document_without_a_marker_is_set_aside() {
    let node = Node::new("test ! -e $ROOT/var/log/azure/aks/provision.json || exit 99");
    node.write("var/log/azure/aks/provision.json", "{\"ExitCode\":\"50\",\"Output\":\"old\"}");
    assert_eq!(node.provision().status.code(), Some(0));
    assert_eq!(node.document()["ExitCode"], "0");
    assert!(node.text("var/log/azure/aks/provision.json.previous").contains("old"));
}

#[test]
fn r_04_the_result_of_another_machine_does_not_count() {
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
fn r_08_missing_folders_are_made() {
    let node = Node::new("exit 4");
    node.write("elsewhere.json", &crate::harness::configuration());
    fs::remove_dir_all(node.path("opt")).expect("removed");
    let elsewhere = node.path("elsewhere.json").display().to_string();
    // The start script is gone with the folder, so bash ends with its own code.
    assert_eq!(node.run(&["provision", "--provision-config", &elsewhere]).status.code(), Some(127));
    assert_eq!((&node.document()["ExitCode"], node.has_marker()), (&Value::from("127"), true));
}

#[test]
fn r_10_a_request_to_end_ends_the_group_and_leaves_a_result() {
    for (signal, code) in [("TERM", 143), ("INT", 130), ("HUP", 129)] {
        let node = Node::new("sleep 300 & echo $! >$ROOT/grandchild; touch $ROOT/ready; wait");
        let mut command = node.command(&["provision", "--provision-config", &node.configuration()]);
        let arguments: Vec<_> = command.get_args().map(std::ffi::OsStr::to_owned).collect();
        // Whoever runs the tests may have these signals ignored.
        command = std::process::Command::new("env");
        command.args(["--default-signal=HUP,INT", PROGRAM]).args(arguments);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let running = crate::harness::Running(command.spawn().expect("it starts"));
        node.until("the child runs", |node| node.exists("ready"));
        running.signal(signal);
        let (status, _, told) = running.end();
        assert_eq!(status.code(), Some(code), "{told}");
        assert_eq!((node.document()["ExitCode"].as_str(), node.has_marker()), (Some(&*code.to_string()), true));
        assert!(node.document()["Error"].as_str().is_some_and(|error| error.contains(&format!("SIG{signal}"))));
        let grandchild = node.text("grandchild");
        assert!(!fs::exists(format!("/proc/{}", grandchild.trim())).expect("known"), "the grandchild still runs");
    }
}

#[test]
fn r_10_a_child_that_does_not_listen_is_killed() {
    let node = Node::new("trap '' TERM; touch $ROOT/ready; while :; do sleep 1; done");
    let running = node.start_provision();
    node.until("the child runs", |node| node.exists("ready"));
    let asked = Instant::now();
    running.signal("TERM");
    assert_eq!(running.end().0.code(), Some(143));
    assert!(
        asked.elapsed() > Duration::from_secs(19) && asked.elapsed() < Duration::from_secs(30),
        "{:?}",
        asked.elapsed()
    );
    assert!(node.has_marker());
}

#[test]
fn r_10_when_the_machine_goes_down_the_next_boot_tries_again() {
    let node = Node::new("touch $ROOT/ready; sleep 300");
    fs::create_dir_all(node.path("run/systemd/system")).expect("a folder");
    node.program("systemctl", "echo stopping; exit 1");
    let running = node.start_provision();
    node.until("the child runs", |node| node.exists("ready"));
    running.signal("TERM");
    assert_eq!(running.end().0.code(), Some(143));
    assert_eq!((node.document()["ExitCode"].as_str(), node.has_marker()), (Some("143"), false));
    node.write("opt/azure/containers/provision_start.sh", "exit 0\n");
    assert_eq!(node.provision().status.code(), Some(0));
    assert_eq!((node.document()["ExitCode"].as_str(), node.has_marker()), (Some("0"), true));
}

#[test]
fn r_10_an_ignored_hangup_stays_ignored() {
    let node = Node::new("touch $ROOT/ready; sleep 0.5; exit 0");
    let mut command = node.command(&["provision", "--provision-config", &node.configuration()]);
    let arguments: Vec<_> = command.get_args().map(std::ffi::OsStr::to_owned).collect();
    let mut nohup = std::process::Command::new("nohup");
    nohup.arg(PROGRAM).args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command = nohup;
    let running = crate::harness::Running(command.spawn().expect("it starts"));
    node.until("the child runs", |node| node.exists("ready"));
    running.signal("HUP");
    assert_eq!(running.end().0.code(), Some(0));
}

#[test]
fn r_15_the_signal_that_killed_the_child_is_named() {
    let node = Node::new("");
    node.write("command.sh", "kill -s KILL $$\n");
    let command = node.path("command.sh").display().to_string();
    assert_eq!(node.run(&["provision", "--nbc-cmd", &command]).status.code(), Some(137));
    let document = node.document();
    assert_eq!(document["ExitCode"], "137");
    assert!(document["Error"].as_str().is_some_and(|error| error.contains("signal 9 (SIGKILL)")), "{document}");
}

#[test]
fn r_16_a_panic_is_a_failure_everywhere() {
    const FOLDER: &str = "PANICS_BELOW";
    if let Some(root) = std::env::var_os(FOLDER) {
        let machine = aks_node_controller::node::Machine::new(Some(root.into()));
        let log = aks_node_controller::node::Log::open(&machine);
        aks_node_controller::node::report_panics(&machine, &log);
        panic!("on purpose");
    }
    let node = Node::new("");
    let mut own = std::process::Command::new(std::env::current_exe().expect("this test's program"));
    own.args(["--exact", "attempts::r_16_a_panic_is_a_failure_everywhere", "--nocapture"]).env(FOLDER, &node.root);
    let ended = own.stdout(Stdio::null()).stderr(Stdio::null()).status().expect("it runs");
    assert_eq!(ended.code(), Some(1));
    let document = node.document();
    assert_eq!((document["ExitCode"].as_str(), node.has_marker()), (Some("240"), true));
    assert!(document["Error"].as_str().is_some_and(|error| error.contains("tests/node/attempts.rs")), "{document}");
    assert_eq!(node.events()[0]["EventLevel"], "Error");
}

#[test]
fn r_17_a_hundred_megabytes_of_output_need_no_memory() {
    if !can(&["/usr/bin/time"]) {
        return;
    }
    let memory = |bytes: u32| {
        let node = Node::new(&format!("head -c {bytes} /dev/zero | tr '\\0' x; echo; echo the end; exit 6"));
        let mut timed = std::process::Command::new("/usr/bin/time");
        timed.args(["-f", "%M", "-o"]).arg(node.path("memory")).arg(PROGRAM);
        timed.args(["provision", "--provision-config", &node.configuration(), "--root"]).arg(&node.root);
        timed.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        assert_eq!(timed.status().expect("`time` is there (package time)").code(), Some(6));
        assert!(node.document()["Output"].as_str().is_some_and(|output| output.ends_with("the end\n\n")));
        let log = fs::metadata(node.path("var/log/azure/aks-node-controller.log")).expect("a log").len();
        assert!(log < 200 << 10, "{log} bytes of log");
        node.text("memory").lines().last().and_then(|line| line.parse::<u64>().ok()).expect("a number of KiB")
    };
    // `make measure` looks at the whole of a release; a test build is larger by itself.
    let (little, much) = (memory(100_000), memory(100_000_000));
    assert!(much < little + 1024, "{much} KiB, and {little} KiB for a thousandth of the output");
}

#[test]
fn r_20_an_image_bake_ends_with_a_marker_of_its_own() {
    let node = Node::new("test $PRE_PROVISION_ONLY = true || exit 9; : >$ROOT/opt/azure/containers/base_prep.complete");
    node.write(
        "opt/azure/containers/aks-node-controller-config.json",
        &configuration_with("\"pre_provision_only\": true"),
    );
    let waiter = node.start(&["provision-wait", "--timeout", "20s"]);
    assert_eq!(node.provision().status.code(), Some(0));
    let (status, printed, _) = waiter.end();
    assert_eq!((status.code(), printed.contains("\"ExitCode\":\"0\"")), (Some(0), true), "{printed}");
    assert!(node.exists("opt/azure/containers/base_prep.complete") && !node.has_marker());
    // A node that is made from the image is made, whether or not the image was cleaned up.
    node.write("opt/azure/containers/aks-node-controller-config.json", &crate::harness::configuration());
    node.write("opt/azure/containers/provision_start.sh", "exit 17\n");
    fs::remove_dir_all(node.path("run")).expect("a boot later");
    assert_eq!(node.provision().status.code(), Some(17));
    assert!(node.has_marker());
}

#[test]
fn r_21_two_at_once_run_one_child_and_give_one_result() {
    let node = Node::new("echo run >>$ROOT/runs; sleep 0.5; exit 33");
    let both = [node.start_provision(), node.start_provision(), node.start_provision()];
    for running in both {
        assert_eq!(running.end().0.code(), Some(33));
    }
    assert_eq!(node.text("runs"), "run\n");
    assert!(
        node.log().iter().any(|line| line["msg"].as_str().is_some_and(|said| said.starts_with("another provisioner")))
    );
}

#[test]
fn r_21_what_a_killed_provisioner_left_is_ended_before_the_next_attempt() {
    let node = Node::new("echo $$ >>$ROOT/children; touch $ROOT/ready; sleep 300");
    let running = node.start_provision();
    node.until("the child runs", |node| node.exists("ready"));
    running.signal("KILL");
    drop(running);
    node.write("opt/azure/containers/provision_start.sh", "exit 0\n");
    assert_eq!(node.provision().status.code(), Some(0));
    let first = node.text("children");
    assert!(!fs::exists(format!("/proc/{}", first.trim())).expect("known"), "it still runs");
}

#[test]
fn r_22_grandchildren_that_hold_the_output_delay_nothing_for_long() {
    let node = Node::new("sleep 60 & echo $! >$ROOT/grandchild; exit 0");
    let began = Instant::now();
    let (status, _, told) = node.start_provision().end_without_reading();
    assert_eq!(status.code(), Some(0), "{told}");
    assert!(began.elapsed() < Duration::from_secs(8), "{:?}", began.elapsed());
    let grandchild = node.text("grandchild");
    assert!(
        fs::exists(format!("/proc/{}", grandchild.trim())).expect("known"),
        "what the scripts left running is theirs"
    );
    send("KILL", grandchild.trim());
}

#[test]
fn r_23_a_document_that_is_still_written_is_read_again() {
    let node = Node::new("exit 0");
    let whole = crate::harness::configuration();
    node.write("opt/azure/containers/aks-node-controller-config.json", &whole[..whole.len() / 2]);
    let running = node.start_provision();
    node.until("it has begun", |node| node.exists("run/aks-node-controller/lock"));
    std::thread::sleep(Duration::from_millis(300));
    node.write("opt/azure/containers/aks-node-controller-config.json", &whole);
    assert_eq!(running.end().0.code(), Some(0));
}

#[test]
fn r_25_durations_do_not_come_from_the_clock_on_the_wall() {
    let node = Node::new("sleep 0.3; exit 0");
    node.provision();
    let message = node.events()[1]["Message"].as_str().map(str::to_owned).expect("text");
    let duration: u64 =
        message.rsplit_once("durationMs=").and_then(|(_, number)| number.parse().ok()).expect("a number");
    assert!((300..20_000).contains(&duration), "{message}");
}

#[test]
fn r_33_the_component_list_matters_only_on_a_gpu_node() {
    let node = Node::new("exit 0");
    assert_eq!(node.provision().status.code(), Some(0));
    for list in [None, Some("[")] {
        let node = Node::new("exit 0");
        let gpu = crate::harness::configuration().replace("Standard_D2pds_v6", "Standard_NC24ads_A100_v4");
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
fn the_facts_of_the_machine_reach_the_child() {
    let node = Node::new("echo \"$CONTAINERD_CONFIG_CONTENT\" | base64 -d | sed -n 3p");
    for (version, expected) in [
        ("v1.7.22", "[plugins.\"io.containerd.grpc.v1.cri\"]\n"),
        ("v2.1.4-6.azl3", "[plugins.\"io.containerd.cri.v1.images\"]\n"),
    ] {
        node.program("containerd", &format!("echo containerd example.com/containerd {version} abc"));
        let _ = fs::remove_file(node.path("opt/azure/containers/provision.complete"));
        assert_eq!(String::from_utf8_lossy(&node.provision().stdout), expected);
    }
}

#[test]
fn t_17_1_commands_and_their_exit_codes() {
    // The reference ends with 1 where the command line is wrong; here that is 2, as everywhere in this program.
    for (arguments, code) in [
        (&[][..], 2),
        (&["unknown"], 2),
        (&["--help"], 0),
        (&["--version"], 0),
        (&["version"], 0),
        (&["download-hotfix", "extra"], 2),
        (&["check-hotfix", "extra", "--words"], 0),
    ] {
        let ended = std::process::Command::new(PROGRAM).args(arguments).output().expect("it runs");
        assert_eq!(ended.status.code(), Some(code), "{arguments:?}");
    }
}

#[test]
fn hotfix_commands_answer_and_change_nothing() {
    for command in ["check-hotfix", "download-hotfix"] {
        let ended = std::process::Command::new(PROGRAM).arg(command).output().expect("it runs");
        assert_eq!((ended.status.code(), ended.stdout.is_empty()), (Some(0), true));
        assert!(ended.status.signal().is_none());
        assert_eq!(String::from_utf8_lossy(&ended.stderr).lines().count(), 1);
    }
}
