//! The copy of a cloud-config in the log bundle.

use std::fs;
use std::sync::LazyLock;

use super::Sandbox;
use crate::support::{needs, shipped};

static SHIPPED: LazyLock<String> = LazyLock::new(|| shipped("provision_redact_cloud_config.py"));

/// Returns the copy of a cloud-config.
fn copy(cloud_config: &str) -> String {
    let sandbox = Sandbox::new();
    let (from, to) = (sandbox.path("/run/from"), sandbox.path("/run/to"));
    fs::write(&from, cloud_config).expect("written");
    // As it is: the paths in it are those of the cloud-config.
    let script = sandbox.path("/run/program");
    fs::write(&script, &*SHIPPED).expect("written");
    let [script, from, to_text] = [&script, &from, &to].map(|path| path.to_str().expect("text"));
    let ended = sandbox.run("python3", &[script, "--cloud-config-path", from, "--output-path", to_text]);
    assert!(ended.status.success(), "{}", String::from_utf8_lossy(&ended.stderr));
    fs::read_to_string(&to).expect("it was written")
}

/// Secrets as cloud-configs have them, each with CANARY in it. Shapes come from the documentation of cloud-init
/// (<https://docs.cloud-init.io/en/latest/reference/examples.html>), Docker, kubeadm and Azure.
const SECRETS: [&str; 45] = [
    "runcmd:\n- docker login -u user -p CANARY registry.example",
    "runcmd:\n- [docker, login, -p, CANARY, registry.example]",
    "runcmd:\n- kubeadm join 10.0.0.1:6443 --token CANARY --discovery-token-ca-cert-hash sha256:0",
    "runcmd:\n- [kubeadm, join, '10.0.0.1:6443', --token, CANARY]",
    "runcmd:\n- [kubeadm, join, --token=CANARY]",
    "runcmd:\n- kubeadm join --token abcdef.0123456789canary",
    "runcmd:\n- export MY_TOKEN=CANARY",
    "runcmd:\n- DB_PASSWORD='two CANARY' run",
    "runcmd:\n- DB_PASSWORD=\"a\"'CANARY'x run",
    "runcmd:\n- DB_PASSWORD=$'CANARY' run",
    "runcmd:\n- DB_PASSWORD=a\\ CANARY run",
    "runcmd:\n- CLIENT_SECRET=a,CANARY run",
    "runcmd:\n- STORAGE_ACCOUNT_KEY=CANARY/aaa== run",
    "runcmd:\n- SERVICE_PRINCIPAL_FILE_CONTENT=x AAD_CLIENT_SECRET=CANARY run",
    "runcmd:\n- export REGISTRY_CREDENTIAL=CANARY",
    "runcmd:\n- curl -u user:CANARY https://h",
    "runcmd:\n- curl --user 'user:CANARY' https://h",
    "runcmd:\n- [curl, -u, 'user:CANARY', 'https://h']",
    "runcmd:\n- curl https://user:CANARY@h/a",
    "runcmd:\n- curl https://user:a/CANARY@h/a",
    "runcmd:\n- curl 'https://h/a?sv=1&sig=CANARY'",
    "runcmd:\n- 'curl -H \"Authorization: Bearer CANARY\" https://h'",
    "runcmd:\n- 'curl -H \"Proxy-Authorization: Basic CANARYaaaa\" https://h'",
    "runcmd:\n- 'echo DefaultEndpointsProtocol=https;AccountName=a;AccountKey=CANARY;EndpointSuffix=x'",
    "runcmd:\n- 'echo {\"token\":\"CANARY\"} >/f'",
    "runcmd:\n- 'echo \"{\\\"token\\\":\\\"CANARY\\\"}\" >/f'",
    "runcmd:\n- |\n  cat >/f <<EOF\n  password: a CANARY\n  EOF",
    "runcmd:\n- |\n  cat >/f <<EOF\n  -----BEGIN EC PRIVATE KEY-----\n  CANARY\n  -----END EC PRIVATE KEY-----\n  EOF",
    "bootcmd:\n- export NAME_TOKEN=CANARY",
    "bootcmd:\n- http_proxy=http://u:CANARY@h:3128 apt-get update",
    "users:\n- name: a\n  hashed_passwd: CANARY",
    "chpasswd:\n  list: |\n    root:CANARY",
    "ssh_keys:\n  rsa_private: |\n    CANARY",
    "apt:\n  http_proxy: http://u:CANARY@h",
    "swift:\n  access_key: CANARY",
    "puppet:\n  conf:\n    agent:\n      secret: [CANARY]",
    "write_files:\n- path: /etc/oras/config.yaml\n  content: CANARY",
    "write_files:\n- path: /f\n  content: |\n    A=1\n    NAME_TOKEN=CANARY",
    "write_files:\n- path: /f\n  content: |\n    <password>CANARY</password>",
    "write_files:\n- path: /f\n  content: |\n    {\"password\": [\"CANARY\"], \"a\": 1}",
    "write_files:\n- path: /f\n  content: |\n    token: |\n      CANARY\n    other: 1",
    "write_files:\n- path: /f\n  encoding: b64\n  content: TkFNRV9UT0tFTj1DQU5BUlk=",
    "write_files:\n- path: /f\n  encoding: gz+b64\n  content: broken-CANARY",
    "write_files:\n- CANARY",
    "runcmd:\n- SECRET_ACCESS_KEY=CANARY",
];

#[test]
fn a_copied_cloud_config_has_no_secret() {
    if !needs::command("python3", &["-c", "import yaml"], "python3-yaml") {
        return;
    }
    for cloud_config in SECRETS {
        let copy = copy(cloud_config);
        for canary in ["CANARY", "canary", "TkFNRV9UT0tFTj1DQU5BUlk"] {
            assert!(!copy.contains(canary), "{cloud_config}\nis copied as\n{copy}");
        }
    }
}

#[test]
fn what_is_no_secret_stays() {
    if !needs::command("python3", &["-c", "import yaml"], "python3-yaml") {
        return;
    }
    let kept = [
        "runcmd:\n- systemctl restart kubelet\n- [mkdir, -p, /opt/a]",
        "runcmd:\n- curl -fsSL https://h/a.tgz -o /tmp/a",
        "write_files:\n- path: /etc/motd\n  content: good morning",
        "write_files:\n- path: /f\n  encoding: b64\n  content: Z29vZCBtb3JuaW5n",
        "package_update: true",
        "write_files:\n- path: /f\n  content: '--authentication-token-webhook=true --rotate-certificates=true'",
    ];
    for cloud_config in kept {
        let copy = copy(cloud_config);
        assert!(!copy.contains("[redacted]"), "{cloud_config}\nis copied as\n{copy}");
    }
}
