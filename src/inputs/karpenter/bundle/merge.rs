//! Puts together what several documents say: settings and facts about the cluster.

use std::collections::{BTreeMap, BTreeSet};

use x509_cert::der::DateTime;

use super::Bundle;
use super::cluster::is_same_server;
use super::missing;
use super::place::Found;
use super::settings::{At, Container, Given, Value, Variable, setting, token};
use crate::Secret;
use crate::catalogue::field_sources::placeholder_in;
use crate::catalogue::{REDACTED, rules};
use crate::configuration::syntax::{BOOTSTRAP_TOKEN, is_bootstrap_token};
use crate::configuration::{Today, token_hint};
use crate::document::{DocPath, Finding};
use crate::inputs::karpenter::convert;
use crate::inputs::karpenter::objects::{Cluster, SETTINGS, Scalar, Setting, Settings};
use crate::rendering::ShellWord;

/// The setting with the bootstrap token.
const TOKEN: &str = "KUBELET_BOOTSTRAP_TOKEN";

/// The setting with the subscription of the cluster.
const SUBSCRIPTION: &str = "AZURE_SUBSCRIPTION_ID";

/// The settings of the bundle, where each was read, and the findings about them.
pub(super) struct Merged {
    pub settings: Settings,
    pub given: BTreeMap<&'static str, Given>,
    pub findings: Vec<Finding>,
    /// Whether there is any source of settings.
    pub has_source: bool,
}

impl Bundle {
    /// Returns every value of a setting. Without a value that can be read, the findings say what to add.
    pub(super) fn values(&self) -> (Vec<Given>, Vec<(At, Finding)>) {
        let mut given = self.given.clone();
        let mut unread = Vec::new();
        let least = self.containers.iter().map(|(rank, _)| *rank).min();
        let containers = self.containers.iter().filter(|(rank, _)| Some(*rank) == least).map(|(_, found)| found);
        let mut referenced = BTreeSet::new();
        for container in containers {
            let Found { value: Container { variables, maps, .. }, .. } = container;
            referenced.extend(maps.iter().map(|(kind, name, _)| (*kind, name.clone())));
            let mut own: BTreeMap<&'static str, Given> = BTreeMap::new();
            for (kind, name, prefix) in maps {
                let texts = self.texts.iter().find(|texts| texts.value.kind == *kind && texts.value.name == *name);
                for (key, value, place) in texts.map(|texts| texts.value.entries.as_slice()).unwrap_or_default() {
                    let Some(setting) = setting(&format!("{prefix}{key}")) else { continue };
                    let given = of_variable(setting, value.clone(), At::Place(place.clone()), container);
                    own.insert(setting.name, given);
                }
            }
            for Variable { name, value, place } in variables {
                let Some(setting) = setting(name) else { continue };
                match value {
                    Value::Text(value) => {
                        let given = of_variable(setting, value.clone(), At::Place(place.clone()), container);
                        own.insert(setting.name, given);
                    }
                    Value::Key(kind, map, key) => {
                        referenced.insert((*kind, map.clone()));
                        match self.entry(kind, map, key) {
                            Some((value, at)) => {
                                own.insert(setting.name, of_variable(setting, value, At::Place(at), container));
                            }
                            None => {
                                unread.push((At::Place(place.clone()), unreadable(container, name, kind, map, key)));
                            }
                        }
                    }
                    Value::Field => {}
                }
            }
            given.extend(own.into_values());
        }
        for texts in &self.texts {
            let is_weak = referenced.contains(&(texts.value.kind, texts.value.name.clone()));
            let source = format!("{} {}", texts.value.kind, texts.value.name);
            for (name, value, place) in &texts.value.entries {
                let Some(setting) = setting(name) else { continue };
                let at = At::Place(place.clone());
                let (value, source) = (value.clone(), source.clone());
                given.push(Given { setting, value, source, at, option: texts.option, is_weak });
            }
            if let (Some(value), Some(setting)) = (token(&texts.value), setting(TOKEN)) {
                let at = At::Place(texts.place.clone());
                given.push(Given { setting, value, source, at, option: texts.option, is_weak: true });
            }
        }
        let endpoints = self.clusters.iter().filter(|cluster| !cluster.value.endpoint.is_empty());
        for cluster in endpoints {
            let Some(setting) = setting("CLUSTER_ENDPOINT") else { continue };
            let value = Secret::from(cluster.value.endpoint.clone());
            let at = At::Place(cluster.place.clone());
            let source = "the cluster".to_owned();
            given.push(Given { setting, value, source, at, option: cluster.option, is_weak: true });
        }
        given.extend(self.base.iter().flat_map(super::base::settings));
        (given, unread)
    }

