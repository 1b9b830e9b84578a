//! How long rendering takes, in floors: one floor is one `STANDARD.encode` of 48 KiB in the same run, allocation
//! included. `cargo bench` prints the ratios; nothing here passes or fails.

#![expect(clippy::print_stdout, reason = "a benchmark's result is what it prints")]
#![expect(clippy::cast_precision_loss, reason = "sizes and counts here are small")]

use std::fmt::Write as _;
use std::hint::black_box;
use std::io::Write as _;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use aks_node_controller::configuration::Configuration;
use aks_node_controller::delivery::{Compression, Request, Route, bootstrap_command};
use aks_node_controller::environment::{Environment, ImageContents};
use aks_node_controller::inputs::karpenter::BootstrapInputs;
use aks_node_controller::inputs::nbc::Nbc;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;

/// A document of about 3.5 KB, as most nodes have.
const DOCUMENT: &str = include_str!("document.json");

/// What Karpenter has for a node.
const INPUTS: &str = include_str!("inputs.yaml");

/// What AKS's own services have for a node.
const REQUEST: &str = include_str!("../testdata/nbc/ubuntu.json");

/// Rounds of every measurement; the best counts, for noise only adds.
const ROUNDS: usize = 30;

fn main() {
    let block = vec![0xa5; 48 * 1024];
    let floor = best(|| STANDARD.encode(black_box(&block)));
    println!("floor: STANDARD.encode of 48 KiB takes {floor:.1?}");
    println!("document of {} bytes, decoding included, in floors:", DOCUMENT.len());

    let facts = ImageContents { containerd_version: "1.7.22".to_owned(), ..ImageContents::default() };
    let decode =
        |text: &str| Configuration::from_document(text.as_bytes()).expect("the document decodes").configuration;
    let show = |what: &str, target: &str, time: Duration| {
        println!("  {what:<44} {:>6.2}   {target}", time.as_secs_f64() / floor.as_secs_f64());
    };
    show("document to Configuration", "", best(|| decode(black_box(DOCUMENT))));
    let environment = best(|| {
        let configuration = decode(black_box(DOCUMENT));
        let environment = Environment::new(&configuration, &facts);
        environment.iter().map(|assignment| assignment.value.expose().len()).sum::<usize>() + bootstrap_command().len()
    });
    show("document to environment and command", "at most 2.5, aim 1.2", environment);
    for (route, target) in
        [(Route::Scriptless, "at most 1.5, aim 0.7"), (Route::NodeBootstrapVariables, "at most 5, aim 3")]
    {
        let request = Request { route, ..Request::default() };
        let time = best(|| request.render(&decode(black_box(DOCUMENT))).expect("it renders"));
        show(&format!("document to CustomData, {}", route.row().name), target, time);
    }

    let inputs = BootstrapInputs::from_document(INPUTS.as_bytes()).expect("the inputs decode").0;
    let time = best(|| Request::default().render(black_box(&inputs)).expect("it renders"));
    show("Karpenter's inputs to CustomData", "at most 5", time);
    let time = best(|| {
        let (nbc, _) = Nbc::from_document(black_box(REQUEST.as_bytes())).expect("the request decodes");
        let request = Request { route: Route::Scripted, ..Request::default() };
        request.render(&nbc).expect("it renders")
    });
    show("NodeBootstrappingConfiguration to both", "at most 20", time);

    println!("growth: scriptless, microseconds for each KB of document:");
    let request = Request { route: Route::Scriptless, compression: Compression::Never, ..Request::default() };
    for labels in [8, 70, 780] {
        let text = grown(labels);
        let time = best(|| {
            let configuration = decode(black_box(&text));
            // Beyond the limit there is no CustomData, but all the work has been done.
            request.render(&configuration).map_or(0, |delivery| delivery.custom_data.encoded.expose().len())
        });
        let kilobytes = text.len() as f64 / 1000.0;
        println!("  {kilobytes:>6.1} KB  {:>6.2}", time.as_secs_f64() * 1e6 / kilobytes);
    }

    batch();
}

/// The smallest document with so many labels.
fn grown(labels: usize) -> String {
    let mut text =
        r#"{"version": "v1", "auth_config": {"subscription_id": "s"}, "kubelet_config": {"kubelet_node_labels": {"#
            .to_owned();
    for label in 0..labels {
        let value = format!("a-value-of-some-length-{label:05}-as-well-and-more-of-it");
        writeln!(text, "\"example.com/a-label-of-some-length-{label:05}\": \"{value}\",").expect("text takes text");
    }
    text + r#""last": "one"}}, "outbound_command": "curl -v --insecure --proxy-insecure https://mcr.microsoft.com/v2/"}"#
}

/// The program itself, on many documents.
fn batch() {
    const COUNT: usize = 20_000;
    let line = DOCUMENT.replace('\n', " ") + "\n";
    let started = Instant::now();
    let mut child = Command::new(env!("CARGO_BIN_EXE_aks-node-controller"))
        .args(["generate", "--batch", "--config", "-", "--route", "scriptless"])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .expect("cargo built it");
    let mut stdin = child.stdin.take().expect("it was piped");
    for _ in 0..COUNT {
        stdin.write_all(line.as_bytes()).expect("the program reads");
    }
    drop(stdin);
    assert!(child.wait().expect("it ends").success());
    let rate = COUNT as f64 / started.elapsed().as_secs_f64();
    println!("batch: {rate:.0} configurations per second, validation included, scriptless");
}

/// The best mean of several rounds.
fn best<T>(mut work: impl FnMut() -> T) -> Duration {
    const REPEATS: u32 = 200;
    let round = |work: &mut dyn FnMut() -> T| {
        let started = Instant::now();
        for _ in 0..REPEATS {
            black_box(work());
        }
        started.elapsed() / REPEATS
    };
    (0..ROUNDS).map(|_| round(&mut work)).min().expect("there are rounds")
}
