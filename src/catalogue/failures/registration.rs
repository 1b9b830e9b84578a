//! The kubelet runs, but cannot authenticate or register: errors of its calls to the API server, and of Go's HTTP and TLS.

use super::Publisher::{GitHub, Karpenter, Kubernetes, Web};
use super::{Failure, Layer, check};

const fn row(reason: &'static str) -> Failure {
    super::failure(Layer::Registration, reason)
}

/// Calls of the kubelet to the API server that failed.
const CALLS: &[&str] = &[
    // What client-go adds to the words of the API server: the call.
    "(post nodes",
    "(patch nodes ",
    "(put leases",
    "(get leases",
    "(get csinodes",
    "cluster-info configmap",
    "failed to request cluster-info",
    "failed to request cluster info",
    "request the cluster-info",
    "validate the identity of the api server",
    "abort connecting to api servers",
    "error execution phase kubelet-start",
    "failed to communicate with api server",
    "failed to communicate with the api server",
    "failed to communicate with apiserver",
    "unable to connect to the server",
    "couldn't get current server api group list",
    "couldn't get resource list for",
    "unable to contact k8s api-server",
    "did you specify the right host or port",
    "unable to register node",
    "failed to contact api server",
    "failed while requesting a signed certificate",
    "cannot create certificate signing request",
    "failed to list *v1.",
    "failed to list *v1beta1.",
    "failed to watch *v1.",
    "failed to ensure lease exists",
    "failed to ensure node lease exists",
    "failed to update lease",
    "failed to update node lease",
    "error updating node status",
    "unable to update node status",
    "failed to initialize csinode",
    "unable to write event",
    "server rejected event",
    "failed to request signed certificate",
    "certificate request was not signed",
    "certificate_manager",
    "csi_plugin.go",
    "kubelet_node_status.go",
    "reflector.go",
    "error getting node",
    "error getting the current node",
    "failed to get node",
    "failed to run kubelet",
    "unable to authenticate the request",
    "failed to connect to apiserver",
    "failed to create a client",
    "error retrieving node",
    "attempting to register node",
    "kubelet-bootstrap",
    "bootstrap-kubeconfig",
    "bootstrap token",
    "certificatesigningrequests",
    "/api/v1/nodes",
    "/api/v1/services",
    "/apis/coordination.k8s.io",
    "/apis/storage.k8s.io",
    "/apis/node.k8s.io",
    "azmk8s.io",
    ":6443/",
    "nodelease.go",
    "/apis/certificates.k8s.io",
    "from bootstrap server",
    "bootstrap service client",
    "secure-tls-bootstrap",
];

/// The same, if the reason alone is a word of everyone's logs.
const STRICT: &[&str] = &[
    // What client-go adds to the words of the API server: the call.
    "(post nodes",
    "(patch nodes ",
    "(put leases",
    "(get leases",
    "(get csinodes",
    "cluster-info configmap",
    "failed to request cluster-info",
    "failed to request cluster info",
    "request the cluster-info",
    "validate the identity of the api server",
    "abort connecting to api servers",
    "error execution phase kubelet-start",
    "failed to communicate with api server",
    "failed to communicate with the api server",
    "failed to communicate with apiserver",
    "unable to connect to the server",
    "couldn't get current server api group list",
    "couldn't get resource list for",
    "unable to contact k8s api-server",
    "did you specify the right host or port",
    "unable to register node",
    "failed to contact api server",
    "failed while requesting a signed certificate",
    "cannot create certificate signing request",
    "failed to list *v1",
    "failed to watch *v1",
    "failed to ensure lease exists",
    "failed to ensure node lease exists",
    "failed to update lease",
    "error updating node status",
    "unable to update node status",
    "unable to write event",
    "server rejected event",
    "certificate_manager",
    "csi_plugin.go",
    "kubelet_node_status.go",
    "reflector.go",
    "error getting node",
    "failed to get node",
    "failed to run kubelet",
    "azmk8s.io",
    "certificatesigningrequests",
    "nodelease.go",
    "registering the node",
    "register node",
    "tls bootstrap",
];

