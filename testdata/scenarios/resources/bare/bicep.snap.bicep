// A scale set whose instances become nodes. CustomData is not in this file; pass a file of parameters:
//   aks-node-controller generate FILE OPTIONS --format json |
//     jq '{"$schema": "https://schema.management.azure.com/schemas/2019-04-01/deploymentParameters.json#",
//       contentVersion: "1.0.0.0", parameters: {customData: {value: .customData}}}' > secrets.json
//   az deployment group create --resource-group GROUP --template-file FILE.bicep --parameters @secrets.json name=... imageId=...

@description('Name of the scale set')
param name string

@description('Region, as in the document')
param location string = resourceGroup().location

@description('VM size, as in the document')
param vmSize string

@description('Number of instances')
param instanceCount int = 1

@description('Resource id of the image; it can be in a community gallery')
param imageId string

@description('Resource id of the subnet')
param subnetId string

@description('Name of the account of the administrator')
param adminUsername string = 'azureuser'

@description('Public key of the administrator')
param sshPublicKey string

@description('CustomData in base64, as generate prints it; do not encode it again')
@secure()
param customData string

resource nodes 'Microsoft.Compute/virtualMachineScaleSets@2024-07-01' = {
  name: name
  location: location
  sku: {
    name: vmSize
    tier: 'Standard'
    capacity: instanceCount
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
            storageAccountType: 'StandardSSD_LRS'
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
              ]
            }
          }
        ]
      }
    }
  }
}
