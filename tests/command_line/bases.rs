//! `--base`: Karpenter's objects over a Configuration that has what they do not say, and several files about a cluster.

use std::fs;

use serde_json::{Value, json};

use super::{Run, run};
use crate::support::Scratch;

const KEPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/testdata");

fn kept(name: &str) -> String {
    format!("{KEPT}/{name}")
}

fn read(name: &str) -> String {
    fs::read_to_string(kept(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// A directory with a Configuration without what Kubernetes 1.34 has removed, and a node class.
struct Files {
    directory: Scratch,
}

impl Files {
    fn new(name: &str, example: &str) -> Self {
        let directory = Scratch::new(name);
        let removed = ["--cloud-config:", "--streaming-connection-idle-timeout:"];
        let text = read(&format!("examples/{example}.yaml"));
        let kept: Vec<_> = text.lines().filter(|line| !removed.iter().any(|flag| line.contains(flag))).collect();
        fs::write(directory.join("base.yaml"), kept.join("\n")).expect("scratch is writable");
        fs::copy(self::kept("karpenter/node_class.yaml"), directory.join("class.yaml")).expect("scratch is writable");
        Self { directory }
    }

    fn path(&self, name: &str) -> String {
        self.directory.join(name).to_str().expect("text").to_owned()
    }

    fn change(&self, name: &str, from: &str, to: &str) {
        let text = fs::read_to_string(self.path(name)).expect("it was written");
        assert!(text.contains(from), "{name}: {from}");
        fs::write(self.path(name), text.replacen(from, to, 1)).expect("scratch is writable");
    }

    /// Runs a command with the objects and the Configuration.
    fn run(&self, command: &str, arguments: &[&str]) -> Run {
        let files = [kept("karpenter/node_claim.yaml"), self.path("class.yaml"), kept("karpenter_bundles/skus.json")];
        let base = self.path("base.yaml");
        let mut all = vec![command];
        all.extend(files.iter().map(String::as_str));
        all.extend(["--base", &base]);
        all.extend(arguments);
        run(&all)
    }

    fn done(&self, command: &str, arguments: &[&str]) -> Value {
        let made = self.run(command, arguments);
        assert_eq!(made.code, Some(0), "{command} {arguments:?}: {}", made.stderr);
        serde_json::from_str(&made.stdout).unwrap_or_else(|error| panic!("{error}: {}", made.stdout))
    }
}

#[test]
fn objects_replace_what_a_base_says_and_the_rest_stays() {
    let files = Files::new("base", "ubuntu-azure-cni");
    let base: Value = {
        let made = run(&["convert", &files.path("base.yaml")]);
        serde_json::from_str(&made.stdout).unwrap_or_else(|error| panic!("{error}: {}", made.stderr))
    };
    let merged = files.done("convert", &[]);
    for (pointer, expected) in [
        ("/kubernetes_version", json!("1.34.2")),
        ("/vm_size", json!("Standard_D4s_v5")),
        ("/custom_linux_os_config/sysctl_config/vm_max_map_count", json!(262_144)),
        ("/kubelet_config/kubelet_flags/--image-gc-high-threshold", json!("85")),
        ("/kubelet_config/kubelet_flags/--max-pods", json!("110")),
        ("/kubelet_config/kubelet_node_labels/karpenter.sh~1nodepool", json!("general")),
        // Downloads of the base are for its own version.
        ("/kube_binary_config/kube_binary_url", Value::Null),
    ] {
        assert_eq!(merged.pointer(pointer).unwrap_or(&Value::Null), &expected, "{pointer}");
    }
    let taints = merged["kubelet_config"]["kubelet_flags"]["--register-with-taints"].as_str().expect("a text");
    assert!(
        taints.contains("team=shop:NoSchedule") && taints.contains("karpenter.sh/unregistered:NoExecute"),
        "{taints}"
    );
    for pointer in [
        "/auth_config",
        "/api_server_config",
        "/bootstrapping_config",
        "/kubernetes_ca_cert",
        "/cluster_config",
        "/network_config",
        "/linux_admin_username",
        "/kubelet_config/kubelet_flags/--cluster-dns",
    ] {
        assert!(base.pointer(pointer).is_some() && base.pointer(pointer) == merged.pointer(pointer), "{pointer}");
    }
    // `convert` prints what the other commands read.
    let printed = files.path("merged.json");
    fs::write(&printed, merged.to_string()).expect("scratch is writable");
    for route in ["node-bootstrap-variables", "scriptless", "scripted"] {
        let rendered = files.done("generate", &["--route", route, "--format", "json"]);
        let again = run(&["generate", &printed, "--route", route, "--format", "json"]);
        assert_eq!(serde_json::from_str::<Value>(&again.stdout).ok(), Some(rendered), "{route}: {}", again.stderr);
    }
    // Other layers come after the objects.
    assert_eq!(files.done("convert", &["--set", "vm_size=Standard_D8s_v5"])["vm_size"], "Standard_D8s_v5");
    let explained = files.run("env", &["--explain", "SYSCTL_CONTENT"]);
    assert!(explained.stdout.contains("custom_linux_os_config.sysctl_config"), "{}", explained.stdout);
}

#[test]
fn settings_of_the_controller_replace_cluster_and_identity() {
    let files = Files::new("base-settings", "ubuntu-azure-cni");
    let (settings, cluster) = (kept("karpenter/settings.yaml"), kept("karpenter/cluster.yaml"));
    let merged = files.done("convert", &["--settings", &settings, "--cluster", &cluster]);
    let value = |name: &str| {
        let text = read("karpenter_bundles/settings.env");
        let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix('=').map(str::to_owned));
        Value::from(line.unwrap_or_else(|| panic!("{name}")))
    };
    for (pointer, name) in [
        ("/auth_config/subscription_id", "AZURE_SUBSCRIPTION_ID"),
        ("/auth_config/assigned_identity_id", "KUBELET_IDENTITY_CLIENT_ID"),
        ("/bootstrapping_config/tls_bootstrapping_token", "KUBELET_BOOTSTRAP_TOKEN"),
        ("/cluster_config/resource_group", "AZURE_NODE_RESOURCE_GROUP"),
    ] {
        assert_eq!(merged.pointer(pointer), Some(&value(name)), "{pointer}");
    }
    // Karpenter creates single VMs.
    assert_eq!(merged["cluster_config"]["vm_type"], "VM_TYPE_STANDARD");
    assert!(merged["cluster_config"].get("primary_scale_set").is_none());
}

#[test]
fn the_operating_system_of_a_node_class_has_its_effect() {
    let files = Files::new("base-os", "ubuntu-azure-cni");
    files.change(
        "class.yaml",
        "imageGCHighThresholdPercent: 85",
        "imageGCHighThresholdPercent: 85\n    failSwapOn: false",
    );
    files.change(
        "class.yaml",
        "    sysctls: {vmMaxMapCount: 262144}",
        "    swapFileSize: 1500M\n    transparentHugePageEnabled: madvise\n    transparentHugePageDefrag: defer+madvise\n    \
         sysctls: {vmMaxMapCount: 200000, netIPv4TCPTwReuse: true, netIPv4IPLocalPortRange: \"32768 60000\"}\n  localDNS:\n    \
         mode: Required\n    vnetDNSOverrides: [ZONE, ROOT]\n    kubeDNSOverrides: [ZONE, ROOT]",
    );
    let zone = "queryLogging: Error, protocol: PreferUDP, forwardDestination: ClusterCoreDNS, forwardPolicy: Random, \
                maxConcurrent: 1000, cacheDuration: 1h, serveStale: Verify, serveStaleDuration: 30m";
    for _ in 0..2 {
        files.change("class.yaml", "ZONE", &format!("{{zone: cluster.local, {zone}}}"));
    }
    for destination in ["VnetDNS", "ClusterCoreDNS"] {
        let zone = zone.replace("ClusterCoreDNS", destination);
        files.change("class.yaml", "ROOT", &format!("{{zone: ., {zone}}}"));
    }
    let environment = files.done("env", &["--format", "json"]);
    let sysctls = environment["SYSCTL_CONTENT"].as_str().expect("a text");
    let sysctls = base64(sysctls);
    for line in ["vm.max_map_count=200000\n", "net.ipv4.tcp_tw_reuse=1\n", "net.ipv4.ip_local_port_range=32768 60000\n"]
    {
        assert!(sysctls.contains(line), "{line}: {sysctls}");
    }
    for (name, expected) in [
        ("SHOULD_CONFIG_SWAP_FILE", "true"),
        // 1,500,000,000 bytes
        ("SWAP_FILE_SIZE_MB", "1431"),
        ("THP_ENABLED", "madvise"),
        ("THP_DEFRAG", "defer+madvise"),
        ("SHOULD_ENABLE_LOCALDNS", "true"),
    ] {
        assert_eq!(environment[name], expected, "{name}");
    }
    let corefile = base64(environment["LOCALDNS_COREFILE_BASE"].as_str().expect("a text"));
    for text in ["cluster.local:53 {", "max_concurrent 1000", "serve_stale 1800s verify"] {
        assert!(corefile.contains(text), "{text}: {corefile}");
    }
    let flags = environment["KUBELET_FLAGS"].as_str().expect("a text");
    for flag in ["--fail-swap-on=false", "--cluster-dns=169.254.10.11"] {
        assert!(flags.contains(flag), "{flag}: {flags}");
    }
}

fn base64(text: &str) -> String {
    use base64::Engine;
    let bytes = base64::engine::general_purpose::STANDARD.decode(text).expect("base64");
    String::from_utf8(bytes).expect("text")
}

#[test]
fn azure_container_linux_is_delivered_by_ignition() {
    let files = Files::new("base-acl", "flatcar");
    files.change("class.yaml", "imageFamily: Ubuntu", "imageFamily: AzureContainerLinux");
    for route in ["scriptless", "scripted"] {
        let made = files.done("generate", &["--route", route, "--format", "json"]);
        assert_eq!(made["os"], "acl", "{route}");
        let ignition = base64(made["customData"].as_str().expect("a text"));
        assert!(ignition.starts_with('{') && ignition.contains("\"ignition\""), "{route}");
        assert!(made["cse"].as_str().is_some_and(|command| !command.is_empty()), "{route}");
    }
    let refused = files.run("generate", &[]);
    assert!(refused.stderr.contains("needs cloud-init, which `acl` does not have"), "{}", refused.stderr);
    assert_eq!((refused.code, &*refused.stdout), (Some(1), ""));
    let labels = files.done("convert", &[])["kubelet_config"]["kubelet_node_labels"].clone();
    for label in ["os-sku", "os-sku-requested", "os-sku-effective"] {
        assert_eq!(labels[format!("kubernetes.azure.com/{label}")], "AzureContainerLinux", "{label}");
    }
}

#[test]
fn a_flag_that_the_version_of_the_objects_removed_is_named_with_its_line_in_the_base() {
    let files = Files::new("base-removed", "ubuntu-azure-cni");
    fs::copy(kept("examples/ubuntu-azure-cni.yaml"), files.path("base.yaml")).expect("scratch is writable");
    let text = read("examples/ubuntu-azure-cni.yaml");
    let line = text.lines().position(|line| line.contains("--cloud-config:")).expect("it is there") + 1;
    let made = files.run("generate", &[]);
    assert_eq!((made.code, &*made.stdout), (Some(1), ""), "{}", made.stderr);
    let message = "kubelet_config.kubelet_flags[\"--cloud-config\"]: was removed in Kubernetes 1.34";
    let found = made.stderr.lines().find(|line| line.contains(message)).unwrap_or_else(|| panic!("{}", made.stderr));
    assert!(found.contains(&format!("base.yaml:{line}:")), "{found}");
    // A finding about what an object says names the objects.
    let files = Files::new("base-objects", "ubuntu-azure-cni");
    files.change("base.yaml", "kubernetes_version:", "kubernetes_versoin:");
    let made = files.run("generate", &[]);
    assert!(made.stderr.contains("base.yaml:") && made.stderr.contains("kubernetes_versoin"), "{}", made.stderr);
    let made = run(&["generate", "--example", "flatcar", "--base", &files.path("base.yaml")]);
    assert_eq!((made.code, &*made.stdout), (Some(2), ""), "{}", made.stderr);
    let made = run(&["generate", &files.path("base.yaml"), "--base", &files.path("base.yaml")]);
    assert!(made.code == Some(2) && made.stderr.contains("--base needs Karpenter's objects"), "{}", made.stderr);
}

#[test]
fn several_files_about_a_cluster_are_rendered_as_new_reads_them() {
    let files =
        ["nodepool.json", "vmss.json", "kubeconfig-demo.yaml", "token.yaml", "azure-two-pools.json", "skus.json"];
    let files = files.map(|name| kept(&format!("new/{name}")));
    let with = |command: &str, arguments: &[&str]| {
        let mut all = vec![command];
        all.extend(files.iter().map(String::as_str));
        all.extend(arguments);
        run(&all)
    };
    let scratch = Scratch::new("drafted");
    let drafted = with("new", &[]);
    assert_eq!(drafted.code, Some(0), "{}", drafted.stderr);
    let document = scratch.join("node.yaml");
    fs::write(&document, &drafted.stdout).expect("scratch is writable");
    let document = document.to_str().expect("text");
    for (command, arguments) in
        [("generate", &["--route", "scriptless", "--format", "json"][..]), ("env", &[]), ("convert", &[])]
    {
        let made = with(command, arguments);
        let expected = run(&[&[command, document], arguments].concat());
        assert_eq!((made.code, &made.stdout), (expected.code, &expected.stdout), "{command}: {}", made.stderr);
        assert_eq!(made.code, Some(0), "{command}: {}", made.stderr);
    }
    // What is missing is an error with the command that prints it.
    let made = run(&["generate", &files[1], &files[4], &files[0]]);
    assert_eq!((made.code, &*made.stdout), (Some(1), ""), "{}", made.stderr);
    assert!(made.stderr.contains("kubernetes_ca_cert: contains the placeholder"), "{}", made.stderr);
    assert!(made.stderr.contains("kubectl config view --raw"), "{}", made.stderr);
    let made = run(&["generate", &kept("new/none-user-assigned.json"), &kept("new/kubeconfig-demo.yaml")]);
    assert!(made.code == Some(1) && made.stderr.contains("the files are of different clusters"), "{}", made.stderr);
}
