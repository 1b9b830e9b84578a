//! The launcher, in bash, with a stand-in for the controller.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::Value;

/// A script of the node as an image gets it.
fn shipped(name: &str) -> PathBuf {
    static IMAGE: LazyLock<PathBuf> = LazyLock::new(|| {
        let image = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("launcher-image");
        fs::create_dir_all(&image).expect("made");
        let mut bake = Command::new(env!("CARGO_BIN_EXE_aks-node-controller"));
        let baked =
            bake.args(["bake", "--os", "ubuntu", "--root"]).arg(&image).output().expect("cargo built the program");
        assert!(baked.status.success(), "{}", String::from_utf8_lossy(&baked.stderr));
        image.join("opt/azure/containers")
    });
    IMAGE.join(name)
}

/// A folder with everything that the launcher looks at. The stand-in writes down how it was called.
struct Launch {
    folder: PathBuf,
}

impl Drop for Launch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

impl Launch {
    fn new(controller: &str) -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let launch = Self { folder: std::env::temp_dir().join(format!("launch-{}-{number}", std::process::id())) };
        launch.program("controller", &format!("printf '%s\\n' \"$@\" >\"$FOLDER/called\"\n{controller}"));
        launch.program("bin/hostname", "cat \"$FOLDER/own-name\"");
        launch.program("bin/logger", "printf '%s\\n' \"$*\" >>\"$FOLDER/journal\"");
        launch.write("own-name", "node-1");
        launch.write("hostname", "node-1\n");
        launch.write("config.json", "{}");
        launch
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        fs::write(path, text).expect("written");
    }

    fn program(&self, name: &str, text: &str) {
        self.write(name, &format!("#!/bin/bash\n{text}\n"));
        fs::set_permissions(self.path(name), fs::Permissions::from_mode(0o755)).expect("set");
    }

    fn text(&self, name: &str) -> Option<String> {
        fs::read_to_string(self.path(name)).ok()
    }

    fn command(&self) -> Command {
        let mut command = Command::new("/bin/bash");
        command.arg(shipped("aks-node-controller-launcher.sh"));
        let path = std::env::var("PATH").unwrap_or_default();
        command.env("PATH", format!("{}:{path}", self.path("bin").display())).env("FOLDER", &self.folder);
        for (variable, name) in [
            ("BIN_PATH", "controller"),
            ("CONFIG_PATH", "config.json"),
            ("NBC_CMD_PATH", "nbc-cmd.sh"),
            ("FEATURES_PATH", "features"),
            ("HOSTNAME_PATH", "hostname"),
            ("RESULT_PATH", "log/aks/provision.json"),
            ("MARKER_PATH", "opt/provision.complete"),
            ("RUN_PATH", "run"),
        ] {
            command.env(variable, self.path(name));
        }
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    fn run(&self) -> Output {
        self.command().output().expect("bash runs")
    }

    fn until(&self, name: &str) {
        let end = Instant::now() + Duration::from_secs(20);
        while !self.path(name).exists() {
            assert!(Instant::now() < end, "{name} never came");
            sleep(Duration::from_millis(10));
        }
    }

    fn document(&self) -> Value {
        serde_json::from_str(&self.text("log/aks/provision.json").expect("a document")).expect("JSON")
    }

    fn has_marker(&self) -> bool {
        self.path("opt/provision.complete").exists()
    }
}

fn send(signal: &str, child: &Child) {
    assert!(
        Command::new("kill").args(["-s", signal, &child.id().to_string()]).status().expect("`kill` is there").success()
    );
}

