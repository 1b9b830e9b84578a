//! What is known while a document is put together: values with their origins, and hints that are no fields.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use crate::catalogue::field_sources::{FieldSource, of_member, of_own_network, placeholder_in};
use crate::catalogue::vm_sizes;
use crate::configuration::{Descriptor, Kind, Label};
use crate::rendering::ShellWord;

/// A value and where it comes from.
#[derive(Clone, Debug)]
pub(super) struct Given {
    pub value: Value,
    /// The comment, without a period.
    pub origin: String,
}

/// Values by path, as messages show paths.
pub(super) type Values = BTreeMap<String, Given>;

/// Facts of a cluster besides the fields of the Configuration.
#[derive(Debug, Default)]
pub(super) struct Hints {
    /// Name of the cluster, and of its resource group.
    pub cluster: Option<String>,
    pub group: Option<String>,
    /// AKS's names of the network plugin, its mode and dataplane.
    pub plugin: Option<String>,
    pub plugin_mode: String,
    pub dataplane: String,
    /// Names of the API server: a private cluster has two.
    pub api_servers: Vec<String>,
    /// The member in which `az aks show` names the API server as nodes know it.
    pub server_member: Option<&'static str>,
    /// The users of contexts in kubeconfigs, each with its origin. AKS puts the names of the cluster and its resource group into them.
    pub users: Vec<(String, String)>,
    /// The id of the cluster that AKS puts into the names of its network resources, from the tags of a scale set.
    pub name_suffix: Option<String>,
    /// The resource id of the identity of the kubelet.
    pub kubelet_identity: Option<String>,
    /// The subscription of the node's network, which can be another one than that of the node.
    pub network_subscription: Option<String>,
    /// AKS's name of the network of pods that have a subnet of their own.
    pub pod_network: Option<&'static str>,
    /// Whether the cluster has no outbound access to the internet.
    pub is_isolated: bool,
    /// Whether a user has attached a route table to the subnet of the nodes.
    pub has_own_routes: bool,
    /// Facts of the VM size, from `az vm list-skus`.
    pub sizes: Vec<Size>,
    /// Labels that the node pool has or asks for, each with its value and comment.
    pub labels: Vec<(String, String, String)>,
    pub taints: Vec<String>,
}

/// A VM size as `az vm list-skus` prints it.
#[derive(Debug)]
pub(super) struct Size {
    pub name: String,
    pub cpus: Option<u64>,
    pub memory_gib: Option<f64>,
    /// Why the subscription cannot create such machines, with the regions.
    pub restriction: Option<(String, Vec<String>)>,
    /// Where it was read.
    pub origin: String,
}

/// A node pool of a cluster.
#[derive(Clone, Debug)]
pub(super) struct Pool {
    pub name: String,
    pub value: Value,
    /// Where it was read.
    pub origin: String,
    /// Whether `az aks nodepool show` named it, and not a list.
    pub is_alone: bool,
}

/// A scale set of a cluster.
#[derive(Debug)]
pub(super) struct ScaleSet {
    /// Its node pool, from its tags.
    pub pool: Option<String>,
    pub value: Value,
    /// Where it was read.
    pub origin: String,
}

/// A bootstrap token from a Secret.
#[derive(Debug)]
pub(super) struct Token {
    /// Id and secret.
    pub text: String,
    /// A token without one never expires.
    pub expiration: Option<String>,
    /// Whether the API server accepts it from a node.
    pub can_sign_in: bool,
    pub origin: String,
}

/// A kubeconfig with several clusters.
#[derive(Debug)]
pub(super) struct Kubeconfig {
    /// Where it was read.
    pub origin: String,
    pub clusters: Vec<Value>,
    /// The names of cluster and user of each context.
    pub contexts: Vec<(String, String)>,
    /// The cluster of the current context, or the problem without one.
    pub current: Result<Value, String>,
    /// The bootstrap token of the current context's user.
    pub token: Option<String>,
}

