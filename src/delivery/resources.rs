//! Complete resources that are created with a result, in the languages of Azure Resource Manager, Bicep and Terraform. What the
//! input does not decide is a parameter: names, image, subnet, identity. What it does is the default of a parameter.
//!
//! The extension is part of the scale set, so that its first instance has it.

use serde::Serialize;
use serde_json::{Value, json};

use super::Delivery;
use crate::Secret;
use crate::catalogue::vm_sizes;
use crate::inputs::NodeInput;
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
struct Bicep<'a> {
    api_version: &'static str,
    machine: &'a Machine,
    extension: Option<Extension>,
}

#[derive(Serialize)]
struct Hcl<'a> {
    custom_data: &'a str,
    command: &'a str,
    machine: &'a Machine,
    extension: Extension,
}

/// What an input says about a machine. A text is empty if it says nothing.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Machine {
    size: String,
    location: String,
    administrator: String,
    /// The type of the disk of the operating system, which the size must support.
    disk: &'static str,
    /// Whether the machine has an identity.
    has_identity: bool,
    /// Whether the machine has addresses of IPv6 too.
    is_dual_stack: bool,
}

impl Machine {
    pub fn of(input: &dyn NodeInput) -> Self {
        let configuration = input.configuration();
        let text = |text: Option<&String>| text.cloned().unwrap_or_default();
        let size = text(configuration.map(|one| &one.vm_size));
        let auth = configuration.and_then(|one| one.auth_config.as_ref());
        let administrator = text(configuration.map(|one| &one.linux_admin_username));
        Self {
            disk: if vm_sizes::has_premium_disks(&size) { "Premium_LRS" } else { "StandardSSD_LRS" },
            size,
            location: text(configuration.and_then(|one| one.cluster_config.as_ref()).map(|cluster| &cluster.location)),
            administrator: if administrator.is_empty() { "azureuser".to_owned() } else { administrator },
            // A node with a service principal needs none.
            has_identity: auth.is_none_or(|auth| {
                auth.use_managed_identity_extension
                    || !auth.assigned_identity_id.is_empty()
                    || ["", "msi"].contains(&&*auth.service_principal_id)
            }),
            is_dual_stack: configuration.is_some_and(|one| one.ipv6_dual_stack_enabled),
        }
    }
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

/// Returns a text of a template: an expression starts with a bracket, so a text that does is escaped.
fn literal(text: &str) -> String {
    let escape = if text.starts_with('[') { "[" } else { "" };
    format!("{escape}{text}")
}

/// Returns a template with resources.
fn template(machine: &Machine, more: &[(&str, Value)], resources: &[Value]) -> Value {
    let mut parameters = json!({});
    for (name, description) in PARAMETERS {
        if name != "identityId" || machine.has_identity {
            parameters[name] = json!({"type": "string", "metadata": {"description": description}});
        }
    }
    parameters["location"]["defaultValue"] = "[resourceGroup().location]".into();
    for (name, known) in
        [("location", &machine.location), ("vmSize", &machine.size), ("adminUsername", &machine.administrator)]
    {
        if !known.is_empty() {
            parameters[name]["defaultValue"] = literal(known).into();
        }
    }
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

fn storage_profile(machine: &Machine) -> Value {
    let disk = json!({
        "createOption": "FromImage",
        "caching": "ReadOnly",
        "managedDisk": {"storageAccountType": machine.disk},
    });
    json!({"imageReference": IMAGE_REFERENCE, "osDisk": disk})
}

/// Returns the configuration of the only network interface.
fn network_interface(machine: &Machine) -> Value {
    let subnet = json!({"id": parameter("subnetId")});
    let mut ips = vec![json!({"name": "ipconfig1", "properties": {"primary": true, "subnet": subnet}})];
    if machine.is_dual_stack {
        ips.push(json!({"name": "ipconfig2", "properties": {"privateIPAddressVersion": "IPv6", "subnet": subnet}}));
    }
    json!({"name": "nic", "properties": {"primary": true, "enableIPForwarding": true, "ipConfigurations": ips}})
}

/// Adds the identity to a resource.
fn with_identity(mut resource: Value, machine: &Machine) -> Value {
    if machine.has_identity {
        resource["identity"] = json!({"type": "UserAssigned", "userAssignedIdentities": {parameter("identityId"): {}}});
    }
    resource
}

/// Returns the properties of the extension.
fn extension_properties(command: &str) -> Value {
    json!({
        "publisher": EXTENSION.publisher,
        "type": EXTENSION.kind,
        "typeHandlerVersion": EXTENSION.version,
        "autoUpgradeMinorVersion": true,
        "settings": {},
        "protectedSettings": {"commandToExecute": literal(command)},
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
            "storageProfile": storage_profile(&self.machine),
            "networkProfile": {"networkInterfaceConfigurations": [network_interface(&self.machine)]},
        });
        if let Some(cse) = &self.cse {
            let extension = json!({"name": EXTENSION.name, "properties": extension_properties(cse.expose())});
            profile["extensionProfile"] = json!({"extensions": [extension]});
        }
        let instances = json!({"type": "int", "defaultValue": 1, "metadata": {"description": "Number of instances"}});
        let mut template = template(&self.machine, &[("instanceCount", instances)], &[]);
        template["osProfile"] = json!({"customData": self.custom_data_text()});
        if let Some(extensions) = profile.get("extensionProfile") {
            template["extensionProfile"] = extensions.clone();
        }
        let scale_set = json!({
            "type": "Microsoft.Compute/virtualMachineScaleSets",
            "apiVersion": API_VERSION,
            "name": parameter("name"),
            "location": parameter("location"),
            "sku": {"name": parameter("vmSize"), "tier": "Standard", "capacity": parameter("instanceCount")},
            "properties": {
                "orchestrationMode": "Uniform",
                "overprovision": false,
                "singlePlacementGroup": false,
                "upgradePolicy": {"mode": "Manual"},
                "virtualMachineProfile": profile,
            },
        });
        template["resources"] = json!([with_identity(scale_set, &self.machine)]);
        template
    }

    /// Returns the ARM template of a complete VM.
    #[must_use]
    pub fn to_arm_vm(&self) -> Value {
        let machine = json!({
            "type": "Microsoft.Compute/virtualMachines",
            "apiVersion": API_VERSION,
            "name": parameter("name"),
            "location": parameter("location"),
            "properties": {
                "hardwareProfile": {"vmSize": parameter("vmSize")},
                "osProfile": os_profile("computerName", self.custom_data_text()),
                "storageProfile": storage_profile(&self.machine),
                "networkProfile": {
                    "networkApiVersion": NETWORK_API_VERSION,
                    "networkInterfaceConfigurations": [network_interface(&self.machine)],
                },
            },
        });
        let mut resources = vec![with_identity(machine, &self.machine)];
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
        template(&self.machine, &[], &resources)
    }

    /// Returns the Bicep file of a complete scale set. The result is not in it: `CustomData` and the command are secure parameters.
    #[must_use]
    pub fn to_bicep(&self) -> String {
        let extension = self.cse.is_some().then_some(EXTENSION);
        render("scale_set.bicep.tera", &Bicep { api_version: API_VERSION, machine: &self.machine, extension })
    }

    /// Returns the blocks of a complete scale set for Terraform's provider `azurerm`. The result is in them, marked as sensitive.
    #[must_use]
    pub fn to_terraform_hcl(&self) -> Secret<'static> {
        let command = self.cse.as_ref().map_or("", |cse| cse.expose());
        let values =
            Hcl { custom_data: self.custom_data_text(), command, machine: &self.machine, extension: EXTENSION };
        render("scale_set.tf.tera", &values).into()
    }
}
