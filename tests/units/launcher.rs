//! The launcher, in bash, with a stand-in for the controller.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::{Command, Output};

use aks_node_controller::catalogue::node_distros::Family;
use aks_node_controller::catalogue::node_files::{Content, image_files};
use serde_json::Value;

use aks_node_controller::catalogue::features::is_reserved;

use crate::support::{Running, Scratch, finish, until, write_program};

/// A script of the node as an image gets it, by the end of its path.
fn shipped(name: &str) -> String {
    let mut files = image_files(Family::Ubuntu);
    let file = files.find(|file| file.path.ends_with(name)).expect("it is on an image");
    match file.content {
        Content::Embedded(part) => part.text(),
        _ => panic!("{name} is no script"),
    }
}

/// A directory with everything that the launcher reads. The stand-in records its arguments.
struct Launch {
    directory: Scratch,
}

impl Launch {
    fn new(controller: &str) -> Self {
        let launch = Self { directory: Scratch::new("launch") };
        launch.program("controller", &format!("printf '%s\\n' \"$@\" >\"$DIRECTORY/called\"\n{controller}"));
        launch.write("launcher", &shipped("/aks-node-controller-launcher.sh"));
        launch.program("bin/hostname", "cat \"$DIRECTORY/own-name\"");
        launch.program("bin/logger", "printf '%s\\n' \"$*\" >>\"$DIRECTORY/journal\"");
        launch.write("own-name", "node-1");
        launch.write("hostname", "node-1\n");
        launch.write("config.json", "{}");
        launch
    }

    fn path(&self, name: &str) -> PathBuf {
        self.directory.join(name)
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("a directory")).expect("created");
        fs::write(path, text).expect("written");
    }

    fn program(&self, name: &str, text: &str) {
        write_program(&self.path(name), &format!("#!/bin/bash\n{text}\n"));
    }

    fn text(&self, name: &str) -> Option<String> {
        fs::read_to_string(self.path(name)).ok()
    }

    fn command(&self) -> Command {
        // Whoever runs the tests may have signals ignored, and bash could not trap them then.
        let mut command = Command::new("env");
        command.args(["--default-signal=HUP,INT,TERM", "/bin/bash"]).arg(self.path("launcher"));
        let path = std::env::var("PATH").unwrap_or_default();
        command.env("PATH", format!("{}:{path}", self.path("bin").display())).env("DIRECTORY", &*self.directory);
        for (variable, name) in [
            ("BIN_PATH", "controller"),
            ("CONFIG_PATH", "config.json"),
            ("NBC_CMD_PATH", "nbc-cmd.sh"),
            ("FEATURES_PATH", "features"),
            ("HOSTNAME_PATH", "hostname"),
            ("RESULT_PATH", "log/aks/provision.json"),
            ("MARKER_PATH", "opt/provision.complete"),
            ("RUN_PATH", "run"),
            ("LOG_PATH", "log/provision.log"),
        ] {
            command.env(variable, self.path(name));
        }
        command
    }

    fn run(&self) -> Output {
        finish(&mut self.command())
    }

    fn until(&self, name: &str) {
        until(&format!("{name} appears"), || self.path(name).exists());
    }

    fn document(&self) -> Value {
        serde_json::from_str(&self.text("log/aks/provision.json").expect("a document")).expect("JSON")
    }

    fn has_marker(&self) -> bool {
        self.path("opt/provision.complete").exists()
    }
}

#[test]
fn each_input_becomes_an_argument_in_its_order() {
    for (config, nbc) in [(true, false), (false, true), (true, true)] {
        let launch = Launch::new("exit 0");
        let mut expected = vec!["provision".to_owned()];
        if config {
            expected.push(format!("--provision-config={}", launch.path("config.json").display()));
        } else {
            fs::remove_file(launch.path("config.json")).expect("removed");
        }
        if nbc {
            launch.write("nbc-cmd.sh", "");
            expected.push(format!("--nbc-cmd={}", launch.path("nbc-cmd.sh").display()));
        }
        assert_eq!(launch.run().status.code(), Some(0));
        let called = launch.text("called").expect("it was called");
        assert_eq!(called.lines().collect::<Vec<_>>(), expected);
    }
}

