//! DNS on the node: addresses of DNS servers, and the words that the settings of the node-local DNS accept.

/// The address of the cluster's DNS service if the input sets none: AKS's own default.
pub const DEFAULT_CLUSTER_DNS: &str = "10.0.0.10";

/// The address on which the node-local DNS answers the kubelet and pods with `dnsPolicy: Default`.
pub const NODE_LISTENER: &str = "169.254.10.10";

/// The address on which the node-local DNS answers pods with `dnsPolicy: ClusterFirst`.
pub const CLUSTER_LISTENER: &str = "169.254.10.11";

/// The address of the cache of DNS that a cluster can run as pods on each node.
/// <https://kubernetes.io/docs/tasks/administer-cluster/nodelocaldns/>
pub const NODE_CACHE: &str = "169.254.20.10";

/// The address of Azure's own resolver, the same in every virtual network.
pub const AZURE_DNS: &str = "168.63.129.16";

/// What a zone logs.
pub const QUERY_LOGGING: &[&str] = &["Error", "Log"];

/// The protocol to the upstream server.
pub const PROTOCOLS: &[&str] = &["PreferUDP", "ForceTCP"];

/// The upstream server.
pub const FORWARD_DESTINATIONS: &[&str] = &["ClusterCoreDNS", "VnetDNS"];

/// The order in which upstream servers are queried.
pub const FORWARD_POLICIES: &[&str] = &["Sequential", "RoundRobin", "Random"];

/// How a zone answers from expired entries of the cache.
pub const SERVE_STALE: &[&str] = &["Verify", "Immediate", "Disable"];
