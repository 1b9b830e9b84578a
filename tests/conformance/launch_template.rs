//! `conformance/launch-template.json`: what Karpenter decides about image, tags and disk.

use std::collections::BTreeMap;

use aks_node_controller::inputs::karpenter::launch_template::{self, ImageError, ImageSource, ImageVersions};
use aks_node_controller::inputs::karpenter::objects::{Cluster, InstanceType, NodeClaim, NodeClass, Settings};
use aks_node_controller::inputs::karpenter::{Objects, convert};
use serde_json::{Value, json};

use crate::support::needs;

fn texts(value: &Value) -> BTreeMap<String, String> {
    serde_json::from_value(value.clone()).unwrap_or_default()
}

/// An image of the case's list as the status of a node class has it.
fn as_in_the_status(image: &Value) -> Value {
    let requirements = texts(&image["requirements"]).into_iter();
    let requirements = requirements.map(|(key, value)| json!({"key": key, "operator": "In", "values": [value]}));
    json!({"id": image["id"], "requirements": requirements.collect::<Vec<_>>()})
}

/// The case's objects. Its settings have names of their own and are few; the others are made up.
fn objects(input: &Value, resolved: &[Value]) -> Objects {
    let given = &input["settings"];
    let tags = texts(&given["additional_tags"]).into_iter().map(|(key, value)| format!("{key}={value}"));
    let settings = json!({
        "CLUSTER_NAME": given["cluster_name"],
        "CLUSTER_ENDPOINT": "https://demo.example.com:443",
        "KUBELET_BOOTSTRAP_TOKEN": "token",
        "SSH_PUBLIC_KEY": "key",
        "VNET_SUBNET_ID": given["vnet_subnet_id"],
        "AZURE_NODE_RESOURCE_GROUP": "group",
        "AZURE_SUBSCRIPTION_ID": "subscription",
        "USE_SIG": given["use_sig"],
        "SIG_SUBSCRIPTION_ID": given["sig_subscription_id"],
        "ADDITIONAL_TAGS": tags.collect::<Vec<_>>().join(","),
    });
    let claim = json!({
        "kind": "NodeClaim",
        "metadata": {"name": input["node_claim"]["name"], "labels": input["node_claim"]["labels"]},
        "spec": {"nodeClassRef": {"name": "default"}},
    });
    // Some cases show what this step does with classes that the API refuses: they are built past its rules.
    let mut class = input["node_class"].clone();
    let fips = class["spec"]["fipsMode"] == "FIPS";
    class["kind"] = "AKSNodeClass".into();
    class["metadata"] = json!({"name": "default"});
    class["spec"]["fipsMode"] = Value::Null;
    class["status"]["images"] = resolved.iter().map(as_in_the_status).collect();
    let read = |value: &Value| value.to_string().into_bytes();
    let (mut class, _) = NodeClass::from_document(&read(&class)).unwrap_or_else(|report| panic!("{report}"));
    class.fips = fips;
    if input["node_class"]["spec"].get("imageFamily").is_none() {
        class.image_family.clear();
    }
    Objects {
        claim: NodeClaim::from_document(&read(&claim)).unwrap_or_else(|report| panic!("{report}")).0,
        class,
        settings: Settings::from_document(&read(&settings)).unwrap_or_else(|report| panic!("{report}")).0,
        cluster: Cluster::default(),
        instance_type: InstanceType::from_document(&read(&input["instance_type"]))
            .unwrap_or_else(|report| panic!("{report}"))
            .0,
    }
}

#[test]
fn the_launch_template_is_karpenters() {
    let Some(file) = needs::vectors("launch-template.json") else { return };
    let cases: Vec<Value> =
        serde_json::from_str(&std::fs::read_to_string(file).expect("readable")).expect("the cases are JSON");
    assert!(!cases.is_empty());
    for case in cases {
        let name = case["name"].as_str().expect("a name");
        check(name, &case["input"], &case["expect"]);
    }
}

