//! The provisioner is killed, at random and at every system call by which it changes something. Every waiter has to
//! return the truth.

use std::collections::HashMap;
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, sleep};
use std::time::Duration;

use serde_json::Value;

use super::harness::{Node, PROGRAM, text};
use crate::support::{Running, needs};

/// Kills that are under way at once. Each mostly waits for the waiters to be certain.
const AT_ONCE: usize = 32;

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
    format!("echo working; sleep 0.0{}; {end}", number % 10)
}

/// The exit code of such a script in a document.
fn own_code(number: usize) -> &'static str {
    ["0", "50", "52"][number % 3]
}

/// Looks at the document again and again: it is absent or complete, and never absent beside a marker.
struct Observer {
    stop: Arc<AtomicBool>,
    thread: Option<thread::JoinHandle<Vec<String>>>,
}

impl Observer {
    fn new(root: PathBuf) -> Self {
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = Arc::clone(&stop);
        let thread = thread::spawn(move || {
            let mut seen = Vec::new();
            while !stopped.load(Ordering::Relaxed) {
                let marker = root.join("opt/azure/containers/provision.complete").exists();
                match fs::read(root.join("var/log/azure/aks/provision.json")) {
                    Ok(bytes) if serde_json::from_slice::<Value>(&bytes).is_err() => {
                        seen.push(format!("an incomplete document: {}", String::from_utf8_lossy(&bytes)));
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

    /// Stops and returns what was wrong.
    fn saw(&mut self) -> Vec<String> {
        self.stop.store(true, Ordering::Relaxed);
        self.thread.take().map(|thread| thread.join().expect("it only reads")).unwrap_or_default()
    }
}

/// Whether the provisioner of a node has begun its work.
fn has_begun(node: &Node) -> bool {
    node.exists("run/aks-node-controller/lock")
}

/// What happened to a provisioner.
#[derive(Clone, Copy)]
struct Killed {
    /// It had begun its work.
    began: bool,
    /// It was killed before it ended by itself.
    killed: bool,
}

/// Starts a provisioner with `command`, kills it with `kill`, and checks what the waiters return.
fn one(number: usize, command: impl Fn(&Node) -> Command, kill: impl Fn(&Node, &Running)) -> Result<Killed, String> {
    let node = Node::new(&start_script(number));
    let mut observer = Observer::new(node.root.to_path_buf());
    let early = node.start(&["provision-wait", "--timeout", "100s"]);
    let mut provisioner = Running::start_silent(&mut command(&node));
    kill(&node, &provisioner);
    let killed = provisioner.status().signal() == Some(9);
    let began = has_begun(&node);
    let result = if began {
        let late = node.start(&["provision-wait", "--timeout", "100s"]);
        [("early", early), ("late", late)].into_iter().try_for_each(|(which, waiter)| {
            let waited = waiter.end();
            let printed = text(&waited.stdout);
            let document: Value =
                serde_json::from_str(&printed).map_err(|error| format!("{which}: {printed:?}: {error}"))?;
            let code = document["ExitCode"].as_str().unwrap_or_default().to_owned();
            // Its own timeout would be another text.
            let killed = document["Error"].as_str().is_some_and(|error| error.contains("was killed"));
            if !(code == own_code(number) || code == "240" && killed) {
                return Err(format!("the {which} waiter printed {printed}"));
            }
            if waited.status.code().map(|code| code.to_string()) != Some(code) {
                return Err(format!("the {which} waiter ended with {}, and printed {printed}", waited.status));
            }
            Ok(())
        })
    } else {
        Ok(())
    };
    let seen = observer.saw();
    result?;
    seen.first().map_or(Ok(Killed { began, killed }), |seen| Err(seen.clone()))
}

/// Runs many, several at once. Returns how many had begun and how many were killed.
fn many(count: usize, run: impl Fn(usize) -> Result<Killed, String> + Sync) -> (usize, usize) {
    let (next, results) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= count {
                        break;
                    }
                    let result = run(number).map_err(|failure| format!("{number}: {failure}"));
                    results.lock().expect("nobody panics with it").push(result);
                }
            });
        }
    });
    let results = results.into_inner().expect("nobody panics with it");
    let failures: Vec<_> = results.iter().filter_map(|result| result.as_ref().err()).map(String::as_str).collect();
    assert!(failures.is_empty(), "{} of {count}:\n{}", failures.len(), failures.join("\n"));
    let count = |is_so: fn(&Killed) -> bool| results.iter().flatten().filter(|killed| is_so(killed)).count();
    (count(|killed| killed.began), count(|killed| killed.killed))
}

#[test]
fn waiters_return_the_truth_after_a_kill_at_any_moment() {
    let kills = std::env::var("KILLS").ok().and_then(|kills| kills.parse().ok()).unwrap_or(350);
    let (began, _) = many(kills, |number| {
        one(number, Node::provision_command, |node, provisioner| {
            // Most after the beginning, the others from the very start, each at a moment of its own.
            if number % 4 != 0 {
                node.until("the provisioner has begun", has_begun);
            }
            sleep(Duration::from_micros(number as u64 * 7919 % 120_000));
            provisioner.signal("KILL");
        })
    });
    eprintln!("{kills} kills, {began} of them after the attempt had begun");
    assert!(began > kills / 2, "only {began} of {kills} had begun");
}

#[test]
fn waiters_return_the_truth_after_a_kill_at_every_step() {
    if !needs::command("strace", &["-o", "/dev/null", "true"], "strace") {
        return;
    }
    let traced = |node: &Node, options: &[&str]| {
        let mut command = Command::new("strace");
        command.args(["-o", "/dev/null"]).args(options).arg(PROGRAM);
        command.args(["provision", "--provision-config", &node.configuration(), "--root"]).arg(&*node.root);
        node.prepare(&mut command);
        command
    };
    // The steps, each as a call and how often it was made before.
    let node = Node::new(&start_script(0));
    let log = node.path("trace").display().to_string();
    let mut tracing = traced(&node, &["-o", &log, "-e", &format!("trace={CALLS}")]);
    assert_eq!(Running::start_silent(&mut tracing).status().code(), Some(0));
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
        // The calls before the log is opened are those of the dynamic linker.
        if line.contains("aks-node-controller.log") || !steps.is_empty() {
            steps.push((call, *times));
        }
    }
    // Three kinds of scripts. The calls are those of the first, so some are not reached with the others.
    let (began, killed) = many(steps.len() * 3, |number| {
        let (call, times) = steps[number / 3];
        let inject = format!("inject={call}:signal=KILL:when={times}");
        one(number, |node| traced(node, &["-e", &inject]), |_, _| {})
    });
    eprintln!("{} steps, {killed} kills, {began} of them after the attempt had begun", steps.len());
    assert!(steps.len() > 60 && killed > steps.len() * 2 && began > steps.len(), "{trace}");
}
