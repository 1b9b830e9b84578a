//! `diagnose` with less than everything: one file, as somebody sends it.

use std::fs::{self, File};
use std::time::{Duration, SystemTime};

use serde_json::Value;

use super::{json, logs, notes, rows};
use crate::support::{Scratch, gzip};

/// The diagnosis of a directory with one file, which has a text of `testdata/explain`.
fn of_text(file: &str, text: &str) -> Value {
    let path = format!("{}/testdata/explain/{text}.txt", env!("CARGO_MANIFEST_DIR"));
    of(file, &fs::read_to_string(path).expect("it is there"))
}

fn of(file: &str, text: &str) -> Value {
    let scratch = Scratch::new("one-file");
    let path = scratch.join(file);
    fs::create_dir_all(path.parent().expect("it has one")).expect("writable");
    fs::write(&path, text).expect("writable");
    let (value, code) = json("--root", &scratch);
    assert_eq!(code, Some(i32::from(value["state"] != "succeeded")), "{value:#}");
    assert!(!notes(&value).contains("CustomData was not delivered"), "{value:#}");
    value
}

#[test]
fn the_log_of_a_kubelet_proves_that_custom_data_was_delivered() {
    let log = fs::read_to_string(logs("ready/collect/journalctl_kubelet.txt")).expect("it is there");
    let value = of("kubelet.log", &log);
    assert_eq!(value["state"], "partial");
    assert!(value["summary"].as_str().is_some_and(|summary| summary.starts_with("The node is Ready")), "{value:#}");
    for proven in ["the kubelet starts, so CustomData was delivered", "the node is registered", "the node was Ready"] {
        assert!(notes(&value).contains(proven), "{proven}: {value:#}");
    }
    assert!(notes(&value).contains("missing: the result (provision.json), the log of the scripts"), "{value:#}");
    assert!(rows(&value).contains(&"kubelet writes its first line"), "{value:#}");
}

#[test]
fn a_result_of_scripts_that_could_not_be_started_has_its_cause() {
    let value = of_text("var/log/azure/aks/provision.json", "result-not-started");
    assert_eq!((value["state"].as_str(), value["code"].as_i64()), (Some("failed"), Some(-1)), "{value:#}");
    assert_eq!(value["summary"].as_str().map(|summary| &summary[.."Failed with -1".len()]), Some("Failed with -1"));
    let cause = value["explanation"]["causes"][0]["cause"].as_str().unwrap_or_default();
    assert!(cause.contains("could not be started"), "{value:#}");
    let unknown = of("provision.json", "{\"ExitCode\":\"-7\",\"Output\":\"\",\"Error\":\"\",\"ExecDuration\":\"0\"}");
    assert_eq!(unknown["summary"], "Failed with -7, an unknown code");
}

#[test]
fn one_text_has_its_layer_whatever_it_is() {
    for (file, text, state, layer) in [
        ("kubelet.log", "line-bootstrap-stat", "not-working", "kubelet"),
        ("kubelet.txt", "line-get-node-refused", "not-working", "registration"),
        ("serial-console.log", "mach-panic-azure", "failed", "machine"),
        ("console.txt", "ignition-no-filesystem", "failed", "user-data"),
        ("nodeclaim.yaml", "reg-nodeclaim-conditions", "not-working", "registration"),
        ("describe.txt", "describe-status-unknown", "not-working", "readiness"),
        ("error.json", "tf-sku", "failed", "request"),
        ("waagent.log", "agent-dvd", "failed", "machine"),
        ("cloud-init.log", "ci-schema", "failed", "user-data"),
        ("secure-tls-bootstrap.log", "stls-ca-missing", "not-working", "registration"),
    ] {
        let value = of_text(file, text);
        assert_eq!(
            (&value["state"], &value["explanation"]["layer"]),
            (&state.into(), &layer.into()),
            "{file}: {value:#}"
        );
        assert!(value["explanation"]["evidence"].is_string() && notes(&value).contains("missing: "), "{file}");
    }
}

#[test]
fn one_text_has_its_code_whatever_it_is() {
    for (file, text, code) in [
        ("handler.log", "handler-log-50", 50),
        ("response.json", "arm-details-50", 50),
        ("download/1/stdout", "traced-log-99", 99),
        ("status.txt", "instance-view-50", 50),
    ] {
        let value = of_text(file, text);
        assert_eq!((&value["state"], &value["code"]), (&"failed".into(), &code.into()), "{file}: {value:#}");
    }
}

