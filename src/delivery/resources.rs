//! Complete resources that are created with a result, in the languages of Azure Resource Manager, Bicep and Terraform. What the
//! result does not decide is a parameter: names, image, subnet, identity, size.
//!
//! The extension is part of the scale set, so that its first instance has it.

use serde::Serialize;
use serde_json::{Value, json};

use super::Delivery;
use crate::Secret;
use crate::rendering::render;

/// The version of the API of `Microsoft.Compute`.
const API_VERSION: &str = "2024-07-01";

/// The version of the API of `Microsoft.Network` by which a VM creates its network interface.
const NETWORK_API_VERSION: &str = "2020-11-01";

/// The Custom Script Extension, named as AKS names it.
#[derive(Serialize)]
struct Extension {
    name: &'static str,
    publisher: &'static str,
    kind: &'static str,
    version: &'static str,
}

const EXTENSION: Extension =
    Extension { name: "vmssCSE", publisher: "Microsoft.Azure.Extensions", kind: "CustomScript", version: "2.0" };

#[derive(Serialize)]
struct Bicep {
    api_version: &'static str,
    extension: Option<Extension>,
}

#[derive(Serialize)]
struct Hcl<'a> {
    custom_data: &'a str,
    command: &'a str,
    extension: Extension,
}

/// Parameters of the templates: name and description.
const PARAMETERS: [(&str, &str); 8] = [
    ("name", "Name of the resource"),
    ("location", "Region, as in the document"),
    ("vmSize", "VM size, as in the document"),
    ("imageId", "Resource id of the image; it can be in a community gallery"),
    ("subnetId", "Resource id of the subnet"),
    ("identityId", "Resource id of the user-assigned identity of the kubelet"),
    ("adminUsername", "Name of the account of the administrator"),
    ("sshPublicKey", "Public key of the administrator"),
];

/// The image. The id of one in a community gallery has a property of its own; `startsWith` ignores case.
const IMAGE_REFERENCE: &str = "[if(startsWith(parameters('imageId'), '/communityGalleries/'), \
    createObject('communityGalleryImageId', parameters('imageId')), createObject('id', parameters('imageId')))]";

/// Returns an expression for the value of a parameter.
fn parameter(name: &str) -> String {
    format!("[parameters('{name}')]")
}

/// Returns a template with resources.
fn template(more: &[(&str, Value)], resources: &[Value]) -> Value {
    let mut parameters = json!({});
    for (name, description) in PARAMETERS {
        parameters[name] = json!({"type": "string", "metadata": {"description": description}});
    }
    parameters["location"]["defaultValue"] = "[resourceGroup().location]".into();
    parameters["adminUsername"]["defaultValue"] = "azureuser".into();
    for (name, parameter) in more {
        parameters[name] = parameter.clone();
    }
    json!({
        "$schema": "https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#",
        "contentVersion": "1.0.0.0",
        "parameters": parameters,
        "resources": resources,
    })
}

/// Returns the profile of the operating system.
fn os_profile(name_field: &str, custom_data: &str) -> Value {
    let key = json!({
        "path": "[concat('/home/', parameters('adminUsername'), '/.ssh/authorized_keys')]",
        "keyData": parameter("sshPublicKey"),
    });
    json!({
        name_field: parameter("name"),
        "adminUsername": parameter("adminUsername"),
        "customData": custom_data,
        "linuxConfiguration": {"disablePasswordAuthentication": true, "ssh": {"publicKeys": [key]}},
    })
}

fn storage_profile() -> Value {
    json!({"imageReference": IMAGE_REFERENCE, "osDisk": {"createOption": "FromImage"}})
}

/// Returns the configuration of the only network interface.
fn network_interface() -> Value {
    let ip = json!({"name": "ipconfig1", "properties": {"primary": true, "subnet": {"id": parameter("subnetId")}}});
    json!({"name": "nic", "properties": {"primary": true, "enableIPForwarding": true, "ipConfigurations": [ip]}})
}

fn identity() -> Value {
    json!({"type": "UserAssigned", "userAssignedIdentities": {parameter("identityId"): {}}})
}

