//! Image facts: `bake --facts` writes them, and the other commands use them. The machine of tests/provisioning runs into what is predicted.

use std::fs;
use std::io::Read;
use std::os::unix::fs::PermissionsExt;

use flate2::read::GzDecoder;
use serde_json::{Value, json};

use super::{Run, run};
use crate::support::Scratch;

const EXAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/testdata/examples/ubuntu-azure-cni.yaml");

/// The root of a prepared image.
fn image(name: &str, release: &str) -> Scratch {
    let root = Scratch::new(name);
    let put = |path: &str, content: &str, mode: u32| {
        let path = root.join(path);
        fs::create_dir_all(path.parent().expect("a directory")).expect("scratch is writable");
        fs::write(&path, content).expect("scratch is writable");
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).expect("it was written");
    };
    put("usr/lib/os-release", release, 0o644);
    put("opt/azure/vhd-install.complete", "", 0o644);
    put("usr/bin/containerd", "", 0o755);
    put("usr/bin/jq", "", 0o644);
    put("usr/lib/systemd/system/containerd.service", "", 0o644);
    put("opt/bin/kubelet-1.34.2", "", 0o755);
    for plugin in
        ["opt/cni/bin/bridge", "opt/cni/bin/loopback", "opt/cni/downloads/cni-plugins-linux-amd64-v1.6.2/host-local"]
    {
        put(plugin, "", 0o755);
    }
    put("usr/bin/bash", "\u{7f}ELF\u{2}\u{1}\u{1}\0\0\0\0\0\0\0\0\0\u{3}\0>\0", 0o755);
    put(
        "var/lib/dpkg/status",
        "Package: runc\nStatus: install ok installed\nVersion: 1.2.6\n\nPackage: moby-containerd\nStatus: install ok \
         installed\nVersion: 1.7.28-ubuntu24.04u2\n",
        0o644,
    );
    root
}

const UBUNTU: &str = "NAME=\"Ubuntu\"\nVERSION_ID=\"24.04\"\nID=ubuntu\nID_LIKE=debian\n";

fn bake(root: &Scratch, os: &str) -> (Run, String) {
    let facts = root.join("facts.json").to_str().expect("text").to_owned();
    (run(&["bake", "--root", root.to_str().expect("text"), "--os", os, "--facts", &facts]), facts)
}

fn read(path: &str) -> Value {
    serde_json::from_str(&fs::read_to_string(path).expect("it was written")).expect("JSON")
}

#[test]
fn bake_writes_what_is_on_the_image_and_lists_what_it_lacks() {
    let root = image("facts", UBUNTU);
    let (baked, path) = bake(&root, "ubuntu");
    assert_eq!(baked.code, Some(0), "{}", baked.stderr);
    let facts = read(&path);
    for (pointer, expected) in [
        ("/version", json!(1)),
        ("/os", json!({"name": "ubuntu", "id": "ubuntu", "versionId": "24.04", "variantId": ""})),
        ("/architecture", json!("amd64")),
        ("/prepared", json!(true)),
        ("/containerd", json!("1.7.28")),
        ("/kubelets", json!(["1.34.2"])),
        // `jq` cannot be executed.
        ("/programs", json!(["containerd"])),
        ("/cniPlugins", json!(["bridge", "host-local", "loopback"])),
        ("/gpuDrivers", Value::Null),
        ("/images", Value::Null),
    ] {
        assert_eq!(facts.pointer(pointer), Some(&expected), "{pointer}");
    }
    let files = facts["files"].as_array().expect("a list");
    assert!(files.contains(&json!("/opt/azure/containers/provision_configs.sh")), "{facts}");
    assert!(baked.stderr.contains("the image lacks `oras`: without it, the scripts with "), "{}", baked.stderr);
    assert!(baked.stderr.contains("end with code 211 (ERR_ORAS_PULL_NETWORK_TIMEOUT)"), "{}", baked.stderr);
    assert!(!baked.stderr.contains("dhcpv6"), "{}", baked.stderr);
    assert_eq!(bake(&root, "ubuntu").0.code, Some(0));
    assert_eq!(read(&path), facts, "the same image has the same facts");
    // Debian has the files of Ubuntu.
    let debian = image("facts-debian", "ID=debian\nVERSION_ID=\"12\"\n");
    let (baked, path) = bake(&debian, "debian");
    assert!(baked.code == Some(0) && !baked.stderr.contains("os-release"), "{}", baked.stderr);
    assert_eq!(read(&path)["os"]["name"], "debian");
    assert!(bake(&debian, "ubuntu").0.stderr.contains("note: os-release says `debian`"));
}

