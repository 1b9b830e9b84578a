//! Fills the names that a text shows into the commands of an explanation: `kubectl describe node NODE`.
//!
//! To add one: a row in [`NAMES`]. A name is only filled in where the line of the failure, or else the whole text, has exactly one, and
//! it has no character that a shell reads in another way.

use std::borrow::Cow;

use super::evidence::words_of_code;
use super::{Explanation, NoFailure, explain};
use crate::catalogue::exit_codes::exit_code;
use crate::redaction::Redactor;

/// Bytes of the longest text that is searched.
const LONGEST: usize = 64 << 10;

/// Bytes of the longest name that Kubernetes or Azure accepts.
const LONGEST_NAME: usize = 253;

/// Characters behind the name of a scale set in the name of its node: the number of the instance, to the base of 36.
const NUMBER: usize = 6;

/// What precedes a placeholder in a command, the placeholder, and how a text shows its value.
type Name = (&'static str, &'static str, fn(&str) -> Vec<&str>);

const NAMES: &[Name] = &[
    ("", "NODE", nodes),
    ("", "NODE_GROUP", |text| behind(text, &["resourcegroups/"], is_node_group)),
    ("", "GROUP", groups),
    ("", "CLUSTER", |text| behind(text, &CLUSTERS, is_resource)),
    ("", "POOL", |text| behind(text, &POOLS, is_resource)),
    ("-n ", "VM", |text| behind(text, &["/virtualmachines/"], is_machine)),
    ("", "API_SERVER", |text| words(text, |word| word.len() > AZMK8S.len() && word.ends_with(AZMK8S))),
    ("", "LOCATION", regions),
    ("", "SIZE", |text| words(text, is_size)),
    ("", "VM_ID", |text| ids(text, "/virtualmachines/")),
    ("", "SUBNET_ID", |text| ids(text, "/subnets/")),
    ("nodeclaim ", "NAME", |text| behind(text, &["nodeclaim/", "\"nodeclaim\":{\"name\":\""], is_object)),
    ("", "POD", |text| pods(text).map(|(_, pod)| pod).collect()),
    ("", "NAMESPACE", |text| pods(text).map(|(namespace, _)| namespace).collect()),
];

/// What precedes the name of a cluster: in IDs of resources, messages of Terraform and commands of `az`.
const CLUSTERS: [&str; 4] = [
    "microsoft.containerservice/managedclusters/",
    "managed cluster name: \"",
    "managed cluster name \"",
    "--cluster-name ",
];

/// What precedes the name of a node pool.
const POOLS: [&str; 4] = ["/agentpools/", "agent pool name: \"", "agent pool name \"", "--nodepool-name "];

/// The end of the names of the API servers of AKS.
const AZMK8S: &str = ".azmk8s.io";

/// Explains the failure in a text as [`explain`] does, with the names that it shows in the commands, and shows the words that have the
/// code if no line says more.
///
/// # Errors
/// Fails if the text shows a success, or no known failure.
pub(crate) fn explain_shown(text: &str) -> Result<Explanation, NoFailure> {
    let mut explanation = explain(text)?;
    if explanation.evidence.is_none() {
        let row = explanation.code.and_then(exit_code);
        explanation.evidence = row.and_then(|row| words_of_code(text, row));
    }
    let line = explanation.evidence.as_deref().unwrap_or_default();
    // A secret that looks like a name is not shown.
    let clear = if text.len() <= LONGEST { Redactor::default().redact(text).into_string() } else { line.to_owned() };
    let has = |placeholder: &str| explanation.checks.iter().any(|check| check.contains(placeholder));
    let rows = NAMES.iter().filter(|(_, placeholder, _)| has(placeholder));
    let names: Vec<_> = rows
        .filter_map(|(before, placeholder, find)| Some((*before, *placeholder, one(&find(&clear), line)?)))
        .collect();
    let instance = one(&words(&clear, |word| instance(word).is_some()), line).and_then(instance);
    explanation.checks = explanation.checks.into_iter().map(|check| filled(check, instance, &names)).collect();
    Ok(explanation)
}