    fn entry(&self, kind: &str, map: &str, key: &str) -> Option<(Secret<'static>, super::Place)> {
        let texts = self.texts.iter().find(|texts| texts.value.kind == kind && texts.value.name == map)?;
        let (_, value, place) = texts.value.entries.iter().find(|(known, ..)| known == key)?;
        Some((value.clone(), place.clone()))
    }

    /// Returns the commands that print the maps that a container reads as a whole and that are not there.
    pub(super) fn absent_maps(&self) -> Vec<String> {
        let mut commands = Vec::new();
        for (_, Found { value, .. }) in &self.containers {
            for (kind, name, _) in &value.maps {
                if self.texts.iter().all(|texts| texts.value.kind != *kind || texts.value.name != *name) {
                    let (kind, name) = (kind.to_lowercase(), ShellWord::quote(name));
                    let namespace = ShellWord::quote(&value.namespace);
                    commands.push(format!("kubectl get {kind} {name} --namespace {namespace} --output yaml"));
                }
            }
        }
        commands
    }

    /// Returns the settings, and adds the findings about them to their files.
    pub(super) fn settings(&mut self) -> Merged {
        let (values, unread) = self.values();
        let has_source = values.iter().any(|given| !given.is_weak) || !unread.is_empty();
        let mut given: BTreeMap<&'static str, Given> = BTreeMap::new();
        let mut findings = Vec::new();
        for setting in SETTINGS {
            let mut all: Vec<&Given> = values.iter().filter(|given| given.setting.name == setting.name).collect();
            all.sort_by_key(|given| given.at.order());
            let strong: Vec<&Given> = all.iter().copied().filter(|given| !given.is_weak).collect();
            let candidates = if strong.is_empty() { &all } else { &strong };
            let Some(first) = candidates.first() else { continue };
            let other = candidates.iter().find(|other| other.value != first.value);
            // What the Configuration below says counts least.
            if let Some(other) = other.filter(|other| !matches!(other.at, At::Base)) {
                self.contradiction(setting.name, first, other);
            }
            // What `az` says about another subscription is about another cluster, and so is the tenant beside it.
            let is_other = |weak: &&&Given| {
                let differs = !weak.value.expose().eq_ignore_ascii_case(first.value.expose());
                weak.is_weak && differs && matches!(weak.at, At::Place(_))
            };
            let others = all.iter().filter(|_| setting.name == SUBSCRIPTION && !strong.is_empty());
            if let Some(other) = others.into_iter().find(is_other) {
                self.contradiction(setting.name, first, other);
            }
            given.insert(setting.name, (*first).clone());
        }
        for (at, finding) in unread {
            let is_given = finding.path.0.first().is_some_and(|step| given.keys().any(|name| path_is(step, name)));
            if !is_given {
                let (file, finding) = at.located(&self.files, finding);
                self.put(file.unwrap_or_default(), vec![finding.clone()]);
                findings.push(finding);
            }
        }
        let absent = self.absent_maps();
        let asked: Vec<DocPath> = findings.iter().map(|finding| finding.path.clone()).collect();
        findings.clear();
        let read = given.iter().map(|(name, given)| ((*name).to_owned(), Scalar(given.value.expose().to_owned())));
        let (settings, wrong) = Settings::new(read.collect());
        for finding in wrong {
            if asked.contains(&finding.path) {
                continue;
            }
            let name = SETTINGS.iter().find(|setting| finding.path == DocPath::fields(setting.name));
            let place = name.and_then(|setting| given.get(setting.name));
            let hint = name.and_then(|setting| missing::of_setting(setting.name)).filter(|_| finding.hint.is_none());
            let is_absent = place.is_none_or(|given| given.value.is_empty());
            let finding = match hint {
                Some(command) if is_absent => {
                    let command = absent.first().map_or(command, String::as_str);
                    finding.hint(format!("`{command}` prints it"))
                }
                _ => finding,
            };
            match place.map(|given| given.at.located(&self.files, finding.clone())) {
                Some((Some(file), finding)) => self.put(file, vec![finding]),
                _ => findings.push(finding),
            }
        }
        Merged { settings, given, findings, has_source }
    }

