//! `docs/node-requirements.md`: the requirements for `provision`, `provision-wait`, the launcher and the units, and the
//! tests that check each.
//!
//! To add a requirement, add a row with at least one test. Names of tests are unique in the files that are searched.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// Directories of the tests. Every test of those in `tests` belongs to a requirement.
const DIRECTORIES: [&str; 5] = ["src/difference", "src/inspection", "src/node", "tests/node", "tests/units"];

/// A sentence and the names of its tests.
type Requirement = (&'static str, &'static [&'static str]);

const REQUIREMENTS: &[(&str, &[Requirement])] = &[
    (
        "The command line",
        &[
            (
                "`version`, `--version` and `--help` succeed without any of the node's directories and write no file.",
                &["help_and_version_need_no_directory_and_write_no_file"],
            ),
            ("A wrong command line ends with exit code 2.", &["wrong_command_lines_end_with_2"]),
            (
                "The hotfix commands of the reference succeed and do nothing.",
                &["hotfix_commands_succeed_and_change_nothing"],
            ),
            (
                "A dry run prints the command and all variables, with secrets redacted; it starts and writes nothing.",
                &["a_dry_run_prints_the_plan_without_secrets_and_starts_nothing"],
            ),
            (
                "Without root `provision` prints a message, ends with exit code 1 and writes no file.",
                &["an_ordinary_user_gets_a_message_and_no_file"],
            ),
            (
                "With `--root` the program, and the command that it starts, use files below that directory only.",
                &[
                    "with_a_root_the_command_opens_files_below_it_only",
                    "a_root_that_a_shell_would_not_read_as_one_word_is_rejected",
                ],
            ),
        ],
    ),
    (
        "Inputs",
        &[
            (
                "Without an input, a start by hand is a usage error and writes nothing.",
                &["provision_without_an_input_writes_nothing_unless_a_unit_started_it"],
            ),
            (
                "If a unit starts it without an input, or an input cannot be read, the result is 240 and names the cause.",
                &[
                    "without_any_input_the_result_is_240",
                    "a_missing_empty_or_invalid_configuration_is_reported",
                    "a_configuration_that_is_a_directory_or_a_pipe_or_holds_u0000_is_reported",
                ],
            ),
            (
                "Unknown fields and unknown names of enum values are warnings.",
                &["unknown_fields_and_names_are_logged_and_accepted"],
            ),
            (
                "A truncated configuration is read again for 2 s, because it may still be being written.",
                &["a_configuration_that_is_still_being_written_is_read_again"],
            ),
            (
                "A classic command runs as a file and takes precedence over a configuration.",
                &[
                    "a_classic_command_runs_as_a_file_and_takes_precedence_over_a_configuration",
                    "a_classic_command_that_does_not_exist_is_named_in_the_result",
                ],
            ),
            (
                "If both inputs exist, their variables are compared. The comparison is reported and has no other effect.",
                &[
                    "an_invalid_configuration_beside_a_classic_command_is_only_logged",
                    "values_are_compared_without_quotes_and_settings_without_order",
                    "a_tolerated_name_is_reported_only_if_the_command_lacks_it",
                    "assignments_are_read_by_the_rules_of_the_reference",
                ],
            ),
            (
                "The component list of the image is required on GPU nodes only.",
                &["a_missing_or_broken_component_list_fails_on_gpu_nodes_only"],
            ),
            (
                "containerd's configuration is written for the version that is installed.",
                &["containerds_configuration_follows_the_installed_version"],
            ),
        ],
    ),
    (
        "A second try",
        &[
            (
                "`retry` keeps the old result under a dated name, removes the marker and provisions again.",
                &[
                    "a_retry_keeps_the_old_result_and_provisions_again",
                    "a_retry_on_a_machine_starts_the_launcher",
                    "a_retry_without_an_input_or_without_a_result_says_so_or_provisions",
                ],
            ),
            (
                "A retry never replaces an old result, and returns the exit code of the new one.",
                &["a_retry_that_fails_ends_with_the_new_code_and_never_replaces_an_old_result"],
            ),
            ("A dry run of a retry changes nothing.", &["a_dry_run_of_a_retry_changes_nothing"]),
            (
                "A machine that is already provisioned is not changed, unless `--force` is given.",
                &["a_machine_that_is_provisioned_is_provisioned_again_only_with_force"],
            ),
            (
                "If a provisioner is running, a retry fails, or waits for its end.",
                &["a_retry_beside_a_provisioner_fails_or_waits_for_it"],
            ),
            (
                "TERM ends the run that a retry has started, and the result is printed.",
                &["a_retry_that_is_asked_to_end_passes_that_on_and_prints_the_result"],
            ),
        ],
    ),
    (
        "Diagnosis",
        &[
            (
                "Programs of the machine that print states and logs have a time limit.",
                &["a_program_is_asked_on_its_standard_input_and_ended_at_the_limit"],
            ),
            (
                "The addresses of the API server and the proxy are read from the files of the node, in every form of a URL.",
                &["host_and_port_of_every_form_of_a_url_are_found"],
            ),
        ],
    ),
    (
        "The child",
        &[
            (
                "The child's output is forwarded, its exit code is the controller's, and an attempt has two events.",
                &[
                    "a_successful_attempt_forwards_the_output_and_writes_two_events",
                    "a_failed_child_sets_the_exit_code_and_an_error_event",
                ],
            ),
            (
                "A child that is killed by a signal ends the attempt with 128 and the signal's number, and the result \
                 names the signal.",
                &["the_signal_that_killed_the_child_is_named"],
            ),
            (
                "A child that cannot be started is reported with code -1.",
                &["a_child_that_cannot_be_started_is_reported"],
            ),
            (
                "A child that runs 10 s past its timeout is ended; the result is 124.",
                &["a_child_that_exceeds_its_timeout_is_ended"],
            ),
            (
                "TERM, INT and HUP end the child's process group within 20 s and leave the result 143, 130 or 129.",
                &[
                    "term_int_and_hup_end_the_process_group_and_leave_a_result",
                    "a_child_that_needs_time_to_end_gets_it",
                    "a_child_that_ignores_the_request_to_end_is_killed",
                    "a_hangup_that_is_ignored_stays_ignored",
                ],
            ),
            (
                "An attempt that a shutdown ends leaves no marker, so that the next boot tries again.",
                &["an_attempt_that_a_shutdown_ends_is_repeated_at_the_next_boot"],
            ),
            (
                "Processes that the child leaves running do not delay the result by more than 5 s.",
                &["an_attempt_ends_while_a_background_process_of_the_child_holds_its_output"],
            ),
            (
                "64 KiB of the end of each stream are kept, whatever the child prints.",
                &["memory_does_not_grow_with_the_output_of_the_child"],
            ),
        ],
    ),
    (
        "The result",
        &[
            (
                "The document is written before the marker, both atomically and durably, with mode 0600.",
                &[
                    "result_files_have_their_modes_and_no_temporary_file_is_left",
                    "after_a_kill_or_power_loss_at_any_step_a_result_is_absent_or_complete",
                    "a_document_of_the_start_script_is_completed_and_durable",
                    "waiters_return_the_truth_after_a_kill_at_any_moment",
                    "waiters_return_the_truth_after_a_kill_at_every_step",
                ],
            ),
            (
                "After the child has exited, a document and a marker exist, whether or not the child wrote them.",
                &["the_controller_adds_what_the_child_did_not_write"],
            ),
            (
                "If the child fails and prints nothing, the result has the end of what the scripts have logged meanwhile, without \
                 secrets.",
                &["what_the_scripts_logged_before_they_failed_silently_is_in_the_result_without_secrets"],
            ),
            (
                "The durations of phases and steps are logged when the child has exited, and the document has no member for them.",
                &["the_log_has_the_durations_and_the_result_has_not"],
            ),
            (
                "A document of the child that cannot be read is renamed and replaced.",
                &[
                    "an_unreadable_document_of_the_child_is_set_aside_and_replaced",
                    "each_kind_of_invalid_document_has_its_own_error",
                ],
            ),
            (
                "The document is one line below 4096 bytes, whatever the child prints, with the fields that consumers read.",
                &[
                    "the_document_is_one_line_below_4096_bytes_for_any_output",
                    "a_line_is_shorter_than_4096_bytes_for_any_text",
                    "a_document_has_the_names_and_types_that_consumers_read",
                    "wildcards_and_blanks_in_the_output_are_not_expanded",
                ],
            ),
            ("Missing directories are created.", &["missing_directories_are_created"]),
            (
                "A caller that ignores SIGCHLD, a systemd that does not answer, and a file in the place of a directory below `/run` do \
                 not prevent a result.",
                &[
                    "the_exit_code_is_known_although_the_caller_ignores_the_end_of_children",
                    "a_systemd_that_does_not_answer_delays_the_result_only_for_seconds",
                    "a_file_in_the_place_of_the_directory_below_run_does_not_prevent_the_attempt",
                ],
            ),
            (
                "A result that cannot be written to disk is written below `/run`, which waiters also check. Space for it is \
                 reserved before the child starts.",
                &[
                    "with_a_full_or_read_only_log_directory_the_result_goes_below_run",
                    "with_a_read_only_or_full_opt_the_waiter_still_gets_the_result",
                    "a_child_that_fills_the_disk_does_not_prevent_the_result",
                    "with_any_two_failing_steps_a_marker_has_a_document",
                    "with_a_read_only_disk_the_result_goes_below_run",
                ],
            ),
            (
                "If the document cannot be written anywhere, there is no marker.",
                &[
                    "without_any_place_for_a_document_there_is_no_marker",
                    "a_result_that_cannot_be_kept_anywhere_has_no_marker",
                ],
            ),
            (
                "Every later attempt returns the recorded result, also after a reboot.",
                &["a_recorded_result_is_returned_again_after_a_reboot"],
            ),
            (
                "A document without a marker is renamed to `provision.json.previous` before an attempt.",
                &["a_document_without_a_marker_is_renamed_before_an_attempt"],
            ),
            (
                "The result of another machine, identified by its firmware, is ignored.",
                &["a_result_of_another_machine_is_ignored"],
            ),
            (
                "One attempt runs at a time. A second one waits and returns the result of the first.",
                &["concurrent_attempts_run_one_child_and_return_one_result"],
            ),
            (
                "Processes of a provisioner that was killed are ended before the next attempt.",
                &["processes_of_a_killed_provisioner_are_ended_before_the_next_attempt"],
            ),
            (
                "The first stage of an image build ends with the marker `base_prep.complete`, which its waiter accepts.",
                &[
                    "the_first_stage_of_an_image_build_has_its_own_marker",
                    "an_attempt_that_waits_for_an_image_stage_leaves_no_result_in_the_image",
                ],
            ),
            ("A panic leaves a result, a marker and an event.", &["a_panic_leaves_a_result_a_marker_and_an_event"]),
        ],
    ),
    (
        "Logs and events",
        &[
            (
                "An attempt succeeds without a log file, and warns once.",
                &["an_attempt_succeeds_without_a_log_and_warns_once"],
            ),
            (
                "The log and the lock are regular files: a pipe in their place blocks nobody, and a device keeps its mode.",
                &[
                    "a_pipe_in_the_place_of_the_log_or_the_lock_blocks_nobody",
                    "a_log_that_leads_to_a_device_is_not_written_and_the_device_keeps_its_mode",
                ],
            ),
            (
                "The file mode creation mask is 022, as systemd sets it, whatever the caller's is.",
                &["files_have_the_modes_of_a_service_for_any_umask"],
            ),
            (
                "Known secrets in any encoding, and texts with the form of a secret, are redacted in output, log, document and \
                 events.",
                &[
                    "secrets_are_redacted_in_output_log_document_and_events",
                    "a_secret_in_the_document_of_the_scripts_is_shown_nowhere",
                    "a_document_without_a_secret_stays_byte_for_byte_and_one_with_a_secret_keeps_its_members",
                ],
            ),
            (
                "Debug output, errors and dry runs contain no secret.",
                &[
                    "the_plan_and_what_leads_to_it_show_no_secret",
                    "an_attempt_shows_no_secret",
                    "errors_about_the_inputs_show_no_secret",
                ],
            ),
            (
                "Event files have unique names and appear atomically, with the fields that the guest agent reads.",
                &["event_files_have_unique_names_and_the_fields_of_the_guest_agent"],
            ),
            (
                "Messages are cut at 3000 bytes and keep their timing, which does not depend on the wall clock.",
                &[
                    "event_messages_are_cut_at_3000_bytes_and_keep_their_timing",
                    "the_last_event_has_the_duration_of_the_attempt",
                ],
            ),
            (
                "An event that cannot be written is logged and changes nothing.",
                &["an_event_that_cannot_be_written_is_logged_and_changes_nothing"],
            ),
        ],
    ),
    (
        "What results say",
        &[(
            "A result of the controller or the launcher has the times, the boot id and the last step of this attempt, under the \
             names that the start script uses.",
            &[
                "a_result_of_the_controller_has_times_boot_and_the_last_step",
                "a_controller_that_was_killed_has_a_result",
                "times_for_people_are_those_that_date_prints",
            ],
        )],
    ),
    (
        "Waiting",
        &[
            (
                "A waiter prints one JSON document: the recorded one, or one with code 240. The recorded one is unchanged, \
                 except that control characters are replaced by JSON escapes.",
                &[
                    "a_recorded_result_is_printed_unchanged",
                    "nothing_of_a_recorded_result_is_obeyed_by_a_terminal",
                    "each_unusable_document_has_its_own_error",
                ],
            ),
            (
                "With `--ready` it also waits, within the same time, until the node object of this boot is Ready, and adds `Ready` to the document \
                 that it prints. The recorded document and the other members are unchanged.",
                &[
                    "a_node_that_becomes_ready_is_waited_for_and_the_result_stays",
                    "what_cannot_be_known_is_unknown_and_says_why",
                    "ready_is_the_last_member_and_everything_else_stays",
                    "a_prepared_image_is_no_node",
                ],
            ),
            (
                "A node that is not Ready is a failure, with code 246, only with `--ready=require`. A failed attempt keeps its \
                 own code.",
                &[
                    "a_node_that_is_not_ready_is_a_failure_only_if_it_has_to_be_ready",
                    "a_failure_stays_and_says_how_far_the_node_is",
                ],
            ),
            (
                "A waiter exits with the document's code if that is 0 to 255, else with 1. \
                 With `--legacy-exit-code` every failure is 1.",
                &[
                    "a_recorded_result_is_printed_unchanged",
                    "a_failure_has_its_exit_code_even_if_nobody_reads_the_document",
                ],
            ),
            (
                "A waiter may start before the provisioner, and detects the marker however it is created, within a second even \
                 without inotify.",
                &[
                    "a_waiter_that_starts_first_creates_the_directory_and_sees_the_result",
                    "a_marker_is_seen_after_a_rename_in_a_new_directory_and_behind_a_link",
                    "a_marker_is_seen_without_notifications_of_the_kernel",
                    "a_marker_between_looking_and_watching_is_seen",
                ],
            ),
            (
                "If the marker exists, a waiter waits up to 5 s until the document is complete.",
                &["an_incomplete_document_beside_a_marker_has_time_to_become_complete"],
            ),
            (
                "A waiter ends at `--timeout`; without one, one minute after the timeout of the scripts, or 20 minutes after \
                 its start if no provisioner starts.",
                &[
                    "the_wait_ends_at_its_deadline",
                    "without_a_timeout_the_deadline_is_the_provisioners",
                    "without_a_timeout_the_time_left_depends_on_what_has_started",
                    "past_the_deadline_the_error_names_the_marker_that_the_provisioner_has_not_created",
                ],
            ),
            (
                "After one minute without a provisioner, a waiter prints a note on standard error.",
                &["a_waiter_says_once_that_nothing_has_started"],
            ),
            (
                "A waiter detects that the provisioner was killed.",
                &[
                    "waiters_return_the_truth_after_a_kill_at_any_moment",
                    "waiters_return_the_truth_after_a_kill_at_every_step",
                ],
            ),
            (
                "A waiter ends if three consecutive checks for the marker fail with an error.",
                &["a_file_system_that_cannot_be_read_ends_the_wait"],
            ),
            ("A waiter uses almost no CPU time.", &["waiting_costs_next_to_no_processor_time"]),
        ],
    ),
    (
        "The launcher",
        &[
            (
                "The launcher passes each existing input to the controller and returns its exit code. Without an input, it does \
                 nothing.",
                &[
                    "each_input_becomes_an_argument_in_its_order",
                    "the_exit_code_is_the_controllers",
                    "without_any_input_nothing_is_done",
                ],
            ),
            (
                "The launcher waits up to 60 s for the host name.",
                &[
                    "the_wait_for_the_host_name_ends_after_sixty_seconds",
                    "the_controller_starts_when_the_host_name_is_set",
                    "without_a_host_name_file_there_is_no_wait",
                ],
            ),
            (
                "The launcher forwards TERM and INT to the controller and waits for its end.",
                &["term_and_int_are_forwarded_and_the_controllers_end_is_waited_for"],
            ),
            (
                "The launcher passes the features to the controller and the scripts, and never executes their file.",
                &[
                    "features_are_passed_on_and_nothing_of_their_file_is_run",
                    "a_feature_is_no_variable_that_a_program_or_a_script_reads",
                ],
            ),
            (
                "If the controller cannot be started, or was killed, the launcher leaves a result, unless another \
                 provisioner runs.",
                &[
                    "a_controller_that_cannot_be_started_has_a_result",
                    "a_controller_that_was_killed_has_a_result",
                    "no_result_is_written_while_another_provisioner_runs",
                    "a_result_that_the_disk_cannot_keep_goes_below_run",
                ],
            ),
            ("The preload script never fails.", &["the_preload_script_reads_what_there_is_and_never_fails"]),
        ],
    ),
    (
        "The early fetch",
        &[
            (
                "Whatever the host answers, `fetch` ends within its time limit. It writes the script of the newest enabled \
                 settings whose command matches, or nothing, and then its exit code has the reason.",
                &[
                    "each_fault_of_the_host_ends_as_it_should",
                    "every_other_command_is_rejected",
                    "an_answer_that_does_not_end_ends_at_the_deadline",
                    "rounds_without_end_are_not_computed",
                ],
            ),
            (
                "`fetch` sends the same requests as the agent, and follows no URL to another address.",
                &["the_requests_are_those_of_the_agent", "a_url_is_only_followed_on_the_same_address"],
            ),
            (
                "`fetch` reads the answers of the host's services; a damaged answer does no harm.",
                &[
                    "recorded_answers_lead_to_the_settings",
                    "recorded_certificates_have_the_key_of_the_settings",
                    "a_part_of_a_message_or_a_pfx_is_an_error",
                    "a_changed_byte_does_no_harm",
                ],
            ),
            (
                "Without certificates, `fetch` uses the key that the agent has stored.",
                &["the_key_that_the_agent_has_left_is_used_without_certificates"],
            ),
            (
                "`fetch` writes nothing if a provisioner is running or a result exists.",
                &["nothing_is_fetched_once_provisioning_has_started", "a_fetch_that_is_too_late_writes_nothing"],
            ),
            (
                "The script is written atomically to the path that the caller names.",
                &["the_output_is_where_the_caller_wants_it_and_replaces_an_older_one"],
            ),
            (
                "A waiter starts the extension's copy of the script, once, only if no provisioner has started.",
                &[
                    "without_a_provisioner_the_boothook_of_the_extension_is_started_once",
                    "the_boothook_of_the_extension_is_not_started_beside_a_provisioner_or_a_result",
                ],
            ),
            (
                "Both copies are removed once a success is reported.",
                &["both_boothooks_are_removed_once_a_success_is_reported"],
            ),
            (
                "`bake` installs the program that the boothook runs, and removes inputs of other nodes.",
                &["the_program_that_boothooks_run_becomes_the_controller", "an_image_has_no_input_of_another_node"],
            ),
            ("The result records how the input was delivered.", &["the_result_says_how_the_input_came"]),
            (
                "A classic command is read when it is complete, and runs as it was read.",
                &[
                    "a_classic_command_runs_as_it_was_read_even_if_its_file_changes",
                    "a_provisioner_waits_until_a_classic_command_is_complete",
                ],
            ),
        ],
    ),
    (
        "The units",
        &[
            ("systemd accepts all units without a warning.", &["systemd_accepts_the_units"]),
            (
                "Without an input, the unit is skipped and not active. A configuration that is delivered later starts it.",
                &[
                    "a_configuration_that_is_delivered_late_starts_the_unit",
                    "a_start_before_the_configuration_is_skipped",
                ],
            ),
            (
                "A truncated configuration, as an interrupted boothook leaves it, ends with a result.",
                &["a_truncated_configuration_ends_with_a_result"],
            ),
            ("With a marker the unit is skipped.", &["a_configuration_that_exists_at_boot_is_applied_once"]),
            (
                "Stopping the unit ends the scripts and leaves a result; after a shutdown the next boot tries again.",
                &[
                    "stopping_the_unit_ends_the_scripts_and_leaves_a_result",
                    "after_a_shutdown_the_next_boot_tries_again",
                ],
            ),
            (
                "If both boothook and unit start the launcher, the scripts run once.",
                &["of_boothook_and_unit_one_runs_the_scripts"],
            ),
            (
                "A failure of cloud-init does not end the scripts that its boothook has started.",
                &["a_cloud_init_that_fails_does_not_end_the_scripts"],
            ),
        ],
    ),
];

fn sources(directory: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(directory).expect("a directory") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|end| end == "rs") {
            found.push(path);
        }
    }
}

