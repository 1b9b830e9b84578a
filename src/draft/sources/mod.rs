//! Reads the outputs of `az` and `kubectl`.
//!
//! To add an output: a variant of [`ClusterDocument`], which recognizes it, and a function in `azure`, `node_pool` or `kubernetes` that adds
//! its facts to the draft.

mod azure;
mod document;
mod forms;
mod kubernetes;
mod node_pool;
mod shapes;
mod stream;
mod wrappings;

use serde_json::Value;

use super::state::{Draft, Values, flatten};
use crate::catalogue::field_sources::placeholder_in;
use crate::catalogue::rules;
use crate::configuration::Configuration;
use crate::document::Severity;
use crate::inputs::{ClusterDocument, DocumentKind, InputKind, OtherKind, recognize};
use azure::id_part;
pub(super) use azure::{add_scale_set, note_restriction};
use document::{Read, misspelled, unused};
pub(super) use document::{authority, text_of, token};
use forms::{at, shortened};
pub(super) use kubernetes::{choose_cluster, cluster_of_user};
pub(super) use node_pool::{add_pool, runs_windows};
use shapes::{element_of, flattened, is_part_of};
use stream::End;

/// The kind of outputs that have no data about a cluster.
pub(super) const OUTPUT: &str = "output";

/// The kind of lists without elements.
const EMPTY: &str = "empty list";

/// Adds the facts of every document of a file or a stream.
pub(super) fn read(draft: &mut Draft, name: &str, bytes: &[u8]) {
    let mut is_empty = true;
    let decoded = wrappings::of_windows(bytes).map(String::into_bytes);
    let end = stream::documents(decoded.as_deref().unwrap_or(bytes), |document| {
        is_empty = false;
        let place = if document.line > 1 { format!("{name}:{}", document.line) } else { name.to_owned() };
        if lacks_end(&document.value, document.end) {
            let problem = "is truncated: the YAML ends before the members that `az` and `kubectl` print last";
            draft.errors.push(format!("{place}: {problem}"));
            return;
        }
        let known = (draft.errors.len(), draft.unrelated.len());
        add(draft, &place, document.value);
        if document.end == End::OpenLine {
            const OPEN: &str = "the last line has no end: the file may be truncated";
            draft.dropped.push(format!("{place}: {OPEN}"));
            let problems = draft.errors.iter_mut().skip(known.0);
            for problem in problems.chain(draft.unrelated.iter_mut().skip(known.1).map(|(_, problem)| problem)) {
                problem.extend([" (", OPEN, ")"]);
            }
        }
    });
    match end {
        Ok(()) if is_empty => draft.errors.push(format!("{name}: is empty")),
        Ok(()) => {}
        Err(broken) => draft.errors.push(format!("{}: {}", broken.place(name), broken.problem)),
    }
}

/// Reports whether YAML ends in the middle of an object. The programs print members in the order of their names, so that `kind` and `type`
/// come late; a query for one pool or subnet can leave out `type`, but its output ends with its line.
fn lacks_end(value: &Value, end: End) -> bool {
    if end == End::Bracket {
        return false;
    }
    if let Value::Array(list) = value {
        return list.last().is_some_and(|last| lacks_end(last, end));
    }
    let has = |name: &str| value.get(name).is_some();
    if has("apiVersion") && !has("type") {
        return !has("kind");
    }
    match of_value(&flattened(value.clone())) {
        Some(ClusterDocument::ScaleSet) => !has("virtualMachineProfile") && !has("properties"),
        // A query that selects some members can leave out the last one, and the pools, which are among the first.
        Some(ClusterDocument::ManagedCluster) => {
            !has("type") && (end == End::OpenLine || has("agentPoolProfiles") || has("properties"))
        }
        Some(ClusterDocument::NodePool | ClusterDocument::Subnet) => !has("type") && end == End::OpenLine,
        _ => false,
    }
}

