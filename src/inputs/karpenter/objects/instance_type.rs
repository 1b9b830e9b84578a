//! Facts about a VM size, as `az vm list-skus` gives them.

use std::collections::BTreeMap;

use super::scalar;
use crate::document::{Object, Report, Tree, read_document};
use crate::inputs::karpenter::launch_template::Size;

/// A VM size.
#[derive(Clone, Debug, Default)]
pub struct InstanceType {
    /// Name and capabilities.
    pub size: Size,
    /// Zones of the region in which it is offered.
    pub zones: Vec<String>,
}

impl InstanceType {
    /// Reads `name`, `capabilities` (a map, or Azure's list of `name` and `value`) and `zones`.
    ///
    /// # Errors
    /// The document breaks its syntax or has members of a wrong type.
    pub fn from_document(bytes: &[u8]) -> Result<(Self, Report), Report> {
        read_document(bytes, "the facts of a VM size", Self::read)
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
                    // The first entry of a name counts.
                    capabilities.entry(pair.text("name").unwrap_or_default().to_owned()).or_insert(value);
                }
            }
        }
        Self { size: Size { name, capabilities }, zones: object.texts("zones") }
    }
}
