//! Failures as people paste them: texts of public threads in `testdata/explain/`, and laws that hold for any text.
//!
//! To add one: a text, shortened and without names of people, subscriptions and clusters, and a row in `manifest.json`.

mod answers;
mod collected;
mod contradictions;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use aks_node_controller::explain;
use proptest::prelude::*;
use serde::Deserialize;
use serde_json::json;

/// What is said about a text of another world.
const NOTHING: &str = "shows no exit code";

const DIRECTORY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/testdata/explain");

/// What is known about a text.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Text {
    file: String,
    /// The public thread that has it, or our page that describes its form.
    source: String,
    /// Only the wrapping is that of the thread: the failure inside is ours.
    #[serde(default)]
    shape_only: bool,
    /// A person describes the failure, and quotes no program.
    #[serde(default)]
    prose: bool,
    /// The code, by today's table.
    code: Option<u8>,
    /// The layer that failed, if the text has no code, or one that is not known to be of the node's scripts.
    layer: Option<String>,
    /// Part of a cause that has to be among the first two, where the thread settled on one.
    cause: Option<String>,
    /// Part of the evidence.
    evidence: Option<String>,
    /// The last step.
    step: Option<String>,
    /// Part of the message, if the text is not explained.
    says: Option<String>,
}

fn texts() -> Vec<(Text, String)> {
    let manifest = fs::read_to_string(format!("{DIRECTORY}/manifest.json")).expect("it is there");
    let rows: Vec<Text> = serde_json::from_str(&manifest).expect("it has this form");
    let read = |row: Text| {
        let text = fs::read_to_string(format!("{DIRECTORY}/{}.txt", row.file)).expect("every row has its text");
        (row, text)
    };
    rows.into_iter().map(read).collect()
}

