//! The VM size of a node, as `az vm list-skus` prints it.

use std::collections::BTreeMap;
use std::fmt;

use serde::Deserialize;
use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::Scalar;
use crate::document::{Document, Names, Report, Source, read_document};
use crate::inputs::karpenter::VmSize;

/// A VM size in a region.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct InstanceType {
    /// Name and capabilities.
    pub size: VmSize,
    /// The zones of the region that offer it.
    pub zones: Vec<String>,
    /// Whether the subscription cannot create it in the region, as `az vm list-skus --all` says.
    pub(in crate::inputs::karpenter) is_restricted: bool,
}

#[derive(Deserialize)]
#[serde(rename = "a VM size", default)]
#[derive(Default)]
#[expect(non_snake_case, reason = "the names are Azure's")]
struct Sku {
    name: String,
    capabilities: Capabilities,
    zones: Vec<String>,
    // What else `az vm list-skus` prints. The zones of a location are offerings, of which it has one without a zone too, so
    // that none of them is a label.
    apiVersions: IgnoredAny,
    capacity: IgnoredAny,
    costs: IgnoredAny,
    family: IgnoredAny,
    kind: IgnoredAny,
    locationInfo: IgnoredAny,
    locations: IgnoredAny,
    resourceType: IgnoredAny,
    restrictions: Option<Vec<Restriction>>,
    size: IgnoredAny,
    tier: IgnoredAny,
}

/// A restriction of a VM size. One of type `Zone` leaves other zones.
#[derive(Deserialize)]
#[serde(rename = "a restriction", default)]
#[derive(Default)]
#[expect(non_snake_case, reason = "the names are Azure's")]
struct Restriction {
    r#type: String,
    reasonCode: IgnoredAny,
    restrictionInfo: IgnoredAny,
    values: IgnoredAny,
}

/// Capabilities: a map, or Azure's list of `name` and `value`. Of entries with the same name, the first counts.
#[derive(Default)]
struct Capabilities(BTreeMap<String, String>);

#[derive(Deserialize)]
#[serde(rename = "a capability")]
struct Capability {
    #[serde(default)]
    name: String,
    value: Option<Scalar>,
}

impl<'de> Deserialize<'de> for Capabilities {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct MapOrList;
        impl<'de> Visitor<'de> for MapOrList {
            type Value = Capabilities;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list")
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Capabilities, A::Error> {
                let members = BTreeMap::<String, Option<Scalar>>::deserialize(MapAccessDeserializer::new(map))?;
                let known = members.into_iter().filter_map(|(name, value)| Some((name, value?.0)));
                Ok(Capabilities(known.collect()))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Capabilities, A::Error> {
                let list = Vec::<Capability>::deserialize(SeqAccessDeserializer::new(seq))?;
                let pairs = list.into_iter().rev();
                let pairs = pairs.map(|pair| (pair.name, pair.value.map(|value| value.0).unwrap_or_default()));
                Ok(Capabilities(pairs.collect()))
            }
        }
        deserializer.deserialize_any(MapOrList)
    }
}

impl InstanceType {
    /// Reads `name`, `capabilities` (a map, or Azure's list of `name` and `value`) and `zones`.
    ///
    /// # Errors
    /// Fails if the syntax is broken or a member has the wrong type.
    pub fn from_document(bytes: &[u8]) -> Result<(Self, Report), Report> {
        read_document(&Source::new(bytes)?, Self::read)
    }

    /// Reads the object.
    pub(in crate::inputs::karpenter) fn read(document: &mut Document<'_>) -> Option<Self> {
        let Sku { name, capabilities: Capabilities(capabilities), zones, restrictions, .. } =
            document.read(Names::Exact)?;
        let is_restricted = restrictions.iter().flatten().any(|restriction| restriction.r#type == "Location");
        Some(Self { size: VmSize { name, capabilities }, zones, is_restricted })
    }
}
