//! VM sizes: capabilities and names.

use std::collections::BTreeMap;

/// A VM size as the resource SKUs of Azure describe it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VmSize {
    /// The name, `Standard_…`.
    pub name: String,
    /// The capabilities by name. All values are strings.
    pub capabilities: BTreeMap<String, String>,
}

impl VmSize {
    fn capability(&self, name: &str) -> Option<&str> {
        let found = self.capabilities.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str())
    }

    fn is_true(&self, name: &str) -> bool {
        self.capability(name).is_some_and(|value| value.eq_ignore_ascii_case("true"))
    }

    /// Returns a capability that is an integer above zero.
    fn amount(&self, name: &str) -> Option<u64> {
        self.capability(name)?.parse().ok().filter(|amount| *amount > 0)
    }

    /// Returns `amd64`, `arm64`, or Azure's own name of another architecture.
    #[must_use]
    pub fn architecture(&self) -> Option<&str> {
        self.capability("CpuArchitectureType").map(|word| match word {
            "x64" => "amd64",
            "Arm64" => "arm64",
            other => other,
        })
    }

    /// Reports whether the size supports a generation of Hyper-V, `1` or `2`.
    pub(super) fn has_generation(&self, generation: &str) -> bool {
        let text = self.capability("HyperVGenerations").unwrap_or_default().to_ascii_uppercase();
        text.contains(&format!("V{generation}"))
    }

    /// Returns the largest size of an ephemeral OS disk in GB, 0 if there can be none, and its placement on the host.
    #[must_use]
    pub fn ephemeral_disk(&self) -> (u64, &'static str) {
        let of_mib = |mib: u64| mib * 1_048_576 / 1_000_000_000;
        let placements = self.capability("SupportedEphemeralOSDiskPlacements").unwrap_or_default().to_ascii_lowercase();
        if !self.is_true("EphemeralOSDiskSupported") {
            return (0, "");
        }
        if let Some(mib) = self.amount("NvmeDiskSizeInMiB").filter(|_| placements.contains("nvmedisk")) {
            return (of_mib(mib), "NvmeDisk");
        }
        if let Some(bytes) = self.amount("CachedDiskBytes") {
            return (bytes / 1_000_000_000, "CacheDisk");
        }
        self.amount("MaxResourceVolumeMB").map_or((0, ""), |mib| (of_mib(mib), "ResourceDisk"))
    }

    /// Returns the number of GPUs.
    #[must_use]
    pub fn gpus(&self) -> u64 {
        self.amount("GPUs").unwrap_or(0)
    }

    /// Returns a capability that is a boolean; `None` if it is absent.
    #[must_use]
    pub fn switch(&self, capability: &str) -> Option<bool> {
        self.capability(capability).map(|_| self.is_true(capability))
    }

    /// Returns the number of virtual CPUs.
    #[must_use]
    pub fn cores(&self) -> Option<u64> {
        self.amount("vCPUs")
    }

    /// Returns the memory in GiB, which may have a fraction.
    #[must_use]
    pub fn memory_gib(&self) -> Option<f64> {
        self.capability("MemoryGB")?.parse().ok().filter(|memory| *memory > 0.0)
    }

    /// Returns the generation of Hyper-V if the size supports only one.
    #[must_use]
    pub fn only_generation(&self) -> Option<&'static str> {
        match (self.has_generation("1"), self.has_generation("2")) {
            (true, false) => Some("1"),
            (false, true) => Some("2"),
            _ => None,
        }
    }
}

/// The parts of the name of a VM size: `Standard_NC24ads_A100_v4` is family `N`, subfamily `C`, features `ads`, accelerator
/// `A100`, version `4`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the parts of a name")]
pub struct VmSizeName<'a> {
    pub family: &'a str,
    pub subfamily: &'a str,
    pub features: &'a str,
    pub accelerator: Option<&'a str>,
    pub version: Option<&'a str>,
}

impl<'a> VmSizeName<'a> {
    /// Parses a name. `None` if it does not have the form of the sizes in use.
    #[must_use]
    pub fn parse(name: &'a str) -> Option<Self> {
        let rest = name.strip_prefix("Standard_")?;
        let mut parts = rest.split('_');
        let first = parts.next()?;
        let letters = first.bytes().take_while(u8::is_ascii_uppercase).count();
        let after = &first[letters..];
        let cores = after.bytes().take_while(|byte| byte.is_ascii_digit() || *byte == b'-').count();
        if letters == 0 || cores == 0 {
            return None;
        }
        let (mut accelerator, mut version) = (None, None);
        for part in parts {
            match part.strip_prefix('v') {
                Some(number) if !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()) => {
                    version = Some(number);
                }
                _ => accelerator = accelerator.or(Some(part)),
            }
        }
        let (family, subfamily) = first[..letters].split_at(1);
        Some(Self { family, subfamily, features: &after[cores..], accelerator, version })
    }

    /// Returns family, subfamily, features and version: `Ds_v3`.
    #[must_use]
    pub fn series(&self) -> String {
        let version = self.version.map(|version| format!("_v{version}")).unwrap_or_default();
        format!("{}{}{}{version}", self.family, self.subfamily, self.features)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_sizes_are_parsed() {
        for (name, family, series, version, accelerator) in [
            ("Standard_D2s_v3", "D", "Ds_v3", Some("3"), None),
            ("Standard_D2_v5", "D", "D_v5", Some("5"), None),
            ("Standard_NC24ads_A100_v4", "N", "NCads_v4", Some("4"), Some("A100")),
            ("Standard_M8-2ms", "M", "Mms", None, None),
        ] {
            let found = VmSizeName::parse(name).expect("the name of a size");
            assert_eq!((found.family, found.version, found.accelerator), (family, version, accelerator), "{name}");
            assert_eq!(found.series(), series, "{name}");
        }
        assert_eq!(VmSizeName::parse("Basic_A0"), None);
    }
}
