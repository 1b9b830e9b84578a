//! `diagnose --live` with real servers, and real TLS whose CA is made here.

use std::fs;
use std::path::Path;
use std::process::Command;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::Value;

use super::{PROGRAM, copy, logs};
use crate::support::servers::{Certificates, Network, Server, TOKEN, is_possible};
use crate::support::{Scratch, finish, write_program};

/// A node that knows its API server.
fn node(certificates: &Certificates, server: &str, token: &str) -> Scratch {
    let root = Scratch::new("live");
    copy(&logs("ready"), &root);
    let write = |path: &str, text: &str| {
        fs::create_dir_all(root.join(path).parent().expect("a directory")).expect("writable");
        fs::write(root.join(path), text).expect("writable");
    };
    // As provision_configs.sh writes it.
    let kubeconfig = format!(
        "apiVersion: v1\nkind: Config\nclusters:\n- name: localcluster\n  cluster:\n    certificate-authority: /etc/kubernetes/certs/ca.crt\n    \
         server: \"{server}\"\nusers:\n- name: kubelet-bootstrap\n  user:\n    token: \"{token}\"\n"
    );
    write("var/lib/kubelet/bootstrap-kubeconfig", &kubeconfig);
    write("etc/kubernetes/certs/ca.crt", &fs::read_to_string(certificates.path("ca.crt")).expect("readable"));
    root
}

/// Puts what is in a root over the directories of this machine, for one command: ROOT COMMAND...
const ON_THE_MACHINE: &str = r#"root=$1
shift
for directory in etc opt run var; do
    [ ! -d "$root/$directory" ] && continue
    mount -t overlay overlay -o "lowerdir=$root/$directory:/$directory" "/$directory" || exit 99
done
exec "$@""#;

/// A command on a machine with the files of a root.
fn on_the_machine(network: &Network, root: &Path) -> Command {
    let mut command = network.command("unshare");
    command.args(["--mount", "sh", "-c", ON_THE_MACHINE, "sh"]).arg(root);
    command
}

/// Runs the checks and returns verdict, detail and hint of each by name.
fn check(network: &Network, root: &Path) -> Value {
    let mut command = network.command(PROGRAM);
    command.args(["diagnose", "--live", "--format", "json", "--root"]).arg(root);
    checks(command)
}

/// As [`check`], on a machine with the files of the root.
fn check_machine(network: &Network, root: &Path) -> Value {
    let mut command = on_the_machine(network, root);
    command.args([PROGRAM, "diagnose", "--live", "--format", "json"]);
    checks(command)
}

fn checks(mut command: Command) -> Value {
    // No server of these tests is behind a proxy.
    command.env_remove("https_proxy").env_remove("HTTPS_PROXY");
    let ended = finish(&mut command);
    let text = String::from_utf8_lossy(&ended.stdout).into_owned();
    assert!(!text.contains(TOKEN), "{text}");
    let value: Value = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
    let checks = value["checks"].as_array().expect("a list").iter();
    checks.map(|check| (check["name"].as_str().unwrap_or_default().to_owned(), check.clone())).collect()
}

fn verdict<'c>(checks: &'c Value, name: &str) -> &'c str {
    checks[name]["verdict"].as_str().unwrap_or_else(|| panic!("{name} is missing: {checks:#}"))
}

#[test]
fn an_api_server_of_the_cluster_accepts_the_token() {
    if !is_possible() {
        return;
    }
    let network = Network::new();
    let certificates = Certificates::new();
    let server = certificates.api(&network, "0");
    let checks = check_machine(&network, &node(&certificates, &format!("https://localhost:{}", server.port), TOKEN));
    for name in ["API server: name", "API server: connection", "API server: TLS", "bootstrap token", "clock"] {
        assert_eq!(verdict(&checks, name), "ok", "{checks:#}");
    }
    // How full the disk of whoever tests is does not matter.
    let disk = checks["disk: /"]["detail"].as_str();
    assert!(disk.is_some_and(|detail| detail.ends_with("of the inodes are free")), "{checks:#}");
    assert_eq!(verdict(&checks, "proxy"), "not-checked");
    assert_eq!(verdict(&checks, "certificate of kubelet"), "not-checked");
}