    /// Returns the findings about single settings, for files that need not be complete.
    pub(super) fn violations(&self, today: Option<Today>) -> Vec<(usize, Finding)> {
        let mut found = Vec::new();
        let values = self.values().0;
        for given in &values {
            if let Some(finding) = unusable(given)
                && let (Some(file), finding) = given.at.located(&self.files, finding)
            {
                found.push((file, finding));
            }
        }
        found.extend(self.expired_tokens(today));
        found.extend(self.empty_tenant(&values));
        // What else is wrong with a placeholder is no news.
        for given in values.iter().filter(|given| !given.is_weak && unusable(given).is_none()) {
            let scalar = Scalar(given.value.expose().to_owned());
            let (_, findings) = Settings::new(BTreeMap::from([(given.setting.name.to_owned(), scalar)]));
            let path = DocPath::fields(given.setting.name);
            for finding in findings.into_iter().filter(|finding| finding.path == path) {
                if let (Some(file), finding) = given.at.located(&self.files, finding) {
                    found.push((file, finding));
                }
            }
        }
        found
    }

    /// Returns a finding if every setting of the tenant that is given is empty.
    fn empty_tenant(&self, values: &[Given]) -> Option<(usize, Finding)> {
        let of_tenant = |given: &&Given| ["AZURE_TENANT_ID", "ARM_TENANT_ID"].contains(&given.setting.name);
        let tenants: Vec<_> = values.iter().filter(of_tenant).collect();
        let first = tenants.first().filter(|_| tenants.iter().all(|given| given.value.expose().trim().is_empty()))?;
        let (file, finding) = first.at.located(&self.files, convert::missing_tenant(first.setting.name));
        Some((file?, finding))
    }

    /// Returns a finding for each Secret of a bootstrap token that has expired, unless there is one that has not.
    fn expired_tokens(&self, today: Option<Today>) -> Vec<(usize, Finding)> {
        let mut found = Vec::new();
        for texts in self.texts.iter().filter(|texts| token(&texts.value).is_some()) {
            let expiration = texts.value.entries.iter().find(|(name, ..)| name == "expiration");
            let finding = expiration.zip(today).and_then(|((_, text, _), today)| expired(text.expose(), today));
            let (Some((_, _, place)), Some(finding)) = (expiration, finding) else { return Vec::new() };
            let (file, finding) = At::Place(place.clone()).located(&self.files, finding);
            found.extend(file.map(|file| (file, finding)));
        }
        found
    }

    fn contradiction(&mut self, name: &'static str, first: &Given, other: &Given) {
        let shown = |given: &Given| {
            let at = given.at.shown(&self.files);
            let source = &given.source;
            if given.setting.secret {
                format!("{at} ({source}) has another value")
            } else {
                format!("{at} ({source}) has {:?}", given.value.expose())
            }
        };
        let found = if other.setting.secret { String::new() } else { format!("{:?}, but ", other.value.expose()) };
        let problem = format!("is {found}{}: the files are of different clusters or nodes", shown(first));
        let finding = Finding::violation(&rules::KARPENTER_AMBIGUOUS, DocPath::fields(name), problem);
        let (file, finding) = other.at.located(&self.files, finding);
        if self.files.is_empty() {
            return;
        }
        self.put(file.unwrap_or_default(), vec![finding]);
    }

