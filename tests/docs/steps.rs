//! The steps that make a node: where each comes from in the specification, and the scenarios that judge it.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// A step, the rows of the specification's step tables that it covers, and scenarios of `tests/provisioning`.
const STEPS: &[(&str, &str, &str)] = &[
    ("checkBaseInputs", "", "version_is_missing swap_is_no_number"),
    ("useProxy", "B05", "everything_is_on"),
    ("installTools", "", "a_machine_without_tools"),
    ("enableAKSLocalDNSHostsSetup", "B01", "everything_is_on critical_names_are_at_hand"),
    ("holdWALinuxAgent", "B02", "ubuntu_with_packages the_agent_is_not_held"),
    ("configureAdminUser", "B03", "everything_is_on run_takes_too_long"),
    ("resolvePackagesSourceURL", "B06", "a_node_is_made packages_come_from_the_other_host"),
    ("fetchMetadata", "B07 N03", "metadata_answers_500 metadata_is_cut_off metadata_hangs"),
    ("installSecureTLSBootstrapClient", "B08", "with_secure_tls_bootstrapping bootstrap_client_answers_500"),
    ("disableSSH", "B09", "ssh_is_off ssh_cannot_be_stopped"),
    ("disableSSHPubkeyAuth", "B09", "everything_is_on sshd_refuses"),
    ("logPrivateEgressProxy", "B10", "an_isolated_cluster"),
    ("configureHTTPProxyCA", "B11", "everything_is_on authority_of_the_proxy_is_not_base64"),
    ("configureEtcEnvironment", "B11", "everything_is_on"),
    ("configureCustomCaCertificate", "B12", "everything_is_on azure_linux second_authority_is_not_base64"),
    ("quietManDb", "B14", "a_node_is_made"),
    (
        "orasLogin",
        "B15",
        "an_isolated_cluster no_identity_token the_registry_is_silent the_registry_refuses the_identity_may_not_read",
    ),
    ("disableSystemdResolved", "B16", "ubuntu_with_packages"),
    ("checkInstallMode", "B17", "image_is_none a_plain_debian"),
    ("removeUnusedImages", "B17", "a_node_is_made"),
    (
        "installDeps",
        "B18",
        "a_plain_debian package_server_hangs package_server_answers_500 package_index_is_cut_off package_is_cut_off",
    ),
    ("installContainerRuntime", "B19", "a_plain_debian containerd_from_an_address"),
    ("installRunc", "B19", "containerd_from_an_address"),
    ("setupCNIDirs", "B20", "a_node_is_made"),
    ("installNetworkPlugin", "B21", "a_node_is_made network_plugin_answers_500 reference_plugins_are_missing"),
    (
        "configureKubeletAndKubectl",
        "B22",
        "a_node_is_made ubuntu_with_packages azure_linux os_guard flatcar an_isolated_cluster archive_answers_500 archive_is_cut_off archive_hangs archive_has_another_sum archive_has_no_kubelet disk_of_programs_is_full an_extension_is_missing nothing_is_in_the_registry",
    ),
    ("prepareKubeletFolders", "B23 B24 B26", "a_node_is_made"),
    ("joinCustomSearchDomain", "B25", "other_parts_of_a_node realm_is_not_joined"),
    ("configureCNI", "B27", "a_node_is_made everything_is_on module_does_not_load"),
    ("ensureDHCPv6", "B28", "other_parts_of_a_node unit_fails_again_and_again"),
    ("configureSystemdUseDomains", "B29", "azure_linux"),
    ("setContainerdUlimits", "B30", "everything_is_on limits_are_hostile"),
    (
        "ensureContainerd",
        "B31",
        "a_node_is_made everything_is_on containerds_configuration_is_missing containerds_configuration_is_not_base64 reserved_cgroup_is_another",
    ),
    ("configureMessageOfTheDay", "B32", "everything_is_on ubuntu_with_packages azure_linux"),
    ("retagImages", "B33", "in_china"),
    ("configPrivateClusterHosts", "B34", "everything_is_on a_private_host_has_its_address"),
    (
        "configureTransparentHugePage",
        "B35 N05",
        "everything_is_on azure_linux huge_pages_are_hostile huge_pages_are_unknown",
    ),
    ("configureSwapFile", "B36", "everything_is_on swap_has_no_room swap_is_not_taken"),
    ("configureKubeletCgroups", "B37", "everything_is_on"),
    ("configureKubenetTemplate", "B38", "a_node_is_made"),
    ("configureKubeletContainerdFlags", "B39", "a_node_is_made"),
    ("configureKubeletRuntimeFlag", "B39", "an_older_kubernetes"),
    ("configureKubeletDisk", "B40", "other_parts_of_a_node"),
    ("ensureSysctl", "B41", "a_node_is_made settings_are_not_base64 setting_is_refused"),
    ("mitigateModules", "B42 N04", "a_kernel_with_the_hole ubuntu_with_packages os_guard"),
    ("unbindHyperVTimeSync", "B43", "an_ubuntu_that_is_no_prepared_image"),
    ("ensureArtifactStreaming", "B44", "other_parts_of_a_node streaming_is_missing"),
    ("enableLocalDNS", "B45", "everything_is_on corefile_is_missing local_dns_ends_with_its_codes"),
    ("wakeManDb", "B46", "a_node_is_made"),
    (
        "checkNodeInputs",
        "",
        "all_that_is_wrong_is_said api_server_is_hostile label_is_too_long flags_have_a_line_break",
    ),
    ("configureAzureJson", "N01", "a_node_is_made a_custom_cloud"),
    ("ensureKubeCACert", "N02", "a_node_is_made authority_is_no_certificate disk_is_full"),
    ("reconcileSwapFilePersistence", "N06", "everything_is_on"),
    ("configureKubeletServing", "N07", "a_node_is_made everything_is_on serving_certificates_by_tag"),
    ("configureK8s", "N08", "everything_is_on with_a_client_certificate"),
    (
        "configureAndEnableSecureTLSBootstrapping",
        "N09",
        "with_secure_tls_bootstrapping unit_of_the_bootstrap_client_is_missing",
    ),
    ("checkOutbound", "N10", "a_node_is_made nothing_gets_out outbound_command_is_shell_text"),
    ("markOutboundSkipped", "N11", "an_isolated_cluster"),
    ("ensureAzureNetworkConfig", "N12", "a_node_is_made"),
    ("configureSecondaryNICs", "N13", "other_parts_of_a_node network_card_is_missing"),
    ("checkDriverTag", "N14", "gpu_without_a_driver the_driver_is_for_ubuntu_only"),
    (
        "ensureGPUDrivers",
        "N15",
        "gpu_on_ubuntu gpu_on_azure_linux the_driver_does_not_answer the_info_rom_is_corrupted the_driver_is_not_pulled no_driver_is_for_the_kernel",
    ),
    ("configureFabricManager", "N16", "gpu_on_ubuntu gpu_on_azure_linux"),
    ("ensureMigPartition", "N17", "gpu_on_ubuntu"),
    (
        "configureManagedGPUExperience",
        "N18",
        "gpu_on_ubuntu plugin_and_dra_exclude_each_other a_gpu_package_is_missing",
    ),
    ("setupAmdAma", "N19", "an_amd_accelerator"),
    (
        "checkApiServer",
        "N20",
        "a_node_is_made name_is_unknown name_is_unknown_to_azure api_server_is_of_another_cluster address_of_the_api_server_is_silent",
    ),
    ("checkContainerd", "N21", "a_node_is_made containerds_configuration_is_broken"),
    ("checkSecureTLSBootstrap", "N21", "with_secure_tls_bootstrapping"),
    ("labelLocalDNSExporter", "N22", "everything_is_on"),
    (
        "ensureKubelet",
        "N23",
        "a_node_is_made an_older_kubernetes kubelets_unit_is_missing credential_provider_answers_500 the_pause_image_is_missing",
    ),
    ("configureLocalDNSExporterSocket", "N24", "everything_is_on metrics_are_served"),
    ("ensureNoDupOnPromiscuBridge", "N25", "a_promiscuous_bridge"),
    ("configureNodeExporter", "N26", "other_parts_of_a_node"),
    ("cleanUpGPUDrivers", "N27", "gpu_without_a_driver"),
    ("checkKubelet", "N28", "a_node_is_made kubelet_has_failed"),
    ("startDraDriver", "N29", "gpu_on_azure_linux the_dra_driver_does_not_start"),
    ("startLogCollector", "N30", "other_parts_of_a_node"),
    ("ensureSnapshotUpdate", "N31", "ubuntu_with_packages snapshots_do_not_start"),
    ("scheduleReboot", "N32", "gpu_on_ubuntu"),
    ("configureUnattendedUpgrades", "N32", "ubuntu_with_packages azure_linux"),
    ("releaseWALinuxAgent", "N32", "ubuntu_with_packages"),
];

