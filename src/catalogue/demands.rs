//! The demands of the node's scripts on the values of their variables.
//!
//! This table is the source of findings of `validate`, of the scripts' input checks (`make generate` writes
//! `parts/provisioning/configs/demands.sh`) and of the demands in `docs/environment.md`. To add a demand: a row in
//! [`DEMANDS`]. To add a form: a variant of [`Form`], its row in each function below, and an equivalent function in
//! `parts/provisioning/source/forms.sh`; a test compares the two.

use base64::Engine;
use base64::alphabet::STANDARD;
use base64::engine::{GeneralPurpose, GeneralPurposeConfig};

use super::labels::{is_dns1123_subdomain, is_label_name};

/// A demand of the scripts on the value of a variable.
#[derive(Debug)]
pub struct Demand {
    /// The name of the variable; `CUSTOM_CA_CERT_n` stands for each certificate.
    pub variable: &'static str,
    /// The step that checks the value on the node.
    pub checked_by: Checker,
    /// The variable that must be `true` for the demand to apply. `None` if it always applies.
    pub when: Option<&'static str>,
    /// The required form of the value. Only [`Form::Given`] rejects an empty value.
    pub form: Form,
}

/// A step that checks values on a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Checker {
    /// The first step of the stage that prepares a machine or an image.
    BaseInputs,
    /// The first step of the stage that turns a prepared machine into a node.
    NodeInputs,
    /// A later step of the first stage, which reports another exit code than the input checks.
    BaseStep(&'static str, u8),
    /// A later step of the second stage.
    NodeStep(&'static str, u8),
}

impl Checker {
    /// Returns the name of the step.
    #[must_use]
    pub const fn step(self) -> &'static str {
        match self {
            Self::BaseInputs => "checkBaseInputs",
            Self::NodeInputs => "checkNodeInputs",
            Self::BaseStep(name, _) | Self::NodeStep(name, _) => name,
        }
    }

    /// Returns the exit code for a value that does not have the form.
    #[must_use]
    pub const fn exit_code(self) -> u8 {
        match self {
            Self::BaseInputs | Self::NodeInputs => 245,
            Self::BaseStep(_, code) | Self::NodeStep(_, code) => code,
        }
    }

    /// Reports whether the step only runs on nodes of a cluster, not on images.
    #[must_use]
    pub const fn is_for_nodes(self) -> bool {
        matches!(self, Self::NodeInputs | Self::NodeStep(..))
    }
}

/// The form of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Any text except an empty one.
    Given,
    /// A version of Kubernetes, possibly with a `v` and with suffixes.
    Version,
    /// A decimal number of up to nine digits.
    Number,
    /// Text without line breaks.
    OneLine,
    /// Text without double quotes and backslashes.
    Unquoted,
    /// Text in base64, possibly with line feeds.
    Base64,
    /// PEM text of a certificate in base64, possibly with whitespace.
    Certificate,
    /// A JSON object, as text or in base64.
    Object,
    /// A host name or an IP address.
    Host,
    /// A host with an optional port and path, of which no character has a meaning in TOML, JSON or a shell.
    Registry,
    /// A name that becomes a file name.
    FileName,
    /// The section of a service and limits for it, separated by blanks.
    UnitSettings,
    /// `key=value` pairs of labels, separated by commas.
    Labels,
    /// A call of curl.
    CurlCall,
}

/// What is known of a form besides the values that have it.
struct FormRow {
    form: Form,
    /// The shell function that checks a value.
    function: &'static str,
    /// What comes after "must be" in a message.
    words: &'static str,
    /// Whether messages may show a value that does not have the form: no secret has such a form.
    is_shown: bool,
}

const fn hidden(form: Form, function: &'static str, words: &'static str) -> FormRow {
    FormRow { form, function, words, is_shown: false }
}

const fn shown(form: Form, function: &'static str, words: &'static str) -> FormRow {
    FormRow { form, function, words, is_shown: true }
}

