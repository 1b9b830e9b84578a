//! Clues: lines in the output of programs that point to a cause.
//!
//! To add a clue: a row here, the clearest first, and a text that contains it in `testdata/explain/`.

use super::{cause, check};
use crate::catalogue::failures::check::{BINDINGS, CSRS, VALIDATE};

/// A pattern in the output, and the cause that it points to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clue {
    /// The cause, as in the rows of exit codes.
    pub cause: &'static str,
    /// Texts in lower case, of which the output must contain one.
    pub any: &'static [&'static str],
    /// Texts in lower case that contradict the cause.
    pub unless: &'static [&'static str],
    /// Whether it applies to every code; otherwise only to codes whose row has the cause.
    pub is_general: bool,
    /// A check in addition to those of the code's row.
    pub check: Option<&'static str>,
}

impl Clue {
    const fn any(self, any: &'static [&'static str]) -> Self {
        Self { any, ..self }
    }

    const fn unless(self, unless: &'static [&'static str]) -> Self {
        Self { unless, ..self }
    }

    const fn check(self, check: &'static str) -> Self {
        Self { check: Some(check), ..self }
    }
}

const fn clue(cause: &'static str) -> Clue {
    Clue { cause, any: &[], unless: &[], is_general: false, check: None }
}

const fn everywhere(cause: &'static str) -> Clue {
    Clue { is_general: true, ..clue(cause) }
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

/// The clearest first.
pub static CLUES: &[Clue] = &[
    everywhere(cause::DISK_FULL).any(&["no space left on device", "disk quota exceeded", "curl: (23)"]).check(check::DISK),
    everywhere(cause::READ_ONLY).any(&["read-only file system"]).check(check::MOUNT),
    everywhere(cause::OUT_OF_MEMORY).any(&["out of memory", "oom-kill", "killed process"]).check(check::KILLER),
    clue(cause::BAD_TIMEOUT).any(&["invalid time interval"]),
    clue(cause::NO_NIC_ADDRESS).any(&["primarynicip is unset", "one or more required variables are not set"])
        // The script prints the address that it read.
        .unless(&["primary nic ip: 1", "primarynicip=1"])
        .check("Query the metadata service: `curl -s -H Metadata:true --noproxy \"*\" \"http://169.254.169.254/metadata/instance/network?api-version=2021-02-01\"`"),
    clue(cause::UNKNOWN_FLAG).any(&["unknown flag: --", "unknown shorthand flag", "unrecognized feature gate"])
        .check(VALIDATE),
    clue(cause::BAD_VALUE).any(&[
            "failed to parse kubelet flag: invalid argument",
            "failed to validate kubelet flags",
            "unknown authorization mode",
            "quantities must match the regular expression",
        ])
        .check(VALIDATE),
    clue(cause::RESERVED).any(&["invalid node allocatable configuration"]).check(VALIDATE),
    clue(cause::MAY_NOT_ASK).any(&["has no right to ask for a certificate"])
        .check(BINDINGS),
    clue(cause::NOT_APPROVED).any(&["has not approved its request for a certificate"])
        .check(CSRS),
    clue(cause::KERNEL_SETTINGS).any(&["invalid kernel flag", "protectkerneldefaults"])
        .check("List the settings: `sysctl vm.overcommit_memory kernel.panic kernel.panic_on_oops`"),
    clue(cause::TOKEN).any(&[
            "rejects the bootstrap token",
            "certificate signing request: unauthorized",
            "failed to load bootstrap",
            "unable to load bootstrap kubeconfig",
            "token is expired",
            "err=\"unauthorized\"",
            "err=\\\"unauthorized\\\"",
            "csinode publishing: unauthorized",
        ]),
    clue(cause::NO_RECORD).any(&["no such host", "lookupnosuchhost"]),
    clue(cause::ZONE_NOT_FORWARDED).any(&["privatelink."]),
    everywhere(cause::NO_DNS_SERVER).any(&["no servers could be reached", "communications error to", "could not be reached; timed out"])
    .check("List the DNS servers: `cat /run/systemd/resolve/resolv.conf; resolvectl status`"),
    clue(cause::ZONE_NOT_LINKED).any(&["privatelink."]),
    clue(cause::NO_DNS).any(&[
            "could not resolve host",
            "couldn't resolve host",
            "temporary failure resolving",
            "temporary failure in name resolution",
            "name or service not known",
            "servfail",
            "no such host",
        ]),
    everywhere(cause::PROXY).any(&[
            "could not resolve proxy",
            "(this is the proxy)",
            "proxyconnect tcp",
            "407 proxy authentication",
            "proxy connect aborted",
            "received http code 4",
            "received http code 5",
            "from proxy after connect",
        ])
    .check("Connect through it: `curl -v --proxy PROXY https://mcr.microsoft.com/v2/`"),
    everywhere(cause::CLOCK).any(&["certificate has expired", "is not yet valid", "is not valid yet", "not valid until"])
        .check("Compare the clock: `date -u; curl -sI https://mcr.microsoft.com | grep -i ^date`"),
    everywhere(cause::UNTRUSTED).any(&[
            "self signed certificate",
            "self-signed certificate",
            "unable to get local issuer certificate",
            "certificate signed by unknown authority",
            "curl: (60)",
            "ssl certificate problem",
        ])
    .check("See the issuer: `openssl s_client -connect HOST:443 </dev/null 2>/dev/null | openssl x509 -noout -issuer`"),
    clue(cause::KEY_EXPIRED).any(&[
            "no_pubkey",
            "expkeysig",
            "keyexpired",
            "is not signed",
            "the following signatures",
            "gpg error",
            "changed its 'suite' value",
        ]),
    everywhere("Something on the network path ends downloads before they are complete")
        .any(&["curl: (18)", "transfer closed with"])
        .check("Download it by hand: `curl -v -o /dev/null URL`"),
    everywhere("A firewall filters connections by their TLS name, and its list lacks the name").any(&[
            "ssl_error_syscall",
            "curl: (35)",
            "connection reset by peer",
            "tls handshake timeout",
            "unexpected eof while reading",
        ]),
    clue(cause::BLOCKED).any(NO_CONNECTION),
    clue(cause::CLUSTER_STOPPED).any(&["connection refused"]),
    clue(cause::API_BLOCKED).any(NO_CONNECTION),
    everywhere("A firewall or proxy refuses the address, or the download needs a signature that has expired").any(&["the requested url returned error: 403", "403 forbidden", "http 403", "403  forbidden"])
    .check("See which server answers: `curl -v -o /dev/null URL`"),
    everywhere(cause::NO_VERSION).any(&[
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
        ]),
    everywhere(cause::LOCKED).any(&[
            "could not get lock",
            "dpkg frontend lock",
            "dpkg frontend is locked",
            "is held by process",
            "waiting for cache lock",
            "rpm transaction lock",
        ])
    .check(check::LOCK_HOLDER),
    everywhere("An earlier installation of packages was interrupted").any(&["dpkg was interrupted", "unmet dependencies", "broken packages"])
    .check("Repair it: `dpkg --configure -a && apt-get -f install`"),
    everywhere(cause::NO_IDENTITY).any(&["identity not found", "no managed identity", "identity_not_found"])
        .check(check::IDENTITIES),
    clue(cause::NO_ORAS).any(&["oras: command not found", "'oras': no such file", "oras binary is absent", "oras not found"]),
    clue(cause::NO_ACRPULL).any(&["authentication required", "insufficient_scope", "denied: requested access", "unauthorized", "acrpull"])
    .check(check::ROLES),
    clue(cause::SECURE_BOOT).any(&["key was rejected by service", "required key not available", "module verification failed"])
    .check(check::MOK_STATE),
    clue(cause::GPU_DEFECTIVE).any(&["unable to determine the device handle", "no devices were found", "fallen off the bus", "nvrm: xid"]),
    clue(cause::GPU_MODULE).any(&["nvidia-smi has failed", "couldn't communicate with the nvidia driver"]),
    clue(cause::CONTAINERD_CONFIG).any(&["failed to load plugin", "toml:", "invalid plugin config", "containerd.service: failed with"]),
    clue(cause::KERNEL_CHANGED).any(&["modprobe: fatal: module", "not found in directory /lib/modules"]),
    clue(cause::CONFIGURATION).any(&["unsupported config version", "unsupported version", "unknown field", "invalid configuration"]),
    clue(cause::OLD_IMAGE).any(&["command not found", "failed to run command"]),
    clue(cause::KUBELET_ENDS).any(&["kubelet.service: start request repeated too quickly", "kubelet.service: failed with result"]),
];
