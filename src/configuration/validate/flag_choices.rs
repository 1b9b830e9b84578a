//! Kubelet flags whose value is one of a few words. The kubelet does not start with any other value.

use super::fields::Text;
use crate::catalogue::rules;
use crate::document::{Finding, nearest};

/// A flag and its words.
struct Choice {
    flag: &'static str,
    words: &'static [&'static str],
    /// Whether the value is a list, separated by commas.
    is_list: bool,
    /// Whether the kubelet takes an empty value for its default.
    may_be_empty: bool,
    expected: &'static str,
}

/// The kubelet's `cmd/kubelet/app/auth.go`, `pkg/kubelet/apis/config/validation`, `pkg/kubelet/cm`, and the flags of
/// `k8s.io/component-base`.
const CHOICES: &[Choice] = &[
    one("--authorization-mode", &["AlwaysAllow", "Webhook"]).expected("`Webhook` or `AlwaysAllow`"),
    one("--cpu-manager-policy", &["none", "static"]).expected("`none` or `static`"),
    list("--enforce-node-allocatable", ENFORCEMENTS)
        .expected("`none`, or `pods`, `system-reserved` and `kube-reserved`, separated by commas"),
    one("--hairpin-mode", &["hairpin-veth", "none", "promiscuous-bridge"])
        .expected("`promiscuous-bridge`, `hairpin-veth` or `none`"),
    Choice {
        may_be_empty: true,
        ..one(
            "--kube-api-content-type",
            &["application/json", "application/vnd.kubernetes.protobuf", "application/yaml"],
        )
    }
    .expected("`application/vnd.kubernetes.protobuf` or `application/json`"),
    // With another value the kubelet prints text and ends.
    one("--help", FALSE).expected("`false`"),
    one("--logging-format", &["json", "text"]).expected("`text` or `json`"),
    one("--memory-manager-policy", &["None", "Static"]).expected("`None` or `Static`"),
    list("--tls-cipher-suites", TLS_CIPHER_SUITES).expected("names of Go's TLS cipher suites, separated by commas"),
    Choice { may_be_empty: true, ..one("--tls-min-version", TLS_VERSIONS) }
        .expected("`VersionTLS12` or `VersionTLS13`"),
    one("--topology-manager-policy", &["best-effort", "none", "restricted", "single-numa-node"])
        .expected("`none`, `best-effort`, `restricted` or `single-numa-node`"),
    one("--topology-manager-scope", &["container", "pod"]).expected("`container` or `pod`"),
    one("--version", FALSE).expected("`false`"),
];

/// What the kubelet can enforce.
pub(super) const ENFORCEMENTS: &[&str] =
    &["none", "pods", "system-reserved", "kube-reserved", "system-reserved-compressible", "kube-reserved-compressible"];

/// The suites of `crypto/tls`, also insecure ones, and two older names that the kubelet knows.
pub(super) const TLS_CIPHER_SUITES: &[&str] = &[
    "TLS_AES_128_GCM_SHA256",
    "TLS_AES_256_GCM_SHA384",
    "TLS_CHACHA20_POLY1305_SHA256",
    "TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA",
    "TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256",
    "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
    "TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA",
    "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
    "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305",
    "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
    "TLS_ECDHE_ECDSA_WITH_RC4_128_SHA",
    "TLS_ECDHE_RSA_WITH_3DES_EDE_CBC_SHA",
    "TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA",
    "TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA256",
    "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
    "TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA",
    "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
    "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305",
    "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256",
    "TLS_ECDHE_RSA_WITH_RC4_128_SHA",
    "TLS_RSA_WITH_3DES_EDE_CBC_SHA",
    "TLS_RSA_WITH_AES_128_CBC_SHA",
    "TLS_RSA_WITH_AES_128_CBC_SHA256",
    "TLS_RSA_WITH_AES_128_GCM_SHA256",
    "TLS_RSA_WITH_AES_256_CBC_SHA",
    "TLS_RSA_WITH_AES_256_GCM_SHA384",
    "TLS_RSA_WITH_RC4_128_SHA",
];

/// What Go's server of HTTP/2 needs one of, unless it has TLS 1.3 only: `ConfigureServer` in `golang.org/x/net/http2`.
pub(super) const HTTP2_SUITES: [&str; 2] =
    ["TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256", "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256"];

const FALSE: &[&str] = &["false", "False", "FALSE", "f", "F", "0"];

const TLS_VERSIONS: &[&str] = &["VersionTLS10", "VersionTLS11", "VersionTLS12", "VersionTLS13"];

const fn one(flag: &'static str, words: &'static [&'static str]) -> Choice {
    Choice { flag, words, is_list: false, may_be_empty: false, expected: "" }
}

const fn list(flag: &'static str, words: &'static [&'static str]) -> Choice {
    Choice { is_list: true, may_be_empty: true, ..one(flag, words) }
}

impl Choice {
    const fn expected(self, expected: &'static str) -> Self {
        Self { expected, ..self }
    }
}

/// Returns a finding if the value of a flag is none of its words.
pub(super) fn choice(name: &str, flag: &Text<'_>) -> Option<Finding> {
    let choice = CHOICES.iter().find(|choice| choice.flag == name)?;
    // Quotes around the whole value are the shell's.
    let value = flag.value.trim_matches(['"', '\'']);
    if value.is_empty() && choice.may_be_empty {
        return None;
    }
    let mut words = value.split(if choice.is_list { ',' } else { '\0' });
    let wrong = words.find(|word| !choice.words.contains(word))?;
    let finding = flag.must_be(&rules::KUBELET_FLAG_VALUE, choice.expected);
    let by_case = choice.words.iter().find(|known| known.eq_ignore_ascii_case(wrong)).copied();
    match by_case.or_else(|| nearest(wrong, choice.words.iter().copied())) {
        Some(meant) => Some(finding.hint(format!("did you mean `{meant}`?"))),
        None => Some(finding),
    }
}
