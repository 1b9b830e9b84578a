//! `generate --user-data`: a document of the user beside the node's own.

use std::fs;

use serde_json::{Value, json};

use super::{Run, run};
use crate::support::Scratch;

/// Generates with a document of the user.
fn with(document: impl AsRef<[u8]>, arguments: &[&str]) -> Run {
    let directory = Scratch::new("user-data");
    let file = directory.join("mine");
    fs::write(&file, document).expect("scratch is writable");
    let file = file.to_str().expect("text");
    run(&[&["generate", "--example", "ubuntu-azure-cni", "--user-data", file], arguments].concat())
}

#[test]
fn a_wrong_kind_says_what_it_is() {
    let cases: [(&[u8], &[&str], &str); 14] = [
        (b"", &[], "is empty"),
        (b"\x1f\x8b\x08\0", &[], "is gzip data; unpack it first"),
        (b"\xff\xfea\0", &[], "is UTF-16; convert it first"),
        (b"\xc3(", &[], "is not text in UTF-8"),
        (b"I2Nsb3VkLWNvbmZpZwo=", &[], "is base64; decode it first"),
        (b"write_files: []\n", &[], "is neither a cloud-config"),
        (b"## template: jinja\n#cloud-config\n", &[], "is a template"),
        (b"#include\nhttps://example.com/x\n", &[], "is a list of URLs"),
        (b"#cloud-config\nwrite_files: [\n", &[], "is a cloud-config that cloud-init ignores: "),
        (b"#cloud-config\njust a text\n", &[], "is not a mapping"),
        (b"#cloud-config\nruncmd: echo\nwrite_files:\n", &[], "must have a list in `write_files`, `runcmd`"),
        (b"{\"a\": 1}", &[], "JSON without `ignition.version`"),
        (b"{\"ignition\": {\"version\": \"3.3.0\"}}", &[], "cloud-init reads CustomData on `ubuntu`"),
        (
            b"Content-Type: multipart/mixed; boundary=\"x\"\n\n--x\nContent-Type: text/part-handler\n\n#\n--x--\n",
            &[],
            "part 1 is none of",
        ),
    ];
    for (document, arguments, expected) in cases {
        let found = with(document, arguments);
        assert_eq!((found.code, found.stdout.as_str()), (Some(1), ""), "{expected}: {}", found.stderr);
        assert!(found.stderr.contains(expected), "{expected}: {}", found.stderr);
    }
    let found = run(&["generate", "--example", "ubuntu-azure-cni", "--user-data", "x", "--batch"]);
    assert_eq!(found.code, Some(2), "{}", found.stderr);
}

#[test]
fn what_breaks_provisioning_is_a_warning_and_what_does_not_is_none() {
    let broken = "#cloud-config\npower_state: {mode: reboot}\nnetwork: {version: 2}\ngrowpart: {mode: off}\ncloud_final_modules: []\nusers:\n- name: me\n\
        write_files:\n- path: /opt/azure/containers/provision.sh\n  content: x\nbootcmd:\n- [systemctl, stop, kubelet]\nruncmd:\n- apt-get update && sudo reboot\n";
    let found = with(broken, &["--route", "scriptless"]);
    assert_eq!(found.code, Some(0), "{}", found.stderr);
    for words in [
        "`power_state` turns",
        "`network` has no effect",
        "`growpart` is off",
        "`cloud_final_modules` replaces",
        "`users` has no `default`",
        "/opt/azure/containers/provision.sh, which belongs to the node",
        "`bootcmd` has `systemctl stop kubelet`",
        "`runcmd` turns the machine off",
    ] {
        assert!(found.stderr.contains(words), "{words}: {}", found.stderr);
    }
    // What cloud-init does not know, it ignores.
    let misspelled =
        "#cloud-config\nrun_cmd: [ls]\npackges: [jq]\nmine: 1\nwrite_files:\n- {path: /x, contents: y, owner: a}\n";
    let found = with(misspelled, &["--route", "scriptless"]);
    assert_eq!(found.code, Some(0), "{}", found.stderr);
    for (key, meant) in [("run_cmd", "runcmd"), ("packges", "packages"), ("write_files[].contents", "content")] {
        let warning = format!("`{key}` is no key of a cloud-config, so cloud-init ignores it: did you mean `{meant}`?");
        assert!(found.stderr.contains(&warning), "{warning}: {}", found.stderr);
    }
    assert!(!found.stderr.contains("`mine`"), "{}", found.stderr);
    let fine = "#cloud-config\nusers: [default, {name: me}]\ngrowpart: {mode: auto}\nruncmd:\n- echo reboot later\n- systemctl restart cron\n# reboot\n";
    let found = with(fine, &["--route", "scriptless"]);
    assert!(!found.stderr.contains("warning: "), "{}", found.stderr);
    let script = with("#!/bin/sh\n/sbin/shutdown -r now\n", &[]);
    assert!(script.stderr.contains("a script turns the machine off"), "{}", script.stderr);
}

