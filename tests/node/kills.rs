//! The provisioner is killed, at random and at every system call by which it changes something. Whoever waits has to
//! learn the truth.

use std::collections::HashMap;
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{self, sleep};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::harness::{Node, PROGRAM, Running, can, send};

/// How long a waiter may take to notice that a provisioner is dead, and as long again to end.
const NOTICED_AND_ENDED: Duration = Duration::from_secs(4);

/// Kills that are under way at once, so that the machine has something to do.
const AT_ONCE: usize = 12;

/// System calls with which the provisioner changes the disk or a process.
const CALLS: &str =
    "openat,mkdir,flock,fallocate,write,fsync,ftruncate,rename,link,unlink,fchmod,pipe2,clone3,vfork,kill,exit_group";

/// The start script of these nodes: a little output, then one of the ends that a script can have.
fn start_script(number: usize) -> String {
    let end = match number % 3 {
        0 => "exit 0".to_owned(),
        1 => "exit 50".to_owned(),
        // A result of its own, by the same protocol.
        _ => "mkdir -p $ROOT/var/log/azure/aks && cd $ROOT/var/log/azure/aks && echo '{\"ExitCode\":\"52\",\"Error\":\"own\"}' >.p && sync .p \
              && mv .p provision.json && : >$ROOT/opt/azure/containers/provision.complete; exit 52"
            .to_owned(),
    };
    format!("echo $$ >$ROOT/child; echo working; sleep 0.0{}; {end}", number % 10)
}

/// What the end of such a script is called in a document.
fn own_code(number: usize) -> &'static str {
    ["0", "50", "52"][number % 3]
}

/// Looks at the document again and again until told to stop: it is absent or whole, and never before a marker.
struct Observer {
    stop: std::sync::Arc<AtomicUsize>,
    thread: Option<thread::JoinHandle<Vec<String>>>,
}

impl Observer {
    fn new(root: PathBuf) -> Self {
        let stop = std::sync::Arc::new(AtomicUsize::new(0));
        let stopped = std::sync::Arc::clone(&stop);
        let thread = thread::spawn(move || {
            let mut seen = Vec::new();
            while stopped.load(Ordering::Relaxed) == 0 {
                let marker = root.join("opt/azure/containers/provision.complete").exists();
                match fs::read(root.join("var/log/azure/aks/provision.json")) {
                    Ok(bytes) if serde_json::from_slice::<Value>(&bytes).is_err() => {
                        seen.push(format!("half a document: {}", String::from_utf8_lossy(&bytes)));
                    }
                    Err(_) if marker => seen.push("a marker without a document".to_owned()),
                    _ => {}
                }
                sleep(Duration::from_millis(2));
            }
            seen
        });
        Self { stop, thread: Some(thread) }
    }

    fn saw(&mut self) -> Vec<String> {
        self.stop.store(1, Ordering::Relaxed);
        self.thread.take().map(|thread| thread.join().expect("it only looks")).unwrap_or_default()
    }
}

/// Starts a provisioner with `command`, kills it with `kill`, and asks the waiters. Whether it had begun to be one.
fn one(number: usize, start: impl Fn(&Node) -> Command, kill: impl Fn(&mut Running)) -> Result<bool, String> {
    let node = Node::new(&start_script(number));
    let mut observer = Observer::new(node.root.clone());
    let early = node.start(&["provision-wait", "--timeout", "30s"]);
    let mut provisioner = Running(start(&node).spawn().map_err(|error| error.to_string())?);
    kill(&mut provisioner);
    let _ = provisioner.0.wait();
    let killed = Instant::now();
    let began = node.exists("run/aks-node-controller/lock");
    let result = if began {
        let late = node.start(&["provision-wait", "--timeout", "30s"]);
        [("early", early), ("late", late)].into_iter().try_for_each(|(which, waiter)| {
            let (status, printed, _) = waiter.end();
            let took = killed.elapsed();
            let document: Value =
                serde_json::from_str(&printed).map_err(|error| format!("{which}: {printed:?}: {error}"))?;
            let code = document["ExitCode"].as_str().unwrap_or_default().to_owned();
            let killed = document["Error"].as_str().is_some_and(|error| error.contains("it was killed"));
            if !(code == own_code(number) || code == "240" && killed) {
                return Err(format!("{which} was told {printed}"));
            }
            if status.code().map(|code| code.to_string()) != Some(code) {
                return Err(format!("{which} ended with {status}, and was told {printed}"));
            }
            if took > NOTICED_AND_ENDED + Duration::from_secs(2) {
                return Err(format!("{which} needed {took:?}"));
            }
            Ok(())
        })
    } else {
        Ok(())
    };
    let seen = observer.saw();
    if let Some(child) = fs::read_to_string(node.path("child")).ok().filter(|child| !child.trim().is_empty()) {
        send("KILL", child.trim());
    }
    result?;
    seen.first().map_or(Ok(began), |seen| Err(seen.clone()))
}

