//! Completion scripts, in the shells that they are for.

use std::fs;
use std::process::Command;

use super::run;
use crate::support::{Scratch, finish, needs};

/// Command lines, and what has to be among the completions of the last word and what must not.
const LINES: &[(&str, &[&str], &[&str])] = &[
    ("aks-node-controller ", &["generate", "validate", "provision-wait", "completions"], &["check-hotfix"]),
    ("aks-node-controller generate --ro", &["--route"], &["--format"]),
    ("aks-node-controller generate --route s", &["scriptless", "scripted"], &["node-bootstrap-variables"]),
    ("aks-node-controller provision-wait --", &["--timeout", "--legacy-exit-code"], &["--root"]),
    ("aks-node-controller convert --input-format ", &["auto", "protobuf"], &[]),
    ("aks-node-controller generate --example a", &["arm64-minimal", "a100-mig"], &["localdns"]),
    ("aks-node-controller convert --example ", &["list", "localdns"], &[]),
    ("aks-node-controller env --example fl", &["flatcar"], &["localdns"]),
    ("aks-node-controller env --explain KUBELET_F", &["KUBELET_FLAGS"], &["LOCATION"]),
    ("aks-node-controller explain 12", &["125"], &["50"]),
    ("aks-node-controller explain ERR_OUT", &["ERR_OUTBOUND_CONN_FAIL"], &["ERR_DISABLE_SSH"]),
];

fn check(shell: &str, complete: impl Fn(&str, &str) -> String) {
    let directory = Scratch::new(shell);
    let file = directory.join("completions");
    let script = run(&["completions", shell]);
    assert_eq!((script.code, script.stderr.as_str()), (Some(0), ""));
    fs::write(&file, script.stdout).expect("scratch is writable");
    let file = file.to_str().expect("text");
    for (line, wanted, unwanted) in LINES {
        let printed = complete(file, line);
        let words: Vec<_> = printed.split(|c: char| !c.is_ascii_alphanumeric() && c != '-' && c != '_').collect();
        for word in *wanted {
            assert!(words.contains(word), "{shell}: {line:?} does not offer {word}: {printed}");
        }
        for word in *unwanted {
            assert!(!words.contains(word), "{shell}: {line:?} offers {word}: {printed}");
        }
    }
}

/// Runs a script and returns what it prints. It must print nothing on stderr. fish writes to the home directory.
fn output(program: &str, arguments: &[&str]) -> String {
    let home = Scratch::new("home");
    let ended = finish(Command::new(program).args(arguments).env("TERM", "dumb").env("HOME", &*home));
    assert_eq!(String::from_utf8_lossy(&ended.stderr), "", "{program}");
    String::from_utf8_lossy(&ended.stdout).into_owned()
}

#[test]
fn bash_completes_commands_options_and_values() {
    check("bash", |file, line| {
        // As bash calls a completion function: with the command, the current word and the one before it.
        let script = r#"source "$1"; read -ra COMP_WORDS <<<"$2"
            [[ $2 != *' ' ]] || COMP_WORDS+=('')
            COMP_CWORD=$((${#COMP_WORDS[@]} - 1)) COMP_LINE=$2 COMP_POINT=${#2}
            function=$(complete -p aks-node-controller | sed -E 's/.*-F ([^ ]+).*/\1/')
            "$function" aks-node-controller "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
            printf '%s\n' "${COMPREPLY[@]}""#;
        output("bash", &["--norc", "-c", script, "bash", file, line])
    });
}

#[test]
fn fish_completes_commands_options_and_values() {
    if !needs::programs(&[("fish", "fish")]) {
        return;
    }
    check("fish", |file, line| output("fish", &["--no-config", "-c", &format!("source {file}; complete -C '{line}'")]));
}

/// Starts an interactive zsh on a terminal of its own, and types into it: the script, and a command line.
const TYPE_INTO_ZSH: &str = r#"
    export COMPLETIONS=$1
    zmodload zsh/zpty
    zpty shell zsh -d -i
    # Keys that come before the line editor may be lost.
    zpty -r shell output '*READY*'
    zpty -w -n shell "$2"$'\t'
    zpty -w -n shell $'\C-u'"print DO''NE"$'\r'
    zpty -r shell output '*DONE*'
    print -r -- "$output""#;

/// The settings of the interactive zsh: it lists completions, however many, and says when its line editor has begun.
const ZSHRC: &str = r#"
    autoload -Uz compinit
    compinit -u -D
    source "$COMPLETIONS"
    PS1= LISTMAX=100000 COLUMNS=200 LINES=1000
    unset zle_bracketed_paste
    bindkey '^I' list-choices
    zle-line-init() { print READY }
    zle -N zle-line-init"#;

#[test]
fn zsh_completes_commands_options_and_values() {
    if !needs::programs(&[("zsh", "zsh")]) {
        return;
    }
    let settings = Scratch::new("zdotdir");
    fs::write(settings.join(".zshrc"), ZSHRC).expect("scratch is writable");
    let settings = settings.to_str().expect("text");
    check("zsh", |file, line| {
        let script = format!("export ZDOTDIR={settings}; {TYPE_INTO_ZSH}");
        output("zsh", &["-f", "-c", &script, "zsh", file, line])
    });
}