#[test]
fn ignition_documents_with_a_path_or_a_unit_of_the_node_are_an_error() {
    let arguments = ["--os", "flatcar", "--no-validate"];
    for route in ["scriptless", "scripted"] {
        let arguments = [&arguments[..], &["--route", route]].concat();
        let path = if route == "scriptless" {
            "/opt/azure/containers/aks-node-controller-config.json"
        } else {
            "/opt/azure/containers/provision.sh"
        };
        let document = serde_json::json!({"ignition": {"version": "3.3.0"}, "storage": {"files": [{"path": path}, {"path": "/etc/mine"}]}});
        let found = with(document.to_string(), &arguments);
        assert_eq!((found.code, found.stdout.as_str()), (Some(1), ""), "{}", found.stderr);
        assert!(found.stderr.contains(path) && !found.stderr.contains("/etc/mine"), "{}", found.stderr);
        let found = with("#cloud-config\n", &arguments);
        assert!(found.stderr.contains("Ignition reads CustomData on `flatcar`"), "{}", found.stderr);
        let masks = serde_json::json!({"ignition": {"version": "3.3.0"}, "systemd": {"units": [{"name": "containerd.service", "mask": true}]}});
        let found = with(masks.to_string(), &arguments);
        assert!(found.code == Some(0) && found.stderr.contains("masks containerd.service"), "{}", found.stderr);
    }
}

#[test]
fn the_result_stays_within_its_limit_and_has_one_form() {
    // Digits that do not compress well.
    let digits = (0..9000_u64).map(|at| format!("{:x}", at.wrapping_mul(0x9e37_79b9_7f4a_7c15)));
    let digits = digits.collect::<Vec<_>>().concat();
    let found = with(format!("#!/bin/sh\n# {digits}\n"), &["--route", "scripted"]);
    assert_eq!((found.code, found.stdout.as_str()), (Some(1), ""), "{}", found.stderr);
    assert!(found.stderr.contains("over the limit") && found.stderr.contains("  user data"), "{}", found.stderr);
    let script = "#!/bin/sh\necho gr\u{fc}n\r\n";
    let once = with(script, &["--route", "scriptless"]);
    assert_eq!(once.stdout, with(script, &["--route", "scriptless"]).stdout);
    let value: Value = serde_json::from_str(&once.stdout).expect("JSON");
    let inspected = super::run_with(&["inspect", "-", "--format", "json"], once.stdout.as_bytes());
    assert!(inspected.stdout.contains("aks-node-controller-config.json"), "{}", inspected.stdout);
    assert_eq!(value["route"], "scriptless");
}