#[test]
fn without_any_input_nothing_is_done() {
    let launch = Launch::new("exit 5");
    fs::remove_file(launch.path("config.json")).expect("removed");
    let ended = launch.run();
    assert_eq!((ended.status.code(), launch.text("called")), (Some(0), None));
    assert!(String::from_utf8_lossy(&ended.stdout).contains("nothing to do"));
    assert!(
        launch
            .text("journal")
            .is_some_and(|journal| journal.starts_with("-t aks-node-controller-launcher -- neither "))
    );
    assert!(!launch.has_marker());
}

#[test]
fn the_exit_code_is_the_controllers() {
    for code in [0, 1, 50, 143, 255] {
        let launch = Launch::new(&format!("exit {code}"));
        assert_eq!(launch.run().status.code(), Some(code));
        assert!(!launch.has_marker(), "the controller leaves its own result");
    }
}

/// Counts the seconds instead of waiting.
const COUNTS: &str = "echo \"$1\" >>\"$DIRECTORY/slept\"; exec /bin/sleep 0.01";

#[test]
fn the_wait_for_the_host_name_ends_after_sixty_seconds() {
    let launch = Launch::new("exit 0");
    launch.program("bin/sleep", COUNTS);
    launch.write("own-name", "localhost");
    let ended = launch.run();
    assert_eq!((ended.status.code(), launch.path("called").exists()), (Some(0), true));
    assert!(String::from_utf8_lossy(&ended.stdout).contains("warning: the host name differs from"));
    assert_eq!(launch.text("slept"), Some("1\n".repeat(60)));
}

#[test]
fn the_controller_starts_when_the_host_name_is_set() {
    let launch = Launch::new("exit 0");
    launch.program("bin/sleep", "touch \"$DIRECTORY/waits\"; until [ -e \"$DIRECTORY/go\" ]; do /bin/sleep 0.05; done");
    launch.write("own-name", "localhost");
    let running = Running::start(&mut launch.command());
    launch.until("waits");
    assert!(!launch.path("called").exists());
    launch.write("own-name", "node-1");
    launch.write("go", "");
    assert!(running.end().status.success() && launch.path("called").exists());
}

#[test]
fn without_a_host_name_file_there_is_no_wait() {
    let launch = Launch::new("exit 0");
    launch.program("bin/sleep", COUNTS);
    fs::remove_file(launch.path("hostname")).expect("removed");
    assert!(launch.run().status.success() && launch.path("called").exists());
    assert_eq!(launch.text("slept"), None);
}

#[test]
fn term_and_int_are_forwarded_and_the_controllers_end_is_waited_for() {
    for (signal, code) in [("TERM", 143), ("INT", 130)] {
        // bash starts what runs in the background with INT ignored, and cannot trap it then. The controller can.
        let launch = Launch::new("exec env --default-signal=INT,TERM /bin/bash \"$DIRECTORY/listener\"");
        launch.program(
            "listener",
            &format!(
                "trap 'sleep 0.5; echo {signal} >\"$DIRECTORY/got\"; exit {code}' {signal}\n\
                 touch \"$DIRECTORY/ready\"; while :; do sleep 0.1; done"
            ),
        );
        let running = Running::start(&mut launch.command());
        launch.until("ready");
        running.signal(signal);
        let ended = running.end();
        assert_eq!(ended.status.code(), Some(code), "{ended:?}");
        assert_eq!(launch.text("got").as_deref().map(str::trim), Some(signal));
        assert!(!launch.has_marker(), "the controller leaves its own result");
    }
}

#[test]
fn features_are_passed_on_and_nothing_of_their_file_is_run() {
    let launch = Launch::new("env >\"$DIRECTORY/environment\"; exit 0");
    launch.write(
        "features",
        "# a comment\n\nPATH=/nowhere\nLD_PRELOAD=/evil.so\nBASH_ENV=/evil.sh\ntouch $DIRECTORY/ran\n$(touch $DIRECTORY/ran)\n\
         1A=x\nA-B=x\nX=`touch $DIRECTORY/ran`\n_b=a b=c\nENABLE_PROVISIONING_HOTFIX=$(touch $DIRECTORY/ran)",
    );
    let ended = launch.run();
    assert_eq!(ended.status.code(), Some(0), "{ended:?}");
    let environment = launch.text("environment").expect("it ran");
    let lines: Vec<_> = environment.lines().collect();
    // The last line of the file has no line feed.
    for line in ["X=`touch $DIRECTORY/ran`", "_b=a b=c", "ENABLE_PROVISIONING_HOTFIX=$(touch $DIRECTORY/ran)"] {
        assert!(lines.contains(&line), "{line} is not in {environment}");
    }
    for start in ["LD_PRELOAD=", "BASH_ENV=", "PATH=/nowhere", "1A=", "A-B="] {
        assert!(!lines.iter().any(|line| line.starts_with(start)), "{start} is in {environment}");
    }
    assert!(!launch.path("ran").exists());
}

