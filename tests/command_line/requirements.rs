//! Requirements of Karpenter's objects: the VM size that they select, and what Karpenter rejects in them.

use std::fs;

use serde_json::{Value, json};

use super::{Run, run};
use crate::support::Scratch;

fn kept(name: &str) -> String {
    let path = format!("{}/testdata/karpenter_bundles/{name}", env!("CARGO_MANIFEST_DIR"));
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// A NodePool, its node class, some VM sizes, settings, and facts of the cluster.
fn objects(sizes: &[&str]) -> Vec<Value> {
    let list: Value = serde_json::from_str(&kept("objects.json")).expect("JSON");
    let object = |kind: &str| list["items"].as_array().and_then(|all| all.iter().find(|one| one["kind"] == kind));
    let skus: Vec<Value> = serde_json::from_str(&kept("skus.json")).expect("JSON");
    let settings = kept("settings.env");
    let pairs = settings.lines().filter_map(|line| line.split_once('='));
    let settings: serde_json::Map<_, _> = pairs.map(|(name, value)| (name.to_owned(), Value::from(value))).collect();
    let mut objects = vec![
        object("NodePool").expect("there is one").clone(),
        object("AKSNodeClass").expect("there is one").clone(),
        json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "karpenter"}, "data": settings}),
    ];
    objects.extend(skus.into_iter().filter(|sku| sizes.iter().any(|size| sku["name"] == *size)));
    objects
}

fn run_list(command: &[&str], items: &[Value]) -> Run {
    let list = json!({"apiVersion": "v1", "kind": "List", "items": items});
    let scratch = Scratch::new("requirements");
    let file = scratch.join("list.json");
    fs::write(&file, list.to_string()).expect("scratch is writable");
    let path = format!("{}/testdata/karpenter_bundles/kubeconfig.yaml", env!("CARGO_MANIFEST_DIR"));
    run(&[command, &[file.to_str().expect("text"), &path]].concat())
}

/// Runs a command with the objects, after a change of the NodePool's template.
fn with_pool(command: &[&str], sizes: &[&str], change: impl Fn(&mut Value)) -> Run {
    let mut objects = objects(sizes);
    change(&mut objects[0]["spec"]["template"]);
    run_list(command, &objects)
}

fn require(requirements: Value) -> impl Fn(&mut Value) {
    move |template| template["spec"]["requirements"] = requirements.clone()
}

const SIZES: [&str; 3] = ["Standard_D2s_v5", "Standard_D4s_v5", "Standard_E4s_v5"];

#[test]
fn numbers_and_existing_labels_select_a_vm_size() {
    let family = json!({"key": "karpenter.azure.com/sku-family", "operator": "In", "values": ["D"]});
    for (key, operator, values, expected) in [
        ("sku-cpu", "Gt", json!(["3"]), "Standard_D4s_v5"),
        ("sku-cpu", "Gte", json!(["4"]), "Standard_D4s_v5"),
        ("sku-cpu", "Lt", json!(["4"]), "Standard_D2s_v5"),
        ("sku-cpu", "Lte", json!(["2"]), "Standard_D2s_v5"),
        ("sku-memory", "Gt", json!(["8192"]), "Standard_D4s_v5"),
    ] {
        let key = format!("karpenter.azure.com/{key}");
        let number = json!({"key": key, "operator": operator, "values": values});
        let known = json!({"key": "karpenter.azure.com/sku-storage-premium-capable", "operator": "Exists"});
        let no_gpu = json!({"key": "karpenter.azure.com/sku-gpu-name", "operator": "DoesNotExist"});
        let made = with_pool(&["env"], &SIZES, require(json!([family, number, known, no_gpu])));
        let label = format!("node.kubernetes.io/instance-type={expected}");
        assert!(made.stdout.contains(&label), "{key} {operator}: {}", made.stderr);
        assert!(made.stdout.contains("--kube-reserved=cpu="), "{key} {operator}: {}", made.stdout);
        assert!(!made.stderr.contains("karpenter-vm-size"), "{key} {operator}: {}", made.stderr);
    }
}

