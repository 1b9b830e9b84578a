//! The rules that documents are checked against: the violation, and its consequence on a node.
//!
//! Every finding names its rule by an id that never changes. To add a rule: see CONTRIBUTING.md.

use std::fmt;

/// Whether a document with a finding is accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The document is rejected.
    Error,
    /// The document is accepted, but may not mean what its author intended.
    Warning,
    /// The document is accepted and has the intended meaning, but could be improved. Only `validate` reports these.
    Note,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Note => "note",
        })
    }
}

/// A rule that documents are checked against.
#[derive(Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Rule {
    /// The name: lower-case words separated by dashes. Never changes, because tools filter by it.
    pub id: &'static str,
    /// The severity of its findings. A finding can still be a warning if the value has no effect.
    pub severity: Severity,
    /// The violation, as a sentence.
    pub catches: &'static str,
    /// The consequence on a node without the check, as a sentence.
    pub consequence: &'static str,
    /// The first version of this program with the rule.
    pub since: &'static str,
}

macro_rules! rules {
    ($($name:ident $severity:ident $id:literal $catches:literal $consequence:literal)*) => {
        $(
            #[doc = $catches]
            pub static $name: Rule = Rule {
                id: $id,
                severity: Severity::$severity,
                catches: $catches,
                consequence: $consequence,
                since: "0.1.0",
            };
        )*

        /// Every rule, by subject.
        pub static RULES: &[&Rule] = &[$(&$name),*];
    };
}

