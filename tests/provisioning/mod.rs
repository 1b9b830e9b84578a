//! The provisioning scripts, for real: each scenario has a machine of its own with systemd, containerd, sshd, iptables and a
//! world of servers on loopback. The scenarios themselves are shell functions beside this file.

mod helpers;
mod limits;
mod needed_files;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use crate::support::machine::Machines;
use crate::support::needs;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

static MACHINES: Machines = Machines::of("tests/provisioning/machine.sh");

/// The programs that scenarios call, with their packages.
const PROGRAMS: [(&str, &str); 18] = [
    ("/lib/systemd/systemd", "systemd"),
    ("/usr/bin/python3", "python3"),
    ("containerd", "containerd"),
    ("conntrack", "conntrack"),
    ("curl", "curl"),
    ("ebtables", "ebtables"),
    ("ethtool", "ethtool"),
    ("inotifywait", "inotify-tools"),
    ("ip", "iproute2"),
    ("iptables", "iptables"),
    ("jq", "jq"),
    ("nc", "netcat-openbsd"),
    ("nft", "nftables"),
    ("nslookup", "dnsutils"),
    ("openssl", "openssl"),
    ("pgrep", "procps"),
    ("sshd", "openssh-server"),
    ("strace", "strace"),
];

/// Runs a scenario on a machine of its own.
#[track_caller]
fn scenario(arguments: &[&str]) {
    if !needs::root() || !needs::programs(&PROGRAMS) {
        return;
    }
    MACHINES.scenario(arguments);
}

macro_rules! scenarios {
    ($list:ident: $($name:ident)*) => {
        const $list: &[&str] = &[$(stringify!($name)),*];
        $(#[test]
        fn $name() {
            scenario(&[stringify!($name)]);
        })*
    };
}

scenarios! { RUNS:
    a_node_is_made
    kernel_settings_are_made
    by_the_controller
    by_karpenters_script
    by_the_classic_command
    by_the_classic_command_without_an_image
    an_image_stage_and_its_node
    swap_fills_the_disk
    everything_is_on
    with_a_client_certificate
    with_secure_tls_bootstrapping
    an_older_kubernetes
    a_plain_debian
    hostile_text_stays_text
}

scenarios! { FAILURES:
    version_is_missing
    all_that_is_wrong_is_said
    api_server_is_hostile
    authority_is_no_certificate
    label_is_too_long
    flags_have_a_line_break
    settings_are_not_base64
    setting_is_refused
    containerds_configuration_is_missing
    containerds_configuration_is_not_base64
    containerds_configuration_is_broken
    swap_is_no_number
    swap_has_no_room
    huge_pages_are_hostile
    huge_pages_are_unknown
    authority_of_the_proxy_is_not_base64
    second_authority_is_not_base64
    limits_are_hostile
    reserved_cgroup_is_another
    outbound_command_is_shell_text
    corefile_is_missing
    metadata_answers_500
    metadata_is_cut_off
    metadata_hangs
    archive_answers_500
    archive_is_not_there
    archive_is_cut_off
    archive_hangs
    archive_has_another_sum
    archive_has_no_kubelet
    network_plugin_answers_500
    reference_plugins_are_missing
    credential_provider_answers_500
    bootstrap_client_answers_500
    nothing_gets_out
    name_is_unknown
    name_is_unknown_to_azure
    api_server_is_of_another_cluster
    address_of_the_api_server_is_silent
    image_is_none
    helpers_are_cut_off
    a_script_is_missing
    the_image_stage_is_missing
    module_does_not_load
    swap_is_not_taken
    sshd_refuses
    kubelets_unit_is_missing
    unit_fails_again_and_again
    unit_of_the_bootstrap_client_is_missing
    realm_is_not_joined
    streaming_is_missing
    what_an_image_lacks_is_predicted
    plugins_that_an_image_lacks_are_predicted
    what_no_package_brings_is_predicted
    facts_of_ubuntu_are_predicted
    facts_of_azurelinux_are_predicted
    facts_of_flatcar_are_predicted
    facts_of_acl_are_predicted
    network_card_is_missing
    snapshots_do_not_start
    disk_is_full
    disk_of_programs_is_full
    disk_is_full_at_the_end_of_the_stage
    kubelet_ends_again_and_again
    condition_of_kubelets_unit_does_not_hold
    kubelet_gets_no_certificate
    token_is_rejected
    run_takes_too_long
    package_server_hangs
    package_server_answers_500
    package_index_is_cut_off
    package_is_cut_off
}