/// A Configuration that is being put together.
#[derive(Debug, Default)]
pub(crate) struct Draft {
    pub(super) options: Values,
    pub(super) files: Values,
    pub(super) base: Values,
    pub(super) computed: Values,
    pub(super) hints: Hints,
    pub(super) pools: Vec<Pool>,
    pub(super) scale_sets: Vec<ScaleSet>,
    pub(super) tokens: Vec<Token>,
    /// Kubeconfigs with several clusters.
    pub(super) kubeconfigs: Vec<Kubeconfig>,
    /// Subnets that were listed, with their files.
    pub(super) subnets: Vec<(String, Value)>,
    /// Subscriptions that were listed, with their files.
    pub(super) accounts: Vec<(String, Value)>,
    /// Security groups and route tables: the field, the resource group, the name and the file.
    pub(super) networks: Vec<(&'static str, String, String, String)>,
    /// Managed identities, with their files.
    pub(super) identities: Vec<(String, Value)>,
    /// Objects without data about a cluster, with their kinds; the kind is empty for those from which nothing is ever read. A list of all objects has many; alone, one is an error.
    pub(super) unrelated: Vec<(&'static str, String)>,
    /// The kinds of which an object had data.
    pub(super) has_related: Vec<&'static str>,
    pub(super) os: Option<&'static str>,
    pub(super) secure_tls: bool,
    pub(super) node_pool: Option<String>,
    pub(super) errors: Vec<String>,
    pub(super) dropped: Vec<String>,
}

impl Draft {
    pub(super) fn given(&self, path: &str) -> Option<&Given> {
        let known = [&self.options, &self.files, &self.base, &self.computed];
        let given = known.into_iter().find_map(|values| values.get(path))?;
        (!given.value.is_null()).then_some(given)
    }

    pub(super) fn text(&self, path: &str) -> Option<&str> {
        self.given(path)?.value.as_str().filter(|text| !text.is_empty())
    }

    pub(super) fn fact(&mut self, path: &str, value: impl Into<Value>, origin: &str) {
        let value = value.into();
        if value.as_str().is_some_and(|text| text.is_empty() || placeholder_in(text).is_some()) || value.is_null() {
            return;
        }
        self.files.entry(path.to_owned()).or_insert_with(|| Given { value, origin: origin.to_owned() });
    }

    pub(super) fn identity(&mut self, path: &'static str, value: &str, origin: &str) {
        if let Some(known) = self.files.get(path)
            && let Some(text) = known.value.as_str()
            && !text.eq_ignore_ascii_case(value)
            && !value.is_empty()
        {
            let values = if path == "kubernetes_ca_cert" {
                "are different certificates".to_owned()
            } else {
                format!("are `{text}` and `{value}`")
            };
            let is_kubeconfig = [&*known.origin, origin].iter().any(|origin| origin.contains("kubectl config view"));
            let hint = if is_kubeconfig && path == "api_server_config.api_server_name" {
                ": `kubectl config view --raw --minify --context NAME` prints that of another context"
            } else {
                ""
            };
            let files = format!("`{path}` {} and {origin}", known.origin);
            self.errors.push(format!("the files are of different clusters: {files} {values}{hint}"));
            return;
        }
        self.fact(path, value, origin);
    }

    pub(super) fn put(&mut self, path: &str, value: impl Into<Value>, reason: &str) {
        let given = Given { value: value.into(), origin: format!("computed: {reason}") };
        self.computed.insert(path.to_owned(), given);
    }

    pub(super) fn size_facts(&self, size: &str) -> (Option<u64>, Option<f64>) {
        let facts = self.hints.sizes.iter().find(|known| known.name.eq_ignore_ascii_case(size));
        let cpus = facts.and_then(|facts| facts.cpus).or_else(|| vm_sizes::cpus(size));
        (cpus, facts.and_then(|facts| facts.memory_gib).or_else(|| vm_sizes::memory_gib(size)))
    }

    /// Returns the command that prints the value of a field, with the names that are known.
    pub(super) fn command(&self, source: &FieldSource) -> String {
        let names = [
            ("NODE_GROUP", self.text("cluster_config.resource_group")),
            ("SERVICE_PRINCIPAL_ID", self.text("auth_config.service_principal_id")),
            ("CLUSTER", self.hints.cluster.as_deref()),
            ("GROUP", self.hints.group.as_deref()),
            ("POOL", self.node_pool.as_deref()),
            ("VNET_GROUP", self.text("cluster_config.cluster_network_config.vnet_resource_group")),
            ("VNET", self.text("cluster_config.cluster_network_config.vnet_name")),
            ("SUBNET", self.text("cluster_config.cluster_network_config.subnet")),
        ];
        let known = |word: &str| {
            let (_, name) = names.iter().find(|(known, _)| *known == word)?;
            name.filter(|name| placeholder_in(name).is_none())
        };
        // In one pass, because a name can contain the word for another one.
        let words = self.template(source).split(' ').map(|word| match known(word) {
            Some(name) => ShellWord::quote(name).to_string(),
            None if word.contains("=='POOL'") => {
                let name = known("POOL").filter(|name| name.bytes().all(|byte| byte.is_ascii_alphanumeric()));
                word.replace("POOL", name.unwrap_or("POOL"))
            }
            None => word.to_owned(),
        });
        words.collect::<Vec<_>>().join(" ")
    }

    /// Returns the command for a field: that for the member from which its value was read, or that for a network of the user's own, else that
    /// of the row.
    fn template(&self, source: &FieldSource) -> &'static str {
        let origin = self.given(source.field).map_or("", |given| given.origin.as_str());
        let of_server = self.hints.server_member.filter(|_| source.field == "api_server_config.api_server_name");
        let member = of_server.or_else(|| origin.rsplit(": ").next()).unwrap_or_default();
        if let Some(command) = of_member(source.field, member) {
            return command;
        }
        let path = |field: &str| format!("cluster_config.cluster_network_config.{field}");
        let is_of_user = |group: &str| {
            self.text("cluster_config.resource_group").is_some_and(|nodes| !nodes.eq_ignore_ascii_case(group))
        };
        let group = self.files.get(&path("vnet_resource_group")).and_then(|given| given.value.as_str());
        let has_routes = self.hints.has_own_routes || self.hints.plugin.as_deref() == Some("kubenet");
        if group.is_some_and(is_of_user) { of_own_network(source.field, has_routes) } else { None }
            .unwrap_or(source.command)
    }
}

/// Adds the values of a document by their paths. Entries of maps of texts have paths of their own.
pub(super) fn flatten(
    descriptor: &'static Descriptor,
    prefix: &str,
    document: &Value,
    origin: &str,
    values: &mut Values,
) {
    let Value::Object(members) = document else { return };
    for (name, value) in members {
        let Some(index) = descriptor.index_of(name) else { continue };
        let field = &descriptor.fields[index];
        let path = if prefix.is_empty() { field.name.to_owned() } else { format!("{prefix}.{}", field.name) };
        match (field.kind, field.label, value) {
            // An empty message is a value, too: some texts have what is set in it, even if nothing is.
            (Kind::Message(inner), Label::Optional, value) if !is_empty_object(value) => {
                flatten(inner, &path, value, origin, values);
            }
            (kind, Label::Map, Value::Object(entries)) if !matches!(kind, Kind::Message(_)) => {
                for (key, value) in entries {
                    let given = Given { value: value.clone(), origin: origin.to_owned() };
                    values.insert(entry_path(&path, key), given);
                }
            }
            _ => {
                values.insert(path, Given { value: value.clone(), origin: origin.to_owned() });
            }
        }
    }
}

/// Reports whether a value is an object without members.
pub(super) fn is_empty_object(value: &Value) -> bool {
    value.as_object().is_some_and(Map::is_empty)
}

pub(super) fn entry_path(map: &str, key: &str) -> String {
    format!("{map}[{}]", Value::from(key))
}

/// The path of a flag of the kubelet.
pub(super) fn flag_path(name: &str) -> String {
    entry_path("kubelet_config.kubelet_flags", name)
}

/// The path of a label of the node.
pub(super) fn label_path(name: &str) -> String {
    entry_path("kubelet_config.kubelet_node_labels", name)
}