#[test]
fn a_vm_size_that_does_not_satisfy_a_requirement_is_named() {
    for (key, operator, values, expected) in [
        ("sku-cpu", "Gt", json!(["4"]), "allows more than `4`, but the VM size has `4` as"),
        ("sku-cpu", "Lt", json!(["4"]), "allows less than `4`, but the VM size has `4` as"),
        ("sku-gpu-name", "In", json!(["T4"]), "allows `T4`, but the VM size has no `karpenter.azure.com/sku-gpu-name`"),
        ("sku-gpu-manufacturer", "Exists", json!([]), "allows any value, but the VM size has no"),
        ("sku-storage-premium-capable", "DoesNotExist", json!([]), "allows no value, but the VM size has `true` as"),
    ] {
        let key = format!("karpenter.azure.com/{key}");
        let requirement = json!([{"key": key, "operator": operator, "values": values}]);
        let made = with_pool(&["env"], &["Standard_D4s_v5"], require(requirement));
        assert!(made.stderr.contains(expected), "{key} {operator}: {}", made.stderr);
    }
    let labels = [("kubernetes.io/arch", "arm64", "amd64"), ("karpenter.azure.com/sku-cpu", "8", "4")];
    for (key, value, of_size) in labels {
        let label = |template: &mut Value| template["metadata"]["labels"][key] = value.into();
        let made = with_pool(&["env"], &["Standard_D4s_v5"], label);
        let expected = format!("labels[\"{key}\"]: is `{value}`, but the VM size has `{of_size}`");
        assert!(made.stderr.contains(&expected), "{key}: {}", made.stderr);
    }
    let none = json!([{"key": "karpenter.azure.com/sku-cpu", "operator": "Gt", "values": ["64"]}]);
    let made = with_pool(&["env"], &SIZES, require(none));
    let expected = "has 3 VM sizes, of which none satisfies every requirement of the node";
    let hint = "hint: no size has more than `64` as `karpenter.azure.com/sku-cpu`";
    assert!(made.stderr.contains(expected) && made.stderr.contains(hint), "{}", made.stderr);
}

#[test]
fn labels_and_keys_that_karpenter_keeps_for_itself_are_errors() {
    let label = |key: &str| {
        let key = key.to_owned();
        move |template: &mut Value| template["metadata"]["labels"][&key] = "a".into()
    };
    let sizes = ["Standard_D4s_v5"];
    for key in ["karpenter.sh/nodepool", "kubernetes.io/hostname", "karpenter.azure.com/sku"] {
        let made = with_pool(&["generate"], &sizes, label(key));
        assert_eq!((made.code, &*made.stdout), (Some(1), ""), "{key}: {}", made.stderr);
        assert!(made.stderr.contains(&format!("labels[\"{key}\"]")), "{key}: {}", made.stderr);
    }
    // Before version 1.13, Karpenter accepted every label of AKS.
    for key in ["agentpool", "kubernetes.azure.com/agentpool"] {
        let made = with_pool(&["env"], &sizes, label(key));
        assert!(made.stderr.contains("from version 1.13 on"), "{key}: {}", made.stderr);
        assert!(made.code == Some(0) && made.stdout.contains(&format!("{key}=a")), "{key}: {}", made.stderr);
    }
    for key in ["kubernetes.azure.com/ebpf-dataplane", "team.example/agentpool", "team"] {
        let made = with_pool(&["env"], &sizes, label(key));
        assert!(!made.stderr.contains("karpenter-value"), "{key}: {}", made.stderr);
    }
    let pool = json!([{"key": "karpenter.sh/nodepool", "operator": "In", "values": ["general"]}]);
    let made = with_pool(&["generate"], &sizes, require(pool));
    assert!(made.code == Some(1) && made.stderr.contains("requirements[0].key"), "{}", made.stderr);
}

