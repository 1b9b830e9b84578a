//! Exit codes: the constants of the scripts, the page for people, and that the table says who ends with which code.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use aks_node_controller::catalogue::exit_codes::{
    CLUES, CONTROLLER_FAILED, EXIT_CODES, Ender, ExitCode, NODE_NOT_READY, constants, exit_code, is_conventional,
};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");
const CONSTANTS: &str = "parts/provisioning/source/exit_codes.sh";

/// The constants of the steps.
pub fn script() -> String {
    let mut script = String::from(
        "# shellcheck shell=bash\n\
         # Exit codes of the steps. Generated from src/catalogue/exit_codes.rs by `make generate`; do not edit.\n\
         # shellcheck disable=SC2034 # other scripts read these\n\n",
    );
    for row in constants().filter(|row| row.ends.contains(&Ender::Step)) {
        writeln!(script, "readonly {}={}", row.name, row.code).expect("text takes text");
    }
    script
}

pub fn page() -> String {
    let mut page = String::from(
        "# Exit codes\n\n\
         `ExitCode` in `provision.json`. Generated from `src/catalogue/exit_codes/table.rs` by `make generate`. \
         `aks-node-controller explain` prints the same text, and finds the code in a log or an error message.\n\n\
         The column *ends* lists the origins of a code: a *step* of the provisioning scripts; a *service*, that is, a script \
         that a unit, a step or the CSE command runs; the *bootstrap script* in CustomData; the *controller* or its launcher. \
         If it is empty, only the reference uses the code.\n\n\
         Codes with their conventional meaning in shells are not in this table: 124 is a run that was stopped at its time \
         limit, 137 a run that was killed, and 129, 130 and 143 a run that HUP, INT or TERM ended. Where \
         129 or 130 could be either, `Error` names the signal.\n\n\
         | code | name | ends | meaning |\n|---|---|---|---|\n",
    );
    for row in constants() {
        let ends = row.ends.iter().map(|ender| ender.name()).collect::<Vec<_>>().join(", ");
        let code = if row.stage.is_empty() { row.code.to_string() } else { format!("[{0}](#{0})", row.code) };
        writeln!(page, "| {code} | `{}` | {ends} | {} |", row.name, row.meaning).expect("text takes text");
    }
    page +=
        "\n## What to do\n\nLikely causes are in order of likelihood. Replace the words in capitals in a command.\n";
    for row in explained() {
        section(&mut page, row);
    }
    page
}

/// The codes that a run can end with.
fn explained() -> impl Iterator<Item = &'static ExitCode> {
    EXIT_CODES.iter().filter(|row| !row.stage.is_empty())
}

fn section(page: &mut String, row: &ExitCode) {
    let ExitCode { code, stage, causes, checks, misleading, .. } = row;
    let name = if row.name.starts_with("ERR_") { format!("`{}`", row.name) } else { row.name.to_owned() };
    let mut add = |text: &str| *page += text;
    add(&format!("\n### {code}\n\n{name}; {stage}\n\n"));
    for (number, cause) in causes.iter().enumerate() {
        add(&format!("{}. {cause}\n", number + 1));
    }
    add("\n");
    for check in *checks {
        add(&format!("- {check}\n"));
    }
    for note in *misleading {
        add(&format!("\n{note}\n"));
    }
}

fn files_below(directory: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(directory).expect("it can be read") {
        let path = entry.expect("it can be read").path();
        if path.is_dir() {
            files_below(&path, found);
        } else {
            found.push(path);
        }
    }
}

/// What a file is a part of. None: it ends nothing.
fn ender(name: &str) -> Option<Ender> {
    if name == CONSTANTS {
        return None;
    }
    [
        ("parts/controller/", Ender::Controller),
        ("parts/localdns/", Ender::Service),
        ("parts/provisioning/services/", Ender::Service),
        ("parts/provisioning/", Ender::Step),
        ("src/node/", Ender::Controller),
        ("templates/", Ender::BootstrapScript),
    ]
    .into_iter()
    .find_map(|(directory, ender)| name.starts_with(directory).then_some(ender))
}

/// Numbers that follow a word in a text, as in `exit 6`.
fn numbers_after<'a>(text: &'a str, word: &'a str) -> impl Iterator<Item = u8> + 'a {
    text.match_indices(word).filter_map(move |(at, _)| {
        let before = text[..at].chars().next_back();
        let digits = &text[at + word.len()..];
        let end = digits.find(|digit: char| !digit.is_ascii_digit()).unwrap_or(digits.len());
        if before.is_some_and(|before| before.is_ascii_alphanumeric() || before == '_') {
            None
        } else {
            digits[..end].parse().ok()
        }
    })
}

