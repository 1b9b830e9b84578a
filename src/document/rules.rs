//! The rules that documents are checked against: what each catches, and what would have happened on the node.
//!
//! Every finding names its rule by an id that stays. To add a rule: a row in [`RULES`], then `make generate`, which writes
//! `docs/rules.md`, and a document under `testdata/rejected` that is named after the rule.

use std::fmt;

/// Whether a document with a finding is accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The document is rejected.
    Error,
    /// The document is accepted, but may not mean what its author intended.
    Warning,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Error => "error",
            Self::Warning => "warning",
        })
    }
}

/// A rule that documents are checked against.
#[derive(Debug, PartialEq, Eq)]
pub struct Rule {
    /// The name: lower-case words with dashes between. Stays, because tools filter by it.
    pub id: &'static str,
    /// The severity of a finding. A finding may be a warning nevertheless, where the value has no effect.
    pub severity: Severity,
    /// What violates the rule, in a sentence.
    pub catches: &'static str,
    /// What would have happened without the check, in a sentence.
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
        "Nothing: the file is checked nowhere."
    EMPTY_DOCUMENT Error "empty-document"
        "The document has no content."
        "The controller cannot read its input and reports exit code 240."
    ENCODING Error "encoding"
        "The document is not UTF-8 text."
        "The controller cannot read its input and reports exit code 240."
    BYTE_ORDER_MARK Warning "byte-order-mark"
        "The document starts with a UTF-8 byte order mark."
        "Nothing: the mark is ignored. Other readers of the file may reject it."
    BINARY_DOCUMENT Error "binary-document"
        "The document is compressed, an archive or an executable."
        "The controller cannot read its input and reports exit code 240."
    DOCUMENT_SIZE Error "document-size"
        "The document is larger than this program reads."
        "The document would fit no CustomData, whose limit is far lower."
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
        "The document is of another kind than the command or the option asks for."
        "The document would be read as an empty Configuration, from which no node can be made."

    // Members and types

    WRONG_TYPE Error "wrong-type"
        "A value has another type than its field."
        "The controller cannot read its input and reports exit code 240."
    REQUIRED Error "required"
        "A required field is missing or empty."
        "The reference rejects the document, or a step that needs the value fails."
    UNKNOWN_FIELD Warning "unknown-field"
        "A member is no field of the contract."
        "Its value is ignored. A newer program may know the field."
    MISSPELLED_FIELD Error "misspelled-field"
        "A member is no field of the contract, but its name is one typing error away from that of a field."
        "Its value is ignored, and the field that was meant stays unset."
    REMOVED_FIELD Warning "removed-field"
        "A member was a field of an older contract."
        "Its value is ignored."
    UNKNOWN_VALUE Warning "unknown-value"
        "A name or number is no value of the field's enum."
        "The field counts as unset."
    DUPLICATE_FIELD Error "duplicate-field"
        "An object has a field more than once, possibly in two spellings."
        "Readers differ in which of the values they use."
    CONTRACT_VERSION Error "contract-version"
        "`version` is missing or is not a version of the contract that this program supports."
        "The controller rejects the document and reports exit code 240."
    DEPRECATED_VERSION Warning "deprecated-version"
        "`version` is `v0`, the older name of `v1`."
        "Nothing yet."
    NUL_CHARACTER Error "nul-character"
        "A string contains U+0000."
        "No environment variable can carry the value, so the scripts do not start."
    RESULT_SIZE Error "result-size"
        "CustomData or the CSE command would be larger than Azure or the kernel accepts."
        "Azure rejects the VM, or the extension cannot start the command."

    // What the node's scripts demand

    SCRIPT_INPUT_MISSING Error "script-input-missing"
        "A value that the node's scripts need is missing or empty."
        "The scripts reject their input with exit code 245, or the step that needs the value fails."
    SCRIPT_INPUT_FORM Error "script-input-form"
        "A variable that follows from a value does not have the form that the node's scripts demand."
        "The scripts reject their input with exit code 245, or the step that needs the value fails."

    // Cluster and identity

