//! What a document must have before it is converted, and what the reference rejects.

use super::fields::dns_override::DnsOverride;
use super::fields::pool::Pool;
use super::fields::request::{self as field, Request};
use super::reader::{Field, Fields, Members, Switch, Text, Tree};
use crate::catalogue::node_distros::{node_distro, node_distro_names};
use crate::catalogue::{clouds, huge_pages, rules};
use crate::document::{DocPath, Finding, Rule, Step, nearest};

/// The settings of huge pages, with the words that each accepts.
const HUGE_PAGES: [(Field<Request, Text>, &[&str]); 2] = [
    (field::TRANSPARENT_HUGE_PAGE_ENABLED, huge_pages::ENABLED),
    (field::TRANSPARENT_HUGE_PAGE_DEFRAG, huge_pages::DEFRAG),
];

/// Switches that must be given together with the Kubernetes configuration of the cluster.
const REQUIRED_SWITCHES: [Field<Request, Switch>; 3] =
    [field::BACKOFF, field::RATE_LIMIT, field::DISABLE_OUTBOUND_SNAT];

/// Reports every field of a type that the tables do not have.
pub(super) fn types(document: &Members<'_, Request>, findings: &mut Vec<Finding>) {
    document.check(&DocPath::root(), findings);
    let path = document.path(field::AGENT_POOL_PROFILES);
    for (at, pool) in document.get(field::AGENT_POOL_PROFILES).unwrap_or_default().iter().enumerate() {
        check::<Pool>(pool, &path.join(Step::Index(at)), findings);
    }
    for field in [field::VNET_DNS_OVERRIDES, field::KUBE_DNS_OVERRIDES] {
        let path = document.path(field);
        for (domain, settings) in document.get(field).unwrap_or_default() {
            check::<DnsOverride>(settings, &path.join(Step::Key(domain.to_string())), findings);
        }
    }
}

fn check<F: Fields>(object: &Tree<'_>, path: &DocPath, findings: &mut Vec<Finding>) {
    Members::<F>::read(object).check(path, findings);
}

/// Reports everything that keeps the reference from making a node of the document.
pub(super) fn rules(document: &Members<'_, Request>, findings: &mut Vec<Finding>) {
    required(document, findings);
    let mut report = |rule: &'static Rule, path: DocPath, text: String| {
        findings.push(Finding::violation(rule, path, text));
    };
    let orchestrator = document.text(field::ORCHESTRATOR_TYPE);
    if document.has(field::ORCHESTRATOR_PROFILE) && !orchestrator.eq_ignore_ascii_case("Kubernetes") {
        report(
            &rules::ORCHESTRATOR,
            document.path(field::ORCHESTRATOR_TYPE),
            format!("must be `Kubernetes`, found {orchestrator:?}"),
        );
    }
    if document.text(field::OS_TYPE).eq_ignore_ascii_case("windows") {
        report(
            &rules::ORCHESTRATOR,
            document.path(field::OS_TYPE),
            "must be `Linux`: Windows nodes are not supported".to_owned(),
        );
    }
    for (field, words) in HUGE_PAGES {
        let value = document.text(field);
        if !value.is_empty() && !words.contains(&value) {
            report(
                &rules::HUGE_PAGES,
                document.path(field),
                format!("must be one of {}, found {value:?}", words.join(", ")),
            );
        }
    }
    image_and_cloud(document, findings);
    if document.switch(field::ENABLE_SCRIPTLESS_NBC_CSE_CMD) && !document.switch(field::PRE_PROVISION_ONLY) {
        let rule = "asks for a delivery by boothook, which the scripted route does not have";
        findings.push(
            Finding::violation(&rules::BOOTHOOK_DELIVERY, document.path(field::ENABLE_SCRIPTLESS_NBC_CSE_CMD), rule)
                .hint("leave it out, or convert the document and use route `scriptless`"),
        );
    }
}

fn required(document: &Members<'_, Request>, findings: &mut Vec<Finding>) {
    let objects = [field::PROPERTIES, field::ORCHESTRATOR_PROFILE, field::AGENT_POOL_PROFILE];
    let absent = objects.iter().filter(|field| !document.has(**field)).map(|field| document.path(*field));
    let distro = (!document.has(field::DISTRO)).then(|| document.path(field::DISTRO));
    findings.extend(absent.chain(distro).map(Finding::missing));
    if document.has(field::KUBERNETES_CONFIG) {
        let absent = REQUIRED_SWITCHES.iter().filter(|field| !document.has(**field));
        findings.extend(absent.map(|field| {
            Finding::missing(document.path(*field)).hint(
                "write `true` or `false`: without a value the reference writes `<nil>`, and its command fails on the \
                 node",
            )
        }));
    }
}

fn image_and_cloud(document: &Members<'_, Request>, findings: &mut Vec<Finding>) {
    let name = document.text(field::DISTRO);
    let distro = node_distro(name);
    if document.has(field::DISTRO) && distro.is_none() {
        let (path, found) = (document.path(field::DISTRO), format!("{name:?}"));
        let finding = Finding::unexpected(&rules::DISTRO, path, "the name of an image of AKS", found);
        let names: Vec<_> = node_distro_names().collect();
        findings.push(match nearest(name, names.iter().map(String::as_str)) {
            Some(meant) => finding.hint(format!("did you mean `{meant}`?")),
            None => finding,
        });
    }
    let cloud = document.text(field::CLOUD_NAME);
    if !clouds::names().any(|name| name == cloud) && !distro.is_some_and(|distro| distro.is_customized) {
        let (path, found) = (document.path(field::CLOUD_NAME), format!("{cloud:?}"));
        let finding = Finding::unexpected(&rules::CLOUD_NAME, path, "the name of a cloud", found);
        findings.push(finding.hint(format!("known clouds: {}", clouds::names().collect::<Vec<_>>().join(", "))));
    }
}
