//! The node or its VM was removed, replaced or stopped.

use super::Publisher::{Autoscaler, GitHub, Karpenter, KarpenterAzure, Kubernetes, Learn, Linux, Systemd};
use super::{Failure, Layer, check};

const fn row(reason: &'static str) -> Failure {
    super::failure(Layer::Lifecycle, reason)
}

pub(super) static FAILURES: &[Failure] = &[
    row("SpotEvicted")
        .source(Learn, "azure/virtual-machines/linux/scheduled-events")
        .cause("Azure evicted the Spot VM because it needs the capacity, or the price exceeded its limit")
        .any(&[
            "preempt scheduled",
            "spotevictionincoming",
            "\"eventtype\": \"preempt\"",
            "\"eventtype\":\"preempt\"",
            "eventtype: preempt",
            "evict virtual machine",
            "virtualmachines/evict",
            "vmss vm was evicted",
            "evictspotvm",
            "evict spot",
            "spot eviction",
            "was preempted",
            "instance was evicted",
            "vmevent.scheduled: preempt",
            "compute.preempted",
            "spot interruption",
            "spotinterrupted",
            "virtualmachinespreempt",
            "eviction of spot",
            "evicted spot",
            "low-priority vm was evicted",
            "preemptscheduled node/",
            "preempt of this vm",
            "vm scheduled for preempt",
            "low priority machine preempted",
            "this virtual machine has been preempted",
        ])
        .unless(&["operation was preempted"])
        .conditions(&["PreemptScheduled", "PreemptionScheduled"])
        .reported_by(&["ShutdownInProgress"])
        .checks(&["See the events of the VM: `az monitor activity-log list --resource-group NODE_GROUP --offset 1d --query \"[?contains(operationName.value, 'evict')]\"`", check::DESCRIBE_NODE]),
    row("RestartRequested")
        .source(Learn, "azure/virtual-machines/linux/scheduled-events")
        .symptom("A user, or AKS's repair of a node that is not Ready, restarts, moves or stops the VM: Azure's own maintenance is not the reason")
        // Azure's scheduled events.
        .any(&["as requested by authorized user"])
        .leaves_open(&[Layer::Kubelet, Layer::Registration, Layer::Readiness])
        .checks(&["See who asked for it: `az monitor activity-log list --resource-group NODE_GROUP --offset 1d --query \"[].{at:eventTimestamp,who:caller,what:operationName.value}\" -o table`", check::DESCRIBE_NODE]),
    row("InstanceWillBeDeleted")
        .source(Learn, "azure/virtual-machines/linux/scheduled-events")
        .cause("The VM is going to be deleted: its scale set announces it with a scheduled event (terminate notification), because something scales in, deletes the instance or the pool")
        .any(&["terminatescheduled node/", "terminate scheduled", "\"eventtype\": \"terminate\"", "\"eventtype\":\"terminate\"", "eventtype: terminate"])
        .checks(&["See who asked for it: `az monitor activity-log list --resource-group NODE_GROUP --offset 1d --query \"[].{at:eventTimestamp,who:caller,what:operationName.value}\" -o table`", check::AUTOSCALER]),
    row("HostMaintenance")
        .source(GitHub, "MicrosoftDocs/azure-docs/blob/HEAD/articles/service-health/resource-health-vm-annotation.md")
        .cause("Azure restarts, freezes or moves the VM for maintenance or a failure of its host")
        .any(&[
            "redeployscheduled node/",
            "rebootscheduled node/",
            "freezescheduled node/",
            "\"eventtype\": \"redeploy\"",
            "\"eventtype\": \"reboot\"",
            "\"eventtype\":\"redeploy\"",
            "\"eventtype\":\"reboot\"",
            "redeploy scheduled",
            "reboot scheduled",
            "freeze scheduled",
            "hostservererror",
            "host server error",
            "unexpectedly rebooted",
            "virtualmachineredeployinitiated",
            "platforminitiated",
            "platform initiated",
            "customer-initiated maintenance",
            "unplanned-hostfailure",
            "\"eventtype\": \"freeze\"",
            "\"eventtype\":\"freeze\"",
            "host server is undergoing maintenance",
            "unexpected failure on the host server",
            "virtual machine is unavailable because",
            "virtual machine isn't available because",
            "unexpected problem with the host",
            "virtualmachinehostcrashed",
            "virtualmachinehostrebootedforrepair",
            "virtualmachinehostrebootedformaintenance",
            "virtualmachinemigrationinitiatedfor",
            "virtualmachineredeployinitiatedforrepair",
            "virtualmachineredeployinitiatedbycontrolplane",
            "virtualmachinepossiblydegraded",
            "virtualmachinescheduledformaintenance",
            "virtualmachinescheduledforservicehealing",
            "virtualmachinemigrationscheduledfor",
            "virtualmachinestorageoffline",
            "virtualmachineplannedfreeze",
            "livemigrationsucceeded",
            "livemigrationfailure",
            // What Resource Health says of these.
            "a live migration operation was",
            "is being migrated to a different host server",
            "is being moved to a different host server",
            "as part of routine maintenance workflows",
            "freeze impact due to a routine update",
            "routine update that resulted in a freeze impact",
            "routine update that might result in a freeze impact",
            "due to a temporary loss of access to disk",
            "due to the underlying host server",
            "physical host running your virtual machine might",
            "physical host on which your virtual machine is running",
            "memory-preserving live migration",
            "is being redeployed to a different host",
            "are being applied to the host server",
            "unexpected host server reboot",
            "failure on the host server",
            "connectivity loss to the remote disk",
            "impacted by a top-of-rack network device",
            "that is predicted to fail soon",
        ])
        // Its titles.
        .near(&["resource health", "resourcehealth", "unavailable", "degraded"], &["host server hardware failure", "migration scheduled due to degraded hardware", "redeploying to different host", "maintenance redeploy to ", "maintenance rebooting for host update", "host server reboot", "redeploying due to ", "unexpected host failure", "remote disk disconnected"])
        // What Resource Health says of a cluster, whoever began it, and of a VM that is available again.
        .unless(&["node(s) are not ready", "\"currenthealthstatus\":\"available\"", "\"currenthealthstatus\": \"available\"", "as requested by authorized user"])
        .azure(&["virtualmachines/redeploy/action", "virtualmachinescalesets/redeploy/action", "virtualmachines/performmaintenance/action"])
        .conditions(&["VMEventScheduled", "RedeployScheduled", "RebootScheduled", "FreezeScheduled", "TerminateScheduled"])
        .checks(&["See the health of the VM: `az resource show --ids VM_ID/providers/Microsoft.ResourceHealth/availabilityStatuses/current --api-version 2023-07-01-preview`", check::ACTIVITY]),
    row("InstanceGone")
        .source(Karpenter, "pkg/cloudprovider/types.go")
        .cause("The VM of the node no longer exists: it was deleted outside the controller, evicted, or its creation was rolled back")
        .any(&[
            "nodeclaim not found in provider",
            "nodeclaimnotfounderror",
            "nodeclaim not found",
            "nodeclaims not found",
            "instancenotfound",
            "deletingnode",
            "not present according to cloud provider",
            "no longer present in cloud provider",
            "deleting node because it does not exist in the cloud provider",
            "does not exist in the cloud provider",
            "no longer exists in the cloud",
            "not found in the list of azure vms",
            "virtual machine not found",
            "no cloud provider representation",
            "no cloudprovider representation",
            "instance is terminated",
            "failed to get instance by provider",
            "the vm instance(s) might be deleted",
            "is not an active virtual machine scale set vm instanceid",
            "not an active virtual machine scale set vm",
            "nodeclaim instance terminated", "unexpectedvmdeletion", "unexpected azure scale set deletion", "vmdeleted", "resource not found: vm"])
        .near(
            &["the resource 'microsoft.compute/virtualmachines/", "microsoft.compute/virtualmachinescalesets/", "virtualmachines/"],
            &["was not found"],
        )
        .near(&["cloudprovider", "cloud provider", "provider", "error checking if node", "failed to get", "getting instance", "nodeclaim", "azure"], &["instance not found", "vm not found"])
        // Functions of the cloud provider, which it names in its errors.
        .near(&["ss.getprimaryinterface(", "ss.getcachedvirtualmachine(", "az.nodeaddresses", "az.getipformachine(", "az.getvirtualmachine("], &["instance not found"])
        .near(&["azure_vmss.go", "azure_vmssflex.go", "azure_standard.go"], &["parentresourcenotfound"])
        .near(&["error checking if node"], &["not found", "not a vmss instance", "httpstatuscode: 404", "parentresourcenotfound", "resourcenotfound"])
        .azure(&["targetinstanceidnotfound", "microsoft.compute/virtualmachines/delete", "microsoft.compute/virtualmachinescalesets/delete", "virtualmachinescalesets/virtualmachines/delete", "virtualmachinedeleteinitiated", "vmnotfound", "instanceidsnotfound", "delete virtual machines in a virtual machine scale set", "delete virtual machine scale set"])
        .near(&["the vm '"], &["cannot be found"])
        .checks(&[check::ACTIVITY, check::NODE_CLAIM, "Look for the VM: `az vm list -g NODE_GROUP -o table; az vmss list-instances -g NODE_GROUP -n SCALE_SET -o table`"]),
    row("InstanceBeingDeleted")
        .source(Learn, "troubleshoot/azure/virtual-machines/windows/error-messages")
        .cause("The VM is being deleted: a user, the autoscaler or Azure started it, and it cannot be used any longer")
        .azure(&["since the vm is marked for deletion", "is marked for deletion. you can only retry the delete operation", "vm is in deleting state", "provisioningstate/deleting", "scalesetmarkedfordeletion"])
        // An extension or an image can be deleted too.
        .unless(&["on vm extension '", "since the image is marked for deletion"])
        .checks(&[check::ACTIVITY, check::INSTANCE]),
    row("InstanceDeallocated")
        .source(GitHub, "kubernetes/cloud-provider/blob/HEAD/api/well_known_taints.go")
        .cause("The VM was stopped or deallocated by a user, a schedule, or an eviction with the policy Deallocate")
        .any(&[
            "powerstate/deallocated",
            "powerstate/deallocating",
            "powerstate/stopped",
            "powerstate/stopping",
            "node.cloudprovider.kubernetes.io/shutdown",
            "vm deallocated",
            "has been deallocated",
            "is deallocated",
            "virtualmachines/deallocate/action",
            "virtualmachinescalesets/deallocate/action",
            "deallocate virtual machine",
            "deallocated virtual machine",
            // The cluster autoscaler, of a scale set with the scale-down mode Deallocate.
            "instances in deallocated state",
            "cluster is stopped",
            "managedclusteragentpool is stopped",
            "powerstate: stopped",
            "vm stopped",
            "virtualmachinestoppedinternally",
            "virtualmachinestopanddeallocateinitiated",
            "virtualmachinestopinitiatedbycontrolplane",
            "virtualmachinedeallocated",
            "virtualmachinedeallocationinitiated",
            "being stopped and deallocated as requested",
            "virtual machine is stopping as requested",
            "virtualmachines/poweroff/action",
            "virtualmachinescalesets/poweroff/action", "stopping and deallocating as requested"])
        .azure(&["is either deallocated or marked to be deallocated", "when the vm is not running", "requires the vm to be running"])
        // systemd, as its last step.
        .near(&["systemd["], &["reached target system power off", "reached target power-off", "reached target poweroff"])
        .reported_by(&["ShutdownInProgress"])
        .near(&["virtual machine is unavailable because", "virtual machine isn't available because"], &["stopped", "deallocated", "authorized user"])
        // Titles of Resource Health.
        .near(&["resource health", "resourcehealth", "unavailable"], &["stopped by user", "stopping and deallocating", "stopped and deallocating"])
        .near(&["vm is not running", "virtual machine is not running"], &["azure", "vmss", "aks", "operationnotallowed", "extension"])
        .unless(&["is allowed only when creating a vm", "retry after vm is deallocated"])
        .or(&["The pool has the scale-down mode Deallocate: nodes that the autoscaler removes stay, not Ready"])
        .checks(&[check::INSTANCE, check::ACTIVITY]),
    row("NodeRepairFailed")
        .source(GitHub, "MicrosoftDocs/SupportArticles-docs/blob/HEAD/support/azure/azure-kubernetes/availability-performance/node-auto-repair-errors.md")
        .cause("AKS tried to repair the node, because it was not Ready, and the restart, reimage or redeployment failed")
        .any(&["noderebooterror", "nodereimageerror", "noderedeployerror"])
        .near(&["node auto-repair"], &["action failed", "operation failure"])
        .checks(&[check::DESCRIBE_NODE, check::ACTIVITY]),
    row("NodeRepaired")
        .source(Karpenter, "pkg/controllers/node/health/controller.go")
        .since("1.1")
        .cause("The node was unhealthy for a while, so Karpenter replaces it")
        .any(&["deleting unhealthy node", "noderepairblocked"])
        .near(&["\"controller\":\"node.health\""], &["\"reason\":\"unhealthy\""])
        .checks(&[check::NODE_CLAIM, check::KARPENTER_LOG]),
    row("NodeBeingRepaired")
        .source(Learn, "azure/aks/node-auto-repair")
        .cause("AKS repairs the node because it was not Ready: it restarts, reimages or redeploys the VM, and keeps pods away meanwhile")
        .any(&["remediator.aks.microsoft.com/", "aks-remediator", "node auto-repair is initiating", "automatic reboot of node is initiated", "automatic reimage of node is initiated", "automatic redeploy of node is initiated"])
        .checks(&[check::DESCRIBE_NODE, check::ACTIVITY]),
    row("InstanceReimaged")
        .source(Learn, "azure/aks/node-auto-repair")
        .cause("The VM was reimaged or upgraded: everything on its disk is new, and its node must register again")
        .any(&[
            "virtualmachinescalesets/reimage/action",
            "virtualmachines/reimage/action",
            "reimage/action",
            "reimageall/action",
            "reimage virtual machine",
            "has been reimaged",
            "being reimaged",
            "nodereimage",
            "reimaging node",
            "node auto-repair",
            "noderepair",
            "nodereboot",
            "automatic reboot of node",
            "surging node",
            "created a surge node",
            "successfully reimaged",
        ])
        .unless(&["failed to reimage virtual machine", "noderepair=", "nodereboot="])
        .checks(&[check::ACTIVITY, check::DESCRIBE_NODE]),
    row("NodeRebooted")
        .source(Kubernetes, "pkg/kubelet/kubelet_node_status.go")
        .symptom("The VM of the node restarted")
        .any(&["has been rebooted, boot id", "warning rebooted ", "reason: rebooted", "virtualmachinerestarted", "virtualmachinecrashed", "reboot due to a guest os crash", "reboot as requested by ", "virtualmachinerebootinitiated", "virtualmachinerebootedforunknownreason", "reboot was triggered from inside the virtual machine"])
        // Titles of Resource Health.
        .near(&["resource health", "resourcehealth", "unavailable"], &["rebooted by user", "reboot initiated from inside the machine"])
        .azure(&["virtualmachines/restart/action", "virtualmachinescalesets/restart/action"])
        .near(&["systemd["], &["system is rebooting", "reached target reboot", "reached target system reboot"])
        .or(&["Azure restarted it for maintenance, or a user or an agent of the node did", "The kernel crashed"])
        .reported_by(&["ShutdownInProgress"])
        .checks(&[check::ACTIVITY, "See the restarts: `last -x reboot shutdown | head`"]),
    row("ShutdownRequested")
        .source(Linux, "drivers/hv/hv_util.c")
        .symptom("Azure asked the operating system of the VM to shut down: a user, the autoscaler, an upgrade or a schedule stops, restarts or deletes it")
        .any(&["shutdown request received - graceful shutdown initiated"])
        .reported_by(&["ShutdownInProgress"])
        .checks(&["See who asked for it: `az monitor activity-log list --resource-group NODE_GROUP --offset 1d --query \"[].{at:eventTimestamp,who:caller,what:operationName.value}\" -o table`", check::AUTOSCALER]),
    row("RestartedByUpdater")
        .source(GitHub, "mvo5/unattended-upgrades/blob/HEAD/unattended-upgrade")
        .cause("The operating system of the node restarts by itself after updates: unattended-upgrades is set up to do so (Automatic-Reboot)")
        .any(&["/var/run/reboot-required, rebooting"])
        // Any machine can have them.
        .needs(&["aks", "azure", "vmss", "k8s", "kube"])
        .checks(&["See the settings: `apt-config dump Unattended-Upgrade`", "See the restarts: `last -x reboot shutdown | head`"]),
    row("StoppedByOperatingSystem")
        .source(Systemd, "src/login/logind-action.c")
        .symptom("The operating system of the node stops or restarts: the host, a user or an agent asked for it")
        .near(&["systemd-logind["], &["system is powering down", "system is rebooting", "system is halting"])
        .within(60)
        .needs(&["aks-", "azure", "vmss"])
        .checks(&[check::ACTIVITY, "See the restarts: `last -x reboot shutdown | head`"]),
    row("RestartedForUpdates")
        .source(GitHub, "kubereboot/kured/issues/63")
        .symptom("The daemon kured restarts the node after updates of its system: it cordons and drains the node before")
        .any(&["lock already held: ", "acquired reboot lock", "reboot blocked: "])
        .near(&["kured", "kubernetes reboot daemon", "weave.works/kured-node-lock"], &["cordon", "uncordon", "reboot", "drain", "holding lock"])
        // It also starts where nothing has to be done.
        .needs(&["nodenotschedulable", "schedulingdisabled", "reboot required", "cordon", "drained", "drains", "draining", "holding lock", "lock already held", "acquired reboot lock", "reboot blocked", "rebooting", "reboots", "rebooted", "restart", "not reboot"])
        .checks(&["Read its log: `kubectl -n kube-system logs -l name=kured --tail=50`", check::DESCRIBE_NODE]),
    row("NodeDisrupted")
        .source(KarpenterAzure, "pkg/controllers/nodeclaim/garbagecollection/instance_garbagecollection.go")
        .symptom("Karpenter replaces or removes the node: it drifted, expired, is empty or underutilized")
        .any(&[
            "disrupting node",
            "disruptionterminating",
            "disruptionlaunching",
            "disruptionwaitingreadiness",
            "disruption-terminating",
            "disrupting nodeclaim",
            "requirementsdrift",
            "kubeletidentitydrift",
            "clusterconfigdrift",
            "imageversiondrift",
            "k8sversiondrift",
            "kubernetesversiondrift",
            "imagedrift",
            "nodeclassdrift",
            "nodepooldrifted",
            "nodepooldrift",
            "subnetdrift",
            "nodeclaim expired",
            "disruption via",
            "disrupting via",
            "underutilized/delete",
            "underutilized/",
            "disrupting: ",
            "deprovisioning via", "disrupting node(s)", "terminating due to timeout", "instancetypenotfound", "garbage collected cloudprovider instance"])
        .near(
            &["karpenter", "nodeclaim"],
            &["via consolidation", "consolidation delete", "consolidation replace", "via expiration", "\"expired\"", "expired/", "\"reason\":\"underutilized\"", "via emptiness", "\"reason\":\"empty\"", "drift", "tainted node", "deleted nodeclaim"],
        )
        .near(&["drifted"], &["karpenter", "nodeclaim", "disrupt", "nodepool", "aks-"])
        // The budgets of a NodePool name reasons, hashes of an object are named after drift, and the table of NodeClaims has a column for it.
        .unless(&["budgets:", "\"budgets\"", "consolidationpolicy", "consolidation policy:", "drift-hash", "nodeclass drifted"])
        .checks(&[check::NODE_CLAIM, check::KARPENTER_LOG]),
    row("TerminationBlocked")
        .source(Karpenter, "pkg/controllers/node/termination/terminator/events/events.go")
        .includes(&[Layer::Request, Layer::Registration])
        .cause("The node is being deleted and cannot be drained: a disruption budget or a pod that never ends blocks it")
        .any(&[
            "aks/debugdrainfailures",
            "upgrade-status=quarantined",
            "upgrade-status: quarantined",
            "eviction blocked by",
            "blocked by pdb",
            "drain did not complete",
            "failed when evicting pod",
            "failed to drain node",
            "error when evicting pod", "there are pending nodes to be drained", "faileddraining", "faileddrainnode", "drain not completed yet", "error draining machine's node",
            "cannot evict pod as it would violate the pod's disruption budget",
            "evictionblocked",
            "poddrainfailure",
            "drainerror",
            "too many requests: cannot evict",
            "unable to drain",
            "pods are waiting to be evicted",
            "toomanyrequests: cannot evict",
            "upgradefailed due to pdb",
            "disruptionblocked",
            "cannot disrupt node",
            "cannotdisrupt", "awaitingvolumedetachment", "awaiting volume detachment", "bypasses the pdb of the pod", "terminationgraceperiodexpiring",
        ])
        .near(&["drain of "], &["did not complete"])
        .near(&["pdb", "poddisruptionbudget", "pod disruption budget"], &["is blocking evictions", "could not upgrade", "upgrade failed", "failed to upgrade", "not drain", "drain failed", "cannot evict", "blocks the upgrade", "blocking the upgrade", "blocks the drain"])
        .near(&["nodeclaim", "nodeclaims", "karpenter.sh/termination"], &["finalizer is preventing", "removing finalizer", "removing termination finalizer", "stuck deleting", "stuck in deleting", "stuck terminating", "stuck in terminating", "due to finalizer", "because of the finalizer", "remove the finalizer", "removes the finalizer"])
        .named(&["terminationgraceperiod", "termination grace period"])
        .checks(&["List the budgets: `kubectl get pdb -A`", check::DESCRIBE_NODE]),
    row("ScaleDownFailed")
        .source(Autoscaler, "cluster-autoscaler/cloudprovider/azure/azure_vms_pool.go")
        .includes(&[Layer::Request])
        .klog(&["actuator.go", "delete_in_batch.go", "group_deletion_scheduler.go"])
        .symptom("The autoscaler failed to remove a node: its log has the error of Azure")
        .near(&["failed to scale down", "scaledownfailed"], &["autoscaler", "node", "vmss", "agentpool"])
        .near(&["waitfordeleteinstancesresult"], &["failed"])
        .any(&["problem with empty node deletion", "deleteinstancesasync for instances", "polluntildone for deleteinstances", "scaledowninternalerror", "failed to delete nodes from agentpool", "begindeletemachines for aks cluster", "failed to begin delete aks machine", "failed to delete aks machine"])
        .checks(&[check::AUTOSCALER, check::ACTIVITY]),
    row("ScaleDownBlocked")
        .source(GitHub, "kubernetes/autoscaler/issues/144")
        .symptom("The autoscaler keeps the node: a pod on it cannot be moved, or its pool has the smallest size")
        .any(&["cannot be removed: non-d", "cannot be removed: pod ", "is not suitable for removal", "node group min size reached", "min size reached, nodes will not be deleted", "cannot delete nodes as minimum size of"])
        .checks(&[check::AUTOSCALER, "List the budgets: `kubectl get pdb -A`"]),
    row("ScaledDown")
        .source(GitHub, "kubernetes/autoscaler/issues/1063")
        .symptom("The autoscaler removed the node because it was not needed or not ready")
        .any(&[
            "scale-down: removing",
            "reason: scaledown",
            "\"reason\":\"scaledown\"",
            "\"reason\": \"scaledown\"",
            "scaledown node/",
            "deleting pod for node scale down",
            "scale-down: node",
            "scaledownempty",
            "node removed by cluster autoscaler",
            "tobedeletedbyclusterautoscaler",
            "deletioncandidateofclusterautoscaler",
            "marked the node as tobedeleted",
            "was unneeded for",
            "deleted by autoscaler",
        ])
        .checks(&[check::AUTOSCALER]),
    row("AutoscalerOutOfStep")
        .source(Autoscaler, "cluster-autoscaler/cloudprovider/azure/azure_scale_set.go")
        .cause("The autoscaler and Azure differ in the size of the scale set: instances were added, deleted or stopped outside the autoscaler")
        .any(&["failed to fix node group sizes", "attempt to delete existing nodes targetsize", "couldn't find nodegroup of instance", "belongs to a different asg than", "doesn't belong to a known scale set", "doesn't belong to a known agent pool", "doesn't belong to a known node group", "is smaller than instances to delete"])
        .checks(&[check::AUTOSCALER, "List the instances: `az vmss list-instances -g NODE_GROUP -n SCALE_SET -o table`"]),
    row("KarpenterReportsError")
        .source(KarpenterAzure, "pkg/controllers/nodeclaim/garbagecollection/instance_garbagecollection.go")
        .wrapper("Karpenter cannot remove or replace a node: the end of its error has the reason")
        .near(
            &["\"level\":\"error\"", "reconciler error", "\terror\t"],
            &["node.termination", "nodeclaim.termination", "nodeclaim.disruption", "nodeclaim.expiration", "nodeclaim.garbagecollection", "instance.garbagecollection", "node.health", "disruption.queue", "controller.disruption", "\"controller\":\"disruption\"", "eviction-queue", "nodeclaim.consistency"],
        )
        .checks(&[check::KARPENTER_LOG, check::NODE_CLAIM]),
    row("NodeCordoned")
        .source(GitHub, "Azure/AKS/issues/3439")
        .wrapper("The node is cordoned: an upgrade, a drain or a person marked it unschedulable")
        .any(&["status is now: nodenotschedulable", "ready,schedulingdisabled", "nodenotschedulable node/"])
        .checks(&[check::DESCRIBE_NODE, check::ACTIVITY]),
    row("ShutdownInProgress")
        .source(Kubernetes, "pkg/kubelet/nodeshutdown/nodeshutdown_manager_linux.go")
        .cause("The node shuts down: somebody or something restarts or stops its VM")
        .any(&["shutdown manager detected shutdown event", "shutdown manager detected new shutdown event", "node is shutting down", "node is shutting, evicting pods", "shutdown manager processing shutdown event", "node will shutdown shortly", "imminent node shutdown", "nodeshutdown ", "nodeshutdown\"", "pod was rejected as the node is shutting down", "in progress of shutting down"])
        .leaves_open(&[Layer::Readiness])
        .checks(&[check::DESCRIBE_NODE, check::INSTANCE]),
    row("NodeDeleted")
        .source(Kubernetes, "pkg/controller/nodelifecycle/node_lifecycle_controller.go")
        .wrapper("The node object was deleted from the cluster")
        .any(&["removingnode", "removing node", "node deleted", "deleting node", "event: removing node", "deleted node", "has been deleted while the machine still exists"])
        .on_azure()
        .checks(&[check::ACTIVITY, check::AUTOSCALER]),
    row("NodeLifecycleError")
        .source(Kubernetes, "staging/src/k8s.io/cloud-provider/controllers/nodelifecycle/node_lifecycle_controller.go")
        .wrapper("The controller that removes the nodes of deleted VMs reports an error: the end of the line has the reason")
        .klog(&["node_lifecycle_controller.go", "azure_vmss.go", "azure_vmssflex.go", "azure_standard.go", "azure_instances.go", "azure_instances_v1.go", "azure_instances_v2.go", "azure_vmss_cache.go", "azure_vmssflex_cache.go", "azure.go"])
        .any(&["failed to update statusupdateneeded field in actual state of world"])
        .checks(&[check::ACTIVITY, check::DESCRIBE_NODE]),
];