scenarios! { FAMILIES:
    ubuntu_with_packages
    an_image_keeps_its_versions
    a_kernel_with_the_hole
    azure_linux
    os_guard
    flatcar
    azure_container_linux
    extensions_of_the_image_are_of_another_version
    an_extension_is_missing
    gpu_on_ubuntu
    gpu_on_azure_linux
    gpu_of_an_older_kind
    gpu_in_another_cloud
    gpu_without_a_driver
    the_driver_does_not_answer
    the_info_rom_is_corrupted
    the_driver_is_not_pulled
    no_driver_is_for_the_kernel
    the_driver_is_for_ubuntu_only
    plugin_and_dra_exclude_each_other
    a_gpu_package_is_missing
    the_dra_driver_does_not_start
    an_amd_accelerator
    an_isolated_cluster
    no_identity_token
    the_registry_wants_another_audience
    the_registry_is_silent
    the_registry_refuses
    the_identity_may_not_read
    nothing_is_in_the_registry
    the_pause_image_is_missing
    other_parts_of_a_node
    in_china
    a_custom_cloud
    a_machine_without_tools
    an_ubuntu_that_is_no_prepared_image
    the_repository_is_not_there
    containerd_from_an_address
    the_agent_is_not_held
    packages_come_from_the_other_host
    ssh_is_off
    ssh_cannot_be_stopped
    serving_certificates_by_tag
    a_promiscuous_bridge
    kubelet_has_failed
    a_shutdown_on_the_way
    systemd_is_silent_at_the_end
}

scenarios! { SERVICES:
    the_metadata_service_is_restricted
    pods_are_kept_from_the_wire_server
    a_promiscuous_bridge_sends_nothing_twice
    a_private_host_has_its_address
    certificates_come_and_go
    the_cloud_has_certificates
    packages_come_from_a_depot
    cloud_init_is_waited_for
    the_token_is_tried
    the_first_certificate_is_timed
    probes_over_ipv6_are_answered
    metrics_are_served
    critical_names_are_at_hand
    local_dns_ends_with_its_codes
    logs_are_handed_over
    what_kubelet_was_started_with_is_reported
    groups_are_measured
    queues_of_the_system_disk_are_set
    logs_are_collected_without_secrets
    packages_are_patched_on_ubuntu
    packages_are_patched_on_azure_linux
    kubelets_directory_is_on_nvme_disks
    secrets_are_taken_out_of_a_cloud_config
}

scenarios! { COSTS:
    what_a_run_starts
    what_a_node_stage_starts
}

/// Scenarios whose effects are in the table, by which nearly every step runs.
const TRACED: [&str; 8] = [
    "everything_is_on",
    "a_node_is_made",
    "other_parts_of_a_node",
    "with_secure_tls_bootstrapping",
    "ubuntu_with_packages",
    "azure_linux",
    "an_isolated_cluster",
    "gpu_on_ubuntu",
];

/// `make effects` sets `EVERY_EFFECT`, and writes the table.
#[test]
fn steps_change_what_the_table_says() {
    let every = std::env::var_os("EVERY_EFFECT").is_some();
    for traced in &TRACED[..if every { TRACED.len() } else { 1 }] {
        scenario(&["what_each_step_changes", traced]);
    }
}

/// What an image or a node has, as groups of `images.sh`: everything that goes together, and most of what does not go with it.
const MUCH: &str = "proxy_ca+ca+ssh_off+sysctl+limits+swap+huge_pages+message+cgroups+reserved+dns_hosts+private_hosts+domain+streaming+dual_stack+kubelet_disk+names+plugin";
const OTHER: &str = "proxy+ssh_keys+sysctl+limits+message+version+policy+secure_tls+restriction+administrator+local_dns+nvidia+names+isolated+kubenet";

/// The groups of `images.sh`.
fn groups() -> Vec<String> {
    let script = fs::read_to_string(format!("{ROOT}/tests/provisioning/images.sh")).expect("it is there");
    let (_, list) = script.split_once("readonly groups=(").expect("the list is there");
    list.split(')').next().expect("the list ends").split_whitespace().map(str::to_owned).collect()
}

/// Two hundred pairs: each group off after on, on after off, and on with other values, and then sets of groups.
fn all_pairs() -> Vec<String> {
    let groups = groups();
    let mut pairs: Vec<String> = Vec::new();
    for group in &groups {
        pairs.extend([format!("{group}/-"), format!("-/{group}"), format!("{group}/{group}")]);
    }
    let mut bits = 1_u64;
    let mut some = || {
        // https://en.wikipedia.org/wiki/Xorshift
        bits ^= bits << 13;
        bits ^= bits >> 7;
        bits ^= bits << 17;
        let chosen: Vec<_> = groups
            .iter()
            .enumerate()
            .filter(|(at, _)| (bits >> at).is_multiple_of(4))
            .map(|(_, name)| &**name)
            .collect();
        if chosen.is_empty() { "-".to_owned() } else { chosen.join("+") }
    };
    while pairs.len() < 200 {
        pairs.push(format!("{}/{}", some(), some()));
    }
    pairs
}

