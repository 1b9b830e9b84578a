//! Downloads of programs, by the real curl from real servers: what is not verified is not installed.

use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use crate::support::{Scratch, needs, shipped};

const SERVER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/safety/server.py");

/// The servers, and the helpers of a node whose curl trusts them.
struct World {
    scratch: Scratch,
    server: Child,
    https: String,
    http: String,
}

impl World {
    /// Returns `None` if a program is missing.
    fn new() -> Option<Self> {
        if !needs::programs(&[("curl", "curl"), ("openssl", "openssl"), ("python3", "python3")]) {
            return None;
        }
        let scratch = Scratch::new("downloads");
        let made = Command::new("openssl")
            .args("req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=localhost".split(' '))
            .args(["-addext", "subjectAltName=DNS:localhost", "-keyout", "key", "-out", "certificate"])
            .current_dir(&*scratch)
            .output()
            .expect("openssl runs");
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        let mut server = Command::new("python3")
            .arg(SERVER)
            .args([scratch.join("certificate"), scratch.join("key")])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("python3 runs");
        let mut line = String::new();
        let stdout = server.stdout.take().expect("it was piped");
        BufReader::new(stdout).read_line(&mut line).expect("it prints its ports");
        let (https, http) = line.trim().split_once(' ').expect("two ports");
        let (https, http) = (format!("localhost:{https}"), format!("localhost:{http}"));
        let directory = scratch.display().to_string();
        let helpers = shipped("provision_source.sh")
            .replace("/var/log/azure", &format!("{directory}/log"))
            .replace("/etc/aks-node-controller", &directory);
        fs::write(scratch.join("helpers"), helpers).expect("written");
        Some(Self { scratch, server, https, http })
    }

    /// Downloads a URL. Returns what was downloaded, and what was said.
    fn download(&self, url: &str) -> (Option<String>, String) {
        const SCRIPT: &str = ". $S/helpers; sleep() { :; }; PROVISION_REASON_FILE=$S/why; : >$S/why\n\
                              download 2 1 5 20 \"$URL\" $S/program; code=$?; download_error; exit $code";
        let path = self.scratch.join("program");
        let _ = fs::remove_file(&path);
        let ended = Command::new("bash")
            .args(["-c", SCRIPT])
            .env("S", &*self.scratch)
            .env("URL", url)
            .env("CURL_CA_BUNDLE", self.scratch.join("certificate"))
            .env("NO_PROXY", "*")
            .output()
            .expect("bash runs");
        let found = fs::read_to_string(&path).ok();
        assert_eq!(found.is_some(), ended.status.success(), "{url}");
        let said = String::from_utf8_lossy(&ended.stdout) + String::from_utf8_lossy(&ended.stderr);
        let left = fs::read_dir(&self.scratch).expect("a directory").flatten();
        let left = left.filter(|entry| entry.file_name().to_string_lossy().starts_with("program.")).count();
        assert_eq!(left, 0, "{url} leaves files beside the program");
        (found, said.into_owned())
    }
}

impl Drop for World {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

#[test]
fn a_program_without_a_matching_checksum_is_not_installed() {
    let Some(world) = World::new() else { return };
    for (path, error) in [
        ("sum", ""),
        ("sum?sig=PW", ""),
        ("over/sum", ""),
        ("other", "what was sent does not match the published checksum"),
        ("empty", "what was sent does not match the published checksum"),
        ("page", "what was sent does not match the published checksum"),
        ("none", "no checksum is published at"),
        ("none?sig=PW", "no checksum is published at"),
        ("broken", "the published checksum cannot be downloaded"),
    ] {
        let (found, said) = world.download(&format!("https://{}/{path}", world.https));
        assert_eq!(found.is_some(), error.is_empty(), "{path}: {said}");
        assert!(said.contains(error) && !said.contains("PW"), "{path}: {said}");
    }
}

#[test]
fn a_program_comes_over_https_only() {
    let Some(world) = World::new() else { return };
    for (url, error) in [
        (format!("http://{}/sum", world.http), "only https URLs are downloaded"),
        (format!("HTTP://{}/sum", world.http), "only https URLs are downloaded"),
        (format!("https://{}/away/sum", world.https), "Protocol \"http\" not supported or disabled"),
        ("file:///etc/hostname".to_owned(), "only https URLs are downloaded"),
    ] {
        let (found, said) = world.download(&url);
        assert!(found.is_none() && said.contains(error), "{url}: {said}");
    }
}

#[test]
fn a_file_of_the_image_names_hosts_that_are_not_verified() {
    let Some(world) = World::new() else { return };
    let file = world.scratch.join("unverified-hosts");
    fs::write(&file, format!("{}\n{}\n", world.https, world.http)).expect("written");
    for url in [format!("http://{}/none", world.http), format!("https://{}/none", world.https)] {
        let (found, said) = world.download(&url);
        assert_eq!(found.as_deref(), Some("content\n"), "{url}: {said}");
    }
    let (found, said) = world.download(&format!("http://{}/other", world.http));
    assert!(found.is_none() && said.contains("does not match"), "{said}");
}