rules! {
    // Text and syntax

    UNREADABLE_FILE Error "unreadable-file"
        "The file cannot be read."
        "The file is not checked."
    EMPTY_DOCUMENT Error "empty-document"
        "The document has no content."
        "The controller cannot read its input and reports exit code 240."
    ENCODING Error "encoding"
        "The document is not UTF-8 text."
        "The controller cannot read its input and reports exit code 240."
    BYTE_ORDER_MARK Warning "byte-order-mark"
        "The document starts with a UTF-8 byte order mark."
        "The mark is ignored. Other readers of the file may reject it."
    BINARY_DOCUMENT Error "binary-document"
        "The document is compressed, an archive or an executable."
        "The controller cannot read its input and reports exit code 240."
    DOCUMENT_SIZE Error "document-size"
        "The document is larger than this program accepts."
        "The document cannot fit into CustomData, whose limit is far lower."
    SYNTAX Error "syntax"
        "The document is not valid JSON or YAML."
        "The controller cannot read its input and reports exit code 240."
    UNSUPPORTED_YAML Error "unsupported-yaml"
        "The document uses anchors, tags, several documents or another part of YAML that is not accepted."
        "Other readers of YAML give such a document different meanings."
    PROTOBUF Error "protobuf"
        "The bytes are not a message of the contract in protobuf's binary form."
        "The controller cannot read its input and reports exit code 240."
    WRONG_KIND Error "wrong-kind"
        "The kind of the document is not the one that the command or the option expects."
        "The document would be read as an empty Configuration, from which no node can be created."

    // Members and types

    WRONG_TYPE Error "wrong-type"
        "A value does not have the type of its field."
        "The controller cannot read its input and reports exit code 240."
    REQUIRED Error "required"
        "A required field is missing or empty."
        "The reference rejects the document, or a step that needs the value fails."
    PLACEHOLDER Error "placeholder"
        "A value is a placeholder that `new` has written."
        "The node uses the placeholder as the value, and a step that needs the value fails."
    UNKNOWN_FIELD Warning "unknown-field"
        "A member is not a field of the contract."
        "Its value is ignored. A newer program may know the field."
    MISSPELLED_FIELD Error "misspelled-field"
        "A member is not a field of the contract, but its name is one typing error away from a field."
        "Its value is ignored, and the intended field stays unset."
    REMOVED_FIELD Warning "removed-field"
        "A member was a field of an older contract."
        "Its value is ignored."
    UNKNOWN_VALUE Warning "unknown-value"
        "A name or number is not a value of the field's enum."
        "The field is treated as unset."
    MISSPELLED_VALUE Error "misspelled-value"
        "A name is not a value of the field's enum, but is one typing error away from one, or is its last part."
        "The field is treated as unset, and the intended value has no effect."
    DUPLICATE_FIELD Error "duplicate-field"
        "An object contains a field more than once, possibly in two spellings."
        "Programs differ in which of the values they use."
    CONTRACT_VERSION Error "contract-version"
        "`version` is missing or is not a version of the contract that this program supports."
        "The controller rejects the document and reports exit code 240."
    DEPRECATED_VERSION Warning "deprecated-version"
        "`version` is `v0`, the older name of `v1`."
        "None yet."
    NUL_CHARACTER Error "nul-character"
        "A string contains U+0000."
        "No environment variable can contain the value, so the scripts do not start."
    CONTROL_CHARACTER Error "control-character"
        "A variable that is derived from a value has a line break or another control character, but must be one line."
        "The text after the line break becomes a separate setting, or the program that reads the file rejects it."
    RESULT_SIZE Error "result-size"
        "CustomData or the CSE command would be larger than Azure or the kernel accepts."
        "Azure rejects the VM, or the extension cannot start the command."

    IMAGE_LACKS Error "image-lacks"
        "The document needs another image, or something that the image lacks according to the facts of `--image`."
        "The scripts end with the code that the message names, or Azure does not create the VM."

    // What the node's scripts demand

    SCRIPT_INPUT_MISSING Error "script-input-missing"
        "A value that the node's scripts need is missing or empty."
        "The scripts reject their input with exit code 245, or the step that needs the value fails."
    SCRIPT_INPUT_FORM Error "script-input-form"
        "A variable that is derived from a value does not have the form that the node's scripts demand."
        "The scripts reject their input with exit code 245, or the step that needs the value fails."

    // Cluster and identity

    KUBERNETES_VERSION Error "kubernetes-version"
        "`kubernetes_version` is not a full version such as `1.33.2`."
        "The configurations of containerd and the kubelet are rendered for another version."
    KUBERNETES_IMAGE Warning "kubernetes-image"
        "No supported AKS image is built for the version of Kubernetes."
        "The image lacks the programs of this version, and the node downloads them, if they still exist."
    VERSION_IN_URL Warning "version-in-url"
        "The URL of a download names another version than `kubernetes_version`."
        "The version of the kubelet does not match its flags and its configuration."
    UUID Warning "uuid"
        "An id of a subscription, tenant, client or application does not have its form."
        "The cloud provider and the credential provider fail to sign in."
    SAME_ID Warning "same-id"
        "Two of the ids of tenant, subscription and identity are the same."
        "The cloud provider and the credential provider fail to sign in."
    RESOURCE_NAME Error "resource-name"
        "The name of a resource has a character that Azure does not allow, such as a space or a quote, is too long, or is that of \
         another cluster."
        "The cloud provider does not find the resource."
    SUBNET_ID Error "subnet-id"
        "An id is not the resource id of a subnet."
        "The names of the virtual network and the subnet are empty in azure.json."
    BOOTSTRAP_TOKEN Error "bootstrap-token"
        "A bootstrap token does not have the required form."
        "The API server rejects it, and the kubelet never gets a certificate."
    NO_CREDENTIAL Error "no-credential"
        "There is neither a bootstrap token, nor secure TLS bootstrapping, nor a client certificate."
        "The kubelet never gets a certificate, and the node does not join."
    TENANT Error "tenant-missing"
        "`tenant_id` is not set."
        "The cloud provider cannot sign in, so the node keeps the taint of uninitialized nodes."
    IDENTITY Warning "identity-missing"
        "A managed identity is used without its id, or has one and is not used, or there is neither a managed identity nor a service \
         principal, or the id is not valid, or the service principal has no secret."
        "The cloud provider and the credential provider may fail to sign in."
    VM_TYPE Error "vm-type"
        "`vm_type` is not set, or does not match the names of the scale set and the availability set."
        "The cloud provider does not find the machine of the node and deletes the node."
    LOCATION Error "location"
        "The name of the region has spaces, capital letters or other characters that no region has."
        "The cloud of the region is not recognized, and the endpoints of Azure may be wrong."
    UNKNOWN_REGION Warning "unknown-region"
        "The name of the region is that of a zone or of another cloud, or is a typing error away from that of a region of Azure."
        "The cloud provider asks Azure about a region that does not exist."
    CLUSTER_LABEL Warning "cluster-label"
        "The node has labels of AKS, but not `kubernetes.azure.com/cluster`."
        "AKS schedules its own pods only on nodes with this label, so there are no kube-proxy and no cloud node manager, which removes the \
         taint of uninitialized nodes, and with some plugins no network."
    REGION_MISMATCH Warning "region-mismatch"
        "The name of the API server or a label has another region than the node."
        "The node does not join its cluster, or the cloud provider looks for it in the wrong region."
    NETWORK_PLUGIN Error "network-plugin"
        "`network_plugin` is not set, or is no plugin that the scripts know, or is none and there is a network policy."
        "The node gets no network for pods and does not become Ready."
    BOOTSTRAP_TOKEN_MISSING Error "bootstrap-token-missing"
        "The authentication method is a bootstrap token, but there is none."
        "The kubelet never gets a certificate, and the node does not join."
    DURATION Warning "duration"
        "A time limit of secure TLS bootstrapping is not a duration such as `30s`."
        "The client for secure TLS bootstrapping does not start, and the node does not join."
    HOST_NAME Error "host-name"
        "A value must be a host name, domain name or IP address, but is not."
        "Connections to the host fail, or the step that writes the name fails."
    REGISTRY_NAME Error "registry-name"
        "The name of a registry has a scheme or special characters, or is not a host with an optional port and path."
        "Images and packages cannot be pulled from the registry."
    IP_ADDRESS Error "ip-address"
        "A value is not an IP address."
        "The kubelet does not start, or DNS in pods fails."
    NETWORK_CARDS Error "network-cards"
        "The number of secondary network interfaces is negative."
        "The step that configures the interfaces fails with exit code 243."
    CLUSTER_DNS Error "cluster-dns"
        "No service of a cluster can have the address of the cluster DNS, or it is that of node-local DNS, which is not enabled."
        "Names are not resolved in pods."
    POD_RANGE Error "pod-range"
        "The pod range contains the address of the API server, of the cluster DNS or of the Azure platform."
        "The node looks for the address among its pods and never reaches it."
    POD_ADDRESSES Warning "pod-addresses"
        "The pod range has fewer addresses than the node may have pods."
        "Pods beyond this number wait for an address forever."
    URL Error "url"
        "A value is not an absolute http or https URL."
        "The download fails."
    MISSPELLED_DOWNLOAD Warning "misspelled-download"
        "The host, the path or the image of a download is a typing error away from the one that AKS has."
        "The download does not exist: the scripts end with an error, or no pod starts."
    OUTBOUND_COMMAND Warning "outbound-command"
        "The command that checks the outbound access has an option that curl does not know."
        "The check fails as if the node had no outbound access, and the scripts end with code 50."
    IMAGE_REFERENCE Error "image-reference"
        "An image reference, or a URL instead of one, contains whitespace, a quote, a backslash or another special character."
        "The image cannot be pulled."
    CUSTOM_CLOUD Warning "custom-cloud"
        "A custom cloud has no Azure Resource Manager endpoint, or one that is not a URL."
        "The cloud provider cannot call Azure."
    CLOUD_NAME Error "cloud-name"
        "A name is not the name of an Azure cloud."
        "The endpoints of the cloud stay empty."
    CLOUD_PROVIDER_VALUE Warning "cloud-provider-value"
        "A number for the cloud provider is negative."
        "The cloud provider sends no requests to Azure, or gives up after the first one."
    DISTRO Error "distro"
        "A name is not the name of an AKS image."
        "The reference does not create such nodes."
    ORCHESTRATOR Error "orchestrator"
        "The orchestrator is not Kubernetes, or the operating system is not Linux."
        "The reference does not create such nodes."
    BOOTHOOK_DELIVERY Error "boothook-delivery"
        "A NodeBootstrappingConfiguration requests delivery by the node's controller, which only route `scriptless` does."
        "The image waits for files that other routes do not write."
    NOT_CARRIED_OVER Warning "not-carried-over"
        "A field has no equivalent in the Configuration."
        "The node is created without the setting."

    // Machine

    VM_SIZE Error "vm-size"
        "A name cannot be the name of a VM size."
        "Azure rejects the VM, or the wrong GPU driver is installed."
    ARCHITECTURE Error "architecture"
        "An image, the URL of a download, a label or artifact streaming is for another architecture than the VM size."
        "The image does not start, or a program does not start and the step that calls it fails."
    GPU_NOT_ENABLED Warning "gpu-not-enabled"
        "The VM size has NVIDIA GPUs, but `enable_nvidia` is not `true`."
        "The node has no driver and no runtime for its GPUs."
    GPU_MISSING Error "gpu-missing"
        "`enable_nvidia` is `true`, but the VM size has no NVIDIA GPU."
        "The driver finds no GPU, and the node ends with exit code 84."
    MANAGED_GPU Warning "managed-gpu"
        "The managed GPU experience is enabled without `enable_nvidia`, or as device plugin and as DRA driver."
        "The setting has no effect, or the node ends with exit code 123."
    UNKNOWN_GPU Warning "unknown-gpu"
        "The VM size belongs to a family with GPUs, but is not known, or no driver has the given type."
        "The driver may not support its GPU, or may be missing."
    RESERVED_RESOURCES Error "reserved-resources"
        "All CPUs or all memory of the VM size are reserved for the system and for Kubernetes, or kept free by eviction; or an amount \
         of memory lacks its unit."
        "The kubelet does not start, or no pod is scheduled to the node."
    ADMIN_USER Error "admin-user"
        "The name of the administrator is not a Linux user name."
        "The account is not configured."
    MIG_LAYOUT Warning "mig-layout"
        "A MIG layout is given without a GPU instance profile."
        "The GPU is not partitioned."
    MIG_PROFILE Warning "mig-profile"
        "AKS does not support the GPU instance profile."
        "The step that partitions the GPU fails."
    MIG_SIZE Warning "mig-size"
        "The GPUs are to be partitioned, but those of the VM size do not support it."
        "The step that partitions the GPU fails."
    MIG_STRATEGY Warning "mig-strategy"
        "AKS does not support the MIG strategy."
        "The device plugin uses its default strategy."
    CSE_TIMEOUT Warning "cse-timeout"
        "The time limit of provisioning is outside the accepted range."
        "The default is used instead."
    FEATURE Warning "feature"
        "The name or the value of a feature cannot be written as a shell variable on one line, or a program reads the variable of this name."
        "The feature is ignored."
    TOML_TEXT Error "toml-text"
        "The directory of containers is in quotation marks, or has a carriage return."
        "The configuration of containerd cannot contain it, and rendering fails."
    DATA_DIRECTORY Error "data-directory"
        "The data directory of containers is the state directory of containerd, or is not an absolute path."
        "containerd does not start, or no container does."
    PACKAGE_VERSION Warning "package-version"
        "The version of a package does not begin with numbers, such as `2.1.4`."
        "No package of this version is found."
    KATA_STREAMING Warning "kata-streaming"
        "Kata is combined with artifact streaming."
        "containerd rejects its configuration, which has duplicate keys."
    KATA_VM_SIZE Warning "kata-vm-size"
        "Kata is enabled on a VM size that cannot run VMs inside its VM."
        "No pod with a runtime class of Kata starts."

    CONTROL_GROUPS Warning "control-groups"
        "Control groups v1 are asked for with a version of Kubernetes that does not support them."
        "The kubelet does not start."
    CONTAINERD_SUPPORT Warning "containerd-support"
        "A version of containerd is installed that the version of Kubernetes does not support."
        "Kubernetes is tested with containerd 2 from 1.36 on. A later kubelet does not start with containerd 1."

    // Kubelet

    REGISTER_NODE Warning "register-node"
        "`--register-node` is `false`."
        "The kubelet runs, but the node never appears in the cluster."
    KUBELET_FLAG_NAME Error "kubelet-flag-name"
        "A name does not have the form of a flag."
        "The kubelet does not start."
    KUBELET_FLAG_VALUE Error "kubelet-flag-value"
        "The value of a flag does not have its type, is none of the words that the kubelet knows, contains whitespace, which separates flags, \
         or does not fit the machine or another flag."
        "The kubelet does not start, or does not connect to the cluster."
    KUBELET_FLAG_PAIR Error "kubelet-flag-pair"
        "A flag is set without the other flag of its pair: certificate and key, or both of the credential provider."
        "The kubelet does not start."
    KUBELET_FLAG_FILE Warning "kubelet-flag-file"
        "A flag names a file that provisioning does not write."
        "The kubelet does not start, or starts no pods, unless the image has the file."
    UNKNOWN_KUBELET_FLAG Error "unknown-kubelet-flag"
        "No kubelet from Kubernetes 1.28 to 1.37 has the flag."
        "The kubelet does not start."
    KUBELET_FLAG_VERSION Error "kubelet-flag-version"
        "The kubelet of this version of Kubernetes does not have the flag: it was removed, or was added later."
        "The kubelet does not start."
    CLOUD_PROVIDER Error "cloud-provider"
        "`--cloud-provider` names a provider, which the kubelet from Kubernetes 1.29 on does not have."
        "The kubelet does not start."
    CLOUD_PROVIDER_MISSING Warning "cloud-provider-missing"
        "The flags of the kubelet lack `--cloud-provider`."
        "The cloud provider does not initialize the node, which gets no provider id: load balancers and disks cannot use it."
    KUBELET_FLAG_EFFECT Warning "kubelet-flag-effect"
        "The kubelet of this version of Kubernetes accepts the flag and ignores it."
        "The setting has no effect."
    UNKNOWN_FEATURE_GATE Error "unknown-feature-gate"
        "No kubelet from Kubernetes 1.28 to 1.37 has the feature gate."
        "The kubelet does not start."
    FEATURE_GATE_VERSION Error "feature-gate-version"
        "This version of Kubernetes does not have the feature gate: it was removed, or was added later."
        "The kubelet does not start."
    LOCKED_FEATURE_GATE Error "locked-feature-gate"
        "This version of Kubernetes has locked the feature gate to the other value."
        "The kubelet does not start."
    STREAMING_TIMEOUT Warning "streaming-timeout"
        "The timeout for idle streaming connections is set from Kubernetes 1.34 on."
        "The setting is omitted."
    KUBELET_FILE_VALUE Error "kubelet-file-value"
        "The kubelet rejects a value in its configuration file."
        "The kubelet does not start."
    UNREAD_KUBELET_FIELD Warning "unread-kubelet-field"
        "The contract writes a field of the kubelet's configuration file under a name that the kubelet does not know."
        "The kubelet uses its default and logs an unknown field."
    IMAGE_GC Error "image-gc"
        "The low threshold of the image garbage collection is not below the high threshold."
        "The kubelet does not start."
    LABEL Error "label"
        "The API server rejects the key or the value of a node label."
        "The node does not register."
    RESERVED_LABEL Error "reserved-label"
        "A node label has a reserved prefix, which no kubelet may set on its node."
        "The kubelet does not start."
    LABEL_CASE Warning "label-case"
        "The value of one of AKS's labels differs from a known one only in letter case."
        "Selectors do not match the node, and its operating system is not recognized."
    LABEL_CONFLICT Warning "label-conflict"
        "A label has another value than in `--node-labels`, or than the field or the label that it repeats, or contradicts the VM size, \
         the image, the scale set or the network plugin of the node."
        "Only one of the values takes effect."
    TAINT Error "taint"
        "A taint does not have a valid key, value and effect."
        "The kubelet does not start."
    REPEATED_TAINT Error "repeated-taint"
        "Two taints have the same key and effect."
        "The kubelet or the API server rejects the taints, and the node does not register."
    MAX_PODS Error "max-pods"
        "The maximum number of pods is missing or is not positive."
        "The node runs no pods."
    PODS_LIMIT Warning "max-pods-limit"
        "The maximum number of pods is larger than AKS allows."
        "AKS rejects the node pool, and nodes with more pods are not tested."

    // Certificates and payloads

    CERTIFICATE Error "certificate"
        "A value is not base64 of PEM certificates, has text before them on their lines, or a CA has a private key beside it."
        "The node trusts or presents no such certificate, or the step that writes it fails."
    CERTIFICATE_EMPTY Warning "certificate-empty"
        "An entry in a list of certificates is empty."
        "An empty file is added to the trust store."
    CERTIFICATE_DATES Warning "certificate-dates"
        "A certificate has expired or is not valid yet."
        "Connections that depend on it fail."
    CERTIFICATE_AUTHORITY Error "certificate-authority"
        "The certificate of the cluster CA is not a CA certificate."
        "The kubelet does not trust the API server, and the node does not join."
    CERTIFICATE_NAMES Warning "certificate-names"
        "The certificate of the API server does not include `api_server_name`."
        "Clients that verify the name do not trust the API server."
    CERTIFICATE_ISSUER Warning "certificate-issuer"
        "The issuer of the API server's certificate is not the cluster CA."
        "The kubelet does not trust the API server, and the node does not join."
    KEY_PAIR Error "key-pair"
        "The private key of the kubelet does not belong to its certificate."
        "The kubelet does not start."
    PRIVATE_KEY Error "private-key"
        "A value is not base64 of a PEM private key."
        "The kubelet does not start."
    BASE64 Error "base64"
        "A value is not base64 where the scripts decode it, or has blanks between its digits."
        "The scripts reject their input with exit code 245."

    // Proxy

    PROXY_TEXT Error "proxy-text"
        "The URL of a proxy or an entry of its exceptions has characters that are special in a shell or in a unit."
        "The proxy settings differ from the document, or the step that writes them fails."
    PROXY_EXCEPTION Warning "proxy-exception"
        "An entry of the proxy's exceptions has a slash, but is not a CIDR range."
        "Programs ignore the entry."
    PROXY_BYPASS Warning "proxy-bypass"
        "The proxy's exceptions lack the API server or an address of the Azure platform."
        "Connections to it go through the proxy, which often cannot reach it."

    // Local DNS

    LOCAL_DNS_ZONE Error "local-dns-zone"
        "The name of a zone is not a domain name."
        "CoreDNS rejects its configuration, and the node ends with exit code 216."
    LOCAL_DNS_ZONES Warning "local-dns-zones"
        "A zone that AKS requires is missing."
        "Queries for the zone are not answered."
    LOCAL_DNS_WORD Warning "local-dns-word"
        "An option of a zone does not have one of the accepted values."
        "The default is used instead."
    LOCAL_DNS_VALUE Error "local-dns-value"
        "A number, duration or name in the local DNS profile is missing, or CoreDNS rejects it."
        "CoreDNS rejects its configuration, and the node ends with exit code 216."
    LOCAL_DNS_COMBINATION Warning "local-dns-combination"
        "Options of a zone are combined in a way that AKS rejects."
        "Queries are forwarded to a server that cannot answer them."

    // Operating system

    SYSCTL Error "sysctl"
        "A kernel setting is outside the range that AKS allows."
        "The setting is not applied, or the machine becomes unstable."
    SYSCTL_ORDER Error "sysctl-order"
        "A kernel setting is greater than another one that must be at least as large."
        "The kernel rejects one of the settings."
    RESOURCE_LIMIT Error "resource-limit"
        "systemd does not accept a resource limit for containerd."
        "The limit is ignored."
    SWAP_FILE Error "swap-file"
        "The size of the swap file is negative."
        "The scripts reject their input with exit code 245."
    SWAP_TOO_LARGE Warning "swap-too-large"
        "The swap file is larger than any disk on which a node can have it."
        "The node ends with exit code 131."
    SWAP_WITHOUT_EFFECT Warning "swap-without-effect"
        "Swap is enabled without a size, or has a size without being enabled."
        "No swap file is created."
    SWAP_KUBELET Warning "swap-kubelet"
        "A swap file is created, but the kubelet is not configured to accept it."
        "The kubelet does not start."
    HUGE_PAGES Error "huge-pages"
        "A setting for transparent huge pages does not have one of the kernel's values."
        "The kernel rejects the setting."

    // Karpenter's inputs and objects

    KARPENTER_VALUE Error "karpenter-value"
        "Karpenter's API rejects a value of an object or a setting."
        "The API server rejects the object, or the controller does not start."
    KARPENTER_COMBINATION Error "karpenter-combination"
        "Values of an object or of the settings are combined in a way that Karpenter's API rejects."
        "The API server rejects the object, or the controller does not start."
    KARPENTER_IMAGE_FAMILY Error "karpenter-image-family"
        "The operating system of a node class or a requirement cannot run Karpenter's script."
        "The node has no variables and never joins the cluster."
    KARPENTER_AMBIGUOUS Error "karpenter-ambiguous"
        "The files have several objects of a kind of which a node has one, or contradict each other."
        "The result would be a node of the wrong cluster or node pool."
    KARPENTER_REFERENCE Error "karpenter-reference"
        "The node claim names another node class, or needs labels that the nodes of its node class do not have."
        "Karpenter would not create the resulting node."
    KARPENTER_VERSION Error "karpenter-version"
        "The kubelet flags of this version of Kubernetes are unknown."
        "The kubelet may not start."
    KARPENTER_ARCHITECTURE Error "karpenter-architecture"
        "The architecture is not `amd64` or `arm64`."
        "Downloads of programs fail."
    KARPENTER_SECURITY_GROUP Error "karpenter-security-group"
        "The name of the route table cannot be derived from the name of the network security group."
        "The cloud provider changes routes in a table that does not exist."
    KARPENTER_NO_SECURITY_GROUP Warning "karpenter-no-security-group"
        "The name of the network security group is not set."
        "`NETWORK_SECURITY_GROUP` and `ROUTE_TABLE` stay empty."
    KARPENTER_NO_NETWORK Warning "karpenter-no-network"
        "The GUID of the virtual network is not set, but pods have addresses of the overlay."
        "Azure CNI does not find the network of the node, which can stay without addresses for pods."
    KARPENTER_NO_EFFECT Warning "karpenter-no-effect"
        "Karpenter's script does not support the setting."
        "The node is created without the setting."
    KARPENTER_VM_SIZE Warning "karpenter-vm-size"
        "Karpenter would not choose the VM size for this node class."
        "Karpenter would not create the resulting node."
    KARPENTER_CAPABILITIES Warning "karpenter-capabilities"
        "The number of processors or the memory of the VM size is unknown."
        "The node reserves no resources for Kubernetes."
    KARPENTER_REQUIREMENT Warning "karpenter-requirement"
        "A requirement of the node claim allows more than one value."
        "The node gets no label for it."

    // Secrets

    SECRET_IN_CUSTOM_DATA Note "secret-in-custom-data"
        "A field is a secret that CustomData contains on some routes."
        "Backups of the machine's model, and output of programs that print CustomData, contain it."
    SERVICE_PRINCIPAL_SECRET Note "service-principal-secret"
        "The node signs in to Azure with the secret of a service principal."
        "The secret is valid for months, and every delivery leaves it on every node."
    SECRET_FEATURE Note "secret-feature"
        "The name or the value of a feature looks like a secret."
        "CustomData always contains features, even if other secrets are elsewhere."
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_words_with_dashes_and_unique() {
        for (at, rule) in RULES.iter().enumerate() {
            let word = |word: &str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_alphanumeric());
            assert!(rule.id.split('-').all(word) && rule.id == rule.id.to_lowercase(), "{}", rule.id);
            assert!(RULES[..at].iter().all(|other| other.id != rule.id), "{} is there twice", rule.id);
        }
    }

    #[test]
    fn descriptions_are_sentences() {
        for rule in RULES {
            for text in [rule.catches, rule.consequence] {
                let begins = text.starts_with('`') || text.starts_with(char::is_alphabetic);
                assert!(begins && text.ends_with('.') && !text.contains("  "), "{}: {text}", rule.id);
            }
        }
    }
}
