//! `diagnose --bundle-out`: what goes into a ticket has no secret, and says the same as the machine.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output};

use aks_node_controller::catalogue::variables::VARIABLES;
use aks_node_controller::configuration::{Configuration, Message, SlotMut};
use base64::Engine;
use base64::alphabet::STANDARD as ALPHABET;
use base64::engine::DecodePaddingMode;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig, STANDARD};
use flate2::read::MultiGzDecoder;
use serde_json::Value;

use super::{PROGRAM, copy, json, logs};
use crate::support::{Scratch, finish, gzip};

fn write_bundle(flag: &str, of: &Path, to: &Path) -> Output {
    finish(Command::new(PROGRAM).args(["diagnose", flag]).arg(of).arg("--bundle-out").arg(to))
}

/// The files of a bundle, by name.
fn unpacked(bundle: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut archive = tar::Archive::new(MultiGzDecoder::new(fs::File::open(bundle).expect("it was written")));
    let entries = archive.entries().expect("a tar archive").map(|entry| {
        let mut entry = entry.expect("an entry");
        let name = entry.path().expect("a path").display().to_string();
        let mut content = Vec::new();
        entry.read_to_end(&mut content).expect("its content");
        assert_eq!(entry.header().mode().ok(), Some(0o600), "{name}");
        (name, content)
    });
    entries.collect()
}

#[test]
fn a_bundle_says_the_same_as_the_machine_and_only_its_owner_can_read_it() {
    let scratch = Scratch::new("bundle");
    for name in ["failed", "ready", "loose", "no-custom-data"] {
        let (file, again) = (scratch.join(format!("{name}.tar.gz")), scratch.join("again.tar.gz"));
        let ended = write_bundle("--root", &logs(name), &file);
        let stderr = String::from_utf8_lossy(&ended.stderr).into_owned();
        assert!(stderr.starts_with("note: ") && stderr.contains("texts without secrets"), "{stderr}");
        assert_eq!(fs::metadata(&file).expect("it was written").permissions().mode() & 0o7777, 0o600);
        let (of_machine, of_bundle) = (json("--root", &logs(name)), json("--bundle", &file));
        assert_eq!(of_bundle, of_machine, "{name}");
        assert_eq!(of_bundle.1, ended.status.code(), "the exit code is that of the diagnosis");
        write_bundle("--root", &logs(name), &again);
        assert_eq!(fs::read(&again).expect("written"), fs::read(&file).expect("written"), "the same bytes");
        let files = unpacked(&file);
        let shown = files.get("aks-node-diagnosis/diagnosis.json").expect("it has the diagnosis");
        let shown: Value = serde_json::from_slice(shown).expect("JSON");
        assert_eq!(shown, of_machine.0, "{name}");
        assert!(files.contains_key("aks-node-diagnosis/diagnosis.txt"));
        assert!(files.contains_key("aks-node-diagnosis/left-out.txt"));
    }
    let ended = write_bundle("--root", &logs("ready"), &scratch.join("no.tar.gz/below/a/file"));
    assert_eq!(ended.status.code(), Some(0), "missing directories are created");
    let ended = write_bundle("--root", &logs("ready"), Path::new("/proc/nowhere/file"));
    assert_eq!(ended.status.code(), Some(1));
}

/// Finds canaries in bytes, whatever they are packed in.
struct Search<'c> {
    canaries: &'c BTreeMap<String, String>,
    found: Vec<String>,
}

const LENIENT: GeneralPurpose = GeneralPurpose::new(
    &ALPHABET,
    GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true),
);

