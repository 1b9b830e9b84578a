//! Names that a bootstrap feature must not have, because features become environment variables of every program that provisions
//! the node. `validate` reports them, and the launcher ignores them.

use std::fmt::Write;

use super::variables::VARIABLES;

/// Names that a shell, the dynamic loader, the C library or a program reads, besides the variables of the scripts. A `*` at the
/// begin or the end stands for any text. <https://man7.org/linux/man-pages/man7/environ.7.html>
const RESERVED: &[&str] = &[
    // Where programs, libraries and modules are found. `*PATH` has the paths of this project's scripts too.
    "*PATH",
    "*_DIR",
    "*_HOME",
    "*_FILE",
    "LD_*",
    "GLIBC_*",
    "MALLOC_*",
    "GCONV*",
    "LOC*",
    "NLS*",
    "TZ*",
    "TMP*",
    "TEMP*",
    "HOST*",
    "RES_*",
    "RESOLV_*",
    "HOME",
    "USER",
    "LOGNAME",
    "SHELL",
    "PWD",
    "OLDPWD",
    "MAIL",
    // Shells.
    "BASH*",
    "POSIX*",
    "SHELLOPTS",
    "SHLVL",
    "IFS",
    "ENV",
    "PS?",
    "PROMPT*",
    "OPT*",
    "HIST*",
    "REPLY",
    "RANDOM",
    "SECONDS",
    "EPOCH*",
    "FUNCNEST",
    "GLOBIGNORE",
    "EXECIGNORE",
    "INPUTRC",
    "TIMEFORMAT",
    "CHILD_MAX",
    "COLUMNS",
    "LINES",
    "TERM*",
    "LANG*",
    "LC_*",
    "UID",
    "EUID",
    "PPID",
    // Interpreters, and programs that steps call.
    "PYTHON*",
    "PERL*",
    "RUBY*",
    "NODE_*",
    "JAVA*",
    "JDK_*",
    "GO*",
    "RUST*",
    "CARGO*",
    "AWK*",
    "GAWK*",
    "POSIXLY_CORRECT",
    "GREP_*",
    "SED*",
    "LESS*",
    "PAGER",
    "EDITOR",
    "VISUAL",
    "BROWSER",
    "GIT_*",
    "SSH_*",
    "SSL*",
    "OPENSSL*",
    "CURL*",
    "WGET*",
    "NETRC",
    "GZIP",
    "XZ_*",
    "TAR_*",
    "BLOCK*",
    "DF_*",
    "JQ_*",
    "MAKE*",
    "APT*",
    "DPKG*",
    "DEB*",
    "RPM*",
    "DNF*",
    "UCF_*",
    "SYSTEMD*",
    "NOTIFY_SOCKET",
    "LISTEN_*",
    "WATCHDOG_*",
    "JOURNAL*",
    "INVOCATION_ID",
    "DBUS_*",
    "XDG_*",
    "SUDO*",
    "PAM_*",
    "KRB5*",
    "KUBE*",
    "CONTAINERD*",
    "CTR_*",
    "CRI_*",
    "ORAS_*",
    "DOCKER*",
    "AZURE_*",
    "NVIDIA*",
    "*PROXY",
    "*proxy",
    // The scripts and the launcher themselves.
    "CSE_*",
    "PROVISION_*",
    "LAUNCHER_*",
    "CLOUD_INIT_*",
    "CUSTOM_CA_CERT_*",
];

fn matches(pattern: &str, name: &str) -> bool {
    if let Some(end) = pattern.strip_prefix('*') {
        name.ends_with(end)
    } else if let Some(begin) = pattern.strip_suffix('*') {
        name.starts_with(begin)
    } else if let Some(begin) = pattern.strip_suffix('?') {
        name.strip_prefix(begin).is_some_and(|rest| rest.chars().count() == 1)
    } else {
        pattern == name
    }
}

/// Reports whether a program or a script reads a variable of this name.
#[must_use]
pub fn is_reserved(name: &str) -> bool {
    RESERVED.iter().any(|pattern| matches(pattern, name)) || VARIABLES.iter().any(|variable| variable.name == name)
}

/// Returns `parts/controller/reserved_names.sh`.
#[must_use]
pub fn script() -> String {
    let mut text = String::from(
        "# shellcheck shell=bash\n# Names that no feature may have. Generated from src/catalogue/features.rs by `make generate`; do not edit.\n\n\
         # Whether a program or a script reads a variable: NAME.\nis_reserved() {\n\tcase $1 in\n",
    );
    // A pattern that another one covers would be a mistake in a shell.
    let is_covered = |name: &&str| RESERVED.iter().any(|pattern| pattern != name && matches(pattern, name));
    let variables = VARIABLES.iter().map(|variable| variable.name);
    let names: Vec<_> = RESERVED.iter().copied().chain(variables).filter(|name| !is_covered(name)).collect();
    for (number, line) in names.chunks(8).enumerate() {
        let end = if names.ends_with(line) { ") ;;" } else { " | \\" };
        let _ = writeln!(text, "{}{}{end}", if number == 0 { "\t" } else { "\t\t" }, line.join(" | "));
    }
    text + "\t*) return 1 ;;\n\tesac\n}\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_programs_and_scripts_read_are_reserved() {
        let reserved = [
            "GCONV_PATH",
            "PYTHONPATH",
            "LD_PRELOAD",
            "BASH_ENV",
            "ENV",
            "IFS",
            "PATH",
            "SHELLOPTS",
            "PS4",
            "PROMPT_COMMAND",
            "CSE_HELPERS_FILEPATH",
            "https_proxy",
            "CURL_HOME",
            "TLS_BOOTSTRAP_TOKEN",
            "KUBE_BINARY_URL",
            "CSE_TIMEOUT",
        ];
        for name in reserved {
            assert!(is_reserved(name), "{name}");
        }
        for name in ["ENABLE_PROVISIONING_HOTFIX", "X", "_b", "MY_FEATURE", "PSX9"] {
            assert!(!is_reserved(name), "{name}");
        }
    }
}
