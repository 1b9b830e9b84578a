//! A first Configuration, from the output of `az` and `kubectl` for a cluster, from options, and from computed values.
//!
//! `sources` reads the outputs, `compute` adds the values that follow from others, `write` prints the document with a comment for each
//! value; `state` is their shared state. To add a source: see `sources`.

mod compute;
mod labels;
mod sources;
mod state;
mod write;

use std::cmp::Reverse;

use serde_json::Value;

use crate::catalogue::field_sources::of_field;
use crate::configuration::Configuration;
use crate::configuration::layer::{Place, merge};
use crate::document::MOST_FINDINGS;
pub(crate) use state::Draft;
use state::{Given, Pool, Token, Values, flatten};

/// AKS cuts longer names of the resource group of the nodes.
/// <https://learn.microsoft.com/azure/aks/faq#why-are-two-resource-groups-created-with-aks->
const LONGEST_NODE_GROUP: usize = 80;

const TOKEN: &str = "bootstrapping_config.tls_bootstrapping_token";

/// The options of `new`.
#[derive(Debug, Default)]
pub(crate) struct Options {
    /// The host of the API server.
    pub api_server: Option<String>,
    /// The file with the cluster CA: PEM, or base64 of it. The name is for messages.
    pub ca: Option<(String, Vec<u8>)>,
    /// The file with the bootstrap token. The name is for messages.
    pub token: Option<(String, Vec<u8>)>,
    /// Whether the node joins with secure TLS bootstrapping.
    pub secure_tls: bool,
    /// The version of Kubernetes.
    pub kubernetes_version: Option<String>,
    /// The VM size.
    pub vm_size: Option<String>,
    /// The operating system of the image, as `--os` names it.
    pub os: Option<&'static str>,
    /// The node pool.
    pub node_pool: Option<String>,
    /// Paths and values of `--set` and `--set-file`.
    pub set: Vec<(Place, Value)>,
}

/// A value that is needed and unknown.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Missing {
    /// Path of the field.
    pub field: &'static str,
    /// What stands instead of the value.
    pub placeholder: String,
    /// The command that prints the value.
    pub command: String,
}

/// A document and the messages about it.
#[derive(Debug)]
pub(crate) struct Drafted {
    /// YAML with comments.
    pub yaml: String,
    /// The same document.
    pub json: Value,
    /// The values that are missing.
    pub missing: Vec<Missing>,
    /// One line for each source that says more than a Configuration does.
    pub dropped: Vec<String>,
}

impl Draft {
    /// Reads the documents of a file or a stream. Errors are kept until [`Draft::finish`].
    pub fn add_file(&mut self, name: &str, bytes: &[u8]) {
        sources::read(self, name, bytes);
    }