static FORMS: [FormRow; 14] = [
    hidden(Form::Given, "is_given", "set"),
    shown(Form::Version, "is_version", "a version such as 1.33.5"),
    shown(Form::Number, "is_number", "a number of up to nine digits"),
    hidden(Form::OneLine, "is_one_line", "one line"),
    hidden(Form::Unquoted, "is_unquoted", "without double quotes and backslashes"),
    hidden(Form::Base64, "is_base64", "base64"),
    hidden(Form::Certificate, "is_certificate", "base64 of a certificate"),
    hidden(Form::Object, "is_object", "a JSON object, as text or in base64"),
    shown(Form::Host, "is_host", "a host name or an IP address"),
    shown(Form::Registry, "is_registry", "a host with an optional port and path"),
    shown(Form::FileName, "is_file_name", "letters, digits, dots, dashes or underscores"),
    shown(
        Form::UnitSettings,
        "are_unit_settings",
        "[Service] and limits such as LimitNOFILE=1048576, separated by blanks",
    ),
    shown(
        Form::Labels,
        "are_labels",
        "key=value pairs separated by commas: names and values of up to 63 letters, digits, dots, dashes or \
         underscores, with an optional DNS name and a slash before the name",
    ),
    hidden(Form::CurlCall, "is_curl_call", "a call of curl"),
];

impl Form {
    /// Returns every form.
    pub fn all() -> impl Iterator<Item = Self> {
        FORMS.iter().map(|row| row.form)
    }

    fn row(self) -> &'static FormRow {
        FORMS.iter().find(|row| row.form == self).expect("every form has a row")
    }

    /// Returns the shell function that checks a value.
    #[must_use]
    pub fn function(self) -> &'static str {
        self.row().function
    }

    /// Returns the words after "must be" in a message.
    #[must_use]
    pub fn words(self) -> &'static str {
        self.row().words
    }

    /// Reports whether messages may show a value that does not have the form.
    #[must_use]
    pub fn is_shown(self) -> bool {
        self.row().is_shown
    }

    /// Reports whether a value of the form can have line breaks.
    #[must_use]
    pub const fn has_lines(self) -> bool {
        matches!(self, Self::Base64 | Self::Certificate | Self::Object | Self::CurlCall)
    }

    /// Reports whether a value has the form.
    #[must_use]
    pub fn accepts(self, value: &str) -> bool {
        if value.is_empty() {
            return self != Self::Given;
        }
        match self {
            Self::Given => true,
            Self::Version => is_version(value),
            Self::Number => value.len() <= 9 && value.bytes().all(|byte| byte.is_ascii_digit()),
            Self::OneLine => !value.contains(['\n', '\r']),
            Self::Unquoted => !value.contains(['"', '\\']),
            Self::Base64 => is_base64(value),
            Self::Certificate => is_certificate(value),
            Self::Object => value.trim_start_matches(is_space).starts_with('{') || is_base64(value),
            Self::Host => is_host(value),
            Self::Registry => {
                let host = value.split('/').next().unwrap_or_default();
                is_host(host.rsplit_once(':').map_or(host, |(host, _)| host))
                    && value.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._:/-".contains(&byte))
            }
            Self::FileName => value.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte)),
            Self::UnitSettings => {
                value.split(' ').all(|word| word.is_empty() || word == "[Service]" || is_limit_setting(word))
            }
            Self::Labels => are_labels(value),
            Self::CurlCall => {
                let line = value.split('\n').next().unwrap_or_default();
                line.split([' ', '\t']).find(|word| !word.is_empty()) == Some("curl")
            }
        }
    }
}

/// The characters that `[[:space:]]` matches in the POSIX locale.
const fn is_space(character: char) -> bool {
    matches!(character, ' ' | '\t'..='\r')
}

/// `v?[0-9]+(\.[0-9A-Za-z+~-]+)*`
fn is_version(text: &str) -> bool {
    let mut parts = text.strip_prefix('v').unwrap_or(text).split('.');
    let major = parts.next().unwrap_or_default();
    let part = |part: &str| {
        !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+~-".contains(&byte))
    };
    !major.is_empty() && major.bytes().all(|byte| byte.is_ascii_digit()) && parts.all(part)
}

