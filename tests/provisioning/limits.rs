//! Nothing hangs: what a step calls has a time limit, if it waits for another process, for a device or for the network.

use std::fs;
use std::path::Path;

/// Programs that may wait without an end. Those that only compute, such as jq and openssl, are not among them.
const PROGRAMS: &[&str] = &[
    "apt",
    "apt-cache",
    "apt-get",
    "apt-mark",
    "chage",
    "chronyc",
    "cloud-init",
    "conntrack",
    "crictl",
    "ctr",
    "curl",
    "depmod",
    "dhclient",
    "dig",
    "dkms",
    "dnf",
    "dpkg",
    "dpkg-query",
    "ebtables",
    "ethtool",
    "fallocate",
    "findmnt",
    "fuser",
    "getent",
    "gpg",
    "hostnamectl",
    "ifdown",
    "ifup",
    "ip",
    "iptables",
    "journalctl",
    "kubectl",
    "ldconfig",
    "loginctl",
    "lspci",
    "mkswap",
    "modprobe",
    "mount",
    "nc",
    "netplan",
    "networkctl",
    "nft",
    "nslookup",
    "nvidia-ctk",
    "nvidia-modprobe",
    "nvidia-smi",
    "oras",
    "realm",
    "resolvectl",
    "rmmod",
    "rpm",
    "shutdown",
    "sshd",
    "swapoff",
    "swapon",
    "sysctl",
    "systemctl",
    "systemd-analyze",
    "systemd-sysext",
    "tdnf",
    "timedatectl",
    "udevadm",
    "umount",
    "update-ca-certificates",
    "update-ca-trust",
    "wget",
    "yum",
];

/// Calls that may be without one, with the reason.
const EXCEPT: &[(&str, &str)] = &[];

const KEYWORDS: [&str; 8] = ["if", "while", "until", "then", "do", "else", "elif", "local"];

/// Functions that run a command without a limit, with the number of their own arguments.
const WRAPPERS: [(&str, usize); 4] = [("part", 1), ("apart", 0), ("not", 0), ("wait_until", 1)];

/// The programs that a line of a function calls, one after the other.
fn called(line: &str) -> Vec<&str> {
    let line = line.trim_start();
    if line.starts_with('#') {
        return Vec::new();
    }
    let mut found = Vec::new();
    let mut rest = line;
    loop {
        // What follows `=(` are elements of a list, not a command.
        let at = rest.find(['|', '&', ';', '(', '{', '!']).unwrap_or(rest.len());
        let mut words = rest[..at].split_whitespace().skip_while(|word| KEYWORDS.contains(word) || is_assignment(word));
        let mut word = words.next();
        // Functions that run the command after their own arguments.
        while let Some(skipped) = word.and_then(|word| WRAPPERS.iter().find(|(wrapper, _)| *wrapper == word)) {
            word = words.nth(skipped.1);
        }
        found.extend(word);
        let Some(after) = rest.get(at + 1..) else { break };
        let is_list = rest[..at].ends_with('=') && rest[at..].starts_with('(');
        rest = if is_list { after.split_once(')').map_or("", |(_, after)| after) } else { after };
    }
    found
}

fn is_assignment(word: &str) -> bool {
    word.split_once('=')
        .is_some_and(|(name, _)| name.chars().all(|character| character.is_ascii_alphanumeric() || character == '_'))
}

fn scripts(directory: &Path, found: &mut Vec<(String, String)>) {
    for entry in fs::read_dir(directory).expect("a directory") {
        let path = entry.expect("an entry").path();
        // Units that systemd limits run the services.
        if path.is_dir() && !path.ends_with("services") {
            scripts(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "sh") {
            found.push((path.display().to_string(), fs::read_to_string(&path).expect("text")));
        }
    }
}

/// Calls without a limit, as `FILE:LINE: CALL`.
fn unlimited(name: &str, text: &str) -> Vec<String> {
    let lines = text.lines().enumerate().filter(|(_, line)| line.starts_with('\t'));
    let bad = lines.filter(|(_, line)| called(line).iter().any(|word| PROGRAMS.contains(word)));
    let bad = bad.filter(|(_, line)| !EXCEPT.iter().any(|(call, _)| line.contains(call)));
    bad.map(|(number, line)| format!("{name}:{}: {}", number + 1, line.trim())).collect()
}

#[test]
fn every_call_that_can_hang_has_a_limit() {
    let mut found = Vec::new();
    scripts(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/parts/provisioning")), &mut found);
    assert!(found.len() > 40);
    let bad: Vec<_> = found.iter().flat_map(|(name, text)| unlimited(name, text)).collect();
    assert!(bad.is_empty(), "call these with `bounded`, `retry` or `timeout`:\n{}", bad.join("\n"));
}

#[test]
fn a_call_without_a_limit_is_found_wherever_it_stands() {
    for line in [
        "systemctl start x",
        "if ! systemctl is-active x; then",
        "x=$(ctr images list) || return",
        "true && { A=b mount /x; }",
        "a | nslookup x",
        "part a.b apart mount x",
        "local x; x=$(rpm -qa \"$name\" | tail)",
    ] {
        assert_eq!(unlimited("x", &format!("\t{line}")).len(), 1, "{line}");
    }
    for line in [
        "bounded 5 systemctl start x",
        "retry 1 2 3 mount /x",
        "# mount",
        "local call=(curl -s)",
        "x=$(timeout 3 ctr x)",
        "log 'a mount'",
    ] {
        assert!(unlimited("x", &format!("\t{line}")).is_empty(), "{line}");
    }
}