/// Adds the facts of a document, or of each element of a list.
fn add(draft: &mut Draft, file: &str, value: Value) {
    let value = flattened(value);
    if let Some((name, text)) = wrappings::inner(&value) {
        return match name {
            "" => read(draft, file, &text),
            name => read(draft, &format!("{file}: {name}"), &text),
        };
    }
    let Some(elements) = elements(&value) else { return add_object(draft, file, &value) };
    if let Some(member) = MORE.iter().find(|path| at(&value, path).is_some_and(|more| more != "")) {
        draft.dropped.push(format!("{file}: is the first part of a list: `{member}` has the place of the next one"));
    }
    if elements.is_empty() {
        let problem = format!("{file}: is an empty list: the command that printed it found nothing");
        draft.unrelated.push((EMPTY, problem));
    }
    for element in elements {
        let element = flattened(element_of(&value, element));
        // What is listed can be of other nodes.
        match of_value(&element).filter(|_| elements.len() > 1) {
            Some(ClusterDocument::Subnet) => draft.subnets.push((file.to_owned(), element)),
            Some(ClusterDocument::Account) => draft.accounts.push((file.to_owned(), element)),
            _ => add(draft, file, element),
        }
    }
}

/// Members of a list that goes on elsewhere: of the REST API, of Azure Resource Graph through it and `az`, and of Kubernetes.
const MORE: [&str; 4] = ["nextLink", "$skipToken", "skip_token", "metadata.continue"];

/// Returns the elements of a list, which can have a name around it.
fn elements(value: &Value) -> Option<&[Value]> {
    let object = match value {
        Value::Array(elements) => return Some(elements),
        Value::Object(object) => object,
        _ => return None,
    };
    let text = |name: &str| object.get(name).and_then(Value::as_str).unwrap_or_default();
    let list = |name: &str| object.get(name)?.as_array().map(Vec::as_slice);
    if text("type").eq_ignore_ascii_case("Microsoft.Network/virtualNetworks") {
        return list("subnets");
    }
    match object.len() {
        _ if text("kind").ends_with("List") => list("items"),
        // `az aks get-versions`
        1 if object.contains_key("values") => list("values"),
        // The REST API, for example through `az rest`.
        ..=3 if object.contains_key("value") => list("value"),
        // Azure Resource Graph.
        ..=6 if ["count", "totalRecords"].iter().any(|name| object.contains_key(*name)) => list("data"),
        _ => None,
    }
}

/// Adds the facts of the subscription of the cluster, of those that were listed, or of the default one if the cluster is not known.
pub(super) fn choose_account(draft: &mut Draft) {
    let listed = std::mem::take(&mut draft.accounts);
    let known = draft.files.get("auth_config.subscription_id").and_then(|given| given.value.as_str());
    let is_chosen = |value: &Value| match (known, value.get("id").and_then(Value::as_str)) {
        (Some(known), Some(id)) => id.eq_ignore_ascii_case(known),
        (Some(_), None) => false,
        (None, _) => value.get("isDefault") == Some(&Value::Bool(true)),
    };
    let chosen = listed.iter().find(|(_, value)| is_chosen(value)).cloned();
    match (chosen, listed.first()) {
        (Some((file, value)), _) => {
            add_object(draft, &file, &value);
            draft.dropped.push(format!("{file}: of {} subscriptions, only that of the nodes counts", listed.len()));
        }
        (None, Some((file, _))) => {
            draft.errors.push(format!("{file}: are several subscriptions, none of which is that of the nodes"));
        }
        (None, None) => {}
    }
}

/// Adds the facts of the subnet of the nodes, of those that were listed.
pub(super) fn choose_subnet(draft: &mut Draft) {
    let network = "cluster_config.cluster_network_config";
    let known = ["vnet_name", "subnet"].map(|field| {
        draft.files.get(&format!("{network}.{field}")).and_then(|given| Some(given.value.as_str()?.to_lowercase()))
    });
    let listed = std::mem::take(&mut draft.subnets);
    let [Some(vnet), Some(subnet)] = known else {
        if let [(file, _), ..] = listed.as_slice() {
            let problem = "are several subnets: pass the one of the nodes, or a node pool that names its subnet";
            draft.errors.push(format!("{file}: {problem}"));
        }
        return;
    };
    let end = format!("/virtualnetworks/{vnet}/subnets/{subnet}");
    let count = listed.len();
    for (file, value) in listed {
        let id = value.get("id").and_then(Value::as_str).unwrap_or_default().to_lowercase();
        if id.ends_with(&end) {
            add_object(draft, &file, &value);
        }
    }
    if count > 0 {
        draft.dropped.push(format!("{count} subnets: only `{subnet}`, which the nodes are in, counts"));
    }
}

