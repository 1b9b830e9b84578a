//! Complete logs of real machines with a known fault: what `diagnose --bundle-out` wrote on each of them, with a real kubelet, API server,
//! containerd, cloud-init and systemd. `make captures` makes them: the name of an archive is the scenario of `tests/cluster` that planted
//! the fault, or `vm-` and one of `tests/vm`.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::json;
use crate::support::Scratch;
use crate::support::finish;

/// Each machine, with what the diagnosis has to say: the state, the code, and part of the first cause or, if it has none, of the summary.
const MACHINES: [(&str, &str, i64, &str); 53] = [
    ("api_server_ends_later", "succeeded", 0, "Nothing answers at the API server's address"),
    ("api_server_is_silent", "failed", 51, "blocks the API server on port 443"),
    ("api_server_refuses_connections", "failed", 51, "The cluster is stopped or was deleted"),
    ("authority_is_of_another_cluster", "failed", 51, "the CA is another one"),
    ("authorization_is_unknown", "failed", 34, "a value that the kubelet does not accept"),
    ("clock_is_ahead", "failed", 51, "The machine's clock is wrong"),
    ("clock_is_behind", "failed", 51, "The machine's clock is wrong"),
    ("command_comes_first_and_twice", "succeeded", 0, "the node is Ready"),
    ("configuration_of_plugins_is_broken", "succeeded", 0, "The network plugin is not initialized"),
    ("containerd_ends_later", "not-working", 0, "containerd does not run"),
    (
        "credentials_are_lost",
        "not-working",
        0,
        "A file that the kubelet needs is missing: its configuration, kubeconfig",
    ),
    ("disk_of_containerd_is_full", "failed", 4, "The disk is full"),
    ("disk_of_logs_is_full", "succeeded", 0, "the node is Ready"),
    ("disk_of_programs_is_full", "failed", 31, "The disk is full"),
    ("document_has_an_unknown_version", "failed", 240, "has a version that this controller does not support"),
    ("document_has_the_former_version", "succeeded", 0, "the node is Ready"),
    ("document_is_cut_off", "failed", 240, "The Configuration is missing, cannot be read"),
    ("everything_stands_still", "failed", 124, "until the time limit"),
    ("feature_gate_is_unknown", "failed", 34, "The kubelet does not know a flag or a field"),
    ("flag_is_unknown", "failed", 34, "The kubelet does not know a flag"),
    ("image_of_a_pod_is_missing", "succeeded", 0, "An image cannot be pulled on the node"),
    ("kubelet_is_masked", "failed", 34, "systemd has masked it"),
    ("kubelet_is_stopped_later", "not-working", 0, "but the kubelet is inactive"),
    ("label_is_reserved", "failed", 34, "The combination of kubelet flags is not valid"),
    ("machine_is_switched_off_on_the_way", "succeeded", 0, "the node is Ready"),
    (
        "more_is_reserved_than_there_is",
        "failed",
        34,
        "More is reserved for the system and the kubelet than the machine has",
    ),
    ("name_of_the_api_server_is_unknown", "failed", 52, "DNS"),
    (
        "name_of_the_registry_is_unknown",
        "failed",
        50,
        "The DNS servers of the virtual network do not resolve public names",
    ),
    ("nobody_signs", "failed", 34, "The cluster does not approve or sign the kubelet's certificate request"),
    ("node_is_deleted", "succeeded", 0, "the node was deleted"),
    ("node_is_never_ready", "not-working", 0, "The network plugin is not initialized"),
    ("node_is_switched_off", "succeeded", 0, "Provisioned"),
    ("outbound_is_blocked", "failed", 50, "A firewall, network security group or route table blocks the traffic"),
    ("pause_image_is_missing", "succeeded", 0, "The sandbox (pause) image cannot be pulled"),
    ("plugin_is_missing", "succeeded", 0, "A CNI plugin's program is missing on the node"),
    ("power_is_lost_on_the_way", "succeeded", 0, "Provisioned"),
    ("programs_are_cut_off", "failed", 31, "ends downloads before they are complete"),
    ("programs_are_not_found", "failed", 31, "The version does not exist at the source"),
    ("provisioner_and_its_starters_are_killed", "succeeded", 0, "Provisioned"),
    ("provisioner_is_killed", "succeeded", 0, "Provisioned"),
    ("proxy_is_down", "failed", 50, "The proxy cannot be used"),
    ("requests_are_forbidden", "failed", 34, "The bootstrap token may not ask for a certificate"),
    (
        "requests_are_not_approved",
        "failed",
        34,
        "The cluster does not approve or sign the kubelet's certificate request",
    ),
    ("script_stands_still", "failed", 124, "until the time limit"),
    ("scriptless", "succeeded", 0, "the node is Ready"),
    ("taint_is_malformed", "failed", 34, "a value that the kubelet does not accept"),
    ("threshold_is_malformed", "failed", 34, "a value that the kubelet does not accept"),
    ("token_is_rejected", "failed", 34, "The bootstrap token has expired or belongs to another cluster"),
    ("token_was_deleted", "failed", 34, "The bootstrap token has expired or belongs to another cluster"),
    ("value_of_a_flag_is_malformed", "failed", 34, "a value that the kubelet does not accept"),
    ("vm-cloud-init-fails", "succeeded", 0, "the node is Ready"),
    ("vm-scripted", "succeeded", 0, "the node is Ready"),
    ("vm-scriptless-boothook", "succeeded", 0, "the node is Ready"),
];

