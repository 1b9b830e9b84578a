//! `convert --from karpenter`: objects that cannot become a node, and those that can.

use std::fs;
use std::path::Path;

use serde_json::Value;

use super::{Run, run};
use crate::support::Scratch;

/// The kept objects with one text changed in one of them.
struct Objects(Scratch);

impl Objects {
    fn new(name: &str) -> Self {
        let directory = Scratch::new(name);
        let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/karpenter");
        for entry in kept.read_dir().expect("the objects are there") {
            let file = entry.expect("a readable entry").path();
            fs::copy(&file, directory.join(file.file_name().expect("a name"))).expect("scratch is writable");
        }
        Self(directory)
    }

    fn change(&self, file: &str, from: &str, to: &str) {
        let path = self.0.join(file);
        let text = fs::read_to_string(&path).expect("it was copied");
        assert!(text.contains(from), "{file} has no {from}");
        fs::write(path, text.replacen(from, to, 1)).expect("scratch is writable");
    }

    fn run(&self, more: &[&str]) -> Run {
        let file = |name: &str| self.0.join(name).to_str().expect("text").to_owned();
        let files = [
            ("--node-claim", file("node_claim.yaml")),
            ("--node-class", file("node_class.yaml")),
            ("--settings", file("settings.yaml")),
            ("--cluster", file("cluster.yaml")),
            ("--instance-type", file("instance_type.json")),
        ];
        let mut arguments = more.to_vec();
        for (flag, file) in &files {
            arguments.extend([*flag, file]);
        }
        run(&arguments)
    }
}

const CONVERT: &[&str] = &["convert", "--from", "karpenter"];

#[test]
fn an_object_that_breaks_a_rule_is_refused_with_its_place() {
    for (at, (file, from, to, message)) in [
        ("node_claim.yaml", "nodeClassRef:", "nodeClassReference:", "error: spec.nodeClassRef: is required"),
        ("node_class.yaml", "osDiskSizeGB: 128", "osDiskSizeGb: 128", "error: spec.osDiskSizeGb: is not a field of"),
        ("settings.yaml", "CLUSTER_NAME: ", "CLUSTER_NAEM: ", "error: CLUSTER_NAEM: is not a field of"),
        ("node_claim.yaml", "name: default}", "name: other}", "error: spec.nodeClassRef.name: names `other`"),
        (
            "node_claim.yaml",
            "kind: NodeClaim",
            "kind: Node",
            "node_claim.yaml:2:7: error: kind: must be NodeClaim or NodePool",
        ),
        ("node_claim.yaml", "status:", "---\nstatus:", "second document"),
        (
            "node_class.yaml",
            "osDiskSizeGB: 128",
            "osDiskSizeGB: 20",
            "node_class.yaml:8:17: error: spec.osDiskSizeGB: must be 30 to 2048",
        ),
        ("node_class.yaml", "imageFamily: Ubuntu", "imageFamily: Debian", "error: spec.imageFamily: must be one of"),
        ("node_class.yaml", "maxPods: 110", "maxPods: 5", "error: spec.maxPods: must be 10 to 250"),
        (
            "node_class.yaml",
            "vmMaxMapCount: 262144",
            "vmMaxMapCount: 5",
            "spec.linuxOSConfig.sysctls.vmMaxMapCount: must be",
        ),
        (
            "node_class.yaml",
            "imageFamily: Ubuntu",
            "imageFamily: Ubuntu2404\n  fipsMode: FIPS",
            "is not available with `Ubuntu2404`",
        ),
        ("node_class.yaml", "HighThresholdPercent: 85", "HighThresholdPercent: 80", "must be greater than"),
        (
            "node_class.yaml",
            "{vmMaxMapCount: 262144}",
            "{netCoreRmemDefault: 300000, netCoreRmemMax: 212992}",
            "must not be greater than",
        ),
        (
            "node_class.yaml",
            "{vmMaxMapCount: 262144}",
            "{netIPv4IPLocalPortRange: 1024}",
            "netIPv4IPLocalPortRange: must be a string",
        ),
        (
            "node_class.yaml",
            "{vmMaxMapCount: 262144}",
            "{netIPv4IPLocalPortRange: \"60000 40000\"}",
            "must be two ports",
        ),
        (
            "node_class.yaml",
            "  linuxOSConfig:",
            "  localDNS: {mode: Required, vnetDNSOverrides: [{zone: .}], kubeDNSOverrides: []}\n  linuxOSConfig:",
            "error: spec.localDNS.vnetDNSOverrides[0].queryLogging: is required",
        ),
        ("settings.yaml", "CLUSTER_NAME: karpenter", "NETWORK_PLUGIN: calico", "error: CLUSTER_NAME: is required"),
        ("settings.yaml", "/subnets/aks-subnet", "/subnets", "error: VNET_SUBNET_ID: must be a subnet id"),
        (
            "settings.yaml",
            "CLUSTER_ENDPOINT: https://",
            "CLUSTER_ENDPOINT: ",
            "error: CLUSTER_ENDPOINT: must be an absolute URL",
        ),
        ("cluster.yaml", "ca_bundle:", "certificate:", "error: ca_bundle: is required"),
        ("cluster.yaml", "64820317-nsg", "1234-nsg", "error: network_security_group_name: must be"),
    ]
    .into_iter()
    .enumerate()
    {
        let objects = Objects::new(&format!("broken-objects-{at}"));
        objects.change(file, from, to);
        for command in [CONVERT, &["generate"]] {
            let run = objects.run(command);
            assert_eq!((run.code, run.stdout.as_str()), (Some(1), ""), "{to}: {}", run.stderr);
            assert!(run.stderr.contains(message), "{to}: {}", run.stderr);
            assert!(!run.stderr.contains("q1w2e3"), "the token is shown: {}", run.stderr);
        }
    }
}

