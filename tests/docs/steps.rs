//! The steps that provision a node, and the scenarios that check each.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;

use aks_node_controller::catalogue::variables::{CERTIFICATE_PREFIX, CERTIFICATES, VARIABLES};

use super::readers;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// A step and the scenarios of `tests/provisioning` that check it.
const STEPS: &[(&str, &str)] = &[
    ("checkBaseInputs", "version_is_missing swap_is_no_number"),
    ("makeServingCertificate", "a_node_is_made"),
    ("useProxy", "everything_is_on"),
    ("installTools", "a_machine_without_tools"),
    ("enableAKSLocalDNSHostsSetup", "everything_is_on critical_names_are_at_hand"),
    ("holdWALinuxAgent", "ubuntu_with_packages the_agent_is_not_held"),
    ("resolvePackagesSourceURL", "a_node_is_made packages_come_from_the_other_host"),
    ("fetchMetadata", "metadata_answers_500 metadata_is_cut_off metadata_hangs"),
    ("installSecureTLSBootstrapClient", "with_secure_tls_bootstrapping bootstrap_client_answers_500"),
    ("disableSSH", "ssh_is_off ssh_cannot_be_stopped"),
    ("disableSSHPubkeyAuth", "everything_is_on sshd_refuses"),
    ("logPrivateEgressProxy", "an_isolated_cluster"),
    ("configureHTTPProxyCA", "everything_is_on authority_of_the_proxy_is_not_base64"),
    ("configureEtcEnvironment", "everything_is_on"),
    ("configureCustomCaCertificate", "everything_is_on azure_linux second_authority_is_not_base64"),
    ("removeManDbAutoUpdateFlagFile", "a_node_is_made"),
    (
        "orasLogin",
        "an_isolated_cluster the_registry_wants_another_audience no_identity_token the_registry_is_silent the_registry_refuses the_identity_may_not_read",
    ),
    ("disableSystemdResolved", "ubuntu_with_packages"),
    ("checkInstallMode", "image_is_none a_plain_debian"),
    (
        "installDeps",
        "a_plain_debian package_server_hangs package_server_answers_500 package_index_is_cut_off package_is_cut_off",
    ),
    ("installContainerRuntime", "a_plain_debian containerd_from_an_address"),
    ("installRunc", "containerd_from_an_address"),
    ("setupCNIDirs", "a_node_is_made"),
    ("installNetworkPlugin", "a_node_is_made network_plugin_answers_500 reference_plugins_are_missing"),
    (
        "configureKubeletAndKubectl",
        "a_node_is_made ubuntu_with_packages azure_linux os_guard flatcar an_isolated_cluster archive_answers_500 archive_is_cut_off archive_hangs archive_has_another_sum archive_has_no_kubelet disk_of_programs_is_full an_extension_is_missing nothing_is_in_the_registry",
    ),
    ("prepareCredentialProvider", "what_a_node_stage_starts"),
    ("prepareKubeletDirectories", "a_node_is_made"),
    ("joinCustomSearchDomain", "other_parts_of_a_node realm_is_not_joined"),
    ("configureCNI", "a_node_is_made everything_is_on module_does_not_load"),
    ("ensureDHCPv6", "other_parts_of_a_node unit_fails_again_and_again"),
    ("configureSystemdUseDomains", "azure_linux"),
    ("setContainerdUlimits", "everything_is_on limits_are_hostile"),
    (
        "ensureContainerd",
        "a_node_is_made everything_is_on containerds_configuration_is_missing containerds_configuration_is_not_base64 reserved_cgroup_is_another",
    ),
    ("configureMessageOfTheDay", "everything_is_on ubuntu_with_packages azure_linux"),
    ("retagImages", "in_china"),
    ("configPrivateClusterHosts", "everything_is_on a_private_host_has_its_address"),
    ("configureTransparentHugePage", "everything_is_on azure_linux huge_pages_are_hostile huge_pages_are_unknown"),
    ("configureSwapFile", "everything_is_on swap_fills_the_disk swap_has_no_room swap_is_not_taken"),
    ("configureKubeletCgroups", "everything_is_on"),
    ("configureKubenetTemplate", "a_node_is_made"),
    ("configureKubeletContainerdFlags", "a_node_is_made"),
    ("configureKubeletRuntimeFlag", "an_older_kubernetes"),
    ("configureKubeletDisk", "other_parts_of_a_node"),
    ("ensureSysctl", "a_node_is_made settings_are_not_base64 setting_is_refused"),
    ("mitigateModules", "a_kernel_with_the_hole ubuntu_with_packages os_guard"),
    ("unbindHyperVTimeSync", "an_ubuntu_that_is_no_prepared_image"),
    ("ensureArtifactStreaming", "other_parts_of_a_node streaming_is_missing"),
    ("enableLocalDNS", "everything_is_on corefile_is_missing local_dns_ends_with_its_codes"),
    ("checkNodeInputs", "all_that_is_wrong_is_said api_server_is_hostile label_is_too_long flags_have_a_line_break"),
    ("ensureKubeCACert", "a_node_is_made authority_is_no_certificate"),
    ("checkOutbound", "a_node_is_made nothing_gets_out outbound_command_is_shell_text"),
    (
        "checkApiServer",
        "a_node_is_made name_is_unknown name_is_unknown_to_azure api_server_is_of_another_cluster address_of_the_api_server_is_silent",
    ),
    ("provideCredentialProvider", "an_isolated_cluster flatcar credential_provider_answers_500"),
    ("configureAzureJson", "a_node_is_made a_custom_cloud disk_is_full"),
    ("configureKubeletServing", "a_node_is_made everything_is_on serving_certificates_by_tag"),
    ("configureK8s", "everything_is_on with_a_client_certificate"),
    (
        "configureAndEnableSecureTLSBootstrapping",
        "with_secure_tls_bootstrapping unit_of_the_bootstrap_client_is_missing",
    ),
    ("markOutboundSkipped", "an_isolated_cluster"),
    ("configureSecondaryNICs", "other_parts_of_a_node network_card_is_missing"),
    ("checkDriverTag", "gpu_without_a_driver the_driver_is_for_ubuntu_only"),
    (
        "ensureGPUDrivers",
        "gpu_on_ubuntu gpu_on_azure_linux gpu_of_an_older_kind gpu_in_another_cloud the_driver_does_not_answer the_info_rom_is_corrupted the_driver_is_not_pulled no_driver_is_for_the_kernel",
    ),
    ("configureFabricManager", "gpu_on_ubuntu gpu_on_azure_linux"),
    ("ensureMigPartition", "gpu_on_ubuntu"),
    ("configureManagedGPUExperience", "gpu_on_ubuntu plugin_and_dra_exclude_each_other a_gpu_package_is_missing"),
    ("setupAmdAma", "an_amd_accelerator"),
    ("configureKernelDefaults", "kernel_settings_are_made"),
    ("checkSecureTLSBootstrap", "with_secure_tls_bootstrapping"),
    ("labelLocalDNSExporter", "everything_is_on"),
    ("configureKubelet", "a_node_is_made an_older_kubernetes"),
    ("ensureKubelet", "a_node_is_made kubelets_unit_is_missing the_pause_image_is_missing"),
    ("checkContainerd", "a_node_is_made containerds_configuration_is_broken"),
    ("ensureAzureNetworkConfig", "a_node_is_made"),
    ("cleanUpContainerImages", "a_node_is_made"),
    ("configureAdminUser", "everything_is_on run_takes_too_long"),
    ("configureLocalDNSExporterSocket", "everything_is_on metrics_are_served"),
    ("ensureNoDupOnPromiscuBridge", "a_promiscuous_bridge"),
    ("configureNodeExporter", "other_parts_of_a_node"),
    ("cleanUpGPUDrivers", "gpu_without_a_driver"),
    (
        "checkKubelet",
        "a_node_is_made kubelet_has_failed kubelet_ends_again_and_again kubelet_gets_no_certificate token_is_rejected",
    ),
    ("startDraDriver", "gpu_on_azure_linux the_dra_driver_does_not_start"),
    ("startLogCollector", "other_parts_of_a_node"),
    ("ubuntuSnapshotUpdate", "ubuntu_with_packages snapshots_do_not_start"),
    ("scheduleReboot", "gpu_on_ubuntu"),
    ("configureUnattendedUpgrades", "ubuntu_with_packages azure_linux"),
    ("releaseWALinuxAgent", "ubuntu_with_packages"),
    ("wakeManDb", "a_node_is_made"),
];