/// `make images` sets `EVERY_IMAGE`.
#[test]
fn a_node_of_an_image_is_like_a_fresh_machine() {
    if std::env::var_os("EVERY_IMAGE").is_none() {
        // On after off, off after on, and other values. Pairs of one node have a fresh machine in common.
        let pairs = [[format!("{MUCH}/-"), format!("{OTHER}/-")], [format!("-/{MUCH}"), format!("{OTHER}/{MUCH}")]];
        std::thread::scope(|threads| {
            for [one, two] in &pairs {
                threads.spawn(move || scenario(&["an_image_boots_anywhere", one, two]));
            }
        });
        return;
    }
    let pairs = all_pairs();
    // The fresh machine is made once for all pairs with the same node.
    let mut nodes: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for pair in &pairs {
        let (_, node) = pair.split_once('/').expect("a pair has two parts");
        nodes.entry(node).or_default().push(pair);
    }
    let nodes = std::sync::Mutex::new(nodes.into_values());
    std::thread::scope(|threads| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            threads.spawn(|| {
                loop {
                    // The lock is held only here; in the condition of a `while`, it would be held for the whole body.
                    let Some(pairs) = nodes.lock().expect("no thread panics while it holds the lock").next() else {
                        break;
                    };
                    scenario(&[&["an_image_boots_anywhere"], pairs.as_slice()].concat());
                }
            });
        }
    });
}

/// The lists of steps, as they are written.
fn steps() -> Vec<String> {
    let script = fs::read_to_string(format!("{ROOT}/parts/provisioning/provision.sh")).expect("it is there");
    let step = |line: &str| line.strip_prefix("\tstep ").or_else(|| line.strip_prefix("\tattempt ")).map(str::to_owned);
    script.lines().filter_map(step).collect()
}

/// A quarter of the crashes before each ninth step, or before each `CRASHES_EVERY`th. Each crash is mostly waiting, so the quarters run
/// at the same time.
#[track_caller]
fn crashes(quarter: usize) {
    let every = std::env::var("CRASHES_EVERY").ok().and_then(|every| every.parse().ok()).unwrap_or(9);
    let steps = steps();
    assert!(steps.len() > 70);
    for number in (1..=steps.len()).step_by(every).skip(quarter).step_by(4) {
        scenario(&["crash_before_step", &number.to_string()]);
    }
}

#[test]
fn crashes_are_repaired_by_the_next_run_first_quarter() {
    crashes(0);
}

#[test]
fn crashes_are_repaired_by_the_next_run_second_quarter() {
    crashes(1);
}

#[test]
fn crashes_are_repaired_by_the_next_run_third_quarter() {
    crashes(2);
}

#[test]
fn crashes_are_repaired_by_the_next_run_fourth_quarter() {
    crashes(3);
}

#[test]
fn every_scenario_of_the_shell_files_is_run() {
    let mut written = BTreeSet::new();
    for file in ["scenarios.sh", "failures.sh", "families.sh", "services.sh", "costs.sh"] {
        let text = fs::read_to_string(format!("{ROOT}/tests/provisioning/{file}")).expect("it is there");
        // A scenario starts a machine or runs one that fails.
        let mut name = None;
        for line in text.lines() {
            if let Some((function, _)) = line.split_once("() {").filter(|_| !line.starts_with('\t')) {
                name = Some(function.to_owned());
            }
            let calls = ["ends_with ", "facts_of ", "package_server ", "with_system_extensions "];
            if line.trim() == "start_machine" || calls.iter().any(|call| line.contains(call)) {
                written.extend(name.clone());
            }
        }
    }
    for helper in [
        "package_server",
        "crash_before_step",
        "ends_with",
        "facts_of",
        "gpu_ends_with",
        "isolated_ends_with",
        "with_system_extensions",
        // `make` runs these.
        "what_a_run_costs",
        "time_until_kubelet",
    ] {
        written.remove(helper);
    }
    let run: BTreeSet<_> = RUNS
        .iter()
        .chain(FAILURES)
        .chain(FAMILIES)
        .chain(SERVICES)
        .chain(COSTS)
        .map(|name| (*name).to_owned())
        .collect();
    assert_eq!(written, run);
}