/// Returns a check with the scale set and the number of an instance, and names for the placeholders behind some texts.
fn filled(check: Cow<'static, str>, instance: Option<(&str, u64)>, names: &[(&str, &str, &str)]) -> Cow<'static, str> {
    let mut filled = check.to_string();
    if let Some((scale_set, number)) = instance {
        filled = replaced(&filled, "", "SCALE_SET", scale_set);
        for option in ["--instance-id ", "--instance-ids "] {
            filled = filled.replace(&format!("{option}0"), &format!("{option}{number}"));
        }
    }
    for (before, placeholder, name) in names {
        filled = replaced(&filled, before, placeholder, name);
    }
    if filled == check { check } else { Cow::Owned(filled) }
}

/// Returns a command with a name in place of each placeholder, where no longer word has it.
fn replaced(command: &str, before: &str, placeholder: &str, name: &str) -> String {
    let is_word = |character: char| character.is_ascii_alphanumeric() || character == '_';
    let mut replaced = String::with_capacity(command.len() + name.len());
    let mut end = 0;
    for (at, _) in command.match_indices(placeholder) {
        let after = at + placeholder.len();
        if command[..at].ends_with(before)
            && !command[..at].ends_with(is_word)
            && !command[after..].starts_with(is_word)
        {
            replaced.push_str(&command[end..at]);
            replaced.push_str(name);
            end = after;
        }
    }
    replaced + &command[end..]
}

/// Returns the only one of some names that a line has, or else the only one of them.
fn one<'a>(names: &[&'a str], line: &str) -> Option<&'a str> {
    let of_line = names.iter().copied().filter(|name| line.contains(name));
    only(of_line).or_else(|| only(names.iter().copied()))
}

/// Returns the only one of some names, each of which can be there more than once.
fn only<'a>(mut names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let first = names.next()?;
    names.all(|other| other == first).then_some(first)
}

/// Reports whether a character can be in a name.
fn is_of_name(character: char) -> bool {
    character.is_ascii_alphanumeric() || matches!(character, '-' | '_' | '.')
}

/// Returns the words of a text with only characters of names, and not those whose start or end can be cut off.
fn words(text: &str, is_name: fn(&str) -> bool) -> Vec<&str> {
    let is_first = |word: &str| text.starts_with(word) && !word.starts_with("aks-");
    let is_last = |word: &str| text.ends_with(word) && instance(word).is_none();
    let words = text.split(|character| !is_of_name(character)).map(|word| word.trim_end_matches('.'));
    let is_whole = |word: &&str| {
        word.starts_with(|first: char| first.is_ascii_alphanumeric()) && !is_first(word) && !is_last(word)
    };
    words.filter(is_whole).filter(|word| is_name(word)).collect()
}

/// Returns the names behind marks in lower case, and not one whose end can be cut off or that goes on with a character of no name.
fn behind<'a>(text: &'a str, marks: &[&str], is_name: fn(&str) -> bool) -> Vec<&'a str> {
    let lower = text.to_ascii_lowercase();
    let places = marks.iter().flat_map(|mark| lower.match_indices(mark).map(|(at, mark)| at + mark.len()));
    let names = places.filter_map(|at| {
        let (length, end) =
            text[at..].char_indices().take(LONGEST_NAME + 1).find(|(_, character)| !is_of_name(*character))?;
        let name = text[at..at + length].trim_end_matches('.');
        (ends_name(end) && is_name(name)).then_some(name)
    });
    names.collect()
}

/// Reports whether a character can follow a name in a text.
fn ends_name(character: char) -> bool {
    character.is_whitespace() || matches!(character, '"' | '\'' | '`' | '\\' | ',' | ':' | '/' | ')' | ']' | '}' | '|')
}

fn is_object(name: &str) -> bool {
    let is_end = |end: Option<char>| end.is_some_and(|end| end.is_ascii_lowercase() || end.is_ascii_digit());
    let is_inside = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'-' | b'.');
    is_end(name.chars().next()) && is_end(name.chars().next_back()) && name.bytes().all(is_inside)
}

/// Reports whether a word can be the name of a resource.
fn is_resource(name: &str) -> bool {
    let is_end = |end: Option<char>| end.is_some_and(|end| end.is_ascii_alphanumeric());
    is_end(name.chars().next()) && is_end(name.chars().next_back()) && name.chars().all(is_of_name)
}

/// Reports whether a word can be the name of a VM, and is not the number of an instance.
fn is_machine(name: &str) -> bool {
    is_resource(name) && !name.bytes().all(|byte| byte.is_ascii_digit())
}

/// Returns the resource groups of clusters: in the IDs of clusters, in messages of Terraform, and in commands of `az aks`. Other
/// resources can be in other groups.
fn groups(text: &str) -> Vec<&str> {
    const OF_CLUSTERS: &str = "/providers/microsoft.containerservice/managedclusters/";
    const OF_TERRAFORM: [&str; 2] = ["resource group name: \"", "resource group \""];
    const OF_COMMANDS: [&str; 2] = ["--resource-group ", " -g "];
    let is_of_clusters = |name: &str| is_resource(name) && !is_node_group(name);
    let lower = text.to_ascii_lowercase();
    let before = |(at, _): (usize, &str)| {
        let (from, _) = lower[..at].char_indices().rev().take(LONGEST_NAME).find(|(_, character)| *character == '/')?;
        lower[..from].ends_with("/resourcegroups").then_some(&text[from + 1..at])
    };
    let mut groups: Vec<_> = lower.match_indices(OF_CLUSTERS).filter_map(before).collect();
    groups.extend(behind(text, &OF_TERRAFORM, is_resource));
    for command in text.lines().filter(|line| line.contains("az aks ")) {
        groups.extend(behind(command, &OF_COMMANDS, is_resource));
    }
    groups.retain(|name| is_of_clusters(name));
    groups
}