/// VMs whose CustomData never reached the scripts, with part of the first cause.
const DAMAGED: [(&str, &str); 4] = [
    ("vm-user-data-is-cut-off", "cannot be decompressed"),
    ("vm-user-data-is-empty", "CustomData is empty"),
    ("vm-user-data-is-encoded-twice", "encoded in base64 twice"),
    ("vm-user-data-is-no-yaml", "is not valid YAML"),
];

/// What somebody sends of a machine whose kubelet shows the fault: only the kubelet's log.
const ONLY_KUBELET: [(&str, &str, &str); 18] = [
    ("api_server_ends_later", "registration", "Nothing answers at the API server's address"),
    ("authorization_is_unknown", "kubelet", "The combination of kubelet flags is not valid"),
    ("configuration_of_plugins_is_broken", "readiness", "The network plugin is not initialized"),
    ("containerd_ends_later", "kubelet", "containerd does not run"),
    ("credentials_are_lost", "kubelet", "A file that the kubelet needs is missing"),
    ("feature_gate_is_unknown", "kubelet", "feature gate"),
    ("flag_is_unknown", "kubelet", "The kubelet does not know a flag"),
    ("image_of_a_pod_is_missing", "readiness", "An image cannot be pulled on the node"),
    ("label_is_reserved", "kubelet", "The combination of kubelet flags is not valid"),
    ("more_is_reserved_than_there_is", "kubelet", "More is reserved"),
    ("node_is_deleted", "registration", "the node was deleted"),
    ("pause_image_is_missing", "readiness", "The sandbox (pause) image cannot be pulled"),
    ("plugin_is_missing", "readiness", "A CNI plugin's program is missing on the node"),
    ("requests_are_forbidden", "registration", "a role binding for bootstrap tokens or nodes is missing"),
    ("taint_is_malformed", "kubelet", "The combination of kubelet flags is not valid"),
    ("threshold_is_malformed", "kubelet", "The combination of kubelet flags is not valid"),
    ("token_is_rejected", "registration", "The API server rejects the kubelet's credentials"),
    ("value_of_a_flag_is_malformed", "kubelet", "The combination of kubelet flags is not valid"),
];

/// Words that were secrets on these machines: see `tests/provisioning/machine.sh`.
const SECRETS: [&str; 7] = [
    "canary0tokenword",
    "canary-principal-word",
    "canary-realm-word",
    "canary-proxy-word",
    "canary-identity-word",
    "canary-refresh-word",
    "canary-client-key-word",
];

/// The names of all archives.
fn names() -> impl Iterator<Item = &'static str> {
    MACHINES.iter().map(|(name, ..)| *name).chain(DAMAGED.iter().map(|(name, _)| *name))
}

fn archive(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("testdata/captures/{name}.tar.gz"))
}

/// What an archive has, and its directory.
fn unpacked(name: &str) -> Scratch {
    let scratch = Scratch::new("capture");
    let mut tar = std::process::Command::new("tar");
    let ended = finish(tar.arg("-xzf").arg(archive(name)).args(["--strip-components=1", "-C"]).arg(&*scratch));
    assert!(ended.status.success(), "{name}: {}", String::from_utf8_lossy(&ended.stderr));
    scratch
}

/// The first cause, or the summary of a machine without one.
fn told(value: &Value) -> &str {
    value["explanation"]["causes"][0]["cause"].as_str().or(value["summary"].as_str()).unwrap_or_default()
}

/// Whether a diagnosis says what a row of [`MACHINES`] does.
fn says(value: &Value, state: &str, code: i64, words: &str) -> bool {
    value["state"] == state && value["code"] == code && told(value).contains(words)
}