/// Steps with the condition under which each runs, as the lists have them.
fn lists() -> Vec<(String, String, &'static str)> {
    let script = fs::read_to_string(format!("{ROOT}/parts/provisioning/provision.sh")).expect("it is there");
    let mut steps = Vec::new();
    for line in script.lines() {
        let Some((how, line)) = line.trim_start().split_once(' ') else { continue };
        let how = match how {
            "step" => "",
            "attempt" => "may fail",
            "beside" => "beside the next ones",
            _ => continue,
        };
        let (name, condition) = line.split_once(' ').expect("a step has a condition");
        steps.push((name.to_owned(), condition.to_owned(), how));
    }
    steps
}

pub fn page() -> String {
    let known: BTreeMap<_, _> = STEPS.iter().copied().collect();
    let mut page = String::from(
        "# Steps of a node\n\n\
         The steps of `provision.sh` in their order: basePrep up to `enableLocalDNS`, then nodePrep, and `wakeManDb`, which images have too. If a step that may \
         fail does fail, an event reports it, and the run continues. A step beside the next ones ends before kubelet starts. Generated from `parts/provisioning/provision.sh` and \
         `tests/docs/steps.rs` by `make generate`; the scenarios are those of `tests/provisioning`.\n\n\
         | step | runs when | how | scenarios |\n|---|---|---|---|\n",
    );
    for (step, condition, how) in lists() {
        let scenarios = known.get(step.as_str()).unwrap_or_else(|| panic!("{step} is not in the table"));
        writeln!(page, "| {step} | {condition} | {how} | {} |", scenarios.replace(' ', ", ")).expect("text takes text");
    }
    page += "\n## What each step reads and changes\n\n\
        Variables that the step, its condition or a function that it calls names. Files and units are from traces of the scenarios \
        in `testdata/provisioning/effects.txt`, which a test repeats and `make effects` writes; other settings may change more. Logs, \
        caches and packages are left out, and files that no other step writes are not named as read. A step follows those whose files it reads; tests compare the \
        order of the lists with that, and with the files of each unit that is started. A node of an image runs the steps again, so whatever variable \
        of a step differs from those of the image, its result is made again (see [images](images.md)).\n\n";
    // Services run by themselves.
    let scripts: Vec<_> = readers::scripts()
        .into_iter()
        .filter(|(file, _)| file.starts_with("provision_"))
        .map(|(_, script)| script)
        .collect();
    for (step, condition, _) in lists() {
        let mut effects: BTreeMap<_, BTreeSet<_>> = BTreeMap::new();
        effects.insert("reads".to_owned(), variables_of(&scripts, &step, &condition));
        for effect in traced().into_iter().filter(|effect| effect.step == step) {
            if effect.verb == "reads" {
                effects.entry("follows".to_owned()).or_default().extend(earlier_writers(&effect));
            }
            effects.entry(effect.verb).or_default().insert(effect.target);
        }
        let lines: Vec<_> = effects
            .into_iter()
            .filter(|(_, targets)| !targets.is_empty())
            .map(|(verb, targets)| format!("{verb} {}", quoted(&targets)))
            .collect();
        if !lines.is_empty() {
            writeln!(page, "- **{step}** {}", lines.join("; ")).expect("text takes text");
        }
    }
    page
}