/// `validate` reports the same names.
#[test]
fn a_feature_is_no_variable_that_a_program_or_a_script_reads() {
    let names = [
        "GCONV_PATH",
        "PYTHONPATH",
        "LD_AUDIT",
        "BASH_ENV",
        "ENV",
        "IFS",
        "SHELLOPTS",
        "PS4",
        "PROMPT_COMMAND",
        "CSE_HELPERS_FILEPATH",
        "https_proxy",
        "CURL_HOME",
        "PERL5OPT",
        "PROVISION_OUTPUT",
        "KUBE_BINARY_URL",
        "TLS_BOOTSTRAP_TOKEN",
        "LAUNCHER_SCOPE",
        "NVIDIA_X",
        "GOD",
        "ENABLE_PROVISIONING_HOTFIX",
        "MY_FEATURE",
        "PS",
        "PSXX",
        "A",
        "IFSX",
        "XIFS",
        "PATHS",
    ];
    let launch = Launch::new("env >\"$DIRECTORY/environment\"; exit 0");
    launch.write("features", &names.map(|name| format!("{name}=from the file\n")).concat());
    assert_eq!(launch.run().status.code(), Some(0));
    let environment = launch.text("environment").expect("it ran");
    for name in names {
        let passed = environment.lines().any(|line| line == format!("{name}=from the file"));
        assert_eq!(passed, !is_reserved(name), "{name}");
    }
    assert_eq!(environment.matches("=from the file").count(), 8);
}

#[test]
fn a_controller_that_cannot_be_started_has_a_result() {
    let spoil: [fn(&Launch); 3] = [
        |launch| fs::remove_file(launch.path("controller")).expect("removed"),
        |launch| fs::set_permissions(launch.path("controller"), fs::Permissions::from_mode(0o644)).expect("set"),
        |launch| fs::write(launch.path("controller"), b"\x7fELF of another machine").expect("written"),
    ];
    for (number, spoil) in spoil.into_iter().enumerate() {
        let launch = Launch::new("exit 0");
        // Of an earlier attempt, or of the machine that the image was made on.
        launch.write("log/aks/provision.json", "{\"ExitCode\":\"0\",\"Output\":\"stale\"}");
        spoil(&launch);
        let ended = launch.run();
        assert!(matches!(ended.status.code(), Some(126 | 127)), "{number}: {ended:?}");
        assert_eq!((launch.document()["ExitCode"].as_str(), launch.has_marker()), (Some("240"), true), "{number}");
        assert!(launch.document()["Error"].as_str().is_some_and(|error| error.contains("cannot be run")));
        let mode = fs::metadata(launch.path("log/aks/provision.json")).expect("there").permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        assert!(launch.text("log/aks/provision.json.previous").is_some_and(|old| old.contains("stale")));
    }
}

