//! What the API server rejects in Karpenter's objects by the rules of their CRDs, after it has added the defaults.
//! <https://github.com/Azure/karpenter-provider-azure/tree/main/pkg/apis/crds>

use serde_json::{Value, json};

use super::run_with;

/// A NodePool with the members that a change can be in.
fn pool() -> Value {
    json!({
        "apiVersion": "karpenter.sh/v1",
        "kind": "NodePool",
        "metadata": {"name": "shop"},
        "spec": {
            "disruption": {"consolidateAfter": "30s", "budgets": [{"nodes": "20%", "reasons": ["Empty", "Drifted"]}]},
            "template": {
                "metadata": {"labels": {"team": "shop"}, "annotations": {"a": "b"}},
                "spec": spec(),
            },
        },
    })
}

fn spec() -> Value {
    json!({
        "nodeClassRef": {"group": "karpenter.azure.com", "kind": "AKSNodeClass", "name": "shop"},
        "requirements": [{"key": "kubernetes.io/arch", "operator": "In", "values": ["amd64"]}],
        "taints": [{"key": "team", "value": "shop", "effect": "NoSchedule"}],
    })
}

fn claim() -> Value {
    let mut spec = spec();
    spec["resources"] = json!({"requests": {"cpu": "2", "memory": "4Gi", "pods": 11}});
    json!({"apiVersion": "karpenter.sh/v1", "kind": "NodeClaim", "metadata": {"name": "shop-a1b2c"}, "spec": spec})
}

fn class(spec: &Value) -> Value {
    json!({"apiVersion": "karpenter.azure.com/v1beta1", "kind": "AKSNodeClass", "metadata": {"name": "shop"}, "spec": spec})
}

/// Replaces the value at a pointer, or removes it if the new one is `null`.
fn changed(mut object: Value, pointer: &str, value: Value) -> Value {
    let (parent, name) = pointer.rsplit_once('/').expect("a pointer has a name");
    let parent = object.pointer_mut(parent).unwrap_or_else(|| panic!("{pointer} is there"));
    match parent {
        Value::Object(members) if value.is_null() => drop(members.remove(name)),
        Value::Object(members) => drop(members.insert(name.to_owned(), value)),
        Value::Array(list) => list[name.parse::<usize>().expect("a number")] = value,
        _ => panic!("{pointer} is in an object or a list"),
    }
    object
}

/// Checks the findings of `validate`: their severities, and a part of the first one.
fn has(object: &Value, severities: &[&str], part: &str) {
    let run = run_with(&["validate", "-", "--format", "json"], object.to_string().as_bytes());
    let report: Value = serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("{error}: {}", run.stderr));
    let findings = report["findings"].as_array().expect("it is a list");
    let found: Vec<_> = findings.iter().filter_map(|finding| finding["severity"].as_str()).collect();
    assert_eq!(found, severities, "{object}: {report}");
    let first = findings.first().map(|finding| format!("{} {}", finding["path"], finding["problem"]));
    assert!(first.unwrap_or_default().contains(part), "{part}: {report}");
}

#[test]
fn the_api_server_accepts_the_unchanged_objects() {
    for object in [pool(), claim(), class(&json!({"imageFamily": "Ubuntu"}))] {
        has(&object, &[], "");
    }
}

#[test]
fn a_budget_lasts_hours_then_minutes() {
    for (duration, is_accepted) in [
        ("8h", true),
        ("30m", true),
        ("1h30m", true),
        ("1h30m0s", true),
        ("30m0s", true),
        ("30m1h", false),
        ("1h1h", false),
        ("30m15m", false),
        ("1h30", false),
        ("h30m", false),
        ("0s", false),
        ("90s", false),
    ] {
        let budget = json!({"nodes": "0", "schedule": "@daily", "duration": duration});
        let object = changed(pool(), "/spec/disruption/budgets/0", budget);
        has(&object, if is_accepted { &[] } else { &["error"] }, if is_accepted { "" } else { "budgets[0].duration" });
    }
}

#[test]
fn lists_have_as_many_elements_as_the_api_server_accepts() {
    let budgets = |count: usize| json!(vec![json!({"nodes": "1"}); count]);
    let requirements = |count: usize| {
        let keys = (0..count).map(|at| json!({"key": format!("team.example/{at}"), "operator": "Exists"}));
        keys.collect::<Value>()
    };
    let labels = |count: usize| (0..count).map(|at| (format!("l{at}"), Value::from("x"))).collect::<Value>();
    for (object, pointer, most, make) in [
        (pool(), "/spec/disruption/budgets", 50, &budgets as &dyn Fn(usize) -> Value),
        (pool(), "/spec/template/spec/requirements", 100, &requirements as &dyn Fn(usize) -> Value),
        (claim(), "/spec/requirements", 100, &requirements as &dyn Fn(usize) -> Value),
        (pool(), "/spec/template/metadata/labels", 100, &labels as &dyn Fn(usize) -> Value),
    ] {
        has(&changed(object.clone(), pointer, make(most)), &[], "");
        let part = format!("must have at most {most} elements, found {}", most + 1);
        has(&changed(object, pointer, make(most + 1)), &["error"], &part);
    }
}