    /// Returns the facts about the cluster, and adds a finding for each contradiction.
    pub(super) fn cluster(&mut self, settings: &Merged) -> (Cluster, BTreeMap<&'static str, super::Place>) {
        let mut merged = Cluster::default();
        let mut places = BTreeMap::new();
        let mut findings = Vec::new();
        for Found { value, place, .. } in &self.clusters {
            let mut ca = merged.ca_bundle.clone().unwrap_or_default();
            for (name, known, found) in [
                ("kubernetes_version", &mut merged.kubernetes_version, &value.kubernetes_version),
                ("ca_bundle", &mut ca, value.ca_bundle.as_ref().unwrap_or(&String::new())),
                ("endpoint", &mut merged.endpoint, &value.endpoint),
                ("dns_service_ip", &mut merged.dns_service_ip, &value.dns_service_ip),
                (
                    "network_security_group_name",
                    &mut merged.network_security_group_name,
                    &value.network_security_group_name,
                ),
                ("vnet_guid", &mut merged.vnet_guid, &value.vnet_guid),
            ] {
                if found.is_empty() {
                    continue;
                }
                let is_same = match name {
                    "endpoint" => is_same_server(known, found),
                    "ca_bundle" => known.split_whitespace().eq(found.split_whitespace()),
                    "kubernetes_version" => known.trim_start_matches('v') == found.trim_start_matches('v'),
                    _ => known == found,
                };
                if known.is_empty() {
                    known.clone_from(found);
                    places.insert(name, place.clone());
                } else if !is_same {
                    let first =
                        places.get(name).map_or_else(String::new, |place: &super::Place| place.shown(&self.files));
                    let problem = format!("differs from the one of {first}: the files are of different clusters");
                    findings.push((
                        place.clone(),
                        Finding::violation(&rules::KARPENTER_AMBIGUOUS, DocPath::fields(name), problem),
                    ));
                }
            }
            merged.ca_bundle =
                if places.contains_key("ca_bundle") || value.ca_bundle.is_some() { Some(ca) } else { None };
        }
        if let Some(base) = &self.base {
            super::base::add_facts(base, &mut merged);
        }
        let given = settings.given.get("CLUSTER_ENDPOINT").filter(|given| !given.is_weak);
        for Found { value, place, option } in &self.clusters {
            let Some(given) = given.filter(|_| option.is_none() && !value.endpoint.is_empty()) else { continue };
            if !is_same_server(given.value.expose(), &value.endpoint) {
                let problem = format!(
                    "is {:?}, but CLUSTER_ENDPOINT at {} is {:?}: the files are of different clusters",
                    value.endpoint,
                    given.at.shown(&self.files),
                    given.value.expose()
                );
                let finding = Finding::violation(&rules::KARPENTER_AMBIGUOUS, DocPath::fields("clusters"), problem);
                findings.push((place.clone(), finding));
            }
        }
        for (place, finding) in findings {
            // The path is a fact, which need not be a member of the document.
            let located = place.located(&self.files, vec![finding]);
            self.put(place.file, located);
        }
        (merged, places)
    }
}

/// Returns a finding for a placeholder, or for a bootstrap token that is none.
fn unusable(given: &Given) -> Option<Finding> {
    let (name, text) = (given.setting.name, given.value.expose());
    let path = DocPath::fields(name);
    if let Some(source) = placeholder_in(text) {
        let problem = format!("contains the placeholder `<{}>`", source.placeholder);
        return Some(Finding::violation(&rules::PLACEHOLDER, path, problem).hint(source.hint()));
    }
    if name != TOKEN || text.is_empty() || is_bootstrap_token(text) {
        return None;
    }
    let finding = Finding::unexpected(&rules::BOOTSTRAP_TOKEN, path, BOOTSTRAP_TOKEN, REDACTED);
    Some(match token_hint(text) {
        Some(hint) => finding.hint(hint),
        None => finding,
    })
}

/// Returns a finding for a bootstrap token that has expired. The time is in UTC, as kubeadm writes it.
fn expired(expiration: &str, Today(now): Today) -> Option<Finding> {
    let text = expiration.trim();
    let end = text.parse::<DateTime>().ok()?.unix_duration().as_secs();
    let problem = format!("belongs to a bootstrap token that expired on {text}: the API server rejects it");
    let finding = Finding::violation(&rules::BOOTSTRAP_TOKEN, DocPath::fields("expiration"), problem);
    i64::try_from(end).is_ok_and(|end| end < now).then(|| finding.hint("`kubeadm token create` creates another"))
}

fn path_is(step: &crate::document::Step, name: &str) -> bool {
    matches!(step, crate::document::Step::Field { name: known, .. } if *known == name)
}

/// Returns the finding for a variable whose value is in a document that is not there.
fn unreadable(container: &Found<Container>, name: &str, kind: &str, map: &str, key: &str) -> Finding {
    let path = SETTINGS
        .iter()
        .find(|setting| setting.name == name)
        .map_or_else(DocPath::root, |setting| DocPath::fields(setting.name));
    let problem = format!("is read from the key `{key}` of the {kind} `{map}`, which is not among the files");
    let namespace = &container.value.namespace;
    let hint = format!(
        "add the output of `kubectl get {} {map} --namespace {namespace} --output yaml`, or a file with a line `NAME=VALUE` for this variable",
        kind.to_lowercase()
    );
    Finding::violation(&rules::REQUIRED, path, problem).hint(hint)
}

fn of_variable(setting: &'static Setting, value: Secret<'static>, at: At, container: &Found<Container>) -> Given {
    let source = container.value.source.clone();
    Given { setting, value, source, at, option: container.option, is_weak: false }
}
