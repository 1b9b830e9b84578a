//! The log bundle of the node: what is a secret is left out, whatever the tag of the machine asks for.

use std::fs;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::os::unix::fs::symlink;
use std::thread;

use super::Sandbox;
use crate::support::needs;

/// Files that are secrets by their name.
const BY_NAME: [&str; 38] = [
    "/etc/kubernetes/azure.json",
    "/etc/kubernetes/sp.txt",
    "/etc/kubernetes/certs/client.key",
    "/etc/oras/config.yaml",
    "/etc/shadow",
    "/etc/shadow-",
    "/etc/gshadow",
    "/etc/ssh/ssh_host_rsa_key",
    "/etc/ssh/ssh_host_ed25519_key",
    "/etc/environment",
    "/etc/apt/apt.conf.d/95proxy",
    "/etc/systemd/system.conf.d/proxy.conf",
    "/etc/krb5.keytab",
    "/etc/home/azureuser/.ssh/id_ed25519",
    "/etc/home/azureuser/.ssh/authorized_keys",
    "/etc/home/azureuser/id_rsa.bak",
    "/etc/home/azureuser/.docker/config.json",
    "/etc/home/azureuser/.netrc",
    "/etc/home/azureuser/.kube/config",
    "/etc/home/azureuser/.bash_history",
    "/opt/azure/containers/boothook.sh",
    "/opt/azure/containers/nodecustomdata.yml",
    "/opt/azure/containers/aks-node-controller-config.json",
    "/opt/azure/containers/aks-node-controller-nbc-cmd.sh",
    "/var/lib/waagent/ovf-env.xml",
    "/var/lib/waagent/TransportPrivate.pem",
    "/var/lib/waagent/Certificates.pem",
    "/var/lib/waagent/A1B2.prv",
    "/var/lib/waagent/A1B2.p12",
    "/var/lib/waagent/custom-script/download/0/script.sh",
    "/var/lib/cloud/instance/user-data.txt",
    "/var/lib/cloud/instance/scripts/part-001",
    "/var/lib/kubelet/bootstrap-kubeconfig",
    "/var/lib/kubelet/kubeconfig",
    "/var/lib/kubelet/pki/kubelet-client-current.pem",
    "/var/lib/kubelet/config.json",
    "/var/lib/kubelet/pods/0a1b/volumes/kubernetes.io~secret/db/password",
    "/mnt/aks/kubelet/pods/0a1b/volumes/kubernetes.io~projected/kube-api-access/token",
];

/// Contents that are secrets, or have one, under a harmless name.
const BY_CONTENT: [&str; 14] = [
    "-----BEGIN OPENSSH PRIVATE KEY-----\nCANARY\n-----END OPENSSH PRIVATE KEY-----\n",
    "CANARY\n-----END RSA PRIVATE KEY-----\n",
    "key: LS0tLS1CRUdJTiBQUklWQVRFIEtFWS0tLS0tCkNBTkFSWQ==\nCANARY\n",
    "apiVersion: v1\nkind: Config\nusers:\n- name: a\n  user:\n    token: CANARY\n",
    "users:\n- user:\n    client-key-data: CANARY\n",
    "{\"kind\":\"Config\",\"users\":[{\"user\":{\"token\":\"CANARY\"}}]}",
    "{\"auths\":{\"registry.example\":{\"auth\":\"CANARY\"}}}",
    "{\"aadClientId\":\"a\",\"aadClientSecret\":\"CANARY\"}",
    "join with abcdef.0123456789canary\n",
    "proxy http://user:CANARY@proxy.example:3128/\n",
    "GET https://a.blob.core.windows.net/c/b?sv=1&sig=CANARY\n",
    "> Proxy-Authorization: Basic CANARYaaaa\n",
    "export REGISTRY_PASSWORD='CANARY'\n",
    "Authorization: Bearer eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJDQU5BUlkifQ.CANARY\n",
];

