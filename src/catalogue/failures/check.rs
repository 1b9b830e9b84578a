//! Checks that several failures share, with commands in backticks.

pub(super) const USAGE: &str = "See usage and limits: `az vm list-usage --location LOCATION -o table`";
pub(super) const SKUS: &str =
    "See where the size exists: `az vm list-skus --location LOCATION --size SIZE --all -o table`";
pub(super) const ACTIVITY: &str = "Read the operation: `az monitor activity-log list --resource-group NODE_GROUP --status Failed --offset 1d -o table`";
pub(super) const SUBNET: &str = "See the subnet: `az network vnet subnet show --ids SUBNET_ID --query \"{prefix:addressPrefix,used:length(ipConfigurations)}\"`";
pub(super) const ROLES: &str =
    "List the roles of the identity: `az role assignment list --assignee CLIENT_ID --all -o table`";
pub(super) const LOCKS: &str = "List the locks: `az lock list --resource-group NODE_GROUP -o table`";
pub(super) const POLICY: &str =
    "List the policy assignments: `az policy assignment list --disable-scope-strict-match -o table`";
pub(super) const CONSOLE: &str = "Read the serial console: `az vmss get-instance-view -g NODE_GROUP -n SCALE_SET --instance-id 0; az vm boot-diagnostics get-boot-log -g NODE_GROUP -n VM`";
pub(super) const INSTANCE: &str =
    "See the states of the VM: `az vmss get-instance-view -g NODE_GROUP -n SCALE_SET --instance-id 0`";
pub(super) const WAAGENT: &str = "Read the agent's log: `tail -n 50 /var/log/waagent.log`";
pub(super) const WIRE_SERVER: &str = "Reach the wire server: `curl -s -m 5 \"http://168.63.129.16/?comp=versions\"`";
pub(super) const IMDS: &str = "Query the metadata service: `curl -s -H Metadata:true --noproxy \"*\" \"http://169.254.169.254/metadata/instance?api-version=2021-02-01\"`";
pub(super) const CLOUD_INIT: &str = "See the status of cloud-init: `cloud-init status --long`";
pub(super) const CLOUD_INIT_LOG: &str =
    "Read its warnings: `grep -E \"WARNING|ERROR|Traceback\" /var/log/cloud-init.log`";
pub(super) const USER_DATA: &str =
    "Inspect the delivered data: `sudo cloud-init query userdata | aks-node-controller inspect -`";
pub(super) const IGNITION: &str = "Read Ignition's log: `journalctl -t ignition --boot --no-pager`";
pub(super) const IGNITION_CHECK: &str = "Check the configuration: `ignition-validate FILE`";
pub(super) const HANDLER: &str = "Read the handler's log: `tail -n 50 /var/log/azure/custom-script/handler.log`";
pub(super) const EXTENSIONS: &str =
    "List the extensions: `az vmss extension list -g NODE_GROUP --vmss-name SCALE_SET -o table`";
pub(super) const KUBELET_LOG: &str = "Read why: `journalctl --unit=kubelet --boot --no-pager --lines=50`";
pub(super) const KUBELET_FLAGS: &str = "See its flags: `cat /etc/default/kubelet; systemctl cat kubelet`";
pub(in crate::catalogue) const VALIDATE: &str = "Check the document: `aks-node-controller validate FILE`";
pub(super) const CONTAINERD: &str = "See containerd: `systemctl status containerd; crictl info`";
pub(super) const CONTAINERD_LOG: &str = "Read why: `journalctl --unit=containerd --boot --no-pager --lines=50`";
pub(super) const RESOLVE: &str = "Resolve the API server: `nslookup API_SERVER; resolvectl status`";
pub(super) const REACH: &str = "Reach the API server: `nc -vz -w 5 API_SERVER 443`";
pub(super) const CLUSTER: &str = "See whether the cluster runs: `az aks show -g GROUP -n CLUSTER --query \"{state:provisioningState,power:powerState.code}\"`";
pub(super) const TOKENS: &str = "List the bootstrap tokens: `kubectl -n kube-system get secrets --field-selector type=bootstrap.kubernetes.io/token`";
pub(in crate::catalogue) const CSRS: &str = "List the signing requests: `kubectl get csr`";
pub(in crate::catalogue) const BINDINGS: &str =
    "See the bindings: `kubectl get clusterrolebindings -o wide | grep -E \"bootstrap|system:node\"`";
pub(super) const CERTIFICATE: &str = "See the certificate: `openssl x509 -noout -subject -issuer -dates -in /var/lib/kubelet/pki/kubelet-client-current.pem`";
pub(super) const SERVER_CERTIFICATE: &str =
    "Compare the CA: `openssl s_client -connect API_SERVER:443 -CAfile /etc/kubernetes/certs/ca.crt </dev/null`";
pub(super) const CLOCK: &str = "Compare the clock: `timedatectl; date -u`";
pub(super) const DESCRIBE_NODE: &str = "See its conditions and events: `kubectl describe node NODE`";
pub(super) const DESCRIBE_POD: &str = "See the events of the pod: `kubectl describe pod -n NAMESPACE POD`";
pub(super) const CNI: &str = "See the CNI configuration: `ls -l /etc/cni/net.d; crictl info | grep -A 5 -i network`";
pub(super) const CNI_PODS: &str =
    "See the network pods: `kubectl -n kube-system get pods -o wide --field-selector spec.nodeName=NODE`";
pub(super) const DISK: &str = "Check the disk: `df -h / /var/lib/containerd /var/lib/kubelet; df -i /`";
pub(super) const MEMORY: &str = "Look for killed processes: `dmesg | grep -i \"killed process\"; free -m`";
pub(super) const NODE_CLAIM: &str = "See the NodeClaim: `kubectl describe nodeclaim NAME`";
pub(super) const KARPENTER_LOG: &str = "Read Karpenter's log: `kubectl -n kube-system logs deployment/karpenter`";
pub(super) const AUTOSCALER: &str =
    "See the autoscaler's state: `kubectl -n kube-system get configmap cluster-autoscaler-status -o yaml`";
pub(super) const DIAGNOSE: &str = "On the node: `sudo aks-node-controller diagnose`";
pub(super) const PULL: &str = "Pull it by hand: `crictl pull IMAGE`";
pub(super) const REDEPLOY: &str =
    "Move the VM to another host: `az vmss redeploy -g NODE_GROUP -n SCALE_SET --instance-ids 0`";
pub(super) const SIZE: &str =
    "See what the size supports: `az vm list-skus --location LOCATION --size SIZE --query \"[].capabilities\"`";
