//! The VM size of a node, as `az vm list-skus` prints it.

use std::collections::BTreeMap;

use super::scalar;
use crate::document::{Object, Report, Tree, read_document};
use crate::inputs::karpenter::VmSize;

/// A VM size in a region.
#[derive(Clone, Debug, Default)]
pub struct InstanceType {
    /// Name and capabilities.
    pub size: VmSize,
    /// The zones of the region that offer it.
    pub zones: Vec<String>,
}

impl InstanceType {
    /// Reads `name`, `capabilities` (a map, or Azure's list of `name` and `value`) and `zones`.
    ///
    /// # Errors
    /// Fails if the syntax is broken or a member has the wrong type.
    pub fn from_document(bytes: &[u8]) -> Result<(Self, Report), Report> {
        read_document(bytes, "a VM size", Self::read)
    }

    fn read(object: &Object<'_>) -> Self {
        let name = object.text("name").unwrap_or_default().to_owned();
        let mut capabilities = BTreeMap::new();
        match object.member("capabilities") {
            Some(Tree::Map(members)) => {
                let known = members.iter().filter_map(|(name, value)| Some((name.clone(), scalar(value)?)));
                capabilities.extend(known);
            }
            _ => {
                for pair in object.objects("capabilities", "a capability") {
                    let value = pair.member("value").and_then(scalar).unwrap_or_default();
                    // Of several entries with one name, the first is used.
                    capabilities.entry(pair.text("name").unwrap_or_default().to_owned()).or_insert(value);
                }
            }
        }
        Self { size: VmSize { name, capabilities }, zones: object.texts("zones") }
    }
}
