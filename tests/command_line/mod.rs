//! The program as people and other programs call it: names, shapes, exit codes, and what bad input earns.

mod bad_input;
mod bases;
mod batch;
mod bundles;
mod completions;
mod controller;
mod diff;
mod endless;
mod explain;
mod facts;
mod findings;
mod help;
mod inputs;
mod karpenter;
mod karpenter_rules;
mod layers;
mod nbc;
mod new;
mod new_choices;
mod new_foreign;
mod new_names;
mod new_networks;
mod new_shapes;
mod outputs;
mod pictures;
mod requirements;
mod resources;
mod shapes;
mod terminal;
mod user_data;

use std::io::Write;
use std::process::{Command, Stdio};

/// What a run of the program gave.
pub(crate) struct Run {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// Runs the program with arguments and something on its standard input.
pub(crate) fn run_with(arguments: &[&str], input: &[u8]) -> Run {
    let mut child = Command::new(env!("CARGO_BIN_EXE_aks-node-controller"))
        .args(arguments)
        .env("NO_COLOR", "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("cargo built the program");
    let mut stdin = child.stdin.take().expect("it was piped");
    let input = input.to_vec();
    let writer = std::thread::spawn(move || {
        // The program may be done before it has read all.
        let _ = stdin.write_all(&input);
    });
    let ended = child.wait_with_output().expect("it ends");
    writer.join().expect("the writer does not panic");
    let text = |bytes| String::from_utf8(bytes).expect("the program writes text");
    Run { code: ended.status.code(), stdout: text(ended.stdout), stderr: text(ended.stderr) }
}

/// Runs the program with arguments alone.
pub(crate) fn run(arguments: &[&str]) -> Run {
    run_with(arguments, b"")
}

/// Runs the program and takes its stdout for JSON.
pub(crate) fn json(arguments: &[&str]) -> serde_json::Value {
    let run = run(arguments);
    assert_eq!(run.code, Some(0), "{arguments:?}: {}", run.stderr);
    serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("{arguments:?}: {error}"))
}

/// The smallest document that `validate` has no error for.
pub(crate) const SMALL: &str = r#"{"version": "v1", "kubernetes_version": "1.33.2",
    "kubelet_config": {"kubelet_flags": {"--max-pods": "30"}},
    "kubernetes_ca_cert": "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCk1JSUJQekNCNTZBREFnRUNBaFJWeWk1Z3dGanZUNnVjYTl2T2w5MHRXTU5BaVRBS0JnZ3Foa2pPUFFRREFqQU4KTVFzd0NRWURWUVFEREFKallUQWdGdzB5TlRBeE1ERXdNREF3TURCYUdBOHlNVEkxTURFd01UQXdNREF3TUZvdwpEVEVMTUFrR0ExVUVBd3dDWTJFd1dUQVRCZ2NxaGtqT1BRSUJCZ2dxaGtqT1BRTUJCd05DQUFTS01oeEtnbnoxCms3WDZUV0c3T25XUVY5c0c1SjE2QzJCdlExa3hRQVk3TUViSlU0aWk5dzBlUHhDdVVId05lZWZnS2NDNHU2cHQKbVlZeU5NK1Y1RW1Mb3lNd0lUQVBCZ05WSFJNQkFmOEVCVEFEQVFIL01BNEdBMVVkRHdFQi93UUVBd0lDaERBSwpCZ2dxaGtqT1BRUURBZ05IQURCRUFpQXFLaWdycDBtQnVDMm82MHQwZXFJOFBzejZ0aWh2TlkwTStodnpDQ0lOCjF3SWdkdFZSMTcxVi9JVVhwdE1XcWwxUmtGaVFkLzAvRVg3cWd5bEdnV0lJVXhFPQotLS0tLUVORCBDRVJUSUZJQ0FURS0tLS0tCg==",
    "auth_config": {"subscription_id": "8d0ff1a2-0c5e-4f4e-93a5-5a1c7e2b9d10",
        "tenant_id": "0b1f3a52-6c1d-4c39-9a77-2f0d8e5b4c61", "service_principal_id": "msi"},
    "api_server_config": {"api_server_name": "demo.hcp.westeurope.azmk8s.io"},
    "bootstrapping_config": {"tls_bootstrapping_token": "k3x9q2.7m4d0z8v1n6c5b2a"},
    "network_config": {"network_plugin": "NETWORK_PLUGIN_AZURE"},
    "cluster_config": {"resource_group": "rg", "location": "westeurope", "vm_type": "VM_TYPE_VMSS",
        "cluster_network_config": {"vnet_name": "vnet", "route_table": "table"}}}"#;