/// They make no difference for a node, but the API server does not accept a pool with them.
#[test]
fn members_of_a_pool_that_karpenter_rejects_are_errors() {
    let with = |change: &dyn Fn(&mut Value)| {
        let mut objects = objects(&["Standard_D4s_v5"]);
        change(&mut objects[0]["spec"]);
        run_list(&["generate"], &objects)
    };
    let budget = |budget: Value| json!({"consolidateAfter": "5m", "budgets": [{"nodes": "10%"}, budget]});
    for (name, value, path) in [
        (
            "disruption",
            json!({"consolidationPolicy": "WhenUnused", "consolidateAfter": "5m"}),
            "disruption.consolidationPolicy",
        ),
        ("disruption", json!({}), "disruption.consolidateAfter: is required"),
        ("disruption", json!({"consolidateAfter": "1.5h"}), "disruption.consolidateAfter"),
        ("disruption", json!({"consolidateAfter": "-1m"}), "disruption.consolidateAfter"),
        ("disruption", budget(json!({"nodes": "half"})), "disruption.budgets[1].nodes"),
        ("disruption", budget(json!({"nodes": "120%"})), "disruption.budgets[1].nodes"),
        ("disruption", budget(json!({"nodes": 3})), "disruption.budgets[1].nodes"),
        ("disruption", budget(json!({"nodes": "3", "reasons": ["Drift"]})), "disruption.budgets[1].reasons"),
        ("disruption", budget(json!({"nodes": "3", "duration": "8h"})), "disruption.budgets[1].schedule: is required"),
        (
            "disruption",
            budget(json!({"nodes": "3", "schedule": "@daily"})),
            "disruption.budgets[1].duration: is required",
        ),
        (
            "disruption",
            budget(json!({"nodes": "3", "duration": "90s", "schedule": "every day"})),
            "disruption.budgets[1].schedule",
        ),
        ("weight", json!(0), "weight"),
        ("weight", json!(101), "weight"),
        ("weight", json!("10"), "weight"),
        ("replicas", json!(-1), "replicas"),
        ("limits", json!({"memory": "1600GB"}), "limits[\"memory\"]"),
    ] {
        let made = with(&|spec| spec[name] = value.clone());
        assert_eq!((made.code, &*made.stdout), (Some(1), ""), "{name} {value}: {}", made.stderr);
        assert!(made.stderr.contains(&format!("error: items[0].spec.{path}")), "{name} {value}: {}", made.stderr);
    }
    for (name, value) in [("expireAfter", "30d"), ("expireAfter", "h"), ("terminationGracePeriod", "Never")] {
        let made = with(&|spec| spec["template"]["spec"][name] = value.into());
        let expected = format!("error: items[0].spec.template.spec.{name}: must be hours, minutes and seconds");
        assert!(made.code == Some(1) && made.stderr.contains(&expected), "{name} {value}: {}", made.stderr);
    }
    for (name, value, path) in
        [("weight", json!(10), "weight"), ("limits", json!({"nodes": 5, "cpu": 4}), "limits[\"cpu\"]")]
    {
        let made = with(&|spec| (spec["replicas"], spec[name]) = (3.into(), value.clone()));
        let expected = format!("error: items[0].spec.{path}: cannot be set beside `replicas`");
        assert!(made.code == Some(1) && made.stderr.contains(&expected), "{name}: {}", made.stderr);
    }
    let mut objects = objects(&["Standard_D4s_v5"]);
    objects[0]["metadata"]["name"] = "General_1".into();
    let made = run_list(&["generate"], &objects);
    let expected = "error: items[0].metadata.name: must be lower-case letters, digits, `-` and `.`";
    assert!(made.code == Some(1) && made.stderr.contains(expected), "{}", made.stderr);
    let made = with(&|spec| {
        spec["weight"] = 100.into();
        spec["limits"] = json!({"cpu": 400, "memory": "1600Gi", "nodes": "10"});
        spec["disruption"] = json!({
            "consolidationPolicy": "Balanced",
            "consolidateAfter": "Never",
            "budgets": [
                {"nodes": "0", "schedule": "0 9 * * mon-fri", "duration": "8h30m0s", "reasons": ["Empty", "Drifted"]},
                {"nodes": "100%", "schedule": "@midnight", "duration": "90m"},
                // The API server sets `nodes` to its default.
                {"schedule": "@daily", "duration": "8h"},
            ],
        });
        spec["template"]["spec"]["expireAfter"] = "1h30m10s".into();
        spec["template"]["spec"]["terminationGracePeriod"] = "0s".into();
    });
    assert_eq!(made.code, Some(0), "{}", made.stderr);
}

/// The name is sufficient for a script, but not for the API server.
#[test]
fn a_reference_without_a_group_is_named() {
    for name in ["group", "kind"] {
        let made = with_pool(&["env"], &["Standard_D4s_v5"], |template| {
            template["spec"]["nodeClassRef"].as_object_mut().expect("an object").remove(name);
        });
        let expected = format!("warning: items[0].spec.template.spec.nodeClassRef.{name}: is required");
        assert!(made.code == Some(0) && made.stderr.contains(&expected), "{name}: {}", made.stderr);
    }
    let made = with_pool(&["env"], &["Standard_D4s_v5"], |template| {
        let reference =
            json!({"apiVersion": "karpenter.azure.com/v1alpha2", "kind": "AKSNodeClass", "name": "default"});
        template["spec"]["nodeClassRef"] = reference;
    });
    assert!(made.code == Some(0) && !made.stderr.contains("nodeClassRef"), "{}", made.stderr);
}

