//! Chooses the objects of one node, and converts them.

use std::collections::BTreeMap;

use super::merge::Merged;
use super::place::{FileReport, Found, Place};
use super::settings::Given;
use super::{Bundle, Sku, missing};
use crate::catalogue::rules;
use crate::document::{DocPath, Finding, Report, Severity, Step};
use crate::inputs::Checks;
use crate::inputs::karpenter::convert::{Converted, Objects, Violated, convert, unsatisfied};
use crate::inputs::karpenter::objects::{NodeClaim, NodeClass, Settings};

const INSTANCE_TYPE: &str = "node.kubernetes.io/instance-type";
const SKU_NAME: &str = "karpenter.azure.com/sku-name";

/// The documents that were read, and the ones that were chosen.
pub(crate) struct Gathered {
    /// The findings about each file.
    pub files: Vec<FileReport>,
    /// The findings about objects without a place, each with the name of the object.
    pub others: Vec<(&'static str, Report)>,
    /// The documents that are missing, each with its option and the command that prints it.
    pub missing: Vec<(&'static str, String)>,
    /// The documents that were not read.
    pub skipped: Vec<String>,
    /// The objects and the inputs of the bootstrapper, unless something is wrong or missing.
    pub converted: Option<(Objects, Converted)>,
    /// Where each object was read.
    pub origins: Origins,
    /// Whether the controller's settings are among the files.
    pub has_settings: bool,
}

/// Where the objects of a node were read.
#[derive(Default)]
pub(crate) struct Origins {
    pub(super) claim: Option<Origin>,
    pub(super) class: Option<Origin>,
    pub(super) size: Option<Origin>,
    pub(super) cluster: BTreeMap<&'static str, Place>,
    pub(super) settings: BTreeMap<&'static str, Given>,
    /// The files, in which fields are looked up.
    pub(super) files: Vec<FileReport>,
}

/// An object and its place.
#[derive(Clone)]
pub(crate) struct Origin {
    pub title: String,
    pub place: Place,
    pub option: Option<&'static str>,
}

impl Bundle {
    /// Chooses the objects and converts them.
    pub fn finish(mut self, checks: &Checks) -> Gathered {
        let mut missing = Vec::new();
        let (claim, is_pool) = self.claim(&mut missing);
        let class = self.class(claim.as_ref().map(|claim| &claim.value), &mut missing);
        let merged = self.settings();
        let has_settings = merged.has_source;
        if !merged.has_source && self.base.is_none() {
            // The controller's Deployment can read them as a whole from maps that are not there.
            let absent = self.absent_maps().into_iter().next();
            missing.push(("--settings", absent.unwrap_or_else(|| missing::DEPLOYMENT.to_owned())));
        }
        if !missing.is_empty() && self.clusters.is_empty() {
            missing.push(("--cluster", missing::KUBECONFIG.to_owned()));
        }
        if !missing.is_empty() && self.sizes.is_empty() {
            let wanted = claim.as_ref().and_then(|claim| wanted_size(&claim.value));
            missing.push(("--instance-type", missing::size(wanted.as_deref(), merged.settings.get("LOCATION"))));
        }
        let (cluster, places) = self.cluster(&merged);
        let size = self.size(claim.as_ref().map(|claim| &claim.value), &merged.settings);
        let mut others: Vec<(&'static str, Vec<Finding>)> = Vec::new();
        if self.base.is_some() {
            // A Configuration needs no name of the cluster and no key for SSH.
            let found = merged.findings.iter().filter(|finding| *finding.rule != rules::REQUIRED);
            others.push(("settings", found.cloned().collect()));
        } else if merged.has_source {
            others.push(("settings", merged.findings.clone()));
        }
        let mut origins = Origins { cluster: places, ..Origins::default() };
        let title = if is_pool { "NodePool" } else { "NodeClaim" };
        origins.claim = claim.as_ref().map(|found| origin(found, title, &found.value.name));
        origins.class = class.as_ref().map(|found| origin(found, "AKSNodeClass", &found.value.name));
        origins.size = size.as_ref().map(|found| origin(found, "VM size", &found.value.instance_type.size.name));
        let Merged { settings, given, .. } = merged;
        origins.settings = given;
        let converted = match (claim, class) {
            (Some(claim), Some(class)) if missing.is_empty() => {
                let instance_type = size.map(|size| size.value.instance_type).unwrap_or_default();
                let (claim, class) = (claim.value, class.value);
                let objects = Objects { claim, class, settings, cluster, instance_type };
                let converted = convert(&objects);
                self.sort_out(&objects, &converted, &origins, &mut others);
                Some((objects, converted))
            }
            _ => None,
        };
        Gathered { has_settings, ..self.gathered(checks, missing, others, converted, origins) }
    }

    fn gathered(
        mut self,
        checks: &Checks,
        missing: Vec<(&'static str, String)>,
        others: Vec<(&'static str, Vec<Finding>)>,
        converted: Option<(Objects, Converted)>,
        origins: Origins,
    ) -> Gathered {
        for file in &mut self.files {
            file.report.sort();
            checks.judge(&mut file.report);
        }
        let others: Vec<(&'static str, Report)> = others
            .into_iter()
            .filter(|(_, findings)| !findings.is_empty())
            .map(|(name, findings)| (name, Report::from(findings)))
            .collect();
        let is_valid =
            self.files.iter().all(|file| file.report.is_valid()) && others.iter().all(|(_, report)| report.is_valid());
        let skipped = self.skipped.iter().map(|(kind, count)| match count {
            1 => kind.clone(),
            count => format!("{kind} ({count})"),
        });
        let skipped = skipped.collect();
        let converted = converted.filter(|_| is_valid);
        Gathered { others, missing, skipped, converted, origins, has_settings: false, files: self.files }
    }

    /// Adds the findings of the conversion to the file of their object, or to its name if an option named the file.
    fn sort_out(
        &mut self,
        objects: &Objects,
        converted: &Converted,
        origins: &Origins,
        others: &mut Vec<(&'static str, Vec<Finding>)>,
    ) {
        for (object, finding) in &converted.findings {
            if self.base.is_some() && Self::is_answered(finding) {
                continue;
            }
            let origin = match *object {
                "node-claim" => origins.claim.as_ref(),
                "node-class" => origins.class.as_ref(),
                "instance-type" => origins.size.as_ref(),
                _ => None,
            };
            let fact = origins.cluster.iter().find(|(name, _)| finding.path == DocPath::fields(name));
            let setting = origins.settings.iter().find(|(name, _)| finding.path == DocPath::fields(name));
            let mut finding = finding.clone();
            if *object == "node-claim" && objects.claim.name.is_empty() {
                finding = finding.below(&DocPath::fields("spec.template"));
            }
            if *object == "instance-type" && origin.is_none() {
                let wanted = wanted_size(&objects.claim);
                let command = missing::size(wanted.as_deref(), objects.settings.get("LOCATION"));
                finding = finding.hint(format!("describe the VM size with --instance-type; `{command}` prints it"));
            }
            let place = match (origin, fact, setting) {
                (Some(origin), ..) if origin.option.is_none() => Some(&origin.place),
                _ => None,
            };
            match (place, fact, setting) {
                (Some(place), ..) => self.put_at(&place.clone(), vec![finding]),
                (None, Some((_, place)), _) if *object == "cluster" && !self.is_named(place) => {
                    self.put_at(&place.clone(), vec![finding]);
                }
                (None, _, Some((_, given))) if *object == "settings" && given.option.is_none() => {
                    match given.at.located(&self.files, finding) {
                        (Some(file), finding) => self.put(file, vec![finding]),
                        (None, finding) => others.push((object, vec![finding])),
                    }
                }
                _ => others.push((object, vec![finding])),
            }
        }
    }

    /// Reports whether a finding about the script is none about a Configuration.
    fn is_answered(finding: &Finding) -> bool {
        *finding.rule == rules::KARPENTER_NO_EFFECT
            || (*finding.rule == rules::KARPENTER_IMAGE_FAMILY && finding.path == DocPath::fields("spec.imageFamily"))
            || *finding.rule == rules::IDENTITY
            || *finding.rule == rules::KARPENTER_NO_SECURITY_GROUP
            || (*finding.rule == rules::SUBNET_ID && finding.path == DocPath::fields("VNET_SUBNET_ID"))
    }

    /// Reports whether an option named the file of a fact.
    fn is_named(&self, place: &Place) -> bool {
        self.clusters.iter().any(|cluster| cluster.place.file == place.file && cluster.option.is_some())
    }

    /// Returns the NodeClaim, or the template of the only NodePool.
    fn claim(&mut self, missing: &mut Vec<(&'static str, String)>) -> (Option<Found<NodeClaim>>, bool) {
        let claims = distinct(&self.claims);
        let pools = distinct(&self.pools);
        match (claims.as_slice(), pools.as_slice()) {
            ([], []) => {
                missing.push(("--node-claim", missing::CLAIM.to_owned()));
                (None, false)
            }
            ([claim], pools) => {
                let pool = claim.value.labels.get(POOL);
                let is_known = |pool: &String| pools.iter().any(|found| found.value.labels.get(POOL) == Some(pool));
                if let Some(pool) = pool.filter(|pool| !pools.is_empty() && !is_known(pool)) {
                    let path = DocPath::fields("metadata.labels").join(Step::Key(POOL.to_owned()));
                    let problem = format!("names `{pool}`, which is not among the NodePools");
                    let finding = Finding::violation(&rules::KARPENTER_REFERENCE, path, problem);
                    self.put_at(&claim.place, vec![finding.severity(Severity::Warning)]);
                }
                (Some(claim.clone()), false)
            }
            ([], [pool]) => (Some(pool.clone()), true),
            ([_, ..], _) => {
                let hint = "pass only the NodeClaim of the node";
                self.ambiguous("NodeClaim", &claims, |claim| claim.name.clone(), hint);
                (Some(claims[0].clone()), false)
            }
            ([], [_, ..]) => {
                let hint = "pass only one, or the NodeClaim of the node, whose label names its NodePool";
                let name = |pool: &NodeClaim| pool.labels.get(POOL).cloned().unwrap_or_default();
                self.ambiguous("NodePool", &pools, name, hint);
                (Some(pools[0].clone()), true)
            }
        }
    }

    /// Returns the node class that the NodeClaim names.
    fn class(
        &mut self,
        claim: Option<&NodeClaim>,
        missing: &mut Vec<(&'static str, String)>,
    ) -> Option<Found<NodeClass>> {
        let classes = distinct(&self.classes);
        let wanted = claim.map(|claim| claim.node_class.as_str());
        if classes.is_empty() {
            missing.push(("--node-class", missing::class(wanted)));
            return None;
        }
        if let [only] = classes.as_slice() {
            return Some(only.clone());
        }
        let named: Vec<_> = classes.iter().filter(|class| Some(class.value.name.as_str()) == wanted).cloned().collect();
        if let [only] = named.as_slice() {
            return Some(only.clone());
        }
        let hint = match wanted {
            Some(wanted) => format!("the NodeClaim names `{wanted}`: pass this one only"),
            None => "pass only the one of the node".to_owned(),
        };
        self.ambiguous("AKSNodeClass", &classes, |class| class.name.clone(), &hint);
        classes.first().cloned()
    }

    /// Returns the VM size of the node.
    fn size(&mut self, claim: Option<&NodeClaim>, settings: &Settings) -> Option<Found<Sku>> {
        let mut left = self.sizes.clone();
        let wanted = claim.and_then(wanted_size);
        if left.len() > 1 {
            if let Some(wanted) = &wanted {
                left.retain(|sku| sku.value.instance_type.size.name.eq_ignore_ascii_case(wanted));
                if left.is_empty() {
                    let command = missing::size(Some(wanted), settings.get("LOCATION"));
                    let problem = format!("has no VM size `{wanted}`, which the NodeClaim requests");
                    let finding = Finding::violation(&rules::KARPENTER_VM_SIZE, DocPath::root(), problem);
                    let place = self.sizes[0].place.clone();
                    self.put_at(&place, vec![finding.hint(format!("`{command}` prints it"))]);
                    return None;
                }
            }
            let location = settings.get("LOCATION").to_lowercase();
            let here = |sku: &Found<Sku>| sku.value.locations.is_empty() || sku.value.locations.contains(&location);
            if left.iter().any(here) {
                left.retain(here);
            }
        }
        let mut different: Vec<Found<Sku>> = Vec::new();
        for sku in left {
            if different.iter().all(|known| known.value.instance_type != sku.value.instance_type) {
                different.push(sku);
            }
        }
        if let (true, Some(claim)) = (different.len() > 1, claim) {
            let excluded: Vec<_> =
                different.iter().map(|sku| unsatisfied(claim, settings, &sku.value.instance_type)).collect();
            if let Some(finding) = none_fits(&excluded) {
                let place = self.sizes[0].place.clone();
                self.put_at(&place, vec![finding]);
                return None;
            }
            let mut excluded = excluded.iter();
            different.retain(|_| excluded.next().is_some_and(Vec::is_empty));
        }
        if different.iter().any(|sku| !sku.value.instance_type.is_restricted) {
            different.retain(|sku| !sku.value.instance_type.is_restricted);
        }
        match different.as_slice() {
            [] => None,
            [only] => {
                let name = &only.value.instance_type.size.name;
                if let Some(wanted) = wanted.filter(|wanted| !wanted.eq_ignore_ascii_case(name)) {
                    let problem = format!("is `{name}`, but the NodeClaim requests `{wanted}`");
                    let finding = Finding::violation(&rules::KARPENTER_VM_SIZE, DocPath::fields("name"), problem);
                    self.put_at(&only.place, vec![finding]);
                }
                Some(only.clone())
            }
            _ => {
                let hint = format!("name it with the label `{INSTANCE_TYPE}` of the NodeClaim, or pass only this one");
                self.ambiguous("VM size", &different, |sku| sku.instance_type.size.name.clone(), &hint);
                different.first().cloned()
            }
        }
    }

    /// Adds a finding for several objects of a kind of which a node has one.
    fn ambiguous<T>(&mut self, kind: &'static str, found: &[Found<T>], name: impl Fn(&T) -> String, hint: &str) {
        const MOST: usize = 20;
        let listed =
            found.iter().take(MOST).map(|one| format!("`{}` ({})", name(&one.value), one.place.shown(&self.files)));
        let mut listed = listed.collect::<Vec<_>>().join(", ");
        if found.len() > MOST {
            listed = format!("{listed} and {} more", found.len() - MOST);
        }
        let problem = format!("is one of {} of kind {kind}, but a node has only one: {listed}", found.len());
        let finding = Finding::violation(&rules::KARPENTER_AMBIGUOUS, DocPath::root(), problem).hint(hint.to_owned());
        self.put_at(&found[1].place, vec![finding]);
    }
}

const POOL: &str = "karpenter.sh/nodepool";

fn origin<T>(found: &Found<T>, kind: &str, name: &str) -> Origin {
    let title = if name.is_empty() { kind.to_owned() } else { format!("{kind} {name}") };
    Origin { title, place: found.place.clone(), option: found.option }
}

/// Returns the VM size that the NodeClaim asks for.
fn wanted_size(claim: &NodeClaim) -> Option<String> {
    let pinned = claim.pinned();
    let known = [INSTANCE_TYPE, SKU_NAME].into_iter();
    known.flat_map(|key| [claim.labels.get(key), pinned.get(key)]).flatten().next().cloned()
}

/// Returns a finding if each VM size violates a requirement; the hint is one that all of them violate.
fn none_fits(violated: &[Vec<Violated<'_>>]) -> Option<Finding> {
    if violated.iter().any(Vec::is_empty) {
        return None;
    }
    let count = violated.len();
    let problem = format!("has {count} VM sizes, of which none satisfies every requirement of the node");
    let finding = Finding::violation(&rules::KARPENTER_VM_SIZE, DocPath::root(), problem);
    let is_of_all =
        |(at, ..): &&Violated<'_>| violated.iter().all(|of_size| of_size.iter().any(|(other, ..)| other == at));
    Some(match violated.first()?.iter().find(is_of_all) {
        Some((_, one, _)) => finding.hint(format!("no size has {} as `{}`", one.described(), one.key)),
        None => finding,
    })
}

/// Returns the objects without repetitions of the same content.
fn distinct<T: Clone + PartialEq>(found: &[Found<T>]) -> Vec<Found<T>> {
    let mut kept: Vec<Found<T>> = Vec::new();
    for one in found {
        if kept.iter().all(|known| known.value != one.value) {
            kept.push(one.clone());
        }
    }
    kept
}
