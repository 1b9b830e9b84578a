//! What lines in the output of programs point to.
//!
//! To add a clue: a row here, the clearest first, and a text in `testdata/explain/` that shows it.

use super::wrappings::{Shown, has};
use crate::catalogue::failures as cause;

/// A pattern in the output, and the cause that it points to.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Clue {
    /// Texts in lower case, one of which has to be there.
    any: &'static [&'static str],
    /// The codes with which it counts. Empty: all.
    codes: &'static [u8],
    pub(super) cause: &'static str,
    pub(super) check: Option<&'static str>,
}

const fn clue(any: &'static [&'static str], codes: &'static [u8], cause: &'static str) -> Clue {
    Clue { any, codes, cause, check: None }
}

const fn checked(any: &'static [&'static str], codes: &'static [u8], cause: &'static str, check: &'static str) -> Clue {
    Clue { any, codes, cause, check: Some(check) }
}

/// Failed connections, as curl, nc and Go programs report them.
const NO_CONNECTION: &[&str] = &[
    "connection timed out",
    "curl: (28)",
    "operation timed out",
    "i/o timeout",
    "failed to connect to",
    "no route to host",
    "network is unreachable",
    "curl: (7)",
    "timeout 10 nc -vz",
    "no answer in time",
];

/// Certificates of an authority that is not trusted, as curl and Go programs report them.
const UNTRUSTED: &[&str] = &[
    "self signed certificate",
    "self-signed certificate",
    "unable to get local issuer certificate",
    "certificate signed by unknown authority",
    "curl: (60)",
    "ssl certificate problem",
];

