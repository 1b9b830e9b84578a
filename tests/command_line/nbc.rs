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
    let told =
        "warning: ContainerService.properties.orchestratorProfile.kubernetesConfig.networkPolicy: cannot be converted";
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
        "AgentPoolProfile.distro: must be the name of an AKS image",
        "did you mean `aks-ubuntu-containerd-22.04-gen2`?",
        "AgentPoolProfile.customLinuxOSConfig.transparentHugePageEnabled: must be one of always, madvise, never, found \"sometimes\"",
        "CloudSpecConfig.cloudName: must be the name of a cloud, found \"MyCloud\"",
    ] {
        assert!(refused.stderr.contains(told), "{told}\n{}", refused.stderr);
    }
    assert!(!refused.stderr.contains("s3cret"));
}

#[test]
fn a_value_that_breaks_a_rule_is_found_at_the_field_of_the_request() {
    let pool = "AgentPoolProfile";
    let properties = "ContainerService.properties";
    for (pointer, value, expected) in [
        ("/KubeletConfig/--max-pods", "-1".into(), "KubeletConfig[\"--max-pods\"]: must be at least 0".to_owned()),
        (
            "/KubeletConfig/--container-runtime",
            "x".into(),
            "KubeletConfig[\"--container-runtime\"]: was removed".to_owned(),
        ),
        ("/KubeletConfig/--cluster-dns", "10.0.0".into(), "KubeletConfig[\"--cluster-dns\"]: must be".to_owned()),
        ("/KubeletConfig/--authorization-mode", "X".into(), "KubeletConfig[\"--authorization-mode\"]: must".to_owned()),
        ("/AgentPoolProfile/customNodeLabels/a b", "x".into(), format!("{pool}.customNodeLabels[\"a b\"]: must be")),
        ("/AgentPoolProfile/name", "two words".into(), format!("{pool}.name: must be a label value")),
        ("/AgentPoolProfile/vmSize", "D8".into(), format!("{pool}.vmSize: must be the name of a VM size")),
        (
            "/AgentPoolProfile/customLinuxOSConfig/sysctls/vmMaxMapCount",
            1.into(),
            format!("{pool}.customLinuxOSConfig.sysctls.vmMaxMapCount: must be 65530 to 262144"),
        ),
        (
            "/AgentPoolProfile/customLinuxOSConfig/ulimitConfig",
            serde_json::json!({"noFile": "unlimited"}),
            format!("{pool}.customLinuxOSConfig.ulimitConfig.noFile: must be a number"),
        ),
        (
            "/AgentPoolProfile/customKubeletConfig/cpuManagerPolicy",
            "dynamic".into(),
            format!("{pool}.customKubeletConfig.cpuManagerPolicy: must be `none` or `static`"),
        ),
        (
            "/AgentPoolProfile/kubernetesConfig/dnsServiceIP",
            "10.0.0".into(),
            format!("{pool}.kubernetesConfig.dnsServiceIP: must be an IP address"),
        ),
        (
            "/ContainerService/properties/certificateProfile/caCertificate",
            "no certificate".into(),
            format!("{properties}.certificateProfile.caCertificate: must be base64 of a PEM certificate"),
        ),
        (
            "/ContainerService/properties/agentPoolProfiles/0/vnetSubnetID",
            "/subscriptions/s".into(),
            format!("{properties}.agentPoolProfiles[0].vnetSubnetID: is required"),
        ),
        (
            "/ContainerService/properties/orchestratorProfile/orchestratorVersion",
            "1.33".into(),
            format!("{properties}.orchestratorProfile.orchestratorVersion: must be a full version"),
        ),
        ("/IsARM64", true.into(), "IsARM64: is true, but `Standard_D8s_v5` has".to_owned()),
        (
            "/AgentPoolProfile/distro",
            "aks-ubuntu-arm64-containerd-22.04-gen2".into(),
            format!("{pool}.distro: is an image for arm64, but `Standard_D8s_v5` has"),
        ),
        ("/EnableNvidia", true.into(), "EnableNvidia: is `true`, but".to_owned()),
        (
            "/K8sComponents/LinuxCredentialProviderURL",
            "https://a.example/v1.33.0/provider-arm64.tgz".into(),
            "K8sComponents.LinuxCredentialProviderURL: is a download for arm64".to_owned(),
        ),
        (
            "/HTTPProxyConfig",
            serde_json::json!({"httpProxy": "http://proxy.example:3128/", "noProxy": ["localhost"]}),
            "HTTPProxyConfig.noProxy: has no entry for".to_owned(),
        ),
        (
            "/ContainerService/properties/orchestratorProfile/orchestratorVersion",
            "1.27.9".into(),
            format!("{properties}.orchestratorProfile.orchestratorVersion: is a version of Kubernetes without"),
        ),
        (
            "/AgentPoolProfile/kubernetesConfig/dnsServiceIP",
            "169.254.1.1".into(),
            format!("{pool}.kubernetesConfig.dnsServiceIP: must be the address of a service"),
        ),
        ("/CSETimeout", 99_999.into(), "CSETimeout: must be 1 to 21600".to_owned()),
        ("/SubscriptionID", Value::Null, "SubscriptionID: is required".to_owned()),
    ] {
        let mut broken = request();
        let (object, name) = pointer.rsplit_once('/').expect("a pointer has a slash");
        let object = broken.pointer_mut(object).expect(pointer);
        match object {
            Value::Array(list) => list[0] = value,
            object => object[name] = value,
        }
        let text = format!("{broken:#}");
        let report = run_with(&["generate", "--route", "scripted", "--nbc", "-"], text.as_bytes()).stderr;
        let found =
            report.lines().find(|line| line.contains(&expected)).unwrap_or_else(|| panic!("{expected}\n{report}"));
        let line = found.strip_prefix("<stdin>:").and_then(|rest| rest.split(':').next()?.parse::<usize>().ok());
        let line = text.lines().nth(line.expect("the finding has a line") - 1).expect("the line is in the request");
        let (path, _) = expected.split_once(": ").expect("a finding has a path");
        let last = path.trim_end_matches("\"]").rsplit(['.', '"']).next().expect("a path has a last name");
        assert!(line.contains(&format!("{last:?}")), "{found}\n{line}");
    }
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
    assert!(refused.stderr.contains("write `true` or `false`"), "{}", refused.stderr);
}

#[test]
fn flags_that_do_not_go_together_are_refused() {
    for arguments in [
        &["generate", "--route", "scripted", "--nbc", FILE, "--os", "ubuntu"][..],
        &["generate", "--nbc", FILE, "--containerd-version", "2.0.0"],
        &["generate", "--route", "scripted", "--nbc", FILE, "--config", FILE],
        &["convert", "--from", "nbc"],
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