    KUBERNETES_VERSION Error "kubernetes-version"
        "`kubernetes_version` is not a full version such as `1.33.2`."
        "The configurations of containerd and the kubelet are rendered for another version."
    KUBERNETES_IMAGE Warning "kubernetes-image"
        "No supported image of AKS is built for the version of Kubernetes."
        "The image lacks the programs of this version, and the node downloads them, if they still exist."
    VERSION_IN_URL Warning "version-in-url"
        "The URL of a download names another version than `kubernetes_version`."
        "The kubelet is of another version than its flags and its configuration."
    UUID Warning "uuid"
        "An id of a subscription, tenant or client is not a UUID."
        "The cloud provider and the credential provider fail to sign in."
    SUBNET_ID Error "subnet-id"
        "An id is not the resource id of a subnet."
        "The names of the virtual network and the subnet are empty in azure.json."
    BOOTSTRAP_TOKEN Error "bootstrap-token"
        "A bootstrap token does not have the form of one."
        "The API server rejects it, and the kubelet never gets a certificate."
    BOOTSTRAP_TOKEN_MISSING Error "bootstrap-token-missing"
        "The authentication method is a bootstrap token, but there is none."
        "The kubelet never gets a certificate, and the node does not join."
    HOST_NAME Error "host-name"
        "A value is not a host name, domain name or IP address where one is needed."
        "Connections to the host fail, or the step that writes the name fails."
    REGISTRY_NAME Error "registry-name"
        "The name of a registry has a scheme, or is not a host with an optional port and path."
        "Images and packages cannot be pulled from the registry."
    IP_ADDRESS Error "ip-address"
        "A value is not an IP address."
        "The kubelet does not start, or DNS in pods fails."
    NETWORK_CARDS Error "network-cards"
        "The number of secondary network interfaces is negative."
        "The step that configures the interfaces fails with exit code 243."
    CLUSTER_DNS Error "cluster-dns"
        "The address of the cluster's DNS is one that no service of a cluster can have."
        "Names are not resolved in pods."
    POD_RANGE Error "pod-range"
        "The range of the pods contains the address of the API server, of the cluster's DNS or of Azure's platform."
        "The node looks for the address among its pods and never reaches it."
    POD_ADDRESSES Warning "pod-addresses"
        "The range of the pods has fewer addresses than the node may have pods."
        "Pods above this number wait for an address for ever."
    URL Error "url"
        "A value is not an absolute http or https URL."
        "The download fails."
    IMAGE_REFERENCE Error "image-reference"
        "A URL or an image reference contains whitespace."
        "The image cannot be pulled."
    CUSTOM_CLOUD Warning "custom-cloud"
        "A custom cloud has no endpoint of Azure Resource Manager."
        "The cloud provider cannot call Azure."
    CLOUD_NAME Error "cloud-name"
        "A name is not that of an Azure cloud."
        "The endpoints of the cloud stay empty."
    DISTRO Error "distro"
        "A name is not that of an image of AKS."
        "The reference makes no node of it."
    ORCHESTRATOR Error "orchestrator"
        "The orchestrator is not Kubernetes, or the operating system is not Linux."
        "The reference makes no node of it."
    BOOTHOOK_DELIVERY Error "boothook-delivery"
        "A NodeBootstrappingConfiguration asks for a delivery by boothook, which the scripted route does not have."
        "The node waits for scripts that nothing writes."
    NOT_CARRIED_OVER Warning "not-carried-over"
        "A field has no equivalent in the Configuration."
        "The node is made without the setting."

    // Machine

    VM_SIZE Error "vm-size"
        "No VM size can have the name."
        "Azure rejects the VM, or the driver for its GPU is not the right one."
    ARCHITECTURE Error "architecture"
        "An image, the URL of a download or a label is for another architecture than that of the VM size."
        "The image does not start, or a program does not, and the step that calls it fails."
    GPU_NOT_ENABLED Warning "gpu-not-enabled"
        "The VM size has GPUs of NVIDIA, but `enable_nvidia` is not `true`."
        "The node has no driver and no runtime for its GPUs."
    GPU_MISSING Error "gpu-missing"
        "`enable_nvidia` is `true`, but the VM size has no GPU of NVIDIA."
        "The driver finds no GPU, and the node ends with exit code 84."
    RESERVED_RESOURCES Error "reserved-resources"
        "The CPUs that are reserved for the system and for Kubernetes are all that the VM size has."
        "The kubelet does not start, or no pod is scheduled to the node."
    ADMIN_USER Error "admin-user"
        "The name of the administrator is not a Linux user name."
        "The account is not configured."
    MIG_LAYOUT Warning "mig-layout"
        "A MIG layout is given without a GPU instance profile."
        "The GPU is not partitioned."
    MIG_PROFILE Warning "mig-profile"
        "A GPU instance profile is not one of those that AKS supports."
        "The step that partitions the GPU fails."
    MIG_STRATEGY Warning "mig-strategy"
        "A MIG strategy is not one of those that AKS supports."
        "The device plugin uses its default strategy."
    CSE_TIMEOUT Warning "cse-timeout"
        "The time limit of a run is outside the accepted range."
        "The default is used instead."
    FEATURE Warning "feature"
        "The name or the value of a feature cannot be written as a shell variable on one line."
        "The feature is ignored."
    TOML_TEXT Error "toml-text"
        "A value that is written into the configuration of containerd has a quote, a backslash or a control character."
        "containerd does not start."
    KATA_STREAMING Warning "kata-streaming"
        "Kata is combined with artifact streaming."
        "containerd rejects its configuration, which has duplicate keys."

