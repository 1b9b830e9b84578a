//! `AKSNodeClass`: the part of a node that Azure cares for.

use std::collections::BTreeMap;

use super::{broken, is_kind, one_of, within};
use crate::catalogue::sysctls::{PORT_RANGE_RULE, SYSCTLS, is_port_range, ordered};
use crate::catalogue::{huge_pages, local_dns};
use crate::document::{Finding, Object, Problem, Report, duration, read_document};
use crate::inputs::karpenter::{KubeletConfig, Subnet};

/// The node class, defaults of the API filled in.
#[derive(Clone, Debug, Default)]
#[expect(missing_docs, reason = "named as the API names them")]
pub struct NodeClass {
    pub name: String,
    pub vnet_subnet_id: Option<String>,
    /// In GB.
    pub os_disk_size: u64,
    pub image_family: String,
    pub fips: bool,
    pub tags: BTreeMap<String, String>,
    pub max_pods: Option<i64>,
    /// Only what the class says; the rest is computed.
    pub kubelet: Option<KubeletConfig>,
    pub trusted_launch: TrustedLaunch,
    pub local_dns_mode: Option<String>,
    pub installs_gpu_driver: bool,
    pub artifact_streaming: bool,
    /// Of the status: the version that the controller found.
    pub kubernetes_version: Option<String>,
    /// Fields that have no effect on the script, as their paths.
    pub dropped: Vec<&'static str>,
}

/// The two switches of trusted launch; one is enough.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "named as the API names them")]
pub struct TrustedLaunch {
    pub vtpm: bool,
    pub secure_boot: bool,
}

impl TrustedLaunch {
    /// Whether either is on.
    #[must_use]
    pub const fn is_on(self) -> bool {
        self.vtpm || self.secure_boot
    }
}

const FAMILIES: &[&str] = &["Ubuntu", "Ubuntu2204", "Ubuntu2404", "AzureLinux"];

impl NodeClass {
    /// Reads the object as `kubectl get -o yaml` prints it.
    ///
    /// # Errors
    /// It is another kind of object, or a field breaks the rules of its API.
    pub fn from_document(bytes: &[u8]) -> Result<(Self, Report), Report> {
        read_document(bytes, "AKSNodeClass", Self::read)
    }

    fn read(object: &Object<'_>) -> Self {
        is_kind(object, &["AKSNodeClass"]);
        let name = object.object("metadata", "metadata").and_then(|metadata| {
            let name = metadata.text("name").map(str::to_owned);
            metadata.ignore_the_rest();
            name
        });
        let kubernetes_version = object.object("status", "the status").and_then(|status| {
            let version = status.text("kubernetesVersion").map(str::to_owned);
            status.ignore_the_rest();
            version
        });
        let class = object.object("spec", "the AKSNodeClass's spec");
        let class = class.as_ref().map_or_else(Self::absent, Self::spec);
        Self { name: name.unwrap_or_default(), kubernetes_version, ..class }
    }

    fn absent() -> Self {
        Self { os_disk_size: 128, image_family: "Ubuntu".to_owned(), installs_gpu_driver: true, ..Self::default() }
    }

    fn spec(spec: &Object<'_>) -> Self {
        let mut class = Self::absent();
        class.vnet_subnet_id = spec.text("vnetSubnetID").map(str::to_owned);
        if let Some(id) = class.vnet_subnet_id.as_deref().filter(|id| Subnet::parse(id).is_none()) {
            broken(spec, "vnetSubnetID", "the id of a subnet", id);
        }
        if let Some(size) = within(spec, "osDiskSizeGB", (30, 2048)) {
            class.os_disk_size = u64::try_from(size).unwrap_or_default();
        }
        let family = one_of(spec, "imageFamily", FAMILIES);
        class.fips = one_of(spec, "fipsMode", &["FIPS", "Disabled"]).is_some_and(|mode| mode == "FIPS");
        class.tags = spec.text_map("tags");
        for (key, value) in &class.tags {
            if key.chars().count() > 512 || value.chars().count() > 256 || key.contains(['<', '>', '%', '&', '?', '\\'])
            {
                let rule = "has a key of over 512 or a value of over 256 characters, or one of `<>%&?\\` in a key";
                spec.report(Finding::error(spec.at("tags"), Problem::Rule(rule.into())));
            }
        }
        class.max_pods = within(spec, "maxPods", (10, 250));
        if let Some(security) = spec.object("security", "security") {
            security.switch("encryptionAtHost");
            if let Some(trusted) = security.object("trustedLaunch", "trusted launch") {
                let on = |name| trusted.switch(name).unwrap_or_default();
                class.trusted_launch = TrustedLaunch { vtpm: on("vtpm"), secure_boot: on("secureBoot") };
            }
        }
        if let Some(gpu) = spec.object("gpu", "gpu") {
            class.installs_gpu_driver = one_of(&gpu, "mode", &["Driver", "None"]).is_none_or(|mode| mode != "None");
        }
        if let Some(streaming) = spec.object("artifactStreaming", "artifact streaming") {
            class.artifact_streaming = streaming.switch("enabled").unwrap_or_default();
        }
        class.read_kubelet(spec);
        class.read_local_dns(spec);
        class.read_operating_system(spec);
        class.check_together(spec, family.as_deref());
        class.image_family = family.unwrap_or(class.image_family);
        class
    }

