// A scale set whose instances become nodes. CustomData and the command are not in this file; pass a file of parameters:
//   aks-node-controller generate FILE OPTIONS --format json |
//     jq '{"$schema": "https://schema.management.azure.com/schemas/2019-04-01/deploymentParameters.json#",
//       contentVersion: "1.0.0.0", parameters: {customData: {value: .customData}, command: {value: .cse}}}' > secrets.json
//   az deployment group create --resource-group GROUP --template-file FILE.bicep --parameters @secrets.json name=... imageId=...

@description('Name of the scale set')
param name string

@description('Region, as in the document')
param location string = 'westeurope'

@description('VM size, as in the document')
param vmSize string = 'Standard_D4s_v5'

@description('Number of instances')
param instanceCount int = 1

@description('Resource id of the image; it can be in a community gallery')
param imageId string

@description('Resource id of the subnet')
param subnetId string

@description('Resource id of the user-assigned identity of the kubelet')
param identityId string

@description('Name of the account of the administrator')
param adminUsername string = 'azureuser'

@description('Public key of the administrator')
param sshPublicKey string

@description('CustomData in base64, as generate prints it; do not encode it again')
@secure()
param customData string

@description('The command of the Custom Script Extension')
@secure()
param command string

resource nodes 'Microsoft.Compute/virtualMachineScaleSets@2024-07-01' = {
  name: name
  location: location
  sku: {
    name: vmSize
    tier: 'Standard'
    capacity: instanceCount
  }
  identity: {
    type: 'UserAssigned'
    userAssignedIdentities: {
      '${identityId}': {}
    }
  }
  properties: {
    orchestrationMode: 'Uniform'
    overprovision: false
    singlePlacementGroup: false
    upgradePolicy: {
      mode: 'Manual'
    }
    virtualMachineProfile: {
      osProfile: {
        computerNamePrefix: name
        adminUsername: adminUsername
        customData: customData
        linuxConfiguration: {
          disablePasswordAuthentication: true
          ssh: {
            publicKeys: [
              {
                path: '/home/${adminUsername}/.ssh/authorized_keys'
                keyData: sshPublicKey
              }
            ]
          }
        }
      }
      storageProfile: {
        imageReference: startsWith(imageId, '/communityGalleries/') ? {
          communityGalleryImageId: imageId
        } : {
          id: imageId
        }
        osDisk: {
          createOption: 'FromImage'
          caching: 'ReadOnly'
          managedDisk: {
            storageAccountType: 'Premium_LRS'
          }
        }
      }
      networkProfile: {
        networkInterfaceConfigurations: [
          {
            name: 'nic'
            properties: {
              primary: true
              enableIPForwarding: true
              ipConfigurations: [
                {
                  name: 'ipconfig1'
                  properties: {
                    primary: true
                    subnet: {
                      id: subnetId
                    }
                  }
                }
                {
                  name: 'ipconfig2'
                  properties: {
                    privateIPAddressVersion: 'IPv6'
                    subnet: {
                      id: subnetId
                    }
                  }
                }
              ]
            }
          }
        ]
      }
      extensionProfile: {
        extensions: [
          {
            name: 'vmssCSE'
            properties: {
              publisher: 'Microsoft.Azure.Extensions'
              type: 'CustomScript'
              typeHandlerVersion: '2.0'
              autoUpgradeMinorVersion: true
              settings: {}
              protectedSettings: {
                commandToExecute: command
              }
            }
          }
        ]
      }
    }
  }
}