fn quoted(names: &BTreeSet<String>) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

/// The variables that a step names, its condition, or any function that one of them calls.
fn variables_of(scripts: &[String], step: &str, condition: &str) -> BTreeSet<String> {
    // Names of events, such as `ensureKubelet.setKubeletNodeIPFlag`, are no calls.
    let word = |character: char| !character.is_ascii_alphanumeric() && !"_.".contains(character);
    let (mut called, mut texts) = (BTreeSet::new(), vec![condition.to_owned(), format!("{step} ")]);
    let mut found = BTreeSet::new();
    while let Some(text) = texts.pop() {
        for name in text.split(word).filter(|name| called.insert((*name).to_owned())) {
            texts.extend(scripts.iter().flat_map(|script| readers::bodies(script, name)).map(str::to_owned));
            // Time limits and paths are those of the whole run.
            let is_variable = |variable: &&&str| **variable == name && !variable.starts_with("CSE_");
            found.extend(
                VARIABLES.iter().map(|variable| &variable.name).find(is_variable).map(|name| (*name).to_owned()),
            );
            if name == CERTIFICATE_PREFIX {
                found.insert(CERTIFICATES.to_owned());
            }
        }
    }
    found
}

/// What a step did in a scenario, as the traces have it.
struct Effect {
    scenario: String,
    step: String,
    verb: String,
    /// A file or a unit.
    target: String,
}

