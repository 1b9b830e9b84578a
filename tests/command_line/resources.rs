//! The complete resources of `arm`, `arm-vm`, `bicep` and `terraform-hcl`: what a document says about the machine is there already.

use serde_json::{Value, json};

use super::run;

const EXAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/testdata/examples/ubuntu-azure-cni.yaml");

/// Renders the example with changes.
fn rendered(format: &str, changes: &[&str]) -> String {
    let changes = changes.iter().flat_map(|change| ["--set", *change]);
    let arguments: Vec<_> =
        ["generate", EXAMPLE, "--route", "scriptless", "--format", format].into_iter().chain(changes).collect();
    let made = run(&arguments);
    assert_eq!(made.code, Some(0), "{format}: {}", made.stderr);
    made.stdout
}

fn template(format: &str, changes: &[&str]) -> Value {
    serde_json::from_str(&rendered(format, changes)).expect("it is JSON")
}

const MACHINE: [&str; 3] =
    ["vm_size=Standard_D4_v5", "cluster_config.location=northeurope", "linux_admin_username=operator1"];

#[test]
fn what_the_document_says_is_the_default_of_a_parameter() {
    for format in ["arm", "arm-vm"] {
        let made = template(format, &MACHINE);
        for (parameter, value) in
            [("vmSize", "Standard_D4_v5"), ("location", "northeurope"), ("adminUsername", "operator1")]
        {
            assert_eq!(made["parameters"][parameter]["defaultValue"], value, "{format}: {parameter}");
        }
        for open in ["name", "imageId", "subnetId", "identityId", "sshPublicKey"] {
            assert_eq!(made["parameters"][open].get("defaultValue"), None, "{format}: {open}");
        }
    }
    let bicep = rendered("bicep", &MACHINE);
    for line in [
        "param vmSize string = 'Standard_D4_v5'\n",
        "param location string = 'northeurope'\n",
        "param adminUsername string = 'operator1'\n",
        "param identityId string\n",
    ] {
        assert!(bicep.contains(line), "{line}: {bicep}");
    }
    let blocks = rendered("terraform-hcl", &MACHINE);
    for part in
        ["default     = \"Standard_D4_v5\"\n", "default     = \"northeurope\"\n", "default     = \"operator1\"\n"]
    {
        assert!(blocks.contains(part), "{part}");
    }
}

#[test]
fn the_disk_is_of_a_type_that_the_size_supports() {
    for (size, disk) in [("Standard_D4_v5", "StandardSSD_LRS"), ("Standard_D4s_v5", "Premium_LRS")] {
        let change = format!("vm_size={size}");
        let of_set = &template("arm", &[&change])["resources"][0]["properties"]["virtualMachineProfile"];
        let of_vm = &template("arm-vm", &[&change])["resources"][0]["properties"];
        for profile in [of_set, of_vm] {
            assert_eq!(
                profile["storageProfile"]["osDisk"]["managedDisk"],
                json!({"storageAccountType": disk}),
                "{size}"
            );
        }
        assert!(rendered("bicep", &[&change]).contains(&format!("storageAccountType: '{disk}'\n")));
        assert!(rendered("terraform-hcl", &[&change]).contains(&format!("storage_account_type = \"{disk}\"\n")));
    }
}

#[test]
fn a_node_with_two_families_has_an_address_of_each() {
    for is_dual in [false, true] {
        let change = format!("ipv6_dual_stack_enabled={is_dual}");
        let card = "/networkProfile/networkInterfaceConfigurations/0/properties/ipConfigurations/1/properties/privateIPAddressVersion";
        let set = template("arm", &[&change]);
        let vm = template("arm-vm", &[&change]);
        for found in [
            set["resources"][0]["properties"]["virtualMachineProfile"].pointer(card),
            vm["resources"][0]["properties"].pointer(card),
        ] {
            assert_eq!(found, is_dual.then_some(&json!("IPv6")));
        }
        assert_eq!(rendered("bicep", &[&change]).contains("privateIPAddressVersion: 'IPv6'\n"), is_dual);
        assert_eq!(rendered("terraform-hcl", &[&change]).contains("version   = \"IPv6\"\n"), is_dual);
    }
}

#[test]
fn a_node_with_a_service_principal_has_no_identity() {
    let changes = [
        "auth_config.use_managed_identity_extension=false",
        "auth_config.assigned_identity_id=null",
        "auth_config.service_principal_id=5ae15ec1-0000-4000-8000-6929573dfbf0",
        "auth_config.service_principal_secret=c2VjcmV0",
    ];
    for format in ["arm", "arm-vm"] {
        let made = template(format, &changes);
        assert_eq!(
            (made["resources"][0].get("identity"), made["parameters"].get("identityId")),
            (None, None),
            "{format}"
        );
    }
    for format in ["bicep", "terraform-hcl"] {
        let text = rendered(format, &changes);
        assert!(!text.contains("identity"), "{format}: {text}");
    }
}
