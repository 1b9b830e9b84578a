//! Values in files whose syntax cannot quote them.

use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::support::{Scratch, needs, shipped};

/// Runs a step with the functions of the node's scripts. Returns its exit code and the file that it writes below `/etc`.
fn step(step: &str, variables: &[(&str, &str)], file: &str) -> (Option<i32>, Option<String>) {
    let scratch = Scratch::new("values");
    let root = scratch.display().to_string();
    let scripts = shipped("provision_source.sh") + &shipped("provision_configs.sh");
    let scripts = scripts.replace("/etc/", &format!("{root}/etc/")).replace("/var/log/azure", &root);
    let script =
        format!("set -uo pipefail; export LC_ALL=C\n{scripts}\n{}\n", step.replace("/etc/", &format!("{root}/etc/")));
    fs::write(scratch.join("script"), script).expect("written");
    let mut command = Command::new("bash");
    command.arg("--norc").arg(scratch.join("script")).envs(variables.iter().copied());
    let ended = command.output().expect("bash runs");
    (ended.status.code(), fs::read_to_string(scratch.join(file)).ok())
}

#[test]
fn limits_of_containerd_are_limits_only() {
    let run = |limits: &str| {
        step(
            "checkBaseInputs; setContainerdUlimits",
            &[
                ("CONTAINERD_ULIMITS", limits),
                ("SHOULD_CONFIG_CONTAINERD_ULIMITS", "true"),
                ("KUBERNETES_VERSION", "1.33.5"),
            ],
            "etc/systemd/system/containerd.service.d/set_ulimits.conf",
        )
    };
    for limits in ["[Service] LimitNOFILE=1048576", "[Service] LimitMEMLOCK=infinity LimitNOFILE=1024:524288 "] {
        let written = run(limits).1.expect("it is there");
        assert_eq!(written.split_whitespace().collect::<Vec<_>>(), limits.split_whitespace().collect::<Vec<_>>());
    }
    for limits in [
        "[Service] LimitNOFILE=1 User=nobody",
        "[Service] LimitNOFILE=1 ExecStartPre=sh",
        "[Service] LimitNOFILE=1\nUser=nobody",
        "[Unit] LimitNOFILE=1",
        "LimitNOFILE=1 infinity",
    ] {
        assert_eq!(run(limits), (Some(245), None), "{limits}");
    }
}

#[test]
fn a_registry_is_a_host_with_a_path_only() {
    let run = |name: &str, registry: &str| {
        let variables = [(name, registry), ("KUBERNETES_VERSION", "1.33.5")];
        let hosts = "etc/containerd/certs.d/mcr.microsoft.com/hosts.toml";
        step("checkBaseInputs; redirect_to_isolated_registry", &variables, hosts)
    };
    let server = "BOOTSTRAP_PROFILE_CONTAINER_REGISTRY_SERVER";
    let written = run(server, "mirror.azurecr.io:443/a/b-c_d/").1.expect("it is there");
    let table: toml::Table = toml::from_str(&written).expect("it is TOML");
    let hosts: Vec<_> = table["host"].as_table().expect("a table").keys().collect();
    assert_eq!(hosts, ["https://mirror.azurecr.io:443/v2/a/b-c_d"]);
    for (name, registry) in [
        (server, "mirror.azurecr.io/a\"]#"),
        (server, "a.io/x\n[host.y]"),
        (server, "a.io/x y"),
        (server, "a.io/;"),
        ("MCR_REPOSITORY_BASE", "a.io/\\"),
    ] {
        assert_eq!(run(name, registry), (Some(245), None), "{name}: {registry}");
    }
}

#[test]
fn a_setting_of_the_bootstrap_client_is_one_flag() {
    let run = |resource: &str| {
        let variables = [("SECURE_TLS_BOOTSTRAPPING_AAD_RESOURCE", resource), ("API_SERVER_NAME", "api.example")];
        step("put /etc/flags 0600 secure_tls_flags", &variables, "etc/flags")
    };
    assert!(run("").1.is_some_and(|flags| flags.contains("--aad-resource=6dae42f8-4368-4678-94ff-3960e28e3630")));
    assert!(run("a-b").1.is_some_and(|flags| flags.contains("--aad-resource=a-b") && !flags.contains("6dae42f8")));
    assert_eq!(run("a --apiserver-fqdn=evil.example"), (Some(1), None));
}

#[test]
fn a_kubeconfig_has_the_token_as_one_text() {
    const READ: &str = "import json, sys, yaml; print(json.dumps(yaml.safe_load(sys.stdin)))";
    if !needs::command("/usr/bin/python3", &["-c", "import yaml"], "python3-yaml") {
        return;
    }
    let names = |value: &Value| -> Vec<String> { value.as_object().expect("a map").keys().cloned().collect() };
    for token in
        ["a\"b", "a\\", "a: b", "a #b", "\"\n    x: y", "${x}", "{{x}}", "- a", "a\tb", "\u{1}\u{1b}\u{7f}", "é"]
    {
        let put = "put /etc/config 0600 kubeconfig user context token \"$TLS_BOOTSTRAP_TOKEN\"";
        let variables = [("TLS_BOOTSTRAP_TOKEN", token), ("API_SERVER_NAME", "api.example")];
        let written = step(put, &variables, "etc/config").1.expect("it is there");
        let ended = run("/usr/bin/python3", &["-c", READ], &written);
        let config: Value = serde_json::from_str(&ended).expect("it is YAML");
        assert_eq!(names(&config), ["apiVersion", "clusters", "contexts", "current-context", "kind", "users"]);
        assert_eq!(names(&config["users"][0]["user"]), ["token"], "{token:?}");
        assert_eq!(config["users"][0]["user"]["token"], token);
    }
}

/// Runs a program with a text on its standard input. Returns what it prints.
fn run(program: &str, arguments: &[&str], input: &str) -> String {
    let mut command = Command::new(program);
    let mut child = command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it starts");
    child.stdin.take().expect("a pipe").write_all(input.as_bytes()).expect("it reads");
    String::from_utf8(child.wait_with_output().expect("it ends").stdout).expect("text")
}
