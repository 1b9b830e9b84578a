//! `provision-wait --ready`: kubelet's certificate and the node object, with a real TLS server that knows nodes by certificate.
//!
//! The node objects are those of a kubelet 1.36 in tests/cluster, without what nobody reads here.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::process::Output;

use serde_json::Value;

use super::harness::{Node, PROGRAM, printed, text};
use crate::support::servers::{Certificates, Network, Server, is_possible};
use crate::support::{Running, Scratch, finish};

const READY: &str = include_str!("../../testdata/nodes/ready.json");
const NOT_READY: &str = include_str!("../../testdata/nodes/not-ready.json");
const KUBECONFIG: &str = include_str!("../../testdata/nodes/kubeconfig");

/// What the fixtures have as the name of the node.
const NAME: &str = "machine-test";

const RESULT: &str = r#"{"ExitCode":"0","Output":"made","Error":"","BootId":"b"}"#;

/// A provisioned machine and its cluster.
struct World {
    node: Node,
    network: Network,
    certificates: Certificates,
    server: Server,
    objects: Scratch,
}

impl World {
    fn new() -> Self {
        let (network, certificates, objects) = (Network::new(), Certificates::new(), Scratch::new("objects"));
        let server = certificates.api_with_node(&network, &objects.join("node.json"));
        let node = Node::new("");
        node.write("var/log/azure/aks/provision.json", &format!("{RESULT}\n"));
        node.write("opt/azure/containers/provision.complete", "");
        node.write("etc/kubernetes/certs/ca.crt", &fs::read_to_string(certificates.path("ca.crt")).expect("readable"));
        Self { node, network, certificates, server, objects }
    }

    /// Gives kubelet its certificate and its kubeconfig, as kubelet does when its request is granted.
    fn issue(&self) {
        let file = "var/lib/kubelet/pki/kubelet-client-2026-11-22-13-40-44.pem";
        self.node.write(file, &self.certificates.of_node(NAME));
        fs::set_permissions(self.node.path(file), fs::Permissions::from_mode(0o600)).expect("modes can be set");
        symlink(format!("/{file}"), self.node.path("var/lib/kubelet/pki/kubelet-client-current.pem")).expect("new");
        let url = format!("https://localhost:{}", self.server.port);
        let kubeconfig = KUBECONFIG.replace("https://node-test-4c7e19ab.hcp.westeurope.azmk8s.io:443", &url);
        assert_ne!(kubeconfig, KUBECONFIG);
        self.node.write("var/lib/kubelet/new", &kubeconfig);
        fs::rename(self.node.path("var/lib/kubelet/new"), self.node.path("var/lib/kubelet/kubeconfig"))
            .expect("renamed");
    }

    /// Gives the cluster the node object, of this boot or of another.
    fn report(&self, object: &str) {
        let boot = fs::read_to_string("/proc/sys/kernel/random/boot_id").expect("Linux has it");
        fs::write(self.objects.join("new"), object.replace("BOOT", boot.trim())).expect("writable");
        fs::rename(self.objects.join("new"), self.objects.join("node.json")).expect("renamed");
    }

    fn command(&self, arguments: &[&str]) -> std::process::Command {
        let mut command = self.network.command(PROGRAM);
        command.arg("provision-wait").args(arguments).arg("--root").arg(&*self.node.root);
        self.node.prepare(&mut command);
        command
    }

    fn run(&self, arguments: &[&str]) -> Output {
        finish(&mut self.command(arguments))
    }

    fn log(&self) -> Vec<String> {
        self.node.log().iter().map(|line| line["msg"].as_str().unwrap_or_default().to_owned()).collect()
    }
}

/// The members of `Ready` that do not change from run to run.
fn ready(output: &Output) -> [String; 3] {
    let document = printed(output);
    assert!(document["Ready"]["Seconds"].as_str().is_some_and(|text| text.parse::<u64>().is_ok()), "{document}");
    ["Certificate", "Node", "Name"].map(|name| document["Ready"][name].as_str().unwrap_or_default().to_owned())
}