/// Returns the properties of the extension. An expression of a template starts with a bracket, so a command that does is escaped.
fn extension_properties(command: &str) -> Value {
    let escape = if command.starts_with('[') { "[" } else { "" };
    json!({
        "publisher": EXTENSION.publisher,
        "type": EXTENSION.kind,
        "typeHandlerVersion": EXTENSION.version,
        "autoUpgradeMinorVersion": true,
        "settings": {},
        "protectedSettings": {"commandToExecute": format!("{escape}{command}")},
    })
}

impl Delivery {
    fn custom_data_text(&self) -> &str {
        self.custom_data.encoded.expose()
    }

    /// Returns the parts of a scale set's model that contain the result, `osProfile` and `extensionProfile`, beside the ARM template
    /// of a complete scale set (`$schema`, `contentVersion`, `parameters`, `resources`).
    #[must_use]
    pub fn to_arm(&self) -> Value {
        let mut profile = json!({
            "osProfile": os_profile("computerNamePrefix", self.custom_data_text()),
            "storageProfile": storage_profile(),
            "networkProfile": {"networkInterfaceConfigurations": [network_interface()]},
        });
        if let Some(cse) = &self.cse {
            let extension = json!({"name": EXTENSION.name, "properties": extension_properties(cse.expose())});
            profile["extensionProfile"] = json!({"extensions": [extension]});
        }
        let instances = json!({"type": "int", "defaultValue": 1, "metadata": {"description": "Number of instances"}});
        let mut template = template(&[("instanceCount", instances)], &[]);
        template["osProfile"] = json!({"customData": self.custom_data_text()});
        if let Some(extensions) = profile.get("extensionProfile") {
            template["extensionProfile"] = extensions.clone();
        }
        template["resources"] = json!([{
            "type": "Microsoft.Compute/virtualMachineScaleSets",
            "apiVersion": API_VERSION,
            "name": parameter("name"),
            "location": parameter("location"),
            "sku": {"name": parameter("vmSize"), "tier": "Standard", "capacity": parameter("instanceCount")},
            "identity": identity(),
            "properties": {
                "orchestrationMode": "Uniform",
                "overprovision": false,
                "singlePlacementGroup": false,
                "upgradePolicy": {"mode": "Manual"},
                "virtualMachineProfile": profile,
            },
        }]);
        template
    }

    /// Returns the ARM template of a complete VM.
    #[must_use]
    pub fn to_arm_vm(&self) -> Value {
        let mut resources = vec![json!({
            "type": "Microsoft.Compute/virtualMachines",
            "apiVersion": API_VERSION,
            "name": parameter("name"),
            "location": parameter("location"),
            "identity": identity(),
            "properties": {
                "hardwareProfile": {"vmSize": parameter("vmSize")},
                "osProfile": os_profile("computerName", self.custom_data_text()),
                "storageProfile": storage_profile(),
                "networkProfile": {
                    "networkApiVersion": NETWORK_API_VERSION,
                    "networkInterfaceConfigurations": [network_interface()],
                },
            },
        })];
        resources.extend(self.cse.as_ref().map(|cse| {
            json!({
                "type": "Microsoft.Compute/virtualMachines/extensions",
                "apiVersion": API_VERSION,
                "name": format!("[concat(parameters('name'), '/{}')]", EXTENSION.name),
                "location": parameter("location"),
                "dependsOn": ["[resourceId('Microsoft.Compute/virtualMachines', parameters('name'))]"],
                "properties": extension_properties(cse.expose()),
            })
        }));
        template(&[], &resources)
    }

    /// Returns the Bicep file of a complete scale set. The result is not in it: `CustomData` and the command are secure parameters.
    #[must_use]
    pub fn to_bicep(&self) -> String {
        let extension = self.cse.is_some().then_some(EXTENSION);
        render("scale_set.bicep.tera", &Bicep { api_version: API_VERSION, extension })
    }

    /// Returns the blocks of a complete scale set for Terraform's provider `azurerm`. The result is in them, marked as sensitive.
    #[must_use]
    pub fn to_terraform_hcl(&self) -> Secret<'static> {
        let command = self.cse.as_ref().map_or("", |cse| cse.expose());
        render("scale_set.tf.tera", &Hcl { custom_data: self.custom_data_text(), command, extension: EXTENSION }).into()
    }
}
