//! Real shells run the scripts of route `node-bootstrap-variables`, ours and Karpenter's, where they can do no harm: in a mount
//! namespace with an image's directories of its own. The start script must receive what `env` prints, and nothing in a value may
//! run.

pub mod arbitrary;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use aks_node_controller::configuration::Configuration;
use aks_node_controller::delivery::{Request, Route};
use aks_node_controller::environment::{Environment, ImageContents};
use aks_node_controller::inputs::NodeInput;
use aks_node_controller::inputs::karpenter::BootstrapInputs;
use serde_json::Value;

use crate::support::{Scratch, needs};

/// What a shell sets by itself, and the loop variable of the prologue.
const BY_THE_SHELL: [&str; 6] = ["PATH", "PWD", "OLDPWD", "SHLVL", "_", "i"];

/// Runs whole scripts, in every shell; see the file for what it puts in place.
const WHOLE: &str = "run_scripts.sh";

/// Runs only their assignments, which costs a fraction.
const ASSIGNMENTS: &str = "run_assignments.sh";

/// A script and the environment that its start script shall receive.
struct Case {
    name: String,
    script: String,
    expected: BTreeMap<String, String>,
    /// Whether the script has the cloud initialisation step.
    initialises: bool,
}

impl Case {
    fn of_configuration(name: String, configuration: &Configuration, facts: &ImageContents) -> Self {
        let environment = Environment::new(configuration, facts);
        let script = environment.script().unwrap_or_else(|error| panic!("{name}: {error}"));
        let expected = owned(&environment);
        Self { name, script, expected, initialises: true }
    }

    /// The assignments of the scripted route's one line, as a script that the runner of assignments takes apart.
    fn of_line(name: String, configuration: &Configuration) -> Self {
        let request = Request { route: Route::Scripted, ..Request::default() };
        let delivery = request.render(configuration).unwrap_or_else(|error| panic!("{name}: {error}"));
        let line = delivery.cse.expect("the route has a command").into_exposed();
        let from = line.find(" ADMINUSER=").expect("the assignments begin");
        let to = line.rfind("/usr/bin/nohup ").expect("the last command");
        // The line has variables of its own besides those of the environment, and lacks a few; each that it sets has
        // to arrive with the environment's value.
        let environment = Environment::new(configuration, &request.image);
        let mut expected = owned(&environment);
        let assigned = |name: &str| line[from..to].contains(&format!(" {name}="));
        expected.retain(|name, _| assigned(name));
        for (name, value) in ONLY_ON_THE_LINE {
            expected.insert(name.to_owned(), value.to_owned());
        }
        Self { name, script: format!("\ndone;\n{}\n", &line[from..to]), expected, initialises: false }
    }

    fn of_karpenter(name: String, inputs: &BootstrapInputs) -> Self {
        let layers = Request::default().layers(inputs).unwrap_or_else(|error| panic!("{name}: {error}"));
        let script = layers.into_iter().find(|layer| layer.name == "bootstrap.sh").expect("the script is a layer");
        let script = script.text.into_exposed().into_owned();
        let image = ImageContents::default();
        let expected = owned(&inputs.assignments(&image).expect("the script was rendered"));
        Self { name, script, expected, initialises: false }
    }
}

/// Variables that only the scripted route's line has, and their values for a Configuration.
const ONLY_ON_THE_LINE: [(&str, &str); 3] =
    [("BLOCK_OUTBOUND_NETWORK", "false"), ("HYPERKUBE_URL", ""), ("MCR_REPOSITORY_BASE", "mcr.microsoft.com/")];

/// Names and values in clear.
fn owned(environment: &Environment<'_>) -> BTreeMap<String, String> {
    let pairs = environment.pairs().expect("every value can be passed on");
    pairs.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
}

/// Runs the scripts of all cases on all cores at once, and compares what the start scripts received.
fn run(cases: &[Case], runner: &str) {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let share = cases.len().div_ceil(cores);
    std::thread::scope(|scope| {
        for cases in cases.chunks(share) {
            scope.spawn(move || run_share(cases, runner));
        }
    });
}