/// Resources of the network whose names a node has, with the fields.
const OF_NETWORK: [(&str, &str); 2] = [
    ("Microsoft.Network/networkSecurityGroups", "cluster_config.cluster_network_config.security_group_name"),
    ("Microsoft.Network/routeTables", "cluster_config.cluster_network_config.route_table"),
];

/// Keeps the name of a resource of the network until the resource group of the nodes is known.
fn of_network(draft: &mut Draft, file: &str, value: &Value) -> bool {
    let text = |name: &str| value.get(name).and_then(Value::as_str).unwrap_or_default();
    let Some((_, field)) = OF_NETWORK.iter().find(|(kind, _)| kind.eq_ignore_ascii_case(text("type"))) else {
        return false;
    };
    let id = text("id");
    let (Some(group), Some(name)) = (id_part(id, "resourceGroups"), id.rsplit('/').next()) else { return false };
    draft.networks.push((field, group.to_owned(), name.to_owned(), file.to_owned()));
    true
}

/// Adds the names of the resources that are beside the nodes, if nothing else names them: AKS creates one of each there.
pub(super) fn choose_networks(draft: &mut Draft) {
    let networks = std::mem::take(&mut draft.networks);
    let groups: Vec<String> =
        ["cluster_config.resource_group", "cluster_config.cluster_network_config.vnet_resource_group"]
            .into_iter()
            .filter_map(|path| Some(draft.text(path)?.to_lowercase()))
            .collect();
    for (_, field) in OF_NETWORK {
        let listed: Vec<_> = networks.iter().filter(|(known, ..)| *known == field).collect();
        let near = |network: &&&(&str, String, String, String)| {
            groups.is_empty() || groups.contains(&network.1.to_lowercase())
        };
        let mut names: Vec<_> = listed.iter().filter(near).map(|(_, _, name, file)| (name, file)).collect();
        names.dedup_by(|one, other| one.0 == other.0);
        match (names.as_slice(), listed.first()) {
            ([(name, file)], _) => {
                draft.fact(field, name.as_str(), &format!("the only one of its kind beside the nodes ({file})"));
            }
            (names, Some((.., file))) if draft.text(field).is_none() => {
                let what = if names.is_empty() { "none of its kind is" } else { "several of its kind are" };
                draft.dropped.push(format!("{file}: {what} in the resource group of the nodes: set `{field}`"));
            }
            _ => {}
        }
    }
}

/// The type of managed identities.
const IDENTITY: &str = "Microsoft.ManagedIdentity/userAssignedIdentities";

/// Keeps a managed identity, as `az identity show` prints it, until it is known which one the kubelet has.
fn of_identity(draft: &mut Draft, file: &str, value: &Value) -> bool {
    let kind = value.get("type").and_then(Value::as_str).unwrap_or_default();
    let is_identity = kind.eq_ignore_ascii_case(IDENTITY) && value.get("clientId").is_some_and(Value::is_string);
    if is_identity {
        draft.identities.push((file.to_owned(), value.clone()));
    }
    is_identity
}