/// Rows without a step of their own, and why.
const ELSEWHERE: &[(&str, &str)] = &[
    ("B04", "Ubuntu 16.04 is not supported"),
    ("B13", "the architecture is read with the system's name, before the steps"),
];

/// Steps with the condition under which each runs, as the lists have them.
fn lists() -> Vec<(String, String, bool)> {
    let script = fs::read_to_string(format!("{ROOT}/parts/provisioning/provision.sh")).expect("it is there");
    let mut steps = Vec::new();
    for line in script.lines() {
        let (line, must) = match (line.strip_prefix("\tstep "), line.strip_prefix("\tattempt ")) {
            (Some(line), _) => (line, true),
            (_, Some(line)) => (line, false),
            _ => continue,
        };
        let (name, condition) = line.split_once(' ').expect("a step has a condition");
        steps.push((name.to_owned(), condition.to_owned(), must));
    }
    steps
}

pub fn page() -> String {
    let known: BTreeMap<_, _> = STEPS.iter().map(|(step, rows, scenarios)| (*step, (*rows, *scenarios))).collect();
    let mut page = String::from(
        "# Steps of a node\n\n\
         What `provision.sh` runs, in order: basePrep up to `wakeManDb`, then nodePrep. A step that may fail is an event and \
         no end. Made from `parts/provisioning/provision.sh` and `tests/docs/steps.rs` by `make generate`; scenarios are \
         those of `tests/provisioning`, and all of them pass in CI.\n\n\
         | step | runs when | may fail | rows of the reference | judged by |\n|---|---|---|---|---|\n",
    );
    for (step, condition, must) in lists() {
        let (rows, scenarios) = known.get(step.as_str()).unwrap_or_else(|| panic!("{step} is not in the table"));
        let may_fail = if must { "" } else { "yes" };
        writeln!(page, "| {step} | {condition} | {may_fail} | {rows} | {} |", scenarios.replace(' ', ", "))
            .expect("text takes text");
    }
    page.push_str("\nRows without a step:\n\n");
    for (row, why) in ELSEWHERE {
        writeln!(page, "- {row}: {why}").expect("text takes text");
    }
    page
}

#[test]
fn every_row_of_the_reference_has_its_step_and_every_step_its_scenarios() {
    let rows = STEPS.iter().flat_map(|(_, rows, _)| rows.split_whitespace());
    let rows: BTreeSet<_> = rows.chain(ELSEWHERE.iter().map(|(row, _)| *row)).map(str::to_owned).collect();
    let wanted = (1..=46).map(|number| format!("B{number:02}")).chain((1..=32).map(|number| format!("N{number:02}")));
    assert_eq!(rows, wanted.collect());
    let in_lists: BTreeSet<_> = lists().into_iter().map(|(step, ..)| step).collect();
    assert_eq!(in_lists, STEPS.iter().map(|(step, ..)| (*step).to_owned()).collect());
    let harness = fs::read_to_string(format!("{ROOT}/tests/provisioning/main.rs")).expect("it is there");
    for (step, _, scenarios) in STEPS {
        assert!(!scenarios.is_empty(), "{step}");
        for scenario in scenarios.split_whitespace() {
            assert!(
                harness.lines().any(|line| line.trim() == scenario),
                "{step} is judged by {scenario}, which is not run"
            );
        }
    }
}