/// The codes that a script or template ends with: constants, and literal numbers that are not a shell's own.
fn codes_of_script(name: &str, text: &str) -> BTreeSet<u8> {
    let literal = ["exit ", "fail "].into_iter().flat_map(|word| numbers_after(text, word));
    let mut codes: BTreeSet<u8> = literal.filter(|code| !is_conventional(*code)).collect();
    for (at, _) in text.match_indices("ERR_") {
        let rest = &text[at..];
        let end =
            rest.find(|character: char| !character.is_ascii_alphanumeric() && character != '_').unwrap_or(rest.len());
        let (constant, rest) = rest.split_at(end);
        let row = constants().find(|row| row.name == constant);
        let code = row.unwrap_or_else(|| panic!("{name}: {constant} is not in the table")).code;
        assert!(
            !rest.starts_with('=') || numbers_after(rest, "=").next() == Some(code),
            "{name}: {constant} is {code}"
        );
        codes.insert(code);
    }
    codes
}

/// The codes that a file of the controller ends with: constants of the table, and its own of type `i64`.
fn codes_of_controller(text: &str) -> BTreeSet<u8> {
    let own = text.split("const ").filter_map(|rest| rest.split_once(": i64 = "));
    let own = own.filter_map(|(_, value)| value.split(';').next()?.parse().ok());
    let named = [("CONTROLLER_FAILED", CONTROLLER_FAILED), ("NODE_NOT_READY", NODE_NOT_READY)];
    let named = named.into_iter().filter(|(name, _)| text.contains(name)).map(|(_, code)| code);
    own.filter(|code| !is_conventional(*code)).chain(named).collect()
}

#[test]
fn the_table_names_exactly_what_ends_with_each_code() {
    let mut found: BTreeMap<u8, BTreeSet<Ender>> = BTreeMap::new();
    let mut files = Vec::new();
    for directory in ["parts", "templates", "src/node"] {
        files_below(&Path::new(ROOT).join(directory), &mut files);
    }
    for file in files {
        let name = file.strip_prefix(ROOT).expect("below the root").display().to_string();
        let Some(ender) = ender(&name) else { continue };
        let text = fs::read_to_string(&file).expect("it is text");
        let is_rust = name.starts_with("src/");
        for code in if is_rust { codes_of_controller(&text) } else { codes_of_script(&name, &text) } {
            assert!(exit_code(code).is_some(), "{name} ends with {code}, which is not in the table");
            found.entry(code).or_default().insert(ender);
        }
    }
    for row in EXIT_CODES {
        let found: Vec<_> = found.remove(&row.code).unwrap_or_default().into_iter().collect();
        assert_eq!(found, row.ends, "{} {}", row.code, row.name);
    }
}

#[test]
fn codes_ascend_and_names_are_unique() {
    assert!(EXIT_CODES.is_sorted_by(|one, next| one.code < next.code));
    assert_eq!(EXIT_CODES.iter().map(|row| row.name).collect::<BTreeSet<_>>().len(), EXIT_CODES.len());
}

#[test]
fn each_code_that_something_ends_with_has_causes_and_checks() {
    for row in EXIT_CODES {
        let is_explained = !row.stage.is_empty();
        let is_ended = !row.ends.is_empty() || !row.name.starts_with("ERR_");
        assert!(is_explained || !is_ended, "{} has no stage", row.code);
        assert_eq!([row.causes.is_empty(), row.checks.is_empty()], [!is_explained; 2], "{}", row.code);
    }
}

#[test]
fn each_clue_counts_with_some_code() {
    for clue in CLUES {
        assert!(EXIT_CODES.iter().any(|row| row.has_clue(clue)), "{}", clue.cause);
    }
    for row in EXIT_CODES {
        for cause in row.rare_causes {
            assert!(CLUES.iter().any(|clue| clue.cause == *cause), "{}: no clue points to {cause:?}", row.code);
            assert!(!row.causes.contains(cause), "{}: {cause:?} is a likely cause already", row.code);
        }
    }
}

#[test]
fn causes_and_checks_are_written_alike() {
    for row in explained() {
        for text in row.causes.iter().chain(row.rare_causes).chain(row.checks).chain(row.misleading) {
            let starts = text
                .starts_with(|first: char| first.is_uppercase() || first == '/' || first == '"' || first.is_numeric());
            let starts = starts
                || ["kubelet", "containerd", "systemd", "netplan", "realmd"].iter().any(|name| text.starts_with(name));
            assert!(starts, "{}: {text:?} begins with a capital, a path or the name of a program", row.code);
            assert_eq!(text.matches('`').count() % 2, 0, "{}: {text:?}", row.code);
        }
        for text in row.causes.iter().chain(row.checks) {
            assert!(!text.ends_with('.'), "{}: {text:?} has no full stop", row.code);
        }
        for text in row.misleading {
            assert!(text.ends_with('.'), "{}: {text:?} is a sentence", row.code);
        }
    }
}