pub(super) static FAILURES: &[Failure] = &[
    row("KubeletTokenMissing")
        .source(GitHub, "amimof/kubernetes-the-right-way/issues/22")
        .cause("The kubelet sent no credentials: the API server sees it as system:anonymous, so the bootstrap token or client certificate is missing")
        .any(&["user \"system:anonymous\"", "user 'system:anonymous'", "system:anonymous"])
        .or(&["The bootstrap token has expired or belongs to another cluster"])
        .at_start()
        .checks(&[check::TOKENS, check::CERTIFICATE, check::KUBELET_LOG]),
    row("KubeletUnauthorized")
        .source(Kubernetes, "pkg/kubelet/kubelet_node_status.go")
        .cause("The API server rejects the kubelet's credentials: the bootstrap token has expired, was deleted or belongs to another cluster")
        .any(&["unauthorized\" node=\"", "rejects the bootstrap token", "bootstrap token has expired", "token lookup failed", "bootstrap token is invalid", "no bootstrap token", "you must be logged in to the server (", "to the server (the server has asked for the client", "to the server (unauthorized)", "bootstrap token expired", "expired bootstrap token", "unable to validate bootstrap credentials after", "received invalid http status code from apiserver", "there is no jws signed token in the cluster-info", "could not find a jws signature", "is invalid for this cluster, can't connect", "curl response code is 401", "bootstrap token credential is invalid"])
        .near(
            STRICT,
            &["unauthorized", "the server has asked for the client to provide credentials", "must be logged in to the server", "invalid bearer token", "401 unauthorized"],
        )
        // Of Azure, which the kubelet's cloud provider asks.
        .unless(&["from cloud provider", "login.microsoftonline.com"])
        .or(&["The client certificate of an earlier boot has expired or is of another cluster: the machine was restored or the cluster's certificates were rotated", "The machine's clock is wrong"])
        .near(&["bootstrap token", "bootstrap-token"], &["has expired", "is expired", "not found", "does not exist", "is not valid"])
        .near(&["unable to register"], &["asked for the client to provide credentials"])
        // A kubelet without a certificate goes on without credentials.
        .reported_by(&["KubeletTokenMissing"])
        .checks(&[check::TOKENS, check::CERTIFICATE, check::CLUSTER]),
    row("NodeNotAllowed")
        .source(Kubernetes, "plugin/pkg/admission/noderestriction/admission.go")
        .cause("The API server does not allow the kubelet to change this node: its certificate belongs to a node with another name")
        .any(&["is not allowed to modify node", "can only access node lease with the same name", "can only create a node lease with the same name", "can only read resources of this type", "node requesting self is", "only its own node object", "can only access node lease in the", "unknown node for user"])
        .near(&["is forbidden: node \"", "is forbidden: node '"], &["cannot modify node"])
        .checks(&["Compare the names: `hostname; openssl x509 -noout -subject -in /var/lib/kubelet/pki/kubelet-client-current.pem`", check::KUBELET_FLAGS]),
    row("KubeletForbidden")
        .source(GitHub, "opsnull/follow-me-install-kubernetes-cluster/issues/206")
        .cause("The API server recognizes the kubelet's identity, but denies the request: a role binding for bootstrap tokens or nodes is missing")
        .any(&["cannot create certificate signing request: user \"", "certificatesigningrequests.certificates.k8s.io is forbidden", "user \"system:bootstrap:", "user \"kubelet-bootstrap\"", "user \"system:node:"])
        .near(
            STRICT,
            &["is forbidden", "forbidden: user", "cannot create resource", "cannot get resource", "cannot list resource", "cannot create certificatesigningrequests", "cannot list ", "cannot get "],
        )
        // Of a pod: a kubelet has no service account.
        .unless(&["user \"system:serviceaccount:", "user \"system:anonymous"])
        .reported_by(&["KubeletTokenMissing"])
        .checks(&[check::BINDINGS]),
    row("NodeDeniedByWebhook")
        .source(Web, "kubernetes.io/docs/reference/access-authn-authz/extensible-admission-controllers/")
        .cause("An admission webhook or policy of the cluster denies the node")
        .near(
            &["admission webhook \"", "admission webhook '", "failed calling webhook", "validatingadmissionpolicy"],
            &["node ", "nodes ", "node \"", "nodes \"", "certificatesigningrequest", "lease", "unable to register", "\" node=\""],
        )
        // Of objects that nodes are created from, and of other objects.
        .unless(&["karpenter", "nodepool \"", "nodepools", "nodeclaim", "clusterrole"])
        .checks(&["List the webhooks: `kubectl get validatingwebhookconfigurations,mutatingwebhookconfigurations`"]),
    row("ClockWrong")
        .source(Kubernetes, "pkg/kubelet/kubelet_node_status.go")
        .cause("The machine's clock is wrong: it is before the time at which the certificate becomes valid")
        .near(
            CALLS,
            &["is before 20", "certificate is not yet valid", "is not valid before"],
        )
        .or(&["The certificate of the API server or the kubelet has expired"])
        .checks(&[check::CLOCK, check::SERVER_CERTIFICATE]),
    row("CertificateExpired")
        .source(Kubernetes, "pkg/kubelet/kubelet_node_status.go")
        .cause("A certificate has expired, or the machine's clock is wrong")
        .near(
            &["certificate has expired or is not yet valid", "x509: certificate has expired", "tls: expired certificate", "certificate has expired", "remote error: tls: bad certificate"],
            CALLS,
        )
        .checks(&[check::CERTIFICATE, check::SERVER_CERTIFICATE, check::CLOCK]),
    row("ClientCertificateExpired")
        .source(Kubernetes, "pkg/kubelet/certificate/transport.go")
        .cause("The kubelet's client certificate has expired, because the machine was off for long or it was not renewed: the kubelet needs a new bootstrap token")
        .any(&["part of the existing bootstrap client certificate", "no valid client certificate is found", "since a valid client cert was found", "client certificate has expired and the server is responsive", "client certificate has expired, but the server is not responsive", "valid client cert was found, but the server is", "no client certificate, but the server is not responsive", "it was not possible to rotate the certificate", "client certificate is expired"])
        // The kubelet then asks for a token, whose file AKS has removed.
        .reported_by(&["KubeletFileMissing"])
        .checks(&[check::CERTIFICATE, check::TOKENS, check::CSRS]),
    row("ApiServerUntrusted")
        .source(Kubernetes, "pkg/kubelet/kubelet_node_status.go")
        .cause("The kubelet does not trust the certificate of the API server: its CA belongs to another cluster, or a device on the path inspects TLS")
        // The name of the CA of an AKS cluster, and of one of kubeadm.
        .any(&["candidate authority certificate \"ca\"", "candidate authority certificate \"kubernetes\"", "failed to verify jws signature", "found in cluster-info configmap is invalid"])
        .near(&["none of the public keys"], &["are pinned"])
        // The end of what kubectl writes.
        .near(&["the server: x509: "], &["unknown authority", "verification error", "verification failure", "is not trusted"])
        .near(
            &[
                "certificate signed by unknown authority",
                "crypto/rsa: verification error",
                "ecdsa verification failure",
                "self signed certificate",
                "self-signed certificate",
                "certificate is not trusted",
                "certificate is not standards compliant",
            ],
            CALLS,
        )
        .checks(&[check::SERVER_CERTIFICATE, check::CLUSTER]),
    row("ApiServerNameMismatch")
        .source(Kubernetes, "pkg/kubelet/kubelet_node_status.go")
        .cause("The name or address in the kubelet's configuration is not in the API server's certificate")
        .near(
            &["x509: certificate is valid for", "x509: cannot validate certificate for", "certificate is not valid for any names", "doesn't contain any ip sans", "x509: certificate relies on legacy common name"],
            CALLS,
        )
        .checks(&[check::SERVER_CERTIFICATE, check::CLUSTER]),
    row("ApiServerNameUnresolved")
        .source(Kubernetes, "pkg/kubelet/kubelet_node_status.go")
        .cause("DNS does not resolve the name of the API server: the private zone is not linked or forwarded, or the cluster is stopped or deleted")
        .near(
            &["no such host", "server misbehaving", "temporary failure in name resolution", "name or service not known", "nxdomain", "could not resolve host", "produced zero addresses"],
            CALLS,
        )
        // Without one of the kubelet's calls, the name must be one of an API server.
        .near(
            &["dial tcp: lookup"],
            &["azmk8s", ".hcp.", ".privatelink.", "apiserver", "api-server", "kube-api", "lookup kubernetes"],
        )
        // The end of what kubectl writes, with the DNS server of Azure.
        .near(&["server: dial tcp: lookup"], &["on 168.63.129.16:53: no such host", "on 168.63.129.16:53: server misbehaving"])
        // What dig, nslookup and host print without an answer.
        .near(&["azmk8s.io"], &["no servers could be reached", "** server can't find"])
        // A registry.
        .unless(&["failed to pull image", "failed to pull and unpack image", "failed to resolve reference", "httpreadseeker"])
        .or(&["The DNS servers of the virtual network cannot be reached"])
        .checks(&[check::RESOLVE, check::CLUSTER]),
    row("ProxyRefuses")
        .source(Kubernetes, "pkg/kubelet/kubelet_node_status.go")
        .cause("The proxy that the kubelet uses cannot be reached or refuses the connection: NO_PROXY lacks the API server, or the proxy is wrong")
        // Go returns the words of the proxy's answer to CONNECT behind the address: `Post "https://…/api/v1/nodes": Forbidden`.
        .near(&["proxyconnect tcp", "proxy authentication required", "407 proxy"], CALLS)
        .near(&["\": forbidden\"", "\": bad gateway\"", "\": service unavailable\"", "\": gateway timeout\""], STRICT)
        .checks(&["See the proxy: `systemctl show kubelet -p Environment; env | grep -i proxy`"]),
    row("TlsHandshakeFails")
        .source(Kubernetes, "pkg/kubelet/kubelet_node_status.go")
        .cause("The connection to the API server opens, but the TLS handshake does not finish: a firewall filters it, the MTU is wrong, or the API server is overloaded")
        .near(
            &["tls handshake timeout", "tls: handshake failure", "http2: client connection lost", "first record does not look like a tls handshake", "tls: internal error", "server gave http response to https client"],
            CALLS,
        )
        // The end of what kubectl writes.
        .any(&["to the server: net/http: tls handshake timeout"])
        .checks(&["Try a handshake: `openssl s_client -connect API_SERVER:443 </dev/null`", check::REACH]),
    row("ApiServerRefused")
        .source(Kubernetes, "pkg/kubelet/kubelet_node_status.go")
        .cause("Nothing answers at the API server's address: the cluster is stopped, the address is wrong, or a load balancer has no backend")
        .near(&["connection refused", "target machine actively refused it"], CALLS)
        .any(&["was refused - did you specify"])
        // The end of what kubectl writes.
        .near(&["server: dial tcp"], &[":443: connect: connection refused", ":6443: connect: connection refused", ":443: connectex: no connection could be made", ":6443: connectex: no connection could be made"])
        // The agent of cilium, on a node that is registered.
        .unless(&["subsys="])
        .or(&["A firewall or network security group rejects the connection"])
        .checks(&[check::REACH, check::CLUSTER]),
    row("ApiServerUnreachable")
        .source(Kubernetes, "pkg/kubelet/kubelet_node_status.go")
        .cause("The kubelet does not reach the API server on port 443: a firewall, network security group, route or authorized IP range blocks it")
        .near(
            &[
                "i/o timeout",
                "context deadline exceeded",
                "client.timeout exceeded",
                "client.timeout or context cancellation",
                "no route to host",
                "network is unreachable",
                "connection timed out",
                "request canceled while waiting for connection",
                "host is down",
                "timed out waiting for the api",
                "net/http: request canceled",
                "operation timed out",
                "to an unreachable network",
                "connected party did not properly respond",
                // nc.
                "timed out: operation now in progress",
            ],
            CALLS,
        )
        // The end of what kubectl writes.
        .near(
            &["server: dial tcp"],
            &[
                ":443: i/o timeout",
                ":6443: i/o timeout",
                ":443: connectex: a connection attempt",
                ":6443: connectex: a connection attempt",
                ":443: connect: no route to host",
                ":443: connect: network is unreachable",
                ":443: connect: connection timed out",
            ],
        )
        // CoreDNS, whose clients ask for the name, the agent of cilium on a registered node, and systemd, which waits for a unit.
        .unless(&["plugin/errors: ", "subsys=", "start operation timed out", "stop operation timed out"])
        .or(&["The cluster is stopped or was deleted, or its API server has another address"])
        .checks(&[check::REACH, check::CLUSTER, "See routes and rules: `ip route; az network nsg list -g NODE_GROUP -o table`"]),
    row("ConnectionCut")
        .source(Kubernetes, "pkg/kubelet/kubelet_node_status.go")
        .cause("The connection to the API server is cut, usually by a firewall that filters by TLS name, or by a proxy")
        .near(
            &["http2: server sent goaway", "stream error: stream id", "reset by peer", "unexpected eof", ": eof", "broken pipe", "\"eof\"", "use of closed network connection", "forcibly closed by the remote host"],
            CALLS,
        )
        .checks(&[check::REACH, "Try a handshake: `openssl s_client -connect API_SERVER:443 </dev/null`"]),
    row("ApiServerUnavailable")
        .source(Kubernetes, "staging/src/k8s.io/apimachinery/pkg/api/errors/errors.go")
        .cause("The API server is reachable, but cannot serve the request: it is starting or overloaded, or its etcd does not answer")
        .near(
            &[
                "the server is currently unable to handle the request",
                "service unavailable",
                "etcdserver: ",
                "the server was unable to return a response",
                "apiserver not ready",
                "the server has received too many requests",
                "internal error occurred",
                "the server could not find the requested resource",
                "gateway timeout",
                "bad gateway",
            ],
            STRICT,
        )
        .or(&["An admission webhook fails or denies the node"])
        .checks(&[check::CLUSTER, "Ask it: `curl -k https://API_SERVER/readyz?verbose`"]),
    row("NodeInvalid")
        .source(Kubernetes, "pkg/kubelet/kubelet_node_status.go")
        .cause("The API server rejects the node object: a label, taint or provider ID of the kubelet is not valid")
        .near(
            &["unable to register node", "node \"", "nodes \""],
            &["is invalid: ", "invalid value:", "spec.taints", "forbidden: is not allowed to", "metadata.labels", "may not change once set", "node labels"],
        )
        .checks(&[check::KUBELET_FLAGS, check::VALIDATE]),
    row("CertificateExpiresSoon")
        .source(GitHub, "kubernetes-monitoring/kubernetes-mixin/blob/HEAD/alerts/kubelet.libsonnet")
        .symptom("The certificate of the kubelet expires soon and was not renewed yet: the node still works, and fails when it has expired")
        // Alerts of kubernetes-mixin.
        .any(&["kubeletclientcertificateexpiration", "kubeletservercertificateexpiration"])
        .near(&["certificate for kubelet on node "], &[" expires in "])
        .or(&["The kubelet's signing request was not approved or signed"])
        .checks(&[check::CERTIFICATE, check::CSRS]),
    row("CertificateNotSigned")
        .source(Kubernetes, "staging/src/k8s.io/client-go/util/certificate/certificate_manager.go")
        .cause("The kubelet's signing request was not approved or signed")
        .any(&[
            "certificate request was not signed",
            "certificate signing request was denied",
            "csr was denied",
            "certificate signing request is denied",
            "no certificate was issued",
            "certificate request was denied",
            "waiting for the csr to be approved",
            "timed out waiting for the condition, watching csr",
            "csr not approved",
            "certificate signing request csr-",
            // The kubelet, until the cluster has signed.
            "certificate signing request created",
            "is not approved",
            "no serving certificate available",
            "serving certificate available for the kubelet",
            "reached backoff limit, still unable to rotate certs", "but subject access review was not approved",
            // Alerts of kubernetes-mixin.
            "kubeletclientcertificaterenewalerrors", "kubeletservercertificaterenewalerrors", "failed to renew its client certificate", "failed to renew its server certificate"])
        // The table of `kubectl get csr`.
        .near(&["kubernetes.io/kube-apiserver-client-kubelet", "kubernetes.io/kubelet-serving", "system:bootstrap:", " requestor "], &[" pending"])
        // Calls to the kubelet, which has no certificate to serve.
        .near(&[":10250/"], &["remote error: tls: internal error"])
        .reported_by(&["KubeletTokenMissing"])
        .checks(&[check::CSRS]),
    row("ServingCertificateRejected")
        .source(GitHub, "kubernetes-sigs/metrics-server/blob/HEAD/KNOWN_ISSUES.md")
        .cause("The certificate that the kubelet serves on port 10250 is not accepted: it is not signed by the cluster's CA, or has expired or another name or address")
        .near(&[":10250/"], &["x509: "])
        .reported_by(&["TunnelDown"])
        .checks(&["See it: `openssl s_client -connect NODE_ADDRESS:10250 </dev/null | openssl x509 -noout -issuer -dates -ext subjectAltName`", check::CSRS]),
    row("CredentialPluginFailed")
        .source(Kubernetes, "staging/src/k8s.io/client-go/plugin/pkg/client/auth/exec/exec.go")
        .cause("The program that gets the kubelet's credentials fails")
        .any(&["getting credentials: exec", "exec plugin: ", "exec: executable kubelogin", "exec: executable azure", "failed to get token from exec"])
        // Of a kubectl that is older or newer than its plugin.
        .unless(&["error: exec plugin: invalid apiversion"])
        .checks(&["See the kubeconfig: `cat /var/lib/kubelet/kubeconfig`", check::IMDS]),
    row("SecureTlsBootstrapFailed")
        .source(GitHub, "Azure/aks-secure-tls-bootstrap/blob/HEAD/client/internal/bootstrap/auth.go")
        .symptom("Secure TLS bootstrapping could not get a certificate from the cluster's bootstrap server")
        // Its log says for which of its steps these are the reason.
        .includes(&[Layer::Request, Layer::Machine, Layer::UserData, Layer::Kubelet, Layer::Readiness])
        .near(&["secure-tls-bootstrap", "secure tls bootstrap"], &["fail", "error", "unable", "could not", "cannot", "can't", "timed out", "timeout", "not work", "n't work", "denied", "code=exited, status=1"])
        .any(&["stls client", "stls bootstrap", "will still try to start kubelet", "failed to retrieve bootstrap certificate", "from bootstrap server", "bootstrap service client", "failed to retrieve instance metadata from imds", "failed to retrieve instance attested data", "failed to create kubelet client csr", "kubeconfig for new client cert and key", "apiserver fqdn must be specified", "generating msi access token: ", "service principal access token with", "failed to bootstrap\"", "failed to bootstrap {", "failed to bootstrap due to exceeding context deadline", "before bootstrapping could complete", "specified cluster ca file does not exist", "creating kubelet client cert file: ", "next proto header value must be specified", "aad resource must be specified", "cannot read cloud provider config data: ", "cannot unmarshal cloud provider config data: ", "failed to generate ecdsa 256 private key for kubelet client csr", "kubeconfig was not created after", "cannot make authorized request to list server version", "kubelet client certificate request from template", "kubelet client current symlink", "existing kubelet client certificate referenced by kubeconfig", "request server version info", "existing kubeconfig cert", "cluster ca data from", "cert data from bootstrap server"])
        .leaves_open(&[Layer::Provisioning, Layer::Kubelet])
        .units(&["secure-tls-bootstrap"])
        .checks(&["Read its log: `journalctl --unit=secure-tls-bootstrap --boot --no-pager`"]),
    row("NodeTaintMissing")
        .source(Karpenter, "pkg/controllers/nodeclaim/lifecycle/registration.go")
        .cause("The node registered without the taint karpenter.sh/unregistered, which Karpenter expects: the kubelet's flag --register-with-taints lacks it")
        .any(&["unregisteredtaintmissing", "missing required startup taint", "missing taint prevents registration"])
        .near(&["karpenter.sh/unregistered"], &["must be present", "missing"])
        .checks(&[check::KUBELET_FLAGS, check::NODE_CLAIM]),
    row("NodeNeverRegistered")
        .source(Karpenter, "pkg/controllers/nodeclaim/lifecycle/liveness.go")
        .since("0.24.0")
        .symptom("The VM runs, but its node did not register with the cluster in time: read the kubelet's log on the node")
        .any(&[
            "node not registered with cluster",
            "did not register within its ttl",
            "not registered within",
            "registration ttl",
            "has not been registered",
            "registrationtimeout",
            "registration timeout",
            "failed to register within",
            "node failed to register",
            "nodes that did not register",
            "waiting to register with kubernetes",
            "failed to get kubernetes node [",
            "scaleuptimedout",
            "did not register in time",
            "registered=false",
            "registered=unknown",
            "registrationhookpending",
            "failed to register node\"",
            "scale-up timed out for node group",
            "not registered in kubernetes",
            "unregistered nodes",
            "unregistered node",
            "longunregistered",
            "long unregistered",
            "nodes did not join the cluster",
            "nodes did not become registered",
            "terminating due to registration ttl",
            "failed to find node for nodeclaim",
            "waiting for the node to register",
            "matching node not found",
            // Cluster API.
            "node failed to report startup in",
            "nodestartuptimeout",
            "waiting for a node with spec.providerid",
            "waitingfornoderef",
            "expected 1 node but found", "failed to register node", "multiplenodesfound", "matched multiple nodes",
        ])
        .near(&["terminating due to timeout"], &["registration"])
        .unless(&["longunregistered=0", "longunregistered: 0"])
        // The tests of Cluster API.
        .near(&["timed out waiting for"], &["nodes to be created", "nodes to be ready", "nodes to join", "node to join"])
        .near(&["registrationfailed"], &["nodeclaim", "karpenter", "node"])
        .near(&["registration hook \""], &["\" failed, "])
        .or(&[
            "The node's scripts failed: provisioning ended before the kubelet started",
            "The kubelet cannot reach the API server, or its bootstrap token is not accepted",
        ])
        .leaves_open(&[Layer::UserData, Layer::Extension, Layer::Provisioning, Layer::Kubelet])
        .named(&["noderegistrationhealthy"])
        .checks(&[check::DIAGNOSE, check::NODE_CLAIM, check::CONSOLE]),
    row("NoNodes")
        .source(Kubernetes, "pkg/scheduler/scheduler.go")
        .symptom("The cluster has no node that a pod could run on: no VM was created, or no node has registered")
        // Of the scheduler.
        .any(&["no nodes available to schedule pods"])
        .leaves_open(&[Layer::Request, Layer::Machine, Layer::UserData, Layer::Extension, Layer::Provisioning, Layer::Kubelet])
        .checks(&["See the nodes: `kubectl get nodes -o wide`", check::CLUSTER, check::ACTIVITY]),
    row("NodeObjectMissing")
        .source(Web, "kubernetes.io/docs/reference/kubectl/generated/kubectl_get/")
        .symptom("The cluster has no node of this name: it did not register yet, or the node was deleted or has another name")
        // What kubectl prints.
        .any(&["error from server (notfound): nodes \""])
        .or(&["The VM was not created, or its scripts failed before the kubelet started"])
        .leaves_open(&[Layer::Request, Layer::Machine, Layer::UserData, Layer::Extension, Layer::Provisioning, Layer::Kubelet])
        .checks(&["Look for it: `kubectl get nodes`", check::INSTANCE, check::DIAGNOSE]),
    row("NodeNotFound")
        .source(Kubernetes, "pkg/kubelet/util/nodelease.go")
        .symptom("The kubelet does not find its own node object: it did not register yet, or the node was deleted")
        .any(&["when trying to set owner ref to the node lease", "error getting node\" err=\"node", "error getting the current node from lister\" err=\"node", "failed to get node info: node"])
        .near(&["node \"", "nodes \"", "node '", "error retrieving node", "unable to retrieve node status"], &["\" not found", "' not found"])
        // Of the cloud controller manager.
        .unless(&["error from server (notfound)", "failed to remove taint from the node", "failed to add taint to the node", "updating node.spec.podcidr"])
        .or(&["The kubelet cannot authenticate to the API server, or reach it"])
        .at_start()
        .checks(&[check::KUBELET_LOG, "Look for it: `kubectl get nodes`"]),
    row("KubeadmCallFailed")
        .source(Kubernetes, "cmd/kubeadm/app/discovery/token/token.go")
        .symptom("A call of kubeadm to the API server failed, so the node did not join: the end of the message has the reason")
        .near(&["error execution phase "], &["/api/v1/namespaces/kube-", "/api/v1/nodes", ":6443/"])
        .reported_by(&["JoinFailed"])
        .checks(&[check::REACH, check::CLUSTER, check::RESOLVE]),
    row("KubectlCallFailed")
        .source(Kubernetes, "staging/src/k8s.io/kubectl/pkg/cmd/util/helpers.go")
        .wrapper("A call of kubectl to the API server failed: the end of the line has the reason")
        // How it begins, if the rest was cut.
        .any(&["unable to connect to the server: dial tcp", "unable to connect to the server: net/http", "unable to connect to the server: x509", "unable to connect to the server: tls", "unable to connect to the server: eof"])
        .leaves_open(&[Layer::Machine, Layer::UserData, Layer::Extension, Layer::Provisioning, Layer::Kubelet])
        .checks(&[check::REACH, check::CLUSTER, check::RESOLVE]),
    row("KubeletCallFailed")
        .source(Kubernetes, "staging/src/k8s.io/client-go/util/certificate/certificate_manager.go")
        .wrapper("A call of the kubelet to the API server failed, or it could not get a certificate: the end of the line has the reason")
        .klog(&["kubelet_node_status.go", "certificate_manager.go", "certificate_store.go", "csi_plugin.go", "nodelease.go", "csr.go", "transport.go", "bootstrap.go", "token_manager.go"])
        // What only a kubelet watches.
        .any(&["failed to ensure lease exists", "failed to ensure node lease exists", "\"failed to update lease\"", "timed out waiting to connect to apiserver", "certificates signing request client", "failed to watch *v1.node:", "failed to watch *v1.csidriver:", "failed to watch *v1.runtimeclass:", "failed to watch *v1.csinode:", "failed to list *v1.node:", "failed to list *v1.csidriver:", "failed to list *v1.runtimeclass:", "unable to read existing bootstrap client config"])
        .at_start()
        .checks(&[check::KUBELET_LOG, check::CLUSTER, check::REACH]),
];