#[test]
fn the_log_of_the_extension_is_in_the_timeline() {
    let value = of_text("handler.log", "handler-log-50");
    assert_eq!(rows(&value)[0], "extension runs the CSE command", "{value:#}");
    assert_eq!(value["timeline"][0]["time"], "2026-11-22T05:53:40.000Z");
    assert!(rows(&value).contains(&"extension has failed"), "{value:#}");
}

/// Messages of the kubelet: `cmd/kubelet/app/server.go`, `pkg/kubelet/kuberuntime/kuberuntime_manager.go`, `pkg/kubelet/kubelet.go`.
const KUBELET: &str = r#"I1224 08:10:24.512877    2210 server.go:530] "Kubelet version" kubeletVersion="v1.33.2"
I1224 08:10:25.100000    2210 kuberuntime_manager.go:279] "Container runtime initialized" containerRuntime="containerd" version="1.7.27" apiVersion="v1"
I1224 08:10:25.200000    2210 kubelet.go:2391] "Starting kubelet main sync loop"
E1224 08:10:26.300000    2210 kubelet_node_status.go:95] "Unable to register node with API server" err="Unauthorized" node="aks-nodepool1-0"
"#;

#[test]
fn a_kubelet_s_own_log_is_in_the_timeline_and_never_in_the_future() {
    let scratch = Scratch::new("kubelet-log");
    let path = scratch.join("kubelet.log");
    fs::write(&path, KUBELET).expect("writable");
    // 2026-03-01T00:00:00Z
    let written = SystemTime::UNIX_EPOCH + Duration::from_hours(492_312);
    File::options().write(true).open(&path).and_then(|file| file.set_modified(written)).expect("writable");
    let (value, _) = json("--root", &scratch);
    let expected = ["kubelet writes its first line", "container runtime is ready", "kubelet's main loop starts"];
    assert_eq!(rows(&value), expected, "{value:#}");
    assert_eq!(value["timeline"][0]["time"], "2025-12-24T08:10:24.512Z");
    assert_eq!(value["explanation"]["layer"], "registration");
    assert!(value["kubelet"][0].as_str().is_some_and(|line| line.contains("Unauthorized")), "{value:#}");
}

#[test]
fn a_hotfix_that_is_ignored_is_named() {
    let features = format!(
        "{}/testdata/scenarios/controller/ubuntu-24-04/auto/enabled_features.snap.sh",
        env!("CARGO_MANIFEST_DIR")
    );
    let features = fs::read_to_string(features).expect("it is there");
    let path = "opt/azure/containers/enabled_features.sh";
    let note = "/opt/azure/containers/enabled_features.sh has ENABLE_PROVISIONING_HOTFIX";
    assert!(notes(&of_controller(path, &features)).contains(note));
    assert!(!notes(&of_controller(path, &features.replace("true", "false"))).contains("HOTFIX"));
    let value = of_controller("opt/azure/containers/aks-node-controller-hotfix.json", "{}");
    assert!(notes(&value).contains("/opt/azure/containers/aks-node-controller-hotfix.json is ignored"), "{value:#}");
}

/// The diagnosis of a machine that has one file.
fn of_controller(file: &str, text: &str) -> Value {
    let scratch = Scratch::new("one-file-of-the-controller");
    let path = scratch.join(file);
    fs::create_dir_all(path.parent().expect("it has one")).expect("writable");
    fs::write(&path, text).expect("writable");
    json("--root", &scratch).0
}

/// Lines of a kubelet whose token is rejected, and of one whose node became Ready, with the day and the host.
fn journal(day: &str, host: &str, is_ready: bool) -> String {
    let last = if is_ready {
        "I1122 05:54:33.300000    1234 kubelet_node_status.go:501] \"Fast updating node status as it just became ready\""
    } else {
        "E1122 05:54:33.300000    1234 kubelet_node_status.go:95] \"Unable to register node with API server\" err=\"Unauthorized\""
    };
    format!(
        "Nov {day} 05:54:11 {host} kubelet[1234]: I1122 05:54:11.512877    1234 server.go:530] \"Kubelet version\" \
         kubeletVersion=\"v1.33.2\"\nNov {day} 05:54:33 {host} kubelet[1234]: {last}\n"
    )
}