/// The clearest first.
static CLUES: &[Clue] = &[
    checked(
        &["no space left on device", "disk quota exceeded", "curl: (23)"],
        &[],
        cause::DISK_FULL,
        "Check the disk: `df -h / /var/lib/containerd; df -i /`",
    ),
    checked(
        &["read-only file system"],
        &[],
        cause::READ_ONLY,
        "See how it is mounted: `findmnt /; dmesg | tail -n 50`",
    ),
    checked(
        &["out of memory", "oom-kill", "killed process"],
        &[],
        "The kernel ran out of memory and killed a program",
        "Look for the killer: `dmesg | grep -i \"killed process\"`",
    ),
    clue(
        &["invalid time interval"],
        &[125],
        "CSE_TIMEOUT is empty or no duration, so that `timeout` does not start the scripts",
    ),
    checked(
        &["primarynicip is unset", "one or more required variables are not set"],
        &[34],
        "The metadata has no address of the primary network card, which the rule for the metadata service needs",
        "Ask for it: `curl -s -H Metadata:true --noproxy \"*\" \"http://169.254.169.254/metadata/instance/network?api-version=2021-02-01\"`",
    ),
    checked(
        &["unknown flag: --", "unknown shorthand flag", "failed to parse kubelet flag"],
        &[1, 34, 124],
        cause::UNKNOWN_FLAG,
        "Check the document: `aks-node-controller validate FILE`",
    ),
    checked(
        &["invalid kernel flag", "protectkerneldefaults"],
        &[1, 34],
        "kubelet finds kernel settings that it may not change (protectKernelDefaults)",
        "See them: `sysctl vm.overcommit_memory kernel.panic kernel.panic_on_oops`",
    ),
    clue(
        &[
            "rejects the bootstrap token",
            "certificate signing request: unauthorized",
            "failed to load bootstrap",
            "unable to load bootstrap kubeconfig",
            "token is expired",
            "err=\"unauthorized\"",
            "err=\\\"unauthorized\\\"",
            "csinode publishing: unauthorized",
        ],
        &[1, 34, 124],
        cause::TOKEN,
    ),
    clue(&["no such host", "lookupnosuchhost"], &[52, 53], cause::NO_RECORD),
    clue(&["privatelink."], &[52], cause::ZONE_NOT_FORWARDED),
    clue(&["privatelink."], &[53], cause::ZONE_NOT_LINKED),
    checked(
        &["no servers could be reached", "communications error to", "could not be reached; timed out"],
        &[],
        "The DNS server of the virtual network cannot be reached",
        "See which servers there are: `cat /run/systemd/resolve/resolv.conf; resolvectl status`",
    ),
    clue(
        &[
            "could not resolve host",
            "couldn't resolve host",
            "temporary failure resolving",
            "temporary failure in name resolution",
            "name or service not known",
            "servfail",
            "no such host",
        ],
        &[1, 9, 28, 29, 31, 41, 42, 50, 70, 71, 84, 99, 121, 122, 124, 169, 205, 207, 208, 211, 231, 233],
        cause::NO_DNS,
    ),
    checked(
        &[
            "could not resolve proxy",
            "(this is the proxy)",
            "proxyconnect tcp",
            "407 proxy authentication",
            "proxy connect aborted",
            "received http code 4",
            "received http code 5",
            "from proxy after connect",
        ],
        &[],
        cause::PROXY,
        "Reach a name through it: `curl -v --proxy PROXY https://mcr.microsoft.com/v2/`",
    ),
    checked(
        &["certificate has expired", "is not yet valid", "is not valid yet", "not valid until"],
        &[],
        cause::CLOCK,
        "Compare the clock: `date -u; curl -sI https://mcr.microsoft.com | grep -i ^date`",
    ),
    checked(
        UNTRUSTED,
        &[51],
        cause::UNTRUSTED,
        "See who signs: `openssl s_client -connect API_SERVER:443 -CAfile /etc/kubernetes/certs/ca.crt </dev/null`",
    ),
    checked(
        UNTRUSTED,
        &[],
        cause::UNTRUSTED,
        "See who signs: `openssl s_client -connect mcr.microsoft.com:443 </dev/null 2>/dev/null | openssl x509 -noout -issuer`",
    ),
    clue(
        &[
            "no_pubkey",
            "expkeysig",
            "keyexpired",
            "is not signed",
            "the following signatures",
            "gpg error",
            "changed its 'suite' value",
        ],
        &[9, 42, 43, 99, 121, 122, 124],
        cause::KEY_EXPIRED,
    ),
    clue(
        &[
            "ssl_error_syscall",
            "curl: (35)",
            "connection reset by peer",
            "tls handshake timeout",
            "unexpected eof while reading",
        ],
        &[],
        cause::CUT_BY_NAME,
    ),
    clue(
        NO_CONNECTION,
        &[9, 28, 31, 41, 42, 50, 70, 71, 99, 121, 122, 124, 169, 205, 207, 208, 211, 231],
        cause::BLOCKED,
    ),
    clue(&["connection refused"], &[51], cause::CLUSTER_STOPPED),
    clue(NO_CONNECTION, &[51], cause::API_BLOCKED),
    checked(
        &["the requested url returned error: 403", "403 forbidden", "http 403", "403  forbidden"],
        &[],
        "A firewall or proxy refuses the address, or the download needs a signature that has expired",
        "See who answers: `curl -v -o /dev/null URL`",
    ),
    clue(
        &[
            "the requested url returned error: 404",
            "404 not found",
            "404  not found",
            "manifest unknown",
            "not found: manifest",
            "unable to locate package",
            "has no installation candidate",
            "no match for argument",
            "unable to find a match",
            "failed to find valid",
        ],
        &[],
        cause::NO_VERSION,
    ),
    checked(
        &[
            "could not get lock",
            "dpkg frontend lock",
            "dpkg frontend is locked",
            "is held by process",
            "waiting for cache lock",
            "rpm transaction lock",
        ],
        &[],
        cause::LOCKED,
        "Find who holds the lock: `fuser -v /var/lib/dpkg/lock-frontend`",
    ),
    checked(
        &["dpkg was interrupted", "unmet dependencies", "broken packages"],
        &[],
        "An earlier installation of packages was interrupted",
        "Repair it: `dpkg --configure -a && apt-get -f install`",
    ),
    checked(
        &["identity not found", "no managed identity", "identity_not_found"],
        &[],
        cause::NO_IDENTITY,
        "List the identities: `az vmss identity show -g NODE_GROUP -n SCALE_SET`",
    ),
    clue(
        &["oras: command not found", "'oras': no such file", "oras binary is absent", "oras not found"],
        &[207, 208, 211, 212, 231, 233],
        "The image has no oras",
    ),
    checked(
        &["authentication required", "insufficient_scope", "denied: requested access", "unauthorized", "acrpull"],
        &[207, 208, 211, 212, 231, 233],
        cause::NO_ACRPULL,
        "List the roles: `az role assignment list --assignee CLIENT_ID --scope REGISTRY_ID -o table`",
    ),
    checked(
        &["key was rejected by service", "required key not available", "module verification failed"],
        &[84, 85, 49],
        cause::SECURE_BOOT,
        "See the state of secure boot: `mokutil --sb-state`",
    ),
    clue(
        &["unable to determine the device handle", "no devices were found", "fallen off the bus", "nvrm: xid"],
        &[84, 87],
        cause::GPU_DEFECTIVE,
    ),
    clue(
        &["nvidia-smi has failed", "couldn't communicate with the nvidia driver"],
        &[84],
        "The module of the driver is not loaded",
    ),
    clue(
        &["failed to load plugin", "toml:", "invalid plugin config", "containerd.service: failed with"],
        &[4, 6, 28, 84, 85, 119],
        cause::CONTAINERD_CONFIG,
    ),
    clue(&["modprobe: fatal: module", "not found in directory /lib/modules"], &[49], cause::KERNEL_CHANGED),
    clue(
        &["unsupported config version", "unsupported version", "unknown field", "invalid configuration"],
        &[240],
        cause::CONFIGURATION,
    ),
    clue(
        &["command not found", "failed to run command"],
        &[1, 4, 6, 9, 31, 34, 41, 50, 51, 84, 124, 127],
        cause::OLD_IMAGE,
    ),
    clue(
        &["kubelet.service: start request repeated too quickly", "kubelet.service: failed with result"],
        &[34, 1],
        cause::KUBELET_ENDS,
    ),
];

/// Reports whether a line is a clue with any code.
pub(super) fn is_clue(line: &str) -> bool {
    let lower = line.to_ascii_lowercase();
    !line.starts_with('+') && CLUES.iter().any(|clue| clue.any.iter().any(|text| has(&lower, text)))
}

/// Returns what the output points to, at most three, the clearest first.
pub(super) fn found(code: u8, shown: &Shown) -> Vec<&'static Clue> {
    let text = format!("{}\n{}", shown.error.as_deref().unwrap_or_default(), shown.output).to_ascii_lowercase();
    let mut found: Vec<&Clue> = Vec::new();
    for clue in CLUES {
        if (clue.codes.is_empty() || clue.codes.contains(&code))
            && clue.any.iter().any(|pattern| has(&text, pattern))
            && found.iter().all(|before| before.cause != clue.cause)
        {
            found.push(clue);
        }
    }
    found.truncate(3);
    found
}