#[test]
fn the_inputs_of_the_objects_render_as_the_objects_do() {
    let objects = Objects::new("objects");
    let inputs = objects.run(CONVERT);
    assert_eq!(inputs.code, Some(0), "{}", inputs.stderr);
    let file = objects.0.join("inputs.json");
    fs::write(&file, &inputs.stdout).expect("scratch is writable");
    let by_file = run(&["generate", "--karpenter", file.to_str().expect("text"), "--format", "custom-data"]);
    let directly = objects.run(&["generate", "--format", "custom-data"]);
    assert_eq!((by_file.code, directly.code), (Some(0), Some(0)), "{}{}", by_file.stderr, directly.stderr);
    assert_eq!(by_file.stdout, directly.stdout);
}

#[test]
fn every_field_says_where_it_came_from_and_the_token_is_not_shown() {
    let run = Objects::new("explained").run(&[CONVERT, &["--explain"]].concat());
    let fields: Value = serde_json::from_str(&run.stdout).expect("JSON");
    let fields = fields.as_array().expect("a list");
    assert_eq!(fields.len(), 25);
    assert!(fields.iter().all(|field| !field["source"].as_str().expect("a text").is_empty()));
    assert!(!run.stdout.contains("q1w2e3"), "{}", run.stdout);
}

#[test]
fn a_kubeconfig_stands_for_the_cluster_and_a_pool_for_the_claim() {
    let objects = Objects::new("kubeconfig");
    let kubeconfig = "apiVersion: v1\nkind: Config\nclusters:\n- name: demo\n  cluster:\n    server: https://x.example.com\n    certificate-authority-data: Zm9v\ncontexts: []\nusers: []\n";
    fs::write(objects.0.join("cluster.yaml"), kubeconfig).expect("scratch is writable");
    let pool = "apiVersion: karpenter.sh/v1\nkind: NodePool\nmetadata: {name: general}\nspec:\n  template:\n    metadata: {labels: {team: shop}}\n    spec:\n      nodeClassRef: {group: karpenter.azure.com, kind: AKSNodeClass, name: default}\n";
    fs::write(objects.0.join("node_claim.yaml"), pool).expect("scratch is writable");
    let run = objects.run(CONVERT);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let inputs: Value = serde_json::from_str(&run.stdout).expect("JSON");
    assert_eq!(inputs["ca_bundle"], "Zm9v");
    assert_eq!(inputs["labels"]["karpenter.sh/nodepool"], "general");
    assert_eq!(inputs["labels"]["team"], "shop");
    assert!(run.stderr.contains("network_security_group_name: is not set"), "{}", run.stderr);
    let several = "apiVersion: v1\nkind: Config\nclusters:\n- {name: a, cluster: {server: 'https://a.example'}}\n\
        - {name: b, cluster: {server: 'https://b.example'}}\ncontexts:\n- {name: blue, context: {cluster: a}}\n\
        - {name: green, context: {cluster: b}}\n";
    fs::write(objects.0.join("cluster.yaml"), several).expect("scratch is writable");
    let run = objects.run(CONVERT);
    let hint = "--context NAME` prints one of the clusters; contexts: blue, green";
    assert!(run.code == Some(1) && run.stderr.contains(hint), "{}", run.stderr);
}

