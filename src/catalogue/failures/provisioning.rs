//! The node's scripts failed, but the text has none of their exit codes. Codes: `catalogue::exit_codes`.

use super::{Failure, Layer, any, check, near};

const fn row(reason: &'static str, cause: &'static str, marks: &'static [super::Mark]) -> Failure {
    super::failure(reason, Layer::Provisioning, cause, marks)
}

pub(super) static FAILURES: &[Failure] = &[
    row(
        "WindowsScriptsFailed",
        "The scripts of a Windows node failed: their codes have other meanings than those of Linux nodes",
        &[any(&["windows_cse_error", "type 'customscriptextension'", "c:\\azuredata\\cse", "c:\\azuredata\\windows"])],
    )
    .checks(&["Read their log on the node: `Get-Content C:\\AzureData\\CustomDataSetupScript.log -Tail 50`"]),
    row(
        "ProgramNotOnImage",
        "A program that the scripts of the node call is not on the image",
        &[near(
            &[
                "/opt/azure/containers/",
                "provision.sh",
                "provision_source",
                "cse_main.sh",
                "cse_helpers.sh",
                "cse_install.sh",
                "cse_config.sh",
            ],
            &[": command not found"],
        )],
    )
    .checks(&["See what the image has: `sudo aks-node-controller diagnose --facts FACTS.json`", check::DIAGNOSE]),
    row(
        "NodeScriptsFailed",
        "A script of the node failed: its log has the step",
        &[
            near(
                &[
                    "/opt/azure/containers/",
                    "provision.sh",
                    "provision_start.sh",
                    "cse_main.sh",
                    "cse_start.sh",
                    "aks-node-controller",
                    "cluster-provision.log",
                ],
                &[
                    "failed",
                    "no such file",
                    "permission denied",
                    "command not found",
                    "syntax error",
                    "unbound variable",
                    "error:",
                    "exited",
                ],
            ),
            any(&["provision.json does not exist", "err_cse", "cse failed with"]),
        ],
    )
    .symptom()
    .checks(&["Read the last steps: `tail -n 50 /var/log/azure/cluster-provision.log`", check::DIAGNOSE]),
];