impl Search<'_> {
    fn look(&mut self, place: &str, bytes: &[u8], depth: usize) {
        let has = |part: &str| bytes.windows(part.len()).any(|window| window == part.as_bytes());
        for (name, canary) in self.canaries {
            if has(canary) {
                self.found.push(format!("{name} in {place}"));
            }
        }
        if depth == 0 {
            return;
        }
        if bytes.starts_with(&[0x1f, 0x8b]) {
            let mut plain = Vec::new();
            let _ = MultiGzDecoder::new(bytes).read_to_end(&mut plain);
            return self.look(&format!("{place} > gzip"), &plain, depth - 1);
        }
        let text = String::from_utf8_lossy(bytes).into_owned();
        for (form, plain) in [("JSON", unescaped(&text)), ("URL", unpercented(&text)), ("hex", unhexed(&text))] {
            if plain != bytes && !plain.is_empty() {
                self.look(&format!("{place} > {form}"), &plain, depth - 1);
            }
        }
        let is_base64 = |character: char| character.is_ascii_alphanumeric() || "+/=-_".contains(character);
        let unwrapped = text.replace(['\n', '\r'], "");
        for text in [&text, &unwrapped] {
            for run in text.split(|character: char| !is_base64(character)).filter(|run| run.len() >= 12) {
                let run = run.trim_end_matches('=').replace('-', "+").replace('_', "/");
                for start in 0..4.min(run.len()) {
                    let run = &run[start..];
                    let run = if run.len() % 4 == 1 { &run[..run.len() - 1] } else { run };
                    if let Ok(plain) = LENIENT.decode(run) {
                        // Most of what can be decoded is a word.
                        let is_text = plain.iter().filter(|byte| byte.is_ascii_graphic()).count() * 3 > plain.len() * 2;
                        if is_text || plain.starts_with(&[0x1f, 0x8b]) {
                            self.look(&format!("{place} > base64"), &plain, depth - 1);
                        }
                    }
                }
            }
        }
    }
}

fn unescaped(text: &str) -> Vec<u8> {
    text.replace("\\\\", "\u{0}")
        .replace("\\n", "\n")
        .replace("\\\"", "\"")
        .replace("\\/", "/")
        .replace("\\u0026", "&")
        .replace('\u{0}', "\\")
        .into_bytes()
}

fn unpercented(text: &str) -> Vec<u8> {
    let mut out = Vec::new();
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let code = bytes.get(at + 1..at + 3).and_then(|code| std::str::from_utf8(code).ok());
        let code = code.and_then(|code| u8::from_str_radix(code, 16).ok()).filter(|_| bytes[at] == b'%');
        let plain = if bytes[at] == b'+' { b' ' } else { bytes[at] };
        out.push(code.unwrap_or(plain));
        at += if code.is_some() { 3 } else { 1 };
    }
    out
}

/// The bytes of a text in hexadecimal, with a mark before each.
fn hexadecimal(text: &str, mark: &str) -> String {
    text.bytes().fold(String::new(), |mut out, byte| {
        let _ = write!(out, "{mark}{byte:02x}");
        out
    })
}

fn unhexed(text: &str) -> Vec<u8> {
    let runs = text
        .split(|character: char| !character.is_ascii_hexdigit())
        .filter(|run| run.len() >= 24 && run.len() % 2 == 0);
    let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).unwrap_or("00"), 16).unwrap_or(0);
    runs.flat_map(|run| run.as_bytes().chunks(2).map(byte).chain([b'\n']).collect::<Vec<_>>()).collect()
}

/// A machine with a canary in every place that has a secret, and logs that show all of them in every form.
struct Machine {
    root: Scratch,
    canaries: BTreeMap<String, String>,
}

impl Machine {
    fn write(&self, path: &str, content: &[u8]) {
        let path = self.root.join(path);
        fs::create_dir_all(path.parent().expect("a directory")).expect("scratch is writable");
        fs::write(path, content).expect("scratch is writable");
    }

    /// A canary of a kind that nothing recognizes as a secret by its form.
    fn canary(&mut self, name: &str) -> String {
        let number = self.canaries.len();
        let canary = format!("Canary!{number}\"q'w/r&{number}\\ x");
        self.canaries.insert(name.to_owned(), canary.clone());
        canary
    }