/// `[A-Za-z0-9]([A-Za-z0-9._:-]*[A-Za-z0-9])?`
fn is_host(text: &str) -> bool {
    let ends = [text.bytes().next(), text.bytes().last()];
    ends.into_iter().all(|byte| byte.is_some_and(|byte| byte.is_ascii_alphanumeric()))
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._:-".contains(&byte))
}

/// `Limit[A-Z]+=[0-9A-Za-z:]*`
fn is_limit_setting(word: &str) -> bool {
    let Some((name, limit)) = word.strip_prefix("Limit").and_then(|rest| rest.split_once('=')) else { return false };
    !name.is_empty()
        && name.bytes().all(|byte| byte.is_ascii_uppercase())
        && limit.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b':')
}

/// Groups of four digits, of which the last one can be padded. Ignores line feeds and the digits of an incomplete byte,
/// like `base64 -d`.
fn is_base64(text: &str) -> bool {
    let text = text.replace('\n', "");
    let digits = text.trim_end_matches('=');
    let is_digit = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/');
    text.len().is_multiple_of(4) && text.len() - digits.len() <= 2 && digits.bytes().all(is_digit)
}

/// Accepts the same texts as `base64 -d` on the node: padding is required, its unused bits are ignored.
pub(crate) const BASE64: GeneralPurpose =
    GeneralPurpose::new(&STANDARD, GeneralPurposeConfig::new().with_decode_allow_trailing_bits(true));

fn is_certificate(value: &str) -> bool {
    let text: Vec<_> = value.bytes().filter(|byte| !is_space(char::from(*byte))).collect();
    // Shells drop U+0000.
    let bytes = BASE64.decode(text).unwrap_or_default();
    let bytes: Vec<_> = bytes.into_iter().filter(|byte| *byte != 0).collect();
    bytes.windows(10).any(|window| window == b"-----BEGIN")
}

/// The API server rejects a node with another label.
/// <https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/#syntax-and-character-set>
fn are_labels(list: &str) -> bool {
    // The kubelet skips empty elements.
    list.split(',').filter(|label| !label.is_empty()).all(|label| {
        let (key, value) = label.split_once('=').unwrap_or((label, ""));
        let (prefix, name) = key.rsplit_once('/').map_or((None, key), |(prefix, name)| (Some(prefix), name));
        is_label_name(name) && prefix.is_none_or(is_dns1123_subdomain) && (value.is_empty() || is_label_name(value))
    })
}

const fn base(variable: &'static str, form: Form) -> Demand {
    Demand { variable, checked_by: Checker::BaseInputs, when: None, form }
}

const fn node(variable: &'static str, form: Form) -> Demand {
    Demand { variable, checked_by: Checker::NodeInputs, when: None, form }
}

const fn by(checked_by: Checker, variable: &'static str, form: Form) -> Demand {
    Demand { variable, checked_by, when: None, form }
}

impl Demand {
    /// Returns every demand on a variable.
    pub fn on(variable: &str) -> impl Iterator<Item = &'static Self> {
        DEMANDS.iter().filter(move |demand| demand.variable == variable)
    }

    /// Returns the demand as a sentence.
    #[must_use]
    pub fn sentence(&self) -> String {
        let condition = self.when.map_or("Must".to_owned(), |when| format!("If `{when}` is `true`, it must"));
        let what = match self.form {
            Form::Given => "not be empty".to_owned(),
            form => format!("be {}", form.words()),
        };
        let (step, code) = (self.checked_by.step(), self.checked_by.exit_code());
        format!("{condition} {what}: `{step}`, exit code {code}.")
    }

    const fn when(self, variable: &'static str) -> Self {
        Self { when: Some(variable), ..self }
    }
}