/// Adds client id and tenant of the kubelet's identity: the one that the cluster names, else the one that AKS creates for the nodes.
/// Alone, an identity says nothing about a cluster.
pub(super) fn choose_identity(draft: &mut Draft) {
    let known = draft.hints.kubelet_identity.clone();
    let is_alone = draft.files.is_empty() && draft.base.is_empty();
    for (file, value) in std::mem::take(&mut draft.identities) {
        let text = |name: &str| value.get(name).and_then(Value::as_str).unwrap_or_default();
        let is_of_kubelet = match &known {
            Some(known) => known.eq_ignore_ascii_case(text("id")),
            None => text("id").to_ascii_lowercase().ends_with("-agentpool"),
        };
        if is_alone {
            add_other(draft, &file, &value);
            continue;
        }
        if !is_of_kubelet {
            let problem = format!("{file}: is a managed identity, not that of the kubelet: ignored");
            draft.unrelated.push((OUTPUT, problem));
            continue;
        }
        let origin = |member: &str| format!("from az identity show ({file}): {member}");
        draft.identity("auth_config.assigned_identity_id", text("clientId"), &origin("clientId"));
        draft.fact("auth_config.tenant_id", text("tenantId"), &origin("tenantId"));
    }
}

fn of_value(value: &Value) -> Option<ClusterDocument> {
    let has = |name: &str| value.get(name).is_some_and(|value| !value.is_null());
    let text = |name: &str| value.get(name).and_then(Value::as_str);
    ClusterDocument::recognize(has, text)
}

fn add_object(draft: &mut Draft, file: &str, value: &Value) {
    let Some(kind) = of_value(value) else {
        if !of_network(draft, file, value) && !of_identity(draft, file, value) {
            add_other(draft, file, value);
        }
        return;
    };
    let mut document = Read { draft, value, origin: format!("{} ({file})", kind.command()), used: Vec::new() };
    match kind {
        ClusterDocument::ManagedCluster => azure::managed_cluster(&mut document),
        ClusterDocument::NodePool => node_pool::node_pool(&mut document),
        ClusterDocument::ScaleSet | ClusterDocument::VirtualMachine => azure::scale_set(&mut document),
        ClusterDocument::Subnet => azure::subnet(&mut document),
        ClusterDocument::VmSize => azure::vm_size(&mut document),
        ClusterDocument::Account => azure::account(&mut document),
        ClusterDocument::Kubeconfig => kubernetes::kubeconfig(&mut document),
        ClusterDocument::ConfigMap => kubernetes::config_map(&mut document),
        ClusterDocument::Secret => kubernetes::secret(&mut document),
        ClusterDocument::Kubeadm => kubernetes::kubeadm(&mut document),
    }
    let Read { used, .. } = document;
    if matches!(kind, ClusterDocument::VmSize | ClusterDocument::Account | ClusterDocument::NodePool) {
        return;
    }
    let used: Vec<_> = used.iter().map(String::as_str).collect();
    let problems = misspelled(value, &used).into_iter().chain(shortened(value, &used));
    draft.dropped.extend(problems.map(|problem| format!("{file}: {problem}")));
    let unused = unused(value, &used);
    if !unused.is_empty() {
        draft
            .dropped
            .push(format!("{file}: {} has members that a Configuration cannot represent: {unused}", kind.title()));
    }
}

/// What to pass instead of a document that has no data about a cluster.
const SHOW: &str = "pass the output of `az aks show -g GROUP -n CLUSTER -o json`";

/// Reports whether an object is what the API server answers instead of another one.
fn is_status(value: &Value) -> bool {
    let text = |name: &str| value.get(name).and_then(Value::as_str);
    text("kind") == Some("Status") && text("status") == Some("Failure")
}

/// Reports whether a document is an object of Kubernetes. Resources of Azure have a version, too.
fn is_object(value: &Value) -> bool {
    value.get("apiVersion").is_some() && value.get("type").is_none()
}

