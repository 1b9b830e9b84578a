//! Checks that the kubelet's version has each flag and can parse its value.

use std::borrow::Cow;

use super::feature_gates;
use super::fields::{Context, Text, quoted, with_dashes};
use super::kubelet::label;
use super::kubelet_version::{absence, minor_of, severity_of_unknown};
use super::syntax::{go_integer, is_go_bool, is_go_int32, is_ip, is_quantity, is_taint, is_threshold, is_word};
use super::{flag_choices, flag_forms};
use crate::catalogue::kubelet_flags::{Flag, FlagType, STREAMING_TIMEOUT, flag_named, names};
use crate::catalogue::minors::{KNOWN, Presence};
use crate::catalogue::rules;
use crate::configuration::Version;
use crate::document::duration::is_go_duration;
use crate::document::{Finding, MOST_FINDINGS, Severity, nearest};

/// Returns the name of a flag from that of the field of the kubelet's configuration file: `--maxPods` is `--max-pods`.
fn kebab_case(name: &str) -> String {
    let mut kebab = String::new();
    for character in name.chars() {
        if character.is_ascii_uppercase() {
            kebab.push('-');
        }
        kebab.push(character.to_ascii_lowercase());
    }
    kebab
}

/// Flags are written into one line, separated by spaces, so a value with a space becomes two arguments.
pub(super) fn flags(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let minor = minor_of(context);
    let mut unknown_flags = 0;
    for flag in context.flags() {
        let written = flag.key().unwrap_or_default();
        // The kubelet reads both alike.
        let dashed = if written.starts_with("--") { with_dashes(written) } else { Cow::Borrowed(written) };
        let name = &*dashed;
        if !is_flag_name(name) {
            let expected = "`--` followed by lower-case letters, digits and `-`";
            let finding = Finding::unexpected(&rules::KUBELET_FLAG_NAME, flag.path(), expected, quoted(written));
            let dashed = format!("--{}", written.trim_start_matches('-').replace('_', "-"));
            let kebab = kebab_case(&dashed);
            findings.push(if is_flag_name(&dashed) {
                finding.hint(format!("write `{dashed}`"))
            } else if let Some((flag, _)) = dashed.split_once('=').filter(|(flag, _)| is_flag_name(flag)) {
                finding.hint(format!("write `{flag}` as the name, and what follows `=` as the value"))
            } else if flag_named(&kebab).is_some() {
                finding.hint(format!("write `{kebab}`"))
            } else {
                finding
            });
            continue;
        }
        let known = flag_named(name);
        if !is_word(flag.value) && !is_omitted(name, context) {
            findings.push(flag.must_be(&rules::KUBELET_FLAG_VALUE, "without whitespace, which separates flags"));
        } else if let Some(known) = known.filter(|_| !is_omitted(name, context)) {
            value(known.value, &flag, findings);
            findings.extend(flag_choices::choice(name, &flag));
            findings.extend(flag_forms::form(name, &flag));
            findings.extend(flag_forms::range(name, &flag));
        }
        if let Some(known) = known {
            findings.extend(minor.and_then(|minor| version(&flag, &known, minor)));
        } else {
            unknown_flags += 1;
            findings.push(unknown(name, &flag, minor, unknown_flags <= MOST_FINDINGS));
        }
        match name {
            "--feature-gates" => feature_gates::in_flag(&flag, minor, findings),
            "--cloud-provider" => findings.extend(minor.and_then(|minor| cloud_provider(context, &flag, minor))),
            _ => {}
        }
    }
    flag_forms::combinations(context, findings);
}

/// Reports whether this program leaves the flag out of the command line, so that its value does not matter.
fn is_omitted(name: &str, context: &Context<'_>) -> bool {
    name == STREAMING_TIMEOUT && context.kubernetes.as_ref().is_some_and(Version::lacks_streaming_timeout)
}

/// Returns the finding for setting a flag in a minor version.
fn version(text: &Text<'_>, flag: &Flag, minor: u64) -> Option<Finding> {
    match flag.lifetime.at(minor) {
        Presence::Present => flag.without_effect_since.filter(|since| *since <= minor).map(|since| {
            let rule = if text.key() == Some(STREAMING_TIMEOUT) {
                &rules::STREAMING_TIMEOUT
            } else {
                &rules::KUBELET_FLAG_EFFECT
            };
            let problem = if since == *KNOWN.start() {
                "has no effect".to_owned()
            } else {
                format!("has no effect from Kubernetes 1.{since} on")
            };
            Finding::violation(rule, text.path(), problem).hint("remove it")
        }),
        absent => {
            let finding = Finding::violation(&rules::KUBELET_FLAG_VERSION, text.path(), absence(absent, minor));
            Some(finding.hint(flag.instead.unwrap_or("remove it")))
        }
    }
}