/// Reports whether a resource group is one that AKS makes for nodes.
fn is_node_group(name: &str) -> bool {
    name.get(..3).is_some_and(|start| start.eq_ignore_ascii_case("mc_"))
}

/// Returns the regions that a text names, also in the names of API servers: `cluster-dns-1a2b3c4d.hcp.westeurope.azmk8s.io`.
fn regions(text: &str) -> Vec<&str> {
    const MARKS: [&str; 5] = ["location: ", "location '", "location \"", "location\":\"", "location\": \""];
    let mut regions = behind(text, &MARKS, is_region);
    let servers = words(text, |word| word.ends_with(AZMK8S));
    regions.extend(
        servers
            .iter()
            .filter_map(|server| server.strip_suffix(AZMK8S)?.rsplit('.').next())
            .filter(|name| is_region(name)),
    );
    regions
}

/// Reports whether a word is the name of a region, such as `westeurope`.
fn is_region(name: &str) -> bool {
    name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
        && ["east", "west", "north", "south", "central"].iter().any(|side| name.contains(side))
}

/// Reports whether a word is a VM size, and no kind of storage: `Standard_LRS`.
fn is_size(name: &str) -> bool {
    name.starts_with("Standard_") && name.contains(|character: char| character.is_ascii_digit())
}

/// Returns the names of nodes: of scale sets, and those that Kubernetes names so.
fn nodes(text: &str) -> Vec<&str> {
    let mut nodes = words(text, |word| of_node(word).is_some());
    nodes.extend(behind(text, &["node/", "node=\"", "nodename=\"", "\"node\":{\"name\":\""], |name| {
        is_object(name) && name.contains('-')
    }));
    nodes
}

/// Returns the scale set and the number of an instance by the name of its node, or by its name in Azure.
fn instance(name: &str) -> Option<(&str, u64)> {
    of_node(name).or_else(|| of_machine(name))
}

/// Returns the scale set and the number of the instance of a node: `aks-pool1-12345678-vmss00000b`.
fn of_node(node: &str) -> Option<(&str, u64)> {
    let (scale_set, number) = node.split_at_checked(node.len().checked_sub(NUMBER)?)?;
    let is_number = number.bytes().all(|byte| byte.is_ascii_digit() || byte.is_ascii_lowercase());
    let number = u64::from_str_radix(number, 36).ok().filter(|_| is_number && scale_set.ends_with("-vmss"))?;
    Some((scale_set, number))
}

/// Returns the scale set and the number of an instance: `aks-pool1-12345678-vmss_11`.
fn of_machine(name: &str) -> Option<(&str, u64)> {
    let (scale_set, number) = name.rsplit_once('_')?;
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    number.parse().ok().filter(|_| is_number && scale_set.ends_with("-vmss")).map(|number| (scale_set, number))
}

/// Returns the IDs of resources with a part, in lower case, and a name behind it.
fn ids<'a>(text: &'a str, part: &str) -> Vec<&'a str> {
    let is_of_id = |character: char| character.is_ascii_alphanumeric() || matches!(character, '/' | '-' | '_' | '.');
    // Its end can be cut off.
    let text = text.trim_end_matches(is_of_id);
    let ids = text.split(|character| !is_of_id(character)).map(|id| id.trim_end_matches('.'));
    let is_id = |id: &&str| {
        let lower = id.to_ascii_lowercase();
        let name = lower.split_once(part).map_or("", |(_, name)| name);
        lower.starts_with("/subscriptions/") && !name.is_empty() && !name.contains('/')
    };
    ids.filter(is_id).collect()
}

/// Returns the namespaces and names of pods in logs of the kubelet: `pod="kube-system/coredns-1"`.
fn pods(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let is_name = |name: &str| is_object(name);
    text.match_indices("pod=\"").filter_map(move |(at, mark)| {
        let (pod, _) = text[at + mark.len()..].split_once('"')?;
        pod.split_once('/').filter(|(namespace, name)| is_name(namespace) && is_name(name))
    })
}

#[cfg(test)]
mod tests {
    use super::explain_shown;

    /// The first check of a text that has a placeholder or a name in it.
    fn check(text: &str, command: &str) -> String {
        let explanation = explain_shown(text).expect("it shows a failure");
        let check = explanation.checks.iter().find(|check| check.contains(command));
        check.expect("it has the command").split('`').nth(1).unwrap_or_default().to_owned()
    }