/// Adds a Configuration, or says what the document is.
fn add_other(draft: &mut Draft, file: &str, value: &Value) {
    if let Some(problem) = wrappings::other(value) {
        draft.errors.push(format!("{file}: {problem}"));
        return;
    }
    let text = value.to_string();
    let problem = match recognize(text.as_bytes()) {
        Some(DocumentKind::Input(kind @ InputKind::Configuration)) if !is_part_of(value, kind) => {
            let mut report = match Configuration::from_document(text.as_bytes()) {
                Ok(decoded) => {
                    add_configuration(draft, file, &decoded.configuration);
                    decoded.report
                }
                Err(report) => report,
            };
            report.reject_misspelled_fields();
            // The document that is printed has a placeholder where this one has it. Positions are those of another text.
            for finding in report.findings.iter().filter(|finding| *finding.rule != rules::PLACEHOLDER) {
                let hint = finding.hint.as_ref().map(|hint| format!(": {hint}")).unwrap_or_default();
                let is_error = finding.severity == Severity::Error;
                let problems = if is_error { &mut draft.errors } else { &mut draft.dropped };
                problems.push(format!("{file}: {finding}{hint}"));
            }
            return;
        }
        Some(DocumentKind::Input(kind)) if !is_part_of(value, kind) => {
            format!("is {}: `convert` creates a Configuration from it, if possible", kind.title())
        }
        Some(DocumentKind::Object(object)) => format!("is {}: `generate` renders it", object.title()),
        _ if is_status(value) => {
            let reason = value.get("reason").and_then(Value::as_str).unwrap_or_default();
            format!("is an error of the API server, {reason:?}, instead of an object: {SHOW}")
        }
        Some(DocumentKind::Other(other @ (OtherKind::ArmTemplate | OtherKind::Terraform))) => {
            format!("is {}: {}", other.title(), other.hint())
        }
        Some(DocumentKind::Other(other @ OtherKind::Output(_))) if !is_object(value) => {
            let kind = value.get("type").and_then(Value::as_str).map(|kind| format!(" (`{kind}`)")).unwrap_or_default();
            let problem = format!("{file}: is {}{kind}, from which `new` reads nothing", other.title());
            return draft.unrelated.push((OUTPUT, problem));
        }
        Some(DocumentKind::Other(other)) if !matches!(other, OtherKind::Output(_)) => {
            format!("is {}, which has no data about a cluster: {SHOW}", other.title())
        }
        Some(DocumentKind::Input(_) | DocumentKind::Other(_)) | None => {
            match (value, value.get("kind").and_then(Value::as_str)) {
                (_, Some(kind)) => {
                    let group = value.get("apiVersion").and_then(Value::as_str).unwrap_or_default();
                    let of = wrappings::project(group).map(|project| format!(" of {project}")).unwrap_or_default();
                    let problem = format!("{file}: is an object of kind {kind}{of}, from which `new` reads nothing");
                    return draft.unrelated.push((OUTPUT, problem));
                }
                (Value::Object(members), _) if wrappings::outputs(members).is_some() => {
                    let title = wrappings::outputs(members).unwrap_or_default();
                    format!("is {title}, not the output of `az` or `kubectl`: {SHOW}")
                }
                (Value::Object(_), _) => {
                    "is not a document that `new` reads: pass whole outputs, such as that of `az aks show \
                                      -g GROUP -n CLUSTER -o json` without `--query`"
                        .to_owned()
                }
                _ => "is not an object: pass the output of `az … -o json`, without `--query`, or `kubectl … -o yaml`"
                    .to_owned(),
            }
        }
    };
    draft.errors.push(format!("{file}: {problem}"));
}

fn add_configuration(draft: &mut Draft, file: &str, configuration: &Configuration) {
    const CLUSTER: [&str; 4] = [
        "api_server_config.api_server_name",
        "kubernetes_ca_cert",
        "auth_config.subscription_id",
        "cluster_config.resource_group",
    ];
    let document = serde_json::from_str(&configuration.to_json()).expect("a Configuration is written as JSON");
    let mut values = Values::new();
    flatten(Configuration::descriptor(), "", &document, &format!("a Configuration ({file})"), &mut values);
    values.retain(|_, given| given.value.as_str().is_none_or(|text| placeholder_in(text).is_none()));
    for path in CLUSTER {
        let known = values.get(path).and_then(|given| Some((given.value.as_str()?.to_owned(), given.origin.clone())));
        if let Some((text, origin)) = known {
            draft.identity(path, &text, &origin);
        }
    }
    draft.base.extend(values);
}