/// Answers requests for the tags of the machine as the metadata service does. Returns the port.
fn metadata(tag: &str) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("it is bound").port();
    let body = serde_json::json!([{"name": "aks-log-collector", "value": tag}]).to_string();
    thread::spawn(move || {
        for stream in listener.incoming().flatten().take(1) {
            let mut stream = stream;
            let _ = stream.read(&mut [0; 4096]);
            let _ = write!(stream, "HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n{body}", body.len());
        }
    });
    port
}

#[test]
fn a_bundle_has_no_secret_whatever_the_tag_asks_for() {
    if !needs::programs(&[("python3", "python3"), ("gzip", "gzip")]) {
        return;
    }
    let sandbox = Sandbox::new();
    let put = |path: &str, content: &str| {
        let path = sandbox.path(path);
        fs::create_dir_all(path.parent().expect("it has one")).expect("created");
        fs::write(path, content).expect("written");
    };
    for path in BY_NAME {
        put(path, "CANARY");
    }
    for (number, content) in BY_CONTENT.iter().enumerate() {
        put(&format!("/etc/plain/{number}"), content);
        put(&format!("/var/log/azure/{number}.log"), content);
        put(&format!("/var/log/rotated/{number}.log"), content);
        let packed =
            sandbox.run("gzip", &[sandbox.path(&format!("/var/log/rotated/{number}.log")).to_str().expect("text")]);
        assert!(packed.status.success());
    }
    symlink(sandbox.path("/etc/oras/config.yaml"), sandbox.path("/var/log/azure/innocent.log")).expect("linked");
    fs::create_dir(sandbox.path("/etc/link")).expect("created");
    symlink(sandbox.path("/var/lib/kubelet"), sandbox.path("/etc/link/to")).expect("linked");
    let _ = sandbox.run("mkfifo", &[sandbox.path("/etc/plain/pipe").to_str().expect("text")]);
    put(
        "/etc/plain/kept",
        "a line\n--anonymous-auth=false --tls-private-key-file=/etc/kubernetes/certs/kubeletserver.key\n",
    );
    put("/var/log/azure/cluster-provision.log", "2026-11-23 step: 12 ms\n");
    // A command whose output has a secret.
    sandbox.stand_in("timeout", "echo 'kubelet --token CANARY --v=2'");

    let root = sandbox.path("/").display().to_string();
    let tag = serde_json::json!({"files": [format!("{root}/**"), format!("{root}/**/.*/**"), format!("{root}/**/.*")], "waagent_full": true});
    let script = sandbox.script("aks-log-collector.py");
    let text = fs::read_to_string(&script).expect("it was written");
    let address = format!("\"127.0.0.1\", {}, timeout=5", metadata(&tag.to_string()));
    fs::write(&script, text.replace("\"169.254.169.254\", timeout=5", &address)).expect("written");
    let bundle = sandbox.path("/run/bundle.zip");
    let ended = sandbox.run("python3", &[script.to_str().expect("text"), bundle.to_str().expect("text")]);
    assert!(ended.status.success(), "{}", String::from_utf8_lossy(&ended.stderr));

    let out = sandbox.path("/run/unpacked");
    let arguments = ["-m", "zipfile", "-e", bundle.to_str().expect("text"), out.to_str().expect("text")];
    assert!(sandbox.run("python3", &arguments).status.success());
    let found = sandbox.run("grep", &["-rilE", "canary|Q0FOQVJZ|DQU5BUl|kNBTkFSW", out.to_str().expect("text")]);
    assert_eq!(String::from_utf8_lossy(&found.stdout), "", "these have a secret");
    let below = |path: &str| fs::read_to_string(out.join(sandbox.path(path).strip_prefix("/").expect("absolute")));
    assert_eq!(below("/var/log/azure/cluster-provision.log").expect("it is there"), "2026-11-23 step: 12 ms\n");
    let kept = below("/etc/plain/kept").expect("it is there");
    assert!(
        kept.contains("--anonymous-auth=false --tls-private-key-file=/etc/kubernetes/certs/kubeletserver.key"),
        "{kept}"
    );
    // A log with a secret in a line is there without it.
    assert!(below("/var/log/azure/10.log").expect("it is there").contains("sig=[redacted]"));
}
