//! Kernel settings of a node: their names in each input, their defaults, and the values that AKS accepts.
//!
//! To add a setting: a row in [`SYSCTLS`], after a field in `SysctlConfig` of the contract.

/// One kernel setting.
#[derive(Debug)]
pub struct Sysctl {
    /// As the kernel spells it.
    pub key: &'static str,
    /// The field of `SysctlConfig`. `None`: the setting is the same on every node.
    pub field: Option<&'static str>,
    /// The field of `spec.linuxOSConfig.sysctls` in Karpenter's `AKSNodeClass`.
    pub node_class_field: Option<&'static str>,
    /// The value if the field is absent. `None` if the setting is then not written.
    pub default: Option<i32>,
    /// Smallest and largest value that AKS accepts, from
    /// <https://learn.microsoft.com/azure/aks/custom-node-configuration>.
    pub bounds: Option<(i32, i32)>,
}

const fn field(key: &'static str, field: &'static str, node_class_field: &'static str) -> Sysctl {
    Sysctl { key, field: Some(field), node_class_field: Some(node_class_field), default: None, bounds: None }
}

const fn fixed(key: &'static str, value: Option<i32>) -> Sysctl {
    Sysctl { key, field: None, node_class_field: None, default: value, bounds: None }
}

impl Sysctl {
    const fn default(self, value: i32) -> Self {
        Self { default: Some(value), ..self }
    }

    const fn within(self, smallest: i32, largest: i32) -> Self {
        Self { bounds: Some((smallest, largest)), ..self }
    }
}

/// First and last port of outgoing connections; its value is text.
pub const PORT_RANGE: &str = "net.ipv4.ip_local_port_range";

/// Ports that outgoing connections never use.
pub const RESERVED_PORTS: &str = "net.ipv4.ip_local_reserved_ports";

/// The port of a service on the node. It is reserved if [`PORT_RANGE`] includes it.
pub const RESERVED_PORT: u16 = 65330;

/// In byte order of the keys, which is the order of the file for a Configuration.
pub static SYSCTLS: &[Sysctl] = &[
    field("fs.aio-max-nr", "fs_aio_max_nr", "fsAioMaxNr").within(65_536, 6_553_500),
    field("fs.file-max", "fs_file_max", "fsFileMax").within(8_192, 12_000_500),
    field("fs.inotify.max_user_watches", "fs_inotify_max_user_watches", "fsInotifyMaxUserWatches")
        .within(781_250, 2_097_152),
    field("fs.nr_open", "fs_nr_open", "fsNrOpen").within(8_192, 20_000_500),
    field("kernel.threads-max", "kernel_threads_max", "kernelThreadsMax").within(20, 513_785),
    fixed("net.core.message_burst", Some(80)),
    fixed("net.core.message_cost", Some(40)),
    field("net.core.netdev_max_backlog", "net_core_netdev_max_backlog", "netCoreNetdevMaxBacklog")
        .within(1_000, 3_240_000),
    field("net.core.optmem_max", "net_core_optmem_max", "netCoreOptmemMax").within(20_480, 4_194_304),
    field("net.core.rmem_default", "net_core_rmem_default", "netCoreRmemDefault").within(212_992, 134_217_728),
    field("net.core.rmem_max", "net_core_rmem_max", "netCoreRmemMax").within(212_992, 134_217_728),
    field("net.core.somaxconn", "net_core_somaxconn", "netCoreSomaxconn").default(16_384).within(4_096, 3_240_000),
    field("net.core.wmem_default", "net_core_wmem_default", "netCoreWmemDefault").within(212_992, 134_217_728),
    field("net.core.wmem_max", "net_core_wmem_max", "netCoreWmemMax").within(212_992, 134_217_728),
    field(PORT_RANGE, "net_ipv4_ip_local_port_range", "netIPv4IPLocalPortRange"),
    fixed(RESERVED_PORTS, None),
    field("net.ipv4.neigh.default.gc_thresh1", "net_ipv4_neigh_default_gc_thresh1", "netIPv4NeighDefaultGcThresh1")
        .default(4_096)
        .within(128, 80_000),
    field("net.ipv4.neigh.default.gc_thresh2", "net_ipv4_neigh_default_gc_thresh2", "netIPv4NeighDefaultGcThresh2")
        .default(8_192)
        .within(512, 90_000),
    field("net.ipv4.neigh.default.gc_thresh3", "net_ipv4_neigh_default_gc_thresh3", "netIPv4NeighDefaultGcThresh3")
        .default(16_384)
        .within(1_024, 100_000),
    field("net.ipv4.tcp_fin_timeout", "net_ipv4_tcp_fin_timeout", "netIPv4TCPFinTimeout").within(5, 120),
    field("net.ipv4.tcp_keepalive_intvl", "net_ipv4_tcpkeepalive_intvl", "netIPv4TCPKeepaliveIntvl").within(10, 90),
    field("net.ipv4.tcp_keepalive_probes", "net_ipv4_tcp_keepalive_probes", "netIPv4TCPKeepaliveProbes").within(1, 15),
    field("net.ipv4.tcp_keepalive_time", "net_ipv4_tcp_keepalive_time", "netIPv4TCPKeepaliveTime").within(30, 432_000),
    field("net.ipv4.tcp_max_syn_backlog", "net_ipv4_tcp_max_syn_backlog", "netIPv4TCPMaxSynBacklog")
        .default(16_384)
        .within(128, 3_240_000),
    field("net.ipv4.tcp_max_tw_buckets", "net_ipv4_tcp_max_tw_buckets", "netIPv4TCPMaxTwBuckets")
        .within(8_000, 1_440_000),
    fixed("net.ipv4.tcp_retries2", Some(8)),
    field("net.ipv4.tcp_tw_reuse", "net_ipv4_tcp_tw_reuse", "netIPv4TCPTwReuse"),
    field("net.netfilter.nf_conntrack_buckets", "net_netfilter_nf_conntrack_buckets", "netNetfilterNfConntrackBuckets")
        .within(65_536, 524_288),
    field("net.netfilter.nf_conntrack_max", "net_netfilter_nf_conntrack_max", "netNetfilterNfConntrackMax")
        .within(131_072, 2_097_152),
    field("vm.max_map_count", "vm_max_map_count", "vmMaxMapCount").within(65_530, 262_144),
    field("vm.swappiness", "vm_swappiness", "vmSwappiness").within(0, 100),
    field("vm.vfs_cache_pressure", "vm_vfs_cache_pressure", "vmVfsCachePressure").within(0, 100),
];