/// Runs many, several at once.
fn many(numbers: usize, run: impl Fn(usize) -> Result<bool, String> + Sync) -> usize {
    let (next, began) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let failures = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= numbers {
                        break;
                    }
                    match run(number) {
                        Ok(true) => drop(began.fetch_add(1, Ordering::Relaxed)),
                        Ok(false) => {}
                        Err(failure) => failures.lock().expect("nobody panics").push(format!("{number}: {failure}")),
                    }
                }
            });
        }
    });
    let failures = failures.into_inner().expect("nobody panics");
    assert!(failures.is_empty(), "{} of {numbers}:\n{}", failures.len(), failures.join("\n"));
    began.into_inner()
}

fn quietly(mut command: Command) -> Command {
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

#[test]
fn r_09_req_wait_5_killed_at_any_moment_whoever_waits_learns_the_truth() {
    let kills = std::env::var("KILLS").ok().and_then(|kills| kills.parse().ok()).unwrap_or(350);
    let began = many(kills, |number| {
        one(
            number,
            |node| quietly(node.command(&["provision", "--provision-config", &node.configuration()])),
            // Moments that do not repeat, over the life of an attempt.
            |provisioner| {
                sleep(Duration::from_micros(number as u64 * 7919 % 150_000));
                provisioner.signal("KILL");
            },
        )
    });
    eprintln!("{kills} kills, {began} of them after the attempt had begun");
    assert!(began > kills / 2, "only {began} of {kills} had begun");
}

#[test]
fn r_09_req_wait_5_killed_at_every_step_whoever_waits_learns_the_truth() {
    if !can(&["strace"]) {
        return;
    }
    let traced = |node: &Node, options: &[&str]| {
        let mut command = Command::new("strace");
        command.args(["-o", "/dev/null"]).args(options).arg(PROGRAM);
        command.args(["provision", "--provision-config", &node.configuration(), "--root"]).arg(&node.root);
        quietly(command)
    };
    // Which steps there are, each as a call and how often it was made before.
    let node = Node::new(&start_script(0));
    let log = node.path("trace").display().to_string();
    let ended = traced(&node, &["-o", &log, "-e", &format!("trace={CALLS}")]).status().expect("`strace` is there");
    assert_eq!(ended.code(), Some(0));
    let trace = node.text("trace");
    let mut made = HashMap::new();
    let mut steps = Vec::new();
    for line in trace.lines() {
        let Some((call, _)) = line.split_once('(').filter(|(call, _)| CALLS.split(',').any(|known| known == *call))
        else {
            continue;
        };
        let times: &mut usize = made.entry(call).or_default();
        *times += 1;
        // What comes before its log is the dynamic linker's.
        if line.contains("aks-node-controller.log") || !steps.is_empty() {
            steps.push((call, *times));
        }
    }
    let killed = AtomicUsize::new(0);
    // Three kinds of scripts; the first does not say how the others go on, so some steps are not reached by them.
    let began = many(steps.len() * 3, |number| {
        let (call, times) = steps[number / 3];
        let inject = format!("inject={call}:signal=KILL:when={times}");
        one(
            number,
            |node| traced(node, &["-e", &inject]),
            |provisioner| {
                let ended = provisioner.0.wait().expect("it ends");
                if ended.signal() == Some(9) {
                    killed.fetch_add(1, Ordering::Relaxed);
                }
            },
        )
    });
    let killed = killed.into_inner();
    eprintln!("{} steps, {killed} kills, {began} of them after the attempt had begun", steps.len());
    assert!(steps.len() > 60 && killed > steps.len() * 2 && began > steps.len(), "{trace}");
}
