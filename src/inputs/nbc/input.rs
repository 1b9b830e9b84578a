//! Implements [`NodeInput`] for a NodeBootstrappingConfiguration: the environment of the equivalent Configuration, in
//! which values that only this kind of document has replace the Configuration's.

use std::borrow::Cow;
use std::collections::HashMap;

use super::Nbc;
use crate::catalogue::operating_systems::{OperatingSystem, operating_system};
use crate::configuration::Configuration;
use crate::document::Finding;
use crate::environment::{Assignment, Environment, ImageContents, KataRuntimes};
use crate::inputs::{CommandRequest, InputKind, MachineFacts, NodeInput};
use crate::rendering::Quoting;

impl NodeInput for Nbc {
    fn kind(&self) -> InputKind {
        InputKind::Nbc
    }

    fn configuration(&self) -> Option<&Configuration> {
        Some(&self.configuration)
    }

    fn os(&self) -> Option<&'static OperatingSystem> {
        operating_system(self.os)
    }

    /// The layout of containerd's configuration follows from the distribution, not from an installed containerd.
    fn image<'i>(&self, given: &'i ImageContents) -> Cow<'i, ImageContents> {
        let version = if self.distro.has_containerd_2 && !self.distro.is_kata { "2.0.0" } else { "1.7.0" };
        Cow::Owned(ImageContents {
            containerd_version: version.to_owned(),
            components: given.components.clone(),
            kata_runtimes: KataRuntimes::WithConfigurationPath,
        })
    }

    fn assignments<'a>(&'a self, image: &'a ImageContents) -> Result<Environment<'a>, Finding> {
        Ok(self.overridden(Environment::new(&self.configuration, image)))
    }

    fn command_request(&self) -> Option<CommandRequest<'_>> {
        Some(CommandRequest {
            configuration: self.controller.configuration.borrowed(),
            protects_secrets: self.controller.protects_secrets,
            only_prepares_image: self.configuration.pre_provision_only,
            first_boot: self.controller.first_boot,
        })
    }

    fn needs_controller(&self) -> Option<Finding> {
        self.controller.needed.clone()
    }

    fn machine(&self) -> MachineFacts {
        self.machine
    }
}

impl Nbc {
    /// Returns an environment with the values that only this kind of document has.
    fn overridden<'a>(&'a self, environment: Environment<'a>) -> Environment<'a> {
        let mut left: HashMap<_, _> = self.overrides.iter().collect();
        let mut assignments = Vec::with_capacity(environment.iter().count() + left.len());
        for mut assignment in environment {
            if let Some(value) = left.remove(&*assignment.name) {
                assignment.value = value.borrowed();
            }
            assignments.push(assignment);
        }
        let others = self.overrides.iter().filter(|(name, _)| left.contains_key(name));
        assignments.extend(others.map(|(name, value)| Assignment::new(name, value.borrowed(), Quoting::Word)));
        assignments.into_iter().collect()
    }
}