fn run_share(cases: &[Case], runner: &str) {
    let directory = Scratch::new("shells");
    for (at, case) in cases.iter().enumerate() {
        let script = if runner == WHOLE { case.script.clone() } else { assignments(&case.script) };
        fs::write(directory.join(format!("{at}.sh")), script).expect("scratch is writable");
    }
    let ended = Command::new("unshare")
        .env_clear()
        .envs(std::env::var_os("PATH").map(|path| ("PATH", path)))
        .args(["--mount", "/bin/bash"])
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/shells").join(runner))
        .arg(&*directory)
        // Where a value did become a redirection, its file shall lie here and nowhere else.
        .current_dir(&*directory)
        .output()
        .expect("`unshare` is there (package util-linux)");
    assert!(ended.status.success(), "the runner failed: {}", String::from_utf8_lossy(&ended.stderr));
    for (at, case) in cases.iter().enumerate() {
        for shell in ["bash", "dash"] {
            let place = format!("{} in {shell}", case.name);
            let left = |what: &str| directory.join(format!("{at}.{shell}.{what}"));
            let status = fs::read_to_string(left("status")).expect("a status");
            assert_eq!(status.trim(), "0", "{place}: exit status");
            assert!(!left("canary").exists(), "{place}: a value was run as a command");
            assert_eq!(left("initialised").exists(), case.initialises, "{place}: cloud initialisation");
            let received = fs::read(left("environment")).expect("an environment");
            compare(&place, &received, &case.expected);
        }
    }
}

/// What stands between the prologue's last line and the start script, and then the environment to descriptor 3.
fn assignments(script: &str) -> String {
    let (_, rest) = script.split_once("\ndone;\n").expect("the prologue ends");
    let mut part = String::from("set -o allexport\n");
    for line in rest.split_inclusive('\n').take_while(|line| !line.starts_with("/usr/bin/nohup ")) {
        part.push_str(line);
    }
    part + "env -0 >&3\n"
}

fn compare(place: &str, received: &[u8], expected: &BTreeMap<String, String>) {
    let received = std::str::from_utf8(received).unwrap_or_else(|_| panic!("{place}: not UTF-8"));
    let mut received: BTreeMap<_, _> =
        received.split_terminator('\0').filter_map(|pair| pair.split_once('=')).collect();
    received.retain(|name, _| !BY_THE_SHELL.contains(name));
    for (name, value) in expected {
        assert_eq!(received.remove(name.as_str()), Some(value.as_str()), "{place}: {name}");
    }
    assert!(received.is_empty(), "{place}: too much: {received:?}");
}

/// The vectors of a directory. `None` if they are not there, or if no mount namespace can be created.
fn vectors(directory: &str) -> Option<Vec<Value>> {
    let directory = needs::root().then(|| needs::vectors(directory)).flatten()?;
    let files =
        directory.read_dir().expect("a readable directory").map(|entry| entry.expect("a readable entry").path());
    let vectors = files.filter(|file| file.extension().is_some_and(|extension| extension == "json"));
    let read = |file: PathBuf| fs::read_to_string(file).expect("a readable vector");
    Some(vectors.map(|file| serde_json::from_str(&read(file)).expect("a vector is JSON")).collect())
}

/// How many hostile documents are tried; an environment variable says otherwise.
fn count(variable: &str, otherwise: usize) -> usize {
    std::env::var(variable).ok().and_then(|count| count.parse().ok()).unwrap_or(otherwise)
}

