//! The node's scripts failed, but the text has none of their exit codes. Codes: `catalogue::exit_codes`.

use super::{Failure, Layer, check};

const fn row(reason: &'static str) -> Failure {
    super::failure(Layer::Provisioning, reason)
}

pub(super) static FAILURES: &[Failure] = &[
    row("WindowsScriptsFailed")
        .cause("The scripts of a Windows node failed: their codes have other meanings than those of Linux nodes")
        .any(&["windows_cse_error", "type 'customscriptextension'", "c:\\azuredata\\cse", "c:\\azuredata\\windows"])
        .checks(&["Read their log on the node: `Get-Content C:\\AzureData\\CustomDataSetupScript.log -Tail 50`"]),
    row("ProgramNotOnImage")
        .cause("A program that the scripts of the node call is not on the image")
        .near(
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
        )
        .checks(&["See what the image has: `sudo aks-node-controller diagnose --facts FACTS.json`", check::DIAGNOSE]),
    row("NodeScriptsFailed")
        .symptom("A script of the node failed: its log has the step")
        .any(&["provision.json does not exist", "err_cse", "cse failed with"])
        .near(
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
        )
        .checks(&["Read the last steps: `tail -n 50 /var/log/azure/cluster-provision.log`", check::DIAGNOSE]),
];