    /// Returns the names of the node pools, sorted.
    pub fn pool_names(&self) -> Vec<String> {
        let mut names: Vec<_> = self.pools.iter().map(|pool| pool.name.clone()).collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    /// Fails with the problems of the sources and the options: at most [`MOST_FINDINGS`], then the number of the others.
    pub fn finish(mut self, options: Options) -> Result<Drafted, Vec<String>> {
        self.secure_tls = options.secure_tls;
        self.os = options.os;
        self.node_pool.clone_from(&options.node_pool);
        self.add_options(options);
        self.choose_pool();
        sources::choose_cluster(&mut self);
        sources::choose_account(&mut self);
        sources::choose_subnet(&mut self);
        sources::choose_networks(&mut self);
        sources::choose_identity(&mut self);
        self.choose_token();
        self.judge_names();
        self.judge_unrelated();
        if !self.errors.is_empty() {
            let omitted = self.errors.len().saturating_sub(MOST_FINDINGS);
            self.errors.truncate(MOST_FINDINGS);
            if omitted > 0 {
                self.errors.push(format!("… and {omitted} more"));
            }
            return Err(self.errors);
        }
        self.remove();
        compute::compute(&mut self);
        sources::note_restriction(&mut self);
        let missing = self.add_placeholders();
        let values = self.merged();
        let (json, yaml) = write::document(&values);
        Ok(Drafted { yaml, json, missing, dropped: self.dropped })
    }

    fn add_options(&mut self, options: Options) {
        let mut put = |path: &str, value: Value, origin: &str| {
            self.options.insert(path.to_owned(), Given { value, origin: origin.to_owned() });
        };
        if let Some(server) = options.api_server {
            put("api_server_config.api_server_name", server.into(), "--api-server");
        }
        if let Some(version) = options.kubernetes_version {
            let bare = version.strip_prefix('v').unwrap_or(&version);
            put("kubernetes_version", bare.into(), "--kubernetes-version");
        }
        if let Some(size) = options.vm_size {
            put("vm_size", size.into(), "--vm-size");
        }
        if let Some((name, bytes)) = options.ca {
            match sources::text_of(&bytes, "a CA").and_then(|text| sources::authority(&text)) {
                Ok(ca) => put("kubernetes_ca_cert", ca.into(), "--ca"),
                Err(problem) => self.errors.push(format!("--ca {name}: {problem}")),
            }
        }
        if let Some((name, bytes)) = options.token {
            match sources::text_of(&bytes, "a bootstrap token").and_then(|text| sources::token(&text)) {
                Ok(token) => {
                    let origin = "--token-file".to_owned();
                    let given = Given { value: token.into(), origin };
                    self.options.insert(TOKEN.to_owned(), given);
                }
                Err(problem) => self.errors.push(format!("--token-file {name}: {problem}")),
            }
        }
        for (place, value) in options.set {
            let mut layer = place.layer(value.clone());
            if !value.is_null() {
                let given = std::mem::take(&mut layer);
                merge(&mut layer, given);
            }
            let mut values = Values::new();
            flatten(Configuration::descriptor(), "", &layer, "--set", &mut values);
            if value.is_null() && values.is_empty() {
                values.insert(place.path(), Given { value, origin: String::new() });
            }
            for (path, given) in values {
                overlay(&mut self.options, path, given, false);
            }
        }
    }

    /// Removes what `--set PATH=null` removes, before other values are computed from it.
    fn remove(&mut self) {
        for path in self.options.iter().filter(|(_, given)| given.value.is_null()).map(|(path, _)| path) {
            for values in [&mut self.files, &mut self.base] {
                remove_below(values, path);
            }
        }
    }

    fn choose_pool(&mut self) {
        let wanted = self.node_pool.clone().or_else(|| match self.pools_of_scale_sets().as_slice() {
            [only] => Some(only.clone()),
            _ => None,
        });
        let names = self.pool_names();
        let windows: Vec<_> = self.pools.iter().filter(|pool| sources::runs_windows(&pool.value)).collect();
        let runs_windows = |name: &String| windows.iter().any(|pool| pool.name == *name);
        let listed = |is_listed: &dyn Fn(&String) -> bool| {
            let names = names.iter().filter(|name| is_listed(name)).map(|name| format!("`{name}`"));
            names.collect::<Vec<_>>().join(", ")
        };
        let others = match listed(&runs_windows) {
            others if others.is_empty() => others,
            others => format!("; {others} has Windows, which has no Configuration"),
        };
        let alone: Vec<_> = self.pools.iter().filter(|pool| pool.is_alone).map(|pool| pool.name.clone()).collect();
        if names.is_empty() {
            return self.choose_scale_set(wanted.as_deref());
        }
        let chosen = match (wanted, names.as_slice(), alone.as_slice()) {
            (Some(wanted), ..) if names.contains(&wanted) => wanted,
            (Some(wanted), ..) => {
                self.errors.push(format!("there is no node pool `{wanted}`: the files have {}", listed(&|_| true)));
                return;
            }
            // The only pool, or the one that `az aks nodepool show` was given to name.
            (None, [only], _) | (None, _, [only]) => only.clone(),
            (None, ..) => {
                let listed = listed(&|name| !runs_windows(name));
                let problem =
                    format!("the files have several node pools: choose one of {listed} with --node-pool{others}");
                self.errors.push(problem);
                return;
            }
        };
        // A pool can be in both `az aks show` and `az aks nodepool show`, which comes last and replaces.
        let mut pools: Vec<Pool> = std::mem::take(&mut self.pools);
        pools.retain(|pool| pool.name == chosen);
        pools.sort_by_key(|pool| pool.is_alone);
        self.node_pool = Some(chosen.clone());
        for pool in pools {
            sources::add_pool(self, &pool);
        }
        self.choose_scale_set(Some(&chosen));
    }

    /// Returns the names of the node pools of the scale sets, sorted.
    fn pools_of_scale_sets(&self) -> Vec<String> {
        let mut names: Vec<_> = self.scale_sets.iter().filter_map(|set| set.pool.clone()).collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    /// Adds the values of the scale set of a node pool. Those of other pools describe other nodes.
    fn choose_scale_set(&mut self, pool: Option<&str>) {
        let names = self.pools_of_scale_sets();
        if pool.is_none() && names.len() > 1 {
            let listed = names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
            let problem =
                format!("the files have scale sets of several node pools: choose one of {listed} with --node-pool");
            self.errors.push(problem);
            return;
        }
        if self.pools.is_empty() && self.node_pool.is_none() {
            self.node_pool = pool.map(str::to_owned);
        }
        for set in std::mem::take(&mut self.scale_sets) {
            match (&set.pool, pool) {
                (Some(own), Some(pool)) if own != pool => {
                    self.dropped.push(format!("{}: is of the node pool `{own}`, not `{pool}`: ignored", set.origin));
                }
                _ => sources::add_scale_set(self, &set),
            }
        }
    }

    /// Adds the bootstrap token that is valid for longest, of those that a node can use.
    fn choose_token(&mut self) {
        let mut tokens = std::mem::take(&mut self.tokens);
        if compute::uses_secure_tls(self) {
            self.drop_tokens(&tokens);
            return;
        }
        // Times in UTC are in the order of their texts.
        tokens.sort_by_key(|token| (!token.can_sign_in, token.expiration.is_some(), Reverse(token.expiration.clone())));
        tokens.dedup_by(|one, other| one.text == other.text);
        let mut tokens = tokens.into_iter();
        let Some(chosen) = tokens.next() else { return };
        if chosen.can_sign_in {
            self.fact(TOKEN, chosen.text, &chosen.origin);
        } else {
            let problem = "the token is not for signing in: its `usage-bootstrap-authentication` is not `true`";
            self.errors.push(format!("{}: {problem}", chosen.origin.lines().next().unwrap_or_default()));
        }
        let others = tokens.count();
        if others > 0 {
            self.dropped.push(format!("{others} other bootstrap tokens: ignored, because the node has one"));
        }
    }

    /// Leaves out the bootstrap tokens of the files: the node proves itself otherwise.
    fn drop_tokens(&mut self, tokens: &[Token]) {
        // A document that has both is as its author wants it.
        let in_base = self.base.get(TOKEN).filter(|_| self.secure_tls).map(|given| given.origin.clone());
        if in_base.is_some() {
            self.base.remove(TOKEN);
        }
        for origin in tokens.iter().map(|token| token.origin.clone()).chain(in_base) {
            let place = origin.lines().next().unwrap_or_default();
            self.dropped
                .push(format!("{place}: a bootstrap token: left out, because the node uses secure TLS bootstrapping"));
        }
    }

    /// Compares the names of the cluster and its resource group in an id with those in names that AKS makes of them: of the users of a
    /// kubeconfig, and of the resource group of the nodes. With the cluster itself, its API server and its resource group are compared instead.
    fn judge_names(&mut self) {
        if self.hints.server_member.is_some() || !self.errors.is_empty() {
            return;
        }
        let mut names: Vec<(String, String)> = Vec::new();
        if let (Some(group), Some(cluster)) = (&self.hints.group, &self.hints.cluster) {
            names.push((format!("{group}_{cluster}"), format!("the id of `{cluster}`")));
        }
        for (user, origin) in &self.hints.users {
            let name = sources::cluster_of_user(user).unwrap_or_default().to_owned();
            names.push((name, format!("the user `{user}` {origin}")));
        }
        let text = |path: &str| Some((self.files.get(path)?.value.as_str()?, &self.files[path].origin));
        if let (Some((nodes, origin)), Some((location, _))) =
            (text("cluster_config.resource_group"), text("cluster_config.location"))
            && nodes.len() < LONGEST_NODE_GROUP
            && let Some(name) = nodes.strip_prefix("MC_").and_then(|rest| rest.strip_suffix(&format!("_{location}")))
        {
            names.push((name.to_owned(), format!("the resource group `{nodes}` {origin}")));
        }
        let mut names = names.into_iter();
        let Some((first, place)) = names.next() else { return };
        if let Some((_, other)) = names.find(|(name, _)| !name.eq_ignore_ascii_case(&first)) {
            self.errors.push(format!("the files are of different clusters: {place}, and {other}"));
        }
    }

    /// Reports the objects without data about a cluster: as errors, if no document had any.
    fn judge_unrelated(&mut self) {
        let has_any = !self.files.is_empty() || !self.base.is_empty();
        for (kind, mut problem) in std::mem::take(&mut self.unrelated) {
            let is_beside = has_any || self.has_related.contains(&kind);
            if kind == sources::OUTPUT && !is_beside {
                problem = format!("{problem}: pass the output of `az aks show` for its cluster");
            }
            let problems = if is_beside { &mut self.dropped } else { &mut self.errors };
            // A list can have many of them.
            if problems.last() != Some(&problem) {
                problems.push(problem);
            }
        }
    }

    fn add_placeholders(&mut self) -> Vec<Missing> {
        let mut missing = Vec::new();
        for source in compute::needed(self) {
            if self.text(source.field).is_some() {
                continue;
            }
            let placeholder = format!("<{}>", source.placeholder);
            let given = Given { value: placeholder.as_str().into(), origin: "missing".to_owned() };
            self.options.insert(source.field.to_owned(), given);
            missing.push(Missing { field: source.field, placeholder, command: self.command(source) });
        }
        missing
    }

    fn merged(&self) -> Values {
        let mut values = self.computed.clone();
        for better in [&self.base, &self.files, &self.options] {
            for (path, given) in better.clone() {
                overlay(&mut values, path, given, true);
            }
        }
        values.retain(|_, given| !given.value.is_null());
        for (path, given) in &mut values {
            // A managed identity has no secret that a command prints.
            let is_constant =
                path.starts_with("auth_config.service_principal_") && !compute::uses_service_principal(self);
            if let Some(source) = of_field(path).filter(|_| !is_constant) {
                given.origin.push('\n');
                given.origin.push_str(&self.command(source));
            }
        }
        values
    }
}

/// Removes the value at a path and the values of its members.
fn remove_below(values: &mut Values, path: &str) {
    values.retain(|known, _| {
        known.strip_prefix(path).is_none_or(|rest| !rest.is_empty() && !rest.starts_with(['.', '[']))
    });
}

/// Adds a value over others. Maps of messages are values of their own: they are merged, and with `is_last`, `null` in them removes.
fn overlay(values: &mut Values, path: String, mut given: Given, is_last: bool) {
    if given.value.is_null() {
        remove_below(values, &path);
    }
    if given.value.is_object()
        && let Ok(place) = Place::parse(&path)
    {
        let known = values.get(&path).map(|known| known.value.clone()).filter(Value::is_object);
        if let (false, Some(mut known)) = (is_last, known.clone()) {
            for (key, value) in given.value.as_object().into_iter().flatten() {
                match (&mut known[key.as_str()], value) {
                    (Value::Object(known), Value::Object(members)) => known.extend(members.clone()),
                    (known, value) => *known = value.clone(),
                }
            }
            given.value = known;
        } else if is_last {
            let mut whole = place.layer(known.unwrap_or_default());
            merge(&mut whole, place.layer(given.value));
            given.value = place.member(&whole).cloned().unwrap_or_default();
        }
    }
    values.insert(path, given);
}