/// Ordered by step, as the node checks them.
pub static DEMANDS: &[Demand] = &[
    base("KUBERNETES_VERSION", Form::Given),
    base("KUBERNETES_VERSION", Form::Version),
    base("API_SERVER_NAME", Form::Given).when("ENABLE_HOSTS_CONFIG_AGENT"),
    base("API_SERVER_NAME", Form::Host).when("ENABLE_HOSTS_CONFIG_AGENT"),
    base("HTTP_PROXY_URLS", Form::OneLine),
    base("HTTPS_PROXY_URLS", Form::OneLine),
    base("NO_PROXY_URLS", Form::OneLine),
    base("HTTP_PROXY_URLS", Form::Unquoted).when("SHOULD_CONFIGURE_HTTP_PROXY"),
    base("HTTPS_PROXY_URLS", Form::Unquoted).when("SHOULD_CONFIGURE_HTTP_PROXY"),
    base("NO_PROXY_URLS", Form::Unquoted).when("SHOULD_CONFIGURE_HTTP_PROXY"),
    base("CUSTOM_SEARCH_DOMAIN_NAME", Form::OneLine),
    base("SWAP_FILE_SIZE_MB", Form::Given).when("SHOULD_CONFIG_SWAP_FILE"),
    base("SWAP_FILE_SIZE_MB", Form::Number).when("SHOULD_CONFIG_SWAP_FILE"),
    base("CUSTOM_CA_TRUST_COUNT", Form::Given).when("SHOULD_CONFIGURE_CUSTOM_CA_TRUST"),
    base("CUSTOM_CA_TRUST_COUNT", Form::Number).when("SHOULD_CONFIGURE_CUSTOM_CA_TRUST"),
    base("MESSAGE_OF_THE_DAY", Form::Base64),
    base("KUBENET_TEMPLATE", Form::Base64),
    base("CONTAINERD_ULIMITS", Form::UnitSettings).when("SHOULD_CONFIG_CONTAINERD_ULIMITS"),
    base("BOOTSTRAP_PROFILE_CONTAINER_REGISTRY_SERVER", Form::Registry),
    base("MCR_REPOSITORY_BASE", Form::Registry),
    node("API_SERVER_NAME", Form::Given),
    node("KUBE_CA_CRT", Form::Given),
    node("KUBERNETES_VERSION", Form::Given),
    node("KUBELET_FLAGS", Form::Given),
    node("KUBERNETES_VERSION", Form::Version),
    node("API_SERVER_NAME", Form::Host),
    node("KUBE_CA_CRT", Form::Certificate),
    node("KUBELET_FLAGS", Form::OneLine),
    node("KUBELET_NODE_LABELS", Form::OneLine),
    node("NETWORK_POLICY", Form::OneLine),
    node("KUBELET_IMAGE", Form::OneLine),
    node("AZURE_ENVIRONMENT_FILEPATH", Form::OneLine),
    node("TLS_BOOTSTRAP_TOKEN", Form::OneLine),
    node("APISERVER_PUBLIC_KEY", Form::Base64),
    node("KUBELET_CLIENT_CONTENT", Form::Base64),
    node("KUBELET_CLIENT_CERT_CONTENT", Form::Base64),
    node("KUBELET_CONFIG_FILE_CONTENT", Form::Base64),
    node("SERVICE_PRINCIPAL_FILE_CONTENT", Form::Base64),
    node("CUSTOM_ENV_JSON", Form::Object).when("IS_CUSTOM_CLOUD"),
    node("TARGET_ENVIRONMENT", Form::Given).when("IS_CUSTOM_CLOUD"),
    node("TARGET_ENVIRONMENT", Form::FileName).when("IS_CUSTOM_CLOUD"),
    node("GPU_INSTANCE_PROFILE", Form::OneLine).when("MIG_NODE"),
    node("NVIDIA_MIG_PROFILE_LAYOUT", Form::OneLine).when("MIG_NODE"),
    node("STANDARD_SECONDARY_NIC_COUNT", Form::Number),
    node("KUBELET_NODE_LABELS", Form::Labels),
    by(Checker::BaseStep("configureHTTPProxyCA", 161), "HTTP_PROXY_TRUSTED_CA", Form::Certificate)
        .when("SHOULD_CONFIGURE_HTTP_PROXY_CA"),
    by(Checker::BaseStep("configureCustomCaCertificate", 161), "CUSTOM_CA_CERT_n", Form::Certificate)
        .when("SHOULD_CONFIGURE_CUSTOM_CA_TRUST"),
    by(Checker::BaseStep("ensureContainerd", 6), "CONTAINERD_CONFIG_CONTENT", Form::Given),
    by(Checker::BaseStep("ensureContainerd", 6), "CONTAINERD_CONFIG_CONTENT", Form::Base64),
    by(Checker::BaseStep("ensureSysctl", 103), "SYSCTL_CONTENT", Form::Base64),
    by(Checker::NodeStep("checkOutbound", 50), "OUTBOUND_COMMAND", Form::CurlCall),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::exit_codes::{EXIT_CODES, Ender};
    use crate::catalogue::variables::variable;

    #[test]
    fn demands_are_about_known_variables() {
        for demand in DEMANDS {
            for name in [Some(demand.variable), demand.when].into_iter().flatten() {
                assert!(variable(name).is_some(), "{name}");
            }
        }
    }

    #[test]
    fn exit_codes_are_those_of_steps() {
        for demand in DEMANDS {
            let code = i64::from(demand.checked_by.exit_code());
            let row = EXIT_CODES.iter().find(|row| i64::from(row.code) == code).expect("the table has the code");
            assert!(row.ends.contains(&Ender::Step), "{}", row.name);
        }
    }

    #[test]
    fn a_form_accepts_what_it_describes() {
        for (form, good, bad) in [
            (Form::Given, &["x"][..], &[""][..]),
            (Form::Version, &["", "1.33.5", "v1.33.5", "1.33.5-alpha.1+b~c"], &["1.", ".1", "1..2", "a", "v", "1.2_3"]),
            (Form::Number, &["", "0", "000000001"], &["-1", "1.5", "1234567890", "1 "]),
            (Form::OneLine, &["", "a b"], &["a\nb", "\r"]),
            (Form::Unquoted, &["", "a'$`b"], &["\"", "\\"]),
            (Form::Base64, &["", "QQ==", "QUJD", "QU\nJD", "\n"], &["QQ", "Q===", "QQ=a", "QUJD ", "QU\rJD", "%%%%"]),
            (Form::Certificate, &["", "LS0t LS1C\nRUdJTg=="], &["QUJD", "LS0tLS1CRUdJTg", "-----BEGIN"]),
            (Form::Object, &["", "{}", " \n{", "e30="], &["[]", "e30"]),
            (Form::Host, &["", "a", "10.0.0.1", "fd00::1", "a-b.c_d"], &["-a", "a.", "a b", "https://a", "é"]),
            (
                Form::Registry,
                &["", "a.io", "a.io:443/x", "a.io/"],
                &["/a", " a", "-a", "a/b c", "a/b\"]#", "a/\n", "a/;"],
            ),
            (Form::FileName, &["", "akscustom"], &["a/b", "a b"]),
            (
                Form::UnitSettings,
                &["", "[Service] LimitNOFILE=1:2 ", "LimitNOFILE= LimitCORE=1M"],
                &["a\nb", "$(x)", "[Unit]", "[Service] LimitNOFILE=1 infinity", "Limit=1", "User=a", "LimitNOFILE=a.b"],
            ),
            (Form::Labels, &["", "a=b", "a", "k8s.io/a=b,c=", "a=b,,c=d,"], &["/a=b", "K.io/a=b", "a=b c", "="]),
            (Form::CurlCall, &["", "curl", "\tcurl -v x"], &["wget", "x; curl", "\ncurl"]),
        ] {
            for value in good {
                assert!(form.accepts(value), "{form:?}: {value:?}");
            }
            for value in bad {
                assert!(!form.accepts(value), "{form:?}: {value:?}");
            }
        }
    }
}