    #[test]
    fn the_names_of_a_text_are_in_its_commands() {
        let text = "Warning  NodeNotReady  node/aks-np-10104410-vmss00000b  Node aks-np-10104410-vmss00000b status is now: NodeNotReady";
        assert_eq!(check(text, "describe node"), "kubectl describe node aks-np-10104410-vmss00000b");
        let text = "aks-np-10104410-vmss00000b: node.kubernetes.io/unreachable of /subscriptions/S/resourceGroups/MC_g/providers/Microsoft.Compute/virtualMachineScaleSets/aks-np-10104410-vmss";
        let shown = "az vmss get-instance-view -g MC_g -n aks-np-10104410-vmss --instance-id 11";
        assert_eq!(check(text, "get-instance-view"), shown);
        let text = "(SkuNotAvailable) The requested VM size Standard_D4s_v5 is not available in location 'westeurope' for the AKS cluster.";
        assert_eq!(
            check(text, "list-skus"),
            "az vm list-skus --location westeurope --size Standard_D4s_v5 --all -o table"
        );
        let text = "(SkuNotAvailable) The requested VM size Standard_D4s_v5 is not available for the AKS cluster at https://a-1a2b3c4d.hcp.westeurope.azmk8s.io:443.";
        assert_eq!(
            check(text, "list-skus"),
            "az vm list-skus --location westeurope --size Standard_D4s_v5 --all -o table"
        );
    }

    #[test]
    fn the_cluster_its_group_and_its_machines_are_in_the_commands() {
        let id = "/subscriptions/S/resourceGroups/shop-rg/providers/Microsoft.ContainerService/managedClusters/shop";
        let rejected = format!("(ServicePrincipalNotFound) Service principal of {id} not found: client ID");
        assert!(check(&rejected, "az aks show").starts_with("az aks show -g shop-rg -n shop --query"));
        let terraform = "Error: creating Agent Pool (Managed Cluster Name: \"shop\" Resource Group Name: \"shop-rg\" Agent Pool Name: \"np\"): AADSTS7000222: The provided client secret keys are expired";
        assert!(check(terraform, "az aks show").starts_with("az aks show -g shop-rg -n shop --query"));
        let command = "$ az aks nodepool add -g shop-rg --cluster-name shop -n np\nAADSTS7000222: The provided client secret keys are expired";
        assert!(check(command, "az aks show").starts_with("az aks show -g shop-rg -n shop --query"));
        let vm = "/subscriptions/S/resourceGroups/MC_g/providers/Microsoft.Compute/virtualMachines/aks-default-x1: OSProvisioningTimedOut";
        assert!(check(vm, "boot-diagnostics").ends_with("get-boot-log -g MC_g -n aks-default-x1"));
        let explanation = explain_shown(vm).expect("it shows a failure");
        assert!(
            explanation.checks.iter().all(|check| !check.contains("the aks-default-x1")),
            "words are no placeholders"
        );
        let instance = "/subscriptions/S/resourceGroups/MC_g/providers/Microsoft.Compute/virtualMachineScaleSets/aks-np-1-vmss/virtualMachines/3: OSProvisioningTimedOut";
        assert!(check(instance, "boot-diagnostics").ends_with("get-boot-log -g MC_g -n VM"));
        for id in [format!("{id} and {id}2"), id.replace("/shop-rg/", "/shop-$(reboot)/").replace("/shop", "/shop;x")] {
            let rejected = format!("(ServicePrincipalNotFound) Service principal of {id} not found: client ID");
            assert!(check(&rejected, "az aks show").contains(" -n CLUSTER "), "{rejected}");
        }
    }

    #[test]
    fn a_name_is_not_guessed_and_no_word_of_a_shell() {
        let several =
            "aks-np-1-vmss000001 status is now: NodeNotReady\naks-np-1-vmss000002 status is now: NodeNotReady";
        assert_eq!(check(several, "describe node"), "kubectl describe node aks-np-1-vmss000001", "the line decides");
        let cut = "ool1-1-vmss000001 status is now: NodeNotReady";
        assert_eq!(check(cut, "describe node"), "kubectl describe node NODE");
        for text in [
            "aks-np-1-vmss000001 and aks-np-1-vmss000002: status is now: NodeNotReady",
            "node/a-$(reboot) status is now: NodeNotReady",
            "node/a-b$(reboot) status is now: NodeNotReady",
            "node/-x status is now: NodeNotReady",
            "node/a- status is now: NodeNotReady",
            "node=\"aks-1;reboot\" status is now: NodeNotReady",
        ] {
            assert_eq!(check(text, "describe node"), "kubectl describe node NODE", "{text}");
        }
    }
}