#[test]
fn the_start_script_receives_the_environment_of_every_vector() {
    let Some(vectors) = vectors("scriptless") else { return };
    let mut cases = Vec::new();
    for vector in vectors {
        let text = vector["config_text"].as_str().map_or_else(|| vector["config"].to_string(), str::to_owned);
        let Ok(decoded) = Configuration::from_document(text.as_bytes()) else { continue };
        let containerd_version = vector["containerd_version"].as_str().expect("a text").to_owned();
        let facts = ImageContents { containerd_version, ..ImageContents::default() };
        // Some have texts that end a line or a word of a file.
        if Environment::new(&decoded.configuration, &facts).pairs().is_err() {
            continue;
        }
        let name = vector["name"].as_str().expect("a text").to_owned();
        cases.push(Case::of_configuration(name, &decoded.configuration, &facts));
    }
    assert!(cases.len() > 100, "only {} vectors", cases.len());
    run(&cases, WHOLE);
}

#[test]
fn hostile_text_reaches_the_start_script_and_nothing_else() {
    if !needs::root() {
        return;
    }
    let count = count("HOSTILE_CASES", 200);
    let mut source = arbitrary::Source::new();
    let cases = (0..count).map(|at| {
        let containerd_version = if at % 2 == 0 { "1.7.22" } else { "2.1.4" }.to_owned();
        let facts = ImageContents { containerd_version, ..ImageContents::default() };
        Case::of_configuration(format!("hostile-{at}"), &source.representable(), &facts)
    });
    run(&cases.collect::<Vec<_>>(), WHOLE);
    eprintln!("{count} hostile configurations in bash and dash");
}

#[test]
fn the_scripted_routes_line_gives_back_every_hostile_value() {
    if !needs::root() {
        return;
    }
    let count = count("HOSTILE_CASES", 200);
    let mut source = arbitrary::Source::new();
    let cases = (0..count).map(|at| Case::of_line(format!("line-{at}"), &source.representable()));
    run(&cases.collect::<Vec<_>>(), ASSIGNMENTS);
    eprintln!("{count} hostile lines in bash and dash");
}

#[test]
fn karpenters_script_hands_over_every_vector() {
    let Some(vectors) = vectors("node-bootstrap-variables") else { return };
    let mut cases = Vec::new();
    for vector in vectors.iter().filter(|vector| vector["expect"].get("error").is_none()) {
        let (inputs, _) =
            BootstrapInputs::from_document(vector["input"].to_string().as_bytes()).expect("a vector decodes");
        cases.push(Case::of_karpenter(vector["name"].as_str().expect("a text").to_owned(), &inputs));
    }
    assert!(cases.len() > 50, "only {} vectors", cases.len());
    run(&cases, WHOLE);
}

#[test]
fn karpenters_script_gives_back_every_hostile_value() {
    if !needs::root() {
        return;
    }
    let count = count("HOSTILE_INPUTS", 500);
    let mut source = arbitrary::Source::new();
    let mut left = count;
    while left > 0 {
        // In portions, so that scratch does not fill with scripts.
        let portion = left.min(2000);
        let cases = (0..portion).map(|at| Case::of_karpenter(format!("inputs-{left}-{at}"), &source.inputs()));
        let cases = cases.collect::<Vec<_>>();
        run(&cases, ASSIGNMENTS);
        run(&cases[..portion.min(50)], WHOLE);
        left -= portion;
    }
    eprintln!("{count} hostile inputs in bash and dash");
}

#[test]
fn an_image_that_never_gets_ready_ends_with_100() {
    if !needs::root() {
        return;
    }
    let inputs = arbitrary::Source::new().inputs();
    let directory = Scratch::new("shells");
    let script = directory.join("script.sh");
    fs::write(&script, Case::of_karpenter(String::new(), &inputs).script).expect("scratch is writable");
    let ended = Command::new("unshare")
        .args(["--mount", "/bin/bash"])
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/shells/run_without_end_mark.sh"))
        .arg(&script)
        .output()
        .expect("`unshare` is there (package util-linux)");
    let said = String::from_utf8_lossy(&ended.stdout);
    // 1200 looks and a second after each but the last.
    assert_eq!(said.trim(), "status 100, slept 1199 times, started no", "{}", String::from_utf8_lossy(&ended.stderr));
}