#[test]
fn zones_have_their_location() {
    let zone = |operator: &str, values: Value| json!([{"key": "topology.kubernetes.io/zone", "operator": operator, "values": values}]);
    for values in [json!(["1"]), json!(["1", "2", "3"]), json!(["WestEurope-1"]), json!(["westeurope"])] {
        let made = with_pool(&["generate"], &["Standard_D4s_v5"], require(zone("In", values.clone())));
        let expected = "requirements[0].values: must have zones with their location, such as `westeurope-1`";
        assert!(made.code == Some(1) && made.stderr.contains(expected), "{values}: {}", made.stderr);
    }
    for (operator, values) in [
        ("In", json!(["westeurope-1"])),
        ("In", json!(["1", "westeurope-2"])),
        ("In", json!(["0"])),
        ("NotIn", json!(["3"])),
        ("Exists", json!([])),
    ] {
        let made = with_pool(&["env"], &["Standard_D4s_v5"], require(zone(operator, values.clone())));
        assert_eq!(made.code, Some(0), "{operator} {values}: {}", made.stderr);
        assert!(!made.stderr.contains("their location"), "{operator} {values}: {}", made.stderr);
        assert!(!made.stderr.contains("region-mismatch"), "{operator} {values}: {}", made.stderr);
    }
    let made = with_pool(&["generate"], &["Standard_D4s_v5"], require(zone("In", json!(["northeurope-1"]))));
    let expected = "is \"northeurope-1\", but `location` is \"westeurope\" [region-mismatch]";
    assert!(made.stderr.contains(expected), "{}", made.stderr);
}

/// No resource of a network has a name that ends with a dot.
#[test]
fn a_subnet_whose_group_cannot_exist_is_named() {
    let id = |group: &str, name: &str| {
        format!(
            "/subscriptions/6f5e4d3c-2b1a-4098-8776-655443322110/resourceGroups/{group}/providers/Microsoft.Network/\
             virtualNetworks/network/subnets/{name}"
        )
    };
    let long = "g".repeat(91);
    for (group, name) in [("group.", "nodes"), ("gr oup", "nodes"), ("group", ""), (&*long, "nodes")] {
        let mut objects = objects(&["Standard_D4s_v5"]);
        objects[1]["spec"]["vnetSubnetID"] = id(group, name).into();
        let made = run_list(&["generate"], &objects);
        let expected = "error: items[1].spec.vnetSubnetID: must be a subnet id";
        assert!(made.code == Some(1) && made.stderr.contains(expected), "{group}: {}", made.stderr);
    }
    let mut objects = objects(&["Standard_D4s_v5"]);
    objects[2]["data"]["VNET_SUBNET_ID"] = id("group.", "nodes").into();
    let made = run_list(&["generate"], &objects);
    let expected = "must be the id of a subnet, with the name of a resource group, found \"group.\"";
    assert!(made.stderr.contains(expected), "{}", made.stderr);
}

/// Otherwise the script would be made for Azure Linux, on a machine with Ubuntu.
#[test]
fn labels_that_the_nodes_of_the_node_class_do_not_have_are_named() {
    for (key, value, has) in [
        ("kubernetes.azure.com/os-sku", "AzureLinux", "`Ubuntu`"),
        ("kubernetes.azure.com/fips_enabled", "true", "no such label"),
        ("kubernetes.azure.com/cluster", "MC_other", "`MC_karpenter-rg_karpenter_westeurope`"),
        ("karpenter.azure.com/aksnodeclass", "gpu", "`default`"),
    ] {
        let made = with_pool(&["env"], &["Standard_D4s_v5"], |template| {
            template["metadata"]["labels"][key] = value.into();
            template["spec"]["requirements"] = json!([{"key": key, "operator": "In", "values": [value]}]);
        });
        let expected = format!("but the nodes of this node class have {has} [karpenter-reference]");
        let requirement = format!("spec.template.spec.requirements[0]: allows `{value}` as `{key}`, {expected}");
        assert!(made.stderr.contains(&requirement), "{key}: {}", made.stderr);
        if !key.starts_with("karpenter.azure.com") {
            let label = format!("spec.template.metadata.labels[\"{key}\"]: is `{value}`, {expected}");
            assert!(made.stderr.contains(&label), "{key}: {}", made.stderr);
        }
    }
    for requirement in [
        json!({"key": "kubernetes.azure.com/os-sku", "operator": "In", "values": ["AzureLinux", "Ubuntu"]}),
        json!({"key": "kubernetes.azure.com/fips_enabled", "operator": "DoesNotExist"}),
        json!({"key": "kubernetes.azure.com/mode", "operator": "In", "values": ["system"]}),
    ] {
        let made = with_pool(&["env"], &["Standard_D4s_v5"], require(json!([requirement])));
        assert!(!made.stderr.contains("karpenter-reference"), "{requirement}: {}", made.stderr);
    }
}

/// What is wrong in the result of the conversion has no line, but a source.
#[test]
fn a_finding_about_what_objects_became_names_its_source() {
    let mut objects = objects(&["Standard_D4s_v5"]);
    objects[2]["data"]["KUBELET_BOOTSTRAP_TOKEN"] = "q1w2e3".into();
    let made = run_list(&["generate"], &objects);
    let expected = "hint: `kubelet_client_tls_bootstrap_token` is made of: settings: KUBELET_BOOTSTRAP_TOKEN";
    assert!(made.code == Some(1) && made.stderr.contains(expected), "{}", made.stderr);
}
