//! The OS disk of a node.

use crate::inputs::karpenter::VmSize;

/// The OS disk of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Storage {
    /// In GB.
    pub size: u64,
    /// The largest size of an ephemeral disk, in GB.
    pub ephemeral_limit: u64,
    /// The placement of an ephemeral disk on the host.
    pub placement: &'static str,
}

impl Storage {
    /// Returns the OS disk of a VM size. `size` is in GB.
    #[must_use]
    pub fn new(vm_size: &VmSize, size: u64) -> Self {
        let (ephemeral_limit, placement) = vm_size.ephemeral_disk();
        Self { size, ephemeral_limit, placement }
    }

    /// Reports whether the disk is ephemeral, which means that it is on the host.
    #[must_use]
    pub const fn is_ephemeral(&self) -> bool {
        self.size <= self.ephemeral_limit
    }

    /// Returns the node bootstrapping service's name for the kind of disk.
    #[must_use]
    pub const fn disk_type(&self) -> &'static str {
        if self.is_ephemeral() { "Ephemeral" } else { "ManagedDisks" }
    }
}