#[test]
fn every_text_is_explained_as_its_thread_settled() {
    let mut wrong = Vec::new();
    for (row, text) in texts() {
        let name = &row.file;
        let is_failure = row.code.is_some() || row.layer.is_some();
        match (explain::explain(&text), is_failure) {
            (Ok(found), true) => {
                if found.code != row.code {
                    wrong.push(format!("{name}: {:?} instead of {:?}", found.code, row.code));
                }
                let layer = row.layer.as_deref().unwrap_or("provisioning");
                if found.layer.name() != layer {
                    wrong.push(format!("{name}: {} instead of {layer}", found.layer.name()));
                }
                let first: Vec<_> = found.causes.iter().take(2).map(|cause| cause.cause).collect();
                if let Some(cause) = &row.cause
                    && !first.iter().any(|found| found.contains(cause.as_str()))
                {
                    wrong.push(format!("{name}: {cause:?} is not in {first:?}"));
                }
                let evidence = found.evidence.unwrap_or_default();
                if row.evidence.as_ref().is_some_and(|wanted| !evidence.contains(wanted.as_str())) {
                    wrong.push(format!("{name}: the evidence is {evidence:?}"));
                }
                if row.step.is_some() && row.step != found.step {
                    wrong.push(format!("{name}: the last step is {:?}", found.step));
                }
            }
            (Err(error), false) => {
                let says = row.says.as_deref().expect("a text without a code has what is said about it");
                if !error.to_string().contains(says) {
                    wrong.push(format!("{name}: {error}"));
                }
            }
            (Ok(found), false) => wrong.push(format!("{name}: explained as {:?}: {:?}", found.layer, found.evidence)),
            (Err(error), true) => wrong.push(format!("{name}: {error}")),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_token_that_is_rejected_is_the_first_cause() {
    let text = fs::read_to_string(format!("{DIRECTORY}/own-result-token-34.txt")).expect("it is there");
    let found = explain::explain(&text).expect("it shows a failure");
    assert!(found.causes[0].cause.starts_with("The bootstrap token has expired"), "{:?}", found.causes);
}

/// AKS answers with a general code too, which says that any value of the request is wrong.
#[test]
fn certificates_of_the_cluster_that_have_expired_are_the_first_cause() {
    let text = fs::read_to_string(format!("{DIRECTORY}/ten-certificates-expired.txt")).expect("it is there");
    let found = explain::explain(&format!("(BadRequest) {text}Code: BadRequest")).expect("it shows a failure");
    assert!(found.causes[0].cause.starts_with("The certificates of the cluster have expired"), "{:?}", found.causes);
}

/// Flags, fields and names that every node has show no failure.
#[test]
fn the_configuration_of_a_node_shows_no_failure() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata");
    let files = |path: &str| {
        let files = fs::read_dir(directory.join(path)).expect("it is there");
        files.map(|file| file.expect("it is readable").path()).filter(|path| path.is_file()).collect::<Vec<_>>()
    };
    let mut all = files("nbc");
    for scenario in ["ubuntu-azure-cni", "localdns", "a100-mig"] {
        let scenario = format!("scenarios/configuration/{scenario}");
        all.push(directory.join(format!("{scenario}/environment.snap")));
        all.push(directory.join(format!("{scenario}/scriptless/configuration.snap.json")));
        all.push(directory.join(format!("{scenario}/node-bootstrap-variables/payloads/containerd.snap.toml")));
    }
    let explained = all.iter().filter_map(|file| {
        let text = fs::read_to_string(file).expect("it is there");
        explain::explain(&text).ok().map(|found| format!("{}: {:?}: {:?}", file.display(), found.layer, found.evidence))
    });
    assert_eq!(explained.collect::<Vec<_>>(), Vec::<String>::new());
}

/// The kubelet skips pods at each start, so this contradicts only what it says in the same entry of the log.
#[test]
fn an_earlier_entry_contradicts_nothing() {
    let entry =
        |text: &str| format!("Nov 20 10:00:00 aks-1 kubelet[1]: E1120 10:00:00.000000       1 run.go:72] {text}\n");
    let refused = "dial unix /run/containerd/containerd.sock: connect: connection refused\"";
    let first = |text: &str| explain::explain(text).expect("it shows a failure").layer.name();
    let skipped = entry("\"Skipping pod synchronization\" err=\"PLEG is not healthy\"");
    let failed = entry(&format!("\"command failed\" err=\"failed to run Kubelet: {refused}"));
    assert_eq!(first(&(skipped + &failed)), "kubelet");
    let skipped = entry(&format!("\"Skipping pod synchronization\" err=\"container runtime is down: {refused}"));
    assert_eq!(first(&skipped), "readiness");
}

#[test]
fn the_texts_are_from_many_threads_and_every_file_has_its_row() {
    let texts = texts();
    let of_threads =
        texts.iter().filter(|(row, _)| row.code.is_some() && !row.shape_only && row.source.starts_with("http"));
    assert!(of_threads.count() >= 60, "at least 60 failures of public threads");
    let rows: BTreeSet<_> = texts.iter().map(|(row, _)| format!("{}.txt", row.file)).collect();
    assert_eq!(rows.len(), texts.len(), "each row has its own file");
    let files = fs::read_dir(DIRECTORY).expect("it is there").map(|entry| entry.expect("it is readable").file_name());
    let files: BTreeSet<_> = files.map(|name| name.into_string().expect("text")).collect();
    assert_eq!(files.difference(&rows).collect::<Vec<_>>(), ["manifest.json"]);
    for (row, _) in &texts {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(&row.source);
        assert!(row.source.starts_with("https://") || file.exists(), "{}", row.source);
    }
}

#[test]
fn the_texts_name_nobody() {
    for (row, text) in texts() {
        let is_identifier = |word: &str| {
            let parts: Vec<_> = word.split('-').collect();
            let lengths: Vec<_> = parts.iter().map(|part| part.len()).collect();
            lengths == [8, 4, 4, 4, 12] && word.bytes().any(|byte| byte != b'-' && byte != b'0')
        };
        let words = text.split(|character: char| !character.is_ascii_hexdigit() && character != '-');
        assert_eq!(words.filter(|word| is_identifier(word)).collect::<Vec<_>>(), [""; 0], "{}", row.file);
        assert!(!text.contains('@') || text.contains("git@"), "{}: an address of a person?", row.file);
    }
}

/// A text as other programs and people pass it on.
fn passed_on(text: &str) -> [(&'static str, String); 9] {
    let twice = json!({"message": json!({"details": [{"message": text}]}).to_string()}).to_string();
    let quoted: String = text.lines().flat_map(|line| ["> ", line, "\r\n"]).collect();
    let journal: String = text
        .lines()
        .flat_map(|line| ["Nov 22 05:54:15 aks-nodepool1-0 bash[812]: \u{1b}[0;31m", line, "\u{1b}[0m\n"])
        .collect();
    let html = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;");
    let event = format!("12s  Warning  Failed  node/aks-nodepool1-0  {}", text.lines().collect::<Vec<_>>().join(" "));
    let deep = (0..5).fold(text.to_owned(), |text, _| json!({"message": text}).to_string());
    let fence = format!("What is this?\n\n```text\n{text}```\n");
    let syslog: String = text
        .lines()
        .flat_map(|line| ["2026-11-22T05:54:15.123456+00:00 aks-nodepool1-0 python3[812]: ", line, "\n"])
        .collect();
    let docker: String = text
        .lines()
        .map(|line| json!({"log": format!("{line}\n"), "stream": "stderr", "time": "2026-11-22T05:54:15.123456789Z"}))
        .flat_map(|line| [line.to_string(), "\n".to_owned()])
        .collect();
    [
        ("JSON", twice),
        ("docker", docker),
        ("deep JSON", deep),
        ("quote", quoted),
        ("fence", fence),
        ("journal", journal),
        ("syslog", syslog),
        ("HTML", html),
        ("event", event),
    ]
}

#[test]
fn how_a_text_is_passed_on_changes_neither_layer_nor_causes() {
    let (mut wrong, mut all) = (Vec::new(), 0);
    for (row, text) in texts().iter().filter(|(row, _)| row.layer.is_some()) {
        for (way, text) in passed_on(text) {
            all += 1;
            let found = explain::explain(&text);
            let causes = found.as_ref().map(|found| found.causes.clone()).unwrap_or_default();
            let is_cause = |wanted: &String| causes.iter().take(2).any(|found| found.cause.contains(wanted.as_str()));
            let layer = found.ok().map(|found| found.layer.name());
            if layer != row.layer.as_deref() || !row.cause.as_ref().is_none_or(is_cause) {
                wrong.push(format!("{} as {way}: {layer:?}", row.file));
            }
        }
    }
    assert!(wrong.len() * 100 <= all * 3, "{} of {all}:\n{}", wrong.len(), wrong.join("\n"));
}

/// An open quote or an announced block before a failure may cover the line that shows it, but not which failure it is.
#[test]
fn a_secret_before_a_failure_does_not_hide_the_failure() {
    const BEGINNINGS: [&str; 6] = [
        "-----BEGIN PRIVATE KEY-----",
        "password: >-",
        "token: \"",
        "client_secret: |",
        "{\"clientSecret\": \"abc",
        "export DB_PASSWORD='x",
    ];
    let mut wrong = Vec::new();
    for (number, (row, text)) in texts().iter().filter(|(row, _)| row.layer.is_some() && !row.prose).enumerate() {
        let beginning = BEGINNINGS[number % BEGINNINGS.len()];
        let first = |text: &str| {
            let found = explain::explain(text).ok()?;
            Some((found.layer, found.code, found.causes.first()?.cause))
        };
        let (alone, behind) = (first(text), first(&format!("{beginning}\n{text}")));
        if behind != alone {
            wrong.push(format!("{} behind {beginning}: {behind:?}, not {alone:?}", row.file));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What is cut off before and after the line that decides does not change the layer, unless that line says too little by itself.
#[test]
fn the_evidence_alone_has_the_layer() {
    let (mut wrong, mut all) = (Vec::new(), 0);
    for (row, text) in texts().iter().filter(|(row, _)| row.layer.is_some()) {
        let evidence = explain::explain(text).ok().and_then(|found| found.evidence).unwrap_or_default();
        all += 1;
        let layer = explain::explain(&evidence).ok().map(|found| found.layer.name());
        if layer != row.layer.as_deref() {
            wrong.push(format!("{}: {layer:?} from {evidence}", row.file));
        }
    }
    assert!(wrong.len() * 100 <= all * 3, "{} of {all}:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn a_text_in_a_long_log_is_explained_in_the_same_way() {
    let entry = "I1122 05:54:15.000000 812 kubelet.go:2406] \"SyncLoop UPDATE\" source=\"api\"\n";
    let long = entry.repeat(3600);
    let mut all = 0;
    for (row, text) in texts().iter().filter(|(row, _)| row.layer.is_some() && !row.prose).step_by(47) {
        all += 1;
        let alone = explain::explain(&format!("{entry}{text}\n{entry}"));
        assert_eq!(explain::explain(&format!("{long}{text}\n{entry}")), alone, "{}", row.file);
    }
    assert!(all >= 10, "{all}");
}

#[test]
fn a_condition_counts_only_while_it_is_true() {
    const CONDITIONS: [(&str, &str); 6] = [
        ("DiskPressure", "readiness"),
        ("MemoryPressure", "readiness"),
        ("KernelDeadlock", "readiness"),
        ("FrequentContainerdRestart", "readiness"),
        ("PreemptScheduled", "lifecycle"),
        ("VMEventScheduled", "lifecycle"),
    ];
    let forms = |kind: &str, status: &str| {
        [
            format!("Conditions:\n  {kind}   {status}   Wed, 23 Nov 2022 10:25:32 +0000\n  Other  True  Wed\n"),
            format!(
                "  - message: m\n    reason: r\n    status: \"{status}\"\n    type: {kind}\n  - status: \"True\"\n    type: Other\n"
            ),
            json!({"conditions": [{"type": kind, "status": status}, {"type": "Other", "status": "True"}]}).to_string(),
            format!("Status:  {status}\n    Type:  {kind}\n"),
            format!("Node condition {kind} is now: {status}, reason: {kind}"),
        ]
    };
    for (kind, layer) in CONDITIONS {
        for text in forms(kind, "True") {
            assert_eq!(explain::explain(&text).map(|found| found.layer.name()), Ok(layer), "{text}");
        }
        for text in forms(kind, "False") {
            assert_eq!(explain::explain(&text), Err(explain::NoFailure::NotFound), "{text}");
        }
    }
}

#[test]
fn objects_of_karpenter_that_work_are_no_failure() {
    let objects = include_str!("../../testdata/karpenter_bundles/objects.json");
    // A claim has this condition while its node could be replaced by a cheaper one.
    let claim = "apiVersion: karpenter.sh/v1\nkind: NodeClaim\nstatus:\n  conditions:\n  - message: \"\"\n    reason: Consolidatable\n    \
        status: \"True\"\n    type: Consolidatable\n";
    // The reasons of a budget.
    let pool = "Name:         default\nAPI Version:  karpenter.sh/v1\nKind:         NodePool\nSpec:\n  Disruption:\n    Budgets:\n      Nodes:  10%\n      \
        Reasons:\n        Drifted\n    Consolidation Policy:  WhenEmptyOrUnderutilized\n";
    for text in [objects, claim, pool] {
        assert_eq!(explain::explain(text), Err(explain::NoFailure::NotFound), "{text}");
    }
}

/// Its state, as the FAQ of <https://github.com/kubernetes/autoscaler> describes it, has a name for each problem.
#[test]
fn an_autoscaler_that_works_is_no_failure() {
    let state = "Cluster-wide:\n  Health:      Healthy (ready=3 unready=0 notStarted=0 longNotStarted=0 registered=3 longUnregistered=0)\n\
        NodeGroups:\n  Name:        aks-user-12345678-vmss\n  Health:      Healthy (ready=3 unready=0 registered=3 longUnregistered=0 \
        cloudProviderTarget=3 (minSize=1, maxSize=10))\n  ScaleUp:     NoActivity (ready=3 cloudProviderTarget=3)\n  \
        ScaleDown:   NoCandidates (candidates=0)\n";
    assert_eq!(explain::explain(state), Err(explain::NoFailure::NotFound));
    let waits = explain::explain(&state.replace("NoActivity", "Backoff")).expect("it shows a failure");
    assert_eq!(waits.layer.name(), "request");
}

#[test]
fn a_kubelet_that_runs_is_no_failure() {
    let status = "\u{25cf} kubelet.service - Kubelet\n     Loaded: loaded (/etc/systemd/system/kubelet.service; enabled)\n     \
        Active: active (running) since Mon 2024-01-01 10:00:00 UTC; 3min ago\n    \
        Process: 1418 ExecStartPre=/bin/bash /opt/azure/containers/kubelet.sh (code=exited, status=0/SUCCESS)\n    \
        Process: 1425 ExecStartPre=/bin/mkdir -p /var/lib/cni (code=exited, status=0/SUCCESS)\n   Main PID: 1500 (kubelet)\n";
    let start = "I0101 10:00:00.000000    1500 server.go:631] \"Failed to get the kubelet's cgroup. Kubelet system container metrics may be \
        missing.\" err=\"cpu and memory cgroup hierarchy not unified.  cpu: /user.slice, memory: /user.slice/user-0.slice\"\n\
        I0101 10:00:01.000000    1500 kubelet_node_status.go:70] \"Attempting to register node\" node=\"aks-nodepool1-0\"\n\
        I0101 10:00:01.500000    1500 kubelet_node_status.go:73] \"Successfully registered node\" node=\"aks-nodepool1-0\"\n";
    for text in [status, start] {
        assert_eq!(explain::explain(text), Err(explain::NoFailure::NotFound), "{text}");
    }
    let failed = status
        .replace("active (running)", "activating (auto-restart)")
        .replace("status=0/SUCCESS)\n   Main PID: 1500 (kubelet)", "status=1/FAILURE)");
    let found = explain::explain(&failed).expect("it shows a failure");
    assert!(found.causes[0].cause.starts_with("A command before the kubelet's start failed"), "{:?}", found.causes);
}

#[test]
fn texts_of_other_worlds_stay_unexplained_wherever_they_are_passed_on() {
    let mut all = 0;
    for (row, text) in texts().iter().filter(|(row, _)| row.says.as_deref() == Some(NOTHING)) {
        all += 1;
        for (way, text) in passed_on(text) {
            // The name of a node is not one of another world.
            let text = text.replace("aks-nodepool1-0", "machine");
            assert_eq!(explain::explain(&text), Err(explain::NoFailure::NotFound), "{} as {way}", row.file);
        }
    }
    assert!(all >= 30, "{all}");
}

#[test]
fn every_layer_has_texts_of_public_threads() {
    for layer in aks_node_controller::catalogue::failures::Layer::all() {
        let of_layer = texts().into_iter().filter(|(row, _)| row.layer.as_deref() == Some(layer.name())).count();
        let least = if layer.name() == "provisioning" { 1 } else { 8 };
        assert!(of_layer >= least, "{}: {of_layer}", layer.name());
    }
    let all = texts().iter().filter(|(row, _)| row.layer.is_some() && row.source.starts_with("https://")).count();
    assert!(all >= 120, "{all}");
}

/// The scripts end with codes that any program can end with, so a code counts only if the text says no other program.
#[test]
fn a_code_of_another_program_is_not_one_of_the_scripts() {
    let container = "    Last State:     Terminated\n      Reason:       Error\n      Exit Code:    50\n      Started:      Mon, 15 Jun 2020\n\
        Successfully assigned default/app to aks-agentpool-12345678-vmss000000\n";
    let object = "name: app-aks\n      terminated:\n        containerID: containerd://bfce416f52454e39\n        exitCode: 31\n        reason: Error\n";
    let others = [
        "ERROR: script returned exit code 50",
        "command terminated with exit code 31",
        "npm ERR! Exit status 31",
        "ERROR: failed to solve: process \"/bin/sh -c make\" did not complete successfully: exit code: 50",
        "##[error]The process '/usr/bin/az' failed with exit code 50",
        "nginx: exit code 50",
        "pod terminated exit code 41",
        container,
        object,
    ];
    for text in others {
        let found = explain::explain(text).map(|found| found.code);
        assert!(matches!(found, Ok(None) | Err(explain::NoFailure::NotFound)), "{text}: {found:?}");
    }
    for text in [
        "exit code 50",
        "Error: exit code: 50",
        "What does exit code 50 mean?",
        "my node failed with exit code 50",
        "AKS node pool creation fails with exit code 50",
        "vmssCSE: the script returned exit code 50",
        "AKS provisioning was terminated, exit code 50",
    ] {
        assert_eq!(explain::explain(text).map(|found| found.code), Ok(Some(50)), "{text}");
    }
}

/// Secure TLS bootstrapping precedes the kubelet, so it does not show that the scripts and the kubelet work.
#[test]
fn a_line_of_secure_tls_bootstrapping_leaves_the_kubelet_open() {
    for text in [
        "systemd[1]: secure-tls-bootstrap.service: start operation timed out. Terminating.",
        "aks-secure-tls-bootstrap-client: failed to get nonce from bootstrap server: rpc error: code = Unavailable desc = connection error: \
         desc = \"transport: Error while dialing: dial tcp 10.0.0.4:443: i/o timeout\"",
    ] {
        let found = explain::explain(text).expect("it shows a failure");
        let layers: Vec<_> = found.rules_out.iter().map(|layer| layer.name()).collect();
        assert_eq!(found.layer.name(), "registration", "{text}");
        assert_eq!(layers, ["request", "machine", "user-data", "extension"], "{text}");
    }
}

/// `kubectl` runs on any machine, so a call of it that fails shows nothing about a node.
#[test]
fn a_call_of_kubectl_proves_nothing_about_a_node() {
    for text in [
        "Unable to connect to the server: dial tcp 10.0.0.4:443: i/o timeout",
        "Unable to connect to the server: x509: certificate signed by unknown authority",
        "The connection to the server a.hcp.westeurope.azmk8s.io:443 was refused - did you specify the right host or port?",
        "error: You must be logged in to the server (Unauthorized)",
        "E0612 10:00:00.000000 812 memcache.go:265] \"Unhandled Error\" err=\"couldn't get current server API group list: Get \\\"https://a.hcp.westeurope.azmk8s.io:443/api?timeout=32s\\\": dial tcp 10.0.0.4:443: connect: connection refused\"",
    ] {
        let found = explain::explain(text).expect("it shows a failure");
        assert_eq!(found.layer.name(), "registration", "{text}");
        assert_eq!(found.rules_out, [], "{text}");
        assert!(found.meaning.starts_with("kubectl cannot"), "{text}");
    }
    let text =
        "kubelet_node_status.go:96] \"Unable to register node with API server\" err=\"Unauthorized\" node=\"aks-1\"";
    let found = explain::explain(text).expect("it shows a failure");
    assert!(!found.rules_out.is_empty() && found.meaning.starts_with("The kubelet runs"));
}

/// Ignition tries the user data of the metadata service first, and says that it failed on each node that has only `CustomData`.
#[test]
fn an_ignition_that_fetched_its_configuration_is_no_failure() {
    let tries = "ignition[538]: GET result: OK\n\
        ignition[538]: failed to retrieve userdata from IMDS, falling back to custom data: not a config (empty)\n";
    let found = explain::explain(tries).expect("it shows a failure");
    assert_eq!(found.layer.name(), "user-data");
    let works = format!("{tries}ignition[538]: fetch: fetch complete\nignition[538]: fetch: fetch passed\n");
    assert_eq!(explain::explain(&works), Err(explain::NoFailure::NotFound));
    let later = format!("{works}ignition[612]: files: failed to fetch config: config is not valid\n");
    assert_eq!(explain::explain(&later).map(|found| found.layer.name()), Ok("user-data"));
}

/// A message of the extension with a result of the scripts in it, as `depth` layers of JSON escape it.
fn wrapped(code: u8, output: &str, depth: usize) -> String {
    let output = serde_json::Value::from(output);
    let result =
        format!("{{ \"ExitCode\": \"{code}\", \"Output\": {output}, \"Error\": \"\", \"ExecDuration\": \"95\" }}");
    let mut text = format!(
        "Error message: \"Enable failed: failed to execute command: command terminated with exit status={code}\n[stdout]\n{result}\n\n[stderr]\n\""
    );
    for _ in 0..depth {
        let escaped = serde_json::Value::String(text).to_string();
        text = format!("{{\"message\":{escaped}}}");
    }
    text
}

fn codes() -> Vec<u8> {
    (1..=255).filter(|code| explain::of_code(*code).is_some()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_depth_of_escapes_and_any_cut_behind_the_code_leave_the_code(
        code in prop::sample::select(codes()),
        output in "[ -~\n\t\u{e9}]{0,300}",
        depth in 0usize..=4,
        cut in any::<prop::sample::Index>(),
    ) {
        let text = wrapped(code, &output.replace("ExitCode", ""), depth);
        let mark = format!("exit status={code}");
        let behind = text.find(&mark).expect("it is there") + mark.len();
        let mut end = behind + cut.index(text.len() - behind + 1);
        while !text.is_char_boundary(end) {
            end += 1;
        }
        prop_assert_eq!(explain::explain(&text[..end]).map(|found| found.code), Ok(Some(code)));
    }

    #[test]
    fn the_result_alone_has_its_code_at_any_depth_and_wherever_it_is_cut(
        code in prop::sample::select(codes()),
        depth in 0usize..=4,
        cut in any::<prop::sample::Index>(),
    ) {
        let text = wrapped(code, "a \"quoted\" text\\n with } and {\n", depth);
        let text = &text[text.find("[stdout]").expect("it is there")..];
        let behind = text.find("Output").expect("it is there");
        let end = behind + cut.index(text.len() - behind + 1);
        prop_assert_eq!(explain::explain(&text[..end]).map(|found| found.code), Ok(Some(code)));
    }

    #[test]
    fn no_bytes_panic_and_what_is_shown_is_plain(
        start in "(ExitCode|\\{\"ExitCode\": \"50\", \"Output\": \"|exit status=50| error 52: |\\+ exit 9\n|extension '|\\\\+\")?",
        bytes in prop::collection::vec(any::<u8>(), 0..600),
    ) {
        let text = format!("{start}{}", String::from_utf8_lossy(&bytes));
        if let Ok(found) = explain::explain(&text) {
            let shown = format!("{}{}", found.evidence.unwrap_or_default(), found.step.unwrap_or_default());
            prop_assert!(!shown.contains(char::is_control), "{:?}", shown);
        }
    }

    #[test]
    fn no_secret_and_no_escape_of_a_terminal_is_shown(
        secret in "[a-z0-9]{6}\\.[a-z0-9]{16}",
        key in "[A-Z]{6}[a-z]{6}[0-9]{6}[A-Za-z0-9+]{20}",
        form in 0usize..8,
        depth in 0usize..=3,
    ) {
        let line = match form {
            0 => format!("error: the token {secret} is rejected"),
            1 => format!("error: cannot use \"TLS_BOOTSTRAP_TOKEN\":\"{secret}\","),
            2 => format!("error: --token={secret} failed"),
            3 => format!("error: Authorization: Bearer {key}"),
            4 => format!("error: https://user:{key}@proxy.example:3128/ failed"),
            5 => format!("error: https://host.example/file?sv=2024&sig={key}&se=1 failed"),
            6 => format!("error: --password {key} \u{1b}[31m\u{1b}]0;title\u{7}\u{202e} failed"),
            _ => format!("error: \"client_secret\": \"{key}\" failed"),
        };
        let found = explain::explain(&wrapped(50, &line, depth)).expect("it shows a failure");
        let shown = found.to_json().to_string();
        prop_assert!(!shown.contains(&secret) && !shown.contains(&key), "{}", shown);
        prop_assert!(!shown.contains("\\u001b") && !shown.contains(['\u{1b}', '\u{7}', '\u{202e}']), "{}", shown);
    }

    #[test]
    fn a_result_with_0_is_a_success(output in "[ -~\n]{0,200}", depth in 0usize..=4) {
        let text = wrapped(0, &output, depth).replace("Enable failed: failed to execute command: command terminated with exit status=0", "Enable succeeded: ");
        prop_assert_eq!(explain::explain(&text), Err(explain::NoFailure::Success));
    }
}