#[test]
fn a_controller_that_was_killed_has_a_result() {
    for (signal, number) in [("KILL", 9), ("SEGV", 11), ("ABRT", 6), ("BUS", 7)] {
        let launch = Launch::new(&format!("kill -s {signal} $$"));
        assert_eq!(launch.run().status.code(), Some(128 + number));
        assert_eq!((launch.document()["ExitCode"].as_str(), launch.has_marker()), (Some("240"), true));
        assert!(launch.document()["Error"].as_str().is_some_and(|error| error.contains(&format!("signal {number} "))));
    }
    // The result has what is known: times, boot, and the last step since the start.
    let launch = Launch::new(
        "mkdir -p \"$DIRECTORY/log\"; printf '%(%F %T)T installTools: 12 ms\\n%(%F %T)T error 7: it ended\\n' -1 -1 \\
         >>\"$DIRECTORY/log/provision.log\"; kill -s KILL $$",
    );
    launch.write("log/provision.log", "2020-01-31 08:15:30 ofAnEarlierAttempt: 12 ms\n");
    launch.run();
    let document = launch.document();
    let error = document["Error"].as_str().unwrap_or_default();
    assert!(error.ends_with("; the last completed step was installTools"), "{document}");
    let boot = fs::read_to_string("/proc/sys/kernel/random/boot_id").expect("Linux has it");
    assert_eq!(document["BootId"], boot.trim());
    assert!(document["ExecDuration"].as_str().is_some_and(|seconds| seconds.parse::<u32>().is_ok()), "{document}");
    let (kernel, start) = (&document["KernelStartTime"], &document["CSEStartTime"]);
    assert!(kernel.is_string() && start.is_string(), "{document}");
    assert_eq!(document["BootDatapoints"], serde_json::json!({"KernelStartTime": kernel, "CSEStartTime": start}));
    let launch = Launch::new("kill -s KILL $$");
    launch.write("log/provision.log", "2020-01-31 08:15:30 ofAnEarlierAttempt: 12 ms\n");
    launch.run();
    assert!(!launch.document()["Error"].as_str().is_some_and(|error| error.contains("step")));
    // A document that it wrote after it had begun is its result.
    let launch = Launch::new(
        "mkdir -p \"$DIRECTORY/run\" \"$DIRECTORY/log/aks\"; echo {} >\"$DIRECTORY/run/started.json\"; sleep 0.05
         echo '{\"ExitCode\":\"50\"}' >\"$DIRECTORY/log/aks/provision.json\"; kill -s KILL $$",
    );
    launch.run();
    assert_eq!((launch.document()["ExitCode"].as_str(), launch.has_marker()), (Some("50"), true));
    // Its child was killed, and it has left a result that says so.
    let launch = Launch::new("mkdir -p \"$DIRECTORY/opt\"; : >\"$DIRECTORY/opt/provision.complete\"; exit 137");
    launch.run();
    assert!(launch.text("log/aks/provision.json").is_none());
}

#[test]
fn no_result_is_written_while_another_provisioner_runs() {
    let launch = Launch::new("kill -s KILL $$");
    launch.write("run/lock", "");
    let lock = fs::File::options().write(true).open(launch.path("run/lock")).expect("there");
    lock.lock().expect("locked");
    assert_eq!(launch.run().status.code(), Some(137));
    assert!(!launch.has_marker() && launch.text("log/aks/provision.json").is_none());
}

#[test]
fn a_result_that_the_disk_cannot_keep_goes_below_run() {
    let launch = Launch::new("kill -s KILL $$");
    launch.write("log", "no directory");
    launch.run();
    assert!(launch.text("run/provision.json").is_some_and(|document| document.contains("\"ExitCode\":\"240\"")));
    // Both are gone after a reboot, or neither is.
    assert!(launch.text("run/provision.complete").is_some() && !launch.has_marker());
    // Nothing can be kept anywhere, so there is no marker.
    let launch = Launch::new("kill -s KILL $$");
    launch.write("log", "no directory");
    launch.write("run", "no directory");
    launch.run();
    assert!(!launch.has_marker());
}

#[test]
fn the_preload_script_reads_what_there_is_and_never_fails() {
    let text = shipped("/provision_preload.sh");
    for with_files in [false, true] {
        let scratch = Scratch::new("preload");
        let root = scratch.display().to_string();
        fs::write(
            scratch.join("script"),
            text.replace("/opt/", &format!("{root}/opt/")).replace("/usr/", &format!("{root}/usr/")),
        )
        .expect("written");
        if with_files {
            fs::create_dir_all(scratch.join("opt/azure/containers/a directory.sh")).expect("created");
            fs::write(scratch.join("opt/azure/containers/aks-node-controller"), "a program").expect("written");
            fs::create_dir_all(scratch.join("opt/bin")).expect("created");
            fs::write(scratch.join("opt/bin/kubelet"), "a program").expect("written");
            fs::set_permissions(scratch.join("opt/bin/kubelet"), fs::Permissions::from_mode(0o000)).expect("set");
        }
        let ended = finish(Command::new("/bin/bash").arg(scratch.join("script")));
        assert!(ended.status.success() && ended.stdout.is_empty() && ended.stderr.is_empty(), "{ended:?}");
    }
}
