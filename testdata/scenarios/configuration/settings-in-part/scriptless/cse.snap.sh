/opt/azure/containers/aks-node-controller provision-wait
