//! The rules of the environment and the fields that they name agree with the values.

use std::collections::{BTreeMap, BTreeSet};

use aks_node_controller::configuration::{Configuration, Descriptor, Kind, Label, Message, Slot, SlotMut};
use aks_node_controller::environment::{DERIVATIONS, Environment, ImageContents};

use crate::shells::arbitrary::Source;

/// Texts that rules treat in a way of their own.
const TEXTS: &[&str] = &[
    "",
    "x",
    "two\nlines",
    "akscustom",
    "1.34.1",
    "usgovvirginia",
    "Standard_DC2s",
    "Standard_NC6",
    "Standard_ND96is_h200_v5",
    "Standard_NV6ads_A10_v5",
    r#"{"resourceManagerEndpoint": "https://x/"}"#,
];

const NUMBERS: &[i32] = &[0, 1, 2, 3];

/// The paths of all fields, those of messages after the fields in them.
pub(super) fn paths(descriptor: &'static Descriptor, prefix: &str, found: &mut Vec<String>) {
    for field in descriptor.fields {
        let path = format!("{prefix}{}", field.name);
        if let (Kind::Message(inner), Label::Optional) = (field.kind, field.label) {
            paths(inner, &format!("{path}."), found);
        }
        found.push(path);
    }
}

/// Sets a field to one of several values, or makes an absent message present. `false` if a message on the way is
/// absent or the last one is there already.
pub(super) fn set(message: &mut dyn Message, path: &str, choice: usize) -> bool {
    let (name, rest) = path.split_once('.').map_or((path, None), |(name, rest)| (name, Some(rest)));
    let index = message.descriptor().index_of(name).expect("the path comes from the descriptor");
    if let Slot::Message(inner) = message.slot(index) {
        let is_present = inner.is_some();
        return match (message.slot_mut(index), rest) {
            (SlotMut::Message(inner), Some(rest)) => is_present && set(inner, rest, choice),
            _ => !is_present,
        };
    }
    let text = || TEXTS[choice % TEXTS.len()].to_owned();
    let number = NUMBERS[choice % NUMBERS.len()];
    let switch = choice.is_multiple_of(2);
    match message.slot_mut(index) {
        SlotMut::Text(slot) => *slot = text(),
        SlotMut::OptionalText(slot) => *slot = (choice > 0).then(text),
        SlotMut::Bool(slot) => *slot = switch,
        SlotMut::OptionalBool(slot) => *slot = (choice > 1).then_some(switch),
        SlotMut::Integer(slot) | SlotMut::Enum(slot) => *slot = number,
        SlotMut::OptionalInteger(slot) => *slot = (choice > 3).then_some(number),
        SlotMut::OptionalDouble(slot) => *slot = (choice > 0).then(|| number.into()),
        SlotMut::Texts(slot) => *slot = if choice == 0 { Vec::new() } else { vec![text(), text()] },
        SlotMut::TextMap(slot) => *slot = BTreeMap::from([("key".to_owned(), text())]),
        SlotMut::BoolMap(slot) => *slot = BTreeMap::from([("key".to_owned(), switch)]),
        SlotMut::MessageMap(map) => drop(map.entry(format!("zone-{choice}."))),
        SlotMut::Message(_) => unreachable!("it was handled above"),
    }
    true
}

/// The values by the rows of the table; certificates share one.
fn values<'a>(environment: &'a Environment<'a>) -> BTreeMap<&'static str, Vec<&'a str>> {
    let mut values: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for assignment in environment.iter() {
        values.entry(assignment.variable().name).or_default().push(assignment.value.expose());
    }
    values
}

/// A Configuration in which fields matter that count only together with others.
pub(super) fn base(source: &mut Source, case: usize) -> Configuration {
    let mut base = source.configuration();
    for (path, choice) in [
        ("kubernetes_version", case),
        ("vm_size", case + 1),
        ("cluster_config.location", case + 2),
        ("custom_cloud_config.custom_cloud_env_name", if case.is_multiple_of(2) { 3 } else { 1 }),
        ("local_dns_profile.enable_local_dns", case % 3),
    ] {
        set(&mut base, path, choice);
    }
    if let Some(kubelet) = &mut base.kubelet_config {
        kubelet.kubelet_flags.insert("--streaming-connection-idle-timeout".to_owned(), "4h".to_owned());
    }
    if let Some(profile) = &mut base.local_dns_profile {
        profile.kube_dns_overrides.entry("cluster.local".to_owned()).or_default();
    }
    base
}

#[test]
fn a_variable_changes_with_the_fields_that_its_rule_names_and_no_others() {
    let mut all = Vec::new();
    paths(Configuration::descriptor(), "", &mut all);
    let image = ImageContents::default();
    let mut source = Source::new();
    let mut seen = BTreeSet::new();
    for case in 0..30 {
        let base = base(&mut source, case);
        let before = Environment::new(&base, &image);
        let before = values(&before);
        for path in &all {
            let mut changed = base.clone();
            if !set(&mut changed, path, case + path.len()) {
                continue;
            }
            let after = Environment::new(&changed, &image);
            let after = values(&after);
            for derivation in DERIVATIONS {
                if before.get(derivation.name) == after.get(derivation.name) {
                    continue;
                }
                let fields = derivation.fields();
                let is_below =
                    |path: &str, other: &str| path.strip_prefix(other).is_some_and(|rest| rest.starts_with('.'));
                let is_named = |field: &&&str| path == **field || is_below(path, field) || is_below(field, path);
                let field = fields.iter().find(is_named);
                assert!(field.is_some(), "{} changes with {path}, which its rule does not name", derivation.name);
                seen.extend(field.map(|field| (derivation.name, *field)));
            }
        }
    }
    let named = DERIVATIONS.iter().flat_map(|row| row.fields().into_iter().map(move |field| (row.name, field)));
    let without_effect: Vec<_> = named.filter(|pair| !seen.contains(pair)).collect();
    assert!(without_effect.is_empty(), "these never change with these fields: {without_effect:?}");
}
