//! What is around documents: encodings of Windows, Markdown, logs with times, and the outputs of programs that run others.
//!
//! To add a wrapping of lines: a function that [`unwrapped`] calls. Lines keep their numbers.

use std::borrow::Cow;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value};

use crate::document::stream::without_fences;
use crate::recognition::{Encoding, utf_16, without_mark};

/// Returns the text of UTF-16, which `>` of Windows PowerShell writes, with or without its byte order mark.
pub(super) fn of_windows(bytes: &[u8]) -> Option<String> {
    let mark: &[u8] = match Encoding::of(bytes)? {
        Encoding::Utf16Le => &[0xff, 0xfe],
        Encoding::Utf16Be => &[0xfe, 0xff],
        _ => return utf_16(bytes),
    };
    utf_16(&[mark, bytes].concat())
}

/// Returns a text without the lines and parts of lines that are around documents.
pub(super) fn unwrapped(text: &str) -> Cow<'_, str> {
    let mut text = Cow::Borrowed(text);
    for unwrap in [without_times, |text: &str| without_fences(text, false), without_heredoc] {
        if let Some(inner) = unwrap(&text) {
            text = Cow::Owned(inner);
        }
    }
    text
}

/// Removes the time in front of every line of the log of a pipeline: `2026-02-17T09:20:00.1234567Z `.
fn without_times(text: &str) -> Option<String> {
    /// The digits of a time with seconds, and the signs between them.
    const TIME: &[u8] = b"0000-00-00T00:00:00";
    let rest = |line: &str| {
        let is_time = TIME.iter().zip(line.bytes()).all(|(form, byte)| match form {
            b'0' => byte.is_ascii_digit(),
            sign => byte == *sign,
        });
        let end = line.find(' ').or_else(|| line.ends_with('Z').then_some(line.len()))?;
        (is_time && end >= TIME.len() && line[..end].ends_with('Z')).then_some(end)
    };
    let mut lines = without_mark(text).lines().filter(|line| !line.trim().is_empty()).peekable();
    lines.peek()?;
    if !lines.all(|line| rest(line).is_some()) {
        return None;
    }
    let without = without_mark(text).lines().map(|line| match rest(line) {
        Some(end) => line.get(end + 1..).unwrap_or_default(),
        None => line,
    });
    Some(without.flat_map(|line| [line, "\n"]).collect())
}

/// Removes the first and the last line of a text of several lines as `terraform output` prints it: `<<EOT` and `EOT`.
fn without_heredoc(text: &str) -> Option<String> {
    let first = without_mark(text).lines().find(|line| !line.trim().is_empty())?;
    let word = first.trim().strip_prefix("<<").map(|word| word.trim_start_matches('-'))?;
    let is_word = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_uppercase());
    is_word.then(|| {
        let mut lines = without_mark(text).lines();
        let blank = lines.by_ref().take_while(|line| *line != first).count() + 1;
        let inner = lines.take_while(|line| line.trim() != word);
        std::iter::repeat_n("", blank).chain(inner).flat_map(|line| [line, "\n"]).collect()
    })
}

/// Returns the output of a program inside the document of another one, with the name of its place.
pub(super) fn inner(value: &Value) -> Option<(&'static str, Vec<u8>)> {
    let text = |name: &str| value.get(name)?.as_str();
    // The credentials of a cluster, as the REST API and Bicep list them.
    if let Some(first) = value.get("kubeconfigs").and_then(|list| list.get(0)) {
        return Some(("", STANDARD.decode(first.get("value")?.as_str()?).ok()?));
    }
    // `Invoke-AzRestMethod` of Azure PowerShell.
    if value.get("StatusCode").is_some() && value.get("Headers").is_some() {
        return Some(("`Content` of `Invoke-AzRestMethod`", text("Content")?.into()));
    }
    if value.get("exitCode").is_some() && value.get("provisioningState").is_some() {
        return Some(("`logs` of `az aks command invoke`", text("logs")?.into()));
    }
    // A registered result of Ansible.
    let is_result = value.get("rc").is_some() && value.get("stdout_lines").is_some();
    is_result.then(|| Some(("`stdout`", text("stdout")?.into()))).flatten()
}