fn reason(output: &Output) -> String {
    printed(output)["Ready"]["Reason"].as_str().unwrap_or_default().to_owned()
}

#[test]
fn a_node_that_becomes_ready_is_waited_for_and_the_result_stays() {
    if !is_possible() {
        return;
    }
    let world = World::new();
    let waiter = Running::start(&mut world.command(&["--ready=require", "--timeout", "100"]));
    let log = "var/log/azure/aks-node-controller.log";
    world.node.until("the waiter has begun", |node| node.exists(log));
    world.issue();
    world.node.until("the certificate is seen", |node| node.text(log).contains("kubelet has its certificate"));
    world.report(NOT_READY);
    world.report(READY);
    let ended = waiter.end();
    assert_eq!((ended.status.code(), ready(&ended)), (Some(0), ["True", "True", NAME].map(str::to_owned)));
    let printed = text(&ended.stdout);
    let rest = RESULT.strip_suffix('}').expect("an object");
    assert!(printed.starts_with(&format!("{rest},\"Ready\":{{")), "{printed}");
    assert!(printed.contains("\"Since\":\"2026-"), "{printed}");
    assert_eq!(world.node.text("var/log/azure/aks/provision.json"), format!("{RESULT}\n"));
    assert!(world.log().contains(&"the node is Ready".to_owned()), "{:?}", world.log());
    // Without the flag, nothing of it.
    let plain = world.run(&[]);
    assert_eq!((plain.status.code(), text(&plain.stdout)), (Some(0), format!("{RESULT}\n\n")));
}

/// What happens, the status of certificate and node after it, and the reason.
type Case<'a> = (&'a dyn Fn(), [&'a str; 2], &'a str);

#[test]
fn a_node_that_is_not_ready_is_a_failure_only_if_it_has_to_be_ready() {
    if !is_possible() {
        return;
    }
    let world = World::new();
    let arguments = |ready| [ready, "--timeout", "2"];
    let cases: [Case<'_>; 4] = [
        (&|| {}, ["False", "Unknown"], "the kubelet has no client certificate yet"),
        (&|| world.issue(), ["True", "False"], "the cluster has no node machine-test"),
        (
            &|| world.report(NOT_READY),
            ["True", "False"],
            "KubeletNotReady: [container runtime network not ready: NetworkReady=false",
        ),
        // The machine that had the name before was Ready.
        (
            &|| world.report(&READY.replace("BOOT", "11111111-2222-3333-4444-555555555555")),
            ["True", "False"],
            "belongs to an earlier boot",
        ),
    ];
    for (change, expected, why) in cases {
        change();
        let ended = world.run(&arguments("--ready"));
        assert_eq!(ended.status.code(), Some(0), "{why}");
        assert_eq!(ready(&ended)[..2], expected, "{why}");
        assert!(reason(&ended).contains(why), "{}", text(&ended.stdout));
        assert_eq!(printed(&ended)["ExitCode"], "0");
        // Plain, and as a message of Azure has it.
        for document in [text(&ended.stdout), Value::from(text(&ended.stdout)).to_string()] {
            world.node.write("document", &document);
            let document = world.node.path("document");
            let explained =
                finish(std::process::Command::new(PROGRAM).args(["explain", "--format", "json"]).arg(document));
            let explained = printed(&explained);
            assert_eq!(explained["name"], "ERR_NODE_NOT_READY", "{explained}");
            assert!(explained["evidence"].as_str().is_some_and(|evidence| evidence.contains(why)), "{explained}");
        }
    }
    let ended = world.run(&arguments("--ready=require"));
    let document = printed(&ended);
    assert_eq!((ended.status.code(), &document["ExitCode"]), (Some(246), &Value::from("246")));
    let error = document["Error"].as_str().unwrap_or_default();
    assert!(
        error.starts_with("provisioned, but the node is not Ready after ") && error.contains("an earlier boot"),
        "{error}"
    );
    let ended = world.run(&["--ready=require", "--timeout", "2", "--legacy-exit-code"]);
    assert_eq!(ended.status.code(), Some(1));
    let diagnosed = world.node.run(&["diagnose", "--format", "json"]);
    assert_eq!(printed(&diagnosed)["state"], "not-working", "{}", text(&diagnosed.stdout));
    assert!(
        text(&diagnosed.stdout).contains("but the node is not Ready: node machine-test belongs to an earlier boot")
    );
    world.report(READY);
    assert_eq!(world.run(&["--ready"]).status.code(), Some(0));
    assert_eq!(printed(&world.node.run(&["diagnose", "--format", "json"]))["state"], "succeeded");
}

