//! Checks of values against each other: each is valid, but the combination does not make a working node.
//!
//! To add a check: a function in the module of its subject, and a line in `CHECKS` of the parent. A check that also
//! applies to Karpenter's inputs is a function of plain values, so that both kinds of documents share it.

mod addresses;
mod certificates;
mod eviction;
mod flags;
mod joining;
mod kubelet;
mod listeners;
mod machine;
mod mixed;
mod node_labels;
mod proxy;
mod starting;
mod unsafe_sysctls;
mod versions;

pub(crate) use addresses::invalid_cluster_dns;
pub(crate) use certificates::invalid_authority;
pub(crate) use eviction::{useless_threshold, without_grace_period};
pub(super) use flags::FEWEST_FILES;
pub(crate) use joining::{unusable_server, without_memory, wrong_region};
pub(crate) use kubelet::{DEFAULT_IMAGE_GC, inverted_image_gc, repeated_taints, too_few_processes, too_many_pods};
pub(crate) use machine::{gpu_mismatch, without_cpu};
pub(crate) use mixed::{other_region, region_of_label};
pub(crate) use starting::static_without_cpu;
pub(crate) use unsafe_sysctls::without_namespace;
pub(crate) use versions::without_image;

use super::Check;
use super::fields::Context;
pub(crate) use super::flag_forms::{RESOURCES, SIGNALS, unknown_name};

/// Reports whether the kubelet reads its configuration file, which is written in any case.
fn reads_file(context: &Context<'_>) -> bool {
    context.configuration.kubelet_config.as_ref().is_some_and(|kubelet| kubelet.enable_kubelet_config_file)
}

/// The checks of every subject.
pub(super) const CHECKS: &[Check] = &[
    machine::architecture,
    machine::gpu,
    machine::managed_gpu,
    machine::reserved,
    machine::nested,
    machine::swap,
    versions::image,
    versions::downloads,
    addresses::cluster_dns,
    addresses::pod_range,
    proxy::exceptions,
    certificates::key_pair,
    certificates::api_server,
    kubelet::taints,
    kubelet::labels,
    kubelet::label_case,
    kubelet::operating_system,
    kubelet::pods,
    kubelet::flag_pairs,
    kubelet::flag_files,
    kubelet::flag_values,
    kubelet::processes,
    kubelet::repeated_facts,
    kubelet::group_of_cluster,
    kubelet::node_pools,
    node_labels::of_size,
    node_labels::of_image,
    node_labels::of_machine,
    node_labels::of_network,
    eviction::thresholds,
    eviction::grace_periods,
    starting::enforced,
    starting::managers,
    unsafe_sysctls::names,
    starting::addresses,
    listeners::ports,
    listeners::addresses,
    starting::reserved_groups,
    starting::serving_certificate,
    starting::suites,
    flags::modes,
    flags::places,
    flags::control_groups,
    flags::cluster,
    flags::limits,
    flags::reserved_cpus,
    starting::host_name,
    joining::credential,
    joining::network_plugin,
    joining::network_policy,
    joining::cluster_label,
    joining::identity,
    joining::application,
    joining::vm_type,
    joining::api_server,
    joining::location,
    joining::unknown_gpu,
    joining::mig,
    joining::registration,
    joining::cloud_provider,
    joining::memory,
    joining::disk,
    joining::units,
    joining::control_groups,
    joining::container_runtime,
    joining::issuer,
    mixed::same_ids,
    mixed::regions,
    mixed::scale_set,
];
