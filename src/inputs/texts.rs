//! Texts that programs print or read and that are neither JSON nor YAML with named values: what they are, and which command prints the
//! document that is wanted. To add one: a row in [`text_of_program`].

use crate::document::stream::is_assignment;
use crate::recognition::{Content, Text, without_mark};

/// What to do instead, if the text is the output of `az` or `kubectl` in a form for people.
const OTHER_OUTPUT: &str = "print it with `az … -o json` or `kubectl … -o yaml`";

/// What to do instead, if the text describes a cluster in the words of another program.
const SHOW: &str = "pass the output of `az aks show -g GROUP -n CLUSTER -o json`";

const KUBECONFIG: &str = "print a kubeconfig with `kubectl config view --raw --minify --flatten`";

/// The command that prints the tokens that `kubeadm token list` lists.
const TOKENS: &str = "pass `kubectl -n kube-system get secrets --field-selector type=bootstrap.kubernetes.io/token -o yaml`, or one token with --token-file";

/// The words with which the blocks of a Terraform configuration begin.
/// <https://developer.hashicorp.com/terraform/language/syntax/configuration>
const TERRAFORM: [&str; 12] = [
    "resource",
    "variable",
    "provider",
    "module",
    "terraform",
    "locals",
    "data",
    "output",
    "import",
    "moved",
    "removed",
    "check",
];

/// The words with which the statements of a Bicep file begin.
/// <https://learn.microsoft.com/azure/azure-resource-manager/bicep/file>
const BICEP: [&str; 9] = ["resource", "param", "targetScope", "module", "metadata", "var", "output", "type", "using"];

/// Returns what a text is, for messages, with its article, and what to pass instead.
pub(crate) fn text_of_program(text: &str) -> Option<(&'static str, &'static str)> {
    let code = without_comments(without_mark(text));
    let mut lines = code.lines().filter(|line| !line.trim().is_empty());
    let (first, second) = (lines.next().unwrap_or_default(), lines.next().unwrap_or_default());
    // A unit follows in parentheses.
    let is_upper = |word: &str| {
        let name = word.split_once('(').map_or(word, |(name, _)| name);
        !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_uppercase() || b"-)".contains(&byte))
    };
    let has_line = |start: &str| text.lines().any(|line| line.trim_start().starts_with(start));
    let is_output = |line: &str| {
        let name = line.split_once(" = ").map_or("", |(name, _)| name.trim_end());
        !name.is_empty() && name.bytes().all(|byte| byte == b'_' || byte == b'-' || byte.is_ascii_alphanumeric())
    };
    let begins = |words: &[&str]| words.iter().any(|word| first.starts_with(word));
    // Broken JSON is no text.
    if begins(&["{", "[", "\""]) {
        return None;
    }
    if let Some(found) = encoded(text) {
        return Some(found);
    }
    // The first that holds.
    let kinds = [
        (begins(&["<Objs "]), "XML as `Export-Clixml` of PowerShell writes it", SHOW),
        (begins(&["<?xml"]), "XML", OTHER_OUTPUT),
        (is_rule(second), "a table as `az … -o table` prints it", OTHER_OUTPUT),
        (
            first.split_ascii_whitespace().take(2).eq(["TOKEN", "TTL"]),
            "a table as `kubeadm token list` prints it",
            TOKENS,
        ),
        (
            first.split_ascii_whitespace().take(3).eq(["CURRENT", "NAME", "CLUSTER"]),
            "a table as `kubectl config get-contexts` prints it",
            KUBECONFIG,
        ),
        (
            first.contains("  ") && first.split_ascii_whitespace().all(is_upper),
            "a table as `kubectl get` prints it",
            OTHER_OUTPUT,
        ),
        (
            first.contains('\t') && !first.starts_with('\t') && ![": ", ":\t"].iter().any(|sign| first.contains(sign)),
            "text with tabs as `az … -o tsv` prints it",
            OTHER_OUTPUT,
        ),
        (is_bicep(first), "a Bicep file", SHOW),
        (first.contains('{') && TERRAFORM.iter().any(|word| is_word(first, word)), "a Terraform configuration", SHOW),
        (
            has_line("Terraform will perform the following actions")
                || has_line("Terraform used the selected providers")
                || has_line("OpenTofu will perform the following actions"),
            "a plan of Terraform as `terraform plan` prints it",
            SHOW,
        ),
        (is_output(first), "values of Terraform as `terraform output` prints them", SHOW),
        (has_line("Resource and property changes are indicated with "), "the text of `az deployment … what-if`", SHOW),
        (is_assignment(first), "lines of `NAME=value`, such as `azd env get-values` prints", SHOW),
        (is_banner_of_helm(first), "values of a chart as `helm get values` prints them", SHOW),
        (is_list_of_powershell(code), "a list as `Format-List` of PowerShell prints it", SHOW),
        (first.trim_start().starts_with('<'), "HTML", OTHER_OUTPUT),
        (
            begins(&["Name:  "])
                && text.lines().any(|line| line.starts_with("Namespace:  ") || line.starts_with("Labels:  ")),
            "a description as `kubectl describe` prints it",
            "print the object with `kubectl get … -o yaml`",
        ),
        (
            first.contains(" is running at ") && first.contains("http"),
            "the text of `kubectl cluster-info`, not the ConfigMap of this name",
            "print it with `kubectl -n kube-public get configmap cluster-info -o yaml`",
        ),
        (
            first.trim_start_matches("sudo ").starts_with("kubeadm join "),
            "the command `kubeadm join`, whose token `--token-file` reads",
            "write the token to a file for --token-file",
        ),
        (begins(&["Client Version: "]), "the text of `kubectl version`", SHOW),
        (
            begins(&["No resources found"]),
            "what `kubectl get` prints if it finds nothing",
            "name an object that exists",
        ),
        (begins(&["az ", "kubectl "]), "a command, not its output", "pass what the command prints"),
        (is_row(first) && is_row(second) && !first.contains([':', '=']), "CSV", OTHER_OUTPUT),
    ];
    kinds.into_iter().find_map(|(holds, title, instead)| holds.then_some((title, instead)))
}