fn of_files(files: &[(&str, &[u8])]) -> Value {
    let scratch = Scratch::new("several-files");
    for (file, content) in files {
        let path = scratch.join(file);
        fs::create_dir_all(path.parent().expect("it has one")).expect("writable");
        fs::write(&path, content).expect("writable");
    }
    json("--root", &scratch).0
}

#[test]
fn a_log_that_was_rotated_precedes_the_one_that_followed() {
    let (failed, ready) = (journal("21", "aks-1", false), journal("22", "aks-1", true));
    let value = of_files(&[("syslog", ready.as_bytes()), ("syslog.1", failed.as_bytes())]);
    assert!(value["summary"].as_str().is_some_and(|summary| summary.starts_with("The node is Ready")), "{value:#}");
    let value = of_files(&[("syslog", failed.as_bytes()), ("syslog.1", ready.as_bytes())]);
    assert_eq!(value["explanation"]["layer"], "registration", "{value:#}");
}

#[test]
fn a_compressed_log_has_its_rows_of_the_timeline() {
    let log = gzip(journal("22", "aks-1", false).as_bytes());
    let value = of_files(&[("kubelet.log.2.gz", &log)]);
    assert!(rows(&value).contains(&"kubelet writes its first line"), "{value:#}");
}

/// The form of `docs/JOURNAL_EXPORT_FORMATS.md` of <https://github.com/systemd/systemd>.
#[test]
fn a_journal_for_programs_has_its_rows_of_the_timeline() {
    let message = "I1122 05:54:11.512877    1234 server.go:530] \"Kubelet version\" kubeletVersion=\"v1.33.2\"";
    let export = format!(
        "__CURSOR=s=1\n__REALTIME_TIMESTAMP=1795326851512877\n_HOSTNAME=aks-1\nSYSLOG_IDENTIFIER=kubelet\n_PID=1234\n\
         MESSAGE={message}\n\n"
    );
    let entry = serde_json::json!({
        "__REALTIME_TIMESTAMP": "1795326851512877", "_HOSTNAME": "aks-1", "SYSLOG_IDENTIFIER": "kubelet", "_PID": "1234",
        "MESSAGE": message,
    });
    for (file, text) in [("journal.export", export), ("journal.json", format!("{entry}\n"))] {
        let value = of_files(&[(file, text.as_bytes())]);
        assert_eq!(rows(&value), ["kubelet writes its first line"], "{file}: {value:#}");
        assert_eq!(value["timeline"][0]["time"], "2026-11-22T05:54:11.512Z", "{file}");
        assert!(!notes(&value).contains("the kubelet's log"), "{file}: {value:#}");
    }
}

#[test]
fn logs_of_several_nodes_are_named() {
    let (failed, ready) = (journal("22", "aks-np-0", false), journal("22", "aks-np-1", true));
    let value = of_files(&[("0/kubelet.log", failed.as_bytes()), ("1/kubelet.log", ready.as_bytes())]);
    assert!(notes(&value).contains("of several nodes (aks-np-0, aks-np-1): pass the logs of one"), "{value:#}");
    let value = of_files(&[("0/kubelet.log", failed.as_bytes())]);
    assert!(!notes(&value).contains("several nodes"), "{value:#}");
}

#[test]
fn an_empty_log_proves_nothing() {
    let value = of_files(&[("kubelet.log", b"\n")]);
    assert!(!notes(&value).contains("proven"), "{value:#}");
}

#[test]
fn a_console_on_which_the_kernel_panics_does_not_prove_that_the_machine_boots() {
    let value = of_text("serial-console.log", "mach-panic-azure");
    assert_eq!(value["explanation"]["layer"], "machine");
    assert!(!notes(&value).contains("the machine boots"), "{value:#}");
}

#[test]
fn a_success_that_azure_shows_is_said() {
    let view = serde_json::json!({"extensions": [{"name": "vmssCSE", "type": "Microsoft.Azure.Extensions.CustomScript", "statuses": [{
        "code": "ProvisioningState/succeeded", "displayStatus": "Provisioning succeeded",
        "message": "Enable succeeded: \n[stdout]\n{ \"ExitCode\": \"0\", \"Output\": \"\", \"Error\": \"\" }\n[stderr]\n",
    }]}]});
    let value = of_files(&[("instance-view.json", view.to_string().as_bytes())]);
    assert_eq!(
        (&value["state"], &value["summary"]),
        (&"partial".into(), &"The provisioning succeeded, as Azure shows it".into())
    );
    assert!(notes(&value).contains("proven: the extension succeeded"), "{value:#}");
}