/// Returns the project that an API group belongs to, for messages. Kubernetes has groups without a dot and those of `k8s.io`.
pub(super) fn project(api_version: &str) -> Option<&'static str> {
    const PROJECTS: [(&str, &str); 8] = [
        ("cluster.x-k8s.io", "Cluster API"),
        ("azure.crossplane.io", "Crossplane"),
        ("crossplane.io", "Crossplane"),
        ("upbound.io", "Crossplane"),
        ("cattle.io", "Rancher"),
        ("argoproj.io", "Argo"),
        ("karpenter.k8s.aws", "Karpenter for AWS"),
        ("azure.com", "Azure Service Operator"),
    ];
    let (group, _) = api_version.split_once('/')?;
    let is_of = |suffix: &str| group.strip_suffix(suffix).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'));
    PROJECTS.iter().find(|(suffix, _)| is_of(suffix)).map(|(_, project)| *project)
}

/// Returns the command of `az` for an object of Azure PowerShell, from its id.
fn command_of(id: &str) -> String {
    let part = |name: &str| super::id_part(id, name).map(str::to_owned);
    let group = part("resourceGroups").unwrap_or_else(|| "GROUP".to_owned());
    match (part("managedClusters"), part("agentPools"), part("virtualMachineScaleSets")) {
        (Some(cluster), Some(pool), _) => {
            format!("az aks nodepool show -g {group} --cluster-name {cluster} -n {pool} -o json")
        }
        (Some(cluster), None, _) => format!("az aks show -g {group} -n {cluster} -o json"),
        (_, _, Some(set)) => format!("az vmss show -g {group} -n {set} -o json"),
        _ => "az … -o json".to_owned(),
    }
}

/// Returns what an object is that another program than `az` and `kubectl` prints, and that has no data about a cluster in their form.
pub(super) fn other(value: &Value) -> Option<String> {
    let text = |name: &str| value.get(name).and_then(Value::as_str);
    if let Some(id) = text("Id").filter(|id| id.starts_with("/subscriptions/")) {
        let command = command_of(id);
        return Some(format!(
            "is an object of Azure PowerShell, which has other names: pass the output of `{command}`"
        ));
    }
    if let Some(list) = value.get("kubeconfigs").and_then(Value::as_array) {
        let what =
            if list.is_empty() { "lists no credentials" } else { "has no kubeconfig in base64: it may be truncated" };
        let command = "az aks get-credentials -g GROUP -n CLUSTER --file -";
        return Some(format!("{what} (`kubeconfigs`): pass the output of `{command}`"));
    }
    if let Some((option, member)) = node_config(value) {
        let what = format!("is a file for `{option}` of `az aks nodepool add`, which has no data about a cluster");
        return Some(format!("{what}: {}, whose node pools have these settings as `{member}`", super::SHOW));
    }
    let error = value.get("error").unwrap_or(value);
    let is_error = value.get("error").is_some() || value.as_object().is_some_and(|members| members.len() <= 5);
    if let (Some(code), Some(_), true) =
        (error.get("code").and_then(Value::as_str), error.get("message").and_then(Value::as_str), is_error)
    {
        return Some(format!("is an error of Azure, {code:?}, instead of a document"));
    }
    let resources = value.get("resource").and_then(Value::as_object).into_iter().flatten();
    if resources.into_iter().any(|(kind, _)| ["azurerm_", "azapi_"].iter().any(|provider| kind.starts_with(provider))) {
        return Some(format!("is a Terraform configuration in JSON: {}", super::SHOW));
    }
    if value.get("cluster").and_then(|cluster| cluster.get("arn")?.as_str()).is_some() {
        return Some(format!("is a cluster of AWS as `aws eks describe-cluster` prints it: {}", super::SHOW));
    }
    let is_variable =
        |name: &String| name.bytes().all(|byte| byte == b'_' || byte.is_ascii_uppercase() || byte.is_ascii_digit());
    let members = value.as_object().filter(|members| !members.is_empty())?;
    members.iter().all(|(name, value)| is_variable(name) && value.is_string()).then(|| {
        let what = "is a map of variables, such as `azd env get-values -o json` prints it, not the output of `az` or `kubectl`";
        format!("{what}: {}", super::SHOW)
    })
}