#[test]
fn what_the_rules_of_the_crds_reject_is_an_error() {
    for (object, pointer, value, part) in [
        (pool(), "/spec/disruption/budgets/0/reasons", json!(["Empty", "Empty"]), "must not have `Empty` twice"),
        (pool(), "/spec/template", Value::Null, "\"spec.template\" \"is required\""),
        (pool(), "/spec/template/spec", Value::Null, "\"spec.template.spec\" \"is required\""),
        (pool(), "/spec/template/spec/nodeClassRef/name", json!(""), "nodeClassRef"),
        (claim(), "/spec/nodeClassRef/name", json!(""), "nodeClassRef"),
        (pool(), "/spec/template/metadata/annotations/a", json!(5), "annotations"),
        (pool(), "/spec/template/metadata/annotations", json!("x"), "annotations"),
        (claim(), "/metadata/annotations", json!({"a": true}), "annotations"),
        (pool(), "/spec/template/spec/taints/0/value", json!(""), "taints[0].value"),
        (claim(), "/spec/taints/0/value", json!(""), "taints[0].value"),
        (claim(), "/spec/resources", json!("x"), "spec.resources"),
        (claim(), "/spec/resources/requests", json!([]), "spec.resources.requests"),
        (claim(), "/spec/resources/requests/memory", json!("4gb"), "spec.resources.requests"),
        (claim(), "/spec/resources/requests/cpu", json!("two"), "spec.resources.requests"),
    ] {
        has(&changed(object, pointer, value), &["error"], part);
    }
}

#[test]
fn a_spec_without_requirements_is_a_warning() {
    for (object, pointer) in [(pool(), "/spec/template/spec/requirements"), (claim(), "/spec/requirements")] {
        has(&changed(object.clone(), pointer, Value::Null), &["warning"], "requirements\" \"is required");
        has(&changed(object, pointer, json!([])), &[], "");
    }
}

#[test]
fn the_image_family_has_its_default_before_the_rules_apply() {
    for (spec, part) in [
        (json!({"fipsMode": "FIPS"}), ""),
        (json!({"fipsMode": "FIPS", "security": {"trustedLaunch": {"vtpm": true}}}), ""),
        (json!({"fipsMode": "FIPS", "imageFamily": "Ubuntu"}), ""),
        (json!({"fipsMode": "FIPS", "imageFamily": "Ubuntu2204"}), "needs trusted launch"),
        (json!({"fipsMode": "FIPS", "imageFamily": "Ubuntu2404"}), "is not available"),
    ] {
        has(&class(&spec), if part.is_empty() { &[] } else { &["error"] }, part);
    }
}

#[test]
fn times_of_zones_have_whole_numbers_of_seconds_minutes_and_hours() {
    let zone = |name: &str, time: &str| {
        json!({"zone": name, "queryLogging": "Error", "protocol": "PreferUDP", "forwardDestination": "ClusterCoreDNS",
            "forwardPolicy": "Sequential", "maxConcurrent": 1000, "cacheDuration": time, "serveStaleDuration": "1h",
            "serveStale": "Immediate"})
    };
    for (time, is_accepted) in [
        ("3600s", true),
        ("1h30m", true),
        ("30m1h", true),
        ("1.5h", false),
        ("500ms", false),
        ("0", false),
        ("-1h", false),
    ] {
        let mut root = zone(".", time);
        let in_cluster = zone("cluster.local", "1h");
        let kube = json!([root, in_cluster]);
        root["forwardDestination"] = "VnetDNS".into();
        root["cacheDuration"] = "1h".into();
        let dns = json!({"mode": "Required", "vnetDNSOverrides": [root, in_cluster], "kubeDNSOverrides": kube});
        let part = if is_accepted { "" } else { "kubeDNSOverrides[0].cacheDuration" };
        has(&class(&json!({"localDNS": dns})), if is_accepted { &[] } else { &["error"] }, part);
    }
}

#[test]
fn the_node_class_of_another_cloud_is_named_where_that_of_azure_is_missing() {
    let foreign = json!({"apiVersion": "karpenter.k8s.aws/v1", "kind": "EC2NodeClass", "metadata": {"name": "shop"}});
    let list = |items: Value| json!({"apiVersion": "v1", "kind": "List", "items": items}).to_string();
    let run = run_with(&["generate", "-"], list(json!([pool(), foreign])).as_bytes());
    assert_eq!(run.code, Some(2), "{}", run.stderr);
    let (before, after) = run.stderr.split_once("--node-class is missing").expect("it is named");
    assert!(!before.contains("EC2NodeClass"), "{}", run.stderr);
    assert!(after.contains("EC2NodeClass is the node class of another cloud"), "{}", run.stderr);
    // Beside the one of Azure, it is not needed.
    let run = run_with(&["generate", "-"], list(json!([pool(), foreign, class(&json!({}))])).as_bytes());
    assert!(run.stderr.contains("a node does not need them: EC2NodeClass"), "{}", run.stderr);
}

#[test]
fn version_v1beta1_requires_only_the_name_of_a_node_class() {
    for (version, severities) in [("v1beta1", &[][..]), ("v1", &["warning", "warning"])] {
        for (object, pointer) in [(pool(), "/spec/template/spec/nodeClassRef"), (claim(), "/spec/nodeClassRef")] {
            let object = changed(object, "/apiVersion", json!(format!("karpenter.sh/{version}")));
            has(&changed(object, pointer, json!({"name": "shop"})), severities, "");
        }
    }
}