#[test]
fn what_takes_from_the_node_what_it_needs_is_a_warning() {
    for (document, words) in [
        ("hostname: mine", "`hostname` changes the name of the machine"),
        ("fqdn: mine.example.com", "`fqdn` changes the name of the machine"),
        ("swap: {filename: /swap, size: 2G}", "`swap` adds swap"),
        ("mounts:\n- [/swap, none, swap, sw, '0', '0']", "`mounts` adds swap"),
        ("mounts:\n- [/dev/sdc1, /var/lib/kubelet]", "`mounts` has /var/lib/kubelet, which hides"),
        ("mounts:\n- [/dev/sdc1, /var/lib, ext4]", "`mounts` has /var/lib, which hides"),
        ("ca_certs: {remove_defaults: true}", "`ca_certs` removes the CAs of the image"),
        ("disable_ec2_metadata: true", "`disable_ec2_metadata` blocks the instance metadata"),
        ("resize_rootfs: false", "`resize_rootfs` is off"),
        ("packages:\n- [docker.io, 27.5.1]", "`packages` has docker.io, which replaces"),
        (
            "write_files:\n- {path: /etc/kubernetes/azure.json, content: x}",
            "has /etc/kubernetes/azure.json, which belongs",
        ),
        (
            "write_files:\n- {path: /etc/containerd/config.toml, content: x}",
            "has /etc/containerd/config.toml, which belongs",
        ),
        ("runcmd:\n- apt-get remove -y moby-containerd", "`runcmd` removes moby-containerd"),
        ("runcmd:\n- DEBIAN_FRONTEND=noninteractive apt-get install -y docker.io", "`runcmd` installs docker.io"),
        ("runcmd:\n- [bash, -c, 'dnf erase kubelet']", "`runcmd` removes kubelet"),
        ("runcmd:\n- [sh, -c, 'systemctl mask systemd-resolved']", "a node needs systemd-resolved"),
        ("runcmd:\n- sudo rm -rf /opt/azure/containers/*", "`runcmd` removes /opt/azure/containers"),
        ("runcmd:\n- hostnamectl set-hostname mine", "`runcmd` changes the name of the machine"),
        ("runcmd:\n- ufw --force enable", "`runcmd` has `ufw enable`"),
        ("runcmd:\n- iptables -P INPUT DROP", "`runcmd` has `iptables` with the policy `DROP`"),
        ("runcmd:\n- waagent -force -deprovision+user", "`runcmd` has `waagent -deprovision`"),
        ("runcmd:\n- service kubelet stop", "`runcmd` has `service kubelet stop`"),
        ("bootcmd:\n- swapon /swap", "`bootcmd` adds swap"),
        ("runcmd:\n- dnf -y remove WALinuxAgent", "`runcmd` removes WALinuxAgent"),
        ("runcmd:\n- systemctl enable --now firewalld", "`runcmd` has `systemctl enable firewalld`"),
        ("runcmd:\n- sudo -n systemctl stop kubelet", "a node needs kubelet"),
        ("bootcmd:\n- init 6", "`bootcmd` turns the machine off"),
    ] {
        let found = with(format!("#cloud-config\n{document}\n"), &["--route", "scriptless"]);
        assert_eq!(found.code, Some(0), "{document}: {}", found.stderr);
        assert!(found.stderr.contains(words), "{document}: {}", found.stderr);
    }
    let fine = "#cloud-config\nhostname: mine\npreserve_hostname: true\nswap: {size: 0}\nmounts:\n- [/dev/sdc1, /data]\n- [/dev/sdd1]\n\
        packages: [jq, [nmap, 7.9]]\nca_certs: {trusted: [x]}\nwrite_files:\n- {path: /etc/kubernetes/manifests/mine.yaml}\n\
        - {path: /etc/systemd/system/kubelet.service.d/90-mine.conf}\nruncmd:\n- apt-get install -y containerd-shim-spin\n\
        - rm -rf /var/lib/apt/lists/* /etc/kubernetes/manifests/old.yaml\n- hostname\n- iptables -P FORWARD ACCEPT\n\
        - [bash, -lc, 'echo \"init 6\"']\n- apt-get remove -y snapd\n- systemctl restart containerd\n";
    let found = with(fine, &["--route", "scriptless"]);
    assert!(found.code == Some(0) && !found.stderr.contains("warning: "), "{}", found.stderr);
    let found = with("variant: flatcar\nversion: 1.1.0\n", &[]);
    assert!(found.stderr.contains("`butane FILE`"), "{}", found.stderr);
}

#[test]
fn ignition_documents_that_take_from_the_node_what_it_needs_are_a_warning() {
    for (document, words) in [
        (json!({"systemd": {"units": [{"name": "kubelet.service", "enabled": false}]}}), "disables kubelet.service"),
        (
            json!({"systemd": {"units": [{"name": "waagent.service", "contents": "[Unit]"}]}}),
            "replaces waagent.service",
        ),
        (json!({"storage": {"files": [{"path": "/etc/kubernetes/azure.json"}]}}), "has /etc/kubernetes/azure.json"),
        (
            json!({"storage": {"filesystems": [{"device": "/dev/sdc", "path": "/var/lib/containerd"}]}}),
            "mounts a filesystem at /var/lib/containerd",
        ),
    ] {
        let mut document = document;
        document["ignition"] = json!({"version": "3.3.0"});
        let found = with(document.to_string(), &["--os", "flatcar", "--no-validate", "--route", "scriptless"]);
        assert!(found.code == Some(0) && found.stderr.contains(words), "{words}: {}", found.stderr);
    }
    for version in ["3.4", "3.9.0"] {
        let document = json!({"ignition": {"version": version}});
        let found = with(document.to_string(), &["--os", "flatcar", "--no-validate", "--route", "scriptless"]);
        let words = format!("has the version `{version}`, which Ignition does not read");
        assert!(found.code == Some(0) && found.stderr.contains(&words), "{words}: {}", found.stderr);
    }
    let fine = json!({
        "ignition": {"version": "3.3.0"},
        "storage": {"filesystems": [{"device": "/dev/sdc", "path": "/data"}]},
        "systemd": {"units": [{"name": "mine.service", "contents": "[Unit]"}, {"name": "kubelet.service", "dropins": []}]},
    });
    let found = with(fine.to_string(), &["--os", "flatcar", "--no-validate", "--route", "scriptless"]);
    assert!(found.code == Some(0) && !found.stderr.contains("warning: "), "{}", found.stderr);
}