#[test]
fn diagnose_writes_what_is_on_the_machine() {
    let root = image("facts-diagnosed", UBUNTU);
    let (_, baked) = bake(&root, "ubuntu");
    let written = root.join("diagnosed.json").to_str().expect("text").to_owned();
    let made = run(&["diagnose", "--root", root.to_str().expect("text"), "--facts", &written]);
    assert!(made.code == Some(1) && !made.stdout.is_empty(), "{}", made.stderr);
    assert_eq!(read(&written), read(&baked));
    // Another program may know other fields.
    fs::write(root.join("opt/azure/containers/aks-node-controller"), "another").expect("scratch is writable");
    let made = run(&["diagnose", "--root", root.to_str().expect("text"), "--facts", &written]);
    assert_eq!(read(&written)["controller"], Value::Null, "{}", made.stderr);
    let made = run(&["diagnose", "--bundle", "x.tar", "--facts", &written]);
    assert_eq!((made.code, &*made.stdout), (Some(2), ""), "{}", made.stderr);
}

#[test]
fn bake_writes_nothing_to_an_image_of_another_family() {
    let root = image("facts-other", "ID=azurelinux\nVERSION_ID=3.0\n");
    let (baked, path) = bake(&root, "ubuntu");
    assert_eq!((baked.code, &*baked.stdout), (Some(1), ""), "{}", baked.stderr);
    assert!(baked.stderr.contains("os-release says `azurelinux`"), "{}", baked.stderr);
    assert!(!fs::exists(path).expect("readable") && !root.join("opt/azure/containers").exists());
    assert_eq!(bake(&root, "azurelinux").0.code, Some(0));
    // What cannot be read does not decide.
    for release in ["", "ID=plan9\n", "\u{0}\u{1b}[2J"] {
        assert_eq!(bake(&image("facts-odd", release), "ubuntu").0.code, Some(0), "{release:?}");
    }
}

#[test]
fn documents_are_rendered_and_judged_for_the_image() {
    let root = image("facts-used", UBUNTU);
    let (_, path) = bake(&root, "ubuntu");
    for command in ["env", "generate"] {
        let by_facts = run(&[command, EXAMPLE, "--image", &path]);
        let by_option = run(&[command, EXAMPLE, "--containerd-version", "1.7.28"]);
        assert_eq!((by_facts.code, &by_facts.stdout), (Some(0), &by_option.stdout), "{command}: {}", by_facts.stderr);
        assert!(!by_facts.stderr.contains("use --containerd-version"), "{}", by_facts.stderr);
        assert_ne!(by_facts.stdout, run(&[command, EXAMPLE]).stdout, "{command}");
        for (arguments, problem) in [
            (&["--containerd-version", "2.1.4"][..], "the image has containerd `1.7.28`"),
            (&["--os", "azurelinux", "--set", "kubelet_config.kubelet_node_labels=null"], "the image is for `ubuntu`"),
        ] {
            let made = run(&[&[command, EXAMPLE, "--image", &path], arguments].concat());
            assert_eq!((made.code, &*made.stdout), (Some(2), ""), "{command} {arguments:?}: {}", made.stderr);
            assert!(made.stderr.contains(problem), "{problem}: {}", made.stderr);
        }
    }
    let lacking = |arguments: &[&str]| {
        let made = run(&[&["validate", EXAMPLE, "--image", &path, "--format", "json"], arguments].concat());
        let report: Value =
            serde_json::from_str(&made.stdout).unwrap_or_else(|error| panic!("{error}: {}", made.stderr));
        let findings = report["findings"].as_array().expect("a list").iter();
        let lacking = findings.filter(|finding| finding["rule"] == "image-lacks").cloned();
        (made.code, lacking.collect::<Vec<_>>())
    };
    assert_eq!(lacking(&[]), (Some(0), Vec::new()));
    let (code, found) = lacking(&["--set", "enable_artifact_streaming=true"]);
    assert_eq!((code, found.len()), (Some(1), 3), "{found:?}");
    assert_eq!(found[0]["path"], "enable_artifact_streaming");
    assert!(found[0]["problem"].as_str().is_some_and(|text| text.contains("end with code 153")), "{found:?}");
    // What is wrong with another value hides nothing.
    let (code, found) = lacking(&["--set", "enable_artifact_streaming=true", "--set", "vm_size=two words"]);
    assert_eq!((code, found.len()), (Some(1), 3), "{found:?}");
    let (code, found) =
        lacking(&["--set", "kubelet_config.kubelet_node_labels={kubernetes.azure.com/os-sku: AzureLinux}"]);
    assert_eq!((code, found.len()), (Some(1), 1), "{found:?}");
    assert!(
        found[0]["problem"].as_str().is_some_and(|text| text.contains("but the image is for `ubuntu`")),
        "{found:?}"
    );
    let mut facts = read(&path);
    facts["architecture"] = "arm64".into();
    fs::write(&path, facts.to_string()).expect("scratch is writable");
    let (code, found) = lacking(&[]);
    assert_eq!((code, found.len()), (Some(1), 1), "{found:?}");
    assert_eq!(found[0]["path"], "vm_size");
    facts["architecture"] = "amd64".into();
    // An older controller knows fewer fields.
    facts["controller"]["fields"].as_array_mut().expect("a list").retain(|field| field != "vm_size");
    fs::write(&path, facts.to_string()).expect("scratch is writable");
    let (code, found) = lacking(&[]);
    assert_eq!((code, found.len()), (Some(0), 1), "{found:?}");
    assert_eq!((&found[0]["path"], &found[0]["severity"]), (&json!("vm_size"), &json!("warning")));
    fs::write(&path, "{\"version\": 1, \"os\": {}}").expect("scratch is writable");
    for command in ["validate", "env", "generate"] {
        let made = run(&[command, EXAMPLE, "--image", &path]);
        assert_eq!((made.code, &*made.stdout), (Some(1), ""), "{command}: {}", made.stderr);
        assert!(
            made.stderr.contains("facts.json: is not a file of image facts: missing field `id`"),
            "{}",
            made.stderr
        );
    }
}

