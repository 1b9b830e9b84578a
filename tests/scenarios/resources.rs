//! Complete resources, and `CustomData` with a document of the user, for one example: the forms of a result that are not its layers.

use super::layers::layers;
use super::program;
use super::snapshots::Snapshots;

const EXAMPLE: [&str; 2] = ["--example", "ubuntu-azure-cni"];

/// What a machine can be: with everything that a template asks for, and without any of it.
const MACHINES: [(&str, &[&str]); 2] = [
    ("complete", &["--route", "scriptless", "--set", "ipv6_dual_stack_enabled=true"]),
    (
        "bare",
        &[
            "--route",
            "node-bootstrap-variables",
            "--no-validate",
            "--set",
            "vm_size=",
            "--set",
            "cluster_config.location=",
            "--set",
            "auth_config.use_managed_identity_extension=false",
            "--set",
            "auth_config.assigned_identity_id=",
            "--set",
            "auth_config.service_principal_id=app",
        ],
    ),
];

#[test]
fn resources_are_what_is_kept() {
    let mut snapshots = Snapshots::below("scenarios/resources");
    for (machine, arguments) in MACHINES {
        let generate = |format: &str| {
            let (made, errors) = program(&[&["generate"], &EXAMPLE[..], &["--format", format], arguments].concat());
            assert!(!made.is_empty(), "{machine}, {format}: {errors}");
            made
        };
        // It is a scenario of its route.
        let result: serde_json::Value = serde_json::from_str(&generate("json")).expect("it is JSON");
        let custom_data = result["customData"].as_str().expect("every route has CustomData");
        for (format, extension) in [("arm", "json"), ("arm-vm", "json"), ("bicep", "bicep"), ("terraform-hcl", "tf")] {
            let made = generate(format).replace(custom_data, "(CustomData)");
            snapshots.file(&format!("{machine}/{format}.{extension}"), made);
        }
    }
    snapshots.has_no_others();
}

#[test]
fn a_document_of_the_user_gives_what_is_kept() {
    let mut snapshots = Snapshots::below("scenarios/user_data");
    let arguments = [&EXAMPLE[..], &["--route", "scriptless", "--user-data", "user_data/agents.mime"]].concat();
    let document = layers(&arguments).0.remove("custom_data.mime").expect("both documents are in one of MIME");
    snapshots.file("custom_data.mime", document);
    snapshots.has_no_others();
}