/// The commands between backticks.
fn commands(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

#[test]
fn stages_are_steps_of_the_scripts() {
    let steps = fs::read_to_string(format!("{ROOT}/docs/node-steps.md")).expect("it is there");
    for row in explained() {
        let named = row.stage.split(|character: char| !character.is_ascii_alphanumeric()).filter(|word| {
            let is_camel_case = word.starts_with(|first: char| first.is_ascii_lowercase())
                && word.contains(|character: char| character.is_ascii_uppercase());
            is_camel_case && !["basePrep", "nodePrep"].contains(word)
        });
        let named: Vec<_> = named.collect();
        for step in &named {
            assert!(steps.contains(&format!("| {step} |")), "{}: {step} is no step", row.code);
        }
        let is_general = row.stage.contains("any step") || row.stage.contains("start of");
        assert!(
            !row.ends.contains(&Ender::Step) || is_general || !named.is_empty(),
            "{}: no step in {:?}",
            row.code,
            row.stage
        );
    }
}

/// Programs of the systems, and of whoever looks at a cluster from outside.
const PROGRAMS: &[&str] = &[
    "aks-node-controller",
    "apt-cache",
    "apt-get",
    "apt-mark",
    "az",
    "base64",
    "cat",
    "cloud-init",
    "command",
    "containerd",
    "ctr",
    "curl",
    "df",
    "dkms",
    "dmesg",
    "dnf",
    "dpkg",
    "env",
    "findmnt",
    "fuser",
    "grep",
    "head",
    "ip",
    "iptables",
    "journalctl",
    "jq",
    "ls",
    "lsmod",
    "modprobe",
    "mokutil",
    "netplan",
    "networkctl",
    "nslookup",
    "nvidia-smi",
    "openssl",
    "oras",
    "realm",
    "sed",
    "ss",
    "sshd",
    "stat",
    "swapon",
    "sysctl",
    "systemctl",
    "tail",
    "tar",
    "uname",
];
/// What is on any system, or comes from packages.
const SYSTEM: &[&str] = &[
    "/etc/apt",
    "/etc/environment",
    "/etc/modprobe.d",
    "/etc/os-release",
    "/etc/fstab",
    "/lib/modules",
    "/run/systemd/resolve",
    "/sys/fs/cgroup",
    "/usr/bin/nvidia-container-runtime",
    "/var/lib/cloud/instance",
    "/var/lib/containerd",
    "/var/lib/dkms",
    "/var/lib/dpkg",
    "/var/log/cloud-init.log",
    "/dev/null",
    "/opt/azure/containers/localdns",
    "/mnt",
    "/opt",
];

#[test]
fn commands_use_programs_and_paths_that_a_node_has() {
    let mut sources = Vec::new();
    for directory in ["parts", "templates", "src"] {
        files_below(&Path::new(ROOT).join(directory), &mut sources);
    }
    // Not the texts themselves.
    let is_source = |path: &&PathBuf| {
        let path = path.strip_prefix(ROOT).expect("below the root");
        !path.starts_with("src/explain") && !path.starts_with("src/catalogue/exit_codes")
    };
    let sources = sources.iter().filter(is_source);
    let known: String = sources.filter_map(|path| fs::read_to_string(path).ok()).collect();
    let mut unknown = Vec::new();
    for row in explained() {
        for command in row.checks.iter().flat_map(|check| commands(check)) {
            if command.contains('=') && !command.contains(' ') || command.starts_with("is_vhd") {
                continue; // a setting
            }
            let first = command.split([' ', ';']).next().unwrap_or_default();
            if !PROGRAMS.contains(&first) && !first.starts_with('/') && !known.contains(first) {
                unknown.push(format!("{}: {first}", row.code));
            }
            for word in
                command.split([' ', '"', '\'', ';', '<', '>', '|', '(', ')']).filter(|word| word.starts_with('/'))
            {
                let path = word.trim_end_matches(['/', '*']);
                // Scripts write `$CONTAINERS/provision.sh`: the directory and the name apart.
                let (directory, name) = path.rsplit_once('/').unwrap_or_default();
                let is_known = path.is_empty()
                    || SYSTEM.iter().any(|system| path == *system || (path.starts_with(system) && *system != "/opt"))
                    || known.contains(path)
                    || (known.contains(directory) && known.contains(&format!("/{name}")))
                    || path.contains('*');
                if !is_known {
                    unknown.push(format!("{}: {path}", row.code));
                }
            }
        }
    }
    assert!(unknown.is_empty(), "no such program or path: {}", unknown.join(", "));
}
