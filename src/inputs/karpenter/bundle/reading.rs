//! Reads each kind of document: what it says of a node is added to the bundle.

use super::kind::Kind;
use super::place::{self, Found, Place, elements, member, text};
use super::settings::{self, At, Container, Given};
use super::{Bundle, Role, Sku, cluster};
use crate::Secret;
use crate::catalogue::rules;
use crate::document::{
    DocPath, Document, Finding, Findings, Names, ParsedTree, Problem, Step, Tree, is_misspelled, nearest, read_tree,
};
use crate::inputs::karpenter::objects::{self, Cluster, InstanceType, NodeClaim, NodeClass, SETTINGS, Scalar};
use crate::inputs::{DocumentKind, OtherKind, recognize};

/// A document that is being read.
#[derive(Clone, Copy)]
pub(super) struct Context<'c> {
    pub(super) role: Option<Role>,
    /// The number of the document in its file.
    pub(super) number: usize,
    /// The kind of elements of a list that have none.
    pub(super) default: &'c str,
    pub(super) is_element: bool,
    /// Whether the list has other elements.
    pub(super) is_one_of_several: bool,
}

impl Bundle {
    /// Reads a value with the reader of its type.
    fn value<T>(
        &mut self,
        tree: &ParsedTree<'_>,
        place: &Place,
        read: impl FnOnce(&mut Document<'_>) -> Option<T>,
    ) -> Option<T> {
        let (value, report) = read_tree(tree, read);
        self.put_at(place, report.findings);
        self.files[place.file].report.omitted += report.omitted;
        value
    }

    pub(super) fn read(&mut self, tree: &ParsedTree<'_>, place: &Place, context: Context<'_>) {
        let kind = Kind::of(tree, context.default);
        if let Kind::List(path, default) = &kind {
            return self.read_list(tree, place, path, Context { default, is_element: true, ..context });
        }
        let named = with_kind(tree, context.default);
        let tree = named.as_ref().unwrap_or(tree);
        if kind == Kind::Unknown && context.role.is_some() && context.number > 0 {
            let problem = "contains a second document, whose kind is not recognized";
            self.put_at(place, vec![Finding::violation(&rules::WRONG_KIND, DocPath::root(), problem)]);
            return;
        }
        let option = context.role.map(Role::label);
        if kind == Kind::Account && context.is_one_of_several && !cluster::is_default_account(tree) {
            return self.skip("another subscription");
        }
        match context.role {
            None => self.read_kind(&kind, tree, place, None),
            Some(Role::NodeClaim) => self.read_claim(tree, place, option, kind == Kind::Pool),
            Some(Role::NodeClass) => self.read_class(tree, place, option),
            Some(Role::InstanceType) => match kind {
                Kind::OtherSku => {}
                _ => self.read_size(tree, place, option, context.is_element),
            },
            Some(Role::Settings) => match kind {
                Kind::ConfigMap | Kind::Secret | Kind::Workload(_) | Kind::Values => {
                    self.read_kind(&kind, tree, place, option);
                }
                Kind::Other(_) if context.is_element => self.read_kind(&kind, tree, place, option),
                _ => self.read_settings(tree, place, option),
            },
            Some(Role::Cluster) => match kind {
                Kind::Version(_) | Kind::ConfigMap | Kind::Service | Kind::SecurityGroup => {
                    self.read_kind(&kind, tree, place, option);
                }
                _ => self.read_cluster(tree, place, option),
            },
        }
    }

    fn read_list(&mut self, tree: &ParsedTree<'_>, place: &Place, path: &[&str], context: Context<'_>) {
        if let Tree::List(list) = tree {
            let context = Context { is_one_of_several: list.len() > 1, ..context };
            for (index, element) in list.iter().enumerate() {
                self.read(element, &place.child(Step::Index(index), index), context);
            }
            if !list.is_empty() {
                return;
            }
        }
        let found = elements(tree, place, path);
        if found.is_empty() {
            let hint =
                "the command that printed it found nothing: `kubectl get nodeclaim,aksnodeclass -o yaml` prints all";
            let problem = "is a List of Kubernetes objects without an object";
            let empty = Finding::violation(&rules::WRONG_KIND, DocPath::root(), problem).hint(hint);
            self.put_at(place, vec![empty]);
        }
        let context = Context { is_one_of_several: found.len() > 1, ..context };
        for (element, place) in found {
            self.read(element, &place, context);
        }
    }

    fn read_kind(&mut self, kind: &Kind, tree: &ParsedTree<'_>, place: &Place, option: Option<&'static str>) {
        match kind {
            Kind::Claim => self.read_claim(tree, place, option, false),
            Kind::Pool => self.read_claim(tree, place, option, true),
            Kind::Class => self.read_class(tree, place, option),
            Kind::Size => self.read_size(tree, place, option, true),
            Kind::Settings => self.read_settings(tree, place, option),
            Kind::Kubeconfig | Kind::Cluster => self.read_cluster(tree, place, option),
            Kind::ConfigMap => self.read_texts(tree, place, option, "ConfigMap"),
            Kind::Secret => self.read_texts(tree, place, option, "Secret"),
            Kind::Workload(spec) => self.read_container(tree, place, option, spec),
            Kind::Values => self.add_container(0, settings::of_values(tree, place), place, option),
            Kind::Version(path) => {
                let version = text(tree, path).unwrap_or_default().to_owned();
                let value = Cluster { kubernetes_version: version, ..Cluster::default() };
                self.clusters.push(Found { value, place: place.clone(), option });
            }
            Kind::Service => match text(tree, &["spec", "clusterIP"]) {
                Some(address) if text(tree, &["metadata", "name"]) == Some("kube-dns") => {
                    let value = Cluster { dns_service_ip: address.to_owned(), ..Cluster::default() };
                    self.clusters.push(Found { value, place: place.clone(), option });
                }
                _ => self.skip("Service"),
            },
            Kind::SecurityGroup => {
                let name = text(tree, &["name"]).unwrap_or_default().to_owned();
                let value = Cluster { network_security_group_name: name, ..Cluster::default() };
                if value.id().is_some() || option.is_some() {
                    self.clusters.push(Found { value, place: place.clone(), option });
                } else {
                    self.skip("network security group");
                }
            }
            Kind::ManagedCluster | Kind::Account => self.read_azure(kind, tree, place, option),
            // Disks and snapshots are in the same list.
            Kind::OtherSku => {}
            Kind::Other(kind) => match misspelled_kind(kind) {
                Some(meant) => {
                    let problem = format!("is `{kind}`, which no API has");
                    let finding = Finding::violation(&rules::WRONG_KIND, DocPath::fields("kind"), problem);
                    self.put_at(place, vec![finding.hint(format!("did you mean `{meant}`?"))]);
                }
                None => self.skip(kind),
            },
            Kind::Unknown | Kind::List(..) => {
                // A part of a document may be one of a million.
                let is_whole = !self.is_probe && place.is_whole();
                let known = if is_whole { recognize(place.text(&self.files)) } else { None };
                if let Some(DocumentKind::Other(other)) = known {
                    let problem = format!("is {}, which does not describe a node of Karpenter", other.title());
                    let hint = match other {
                        OtherKind::Output(_) => "print the objects with `kubectl get … --output yaml`",
                        other => other.hint(),
                    };
                    let finding = Finding::violation(&rules::WRONG_KIND, DocPath::root(), problem).hint(hint);
                    return self.put_at(place, vec![finding]);
                }
                let problem = "is not a document that describes a node of Karpenter";
                let hint = "these are NodeClaim, NodePool, AKSNodeClass, the controller's settings (ConfigMap, Deployment, a map \
                            or lines of `NAME=value`), a kubeconfig, and `az vm list-skus`";
                let finding = Finding::violation(&rules::WRONG_KIND, DocPath::root(), problem).hint(hint);
                self.put_at(place, vec![finding]);
            }
        }
    }

    pub(super) fn skip(&mut self, kind: &str) {
        *self.skipped.entry(kind.to_owned()).or_default() += 1;
    }

    fn read_claim(&mut self, tree: &ParsedTree<'_>, place: &Place, option: Option<&'static str>, is_pool: bool) {
        self.is_karpenter = true;
        let Some(value) = self.value(tree, place, NodeClaim::read) else { return };
        let found = Found { value, place: place.clone(), option };
        if is_pool { self.pools.push(found) } else { self.claims.push(found) }
    }

    fn read_class(&mut self, tree: &ParsedTree<'_>, place: &Place, option: Option<&'static str>) {
        self.is_karpenter = true;
        let Some(value) = self.value(tree, place, NodeClass::read) else { return };
        self.classes.push(Found { value, place: place.clone(), option });
    }

    fn read_size(&mut self, tree: &ParsedTree<'_>, place: &Place, option: Option<&'static str>, is_listed: bool) {
        let (value, mut report) = read_tree(tree, InstanceType::read);
        // A list has hundreds of sizes, and newer versions of Azure describe more of each.
        report.findings.retain(|finding| !is_listed || finding.problem != Problem::UnknownField("a VM size"));
        self.put_at(place, report.findings);
        let Some(instance_type) = value else { return };
        let locations = elements(tree, place, &["locations"]).into_iter();
        let locations = locations.filter_map(|(name, _)| Some(place::scalar(name)?.to_lowercase())).collect();
        self.sizes.push(Found { value: Sku { instance_type, locations }, place: place.clone(), option });
    }

    fn read_cluster(&mut self, tree: &ParsedTree<'_>, place: &Place, option: Option<&'static str>) {
        let Some(value) = self.value(tree, place, Cluster::read) else { return };
        self.clusters.push(Found { value, place: place.clone(), option });
    }

    fn read_settings(&mut self, tree: &ParsedTree<'_>, place: &Place, option: Option<&'static str>) {
        self.is_karpenter = true;
        let read = |document: &mut Document<'_>| document.read::<objects::Given>(Names::Exact);
        let Some(objects::Given(values)) = self.value(tree, place, read) else { return };
        for (name, Scalar(value)) in values {
            let Some(setting) = settings::setting(&name) else { continue };
            let ordinal = member(tree, &name).map_or(0, |(ordinal, _)| ordinal);
            let at = At::Place(place.member(&name, ordinal));
            let value = Secret::from(value);
            self.given.push(Given { setting, value, source: "the settings".to_owned(), at, option, is_weak: false });
        }
    }

    fn read_texts(&mut self, tree: &ParsedTree<'_>, place: &Place, option: Option<&'static str>, kind: &'static str) {
        let texts = settings::texts(tree, place, kind);
        self.is_karpenter |= texts.entries.iter().any(|(name, ..)| settings::setting(name).is_some());
        for (name, _, entry) in &texts.entries {
            self.put_at(entry, misspelled(name).into_iter().collect());
        }
        if kind == "ConfigMap"
            && let Some(cluster) = cluster::of_config_map(&texts)
        {
            self.clusters.push(Found { value: cluster, place: place.clone(), option });
        }
        self.texts.push(Found { value: texts, place: place.clone(), option });
    }

    fn read_container(&mut self, tree: &ParsedTree<'_>, place: &Place, option: Option<&'static str>, spec: &[&str]) {
        let kind = text(tree, &["kind"]).unwrap_or("Deployment");
        let Some(container) = settings::container(tree, place, spec, kind) else { return self.skip(kind) };
        // A ReplicaSet and a Pod can be older than their Deployment.
        let rank = match kind {
            "Deployment" | "StatefulSet" | "DaemonSet" => 0,
            "ReplicaSet" => 1,
            _ => 2,
        };
        self.add_container(rank, container, place, option);
    }

    fn add_container(&mut self, rank: usize, container: Container, place: &Place, option: Option<&'static str>) {
        self.is_karpenter = true;
        for variable in &container.variables {
            self.put_at(&variable.place, misspelled(&variable.name).into_iter().collect());
        }
        self.containers.push((rank, Found { value: container, place: place.clone(), option }));
    }
}

/// Returns an element of a list that names the kind of all of them, such as `NodeClaimList`, as an object of its own. The kind comes last, so
/// that the numbers of the other members stay.
fn with_kind<'t>(tree: &ParsedTree<'t>, kind: &str) -> Option<ParsedTree<'t>> {
    let Tree::Map(members) = tree else { return None };
    if kind.is_empty() || member(tree, "kind").is_some() {
        return None;
    }
    let mut members = members.clone();
    members.push(("kind".into(), Tree::Text(kind.to_owned().into())));
    Some(Tree::Map(members))
}

/// The kinds of objects that describe a node.
const KINDS: [&str; 6] = ["AKSNodeClass", "ConfigMap", "Deployment", "NodeClaim", "NodePool", "Secret"];

/// Returns the kind that another one is one typing error away from.
fn misspelled_kind(kind: &str) -> Option<&'static str> {
    if is_misspelled(kind, KINDS) { nearest(kind, KINDS) } else { None }
}

/// Returns a finding for a name that is one typing error away from a setting.
pub(super) fn misspelled(name: &str) -> Option<Finding> {
    let known = || SETTINGS.iter().map(|setting| setting.name);
    if known().any(|known| known == name) || !is_misspelled(name, known()) {
        return None;
    }
    let mut findings = Findings::default();
    let path = DocPath::root();
    findings.unknown_field(name, known(), |rule| {
        Finding::violation(rule, path, format!("{name} is not a setting of the controller"))
    });
    findings.list.pop()
}
