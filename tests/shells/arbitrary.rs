//! Configurations and Karpenter's inputs in which every text may hold what breaks careless shell text.

#![allow(dead_code, reason = "two test programs share this; each takes what it needs")]

use std::collections::BTreeMap;

use aks_node_controller::configuration::{Configuration, Kind, Label, Message, SlotMut};
use aks_node_controller::inputs::karpenter::{BootstrapInputs, KubeletConfig, Taint};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

/// Pieces of text that mean something to a shell; the canary is a file that no run may leave.
const PIECES: &[&str] = &[
    "$(touch /opt/azure/canary)",
    "`touch /opt/azure/canary`",
    ";touch /opt/azure/canary;",
    "\ntouch /opt/azure/canary\n",
    "&& touch /opt/azure/canary &&",
    "'; touch /opt/azure/canary; '",
    "\"; touch /opt/azure/canary; \"",
    "| touch /opt/azure/canary",
    "${IFS}",
    "$HOME",
    "$'\\n'",
    "'",
    "\"",
    "\\",
    "`",
    "$",
    "!",
    "!!",
    "#",
    " # x",
    "~",
    "~/x",
    "*",
    "?",
    "[a]",
    "{a,b}",
    "(",
    ")",
    "<",
    ">",
    "<<EOF",
    "EOF",
    "\nEOF\n",
    "&",
    "|",
    ";",
    "\t",
    "\r",
    "\r\n",
    "\n",
    " ",
    "  ",
    "=",
    "a=b",
    "-",
    "--",
    "\u{7f}",
    "\u{1}",
    "\u{1b}[31m",
    "é",
    "\u{2028}",
    "\u{fffd}",
    "😀",
    "%s",
    "%",
    "@",
    "^",
    "x",
    "value",
    "0",
    "",
];

/// A stream of Configurations, the same in every run.
pub struct Source {
    runner: TestRunner,
    text: BoxedStrategy<String>,
}

impl Source {
    pub fn new() -> Self {
        let piece = prop_oneof![4 => proptest::sample::select(PIECES).prop_map(str::to_owned), 1 => "[^\0]{0,6}"];
        let text = proptest::collection::vec(piece, 0..5).prop_map(|pieces| pieces.concat()).boxed();
        Self { runner: TestRunner::deterministic(), text }
    }

    pub fn configuration(&mut self) -> Configuration {
        let mut configuration = Configuration::default();
        self.fill(&mut configuration);
        "v1".clone_into(&mut configuration.version);
        configuration
    }

    /// A Configuration whose texts are plain where they are written into files that cannot carry every text.
    pub fn representable(&mut self) -> Configuration {
        let mut configuration = self.configuration();
        let plain = |text: &mut String| text.retain(|character| character.is_ascii_alphanumeric());
        if let Some(kubelet) = &mut configuration.kubelet_config {
            plain(&mut kubelet.container_data_dir);
        }
        if let Some(binaries) = &mut configuration.kube_binary_config {
            plain(&mut binaries.pod_infra_container_image_url);
        }
        if let Some(proxy) = &mut configuration.http_proxy_config {
            plain(&mut proxy.http_proxy);
            plain(&mut proxy.https_proxy);
            proxy.no_proxy_entries.iter_mut().for_each(plain);
        }
        if let Some(os) = &mut configuration.custom_linux_os_config {
            if let Some(sysctls) = &mut os.sysctl_config {
                sysctls.net_ipv4_ip_local_port_range.as_mut().map(plain);
            }
            if let Some(limits) = &mut os.ulimit_config {
                limits.no_file.as_mut().map(plain);
                limits.max_locked_memory.as_mut().map(plain);
            }
        }
        if let Some(profile) = &mut configuration.local_dns_profile {
            profile.vnet_dns_overrides.clear();
            profile.kube_dns_overrides.clear();
        }
        configuration
    }