    fn read_kubelet(&mut self, spec: &Object<'_>) {
        let Some(kubelet) = spec.object("kubelet", "kubelet") else { return };
        let text = |name| kubelet.text(name).map(str::to_owned);
        let topology = &["restricted", "best-effort", "none", "single-numa-node"];
        // Defaults of the API hold only where the enclosing object is written.
        let config = KubeletConfig {
            cpu_manager_policy: one_of(&kubelet, "cpuManagerPolicy", &["none", "static"]).or(Some("none".to_owned())),
            cpu_cfs_quota: kubelet.switch("cpuCFSQuota").or(Some(true)),
            cpu_cfs_quota_period: text("cpuCFSQuotaPeriod"),
            image_gc_high_threshold_percent: within(&kubelet, "imageGCHighThresholdPercent", (0, 100)),
            image_gc_low_threshold_percent: within(&kubelet, "imageGCLowThresholdPercent", (0, 100)),
            topology_manager_policy: one_of(&kubelet, "topologyManagerPolicy", topology).or(Some("none".to_owned())),
            allowed_unsafe_sysctls: kubelet.texts("allowedUnsafeSysctls"),
            container_log_max_size: text("containerLogMaxSize").or(Some("50Mi".to_owned())),
            container_log_max_files: within(&kubelet, "containerLogMaxFiles", (2, i64::from(i32::MAX))).or(Some(5)),
            pod_pids_limit: kubelet.integer("podPidsLimit"),
            fail_swap_on: kubelet.switch("failSwapOn"),
            ..KubeletConfig::default()
        };
        if let (Some(high), Some(low)) = (config.image_gc_high_threshold_percent, config.image_gc_low_threshold_percent)
            && high <= low
        {
            let rule = "must be above `imageGCLowThresholdPercent`";
            kubelet.report(Finding::error(kubelet.at("imageGCHighThresholdPercent"), Problem::Rule(rule.into())));
        }
        if let Some(size) = config.container_log_max_size.as_deref().filter(|size| !is_size(size)) {
            broken(&kubelet, "containerLogMaxSize", "digits and one of E P T G M K Ei Pi Ti Gi Mi Ki", size);
        }
        if let Some(period) = config.cpu_cfs_quota_period.as_deref() {
            if !duration::is_go_duration(period) {
                broken(&kubelet, "cpuCFSQuotaPeriod", "a duration such as `100ms`", period);
            }
            self.dropped.push("spec.kubelet.cpuCFSQuotaPeriod");
        }
        if config.fail_swap_on.is_some() {
            self.dropped.push("spec.kubelet.failSwapOn");
        }
        self.kubelet = Some(config);
    }

    fn read_local_dns(&mut self, spec: &Object<'_>) {
        let Some(dns) = spec.object("localDNS", "local DNS") else { return };
        self.local_dns_mode = one_of(&dns, "mode", &["Preferred", "Required", "Disabled"]);
        if self.local_dns_mode.is_none() {
            dns.report(Finding::error(dns.at("mode"), Problem::Missing));
        }
        for (name, path) in [
            ("vnetDNSOverrides", "spec.localDNS.vnetDNSOverrides"),
            ("kubeDNSOverrides", "spec.localDNS.kubeDNSOverrides"),
        ] {
            let overrides = dns.objects(name, "an override");
            let zones: Vec<_> = overrides.iter().map(|one| read_override(one, name == "vnetDNSOverrides")).collect();
            if overrides.is_empty() {
                dns.report(Finding::error(dns.at(name), Problem::Missing));
                continue;
            }
            self.dropped.push(path);
            let rules = [
                (zones.len() > 100, "has over 100 zones"),
                (zones.iter().enumerate().any(|(at, zone)| zones[..at].contains(zone)), "has a zone twice"),
                (
                    !zones.contains(&".") || !zones.contains(&"cluster.local"),
                    "must have the zones `.` and `cluster.local`",
                ),
            ];
            for (_, rule) in rules.iter().filter(|(broken, _)| *broken) {
                dns.report(Finding::error(dns.at(name), Problem::Rule((*rule).into())));
            }
        }
    }