#[test]
fn t_17_11_each_input_becomes_an_argument_in_its_order() {
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
fn t_17_11_without_any_input_nothing_is_done() {
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
fn t_17_11_the_exit_code_is_the_controllers() {
    for code in [0, 1, 50, 143, 255] {
        let launch = Launch::new(&format!("exit {code}"));
        assert_eq!(launch.run().status.code(), Some(code));
        assert!(!launch.has_marker(), "the controller speaks for itself");
    }
}

#[test]
fn req_lau_1_r_31_a_host_name_that_never_comes_costs_a_bounded_time() {
    let launch = Launch::new("exit 0");
    launch.write("own-name", "localhost");
    let began = Instant::now();
    let ended = launch.command().env("HOSTNAME_LIMIT", "2").output().expect("bash runs");
    assert_eq!((ended.status.code(), launch.path("called").exists()), (Some(0), true));
    assert!(String::from_utf8_lossy(&ended.stdout).contains("warning: the host name differs from"));
    assert!(began.elapsed() >= Duration::from_secs(2));
    // One that comes is waited for.
    let launch = Launch::new("exit 0");
    launch.write("own-name", "localhost");
    let child = launch.command().spawn().expect("bash runs");
    sleep(Duration::from_millis(500));
    assert!(!launch.path("called").exists());
    launch.write("own-name", "node-1");
    assert!(child.wait_with_output().expect("it ends").status.success() && launch.path("called").exists());
    // Without a file there is nothing to wait for.
    let launch = Launch::new("exit 0");
    fs::remove_file(launch.path("hostname")).expect("removed");
    assert!(launch.run().status.success() && launch.path("called").exists());
}

#[test]
fn req_lau_2_r_10_requests_to_end_reach_the_controller_and_are_waited_for() {
    for (signal, code, controller) in [("TERM", 143, ENDS_ON_TERM), ("INT", 130, ENDS_ON_INT)] {
        let launch = Launch::new(controller);
        let child = launch.command().spawn().expect("bash runs");
        launch.until("ready");
        send(signal, &child);
        let ended = child.wait_with_output().expect("it ends");
        assert_eq!(ended.status.code(), Some(code), "{ended:?}");
        assert_eq!(launch.text("got").as_deref().map(str::trim), Some(signal));
        assert!(!launch.has_marker(), "the controller speaks for itself");
    }
}

const ENDS_ON_TERM: &str = r#"
trap 'sleep 0.5; echo TERM >"$FOLDER/got"; exit 143' TERM
touch "$FOLDER/ready"
while :; do sleep 0.1; done"#;

/// bash starts what runs in the background with INT ignored, and cannot trap it then. The controller can.
const ENDS_ON_INT: &str = r#"exec /usr/bin/python3 -c '
import os, signal, sys, time
folder = os.environ["FOLDER"]
def end(*_):
    time.sleep(0.5)
    open(folder + "/got", "w").write("INT")
    sys.exit(130)
signal.signal(signal.SIGINT, end)
open(folder + "/ready", "w")
while True: time.sleep(0.1)
'"#;

#[test]
fn req_lau_4_r_32_features_are_taken_from_a_list_and_never_run() {
    let launch = Launch::new("env >\"$FOLDER/environment\"; exit 0");
    launch.write(
        "features",
        "# a comment\n\nPATH=/nowhere\nLD_PRELOAD=/evil.so\nBASH_ENV=/evil.sh\ntouch $FOLDER/ran\n$(touch $FOLDER/ran)\n\
         X=`touch $FOLDER/ran`\nENABLE_PROVISIONING_HOTFIX=$(touch $FOLDER/ran)",
    );
    let ended = launch.run();
    assert_eq!(ended.status.code(), Some(0), "{ended:?}");
    let environment = launch.text("environment").expect("it ran");
    assert!(
        environment.contains("\nENABLE_PROVISIONING_HOTFIX=$(touch $FOLDER/ran)\n"),
        "the last line has no line feed"
    );
    for line in environment.lines() {
        assert!(
            !["LD_PRELOAD=", "BASH_ENV=", "X=", "PATH=/nowhere"].iter().any(|name| line.starts_with(name)),
            "{line}"
        );
    }
    assert!(!launch.path("ran").exists());
}

#[test]
fn req_lau_5_a_controller_that_cannot_be_run_leaves_a_result_all_the_same() {
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
fn req_lau_5_r_09_a_controller_that_was_killed_leaves_a_result_all_the_same() {
    for (signal, number) in [("KILL", 9), ("SEGV", 11), ("ABRT", 6), ("BUS", 7)] {
        let launch = Launch::new(&format!("kill -s {signal} $$"));
        assert_eq!(launch.run().status.code(), Some(128 + number));
        assert_eq!((launch.document()["ExitCode"].as_str(), launch.has_marker()), (Some("240"), true));
        assert!(launch.document()["Error"].as_str().is_some_and(|error| error.contains(&format!("signal {number} "))));
    }
    // What it wrote after it had begun is its word.
    let launch = Launch::new(
        "mkdir -p \"$FOLDER/run\" \"$FOLDER/log/aks\"; echo {} >\"$FOLDER/run/started.json\"; sleep 0.05
         echo '{\"ExitCode\":\"50\"}' >\"$FOLDER/log/aks/provision.json\"; kill -s KILL $$",
    );
    launch.run();
    assert_eq!((launch.document()["ExitCode"].as_str(), launch.has_marker()), (Some("50"), true));
    // Its child was killed, and it has said so.
    let launch = Launch::new("mkdir -p \"$FOLDER/opt\"; : >\"$FOLDER/opt/provision.complete\"; exit 137");
    launch.run();
    assert!(launch.text("log/aks/provision.json").is_none());
}

#[test]
fn req_lau_5_r_21_another_provisioner_at_work_speaks_for_itself() {
    let launch = Launch::new("kill -s KILL $$");
    launch.write("run/lock", "");
    let lock = fs::File::options().write(true).open(launch.path("run/lock")).expect("there");
    lock.lock().expect("locked");
    assert_eq!(launch.run().status.code(), Some(137));
    assert!(!launch.has_marker() && launch.text("log/aks/provision.json").is_none());
}

#[test]
fn req_lau_5_r_11_a_result_that_the_disk_does_not_take_goes_below_run() {
    let launch = Launch::new("kill -s KILL $$");
    launch.write("log", "no folder");
    launch.run();
    assert!(launch.text("run/provision.json").is_some_and(|document| document.contains("\"ExitCode\":\"240\"")));
    assert!(launch.has_marker());
    // Nothing can be kept anywhere, so nothing is said to be complete.
    let launch = Launch::new("kill -s KILL $$");
    launch.write("log", "no folder");
    launch.write("run", "no folder");
    launch.run();
    assert!(!launch.has_marker());
}

#[test]
fn the_preload_script_never_fails() {
    let ended = Command::new("/bin/bash").arg(shipped("provision_preload.sh")).output().expect("bash runs");
    assert!(ended.status.success() && ended.stdout.is_empty() && ended.stderr.is_empty(), "{ended:?}");
}