#[test]
fn the_first_cause_is_the_fault_that_was_planted() {
    let mut wrong = Vec::new();
    for (name, state, code, words) in MACHINES {
        let (value, _) = json("--bundle", &archive(name));
        if !says(&value, state, code, words) {
            wrong.push(format!("{name}: {} {} {}", value["state"], value["code"], told(&value)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What somebody sends who knows one log: how provisioning ended is in it.
#[test]
fn the_log_of_the_controller_alone_shows_how_it_ended() {
    let mut wrong = Vec::new();
    for (name, state, code, _) in MACHINES {
        let whole = unpacked(name);
        let part = Scratch::new("controller");
        let log = "aks-node-controller.log";
        if !matches!(fs::copy(whole.join("var/log/azure").join(log), part.join(log)), Ok(1..)) {
            assert!(["vm-scripted", "disk_of_logs_is_full"].contains(&name), "{name}: no log");
            continue;
        }
        // As `ccze` and terminals print it.
        let text = fs::read_to_string(part.join(log)).expect("it was copied");
        let coloured: Vec<_> = text.lines().map(|line| format!("\u{1b}[32m{line}\u{1b}[0m\n")).collect();
        let in_colours = Scratch::new("coloured");
        fs::write(in_colours.join("pasted.txt"), coloured.concat()).expect("it is written");
        let (value, _) = json("--root", &part);
        let (again, _) = json("--root", &in_colours);
        let rows = |value: &Value| value["timeline"].as_array().map_or(0, Vec::len);
        if (&again["state"], &again["code"], rows(&again)) != (&value["state"], &value["code"], rows(&value)) {
            wrong.push(format!("{name} in colours: {} {}, {} rows", again["state"], again["code"], rows(&again)));
        }
        // Here the machine was asked to wait until its node is Ready.
        let code = if name == "node_is_never_ready" { 246 } else { code };
        let expected = if code == 0 { "succeeded" } else { "failed" };
        if value["state"] != expected || value["code"] != code {
            wrong.push(format!("{name} ({state}): {} {}", value["state"], value["code"]));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn damaged_user_data_is_the_first_cause() {
    let mut wrong = Vec::new();
    for (name, words) in DAMAGED {
        let (value, _) = json("--bundle", &archive(name));
        if value["state"] != "failed" || value["explanation"]["layer"] != "user-data" || !told(&value).contains(words) {
            wrong.push(format!("{name}: {} {}", value["state"], told(&value)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_log_of_the_kubelet_alone_shows_the_fault() {
    let mut wrong = Vec::new();
    for (name, layer, words) in ONLY_KUBELET {
        let whole = unpacked(name);
        let part = Scratch::new("kubelet");
        fs::copy(whole.join("collect/journalctl_kubelet.txt"), part.join("kubelet.log")).expect("it is there");
        let (value, _) = json("--root", &part);
        if value["explanation"]["layer"] != layer || !told(&value).contains(words) {
            wrong.push(format!("{name}: {} {}", value["explanation"]["layer"], told(&value)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The files of an archive that somebody has in hand: those of the machine, without what `diagnose` adds.
fn files(directory: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![directory.to_owned()];
    while let Some(next) = open.pop() {
        for entry in fs::read_dir(next).expect("it is there") {
            let path = entry.expect("it is readable").path();
            // An event is about one step, which may be tried again.
            if path.ends_with("events") {
                continue;
            }
            if path.is_dir() {
                open.push(path);
            } else if path.parent() != Some(directory) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// People rename what they collect, put it into one directory, and pack that.
#[test]
fn renamed_logs_show_the_same_in_a_directory_and_an_archive() {
    let mut wrong = Vec::new();
    for (name, state, code, words) in MACHINES {
        let whole = unpacked(name);
        let renamed = Scratch::new("renamed");
        let logs = renamed.join("logs");
        fs::create_dir(&logs).expect("the directory is new");
        for file in files(&whole) {
            let path = file.strip_prefix(&*whole).expect("it is inside").to_string_lossy().replace('/', "-");
            fs::copy(&file, logs.join(path + ".txt")).expect("the name is short");
        }
        let packed = renamed.join("logs.tar.gz");
        let mut tar = std::process::Command::new("tar");
        assert!(finish(tar.arg("-czf").arg(&packed).arg("-C").arg(&logs).arg(".")).status.success(), "{name}");
        for (flag, path) in [("--root", &logs), ("--bundle", &packed)] {
            let (value, _) = json(flag, path);
            if !says(&value, state, code, words) {
                wrong.push(format!("{name} {flag}: {} {} {}", value["state"], value["code"], told(&value)));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// An unpacked bundle is the same evidence, and its own answer none.
#[test]
fn an_unpacked_bundle_shows_the_same() {
    // The link to the certificate is a file in the archive, so its time has another source.
    let said = |value: &Value| {
        let timeline = super::rows(value).into_iter().map(str::to_owned).collect::<Vec<_>>();
        (["state", "summary", "code", "explanation", "units"].map(|name| value[name].clone()), timeline)
    };
    for name in ["node_is_deleted", "kubelet_is_masked", "vm-scripted"] {
        let (packed, _) = json("--bundle", &archive(name));
        let scratch = Scratch::new("unpacked");
        let mut tar = std::process::Command::new("tar");
        assert!(finish(tar.arg("-xzf").arg(archive(name)).arg("-C").arg(&*scratch)).status.success(), "{name}");
        let (value, _) = json("--root", &scratch);
        assert_eq!(said(&value), said(&packed), "{name}");
        let (value, _) = json("--root", &scratch.join("aks-node-diagnosis"));
        assert_eq!(said(&value), said(&packed), "{name}");
        // Among the logs of others.
        fs::create_dir(scratch.join("node-1")).expect("it is new");
        fs::rename(scratch.join("aks-node-diagnosis"), scratch.join("node-1/aks-node-diagnosis"))
            .expect("the same disk");
        let (value, _) = json("--root", &scratch);
        assert_eq!((&value["state"], told(&value)), (&packed["state"], told(&packed)), "{name}");
    }
}

/// Programs log errors while a node starts that works in the end.
#[test]
fn the_logs_of_nodes_that_work_show_no_failure() {
    /// What a file has to show: the result before a shutdown, a full disk that did not matter, a log that ends two seconds after its kubelet
    /// started, in which it may not set a limit on this machine, a service whose program was killed, and a command of cloud-init that failed.
    const SHOWN: [(&str, &str, &str); 8] = [
        ("disk_of_logs_is_full", "run/aks-node-controller/provision.json", "The disk of the node is full"),
        ("machine_is_switched_off_on_the_way", "var/log/azure/aks/provision.json.previous", "shut down or rebooted"),
        ("node_is_switched_off", "collect/journalctl_kubelet.txt", "The kubelet runs, and reports an error"),
        ("provisioner_is_killed", "collect/systemctl_show.txt", "A script of the node failed"),
        ("vm-cloud-init-fails", "collect/journalctl_aks-node-controller.txt", "run command in CustomData failed"),
        ("vm-cloud-init-fails", "collect/systemctl_show.txt", "cloud-init failed"),
        ("vm-cloud-init-fails", "var/log/cloud-init-output.log", "run command in CustomData failed"),
        ("vm-cloud-init-fails", "var/log/cloud-init.log", "run command in CustomData failed"),
    ];
    let mut wrong = Vec::new();
    let mut shown = BTreeSet::new();
    for (name, ..) in MACHINES.iter().filter(|(_, _, _, words)| ["the node is Ready", "Provisioned"].contains(words)) {
        let whole = unpacked(name);
        for file in files(&whole) {
            let path = file.strip_prefix(&*whole).expect("it is inside").to_str().expect("text");
            let text = fs::read(&file).expect("it is readable");
            let Ok(found) = aks_node_controller::explain::explain(&String::from_utf8_lossy(&text)) else { continue };
            let cause = found.causes[0].cause;
            match SHOWN.iter().find(|(machine, file, words)| machine == name && *file == path && cause.contains(words))
            {
                Some(row) => drop(shown.insert(row)),
                None => wrong.push(format!("{name}, {path}: {:?}", found.causes[0])),
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(shown.len(), SHOWN.len(), "only these: {shown:?}");
}

/// Each log of the scripts and of the controller shows the code, or nothing.
#[test]
fn one_log_of_a_machine_shows_its_code() {
    const LOGS: [&str; 4] =
        ["aks-node-controller.log", "aks-node-controller.output", "cluster-provision.log", "aks/provision.json"];
    let mut wrong = Vec::new();
    let mut seen = 0;
    for (name, _, code, _) in MACHINES.iter().filter(|(_, state, ..)| *state == "failed") {
        let whole = unpacked(name);
        for log in LOGS {
            let Ok(text) = fs::read_to_string(whole.join("var/log/azure").join(log)) else { continue };
            if let Ok(found) = aks_node_controller::explain::explain(&text) {
                seen += 1;
                if found.code.map(i64::from) != Some(*code) {
                    wrong.push(format!("{name}, {log}: {:?} {:?}", found.code, found.causes[0]));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    // The others are logs of scripts that were stopped, and what a second provisioner wrote while it waited.
    assert!(seen >= 90, "{seen}");
}

#[test]
fn no_secret_of_the_machines_is_in_their_archives() {
    for name in names() {
        let whole = unpacked(name);
        let mut searched = std::process::Command::new("grep");
        for secret in SECRETS {
            searched.args(["-e", secret]);
        }
        let found = finish(searched.args(["-rlF"]).arg(&*whole));
        assert_eq!(String::from_utf8_lossy(&found.stdout), "", "{name}");
    }
}

#[test]
fn every_archive_has_its_row() {
    let files = fs::read_dir(archive("x").with_file_name("")).expect("it is there");
    let names = files.map(|file| file.expect("readable").file_name().into_string().expect("text"));
    let names: BTreeSet<_> = names.map(|name| name.replace(".tar.gz", "")).collect();
    assert_eq!(names, self::names().map(str::to_owned).collect());
}