/// The tests below [`DIRECTORIES`] by their names, with the file of each.
fn tests() -> BTreeMap<String, String> {
    let mut files = Vec::new();
    for directory in DIRECTORIES {
        sources(&Path::new(ROOT).join(directory), &mut files);
    }
    let mut tests = BTreeMap::new();
    for file in files {
        let text = fs::read_to_string(&file).expect("text");
        let shown = file.strip_prefix(ROOT).expect("below the root").display().to_string();
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        for pair in lines.windows(2) {
            let name = pair[1].strip_prefix("fn ").and_then(|rest| rest.split('(').next());
            if let (true, Some(name)) = (pair[0].starts_with("#[test]"), name) {
                let other = tests.insert(name.to_owned(), shown.clone());
                assert_eq!(other, None, "two tests have the name {name}");
            }
        }
    }
    tests
}

pub fn page() -> String {
    let tests = tests();
    let mut page = String::from(
        "# Requirements on the node\n\n\
         The guarantees of `provision`, `provision-wait`, the launcher and the units, with the tests that check them. Generated \
         from `tests/docs/requirements.rs` by `make generate`. [on-the-node.md](on-the-node.md) explains the design.\n",
    );
    for (section, requirements) in REQUIREMENTS {
        write!(page, "\n## {section}\n\n| requirement | tests |\n|---|---|\n").expect("writing to text succeeds");
        for (requirement, names) in *requirements {
            let names = names.iter().map(|name| {
                let file = tests.get(*name).unwrap_or_else(|| panic!("there is no test {name}: {requirement}"));
                format!("`{name}` ([{}](../{file}))", file.rsplit('/').next().unwrap_or(file))
            });
            let names = names.collect::<Vec<_>>().join("<br>");
            writeln!(page, "| {requirement} | {names} |").expect("writing to text succeeds");
        }
    }
    page
}

#[test]
fn every_requirement_has_tests_and_every_test_of_the_node_a_requirement() {
    let tests = tests();
    let mut named = BTreeSet::new();
    for (requirement, names) in REQUIREMENTS.iter().flat_map(|(_, requirements)| *requirements) {
        assert!(!names.is_empty(), "no test checks this: {requirement}");
        for name in *names {
            assert!(tests.contains_key(*name), "there is no test {name}: {requirement}");
            named.insert(*name);
        }
    }
    for (name, file) in &tests {
        assert!(
            !file.starts_with("tests/") || named.contains(name.as_str()),
            "{file}: no requirement in tests/docs/requirements.rs names the test {name}"
        );
    }
}