    fn read_operating_system(&mut self, spec: &Object<'_>) {
        let Some(os) = spec.object("linuxOSConfig", "the operating system's settings") else { return };
        self.dropped.push("spec.linuxOSConfig");
        if let Some(size) = os.text("swapFileSize") {
            if !is_size(size) {
                broken(&os, "swapFileSize", "digits and one of E P T G M K Ei Pi Ti Gi Mi Ki", size);
            }
            if self.kubelet.as_ref().and_then(|kubelet| kubelet.fail_swap_on) != Some(false) {
                let rule = "needs `kubelet.failSwapOn` to be false";
                os.report(Finding::error(os.at("swapFileSize"), Problem::Rule(rule.into())));
            }
        }
        one_of(&os, "transparentHugePageEnabled", huge_pages::ENABLED);
        one_of(&os, "transparentHugePageDefrag", huge_pages::DEFRAG);
        let Some(sysctls) = os.object("sysctls", "sysctls") else { return };
        let values: BTreeMap<_, _> = SYSCTLS
            .iter()
            .filter_map(|setting| {
                let (name, (least, most)) = (setting.node_class_field?, setting.bounds?);
                Some((name, within(&sysctls, name, (least.into(), most.into()))?))
            })
            .collect();
        for settings in ordered() {
            let [Some(lower), Some(upper)] = settings.map(|setting| setting.node_class_field) else { continue };
            if let (Some(low), Some(high)) = (values.get(lower), values.get(upper))
                && low > high
            {
                let rule = format!("must not be above `{upper}`");
                sysctls.report(Finding::error(sysctls.at(lower), Problem::Rule(rule.into())));
            }
        }
        sysctls.switch("netIPv4TCPTwReuse");
        if let Some(range) = sysctls.text("netIPv4IPLocalPortRange").filter(|range| !is_port_range(range)) {
            broken(&sysctls, "netIPv4IPLocalPortRange", PORT_RANGE_RULE, range);
        }
    }

    fn check_together(&self, spec: &Object<'_>, family: Option<&str>) {
        let complain = |rule: &'static str| {
            spec.report(Finding::error(spec.at("fipsMode"), Problem::Rule(rule.into())));
        };
        if !self.fips {
            return;
        }
        match (family, self.trusted_launch.is_on()) {
            (None, _) => complain("needs `imageFamily`"),
            (Some("Ubuntu2404"), _) => complain("does not go with `Ubuntu2404`"),
            (Some("Ubuntu2204"), false) => complain("needs trusted launch with `Ubuntu2204`"),
            (Some("AzureLinux"), true) => complain("does not go with trusted launch on `AzureLinux`"),
            _ => {}
        }
    }
}

/// The zone of an override of the local DNS, which the script does not carry but the API has rules for.
fn read_override<'t>(one: &Object<'t>, of_vnet: bool) -> &'t str {
    let missing = |name: &'static str| one.report(Finding::error(one.at(name), Problem::Missing));
    let words: [(&'static str, &'static [&'static str]); 5] = [
        ("queryLogging", local_dns::QUERY_LOGGING),
        ("protocol", local_dns::PROTOCOLS),
        ("forwardDestination", local_dns::FORWARD_DESTINATIONS),
        ("forwardPolicy", local_dns::FORWARD_POLICIES),
        ("serveStale", local_dns::SERVE_STALE),
    ];
    let [_, protocol, destination, _, stale] = words.map(|(name, words)| {
        let word = one_of(one, name, words);
        if word.is_none() {
            missing(name);
        }
        word.unwrap_or_default()
    });
    if within(one, "maxConcurrent", (0, i64::from(i32::MAX))).is_none() {
        missing("maxConcurrent");
    }
    for name in ["cacheDuration", "serveStaleDuration"] {
        match one.text(name) {
            None => missing(name),
            Some(text) if !duration::is_go_duration(text) => broken(one, name, "a duration such as `1h`", text),
            Some(_) => {}
        }
    }
    let zone = one.text("zone").unwrap_or_else(|| {
        missing("zone");
        ""
    });
    let in_cluster = zone.ends_with("cluster.local");
    let rules = [
        (in_cluster && destination == "VnetDNS", "forwardDestination", "a zone of the cluster cannot go to `VnetDNS`"),
        (stale == "Verify" && protocol == "ForceTCP", "serveStale", "`Verify` cannot go with `ForceTCP`"),
        (
            of_vnet && !in_cluster && destination == "ClusterCoreDNS",
            "forwardDestination",
            "only a zone of the cluster can go to `ClusterCoreDNS` here",
        ),
    ];
    for (_, name, rule) in rules.into_iter().filter(|(broken, ..)| *broken) {
        one.report(Finding::error(one.at(name), Problem::Rule(rule.into())));
    }
    zone
}

/// A quantity as the API's pattern has it.
fn is_size(text: &str) -> bool {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let units = ["E", "P", "T", "G", "M", "K", "Ei", "Pi", "Ti", "Gi", "Mi", "Ki"];
    digits > 0 && units.contains(&&text[digits..])
}