    /// The same as a word, for places that have no more than words.
    fn word(&mut self, name: &str) -> String {
        let canary = format!("canary-word-{}", self.canaries.len());
        self.canaries.insert(name.to_owned(), canary.clone());
        canary
    }

    /// A bootstrap token.
    fn token(&mut self, name: &str) -> String {
        let canary = format!("canary.0123456789cana{:02}", self.canaries.len());
        self.canaries.insert(name.to_owned(), canary.clone());
        canary
    }

    fn new() -> Self {
        let mut machine = Self { root: Scratch::new("canaries"), canaries: BTreeMap::new() };
        copy(&logs("failed"), &machine.root);
        machine.inputs();
        machine.files();
        machine.logs();
        machine
    }

    fn configuration(&mut self, origin: &str) -> Configuration {
        let example = include_str!("../../testdata/examples/http-proxy-own-ca.yaml");
        let mut configuration = Configuration::from_document(example.as_bytes()).expect("it decodes").configuration;
        assert_eq!(self.plant(&mut configuration, origin), 6, "the contract has six secrets");
        configuration
    }

    fn plant(&mut self, message: &mut dyn Message, origin: &str) -> usize {
        let mut count = 0;
        for (index, field) in message.descriptor().fields.iter().enumerate() {
            let name = format!("{origin} {}", field.name);
            let mut value = || match field.name {
                "http_proxy" | "https_proxy" => format!("http://user:{}@proxy:3128/", self.word(&name)),
                "tls_bootstrapping_token" => self.token(&name),
                "kubelet_client_key" => STANDARD.encode(self.canary(&name)),
                _ => self.canary(&name),
            };
            match message.slot_mut(index) {
                SlotMut::Text(slot) if field.secret => {
                    *slot = value();
                    count += 1;
                }
                SlotMut::OptionalText(slot) if field.secret => {
                    *slot = Some(value());
                    count += 1;
                }
                SlotMut::Message(inner) => count += self.plant(inner, origin),
                _ => {}
            }
        }
        count
    }

    fn inputs(&mut self) {
        let configuration = self.configuration("configuration");
        self.write("opt/azure/containers/aks-node-controller-config.json", configuration.to_json().as_bytes());
        let secrets = VARIABLES.iter().filter(|variable| variable.secret);
        let command: Vec<_> =
            secrets.map(|variable| format!("{}={}", variable.name, self.word(variable.name))).collect();
        let command = format!("{} /bin/bash /opt/azure/containers/provision_start.sh\n", command.join(" "));
        self.write("opt/azure/containers/aks-node-controller-nbc-cmd.sh", command.as_bytes());
        // CustomData as the guest agent keeps it, of another configuration.
        let other = self.configuration("CustomData").to_json();
        let file = self.root.join("other.json");
        fs::write(&file, other).expect("writable");
        let rendered = finish(
            Command::new(PROGRAM)
                .args(["generate", "--no-validate", "--route", "scriptless", "--format", "custom-data"])
                .arg(&file),
        );
        assert!(rendered.status.success(), "{}", String::from_utf8_lossy(&rendered.stderr));
        fs::remove_file(&file).expect("it was written");
        let custom_data = String::from_utf8_lossy(&rendered.stdout).trim().to_owned();
        let environment = format!("<ns1:CustomData>{custom_data}</ns1:CustomData>");
        self.write("var/lib/waagent/ovf-env.xml", environment.as_bytes());
    }