fn check(name: &str, input: &Value, expect: &Value) {
    let resolved = expect["images"].as_array().map_or(&[][..], Vec::as_slice);
    let objects = objects(input, resolved);
    let class = &objects.class;
    let version = class.kubernetes_version.clone().unwrap_or_default();
    let trusted = class.trusted_launch.is_on();
    let family = launch_template::family(&class.image_family, class.fips, trusted, &version);
    assert_eq!(expect["image_family"], family.name, "{name}");

    let community = input["azure"]["community_versions"].as_object().map(|definitions| {
        let versions = |list: &Value| {
            let list = list.as_array().expect("a list").iter();
            let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
            list.map(|one| (text(&one["name"]), text(&one["published"]))).collect::<Vec<_>>()
        };
        definitions.iter().map(|(definition, list)| (definition.clone(), versions(list))).collect::<BTreeMap<_, _>>()
    });
    let community = community.unwrap_or_default();
    let shared: Vec<_> = input["azure"]["node_image_versions"].as_array().map_or(Vec::new(), |list| {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        list.iter().map(|one| (text(&one["os"]), text(&one["sku"]), text(&one["version"]))).collect()
    });
    let versions = if objects.settings.is("USE_SIG") {
        ImageVersions::Shared { subscription: objects.settings.get("SIG_SUBSCRIPTION_ID"), versions: &shared }
    } else {
        ImageVersions::Community(&community)
    };
    let images = launch_template::images(family, launch_template::security(class.fips, trusted), versions);
    if let (Ok(images), Some(wanted)) = (&images, expect["images"].as_array()) {
        let found: Vec<_> = images
            .iter()
            .map(|image| {
                let requirements = json!({
                    "kubernetes.io/arch": image.definition.architecture,
                    "karpenter.azure.com/sku-hyperv-generation": image.definition.generation,
                });
                json!({"id": image.id, "requirements": requirements})
            })
            .collect();
        assert_eq!(&found, wanted, "{name}");
    }
    if !resolved.is_empty() {
        let template = objects.launch_template(&version, ImageSource::Status(&class.images));
        let chosen = template.as_ref().map(|template| template.image.id.as_str()).ok();
        assert_eq!(expect["image_id"].as_str(), chosen, "{name}: from the status: {template:?}");
    }
    let template = objects.launch_template(&version, ImageSource::Galleries(versions));
    match (template, expect["error"]["reason"].as_str()) {
        (Err(ImageError::SharedGalleryRequiredForFips), Some(reason)) => {
            assert_eq!(reason, "SIGRequiredForFIPS", "{name}");
        }
        (Err(ImageError::NotFound), Some(reason)) => assert_eq!(reason, "ImagesNotFound", "{name}"),
        (Err(ImageError::Incompatible(_)), Some(reason)) => assert_eq!(reason, "no compatible image", "{name}"),
        (Ok(_), Some(reason)) => panic!("{name}: should fail: {reason}"),
        (Err(error), Some(reason)) => panic!("{name}: should fail with {reason}: {error}"),
        (Err(error), None) => panic!("{name}: {error}"),
        (Ok(template), None) => {
            assert_eq!(expect["image_id"], template.image.id, "{name}");
            let reference = if template.shared_gallery { "id" } else { "communityGalleryImageId" };
            assert_eq!(expect["image_reference"], reference, "{name}");
            assert_eq!(expect["distro"], template.image.definition.distro, "{name}");
            assert_eq!(expect["tags"], json!(template.tags), "{name}");
            let storage = template.storage;
            let found = json!({
                "disk_type": storage.disk_type(),
                "ephemeral": storage.is_ephemeral(),
                "placement": storage.placement,
                "size_gb": storage.size,
                "ephemeral_max_gb": storage.ephemeral_limit,
            });
            assert_eq!(expect["storage"], found, "{name}");
            let inputs = convert(&objects).inputs;
            assert_eq!(expect["subnet_id"], inputs.subnet_id, "{name}");
            for (label, value) in texts(&expect["labels_include"]) {
                assert_eq!(inputs.labels.get(&label), Some(&value), "{name}: {label}");
            }
            for label in expect["labels_absent"].as_array().expect("a list") {
                let label = label.as_str().expect("a text");
                assert!(!inputs.labels.contains_key(label), "{name}: {label}");
            }
        }
    }
}