/// Reports whether a text begins with a table that `az` prints for people.
pub(crate) fn is_table_of_azure(text: &str) -> bool {
    text.lines().nth(1).is_some_and(is_rule)
}

/// Reports whether a line is the one below the header of a table.
fn is_rule(line: &str) -> bool {
    line.contains("--") && line.trim_end() != "---" && line.chars().all(|c| c == '-' || c.is_whitespace())
}

/// Reports whether a line is one of CSV: a sentence has blanks behind its commas.
fn is_row(line: &str) -> bool {
    line.contains(',') && !line.contains(", ")
}

/// Reports whether a line is what `helm get values` prints before the values.
pub(crate) fn is_banner_of_helm(line: &str) -> bool {
    ["USER-SUPPLIED VALUES:", "COMPUTED VALUES:"].contains(&line.trim_end())
}

/// Reports whether a text is `Name  : value` on each line, with a blank before the colon, as PowerShell prints an object for people. The rest
/// of a long value is indented.
pub(crate) fn is_list_of_powershell(text: &str) -> bool {
    let is_indented = |line: &str| line.starts_with(char::is_whitespace);
    let mut lines = text.lines().filter(|line| !line.trim().is_empty() && !is_indented(line)).peekable();
    lines.peek().is_some()
        && lines.all(|line| {
            let name = line.split_once(" :").map_or("", |(name, _)| name.trim_end());
            name.starts_with(|c: char| c.is_ascii_uppercase()) && name.bytes().all(|byte| byte.is_ascii_alphanumeric())
        })
}

/// Returns what a text is that carries data in another encoding: keys, tokens, base64, or a script around it.
fn encoded(text: &str) -> Option<(&'static str, &'static str)> {
    const SHORTEST_BASE64: usize = 64;
    let plain = without_mark(text).trim();
    let word = plain.split_ascii_whitespace().next().unwrap_or_default();
    let is_pem = plain.starts_with("-----BEGIN ");
    let marks = [
        (is_pem && plain.contains("PRIVATE KEY-----"), "a private key", "`new` reads none; leave it out"),
        (
            is_pem && plain.contains("CERTIFICATE REQUEST-----"),
            "a request for a certificate",
            "pass the cluster CA with --ca",
        ),
        (
            ["ssh-rsa", "ssh-ed25519", "ecdsa-sha2-nistp256"].contains(&word),
            "a public key for SSH",
            "`new` reads none; leave it out",
        ),
        (is_jwt(plain), "an access token (JWT), not a bootstrap token", TOKENS),
    ];
    if let Some((_, title, instead)) = marks.into_iter().find(|(holds, ..)| *holds) {
        return Some((title, instead));
    }
    match Content::of(text.as_bytes()) {
        Content::Text(Text::Base64) if plain.len() >= SHORTEST_BASE64 => {
            Some(("base64 text", "decode it with `base64 -d FILE`"))
        }
        Content::Text(Text::Script) => Some(("a shell script", "pass what its commands print")),
        Content::Text(text) if text.is_user_data() => Some((
            "decoded CustomData",
            "`inspect` shows what is in it; for a new document, pass the output of `az aks show`",
        )),
        Content::Text(Text::Command) => Some((
            "a CSE command",
            "`inspect` shows what is in it; for a new document, pass the output of `az aks show`",
        )),
        _ => None,
    }
}

/// Reports whether a text is a JSON Web Token: three parts in base64, of which the first is an object.
pub(crate) fn is_jwt(text: &str) -> bool {
    let is_part =
        |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte));
    let parts: Vec<&str> = text.split('.').collect();
    parts.len() == 3 && text.starts_with("eyJ") && parts.into_iter().all(is_part)
}

/// Reports whether the first line of code is a statement or a decorator of Bicep.
fn is_bicep(first: &str) -> bool {
    if let Some(decorator) = first.strip_prefix('@') {
        let name = decorator.split('(').next().unwrap_or_default();
        return decorator.contains('(')
            && !name.is_empty()
            && name.bytes().all(|byte| byte == b'.' || byte.is_ascii_alphabetic());
    }
    // A block of Terraform has its names in double quotes.
    BICEP.iter().any(|word| is_word(first, word))
        && !first.contains(" \"")
        && (first.starts_with("param ") || first.contains('=') || first.contains('\''))
}

/// Reports whether a line begins with a word.
fn is_word(line: &str, word: &str) -> bool {
    line.strip_prefix(word).is_some_and(|rest| rest.starts_with([' ', '\'', '"', '{']))
}

/// Returns a text without the comments of Terraform and Bicep at its beginning.
fn without_comments(text: &str) -> &str {
    let mut rest = text.trim_start_matches(['\n', '\r']);
    loop {
        let line = rest.trim_start();
        let end = if line.starts_with("#!") {
            None
        } else if line.starts_with('#') || line.starts_with("//") {
            Some(line.find('\n').map_or(line.len(), |end| end + 1))
        } else if line.starts_with("/*") {
            Some(line.find("*/").map_or(line.len(), |end| end + 2))
        } else {
            None
        };
        let Some(end) = end else { return rest };
        rest = line[end..].trim_start_matches(['\n', '\r']);
    }
}