/// The files with settings of nodes that `az aks create` and `az aks nodepool add` read: the option, the member of a node pool that has the
/// settings later, and the members of such a file.
/// <https://learn.microsoft.com/azure/aks/custom-node-configuration>
const NODE_CONFIGS: [(&str, &str, &[&str]); 2] = [
    (
        "--kubelet-config",
        "kubeletConfig",
        &[
            "allowedUnsafeSysctls",
            "containerLogMaxFiles",
            "containerLogMaxSizeMB",
            "cpuCfsQuota",
            "cpuCfsQuotaPeriod",
            "cpuManagerPolicy",
            "failSwapOn",
            "imageGcHighThreshold",
            "imageGcLowThreshold",
            "podMaxPids",
            "seccompDefault",
            "topologyManagerPolicy",
        ],
    ),
    (
        "--linux-os-config",
        "linuxOsConfig",
        &["swapFileSizeMB", "sysctls", "transparentHugePageDefrag", "transparentHugePageEnabled", "ulimits"],
    ),
];

/// Returns the option of `az` that reads a file with these members, and the member of a node pool.
fn node_config(value: &Value) -> Option<(&'static str, &'static str)> {
    let members = value.as_object().filter(|members| !members.is_empty())?;
    let is_of = |known: &[&str]| members.keys().all(|name| known.iter().any(|known| known.eq_ignore_ascii_case(name)));
    NODE_CONFIGS.iter().find(|(.., known)| is_of(known)).map(|(option, member, _)| (*option, *member))
}

/// Returns what an object is whose members are all outputs of a deployment, for messages.
pub(super) fn outputs(members: &Map<String, Value>) -> Option<&'static str> {
    let all = |names: &[&str]| members.values().all(|value| names.iter().all(|name| value.get(name).is_some()));
    if members.is_empty() || !all(&["type", "value"]) {
        return None;
    }
    Some(if all(&["sensitive"]) {
        "the outputs of Terraform (`terraform output -json`)"
    } else {
        "the outputs of a deployment"
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_around_documents_are_removed() {
        for (text, expected) in [
            ("{}\n", "{}\n"),
            ("2026-02-17T09:20:00.1234567Z {\n2026-02-17T09:20:00.1234567Z }\n", "{\n}\n"),
            ("2026-02-17T09:20:00Z a:\n2026-02-17T09:20:00Z   b: 1\n\n", "a:\n  b: 1\n\n"),
            ("2026-02-17T09:20:00Z {\n}\n", "2026-02-17T09:20:00Z {\n}\n"),
            ("a\n```json\n{}\n```\nb\n```sh\naz aks show\n```\n", "\n---\n{}\n\n\n\n\n\n"),
            ("```sh\n$ az aks show\n{}\n```\n", "---\n$ az aks show\n{}\n\n"),
            ("```\nname: x\n```\n", "---\nname: x\n\n"),
            ("~~~yaml\na: 1\n```\n~~~\n", "---\na: 1\n```\n\n"),
            ("```json\n{\n", "---\n{\n"),
            ("a: |\n  ```\n  x\n  ```\n", "a: |\n  ```\n  x\n  ```\n"),
            ("<<EOT\na: 1\n\nEOT\n", "\na: 1\n\n"),
            ("<html>\n", "<html>\n"),
        ] {
            assert_eq!(unwrapped(text), expected, "{text}");
        }
    }
}