/// containerd wrote the metadata of two images.
#[test]
fn a_pause_image_that_is_not_in_the_store_is_a_warning_with_the_code_of_an_isolated_cluster() {
    const WRITTEN: &[u8] = include_bytes!("../../testdata/containerd/metadata.gz");
    let root = image("facts-images", UBUNTU);
    let store = root.join("var/lib/containerd/io.containerd.metadata.v1.bolt/meta.db");
    fs::create_dir_all(store.parent().expect("a directory")).expect("scratch is writable");
    let mut metadata = Vec::new();
    GzDecoder::new(WRITTEN).read_to_end(&mut metadata).expect("it is compressed");
    fs::write(store, metadata).expect("scratch is writable");
    let (_, path) = bake(&root, "ubuntu");
    let kept = "mcr.microsoft.com/oss/v2/kubernetes/pause:3.6";
    assert_eq!(read(&path)["images"], json!(["mcr.microsoft.com/oss/kubernetes/kube-proxy:v1.34.2", kept]));
    let field = "kube_binary_config.pod_infra_container_image_url";
    let registry = "bootstrap_profile_container_registry_server=mirror.azurecr.io";
    for (tag, registry, expected) in [
        (kept.to_owned(), None, None),
        (kept.replace("3.6", "3.10"), None, Some("it is pulled before the node becomes Ready")),
        (
            kept.replace("3.6", "3.10"),
            Some(registry),
            Some("copy `mirror.azurecr.io/oss/v2/kubernetes/pause:3.10`, or end with code 233"),
        ),
    ] {
        let set = format!("{field}={tag}");
        let more: Vec<_> = registry.into_iter().flat_map(|registry| ["--set", registry]).collect();
        let verdict = run(&[&["validate", EXAMPLE, "--image", &path, "--set", &set][..], &more].concat());
        let has = |text: &str| verdict.stdout.lines().any(|line| line.contains(field) && line.contains(text));
        assert_eq!(has("[image-lacks]"), expected.is_some(), "{}", verdict.stdout);
        assert!(expected.is_none_or(has), "{}", verdict.stdout);
    }
}

#[test]
fn containerd_of_an_image_can_be_too_old_for_a_version_of_kubernetes() {
    let root = image("old-containerd", UBUNTU);
    let (baked, facts) = bake(&root, "ubuntu");
    assert_eq!(baked.code, Some(0), "{}", baked.stderr);
    let is_named = |version: &str, more: &[&str]| {
        let version = format!("kubernetes_version={version}");
        let found = run(&[&["validate", EXAMPLE, "--image", &facts, "--set", &version], more].concat());
        (found.stdout + &found.stderr).contains("is not supported with containerd 1.7.28 of the image")
    };
    assert!(is_named("1.36.0", &[]) && !is_named("1.35.1", &[]));
    assert!(!is_named("1.36.0", &["--set", "containerd_config.containerd_version=2.1.4"]));
}