#[test]
fn a_failure_stays_and_says_how_far_the_node_is() {
    if !is_possible() {
        return;
    }
    let world = World::new();
    world.node.write("var/log/azure/aks/provision.json", r#"{"ExitCode":"50","Error":"no way out"}"#);
    for mode in ["--ready", "--ready=require"] {
        // It does not wait: the limit of a test would end it.
        let ended = world.run(&[mode, "--timeout", "100000"]);
        assert_eq!(
            (ended.status.code(), reason(&ended)),
            (Some(50), "the kubelet has no client certificate yet".to_owned())
        );
        assert_eq!(printed(&ended)["Error"], "no way out");
    }
}

#[test]
fn what_cannot_be_known_is_unknown_and_says_why() {
    if !is_possible() {
        return;
    }
    let world = World::new();
    world.issue();
    world.report(READY);
    let kubeconfig = world.node.text("var/lib/kubelet/kubeconfig");
    let arguments = ["--ready", "--timeout", "1"];
    let check = |certificate: &str, why: &str| {
        let ended = world.run(&arguments);
        assert_eq!(ready(&ended)[..2], [certificate, "Unknown"], "{why}");
        assert!(reason(&ended).contains(why), "{why}: {}", text(&ended.stdout));
    };
    // Another server, another CA, a certificate that is gone, one that has expired, and no curl.
    world.node.write("var/lib/kubelet/kubeconfig", &kubeconfig.replace(&world.server.port.to_string(), "1"));
    check("True", "the API server does not answer: ");
    world.node.write("var/lib/kubelet/kubeconfig", &kubeconfig);
    let authority = world.node.text("etc/kubernetes/certs/ca.crt");
    let other = fs::read_to_string(world.certificates.path("other.crt")).expect("readable");
    world.node.write("etc/kubernetes/certs/ca.crt", &other);
    check("True", "the API server does not answer: ");
    world.node.write("etc/kubernetes/certs/ca.crt", &authority);
    assert_eq!(ready(&world.run(&arguments))[1], "True", "the rest is right");
    let file = "var/lib/kubelet/pki/kubelet-client-2026-11-22-13-40-44.pem";
    world.node.write(file, include_str!("../../testdata/diagnose/expired.pem"));
    check("False", "the kubelet's client certificate expired on 2020-");
    world.node.write(file, "no certificate");
    check("False", "contains no readable certificate");
    fs::remove_file(world.node.path(file)).expect("it was there");
    check("False", "in the kubelet's kubeconfig does not exist");
}

#[test]
fn a_prepared_image_is_no_node() {
    let node = Node::new(
        "mkdir -p $ROOT/var/log/azure/aks
echo '{\"ExitCode\":\"0\"}' >$ROOT/var/log/azure/aks/provision.json
: >$ROOT/opt/azure/containers/base_prep.complete
",
    );
    let configuration = node.text("opt/azure/containers/aks-node-controller-config.json");
    let mut configuration: Value = serde_json::from_str(&configuration).expect("JSON");
    configuration["preProvisionOnly"] = true.into();
    node.write("opt/azure/containers/aks-node-controller-config.json", &configuration.to_string());
    assert_eq!(node.provision().status.code(), Some(0));
    let ended = node.run(&["provision-wait", "--ready=require"]);
    let expected = "{\"ExitCode\":\"0\",\"Delivery\":{\"way\":\"custom-data\"}}";
    assert_eq!((ended.status.code(), text(&ended.stdout).trim()), (Some(0), expected));
}
