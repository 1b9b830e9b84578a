//! `--nbc` and `convert --from nbc`: what is told about a NodeBootstrappingConfiguration.

use serde_json::Value;

use super::{Run, run, run_with};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/testdata/nbc/ubuntu.json");

fn request() -> Value {
    serde_json::from_str(&std::fs::read_to_string(FILE).expect("the request is there")).expect("JSON")
}

fn generate(request: &Value) -> Run {
    run_with(&["generate", "--route", "scripted", "--nbc", "-"], request.to_string().as_bytes())
}

#[test]
fn a_request_becomes_both_artefacts_and_a_configuration() {
    let made = run(&["generate", "--route", "scripted", "--nbc", FILE]);
    assert_eq!((made.code, &*made.stderr), (Some(0), ""));
    let made: Value = serde_json::from_str(&made.stdout).expect("JSON");
    assert_eq!((&made["route"], &made["os"]), (&Value::from("scripted"), &Value::from("ubuntu")));
    let line = made["cse"].as_str().expect("a command");
    assert!(line.contains(" KUBERNETES_VERSION=1.33.2 ") && !line.contains('\n'), "{line}");
    let converted = run(&["convert", "--from", "nbc", FILE]);
    assert_eq!((converted.code, &*converted.stderr), (Some(0), ""));
    let again = run_with(&["generate", "--route", "scriptless", "--config", "-"], converted.stdout.as_bytes());
    assert_eq!(again.code, Some(0), "{}", again.stderr);
}

#[test]
fn what_cannot_be_carried_over_is_told_with_its_place() {
    let mut request = request();
    request["ContainerService"]["properties"]["orchestratorProfile"]["kubernetesConfig"]["networkPolicy"] =
        "cilium".into();
    let converted = run_with(&["convert", "--from", "nbc", "-"], format!("{request:#}").as_bytes());
    assert_eq!(converted.code, Some(0));
    let told = "warning: ContainerService.properties.orchestratorProfile.kubernetesConfig.networkPolicy: cannot be carried over";
    assert!(converted.stderr.contains(told) && converted.stderr.starts_with("<stdin>:"), "{}", converted.stderr);
}

#[test]
fn what_is_wrong_is_told_all_at_once_with_places_and_ways_out() {
    let mut wrong = request();
    wrong["TenantID"] = 5.into();
    wrong["KubeletClientTLSBootstrapToken"] = serde_json::json!(["s3cret"]);
    wrong["AgentPoolProfile"]["distro"] = "aks-ubuntu-containerd-22.04-gen3".into();
    wrong["AgentPoolProfile"]["customLinuxOSConfig"]["transparentHugePageEnabled"] = "sometimes".into();
    wrong["CloudSpecConfig"]["cloudName"] = "MyCloud".into();
    let refused = generate(&wrong);
    assert_eq!((refused.code, &*refused.stdout), (Some(1), ""));
    for told in [
        "TenantID: must be a string, found 5",
        "KubeletClientTLSBootstrapToken: must be a string, found a list (not shown: the field is secret)",
        "AgentPoolProfile.distro: names no known image",
        "did you mean `aks-ubuntu-containerd-22.04-gen2`?",
        "AgentPoolProfile.customLinuxOSConfig.transparentHugePageEnabled: must be one of always, madvise, never, found \"sometimes\"",
        "CloudSpecConfig.cloudName: names no known cloud: \"MyCloud\"",
    ] {
        assert!(refused.stderr.contains(told), "{told}\n{}", refused.stderr);
    }
    assert!(!refused.stderr.contains("s3cret"));
}

#[test]
fn what_the_route_cannot_do_without_is_required() {
    for (text, told) in [
        ("{}", "ContainerService.properties: is required"),
        ("[]", "the document: must be an object"),
        ("{\"TenantID\"", "has invalid syntax"),
        ("", "is empty"),
    ] {
        let refused = run_with(&["generate", "--route", "scripted", "--nbc", "-", "--no-validate"], text.as_bytes());
        assert_eq!((refused.code, &*refused.stdout), (Some(1), ""), "{text}");
        assert!(refused.stderr.contains(told), "{told}\n{}", refused.stderr);
    }
    let mut request = request();
    let kubernetes = &mut request["ContainerService"]["properties"]["orchestratorProfile"]["kubernetesConfig"];
    kubernetes.as_object_mut().expect("an object").remove("cloudProviderBackoff");
    let refused = generate(&request);
    assert!(refused.stderr.contains("cloudProviderBackoff: is required"), "{}", refused.stderr);
    assert!(refused.stderr.contains("say true or false"), "{}", refused.stderr);
}

#[test]
fn flags_that_do_not_go_together_are_refused() {
    for arguments in [
        &["generate", "--route", "scripted", "--nbc", FILE, "--os", "ubuntu"][..],
        &["generate", "--nbc", FILE, "--containerd-version", "2.0.0"],
        &["generate", "--route", "scripted", "--nbc", FILE, "--config", FILE],
        &["convert", "--from", "nbc"],
        &["convert", "--from", "karpenter", FILE],
    ] {
        assert_eq!(run(arguments).code, Some(2), "{arguments:?}");
    }
}

#[test]
fn names_are_read_in_any_case_and_the_limit_of_memory_has_its_blank() {
    let text = std::fs::read_to_string(FILE).expect("the request is there");
    let lower = text.replace("\"TenantID\"", "\"tenantid\"").replace("\"ContainerService\"", "\"containerservice\"");
    let made = run_with(&["generate", "--route", "scripted", "--nbc", "-", "--format", "cse"], lower.as_bytes());
    let same = run(&["generate", "--route", "scripted", "--nbc", FILE, "--format", "cse"]);
    assert_eq!((made.code, made.stdout), (Some(0), same.stdout));
    let mut request = request();
    for (name, kept) in [("maxLockedMemory ", true), ("maxLockedMemory", false)] {
        request["AgentPoolProfile"]["customLinuxOSConfig"]["ulimitConfig"] = serde_json::json!({name: "75000"});
        assert_eq!(generate(&request).stdout.contains("LimitMEMLOCK=75000"), kept, "{name:?}");
    }
}