    fn files(&mut self) {
        let key = |canary: &str| format!("-----BEGIN RSA PRIVATE KEY-----\n{canary}\n-----END RSA PRIVATE KEY-----\n");
        for path in [
            "etc/kubernetes/certs/client.key",
            "etc/kubernetes/certs/kubeletserver.key",
            "var/lib/waagent/1.prv",
            "var/lib/kubelet/pki/kubelet-client-2026-11-22-05-54-40.pem",
        ] {
            // A line of a key.
            let line = format!("MIIEcanary{:02}Q0FOQVJZ7x9Kq2w8Zr5t1Yv3Bn6Ml0Pd4Gh", self.canaries.len());
            self.canaries.insert(path.to_owned(), line.clone());
            self.write(path, key(&line).as_bytes());
        }
        let secret = self.canary("azure.json");
        self.write(
            "etc/kubernetes/azure.json",
            serde_json::json!({"aadClientId": "id", "aadClientSecret": secret}).to_string().as_bytes(),
        );
        let secret = self.word("sp.txt");
        self.write("etc/kubernetes/sp.txt", secret.as_bytes());
        let token = self.token("bootstrap-kubeconfig");
        self.write(
            "var/lib/kubelet/bootstrap-kubeconfig",
            format!("users:\n- name: kubelet-bootstrap\n  user:\n    token: \"{token}\"\n").as_bytes(),
        );
        let data = format!("MIIEcanary{:02}Q0FOQVJZ7x9Kq2w8Zr5t1Yv3Bn6Ml0Pd4Gh", self.canaries.len());
        self.canaries.insert("kubeconfig".to_owned(), data.clone());
        let encoded = STANDARD.encode(key(&data));
        self.write(
            "var/lib/kubelet/kubeconfig",
            format!("users:\n- user:\n    client-key-data: {encoded}\n").as_bytes(),
        );
        let token = self.word("oras");
        self.write(
            "etc/oras/config.yaml",
            serde_json::json!({"auths": {"r.azurecr.io": {"identitytoken": token}}}).to_string().as_bytes(),
        );
        let account = self.word("docker");
        let account = STANDARD.encode(format!("user:{account}"));
        self.write(
            "root/.docker/config.json",
            serde_json::json!({"auths": {"r.azurecr.io": {"auth": account}}}).to_string().as_bytes(),
        );
        for path in ["etc/environment", "etc/systemd/system.conf.d/proxy.conf", "etc/apt/apt.conf.d/95proxy"] {
            let word = self.word(path);
            self.write(path, format!("HTTP_PROXY=\"http://user:{word}@proxy.contoso.com:3128\"\n").as_bytes());
        }
        let password = self.word("auth.conf");
        self.write(
            "etc/apt/auth.conf",
            format!("machine depot.contoso.com login user password {password}\n").as_bytes(),
        );
    }