#[test]
fn a_wrong_token_another_authority_and_a_clock_that_is_off_are_found() {
    if !is_possible() {
        return;
    }
    let network = Network::new();
    let certificates = Certificates::new();
    let server = certificates.api(&network, "0");
    let url = format!("https://localhost:{}", server.port);
    let root = node(&certificates, &url, "ghijkl.0123456789abcdef");
    let checks = check_machine(&network, &root);
    assert_eq!(
        (verdict(&checks, "API server: TLS"), verdict(&checks, "bootstrap token")),
        ("ok", "failed"),
        "{checks:#}"
    );
    assert!(checks["bootstrap token"]["detail"].as_str().is_some_and(|detail| detail.contains("401")), "{checks:#}");
    // One that says itself when it expired.
    let part = |text: &str| URL_SAFE_NO_PAD.encode(text);
    let token = format!("{}.{}.c2lnbmF0dXJl", part(r#"{"alg":"RS256"}"#), part(r#"{"exp":1700000000}"#));
    let checks = check_machine(&network, &node(&certificates, &url, &token));
    assert!(
        checks["bootstrap token"]["detail"].as_str().is_some_and(|detail| detail.contains("expired on 2023-11-14")),
        "{checks:#}"
    );
    // A node that has a certificate needs no token any more.
    fs::write(root.join("var/lib/kubelet/kubeconfig"), format!("    server: {url}\n")).expect("writable");
    assert_eq!(verdict(&check_machine(&network, &root), "bootstrap token"), "warning");

    fs::copy(certificates.path("other.crt"), root.join("etc/kubernetes/certs/ca.crt")).expect("writable");
    let checks = check_machine(&network, &root);
    let names = ["API server: TLS", "bootstrap token", "clock"];
    assert_eq!(names.map(|name| verdict(&checks, name)), ["failed", "not-checked", "ok"], "{checks:#}");
    assert!(checks["API server: TLS"]["hint"].as_str().is_some_and(|hint| hint.contains("CA")), "{checks:#}");

    for (offset, expected) in [("3600", "failed"), ("-150", "warning"), ("20", "ok")] {
        let server = certificates.api(&network, offset);
        let checks =
            check_machine(&network, &node(&certificates, &format!("https://127.0.0.1:{}", server.port), TOKEN));
        assert_eq!((verdict(&checks, "clock"), verdict(&checks, "bootstrap token")), (expected, "ok"), "{checks:#}");
    }
}

#[test]
fn closed_ports_mute_servers_and_unknown_names_are_found_within_the_limit() {
    if !is_possible() {
        return;
    }
    let network = Network::new();
    let certificates = Certificates::new();
    let mute = Server::start(&network, &["mute"]);
    let closed = {
        let server = Server::start(&network, &["mute"]);
        server.port
    };
    let names = ["API server: name", "API server: connection", "API server: TLS"];
    for (server, expected) in [
        (format!("https://127.0.0.1:{closed}"), ["ok", "failed", "failed"]),
        (format!("https://127.0.0.1:{}", mute.port), ["ok", "ok", "failed"]),
        ("https://nowhere.invalid:443".to_owned(), ["failed", "not-checked", "failed"]),
    ] {
        let checks = check(&network, &node(&certificates, &server, TOKEN));
        assert_eq!(names.map(|name| verdict(&checks, name)), expected, "{server}: {checks:#}");
    }
}

#[test]
fn without_curl_or_without_files_the_rest_is_checked() {
    if !is_possible() {
        return;
    }
    let network = Network::new();
    let root = Scratch::new("bare");
    fs::create_dir_all(root.join("var/log")).expect("writable");
    let checks = check(&network, &root);
    assert_eq!(verdict(&checks, "API server: name"), "not-checked");
    assert_ne!(verdict(&checks, "disk: /"), "not-checked");
    let certificates = Certificates::new();
    let root = node(&certificates, "https://127.0.0.1:1", TOKEN);
    let mut command = network.command("env");
    command.arg(format!("PATH={}", root.display())).args([PROGRAM, "diagnose", "--live", "--root"]).arg(&*root);
    let ended = finish(&mut command);
    let text = String::from_utf8_lossy(&ended.stdout).into_owned();
    assert!(text.contains("not checked  API server: TLS         ") && text.contains("curl is not installed"), "{text}");
    assert_eq!(ended.status.code(), Some(1), "nothing accepts connections");
}

#[test]
fn certificates_of_kubelet_registries_and_proxies_are_checked() {
    if !is_possible() {
        return;
    }
    let network = Network::new();
    let certificates = Certificates::new();
    let server = certificates.api(&network, "0");
    let root = node(&certificates, &format!("https://127.0.0.1:{}", server.port), TOKEN);
    let pki = root.join("var/lib/kubelet/pki");
    let name = "kubelet-client-2026-11-22-08-10-27.pem";
    fs::copy(certificates.path("server.crt"), pki.join(name)).expect("writable");
    let closed = {
        let server = Server::start(&network, &["mute"]);
        server.port
    };
    fs::write(root.join("etc/environment"), format!("HTTPS_PROXY=\"http://user:pass-word-1@127.0.0.1:{closed}/\"\n"))
        .expect("writable");
    let command = format!("BOOTSTRAP_PROFILE_CONTAINER_REGISTRY_SERVER=localhost:{} /bin/bash x\n", server.port);
    fs::create_dir_all(root.join("opt/azure/containers")).expect("writable");
    fs::write(root.join("opt/azure/containers/aks-node-controller-nbc-cmd.sh"), command).expect("writable");
    let checks = check(&network, &root);
    assert_eq!(verdict(&checks, "certificate of kubelet"), "ok", "{checks:#}");
    assert_eq!(verdict(&checks, "proxy"), "failed", "{checks:#}");
    assert!(!checks.to_string().contains("pass-word-1"), "{checks:#}");
    assert_eq!(verdict(&checks, "registry"), "failed", "its CA is unknown: {checks:#}");
    assert!(checks["registry"]["hint"].as_str().is_some_and(|hint| hint.contains("CA")), "{checks:#}");
    // Written in 2020 for a day.
    let expired = include_str!("../../testdata/diagnose/expired.pem");
    fs::write(pki.join(name), expired).expect("writable");
    assert_eq!(verdict(&check(&network, &root), "certificate of kubelet"), "failed");
}

#[test]
fn secrets_are_in_no_argument_and_no_variable_of_curl() {
    if !is_possible() {
        return;
    }
    let network = Network::new();
    let certificates = Certificates::new();
    let server = certificates.api(&network, "0");
    let root = node(&certificates, &format!("https://127.0.0.1:{}", server.port), TOKEN);
    let proxy = format!("HTTPS_PROXY=http://user:pass-word-1@127.0.0.1:{}/\n", server.port);
    fs::write(root.join("etc/environment"), proxy).expect("writable");
    // The real curl, after a record of how it was called.
    let curl = finish(Command::new("sh").args(["-c", "command -v curl"]));
    let curl = String::from_utf8_lossy(&curl.stdout).trim().to_owned();
    let record = root.join("record");
    let script = format!("#!/bin/sh\n{{ printf '%s\\n' \"$@\"; env; }} >>{}\nexec {curl} \"$@\"\n", record.display());
    write_program(&root.join("bin/curl"), &script);
    let path = format!("PATH={}:{}", root.join("bin").display(), std::env::var("PATH").unwrap_or_default());
    let mut command = on_the_machine(&network, &root);
    command.args(["env", &path, PROGRAM, "diagnose", "--live", "--format", "json"]);
    let ended = finish(&mut command);
    let text = String::from_utf8_lossy(&ended.stdout).into_owned();
    assert!(text.contains("the API server accepts it"), "{text}");
    let record = fs::read_to_string(record).expect("curl was called");
    assert!(record.contains("--config"), "{record}");
    for secret in [TOKEN, "pass-word-1"] {
        assert!(!record.contains(secret) && !text.contains(secret), "{record}{text}");
    }
}

#[test]
fn credentials_are_only_used_on_the_machine_and_for_the_server_beside_them() {
    if !is_possible() {
        return;
    }
    let network = Network::new();
    let certificates = Certificates::new();
    let root = node(&certificates, "https://127.0.0.1:1", TOKEN);
    let write = |path: &str, text: &str| fs::write(root.join(path), text).expect("writable");
    write("etc/environment", "HTTPS_PROXY=http://user:pass-word-1@127.0.0.1:1/\n");
    // Instead of curl, a record of how it was called and of its configuration.
    let record = root.join("record");
    let script = format!("#!/bin/sh\n{{ printf '%s\\n' \"$@\"; env; cat; }} >>{}\n", record.display());
    write_program(&root.join("bin/curl"), &script);
    let path = format!("PATH={}:{}", root.join("bin").display(), std::env::var("PATH").unwrap_or_default());
    let recorded = |mut command: Command| {
        command.args([PROGRAM, "diagnose", "--live", "--format", "json"]);
        let found = checks(command);
        let record = fs::read_to_string(&record).expect("curl was called");
        fs::remove_file(root.join("record")).expect("it exists");
        (found, record)
    };
    let below = || {
        let mut command = network.command("env");
        // The last one of a name counts.
        command.arg(&path).args(["sh", "-c", "exec \"$@\" --root \"$0\""]).arg(&*root);
        command
    };
    let (found, record) = recorded(below());
    assert!(record.contains("https://127.0.0.1:1/version"), "TLS is checked without credentials: {record}");
    for secret in [TOKEN, "pass-word-1", "user"] {
        assert!(!record.contains(&format!("{secret}:")) && !record.contains(&format!(" {secret}")), "{record}");
    }
    for name in ["bootstrap token", "node", "registry"] {
        let detail = found[name]["detail"].as_str().unwrap_or_default();
        assert!(verdict(&found, name) == "not-checked" && detail.contains("without --root"), "{name}: {found:#}");
    }
    let machine = || {
        let mut command = on_the_machine(&network, &root);
        command.args(["env", &path]);
        command
    };
    let (_, record) = recorded(machine());
    assert!(record.contains(TOKEN) && record.contains("pass-word-1"), "{record}");
    // The server of the other kubeconfig does not get it.
    write("var/lib/kubelet/bootstrap-kubeconfig", &format!("    token: \"{TOKEN}\"\n"));
    write("var/lib/kubelet/kubeconfig", "    server: https://127.0.0.1:1\n");
    let (found, record) = recorded(machine());
    assert!(record.contains("https://127.0.0.1:1/version") && !record.contains(TOKEN), "{record}");
    assert_eq!(verdict(&found, "bootstrap token"), "not-checked");
}

#[test]
fn the_services_of_the_platform_are_asked_as_they_want_it() {
    if !is_possible() {
        return;
    }
    let network = Network::new();
    let root = Scratch::new("platform");
    let names = ["metadata service", "wire server"];
    let checks = check(&network, &root);
    assert_eq!(names.map(|name| verdict(&checks, name)), ["failed", "failed"], "{checks:#}");
    let _server = Server::start(&network, &["platform"]);
    let checks = check(&network, &root);
    assert_eq!(names.map(|name| verdict(&checks, name)), ["ok", "ok"], "{checks:#}");
}