/// From 1.29 on, built-in cloud providers are off; in 1.29 and 1.30 a feature gate brings them back: `NewMainKubelet`.
fn cloud_provider(context: &Context<'_>, flag: &Text<'_>, minor: u64) -> Option<Finding> {
    let fits = flag.is_in(&["", "external"])
        || minor < 29
        || minor <= 30 && feature_gates::value(context, "DisableCloudProviders") == Some(false);
    (!fits).then(|| {
        let expected = "`external`: this kubelet has no cloud provider of its own";
        flag.must_be(&rules::CLOUD_PROVIDER, expected)
    })
}

/// Returns the finding for a flag that no known version has, with a suggestion if requested.
fn unknown(name: &str, flag: &Text<'_>, minor: Option<u64>, suggests: bool) -> Finding {
    let severity = severity_of_unknown(minor);
    let problem = match severity {
        Severity::Error => "is not a flag of the kubelet: the kubelet does not start with it".to_owned(),
        Severity::Warning | Severity::Note => {
            format!("is not a flag of the kubelet of Kubernetes 1.{} to 1.{}", KNOWN.start(), KNOWN.end())
        }
    };
    let finding = Finding::violation(&rules::UNKNOWN_KUBELET_FLAG, flag.path(), problem).severity(severity);
    let present = names().filter(|name| {
        let flag = flag_named(name).expect("the name is from the table");
        minor.is_none_or(|minor| flag.lifetime.at(minor) == Presence::Present)
    });
    match suggests.then(|| nearest(name, present)).flatten() {
        Some(meant) => finding.hint(format!("did you mean `{meant}`?")),
        None => finding,
    }
}

fn is_flag_name(name: &str) -> bool {
    name.strip_prefix("--").is_some_and(|rest| {
        rest.starts_with(|first: char| first.is_ascii_lowercase())
            && rest.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
    })
}

/// Returns the expected form of a type if the kubelet cannot parse a value as that type.
fn value(flag_type: FlagType, flag: &Text<'_>, findings: &mut Vec<Finding>) {
    let elements = || flag.value.split(',').filter(|element| !element.is_empty());
    let pairs = |sign: char, fits: fn(&str) -> bool| {
        elements().all(|pair| pair.split_once(sign).is_some_and(|(_, value)| fits(value.trim())))
    };
    let (fits, expected) = match flag_type {
        FlagType::Text => return,
        FlagType::Integer => (is_go_int32(flag.value), "an integer of up to 32 bits"),
        FlagType::Long => (go_integer(flag.value).is_some(), "an integer"),
        FlagType::Bool => (is_go_bool(flag.value), "`true` or `false`"),
        FlagType::Duration => (is_go_duration(flag.value), "a duration such as `10s`"),
        FlagType::Quantity => (is_quantity(flag.value), "a quantity such as `50Mi`"),
        FlagType::Address => (flag.value.is_empty() || is_ip(flag.value), "an IP address"),
        FlagType::Addresses => (flag.value.is_empty() || flag.value.split(',').all(is_ip), "IP addresses"),
        FlagType::Pairs => (pairs('=', |_| true), "`name=value`, separated by commas"),
        FlagType::Amounts => {
            (pairs('=', is_quantity), "`resource=quantity`, separated by commas, such as `cpu=100m,memory=1Gi`")
        }
        FlagType::Durations => {
            (pairs('=', is_go_duration), "`signal=duration`, separated by commas, such as `memory.available=30s`")
        }
        FlagType::Thresholds => (
            pairs('<', is_threshold),
            "`signal<threshold`, separated by commas, such as `memory.available<750Mi,nodefs.available<10%`",
        ),
        FlagType::Switches => (pairs('=', is_go_bool), "`name=true` or `name=false`, separated by commas"),
        FlagType::Labels => {
            for element in elements() {
                let (key, value) = element.split_once('=').unwrap_or((element, ""));
                label(flag, key, value, findings);
            }
            return;
        }
        FlagType::Taints => {
            // Unlike other lists, the kubelet accepts no empty element here.
            let taints = flag.value.split(',').filter(|_| !flag.value.is_empty());
            for taint in taints.filter(|taint| !is_taint(taint)) {
                let expected = "`key=value:effect` with effect `NoSchedule`, `PreferNoSchedule` or `NoExecute`";
                let finding = Finding::unexpected(&rules::TAINT, flag.path(), expected, quoted(taint));
                // As in `kubectl taint`, a dash at the end removes the taint: the node does not get it.
                let is_removed = taint.strip_suffix('-').is_some_and(is_taint);
                findings.push(if is_removed { finding.severity(Severity::Warning) } else { finding });
            }
            return;
        }
    };
    if !fits {
        let finding = flag.must_be(&rules::KUBELET_FLAG_VALUE, expected);
        // `ParseNodeIPArgument` ignores what is no address, and the kubelet finds one by itself.
        let is_ignored = flag.key().is_some_and(|key| key.replace('_', "-") == "--node-ip");
        findings.push(if is_ignored { finding.severity(Severity::Warning) } else { finding });
    }
}