    /// Inputs of Karpenter's bootstrapper: hostile texts everywhere but in the version, which has to be one.
    pub fn inputs(&mut self) -> BootstrapInputs {
        const VERSIONS: [&str; 6] = ["1.25.0", "1.29.15", "1.30.2", "1.33.5-alpha.1+build.7", "1.34.1", "1.37.0"];
        let kubelet_config = (self.below(4) > 0).then(|| KubeletConfig {
            max_pods: Some(self.number().into()),
            system_reserved: self.text_map(),
            kube_reserved: self.text_map(),
            eviction_hard: self.text_map(),
            eviction_soft: self.text_map(),
            eviction_soft_grace_period: (0..self.below(3)).map(|_| (self.text(), "90s".to_owned())).collect(),
            cpu_manager_policy: Some(self.text()),
            topology_manager_policy: Some(self.text()),
            container_log_max_size: Some(self.text()),
            allowed_unsafe_sysctls: (0..self.below(3)).map(|_| self.text()).collect(),
            cluster_dns_service_ip: Some(self.text()),
            ..KubeletConfig::default()
        });
        let taint = |source: &mut Self| Taint { key: source.text(), value: source.text(), effect: source.text() };
        let subnet = [self.text(), self.text(), self.text()].map(|part| part.replace('/', ""));
        BootstrapInputs {
            arch: self.text(),
            tenant_id: self.text(),
            subscription_id: self.text(),
            kubelet_identity_client_id: self.text(),
            location: self.text(),
            resource_group: self.text(),
            cluster_name: self.text(),
            cluster_endpoint: self.text(),
            network_security_group_name: self.text(),
            route_table_name: self.text(),
            api_server_name: self.text(),
            kubelet_client_tls_bootstrap_token: self.text().into(),
            network_plugin: self.text(),
            network_policy: self.text(),
            kubernetes_version: VERSIONS[self.below(VERSIONS.len())].to_owned(),
            kubelet_config,
            taints: (0..self.below(3)).map(|_| taint(self)).collect(),
            labels: self.text_map(),
            ca_bundle: Some(self.text()),
            gpu_node: self.below(2) == 0,
            gpu_driver_installation_enabled: self.below(3) > 0,
            gpu_driver_version: self.text(),
            gpu_driver_type: self.text(),
            gpu_image_sha: self.text(),
            subnet_id: format!(
                "/subscriptions/s/resourceGroups/{}/providers/Microsoft.Network/virtualNetworks/{}/subnets/{}",
                subnet[0], subnet[1], subnet[2]
            ),
        }
    }

    fn text_map(&mut self) -> BTreeMap<String, String> {
        (0..self.below(4)).map(|_| (self.text(), self.text())).collect()
    }

    fn fill(&mut self, message: &mut dyn Message) {
        for (index, field) in message.descriptor().fields.iter().enumerate() {
            // A message that is absent, an enum that is unset: those shapes matter too.
            if matches!(field.kind, Kind::Message(_)) && field.label == Label::Optional && self.below(4) == 0 {
                continue;
            }
            match message.slot_mut(index) {
                SlotMut::Text(slot) => *slot = self.text(),
                SlotMut::OptionalText(slot) => *slot = (self.below(4) > 0).then(|| self.text()),
                SlotMut::Bool(slot) => *slot = self.below(2) == 0,
                SlotMut::OptionalBool(slot) => *slot = [None, Some(false), Some(true)][self.below(3)],
                SlotMut::Integer(slot) => *slot = self.number(),
                SlotMut::OptionalInteger(slot) => *slot = (self.below(3) > 0).then(|| self.number()),
                SlotMut::OptionalDouble(slot) => *slot = [None, Some(0.5), Some(-0.0), Some(1e300)][self.below(4)],
                SlotMut::Enum(slot) => *slot = i32::try_from(self.below(6)).expect("small") - 1,
                SlotMut::Texts(slot) => *slot = (0..self.below(4)).map(|_| self.text()).collect(),
                SlotMut::TextMap(slot) => *slot = self.text_map(),
                SlotMut::BoolMap(slot) => *slot = (0..self.below(3)).map(|at| (self.text(), at == 0)).collect(),
                SlotMut::Message(inner) => self.fill(inner),
                SlotMut::MessageMap(map) => {
                    for _ in 0..self.below(4) {
                        let key = if self.below(3) == 0 { ".".to_owned() } else { self.text() };
                        self.fill(map.entry(key));
                    }
                }
            }
        }
    }

    pub fn text(&mut self) -> String {
        self.text.new_tree(&mut self.runner).expect("every text is allowed").current()
    }

    fn number(&mut self) -> i32 {
        [i32::MIN, -1, 0, 1, 900, i32::MAX][self.below(6)]
    }

    fn below(&mut self, end: usize) -> usize {
        (0..end).new_tree(&mut self.runner).expect("every number is allowed").current()
    }
}