    // Kubelet

    KUBELET_FLAG_NAME Error "kubelet-flag-name"
        "A name does not have the form of a flag."
        "The kubelet does not start."
    KUBELET_FLAG_VALUE Error "kubelet-flag-value"
        "The value of a flag does not have its type, or contains whitespace, which separates flags."
        "The kubelet does not start."
    UNKNOWN_KUBELET_FLAG Error "unknown-kubelet-flag"
        "A flag is not one of the kubelet in any version from Kubernetes 1.28 to 1.36."
        "The kubelet does not start."
    KUBELET_FLAG_VERSION Error "kubelet-flag-version"
        "A flag is not one of this version of Kubernetes: it was removed, or was added later."
        "The kubelet does not start."
    CLOUD_PROVIDER Error "cloud-provider"
        "`--cloud-provider` names a provider that Kubernetes 1.29 to 1.33 have disabled in the kubelet."
        "The kubelet does not start."
    KUBELET_FLAG_EFFECT Warning "kubelet-flag-effect"
        "A flag is one that the kubelet of this version of Kubernetes accepts and ignores."
        "The setting has no effect."
    UNKNOWN_FEATURE_GATE Error "unknown-feature-gate"
        "A feature gate is not one that the kubelet knows in any version from Kubernetes 1.28 to 1.36."
        "The kubelet does not start."
    FEATURE_GATE_VERSION Error "feature-gate-version"
        "A feature gate is not one of this version of Kubernetes: it was removed, or was added later."
        "The kubelet does not start."
    LOCKED_FEATURE_GATE Error "locked-feature-gate"
        "A feature gate is set to another value than the one that this version of Kubernetes has fixed."
        "The kubelet does not start."
    STREAMING_TIMEOUT Warning "streaming-timeout"
        "The timeout for idle streaming connections is set from Kubernetes 1.34 on."
        "The setting is left out."
    KUBELET_FILE_VALUE Error "kubelet-file-value"
        "A value of the kubelet's configuration file is one that the kubelet rejects."
        "The kubelet does not start."
    UNREAD_KUBELET_FIELD Warning "unread-kubelet-field"
        "A field of the kubelet's configuration file is one that the contract writes under a name that the kubelet does not read."
        "The kubelet uses its default and logs an unknown field."
    IMAGE_GC Error "image-gc"
        "The low threshold of the image garbage collection is not below the high one."
        "The kubelet does not start."
    LABEL Error "label"
        "The key or value of a node label is one that the API server rejects."
        "The node does not register."
    RESERVED_LABEL Error "reserved-label"
        "A node label has a reserved prefix with which no kubelet may label its node."
        "The kubelet does not start."
    LABEL_CONFLICT Warning "label-conflict"
        "A label has different values in `kubelet_node_labels` and in `--node-labels`."
        "Only one of the values takes effect."
    TAINT Error "taint"
        "A taint does not have a valid key, value and effect."
        "The kubelet does not start."
    REPEATED_TAINT Error "repeated-taint"
        "A key and an effect occur more than once among the taints."
        "The kubelet or the API server rejects the taints, and the node does not register."
    MAX_PODS Error "max-pods"
        "The largest number of pods is missing or is not positive."
        "The node runs no pods."
    PODS_LIMIT Warning "max-pods-limit"
        "A node may have more pods than AKS allows."
        "AKS rejects the node pool, and larger nodes are not tested."

    // Certificates and payloads

    CERTIFICATE Error "certificate"
        "A value is not base64 of PEM certificates."
        "The node trusts or presents no such certificate, or the step that writes it fails."
    CERTIFICATE_EMPTY Warning "certificate-empty"
        "An entry in a list of certificates is empty."
        "An empty file is added to the trust store."
    CERTIFICATE_DATES Warning "certificate-dates"
        "A certificate has expired or is not valid yet."
        "Connections that depend on it fail."
    CERTIFICATE_AUTHORITY Error "certificate-authority"
        "The certificate of the cluster's authority is not one of an authority."
        "The kubelet does not trust the API server, and the node does not join."
    CERTIFICATE_NAMES Warning "certificate-names"
        "The certificate of the API server is for other names than `api_server_name`."
        "Clients that compare the two do not trust the API server."
    KEY_PAIR Error "key-pair"
        "The private key of the kubelet is not that of its certificate."
        "The kubelet does not start."
    PRIVATE_KEY Error "private-key"
        "A value is not base64 of a PEM private key."
        "The kubelet does not start."
    BASE64 Error "base64"
        "A value is not base64 where the scripts decode it."
        "The scripts reject their input with exit code 245."

