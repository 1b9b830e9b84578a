//! URLs in logs, events and results.

use std::fmt::Write;
use std::process::Command;

use crate::support::{Scratch, needs, shipped};

/// Returns the function that makes URLs presentable, as a node gets it.
fn function() -> String {
    let script = shipped("provision_source.sh");
    let begin = script.find("redacted_url() {").expect("the helpers have the function");
    let end = begin + script[begin..].find("\n}\n").expect("it ends") + 3;
    script[begin..end].to_owned()
}

/// Returns what a shell prints for each URL.
fn shown(shell: &str, urls: &[String]) -> Vec<String> {
    let scratch = Scratch::new("urls");
    let mut script = function();
    script.push_str("while IFS= read -r url; do redacted_url \"$url\"; echo; done\n");
    std::fs::write(scratch.join("script"), script).expect("written");
    std::fs::write(scratch.join("urls"), urls.join("\n") + "\n").expect("written");
    let input = std::fs::File::open(scratch.join("urls")).expect("it was written");
    let ended = Command::new(shell).arg(scratch.join("script")).stdin(input).output().expect("the shell runs");
    assert!(ended.stderr.is_empty(), "{shell}: {}", String::from_utf8_lossy(&ended.stderr));
    String::from_utf8(ended.stdout).expect("text").lines().map(str::to_owned).collect()
}

fn shells() -> Vec<&'static str> {
    let mut shells = vec!["bash"];
    if needs::programs(&[("dash", "dash")]) {
        shells.push("dash");
    }
    shells
}

#[test]
fn a_url_is_shown_without_account_query_and_fragment() {
    let table = [
        ("https://h/p.tgz", "https://h/p.tgz"),
        ("https://h:8443/a/b", "https://h:8443/a/b"),
        ("http://[fd00::1]:8080/a", "http://[fd00::1]:8080/a"),
        ("host.example/a/b:v1", "host.example/a/b:v1"),
        ("", ""),
        ("https://u:p@h/a/b.tgz?sig=s", "https://h/a/b.tgz"),
        ("HTTP://u:p@h", "HTTP://h"),
        ("HTTP://u:p@h/a", "HTTP://h/a"),
        ("u:pa/ss@h", "h"),
        ("http://u:pa/ss@h/a", "http://h/a"),
        ("u:pa@ss@h", "h"),
        ("http://u:pa@ss@h/a?b=c", "http://h/a"),
        ("u:p@h:3128", "h:3128"),
        ("u:p@h:3128/a", "h:3128/a"),
        ("socks5h://u:p@h", "socks5h://h"),
        ("socks5h://u:p@h:1080/", "socks5h://h:1080/"),
        ("u:p?ss@h", "h"),
        ("http://u:p#ss@h/a", "http://h/a"),
        ("https://token@h/a", "https://h/a"),
        ("https://h/p?sig=s", "https://h/p"),
        ("https://h?sig=s", "https://h"),
        ("https://h/p#sig=s", "https://h/p"),
        // The host may be a user, and the end of the query a host.
        ("https://h/p?sig=s@t", "https://[redacted]"),
        ("https://h:1/p?sig=s@t", "https://[redacted]"),
        ("https://[::1]/p?sig=s@t", "https://[redacted]"),
        ("https://u:p@h/p?sig=s@t", "https://[redacted]"),
        ("https://u:p@", "https://[redacted]"),
        ("u:password", "u"),
        ("https://h\u{1b}[2J", "https://[redacted]"),
    ];
    let urls: Vec<_> = table.iter().map(|(url, _)| (*url).to_owned()).collect();
    for shell in shells() {
        for ((url, wanted), found) in table.iter().zip(shown(shell, &urls)) {
            assert_eq!(found, *wanted, "{shell}: {url}");
        }
    }
}

/// Every password of up to four parts, in every shape of a URL.
#[test]
fn no_byte_of_a_password_or_a_query_is_shown() {
    const PARTS: [&str; 7] = ["PW", "/", "@", "?", "#", ":", "7"];
    let mut passwords = vec![String::new()];
    for from in [0, 1, 8, 57] {
        let grown: Vec<_> =
            passwords[from..].iter().flat_map(|begin| PARTS.map(|part| format!("{begin}{part}"))).collect();
        passwords.extend(grown);
    }
    passwords.retain(|password| password.contains("PW"));
    assert!(passwords.len() > 1000, "{}", passwords.len());
    let mut urls = String::new();
    for password in &passwords {
        for scheme in ["", "http://"] {
            for rest in ["h", "h:3128/a", "h/a?sig=PW", "h/a?sig=PW@PW", "h#PW@PW", "[::1]:8/a@b?PW"] {
                writeln!(urls, "{scheme}u:{password}@{rest}").expect("text takes text");
            }
        }
        for scheme in ["", "https://"] {
            for host in ["h/a", "h", "h:1/a", "[::1]:1", "[::1]"] {
                writeln!(urls, "{scheme}{host}?sig={password}").expect("text takes text");
                writeln!(urls, "{scheme}{host}#sig={password}").expect("text takes text");
            }
        }
    }
    let urls: Vec<_> = urls.lines().map(str::to_owned).collect();
    for shell in shells() {
        let found = shown(shell, &urls);
        assert_eq!(found.len(), urls.len());
        for (url, found) in urls.iter().zip(found) {
            assert!(!found.contains("PW"), "{shell}: {url} is shown as {found}");
        }
    }
}

/// curl repeats the URL of a proxy that it cannot use.
#[test]
fn what_curl_says_about_a_proxy_has_no_account() {
    let helpers = shipped("provision_source.sh");
    for proxy in ["http://u:PW/x@127.0.0.1:9", "http://u:x?PW@127.0.0.1:9", "http://u:PW#x@127.0.0.1:9"] {
        let scratch = Scratch::new("urls");
        let directory = scratch.display().to_string();
        std::fs::write(scratch.join("helpers"), helpers.replace("/var/log/azure", &directory)).expect("written");
        let script = ". $S/helpers; sleep() { :; }; PROVISION_REASON_FILE=$S/why; : >$S/why\n\
                      download 2 1 30 300 'https://x.test/a?sig=PW' $S/a; download_error; cat $S/*/events/*.json";
        let ended = Command::new("bash")
            .args(["-c", script])
            .envs([("S", directory.as_str()), ("HTTPS_PROXY", proxy), ("https_proxy", proxy)])
            .output()
            .expect("bash runs");
        let said = String::from_utf8_lossy(&ended.stdout) + String::from_utf8_lossy(&ended.stderr);
        assert!(said.contains("127.0.0.1:9") && !said.contains("PW"), "{proxy}: {said}");
    }
}
