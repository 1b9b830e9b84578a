//! What lines in the output of programs point to.

use super::wrappings::Shown;

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

/// The clearest first.
static CLUES: &[Clue] = &[
    checked(
        &["no space left on device", "disk quota exceeded"],
        &[],
        "The disk is full",
        "Check the disk: `df -h / /var/lib/containerd; df -i /`",
    ),
    checked(
        &["read-only file system"],
        &[],
        "The file system is read-only after an error",
        "See how it is mounted: `findmnt /; dmesg | tail -n 50`",
    ),
    checked(
        &["out of memory", "oom-kill", "killed process"],
        &[],
        "The kernel ran out of memory and killed a program",
        "Look for it: `dmesg | grep -i \"killed process\"`",
    ),
    clue(
        &["nxdomain", "server can't find", "non-existent domain"],
        &[],
        "The DNS server answers that the name does not exist: it does not know the private zone, or the record is not there",
    ),
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
        ],
        &[],
        "DNS of the virtual network does not resolve public names",
    ),
    checked(
        &[
            "could not resolve proxy",
            "proxyconnect tcp",
            "407 proxy authentication",
            "proxy connect aborted",
            "received http code 407",
            "from proxy after connect",
        ],
        &[],
        "The proxy cannot be used: its name, its port, its account, or what it allows",
        "Reach a name through it: `curl -v --proxy \"$HTTPS_PROXY\" https://mcr.microsoft.com/v2/`",
    ),
    checked(
        &[
            "self signed certificate",
            "self-signed certificate",
            "unable to get local issuer certificate",
            "certificate signed by unknown authority",
            "curl: (60)",
            "ssl certificate problem",
        ],
        &[],
        "Something between inspects TLS, or the authority is another one: the node does not trust the certificate",
        "See who signs: `openssl s_client -connect mcr.microsoft.com:443 </dev/null 2>/dev/null | openssl x509 -noout -issuer`",
    ),
    checked(
        &["certificate has expired", "is not yet valid", "certificate is not yet valid", "not valid yet"],
        &[],
        "The clock of the machine is wrong, or a certificate has expired",
        "Compare the clock: `date -u; curl -sI https://mcr.microsoft.com | grep -i ^date`",
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
        "A firewall ends connections by their TLS name: the name is not on its list",
    ),
    clue(
        &[
            "connection timed out",
            "curl: (28)",
            "operation timed out",
            "i/o timeout",
            "failed to connect to",
            "no route to host",
            "network is unreachable",
            "curl: (7)",
            "context deadline exceeded",
        ],
        &[9, 31, 41, 42, 50, 70, 71, 99, 121, 124, 205, 207, 208, 211, 231],
        "A firewall, network security group or route table blocks the traffic",
    ),
    clue(
        &[
            "connection timed out",
            "curl: (28)",
            "operation timed out",
            "i/o timeout",
            "failed to connect to",
            "no route to host",
            "network is unreachable",
            "curl: (7)",
        ],
        &[51],
        "A firewall, network security group or route table blocks the API server on port 443",
    ),
    clue(&["connection refused"], &[51], "The cluster is stopped, or its API server is another one"),
    checked(
        &[
            "the requested url returned error: 403",
            "403 forbidden",
            "http 403",
            "curl: (22) the requested url returned error: 403",
        ],
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
        ],
        &[],
        "The version does not exist where it is looked for",
    ),
    checked(
        &[
            "could not get lock",
            "dpkg frontend lock",
            "is held by process",
            "waiting for cache lock",
            "rpm transaction lock",
        ],
        &[],
        "Another process holds the lock of the package manager",
        "Find who holds it: `fuser -v /var/lib/dpkg/lock-frontend`",
    ),
    checked(
        &["dpkg was interrupted", "unmet dependencies", "broken packages", "held broken packages"],
        &[],
        "An earlier installation of packages was interrupted",
        "Repair it: `dpkg --configure -a && apt-get -f install`",
    ),
    clue(
        &[
            "no_pubkey",
            "expkeysig",
            "keyexpired",
            "is not signed",
            "the following signatures",
            "gpg error",
            "release file for",
            "is not valid yet (invalid for another",
        ],
        &[9, 99],
        "The key of a repository has expired or changed",
    ),
    clue(
        &[
            "unable to locate package",
            "has no installation candidate",
            "no match for argument",
            "was not found",
            "unable to find a match",
        ],
        &[9, 28, 29, 121, 122],
        "The version is not in the repository",
    ),
    checked(
        &[
            "unauthorized: authentication required",
            "insufficient_scope",
            "denied: requested access",
            "unauthorized",
            "acrpull",
        ],
        &[207, 208, 211, 212, 231, 233],
        "The identity of the kubelet has no AcrPull on the registry, or the assignment is too new",
        "List the role assignments: `az role assignment list --assignee CLIENT_ID --scope REGISTRY_ID`",
    ),
    clue(
        &["identity not found", "no managed identity", "identity_not_found"],
        &[],
        "The identity is not assigned to the virtual machine",
    ),
    checked(
        &["key was rejected by service", "required key not available", "module verification failed", "lockdown"],
        &[84, 85, 49],
        "Secure boot rejects the module: the virtual machine is a trusted launch one",
        "See its state: `mokutil --sb-state`",
    ),
    clue(
        &["unable to determine the device handle", "no devices were found", "fallen off the bus", "xid"],
        &[84, 87],
        "The GPU is defective, or the driver does not know it",
    ),
    clue(&["inforom is corrupted"], &[], "The GPU is defective: its info ROM is corrupted"),
    clue(
        &["nvidia-smi has failed", "couldn't communicate with the nvidia driver"],
        &[84],
        "The module of the driver is not loaded",
    ),
    checked(
        &["unknown flag: --", "unknown shorthand flag", "failed to parse kubelet flag"],
        &[],
        "kubelet does not know a flag: it was removed before this version",
        "Check the document: `aks-node-controller validate FILE`",
    ),
    checked(
        &["invalid kernel flag", "protectkerneldefaults"],
        &[],
        "kubelet finds kernel settings that it may not change (protectKernelDefaults)",
        "Set them: `sysctl vm.overcommit_memory kernel.panic kernel.panic_on_oops`",
    ),
    clue(
        &[
            "failed to load bootstrap",
            "unable to load bootstrap kubeconfig",
            "bootstrap-kubeconfig",
            "token is expired",
            "bootstrap token",
        ],
        &[34, 1, 124],
        "The bootstrap token has expired or belongs to another cluster",
    ),
    clue(
        &[
            "kubelet.service: start request repeated too quickly",
            "kubelet.service: failed with result",
            "kubelet.service failed",
        ],
        &[34, 1],
        "kubelet ends again and again: a flag or a field that its version does not know, or a refused setting of the kernel",
    ),
    checked(
        &[
            "failed to start containerd",
            "containerd.service: failed",
            "failed to load plugin",
            "toml:",
            "invalid plugin config",
        ],
        &[4, 6, 28, 84, 85, 119],
        "The configuration of containerd is broken, or a drop-in of its unit",
        "Check it: `containerd config dump >/dev/null`",
    ),
    clue(
        &["modprobe: fatal: module", "module not found", "not found in directory /lib/modules"],
        &[49],
        "The kernel is newer than the modules on the disk: an upgrade waits for a reboot",
    ),
    clue(
        &["unsupported config version", "unsupported version", "unknown field", "invalid configuration"],
        &[240],
        "The Configuration is missing, cannot be read, or has a version that this controller does not know",
    ),
];

/// Reports whether a line is a clue with any code.
pub(super) fn is_clue(line: &str) -> bool {
    let lower = line.to_ascii_lowercase();
    !line.starts_with('+') && CLUES.iter().any(|clue| clue.any.iter().any(|text| lower.contains(text)))
}

/// Returns what the output points to, at most three, the clearest first.
pub(super) fn found(code: u8, shown: &Shown) -> Vec<&'static Clue> {
    let text = format!("{}\n{}", shown.error.as_deref().unwrap_or_default(), shown.output).to_ascii_lowercase();
    let matching = CLUES.iter().filter(|clue| clue.codes.is_empty() || clue.codes.contains(&code));
    let mut found: Vec<&Clue> = matching.filter(|clue| clue.any.iter().any(|pattern| text.contains(pattern))).collect();
    found.dedup_by_key(|clue| clue.cause);
    found.truncate(3);
    found
}
