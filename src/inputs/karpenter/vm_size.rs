//! VM sizes: capabilities.

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

    /// Returns the largest size of an ephemeral OS disk in GB, 0 if the VM size supports none, and its placement on the
    /// host.
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

    /// Returns the memory in GiB, which can have a fraction.
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