/// Pairs of keys. The value of the first must not be greater than the value of the second.
const ORDERED: [(&str, &str); 4] = [
    ("net.core.rmem_default", "net.core.rmem_max"),
    ("net.core.wmem_default", "net.core.wmem_max"),
    ("net.ipv4.neigh.default.gc_thresh1", "net.ipv4.neigh.default.gc_thresh2"),
    ("net.ipv4.neigh.default.gc_thresh2", "net.ipv4.neigh.default.gc_thresh3"),
];

/// Describes what [`is_port_range`] accepts, for messages.
pub const PORT_RANGE_RULE: &str = "two ports separated by one space, 1024 to 60999 and 32768 to 65535, in this order";

/// Reports whether AKS accepts a value of [`PORT_RANGE`].
#[must_use]
pub fn is_port_range(text: &str) -> bool {
    let port = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse::<u16>().ok()).flatten();
    let Some((first, last)) = text.split_once(' ') else { return false };
    let (Some(first), Some(last)) = (port(first), port(last)) else { return false };
    (1_024..=60_999).contains(&first) && last >= 32_768 && first <= last
}

/// Pairs of settings. The value of the first must not be greater than the value of the second.
pub fn ordered() -> impl Iterator<Item = [&'static Sysctl; 2]> {
    let row = |key| SYSCTLS.iter().find(|setting| setting.key == key);
    ORDERED.into_iter().filter_map(move |(low, high)| Some([row(low)?, row(high)?]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::configuration::SysctlConfig;

    #[test]
    fn every_field_has_one_row_and_the_keys_are_in_byte_order() {
        let mut named: Vec<_> = SYSCTLS.iter().filter_map(|setting| setting.field).collect();
        let mut declared: Vec<_> = SysctlConfig::descriptor().fields.iter().map(|field| field.name).collect();
        named.sort_unstable();
        declared.sort_unstable();
        assert_eq!(named, declared);
        assert!(SYSCTLS.is_sorted_by(|a, b| a.key < b.key));
    }

    #[test]
    fn the_node_class_spells_each_key_in_camel_case() {
        let capitalized = |word: &str| match word {
            "ip" | "tcp" => word.to_uppercase(),
            "ipv4" => "IPv4".to_owned(),
            _ => word[..1].to_uppercase() + &word[1..],
        };
        for setting in SYSCTLS {
            assert_eq!(setting.field.is_some(), setting.node_class_field.is_some(), "{}", setting.key);
            let Some(name) = setting.node_class_field else { continue };
            let (first, rest) = setting.key.split_once(['.', '_', '-']).expect("a key has several words");
            let rest: String = rest.split(['.', '_', '-']).map(capitalized).collect();
            assert_eq!(name, first.to_owned() + &rest);
        }
    }

    #[test]
    fn the_defaults_of_each_ordered_pair_are_in_order() {
        assert_eq!(ordered().count(), ORDERED.len(), "a pair names no setting");
        for [low, high] in ordered() {
            assert!(low.default <= high.default, "{} and {}", low.key, high.key);
        }
    }

    #[test]
    fn a_port_range_is_two_ports_with_one_space_between() {
        for (text, expected) in [
            ("32768 60999", true),
            ("1024 65535", true),
            ("32768  60999", false),
            ("32768\t60999", false),
            ("1023 65535", false),
            ("60999 32768", false),
            ("32768", false),
            ("+1024 65535", false),
            ("1024 65536", false),
        ] {
            assert_eq!(is_port_range(text), expected, "{text:?}");
        }
    }
}