    /// Logs with every canary in every form, and with secrets that only their form shows.
    fn logs(&mut self) {
        let mut log = String::from("2026-11-22 05:53:41 fetchMetadata: 803 ms\n");
        let all: Vec<String> = self.canaries.values().cloned().collect();
        for canary in &all {
            let json = Value::from(canary.as_str()).to_string();
            let percent = hexadecimal(canary, "%").to_ascii_uppercase();
            let plus: String = canary
                .bytes()
                .map(|byte| match byte {
                    b' ' => "+".to_owned(),
                    _ if byte.is_ascii_alphanumeric() || b"-._".contains(&byte) => char::from(byte).to_string(),
                    _ => format!("%{byte:02x}"),
                })
                .collect();
            let hex = hexadecimal(canary, "");
            let document = format!("{{\"a\": 1, \"b\": {json}}}");
            let packed = STANDARD.encode(gzip(document.as_bytes()));
            let lines: Vec<_> = packed.as_bytes().chunks(64).map(String::from_utf8_lossy).collect();
            for form in [
                canary.clone(),
                json.clone(),
                Value::from(json.as_str()).to_string(),
                document.clone(),
                STANDARD.encode(canary),
                STANDARD.encode(format!(" {canary}")),
                STANDARD.encode(&document),
                STANDARD.encode(STANDARD.encode(&document)),
                packed.clone(),
                format!("\n{}\n", lines.join("\n")),
                percent,
                plus,
                hex,
            ] {
                let _ = writeln!(log, "2026-11-22 05:54:16 step: before {form} after");
            }
        }
        for (name, canary, text) in [
            ("SAS", "canarySAS%2Babc%3D", "https://x.blob.core.windows.net/c?sv=2024-01-01&sig=SECRET&se=2030"),
            (
                "web token",
                "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJjYW5hcnkifQ.c2lnbmF0dXJlLWNhbmFyeQ",
                "Authorization: Bearer SECRET",
            ),
            ("unknown bootstrap token", "unknow.0123456789canary", "using SECRET to join"),
            ("account", "canary-account", "proxy http://user:SECRET@10.0.0.1:3128 refused"),
            ("password", "canary-pass", "curl --password SECRET1 --data '{\"clientSecret\": \"SECRET\"}'"),
        ] {
            self.canaries.insert(name.to_owned(), canary.to_owned());
            let _ = writeln!(log, "2026-11-22 05:54:20 {}", text.replace("SECRET", canary));
        }
        let error = "2026-11-22 05:54:44 error 50: no answer\n";
        for path in [
            "var/log/azure/cluster-provision.log",
            "var/log/cloud-init-output.log",
            "var/log/waagent.log",
            "collect/journalctl_kubelet.txt",
        ] {
            self.write(path, format!("{log}{error}").as_bytes());
        }
        // The end of the log is in the result, and parts of it in events, cut off somewhere.
        let cut = |text: &str, length: usize| {
            text.chars().rev().take(length).collect::<String>().chars().rev().collect::<String>()
        };
        let result = serde_json::json!({"ExitCode": "50", "Output": cut(&log, 2903), "Error": log.lines().nth(3), "CSEStartTime": "Sun Nov 22 05:53:40 UTC 2026"});
        self.write("var/log/azure/aks/provision.json", result.to_string().as_bytes());
        self.write("var/log/azure/aks/provision.json.20261122T055444Z", result.to_string().as_bytes());
        for (number, line) in log.lines().enumerate() {
            let event = serde_json::json!({"Timestamp": "2026-11-22 05:54:15.500", "OperationId": "2026-11-22 05:54:16.500",
                "TaskName": "AKS.CSE.checkOutbound", "EventLevel": "Error", "Message": line});
            self.write(
                &format!("var/log/azure/Microsoft.Azure.Extensions.CustomScript/events/{number}.json"),
                event.to_string().as_bytes(),
            );
        }
    }
}

#[test]
fn no_secret_of_a_machine_is_in_a_bundle_in_any_form() {
    let machine = Machine::new();
    let scratch = Scratch::new("canary-bundle");
    let file = scratch.join("bundle.tar.gz");
    let ended = write_bundle("--root", &machine.root, &file);
    assert_eq!(ended.status.code(), Some(1), "{}", String::from_utf8_lossy(&ended.stderr));
    assert!(machine.canaries.len() > 30, "{}", machine.canaries.len());

    let mut search = Search { canaries: &machine.canaries, found: Vec::new() };
    let log = fs::read(machine.root.join("var/log/azure/cluster-provision.log")).expect("it was written");
    search.look("the log itself", &log, 4);
    for name in machine.canaries.keys() {
        let forms = search.found.iter().filter(|found| found.starts_with(name.as_str())).count();
        assert!(forms > 0, "the search finds no {name} where it is");
    }
    search.found.clear();
    search.look("standard output", &ended.stdout, 4);
    search.look("standard error", &ended.stderr, 4);
    let files = unpacked(&file);
    assert!(files.len() > 100, "{}", files.len());
    for (name, content) in &files {
        search.look(name, content, 4);
    }
    assert!(search.found.is_empty(), "{:#?}", &search.found[..search.found.len().min(20)]);

    let log = &files["aks-node-diagnosis/var/log/azure/cluster-provision.log"];
    let log = String::from_utf8_lossy(log);
    for part in ["fetchMetadata: 803 ms", "step: before [redacted] after", "error 50: no answer", "&se=2030"] {
        assert!(log.contains(part), "{part} is missing: what is no secret stays");
    }
    assert_eq!(json("--bundle", &file), json("--root", &machine.root));
}