fn traced() -> Vec<Effect> {
    let table = fs::read_to_string(format!("{ROOT}/testdata/provisioning/effects.txt")).expect("it is there");
    let effect = |line: &str| {
        let mut words = line.splitn(4, ' ').map(str::to_owned);
        let mut word = || words.next().unwrap_or_else(|| panic!("{line}"));
        Effect { scenario: word(), step: word(), verb: word(), target: word() }
    };
    table.lines().map(effect).collect()
}

/// The place of a step in the lists.
fn place(step: &str) -> usize {
    lists().iter().position(|(name, ..)| name == step).unwrap_or_else(|| panic!("{step} is in no list"))
}

/// The steps before the one that reads a file which wrote it in the same scenario.
fn earlier_writers(read: &Effect) -> BTreeSet<String> {
    let of =
        |effect: &Effect| effect.scenario == read.scenario && effect.verb == "writes" && effect.target == read.target;
    let writers = traced().into_iter().filter(of).map(|effect| effect.step);
    writers.filter(|writer| place(writer) < place(&read.step)).collect()
}

#[test]
fn no_step_reads_what_only_later_ones_write() {
    for read in traced().iter().filter(|effect| effect.verb == "reads") {
        assert!(!earlier_writers(read).is_empty(), "{}: {} reads {}", read.scenario, read.step, read.target);
    }
}

/// A unit that runs does not notice another file of it.
#[test]
fn files_of_a_unit_are_written_before_it_is_started() {
    let effects = traced();
    let starts = |effect: &&Effect| ["restarts", "starts", "enables"].contains(&effect.verb.as_str());
    for write in effects.iter().filter(|effect| effect.verb == "writes") {
        let Some(file) = write.target.strip_prefix("/etc/systemd/system/") else { continue };
        let unit = file.split_once(".d/").map_or(file, |(unit, _)| unit);
        let started = effects
            .iter()
            .filter(starts)
            .filter(|start| start.scenario == write.scenario && start.target == unit)
            .map(|start| place(&start.step));
        let last = started.max();
        assert!(
            last.is_none_or(|last| place(&write.step) <= last),
            "{}: {} writes {} of a unit that was started before",
            write.scenario,
            write.step,
            write.target
        );
    }
}

#[test]
fn every_step_has_scenarios_that_are_run() {
    let in_lists: BTreeSet<_> = lists().into_iter().map(|(step, ..)| step).collect();
    assert_eq!(in_lists, STEPS.iter().map(|(step, _)| (*step).to_owned()).collect());
    let harness = fs::read_to_string(format!("{ROOT}/tests/provisioning/mod.rs")).expect("it is there");
    for (step, scenarios) in STEPS {
        assert!(!scenarios.is_empty(), "{step}");
        for scenario in scenarios.split_whitespace() {
            assert!(
                harness.lines().any(|line| line.trim() == scenario),
                "{step} names {scenario}, which is not a scenario"
            );
        }
    }
}