    // Proxy

    PROXY_TEXT Error "proxy-text"
        "The URL of a proxy or an exception from it has characters that are special in a shell or in a unit."
        "The settings of the proxy are not what was written, or the step that writes them fails."
    PROXY_EXCEPTION Warning "proxy-exception"
        "An exception from the proxy has a slash, but is not a CIDR range."
        "Programs ignore the entry."
    PROXY_BYPASS Warning "proxy-bypass"
        "The exceptions from the proxy lack the API server or an address of Azure's platform."
        "Connections to it go through the proxy, which often cannot reach it."

    // Local DNS

    LOCAL_DNS_ZONE Error "local-dns-zone"
        "The name of a zone is not a domain name."
        "CoreDNS rejects its configuration, and the node ends with exit code 216."
    LOCAL_DNS_ZONES Warning "local-dns-zones"
        "A zone that AKS requires is missing."
        "Queries for the zone are not answered."
    LOCAL_DNS_WORD Warning "local-dns-word"
        "An option of a zone is not one of its words."
        "The option has its default instead."
    LOCAL_DNS_VALUE Error "local-dns-value"
        "A number, duration or name of the local DNS profile is missing or is one that CoreDNS rejects."
        "CoreDNS rejects its configuration, and the node ends with exit code 216."
    LOCAL_DNS_COMBINATION Warning "local-dns-combination"
        "Options of a zone are combined in a way that AKS rejects."
        "Queries are forwarded to a server that cannot answer them."

    // Operating system

    SYSCTL Error "sysctl"
        "A kernel setting is outside the range that AKS allows."
        "The setting is not applied, or the machine becomes unstable."
    SYSCTL_ORDER Error "sysctl-order"
        "A kernel setting is above another one that must not be smaller."
        "The kernel rejects one of the settings."
    RESOURCE_LIMIT Error "resource-limit"
        "A resource limit of containerd is not one that systemd accepts."
        "The limit is ignored."
    SWAP_FILE Error "swap-file"
        "The size of the swap file is negative."
        "The scripts reject their input with exit code 245."
    SWAP_WITHOUT_EFFECT Warning "swap-without-effect"
        "Swap is enabled without a size, or has a size without being enabled."
        "No swap file is created."
    SWAP_KUBELET Warning "swap-kubelet"
        "A swap file is created, but the kubelet is not configured to accept it."
        "The kubelet does not start."
    HUGE_PAGES Error "huge-pages"
        "A setting of transparent huge pages is not one of the kernel's words."
        "The kernel rejects the setting."

    // Karpenter's inputs and objects

    KARPENTER_VALUE Error "karpenter-value"
        "A value of an object or setting is one that Karpenter's API rejects."
        "The API server rejects the object, or the controller does not start."
    KARPENTER_COMBINATION Error "karpenter-combination"
        "Values of an object or of the settings are combined in a way that Karpenter's API rejects."
        "The API server rejects the object, or the controller does not start."
    KARPENTER_REFERENCE Error "karpenter-reference"
        "The node claim names another node class than the one that is given."
        "The result would be for no node that Karpenter makes."
    KARPENTER_VERSION Error "karpenter-version"
        "The flags of the kubelet are not known for this version of Kubernetes."
        "The kubelet may not start."
    KARPENTER_ARCHITECTURE Error "karpenter-architecture"
        "The architecture is not `amd64` or `arm64`."
        "Downloads of programs fail."
    KARPENTER_SECURITY_GROUP Error "karpenter-security-group"
        "The name of the network security group does not have the form from which the route table is derived."
        "The cloud provider changes routes of a table that does not exist."
    KARPENTER_NO_SECURITY_GROUP Warning "karpenter-no-security-group"
        "The name of the network security group is not set."
        "`NETWORK_SECURITY_GROUP` and `ROUTE_TABLE` stay empty."
    KARPENTER_NO_EFFECT Warning "karpenter-no-effect"
        "Karpenter's script does not set what the field asks for."
        "The node is made without the setting."
    KARPENTER_VM_SIZE Warning "karpenter-vm-size"
        "Karpenter would not choose the VM size for this node class."
        "The result would be for no node that Karpenter makes."
    KARPENTER_CAPABILITIES Warning "karpenter-capabilities"
        "The number of processors or the memory of the VM size is not known."
        "The node reserves no resources for Kubernetes."
    KARPENTER_REQUIREMENT Warning "karpenter-requirement"
        "A requirement of the node claim allows more than one value."
        "The node gets no label for it."
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