#[test]
fn the_launch_template_takes_the_first_compatible_image_of_the_status() {
    let objects = Objects::new("status-images");
    let image = |name: &str, version: &str, arch: &str, generation: &str| {
        let id = format!(
            "/CommunityGalleries/AKSUbuntu-38d80f77-467a-481f-a8d4-09b6d4220bd2/images/{name}/versions/{version}"
        );
        format!(
            "  - id: {id}\n    requirements:\n    - {{key: kubernetes.io/arch, operator: In, values: [{arch}]}}\n    \
             - {{key: karpenter.azure.com/sku-hyperv-generation, operator: In, values: ['{generation}']}}\n"
        )
    };
    let listed = [
        image("2404gen2arm64containerd", "202510.19.1", "arm64", "2"),
        image("2404gen2containerd", "202510.19.0", "amd64", "2"),
        image("2404containerd", "202510.18.0", "amd64", "1"),
        // Only the chosen image has to be one of the family.
        image("2604containerd", "202510.18.0", "amd64", "1"),
    ];
    let status = format!("status:\n  images:\n{}", listed.concat());
    objects.change("node_class.yaml", "status:\n", &status);
    let arguments = [CONVERT, &["--launch-template"]].concat();
    let run = objects.run(&arguments);
    let template: Value = serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("{error}: {}", run.stderr));
    let (id, images) = (&template["imageId"], &template["images"]);
    assert_eq!(images.as_array().map(Vec::len), Some(3), "{images}");
    assert!(id.as_str().is_some_and(|id| id.ends_with("images/2404gen2containerd/versions/202510.19.0")), "{id}");
    let run = objects.run(&[&arguments[..], &["--image-version", "202501.1.0"]].concat());
    assert!(run.stdout.contains("2404gen2containerd/versions/202501.1.0"), "{}", run.stdout);
    objects.change("node_class.yaml", "imageFamily: Ubuntu", "imageFamily: AzureLinux");
    let run = objects.run(&arguments);
    assert_eq!((run.code, run.stdout.as_str()), (Some(1), ""));
    assert!(run.stderr.contains("the status is older than the spec"), "{}", run.stderr);
}

#[test]
fn the_launch_template_names_an_image_or_says_that_its_version_is_not_given() {
    let objects = Objects::new("launch-template");
    let arguments = [CONVERT, &["--launch-template"]].concat();
    let template: Value = serde_json::from_str(&objects.run(&arguments).stdout).expect("JSON");
    let id = template["imageId"].as_str().expect("an id");
    assert!(id.starts_with("/CommunityGalleries/AKSUbuntu-") && id.ends_with("/versions/VERSION-NOT-GIVEN"), "{id}");
    assert_eq!(template["tags"]["cost_centre"], "4711");
    let arguments = [&arguments[..], &["--image-version", "202511.10.0"]].concat();
    let template: Value = serde_json::from_str(&objects.run(&arguments).stdout).expect("JSON");
    assert!(template["imageId"].as_str().expect("an id").ends_with("/images/2404gen2containerd/versions/202511.10.0"));
}

#[test]
fn the_objects_come_together_or_not_at_all() {
    let run = run(CONVERT);
    assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""));
    assert!(run.stderr.contains("--node-claim"), "{}", run.stderr);
}
